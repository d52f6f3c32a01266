//! `memcurator pending`: the proposals that wait, and what becomes of them.

mod decide;
mod recover;

use crate::check::secrets;
use crate::cli::args::inbox::Pending;
use crate::cli::context::Context;
use crate::cli::desk::{Desk, diff_json, diff_lines, queue};
use crate::cli::failure::{Failure, Status};
use crate::memory::path::RelPath;
use crate::memory::text::{lossy, one_line};
use crate::review::approve::{self, Outcome};
use crate::review::gate::{Gate, Mark, Scene};
use crate::review::proposal::Waiting;
use chrono::SecondsFormat;
use serde_json::{Value, json};

/// Runs one of the commands.
///
/// # Errors
/// When the store is unknown, the queue can't be read, or what is asked for can't be done.
pub fn run(cx: &mut Context<'_>, command: &Pending) -> Result<Status, Failure> {
    match command {
        Pending::List(list) if list.quiet => quiet(cx),
        Pending::List(_) => list(cx),
        Pending::Show { id } => show(cx, id),
        Pending::Approve(asked) => decide::approve(cx, asked),
        Pending::Reject(asked) => decide::reject(cx, asked),
        Pending::Rejected => rejected(cx),
        Pending::Restore { ids } => decide::take_back(cx, ids),
        Pending::Recover(asked) => recover::run(cx, asked),
        Pending::Path { id } => path(cx, id.as_deref()),
    }
}

/// How a proposal stands to the store.
pub(super) struct Standing {
    /// One word.
    pub state: &'static str,
    /// Why it can't simply be approved.
    pub why: Option<String>,
    /// What the gate says.
    pub gate: Option<Gate>,
}

/// Looks at what waits.
pub(super) fn standing(desk: &Desk, scene: &Scene<'_>, waiting: &Waiting) -> Standing {
    let proposal = match waiting {
        Waiting::Faulty(faulty) => {
            return Standing { state: "faulty", why: Some(faulty.fault.clone()), gate: None };
        }
        Waiting::Proposal(proposal) => proposal,
    };
    let gate = Some(scene.gate(proposal));
    match approve::approve(&desk.snapshot, &desk.parked, proposal, false) {
        Ok(Outcome::Ready(_)) => Standing { state: "ready", why: None, gate },
        Ok(Outcome::Done) => Standing { state: "done", why: Some("the store is so already".into()), gate },
        Ok(Outcome::Stale(stale)) => Standing { state: "stale", why: Some(stale.why), gate },
        Err(refusal) => Standing { state: "stale", why: Some(refusal.what), gate },
    }
}

fn quiet(cx: &mut Context<'_>) -> Result<Status, Failure> {
    let count = queue(cx)?.count();
    if count > 0 {
        cx.out.line(&count.to_string())?;
    }
    Ok(Status::Fine)
}

fn list(cx: &mut Context<'_>) -> Result<Status, Failure> {
    let desk = Desk::new(cx, false)?;
    let waiting = desk.queue.list()?;
    let project = desk.project(cx, &waiting);
    let scene = Scene::new(&desk.snapshot, &desk.settings, project.as_ref(), cx.now());
    let all: Vec<(&Waiting, Standing)> =
        waiting.iter().map(|one| (one, standing(&desk, &scene, one))).collect();
    let is_faulty = all.iter().any(|(_, standing)| standing.state == "faulty");
    if !cx.json(|| all.iter().map(|(one, standing)| object(one, standing)).collect())? {
        if all.is_empty() {
            cx.out.line("no proposal waits")?;
        }
        let rows: Vec<[String; 4]> = all
            .iter()
            .map(|(one, standing)| {
                let mark = match (&standing.gate, standing.state) {
                    (Some(gate), "ready") => gate.mark.as_str(),
                    (_, state) => state,
                };
                let what = one.proposal().map(|one| format!("{} {}", one.action.as_str(), one.target));
                [mark.into(), one.id().to_owned(), what.unwrap_or_default(), says(standing)]
            })
            .collect();
        cx.out.table(&rows)?;
        for name in desk.queue.known_already()? {
            let name = one_line(&name);
            cx.out.line(&format!(
                ".agent/pending/{name} does not wait: the same waits, or was rejected before"
            ))?;
        }
    }
    Ok(if is_faulty { Status::Findings } else { Status::Fine })
}

/// What matters most about one, in words.
fn says(standing: &Standing) -> String {
    let worst = standing.gate.as_ref().and_then(|gate| {
        let against = gate.verdicts.iter().filter(|verdict| verdict.mark > Mark::Pass);
        against.max_by_key(|verdict| verdict.mark).map(|verdict| verdict.says.clone())
    });
    standing.why.clone().or(worst).unwrap_or_default()
}

fn show(cx: &mut Context<'_>, word: &str) -> Result<Status, Failure> {
    let desk = Desk::new(cx, false)?;
    let waiting = desk.queue.list()?;
    let one = desk.proposal(&waiting, word)?;
    let project = desk.project(cx, &waiting);
    let scene = Scene::new(&desk.snapshot, &desk.settings, project.as_ref(), cx.now());
    let standing = standing(&desk, &scene, one);
    let new = match one {
        Waiting::Proposal(proposal) => proposal.bytes.clone(),
        Waiting::Faulty(faulty) => faulty.bytes.clone(),
    };
    let target: Option<&RelPath> = one.proposal().map(|one| &one.target);
    let files = desk.snapshot.memories.iter().chain(&desk.snapshot.beside);
    let current = { files }.find(|memory| Some(&memory.path) == target);
    let index = desk.snapshot.index.as_ref().filter(|_| target.is_some_and(RelPath::is_index));
    let old = current.map(|memory| memory.bytes.clone()).or(index.map(|index| index.bytes.clone()));
    let (was, is) = (old.as_deref().unwrap_or_default(), new.as_deref().unwrap_or_default());
    let value = || {
        let mut value = object(one, &standing);
        if let Value::Object(keys) = &mut value {
            keys.insert("content".into(), new.as_deref().map(lossy).into());
            keys.insert("current".into(), old.as_deref().map(lossy).into());
            keys.insert("diff".into(), diff_json(was, is));
        }
        value
    };
    if !cx.json(value)? {
        head(cx, one, &standing)?;
        if old.is_some() && target.is_some() {
            for line in diff_lines(was, is) {
                cx.out.line(&line)?;
            }
        } else {
            for line in secrets::mask(&lossy(is)).lines() {
                cx.out.line(&format!("  + {line}"))?;
            }
        }
    }
    Ok(if standing.state == "faulty" { Status::Findings } else { Status::Fine })
}

fn head(cx: &mut Context<'_>, one: &Waiting, standing: &Standing) -> Result<(), Failure> {
    if let Some(proposal) = one.proposal() {
        let when = proposal.time.map(|time| time.format(", %Y-%m-%d %H:%MZ").to_string()).unwrap_or_default();
        cx.out.line(&format!("{} {}", proposal.action.as_str(), proposal.target))?;
        cx.out.line(&format!("proposed by {}{when}", one_line(&proposal.origin.words())))?;
        if let Some(reason) = &proposal.reason {
            cx.out.line(&format!("because: {}", one_line(reason)))?;
        }
        for note in &proposal.notes {
            cx.out.line(&format!("note: {note}"))?;
        }
    }
    if let Some(why) = &standing.why {
        cx.out.line(&format!("{}: {why}", standing.state))?;
    }
    let Some(gate) = &standing.gate else { return Ok(()) };
    cx.out.line(&format!("the gate: {}", gate.mark.as_str()))?;
    let rows: Vec<[String; 3]> = gate
        .verdicts
        .iter()
        .map(|one| [format!("  {}", one.mark.as_str()), one.question.as_str().into(), one.says.clone()])
        .collect();
    cx.out.table(&rows)?;
    for near in &gate.nearest {
        cx.out.line(&format!("  near: {} ({:.0} %)", near.path, near.alike * 100.0))?;
    }
    Ok(())
}

fn rejected(cx: &mut Context<'_>) -> Result<Status, Failure> {
    let all = queue(cx)?.rejected()?;
    let value = || {
        let one = |rejected: &crate::store::Rejected| {
            let proposal = rejected.what.proposal();
            json!({
                "id": rejected.what.id(),
                "action": proposal.map(|one| one.action.as_str()),
                "target": proposal.map(|one| one.target.to_str_lossy()),
                "title": proposal.map(|one| one.title()),
                "rejected": rejected.time.map(|time| time.to_rfc3339_opts(SecondsFormat::AutoSi, true)),
                "reason": rejected.reason,
            })
        };
        all.iter().map(one).collect()
    };
    if !cx.json(value)? {
        if all.is_empty() {
            cx.out.line("no proposal was rejected")?;
        }
        let rows: Vec<[String; 4]> = all
            .iter()
            .map(|one| {
                let when = one.time.map(|time| time.format("%Y-%m-%d").to_string()).unwrap_or_default();
                let what = one.what.proposal().map(|one| format!("{} {}", one.action.as_str(), one.target));
                let why = one.reason.as_deref().map(one_line).unwrap_or_default();
                [when, one.what.id().into(), what.unwrap_or_default(), why]
            })
            .collect();
        cx.out.table(&rows)?;
    }
    Ok(Status::Fine)
}

fn path(cx: &mut Context<'_>, word: Option<&str>) -> Result<Status, Failure> {
    let path = match word {
        None => queue(cx)?.dir().to_path_buf(),
        Some(word) => {
            let desk = Desk::new(cx, false)?;
            let waiting = desk.queue.list()?;
            let one = desk.proposal(&waiting, word)?;
            desk.queue.file_of(one)
        }
    };
    if !cx.json(|| json!(path.to_string_lossy()))? {
        cx.out.line(&path.to_string_lossy())?;
    }
    Ok(Status::Fine)
}

fn object(one: &Waiting, standing: &Standing) -> Value {
    let proposal = one.proposal();
    let origin = proposal.map(|one| {
        let origin = &one.origin;
        json!({ "kind": origin.kind, "session": origin.session, "branch": origin.branch, "by": origin.by })
    });
    json!({
        "id": one.id(),
        "action": proposal.map(|one| one.action.as_str()),
        "target": proposal.map(|one| one.target.to_str_lossy()),
        "title": proposal.map(|one| one.title()),
        "time": proposal.and_then(|one| one.time).map(|time| time.to_rfc3339_opts(SecondsFormat::AutoSi, true)),
        "origin": origin,
        "reason": proposal.and_then(|one| one.reason.clone()),
        "state": standing.state,
        "why": standing.why,
        "notes": proposal.map(|one| one.notes.clone()).unwrap_or_default(),
        "gate": standing.gate.as_ref().map(gate_json),
    })
}

/// What the gate says, as JSON.
pub(super) fn gate_json(gate: &Gate) -> Value {
    let verdicts = gate.verdicts.iter().map(|one| {
        json!({
            "question": one.question.as_str(),
            "mark": one.mark.as_str(),
            "says": one.says,
            "check": one.check,
            "instead": one.instead.as_ref().map(|path| path.to_str_lossy()),
        })
    });
    let nearest =
        gate.nearest.iter().map(|near| json!({ "path": near.path.to_str_lossy(), "alike": near.alike }));
    json!({
        "mark": gate.mark.as_str(),
        "verdicts": verdicts.collect::<Vec<_>>(),
        "nearest": nearest.collect::<Vec<_>>(),
    })
}

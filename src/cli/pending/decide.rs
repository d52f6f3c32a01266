//! `memcurator pending approve`, `reject` and `restore`.

use super::standing;
use crate::cli::args::inbox::{Approve, Reject};
use crate::cli::context::Context;
use crate::cli::desk::Desk;
use crate::cli::failure::{Failure, Status};
use crate::memory::Time;
use crate::memory::snapshot::Snapshot;
use crate::memory::text::one_line;
use crate::review::approve::{self, Outcome, Stale};
use crate::review::conflict::{self, Piece};
use crate::review::gate::{Mark, Question, Scene};
use crate::review::plan::{Plan, Refusal};
use crate::review::proposal::{Action, Proposal, Waiting};
use crate::store::{Applied, StoreError};
use serde_json::{Value, json};

/// How often a proposal is planned anew when someone else changes the store at the same moment.
const TRIES: usize = 10;

/// What came of one.
struct Done {
    id: String,
    result: &'static str,
    message: String,
    hint: String,
    commit: Option<String>,
    warnings: Vec<String>,
}

/// Approves proposals, each as one step of history.
///
/// # Errors
/// When one that is named does not wait, or the disk fails.
pub fn approve(cx: &mut Context<'_>, asked: &Approve) -> Result<Status, Failure> {
    let mut desk = Desk::new(cx, true)?;
    let waiting = desk.queue.list()?;
    let chosen: Vec<Waiting> = if asked.all {
        let project = desk.project(cx, &waiting);
        let scene = Scene::new(&desk.snapshot, &desk.settings, project.as_ref(), cx.now());
        let passes = |one: &&Waiting| {
            let standing = standing(&desk, &scene, one);
            standing.state == "done"
                || standing.state == "ready" && standing.gate.is_some_and(|gate| gate.passes())
        };
        waiting.iter().filter(passes).cloned().collect()
    } else {
        let found = asked.ids.iter().map(|word| desk.proposal(&waiting, word).cloned());
        found.collect::<Result<_, _>>()?
    };
    let dangerous = if asked.anyway { Vec::new() } else { dangerous(&desk, &chosen, cx.now()) };
    let mut all = Vec::new();
    for one in &chosen {
        if let Some((id, says)) = dangerous.iter().find(|(id, _)| id == one.id()) {
            let message = format!("it would not be safe: {says}; nothing was written");
            all.push(Done::not(id, "refused", &message, "reject it, or --anyway approves it as it is"));
            continue;
        }
        all.push(match one {
            Waiting::Faulty(faulty) => {
                Done::not(&faulty.id, "faulty", &faulty.fault, "reject it, or correct its files")
            }
            Waiting::Proposal(proposal) => one_by_one(cx, &mut desk, proposal, asked)?,
        });
    }
    let value = |done: &Done| {
        json!({
            "id": done.id,
            "result": done.result,
            "message": done.message,
            "commit": done.commit,
            "warnings": done.warnings,
        })
    };
    if !cx.json(|| all.iter().map(value).collect::<Vec<Value>>().into())? {
        if all.is_empty() {
            cx.out.line("no proposal passes the gate")?;
        }
        for done in &all {
            match done.result {
                "approved" | "done" => cx.out.line(&done.message)?,
                result => cx.out.line(&format!("{result}: {}: {}", done.id, done.message))?,
            }
            for warning in &done.warnings {
                cx.out.line(&format!("note: {warning}"))?;
            }
            if !done.hint.is_empty() {
                cx.out.line(&format!("hint: {}", done.hint))?;
            }
        }
        if all.iter().any(|done| done.result == "approved") {
            let command = cx.command("undo");
            cx.out.line(&format!("undo the last one with: {command}"))?;
        }
    }
    let is_well = all.iter().all(|done| matches!(done.result, "approved" | "done"));
    Ok(if is_well { Status::Fine } else { Status::Findings })
}

/// Those that hold a secret, or text that deceives or commands, and what the gate says of it.
fn dangerous(desk: &Desk, chosen: &[Waiting], now: Time) -> Vec<(String, String)> {
    let scene = Scene::new(&desk.snapshot, &desk.settings, None, now);
    let says = |proposal: &Proposal| {
        let gate = scene.gate(proposal);
        let verdict = gate.verdict(Question::Safe).filter(|verdict| verdict.mark == Mark::Fail)?;
        Some((proposal.id.clone(), verdict.says.clone()))
    };
    chosen.iter().filter_map(Waiting::proposal).filter_map(says).collect()
}

fn one_by_one(
    cx: &Context<'_>,
    desk: &mut Desk,
    proposal: &Proposal,
    asked: &Approve,
) -> Result<Done, Failure> {
    for attempt in 1.. {
        let planned = approve::approve(&desk.snapshot, &desk.parked, proposal, asked.anyway);
        let planned = match planned {
            // Every memory that is approved changes the index.
            Ok(Outcome::Stale(stale)) if asked.merge || proposal.target.is_index() && !proposal.alone => {
                match merged(desk, proposal, &stale) {
                    Some(merged) => approve::approve(&desk.snapshot, &desk.parked, &merged, false),
                    None => {
                        let why = format!(
                            "{}, and both changed the same lines, or the older version is not known",
                            stale.why
                        );
                        return Ok(Done::not(
                            &proposal.id,
                            "stale",
                            &why,
                            "edit the memory, then reject the proposal",
                        ));
                    }
                }
            }
            other => other,
        };
        let plan = match planned {
            Err(Refusal { what, hint }) => return Ok(Done::not(&proposal.id, "refused", &what, &hint)),
            Ok(Outcome::Done) => {
                desk.queue.settle(&proposal.id, cx.now())?;
                let message = format!("{}: the store is so already", one_line(&proposal.title()));
                return Ok(Done { result: "done", ..Done::not(&proposal.id, "done", &message, "") });
            }
            Ok(Outcome::Stale(stale)) => {
                let hint = format!(
                    "{} shows both; --merge puts them together, --anyway takes the proposal",
                    cx.command(&format!("pending show {}", proposal.id))
                );
                return Ok(Done::not(&proposal.id, "stale", &stale.why, &hint));
            }
            Ok(Outcome::Ready(plan)) => plan,
        };
        let applied = desk.opened(cx)?.approve(&plan, &proposal.id, cx.now());
        match applied {
            Ok(applied) => {
                if applied.conflicts.is_empty() {
                    desk.snapshot = approve::after(&desk.snapshot, &plan, cx.now());
                } else {
                    reread(cx, desk)?;
                }
                return Ok(Done::approved(proposal, &plan, applied));
            }
            Err(error) if error.conflict && attempt < TRIES => reread(cx, desk)?,
            Err(error) if error.conflict => {
                return Ok(Done::not(&proposal.id, "refused", &error.what, &error.hint));
            }
            Err(error) => return Err(error.into()),
        }
    }
    Err(Failure::broken("the store changes all the time; nothing was done", "try again when it is quiet"))
}

fn reread(cx: &Context<'_>, desk: &mut Desk) -> Result<(), Failure> {
    let store = desk.opened(cx)?;
    let snapshot = Snapshot { beside: store.beside()?, ..store.scan(&|_| {})? };
    let parked = store.parked()?;
    (desk.snapshot, desk.parked) = (snapshot, parked);
    Ok(())
}

/// The proposal with what others changed meanwhile, when they changed other lines.
fn merged(desk: &Desk, proposal: &Proposal, stale: &Stale) -> Option<Proposal> {
    let (base, current) = (proposal.base.as_deref()?, stale.current.as_deref()?);
    if proposal.action != Action::Change {
        return None;
    }
    let base = desk.store.as_ref()?.version(&proposal.target, base)?;
    let pieces = approve::rebase(proposal, &base, current);
    let is_settled = pieces.iter().all(|piece| matches!(piece, Piece::Settled(_)));
    is_settled.then(|| approve::on_version(proposal, current, conflict::chosen(&pieces, &[])))
}

/// Rejects proposals; what can't be moved is said, and the others are rejected all the same.
///
/// # Errors
/// When one that is named does not wait, or the only one can't be moved.
pub fn reject(cx: &mut Context<'_>, asked: &Reject) -> Result<Status, Failure> {
    let desk = Desk::new(cx, false)?;
    let waiting = desk.queue.list()?;
    let chosen: Vec<&Waiting> = if asked.all {
        waiting.iter().collect()
    } else {
        asked.ids.iter().map(|word| desk.proposal(&waiting, word)).collect::<Result<_, _>>()?
    };
    let all: Vec<&str> = chosen.iter().map(|one| one.id()).collect();
    let (ids, failed) = each(&all, |id| desk.queue.reject(id, asked.reason.as_deref(), cx.now()))?;
    if !cx.json(|| with_failed(json!({ "rejected": ids }), &failed))? {
        for one in chosen.iter().filter(|one| ids.contains(&one.id())) {
            let what = one
                .proposal()
                .map_or_else(String::new, |one| format!("{} {}, ", one.action.as_str(), one.target));
            cx.out.line(&format!("rejected: {what}{}", one.id()))?;
        }
        match ids.as_slice() {
            [] if !failed.is_empty() => {}
            [] => cx.out.line("no proposal waits")?,
            [one] => {
                let command = cx.command(&format!("pending restore {one}"));
                cx.out.line(&format!("take it back with: {command}"))?;
            }
            _ => {
                let command = cx.command("pending restore ID");
                cx.out.line(&format!("take one back with: {command}"))?;
            }
        }
        say_failed(cx, "not rejected", &failed)?;
    }
    Ok(if failed.is_empty() { Status::Fine } else { Status::Findings })
}

/// Takes rejections back; what can't be is said, and the others are taken back all the same.
///
/// # Errors
/// When the only one was not rejected, or can't be moved.
pub fn take_back(cx: &mut Context<'_>, ids: &[String]) -> Result<Status, Failure> {
    let queue = crate::cli::desk::queue(cx)?;
    let all: Vec<&str> = ids.iter().map(String::as_str).collect();
    let (ids, failed) = each(&all, |id| queue.take_back(id))?;
    if !cx.json(|| with_failed(json!({ "waits": ids }), &failed))? {
        for id in &ids {
            cx.out.line(&format!("waits again: {id}"))?;
        }
        say_failed(cx, "not taken back", &failed)?;
    }
    Ok(if failed.is_empty() { Status::Fine } else { Status::Findings })
}

/// Those of which it was done, and those of which it could not be.
type Each<'i> = (Vec<&'i str>, Vec<(&'i str, StoreError)>);

/// Does it for each of them, whatever becomes of the others.
fn each<'i>(
    ids: &[&'i str],
    mut act: impl FnMut(&str) -> Result<(), StoreError>,
) -> Result<Each<'i>, Failure> {
    let (mut done, mut failed) = (Vec::new(), Vec::new());
    for &id in ids {
        match act(id) {
            Ok(()) => done.push(id),
            Err(error) if ids.len() == 1 => return Err(error.into()),
            Err(error) => failed.push((id, error)),
        }
    }
    Ok((done, failed))
}

fn with_failed(mut value: Value, failed: &[(&str, StoreError)]) -> Value {
    let failed: Vec<Value> =
        failed.iter().map(|(id, error)| json!({ "id": id, "message": error.what })).collect();
    if let (Value::Object(keys), false) = (&mut value, failed.is_empty()) {
        keys.insert("failed".into(), failed.into());
    }
    value
}

fn say_failed(cx: &mut Context<'_>, what: &str, failed: &[(&str, StoreError)]) -> Result<(), Failure> {
    for (id, error) in failed {
        cx.out.line(&format!("{what}: {id}: {}", error.what))?;
        if !error.hint.is_empty() {
            cx.out.line(&format!("hint: {}", error.hint))?;
        }
    }
    Ok(())
}

impl Done {
    fn not(id: &str, result: &'static str, message: &str, hint: &str) -> Self {
        let (message, hint) = (message.to_owned(), hint.to_owned());
        Self { id: id.to_owned(), result, message, hint, commit: None, warnings: Vec::new() }
    }

    fn approved(proposal: &Proposal, plan: &Plan, applied: Applied) -> Self {
        let conflicts = applied.conflicts.iter().map(|one| format!("{}: {}", one.path, one.what));
        Self {
            id: proposal.id.clone(),
            result: "approved",
            message: applied.message,
            hint: String::new(),
            commit: Some(applied.id),
            warnings: plan.warnings.iter().cloned().chain(conflicts).collect(),
        }
    }
}

//! `memcurator changes`: what others changed since the last review, and what a person decides about it.

use crate::check::project::Text;
use crate::check::{self, Depth, Facts, Finding, Look, Settings};
use crate::cli::args::inbox::{Changes as Asked, ChangesCommand, Which};
use crate::cli::context::Context;
use crate::cli::desk::{diff_json, diff_lines};
use crate::cli::failure::{Failure, Status};
use crate::cli::list::count;
use crate::cli::prune::report;
use crate::client::disk::DiskPort;
use crate::client::surroundings;
use crate::memory::index::ParkedLine;
use crate::memory::snapshot::Snapshot;
use crate::prompt::picture::Role;
use crate::prompt::subject::{Subject, Usual};
use crate::review::changes::{Change, Changes, Elsewhere, Kind};
use crate::review::plan::Plan;
use crate::store::{Applied, Start, Store};
use chrono::SecondsFormat;
use serde_json::{Value, json};
use std::path::Path;

/// Runs the command.
///
/// # Errors
/// When the store can't be read, no review was started, or what is asked for can't be done.
pub fn run(cx: &mut Context<'_>, asked: &Asked) -> Result<Status, Failure> {
    match &asked.command {
        None => list(cx, asked.diff),
        Some(ChangesCommand::Start { from_nothing }) => start(cx, *from_nothing),
        Some(ChangesCommand::Accept(which)) => accept(cx, which),
        Some(ChangesCommand::Restore(which)) => restore(cx, which),
        Some(ChangesCommand::Take { file, hunk }) => take(cx, file, hunk),
    }
}

/// The store and what others changed in it.
struct Scene {
    store: Store,
    snapshot: Snapshot,
    parked: Vec<ParkedLine>,
    changes: Option<Changes>,
}

impl Scene {
    fn new(cx: &Context<'_>, to_change: bool) -> Result<Self, Failure> {
        let store = if to_change { cx.store()? } else { cx.look()? };
        let snapshot = store.scan(&|_| {})?;
        let parked = store.parked()?;
        let changes = store.unreviewed(&snapshot)?.map(|differing| {
            // Only a deletion is looked for elsewhere.
            let is_gone = differing.iter().any(|one| one.new.is_none());
            let texts = if is_gone { instructions(cx) } else { Vec::new() };
            Changes::of(differing, &snapshot, &texts)
        });
        Ok(Self { store, snapshot, parked, changes })
    }

    fn started(&self, cx: &Context<'_>) -> Result<&Changes, Failure> {
        self.changes.as_ref().ok_or_else(|| {
            let command = cx.command("changes start");
            Failure::refused(
                "no review was started on this store; nothing was done",
                format!("start one with: {command}"),
            )
        })
    }
}

fn list(cx: &mut Context<'_>, diff: bool) -> Result<Status, Failure> {
    let scene = Scene::new(cx, false)?;
    let Some(changes) = &scene.changes else {
        if !cx.json(|| json!({ "review": false, "changes": [] }))? {
            cx.out.line("no review was started on this store, so nothing is known to have changed")?;
            let commands = [
                ("what is there now counts as reviewed", "changes start"),
                ("everything is to be reviewed", "changes start --from-nothing"),
            ];
            for (what, command) in commands {
                let command = cx.command(command);
                cx.out.line(&format!("start one: {command} ({what})"))?;
            }
        }
        return Ok(Status::Fine);
    };
    let (facts, settings) = (Facts::of(&scene.snapshot), Settings::default());
    let look = Look::quick(&scene.snapshot, &facts, &scene.parked, cx.now(), &settings);
    let findings = check::run(&look, Depth::Quick);
    let all = &changes.list;
    let value = || json!({ "review": true, "changes": all.iter().map(|one| object(one, &findings)).collect::<Vec<_>>() });
    if !cx.json(value)? {
        if all.is_empty() {
            cx.out.line("nothing was changed by others since the last review")?;
        }
        for change in all {
            for line in words(change, &findings) {
                cx.out.line(&line)?;
            }
            if diff {
                let (old, new) = change.texts();
                for line in diff_lines(&old, &new) {
                    cx.out.line(&line)?;
                }
            }
        }
        if !all.is_empty() {
            let command = cx.command("changes accept --all");
            cx.out.line(&format!(
                "{} since the last review; accept all with: {command}",
                count(all.len(), "change", "changes")
            ))?;
        }
    }
    Ok(Status::Fine)
}

fn start(cx: &mut Context<'_>, from_nothing: bool) -> Result<Status, Failure> {
    let from = if from_nothing { Start::FromNothing } else { Start::AsItIs };
    let applied = cx.store()?.start_review(from, cx.now())?;
    report(cx, &applied, None, &[], None)
}

fn accept(cx: &mut Context<'_>, which: &Which) -> Result<Status, Failure> {
    let scene = Scene::new(cx, true)?;
    if scene.changes.is_none() && which.all {
        return start(cx, false);
    }
    let changes = scene.started(cx)?;
    let Some(chosen) = chosen(cx, changes, which)? else { return Ok(Status::Fine) };
    let decision = changes.accept(&chosen)?;
    let applied = scene.store.review(&decision, cx.now())?;
    report(cx, &applied, None, &[], Some("undo"))
}

fn restore(cx: &mut Context<'_>, which: &Which) -> Result<Status, Failure> {
    let scene = Scene::new(cx, true)?;
    let changes = scene.started(cx)?;
    let Some(chosen) = chosen(cx, changes, which)? else { return Ok(Status::Fine) };
    let plan =
        changes.restore(&chosen, &scene.snapshot, &|path, content| scene.store.time_of(path, content))?;
    carry_out(cx, &scene, &plan)
}

fn take(cx: &mut Context<'_>, file: &Path, hunks: &[usize]) -> Result<Status, Failure> {
    let scene = Scene::new(cx, true)?;
    let changes = scene.started(cx)?;
    let at = find(changes, file)?;
    let all = changes.hunks(at).len();
    if let Some(wrong) = hunks.iter().find(|number| **number == 0 || **number > all) {
        return Err(Failure::refused(
            format!("the change has no part {wrong}: there are {all}; nothing was done"),
            "changes --diff numbers them",
        ));
    }
    let hunks: Vec<usize> = hunks.iter().map(|number| number - 1).collect();
    let plan = changes.take(at, &hunks, &scene.snapshot)?;
    carry_out(cx, &scene, &plan)
}

fn carry_out(cx: &mut Context<'_>, scene: &Scene, plan: &Plan) -> Result<Status, Failure> {
    let applied: Applied = scene.store.apply(plan, cx.now())?;
    let paths: Vec<_> = plan.changes.iter().map(|change| change.path.clone()).collect();
    report(cx, &applied, Some((plan, &paths)), &[], Some("undo"))
}

/// The changes that are meant; `None`: there is none, which is said.
fn chosen(cx: &mut Context<'_>, changes: &Changes, which: &Which) -> Result<Option<Vec<usize>>, Failure> {
    if !which.all {
        return which.files.iter().map(|file| find(changes, file)).collect::<Result<Vec<_>, _>>().map(Some);
    }
    if changes.list.is_empty() {
        if !cx.json(|| json!({ "done": null, "id": null, "conflicts": [] }))? {
            cx.out.line("nothing was changed by others since the last review")?;
        }
        return Ok(None);
    }
    Ok(Some((0..changes.list.len()).collect()))
}

/// The change that a word means: a path, before or after, a file's stem or a name.
fn find(changes: &Changes, word: &Path) -> Result<usize, Failure> {
    let text = word.to_string_lossy();
    let is_path = |change: &Change| change.paths().any(|path| path.as_path() == word);
    let is_name = |change: &Change| change.title == text || change.paths().any(|path| path.stem() == text);
    let all = |is: &dyn Fn(&Change) -> bool| -> Vec<usize> {
        changes.list.iter().enumerate().filter(|(_, change)| is(change)).map(|(at, _)| at).collect()
    };
    let found = match all(&is_path) {
        none if none.is_empty() => all(&is_name),
        found => found,
    };
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(Failure::refused(
            format!("there is no change of `{text}`; nothing was done"),
            "memcurator changes lists them",
        )),
        several => Err(Failure::refused(
            format!("`{text}` means {} changes; nothing was done", several.len()),
            "give the path of the one that is meant",
        )),
    }
}

/// The instructions that a session in the store's project loads: a promoted memory is in one of them.
fn instructions(cx: &Context<'_>) -> Vec<Text> {
    let Ok(located) = cx.located() else { return Vec::new() };
    let cwd = located.project.clone().unwrap_or_else(|| located.dir.clone());
    let managed = surroundings::managed_settings();
    let usual = Usual {
        launch: cx.launch.clone(),
        managed: managed.parent().map(Path::to_path_buf),
        ..Usual::default()
    };
    let preview = Subject::of(&located, &cwd).preview(&DiskPort, &cx.env, &usual.request(&[], cx.now()));
    let sections = preview.sections.into_iter().filter(|section| section.role != Role::Index);
    sections
        .map(|section| Text { path: section.path.to_string_lossy().into_owned(), text: section.body })
        .collect()
}

fn words(change: &Change, findings: &[Finding]) -> Vec<String> {
    let (sign, what) = match &change.kind {
        Kind::Added => ("+", format!("{} added", change.path)),
        Kind::Changed => ("~", format!("{} changed", change.path)),
        Kind::Deleted => ("-", format!("{} deleted", change.path)),
        Kind::Renamed { from } if change.old == change.new => {
            (">", format!("{from} renamed to {}", change.path))
        }
        Kind::Renamed { from } => (">", format!("{from} renamed to {} and changed", change.path)),
        Kind::Index => ("~", "MEMORY.md changed".to_owned()),
    };
    let mut head = format!("{sign} {what}");
    if let Some(time) = change.time {
        head.push_str(&time.format(", %Y-%m-%d %H:%MZ").to_string());
    }
    if let Some(session) = &change.origin.session {
        let short: String = session.chars().take(8).collect();
        head.push_str(&format!(", session {short}"));
    }
    if let Some(branch) = &change.origin.branch {
        head.push_str(&format!(", on {branch}"));
    }
    let mut lines = vec![head];
    match &change.moved_to {
        Some(Elsewhere::Memory(path)) => lines.push(format!("    its text is in {path} now")),
        Some(Elsewhere::Instructions(path)) => {
            lines.push(format!("    its text is in {path} now, which every session loads"))
        }
        None => {}
    }
    let sign = |is_new| if is_new { "+" } else { "-" };
    lines.extend(change.lines.iter().map(|line| format!("    index {} {}", sign(line.is_new), line.text)));
    lines.extend(of(change, findings).map(|one| format!("    {}: {}", one.check.0, one.message)));
    lines
}

fn of<'a>(change: &'a Change, findings: &'a [Finding]) -> impl Iterator<Item = &'a Finding> {
    findings.iter().filter(|one| one.memory == change.path && change.new.is_some())
}

fn object(change: &Change, findings: &[Finding]) -> Value {
    let (kind, from) = match &change.kind {
        Kind::Added => ("added", None),
        Kind::Changed => ("changed", None),
        Kind::Deleted => ("deleted", None),
        Kind::Renamed { from } => ("renamed", Some(from.to_str_lossy())),
        Kind::Index => ("index", None),
    };
    let (old, new) = change.texts();
    json!({
        "change": kind,
        "path": change.path.to_str_lossy(),
        "from": from,
        "title": change.title,
        "time": change.time.map(|time| time.to_rfc3339_opts(SecondsFormat::AutoSi, true)),
        "session": change.origin.session,
        "branch": change.origin.branch,
        "moved_to": change.moved_to.as_ref().map(|to| match to {
            Elsewhere::Memory(path) => path.to_str_lossy().into_owned(),
            Elsewhere::Instructions(path) => path.clone(),
        }),
        "index": change.lines.iter().map(|line| json!({ "new": line.is_new, "text": line.text })).collect::<Vec<_>>(),
        "findings": of(change, findings).map(|one| json!({
            "check": one.check.0,
            "severity": format!("{:?}", one.severity).to_lowercase(),
            "line": one.line,
            "message": one.message,
        })).collect::<Vec<_>>(),
        "diff": diff_json(&old, &new),
    })
}

//! `memcurator check`: what is wrong with the memories of a store, with the evidence, and the fixes that are safe.

mod format;
mod silence;

pub(super) use format::history;

use crate::app::contents::one_line;
use crate::app::deep::Looked;
use crate::check::{CheckId, Finding, Fix, Report, Severity, preview};
use crate::cli::args::Format;
use crate::cli::args::check::{Check, Level};
use crate::cli::change::Scene;
use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::cli::history::agrees;
use crate::cli::{prune, say};
use crate::client::disk::DiskPort;
use crate::client::surroundings;
use crate::config::nearest;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::prompt::locate::Located;
use crate::prompt::port::Port;
use crate::prompt::session::Said;
use crate::prompt::subject::{Subject, Usual};
use crate::review::fix::{Replacement, fix};
use crate::shell::checkup::{Checkup, GoesOn, Patient};
use crate::store::Store;
use serde_json::json;
use std::io::{IsTerminal, Write};
use std::path::Path;

/// Checks a store, or says what is silenced.
///
/// # Errors
/// When the store or an id can't be found, or something can't be read or written.
pub fn run(cx: &mut Context<'_>, asked: &Check) -> Result<Status, Failure> {
    if let Some(command) = &asked.command {
        return silence::run(cx, command);
    }
    for id in &asked.only {
        if CheckId::find(id).is_none() {
            return Err(Failure::broken(format!("there is no check `{id}`"), nearest(id)));
        }
    }
    let located = cx.located()?;
    let store = if asked.fix {
        Store::open(&located.dir, &cx.places)?
    } else {
        Store::look(&located.dir, &cx.places)?
    };
    crate::cli::context::tell(&store);
    let snapshot = store.scan(&|_| {})?;
    for file in &snapshot.unreadable {
        say("warning", &format!("{} could not be read: {}", file.path, file.why));
    }
    let parked = store.parked().unwrap_or_else(|error| {
        say("warning", &format!("{error}; which lines are parked is not known"));
        Vec::new()
    });
    let settings = cx.settings(&store)?;
    let subject = subject(cx, &located, asked.no_project)?;
    let checkup = checkup(cx);
    let patient = Patient {
        snapshot: &snapshot,
        parked: &parked,
        settings: &settings,
        subject: subject.as_ref(),
        now: cx.now(),
    };
    let (mut report, looked) = progress("checking…", |goes_on| checkup.run(&patient, goes_on));
    say_project(&looked, asked.no_project);
    select(&mut report, asked);
    if asked.fix {
        return apply(cx, &store, &snapshot, &report, asked.yes);
    }
    let told = format::Told { snapshot: &snapshot, report: &report, looked: &looked };
    match cx.common.format {
        Format::Human => format::human(cx, &told)?,
        Format::Json => cx.out.json(&format::json(&told))?,
        Format::Sarif => cx.out.json(&format::sarif(&told, &cx.env.cwd))?,
        Format::Github => format::github(cx, &told)?,
    }
    Ok(status(report.findings.iter()))
}

/// How stores are checked here; nothing is kept in the cache.
pub(super) fn checkup(cx: &Context<'_>) -> Checkup {
    let managed = surroundings::managed_settings().parent().map(Path::to_path_buf);
    let usual =
        Usual { version: None, launch: cx.launch.clone(), within: None, managed, said: Said::default() };
    Checkup { env: cx.env.clone(), usual, places: cx.places.clone(), keeps: false }
}

/// Does work that tells how far it is, which a person at a terminal sees behind this word.
pub(super) fn progress<T>(word: &str, work: impl FnOnce(GoesOn<'_>) -> T) -> T {
    let shows = std::io::stderr().is_terminal();
    let done = work(&|progress| {
        if shows {
            // Nobody else to tell when it can't be written.
            let _ = write!(std::io::stderr(), "\r\x1b[K{word} {} % {}", progress.percent, progress.what);
        }
        true
    });
    if shows {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
    done
}

/// Says why no project was looked at.
pub(super) fn say_project(looked: &Looked, was_unwanted: bool) {
    if let Some(problem) = &looked.problem {
        say("warning", &problem.what);
        say("hint", &problem.hint);
    } else if looked.project.is_none() && !was_unwanted {
        say("note", "no project is known, so checks that need one are left out; give it with --project DIR");
    }
}

fn status<'a>(mut findings: impl Iterator<Item = &'a Finding>) -> Status {
    match findings.any(|finding| finding.severity >= Severity::Warning) {
        true => Status::Findings,
        false => Status::Fine,
    }
}

/// Whose sessions use the store: with `--store` and `--project`, those of that project.
pub(super) fn subject(
    cx: &Context<'_>,
    located: &Located,
    no_project: bool,
) -> Result<Option<Subject>, Failure> {
    if no_project {
        return Ok(None);
    }
    let given = cx.common.project.as_deref().map(|dir| cx.env.cwd.join(dir));
    if let Some(dir) = &given
        && DiskPort.kind(dir) != Some(crate::prompt::port::Kind::Dir)
    {
        return Err(Failure::broken(
            format!("there is no directory {}", one_line(&dir.to_string_lossy())),
            "give the project's directory with --project",
        ));
    }
    Ok(Some(match (given, &located.project) {
        (Some(dir), _) if cx.common.store.is_some() => Subject::Client(dir),
        (Some(dir), _) => Subject::of(located, &dir),
        (None, Some(project)) => Subject::of(located, project),
        (None, None) => Subject::Index(located.dir.clone()),
    }))
}

fn select(report: &mut Report, asked: &Check) {
    let least = match asked.severity {
        None | Some(Level::Info) => Severity::Info,
        Some(Level::Warning) => Severity::Warning,
        Some(Level::Error) => Severity::Error,
    };
    let is_asked = |finding: &Finding| {
        finding.severity >= least
            && (asked.only.is_empty() || asked.only.iter().any(|id| id == finding.check.0))
    };
    report.findings.retain(&is_asked);
    report.silenced.retain(|one| is_asked(&one.finding));
}

/// The bytes of the file that a finding is about.
fn bytes_of<'a>(snapshot: &'a Snapshot, path: &RelPath) -> &'a [u8] {
    if path.is_index() {
        return snapshot.index.as_ref().map(|index| &*index.bytes).unwrap_or_default();
    }
    let found = snapshot.memories.iter().find(|memory| memory.path == *path);
    found.map(|memory| &*memory.bytes).unwrap_or_default()
}

/// `--fix`: shows each change, asks, and makes them all in one step.
fn apply(
    cx: &mut Context<'_>,
    store: &Store,
    snapshot: &Snapshot,
    report: &Report,
    yes: bool,
) -> Result<Status, Failure> {
    let safe = |finding: &&Finding| matches!(finding.fixes.first(), Some(Fix::Replace { is_safe: true, .. }));
    let (fixed, left): (Vec<&Finding>, Vec<&Finding>) = report.findings.iter().partition(safe);
    let mut replacements = Vec::new();
    for finding in &fixed {
        if let Some(Fix::Replace { range, text, .. }) = finding.fixes.first() {
            let one = Replacement { path: finding.memory.clone(), range: range.clone(), text: text.clone() };
            if !replacements.contains(&one) {
                replacements.push(one);
            }
        }
    }
    if replacements.is_empty() {
        if !cx.json(|| json!({ "done": null, "fixes": [] }))? {
            cx.out.line("there is nothing that could be fixed without looking at it; nothing was written")?;
        }
        return Ok(status(left.into_iter()));
    }
    let is_json = cx.common.format == Format::Json;
    let mut told = Vec::new();
    for one in &replacements {
        let Some(shown) = preview(bytes_of(snapshot, &one.path), &one.range, &one.text) else { continue };
        if !is_json {
            cx.out.line(&format!("{}:{}", one.path, shown.line))?;
            let signed = [("- ", &shown.before), ("+ ", &shown.after)];
            for (sign, text) in signed {
                for line in text.split('\n') {
                    cx.out.line(&format!("{sign}{line}"))?;
                }
            }
        }
        told.push(json!({ "memory": one.path.to_string(), "line": shown.line, "before": shown.before, "after": shown.after }));
    }
    cx.out.raw().flush()?;
    if !yes
        && !agrees(
            &format!("apply {}?", crate::cli::list::count(told.len(), "fix", "fixes")),
            "nothing was changed",
            "does",
        )?
    {
        return Err(Failure::refused("nothing was written", ""));
    }
    let plan = fix(snapshot, &replacements)?;
    let applied = store.apply(&plan, cx.now())?;
    if is_json {
        let conflicts: Vec<_> = applied
            .conflicts
            .iter()
            .map(|one| json!({ "path": one.path.to_string(), "what": one.what }))
            .collect();
        let done =
            json!({ "done": applied.message, "id": applied.id, "fixes": told, "conflicts": conflicts });
        cx.out.json(&done)?;
    } else {
        prune::report(cx, &applied, Some((&plan, &[])), &[], Some("undo"))?;
    }
    let is_clean = applied.conflicts.is_empty();
    Ok(if is_clean { status(left.into_iter()) } else { Status::Findings })
}

/// The memory that a word means.
fn memory(cx: &Context<'_>, word: &Path) -> Result<RelPath, Failure> {
    if word == Path::new("MEMORY.md") {
        return Ok(RelPath::index());
    }
    Scene::new(cx)?.memory(cx, word)
}

//! `memcurator stores move`, `copy` and `merge`.

use crate::cli::args::stores::{Merge, StoresCommand, Transfer as Asked};
use crate::cli::context::{Context, shell_word, tell};
use crate::cli::failure::{Failure, Status};
use crate::cli::files;
use crate::client::disk::DiskPort;
use crate::memory::path::RelPath;
use crate::prompt::locate::known;
use crate::review::moving::{Fate, Line, Passage, Transfer, Way};
use crate::shell::moving;
use crate::store::{Applied, Store};
use serde_json::{Value, json};

/// Runs one of the three.
///
/// # Errors
/// When a store is not found or can't be read, the plan is refused, or a file was changed by someone else.
pub fn run(cx: &mut Context<'_>, command: &StoresCommand) -> Result<Status, Failure> {
    match command {
        StoresCommand::Move(asked) => some(cx, asked, Way::Move),
        StoresCommand::Copy(asked) => some(cx, asked, Way::Copy),
        StoresCommand::Merge(asked) => merge(cx, asked),
    }
}

fn some(cx: &mut Context<'_>, asked: &Asked, way: Way) -> Result<Status, Failure> {
    let from = if asked.dry_run { cx.look()? } else { cx.store()? };
    let candidates = files::candidates(&from.scan(&|_| {})?);
    let mut paths: Vec<RelPath> = Vec::new();
    for word in &asked.files {
        let path = files::resolve(&candidates, from.root(), &cx.env.cwd, word)?;
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    let to = open(cx, &asked.to, asked.dry_run)?;
    carry_out(cx, &from, &to, way, Some(&paths), asked.dry_run)
}

fn merge(cx: &mut Context<'_>, asked: &Merge) -> Result<Status, Failure> {
    if cx.common.store.is_some() || cx.common.project.is_some() {
        return Err(Failure::broken(
            "`stores merge` names both stores itself; nothing was done",
            "leave --store and --project out",
        ));
    }
    let from = open(cx, &asked.from, asked.dry_run)?;
    let to = open(cx, &asked.into, asked.dry_run)?;
    carry_out(cx, &from, &to, Way::Move, None, asked.dry_run)
}

/// The store that a word means.
fn open(cx: &Context<'_>, word: &str, looks: bool) -> Result<Store, Failure> {
    let dir = known::named(&DiskPort, &cx.env, word)?;
    let store = if looks { Store::look(&dir, &cx.places)? } else { Store::open(&dir, &cx.places)? };
    tell(&store);
    Ok(store)
}

fn carry_out(
    cx: &mut Context<'_>,
    from: &Store,
    to: &Store,
    way: Way,
    paths: Option<&[RelPath]>,
    is_dry: bool,
) -> Result<Status, Failure> {
    let planned = moving::plan(from, to, way, paths, &cx.env)?;
    let applied = if is_dry { None } else { Some(from.transfer(to, &planned, cx.now())?) };
    if cx.json(|| value(&planned, applied.as_ref()))? {
        return Ok(status(applied.as_ref()));
    }
    match &applied {
        Some(applied) => cx.out.line(&applied.message)?,
        None => cx.out.line(&format!("would have {}; nothing was written", planned.message))?,
    }
    for line in planned.words() {
        cx.out.line(&line.replacen("▲ ", "note: ", 1))?;
    }
    if let Some(applied) = &applied {
        for conflict in &applied.conflicts {
            cx.out.line(&format!("conflict: {}: {}", conflict.path, conflict.what))?;
        }
        let other = shell_word(&planned.undone_in().to_string_lossy());
        cx.out.line(&format!("undo with: memcurator undo --store {other}"))?;
    }
    Ok(status(applied.as_ref()))
}

fn status(applied: Option<&Applied>) -> Status {
    if applied.is_none_or(|applied| applied.conflicts.is_empty()) { Status::Fine } else { Status::Findings }
}

fn value(planned: &Transfer, applied: Option<&Applied>) -> Value {
    let memory = |passage: &Passage| {
        let line = match &passage.line {
            Line::Added(text) => json!({ "added": text }),
            Line::Parked(text) => json!({ "parked": text }),
            Line::Named | Line::Without => Value::Null,
        };
        let result = match passage.fate {
            Fate::Same if planned.way == Way::Copy => "copied",
            Fate::Same => "moved",
            Fate::Renamed => "renamed",
            Fate::There => "there",
        };
        json!({
            "from": passage.from.to_string(),
            "to": passage.to.to_string(),
            "result": result,
            "index_line": line,
        })
    };
    let conflicts = applied.iter().flat_map(|applied| &applied.conflicts);
    json!({
        "done": applied.map(|applied| applied.message.clone()),
        "id": applied.map(|applied| applied.id.clone()),
        "from": planned.from.to_string_lossy(),
        "to": planned.to.to_string_lossy(),
        "memories": planned.passages.iter().map(memory).collect::<Vec<_>>(),
        "notes": planned.notes,
        "conflicts": conflicts
            .map(|one| json!({ "path": one.path.to_string(), "what": one.what }))
            .collect::<Vec<_>>(),
    })
}

//! `memcurator undo`, `redo`, `log` and `history purge`.

use crate::cli::args;
use crate::cli::context::Context;
use crate::cli::desk;
use crate::cli::failure::{Failure, Status};
use crate::cli::files::{self, Candidate};
use crate::cli::prune::report;
use crate::store::{LogEntry, LogState, Purge, Queue, Store};
use chrono::SecondsFormat;
use serde_json::{Value, json};
use std::io::{self, IsTerminal, Write};

/// Which way to go in the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Take the last operation back.
    Undo,
    /// Do it again.
    Redo,
}

/// Undoes or redoes one operation.
///
/// # Errors
/// When there is none, or a file was changed by someone else.
pub fn turn(cx: &mut Context<'_>, way: Way) -> Result<Status, Failure> {
    let store = cx.store()?;
    let (done, word, back) = match way {
        Way::Undo => (store.undo(cx.now())?, "undo", "redo"),
        Way::Redo => (store.redo(cx.now())?, "redo", "undo"),
    };
    match done {
        Some(applied) => report(cx, &applied, None, &[], Some(back)),
        None => Err(Failure::refused(
            format!("there is nothing to {word} in {}; nothing was changed", store.root().display()),
            format!("{} tells what was done", cx.command("log")),
        )),
    }
}

/// Tells what was done.
///
/// # Errors
/// When the history can't be read.
pub fn log(cx: &mut Context<'_>) -> Result<Status, Failure> {
    let entries = cx.look()?.log()?;
    if cx.json(|| entries.iter().map(entry).collect())? {
        return Ok(Status::Fine);
    }
    if entries.is_empty() {
        cx.out.line("nothing was done to this store yet")?;
        return Ok(Status::Fine);
    }
    let rows: Vec<[String; 3]> = entries
        .iter()
        .map(|entry| {
            let state = match entry.state {
                LogState::Undone => "undone",
                LogState::Outside => "outside",
                LogState::Done | LogState::Step => "",
            };
            let time = entry.time.format("%Y-%m-%d %H:%MZ").to_string();
            [time, state.into(), format!("{}{}", entry.message, named(entry))]
        })
        .collect();
    cx.out.table(&rows)?;
    Ok(Status::Fine)
}

/// The files of an entry, the first few by name, those that its message names already left out.
fn named(entry: &LogEntry) -> String {
    const SHOWN: usize = 3;
    let paths: Vec<&str> = entry
        .paths
        .iter()
        .map(String::as_str)
        .filter(|path| *path != "MEMORY.md" && !entry.message.contains(path))
        .collect();
    match paths.len() {
        0 => String::new(),
        1..=SHOWN => format!(": {}", paths.join(", ")),
        more => format!(
            ": {} and {} more",
            paths.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", "),
            more - SHOWN
        ),
    }
}

fn entry(entry: &LogEntry) -> Value {
    json!({
        "id": entry.id,
        "time": entry.time.to_rfc3339_opts(SecondsFormat::AutoSi, true),
        "message": entry.message,
        "state": match entry.state {
            LogState::Done => "done",
            LogState::Undone => "undone",
            LogState::Step => "step",
            LogState::Outside => "outside",
        },
        "paths": entry.paths,
    })
}

/// Removes content from the history for good.
///
/// # Errors
/// When the person says no, the file is unknown, or the history can't be rewritten.
pub fn purge(cx: &mut Context<'_>, asked: &args::Purge) -> Result<Status, Failure> {
    let (store, root, queue) = match cx.store() {
        Ok(store) => {
            let (root, queue) = (store.root().to_path_buf(), store.queue());
            (Some(store), root, queue)
        }
        // Proposals may be about a store that does not exist.
        Err(failure) => {
            let (root, queue) = desk::queue_without_store(cx).ok_or(failure)?;
            (None, root, queue)
        }
    };
    let (purge, words) = match (&asked.what.file, asked.what.before) {
        (Some(file), _) => {
            let candidates = kept(store.as_ref(), &queue)?;
            let path = files::resolve(&candidates, &root, &cx.env.cwd, file)?;
            let words = format!("all that the history holds of {path}");
            (Purge::File(path), words)
        }
        (None, Some(before)) => {
            let day = before.format("%Y-%m-%d %H:%MZ");
            (Purge::Before(before), format!("everything in the history before {day}"))
        }
        (None, None) => (Purge::All, "the whole history".to_string()),
    };
    if !asked.yes
        && !agrees(
            &format!("remove {words} for good? It can't be undone any more."),
            "nothing was removed",
            "removes",
        )?
    {
        return Err(Failure::refused("nothing was removed", ""));
    }
    let done = match (&store, &purge) {
        (Some(store), _) => store.purge(&purge, cx.now())?,
        (None, Purge::File(path)) => queue.purge(Some(path))?,
        (None, Purge::All) => queue.purge(None)?,
        (None, Purge::Before(time)) => queue.purge_before(*time)?,
    };
    if !cx.json(|| json!({ "done": done }))? {
        cx.out.line(&done)?;
    }
    Ok(Status::Fine)
}

/// The memories that are there, the files that the history knows (the index among them), and those that proposals are
/// about.
fn kept(store: Option<&Store>, queue: &Queue) -> Result<Vec<Candidate>, Failure> {
    let (mut all, mut known) = (Vec::new(), queue.targets()?);
    if let Some(store) = store {
        all = files::candidates(&store.scan(&|_| {})?);
        known.extend(store.logged()?);
    }
    for path in known {
        if all.iter().all(|known| known.path != path) {
            all.push(Candidate { path, name: None });
        }
    }
    Ok(all)
}

/// Asks on the terminal. Without one there is nobody to ask: then `nothing` was done, and `--yes` does it.
pub(super) fn agrees(question: &str, nothing: &str, does: &str) -> Result<bool, Failure> {
    let mut err = io::stderr().lock();
    if !io::stdin().is_terminal() || !err.is_terminal() {
        return Err(Failure::refused(
            format!("{nothing}: there is no terminal to ask on"),
            format!("--yes {does} it without asking"),
        ));
    }
    write!(err, "{} [y/N] ", crate::memory::text::visible(question, false))?;
    err.flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

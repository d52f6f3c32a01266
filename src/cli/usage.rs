//! `memcurator usage`: which memories sessions read, and what became of the index.

use crate::cli::args::transcripts::Usage as Asked;
use crate::cli::context::Context;
use crate::cli::desk::Desk;
use crate::cli::failure::{Failure, Status};
use crate::client::transcript::Transcripts;
use crate::client::usage;
use crate::memory::age;
use crate::memory::snapshot::Memory;
use crate::prompt::usage::{IndexLoad, Usage, ago};
use chrono::SecondsFormat;
use serde_json::{Value, json};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells the use of the memories.
///
/// # Errors
/// When the store can't be read, or it was stopped.
pub fn run(cx: &mut Context<'_>, asked: &Asked) -> Result<Status, Failure> {
    let desk = Desk::new(cx, false)?;
    let project = cx.common.project.as_deref();
    let transcripts = Transcripts::of(&cx.env, &cx.launch, project, &desk.dir);
    let used = read(&transcripts, &cx.places.cache, &key(cx, &desk.dir)).ok_or_else(|| {
        Failure::refused("stopped; what was read until then is kept", "run it again to go on from there")
    })?;
    for note in &used.notes {
        crate::cli::say("note", note);
    }
    let now = cx.now();
    let mut rows: Vec<(&Memory, bool)> = desk
        .snapshot
        .memories
        .iter()
        .map(|memory| (&**memory, used.is_unused(&memory.path, age::age(memory, now).since)))
        .filter(|(_, is_unused)| *is_unused || !asked.unused)
        .collect();
    let last = |memory: &Memory| used.by_memory.get(&memory.path).and_then(|recalls| recalls.last);
    rows.sort_by(|(a, _), (b, _)| last(b).cmp(&last(a)).then_with(|| a.path.cmp(&b.path)));
    if cx.json(|| object(&used, &rows, asked.last))? {
        return Ok(Status::Fine);
    }
    let table: Vec<[String; 4]> = rows
        .iter()
        .map(|(memory, is_unused)| {
            let found = used.by_memory.get(&memory.path);
            let when = match (found, is_unused) {
                (Some(recalls), _) => {
                    recalls.last.map_or_else(|| "unknown when".into(), |last| ago(last, now))
                }
                (None, true) => "never recalled".into(),
                (None, false) => "unknown".into(),
            };
            let (times, sessions) = found.map_or((0, 0), |recalls| (recalls.times, recalls.sessions));
            let count = |count: usize, one: &str, many: &str| match count {
                0 => String::new(),
                1 => format!("1 {one}"),
                count => format!("{count} {many}"),
            };
            let sessions = count(sessions, "session", "sessions");
            [when, count(times, "time", "times"), sessions, memory.path.to_string()]
        })
        .collect();
    cx.out.table(&table)?;
    for line in summary(&used, asked.last) {
        cx.out.line(&line)?;
    }
    Ok(Status::Fine)
}

/// The name of a store in the cache: that of its directory in the state.
pub fn key(cx: &Context<'_>, dir: &Path) -> String {
    let real = std::fs::canonicalize(dir).unwrap_or_else(|_| dir.to_path_buf());
    let home = cx.places.of_store(&real);
    home.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reads the transcripts; Ctrl-C stops it. On a terminal it says how far it is.
fn read(transcripts: &Transcripts<'_>, cache: &Path, key: &str) -> Option<Usage> {
    let stop = stopper();
    let is_terminal = io::stderr().is_terminal();
    let mut was_told = false;
    let used = usage::read(&transcripts.scope(), cache, key, &mut |progress| {
        if is_terminal && progress.of > 0 {
            was_told = true;
            let percent = progress.done.saturating_mul(100) / progress.of;
            let _ = write!(io::stderr(), "\rreading transcripts: {percent} % of {} MB ", progress.of >> 20);
        }
        !stop.load(Ordering::SeqCst)
    });
    if was_told {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
    used
}

/// Set by Ctrl-C from now on.
pub fn stopper() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // Where it can't be caught it ends the program, as ever.
        let _ = signal_hook::flag::register(signal, Arc::clone(&stop));
    }
    stop
}

fn summary(used: &Usage, last: usize) -> Vec<String> {
    let count = used.sessions.len().min(last);
    if count == 0 {
        return vec!["no session of this project is recorded, so nothing is known".into()];
    }
    let loads: Vec<String> = IndexLoad::ALL
        .iter()
        .zip(used.index_loads(last))
        .filter(|(_, count)| *count > 0)
        .map(|(load, count)| format!("{} in {count}", load.as_str()))
        .collect();
    let recorded = if used.sessions.iter().take(last).any(|one| one.index != IndexLoad::Unknown) {
        ""
    } else {
        " (clients before 2.1.332 keep no record of it)"
    };
    vec![format!(
        "the index in the last {count} of {} sessions: {}{recorded}",
        used.sessions.len(),
        loads.join(", ")
    )]
}

fn object(used: &Usage, rows: &[(&Memory, bool)], last: usize) -> Value {
    let time = |time: Option<crate::memory::Time>| {
        time.map(|time| time.to_rfc3339_opts(SecondsFormat::Millis, true))
    };
    let memories: Vec<Value> = rows
        .iter()
        .map(|(memory, is_unused)| {
            let found = used.by_memory.get(&memory.path);
            json!({
                "path": memory.path.to_str_lossy(),
                "last_read": time(found.and_then(|recalls| recalls.last)),
                "times": found.map_or(0, |recalls| recalls.times),
                "sessions": found.map_or(0, |recalls| recalls.sessions),
                "unused": is_unused,
            })
        })
        .collect();
    let sessions: Vec<Value> = used
        .sessions
        .iter()
        .take(last)
        .map(|one| {
            json!({ "id": one.id, "start": time(one.start), "client": one.version, "index": one.index.as_str() })
        })
        .collect();
    json!({ "memories": memories, "sessions": sessions, "sessions_in_all": used.sessions.len(), "notes": used.notes })
}

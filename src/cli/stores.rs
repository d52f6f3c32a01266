//! `memcurator stores`: every store in the agent home, and what goes from one to another.

mod transfer;

use crate::cli::args::stores::Stores;
use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::cli::list::count;
use crate::client::disk::DiskPort;
use crate::prompt::locate::{FoundStore, config_dir, find};
use chrono::SecondsFormat;
use serde_json::{Value, json};

/// Lists the stores, or does what is asked.
///
/// # Errors
/// When it can't be written; else see the commands.
pub fn run(cx: &mut Context<'_>, asked: &Stores) -> Result<Status, Failure> {
    match &asked.command {
        Some(command) => transfer::run(cx, command),
        None => list(cx),
    }
}

fn list(cx: &mut Context<'_>) -> Result<Status, Failure> {
    let found = find::stores(&DiskPort, &cx.env);
    if cx.json(|| found.iter().map(entry).collect())? {
        return Ok(Status::Fine);
    }
    if found.is_empty() {
        let projects = config_dir(&cx.env).join("projects");
        cx.out.line(&format!("there are no stores in {}", projects.display()))?;
        cx.out.line("to make one in this project: memcurator init; to look around: memcurator demo")?;
        return Ok(Status::Fine);
    }
    let rows: Vec<[String; 4]> = found
        .iter()
        .map(|store| {
            let changed = store.newest.map(|time| time.format("%Y-%m-%d").to_string()).unwrap_or_default();
            [
                count(store.memories, "memory", "memories"),
                changed,
                store.slug.clone(),
                store.dir.display().to_string(),
            ]
        })
        .collect();
    cx.out.table(&rows)?;
    Ok(Status::Fine)
}

fn entry(store: &FoundStore) -> Value {
    json!({
        "dir": store.dir.to_string_lossy(),
        "project": store.slug,
        "memories": store.memories,
        "bytes": store.bytes,
        "newest": store.newest.map(|time| time.to_rfc3339_opts(SecondsFormat::Secs, true)),
    })
}

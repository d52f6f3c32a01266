//! `memcurator list`: the memories of a store.

use crate::check::{self, Finding};
use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::memory::age::{self, Clock};
use crate::memory::document::MemoryType;
use crate::memory::index::Index;
use crate::memory::snapshot::{Memory, Snapshot};
use crate::prompt::limits::{self, Fate, MAX_LINES, MAX_UNITS};
use serde_json::{Value, json};

/// What the index does for one memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// It has no line.
    Orphan,
    /// It has a line that does not load.
    Cut,
    /// It has a line that loads.
    Loads,
}

/// Lists the memories.
///
/// # Errors
/// When the store can't be found or read.
pub fn run(cx: &mut Context<'_>) -> Result<Status, Failure> {
    let store = cx.store()?;
    let snapshot = store.scan(&|_| {})?;
    let findings = check::run(&snapshot, &store.parked()?, cx.now());
    let standings = standings(&snapshot);
    let now = cx.now();
    let rows = || {
        snapshot.memories.iter().zip(&standings).map(|(memory, standing)| {
            let findings: Vec<&Finding> = findings.iter().filter(|one| one.memory == memory.path).collect();
            (memory.as_ref(), *standing, findings)
        })
    };
    let list =
        || rows().map(|(memory, standing, findings)| entry(memory, standing, &findings, now)).collect();
    if !cx.json(list)? {
        let mut table = vec![["AGE", "TYPE", "FILE", "DESCRIPTION"].map(String::from)];
        table.extend(rows().map(|(memory, standing, findings)| line(memory, standing, &findings, now)));
        cx.out.table(&table)?;
        cx.out.line("")?;
        cx.out.line(&summary(&snapshot, findings.len()))?;
    }
    for file in &snapshot.unreadable {
        crate::cli::say("warning", &format!("{} could not be read: {}", file.path, file.why));
    }
    Ok(if snapshot.unreadable.is_empty() { Status::Fine } else { Status::Findings })
}

fn entry(memory: &Memory, standing: Standing, findings: &[&Finding], now: crate::memory::Time) -> Value {
    let header = &memory.document.header;
    let age = age::age(memory, now);
    let findings: Vec<Value> = findings
        .iter()
        .map(|one| {
            json!({
                "check": one.check.0,
                "severity": format!("{:?}", one.severity).to_lowercase(),
                "line": one.line,
                "message": one.message,
            })
        })
        .collect();
    json!({
        "path": memory.path.to_str_lossy(),
        "name": header.name,
        "description": header.description,
        "type": match &header.kind {
            MemoryType::Missing => None,
            kind => Some(kind.as_str()),
        },
        "age_days": age.days,
        "age_from": match age.clock {
            Clock::Modified => "modified",
            Clock::UpdatedAt => "updatedAt",
            Clock::FileTime => "mtime",
        },
        "bytes": memory.bytes.len(),
        "indexed": standing != Standing::Orphan,
        "loaded": standing == Standing::Loads,
        "findings": findings,
    })
}

fn line(memory: &Memory, standing: Standing, findings: &[&Finding], now: crate::memory::Time) -> [String; 4] {
    let header = &memory.document.header;
    let mut about = String::new();
    match standing {
        Standing::Orphan => about.push_str("[not in the index] "),
        Standing::Cut => about.push_str("[below the cut] "),
        Standing::Loads => {}
    }
    let mut ids: Vec<&str> = findings.iter().map(|one| one.check.0).collect();
    ids.retain(|id| *id != "index-orphan");
    ids.dedup();
    for id in ids {
        about.push_str(&format!("[{id}] "));
    }
    about.push_str(header.description.as_deref().or(header.name.as_deref()).unwrap_or_default());
    let badge = age::age(memory, now).badge();
    [badge, header.kind.as_str().into(), memory.path.to_string(), about]
}

fn summary(snapshot: &Snapshot, findings: usize) -> String {
    let index = match &snapshot.index {
        None => "no index".to_string(),
        Some(file) => {
            let loaded = limits::load(&file.bytes);
            format!(
                "the index has {}/{MAX_LINES} lines, {:.1}k/{:.1}k",
                loaded.lines,
                thousands(loaded.units),
                thousands(MAX_UNITS)
            )
        }
    };
    format!(
        "{}, {}, {index}",
        count(snapshot.memories.len(), "memory", "memories"),
        count(findings, "finding", "findings")
    )
}

/// A number with its word.
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

fn thousands(units: usize) -> f64 {
    f64::from(u32::try_from(units).unwrap_or(u32::MAX)) / 1000.0
}

fn standings(snapshot: &Snapshot) -> Vec<Standing> {
    let Some(file) = &snapshot.index else { return vec![Standing::Orphan; snapshot.memories.len()] };
    let fate = limits::load(&file.bytes).fate;
    let loads = |index: &Index, entry: &usize| {
        let line = index.entries.get(*entry).map(|entry| entry.line);
        line.and_then(|line| fate.get(line)) == Some(&Fate::Loads)
    };
    let entries_of = file.index.resolve(snapshot).entries_of;
    let standing = |entries: Vec<usize>| match entries.as_slice() {
        [] => Standing::Orphan,
        entries if entries.iter().any(|entry| loads(&file.index, entry)) => Standing::Loads,
        _ => Standing::Cut,
    };
    entries_of.into_iter().map(standing).collect()
}

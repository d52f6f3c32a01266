//! `memcurator list`: the memories of a store.

use crate::app::contents::{Contents, Entry, Listing};
use crate::app::deep::Checks;
use crate::check::{Finding, secrets};
use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::memory::age::Clock;
use crate::memory::document::{Header, MemoryType};
use crate::memory::extended::{self, Key};
use crate::memory::snapshot::Memory;
use crate::prompt::limits::{MAX_LINES, MAX_UNITS};
use chrono::SecondsFormat;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Lists the memories.
///
/// # Errors
/// When the store can't be found or read.
pub fn run(cx: &mut Context<'_>) -> Result<Status, Failure> {
    let store = cx.look()?;
    // Without the history one only doesn't know which lines are parked.
    let parked = store.parked().unwrap_or_else(|error| {
        crate::cli::say("warning", &format!("{error}; which lines are parked is not known"));
        crate::cli::say("hint", &error.hint);
        Vec::new()
    });
    let checks = Checks { settings: Arc::new(cx.settings(&store)?), deep: None };
    let contents = Contents::with(store.scan(&|_| {})?, parked, cx.now(), checks);
    let rows = || contents.entries.iter().filter_map(|entry| Some((contents.memory(entry)?, entry)));
    let list = || rows().map(|(memory, entry)| object(&contents, memory, entry)).collect();
    if !cx.json(list)? {
        let mut table = vec![["AGE", "TYPE", "FILE", "DESCRIPTION"].map(String::from)];
        table.extend(rows().map(|(memory, entry)| line(&contents, memory, entry)));
        cx.out.table(&table)?;
        cx.out.line("")?;
        cx.out.line(&summary(&contents))?;
    }
    let unreadable = &contents.snapshot.unreadable;
    for file in unreadable {
        crate::cli::say("warning", &format!("{} could not be read: {}", file.path, file.why));
    }
    Ok(if unreadable.is_empty() { Status::Fine } else { Status::Findings })
}

fn object(contents: &Contents, memory: &Memory, entry: &Entry) -> Value {
    let header = &memory.document.header;
    let finding = |one: &Finding| {
        json!({
            "check": one.check.0,
            "severity": format!("{:?}", one.severity).to_lowercase(),
            "line": one.line,
            "message": one.message,
        })
    };
    let mut value = json!({
        "path": memory.path.to_str_lossy(),
        "name": header.name,
        "description": header.description.as_deref().map(secrets::mask),
        "type": match &header.kind {
            MemoryType::Missing => None,
            kind => Some(kind.as_str()),
        },
        "age_days": entry.age.map(|age| age.days),
        "age_from": entry.age.map(|age| match age.clock {
            Clock::Modified => "modified",
            Clock::UpdatedAt => "updatedAt",
            Clock::FileTime => "mtime",
        }),
        "bytes": memory.bytes.len(),
        "indexed": matches!(entry.listing, Listing::Loads | Listing::NotSeen),
        "loaded": entry.listing == Listing::Loads,
        "findings": findings(contents, entry).map(finding).collect::<Vec<_>>(),
    });
    let extra = extra(header);
    if let (Value::Object(keys), false) = (&mut value, extra.is_empty()) {
        keys.insert("extra".into(), extra.into());
    }
    value
}

/// What the frontmatter says beyond the client's own keys, under their usual names: as it stands there, but `updatedAt`,
/// which is a date.
fn extra(header: &Header) -> Map<String, Value> {
    let mut extra = Map::new();
    for field in extended::fields(header) {
        extra.entry(field.key.as_str()).or_insert_with(|| secrets::mask(field.value).into());
    }
    if let Some(time) = header.updated_at {
        extra.insert(Key::Updated.as_str().into(), time.to_rfc3339_opts(SecondsFormat::AutoSi, true).into());
    }
    extra
}

fn line(contents: &Contents, memory: &Memory, entry: &Entry) -> [String; 4] {
    let header = &memory.document.header;
    let listing = match entry.listing {
        Listing::NotListed => "[not in the index] ",
        Listing::NotSeen => "[below the cut] ",
        Listing::Parked => "[parked] ",
        Listing::Loads | Listing::None => "",
    };
    let mut ids: Vec<&str> = findings(contents, entry).map(|one| one.check.0).collect();
    ids.retain(|id| *id != "index-orphan");
    ids.dedup();
    let ids: String = ids.iter().map(|id| format!("[{id}] ")).collect();
    let about = header.description.as_deref().or(header.name.as_deref()).unwrap_or_default();
    let badge = entry.age.map_or_else(String::new, |age| age.badge());
    let about = secrets::mask(about);
    [badge, header.kind.as_str().into(), memory.path.to_string(), format!("{listing}{ids}{about}")]
}

fn findings<'a>(contents: &'a Contents, entry: &'a Entry) -> impl Iterator<Item = &'a Finding> {
    entry.findings.iter().filter_map(|at| contents.findings.get(*at))
}

fn summary(contents: &Contents) -> String {
    let index = match contents.budget {
        None => "no index".to_string(),
        Some(budget) => format!(
            "the index has {}/{MAX_LINES} lines, {:.1}k/{:.1}k",
            budget.lines,
            thousands(budget.units),
            thousands(MAX_UNITS)
        ),
    };
    format!(
        "{}, {}, {index}",
        count(contents.snapshot.memories.len(), "memory", "memories"),
        count(contents.findings.len(), "finding", "findings")
    )
}

/// A number with its word.
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

fn thousands(units: usize) -> f64 {
    f64::from(u32::try_from(units).unwrap_or(u32::MAX)) / 1000.0
}

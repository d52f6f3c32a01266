//! "Still true": a person's word that a memory holds. Its age starts again, its text stays.

use crate::memory::Time;
use crate::memory::edit;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::review::edit::{changed, find, named, refusal};
use crate::review::plan::{Plan, Refusal, Verb};
use std::collections::{HashMap, HashSet};

/// Renews `modified` and `updatedAt` of some memories where they stand, else only the file's time.
///
/// # Errors
/// When one of them is not there, is a link, or its date can't be renewed safely.
pub fn affirm(snapshot: &Snapshot, paths: &[RelPath], now: Time) -> Result<Plan, Refusal> {
    // Thousands may be marked.
    let by_path: HashMap<_, _> = snapshot.memories.iter().map(|memory| (&memory.path, memory)).collect();
    let mut seen = HashSet::new();
    let mut changes = Vec::new();
    let mut names = Vec::new();
    for path in paths.iter().filter(|path| seen.insert(*path)) {
        let memory = match by_path.get(path) {
            Some(memory) if memory.stat.link.is_none() => memory,
            _ => find(snapshot, path)?,
        };
        let bytes = edit::renew(&memory.bytes, now).map_err(|why| refusal(memory, &why))?;
        changes.push(changed(memory, bytes, Some(now)));
        names.push(named(memory));
    }
    let what = match names.as_slice() {
        [] => {
            return Err(Refusal {
                what: "no memory was named, so nothing was changed".into(),
                hint: String::new(),
            });
        }
        [one] => one.clone(),
        many => format!("{} memories", many.len()),
    };
    let message = format!("said that {what} still {}", if names.len() == 1 { "holds" } else { "hold" });
    Ok(Plan { verb: Verb::Affirm, message, changes, outside: Vec::new(), parked: None, warnings: Vec::new() })
}

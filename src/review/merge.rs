//! Several memories become one: one keeps its file, the others go, the index and the links follow.

mod body;

pub use body::{composed, with_body};

use crate::memory::Time;
use crate::memory::document::Document;
use crate::memory::index::{self, Index, NewEntry, ParkedLine};
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Snapshot};
use crate::review::edit::{corrected, find, named, state, substance};
use crate::review::plan::{Change, ParkedChange, Plan, Refusal, Verb};
use crate::review::prune::{self, entries_of, index_of, kinds};
use crate::review::relink::{self, Move};
use crate::review::rename::{not_the_index, sorted};
use crate::review::warn;
use std::collections::HashMap;
use std::sync::Arc;

/// Merges `others` into `keep`, which gets the bytes `merged`. That is a change of substance; links to the
/// others lead to `keep` then (corrections), their index lines go, and `keep` gets one when only they had one.
///
/// # Errors
/// When one of them is not in the store, there is nothing to merge, or the index could not be edited safely.
pub fn merge(
    snapshot: &Snapshot,
    parked: &[ParkedLine],
    keep: &RelPath,
    others: &[RelPath],
    merged: &[u8],
    now: Time,
) -> Result<Plan, Refusal> {
    let kept = find(snapshot, keep)?;
    let going: Vec<RelPath> = others.iter().filter(|path| *path != keep).cloned().collect();
    if going.is_empty() {
        return Err(Refusal {
            what: format!("{}: there is no other memory to merge into it", named(kept)),
            hint: "mark two or more".into(),
        });
    }
    let going = prune::chosen(snapshot, &going)?;
    let gone: Vec<&Arc<Memory>> = going.iter().filter_map(|at| snapshot.memories.get(*at)).collect();
    let kept_at = snapshot.memories.iter().position(|memory| memory.path == *keep).unwrap_or_default();
    let header = Document::parse(merged).header;
    let name = header.name.as_deref().map(str::to_owned);
    let to = |from| Move { from, path: keep.clone(), name: name.clone() };
    let moves: Vec<Move<'_>> = gone.iter().map(|memory| to(memory)).collect();

    let with_text = relink::with(snapshot, &HashMap::from([(kept_at, merged.to_vec())]), &HashMap::new());
    let mut relinked = relink::bodies(&with_text, &moves);
    relinked.bytes.retain(|at, _| !going.contains(at));
    let own = relinked.bytes.remove(&kept_at).unwrap_or_else(|| merged.to_vec());
    let mut warnings = std::mem::take(&mut relinked.warnings);
    let mut changes: Vec<Change> = Vec::new();
    if *own != *kept.bytes {
        changes.push(substance(kept, &own, now, &mut warnings));
    }
    for (at, bytes) in sorted(&relinked.bytes) {
        changes.extend(snapshot.memories.get(at).map(|other| corrected(other, bytes.clone())));
    }
    changes.extend(gone.iter().map(|memory| Change {
        path: memory.path.clone(),
        before: Some(state(memory)),
        after: None,
    }));
    let stem = kept.path.stem();
    let line = NewEntry {
        path: keep,
        title: name.as_deref().unwrap_or(&stem),
        hook: header.description.as_deref().unwrap_or_default(),
        kind: &header.kind,
        verbatim: None,
    };
    let is_parked = parked.iter().any(|line| line.path == keep.to_str_lossy());
    if let Some((file, read, resolution)) = index_of(snapshot)? {
        not_the_index(&file, &changes)?;
        let entries = entries_of(&resolution, &going);
        if !entries.is_empty() {
            let removed = index::remove(&file.bytes, read, &entries);
            warnings.extend(warn::in_sentences(snapshot, &resolution, &removed));
            let orphan = entries_of(&resolution, &[kept_at]).is_empty() && !is_parked;
            let bytes = if orphan { with_line(snapshot, &removed.bytes, &line)? } else { removed.bytes };
            changes.extend(file.change(bytes));
        }
    }
    relinked.bytes.insert(kept_at, own);
    let paths: HashMap<usize, Option<RelPath>> = going.iter().map(|at| (*at, None)).collect();
    let after = relink::with(snapshot, &relinked.bytes, &paths);
    warnings.extend(relink::surprises(snapshot, &after, &moves));
    let parked = ParkedChange::without(parked, |line| {
        gone.iter().any(|memory| memory.path.to_str_lossy() == line.path)
    });
    let names: Vec<String> = gone.iter().map(|memory| named(memory)).collect();
    let what = match names.as_slice() {
        [one] => one.clone(),
        many => format!("{} memories", many.len()),
    };
    Ok(Plan {
        verb: Verb::Merge,
        message: format!("merged {what} into {}", named(kept)),
        changes,
        outside: Vec::new(),
        parked,
        warnings,
    })
}

/// The index with one more line.
pub(super) fn with_line(snapshot: &Snapshot, bytes: &[u8], line: &NewEntry<'_>) -> Result<Vec<u8>, Refusal> {
    let added = index::insert(bytes, std::slice::from_ref(line), &|index| kinds(snapshot, index));
    added.filter(|bytes| !Index::parse(bytes).entries.is_empty()).ok_or_else(|| Refusal {
        what: "MEMORY.md: found no place where a new line would be read as an entry; nothing was changed"
            .into(),
        hint: "look whether a code block or a comment in MEMORY.md is never closed".into(),
    })
}

#[cfg(test)]
mod tests;

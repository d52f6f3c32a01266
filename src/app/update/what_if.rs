//! What deleting or parking what is marked would do to the index: worked out when the marks change.

use crate::app::contents::Contents;
use crate::app::model::{Model, Screen, WhatIf};
use crate::memory::index;
use crate::memory::path::RelPath;
use crate::review::index_state::IndexState;
use std::collections::{BTreeSet, HashSet};

/// An index of more bytes is not tried at every key (figures: docs/PREVIEW.md): the question before a deletion and the
/// repairs tell all the same.
const MAX_BYTES: usize = 256 * 1024;

/// Follows the marks.
pub(super) fn follow(model: &mut Model) {
    if model.screen != Screen::Memories {
        return;
    }
    let Some(open) = model.open_mut() else { return };
    let marked = if open.has_marks() { open.marked() } else { BTreeSet::new() };
    let is_same = match &open.what_if {
        Some(known) => known.marked == marked,
        None => marked.is_empty(),
    };
    if !is_same {
        let after = without(&open.contents, &marked);
        open.what_if = (!marked.is_empty()).then_some(WhatIf { marked, after });
    }
}

/// The index without the lines of some memories; `None` when no line would go.
#[must_use]
pub fn without(contents: &Contents, marked: &BTreeSet<RelPath>) -> Option<IndexState> {
    let snapshot = &contents.snapshot;
    let file = snapshot.index.as_ref().filter(|file| file.bytes.len() <= MAX_BYTES)?;
    let resolution = file.index.resolve(snapshot);
    let going: HashSet<usize> = snapshot
        .memories
        .iter()
        .enumerate()
        .filter(|(_, memory)| marked.contains(&memory.path))
        .map(|(at, _)| at)
        .collect();
    let entries: Vec<usize> = resolution
        .memory_of
        .iter()
        .enumerate()
        .filter(|(_, memory)| memory.is_some_and(|memory| going.contains(&memory)))
        .map(|(entry, _)| entry)
        .collect();
    let removed = (!entries.is_empty()).then(|| index::remove(&file.bytes, &file.index, &entries))?;
    Some(IndexState::of(snapshot, &removed.bytes))
}

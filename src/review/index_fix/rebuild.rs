//! An index that is written anew: a heading for each type, a line for each memory, the newest first.

use super::{Work, no_place, orphans, with_lines};
use crate::memory::age;
use crate::memory::document::MemoryType;
use crate::memory::index::{Index, line_end, mention_of};
use crate::memory::path::RelPath;
use crate::memory::snapshot::Memory;
use crate::review::plan::Refusal;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

impl Work<'_> {
    /// Writes the index anew: what it names now, and the orphans. What is parked or listed by an archive stays out.
    pub(super) fn rebuild(&mut self) -> Result<(), Refusal> {
        let index = Index::parse(&self.bytes);
        let resolution = index.resolve(&self.snapshot);
        let named = resolution.memory_of.iter().flatten();
        let mut wanted: HashSet<_> = named
            .filter_map(|at| self.snapshot.memories.get(*at))
            .map(|memory| memory.path.clone())
            .collect();
        wanted.extend(orphans(&self.snapshot, self.parked, self.now));
        // A memory that is mentioned without a link would be lost with the mention.
        let is_parked = |path: &RelPath| self.parked.iter().any(|line| line.path == path.to_str_lossy());
        let mentioned = |memory: &&Arc<Memory>| {
            !is_parked(&memory.path) && mention_of(&self.bytes, &index, &memory.path).is_some()
        };
        wanted.extend(self.snapshot.memories.iter().filter(mentioned).map(|memory| memory.path.clone()));
        let mut memories: Vec<&Arc<Memory>> =
            self.snapshot.memories.iter().filter(|memory| wanted.contains(&memory.path)).collect();
        if memories.is_empty() {
            return Ok(());
        }
        memories.sort_by_key(|memory| Reverse(age::age(memory, self.now).since));
        let kinds: BTreeSet<&MemoryType> =
            memories.iter().map(|memory| &memory.document.header.kind).collect();
        let mut text = String::from("# Memories\n");
        // What has no type stands first, below no heading of another one.
        let untyped = kinds.iter().copied().filter(|kind| **kind == MemoryType::Missing);
        for kind in untyped.chain(kinds.iter().copied().filter(|kind| **kind != MemoryType::Missing)) {
            let own: Vec<&Arc<Memory>> =
                memories.iter().copied().filter(|memory| memory.document.header.kind == *kind).collect();
            let lines =
                with_lines(b"", &own, &|index| vec![None; index.entries.len()]).ok_or_else(no_place)?;
            if *kind != MemoryType::Missing {
                text.push_str(&format!("\n## {}\n", heading(kind)));
            }
            text.push_str(&format!("\n{}", String::from_utf8_lossy(&lines)));
        }
        let bytes = text.replace('\n', line_end(&self.bytes)).into_bytes();
        let reads = Index::parse(&bytes).resolve(&self.snapshot).memory_of;
        let found: HashSet<usize> = reads.into_iter().flatten().collect();
        if found.len() != memories.len() {
            return Err(no_place());
        }
        let held: BTreeSet<usize> = index.entries.iter().flat_map(|entry| entry.item.clone()).collect();
        let blank = |line: &std::ops::Range<usize>| {
            self.bytes.get(line.clone()).unwrap_or_default().iter().all(u8::is_ascii_whitespace)
        };
        let others =
            index.lines.iter().enumerate().filter(|(at, line)| !held.contains(at) && !blank(line)).count();
        if others > 0 {
            let note =
                format!("{} of the old index that name no memory are not taken over", super::lines(others));
            self.notes.push(note);
        }
        let step = format!("written anew with {}", super::lines(memories.len()));
        self.take(bytes, step);
        Ok(())
    }
}

/// A type as a heading, on one line.
fn heading(kind: &MemoryType) -> String {
    kind.as_str().split_whitespace().collect::<Vec<_>>().join(" ").replace('#', "")
}

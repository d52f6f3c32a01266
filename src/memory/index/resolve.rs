//! Which entry of an index names which memory.

use crate::memory::index::{Index, Target};
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use std::collections::HashMap;
use std::os::unix::ffi::OsStrExt;

/// Which entry names which memory, both ways.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resolution {
    /// For each entry, the memory it names (a position in the snapshot); `None`: it dangles.
    pub memory_of: Vec<Option<usize>>,
    /// For each memory, the entries that name it, in the order of the index; none: an orphan.
    pub entries_of: Vec<Vec<usize>>,
}

impl Index {
    /// Resolves every entry against the memories of a store, in one pass over each.
    ///
    /// A path is matched exactly. A wikilink is matched, letter case and `_ -` aside, with a memory's path
    /// without `.md`, its stem, then its name; the first memory in the snapshot's order wins.
    #[must_use]
    pub fn resolve(&self, snapshot: &Snapshot) -> Resolution {
        let paths: HashMap<&RelPath, usize> =
            snapshot.memories.iter().enumerate().map(|(at, memory)| (&memory.path, at)).collect();
        let wiki = self.entries.iter().any(|entry| matches!(entry.target, Target::Name(_)));
        let names = if wiki { by_name(snapshot) } else { HashMap::new() };
        let memory_of: Vec<Option<usize>> = self
            .entries
            .iter()
            .map(|entry| match &entry.target {
                Target::File(path) => paths.get(path).copied(),
                Target::Name(name) => names.get(&key(name)).copied(),
            })
            .collect();
        let mut entries_of = vec![Vec::new(); snapshot.memories.len()];
        for (entry, memory) in memory_of.iter().enumerate() {
            if let Some(entries) = memory.and_then(|memory| entries_of.get_mut(memory)) {
                entries.push(entry);
            }
        }
        Resolution { memory_of, entries_of }
    }
}

/// The first line of an index (from 0) that names a file as plain text or code, without a link: to the client
/// that is no entry, but a memory named so is not unknown to who reads the index.
#[must_use]
pub fn mention_of(bytes: &[u8], index: &Index, path: &RelPath) -> Option<usize> {
    let name = path.as_path().file_name()?.as_bytes();
    let is_part = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || b"_-".contains(b));
    let found = memchr::memmem::find_iter(bytes, name).find(|&at| {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        !is_part(before) && !is_part(bytes.get(at + name.len()))
    })?;
    index.lines.partition_point(|line| line.start <= found).checked_sub(1)
}

fn by_name(snapshot: &Snapshot) -> HashMap<String, usize> {
    let mut names = HashMap::new();
    for (at, memory) in snapshot.memories.iter().enumerate() {
        for key in keys(&memory.path) {
            names.entry(key).or_insert(at);
        }
    }
    for (at, memory) in snapshot.memories.iter().enumerate() {
        if let Some(name) = &memory.document.header.name {
            names.entry(key(name)).or_insert(at);
        }
    }
    names
}

/// The keys by which a wikilink may name a file: its path, and its stem.
pub(super) fn keys(path: &RelPath) -> impl Iterator<Item = String> {
    [key(&path.to_str_lossy()), key(&path.stem())].into_iter()
}

/// A name as wikilinks are compared: without `.md`, case, and the difference between blank, `_` and `-`.
pub(super) fn key(name: &str) -> String {
    let name = name.trim();
    let name = name.strip_suffix(".md").unwrap_or(name);
    name.chars()
        .flat_map(char::to_lowercase)
        .map(|c| if c.is_whitespace() || c == '_' { '-' } else { c })
        .collect()
}

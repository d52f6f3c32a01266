//! Which entry of an index names which memory.

use crate::memory::index::{Index, Target};
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::memory::target::Names;
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
    /// A path is matched exactly, a wikilink like one in a memory at the store's root (letter case and more
    /// aside).
    #[must_use]
    pub fn resolve(&self, snapshot: &Snapshot) -> Resolution {
        let paths: HashMap<&RelPath, usize> =
            snapshot.memories.iter().enumerate().map(|(at, memory)| (&memory.path, at)).collect();
        let wiki = self.entries.iter().any(|entry| matches!(entry.target, Target::Name(_)));
        let names = wiki.then(|| Names::of(snapshot));
        let root = RelPath::index();
        let memory_of: Vec<Option<usize>> = self
            .entries
            .iter()
            .map(|entry| match &entry.target {
                Target::File(path) => paths.get(path).copied(),
                Target::Name(name) => names.as_ref()?.by_wikilink(name, &root),
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

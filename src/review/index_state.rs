//! How much of an index loads, and which memories are lost: before an edit of it, and after. By the rules of the
//! reference version (CLIENT_FACTS B2, B3).

use crate::memory::index::Index;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::prompt::limits::{Fate, Loaded, MAX_LINES, MAX_UNITS, load};

/// An index against its limits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexState {
    /// Lines that count (after frontmatter, comments and blanks are off).
    pub lines: usize,
    /// UTF-16 units that count.
    pub units: usize,
    /// Lines that load.
    pub kept_lines: usize,
    /// UTF-16 units that load.
    pub kept_units: usize,
    /// The limit of lines is exceeded.
    pub over_lines: bool,
    /// The limit of size is exceeded, or the file is so large that nothing loads.
    pub over_size: bool,
    /// The memories that only lines below the cut name, in the order of the snapshot.
    pub not_seen: Vec<RelPath>,
}

impl IndexState {
    /// The state of an index with these bytes in a store with these memories.
    #[must_use]
    pub fn of(snapshot: &Snapshot, bytes: &[u8]) -> Self {
        let index = Index::parse(bytes);
        let resolution = index.resolve(snapshot);
        Self::with(snapshot, &index, &resolution.entries_of, &load(bytes))
    }

    /// The same where the index was read already. `entries_of` gives the entries that name each memory.
    #[must_use]
    pub fn with(snapshot: &Snapshot, index: &Index, entries_of: &[Vec<usize>], loaded: &Loaded) -> Self {
        let loads = |entry: &usize| {
            let line = index.entries.get(*entry).map(|entry| entry.line);
            line.and_then(|line| loaded.fate.get(line)) == Some(&Fate::Loads)
        };
        let named = snapshot.memories.iter().zip(entries_of);
        let lost = named.filter(|(_, entries)| !entries.is_empty() && !entries.iter().any(loads));
        Self {
            lines: loaded.lines,
            units: loaded.units,
            kept_lines: loaded.kept_lines,
            kept_units: loaded.kept_units,
            over_lines: loaded.over_lines,
            over_size: loaded.over_size || loaded.too_large,
            not_seen: lost.map(|(memory, _)| memory.path.clone()).collect(),
        }
    }

    /// Everything loads.
    #[must_use]
    pub fn fits(&self) -> bool {
        !self.over_lines && !self.over_size
    }

    /// Lines and units that are still free.
    #[must_use]
    pub fn headroom(&self) -> (usize, usize) {
        (MAX_LINES.saturating_sub(self.lines), MAX_UNITS.saturating_sub(self.units))
    }

    /// In words: `81/200 lines, 16.3k/25.0k`, and what is not seen.
    #[must_use]
    pub fn words(&self) -> String {
        let sign = |over: bool| if over { " ▲" } else { "" };
        let mut words = format!(
            "{}/{MAX_LINES} lines{}, {}/{}{}",
            self.lines,
            sign(self.over_lines),
            thousands(self.units),
            thousands(MAX_UNITS),
            sign(self.over_size)
        );
        match self.not_seen.len() {
            0 => {}
            1 => words.push_str(", 1 memory not seen"),
            many => words.push_str(&format!(", {many} memories not seen")),
        }
        words
    }
}

/// Thousands with one decimal: `16.3k`; below a thousand the number.
#[must_use]
pub fn thousands(number: usize) -> String {
    if number < 1000 {
        return number.to_string();
    }
    let tenths = (number + 50) / 100;
    format!("{}.{}k", tenths / 10, tenths % 10)
}

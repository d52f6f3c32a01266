//! The index `MEMORY.md`: its entries as real ones are, and edits that change one line and nothing else.

use crate::memory::path::RelPath;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What was read from the bytes of an index. Holds ranges and values, not the bytes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Index {
    /// The physical lines, in order: byte ranges without their line ends.
    pub lines: Vec<Range<usize>>,
    /// Every link to a memory, in the order of the file.
    pub entries: Vec<Entry>,
}

/// One link of the index to a memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// What it links to.
    pub target: Target,
    /// The text of the link (a wikilink's own text).
    pub title: String,
    /// What stands behind the link on its line, without the separator; empty when nothing does.
    pub hook: String,
    /// The physical line where the link stands, from 0.
    pub line: usize,
    /// All physical lines of the item that holds it (a wrapped item has several), from 0.
    pub item: Range<usize>,
    /// The bytes of the link itself.
    pub link: Range<usize>,
    /// Whether it is the only link to a memory in its item, so that the item goes when the memory goes.
    pub alone: bool,
    /// The heading above it, when there is one, as found (without the `#`).
    pub section: Option<String>,
}

/// What an entry links to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A path in the store, percent-decoded, without fragment.
    File(RelPath),
    /// A wikilink: a memory's name or stem, matched by [`Index::entries_of`].
    Name(String),
}

impl Index {
    /// Reads an index. Never fails.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Self {
        let _ = bytes;
        Self::default()
    }
}

/// An index line that was taken out while its file stayed: what is needed to put it back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParkedLine {
    /// The memory it names, as text.
    pub path: String,
    /// The line or lines as they stood, without the last line end.
    pub text: String,
    /// The heading above it.
    pub section: Option<String>,
    /// The line before it and the line after it, as anchors for putting it back.
    pub before: Option<String>,
    /// See `before`.
    pub after: Option<String>,
}

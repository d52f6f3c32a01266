//! The index `MEMORY.md`: its entries as real ones are, and edits that change one line and nothing else.
//!
//! Markdown decides what is a link (fences, code spans, comments and frontmatter hold none); the physical
//! lines decide what an edit takes. A line ends at LF (a CR before it belongs to the line end), as the client
//! counts; in a file without any LF it ends at a lone CR, so that such a file can be pruned too.

pub mod edit;
pub mod insert;
mod items;
mod links;
pub mod put_back;
pub mod resolve;
mod source;
mod style;

pub use edit::{Removed, Taken, remove};
pub use insert::{NewEntry, Site, insert};
pub use put_back::put_back;
pub use resolve::{Resolution, mention_of};
pub use source::{Line, frontmatter, line_end, lines, split};
pub use style::{LINE_UNITS, shorten};

use crate::memory::path::RelPath;
use crate::memory::target;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What was read from the bytes of an index. Holds ranges and values, not the bytes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Index {
    /// The physical lines, in order: byte ranges without their line ends.
    pub lines: Vec<Range<usize>>,
    /// Every link to a memory, in the order of the file.
    pub entries: Vec<Entry>,
    /// The headings (ATX and setext), in the order of the file.
    pub sections: Vec<Section>,
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
    /// The bytes of the link's text, as written.
    pub text: Range<usize>,
    /// How it stands there.
    pub place: Place,
    /// Whether it is the only link to a memory in its item and the item is about it, so that the item goes
    /// when the memory goes.
    pub alone: bool,
    /// The heading above it, when there is one, as found (without the `#`).
    pub section: Option<String>,
}

/// How an entry stands in its item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// At the head of a list item.
    Item,
    /// At the head of a line in a list without bullets.
    Line,
    /// In a row of a table.
    Row,
    /// In a sentence, in a heading, or behind another link: the item is not about it.
    Prose,
}

/// One heading of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its text as found, without the `#`.
    pub title: String,
    /// The physical lines of the heading itself, from 0 (a setext heading has two or more).
    pub heading: Range<usize>,
    /// The physical lines below it, up to the next heading of any level.
    pub body: Range<usize>,
}

/// What an entry links to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A path in the store, percent-decoded, without fragment and query.
    File(RelPath),
    /// A wikilink: a memory's name or stem, matched by [`Index::resolve`], perhaps with a part of it (`#…`).
    Name(String),
}

impl Target {
    /// What a link's destination names: a Markdown file inside the store that is not the index.
    fn of_destination(destination: &str) -> Option<Self> {
        let path = RelPath::new(target::of_destination(destination)?)?;
        (!path.is_index()).then_some(Self::File(path))
    }

    /// What a wikilink names: anything but the index.
    fn of_wikilink(inside: &str) -> Option<Self> {
        let name = target::of_wikilink(inside).filter(|name| !target::is_index(name))?;
        Some(Self::Name(name.to_owned()))
    }
}

impl Index {
    /// Reads an index. Never fails.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Self {
        let source = source::Source::new(bytes);
        let found = links::find(&source);
        let sections = items::sections(&source, &found);
        let entries = items::entries(&source, &found, &sections);
        Self { lines: source.lines, entries, sections }
    }

    /// The entries (positions in [`Index::entries`]) that name a memory: by path, or by a wikilink to its
    /// name or stem. For a whole store, [`Index::resolve`] is faster.
    #[must_use]
    pub fn entries_of(&self, path: &RelPath, name: Option<&str>) -> Vec<usize> {
        let names = |entry: &Entry| match &entry.target {
            Target::File(file) => file == path,
            Target::Name(link) => target::may_mean(path, name, link),
        };
        self.entries.iter().enumerate().filter(|(_, entry)| names(entry)).map(|(at, _)| at).collect()
    }

    /// The section that holds a physical line (a heading's own lines belong to its section).
    #[must_use]
    pub fn section_of_line(&self, line: usize) -> Option<&Section> {
        let after = self.sections.partition_point(|section| section.heading.start <= line);
        after.checked_sub(1).and_then(|at| self.sections.get(at))
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
    /// What stands in its place since, when the line held more than this entry: the line without the link.
    #[serde(default)]
    pub instead: Option<String>,
    /// The line where it goes back when nothing else has changed, from 0.
    #[serde(default)]
    pub line: usize,
    /// The line end that stood behind it (empty: it was the last line and had none).
    #[serde(default = "line_feed")]
    pub end: String,
}

fn line_feed() -> String {
    "\n".into()
}

#[cfg(test)]
mod tests;

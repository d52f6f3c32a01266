//! Byte-exact edits of one memory: a field or a part of the body gets a new text, and no other byte changes.
//!
//! Frontmatter is never written by a serializer. An edit finds the bytes of one value ([`fields`]), writes the
//! new text in the style that stands there, reads the whole again and refuses when any other field or the body
//! would come out different, or when the text doesn't read back. So the rules of quoting need not be proved
//! right for every YAML reader: what this one reads is checked each time, and the rest errs towards quotes.

mod parts;
mod raw;
mod repair;
mod scalar;
mod scan;
mod set;
mod stamp;
mod verify;

pub use parts::{PartRef, add_part, part_text, part_texts, set_part};
pub use raw::{raw_text, set_raw};
pub use repair::{repair_all, repair_broken, repair_field, repairable};
pub use set::{remove_field, set_field};
pub use stamp::renew;

use crate::memory::document::Document;
use std::ops::Range;

/// Where a key stands in the frontmatter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// At the top level.
    Top,
    /// Under `metadata`, where the newer clients write (CLIENT_FACTS D5).
    Metadata,
}

/// One key of the frontmatter and where its value is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldSpan {
    /// Where the key stands.
    pub place: Place,
    /// The key, without quotes.
    pub key: String,
    /// The value as text: what YAML reads of a text, and what stands there for numbers, dates, true and false,
    /// lists and values that YAML can't read.
    pub text: String,
    /// How the value is written.
    pub style: Style,
    /// The bytes of the value as written: with its quotes, a block scalar with its header line; without
    /// comments, without the last line end. Empty (a place) when there is no value.
    pub value: Range<usize>,
    /// All lines of the key, its value and the comment beside it, with their line ends.
    pub lines: Range<usize>,
    /// The indentation of the key, in bytes.
    pub indent: usize,
}

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Nothing stands there.
    Empty,
    /// Without quotes, on one line or several.
    Plain,
    /// In single quotes.
    Single,
    /// In double quotes.
    Double,
    /// A block scalar `|`.
    Literal,
    /// A block scalar `>`.
    Folded,
    /// A list or mapping in brackets.
    Flow,
    /// A list or mapping on lines of its own.
    Nested,
    /// An anchor, alias or tag: left to the raw editor.
    Other,
}

/// Why an edit is not made; the bytes stay as they are. The raw editor can still make it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Refused {
    /// The reason, in words; holds no text of the memory.
    pub why: String,
}

impl Refused {
    fn new(why: impl Into<String>) -> Self {
        Self { why: why.into() }
    }
}

/// Every key of the frontmatter in the order of the file, top level and under `metadata`; found line by line,
/// so that broken YAML has its fields too. Empty when there is no frontmatter.
#[must_use]
pub fn fields(bytes: &[u8]) -> Vec<FieldSpan> {
    match Document::parse(bytes).frontmatter {
        Some(block) => scan::scan(bytes, block.yaml),
        None => Vec::new(),
    }
}

/// Where a key of this memory stands or would go: where it is; else name and description at the top, others under
/// `metadata` when the memory has one.
#[must_use]
pub fn place_of(bytes: &[u8], key: &str) -> Place {
    let found = fields(bytes);
    let at = |place, key: &str| found.iter().any(|f| f.place == place && f.key == key);
    let nested =
        found.iter().any(|f| f.place == Place::Top && f.key == "metadata" && f.style == Style::Nested);
    let top = at(Place::Top, key) || matches!(key, "name" | "description");
    if !top && (at(Place::Metadata, key) || nested) { Place::Metadata } else { Place::Top }
}

/// The line end that the file uses most (the first of equals), LF when it has none.
#[must_use]
pub fn line_end(bytes: &[u8]) -> &'static str {
    let (mut lf, mut crlf, mut cr) = (0usize, 0usize, 0usize);
    let mut rest = bytes;
    while let Some(at) = memchr::memchr2(b'\n', b'\r', rest) {
        let (_, tail) = rest.split_at(at);
        match tail {
            [b'\r', b'\n', ..] => crlf += 1,
            [b'\n', ..] => lf += 1,
            _ => cr += 1,
        }
        let used = if tail.starts_with(b"\r\n") { 2 } else { 1 };
        rest = tail.get(used..).unwrap_or_default();
    }
    match lf.max(crlf).max(cr) {
        0 => "\n",
        most if most == lf => "\n",
        most if most == crlf => "\r\n",
        _ => "\r",
    }
}

/// `bytes` with one range replaced.
fn splice(bytes: &[u8], range: &Range<usize>, new: &[u8]) -> Vec<u8> {
    let head = bytes.get(..range.start).unwrap_or_default();
    let tail = bytes.get(range.end..).unwrap_or_default();
    [head, new, tail].concat()
}

#[cfg(test)]
mod tests;

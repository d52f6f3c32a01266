//! One memory file: where its frontmatter and body are, and what the header says.
//!
//! A [`Document`] holds ranges and values, not the bytes: they stay with the [`Memory`], so that
//! what was not edited can't change.
//!
//! [`Memory`]: crate::memory::snapshot::Memory

use crate::memory::Time;
use crate::memory::frontmatter::{self, Place};
use crate::memory::lines::line_of;
use crate::memory::text::lossy;
use std::ops::Range;

/// What was read from the bytes of one memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// How the bytes decode.
    pub encoding: Encoding,
    /// Where the frontmatter is, when there is one (offset 0, or just after a BOM).
    pub frontmatter: Option<Block>,
    /// The body: everything after the frontmatter, to the end (byte range).
    pub body: Range<usize>,
    /// What the frontmatter says, read by YAML or, where that fails, by the lenient line reader.
    pub header: Header,
    /// What is wrong with the form, in the order found.
    pub faults: Vec<Fault>,
}

/// How the bytes of a file decode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Valid UTF-8 without a byte order mark.
    Utf8,
    /// Valid UTF-8 after a byte order mark.
    Utf8Bom,
    /// Not UTF-8: the byte offset of the first bad byte.
    Invalid(usize),
}

/// The byte ranges of a frontmatter block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// From the opening `---` to behind the closing one and its line end.
    pub whole: Range<usize>,
    /// The YAML between the two.
    pub yaml: Range<usize>,
    /// How it was read.
    pub reading: Reading,
}

/// How a frontmatter block was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// It is valid YAML.
    Yaml,
    /// It is not valid YAML; values come from the lenient line reader.
    Lenient,
}

/// What a memory's frontmatter says. Absent and empty are different: an empty value is `Some("")`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Header {
    /// `name`.
    pub name: Option<Box<str>>,
    /// `description`, line breaks as found in the value.
    pub description: Option<Box<str>>,
    /// `type`, top level or under `metadata`.
    pub kind: MemoryType,
    /// `modified`, top level or under `metadata` (the client writes the latter, from 2.1.332 on).
    pub modified: Option<Time>,
    /// `updatedAt`, top level or under `metadata`.
    pub updated_at: Option<Time>,
    /// `originSessionId`, top level or under `metadata`.
    pub origin_session: Option<Box<str>>,
    /// The keys beyond those above, as found (`tags`, `metadata.node_type`, …), with their values as
    /// one line of text, in the file's order.
    pub others: Vec<(Box<str>, Box<str>)>,
}

/// The type of a memory.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemoryType {
    /// About the person.
    User,
    /// How the person wants things done.
    Feedback,
    /// About the project.
    Project,
    /// Where something is found.
    Reference,
    /// A type outside the four, as found.
    Other(Box<str>),
    /// No type is given.
    #[default]
    Missing,
}

/// One fault of form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What kind of fault.
    pub kind: FaultKind,
    /// The line where it stands, from 1.
    pub line: usize,
    /// In words, for a person (never holds raw text of the memory).
    pub message: String,
}

/// The kinds of faults that parsing notices; `check` turns them into findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The frontmatter is not valid YAML, or is never closed.
    FrontmatterInvalid,
    /// A value that YAML cuts at ` #` or reads as something other than the text written there.
    FrontmatterLossy,
    /// The frontmatter was wiped by the client's own rewriting (`name: ""` and leftovers).
    FrontmatterWiped,
    /// The bytes are not UTF-8.
    Encoding,
}

impl MemoryType {
    /// The type for a value of `type`: the four are recognised whatever their case and blanks around.
    #[must_use]
    pub fn from_value(value: &str) -> Self {
        let value = value.trim();
        match value.to_ascii_lowercase().as_str() {
            "user" => Self::User,
            "feedback" => Self::Feedback,
            "project" => Self::Project,
            "reference" => Self::Reference,
            "" => Self::Missing,
            _ => Self::Other(value.into()),
        }
    }

    /// The word for it; a type outside the four as found, none as `"none"`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::User => "user",
            Self::Feedback => "feedback",
            Self::Project => "project",
            Self::Reference => "reference",
            Self::Other(other) => other,
            Self::Missing => "none",
        }
    }
}

impl Document {
    /// Reads one memory. Never fails.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Self {
        let mut faults = Vec::new();
        let start = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
        let encoding = match std::str::from_utf8(bytes) {
            Ok(_) if start > 0 => Encoding::Utf8Bom,
            Ok(_) => Encoding::Utf8,
            Err(error) => Encoding::Invalid(error.valid_up_to()),
        };
        if let Encoding::Invalid(at) = encoding {
            let message =
                "bytes that are not UTF-8: they are shown as \u{fffd}, and the client reads them so too";
            faults.push(Fault {
                kind: FaultKind::Encoding,
                line: line_of(bytes, at),
                message: message.into(),
            });
        }
        let mut document =
            Self { encoding, frontmatter: None, body: start..bytes.len(), header: Header::default(), faults };
        match frontmatter::find(bytes, start) {
            Place::None => {}
            Place::Unterminated => document.unterminated(bytes, start),
            Place::Block { whole, yaml } => document.block(bytes, whole, yaml),
        }
        document
    }

    /// The file in three parts that make it up exactly: byte order mark, frontmatter with its fences, body.
    #[must_use]
    pub fn parts<'a>(&self, bytes: &'a [u8]) -> [&'a [u8]; 3] {
        let whole = self.frontmatter.as_ref().map_or(self.body.start..self.body.start, |b| b.whole.clone());
        [0..whole.start, whole, self.body.clone()].map(|range| bytes.get(range).unwrap_or_default())
    }

    fn block(&mut self, bytes: &[u8], whole: Range<usize>, yaml: Range<usize>) {
        let raw = bytes.get(yaml.clone()).unwrap_or_default();
        let read = frontmatter::read(&lossy(raw));
        self.faults.extend(read.faults);
        if let Some(at) = frontmatter::client_end(raw) {
            self.faults.push(Fault {
                kind: FaultKind::FrontmatterLossy,
                line: line_of(bytes, yaml.start + at),
                message: "the client ends the frontmatter at the first `---`, here inside a value; the rest \
                          reads as part of the body"
                    .into(),
            });
        }
        if self.encoding == Encoding::Utf8Bom {
            self.faults.push(Fault {
                kind: FaultKind::Encoding,
                line: 1,
                message: "a byte order mark stands before the frontmatter: some versions of the client then \
                          don't recognise it"
                    .into(),
            });
        }
        self.body = whole.end..bytes.len();
        self.header = read.header;
        self.frontmatter = Some(Block { whole, yaml, reading: read.reading });
    }

    fn unterminated(&mut self, bytes: &[u8], start: usize) {
        let rest = bytes.get(start + FENCE..).unwrap_or_default();
        let (line, message) = match frontmatter::client_end(rest) {
            Some(at) => (
                line_of(bytes, start + FENCE + at),
                "the frontmatter is not closed by a line `---`; the client ends it at the first `---` anywhere, \
                 which is here",
            ),
            None => (1, "the frontmatter is opened with `---` and never closed; all of it reads as body"),
        };
        self.faults.push(Fault { kind: FaultKind::FrontmatterInvalid, line, message: message.into() });
    }
}

const BOM: &[u8] = b"\xEF\xBB\xBF";
/// The length of `---`.
const FENCE: usize = 3;

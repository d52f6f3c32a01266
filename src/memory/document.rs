//! One memory file: where its frontmatter and body are, and what the header says.
//!
//! A [`Document`] holds ranges and values, not the bytes: they stay with the [`Memory`], so that
//! what was not edited can't change.
//!
//! [`Memory`]: crate::memory::snapshot::Memory

use crate::memory::Time;
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
        Self {
            encoding: Encoding::Utf8,
            frontmatter: None,
            body: 0..bytes.len(),
            header: Header::default(),
            faults: Vec::new(),
        }
    }
}

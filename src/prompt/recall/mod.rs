//! Recall: which memories would be picked for a query, and why.
//!
//! A selector sees the headers alone ([`Candidate`]: file, name, description, type, age) and never a body. The pick comes
//! from the offline [`Ranker`], or from a model that is given the [`prompt`] and whose answer is validated ([`answer`]).
//! What would then be brought into the conversation is an [`injection`].

pub mod answer;
mod filter;
pub mod injection;
pub mod prompt;
mod ranker;
mod talk;
mod verdict;

#[cfg(test)]
mod tests;

pub use ranker::{Rank, Ranker};
pub use talk::is_talk;
pub use verdict::{Fate, Field, Match, Recall, Verdict};

use crate::memory::Time;
use crate::memory::age::{Age, age};
use crate::memory::document::MemoryType;
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Snapshot};
use std::collections::BTreeSet;

/// The most memories that are picked at once.
pub const MOST: usize = 5;

/// One memory as a selector sees it: its header. Texts are as found: show them through
/// [`one_line`](crate::memory::text::one_line), secrets masked.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The file.
    pub path: RelPath,
    /// `name`, when it is there and not blank.
    pub name: Option<Box<str>>,
    /// `description`, when it is there and not blank.
    pub description: Option<Box<str>>,
    /// The type.
    pub kind: MemoryType,
    /// The age; `None` for a file that can't be read.
    pub age: Option<Age>,
    /// Why the file can't be read, in words; it stands in the list all the same and is never picked.
    pub unreadable: Option<String>,
}

impl Candidate {
    /// A memory's header.
    #[must_use]
    pub fn of(memory: &Memory, now: Time) -> Self {
        let header = &memory.document.header;
        let said = |text: &Option<Box<str>>| text.as_ref().filter(|text| !text.trim().is_empty()).cloned();
        Self {
            path: memory.path.clone(),
            name: said(&header.name),
            description: said(&header.description),
            kind: header.kind.clone(),
            age: Some(age(memory, now)),
            unreadable: None,
        }
    }

    /// What it is called: its name, else the file's stem.
    #[must_use]
    pub fn title(&self) -> std::borrow::Cow<'_, str> {
        self.name.as_deref().map_or_else(|| self.path.stem(), std::borrow::Cow::Borrowed)
    }
}

/// Every memory of a store as a selector sees it, by path; the index is none. Files that can't be read stand among them.
#[must_use]
pub fn candidates(snapshot: &Snapshot, now: Time) -> Vec<Candidate> {
    let readable = snapshot.memories.iter().map(|memory| Candidate::of(memory, now));
    let unreadable = snapshot.unreadable.iter().filter(|file| !file.path.is_index()).map(|file| Candidate {
        path: file.path.clone(),
        name: None,
        description: None,
        kind: MemoryType::Missing,
        age: None,
        unreadable: Some(file.why.clone()),
    });
    let mut all: Vec<Candidate> = readable.chain(unreadable).collect();
    all.sort_by(|a, b| a.path.cmp(&b.path));
    all
}

/// What a pick is limited by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The most memories that are picked, from 1 to [`MOST`].
    pub most: usize,
    /// The files that this conversation was shown already: they are left out.
    pub shown: BTreeSet<RelPath>,
    /// The tools in recent use: reference material on them is left out, warnings about them are not.
    pub tools: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self { most: MOST, shown: BTreeSet::new(), tools: Vec::new() }
    }
}

impl Options {
    /// Why a candidate can't be picked, whatever the query; `None`: it can.
    #[must_use]
    pub fn leaves_out(&self, candidate: &Candidate) -> Option<Fate> {
        filter::leaves_out(self, candidate)
    }
}

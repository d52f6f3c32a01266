//! The Inbox screen: what waits, in groups, safest first, filtered, with the one under the cursor.

mod rows;
#[cfg(test)]
mod tests;
mod waits;

pub use rows::{Desk, Row, Split};
pub use waits::{Asked, Gated, Item, Key, Returned, Standing, Waits, What};

use crate::memory::path::RelPath;
use crate::review::changes::{Change, IndexLine, Kind};
use crate::review::plan::Content;
use crate::review::proposal::Proposal;
use std::sync::Arc;

/// What a person decides on what waits; a worker carries it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Approve proposals, each as a step of history; those marked are taken although the store is not as it was.
    Approve(Vec<(Arc<Proposal>, bool)>),
    /// Reject proposals, by their ids.
    Reject(Vec<String>),
    /// Let rejected ones wait again.
    TakeBack(Vec<String>),
    /// Give a proposal that waits other bytes, or make it one of another memory.
    Replace(Arc<Proposal>),
    /// Approve a proposal with these bytes of it.
    ApprovePart(Arc<Proposal>),
    /// Changes count as reviewed.
    Accept(Vec<Seen>),
    /// The reviewed versions of changed files come back.
    Restore(Vec<Seen>),
    /// A changed memory with these of its hunks; the others go back.
    Take(Box<Seen>, Vec<usize>),
    /// The review starts anew: nothing counts as reviewed, or everything as it is.
    Start {
        /// Nothing counts as reviewed.
        from_nothing: bool,
    },
}

/// A change as a person saw it: it is decided on only while it is the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// What was done.
    pub kind: Kind,
    /// The file.
    pub path: RelPath,
    /// As it was reviewed.
    pub old: Option<Content>,
    /// As it was.
    pub new: Option<Content>,
    /// The lines of the index that went with it.
    pub lines: Vec<IndexLine>,
}

impl Seen {
    /// A change as it is seen now.
    #[must_use]
    pub fn of(change: &Change) -> Self {
        let (kind, path) = (change.kind.clone(), change.path.clone());
        Self { kind, path, old: change.old.clone(), new: change.new.clone(), lines: change.lines.clone() }
    }

    /// Whether a change is still this one. Of the index its lines count: others may have been decided on meanwhile.
    #[must_use]
    pub fn is(&self, change: &Change) -> bool {
        (&self.kind, &self.path, &self.lines) == (&change.kind, &change.path, &change.lines)
            && (self.kind == Kind::Index || (&self.old, &self.new) == (&change.old, &change.new))
    }
}

impl Act {
    /// What is being done, in words.
    #[must_use]
    pub fn words(&self) -> &'static str {
        match self {
            Self::Approve(_) | Self::ApprovePart(_) => "approving …",
            Self::Reject(_) => "rejecting …",
            Self::TakeBack(_) => "taking back …",
            Self::Replace(_) => "changing the proposal …",
            Self::Accept(_) | Self::Take(..) => "accepting …",
            Self::Restore(_) => "restoring …",
            Self::Start { .. } => "starting the review …",
        }
    }

    /// What leaves the list with it.
    #[must_use]
    pub fn keys(&self) -> Vec<Key> {
        match self {
            Self::Approve(all) => all.iter().map(|(one, _)| Key::Proposal(one.id.clone())).collect(),
            Self::Reject(ids) => ids.iter().map(|id| Key::Proposal(id.clone())).collect(),
            Self::TakeBack(ids) => ids.iter().map(|id| Key::Rejected(id.clone())).collect(),
            Self::ApprovePart(one) => vec![Key::Proposal(one.id.clone())],
            Self::Accept(seen) | Self::Restore(seen) => {
                seen.iter().map(|seen| Key::Change(seen.path.clone())).collect()
            }
            Self::Take(seen, _) => vec![Key::Change(seen.path.clone())],
            Self::Replace(_) | Self::Start { .. } => Vec::new(),
        }
    }

    /// Whether it is a step of the store's history, which `undo` takes back.
    #[must_use]
    pub fn is_in_history(&self) -> bool {
        !matches!(self, Self::Reject(_) | Self::TakeBack(_) | Self::Replace(_))
    }
}

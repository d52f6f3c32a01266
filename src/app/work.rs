//! What is done on the disk for the screens, one job at a time, and why one failed.

use crate::app::inbox::Act;
use crate::app::order::Order;
use crate::check::Silence;
use crate::memory::path::RelPath;
use crate::review::edit::Kind;
use crate::review::fix::Replacement;
use crate::review::moving::{Transfer, Way};
use crate::review::plan::Plan;
use std::collections::VecDeque;
use std::sync::Arc;

/// Why something failed, for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What happened, to which file, what was left untouched.
    pub what: String,
    /// What to do next; may be empty.
    pub hint: String,
}

/// What is being done on the disk, one thing at a time.
#[derive(Debug, Default)]
pub struct Work {
    /// What is being done.
    pub running: Option<Job>,
    /// What waits for it.
    pub queue: VecDeque<Job>,
    /// The person wants to leave as soon as it is done.
    pub leaving: bool,
    /// Someone else changed the store meanwhile: it is read again afterwards.
    pub look_again: bool,
}

/// One operation on the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Job {
    /// Delete memories.
    Delete(Vec<RelPath>),
    /// Take them out of the index.
    Park(Vec<RelPath>),
    /// Put them back.
    Unpark(Vec<RelPath>),
    /// Repair the index as planned.
    Index(Box<Plan>),
    /// Undo the last operation.
    Undo,
    /// Redo what was undone last.
    Redo,
    /// Read the store again.
    Reload,
    /// Give a memory new bytes.
    Save(Box<Save>),
    /// A larger change, planned on the worker.
    Order(Box<Order>),
    /// Replace what findings are about.
    Fix(Vec<Replacement>),
    /// Silence findings of this store, or report them again; no file of the store changes.
    Hush {
        /// What is no longer silenced.
        remove: Vec<Silence>,
        /// What is silenced.
        add: Vec<Silence>,
        /// What this is, in words.
        words: String,
    },
    /// Silence a check for good, in the configuration.
    HushForGood(String),
    /// What a person decided on what waits.
    Inbox(Box<Act>),
    /// The model command may be asked. It writes nothing, and nothing waits for it.
    AskModel,
    /// Move or copy memories from one store to another, as planned.
    Move(Box<Transfer>),
}

/// New bytes for one memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Save {
    /// Which memory.
    pub path: RelPath,
    /// The file that was edited; `None`: it is gone, and is written again.
    pub base: Option<Arc<[u8]>>,
    /// The file as it becomes.
    pub bytes: Arc<[u8]>,
    /// What this does to its age.
    pub kind: Kind,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.what)?;
        if !self.hint.is_empty() {
            write!(f, "; {}", self.hint)?;
        }
        Ok(())
    }
}

impl From<crate::review::plan::Refusal> for Problem {
    fn from(refusal: crate::review::plan::Refusal) -> Self {
        Self { what: refusal.what, hint: refusal.hint }
    }
}

impl Job {
    /// What is being done, in words.
    #[must_use]
    pub fn words(&self) -> &'static str {
        match self {
            Self::Delete(_) => "deleting …",
            Self::Park(_) => "parking …",
            Self::Unpark(_) => "putting back …",
            Self::Index(_) => "repairing the index …",
            Self::Undo => "undoing …",
            Self::Redo => "redoing …",
            Self::Reload => "reading again …",
            Self::Save(_) => "saving …",
            Self::Order(order) => order.words(),
            Self::Fix(_) => "fixing …",
            Self::Hush { .. } | Self::HushForGood(_) => "silencing …",
            Self::Inbox(act) => act.words(),
            Self::AskModel => "asking the model …",
            Self::Move(transfer) if transfer.way == Way::Copy => "copying …",
            Self::Move(_) => "moving …",
        }
    }
}

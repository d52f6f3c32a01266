//! Larger changes, as "still true" and the small forms ask for them: they are planned on a worker, since they look through the whole store.

use crate::app::contents::Contents;
use crate::app::model::Problem;
use crate::memory::Time;
use crate::memory::path::RelPath;
use crate::review::affirm::affirm;
use crate::review::merge::{merge, with_body};
use crate::review::new::{Habit, NewMemory, new};
use crate::review::plan::{FileState, Plan, Refusal};
use crate::review::promote::{Target, promote, with_text};
use crate::review::rename::{NewName, rename};
use std::path::PathBuf;

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// A memory gets another name.
    Rename {
        /// Which memory.
        path: RelPath,
        /// Its new names.
        to: NewName,
    },
    /// A memory is written.
    New {
        /// What it says.
        memory: NewMemory,
        /// How the store writes its memories.
        habit: Habit,
    },
    /// Memories still hold.
    Affirm(Vec<RelPath>),
    /// Several memories become one.
    Merge {
        /// The one that stays.
        keep: RelPath,
        /// Those that go.
        others: Vec<RelPath>,
        /// Its new body.
        body: String,
    },
    /// A memory becomes part of the instructions.
    Promote {
        /// Which memory.
        path: RelPath,
        /// The file that its text is added to.
        target: Target,
        /// The text.
        text: String,
    },
}

/// A file outside as it is now: its real path and what it holds.
pub type Found = (PathBuf, Option<FileState>);

impl Order {
    /// The plan of it; `look` finds the file outside that a promotion writes.
    ///
    /// # Errors
    /// Why it can't be done; nothing is changed then.
    pub fn plan(
        &self,
        contents: &Contents,
        now: Time,
        look: impl FnOnce(&Target) -> Result<Found, Problem>,
    ) -> Result<Plan, Problem> {
        let (store, parked) = (&contents.snapshot, &contents.parked);
        let plan: Result<Plan, Refusal> = match self {
            Self::Rename { path, to } => rename(store, parked, path, to),
            Self::Affirm(paths) => affirm(store, paths, now),
            Self::New { memory, habit } => new(store, memory, now, habit),
            Self::Merge { keep, others, body } => {
                with_body(store, keep, body).and_then(|bytes| merge(store, parked, keep, others, &bytes, now))
            }
            Self::Promote { path, target, text } => {
                let (real, before) = look(target)?;
                promote(store, parked, path, with_text(&real, before, text, target.mode))
            }
        };
        Ok(plan?)
    }

    /// What is being done, in words.
    #[must_use]
    pub fn words(&self) -> &'static str {
        match self {
            Self::Rename { .. } => "renaming …",
            Self::Affirm(_) => "renewing …",
            Self::New { .. } => "writing …",
            Self::Merge { .. } => "merging …",
            Self::Promote { .. } => "promoting …",
        }
    }
}

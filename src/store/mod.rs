//! The disk: scan, save, history. Writes memories; nobody else does.

mod attributes;
mod beside;
mod drafts;
mod error;
mod failpoint;
#[cfg(test)]
mod faults;
mod files;
mod history;
mod identity;
mod intent;
mod lock;
mod log;
mod merge;
mod operation;
mod outside;
mod pack;
mod pair;
mod place;
mod places;
mod purge;
mod queue;
mod record;
mod recording;
mod recover;
mod review;
mod reviewed;
mod scan;
mod seen;
mod silenced;
mod spot;
mod staged;
mod staging;
mod survey;
mod swap;
mod tidy;
mod tool;
mod transfer;
mod tree;
mod undo;
mod walk;
mod watch;

pub use drafts::Drafts;
pub use outside::{make_directory, outside};
pub use queue::{Queue, Rejected};
pub use review::Start;
pub use scan::scan;
pub use seen::Seen;
pub use silenced::Silenced;
pub use spot::Spot;
pub use staged::Staged;
pub use staging::StagedFiles;
pub use tool::ToolFiles;
pub use watch::{fingerprint, is_remote};

use crate::memory::Time;
use crate::memory::index::ParkedLine;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::review::plan::Plan;
use history::History;
use lock::Lock;
use operation::Session;
use std::path::{Path, PathBuf};
use undo::Way;

/// Where memcurator keeps what is its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// `$XDG_STATE_HOME/memcurator`: history, parked lines, drafts.
    pub state: PathBuf,
    /// `$XDG_CACHE_HOME/memcurator`: can be deleted any time.
    pub cache: PathBuf,
    /// `$XDG_CONFIG_HOME/memcurator`.
    pub config: PathBuf,
}

/// An error of the store: what happened, to which file, what was left untouched, what to do next.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct StoreError {
    /// What happened, to which file, and what was left untouched.
    pub what: String,
    /// What to do next; may be empty.
    pub hint: String,
    /// Whether it is a conflict with someone else's change (exit status 1, not 2).
    pub conflict: bool,
}

/// The name of the history in what is kept for a store.
const HISTORY: &str = "history.git";

/// An opened store: its directory and its history. Opening makes nothing on disk; the first operation does.
#[derive(Debug)]
pub struct Store {
    root: PathBuf,
    home: PathBuf,
    recovered: Vec<Conflict>,
    notes: Vec<StoreError>,
}

/// An operation that was carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// What was done, in words: `deleted 3 memories`.
    pub message: String,
    /// Files that someone else changed meanwhile and that were left as that one wrote them.
    pub conflicts: Vec<Conflict>,
    /// The history entry, a commit id.
    pub id: String,
}

/// A file that someone else changed at the same moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// Which file.
    pub path: Spot,
    /// What was found and what was done about it, in words.
    pub what: String,
}

/// One entry of the history, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// The commit id.
    pub id: String,
    /// When.
    pub time: Time,
    /// What was done, in words.
    pub message: String,
    /// The files concerned.
    pub paths: Vec<String>,
    /// Whether it stands, was undone, or was made by someone else.
    pub state: LogState,
}

/// What became of a history entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogState {
    /// It stands: `u` can undo it when it is the last one.
    Done,
    /// It was undone: Ctrl-R can redo it when it is the last one.
    Undone,
    /// It is an undo or redo itself.
    Step,
    /// Someone else's change, or the baseline.
    Outside,
}

/// How much waits for the person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Inbox {
    /// Proposals, those with a fault too.
    pub proposals: usize,
    /// Changes that others made since the last review; `None`: no review was started.
    pub changes: Option<usize>,
}

/// What to remove from the history for good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Purge {
    /// All that the history holds of one file.
    File(RelPath),
    /// Everything before a time.
    Before(Time),
    /// The whole history.
    All,
}

impl Store {
    /// Opens a store; `root` may be a link to the directory. Recovers an operation that was interrupted; when that
    /// can't be finished, the store can still be looked at, and [`Store::notes`] says so.
    ///
    /// # Errors
    /// When the directory can't be read.
    pub fn open(root: &Path, places: &Places) -> Result<Self, StoreError> {
        let mut store = Self::at(root, places)?;
        if store.is_unfinished() {
            match store.recover() {
                Ok(conflicts) => store.recovered = conflicts,
                Err(error) => store.notes.push(error),
            }
        }
        Ok(store)
    }

    /// Opens a store only to look at it: nothing is written, and an operation that was interrupted is named by
    /// [`Store::notes`].
    ///
    /// # Errors
    /// When the directory can't be read.
    pub fn look(root: &Path, places: &Places) -> Result<Self, StoreError> {
        let mut store = Self::at(root, places)?;
        if store.is_unfinished() {
            store.notes.push(StoreError::fault(
                "an operation on this store was interrupted and waits to be completed",
                "open the store with `memcurator`, or change something in it: that completes it first",
            ));
        }
        Ok(store)
    }

    fn at(root: &Path, places: &Places) -> Result<Self, StoreError> {
        let cannot = |error| StoreError::io("open the store", root, &error, "");
        let root = root.canonicalize().map_err(cannot)?;
        std::fs::read_dir(&root).map_err(cannot)?;
        let home = places.of_store(&root);
        let notes = identity::moved_from(&root, &home).into_iter().collect();
        Ok(Self { root, home, recovered: Vec::new(), notes })
    }

    fn recover(&self) -> Result<Vec<Conflict>, StoreError> {
        match Lock::take_now(&self.home)? {
            Some(lock) => Ok(Session::with_lock(&self.root, &self.home, lock)?.recovered),
            // Whoever holds the lock is at it just now: nothing was interrupted.
            None => Ok(Vec::new()),
        }
    }

    /// The real path of the directory.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What is kept for this store: its history, and room for drafts. It need not exist.
    #[must_use]
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The files that someone else had changed when an interrupted operation was finished on opening; they
    /// were left as that one wrote them.
    #[must_use]
    pub fn recovered(&self) -> &[Conflict] {
        &self.recovered
    }

    /// What a person should know about the store that is no hindrance to looking at it.
    #[must_use]
    pub fn notes(&self) -> &[StoreError] {
        &self.notes
    }

    /// Reads the store as it is now.
    ///
    /// # Errors
    /// See [`scan`].
    pub fn scan(&self, progress: &(dyn Fn(usize) + Sync)) -> Result<Snapshot, StoreError> {
        scan(&self.root, progress)
    }

    /// The index lines that are parked.
    ///
    /// # Errors
    /// When the history can't be read.
    pub fn parked(&self) -> Result<Vec<ParkedLine>, StoreError> {
        let Some(history) = self.history()? else { return Ok(Vec::new()) };
        history.parked_now()
    }

    /// Carries out a plan as one step of history.
    ///
    /// # Errors
    /// A conflict when a file is not as the plan expects (nothing is done then), or a fault of the disk.
    pub fn apply(&self, plan: &Plan, now: Time) -> Result<Applied, StoreError> {
        let session = Session::begin(&self.root, &self.home)?;
        let intent = intent::decide(&session, plan, now)?;
        let applied = session.carry_out(intent)?;
        Ok(with_recovered(applied, session.recovered))
    }

    /// Undoes the last operation that stands; `None` when there is none.
    ///
    /// # Errors
    /// As [`Store::apply`].
    pub fn undo(&self, now: Time) -> Result<Option<Applied>, StoreError> {
        self.turn(Way::Undo, now)
    }

    /// Redoes the operation that was undone last; `None` when there is none.
    ///
    /// # Errors
    /// As [`Store::apply`].
    pub fn redo(&self, now: Time) -> Result<Option<Applied>, StoreError> {
        self.turn(Way::Redo, now)
    }

    /// Removes content from the history for good; says in words what was removed.
    ///
    /// # Errors
    /// When the history can't be rewritten; it is then as before.
    pub fn purge(&self, what: &Purge, now: Time) -> Result<String, StoreError> {
        if !self.home.join(HISTORY).exists() && !purge::is_unfinished(&self.home) {
            return match what {
                Purge::Before(time) => self.queue().purge_before(*time),
                Purge::File(path) => self.queue().purge(Some(path)),
                Purge::All => self.queue().purge(None),
            };
        }
        purge::purge(&self.root, &self.home, what, now)
    }

    fn turn(&self, way: Way, now: Time) -> Result<Option<Applied>, StoreError> {
        // Without a history there is nothing to turn, and none is made for that.
        if self.history()?.is_none() && !self.is_unfinished() {
            return Ok(None);
        }
        let session = Session::begin(&self.root, &self.home)?;
        let Some(next) = undo::next(&session, way)? else { return Ok(None) };
        if next.record.pair.is_some() {
            return self.turn_pair(session, way, now).map(Some);
        }
        let applied = undo::turn(&session, way, &next, now)?;
        Ok(Some(with_recovered(applied, session.recovered)))
    }

    fn history(&self) -> Result<Option<History>, StoreError> {
        History::open(&self.home.join(HISTORY))
    }

    fn is_unfinished(&self) -> bool {
        self.home.join(HISTORY).join("refs/pending").exists() || purge::is_unfinished(&self.home)
    }
}

fn with_recovered(mut applied: Applied, recovered: Vec<Conflict>) -> Applied {
    applied.conflicts.splice(0..0, recovered);
    applied
}

//! The disk: scan, save, history. Writes memories; nobody else does.

use crate::memory::Time;
use crate::memory::index::ParkedLine;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::review::plan::Plan;
use std::path::{Path, PathBuf};

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

/// Reads a whole store. Changes nothing, no file's time either; `progress` is told how many files are read.
///
/// # Errors
/// When the directory itself can't be read. A single file that can't be read is listed in the snapshot.
pub fn scan(root: &Path, progress: &(dyn Fn(usize) + Sync)) -> Result<Snapshot, StoreError> {
    let _ = progress;
    Ok(Snapshot { root: root.to_path_buf(), ..Snapshot::default() })
}

/// An opened store: its directory and its history. Opening makes nothing on disk; the first operation does.
#[derive(Debug)]
pub struct Store {
    root: PathBuf,
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
    pub path: RelPath,
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
    /// Opens a store; `root` may be a link to the directory. Recovers an operation that was interrupted.
    ///
    /// # Errors
    /// When the directory can't be read, or a recovery could not be finished.
    pub fn open(root: &Path, places: &Places) -> Result<Self, StoreError> {
        let _ = places;
        Ok(Self { root: root.to_path_buf() })
    }

    /// The real path of the directory.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
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
        Ok(Vec::new())
    }

    /// Carries out a plan as one step of history.
    ///
    /// # Errors
    /// A conflict when a file is not as the plan expects (nothing is done then), or a fault of the disk.
    pub fn apply(&self, plan: &Plan, now: Time) -> Result<Applied, StoreError> {
        let _ = now;
        Err(StoreError { what: plan.message.clone(), hint: String::new(), conflict: false })
    }

    /// Undoes the last operation that stands; `None` when there is none.
    ///
    /// # Errors
    /// As [`Store::apply`].
    pub fn undo(&self, now: Time) -> Result<Option<Applied>, StoreError> {
        let _ = now;
        Ok(None)
    }

    /// Redoes the operation that was undone last; `None` when there is none.
    ///
    /// # Errors
    /// As [`Store::apply`].
    pub fn redo(&self, now: Time) -> Result<Option<Applied>, StoreError> {
        let _ = now;
        Ok(None)
    }

    /// The history, newest first.
    ///
    /// # Errors
    /// When the history can't be read.
    pub fn log(&self) -> Result<Vec<LogEntry>, StoreError> {
        Ok(Vec::new())
    }

    /// Removes content from the history for good; says in words what was removed.
    ///
    /// # Errors
    /// When the history can't be rewritten; it is then as before.
    pub fn purge(&self, what: &Purge, now: Time) -> Result<String, StoreError> {
        let _ = (what, now);
        Ok(String::new())
    }
}

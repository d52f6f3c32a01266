//! What the history tells a person.

use super::history::Commit;
use super::record::{Bytes, Kind, Record};
use super::{LogEntry, LogState, Store, StoreError, undo};
use crate::memory::path::RelPath;
use std::collections::BTreeSet;

impl Store {
    /// The history, newest first.
    ///
    /// # Errors
    /// When the history can't be read.
    pub fn log(&self) -> Result<Vec<LogEntry>, StoreError> {
        let Some(history) = self.history()? else { return Ok(Vec::new()) };
        let commits = undo::read(&history)?;
        let played = undo::play(&commits);
        let entry = |(commit, record): &(Commit, Record)| LogEntry {
            id: commit.id.to_string(),
            time: commit.time,
            message: record.message.clone(),
            paths: named(record).map(|path| path.to_path().to_string_lossy().into_owned()).collect(),
            state: played.states.get(&commit.id).copied().unwrap_or(LogState::Outside),
        };
        Ok(commits.iter().rev().map(entry).collect())
    }

    /// Every file of the store that the history's entries name, whatever bytes its name has.
    ///
    /// # Errors
    /// When the history can't be read.
    pub fn logged(&self) -> Result<BTreeSet<RelPath>, StoreError> {
        let Some(history) = self.history()? else { return Ok(BTreeSet::new()) };
        let commits = undo::read(&history)?;
        let paths = commits.iter().flat_map(|(_, record)| named(record));
        Ok(paths.filter_map(|path| RelPath::new(path.to_path())).collect())
    }
}

/// The files that an entry names. The start of a review is about the whole store and names none.
fn named(record: &Record) -> impl Iterator<Item = &Bytes> {
    let reviewed = record.reviewed.iter().filter(|_| record.kind != Kind::Outside);
    record.changes.iter().map(|changed| &changed.path).chain(reviewed.map(|seen| &seen.path))
}

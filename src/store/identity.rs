//! Which directory a history is of: another one may stand at its path, or it may have moved.

use super::error::{Result, history, shown};
use super::history::{History, Ref, write_synced};
use super::record::Bytes;
use super::{HISTORY, StoreError, survey};
use serde::{Deserialize, Serialize};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The name of the note in what is kept for a store.
const NAME: &str = "store.json";

/// The directory of a store, as it is noted beside its history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Identity {
    /// Its real path.
    path: Bytes,
    /// Its file system, whose number may change with every start of the machine.
    device: u64,
    /// Its number there.
    inode: u64,
    /// What the operations in it are marked with: the number of the directory that it is, or is a true copy of.
    pub mark: u64,
}

impl Identity {
    /// The directory that stands at `path` now. One that is not the one noted, but holds just what the history says, is a
    /// copy of it and counts as the same.
    pub(super) fn of(path: &Path, home: &Path, history: &History) -> Result<Self> {
        let meta =
            fs::metadata(path).map_err(|e| StoreError::io("open the store", path, &e, "nothing was done"))?;
        let (device, inode) = (meta.dev(), meta.ino());
        let mark = match read(home) {
            Some(noted) if noted.inode == inode || holds_the_same(path, history)? => noted.mark,
            _ => inode,
        };
        Ok(Self { path: Bytes::from_path(path), device, inode, mark })
    }

    /// Notes it in `home`, when something else is noted there.
    pub(super) fn note(&self, home: &Path) -> Result<()> {
        if read(home).as_ref() == Some(self) {
            return Ok(());
        }
        let json = serde_json::to_vec_pretty(self).map_err(|e| history("write", e))?;
        write_synced(home, NAME, &json).map_err(|e| StoreError::io("write", &home.join(NAME), &e, ""))
    }
}

/// Without a history of its own: that of the same directory under another path, in words.
pub(super) fn moved_from(path: &Path, home: &Path) -> Option<StoreError> {
    let meta = fs::metadata(path).ok().filter(|_| !home.join(HISTORY).exists())?;
    let others = fs::read_dir(home.parent()?).ok()?;
    let mut others = others.flatten().map(|entry| entry.path()).filter(|other| other != home);
    let is_it = |noted: &Identity| (noted.device, noted.inode) == (meta.dev(), meta.ino());
    let (other, noted) = others.find_map(|other| read(&other).filter(is_it).map(|noted| (other, noted)))?;
    Some(StoreError::fault(
        format!(
            "this directory was {} before, and its history is kept for that path: undo does not reach it from here",
            shown(&noted.path.to_path())
        ),
        format!(
            "to go on with it: mkdir -p '{new}' && mv '{old}'/{HISTORY} '{old}'/{NAME} '{new}'",
            new = shown(home),
            old = shown(&other)
        ),
    ))
}

/// Why an operation that was made in another directory is not undone or completed in this one.
pub(super) fn elsewhere(message: &str, path: &Path) -> StoreError {
    StoreError::conflict(
        format!(
            "\"{message}\" was done in another directory that stood at {} then, and this one holds something else; \
             nothing was done",
            shown(path)
        ),
        "bring that directory back to undo it there; what is done here from now on can be undone here; \
         `memcurator history purge --all` forgets the other one",
    )
}

fn read(home: &Path) -> Option<Identity> {
    serde_json::from_slice(&fs::read(home.join(NAME)).ok()?).ok()
}

fn holds_the_same(path: &Path, history: &History) -> Result<bool> {
    let Some(head) = history.get(Ref::Branch)? else { return Ok(true) };
    let last = history.files(&history.commit(head)?)?;
    Ok(survey::take(path, &last)?.files == last)
}

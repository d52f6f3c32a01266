//! What was read of a history, kept for the next look. It can be deleted at any time; what can't be read counts as
//! not there.

use super::log::{Left, Log};
use super::past::Seen;
use crate::check::project::Commit;
use crate::memory::Time;
use serde::{Deserialize, Serialize};
use sha1::{Digest, Sha1};
use std::collections::BTreeMap;
use std::fs::{DirBuilder, File};
use std::io::{BufReader, BufWriter, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Changes with the form of the file and with the rules of the search.
const VERSION: u32 = 2;

/// A history up to a commit.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Kept {
    version: u32,
    root: Vec<u8>,
    /// The commit that was checked out.
    pub(super) head: String,
    commits: Vec<(String, i64, String, String)>,
    left: Vec<(usize, String, Option<String>)>,
    /// The literals that were looked for, with what was found.
    pub(super) seen: BTreeMap<String, Option<Seen>>,
    /// Whether all of it was read and searched.
    pub(super) is_whole: bool,
    /// Else: how far back, in seconds since 1970.
    pub(super) until: Option<i64>,
    /// The time that there was for it, in milliseconds.
    pub(super) budget: u64,
}

impl Kept {
    pub(super) fn new(
        root: &Path,
        head: &str,
        log: &Log,
        seen: &BTreeMap<String, Option<Seen>>,
        until: Option<Time>,
        budget: u64,
    ) -> Self {
        let commit = |commit: &Arc<Commit>| {
            (commit.id.clone(), commit.date.timestamp(), commit.subject.clone(), commit.body.clone())
        };
        Self {
            version: VERSION,
            root: root.as_os_str().as_bytes().to_vec(),
            head: head.to_owned(),
            commits: log.commits.iter().map(commit).collect(),
            left: log.left.iter().map(|left| (left.commit, left.path.clone(), left.to.clone())).collect(),
            seen: seen.clone(),
            is_whole: until.is_none(),
            until: until.map(|time| time.timestamp()),
            budget,
        }
    }

    /// The log, without the old contents.
    pub(super) fn log(&self) -> Log {
        let commit = |(id, date, subject, body): &(String, i64, String, String)| {
            let date = Time::from_timestamp(*date, 0).unwrap_or_default();
            Arc::new(Commit { id: id.clone(), date, subject: subject.clone(), body: body.clone() })
        };
        let left = |(commit, path, to): &(usize, String, Option<String>)| Left {
            commit: *commit,
            path: path.clone(),
            to: to.clone(),
        };
        Log {
            commits: self.commits.iter().map(commit).collect(),
            left: self.left.iter().map(left).collect(),
            old: Vec::new(),
            is_whole: self.is_whole,
        }
    }
}

/// What is kept for the project at this real path.
pub(super) fn load(dir: &Path, root: &Path) -> Option<Kept> {
    let kept: Kept = serde_json::from_reader(BufReader::new(File::open(file(dir, root)).ok()?)).ok()?;
    (kept.version == VERSION && kept.root == root.as_os_str().as_bytes()).then_some(kept)
}

/// Keeps it. A cache that can't be written is none: the next look takes longer.
pub(super) fn save(dir: &Path, root: &Path, kept: &Kept) {
    let write = || -> std::io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
        // Made with mode 0600.
        let mut writer = BufWriter::new(tempfile::NamedTempFile::new_in(dir)?);
        serde_json::to_writer(&mut writer, kept)?;
        writer.flush()?;
        writer.into_inner().map_err(std::io::IntoInnerError::into_error)?.persist(file(dir, root))?;
        Ok(())
    };
    let _ = write();
}

fn file(dir: &Path, root: &Path) -> PathBuf {
    let hash = Sha1::digest(root.as_os_str().as_bytes());
    let name: String = hash.iter().take(10).map(|byte| format!("{byte:02x}")).collect();
    dir.join(name + ".json")
}

//! History through libgit2, where there is no `git` program. It runs nothing that a configuration names.

use super::Stop;
use super::base::Base;
use super::git::TIME_IS_UP;
use super::log::{Limits, Log, Raw};
use super::source::Head;
use crate::check::project::Commit;
use crate::memory::Time;
use crate::memory::text::visible;
use git2::{Delta, DiffFindOptions, DiffOptions, ErrorCode, Oid, Repository, Sort};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A project's repository, opened anew for each use: it can't be shared between threads.
pub(super) struct Library {
    root: PathBuf,
}

/// Reads contents.
pub(super) struct Blobs(Repository);

impl Library {
    pub(super) fn new(root: &Path) -> Self {
        Self { root: root.to_path_buf() }
    }

    fn open(&self) -> Result<Repository, git2::Error> {
        Repository::discover(&self.root)
    }

    pub(super) fn head(&self, stop: &Stop<'_>) -> Result<Head, String> {
        if stop.is_due() {
            return Err(TIME_IS_UP.into());
        }
        let repo = self.open().map_err(|error| match error.code() {
            ErrorCode::NotFound => "it is in no git repository".into(),
            _ => format!("its repository can't be read: {}", visible(error.message(), false)),
        })?;
        let head =
            repo.head().and_then(|head| head.peel_to_commit()).map_err(|error| match error.code() {
                ErrorCode::UnbornBranch | ErrorCode::NotFound => "its repository has no commit yet".into(),
                _ => format!("its repository can't be read: {}", visible(error.message(), false)),
            })?;
        let prefix = self.prefix(&repo).to_string_lossy().into_owned();
        Ok(Head { id: head.id().to_string(), base: Base::new(&prefix), is_shallow: repo.is_shallow() })
    }

    fn prefix(&self, repo: &Repository) -> PathBuf {
        let top = repo.workdir().and_then(|top| top.canonicalize().ok());
        top.and_then(|top| self.root.strip_prefix(top).map(Path::to_path_buf).ok()).unwrap_or_default()
    }

    pub(super) fn tracked(&self) -> Vec<PathBuf> {
        let Ok(repo) = self.open() else { return Vec::new() };
        let (Ok(index), prefix) = (repo.index(), self.prefix(&repo)) else { return Vec::new() };
        let path = |entry: git2::IndexEntry| PathBuf::from(OsStr::from_bytes(&entry.path));
        index
            .iter()
            .filter_map(|entry| path(entry).strip_prefix(&prefix).map(Path::to_path_buf).ok())
            .collect()
    }

    pub(super) fn is_ancestor(&self, old: &str, new: &str) -> bool {
        let is_ancestor = || {
            let repo = self.open()?;
            repo.graph_descendant_of(Oid::from_str(new)?, Oid::from_str(old)?)
        };
        is_ancestor().unwrap_or_default()
    }

    #[allow(clippy::too_many_arguments)] // those of the one function that it stands in for
    pub(super) fn log(
        &self,
        log: &mut Log,
        old: Option<&str>,
        new: &str,
        base: &Base,
        limits: Limits,
        stop: &Stop<'_>,
        progress: &dyn Fn(&Log),
    ) {
        let mut walk = || -> Result<bool, git2::Error> {
            let repo = self.open()?;
            let mut walk = repo.revwalk()?;
            walk.set_sorting(Sort::TIME)?;
            walk.push(Oid::from_str(new)?)?;
            if let Some(old) = old {
                walk.hide(Oid::from_str(old)?)?;
            }
            for id in walk {
                if stop.is_due() || log.left.len() + log.old.len() > limits.changes {
                    return Ok(false);
                }
                self::commit(&repo, id?, log, base, limits)?;
                if log.commits.len().is_multiple_of(256) {
                    progress(log);
                }
            }
            Ok(true)
        };
        let is_whole = walk().unwrap_or_default();
        log.is_whole = is_whole;
    }

    pub(super) fn blobs(&self) -> Result<Blobs, git2::Error> {
        self.open().map(Blobs)
    }
}

/// One commit, compared with its parent; what a merge did by itself is left out.
fn commit(repo: &Repository, id: Oid, log: &mut Log, base: &Base, limits: Limits) -> Result<(), git2::Error> {
    let commit = repo.find_commit(id)?;
    let keep = log.commits.len() < limits.commits;
    let text = |bytes: Option<&[u8]>| String::from_utf8_lossy(bytes.unwrap_or_default()).trim().to_owned();
    log.add_commit(Commit {
        id: id.to_string(),
        date: Time::from_timestamp(commit.time().seconds(), 0).unwrap_or_default(),
        subject: text(commit.summary_bytes()),
        body: if keep { text(commit.body_bytes()) } else { String::new() },
    });
    if commit.parent_count() > 1 {
        return Ok(());
    }
    let before = commit.parent(0).and_then(|parent| parent.tree()).ok();
    let mut options = DiffOptions::new();
    options.skip_binary_check(true);
    let mut diff = repo.diff_tree_to_tree(before.as_ref(), Some(&commit.tree()?), Some(&mut options))?;
    diff.find_similar(Some(DiffFindOptions::new().renames(true).rename_limit(1000)))?;
    let path = |file: &git2::DiffFile<'_>| {
        String::from_utf8_lossy(file.path_bytes().unwrap_or_default()).into_owned()
    };
    let raw = |delta: git2::DiffDelta<'_>| {
        let (old, new) = (delta.old_file(), delta.new_file());
        let status = match delta.status() {
            Delta::Added => b'A',
            Delta::Deleted => b'D',
            Delta::Renamed => b'R',
            Delta::Modified | Delta::Typechange => b'M',
            _ => return None,
        };
        let to = if status == b'R' { path(&new) } else { String::new() };
        Some(Raw {
            status,
            is_file: matches!(old.mode(), git2::FileMode::Blob | git2::FileMode::BlobExecutable),
            blobs: [old.id().to_string(), new.id().to_string()],
            paths: [path(&old), to],
        })
    };
    let mut raws = diff.deltas().filter_map(raw).collect();
    log.finish(&mut raws, base);
    Ok(())
}

impl Blobs {
    pub(super) fn read(&self, name: &str, most: usize) -> Option<Vec<u8>> {
        let id = Oid::from_str(name).ok()?;
        let (size, _) = self.0.odb().ok()?.read_header(id).ok()?;
        let blob = (size <= most).then(|| self.0.find_blob(id).ok())??;
        Some(blob.content().to_vec())
    }
}

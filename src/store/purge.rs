//! Removes content from the history for good: the history is written anew without it, and the new directory
//! takes the place of the old one, which is deleted with all its objects.

use super::error::{Result, shown};
use super::history::{Commit, Draft, History, Ref, add_parked, sync_dir};
use super::lock::Lock;
use super::operation::Session;
use super::pack::Objects;
use super::queue::Settled;
use super::record::{Changed, Kind, Record};
use super::spot::Spot;
use super::survey;
use super::tree::{self, Files, Node, Raw};
use super::undo::read;
use super::{HISTORY, Purge, Queue, StoreError, failpoint};
use crate::memory::Time;
use crate::memory::index::ParkedLine;
use git2::{ObjectType, Oid};
use rustix::fs::{CWD, RenameFlags};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The new history while it is written, and the old one after the exchange.
const NEW: &str = "history.git.new";
/// The old one where directories can't be exchanged.
const OLD: &str = "history.git.old";

/// Removes what was asked for; says in words what was removed.
pub(super) fn purge(path: &Path, home: &Path, what: &Purge, now: Time) -> Result<String> {
    if *what == Purge::All {
        return purge_all(path, home, now);
    }
    let session = Session::begin(path, home)?;
    // First, whatever the history holds: a purge that was killed is done again, and does all of it.
    let settled = match what {
        Purge::File(path) => session.queue().forget(Settled::About(path))?,
        Purge::Before(time) => session.queue().forget(Settled::Before(*time))?,
        Purge::All => String::new(),
    };
    let commits = read(&session.history)?;
    let (mut rewrite, mut message) = match what {
        Purge::All => (Rewrite::new(&session.history, None, 0), String::new()),
        Purge::Before(time) => {
            // A clock may have been set back: whatever stands before an old entry is not newer to a person.
            let last = commits.iter().rposition(|(commit, _)| commit.time < *time);
            let count = last.map_or(0, |at| at + 1);
            if count < 2 {
                return Ok(format!("nothing in the history is older{settled}"));
            }
            let message = format!("removed {} entries from the history for good", count - 1);
            (Rewrite::new(&session.history, None, count - 1), message)
        }
        Purge::File(path) => {
            let mut rewrite = Rewrite::new(&session.history, Some(path.as_path().to_path_buf()), 0);
            rewrite.find_blobs(&commits)?;
            if rewrite.gone.is_empty() {
                return Ok(format!("the history holds nothing of {}{settled}", shown(path.as_path())));
            }
            let mut message = format!(
                "removed {} version(s) of {} from the history for good",
                rewrite.gone.len(),
                shown(path.as_path())
            );
            if session.root.find(&Spot::Inside(path.clone())).is_ok_and(|found| found.is_some()) {
                message.push_str(
                    "; the file itself is still in the store, and the next operation records it again",
                );
            }
            let is_of = |changed: &Changed| changed.is_index() && changed.path.to_path() == path.as_path();
            if path.is_index() || commits.iter().any(|(_, record)| record.changes.iter().any(is_of)) {
                let last = commits.last().map(|(commit, _)| session.history.parked(commit));
                rewrite.parked = Some(last.transpose()?.unwrap_or_default());
                message.push_str("; lines that were parked are removed too, but those that are parked now");
            } else {
                message.push_str("; index lines about it are kept (purge MEMORY.md for those)");
            }
            (rewrite, message)
        }
    };
    let new = fresh(home)?;
    let tip = rewrite.run(&commits, now)?;
    rewrite.objects.write(&new.packs())?;
    if let Some(tip) = tip {
        new.set(Ref::Branch, tip)?;
    }
    put_in_place(home)?;
    message.push_str(&settled);
    Ok(message)
}

/// All goes, but the parked lines, which are nowhere else. A history that can't be read goes too: it is what starts
/// it anew.
fn purge_all(path: &Path, home: &Path, now: Time) -> Result<String> {
    let mut objects = Objects::default();
    let read = Session::begin(path, home).and_then(|session| {
        let commits = read(&session.history)?;
        let last = commits.last().map(|(commit, _)| session.history.parked(commit));
        let parked = last.transpose()?.unwrap_or_default();
        let reviewed = still_reviewed(&session, commits.last().map(|(commit, _)| commit), &mut objects)?;
        Ok((session.into_lock(), Some(commits.len()), parked, reviewed))
    });
    let (_lock, count, parked, reviewed) = match read {
        Ok(whole) => whole,
        // It is damaged, or an operation in it can't be completed; when another has the lock, that is said here.
        Err(_) => (Lock::take(home)?, None, Vec::new(), None),
    };
    let settled = Queue::in_home(home).forget(Settled::All)?;
    let new = fresh(home)?;
    if !parked.is_empty() || reviewed.is_some() {
        let files = tree::write(&mut objects, Vec::new())?;
        let parked = add_parked(&mut objects, &parked)?;
        let record = Record::new(Kind::Outside, "the history before was removed");
        let tip = Draft { files, parked, reviewed, record: &record, kept: &[], parent: None, time: now }
            .add_to(&mut objects)?;
        objects.write(&new.packs())?;
        new.set(Ref::Branch, tip)?;
    }
    put_in_place(home)?;
    let said: String = match count {
        None => "removed the history, which could not be read; lines that were parked are gone with it, and if an \
                 operation was interrupted, hidden files named `.memcurator-…` in the store hold what it replaced"
            .into(),
        Some(count) if parked.is_empty() => format!("removed the whole history ({count} entries) for good"),
        Some(count) => {
            format!("removed the whole history ({count} entries) for good; the parked lines stay")
        }
    };
    Ok(format!("{said}{settled}"))
}

/// What counts as reviewed and is in the store as it was reviewed; all else is to be reviewed again, since nothing of
/// its older version stays.
fn still_reviewed(session: &Session, last: Option<&Commit>, objects: &mut Objects) -> Result<Option<Oid>> {
    let reviewed = last.map(|commit| session.history.reviewed(commit)).transpose()?.flatten();
    let Some(mut reviewed) = reviewed else { return Ok(None) };
    let here = survey::take(&session.path, &Files::new())?;
    reviewed.retain(|path, entry| here.files.get(path) == Some(entry));
    for entry in reviewed.values() {
        objects.add(ObjectType::Blob, &session.history.blob(entry.id)?)?;
    }
    tree::write_files(objects, &reviewed).map(Some)
}

/// An empty history beside the old one.
fn fresh(home: &Path) -> Result<History> {
    remove_all(&home.join(NEW))?;
    failpoint::step();
    History::open_or_create(&home.join(NEW))
}

/// Puts the new history in the place of the old one and deletes that.
fn put_in_place(home: &Path) -> Result<()> {
    let (new, dir, old) = (home.join(NEW), home.join(HISTORY), home.join(OLD));
    let cannot =
        |error: io::Error| StoreError::io("put the new history in place in", home, &error, "it is as before");
    failpoint::step();
    let exchange = || rustix::fs::renameat_with(CWD, &new, CWD, &dir, RenameFlags::EXCHANGE);
    if failpoint::no_exchange() || exchange().is_err() {
        fs::rename(&dir, &old).map_err(cannot)?;
        failpoint::step();
        fs::rename(&new, &dir).map_err(cannot)?;
    }
    failpoint::step();
    sync_dir(home).map_err(cannot)?;
    finish_swap(home)
}

/// Whether a purge was interrupted.
pub(super) fn is_unfinished(home: &Path) -> bool {
    home.join(NEW).exists() || home.join(OLD).exists()
}

/// Finishes or takes back a purge that was interrupted: whichever history has the name is whole.
pub(super) fn finish_swap(home: &Path) -> Result<()> {
    let (dir, old) = (home.join(HISTORY), home.join(OLD));
    if !dir.exists() && old.exists() {
        fs::rename(&old, &dir)
            .map_err(|e| StoreError::io("put back", &dir, &e, "the history is whole, under another name"))?;
    }
    remove_all(&home.join(NEW))?;
    failpoint::step();
    remove_all(&old)
}

fn remove_all(dir: &Path) -> Result<()> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(StoreError::io("delete", dir, &error, "what was to be purged is still in it"))
        }
        _ => Ok(()),
    }
}

/// A history written anew.
struct Rewrite<'a> {
    history: &'a History,
    objects: Objects,
    /// The file that goes.
    file: Option<PathBuf>,
    /// The blobs that go with it.
    gone: HashSet<Oid>,
    /// The index goes: of parked lines only these stay, since nothing else holds them.
    parked: Option<Vec<ParkedLine>>,
    /// The first commit that stays; its changes go.
    first: usize,
    commits: HashMap<String, Oid>,
    trees: HashMap<(Oid, PathBuf), Oid>,
}

impl<'a> Rewrite<'a> {
    fn new(history: &'a History, file: Option<PathBuf>, first: usize) -> Self {
        let (objects, gone) = (Objects::default(), HashSet::new());
        Self {
            history,
            objects,
            file,
            gone,
            parked: None,
            first,
            commits: HashMap::new(),
            trees: HashMap::new(),
        }
    }

    /// Finds the blobs that only ever stood for the file.
    fn find_blobs(&mut self, commits: &[(Commit, Record)]) -> Result<()> {
        let Some(file) = self.file.clone() else { return Ok(()) };
        for (commit, record) in commits {
            let mut tree = Some(self.history.files_id(commit)?);
            let mut blob = None;
            for name in &file {
                let Some(id) = tree else { break };
                let raw = self.history.tree(id)?.into_iter().find(|raw| raw.name == name);
                tree = raw.as_ref().filter(|raw| raw.node == Node::Tree).map(|raw| raw.id);
                blob = raw.filter(|raw| raw.node != Node::Tree).map(|raw| raw.id);
            }
            self.gone.extend(blob);
            let of_file = record.changes.iter().filter(|changed| changed.path.to_path() == file);
            for state in of_file.flat_map(Changed::states) {
                self.gone.extend(Oid::from_str(&state.blob).ok());
            }
            // What someone wrote at the same moment has no name: it goes with any file that it may be of.
            if record.kind == Kind::Kept && record.changes.iter().any(|c| c.path.to_path() == file) {
                self.gone.extend(self.history.kept(commit)?);
            }
        }
        Ok(())
    }

    fn run(&mut self, commits: &[(Commit, Record)], now: Time) -> Result<Option<Oid>> {
        let mut parent = None;
        for (position, (commit, record)) in commits.iter().enumerate().skip(self.first) {
            let is_cut = self.first > 0 && position == self.first;
            let mut record = record.clone();
            if is_cut {
                record = Record::new(Kind::Outside, "the history before was removed");
            } else {
                self.rewrite(&mut record);
            }
            let files = self.copy_tree(self.history.files_id(commit)?, Path::new(""))?;
            let mut kept = Vec::new();
            if !is_cut {
                let outside: HashSet<&str> = record
                    .changes
                    .iter()
                    .filter(|changed| changed.outside)
                    .flat_map(Changed::states)
                    .map(|state| state.blob.as_str())
                    .collect();
                for id in self.history.kept(commit)? {
                    if !self.gone.contains(&id) || outside.contains(id.to_string().as_str()) {
                        kept.push(self.copy_blob(id)?);
                    }
                }
            }
            let parked = match (self.history.parked_id(commit)?, &self.parked) {
                (Some(id), None) => self.copy_blob(id)?,
                (Some(_), Some(now)) => {
                    let mut lines = self.history.parked(commit)?;
                    lines.retain(|line| now.contains(line));
                    add_parked(&mut self.objects, &lines)?
                }
                (None, _) => add_parked(&mut self.objects, &[])?,
            };
            let time = if is_cut { commit.time.min(now) } else { commit.time };
            let reviewed = self.history.reviewed_id(commit)?;
            let reviewed = reviewed.map(|id| self.copy_tree(id, Path::new(""))).transpose()?;
            let draft = Draft { files, parked, reviewed, record: &record, kept: &kept, parent, time };
            let id = draft.add_to(&mut self.objects)?;
            self.commits.insert(commit.id.to_string(), id);
            parent = Some(id);
        }
        Ok(parent)
    }

    fn rewrite(&self, record: &mut Record) {
        // An operation that is no longer there has nothing to be undone by.
        record.of = record.of.as_ref().and_then(|of| self.commits.get(of)).map(Oid::to_string);
        let Some(file) = &self.file else { return };
        for changed in record.changes.iter_mut().filter(|changed| changed.path.to_path() == *file) {
            let purged = changed.purged || changed.states().next().is_some();
            *changed = Changed { purged, ..Changed::named(&changed.path.to_path()) };
        }
    }

    fn copy_tree(&mut self, id: Oid, dir: &Path) -> Result<Oid> {
        let key = (id, dir.to_path_buf());
        if let Some(done) = self.trees.get(&key) {
            return Ok(*done);
        }
        let mut entries: Vec<Raw> = Vec::new();
        for raw in self.history.tree(id)? {
            let path = dir.join(&raw.name);
            if self.file.as_ref() == Some(&path) {
                continue;
            }
            let id = match raw.node {
                Node::Tree => self.copy_tree(raw.id, &path)?,
                Node::Leaf(_) => self.copy_blob(raw.id)?,
            };
            entries.push(Raw { id, ..raw });
        }
        let new = tree::write(&mut self.objects, entries)?;
        self.trees.insert(key, new);
        Ok(new)
    }

    fn copy_blob(&mut self, id: Oid) -> Result<Oid> {
        if self.objects.holds(id) {
            return Ok(id);
        }
        self.objects.add(ObjectType::Blob, &self.history.blob(id)?)
    }
}

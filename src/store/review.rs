//! Reviewing what others changed: the state that counts as reviewed, where the store differs from it, and a person's
//! decisions, each of them an entry of the history.

use super::error::{Result, shown};
use super::history::{Draft, History, Ref};
use super::intent::Intent;
use super::operation::Session;
use super::pack::Objects;
use super::record::{Bytes, Kind, Record, Seen, from_pair, to_pair};
use super::recording::Base;
use super::reviewed::{id, time_in};
use super::survey::{self, blob_bytes};
use super::tree::{self, Entry, Files};
use super::{Applied, Inbox, Places, Queue, Store, StoreError, beside};
use crate::memory::Time;
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Snapshot, Stat};
use crate::review::changes::{Changes, Decision, Differing};
use crate::review::plan::{Content, Plan};
use git2::ObjectType;
use std::collections::HashMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// From where a review starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// The store as it is counts as reviewed: what comes from now on is listed.
    AsItIs,
    /// Nothing counts as reviewed: everything is listed.
    FromNothing,
}

/// How far back the history is searched for the time of a file that is to be restored, in entries.
const SEARCHED: usize = 2_000;

impl Store {
    /// The files that are not as they were when they were reviewed; `None` when no review was started yet. Writes
    /// nothing.
    ///
    /// # Errors
    /// When the history can't be read.
    pub fn unreviewed(&self, snapshot: &Snapshot) -> Result<Option<Vec<Differing>>> {
        let Some(history) = self.history()? else { return Ok(None) };
        let Some(head) = history.get(Ref::Branch)? else { return Ok(None) };
        let Some(reviewed) = history.reviewed(&history.commit(head)?)? else { return Ok(None) };
        differing(&history, &reviewed, snapshot).map(Some)
    }

    /// Whether a review was started.
    ///
    /// # Errors
    /// When the history can't be read.
    pub fn has_review(&self) -> Result<bool> {
        let Some(history) = self.history()? else { return Ok(false) };
        let Some(head) = history.get(Ref::Branch)? else { return Ok(false) };
        Ok(history.reviewed_id(&history.commit(head)?)?.is_some())
    }

    /// When something was reviewed last; `None`: never, or so long ago that the search ended before.
    ///
    /// # Errors
    /// When the history can't be read.
    pub fn reviewed_since(&self) -> Result<Option<Time>> {
        let Some(history) = self.history()? else { return Ok(None) };
        let mut next = history.get(Ref::Branch)?;
        for _ in 0..SEARCHED {
            let Some(id) = next else { break };
            let commit = history.commit(id)?;
            if history.record(&commit)?.verb.as_deref() == Some("review") {
                return Ok(Some(commit.time));
            }
            next = commit.parent;
        }
        Ok(None)
    }

    /// Starts a review, or starts it anew. The first start is no operation of the person's and can't be undone.
    ///
    /// # Errors
    /// When the history can't be written.
    pub fn start_review(&self, from: Start, now: Time) -> Result<Applied> {
        let session = Session::begin(&self.root, &self.home)?;
        let is_first = !self.has_review()?;
        let message = match from {
            Start::AsItIs => "reviewed: the store as it is",
            Start::FromNothing => "reviewed: nothing, everything waits",
        };
        let kind = if is_first { Kind::Outside } else { Kind::Operation };
        session.note_review(message, kind, now, &mut |_, now, _| match from {
            Start::FromNothing => Ok((Files::new(), Vec::new())),
            Start::AsItIs => {
                let seen = now.keys().map(|path| {
                    let meta = self.root.join(path).symlink_metadata().ok();
                    let mtime = meta.and_then(|meta| meta.modified().ok()).map(|time| to_pair(time.into()));
                    Seen { path: Bytes::from_path(path), mtime }
                });
                Ok((now.clone(), seen.collect()))
            }
        })
    }

    /// Records that a person accepted changes, as one step of history that can be undone.
    ///
    /// # Errors
    /// A conflict when someone else reviewed one of the files meanwhile, or no review was started; nothing is recorded
    /// then.
    pub fn review(&self, decision: &Decision, now: Time) -> Result<Applied> {
        let session = Session::begin(&self.root, &self.home)?;
        session.note_review(&decision.message, Kind::Operation, now, &mut |reviewed, _, objects| {
            let Some(reviewed) = reviewed else {
                return Err(StoreError::conflict(
                    "no review was started on this store, so nothing was accepted",
                    "start one first",
                ));
            };
            let mut files = reviewed.clone();
            let mut seen = Vec::new();
            for settled in &decision.files {
                let path = settled.path.as_path();
                let here = files.get(path).map(|entry| entry.id);
                let (from, to) = (settled.from.as_ref().map(id), settled.to.as_ref().map(id));
                let to_put = if here == from {
                    settled.to.clone()
                } else if here == to {
                    continue;
                } else if settled.path.is_index() {
                    // Lines that another one accepted meanwhile stay.
                    session.rebased(&files, path, settled.from.as_ref(), settled.to.as_ref())?
                } else {
                    let name = shown(path);
                    return Err(StoreError::conflict(
                        format!("{name} was reviewed by someone else meanwhile; nothing was accepted"),
                        "look at the changes as they are now, then decide again",
                    ));
                };
                match &to_put {
                    Some(content) => {
                        let entry = Entry {
                            id: objects.add(ObjectType::Blob, blob_bytes(content))?,
                            kind: kind(content),
                        };
                        files.insert(path.to_path_buf(), entry);
                    }
                    None => drop(files.remove(path)),
                }
                let mtime = settled.mtime.map(to_pair);
                seen.push(Seen { path: Bytes::from_path(path), mtime });
            }
            Ok((files, seen))
        })
    }

    /// When a file with this content was changed last, as far as the history tells.
    #[must_use]
    pub fn time_of(&self, path: &RelPath, content: &Content) -> Option<Time> {
        let history = self.history().ok()??;
        let mut next = history.get(Ref::Branch).ok()?;
        let blob = id(content);
        for _ in 0..SEARCHED {
            let commit = history.commit(next?).ok()?;
            let record = history.record(&commit).ok()?;
            if let Some(time) = time_in(&record, path.as_path(), blob) {
                return from_pair(time);
            }
            next = commit.parent;
        }
        None
    }

    /// The content of a file that has this SHA-256, as far back as the history holds it.
    #[must_use]
    pub fn version(&self, path: &RelPath, sha256: &str) -> Option<Arc<[u8]>> {
        let history = self.history().ok()??;
        let mut next = history.get(Ref::Branch).ok()?;
        let mut last = None;
        for _ in 0..SEARCHED {
            let commit = history.commit(next?).ok()?;
            let files = history.files(&commit).ok()?;
            let entry = files.get(path.as_path()).filter(|entry| entry.kind == tree::Kind::File).copied();
            if let Some(entry) = entry.filter(|entry| last != Some(entry.id)) {
                last = Some(entry.id);
                let bytes = history.blob(entry.id).ok()?;
                if crate::review::proposal::sha256(&bytes) == sha256 {
                    return Some(bytes);
                }
            }
            next = commit.parent;
        }
        None
    }

    /// Makes the directory of a store that does not exist yet, private, and opens it: a proposal for it was approved.
    ///
    /// # Errors
    /// When it can't be made or opened.
    pub fn make(root: &Path, places: &Places) -> Result<Self> {
        super::places::make_private(root)
            .map_err(|error| StoreError::io("make the store", root, &error, "nothing was done"))?;
        Self::open(root, places)
    }

    /// The proposals of the store.
    #[must_use]
    pub fn queue(&self) -> Queue {
        Queue::of_store(&self.home, &self.root)
    }

    /// How much waits for the person: for a header. `None` for changes: no review was started.
    ///
    /// # Errors
    /// When the history can't be read.
    pub fn inbox(&self, snapshot: &Snapshot) -> Result<Inbox> {
        let changes =
            self.unreviewed(snapshot)?.map(|differing| Changes::of(differing, snapshot, &[]).list.len());
        Ok(Inbox { proposals: self.queue().count(), changes })
    }

    /// Carries out the plan of a proposal that was approved; then it waits no more. Its id stands in the history: the
    /// undo brings it back into the queue.
    ///
    /// # Errors
    /// As [`Store::apply`]; the proposal waits on then. A conflict when it waits no more.
    ///
    /// Directories are no part of a proposal: those that a deletion leaves empty go, and so does an empty one that stands
    /// where a new file is to be.
    pub fn approve(&self, plan: &Plan, id: &str, now: Time) -> Result<Applied> {
        let session = Session::begin(&self.root, &self.home)?;
        session.queue().must_wait(id)?;
        let paths = || plan.changes.iter().map(|change| &change.path);
        beside::make_room(&session, paths());
        let mut intent: Intent = super::intent::decide(&session, plan, now)?;
        intent.proposal = Some(id.to_owned());
        let applied = session.carry_out(intent)?;
        // Should it fail, the proposal is known as done, and settled another time.
        let _ = session.queue().put_away(id, now);
        beside::clear_away(&session, paths());
        Ok(super::with_recovered(applied, session.recovered))
    }
}

/// What makes the reviewed files of the present ones: those reviewed so far, those there are, new objects.
type Making<'a> = dyn FnMut(Option<&Files>, &Files, &mut Objects) -> Result<(Files, Vec<Seen>)> + 'a;

impl Session {
    /// Writes a commit that moves what counts as reviewed. No file of the store changes, so the branch moves at once.
    fn note_review(&self, message: &str, kind: Kind, now: Time, make: &mut Making<'_>) -> Result<Applied> {
        self.note_directory()?;
        let head = self.history.get(Ref::Branch)?;
        let commit = head.map(|id| self.history.commit(id)).transpose()?;
        let last = commit.as_ref().map(|commit| self.history.files(commit)).transpose()?.unwrap_or_default();
        let old = commit.as_ref().map(|commit| self.history.reviewed(commit)).transpose()?.flatten();
        let mut objects = Objects::default();
        let mut here = survey::take(&self.path, &last)?;
        here.add_new(&last, &Objects::default(), &mut objects)?;
        let Base { parent, parked, .. } = self.base(head, &last, &here.files, &mut objects, now)?;
        let (reviewed, seen) = make(old.as_ref(), &here.files, &mut objects)?;
        let files = tree::write_files(&mut objects, &here.files)?;
        let reviewed = Some(tree::write_files(&mut objects, &reviewed)?);
        let mut record = Record::new(kind, message);
        record.verb = Some("review".into());
        record.dir = Some(self.identity.mark);
        record.reviewed = seen;
        let draft =
            Draft { files, parked, reviewed, record: &record, kept: &[], parent: Some(parent), time: now };
        let id = draft.add_to(&mut objects)?;
        objects.write(&self.history.packs())?;
        self.history.set(Ref::Branch, id)?;
        self.history.tidy();
        Ok(Applied { message: message.to_owned(), conflicts: self.recovered.clone(), id: id.to_string() })
    }

    /// The change `from` → `to` made on what counts as reviewed of the index.
    fn rebased(
        &self,
        files: &Files,
        path: &Path,
        from: Option<&Content>,
        to: Option<&Content>,
    ) -> Result<Option<Content>> {
        let bytes = |content: Option<&Content>| content.map(blob_bytes).unwrap_or_default().to_vec();
        let onto = match files.get(path) {
            Some(entry) => self.history.blob(entry.id)?,
            None => Arc::from([].as_slice()),
        };
        let merged = crate::review::lines::revert(&bytes(from), &bytes(to), &onto);
        Ok((to.is_some() || !merged.bytes.is_empty()).then(|| Content::File(merged.bytes.into())))
    }
}

fn kind(content: &Content) -> tree::Kind {
    match content {
        Content::File(_) => tree::Kind::File,
        Content::Link(_) => tree::Kind::Link,
    }
}

/// Where a store as it was read differs from what was reviewed. Of what can't be read nobody knows that it changed.
fn differing(history: &History, reviewed: &Files, snapshot: &Snapshot) -> Result<Vec<Differing>> {
    let content = |bytes: &Arc<[u8]>, stat: &Stat| match &stat.link {
        Some(link) => Content::Link(link.target.clone()),
        None => Content::File(Arc::clone(bytes)),
    };
    let memories =
        snapshot.memories.iter().map(|memory| (memory.path.clone(), content(&memory.bytes, &memory.stat)));
    let index = snapshot.index.iter().map(|file| (RelPath::index(), content(&file.bytes, &file.stat)));
    let here: HashMap<RelPath, Content> = memories.chain(index).collect();
    let mut found = Vec::new();
    let mut add = |path: RelPath, old: Option<&Entry>, new: Option<&Content>| -> Result<()> {
        let old = old.map(|entry| read(history, entry)).transpose()?;
        found.push(Differing { path, old, new: new.cloned() });
        Ok(())
    };
    for (path, entry) in reviewed {
        let Some(rel) = RelPath::new(path) else { continue };
        match here.get(&rel) {
            Some(content) if id(content) == entry.id && kind(content) == entry.kind => {}
            Some(content) => add(rel, Some(entry), Some(content))?,
            None if snapshot.unreadable.iter().any(|file| path.starts_with(file.path.as_path())) => {}
            None => add(rel, Some(entry), None)?,
        }
    }
    let mut new: Vec<(&RelPath, &Content)> =
        here.iter().filter(|(path, _)| !reviewed.contains_key(path.as_path())).collect();
    new.sort_by(|a, b| a.0.cmp(b.0));
    for (path, content) in new {
        add(path.clone(), None, Some(content))?;
    }
    Ok(found)
}

fn read(history: &History, entry: &Entry) -> Result<Content> {
    let bytes = history.blob(entry.id)?;
    Ok(match entry.kind {
        tree::Kind::File => Content::File(bytes),
        tree::Kind::Link => Content::Link(PathBuf::from(OsString::from_vec(bytes.to_vec()))),
    })
}

//! Writes operations into the history before anything is done on the disk.

use super::Conflict;
use super::error::Result;
use super::history::{self as hist, Draft, Ref};
use super::intent::Intent;
use super::operation::{Recorded, Session};
use super::pack::Objects;
use super::record::{Changed, Kind, Record, State};
use super::spot::{Change, Spot};
use super::survey::{self, blob_bytes};
use super::tree::{self, Entry, Files};
use crate::memory::Time;
use crate::review::plan::{Content, FileState};
use git2::{ObjectType, Oid};
use std::path::PathBuf;

/// What a new commit stands on.
pub(super) struct Base {
    /// The commit before it.
    pub parent: Oid,
    /// The blob of the parked lines.
    pub parked: Oid,
    /// The tree of the files as they were reviewed last.
    pub reviewed: Option<Oid>,
}

impl Session {
    /// Writes what the store holds and what will be done into the history, and points `refs/pending` at it.
    pub(super) fn record_now(&self, intent: &Intent) -> Result<Recorded> {
        let head = self.history.get(Ref::Branch)?;
        let last = match head {
            Some(id) => self.history.files(&self.history.commit(id)?)?,
            None => Files::new(),
        };
        let mut objects = Objects::default();
        let mut now = survey::take(&self.path, &last)?;
        now.files.extend(put_before(&intent.changes, &mut objects)?);
        for change in intent.changes.iter().filter(|change| change.before.is_none()) {
            // An absolute path is in no store.
            now.files.remove(change.path.as_path());
        }
        let known = std::mem::take(&mut objects);
        let mut objects = Objects::default();
        now.add_new(&last, &known, &mut objects)?;
        objects.append(known);
        let (id, parent) = self.record(head, &last, now.files, objects, intent)?;
        Ok(Recorded { id, parent, branch: head })
    }

    /// Puts the store's files and the operation into the history: the first as an outside change when they
    /// differ from the last commit.
    fn record(
        &self,
        head: Option<Oid>,
        last: &Files,
        now: Files,
        mut objects: Objects,
        intent: &Intent,
    ) -> Result<(Oid, Oid)> {
        let time = intent.time;
        let Base { parent, parked: old_parked, reviewed } =
            self.base(head, last, &now, &mut objects, time)?;
        let reviewed = self.reviewed_after(reviewed, intent, &mut objects)?;
        let mut after = now;
        for change in intent.changes.iter().filter(|change| change.path.is_listed()) {
            let path = change.path.as_path().to_path_buf();
            match &change.after {
                Some(state) => drop(after.insert(path, add_blob(&mut objects, &state.content)?)),
                None => drop(after.remove(&path)),
            }
        }
        let files = tree::write_files(&mut objects, &after)?;
        let parked = match &intent.parked {
            Some(lines) => hist::add_parked(&mut objects, lines)?,
            None => old_parked,
        };
        let mut record = intent.record();
        record.dir = Some(self.identity.mark);
        // What no tree of files holds.
        let others = intent.changes.iter().filter(|change| !change.path.is_listed());
        let others = others.flat_map(|change| change.before.iter().chain(&change.after));
        let kept = others.chain(&intent.base).map(|state| Ok(add_blob(&mut objects, &state.content)?.id));
        let kept = kept.collect::<Result<Vec<_>>>()?;
        let id = Draft { files, parked, reviewed, record: &record, kept: &kept, parent: Some(parent), time }
            .add_to(&mut objects)?;
        objects.write(&self.history.packs())?;
        self.history.set(Ref::Pending, id)?;
        Ok((id, parent))
    }

    /// The commit that a new one stands on: the head, or what others changed since.
    pub(super) fn base(
        &self,
        head: Option<Oid>,
        last: &Files,
        now: &Files,
        objects: &mut Objects,
        time: Time,
    ) -> Result<Base> {
        let commit = head.map(|id| self.history.commit(id)).transpose()?;
        let parked = commit.as_ref().map(|commit| self.history.parked_id(commit)).transpose()?.flatten();
        let parked = match parked {
            Some(id) => id,
            None => hist::add_parked(objects, &[])?,
        };
        let reviewed = commit.as_ref().map(|commit| self.history.reviewed_id(commit)).transpose()?.flatten();
        let parent = match head {
            Some(head) if now == last => head,
            _ => {
                let files = tree::write_files(objects, now)?;
                let record = outside(head.is_none(), last, now);
                Draft { files, parked, reviewed, record: &record, kept: &[], parent: head, time }
                    .add_to(objects)?
            }
        };
        Ok(Base { parent, parked, reviewed })
    }

    /// Keeps what the store holds now in a commit of what others changed, and in one more the files `besides` that no
    /// commit holds otherwise (such as are no memories), by their names. None is made when the history has it all.
    pub(super) fn keep_now(&self, besides: &[(PathBuf, FileState)], time: Time) -> Result<()> {
        let head = self.history.get(Ref::Branch)?;
        let commit = head.map(|id| self.history.commit(id)).transpose()?;
        let last = commit.as_ref().map(|commit| self.history.files(commit)).transpose()?.unwrap_or_default();
        let mut now = survey::take(&self.path, &last)?;
        let besides: Vec<_> = besides.iter().filter(|(_, it)| !self.history.holds(&it.content)).collect();
        if head.is_some() && now.files == last && besides.is_empty() {
            return Ok(());
        }
        self.identity.note(self.home())?;
        let mut objects = Objects::default();
        now.add_new(&last, &Objects::default(), &mut objects)?;
        let Base { parent, parked, reviewed } = self.base(head, &last, &now.files, &mut objects, time)?;
        let mut tip = parent;
        if !besides.is_empty() {
            let mut record = Record::new(Kind::Outside, "kept what an agent changed");
            let mut kept = Vec::new();
            for (path, state) in besides {
                kept.push(add_blob(&mut objects, &state.content)?.id);
                let before = Some(State::of(state));
                record.changes.push(Changed { before, ..Changed::named(path) });
            }
            let files = tree::write_files(&mut objects, &now.files)?;
            let parent = Some(parent);
            let draft = Draft { files, parked, reviewed, record: &record, kept: &kept, parent, time };
            tip = draft.add_to(&mut objects)?;
        }
        objects.write(&self.history.packs())?;
        self.history.set(Ref::Branch, tip)?;
        self.history.tidy();
        Ok(())
    }

    /// Records the operation again, with the index as someone else wrote it in between.
    pub(super) fn record_again(
        &self,
        intent: &mut Intent,
        index: &Change,
        stray: Option<&Content>,
        recorded: &mut Recorded,
    ) -> Result<()> {
        intent.temps.generation += 1;
        let last = self.history.files(&self.history.commit(recorded.parent)?)?;
        let mut objects = Objects::default();
        let mut now = last.clone();
        now.extend(put_before(std::slice::from_ref(index), &mut objects)?);
        if let Some(stray) = stray {
            // So that a recovery knows it when it lies about: all of it is in the new version.
            add_blob(&mut objects, stray)?;
        }
        (recorded.id, recorded.parent) = self.record(Some(recorded.parent), &last, now, objects, intent)?;
        Ok(())
    }

    /// A commit on top of an operation that keeps what someone else wrote at the same moment, and says which
    /// files the operation left to them.
    pub(super) fn keep(
        &self,
        of: Oid,
        conflicts: &[Conflict],
        kept: &[(Spot, Content)],
        time: Time,
    ) -> Result<Oid> {
        let commit = self.history.commit(of)?;
        let mut objects = Objects::default();
        let mut record = Record::new(Kind::Kept, "kept what someone else wrote at the same moment");
        record.of = Some(of.to_string());
        for conflict in conflicts {
            record.changes.push(Changed::named(conflict.path.as_path()));
        }
        let is_left = |path: &Spot| conflicts.iter().any(|conflict| conflict.path == *path);
        for (path, _) in kept.iter().filter(|(path, _)| !is_left(path)) {
            record.changes.push(Changed { stands: true, ..Changed::named(path.as_path()) });
        }
        let mut blobs = Vec::new();
        for (_, content) in kept {
            blobs.push(add_blob(&mut objects, content)?.id);
        }
        let files = self.history.files_id(&commit)?;
        let parked = match self.history.parked_id(&commit)? {
            Some(id) => id,
            None => hist::add_parked(&mut objects, &[])?,
        };
        let reviewed = self.history.reviewed_id(&commit)?;
        let draft = Draft { files, parked, reviewed, record: &record, kept: &blobs, parent: Some(of), time };
        let id = draft.add_to(&mut objects)?;
        objects.write(&self.history.packs())?;
        Ok(id)
    }
}

/// Puts what the files hold before the operation among the new objects, and says where they belong.
fn put_before(changes: &[Change], objects: &mut Objects) -> Result<Vec<(std::path::PathBuf, Entry)>> {
    let mut entries = Vec::new();
    for change in changes.iter().filter(|change| change.path.is_listed()) {
        if let Some(before) = &change.before {
            let entry = add_blob(objects, &before.content)?;
            entries.push((change.path.as_path().to_path_buf(), entry));
        }
    }
    Ok(entries)
}

fn add_blob(objects: &mut Objects, content: &Content) -> Result<Entry> {
    let kind = match content {
        Content::File(_) => tree::Kind::File,
        Content::Link(_) => tree::Kind::Link,
    };
    Ok(Entry { id: objects.add(ObjectType::Blob, blob_bytes(content))?, kind })
}

fn outside(is_first: bool, last: &Files, now: &Files) -> Record {
    if is_first {
        return Record::new(Kind::Outside, format!("found a store of {} files", now.len()));
    }
    let (message, paths) = survey::difference(last, now);
    let mut record = Record::new(Kind::Outside, message);
    for path in paths {
        record.changes.push(Changed::named(path.as_path()));
    }
    record
}

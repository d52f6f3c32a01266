//! One operation from beginning to end, in the order of steps that loses nothing: lock, look again, history,
//! pending, files, branch.

use super::error::{Result, history, shown};
use super::files::Root;
use super::history::{self as hist, Draft, History, Ref};
use super::lock::Lock;
use super::pack::{Objects, id_of};
use super::record::{Bytes, Changed, Kind, Record, State, to_pair};
use super::survey::{self, blob_bytes};
use super::swap::{Moved, Swap};
use super::tree::{self, Entry, Files};
use super::{Applied, Conflict, StoreError, failpoint, merge, recover, swap};
use crate::memory::Time;
use crate::memory::index::ParkedLine;
use crate::memory::path::RelPath;
use crate::review::plan::{Change, Content, FileState, Plan};
use git2::{ObjectType, Oid};
use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// How often the index is merged anew while someone keeps writing to it.
const TRIES: usize = 20;

/// A store that is locked for writing, whole: what was interrupted has been recovered.
pub(super) struct Session {
    pub root: Root,
    pub path: std::path::PathBuf,
    pub history: History,
    /// What the recovery found, to be told with the next operation.
    pub recovered: Vec<Conflict>,
    _lock: Lock,
}

/// What is to be done, as decided under the lock.
#[derive(Debug, Clone)]
pub(super) struct Intent {
    pub kind: Kind,
    pub verb: Option<String>,
    pub message: String,
    /// The operation that is undone or redone.
    pub of: Option<Oid>,
    /// `before` is what was found a moment ago.
    pub changes: Vec<Change>,
    /// The parked lines from then on; `None`: as they are.
    pub parked: Option<Vec<ParkedLine>>,
    pub time: Time,
    /// A word for the names of temporary files.
    pub tag: String,
}

/// An operation that is in the history as pending.
pub(super) struct Recorded {
    pub id: Oid,
    pub parent: Oid,
}

impl Session {
    /// Locks the store and recovers what was interrupted.
    pub(super) fn begin(path: &Path, home: &Path) -> Result<Self> {
        let lock = Lock::take(home)?;
        Self::with_lock(path, home, lock)
    }

    /// As [`Session::begin`], with the lock in hand.
    pub(super) fn with_lock(path: &Path, home: &Path, lock: Lock) -> Result<Self> {
        let cannot = |error| StoreError::io("open the store", path, &error, "nothing was done");
        let root = Root::open(path).map_err(cannot)?;
        super::purge::finish_swap(home)?;
        let history = History::open_or_create(&home.join(super::HISTORY))?;
        let mut session =
            Self { root, path: path.to_path_buf(), history, recovered: Vec::new(), _lock: lock };
        session.recovered = recover::recover(&session)?;
        Ok(session)
    }

    /// Carries out what was decided, as one step of history.
    pub(super) fn carry_out(&self, intent: Intent) -> Result<Applied> {
        let nothing = |error: StoreError| error.stands("nothing in the store was changed");
        let recorded = self.record_now(&intent).map_err(nothing)?;
        self.execute(intent, recorded, Vec::new(), None)
    }

    /// Writes what the store holds and what will be done into the history, and points `refs/pending` at it.
    fn record_now(&self, intent: &Intent) -> Result<Recorded> {
        let head = self.history.get(Ref::Branch)?;
        let last = match head {
            Some(id) => self.history.files(&self.history.commit(id)?)?,
            None => Files::new(),
        };
        let mut objects = Objects::default();
        let mut now = survey::take(&self.path, &last)?;
        now.files.extend(put_before(&intent.changes, &mut objects)?);
        for change in intent.changes.iter().filter(|change| change.before.is_none()) {
            now.files.remove(change.path.as_path());
        }
        let known = std::mem::take(&mut objects);
        let mut objects = Objects::default();
        now.add_new(&last, &known, &mut objects)?;
        objects.append(known);
        self.record(head, &last, now.files, objects, intent)
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
    ) -> Result<Recorded> {
        let time = intent.time;
        let commit = head.map(|id| self.history.commit(id)).transpose()?;
        let old_parked = commit.as_ref().map(|commit| self.history.parked_id(commit)).transpose()?.flatten();
        let old_parked = match old_parked {
            Some(id) => id,
            None => hist::add_parked(&mut objects, &[])?,
        };
        let mut parent = head;
        let mut is_new_parent = false;
        if parent.is_none() || now != *last {
            let files = tree::write_files(&mut objects, &now)?;
            let record = outside(head.is_none(), last, &now);
            let draft = Draft { files, parked: old_parked, record: &record, kept: &[], parent, time };
            parent = Some(draft.add_to(&mut objects)?);
            is_new_parent = true;
        }
        let mut after = now;
        for change in &intent.changes {
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
        let record = record_of(intent);
        let id = Draft { files, parked, record: &record, kept: &[], parent, time }.add_to(&mut objects)?;
        objects.write(&self.history.packs())?;
        let parent = parent.ok_or_else(|| history("write", "there is no commit to stand on"))?;
        if is_new_parent {
            self.history.set(Ref::Branch, parent)?;
        }
        self.history.set(Ref::Pending, id)?;
        Ok(Recorded { id, parent })
    }

    /// Makes the recorded changes on the disk, and moves the branch. `only` names the changes (by number)
    /// that are still to be made, after an interruption.
    pub(super) fn execute(
        &self,
        mut intent: Intent,
        mut recorded: Recorded,
        found: Vec<(Conflict, Option<Content>)>,
        only: Option<&[usize]>,
    ) -> Result<Applied> {
        let changes: Vec<(usize, Change)> = intent
            .changes
            .iter()
            .cloned()
            .enumerate()
            .filter(|(number, _)| only.is_none_or(|only| only.contains(number)))
            .collect();
        let prepared = Swap::new(&self.root, &intent.tag, &changes).and_then(|mut swap| {
            swap.prepare()?;
            Ok(swap)
        });
        let mut swap = match (prepared, only) {
            (Ok(swap), _) => swap,
            (Err(error), None) => {
                self.history.drop_pending()?;
                return Err(error.stands("nothing in the store was changed"));
            }
            (Err(error), Some(_)) => return Err(error.stands(HALF)),
        };
        if let Err(error) = self.make(&mut swap, &mut intent, &mut recorded) {
            if only.is_some() || swap.roll_back().is_err() {
                return Err(error.stands(HALF));
            }
            self.history.drop_pending()?;
            return Err(error.stands("what was done of it was taken back, nothing in the store is changed"));
        }
        let mut kept = std::mem::take(&mut swap.kept);
        let mut conflicts = std::mem::take(&mut swap.conflicts);
        for (conflict, content) in found {
            kept.extend(content.map(|content| (conflict.path.clone(), content)));
            conflicts.push(conflict);
        }
        self.finish(&recorded, &conflicts, &kept, intent.time)?;
        swap.clean_left();
        Ok(Applied { message: intent.message, conflicts, id: recorded.id.to_string() })
    }

    fn make(&self, swap: &mut Swap, intent: &mut Intent, recorded: &mut Recorded) -> Result<()> {
        for _ in 0..TRIES {
            let moved = match swap.exchange()? {
                Some(moved) => moved,
                None => match swap.settle()? {
                    Some(moved) => moved,
                    None => return Ok(()),
                },
            };
            self.follow(moved, swap, intent, recorded)?;
        }
        Err(StoreError::conflict(
            "MEMORY.md is written to all the time by another program",
            "try again when it is quiet",
        ))
    }

    /// The index moved under our hands: our change is made anew on what it holds now, and recorded so.
    fn follow(
        &self,
        moved: Moved,
        swap: &mut Swap,
        intent: &mut Intent,
        recorded: &mut Recorded,
    ) -> Result<()> {
        let Some(number) = intent.changes.iter().position(|change| change.path.is_index()) else {
            return Ok(());
        };
        let Some(change) = intent.changes.get_mut(number) else { return Ok(()) };
        let mut after = rebase(change, &moved.theirs)?;
        if let (Some(Content::File(stray)), Some(ours), Some(merged)) = (moved.stray, &change.after, &after) {
            let stray = FileState { content: Content::File(stray), ..ours.clone() };
            if let Some(both) = merge::rebase(Some(ours), Some(&stray), merged) {
                after = both.state;
            }
        }
        *change = Change { path: change.path.clone(), before: Some(moved.theirs), after };
        let change = change.clone();
        *recorded = self.record_index(intent, &change)?;
        swap.retarget(&change)
    }

    /// Records the operation again, with the index as someone else wrote it in between.
    pub(super) fn record_index(&self, intent: &Intent, index: &Change) -> Result<Recorded> {
        let head = self.history.get(Ref::Branch)?.ok_or_else(|| history("read", "its branch is gone"))?;
        let last = self.history.files(&self.history.commit(head)?)?;
        let mut objects = Objects::default();
        let mut now = last.clone();
        now.extend(put_before(std::slice::from_ref(index), &mut objects)?);
        self.record(Some(head), &last, now, objects, intent)
    }

    fn finish(
        &self,
        recorded: &Recorded,
        conflicts: &[Conflict],
        kept: &[(RelPath, Content)],
        time: Time,
    ) -> Result<()> {
        if self.history.get(Ref::Branch)? != Some(recorded.parent) {
            return Err(history("finish", "something else moved its branch"));
        }
        let mut tip = recorded.id;
        if !conflicts.is_empty() {
            tip = self.keep(recorded.id, conflicts, kept, time)?;
        }
        self.history.set(Ref::Branch, tip)?;
        self.history.drop_pending()?;
        failpoint::step();
        Ok(())
    }

    /// A commit on top of an operation that keeps what someone else wrote at the same moment, and says which
    /// files the operation left to them.
    fn keep(&self, of: Oid, conflicts: &[Conflict], kept: &[(RelPath, Content)], time: Time) -> Result<Oid> {
        let commit = self.history.commit(of)?;
        let mut objects = Objects::default();
        let mut record = Record::new(Kind::Kept, "kept what someone else wrote at the same moment");
        record.of = Some(of.to_string());
        for conflict in conflicts {
            let path = Bytes::from_path(conflict.path.as_path());
            record.changes.push(Changed { path, before: None, after: None, purged: false });
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
        let draft = Draft { files, parked, record: &record, kept: &blobs, parent: Some(of), time };
        let id = draft.add_to(&mut objects)?;
        objects.write(&self.history.packs())?;
        Ok(id)
    }
}

/// What a plan asks for, checked against the files as they are now.
pub(super) fn decide(session: &Session, plan: &Plan, now: Time) -> Result<Intent> {
    if plan.changes.is_empty() && plan.parked.is_none() {
        return Err(StoreError::fault("there is nothing to do", ""));
    }
    let mut seen = HashSet::new();
    let mut changes = Vec::with_capacity(plan.changes.len());
    let mut different = Vec::new();
    for change in &plan.changes {
        if !seen.insert(change.path.clone()) {
            let name = shown(change.path.as_path());
            return Err(StoreError::fault(format!("{name} is named twice; nothing was done"), ""));
        }
        let here = session.root.find(&change.path).map_err(|error| swap::unlike(&change.path, &error))?;
        let here = here.map(|found| found.state);
        let content = |state: Option<&FileState>| state.map(|state| state.content.clone());
        if content(here.as_ref()) == content(change.before.as_ref()) {
            changes.push(Change { before: here, ..change.clone() });
        } else {
            different.push(describe(change, here.as_ref()));
        }
    }
    if !different.is_empty() {
        return Err(StoreError::conflict(
            format!("{}; nothing was done", different.join(", ")),
            "look at the store as it is now, then decide again",
        ));
    }
    let verb = serde_json::to_value(plan.verb).ok().and_then(|verb| verb.as_str().map(str::to_owned));
    Ok(Intent {
        kind: Kind::Operation,
        verb,
        message: plan.message.clone(),
        of: None,
        changes,
        parked: plan.parked.clone(),
        time: now,
        tag: tag(now),
    })
}

fn describe(change: &Change, here: Option<&FileState>) -> String {
    let name = shown(change.path.as_path());
    match (&change.before, here.map(|state| &state.content)) {
        (None, _) => format!("{name} exists already"),
        (Some(_), None) => format!("{name} is gone"),
        (Some(FileState { content: Content::File(_), .. }), Some(Content::Link(target))) => {
            format!("{name} is a link to {}, which is never written through", shown(target))
        }
        _ => format!("{name} was changed by someone else"),
    }
}

/// A word that no other operation has, for the names of its temporary files.
pub(super) fn tag(now: Time) -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let clock = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let text = format!("{} {count} {now} {clock:?}", std::process::id());
    id_of(ObjectType::Blob, text.as_bytes()).to_string().chars().take(12).collect()
}

const HALF: &str = "it is half done, and will be completed when memcurator opens this store again";

/// Our change of the index, made on what someone else wrote.
pub(super) fn rebase(change: &Change, theirs: &FileState) -> Result<Option<FileState>> {
    merge::rebase(change.before.as_ref(), change.after.as_ref(), theirs).map(|merge| merge.state).ok_or_else(
        || {
            StoreError::conflict(
                format!("{} is a symbolic link now", shown(change.path.as_path())),
                "look at where it leads",
            )
        },
    )
}

/// Puts what the files hold before the operation among the new objects, and says where they belong.
fn put_before(changes: &[Change], objects: &mut Objects) -> Result<Vec<(std::path::PathBuf, Entry)>> {
    let mut entries = Vec::new();
    for change in changes {
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

fn record_of(intent: &Intent) -> Record {
    let state = |state: &FileState| State {
        blob: id_of(ObjectType::Blob, blob_bytes(&state.content)).to_string(),
        link: matches!(state.content, Content::Link(_)),
        mode: state.mode,
        mtime: state.mtime.map(to_pair),
    };
    let mut record = Record::new(intent.kind, &intent.message);
    record.verb.clone_from(&intent.verb);
    record.of = intent.of.map(|id| id.to_string());
    record.tag.clone_from(&intent.tag);
    record.changes = intent
        .changes
        .iter()
        .map(|change| Changed {
            path: Bytes::from_path(change.path.as_path()),
            before: change.before.as_ref().map(state),
            after: change.after.as_ref().map(state),
            purged: false,
        })
        .collect();
    record
}

fn outside(is_first: bool, last: &Files, now: &Files) -> Record {
    if is_first {
        return Record::new(Kind::Outside, format!("found a store of {} files", now.len()));
    }
    let (message, paths) = survey::difference(last, now);
    let mut record = Record::new(Kind::Outside, message);
    for path in paths {
        let path = Bytes::from_path(path.as_path());
        record.changes.push(Changed { path, before: None, after: None, purged: false });
    }
    record
}

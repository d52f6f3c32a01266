//! The queue of proposals: two files each, outside the memory directory, and beside them those that were rejected or
//! approved. Where the `.json` is decides where a proposal is; it is written last and removed first. What agents leave in
//! `.agent/pending/` waits there too, until it is decided on.

mod dropped;
mod files;
mod forget;

pub(super) use forget::Settled;

use super::error::{Result, reason};
use super::lock::Lock;
use super::{Places, StoreError};
use crate::memory::Time;
use crate::memory::text::visible;
use crate::review::proposal::{self, MAX_BYTES, MAX_JSON, Proposal, Waiting};
use chrono::SecondsFormat;
use dropped::{Inlet, Left};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

/// The proposals of one store.
#[derive(Debug, Clone)]
pub struct Queue {
    pending: PathBuf,
    rejected: PathBuf,
    approved: PathBuf,
    /// What is kept for the store, when the queue is in it: those directories are ours to make private.
    home: Option<PathBuf>,
    /// Where agents leave files for it, when the store is in the layout `agent`.
    inlet: Option<Inlet>,
}

/// A proposal that was rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    /// What it was.
    pub what: Waiting,
    /// When it was rejected.
    pub time: Option<Time>,
    /// Why, in the person's words.
    pub reason: Option<String>,
    /// By which it is known again ([`Proposal::key`]), also when its content was purged; `None`: it can't be read.
    pub key: Option<String>,
}

/// So many approved ones are kept, for undo to bring them back.
const KEPT: usize = 500;

/// How often the queue is read anew while it changes.
const TRIES: usize = 20;

impl Queue {
    /// The queue of the store at this real path, which need not exist yet. Nothing is made on the disk.
    #[must_use]
    pub fn of(places: &Places, root: &Path) -> Self {
        let root = files::real(root);
        Self::of_store(&places.of_store(&root), &root)
    }

    /// The queue of the store at this real path, in what is kept for it.
    pub(super) fn of_store(home: &Path, root: &Path) -> Self {
        Self { inlet: Inlet::beside(root), ..Self::in_home(home) }
    }

    /// The queue in what is kept for a store, without what lies beside the store.
    pub(super) fn in_home(home: &Path) -> Self {
        Self { home: Some(home.to_path_buf()), ..Self::at(home) }
    }

    /// The queue in a directory: `pending/`, `rejected/` and `approved/` in it.
    #[must_use]
    pub fn at(dir: &Path) -> Self {
        let part = |name: &str| dir.join(name);
        let (pending, rejected, approved) = (part("pending"), part("rejected"), part("approved"));
        Self { pending, rejected, approved, home: None, inlet: None }
    }

    /// The directory of the proposals that wait.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.pending
    }

    /// The directories where something comes that waits.
    #[must_use]
    pub fn dirs(&self) -> Vec<PathBuf> {
        let inlet = self.inlet.as_ref().map(|inlet| inlet.dir().to_path_buf());
        std::iter::once(self.pending.clone()).chain(inlet).collect()
    }

    /// The file of one that waits: the memory as it would be, or of a deletion the `.json`.
    #[must_use]
    pub fn file_of(&self, one: &Waiting) -> PathBuf {
        let left = self.inlet.as_ref().filter(|_| dropped::is_left(one.id())).and_then(|inlet| {
            let left = inlet.read().into_iter().find(|left| left.waiting.id() == one.id())?;
            Some(inlet.dir().join(left.name))
        });
        left.unwrap_or_else(|| {
            let has_text = one.proposal().is_none_or(|one| one.bytes.is_some());
            self.pending.join(format!("{}.{}", one.id(), if has_text { "md" } else { "json" }))
        })
    }

    /// How many wait: mostly by the names alone, fast enough for a shell prompt.
    #[must_use]
    pub fn count(&self) -> usize {
        let queued = self.waiting_names().map_or(0, |names| names.len());
        // What is left beside the store may be known already: that has to be read.
        match self.inlet.as_ref().is_some_and(|inlet| !inlet.read().is_empty()) {
            true => self.list().map_or(queued, |all| all.len()),
            false => queued,
        }
    }

    /// Everything that waits, the oldest first; behind it what agents left beside the store. Writes nothing.
    ///
    /// # Errors
    /// When the directory is there and can't be read.
    pub fn list(&self) -> Result<Vec<Waiting>> {
        let mut names = self.waiting_names()?;
        let mut all: Vec<Waiting> = Vec::new();
        // One that takes the place of another meanwhile must not be missed with it.
        for _ in 0..TRIES {
            all = names.iter().map(|(id, found)| read(&self.pending, id, *found)).collect();
            let now = self.waiting_names()?;
            if now == names {
                break;
            }
            names = now;
        }
        let (left, _) = self.left(&all)?;
        // Half a copy, from when the program was killed: the file is there still.
        all.retain(|one| !left.iter().any(|left| left.waiting.id() == one.id()));
        all.extend(left.into_iter().map(|left| left.waiting));
        Ok(all)
    }

    /// The names of files that agents left beside the store and that don't wait, since the same waits already or was
    /// rejected before.
    ///
    /// # Errors
    /// When a directory is there and can't be read.
    pub fn known_already(&self) -> Result<Vec<String>> {
        let names = self.waiting_names()?;
        let queued: Vec<Waiting> =
            names.into_iter().map(|(id, found)| read(&self.pending, &id, found)).collect();
        Ok(self.left(&queued)?.1)
    }

    /// What agents left beside the store: what waits, and the names of what is known already.
    fn left(&self, queued: &[Waiting]) -> Result<(Vec<Left>, Vec<String>)> {
        let all = self.inlet.as_ref().map(Inlet::read).unwrap_or_default();
        if all.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        let mut known: HashSet<String> =
            queued.iter().filter_map(Waiting::proposal).map(Proposal::key).collect();
        known.extend(self.rejected()?.into_iter().filter_map(|one| one.key));
        // One that was taken and whose file did not go is in the queue; half a copy is none.
        let mut taken: HashMap<String, Found> = HashMap::new();
        for dir in [&self.pending, &self.rejected, &self.approved] {
            taken.extend(names(dir)?);
        }
        let is_taken =
            |one: &Waiting| taken.get(one.id()).is_some_and(|found| found.json || one.proposal().is_none());
        let (mut waits, mut others) = (Vec::new(), Vec::new());
        for left in all {
            if is_taken(&left.waiting) {
                continue;
            }
            match left.waiting.proposal().is_none_or(|one| known.insert(one.key())) {
                true => waits.push(left),
                false => others.push(left.name),
            }
        }
        Ok((waits, others))
    }

    /// Takes what an agent left beside the store into the queue, since it is decided on. Only who has the store's lock may.
    fn take_in(&self, id: &str) -> Result<()> {
        let Some(inlet) = self.inlet.as_ref().filter(|_| dropped::is_left(id)) else { return Ok(()) };
        self.make_home()?;
        inlet.take(id, &self.pending).map(drop)
    }

    /// Those that were rejected, the latest first.
    ///
    /// # Errors
    /// When the directory is there and can't be read.
    pub fn rejected(&self) -> Result<Vec<Rejected>> {
        let names = names(&self.rejected)?;
        let mut all: Vec<Rejected> =
            names.into_iter().map(|(id, found)| self.read_rejected(&id, found)).collect();
        all.sort_by(|a, b| b.time.cmp(&a.time).then_with(|| a.what.id().cmp(b.what.id())));
        Ok(all)
    }

    /// Puts proposals at the end of the queue: all of them or none. Gives them with their ids.
    ///
    /// # Errors
    /// When one can't be written; those that were are removed again.
    pub fn add(&self, proposals: &[Proposal], now: Time) -> Result<Vec<Proposal>> {
        self.make_home()?;
        let mut done = Vec::with_capacity(proposals.len());
        let second = now.format("%Y%m%d-%H%M%S").to_string();
        let first = self.next_number(&second)?;
        for (number, proposal) in (first..).zip(proposals) {
            let proposal = Proposal { id: new_id(proposal, &second, number), ..proposal.clone() };
            let json = files::to_bytes(&proposal.to_json());
            if let Err(error) =
                files::put(&self.pending, &proposal.id, proposal.bytes.as_deref(), Some(&json))
            {
                for one in done.iter().chain([&proposal]) {
                    let one: &Proposal = one;
                    let _ = files::remove(&self.pending, &one.id);
                }
                return Err(StoreError::io(
                    "store a proposal in",
                    &self.pending,
                    &error,
                    "none of them was stored",
                ));
            }
            done.push(proposal);
        }
        Ok(done)
    }

    /// Puts one at the end of the queue; with an id it takes the place of the one that waits under it, as another one: a
    /// decision on what a person saw before is none on this.
    ///
    /// # Errors
    /// When it can't be written; the other one waits then. When that can't be removed, both do.
    pub fn renew(&self, proposal: &Proposal, now: Time) -> Result<()> {
        self.add(std::slice::from_ref(proposal), now)?;
        self.withdraw(&proposal.id)
    }

    /// Gives a proposal that waits other bytes, as after an edit or when parts of it were taken.
    ///
    /// # Errors
    /// When it waits no more, or can't be written; it is then as before.
    pub fn replace(&self, proposal: &Proposal) -> Result<()> {
        let _lock = self.lock()?;
        self.must_wait(&proposal.id)?;
        let cannot =
            |error| StoreError::io("change the proposal", &self.pending.join(&proposal.id), &error, "");
        let old = files::read_json(&self.pending, &proposal.id).unwrap_or_default();
        let mut json = proposal.to_json();
        // Keys that only others know stay.
        if let (Value::Object(new), Some(old)) = (&mut json, old.as_object()) {
            for (key, value) in old {
                if !new.contains_key(key) && !["reason", "index_line"].contains(&key.as_str()) {
                    new.insert(key.clone(), value.clone());
                }
            }
        }
        files::put(&self.pending, &proposal.id, proposal.bytes.as_deref(), Some(&files::to_bytes(&json)))
            .map_err(cannot)
    }

    /// Rejects one; it is kept, so that it is known again, and can be taken back.
    ///
    /// # Errors
    /// When it waits no more, or can't be moved; it waits still then.
    pub fn reject(&self, id: &str, reason: Option<&str>, now: Time) -> Result<()> {
        let _lock = self.lock()?;
        self.must_wait(id)?;
        let note = json!({ "time": stamp(now), "reason": reason });
        self.carry(id, &self.pending, &self.rejected, Some(("rejected", note)))
    }

    /// Takes one out of the queue for good: whoever proposed it took it back.
    ///
    /// # Errors
    /// When it can't be removed.
    pub fn withdraw(&self, id: &str) -> Result<()> {
        if !is_id(id) {
            return Ok(());
        }
        files::remove(&self.pending, id).map_err(|error| {
            StoreError::io("withdraw the proposal", &self.pending.join(id), &error, "it waits")
        })
    }

    /// Takes a rejection back: the proposal waits again.
    ///
    /// # Errors
    /// When none of this id was rejected, its content was purged, or it can't be moved.
    pub fn take_back(&self, id: &str) -> Result<()> {
        let _lock = self.lock()?;
        if !names(&self.rejected)?.contains_key(id) {
            return Err(unknown(id, "was rejected", "`pending rejected` lists those that were"));
        }
        if self.purged_key(id).is_some() {
            let file = super::error::shown(&self.rejected.join(format!("{id}.json")));
            return Err(StoreError::conflict(
                format!(
                    "the content of proposal `{}` was purged, so it can't wait again; nothing was done",
                    visible(id, false)
                ),
                format!("when {file} is removed, the same may be proposed anew"),
            ));
        }
        self.carry(id, &self.rejected, &self.pending, None)
    }

    /// Moves one that was approved out of the queue, once its operation is in the history.
    ///
    /// # Errors
    /// When it can't be moved; being done, it is not applied again.
    pub fn settle(&self, id: &str, now: Time) -> Result<()> {
        let _lock = self.lock()?;
        self.put_away(id, now)
    }

    /// As [`Queue::settle`], by the one who has the store's lock.
    pub(super) fn put_away(&self, id: &str, now: Time) -> Result<()> {
        self.take_in(id)?;
        if !names(&self.pending)?.contains_key(id) {
            return Ok(());
        }
        self.carry(id, &self.pending, &self.approved, Some(("approved", json!({ "time": stamp(now) }))))?;
        let old = names(&self.approved)?;
        for id in old.keys().take(old.len().saturating_sub(KEPT)) {
            let _ = files::remove(&self.approved, id);
        }
        Ok(())
    }

    /// Brings back one whose approval was undone.
    ///
    /// # Errors
    /// When it can't be moved.
    pub(super) fn unsettle(&self, id: &str) -> Result<()> {
        if !is_id(id) || !names(&self.approved)?.contains_key(id) {
            return Ok(());
        }
        self.carry(id, &self.approved, &self.pending, None)
    }

    /// The names in the queue, those left out that an interrupted move has already settled.
    fn waiting_names(&self) -> Result<BTreeMap<String, Found>> {
        let mut names = names(&self.pending)?;
        for dir in [&self.rejected, &self.approved] {
            if !names.is_empty() {
                let there = self::names(dir)?;
                names.retain(|id, _| !there.get(id).is_some_and(|found| found.json));
            }
        }
        Ok(names)
    }

    /// An error when it waits no more. Only who has the store's lock knows that it stays so.
    pub(super) fn must_wait(&self, id: &str) -> Result<()> {
        self.take_in(id)?;
        if self.waiting_names()?.contains_key(id) {
            return Ok(());
        }
        Err(unknown(id, "waits", "`pending list` lists those that do"))
    }

    /// The store's lock: what becomes of a proposal is decided by one at a time.
    fn lock(&self) -> Result<Option<Lock>> {
        self.home.as_deref().map(Lock::take).transpose()
    }

    fn make_home(&self) -> Result<()> {
        let Some(home) = &self.home else { return Ok(()) };
        super::places::make_home(home)
            .map_err(|error| StoreError::io("make", home, &error, "nothing was done"))
    }

    /// Moves one: first the copy, the `.json` last; then the `.json` here, then the `.md`. What is faulty is not read
    /// whole for sure: its files are renamed, whatever they are.
    fn carry(&self, id: &str, from: &Path, to: &Path, note: Option<(&str, Value)>) -> Result<()> {
        let moved = || -> std::io::Result<()> {
            let here = Found { json: true, bytes: true };
            let (Waiting::Proposal(proposal), Some(Value::Object(mut keys))) =
                (read(from, id, here), files::read_json(from, id))
            else {
                return files::rename(from, to, id);
            };
            keys.shift_remove("rejected");
            keys.shift_remove("approved");
            if let Some((key, note)) = note {
                keys.insert(key.to_owned(), note);
            }
            let json = files::to_bytes(&Value::Object(keys));
            files::put(to, id, proposal.bytes.as_deref(), Some(&json))?;
            files::remove(from, id)
        };
        moved().map_err(|error| {
            StoreError::io("move the proposal", &from.join(id), &error, "it is where it was")
        })
    }

    fn read_rejected(&self, id: &str, found: Found) -> Rejected {
        let note = files::read_json(&self.rejected, id).and_then(|json| json.get("rejected").cloned());
        let text = |key: &str| note.as_ref().and_then(|note| note.get(key)?.as_str().map(str::to_owned));
        let purged = self.purged_key(id);
        let what = match &purged {
            None => read(&self.rejected, id, found),
            Some(_) => Waiting::Faulty(proposal::Faulty {
                id: id.to_owned(),
                fault: "its content was purged; it is known by its hash".into(),
                bytes: None,
            }),
        };
        Rejected {
            key: purged.or_else(|| what.proposal().map(Proposal::key)),
            what,
            time: text("time").and_then(|time| crate::memory::dates::parse(&time)),
            reason: text("reason"),
        }
    }

    /// The number behind those that came in the same second, wherever they are by now.
    fn next_number(&self, second: &str) -> Result<usize> {
        let number = |id: &String| -> Option<usize> {
            id.strip_prefix(second)?.strip_prefix('-')?.split('-').next()?.parse().ok()
        };
        let mut next = 0;
        for dir in [&self.pending, &self.rejected, &self.approved] {
            next = next.max(names(dir)?.keys().filter_map(number).max().map_or(0, |last| last + 1));
        }
        Ok(next)
    }
}

/// A name that no other has. Names sort in the order in which the proposals came.
fn new_id(proposal: &Proposal, second: &str, number: usize) -> String {
    let clock = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let text = format!("{} {number} {clock:?} {}", std::process::id(), proposal.key());
    let hash: String = proposal::sha256(text.as_bytes()).chars().take(8).collect();
    format!("{second}-{number:04}-{hash}")
}

/// Which of a proposal's two files there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Found {
    json: bool,
    bytes: bool,
}

/// The ids in a directory.
fn names(dir: &Path) -> Result<BTreeMap<String, Found>> {
    let mut names: BTreeMap<String, Found> = BTreeMap::new();
    let entries = match std::fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(names),
        Err(error) => return Err(StoreError::io("read the proposals in", dir, &error, "")),
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some((stem, extension)) = name.to_str().and_then(|name| name.rsplit_once('.')) else { continue };
        if !is_id(stem) {
            continue;
        }
        match extension {
            "json" => names.entry(stem.to_owned()).or_default().json = true,
            "md" => names.entry(stem.to_owned()).or_default().bytes = true,
            _ => {}
        }
    }
    Ok(names)
}

/// Whether a text can name a proposal's files; hidden ones are temporary.
fn is_id(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('.') && !text.contains(['/', '\0'])
}

fn read(dir: &Path, id: &str, found: Found) -> Waiting {
    let part = |is_there: bool, extension: &str, most: usize| match is_there {
        true => files::read(dir, &format!("{id}.{extension}"), most),
        false => Ok(None),
    };
    match (part(found.json, "json", MAX_JSON), part(found.bytes, "md", MAX_BYTES)) {
        (Ok(json), Ok(bytes)) => proposal::read(id, json.as_deref(), bytes.as_deref()),
        (Err(error), _) | (_, Err(error)) => Waiting::Faulty(proposal::Faulty {
            id: id.to_owned(),
            fault: format!("its files can't be read: {}", reason(&error)),
            bytes: None,
        }),
    }
}

fn unknown(id: &str, what: &str, hint: &str) -> StoreError {
    let id = visible(id, false);
    StoreError::conflict(format!("no proposal `{id}` {what}; nothing was done"), hint)
}

fn stamp(time: Time) -> String {
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}

#[cfg(test)]
mod tests;

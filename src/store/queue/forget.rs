//! What a purge of the history takes out of the queue: content that was rejected or approved is to be nowhere. That
//! something was rejected stays known, by a hash: it does not wait again.

use super::{Queue, Result, StoreError, Waiting, files, json, names, read};
use crate::memory::Time;
use crate::memory::dates;
use crate::memory::path::RelPath;
use crate::review::proposal::Proposal;
use crate::store::staged;
use std::collections::BTreeSet;
use std::path::Path;

/// What is to be forgotten.
#[derive(Debug, Clone, Copy)]
pub(in crate::store) enum Settled<'a> {
    /// What was settled about a memory.
    About(&'a RelPath),
    /// What was settled before a time.
    Before(Time),
    /// All of it.
    All,
}

/// The key under which the hash of what was purged stands.
const PURGED: &str = "purged";

impl Queue {
    /// The memories that proposals are about, those that wait and those that are settled.
    ///
    /// # Errors
    /// When a directory is there and can't be read.
    pub fn targets(&self) -> Result<BTreeSet<RelPath>> {
        let mut all = BTreeSet::new();
        for dir in [&self.pending, &self.rejected, &self.approved] {
            for (id, found) in names(dir)? {
                all.extend(target(dir, &id, &read(dir, &id, found)));
            }
        }
        Ok(all)
    }

    /// Removes for good what was settled about a memory, or about all, where there is no store and so no history; says
    /// in words what was removed.
    ///
    /// # Errors
    /// When another memcurator is at it, or a file can't be removed.
    pub fn purge(&self, about: Option<&RelPath>) -> Result<String> {
        let mut has_any = false;
        for dir in [&self.pending, &self.rejected, &self.approved] {
            has_any |= !names(dir)?.is_empty();
        }
        // Without a proposal nothing is made on the disk.
        let _lock = if has_any { self.lock()? } else { None };
        let said = self.forget(about.map_or(Settled::All, Settled::About))?;
        Ok(format!("there is no history yet{said}"))
    }

    /// Removes for good what was settled before a time, where there is no history; says in words what was removed.
    ///
    /// # Errors
    /// As [`Queue::purge`].
    pub fn purge_before(&self, time: Time) -> Result<String> {
        let has_any = !names(&self.approved)?.is_empty() || !names(&self.rejected)?.is_empty();
        let _lock = if has_any { self.lock()? } else { None };
        let said = self.forget(Settled::Before(time))?;
        Ok(format!("there is no history yet{said}"))
    }

    /// Forgets what was settled. Says how many of these went, and how many wait still:
    /// the end of a sentence.
    pub(in crate::store) fn forget(&self, which: Settled<'_>) -> Result<String> {
        let mut gone = 0;
        for dir in [&self.approved, &self.rejected] {
            for (id, found) in names(dir)? {
                let what = read(dir, &id, found);
                let is_kept = dir == &self.rejected && self.purged_key(&id).is_some();
                let cannot = |error| StoreError::io("delete", &dir.join(&id), &error, "");
                if is_kept {
                    // A purge that was killed left the text.
                    files::remove_text(dir, &id).map_err(cannot)?;
                    continue;
                }
                let goes = match which {
                    Settled::About(path) => is_about(Some(path), dir, &id, &what),
                    Settled::Before(time) => settled_at(dir, &id).is_none_or(|at| at < time),
                    Settled::All => true,
                };
                if !goes {
                    continue;
                }
                let key = what.proposal().filter(|_| dir == &self.rejected).map(Proposal::key);
                match key {
                    Some(key) => self.keep_key(&id, &key).map_err(cannot)?,
                    None => files::remove(dir, &id).map_err(cannot)?,
                }
                gone += 1;
            }
        }
        let about = match which {
            Settled::About(path) => Some(path),
            Settled::Before(_) | Settled::All => None,
        };
        let mut waits = 0;
        for (id, found) in self.waiting_names()? {
            let counts = !matches!(which, Settled::Before(_));
            waits +=
                usize::from(counts && is_about(about, &self.pending, &id, &read(&self.pending, &id, found)));
        }
        for left in self.left(&[])?.0 {
            let is_about = |about: &RelPath| left.waiting.proposal().is_some_and(|one| one.target == *about);
            waits += usize::from(about.is_none_or(is_about));
        }
        // As long as what a session made of the index waits, the next write of the index stands on it.
        let of_index = |one: &Waiting| one.proposal().is_some_and(|one| one.target.is_index());
        let is_waiting = self.list()?.iter().any(of_index);
        if let (Some(home), false, false) = (&self.home, is_waiting, matches!(which, Settled::Before(_))) {
            staged::forget(home)
                .map_err(|error| StoreError::io("delete what is kept in", home, &error, ""))?;
        }
        let mut said = String::new();
        if gone > 0 {
            let of_it = if about.is_some() { " of it" } else { "" };
            said.push_str(&format!("; {gone} settled proposal(s){of_it} are removed too"));
        }
        if waits > 0 {
            let about = if about.is_some() { " about it" } else { "" };
            said.push_str(&format!(
                "; {waits} proposal(s){about} still wait and stay: reject them, then purge again"
            ));
        }
        Ok(said)
    }

    /// Puts the hash by which it is known in the place of one that was rejected, then removes the text: killed in
    /// between, the next purge removes that.
    fn keep_key(&self, id: &str, key: &str) -> std::io::Result<()> {
        let time =
            files::read_json(&self.rejected, id).and_then(|json| json.get("rejected")?.get("time").cloned());
        let left = json!({ PURGED: key, "rejected": { "time": time } });
        files::put(&self.rejected, id, None, Some(&files::to_bytes(&left)))?;
        files::remove_text(&self.rejected, id)
    }

    /// The hash of one that was rejected and whose content was purged.
    pub(super) fn purged_key(&self, id: &str) -> Option<String> {
        files::read_json(&self.rejected, id)?.get(PURGED)?.as_str().map(str::to_owned)
    }
}

/// When a proposal was approved or rejected; `None`: nobody wrote it down.
fn settled_at(dir: &Path, id: &str) -> Option<Time> {
    let json = files::read_json(dir, id)?;
    let note = json.get("approved").or_else(|| json.get("rejected"))?;
    dates::parse(note.get("time")?.as_str()?)
}

fn is_about(about: Option<&RelPath>, dir: &Path, id: &str, what: &Waiting) -> bool {
    about.is_none_or(|about| target(dir, id, what).is_some_and(|target| target == *about))
}

/// The memory that one is about; of a faulty one what its `.json` says, when that can be read.
fn target(dir: &Path, id: &str, what: &Waiting) -> Option<RelPath> {
    match what {
        Waiting::Proposal(proposal) => Some(proposal.target.clone()),
        Waiting::Faulty(_) => RelPath::new(files::read_json(dir, id)?.get("target")?.as_str()?),
    }
}

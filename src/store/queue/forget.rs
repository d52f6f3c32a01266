//! What a purge of the history takes out of the queue: content that was rejected or approved is to be nowhere. That
//! something was rejected stays known, by a hash: it does not wait again.

use super::{Queue, Result, StoreError, Waiting, files, json, names, read};
use crate::memory::path::RelPath;
use crate::review::proposal::Proposal;
use std::collections::BTreeSet;
use std::path::Path;

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
        let said = self.forget(about)?;
        Ok(format!("there is no history yet{said}"))
    }

    /// Forgets what was settled about a memory, or about all. Says how many of these went, and how many wait still:
    /// the end of a sentence.
    pub(in crate::store) fn forget(&self, about: Option<&RelPath>) -> Result<String> {
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
                if !is_about(about, dir, &id, &what) {
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
        let mut waits = 0;
        for (id, found) in self.waiting_names()? {
            waits += usize::from(is_about(about, &self.pending, &id, &read(&self.pending, &id, found)));
        }
        for left in self.left(&[])?.0 {
            let is_about = |about: &RelPath| left.waiting.proposal().is_some_and(|one| one.target == *about);
            waits += usize::from(about.is_none_or(is_about));
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

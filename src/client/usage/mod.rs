//! Which memories the sessions of a project read, and what became of the index, out of the client's transcripts. Each
//! byte is read once: what was found is kept in the cache by file, and reading goes on where it ended.
//!
//! A memory counts as read when the `Read` tool gave it to a session or a sub-agent, or when it was loaded because of
//! another file. What a shell command printed is not counted.

mod cache;
mod file;

use crate::client::transcript::{Counts, Scope, Transcript};
use crate::client::writes::Roots;
use crate::memory::path::RelPath;
use crate::prompt::usage::{IndexLoad, Recalls, Session, Usage};
use file::FileUse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

/// How far reading is, in bytes of the transcripts that have to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// So many are read.
    pub done: u64,
    /// Of so many.
    pub of: u64,
}

/// Reads the transcripts of a store, as far as they are not in the cache yet. `go_on` is told how far it is, about every
/// megabyte, and stops it with `false`: then the answer is `None`, and what was read is kept.
///
/// `cache` is memcurator's cache directory; `key` names the store in it. A cache that is damaged, or can't be written,
/// is as good as none.
pub fn read(
    scope: &Scope<'_>,
    cache: &Path,
    key: &str,
    go_on: &mut dyn FnMut(Progress) -> bool,
) -> Option<Usage> {
    let cache = cache.join("usage").join(format!("{key}.json"));
    let real = std::fs::canonicalize(&scope.store.dir).ok();
    let roots = Roots::new([Some(scope.store.dir.clone()), real].into_iter().flatten());
    let mut known = cache::load(&cache);
    let transcripts = scope.transcripts(None);
    let mut plan: Vec<(Transcript, FileUse)> = Vec::with_capacity(transcripts.len());
    for transcript in transcripts {
        let old = known.remove(&transcript.path).filter(|old| old.goes_on(&transcript));
        plan.push((transcript, old.unwrap_or_default()));
    }
    let of = plan.iter().map(|(transcript, old)| old.rest(transcript)).sum();
    let mut done = 0;
    let mut is_changed = !known.is_empty();
    let mut is_stopped = false;
    let mut notes = Vec::new();
    for (transcript, used) in &mut plan {
        let rest = used.rest(transcript);
        if is_stopped || rest == 0 {
            continue;
        }
        is_changed = true;
        let read = used.read(transcript, &roots, &mut |bytes| go_on(Progress { done: done + bytes, of }));
        match read {
            Ok(true) => {}
            Ok(false) => is_stopped = true,
            Err(error) => notes.push(format!("{}: {error}; it is left out", transcript.path.display())),
        }
        done += rest;
    }
    if is_changed {
        // A cache that can't be written costs time the next time, and nothing else.
        let _ = cache::save(&cache, plan.iter().map(|(transcript, used)| (&*transcript.path, used)));
    }
    (!is_stopped).then(|| summed(&plan, notes))
}

/// What all transcripts come to. A call that stands in several (a session that was resumed in a new file) counts once.
fn summed(plan: &[(Transcript, FileUse)], mut notes: Vec<String>) -> Usage {
    let mut seen = HashSet::new();
    let mut by_memory: BTreeMap<RelPath, (Recalls, BTreeSet<&str>)> = BTreeMap::new();
    let mut counts = Counts::default();
    let mut sessions: HashMap<&str, Session> = HashMap::new();
    // The oldest first: a resumed session has what went before, which belongs to the one where it happened.
    for (transcript, used) in plan.iter().rev() {
        counts.add(used.counts());
        for read in &used.reads {
            let Some(path) = RelPath::new(&read.path).filter(|_| seen.insert((&read.path, &read.id))) else {
                continue;
            };
            let (recalls, sessions) = by_memory.entry(path).or_default();
            recalls.times += 1;
            recalls.last = recalls.last.max(read.time);
            sessions.insert(&transcript.session);
        }
        if !transcript.is_agent {
            let session = Session {
                id: transcript.session.clone(),
                start: used.start,
                version: used.version.clone(),
                index: used.index,
            };
            // One that was resumed in another directory has a second file; it began with the first.
            let known = sessions.entry(&transcript.session).or_insert_with(|| session.clone());
            if known.index == IndexLoad::Unknown {
                known.index = session.index;
            }
        }
    }
    notes.extend(Some(counts.words()).filter(|words| !words.is_empty()));
    let mut sessions: Vec<Session> = sessions.into_values().collect();
    sessions.sort_by(|a, b| b.start.cmp(&a.start).then_with(|| a.id.cmp(&b.id)));
    let by_memory = by_memory
        .into_iter()
        .map(|(path, (recalls, sessions))| (path, Recalls { sessions: sessions.len(), ..recalls }))
        .collect();
    Usage { by_memory, sessions, notes }
}

#[cfg(test)]
mod tests;

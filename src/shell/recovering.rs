//! Memory writes that transcripts show as refused, as proposals that nobody has made yet: for the command, and for the
//! Inbox to offer.

use crate::client::transcript::recover::{Lost, Recovered};
use crate::client::transcript::{Transcript, refused};
use crate::client::writes::Roots;
use crate::memory::Time;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::review::proposal::{self, Action, Origin, Proposal, sha256};
use crate::store::{Places, Seen, StoreError};
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// What was found.
#[derive(Debug, Default)]
pub struct Recoverable {
    /// Proposals without an id, the oldest first.
    pub proposals: Vec<Proposal>,
    /// What can't be put together any more.
    pub lost: Vec<Lost>,
    /// What was odd on the way, in words.
    pub notes: Vec<String>,
    /// The tool calls that it comes from.
    ids: Vec<String>,
}

/// Looks through transcripts for refused writes into the store at `dir` that were neither staged nor recovered before, and
/// that the store does not hold by now. `given` is another name of the directory, where there is one.
#[must_use]
pub fn find(
    places: &Places,
    (dir, given): (&Path, Option<&Path>),
    snapshot: &Snapshot,
    transcripts: &[Transcript],
    now: Time,
) -> Recoverable {
    let real = std::fs::canonicalize(dir).ok();
    let names = [Some(dir.to_path_buf()), given.map(Path::to_path_buf), real];
    let roots = Roots::new(names.into_iter().flatten());
    let current = |path: &RelPath| -> Option<Arc<[u8]>> {
        if path.is_index() {
            return snapshot.index.as_ref().map(|file| Arc::clone(&file.bytes));
        }
        let found = snapshot.memories.iter().find(|memory| memory.path == *path);
        found.map(|memory| Arc::clone(&memory.bytes))
    };
    let found = refused::read(transcripts, &roots, &current);
    let known = Seen::of(places, dir).ids();
    let mut fresh = found.recovery.found;
    fresh.retain(|one| one.ids.iter().any(|id| !known.contains(id)));
    let mut lost = found.recovery.lost;
    lost.retain(|one| !known.contains(&one.id));
    Recoverable {
        proposals: fresh.iter().filter_map(|one| proposal_of(one, now)).collect(),
        ids: fresh
            .iter()
            .flat_map(|one| one.ids.iter().cloned())
            .collect::<HashSet<_>>()
            .into_iter()
            .collect(),
        lost,
        notes: found.notes,
    }
}

/// Remembers that what was found is queued now, so that it is not offered again whatever becomes of it.
///
/// # Errors
/// When it can't be written.
pub fn remember(places: &Places, dir: &Path, found: &Recoverable) -> Result<(), StoreError> {
    Seen::of(places, dir).add(found.ids.iter().map(String::as_str))
}

/// A recovered memory as a proposal; `None` for a path that can't be proposed.
fn proposal_of(one: &Recovered, now: Time) -> Option<Proposal> {
    let target = proposal::target(&one.target.to_str_lossy()).ok()?;
    let base = one.before.as_ref().map(|bytes| sha256(bytes));
    let stamp = &one.stamp;
    Some(Proposal {
        id: String::new(),
        action: if base.is_some() { Action::Change } else { Action::Add },
        target,
        base,
        origin: Origin {
            kind: "recover".into(),
            session: stamp.session.clone(),
            branch: stamp.branch.clone(),
            by: None,
        },
        time: Some(stamp.time.unwrap_or(now)),
        reason: Some("the session's transcript shows that this was refused".into()),
        index_line: one.index_line.clone(),
        bytes: Some(one.content.as_bytes().into()),
        alone: false,
        notes: Vec::new(),
    })
}

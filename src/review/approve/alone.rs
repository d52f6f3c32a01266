//! Approving a proposal about a file alone: that file is written or removed as the agent did it, and nothing else. So
//! are those of the API's memory tool, whose agents know of no index but the one that they write themselves.

use super::{Outcome, Stale, is_done_with, message, shown};
use crate::memory::snapshot::{Snapshot, Stat};
use crate::memory::text::visible;
use crate::review::new::Habit;
use crate::review::plan::{Change, Content, FileState, Plan, Refusal, Verb};
use crate::review::proposal::{Action, Proposal, sha256};
use std::sync::Arc;

/// See [`super::approve`].
pub(super) fn approve(snapshot: &Snapshot, proposal: &Proposal, anyway: bool) -> Result<Outcome, Refusal> {
    let here = file(snapshot, proposal);
    if let Some(link) = here.and_then(|(_, stat)| stat.link.as_ref()) {
        return Err(Refusal {
            what: format!(
                "{} is a link to {}, which is never written through; nothing was done",
                shown(&proposal.target),
                visible(&link.target.to_string_lossy(), false)
            ),
            hint: "replace the link by a file first".into(),
        });
    }
    if is_done_with(here.map(|(bytes, _)| bytes), proposal) {
        return Ok(Outcome::Done);
    }
    let base = proposal.base.as_deref();
    let why = match (proposal.action, here) {
        (Action::Add, Some(_)) => Some("was written by someone else"),
        (Action::Change, None) => Some("was deleted"),
        (Action::Change | Action::Delete, Some((bytes, _))) if base != Some(&*sha256(bytes)) => {
            Some("was changed")
        }
        _ => None,
    };
    if let Some(why) = why.filter(|_| !anyway) {
        let why = format!("{} {why} since this was proposed", shown(&proposal.target));
        return Ok(Outcome::Stale(Stale { why, current: here.map(|(bytes, _)| Arc::clone(bytes)) }));
    }
    let mode = here.map_or_else(|| Habit::of(snapshot).mode, |(_, stat)| stat.mode);
    let before = here.map(|(bytes, stat)| FileState {
        content: Content::File(Arc::clone(bytes)),
        mode: stat.mode,
        mtime: Some(stat.mtime),
    });
    let after = proposal.bytes.as_ref().map(|bytes| FileState {
        content: Content::File(Arc::clone(bytes)),
        mode,
        mtime: None,
    });
    let verb = match (&before, &after) {
        (_, None) => Verb::Delete,
        (None, Some(_)) => Verb::New,
        (Some(_), Some(_)) => Verb::Edit,
    };
    let changes = vec![Change { path: proposal.target.clone(), before, after }];
    Ok(Outcome::Ready(Box::new(Plan {
        verb,
        message: message(proposal),
        changes,
        outside: Vec::new(),
        parked: None,
        warnings: Vec::new(),
    })))
}

/// What the store holds of the file: a memory, the index, or one that is neither.
fn file<'a>(snapshot: &'a Snapshot, proposal: &Proposal) -> Option<(&'a Arc<[u8]>, &'a Stat)> {
    if proposal.target.is_index() {
        return snapshot.index.as_ref().map(|index| (&index.bytes, &index.stat));
    }
    let memories = snapshot.memories.iter().chain(&snapshot.beside);
    let mut here = memories.filter(|memory| memory.path == proposal.target);
    here.next().map(|memory| (&memory.bytes, &memory.stat))
}

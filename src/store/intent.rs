//! What is to be done, decided under the lock on the files as they are.

use super::error::{Result, shown};
use super::operation::Session;
use super::pack::id_of;
use super::place::Moved;
use super::record::{Bytes, Changed, Kind, Pair, Record, State};
use super::spot::{Change, Spot, changes_of};
use super::swap::{self, Temps};
use super::{StoreError, merge};
use crate::memory::Time;
use crate::memory::index::ParkedLine;
use crate::memory::path::RelPath;
use crate::review::index_file;
use crate::review::plan::{Content, FileState, Plan};
use git2::{ObjectType, Oid};
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// What is to be done, as decided under the lock.
#[derive(Debug, Clone)]
pub(super) struct Intent {
    pub kind: Kind,
    pub verb: Option<String>,
    pub message: String,
    /// The operation that is undone or redone.
    pub of: Option<Oid>,
    /// The proposal that is approved with it.
    pub proposal: Option<String>,
    /// The other half of a move between two stores.
    pub pair: Option<Pair>,
    /// `before` is what was found a moment ago.
    pub changes: Vec<Change>,
    /// What the index would hold without the operation, when that is not what was there before it.
    pub base: Option<FileState>,
    /// The parked lines from then on; `None`: as they are.
    pub parked: Option<Vec<ParkedLine>>,
    pub time: Time,
    /// The names of its temporary files.
    pub temps: Temps,
}

/// What a plan asks for, checked against the files as they are now.
pub(super) fn decide(session: &Session, plan: &Plan, now: Time) -> Result<Intent> {
    let asked = changes_of(plan);
    if asked.is_empty() && plan.parked.is_none() {
        return Err(StoreError::fault("there is nothing to do", ""));
    }
    let index = index_of(session);
    let mut seen = HashSet::new();
    let mut changes = Vec::with_capacity(asked.len());
    let mut different = Vec::new();
    for change in asked {
        if !seen.insert(change.path.clone()) {
            let name = shown(change.path.as_path());
            return Err(StoreError::fault(format!("{name} is named twice; nothing was done"), ""));
        }
        if !change.path.is_usable(&session.path) {
            let name = shown(change.path.as_path());
            return Err(StoreError::fault(
                format!("{name} is no file outside of the store; nothing was done"),
                "",
            ));
        }
        let here = session.root.find(&change.path).map_err(|error| swap::unlike(&change.path, &error))?;
        if FileState::same_content(here.as_ref(), change.before.as_ref()) {
            let mut after = keep_mode(change.before.as_ref(), here.as_ref(), change.after);
            let is_index = index.as_ref() == Some(&change.path);
            // The time of writing is that of the session's clock, which stands still in a demo.
            if let Some(after) = after.as_mut().filter(|_| !is_index) {
                after.mtime.get_or_insert(now);
            }
            changes.push(Change { path: change.path, before: here, after, is_index });
        } else if let Some(after) = on_appended(&change, here.as_ref(), index.as_ref()) {
            changes.push(Change { path: change.path, before: here, after: Some(after), is_index: true });
        } else {
            different.push(describe(&change, here.as_ref()));
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
        proposal: None,
        pair: None,
        changes,
        base: None,
        parked: match &plan.parked {
            Some(change) => Some(change.apply(&session.history.parked_now()?)),
            None => None,
        },
        time: now,
        temps: temps(now),
    })
}

/// The change of the index made on what it holds now, when all that someone else did to it since it was read is that
/// lines were put behind it: an agent does that at any time.
fn on_appended(change: &Change, here: Option<&FileState>, index: Option<&Spot>) -> Option<FileState> {
    let (before, after, here) = (change.before.as_ref()?, change.after.as_ref()?, here?);
    if index != Some(&change.path) {
        return None;
    }
    merge::appended(before, after, here)?;
    let merged = merge::rebase(Some(before), Some(after), here).filter(|made| made.conflicts.is_empty())?;
    keep_mode(Some(before), Some(here), merged.state)
}

/// Where the index is: `MEMORY.md`, or the file in the store that it is a link to.
fn index_of(session: &Session) -> Option<Spot> {
    let own = Spot::Inside(RelPath::index());
    match session.root.find(&own) {
        Ok(Some(FileState { content: Content::Link(target), .. })) => {
            index_file::inside(&session.path, &target).map(Spot::Inside)
        }
        _ => Some(own),
    }
}

/// The new state; its permission bits are those found just now, unless the plan changes them.
pub(super) fn keep_mode(
    from: Option<&FileState>,
    here: Option<&FileState>,
    to: Option<FileState>,
) -> Option<FileState> {
    to.map(|to| match (from, here) {
        (Some(from), Some(here)) if from.mode == to.mode => FileState { mode: here.mode, ..to },
        _ => to,
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

/// Names for temporary files that no other operation has.
pub(super) fn temps(now: Time) -> Temps {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let clock = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let text = format!("{} {count} {now} {clock:?}", std::process::id());
    let tag = id_of(ObjectType::Blob, text.as_bytes()).to_string().chars().take(12).collect();
    Temps { tag, generation: 0 }
}

/// Our change of the index, made on what someone else wrote, and what the index would then hold without it
/// (see [`Changed::base`]).
pub(super) fn moved_on(
    change: &Change,
    base: Option<&FileState>,
    moved: Moved,
) -> Result<(Change, Option<FileState>)> {
    let (before, ours, theirs) = (change.before.as_ref(), change.after.as_ref(), moved.theirs);
    let made_on = |from, to, onto: &FileState| match merge::rebase(from, to, onto) {
        Some(merge) => Ok(merge.state),
        None => {
            let name = shown(change.path.as_path());
            Err(StoreError::conflict(format!("{name} is a symbolic link now"), "look at where it leads"))
        }
    };
    let mut after = made_on(before, ours, &theirs)?;
    let mut base = match base {
        Some(base) => made_on(before, Some(base), &theirs)?,
        None => None,
    };
    // What someone added to our version while it stood there comes in too, and is none of ours.
    if let (Some(Content::File(stray)), Some(ours)) = (moved.stray, ours) {
        let stray = FileState { content: Content::File(stray), ..ours.clone() };
        if let Some(merged) = &after {
            after = made_on(Some(ours), Some(&stray), merged)?;
        }
        base = made_on(Some(ours), Some(&stray), base.as_ref().unwrap_or(&theirs))?;
    }
    let (path, is_index) = (change.path.clone(), change.is_index);
    Ok((Change { path, before: Some(theirs), after, is_index }, base))
}

impl Intent {
    /// The record of it.
    pub(super) fn record(&self) -> Record {
        let state = State::of;
        let mut record = Record::new(self.kind, &self.message);
        record.verb.clone_from(&self.verb);
        record.of = self.of.map(|id| id.to_string());
        record.tag.clone_from(&self.temps.tag);
        record.generation = self.temps.generation;
        record.proposal.clone_from(&self.proposal);
        record.pair.clone_from(&self.pair);
        record.changes = self
            .changes
            .iter()
            .map(|change| Changed {
                path: Bytes::from_path(change.path.as_path()),
                outside: change.path.is_outside(),
                before: change.before.as_ref().map(state),
                after: change.after.as_ref().map(state),
                base: self.base.as_ref().filter(|_| change.is_index).map(state),
                index: change.is_index,
                stands: false,
                purged: false,
            })
            .collect();
        record
    }
}

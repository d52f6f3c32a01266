//! Undo and redo: what stands is read from the commits themselves, so that it works after a restart and from
//! any memcurator; each is a commit of its own.

use super::error::{Result, history, shown};
use super::history::{Commit, History, Ref};
use super::operation::{Intent, Session};
use super::record::{Kind, Record};
use super::recover::load;
use super::{Applied, Conflict, LogState, StoreError, merge, swap};
use crate::memory::Time;
use crate::memory::path::RelPath;
use crate::review::plan::{Change, FileState};
use git2::Oid;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

/// The history, played through.
#[derive(Debug, Default)]
pub(super) struct Played {
    /// Operations that stand, the last on top.
    pub done: Vec<Oid>,
    /// Operations that were undone and can be redone, the next on top.
    pub undone: Vec<Oid>,
    /// What became of each commit.
    pub states: HashMap<Oid, LogState>,
    /// Files that an operation left as someone else wrote them.
    left: HashMap<Oid, HashSet<PathBuf>>,
}

/// Which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Back.
    Undo,
    /// Forth again.
    Redo,
}

/// The commits with their records, the first one first.
pub(super) fn read(history: &History) -> Result<Vec<(Commit, Record)>> {
    let mut commits = history.commits(history.get(Ref::Branch)?)?;
    commits.reverse();
    commits
        .into_iter()
        .map(|commit| {
            let record = history.record(&commit)?;
            Ok((commit, record))
        })
        .collect()
}

/// Plays the history through.
pub(super) fn play(commits: &[(Commit, Record)]) -> Played {
    let mut played = Played::default();
    // An undo or redo belongs to its operation.
    let mut owner: HashMap<Oid, Oid> = HashMap::new();
    for (commit, record) in commits {
        let of = record.of.as_deref().and_then(|id| Oid::from_str(id).ok());
        let state = match (record.kind, of) {
            (Kind::Operation, _) => {
                played.undone.clear();
                if !is_hollow(record) {
                    played.done.push(commit.id);
                }
                LogState::Done
            }
            (Kind::Undo, Some(of)) => {
                owner.insert(commit.id, of);
                if take(&mut played.done, of) {
                    played.undone.push(of);
                    played.states.insert(of, LogState::Undone);
                }
                LogState::Step
            }
            (Kind::Redo, Some(of)) => {
                owner.insert(commit.id, of);
                if take(&mut played.undone, of) {
                    played.done.push(of);
                    played.states.insert(of, LogState::Done);
                }
                LogState::Step
            }
            (Kind::Kept, Some(of)) => {
                let operation = owner.get(&of).copied().unwrap_or(of);
                let paths = record.changes.iter().map(|changed| changed.path.to_path());
                played.left.entry(operation).or_default().extend(paths);
                LogState::Outside
            }
            _ => LogState::Outside,
        };
        played.states.insert(commit.id, state);
    }
    played
}

/// Nothing but an index is left of an operation whose memories were purged: there is no way back.
fn is_hollow(record: &Record) -> bool {
    let mut memories =
        record.changes.iter().filter(|changed| changed.path.to_path() != *"MEMORY.md").peekable();
    memories.peek().is_some() && memories.all(|changed| changed.purged)
}

fn take(stack: &mut Vec<Oid>, id: Oid) -> bool {
    match stack.iter().rposition(|one| *one == id) {
        Some(at) => {
            stack.remove(at);
            true
        }
        None => false,
    }
}

/// Undoes or redoes; `None` when there is nothing to.
pub(super) fn turn(session: &Session, way: Way, now: Time, tag: String) -> Result<Option<Applied>> {
    let commits = read(&session.history)?;
    let played = play(&commits);
    let target = match way {
        Way::Undo => played.done.last(),
        Way::Redo => played.undone.last(),
    };
    let Some(id) = target.copied() else { return Ok(None) };
    let Some((commit, record)) = commits.iter().find(|(commit, _)| commit.id == id) else {
        return Err(history("read", "the operation is not there"));
    };
    let left = played.left.get(&id);
    let (changes, conflicts) = turned(session, way, record, left)?;
    let of_parked = match (way, commit.parent) {
        (Way::Redo, _) => commit.clone(),
        (Way::Undo, Some(parent)) => session.history.commit(parent)?,
        (Way::Undo, None) => return Err(history("read", "what was before the operation is not there")),
    };
    let (kind, word) = match way {
        Way::Undo => (Kind::Undo, "undid"),
        Way::Redo => (Kind::Redo, "redid"),
    };
    let intent = Intent {
        kind,
        verb: record.verb.clone(),
        message: format!("{word}: {}", record.message),
        of: Some(id),
        changes,
        parked: Some(session.history.parked(&of_parked)?),
        time: now,
        tag,
    };
    let mut applied = session.carry_out(intent)?;
    applied.conflicts.extend(conflicts);
    Ok(Some(applied))
}

/// The changes that take an operation back, or make it again, on what the files hold now.
fn turned(
    session: &Session,
    way: Way,
    record: &Record,
    left: Option<&HashSet<PathBuf>>,
) -> Result<(Vec<Change>, Vec<Conflict>)> {
    let mut changes = Vec::new();
    let mut conflicts = Vec::new();
    let mut changed_since = Vec::new();
    for changed in &record.changes {
        let path = changed.path.to_rel()?;
        if changed.purged {
            let what = "its content was purged from the history and does not come back";
            conflicts.push(Conflict { path, what: what.into() });
            continue;
        }
        if left.is_some_and(|left| left.contains(path.as_path())) {
            let what = "the operation had left it as someone else wrote it; it stays so";
            conflicts.push(Conflict { path, what: what.into() });
            continue;
        }
        let change = load(session, changed)?;
        let (from, to) = match way {
            Way::Undo => (change.after, change.before),
            Way::Redo => (change.before, change.after),
        };
        let here = session.root.find(&path).map_err(|error| swap::unlike(&path, &error))?;
        let here = here.map(|found| found.state);
        if same(here.as_ref(), from.as_ref()) {
            changes.push(Change { path, before: here, after: to });
        } else if same(here.as_ref(), to.as_ref()) {
            // As it should be already.
        } else if let Some(change) = merged(&path, here, from.as_ref(), to.as_ref(), &mut conflicts) {
            changes.push(change);
        } else {
            changed_since.push(shown(path.as_path()));
        }
    }
    if changed_since.is_empty() {
        return Ok((changes, conflicts));
    }
    let word = if way == Way::Undo { "undo" } else { "redo" };
    Err(StoreError::conflict(
        format!(
            "can't {word} \"{}\": changed since by someone else: {}; nothing was done",
            record.message,
            changed_since.join(", ")
        ),
        "look at what is there now; put it aside under another name if the old one must come back",
    ))
}

/// The index is merged by lines; any other file that is not as expected is a conflict.
fn merged(
    path: &RelPath,
    here: Option<FileState>,
    from: Option<&FileState>,
    to: Option<&FileState>,
    conflicts: &mut Vec<Conflict>,
) -> Option<Change> {
    if !path.is_index() {
        return None;
    }
    let here = here?;
    let merge = merge::rebase(from, to, &here)?;
    if !merge.is_clean {
        let what = "lines that someone else changed since are left as they are";
        conflicts.push(Conflict { path: path.clone(), what: what.into() });
    }
    Some(Change { path: path.clone(), before: Some(here), after: merge.state })
}

fn same(a: Option<&FileState>, b: Option<&FileState>) -> bool {
    a.map(|state| &state.content) == b.map(|state| &state.content)
}

//! Undo and redo: what stands is read from the commits themselves, so that it works after a restart and from
//! any memcurator; each is a commit of its own.

use super::error::{Result, history, reason, shown};
use super::history::{Commit, History, Ref};
use super::identity::elsewhere;
use super::intent::{Intent, keep_mode, temps};
use super::operation::Session;
use super::record::{Changed, Kind, Record};
use super::recover::{load, load_base};
use super::spot::{Change, Spot};
use super::{Applied, Conflict, LogState, StoreError, beside, merge};
use crate::memory::Time;
use crate::memory::path::RelPath;
use crate::review::plan::FileState;
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
                if is_hollow(record) {
                    LogState::Outside
                } else {
                    played.done.push(commit.id);
                    LogState::Done
                }
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
                let left = record.changes.iter().filter(|changed| !changed.stands);
                let paths = left.map(|changed| changed.path.to_path());
                played.left.entry(operation).or_default().extend(paths);
                LogState::Outside
            }
            _ => LogState::Outside,
        };
        played.states.insert(commit.id, state);
    }
    played
}

/// Nothing, or nothing but an index, is left of an operation whose files were purged: there is no way back.
fn is_hollow(record: &Record) -> bool {
    if !record.changes.is_empty() && record.changes.iter().all(|changed| changed.purged) {
        return true;
    }
    let mut memories = record.changes.iter().filter(|changed| !changed.is_index()).peekable();
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

/// The operation that is undone or redone next.
#[derive(Debug)]
pub(super) struct Next {
    commit: Commit,
    /// What it was.
    pub record: Record,
    /// Files that it left as someone else wrote them.
    left: Option<HashSet<PathBuf>>,
}

/// The operation that is undone or redone next; `None` when there is none.
pub(super) fn next(session: &Session, way: Way) -> Result<Option<Next>> {
    let commits = read(&session.history)?;
    let mut played = play(&commits);
    let target = match way {
        Way::Undo => played.done.last(),
        Way::Redo => played.undone.last(),
    };
    let Some(id) = target.copied() else { return Ok(None) };
    let Some((commit, record)) = commits.into_iter().find(|(commit, _)| commit.id == id) else {
        return Err(history("read", "the operation is not there"));
    };
    Ok(Some(Next { commit, record, left: played.left.remove(&id) }))
}

/// Undoes or redoes it.
pub(super) fn turn(session: &Session, way: Way, next: &Next, now: Time) -> Result<Applied> {
    let Next { commit, record, left } = next;
    if record.dir.is_some_and(|dir| dir != session.identity.mark) {
        return Err(elsewhere(&record.message, &session.path));
    }
    // Directories are no part of a step; those that an approval made or removed are where its files are.
    let paths: Vec<RelPath> = match record.proposal {
        Some(_) => record.changes.iter().filter_map(|one| RelPath::new(one.path.to_path())).collect(),
        None => Vec::new(),
    };
    beside::make_room(session, paths.iter());
    let (changes, conflicts) = turned(session, way, record, left.as_ref())?;
    let of_parked = match (way, commit.parent) {
        (Way::Redo, _) => commit.clone(),
        (Way::Undo, Some(parent)) => session.history.commit(parent)?,
        (Way::Undo, None) => return Err(history("read", "what was before the operation is not there")),
    };
    let (kind, word) = match way {
        Way::Undo => (Kind::Undo, "undid"),
        Way::Redo => (Kind::Redo, "redid"),
    };
    // A line is parked or in the index: where the latter can't follow, the former stays as it is.
    let is_purged = record.changes.iter().any(|changed| changed.is_index() && changed.purged);
    let parked = if is_purged { None } else { Some(session.history.parked(&of_parked)?) };
    let intent = Intent {
        kind,
        verb: record.verb.clone(),
        message: format!("{word}: {}", record.message),
        of: Some(commit.id),
        proposal: record.proposal.clone(),
        pair: None,
        changes,
        base: None,
        parked,
        time: now,
        temps: temps(now),
    };
    let mut applied = match &record.proposal {
        Some(proposal) => turn_proposal(session, way, proposal, intent)?,
        None => session.carry_out(intent)?,
    };
    beside::clear_away(session, paths.iter());
    applied.conflicts.extend(conflicts);
    Ok(applied)
}

/// Turns an approval: undone, the proposal waits again. It does so before the files change, since one that waits and is
/// done already is known as such, while one that is neither would be lost. That it can't be moved is no reason not to
/// undo.
fn turn_proposal(session: &Session, way: Way, proposal: &str, intent: Intent) -> Result<Applied> {
    let (queue, now) = (session.queue(), intent.time);
    if way == Way::Undo {
        let _ = queue.unsettle(proposal);
    }
    let applied = session.carry_out(intent);
    if applied.is_ok() == (way == Way::Redo) {
        let _ = queue.put_away(proposal, now);
    }
    applied
}

/// The changes that take an operation back, or make it again, on what the files hold now. What someone else changed
/// since stays as it is; the rest is done where its parts don't need each other.
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
        let path = changed.spot()?;
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
        let (from, to) = ends(session, way, changed)?;
        let here = match session.root.find(&path) {
            Ok(here) => here,
            Err(error) => {
                let what = format!("it is not a file that can be changed: {}; it stays so", reason(&error));
                changed_since.push(Conflict { path, what });
                continue;
            }
        };
        let is_index = changed.is_index();
        if FileState::same_content(here.as_ref(), from.as_ref()) {
            let after = keep_mode(from.as_ref(), here.as_ref(), to);
            changes.push(Change { path, before: here, after, is_index });
        } else if FileState::same_content(here.as_ref(), to.as_ref()) {
            // As it should be already.
        } else if let Some(change) = merged(&path, is_index, here, from.as_ref(), to.as_ref(), &mut conflicts)
        {
            changes.push(change);
        } else {
            let what = "someone else changed it since; it is left as they wrote it";
            changed_since.push(Conflict { path, what: what.into() });
        }
    }
    let is_worth_it = changes.iter().any(|change| !change.is_index);
    if changed_since.is_empty() || is_worth_it && is_loose(record) {
        conflicts.extend(changed_since);
        return Ok((changes, conflicts));
    }
    let word = if way == Way::Undo { "undo" } else { "redo" };
    let names: Vec<String> = changed_since.iter().map(|conflict| shown(conflict.path.as_path())).collect();
    Err(StoreError::conflict(
        format!(
            "can't {word} \"{}\": changed since by someone else: {}; nothing was done",
            record.message,
            names.join(", ")
        ),
        "look at what is there now; put it aside under another name if the old one must come back",
    ))
}

/// From what to what a file goes.
fn ends(session: &Session, way: Way, changed: &Changed) -> Result<(Option<FileState>, Option<FileState>)> {
    let change = load(session, changed)?;
    let before = load_base(session, changed)?.or(change.before);
    Ok(match way {
        Way::Undo => (change.after, before),
        Way::Redo => (before, change.after),
    })
}

/// Whether each file of an operation can be turned without the others: all were removed, all were made, or all were
/// affirmed. Else (a rename, a merge) text could go from one file without being back in the other.
fn is_loose(record: &Record) -> bool {
    let memories = || record.changes.iter().filter(|changed| !changed.is_index() && !changed.purged);
    let is_outside = record.changes.iter().any(|changed| changed.outside);
    !is_outside
        && (record.verb.as_deref() == Some("affirm")
            || memories().all(|changed| changed.after.is_none())
            || memories().all(|changed| changed.before.is_none()))
}

/// The index is merged by lines; any other file that is not as expected is a conflict.
fn merged(
    path: &Spot,
    is_index: bool,
    here: Option<FileState>,
    from: Option<&FileState>,
    to: Option<&FileState>,
    conflicts: &mut Vec<Conflict>,
) -> Option<Change> {
    if !is_index {
        return None;
    }
    let here = here?;
    let merge = merge::rebase(from, to, &here)?;
    conflicts.extend(merge.conflicts.into_iter().map(|what| Conflict { path: path.clone(), what }));
    Some(Change { path: path.clone(), before: Some(here), after: merge.state, is_index })
}

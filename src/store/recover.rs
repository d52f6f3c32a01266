//! Finishes an operation that was interrupted: what is still as before is rolled forward, what is as after
//! is fine, what is neither is left alone and named; the index is merged by lines.

use super::error::{Result, history};
use super::files::{self, Missing, Root};
use super::history::Ref;
use super::identity::elsewhere;
use super::intent::{Intent, moved_on};
use super::operation::{Recorded, Resumed, Session};
use super::place::{Moved, carry_over, is_beginning};
use super::record::{Changed, Kind, Record, State, from_pair};
use super::spot::Change;
use super::swap::{Temps, beside, kept_beside};
use super::{Conflict, StoreError, failpoint, merge};
use crate::review::plan::{Content, FileState};
use git2::Oid;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;

/// Finishes what was interrupted; gives the files that were left to someone else.
pub(super) fn recover(session: &Session) -> Result<Vec<Conflict>> {
    let Some(id) = session.history.get(Ref::Pending)? else { return Ok(Vec::new()) };
    let commit = session.history.commit(id)?;
    let record = session.history.record(&commit)?;
    let branch = session.history.get(Ref::Branch)?;
    if is_done(session, branch, id)? {
        session.history.drop_pending()?;
        return Ok(Vec::new());
    }
    // Half an operation is never as the history has it: only the same directory counts.
    if record.dir.is_some_and(|dir| dir != session.identity.mark) {
        return Err(elsewhere(&record.message, &session.path));
    }
    let Some(parent) = commit.parent.filter(|parent| leads_to(session, *parent, branch)) else {
        return Err(history("recover an operation in", "its branch is not where that operation began"));
    };
    let changes =
        record.changes.iter().map(|changed| load(session, changed)).collect::<Result<Vec<Change>>>()?;
    let mut intent = intent_of(&record, changes, commit.time)?;
    intent.parked = Some(session.history.parked(&commit)?);
    for changed in &record.changes {
        intent.base = intent.base.or(load_base(session, changed)?);
    }

    let Resumed { mut only, mut found, mut notes } = Resumed::default();
    let mut index = None;
    for (number, change) in intent.changes.iter().enumerate() {
        let is_at = |error: io::Error| {
            StoreError::io("recover", change.path.as_path(), &error, "memcurator will try again")
        };
        for content in leftovers(session, &intent, number).map_err(is_at)? {
            notes.push((kept_beside(&change.path), Some(content)));
        }
        match look(&session.root, &intent.temps, number, change).map_err(is_at)? {
            Standing::Before => only.push(number),
            Standing::After => {}
            Standing::Neither(Some(theirs), stray)
                if change.is_index && matches!(theirs.content, Content::File(_)) =>
            {
                if stray.is_some()
                    || !merge::is_nearer(&theirs, change.after.as_ref(), change.before.as_ref())
                {
                    index = Some((number, Moved { theirs, stray }));
                }
            }
            // The text is there, and someone went on writing.
            Standing::Neither(Some(here), None)
                if change.path.is_outside()
                    && merge::is_nearer(&here, change.after.as_ref(), change.before.as_ref()) => {}
            Standing::Neither(_, stray) => {
                let what = "someone else changed it while the operation was interrupted; it is left so";
                found.push((Conflict { path: change.path.clone(), what: what.into() }, stray));
            }
        }
    }
    if found.iter().any(|(conflict, _)| conflict.path.is_outside()) {
        // What should be out there is not: what it would replace in the store stays.
        let moved = index.take().map(|(number, moved)| (number, moved.stray));
        for (number, stray) in std::mem::take(&mut only).into_iter().map(|n| (n, None)).chain(moved) {
            let Some(change) = intent.changes.get(number) else { continue };
            let what = "it stays, since the file outside is as someone else wrote it";
            found.push((Conflict { path: change.path.clone(), what: what.into() }, stray));
        }
    }
    let mut recorded = Recorded { id, parent, branch };
    if let Some((number, moved)) = index
        && let Some(change) = intent.changes.get_mut(number)
    {
        let stray = moved.stray.clone();
        (*change, intent.base) = moved_on(change, intent.base.as_ref(), moved)?;
        let change = change.clone();
        only.push(number);
        session.record_again(&mut intent, &change, stray.as_ref(), &mut recorded)?;
    }
    failpoint::step();
    let mut conflicts =
        session.execute(intent.clone(), recorded, Some(Resumed { only, found, notes }))?.conflicts;
    // Only now is everything that a temporary file held in the history.
    for (number, change) in intent.changes.iter().enumerate() {
        let Ok((dir, _)) = session.root.parent(&change.path, Missing::Fail) else { continue };
        for temp in intent.temps.old_names(number).chain([intent.temps.name(number, change)]) {
            if !matches!(remove_known(session, &dir, &temp, change), Ok(None)) {
                conflicts.push(beside(&change.path, &temp));
            }
        }
    }
    Ok(conflicts)
}

/// The branch is at the operation already, or at what was kept on top of it.
fn is_done(session: &Session, branch: Option<Oid>, id: Oid) -> Result<bool> {
    match branch {
        Some(branch) if branch == id => Ok(true),
        Some(branch) => Ok(session.history.commit(branch)?.parent == Some(id)),
        None => Ok(false),
    }
}

/// From a commit one gets to the branch over nothing but what others changed.
fn leads_to(session: &Session, from: Oid, branch: Option<Oid>) -> bool {
    let mut next = Some(from);
    while let Some(id) = next.filter(|id| Some(*id) != branch) {
        let Ok(commit) = session.history.commit(id) else { return false };
        if !session.history.record(&commit).is_ok_and(|record| record.kind == Kind::Outside) {
            return false;
        }
        next = commit.parent;
    }
    next == branch
}

/// Removes what an interrupted operation left beside a file under names that are of no use any more: those that the
/// index's temporary file had before it was merged anew, and the second name of an exchange by hard link. Gives what
/// is nowhere else; that stays until it is in the history.
fn leftovers(session: &Session, intent: &Intent, number: usize) -> io::Result<Vec<Content>> {
    let Some(change) = intent.changes.get(number) else { return Ok(Vec::new()) };
    let (dir, name) = match session.root.parent(&change.path, Missing::Fail) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let temp = intent.temps.name(number, change);
    let mut names: Vec<OsString> =
        if change.is_index { intent.temps.old_names(number).collect() } else { Vec::new() };
    names.extend(finish_fallback(&dir, &temp, &name)?);
    let left = names.iter().map(|name| remove_known(session, &dir, name, change));
    left.filter_map(io::Result::transpose).collect()
}

/// Removes a temporary file when what it holds is ours or in the history; else gives it.
fn remove_known(
    session: &Session,
    dir: &OwnedFd,
    temp: &OsStr,
    change: &Change,
) -> io::Result<Option<Content>> {
    let Some(FileState { content, .. }) = files::find(dir, temp)? else { return Ok(None) };
    let is_ours = change.after.as_ref().is_some_and(|after| is_beginning(&content, &after.content));
    if !is_ours && !session.history.holds(&content) {
        return Ok(Some(content));
    }
    files::remove(dir, temp)?;
    Ok(None)
}

/// How a file stands after the interruption.
enum Standing {
    Before,
    After,
    /// What is there now, and what lies under the temporary name when that is someone else's too.
    Neither(Option<FileState>, Option<Content>),
}

/// Looks at one file and at the temporary file beside it, and clears the latter away where its content is
/// known: ours, or what was expected.
fn look(root: &Root, temps: &Temps, number: usize, change: &Change) -> io::Result<Standing> {
    let (dir, name) = match root.parent(&change.path, Missing::Fail) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let is_new = change.before.is_none();
            return Ok(match (&change.after, is_new) {
                (None, _) => Standing::After,
                (Some(_), true) => Standing::Before,
                (Some(_), false) => Standing::Neither(None, None),
            });
        }
        Err(error) => return Err(error),
    };
    let temp = temps.name(number, change);
    let out = files::find(&dir, &temp)?;
    let here = match files::find(&dir, &name) {
        Ok(here) => here,
        // A directory or a pipe is there: certainly someone else's.
        Err(_) => return Ok(Standing::Neither(None, out.map(|state| state.content))),
    };
    let Some(out) = out else { return Ok(compare(change, here, None)) };
    let (before, after) = (change.before.as_ref(), change.after.as_ref());
    // Someone may have added to our version since.
    let stands = FileState::same_content(here.as_ref(), after)
        || change.is_index && here.as_ref().is_some_and(|here| merge::is_nearer(here, after, before));
    let is_expected = FileState::same_content(Some(&out), change.before.as_ref());
    let is_ours = change.after.as_ref().is_some_and(|after| is_beginning(&out.content, &after.content));
    match (stands, is_expected, is_ours) {
        // Exchanged; what came out is what was expected.
        (_, true, _) => {
            files::remove(&dir, &temp)?;
            Ok(compare(change, here, None))
        }
        // Exchanged; someone had appended to it.
        (true, false, _) if carry_over(&dir, &name, change, &out)? => {
            files::remove(&dir, &temp)?;
            Ok(Standing::After)
        }
        // Exchanged; someone else's came out: it goes back.
        (true, false, _) if change.before.is_some() => {
            failpoint::step();
            if here.is_some() {
                files::exchange(&dir, &temp, &name)?;
            } else {
                files::rename_new(&dir, &temp, &name)?;
            }
            failpoint::step();
            let ours = files::find(&dir, &temp)?;
            let stray =
                ours.filter(|ours| !FileState::same_content(Some(ours), after)).map(|ours| ours.content);
            if stray.is_none() {
                files::remove(&dir, &temp)?;
            }
            Ok(Standing::Neither(Some(out), stray))
        }
        // Not exchanged yet, or put back already: it is ours, perhaps only a part.
        (_, false, true) => {
            files::remove(&dir, &temp)?;
            Ok(compare(change, here, None))
        }
        (_, false, false) => Ok(compare(change, here, Some(out.content))),
    }
}

/// Finishes an exchange by hard link (see [`files::exchange_by_link`]) that was interrupted; gives the second name of
/// the old file when there still is one.
fn finish_fallback(dir: &OwnedFd, temp: &OsStr, name: &OsStr) -> io::Result<Option<OsString>> {
    let aside = files::aside_name(temp);
    if files::same_file(dir, &aside, name)? {
        // The exchange had not begun: the first name is still there.
        files::remove(dir, &aside)?;
    }
    if files::find(dir, &aside)?.is_none() {
        return Ok(None);
    }
    match files::rename_new(dir, &aside, temp) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(Some(aside)),
        other => other.map(|()| None),
    }
}

fn compare(change: &Change, here: Option<FileState>, stray: Option<Content>) -> Standing {
    if stray.is_some() {
        return Standing::Neither(here, stray);
    }
    if FileState::same_content(here.as_ref(), change.after.as_ref()) {
        Standing::After
    } else if FileState::same_content(here.as_ref(), change.before.as_ref()) {
        Standing::Before
    } else {
        Standing::Neither(here, None)
    }
}

/// A change with its contents, from the history.
pub(super) fn load(session: &Session, changed: &Changed) -> Result<Change> {
    let state = |state: &State| load_state(session, state);
    Ok(Change {
        path: changed.spot()?,
        before: changed.before.as_ref().map(state).transpose()?,
        after: changed.after.as_ref().map(state).transpose()?,
        is_index: changed.is_index(),
    })
}

/// What a file would hold without the operation, when that is not what was there before it.
pub(super) fn load_base(session: &Session, changed: &Changed) -> Result<Option<FileState>> {
    changed.base.as_ref().map(|state| load_state(session, state)).transpose()
}

fn load_state(session: &Session, state: &State) -> Result<FileState> {
    let id = Oid::from_str(&state.blob).map_err(|e| history("read", e.message()))?;
    let bytes = session.history.blob(id)?;
    let content = if state.link {
        Content::Link(std::ffi::OsString::from_vec(bytes.to_vec()).into())
    } else {
        Content::File(bytes)
    };
    Ok(FileState { content, mode: state.mode, mtime: state.mtime.and_then(from_pair) })
}

fn intent_of(record: &Record, changes: Vec<Change>, time: crate::memory::Time) -> Result<Intent> {
    if !matches!(record.kind, Kind::Operation | Kind::Undo | Kind::Redo) {
        return Err(history("recover an operation in", "the pending one is none"));
    }
    let of = record.of.as_deref().map(Oid::from_str).transpose().map_err(|e| history("read", e.message()))?;
    Ok(Intent {
        kind: record.kind,
        verb: record.verb.clone(),
        message: record.message.clone(),
        of,
        proposal: record.proposal.clone(),
        pair: record.pair.clone(),
        changes,
        base: None,
        parked: None,
        time,
        temps: Temps { tag: record.tag.clone(), generation: record.generation },
    })
}

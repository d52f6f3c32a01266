//! Finishes an operation that was interrupted: what is still as before is rolled forward, what is as after
//! is fine, what is neither is left alone and named; the index is merged by lines.

use super::error::{Result, history};
use super::files::{self, Missing, Root};
use super::history::Ref;
use super::operation::{Intent, Recorded, Session, rebase};
use super::record::{Changed, Kind, Record, State, from_pair};
use super::swap::{aside_name, temp_name};
use super::{Conflict, StoreError, failpoint, merge};
use crate::memory::path::RelPath;
use crate::review::plan::{Change, Content, FileState};
use git2::Oid;
use std::ffi::OsStr;
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
    let parent = match commit.parent {
        Some(parent) if branch == Some(parent) => parent,
        _ => return Err(history("recover an operation in", "its branch is not where that operation began")),
    };
    let changes =
        record.changes.iter().map(|changed| load(session, changed)).collect::<Result<Vec<Change>>>()?;
    let mut intent = intent_of(&record, changes, commit.time)?;
    intent.parked = Some(session.history.parked(&commit)?);

    let mut only = Vec::new();
    let mut found = Vec::new();
    let mut index = None;
    for (number, change) in intent.changes.iter().enumerate() {
        let is_at = |error: io::Error| {
            StoreError::io("recover", change.path.as_path(), &error, "memcurator will try again")
        };
        match look(&session.root, &intent.tag, number, change).map_err(is_at)? {
            Standing::Before => only.push(number),
            Standing::After => {}
            Standing::Neither(Some(theirs), stray)
                if change.path.is_index() && matches!(theirs.content, Content::File(_)) =>
            {
                if !merge::is_nearer(&theirs, change.after.as_ref(), change.before.as_ref()) {
                    index = Some((number, theirs));
                }
                if stray.is_some() {
                    let what =
                        "someone else changed it twice at the same moment; one version is in the history";
                    found.push((Conflict { path: change.path.clone(), what: what.into() }, stray));
                }
            }
            Standing::Neither(_, stray) => {
                let what = "someone else changed it while the operation was interrupted; it is left so";
                found.push((Conflict { path: change.path.clone(), what: what.into() }, stray));
            }
        }
    }
    let mut recorded = Recorded { id, parent };
    if let Some((number, theirs)) = index
        && let Some(change) = intent.changes.get_mut(number)
    {
        let after = rebase(change, &theirs)?;
        *change = Change { path: change.path.clone(), before: Some(theirs), after };
        let change = change.clone();
        if change.before.as_ref().map(|b| &b.content) != change.after.as_ref().map(|a| &a.content) {
            only.push(number);
        }
        recorded = session.record_index(&intent, &change)?;
    }
    failpoint::step();
    let applied = session.execute(intent.clone(), recorded, found, Some(&only))?;
    // Only now is everything that a temporary file held in the history.
    for (number, change) in intent.changes.iter().enumerate() {
        if let Ok((dir, _)) = session.root.parent(&change.path, Missing::Fail) {
            let _ = files::remove(&dir, &temp_name(&intent.tag, number));
        }
    }
    Ok(applied.conflicts)
}

/// The branch is at the operation already, or at what was kept on top of it.
fn is_done(session: &Session, branch: Option<Oid>, id: Oid) -> Result<bool> {
    match branch {
        Some(branch) if branch == id => Ok(true),
        Some(branch) => Ok(session.history.commit(branch)?.parent == Some(id)),
        None => Ok(false),
    }
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
fn look(root: &Root, tag: &str, number: usize, change: &Change) -> io::Result<Standing> {
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
    let temp = temp_name(tag, number);
    finish_fallback(&dir, &temp)?;
    let out = files::find(&dir, &temp)?.map(|found| found.state);
    let here = match files::find(&dir, &name) {
        Ok(found) => found.map(|found| found.state),
        // A directory or a pipe is there: certainly someone else's.
        Err(_) => return Ok(Standing::Neither(None, out.map(|state| state.content))),
    };
    let Some(out) = out else { return Ok(compare(change, here, None)) };
    let stands = same(here.as_ref(), change.after.as_ref());
    let is_expected = same(Some(&out), change.before.as_ref());
    let is_ours = change.after.as_ref().is_some_and(|after| is_beginning(&out.content, &after.content));
    match (stands, is_expected, is_ours) {
        // Exchanged; what came out is what was expected.
        (_, true, _) => {
            files::remove(&dir, &temp)?;
            Ok(compare(change, here, None))
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
            let ours = files::find(&dir, &temp)?.map(|found| found.state);
            let stray = ours.filter(|ours| !same(Some(ours), here.as_ref())).map(|ours| ours.content);
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

/// Finishes an exchange by hard link (see [`files::exchange_by_link`]) that was interrupted.
fn finish_fallback(dir: &OwnedFd, temp: &OsStr) -> io::Result<()> {
    let aside = aside_name(temp);
    if files::find(dir, &aside)?.is_none() {
        return Ok(());
    }
    match files::rename_new(dir, &aside, temp) {
        // Ours is still under its temporary name: the exchange had not begun.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => files::remove(dir, &aside),
        other => other,
    }
}

fn compare(change: &Change, here: Option<FileState>, stray: Option<Content>) -> Standing {
    if stray.is_some() {
        return Standing::Neither(here, stray);
    }
    if same(here.as_ref(), change.after.as_ref()) {
        Standing::After
    } else if same(here.as_ref(), change.before.as_ref()) {
        Standing::Before
    } else {
        Standing::Neither(here, None)
    }
}

fn same(a: Option<&FileState>, b: Option<&FileState>) -> bool {
    a.map(|state| &state.content) == b.map(|state| &state.content)
}

fn is_beginning(part: &Content, whole: &Content) -> bool {
    match (part, whole) {
        (Content::File(part), Content::File(whole)) => whole.starts_with(part),
        _ => part == whole,
    }
}

/// A change with its contents, from the history.
pub(super) fn load(session: &Session, changed: &Changed) -> Result<Change> {
    let state = |state: &State| -> Result<FileState> {
        let id = Oid::from_str(&state.blob).map_err(|e| history("read", e.message()))?;
        let bytes = session.history.blob(id)?;
        let content = if state.link {
            Content::Link(std::ffi::OsString::from_vec(bytes.to_vec()).into())
        } else {
            Content::File(bytes)
        };
        Ok(FileState { content, mode: state.mode, mtime: state.mtime.and_then(from_pair) })
    };
    let path: RelPath = changed.path.to_rel()?;
    Ok(Change {
        path,
        before: changed.before.as_ref().map(state).transpose()?,
        after: changed.after.as_ref().map(state).transpose()?,
    })
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
        changes,
        parked: None,
        time,
        tag: record.tag.clone(),
    })
}

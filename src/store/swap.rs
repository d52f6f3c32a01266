//! Puts planned files in the place of those that are there, without ever losing what someone else wrote.
//!
//! All new files are written and synced beside the old ones first, so that a full disk is noticed before
//! anything changed. Then each is exchanged with the old one, and what came out is compared with what was
//! expected: it may be what someone wrote a moment ago. What came out is removed last, and compared once
//! more before, since a program that had the old file open may have written to it meanwhile.

use super::error::{Result, reason, shown};
use super::files::{self, Missing, Root};
use super::place::{Moved, Place, Stage, Swapped};
use super::spot::{Change, Spot};
use super::{Conflict, StoreError, attributes, failpoint};
use crate::review::plan::Content;
use std::ffi::{OsStr, OsString};
use std::io;
use std::time::Duration;

/// How long an old index is watched after the exchange for a write by someone who had it open.
const GRACE: Duration = Duration::from_millis(10);

/// The changes of one operation on their way to the disk.
#[derive(Debug)]
pub(super) struct Swap {
    places: Vec<Place>,
    /// Files that someone else changed at the same moment.
    pub conflicts: Vec<Conflict>,
    /// What those files held, to be kept.
    pub kept: Vec<(Spot, Content)>,
    /// What to know about files that are not left to anybody.
    pub notes: Vec<Conflict>,
    /// A file outside that someone else changed at the same moment is left to them and the rest goes on: only in
    /// a recovery. Else it ends the operation, or what should be in it would be nowhere but in the history.
    pub may_leave_outside: bool,
    /// What came out is being removed: from here on there is no way back, only forward.
    is_settling: bool,
}

/// From what the names of an operation's temporary files are made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Temps {
    /// A word that no other operation has.
    pub tag: String,
    /// How often the index was merged anew: each time its temporary file has another name, so that what
    /// lies under an old one is never taken for what lies under the new one.
    pub generation: u32,
}

impl Temps {
    /// The name for a change by its number; it does not end in `.md`.
    pub(super) fn name(&self, number: usize, change: &Change) -> OsString {
        self.name_of(number, if change.is_index { self.generation } else { 0 })
    }

    /// The names that the index's temporary file had before.
    pub(super) fn old_names(&self, number: usize) -> impl Iterator<Item = OsString> {
        (0..self.generation).map(move |generation| self.name_of(number, generation))
    }

    fn name_of(&self, number: usize, generation: u32) -> OsString {
        format!(".memcurator-{}-{number}-{generation}.tmp", self.tag).into()
    }
}

impl Swap {
    /// Gets ready for these changes (number, change), without touching a file. New and changed memories come
    /// first, then what is outside, then the index, then deletions: a crash leaves a text twice rather than
    /// nowhere.
    pub(super) fn new(root: &Root, temps: &Temps, changes: &[(usize, Change)]) -> Result<Self> {
        let mut places = Vec::new();
        let mut notes = Vec::new();
        for (number, change) in changes {
            if change.before.is_none() && change.after.is_none() {
                continue;
            }
            let missing = if change.after.is_some() { Missing::Make } else { Missing::Fail };
            let (dir, name) = match root.parent(&change.path, missing) {
                Ok(found) => found,
                Err(error) if change.after.is_none() && error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => {
                    return Err(StoreError::io("write", change.path.as_path(), &error, ""));
                }
            };
            if change.before.is_some() && change.after.is_some() {
                let what = attributes::warning(&dir, &name).map(str::to_owned);
                notes.extend(what.map(|what| Conflict { path: change.path.clone(), what }));
            }
            let temp = temps.name(*number, change);
            places.push(Place {
                change: change.clone(),
                dir,
                name,
                temp,
                old: Vec::new(),
                stage: Stage::Waiting,
            });
        }
        places.sort_by_key(|place| rank(&place.change));
        Ok(Self {
            places,
            conflicts: Vec::new(),
            kept: Vec::new(),
            notes,
            may_leave_outside: false,
            is_settling: false,
        })
    }

    /// Writes all new files beside the old ones. On an error nothing is left behind.
    pub(super) fn prepare(&mut self) -> Result<()> {
        for place in &self.places {
            if let Err(error) = place.write_temp() {
                self.clean();
                return Err(StoreError::io("write", place.change.path.as_path(), &error, ""));
            }
        }
        Ok(())
    }

    /// Removes the temporary files of what was not exchanged.
    fn clean(&self) {
        for place in self.places.iter().filter(|place| place.stage == Stage::Waiting) {
            // A leftover is harmless: it is no memory, and hidden.
            let _ = place.remove_ours();
        }
    }

    /// Removes the temporary files of what was left to someone else; what they hold is `kept` in the history. One that
    /// was written to even since then is left, and named.
    pub(super) fn clean_left(&self, kept: &[(Spot, Content)]) -> Vec<Conflict> {
        let mut notes = Vec::new();
        for place in &self.places {
            let path = &place.change.path;
            let known: Vec<&Content> = kept.iter().filter(|one| one.0 == *path).map(|one| &one.1).collect();
            let left = (place.stage == Stage::Left).then_some(&place.temp);
            for temp in left.into_iter().chain(&place.old) {
                if !matches!(place.remove_known(temp, &known), Ok(None)) {
                    notes.push(beside(path, temp));
                }
            }
        }
        notes
    }

    /// Exchanges all that waits. Stops when the index is not as expected.
    pub(super) fn exchange(&mut self) -> Result<Option<Moved>> {
        for i in 0..self.places.len() {
            let Some(place) = self.places.get_mut(i) else { break };
            if place.stage != Stage::Waiting {
                continue;
            }
            failpoint::step();
            match place.swap() {
                Ok(Swapped::Expected) => {}
                Ok(Swapped::Moved(moved)) => return Ok(Some(moved)),
                Ok(Swapped::Left { what, kept }) => self.leave(i, &what, kept)?,
                Err(error) => {
                    return Err(StoreError::io("write", place.change.path.as_path(), &error, ""));
                }
            }
        }
        self.sync()?;
        Ok(None)
    }

    /// Removes what came out. Stops when someone wrote to the old index after the exchange.
    pub(super) fn settle(&mut self) -> Result<Option<Moved>> {
        self.is_settling = true;
        for i in 0..self.places.len() {
            let Some(place) = self.places.get_mut(i) else { break };
            let Stage::Swapped(since) = place.stage else { continue };
            if place.change.is_index {
                std::thread::sleep(GRACE.saturating_sub(since.elapsed()));
            }
            failpoint::step();
            let path = place.change.path.clone();
            match place.settle() {
                Ok(Swapped::Expected) => {}
                Ok(Swapped::Moved(moved)) => return Ok(Some(moved)),
                Ok(Swapped::Left { what, kept }) => self.leave(i, &what, kept)?,
                Err(error) => return Err(StoreError::io("clean up beside", path.as_path(), &error, "")),
            }
        }
        self.sync()?;
        Ok(None)
    }

    /// Sets the index out for another exchange, from what it holds now, under another temporary name. `stray` is what
    /// someone made of our version while it stood there, and is in the new one.
    pub(super) fn retarget(&mut self, change: &Change, temp: &OsStr, stray: Option<&Content>) -> Result<()> {
        let path = change.path.as_path();
        let cannot = |error: io::Error| StoreError::io("write", path, &error, "");
        for place in self.places.iter_mut().filter(|place| place.change.path == change.path) {
            let known: Vec<&Content> = stray.into_iter().collect();
            if let Some(more) = place.remove_known(&place.temp, &known).map_err(cannot)? {
                place.old.push(place.temp.clone());
                self.kept.push((change.path.clone(), more));
                self.notes.push(kept_beside(&change.path));
            }
            place.change = change.clone();
            place.stage = Stage::Waiting;
            place.temp = temp.to_owned();
            failpoint::step();
            place.write_temp().map_err(cannot)?;
        }
        Ok(())
    }

    /// Lets the index wait for another exchange as it is: someone is in the middle of writing it.
    pub(super) fn wait_for_index(&mut self) {
        for place in self.places.iter_mut().filter(|place| place.change.is_index) {
            place.stage = Stage::Waiting;
        }
    }

    /// Takes back all that was exchanged; what came out is still there, so it needs no room.
    ///
    /// # Errors
    /// When that can't be done without losing something: when what came out is being removed already, or
    /// someone else's content is kept nowhere but here or beside a file. Only a recovery can go on then.
    pub(super) fn roll_back(&mut self) -> io::Result<()> {
        let is_left = self.places.iter().any(|place| place.stage == Stage::Left);
        if self.is_settling || is_left || !self.kept.is_empty() {
            return Err(io::Error::other("there is no way back"));
        }
        for place in self.places.iter_mut().rev() {
            if matches!(place.stage, Stage::Swapped(_) | Stage::Done) {
                failpoint::step();
                place.take_back()?;
                place.stage = Stage::Waiting;
            }
        }
        for place in &self.places {
            if !place.remove_ours()? {
                return Err(io::Error::other("someone else wrote to it"));
            }
            files::sync(&place.dir, place.change.path.as_path())?;
        }
        Ok(())
    }

    fn leave(&mut self, at: usize, what: &str, kept: Vec<Content>) -> Result<()> {
        let Some(place) = self.places.get_mut(at) else { return Ok(()) };
        place.stage = Stage::Left;
        if place.change.path.is_outside() && !self.may_leave_outside {
            if place.remove_ours().unwrap_or(false) {
                // It stands as theirs, and nothing of it is anywhere else.
                place.stage = Stage::Waiting;
            }
            let name = shown(place.change.path.as_path());
            return Err(StoreError::conflict(format!("{name}: {what}"), "look at it, then try again"));
        }
        let path = place.change.path.clone();
        self.kept.extend(kept.into_iter().map(|content| (path.clone(), content)));
        self.conflicts.push(Conflict { path, what: what.to_owned() });
        Ok(())
    }

    fn sync(&self) -> Result<()> {
        let mut last = None;
        for place in &self.places {
            let parent = place.change.path.as_path().parent();
            if last.replace(parent) == Some(parent) {
                continue;
            }
            let path = place.change.path.as_path();
            let cannot = |e: io::Error| StoreError::io("sync the directory of", path, &e, "");
            files::sync(&place.dir, path).map_err(cannot)?;
            failpoint::step();
        }
        Ok(())
    }
}

fn rank(change: &Change) -> u8 {
    match (&change.path, &change.after) {
        (Spot::Outside(_), _) => 1,
        (Spot::Inside(_), _) if change.is_index => 2,
        (Spot::Inside(_), Some(_)) => 0,
        (Spot::Inside(_), None) => 3,
    }
}

/// What someone else wrote to a temporary file is still there.
pub(super) fn beside(path: &Spot, temp: &OsStr) -> Conflict {
    let what = format!(
        "what someone else wrote to it at the same moment is in {} beside it",
        temp.to_string_lossy()
    );
    Conflict { path: path.clone(), what }
}

/// What someone else wrote to our version of it is in the history.
pub(super) fn kept_beside(path: &Spot) -> Conflict {
    let what = "someone else wrote to it at the same moment; what is not in it now is kept in the history";
    Conflict { path: path.clone(), what: what.into() }
}

/// Why a file can't be looked at, as a conflict.
pub(super) fn unlike(path: &Spot, error: &io::Error) -> StoreError {
    StoreError::conflict(
        format!(
            "{} is not a file that can be changed: {}; nothing was done",
            shown(path.as_path()),
            reason(error)
        ),
        "look at what is there, then try again",
    )
}

#[cfg(test)]
mod tests;

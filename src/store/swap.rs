//! Puts planned files in the place of those that are there, without ever losing what someone else wrote.
//!
//! All new files are written and synced beside the old ones first, so that a full disk is noticed before
//! anything changed. Then each is exchanged with the old one, and what came out is compared with what was
//! expected: it may be what someone wrote a moment ago. What came out is removed last, and compared once
//! more before, since a program that had the old file open may have written to it meanwhile.

use super::error::{Result, reason, shown};
use super::files::{self, Missing, Root};
use super::{Conflict, StoreError, failpoint};
use crate::memory::Time;
use crate::memory::path::RelPath;
use crate::review::plan::{Change, Content, FileState};
use rustix::fs::{AtFlags, Mode, OFlags, Timespec, Timestamps};
use std::ffi::{OsStr, OsString};
use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

/// How long an old index is watched after the exchange for a write by someone who had it open.
const GRACE: Duration = Duration::from_millis(10);

/// The changes of one operation on their way to the disk.
#[derive(Debug)]
pub(super) struct Swap {
    places: Vec<Place>,
    /// Files that someone else changed at the same moment.
    pub conflicts: Vec<Conflict>,
    /// What those files held, to be kept.
    pub kept: Vec<(RelPath, Content)>,
}

#[derive(Debug)]
struct Place {
    change: Change,
    dir: OwnedFd,
    name: OsString,
    temp: OsString,
    stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing but perhaps the temporary file is there.
    Waiting,
    /// The new state stands; what came out is under the temporary name.
    Swapped(Instant),
    /// The new state stands and nothing is left to do.
    Done,
    /// Left as someone else wrote it.
    Left,
}

/// The index was changed by someone else: it stands as that one wrote it, and nothing of ours is in it.
#[derive(Debug)]
pub(super) struct Moved {
    /// What it holds.
    pub theirs: FileState,
    /// Our version with what someone added to it in the moment it stood there.
    pub stray: Option<Content>,
}

/// The name of the temporary file for change number `number`; it does not end in `.md`.
pub(super) fn temp_name(tag: &str, number: usize) -> OsString {
    format!(".memcurator-{tag}-{number}.tmp").into()
}

impl Swap {
    /// Gets ready for these changes (number, change), without touching a file. New and changed memories come
    /// first, then the index, then deletions.
    pub(super) fn new(root: &Root, tag: &str, changes: &[(usize, Change)]) -> Result<Self> {
        let mut places = Vec::new();
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
            let temp = temp_name(tag, *number);
            places.push(Place { change: change.clone(), dir, name, temp, stage: Stage::Waiting });
        }
        places.sort_by_key(|place| rank(&place.change));
        Ok(Self { places, conflicts: Vec::new(), kept: Vec::new() })
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
        self.remove_temps(|stage| stage == Stage::Waiting);
    }

    /// Removes the temporary files of what was left to someone else; only when `kept` is in the history.
    pub(super) fn clean_left(&self) {
        self.remove_temps(|stage| stage == Stage::Left);
    }

    fn remove_temps(&self, of: impl Fn(Stage) -> bool) {
        for place in self.places.iter().filter(|place| of(place.stage)) {
            // A leftover is harmless: it is no memory, and hidden.
            let _ = files::remove(&place.dir, &place.temp);
        }
    }

    /// Exchanges all that waits. Stops when the index is not as expected.
    pub(super) fn exchange(&mut self) -> Result<Option<Moved>> {
        for i in 0..self.places.len() {
            let Some(place) = self.places.get_mut(i) else { break };
            if place.stage != Stage::Waiting {
                continue;
            }
            failpoint::step();
            let swapped = place.swap();
            failpoint::step();
            match swapped {
                Ok(Swapped::Expected) => {}
                Ok(Swapped::Moved(moved)) => return Ok(Some(moved)),
                Ok(Swapped::Left { what, kept }) => self.leave(i, &what, kept),
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
        for i in 0..self.places.len() {
            let Some(place) = self.places.get_mut(i) else { break };
            let Stage::Swapped(since) = place.stage else { continue };
            if place.change.path.is_index() {
                std::thread::sleep(GRACE.saturating_sub(since.elapsed()));
            }
            failpoint::step();
            let path = place.change.path.clone();
            match place.settle() {
                Ok(Swapped::Expected) => {}
                Ok(Swapped::Moved(moved)) => return Ok(Some(moved)),
                Ok(Swapped::Left { what, kept }) => self.leave(i, &what, kept),
                Err(error) => return Err(StoreError::io("clean up beside", path.as_path(), &error, "")),
            }
            failpoint::step();
        }
        self.sync()?;
        Ok(None)
    }

    /// Sets the index out for another exchange, from what it holds now.
    pub(super) fn retarget(&mut self, change: &Change) -> Result<()> {
        for place in self.places.iter_mut().filter(|place| place.change.path == change.path) {
            place.change = change.clone();
            place.stage = Stage::Waiting;
            place.write_temp().map_err(|error| StoreError::io("write", change.path.as_path(), &error, ""))?;
        }
        Ok(())
    }

    /// Takes back all that was exchanged; what came out is still there, so it needs no room.
    pub(super) fn roll_back(&mut self) -> io::Result<()> {
        for place in self.places.iter_mut().rev() {
            if matches!(place.stage, Stage::Swapped(_) | Stage::Done) {
                failpoint::step();
                place.take_back()?;
                place.stage = Stage::Waiting;
            }
        }
        self.clean();
        for place in &self.places {
            rustix::fs::fsync(&place.dir)?;
        }
        Ok(())
    }

    fn leave(&mut self, at: usize, what: &str, kept: Vec<Content>) {
        let Some(place) = self.places.get_mut(at) else { return };
        place.stage = Stage::Left;
        let path = place.change.path.clone();
        self.kept.extend(kept.into_iter().map(|content| (path.clone(), content)));
        self.conflicts.push(Conflict { path, what: what.to_owned() });
    }

    fn sync(&self) -> Result<()> {
        let mut last = None;
        for place in &self.places {
            let parent = place.change.path.as_path().parent();
            if last.replace(parent) == Some(parent) {
                continue;
            }
            let cannot = |e: rustix::io::Errno| {
                StoreError::io("sync the directory of", place.change.path.as_path(), &e.into(), "")
            };
            rustix::fs::fsync(&place.dir).map_err(cannot)?;
            failpoint::step();
        }
        Ok(())
    }
}

enum Swapped {
    Expected,
    Moved(Moved),
    Left { what: String, kept: Vec<Content> },
}

const LEFT: &str = "someone else changed it at the same moment; it is left as they wrote it";

impl Place {
    fn write_temp(&self) -> io::Result<()> {
        let Some(after) = &self.change.after else { return Ok(()) };
        files::remove(&self.dir, &self.temp)?;
        failpoint::step();
        match &after.content {
            Content::Link(target) => {
                rustix::fs::symlinkat(target, &self.dir, &self.temp)?;
                if let Some(mtime) = after.mtime {
                    let flags = AtFlags::SYMLINK_NOFOLLOW;
                    rustix::fs::utimensat(&self.dir, &self.temp, &timestamps(mtime), flags)?;
                }
            }
            Content::File(bytes) => {
                let flags =
                    OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                let mode = Mode::RUSR | Mode::WUSR;
                let mut file = File::from(rustix::fs::openat(&self.dir, &self.temp, flags, mode)?);
                failpoint::step();
                file.write_all(bytes)?;
                self.keep_owner(&file);
                file.set_permissions(Permissions::from_mode(after.mode))?;
                if let Some(mtime) = after.mtime {
                    rustix::fs::futimens(&file, &timestamps(mtime))?;
                }
                failpoint::step();
                file.sync_all()?;
            }
        }
        failpoint::step();
        Ok(())
    }

    /// Root and members of a group may write others' files: those stay theirs.
    fn keep_owner(&self, file: &File) {
        let flags = AtFlags::SYMLINK_NOFOLLOW;
        let (Ok(old), Ok(new)) = (rustix::fs::statat(&self.dir, &self.name, flags), rustix::fs::fstat(file))
        else {
            return;
        };
        if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid) {
            // Whoever may not do this is the owner of the new file, as with any editor.
            let _ = std::os::unix::fs::fchown(file, Some(old.st_uid), Some(old.st_gid));
        }
    }

    fn swap(&mut self) -> io::Result<Swapped> {
        let (before, after) = (self.change.before.is_some(), self.change.after.is_some());
        let swapped = match (before, after) {
            (true, true) => files::exchange(&self.dir, &self.temp, &self.name),
            (false, _) => files::rename_new(&self.dir, &self.temp, &self.name),
            (true, false) => files::rename_new(&self.dir, &self.name, &self.temp),
        };
        match swapped {
            Ok(()) if before => {
                self.stage = Stage::Swapped(Instant::now());
                self.check()
            }
            Ok(()) => {
                self.stage = Stage::Done;
                Ok(Swapped::Expected)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound && before && !after => {
                // Gone already: that is what was wanted.
                self.stage = Stage::Done;
                Ok(Swapped::Expected)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound && before => Ok(Swapped::Left {
                what: "someone else removed it at the same moment; it is left so".into(),
                kept: Vec::new(),
            }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && !before => {
                Ok(Swapped::Left { what: LEFT.into(), kept: Vec::new() })
            }
            Err(error) => Err(error),
        }
    }

    /// Compares what came out with what was expected, and puts it back when it is something else.
    fn check(&mut self) -> io::Result<Swapped> {
        failpoint::step();
        let out = files::find(&self.dir, &self.temp);
        let expected = self.change.before.as_ref().map(|state| &state.content);
        match &out {
            Ok(Some(found)) if Some(&found.state.content) == expected => return Ok(Swapped::Expected),
            Ok(None) if self.change.after.is_none() => return Ok(Swapped::Expected),
            _ => {}
        }
        self.put_back(out.ok().flatten().map(|found| found.state))
    }

    fn settle(&mut self) -> io::Result<Swapped> {
        let checked = self.check()?;
        if matches!(checked, Swapped::Expected) {
            files::remove(&self.dir, &self.temp)?;
            self.stage = Stage::Done;
        }
        Ok(checked)
    }

    fn put_back(&mut self, theirs: Option<FileState>) -> io::Result<Swapped> {
        failpoint::step();
        let mut kept: Vec<Content> = theirs.iter().map(|state| state.content.clone()).collect();
        let Some(after) = &self.change.after else {
            let what = match files::rename_new(&self.dir, &self.temp, &self.name) {
                Ok(()) => LEFT,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    "someone else wrote it anew at the same moment; it is left so, the one before is in the history"
                }
                Err(error) => return Err(error),
            };
            self.stage = Stage::Left;
            return Ok(Swapped::Left { what: what.into(), kept });
        };
        files::exchange(&self.dir, &self.temp, &self.name)?;
        self.stage = Stage::Left;
        failpoint::step();
        let stray = files::find(&self.dir, &self.temp)
            .ok()
            .flatten()
            .map(|found| found.state.content)
            .filter(|out| *out != after.content);
        match theirs {
            Some(theirs) if self.change.path.is_index() && matches!(theirs.content, Content::File(_)) => {
                Ok(Swapped::Moved(Moved { theirs, stray }))
            }
            _ => {
                kept.extend(stray);
                Ok(Swapped::Left { what: LEFT.into(), kept })
            }
        }
    }

    fn take_back(&self) -> io::Result<()> {
        match (self.change.before.is_some(), self.change.after.is_some(), self.stage) {
            (true, true, Stage::Swapped(_)) => {
                files::exchange(&self.dir, &self.temp, &self.name)?;
                let out = files::find(&self.dir, &self.temp)?.map(|found| found.state.content);
                if out.as_ref() == self.change.after.as_ref().map(|after| &after.content) {
                    return Ok(());
                }
                files::exchange(&self.dir, &self.temp, &self.name)?;
                Err(io::Error::other("it was changed meanwhile"))
            }
            (true, false, Stage::Swapped(_)) => files::rename_new(&self.dir, &self.temp, &self.name),
            (false, true, _) => files::rename_new(&self.dir, &self.name, &self.temp),
            (true, false, _) => Ok(()),
            _ => Err(io::Error::other("what was there is only in the history")),
        }
    }
}

fn rank(change: &Change) -> u8 {
    match (change.path.is_index(), &change.after) {
        (true, _) => 1,
        (false, Some(_)) => 0,
        (false, None) => 2,
    }
}

fn timestamps(mtime: Time) -> Timestamps {
    let nsec = i64::from(mtime.timestamp_subsec_nanos());
    Timestamps {
        last_access: Timespec { tv_sec: 0, tv_nsec: rustix::fs::UTIME_OMIT },
        last_modification: Timespec { tv_sec: mtime.timestamp(), tv_nsec: nsec },
    }
}

/// Why a file can't be looked at, as a conflict.
pub(super) fn unlike(path: &RelPath, error: &io::Error) -> StoreError {
    StoreError::conflict(
        format!(
            "{} is not a file that can be changed: {}; nothing was done",
            shown(path.as_path()),
            reason(error)
        ),
        "look at what is there, then try again",
    )
}

/// The name of what the fallback exchange leaves for a moment.
pub(super) fn aside_name(temp: &OsStr) -> OsString {
    let mut aside = temp.to_owned();
    aside.push(".old");
    aside
}

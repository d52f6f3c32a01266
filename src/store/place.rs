//! One file on its way to the disk: written beside the old one, exchanged with it, what came out compared and
//! removed, or put back.

use super::failpoint;
use super::spot::Change;
use super::{attributes, files, merge};
use crate::memory::Time;
use crate::review::plan::{Content, FileState};
use rustix::fs::{AtFlags, Mode, OFlags, Timespec, Timestamps};
use std::ffi::{OsStr, OsString};
use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::time::Instant;

/// One change on its way.
#[derive(Debug)]
pub(super) struct Place {
    pub change: Change,
    /// The directory that holds it.
    pub dir: OwnedFd,
    pub name: OsString,
    /// The name under which the new file is written, and the old one comes out.
    pub temp: OsString,
    /// Former temporary names under which lies what someone else wrote.
    pub old: Vec<OsString>,
    pub stage: Stage,
}

/// How far a change is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Nothing but perhaps the temporary file is there.
    Waiting,
    /// The new state stands; what came out is under the temporary name.
    Swapped(Instant),
    /// The new state stands and nothing is left to do.
    Done,
    /// Someone else had removed it already, as it was to be.
    Gone,
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

impl Moved {
    /// It is empty: someone is most likely in the middle of writing it, and has emptied it first.
    pub(super) fn is_torn(&self) -> bool {
        self.stray.is_none() && matches!(&self.theirs.content, Content::File(bytes) if bytes.is_empty())
    }
}

/// What came of an exchange.
pub(super) enum Swapped {
    /// What was expected came out.
    Expected,
    /// The index was changed by someone else; it is theirs again.
    Moved(Moved),
    /// The file was changed by someone else, and is left so.
    Left { what: String, kept: Vec<Content> },
}

const LEFT: &str = "someone else changed it at the same moment; it is left as they wrote it";

impl Place {
    /// Writes and syncs the new file beside the old one.
    pub(super) fn write_temp(&self) -> io::Result<()> {
        let Some(after) = &self.change.after else { return Ok(()) };
        if !self.remove_ours()? {
            return Err(io::Error::other("someone else's file has the name of a temporary one"));
        }
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
                attributes::copy(&self.dir, &self.name, &file);
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

    /// Puts the new state in the place of the old one.
    pub(super) fn swap(&mut self) -> io::Result<Swapped> {
        let (before, after) = (self.change.before.is_some(), self.change.after.is_some());
        let swapped = match (before, after) {
            (true, true) => files::exchange(&self.dir, &self.temp, &self.name),
            (false, _) => files::rename_new(&self.dir, &self.temp, &self.name),
            (true, false) => files::rename_new(&self.dir, &self.name, &self.temp),
        };
        if swapped.is_ok() {
            failpoint::before("exchanged", self.change.path.as_path())?;
        }
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
                self.stage = Stage::Gone;
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
        let out = files::find(&self.dir, &self.temp);
        match &out {
            Ok(Some(out)) if FileState::same_content(Some(out), self.change.before.as_ref()) => {
                return Ok(Swapped::Expected);
            }
            Ok(None) if self.change.after.is_none() => return Ok(Swapped::Expected),
            Ok(Some(out)) if carry_over(&self.dir, &self.name, &self.change, out)? => {
                // From here on that is what is expected to lie there.
                self.change.before = Some(out.clone());
                return Ok(Swapped::Expected);
            }
            _ => {}
        }
        self.put_back(out.ok().flatten())
    }

    /// Compares what came out once more, and removes it.
    pub(super) fn settle(&mut self) -> io::Result<Swapped> {
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
            .map(|out| out.content)
            .filter(|out| *out != after.content);
        match theirs {
            Some(theirs) if self.change.is_index && matches!(theirs.content, Content::File(_)) => {
                Ok(Swapped::Moved(Moved { theirs, stray }))
            }
            _ => {
                kept.extend(stray);
                Ok(Swapped::Left { what: LEFT.into(), kept })
            }
        }
    }

    /// Takes the exchange back. An error when someone else wrote to our version meanwhile: that stands then.
    pub(super) fn take_back(&self) -> io::Result<()> {
        match (self.change.before.is_some(), self.change.after.is_some(), self.stage) {
            (true, true, Stage::Swapped(_)) => {
                files::exchange(&self.dir, &self.temp, &self.name)?;
                if self.is_ours()? {
                    return Ok(());
                }
                files::exchange(&self.dir, &self.temp, &self.name)?;
                Err(io::Error::other("it was changed meanwhile"))
            }
            (true, false, Stage::Swapped(_)) => files::rename_new(&self.dir, &self.temp, &self.name),
            (false, true, Stage::Done) => {
                files::rename_new(&self.dir, &self.name, &self.temp)?;
                if self.is_ours()? {
                    return Ok(());
                }
                files::rename_new(&self.dir, &self.temp, &self.name)?;
                Err(io::Error::other("it was changed meanwhile"))
            }
            _ => Err(io::Error::other("what was there is only in the history")),
        }
    }

    /// What lies under the temporary name is what we wrote.
    fn is_ours(&self) -> io::Result<bool> {
        let out = files::find(&self.dir, &self.temp)?;
        Ok(FileState::same_content(out.as_ref(), self.change.after.as_ref()))
    }

    /// Removes the temporary file when it holds what we wrote, be it only a part; whether none is left.
    pub(super) fn remove_ours(&self) -> io::Result<bool> {
        let aside = files::aside_name(&self.temp);
        Ok(self.remove_known(&aside, &[])?.is_none() && self.remove_known(&self.temp, &[])?.is_none())
    }

    /// Removes a temporary file when it holds what we wrote, be it only a part, or any of `known`; else gives what it
    /// holds.
    pub(super) fn remove_known(&self, temp: &OsStr, known: &[&Content]) -> io::Result<Option<Content>> {
        let Some(FileState { content: out, .. }) = files::find(&self.dir, temp)? else { return Ok(None) };
        let is_ours = self.change.after.as_ref().is_some_and(|ours| is_beginning(&out, &ours.content));
        if !is_ours && !known.contains(&&out) {
            return Ok(Some(out));
        }
        files::remove(&self.dir, temp)?;
        Ok(None)
    }
}

/// Whether a temporary file holds what was to be written into it, perhaps only the beginning.
pub(super) fn is_beginning(part: &Content, whole: &Content) -> bool {
    match (part, whole) {
        (Content::File(part), Content::File(whole)) => whole.starts_with(part),
        _ => part == whole,
    }
}

/// Appends to the new index what someone appended to the old one, which came `out`, as far as it is not there
/// yet; whether that was all they did. There is no moment at which that could go wrong, however often they write.
pub(super) fn carry_over(dir: &OwnedFd, name: &OsStr, change: &Change, out: &FileState) -> io::Result<bool> {
    let (true, Some(before), Some(ours)) = (change.is_index, &change.before, &change.after) else {
        return Ok(false);
    };
    let Some(lines) = merge::appended(before, ours, out) else { return Ok(false) };
    let Some(here) = files::find(dir, name)? else { return Ok(false) };
    let lines = merge::missing(lines, ours, &here);
    failpoint::step();
    if !lines.is_empty() {
        files::append(dir, name, &lines)?;
        failpoint::step();
    }
    Ok(true)
}

fn timestamps(mtime: Time) -> Timestamps {
    let nsec = i64::from(mtime.timestamp_subsec_nanos());
    Timestamps {
        last_access: Timespec { tv_sec: 0, tv_nsec: rustix::fs::UTIME_OMIT },
        last_modification: Timespec { tv_sec: mtime.timestamp(), tv_nsec: nsec },
    }
}

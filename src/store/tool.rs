//! The store's directory for the API's memory tool. Every path is walked from the root without following a link, so
//! that nothing which is swapped between a look and a step leads out. What a command replaces or removes is in the
//! history first, as what others changed: an agent's write is no decision of a person.

use super::files::{self, Missing, Root};
use super::operation::Session;
use super::spot::Spot;
use super::{Places, Store, StoreError, attributes, failpoint};
use crate::memory::Time;
use crate::memory::path::RelPath;
use crate::review::plan::{Content, FileState};
use crate::review::tool::{Fault, Files, Found, VirtualPath};
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, RenameFlags};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::{File, Permissions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// How deep directories are removed.
const DEPTH: usize = 64;

const DIRECTORY: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// A store's directory as the memory tool sees it: `/memories` is its root.
#[derive(Debug)]
pub struct ToolFiles {
    path: PathBuf,
    home: PathBuf,
    root: Root,
    now: fn() -> Time,
}

impl ToolFiles {
    /// Opens a store for the tool. The directory must exist; `now` gives the time for the history.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn open(root: &Path, places: &Places, now: fn() -> Time) -> Result<Self, StoreError> {
        let store = Store::open(root, places)?;
        let cannot = |error| StoreError::io("open the store", store.root(), &error, "nothing was done");
        let root = Root::open(store.root()).map_err(cannot)?;
        Ok(Self { path: store.root().into(), home: store.home().into(), root, now })
    }

    /// The real path of the directory.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The directory that holds the entry, and its name there.
    fn parent(&self, path: &VirtualPath, missing: Missing) -> Result<(OwnedFd, OsString), Fault> {
        let inside = RelPath::new(path.relative()).ok_or(Fault::Missing)?;
        self.root.parent(&Spot::Inside(inside), missing).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Fault::Missing,
            _ => self.on_the_way(path, &error),
        })
    }

    /// What stands where a directory should be: a link is an escape, a file is as good as nothing.
    fn on_the_way(&self, path: &VirtualPath, error: &io::Error) -> Fault {
        let mut dir = match self.root.parent(&Spot::Inside(RelPath::index()), Missing::Fail) {
            Ok((dir, _)) => dir,
            Err(error) => return other(&error),
        };
        let above = path.parts().len().saturating_sub(1);
        for part in path.parts().iter().take(above) {
            match entry(&dir, part.as_ref()) {
                Ok(Entry::Directory(_)) => {}
                Ok(Entry::Link) => return Fault::Link,
                Ok(Entry::Nothing | Entry::File(_) | Entry::Other) => return Fault::Missing,
                Err(error) => return other(&error),
            }
            dir = match rustix::fs::openat(&dir, part.as_str(), DIRECTORY, Mode::empty()) {
                Ok(dir) => dir,
                Err(Errno::LOOP) => return Fault::Link,
                Err(error) => return other(&error.into()),
            };
        }
        other(error)
    }

    fn entry(&self, path: &VirtualPath) -> Result<Entry, Fault> {
        if path.is_root() {
            let stat = rustix::fs::stat(&self.path).map_err(|error| other(&error.into()))?;
            return Ok(Entry::Directory(size(&stat)));
        }
        match self.parent(path, Missing::Fail) {
            Ok((dir, name)) => entry(&dir, &name).map_err(|error| other(&error)),
            Err(Fault::Missing) => Ok(Entry::Nothing),
            Err(fault) => Err(fault),
        }
    }

    /// Whether a directory has an entry whose name is no text, which no listing shows.
    pub(super) fn has_odd_names(&self, path: &VirtualPath) -> Result<bool, Fault> {
        let dir = self.open_dir(path)?;
        let names = names(&dir).map_err(|error| other(&error))?;
        Ok(names.iter().any(|name| name.to_str().is_none()))
    }

    fn open_dir(&self, path: &VirtualPath) -> Result<OwnedFd, Fault> {
        let dir = if path.is_root() {
            rustix::fs::open(&self.path, DIRECTORY, Mode::empty())
        } else {
            let (dir, name) = self.parent(path, Missing::Fail)?;
            rustix::fs::openat(&dir, &name, DIRECTORY, Mode::empty())
        };
        dir.map_err(|error| other(&error.into()))
    }

    /// Locks the store and keeps what is there in the history.
    fn keep(&self, besides: &[(PathBuf, FileState)]) -> Result<Session, Fault> {
        let told = |error: StoreError| Fault::Other(error.what);
        let session = Session::begin(&self.path, &self.home).map_err(told)?;
        session.keep_now(besides, (self.now)()).map_err(told)?;
        Ok(session)
    }

    fn rename_by_link(
        from: (&OwnedFd, &OsStr),
        to: (&OwnedFd, &OsStr),
        is_directory: bool,
    ) -> Result<(), Errno> {
        if is_directory {
            // An empty directory that appeared meanwhile would be replaced, nothing else.
            return rustix::fs::renameat(from.0, from.1, to.0, to.1);
        }
        rustix::fs::linkat(from.0, from.1, to.0, to.1, AtFlags::empty())?;
        rustix::fs::unlinkat(from.0, from.1, AtFlags::empty())
    }
}

impl Files for ToolFiles {
    fn find(&self, path: &VirtualPath) -> Result<Found, Fault> {
        match self.entry(path)? {
            Entry::Nothing => Ok(Found::Nothing),
            Entry::File(size) => Ok(Found::File(size)),
            Entry::Directory(size) => Ok(Found::Directory(size)),
            Entry::Link => Err(Fault::Link),
            Entry::Other => Ok(Found::Other),
        }
    }

    fn list(&self, path: &VirtualPath) -> Result<Vec<(String, Found)>, Fault> {
        let dir = self.open_dir(path)?;
        let mut found = Vec::new();
        for name in names(&dir).map_err(|error| other(&error))? {
            let what = match entry(&dir, &name) {
                Ok(Entry::File(size)) => Found::File(size),
                Ok(Entry::Directory(size)) => Found::Directory(size),
                _ => Found::Other,
            };
            // What has no name as text can't be asked for either.
            found.extend(name.into_string().ok().map(|name| (name, what)));
        }
        Ok(found)
    }

    fn read(&self, path: &VirtualPath) -> Result<Vec<u8>, Fault> {
        let (dir, name) = self.parent(path, Missing::Fail)?;
        match files::find(&dir, &name).map_err(|error| other(&error))? {
            Some(FileState { content: Content::File(bytes), .. }) => Ok(bytes.to_vec()),
            Some(FileState { content: Content::Link(_), .. }) => Err(Fault::Link),
            None => Err(Fault::Missing),
        }
    }

    fn create(&mut self, path: &VirtualPath, bytes: &[u8]) -> Result<(), Fault> {
        if path.is_root() || self.entry(path)? != Entry::Nothing {
            return Err(Fault::Exists);
        }
        let _session = self.keep(&[])?;
        let (dir, name) = self.parent(path, Missing::Make)?;
        let temp = temp_name(&name);
        write_new(&dir, &temp, bytes, None).map_err(|error| other(&error))?;
        failpoint::step();
        if let Err(error) = files::rename_new(&dir, &temp, &name) {
            let _ = files::remove(&dir, &temp);
            return Err(match error.kind() {
                io::ErrorKind::AlreadyExists => Fault::Exists,
                _ => other(&error),
            });
        }
        failpoint::step();
        files::sync(&dir, &self.path).map_err(|error| other(&error))
    }

    fn replace(&mut self, path: &VirtualPath, before: &[u8], after: &[u8]) -> Result<(), Fault> {
        let expected = Content::File(before.into());
        let (dir, name) = self.parent(path, Missing::Fail)?;
        let found = files::find(&dir, &name).map_err(|error| other(&error))?;
        let Some(found) = found.filter(|found| found.content == expected) else { return Err(Fault::Changed) };
        let session = self.keep(&[(path.relative(), found.clone())])?;
        let temp = temp_name(&name);
        write_new(&dir, &temp, after, Some((&name, found.mode))).map_err(|error| other(&error))?;
        failpoint::step();
        if let Err(error) = files::exchange(&dir, &temp, &name) {
            let _ = files::remove(&dir, &temp);
            return Err(other(&error));
        }
        failpoint::step();
        // What came out is under the temporary name now.
        let holds = |content: &Content| -> Result<bool, Fault> {
            let out = files::find(&dir, &temp).map_err(|error| other(&error))?;
            Ok(out.is_some_and(|out| out.content == *content))
        };
        let is_changed = !holds(&expected)?;
        if is_changed {
            files::exchange(&dir, &temp, &name).map_err(|error| other(&error))?;
            if !holds(&Content::File(after.into()))? {
                // Someone wrote once more in between: it is kept before the name goes.
                let state = files::find(&dir, &temp).map_err(|error| other(&error))?;
                let besides: Vec<_> = state.into_iter().map(|state| (path.relative(), state)).collect();
                let now = (self.now)();
                session.keep_now(&besides, now).map_err(|error| Fault::Other(error.what))?;
            }
        }
        files::remove(&dir, &temp)
            .and_then(|()| files::sync(&dir, &self.path))
            .map_err(|error| other(&error))?;
        if is_changed { Err(Fault::Changed) } else { Ok(()) }
    }

    fn remove(&mut self, path: &VirtualPath) -> Result<(), Fault> {
        let (dir, name) = self.parent(path, Missing::Fail)?;
        let what = entry(&dir, &name).map_err(|error| other(&error))?;
        match what {
            Entry::Nothing | Entry::Other => return Err(Fault::Missing),
            Entry::Link => return Err(Fault::Link),
            Entry::File(_) | Entry::Directory(_) => {}
        }
        let below = |name: &OsStr| contents(&dir, name, &path.relative(), 0).map_err(|error| other(&error));
        let session = self.keep(&below(&name)?)?;
        // Under another name nobody writes to it any more; what was written until then is kept too.
        let aside = temp_name(&name);
        files::rename_new(&dir, &name, &aside).map_err(|error| other(&error))?;
        failpoint::step();
        let kept = below(&aside)
            .and_then(|last| session.keep_now(&last, (self.now)()).map_err(|error| Fault::Other(error.what)));
        if let Err(fault) = kept {
            let _ = files::rename_new(&dir, &aside, &name);
            return Err(fault);
        }
        failpoint::step();
        remove_all(&dir, &aside, 0)
            .and_then(|()| files::sync(&dir, &self.path))
            .map_err(|error| other(&error))
    }

    fn rename(&mut self, from: &VirtualPath, to: &VirtualPath) -> Result<(), Fault> {
        let what = self.entry(from)?;
        if what == Entry::Link {
            return Err(Fault::Link);
        }
        if self.entry(to)? != Entry::Nothing {
            return Err(Fault::Exists);
        }
        let _session = self.keep(&[])?;
        let (to_dir, to_name) = self.parent(to, Missing::Make)?;
        let (dir, name) = self.parent(from, Missing::Fail)?;
        failpoint::step();
        let renamed = match rustix::fs::renameat_with(&dir, &name, &to_dir, &to_name, RenameFlags::NOREPLACE)
        {
            Err(Errno::NOSYS | Errno::NOTSUP | Errno::INVAL) if !to.parts().starts_with(from.parts()) => {
                let is_directory = matches!(what, Entry::Directory(_));
                Self::rename_by_link((&dir, &name), (&to_dir, &to_name), is_directory)
            }
            other => other,
        };
        match renamed {
            Ok(()) => {}
            Err(Errno::NOENT) => return Err(Fault::Missing),
            Err(Errno::EXIST) => return Err(Fault::Exists),
            Err(error) => return Err(other(&error.into())),
        }
        failpoint::step();
        files::sync(&to_dir, &self.path)
            .and_then(|()| files::sync(&dir, &self.path))
            .map_err(|error| other(&error))
    }
}

/// One entry of a directory; a link is never followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entry {
    Nothing,
    File(u64),
    Directory(u64),
    Link,
    Other,
}

fn entry(dir: impl AsFd, name: &OsStr) -> io::Result<Entry> {
    let stat = match rustix::fs::statat(dir.as_fd(), name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(Errno::NOENT) => return Ok(Entry::Nothing),
        Err(error) => return Err(error.into()),
    };
    Ok(match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Entry::File(size(&stat)),
        FileType::Directory => Entry::Directory(size(&stat)),
        FileType::Symlink => Entry::Link,
        _ => Entry::Other,
    })
}

fn size(stat: &rustix::fs::Stat) -> u64 {
    u64::try_from(stat.st_size).unwrap_or(0)
}

/// The names in a directory.
fn names(dir: &OwnedFd) -> io::Result<Vec<OsString>> {
    use std::os::unix::ffi::OsStrExt;
    let mut names = Vec::new();
    for entry in Dir::read_from(dir)? {
        let name = entry?.file_name().to_bytes().to_vec();
        if name != b"." && name != b".." {
            names.push(OsStr::from_bytes(&name).to_owned());
        }
    }
    Ok(names)
}

/// What an entry holds: a file or a link, or all of them below a directory, each with its path in the store.
fn contents(dir: &OwnedFd, name: &OsStr, path: &Path, depth: usize) -> io::Result<Vec<(PathBuf, FileState)>> {
    let below = match entry(dir, name)? {
        Entry::Directory(_) => enter(dir, name, depth)?,
        Entry::File(_) | Entry::Link => {
            let state = files::find(dir, name)?;
            return Ok(state.into_iter().map(|state| (path.to_path_buf(), state)).collect());
        }
        Entry::Nothing | Entry::Other => return Ok(Vec::new()),
    };
    let mut all = Vec::new();
    for name in names(&below)? {
        all.extend(contents(&below, &name, &path.join(&name), depth + 1)?);
    }
    Ok(all)
}

fn enter(dir: &OwnedFd, name: &OsStr, depth: usize) -> io::Result<OwnedFd> {
    if depth > DEPTH {
        return Err(io::Error::other("directories are nested too deeply"));
    }
    Ok(rustix::fs::openat(dir, name, DIRECTORY, Mode::empty())?)
}

fn remove_all(dir: &OwnedFd, name: &OsStr, depth: usize) -> io::Result<()> {
    if !matches!(entry(dir, name)?, Entry::Directory(_)) {
        return files::remove(dir, name);
    }
    let below = enter(dir, name, depth)?;
    for name in names(&below)? {
        remove_all(&below, &name, depth + 1)?;
        failpoint::step();
    }
    Ok(rustix::fs::unlinkat(dir, name, AtFlags::REMOVEDIR)?)
}

/// Removes a directory in which there are no files, not below either. Anything else stays whole; links are not followed.
pub(super) fn remove_empty(dir: &OwnedFd, name: &OsStr) {
    if is_empty(dir, name, 0) {
        // The system removes no directory that is not empty.
        let _ = remove_dirs(dir, name, 0);
    }
}

/// Whether it is a directory in which there are no files, not below either.
fn is_empty(dir: &OwnedFd, name: &OsStr, depth: usize) -> bool {
    let names = enter(dir, name, depth).and_then(|below| Ok((names(&below)?, below)));
    names.is_ok_and(|(names, below)| names.iter().all(|name| is_empty(&below, name, depth + 1)))
}

fn remove_dirs(dir: &OwnedFd, name: &OsStr, depth: usize) -> io::Result<()> {
    let below = enter(dir, name, depth)?;
    for name in names(&below)? {
        remove_dirs(&below, &name, depth + 1)?;
    }
    Ok(rustix::fs::unlinkat(dir, name, AtFlags::REMOVEDIR)?)
}

/// Writes a new file, synced; with the mode and the attributes of another one when it will take its place. Nothing is left
/// of it when that fails.
fn write_new(dir: &OwnedFd, name: &OsStr, bytes: &[u8], like: Option<(&OsStr, u32)>) -> io::Result<()> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut file = File::from(rustix::fs::openat(dir, name, flags, Mode::RUSR | Mode::WUSR)?);
    let written = file.write_all(bytes).and_then(|()| {
        if let Some((like, mode)) = like {
            attributes::copy(dir, like, &file);
            file.set_permissions(Permissions::from_mode(mode))?;
        }
        file.sync_all()
    });
    if written.is_err() {
        let _ = files::remove(dir, name);
    }
    written
}

/// A name beside another one that no listing shows and no memory has.
fn temp_name(name: &OsStr) -> OsString {
    use std::os::unix::ffi::OsStrExt;
    let head = name.as_bytes().get(..100).unwrap_or(name.as_bytes());
    let mut temp = OsString::from(".");
    temp.push(String::from_utf8_lossy(head).replace('\u{FFFD}', "_"));
    // No other call has this name, not that of a process with the same number before a crash either.
    temp.push(format!(".tool-{:016x}", RandomState::new().hash_one(std::process::id())));
    temp
}

/// A fault of the disk in words.
pub(super) fn other(error: &io::Error) -> Fault {
    Fault::Other(super::error::reason(error))
}

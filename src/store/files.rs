//! Directory entries of a store, reached from its root one component at a time so that no link on the way
//! can lead out of it (`openat` with `O_NOFOLLOW`), and read without following a link at the end either.

use crate::memory::Time;
use crate::memory::path::RelPath;
use crate::review::plan::{Content, FileState};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, RenameFlags};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a directory is opened: never through a link.
const DIRECTORY: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// How a file is opened for reading: never through a link, and a pipe never blocks.
pub(super) const READ: OFlags =
    OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

/// The open directory of a store.
#[derive(Debug)]
pub(super) struct Root {
    fd: OwnedFd,
}

/// What a directory entry is, as it was found.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    /// Content, mode and time; the time is always there.
    pub state: FileState,
    /// Owner and group.
    pub owner: (u32, u32),
}

impl Root {
    /// Opens the directory at a real path.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { fd: rustix::fs::open(path, DIRECTORY, Mode::empty())? })
    }

    /// The directory that holds `path`, and the name there. Missing directories are made on the way when
    /// `make` says so.
    pub(super) fn parent(&self, path: &RelPath, make: Missing) -> io::Result<(OwnedFd, OsString)> {
        let name = path.as_path().file_name().unwrap_or_default().to_owned();
        let mut dir = self.fd.try_clone()?;
        for component in path.as_path().parent().into_iter().flat_map(Path::components) {
            let part = component.as_os_str();
            if make == Missing::Make {
                match rustix::fs::mkdirat(&dir, part, Mode::from_raw_mode(0o755)) {
                    Ok(()) => rustix::fs::fsync(&dir)?,
                    Err(Errno::EXIST) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            dir = match rustix::fs::openat(&dir, part, DIRECTORY, Mode::empty()) {
                Ok(dir) => dir,
                Err(Errno::LOOP | Errno::NOTDIR) => {
                    return Err(io::Error::other("a directory on the way is not a real directory"));
                }
                Err(error) => return Err(error.into()),
            };
        }
        Ok((dir, name))
    }

    /// What is at `path`; `None` when nothing is.
    pub(super) fn find(&self, path: &RelPath) -> io::Result<Option<Found>> {
        match self.parent(path, Missing::Fail) {
            Ok((dir, name)) => find(&dir, &name),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// What to do about a directory that is missing on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missing {
    /// Make it.
    Make,
    /// Fail with `NotFound`.
    Fail,
}

/// The entry `name` of a directory; `None` when there is none. An error when it is neither a file nor a link.
pub(super) fn find(dir: impl AsFd, name: &OsStr) -> io::Result<Option<Found>> {
    Ok(find_open(dir, name)?.map(|(found, _)| found))
}

/// As [`find`], with the open file when the entry is a file.
pub(super) fn find_open(dir: impl AsFd, name: &OsStr) -> io::Result<Option<(Found, Option<File>)>> {
    let dir = dir.as_fd();
    let stat = match rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(Errno::NOENT) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::Symlink => {
            let target = rustix::fs::readlinkat(dir, name, Vec::new())?;
            let target = PathBuf::from(OsString::from_vec(target.into_bytes()));
            Ok(Some((found(Content::Link(target), &stat), None)))
        }
        FileType::RegularFile => {
            let mut file = File::from(rustix::fs::openat(dir, name, READ, Mode::empty())?);
            let stat = rustix::fs::fstat(&file)?;
            if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
                return Err(io::Error::other("it is not a regular file"));
            }
            let bytes = read_all(&mut file, usize::try_from(stat.st_size).unwrap_or(0))?;
            Ok(Some((found(Content::File(bytes), &stat), Some(file))))
        }
        FileType::Directory => Err(io::Error::other("a directory is in its place")),
        _ => Err(io::Error::other("it is not a regular file")),
    }
}

/// All that a file holds from where it stands, at about `size` bytes.
pub(super) fn read_all(file: &mut File, size: usize) -> io::Result<Arc<[u8]>> {
    let mut bytes = Vec::with_capacity(size.saturating_add(1));
    file.read_to_end(&mut bytes)?;
    Ok(bytes.into())
}

fn found(content: Content, stat: &rustix::fs::Stat) -> Found {
    Found {
        state: FileState { content, mode: mode_of(stat), mtime: Some(mtime_of(stat)) },
        owner: (stat.st_uid, stat.st_gid),
    }
}

/// The permission bits.
pub(super) fn mode_of(stat: &rustix::fs::Stat) -> u32 {
    // The type of a mode differs between systems.
    Mode::from_raw_mode(stat.st_mode).bits() & 0o7777
}

/// The time of last change, with nanoseconds.
pub(super) fn mtime_of(stat: &rustix::fs::Stat) -> Time {
    let nanos = u32::try_from(stat.st_mtime_nsec).unwrap_or(0);
    Time::from_timestamp(stat.st_mtime, nanos).unwrap_or_default()
}

/// Renames without replacing: `EEXIST` when the new name is taken.
pub(super) fn rename_new(dir: impl AsFd, from: &OsStr, to: &OsStr) -> io::Result<()> {
    let dir = dir.as_fd();
    match rustix::fs::renameat_with(dir, from, dir, to, RenameFlags::NOREPLACE) {
        Err(error) if is_unsupported(error) => {
            // A second name never replaces; then the first goes.
            rustix::fs::linkat(dir, from, dir, to, AtFlags::empty())?;
            rustix::fs::unlinkat(dir, from, AtFlags::empty())?;
            Ok(())
        }
        other => Ok(other?),
    }
}

/// Puts `ours` in the place of `name`; what was there is then under `ours`. `ENOENT` when nothing was there.
pub(super) fn exchange(dir: impl AsFd, ours: &OsStr, name: &OsStr) -> io::Result<()> {
    let dir = dir.as_fd();
    match rustix::fs::renameat_with(dir, ours, dir, name, RenameFlags::EXCHANGE) {
        Err(error) if is_unsupported(error) => exchange_by_link(dir, ours, name),
        other => Ok(other?),
    }
}

/// The exchange where the file system knows none: the old file gets a second name, ours replaces the first.
/// Between the two steps a file that someone puts there by renaming would be replaced unseen; an in-place
/// write is seen, since it goes to the file that has the second name.
pub(super) fn exchange_by_link(dir: impl AsFd, ours: &OsStr, name: &OsStr) -> io::Result<()> {
    let dir = dir.as_fd();
    let mut aside = ours.to_owned();
    aside.push(".old");
    match rustix::fs::unlinkat(dir, &aside, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => {}
        Err(error) => return Err(error.into()),
    }
    rustix::fs::linkat(dir, name, dir, &aside, AtFlags::empty())?;
    rustix::fs::renameat(dir, ours, dir, name)?;
    rustix::fs::renameat(dir, &aside, dir, ours)?;
    Ok(())
}

fn is_unsupported(error: Errno) -> bool {
    matches!(error, Errno::INVAL | Errno::NOSYS | Errno::NOTSUP)
}

/// Removes a name; one that is gone already is fine.
pub(super) fn remove(dir: impl AsFd, name: &OsStr) -> io::Result<()> {
    match rustix::fs::unlinkat(dir, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

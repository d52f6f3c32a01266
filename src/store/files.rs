//! Directory entries of a store, reached from its root one component at a time so that no link on the way
//! can lead out of it (`openat` with `O_NOFOLLOW`), and read without following a link at the end either. A file
//! outside is reached over real directories only, and read in the same way.

use super::failpoint;
use super::spot::Spot;
use crate::memory::Time;
use crate::review::plan::{Content, FileState};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, RenameFlags};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

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

impl Root {
    /// Opens the directory at a real path.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { fd: rustix::fs::open(path, DIRECTORY, Mode::empty())? })
    }

    /// The directory that holds `path`, and the name there. Missing directories are made on the way when
    /// `make` says so.
    pub(super) fn parent(&self, path: &Spot, make: Missing) -> io::Result<(OwnedFd, OsString)> {
        let name = path.as_path().file_name().unwrap_or_default().to_owned();
        let parent = path.as_path().parent().unwrap_or(Path::new(""));
        let (mut dir, rest) = match path {
            Spot::Inside(_) => (self.fd.try_clone()?, parent),
            Spot::Outside(_) => nearest(parent)?,
        };
        for component in rest.components() {
            let part = component.as_os_str();
            if make == Missing::Make {
                match rustix::fs::mkdirat(&dir, part, Mode::from_raw_mode(0o755)) {
                    Ok(()) => sync(&dir, parent)?,
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
    pub(super) fn find(&self, path: &Spot) -> io::Result<Option<FileState>> {
        match self.parent(path, Missing::Fail) {
            Ok((dir, name)) => find(&dir, &name),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// The directory nearest to `dir` that exists, and what is missing under it. It must be a real path: a link that
/// was put there since the path was looked up is not followed.
fn nearest(dir: &Path) -> io::Result<(OwnedFd, &Path)> {
    let linked = || io::Error::other("a directory on the way is a link");
    for there in dir.ancestors() {
        let open = match rustix::fs::open(there, DIRECTORY, Mode::empty()) {
            Ok(open) => open,
            Err(Errno::NOENT) => continue,
            Err(Errno::LOOP | Errno::NOTDIR) => return Err(linked()),
            Err(error) => return Err(error.into()),
        };
        if there.canonicalize()? != there {
            return Err(linked());
        }
        let rest = dir.strip_prefix(there).map_err(io::Error::other)?;
        return Ok((open, rest));
    }
    Err(io::ErrorKind::NotFound.into())
}

/// What to do about a directory that is missing on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missing {
    /// Make it.
    Make,
    /// Fail with `NotFound`.
    Fail,
}

/// The entry `name` of a directory; `None` when there is none; its time is always there. An error when it is
/// neither a file nor a link.
pub(super) fn find(dir: impl AsFd, name: &OsStr) -> io::Result<Option<FileState>> {
    let dir = dir.as_fd();
    let stat = match rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(Errno::NOENT) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let (content, stat) = match FileType::from_raw_mode(stat.st_mode) {
        FileType::Symlink => {
            let target = rustix::fs::readlinkat(dir, name, Vec::new())?;
            (Content::Link(OsString::from_vec(target.into_bytes()).into()), stat)
        }
        FileType::RegularFile => {
            let mut file = File::from(rustix::fs::openat(dir, name, READ, Mode::empty())?);
            let stat = rustix::fs::fstat(&file)?;
            if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
                return Err(io::Error::other("it is not a regular file"));
            }
            let mut bytes = Vec::with_capacity(usize::try_from(stat.st_size).unwrap_or(0).saturating_add(1));
            file.read_to_end(&mut bytes)?;
            (Content::File(bytes.into()), stat)
        }
        FileType::Directory => return Err(io::Error::other("a directory is in its place")),
        _ => return Err(io::Error::other("it is not a regular file")),
    };
    Ok(Some(FileState { content, mode: mode_of(&stat), mtime: Some(mtime_of(&stat)) }))
}

/// The permission bits.
// The type of a mode differs between systems.
#[allow(clippy::useless_conversion)]
pub(super) fn mode_of(stat: &rustix::fs::Stat) -> u32 {
    u32::from(stat.st_mode) & 0o7777
}

/// The time of last change, with nanoseconds.
pub(super) fn mtime_of(stat: &rustix::fs::Stat) -> Time {
    let nanos = u32::try_from(stat.st_mtime_nsec).unwrap_or(0);
    Time::from_timestamp(stat.st_mtime, nanos).unwrap_or_default()
}

/// Renames without replacing: `EEXIST` when the new name is taken.
pub(super) fn rename_new(dir: impl AsFd, from: &OsStr, to: &OsStr) -> io::Result<()> {
    let dir = dir.as_fd();
    match rename_with(dir, from, to, RenameFlags::NOREPLACE) {
        Err(error) if is_unsupported(error) => {
            // A second name never replaces; then the first goes.
            rustix::fs::linkat(dir, from, dir, to, AtFlags::empty())?;
            failpoint::step();
            rustix::fs::unlinkat(dir, from, AtFlags::empty())?;
            Ok(())
        }
        other => Ok(other?),
    }
}

/// The name of what an exchange without the system's help leaves for a moment.
pub(super) fn aside_name(temp: &OsStr) -> OsString {
    let mut aside = temp.to_owned();
    aside.push(".old");
    aside
}

/// Puts `ours` in the place of `name`; what was there is then under `ours`. `ENOENT` when nothing was there.
pub(super) fn exchange(dir: impl AsFd, ours: &OsStr, name: &OsStr) -> io::Result<()> {
    let dir = dir.as_fd();
    match rename_with(dir, ours, name, RenameFlags::EXCHANGE) {
        Err(error) if is_unsupported(error) => exchange_by_link(dir, ours, name),
        other => Ok(other?),
    }
}

/// The exchange where the file system knows none: the old file gets a second name, ours replaces the first.
/// Between the two steps a file that someone puts there by renaming would be replaced unseen; an in-place
/// write is seen, since it goes to the file that has the second name.
pub(super) fn exchange_by_link(dir: impl AsFd, ours: &OsStr, name: &OsStr) -> io::Result<()> {
    let dir = dir.as_fd();
    let aside = aside_name(ours);
    if same_file(dir, &aside, name)? {
        // From an attempt that failed.
        rustix::fs::unlinkat(dir, &aside, AtFlags::empty())?;
    }
    rustix::fs::linkat(dir, name, dir, &aside, AtFlags::empty())?;
    failpoint::step();
    if let Err(error) = rustix::fs::renameat(dir, ours, dir, name) {
        rustix::fs::unlinkat(dir, &aside, AtFlags::empty())?;
        return Err(error.into());
    }
    failpoint::step();
    rustix::fs::renameat(dir, &aside, dir, ours)?;
    Ok(())
}

/// Whether two names are of one file.
pub(super) fn same_file(dir: impl AsFd, one: &OsStr, other: &OsStr) -> io::Result<bool> {
    let stat = |name| match rustix::fs::statat(dir.as_fd(), name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some((stat.st_dev, stat.st_ino))),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(error),
    };
    let (one, other) = (stat(one)?, stat(other)?);
    Ok(one.is_some() && one == other)
}

fn rename_with(dir: BorrowedFd<'_>, from: &OsStr, to: &OsStr, flags: RenameFlags) -> rustix::io::Result<()> {
    if failpoint::no_exchange() {
        return Err(Errno::NOTSUP);
    }
    rustix::fs::renameat_with(dir, from, dir, to, flags)
}

fn is_unsupported(error: Errno) -> bool {
    matches!(error, Errno::INVAL | Errno::NOSYS | Errno::NOTSUP)
}

/// Appends to a file, as others do it, synced.
pub(super) fn append(dir: impl AsFd, name: &OsStr, bytes: &[u8]) -> io::Result<()> {
    let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut file = File::from(rustix::fs::openat(dir, name, flags, Mode::empty())?);
    file.write_all(bytes)?;
    file.sync_all()
}

/// Removes a name; one that is gone already is fine.
pub(super) fn remove(dir: impl AsFd, name: &OsStr) -> io::Result<()> {
    failpoint::before("remove", name.as_ref())?;
    match rustix::fs::unlinkat(dir, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Makes the names in a directory durable, where the file system can.
pub(super) fn sync(dir: impl AsFd, path: &Path) -> io::Result<()> {
    let synced = failpoint::before("sync", path).and_then(|()| Ok(rustix::fs::fsync(dir)?));
    match synced {
        // Some network file systems don't sync directories.
        Err(error) if Errno::from_io_error(&error).is_some_and(is_unsupported) => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The way for file systems that know no exchange gives the same as the exchange.
    #[test]
    fn both_exchanges_do_the_same() {
        type Exchange = fn(&OwnedFd, &OsStr, &OsStr) -> io::Result<()>;
        let ways: [Exchange; 2] = [
            |dir, ours, name| exchange(dir, ours, name),
            |dir, ours, name| exchange_by_link(dir, ours, name),
        ];
        for way in ways {
            let top = tempfile::tempdir().unwrap();
            let dir = rustix::fs::open(top.path(), DIRECTORY, Mode::empty()).unwrap();
            std::fs::write(top.path().join("ours"), "new").unwrap();
            std::fs::write(top.path().join("name"), "old").unwrap();
            way(&dir, "ours".as_ref(), "name".as_ref()).unwrap();
            assert_eq!(std::fs::read(top.path().join("name")).unwrap(), b"new");
            assert_eq!(std::fs::read(top.path().join("ours")).unwrap(), b"old");
            assert_eq!(std::fs::read_dir(top.path()).unwrap().count(), 2);
            let error = way(&dir, "ours".as_ref(), "nothing".as_ref()).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::NotFound);
        }
    }

    #[test]
    fn a_new_name_replaces_nothing() {
        let top = tempfile::tempdir().unwrap();
        let dir = rustix::fs::open(top.path(), DIRECTORY, Mode::empty()).unwrap();
        std::fs::write(top.path().join("a"), "a").unwrap();
        std::fs::write(top.path().join("b"), "b").unwrap();
        let error = rename_new(&dir, "a".as_ref(), "b".as_ref()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        rename_new(&dir, "a".as_ref(), "c".as_ref()).unwrap();
        assert_eq!(std::fs::read(top.path().join("c")).unwrap(), b"a");
    }
}

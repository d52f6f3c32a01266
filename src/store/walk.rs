//! What there is in a store: a listing of its files, and a way to work on all of them at once.

use super::files;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Unreadable;
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Files that a thread takes at a time.
const BLOCK: usize = 64;

/// The memories of a store (its index too) as directory entries, in the order of their paths.
#[derive(Debug)]
pub(super) struct Listing {
    /// The store's directory.
    pub root: OwnedFd,
    /// Memories and the index.
    pub files: Vec<Listed>,
    /// What is shown but could not be looked into.
    pub unreadable: Vec<Unreadable>,
    /// How many files are not memories.
    pub left_alone: usize,
}

/// One memory as a directory entry.
#[derive(Debug)]
pub(super) struct Listed {
    /// Its path from the root: only normal components.
    pub path: PathBuf,
    /// A symbolic link, not a file.
    pub is_link: bool,
}

impl Listed {
    /// The path, checked.
    pub(super) fn rel(&self) -> Option<RelPath> {
        RelPath::new(&self.path)
    }
}

/// Lists a store. Hidden files and directories are no part of it; linked directories are named, not entered.
pub(super) fn list(root: &Path) -> io::Result<Listing> {
    let fd = rustix::fs::open(root, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let mut listing = Listing { root: fd, files: Vec::new(), unreadable: Vec::new(), left_alone: 0 };
    let names = names(&listing.root)?;
    listing.enter(Path::new(""), names);
    Ok(listing)
}

impl Listing {
    fn enter(&mut self, dir: &Path, names: Vec<(OsString, FileType)>) {
        for (name, kind) in names {
            let path = dir.join(&name);
            let is_memory = name.as_bytes().ends_with(b".md");
            match kind {
                FileType::Directory => match self.names_in(&path) {
                    Ok(names) => self.enter(&path, names),
                    Err(error) => self.cannot(&path, &super::error::reason(&error)),
                },
                FileType::Symlink if self.leads_to_directory(&path) => {
                    self.cannot(&path, "it is a link to a directory, which is not followed");
                }
                FileType::RegularFile if is_memory => self.files.push(Listed { path, is_link: false }),
                FileType::Symlink if is_memory => self.files.push(Listed { path, is_link: true }),
                FileType::RegularFile | FileType::Symlink => self.left_alone += 1,
                _ if is_memory => self.cannot(&path, "it is a pipe, socket or device, which is not opened"),
                _ => self.left_alone += 1,
            }
        }
    }

    fn names_in(&self, path: &Path) -> io::Result<Vec<(OsString, FileType)>> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        names(&rustix::fs::openat(&self.root, path, flags, Mode::empty())?)
    }

    fn leads_to_directory(&self, path: &Path) -> bool {
        rustix::fs::statat(&self.root, path, AtFlags::empty())
            .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Directory)
    }

    fn cannot(&mut self, path: &Path, why: &str) {
        if let Some(path) = RelPath::new(path) {
            self.unreadable.push(Unreadable { path, why: why.to_owned() });
        }
    }
}

/// The visible names of a directory with their kinds, in byte order.
fn names(dir: &OwnedFd) -> io::Result<Vec<(OsString, FileType)>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(dir)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name.starts_with(b".") {
            continue;
        }
        let mut kind = entry.file_type();
        if kind == FileType::Unknown {
            // Some file systems don't say; a name that is gone again is no loss.
            match rustix::fs::statat(dir, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => kind = FileType::from_raw_mode(stat.st_mode),
                Err(_) => continue,
            }
        }
        names.push((OsString::from_vec(name.to_vec()), kind));
    }
    names.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    Ok(names)
}

/// Opens a memory (from the root, or a real path) for reading, without touching its time of access where the
/// system lets us.
pub(super) fn open(root: &OwnedFd, path: &OsStr) -> io::Result<OwnedFd> {
    #[cfg(target_os = "linux")]
    match rustix::fs::openat(root, path, files::READ | OFlags::NOATIME, Mode::empty()) {
        // Only the owner may ask for it.
        Err(rustix::io::Errno::PERM) => {}
        other => return Ok(other?),
    }
    Ok(rustix::fs::openat(root, path, files::READ, Mode::empty())?)
}

/// Does `work` on every item, on all processors; results in the order of the items. Each thread lends its
/// work a buffer of its own.
pub(super) fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T, &mut Vec<u8>) -> R + Sync,
) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = threads.min(items.len().div_ceil(BLOCK));
    if threads <= 1 {
        let mut buffer = Vec::new();
        return items.iter().map(|item| work(item, &mut buffer)).collect();
    }
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut buffer = Vec::new();
        let mut done = Vec::new();
        loop {
            let block = next.fetch_add(1, Ordering::Relaxed);
            let Some(items) = items.chunks(BLOCK).nth(block) else { return done };
            done.push((block, items.iter().map(|item| work(item, &mut buffer)).collect::<Vec<R>>()));
        }
    };
    let mut blocks = std::thread::scope(|scope| {
        let handles: Vec<_> = (1..threads).map(|_| scope.spawn(worker)).collect();
        let mut blocks = worker();
        for handle in handles {
            match handle.join() {
                Ok(more) => blocks.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        blocks
    });
    blocks.sort_unstable_by_key(|(block, _)| *block);
    blocks.into_iter().flat_map(|(_, results)| results).collect()
}

//! Reads a whole store, on all processors. Changes nothing, no file's time either.

use super::error::{Result, reason};
use super::{StoreError, files, walk};
use crate::memory::document::Document;
use crate::memory::index::Index;
use crate::memory::path::RelPath;
use crate::memory::snapshot::{IndexFile, Link, Memory, Snapshot, Stat, Unreadable};
use rustix::fs::FileType;
use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The largest file that is read, in bytes. The client itself loads none over 4 MiB (CLIENT_FACTS B5).
pub(super) const MAX_BYTES: u64 = 64 << 20;
/// After how many files `progress` hears of them.
const REPORT: usize = 256;

/// Reads a whole store. Changes nothing, no file's time either; `progress` is told how many files are read.
///
/// # Errors
/// When the directory itself can't be read. A single file that can't be read is listed in the snapshot.
pub fn scan(root: &Path, progress: &(dyn Fn(usize) + Sync)) -> Result<Snapshot> {
    let cannot = |error: io::Error| StoreError::io("read the store", root, &error, "");
    let root = root.canonicalize().map_err(cannot)?;
    let listing = walk::list(&root).map_err(cannot)?;
    let count = AtomicUsize::new(0);
    let read = walk::in_parallel(&listing.files, |listed, buffer| {
        let read = listed.rel().map(|path| read_one(&root, &listing.root, path, listed.is_link, buffer));
        let done = count.fetch_add(1, Ordering::Relaxed) + 1;
        if done.is_multiple_of(REPORT) {
            progress(done);
        }
        read
    });
    progress(listing.files.len());

    let mut snapshot = Snapshot {
        root,
        memories: Vec::with_capacity(read.len()),
        index: None,
        unreadable: listing.unreadable,
        left_alone: listing.left_alone,
        beside: Vec::new(),
    };
    for one in read.into_iter().flatten() {
        match one {
            Read::Memory(memory) => snapshot.memories.push(memory),
            Read::Index(index) => snapshot.index = Some(index),
            Read::Gone => {}
            Read::Cannot(unreadable) => snapshot.unreadable.push(unreadable),
        }
    }
    snapshot.unreadable.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(snapshot)
}

enum Read {
    Memory(Arc<Memory>),
    Index(Arc<IndexFile>),
    /// It went away after it was listed.
    Gone,
    Cannot(Unreadable),
}

fn read_one(root: &Path, dir: &OwnedFd, path: RelPath, is_link: bool, buffer: &mut Vec<u8>) -> Read {
    let read = if is_link { read_link(root, dir, &path, buffer) } else { read_file(dir, &path, buffer) };
    match read {
        Ok((bytes, stat)) if path.is_index() => {
            let index = Index::parse(&bytes);
            Read::Index(Arc::new(IndexFile { bytes, index, stat }))
        }
        Ok((bytes, stat)) => {
            let document = Document::parse(&bytes);
            Read::Memory(Arc::new(Memory { path, bytes, document, stat }))
        }
        Err(error) if !is_link && error.kind() == io::ErrorKind::NotFound => Read::Gone,
        Err(error) => Read::Cannot(Unreadable { path, why: reason(&error) }),
    }
}

fn read_file(dir: &OwnedFd, path: &RelPath, buffer: &mut Vec<u8>) -> io::Result<(Arc<[u8]>, Stat)> {
    let file = walk::open(dir, path.as_path().as_os_str())?;
    let (bytes, stat) = read_open(&file, buffer)?;
    Ok((bytes, Stat { mtime: files::mtime_of(&stat), mode: files::mode_of(&stat), link: None }))
}

/// A link's content is shown, from wherever it is, since the client follows it too.
fn read_link(
    root: &Path,
    dir: &OwnedFd,
    path: &RelPath,
    buffer: &mut Vec<u8>,
) -> io::Result<(Arc<[u8]>, Stat)> {
    let target = rustix::fs::readlinkat(dir, path.as_path(), Vec::new())?;
    let target = PathBuf::from(OsString::from_vec(target.into_bytes()));
    let real = root.join(path.as_path()).canonicalize().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => io::Error::other("it is a link that points nowhere"),
        _ => error,
    })?;
    // The kind is looked at before opening: even opening a device can have effects.
    if !std::fs::metadata(&real)?.is_file() {
        return Err(io::Error::other("it is a link to something that is not a regular file"));
    }
    let file = walk::open(dir, real.as_os_str())?;
    let (bytes, stat) = read_open(&file, buffer)?;
    let link = Some(Link { target, inside: real.starts_with(root) });
    Ok((bytes, Stat { mtime: files::mtime_of(&stat), mode: files::mode_of(&stat), link }))
}

fn read_open(file: &OwnedFd, buffer: &mut Vec<u8>) -> io::Result<(Arc<[u8]>, rustix::fs::Stat)> {
    let stat = rustix::fs::fstat(file)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(io::Error::other("it is not a regular file"));
    }
    let bytes = read_bounded(file, u64::try_from(stat.st_size).unwrap_or(0), buffer)?;
    Ok((bytes.into(), stat))
}

/// The whole file in the lent buffer: one read when it gives as much as its size says.
pub(super) fn read_bounded<'a>(file: &OwnedFd, size: u64, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
    let too_large = || io::Error::other(format!("it is larger than {} MiB", MAX_BYTES >> 20));
    if size > MAX_BYTES {
        return Err(too_large());
    }
    let size = usize::try_from(size).map_err(|_| too_large())?;
    if buffer.len() <= size {
        buffer.resize(size.saturating_add(1), 0);
    }
    let mut filled = 0;
    loop {
        let room = buffer.get_mut(filled..).unwrap_or_default();
        let space = room.len();
        let n = rustix::io::retry_on_intr(|| rustix::io::read(file, &mut *room))?;
        filled += n;
        // A network file system may give less than was asked for before the end.
        if n == 0 || n < space && filled >= size {
            return Ok(buffer.get(..filled).unwrap_or_default());
        }
        if filled as u64 > MAX_BYTES {
            return Err(too_large());
        }
        if filled == buffer.len() {
            buffer.resize(filled.saturating_mul(2), 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_short_read_is_not_the_end() {
        let (reader, mut writer) = io::pipe().unwrap();
        let writing = std::thread::spawn(move || {
            for part in ["ab", "cd", "ef"] {
                writer.write_all(part.as_bytes()).unwrap();
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
        });
        let mut buffer = Vec::new();
        assert_eq!(read_bounded(&reader.into(), 6, &mut buffer).unwrap(), b"abcdef");
        writing.join().unwrap();
    }
}

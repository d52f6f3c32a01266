//! What a store holds now, by hash: for the commit that records what others changed.

use super::error::Result;
use super::pack::{Object, Objects, id_of};
use super::tree::{Entry, Files, Kind};
use super::{StoreError, scan, walk};
use crate::memory::path::RelPath;
use git2::{ObjectType, Oid};
use rustix::fs::FileType;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A store by hash.
#[derive(Debug)]
pub(super) struct Survey {
    root: OwnedFd,
    /// Every memory and the index.
    pub files: Files,
}

/// Hashes every memory of a store. One that can't be read keeps its entry from `last`: nobody knows that it
/// changed.
pub(super) fn take(root: &Path, last: &Files) -> Result<Survey> {
    let listing =
        walk::list(root).map_err(|e| StoreError::io("read the store", root, &e, "nothing was done"))?;
    let hashed = walk::in_parallel(&listing.files, |listed, buffer| {
        read(&listing.root, &listed.path, kind(listed.is_link), buffer)
            .map(|bytes| Entry { id: id_of(ObjectType::Blob, bytes), kind: kind(listed.is_link) })
    });
    let mut files = Files::new();
    for (listed, entry) in listing.files.into_iter().zip(hashed) {
        match entry {
            Ok(entry) => drop(files.insert(listed.path, entry)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(_) => keep(&mut files, last, &listed.path),
        }
    }
    for unreadable in &listing.unreadable {
        keep(&mut files, last, unreadable.path.as_path());
    }
    Ok(Survey { root: listing.root, files })
}

fn keep(files: &mut Files, last: &Files, path: &Path) {
    // A directory that can't be entered hides all that is in it.
    let under = last.range(path.to_path_buf()..).take_while(|(file, _)| file.starts_with(path));
    files.extend(under.map(|(file, entry)| (file.clone(), *entry)));
}

impl Survey {
    /// Adds the contents that `last` doesn't have to the new objects, and corrects the entries of files that
    /// changed since they were hashed. Those that `known` names have been added already.
    pub(super) fn add_new(&mut self, last: &Files, known: &Objects, objects: &mut Objects) -> Result<()> {
        let wanted: Vec<(PathBuf, Entry)> = self
            .files
            .iter()
            .filter(|(path, entry)| last.get(*path) != Some(entry) && !known.holds(entry.id))
            .map(|(path, entry)| (path.clone(), *entry))
            .collect();
        let read = walk::in_parallel(&wanted, |(path, entry), buffer| {
            let bytes = read(&self.root, path, entry.kind, buffer)?;
            Object::new(ObjectType::Blob, bytes)
        });
        for ((path, entry), object) in wanted.into_iter().zip(read) {
            match object {
                Ok(object) => {
                    let id: Oid = objects.push(object);
                    self.files.insert(path, Entry { id, ..entry });
                }
                // It went away or became unreadable just now: as if it had been so before.
                Err(_) => match last.get(&path) {
                    Some(before) => drop(self.files.insert(path, *before)),
                    None => drop(self.files.remove(&path)),
                },
            }
        }
        Ok(())
    }
}

fn kind(is_link: bool) -> Kind {
    if is_link { Kind::Link } else { Kind::File }
}

fn read<'a>(root: &OwnedFd, path: &Path, kind: Kind, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
    if kind == Kind::Link {
        let target = rustix::fs::readlinkat(root, path, Vec::new())?;
        buffer.clear();
        buffer.extend_from_slice(target.as_bytes());
        return Ok(buffer);
    }
    let file = walk::open(root, path.as_os_str())?;
    let stat = rustix::fs::fstat(&file)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(io::Error::other("it is not a regular file"));
    }
    scan::read_bounded(&file, u64::try_from(stat.st_size).unwrap_or(0), buffer)
}

/// In words, what differs between two states of a store, and the paths.
pub(super) fn difference(last: &Files, now: &Files) -> (String, Vec<RelPath>) {
    let rel = |path: &PathBuf| RelPath::new(path);
    let new: Vec<RelPath> = now.keys().filter(|path| !last.contains_key(*path)).filter_map(rel).collect();
    let gone: Vec<RelPath> = last.keys().filter(|path| !now.contains_key(*path)).filter_map(rel).collect();
    let changed: Vec<RelPath> = now
        .iter()
        .filter(|(path, entry)| last.get(*path).is_some_and(|before| before != *entry))
        .filter_map(|(path, _)| rel(path))
        .collect();
    let counts = [(new.len(), "new"), (changed.len(), "changed"), (gone.len(), "gone")];
    let words: Vec<String> =
        counts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
    let paths = new.into_iter().chain(changed).chain(gone).collect();
    (format!("changed outside: {}", words.join(", ")), paths)
}

/// A link's target or a file's bytes, as a blob holds them.
pub(super) fn blob_bytes(content: &crate::review::plan::Content) -> &[u8] {
    match content {
        crate::review::plan::Content::File(bytes) => bytes,
        crate::review::plan::Content::Link(target) => target.as_os_str().as_bytes(),
    }
}

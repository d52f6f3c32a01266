//! The files of the queue: written whole or not at all, private, and never read through a link.

use crate::review::proposal::MAX_JSON;
use crate::store::history::sync_dir;
use crate::store::{failpoint, places};
use rustix::fs::{Mode, OFlags};
use serde_json::Value;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Writes both files of a proposal, the `.json` last.
pub(super) fn put(dir: &Path, id: &str, bytes: Option<&[u8]>, json: Option<&[u8]>) -> io::Result<()> {
    places::make_private(dir)?;
    for (extension, content) in [("md", bytes), ("json", json)] {
        let Some(content) = content else { continue };
        failpoint::step();
        // `tempfile` makes it with mode 0600; its name is hidden, so that nobody takes it for a proposal.
        let mut temp = tempfile::Builder::new().prefix(".writing-").suffix(".tmp").tempfile_in(dir)?;
        temp.write_all(content)?;
        temp.as_file().sync_data()?;
        failpoint::step();
        temp.persist(dir.join(format!("{id}.{extension}")))?;
    }
    sync_dir(dir)?;
    failpoint::step();
    Ok(())
}

/// Removes both files of a proposal, the `.json` first.
pub(super) fn remove(dir: &Path, id: &str) -> io::Result<()> {
    remove_one(dir, id, "json")?;
    remove_text(dir, id)
}

/// Removes the `.md` of a proposal.
pub(super) fn remove_text(dir: &Path, id: &str) -> io::Result<()> {
    remove_one(dir, id, "md")?;
    sync_dir(dir)
}

/// Removes one file; what someone put there may be a directory.
fn remove_one(dir: &Path, id: &str, extension: &str) -> io::Result<()> {
    let path = dir.join(format!("{id}.{extension}"));
    let is_dir = path.symlink_metadata().is_ok_and(|found| found.is_dir());
    let removed = if is_dir { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => {
            failpoint::step();
            Ok(())
        }
    }
}

/// Moves both files of a proposal as they are, links as links, the `.json` last. Nothing is replaced: where a name is
/// taken, both get one that is free.
pub(super) fn rename(from: &Path, to: &Path, id: &str) -> io::Result<()> {
    let is_there = |dir: &Path, id: &str, extension: &str| {
        dir.join(format!("{id}.{extension}")).symlink_metadata().is_ok()
    };
    let moving: Vec<&str> = ["md", "json"].into_iter().filter(|part| is_there(from, id, part)).collect();
    places::make_private(to)?;
    let mut new = id.to_owned();
    for number in 2_u64.. {
        if !moving.iter().any(|part| is_there(to, &new, part)) {
            break;
        }
        new = format!("{id}~{number}");
    }
    for part in moving {
        fs::rename(from.join(format!("{id}.{part}")), to.join(format!("{new}.{part}")))?;
        failpoint::step();
    }
    sync_dir(to)?;
    sync_dir(from)
}

/// Reads one file; `None` when there is none. One byte more than `most` is read at most, so that the reader sees that
/// it is too long; what is no regular file is an error.
pub(super) fn read(dir: &Path, name: &str, most: usize) -> io::Result<Option<Vec<u8>>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match rustix::fs::open(dir.join(name), flags, Mode::empty()) {
        Ok(file) => fs::File::from(file),
        Err(rustix::io::Errno::NOENT) => return Ok(None),
        Err(rustix::io::Errno::LOOP) => return Err(io::Error::other("it is a link, which is not followed")),
        Err(error) => return Err(error.into()),
    };
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut bytes = Vec::new();
    file.take(u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// The `.json` of a proposal, when it is one.
pub(super) fn read_json(dir: &Path, id: &str) -> Option<Value> {
    let bytes = read(dir, &format!("{id}.json"), MAX_JSON).ok()??;
    serde_json::from_slice(&bytes).ok()
}

/// A value as a file.
pub(super) fn to_bytes(value: &Value) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value).unwrap_or_default();
    text.push(b'\n');
    text
}

/// The real path of a directory, or what it will be: of what exists of it the real path, then the rest.
pub(super) fn real(dir: &Path) -> PathBuf {
    let exists = dir.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    match exists {
        Some((above, real)) => match dir.strip_prefix(above) {
            Ok(rest) if rest.as_os_str().is_empty() => real,
            Ok(rest) => real.join(rest),
            Err(_) => dir.to_path_buf(),
        },
        None => dir.to_path_buf(),
    }
}

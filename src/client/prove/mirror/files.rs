//! Copies of single files and of a directory of memories.

use super::copier::note;
use super::{MAX_FILE, MAX_MEMORY, Memory, moved};
use crate::client::inside;
use crate::client::prove::obeyed;
use crate::client::trouble::{Trouble, disk};
use crate::memory::Time;
use chrono::TimeDelta;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Copies one file with its time; whether its whole content is there.
pub(super) fn file(root: &Path, from: &Path, to: &Path, shift: TimeDelta) -> Result<bool, Trouble> {
    let Ok(meta) = fs::metadata(from) else { return Ok(false) };
    let mut copy = inside::create(root, to)?;
    let whole = meta.len() <= MAX_FILE;
    if whole {
        let Ok(bytes) = fs::read(from) else {
            // A file that can't be read is no file in the mirror either.
            fs::remove_file(to).map_err(disk(to))?;
            return Ok(false);
        };
        copy.write_all(&bytes).map_err(disk(to))?;
    } else {
        copy.set_len(meta.len()).map_err(disk(to))?;
    }
    if let Ok(time) = meta.modified() {
        let time: Time = Time::from(time) + shift;
        copy.set_modified(time.into()).map_err(disk(to))?;
    }
    Ok(whole)
}

impl Memory<'_> {
    pub(super) fn copy(&mut self, from: &Path, to: &Path, depth: usize) -> Result<(), Trouble> {
        let Ok(entries) = fs::read_dir(from) else { return Ok(()) };
        inside::directory(self.root, to)?;
        for entry in entries.flatten() {
            let (path, there) = (entry.path(), to.join(entry.file_name()));
            let Ok(meta) = fs::symlink_metadata(&path) else { continue };
            if meta.is_symlink() {
                self.link(&path, &there)?;
            } else if meta.is_dir()
                && depth < 12
                && !path.starts_with(self.root)
                && !self.root.starts_with(&path)
            {
                self.copy(&path, &there, depth + 1)?;
            } else if meta.is_file() && obeyed::is(&path, &[]) {
                note(self.left_out, &path);
            } else if meta.is_file() && fs::symlink_metadata(&there).is_err() {
                self.files += 1;
                self.bytes += meta.size().min(MAX_FILE);
                if self.files > MAX_MEMORY.0 || self.bytes > MAX_MEMORY.1 {
                    let what = format!("more than {} files in {}", MAX_MEMORY.0, from.display());
                    if !self.left_out.contains(&what) {
                        self.left_out.push(what);
                    }
                    return Ok(());
                }
                if !file(self.root, &path, &there, self.shift)? {
                    self.left_out.push(format!("{}, which can't be read or is too large", path.display()));
                }
            }
        }
        Ok(())
    }

    /// A link: what it leads to lies beside it under another name that is no Markdown.
    fn link(&mut self, path: &Path, there: &Path) -> Result<(), Trouble> {
        if fs::symlink_metadata(there).is_ok() {
            return Ok(());
        }
        let Ok(real) = fs::canonicalize(path) else {
            let nowhere = there.with_file_name("leads-nowhere");
            return inside::link(self.root, &nowhere, there);
        };
        if obeyed::is(&real, &[]) || obeyed::is(path, &[]) {
            note(self.left_out, path);
            return Ok(());
        }
        let target = moved(&real, self.root);
        if let Some(parent) = target.parent() {
            inside::directory(self.root, parent)?;
        }
        if real.is_file() && fs::symlink_metadata(&target).is_err() {
            file(self.root, &real, &target, self.shift)?;
        }
        inside::link(self.root, &target, there)
    }
}

//! A file outside of the store that an operation would change with it, as it is now.

use super::StoreError;
use super::error::{Result, shown};
use super::files::{Missing, Root};
use super::spot::Spot;
use crate::memory::path::RelPath;
use crate::review::plan::{Content, FileState};
use std::io;
use std::path::{Path, PathBuf};

/// The real path of a file that may be missing, and what it holds. Links on the way are followed as long as they
/// stay in `base`; a file that is a link itself is never written through.
///
/// # Errors
/// When the path leads out of `base`, is a link or no file, or can't be read.
pub fn outside(base: &Path, path: &Path) -> Result<(PathBuf, Option<FileState>)> {
    let cannot = |error: &io::Error| StoreError::io("read", path, error, "nothing was changed");
    let real_base = real(base).map_err(|e| cannot(&e))?;
    let dir = path.parent().unwrap_or(path);
    let file = real(dir).map_err(|e| cannot(&e))?.join(path.file_name().unwrap_or_default());
    if !file.starts_with(&real_base) {
        return Err(StoreError::fault(
            format!("{} leads out of {} over a link; nothing was changed", shown(path), shown(base)),
            "replace the link by a directory, or write there yourself",
        ));
    }
    let spot = Spot::Outside(file.clone());
    let root = Root::open(Path::new("/")).map_err(|e| cannot(&e))?;
    let found = match root.parent(&spot, Missing::Fail) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(cannot(&error)),
        Ok((dir, name)) => super::files::find(&dir, &name).map_err(|e| cannot(&e))?,
    };
    match found {
        Some(FileState { content: Content::Link(target), .. }) => Err(StoreError::fault(
            format!("{} is a link to {}; nothing was changed", shown(path), shown(&target)),
            "it is never written through: add the text there yourself, then delete the memory",
        )),
        state => Ok((file, state)),
    }
}

/// Makes a directory below another one, over no link; one that is there stays as it is.
///
/// # Errors
/// When something on the way is no directory, or can't be made.
pub fn make_directory(base: &Path, below: &Path) -> Result<()> {
    let path = base.join(below);
    let cannot = |error: io::Error| StoreError::io("make", &path, &error, "nothing was changed");
    let inside =
        RelPath::new(below.join("file")).ok_or_else(|| cannot(io::ErrorKind::InvalidInput.into()))?;
    let root = Root::open(base).map_err(cannot)?;
    root.parent(&Spot::Inside(inside), Missing::Make).map(drop).map_err(cannot)
}

/// The real path of a directory, as far as it exists.
fn real(dir: &Path) -> io::Result<PathBuf> {
    for there in dir.ancestors() {
        match there.canonicalize() {
            Ok(real) => return Ok(real.join(dir.strip_prefix(there).map_err(io::Error::other)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound && !is_entry(there) => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::NotFound.into())
}

/// Whether there is an entry, be it a link that leads nowhere.
fn is_entry(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

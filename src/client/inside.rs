//! Writing below a temporary root and nowhere else: what is mirrored there may hold links, and none of them may lead a
//! write to a real file.

use crate::client::trouble::{Trouble, disk};
use rustix::fs::OFlags;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::path::{Component, Path};

/// Makes a directory and those above it. `root` is real.
///
/// # Errors
/// When it would lie outside of the root, or the disk does not work.
pub(super) fn directory(root: &Path, dir: &Path) -> Result<(), Trouble> {
    // What there is of it comes first, so that none is made outside.
    let there = dir.ancestors().find(|above| above.exists()).unwrap_or(dir);
    check(root, there)?;
    fs::create_dir_all(dir).map_err(disk(dir))?;
    check(root, dir)
}

/// Makes a file, or empties the one that is there; a link in its place is not followed.
///
/// # Errors
/// When it would lie outside of the root, or the disk does not work.
pub(super) fn create(root: &Path, path: &Path) -> Result<File, Trouble> {
    directory(root, path.parent().unwrap_or(path))?;
    let mut options = File::options();
    options.write(true).create(true).truncate(true).custom_flags(OFlags::NOFOLLOW.bits().cast_signed());
    options.open(path).map_err(disk(path))
}

/// Writes a file and its directories.
///
/// # Errors
/// When it would lie outside of the root, or the disk does not work.
pub(super) fn write(root: &Path, path: &Path, text: &str) -> Result<(), Trouble> {
    create(root, path)?.write_all(text.as_bytes()).map_err(disk(path))
}

/// Makes a link to a place below the root, whether there is something or not.
///
/// # Errors
/// When either would lie outside of the root, or the disk does not work.
pub(super) fn link(root: &Path, target: &Path, path: &Path) -> Result<(), Trouble> {
    let climbs = target.components().any(|part| part == Component::ParentDir);
    if climbs || !target.starts_with(root) {
        return Err(outside(target));
    }
    directory(root, path.parent().unwrap_or(path))?;
    symlink(target, path).map_err(disk(path))
}

fn check(root: &Path, dir: &Path) -> Result<(), Trouble> {
    let real = fs::canonicalize(dir).map_err(disk(dir))?;
    if real.starts_with(root) { Ok(()) } else { Err(outside(dir)) }
}

fn outside(path: &Path) -> Trouble {
    Trouble::Outside(path.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_outside() {
        let dir = tempfile::tempdir().unwrap();
        let all = fs::canonicalize(dir.path()).unwrap();
        let (root, real) = (all.join("root"), all.join("real"));
        for made in [&root.join("in"), &real] {
            fs::create_dir_all(made).unwrap();
        }
        fs::write(real.join("kept"), "kept").unwrap();
        symlink(&real, root.join("out")).unwrap();
        symlink(real.join("kept"), root.join("file")).unwrap();
        symlink(root.join("in"), root.join("link")).unwrap();
        symlink(real.join("nothing"), root.join("dangling")).unwrap();
        for bad in [
            "out/kept",
            "out/new",
            "out/new/deeper",
            "file",
            "dangling",
            "dangling/x",
            "../real/kept",
            "../new/x",
        ] {
            assert!(write(&root, &root.join(bad), "no").is_err(), "{bad}");
            assert!(
                bad == "file" || bad == "dangling" || directory(&root, &root.join(bad)).is_err(),
                "{bad}"
            );
        }
        assert!(link(&root, &real, &root.join("a")).is_err());
        assert!(link(&root, &root.join("../real"), &root.join("a")).is_err());
        assert!(link(&root, &root.join("in"), &root.join("out/a")).is_err());
        assert_eq!(fs::read_dir(&real).unwrap().count(), 1);
        assert_eq!(fs::read(real.join("kept")).unwrap(), b"kept");
        assert!(!all.join("new").exists());
        write(&root, &root.join("link/deep/x"), "yes").unwrap();
        link(&root, &root.join("in/gone"), &root.join("in/to")).unwrap();
        assert_eq!(fs::read(root.join("in/deep/x")).unwrap(), b"yes");
    }
}

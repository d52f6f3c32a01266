//! The real file system as a [`Port`]. It only reads.

use crate::memory::Time;
use crate::prompt::port::{Kind, Port};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// The real file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiskPort;

impl Port for DiskPort {
    fn kind(&self, path: &Path) -> Option<Kind> {
        let kind = std::fs::metadata(path).ok()?.file_type();
        Some(match () {
            () if kind.is_file() => Kind::File,
            () if kind.is_dir() => Kind::Dir,
            () => Kind::Other,
        })
    }

    fn is_link(&self, path: &Path) -> bool {
        std::fs::symlink_metadata(path).is_ok_and(|meta| meta.file_type().is_symlink())
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        std::fs::canonicalize(path)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn size(&self, path: &Path) -> Option<u64> {
        Some(std::fs::metadata(path).ok()?.len())
    }

    fn modified(&self, path: &Path) -> Option<Time> {
        Some(std::fs::metadata(path).ok()?.modified().ok()?.into())
    }

    fn list(&self, path: &Path) -> io::Result<Vec<OsString>> {
        std::fs::read_dir(path)?.map(|entry| Ok(entry?.file_name())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn it_answers_as_the_port_in_memory_does() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let mut mem = crate::prompt::port::mem::MemPort::default();
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        std::fs::write(root.join("a/b/c.md"), "x").unwrap();
        mem.file(root.join("a/b/c.md"), "x");
        for (at, target) in [("l", "a/b"), ("a/up", "../l/c.md"), ("gone", "nope"), ("x", "y"), ("y", "x")] {
            symlink(target, root.join(at)).unwrap();
            mem.link(root.join(at), target);
        }
        for path in ["", "a", "l", "l/c.md", "a/up", "gone", "x", "a/b/c.md/d", "a/../l"] {
            let path = root.join(path);
            assert_eq!(DiskPort.kind(&path), mem.kind(&path), "{path:?}");
            assert_eq!(DiskPort.is_link(&path), mem.is_link(&path), "{path:?}");
            assert_eq!(DiskPort.real(&path).ok(), mem.real(&path).ok(), "{path:?}");
            assert_eq!(DiskPort.read(&path).ok(), mem.read(&path).ok(), "{path:?}");
        }
        assert_eq!(DiskPort.size(&root.join("a/up")), Some(1));
        let mut names = DiskPort.list(&root).unwrap();
        names.sort();
        assert_eq!(names, mem.list(&root).unwrap());
    }
}

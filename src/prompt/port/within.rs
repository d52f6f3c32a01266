//! A file system of which only one directory is seen: the demo reads nothing of the person's.

use super::{Kind, Port};
use crate::memory::Time;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// Another [`Port`], of which only what lies below a directory is seen; without one, all of it.
pub struct Within<'a> {
    below: &'a dyn Port,
    root: Option<&'a Path>,
}

impl<'a> Within<'a> {
    /// What `below` shows in `root`, which is a real path.
    #[must_use]
    pub fn new(below: &'a dyn Port, root: Option<&'a Path>) -> Self {
        Self { below, root }
    }

    /// Whether a path lies there, and what it leads to does too.
    fn sees(&self, path: &Path) -> bool {
        self.root.is_none_or(|root| {
            path.starts_with(root) && self.below.real(path).is_ok_and(|real| real.starts_with(root))
        })
    }

    fn seen(&self, path: &Path) -> io::Result<()> {
        if self.sees(path) { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
    }
}

impl Port for Within<'_> {
    fn kind(&self, path: &Path) -> Option<Kind> {
        self.sees(path).then(|| self.below.kind(path))?
    }

    fn is_link(&self, path: &Path) -> bool {
        self.sees(path) && self.below.is_link(path)
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        self.seen(path)?;
        self.below.real(path)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.seen(path)?;
        self.below.read(path)
    }

    fn size(&self, path: &Path) -> Option<u64> {
        self.sees(path).then(|| self.below.size(path))?
    }

    fn modified(&self, path: &Path) -> Option<Time> {
        self.sees(path).then(|| self.below.modified(path))?
    }

    fn list(&self, path: &Path) -> io::Result<Vec<OsString>> {
        self.seen(path)?;
        self.below.list(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::port::mem::MemPort;

    #[test]
    fn nothing_outside_is_seen() {
        let mut port = MemPort::default();
        port.file("/CLAUDE.md", "the person's").file("/demo/CLAUDE.md", "the demo's");
        port.link("/demo/out.md", "/CLAUDE.md");
        let within = Within::new(&port, Some(Path::new("/demo")));
        assert!(within.read(Path::new("/demo/CLAUDE.md")).is_ok());
        for hidden in ["/CLAUDE.md", "/demo/out.md", "/demo/../CLAUDE.md", "/"] {
            assert!(within.read(Path::new(hidden)).is_err(), "{hidden}");
            assert_eq!(within.kind(Path::new(hidden)), None, "{hidden}");
        }
        assert!(Within::new(&port, None).read(Path::new("/CLAUDE.md")).is_ok());
    }
}

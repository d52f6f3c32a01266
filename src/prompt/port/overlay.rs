//! A file system as it would be after edits and deletions that were not made: previews of what-ifs, without writing.

use super::{Kind, Port};
use crate::memory::Time;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// Another [`Port`] with some files replaced, added or taken away.
///
/// Changes are keyed by real path: a change of a file shows through every link that leads to it. Taking a link away
/// takes the link, not what it leads to.
pub struct Overlay<'a> {
    below: &'a dyn Port,
    changes: BTreeMap<PathBuf, Change>,
}

#[derive(Debug, Clone)]
enum Change {
    File { bytes: Vec<u8>, modified: Option<Time> },
    Gone,
}

impl<'a> Overlay<'a> {
    /// A port that shows what `below` shows.
    #[must_use]
    pub fn new(below: &'a dyn Port) -> Self {
        Self { below, changes: BTreeMap::new() }
    }

    /// Shows these bytes at `path`, changed at that time; its directory is shown too when there is none.
    pub fn write(&mut self, path: &Path, bytes: impl Into<Vec<u8>>, modified: Option<Time>) -> &mut Self {
        let at = self.key(path);
        self.changes.insert(at, Change::File { bytes: bytes.into(), modified });
        self
    }

    /// Shows nothing at `path`: neither the file nor, for a directory, what is in it.
    pub fn remove(&mut self, path: &Path) -> &mut Self {
        let at = if self.below.is_link(path) { self.beside(path) } else { self.key(path) };
        self.changes.retain(|changed, _| !changed.starts_with(&at));
        self.changes.insert(at, Change::Gone);
        self
    }

    /// The real path where a change of `path` is kept; it need not exist.
    fn key(&self, path: &Path) -> PathBuf {
        self.below.real(path).unwrap_or_else(|_| self.beside(path))
    }

    /// The path with its directory real, its own name as it is.
    fn beside(&self, path: &Path) -> PathBuf {
        match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) if !parent.as_os_str().is_empty() => self.key(parent).join(name),
            _ => path.to_path_buf(),
        }
    }

    /// What is changed at a path, if anything is: at itself, or above it.
    fn change(&self, path: &Path) -> Option<&Change> {
        let direct = self.changes.get(&self.beside(path));
        direct.or_else(|| self.changes.get(&self.key(path))).or_else(|| {
            let real = self.key(path);
            let mut above = real.ancestors().skip(1).chain(path.ancestors().skip(1));
            above.find_map(|directory| {
                self.changes.get(directory).filter(|change| matches!(change, Change::Gone))
            })
        })
    }

    /// Whether a file was added somewhere below a path, so that it is a directory now.
    fn holds(&self, path: &Path) -> bool {
        let real = self.key(path);
        self.changes
            .iter()
            .any(|(at, change)| matches!(change, Change::File { .. }) && at != &real && at.starts_with(&real))
    }

    fn missing<T>() -> io::Result<T> {
        Err(io::ErrorKind::NotFound.into())
    }
}

impl Port for Overlay<'_> {
    fn kind(&self, path: &Path) -> Option<Kind> {
        match self.change(path) {
            Some(Change::File { .. }) => Some(Kind::File),
            Some(Change::Gone) => self.holds(path).then_some(Kind::Dir),
            None => self.below.kind(path).or_else(|| self.holds(path).then_some(Kind::Dir)),
        }
    }

    fn is_link(&self, path: &Path) -> bool {
        self.below.is_link(path) && !matches!(self.change(path), Some(Change::Gone))
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        match self.kind(path) {
            Some(_) => Ok(self.key(path)),
            None => Self::missing(),
        }
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.change(path) {
            Some(Change::File { bytes, .. }) => Ok(bytes.clone()),
            Some(Change::Gone) => Self::missing(),
            None => self.below.read(path),
        }
    }

    fn size(&self, path: &Path) -> Option<u64> {
        match self.change(path) {
            Some(Change::File { bytes, .. }) => u64::try_from(bytes.len()).ok(),
            Some(Change::Gone) => None,
            None => self.below.size(path),
        }
    }

    fn modified(&self, path: &Path) -> Option<Time> {
        match self.change(path) {
            Some(Change::File { modified, .. }) => *modified,
            Some(Change::Gone) => None,
            None => self.below.modified(path),
        }
    }

    fn list(&self, path: &Path) -> io::Result<Vec<OsString>> {
        let mut names = match self.below.list(path) {
            Ok(names) => names,
            Err(_) if self.holds(path) => Vec::new(),
            Err(error) => return Err(error),
        };
        // What is there stays in its place; what is new comes last.
        names.retain(|name| self.kind(&path.join(name)).is_some() || self.is_link(&path.join(name)));
        let real = self.key(path);
        for (at, change) in &self.changes {
            let Ok(rest) = at.strip_prefix(&real) else { continue };
            let Some(first) = rest.components().next() else { continue };
            let name = first.as_os_str().to_os_string();
            if matches!(change, Change::File { .. }) && !names.contains(&name) {
                names.push(name);
            }
        }
        Ok(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::port::mem::MemPort;

    #[test]
    fn what_is_not_made_shows_as_if_it_were() {
        let mut below = MemPort::default();
        below
            .file("/s/a.md", "a")
            .file("/s/b.md", "b")
            .file("/s/d/c.md", "c")
            .link("/l", "/s")
            .link("/s/k.md", "a.md");
        let mut over = Overlay::new(&below);
        over.write(Path::new("/l/a.md"), "A", None).remove(Path::new("/s/b.md")).write(
            Path::new("/s/n/e.md"),
            "e",
            None,
        );
        let names = |path: &str| over.list(Path::new(path)).unwrap();
        assert_eq!(over.read(Path::new("/s/a.md")).unwrap(), b"A");
        assert_eq!(over.read(Path::new("/s/k.md")).unwrap(), b"A", "through a link");
        assert_eq!(over.size(Path::new("/s/a.md")), Some(1));
        assert_eq!(over.kind(Path::new("/l/b.md")), None);
        assert!(over.read(Path::new("/s/b.md")).is_err() && over.real(Path::new("/s/b.md")).is_err());
        assert_eq!(names("/s"), ["a.md", "d", "k.md", "n"]);
        assert_eq!(over.kind(Path::new("/s/n")), Some(Kind::Dir));
        assert_eq!(names("/s/n"), ["e.md"]);
        assert_eq!(over.real(Path::new("/l/a.md")).unwrap(), Path::new("/s/a.md"));
        assert_eq!(below.read(Path::new("/s/a.md")).unwrap(), b"a", "nothing was changed");
    }

    #[test]
    fn a_directory_goes_with_what_is_in_it_and_a_link_alone() {
        let mut below = MemPort::default();
        below.file("/s/d/c.md", "c").link("/s/l", "d");
        let mut over = Overlay::new(&below);
        over.remove(Path::new("/s/l"));
        assert_eq!(over.kind(Path::new("/s/l")), None);
        assert_eq!(over.kind(Path::new("/s/d/c.md")), Some(Kind::File));
        over.remove(Path::new("/s/d"));
        assert_eq!(over.kind(Path::new("/s/d/c.md")), None);
        assert_eq!(over.kind(Path::new("/s/d")), None);
        assert_eq!(over.list(Path::new("/s")).unwrap(), [""; 0]);
    }
}

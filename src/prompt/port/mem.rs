//! A file system in memory: a [`Port`] for tests, and for what-ifs that must not touch the disk.

use super::{Kind, Port};
use crate::memory::Time;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

/// How many links one path may lead through, as the system's own limit (`ELOOP`).
const MAX_LINKS: usize = 40;

/// A file system in memory. Paths are absolute; parents are made as needed.
#[derive(Debug, Clone, Default)]
pub struct MemPort {
    nodes: BTreeMap<PathBuf, Node>,
}

#[derive(Debug, Clone)]
enum Node {
    Dir,
    File { bytes: Vec<u8>, modified: Option<Time> },
    Link(PathBuf),
}

impl MemPort {
    /// Adds a directory.
    pub fn dir(&mut self, path: impl AsRef<Path>) -> &mut Self {
        self.put(path.as_ref(), Node::Dir)
    }

    /// Adds a file.
    pub fn file(&mut self, path: impl AsRef<Path>, bytes: impl Into<Vec<u8>>) -> &mut Self {
        self.put(path.as_ref(), Node::File { bytes: bytes.into(), modified: None })
    }

    /// Adds a file with its time of last change.
    pub fn file_at(
        &mut self,
        path: impl AsRef<Path>,
        bytes: impl Into<Vec<u8>>,
        modified: Time,
    ) -> &mut Self {
        self.put(path.as_ref(), Node::File { bytes: bytes.into(), modified: Some(modified) })
    }

    /// Adds a symbolic link.
    pub fn link(&mut self, path: impl AsRef<Path>, target: impl Into<PathBuf>) -> &mut Self {
        self.put(path.as_ref(), Node::Link(target.into()))
    }

    fn put(&mut self, path: &Path, node: Node) -> &mut Self {
        for parent in path.ancestors().skip(1) {
            self.nodes.entry(parent.to_path_buf()).or_insert(Node::Dir);
        }
        self.nodes.insert(path.to_path_buf(), node);
        self
    }

    fn at(&self, path: &Path) -> Option<&Node> {
        self.nodes.get(&self.real(path).ok()?)
    }

    /// Resolves one path, component by component; `left` counts the links that may still be followed.
    fn resolve(&self, path: &Path, left: &mut usize) -> io::Result<PathBuf> {
        let mut done = PathBuf::from("/");
        for component in path.components() {
            match component {
                Component::ParentDir => {
                    done.pop();
                }
                Component::Normal(name) => {
                    done.push(name);
                    match self.nodes.get(&done) {
                        None => return Err(io::ErrorKind::NotFound.into()),
                        Some(Node::Link(target)) => {
                            *left = left.checked_sub(1).ok_or(io::ErrorKind::InvalidInput)?;
                            done.pop();
                            done = self.resolve(&done.join(target), left)?;
                        }
                        Some(_) => {}
                    }
                }
                Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
            }
        }
        Ok(done)
    }
}

impl Port for MemPort {
    fn kind(&self, path: &Path) -> Option<Kind> {
        Some(match self.at(path)? {
            Node::Dir => Kind::Dir,
            Node::File { .. } => Kind::File,
            Node::Link(_) => return None,
        })
    }

    fn is_link(&self, path: &Path) -> bool {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return false };
        let Ok(parent) = self.real(parent) else { return false };
        matches!(self.nodes.get(&parent.join(name)), Some(Node::Link(_)))
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        self.resolve(path, &mut MAX_LINKS.clone())
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.at(path) {
            Some(Node::File { bytes, .. }) => Ok(bytes.clone()),
            Some(_) => Err(io::ErrorKind::IsADirectory.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn size(&self, path: &Path) -> Option<u64> {
        match self.at(path)? {
            Node::File { bytes, .. } => u64::try_from(bytes.len()).ok(),
            _ => None,
        }
    }

    fn modified(&self, path: &Path) -> Option<Time> {
        match self.at(path)? {
            Node::File { modified, .. } => *modified,
            _ => None,
        }
    }

    fn list(&self, path: &Path) -> io::Result<Vec<OsString>> {
        let dir = self.real(path)?;
        match self.nodes.get(&dir) {
            Some(Node::Dir) => {}
            _ => return Err(io::ErrorKind::NotADirectory.into()),
        }
        let inside = self.nodes.keys().filter(|key| key.parent() == Some(&dir));
        Ok(inside.filter_map(|key| key.file_name()).map(OsString::from).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_as_the_system_does() {
        let mut port = MemPort::default();
        port.file("/a/b/c.md", "x").link("/l", "/a/b").link("/a/up", "../l/c.md").link("/gone", "/nope");
        port.link("/x", "/y").link("/y", "/x");
        assert_eq!(port.real(Path::new("/l/c.md")).unwrap(), Path::new("/a/b/c.md"));
        assert_eq!(port.read(Path::new("/a/up")).unwrap(), b"x");
        assert_eq!(port.kind(Path::new("/l")), Some(Kind::Dir));
        assert_eq!(port.kind(Path::new("/gone")), None);
        assert_eq!(port.kind(Path::new("/x")), None, "a loop leads nowhere");
        assert!(port.is_link(Path::new("/gone")) && !port.is_link(Path::new("/l/c.md")));
        assert_eq!(port.list(Path::new("/l")).unwrap(), ["c.md"]);
    }
}

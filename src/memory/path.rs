//! The path of a file inside its store.

use std::borrow::Cow;
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// A path relative to its store: only normal components, never empty, never absolute, never `..`.
///
/// The name may hold any bytes that the file system allows (newlines, not UTF-8); show it through
/// [`crate::memory::text::visible`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelPath(Arc<Path>);

impl RelPath {
    /// The path, or `None` when it is empty, absolute or leaves the store.
    #[must_use]
    pub fn new(path: impl AsRef<Path>) -> Option<Self> {
        let mut clean = PathBuf::new();
        for component in path.as_ref().components() {
            match component {
                Component::Normal(part) => clean.push(part),
                Component::CurDir => {}
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        (!clean.as_os_str().is_empty()).then(|| Self(clean.into()))
    }

    /// The path of the store's index.
    #[must_use]
    pub fn index() -> Self {
        Self(Path::new("MEMORY.md").into())
    }

    /// The path for use with the store's root: `root.join(path.as_path())`.
    #[must_use]
    pub fn as_path(&self) -> &Path {
        &self.0
    }

    /// The path as text; bytes that are not UTF-8 become U+FFFD.
    #[must_use]
    pub fn to_str_lossy(&self) -> Cow<'_, str> {
        self.0.to_string_lossy()
    }

    /// The file name without its last extension, as text.
    #[must_use]
    pub fn stem(&self) -> Cow<'_, str> {
        self.0.file_stem().unwrap_or_default().to_string_lossy()
    }

    /// Whether this is a page that people write about a directory or for every session: nobody misses it in the
    /// index.
    #[must_use]
    pub fn is_documentation(&self) -> bool {
        let stem = self.stem().to_ascii_lowercase();
        ["readme", "claude", "claude.local", "agents"].contains(&stem.as_str())
    }

    /// Whether a store lists what is here: a visible Markdown file in visible directories. All else it leaves alone.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        use std::os::unix::ffi::OsStrExt;
        let is_hidden = |part: &std::ffi::OsStr| part.as_bytes().starts_with(b".");
        self.0.as_os_str().as_bytes().ends_with(b".md") && !self.0.iter().any(is_hidden)
    }

    /// Whether this is the store's index, `MEMORY.md` at its root (the exact name: the client's rule).
    #[must_use]
    pub fn is_index(&self) -> bool {
        self.0.as_os_str() == "MEMORY.md"
    }
}

impl fmt::Debug for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl fmt::Display for RelPath {
    /// Raw text: for the terminal use [`crate::memory::text::visible`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_str_lossy())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_inside_the_store() {
        for bad in ["", ".", "/a.md", "../a.md", "a/../../b.md", "a/.."] {
            assert!(RelPath::new(bad).is_none(), "{bad}");
        }
        assert_eq!(RelPath::new("./a/b.md").unwrap().to_str_lossy(), "a/b.md");
        assert!(RelPath::index().is_index());
        assert_eq!(RelPath::new("MEMORY.md"), Some(RelPath::index()));
        assert!(!RelPath::new("sub/MEMORY.md").unwrap().is_index());
    }
}

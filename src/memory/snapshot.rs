//! A store as it was read at one moment.

use crate::memory::Time;
use crate::memory::document::Document;
use crate::memory::index::Index;
use crate::memory::path::RelPath;
use crate::memory::text::lossy;
use std::path::PathBuf;
use std::sync::Arc;

/// A store as it was read at one moment. Cheap to clone: it is shared between threads.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// The real path of the store's directory.
    pub root: PathBuf,
    /// Every memory, by path.
    pub memories: Vec<Arc<Memory>>,
    /// `MEMORY.md`, when there is one.
    pub index: Option<Arc<IndexFile>>,
    /// Files that could not be read and why; they are shown, not hidden.
    pub unreadable: Vec<Unreadable>,
    /// How many files are not memories (`.bak`, `.py`) and are left alone.
    pub left_alone: usize,
    /// Those of them that proposals are about, by path; read only where proposals are looked at.
    pub beside: Vec<Arc<Memory>>,
}

impl Snapshot {
    /// Whether nobody knows what is at this path: it, or a directory that it is in, can't be read.
    #[must_use]
    pub fn is_hidden(&self, path: &RelPath) -> bool {
        self.unreadable.iter().any(|file| path.as_path().starts_with(file.path.as_path()))
    }
}

/// One memory: its bytes and what was read from them.
#[derive(Debug, Clone)]
pub struct Memory {
    /// Where it is in the store.
    pub path: RelPath,
    /// The file as it was read.
    pub bytes: Arc<[u8]>,
    /// What was read from the bytes.
    pub document: Document,
    /// What the file system says of it.
    pub stat: Stat,
}

/// The index file: its bytes and what was read from them.
#[derive(Debug, Clone)]
pub struct IndexFile {
    /// The file as it was read.
    pub bytes: Arc<[u8]>,
    /// What was read from the bytes.
    pub index: Index,
    /// What the file system says of it.
    pub stat: Stat,
}

/// What the file system says of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stat {
    /// The time of the last change, with nanoseconds.
    pub mtime: Time,
    /// The permission bits (0o644).
    pub mode: u32,
    /// When the entry is a symbolic link: where it points, and whether that is inside the store.
    pub link: Option<Link>,
}

/// Where a symbolic link points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The target as written in the link.
    pub target: PathBuf,
    /// Whether its real path is inside the store. Outside ones are shown and never written through.
    pub inside: bool,
}

/// A file that could not be read.
#[derive(Debug, Clone)]
pub struct Unreadable {
    /// Which file.
    pub path: RelPath,
    /// Why, in words.
    pub why: String,
}

impl Snapshot {
    /// Whether the files are the same, to the byte and the time.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let same =
            |(a, b): (&Arc<Memory>, &Arc<Memory>)| a.path == b.path && a.stat == b.stat && a.bytes == b.bytes;
        let index =
            |snapshot: &Self| snapshot.index.as_ref().map(|file| (file.bytes.clone(), file.stat.clone()));
        let unreadable = |snapshot: &Self| -> Vec<(RelPath, String)> {
            snapshot.unreadable.iter().map(|file| (file.path.clone(), file.why.clone())).collect()
        };
        self.memories.len() == other.memories.len()
            && self.left_alone == other.left_alone
            && index(self) == index(other)
            && unreadable(self) == unreadable(other)
            && self.memories.iter().zip(&other.memories).all(same)
    }
}

impl Memory {
    /// The file as text; bytes that are not UTF-8 become U+FFFD (as the client reads it).
    #[must_use]
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        lossy(&self.bytes)
    }

    /// The body as text, without the frontmatter.
    #[must_use]
    pub fn body(&self) -> std::borrow::Cow<'_, str> {
        lossy(self.bytes.get(self.document.body.clone()).unwrap_or_default())
    }

    /// The name to show: `name` when it is there and not blank, else the file's stem.
    #[must_use]
    pub fn title(&self) -> std::borrow::Cow<'_, str> {
        match &self.document.header.name {
            Some(name) if !name.trim().is_empty() => std::borrow::Cow::Borrowed(name),
            _ => self.path.stem(),
        }
    }
}

//! Which file an index edit goes to: `MEMORY.md`, or the file inside the store that it is a link to.

use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Snapshot};
use crate::memory::text::visible;
use crate::review::plan::{Change, Content, FileState, Refusal};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The file that an index edit goes to, as it was read.
#[derive(Debug, Clone)]
pub(super) struct IndexTarget {
    path: Option<RelPath>,
    /// Its bytes.
    pub bytes: Arc<[u8]>,
    before: Option<FileState>,
    mode: u32,
}

impl IndexTarget {
    /// The index of a store; `None` when it has none.
    ///
    /// # Errors
    /// When the index could not be read, or is a link to somewhere that must not be written.
    pub(super) fn of(snapshot: &Snapshot) -> Result<Option<Self>, Refusal> {
        let Some(file) = &snapshot.index else {
            return match snapshot.unreadable.iter().find(|file| file.path.is_index()) {
                Some(file) => Err(Refusal {
                    what: format!(
                        "MEMORY.md could not be read ({}); nothing was changed",
                        visible(&file.why, false)
                    ),
                    hint: "make it readable first, so that its lines can follow".into(),
                }),
                None => Ok(None),
            };
        };
        let (path, stat) = match &file.stat.link {
            None => (RelPath::new("MEMORY.md"), &file.stat),
            Some(link) => {
                let real = link.inside.then(|| inside(&snapshot.root, &link.target)).flatten();
                // A link to a link is not followed: the file at its end was not seen here.
                let linked = |real: &RelPath| snapshot.memories.iter().find(|memory| memory.path == *real);
                match real.as_ref().map(|real| linked(real).map(|memory| &memory.stat)) {
                    Some(Some(stat)) if stat.link.is_none() => (real, stat),
                    Some(None) => (real, &file.stat),
                    _ => return Err(outside(&link.target)),
                }
            }
        };
        let content = Content::File(Arc::clone(&file.bytes));
        let before = FileState { content, mode: stat.mode, mtime: Some(stat.mtime) };
        Ok(Some(Self { path, bytes: Arc::clone(&file.bytes), mode: stat.mode, before: Some(before) }))
    }

    /// An index that does not exist yet; it gets the permission bits of the memory it is made for.
    pub(super) fn missing(memory: Option<&Arc<Memory>>) -> Self {
        let mode = memory.map_or(0o600, |memory| memory.stat.mode);
        Self { path: RelPath::new("MEMORY.md"), bytes: Arc::from([].as_slice()), before: None, mode }
    }

    /// Whether edits go to this path.
    pub(super) fn is_at(&self, path: &RelPath) -> bool {
        self.path.as_ref() == Some(path)
    }

    /// The change that writes new bytes.
    pub(super) fn change(self, bytes: Vec<u8>) -> Option<Change> {
        let after = FileState { content: Content::File(bytes.into()), mode: self.mode, mtime: None };
        Some(Change { path: self.path?, before: self.before, after: Some(after) })
    }
}

/// The path in the store that a link at its root points to.
pub(crate) fn inside(root: &Path, target: &Path) -> Option<RelPath> {
    let mut path = PathBuf::new();
    for part in root.join(target).components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            Component::CurDir => {}
            other => path.push(other),
        }
    }
    RelPath::new(path.strip_prefix(root).ok()?)
}

fn outside(target: &Path) -> Refusal {
    Refusal {
        what: format!(
            "MEMORY.md is a link to {}, which is not a plain file of this store; nothing was changed",
            visible(&target.to_string_lossy(), false)
        ),
        hint: "open the store that the file belongs to, or replace the link by a file".into(),
    }
}

//! Where a file is that an operation changes: in the store, or one that changes with it outside.

use super::error::{Result, history};
use super::record::Changed;
use crate::memory::path::RelPath;
use crate::review::plan::{FileState, Plan};
use std::borrow::Cow;
use std::fmt;
use std::path::{Component, Path, PathBuf};

/// A file of the store, or one outside (a `CLAUDE.md` or a rule) that changes in the same operation.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Spot {
    /// In the store.
    Inside(RelPath),
    /// The absolute path of a file outside.
    Outside(PathBuf),
}

/// One file before and after, wherever it is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Change {
    /// Which file.
    pub path: Spot,
    /// As it was found; `None`: there must be none.
    pub before: Option<FileState>,
    /// As it will be; `None`: it goes.
    pub after: Option<FileState>,
    /// It is the index, or the file that the index is a link to: an agent adds lines to it at any time.
    pub is_index: bool,
}

impl Spot {
    /// The path: relative to the store, or absolute.
    #[must_use]
    pub fn as_path(&self) -> &Path {
        match self {
            Self::Inside(path) => path.as_path(),
            Self::Outside(path) => path,
        }
    }

    /// Whether the file is outside of the store.
    #[must_use]
    pub fn is_outside(&self) -> bool {
        matches!(self, Self::Outside(_))
    }

    /// Whether it is a file that the store lists, and so one of those whose state the history keeps as a tree.
    pub(super) fn is_listed(&self) -> bool {
        matches!(self, Self::Inside(path) if path.is_listed())
    }

    /// Whether a file outside is named by a whole path that leads out of the store at `root`.
    pub(super) fn is_usable(&self, root: &Path) -> bool {
        let Self::Outside(path) = self else { return true };
        let is_plain = |part: Component<'_>| matches!(part, Component::RootDir | Component::Normal(_));
        path.is_absolute()
            && path.file_name().is_some()
            && path.components().all(is_plain)
            && !path.starts_with(root)
    }

    /// The path as text; bytes that are not UTF-8 become U+FFFD.
    #[must_use]
    pub fn to_str_lossy(&self) -> Cow<'_, str> {
        self.as_path().to_string_lossy()
    }
}

impl fmt::Display for Spot {
    /// Raw text: for the terminal use [`crate::memory::text::visible`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_str_lossy())
    }
}

impl Changed {
    /// The file that a record names; an error when the record was tampered with.
    pub(super) fn spot(&self) -> Result<Spot> {
        let path = self.path.to_path();
        if self.outside {
            return match path.is_absolute() {
                true => Ok(Spot::Outside(path)),
                false => Err(history("read", "a record names a file outside by half a path")),
            };
        }
        let inside = RelPath::new(path).map(Spot::Inside);
        inside.ok_or_else(|| history("read", "a record names a path outside the store"))
    }
}

/// All changes of a plan, those outside too.
pub(super) fn changes_of(plan: &Plan) -> Vec<Change> {
    let inside = plan.changes.iter().map(|change| Change {
        path: Spot::Inside(change.path.clone()),
        before: change.before.clone(),
        after: change.after.clone(),
        is_index: change.path.is_index(),
    });
    let outside = plan.outside.iter().map(|change| Change {
        path: Spot::Outside(change.path.clone()),
        before: change.before.clone(),
        after: Some(change.after.clone()),
        is_index: false,
    });
    inside.chain(outside).collect()
}

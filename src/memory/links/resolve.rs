//! Where a link of a body leads.

use super::{Destination, Named};
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::memory::target::{Names, is_index, of_destination, of_wikilink};
use std::path::{Component, Path, PathBuf};

/// What a Markdown link's destination names, when that is a Markdown file.
pub(super) fn path(destination: &str) -> Option<Named> {
    of_destination(destination).map(|path| Named::Path(path.to_string_lossy().into_owned()))
}

/// What a wikilink names; `None` when it is code that only looks like one.
pub(super) fn name(inside: &str) -> Option<Named> {
    of_wikilink(inside).map(|name| Named::Name(name.to_owned()))
}

/// Where the link in the memory `from` leads.
pub(super) fn resolve(snapshot: &Snapshot, names: &Names<'_>, named: &Named, from: &RelPath) -> Destination {
    let found = match named {
        Named::Path(written) => {
            let dir = from.as_path().parent().unwrap_or(Path::new(""));
            let Some(path) = within(dir, Path::new(written)) else { return Destination::Outside };
            if path.is_index() {
                return Destination::Index;
            }
            by_path(names, written, &path, from)
        }
        Named::Name(name) if is_index(name) => return Destination::Index,
        Named::Name(name) => names.by_wikilink(name, from),
    };
    let memory = found.and_then(|at| snapshot.memories.get(at));
    memory.map_or(Destination::Unresolved, |memory| Destination::Memory(memory.path.clone()))
}

/// As it stands a path is relative to the file; many write it from the store's root, or from elsewhere.
fn by_path(names: &Names<'_>, written: &str, path: &RelPath, from: &RelPath) -> Option<usize> {
    let from_root = || names.by_path(&RelPath::new(written)?.to_str_lossy(), from);
    let file = Path::new(written).file_name().unwrap_or_default().to_string_lossy();
    let found = names.by_path(&path.to_str_lossy(), from).or_else(from_root);
    found.or_else(|| names.by_file_name(&file, from))
}

/// The path from the store's root; `None` when it leaves the store.
fn within(dir: &Path, path: &Path) -> Option<RelPath> {
    if path.starts_with("~") {
        return None;
    }
    let mut clean = PathBuf::new();
    for component in dir.join(path).components() {
        match component {
            Component::Normal(part) => clean.push(part),
            Component::ParentDir => {
                if !clean.pop() {
                    return None;
                }
            }
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    RelPath::new(clean)
}

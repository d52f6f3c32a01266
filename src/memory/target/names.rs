//! What the memories of a store may be called, and which one a link means.

use super::{split_ending, without_part};
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Snapshot};
use std::collections::HashMap;

/// The memories of a store by all that a link may call them.
pub(crate) struct Names<'a> {
    snapshot: &'a Snapshot,
    /// Positions in the snapshot by folded name, with what kind of name it is.
    by_name: HashMap<String, Vec<(Kind, usize)>>,
}

/// What a memory is called by, the surest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Path,
    Stem,
    Name,
    /// The stem or name without the type that many stores put before it (`feedback_`).
    Untyped,
}

impl<'a> Names<'a> {
    pub(crate) fn of(snapshot: &'a Snapshot) -> Self {
        let mut by_name: HashMap<String, Vec<(Kind, usize)>> =
            HashMap::with_capacity(snapshot.memories.len() * 2);
        for (at, memory) in snapshot.memories.iter().enumerate() {
            for (kind, name) in names_of(&memory.path, memory.document.header.name.as_deref()) {
                by_name.entry(name).or_default().push((kind, at));
            }
        }
        Self { snapshot, by_name }
    }

    /// The memory (a position in the snapshot) that a wikilink in the file `from` names.
    pub(crate) fn by_wikilink(&self, name: &str, from: &RelPath) -> Option<usize> {
        both(name).find_map(|name| self.find(name, from, |_| true))
    }

    /// The memory at a path, letter case and `_ -` aside.
    pub(crate) fn by_path(&self, path: &str, from: &RelPath) -> Option<usize> {
        self.find(path, from, |kind| kind == Kind::Path)
    }

    /// The memory with such a file name, in whatever directory.
    pub(crate) fn by_file_name(&self, name: &str, from: &RelPath) -> Option<usize> {
        self.find(name, from, |kind| kind != Kind::Untyped)
    }

    /// The memory that is called so: one that is called exactly so first, then one beside the
    /// linking file, then the surest kind of name, then the first.
    fn find(&self, name: &str, from: &RelPath, wanted: impl Fn(Kind) -> bool) -> Option<usize> {
        let folded = fold(name);
        let direct = self.by_name.get(&folded);
        let found = direct.or_else(|| self.by_name.get(untyped(&folded)?))?;
        let rank = |&&(kind, at): &&(Kind, usize)| {
            let memory = self.snapshot.memories.get(at);
            let exact = memory.is_some_and(|memory| is_exactly(memory, name));
            let beside = memory.is_some_and(|m| m.path.as_path().parent() == from.as_path().parent());
            (!exact, !beside, kind, at)
        };
        found.iter().filter(|(kind, _)| wanted(*kind)).min_by_key(rank).map(|(_, at)| *at)
    }
}

fn is_exactly(memory: &Memory, name: &str) -> bool {
    memory.path.stem() == name
        || memory.path.to_str_lossy() == name
        || memory.document.header.name.as_deref() == Some(name)
}

/// All that a memory may be called, folded.
fn names_of(path: &RelPath, name: Option<&str>) -> impl Iterator<Item = (Kind, String)> {
    let name = name.filter(|name| !name.trim().is_empty()).map(fold);
    let stem = fold(&path.stem());
    let bare: Vec<String> = [Some(&stem), name.as_ref()]
        .into_iter()
        .flatten()
        .filter_map(|name| untyped(name))
        .map(str::to_owned)
        .collect();
    [(Kind::Path, fold(&path.to_str_lossy())), (Kind::Stem, stem)]
        .into_iter()
        .chain(name.map(|name| (Kind::Name, name)))
        .chain(bare.into_iter().map(|name| (Kind::Untyped, name)))
}

/// Whether a wikilink's name may mean the memory at `path` with this name. In a store another one may be meant
/// rather: [`Names`] tells.
pub(crate) fn may_mean(path: &RelPath, name: Option<&str>, link: &str) -> bool {
    both(link).any(|link| is_called(path, name, link))
}

/// Whether this, as a whole, is a way to call the memory at `path` with this name.
pub(crate) fn is_called(path: &RelPath, name: Option<&str>, word: &str) -> bool {
    let word = fold(word);
    names_of(path, name).any(|(_, known)| known == word || Some(&*known) == untyped(&word))
}

/// A wikilink's name, then the same without the part: a name may hold a `#` itself.
fn both(name: &str) -> impl Iterator<Item = &str> {
    let short = without_part(name);
    [Some(name), Some(short).filter(|short| *short != name)].into_iter().flatten()
}

/// A name as it is compared: without `.md`, case, and the difference between blank, `_` and `-`.
pub(crate) fn fold(name: &str) -> String {
    let (name, _) = split_ending(name.trim());
    let same = |c: char| if c.is_whitespace() || c == '_' { '-' } else { c };
    if name.is_ascii() {
        return name.chars().map(|c| same(c.to_ascii_lowercase())).collect();
    }
    name.chars().flat_map(char::to_lowercase).map(same).collect()
}

/// A folded name without the type before it.
pub(crate) fn untyped(folded: &str) -> Option<&str> {
    let types = ["user-", "feedback-", "project-", "reference-"];
    types.iter().find_map(|kind| folded.strip_prefix(kind)).filter(|rest| !rest.is_empty())
}

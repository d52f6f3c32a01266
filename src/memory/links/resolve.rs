//! What a link's destination names, and which memory that is.

use super::{Destination, Named};
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

/// What a Markdown link's destination names, when that is a Markdown file.
pub(super) fn path(destination: &str) -> Option<Named> {
    let path = destination.split(['#', '?']).next().unwrap_or_default().trim();
    let path = decoded(path);
    let markdown = Path::new(&path).extension().is_some_and(|end| end.eq_ignore_ascii_case("md"));
    (markdown && !is_url(&path)).then_some(Named::Path(path))
}

/// What a wikilink names; `None` when it is code that only looks like one (`[[ -f x ]]`, `[["a"]]`).
pub(super) fn name(inside: &str) -> Option<Named> {
    let name = inside.trim().trim_end_matches('\\');
    let starts = name.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '/'));
    let plain = !name.contains(['"', '\'', '`', '$', '[', ']', '(', '=', '\n', '\r']) && !name.contains("::");
    (starts && plain && name.len() <= 250).then(|| Named::Name(name.to_owned()))
}

fn is_url(path: &str) -> bool {
    path.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-'))
    })
}

/// Percent-decodes; what is then not UTF-8 stays as it is written.
fn decoded(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let digit = |at: usize| tail.get(at).and_then(|&b| char::from(b).to_digit(16));
        let code = digit(0).zip(digit(1)).and_then(|(high, low)| u8::try_from(high * 16 + low).ok());
        let code = code.filter(|_| *first == b'%');
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { tail.get(2..).unwrap_or_default() } else { tail };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// The memories of a store by all that a link may call them.
pub(super) struct Names<'a> {
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
    pub(super) fn of(snapshot: &'a Snapshot) -> Self {
        let mut by_name: HashMap<String, Vec<(Kind, usize)>> =
            HashMap::with_capacity(snapshot.memories.len() * 2);
        for (at, memory) in snapshot.memories.iter().enumerate() {
            let mut add = |kind, name: &str| by_name.entry(fold(name)).or_default().push((kind, at));
            let stem = memory.path.stem();
            add(Kind::Path, &memory.path.to_str_lossy());
            add(Kind::Stem, &stem);
            let name = memory.document.header.name.as_deref().filter(|name| !name.trim().is_empty());
            name.into_iter().for_each(|name| add(Kind::Name, name));
            for name in [Some(&*stem), name].into_iter().flatten() {
                untyped(&fold(name)).into_iter().for_each(|name| add(Kind::Untyped, name));
            }
        }
        Self { snapshot, by_name }
    }

    /// Where a link in the memory `from` leads.
    pub(super) fn resolve(&self, named: &Named, from: &RelPath) -> Destination {
        match named {
            Named::Path(path) => self.resolve_path(path, from),
            Named::Name(name) => self.resolve_name(name, from),
        }
    }

    fn resolve_path(&self, written: &str, from: &RelPath) -> Destination {
        let dir = from.as_path().parent().unwrap_or(Path::new(""));
        let Some(path) = within(dir, Path::new(written)) else { return Destination::Outside };
        if path.is_index() {
            return Destination::Index;
        }
        // As it stands it is relative to the file; many write it from the store's root.
        let from_root = RelPath::new(written);
        let as_path = [Some(path), from_root].into_iter().flatten();
        let file = Path::new(written).file_name().unwrap_or_default().to_string_lossy();
        as_path
            .map(|path| self.find(&path.to_str_lossy(), from, |kind| kind == Kind::Path))
            .chain([self.find(&file, from, |kind| kind != Kind::Untyped)])
            .find_map(|found| found)
            .map_or(Destination::Unresolved, Destination::Memory)
    }

    fn resolve_name(&self, name: &str, from: &RelPath) -> Destination {
        if matches!(name, "MEMORY" | "MEMORY.md") {
            return Destination::Index;
        }
        // A name may hold a `#` itself; else it starts the name of a part.
        let without_part = name.split_once('#').map(|(name, _)| name);
        [Some(name), without_part]
            .into_iter()
            .flatten()
            .find_map(|name| self.find(name, from, |_| true))
            .map_or(Destination::Unresolved, Destination::Memory)
    }

    /// The memory that is called so: one that is called exactly so first, then one beside the
    /// linking file, then the surest kind of name, then the first.
    fn find(&self, name: &str, from: &RelPath, wanted: impl Fn(Kind) -> bool) -> Option<RelPath> {
        let folded = fold(name);
        let direct = self.by_name.get(&folded);
        let found = direct.or_else(|| self.by_name.get(untyped(&folded)?))?;
        let rank = |&&(kind, at): &&(Kind, usize)| {
            let memory = self.snapshot.memories.get(at);
            let exact = memory.is_some_and(|m| {
                m.path.stem() == name
                    || m.path.to_str_lossy() == name
                    || m.document.header.name.as_deref() == Some(name)
            });
            let beside = memory.is_some_and(|m| m.path.as_path().parent() == from.as_path().parent());
            (!exact, !beside, kind, at)
        };
        let best = found.iter().filter(|(kind, _)| wanted(*kind)).min_by_key(rank)?;
        self.snapshot.memories.get(best.1).map(|memory| memory.path.clone())
    }
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

/// A name as it is compared: without `.md`, case, and the difference between blank, `_` and `-`.
fn fold(name: &str) -> String {
    let name = name.trim();
    let name = name.strip_suffix(".md").or_else(|| name.strip_suffix(".MD")).unwrap_or(name);
    let same = |c: char| if c.is_whitespace() || c == '_' { '-' } else { c };
    if name.is_ascii() {
        return name.chars().map(|c| same(c.to_ascii_lowercase())).collect();
    }
    name.chars().flat_map(char::to_lowercase).map(same).collect()
}

/// A folded name without the type before it.
fn untyped(folded: &str) -> Option<&str> {
    let types = ["user-", "feedback-", "project-", "reference-"];
    types.iter().find_map(|kind| folded.strip_prefix(kind)).filter(|rest| !rest.is_empty())
}

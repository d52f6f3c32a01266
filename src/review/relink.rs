//! Links to a memory that moves, in the index and in other memories: only the bytes of a link's target change.

mod target;

use crate::memory::document::Document;
use crate::memory::index::{Index, Target};
use crate::memory::links::{Destination, Links, Named, links};
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Snapshot};
use crate::memory::text::visible;
use crate::review::edit::named;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// A memory whose links are to lead somewhere else.
#[derive(Debug, Clone)]
pub(super) struct Move<'a> {
    /// Where they lead now.
    pub from: &'a Memory,
    /// Where they shall lead.
    pub path: RelPath,
    /// The name of the memory there, once all is done.
    pub name: Option<String>,
}

/// The bytes of one place and what stands there instead.
type Edit = (Range<usize>, String);

/// Texts that changed, and what could not be changed, in words.
pub(super) struct Relinked {
    /// By position in the snapshot.
    pub bytes: HashMap<usize, Vec<u8>>,
    /// For the person.
    pub warnings: Vec<String>,
}

/// The links in the bodies of all memories, also of those that move.
pub(super) fn bodies(snapshot: &Snapshot, moves: &[Move<'_>]) -> Relinked {
    let table = Links::of(snapshot);
    let mut relinked = Relinked { bytes: HashMap::new(), warnings: Vec::new() };
    for (at, memory) in snapshot.memories.iter().enumerate() {
        let leads = |to: &Destination| moves.iter().find(|m| *to == Destination::Memory(m.from.path.clone()));
        if !table.out(&memory.path).iter().any(|link| leads(&link.to).is_some()) {
            continue;
        }
        if memory.stat.link.is_some() {
            let path = visible(&memory.path.to_str_lossy(), false).into_owned();
            relinked
                .warnings
                .push(format!("{path} is a link to another file, so its links were left as they are"));
            continue;
        }
        let destinations: Vec<_> = table.out(&memory.path).iter().map(|link| leads(&link.to)).collect();
        match body(memory, &destinations) {
            Ok(None) => {}
            Ok(Some(bytes)) => {
                relinked.bytes.insert(at, bytes);
            }
            Err(why) => relinked.warnings.push(format!("{}: {why}", named(memory))),
        }
    }
    relinked
}

/// One memory with its links changed; `moves` has one item for each link of its body.
fn body(memory: &Memory, moves: &[Option<&Move<'_>>]) -> Result<Option<Vec<u8>>, String> {
    let start = memory.document.body.start;
    let Cow::Borrowed(text) = memory.body() else {
        return Err("it is not UTF-8, so its links were left as they are".into());
    };
    let mut edits = Vec::new();
    for (link, to) in links(text).iter().zip(moves) {
        let Some(to) = to else { continue };
        let found = match &link.names {
            Named::Name(written) => target::wikilink(text, &link.range, written, to),
            Named::Path(_) => target::destination(text, &link.range, &memory.path, to),
        };
        edits.extend(found.ok_or("one of its links could not be changed; look at it afterwards")?);
    }
    Ok(applied(&memory.bytes, start, edits))
}

/// The bytes with some places changed; `None` when there is none.
fn applied(bytes: &[u8], start: usize, mut edits: Vec<Edit>) -> Option<Vec<u8>> {
    edits.sort_by_key(|(range, _)| range.start);
    // Two links through one reference definition change it once.
    edits.dedup();
    if edits.is_empty() {
        return None;
    }
    let mut out = Vec::with_capacity(bytes.len() + 16);
    let mut copied = 0;
    for (range, new) in edits {
        out.extend_from_slice(bytes.get(copied..start + range.start).unwrap_or_default());
        out.extend_from_slice(new.as_bytes());
        copied = start + range.end;
    }
    out.extend_from_slice(bytes.get(copied..).unwrap_or_default());
    Some(out)
}

/// An index (or a parked line) in which the entries of a memory lead to where it moves. The text of a link
/// changes when it was the old name, stem or file name; what stands behind it never does.
///
/// `None` when the entries would not be read as entries of the new path then.
pub(super) fn entries(bytes: &[u8], index: &Index, which: &[usize], to: &Move<'_>) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let root = RelPath::new("MEMORY.md")?;
    let mut edits = Vec::new();
    for entry in which.iter().filter_map(|at| index.entries.get(*at)) {
        let own = match &entry.target {
            Target::Name(written) => target::wikilink(text, &entry.link, written, to)?,
            Target::File(_) => {
                let own = target::destination(text, &entry.link, &root, to)?;
                let shown = text.get(entry.text.clone()).and_then(|shown| new_text(shown, to));
                let apart = own
                    .iter()
                    .all(|(range, _)| range.start >= entry.text.end || range.end <= entry.text.start);
                edits.extend(shown.filter(|_| apart).map(|new| (entry.text.clone(), new)));
                own
            }
        };
        edits.extend(own);
    }
    let after = applied(bytes, 0, edits).unwrap_or_else(|| bytes.to_vec());
    let read = Index::parse(&after);
    let same = read.entries.len() == index.entries.len()
        && which.iter().all(|at| match read.entries.get(*at).map(|entry| &entry.target) {
            Some(Target::File(path)) => *path == to.path,
            Some(Target::Name(_)) => true,
            None => false,
        });
    same.then_some(after)
}

/// What a link shows once its memory has moved; `None`: it stays.
fn new_text(shown: &str, to: &Move<'_>) -> Option<String> {
    let old = to.from.document.header.name.as_deref();
    let file = |path: &RelPath| path.as_path().file_name().map(|name| name.to_string_lossy().into_owned());
    let new = if old == Some(shown) && to.name.as_deref() != old {
        to.name.clone()?
    } else if shown == to.from.path.stem() && old != Some(shown) {
        to.path.stem().into_owned()
    } else if Some(shown) == file(&to.from.path).as_deref() {
        file(&to.path)?
    } else {
        return None;
    };
    let new: String = new.split_whitespace().collect::<Vec<_>>().join(" ");
    let safe = new.chars().flat_map(|c| if "[]\\`|<".contains(c) { vec!['\\', c] } else { vec![c] });
    let new: String = safe.filter(|c| !c.is_control()).collect();
    (!new.is_empty() && new != shown).then_some(new)
}

/// What the links of a store would do after an operation otherwise than meant: each that leads elsewhere
/// than before, in words. `after` is the store with the new bytes and paths.
pub(super) fn surprises(before: &Snapshot, after: &Snapshot, moves: &[Move<'_>]) -> Vec<String> {
    let (old, new) = (Links::of(before), Links::of(after));
    let moved = |path: &RelPath| {
        let to = moves.iter().find(|m| m.from.path == *path);
        to.map_or_else(|| path.clone(), |to| to.path.clone())
    };
    let mut found = Vec::new();
    for memory in &before.memories {
        let path = moved(&memory.path);
        let merged = path != memory.path && before.memories.iter().any(|other| other.path == path);
        let (old, new) = (old.out(&memory.path), new.out(&path));
        if merged || old.len() != new.len() {
            continue;
        }
        for (old, new) in old.iter().zip(new) {
            let expected = match &old.to {
                Destination::Memory(path) => Destination::Memory(moved(path)),
                other => other.clone(),
            };
            if new.to != expected {
                let written = visible(&new.written, false).into_owned();
                found.push(format!(
                    "{}: its link to `{written}` will lead elsewhere than before",
                    named(memory)
                ));
            }
        }
    }
    found
}

/// A store with some memories changed, gone and added, as links see it.
pub(super) fn with(
    snapshot: &Snapshot,
    bytes: &HashMap<usize, Vec<u8>>,
    paths: &HashMap<usize, Option<RelPath>>,
) -> Snapshot {
    let mut memories = Vec::with_capacity(snapshot.memories.len());
    for (at, memory) in snapshot.memories.iter().enumerate() {
        let path = match paths.get(&at) {
            Some(None) => continue,
            Some(Some(path)) => path.clone(),
            None => memory.path.clone(),
        };
        let Some(new) = bytes.get(&at) else {
            memories.push(if path == memory.path {
                Arc::clone(memory)
            } else {
                Arc::new(Memory { path, ..Memory::clone(memory) })
            });
            continue;
        };
        let document = Document::parse(new);
        memories.push(Arc::new(Memory {
            path,
            bytes: new.as_slice().into(),
            document,
            stat: memory.stat.clone(),
        }));
    }
    Snapshot { memories, ..snapshot.clone() }
}

//! The lines of the index for memories that come from another store: in its own style, with the words that stood in the
//! other index; parked where they were parked.

use super::{Fate, Line, Passage, Side, Way};
use crate::check::secrets;
use crate::memory::index::{self, Index, NewEntry, ParkedLine, Place, Target};
use crate::memory::snapshot::{Memory, Snapshot};
use crate::memory::text::visible;
use crate::review::index_file::IndexTarget;
use crate::review::plan::{Change, Refusal};
use crate::review::prune::kinds;
use crate::review::relink::{self, Move};
use crate::review::warn;
use std::collections::HashMap;
use std::sync::Arc;

/// What becomes of the index.
pub(super) struct Planned {
    /// Its change; `None`: it stays as it is.
    pub index: Option<Change>,
    /// The lines that are parked.
    pub parked: Vec<ParkedLine>,
}

/// The words of a line.
struct Words {
    title: String,
    hook: String,
}

/// Plans the lines, and says of each passage what becomes of it. `grown` is the store with what arrives.
pub(super) fn plan(
    from: Side<'_>,
    to: Side<'_>,
    grown: &Snapshot,
    memories: &[&Arc<Memory>],
    passages: &mut [Passage],
    notes: &mut Vec<String>,
    way: Way,
) -> Result<Planned, Refusal> {
    let nothing = Planned { index: None, parked: Vec::new() };
    let arrives = passages.iter().any(|passage| passage.fate != Fate::There);
    let Some(target) = IndexTarget::of(to.snapshot)?.filter(|_| arrives || way == Way::Move) else {
        if arrives {
            notes.push(format!(
                "{} has no index (MEMORY.md), so no line is added: no session sees them there before it has one \
                 (`memcurator index fix --add-orphans` makes one)",
                visible(to.name, false)
            ));
        }
        return Ok(nothing);
    };
    let at: HashMap<_, _> =
        grown.memories.iter().enumerate().map(|(at, memory)| (memory.path.clone(), at)).collect();
    let before = Index::parse(&target.bytes);
    let is_named = before.resolve(grown).entries_of;
    let (mut lines, mut asleep) = (Vec::new(), Vec::new());
    for (number, (memory, passage)) in memories.iter().zip(passages.iter_mut()).enumerate() {
        let Some(place) = at.get(&passage.to).copied() else { continue };
        let is_named = is_named.get(place).is_some_and(|entries| !entries.is_empty());
        let words = listed(from.snapshot, memory);
        if passage.fate == Fate::There {
            // What is said of it here would be gone with its line, where nothing there says anything.
            let there = passage.to.to_str_lossy();
            let is_known = is_named
                || to.parked.iter().any(|line| line.path == there)
                || lines.iter().any(|(_, other, _)| *other == place);
            lines.extend(words.filter(|_| way == Way::Move && !is_known).map(|words| (number, place, words)));
            continue;
        }
        if is_named {
            passage.line = Line::Named;
            continue;
        }
        let path = memory.path.to_str_lossy();
        let parked = from.parked.iter().find(|line| line.path == path);
        match (words, parked) {
            (Some(words), _) => lines.push((number, place, words)),
            (None, Some(line)) => asleep.push((number, place, line)),
            (None, None) if memory.path.is_documentation() => {}
            (None, None) => lines.push((number, place, told(memory))),
        }
    }
    let entries: Vec<NewEntry<'_>> = lines
        .iter()
        .filter_map(|(number, _, words)| {
            let (memory, passage) = (memories.get(*number)?, passages.get(*number)?);
            Some(NewEntry {
                path: &passage.to,
                title: &words.title,
                hook: &words.hook,
                kind: &memory.document.header.kind,
                verbatim: None,
            })
        })
        .collect();
    let bytes = index::insert(&target.bytes, &entries, &|index| kinds(grown, index)).ok_or_else(no_place)?;
    drop(entries);
    let places: Vec<usize> = lines.iter().map(|(_, place, _)| *place).collect();
    notes.extend(warn::cut(grown, &places, &target.bytes, &bytes));
    let after = Index::parse(&bytes);
    let entries_of = after.resolve(grown).entries_of;
    for (number, place, _) in &lines {
        if let Some(passage) = passages.get_mut(*number) {
            let entry = entries_of.get(*place).and_then(|entries| after.entries.get(*entries.first()?));
            let text = entry.and_then(|entry| {
                let (first, last) =
                    (after.lines.get(entry.item.start)?, after.lines.get(entry.item.end - 1)?);
                bytes.get(first.start..last.end)
            });
            let text = String::from_utf8_lossy(text.unwrap_or_default());
            passage.line = Line::Added(shown(&text));
        }
    }
    let mut parked = Vec::new();
    for (number, place, line) in asleep {
        let (Some(memory), Some(passage)) = (memories.get(number), passages.get_mut(number)) else {
            continue;
        };
        if let Some(line) = park(grown, place, memory, passage, line, &bytes) {
            passage.line = Line::Parked(shown(&line.text));
            parked.push(line);
        }
    }
    let changed = *bytes != *target.bytes;
    Ok(Planned { index: if changed { target.change(bytes) } else { None }, parked })
}

/// The words about a memory in its index; `None`: no line is about it.
fn listed(snapshot: &Snapshot, memory: &Memory) -> Option<Words> {
    let index = &snapshot.index.as_ref()?.index;
    let entries = index.entries_of(&memory.path, memory.document.header.name.as_deref());
    let entry = entries.first().and_then(|at| index.entries.get(*at))?;
    let is_own = entry.alone && matches!(entry.place, Place::Item | Place::Line | Place::Row);
    let is_title = is_own && matches!(entry.target, Target::File(_)) && !is_file(memory, &entry.title);
    let told = told(memory);
    Some(Words {
        title: if is_title { entry.title.clone() } else { told.title },
        hook: if is_own && !entry.hook.is_empty() { entry.hook.clone() } else { told.hook },
    })
}

/// The words that the memory itself has.
fn told(memory: &Memory) -> Words {
    let hook = memory.document.header.description.as_deref().unwrap_or_default();
    Words { title: memory.title().into_owned(), hook: hook.to_owned() }
}

/// The text of a link is the file's name, not a title.
fn is_file(memory: &Memory, text: &str) -> bool {
    text == memory.path.stem() || memory.path.as_path().file_name().is_some_and(|name| name == text)
}

/// A line as if it had stood in this index and had been parked: unparked, it comes where a person would look for it.
fn park(
    grown: &Snapshot,
    place: usize,
    memory: &Memory,
    passage: &Passage,
    line: &ParkedLine,
    bytes: &[u8],
) -> Option<ParkedLine> {
    let own = Index::parse(line.text.as_bytes());
    let which = own.entries_of(&memory.path, memory.document.header.name.as_deref());
    let name = memory.document.header.name.as_deref().map(str::to_owned);
    let to = Move { from: memory, path: passage.to.clone(), name };
    let whole = line.instead.is_none().then(|| relink::entries(line.text.as_bytes(), &own, &which, &to));
    let verbatim = whole.flatten().and_then(|bytes| String::from_utf8(bytes).ok());
    let said = which.first().and_then(|at| own.entries.get(*at));
    let told = told(memory);
    let (title, hook) =
        said.map_or((told.title, told.hook), |entry| (entry.title.clone(), entry.hook.clone()));
    let kind = &memory.document.header.kind;
    let entry = |verbatim| NewEntry { path: &passage.to, title: &title, hook: &hook, kind, verbatim };
    let with = |verbatim| index::insert(bytes, &[entry(verbatim)], &|index| kinds(grown, index));
    let with = verbatim.as_deref().and_then(|text| with(Some(text))).or_else(|| with(None))?;
    let read = Index::parse(&with);
    let entries = read.resolve(grown).entries_of.get(place)?.clone();
    let removed = index::remove(&with, &read, &entries);
    removed.taken.first()?.parked(&with, &read, &passage.to.to_str_lossy())
}

/// A line, safe to show.
fn shown(line: &str) -> String {
    visible(&secrets::mask(line.trim()), false).into_owned()
}

fn no_place() -> Refusal {
    Refusal {
        what:
            "MEMORY.md there: found no place where a new line would be read as an entry; nothing was changed"
                .into(),
        hint: "look whether a code block or a comment in it is never closed".into(),
    }
}

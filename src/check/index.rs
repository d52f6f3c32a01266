//! The index against the files, and against what loads of it.

use super::{Check, CheckId, Depth, Evidence, Found, Look, Severity, quoted, seen_in};
use crate::memory::index::{Entry, Place, Target};
use crate::memory::lines::line_of;
use crate::memory::links::Destination;
use crate::memory::path::RelPath;
use crate::memory::snapshot::{IndexFile, Memory, Snapshot};
use crate::memory::text::visible;
use crate::prompt::limits::{Fate, Loaded, MAX_BYTES, MAX_LINES, MAX_UNITS};
use std::collections::{HashMap, HashSet};

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: CheckId("index-over-lines"),
        means: "The index has more lines than load; the memories below the cut are not seen.",
        depth: Depth::Quick,
        look: |store, found| {
            if let Some(loaded) = store.facts.loaded.as_ref().filter(|loaded| loaded.over_lines) {
                let lines = loaded.lines;
                over(
                    store,
                    loaded,
                    found,
                    &format!("the index has {lines} lines, of which {MAX_LINES} load"),
                );
            }
        },
    },
    Check {
        id: CheckId("index-over-size"),
        means: "The index is larger than what loads; the memories below the cut are not seen.",
        depth: Depth::Quick,
        look: over_size,
    },
    Check {
        id: CheckId("index-dangling"),
        means: "A line of the index names a memory that is not there.",
        depth: Depth::Quick,
        look: dangling,
    },
    Check {
        id: CheckId("index-orphan"),
        means: "The index does not name this memory, nor is it parked or listed by an archive, so an agent will \
                hardly find it.",
        depth: Depth::Quick,
        look: orphan,
    },
    Check {
        id: CheckId("index-duplicate"),
        means: "The index names the same memory twice, which takes room from others.",
        depth: Depth::Quick,
        look: duplicate,
    },
];

/// How many entries below the cut a finding shows.
const SHOWN: usize = 20;

fn over_size(store: &Look<'_>, found: &mut Found) {
    let Some(loaded) = &store.facts.loaded else { return };
    if loaded.too_large {
        over(
            store,
            loaded,
            found,
            &format!("the index is over {MAX_BYTES} bytes: the client loads nothing of it"),
        );
    } else if loaded.over_size {
        let units = loaded.units;
        over(store, loaded, found, &format!("the index has {units} UTF-16 units, of which {MAX_UNITS} load"));
    }
}

fn over(store: &Look<'_>, loaded: &Loaded, found: &mut Found, what: &str) {
    let is_cut = |line: usize| loaded.fate.get(line) == Some(&Fate::Cut);
    let lost: Vec<_> = entries(store).filter(|(entry, _)| is_cut(entry.line)).collect();
    let message = match lost.len() {
        0 => what.to_owned(),
        1 => format!("{what}; 1 entry below the cut is not seen"),
        n => format!("{what}; {n} entries below the cut are not seen"),
    };
    let first = loaded.fate.iter().position(|fate| *fate == Fate::Cut).unwrap_or(0);
    let index = RelPath::index();
    // Both limits may be passed: the entries are listed once.
    let most = if found.findings.iter().any(|one| one.check.0 == "index-over-lines") { 1 } else { SHOWN };
    let shown = lost.iter().take(most);
    let mut evidence: Vec<Evidence> =
        shown.map(|(entry, _)| seen_in(&index, entry.line + 1, quoted(&entry.title))).collect();
    if let Some((entry, _)) = lost.get(most) {
        let more = lost.len() - most;
        evidence.push(seen_in(&index, entry.line + 1, format!("and {more} more from here on")));
    }
    found.add(Severity::Error, &index, first + 1, message, evidence);
}

/// The entries of the index with the memories they name.
fn entries<'a>(store: &'a Look<'_>) -> impl Iterator<Item = (&'a Entry, Option<usize>)> {
    let entries =
        store.snapshot.index.iter().flat_map(|file: &std::sync::Arc<IndexFile>| &file.index.entries);
    entries.zip(store.facts.resolution.memory_of.iter().copied())
}

/// Whether an entry of the index that names no memory is wrong. What can't be read is there all the same, and a name
/// in a sentence need not be a memory's.
#[must_use]
pub fn dangles(snapshot: &Snapshot, entry: &Entry) -> bool {
    match &entry.target {
        Target::File(path) => !snapshot.is_hidden(path),
        Target::Name(_) => entry.place != Place::Prose,
    }
}

fn dangling(store: &Look<'_>, found: &mut Found) {
    let index = RelPath::index();
    for (entry, memory) in entries(store) {
        if memory.is_none() && dangles(store.snapshot, entry) {
            let name = match &entry.target {
                Target::File(path) => path.to_str_lossy(),
                Target::Name(name) => name.into(),
            };
            let message = format!("the index names {}, which is not there", quoted(&name));
            let evidence = seen_in(&index, entry.line + 1, quoted(&entry.title));
            let about = visible(&name, false).into_owned();
            found.add(Severity::Warning, &index, entry.line + 1, message, vec![evidence]).about = about;
        }
    }
}

fn duplicate(store: &Look<'_>, found: &mut Found) {
    let index = RelPath::index();
    let mut first: HashMap<usize, &Entry> = HashMap::new();
    // A memory named in a sentence or behind another one is a reference, not an entry of its own.
    for (entry, memory) in entries(store).filter(|(entry, _)| entry.place != Place::Prose) {
        let Some(memory) = memory else { continue };
        let earlier = first.entry(memory).or_insert(entry);
        if earlier.item != entry.item
            && let Some(memory) = store.snapshot.memories.get(memory)
        {
            let title = quoted(&memory.title());
            let message =
                format!("the index names {title} again; the first time is on line {}", earlier.line + 1);
            let evidence = [*earlier, entry].map(|e| seen_in(&index, e.line + 1, quoted(&e.title)));
            let about = visible(&entry.title, false).into_owned();
            found.add(Severity::Info, &index, entry.line + 1, message, evidence.into()).about = about;
        }
    }
}

fn orphan(store: &Look<'_>, found: &mut Found) {
    let parked: HashSet<&str> = store.parked.iter().map(|line| line.path.as_str()).collect();
    let memories = store.snapshot.memories.iter().map(|memory| &**memory);
    let memories: Vec<&Memory> = memories.filter(|m| !parked.contains(&*m.path.to_str_lossy())).collect();
    let Some(index) = &store.snapshot.index else {
        let message = format!(
            "there is no index, so a session starts without knowing of the memories ({}) here; newer clients write one",
            memories.len()
        );
        (!memories.is_empty())
            .then(|| found.add(Severity::Warning, &RelPath::index(), 1, message, Vec::new()));
        return;
    };
    let named = store.facts.resolution.memory_of.iter().flatten();
    let named: HashSet<&RelPath> =
        named.filter_map(|at| store.snapshot.memories.get(*at)).map(|memory| &memory.path).collect();
    let listed = listed_by_archives(store, &memories);
    for memory in memories {
        if named.contains(&memory.path) || listed.contains(&memory.path) || memory.path.is_documentation() {
            continue;
        }
        let (severity, message, evidence) = clue(store, index, memory, &named);
        found.add(severity, &memory.path, 1, message, vec![evidence]);
    }
}

/// How sure it is that nobody finds a memory that the index does not name: a mention or a link makes it less so,
/// and a file without frontmatter is often a log that nobody should find.
fn clue(
    store: &Look<'_>,
    index: &IndexFile,
    memory: &Memory,
    named: &HashSet<&RelPath>,
) -> (Severity, &'static str, Evidence) {
    let file = memory.path.as_path().file_name().unwrap_or_default().as_encoded_bytes();
    if let Some(at) = memchr::memmem::find(&index.bytes, file) {
        let evidence = seen_in(&RelPath::index(), line_of(&index.bytes, at), "its file's name stands there");
        return (Severity::Info, "the index mentions it without a link", evidence);
    }
    if let Some(from) = store.facts.links.linked_from(&memory.path).iter().find(|from| named.contains(from)) {
        let message = "the index does not name it; only another memory links to it";
        return (Severity::Info, message, seen_in(from, None, "links to it"));
    }
    let lines = index.index.lines.len();
    let evidence = seen_in(&RelPath::index(), None, format!("none of its {lines} lines names it"));
    match memory.document.frontmatter {
        Some(_) => (Severity::Warning, "the index does not name it", evidence),
        None => (Severity::Info, "the index does not name it, and it has no frontmatter", evidence),
    }
}

/// The archives among these memories and what they list.
fn listed_by_archives<'a>(store: &'a Look<'_>, memories: &[&'a Memory]) -> HashSet<&'a RelPath> {
    let mut listed = HashSet::new();
    for archive in memories.iter().filter(|memory| is_archive(store, memory)) {
        listed.insert(&archive.path);
        for link in store.facts.links.out(&archive.path) {
            if let Destination::Memory(path) = &link.to {
                listed.insert(path);
            }
        }
    }
    listed
}

/// From how many links on a memory can be an archive.
const ARCHIVE_LINKS: usize = 3;

/// Whether a memory is an archive index: a list of other memories. At least [`ARCHIVE_LINKS`] of its lines link to
/// memories of this store, and they are at least half of its lines (blank ones and headings aside).
fn is_archive(store: &Look<'_>, memory: &Memory) -> bool {
    let links = store.facts.links.out(&memory.path).iter();
    let leads = links.filter(|link| matches!(&link.to, Destination::Memory(path) if *path != memory.path));
    let lines: HashSet<usize> = leads.map(|link| link.line).collect();
    if lines.len() < ARCHIVE_LINKS {
        return false;
    }
    let body = memory.body();
    let all =
        body.split(['\n', '\r']).map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')).count();
    lines.len() * 2 >= all
}

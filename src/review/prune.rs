//! Delete, park and unpark, with the index following.

use crate::memory::document::MemoryType;
use crate::memory::index::{self, Index, NewEntry, ParkedLine, Resolution};
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Snapshot};
use crate::memory::text::visible;
use crate::review::index_file::IndexTarget;
use crate::review::lines::shown;
use crate::review::plan::{Change, Content, FileState, ParkedChange, Plan, Refusal, Verb};
use crate::review::warn;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// Removes memories and their index lines. A memory that is a symbolic link: the link goes, what it points to
/// stays.
///
/// # Errors
/// When a memory is not in the store, or the index could not be edited safely.
pub fn delete(snapshot: &Snapshot, parked: &[ParkedLine], paths: &[RelPath]) -> Result<Plan, Refusal> {
    let chosen = chosen(snapshot, paths)?;
    let mut changes: Vec<Change> = chosen
        .iter()
        .filter_map(|at| snapshot.memories.get(*at))
        .map(|memory| Change { path: memory.path.clone(), before: Some(state(memory)), after: None })
        .collect();
    let mut warnings = Vec::new();
    if let Some((target, index, resolution)) = index_of(snapshot)? {
        if changes.iter().any(|change| target.is_at(&change.path)) {
            return Err(Refusal {
                what: "MEMORY.md is a link to one of these files; nothing was changed".into(),
                hint: "leave that one out, or replace the link by a file first".into(),
            });
        }
        let entries = entries_of(&resolution, &chosen);
        if !entries.is_empty() {
            let removed = index::remove(&target.bytes, index, &entries);
            warnings.extend(warn::in_sentences(snapshot, &resolution, &removed));
            changes.extend(target.change(removed.bytes));
        }
    }
    let gone: HashSet<String> = paths.iter().map(|path| path.to_str_lossy().into_owned()).collect();
    let message = message("deleted", snapshot, &chosen, "");
    let parked = ParkedChange::without(parked, |line| gone.contains(&line.path));
    Ok(Plan { verb: Verb::Delete, message, changes, outside: Vec::new(), parked, warnings })
}

/// Takes memories out of the index and keeps their files. What was parked of a memory before gives way to the
/// lines that stood in the index last, so that unparking never gives it two.
///
/// # Errors
/// When none of them is in the index, or the index could not be edited safely.
pub fn park(snapshot: &Snapshot, parked: &[ParkedLine], paths: &[RelPath]) -> Result<Plan, Refusal> {
    let chosen = chosen(snapshot, paths)?;
    let found = index_of(snapshot)?;
    let indexed: Vec<usize> = match &found {
        Some((_, _, resolution)) => chosen.iter().copied().filter(|at| names(resolution, *at)).collect(),
        None => Vec::new(),
    };
    let (Some((target, index, resolution)), false) = (found, indexed.is_empty()) else {
        return Err(Refusal {
            what: format!("{}: no line in the index, so nothing was parked", named(snapshot, &chosen)),
            hint: "unpark gives it one".into(),
        });
    };
    let mut warnings: Vec<String> = chosen
        .iter()
        .filter(|at| !indexed.contains(at))
        .map(|at| format!("{} has no line in the index; left as it is", named(snapshot, &[*at])))
        .collect();
    let mut change = ParkedChange::default();
    let mut bytes = target.bytes.to_vec();
    // In one pass where no two of them share an item, else one after the other, so that each is kept with
    // what it stood beside.
    for group in groups(index, &resolution, &indexed) {
        let fresh = Index::parse(&bytes);
        let resolution = fresh.resolve(snapshot);
        let entries = entries_of(&resolution, &group);
        let removed = index::remove(&bytes, &fresh, &entries);
        warnings.extend(warn::in_sentences(snapshot, &resolution, &removed));
        for taken in &removed.taken {
            let memory = taken.entries.first().and_then(|entry| *resolution.memory_of.get(*entry)?);
            let Some(memory) = memory.and_then(|at| snapshot.memories.get(at)) else { continue };
            let line = taken.parked(&bytes, &fresh, &memory.path.to_str_lossy());
            change.added.push(line.ok_or_else(|| not_utf8(memory))?);
        }
        bytes = removed.bytes;
    }
    let again: HashSet<&str> = change.added.iter().map(|line| line.path.as_str()).collect();
    let older = parked.iter().filter(|line| again.contains(line.path.as_str()));
    change.changed = older.map(|line| (line.clone(), None)).collect();
    warnings.extend(change.changed.iter().map(|(line, _)| {
        let path = visible(&line.path, false);
        format!("{path}: a line of it is parked already and gives way: {}", shown(line.text.as_bytes()))
    }));
    let outcome = if indexed.len() == 1 {
        ": its line left the index, the file stays"
    } else {
        ": their lines left the index, the files stay"
    };
    let message = message("parked", snapshot, &indexed, outcome);
    Ok(Plan {
        verb: Verb::Park,
        message,
        changes: target.change(bytes).into_iter().collect(),
        outside: Vec::new(),
        parked: Some(change),
        warnings,
    })
}

/// Puts parked memories back where they stood; one that was never in the index gets a line in the
/// index's own style. Of several lines of one memory those that find no place stay parked.
///
/// # Errors
/// When all of them are in the index already, or the index could not be edited safely.
pub fn unpark(snapshot: &Snapshot, parked: &[ParkedLine], paths: &[RelPath]) -> Result<Plan, Refusal> {
    let chosen = chosen(snapshot, paths)?;
    let found = index_of(snapshot)?;
    let present = |at: &usize| found.as_ref().is_some_and(|(_, _, resolution)| names(resolution, *at));
    let (there, missing): (Vec<usize>, Vec<usize>) = chosen.iter().copied().partition(present);
    if missing.is_empty() {
        return Err(Refusal {
            what: format!("{}: in the index already, so nothing was changed", named(snapshot, &chosen)),
            hint: String::new(),
        });
    }
    let mut warnings: Vec<String> = there
        .iter()
        .map(|at| format!("{} is in the index already; left as it is", named(snapshot, &[*at])))
        .collect();
    let target = match found {
        Some((target, _, _)) => target,
        None => IndexTarget::missing(missing.first().and_then(|at| snapshot.memories.get(*at))),
    };
    let (bytes, placeless) = with_lines(snapshot, parked, &missing, &target.bytes)?;
    warnings.extend(warn::cut(snapshot, &missing, &target.bytes, &bytes));
    warnings.extend(placeless.iter().map(|line| {
        let path = visible(&line.path, false);
        format!(
            "{path}: the place of one of its lines is gone, so that one stays parked: {}",
            shown(line.text.as_bytes())
        )
    }));
    let back: HashSet<String> = missing.iter().filter_map(|at| path_text(snapshot, *at)).collect();
    let was_parked = |at: &&usize| {
        path_text(snapshot, **at).is_some_and(|path| parked.iter().any(|line| line.path == path))
    };
    let message = match missing.iter().filter(was_parked).count() {
        0 => message("added", snapshot, &missing, " to the index"),
        all if all == missing.len() => message("unparked", snapshot, &missing, ": back in the index"),
        _ => message("unparked or added", snapshot, &missing, ": in the index now"),
    };
    let parked =
        ParkedChange::without(parked, |line| back.contains(&line.path) && !placeless.contains(&line));
    Ok(Plan {
        verb: Verb::Unpark,
        message,
        changes: target.change(bytes).into_iter().collect(),
        outside: Vec::new(),
        parked,
        warnings,
    })
}

/// The index with lines for some memories: first the parked lines at their places, then new ones, made from
/// parked ones without a place. Gives the parked lines that were not needed for that, too.
fn with_lines<'a>(
    snapshot: &Snapshot,
    parked: &'a [ParkedLine],
    missing: &[usize],
    bytes: &[u8],
) -> Result<(Vec<u8>, Vec<&'a ParkedLine>), Refusal> {
    let wanted: HashSet<String> = missing.iter().filter_map(|at| path_text(snapshot, *at)).collect();
    let restore: Vec<usize> = (0..parked.len())
        .filter(|at| parked.get(*at).is_some_and(|line| wanted.contains(&line.path)))
        .collect();
    let (bytes, homeless) = index::put_back(bytes, parked, &restore);
    let resolution = Index::parse(&bytes).resolve(snapshot);
    let mut homeless: Vec<&ParkedLine> = homeless.iter().filter_map(|at| parked.get(*at)).collect();
    let rest: Vec<(&Arc<Memory>, Old)> = missing
        .iter()
        .filter(|at| !names(&resolution, **at))
        .filter_map(|at| snapshot.memories.get(*at))
        .map(|memory| {
            let line = homeless.iter().position(|line| line.path == memory.path.to_str_lossy());
            (memory, Old::of(memory, line.map(|at| homeless.remove(at))))
        })
        .collect();
    let new: Vec<NewEntry<'_>> = rest.iter().map(|(memory, old)| old.entry(memory)).collect();
    let bytes = index::insert(&bytes, &new, &|index| kinds(snapshot, index)).ok_or_else(|| Refusal {
        what: "MEMORY.md: found no place where a new line would be read as an entry; nothing was changed"
            .into(),
        hint: "look whether a code block or a comment in MEMORY.md is never closed".into(),
    })?;
    Ok((bytes, homeless))
}

/// What an old line, whose place is gone, gives to the new one.
struct Old {
    title: String,
    hook: String,
    verbatim: Option<String>,
}

impl Old {
    fn of(memory: &Memory, line: Option<&ParkedLine>) -> Self {
        let fresh = || Self {
            title: memory.title().into_owned(),
            hook: memory.document.header.description.as_deref().unwrap_or_default().to_owned(),
            verbatim: None,
        };
        let Some(line) = line else { return fresh() };
        if line.instead.is_none() {
            return Self { verbatim: Some(line.text.clone()), ..fresh() };
        }
        let index = Index::parse(line.text.as_bytes());
        let own = index.entries_of(&memory.path, memory.document.header.name.as_deref());
        match own.first().and_then(|at| index.entries.get(*at)) {
            Some(entry) => Self { title: entry.title.clone(), hook: entry.hook.clone(), verbatim: None },
            None => fresh(),
        }
    }

    fn entry<'a>(&'a self, memory: &'a Memory) -> NewEntry<'a> {
        NewEntry {
            path: &memory.path,
            title: &self.title,
            hook: &self.hook,
            kind: &memory.document.header.kind,
            verbatim: self.verbatim.as_deref(),
        }
    }
}

/// The type of the memory that each entry of an index names.
pub(super) fn kinds(snapshot: &Snapshot, index: &Index) -> Vec<Option<MemoryType>> {
    let kind = |at: usize| Some(snapshot.memories.get(at)?.document.header.kind.clone());
    index.resolve(snapshot).memory_of.into_iter().map(|memory| memory.and_then(kind)).collect()
}

/// The memories at some paths, in the snapshot's order.
pub(super) fn chosen(snapshot: &Snapshot, paths: &[RelPath]) -> Result<Vec<usize>, Refusal> {
    let at: HashMap<&RelPath, usize> =
        snapshot.memories.iter().enumerate().map(|(at, memory)| (&memory.path, at)).collect();
    let mut chosen = BTreeSet::new();
    for path in paths {
        let found = at.get(path).ok_or_else(|| Refusal {
            what: format!(
                "{}: no such memory in the store; nothing was changed",
                visible(&path.to_str_lossy(), false)
            ),
            hint: "read the store again, it may have changed meanwhile".into(),
        })?;
        chosen.insert(*found);
    }
    if chosen.is_empty() {
        return Err(Refusal {
            what: "no memory was named, so nothing was changed".into(),
            hint: String::new(),
        });
    }
    Ok(chosen.into_iter().collect())
}

pub(super) fn index_of(snapshot: &Snapshot) -> Result<Option<(IndexTarget, &Index, Resolution)>, Refusal> {
    let Some(target) = IndexTarget::of(snapshot)? else { return Ok(None) };
    Ok(snapshot.index.as_ref().map(|file| (target, &file.index, file.index.resolve(snapshot))))
}

pub(super) fn entries_of(resolution: &Resolution, memories: &[usize]) -> Vec<usize> {
    memories.iter().filter_map(|at| resolution.entries_of.get(*at)).flatten().copied().collect()
}

fn names(resolution: &Resolution, memory: usize) -> bool {
    resolution.entries_of.get(memory).is_some_and(|entries| !entries.is_empty())
}

/// The memories in groups that can be parked in one pass: all whose items hold no other of them, then each
/// of the others.
fn groups(index: &Index, resolution: &Resolution, memories: &[usize]) -> Vec<Vec<usize>> {
    let mut owner: HashMap<usize, usize> = HashMap::new();
    let mut shared: BTreeSet<usize> = BTreeSet::new();
    for &memory in memories {
        for entry in entries_of(resolution, &[memory]).iter().filter_map(|entry| index.entries.get(*entry)) {
            for line in entry.item.clone() {
                if let Some(other) = owner.insert(line, memory).filter(|other| *other != memory) {
                    shared.extend([other, memory]);
                }
            }
        }
    }
    let simple: Vec<usize> = memories.iter().copied().filter(|memory| !shared.contains(memory)).collect();
    let one_by_one = shared.into_iter().map(|memory| vec![memory]);
    (!simple.is_empty()).then_some(simple).into_iter().chain(one_by_one).collect()
}

fn state(memory: &Memory) -> FileState {
    let content = match &memory.stat.link {
        Some(link) => Content::Link(link.target.clone()),
        None => Content::File(Arc::clone(&memory.bytes)),
    };
    FileState { content, mode: memory.stat.mode, mtime: Some(memory.stat.mtime) }
}

fn path_text(snapshot: &Snapshot, at: usize) -> Option<String> {
    snapshot.memories.get(at).map(|memory| memory.path.to_str_lossy().into_owned())
}

/// The name of one memory, or how many there are; safe to show.
pub(super) fn named(snapshot: &Snapshot, memories: &[usize]) -> String {
    match memories {
        [one] => {
            snapshot.memories.get(*one).map_or(String::new(), |m| visible(&m.title(), false).into_owned())
        }
        many => format!("{} memories", many.len()),
    }
}

fn message(verb: &str, snapshot: &Snapshot, memories: &[usize], outcome: &str) -> String {
    format!("{verb} {}{outcome}", named(snapshot, memories))
}

fn not_utf8(memory: &Memory) -> Refusal {
    Refusal {
        what: format!(
            "MEMORY.md: the line of {} is not valid UTF-8 and could not be put back as it is; nothing was changed",
            visible(&memory.title(), false)
        ),
        hint: "repair that line in an editor, then park".into(),
    }
}

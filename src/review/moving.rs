//! Memories go from one store to another, or are copied there: a plan for each of the two stores, since each has a
//! history of its own. What arrives is the file as it is, to the byte and the nanosecond: moving is no change of substance.

mod lines;
mod links;
mod names;
mod notes;

use crate::memory::index::ParkedLine;
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Snapshot};
use crate::memory::text::visible;
use crate::review::edit::{named, state};
use crate::review::plan::{Change, ParkedChange, Plan, Refusal, Verb};
use crate::review::prune;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Whether the memories stay where they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// They go.
    Move,
    /// They stay, and are there too.
    Copy,
}

/// One of the two stores.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// What it holds.
    pub snapshot: &'a Snapshot,
    /// Its parked lines.
    pub parked: &'a [ParkedLine],
    /// What a person calls it.
    pub name: &'a str,
    /// The repository that it lies in, when it lies in one.
    pub repository: Option<&'a Path>,
    /// The memories that proposals about it name.
    pub proposed: &'a [RelPath],
}

/// What will be done in the two stores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// Whether the memories stay where they are.
    pub way: Way,
    /// The real path of the store they come from.
    pub from: PathBuf,
    /// The real path of the store they go to.
    pub to: PathBuf,
    /// Each of the memories.
    pub passages: Vec<Passage>,
    /// What is done in the store they go to; `None`: all of them are there already.
    pub arrival: Option<Plan>,
    /// What is done in the store they come from, afterwards; `None`: they stay.
    pub departure: Option<Plan>,
    /// What is done, in words.
    pub message: String,
    /// What the person should know beforehand, safe to show.
    pub notes: Vec<String>,
}

/// One memory on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Its path in the store it comes from.
    pub from: RelPath,
    /// Its path in the store it goes to.
    pub to: RelPath,
    /// Its name, safe to show.
    pub name: String,
    /// How it gets there.
    pub fate: Fate,
    /// Its line in the index there.
    pub line: Line,
}

/// How a memory gets to another store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Under its own file name.
    Same,
    /// Under another file name, since its own is taken there by something else.
    Renamed,
    /// The same bytes are there already.
    There,
}

/// What becomes of a memory's line of the index in the store it goes to; texts are safe to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// This line is added.
    Added(String),
    /// It was parked, and is parked there with this line.
    Parked(String),
    /// A line there names it already.
    Named,
    /// It gets none.
    Without,
}

/// Plans a move or a copy of some memories.
///
/// # Errors
/// When a memory is not in the store or is a link, nothing is to be done, or an index could not be edited safely.
pub fn transfer(from: Side<'_>, to: Side<'_>, way: Way, paths: &[RelPath]) -> Result<Transfer, Refusal> {
    let chosen = in_order(from.snapshot, &prune::chosen(from.snapshot, paths)?);
    let memories: Vec<&Arc<Memory>> =
        chosen.iter().filter_map(|at| from.snapshot.memories.get(*at)).collect();
    if let Some(link) = memories.iter().find_map(|memory| Some((memory, memory.stat.link.as_ref()?))) {
        return Err(Refusal {
            what: format!(
                "{} is a link to {}; nothing was changed",
                shown(&link.0.path),
                visible(&link.1.target.to_string_lossy(), false)
            ),
            hint: "leave it out, or move the file that it points to".into(),
        });
    }
    let found = names::find(to.snapshot, &memories)?;
    let mut passages: Vec<Passage> = memories
        .iter()
        .zip(found)
        .map(|(memory, (path, fate))| Passage {
            from: memory.path.clone(),
            to: path,
            name: named(memory),
            fate,
            line: Line::Without,
        })
        .collect();
    let grown = grown(to.snapshot, &memories, &passages);
    let mut notes = Vec::new();
    let planned = lines::plan(from, to, &grown, &memories, &mut passages, &mut notes, way)?;
    let arriving = memories.iter().zip(&passages).filter(|(_, passage)| passage.fate != Fate::There);
    let mut changes: Vec<Change> = arriving
        .map(|(memory, passage)| Change {
            path: passage.to.clone(),
            before: None,
            after: Some(state(memory)),
        })
        .collect();
    changes.extend(planned.index);
    let parked =
        (!planned.parked.is_empty()).then_some(ParkedChange { changed: Vec::new(), added: planned.parked });
    let departure = match way {
        Way::Copy => None,
        Way::Move => Some(prune::delete(from.snapshot, from.parked, paths)?),
    };
    notes::collect(from, to, way, &grown, &memories, &passages, &mut notes);
    let what = match passages.as_slice() {
        [one] => one.name.clone(),
        many => format!("{} memories", many.len()),
    };
    let word = if way == Way::Move { "moved" } else { "copied" };
    let (source, there) = (visible(from.name, false), visible(to.name, false));
    let plan = |verb, message, changes, parked| Plan {
        verb,
        message,
        changes,
        outside: Vec::new(),
        parked,
        warnings: Vec::new(),
    };
    let arrival = (!changes.is_empty() || parked.is_some())
        .then(|| plan(Verb::Arrive, format!("{word} {what} here from {source}"), changes, parked));
    let message = format!("{word} {what} to {there}");
    let departure = departure.map(|delete| {
        notes.extend(delete.warnings);
        plan(Verb::Depart, message.clone(), delete.changes, delete.parked)
    });
    if arrival.is_none() && departure.is_none() {
        return Err(Refusal {
            what: format!("{what}: in {there} already, byte for byte; nothing was changed"),
            hint: String::new(),
        });
    }
    let (from, to) = (from.snapshot.root.clone(), to.snapshot.root.clone());
    Ok(Transfer { way, from, to, passages, arrival, departure, message, notes })
}

/// All memories of a store that can go, and in words which stay and why.
#[must_use]
pub fn all(snapshot: &Snapshot) -> (Vec<RelPath>, Vec<String>) {
    let (links, files): (Vec<_>, Vec<_>) =
        snapshot.memories.iter().partition(|memory| memory.stat.link.is_some());
    let mut stay: Vec<String> =
        links.iter().map(|memory| format!("{} is a link and stays", shown(&memory.path))).collect();
    stay.extend(
        snapshot.unreadable.iter().map(|file| format!("{} can't be read and stays", shown(&file.path))),
    );
    match snapshot.left_alone {
        0 => {}
        1 => stay.push("1 file that is no memory stays".into()),
        many => stay.push(format!("{many} files that are no memories stay")),
    }
    (files.into_iter().map(|memory| memory.path.clone()).collect(), stay)
}

impl Transfer {
    /// What will be done, a line each, safe to show: how much, then what there is to know, since a list of many
    /// memories would hide it at its end, then each memory.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = self.count().into_iter().collect();
        words.extend(self.notes.iter().map(|note| format!("▲ {note}")));
        words.extend(self.passages.iter().map(|passage| self.told(passage)));
        words
    }

    /// The store whose undo takes all of it back, in both: the one in which it is an operation.
    #[must_use]
    pub fn undone_in(&self) -> &Path {
        if self.arrival.is_some() { &self.to } else { &self.from }
    }

    /// How many memories and lines; one memory speaks for itself.
    fn count(&self) -> Option<String> {
        let many = self.passages.len();
        let is_line = |passage: &&Passage| matches!(passage.line, Line::Added(_));
        let lines = match self.passages.iter().filter(is_line).count() {
            1 => "1 line".to_owned(),
            lines => format!("{lines} lines"),
        };
        (many > 1).then(|| format!("{many} memories, {lines} of the index"))
    }

    fn told(&self, passage: &Passage) -> String {
        let Passage { name, from, to, fate, line } = passage;
        let file = shown(to);
        let mut told = match (fate, self.way) {
            (Fate::Same, _) => format!("{name} → {file}"),
            (Fate::Renamed, _) => format!("{name} → {file}, since {} is another memory there", shown(from)),
            (Fate::There, Way::Move) => format!("{name}: {file} there is the same, so it only goes here"),
            (Fate::There, Way::Copy) => format!("{name}: {file} there is the same, so nothing is done"),
        };
        match line {
            Line::Added(text) => told.push_str(&format!("; index there: {text}")),
            Line::Parked(text) => told.push_str(&format!("; parked there, as it was here: {text}")),
            Line::Named => told.push_str("; a line of the index there names it already"),
            Line::Without => {}
        }
        told
    }
}

/// The chosen memories in the order in which the index names them, the others behind.
fn in_order(snapshot: &Snapshot, chosen: &[usize]) -> Vec<usize> {
    let resolution = snapshot.index.as_ref().map(|file| file.index.resolve(snapshot));
    let place = |at: &usize| {
        let entries = resolution.as_ref().and_then(|resolution| resolution.entries_of.get(*at));
        entries.and_then(|entries| entries.first().copied()).unwrap_or(usize::MAX)
    };
    let mut ordered = chosen.to_vec();
    ordered.sort_by_key(place);
    ordered
}

/// The store with what arrives.
fn grown(to: &Snapshot, memories: &[&Arc<Memory>], passages: &[Passage]) -> Snapshot {
    let mut grown = to.clone();
    let arriving = memories.iter().zip(passages).filter(|(_, passage)| passage.fate != Fate::There);
    grown.memories.extend(arriving.map(|(memory, passage)| {
        Arc::new(Memory {
            path: passage.to.clone(),
            bytes: Arc::clone(&memory.bytes),
            document: memory.document.clone(),
            stat: memory.stat.clone(),
        })
    }));
    grown.memories.sort_by(|a, b| a.path.cmp(&b.path));
    grown
}

/// The paths of the memories that go.
fn going(passages: &[Passage]) -> BTreeSet<&RelPath> {
    passages.iter().map(|passage| &passage.from).collect()
}

fn shown(path: &RelPath) -> String {
    visible(&path.to_str_lossy(), false).into_owned()
}

#[cfg(test)]
mod tests;

//! What others changed in a store since a person last reviewed it, as a person would say it: a rename is one change,
//! and the lines of the index go with the memories that they name.

mod decide;
mod fold;
mod renames;
#[cfg(test)]
mod tests;

pub use decide::{Decision, Settled};

use crate::check::project::Text;
use crate::memory::Time;
use crate::memory::document::Document;
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Snapshot};
use crate::memory::text::{lossy, one_line};
use crate::review::hunks::Hunk;
use crate::review::likeness::{Bag, Shelf};
use crate::review::plan::Content;
use std::collections::HashMap;
use std::sync::Arc;

/// A file that is not as it was when it was reviewed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Differing {
    /// Which file.
    pub path: RelPath,
    /// As it was reviewed; `None`: there was none.
    pub old: Option<Content>,
    /// As it is; `None`: there is none.
    pub new: Option<Content>,
}

/// What others changed since the last review.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    /// The changes: deletions first, then the latest first.
    pub list: Vec<Change>,
    index: IndexDiff,
}

/// One change, as a person would say it.
#[derive(Debug, Clone)]
pub struct Change {
    /// What was done.
    pub kind: Kind,
    /// The file: as it is called now, or was called last.
    pub path: RelPath,
    /// The memory's name, safe to show.
    pub title: String,
    /// As it was reviewed.
    pub old: Option<Content>,
    /// As it is.
    pub new: Option<Content>,
    /// The lines of the index that go with it.
    pub lines: Vec<IndexLine>,
    /// When the file was changed last; of a deletion it is not known.
    pub time: Option<Time>,
    /// Where it came from, as far as that is known.
    pub origin: Origin,
    /// Where the text of a deleted memory is now.
    pub moved_to: Option<Elsewhere>,
    /// The hunks of the index (numbers in [`IndexDiff`]) that go with it.
    hunks: Vec<usize>,
}

/// What was done to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// It was written.
    Added,
    /// It was changed.
    Changed,
    /// It was deleted.
    Deleted,
    /// It got another path, perhaps changed too.
    Renamed {
        /// Its path before.
        from: RelPath,
    },
    /// The index changed in lines that go with no memory of the list.
    Index,
}

/// A line of the index that came or went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexLine {
    /// It came; else it went.
    pub is_new: bool,
    /// The line, safe to show.
    pub text: String,
}

/// Where a change came from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The client's session (`originSessionId`, or from a transcript).
    pub session: Option<String>,
    /// The branch the session was on; only transcripts tell.
    pub branch: Option<String>,
}

/// Where the text of a memory is that is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Elsewhere {
    /// In another memory, which others changed too.
    Memory(RelPath),
    /// In the instructions: their path.
    Instructions(String),
}

/// The index as it was reviewed and as it is, in lines.
#[derive(Debug, Clone, Default)]
struct IndexDiff {
    old: Arc<[u8]>,
    new: Arc<[u8]>,
    hunks: Vec<Hunk>,
}

/// From which share of its words on the text of a memory counts as being elsewhere.
const MOVED: f32 = 0.6;

impl Changes {
    /// Makes changes of the files that differ. `instructions` are the files in which a promoted memory may be now.
    #[must_use]
    pub fn of(differing: Vec<Differing>, snapshot: &Snapshot, instructions: &[Text]) -> Self {
        let by_path: HashMap<&RelPath, &Memory> =
            snapshot.memories.iter().map(|memory| (&memory.path, &**memory)).collect();
        let (index, files): (Vec<Differing>, Vec<Differing>) =
            differing.into_iter().partition(|one| one.path.is_index());
        let mut list: Vec<Change> =
            renames::pair(files).into_iter().map(|(kind, one)| change(kind, one, &by_path)).collect();
        find_moved(&mut list, instructions);
        let mut index_diff = IndexDiff::default();
        if let Some(one) = index.into_iter().next() {
            index_diff = fold::fold(one, snapshot, &mut list);
        }
        let rank = |change: &Change| (change.kind != Kind::Deleted, std::cmp::Reverse(change.time));
        list.sort_by(|a, b| rank(a).cmp(&rank(b)).then_with(|| a.path.cmp(&b.path)));
        Self { list, index: index_diff }
    }
}

impl Change {
    /// Every file that it is about: a rename has two.
    pub fn paths(&self) -> impl Iterator<Item = &RelPath> {
        let before = match &self.kind {
            Kind::Renamed { from } => Some(from),
            _ => None,
        };
        before.into_iter().chain([&self.path])
    }

    /// The old and the new text, for a diff; a link counts as the path it leads to.
    #[must_use]
    pub fn texts(&self) -> (Vec<u8>, Vec<u8>) {
        (bytes(self.old.as_ref()), bytes(self.new.as_ref()))
    }
}

fn bytes(content: Option<&Content>) -> Vec<u8> {
    match content {
        None => Vec::new(),
        Some(Content::File(bytes)) => bytes.to_vec(),
        Some(Content::Link(target)) => format!("(a link to {})\n", target.to_string_lossy()).into_bytes(),
    }
}

fn change(kind: Kind, one: Differing, by_path: &HashMap<&RelPath, &Memory>) -> Change {
    let memory = by_path.get(&one.path).filter(|_| one.new.is_some());
    let said = bytes(one.new.as_ref().or(one.old.as_ref()));
    let header =
        memory.map_or_else(|| Document::parse(&said).header, |memory| memory.document.header.clone());
    let name = header.name.as_deref().filter(|name| !name.trim().is_empty());
    Change {
        title: name.map_or_else(|| one_line(&one.path.stem()), one_line),
        time: memory.map(|memory| memory.stat.mtime),
        origin: Origin { session: header.origin_session.map(String::from), branch: None },
        kind,
        path: one.path,
        old: one.old,
        new: one.new,
        lines: Vec::new(),
        moved_to: None,
        hunks: Vec::new(),
    }
}

/// Looks for the text of what was deleted in what was added or grew, and in the instructions.
fn find_moved(list: &mut [Change], instructions: &[Text]) {
    if !list.iter().any(|change| change.kind == Kind::Deleted) {
        return;
    }
    let body = |content: Option<&Content>| {
        let bytes = bytes(content);
        let body = Document::parse(&bytes).body;
        Bag::of(&lossy(bytes.get(body).unwrap_or_default()))
    };
    let grown: Vec<(RelPath, Bag, Bag)> = list
        .iter()
        .filter(|change| change.kind != Kind::Deleted)
        .map(|change| (change.path.clone(), body(change.old.as_ref()), body(change.new.as_ref())))
        .collect();
    let gained = Shelf::of(grown.iter().map(|(_, old, new)| new.without(old)).collect());
    let instructions: Vec<(&String, Bag)> =
        instructions.iter().map(|text| (&text.path, Bag::of(&text.text))).collect();
    for change in list.iter_mut().filter(|change| change.kind == Kind::Deleted) {
        let gone = body(change.old.as_ref());
        if gone.len() < FEW {
            continue;
        }
        let near = gained.nearest(&gone, NEAREST).into_iter();
        let in_memory = near.filter_map(|(at, _)| {
            // What stood there before is no sign.
            let (path, old, new) = grown.get(at)?;
            let own = gone.without(old);
            (own.len() >= FEW).then(|| (own.within(new), path))
        });
        let best = in_memory.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(share, _)| *share >= MOVED);
        let in_text = || {
            let shares = instructions.iter().map(|(path, bag)| (gone.within(bag), *path));
            shares.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(share, _)| *share >= MOVED_TO_TEXT)
        };
        change.moved_to = best
            .map(|(_, path)| Elsewhere::Memory(path.clone()))
            .or_else(|| in_text().map(|(_, path)| Elsewhere::Instructions(path.clone())));
    }
}

/// A text of fewer words could be anywhere.
const FEW: usize = 5;
/// So many of the memories that grew are looked into.
const NEAREST: usize = 4;
/// Instructions are long and hold many words: nearly all of a memory's must be there.
const MOVED_TO_TEXT: f32 = 0.85;

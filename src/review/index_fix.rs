//! Repairs of the index, as one planned operation. Every step is read again before the next one, and none is taken that
//! would change what the other lines say.

mod moving;
mod propose;
mod rebuild;
#[cfg(test)]
mod tests;

use crate::check::{self, Depth, Facts, Look, Settings};
use crate::memory::Time;
use crate::memory::document::MemoryType;
use crate::memory::index::{self, Index, NewEntry, ParkedLine, Place};
use crate::memory::path::RelPath;
use crate::memory::snapshot::{IndexFile, Memory, Snapshot};
use crate::memory::text::visible;
use crate::review::index_file::IndexTarget;
use crate::review::index_state::IndexState;
use crate::review::plan::{Plan, Refusal, Verb};
use crate::review::prune::kinds;
use std::collections::HashSet;
use std::sync::Arc;

pub use propose::{Proposal, proposals};

/// One repair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fix {
    /// A line for each memory that none names, that is not parked and not listed by an archive.
    AddOrphans,
    /// Lines that name memories which are not there go.
    DropDangling,
    /// Later lines about a memory go when an earlier one names it.
    RemoveDuplicates,
    /// The lines of these memories go up, so that they load.
    MoveUp(Vec<RelPath>),
    /// A line says this from now on (the line from 0); it must still name the same memories.
    SetLine(usize, String),
    /// The index is written anew from the memories.
    Rebuild,
}

/// What repairs would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixed {
    /// The operation; `None`: there is nothing to repair.
    pub plan: Option<Plan>,
    /// What is done, step by step, safe to show.
    pub steps: Vec<String>,
    /// The index now.
    pub before: IndexState,
    /// The index afterwards.
    pub after: IndexState,
}

/// Plans repairs, in this order, as one operation. Its warnings say what a person should know beforehand, first of all
/// that the index is over a limit afterwards.
///
/// # Errors
/// When the index can't be read or written, or a line is not what the repair expects.
pub fn fix(snapshot: &Snapshot, parked: &[ParkedLine], now: Time, fixes: &[Fix]) -> Result<Fixed, Refusal> {
    let target = IndexTarget::of(snapshot)?;
    let target = target.unwrap_or_else(|| IndexTarget::missing(snapshot.memories.first()));
    let before = IndexState::of(snapshot, &target.bytes);
    let mut work = Work {
        snapshot: snapshot.clone(),
        parked,
        now,
        bytes: target.bytes.to_vec(),
        steps: Vec::new(),
        notes: Vec::new(),
    };
    for fix in fixes {
        match fix {
            Fix::AddOrphans => work.add_orphans()?,
            Fix::DropDangling => work.drop_dangling(),
            Fix::RemoveDuplicates => work.remove_duplicates(),
            Fix::MoveUp(paths) => work.move_up(paths)?,
            Fix::SetLine(line, text) => work.set_line(*line, text)?,
            Fix::Rebuild => work.rebuild()?,
        }
    }
    let Work { bytes, steps, mut notes, .. } = work;
    let after = IndexState::of(snapshot, &bytes);
    if bytes == *target.bytes {
        return Ok(Fixed { plan: None, steps, before, after });
    }
    let pushed: Vec<&RelPath> =
        after.not_seen.iter().filter(|path| !before.not_seen.contains(path)).collect();
    if !after.fits() {
        notes.insert(0, format!("the index is over its limits afterwards: {}", after.words()));
    }
    if !pushed.is_empty() {
        notes.push(format!("not seen from then on: {}", names(&pushed)));
    }
    let plan = Plan {
        verb: Verb::Index,
        message: format!("index: {}", steps.join(", ")),
        changes: target.change(bytes).into_iter().collect(),
        outside: Vec::new(),
        parked: None,
        warnings: notes,
    };
    Ok(Fixed { plan: Some(plan), steps, before, after })
}

/// The memories that a line is added for: what no line names, no parked line holds and no archive lists, and has
/// frontmatter.
#[must_use]
pub fn orphans(snapshot: &Snapshot, parked: &[ParkedLine], now: Time) -> Vec<RelPath> {
    if snapshot.index.is_none() {
        let is_parked = |path: &RelPath| parked.iter().any(|line| line.path == path.to_str_lossy());
        let all = snapshot.memories.iter().map(|memory| &memory.path);
        let is_readme = |path: &RelPath| path.stem().eq_ignore_ascii_case("readme");
        return all.filter(|path| !is_parked(path) && !is_readme(path)).cloned().collect();
    }
    let (named, _) = candidates(snapshot, parked, now);
    named
}

/// The orphans that a line is added for, and those that are left out: a file without frontmatter is often a log that
/// nobody should find.
fn candidates(snapshot: &Snapshot, parked: &[ParkedLine], now: Time) -> (Vec<RelPath>, Vec<RelPath>) {
    let (facts, settings) = (Facts::of(snapshot), Settings::default());
    let findings = check::run(&Look::quick(snapshot, &facts, parked, now, &settings), Depth::Quick);
    let orphans: HashSet<RelPath> =
        findings.into_iter().filter(|it| it.check.0 == "index-orphan").map(|it| it.memory).collect();
    let memories = snapshot.memories.iter().filter(|memory| orphans.contains(&memory.path));
    let (with, without): (Vec<_>, Vec<_>) =
        memories.partition(|memory| memory.document.frontmatter.is_some());
    let paths =
        |memories: Vec<&Arc<Memory>>| memories.into_iter().map(|memory| memory.path.clone()).collect();
    (paths(with), paths(without))
}

/// The repairs under way: the snapshot always holds the index as it is after the last step.
struct Work<'a> {
    snapshot: Snapshot,
    parked: &'a [ParkedLine],
    now: Time,
    bytes: Vec<u8>,
    steps: Vec<String>,
    notes: Vec<String>,
}

impl Work<'_> {
    /// Takes the index as it is after a step.
    fn take(&mut self, bytes: Vec<u8>, step: String) {
        let stat = self.snapshot.index.as_ref().map(|file| file.stat.clone());
        let stat = stat.or_else(|| self.snapshot.memories.first().map(|memory| memory.stat.clone()));
        if let Some(stat) = stat {
            let file = IndexFile { index: Index::parse(&bytes), bytes: bytes.clone().into(), stat };
            self.snapshot.index = Some(Arc::new(file));
        }
        self.bytes = bytes;
        self.steps.push(step);
    }

    fn add_orphans(&mut self) -> Result<(), Refusal> {
        let orphans: HashSet<RelPath> = orphans(&self.snapshot, self.parked, self.now).into_iter().collect();
        if self.snapshot.index.is_some() {
            let (_, left) = candidates(&self.snapshot, self.parked, self.now);
            let left: Vec<&RelPath> = left.iter().collect();
            if !left.is_empty() {
                self.notes.push(format!("left out, since it has no frontmatter: {}", names(&left)));
            }
        }
        let memories: Vec<&Arc<Memory>> =
            self.snapshot.memories.iter().filter(|memory| orphans.contains(&memory.path)).collect();
        if memories.is_empty() {
            return Ok(());
        }
        let kinds_of = |index: &Index| kinds(&self.snapshot, index);
        let bytes = with_lines(&self.bytes, &memories, &kinds_of).ok_or_else(no_place)?;
        let step = format!("added {}", lines(memories.len()));
        self.take(bytes, step);
        Ok(())
    }

    fn drop_dangling(&mut self) {
        let index = Index::parse(&self.bytes);
        let memory_of = index.resolve(&self.snapshot).memory_of;
        let named = index.entries.iter().zip(memory_of).enumerate();
        let going: Vec<usize> = named
            .filter(|(_, (entry, memory))| memory.is_none() && check::dangles(&self.snapshot, entry))
            .map(|(at, _)| at)
            .collect();
        self.remove(&index, &going, "dropped", "that named nothing");
    }

    fn remove_duplicates(&mut self) {
        let index = Index::parse(&self.bytes);
        let memory_of = index.resolve(&self.snapshot).memory_of;
        let mut first: std::collections::HashMap<usize, &std::ops::Range<usize>> =
            std::collections::HashMap::new();
        let mut going = Vec::new();
        // A memory named in a sentence or behind another one is a reference, not a line of its own.
        let entries = index.entries.iter().zip(memory_of).enumerate();
        for (at, (entry, memory)) in entries.filter(|(_, (entry, _))| entry.place != Place::Prose) {
            let Some(memory) = memory else { continue };
            if *first.entry(memory).or_insert(&entry.item) != &entry.item {
                going.push(at);
            }
        }
        self.remove(&index, &going, "removed", "about memories named before");
    }

    fn remove(&mut self, index: &Index, going: &[usize], verb: &str, what: &str) {
        if going.is_empty() {
            return;
        }
        let removed = index::remove(&self.bytes, index, going);
        for taken in removed.taken.iter().filter(|taken| taken.plain) {
            let note = format!("line {} says more: it stays, the link became text", taken.line + 1);
            self.notes.push(note);
        }
        let step = format!("{verb} {} {what}", lines(removed.taken.len()));
        self.take(removed.bytes, step);
    }

    fn set_line(&mut self, line: usize, text: &str) -> Result<(), Refusal> {
        let index = Index::parse(&self.bytes);
        let refuse = |what: &str| {
            let what = format!("line {} of MEMORY.md: {what}; nothing was changed", line + 1);
            Refusal { what, hint: "memcurator index check shows the lines".into() }
        };
        let range = index.lines.get(line).cloned().ok_or_else(|| refuse("there is no such line"))?;
        if text.contains(['\n', '\r']) {
            return Err(refuse("a line can't hold a line break"));
        }
        let mut bytes = self.bytes.get(..range.start).unwrap_or_default().to_vec();
        bytes.extend_from_slice(text.as_bytes());
        bytes.extend_from_slice(self.bytes.get(range.end..).unwrap_or_default());
        let targets = |index: &Index| -> Vec<_> {
            index.entries.iter().map(|entry| (entry.line, entry.target.clone())).collect()
        };
        if targets(&index) != targets(&Index::parse(&bytes)) {
            return Err(refuse("with this text it would not name the same memories"));
        }
        if bytes != self.bytes {
            self.take(bytes, format!("rewrote line {}", line + 1));
        }
        Ok(())
    }
}

/// The index with a line for each of these memories.
fn with_lines(
    bytes: &[u8],
    memories: &[&Arc<Memory>],
    kinds: &dyn Fn(&Index) -> Vec<Option<MemoryType>>,
) -> Option<Vec<u8>> {
    let titles: Vec<_> = memories.iter().map(|memory| memory.title()).collect();
    let new: Vec<NewEntry<'_>> = memories
        .iter()
        .zip(&titles)
        .map(|(memory, title)| NewEntry {
            path: &memory.path,
            title,
            hook: memory.document.header.description.as_deref().unwrap_or_default(),
            kind: &memory.document.header.kind,
            verbatim: None,
        })
        .collect();
    index::insert(bytes, &new, kinds)
}

fn no_place() -> Refusal {
    Refusal {
        what: "MEMORY.md: found no place where a new line would be read as an entry; nothing was changed"
            .into(),
        hint: "look whether a code block or a comment in MEMORY.md is never closed".into(),
    }
}

fn lines(count: usize) -> String {
    if count == 1 { "1 line".into() } else { format!("{count} lines") }
}

/// The first of some paths, and how many more there are; safe to show.
fn names(paths: &[&RelPath]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<_> =
        paths.iter().take(SHOWN).map(|path| visible(&path.to_str_lossy(), false).into_owned()).collect();
    match paths.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

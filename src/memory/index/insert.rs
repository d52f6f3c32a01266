//! Adds entries to an index, in its own style and at the place where a person would look for them.

use crate::memory::document::MemoryType;
use crate::memory::index::source::line_end;
use crate::memory::index::style::Style;
use crate::memory::index::{Entry, Index, Target};
use crate::memory::path::RelPath;
use crate::memory::target;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A memory that gets an entry.
#[derive(Debug, Clone)]
pub struct NewEntry<'a> {
    /// Its path.
    pub path: &'a RelPath,
    /// Its name, for indexes that use names as link texts.
    pub title: &'a str,
    /// What stands behind the link; may be empty.
    pub hook: &'a str,
    /// Its type, which decides the section.
    pub kind: &'a MemoryType,
    /// The lines to write as they are, instead of making one in the index's style.
    pub verbatim: Option<&'a str>,
}

/// Adds entries. `kinds_of` gives the type of the memory that each entry of an index names.
///
/// The place: behind the last entry of the section where most memories of the type stand; else in the section
/// named like the type; else behind the last entry of the index; else at its end. The result is read again:
/// when the new lines would not count as entries there, or an old one would not any more (an open fence, a hook
/// that is Markdown itself), the hook is left out, then the next place is tried. `None` when there is no place.
#[must_use]
pub fn insert(
    bytes: &[u8],
    new: &[NewEntry<'_>],
    kinds_of: &dyn Fn(&Index) -> Vec<Option<MemoryType>>,
) -> Option<Vec<u8>> {
    let mut out = bytes.to_owned();
    let mut rest: Vec<&NewEntry<'_>> = new.iter().collect();
    while let Some(first) = rest.first() {
        let (same, others): (Vec<&NewEntry<'_>>, Vec<&NewEntry<'_>>) =
            rest.iter().partition(|entry| entry.kind == first.kind);
        let index = Index::parse(&out);
        let kinds = kinds_of(&index);
        out = Site::new(&out, &index, kinds).insert_all(first.kind, &same)?;
        rest = others;
    }
    Some(out)
}

/// An index that lines may come into: where, and how they are written, is worked out once for each type.
#[derive(Debug)]
pub struct Site<'a> {
    bytes: &'a [u8],
    index: &'a Index,
    kinds: Vec<Option<MemoryType>>,
    known: Mutex<HashMap<MemoryType, Arc<Vec<Spot>>>>,
}

/// A line before which entries may go, and their style there.
#[derive(Debug)]
struct Spot {
    at: usize,
    style: Style,
    /// A plain line here was read again as an entry, and changed no other.
    holds: AtomicBool,
}

impl<'a> Site<'a> {
    /// An index, with the type of the memory that each of its entries names.
    #[must_use]
    pub fn new(bytes: &'a [u8], index: &'a Index, kinds: Vec<Option<MemoryType>>) -> Self {
        Self { bytes, index, kinds, known: Mutex::default() }
    }

    /// The index with one entry more; see [`insert`].
    #[must_use]
    pub fn insert(&self, entry: &NewEntry<'_>) -> Option<Vec<u8>> {
        self.insert_all(entry.kind, &[entry])
    }

    fn insert_all(&self, kind: &MemoryType, same: &[&NewEntry<'_>]) -> Option<Vec<u8>> {
        self.spots(kind).iter().find_map(|spot| {
            [true, false].into_iter().find_map(|hooks| {
                let lines = same.iter().enumerate().map(|(place, entry)| match entry.verbatim {
                    Some(lines) => lines.to_owned(),
                    None => spot.style.line(entry, if hooks { entry.hook } else { "" }, place),
                });
                let edited = at_line(self.bytes, self.index, spot.at, &lines.collect::<Vec<_>>());
                // What has no Markdown in it comes out as the last such line did.
                let plain = same.iter().all(|entry| is_plain(entry));
                if plain && spot.holds.load(Ordering::Relaxed) {
                    return Some(edited);
                }
                let holds = adds_only(self.index, &Index::parse(&edited), same);
                if plain && holds && hooks {
                    spot.holds.store(true, Ordering::Relaxed);
                }
                holds.then_some(edited)
            })
        })
    }

    /// Where entries of a type may go, best first.
    fn spots(&self, kind: &MemoryType) -> Arc<Vec<Spot>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(spots) = known.get(kind) {
            return Arc::clone(spots);
        }
        let spot = |at: usize| {
            let samples = samples(self.index, at);
            let neighbour = at.checked_sub(1).and_then(|line| entry_ending_at(self.index, line + 1));
            let style = Style::of(self.bytes, self.index, neighbour, &samples);
            Spot { at, style, holds: AtomicBool::new(false) }
        };
        let spots = Arc::new(places(self.index, kind, &self.kinds).into_iter().map(spot).collect::<Vec<_>>());
        known.insert(kind.clone(), Arc::clone(&spots));
        spots
    }
}

/// Whether a line made of an entry holds no Markdown of its own.
fn is_plain(entry: &NewEntry<'_>) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, ' ' | ',' | '.' | '-' | ';' | '\'');
    let text = |text: &str| text.starts_with(char::is_alphabetic) && text.chars().all(is_word);
    let path = entry.path.to_str_lossy();
    let is_file = path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    entry.verbatim.is_none()
        && text(entry.title)
        && (entry.hook.is_empty() || text(entry.hook))
        && is_file
        && !["www", "http"].iter().any(|start| entry.hook.contains(start))
}

/// The lines before which entries of a type may go, best first.
fn places(index: &Index, kind: &MemoryType, kinds: &[Option<MemoryType>]) -> Vec<usize> {
    // Section 0 is what stands above the first heading.
    let section = |line: usize| index.sections.partition_point(|section| section.heading.start <= line);
    let mut counts = vec![0usize; index.sections.len() + 1];
    for (entry, _) in index.entries.iter().zip(kinds).filter(|(_, of)| of.as_ref() == Some(kind)) {
        if let Some(count) = counts.get_mut(section(entry.line)) {
            *count += 1;
        }
    }
    let most = counts.iter().enumerate().filter(|(_, n)| **n > 0).max_by_key(|(_, n)| **n).map(|(at, _)| at);
    let last_in = |wanted: Option<usize>| {
        let inside = |entry: &&Entry| wanted.is_none_or(|wanted| section(entry.line) == wanted);
        index.entries.iter().rfind(inside).map(|entry| entry.item.end)
    };
    let named = index.sections.iter().position(|section| is_named_like(&section.title, kind));
    let in_named = named.and_then(|at| last_in(Some(at + 1)).or_else(|| end_of_section(index, at)));
    let by_type = most.and_then(|section| last_in(Some(section)));
    let end = index.lines.len();
    let mut places: Vec<usize> =
        [by_type, in_named, last_in(None), Some(end), Some(0)].into_iter().flatten().collect();
    places.dedup();
    places
}

fn is_named_like(title: &str, kind: &MemoryType) -> bool {
    let known = !matches!(kind, MemoryType::Missing);
    let word = kind.as_str().to_lowercase();
    let title = title.to_lowercase();
    let mut words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    known && words.any(|found| found == word || found.strip_suffix('s') == Some(&word))
}

/// Where the first entry of a section goes: behind its last line of text, else right below the heading (with
/// one blank line between where there are two).
fn end_of_section(index: &Index, at: usize) -> Option<usize> {
    let section = index.sections.get(at)?;
    let blank = |line: &usize| index.lines.get(*line).is_none_or(|line| line.is_empty());
    match section.body.clone().rfind(|line| !blank(line)) {
        Some(last) => Some(last + 1),
        None => Some(section.body.start + usize::from(section.body.len() > 1)),
    }
}

fn entry_ending_at(index: &Index, line: usize) -> Option<&Entry> {
    let before = index.entries.partition_point(|entry| entry.line < line);
    index.entries.get(..before)?.iter().rev().take(8).find(|entry| entry.item.end == line)
}

/// The entries that show the style at a line: those of its section, else all.
fn samples(index: &Index, line: usize) -> Vec<&Entry> {
    let lines = index.section_of_line(line.saturating_sub(1)).map(|section| section.body.clone());
    let near: Vec<&Entry> = index
        .entries
        .iter()
        .filter(|e| lines.as_ref().is_some_and(|l| l.contains(&e.line)) && e.alone)
        .collect();
    if near.is_empty() { index.entries.iter().filter(|entry| entry.alone).collect() } else { near }
}

/// The bytes with some lines put before the line `at`. A file without a final line end stays without.
fn at_line(bytes: &[u8], index: &Index, at: usize, lines: &[String]) -> Vec<u8> {
    let end = line_end(bytes).as_bytes();
    let start = index.lines.get(at).map_or(bytes.len(), |line| line.start);
    let (above, below) = bytes.split_at_checked(start).unwrap_or((bytes, &[]));
    let open = !above.is_empty() && !above.ends_with(b"\n") && !above.ends_with(end);
    let mut out = above.to_owned();
    for line in lines {
        let line = line.as_bytes();
        if open {
            out.extend([end, line].concat());
        } else {
            out.extend([line, end].concat());
        }
    }
    out.extend_from_slice(below);
    out
}

/// Whether an index has the old entries as they were, and one more for each new memory.
fn adds_only(old: &Index, new: &Index, added: &[&NewEntry<'_>]) -> bool {
    let mut missing: Vec<&NewEntry<'_>> = added.to_vec();
    let mut before = old.entries.iter().peekable();
    for entry in &new.entries {
        if before
            .next_if(|old| old.target == entry.target && old.title == entry.title && old.hook == entry.hook)
            .is_some()
        {
            continue;
        }
        let names = |new: &&NewEntry<'_>| match &entry.target {
            Target::File(path) => path == new.path,
            Target::Name(name) => target::may_mean(new.path, None, name),
        };
        match missing.iter().position(names) {
            Some(at) => drop(missing.remove(at)),
            // A verbatim line may name others too.
            None if added.iter().any(|new| new.verbatim.is_some()) => {}
            None => return false,
        }
    }
    missing.is_empty() && before.peek().is_none() && new.sections.len() == old.sections.len()
}

//! Lines that go up over the cut.

use super::{Work, names};
use crate::memory::index::{Entry, Index, Place, Target, line_end};
use crate::memory::path::RelPath;
use crate::prompt::limits::{Fate, load};
use crate::review::index_state::IndexState;
use crate::review::plan::Refusal;
use crate::review::prune::chosen;
use std::collections::BTreeSet;
use std::ops::Range;

impl Work<'_> {
    /// Moves the items of some memories to the head of their own section when that loads, else to the first item.
    pub(super) fn move_up(&mut self, paths: &[RelPath]) -> Result<(), Refusal> {
        let memories = chosen(&self.snapshot, paths)?;
        let index = Index::parse(&self.bytes);
        let fate = load(&self.bytes).fate;
        let resolution = index.resolve(&self.snapshot);
        let entries_of =
            |memory: &usize| resolution.entries_of.get(*memory).map(Vec::as_slice).unwrap_or_default();
        let mut items: BTreeSet<(usize, usize)> = BTreeSet::new();
        let (mut there, mut stuck) = (0, Vec::new());
        for memory in &memories {
            let entries: Vec<&Entry> =
                entries_of(memory).iter().filter_map(|at| index.entries.get(*at)).collect();
            if entries.iter().any(|entry| fate.get(entry.line) == Some(&Fate::Loads)) {
                there += 1;
                continue;
            }
            match entries.iter().find(|entry| matches!(entry.place, Place::Item | Place::Line)) {
                Some(entry) => drop(items.insert((entry.item.start, entry.item.end))),
                None => stuck.extend(self.snapshot.memories.get(*memory).map(|memory| &memory.path)),
            }
        }
        let stuck = names(&stuck);
        if !stuck.is_empty() {
            self.notes.push(format!("no line of their own that could move: {stuck}"));
        }
        if there > 0 {
            self.notes.push(format!("{there} of them load already and stay where they are"));
        }
        let items: Vec<Range<usize>> = items.into_iter().map(|(start, end)| start..end).collect();
        if items.is_empty() {
            return Ok(());
        }
        let own = self.moved(&index, &items, |item| head_of_section(&index, item, &fate));
        let bytes = own.or_else(|| self.moved(&index, &items, |_| first_item(&index)));
        let Some(bytes) = bytes else {
            return Err(Refusal {
                what: "MEMORY.md: these lines can't move without others meaning something else; nothing was changed"
                    .into(),
                hint: "move them in an editor".into(),
            });
        };
        let step = match items.len() {
            1 => "moved 1 line up".to_owned(),
            many => format!("moved {many} lines up"),
        };
        let state = IndexState::of(&self.snapshot, &bytes);
        let still: Vec<&RelPath> = state.not_seen.iter().filter(|path| paths.contains(path)).collect();
        if !still.is_empty() {
            self.notes.push(format!("still below the cut: {}", names(&still)));
        }
        self.take(bytes, step);
        Ok(())
    }

    /// The index with each item before the line that `to` gives; `None` when that would change what is read from it.
    fn moved(
        &self,
        index: &Index,
        items: &[Range<usize>],
        to: impl Fn(&Range<usize>) -> Option<usize>,
    ) -> Option<Vec<u8>> {
        let places: Vec<usize> = items.iter().map(to).collect::<Option<_>>()?;
        let end = line_end(&self.bytes).as_bytes();
        let line = |at: usize| -> Option<Vec<u8>> {
            let range = index.lines.get(at)?;
            let next = index.lines.get(at + 1).map_or(self.bytes.len(), |next| next.start);
            let mut line = self.bytes.get(range.start..next)?.to_vec();
            if range.end == next {
                line.extend_from_slice(end);
            }
            Some(line)
        };
        let was_open = index.lines.last().is_some_and(|last| last.end == self.bytes.len());
        let mut bytes = self.bytes.get(..index.lines.first()?.start)?.to_vec();
        for at in 0..index.lines.len() {
            for (item, _) in items.iter().zip(&places).filter(|(_, place)| **place == at) {
                for moved in item.clone() {
                    bytes.extend(line(moved)?);
                }
            }
            if !items.iter().any(|item| item.contains(&at)) {
                bytes.extend(line(at)?);
            }
        }
        if was_open && bytes.ends_with(end) {
            bytes.truncate(bytes.len() - end.len());
        }
        (said(index) == said(&Index::parse(&bytes))).then_some(bytes)
    }
}

/// What an index says, whatever the order.
fn said(index: &Index) -> (Vec<(String, String, String, u8)>, usize) {
    let mut entries: Vec<_> = index
        .entries
        .iter()
        .map(|entry| {
            let target = match &entry.target {
                Target::File(path) => format!("file {}", path.to_str_lossy()),
                Target::Name(name) => format!("name {name}"),
            };
            (target, entry.title.clone(), entry.hook.clone(), entry.place as u8)
        })
        .collect();
    entries.sort();
    (entries, index.sections.len())
}

fn is_item(entry: &&Entry) -> bool {
    matches!(entry.place, Place::Item | Place::Line)
}

/// The line of the first item of the index.
fn first_item(index: &Index) -> Option<usize> {
    index.entries.iter().find(is_item).map(|entry| entry.item.start)
}

/// The line of the first item in the section of an item, when that line loads.
fn head_of_section(index: &Index, item: &Range<usize>, fate: &[Fate]) -> Option<usize> {
    let section = index.section_of_line(item.start);
    let inside = |entry: &&Entry| match section {
        Some(section) => section.body.contains(&entry.line),
        None => index.section_of_line(entry.line).is_none(),
    };
    let first = index.entries.iter().filter(is_item).find(inside)?;
    (fate.get(first.line) == Some(&Fate::Loads)).then_some(first.item.start)
}

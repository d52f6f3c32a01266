//! The list of memories: groups, order, filter, cursor, marks.

use crate::app::contents::{Contents, Entry, Group};
use crate::app::query::Query;
use crate::memory::path::RelPath;
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The list of memories.
#[derive(Debug, Clone, Default)]
pub struct List {
    /// By what groups are ordered inside.
    pub order: Order,
    /// Only what has a flag or a finding of a warning or worse.
    pub flagged_only: bool,
    /// The filter.
    pub filter: Filter,
    /// What is shown, from top to bottom.
    pub rows: Vec<Row>,
    /// All entries in their order, filtered or not; empty: to be worked out.
    sorted: Vec<usize>,
    /// The row under the cursor; on an entry whenever there is one.
    pub cursor: usize,
    /// The first row on the screen.
    pub top: usize,
    /// Marked memories; some may be hidden by the filter.
    pub marks: BTreeSet<RelPath>,
    /// Where a range starts that reaches to the cursor.
    pub range: Option<RelPath>,
    /// Memories that are being deleted: gone from the list at once.
    pub leaving: BTreeSet<RelPath>,
}

/// The filter and what it let through.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// As typed.
    pub text: String,
    /// What it means; `None` when it is blank.
    pub query: Option<Arc<Query>>,
    /// The entries that match; `None` until a worker has answered for the first time.
    pub matches: Option<Arc<Vec<usize>>>,
    /// The query that `matches` answers.
    pub answered: Option<Arc<Query>>,
    /// The number of the latest question; answers to earlier ones are dropped.
    pub asked: u64,
    /// The number of the question that was answered last.
    pub got: u64,
}

impl Filter {
    /// A worker still owes the answer: the rows are not those that the query asks for.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.query.is_some() && self.got != self.asked
    }
}

/// One row of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    /// The head of a group and how many are in it.
    Head(Group, usize),
    /// An entry: its place in [`Contents::entries`].
    Entry(usize),
}

/// By what the entries of a group are ordered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Order {
    /// By age, what changed last first.
    #[default]
    Newest,
    /// By age, what changed longest ago first.
    Oldest,
    /// By name.
    Name,
    /// By size, largest first.
    Size,
}

impl Order {
    /// The next order.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Newest => Self::Oldest,
            Self::Oldest => Self::Name,
            Self::Name => Self::Size,
            Self::Size => Self::Newest,
        }
    }

    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Newest => "by age, newest first",
            Self::Oldest => "by age, oldest first",
            Self::Name => "by name",
            Self::Size => "by size, largest first",
        }
    }

    fn compare(self, a: &Entry, b: &Entry) -> Ordering {
        let since = |entry: &Entry| entry.age.map(|age| age.since);
        let first = match self {
            Self::Newest => since(b).cmp(&since(a)),
            Self::Oldest => since(a).cmp(&since(b)),
            Self::Name => Ordering::Equal,
            Self::Size => b.bytes.cmp(&a.bytes),
        };
        first.then_with(|| a.name.cmp(&b.name)).then_with(|| a.path.cmp(&b.path))
    }
}

impl List {
    /// Builds the rows anew and keeps the cursor on the entry `keep`, else near where it was.
    pub fn rebuild(&mut self, contents: &Contents, keep: Option<&RelPath>) {
        if self.sorted.len() != contents.entries.len() {
            self.sorted = self.sort(contents);
        }
        let is_match = self.matching(contents.entries.len());
        self.rows.clear();
        let mut head: Option<(usize, Group)> = None;
        for at in &self.sorted {
            let Some(entry) = contents.entries.get(*at) else { continue };
            if is_match.as_ref().is_some_and(|is_match| is_match.get(*at) != Some(&true))
                || (self.flagged_only && !is_flagged(entry))
                || (!self.leaving.is_empty() && self.leaving.contains(&entry.path))
            {
                continue;
            }
            if head.as_ref().is_none_or(|(_, group)| !entry.is_shown_in(group)) {
                head = Some((self.rows.len(), entry.shown_in()));
                self.rows.push(Row::Head(entry.shown_in(), 0));
            }
            self.rows.push(Row::Entry(*at));
            if let Some(Row::Head(_, count)) = head.as_ref().and_then(|(row, _)| self.rows.get_mut(*row)) {
                *count += 1;
            }
        }
        let kept = keep.and_then(|path| self.row_of(contents, path));
        self.cursor = kept.unwrap_or_else(|| self.near(self.cursor));
    }

    /// What is worth a look, in the order in which the list has it, whatever the filter hides.
    #[must_use]
    pub fn worth_a_look(&self, contents: &Contents) -> Vec<RelPath> {
        let sorted = if self.sorted.len() == contents.entries.len() {
            self.sorted.clone()
        } else {
            self.sort(contents)
        };
        let entries = sorted.into_iter().filter_map(|at| contents.entries.get(at));
        let worth = entries.filter(|entry| entry.is_worth_a_look && !self.leaving.contains(&entry.path));
        worth.map(|entry| entry.path.clone()).collect()
    }

    /// Orders by something else.
    pub fn set_order(&mut self, order: Order) {
        self.order = order;
        self.sorted.clear();
    }

    /// Forgets what is known of the contents: others come.
    pub fn forget(&mut self) {
        self.sorted.clear();
    }

    /// All entries in the order of the list; worked out once, not at every key of the filter.
    fn sort(&self, contents: &Contents) -> Vec<usize> {
        let entries = contents.entries.iter().enumerate();
        let mut all: Vec<(Group, &Entry, usize)> =
            entries.map(|(at, entry)| (entry.shown_in(), entry, at)).collect();
        all.sort_by(|(group, a, _), (other, b, _)| {
            let worst = |entry: &Entry| match group {
                Group::WorthALook => Reverse(entry.worst),
                _ => Reverse(None),
            };
            group.cmp(other).then_with(|| worst(a).cmp(&worst(b))).then_with(|| self.order.compare(a, b))
        });
        all.into_iter().map(|(_, _, at)| at).collect()
    }

    /// For each entry whether the filter lets it through; `None`: all.
    fn matching(&self, entries: usize) -> Option<Vec<bool>> {
        let matches = self.filter.matches.as_ref().filter(|_| self.filter.query.is_some())?;
        let mut is_match = vec![false; entries];
        for at in matches.iter() {
            if let Some(place) = is_match.get_mut(*at) {
                *place = true;
            }
        }
        Some(is_match)
    }

    /// The entry under the cursor.
    #[must_use]
    pub fn current(&self) -> Option<usize> {
        self.entry_at(self.cursor)
    }

    /// The entry in a row.
    #[must_use]
    pub fn entry_at(&self, row: usize) -> Option<usize> {
        match self.rows.get(row) {
            Some(Row::Entry(at)) => Some(*at),
            _ => None,
        }
    }

    /// The entries shown, from top to bottom.
    pub fn shown(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        self.rows.iter().filter_map(|row| match row {
            Row::Entry(at) => Some(*at),
            Row::Head(..) => None,
        })
    }

    /// The row that shows a file.
    #[must_use]
    pub fn row_of(&self, contents: &Contents, path: &RelPath) -> Option<usize> {
        let entry = Row::Entry(contents.find(path)?);
        self.rows.iter().position(|row| *row == entry)
    }

    /// Moves the cursor by entries; stops at the ends.
    pub fn step(&mut self, by: isize) {
        let mut at = self.cursor;
        for _ in 0..by.unsigned_abs() {
            let next = if by > 0 {
                (at + 1..self.rows.len()).find(|row| self.entry_at(*row).is_some())
            } else {
                (0..at).rev().find(|row| self.entry_at(*row).is_some())
            };
            match next {
                Some(row) => at = row,
                None => break,
            }
        }
        self.cursor = at;
    }

    /// Puts the cursor on a row, or on the nearest entry.
    pub fn go(&mut self, row: usize) {
        self.cursor = self.near(row);
    }

    /// The row of the entry nearest to a row: itself, else below, else above.
    fn near(&self, row: usize) -> usize {
        let row = row.min(self.rows.len().saturating_sub(1));
        let below = (row..self.rows.len()).find(|row| self.entry_at(*row).is_some());
        below.or_else(|| (0..row).rev().find(|row| self.entry_at(*row).is_some())).unwrap_or(0)
    }

    /// The first file from the cursor on that stays, else the last one before it.
    #[must_use]
    pub fn neighbour(&self, contents: &Contents, stays: impl Fn(&RelPath) -> bool) -> Option<RelPath> {
        let path_in = |row: usize| {
            let entry = contents.entries.get(self.entry_at(row)?)?;
            stays(&entry.path).then(|| entry.path.clone())
        };
        let below = (self.cursor..self.rows.len()).find_map(path_in);
        below.or_else(|| (0..self.cursor.min(self.rows.len())).rev().find_map(path_in))
    }

    /// The first row to draw so that the cursor, and the head just above it, are on the screen.
    #[must_use]
    pub fn top_for(&self, height: usize) -> usize {
        let head_above = self.cursor > 0 && self.entry_at(self.cursor - 1).is_none();
        let first = if head_above && height > 1 { self.cursor - 1 } else { self.cursor };
        let lowest = (self.cursor + 1).saturating_sub(height);
        let last_top = self.rows.len().saturating_sub(height);
        self.top.min(first).max(lowest).min(last_top.max(lowest))
    }

    /// The files in the range that is being marked.
    #[must_use]
    pub fn in_range(&self, contents: &Contents) -> BTreeSet<RelPath> {
        let Some(start) = self.range.as_ref().and_then(|path| self.row_of(contents, path)) else {
            return BTreeSet::new();
        };
        let rows = start.min(self.cursor)..=start.max(self.cursor);
        rows.filter_map(|row| memory_path(contents, self.entry_at(row)?)).collect()
    }

    /// Whether anything is marked.
    #[must_use]
    pub fn has_marks(&self, contents: &Contents) -> bool {
        !self.marks.is_empty() || !self.in_range(contents).is_empty()
    }

    /// Everything that is marked, a range that is being marked included.
    #[must_use]
    pub fn marked(&self, contents: &Contents) -> BTreeSet<RelPath> {
        let mut marked = self.in_range(contents);
        marked.extend(self.marks.iter().cloned());
        marked
    }
}

/// The path of an entry that is a memory.
#[must_use]
pub fn memory_path(contents: &Contents, at: usize) -> Option<RelPath> {
    contents.entries.get(at).filter(|entry| entry.is_memory()).map(|entry| entry.path.clone())
}

fn is_flagged(entry: &Entry) -> bool {
    !entry.flags.is_empty() || entry.is_worth_a_look
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::testing::contents;

    fn built() -> (Contents, List) {
        let contents = contents(&[("a.md", "aaa"), ("b.md", "b"), ("c.md", "cc")]);
        let mut list = List { order: Order::Name, ..List::default() };
        list.rebuild(&contents, None);
        (contents, list)
    }

    #[test]
    fn the_cursor_skips_heads_and_stops_at_the_ends() {
        let (_, mut list) = built();
        assert_eq!(list.rows.first(), Some(&Row::Head(Group::Type(Default::default()), 3)));
        assert_eq!(list.cursor, 1);
        list.step(-5);
        assert_eq!(list.cursor, 1);
        list.step(5);
        assert_eq!(list.cursor, 3);
        list.go(0);
        assert_eq!(list.cursor, 1);
    }

    #[test]
    fn the_cursor_stays_on_its_entry_or_near_it() {
        let (contents, mut list) = built();
        list.set_order(Order::Size);
        list.rebuild(&contents, RelPath::new("b.md").as_ref());
        assert_eq!(list.current().map(|at| contents.entries[at].name.as_str()), Some("b"));
        list.leaving.insert(RelPath::new("b.md").unwrap());
        list.rebuild(&contents, None);
        assert_eq!(list.current().map(|at| contents.entries[at].name.as_str()), Some("c"));
    }

    #[test]
    fn the_head_above_the_cursor_is_seen_too() {
        let (_, mut list) = built();
        list.go(3);
        assert_eq!(list.top_for(2), 2);
        list.top = 2;
        list.go(1);
        assert_eq!(list.top_for(2), 0);
        assert_eq!(list.top_for(1), 1);
        assert_eq!(list.top_for(100), 0);
    }
}

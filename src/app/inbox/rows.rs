//! The list of the Inbox: groups, order, filter, cursor.

use super::{Act, Item, Key, Standing, Waits, What};
use crate::app::contents::Contents;
use crate::review::gate::{Gate, Mark};
use crate::review::hunks::Hunk;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// What the Inbox screen shows and knows.
#[derive(Debug, Clone, Default)]
pub struct Desk {
    /// The number of the latest question; answers to earlier ones are dropped.
    pub asked: u64,
    /// What waits; `None` until a worker has looked.
    pub waits: Option<Arc<Waits>>,
    /// What the gate says of each proposal, by id.
    pub gates: HashMap<String, Arc<Gate>>,
    /// The gate has looked at every proposal, with all the evidence there is.
    pub is_gated: bool,
    /// How many proposals have their final answer.
    pub gated: usize,
    /// The rejected ones are shown, and nothing else.
    pub rejected: bool,
    /// Grouped by origin instead of by what they are.
    pub by_origin: bool,
    /// What is typed to filter them.
    pub filter: String,
    /// What is shown, from top to bottom.
    pub rows: Vec<Row>,
    /// The row under the cursor; on an item whenever there is one.
    pub cursor: usize,
    /// The first row on the screen.
    pub top: usize,
    /// Keys go to what is said about the item.
    pub in_detail: bool,
    /// The first line shown of it.
    pub scroll: usize,
    /// The parts of the item are being chosen.
    pub split: Option<Split>,
    /// What was decided on and is on its way.
    pub leaving: BTreeSet<Key>,
    /// What takes back what was done last and is no step of the history.
    pub backs: Vec<Act>,
    is_fresh: bool,
    built: (bool, bool, String, usize),
}

/// A change whose parts are being chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// Which.
    pub key: Key,
    /// Its parts.
    pub hunks: Vec<Hunk>,
    /// Which of them are taken.
    pub taken: Vec<bool>,
    /// The part under the cursor.
    pub at: usize,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    /// The head of a group and how many are in it; safe to show.
    Head(String, usize),
    /// An item: its place in [`Waits::items`], or in [`Waits::rejected`] when those are shown.
    Item(usize),
}

impl Desk {
    /// Takes what a worker read.
    pub fn take(&mut self, waits: Arc<Waits>, still_leaving: BTreeSet<Key>, contents: &Contents) {
        let keep = self.current().map(|item| item.key.clone());
        let ids: BTreeSet<&str> = waits.items.iter().filter_map(|item| id(&item.key)).collect();
        self.gates.retain(|id, _| ids.contains(id.as_str()));
        self.leaving = still_leaving;
        self.waits = Some(waits);
        self.rebuild_keeping(keep, contents);
    }

    /// Takes what the gate says. Items stand safest first, so that they may move; the cursor stays on its item.
    pub fn gate(&mut self, gates: Vec<(String, Arc<Gate>)>, contents: &Contents) {
        self.gates.extend(gates);
        let keep = self.current().map(|item| item.key.clone());
        let row = self.cursor.saturating_sub(self.top);
        self.rebuild_keeping(keep, contents);
        self.top = self.cursor.saturating_sub(row);
    }

    /// Builds the rows anew where something changed that they depend on.
    pub fn follow(&mut self, contents: &Contents) {
        let now = (self.rejected, self.by_origin, self.filter.clone(), self.leaving.len());
        if self.is_fresh && self.built == now {
            return;
        }
        let typed = self.built.2 != now.2 || self.built.0 != now.0;
        let keep = self.current().map(|item| item.key.clone()).filter(|key| !self.leaving.contains(key));
        let at = self.cursor;
        self.rebuild_keeping(keep, contents);
        if typed && self.item(at).is_none() {
            self.go(0);
        }
    }

    fn rebuild_keeping(&mut self, keep: Option<Key>, contents: &Contents) {
        let was = self.cursor;
        self.build(contents);
        self.built = (self.rejected, self.by_origin, self.filter.clone(), self.leaving.len());
        self.is_fresh = true;
        let kept = keep.and_then(|keep| {
            (0..self.rows.len()).find(|row| self.item(*row).is_some_and(|item| item.key == keep))
        });
        self.cursor = kept.unwrap_or_else(|| self.near(was));
        if kept.is_none() {
            self.scroll = 0;
        }
        self.in_detail &= self.current().is_some();
        let splits = self.split.as_ref().map(|split| split.key.clone());
        if splits.is_some_and(|key| self.current().is_none_or(|item| item.key != key)) {
            self.split = None;
        }
    }

    /// The item under the cursor.
    #[must_use]
    pub fn current(&self) -> Option<&Item> {
        self.item(self.cursor)
    }

    /// The item in a row.
    #[must_use]
    pub fn item(&self, row: usize) -> Option<&Item> {
        match self.rows.get(row) {
            Some(Row::Item(at)) => self.list().get(*at),
            _ => None,
        }
    }

    /// What the gate says of an item.
    #[must_use]
    pub fn gate_of(&self, item: &Item) -> Option<&Arc<Gate>> {
        self.gates.get(id(&item.key)?)
    }

    /// Every item that shows, from top to bottom.
    pub fn shown(&self) -> impl Iterator<Item = &Item> {
        (0..self.rows.len()).filter_map(|row| self.item(row))
    }

    /// How many wait: proposals and changes, what was decided on left out.
    #[must_use]
    pub fn count(&self) -> usize {
        let items = self.waits.iter().flat_map(|waits| &waits.items);
        items.filter(|item| !self.leaving.contains(&item.key)).count()
    }

    /// The number of the item under the cursor among those shown, from 1.
    #[must_use]
    pub fn position(&self) -> usize {
        self.rows.iter().take(self.cursor + 1).filter(|row| matches!(row, Row::Item(_))).count()
    }

    /// Moves the cursor to a row, or to the nearest item on the way there.
    pub fn go(&mut self, row: usize) {
        let row = row.min(self.rows.len().saturating_sub(1));
        let up = row < self.cursor;
        let above = (0..=row).rev().find(|row| self.item(*row).is_some());
        let below = (row..self.rows.len()).find(|row| self.item(*row).is_some());
        let to = if up { above.or(below) } else { below.or(above) };
        if let Some(to) = to
            && to != self.cursor
        {
            self.cursor = to;
            self.scroll = 0;
        }
    }

    /// So many items down, or up.
    pub fn step(&mut self, by: isize) {
        for _ in 0..by.unsigned_abs() {
            let at = self.cursor;
            let next = (at + 1..self.rows.len()).find(|row| self.item(*row).is_some());
            let before = (0..at).rev().find(|row| self.item(*row).is_some());
            if let Some(row) = if by > 0 { next } else { before } {
                self.go(row);
            }
        }
    }

    /// The first row to draw so that the cursor, and the head just above it, are on the screen.
    #[must_use]
    pub fn top_for(&self, height: usize) -> usize {
        let head_above = self.cursor > 0 && self.item(self.cursor - 1).is_none();
        let first = if head_above && height > 1 { self.cursor - 1 } else { self.cursor };
        let lowest = (self.cursor + 1).saturating_sub(height);
        let last_top = self.rows.len().saturating_sub(height);
        self.top.min(first).max(lowest).min(last_top.max(lowest))
    }

    fn near(&self, row: usize) -> usize {
        let row = row.min(self.rows.len().saturating_sub(1));
        let below = (row..self.rows.len()).find(|row| self.item(*row).is_some());
        below.or_else(|| (0..row).rev().find(|row| self.item(*row).is_some())).unwrap_or(0)
    }

    fn list(&self) -> &[Item] {
        match &self.waits {
            Some(waits) if self.rejected => &waits.rejected,
            Some(waits) => &waits.items,
            None => &[],
        }
    }

    fn build(&mut self, contents: &Contents) {
        self.rows.clear();
        let Some(waits) = self.waits.clone() else { return };
        let list = if self.rejected { &waits.rejected } else { &waits.items };
        let words: Vec<String> = self.filter.split_whitespace().map(str::to_lowercase).collect();
        let mark = |item: &Item| item.verdict(&waits, self.gate_of(item).map(|gate| &**gate), contents);
        let matches = |item: &Item| {
            words.is_empty() || {
                let (word, says, _) = mark(item);
                let path = item.path(&waits).map(ToString::to_string).unwrap_or_default();
                let text = format!("{} {path} {} {} {word} {says}", item.title, item.kind, item.origin)
                    .to_lowercase();
                words.iter().all(|word| text.contains(word.as_str()))
            }
        };
        let shown =
            list.iter().enumerate().filter(|(_, item)| !self.leaving.contains(&item.key) && matches(item));
        let mut shown: Vec<(usize, Place)> =
            shown.map(|(at, item)| (at, Place::of(item, &mark(item).2))).collect();
        // Rejected ones stand as they were read, the latest first; so do changes of one safety.
        match (self.rejected, self.by_origin) {
            (true, _) => {}
            (false, false) => shown.sort_by_key(|(_, place)| *place),
            (false, true) => shown.sort_by(|a, b| {
                let origin = |at: usize| list.get(at).map(|item| &item.origin);
                origin(a.0).cmp(&origin(b.0)).then(a.1.cmp(&b.1))
            }),
        }
        let mut head: Option<(usize, String)> = None;
        let mut rows: Vec<Row> = Vec::with_capacity(shown.len() + 4);
        for (at, _) in shown {
            let Some(item) = list.get(at) else { continue };
            let title = match (self.rejected, self.by_origin, &item.what) {
                (true, ..) => "rejected".to_owned(),
                (_, true, _) if item.origin.is_empty() => "origin not known".to_owned(),
                (_, true, _) => item.origin.clone(),
                (_, _, What::Change(_)) => "changes".to_owned(),
                _ => "proposals".to_owned(),
            };
            if head.as_ref().is_none_or(|(_, of)| *of != title) {
                head = Some((rows.len(), title.clone()));
                rows.push(Row::Head(title, 0));
            }
            rows.push(Row::Item(at));
            if let Some(Row::Head(_, count)) = head.as_ref().and_then(|(row, _)| rows.get_mut(*row)) {
                *count += 1;
            }
        }
        self.rows = rows;
    }
}

/// Where an item stands: proposals first, the safest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    is_change: bool,
    is_odd: u8,
    mark: Mark,
}

impl Place {
    fn of(item: &Item, mark: &Mark) -> Self {
        let is_odd = match item.standing {
            Standing::Ready | Standing::Merged(_) | Standing::Done | Standing::Rejected(_) => 0,
            Standing::Stale(_) => 1,
            Standing::Faulty(_) => 2,
        };
        Self { is_change: matches!(item.what, What::Change(_)), is_odd, mark: *mark }
    }
}

fn id(key: &Key) -> Option<&str> {
    match key {
        Key::Proposal(id) | Key::Rejected(id) => Some(id),
        Key::Change(_) => None,
    }
}

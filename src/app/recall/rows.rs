//! The list of the Recall screen: the pick, what matched and was not picked, and, folded, the rest.

use super::{Finder, View};
use crate::memory::path::RelPath;
use crate::prompt::recall::{Fate, Verdict};

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    /// The head of a group and how many are in it.
    Head(Group, usize),
    /// A memory: its place in the answer's verdicts.
    Verdict(usize),
    /// A query that was asked before: its place in [`Finder::earlier`].
    Query(usize),
}

/// The groups, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Picked offline and by the model.
    Both,
    /// Picked by the model alone.
    ModelAlone,
    /// Picked offline, and not by the model that was asked.
    OfflineAlone,
    /// Picked offline; no model was asked.
    Picked,
    /// Matched, and not picked.
    Matched,
    /// Left out whatever the query.
    LeftOut,
    /// Nothing of the query is in their headers.
    NoMatch,
    /// Queries that were asked before.
    Queries,
}

impl Group {
    /// Its heading.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Both => "picked offline and by the model",
            Self::ModelAlone => "picked by the model alone",
            Self::OfflineAlone => "picked offline alone",
            Self::Picked => "would be picked",
            Self::Matched => "matched, not picked",
            Self::LeftOut => "left out by filters",
            Self::NoMatch => "no match",
            Self::Queries => "ask one of these",
        }
    }

    /// Whether it shows only on demand.
    #[must_use]
    pub const fn is_folded(self) -> bool {
        matches!(self, Self::LeftOut | Self::NoMatch)
    }
}

impl Finder {
    /// Builds the rows anew; the cursor goes to the memory that is named, else stays near where it was.
    pub fn rebuild(&mut self, keep: Option<&RelPath>) {
        self.rows.clear();
        match self.found.as_ref().filter(|_| self.has_query()) {
            Some(found) => {
                let mut grouped: Vec<(Group, usize)> = found
                    .recall
                    .verdicts
                    .iter()
                    .enumerate()
                    .map(|(at, verdict)| (self.group(verdict), at))
                    .collect();
                // Within a group they stay in the order of their scores.
                grouped.sort_by_key(|(group, _)| *group);
                for part in grouped.chunk_by(|(one, _), (other, _)| one == other) {
                    let Some((group, _)) = part.first() else { continue };
                    self.rows.push(Row::Head(*group, part.len()));
                    if !group.is_folded() || self.is_unfolded {
                        self.rows.extend(part.iter().map(|(_, at)| Row::Verdict(*at)));
                    }
                }
            }
            None if !self.has_query() && !self.earlier.is_empty() => {
                self.rows.push(Row::Head(Group::Queries, self.earlier.len()));
                self.rows.extend((0..self.earlier.len()).rev().map(Row::Query));
            }
            None => {}
        }
        let kept = keep.and_then(|keep| {
            (0..self.rows.len()).find(|row| self.verdict(*row).is_some_and(|it| it.path == *keep))
        });
        let was = self.cursor;
        self.cursor = kept.unwrap_or_else(|| self.near(was));
        if kept.is_none() && self.view == View::Why {
            self.scroll = 0;
        }
        // Texts can be read whatever is under the cursor.
        self.in_detail &= self.current().is_some() || self.view != View::Why;
    }

    fn group(&self, verdict: &Verdict) -> Group {
        let offline = verdict.fate == Fate::Picked;
        match (self.by_model(&verdict.path), offline) {
            (Some(Some(_)), true) => return Group::Both,
            (Some(Some(_)), false) => return Group::ModelAlone,
            (Some(None), true) => return Group::OfflineAlone,
            _ => {}
        }
        match &verdict.fate {
            Fate::Picked => Group::Picked,
            Fate::TooLittle | Fate::FarBehind | Fate::NoRoom | Fate::NotChosen => Group::Matched,
            Fate::Shown | Fate::ToolInUse(_) | Fate::Unreadable(_) => Group::LeftOut,
            Fate::NoMatch => Group::NoMatch,
        }
    }

    /// Moves the cursor to a row, or to the nearest one on the way there that is no head.
    pub fn go(&mut self, row: usize) {
        let row = row.min(self.rows.len().saturating_sub(1));
        let up = row < self.cursor;
        let above = (0..=row).rev().find(|row| self.is_stop(*row));
        let below = (row..self.rows.len()).find(|row| self.is_stop(*row));
        if let Some(to) = if up { above.or(below) } else { below.or(above) } {
            self.moved_to(to);
        }
    }

    /// Moves the cursor by so many rows that are no heads.
    pub fn step(&mut self, by: isize) {
        for _ in 0..by.unsigned_abs() {
            let next = (self.cursor + 1..self.rows.len()).find(|row| self.is_stop(*row));
            let before = (0..self.cursor).rev().find(|row| self.is_stop(*row));
            if let Some(to) = if by > 0 { next } else { before } {
                self.moved_to(to);
            }
        }
    }

    fn moved_to(&mut self, row: usize) {
        if row != self.cursor && self.view == View::Why {
            self.scroll = 0;
        }
        self.cursor = row;
    }

    /// The first row to draw so that the cursor, and the head just above it, are on the screen.
    #[must_use]
    pub fn top_for(&self, height: usize) -> usize {
        let head_above = self.cursor > 0 && !self.is_stop(self.cursor - 1);
        let first = if head_above && height > 1 { self.cursor - 1 } else { self.cursor };
        let lowest = (self.cursor + 1).saturating_sub(height);
        let last_top = self.rows.len().saturating_sub(height);
        self.top.min(first).max(lowest).min(last_top.max(lowest))
    }

    /// The query in a row.
    #[must_use]
    pub fn query_in(&self, row: usize) -> Option<&String> {
        match self.rows.get(row) {
            Some(Row::Query(at)) => self.earlier.get(*at),
            _ => None,
        }
    }

    /// The number of the row under the cursor among those that are no heads, from 1, and how many they are.
    #[must_use]
    pub fn position(&self) -> (usize, usize) {
        let stops =
            |upto: usize| self.rows.iter().take(upto).filter(|row| !matches!(row, Row::Head(..))).count();
        (stops(self.cursor + 1), stops(self.rows.len()))
    }

    fn is_stop(&self, row: usize) -> bool {
        matches!(self.rows.get(row), Some(Row::Verdict(_) | Row::Query(_)))
    }

    fn near(&self, row: usize) -> usize {
        let row = row.min(self.rows.len().saturating_sub(1));
        let below = (row..self.rows.len()).find(|row| self.is_stop(*row));
        below.or_else(|| (0..row).rev().find(|row| self.is_stop(*row))).unwrap_or(0)
    }
}

/// A place in words: `1st`, `2nd`, `23rd`.
#[must_use]
pub fn place(number: usize) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

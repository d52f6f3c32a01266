//! The Recall screen: what is asked, which memories would be picked for it, and why. A worker ranks; a model is asked only
//! when the person says so.

mod model;
mod rows;
mod terms;
#[cfg(test)]
mod tests;
mod trial;

pub use model::{ByModel, ModelAsked, Picking};
pub use rows::{Group, Row, place};
pub use terms::{Terms, lacking};
pub use trial::{Bench, Standing, Tried, TryAsked, suggested_queries};

use crate::app::contents::Contents;
use crate::memory::path::RelPath;
use crate::prompt::recall::{Candidate, Options, Recall, Verdict};
use std::sync::Arc;

/// So many queries are kept to be asked again.
const MOST_KEPT: usize = 50;

/// What the Recall screen shows and knows.
#[derive(Debug, Clone, Default)]
pub struct Finder {
    /// What is asked; blank: nothing yet.
    pub query: String,
    /// What was asked before, the latest last.
    pub earlier: Vec<String>,
    /// What a pick is limited by.
    pub options: Options,
    /// The number of the latest question; answers to earlier ones are dropped.
    pub asked: u64,
    /// The number of the question that was answered last.
    pub got: u64,
    /// The last answer.
    pub found: Option<Arc<Found>>,
    /// What a model says to it.
    pub model: ByModel,
    /// What matches nothing or is left out shows too.
    pub is_unfolded: bool,
    /// What is shown, from top to bottom.
    pub rows: Vec<Row>,
    /// The row under the cursor; never a head when there is anything else.
    pub cursor: usize,
    /// The first row on the screen.
    pub top: usize,
    /// What stands beside the list.
    pub view: View,
    /// Keys go to what stands beside the list.
    pub in_detail: bool,
    /// The first line shown of it.
    pub scroll: usize,
}

/// What stands beside the list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum View {
    /// Why the memory under the cursor was picked or not.
    #[default]
    Why,
    /// The selector's prompt.
    Prompt,
    /// What would be brought into the conversation.
    Injected,
}

/// What the worker is asked.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Its number; a later one makes it void.
    pub number: u64,
    /// The store.
    pub contents: Arc<Contents>,
    /// What is asked.
    pub query: String,
    /// What a pick is limited by.
    pub options: Options,
    /// What is wanted besides the ranking.
    pub view: View,
    /// What a model picked: this would be brought in instead of the offline pick.
    pub chosen: Option<Vec<RelPath>>,
}

/// What the worker found.
#[derive(Debug, Clone)]
pub struct Found {
    /// Every candidate with what became of it; the offline pick.
    pub recall: Recall,
    /// The candidates, as a selector sees them.
    pub candidates: Arc<Vec<Candidate>>,
    /// What the pick was limited by.
    pub options: Options,
    /// The text that was asked for besides.
    pub text: Option<Text>,
}

/// The selector's prompt, or what would be brought in.
#[derive(Debug, Clone)]
pub struct Text {
    /// Which of them.
    pub view: View,
    /// What is said before it, safe to show.
    pub head: String,
    /// The text as it is, to be copied.
    pub raw: String,
    /// Its lines, safe to show, secrets masked.
    pub lines: Vec<TextLine>,
}

/// A line of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextLine {
    /// Which memory comes next.
    Head(String),
    /// A line of the text.
    Said(String),
}

impl View {
    /// All of them, in the order in which a key goes through them.
    pub const ALL: [Self; 3] = [Self::Why, Self::Prompt, Self::Injected];

    /// The next one.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Why => Self::Prompt,
            Self::Prompt => Self::Injected,
            Self::Injected => Self::Why,
        }
    }

    /// What it is called.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Why => "why",
            Self::Prompt => "selector's prompt",
            Self::Injected => "what is brought in",
        }
    }
}

impl Finder {
    /// A screen that offers these queries to begin with.
    #[must_use]
    pub fn offering(queries: &[String]) -> Self {
        let mut finder = Self { earlier: queries.to_vec(), ..Self::default() };
        finder.rebuild(None);
        finder
    }

    /// Whether anything is asked.
    #[must_use]
    pub fn has_query(&self) -> bool {
        !self.query.trim().is_empty()
    }

    /// A worker still owes the answer.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.got != self.asked
    }

    /// Keeps the query among those asked before.
    pub fn keep(&mut self) {
        let query = self.query.trim().to_owned();
        if query.is_empty() {
            return;
        }
        self.earlier.retain(|other| *other != query);
        self.earlier.push(query);
        let surplus = self.earlier.len().saturating_sub(MOST_KEPT);
        self.earlier.drain(..surplus);
    }

    /// Takes what a worker found. The cursor stays on its memory when the query is the same, else the best comes under it.
    pub fn take(&mut self, number: u64, found: Arc<Found>) {
        let is_same = self.found.as_ref().is_some_and(|old| old.recall.query == found.recall.query);
        let keep = self.current().map(|verdict| verdict.path.clone()).filter(|_| is_same);
        self.got = number;
        self.found = Some(found);
        if !is_same {
            (self.cursor, self.top, self.scroll) = (0, 0, 0);
        }
        self.rebuild(keep.as_ref());
    }

    /// Forgets the answer: nothing is asked.
    pub fn forget(&mut self) {
        self.got = self.asked;
        self.found = None;
        self.model = ByModel::NotAsked;
        (self.cursor, self.top, self.scroll, self.in_detail) = (0, 0, 0, false);
        self.rebuild(None);
    }

    /// The memory under the cursor, with what became of it.
    #[must_use]
    pub fn current(&self) -> Option<&Verdict> {
        self.verdict(self.cursor)
    }

    /// The memory in a row.
    #[must_use]
    pub fn verdict(&self, row: usize) -> Option<&Verdict> {
        match self.rows.get(row) {
            Some(Row::Verdict(at)) => self.found.as_ref()?.recall.verdicts.get(*at),
            _ => None,
        }
    }

    /// The header of a memory, as a selector sees it.
    #[must_use]
    pub fn candidate(&self, verdict: &Verdict) -> Option<&Candidate> {
        self.found.as_ref()?.candidates.get(verdict.candidate)
    }

    /// How many are picked offline.
    #[must_use]
    pub fn picked(&self) -> usize {
        self.found.as_ref().map_or(0, |found| found.recall.picked().count())
    }
}

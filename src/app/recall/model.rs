//! What a model that the person configured says to a query, beside the offline pick.

use super::Finder;
use crate::memory::Time;
use crate::memory::path::RelPath;
use crate::prompt::recall::answer::Answer;
use crate::prompt::recall::{Candidate, Options};
use std::sync::Arc;

/// What a model says to the query.
#[derive(Debug, Clone, Default)]
pub enum ByModel {
    /// It was not asked about this.
    #[default]
    NotAsked,
    /// It works on it.
    Asking {
        /// What it was asked.
        asked: Box<ModelAsked>,
        /// Since when.
        since: Time,
    },
    /// It has answered.
    Answered {
        /// Which query.
        query: String,
        /// What the pick was limited by.
        options: Options,
        /// What of its answer is taken, and what was refused.
        answer: Answer,
    },
}

/// What a model is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelAsked {
    /// Its number; a later one, or calling it off, makes it void.
    pub number: u64,
    /// What is asked.
    pub query: String,
    /// The candidates.
    pub candidates: Arc<Vec<Candidate>>,
    /// What a pick is limited by.
    pub options: Options,
}

/// How a model is asked: what the person configured.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Picking {
    /// No command is configured: why, or how it is done.
    #[default]
    No,
    /// This command; it was allowed before.
    Allowed(String),
    /// This command; the person has not allowed it yet.
    Ask(String),
}

impl Finder {
    /// Where the model picked a memory, from 1 (`Some(None)`: it did not), when it was asked about this query.
    #[must_use]
    pub fn by_model(&self, path: &RelPath) -> Option<Option<usize>> {
        let answer = self.answer()?;
        Some(answer.files.iter().position(|file| file == path).map(|at| at + 1))
    }

    /// The model's answer to this query, under these options.
    #[must_use]
    pub fn answer(&self) -> Option<&Answer> {
        match &self.model {
            ByModel::Answered { query, options, answer }
                if *query == self.query && *options == self.options =>
            {
                Some(answer)
            }
            _ => None,
        }
    }
}

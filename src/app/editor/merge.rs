//! Choosing from two versions of a memory, conflict by conflict.

use crate::review::conflict::{Choice, Piece, chosen, pieces};
use std::sync::Arc;

/// Two versions put together, and what was chosen so far.
#[derive(Debug, Clone)]
pub struct Merge {
    /// The stretches of both.
    pub pieces: Vec<Piece>,
    /// For each conflict what is chosen; `None`: not yet.
    pub choices: Vec<Option<Choice>>,
    /// The conflict that keys act on.
    pub at: usize,
    /// The file as someone else wrote it.
    pub theirs: Arc<[u8]>,
}

impl Merge {
    /// Puts what was edited here and what someone else wrote together.
    #[must_use]
    pub fn new(base: &[u8], mine: &[u8], theirs: Arc<[u8]>) -> Self {
        let pieces = pieces(base, mine, &theirs);
        let conflicts = pieces.iter().filter(|piece| matches!(piece, Piece::Conflict { .. })).count();
        Self { pieces, choices: vec![None; conflicts], at: 0, theirs }
    }

    /// Goes to another conflict.
    pub fn step(&mut self, by: isize) {
        self.at = self.at.saturating_add_signed(by).min(self.choices.len().saturating_sub(1));
    }

    /// Chooses for the conflict at hand, and goes to the next one that is open.
    pub fn choose(&mut self, choice: Choice) {
        if let Some(place) = self.choices.get_mut(self.at) {
            *place = Some(choice);
        }
        let open = |at: &usize| self.choices.get(*at).is_some_and(Option::is_none);
        let next = (self.at..self.choices.len()).chain(0..self.at).find(open);
        self.at = next.unwrap_or(self.at);
    }

    /// Chooses for all conflicts.
    pub fn choose_all(&mut self, choice: Choice) {
        self.choices.fill(Some(choice));
    }

    /// How many conflicts are still open.
    #[must_use]
    pub fn open(&self) -> usize {
        self.choices.iter().filter(|choice| choice.is_none()).count()
    }

    /// The file that the choices make; `None` while some are open.
    #[must_use]
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let choices: Option<Vec<Choice>> = self.choices.iter().copied().collect();
        Some(chosen(&self.pieces, &choices?))
    }
}

//! Whether a query about what a memory says finds it by its description, among the descriptions of the store.

use crate::check::Severity;
use crate::check::likeness::sentences;
use crate::memory::document::MemoryType;
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Snapshot};
use crate::memory::terms::{Bag, Kind, Term, is_one_language};
use crate::prompt::recall::{Candidate, MOST, Ranker};

/// What finds a memory, or does not.
#[derive(Debug, Default)]
pub(super) struct Miss {
    /// The memory's own words that its description lacks.
    pub(super) lacks: Vec<String>,
    /// The memories that are found in its place, by their number in the store.
    pub(super) instead: Vec<usize>,
}

/// A description that shares so many telling words with its memory is found by them.
const SHARED: usize = 3;
/// One with more telling words says something, if in other words than the memory; whether it is the right thing no count
/// can tell.
const FEW: usize = 2;
/// A memory that says less is read whole at a glance.
const LEAST: usize = 4;
/// How many sentences are tried as queries.
const SENTENCES: usize = 8;
/// How many words and memories are shown.
const SHOWN: usize = 5;
/// How many memories found in its place are shown.
const INSTEAD: usize = 2;

/// The descriptions of a store, ready to be found.
pub(super) struct Descriptions {
    ranker: Ranker,
}

impl Descriptions {
    /// Those of this store; names and types are left aside.
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        // A file's name that holds no word.
        let Some(nameless) = RelPath::new("_") else { return Self { ranker: Ranker::of(&[]) } };
        let candidates = snapshot.memories.iter().map(|memory| Candidate {
            path: nameless.clone(),
            name: None,
            description: memory.document.header.description.clone(),
            kind: MemoryType::Missing,
            age: None,
            unreadable: None,
        });
        Self { ranker: Ranker::of(&candidates.collect::<Vec<_>>()) }
    }

    /// What is found instead of a memory that no query about it finds; `None`: one does, or it can't be told.
    pub(super) fn miss(&self, at: usize, memory: &Memory, description: &str) -> Option<(Severity, Miss)> {
        let body = memory.body();
        let said = Bag::of(description);
        let telling: Vec<&Term> = said.terms.iter().filter(|term| tells(term)).collect();
        let lower = body.to_lowercase();
        let verbatim = telling.iter().filter(|term| lower.contains(&term.shown.to_lowercase())).count();
        if verbatim >= SHARED {
            return None;
        }
        let own = Bag::of(&body);
        let shared: Vec<&&Term> =
            telling.iter().filter(|term| own.terms.iter().any(|own| own.key == term.key)).collect();
        let is_short = own.terms.iter().filter(|term| tells(term)).count() < LEAST;
        if shared.len() >= SHARED || is_short || !is_one_language(description, &body) {
            return None;
        }
        let is_lost = shared.is_empty() && verbatim == 0;
        if telling.len() > if is_lost { FEW } else { SHARED }
            || (!is_lost && self.is_found(at, &body, &shared))
        {
            return None;
        }
        let severity = if is_lost { Severity::Warning } else { Severity::Info };
        Some((severity, self.around(at, &own)))
    }

    /// What is found instead of a memory whose description tells nothing.
    pub(super) fn instead(&self, at: usize, memory: &Memory) -> Miss {
        self.around(at, &Bag::of(&memory.body()))
    }

    /// Whether a sentence of the memory finds it.
    fn is_found(&self, at: usize, body: &str, shared: &[&&Term]) -> bool {
        let has = |sentence: &&str| {
            let bag = Bag::of(sentence);
            bag.terms.iter().any(|term| shared.iter().any(|shared| shared.key == term.key))
        };
        let sentences = sentences(body);
        let texts = sentences.iter().filter_map(|sentence| body.get(sentence.range.clone()));
        texts
            .filter(has)
            .take(SENTENCES)
            .any(|sentence| self.ranker.nearest(sentence, MOST).iter().any(|(found, _)| *found == at))
    }

    fn around(&self, at: usize, own: &Bag) -> Miss {
        let mut terms: Vec<&Term> =
            own.terms.iter().filter(|term| tells(term) && !could_be_secret(&term.shown)).collect();
        // Names from code first; else as they come: what a memory is about stands at its start.
        terms.sort_by_key(|term| term.kind != Kind::Name);
        let lacks: Vec<String> = terms.iter().take(SHOWN).map(|term| term.shown.to_string()).collect();
        let nearest = self.ranker.nearest(&lacks.join(" "), INSTEAD + 1);
        let instead = nearest.into_iter().map(|(other, _)| other).filter(|other| *other != at);
        Miss { instead: instead.take(INSTEAD).collect(), lacks }
    }
}

/// Whether a term says what a text is about.
fn tells(term: &Term) -> bool {
    matches!(term.kind, Kind::Word | Kind::Pair | Kind::Name) && term.shown.contains(char::is_alphanumeric)
}

/// Whether a word could be a part of a secret, which is nothing to show.
fn could_be_secret(word: &str) -> bool {
    word.len() >= 10
        && word.contains(|c: char| c.is_ascii_digit())
        && word.contains(|c: char| c.is_alphabetic())
}

//! How alike texts are: stems, synonyms, names and numbers, weighed by how rare they are among the texts compared.
//!
//! Shared words alone do not make two memories the same: another path, another number, a denial or another subject in
//! the same sentence makes them different (`compare::Difference`). Candidates come from an inverted index, so that ten
//! thousand memories are compared with what shares their rarest words, not with each other.

mod compare;
mod index;
pub(super) mod markers;
mod sentences;
mod store;

#[cfg(test)]
mod tests;

pub use super::secrets;
use crate::memory::snapshot::Snapshot;
pub use crate::memory::terms::{Bag, Vocabulary};
use compare::Likeness;
pub use index::Index;
pub use sentences::{Form, Sentence, sentences};
use std::borrow::Cow;
use std::ops::Range;
pub use store::{Pair, Told};

/// A memory that is near a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Near {
    /// Which one of the snapshot.
    pub memory: usize,
    /// How alike, from 0 to 1; from [`ALIKE`] on it is likely the same fact.
    pub score: f32,
    /// What both say, safe to show (`both: refund, approval, 500`).
    pub why: String,
}

/// From this likeness on two memories likely hold the same fact (fitted on `tests/fixtures/likeness`).
pub const ALIKE: f32 = 0.62;

/// The memories of a store that are nearest to a text (a whole memory with frontmatter, or a sentence), nearest first,
/// at most `most`. Those that share words but differ in a name, a number, a denial or the subject have half their
/// score. It reads the whole store: for several texts, keep a [`Told`].
#[must_use]
pub fn nearest(text: &str, snapshot: &Snapshot, most: usize) -> Vec<Near> {
    Told::of(snapshot).nearest(text, most)
}

/// The claim of a memory: its body before Why and How to apply, as a range of the body's text.
#[must_use]
pub fn claim(body: &str) -> Range<usize> {
    store::claim_of(body)
}

/// What two texts both say, safe to show: a word that could be a part of a secret is cut.
fn both(likeness: &Likeness) -> String {
    let could_be_secret = |word: &str| {
        word.len() >= 10
            && word.contains(|c: char| c.is_ascii_digit())
            && word.contains(|c: char| c.is_alphabetic())
    };
    let words = likeness.shared.iter().map(|word| {
        if could_be_secret(word) { Cow::Owned(secrets::shown(word)) } else { Cow::Borrowed(word.as_str()) }
    });
    format!("both: {}", crate::memory::text::one_line(&words.collect::<Vec<_>>().join(", ")))
}

//! Which words of a header answer which terms of a query, and which terms nothing answers.

use crate::memory::terms::{Bag, Kind};
use crate::prompt::recall::{Verdict, is_talk};
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// The terms of a query, to be found in other texts.
#[derive(Debug, Clone)]
pub struct Terms(Bag);

impl Terms {
    /// The terms of a query.
    #[must_use]
    pub fn of(query: &str) -> Self {
        Self(Bag::of(query))
    }

    /// Where in a text words stand that the query asks for, as they stand or with the same meaning: in order, not
    /// overlapping.
    #[must_use]
    pub fn hits(&self, text: &str) -> Vec<Range<usize>> {
        // A term is told once, as it stands first; of names and CJK that is all there is.
        let whole = Bag::of(text);
        let asked = whole.terms.iter().filter(|term| self.0.find(&term.key).is_some());
        let named = asked.flat_map(|term| {
            let found = text.match_indices(&*term.shown);
            found.map(|(at, found)| at..at + found.len()).filter(|range| is_whole(text, range))
        });
        let words = text.unicode_word_indices().filter(|(_, word)| {
            let bag = Bag::of(word);
            bag.terms.iter().any(|term| self.0.find(&term.key).is_some())
        });
        let words = words.map(|(at, word)| at..at + word.len());
        let mut hits: Vec<Range<usize>> = Vec::new();
        for range in named.chain(words) {
            if !hits.iter().any(|hit| hit.start < range.end && range.start < hit.end) {
                hits.push(range);
            }
        }
        hits.sort_by_key(|hit| hit.start);
        hits
    }
}

/// Whether a range is no part of a longer word: `test` is not found in `fastest`. CJK has no blanks between words.
fn is_whole(text: &str, range: &Range<usize>) -> bool {
    let before = text.get(..range.start).and_then(|text| text.chars().next_back());
    let after = text.get(range.end..).and_then(|text| text.chars().next());
    ![before, after].into_iter().flatten().any(|one| one.is_ascii_alphanumeric())
}

/// The terms of a query that a header does not answer, as they stand in the query; what any request may have is no lack.
#[must_use]
pub fn lacking(query: &str, verdict: &Verdict) -> Vec<String> {
    let bag = Bag::of(query);
    let terms = bag.terms.iter().filter(|term| term.kind != Kind::Weak && !is_talk(&term.shown));
    let terms = terms.map(|term| term.shown.to_string());
    terms.filter(|term| !verdict.matches.iter().any(|found| found.term == *term)).collect()
}

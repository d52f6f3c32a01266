//! Searching the text of a preview.

use crate::app::preview::page::Page;
use regex::{Regex, RegexBuilder};
use std::ops::Range;
use std::sync::Arc;

/// The most lines that are remembered as found.
const MAX_FOUND: usize = 100_000;

/// What is searched for and where it was found.
#[derive(Debug, Clone)]
pub struct Search {
    /// As it was typed.
    pub text: String,
    /// The number of the question; answers to earlier ones are dropped.
    pub number: u64,
    /// The lines where it stands, in order; `None` until a worker has answered.
    pub found: Option<Arc<Vec<usize>>>,
    pattern: Option<Regex>,
}

impl Search {
    /// A search for this text, whatever the case.
    #[must_use]
    pub fn new(text: &str, number: u64) -> Self {
        Self { text: text.into(), number, found: None, pattern: pattern(text) }
    }

    /// Where it stands in a line that is shown.
    #[must_use]
    pub fn hits(&self, shown: &str) -> Vec<Range<usize>> {
        self.pattern.iter().flat_map(|pattern| pattern.find_iter(shown)).map(|hit| hit.range()).collect()
    }

    /// The next line found behind `line` (before it, when `by` is negative), going round at the end.
    #[must_use]
    pub fn next(&self, line: usize, by: isize) -> Option<usize> {
        let found = self.found.as_ref()?;
        if by >= 0 {
            found.iter().find(|at| **at > line).or(found.first()).copied()
        } else {
            found.iter().rev().find(|at| **at < line).or(found.last()).copied()
        }
    }
}

/// The lines of a page where a text stands, whatever the case.
#[must_use]
pub fn find(page: &Page, text: &str) -> Vec<usize> {
    let Some(pattern) = pattern(text) else { return Vec::new() };
    let mut found: Vec<usize> = Vec::new();
    for hit in pattern.find_iter(&page.text) {
        let line = page.line_at(hit.start());
        if found.last() != Some(&line) {
            found.push(line);
        }
        if found.len() >= MAX_FOUND {
            break;
        }
    }
    found
}

fn pattern(text: &str) -> Option<Regex> {
    let text = text.trim();
    let literal = RegexBuilder::new(&regex::escape(text)).case_insensitive(true).build();
    literal.ok().filter(|_| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn going_on_goes_round() {
        let mut search = Search::new("X", 1);
        assert_eq!(search.next(0, 1), None, "not answered yet");
        search.found = Some(Arc::new(vec![3, 8]));
        assert_eq!([search.next(0, 1), search.next(3, 1), search.next(8, 1)], [Some(3), Some(8), Some(3)]);
        assert_eq!([search.next(9, -1), search.next(8, -1), search.next(3, -1)], [Some(8), Some(3), Some(8)]);
        assert_eq!(search.hits("axbX"), [1..2, 3..4]);
        assert!(Search::new(" ", 1).hits("a b").is_empty());
        assert_eq!(Search::new("a.b", 1).hits("aXb a.b").first(), Some(&(4..7)));
    }
}

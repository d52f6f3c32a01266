//! Patterns that are built when they are first used.

use regex::{Captures, Match, Regex, RegexBuilder};
use std::sync::OnceLock;

/// A pattern of ours: it is right, or (which the tests would show) it finds nothing.
pub(crate) struct Pattern {
    regex: Option<Regex>,
    /// The same without the ends of words, which make a search of a text that is not ASCII many times slower: what it
    /// does not find, the pattern does not either.
    first_look: Option<(String, OnceLock<Option<Regex>>)>,
}

impl Pattern {
    /// Builds it. Give it a home in a `LazyLock`: building takes longer than most searches.
    pub(crate) fn new(pattern: &str) -> Self {
        let regex = build(pattern);
        debug_assert!(regex.is_some(), "{pattern}");
        let first_look = pattern.contains(r"\b").then(|| (pattern.replace(r"\b", ""), OnceLock::new()));
        Self { regex, first_look }
    }

    /// The same for a first look over whole files, without the ends of words: looking for these makes a search of a
    /// text that is not ASCII many times slower. It finds more, never less.
    pub(crate) fn rough(pattern: &str) -> Self {
        Self::new(&pattern.replace(r"\b", ""))
    }

    /// Whether it stands anywhere in the text.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.may_match(text).is_some_and(|regex| regex.is_match(text))
    }

    /// Where it stands first.
    pub(crate) fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.may_match(text)?.find(text)
    }

    /// Everywhere it stands, without overlaps.
    pub(crate) fn find_iter<'s, 't: 's>(&'s self, text: &'t str) -> impl Iterator<Item = Match<'t>> + 's {
        self.may_match(text).into_iter().flat_map(move |regex| regex.find_iter(text))
    }

    /// What its groups hold everywhere it stands.
    pub(crate) fn captures_iter<'s, 't: 's>(
        &'s self,
        text: &'t str,
    ) -> impl Iterator<Item = Captures<'t>> + 's {
        self.may_match(text).into_iter().flat_map(move |regex| regex.captures_iter(text))
    }

    /// The pattern, unless a cheaper look tells that it is not in the text.
    fn may_match(&self, text: &str) -> Option<&Regex> {
        if let Some((rough, built)) = &self.first_look
            && !text.is_ascii()
            && let Some(rough) = built.get_or_init(|| build(rough))
            && !rough.is_match(text)
        {
            return None;
        }
        self.regex.as_ref()
    }
}

fn build(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern).size_limit(64 << 20).build().ok()
}

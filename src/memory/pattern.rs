//! Patterns that are built when they are first used.

use regex::{Captures, Match, Regex, RegexBuilder};

/// A pattern of ours: it is right, or (which the tests would show) it finds nothing.
pub(crate) struct Pattern(Option<Regex>);

impl Pattern {
    /// Builds it. Give it a home in a `LazyLock`: building takes longer than most searches.
    pub(crate) fn new(pattern: &str) -> Self {
        let built = RegexBuilder::new(pattern).size_limit(64 << 20).build();
        debug_assert!(built.is_ok(), "{built:?}");
        Self(built.ok())
    }

    /// The same for a first look over whole files, without the ends of words: looking for these makes a search of a
    /// text that is not ASCII many times slower. It finds more, never less.
    pub(crate) fn rough(pattern: &str) -> Self {
        Self::new(&pattern.replace(r"\b", ""))
    }

    /// Whether it stands anywhere in the text.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.0.as_ref().is_some_and(|regex| regex.is_match(text))
    }

    /// Where it stands first.
    pub(crate) fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.0.as_ref()?.find(text)
    }

    /// Everywhere it stands, without overlaps.
    pub(crate) fn find_iter<'s, 't: 's>(&'s self, text: &'t str) -> impl Iterator<Item = Match<'t>> + 's {
        self.0.iter().flat_map(move |regex| regex.find_iter(text))
    }

    /// What its groups hold everywhere it stands.
    pub(crate) fn captures_iter<'s, 't: 's>(
        &'s self,
        text: &'t str,
    ) -> impl Iterator<Item = Captures<'t>> + 's {
        self.0.iter().flat_map(move |regex| regex.captures_iter(text))
    }
}

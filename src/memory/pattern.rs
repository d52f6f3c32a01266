//! Patterns that are built when they are first used.

use regex::{Captures, Match, Regex, RegexBuilder};
use regex_automata::{Anchored, Input, meta, util::syntax};
use std::sync::OnceLock;

/// How far an end of a word is looked for beyond a rough match, in bytes: no pattern of ours spans more where it has one.
const WINDOW: usize = 1024;
/// The most memory that one pattern may take, in bytes.
const SIZE: usize = 64 << 20;

/// A pattern of ours: it is right, or (which the tests would show) it finds nothing.
pub(crate) struct Pattern {
    regex: Option<Regex>,
    /// The same in two steps; `None`: it has no ends of words, and is as fast as it gets.
    steps: Option<(String, OnceLock<Option<Steps>>)>,
}

/// Ends of words (`\b`) make a search of a text that is not ASCII many times slower, since the fast engine has none of
/// Unicode's. So it looks for the pattern without them, which finds more, never less, and the slow one only says
/// whether the pattern stands right there.
struct Steps {
    rough: Regex,
    there: meta::Regex,
}

impl Pattern {
    /// Builds it. Give it a home in a `LazyLock`: building takes longer than most searches.
    pub(crate) fn new(pattern: &str) -> Self {
        let regex = build(pattern);
        debug_assert!(regex.is_some(), "{pattern}");
        let steps = pattern.contains(r"\b").then(|| (pattern.to_owned(), OnceLock::new()));
        Self { regex, steps }
    }

    /// The same for a first look over whole files, without the ends of words. It finds more, never less.
    pub(crate) fn rough(pattern: &str) -> Self {
        Self::new(&without_ends(pattern))
    }

    /// Whether it stands anywhere in the text.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        match (&self.regex, self.steps(text)) {
            (_, Some(steps)) => steps.start(text, 0).is_some(),
            (Some(regex), None) => regex.is_match(text),
            (None, None) => false,
        }
    }

    /// Where it stands first.
    pub(crate) fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.at(text, 0, |regex, at| regex.find_at(text, at))
    }

    /// Everywhere it stands, without overlaps.
    pub(crate) fn find_iter<'s, 't: 's>(&'s self, text: &'t str) -> impl Iterator<Item = Match<'t>> + 's {
        let mut from = 0;
        std::iter::from_fn(move || {
            let found = self.at(text, from, |regex, at| regex.find_at(text, at))?;
            from = next(text, found);
            Some(found)
        })
    }

    /// What its groups hold everywhere it stands.
    pub(crate) fn captures_iter<'s, 't: 's>(
        &'s self,
        text: &'t str,
    ) -> impl Iterator<Item = Captures<'t>> + 's {
        let mut from = 0;
        std::iter::from_fn(move || {
            let found = self.at(text, from, |regex, at| regex.captures_at(text, at))?;
            from = next(text, found.get(0)?);
            Some(found)
        })
    }

    /// What `read` makes of the next place from here on.
    fn at<T>(&self, text: &str, from: usize, read: impl Fn(&Regex, usize) -> Option<T>) -> Option<T> {
        let regex = self.regex.as_ref().filter(|_| from <= text.len())?;
        match self.steps(text) {
            Some(steps) => read(regex, steps.start(text, from)?),
            None => read(regex, from),
        }
    }

    fn steps(&self, text: &str) -> Option<&Steps> {
        let (pattern, built) = self.steps.as_ref().filter(|_| !text.is_ascii())?;
        built.get_or_init(|| Steps::of(pattern)).as_ref()
    }
}

impl Steps {
    fn of(pattern: &str) -> Option<Self> {
        let config = meta::Config::new().nfa_size_limit(Some(SIZE));
        let there =
            meta::Builder::new().configure(config).syntax(syntax::Config::new()).build(pattern).ok()?;
        Some(Self { rough: build(&without_ends(pattern))?, there })
    }

    /// Where the pattern begins next.
    fn start(&self, text: &str, mut from: usize) -> Option<usize> {
        while from <= text.len() {
            let rough = self.rough.find_at(text, from)?;
            let end = text.floor_char_boundary(rough.end().max(rough.start() + WINDOW));
            let here = Input::new(text).range(rough.start()..end).anchored(Anchored::Yes);
            if self.there.search_half(&here).is_some() {
                return Some(rough.start());
            }
            if rough.start() == text.len() {
                return None;
            }
            from = text.ceil_char_boundary(rough.start() + 1);
        }
        None
    }
}

/// Where to look on after a match: beyond it, also when it is empty.
fn next(text: &str, found: Match<'_>) -> usize {
    match found.end() {
        end if !found.is_empty() => end,
        end if end < text.len() => text.ceil_char_boundary(end + 1),
        end => end + 1,
    }
}

fn without_ends(pattern: &str) -> String {
    pattern.replace(r"\b", "")
}

fn build(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern).size_limit(SIZE).build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PATTERNS: &[&str] = &[
        r"(?i)\b(?:key|keys|schlüssel)\b",
        r"\bab?\b|b\b",
        r"(?i)(?:\bsee|été)\b\s+(\w+)",
        r"a\b",
        r"\b",
        r"\b\w{1,3}\b(?:\s*\b—)?",
    ];

    proptest! {
        #[test]
        fn two_steps_find_what_one_finds(text in "(?:[ab éßк—.\n]|key|schlüssel|see |été ){0,40}") {
            for pattern in PATTERNS {
                let plain = Regex::new(pattern).unwrap();
                let ours = Pattern::new(pattern);
                let found: Vec<_> = ours.find_iter(&text).map(|m| m.range()).collect();
                let wanted: Vec<_> = plain.find_iter(&text).map(|m| m.range()).collect();
                prop_assert_eq!(&found, &wanted, "{} in {:?}", pattern, text);
                prop_assert_eq!(ours.is_match(&text), plain.is_match(&text));
                prop_assert_eq!(ours.find(&text).map(|m| m.range()), wanted.first().cloned());
                let groups: Vec<_> = ours.captures_iter(&text).map(|c| c.get(1).map(|m| m.range())).collect();
                let wanted: Vec<_> = plain.captures_iter(&text).map(|c| c.get(1).map(|m| m.range())).collect();
                prop_assert_eq!(groups, wanted);
            }
        }
    }
}

//! The filter: terms that must all hold, over names, descriptions and bodies, by type and by flag.

use crate::app::contents::{Contents, Entry, Group};
use crate::prompt::usage::Usage;
use regex::bytes::{Regex, RegexBuilder};
use std::ops::Range;
use std::sync::Arc;

/// What a person filters by. Terms are split at blanks; all must hold.
#[derive(Debug, Clone)]
pub struct Query {
    terms: Vec<Term>,
    /// What sessions made of the memories.
    usage: Option<Arc<Usage>>,
}

#[derive(Debug, Clone)]
enum Term {
    /// The word stands in the name, the description, the path or the body, whatever the case.
    Text { word: String, regex: Regex },
    /// The type starts so.
    Type(String),
    /// A flag starts so, with dashes for blanks.
    Flag(String),
}

impl Query {
    /// The query for what was typed; `None` when that is blank.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let terms: Vec<Term> = text.split_whitespace().filter_map(Term::parse).collect();
        (!terms.is_empty()).then_some(Self { terms, usage: None })
    }

    /// The same query, knowing what sessions made of the memories: `flag:unused` finds nothing without.
    #[must_use]
    pub fn knowing(self, usage: Option<Arc<Usage>>) -> Self {
        Self { usage, ..self }
    }

    /// Whether the answer depends on what sessions made of the memories.
    #[must_use]
    pub fn asks_for_use(&self) -> bool {
        self.terms.iter().any(|term| matches!(term, Term::Flag(start) if UNUSED.starts_with(start.as_str())))
    }

    /// Whether whatever holds for `self` held for `wider` too, so that only its matches need a look.
    #[must_use]
    pub fn narrows(&self, wider: &Self) -> bool {
        wider.terms.iter().all(|old| self.terms.iter().any(|new| new.implies(old)))
    }

    /// Whether an entry matches.
    #[must_use]
    pub fn matches(&self, contents: &Contents, entry: &Entry) -> bool {
        self.terms.iter().all(|term| term.matches(contents, entry, self.usage.as_deref()))
    }

    /// The byte ranges in `text` that the query's words match, in order and not overlapping.
    #[must_use]
    pub fn highlights(&self, text: &str) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        for term in &self.terms {
            if let Term::Text { regex, .. } = term {
                found.extend(regex.find_iter(text.as_bytes()).map(|hit| hit.range()));
            }
        }
        found.sort_by_key(|range| (range.start, range.end));
        let mut apart: Vec<Range<usize>> = Vec::new();
        for range in found {
            match apart.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => apart.push(range),
            }
        }
        apart
    }
}

impl Term {
    fn parse(word: &str) -> Option<Self> {
        let lower = word.to_lowercase();
        if let Some(kind) = lower.strip_prefix("type:") {
            return Some(Self::Type(kind.into()));
        }
        if let Some(flag) = lower.strip_prefix("flag:") {
            return Some(Self::Flag(flag.into()));
        }
        // An escaped literal always compiles within the limit: a field's text is short.
        let regex = RegexBuilder::new(&regex::escape(word)).case_insensitive(true).build().ok()?;
        Some(Self::Text { word: lower, regex })
    }

    fn implies(&self, old: &Self) -> bool {
        match (self, old) {
            (Self::Text { word: new, .. }, Self::Text { word: old, .. }) => new.contains(old.as_str()),
            (Self::Type(new), Self::Type(old)) | (Self::Flag(new), Self::Flag(old)) => {
                new.starts_with(old.as_str())
            }
            _ => false,
        }
    }

    fn matches(&self, contents: &Contents, entry: &Entry, usage: Option<&Usage>) -> bool {
        match self {
            Self::Text { regex, .. } => {
                regex.is_match(entry.name.as_bytes())
                    || regex.is_match(entry.description.as_bytes())
                    || regex.is_match(entry.path.to_str_lossy().as_bytes())
                    // The index names every memory: its text would match whatever matches one of them.
                    || (entry.is_memory() && regex.is_match(contents.body(entry)))
            }
            Self::Type(kind) => {
                matches!(&entry.group, Group::Type(group) if group.as_str().to_lowercase().starts_with(kind))
            }
            Self::Flag(start) => {
                entry.flags.iter().any(|flag| flag.replace(' ', "-").starts_with(start.as_str()))
                    // No flag on the list: it is a hint, not a fault.
                    || (UNUSED.starts_with(start.as_str()) && is_unused(entry, usage))
            }
        }
    }
}

/// The flag of a memory that no session read since it changed.
const UNUSED: &str = "unused";

fn is_unused(entry: &Entry, usage: Option<&Usage>) -> bool {
    let changed = entry.age.as_ref().filter(|_| entry.is_memory());
    usage.zip(changed).is_some_and(|(usage, age)| usage.is_unused(&entry.path, age.since))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::testing::contents;
    use crate::memory::path::RelPath;
    use crate::prompt::usage::{IndexLoad, Recalls, Session};

    fn hits(text: &str) -> Vec<String> {
        let contents = contents(&[
            ("alpha.md", "---\ntype: feedback\n---\nBody with Müller and 中文\n"),
            ("beta.md", "one alpha, two BETA\n"),
            ("sub/gamma.md", "nothing to see\n"),
        ]);
        let query = Query::parse(text).unwrap();
        let found = contents.entries.iter().filter(|entry| query.matches(&contents, entry));
        found.map(|entry| entry.path.to_string()).collect()
    }

    #[test]
    fn terms_are_anded_and_case_is_folded() {
        assert_eq!(hits("ALPHA"), ["alpha.md", "beta.md"]);
        assert_eq!(hits("alpha beta"), ["beta.md"]);
        assert_eq!(hits("beta alpha"), ["beta.md"]);
        assert_eq!(hits("MÜLLER 中文"), ["alpha.md"]);
        assert_eq!(hits("sub/"), ["sub/gamma.md"]);
        assert_eq!(hits("(.*"), [""; 0], "a word is never a pattern");
    }

    #[test]
    fn unused_memories_are_found() {
        let contents = contents(&[("a.md", "x\n"), ("b.md", "y\n")]);
        let found = |usage: Option<Usage>, text: &str| {
            let query = Query::parse(text).unwrap().knowing(usage.map(Arc::new));
            contents.entries.iter().filter(|entry| query.matches(&contents, entry)).count()
        };
        let mut usage = Usage::default();
        assert_eq!((found(None, "flag:unused"), found(Some(usage.clone()), "flag:unused")), (0, 0));
        let start = Some(crate::app::testing::now());
        usage.sessions = vec![Session { id: "s".into(), start, version: None, index: IndexLoad::Unknown }];
        usage.by_memory.insert(RelPath::new("a.md").unwrap(), Recalls::default());
        assert_eq!(found(Some(usage.clone()), "flag:unused"), 1);
        assert_eq!(found(Some(usage), "flag:unu a.md"), 0);
    }

    #[test]
    fn longer_queries_narrow() {
        let narrows = |new: &str, old: &str| Query::parse(new).unwrap().narrows(&Query::parse(old).unwrap());
        assert!(narrows("alph", "alp"));
        assert!(narrows("xalph", "alp"));
        assert!(narrows("alp foo", "alp"));
        assert!(narrows("type:feed", "type:f"));
        assert!(!narrows("alp", "alph"));
        assert!(!narrows("type:f", "type"));
        assert!(!narrows("foo", "alp"));
    }

    #[test]
    fn highlights_do_not_overlap() {
        let query = Query::parse("abc bcd x").unwrap();
        assert_eq!(query.highlights("zABCD x x"), [1..5, 6..7, 8..9]);
    }
}

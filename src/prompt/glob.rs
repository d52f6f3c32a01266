//! The patterns of `claudeMdExcludes`: picomatch's syntax on absolute paths (CLIENT_FACTS C8; measured with 100
//! patterns on 2.1.100, 2.1.197 and 2.1.332). Case counts; a dot at the start of a name is like any other
//! character; `[!a]` does not negate, `[^a]` does; a backslash counts as a slash.

mod parse;
#[cfg(test)]
mod tests;

use parse::{braces, whole};
use std::collections::HashSet;

/// One pattern.
#[derive(Debug, Clone)]
pub struct Glob {
    source: String,
    negated: bool,
    /// What braces make of the pattern.
    choices: Vec<Vec<Node>>,
}

#[derive(Debug, Clone, PartialEq)]
enum Node {
    Char(char),
    /// `?`.
    One,
    /// `*`; `filled` where it stands for a whole name behind a slash, which is never empty.
    Star {
        filled: bool,
    },
    /// `**/` at the start or behind a slash: any number of directories.
    Dirs,
    /// `/**` at the end: the directory itself and all below.
    Below,
    /// `**` alone.
    All,
    /// `[…]`.
    Class {
        negated: bool,
        items: Vec<Item>,
    },
    /// `@(a|b)` and its kin.
    Group {
        kind: GroupKind,
        choices: Vec<Vec<Node>>,
    },
}

#[derive(Debug, Clone, PartialEq)]
enum Item {
    Range(char, char),
    Named(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GroupKind {
    One,
    Optional,
    Many,
    Any,
    Not,
}

/// The most steps that one comparison may take: ours, against patterns that try everything.
const MAX_STEPS: usize = 200_000;

impl Glob {
    /// Reads a pattern. Never fails: what is not understood stands for itself.
    #[must_use]
    pub fn new(pattern: &str) -> Self {
        let unified = pattern.replace('\\', "/");
        let mut body = unified.as_str();
        let mut negated = false;
        while let Some(rest) = body.strip_prefix('!').filter(|rest| !rest.starts_with('(')) {
            negated = !negated;
            body = rest;
        }
        let mut expanded = Vec::new();
        braces(body, &mut expanded);
        let choices = expanded.iter().map(|text| whole(text)).collect();
        Self { source: pattern.to_owned(), negated, choices }
    }

    /// The pattern as written.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether an absolute path matches.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        let text: Vec<char> = path.chars().collect();
        let fits = self
            .choices
            .iter()
            .filter(|nodes| !nodes.is_empty())
            .any(|nodes| Matcher { text: &text, steps: 0, failed: HashSet::new() }.run(nodes, 0));
        !self.source.is_empty() && fits != self.negated
    }
}

/// An absolute pattern in two: the directory of the part before its first special character, and the rest.
#[must_use]
pub fn fixed_directory(pattern: &str) -> Option<(&str, &str)> {
    if !pattern.starts_with('/') {
        return None;
    }
    let special = pattern.find(['*', '?', '{', '[']).unwrap_or(pattern.len());
    // As a directory's name is found: a slash at the end does not count.
    let slash = pattern.get(..special)?.trim_end_matches('/').rfind('/')?;
    (slash > 0).then(|| pattern.split_at(slash))
}

struct Matcher<'a> {
    text: &'a [char],
    steps: usize,
    /// (nodes left, position) of the outermost sequence that are known to fail.
    failed: HashSet<(usize, usize)>,
}

impl Matcher<'_> {
    fn run(&mut self, nodes: &[Node], at: usize) -> bool {
        self.step(nodes, at, true, &mut |text, end| end == text.len())
    }

    /// Matches `nodes` from `at` and asks `then` about the place where they end.
    fn step(
        &mut self,
        nodes: &[Node],
        at: usize,
        outer: bool,
        then: &mut dyn FnMut(&[char], usize) -> bool,
    ) -> bool {
        self.steps += 1;
        if self.steps > MAX_STEPS || (outer && self.failed.contains(&(nodes.len(), at))) {
            return false;
        }
        let Some((node, rest)) = nodes.split_first() else { return then(self.text, at) };
        let text = self.text;
        let here = text.get(at).copied();
        let fits = match node {
            Node::Char(c) => here == Some(*c) && self.step(rest, at + 1, outer, then),
            Node::One => here.is_some_and(|c| c != '/') && self.step(rest, at + 1, outer, then),
            Node::Class { negated, items } => {
                here.is_some_and(|c| c != '/' && items.iter().any(|item| item.has(c)) != *negated)
                    && self.step(rest, at + 1, outer, then)
            }
            Node::Star { filled } => {
                let most = text.iter().skip(at).take_while(|c| **c != '/').count();
                let least = usize::from(*filled && matches!(rest.first(), None | Some(Node::Char('/'))));
                (least..=most).any(|taken| self.step(rest, at + taken, outer, then))
            }
            Node::Dirs => {
                let starts =
                    text.iter().enumerate().skip(at).filter(|(_, c)| **c == '/').map(|(slash, _)| slash + 1);
                std::iter::once(at).chain(starts).any(|start| self.step(rest, start, outer, then))
            }
            Node::Below => (here.is_none() || here == Some('/')) && self.step(rest, text.len(), outer, then),
            Node::All => (at..=text.len()).any(|end| self.step(rest, end, outer, then)),
            Node::Group { kind, choices } => self.group(*kind, choices, rest, at, outer, then),
        };
        if outer && !fits {
            self.failed.insert((nodes.len(), at));
        }
        fits
    }

    fn group(
        &mut self,
        kind: GroupKind,
        choices: &[Vec<Node>],
        rest: &[Node],
        at: usize,
        outer: bool,
        then: &mut dyn FnMut(&[char], usize) -> bool,
    ) -> bool {
        let text = self.text;
        if kind == GroupKind::Not {
            // At the end of the pattern the rest must not be one of the choices; before something else it must
            // not begin with one.
            let last = rest.is_empty();
            let taken = choices
                .iter()
                .any(|choice| self.step(choice, at, false, &mut |text, end| !last || end == text.len()));
            let most = text.iter().skip(at).take_while(|c| **c != '/').count();
            return !taken && (0..=most).any(|taken| self.step(rest, at + taken, outer, then));
        }
        if matches!(kind, GroupKind::Optional | GroupKind::Any) && self.step(rest, at, outer, then) {
            return true;
        }
        for choice in choices {
            let mut ends = Vec::new();
            self.step(choice, at, false, &mut |_, end| {
                ends.push(end);
                false
            });
            for end in ends {
                let again = matches!(kind, GroupKind::Many | GroupKind::Any) && end > at;
                if self.step(rest, end, outer, then)
                    || again && self.group(GroupKind::Many, choices, rest, end, outer, then)
                {
                    return true;
                }
            }
        }
        false
    }
}

impl Item {
    fn has(&self, c: char) -> bool {
        match self {
            Self::Range(from, to) => (*from..=*to).contains(&c),
            Self::Named(name) => match name.as_str() {
                "alpha" => c.is_ascii_alphabetic(),
                "digit" => c.is_ascii_digit(),
                "alnum" => c.is_ascii_alphanumeric(),
                "lower" => c.is_ascii_lowercase(),
                "upper" => c.is_ascii_uppercase(),
                "space" => c.is_ascii_whitespace(),
                "punct" => c.is_ascii_punctuation(),
                "word" => c.is_ascii_alphanumeric() || c == '_',
                "xdigit" => c.is_ascii_hexdigit(),
                _ => false,
            },
        }
    }
}

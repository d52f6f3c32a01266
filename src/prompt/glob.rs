//! The patterns of `claudeMdExcludes`: picomatch's syntax on absolute paths (CLIENT_FACTS C8; measured with 100
//! patterns on 2.1.100, 2.1.197 and 2.1.332). Case counts; a dot at the start of a name is like any other
//! character; `[!a]` does not negate, `[^a]` does; a backslash counts as a slash.

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

/// The most patterns that braces may make of one: ours, against `{1..999999}`.
const MAX_CHOICES: usize = 1000;
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
        let choices = expanded.iter().map(|text| parse(&text.chars().collect::<Vec<_>>())).collect();
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

fn parse(chars: &[char]) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let rest = chars.get(at + 1..).unwrap_or_default();
        let at_name = matches!(nodes.last(), None | Some(Node::Char('/') | Node::Dirs));
        at += 1;
        match c {
            '*' if rest.first() == Some(&'(') => at += group(GroupKind::Any, rest, &mut nodes),
            '?' if rest.first() == Some(&'(') => at += group(GroupKind::Optional, rest, &mut nodes),
            '+' if rest.first() == Some(&'(') => at += group(GroupKind::Many, rest, &mut nodes),
            '@' if rest.first() == Some(&'(') => at += group(GroupKind::One, rest, &mut nodes),
            '!' if rest.first() == Some(&'(') => at += group(GroupKind::Not, rest, &mut nodes),
            '(' => at = at - 1 + group(GroupKind::One, chars.get(at - 1..).unwrap_or_default(), &mut nodes),
            '*' => {
                let more = rest.iter().take_while(|c| **c == '*').count();
                let after = rest.get(more).copied();
                at += more;
                match (more, after) {
                    (1, Some('/')) if at_name => {
                        at += 1;
                        nodes.push(Node::Dirs);
                    }
                    (1, None) if nodes.is_empty() => nodes.push(Node::All),
                    (1, None) if nodes.last() == Some(&Node::Char('/')) => {
                        nodes.pop();
                        nodes.push(Node::Below);
                    }
                    (1, None) if nodes.last() == Some(&Node::Dirs) => nodes.push(Node::All),
                    _ => nodes.push(Node::Star {
                        filled: at_name && !nodes.is_empty() && matches!(after, None | Some('/')),
                    }),
                }
            }
            '?' => nodes.push(Node::One),
            '[' => match class(rest) {
                Some((node, length)) => {
                    let inside = rest.get(..length.saturating_sub(1)).unwrap_or_default();
                    nodes.push(either(inside, node));
                    at += length;
                }
                None => nodes.push(Node::Char('[')),
            },
            c => nodes.push(Node::Char(c)),
        }
    }
    nodes
}

/// Reads `(a|b)`; gives how many characters it took. An unclosed one stands for itself.
fn group(kind: GroupKind, chars: &[char], nodes: &mut Vec<Node>) -> usize {
    let mut depth = 0;
    let mut choices = Vec::new();
    let mut from = 1;
    for (at, c) in chars.iter().enumerate() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '|' if depth == 1 => {
                choices.push(parse(chars.get(from..at).unwrap_or_default()));
                from = at + 1;
            }
            _ => {}
        }
        if depth == 0 {
            choices.push(parse(chars.get(from..at).unwrap_or_default()));
            nodes.push(Node::Group { kind, choices });
            return at + 1;
        }
    }
    nodes.push(Node::Char('('));
    1
}

/// Reads a class after its `[`; gives how many characters it took.
fn class(chars: &[char]) -> Option<(Node, usize)> {
    let negated = chars.first() == Some(&'^');
    let mut at = usize::from(negated);
    let start = at;
    let mut items = Vec::new();
    loop {
        let rest = chars.get(at..)?;
        match rest {
            [']', ..] if at > start => return Some((Node::Class { negated, items }, at + 1)),
            ['[', ':', name @ ..] => {
                let end = name.windows(2).position(|pair| pair == [':', ']'])?;
                items.push(Item::Named(name.get(..end)?.iter().collect()));
                at += end + 4;
            }
            [from, '-', to, ..] if *to != ']' => {
                items.push(Item::Range(*from, *to));
                at += 3;
            }
            [c, ..] => {
                items.push(Item::Range(*c, *c));
                at += 1;
            }
            [] => return None,
        }
    }
}

/// A class without special characters also stands for its own text, brackets and all (measured).
fn either(inside: &[char], class: Node) -> Node {
    if inside.iter().any(|c| "-*+?.^${}(|)[]".contains(*c)) {
        return class;
    }
    let text = std::iter::once(&'[').chain(inside).chain([&']']).map(|c| Node::Char(*c)).collect();
    Node::Group { kind: GroupKind::One, choices: vec![text, vec![class]] }
}

/// Expands `{a,b}` and `{1..3}`, nested ones too; braces without a comma or a range stand for themselves.
fn braces(pattern: &str, out: &mut Vec<String>) {
    let Some((before, choices, after)) = first_braces(pattern) else {
        if out.len() < MAX_CHOICES {
            out.push(pattern.to_owned());
        }
        return;
    };
    for choice in choices {
        if out.len() >= MAX_CHOICES {
            return;
        }
        braces(&format!("{before}{choice}{after}"), out);
    }
}

fn first_braces(pattern: &str) -> Option<(&str, Vec<String>, &str)> {
    for (open, _) in pattern.match_indices('{') {
        let inside = pattern.get(open + 1..)?;
        let mut depth = 1;
        let mut commas = Vec::new();
        let close = inside.char_indices().find_map(|(at, c)| {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => commas.push(at),
                _ => {}
            }
            (depth == 0).then_some(at)
        });
        let Some(close) = close else { continue };
        let (body, after) = (inside.get(..close)?, inside.get(close + 1..)?);
        let before = pattern.get(..open)?;
        if !commas.is_empty() {
            let starts = std::iter::once(0).chain(commas.iter().map(|at| at + 1));
            let ends = commas.iter().copied().chain([body.len()]);
            let choices =
                starts.zip(ends).filter_map(|(from, to)| body.get(from..to)).map(str::to_owned).collect();
            return Some((before, choices, after));
        }
        if let Some(choices) = range(body) {
            return Some((before, choices, after));
        }
    }
    None
}

fn range(body: &str) -> Option<Vec<String>> {
    let (from, to) = body.split_once("..")?;
    if let (Ok(from), Ok(to)) = (from.parse::<i64>(), to.parse::<i64>()) {
        let (low, high) = (from.min(to), from.max(to));
        return Some((low..=high).take(MAX_CHOICES).map(|number| number.to_string()).collect());
    }
    let one = |text: &str| text.chars().next().filter(|c| text.len() == c.len_utf8());
    let (from, to) = (one(from)?, one(to)?);
    Some((from.min(to)..=from.max(to)).take(MAX_CHOICES).map(|c| c.to_string()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATHS: [&str; 14] = [
        "/t/p/C.md",
        "/t/p/d/a.md",
        "/t/p/d/b.md",
        "/t/p/d/1.md",
        "/t/p/d/é.md",
        "/t/p/d/[p].md",
        "/t/p/d/(p).md",
        "/t/p/d/.h/x.md",
        "/t/p/d/.hid.md",
        "/t/p/d/s/a.md",
        "/t/p/d/s/t/b.md",
        "/t/p/d/a.x.md",
        "/t/p/e/a.md",
        "/t/p/d/sp ce.md",
    ];

    fn hits(pattern: &str) -> Vec<&'static str> {
        let glob = Glob::new(pattern);
        PATHS
            .into_iter()
            .filter(|path| glob.matches(path))
            .map(|path| path.trim_start_matches("/t/p/"))
            .collect()
    }

    #[test]
    fn patterns_exclude_as_the_client_does() {
        let a = ["d/a.md", "d/s/a.md", "e/a.md"];
        let below_d = &PATHS.map(|path| path.trim_start_matches("/t/p/"))[1..];
        let below_d: Vec<_> = below_d.iter().copied().filter(|path| path.starts_with("d/")).collect();
        let in_d: Vec<_> = below_d.iter().copied().filter(|path| path.matches('/').count() == 1).collect();
        for pattern in ["**/a.md", "/t/p/**/a.md", "*/**/a.md", "!!**/a.md"] {
            assert_eq!(hits(pattern), a, "{pattern}");
        }
        for pattern in ["/t/p/d/**", "/**/d/**", "**/d/**"] {
            assert_eq!(hits(pattern), below_d, "{pattern}");
        }
        for pattern in ["/t/p/d/*.md", "**/d/*.md", "/t/p/d/***"] {
            assert_eq!(hits(pattern), in_d, "{pattern}");
        }
        for (pattern, want) in [
            ("/t/p/d/a.md", vec!["d/a.md"]),
            ("/t/p/d/a.md/**", vec!["d/a.md"]),
            ("/t/p/{d,e}/a.md", vec!["d/a.md", "e/a.md"]),
            ("/t/p/{d,}/a.md", vec!["d/a.md"]),
            ("/t/p/d/{a,{b,c}}.md", vec!["d/a.md", "d/b.md"]),
            ("/t/p/d/{1..3}.md", vec!["d/1.md"]),
            ("/t/p/*/a.md", vec!["d/a.md", "e/a.md"]),
            ("/t/p/d/[ab].md", vec!["d/a.md", "d/b.md"]),
            ("**/[a-c].md", vec!["d/a.md", "d/b.md", "d/s/a.md", "d/s/t/b.md", "e/a.md"]),
            ("/t/p/d/[!b].md", vec!["d/b.md"]),
            ("/t/p/d/[^a].md", vec!["d/b.md", "d/1.md", "d/é.md"]),
            ("/t/p/d/[[:alpha:]].md", vec!["d/a.md", "d/b.md"]),
            ("/t/p/d/?.md", vec!["d/a.md", "d/b.md", "d/1.md", "d/é.md"]),
            ("/t/p/d/@(a|b).md", vec!["d/a.md", "d/b.md"]),
            ("/t/p/d/(a|b).md", vec!["d/a.md", "d/b.md"]),
            ("/t/p/d/+(a).md", vec!["d/a.md"]),
            ("/t/p/d/?(a).md", vec!["d/a.md"]),
            ("/t/p/d/*(a|b).md", vec!["d/a.md", "d/b.md"]),
            (
                "/t/p/d/!(a).md",
                vec!["d/b.md", "d/1.md", "d/é.md", "d/[p].md", "d/(p).md", "d/.hid.md", "d/sp ce.md"],
            ),
            ("/t/p/d/a*", vec!["d/a.md", "d/a.x.md"]),
            ("/t/p/d/**a.md", vec!["d/a.md"]),
            ("/t/p/**d/a.md", vec!["d/a.md"]),
            ("**/.*", vec!["d/.hid.md"]),
            ("**/.h/x.md", vec!["d/.h/x.md"]),
            ("**/[p].md", vec!["d/[p].md"]),
        ] {
            // `[p]` finds the name in brackets too: picomatch tries a class and the text itself.
            let got = hits(pattern);
            assert_eq!(got, want, "{pattern}");
        }
        for all in ["**", "/**", "/t/**", "**/**", "**/*.md", "!**/nothing.md"] {
            assert_eq!(hits(all).len(), PATHS.len(), "{all}");
        }
        for none in [
            "",
            "*",
            "*/a.md",
            "a.md",
            "d/a.md",
            "/t/p/d",
            "/t/p/d/",
            "/t/p/d/A.md",
            "**/d/",
            "**/d",
            "/t/p/d**",
            "~/x",
            "/t/p/d/a.md ",
            " /t/p/d/a.md",
            "**/a.md,**/b.md",
            "/t/p/d/**/",
            "**//a.md",
            "/t/p/d/[a",
            "/t/p/d/{a.md",
            "**/(p).md",
            "**/\\[p\\].md",
            "**/É.md",
        ] {
            assert_eq!(hits(none), [""; 0], "{none}");
        }
    }

    #[test]
    fn a_pattern_that_tries_everything_ends() {
        let path = format!("/{}", "a".repeat(200));
        assert!(!Glob::new("/*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b").matches(&path));
        assert!(!Glob::new("/+(a|aa|aaa)+(a|aa|aaa)+(a|aa|aaa)b").matches(&path));
        let many = format!("/{}", "{a,b}".repeat(40));
        assert!(!Glob::new(&many).matches("/x"));
    }
}

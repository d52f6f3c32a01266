//! The patterns of a rule's `paths`: gitignore's syntax as the client reads it (CLIENT_FACTS C11), which is
//! not git's own in every corner. Measured on 2.1.100, 2.1.197 and 2.1.332 with 128 patterns against 22 paths.
//!
//! Where it differs from git: case does not count, a class can't be negated (`[!a]` and `[^a]` mean one of the
//! characters listed), POSIX classes don't exist.

use regex::{Regex, RegexBuilder};

/// The patterns of one rule, in order.
#[derive(Debug, Clone, Default)]
pub struct Patterns {
    lines: Vec<Line>,
}

#[derive(Debug, Clone)]
struct Line {
    source: String,
    takes_back: bool,
    regex: Regex,
}

impl Patterns {
    /// Reads patterns. What the client takes for a comment or can't read matches nothing.
    #[must_use]
    pub fn new<'a>(patterns: impl IntoIterator<Item = &'a str>) -> Self {
        Self { lines: patterns.into_iter().filter_map(Line::new).collect() }
    }

    /// The pattern that makes a file match: the path is relative to the patterns' base, `/` between its parts.
    /// A directory that matches takes its whole content with it; otherwise the last pattern that fits decides.
    #[must_use]
    pub fn matching(&self, path: &str) -> Option<&str> {
        let ends = memchr::memchr_iter(b'/', path.as_bytes()).map(|at| at + 1).chain([path.len()]);
        for part in ends.filter_map(|end| path.get(..end)) {
            let last = self.lines.iter().rev().find(|line| line.regex.is_match(part));
            if let Some(line) = last.filter(|line| !line.takes_back) {
                return Some(&line.source);
            }
        }
        None
    }
}

impl Line {
    fn new(source: &str) -> Option<Self> {
        let trailing_escape = source.ends_with('\\') && !source.ends_with("\\\\");
        if source.trim().is_empty() || source.starts_with('#') || trailing_escape {
            return None;
        }
        let (takes_back, body) = match source.strip_prefix('!') {
            Some(body) => (true, body),
            None => (false, source),
        };
        let body = match body.strip_prefix('\\') {
            Some(rest) if rest.starts_with(['!', '#']) => rest,
            _ => body,
        };
        let regex = RegexBuilder::new(&translate(body)).case_insensitive(true).build().ok()?;
        Some(Self { source: source.to_owned(), takes_back, regex })
    }
}

/// The regular expression for one pattern.
fn translate(pattern: &str) -> String {
    let chars: Vec<char> = pattern.chars().collect();
    let mut out = String::from("(?s)");
    let mut at = 0;
    let rest = |at: usize| chars.get(at..).unwrap_or_default();
    let leading_slash = chars.first() == Some(&'/');
    if leading_slash {
        at = 1;
    }
    if rest(at).starts_with(&['*', '*', '/']) {
        out.push_str("^(?:.*/)?");
        at += 3;
    } else {
        let inner_slash = chars.iter().rev().skip(1).any(|c| *c == '/');
        out.push_str(if inner_slash || leading_slash { "^" } else { "(?:^|/)" });
    }
    while let Some(&c) = chars.get(at) {
        let next = chars.get(at + 1).copied();
        match c {
            '/' if is_globstar(rest(at + 1)) => {
                out.push_str(if chars.len() > at + 3 { "(?:/[^/]+)*" } else { "/.+" });
                at += 2;
            }
            '*' => {
                // A star that fills its last part wants something there; any other may stand for nothing.
                let whole = next.is_none() && (at == 0 || chars.get(at - 1) == Some(&'/'));
                let rooted = leading_slash && at == 1 || at > 1;
                out.push_str(if whole && rooted { "[^/]+" } else { "[^/]*" });
            }
            '?' => out.push_str("[^/]"),
            '[' => {
                let end = rest(at + 1).iter().position(|c| matches!(c, ']' | '/'));
                match end.filter(|end| chars.get(at + 1 + end) == Some(&']')) {
                    Some(end) => {
                        out.push_str(&class(rest(at + 1).get(..end).unwrap_or_default()));
                        at += end + 1;
                    }
                    // Never closed: the pattern matches nothing.
                    None => return NOTHING.to_owned(),
                }
            }
            '\\' => match next {
                Some('/') | None => out.push_str("\\\\"),
                Some(escaped) => {
                    out.push_str(&regex::escape(escaped.encode_utf8(&mut [0; 4])));
                    at += 1;
                }
            },
            c => out.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
        }
        at += 1;
    }
    // A path of a directory ends in a slash; a pattern that does wants one, any other takes it or leaves it.
    out.push_str(if chars.last() == Some(&'/') { "$" } else { "/?$" });
    out
}

/// A pattern that matches no text.
const NOTHING: &str = "[^\\s\\S]";

/// Whether `**` follows and nothing but a slash or the end after it.
fn is_globstar(rest: &[char]) -> bool {
    rest.starts_with(&['*', '*']) && matches!(rest.get(2), None | Some('/'))
}

/// One character class: literal characters and ranges; a range that goes backwards is left out.
fn class(inside: &[char]) -> String {
    if inside.iter().rev().take_while(|c| **c == '\\').count() % 2 == 1 {
        return NOTHING.to_owned();
    }
    let mut out = String::new();
    let mut at = 0;
    let literal = |c: char| {
        if c.is_alphanumeric() { c.to_string() } else { format!("\\x{{{:X}}}", u32::from(c)) }
    };
    while let Some(&c) = inside.get(at) {
        match (inside.get(at + 1), inside.get(at + 2)) {
            (Some('-'), Some(&to)) => {
                if c <= to {
                    out.push_str(&format!("{}-{}", literal(c), literal(to)));
                }
                at += 3;
            }
            _ => {
                out.push_str(&literal(c));
                at += 1;
            }
        }
    }
    if out.is_empty() { NOTHING.to_owned() } else { format!("[{out}]") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every row was measured on the three versions: the pattern, and which of [`PATHS`] it brings in.
    const PATHS: [&str; 15] = [
        "src/a.rs",
        "a.rs",
        "src/sub/b.ts",
        "Src/C.RS",
        "sp ace/f.txt",
        ".hidden/x.rs",
        ".dot",
        "é.rs",
        "(a).rs",
        "^a.rs",
        "#x",
        "!x",
        "docs/src/q.rs",
        "].rs",
        "a}.rs",
    ];

    fn hits(patterns: &[&str]) -> Vec<&'static str> {
        let patterns = Patterns::new(patterns.iter().copied());
        PATHS.into_iter().filter(|path| patterns.matching(path).is_some()).collect()
    }

    #[test]
    fn patterns_match_as_the_client_does() {
        let in_src = ["src/a.rs", "src/sub/b.ts", "Src/C.RS"];
        let any_src = ["src/a.rs", "src/sub/b.ts", "Src/C.RS", "docs/src/q.rs"];
        for pattern in ["src", "src/", "**/src", "src**", "**src"] {
            assert_eq!(hits(&[pattern]), any_src, "{pattern}");
        }
        for pattern in ["/src", "src/*", "src/**/", "src/***", "src/**/*"] {
            assert_eq!(hits(&[pattern]), in_src, "{pattern}");
        }
        for (pattern, want) in [
            ("src/?.rs", vec!["src/a.rs", "Src/C.RS"]),
            ("src/[ab].rs", vec!["src/a.rs"]),
            ("src/[!a].rs", vec!["src/a.rs"]),
            ("src/[^a].rs", vec!["src/a.rs"]),
            ("[a-c].rs", vec!["src/a.rs", "a.rs", "Src/C.RS"]),
            ("src/**/b.ts", vec!["src/sub/b.ts"]),
            ("**/sub", vec!["src/sub/b.ts"]),
            ("SRC/A.RS", vec!["src/a.rs"]),
            ("É.RS", vec!["é.rs"]),
            ("/a.rs", vec!["a.rs"]),
            ("/**/a.rs", vec!["src/a.rs", "a.rs"]),
            ("*/a.rs", vec!["src/a.rs"]),
            ("s**/a.rs", vec!["src/a.rs"]),
            ("src/**a.rs", vec!["src/a.rs"]),
            ("\\#x", vec!["#x"]),
            ("\\!x", vec!["!x"]),
            ("a\\.rs", vec!["src/a.rs", "a.rs"]),
            ("sp ace", vec!["sp ace/f.txt"]),
            ("sp\\ ace", vec!["sp ace/f.txt"]),
            (".*", vec![".hidden/x.rs", ".dot"]),
            ("(a).rs", vec!["(a).rs"]),
            ("^a.rs", vec!["^a.rs"]),
            ("*/*/*", vec!["src/sub/b.ts", "docs/src/q.rs"]),
            ("*.[!t]s", vec!["src/sub/b.ts"]),
            (
                "**/",
                vec!["src/a.rs", "src/sub/b.ts", "Src/C.RS", "sp ace/f.txt", ".hidden/x.rs", "docs/src/q.rs"],
            ),
        ] {
            assert_eq!(hits(&[pattern]), want, "{pattern}");
        }
        for all in ["*", "/*", "**/*", "***"] {
            assert_eq!(hits(&[all]), PATHS, "{all}");
        }
        #[rustfmt::skip]
        let table = [
            "./src", "../x", "~/src", "/sub", "sub/b.ts", "a.rs/", "src/a.rs/", "!a.rs", "# c",
            "src\\/a.rs", "a.{rs", "[z-a].rs", "[a", "[]a].rs", "[[:alpha:]].rs", "@(a|b).rs", "a.rs$",
            "src//a.rs", "src/./a.rs", "src/a", "/", "//", "//src", "?", "\\*.rs", "x\\", "[\\]].rs",
            "src /a.rs", "src/a.rs/**/x", "src/**\ndocs/**",
        ];
        for none in table {
            assert_eq!(hits(&[none]), [""; 0], "{none}");
        }
    }

    #[test]
    fn later_patterns_win_but_not_inside_a_matched_directory() {
        assert_eq!(hits(&["src/*.rs", "!src/a.rs"]), ["Src/C.RS"]);
        assert_eq!(hits(&["src", "!src/a.rs"]), ["src/a.rs", "src/sub/b.ts", "Src/C.RS", "docs/src/q.rs"]);
        assert_eq!(hits(&["!src/a.rs", "src/*.rs"]), ["src/a.rs", "Src/C.RS"]);
        assert_eq!(hits(&["src/*", "!src/sub"]), ["src/a.rs", "Src/C.RS"]);
        assert_eq!(hits(&["src", "!src"]), [""; 0]);
        assert_eq!(hits(&["*", "!src"]), PATHS, "a file in it matches by its own name");
        assert_eq!(hits(&["*.rs", "!*.rs", "a.rs"]), ["src/a.rs", "a.rs"]);
    }

    #[test]
    fn the_pattern_that_decided_is_named() {
        let patterns = Patterns::new(["docs", "*.rs"]);
        assert_eq!(patterns.matching("x/docs/y.rs"), Some("docs"));
        assert_eq!(patterns.matching("x/y.rs"), Some("*.rs"));
    }
}

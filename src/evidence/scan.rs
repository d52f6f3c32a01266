//! One pass over a text for all literals; the rules are in [`super::needles`].

use super::needles::{Needles, Use, trim_dashes};

/// Where a literal stands in a text: its number, and the byte.
pub(super) type Spot = (usize, usize);

/// How many lines with one literal are kept of one text.
const PER_TEXT: usize = 2;

/// What is seen before the whole text is known.
#[derive(Debug, Default)]
struct Sight {
    found: Vec<Spot>,
    /// Words of literals that have several.
    parts: Vec<(usize, u8, usize)>,
    /// Bare names of flags, where they look like a definition.
    names: Vec<Spot>,
    /// Identifiers that are a flag's name, should this be a file that deals with options.
    options: Vec<Spot>,
    has_parser: bool,
}

/// A word in its surroundings.
struct Word<'a> {
    text: &'a [u8],
    word: &'a [u8],
    /// Where it begins, its dashes not counted.
    at: usize,
    /// How many dashes come before it; `None` when it is in the middle of something longer.
    dashes: Option<usize>,
}

/// Looks for everything in one text, from the file at this path. In prose a flag is only one with its dashes.
/// Gives the spots by literal and then by place, a few for each.
pub(super) fn scan(needles: &Needles, text: &[u8], path: &str, is_prose: bool) -> Vec<Spot> {
    let extension = super::kind::name(path).rsplit_once('.').map_or("", |(_, extension)| extension);
    let mut sight = Sight::default();
    let mut bytes = text.iter().enumerate();
    while let Some((start, first)) = bytes.by_ref().find(|(_, byte)| is_word(**byte) || **byte == b'-') {
        let mut has_dash = *first == b'-';
        let after = bytes.by_ref().find(|(_, byte)| {
            has_dash |= **byte == b'-';
            !is_word(**byte) && **byte != b'-'
        });
        let run = text.get(start..after.map_or(text.len(), |(end, _)| end)).unwrap_or_default();
        let mut look = |word: &[u8], at: usize, dashes: Option<usize>| {
            for meaning in needles.uses(word) {
                sight.see(*meaning, &Word { text, word, at, dashes }, extension);
            }
        };
        if !has_dash {
            look(run, start, Some(0));
            continue;
        }
        let core = trim_dashes(run);
        let dashes = run.iter().take_while(|byte| **byte == b'-').count();
        let is_whole = dashes + core.len() == run.len();
        look(core, start + dashes, is_whole.then_some(dashes));
        if core.contains(&b'-') {
            let mut at = start + dashes;
            for word in core.split(|byte| *byte == b'-') {
                look(word, at, None);
                at += word.len() + 1;
            }
        }
    }
    sight.settle(needles, text, is_prose)
}

impl Sight {
    fn see(&mut self, meaning: Use, word: &Word<'_>, extension: &str) {
        match meaning {
            Use::Whole(literal) => self.found.push((literal, word.at)),
            Use::Part(literal, part) => self.parts.push((literal, part, word.at)),
            Use::Flag(literal, dashes) if word.dashes == Some(dashes) => self.found.push((literal, word.at)),
            Use::Bare(literal) if word.dashes == Some(0) && word.is_named() => {
                self.names.push((literal, word.at))
            }
            Use::Option(literal) => self.options.push((literal, word.at)),
            Use::Parser(only) => self.has_parser |= only.is_empty() || only == extension,
            Use::Flag(..) | Use::Bare(_) => {}
        }
    }

    fn settle(mut self, needles: &Needles, text: &[u8], is_prose: bool) -> Vec<Spot> {
        if !is_prose {
            self.found.append(&mut self.names);
            if self.has_parser {
                self.found.append(&mut self.options);
            }
        }
        self.parts.sort_unstable();
        for one in self.parts.chunk_by(|a, b| a.0 == b.0) {
            let Some((literal, last, _)) = one.last().copied() else { continue };
            let kinds = one.chunk_by(|a, b| a.1 == b.1).count();
            if needles.parts.get(literal).is_some_and(|parts| usize::from(*parts) == kinds) {
                let spots = one.iter().filter(|(_, part, _)| *part == last).take(PER_TEXT);
                self.found.extend(spots.map(|(literal, _, at)| (*literal, *at)));
            }
        }
        self.found.sort_unstable();
        let mut kept: Vec<Spot> = Vec::new();
        for one in self.found.chunk_by(|a, b| a.0 == b.0) {
            let mut line_end = 0;
            let mut count = 0;
            for (literal, at) in one {
                if count < PER_TEXT && (count == 0 || *at > line_end) {
                    kept.push((*literal, *at));
                    count += 1;
                    let rest = text.get(*at..).unwrap_or_default();
                    line_end = memchr::memchr(b'\n', rest).map_or(text.len(), |length| at + length);
                }
            }
        }
        kept
    }
}

impl Word<'_> {
    /// Whether it is quoted, or a key.
    fn is_named(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.text.get(at));
        let after = self.text.get(self.at + self.word.len());
        let is_quote = |byte: Option<&u8>| byte.is_some_and(|byte| matches!(byte, b'"' | b'\'' | b'`'));
        (is_quote(before) && is_quote(after)) || after.is_some_and(|byte| matches!(byte, b':' | b'='))
    }
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::project::Wanted;
    use std::collections::BTreeSet;

    fn wanted(symbols: &[&str], flags: &[&str], settings: &[&str]) -> Wanted {
        let set = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<BTreeSet<_>>();
        Wanted { symbols: set(symbols), flags: set(flags), settings: set(settings) }
    }

    fn stands(wanted: &Wanted, text: &str, path: &str) -> bool {
        !scan(&Needles::new(wanted), text.as_bytes(), path, super::super::kind::is_prose(path)).is_empty()
    }

    #[test]
    fn symbols_are_whole_words() {
        let one = wanted(&["settle_batch"], &[], &[]);
        for (text, expected) in [
            ("fn settle_batch() {}", true),
            ("settle_batch", true),
            ("x.settle_batch-1", true),
            ("정산settle_batch를", true),
            ("settle_batches", false),
            ("resettle_batch", false),
            ("settle-batch", false),
            ("Settle_batch", false),
        ] {
            assert_eq!(stands(&one, text, "a.rs"), expected, "{text}");
        }
    }

    #[test]
    fn a_path_of_words_needs_all_of_them_in_one_file() {
        let method = wanted(&["Ledger::open"], &[], &[]);
        assert!(stands(&method, "impl Ledger {\n    fn open() {}\n}", "a.rs"));
        assert!(stands(&method, "Ledger::open()", "a.rs"));
        assert!(!stands(&method, "fn open() {}", "a.rs"));
        assert!(!stands(&method, "struct Ledger;", "a.rs"));
        let spots = scan(&Needles::new(&method), b"impl Ledger {\n    fn open() {}\n}", "a.rs", false);
        assert_eq!(spots, [(0, 21)], "the place is that of the last word");
        let key = wanted(&[], &[], &["cache.max-age"]);
        for (text, expected) in [
            ("[cache]\nmax-age = 3\n", true),
            ("cache:\n  max-age: 3\n", true),
            ("struct Cache;\n\"max-age\"", true),
            ("[cache]\nmax_age = 3\n", false),
            ("[store]\nmax-age = 3\n", false),
        ] {
            assert_eq!(stands(&key, text, "a.toml"), expected, "{text}");
        }
    }

    #[test]
    fn flags_are_bounded_by_dashes_too() {
        let one = wanted(&[], &["--foo-bar"], &[]);
        for (text, expected) in [
            ("run --foo-bar now", true),
            ("[--foo-bar=3]", true),
            ("--foo-bar", true),
            ("--foo-bar를", true),
            ("--foo-bar-baz", false),
            ("---foo-bar", false),
            ("-foo-bar", false),
            ("x--foo-bar", false),
            ("--foo-barn", false),
            ("--foo", false),
            ("a foo-bar of words", false),
        ] {
            assert_eq!(stands(&one, text, "a.sh"), expected, "{text}");
            assert_eq!(stands(&one, text, "a.md"), expected, "{text}");
        }
        assert!(stands(&wanted(&[], &["-x"], &[]), "run -x", "a.sh"));
        assert!(!stands(&wanted(&[], &["-x"], &[]), "run --x x", "a.sh"));
    }

    #[test]
    fn flags_are_defined_in_many_forms() {
        let one = wanted(&[], &["--dry-run"], &[]);
        for (text, path, expected) in [
            ("#[arg(long)]\ndry_run: bool,", "a.rs", true),
            ("#[arg(long = \"dry-run\")]", "a.rs", true),
            ("p.add_argument('--dry-run')", "a.py", true),
            ("cmd.Flags().BoolVar(&d, \"dry-run\", false, \"\")", "a.go", true),
            ("yargs.option({ dryRun: {} })", "a.js", true),
            ("DEFINE_bool(dry_run, false)", "a.cc", true),
            ("  dry-run:\n    type: boolean", "action.yml", true),
            ("let dry_run = 1;", "a.rs", false),
            ("// a dry-run of it", "a.rs", false),
            ("use `dry-run` with clap", "a.md", false),
            ("dryRun", "a.js", false),
        ] {
            assert_eq!(stands(&one, text, path), expected, "{text}");
        }
        let short = wanted(&[], &["--verify"], &[]);
        assert!(stands(&short, "import argparse\nverify", "a.py"));
        assert!(!stands(&short, "\"verify\"", "a.py"), "a single word is quoted everywhere");
        assert!(
            stands(&short, "flag.Bool(\"verify\")", "a.go") && !stands(&short, "flag \"verify\"", "a.py")
        );
        let negative = wanted(&[], &["--no-color"], &[]);
        assert!(stands(&negative, "clap color", "a.rs") && stands(&negative, "'--color'", "a.js"));
        assert!(!stands(&negative, "color", "a.js"));
    }

    #[test]
    fn a_few_lines_of_each_are_kept() {
        let one = wanted(&["ab"], &[], &[]);
        let spots = scan(&Needles::new(&one), b"ab ab\nab\nab\n", "a.rs", false);
        assert_eq!(spots, [(0, 0), (0, 6)]);
    }

    #[test]
    fn odd_literals_and_texts_are_no_trouble() {
        let odd =
            wanted(&["", "::", "a::b::c::d::e::f::g::h::i::j", "größe"], &["", "--", "---", "--=x"], &["."]);
        assert!(!stands(&odd, "-- --- :: . - \u{0}", "a.rs"));
        assert!(stands(&odd, "größe", "a.rs"));
    }
}

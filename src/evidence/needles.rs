//! What is looked for, made ready for one pass over a text: a table from words to the literals they belong to.
//!
//! Every literal is made of whole words, so a text is cut into words once and each is looked up: the time does not
//! depend on how many literals there are. The rules:
//!
//! - A **word** is a run of ASCII letters, digits and `_`; everything else bounds it.
//! - A **symbol** or **setting** of one word stands where the word stands. One of several (`Ledger::open`,
//!   `cache.ttl`) stands where its last word does, in a file that holds the others too: a method under its type, a
//!   key under its section. A section may be written in another case (`Cache`, `CACHE`).
//! - A **flag** stands where it is written, dashes and all: `--foo` is neither in `--foo-bar` nor in `---foo`.
//!   Many programs define it in other forms, so in code it also stands where its bare name of several words is quoted
//!   or is a key (`"dry-run"`, `dry-run:`), and, in a file that deals with options (it names a parser of options, see
//!   [`PARSERS`]), where its name is an identifier (`dry_run`, `dryRun`, `DryRun`, `DRY_RUN`). A flag `--no-x`
//!   stands where `x` is defined. All these err on one side: what might be there is not called gone.

use crate::check::project::Wanted;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Words that only files that deal with options hold, with the extension that they tell something in (empty: any).
const PARSERS: &[(&str, &str)] = &[
    ("clap", ""),
    ("structopt", ""),
    ("StructOpt", ""),
    ("bpaf", ""),
    ("lexopt", ""),
    ("pico_args", ""),
    ("argh", ""),
    ("Parser", "rs"),
    ("Args", "rs"),
    ("arg", "rs"),
    ("argparse", ""),
    ("add_argument", ""),
    ("ArgumentParser", ""),
    ("optparse", ""),
    ("OptionParser", ""),
    ("add_option", ""),
    ("docopt", ""),
    ("click", "py"),
    ("typer", ""),
    ("absl", ""),
    ("gflags", ""),
    ("DEFINE_bool", ""),
    ("DEFINE_string", ""),
    ("DEFINE_int32", ""),
    ("getopt", ""),
    ("getopts", ""),
    ("getopt_long", ""),
    ("commander", ""),
    ("yargs", ""),
    ("minimist", ""),
    ("oclif", ""),
    ("parseArgs", ""),
    ("citty", ""),
    ("cobra", ""),
    ("pflag", ""),
    ("kingpin", ""),
    ("urfave", ""),
    ("flag", "go"),
    ("picocli", ""),
    ("JCommander", ""),
    ("jcommander", ""),
    ("addOption", ""),
    ("addOptions", ""),
    ("method_option", ""),
    ("clikt", ""),
    ("ArgParser", ""),
];

/// Literals made ready.
#[derive(Debug, Default)]
pub(super) struct Needles {
    /// The literals as they were asked for.
    pub(super) literals: Vec<String>,
    /// How many words each has.
    pub(super) parts: Vec<u8>,
    words: HashMap<Box<[u8]>, Vec<Use>, BuildHasherDefault<Fnv>>,
    /// For each first byte the lengths that occur, a bit each; the last stands for all that are longer.
    lengths: Vec<u64>,
}

/// What a word means to a literal (its number).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// It is the literal.
    Whole(usize),
    /// It is one of its words, the last one being the highest.
    Part(usize, u8),
    /// It is the flag, when so many dashes come before it.
    Flag(usize, usize),
    /// It is the flag's bare name, when it is quoted or a key.
    Bare(usize),
    /// It is the flag's name as an identifier, when the file deals with options.
    Option(usize),
    /// It shows that the file deals with options, when it has this extension.
    Parser(&'static str),
}

impl Needles {
    /// Everything that is wanted.
    pub(super) fn new(wanted: &Wanted) -> Self {
        let mut needles = Self { lengths: vec![0; 256], ..Self::default() };
        for symbol in &wanted.symbols {
            needles.add_words(symbol, false);
        }
        for setting in wanted.settings.difference(&wanted.symbols) {
            needles.add_words(setting, true);
        }
        for flag in &wanted.flags {
            needles.add_flag(flag);
        }
        if !wanted.flags.is_empty() {
            for (word, extension) in PARSERS {
                needles.add(word.as_bytes(), Use::Parser(extension));
            }
        }
        needles
    }

    /// What a word means; empty for nearly all.
    pub(super) fn uses(&self, word: &[u8]) -> &[Use] {
        let first = word.first().map_or(0, |byte| usize::from(*byte));
        let lengths = self.lengths.get(first).copied().unwrap_or_default();
        if lengths & length_bit(word) == 0 {
            return &[];
        }
        self.words.get(word).map(Vec::as_slice).unwrap_or_default()
    }

    fn literal(&mut self, literal: &str, parts: usize) -> usize {
        self.literals.push(literal.to_owned());
        self.parts.push(u8::try_from(parts).unwrap_or(u8::MAX));
        self.literals.len() - 1
    }

    fn add(&mut self, word: &[u8], meaning: Use) {
        if let Some(lengths) = word.first().and_then(|first| self.lengths.get_mut(usize::from(*first))) {
            *lengths |= length_bit(word);
            let uses = self.words.entry(word.into()).or_default();
            if !uses.contains(&meaning) {
                uses.push(meaning);
            }
        }
    }

    fn add_words(&mut self, literal: &str, is_setting: bool) {
        let is_word =
            |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || (is_setting && *byte == b'-');
        let mut words = Vec::new();
        for run in literal.as_bytes().split(|byte| !is_word(byte)) {
            let word = trim_dashes(run);
            if !word.is_empty() && !words.contains(&word) {
                words.push(word);
            }
        }
        // More words than bits: the last ones tell the most.
        let words = words.get(words.len().saturating_sub(MOST_PARTS)..).unwrap_or_default();
        let number = self.literal(literal, words.len());
        match words {
            [word] => self.add(word, Use::Whole(number)),
            words => {
                let last = words.len().saturating_sub(1);
                for (at, word) in words.iter().enumerate() {
                    let meaning = Use::Part(number, u8::try_from(at).unwrap_or_default());
                    self.add(word, meaning);
                    if is_setting && at < last {
                        self.add(&word.to_ascii_lowercase(), meaning);
                        self.add(&word.to_ascii_uppercase(), meaning);
                        self.add(&joined(word, true), meaning);
                    }
                }
            }
        }
    }

    fn add_flag(&mut self, flag: &str) {
        let name = flag.trim_start_matches('-');
        let dashes = match flag.len() - name.len() {
            0 => 2,
            dashes => dashes,
        };
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let name = trim_dashes(name.as_bytes().split(|byte| !is_name(byte)).next().unwrap_or_default());
        let number = self.literal(flag, 1);
        self.add(name, Use::Flag(number, dashes));
        if name.len() < 2 {
            return;
        }
        let positive = name.strip_prefix(b"no-").filter(|positive| positive.len() > 1);
        if let Some(positive) = positive {
            self.add(positive, Use::Flag(number, 2));
        }
        for name in [Some(name), positive].into_iter().flatten() {
            if name.contains(&b'-') {
                self.add(name, Use::Bare(number));
            }
            let snake: Vec<u8> = name.iter().map(|byte| if *byte == b'-' { b'_' } else { *byte }).collect();
            for form in [snake.to_ascii_uppercase(), joined(name, false), joined(name, true), snake] {
                self.add(&form, Use::Option(number));
            }
        }
    }
}

/// As many words of one literal are told apart.
const MOST_PARTS: usize = 8;

/// `dry-run` as `dryRun` or `DryRun`.
fn joined(name: &[u8], first_too: bool) -> Vec<u8> {
    let mut upper = first_too;
    let mut out = Vec::with_capacity(name.len());
    for byte in name {
        if matches!(byte, b'-' | b'_') {
            upper = true;
        } else {
            out.push(if upper { byte.to_ascii_uppercase() } else { *byte });
            upper = false;
        }
    }
    out
}

pub(super) fn trim_dashes(run: &[u8]) -> &[u8] {
    let start = run.iter().position(|byte| *byte != b'-').unwrap_or(run.len());
    let end = run.iter().rposition(|byte| *byte != b'-').map_or(start, |last| last + 1);
    run.get(start..end).unwrap_or_default()
}

fn length_bit(word: &[u8]) -> u64 {
    1 << word.len().min(63)
}

/// FNV-1a: words are short, and who could choose them to collide could as well write a long file.
#[derive(Debug, Clone, Copy)]
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn write_usize(&mut self, number: usize) {
        self.write(&[u8::try_from(number & 0xff).unwrap_or_default()]);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

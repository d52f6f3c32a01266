//! Which part of the index loads: the first 200 lines or 25,000 UTF-16 units of what is left after
//! frontmatter, comments and blanks are taken off (CLIENT_FACTS B: measured).

use crate::memory::index::lines;
use crate::prompt::strip::{Mapped, strip};
use crate::prompt::versions;

/// The most lines of the index that load.
pub const MAX_LINES: usize = 200;
/// The most UTF-16 units of the index that load.
pub const MAX_UNITS: usize = 25_000;
/// The largest file that loads, in bytes (CLIENT_FACTS B5: measured on 2.1.197 and 2.1.332).
pub const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Where versions of the client differ. One entry of the table of versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// The largest file that loads, in bytes.
    pub max_bytes: Option<usize>,
    /// A byte order mark is taken off before the frontmatter is looked for. (What else such a client cleans, it cleans
    /// after the limits: `prompt::sent`.)
    pub sanitises: bool,
    /// Link reference definitions stay when comments are stripped.
    pub keeps_definitions: bool,
    /// What becomes of a character beyond U+FFFF that the hard cut goes through.
    pub split_pair: SplitPair,
}

/// What a client does with half a surrogate pair at the hard cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitPair {
    /// It sends the first half alone, which is no character ([`Loaded::half`]).
    Kept,
    /// It sends U+FFFD.
    Replaced,
    /// It sends nothing.
    Dropped,
}

impl Rules {
    /// Version 2.1.100, measured.
    pub const V100: Self =
        Self { max_bytes: None, sanitises: false, keeps_definitions: false, split_pair: SplitPair::Kept };
    /// Version 2.1.197, measured.
    pub const V197: Self = Self {
        max_bytes: Some(MAX_BYTES),
        sanitises: false,
        keeps_definitions: false,
        split_pair: SplitPair::Replaced,
    };
    /// Version 2.1.332, measured.
    pub const V332: Self = Self {
        max_bytes: Some(MAX_BYTES),
        sanitises: true,
        keeps_definitions: true,
        split_pair: SplitPair::Dropped,
    };
}

impl From<&versions::Rules> for Rules {
    fn from(rules: &versions::Rules) -> Self {
        Self {
            max_bytes: rules.size_limit.then_some(MAX_BYTES),
            sanitises: rules.sanitises,
            keeps_definitions: rules.keeps_definitions,
            split_pair: match () {
                () if rules.keeps_half_pair => SplitPair::Kept,
                () if rules.replaces_half_pair => SplitPair::Replaced,
                () => SplitPair::Dropped,
            },
        }
    }
}

/// What loads of an index.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Loaded {
    /// The text that loads, without the client's notice.
    pub text: String,
    /// Half a character beyond U+FFFF that the text ends in (only [`SplitPair::Kept`]); it counts in `kept_units`.
    pub half: Option<u16>,
    /// The stripped text below the cut.
    pub cut_text: String,
    /// Lines and UTF-16 units of the whole text after stripping and trimming.
    pub lines: usize,
    /// See `lines`.
    pub units: usize,
    /// Lines and UTF-16 units that are kept.
    pub kept_lines: usize,
    /// See `kept_lines`.
    pub kept_units: usize,
    /// The limit of lines was exceeded.
    pub over_lines: bool,
    /// The limit of size was exceeded.
    pub over_size: bool,
    /// The file is so large that the client does not load it at all, and does not say so.
    pub too_large: bool,
    /// For each physical line of the file, whether it loads: whole, in part, or not (stripped or cut).
    pub fate: Vec<Fate>,
}

/// What becomes of one physical line of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It loads.
    Loads,
    /// It is stripped: frontmatter, a comment, or blank lines at an end.
    Stripped,
    /// It lies below the cut, or the cut goes through it.
    Cut,
}

/// What loads of an index with these bytes, by the rules of version 2.1.197.
#[must_use]
pub fn load(bytes: &[u8]) -> Loaded {
    load_with(bytes, &Rules::V197)
}

/// What loads of an index with these bytes, by the rules of one version.
#[must_use]
pub fn load_with(bytes: &[u8], rules: &Rules) -> Loaded {
    let physical = lines(bytes);
    if rules.max_bytes.is_some_and(|most| bytes.len() > most) {
        return Loaded { too_large: true, fate: vec![Fate::Cut; physical.len()], ..Loaded::default() };
    }
    cut(bytes, &physical, &strip(bytes, rules), rules)
}

/// What loads of a sub-agent's index: the same limits, but only blanks at the ends are taken off (CLIENT_FACTS E).
#[must_use]
pub fn load_whole(bytes: &[u8], rules: &Rules) -> Loaded {
    cut(bytes, &lines(bytes), &Mapped::decode(bytes).trimmed(), rules)
}

fn cut(bytes: &[u8], physical: &[std::ops::Range<usize>], whole: &Mapped, rules: &Rules) -> Loaded {
    let text = whole.text.as_str();
    let (line_count, units) = measure(text);
    let over_lines = line_count > MAX_LINES;
    let over_size = units > MAX_UNITS;
    let mut kept = text.len();
    if over_lines {
        kept = memchr::memchr_iter(b'\n', text.as_bytes()).nth(MAX_LINES - 1).unwrap_or(kept);
    }
    let mut replaced = "";
    let mut half = None;
    if over_size && measure(text.get(..kept).unwrap_or_default()).1 > MAX_UNITS {
        let (cut, split) = size_cut(text.get(..kept).unwrap_or_default());
        let char = text.get(cut..).and_then(|rest| rest.chars().next()).filter(|_| split);
        match rules.split_pair {
            SplitPair::Kept => half = char.and_then(|c| c.encode_utf16(&mut [0; 2]).first().copied()),
            SplitPair::Replaced if split => replaced = "\u{FFFD}",
            SplitPair::Replaced | SplitPair::Dropped => {}
        }
        kept = cut;
    }
    let loaded = format!("{}{replaced}", text.get(..kept).unwrap_or_default());
    let (kept_lines, kept_units) = measure(&loaded);
    let cut_text = text.get(kept..).unwrap_or_default().to_owned();
    Loaded {
        lines: line_count,
        units,
        kept_lines,
        kept_units: kept_units + usize::from(half.is_some()),
        half,
        cut_text,
        over_lines,
        over_size,
        too_large: false,
        fate: fates(bytes, physical, whole, kept),
        text: loaded,
    }
}

/// Lines (by LF) and UTF-16 units.
fn measure(text: &str) -> (usize, usize) {
    let lines = if text.is_empty() { 0 } else { memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1 };
    (lines, text.chars().map(char::len_utf16).sum())
}

/// Where a text of more than [`MAX_UNITS`] is cut (a byte offset): at the last LF at or before that unit, else
/// hard there; and whether the hard cut goes through a character.
fn size_cut(text: &str) -> (usize, bool) {
    let mut units = 0;
    let mut line_feed = None;
    for (at, c) in text.char_indices() {
        if units > MAX_UNITS || (units == MAX_UNITS && c != '\n') {
            // Reached only when the character before went beyond, or the next one would.
            return line_feed.map_or((at, false), |feed| (feed, false));
        }
        if c == '\n' {
            line_feed = Some(at);
        }
        if units + c.len_utf16() > MAX_UNITS && c.len_utf16() == 2 {
            return line_feed.map_or((at, true), |feed| (feed, false));
        }
        units += c.len_utf16();
    }
    (line_feed.unwrap_or(text.len()), false)
}

/// What becomes of each physical line when `kept` bytes of the stripped text load.
fn fates(bytes: &[u8], physical: &[std::ops::Range<usize>], whole: &Mapped, kept: usize) -> Vec<Fate> {
    let ends = physical.iter().skip(1).map(|next| next.start).chain([bytes.len()]);
    let mut from = 0;
    let mut ends_from = 0;
    physical
        .iter()
        .zip(ends)
        .map(|(line, end)| {
            let text = whole.place_of(line, &mut from);
            let feed = whole.place_of(&(line.end..end), &mut ends_from);
            match (text, feed) {
                (Some(text), _) if text.end <= kept => Fate::Loads,
                (None, Some(feed)) if feed.start <= kept => Fate::Loads,
                (None, None) => Fate::Stripped,
                _ => Fate::Cut,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests;

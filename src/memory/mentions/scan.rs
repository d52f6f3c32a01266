//! Finds what one block names: code spans first, then links, quotes and words of prose.

use super::{Excuse, Kind, Mention, command, names, path};
use std::ops::Range;

/// What one block names, and the bytes that are no prose: code, links, names.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub things: Vec<Mention>,
    pub masked: Vec<Range<usize>>,
    /// Other programs that the block names as commands, with where they stand.
    pub programs: Vec<usize>,
}

/// Scans a block of prose.
pub(super) fn prose(text: &str, range: Range<usize>) -> Scan {
    let mut scan = Scan::default();
    let mut at = range.start;
    let bytes = text.as_bytes().get(..range.end).unwrap_or_default();
    while let Some(&byte) = bytes.get(at) {
        at = match byte {
            b'`' => scan.span(text, bytes, at),
            b'[' if bytes.get(at + 1) == Some(&b'[') => scan.wikilink(bytes, at),
            b']' if bytes.get(at + 1) == Some(&b'(') => scan.destination(text, bytes, at + 2),
            b'"' | b'\'' | 0xE2 | 0xE3 | 0xC2 => scan.quoted(text, bytes, at),
            _ if starts_word(bytes, at) => scan.word(text, bytes, at),
            _ => at + 1,
        };
    }
    scan
}

/// Scans a line of fenced code: as a command, or as a sample.
pub(super) fn code_line(text: &str, range: Range<usize>) -> Scan {
    let mut scan = Scan::default();
    let line = text.get(range.clone()).unwrap_or_default();
    let start = range.start + (line.len() - line.trim_start_matches([' ', '\t', '$', '>', '%']).len());
    scan.code(text, start..range.end, true);
    scan
}

/// What the value of `verify` names: as code, and nothing excuses it but its form.
pub(super) fn proof(text: &str, value: Range<usize>, things: &mut Vec<Mention>) {
    let trimmed = |range: Range<usize>| {
        let raw = text.get(range.clone()).unwrap_or_default();
        let marks = [' ', '\t', '\n', '\r', '"', '\'', '`', '-', '|', '>'];
        let start = range.start + (raw.len() - raw.trim_start_matches(marks).len());
        start..(range.end - (raw.len() - raw.trim_end_matches(marks).len())).max(start)
    };
    for line in
        crate::memory::lines::Lines::new(text.as_bytes().get(..value.end).unwrap_or_default(), value.start)
    {
        let range = trimmed(line);
        let mut scan = Scan::default();
        scan.code(text, range.clone(), false);
        let word = text.get(range.clone()).unwrap_or_default();
        if scan.things.is_empty() && names::is_identifier(word) {
            scan.things.push(Mention::new(Kind::Symbol, word, range, true));
        }
        things.extend(scan.things.into_iter().map(|thing| Mention { is_proof: true, ..thing }));
    }
}

impl Scan {
    /// A code span that opens here; what is behind it.
    fn span(&mut self, text: &str, bytes: &[u8], at: usize) -> usize {
        let ticks = run(bytes, at, b'`');
        let mut from = at + ticks;
        while let Some(found) = memchr::memchr(b'`', bytes.get(from..).unwrap_or_default()) {
            let (close, length) = (from + found, run(bytes, from + found, b'`'));
            if length == ticks {
                self.masked.push(at..close + ticks);
                self.code(text, at + ticks..close, false);
                return close + ticks;
            }
            from = close + length;
        }
        at + ticks
    }

    fn wikilink(&mut self, bytes: &[u8], at: usize) -> usize {
        let rest = bytes.get(at..).unwrap_or_default();
        let rest = rest.get(..rest.len().min(300)).unwrap_or_default();
        match memchr::memmem::find(rest, b"]]") {
            Some(end) => {
                self.masked.push(at..at + end + 2);
                at + end + 2
            }
            None => at + 2,
        }
    }

    /// The destination of a link.
    fn destination(&mut self, text: &str, bytes: &[u8], at: usize) -> usize {
        let rest = bytes.get(at..).unwrap_or_default();
        let rest = rest.get(..rest.len().min(1000)).unwrap_or_default();
        let Some(length) = memchr::memchr2(b')', b'\n', rest) else { return at };
        let end = at + length;
        let range =
            if rest.first() == Some(&b'<') { at + 1..end.saturating_sub(1).max(at + 1) } else { at..end };
        let inside = text.get(range.clone()).unwrap_or_default();
        let url = inside.split([' ', '#', '?']).next().unwrap_or_default();
        // A link to a Markdown file without a directory leads to another memory.
        let is_memory = url.ends_with(".md") && !url.trim_start_matches("./").contains('/');
        if !is_memory && !url.starts_with('#') {
            self.path(text, range.start..range.start + url.len(), false);
        }
        self.masked.push(at..end);
        end
    }

    /// A quotation that is one path with blanks; else the sign alone is passed.
    fn quoted(&mut self, text: &str, bytes: &[u8], at: usize) -> usize {
        let rest = text.get(at..bytes.len()).unwrap_or_default();
        let Some(sign) = rest.chars().next() else { return at + 1 };
        let behind = at + sign.len_utf8();
        let close = match sign {
            '"' | '\'' => sign,
            '“' => '”',
            '‘' => '’',
            '「' => '」',
            '『' => '』',
            '«' => '»',
            _ if behind > at + 1 && starts_word(bytes, at) => return self.word(text, bytes, at),
            _ => return behind,
        };
        let tail = rest.get(sign.len_utf8()..).unwrap_or_default();
        let end = tail.char_indices().take(QUOTED).take_while(|(_, c)| *c != '\n').find(|(_, c)| *c == close);
        if let Some((length, _)) = end {
            let inside = tail.get(..length).unwrap_or_default();
            if inside.contains(' ') && inside.contains(['/', '\\']) && path::is_one_with_blanks(inside) {
                self.masked.push(behind..behind + length);
                self.path(text, behind..behind + length, false);
                return behind + length;
            }
        }
        behind
    }

    /// A word of prose that starts here.
    fn word(&mut self, text: &str, bytes: &[u8], at: usize) -> usize {
        let end = end_of_word(bytes, at);
        let word = text.get(at..end).unwrap_or_default();
        let followed = bytes.get(end).copied();
        if let Some(found) =
            memchr::memmem::find(word.as_bytes(), b"://").filter(|found| !is_assigned(word, *found))
        {
            let rest = text.get(at..bytes.len()).unwrap_or_default();
            let length =
                rest.find(|c: char| c.is_whitespace() || "<>\"`）」，。、".contains(c)).unwrap_or(rest.len());
            let scheme = scheme_start(word, found);
            if scheme == found || length <= found + 3 {
                return end.max(at + 1);
            }
            let start = at + scheme;
            self.masked.push(start..at + length);
            let mut url = Mention::new(
                Kind::Path,
                rest.get(start - at..length).unwrap_or_default(),
                start..at + length,
                false,
            );
            url.excuse = Some(Excuse::Url);
            self.things.push(url);
            return at + length;
        }
        let (start, end_trimmed) = trim(word);
        let range = at + start..at + end_trimmed;
        if range.is_empty() {
            return end.max(at + 1);
        }
        let cut = followed.is_some_and(|b| b >= 0x80) && text.get(end..).is_some_and(|t| t.starts_with('…'));
        self.thing(text, range, false, followed == Some(b'(') && end_trimmed == word.len(), cut);
        end.max(at + 1)
    }

    /// Code: one thing as a whole, or the words of a command or a sample.
    fn code(&mut self, text: &str, range: Range<usize>, is_fence: bool) {
        let inside = text.get(range.clone()).unwrap_or_default();
        let start = range.start + (inside.len() - inside.trim_start().len());
        let inside = inside.trim();
        let range = start..start + inside.len();
        if inside.is_empty() {
            return;
        }
        if !inside.contains([' ', '\t', '\n']) {
            let is_call = inside.contains('(') && !inside.contains("/(");
            if inside.contains(['/', '\\'])
                && !is_call
                && !inside.contains(['"', '=', ',', '$', ';'])
                && !inside.starts_with('-')
            {
                self.path(text, range, true);
            } else {
                self.words(text, range, is_fence);
            }
        } else if inside.contains(['/', '\\']) && path::is_one_with_blanks(inside) && !is_fence {
            self.path(text, range, true);
        } else {
            self.words(text, range, is_fence);
        }
    }

    /// The words of a piece of code, each for itself.
    fn words(&mut self, text: &str, range: Range<usize>, is_fence: bool) {
        let inside = text.get(range.clone()).unwrap_or_default();
        let before = self.things.len();
        let program = command::program(inside);
        if program.is_some() {
            self.programs.push(range.start);
        }
        let is_prose_sample = is_fence && inside.split_whitespace().next().is_some_and(names::is_definition);
        let bytes = text.as_bytes().get(..range.end).unwrap_or_default();
        let mut at = range.start;
        while let Some(&byte) = bytes.get(at) {
            if byte == b'#' && is_fence && (at == range.start || bytes.get(at - 1) == Some(&b' ')) {
                break; // a comment
            }
            if !starts_word(bytes, at) && byte != b'$' {
                at += 1;
                continue;
            }
            let end = end_of_word(bytes, at);
            let word = text.get(at..end).unwrap_or_default();
            let (start, trimmed) = trim(word);
            let call = bytes.get(end) == Some(&b'(') && trimmed == word.len();
            if start < trimmed {
                if word.find("://").is_some_and(|found| !is_assigned(word, found)) {
                    let mut url = Mention::new(Kind::Path, word, at..end, true);
                    url.excuse = Some(Excuse::Url);
                    self.things.push(url);
                } else {
                    self.thing(text, at + start..at + trimmed, true, call, false);
                }
            }
            at = end.max(at + 1);
        }
        let reads_environment = names::reads_environment(inside);
        let is_one = !inside.contains([' ', '\t']);
        for thing in self.things.iter_mut().skip(before) {
            let at = thing.range.start.saturating_sub(range.start);
            match thing.kind {
                Kind::Flag if thing.excuse.is_none() && command::owner(inside, at).is_some() => {
                    thing.excuse = Some(Excuse::Other);
                }
                Kind::Constant if reads_environment => thing.kind = Kind::Variable,
                Kind::Path if thing.excuse.is_none() => {
                    thing.excuse = command::of_argument(inside, at, &thing.text)
                }
                _ => {}
            }
        }
        if is_prose_sample {
            self.things.retain(|thing| thing.kind != Kind::Symbol);
        } else if is_fence || !is_one {
            // Within a sample or a command, only what is called or qualified is named as code.
            let is_call = |thing: &Mention| bytes.get(thing.range.end) == Some(&b'(');
            let mut number = 0;
            self.things.retain(|thing| {
                number += 1;
                number <= before
                    || thing.kind != Kind::Symbol
                    || is_call(thing)
                    || !is_fence && thing.text.contains(['_', ':'])
            });
        }
    }

    /// Whatever one word is.
    fn thing(&mut self, text: &str, range: Range<usize>, in_code: bool, call: bool, cut: bool) {
        let word = text.get(range.clone()).unwrap_or_default();
        if let Some(rest) = word.strip_prefix("--") {
            if let Some(name) = names::flag(rest) {
                let end = range.start + 2 + name.len();
                self.masked.push(range.start..end);
                self.things.push(Mention::new(Kind::Flag, format!("--{name}"), range.start..end, in_code));
                if word.get(2 + name.len()..).is_some_and(|value| value.starts_with('=')) {
                    self.path(text, end + 1..range.end, in_code);
                }
            }
            return;
        }
        if let Some((name, value)) = word.split_once('=')
            && names::is_constant(name.trim_start_matches('$'))
        {
            let start = range.start + (name.len() - name.trim_start_matches('$').len());
            self.push_name(
                names::Read { kind: Kind::Variable, at: start - range.start, end: name.len() },
                word,
                &range,
                in_code,
            );
            self.path(text, range.end - value.len()..range.end, in_code);
            return;
        }
        if let Some(name) = names::variable(word) {
            self.push_name(name, word, &range, in_code);
            return;
        }
        if self.path_or_cut(text, range.clone(), in_code, cut) {
            return;
        }
        if let Some(name) = names::read(word, in_code, call) {
            self.push_name(name, word, &range, in_code);
        }
    }

    fn push_name(&mut self, name: names::Read, word: &str, range: &Range<usize>, in_code: bool) {
        let Some(text) = word.get(name.at..name.end).filter(|text| !text.is_empty()) else { return };
        let place = range.start + name.at..range.start + name.end;
        self.masked.push(place.clone());
        let mut thing = Mention::new(name.kind, text, place, in_code);
        thing.excuse = names::excuse(name.kind, text);
        self.things.push(thing);
    }

    fn path(&mut self, text: &str, range: Range<usize>, in_code: bool) {
        let _ = self.path_or_cut(text, range, in_code, false);
    }

    /// Adds the path that this is, if it is one; `cut`: an ellipsis follows, so that it is not all of it.
    fn path_or_cut(&mut self, text: &str, range: Range<usize>, in_code: bool, cut: bool) -> bool {
        let word = text.get(range.clone()).unwrap_or_default();
        let Some(read) = path::read(word, in_code) else { return false };
        let place = range.start + read.range.start..range.start + read.range.end;
        self.masked.push(range);
        let mut thing = Mention::new(Kind::Path, read.text, place, in_code);
        thing.is_sure = read.is_sure;
        thing.excuse = if cut { Some(Excuse::Placeholder) } else { read.excuse };
        self.things.push(thing);
        true
    }
}

/// How many characters a quoted path may have.
const QUOTED: usize = 160;

fn run(bytes: &[u8], at: usize, sign: u8) -> usize {
    bytes.get(at..).unwrap_or_default().iter().take_while(|b| **b == sign).count()
}

/// Whether a byte belongs to words that may be paths or names. Letters of Latin scripts beyond ASCII do (their
/// first byte is C3 to C9), those of other scripts end a word: they stand directly beside a path.
const fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'_' | b'.'
                | b'/'
                | b'\\'
                | b'@'
                | b'+'
                | b'~'
                | b'%'
                | b'$'
                | b'#'
                | b':'
                | b'{'
                | b'}'
                | b'*'
                | b'='
                | b'-'
                | b'&'
                | b'?'
        )
}

fn starts_word(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(|b| is_word_byte(*b) || matches!(b, 0xC3..=0xC9)) || is_angle(bytes, at)
}

/// Whether `<name>` stands here, as a placeholder within a path.
fn is_angle(bytes: &[u8], at: usize) -> bool {
    bytes.get(at) == Some(&b'<') && angle(bytes, at).is_some()
}

fn angle(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at + 1..(at + 40).min(bytes.len()))?;
    let length = rest.iter().position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.')))?;
    (length > 0 && rest.get(length) == Some(&b'>')).then_some(at + length + 2)
}

fn end_of_word(bytes: &[u8], start: usize) -> usize {
    let (mut at, mut braces) = (start, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'<' => match angle(bytes, at) {
                Some(end) => at = end,
                None => break,
            },
            b'[' if at > start && bytes.get(at - 1) == Some(&b'/') => match bracket(bytes, at) {
                Some(end) => at = end,
                None => break,
            },
            b',' if braces > 0 => at += 1,
            0xC3..=0xC9 => at += 2,
            _ if is_word_byte(byte) => {
                match byte {
                    b'{' => braces += 1,
                    b'}' => braces = braces.saturating_sub(1),
                    _ => {}
                }
                at += 1;
            }
            _ => break,
        }
    }
    at.min(bytes.len())
}

/// Behind `[id]`, a part of a path in some frameworks.
fn bracket(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at + 1..(at + 40).min(bytes.len()))?;
    let length = rest.iter().position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.')))?;
    (length > 0 && rest.get(length) == Some(&b']')).then_some(at + length + 2)
}

/// A word without the marks of emphasis before it and the punctuation behind it.
fn trim(word: &str) -> (usize, usize) {
    let mut start = 0;
    if word.starts_with("**") && !word.starts_with("**/")
        || word.starts_with('*') && !word.starts_with("*.") && !word.starts_with("*/")
    {
        start = word.len() - word.trim_start_matches('*').len();
    }
    let head = word.get(start..).unwrap_or_default();
    start += head.len() - head.trim_start_matches("~~").len();
    let rest = word.get(start..).unwrap_or_default();
    let body = rest.trim_end_matches([':', '.', '?', '&', '=', '-', '#']);
    // `src/**` is a glob, `**src/a.rs**` is not.
    let body = if start > 0 || !body.contains("/*") { body.trim_end_matches('*') } else { body };
    let body = body.trim_end_matches("~~").trim_end_matches([':', '.', '?']);
    let body = if body.contains('{') { body } else { body.trim_end_matches('}') };
    let ellipsis = rest.get(body.len()..).is_some_and(|tail| tail.starts_with("...")) && body.contains('/');
    if body.starts_with("__") && body.ends_with("__") && body.contains('/') {
        return (start + 2, start + body.len() - 2);
    }
    (start, start + if ellipsis { body.len() + 3 } else { body.len() })
}

/// Whether a URL is the value of a name before it (`BASE_URL=http://…`).
fn is_assigned(word: &str, scheme: usize) -> bool {
    word.get(..scheme).is_some_and(|head| head.contains('='))
}

/// Where the scheme before `://` starts.
fn scheme_start(word: &str, at: usize) -> usize {
    let head = word.get(..at).unwrap_or_default();
    head.len() - head.bytes().rev().take_while(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b)).count()
}

//! The bytes of an index as text with the same offsets, and its physical lines.

use std::borrow::Cow;
use std::ops::Range;

/// Stands for one byte that is not UTF-8, so that offsets in the text are offsets in the bytes.
const BAD_BYTE: char = '\u{1A}';

/// An index as text, every offset of which is one in the bytes.
pub(super) struct Source<'a> {
    /// The text; a byte that is not UTF-8 is one placeholder byte.
    pub text: Cow<'a, str>,
    /// Where Markdown begins: behind a byte order mark and the frontmatter.
    pub start: usize,
    /// The physical lines, without their ends.
    pub lines: Vec<Range<usize>>,
}

impl<'a> Source<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let text = decode(bytes);
        let mark = if text.starts_with('\u{FEFF}') { 3 } else { 0 };
        let start = mark + frontmatter(text.get(mark..).unwrap_or_default());
        Self { start, lines: lines(bytes), text }
    }

    /// The text of a range, empty when it is out of bounds.
    pub(super) fn slice(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    /// The text of a physical line.
    pub(super) fn line(&self, line: usize) -> &str {
        self.lines.get(line).map_or("", |range| self.slice(range.clone()))
    }

    /// The physical line that holds a byte.
    pub(super) fn line_of(&self, at: usize) -> usize {
        self.lines.partition_point(|line| line.start <= at).saturating_sub(1)
    }

    /// The physical lines of a byte range, without blank ones at its end.
    pub(super) fn lines_of(&self, range: &Range<usize>) -> Range<usize> {
        let first = self.line_of(range.start);
        let mut last = self.line_of(range.end.saturating_sub(1).max(range.start));
        while last > first && self.line(last).trim_matches([' ', '\t', '>']).is_empty() {
            last -= 1;
        }
        first..last + 1
    }
}

fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| BAD_BYTE));
    }
    Cow::Owned(text)
}

/// The physical lines of an index, without their ends: LF with a CR before it, or a lone CR in a file
/// without any LF. What follows the last line end is a line only when it is not empty.
#[must_use]
pub fn lines(bytes: &[u8]) -> Vec<Range<usize>> {
    lines_by(bytes, if memchr::memchr(b'\n', bytes).is_some() { b'\n' } else { b'\r' })
}

/// The lines when each ends at one byte, LF (with a CR before it) or CR.
pub(super) fn lines_by(bytes: &[u8], end_byte: u8) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for at in memchr::memchr_iter(end_byte, bytes) {
        let line = bytes.get(start..at).unwrap_or_default();
        let returned = end_byte == b'\n' && line.ends_with(b"\r");
        lines.push(start..at - usize::from(returned));
        start = at + 1;
    }
    if start < bytes.len() {
        lines.push(start..bytes.len());
    }
    lines
}

/// One physical line: its text and its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line<'a> {
    /// What stands in it.
    pub text: &'a [u8],
    /// Its line end; only the last line may be without.
    pub end: &'a [u8],
}

/// The physical lines of an index ([`lines`]) with their ends: one behind the other they are the whole index.
#[must_use]
pub fn split(bytes: &[u8]) -> Vec<Line<'_>> {
    with_ends(bytes, &lines(bytes))
}

/// The same when each ends at one byte, LF or CR.
pub(super) fn split_by(bytes: &[u8], end_byte: u8) -> Vec<Line<'_>> {
    with_ends(bytes, &lines_by(bytes, end_byte))
}

fn with_ends<'a>(bytes: &'a [u8], lines: &[Range<usize>]) -> Vec<Line<'a>> {
    let part = |range: Range<usize>| bytes.get(range).unwrap_or_default();
    let next = lines.iter().skip(1).map(|next| next.start).chain([bytes.len()]);
    lines.iter().zip(next).map(|(l, next)| Line { text: part(l.clone()), end: part(l.end..next) }).collect()
}

/// The line end that a file uses: that of most of its lines, LF when it has none.
#[must_use]
pub fn line_end(bytes: &[u8]) -> &'static str {
    let all = memchr::memchr_iter(b'\n', bytes).count();
    let with_return = memchr::memmem::find_iter(bytes, b"\r\n").count();
    if all == 0 && memchr::memchr(b'\r', bytes).is_some() {
        "\r"
    } else if with_return * 2 > all {
        "\r\n"
    } else {
        "\n"
    }
}

/// How many bytes the frontmatter takes, 0 when there is none: an opening `---` line, closed by the first
/// `---` anywhere, even inside a line (CLIENT_FACTS B8: measured).
#[must_use]
pub fn frontmatter(text: &str) -> usize {
    let open = || {
        let rest = text.strip_prefix("---")?;
        let blank = rest.trim_start_matches([' ', '\t', '\r']);
        let content = blank.strip_prefix('\n')?;
        let close = content.find("---")? + "---".len();
        Some(text.len() - content.len() + close)
    };
    open().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_at_lf_or_without_any_at_cr() {
        let split = |text: &'static str| -> Vec<&str> {
            lines(text.as_bytes()).into_iter().map(|line| text.get(line).unwrap()).collect()
        };
        assert_eq!(split("a\nb\r\nc\rd"), ["a", "b", "c\rd"]);
        assert_eq!(split("\n\n"), ["", ""]);
        assert_eq!(split("a\r\r\n\n"), ["a\r", ""]);
        assert_eq!(split("a\rb\r"), ["a", "b"]);
        assert!(split("").is_empty());
    }

    #[test]
    fn lines_with_their_ends_are_the_whole() {
        for text in ["", "a", "a\nb\r\n\nc\rd", "a\rb\r", "\r\n\n"] {
            let all: Vec<u8> = super::split(text.as_bytes())
                .iter()
                .flat_map(|line| [line.text, line.end].concat())
                .collect();
            assert_eq!(all, text.as_bytes());
        }
        assert_eq!(super::split(b"a\r\n")[0], Line { text: b"a", end: b"\r\n" });
    }

    #[test]
    fn the_line_end_is_that_of_most_lines() {
        assert_eq!(line_end(b""), "\n");
        assert_eq!(line_end(b"a\r\nb\r\nc\n"), "\r\n");
        assert_eq!(line_end(b"a\nb\r\n"), "\n");
        assert_eq!(line_end(b"a\rb\r"), "\r");
    }

    #[test]
    fn frontmatter_closes_at_the_first_three_dashes_anywhere() {
        for (text, rest) in [
            ("---\nname: x\n---\nbody", "\nbody"),
            ("---  \r\nname: x\r\n---\r\nbody", "\r\nbody"),
            ("---\nkey: a---b\n---\n", "b\n---\n"),
            ("---\n ---body", "body"),
            ("----\nx\n---\n", "----\nx\n---\n"),
            ("\n---\nx\n---\n", "\n---\nx\n---\n"),
            ("---\nnever closed\n...\n", "---\nnever closed\n...\n"),
        ] {
            assert_eq!(text.get(frontmatter(text)..), Some(rest), "{text:?}");
        }
    }

    #[test]
    fn bad_bytes_keep_every_offset() {
        let source = Source::new(b"\xff\xfe- [a\xc3](a.md)\n");
        assert_eq!(source.text.len(), 15);
        assert_eq!(source.text.find("(a.md)"), Some(8));
    }
}

//! The lines of a memory: they end at LF, CR LF or a lone CR, also mixed in one file.

use std::ops::Range;

/// The lines of a text, without their ends. After the last end there is no further line when nothing follows.
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Lines<'a> {
    /// The lines from a byte on; the ranges are those of the whole text.
    #[must_use]
    pub fn new(bytes: &'a [u8], start: usize) -> Self {
        Self { bytes, at: start }
    }

    /// Where the next line starts: behind the end of the last one given.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }
}

impl Iterator for Lines<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let start = self.at;
        let Some(length) = memchr::memchr2(b'\n', b'\r', rest) else {
            self.at = self.bytes.len();
            return Some(start..self.at);
        };
        let end = start + length;
        self.at = end + if rest.get(length..length + 2) == Some(b"\r\n") { 2 } else { 1 };
        Some(start..end)
    }
}

/// How many lines end in a text.
#[must_use]
pub fn ends(text: &[u8]) -> usize {
    let starts_pair = |at: usize| text.get(at..at + 2) == Some(b"\r\n");
    memchr::memchr2_iter(b'\n', b'\r', text).filter(|&at| !starts_pair(at)).count()
}

/// The line in which a byte stands, from 1.
#[must_use]
pub fn line_of(text: &[u8], at: usize) -> usize {
    1 + ends(text.get(..at).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_end() {
        let text = b"a\nb\r\nc\rd\n\r\ne";
        let lines: Vec<_> = Lines::new(text, 0).map(|line| &text[line]).collect();
        assert_eq!(lines, [b"a", b"b", b"c", b"d", &b""[..], b"e"]);
        assert_eq!((ends(text), line_of(text, 12), line_of(text, 2), line_of(text, 99)), (5, 6, 2, 6));
        assert_eq!(Lines::new(b"a\n", 0).count(), 1);
        assert_eq!(Lines::new(b"", 0).count(), 0);
    }
}

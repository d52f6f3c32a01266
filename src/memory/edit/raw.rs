//! The whole file as one text: what the raw editor shows and gives back.

use super::parts::lines;
use super::set::keeps_bytes;
use super::{Refused, line_end};
use crate::memory::diff;
use std::borrow::Cow;

/// The whole file as text with LF as line end; bytes that are not UTF-8 become U+FFFD.
#[must_use]
pub fn raw_text(bytes: &[u8]) -> String {
    let texts: Vec<Cow<'_, str>> =
        lines(bytes).into_iter().map(|(line, _)| String::from_utf8_lossy(line)).collect();
    texts.join("\n")
}

/// The file with a new text, as [`raw_text`] gives it. A line that stays keeps its bytes and its line end,
/// a new one gets the line end that the file uses most.
///
/// # Errors
/// When a line that changes has bytes that are not UTF-8 and the new text shows them still (as U+FFFD).
pub fn set_raw(bytes: &[u8], text: &str) -> Result<Vec<u8>, Refused> {
    let nl = line_end(bytes).as_bytes();
    let old = lines(bytes);
    let texts: Vec<Cow<'_, str>> = old.iter().map(|(line, _)| String::from_utf8_lossy(line)).collect();
    let new: Vec<Cow<'_, str>> = text.split('\n').map(Cow::Borrowed).collect();
    let last = new.len() - 1;
    let mut written = Vec::with_capacity(text.len());
    let mut put = |line: &[u8], end: &[u8], number: usize| {
        // An empty line between a lone CR and an LF would make one line end of the two.
        let joins = line.is_empty() && written.ends_with(b"\r");
        written.extend_from_slice(line);
        if number < last {
            let end = if end.is_empty() { nl } else { end };
            written.extend_from_slice(if joins && end == b"\n" { b"\r" } else { end });
        }
    };
    let (mut at, mut number) = (0, 0);
    for (from, to) in diff::changes(&texts, &new) {
        for (line, end) in old.get(at..from.start).unwrap_or_default() {
            put(line, end, number);
            number += 1;
        }
        let gone = old.get(from.clone()).unwrap_or_default();
        let come = new.get(to).unwrap_or_default();
        for (line, _) in gone {
            keeps_bytes(line, &come.concat())?;
        }
        for (place, line) in come.iter().enumerate() {
            let end = gone.get(place).map_or(nl, |(_, end)| end);
            put(line.as_bytes(), end, number);
            number += 1;
        }
        at = from.end;
    }
    for (line, end) in old.get(at..).unwrap_or_default() {
        put(line, end, number);
        number += 1;
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(bytes: &[u8], text: &str) -> Vec<u8> {
        set_raw(bytes, text).unwrap()
    }

    #[test]
    fn lines_that_stay_keep_their_bytes_and_ends() {
        assert_eq!(set(b"a\r\nb\rc\nd", "a\nB\nc\nd"), b"a\r\nB\rc\nd");
        assert_eq!(set(b"a\r\nb\r\n", "a\nnew\nb\n"), b"a\r\nnew\r\nb\r\n");
        assert_eq!(set(b"a\r\nb", "a\nb\nc"), b"a\r\nb\r\nc");
        assert_eq!(set(b"a\nb\n", "a\nb"), b"a\nb");
        assert_eq!(set(b"\xff\r\nx\n", "\u{fffd}\ny\n"), b"\xff\r\ny\n");
        assert_eq!(set(b"", "a\n"), b"a\n");
        assert_eq!(set(b"a", ""), b"");
    }

    #[test]
    fn bytes_that_can_not_be_shown_are_not_lost() {
        assert!(set_raw(b"a\xff\n", "b\u{fffd}\n").is_err());
        assert_eq!(set(b"a\xff\n", "b\n"), b"b\n");
    }

    proptest! {
        #[test]
        fn the_text_reads_back(bytes in "[ab\r\n]{0,20}", text in "[abc\n]{0,20}") {
            let bytes = bytes.into_bytes();
            prop_assert_eq!(set_raw(&bytes, &raw_text(&bytes)).unwrap(), bytes.clone());
            prop_assert_eq!(raw_text(&set_raw(&bytes, &text).unwrap()), text);
        }
    }
}

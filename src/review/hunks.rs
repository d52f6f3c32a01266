//! A change in hunks, of which a person takes some; and by words, for prose.

use crate::memory::diff;
use crate::review::conflict::lines;
use std::ops::Range;

/// One place where two versions differ: which lines stood there, and which stand there now (from 0).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// The lines of the old version; empty where something was only added.
    pub old: Range<usize>,
    /// The lines of the new version; empty where something was only removed.
    pub new: Range<usize>,
}

/// The hunks of a change, in order.
#[must_use]
pub fn hunks(old: &[u8], new: &[u8]) -> Vec<Hunk> {
    let (old, new) = (lines(old), lines(new));
    diff::changes(&old, &new).into_iter().map(|(old, new)| Hunk { old, new }).collect()
}

/// The hunks of a change, each of one line at most on either side: a list, such as the index, is decided on line by
/// line.
#[must_use]
pub fn by_line(old: &[u8], new: &[u8]) -> Vec<Hunk> {
    let mut fine = Vec::new();
    for hunk in hunks(old, new) {
        let most = hunk.old.len().max(hunk.new.len());
        let one = |range: &Range<usize>, at: usize| {
            let start = (range.start + at).min(range.end);
            start..(start + 1).min(range.end)
        };
        fine.extend((0..most).map(|at| Hunk { old: one(&hunk.old, at), new: one(&hunk.new, at) }));
    }
    fine
}

/// The old version with those hunks made that `takes` names by their number. With all of them it is the new version,
/// with none the old one, byte for byte.
#[must_use]
pub fn apply(old: &[u8], new: &[u8], hunks: &[Hunk], takes: impl Fn(usize) -> bool) -> Vec<u8> {
    let end = crate::memory::edit::line_end(if old.is_empty() { new } else { old }).as_bytes();
    let (old, new) = (lines(old), lines(new));
    let mut kept: Vec<&[u8]> = Vec::with_capacity(old.len());
    let mut at = 0;
    for (number, hunk) in hunks.iter().enumerate() {
        kept.extend(old.get(at..hunk.old.start).unwrap_or_default());
        let taken = if takes(number) { new.get(hunk.new.clone()) } else { old.get(hunk.old.clone()) };
        kept.extend(taken.unwrap_or_default());
        at = hunk.old.end;
    }
    kept.extend(old.get(at..).unwrap_or_default());
    let last = kept.len().saturating_sub(1);
    let mut bytes = Vec::new();
    for (number, line) in kept.iter().enumerate() {
        bytes.extend_from_slice(line);
        // Only the last line of a file may be without an end.
        if number < last && !line.ends_with(b"\n") && !line.ends_with(b"\r") {
            bytes.extend_from_slice(end);
        }
    }
    bytes
}

/// The text of some lines, with their ends; lines that are not there have none.
#[must_use]
pub fn text(bytes: &[u8], range: &Range<usize>) -> Vec<u8> {
    let lines = lines(bytes);
    lines.get(range.start..range.end.min(lines.len())).unwrap_or_default().concat()
}

/// What became of a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Both versions have it.
    Same,
    /// Only the old one has it.
    Gone,
    /// Only the new one has it.
    New,
}

/// Two texts in pieces, by words: what both have, what went, what came; in reading order.
#[must_use]
pub fn words(old: &str, new: &str) -> Vec<(Fate, String)> {
    let (olds, news) = (pieces(old), pieces(new));
    let mut found: Vec<(Fate, String)> = Vec::new();
    let mut push = |fate: Fate, words: &[&str]| match found.last_mut() {
        _ if words.is_empty() => {}
        Some((last, text)) if *last == fate => text.push_str(&words.concat()),
        _ => found.push((fate, words.concat())),
    };
    let mut at = 0;
    for (from, to) in diff::changes(&olds, &news) {
        push(Fate::Same, olds.get(at..from.start).unwrap_or_default());
        push(Fate::Gone, olds.get(from.clone()).unwrap_or_default());
        push(Fate::New, news.get(to).unwrap_or_default());
        at = from.end;
    }
    push(Fate::Same, olds.get(at..).unwrap_or_default());
    found
}

/// Words, and what stands between them. In scripts without blanks each character is one.
fn pieces(text: &str) -> Vec<&str> {
    use unicode_segmentation::UnicodeSegmentation;
    text.split_word_bounds().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn some_hunks_are_taken_and_others_not() {
        let (old, new) = (b"a\nb\nc\nd\ne".as_slice(), b"A\nb\nc\nx\nd\nE\nf".as_slice());
        let found = hunks(old, new);
        assert_eq!(found.len(), 3, "{found:?}");
        let take = |which: &[usize]| {
            let bytes = apply(old, new, &found, |at| which.contains(&at));
            String::from_utf8(bytes).unwrap()
        };
        assert_eq!(take(&[0]), "A\nb\nc\nd\ne");
        assert_eq!(take(&[1]), "a\nb\nc\nx\nd\ne");
        assert_eq!(take(&[2]), "a\nb\nc\nd\nE\nf");
    }

    #[test]
    fn lines_are_taken_one_by_one() {
        let (old, new) = (b"a\nb".as_slice(), b"a\nx\ny\nz\n".as_slice());
        let found = by_line(old, new);
        assert_eq!(found.len(), 3);
        assert_eq!(apply(old, new, &found, |at| at == 1), b"a\nb\ny\n");
        assert_eq!(apply(old, new, &found, |at| at != 0), b"a\nb\ny\nz\n");
    }

    #[test]
    fn prose_differs_by_words() {
        let (same, gone, new) = (Fate::Same, Fate::Gone, Fate::New);
        let found = words("Refunds over 500 are held.", "Refunds over 800 are held here.");
        let expected = [
            (same, "Refunds over "),
            (gone, "500"),
            (new, "800"),
            (same, " are held"),
            (new, " here"),
            (same, "."),
        ];
        assert_eq!(found, expected.map(|(fate, text)| (fate, text.to_owned())));
    }

    proptest! {
        #[test]
        fn all_is_new_and_none_is_old(old in "[ab\n\r]{0,14}", new in "[ab\n\r]{0,14}") {
            let (old, new) = (old.as_bytes(), new.as_bytes());
            for found in [hunks(old, new), by_line(old, new)] {
                prop_assert_eq!(apply(old, new, &found, |_| true), new);
                prop_assert_eq!(apply(old, new, &found, |_| false), old);
            }
        }

        #[test]
        fn the_pieces_make_up_both_texts(old in "[ab .\n]{0,14}", new in "[ab .\n]{0,14}") {
            let found = words(&old, &new);
            let side = |without: Fate| -> String {
                found.iter().filter(|(fate, _)| *fate != without).map(|(_, text)| text.as_str()).collect()
            };
            prop_assert_eq!(side(Fate::New), old);
            prop_assert_eq!(side(Fate::Gone), new);
        }
    }
}

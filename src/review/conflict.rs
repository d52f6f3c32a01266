//! A memory was edited here and changed by someone else meanwhile: both versions line by line, to choose from.

use crate::memory::diff;
use std::ops::Range;

/// A stretch of lines, with their line ends, of the two versions put together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Both have it, or only one of them changed it: nothing is to be chosen.
    Settled(Vec<u8>),
    /// Both changed it, each in its own way.
    Conflict {
        /// As it was edited here.
        mine: Vec<u8>,
        /// As someone else wrote it.
        theirs: Vec<u8>,
    },
}

/// What becomes of a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// What was edited here.
    Mine,
    /// What someone else wrote.
    Theirs,
    /// What someone else wrote, then what was edited here.
    Both,
}

/// Puts the two versions together. Changes of one side only are taken; those that touch each other are
/// conflicts, unless they are the same.
#[must_use]
pub fn pieces(base: &[u8], mine: &[u8], theirs: &[u8]) -> Vec<Piece> {
    let (base, mine, theirs) = (lines(base), lines(mine), lines(theirs));
    let mut ours = Side::new(&base, &mine);
    let mut other = Side::new(&base, &theirs);
    let mut found: Vec<Piece> = Vec::new();
    let mut at = 0;
    while let Some(start) = ours.next_start().into_iter().chain(other.next_start()).min() {
        settle(&mut found, base.get(at..start).unwrap_or_default().concat());
        let mut end = start;
        while ours.takes(&mut end) | other.takes(&mut end) {}
        let (my, its) = (ours.text(start, end), other.text(start, end));
        let old = base.get(start..end).unwrap_or_default().concat();
        if my == its || my == old {
            settle(&mut found, its);
        } else if its == old {
            settle(&mut found, my);
        } else {
            found.push(Piece::Conflict { mine: my, theirs: its });
        }
        at = end;
    }
    settle(&mut found, base.get(at..).unwrap_or_default().concat());
    found
}

/// The file that the choices make, one for each conflict in order; a conflict without one stays as theirs.
#[must_use]
pub fn chosen(pieces: &[Piece], choices: &[Choice]) -> Vec<u8> {
    let mut choices = choices.iter();
    let mut bytes = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Settled(text) => bytes.extend_from_slice(text),
            Piece::Conflict { mine, theirs } => match choices.next().unwrap_or(&Choice::Theirs) {
                Choice::Mine => bytes.extend_from_slice(mine),
                Choice::Theirs => bytes.extend_from_slice(theirs),
                Choice::Both => {
                    bytes.extend_from_slice(theirs);
                    if !theirs.is_empty() && !theirs.ends_with(b"\n") && !theirs.ends_with(b"\r") {
                        bytes.push(b'\n');
                    }
                    bytes.extend_from_slice(mine);
                }
            },
        }
    }
    bytes
}

fn settle(found: &mut Vec<Piece>, text: Vec<u8>) {
    match found.last_mut() {
        _ if text.is_empty() => {}
        Some(Piece::Settled(last)) => last.extend(text),
        _ => found.push(Piece::Settled(text)),
    }
}

/// The lines with their ends.
pub(super) fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    let mut lines = crate::memory::lines::Lines::new(bytes, 0);
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        found.push(bytes.get(line.start..lines.at()).unwrap_or_default());
    }
    found
}

/// One version and what it changed of the base.
struct Side<'a> {
    lines: &'a [&'a [u8]],
    changes: std::iter::Peekable<std::vec::IntoIter<(Range<usize>, Range<usize>)>>,
    /// How many lines its changes so far added; before and behind the hunk at hand.
    before: isize,
    behind: isize,
}

impl<'a> Side<'a> {
    fn new(base: &[&[u8]], lines: &'a [&'a [u8]]) -> Self {
        let changes = diff::changes(base, lines).into_iter().peekable();
        Self { lines, changes, before: 0, behind: 0 }
    }

    fn next_start(&mut self) -> Option<usize> {
        self.changes.peek().map(|(base, _)| base.start)
    }

    /// Takes the next change into the hunk when it touches what the hunk holds of the base so far.
    fn takes(&mut self, end: &mut usize) -> bool {
        let Some((base, own)) = self.changes.next_if(|(base, _)| base.start <= *end) else { return false };
        *end = base.end.max(*end);
        self.behind += own.len().cast_signed() - base.len().cast_signed();
        true
    }

    fn text(&mut self, start: usize, end: usize) -> Vec<u8> {
        let own = start.saturating_add_signed(self.before)..end.saturating_add_signed(self.behind);
        self.before = self.behind;
        self.lines.get(own).unwrap_or_default().concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn merged(base: &str, mine: &str, theirs: &str) -> Vec<Piece> {
        pieces(base.as_bytes(), mine.as_bytes(), theirs.as_bytes())
    }

    #[test]
    fn changes_apart_are_both_taken() {
        let found = merged("a\nb\nc\nd\ne\n", "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n");
        assert_eq!(found, [Piece::Settled(b"A\nb\nc\nd\nE\n".to_vec())]);
        let found = merged("a\nb\nc\nd\n", "a\nc\nd\n", "a\nb\nc\nd\nnew\n");
        assert_eq!(found, [Piece::Settled(b"a\nc\nd\nnew\n".to_vec())]);
    }

    #[test]
    fn changes_of_the_same_line_are_chosen_from() {
        let found = merged("a\nb\nc\n", "a\nmine\nc\n", "a\ntheirs\nc\n");
        let conflict = Piece::Conflict { mine: b"mine\n".to_vec(), theirs: b"theirs\n".to_vec() };
        assert_eq!(found, [Piece::Settled(b"a\n".to_vec()), conflict, Piece::Settled(b"c\n".to_vec())]);
        assert_eq!(chosen(&found, &[Choice::Mine]), b"a\nmine\nc\n");
        assert_eq!(chosen(&found, &[Choice::Both]), b"a\ntheirs\nmine\nc\n");
        assert_eq!(chosen(&found, &[]), b"a\ntheirs\nc\n");
    }

    #[test]
    fn the_same_change_twice_is_none() {
        assert_eq!(merged("a\n", "b\n", "b\n"), [Piece::Settled(b"b\n".to_vec())]);
    }

    proptest! {
        #[test]
        fn choosing_one_side_everywhere_keeps_its_changes(
            base in "[abc\n]{0,16}", mine in "[abc\n]{0,16}", theirs in "[abc\n]{0,16}",
        ) {
            let (base, mine, theirs) = (base.as_bytes(), mine.as_bytes(), theirs.as_bytes());
            // Where the other side changed nothing, a side is taken whole; a side against itself too.
            prop_assert_eq!(chosen(&pieces(base, mine, base), &[]), mine);
            prop_assert_eq!(chosen(&pieces(base, base, theirs), &[]), theirs);
            prop_assert_eq!(chosen(&pieces(base, mine, mine), &[]), mine);
            let found = pieces(base, mine, theirs);
            let choices = vec![Choice::Mine; found.len()];
            let swapped = pieces(base, theirs, mine);
            prop_assert_eq!(chosen(&found, &choices), chosen(&swapped, &[]));
        }
    }
}

//! Where two rows of lines differ.

use similar::{Algorithm, DiffTag, capture_diff_slices};
use std::hash::Hash;
use std::ops::Range;

/// More lines than this in the middle, where both differ, are taken as replaced all in one: the search for what
/// they share grows with the square.
const MOST: usize = 4_000;

/// The places where `new` differs from `old`, in order: which lines stood there, and which stand there now.
#[must_use]
pub fn changes<T: Hash + Ord>(old: &[T], new: &[T]) -> Vec<(Range<usize>, Range<usize>)> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let left = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(left).take_while(|(a, b)| a == b).count();
    let (from, to) = (head..old.len() - tail, head..new.len() - tail);
    let (Some(olds), Some(news)) = (old.get(from.clone()), new.get(to.clone())) else { return Vec::new() };
    if olds.is_empty() && news.is_empty() {
        return Vec::new();
    }
    if olds.len() + news.len() > MOST {
        return vec![(from, to)];
    }
    let mut found: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    // Only what is equal is asked for: where the rest stands follows from that.
    let (mut old_at, mut new_at) = (head, head);
    for op in capture_diff_slices(Algorithm::Myers, olds, news) {
        if op.tag() == DiffTag::Equal {
            let (same, other) = (op.old_range(), op.new_range());
            push(&mut found, old_at..same.start + head, new_at..other.start + head);
            (old_at, new_at) = (same.end + head, other.end + head);
        }
    }
    push(&mut found, old_at..from.end, new_at..to.end);
    found
}

fn push(found: &mut Vec<(Range<usize>, Range<usize>)>, old: Range<usize>, new: Range<usize>) {
    if !old.is_empty() || !new.is_empty() {
        found.push((old, new));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_between_the_changes_is_the_same(old in "[abc]{0,12}", new in "[abc]{0,12}") {
            let (old, new): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
            let (mut at, mut made) = (0, Vec::new());
            for (from, to) in changes(&old, &new) {
                made.extend_from_slice(&old[at..from.start]);
                made.extend_from_slice(&new[to]);
                at = from.end;
            }
            made.extend_from_slice(&old[at..]);
            prop_assert_eq!(made, new);
        }
    }

    #[test]
    fn only_what_differs_is_named() {
        let change = changes(b"abcdef", b"abXdeYf");
        assert_eq!(change, [(2..3, 2..3), (5..5, 5..6)]);
        let many: Vec<usize> = (0..10_000).collect();
        let other: Vec<usize> = (0..10_000).map(|n| if n % 2 == 0 { n } else { n + 10_000 }).collect();
        assert_eq!(changes(&many, &other).len(), 1, "too much to look at");
    }
}

//! The first place where two texts differ.

/// How much of a line is shown around the place, in characters.
const AROUND: usize = 40;

/// The first place where two texts differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What is compared.
    pub part: String,
    /// The line, from 1.
    pub line: usize,
    /// The byte from which on they differ, from 0.
    pub byte: usize,
    /// What our preview has there; empty at its end.
    pub ours: String,
    /// What the client has there; empty at its end.
    pub theirs: String,
}

/// The first place where two texts differ; `None`: they are the same, byte for byte.
#[must_use]
pub fn first(part: &str, ours: &str, theirs: &str) -> Option<Difference> {
    if ours == theirs {
        return None;
    }
    let same = ours.char_indices().zip(theirs.chars()).find(|((_, a), b)| a != b);
    let byte = same.map_or(ours.len().min(theirs.len()), |((at, _), _)| at);
    let before = ours.get(..byte).unwrap_or_default();
    Some(Difference {
        part: part.into(),
        line: before.matches('\n').count() + 1,
        byte,
        ours: around(ours, byte),
        theirs: around(theirs, byte),
    })
}

/// The rest of a text from some characters before a byte on (of the same line), with one line more where it ends.
fn around(text: &str, byte: usize) -> String {
    let (before, behind) = text.split_at_checked(byte).unwrap_or((text, ""));
    let line = before.rsplit('\n').next().unwrap_or_default();
    let skip = line.chars().count().saturating_sub(AROUND);
    let mut shown: String = if skip > 0 { "…".into() } else { String::new() };
    shown.extend(line.chars().skip(skip));
    let mut lines = 0;
    for (nth, c) in behind.chars().enumerate() {
        lines += usize::from(c == '\n');
        if lines > 1 || nth > 2 * AROUND {
            shown.push('…');
            break;
        }
        shown.push(c);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_first_difference_is_shown_with_what_is_around_it() {
        assert_eq!(first("x", "a\nb", "a\nb"), None);
        let found = first("text", "one\ntwo three\nfour", "one\ntwo trees\nfour").unwrap();
        assert_eq!((found.line, found.byte, found.part.as_str()), (2, 9, "text"));
        assert_eq!((found.ours.as_str(), found.theirs.as_str()), ("two three\nfour", "two trees\nfour"));
        let found = first("text", "a", "ab").unwrap();
        assert_eq!((found.byte, found.ours.as_str(), found.theirs.as_str()), (1, "a", "ab"));
        let long = "x".repeat(500);
        let found = first("text", &format!("{long}a"), &format!("{long}b")).unwrap();
        assert!(found.ours.starts_with("…xxx") && found.ours.ends_with("xa") && found.ours.len() < 60);
        assert_eq!(first("text", "é", "è").unwrap().byte, 0, "never inside of a character");
    }

    proptest! {
        #[test]
        fn texts_are_the_same_up_to_there_and_not_behind(a in "[ab\né]{0,12}", b in "[ab\né]{0,12}") {
            match first("", &a, &b) {
                None => prop_assert_eq!(a, b),
                Some(found) => {
                    let ((same, a), (other, b)) = (a.split_at(found.byte), b.split_at(found.byte));
                    prop_assert_eq!(same, other);
                    prop_assert!(a.chars().next() != b.chars().next());
                }
            }
        }
    }
}

//! Text as a text area shows it: what nobody sees stands as a visible placeholder, and is mapped back on save.
//!
//! A control character becomes its picture (`␛`), anything else unseen a note of its code (`‹U+202E›`), as
//! [`visible`] shows them; tabs and line feeds stay. So that nothing is taken for what it is not on the way
//! back, pictures and notes that stand in the text themselves become notes too.
//!
//! [`visible`]: super::text::visible

use super::text::{hidden, push_placeholder};
use std::fmt::Write as _;

/// A text for a text area; [`meant`] gives the text back.
#[must_use]
pub fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut unseen = hidden(text).map(|(at, _)| at).peekable();
    for (at, c) in text.char_indices() {
        if unseen.next_if_eq(&at).is_some() || c == '\r' {
            push_placeholder(&mut shown, c);
        } else if is_picture(c) || (c == '‹' && text.get(at..).is_some_and(|rest| rest.starts_with("‹U+")))
        {
            // Writing to a string can't fail.
            let _ = write!(shown, "‹U+{:04X}›", c as u32);
        } else {
            shown.push(c);
        }
    }
    shown
}

/// The text that a text area stands for: every placeholder is what it stands for again.
#[must_use]
pub fn meant(shown: &str) -> String {
    let mut text = String::with_capacity(shown.len());
    let mut rest = shown;
    // Every placeholder starts with this byte, and few other characters do.
    while let Some(at) = memchr::memchr(0xE2, rest.as_bytes()) {
        let (plain, tail) = rest.split_at_checked(at).unwrap_or((rest, ""));
        text.push_str(plain);
        let first = tail.chars().next().map_or((tail.len(), None), |c| (c.len_utf8(), Some(c)));
        let (length, c) = at_start(tail).map_or(first, |(length, c)| (length, Some(c)));
        text.extend(c);
        rest = tail.get(length..).unwrap_or_default();
    }
    text.push_str(rest);
    text
}

/// The placeholder with which a text begins: its length in bytes, and what it stands for.
#[must_use]
pub fn at_start(text: &str) -> Option<(usize, char)> {
    let first = text.chars().next()?;
    if is_picture(first) {
        let code = first as u32 - 0x2400;
        return Some((first.len_utf8(), char::from_u32(if code == 0x21 { 0x7F } else { code })?));
    }
    let note = text.strip_prefix("‹U+")?;
    let (digits, _) = note.split_once('›').filter(|(digits, _)| (1..=6).contains(&digits.len()))?;
    let is_code = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?).filter(|_| is_code)?;
    Some(("‹U+".len() + digits.len() + '›'.len_utf8(), c))
}

/// The length in bytes of the placeholder with which a text ends.
#[must_use]
pub fn at_end(text: &str) -> Option<usize> {
    let last = text.chars().next_back()?;
    if is_picture(last) {
        return Some(last.len_utf8());
    }
    let start = text.rfind('‹').filter(|_| last == '›')?;
    let note = text.get(start..)?;
    at_start(note).map(|(length, _)| length).filter(|length| *length == note.len())
}

/// The picture of a control character.
fn is_picture(c: char) -> bool {
    matches!(c, '\u{2400}'..='\u{241F}' | '\u{2421}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_hidden_shows_and_comes_back() {
        for (text, expected) in [
            ("plain\n\ttext", "plain\n\ttext"),
            ("\x1b[31m\x7f\r\n", "␛[31m␡␍\n"),
            ("a\u{202e}b\u{200b}", "a‹U+202E›b‹U+200B›"),
            ("‹U+202E› ␛", "‹U+2039›U+202E› ‹U+241B›"),
            ("‹quoted› ␢", "‹quoted› ␢"),
            ("👩\u{200d}👩 می\u{200c}خواهم", "👩\u{200d}👩 می\u{200c}خواهم"),
        ] {
            assert_eq!(shown(text), expected);
            assert_eq!(meant(expected), text);
        }
    }

    #[test]
    fn what_is_typed_by_hand_is_a_placeholder_only_when_it_is_whole() {
        assert_eq!(meant("‹U+›‹U+110000›‹U+xyz›‹U+41"), "‹U+›‹U+110000›‹U+xyz›‹U+41");
        assert_eq!(meant("‹U+41›"), "A");
        assert_eq!(at_end("x‹U+202E›"), Some("‹U+202E›".len()));
        assert_eq!(at_end("x‹U+202E› "), None);
        assert_eq!(at_end("␛"), Some(3));
    }

    proptest! {
        #[test]
        fn every_text_comes_back(text in "[\\PC\u{0}-\u{20}‹›U+0-9A-F\u{200b}-\u{202e}␀-␡]{0,40}") {
            let shown = shown(&text);
            prop_assert!(!shown.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')));
            prop_assert_eq!(meant(&shown), text);
        }
    }
}

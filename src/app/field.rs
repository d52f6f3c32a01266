//! A text field of one line.

use crate::app::key::{Code, Key};
use unicode_segmentation::UnicodeSegmentation;

/// The most bytes that a field takes: a filter over 40 MB must stay quick whatever is pasted.
const MAX_BYTES: usize = 400;

/// A text field of one line; the cursor stands between characters as a person sees them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Field {
    before: String,
    after: String,
}

impl Field {
    /// A field that holds `text`, the cursor at its end.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self { before: text.into(), after: String::new() }
    }

    /// All of the text.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}{}", self.before, self.after)
    }

    /// The text left and right of the cursor.
    #[must_use]
    pub fn parts(&self) -> (&str, &str) {
        (&self.before, &self.after)
    }

    /// Puts text in at the cursor: line ends and tabs become blanks, other control characters go.
    pub fn insert(&mut self, text: &str) {
        for char in text.chars() {
            let char = if matches!(char, '\n' | '\r' | '\t') { ' ' } else { char };
            if !char.is_control() && self.before.len() + self.after.len() + char.len_utf8() <= MAX_BYTES {
                self.before.push(char);
            }
        }
    }

    /// Takes an editing key; `false` when the key does not edit text.
    pub fn key(&mut self, key: Key) -> bool {
        match (key.code, key.ctrl, key.alt) {
            (Code::Char(char), false, false) => self.insert(char.encode_utf8(&mut [0; 4])),
            (Code::Backspace, false, false) | (Code::Char('h'), true, false) => {
                self.take_left();
            }
            (Code::Backspace, _, _) | (Code::Char('w'), true, false) => self.delete_word(),
            (Code::Delete, _, _) => {
                self.take_right();
            }
            (Code::Char('u'), true, false) => self.before.clear(),
            (Code::Left, _, _) => {
                let char = self.take_left();
                self.after.insert_str(0, &char);
            }
            (Code::Right, _, _) => {
                let char = self.take_right();
                self.before.push_str(&char);
            }
            (Code::Home, _, _) | (Code::Char('a'), true, false) => {
                self.after = self.text();
                self.before.clear();
            }
            (Code::End, _, _) | (Code::Char('e'), true, false) => *self = Self::new(&self.text()),
            _ => return false,
        }
        true
    }

    fn take_left(&mut self) -> String {
        let start = self.before.grapheme_indices(true).next_back().map_or(0, |(at, _)| at);
        self.before.split_off(start)
    }

    fn take_right(&mut self) -> String {
        let end = self.after.graphemes(true).next().map_or(0, str::len);
        let rest = self.after.split_off(end);
        std::mem::replace(&mut self.after, rest)
    }

    fn delete_word(&mut self) {
        let kept = self.before.trim_end();
        let start = kept.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        self.before.truncate(start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(keys: &str) -> (String, String) {
        let mut field = Field::default();
        for key in crate::app::key::sequence(keys).unwrap() {
            field.key(key);
        }
        let (before, after) = field.parts();
        (before.into(), after.into())
    }

    #[test]
    fn edits_by_what_a_person_sees_as_one_character() {
        assert_eq!(typed("ab<left>c"), ("ac".into(), "b".into()));
        assert_eq!(typed("e\u{301}x<left><bs>"), (String::new(), "x".into()));
        assert_eq!(typed("one two<c-w>"), ("one ".into(), String::new()));
        assert_eq!(typed("ab<home><right><del>c<end>d"), ("acd".into(), String::new()));
        assert_eq!(typed("ab<c-u>"), (String::new(), String::new()));
        assert_eq!(typed("æ<space>é<home><del>"), (String::new(), " é".into()));
    }

    #[test]
    fn pasted_text_is_one_line_of_bounded_length() {
        let mut field = Field::default();
        field.insert("a\nb\u{1b}[31m\tc");
        assert_eq!(field.text(), "a b[31m c");
        field.insert(&"x".repeat(100_000));
        assert_eq!(field.text().len(), MAX_BYTES);
    }
}

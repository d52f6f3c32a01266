//! One text area: the crate's, with a table of keys of our own, and with placeholders for what is hidden.

use crate::app::key::{Code, Key};
use crate::memory::placeholder::{at_end, at_start, meant, shown};
use tui_textarea::{CursorMove, Scrolling, TextArea, WrapMode};
use unicode_segmentation::UnicodeSegmentation;

/// Above so many bytes lines are broken anywhere, not between words: that is found quickly enough at every key.
const WORDS_UP_TO: usize = 64 * 1024;

/// The keys of a text area and what they do, for help.
pub const TEXT_KEYS: &[(&str, &str)] = &[
    ("Enter Ctrl-J", "A line break; in a field of one line only Ctrl-J makes one."),
    ("← → ↑ ↓", "Move; from the first line up and from the last line down to the next field."),
    ("Ctrl-← Ctrl-→", "Move by words."),
    ("Home End Ctrl-A Ctrl-E", "To the start and the end of the line."),
    ("Ctrl-Home Ctrl-End", "To the start and the end of the text."),
    ("Ctrl-W", "Delete the word before the cursor."),
    ("Ctrl-U Ctrl-K", "Delete to the start or the end of the line."),
    ("Ctrl-V", "Put in what Ctrl-W, Ctrl-U or Ctrl-K deleted last."),
    ("Ctrl-Z Ctrl-Y", "Undo and redo while typing."),
];

/// How many lines a field is meant to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lines {
    /// One; line breaks come in only on purpose.
    One,
    /// Any number.
    Many,
}

/// What a key did in a text area.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Did {
    /// It changed the text.
    Edited,
    /// It moved the cursor, or there was nothing for it to do.
    Moved,
    /// It would leave the text upwards.
    Above,
    /// It would leave the text downwards.
    Below,
    /// It would break the line of a field that has one.
    WouldBreak,
    /// It means nothing here.
    Unknown,
}

/// One text area.
#[derive(Debug, Clone)]
pub struct TextBox {
    area: TextArea<'static>,
    lines: Lines,
    /// The lines as they were at first, as shown.
    first: Vec<String>,
}

impl TextBox {
    /// A text area that holds a text, the cursor at its start (at its end in a field of one line).
    #[must_use]
    pub fn new(text: &str, lines: Lines) -> Self {
        let first: Vec<String> = shown(text).split('\n').map(ToOwned::to_owned).collect();
        let mut area = TextArea::new(first.clone());
        area.set_cursor_line_style(Default::default());
        area.set_cursor_style(Default::default());
        area.set_max_histories(1_000);
        let words = text.len() <= WORDS_UP_TO;
        area.set_wrap_mode(if words { WrapMode::WordOrGlyph } else { WrapMode::Glyph });
        if lines == Lines::One {
            area.move_cursor(CursorMove::End);
        }
        Self { area, lines, first }
    }

    /// The text that it stands for, with LF as line end.
    #[must_use]
    pub fn text(&self) -> String {
        meant(&self.area.lines().join("\n"))
    }

    /// Whether it differs from what it held at first.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.area.lines() != self.first.as_slice()
    }

    /// Puts another text in its place, as if it had been typed.
    pub fn set(&mut self, text: &str) {
        self.area = Self::new(text, self.lines).area;
    }

    /// What can be put in with Ctrl-V from now on.
    pub fn offer(&mut self, text: &str) {
        self.area.set_yank_text(shown(text));
    }

    /// The lines as shown.
    #[must_use]
    pub fn shown(&self) -> &[String] {
        self.area.lines()
    }

    /// Whether it holds more than so many bytes.
    #[must_use]
    pub fn is_long(&self, bytes: usize) -> bool {
        self.area.lines().iter().map(|line| line.len() + 1).sum::<usize>() > bytes
    }

    /// How many lines it is meant to have.
    #[must_use]
    pub fn kind(&self) -> Lines {
        self.lines
    }

    /// The text area, for drawing.
    #[must_use]
    pub fn area(&self) -> &TextArea<'static> {
        &self.area
    }

    /// Takes text that was pasted. In a field of one line its line breaks become blanks.
    pub fn paste(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let text = match self.lines {
            Lines::Many => text,
            Lines::One => text.trim_end_matches('\n').replace('\n', " "),
        };
        self.area.insert_str(shown(&text));
    }

    /// Puts the cursor where a click hit, given in rows and columns of the area as drawn last.
    pub fn click(&mut self, row: u16, column: u16) {
        let (top, _) = self.area.scroll_offset();
        let place = self.area.screen_to_data(usize::from(top) + usize::from(row), usize::from(column));
        if let (Ok(row), Ok(column)) = (u16::try_from(place.0), u16::try_from(place.1)) {
            self.area.move_cursor(CursorMove::Jump(row, column));
        }
    }

    /// Puts the cursor on a line, behind the text that the line begins with.
    pub fn jump(&mut self, row: usize, head: &str) {
        let column = shown(head).chars().count();
        if let (Ok(row), Ok(column)) = (u16::try_from(row), u16::try_from(column)) {
            self.area.move_cursor(CursorMove::Jump(row, column));
        }
    }

    /// Scrolls by lines.
    pub fn wheel(&mut self, by: isize) {
        let by = i16::try_from(by).unwrap_or(0);
        self.area.scroll((by, 0));
    }

    /// Takes a key by our own table.
    pub fn key(&mut self, key: Key) -> Did {
        let area = &mut self.area;
        match (key.code, key.ctrl, key.alt) {
            (Code::Char(c), false, false) => self.insert(c),
            (Code::Enter, false, false) if self.lines == Lines::One => return Did::WouldBreak,
            (Code::Enter, _, _) | (Code::Char('j'), true, false) => self.area.insert_newline(),
            (Code::Backspace, true, _) | (Code::Backspace, _, true) | (Code::Char('w'), true, false) => {
                return did(area.delete_word());
            }
            (Code::Backspace, _, _) | (Code::Char('h'), true, false) => return did(self.delete_before()),
            (Code::Delete, _, _) | (Code::Char('d'), true, false) => return did(self.delete_after()),
            // At the ends of a line nothing is left to delete: the line break stays.
            (Code::Char('u'), true, false) => {
                return did(!self.before().is_empty() && self.area.delete_line_by_head());
            }
            (Code::Char('k'), true, false) => {
                return did(!self.after().is_empty() && self.area.delete_line_by_end());
            }
            (Code::Char('v'), true, false) => return did(area.paste()),
            (Code::Char('z'), true, false) => return did(area.undo()),
            (Code::Char('y'), true, false) => return did(area.redo()),
            _ => return self.walk(key),
        }
        Did::Edited
    }

    fn walk(&mut self, key: Key) -> Did {
        let by = |number: usize, step: CursorMove| (0..number).map(move |_| step);
        match (key.code, key.ctrl, key.alt) {
            (Code::Left, true, _) | (Code::Char('b'), false, true) => self.go(CursorMove::WordBack),
            (Code::Right, true, _) | (Code::Char('f'), false, true) => self.go(CursorMove::WordForward),
            (Code::Left, _, _) | (Code::Char('b'), true, false) => {
                by(self.unit_before().max(1), CursorMove::Back).for_each(|step| self.go(step));
            }
            (Code::Right, _, _) | (Code::Char('f'), true, false) => {
                by(self.unit_after().max(1), CursorMove::Forward).for_each(|step| self.go(step));
            }
            (Code::Up, _, _) | (Code::Char('p'), true, false) => {
                return self.step(CursorMove::Up, Did::Above);
            }
            (Code::Down, _, _) | (Code::Char('n'), true, false) => {
                return self.step(CursorMove::Down, Did::Below);
            }
            (Code::Home, true, _) => {
                self.go(CursorMove::Top);
                self.go(CursorMove::Head);
            }
            (Code::End, true, _) => {
                self.go(CursorMove::Bottom);
                self.go(CursorMove::End);
            }
            (Code::Home, _, _) | (Code::Char('a'), true, false) => self.go(CursorMove::Head),
            (Code::End, _, _) | (Code::Char('e'), true, false) => self.go(CursorMove::End),
            (Code::PageDown, _, _) => self.area.scroll(Scrolling::PageDown),
            (Code::PageUp, _, _) => self.area.scroll(Scrolling::PageUp),
            _ => return Did::Unknown,
        }
        Did::Moved
    }

    fn go(&mut self, step: CursorMove) {
        self.area.move_cursor(step);
    }

    /// One line up or down, by what is seen; at the end it leaves.
    fn step(&mut self, step: CursorMove, leaves: Did) -> Did {
        let before = self.area.screen_cursor().row;
        self.go(step);
        if self.area.screen_cursor().row == before { leaves } else { Did::Moved }
    }

    fn insert(&mut self, c: char) {
        let mut bytes = [0; 4];
        let text = shown(c.encode_utf8(&mut bytes));
        if text.chars().eq([c]) {
            self.area.insert_char(c);
        } else {
            self.area.insert_str(text);
        }
    }

    /// Deletes what is seen as one character before the cursor, a placeholder whole.
    fn delete_before(&mut self) -> bool {
        match self.unit_before() {
            0 | 1 => self.area.delete_char(),
            many => {
                for _ in 0..many {
                    self.go(CursorMove::Back);
                }
                self.delete_quietly(many)
            }
        }
    }

    fn delete_after(&mut self) -> bool {
        match self.unit_after() {
            0 | 1 => self.area.delete_next_char(),
            many => self.delete_quietly(many),
        }
    }

    /// Deletes some characters without making them what Ctrl-V puts in.
    fn delete_quietly(&mut self, many: usize) -> bool {
        let kept = self.area.yank_text();
        let deleted = self.area.delete_str(many);
        self.area.set_yank_text(kept);
        deleted
    }

    /// How many characters make up what is seen as one before the cursor; 0 at the start of a line.
    fn unit_before(&self) -> usize {
        let before = self.before();
        let start = match at_end(before) {
            Some(length) => before.len() - length,
            None => before.grapheme_indices(true).next_back().map_or(0, |(at, _)| at),
        };
        before.get(start..).map_or(0, |unit| unit.chars().count())
    }

    fn unit_after(&self) -> usize {
        let after = self.after();
        let end = match at_start(after) {
            Some((length, _)) => length,
            None => after.graphemes(true).next().map_or(0, str::len),
        };
        after.get(..end).map_or(0, |unit| unit.chars().count())
    }

    fn before(&self) -> &str {
        self.halves().0
    }

    fn after(&self) -> &str {
        self.halves().1
    }

    /// The line of the cursor, left and right of it.
    fn halves(&self) -> (&str, &str) {
        let place = self.area.cursor();
        let line = self.area.lines().get(place.0).map(String::as_str).unwrap_or_default();
        let at = line.char_indices().nth(place.1).map_or(line.len(), |(at, _)| at);
        line.split_at_checked(at).unwrap_or((line, ""))
    }
}

fn did(edited: bool) -> Did {
    if edited { Did::Edited } else { Did::Moved }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::key::sequence;

    fn typed(text: &str, lines: Lines, keys: &str) -> TextBox {
        let mut area = TextBox::new(text, lines);
        for key in sequence(keys).unwrap() {
            area.key(key);
        }
        area
    }

    #[test]
    fn no_key_surprises() {
        for (keys, expected) in [
            ("x<enter>y", "x\nyone\ntwo"),
            ("x<c-j>y", "x\nyone\ntwo"),
            ("<end><c-u>x", "x\ntwo"),
            ("<c-u>x", "xone\ntwo"),
            ("<down><c-u>x", "one\nxtwo"),
            ("<right><c-k>x", "ox\ntwo"),
            ("<end><c-k>x", "onex\ntwo"),
            ("<end><c-u>a<c-v>", "aone\ntwo"),
            ("<end><c-w>x", "x\ntwo"),
            ("<c-v><c-x><c-g><c-r><c-m><c-o><c-t><a-x><a-d>", "one\ntwo"),
            ("<c-a>x<c-e>y", "xoney\ntwo"),
            ("x<c-z>", "one\ntwo"),
            ("x<c-z><c-y>", "xone\ntwo"),
            ("<c-end>x<c-home>y", "yone\ntwox"),
            ("<c-right>x", "one\nxtwo"),
            ("<c-d><del>", "e\ntwo"),
            ("<down><bs>", "onetwo"),
            ("<c-n><c-p><c-f>x<c-b>y", "oyxne\ntwo"),
            ("<tab><s-tab><f5><ins>", "one\ntwo"),
        ] {
            assert_eq!(typed("one\ntwo", Lines::Many, keys).text(), expected, "{keys}");
        }
        assert_eq!(typed("one", Lines::One, "<enter>x").text(), "onex");
        assert_eq!(typed("one", Lines::One, "<c-j>x").text(), "one\nx");
    }

    #[test]
    fn what_is_seen_as_one_character_is_one() {
        assert_eq!(typed("ae\u{301}", Lines::One, "<bs>").text(), "a");
        assert_eq!(typed("a👩\u{200d}👧b", Lines::One, "<left><left>x").text(), "ax👩\u{200d}👧b");
        assert_eq!(typed("中文", Lines::One, "<left><del>字").text(), "中字");
        let area = typed("a\u{202e}b", Lines::One, "<left><left>x");
        assert_eq!((area.text().as_str(), area.shown()), ("ax\u{202e}b", &["ax‹U+202E›b".to_owned()][..]));
        assert_eq!(typed("a\u{202e}b", Lines::One, "<left><bs>").text(), "ab");
        assert_eq!(typed("a\u{1b}b", Lines::One, "<home><right><del>").text(), "ab");
    }

    #[test]
    fn pasted_text_is_text() {
        let mut area = TextBox::new("", Lines::Many);
        area.paste("a\r\nb\rc\t\u{1b}[31m\u{200b}");
        assert_eq!(area.text(), "a\nb\nc\t\u{1b}[31m\u{200b}");
        assert!(area.shown().iter().all(|line| !line.contains(['\u{1b}', '\u{200b}', '\r'])));
        let mut area = TextBox::new("", Lines::One);
        area.paste("a\nb\n");
        assert_eq!(area.text(), "a b");
    }

    #[test]
    fn arrows_leave_at_the_edges() {
        let mut area = TextBox::new("a\nb", Lines::Many);
        let press = |area: &mut TextBox, key: &str| area.key(Key::parse(key).unwrap());
        assert_eq!(press(&mut area, "<up>"), Did::Above);
        assert_eq!(press(&mut area, "<down>"), Did::Moved);
        assert_eq!(press(&mut area, "<down>"), Did::Below);
        assert!(!area.is_changed());
        assert_eq!(press(&mut area, "x"), Did::Edited);
        assert!(area.is_changed());
        press(&mut area, "<bs>");
        assert!(!area.is_changed(), "back to what it was");
    }
}

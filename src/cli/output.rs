//! The writer behind every command: nothing of a memory reaches the terminal as it is.

use crate::memory::text::{hidden, visible};
use serde_json::Value;
use std::fmt::Write as _;
use std::io::{self, Write};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Where a command writes.
pub struct Out<'a> {
    to: &'a mut dyn Write,
    /// The columns of the terminal; `None` when the output is none, and nothing is cut.
    columns: Option<usize>,
}

impl<'a> Out<'a> {
    /// A writer to `to`.
    pub fn new(to: &'a mut dyn Write, columns: Option<usize>) -> Self {
        Self { to, columns }
    }

    /// Writes a line; what steers a terminal or hides from the eye becomes visible, line breaks too.
    ///
    /// # Errors
    /// As the writer's.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.to, "{}", visible(text, false))
    }

    /// Writes a value as JSON. What steers a terminal or hides from the eye is written as `\uXXXX`, which means
    /// the same to a program.
    ///
    /// # Errors
    /// As the writer's.
    pub fn json(&mut self, value: &Value) -> io::Result<()> {
        let text = serde_json::to_string_pretty(value)?;
        writeln!(self.to, "{}", escaped(&text))
    }

    /// Writes rows in columns, each as wide as its widest cell; the last one is cut at the terminal's edge.
    ///
    /// # Errors
    /// As the writer's.
    pub fn table<const N: usize>(&mut self, rows: &[[String; N]]) -> io::Result<()> {
        let rows: Vec<[String; N]> =
            rows.iter().map(|row| row.each_ref().map(|cell| visible(cell, false).into_owned())).collect();
        let mut widths = [0; N];
        for row in &rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.width().max(*width);
            }
        }
        for row in &rows {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(widths) {
                if !line.is_empty() {
                    line.push_str("  ");
                }
                line.push_str(cell);
                line.extend(std::iter::repeat_n(' ', width.saturating_sub(cell.width())));
            }
            let line = line.trim_end();
            match self.columns {
                Some(columns) => writeln!(self.to, "{}", cut(line, columns))?,
                None => writeln!(self.to, "{line}")?,
            }
        }
        Ok(())
    }

    /// The writer itself, for the program's own text (completions, frames).
    pub fn raw(&mut self) -> &mut dyn Write {
        self.to
    }
}

/// `text` in at most `columns` columns; what is cut off is marked.
fn cut(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.into();
    }
    let mut kept = String::new();
    let mut used = 1;
    for grapheme in text.graphemes(true) {
        used += grapheme.width();
        if used > columns {
            break;
        }
        kept.push_str(grapheme);
    }
    kept.push('…');
    kept
}

/// JSON in which what steers a terminal or hides from the eye is written as an escape of four digits, which means the
/// same to a program.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut from = 0;
    for (at, c) in hidden(text) {
        safe.push_str(text.get(from..at).unwrap_or_default());
        for unit in c.encode_utf16(&mut [0; 2]) {
            // Writing into a String can't fail.
            let _ = write!(safe, "\\u{unit:04x}");
        }
        from = at + c.len_utf8();
    }
    safe.push_str(text.get(from..).unwrap_or_default());
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(columns: Option<usize>, write: impl FnOnce(&mut Out<'_>) -> io::Result<()>) -> String {
        let mut bytes = Vec::new();
        write(&mut Out::new(&mut bytes, columns)).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn nothing_steers_the_terminal() {
        let hostile = "a\x1b[31m\u{202e}b\nc\u{7f}\u{9b}";
        let line = written(None, |out| out.line(hostile));
        assert_eq!(line.matches('\n').count(), 1);
        let json = written(None, |out| out.json(&Value::from(hostile)));
        for text in [&line, &json] {
            assert!(!text.trim_end().contains(['\x1b', '\u{202e}', '\n', '\u{7f}', '\u{9b}']), "{text:?}");
        }
        assert_eq!(
            serde_json::from_str::<Value>(&json).unwrap(),
            Value::from(hostile),
            "the value is the same"
        );
        let tag = "flag \u{e0067} end";
        let json = written(None, |out| out.json(&Value::from(tag)));
        assert!(!json.contains('\u{e0067}'));
        assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), Value::from(tag), "beyond 16 bits too");
    }

    #[test]
    fn columns_are_counted_as_the_terminal_does() {
        let rows = [["한국어".to_string(), "x".into()], ["ab".into(), "1234567890".into()]];
        assert_eq!(written(None, |out| out.table(&rows)), "한국어  x\nab      1234567890\n");
        assert_eq!(written(Some(12), |out| out.table(&rows)), "한국어  x\nab      123…\n");
        assert_eq!(cut("日本語", 4), "日…", "a wide character is not halved");
    }
}

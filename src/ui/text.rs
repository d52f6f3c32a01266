//! Text in columns: how wide it is, cutting it, wrapping it.

use ratatui::buffer::Buffer;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use std::borrow::Cow;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// How many columns the text takes.
#[must_use]
pub fn width(text: &str) -> usize {
    text.width()
}

/// The text cut to `columns`, with `…` at the end when something was cut. Looks at no more of the text
/// than fits: a line of 1 MB costs no more than a short one.
#[must_use]
pub fn fit(text: &str, columns: usize) -> Cow<'_, str> {
    let mut used = 0;
    let mut room_for_dots = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        let wide = grapheme.width();
        if used + wide > columns {
            let kept = text.get(..room_for_dots).unwrap_or_default();
            return Cow::Owned(if columns == 0 { String::new() } else { format!("{kept}…") });
        }
        used += wide;
        if used < columns {
            room_for_dots = at + grapheme.len();
        }
    }
    Cow::Borrowed(text)
}

/// The end of the text, cut to `columns`, with `…` before it when something was cut.
#[must_use]
pub fn fit_end(text: &str, columns: usize) -> Cow<'_, str> {
    if width(text) <= columns {
        return Cow::Borrowed(text);
    }
    let mut used = 1;
    let mut start = text.len();
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        used += grapheme.width();
        if used > columns {
            break;
        }
        start = at;
    }
    Cow::Owned(if columns == 0 {
        String::new()
    } else {
        format!("…{}", text.get(start..).unwrap_or_default())
    })
}

/// Writes text from column `x` on, cut to `columns`; gives the column behind it.
pub fn put(buffer: &mut Buffer, x: u16, y: u16, columns: u16, text: &str, style: Style) -> u16 {
    if !buffer.area.contains((x, y).into()) {
        return x;
    }
    let text = fit(text, usize::from(columns));
    buffer.set_stringn(x, y, text, usize::from(columns), style).0
}

/// Wraps styled text at blanks (and between wide characters) to `columns`. `first` stands before the first
/// line, `rest` before the others; both count. A word that is too long is broken.
#[must_use]
pub fn wrap<'a>(
    pieces: &[(Cow<'_, str>, Style)],
    columns: usize,
    first: &Line<'a>,
    rest: &Line<'a>,
) -> Vec<Line<'a>> {
    let mut wrapping = Wrapping::new(columns, first, rest);
    for (text, style) in pieces {
        for grapheme in text.graphemes(true) {
            wrapping.take(grapheme, *style);
        }
    }
    wrapping.finish()
}

/// The parts of a line that fit into `columns`, broken behind a blank where there is one in the second half; nothing
/// is left out. At least one part, empty for an empty line.
#[must_use]
pub fn fold(text: &str, columns: usize) -> Vec<Range<usize>> {
    if text.len() <= columns && text.is_ascii() {
        return std::iter::once(0..text.len()).collect();
    }
    let mut parts = Vec::new();
    let (mut start, mut used) = (0, 0);
    let mut blank: Option<(usize, usize)> = None;
    for (at, grapheme) in text.grapheme_indices(true) {
        let wide = grapheme.width();
        if used + wide > columns && at > start {
            let (cut, rest) = match blank.filter(|(_, column)| *column * 2 > columns) {
                Some((cut, column)) => (cut, used - column),
                None => (at, 0),
            };
            parts.push(start..cut);
            (start, used, blank) = (cut, rest, None);
        }
        used += wide;
        if grapheme == " " {
            blank = Some((at + 1, used));
        }
    }
    parts.push(start..text.len());
    parts
}

struct Wrapping<'a, 'b> {
    columns: usize,
    rest: &'b Line<'a>,
    lines: Vec<Line<'a>>,
    line: Line<'a>,
    used: usize,
    /// The column where the line's own text starts.
    start: usize,
    blank: Option<Style>,
    word: Vec<(String, Style)>,
    word_width: usize,
}

impl<'a, 'b> Wrapping<'a, 'b> {
    fn new(columns: usize, first: &Line<'a>, rest: &'b Line<'a>) -> Self {
        let used = first.width();
        Self {
            columns: columns.max(rest.width().max(used) + 2),
            rest,
            lines: Vec::new(),
            line: first.clone(),
            used,
            start: used,
            blank: None,
            word: Vec::new(),
            word_width: 0,
        }
    }

    fn take(&mut self, grapheme: &str, style: Style) {
        if grapheme == "\n" || grapheme == "\r\n" {
            self.end_word();
            self.new_line();
            return;
        }
        if grapheme == " " || grapheme == "\t" {
            self.end_word();
            self.blank = Some(style);
            return;
        }
        let wide = grapheme.width();
        // Scripts without blanks (wide characters) break anywhere; a word longer than a line too.
        if wide > 1 || self.word_width + wide > self.columns - self.rest.width() {
            self.end_word();
        }
        push(&mut self.word, grapheme, style);
        self.word_width += wide;
        if wide > 1 {
            self.end_word();
        }
    }

    fn end_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let gap = usize::from(self.blank.is_some() && self.used > self.start);
        if self.used + gap + self.word_width > self.columns && self.used > self.start {
            self.new_line();
        } else if gap == 1 {
            self.line.push_span(Span::styled(" ", self.blank.unwrap_or_default()));
            self.used += 1;
        }
        self.blank = None;
        for (text, style) in self.word.drain(..) {
            match self.line.spans.last_mut() {
                Some(last) if last.style == style => last.content.to_mut().push_str(&text),
                _ => self.line.push_span(Span::styled(text, style)),
            }
        }
        self.used += self.word_width;
        self.word_width = 0;
    }

    fn new_line(&mut self) {
        self.lines.push(std::mem::replace(&mut self.line, self.rest.clone()));
        self.used = self.rest.width();
        self.start = self.used;
        self.blank = None;
    }

    fn finish(mut self) -> Vec<Line<'a>> {
        self.end_word();
        self.lines.push(self.line);
        self.lines
    }
}

fn push(word: &mut Vec<(String, Style)>, text: &str, style: Style) {
    match word.last_mut() {
        Some((last, other)) if *other == style => last.push_str(text),
        _ => word.push((text.into(), style)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(text: &str, columns: usize) -> Vec<String> {
        let lines = wrap(&[(text.into(), Style::new())], columns, &Line::raw("* "), &Line::raw("  "));
        lines.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn cuts_by_columns_not_by_characters() {
        assert_eq!(fit("abcdef", 6), "abcdef");
        assert_eq!(fit("abcdefg", 6), "abcde…");
        assert_eq!(fit("中文字", 6), "中文字");
        assert_eq!(fit("中文字x", 6), "中文…");
        assert_eq!(fit("中文字x", 5), "中文…");
        assert_eq!(fit("e\u{301}e\u{301}e\u{301}", 2), "e\u{301}…");
        assert_eq!(fit("abc", 0), "");
        assert_eq!(fit_end("abcdef", 4), "…def");
        assert_eq!(fit_end("ab中文", 4), "…文");
        assert_eq!(fit_end("abc", 3), "abc");
        assert_eq!(fit_end("abc", 0), "");
    }

    fn folded(text: &str, columns: usize) -> Vec<&str> {
        fold(text, columns).into_iter().map(|part| text.get(part).unwrap()).collect()
    }

    #[test]
    fn folding_keeps_every_character() {
        assert_eq!(folded("  one two  three", 9), ["  one ", "two  ", "three"]);
        assert_eq!(folded("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(folded("中文字中", 5), ["中文", "字中"]);
        assert_eq!(folded("", 5), [""]);
        assert_eq!(folded("x", 0), ["x"]);
        for text in ["a b  c   d e f g", "中 文 字 x y z", "é e\u{301} 🇩🇪 🇩🇪"] {
            for columns in 1..9 {
                assert_eq!(folded(text, columns).concat(), text, "{columns}");
            }
        }
    }

    #[test]
    fn wraps_at_blanks_and_breaks_what_is_too_long() {
        assert_eq!(wrapped("one two three", 9), ["* one two", "  three"]);
        assert_eq!(wrapped("abcdefghijkl x", 8), ["* abcdef", "  ghijkl", "  x"]);
        assert_eq!(wrapped("中文字中文", 7), ["* 中文", "  字中", "  文"]);
        assert_eq!(wrapped("a\nb  c", 20), ["* a", "  b c"]);
        assert_eq!(wrapped("", 20), ["* "]);
        assert_eq!(wrapped("abc", 0), ["* ab", "  c"], "never stuck");
    }
}

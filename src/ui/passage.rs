//! The lines of a memory around a place in it, with what is meant set off.

use crate::check::secrets;
use crate::memory::lines::Lines;
use crate::memory::text::visible;
use crate::ui::text::{fit, wrap};
use crate::ui::theme::Theme;
use ratatui::text::{Line, Span};
use std::borrow::Cow;
use std::ops::Range;

/// Lines of a memory that stand around what is meant.
const AROUND: usize = 2;
/// A part of a line is shown up to so many characters.
const LONGEST: usize = 400;

/// What is meant in a memory.
pub(super) struct Passage<'a> {
    /// The file.
    pub(super) bytes: &'a [u8],
    /// The line, from 1.
    pub(super) line: usize,
    /// The bytes; `None`: the line as a whole.
    pub(super) range: Option<&'a Range<usize>>,
    /// What is meant is a secret, which is never echoed.
    pub(super) is_secret: bool,
    /// The lines around take a row each, and of a long line only what stands near shows.
    pub(super) is_short: bool,
}

/// So many characters stand before what is meant on a long line, and twice as many behind it.
const NEAR: usize = 120;

/// The lines around it, wrapped to so many columns. Secrets are masked wherever they stand.
pub(super) fn lines(passage: &Passage<'_>, theme: &Theme, columns: usize) -> Vec<Line<'static>> {
    let bytes = passage.bytes;
    let from = passage.line.saturating_sub(1 + AROUND);
    let mut lines = Vec::new();
    for (number, range) in Lines::new(bytes, 0).enumerate().skip(from).take(2 * AROUND + 1) {
        let is_meant = number + 1 == passage.line;
        let style = if is_meant { theme.text } else { theme.dim };
        let sign = if is_meant { "▸" } else { " " };
        let first = Line::styled(format!("{sign}{:>4} ", number + 1), theme.dim);
        let rest = Line::raw("      ");
        let hit = passage.range.filter(|hit| hit.start < range.end && hit.end > range.start);
        let hit = hit.map(|hit| (hit.start.max(range.start), hit.end.min(range.end)));
        let (start, end) = hit.unwrap_or((range.end, range.end));
        let text = |from: usize, to: usize| String::from_utf8_lossy(bytes.get(from..to).unwrap_or_default());
        let shown = |text: &str| {
            let text: String = text.trim_end_matches(['\n', '\r']).chars().take(LONGEST).collect();
            visible(&text.replace('\t', "    "), false).into_owned()
        };
        if passage.is_short && !is_meant {
            let line = secrets::mask(&text(range.start, range.end)).chars().take(LONGEST).collect::<String>();
            let line = visible(&line.replace('\t', "    "), false).into_owned();
            let line = fit(&line, columns.saturating_sub(first.width())).into_owned();
            lines.push(Line::from(vec![
                Span::styled(first.to_string(), theme.dim),
                Span::styled(line, style),
            ]));
            continue;
        }
        let near = |text: String, is_before: bool| {
            let (count, most) = (text.chars().count(), if is_before { NEAR } else { 2 * NEAR });
            if !passage.is_short || count <= most {
                return text;
            }
            if is_before {
                return format!("…{}", text.chars().skip(count - most).collect::<String>());
            }
            format!("{}…", text.chars().take(most).collect::<String>())
        };
        let whole = text(range.start, range.end);
        let masked = secrets::mask(&whole);
        let parts = match &masked {
            // A part alone may not tell that it is one.
            Cow::Owned(masked) if !passage.is_secret => vec![(shown(masked).into(), style)],
            _ => {
                let middle = shown(&text(start, end));
                let middle =
                    if passage.is_secret && !middle.is_empty() { "‹secret›".to_owned() } else { middle };
                vec![
                    (shown(&near(text(range.start, start).into_owned(), hit.is_some())).into(), style),
                    (middle.into(), style.patch(theme.hit)),
                    (shown(&near(text(end, range.end).into_owned(), false)).into(), style),
                ]
            }
        };
        lines.extend(wrap(&parts, columns, &first, &rest));
    }
    lines
}

//! Draws the list of sources: only the rows that show.

use crate::app::preview::page::Page;
use crate::app::preview::rows::{Entry, Row, Sign};
use crate::app::preview::{Part, Prompt};
use crate::ui::text::{fit, fit_end, put, width, wrap};
use crate::ui::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// Columns of the layer's name.
const KIND: u16 = 9;
/// Columns of the bar of a limit, at most.
const BAR: usize = 20;

/// Draws the list; gives the first row drawn.
pub(super) fn draw(prompt: &Prompt, page: &Page, theme: &Theme, area: Rect, buffer: &mut Buffer) -> usize {
    let height = usize::from(area.height);
    // The cursor stands in the middle where it can: what is around a row matters.
    let last = page.rows.len().saturating_sub(height);
    let top = prompt.row.saturating_sub(height / 2).min(last);
    for ((number, row), y) in page.rows.iter().enumerate().skip(top).zip(area.y..area.bottom()) {
        let place = Rect { y, height: 1, ..area };
        match row {
            Row::Head(text) => {
                put(buffer, area.x + 1, y, area.width.saturating_sub(2), text, theme.group);
            }
            Row::Entry(entry) => {
                line(entry, number == prompt.row, theme, place, buffer);
                if number == prompt.row {
                    let style = if prompt.part == Part::Sources { theme.cursor } else { theme.cursor_idle };
                    buffer.set_style(place, style);
                }
            }
        }
    }
    top
}

fn line(entry: &Entry, at_cursor: bool, theme: &Theme, row: Rect, buffer: &mut Buffer) {
    let (sign, style) = match entry.sign {
        Sign::Loads => (" ", theme.text),
        Sign::Not => ("✗", theme.error),
        Sign::Warning => ("▲", theme.warning),
    };
    put(buffer, row.x, row.y, 1, if at_cursor { "▸" } else { " " }, theme.text);
    put(buffer, row.x + 1, row.y, 1, sign, style);
    let end = row.right().saturating_sub(1);
    let figure = fit(&entry.figure, usize::from(row.width / 2)).into_owned();
    let wide = u16::try_from(width(&figure)).unwrap_or(0);
    let right = end.saturating_sub(wide);
    let figure_style = if entry.sign == Sign::Warning { theme.warning } else { theme.dim };
    put(buffer, right, row.y, wide, &figure, figure_style);
    let mut x = row.x + 3;
    if !entry.kind.is_empty() || entry.bar.is_some() {
        put(buffer, x, row.y, KIND, &entry.kind, theme.dim);
        x += KIND;
    }
    x += u16::try_from(entry.depth).unwrap_or(0) * 2;
    let room = usize::from(right.saturating_sub(x + 1));
    let name_style = if entry.sign == Sign::Not { theme.dim } else { theme.text };
    // Of a path the end says most, of a sentence the start.
    let name = if entry.name.contains(' ') { fit(&entry.name, room) } else { fit_end(&entry.name, room) };
    let behind = put(buffer, x, row.y, right.saturating_sub(x), &name, name_style);
    if let Some((used, limit)) = entry.bar {
        let start = behind.max(x + 11);
        let columns = usize::from(right.saturating_sub(start + 1)).min(BAR);
        let filled = (used.min(limit) * columns).checked_div(limit).unwrap_or(0);
        let style = if used > limit { theme.warning } else { theme.good };
        let at = put(buffer, start, row.y, right.saturating_sub(start), &"█".repeat(filled), style);
        put(buffer, at, row.y, right.saturating_sub(at), &"░".repeat(columns - filled), theme.dim);
    }
}

/// What there is to say about the row under the cursor.
pub(super) fn details(prompt: &Prompt, columns: usize, theme: &Theme) -> Vec<Line<'static>> {
    let empty = Line::default();
    let entry = prompt.current();
    let texts = entry.map(|entry| entry.detail.clone()).unwrap_or_default();
    let lines = texts.into_iter().enumerate().flat_map(|(number, text)| {
        let style = if number == 0 { theme.title } else { theme.dim };
        wrap(&[(text.into(), style)], columns, &empty, &empty)
    });
    lines.collect()
}

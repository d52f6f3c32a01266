//! Draws the text of a prompt with a gutter for its sources, and files to look at. Only what shows is laid out.

use crate::app::layout::{Area, PromptLayout};
use crate::app::preview::page::{Line as Piece, Of, Page};
use crate::app::preview::{FileView, Part, Prompt};
use crate::ui::text::{fold, put};
use crate::ui::theme::Theme;
use crate::ui::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use std::ops::Range;

/// Columns of the gutter, its line included.
const GUTTER: u16 = 10;

/// Draws the text; gives where its lines are.
pub(super) fn draw(
    prompt: &Prompt,
    page: &Page,
    theme: &Theme,
    area: Rect,
    buffer: &mut Buffer,
) -> PromptLayout {
    let columns = usize::from(area.width.saturating_sub(GUTTER + 2)).max(1);
    let height = usize::from(area.height);
    let top = top(prompt, page, columns, height);
    let pen = Pen { prompt, page, columns, theme };
    let mut rows = Vec::new();
    let mut y = area.y;
    for (number, piece) in page.lines.iter().enumerate().skip(top) {
        if y >= area.bottom() {
            break;
        }
        let start = y;
        let room = Rect { y, height: area.bottom() - y, ..area };
        y = pen.line(piece, number == top, room, buffer);
        if let Some(worst) = prompt.flags.get(&number) {
            put(buffer, area.x + GUTTER - 2, start, 1, "▲", words::severity(*worst, theme));
        }
        rows.resize(usize::from(y - area.y), number);
        if number == prompt.line && prompt.part == Part::Text {
            buffer.set_style(Rect { y: start, height: y - start, ..area }, theme.cursor);
        }
    }
    let area = Area { x: area.x, y: area.y, width: area.width, height: area.height };
    PromptLayout { area, top, rows }
}

/// The first line to draw so that the whole line under the cursor shows, and at the end the screen is full.
fn top(prompt: &Prompt, page: &Page, columns: usize, height: usize) -> usize {
    let lowest = highest_above(page, prompt.line, columns, height);
    let last = highest_above(page, page.lines.len().saturating_sub(1), columns, height);
    prompt.top.max(lowest).min(prompt.line).min(last)
}

/// The first line from which on all down to a line shows.
fn highest_above(page: &Page, line: usize, columns: usize, height: usize) -> usize {
    let mut top = line;
    let mut used = rows_of(page, top, columns);
    while let Some(above) = top.checked_sub(1) {
        used += rows_of(page, above, columns);
        if used > height {
            break;
        }
        top = above;
    }
    top
}

fn rows_of(page: &Page, line: usize, columns: usize) -> usize {
    page.lines.get(line).map_or(0, |piece| fold(&page.shown(piece), columns).len())
}

/// What drawing a line needs.
struct Pen<'a> {
    prompt: &'a Prompt,
    page: &'a Page,
    columns: usize,
    theme: &'a Theme,
}

impl Pen<'_> {
    /// Draws a line at the top of an area; gives the row behind it.
    fn line(&self, piece: &Piece, is_top: bool, area: Rect, buffer: &mut Buffer) -> u16 {
        let theme = self.theme;
        let text = self.page.shown(piece);
        if matches!(piece.of, Of::Rule | Of::Cut) {
            let (fill, style) = if piece.of == Of::Cut { ("┄", theme.error) } else { ("─", theme.rule) };
            put(buffer, area.x, area.y, area.width, &fill.repeat(usize::from(area.width)), style);
            let style = if piece.of == Of::Cut { theme.error } else { theme.title };
            put(buffer, area.x + 2, area.y, area.width.saturating_sub(2), &format!(" {text} "), style);
            return area.y + 1;
        }
        let (label, style) = self.look(piece.of);
        let bar = if matches!(piece.of, Of::Below(_)) { "┊" } else { "│" };
        let hits = self.prompt.search.as_ref().map(|search| search.hits(&text)).unwrap_or_default();
        let parts = fold(&text, self.columns);
        let mut y = area.y;
        for (number, (part, row)) in parts.into_iter().zip(area.y..area.bottom()).enumerate() {
            y = row;
            if number == 0 && (piece.is_first || is_top) {
                put(buffer, area.x, y, GUTTER - 1, &label, theme.dim);
            }
            put(buffer, area.x + GUTTER - 1, y, 1, bar, theme.rule);
            let mut at = area.x + GUTTER + 1;
            for (range, is_hit) in apart(&part, &hits) {
                let style = if is_hit { style.patch(theme.hit) } else { style };
                let text = text.get(range).unwrap_or_default();
                at = put(buffer, at, y, area.right().saturating_sub(at), text, style);
            }
        }
        y + 1
    }

    /// What stands in the gutter, and how the text looks.
    fn look(&self, of: Of) -> (String, Style) {
        let theme = self.theme;
        let section = |at: usize| self.page.preview.sections.get(at);
        let layer = |at: usize| section(at).map_or("", |section| section.layer.as_str()).to_owned();
        match of {
            Of::System => ("system".into(), theme.text),
            Of::Frame | Of::Rule | Of::Cut => (String::new(), theme.dim),
            Of::Heading(at) => (layer(at), theme.heading),
            Of::Body(at) => (layer(at), theme.text),
            Of::Notice(_) => ("notice".into(), theme.warning),
            Of::Below(_) => ("not seen".into(), theme.dim),
            Of::OnUse(_) => ("on use".into(), theme.text),
        }
    }
}

/// A range cut where hits start and end: each part with whether it is one.
fn apart(part: &Range<usize>, hits: &[Range<usize>]) -> Vec<(Range<usize>, bool)> {
    let mut parts = Vec::new();
    let mut at = part.start;
    for hit in hits.iter().filter(|hit| hit.start < part.end && hit.end > part.start) {
        let (start, end) = (hit.start.max(part.start), hit.end.min(part.end));
        parts.push((at..start, false));
        parts.push((start..end, true));
        at = end;
    }
    parts.push((at..part.end, false));
    parts.retain(|(range, _)| !range.is_empty());
    parts
}

/// Draws a file; gives where its lines are.
pub(super) fn file(view: &FileView, theme: &Theme, area: Rect, buffer: &mut Buffer) -> PromptLayout {
    let mut rows = Vec::new();
    let columns = usize::from(area.width).max(1);
    let mut y = area.y;
    let Some(lines) = &view.lines else {
        put(buffer, area.x + 1, area.y + 1, area.width, "reading …", theme.dim);
        return PromptLayout::default();
    };
    for (number, text) in lines.iter().enumerate().skip(view.scroll) {
        if y >= area.bottom() {
            break;
        }
        // A line may be megabytes long: only what can show is laid out.
        let most = columns * usize::from(area.height);
        let cut = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
        let text = text.get(..cut).unwrap_or_default();
        for part in fold(text, columns) {
            if y >= area.bottom() {
                break;
            }
            put(buffer, area.x, y, area.width, text.get(part).unwrap_or_default(), theme.text);
            rows.push(number);
            y += 1;
        }
    }
    let area = Area { x: area.x, y: area.y, width: area.width, height: area.height };
    PromptLayout { area, top: view.scroll, rows }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_cut_out_of_a_part() {
        let parts = apart(&(2..10), &[0..3, 5..6, 9..12]);
        assert_eq!(parts, [(2..3, true), (3..5, false), (5..6, true), (6..9, false), (9..10, true)]);
    }
}

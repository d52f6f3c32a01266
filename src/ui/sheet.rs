//! The small forms: their fields, what will come of them, and the memories that are merged side by side.

use crate::app::contents::Contents;
use crate::app::layout::Layout;
use crate::app::model::Model;
use crate::app::sheet::{Sheet, Stage, Task};
use crate::memory::path::RelPath;
use crate::memory::text::visible;
use crate::ui::editor::form;
use crate::ui::text::{fit, put, wrap};
use crate::ui::theme::Theme;
use crate::ui::{READABLE, bars};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

/// So many of the memories that are merged show side by side.
const SIDE_BY_SIDE: usize = 3;
/// Lines of a body that are laid out at most.
const MOST_LINES: usize = 200;

/// Draws the form over the body; gives where the text cursor is.
pub(super) fn draw(
    model: &Model,
    sheet: &Sheet,
    theme: &Theme,
    body: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) -> Option<(u16, u16)> {
    let mut page = Rect { x: body.x + 1, width: body.width.saturating_sub(2), ..body };
    if let (Task::Merge { memories, .. }, Some(open)) = (&sheet.task, model.open())
        && layout.is_wide
    {
        let upper = Rect { height: page.height / 2, ..page };
        side_by_side(&open.contents, sheet, memories, theme, upper, buffer);
        let taken = upper.height.min(page.height);
        bars::rule(theme, Rect { y: page.y + taken, height: 1, ..body }, buffer);
        page = Rect { y: page.y + taken + 1, height: page.height.saturating_sub(taken + 1), ..page };
    }
    page.width = page.width.min(READABLE);
    let notes = notes(sheet, theme, usize::from(page.width));
    let rows = u16::try_from(notes.len()).unwrap_or(u16::MAX).min(page.height / 2);
    let fields = Rect { height: page.height.saturating_sub(rows + 1), ..page };
    let cursor = form(&sheet.form, theme, fields, buffer, layout);
    for (line, y) in notes.iter().zip(page.bottom().saturating_sub(rows)..page.bottom()) {
        buffer.set_line(page.x, y, line, page.width);
    }
    cursor.filter(|_| sheet.stage == Stage::Typing)
}

/// What stands on the upper rule.
pub(super) fn title(sheet: &Sheet, theme: &Theme) -> Vec<(String, Style)> {
    let (what, of) = sheet.title();
    let mut parts = vec![(format!(" {what} "), theme.title)];
    if !of.is_empty() {
        parts.push((format!(" {of} "), theme.dim));
    }
    parts
}

fn notes(sheet: &Sheet, theme: &Theme, columns: usize) -> Vec<Line<'static>> {
    let (first, rest) = (Line::styled("→ ", theme.dim), Line::raw("  "));
    sheet
        .notes
        .iter()
        .flat_map(|note| wrap(&[(note.clone().into(), theme.dim)], columns, &first, &rest))
        .collect()
}

/// The memories as they are, in columns, the one that stays first.
fn side_by_side(
    contents: &Contents,
    sheet: &Sheet,
    memories: &[(RelPath, String)],
    theme: &Theme,
    area: Rect,
    buffer: &mut Buffer,
) {
    let kept = sheet.kept();
    let is_kept = |(path, _): &&(RelPath, String)| Some(path) == kept;
    let ordered = memories.iter().filter(is_kept).chain(memories.iter().filter(|it| !is_kept(it)));
    let count = memories.len().min(SIDE_BY_SIDE);
    let columns = area.width / u16::try_from(count.max(1)).unwrap_or(1);
    for ((path, name), x) in ordered.take(count).zip((area.x..).step_by(usize::from(columns.max(1)))) {
        let column = Rect { x, width: columns.saturating_sub(2), ..area };
        let (word, style) = if Some(path) == kept { ("stays", theme.good) } else { ("goes", theme.warning) };
        let room = usize::from(column.width.saturating_sub(8));
        let end = put(buffer, x, column.y, column.width, &fit(name, room), theme.title);
        put(buffer, end + 1, column.y, 6, word, style);
        let memory = contents.find(path).and_then(|at| contents.snapshot.memories.get(at));
        let text = memory.map(|memory| memory.body().trim().to_owned()).unwrap_or_default();
        let empty = Line::default();
        let lines = text.lines().take(MOST_LINES).flat_map(|line| {
            let line = visible(line, false).into_owned();
            wrap(&[(line.into(), theme.text)], usize::from(column.width), &empty, &empty)
        });
        for (line, y) in lines.zip(column.y + 1..column.bottom()) {
            buffer.set_line(x, y, &line, column.width);
        }
    }
    let more = memories.len() - count;
    if more > 0 {
        let text = format!("and {more} more");
        let y = area.bottom().saturating_sub(1);
        let x = area.right().saturating_sub(u16::try_from(text.len()).unwrap_or(0) + 1);
        put(buffer, x, y, area.width, &text, theme.dim);
    }
}

//! The editor: the form with its fields, the raw file, and two versions of a memory.

mod conflict;
mod fields;
mod questions;

pub(super) use fields::draw as form;
pub(super) use questions::draw as ask;

use crate::app::editor::{Editor, Stage, TextBox, View};
use crate::app::layout::Layout;
use crate::review::edit::Kind;
use crate::ui::theme::Theme;
use crate::ui::{READABLE, to_area};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::Widget;

/// Draws the editor over the body; gives where the text cursor is.
pub(super) fn draw(
    editor: &Editor,
    theme: &Theme,
    body: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) -> Option<(u16, u16)> {
    let page = Rect { x: body.x + 1, width: body.width.min(READABLE).saturating_sub(2), ..body };
    if let Stage::Conflict(merge) = &editor.stage {
        conflict::draw(merge, theme, page, buffer);
        return None;
    }
    let cursor = match &editor.view {
        View::Form(form) => fields::draw(form, theme, page, buffer, layout),
        View::Raw(area) => {
            layout.fields.push((to_area(page), 0));
            Some(text_area(area, page, buffer))
        }
    };
    cursor.filter(|_| matches!(editor.stage, Stage::Typing))
}

/// Draws a text area; gives where its cursor is.
fn text_area(text: &TextBox, area: Rect, buffer: &mut Buffer) -> (u16, u16) {
    text.area().render(area, buffer);
    let (top, left) = text.area().scroll_offset();
    let cursor = text.area().screen_cursor();
    let place = |at: usize, from: u16, start: u16, room: u16| {
        let offset = at.saturating_sub(usize::from(from)).min(usize::from(room.saturating_sub(1)));
        start + u16::try_from(offset).unwrap_or(0)
    };
    (place(cursor.col, left, area.x, area.width), place(cursor.row, top, area.y, area.height))
}

/// What stands on the upper rule while a memory is edited.
pub(super) fn title(editor: &Editor, theme: &Theme) -> Vec<(String, Style)> {
    let view = match (&editor.stage, &editor.view) {
        (Stage::Conflict(_), _) => "two versions",
        (_, View::Form(_)) if editor.bench.is_some() => "description",
        (_, View::Form(_)) => "form",
        (_, View::Raw(_)) => "raw file",
    };
    let mut parts = vec![(format!(" {} ", editor.name), theme.title), (format!(" {view} "), theme.dim)];
    if editor.is_stale {
        parts.push((" changed on the disk meanwhile ".into(), theme.warning));
    }
    parts
}

/// What the change does to the age, in words.
pub(super) fn kind(editor: &Editor) -> &'static str {
    if !matches!(editor.stage, Stage::Typing | Stage::Leaving | Stage::Saving { .. }) {
        return "";
    }
    match editor.kind() {
        None => " unchanged ",
        Some(Kind::Substance) => " substance: its age starts again ",
        Some(Kind::Correction) => " correction: its age stays ",
    }
}

//! The window that asks where memories go.

use crate::app::model::Model;
use crate::app::moving::{Moving, Place};
use crate::ui::overlay::{Drawn, typed, window};
use crate::ui::text::{fit_end, put, width, wrap};
use crate::ui::theme::Theme;
use crate::ui::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// What a person should know who looks for a place for all projects.
const HONEST: &str = "The client has no store for all projects: what holds in every one of them goes to your own \
                      CLAUDE.md or a rule of your own, which all load.";

/// Draws it; gives how many rows show and how many there are, and where the text cursor is.
pub(super) fn draw(model: &Model, moving: &Moving, theme: &Theme, body: Rect, buffer: &mut Buffer) -> Drawn {
    let rows = moving.rows(model);
    let columns = usize::from(body.width.saturating_sub(4)).min(96);
    let mut below: Vec<Line<'static>> = Vec::new();
    if moving.planning.is_some() {
        below.push(Line::styled("looking at both stores …", theme.dim));
    } else if model.stores.found.is_none() {
        below.push(Line::styled("looking for stores …", theme.dim));
    } else if moving.paths.is_some() {
        below.extend(wrap(
            &[(HONEST.into(), theme.dim)],
            columns.saturating_sub(4),
            &Line::default(),
            &Line::default(),
        ));
    }
    let height = (rows.len().max(1) + below.len() + 5).min(usize::from(body.height));
    let word = if moving.paths.is_some() { "to" } else { "into" };
    let title = format!("{} {} {word}", moving.verb(), moving.title);
    let title = fit_end(&title, columns.saturating_sub(6));
    let area = window(body, columns, height, &title, theme, buffer);
    let cursor = typed(&moving.field, theme, area, buffer);
    let foot = u16::try_from(below.len()).unwrap_or(0).min(area.height / 2);
    for (line, y) in below.iter().zip(area.bottom().saturating_sub(foot)..area.bottom()) {
        buffer.set_line(area.x, y, line, area.width);
    }
    let list = Rect { y: area.y + 2, height: area.height.saturating_sub(3 + foot), ..area };
    let shown = usize::from(list.height).max(1);
    let top = moving.chosen.saturating_sub(shown - 1);
    for ((number, row), y) in rows.iter().enumerate().skip(top).zip(list.y..list.bottom()) {
        let facts = match (&row.why_not, &row.place) {
            (Some(why), _) => why.clone(),
            (None, Place::Store(store)) => words::counted(store.memories, "memory"),
            (None, Place::User) => String::new(),
        };
        let style = if row.why_not.is_some() { theme.dim } else { theme.text };
        let wide = u16::try_from(width(&facts)).unwrap_or(0).min(list.width);
        let room = list.width.saturating_sub(wide + 2);
        let name = match &row.place {
            // The end of a project's name tells most; of a sentence the beginning.
            Place::Store(_) => fit_end(&row.name, usize::from(room)),
            Place::User => crate::ui::text::fit(&row.name, usize::from(room)),
        };
        put(buffer, list.x, y, room, &name, style);
        put(buffer, list.right().saturating_sub(wide), y, wide, &facts, theme.dim);
        if number == moving.chosen {
            buffer.set_style(Rect { y, height: 1, ..list }, theme.cursor);
        }
    }
    if rows.is_empty() && model.stores.found.is_some() {
        let is_typed = !moving.field.text().is_empty();
        let text = if is_typed { "No place is called so." } else { "There is no other store." };
        put(buffer, list.x, list.y, list.width, text, theme.dim);
    }
    ((shown, rows.len()), Some(cursor))
}

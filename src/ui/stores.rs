//! Draws the list of stores.

use crate::app::contents::one_line;
use crate::app::model::Model;
use crate::prompt::locate::FoundStore;
use crate::ui::text::{fit_end, put, width};
use crate::ui::theme::Theme;
use crate::ui::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Draws the list; gives the first one drawn.
pub(super) fn draw(model: &Model, theme: &Theme, area: Rect, buffer: &mut Buffer) -> usize {
    let found = match &model.stores.found {
        None => {
            put(
                buffer,
                area.x + 2,
                area.y + 1,
                area.width.saturating_sub(2),
                "looking for stores …",
                theme.dim,
            );
            return 0;
        }
        Some(found) if found.is_empty() => {
            let lines = [
                "No stores were found on this machine.",
                "`memcurator init` makes one in the project; `memcurator demo` shows how it looks.",
            ];
            for (text, y) in lines.iter().zip(area.y + 1..) {
                put(buffer, area.x + 2, y, area.width.saturating_sub(2), text, theme.dim);
            }
            return 0;
        }
        Some(_) => model.stores.shown(),
    };
    if found.is_empty() {
        put(
            buffer,
            area.x + 2,
            area.y + 1,
            area.width.saturating_sub(2),
            "Nothing matches. Esc clears the filter.",
            theme.dim,
        );
    }
    let height = usize::from(area.height).max(1);
    let top = model.stores.cursor.saturating_sub(height - 1);
    for ((number, store), y) in found.iter().enumerate().skip(top).zip(area.y..area.bottom()) {
        let row = Rect { y, height: 1, ..area };
        line(model, store, number == model.stores.cursor, theme, row, buffer);
    }
    // The list is where one starts when the project has none.
    let below = area.y.saturating_add(u16::try_from(found.len()).unwrap_or(u16::MAX)).saturating_add(1);
    if model.dir().is_none() && !found.is_empty() && below < area.bottom() {
        let text = "No store belongs to the current project: `memcurator init` makes one.";
        put(buffer, area.x + 3, below, area.width.saturating_sub(3), text, theme.dim);
    }
    top
}

fn line(model: &Model, store: &FoundStore, at_cursor: bool, theme: &Theme, row: Rect, buffer: &mut Buffer) {
    let newest = store.newest.map(|time| match (model.now - time).num_days() {
        days if days < 0 => "future".into(),
        0 => "today".into(),
        days => format!("{days}d"),
    });
    let count = words::counted(store.memories, "memory");
    let facts =
        format!("{count:>14}  {:>9}  {:>6} ", words::size(store.bytes), newest.unwrap_or_else(|| "–".into()));
    let is_open = model.dir() == Some(store.dir.as_path());
    let wide = u16::try_from(width(&facts)).unwrap_or(0);
    let end = row.right().saturating_sub(wide);
    put(buffer, row.x, row.y, 1, if at_cursor { "▸" } else { " " }, theme.text);
    put(buffer, row.x + 1, row.y, 1, if is_open { "•" } else { " " }, theme.mark);
    let room = end.saturating_sub(row.x + 4);
    put(buffer, row.x + 3, row.y, room, &fit_end(&one_line(&store.slug), usize::from(room)), theme.text);
    put(buffer, end, row.y, wide, &facts, theme.dim);
    if at_cursor {
        buffer.set_style(row, theme.cursor);
    }
}

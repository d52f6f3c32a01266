//! Where a memory stands for queries, below its description while that is edited.

use crate::app::commands::Command;
use crate::app::contents::one_line;
use crate::app::model::Model;
use crate::app::recall::{Bench, Standing};
use crate::prompt::recall::Rank;
use crate::ui::text::{fit, put, wrap};
use crate::ui::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

/// Columns of a place, with whether it would be picked.
const PLACE: u16 = 15;

/// Draws the table.
pub(in crate::ui) fn draw(model: &Model, bench: &Bench, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let mut y = area.y;
    let Some(tried) = &bench.tried else {
        put(buffer, area.x, y, area.width, "working out where it stands …", theme.dim);
        return;
    };
    let queries = area.width.saturating_sub(2 * PLACE + 2);
    let now = area.x + queries + 1;
    put(buffer, now, y, PLACE, "in the store", theme.label);
    put(buffer, now + PLACE, y, PLACE, "as typed", theme.label);
    put(buffer, area.x, y, queries, "query", theme.label);
    y += 1;
    let foot = foot(model, bench, theme, usize::from(area.width));
    let end = area.bottom().saturating_sub(u16::try_from(foot.len()).unwrap_or(0) + 1);
    let mut made_follow = false;
    for one in &tried.standings {
        if !one.is_own && !std::mem::replace(&mut made_follow, true) && y < end {
            put(buffer, area.x, y, queries, "of the body's own words", theme.group);
            y += 1;
        }
        if y >= end {
            break;
        }
        row(one, theme, Rect { y, height: 1, ..area }, queries, buffer);
        y += 1;
    }
    for (line, y) in foot.iter().zip(y + 1..area.bottom()) {
        buffer.set_line(area.x, y, line, area.width);
    }
}

fn row(one: &Standing, theme: &Theme, row: Rect, queries: u16, buffer: &mut Buffer) {
    let query = one_line(&one.query);
    put(
        buffer,
        row.x,
        row.y,
        queries,
        &format!("  {}", fit(&query, usize::from(queries.saturating_sub(2)))),
        theme.text,
    );
    let now = row.x + queries + 1;
    let (before, _) = told(one.before.as_ref(), theme);
    put(buffer, now, row.y, PLACE, &before, theme.dim);
    let (after, style) = told(one.after.as_ref(), theme);
    let x = put(buffer, now + PLACE, row.y, PLACE, &after, style);
    let sign = match (one.before.as_ref(), one.after.as_ref()) {
        (Some(before), Some(after)) if after.score > before.score => ("↑", theme.good),
        (Some(before), Some(after)) if after.score < before.score => ("↓", theme.warning),
        _ => ("", theme.text),
    };
    put(buffer, x + 1, row.y, 1, sign.0, sign.1);
}

/// `3 of 120 ✓`: the place, and whether it would be picked; nothing matches: no place.
fn told(rank: Option<&Rank>, theme: &Theme) -> (String, Style) {
    match rank {
        None => ("not there".into(), theme.warning),
        Some(rank) if rank.score <= 0.0 => ("no match".into(), theme.dim),
        Some(rank) if rank.is_picked => {
            (format!("{} picked", crate::app::recall::place(rank.place)), theme.good)
        }
        Some(rank) => (crate::app::recall::place(rank.place), theme.text),
    }
}

/// What the place goes by, and the proposed description.
fn foot(model: &Model, bench: &Bench, theme: &Theme, columns: usize) -> Vec<Line<'static>> {
    let empty = Line::default();
    let mut lines = Vec::new();
    if let Some(proposed) = bench.tried.as_ref().and_then(|tried| tried.suggestion.as_deref()) {
        let key = model.keymap.label(Command::TakeSuggestion);
        let first = Line::styled(format!("proposed ({key})  "), theme.key);
        let rest = Line::raw(" ".repeat(first.width()));
        lines.extend(wrap(&[(one_line(proposed).into(), theme.text)], columns, &first, &rest));
    }
    let key = model.keymap.label(Command::AddQuery);
    let text =
        format!("{key} tries one more query; a place is among all memories, by name, description and type");
    lines.extend(wrap(&[(text.into(), theme.dim)], columns, &empty, &empty));
    lines
}

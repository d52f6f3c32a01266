//! Tables in a memory: columns aligned, cells wrapped.

use crate::ui::markdown::Piece;
use crate::ui::text::{width, wrap};
use crate::ui::theme::Theme;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

/// The least columns that a column of a table is squeezed to.
const NARROWEST: usize = 5;

/// The lines of a table; its first row is its head.
pub(super) fn lines(rows: &[Vec<Vec<Piece>>], columns: usize, theme: &Theme) -> Vec<Line<'static>> {
    let widths = widths(rows, columns);
    let mut lines = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        let is_head = number == 0;
        lines.extend(row_lines(row, &widths, is_head));
        if is_head {
            let rules: Vec<_> = widths.iter().map(|width| "─".repeat(*width)).collect();
            lines.push(Line::styled(rules.join(" "), theme.rule));
        }
    }
    lines
}

/// Each column's width: as its widest cell asks for, the widest ones squeezed until all fit.
fn widths(rows: &[Vec<Vec<Piece>>], columns: usize) -> Vec<usize> {
    let count = rows.iter().map(Vec::len).max().unwrap_or_default();
    let asked = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let wide = cells.map(|cell| cell.iter().map(|(text, _)| width(text)).sum::<usize>());
        wide.max().unwrap_or_default().min(columns).max(NARROWEST)
    };
    let mut widths: Vec<usize> = (0..count).map(asked).collect();
    let room = columns.saturating_sub(count.saturating_sub(1));
    while widths.iter().sum::<usize>() > room {
        let Some(widest) = widths.iter_mut().max().filter(|widest| **widest > NARROWEST) else { break };
        *widest -= 1;
    }
    widths
}

fn row_lines(row: &[Vec<Piece>], widths: &[usize], is_head: bool) -> Vec<Line<'static>> {
    let empty = Line::default();
    let cells: Vec<Vec<Line<'static>>> =
        row.iter().zip(widths).map(|(cell, width)| wrap(cell, *width, &empty, &empty)).collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or_default();
    let mut lines = Vec::new();
    for number in 0..height {
        let mut line = Line::default();
        for (cell, width) in cells.iter().zip(widths) {
            let part = cell.get(number).cloned().unwrap_or_default();
            let gap = width.saturating_sub(part.width()) + 1;
            for mut span in part.spans {
                if is_head {
                    span.style = span.style.add_modifier(Modifier::BOLD);
                }
                line.push_span(span);
            }
            line.push_span(Span::raw(" ".repeat(gap)));
        }
        lines.push(line);
    }
    lines
}

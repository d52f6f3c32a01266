//! Two versions of a memory: what both changed, side under side, with the lines around it.

use crate::app::editor::Merge;
use crate::memory::text::visible;
use crate::review::conflict::{Choice, Piece};
use crate::ui::text::wrap;
use crate::ui::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// So many lines are shown around a conflict.
const AROUND: usize = 3;
/// More lines of one side are not shown: they can be looked at in the editor.
const MOST: usize = 200;

/// Draws the conflicts, scrolled to the one that keys act on.
pub(super) fn draw(merge: &Merge, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let columns = usize::from(area.width);
    let plain = Line::default();
    let mut lines: Vec<Line<'static>> = Vec::new();
    let intro =
        "Someone else changed this memory while you edited it. Nothing is overwritten: choose what stays.";
    lines.extend(wrap(&[(intro.into(), theme.text)], columns, &plain, &plain));
    lines.push(Line::default());
    let (mut number, mut at) = (0, 0);
    let last = merge.pieces.len().saturating_sub(1);
    for (place, piece) in merge.pieces.iter().enumerate() {
        match piece {
            Piece::Settled(text) => {
                let edge = (place == 0, place == last);
                settled(text, edge, theme, columns, &mut lines);
            }
            Piece::Conflict { mine, theirs } => {
                let chosen = merge.choices.get(number).copied().flatten();
                let is_here = number == merge.at;
                if is_here {
                    at = lines.len();
                }
                let (word, style) = match chosen {
                    None => ("open", theme.warning),
                    Some(Choice::Mine) => ("mine", theme.good),
                    Some(Choice::Theirs) => ("theirs", theme.good),
                    Some(Choice::Both) => ("both", theme.good),
                };
                lines.push(Line::from(vec![
                    Span::styled(if is_here { "▸ " } else { "  " }, theme.key),
                    Span::styled(format!("{} of {}  ", number + 1, merge.choices.len()), theme.title),
                    Span::styled(word, style),
                ]));
                let style = |on: bool| if chosen.is_none() || on { theme.text } else { theme.dim };
                let takes = |choice| chosen == Some(choice) || chosen == Some(Choice::Both);
                side("theirs │ ", theirs, style(takes(Choice::Theirs)), theme, columns, &mut lines);
                side("  mine │ ", mine, style(takes(Choice::Mine)), theme, columns, &mut lines);
                number += 1;
            }
        }
    }
    let height = usize::from(area.height);
    let top = at.saturating_sub(AROUND).min(lines.len().saturating_sub(height));
    for (line, y) in lines.iter().skip(top).zip(area.y..area.bottom()) {
        buffer.set_line(area.x, y, line, area.width);
    }
}

/// The lines around the conflicts; what is far from them is left out.
fn settled(
    text: &[u8],
    (is_first, is_last): (bool, bool),
    theme: &Theme,
    columns: usize,
    lines: &mut Vec<Line<'static>>,
) {
    let text = String::from_utf8_lossy(text).into_owned();
    let all: Vec<&str> = text.lines().collect();
    let head = if is_first { 0 } else { AROUND.min(all.len()) };
    let tail = if is_last { all.len() } else { all.len().saturating_sub(AROUND) };
    let indent = Line::raw("         ");
    for (number, line) in all.iter().enumerate() {
        if number < head || number >= tail {
            if head < number && number == tail {
                lines.push(Line::styled("       ⋯", theme.dim));
            }
            lines.extend(indented(line, theme.dim, columns, &indent, &indent));
        }
    }
}

/// A line, wrapped, with the blanks at its start.
fn indented(
    line: &str,
    style: Style,
    columns: usize,
    first: &Line<'static>,
    rest: &Line<'static>,
) -> Vec<Line<'static>> {
    let line = visible(line, false);
    let text = line.trim_start_matches(' ');
    let blanks = (line.len() - text.len()).min(columns / 4);
    let mut first = first.clone();
    first.push_span(Span::raw(" ".repeat(blanks)));
    wrap(&[(text.into(), style)], columns, &first, rest)
}

fn side(
    name: &'static str,
    text: &[u8],
    style: Style,
    theme: &Theme,
    columns: usize,
    lines: &mut Vec<Line<'static>>,
) {
    let text = String::from_utf8_lossy(text).into_owned();
    let first = Line::from(Span::styled(name, theme.label));
    let rest = Line::from(Span::styled("       │ ", theme.label));
    if text.is_empty() {
        lines.push(Line::from(vec![Span::styled(name, theme.label), Span::styled("(nothing)", theme.dim)]));
    }
    for (number, line) in text.lines().take(MOST).enumerate() {
        let first = if number == 0 { &first } else { &rest };
        lines.extend(indented(line, style, columns, first, &rest));
    }
    if text.lines().nth(MOST).is_some() {
        lines.push(Line::from(vec![Span::styled("       │ ", theme.label), Span::styled("⋯", theme.dim)]));
    }
}

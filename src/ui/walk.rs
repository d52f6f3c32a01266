//! Draws the walk through the worst: one memory with what is found on it, and the summary at the end.

use crate::app::commands::Command;
use crate::app::layout::Layout;
use crate::app::model::{Model, Open};
use crate::app::walk::Walk;
use crate::ui::text::{put, wrap};
use crate::ui::theme::Theme;
use crate::ui::{Painter, READABLE, pane, words};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// Draws the memory, or the summary.
pub(super) fn draw(
    model: &Model,
    open: &Open,
    walk: &Walk,
    painter: &mut Painter,
    body: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) {
    let theme = painter.theme.clone();
    let area = Rect { x: body.x + 1, width: body.width.saturating_sub(2).min(READABLE), ..body };
    if !walk.is_over() {
        layout.pane = pane::draw(open, model.now, &mut painter.page, &theme, area, buffer);
        return;
    }
    let undo = model.keymap.label(Command::WalkUndo);
    let close = model.keymap.label(Command::WalkClose);
    let lines = [
        (walk.summary(&open.contents), theme.title),
        (String::new(), theme.text),
        (format!("{undo} takes back what was done last, again what was done before."), theme.text),
        ("In a shell: memcurator undo, and memcurator log tells what was done.".to_owned(), theme.text),
        (String::new(), theme.text),
        (format!("{close} closes."), theme.dim),
    ];
    let none = Line::default();
    let all = lines.into_iter();
    let all =
        all.flat_map(|(text, style)| wrap(&[(text.into(), style)], usize::from(area.width), &none, &none));
    for (line, y) in all.zip(area.y + 1..area.bottom()) {
        buffer.set_line(area.x + 1, y, &line, area.width.saturating_sub(1));
    }
}

/// What stands on the rule above: which one it is, of how many.
pub(super) fn rule(model: &Model, walk: &Walk, theme: &Theme, row: Rect, buffer: &mut Buffer) {
    let mut x = row.x + 1;
    let mut say = |text: &str, style| {
        x = put(buffer, x, row.y, row.right().saturating_sub(x), text, style);
    };
    say(" walk the worst ", theme.title);
    say("─", theme.rule);
    if walk.is_over() {
        say(" done ", theme.good);
        return;
    }
    say(&format!(" {} of {} ", words::grouped(walk.at + 1), words::grouped(walk.queue.len())), theme.text);
    let last = walk.acts.iter().rev().find(|(at, _)| *at == walk.at);
    if last.is_some() {
        say("─", theme.rule);
        say(&format!(" seen already; {} takes back ", model.keymap.label(Command::WalkUndo)), theme.dim);
    }
}

//! Draws the Inbox screen: what waits, in groups, and beside it what is said about the one under the cursor.

mod detail;
mod diff;

use crate::app::contents::one_line;
use crate::app::inbox::{Item, Row, Waits};
use crate::app::layout::Layout;
use crate::app::model::{Model, Open};
use crate::review::gate::Mark;
use crate::ui::text::{fit, put, width};
use crate::ui::theme::Theme;
use crate::ui::{bars, to_area, words};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

/// Columns of a type in the list, and of the word for how it stands.
const KIND: usize = 9;
/// See [`KIND`].
const WORD: usize = 8;

/// Draws the screen.
pub(super) fn draw(
    model: &Model,
    open: &Open,
    theme: &Theme,
    body: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) {
    let inner = |area: Rect| Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    if !layout.is_wide && open.inbox.in_detail && open.inbox.current().is_some() {
        layout.pane = detail::draw(model, open, theme, inner(body), buffer);
        return;
    }
    let list = match layout.is_wide {
        true => Rect { width: (body.width * 9 / 20).clamp(48, 96), ..body },
        false => Rect { height: body.height.saturating_sub(4), ..body },
    };
    let top = rows(open, theme, list, buffer);
    layout.list = Some((to_area(list), top));
    if layout.is_wide {
        bars::divider(theme, list.right(), body, buffer);
        let x = list.right() + 1;
        let right = inner(Rect { x, width: body.right() - x, ..body });
        layout.pane = detail::draw(model, open, theme, right, buffer);
    } else {
        bars::rule(theme, Rect { y: list.bottom(), height: 1, ..body }, buffer);
        strip(open, theme, Rect { y: list.bottom() + 1, height: 3, ..body }, buffer);
    }
}

/// What stands on the rule above: how many wait, since when, how far the gate is.
pub(super) fn rule(open: &Open, theme: &Theme, say: &mut dyn FnMut(&str, Style) -> u16) {
    let desk = &open.inbox;
    let Some(waits) = &desk.waits else {
        say(" reading what waits … ", theme.dim);
        return;
    };
    if desk.rejected {
        say(&format!(" {} rejected ", words::grouped(waits.rejected.len())), theme.flag);
        return;
    }
    let proposals = waits.proposals();
    let changes = waits.items.len() - proposals;
    let mut text = format!(" {}, ", words::counted(proposals, "proposal"));
    match (&waits.changes, waits.since) {
        (None, _) => text.push_str("no review was started "),
        (Some(_), since) => {
            text.push_str(&words::counted(changes, "change"));
            let since = since.map(|since| since.format(" since %Y-%m-%d").to_string());
            text.push_str(&since.unwrap_or_default());
            text.push(' ');
        }
    }
    say(&text, theme.text);
    say("─", theme.rule);
    if desk.is_gated {
        say(if desk.by_origin { " by origin, safest first " } else { " safest first " }, theme.dim);
    } else {
        say(&format!(" the gate looks: {} of {} ", desk.gated, proposals), theme.mark);
    }
    if !waits.rejected.is_empty() {
        say("─", theme.rule);
        say(&format!(" {} rejected ", words::grouped(waits.rejected.len())), theme.dim);
    }
}

/// Draws the list; gives the first row drawn.
fn rows(open: &Open, theme: &Theme, area: Rect, buffer: &mut Buffer) -> usize {
    let desk = &open.inbox;
    let top = desk.top_for(usize::from(area.height));
    let Some(waits) = desk.waits.as_ref().filter(|_| !desk.rows.is_empty()) else {
        empty(open, theme, area, buffer);
        return top;
    };
    for (number, y) in (top..desk.rows.len()).zip(area.y..area.bottom()) {
        let row = Rect { y, height: 1, ..area };
        if let Some(Row::Head(title, count)) = desk.rows.get(number) {
            let room = area.width.saturating_sub(10);
            let x = put(buffer, area.x + 1, y, room, title, theme.group);
            put(buffer, x + 2, y, 8, &words::grouped(*count), theme.dim);
        } else if let Some(item) = desk.item(number) {
            line(open, waits, item, number == desk.cursor, theme, row, buffer);
        }
    }
    top
}

fn line(
    open: &Open,
    waits: &Waits,
    item: &Item,
    at_cursor: bool,
    theme: &Theme,
    row: Rect,
    buffer: &mut Buffer,
) {
    let gate = open.inbox.gate_of(item).map(|gate| &**gate);
    let (word, says, mark) = item.verdict(waits, gate, &open.contents);
    let style = mark_style(mark, theme);
    let columns = usize::from(row.width);
    let name_room = (columns.saturating_sub(KIND + WORD + 8) * 6 / 10).clamp(12, 40);
    let name = fit(&item.title, name_room).into_owned();
    let gap = name_room.saturating_sub(width(&name)) + 1;
    let mut spans = vec![
        Span::raw(if at_cursor { "▸ " } else { "  " }),
        Span::styled(format!("{} ", item.sign), sign_style(item.sign, theme)),
        Span::styled(name, theme.text),
        Span::raw(" ".repeat(gap)),
        Span::styled(format!("{:<KIND$} ", fit(&item.kind, KIND)), theme.dim),
        Span::styled(format!("{:<WORD$} ", fit(&word, WORD)), style),
    ];
    let used: usize = spans.iter().map(Span::width).sum();
    spans.push(Span::styled(fit(&says, columns.saturating_sub(used + 1)).into_owned(), theme.dim));
    let style = match (at_cursor, open.inbox.in_detail) {
        (false, _) => None,
        (true, false) => Some(theme.cursor),
        (true, true) => Some(theme.cursor_idle),
    };
    if let Some(style) = style.filter(|style| style.add_modifier.contains(Modifier::REVERSED)) {
        // Reversed colours of every part would be a patchwork.
        spans.iter_mut().for_each(|span| span.style = Style::new());
        buffer.set_style(row, style);
    }
    buffer.set_line(row.x, row.y, &Line::from(spans), row.width);
    if let Some(style) = style {
        buffer.set_style(row, style);
    }
}

/// The style of an answer.
fn mark_style(mark: Mark, theme: &Theme) -> Style {
    match mark {
        Mark::Pass => theme.good,
        Mark::Nearly => theme.warning,
        Mark::Fail => theme.error,
    }
}

fn sign_style(sign: &str, theme: &Theme) -> Style {
    match sign {
        "+" => theme.good,
        "-" | "!" => theme.error,
        _ => theme.mark,
    }
}

fn empty(open: &Open, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let desk = &open.inbox;
    let lines: &[&str] = match &desk.waits {
        None => &["Reading what waits …"],
        Some(_) if !desk.filter.is_empty() => &["Nothing matches.", "Esc clears the filter."],
        Some(_) if desk.rejected => &["Nothing was rejected."],
        Some(waits) if waits.changes.is_none() => {
            &["Nothing waits.", "No review was started on this store yet."]
        }
        Some(_) => &[
            "Nothing waits.",
            "What an agent proposes, and what others change in",
            "the store from now on, is listed here.",
        ],
    };
    for (text, y) in lines.iter().zip(area.y + 1..area.bottom()) {
        put(buffer, area.x + 2, y, area.width.saturating_sub(2), text, theme.dim);
    }
}

/// Three lines about the item under the cursor, where there is no room for more.
fn strip(open: &Open, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let desk = &open.inbox;
    let (Some(item), Some(waits)) = (desk.current(), &desk.waits) else { return };
    let gate = desk.gate_of(item).map(|gate| &**gate);
    let (word, says, mark) = item.verdict(waits, gate, &open.contents);
    let says = if says.is_empty() { word } else { format!("{word}: {says}") };
    let near = gate.and_then(|gate| gate.nearest.first());
    let near = near.map(|near| format!("nearest  {}", one_line(&near.path.to_str_lossy())));
    let lines = [
        (says, mark_style(mark, theme)),
        (detail::origin(item), theme.dim),
        (near.unwrap_or_default(), theme.dim),
    ];
    for ((text, style), y) in lines.iter().zip(area.y..area.bottom()) {
        put(buffer, area.x + 1, y, area.width.saturating_sub(2), text, *style);
    }
}

//! Draws the list of memories: only the rows that show.

use crate::app::contents::Entry;
use crate::app::list::Row;
use crate::app::model::{Focus, Open};
use crate::app::query::Query;
use crate::check::Severity;
use crate::memory::path::RelPath;
use crate::review::index_state;
use crate::ui::text::{fit, put, width};
use crate::ui::theme::Theme;
use crate::ui::{pane, words};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use std::collections::HashSet;

/// Columns of the badge.
const BADGE: usize = 6;
/// In a list under so many columns long names are worth more than the start of a description.
const NARROW: usize = 64;
/// Less of a description than so many columns says nothing.
const WORTH_SHOWING: usize = 8;

/// Draws the list; gives the first row drawn.
pub fn draw(open: &Open, theme: &Theme, area: Rect, buffer: &mut Buffer) -> usize {
    let list = &open.list;
    let top = list.top_for(usize::from(area.height));
    if list.shown().next().is_none() {
        empty(open, theme, area, buffer);
        return top;
    }
    let range = list.in_range(&open.contents);
    for (number, y) in (top..list.rows.len()).zip(area.y..area.bottom()) {
        match list.rows.get(number) {
            Some(Row::Head(group, count)) => {
                let x = put(buffer, area.x + 1, y, area.width.saturating_sub(1), &group.title(), theme.group);
                put(buffer, x + 2, y, 8, &words::grouped(*count), theme.dim);
            }
            Some(Row::Entry(at)) => {
                if let Some(entry) = open.contents.entries.get(*at) {
                    let is_marked = list.marks.contains(&entry.path) || range.contains(&entry.path);
                    let row = Rect { y, height: 1, ..area };
                    let look = Look { at_cursor: number == list.cursor, is_marked };
                    line(open, entry, look, theme, row, buffer);
                }
            }
            None => {}
        }
    }
    top
}

#[derive(Clone, Copy)]
struct Look {
    at_cursor: bool,
    is_marked: bool,
}

fn line(open: &Open, entry: &Entry, look: Look, theme: &Theme, row: Rect, buffer: &mut Buffer) {
    let query = open.list.filter.query.as_deref();
    let columns = usize::from(row.width);
    let mut spans: Vec<Span<'static>> = Vec::new();
    spans.push(Span::raw(if look.at_cursor { "▸" } else { " " }));
    spans.push(Span::styled(if look.is_marked { "✓" } else { " " }, theme.mark));
    spans.extend(badge(entry, theme));
    let sign = match entry.worst.filter(|_| entry.is_worth_a_look) {
        Some(Severity::Error) => Span::styled("▲ ", theme.error),
        Some(Severity::Warning) => Span::styled("▲ ", theme.warning),
        _ => Span::raw("  "),
    };
    spans.push(sign);
    let used: usize = spans.iter().map(Span::width).sum();
    // One column stays free at the right, before the divider.
    let room = columns.saturating_sub(used + 1);
    // Names have a column of their own, so that flags and descriptions stand under each other. In a narrow
    // list a name without flags may go over it: the description has no room there anyway.
    let column = (room / 2).min(40).max(room.min(24));
    let flags_room = entry.flags.join(", ").chars().count() + 2;
    let name_room = if columns < NARROW && entry.flags.is_empty() {
        room
    } else if entry.description.is_empty() {
        room.saturating_sub(flags_room).max(column)
    } else {
        column
    };
    let name = fit(&entry.name, name_room).into_owned();
    let name_columns = width(&name).max(column);
    let gap = name_columns - width(&name);
    spans.extend(hits(query, name, theme.text, theme));
    spans.push(Span::raw(" ".repeat(gap + 2)));
    let mut rest = room.saturating_sub(name_columns + 2);
    if !entry.flags.is_empty() {
        let flags = fit(&entry.flags.join(", "), rest).into_owned();
        rest = rest.saturating_sub(width(&flags) + 2);
        spans.push(Span::styled(flags, theme.flag));
        spans.push(Span::raw("  "));
    }
    if rest >= WORTH_SHOWING {
        let description = fit(&entry.description, rest).into_owned();
        spans.extend(hits(query, description, theme.dim, theme));
    }
    let idle = open.pane.focus != Focus::List;
    let style = match (look.at_cursor, idle) {
        (false, _) => None,
        (true, false) => Some(theme.cursor),
        (true, true) => Some(theme.cursor_idle),
    };
    if let Some(style) = style.filter(|style| style.add_modifier.contains(Modifier::REVERSED)) {
        // Reversed colours of every part would be a patchwork: the line is plain, but for what matches.
        for span in &mut spans {
            let is_hit = query.is_some() && span.style.bg == theme.hit.bg && theme.hit.bg.is_some();
            let kept = span.style.add_modifier & Modifier::UNDERLINED;
            span.style = Style::new().add_modifier(if is_hit { Modifier::UNDERLINED } else { kept });
        }
        buffer.set_style(row, style);
    }
    buffer.set_line(row.x, row.y, &Line::from(spans), row.width);
    if let Some(style) = style {
        buffer.set_style(row, style);
    }
}

/// The age, right-aligned; dim when the client will speak of it.
fn badge(entry: &Entry, theme: &Theme) -> Vec<Span<'static>> {
    let Some(age) = entry.age else { return vec![Span::raw(" ".repeat(BADGE + 1))] };
    let (style, _, letter) = words::band(age.band(), theme);
    let style = if entry.client_note.is_some() { style.patch(theme.warned) } else { style };
    let letter = if theme.has_letters { letter } else { " " };
    vec![Span::styled(format!("{:>BADGE$}", age.badge()), style), Span::raw(letter)]
}

fn hits(query: Option<&Query>, text: String, style: Style, theme: &Theme) -> Vec<Span<'static>> {
    match query {
        None => vec![Span::styled(text, style)],
        Some(query) => pane::marked(query, &Line::from(Span::styled(text, style)), theme).spans,
    }
}

fn empty(open: &Open, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let waiting = open.list.filter.query.is_some() && open.list.filter.matches.is_none();
    let lines: &[&str] = match (&open.list.filter.query, open.list.flagged_only) {
        _ if waiting => &["searching …"],
        (Some(_), _) => &[
            "Nothing matches.",
            "All words must hold, in name, description or body.",
            "type:feedback and flag:not-seen go by type and flag.",
            "Esc clears the filter.",
        ],
        (None, true) => &["Nothing has a flag or a finding. ! shows all."],
        (None, false) => &["There are no memories here yet."],
    };
    for (text, y) in lines.iter().zip(area.y + 1..area.bottom()) {
        put(buffer, area.x + 2, y, area.width.saturating_sub(2), text, theme.dim);
    }
}

/// The three lines about the memory under the cursor, where there is no room for its text.
pub fn strip(open: &Open, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let Some(entry) = open.current() else { return };
    let summary = words::summary(entry, &open.contents, theme);
    let finding = entry.findings.first().and_then(|at| open.contents.findings.get(*at));
    let third = match finding {
        Some(finding) if finding.severity > Severity::Info => {
            (format!("▲ {}", finding.message), words::severity(finding.severity, theme))
        }
        _ => (entry.description.clone(), theme.text),
    };
    let lines = [(entry.name.clone(), theme.title), (summary, theme.dim), third];
    for ((text, style), y) in lines.iter().zip(area.y..area.bottom()) {
        put(buffer, area.x + 1, y, area.width.saturating_sub(2), text, *style);
    }
}

/// What deleting or parking the marked memories would do to the index, and whether it fits then.
#[must_use]
pub fn what_if_in_words(open: &Open) -> Option<(String, bool)> {
    let after = open.what_if.as_ref()?.after.as_ref()?;
    let now = open.contents.budget?;
    let lines = now.lines.saturating_sub(after.lines);
    let units = now.units.saturating_sub(after.units);
    let these = if open.what_if.as_ref().is_some_and(|it| it.marked.len() == 1) {
        "this frees"
    } else {
        "these free"
    };
    let free = format!("{these} {}, {}", words::counted(lines, "line"), index_state::thousands(units));
    let outcome = match (after.fits(), now.not_seen, after.not_seen.len()) {
        (true, 0, _) => String::new(),
        (true, _, _) => ": it fits".into(),
        (false, _, left) => format!(": still over, {} not seen", words::grouped(left)),
    };
    Some((format!("{free}{outcome}"), after.fits()))
}

/// How many memories are marked and how many of them do not show, for the rule above the list.
#[must_use]
pub fn marks_in_words(open: &Open) -> Option<String> {
    let list = &open.list;
    if !list.has_marks(&open.contents) {
        return None;
    }
    let shown: HashSet<usize> = list.shown().collect();
    let is_hidden = |path: &&RelPath| open.contents.find(path).is_none_or(|at| !shown.contains(&at));
    // What is in a range shows, so only single marks can be hidden.
    let range = list.in_range(&open.contents);
    let marked = list.marks.len() + range.difference(&list.marks).count();
    let hidden = list.marks.iter().filter(is_hidden).count();
    match (marked, hidden) {
        (0, _) => None,
        (_, 0) => Some(format!("{} marked", words::grouped(marked))),
        _ => Some(format!("{} marked, {} of them not shown", words::grouped(marked), words::grouped(hidden))),
    }
}

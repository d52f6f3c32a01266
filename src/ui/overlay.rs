//! Windows over the screen: questions, help, the palette.

use crate::app::commands::{COMMANDS, Context};
use crate::app::field::Field;
use crate::app::help::{self, Line as HelpLine};
use crate::app::model::{Mode, Model, Nearest, Question};
use crate::app::preview::report::{Kind, Report};
use crate::check::Finding;
use crate::memory::text::one_line;
use crate::ui::bars::one_line_kept;
use crate::ui::moving;
use crate::ui::text::{fold, put, width, wrap};
use crate::ui::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Widget};

/// How many lines show and how many there are, and where the text cursor is.
pub(super) type Drawn = ((usize, usize), Option<(u16, u16)>);

/// Draws the window that is open, if one is.
pub(super) fn draw(model: &Model, theme: &Theme, body: Rect, buffer: &mut Buffer) -> Option<Drawn> {
    match &model.mode {
        Mode::Browse | Mode::Filter(_) | Mode::Query(_) | Mode::Input(_) => None,
        Mode::Silence(finding) => Some(silence(model, finding, theme, body, buffer)),
        Mode::Moving(moving) => Some(moving::draw(model, moving, theme, body, buffer)),
        Mode::Nearest(near) => Some(nearest(near, theme, body, buffer)),
        Mode::Report(report) => Some(show_report(model, report, theme, body, buffer)),
        Mode::Question(question) => Some(ask(model, question, theme, body, buffer)),
        Mode::Help { field, scroll } => Some(show_help(model, field, *scroll, theme, body, buffer)),
        Mode::Palette { field, chosen } => Some(show_palette(model, field, *chosen, theme, body, buffer)),
    }
}

fn ask(model: &Model, question: &Question, theme: &Theme, body: Rect, buffer: &mut Buffer) -> Drawn {
    let columns = usize::from(body.width.saturating_sub(10)).min(76);
    let mut lines: Vec<Line<'static>> = Vec::new();
    for line in &question.lines {
        // Thousands may be marked: most names need no wrapping.
        if !line.contains('\n') && width(line) + 2 <= columns {
            lines.push(Line::from(format!("• {line}")));
            continue;
        }
        let (first, rest) = (Line::raw("• "), Line::raw("  "));
        lines.extend(wrap(&[(line.clone().into(), theme.text)], columns, &first, &rest));
    }
    use crate::app::commands::Command;
    let key = |command| model.keymap.label(command);
    let answers = Line::from(vec![
        Span::styled(key(Command::Yes), theme.key),
        Span::raw(" yes   "),
        Span::styled(key(Command::No), theme.key),
        Span::raw(" no   "),
        Span::styled(key(Command::Close), theme.key),
        Span::raw(" close"),
    ]);
    let height = (lines.len() + 4).min(usize::from(body.height));
    let area = window(body, columns + 4, height, &question.ask, theme, buffer);
    let shown = usize::from(area.height.saturating_sub(2));
    let scroll = question.scroll.min(lines.len().saturating_sub(shown));
    for (line, y) in lines.iter().skip(scroll).zip(area.y..area.bottom().saturating_sub(2)) {
        buffer.set_line(area.x, y, line, area.width);
    }
    buffer.set_line(area.x, area.bottom().saturating_sub(1), &answers, area.width);
    if lines.len() > shown {
        let text = format!("lines {}–{} of {}, ↓ ↑", scroll + 1, scroll + shown, lines.len());
        let x = area.right().saturating_sub(u16::try_from(width(&text)).unwrap_or(0));
        put(buffer, x, area.bottom().saturating_sub(1), area.width, &text, theme.dim);
    }
    ((shown, lines.len()), None)
}

/// The choice how a finding is silenced: each with its key, as the table of commands has it.
fn silence(model: &Model, finding: &Finding, theme: &Theme, body: Rect, buffer: &mut Buffer) -> Drawn {
    let rows: Vec<(String, String)> = COMMANDS
        .iter()
        .filter(|row| row.contexts == [Context::Silence])
        .map(|row| (model.keymap.label(row.command), row.help.trim_end_matches('.').to_owned()))
        .collect();
    let columns = usize::from(body.width.saturating_sub(4)).min(96);
    let title = format!("Silence {}", finding.check.0);
    let area = window(body, columns, rows.len() + 5, &title, theme, buffer);
    put(buffer, area.x, area.y, area.width, &finding.message, theme.dim);
    for ((key, text), y) in rows.iter().zip(area.y + 2..area.bottom()) {
        put(buffer, area.x, y, 6, key, theme.key);
        put(buffer, area.x + 6, y, area.width.saturating_sub(6), text, theme.text);
    }
    ((rows.len(), rows.len()), None)
}

/// The memories that a proposal may be merged into, and what both say.
fn nearest(nearest: &Nearest, theme: &Theme, body: Rect, buffer: &mut Buffer) -> Drawn {
    let columns = usize::from(body.width.saturating_sub(4)).min(96);
    let count = nearest.near.len();
    let area = window(body, columns, count * 2 + 4, "Merge it into which memory?", theme, buffer);
    let title = one_line(&nearest.proposal.title());
    put(buffer, area.x, area.y, area.width, &title, theme.dim);
    for ((number, (path, why)), y) in
        nearest.near.iter().enumerate().zip((area.y + 2..area.bottom()).step_by(2))
    {
        put(buffer, area.x, y, area.width, &one_line(&path.to_str_lossy()), theme.title);
        if y + 1 < area.bottom() {
            put(buffer, area.x + 2, y + 1, area.width.saturating_sub(2), why, theme.text);
        }
        if number == nearest.chosen {
            buffer.set_style(Rect { y, height: 1, ..area }, theme.cursor);
        }
    }
    ((count, count), None)
}

fn show_report(model: &Model, report: &Report, theme: &Theme, body: Rect, buffer: &mut Buffer) -> Drawn {
    let columns = usize::from(body.width.saturating_sub(2));
    let area = window(body, columns, usize::from(body.height), &report.title, theme, buffer);
    let room = usize::from(area.width);
    // Only what shows is wrapped; a line of a report may be long, the report too.
    let shown = usize::from(area.height.saturating_sub(1)).max(1);
    let scroll = report.scroll.min(report.lines.len().saturating_sub(1));
    let mut lines: Vec<Line<'static>> = Vec::new();
    for (kind, text) in report.lines.iter().skip(scroll) {
        if lines.len() >= shown {
            break;
        }
        let (sign, style) = match kind {
            Kind::Said => ("", theme.title),
            Kind::Same => ("  ", theme.dim),
            Kind::Added => ("+ ", theme.good),
            Kind::Removed => ("- ", theme.error),
        };
        for (part, at) in fold(text, room.saturating_sub(sign.len()).max(1)).into_iter().zip(0..) {
            let margin = if at == 0 { sign.to_owned() } else { " ".repeat(sign.len()) };
            let text = text.get(part).unwrap_or_default();
            lines.push(Line::styled(format!("{margin}{text}"), style));
        }
    }
    for (line, y) in lines.iter().zip(area.y..area.bottom().saturating_sub(1)) {
        buffer.set_line(area.x, y, line, area.width);
    }
    let close = model.keymap.label(crate::app::commands::Command::Close);
    let y = area.bottom().saturating_sub(1);
    let x = put(buffer, area.x, y, 8, &close, theme.key);
    put(buffer, x + 1, y, 8, "close", theme.text);
    if report.lines.len() > shown {
        let text = format!("line {} of {}, ↓ ↑", scroll + 1, report.lines.len());
        let x = area.right().saturating_sub(u16::try_from(width(&text)).unwrap_or(0));
        put(buffer, x, y, area.width, &text, theme.dim);
    }
    ((1, report.lines.len()), None)
}

fn show_help(
    model: &Model,
    field: &Field,
    scroll: usize,
    theme: &Theme,
    body: Rect,
    buffer: &mut Buffer,
) -> Drawn {
    let area = window(body, usize::from(body.width), usize::from(body.height), "Help", theme, buffer);
    let cursor = typed(field, theme, area, buffer);
    let area = Rect { y: area.y + 2, height: area.height.saturating_sub(2), ..area };
    let columns = usize::from(area.width);
    let mut lines: Vec<Line<'static>> = Vec::new();
    for line in help::lines(&model.keymap, Context::behind(model), &field.text()) {
        match line {
            HelpLine::Head(title) => {
                if !lines.is_empty() {
                    lines.push(Line::default());
                }
                lines.push(Line::styled(title, theme.group));
            }
            HelpLine::Item { keys, name, text } => {
                let keys_room = 14;
                let gap = keys_room - width(&keys).min(keys_room);
                let first = Line::from(vec![Span::styled(keys, theme.key), Span::raw(" ".repeat(gap + 1))]);
                let rest = Line::raw(" ".repeat(keys_room + 1));
                let name = if name.is_empty() { String::new() } else { format!("  :{name}") };
                let pieces = [(text.into(), theme.text), (name.into(), theme.dim)];
                lines.extend(wrap(&pieces, columns, &first, &rest));
            }
        }
    }
    if lines.is_empty() {
        lines.push(Line::styled("Nothing in help holds all these words.", theme.dim));
    }
    let shown = usize::from(area.height);
    let scroll = scroll.min(lines.len().saturating_sub(shown));
    for (line, y) in lines.iter().skip(scroll).zip(area.y..area.bottom()) {
        buffer.set_line(area.x, y, line, area.width);
    }
    ((shown, lines.len()), Some(cursor))
}

fn show_palette(
    model: &Model,
    field: &Field,
    chosen: usize,
    theme: &Theme,
    body: Rect,
    buffer: &mut Buffer,
) -> Drawn {
    let columns = usize::from(body.width.saturating_sub(4)).min(96);
    let height = usize::from(body.height).min(22);
    let area = window(body, columns, height, "Commands", theme, buffer);
    let cursor = typed(field, theme, area, buffer);
    let area = Rect { y: area.y + 2, height: area.height.saturating_sub(2), ..area };
    let rows = help::palette(model, &field.text());
    let shown = usize::from(area.height).max(1);
    let top = chosen.saturating_sub(shown - 1);
    for ((number, row), y) in rows.iter().enumerate().skip(top).zip(area.y..area.bottom()) {
        let (why, style): (String, Style) = match (row.available)(model) {
            Ok(()) => (row.help.into(), theme.text),
            Err(why) => (format!("not now: {why}"), theme.dim),
        };
        put(buffer, area.x, y, 18, row.name, if style == theme.dim { theme.dim } else { theme.title });
        put(buffer, area.x + 19, y, 12, &model.keymap.labels(row.command), theme.key);
        put(buffer, area.x + 32, y, area.width.saturating_sub(32), &why, style);
        if number == chosen {
            buffer.set_style(Rect { y, height: 1, ..area }, theme.cursor);
        }
    }
    if rows.is_empty() {
        put(buffer, area.x, area.y, area.width, "No command is called so.", theme.dim);
    }
    ((shown, rows.len()), Some(cursor))
}

/// An empty window in the middle of the body; gives the room inside.
pub(super) fn window(
    body: Rect,
    columns: usize,
    height: usize,
    title: &str,
    theme: &Theme,
    buffer: &mut Buffer,
) -> Rect {
    let columns = u16::try_from(columns).unwrap_or(body.width).min(body.width);
    let height = u16::try_from(height).unwrap_or(body.height).min(body.height);
    let area = Rect {
        x: body.x + (body.width - columns) / 2,
        y: body.y + (body.height - height) / 2,
        width: columns,
        height,
    };
    // The window may cover the second half of a wide character: its first half would hide the border.
    for y in area.y..area.bottom() {
        if let Some(cell) = area.x.checked_sub(1).and_then(|x| buffer.cell_mut((x, y)))
            && width(cell.symbol()) > 1
        {
            cell.set_symbol(" ");
        }
    }
    Clear.render(area, buffer);
    buffer.set_style(area, theme.text);
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(theme.rule)
        .title(Line::styled(format!(" {title} "), theme.title));
    let inner = block.inner(area);
    block.render(area, buffer);
    Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner }
}

/// The field at the top of a window; gives where the text cursor is.
pub(super) fn typed(field: &Field, theme: &Theme, area: Rect, buffer: &mut Buffer) -> (u16, u16) {
    let (before, after) = field.parts();
    let x = put(buffer, area.x, area.y, 2, "› ", theme.key);
    let at = put(buffer, x, area.y, area.right().saturating_sub(x), &one_line_kept(before), theme.title);
    put(buffer, at, area.y, area.right().saturating_sub(at), &one_line_kept(after), theme.title);
    (at.min(area.right()), area.y)
}

//! Draws the Checks screen: the findings in groups, and beside them what is said about the one under the cursor.

use crate::app::board::{Row, name_of};
use crate::app::commands::Command;
use crate::app::contents::one_line;
use crate::app::layout::{Area, Layout, PaneLayout};
use crate::app::model::{Model, Open};
use crate::app::update::place;
use crate::check::{By, CheckId, Finding, Fix, Severity, preview};
use crate::memory::text::visible;
use crate::ui::passage::{self, Passage};
use crate::ui::text::{fit, put, wrap};
use crate::ui::theme::Theme;
use crate::ui::{bars, to_area, words};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

/// Columns of a check's id in the list, and of a memory's name.
const CHECK: usize = 20;

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
    if !layout.is_wide && open.board.in_detail {
        layout.pane = detail(model, open, theme, inner(body), buffer);
        return;
    }
    let list = match layout.is_wide {
        true => Rect { width: (body.width / 2).clamp(48, 110), ..body },
        false => Rect { height: body.height.saturating_sub(4), ..body },
    };
    let top = rows(model, open, theme, list, buffer);
    layout.list = Some((to_area(list), top));
    if layout.is_wide {
        bars::divider(theme, list.right(), body, buffer);
        let x = list.right() + 1;
        layout.pane = detail(model, open, theme, inner(Rect { x, width: body.right() - x, ..body }), buffer);
    } else {
        bars::rule(theme, Rect { y: list.bottom(), height: 1, ..body }, buffer);
        strip(open, theme, Rect { y: list.bottom() + 1, height: 3, ..body }, buffer);
    }
}

/// What stands on the rule above: grouping, what is silenced, what was looked at.
pub(super) fn rule(model: &Model, open: &Open, theme: &Theme, say: &mut dyn FnMut(&str, Style) -> u16) {
    let (board, contents) = (&open.board, &open.contents);
    if board.silenced {
        say(" silenced ", theme.flag);
        say("─", theme.rule);
    }
    say(&format!(" {} ", board.grouping.words()), theme.dim);
    let silenced = contents.silenced.len();
    if silenced > 0 && !board.silenced {
        say("─", theme.rule);
        say(&format!(" {} silenced ", words::grouped(silenced)), theme.dim);
    }
    say("─", theme.rule);
    match (&model.checking.progress, &contents.looked) {
        (Some(progress), _) => {
            let what = match progress.what.as_str() {
                "" => String::new(),
                what => format!(", {}", one_line(what)),
            };
            say(&format!(" checking… {} %{what} ", progress.percent), theme.mark);
        }
        (None, Some(looked)) => {
            let style =
                if looked.project.is_none() || looked.problem.is_some() { theme.warning } else { theme.dim };
            let problem = looked.problem.as_ref().map(|problem| format!("; {}", one_line(&problem.what)));
            say(&format!(" {}{} ", looked.words(), problem.unwrap_or_default()), style);
        }
        (None, None) => {
            say(" only the quick checks have looked ", theme.dim);
        }
    }
}

/// Draws the list; gives the first row drawn.
fn rows(model: &Model, open: &Open, theme: &Theme, area: Rect, buffer: &mut Buffer) -> usize {
    let board = &open.board;
    let top = board.top_for(usize::from(area.height));
    if board.rows.is_empty() {
        empty(model, open, theme, area, buffer);
        return top;
    }
    for (number, y) in (top..board.rows.len()).zip(area.y..area.bottom()) {
        let row = Rect { y, height: 1, ..area };
        match board.rows.get(number) {
            Some(Row::Head(title, count)) => {
                let room = area.width.saturating_sub(10);
                let x = put(buffer, area.x + 1, y, room, title, theme.group);
                put(buffer, x + 2, y, 8, &words::grouped(*count), theme.dim);
            }
            Some(Row::Finding(_)) => {
                if let Some(finding) = board.finding(&open.contents, number) {
                    line(open, finding, number == board.cursor, theme, row, buffer);
                }
            }
            None => {}
        }
    }
    top
}

fn line(open: &Open, finding: &Finding, at_cursor: bool, theme: &Theme, row: Rect, buffer: &mut Buffer) {
    let style = words::severity(finding.severity, theme);
    let sign = if finding.severity > Severity::Info { "▲ " } else { "· " };
    let columns = usize::from(row.width);
    // In half a screen the name says more than the start of a message, which stands beside the list.
    let share = if columns < 70 { 6 } else { 5 };
    let name_room = (columns.saturating_sub(CHECK + 6) * share / 10).clamp(8, 34);
    let mut spans = vec![
        Span::raw(if at_cursor { "▸ " } else { "  " }),
        Span::styled(sign, style),
        Span::styled(format!("{:<CHECK$} ", fit(finding.check.0, CHECK)), style),
    ];
    let name = name_of(&open.contents, finding);
    let name = fit(&name, name_room).into_owned();
    let gap = name_room.saturating_sub(crate::ui::text::width(&name)) + 1;
    spans.push(Span::styled(name, theme.text));
    spans.push(Span::raw(" ".repeat(gap)));
    let used: usize = spans.iter().map(Span::width).sum();
    let about = if finding.about.is_empty() { &finding.message } else { &finding.about };
    let about = fit(&one_line(about), columns.saturating_sub(used + 1)).into_owned();
    spans.push(Span::styled(about, theme.dim));
    let style = match (at_cursor, open.board.in_detail) {
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

fn empty(model: &Model, open: &Open, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let lines: &[&str] = if !open.board.filter.is_empty() {
        &["Nothing matches.", "All words must hold, in check, memory or message.", "Esc clears the filter."]
    } else if open.board.silenced {
        &["Nothing is silenced."]
    } else if model.checking.progress.is_some() {
        &["Nothing is found so far."]
    } else {
        &["Nothing is found: every memory is as it should be, as far as it can be seen."]
    };
    for (text, y) in lines.iter().zip(area.y + 1..area.bottom()) {
        put(buffer, area.x + 2, y, area.width.saturating_sub(2), text, theme.dim);
    }
}

/// Three lines about the finding under the cursor, where there is no room for more.
fn strip(open: &Open, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let Some(finding) = open.board.current(&open.contents) else { return };
    let evidence = finding.evidence.first().map(|one| format!("{}{}", place(one), one.text));
    let fix = finding.fixes.first().map(|fix| told(open, finding, fix).concat_line());
    let lines = [
        (finding.message.clone(), words::severity(finding.severity, theme)),
        (evidence.unwrap_or_default(), theme.dim),
        (fix.unwrap_or_default(), theme.good),
    ];
    for ((text, style), y) in lines.iter().zip(area.y..area.bottom()) {
        put(buffer, area.x + 1, y, area.width.saturating_sub(2), &one_line(text), *style);
    }
}

/// All that is said about the finding under the cursor.
fn detail(model: &Model, open: &Open, theme: &Theme, area: Rect, buffer: &mut Buffer) -> Option<PaneLayout> {
    let finding = open.board.current(&open.contents)?;
    let lines = lines(model, open, finding, theme, usize::from(area.width));
    let last = lines.len().saturating_sub(usize::from(area.height));
    let scroll = open.board.scroll.min(last);
    for (line, y) in lines.iter().skip(scroll).zip(area.y..area.bottom()) {
        buffer.set_line(area.x, y, line, area.width);
    }
    let area = Area { x: area.x, y: area.y, width: area.width, height: area.height };
    Some(PaneLayout { area, scroll, lines: lines.len(), links: Vec::new() })
}

fn lines(model: &Model, open: &Open, finding: &Finding, theme: &Theme, columns: usize) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = Vec::new();
    let margin = |text: &'static str| Line::raw(text);
    let mut paragraph = |text: &str, style: Style, first: &'static str, rest: &'static str| {
        lines.extend(wrap(&[(text.to_owned().into(), style)], columns, &margin(first), &margin(rest)));
    };
    let severity = words::severity(finding.severity, theme);
    paragraph(&visible(&finding.message, false), severity, "", "");
    paragraph(&name_of(&open.contents, finding), theme.title, "", "");
    let means = CheckId::find(finding.check.0).map_or("", |check| check.means);
    let means = means.split_whitespace().collect::<Vec<_>>().join(" ");
    paragraph(&format!("{} · {} · {means}", finding.severity.as_str(), finding.check.0), theme.dim, "", "");
    if let Some(by) = open.board.silenced_by(&open.contents) {
        let by = match by {
            By::Person(silence) => format!("silenced: {}", silence.words()),
            By::Memory => "silenced by the memory itself".to_owned(),
        };
        paragraph(&by, theme.flag, "", "");
    }
    if !finding.evidence.is_empty() {
        paragraph("", theme.text, "", "");
        paragraph("evidence", theme.label, "", "");
        for one in &finding.evidence {
            paragraph(&format!("{}{}", place(one), visible(&one.text, false)), theme.text, "  ", "    ");
        }
    }
    lines.push(Line::default());
    if let Some(bytes) = open.contents.bytes_of(&finding.memory) {
        let (line, range, is_secret) = (finding.line, finding.range.as_ref(), finding.check.0 == "secret");
        lines.extend(passage::lines(
            &Passage { bytes, line, range, is_secret, is_short: false },
            theme,
            columns,
        ));
    }
    let how = open.contents.find(&finding.memory).and_then(|at| open.contents.entries.get(at));
    let how = how.and_then(|entry| open.contents.memory(entry));
    let verify = how.into_iter().flat_map(|memory| &memory.document.header.others);
    let mut paragraph = |text: &str, style: Style, first: &Line<'static>, rest: &Line<'static>| {
        lines.extend(wrap(&[(text.to_owned().into(), style)], columns, first, rest));
    };
    let none = Line::default();
    for (_, how) in verify.filter(|(key, _)| key.rsplit('.').next() == Some("verify")) {
        paragraph("", theme.text, &none, &none);
        paragraph(&format!("to check it: {} (shown, never run)", one_line(how)), theme.label, &none, &none);
    }
    paragraph("", theme.text, &none, &none);
    for (number, fix) in finding.fixes.iter().enumerate() {
        let key = if number == 0 { model.keymap.label(Command::FixFinding) } else { key_of(model, fix) };
        let first = Line::from(vec![Span::styled(format!("{key:<3}"), theme.key)]);
        let told = told(open, finding, fix);
        paragraph(&told.what, theme.text, &first, &Line::raw("   "));
        for (sign, text, style) in told
            .change
            .iter()
            .flat_map(|(before, after)| [("   - ", before, theme.error), ("   + ", after, theme.good)])
        {
            paragraph(text, style, &Line::styled(sign, style), &Line::raw("     "));
        }
    }
    let silence =
        Line::from(vec![Span::styled(format!("{:<3}", model.keymap.label(Command::Silence)), theme.key)]);
    let what =
        if open.board.silenced { "report it again" } else { "silence it: here, everywhere, or for a while" };
    paragraph(what, theme.text, &silence, &Line::raw("   "));
    lines
}

/// The key of the command that does what a fix does.
fn key_of(model: &Model, fix: &Fix) -> String {
    let command = match fix {
        Fix::Edit => Command::Edit,
        Fix::Promote => Command::Promote,
        Fix::Delete => Command::Delete,
        Fix::Affirm => Command::Affirm,
        Fix::Replace { .. } | Fix::Merge(_) | Fix::Index | Fix::Purge => return String::new(),
    };
    model.keymap.label(command)
}

/// What a fix does, in words.
struct Told {
    what: String,
    change: Option<(String, String)>,
}

impl Told {
    /// On one line.
    fn concat_line(self) -> String {
        match self.change {
            Some((before, after)) => format!("{} → {}", before.trim(), after.trim()),
            None => format!("fix: {}", self.what),
        }
    }
}

fn told(open: &Open, finding: &Finding, fix: &Fix) -> Told {
    let said = |what: &str| Told { what: what.into(), change: None };
    match fix {
        Fix::Replace { range, text, is_safe } => {
            let bytes = open.contents.bytes_of(&finding.memory).unwrap_or_default();
            let shown = preview(bytes, range, text).map(|shown| shown.around(60));
            let asks = if *is_safe { "" } else { ", after a question" };
            Told { what: format!("writes this as a correction; the age stays{asks}"), change: shown }
        }
        Fix::Edit => said("opens the editor at the passage"),
        Fix::Promote => said("takes the text to CLAUDE.md or a rule"),
        Fix::Merge(other) => said(&format!("merges it with {}", one_line(&other.to_str_lossy()))),
        Fix::Delete => said("deletes the memory and its line in the index"),
        Fix::Index => said("repairs the index, after a question that names each line"),
        Fix::Affirm => said("says that it is still true"),
        Fix::Purge => said("names the command that takes it out of the history too"),
    }
}

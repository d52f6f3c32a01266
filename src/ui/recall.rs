//! Draws the Recall screen: what is asked, the candidates with what would be picked, and beside them why, the selector's
//! prompt or what would be brought in.

pub(super) mod bench;
mod detail;

use crate::app::commands::Command;
use crate::app::contents::one_line;
use crate::app::layout::Layout;
use crate::app::model::{Mode, Model, Open};
use crate::app::recall::{ByModel, Finder, Group, Row};
use crate::check::secrets;
use crate::memory::age::Age;
use crate::prompt::recall::{Fate, Verdict};
use crate::ui::text::{fit, fit_end, put, width, wrap};
use crate::ui::theme::Theme;
use crate::ui::{bars, to_area, words};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

/// Columns of a score's bar.
const BAR: usize = 5;
/// Columns of a badge, of a type, of why one is not picked.
const BADGE: usize = 6;
/// See [`BADGE`].
const KIND: usize = 9;
/// See [`BADGE`].
const WHY: usize = 11;
/// In a list of so many columns the score stands as a number too, and the type of what was not picked.
const WIDE: usize = 64;
/// Less of a description than so many columns says nothing.
const WORTH_SHOWING: usize = 8;
/// What is said before the query.
const ASK: &str = " ask  ";

/// Draws the screen; gives where the text cursor is.
pub(super) fn draw(
    model: &Model,
    open: &Open,
    theme: &Theme,
    body: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) -> Option<(u16, u16)> {
    let inner = |area: Rect| Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let row = |y: u16| Rect { y: body.y + y, height: 1, ..body };
    let cursor = field(model, &open.finder, theme, row(0), buffer);
    layout.fields.push((to_area(row(0)), 0));
    limits(model, open, theme, row(1), buffer);
    bars::rule(theme, row(2), buffer);
    let body = Rect { y: body.y + 3, height: body.height.saturating_sub(3), ..body };
    if !layout.is_wide && open.finder.in_detail {
        layout.pane = Some(detail::draw(model, open, theme, inner(body), buffer));
        return cursor;
    }
    let list = match layout.is_wide {
        true => Rect { width: (body.width * 9 / 20).clamp(48, 110), ..body },
        false => Rect { height: body.height.saturating_sub(4), ..body },
    };
    let (rows, top) = rows(model, open, theme, list, buffer);
    layout.list = Some((to_area(rows), top));
    if layout.is_wide {
        bars::divider(theme, list.right(), body, buffer);
        let x = list.right() + 1;
        let right = inner(Rect { x, width: body.right() - x, ..body });
        layout.pane = Some(detail::draw(model, open, theme, right, buffer));
    } else {
        bars::rule(theme, Rect { y: list.bottom(), height: 1, ..body }, buffer);
        strip(open, theme, inner(Rect { y: list.bottom() + 1, height: 3, ..body }), buffer);
    }
    cursor
}

/// What stands on the rule above: what came of it.
pub(super) fn rule(model: &Model, open: &Open, theme: &Theme, say: &mut dyn FnMut(&str, Style) -> u16) {
    let finder = &open.finder;
    let all = open.contents.snapshot.memories.len();
    match &finder.found {
        _ if !finder.has_query() => {
            say(" which memories would be picked for a query ", theme.dim);
        }
        None => {
            say(" … ", theme.dim);
        }
        Some(_) => {
            let picked = match finder.picked() {
                0 => format!(" nothing of {} would be picked ", words::counted(all, "memory")),
                some => format!(" {some} of {} would be picked ", words::counted(all, "memory")),
            };
            say(&picked, theme.text);
        }
    }
    match &finder.model {
        ByModel::Asking { since, .. } => {
            say("─", theme.rule);
            let seconds = (model.now - since).num_seconds().max(0);
            let stop = model.keymap.label(Command::Leave);
            say(&format!(" asking the model, {seconds} s; {stop} calls it off "), theme.mark);
        }
        ByModel::NotAsked | ByModel::Answered { .. } => {
            let Some(answer) = finder.answer() else { return };
            say("─", theme.rule);
            let refused = match answer.refused.len() {
                0 => String::new(),
                some => format!(", {some} of its answer refused"),
            };
            say(&format!(" the model picks {}{refused} ", answer.files.len()), theme.mark);
        }
    }
}

/// What is asked; gives where the text cursor is.
fn field(
    model: &Model,
    finder: &Finder,
    theme: &Theme,
    row: Rect,
    buffer: &mut Buffer,
) -> Option<(u16, u16)> {
    let x = put(buffer, row.x, row.y, row.width, ASK, theme.label);
    let room = row.right().saturating_sub(x + 1);
    if let Mode::Query(typing) = &model.mode {
        let (before, after) = typing.field.parts();
        // The end of what is typed shows: that is where the cursor is.
        let shown = fit_end(&bars::one_line_kept(before), usize::from(room)).into_owned();
        let at = put(buffer, x, row.y, room, &shown, theme.title);
        put(buffer, at, row.y, row.right().saturating_sub(at), &bars::one_line_kept(after), theme.title);
        return Some((at.min(row.right().saturating_sub(1)), row.y));
    }
    if finder.has_query() {
        put(buffer, x, row.y, room, &bars::one_line_kept(&finder.query), theme.title);
    } else {
        let key = model.keymap.label(Command::Ask);
        put(buffer, x, row.y, room, &format!("what would the agent ask?   {key} types it"), theme.dim);
    }
    None
}

/// What the pick is limited by.
fn limits(model: &Model, open: &Open, theme: &Theme, row: Rect, buffer: &mut Buffer) {
    let options = &open.finder.options;
    let (shown, tools) = (model.keymap.label(Command::MarkShown), model.keymap.label(Command::RecentTools));
    let parts = [
        match options.shown.len() {
            0 => (format!("shown already: none ({shown})"), theme.dim),
            some => (format!("shown already: {some} ({shown})"), theme.flag),
        },
        match options.tools.is_empty() {
            true => (format!("tools in use: none ({tools})"), theme.dim),
            false => (format!("tools in use: {} ({tools})", one_line(&options.tools.join(", "))), theme.flag),
        },
        (format!("at most {}", options.most), theme.dim),
    ];
    let mut x = row.x + u16::try_from(ASK.len()).unwrap_or(0);
    for (number, (text, style)) in parts.iter().enumerate() {
        if number > 0 {
            x = put(buffer, x, row.y, row.right().saturating_sub(x), " · ", theme.dim);
        }
        x = put(buffer, x, row.y, row.right().saturating_sub(x + 1), text, *style);
    }
}

/// Draws the list below what there is to say about it; gives where its rows are, and the first one drawn.
fn rows(model: &Model, open: &Open, theme: &Theme, area: Rect, buffer: &mut Buffer) -> (Rect, usize) {
    let finder = &open.finder;
    let columns = usize::from(area.width.saturating_sub(3));
    let empty = Line::default();
    let said = said(model, open);
    let lines =
        said.iter().flat_map(|text| wrap(&[(text.as_str().into(), theme.dim)], columns, &empty, &empty));
    let mut rows = area;
    for line in lines {
        if rows.height > 1 {
            buffer.set_line(area.x + 2, rows.y, &line, area.width.saturating_sub(2));
            rows = Rect { y: rows.y + 1, height: rows.height - 1, ..rows };
        }
    }
    let top = finder.top_for(usize::from(rows.height));
    for (number, y) in (top..finder.rows.len()).zip(rows.y..rows.bottom()) {
        let row = Rect { y, height: 1, ..rows };
        let cursor = (number == finder.cursor).then_some(match finder.in_detail {
            true => theme.cursor_idle,
            false => theme.cursor,
        });
        match finder.rows.get(number) {
            Some(Row::Head(group, count)) => head(model, *group, *count, theme, row, buffer),
            Some(Row::Query(_)) => {
                let query = finder.query_in(number).map(|query| one_line(query)).unwrap_or_default();
                let query = fit(&query, usize::from(row.width.saturating_sub(3))).into_owned();
                lay(vec![Span::raw(sign(cursor)), Span::styled(query, theme.text)], cursor, row, buffer);
            }
            Some(Row::Verdict(_)) => {
                if let Some(verdict) = finder.verdict(number) {
                    let spans = line(open, verdict, cursor, theme, usize::from(row.width));
                    lay(spans, cursor, row, buffer);
                }
            }
            None => {}
        }
    }
    (rows, top)
}

/// What there is to say before the list.
fn said(model: &Model, open: &Open) -> Vec<String> {
    let finder = &open.finder;
    let snapshot = &open.contents.snapshot;
    if snapshot.memories.is_empty() && snapshot.unreadable.is_empty() {
        let index = match &snapshot.index {
            Some(_) => "The index is no candidate: sessions load it anyway.",
            None => "There is no index either.",
        };
        return vec!["There are no memories here, so nothing can be picked.".into(), index.into()];
    }
    if !finder.has_query() {
        let key = model.keymap.label(Command::Ask);
        let example = match finder.earlier.is_empty() {
            true => format!("{key} types one, such as: how should I write this integration test?"),
            false => format!("{key} types one."),
        };
        return vec![
            "An agent's selector sees the headers of the memories, never their text, and picks at most five for \
             what is asked: those that clearly help, or none."
                .into(),
            format!("Here is what would be picked for a query, and why. {example}"),
            String::new(),
        ];
    }
    let is_none = finder.found.is_some()
        && finder.picked() == 0
        && finder.answer().is_none_or(|it| it.files.is_empty());
    match (&finder.found, is_none) {
        (None, _) => vec!["…".into()],
        (Some(_), true) => {
            vec!["Nothing: no memory is clearly useful for this; that is an answer.".into(), String::new()]
        }
        (Some(_), false) => Vec::new(),
    }
}

fn head(model: &Model, group: Group, count: usize, theme: &Theme, row: Rect, buffer: &mut Buffer) {
    let x = put(buffer, row.x + 1, row.y, row.width.saturating_sub(12), group.title(), theme.group);
    let x = put(buffer, x + 2, row.y, 8, &words::grouped(count), theme.dim);
    let is_shown = model.open().is_some_and(|open| open.finder.is_unfolded);
    if group.is_folded() && !is_shown {
        let key = model.keymap.label(Command::ShowUnmatched);
        put(buffer, x + 2, row.y, row.right().saturating_sub(x + 2), &format!("{key} shows them"), theme.dim);
    }
}

/// One candidate: its place and score, then what a selector sees of it.
fn line(
    open: &Open,
    verdict: &Verdict,
    cursor: Option<Style>,
    theme: &Theme,
    columns: usize,
) -> Vec<Span<'static>> {
    let finder = &open.finder;
    let is_picked = verdict.fate == Fate::Picked;
    let picks =
        finder.found.as_ref().map(|found| found.recall.picked().position(|it| it.path == verdict.path));
    let number = picks.flatten().map(|at| (at + 1).to_string()).unwrap_or_default();
    let mut spans = vec![
        Span::raw(sign(cursor)),
        Span::styled(format!("{number:>1} "), theme.title),
        Span::styled(bar(verdict.score), if is_picked { theme.good } else { theme.dim }),
    ];
    if columns >= WIDE {
        spans.push(Span::styled(format!(" {:.2} ", verdict.score), theme.dim));
    }
    if finder.answer().is_some() {
        let by_model = finder.by_model(&verdict.path).flatten();
        let mark = by_model.map(|at| format!("m{at}")).unwrap_or_default();
        spans.push(Span::styled(format!(" {mark:<2}"), theme.mark));
    }
    let candidate = finder.candidate(verdict);
    spans.extend(badge(candidate.and_then(|it| it.age), theme));
    let kind = candidate.map(|it| one_line(it.kind.as_str())).unwrap_or_default();
    let word = short(&verdict.fate);
    if columns >= WIDE || is_picked || word.is_empty() {
        spans.push(Span::styled(format!("{:<KIND$} ", fit(&kind, KIND)), theme.dim));
    }
    if !is_picked && !word.is_empty() {
        spans.push(Span::styled(format!("{word:<WHY$} "), theme.flag));
    }
    let used: usize = spans.iter().map(Span::width).sum();
    let room = columns.saturating_sub(used + 1);
    let name = candidate.map(|it| one_line(&secrets::mask(&it.title()))).unwrap_or_default();
    let column = if room > 40 { (room / 2).min(40) } else { room };
    let name = fit(&name, column).into_owned();
    let gap = column.saturating_sub(width(&name)) + 2;
    spans.push(Span::styled(name, theme.text));
    let rest = room.saturating_sub(column + 2);
    if rest >= WORTH_SHOWING {
        let about = candidate.and_then(|it| it.description.as_deref()).map(secrets::mask).unwrap_or_default();
        spans.push(Span::raw(" ".repeat(gap)));
        spans.push(Span::styled(fit(&one_line(&about), rest).into_owned(), theme.dim));
    }
    spans
}

fn sign(cursor: Option<Style>) -> &'static str {
    if cursor.is_some() { "▸ " } else { "  " }
}

/// Draws the parts of a row.
fn lay(mut spans: Vec<Span<'static>>, cursor: Option<Style>, row: Rect, buffer: &mut Buffer) {
    if let Some(style) = cursor.filter(|style| style.add_modifier.contains(Modifier::REVERSED)) {
        // Reversed colours of every part would be a patchwork.
        spans.iter_mut().for_each(|span| span.style = Style::new());
        buffer.set_style(row, style);
    }
    buffer.set_line(row.x, row.y, &Line::from(spans), row.width);
    if let Some(style) = cursor {
        buffer.set_style(row, style);
    }
}

/// Why a candidate was not picked, in a word or two; nothing for what matches nothing.
fn short(fate: &Fate) -> &'static str {
    match fate {
        Fate::Picked | Fate::NoMatch | Fate::NotChosen => "",
        Fate::TooLittle => "too little",
        Fate::FarBehind => "far behind",
        Fate::NoRoom => "no room",
        Fate::Shown => "shown",
        Fate::ToolInUse(_) => "tool in use",
        Fate::Unreadable(_) => "unreadable",
    }
}

/// A score from 0 to 1 as a bar: blocks of eighths, which read without colours.
pub(super) fn bar(score: f32) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (score.clamp(0.0, 1.0) * (BAR * 8) as f32).round() as usize;
    let part = EIGHTHS.get(eighths % 8).copied().unwrap_or_default();
    let text = format!("{}{part}", "█".repeat(eighths / 8));
    format!("{text}{}", " ".repeat(BAR.saturating_sub(width(&text))))
}

/// The age, right-aligned.
fn badge(age: Option<Age>, theme: &Theme) -> Vec<Span<'static>> {
    let Some(age) = age else { return vec![Span::raw(" ".repeat(BADGE + 1))] };
    let (style, _, letter) = words::band(age.band(), theme);
    let letter = if theme.has_letters { letter } else { " " };
    vec![Span::styled(format!("{:>BADGE$}", age.badge()), style), Span::raw(letter)]
}

/// Three lines about the candidate under the cursor, where there is no room for more.
fn strip(open: &Open, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let finder = &open.finder;
    let Some(verdict) = finder.current() else { return };
    let Some(candidate) = finder.candidate(verdict) else { return };
    let about = candidate.description.as_deref().unwrap_or("no description");
    let lines = [
        (one_line(&secrets::mask(&candidate.title())), theme.title),
        (one_line(&secrets::mask(about)), theme.text),
        (one_line(&verdict.why()), theme.dim),
    ];
    for ((text, style), y) in lines.iter().zip(area.y..area.bottom()) {
        put(buffer, area.x, y, area.width, text, *style);
    }
}

//! Header, names of the screens, rules and footer.

use crate::app::contents::{Budget, one_line};
use crate::app::help;
use crate::app::list::Row;
use crate::app::model::{Focus, Input, Library, Mode, Model, Open, Screen, Tone, Wanted};
use crate::prompt::limits::{MAX_LINES, MAX_UNITS};
use crate::ui::text::{fit_end, put, width};
use crate::ui::theme::Theme;
use crate::ui::{checks, editor, inbox, prompt, recall, rows, sheet, verify, walk, words};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};

/// The program, the store, the number of memories, the index against its limits.
pub(super) fn header(model: &Model, theme: &Theme, row: Rect, buffer: &mut Buffer) {
    let name = name(model).unwrap_or_default();
    let needed = |right: &[(String, Style)]| -> usize { right.iter().map(|(text, _)| width(text) + 2).sum() };
    let room = usize::from(row.width).saturating_sub(PROGRAM.len() + 5 + width(&name).min(ENOUGH_OF_A_NAME));
    let mut right = state(model, theme, Words::All);
    if needed(&right) > room {
        right = state(model, theme, Words::Few);
    }
    let start = row.right().saturating_sub(u16::try_from(needed(&right)).unwrap_or(row.width).min(row.width));
    // Where there is room for one of them only, the figures matter more than the program's name.
    let room = usize::from(start.saturating_sub(row.x + 2));
    let program = if room < PROGRAM.len() { "" } else { PROGRAM };
    let x = put(buffer, row.x + 1, row.y, row.width - 1, program, theme.title);
    if !name.is_empty() && room > PROGRAM.len() + 4 {
        let x = put(buffer, x, row.y, 3, " · ", theme.dim);
        let room = start.saturating_sub(x + 1);
        put(buffer, x, row.y, room, &fit_end(&name, usize::from(room)), theme.title);
    }
    let mut x = start;
    for (text, style) in right {
        x = put(buffer, x, row.y, row.right().saturating_sub(x), &text, style) + 2;
    }
}

const PROGRAM: &str = "memcurator";
/// A name is cut to so many columns before the words beside the figures go.
const ENOUGH_OF_A_NAME: usize = 16;

/// How many words stand beside the figures of the header.
#[derive(Clone, Copy, PartialEq)]
enum Words {
    All,
    Few,
}

/// What the header says of the store.
fn state(model: &Model, theme: &Theme, words: Words) -> Vec<(String, Style)> {
    match &model.library {
        Library::Open(open) => {
            let contents = &open.contents;
            let mut parts = vec![(words::counted(contents.snapshot.memories.len(), "memory"), theme.text)];
            match contents.budget {
                Some(budget) => parts.extend(of_index(budget, theme, words)),
                None => parts.push(("no index".into(), theme.warning)),
            }
            let waiting = open.inbox.count();
            if waiting > 0 {
                parts.push((format!("{} waiting", words::grouped(waiting)), theme.mark));
            }
            parts
        }
        Library::Loading { read, .. } => {
            vec![(format!("reading … {}", words::counted(*read, "file")), theme.dim)]
        }
        Library::Failed { .. } => vec![("could not be read".into(), theme.error)],
        Library::Closed => Vec::new(),
    }
}

fn of_index(budget: Budget, theme: &Theme, words: Words) -> Vec<(String, Style)> {
    let style = |over: bool| if over { theme.warning } else { theme.text };
    let (many, large) = (budget.lines > MAX_LINES, budget.units > MAX_UNITS);
    let (lines, gap) = if words == Words::All { (" lines", " ") } else { ("", "") };
    let sign = |over: bool| if over { format!("{gap}▲") } else { String::new() };
    let mut parts = vec![
        (format!("index {}/{MAX_LINES}{lines}{}", budget.lines, sign(many)), style(many)),
        (
            format!("{}/{}{}", words::thousands(budget.units), words::thousands(MAX_UNITS), sign(large)),
            style(large),
        ),
    ];
    if budget.not_seen > 0 {
        parts.push((format!("{} not seen", words::grouped(budget.not_seen)), theme.error));
    }
    parts
}

/// What the open store is called.
fn name(model: &Model) -> Option<String> {
    if let Some(title) = &model.title {
        return Some(one_line(title));
    }
    let dir = model.dir()?;
    let found = model.stores.found.iter().flatten().find(|store| store.dir == dir);
    let last = dir.file_name().map(|name| name.to_string_lossy().into_owned());
    found.map(|store| store.slug.clone()).or(last).map(|name| one_line(&name))
}

/// A line from side to side.
pub(super) fn rule(theme: &Theme, row: Rect, buffer: &mut Buffer) {
    put(buffer, row.x, row.y, row.width, &"─".repeat(usize::from(row.width)), theme.rule);
}

/// The line between the panes, with its ends on the rules.
pub(super) fn divider(theme: &Theme, x: u16, body: Rect, buffer: &mut Buffer) {
    for y in body.y..body.bottom() {
        put(buffer, x, y, 1, "│", theme.rule);
    }
    for (y, sign) in [(body.y - 1, "┬"), (body.bottom(), "┴")] {
        if buffer.cell((x, y)).is_some_and(|cell| cell.symbol() == "─") {
            put(buffer, x, y, 1, sign, theme.rule);
        }
    }
}

/// The rule above the list: the filter, the order, the marks. Gives where the text cursor is.
pub(super) fn upper_rule(model: &Model, theme: &Theme, row: Rect, buffer: &mut Buffer) -> Option<(u16, u16)> {
    rule(theme, row, buffer);
    if let Mode::Input(input) = &model.mode {
        return Some(typed(input, theme, row, buffer));
    }
    let title = match (&model.sheet, &model.editor) {
        (Some(open), _) => Some(sheet::title(open, theme)),
        (None, Some(edited)) => Some(editor::title(edited, theme)),
        (None, None) => None,
    };
    if let Some(title) = title {
        let mut x = row.x + 1;
        for (text, style) in title {
            x = put(buffer, x, row.y, row.right().saturating_sub(x + 1), &text, style) + 1;
        }
        return None;
    }
    if let Some(verifying) = &model.verify.open {
        verify::rule(verifying, theme, row, buffer);
        return None;
    }
    if let Some(walk) = &model.walk {
        walk::rule(model, walk, theme, row, buffer);
        return None;
    }
    let open = match (model.screen, model.open()) {
        (Screen::Checks, Some(open)) => {
            let mut x = row.x + 1;
            let mut say = |text: &str, style: Style| {
                x = put(buffer, x, row.y, row.right().saturating_sub(x), text, style);
                x
            };
            let kept = (!open.board.filter.is_empty()).then_some(open.board.filter.as_str());
            let cursor = typed_filter(model, kept, theme, &mut say);
            checks::rule(model, open, theme, &mut say);
            return cursor.map(|x| (x.min(row.right().saturating_sub(1)), row.y));
        }
        (Screen::Inbox, Some(open)) => {
            let mut x = row.x + 1;
            let mut say = |text: &str, style: Style| {
                x = put(buffer, x, row.y, row.right().saturating_sub(x), text, style);
                x
            };
            let kept = (!open.inbox.filter.is_empty()).then_some(open.inbox.filter.as_str());
            let cursor = typed_filter(model, kept, theme, &mut say);
            inbox::rule(open, theme, &mut say);
            return cursor.map(|x| (x.min(row.right().saturating_sub(1)), row.y));
        }
        (Screen::Recall, Some(open)) => {
            let mut x = row.x + 1;
            let mut say = |text: &str, style: Style| {
                x = put(buffer, x, row.y, row.right().saturating_sub(x), text, style);
                x
            };
            recall::rule(model, open, theme, &mut say);
            return None;
        }
        (Screen::Checks | Screen::Inbox | Screen::Recall, None) => return None,
        (Screen::Prompt, _) => {
            prompt::rule(model, theme, row, buffer);
            return None;
        }
        (Screen::Memories, Some(open)) => open,
        (Screen::Memories, None) => return None,
        (Screen::Stores, _) => return above_stores(model, theme, row, buffer),
    };
    let mut x = row.x + 1;
    let mut say = |text: &str, style: Style| {
        put(buffer, x, row.y, row.right().saturating_sub(x), text, style);
        x += u16::try_from(width(text)).unwrap_or(0);
        x
    };
    let filter = &open.list.filter;
    let kept = filter.query.is_some().then_some(filter.text.as_str());
    let cursor =
        typed_filter(model, kept, theme, &mut say).map(|x| (x.min(row.right().saturating_sub(1)), row.y));
    if filter.query.is_some() {
        let total = open.contents.snapshot.memories.len();
        let shown = memories_in(open, open.list.rows.len());
        let count = match &filter.matches {
            Some(_) => format!("{} of {} ", words::grouped(shown), words::grouped(total)),
            None => "… ".into(),
        };
        say(&count, theme.dim);
        say("─", theme.rule);
    }
    say(&format!(" {} ", open.list.order.words()), theme.dim);
    if open.list.flagged_only {
        say("─", theme.rule);
        say(" only flagged ", theme.flag);
    }
    if let Some(marks) = rows::marks_in_words(open) {
        say("─", theme.rule);
        say(&format!(" {marks} "), theme.mark);
        if let Some((text, fits)) = rows::what_if_in_words(open) {
            say("─", theme.rule);
            say(&format!(" {text} "), if fits { theme.good } else { theme.warning });
        }
    }
    if open.list.range.is_some() {
        say("─", theme.rule);
        say(" range ", theme.mark);
    }
    cursor
}

/// The field that something is typed into; gives where the text cursor is.
fn typed(input: &Input, theme: &Theme, row: Rect, buffer: &mut Buffer) -> (u16, u16) {
    let label = match &input.what {
        Wanted::Search => " search: ",
        Wanted::Opened => " if the agent opened the file: ",
        Wanted::Save => " save to the new file: ",
        Wanted::IndexLine(_) => " the line is to say: ",
        Wanted::Tools => " tools that the agent used a moment ago (git, docker): ",
        Wanted::TryQuery => " try it on the query: ",
        Wanted::Snooze(_) => " say nothing about it until (2027-01-31, 7d, 2w, 3m): ",
    };
    let (before, after) = input.field.parts();
    let x = put(buffer, row.x + 1, row.y, row.width - 1, label, theme.key);
    let room = usize::from(row.right().saturating_sub(x + 2));
    // The end of what is typed shows: that is where the cursor is.
    let shown = fit_end(&one_line_kept(before), room).into_owned();
    let at = put(buffer, x, row.y, row.right().saturating_sub(x), &shown, theme.title);
    let end = put(buffer, at, row.y, row.right().saturating_sub(at), &one_line_kept(after), theme.title);
    put(buffer, end, row.y, row.right().saturating_sub(end), " ", theme.text);
    (at.min(row.right().saturating_sub(1)), row.y)
}

/// The filter while it is typed, or as it was kept; gives the column of the text cursor.
fn typed_filter(
    model: &Model,
    kept: Option<&str>,
    theme: &Theme,
    say: &mut dyn FnMut(&str, Style) -> u16,
) -> Option<u16> {
    let mut cursor = None;
    if let Mode::Filter(field) = &model.mode {
        let (before, after) = field.parts();
        say(" / ", theme.key);
        cursor = Some(say(&one_line_kept(before), theme.title));
        say(&one_line_kept(after), theme.title);
        say("  ", theme.text);
    } else if let Some(kept) = kept {
        say(" / ", theme.key);
        say(&one_line_kept(kept.trim()), theme.title);
        say("  ", theme.text);
    }
    cursor
}

/// The rule above the stores: what they are, and the filter.
fn above_stores(model: &Model, theme: &Theme, row: Rect, buffer: &mut Buffer) -> Option<(u16, u16)> {
    let mut x = row.x + 1;
    let mut say = |text: &str, style: Style| {
        x = put(buffer, x, row.y, row.right().saturating_sub(x), text, style);
        x
    };
    let kept = (!model.stores.filter.is_empty()).then_some(model.stores.filter.as_str());
    let cursor =
        typed_filter(model, kept, theme, &mut say).map(|x| (x.min(row.right().saturating_sub(1)), row.y));
    say(" the agent's stores on this machine, the one changed last first ", theme.dim);
    cursor
}

/// Typed text, safe to show, blanks kept.
pub(super) fn one_line_kept(text: &str) -> String {
    crate::memory::text::visible(text, false).into_owned()
}

/// The rule above the footer: what happened, what is being done, where the cursor is.
pub(super) fn lower_rule(model: &Model, theme: &Theme, row: Rect, buffer: &mut Buffer) {
    rule(theme, row, buffer);
    let position = position(model);
    let wide = u16::try_from(width(&position)).unwrap_or(0);
    let room = row.width.saturating_sub(wide + 3);
    let said = said(model, theme).filter(|(text, _)| width(text) + 2 <= usize::from(room));
    if let Some((text, style)) = said {
        let x = put(buffer, row.x + 1, row.y, 1, " ", theme.text);
        let x = put(buffer, x, row.y, room.saturating_sub(2), &text, style);
        put(buffer, x, row.y, 1, " ", theme.text);
    }
    if wide > 0 {
        put(buffer, row.right().saturating_sub(wide + 1), row.y, wide, &position, theme.dim);
    }
}

/// What happened last, or what is being done.
fn said(model: &Model, theme: &Theme) -> Option<(String, Style)> {
    match (&model.message, &model.work.running) {
        (Some(message), _) => {
            let style = match message.tone {
                Tone::Good => theme.good,
                Tone::Note => theme.text,
                Tone::Bad => theme.error,
            };
            Some((message.text.clone(), style))
        }
        (None, Some(job)) => Some((job.words().into(), theme.dim)),
        (None, None) => None,
    }
}

/// What happened last where the rule has no room for it: whole, over the end of the body, since what was left
/// untouched and what to do next stand at its end.
pub(super) fn long_message(model: &Model, theme: &Theme, body: Rect, buffer: &mut Buffer) {
    let taken = width(&position(model)) + 5;
    let Some((text, style)) =
        said(model, theme).filter(|(text, _)| width(text) + taken > usize::from(body.width))
    else {
        return;
    };
    let empty = ratatui::text::Line::default();
    let lines =
        super::text::wrap(&[(text.into(), style)], usize::from(body.width.saturating_sub(2)), &empty, &empty);
    let height = u16::try_from(lines.len() + 1).unwrap_or(u16::MAX).min(body.height);
    let area = Rect { y: body.bottom() - height, height, ..body };
    Clear.render(area, buffer);
    buffer.set_style(area, theme.text);
    rule(theme, Rect { height: 1, ..area }, buffer);
    for (line, y) in lines.iter().zip(area.y + 1..area.bottom()) {
        buffer.set_line(area.x + 1, y, line, area.width.saturating_sub(2));
    }
}

fn position(model: &Model) -> String {
    if model.sheet.is_some() {
        return String::new();
    }
    if let Some(edited) = &model.editor {
        return editor::kind(edited).into();
    }
    if let Some(verifying) = &model.verify.open {
        return verify::position(model, verifying);
    }
    if model.walk.is_some() {
        return String::new();
    }
    let (at, of) = match (model.screen, model.open()) {
        (Screen::Checks, Some(open)) => (open.board.position(), open.board.shown()),
        (Screen::Inbox, Some(open)) => (open.inbox.position(), open.inbox.shown().count()),
        (Screen::Recall, Some(open)) => open.finder.position(),
        (Screen::Checks | Screen::Inbox | Screen::Recall, None) => (0, 0),
        (Screen::Prompt, _) => return prompt::position(model),
        (Screen::Stores, _) => (model.stores.cursor + 1, model.stores.shown().len()),
        (Screen::Memories, Some(open)) if open.pane.focus == Focus::List => {
            (memories_in(open, open.list.cursor + 1), memories_in(open, open.list.rows.len()))
        }
        (Screen::Memories, Some(_)) => {
            let pane = model.layout.pane.clone().unwrap_or_default();
            if pane.lines == 0 {
                // It is not laid out yet: the next frame knows.
                return String::new();
            }
            let last = pane.lines.min(pane.scroll + usize::from(pane.area.height));
            return format!(" lines {}–{last} of {} ", pane.scroll + 1, pane.lines);
        }
        (Screen::Memories, None) => (0, 0),
    };
    if of == 0 { String::new() } else { format!(" {}/{} ", words::grouped(at), words::grouped(of)) }
}

/// How many memories stand in the first rows of the list.
fn memories_in(open: &Open, rows: usize) -> usize {
    let entry = |row: &Row| match row {
        Row::Entry(at) => open.contents.entries.get(*at),
        Row::Head(..) => None,
    };
    open.list.rows.iter().take(rows).filter_map(entry).filter(|entry| entry.is_memory()).count()
}

/// The keys that can act now, as many as there is room for.
pub(super) fn footer(model: &Model, theme: &Theme, row: Rect, buffer: &mut Buffer) {
    let mut x = row.x + 1;
    for (keys, what) in help::footer(model) {
        let wide = u16::try_from(width(&keys) + 1 + width(what)).unwrap_or(u16::MAX);
        if x.saturating_add(wide) >= row.right() {
            break;
        }
        x = put(buffer, x, row.y, wide, &keys, theme.key) + 1;
        x = put(buffer, x, row.y, wide, what, theme.text) + 2;
    }
}

/// What shows while a store is being read, or when it can't be.
pub(super) fn not_open(library: &Library, theme: &Theme, body: Rect, buffer: &mut Buffer) {
    let lines: Vec<(String, Style)> = match library {
        Library::Loading { dir, read } => vec![
            (format!("Reading {} …", one_line(&dir.to_string_lossy())), theme.text),
            (words::counted(*read, "file"), theme.dim),
        ],
        Library::Failed { problem, .. } => {
            vec![(one_line(&problem.what), theme.error), (one_line(&problem.hint), theme.text)]
        }
        _ => vec![("No store is open.".into(), theme.text)],
    };
    let empty = ratatui::text::Line::default();
    let wrapped = lines.into_iter().flat_map(|(text, style)| {
        super::text::wrap(&[(text.into(), style)], usize::from(body.width.saturating_sub(4)), &empty, &empty)
    });
    for (line, y) in wrapped.zip(body.y + 1..body.bottom()) {
        buffer.set_line(body.x + 2, y, &line, body.width.saturating_sub(4));
    }
}

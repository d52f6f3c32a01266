//! The model as a picture. Reads the model, changes nothing; gives back where things were drawn.
//!
//! ```text
//!  header     the program, the store, how much of the index loads
//!  screens    their names and keys
//! ─ rule ──── filter, order, marks ────┬────
//!  list                                │ the memory under the cursor
//! ─ rule ──── what happened last ──────┴────
//!  footer     keys
//! ```

mod bars;
mod checks;
mod editor;
mod inbox;
mod markdown;
mod moving;
mod overlay;
mod page;
mod pane;
mod passage;
mod prompt;
mod prompt_rows;
mod prompt_text;
mod recall;
mod rows;
mod sheet;
mod stores;
pub mod svg;
mod table;
mod tabs;
pub mod text;
pub mod theme;
mod verify;
mod walk;
pub mod words;

use crate::app::editor::{Editor, Stage, View};
use crate::app::layout::{Area, Layout};
use crate::app::model::{Focus, Library, Model, Open, Screen};
use crate::memory::Time;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use theme::Theme;

/// The smallest terminal on which the screens can be used.
const SMALLEST: (u16, u16) = (60, 15);
/// From how many columns on the list and the memory stand side by side.
const WIDE: u16 = 100;
/// The rows of a description that is tried on queries.
const DESCRIPTION: u16 = 5;
/// Lines of text longer than this are hard to read.
const READABLE: u16 = 104;

/// What drawing keeps from one frame to the next: the theme, and the memory that was laid out last.
#[derive(Debug)]
pub struct Painter {
    /// Colours and signs.
    pub theme: Theme,
    page: page::Cache,
}

impl Painter {
    /// A painter with a theme.
    #[must_use]
    pub fn new(theme: Theme) -> Self {
        Self { theme, page: page::Cache::default() }
    }
}

/// Draws the model; gives back where things are, for paging and the mouse.
pub fn view(model: &Model, painter: &mut Painter, frame: &mut Frame) -> Layout {
    let area = frame.area();
    let theme = painter.theme.clone();
    frame.buffer_mut().set_style(area, theme.text);
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        too_small(area, &theme, frame.buffer_mut());
        return Layout { is_too_small: true, ..model.layout.clone() };
    }
    let mut layout = Layout { is_wide: area.width >= WIDE, ..Layout::default() };
    let row = |y: u16| Rect { x: area.x, y, width: area.width, height: 1 };
    let body = Rect { y: area.y + 3, height: area.height - 5, ..area };
    let buffer = frame.buffer_mut();
    bars::header(model, &theme, row(area.y), buffer);
    layout.tabs = tabs::draw(model, &theme, row(area.y + 1), buffer);
    let mut cursor = bars::upper_rule(model, &theme, row(area.y + 2), buffer);
    bars::lower_rule(model, &theme, row(body.bottom()), buffer);
    bars::footer(model, &theme, row(body.bottom() + 1), buffer);
    match (model.screen, &model.library) {
        _ if model.sheet.is_some() => {
            let sheets = model.sheet.iter();
            cursor = sheets.filter_map(|it| sheet::draw(model, it, &theme, body, buffer, &mut layout)).next();
            editor::ask(model, &theme, body, buffer);
        }
        _ if model.editor.is_some() => {
            let edited = model.editor.iter();
            cursor = edited.filter_map(|it| edit(model, it, &theme, body, buffer, &mut layout)).next();
            editor::ask(model, &theme, body, buffer);
        }
        (_, Library::Open(open)) if model.verify.open.is_some() => {
            let verified = model.verify.open.iter();
            verified.for_each(|it| verify::draw((model, open), it, &theme, body, buffer, &mut layout));
        }
        (_, Library::Open(open)) if model.walk.is_some() => {
            let walks = model.walk.iter();
            walks.for_each(|it| walk::draw(model, open, it, painter, body, buffer, &mut layout));
        }
        (Screen::Inbox, Library::Open(open)) => inbox::draw(model, open, &theme, body, buffer, &mut layout),
        (Screen::Inbox, other) => bars::not_open(other, &theme, body, buffer),
        (Screen::Recall, Library::Open(open)) => {
            cursor = recall::draw(model, open, &theme, body, buffer, &mut layout).or(cursor);
        }
        (Screen::Recall, other) => bars::not_open(other, &theme, body, buffer),
        (Screen::Checks, Library::Open(open)) => checks::draw(model, open, &theme, body, buffer, &mut layout),
        (Screen::Checks, other) => bars::not_open(other, &theme, body, buffer),
        (Screen::Stores, _) => {
            let top = stores::draw(model, &theme, body, buffer);
            layout.list = Some((to_area(body), top));
        }
        (Screen::Prompt, _) => prompt::draw(model, &theme, body, buffer, &mut layout),
        (Screen::Memories, Library::Open(open)) => {
            memories((open, model.now), painter, body, buffer, &mut layout);
        }
        (Screen::Memories, other) => bars::not_open(other, &theme, body, buffer),
    }
    bars::long_message(model, &theme, body, frame.buffer_mut());
    if let Some((x, y)) = cursor {
        frame.set_cursor_position((x, y));
    }
    if let Some((lines, cursor)) = overlay::draw(model, &theme, body, frame.buffer_mut()) {
        layout.overlay = Some(lines);
        if let Some(cursor) = cursor {
            frame.set_cursor_position(cursor);
        }
    }
    layout
}

/// The editor; below a description that is tried on queries, where its memory stands for them.
fn edit(
    model: &Model,
    edited: &Editor,
    theme: &Theme,
    body: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) -> Option<(u16, u16)> {
    let (Some(bench), View::Form(_)) = (&edited.bench, &edited.view) else {
        return editor::draw(edited, theme, body, buffer, layout);
    };
    if matches!(edited.stage, Stage::Conflict(_)) {
        return editor::draw(edited, theme, body, buffer, layout);
    }
    let upper = Rect { height: DESCRIPTION.min(body.height / 3), ..body };
    let cursor = editor::draw(edited, theme, upper, buffer, layout);
    bars::rule(theme, Rect { y: upper.bottom(), height: 1, ..body }, buffer);
    let y = upper.bottom() + 1;
    let width = body.width.min(READABLE).saturating_sub(2);
    let lower = Rect { x: body.x + 1, y, width, height: body.bottom().saturating_sub(y) };
    recall::bench::draw(model, bench, theme, lower, buffer);
    cursor
}

/// The list, and the memory beside it, under it in three lines, or instead of it.
fn memories(
    (open, now): (&Open, Time),
    painter: &mut Painter,
    body: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) {
    let theme = painter.theme.clone();
    let inner = |area: Rect| Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let one_pane = !layout.is_wide || open.pane.focus == Focus::Full;
    if one_pane && open.pane.focus != Focus::List {
        let page = Rect { width: body.width.min(READABLE), ..body };
        layout.pane = pane::draw(open, now, &mut painter.page, &theme, inner(page), buffer);
        return;
    }
    let list = match layout.is_wide {
        true => Rect { width: (body.width * 9 / 20).clamp(48, 110), ..body },
        false => Rect { height: body.height.saturating_sub(4), ..body },
    };
    let top = rows::draw(open, &theme, list, buffer);
    layout.list = Some((to_area(list), top));
    if layout.is_wide {
        bars::divider(&theme, list.right(), body, buffer);
        let x = list.right() + 1;
        let right = Rect { x, width: body.right() - x, ..body };
        layout.pane = pane::draw(open, now, &mut painter.page, &theme, inner(right), buffer);
    } else {
        bars::rule(&theme, Rect { y: list.bottom(), height: 1, ..body }, buffer);
        rows::strip(open, &theme, Rect { y: list.bottom() + 1, height: 3, ..body }, buffer);
    }
}

fn too_small(area: Rect, theme: &Theme, buffer: &mut Buffer) {
    let sentence = format!(
        "memcurator needs {} columns and {} rows; this terminal has {} and {}. Make it larger, or use `memcurator list`.",
        SMALLEST.0, SMALLEST.1, area.width, area.height
    );
    let empty = ratatui::text::Line::default();
    let lines = text::wrap(&[(sentence.into(), theme.text)], usize::from(area.width), &empty, &empty);
    for (line, y) in lines.iter().zip(area.y..area.bottom()) {
        buffer.set_line(area.x, y, line, area.width);
    }
}

fn to_area(area: Rect) -> Area {
    Area { x: area.x, y: area.y, width: area.width, height: area.height }
}

//! The fields of the form, one below the other; where there is little room all but the one that keys go to
//! are one line.

use super::text_area;
use crate::app::editor::{Field, Form, Input, Lines, TextBox, What};
use crate::app::layout::{Area, Layout};
use crate::ui::text::{fit, put, width};
use crate::ui::theme::Theme;
use crate::ui::{to_area, words};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_segmentation::UnicodeSegmentation;

/// The columns of the names, where the terminal is wide enough.
const LABELS: u16 = 16;
/// Where it is not.
const NARROW: u16 = 13;
/// The tab stops of a text area.
const TAB: usize = 4;
/// The least that the field that keys go to gets, when its text has so many lines.
const LEAST: usize = 3;

/// Draws the form; gives where the text cursor is.
pub(in crate::ui) fn draw(
    form: &Form,
    theme: &Theme,
    area: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) -> Option<(u16, u16)> {
    let labels = if area.width >= 70 { LABELS } else { NARROW };
    let columns = area.width.saturating_sub(labels + 2);
    let room = usize::from(area.height) - usize::from(form.others > 0 && area.height > 1);
    let plan = Plan::new(form, usize::from(columns), room, layout.is_wide);
    let mut y = area.y;
    let mut cursor = None;
    let ends = area.y + u16::try_from(room).unwrap_or(area.height);
    for (number, field) in form.fields.iter().enumerate().skip(plan.first) {
        let height = u16::try_from(plan.heights.get(number).copied().unwrap_or(1)).unwrap_or(1);
        if y >= ends {
            break;
        }
        let height = height.min(ends - y);
        let is_focused = number == form.focus;
        label(field, is_focused, theme, Rect { y, width: labels + 2, height: 1, ..area }, buffer);
        let text = Rect { x: area.x + labels + 2, y, width: columns, height };
        let drawn = contents(field, is_focused, theme, text, buffer);
        cursor = cursor.or(drawn.filter(|_| is_focused));
        // A click on the name counts as one on the field, at its start.
        let place =
            if is_focused { to_area(text) } else { Area { x: area.x, width: area.width, ..to_area(text) } };
        layout.fields.push((place, number));
        y += height + u16::from(plan.is_airy && is_apart(form, number));
    }
    if form.others > 0 {
        let count = words::counted(form.others, "key");
        let text = format!("{count} more in the raw file");
        put(buffer, area.x + labels + 2, area.bottom().saturating_sub(1), columns, &text, theme.dim);
    }
    cursor
}

/// How the fields share the rows.
struct Plan {
    heights: Vec<usize>,
    /// An empty row stands around each part of the text.
    is_airy: bool,
    /// The first field shown.
    first: usize,
}

impl Plan {
    fn new(form: &Form, columns: usize, room: usize, is_wide: bool) -> Self {
        let wanted: Vec<usize> =
            form.fields.iter().map(|field| rows(field, columns, room).clamp(1, room.max(1))).collect();
        let count = wanted.len();
        let total: usize = wanted.iter().sum();
        if total <= room {
            let gaps = (0..count).filter(|number| is_apart(form, *number)).count();
            return Self { heights: wanted, is_airy: is_wide && total + gaps <= room, first: 0 };
        }
        let mut heights = vec![1; count];
        let mine = wanted.get(form.focus).copied().unwrap_or(1);
        let mine = mine.min(room.saturating_sub(count.saturating_sub(1)).max(LEAST).min(room));
        if let Some(height) = heights.get_mut(form.focus) {
            *height = mine;
        }
        let mut left = room.saturating_sub(heights.iter().sum());
        // Where rows are left, those fields open that then show whole: one that is cut would not say so.
        for (number, (height, wanted)) in heights.iter_mut().zip(&wanted).enumerate() {
            let more = wanted.saturating_sub(*height);
            if number != form.focus && more <= left {
                *height += more;
                left -= more;
            }
        }
        let mut first = 0;
        let upto = |first: usize| heights.iter().take(form.focus + 1).skip(first).sum::<usize>();
        while first < form.focus && upto(first) > room {
            first += 1;
        }
        Self { heights, is_airy: false, first }
    }
}

/// Whether a field or the one behind it is a part of the text.
fn is_apart(form: &Form, number: usize) -> bool {
    let mut pair = form.fields.iter().skip(number).take(2);
    pair.len() == 2 && pair.any(|field| matches!(field.what, What::Part(_) | What::NewPart(_)))
}

/// The rows that a field needs to show all of its text, up to `most`.
fn rows(field: &Field, columns: usize, most: usize) -> usize {
    match &field.input {
        Input::Choice { .. } => 1,
        Input::Text(text) => {
            let mut count = 0;
            for line in text.shown() {
                if count >= most {
                    break;
                }
                count += line_rows(line, columns.max(1), most);
            }
            count
        }
    }
}

/// The rows of one line, wrapped as the text area wraps it.
fn line_rows(line: &str, columns: usize, most: usize) -> usize {
    let (mut rows, mut used) = (1, 0);
    for word in line.split_word_bounds() {
        if rows >= most {
            break;
        }
        let wide = if word == "\t" { TAB - used % TAB } else { width(word) };
        if used + wide <= columns {
            used += wide;
            continue;
        }
        if used > 0 {
            rows += 1;
        }
        used = wide;
        if wide > columns {
            // A word that is broken starts and ends on rows of its own.
            rows += wide.div_ceil(columns) - 1;
            used = columns;
        }
    }
    rows
}

fn label(field: &Field, is_focused: bool, theme: &Theme, row: Rect, buffer: &mut Buffer) {
    let style = if is_focused { theme.title } else { theme.label };
    if is_focused {
        put(buffer, row.x, row.y, 1, "▸", theme.key);
    }
    let room = row.width.saturating_sub(3);
    let mut name = field.what.label();
    if field.is_changed() {
        name.push_str(" *");
    }
    let x = put(buffer, row.x + 2, row.y, room, &name, style);
    if field.is_lossy {
        put(buffer, x + 1, row.y, 1, "▲", theme.warning);
    }
}

fn contents(
    field: &Field,
    is_focused: bool,
    theme: &Theme,
    area: Rect,
    buffer: &mut Buffer,
) -> Option<(u16, u16)> {
    match &field.input {
        Input::Choice { options, chosen, .. } => {
            let option = options.get(*chosen).map(String::as_str).unwrap_or_default();
            let option = if option.is_empty() { "none" } else { option };
            let option = crate::app::contents::one_line(option);
            let style = if is_focused { theme.title } else { theme.text };
            let x = put(buffer, area.x, area.y, area.width, &option, style);
            let hint = match (&field.what, is_focused) {
                (What::Add, true) => "  ← → choose, Enter adds it",
                (_, true) => "  ← → choose",
                (_, false) => "",
            };
            put(buffer, x, area.y, area.right().saturating_sub(x), hint, theme.dim);
            None
        }
        Input::Text(text) if is_focused || area.height > 1 => {
            let cursor = text_area(text, area, buffer);
            if text.shown().iter().all(String::is_empty) {
                put(buffer, area.x, area.y, area.width, empty(field, text), theme.dim);
            }
            Some(cursor)
        }
        Input::Text(text) => {
            folded(field, text, theme, area, buffer);
            None
        }
    }
}

/// A text on one line: how it begins, and how long it is.
fn folded(field: &Field, text: &TextBox, theme: &Theme, row: Rect, buffer: &mut Buffer) {
    let lines = text.shown();
    let first = lines.iter().find(|line| !line.trim().is_empty());
    let Some(first) = first else {
        put(buffer, row.x, row.y, row.width, empty(field, text), theme.dim);
        return;
    };
    let rest = match lines.len() {
        1 => String::new(),
        many => format!(" · {}", words::counted(many, "line")),
    };
    let room = row.width.saturating_sub(u16::try_from(width(&rest)).unwrap_or(0));
    // Tabs have no width of their own here.
    let shown = fit(first, usize::from(room)).replace('\t', " ");
    let x = put(buffer, row.x, row.y, room, &shown, theme.text);
    put(buffer, x, row.y, row.right().saturating_sub(x), &rest, theme.dim);
}

fn empty(field: &Field, text: &TextBox) -> &'static str {
    match (&field.what, text.kind()) {
        (What::NewPart(_), _) => "none yet: type to add it",
        (What::Key { found: true, .. }, _) => "empty",
        (What::Said("Name" | "Description"), _) => "as below",
        (_, Lines::Many) => "empty",
        (_, Lines::One) => "none yet",
    }
}

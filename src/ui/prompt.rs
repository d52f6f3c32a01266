//! Draws the Prompt screen: the list of sources, what there is to say about the row under the cursor, and the text.

use crate::app::contents::one_line;
use crate::app::layout::{Area, Layout};
use crate::app::model::Model;
use crate::app::preview::page::Page;
use crate::app::preview::rows::Row;
use crate::app::preview::{Part, Prompt};
use crate::prompt::picture::Wording;
use crate::prompt::subject::Subject;
use crate::ui::text::{fit_end, put, width};
use crate::ui::theme::Theme;
use crate::ui::{bars, prompt_rows, prompt_text, words};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

#[cfg(test)]
mod tests;

/// Draws the screen.
pub(super) fn draw(model: &Model, theme: &Theme, body: Rect, buffer: &mut Buffer, layout: &mut Layout) {
    let prompt = &model.prompt;
    if let Part::File(view) = &prompt.part {
        layout.prompt = Some(prompt_text::file(view, theme, inner(body), buffer));
        return;
    }
    let Some(page) = &prompt.page else { return not_yet(prompt, theme, body, buffer) };
    let one_pane = !layout.is_wide;
    if one_pane && prompt.part == Part::Text {
        layout.prompt = Some(prompt_text::draw(prompt, page, theme, body, buffer));
        return;
    }
    let left = match one_pane {
        true => body,
        false => Rect { width: (body.width * 2 / 5).clamp(44, 80), ..body },
    };
    let details = prompt_rows::details(prompt, usize::from(left.width.saturating_sub(2)), theme);
    let height = u16::try_from(details.len()).unwrap_or(u16::MAX).min(left.height / 2);
    let list = Rect { height: left.height.saturating_sub(height + 1), ..left };
    let top = prompt_rows::draw(prompt, page, theme, list, buffer);
    layout.list = Some((Area { x: list.x, y: list.y, width: list.width, height: list.height }, top));
    bars::rule(theme, Rect { y: list.bottom(), height: 1, ..left }, buffer);
    for (line, y) in details.iter().zip(list.bottom() + 1..left.bottom()) {
        buffer.set_line(left.x + 1, y, line, left.width.saturating_sub(2));
    }
    if !one_pane {
        bars::divider(theme, left.right(), body, buffer);
        let x = left.right() + 1;
        let right = Rect { x, width: body.right() - x, ..body };
        layout.prompt = Some(prompt_text::draw(prompt, page, theme, right, buffer));
    }
}

fn not_yet(prompt: &Prompt, theme: &Theme, body: Rect, buffer: &mut Buffer) {
    let lines = match &prompt.problem {
        Some(problem) => vec![(one_line(&problem.what), theme.error), (one_line(&problem.hint), theme.text)],
        None => vec![
            ("working out what the next session gets …".into(), theme.text),
            (format!("{} at the disk", words::counted(prompt.read, "look")), theme.dim),
        ],
    };
    for ((text, style), y) in lines.iter().zip(body.y + 1..body.bottom()) {
        put(buffer, body.x + 2, y, body.width.saturating_sub(4), text, *style);
    }
}

fn inner(area: Rect) -> Rect {
    Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area }
}

/// The rule above the screen: which session this is about, by which rules and in which wording.
pub(super) fn rule(model: &Model, theme: &Theme, row: Rect, buffer: &mut Buffer) {
    let prompt = &model.prompt;
    let room = usize::from(row.width.saturating_sub(4));
    let (text, style) = match (&prompt.part, &prompt.page) {
        (Part::File(view), _) => {
            let text = format!("{}, read only", one_line(&view.path.to_string_lossy()));
            (fit_end(&text, room).into_owned(), theme.title)
        }
        (_, None) => ("the text that the next session gets".into(), theme.dim),
        (_, Some(page)) => (about(page, model, room), theme.dim),
    };
    put(buffer, row.x + 1, row.y, row.width.saturating_sub(2), &format!(" {text} "), style);
}

fn about(page: &Page, model: &Model, room: usize) -> String {
    let preview = &page.preview;
    let wording = match (preview.wording, preview.version_note.is_some()) {
        (Wording::Learned, false) => "wording: learned; order and cuts exact",
        (Wording::Learned, true) => "wording: learned; order and cuts as far as known",
        (Wording::BuiltIn, false) => "wording: built-in; order and cuts exact",
        (Wording::BuiltIn, true) => "wording: built-in; order and cuts as far as known",
    };
    let what = match &page.subject {
        Subject::Client(_) => format!("client {}, {wording}", preview.version),
        Subject::Agent(_) => ".agent/ layout, our own wording".into(),
        Subject::Index(_) => format!("client {}, {wording}", preview.version),
    };
    let dir = one_line(&page.subject.dir().to_string_lossy());
    let what = if model.prompt.as_if { format!("as if what passes were approved; {what}") } else { what };
    let waits = if model.prompt.is_waiting() { ", reading again …" } else { "" };
    let lead = match &page.subject {
        Subject::Index(_) => "the index alone: ",
        _ => "next session in ",
    };
    let left = |lead: &str| room.saturating_sub(width(lead) + width(&what) + width(waits) + 2);
    // Where there is little room, what is exact matters more than the directory's first parts.
    if matches!(page.subject, Subject::Index(_)) && left(lead) < width(&dir).min(ENOUGH_OF_A_PATH) {
        return format!("the index alone, {what}{waits}");
    }
    let lead = if left(lead) < width(&dir).min(ENOUGH_OF_A_PATH) { "" } else { lead };
    let dir = fit_end(&dir, left(lead).max(8)).into_owned();
    format!("{lead}{dir}, {what}{waits}")
}

/// A path is cut to so many columns before the words before it go.
const ENOUGH_OF_A_PATH: usize = 24;

/// Where the cursor is, for the rule below the screen.
pub(super) fn position(model: &Model) -> String {
    let prompt = &model.prompt;
    let Some(page) = &prompt.page else { return String::new() };
    match &prompt.part {
        Part::Sources => {
            let entries =
                |rows: usize| page.rows.iter().take(rows).filter(|row| matches!(row, Row::Entry(_))).count();
            format!(" {}/{} ", entries(prompt.row + 1), entries(page.rows.len()))
        }
        Part::Text => {
            let found = prompt.search.as_ref().map(|search| match &search.found {
                Some(found) => {
                    let at =
                        found.iter().position(|line| *line == prompt.line).map(|at| format!("{}/", at + 1));
                    format!("found {}{} · ", at.unwrap_or_default(), words::grouped(found.len()))
                }
                None => "searching … · ".into(),
            });
            format!(
                " {}line {} of {} ",
                found.unwrap_or_default(),
                words::grouped(prompt.line + 1),
                words::grouped(page.lines.len())
            )
        }
        Part::File(view) => match &view.lines {
            Some(lines) => {
                let line = (view.scroll + 1).min(lines.len());
                format!(" line {} of {} ", words::grouped(line), words::grouped(lines.len()))
            }
            None => " reading … ".into(),
        },
    }
}

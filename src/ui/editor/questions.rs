//! What the editor asks: about unsaved text, an edit that can't be made, another program.

use crate::app::commands::{COMMANDS, Context};
use crate::app::editor::{Editor, Stage};
use crate::app::model::Model;
use crate::app::sheet;
use crate::memory::text::visible;
use crate::review::draft::RAW;
use crate::ui::overlay::window;
use crate::ui::text::wrap;
use crate::ui::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

/// Draws the question that is open, if one is.
pub(in crate::ui) fn draw(model: &Model, theme: &Theme, body: Rect, buffer: &mut Buffer) {
    let asked = match (&model.sheet, &model.editor) {
        (Some(sheet), _) if sheet.stage == sheet::Stage::Leaving => {
            Some(("Unsaved text", vec!["What was typed here is not saved.".into()]))
        }
        (None, Some(editor)) => question(editor),
        _ => None,
    };
    let Some((title, texts)) = asked else { return };
    let columns = usize::from(body.width.saturating_sub(10)).min(76);
    let empty = Line::default();
    let mut lines: Vec<Line<'static>> = Vec::new();
    for text in &texts {
        lines.extend(wrap(&[(text.clone().into(), theme.text)], columns, &empty, &empty));
    }
    let context = Context::of(model);
    let mut answers: Vec<Span<'static>> = Vec::new();
    for row in COMMANDS.iter().filter(|row| row.contexts.contains(&context) && !row.short.is_empty()) {
        answers.push(Span::styled(model.keymap.label(row.command), theme.key));
        answers.push(Span::raw(format!(" {}   ", row.short)));
    }
    let height = (lines.len() + 4).min(usize::from(body.height));
    let area = window(body, columns + 4, height, title, theme, buffer);
    for (line, y) in lines.iter().zip(area.y..area.bottom().saturating_sub(2)) {
        buffer.set_line(area.x, y, line, area.width);
    }
    buffer.set_line(area.x, area.bottom().saturating_sub(1), &Line::from(answers), area.width);
}

fn question(editor: &Editor) -> Option<(&'static str, Vec<String>)> {
    match &editor.stage {
        Stage::Leaving => Some(("Unsaved text", vec![format!("{} was changed and not saved.", editor.name)])),
        Stage::Refused(why) => Some((
            "This can't be saved from the form",
            vec![
                format!("{}.", visible(why, false)),
                "Nothing was changed. The raw file can be edited freely.".into(),
            ],
        )),
        Stage::Gone => Some((
            "Someone else deleted this memory",
            vec![format!("{} is no longer there. Your text is still here.", editor.name)],
        )),
        Stage::Offer(draft) => {
            let mut texts = vec![format!("There is text for {} that was not saved:", editor.name)];
            for (id, text) in draft.texts.iter().take(4) {
                // `top name`, `part Why 0`: where, what, and the how-manieth.
                let name = if id == RAW { "the whole file" } else { id.split(' ').nth(1).unwrap_or(id) };
                let start: String = text.chars().take(120).collect();
                let more = if start.len() < text.len() { "…" } else { "" };
                texts.push(format!("{}: {}{more}", visible(name, false), visible(&start, false)));
            }
            if editor.base != draft.base {
                texts.push("The memory was changed since; saving will show both.".into());
            }
            Some(("Text of an earlier time", texts))
        }
        Stage::Outside => Some((
            "Your own editor",
            vec![
                "It ended at once and changed nothing. If it opened a window of its own, save there first."
                    .into(),
            ],
        )),
        Stage::Typing | Stage::Saving { .. } | Stage::Conflict(_) => None,
    }
}

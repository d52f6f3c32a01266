//! The person's own editor: started, and what it gives back.

use super::drafts::keep_this;
use super::saving::save_bytes;
use super::{Wanted, current, one_name, start};
use crate::app::action::{Effect, Outside, OutsideEnd};
use crate::app::commands::Command;
use crate::app::editor::{Editor, Stage};
use crate::app::model::{Model, Tone};
use crate::memory::lines::line_of;
use crate::review::draft::{Draft, RAW};
use std::sync::Arc;

pub(in crate::app::update) fn start_outside(model: &mut Model) -> Vec<Effect> {
    let Some((path, _, bytes)) = current(model) else { return Vec::new() };
    if model.open().is_some_and(|open| open.drafts.contains_key(&path)) {
        // The question about it comes first: what the editor gives back would take its place.
        return start(model);
    }
    let body = model.open().and_then(|open| open.contents.memory(open.current()?));
    let start = body.map_or(0, |memory| memory.document.body.start);
    let blanks = bytes.get(start..).map_or(0, |body| body.len() - body.trim_ascii_start().len());
    let outside = Outside { path, line: line_of(&bytes, start + blanks), bytes };
    model.outside = Some(outside.clone());
    vec![Effect::EditOutside(outside)]
}

/// The person's own editor ended, or was looked at again.
pub(in crate::app::update) fn came_back(model: &mut Model, end: OutsideEnd) -> Vec<Effect> {
    let Some(outside) = model.outside.clone() else { return Vec::new() };
    let name = one_name(model, &outside.path);
    let is_asked = model.editor.as_ref().is_some_and(|editor| matches!(editor.stage, Stage::Outside));
    if is_asked {
        model.editor = None;
    }
    match end {
        OutsideEnd::Changed(bytes) => {
            model.outside = None;
            let bytes: Arc<[u8]> = bytes.into();
            // From here on the text can only be lost together with the state directory.
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let draft = Draft {
                path: outside.path.clone(),
                base: outside.bytes.clone(),
                texts: vec![(RAW.into(), text)],
            };
            let mut effects = keep_this(model, draft);
            let editor = Editor::raw(outside.path.clone(), name, outside.bytes.clone(), bytes.clone());
            model.editor = editor.ok().map(Box::new);
            effects.extend(save_bytes(model, &outside.path, outside.bytes, bytes, Wanted::AsItIs));
            return effects;
        }
        OutsideEnd::AtOnce if !is_asked => {
            let editor =
                Editor::raw(outside.path.clone(), name, outside.bytes.clone(), outside.bytes.clone());
            match editor {
                Ok(mut editor) => {
                    editor.stage = Stage::Outside;
                    model.editor = Some(Box::new(editor));
                }
                Err(_) => model.say(Tone::Note, "the editor ended at once; nothing was changed"),
            }
            return Vec::new();
        }
        OutsideEnd::AtOnce | OutsideEnd::Unchanged => model.say(Tone::Note, "nothing was changed"),
        OutsideEnd::Failed(problem, None) => model.say_problem(&problem),
        OutsideEnd::Failed(problem, Some(bytes)) => {
            model.outside = None;
            let texts = vec![(RAW.into(), String::from_utf8_lossy(&bytes).into_owned())];
            let draft = Draft { path: outside.path, base: outside.bytes, texts };
            let edit = model.keymap.label(Command::Edit);
            model.say(Tone::Bad, format!("{}; what it had saved is kept: {edit} offers it", problem.what));
            if let Some(open) = model.open_mut() {
                open.drafts.insert(draft.path.clone(), draft.clone());
            }
            return keep_this(model, draft);
        }
    }
    model.outside = None;
    Vec::new()
}

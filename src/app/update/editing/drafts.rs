//! Unsaved text: kept while it is typed, offered next time.

use crate::app::action::Effect;
use crate::app::commands::Command;
use crate::app::editor::{Editor, Stage};
use crate::app::model::{Model, Tone};
use crate::memory::path::RelPath;
use crate::review::draft::Draft;
use std::path::Path;

pub(in crate::app::update) fn take_draft(editor: &mut Editor) -> Result<(), String> {
    match std::mem::replace(&mut editor.stage, Stage::Typing) {
        Stage::Offer(draft) => editor.take(&draft),
        _ => Ok(()),
    }
}

pub(in crate::app::update) fn drop_draft(model: &mut Model) -> Vec<Effect> {
    let Some(editor) = &mut model.editor else { return Vec::new() };
    editor.stage = Stage::Typing;
    let path = editor.path.clone();
    forget(model, &path)
}

/// Keeps what is unsaved; forgets what was when nothing is.
pub(in crate::app::update) fn keep(model: &mut Model) -> Vec<Effect> {
    let Some(editor) = &model.editor else { return Vec::new() };
    match editor.draft() {
        Some(draft) => keep_this(model, draft),
        None => {
            let path = editor.path.clone();
            forget(model, &path)
        }
    }
}

pub(in crate::app::update) fn keep_this(model: &mut Model, draft: Draft) -> Vec<Effect> {
    let root = model.open().map(|open| open.contents.snapshot.root.clone());
    root.into_iter().map(|root| Effect::KeepDraft(root, Box::new(draft.clone()))).collect()
}

pub(in crate::app::update) fn forget(model: &mut Model, path: &RelPath) -> Vec<Effect> {
    let Some(open) = model.open_mut() else { return Vec::new() };
    open.drafts.remove(path);
    vec![Effect::DropDraft(open.contents.snapshot.root.clone(), path.clone())]
}

/// Unsaved text of earlier times was found.
pub(in crate::app::update) fn found(model: &mut Model, root: &Path, drafts: Vec<Draft>) {
    let edit = model.keymap.label(Command::Edit);
    let Some(open) = model.open_mut().filter(|open| open.contents.snapshot.root == root) else { return };
    open.drafts = drafts.into_iter().map(|draft| (draft.path.clone(), draft)).collect();
    let names: Vec<_> = open.drafts.keys().map(ToString::to_string).collect();
    match names.as_slice() {
        [] => {}
        [one] => model.say(Tone::Note, format!("there is unsaved text for {one}: {edit} on it offers it")),
        many => {
            let text = format!(
                "there is unsaved text for {} memories: {edit} on them offers it: {}",
                many.len(),
                many.join(", ")
            );
            model.say(Tone::Note, text);
        }
    }
}

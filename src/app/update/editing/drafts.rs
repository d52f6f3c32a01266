//! Unsaved text: kept while it is typed, offered next time.

use crate::app::action::Effect;
use crate::app::commands::Command;
use crate::app::contents::one_line;
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
    let Some(editor) = model.editor.as_ref().filter(|editor| editor.proposal.is_none()) else {
        return Vec::new();
    };
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

/// Opens unsaved text whose memory is gone.
pub(in crate::app::update) fn bring_back(model: &mut Model) -> Vec<Effect> {
    let Some(open) = model.open() else { return Vec::new() };
    let gone = open.drafts.values().find(|draft| open.contents.find(&draft.path).is_none());
    let Some(draft) = gone.cloned() else { return Vec::new() };
    let name = one_line(&draft.path.to_str_lossy());
    let editor = Editor::form(draft.path.clone(), name, draft.base.clone()).and_then(|mut editor| {
        editor.take(&draft)?;
        editor.stage = Stage::Gone;
        editor.is_stale = true;
        Ok(editor)
    });
    match editor {
        Ok(editor) => model.editor = Some(Box::new(editor)),
        Err(why) => model.say(Tone::Bad, why),
    }
    Vec::new()
}

/// Unsaved text of earlier times was found.
pub(in crate::app::update) fn found(model: &mut Model, root: &Path, drafts: Vec<Draft>) {
    let edit = model.keymap.label(Command::Edit);
    let lost = Command::GoneDraft.row().name;
    let Some(open) = model.open_mut().filter(|open| open.contents.snapshot.root == root) else { return };
    open.drafts = drafts.into_iter().map(|draft| (draft.path.clone(), draft)).collect();
    let (here, gone): (Vec<_>, Vec<_>) =
        open.drafts.keys().partition(|path| open.contents.find(path).is_some());
    let names = |paths: &[&RelPath]| paths.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let mut said = Vec::new();
    if !here.is_empty() {
        said.push(format!("there is unsaved text for {}: {edit} there offers it", names(&here)));
    }
    if !gone.is_empty() {
        said.push(format!(
            "there is unsaved text for {}, no longer there: `:{lost}` brings it back",
            names(&gone)
        ));
    }
    if !said.is_empty() {
        model.say(Tone::Note, said.join("; "));
    }
}

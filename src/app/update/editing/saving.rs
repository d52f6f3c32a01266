//! Saving what was edited, and what someone else wrote meanwhile.

use super::Wanted;
use super::drafts::{forget, keep};
use crate::app::action::{Done, Effect};
use crate::app::commands::Command;
use crate::app::editor::{Editor, Merge, Stage, View};
use crate::app::model::{Job, Model, Problem, Save, Tone};
use crate::app::update::{inbox, jobs};
use crate::memory::Time;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::review::conflict::Choice;
use crate::review::edit::{self, Kind, default_kind};
use crate::review::plan::Plan;
use std::sync::Arc;

pub(in crate::app::update) fn save(model: &mut Model, wanted: Wanted) -> Vec<Effect> {
    let Some(editor) = &mut model.editor else { return Vec::new() };
    editor.stage = Stage::Typing;
    match editor.bytes() {
        Ok(bytes) => {
            if let Some(proposal) = editor.proposal.clone() {
                if *bytes == *editor.base {
                    model.editor = None;
                    model.say(Tone::Note, "nothing was changed");
                    return Vec::new();
                }
                editor.stage = Stage::Saving { has_failed: true };
                return inbox::edited(model, &proposal, bytes.into());
            }
            let (path, base) = (editor.path.clone(), editor.base.clone());
            save_bytes(model, &path, base, bytes.into(), wanted)
        }
        Err(why) if matches!(editor.view, View::Form(_)) => {
            editor.stage = Stage::Refused(why);
            Vec::new()
        }
        Err(why) => {
            model.say(Tone::Bad, format!("{why}; nothing was changed"));
            Vec::new()
        }
    }
}

/// Saves these bytes, unless someone else changed the file: then both are shown.
pub(in crate::app::update) fn save_bytes(
    model: &mut Model,
    path: &RelPath,
    base: Arc<[u8]>,
    bytes: Arc<[u8]>,
    wanted: Wanted,
) -> Vec<Effect> {
    if bytes == base {
        model.editor = None;
        model.say(Tone::Note, "nothing was changed");
        return forget(model, path);
    }
    if let Some(editor) = &mut model.editor {
        editor.stage = Stage::Saving { has_failed: true };
        if is_changed_on_disk(model, path, &base) {
            look_again(model);
            return Vec::new();
        }
    }
    let kind = match (default_kind(&base, &bytes), wanted) {
        (kind, Wanted::AsItIs) => kind,
        (Kind::Substance, Wanted::Other) => Kind::Correction,
        (Kind::Correction, Wanted::Other) => Kind::Substance,
    };
    if let Some(editor) = &mut model.editor {
        editor.stage = Stage::Saving { has_failed: false };
    }
    let save = Save { path: path.clone(), base: Some(base), bytes, kind };
    jobs::enqueue(model, Job::Save(Box::new(save)))
}

pub(in crate::app::update) fn write_again(model: &mut Model) -> Vec<Effect> {
    let Some(editor) = &mut model.editor else { return Vec::new() };
    let bytes: Arc<[u8]> = match editor.bytes() {
        Ok(bytes) => bytes.into(),
        Err(why) => {
            editor.stage = Stage::Typing;
            model.say(Tone::Bad, why);
            return Vec::new();
        }
    };
    editor.stage = Stage::Saving { has_failed: false };
    let save = Save { path: editor.path.clone(), base: None, bytes, kind: Kind::Substance };
    jobs::enqueue(model, Job::Save(Box::new(save)))
}

fn is_changed_on_disk(model: &Model, path: &RelPath, base: &[u8]) -> bool {
    on_disk(model, path).is_none_or(|bytes| *bytes != *base)
}

fn on_disk(model: &Model, path: &RelPath) -> Option<Arc<[u8]>> {
    let open = model.open()?;
    let entry = open.contents.entries.get(open.contents.find(path)?)?;
    open.contents.memory(entry).map(|memory| memory.bytes.clone())
}

/// The plan of a save.
pub(in crate::app::update) fn plan(snapshot: &Snapshot, save: &Save, now: Time) -> Result<Plan, Problem> {
    let found = snapshot.memories.iter().find(|memory| memory.path == save.path);
    match (&save.base, found) {
        (Some(base), Some(memory)) if memory.bytes == *base => {
            Ok(edit::plan(snapshot, &save.path, &save.bytes, save.kind, now)?)
        }
        (None, None) => Ok(edit::write_again(snapshot, &save.path, &save.bytes)),
        _ => Err(Problem {
            what: format!("{}: someone else changed it meanwhile; nothing was written", save.path),
            hint: "both versions are here to choose from".into(),
        }),
    }
}

/// A save was carried out, unless someone else wrote at the very same moment: then theirs stands, and the text
/// stays here until the store was read again and both can be shown.
pub(in crate::app::update) fn saved(model: &mut Model, path: &RelPath, done: &Done) -> Vec<Effect> {
    let start = format!("{path}: ");
    let is_left = done.conflicts.iter().any(|conflict| conflict.starts_with(&start));
    if let Some(editor) = model.editor.as_mut().filter(|editor| is_left && editor.path == *path) {
        editor.stage = Stage::Saving { has_failed: true };
        return Vec::new();
    }
    if model.editor.as_ref().is_some_and(|editor| editor.path == *path) {
        model.editor = None;
    }
    forget(model, path)
}

/// The store was read again, or a save failed: sees whether someone else changed what is being edited.
pub(in crate::app::update) fn look_again(model: &mut Model) {
    let Some((path, base)) = model.editor.as_ref().map(|editor| (editor.path.clone(), editor.base.clone()))
    else {
        return;
    };
    if let Some(editor) = model.editor.as_mut().filter(|editor| editor.proposal.is_some()) {
        // It is not in the store; what could not be saved is still here.
        if matches!(editor.stage, Stage::Saving { .. }) {
            editor.stage = Stage::Typing;
        }
        return;
    }
    let theirs = on_disk(model, &path);
    let is_same = theirs.as_deref() == Some(&*base);
    let save = model.keymap.label(Command::Save);
    let Some(editor) = &mut model.editor else { return };
    match (&editor.stage, theirs) {
        (Stage::Saving { has_failed: false } | Stage::Conflict(_) | Stage::Gone, _) => {}
        (Stage::Saving { .. }, _) if is_same => editor.stage = Stage::Typing,
        (Stage::Saving { .. }, None) => {
            editor.is_stale = true;
            editor.stage = Stage::Gone;
            // The question says all that there is to say.
            model.message = None;
        }
        (Stage::Saving { .. }, Some(theirs)) => conflict(model, &base, theirs),
        (_, _) if is_same => editor.is_stale = false,
        (Stage::Offer(_) | Stage::Outside, _) => editor.is_stale = true,
        (_, theirs) => {
            if !editor.is_changed()
                && let Some(theirs) = theirs
            {
                // Nothing was typed: the form simply shows what is there now.
                let fresh = match editor.bench.take() {
                    Some(bench) => Editor::bench(path, editor.name.clone(), theirs, *bench),
                    None => Editor::form(path, editor.name.clone(), theirs),
                };
                if let Ok(fresh) = fresh {
                    **editor = fresh;
                    model.say(Tone::Note, "someone else changed it meanwhile; this is how it is now");
                }
                return;
            }
            if !std::mem::replace(&mut editor.is_stale, true) {
                let text = format!(
                    "someone else changed it meanwhile; {save} shows both before anything is written"
                );
                model.say(Tone::Note, text);
            }
        }
    }
}

/// Shows what was edited here and what someone else wrote.
fn conflict(model: &mut Model, base: &[u8], theirs: Arc<[u8]>) {
    let save = model.keymap.label(Command::Save);
    let Some(editor) = &mut model.editor else { return };
    editor.is_stale = true;
    let mine = match editor.bytes() {
        Ok(mine) => mine,
        Err(why) => {
            editor.stage = Stage::Refused(why);
            return;
        }
    };
    let merge = Merge::new(base, &mine, theirs);
    match merge.bytes() {
        // No line was changed by both.
        Some(bytes) => {
            let theirs = merge.theirs.clone();
            editor.take_merged(bytes, theirs);
            let text =
                format!("someone else changed other lines meanwhile: this is both together; {save} saves it");
            model.say(Tone::Note, text);
        }
        None => {
            editor.stage = Stage::Conflict(merge);
            model.message = None;
        }
    }
}

/// A choice in a conflict.
pub(in crate::app::update) fn choose(model: &mut Model, command: Command) -> Vec<Effect> {
    let save = model.keymap.label(Command::Save);
    let Some(editor) = &mut model.editor else { return Vec::new() };
    let Stage::Conflict(merge) = &mut editor.stage else { return Vec::new() };
    match command {
        Command::NextConflict => merge.step(1),
        Command::PreviousConflict => merge.step(-1),
        Command::KeepMine => merge.choose(Choice::Mine),
        Command::KeepTheirs => merge.choose(Choice::Theirs),
        Command::KeepBoth => merge.choose(Choice::Both),
        Command::AllMine => merge.choose_all(Choice::Mine),
        Command::AllTheirs => merge.choose_all(Choice::Theirs),
        Command::EditMerged | Command::TakeMerged => {
            for choice in &mut merge.choices {
                choice.get_or_insert(Choice::Both);
            }
            if let Some(bytes) = merge.bytes() {
                let theirs = merge.theirs.clone();
                editor.take_merged(bytes, theirs);
                model.say(Tone::Note, format!("nothing is written yet: look at it, then {save} saves it"));
                // Someone may have written again while the choice was made.
                look_again(model);
                return keep(model);
            }
        }
        _ => {}
    }
    Vec::new()
}

//! Editing a memory: the form, the raw file, the person's own editor, drafts and conflicts.

use crate::app::action::{Effect, Mouse, Outside, OutsideEnd};
use crate::app::commands::Command;
use crate::app::editor::{Did, Editor, Input, Merge, Stage, View, What, repair_all};
use crate::app::key::{Code, Key};
use crate::app::model::{Job, Model, Problem, Save, Tone};
use crate::app::update::jobs;
use crate::memory::Time;
use crate::memory::lines::line_of;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::review::conflict::Choice;
use crate::review::draft::{Draft, RAW};
use crate::review::edit::{self, Kind, default_kind};
use crate::review::plan::Plan;
use std::path::Path;
use std::sync::Arc;

/// What a command of the editor does.
pub(super) fn command(model: &mut Model, command: Command) -> Vec<Effect> {
    match command {
        Command::Edit => return start(model),
        Command::EditOutside => return start_outside(model),
        Command::Repair => return repair(model),
        Command::Save | Command::SaveAndLeave => return save(model, Wanted::AsItIs),
        Command::SaveOther => return save(model, Wanted::Other),
        Command::Discard => return discard(model),
        Command::OutsideDone => return vec![Effect::ReadOutside],
        Command::WriteAgain => return write_again(model),
        Command::StopEditing => return stop(model),
        Command::BackToText => back(model),
        _ => {}
    }
    let Some(editor) = &mut model.editor else { return Vec::new() };
    let mut said = Ok(());
    match command {
        Command::NextField => step(editor, 1),
        Command::PreviousField => step(editor, -1),
        Command::TurnView => said = editor.turn(),
        Command::RepairField => said = editor.repair(),
        Command::OpenRaw => editor.open_raw(),
        Command::TakeDraft => said = take_draft(editor),
        Command::DropDraft => return drop_draft(model),
        _ => return choose(model, command),
    }
    if let Err(why) = said {
        model.say(Tone::Bad, why);
    }
    if command == Command::TakeDraft {
        look_again(model);
    }
    keep(model)
}

/// What is saved as.
#[derive(Clone, Copy, PartialEq)]
enum Wanted {
    /// The kind that follows from what was changed.
    AsItIs,
    /// The other kind.
    Other,
}

fn start(model: &mut Model) -> Vec<Effect> {
    let Some((path, name, bytes)) = current(model) else { return Vec::new() };
    let draft = model.open().and_then(|open| open.drafts.get(&path)).cloned();
    match Editor::form(path, name, bytes) {
        Ok(mut editor) => {
            if let Some(draft) = draft {
                editor.stage = Stage::Offer(Box::new(draft));
            }
            model.editor = Some(Box::new(editor));
        }
        Err(why) => model.say(Tone::Note, why),
    }
    Vec::new()
}

fn start_outside(model: &mut Model) -> Vec<Effect> {
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

/// The memory under the cursor: its path, its name, its bytes.
fn current(model: &Model) -> Option<(RelPath, String, Arc<[u8]>)> {
    let open = model.open()?;
    let entry = open.current()?;
    let memory = open.contents.memory(entry)?;
    Some((entry.path.clone(), entry.name.clone(), memory.bytes.clone()))
}

/// The person's own editor ended, or was looked at again.
pub(super) fn came_back(model: &mut Model, end: OutsideEnd) -> Vec<Effect> {
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
        OutsideEnd::Failed(problem) => model.say_problem(&problem),
    }
    model.outside = None;
    Vec::new()
}

fn one_name(model: &Model, path: &RelPath) -> String {
    let entry = model.open().and_then(|open| open.contents.entries.get(open.contents.find(path)?));
    entry.map_or_else(|| crate::app::contents::one_line(&path.to_str_lossy()), |entry| entry.name.clone())
}

/// A key that is no command: for the text.
pub(super) fn typed(model: &mut Model, key: Key) -> Vec<Effect> {
    let labels = [Command::NextField, Command::Save].map(|command| model.keymap.label(command));
    let [next, save] = &labels;
    let Some(editor) = &mut model.editor else { return Vec::new() };
    if !matches!(editor.stage, Stage::Typing) {
        model.say(Tone::Note, format!("{} does nothing here", key.label()));
        return Vec::new();
    }
    let is_choice = match &editor.view {
        View::Form(form) => form.focused().is_some_and(|field| matches!(field.input, Input::Choice { .. })),
        View::Raw(_) => false,
    };
    let did = if is_choice {
        pick(editor, key)
    } else {
        editor.area_mut().map_or(Did::Unknown, |area| area.key(key))
    };
    match did {
        Did::Edited => return keep(model),
        Did::Moved => {}
        Did::Above => edge(editor, -1),
        Did::Below => edge(editor, 1),
        Did::WouldBreak => {
            let text = format!("{next} goes to the next field, {save} saves; Ctrl-J would break the line");
            model.say(Tone::Note, text);
        }
        Did::Unknown => {
            let help = model.keymap.label(Command::HelpWhileEditing);
            model.say(Tone::Note, format!("{} does nothing here; {help} shows every key", key.label()));
        }
    }
    Vec::new()
}

/// A key on a field that is chosen.
fn pick(editor: &mut Editor, key: Key) -> Did {
    let View::Form(form) = &mut editor.view else { return Did::Unknown };
    let Some(field) = form.focused_mut() else { return Did::Unknown };
    let is_add = field.what == What::Add;
    let Input::Choice { options, chosen, .. } = &mut field.input else { return Did::Unknown };
    let count = options.len().max(1);
    match (key.code, key.ctrl, key.alt) {
        (Code::Right | Code::Char(' '), false, false) => *chosen = (*chosen + 1) % count,
        (Code::Left, false, false) => *chosen = (*chosen + count - 1) % count,
        (Code::Up, false, false) => return Did::Above,
        (Code::Down, false, false) => return Did::Below,
        (Code::Enter, false, false) if is_add => {
            return if editor.add_key().is_ok() { Did::Moved } else { Did::Unknown };
        }
        _ => return Did::Unknown,
    }
    if is_add { Did::Moved } else { Did::Edited }
}

fn step(editor: &mut Editor, by: isize) {
    if let View::Form(form) = &mut editor.view {
        form.cycle(by);
    }
}

/// The arrows leave a field; at the ends of the form they stay.
fn edge(editor: &mut Editor, by: isize) {
    if let View::Form(form) = &mut editor.view {
        form.step(by);
    }
}

pub(super) fn pasted(model: &mut Model, text: &str) -> Vec<Effect> {
    if let Some(editor) = &mut model.editor
        && matches!(editor.stage, Stage::Typing)
        && let Some(area) = editor.area_mut()
    {
        area.paste(text);
        return keep(model);
    }
    model.say(Tone::Note, "pasted text is never taken for commands; nothing was done");
    Vec::new()
}

pub(super) fn mouse(model: &mut Model, mouse: Mouse) {
    let (x, y) = match mouse {
        Mouse::Click(x, y) | Mouse::DoubleClick(x, y) | Mouse::Wheel(x, y, _) => (x, y),
    };
    let hit = model.layout.fields.iter().find(|(area, _)| area.contains(x, y)).copied();
    let (Some((area, number)), Some(editor)) = (hit, &mut model.editor) else { return };
    if !matches!(editor.stage, Stage::Typing) {
        return;
    }
    if let Mouse::Wheel(_, _, by) = mouse {
        if let Some(text) = editor.area_mut() {
            text.wheel(by * 3);
        }
        return;
    }
    let was = match &mut editor.view {
        View::Form(form) => std::mem::replace(&mut form.focus, number),
        View::Raw(_) => number,
    };
    // A field that was one line is laid out anew: where in its text the click hit can't be said.
    if was == number
        && let Some(text) = editor.area_mut()
    {
        text.click(y - area.y, x - area.x);
    }
}

/// Esc: leaves at once when nothing is lost by it.
fn stop(model: &mut Model) -> Vec<Effect> {
    match &mut model.editor {
        Some(editor) if editor.is_changed() => editor.stage = Stage::Leaving,
        _ => return discard(model),
    }
    Vec::new()
}

/// Back from a question to the text, or to the list where there is none.
fn back(model: &mut Model) {
    let Some(editor) = &mut model.editor else { return };
    match editor.stage {
        Stage::Offer(_) => {
            model.editor = None;
            model.say(Tone::Note, "the unsaved text is kept");
        }
        Stage::Outside => {
            model.editor = None;
            model.outside = None;
            model.say(Tone::Note, "nothing was changed");
        }
        _ => editor.stage = Stage::Typing,
    }
}

fn discard(model: &mut Model) -> Vec<Effect> {
    let Some(editor) = model.editor.take() else { return Vec::new() };
    forget(model, &editor.path)
}

fn take_draft(editor: &mut Editor) -> Result<(), String> {
    match std::mem::replace(&mut editor.stage, Stage::Typing) {
        Stage::Offer(draft) => editor.take(&draft),
        _ => Ok(()),
    }
}

fn drop_draft(model: &mut Model) -> Vec<Effect> {
    let Some(editor) = &mut model.editor else { return Vec::new() };
    editor.stage = Stage::Typing;
    let path = editor.path.clone();
    forget(model, &path)
}

/// Keeps what is unsaved; forgets what was when nothing is.
fn keep(model: &mut Model) -> Vec<Effect> {
    let Some(editor) = &model.editor else { return Vec::new() };
    match editor.draft() {
        Some(draft) => keep_this(model, draft),
        None => {
            let path = editor.path.clone();
            forget(model, &path)
        }
    }
}

fn keep_this(model: &mut Model, draft: Draft) -> Vec<Effect> {
    let root = model.open().map(|open| open.contents.snapshot.root.clone());
    root.into_iter().map(|root| Effect::KeepDraft(root, Box::new(draft.clone()))).collect()
}

fn forget(model: &mut Model, path: &RelPath) -> Vec<Effect> {
    let Some(open) = model.open_mut() else { return Vec::new() };
    open.drafts.remove(path);
    vec![Effect::DropDraft(open.contents.snapshot.root.clone(), path.clone())]
}

/// Unsaved text of earlier times was found.
pub(super) fn found(model: &mut Model, root: &Path, drafts: Vec<Draft>) {
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

fn save(model: &mut Model, wanted: Wanted) -> Vec<Effect> {
    let Some(editor) = &mut model.editor else { return Vec::new() };
    editor.stage = Stage::Typing;
    match editor.bytes() {
        Ok(bytes) => {
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
fn save_bytes(
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

fn write_again(model: &mut Model) -> Vec<Effect> {
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
pub(super) fn plan(snapshot: &Snapshot, save: &Save, now: Time) -> Result<Plan, Problem> {
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

/// A save was carried out.
pub(super) fn saved(model: &mut Model, path: &RelPath) -> Vec<Effect> {
    if model.editor.as_ref().is_some_and(|editor| editor.path == *path) {
        model.editor = None;
    }
    forget(model, path)
}

/// The store was read again, or a save failed: sees whether someone else changed what is being edited.
pub(super) fn look_again(model: &mut Model) {
    let Some((path, base)) = model.editor.as_ref().map(|editor| (editor.path.clone(), editor.base.clone()))
    else {
        return;
    };
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
        }
        (Stage::Saving { .. }, Some(theirs)) => conflict(model, &base, theirs),
        (_, _) if is_same => editor.is_stale = false,
        (Stage::Offer(_) | Stage::Outside, _) => editor.is_stale = true,
        (_, theirs) => {
            if !editor.is_changed()
                && let Some(theirs) = theirs
            {
                // Nothing was typed: the form simply shows what is there now.
                if let Ok(fresh) = Editor::form(path, editor.name.clone(), theirs) {
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
        None => editor.stage = Stage::Conflict(merge),
    }
}

/// A choice in a conflict.
fn choose(model: &mut Model, command: Command) -> Vec<Effect> {
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

/// `f`: quotes where YAML needs them, as a correction.
fn repair(model: &mut Model) -> Vec<Effect> {
    let Some((path, _, base)) = current(model) else { return Vec::new() };
    match repair_all(&base) {
        Ok(bytes) => {
            let save = Save { path, base: Some(base), bytes: bytes.into(), kind: Kind::Correction };
            jobs::enqueue(model, Job::Save(Box::new(save)))
        }
        Err(why) => {
            let edit = model.keymap.label(Command::Edit);
            model.say(Tone::Note, format!("{why}; nothing was changed, {edit} opens it"));
            Vec::new()
        }
    }
}

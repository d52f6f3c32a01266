//! Editing a memory: what commands, keys, pasted text and the mouse do in the editor.

mod drafts;
mod outside;
mod saving;

pub(super) use drafts::{found, keep as keep_draft};
pub(super) use outside::came_back;
pub(super) use saving::{look_again, plan, saved};

use crate::app::action::{Effect, Mouse};
use crate::app::commands::Command;
use crate::app::editor::{Did, Editor, Input, MOST_BYTES, Stage, View, What, repair_all};
use crate::app::key::{Code, Key};
use crate::app::model::{Job, Model, Save, Tone};
use crate::app::recall::Bench;
use crate::app::update::jobs;
use crate::memory::path::RelPath;
use crate::review::edit::Kind;
use drafts::{bring_back, drop_draft, forget, keep, take_draft};
use outside::start_outside;
use saving::{choose, save, write_again};
use std::sync::Arc;

/// What a command of the editor does.
pub(super) fn command(model: &mut Model, command: Command) -> Vec<Effect> {
    match command {
        Command::Edit => return start(model),
        Command::EditOutside => return start_outside(model),
        Command::Repair => return repair(model),
        Command::GoneDraft => return bring_back(model),
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

/// Opens the description of the memory under the cursor, to be tried on queries. Where there is unsaved text of an
/// earlier time, that is offered first.
pub(super) fn start_bench(model: &mut Model, bench: Bench) -> Vec<Effect> {
    let Some((path, name, bytes)) = current(model) else { return Vec::new() };
    if model.open().is_some_and(|open| open.drafts.contains_key(&path)) {
        return start(model);
    }
    match Editor::bench(path, name, bytes, bench) {
        Ok(editor) => model.editor = Some(Box::new(editor)),
        Err(why) => model.say(Tone::Note, why),
    }
    Vec::new()
}

/// Opens the raw file with the cursor on a place: a byte of the file, else a line (from 1).
pub(super) fn start_at(model: &mut Model, at: Option<usize>, line: usize) -> Vec<Effect> {
    let Some((path, name, bytes)) = current(model) else {
        model.say(Tone::Note, "there is no memory to edit here");
        return Vec::new();
    };
    if let Err(why) = (Command::Edit.row().available)(model) {
        model.say(Tone::Note, why);
        return Vec::new();
    }
    if model.open().is_some_and(|open| open.drafts.contains_key(&path)) {
        return start(model);
    }
    match Editor::raw(path, name, bytes.clone(), bytes.clone()) {
        Ok(mut editor) => {
            let before = at.and_then(|at| bytes.get(..at));
            let start = before.map(|it| memchr::memrchr(b'\n', it).map_or(0, |end| end + 1));
            let row = before.map_or(line.saturating_sub(1), |it| memchr::memchr_iter(b'\n', it).count());
            let head = start.zip(at).and_then(|(start, at)| bytes.get(start..at)).unwrap_or_default();
            if let Some(area) = editor.area_mut() {
                area.jump(row, &String::from_utf8_lossy(head));
            }
            model.editor = Some(Box::new(editor));
        }
        Err(why) => model.say(Tone::Note, why),
    }
    Vec::new()
}

/// The memory under the cursor: its path, its name, its bytes.
fn current(model: &Model) -> Option<(RelPath, String, Arc<[u8]>)> {
    let open = model.open()?;
    let entry = open.current()?;
    let memory = open.contents.memory(entry)?;
    Some((entry.path.clone(), entry.name.clone(), memory.bytes.clone()))
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
        if area.is_long(MOST_BYTES.saturating_sub(text.len())) {
            model.say(Tone::Note, "what was pasted is too large to be edited here; nothing was done");
            return Vec::new();
        }
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

/// Whether a proposal is being edited, which is no memory yet.
pub(super) fn is_proposal(model: &Model) -> bool {
    model.editor.as_ref().is_some_and(|editor| editor.proposal.is_some())
}

fn discard(model: &mut Model) -> Vec<Effect> {
    let Some(editor) = model.editor.take() else { return Vec::new() };
    if editor.proposal.is_some() {
        return Vec::new();
    }
    forget(model, &editor.path)
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

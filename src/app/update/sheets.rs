//! The small forms: what their commands and keys do, and what becomes of them.

use crate::app::action::{Effect, Mouse};
use crate::app::commands::Command;
use crate::app::contents::{Contents, Item};
use crate::app::editor::{Did, Input};
use crate::app::key::{Code, Key};
use crate::app::model::{Job, Mode, Model, Tone};
use crate::app::sheet::{Finished, Sheet, Stage, Task};
use crate::app::update::jobs;
use crate::memory::Time;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Memory;
use std::sync::Arc;

/// Opens the form that a command asks for.
pub(super) fn open(model: &mut Model, command: Command) -> Vec<Effect> {
    let (now, roots) = (model.now, model.roots.clone());
    let Some(open) = model.open() else { return Vec::new() };
    let contents = &open.contents;
    let current: Option<&Arc<Memory>> = open.current().and_then(|entry| match entry.item {
        Item::Memory(at) => contents.snapshot.memories.get(at),
        Item::Index | Item::Unreadable(_) => None,
    });
    let sheet = match (command, current) {
        (Command::New, _) => Ok(Sheet::new(contents, now)),
        (Command::Rename, Some(memory)) => Ok(Sheet::rename(contents, memory)),
        (Command::Promote, Some(memory)) => Ok(Sheet::promote(contents, memory, roots)),
        (Command::Merge, _) => {
            let marked = open.marked();
            let name = |path| contents.find(path).and_then(|at| contents.entries.get(at));
            let named = marked.iter().filter_map(|path| Some((path.clone(), name(path)?.name.clone())));
            Sheet::merge(contents, named.collect())
        }
        _ => return Vec::new(),
    };
    match sheet {
        Ok(sheet) => model.sheet = Some(Box::new(sheet)),
        Err(why) => model.say(Tone::Note, why),
    }
    Vec::new()
}

/// What a command does in an open form.
pub(super) fn command(model: &mut Model, command: Command) -> Vec<Effect> {
    let Some(sheet) = &mut model.sheet else { return Vec::new() };
    match command {
        Command::NextField => sheet.form.cycle(1),
        Command::PreviousField => sheet.form.cycle(-1),
        Command::Finish | Command::SaveAndLeave => return finish(model),
        Command::StopEditing if sheet.is_changed() => sheet.stage = Stage::Leaving,
        Command::BackToText => sheet.stage = Stage::Typing,
        _ => {
            model.sheet = None;
            model.say(Tone::Note, "nothing was changed");
        }
    }
    Vec::new()
}

fn finish(model: &mut Model) -> Vec<Effect> {
    let Some(sheet) = &mut model.sheet else { return Vec::new() };
    sheet.stage = Stage::Typing;
    match sheet.finish() {
        Ok(Finished::Do(order)) => jobs::enqueue(model, Job::Order(Box::new(order))),
        Ok(Finished::Ask(question)) => {
            model.mode = Mode::Question(*question);
            Vec::new()
        }
        Err(why) => {
            model.say(Tone::Note, why);
            Vec::new()
        }
    }
}

/// A key that is no command: for the field.
pub(super) fn typed(model: &mut Model, key: Key) -> Vec<Effect> {
    let help = model.keymap.label(Command::HelpWhileEditing);
    let Some(sheet) = &mut model.sheet else { return Vec::new() };
    if sheet.stage != Stage::Typing {
        model.say(Tone::Note, format!("{} does nothing here", key.label()));
        return Vec::new();
    }
    let did = match sheet.form.focused_mut().map(|field| &mut field.input) {
        Some(Input::Text(area)) => area.key(key),
        Some(Input::Choice { options, chosen, .. }) => pick(options.len().max(1), chosen, key),
        None => Did::Unknown,
    };
    match did {
        Did::Edited => follow(model),
        Did::Moved => {}
        Did::Above => sheet.form.step(-1),
        Did::Below => sheet.form.step(1),
        Did::WouldBreak if matches!(sheet.task, Task::Rename { .. }) => return finish(model),
        Did::WouldBreak => sheet.form.step(1),
        Did::Unknown => {
            model.say(Tone::Note, format!("{} does nothing here; {help} shows every key", key.label()));
        }
    }
    Vec::new()
}

fn pick(count: usize, chosen: &mut usize, key: Key) -> Did {
    match (key.code, key.ctrl, key.alt) {
        (Code::Right | Code::Char(' '), false, false) => *chosen = (*chosen + 1) % count,
        (Code::Left, false, false) => *chosen = (*chosen + count - 1) % count,
        (Code::Up, false, false) => return Did::Above,
        (Code::Down | Code::Enter, false, false) => return Did::Below,
        _ => return Did::Unknown,
    }
    Did::Edited
}

/// What follows from what was typed.
fn follow(model: &mut Model) {
    after(model, Sheet::follow);
}

/// What follows from a store that was read again.
pub(super) fn look_again(model: &mut Model) {
    after(model, Sheet::look_again);
}

fn after(model: &mut Model, what: impl FnOnce(&mut Sheet, &Contents, Time) -> Result<(), String>) {
    let now = model.now;
    let contents = model.open().map(|open| open.contents.clone());
    let (Some(sheet), Some(contents)) = (&mut model.sheet, contents) else { return };
    if let Err(why) = what(sheet, &contents, now) {
        model.say(Tone::Note, why);
    }
}

pub(super) fn pasted(model: &mut Model, text: &str) {
    let typing = model.sheet.as_mut().filter(|sheet| sheet.stage == Stage::Typing);
    match typing.and_then(|sheet| sheet.area_mut()) {
        Some(area) => {
            area.paste(text);
            follow(model);
        }
        None => model.say(Tone::Note, "pasted text is never taken for commands; nothing was done"),
    }
}

pub(super) fn mouse(model: &mut Model, mouse: Mouse) {
    let (x, y) = match mouse {
        Mouse::Click(x, y) | Mouse::DoubleClick(x, y) | Mouse::Wheel(x, y, _) => (x, y),
    };
    let hit = model.layout.fields.iter().find(|(area, _)| area.contains(x, y)).copied();
    let (Some((area, number)), Some(sheet)) = (hit, &mut model.sheet) else { return };
    if sheet.stage != Stage::Typing {
        return;
    }
    if let Mouse::Wheel(_, _, by) = mouse {
        if let Some(text) = sheet.area_mut() {
            text.wheel(by * 3);
        }
        return;
    }
    let was = std::mem::replace(&mut sheet.form.focus, number);
    if was == number
        && let Some(text) = sheet.area_mut()
    {
        text.click(y - area.y, x - area.x);
    }
}

/// An order is on its way.
pub(super) fn sent(model: &mut Model) {
    if let Some(sheet) = &mut model.sheet {
        sheet.stage = Stage::Working;
    }
}

/// An order was carried out.
pub(super) fn done(model: &mut Model) {
    model.sheet = None;
}

/// An order could not be carried out: the form is as it was.
pub(super) fn failed(model: &mut Model) {
    if let Some(sheet) = &mut model.sheet {
        sheet.stage = Stage::Typing;
    }
}

/// Opens the form that promotes a memory, with the file that every project loads chosen.
pub(super) fn promote_for_user(model: &mut Model, path: &RelPath) {
    let roots = model.roots.clone();
    let Some(open) = model.open() else { return };
    let entry = open.contents.find(path).and_then(|at| open.contents.entries.get(at));
    let Some(memory) = entry.and_then(|entry| open.contents.memory(entry)) else { return };
    let sheet = Sheet::promote(&open.contents, memory, roots);
    model.sheet = Some(Box::new(sheet));
    if let Some(sheet) = &mut model.sheet {
        sheet.choose_user();
    }
    follow(model);
}

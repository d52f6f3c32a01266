//! What others change in the store appears by itself: the cursor, the marks and what is typed stay.

use crate::app::action::Effect;
use crate::app::contents::Contents;
use crate::app::model::{Library, Model, Tone};
use crate::app::update::{checks, editing, inbox, opening, preview, recall, sheets};
use std::path::Path;
use std::sync::Arc;

/// Something in the store changed. While something is being written it is looked at afterwards: it may be that.
pub(super) fn changed(model: &mut Model, dir: &Path) -> Vec<Effect> {
    match &model.library {
        Library::Open(open) if open.dir == dir => {}
        _ => return Vec::new(),
    }
    if model.work.running.is_some() {
        model.work.look_again = true;
        return Vec::new();
    }
    vec![Effect::Look(dir.into())]
}

/// What was written is read: someone else may have written besides.
pub(super) fn after_work(model: &mut Model) -> Vec<Effect> {
    match (std::mem::take(&mut model.work.look_again), model.dir()) {
        (true, Some(dir)) => vec![Effect::Look(dir.into())],
        _ => Vec::new(),
    }
}

/// The store was looked at.
pub(super) fn looked(model: &mut Model, dir: &Path, contents: Option<Arc<Contents>>) -> Vec<Effect> {
    let Some(contents) = contents else { return Vec::new() };
    if model.work.running.is_some() {
        // What is being written is read when it is done, and this with it.
        return Vec::new();
    }
    let Library::Open(open) = &mut model.library else { return Vec::new() };
    if open.dir != dir {
        return Vec::new();
    }
    let words = difference(&open.contents, &contents);
    let effects = opening::read_again(open, contents, &model.work);
    if model.message.is_none() && model.editor.is_none() && model.sheet.is_none() {
        model.say(Tone::Note, format!("changed by someone else: {words}"));
    }
    editing::look_again(model);
    sheets::look_again(model);
    let mut effects: Vec<Effect> = effects.into_iter().collect();
    effects.extend(preview::store_changed(model));
    effects.extend(checks::ask(model));
    effects.extend(inbox::ask(model));
    effects.extend(recall::store_changed(model));
    effects
}

/// In words, what differs.
fn difference(old: &Contents, new: &Contents) -> String {
    let state = |contents: &Contents, at: usize| {
        let memory = contents.snapshot.memories.get(at);
        memory.map(|memory| (memory.bytes.clone(), memory.stat.mtime))
    };
    let (mut more, mut changed) = (0, 0);
    let mut common = 0;
    for (at, memory) in new.snapshot.memories.iter().enumerate() {
        match old.find(&memory.path).and_then(|was| state(old, was)) {
            None => more += 1,
            was => {
                common += 1;
                changed += usize::from(was != state(new, at));
            }
        }
    }
    let gone = old.snapshot.memories.len() - common;
    let counts = [(more, "new"), (changed, "changed"), (gone, "gone")];
    let words: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    if words.is_empty() { "the index".into() } else { words.join(", ") }
}

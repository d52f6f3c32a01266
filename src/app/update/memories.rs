//! What the keys of the list of memories do: marks, ranges, order, and what is copied.

use super::jobs;
use crate::app::action::Effect;
use crate::app::commands::Command;
use crate::app::list::memory_path;
use crate::app::model::{Focus, Model, PaneView, Scroll, Tone};
use crate::review::index_fix::Fix;

pub(super) fn mark(model: &mut Model) {
    let Some(open) = model.open_mut() else { return };
    if open.list.range.is_some() {
        return keep_range(model);
    }
    let Some(path) = open.current_at().and_then(|at| memory_path(&open.contents, at)) else {
        return model.say(Tone::Note, "only memories can be marked");
    };
    if !open.list.marks.remove(&path) {
        open.list.marks.insert(path);
    }
    if open.pane.focus == Focus::List {
        open.list.step(1);
    }
}

pub(super) fn range(model: &mut Model) {
    let Some(open) = model.open_mut() else { return };
    if open.list.range.is_some() {
        return keep_range(model);
    }
    open.list.range = open.current().map(|entry| entry.path.clone());
    let (keep, drop) = (model.keymap.label(Command::Range), model.keymap.label(Command::Leave));
    model.say(Tone::Note, format!("marking a range: move, then {keep} keeps it, {drop} drops it"));
}

pub(super) fn keep_range(model: &mut Model) {
    if let Some(open) = model.open_mut() {
        open.list.marks = open.list.marked(&open.contents);
        open.list.range = None;
    }
}

pub(super) fn mark_all(model: &mut Model) {
    let Some(open) = model.open_mut() else { return };
    open.list.range = None;
    let shown: Vec<_> = open.list.shown().filter_map(|at| memory_path(&open.contents, at)).collect();
    if shown.iter().all(|path| open.list.marks.contains(path)) {
        for path in &shown {
            open.list.marks.remove(path);
        }
    } else {
        open.list.marks.extend(shown);
    }
}

/// The memory as the agent sees it when it reads the file, or as a person reads it.
pub(super) fn as_agent(model: &mut Model) {
    let Some(open) = model.open_mut() else { return };
    open.pane.scroll = Scroll::Auto;
    open.pane.link = None;
    open.pane.view = match open.pane.view {
        PaneView::Reads => PaneView::Agent,
        PaneView::Agent => PaneView::Reads,
    };
    let text = match open.pane.view {
        PaneView::Agent => "as the agent sees it when it reads the file",
        PaneView::Reads => "as a person reads it",
    };
    model.say(Tone::Note, text);
}

pub(super) fn move_up(model: &mut Model) -> Vec<Effect> {
    let Some(open) = model.open() else { return Vec::new() };
    let targets = jobs::targets(open).into_iter().collect();
    jobs::plan_fix(model, vec![Fix::MoveUp(targets)])
}

pub(super) fn order(model: &mut Model) {
    let Some(open) = model.open_mut() else { return };
    open.list.set_order(open.list.order.next());
    let keep = open.current().map(|entry| entry.path.clone());
    open.list.rebuild(&open.contents, keep.as_ref());
    let words = open.list.order.words();
    model.say(Tone::Note, format!("ordered {words}"));
}

pub(super) fn flagged(model: &mut Model) {
    let Some(open) = model.open_mut() else { return };
    open.list.flagged_only = !open.list.flagged_only;
    let keep = open.current().map(|entry| entry.path.clone());
    open.list.rebuild(&open.contents, keep.as_ref());
}

pub(super) fn copy_path(model: &mut Model) -> Vec<Effect> {
    let Some(open) = model.open() else { return Vec::new() };
    let marked = open.marked();
    let current = open.current().map(|entry| entry.path.clone());
    let paths: Vec<_> =
        if marked.is_empty() { current.into_iter().collect() } else { marked.into_iter().collect() };
    let full = paths.iter().map(|path| open.contents.snapshot.root.join(path.as_path()));
    let text = full.map(|path| path.to_string_lossy().into_owned()).collect::<Vec<_>>().join("\n");
    match paths.as_slice() {
        [path] => model.say(Tone::Good, format!("copied the path of {path}")),
        _ => model.say(Tone::Good, format!("copied {} paths", paths.len())),
    }
    vec![Effect::Copy(text)]
}

pub(super) fn copy_text(model: &mut Model) -> Vec<Effect> {
    let Some(open) = model.open() else { return Vec::new() };
    let Some(entry) = open.current() else { return Vec::new() };
    let bytes = open.contents.memory(entry).map_or(open.contents.body(entry), |memory| &memory.bytes);
    let text = String::from_utf8_lossy(bytes).into_owned();
    let path = entry.path.clone();
    model.say(Tone::Good, format!("copied the text of {path}"));
    vec![Effect::Copy(text)]
}

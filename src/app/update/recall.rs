//! The Recall screen: what its keys do, and what its worker says.

mod bench;
mod by_model;
mod field;
#[cfg(test)]
mod tests;

pub(super) use bench::{add_query, command as bench, follow as follow_bench, open as describe, tried};
pub(super) use by_model::{ask_now, picked};
pub(super) use field::{command as field, typed};

use crate::app::action::Effect;
use crate::app::commands::Command;
use crate::app::field::Field;
use crate::app::model::{
    ActsOn, Focus, Input, Library, Mode, Model, Open, Problem, Screen, Scroll, Tone, Typing, Wanted,
};
use crate::app::recall::{Asked, ByModel, Found, View};
use crate::app::update::links;
use crate::app::update::moves::Step;
use crate::memory::path::RelPath;
use std::sync::Arc;

/// `6`.
pub(super) fn show(model: &mut Model) -> Vec<Effect> {
    model.screen = Screen::Recall;
    let Some(open) = model.open_mut() else { return Vec::new() };
    open.pane.focus = Focus::List;
    match (&open.finder.found, open.finder.has_query()) {
        (Some(_), _) => Vec::new(),
        (None, true) => ask(model),
        (None, false) => prepare(model),
    }
}

/// Lets the worker prepare the headers before anything is typed; nobody asked for the answer, so it is dropped.
fn prepare(model: &mut Model) -> Vec<Effect> {
    model.recall.asked += 1;
    let number = model.recall.asked;
    let Some(open) = model.open() else { return Vec::new() };
    let (contents, options) = (open.contents.clone(), open.finder.options.clone());
    let (query, view, chosen) = (String::new(), View::Why, None);
    vec![Effect::Recall(Asked { number, contents, query, options, view, chosen })]
}

/// Asks the worker what would be picked for the query as it stands.
pub(super) fn ask(model: &mut Model) -> Vec<Effect> {
    let Library::Open(open) = &mut model.library else { return Vec::new() };
    model.recall.asked += 1;
    let (contents, finder) = (open.contents.clone(), &mut open.finder);
    // Also of another store no answer has this number.
    finder.asked = model.recall.asked;
    if !finder.has_query() {
        finder.forget();
        return Vec::new();
    }
    vec![Effect::Recall(Asked {
        number: finder.asked,
        contents,
        query: finder.query.clone(),
        options: finder.options.clone(),
        view: finder.view,
        chosen: finder.answer().map(|answer| answer.files.clone()),
    })]
}

/// The store is other than it was: the query stays, and is asked again.
pub(super) fn store_changed(model: &mut Model) -> Vec<Effect> {
    let is_shown = model.screen == Screen::Recall;
    let Some(open) = model.open_mut() else { return Vec::new() };
    let mut effects = Vec::new();
    if is_shown {
        effects = ask(model);
    } else {
        // It is asked again when the screen shows.
        open.finder.found = None;
        open.finder.rebuild(None);
    }
    bench::store_changed(model);
    effects
}

/// The worker has ranked.
pub(super) fn answered(model: &mut Model, number: u64, found: Result<Arc<Found>, Problem>) {
    let Some(open) = model.open_mut().filter(|open| open.finder.asked == number) else { return };
    match found {
        Ok(found) => open.finder.take(number, found),
        Err(problem) => {
            open.finder.got = number;
            model.say_problem(&problem);
        }
    }
}

pub(super) fn command(model: &mut Model, command: Command) -> Vec<Effect> {
    match command {
        Command::OpenCandidate => return open(model),
        Command::CopyRecall => return copy(model),
        Command::AskModel => return by_model::ask(model),
        Command::Ask => {
            start(model);
            return Vec::new();
        }
        Command::RecentTools => {
            let tools = model.open().map(|open| open.finder.options.tools.join(", ")).unwrap_or_default();
            model.mode = Mode::Input(Input { what: Wanted::Tools, field: Field::new(&tools) });
            return Vec::new();
        }
        _ => {}
    }
    let narrow = !model.layout.is_wide;
    let Some(open) = model.open_mut() else { return Vec::new() };
    let finder = &mut open.finder;
    match command {
        Command::ShowUnmatched => {
            finder.is_unfolded = !finder.is_unfolded;
            let keep = finder.current().map(|verdict| verdict.path.clone());
            finder.rebuild(keep.as_ref());
        }
        Command::RecallView => {
            finder.view = finder.view.next();
            finder.scroll = 0;
            // Where both don't fit side by side, the key would seem to do nothing.
            finder.in_detail |= narrow;
            return ask(model);
        }
        Command::MarkShown => return mark_shown(model),
        _ => {}
    }
    Vec::new()
}

/// `/`: the query is edited.
fn start(model: &mut Model) {
    let Some(open) = model.open_mut() else { return };
    open.finder.in_detail = false;
    let field = Field::new(&open.finder.query);
    model.mode = Mode::Query(Typing { field, ..Typing::default() });
}

/// `s`: the memory under the cursor was shown in this conversation already, or not.
fn mark_shown(model: &mut Model) -> Vec<Effect> {
    let Some(open) = model.open_mut() else { return Vec::new() };
    let Some(path) = open.finder.current().map(|verdict| verdict.path.clone()) else { return Vec::new() };
    let shown = &mut open.finder.options.shown;
    let is_new = shown.insert(path.clone());
    if !is_new {
        shown.remove(&path);
    }
    let name = one_name(open, &path);
    let says = if is_new { "counts as shown in this conversation" } else { "no longer counts as shown" };
    model.say(Tone::Note, format!("{name} {says}"));
    ask(model)
}

/// What the agent used a moment ago was typed.
pub(super) fn set_tools(model: &mut Model, text: &str) -> Vec<Effect> {
    let Some(open) = model.open_mut() else { return Vec::new() };
    let tools = text.split([',', ' ']).map(str::trim).filter(|tool| !tool.is_empty());
    open.finder.options.tools = tools.map(str::to_owned).collect();
    ask(model)
}

/// Enter: the memory over the whole width, on a narrow screen what is said about it first; or a query of before.
fn open(model: &mut Model) -> Vec<Effect> {
    let narrow = !model.layout.is_wide;
    let Some(open) = model.open_mut() else { return Vec::new() };
    let finder = &mut open.finder;
    if let Some(query) = finder.query_in(finder.cursor).cloned() {
        finder.query = query;
        finder.keep();
        return ask(model);
    }
    let Some(path) = finder.current().map(|verdict| verdict.path.clone()) else {
        start(model);
        return Vec::new();
    };
    if narrow && !finder.in_detail {
        finder.in_detail = true;
        return Vec::new();
    }
    model.screen = Screen::Memories;
    let effects = links::go_to(model, &path);
    if let Some(open) = model.open_mut() {
        open.acts_on = ActsOn::List;
        open.pane.focus = Focus::Full;
        open.pane.scroll = Scroll::Auto;
        open.back_to = Some(Screen::Recall);
    }
    effects
}

/// `Y`: the text that is shown, or the path of the memory under the cursor.
fn copy(model: &mut Model) -> Vec<Effect> {
    let Some(open) = model.open() else { return Vec::new() };
    let finder = &open.finder;
    let text = finder.found.as_ref().and_then(|found| found.text.as_ref());
    let copied = match (finder.view, text, finder.current()) {
        (View::Why, _, Some(verdict)) => {
            let path = open.contents.snapshot.root.join(verdict.path.as_path());
            Some((format!("copied the path of {}", verdict.path), path.to_string_lossy().into_owned()))
        }
        (View::Prompt, Some(text), _) => Some(("copied the selector's prompt".into(), text.raw.clone())),
        (View::Injected, Some(text), _) if !text.raw.is_empty() => {
            Some(("copied what would be brought in".into(), text.raw.clone()))
        }
        _ => None,
    };
    match copied {
        Some((said, text)) => {
            model.say(Tone::Good, said);
            vec![Effect::Copy(text)]
        }
        None => {
            model.say(Tone::Note, "there is nothing to copy");
            Vec::new()
        }
    }
}

/// Esc: what stands beside the list, the model that is asked, the query, the screen.
pub(super) fn leave(model: &mut Model) -> Vec<Effect> {
    let Some(open) = model.open_mut() else {
        model.screen = Screen::Memories;
        return Vec::new();
    };
    let finder = &mut open.finder;
    if std::mem::take(&mut finder.in_detail) {
    } else if matches!(finder.model, ByModel::Asking { .. }) {
        return by_model::call_off(model);
    } else if finder.has_query() {
        finder.query.clear();
        return ask(model);
    } else {
        model.screen = Screen::Memories;
    }
    Vec::new()
}

/// Moves in what keys go to.
pub(super) fn go(model: &mut Model, step: Step) {
    let list = model.layout.list.as_ref().map_or(1, |(area, _)| usize::from(area.height)).max(1);
    let pane = model.layout.pane.clone().unwrap_or_default();
    let Some(open) = model.open_mut() else { return };
    let finder = &mut open.finder;
    if finder.in_detail {
        let height = usize::from(pane.area.height).max(1);
        let last = pane.lines.saturating_sub(height);
        finder.scroll = step.from(finder.scroll.min(last), height).min(last);
        return;
    }
    match step {
        // A head is no place to stop at: down goes past it.
        Step::Lines(by) => finder.step(by),
        step => finder.go(step.from(finder.cursor, list)),
    }
}

/// Keeps the screen on what is there.
pub(super) fn settle(model: &mut Model) {
    let height = model.layout.list.as_ref().map_or(0, |(area, _)| usize::from(area.height));
    if model.screen != Screen::Recall || model.walk.is_some() {
        return;
    }
    let Some(open) = model.open_mut() else { return };
    if height > 0 {
        open.finder.top = open.finder.top_for(height);
    }
    let path = open.finder.current().map(|verdict| verdict.path.clone());
    open.acts_on = ActsOn::Only(path.filter(|path| open.contents.find(path).is_some()));
}

/// What a memory is called, safe to show.
fn one_name(open: &Open, path: &RelPath) -> String {
    let entry = open.contents.find(path).and_then(|at| open.contents.entries.get(at));
    entry.map_or_else(|| crate::app::contents::one_line(&path.to_str_lossy()), |entry| entry.name.clone())
}

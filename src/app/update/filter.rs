//! The filter: the typed character shows at once, a worker answers, late answers are dropped.

use crate::app::action::{Effect, Question};
use crate::app::field::Field;
use crate::app::list::Filter;
use crate::app::model::{Focus, Mode, Model, Open, Problem, Screen};
use crate::app::query::Query;
use crate::prompt::usage::Usage;
use std::path::Path;
use std::sync::Arc;

pub(super) fn start(model: &mut Model) {
    if model.screen == Screen::Stores {
        model.mode = Mode::Filter(Field::new(&model.stores.filter));
        return;
    }
    if model.screen == Screen::Checks {
        let filter = model.open().map(|open| open.board.filter.clone()).unwrap_or_default();
        model.mode = Mode::Filter(Field::new(&filter));
        if let Some(open) = model.open_mut() {
            open.board.in_detail = false;
        }
        return;
    }
    if model.screen == Screen::Inbox {
        let filter = model.open().map(|open| open.inbox.filter.clone()).unwrap_or_default();
        model.mode = Mode::Filter(Field::new(&filter));
        if let Some(open) = model.open_mut() {
            open.inbox.in_detail = false;
        }
        return;
    }
    let text = model.open().map(|open| open.list.filter.text.clone()).unwrap_or_default();
    model.mode = Mode::Filter(Field::new(&text));
    // What is filtered is the list: over the whole width nobody would see it.
    if let Some(open) = model.open_mut()
        && open.pane.focus == Focus::Full
    {
        open.pane.focus = Focus::List;
    }
}

pub(super) fn typed(model: &mut Model) -> Vec<Effect> {
    let Mode::Filter(field) = &model.mode else { return Vec::new() };
    let text = field.text();
    if model.screen == Screen::Stores {
        model.stores.filter = text;
        model.stores.cursor = 0;
        return Vec::new();
    }
    let (on_checks, on_inbox) = (model.screen == Screen::Checks, model.screen == Screen::Inbox);
    let Some(open) = model.open_mut() else { return Vec::new() };
    if on_checks {
        open.board.filter = text;
        return Vec::new();
    }
    if on_inbox {
        open.inbox.filter = text;
        return Vec::new();
    }
    if text == open.list.filter.text {
        return Vec::new();
    }
    open.list.filter.text = text;
    open.list.filter.query = query(open).map(Arc::new);
    ask(open).into_iter().collect()
}

/// The query for what is typed, with what is known of the use of the memories.
fn query(open: &Open) -> Option<Query> {
    Some(Query::parse(&open.list.filter.text)?.knowing(open.usage.clone()))
}

/// It is known what sessions made of the memories.
pub(super) fn usage_read(model: &mut Model, dir: &Path, usage: Option<Arc<Usage>>) -> Vec<Effect> {
    let Some(open) = model.open_mut().filter(|open| open.dir == dir) else { return Vec::new() };
    open.usage = usage;
    if !open.list.filter.query.as_ref().is_some_and(|query| query.asks_for_use()) {
        return Vec::new();
    }
    open.list.filter.query = query(open).map(Arc::new);
    // What matched without knowing it says nothing about now.
    open.list.filter.answered = None;
    ask(open).into_iter().collect()
}

/// Asks the worker anew, after typing or after the store was read again.
pub(super) fn ask(open: &mut Open) -> Option<Effect> {
    let filter = &mut open.list.filter;
    filter.asked += 1;
    let Some(query) = filter.query.clone() else {
        filter.matches = None;
        filter.answered = None;
        filter.got = filter.asked;
        let keep = open.current().map(|entry| entry.path.clone());
        open.list.rebuild(&open.contents, keep.as_ref());
        return None;
    };
    let narrower = filter.answered.as_ref().is_some_and(|answered| query.narrows(answered));
    let within = filter.matches.clone().filter(|_| narrower);
    Some(Effect::Filter(Question { number: filter.asked, query, contents: open.contents.clone(), within }))
}

pub(super) fn answered(model: &mut Model, number: u64, query: Arc<Query>, matches: Arc<Vec<usize>>) {
    let is_typing = matches!(model.mode, Mode::Filter(_));
    let Some(open) = model.open_mut() else { return };
    if open.list.filter.asked != number {
        return;
    }
    open.list.filter.got = number;
    open.list.filter.matches = Some(matches);
    open.list.filter.answered = Some(query);
    let keep = open.current().map(|entry| entry.path.clone());
    if is_typing {
        // What is under the cursor stays there while it matches; else the first match comes under it.
        open.list.cursor = 0;
    }
    open.list.rebuild(&open.contents, keep.as_ref());
}

/// The worker could not answer: what was typed ahead is dropped, since nobody knows what it would meet.
pub(super) fn failed(model: &mut Model, number: u64, problem: &Problem) {
    if let Some(open) = model.open_mut().filter(|open| open.list.filter.asked == number) {
        open.list.filter.got = number;
        model.held.clear();
        model.say_problem(problem);
    }
}

pub(super) fn clear(model: &mut Model) -> Vec<Effect> {
    if matches!(model.mode, Mode::Filter(_)) {
        model.mode = Mode::Browse;
    }
    if model.screen == Screen::Stores {
        model.stores.filter.clear();
        return Vec::new();
    }
    let (on_checks, on_inbox) = (model.screen == Screen::Checks, model.screen == Screen::Inbox);
    let Some(open) = model.open_mut() else { return Vec::new() };
    if on_checks {
        open.board.filter.clear();
        return Vec::new();
    }
    if on_inbox {
        open.inbox.filter.clear();
        return Vec::new();
    }
    open.list.filter = Filter { asked: open.list.filter.asked, ..Filter::default() };
    ask(open).into_iter().collect()
}

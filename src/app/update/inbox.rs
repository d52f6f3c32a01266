//! The Inbox screen: what its keys do, and what its worker says.

mod act;
mod split;

pub(super) use act::{as_if, edited, failed, sent, take_nearest, undo};

use crate::app::action::Effect;
use crate::app::commands::Command;
use crate::app::inbox::{Act, Asked, Desk, Gated, Item, Key, Seen, Standing, Waits, What};
use crate::app::model::{ActsOn, Focus, Job, Library, Model, Open, Problem, Screen, Tone};
use crate::app::update::moves::Step;
use crate::app::update::{jobs, preview};
use crate::memory::path::RelPath;
use std::collections::BTreeSet;
use std::sync::Arc;

/// `3`: what waits is looked at anew, since proposals come from outside.
pub(super) fn show(model: &mut Model) -> Vec<Effect> {
    let narrow = !model.layout.is_wide;
    let is_new = model.screen != Screen::Inbox;
    model.screen = Screen::Inbox;
    if let Some(open) = model.open_mut() {
        open.pane.focus = Focus::List;
        // Where both don't fit side by side, one is shown at a time.
        open.inbox.in_detail |=
            narrow && is_new && open.inbox.waits.as_ref().is_some_and(|it| !it.items.is_empty());
    }
    ask(model)
}

/// Asks the worker what waits, and what the gate says of it.
pub(super) fn ask(model: &mut Model) -> Vec<Effect> {
    let Some(subject) = preview::subject(model) else { return Vec::new() };
    let Library::Open(open) = &mut model.library else { return Vec::new() };
    model.inbox_asked += 1;
    let desk = &mut open.inbox;
    // Also of another store no answer has this number.
    desk.asked = model.inbox_asked;
    desk.is_gated = false;
    desk.gated = 0;
    let (dir, contents) = (open.dir.clone(), open.contents.clone());
    vec![Effect::ReadInbox(Asked { number: desk.asked, dir, contents, subject })]
}

/// A proposal came or went. What is being written is followed by a look anyway.
pub(super) fn proposed(model: &mut Model, dir: &std::path::Path) -> Vec<Effect> {
    let is_open = model.open().is_some_and(|open| open.dir == dir);
    if is_open && model.work.running.is_none() { ask(model) } else { Vec::new() }
}

/// What waits was read.
pub(super) fn read(model: &mut Model, number: u64, waits: Result<Arc<Waits>, Problem>) {
    let on_the_way = on_the_way(model);
    let Library::Open(open) = &mut model.library else { return };
    if open.inbox.asked != number {
        return;
    }
    match waits {
        Ok(waits) => {
            let is_same = |key: &Key| waits.items.iter().chain(&waits.rejected).any(|item| item.key == *key);
            let leaving: BTreeSet<Key> = on_the_way.into_iter().filter(is_same).collect();
            let open = &mut **open;
            open.inbox.take(waits, leaving, &open.contents);
        }
        Err(problem) => model.say_problem(&problem),
    }
}

/// The gate has looked at some.
pub(super) fn gated(model: &mut Model, number: u64, gated: Gated) {
    let Library::Open(open) = &mut model.library else { return };
    if open.inbox.asked != number {
        return;
    }
    let open = &mut **open;
    open.inbox.gated = gated.done;
    open.inbox.is_gated = gated.is_complete;
    open.inbox.gate(gated.gates, &open.contents);
}

/// What was decided on and is not done yet.
fn on_the_way(model: &Model) -> Vec<Key> {
    let jobs = model.work.running.iter().chain(&model.work.queue);
    jobs.filter_map(|job| if let Job::Inbox(act) = job { Some(act.keys()) } else { None }).flatten().collect()
}

/// Keeps the screen on what is there.
pub(super) fn settle(model: &mut Model) {
    let height = model.layout.list.as_ref().map_or(0, |(area, _)| usize::from(area.height));
    if model.screen != Screen::Inbox || model.walk.is_some() || model.verify.open.is_some() {
        return;
    }
    let Library::Open(open) = &mut model.library else { return };
    let open = &mut **open;
    open.inbox.follow(&open.contents);
    if height > 0 {
        open.inbox.top = open.inbox.top_for(height);
    }
    let path = memory(open);
    open.acts_on = ActsOn::Only(path);
}

/// The memory in the store that the item under the cursor is about.
fn memory(open: &Open) -> Option<RelPath> {
    let waits = open.inbox.waits.as_ref()?;
    let path = open.inbox.current()?.path(waits)?;
    open.contents.find(path).map(|_| path.clone())
}

pub(super) fn command(model: &mut Model, command: Command) -> Vec<Effect> {
    let Some(open) = model.open_mut() else { return Vec::new() };
    let desk = &mut open.inbox;
    match command {
        Command::OpenItem => desk.in_detail = true,
        Command::NextItem => desk.step(1),
        Command::PreviousItem => desk.step(-1),
        Command::ShowRejected => {
            desk.rejected = !desk.rejected;
            (desk.cursor, desk.top, desk.in_detail) = (0, 0, false);
        }
        Command::ByOrigin => {
            desk.by_origin = !desk.by_origin;
            let words =
                if desk.by_origin { "grouped by origin" } else { "proposals, then changes; safest first" };
            model.say(Tone::Note, words);
        }
        Command::TakeIt => return act::yes(model),
        Command::RefuseIt => return act::no(model),
        Command::EditItem => return act::edit(model),
        Command::MergeInto => return act::merge(model),
        Command::AllOfOrigin => act::all_of_origin(model),
        Command::AllThatPass => act::all_that_pass(model),
        Command::AcceptAllChanges => act::all_changes(model),
        Command::ReviewEverything => act::start(model, true),
        Command::ReviewFromNow => act::start(model, false),
        Command::TakeBack => return act::take_back(model),
        Command::IfApproved => return act::if_approved(model),
        Command::Split
        | Command::TogglePart
        | Command::NextPart
        | Command::PreviousPart
        | Command::ApplyParts
        | Command::LeaveParts => return split::command(model, command),
        _ => {}
    }
    Vec::new()
}

/// Moves in what keys go to.
pub(super) fn go(model: &mut Model, step: Step) {
    let list = model.layout.list.as_ref().map_or(1, |(area, _)| usize::from(area.height)).max(1);
    let pane = model.layout.pane.clone().unwrap_or_default();
    let Some(open) = model.open_mut() else { return };
    let desk: &mut Desk = &mut open.inbox;
    if desk.in_detail || desk.split.is_some() {
        let height = usize::from(pane.area.height).max(1);
        let last = pane.lines.saturating_sub(height);
        desk.scroll = step.from(desk.scroll.min(last), height).min(last);
        return;
    }
    match step {
        // A head is no place to stop at: down goes past it.
        Step::Lines(by) => desk.step(by),
        step => desk.go(step.from(desk.cursor, list)),
    }
}

/// Esc: what is said about the item, the filter, the rejected ones, the screen.
pub(super) fn leave(model: &mut Model) {
    let Some(open) = model.open_mut() else {
        model.screen = Screen::Memories;
        return;
    };
    let desk = &mut open.inbox;
    if std::mem::take(&mut desk.in_detail) {
    } else if !desk.filter.is_empty() {
        desk.filter.clear();
    } else if std::mem::take(&mut desk.rejected) {
        (desk.cursor, desk.top) = (0, 0);
    } else {
        model.screen = Screen::Memories;
    }
}

/// The item under the cursor, with all that waits.
fn current(model: &Model) -> Option<(&Item, &Arc<Waits>, &Open)> {
    let open = model.open()?;
    Some((open.inbox.current()?, open.inbox.waits.as_ref()?, open))
}

fn seen(item: &Item, waits: &Waits) -> Option<Seen> {
    waits.change(item).map(Seen::of)
}

/// Whether an item can be taken together with others: nothing has to be looked at first.
fn is_ready(item: &Item) -> bool {
    matches!(item.standing, Standing::Ready | Standing::Done)
}

fn enqueue(model: &mut Model, act: Act) -> Vec<Effect> {
    jobs::enqueue(model, Job::Inbox(Box::new(act)))
}

fn is_change(item: &Item) -> bool {
    matches!(item.what, What::Change(_))
}

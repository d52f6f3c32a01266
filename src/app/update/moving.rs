//! Moving and copying memories to another store, and merging stores: the window that asks where, then the question.

use crate::app::action::Effect;
use crate::app::commands::Command;
use crate::app::contents::one_line;
use crate::app::model::{Job, Mode, Model, Problem, Question, Tone};
use crate::app::moving::{Asked, Moving, Place};
use crate::app::update::{jobs, opening, sheets};
use crate::memory::text::shell_word;
use crate::review::moving::{Transfer, Way};
use std::path::Path;

/// What a command does.
pub(super) fn command(model: &mut Model, command: Command) -> Vec<Effect> {
    match command {
        Command::MoveTo => some(model),
        Command::MergeStore => whole(model),
        Command::ChoosePlace => choose(model),
        _ => {
            turn(model);
            Vec::new()
        }
    }
}

/// Asks where the marked memories go, else the one under the cursor.
fn some(model: &mut Model) -> Vec<Effect> {
    let Some(open) = model.open() else { return Vec::new() };
    let paths: Vec<_> = jobs::targets(open).into_iter().collect();
    let title = match paths.as_slice() {
        [one] => {
            open.contents.find(one).and_then(|at| open.contents.entries.get(at)).map(|it| it.name.clone())
        }
        many => Some(format!("{} memories", many.len())),
    };
    let moving = Moving::new(title.unwrap_or_default(), open.dir.clone(), Some(paths));
    ask_where(model, moving)
}

/// Asks where all memories of the store under the cursor go.
fn whole(model: &mut Model) -> Vec<Effect> {
    let shown = model.stores.shown();
    let Some(store) = shown.get(model.stores.cursor) else { return Vec::new() };
    let (name, dir, is_empty) = (one_line(&store.slug), store.dir.clone(), store.memories == 0);
    if is_empty {
        model.say(Tone::Note, format!("{name} holds no memories, so there is nothing to merge"));
        return Vec::new();
    }
    ask_where(model, Moving::new(name, dir, None))
}

fn ask_where(model: &mut Model, moving: Moving) -> Vec<Effect> {
    model.mode = Mode::Moving(Box::new(moving));
    if model.stores.found.is_none() { opening::find_stores(model) } else { Vec::new() }
}

/// Copies instead of moving, or moves again.
fn turn(model: &mut Model) {
    let Mode::Moving(moving) = &mut model.mode else { return };
    moving.planning = None;
    moving.way = if moving.way == Way::Move { Way::Copy } else { Way::Move };
}

fn choose(model: &mut Model) -> Vec<Effect> {
    let Mode::Moving(moving) = &model.mode else { return Vec::new() };
    if moving.planning.is_some() {
        return Vec::new();
    }
    let Some(row) = moving.rows(model).into_iter().nth(moving.chosen) else {
        model.say(Tone::Note, "no place is called so; nothing was changed");
        return Vec::new();
    };
    if let Some(why) = row.why_not {
        model.say(Tone::Note, why);
        return Vec::new();
    }
    match row.place {
        Place::User => promote(model),
        Place::Store(store) => {
            let Mode::Moving(moving) = &mut model.mode else { return Vec::new() };
            let (from, paths) = (moving.from.clone(), moving.paths.clone());
            let asked = Asked { from, to: store.dir, way: moving.way, paths };
            moving.planning = Some(asked.clone());
            vec![Effect::PlanMove(asked)]
        }
    }
}

/// What holds in every project is promoted: the form, with the person's own file chosen.
fn promote(model: &mut Model) -> Vec<Effect> {
    let Mode::Moving(moving) = &model.mode else { return Vec::new() };
    let asked = moving.paths.clone().unwrap_or_default();
    model.mode = Mode::Browse;
    if let [path] = asked.as_slice() {
        sheets::promote_for_user(model, path);
    }
    Vec::new()
}

/// Asks whether it shall be done so: every file, its line of the index, and what there is to know.
pub(super) fn planned(model: &mut Model, asked: &Asked, planned: Result<Box<Transfer>, Problem>) {
    let Mode::Moving(moving) = &mut model.mode else { return };
    if moving.planning.as_ref() != Some(asked) {
        return;
    }
    moving.planning = None;
    match planned {
        Err(problem) => model.say_problem(&problem),
        Ok(transfer) => {
            let (title, is_whole) = (moving.title.clone(), moving.paths.is_none());
            let to = name(model, asked);
            let what = match transfer.passages.len() {
                1 => "this memory".to_owned(),
                many => format!("these {many} memories"),
            };
            let ask = match transfer.way {
                _ if is_whole => format!("Merge {title} into {to}?"),
                Way::Move => format!("Move {what} to {to}?"),
                Way::Copy => format!("Copy {what} to {to}?"),
            };
            let lines = transfer.words();
            model.mode = Mode::Question(Question { ask, lines, scroll: 0, job: Job::Move(transfer) });
        }
    }
}

/// What the store is called that memories go to, safe to show.
fn name(model: &Model, asked: &Asked) -> String {
    let found = model.stores.found.iter().flatten().find(|store| store.dir == asked.to);
    let slug = found.map(|store| store.slug.clone());
    one_line(&slug.unwrap_or_else(|| asked.to.to_string_lossy().into_owned()))
}

/// How it can be taken back, for the end of the message.
pub(super) fn taken_back(model: &Model, transfer: &Transfer, undo: &str) -> String {
    let is_open = |root: &Path| model.open().is_some_and(|open| open.contents.snapshot.root == root);
    let is_here = transfer.arrival.is_some() && is_open(&transfer.to)
        || transfer.departure.is_some() && is_open(&transfer.from);
    if is_here {
        return format!(", {undo} undoes");
    }
    let dir = one_line(&shell_word(&transfer.undone_in().to_string_lossy()));
    format!(", `memcurator undo --store {dir}` undoes")
}

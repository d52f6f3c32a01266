//! Walking the worst: what its keys do.

use crate::app::action::Effect;
use crate::app::commands::Command;
use crate::app::model::{Focus, Job, Model, Screen, Scroll, Tone};
use crate::app::order::Order;
use crate::app::update::{checks, hush, jobs};
use crate::app::walk::{Act, Walk};
use crate::check::{Finding, Silence};
use crate::memory::path::RelPath;

/// `w`: begins at the worst. Marked memories are walked through alone.
pub(super) fn start(model: &mut Model) -> Vec<Effect> {
    let on_memories = model.screen == Screen::Memories;
    let Some(open) = model.open_mut() else { return Vec::new() };
    let marked = open.marked();
    let contents = open.contents.clone();
    let chosen = open.list.worth_a_look(&contents).into_iter();
    let chosen = chosen.filter(|path| marked.is_empty() || !on_memories || marked.contains(path));
    let bytes = |path: RelPath| contents.bytes_of(&path).map(|bytes| (path.clone(), bytes.into()));
    let queue: Vec<_> = chosen.filter_map(bytes).collect();
    if queue.is_empty() {
        model.say(Tone::Note, "nothing is found on what is marked");
        return Vec::new();
    }
    open.pane.focus = Focus::Memory;
    open.pane.scroll = Scroll::Auto;
    model.walk = Some(Walk { queue, ..Walk::default() });
    Vec::new()
}

pub(super) fn command(model: &mut Model, command: Command) -> Vec<Effect> {
    let Some(walk) = &model.walk else { return Vec::new() };
    let Some(path) = walk.current().cloned() else { return over(model, command) };
    match command {
        Command::WalkKeep => {
            let Some(open) = model.open() else { return Vec::new() };
            let kept = hush::keep(&open.contents, findings(model, &path));
            let words = format!("kept {path} as it stands");
            let effects = hush::add(model, kept.clone(), words);
            done(model, Act::Kept(kept));
            effects
        }
        Command::WalkFix => fix(model, &path),
        Command::WalkEdit => {
            let first = findings(model, &path).into_iter().next();
            let at = first.and_then(|it| it.range.as_ref()).map(|range| range.start);
            let line = first.map_or(1, |it| it.line);
            crate::app::update::editing::start_at(model, at, line)
        }
        Command::WalkPark => jobs::park(model),
        Command::WalkDelete => jobs::delete(model),
        Command::WalkAffirm => jobs::affirm(model),
        Command::WalkSnooze => {
            hush::ask_until(model, &path);
            Vec::new()
        }
        Command::WalkLater => {
            done(model, Act::Later);
            Vec::new()
        }
        Command::WalkBack => {
            with(model, Walk::back);
            Vec::new()
        }
        Command::WalkUndo => undo(model),
        Command::WalkEnd => {
            if let Some(walk) = &mut model.walk {
                walk.end();
            }
            Vec::new()
        }
        _ => Vec::new(),
    }
}

/// What keys do while the summary shows.
fn over(model: &mut Model, command: Command) -> Vec<Effect> {
    match command {
        Command::WalkUndo => return undo(model),
        Command::WalkBack => with(model, Walk::back),
        Command::WalkEnd | Command::WalkClose => {
            let contents = model.open().map(|open| open.contents.clone());
            let summary = model.walk.as_ref().zip(contents).map(|(walk, contents)| walk.summary(&contents));
            model.walk = None;
            if let Some(open) = model.open_mut() {
                open.pane.focus = Focus::List;
            }
            if let Some(summary) = summary {
                model.say(Tone::Good, summary);
            }
        }
        _ => {}
    }
    Vec::new()
}

fn with(model: &mut Model, what: impl FnOnce(&mut Walk, &crate::app::contents::Contents)) {
    let Some(contents) = model.open().map(|open| open.contents.clone()) else { return };
    if let Some(walk) = &mut model.walk {
        what(walk, &contents);
    }
}

fn done(model: &mut Model, act: Act) {
    with(model, |walk, contents| walk.done(contents, act));
}

/// The findings on a memory, worst first.
fn findings<'a>(model: &'a Model, path: &RelPath) -> Vec<&'a Finding> {
    let Some(open) = model.open() else { return Vec::new() };
    let entry = open.contents.find(path).and_then(|at| open.contents.entries.get(at));
    let found = entry.into_iter().flat_map(|entry| &entry.findings);
    found.filter_map(|at| open.contents.findings.get(*at)).collect()
}

/// `f`: all that can be mended for sure at once; else the one-key fix of the worst finding that has one.
fn fix(model: &mut Model, path: &RelPath) -> Vec<Effect> {
    let found = findings(model, path);
    let is_safe = |finding: &&&Finding| {
        matches!(finding.fixes.first(), Some(crate::check::Fix::Replace { is_safe: true, .. }))
    };
    let safe: Vec<_> = found.iter().filter(is_safe).filter_map(|it| checks::replacement(it)).collect();
    if !safe.is_empty() {
        return jobs::enqueue(model, Job::Fix(safe));
    }
    let Some(first) = found.into_iter().find(|finding| !finding.fixes.is_empty()).cloned() else {
        model.say(Tone::Note, "no key mends this");
        return Vec::new();
    };
    checks::fix(model, &first)
}

/// A memory was snoozed.
pub(super) fn snoozed(model: &mut Model, memory: &RelPath, silence: Silence) {
    if model.walk.as_ref().and_then(Walk::current) == Some(memory) {
        done(model, Act::Snoozed(silence));
    }
}

/// A job is on its way: when it is about the memory that is looked at, the walk goes on.
pub(super) fn noticed(model: &mut Model, job: &Job) {
    let Some(current) = model.walk.as_ref().and_then(Walk::current) else { return };
    let act = match job {
        Job::Delete(paths) if paths.contains(current) => Act::Deleted,
        Job::Park(paths) | Job::Unpark(paths) if paths.contains(current) => Act::Parked,
        Job::Save(save) if save.path == *current => Act::Fixed,
        Job::Fix(all) if all.iter().any(|one| one.path == *current) => Act::Fixed,
        Job::Index(_) => Act::Fixed,
        Job::Order(order) => match &**order {
            Order::Affirm(paths) if paths.contains(current) => Act::Affirmed,
            Order::Merge { keep, others, .. } if keep == current || others.contains(current) => Act::Fixed,
            Order::Promote { path, .. } if path == current => Act::Fixed,
            _ => return,
        },
        _ => return,
    };
    done(model, act);
}

/// `u`: takes back what was done last on this walk, and goes back to that memory.
fn undo(model: &mut Model) -> Vec<Effect> {
    let Some((at, act)) = model.walk.as_mut().and_then(|walk| walk.acts.pop()) else {
        model.say(Tone::Note, "nothing was done on this walk yet");
        return Vec::new();
    };
    if let Some(walk) = &mut model.walk {
        walk.at = at;
    }
    let silences = match act {
        Act::Kept(silences) => silences,
        Act::Snoozed(silence) => vec![silence],
        Act::Later => return Vec::new(),
        Act::Fixed | Act::Affirmed | Act::Parked | Act::Deleted => {
            return jobs::enqueue(model, Job::Undo);
        }
    };
    let words = "taken back".to_owned();
    jobs::enqueue(model, Job::Hush { remove: silences, add: Vec::new(), words })
}

//! Verifying a memory: what its keys do, and what its worker says.

use crate::app::action::Effect;
use crate::app::commands::Command;
use crate::app::contents::one_line;
use crate::app::deep::Progress;
use crate::app::model::{Job, Model, Problem, Tone};
use crate::app::order::Order;
use crate::app::update::moves::Step;
use crate::app::update::{checks, editing};
use crate::app::verify::{Asked, Told, Verifying};
use crate::memory::path::RelPath;
use std::path::PathBuf;

/// `V`: on the memory under the cursor, whatever is marked.
pub(super) fn start(model: &mut Model) -> Vec<Effect> {
    let Some(open) = model.open() else { return Vec::new() };
    let Some(entry) = open.current() else { return Vec::new() };
    let Some(memory) = open.contents.memory(entry) else { return Vec::new() };
    let verifying = Verifying::new(entry.path.clone(), entry.name.clone(), memory.bytes.clone());
    model.verify.open = Some(Box::new(verifying));
    ask(model)
}

fn ask(model: &mut Model) -> Vec<Effect> {
    let (Some(subject), Some(open)) = (checks::subject(model), model.open()) else { return Vec::new() };
    let Some(path) = model.verify.open.as_ref().map(|open| open.path.clone()) else { return Vec::new() };
    let contents = open.contents.clone();
    model.verify.asked += 1;
    model.verify.is_looking = true;
    vec![Effect::Verify(Asked { number: model.verify.asked, contents, subject, path })]
}

/// The worker is so far.
pub(super) fn progress(model: &mut Model, number: u64, progress: Progress) {
    if let Some(open) = model.verify.open.as_mut().filter(|_| model.verify.asked == number) {
        open.progress = Some(progress);
    }
}

/// The worker found something out.
pub(super) fn told(model: &mut Model, number: u64, told: Result<Told, Problem>) {
    if model.verify.asked != number {
        return;
    }
    let Some(open) = &mut model.verify.open else { return };
    match told {
        Ok(told) => {
            model.verify.is_looking = told.looked.is_none();
            open.take(told);
        }
        Err(problem) => {
            model.verify.is_looking = false;
            close(model);
            model.say_problem(&problem);
        }
    }
}

pub(super) fn command(model: &mut Model, command: Command) -> Vec<Effect> {
    let Some(open) = &mut model.verify.open else { return Vec::new() };
    match command {
        Command::VerifyNext if open.is_at_end() => {
            let decide =
                [Command::Affirm, Command::Edit, Command::Delete, Command::Park, Command::VerifyLeave];
            let [affirm, edit, delete, park, leave] = decide.map(|command| model.keymap.label(command));
            let text = format!(
                "that was all: {affirm} still true, {edit} edit, {delete} delete, {park} park, {leave} leaves it undecided"
            );
            model.say(Tone::Note, text);
        }
        Command::VerifyNext => open.go(open.at + 1),
        Command::VerifyBack => open.go(open.at.saturating_sub(1)),
        Command::VerifyEvidence => return evidence(model),
        Command::VerifyLeave => {
            let text = format!("{} is undecided: {}", open.name, open.how_far());
            close(model);
            model.say(Tone::Note, text);
        }
        _ => {}
    }
    Vec::new()
}

/// `e`: the editor, at the passage of the claim.
pub(super) fn edit(model: &mut Model) -> Vec<Effect> {
    let claim = model.verify.open.as_ref().and_then(|open| open.current());
    // What newer memories say stands in no line of this one.
    let at = claim.filter(|claim| claim.range.is_some() || claim.line > 1);
    match at.map(|claim| (claim.range.as_ref().map(|range| range.start), claim.line)) {
        Some((at, line)) => editing::start_at(model, at, line),
        None => editing::command(model, Command::Edit),
    }
}

/// `v`: the next file that the claim's evidence names, at its line.
fn evidence(model: &mut Model) -> Vec<Effect> {
    let Some(verifying) = &model.verify.open else { return Vec::new() };
    let at = verifying.evidence;
    let Some(claim) = verifying.current() else {
        model.say(Tone::Note, "go to a claim first: its evidence shows");
        return Vec::new();
    };
    let root = match (claim.kind.is_of_project(), model.open()) {
        (true, _) => verifying.looked.as_ref().and_then(|looked| looked.project.clone()),
        (false, open) => open.map(|open| open.contents.snapshot.root.clone()),
    };
    // What a commit tells of is not there any more, and a directory is nothing to read.
    let files = claim.evidence.iter().filter(|one| one.commit.is_none());
    let files = files.filter_map(|one| Some((one.path.as_ref()?, one.line.unwrap_or(1))));
    let files: Vec<(PathBuf, usize)> = files
        .filter(|(path, _)| !path.ends_with('/'))
        .filter_map(|(path, line)| Some((root.as_ref()?.join(path), line)))
        .collect();
    let commit = claim.evidence.iter().find_map(|one| one.commit.as_deref()).map(one_line);
    let next = if at + 1 < files.len() { at + 1 } else { 0 };
    let Some((file, line)) = files.get(at).or(files.first()).cloned() else {
        match commit {
            Some(commit) => model.say(Tone::Note, format!("its evidence is a commit: git show {commit}")),
            None => model.say(Tone::Note, "no file shows it"),
        }
        return Vec::new();
    };
    if let Some(verifying) = &mut model.verify.open {
        verifying.evidence = next;
    }
    if let Some(open) = model.open_mut() {
        open.board.wanted = Some((file.clone(), line));
    }
    vec![Effect::ReadFile(file)]
}

/// Moves over the claims; pages move in what is said about one.
pub(super) fn go(model: &mut Model, step: Step) {
    let pane = model.layout.pane.clone().unwrap_or_default();
    let Some(open) = &mut model.verify.open else { return };
    match step {
        Step::Lines(_) | Step::Top | Step::Bottom => open.go(step.from(open.at, 1)),
        Step::Pages(_) | Step::HalfPages(_) => scroll(open, &pane, step),
    }
}

/// The wheel: over the list it goes from claim to claim, else it scrolls what is said.
pub(super) fn wheel(model: &mut Model, x: u16, y: u16, by: isize) {
    let in_list = model.layout.list.as_ref().is_some_and(|(area, _)| area.contains(x, y));
    let pane = model.layout.pane.clone().unwrap_or_default();
    let Some(open) = &mut model.verify.open else { return };
    if in_list {
        open.go(open.at.saturating_add_signed(by));
    } else {
        scroll(open, &pane, Step::Lines(by * 3));
    }
}

/// A click on a claim.
pub(super) fn click(model: &mut Model, x: u16, y: u16) {
    let hit = model.layout.list.as_ref().filter(|(area, _)| area.contains(x, y));
    let row = hit.map(|(area, top)| top + usize::from(y - area.y));
    if let (Some(row), Some(open)) = (row, &mut model.verify.open)
        && row <= open.claims.len()
    {
        open.go(row);
    }
}

fn scroll(open: &mut Verifying, pane: &crate::app::layout::PaneLayout, step: Step) {
    let height = usize::from(pane.area.height).max(1);
    let last = pane.lines.saturating_sub(height);
    open.scroll = step.from(open.scroll.min(last), height).min(last);
}

/// A job is on its way: when it decides about the memory, the person goes back to where they were.
pub(super) fn noticed(model: &mut Model, job: &Job) {
    let Some(path) = model.verify.open.as_ref().map(|open| &open.path) else { return };
    let is_decided = match job {
        Job::Delete(paths) | Job::Park(paths) | Job::Unpark(paths) => paths.contains(path),
        Job::Save(save) => save.path == *path,
        Job::Order(order) => matches!(&**order, Order::Affirm(paths) if paths.contains(path)),
        _ => false,
    };
    if is_decided {
        close(model);
    }
}

fn close(model: &mut Model) {
    model.verify.open = None;
}

/// Looks again when the memory is other than it was, and lets the worker stop when nobody waits for it.
pub(super) fn follow(model: &mut Model) -> Vec<Effect> {
    let Some(verifying) = &model.verify.open else {
        if !std::mem::take(&mut model.verify.is_looking) {
            return Vec::new();
        }
        model.verify.asked += 1;
        return vec![Effect::StopVerify(model.verify.asked)];
    };
    let (path, name) = (verifying.path.clone(), verifying.name.clone());
    match bytes(model, &path) {
        Some(bytes) if bytes == verifying.bytes => Vec::new(),
        Some(bytes) => {
            if let Some(open) = &mut model.verify.open {
                (open.bytes, open.looked, open.progress) = (bytes, None, None);
            }
            let said = model.message.as_ref().filter(|said| said.tone == Tone::Good);
            let said = said.map(|said| format!("{}; ", said.text)).unwrap_or_default();
            model.say(
                Tone::Note,
                format!("{said}{name} was changed meanwhile: its claims are looked up again"),
            );
            ask(model)
        }
        None => {
            close(model);
            if model.open().is_some() {
                model.say(Tone::Note, format!("{name} is no longer there: someone else took it away"));
            }
            follow(model)
        }
    }
}

fn bytes(model: &Model, path: &RelPath) -> Option<std::sync::Arc<[u8]>> {
    let open = model.open()?;
    let entry = open.contents.entries.get(open.contents.find(path)?)?;
    open.contents.memory(entry).map(|memory| memory.bytes.clone())
}

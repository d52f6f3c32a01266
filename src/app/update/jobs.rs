//! Changes to the store: asked about where needed, one at a time, the list following at once.

use crate::app::action::{Done, Effect};
use crate::app::commands::Command;
use crate::app::contents::{Entry, Listing, one_line};
use crate::app::editor::Stage;
use crate::app::field::Field;
use crate::app::list::memory_path;
use crate::app::model::{ActsOn, Focus, Input, Job, Mode, Model, Open, Problem, Question, Tone, Wanted};
use crate::app::order::Order;
use crate::app::update::{editing, inbox, live, moving, opening, recall, sheets, verify, walk};
use crate::memory::path::RelPath;
use crate::review::index_fix::{self, Fix, Fixed};
use crate::review::{fix, prune};
use std::collections::{BTreeSet, HashMap, HashSet};

/// `d`: on one memory that nothing links to, at once; else a question that names them all.
pub(super) fn delete(model: &mut Model) -> Vec<Effect> {
    let Some(open) = model.open() else { return Vec::new() };
    let marked = open.has_marks();
    let targets = targets(open);
    let entries: Vec<_> = targets.iter().filter_map(|path| entry(open, path)).collect();
    let linked = entries.iter().any(|entry| !linkers(open, entry, &targets).is_empty());
    if !marked && !linked {
        return enqueue(model, Job::Delete(targets.into_iter().collect()));
    }
    let shown: HashSet<usize> = open.list.shown().collect();
    let mut names: HashMap<&str, usize> = HashMap::new();
    for entry in &open.contents.entries {
        *names.entry(&entry.name).or_default() += 1;
    }
    let several = |entry: &Entry| names.get(entry.name.as_str()).is_some_and(|count| *count > 1);
    let line = |entry: &&Entry| describe(open, entry, several(entry), &targets, &shown);
    let lines = entries.iter().map(line).collect();
    let ask = match targets.len() {
        1 => "Delete this memory?".into(),
        count => format!("Delete these {count} memories?"),
    };
    let job = Job::Delete(targets.into_iter().collect());
    model.mode = Mode::Question(Question { ask, lines, scroll: 0, job });
    Vec::new()
}

/// `p`: takes what is in the index out; when nothing of it is, puts back what is parked; when nothing is parked
/// either, adds lines for what never had one.
pub(super) fn park(model: &mut Model) -> Vec<Effect> {
    let Some(open) = model.open() else { return Vec::new() };
    let targets = targets(open);
    let are = |listings: &[Listing]| -> Vec<RelPath> {
        let is = |path: &&RelPath| entry(open, path).is_some_and(|entry| listings.contains(&entry.listing));
        targets.iter().filter(is).cloned().collect()
    };
    let listed = are(&[Listing::Loads, Listing::NotSeen]);
    let parked = are(&[Listing::Parked]);
    let job = match (listed.is_empty(), parked.is_empty()) {
        (false, _) => Job::Park(listed),
        (true, false) => Job::Unpark(parked),
        (true, true) => Job::Unpark(targets.into_iter().collect()),
    };
    enqueue(model, job)
}

/// `t`: on all marked memories, else on the one under the cursor.
pub(super) fn affirm(model: &mut Model) -> Vec<Effect> {
    let Some(open) = model.open() else { return Vec::new() };
    let targets = targets(open).into_iter().collect();
    enqueue(model, Job::Order(Box::new(Order::Affirm(targets))))
}

pub(super) fn answer_yes(model: &mut Model) -> Vec<Effect> {
    match std::mem::replace(&mut model.mode, Mode::Browse) {
        Mode::Question(Question { job: Job::AskModel, .. }) => recall::ask_now(model),
        Mode::Question(question) => enqueue(model, question.job),
        other => {
            model.mode = other;
            Vec::new()
        }
    }
}

/// Plans repairs of the index, on a worker.
pub(super) fn plan_fix(model: &mut Model, fixes: Vec<Fix>) -> Vec<Effect> {
    let Some(open) = model.open() else { return Vec::new() };
    vec![Effect::PlanFix(open.contents.clone(), fixes, model.now)]
}

/// Asks before the index is repaired: what would be done, and how much of the index loads before and after.
pub(super) fn ask_fix(model: &mut Model, fixed: Result<Box<Fixed>, Problem>) {
    let fixed = match fixed {
        Ok(fixed) => *fixed,
        Err(problem) => return model.say_problem(&problem),
    };
    let Some(plan) = fixed.plan else {
        return model.say(Tone::Note, "the index needs no such repair");
    };
    if model.mode != Mode::Browse || model.editor.is_some() || model.sheet.is_some() {
        return model.say(Tone::Note, "the repair of the index was planned; ask again to see it");
    }
    let mut lines = fixed.steps;
    lines.push(format!("before: {}", fixed.before.words()));
    lines.push(format!("after: {}", fixed.after.words()));
    lines.extend(plan.warnings.iter().map(|warning| format!("▲ {warning}")));
    let ask = "Repair the index like this?".into();
    model.mode = Mode::Question(Question { ask, lines, scroll: 0, job: Job::Index(Box::new(plan)) });
}

/// `index-shorten`: the index line of the memory under the cursor, a shorter form proposed, to be edited.
pub(super) fn shorten(model: &mut Model) {
    let Some(open) = model.open() else { return };
    let snapshot = &open.contents.snapshot;
    let Some(file) = &snapshot.index else { return };
    let path = open.current_at().and_then(|at| memory_path(&open.contents, at));
    let long = index_fix::proposals(snapshot, &file.bytes);
    let own = long.iter().find(|one| one.memory.is_some() && one.memory == path);
    let line = match (own, path) {
        (Some(one), _) => Ok((one.line, one.shorter.clone())),
        (None, Some(path)) => Err(format!("the index line of {path} is not long")),
        (None, None) => Err("choose a memory first".into()),
    };
    match line {
        Ok((line, text)) => {
            model.mode = Mode::Input(Input { what: Wanted::IndexLine(line), field: Field::new(&text) });
        }
        Err(why) => model.say(Tone::Note, why),
    }
}

/// Puts a job at the end of what is to be done. What is deleted leaves the list at once, so that the
/// next key meets the memory that the person sees.
pub(super) fn enqueue(model: &mut Model, job: Job) -> Vec<Effect> {
    if let (Job::Delete(paths), Some(open)) = (&job, model.open_mut()) {
        open.list.leaving.extend(paths.iter().cloned());
        let neighbour = open.list.neighbour(&open.contents, |path| !open.list.leaving.contains(path));
        open.list.rebuild(&open.contents, neighbour.as_ref());
    }
    if matches!(job, Job::Order(_)) {
        sheets::sent(model);
    }
    if let (Job::Delete(paths), Some(open)) = (&job, model.open_mut()) {
        for path in paths {
            open.list.marks.remove(path);
        }
        open.list.range = None;
        // The next memory is not read yet: the person sees the list before anything more is deleted.
        if open.pane.focus == Focus::Full {
            open.pane.focus = Focus::List;
        }
    }
    // What is parked stays marked, so that the same key puts it back.
    if let (Job::Park(_) | Job::Unpark(_), Some(open)) = (&job, model.open_mut())
        && open.acts_on == ActsOn::List
    {
        open.list.marks = open.list.marked(&open.contents);
        open.list.range = None;
    }
    verify::noticed(model, &job);
    walk::noticed(model, &job);
    let in_history = match &job {
        Job::Reload | Job::AskModel | Job::Hush { .. } | Job::HushForGood(_) => false,
        Job::Inbox(act) => act.is_in_history(),
        _ => true,
    };
    if let Some(open) = model.open_mut() {
        if in_history {
            // From here on `u` is about the store's history again.
            open.hushed.clear();
        }
        if in_history || matches!(job, Job::Hush { .. }) {
            open.inbox.backs.clear();
        }
    }
    if let Job::Inbox(act) = &job {
        inbox::sent(model, act);
    }
    model.work.queue.push_back(job);
    next(model)
}

/// Starts the next job when nothing is being done.
fn next(model: &mut Model) -> Vec<Effect> {
    while model.work.running.is_none() {
        let Some(job) = model.work.queue.pop_front() else {
            return if model.work.leaving { vec![Effect::Quit] } else { Vec::new() };
        };
        match effect(model, &job) {
            Ok(effect) => {
                model.work.running = Some(job);
                return vec![effect];
            }
            Err(problem) => {
                bring_back(model, &job);
                model.say_problem(&problem);
                editing::look_again(model);
            }
        }
    }
    Vec::new()
}

fn effect(model: &Model, job: &Job) -> Result<Effect, Problem> {
    let closed = || Problem { what: "no store is open".into(), hint: String::new() };
    let dir = || model.dir().ok_or_else(closed);
    let contents = || model.open().map(|open| &open.contents).ok_or_else(closed);
    let plan = match job {
        Job::Undo => return Ok(Effect::Undo),
        Job::Redo => return Ok(Effect::Redo),
        // The model is no operation on the store: `answer_yes` sends it by itself.
        Job::Reload | Job::AskModel => return Ok(Effect::Load(dir()?.into())),
        Job::Delete(paths) => prune::delete(&contents()?.snapshot, &contents()?.parked, paths)?,
        Job::Park(paths) => prune::park(&contents()?.snapshot, &contents()?.parked, paths)?,
        Job::Unpark(paths) => prune::unpark(&contents()?.snapshot, &contents()?.parked, paths)?,
        Job::Order(order) => return Ok(Effect::Carry(contents()?.clone(), order.clone())),
        Job::Index(plan) => return Ok(Effect::Apply(plan.clone())),
        Job::Fix(all) => fix::fix(&contents()?.snapshot, all)?,
        Job::Hush { remove, add, words } => {
            let (remove, add, words) = (remove.clone(), add.clone(), words.clone());
            return Ok(Effect::Hush { remove, add, words });
        }
        Job::Inbox(act) => return Ok(Effect::Decide(act.clone())),
        Job::HushForGood(id) => return Ok(Effect::HushForGood(id.clone())),
        Job::Move(transfer) => return Ok(Effect::Move(transfer.clone())),
        Job::Save(save) => editing::plan(&contents()?.snapshot, save, model.now)?,
    };
    Ok(Effect::Apply(Box::new(plan)))
}

/// An operation ended: says how, and reads the store again in any case, since a conflict means that
/// someone else changed it.
pub(super) fn applied(model: &mut Model, result: Result<Option<Done>, Problem>) -> Vec<Effect> {
    let undo = model.keymap.label(Command::Undo);
    let redo = model.keymap.label(Command::Redo);
    let job = model.work.running.clone();
    let mut effects = Vec::new();
    match (result, &job) {
        (Ok(Some(done)), _) => {
            if let Some(Job::Save(save)) = &job {
                effects.extend(editing::saved(model, &save.path, &done));
            }
            if let (Some(Job::Inbox(_)), true) = (&job, editing::is_proposal(model)) {
                model.editor = None;
            }
            if let Some(Job::Order(order)) = &job {
                sheets::done(model);
                if let (Order::Merge { .. }, Some(open)) = (&**order, model.open_mut()) {
                    open.list.marks.clear();
                }
            }
            let after = match &job {
                Some(Job::Undo) => format!(", {redo} redoes"),
                Some(Job::Hush { remove, add, .. }) => {
                    let is_undo = add.is_empty();
                    if let Some(open) = model.open_mut().filter(|_| !is_undo) {
                        open.hushed.push((remove.clone(), add.clone()));
                    }
                    if is_undo { String::new() } else { format!(", {undo} takes it back") }
                }
                Some(Job::HushForGood(_)) => String::new(),
                Some(Job::Move(transfer)) => moving::taken_back(model, transfer, &undo),
                Some(Job::Inbox(act)) if !act.is_in_history() => {
                    let goes_back = model.open().is_some_and(|open| !open.inbox.backs.is_empty());
                    if goes_back { format!(", {undo} takes it back") } else { String::new() }
                }
                _ => format!(", {undo} undoes"),
            };
            // How many memories the stores hold shows in their list.
            if model.stores.found.is_some() && !matches!(job, Some(Job::Hush { .. } | Job::HushForGood(_))) {
                effects.extend(opening::find_stores(model));
            }
            let tone =
                if done.conflicts.is_empty() && done.notes.is_empty() { Tone::Good } else { Tone::Note };
            let besides = done.conflicts.iter().chain(&done.notes);
            let besides: Vec<_> = besides.map(|what| format!("; {what}")).collect();
            model.say(tone, format!("{}{after}{}", done.message, besides.concat()));
        }
        (Ok(None), Some(Job::Redo)) => model.say(Tone::Note, "there is nothing to redo"),
        (Ok(None), _) => model.say(Tone::Note, "there is nothing to undo"),
        (Err(problem), _) => {
            if let Some(job) = &job {
                bring_back(model, job);
            }
            model.say_problem(&problem);
        }
    }
    match model.dir() {
        Some(dir) => effects.push(Effect::Load(dir.into())),
        None => effects.extend(finished(model)),
    }
    effects
}

/// The store was read after an operation: the next one can start.
pub(super) fn finished(model: &mut Model) -> Vec<Effect> {
    model.work.running = None;
    let mut effects = next(model);
    if model.work.running.is_none() {
        effects.extend(live::after_work(model));
    }
    effects
}

pub(super) fn quit(model: &mut Model) -> Vec<Effect> {
    if model.work.running.is_none() || model.work.leaving {
        return vec![Effect::Quit];
    }
    model.work.leaving = true;
    model.say(Tone::Note, "finishing what is being written, then leaving");
    Vec::new()
}

/// What was to be deleted and was not shows again.
fn bring_back(model: &mut Model, job: &Job) {
    if let Job::Inbox(act) = job {
        inbox::failed(model, act);
    }
    if matches!(job, Job::Order(_)) {
        sheets::failed(model);
    }
    if let (Job::Save(_), Some(editor)) = (job, &mut model.editor) {
        editor.stage = Stage::Saving { has_failed: true };
    }
    if let (Job::Delete(paths), Some(open)) = (job, model.open_mut()) {
        for path in paths {
            open.list.leaving.remove(path);
        }
        let keep = paths.first().cloned();
        open.list.rebuild(&open.contents, keep.as_ref());
    }
}

/// What a command acts on: marks win over the cursor.
pub(super) fn targets(open: &Open) -> BTreeSet<RelPath> {
    let marked = open.marked();
    if marked.is_empty() {
        open.current_at().and_then(|at| memory_path(&open.contents, at)).into_iter().collect()
    } else {
        marked
    }
}

fn entry<'a>(open: &'a Open, path: &RelPath) -> Option<&'a Entry> {
    open.contents.entries.get(open.contents.find(path)?)
}

/// The names of the memories that link to one, those left out that go with it.
fn linkers<'a>(open: &'a Open, entry: &Entry, going: &BTreeSet<RelPath>) -> Vec<&'a str> {
    let linking = entry.links_in.iter().filter_map(|at| open.contents.entries.get(*at));
    linking.filter(|other| !going.contains(&other.path)).map(|other| other.name.as_str()).collect()
}

/// One line of the question. The file is named where the name alone may mean several.
fn describe(
    open: &Open,
    entry: &Entry,
    is_one_of_several: bool,
    going: &BTreeSet<RelPath>,
    shown: &HashSet<usize>,
) -> String {
    let mut line = entry.name.clone();
    if is_one_of_several {
        line.push_str(&format!(" ({})", one_line(&entry.path.to_str_lossy())));
    }
    if open.contents.find(&entry.path).is_none_or(|at| !shown.contains(&at)) {
        line.push_str("  (not shown now)");
    }
    let linkers = linkers(open, entry, going);
    if !linkers.is_empty() {
        line.push_str(&format!("  ← linked from {}", linkers.join(", ")));
    }
    line
}

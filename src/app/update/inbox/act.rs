//! What a person decides on what waits: yes, no, edit, merge, all of an origin, all that pass.

use super::{current, enqueue, is_change, is_ready, seen};
use crate::app::action::{Asked, Effect};
use crate::app::commands::Command;
use crate::app::editor::Editor;
use crate::app::inbox::{Act, Item, Key, Seen, Standing, What};
use crate::app::model::{Job, Mode, Model, Nearest, Open, Question, Tone};
use crate::app::update::{editing, jobs, preview};
use crate::memory::path::RelPath;
use crate::review::approve::{self, Outcome};
use crate::review::gate::{Gate, Mark, Near, Question as Asks};
use crate::review::proposal::{Action, Proposal, sha256};
use std::sync::Arc;

/// `y`.
pub(super) fn yes(model: &mut Model) -> Vec<Effect> {
    let Some((item, waits, open)) = current(model) else { return Vec::new() };
    match &item.what {
        What::Change(_) => {
            let Some(seen) = seen(item, waits) else { return Vec::new() };
            enqueue(model, Act::Accept(vec![seen]))
        }
        What::Faulty(_) => {
            model.say(
                Tone::Note,
                "it can't be read for sure, so it is never applied: reject it, or correct its files",
            );
            Vec::new()
        }
        What::Proposal(proposal) => {
            let grave = open.inbox.gate_of(item).map(|gate| against(gate)).unwrap_or_default();
            let title = item.title.clone();
            if let Standing::Stale(why) = &item.standing {
                let act = Act::Approve(vec![on_what_is_seen(item, proposal)]);
                let mut lines =
                    vec![why.clone(), "What is there now is replaced; undo brings it back.".into()];
                lines.extend(grave);
                return ask(model, format!("Take {title} all the same?"), lines, act);
            }
            let act = Act::Approve(vec![(Arc::clone(proposal), false)]);
            if !grave.is_empty() {
                return ask(model, format!("Approve {title} in spite of this?"), grave, act);
            }
            enqueue(model, act)
        }
    }
}

/// A proposal on the version that the person sees beside it: a later one is not replaced unseen.
fn on_what_is_seen(item: &Item, proposal: &Arc<Proposal>) -> (Arc<Proposal>, bool) {
    if item.old.is_empty() {
        return (Arc::clone(proposal), true);
    }
    let action = if proposal.action == Action::Add { Action::Change } else { proposal.action };
    let base = Some(sha256(&item.old));
    (Arc::new(Proposal { action, base, ..(**proposal).clone() }), false)
}

/// What could deceive or leak: that is asked about even one by one.
fn against(gate: &Gate) -> Vec<String> {
    let grave =
        gate.verdicts.iter().filter(|verdict| verdict.question == Asks::Safe && verdict.mark == Mark::Fail);
    grave.map(|verdict| format!("▲ {}", verdict.says)).collect()
}

fn ask(model: &mut Model, ask: String, lines: Vec<String>, act: Act) -> Vec<Effect> {
    model.mode = Mode::Question(Question { ask, lines, scroll: 0, job: Job::Inbox(Box::new(act)) });
    Vec::new()
}

/// `n`.
pub(super) fn no(model: &mut Model) -> Vec<Effect> {
    let Some((item, waits, _)) = current(model) else { return Vec::new() };
    let act = match (&item.key, seen(item, waits)) {
        (Key::Proposal(id), _) => Act::Reject(vec![id.clone()]),
        (_, Some(seen)) => Act::Restore(vec![seen]),
        _ => return Vec::new(),
    };
    enqueue(model, act)
}

/// `t` on a rejected one.
pub(super) fn take_back(model: &mut Model) -> Vec<Effect> {
    match current(model).map(|(item, ..)| item.key.clone()) {
        Some(Key::Rejected(id)) => enqueue(model, Act::TakeBack(vec![id])),
        _ => Vec::new(),
    }
}

/// `e`: the proposal in the editor, or the memory that was changed.
pub(super) fn edit(model: &mut Model) -> Vec<Effect> {
    let Some((item, ..)) = current(model) else { return Vec::new() };
    if is_change(item) {
        return editing::command(model, Command::Edit);
    }
    let Some((proposal, bytes)) = item.proposal().and_then(|it| Some((it.clone(), it.bytes.clone()?))) else {
        model.say(Tone::Note, "there is no text to edit");
        return Vec::new();
    };
    match Editor::form(proposal.target.clone(), format!("{} (proposed)", item.title), bytes) {
        Ok(mut editor) => {
            editor.proposal = Some(proposal);
            model.editor = Some(Box::new(editor));
        }
        Err(why) => model.say(Tone::Note, why),
    }
    Vec::new()
}

/// `m`: the proposal becomes a change of the memory that says much the same; where several are near, the person chooses.
pub(super) fn merge(model: &mut Model) -> Vec<Effect> {
    let Some((item, _, open)) = current(model) else { return Vec::new() };
    let (Some(proposal), Some(gate)) = (item.proposal(), open.inbox.gate_of(item)) else {
        model.say(Tone::Note, "only a proposal that the gate has looked at can be merged into a memory");
        return Vec::new();
    };
    let instead = gate.verdicts.iter().find_map(|verdict| verdict.instead.as_ref());
    let words = |near: &Near| format!("{:.0} % alike: {}", near.alike * 100.0, near.why);
    let mut near: Vec<(RelPath, String)> =
        gate.nearest.iter().map(|near| (near.path.clone(), words(near))).collect();
    match (instead, near.iter().position(|(path, _)| Some(path) == instead)) {
        // The one that the gate names comes first, the others stay in their order.
        (_, Some(at)) => near.get_mut(..=at).into_iter().for_each(|first| first.rotate_right(1)),
        (Some(path), None) => near.insert(0, (path.clone(), "says the same".into())),
        (None, None) => {}
    }
    let proposal = Arc::clone(proposal);
    match near.as_slice() {
        [] => {
            model.say(Tone::Note, "no memory is near it");
            Vec::new()
        }
        [(path, _)] => merge_into(model, &proposal, path),
        _ => {
            model.mode = Mode::Nearest(Box::new(Nearest { proposal, near, chosen: 0 }));
            Vec::new()
        }
    }
}

/// Enter: the memory was chosen.
pub(in crate::app::update) fn take_nearest(model: &mut Model) -> Vec<Effect> {
    let Mode::Nearest(nearest) = std::mem::replace(&mut model.mode, Mode::Browse) else { return Vec::new() };
    match nearest.near.get(nearest.chosen) {
        Some((path, _)) => merge_into(model, &nearest.proposal, path),
        None => Vec::new(),
    }
}

fn merge_into(model: &mut Model, proposal: &Proposal, path: &RelPath) -> Vec<Effect> {
    let Some(open) = model.open() else { return Vec::new() };
    match approve::into(&open.contents.snapshot, proposal, path) {
        Ok(made) => {
            let effects = enqueue(model, Act::Replace(Arc::new(made)));
            let [yes, edit, undo] = [Command::TakeIt, Command::EditItem, Command::Undo]
                .map(|command| model.keymap.label(command));
            let text =
                format!("it is a change of {path} now: {edit} adapts it, {yes} takes it, {undo} goes back");
            model.say(Tone::Note, text);
            effects
        }
        Err(refusal) => {
            model.say(Tone::Note, refusal.what);
            Vec::new()
        }
    }
}

/// `a`: all of this origin that need no look of their own.
pub(super) fn all_of_origin(model: &mut Model) {
    let Some((item, waits, open)) = current(model) else { return };
    let origin = item.origin.clone();
    if is_change(item) {
        let same: Vec<&Item> =
            waits.items.iter().filter(|one| is_change(one) && one.origin == origin).collect();
        let seen: Vec<Seen> = same.iter().filter_map(|one| super::seen(one, waits)).collect();
        let lines = same.iter().map(|one| line(open, one)).collect();
        let count = seen.len();
        ask(model, format!("Accept {}, {origin}?", counted(count, "change")), lines, Act::Accept(seen));
        return;
    }
    let is_same = |one: &&Item| one.proposal().is_some() && one.origin == origin;
    let mark = |one: &Item| open.inbox.gate_of(one).map_or(Mark::Fail, |gate| gate.mark);
    let (taken, left): (Vec<&Item>, Vec<&Item>) =
        waits.items.iter().filter(is_same).partition(|one| is_ready(one) && mark(one) < Mark::Fail);
    if taken.is_empty() {
        return model.say(Tone::Note, "each of this origin is to be looked at by itself");
    }
    let mut lines: Vec<String> = taken.iter().map(|one| line(open, one)).collect();
    lines.extend(left.iter().map(|one| format!("left waiting: {}", line(open, one))));
    let act = approve_all(&taken);
    ask(model, format!("Approve {} by {origin}?", counted(taken.len(), "proposal")), lines, act);
}

/// `A`: all that pass the gate.
pub(super) fn all_that_pass(model: &mut Model) {
    let Some(open) = model.open() else { return };
    let passing = passing(open);
    if passing.is_empty() {
        return model.say(Tone::Note, "no proposal passes the gate");
    }
    let lines = passing.iter().map(|one| line(open, one)).collect();
    let act = approve_all(&passing);
    ask(model, format!("Approve {}, all that pass?", counted(passing.len(), "proposal")), lines, act);
}

/// The proposals that pass the gate and are as they were made.
pub(in crate::app::update) fn passing(open: &Open) -> Vec<&Item> {
    let passes = |one: &&Item| {
        one.proposal().is_some()
            && is_ready(one)
            && !open.inbox.leaving.contains(&one.key)
            && open.inbox.gate_of(one).is_some_and(|gate| gate.passes())
    };
    open.inbox.waits.iter().flat_map(|waits| waits.items.iter()).filter(passes).collect()
}

/// Every change counts as reviewed.
pub(super) fn all_changes(model: &mut Model) {
    let Some(open) = model.open() else { return };
    let Some(waits) = &open.inbox.waits else { return };
    let all: Vec<&Item> = waits.items.iter().filter(|one| is_change(one)).collect();
    let seen: Vec<Seen> = all.iter().filter_map(|one| super::seen(one, waits)).collect();
    if seen.is_empty() {
        return model.say(Tone::Note, "nothing was changed by others since the last review");
    }
    let lines = all.iter().map(|one| line(open, one)).collect();
    let text = format!("Accept {}?", counted(seen.len(), "change"));
    ask(model, text, lines, Act::Accept(seen));
}

/// Starts the review anew.
pub(super) fn start(model: &mut Model, from_nothing: bool) {
    let (text, line) = match from_nothing {
        true => ("Review everything?", "Every memory is listed as a change until it is accepted."),
        false => ("Take the store as it is for reviewed?", "No change of before is listed any more."),
    };
    ask(model, text.into(), vec![line.into()], Act::Start { from_nothing });
}

/// `=`: what the next session would have or lack if the proposal were approved; nothing is written.
pub(super) fn if_approved(model: &mut Model) -> Vec<Effect> {
    let Some(subject) = preview::subject(model) else { return Vec::new() };
    let Some((item, _, open)) = current(model) else { return Vec::new() };
    let Some(proposal) = item.proposal() else {
        model.say(Tone::Note, "a change is in the store already: the next session gets it");
        return Vec::new();
    };
    match approve::approve(&open.contents.snapshot, &open.contents.parked, proposal, true) {
        Ok(Outcome::Ready(plan)) => {
            let asked = Asked { number: 0, subject, open: model.prompt.open.clone(), as_if: Vec::new() };
            return vec![Effect::Compare(asked, plan)];
        }
        Ok(_) => model.say(Tone::Note, "the store is so already"),
        Err(refusal) => model.say(Tone::Note, refusal.what),
    }
    Vec::new()
}

fn approve_all(items: &[&Item]) -> Act {
    Act::Approve(items.iter().filter_map(|one| Some((one.proposal()?.clone(), false))).collect())
}

fn line(open: &Open, item: &Item) -> String {
    let Some(waits) = &open.inbox.waits else { return item.title.clone() };
    let (word, says, _) = item.verdict(waits, open.inbox.gate_of(item).map(|gate| &**gate), &open.contents);
    let says = if says.is_empty() { says } else { format!(": {says}") };
    format!("{} {}  {word}{says}", item.sign, item.title)
}

fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// An act is on its way: what it is about leaves the list at once, so that the next key meets what the person sees.
pub(in crate::app::update) fn sent(model: &mut Model, act: &Act) {
    let Some(open) = model.open_mut() else { return };
    let back = match act {
        Act::Reject(ids) => Some(Act::TakeBack(ids.clone())),
        Act::TakeBack(ids) => Some(Act::Reject(ids.clone())),
        Act::Replace(new) => open.inbox.waits.iter().flat_map(|waits| &waits.items).find_map(|item| {
            item.proposal().filter(|old| old.id == new.id).map(|old| Act::Replace(old.clone()))
        }),
        _ => None,
    };
    open.inbox.leaving.extend(act.keys());
    open.inbox.split = None;
    if let Some(back) = back {
        open.inbox.backs.push(back);
        open.hushed.clear();
    }
}

/// It could not be done: what was to leave shows again.
pub(in crate::app::update) fn failed(model: &mut Model, act: &Act) {
    let Some(open) = model.open_mut() else { return };
    for key in act.keys() {
        open.inbox.leaving.remove(&key);
    }
}

/// `u`, when the last thing done is no step of the history.
pub(in crate::app::update) fn undo(model: &mut Model) -> Option<Vec<Effect>> {
    let desk = &mut model.open_mut()?.inbox;
    let back = desk.backs.pop()?;
    let before = desk.backs.clone();
    let effects = jobs::enqueue(model, Job::Inbox(Box::new(back)));
    // Taking back is not itself taken back by the same key: `u` goes on to what was done before.
    if let Some(open) = model.open_mut() {
        open.inbox.backs = before;
    }
    Some(effects)
}

/// The proposals for a prompt as if they were approved.
pub(in crate::app::update) fn as_if(open: &Open) -> Vec<Arc<Proposal>> {
    passing(open).into_iter().filter_map(Item::proposal).cloned().collect()
}

/// A proposal was edited: it gets these bytes, and waits on.
pub(in crate::app::update) fn edited(
    model: &mut Model,
    proposal: &Proposal,
    bytes: Arc<[u8]>,
) -> Vec<Effect> {
    let proposal = Proposal { bytes: Some(bytes), ..proposal.clone() };
    enqueue(model, Act::Replace(Arc::new(proposal)))
}

//! Taking a change in parts.

use super::{current, enqueue, seen};
use crate::app::action::Effect;
use crate::app::commands::Command;
use crate::app::inbox::{Act, Split, Standing, What};
use crate::app::model::{Model, Tone};
use crate::review::changes::Kind;
use crate::review::hunks;
use crate::review::proposal::{Action, Proposal};
use std::sync::Arc;

pub(super) fn command(model: &mut Model, command: Command) -> Vec<Effect> {
    match command {
        Command::Split => start(model),
        Command::ApplyParts => return apply(model),
        Command::LeaveParts => {
            if let Some(open) = model.open_mut() {
                open.inbox.split = None;
            }
            model.say(Tone::Note, "nothing was changed");
        }
        _ => {
            let Some(split) = model.open_mut().and_then(|open| open.inbox.split.as_mut()) else {
                return Vec::new();
            };
            match command {
                Command::TogglePart => {
                    if let Some(taken) = split.taken.get_mut(split.at) {
                        *taken = !*taken;
                    }
                }
                Command::NextPart => split.at = (split.at + 1).min(split.hunks.len().saturating_sub(1)),
                Command::PreviousPart => split.at = split.at.saturating_sub(1),
                _ => {}
            }
        }
    }
    Vec::new()
}

/// `s`: all parts are taken at first.
fn start(model: &mut Model) {
    let Some((item, waits, _)) = current(model) else { return };
    let can = match &item.what {
        What::Change(_) => waits.change(item).is_some_and(|change| change.kind == Kind::Changed),
        What::Proposal(proposal) => {
            proposal.action == Action::Change
                && matches!(item.standing, Standing::Ready | Standing::Merged(_))
        }
        What::Faulty(_) => false,
    };
    if !can {
        return model.say(Tone::Note, "only a changed memory can be taken in part");
    }
    let hunks = hunks::hunks(&item.old, &item.new);
    if hunks.len() < 2 {
        return model.say(Tone::Note, "it has one part only");
    }
    let split = Split { key: item.key.clone(), taken: vec![true; hunks.len()], hunks, at: 0 };
    let narrow = !model.layout.is_wide;
    if let Some(open) = model.open_mut() {
        open.inbox.split = Some(split);
        open.inbox.in_detail |= narrow;
    }
}

fn apply(model: &mut Model) -> Vec<Effect> {
    let Some((item, waits, open)) = current(model) else { return Vec::new() };
    let Some(split) = &open.inbox.split else { return Vec::new() };
    let taken: Vec<usize> = (0..split.hunks.len()).filter(|at| split.taken.get(*at) == Some(&true)).collect();
    let (all, none) = (taken.len() == split.hunks.len(), taken.is_empty());
    let act = match (item.proposal(), seen(item, waits)) {
        (Some(proposal), _) if none => Act::Reject(vec![proposal.id.clone()]),
        (Some(proposal), _) if all => Act::Approve(vec![(proposal.clone(), false)]),
        (Some(proposal), _) => {
            let bytes = hunks::apply(&item.old, &item.new, &split.hunks, |at| taken.contains(&at));
            Act::ApprovePart(Arc::new(Proposal { bytes: Some(bytes.into()), ..(**proposal).clone() }))
        }
        (None, Some(seen)) if none => Act::Restore(vec![seen]),
        (None, Some(seen)) if all => Act::Accept(vec![seen]),
        (None, Some(seen)) => Act::Take(Box::new(seen), taken),
        (None, None) => return Vec::new(),
    };
    enqueue(model, act)
}

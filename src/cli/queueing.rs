//! Proposals on their way into the queue: those that wait already, were rejected before, or are in the store, are not
//! queued again.

use crate::check::Settings;
use crate::cli::desk::{Desk, proposals};
use crate::cli::failure::Failure;
use crate::cli::pending::gate_json;
use crate::memory::Time;
use crate::review::approve::is_done;
use crate::review::gate::{Gate, Scene};
use crate::review::proposal::Proposal;
use serde_json::{Value, json};
use std::collections::HashMap;

/// What became of one proposal.
pub enum Fate {
    /// It waits now.
    Queued,
    /// The same waits already, as this one.
    Waits(String),
    /// It was rejected before: as which, when, and why.
    Rejected(String, Option<String>, Option<String>),
    /// The store holds it already.
    Present,
}

/// Puts proposals into the queue (unless `dry_run`), and says what became of each and what the gate says of it.
///
/// # Errors
/// When the queue can't be read or written; none of them is stored then.
pub fn queue(
    desk: &Desk,
    made: Vec<Proposal>,
    dry_run: bool,
    now: Time,
) -> Result<Vec<(Proposal, Fate, Gate)>, Failure> {
    let mut known: HashMap<String, Fate> =
        proposals(&desk.queue.list()?).iter().map(|one| (one.key(), Fate::Waits(one.id.clone()))).collect();
    for rejected in desk.queue.rejected()? {
        if let Some(key) = rejected.key {
            let when = rejected.time.map(|time| time.format("%Y-%m-%d").to_string());
            known.entry(key).or_insert(Fate::Rejected(rejected.what.id().to_owned(), when, rejected.reason));
        }
    }
    let mut fates = Vec::new();
    let mut fresh = Vec::new();
    for proposal in &made {
        let here = desk.snapshot.memories.iter().find(|memory| memory.path == proposal.target);
        let key = proposal.key();
        fates.push(match known.remove(&key) {
            Some(Fate::Rejected(id, when, why)) => {
                known.insert(key, Fate::Rejected(id.clone(), when.clone(), why.clone()));
                Fate::Rejected(id, when, why)
            }
            Some(Fate::Waits(id)) => {
                known.insert(key, Fate::Waits(id.clone()));
                Fate::Waits(id)
            }
            _ if is_done(here, proposal) && !desk.snapshot.is_hidden(&proposal.target) => Fate::Present,
            _ => {
                known.insert(key, Fate::Waits("another one of these".into()));
                fresh.push(proposal.clone());
                Fate::Queued
            }
        });
    }
    let stored = if dry_run { fresh } else { desk.queue.add(&fresh, now)? };
    let settings = Settings::default();
    let scene = Scene::new(&desk.snapshot, &settings, None, now);
    let mut stored = stored.into_iter();
    let row = |(made, fate): (Proposal, Fate)| {
        let one = if matches!(fate, Fate::Queued) { stored.next().unwrap_or(made) } else { made };
        let gate = scene.gate(&one);
        (one, fate, gate)
    };
    Ok(made.into_iter().zip(fates).map(row).collect())
}

impl Fate {
    /// In words, raw.
    pub fn words(&self, one: &Proposal, gate: &Gate, dry_run: bool) -> String {
        let what = format!("{} {}", one.action.as_str(), one.target);
        match self {
            Self::Queued if dry_run => format!("would wait: {what} ({})", gate.mark.as_str()),
            Self::Queued => format!("waits: {what} ({}) {}", gate.mark.as_str(), one.id),
            Self::Waits(id) => format!("waits already: {what} ({id})"),
            Self::Present => format!("in the store already: {what}"),
            Self::Rejected(id, when, why) => {
                let when = when.as_ref().map(|when| format!(" on {when}")).unwrap_or_default();
                let why = why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
                format!("rejected before{when}, so it does not wait: {what} ({id}){why}")
            }
        }
    }

    /// As JSON.
    pub fn object(&self, one: &Proposal, gate: &Gate) -> Value {
        let (result, id, reason) = match self {
            Self::Queued => ("queued", Some(&one.id).filter(|id| !id.is_empty()), None),
            Self::Waits(id) => ("waiting", Some(id), None),
            Self::Present => ("present", None, None),
            Self::Rejected(id, _, why) => ("rejected", Some(id), why.as_ref()),
        };
        json!({
            "result": result,
            "id": id,
            "action": one.action.as_str(),
            "target": one.target.to_str_lossy(),
            "title": one.title(),
            "rejected_because": reason,
            "gate": gate_json(gate),
        })
    }
}

//! `memcurator propose`: takes proposals from standard input into the queue.

use crate::check::Settings;
use crate::cli::args::inbox::Propose;
use crate::cli::change::text;
use crate::cli::context::Context;
use crate::cli::desk::{Desk, proposals};
use crate::cli::failure::{Failure, Status};
use crate::cli::pending::gate_json;
use crate::review::approve::is_done;
use crate::review::gate::{Gate, Scene};
use crate::review::proposal::intake::Intake;
use crate::review::proposal::{Origin, Proposal};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;

/// What became of one proposal.
enum Fate {
    /// It waits now.
    Queued,
    /// The same waits already, as this one.
    Waits(String),
    /// It was rejected before: as which, when, and why.
    Rejected(String, Option<String>, Option<String>),
    /// The store holds it already.
    Present,
}

/// Stores proposals.
///
/// # Errors
/// When one of them is wrong (then none is stored), or the queue can't be written.
pub fn run(cx: &mut Context<'_>, asked: &Propose) -> Result<Status, Failure> {
    let input = text(Path::new("-"))?;
    let desk = Desk::new(cx, false)?;
    let origin = Origin {
        kind: asked.origin.clone(),
        session: asked.session.clone(),
        branch: asked.branch.clone(),
        by: asked.by.clone(),
    };
    let waiting = proposals(&desk.queue.list()?);
    let made = Intake::new(&desk.snapshot, &waiting, &origin, cx.now()).read(&input)?;
    let mut known: HashMap<String, Fate> =
        waiting.iter().map(|one| (one.key(), Fate::Waits(one.id.clone()))).collect();
    for rejected in desk.queue.rejected()? {
        if let Some(one) = rejected.what.proposal() {
            let when = rejected.time.map(|time| time.format("%Y-%m-%d").to_string());
            known.entry(one.key()).or_insert(Fate::Rejected(one.id.clone(), when, rejected.reason));
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
            _ if is_done(here, proposal) => Fate::Present,
            _ => {
                known.insert(key, Fate::Waits("another one of these".into()));
                fresh.push(proposal.clone());
                Fate::Queued
            }
        });
    }
    let stored = if asked.dry_run { fresh } else { desk.queue.add(&fresh, cx.now())? };
    let settings = Settings::default();
    let scene = Scene::new(&desk.snapshot, &settings, None, cx.now());
    let mut stored = stored.into_iter();
    let rows: Vec<(Proposal, Fate, Gate)> = made
        .into_iter()
        .zip(fates)
        .map(|(made, fate)| {
            let one = if matches!(fate, Fate::Queued) { stored.next().unwrap_or(made) } else { made };
            let gate = scene.gate(&one);
            (one, fate, gate)
        })
        .collect();
    if !cx.json(|| rows.iter().map(|(one, fate, gate)| object(one, fate, gate)).collect())? {
        for (one, fate, gate) in &rows {
            cx.out.line(&words(one, fate, gate, asked.dry_run))?;
        }
        if !asked.dry_run && rows.iter().any(|(_, fate, _)| matches!(fate, Fate::Queued)) {
            let command = cx.command("pending list");
            cx.out.line(&format!("nothing of it is in the store before it is approved: {command}"))?;
        }
    }
    let is_refused = rows.iter().any(|(_, fate, _)| matches!(fate, Fate::Rejected(..)));
    Ok(if is_refused { Status::Findings } else { Status::Fine })
}

fn words(one: &Proposal, fate: &Fate, gate: &Gate, dry_run: bool) -> String {
    let what = format!("{} {}", one.action.as_str(), one.target);
    match fate {
        Fate::Queued if dry_run => format!("would wait: {what} ({})", gate.mark.as_str()),
        Fate::Queued => format!("waits: {what} ({}) {}", gate.mark.as_str(), one.id),
        Fate::Waits(id) => format!("waits already: {what} ({id})"),
        Fate::Present => format!("in the store already: {what}"),
        Fate::Rejected(id, when, why) => {
            let when = when.as_ref().map(|when| format!(" on {when}")).unwrap_or_default();
            let why = why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
            format!("rejected before{when}, so it does not wait: {what} ({id}){why}")
        }
    }
}

fn object(one: &Proposal, fate: &Fate, gate: &Gate) -> Value {
    let (result, id, reason) = match fate {
        Fate::Queued => ("queued", Some(&one.id).filter(|id| !id.is_empty()), None),
        Fate::Waits(id) => ("waiting", Some(id), None),
        Fate::Present => ("present", None, None),
        Fate::Rejected(id, _, why) => ("rejected", Some(id), why.as_ref()),
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

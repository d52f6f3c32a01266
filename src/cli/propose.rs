//! `memcurator propose`: takes proposals from standard input into the queue.

use crate::cli::args::inbox::Propose;
use crate::cli::change::text;
use crate::cli::context::Context;
use crate::cli::desk::{Desk, proposals};
use crate::cli::failure::{Failure, Status};
use crate::cli::queueing::{self, Fate};
use crate::review::proposal::Origin;
use crate::review::proposal::intake::Intake;
use std::path::Path;

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
    let rows = queueing::queue(&desk, made, asked.dry_run, cx.now())?;
    if !cx.json(|| rows.iter().map(|(one, fate, gate)| fate.object(one, gate)).collect())? {
        for (one, fate, gate) in &rows {
            cx.out.line(&fate.words(one, gate, asked.dry_run))?;
        }
        if !asked.dry_run && rows.iter().any(|(_, fate, _)| matches!(fate, Fate::Queued)) {
            let command = cx.command("pending list");
            cx.out.line(&format!("nothing of it is in the store before it is approved: {command}"))?;
        }
    }
    let is_refused = rows.iter().any(|(_, fate, _)| matches!(fate, Fate::Rejected(..)));
    Ok(if is_refused { Status::Findings } else { Status::Fine })
}

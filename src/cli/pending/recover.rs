//! `memcurator pending recover`: memory writes that transcripts show as refused become proposals.

use crate::cli::args::transcripts::Recover;
use crate::cli::context::Context;
use crate::cli::desk::Desk;
use crate::cli::failure::{Failure, Status};
use crate::cli::queueing::{self, Fate};
use crate::cli::transcripts::named;
use crate::client::transcript::{Transcript, Transcripts};
use crate::shell::recovering;
use serde_json::{Value, json};

/// Queues what is found.
///
/// # Errors
/// When the store or a transcript that was named can't be read, or the queue can't be written.
pub fn run(cx: &mut Context<'_>, asked: &Recover) -> Result<Status, Failure> {
    let desk = Desk::new(cx, false)?;
    let project = cx.common.project.as_deref();
    let transcripts: Vec<Transcript> = match &asked.transcript {
        Some(file) => vec![named(cx, file)?],
        None => Transcripts::of(&cx.env, &cx.launch, project, &desk.dir).all(asked.since),
    };
    let given = cx.common.store.as_ref().map(|dir| cx.env.cwd.join(dir));
    let given = given.or_else(|| cx.located().ok().map(|found| found.dir));
    let dirs = (&*desk.dir, given.as_deref());
    let mut found = recovering::find(&cx.places, dirs, &desk.snapshot, &transcripts, cx.now());
    for note in &found.notes {
        crate::cli::say("note", note);
    }
    let made = std::mem::take(&mut found.proposals);
    let mut rows = queueing::queue(&desk, made, asked.dry_run, cx.now())?;
    if !asked.dry_run {
        recovering::remember(&cx.places, &desk.dir, &found)?;
    }
    // What is known already needs no word, or each run would say the same again.
    rows.retain(|(_, fate, _)| matches!(fate, Fate::Queued));
    let lost = &found.lost;
    let whole = || {
        let proposals: Vec<Value> = rows.iter().map(|(one, fate, gate)| fate.object(one, gate)).collect();
        let lost: Vec<Value> = lost
            .iter()
            .map(|one| json!({ "file": one.path.to_str_lossy(), "why": one.why, "session": one.stamp.session, "tool_use_id": one.id }))
            .collect();
        json!({ "proposals": proposals, "lost": lost, "transcripts": transcripts.len() })
    };
    if !cx.json(whole)? {
        for (one, fate, gate) in &rows {
            cx.out.line(&fate.words(one, gate, asked.dry_run))?;
        }
        for one in lost {
            let session = one.stamp.session.as_deref().unwrap_or("unknown");
            cx.out.line(&format!("can't be recovered: {} (session {session}): {}", one.path, one.why))?;
        }
        if rows.is_empty() {
            let count = transcripts.len();
            cx.out.line(&format!(
                "nothing to recover in {count} {}",
                if count == 1 { "transcript" } else { "transcripts" }
            ))?;
        }
    }
    Ok(Status::Fine)
}

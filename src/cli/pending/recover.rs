//! `memcurator pending recover`: memory writes that transcripts show as refused become proposals.

use crate::cli::args::transcripts::Recover;
use crate::cli::context::Context;
use crate::cli::desk::Desk;
use crate::cli::failure::{Failure, Status};
use crate::cli::queueing::{self, Fate};
use crate::cli::transcripts::named;
use crate::client::transcript::recover::Recovered;
use crate::client::transcript::{Transcript, Transcripts, refused};
use crate::client::writes::Roots;
use crate::memory::path::RelPath;
use crate::review::proposal::{self, Action, Origin, Proposal, sha256};
use crate::store::Seen;
use serde_json::{Value, json};
use std::sync::Arc;

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
    let roots = Roots::new(
        [Some(desk.dir.clone()), given, cx.located().ok().map(|found| found.dir)].into_iter().flatten(),
    );
    let current = |path: &RelPath| -> Option<Arc<[u8]>> {
        if path.is_index() {
            return desk.snapshot.index.as_ref().map(|file| Arc::clone(&file.bytes));
        }
        let found = desk.snapshot.memories.iter().find(|memory| memory.path == *path);
        found.map(|memory| Arc::clone(&memory.bytes))
    };
    let found = refused::read(&transcripts, &roots, &current);
    for note in &found.notes {
        crate::cli::say("note", note);
    }
    let seen = Seen::of(&cx.places, &desk.dir);
    let known = seen.ids();
    let mut fresh = found.recovery.found;
    fresh.retain(|one| one.ids.iter().any(|id| !known.contains(id)));
    let made = fresh.iter().filter_map(|one| proposal_of(one, cx.now())).collect();
    let mut rows = queueing::queue(&desk, made, asked.dry_run, cx.now())?;
    if !asked.dry_run {
        seen.add(fresh.iter().flat_map(|one| one.ids.iter().map(String::as_str)))?;
    }
    // What is known already needs no word, or each run would say the same again.
    rows.retain(|(_, fate, _)| matches!(fate, Fate::Queued));
    let lost: Vec<_> = found.recovery.lost.iter().filter(|one| !known.contains(&one.id)).collect();
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
        for one in &lost {
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

/// A recovered memory as a proposal; `None` for a path that can't be proposed.
fn proposal_of(one: &Recovered, now: crate::memory::Time) -> Option<Proposal> {
    let target = proposal::target(&one.target.to_str_lossy()).ok()?;
    let base = one.before.as_ref().map(|bytes| sha256(bytes));
    let stamp = &one.stamp;
    Some(Proposal {
        id: String::new(),
        action: if base.is_some() { Action::Change } else { Action::Add },
        target,
        base,
        origin: Origin {
            kind: "recover".into(),
            session: stamp.session.clone(),
            branch: stamp.branch.clone(),
            by: None,
        },
        time: Some(stamp.time.unwrap_or(now)),
        reason: Some("the session's transcript shows that this was refused".into()),
        index_line: one.index_line.clone(),
        bytes: Some(one.content.as_bytes().into()),
        notes: Vec::new(),
    })
}

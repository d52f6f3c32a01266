//! `memcurator hook ended`: a session ended; an extraction of it goes on without the client.

use crate::cli::args::hook::Ended;
use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::client::model::MARK;
use serde::Deserialize;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The most that is read of what the client tells, in bytes; it is a few short lines.
const MAX_INPUT: u64 = 1 << 20;

/// What the client tells of a session that ended: of the keys that CLIENT_FACTS D6 has for calls of tools, those that are
/// needed. That the end has the same was not measured. Keys that nobody knows do no harm.
#[derive(Debug, Deserialize)]
struct Session {
    transcript_path: PathBuf,
    cwd: PathBuf,
}

/// Starts the extraction and does not wait for it; where nothing can be started, nothing is. It never fails: the client
/// would show it to the person at the end of each session.
///
/// # Errors
/// None.
pub fn run(cx: &Context<'_>, asked: &Ended) -> Result<Status, Failure> {
    // A session of the model command itself: there is no end otherwise.
    if cx.env.var(MARK).is_none()
        && let Some(session) = session()
    {
        // What goes wrong from here on stands in the log of the extractions.
        let _ = start(cx, asked, &session);
    }
    Ok(Status::Fine)
}

fn session() -> Option<Session> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(MAX_INPUT).read_to_end(&mut bytes).ok()?;
    let session: Session = serde_json::from_slice(&bytes).ok()?;
    let is_whole = session.cwd.is_absolute() && session.transcript_path.is_absolute();
    (is_whole && session.transcript_path.is_file()).then_some(session)
}

fn start(cx: &Context<'_>, asked: &Ended, session: &Session) -> io::Result<()> {
    // The directory that the session began in; it may have gone elsewhere.
    let began = cx.env.var("CLAUDE_PROJECT_DIR").map(PathBuf::from).filter(|dir| dir.is_absolute());
    let project = began.unwrap_or_else(|| session.cwd.clone());
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["extract", "--background", "--transcript"]).arg(&session.transcript_path);
    command.arg("--project").arg(project);
    if let Some(config) = &cx.common.config {
        command.arg("--config").arg(cx.env.cwd.join(config));
    }
    // The session's environment may be another than the one that the hook was installed in.
    if let Some(base) = asked.state.as_deref().filter(|state| state.ends_with("memcurator")) {
        command.env("XDG_STATE_HOME", base.parent().unwrap_or(base));
    }
    // In a group of its own: whoever ends the hook's does not end it.
    command.process_group(0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop)
}

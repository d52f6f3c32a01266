//! Extraction without a terminal, as at a session's end: it goes on after the command has ended, one at a time, and tells
//! what came of it in a log.

use crate::cli::args::transcripts::Extract;
use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::client::extract::consent;
use chrono::SecondsFormat;
use rustix::fs::{FlockOperation, flock};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The log in the state directory.
const LOG: &str = "extract.log";
/// A log that is longer begins anew; the old one stays beside it, once. In bytes.
const MAX_LOG: u64 = 1 << 20;
/// How long one waits for another to end.
const PATIENCE: Duration = Duration::from_mins(30);
/// By how much it gives way to other programs.
const NICE: i32 = 10;

/// Starts this program anew, without a terminal, and does not wait for it.
///
/// # Errors
/// When it can't be started, or the log can't be written.
pub fn start(cx: &Context<'_>, asked: &Extract, transcript: &Path) -> Result<Status, Failure> {
    let begun = || -> io::Result<()> {
        let log = log(&cx.places.state)?;
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["extract", "--detached", "--transcript"]).arg(cx.env.cwd.join(transcript));
        if asked.yes {
            command.arg("--yes");
        }
        let options = [
            ("--store", &cx.common.store),
            ("--project", &cx.common.project),
            ("--config", &cx.common.config),
        ];
        for (option, path) in options {
            if let Some(path) = path {
                command.arg(option).arg(cx.env.cwd.join(path));
            }
        }
        let errors = log.try_clone()?;
        command.stdin(Stdio::null()).stdout(log).stderr(errors).spawn()?;
        Ok(())
    };
    begun().map(|()| Status::Fine).map_err(|error| {
        let what = format!("the extraction can't be started in the background: {error}; nothing was sent");
        Failure::broken(what, "run it without --background")
    })
}

/// Leaves the terminal, gives way to others, and waits until no other extraction runs. The lock holds as long as the file
/// is open.
///
/// # Errors
/// When the lock can't be had.
pub fn settle(cx: &Context<'_>) -> Result<File, Failure> {
    // One that leads a session already has no terminal to leave.
    let _ = rustix::process::setsid();
    let _ = rustix::process::nice(NICE);
    let say = |what: &str| {
        let time = cx.now().to_rfc3339_opts(SecondsFormat::Secs, true);
        let _ = writeln!(io::stdout(), "{time} {what}");
    };
    say("extraction");
    let path = cx.places.state.join("extract.lock");
    let open = || -> io::Result<File> {
        consent::private_dir(&cx.places.state)?;
        OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(&path)
    };
    let broken = |error: io::Error| {
        Failure::broken(format!("{} can't be locked: {error}; nothing was sent", path.display()), "")
    };
    let file = open().map_err(broken)?;
    let began = Instant::now();
    loop {
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(file),
            Err(rustix::io::Errno::WOULDBLOCK) if began.elapsed() < PATIENCE => {
                thread::sleep(Duration::from_millis(200));
            }
            Err(rustix::io::Errno::WOULDBLOCK) => {
                return Err(Failure::refused("another extraction does not end; nothing was sent", ""));
            }
            Err(error) => return Err(broken(error.into())),
        }
    }
}

fn log(state: &Path) -> io::Result<File> {
    consent::private_dir(state)?;
    let path = state.join(LOG);
    if path.metadata().is_ok_and(|meta| meta.len() > MAX_LOG) {
        std::fs::rename(&path, state.join(format!("{LOG}.old")))?;
    }
    OpenOptions::new().create(true).append(true).mode(0o600).open(path)
}

//! `memcurator learn`: learns the installed client's words, and what commands about the client share.

use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::client::learn::{self, Client};
use crate::client::program::{self, Program};
use crate::client::run::{Job, LIMIT};
use crate::client::sandbox::{self, Sandbox};
use crate::client::trouble::Trouble;
use crate::client::{kept, surroundings};
use crate::config::Config;
use crate::prompt::session::Said;
use crate::prompt::words::Slot;
use crate::prompt::words::learn::Learned;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What `learn` and `preview --prove` are asked about the run.
#[derive(Debug, Clone, Default, Args)]
pub struct RunArgs {
    /// How long each session of the client may take, in seconds.
    #[arg(long, hide = true, value_name = "SECONDS")]
    pub limit: Option<u64>,
    /// Run it without namespaces, as on systems that have none.
    #[arg(long, hide = true)]
    pub unsealed: bool,
}

/// A session to run inside of the sandbox.
#[derive(Debug, Args)]
pub struct InsideArgs {
    /// What to run.
    pub job: PathBuf,
    /// Where to write what came of it.
    pub answer: PathBuf,
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Self {
        Self::broken(trouble.to_string(), trouble.hint())
    }
}

impl RunArgs {
    /// How long a session may take.
    pub(super) fn limit(&self) -> Duration {
        self.limit.map_or(LIMIT, Duration::from_secs)
    }

    /// Where the client runs.
    pub(super) fn sandbox(&self) -> Sandbox {
        if self.unsealed { Sandbox::none() } else { Sandbox::best(std::env::current_exe().ok()) }
    }
}

/// The installed client.
///
/// # Errors
/// When there is none, or the configuration can't be read.
pub(super) fn installed(cx: &Context<'_>) -> Result<Program, Failure> {
    let config = Config::load(cx.common.config.as_deref(), &cx.places.config)?;
    Ok(program::find(config.client.as_deref(), &cx.env)?)
}

/// What is known of the installed client's words, and its version. Nothing is an error here: the preview goes without.
pub(super) fn known(cx: &Context<'_>) -> (Option<String>, Said) {
    let date = surroundings::day(cx.now());
    let Ok(program) = installed(cx) else { return (None, Said { words: None, date }) };
    let words = kept::read(&cx.places.cache, &program);
    let version = words.as_ref().map(|words| words.version.clone()).or_else(|| program.version_on_disk());
    let version = version.or_else(|| program.version(&cx.env, &AtomicBool::new(false)).ok());
    (version, Said { words: words.map(Arc::new), date })
}

/// A flag that Ctrl-C and its like set, so that what runs ends and nothing is left behind.
pub(super) fn interrupts() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP] {
        // Without it the signal ends the program at once, as it always does.
        let _ = signal_hook::flag::register(signal, flag.clone());
    }
    flag
}

/// Learns and keeps what was learned; gives it with where it is kept and how long it took.
///
/// # Errors
/// When a session comes to nothing or it can't be kept.
pub(super) fn learned(
    cx: &Context<'_>,
    client: &Client<'_>,
) -> Result<(Learned, PathBuf, Duration), Failure> {
    let started = Instant::now();
    // The client knows the true time only.
    let learned = learn::learn(client, chrono::Utc::now(), &|_, _| {})?;
    let kept = kept::write(&cx.places.cache, client.program, &learned.words)?;
    Ok((learned, kept, started.elapsed()))
}

/// Runs the command.
///
/// # Errors
/// When there is no client, a session comes to nothing, or it can't be kept.
pub fn run(cx: &mut Context<'_>, args: &RunArgs) -> Result<Status, Failure> {
    let program = installed(cx)?;
    let cancel = interrupts();
    let version = program.version(&cx.env, &cancel)?;
    let sandbox = args.sandbox();
    let client = Client {
        program: &program,
        version: &version,
        env: &cx.env,
        sandbox: &sandbox,
        limit: args.limit(),
        cancel: &cancel,
    };
    let (learned, kept, took) = learned(cx, &client)?;
    let why = |slot: Slot, why: &str| match slot {
        Slot::Managed => "a throw-away home shows no managed instructions".to_owned(),
        _ => why.to_owned(),
    };
    let missed: Vec<(Slot, String)> =
        learned.missed.iter().map(|(slot, missed)| (*slot, why(*slot, missed.describe()))).collect();
    let is_json = cx.json(|| {
        json!({
            "client": { "path": program.path.to_string_lossy(), "version": version },
            "learned": learned.words.slots.keys().map(|slot| slot.as_str()).collect::<Vec<_>>(),
            "unknown": missed.iter().map(|(slot, why)| json!({ "slot": slot.as_str(), "why": why })).collect::<Vec<_>>(),
            "kept": kept.to_string_lossy(),
            "sealed": sandbox.is_sealed(),
            "seconds": (took.as_secs_f64() * 10.0).round() / 10.0,
        })
    })?;
    if !is_json {
        cx.out.line(&format!(
            "client {version} ({}): {} texts learned in {:.1} s",
            program.path.display(),
            learned.words.slots.len(),
            took.as_secs_f64()
        ))?;
        for (slot, why) in &missed {
            cx.out.line(&format!("not known: {}: {why}", slot.as_str()))?;
        }
        cx.out.line(&format!("it ran {}", sandbox.describe()))?;
        cx.out.line(&format!("kept in {}", kept.display()))?;
    }
    let all = missed.iter().all(|(slot, _)| *slot == Slot::Managed);
    Ok(if all { Status::Fine } else { Status::Findings })
}

/// Runs one session inside of the sandbox.
///
/// # Errors
/// When the job can't be read or what came of it can't be written.
pub fn inside(args: &InsideArgs) -> Result<Status, Failure> {
    let broken = |what: String| Failure::broken(what, "this command is for memcurator itself");
    let job = std::fs::read(&args.job).map_err(|error| broken(error.to_string()))?;
    let job: Job = serde_json::from_slice(&job).map_err(|error| broken(error.to_string()))?;
    sandbox::loopback_on().map_err(|error| broken(format!("the loopback interface: {error}")))?;
    let recorded = job.run_here(&AtomicBool::new(false))?;
    let text = serde_json::to_vec(&recorded).map_err(|error| broken(error.to_string()))?;
    std::fs::write(&args.answer, text).map_err(|error| broken(error.to_string()))?;
    Ok(Status::Fine)
}

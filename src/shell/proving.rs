//! The worker that learns and proves: it runs the installed client, can be called off, and ends with the program.

use crate::app::action::{Asked, Outcome};
use crate::app::model::Problem;
use crate::app::preview::report::Kind;
use crate::client::learn::{Client, learn};
use crate::client::program::{self, Program};
use crate::client::prove::{Proof, managed, prove};
use crate::client::run::LIMIT;
use crate::client::sandbox::Sandbox;
use crate::client::trouble::Trouble;
use crate::client::{kept, surroundings};
use crate::memory::Time;
use crate::prompt::port::Environment;
use crate::prompt::session::Said;
use crate::prompt::subject::{Subject, Usual};
use crate::shell::Clock;
use crate::shell::worker::{Report, guarded, spawn, tell};
use chrono::Utc;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

/// How the installed client is found, and where its words are kept.
#[derive(Debug, Clone)]
pub(super) struct Installed {
    /// `client = PATH` of the configuration.
    pub(super) configured: Option<PathBuf>,
    /// This program.
    pub(super) helper: Option<PathBuf>,
    /// memcurator's cache.
    pub(super) cache: PathBuf,
    /// The person's environment.
    pub(super) env: Environment,
}

impl Installed {
    /// The client, when there is one.
    fn program(&self) -> Result<Program, Trouble> {
        program::find(self.configured.as_deref(), &self.env)
    }

    /// How sessions are started with it: its version and its words as far as they are known; and its version once more
    /// when its words are not.
    pub(super) fn usual(&self, usual: &Usual, now: Time) -> (Usual, Option<String>) {
        let mut usual = usual.clone();
        usual.said = Said { words: None, date: surroundings::day(now) };
        let Ok(program) = self.program() else { return (usual, None) };
        let words = kept::read(&self.cache, &program).map(Arc::new);
        let known = words.as_ref().map(|words| words.version.clone()).or_else(|| program.version_on_disk());
        let version = known.or_else(|| program.version(&self.env, &AtomicBool::new(false)).ok());
        let offer = version.clone().filter(|_| words.is_none());
        usual.version = usual.version.or(version);
        usual.said.words = words;
        (usual, offer)
    }
}

/// What proves.
pub(super) struct Prover {
    /// The client.
    pub(super) installed: Installed,
    /// How sessions are started on this machine.
    pub(super) usual: Usual,
    /// Where the time comes from.
    pub(super) clock: Clock,
    /// Where outcomes go.
    pub(super) reports: Sender<Report>,
    /// Calls the run off.
    pub(super) cancel: Arc<AtomicBool>,
}

impl Prover {
    /// Starts a proof on a thread of its own; `false`: it could not be started.
    pub(super) fn start(&self, asked: Asked) -> bool {
        self.cancel.store(false, Ordering::SeqCst);
        let (installed, usual, clock) = (self.installed.clone(), self.usual.clone(), self.clock);
        let (reports, cancel) = (self.reports.clone(), self.cancel.clone());
        let work = move || {
            let done = guarded(|| run(&installed, &usual, clock, &asked, &cancel));
            let done = done.and_then(|done| {
                done.map_err(|trouble| Problem { what: trouble.to_string(), hint: trouble.hint().into() })
            });
            tell(&reports, Outcome::Proved(done.and_then(|lines| lines)), true);
        };
        spawn("prove", work).is_ok()
    }
}

impl Drop for Prover {
    /// A run does not outlive the screens: it is called off, and sees that within moments.
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::SeqCst);
        // Shared with the thread that runs: alone again means that it is done, and its temporary files are gone.
        for _ in 0..200 {
            if Arc::strong_count(&self.cancel) == 1 {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
}

fn run(
    installed: &Installed,
    usual: &Usual,
    clock: Clock,
    asked: &Asked,
    cancel: &AtomicBool,
) -> Result<Result<Vec<(Kind, String)>, Problem>, Trouble> {
    let Subject::Client(cwd) = &asked.subject else {
        return Ok(Err(Problem {
            what: "only a session of the client can be proved; this prompt is none".into(),
            hint: "open the store of a project".into(),
        }));
    };
    let program = installed.program()?;
    let version = program.version(&installed.env, cancel)?;
    let directory = surroundings::managed_settings().parent().map(Path::to_path_buf).unwrap_or_default();
    if !managed::look(&directory).is_empty() {
        return Ok(Err(Problem {
            what: format!(
                "{}: managed settings would hold for the run; nothing was run",
                directory.display()
            ),
            hint: "memcurator preview --prove shows what they set, and asks".into(),
        }));
    }
    let sandbox = Sandbox::best(installed.helper.clone().or_else(|| std::env::current_exe().ok()));
    let client = Client {
        program: &program,
        version: &version,
        env: &installed.env,
        sandbox: &sandbox,
        limit: LIMIT,
        cancel,
    };
    let words = match kept::read(&installed.cache, &program).filter(|words| words.version == version) {
        Some(words) => words,
        None => {
            let learned = learn(&client, Utc::now(), &|_, _| {})?;
            kept::write(&installed.cache, &program, &learned.words)?;
            learned.words
        }
    };
    let usual = Usual { version: Some(version.clone()), ..usual.clone() };
    let now = clock.now();
    let open: Vec<PathBuf> = asked.open.iter().map(|path| cwd.join(path)).collect();
    let env = Environment { cwd: cwd.clone(), ..installed.env.clone() };
    let proof = prove(&client, &Arc::new(words), &env, &usual.request(&open, now), now)?;
    Ok(Ok(told(&proof, &sandbox)))
}

/// The proof, line by line.
fn told(proof: &Proof, sandbox: &Sandbox) -> Vec<(Kind, String)> {
    proof
        .told(sandbox.describe(), Utc::now())
        .into_iter()
        .map(|line| {
            let kind = match line.trim_start().split(' ').next() {
                Some("preview" | "here") => Kind::Removed,
                Some("client" | "mirror") => Kind::Added,
                _ => Kind::Said,
            };
            (kind, line)
        })
        .collect()
}

//! One session of the client in print mode: its environment is empty but for what is given, its requests go to a server of
//! ours, it has a time limit, and no process of it is left behind.

use crate::client::loopback::{self, Loopback};
use crate::client::sandbox::Sandbox;
use crate::client::trouble::{Trouble, disk};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a session may take.
pub const LIMIT: Duration = Duration::from_secs(60);
/// How often it is looked whether the client has ended.
const STEP: Duration = Duration::from_millis(10);

/// Where a system keeps its programs.
pub(super) const SYSTEM_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// One session to run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Job {
    /// The client.
    pub program: PathBuf,
    /// Its arguments behind `-p PROMPT`.
    pub args: Vec<String>,
    /// Its whole environment besides what [`Job::run`] adds: address, key, switches.
    pub env: Vec<(String, String)>,
    /// Where it starts.
    pub cwd: PathBuf,
    /// The files that it is told to read, one a turn.
    pub reads: Vec<PathBuf>,
    /// The tools that it is told to call after that, by name and input; those of a turn together. Their ids are
    /// `call_TURN_NUMBER`, from 0.
    #[serde(default)]
    pub calls: Vec<Vec<(String, Json)>>,
    /// How long it may take.
    pub limit: Duration,
}

/// What a session of the client sent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Recorded {
    /// The requests of the conversation, in order.
    pub requests: Vec<Json>,
    /// The first request that could not be read, in words.
    pub rubbish: Option<String>,
    /// How it ended.
    pub end: End,
    /// The end of what it said on standard error.
    pub stderr: String,
    /// How long it took.
    pub took: Duration,
}

/// How a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// By itself, with this status (none: by a signal).
    Left(Option<i32>),
    /// It took too long.
    TimedOut,
    /// It was called off.
    Cancelled,
}

impl Recorded {
    /// What it sent, when that is something to go by.
    ///
    /// # Errors
    /// When the session came to nothing: why.
    pub fn checked(self, limit: Duration) -> Result<Self, Trouble> {
        match self.end {
            End::Cancelled => return Err(Trouble::Cancelled),
            End::TimedOut => return Err(Trouble::TimedOut(limit.as_secs())),
            End::Left(_) => {}
        }
        if let Some(why) = self.rubbish {
            return Err(Trouble::Rubbish(why));
        }
        if self.requests.is_empty() {
            let status = match self.end {
                End::Left(Some(status)) => format!("status {status}"),
                _ => "by a signal".into(),
            };
            let said = self.stderr.trim();
            let said = if said.is_empty() { String::new() } else { format!("; it said: {said}") };
            return Err(Trouble::NoRequest(status, said));
        }
        Ok(self)
    }
}

impl Job {
    /// Runs the session, cut off from the network where the sandbox can do that.
    ///
    /// # Errors
    /// When it could not be started, or the disk does not work.
    pub fn run(&self, sandbox: &Sandbox, cancel: &AtomicBool) -> Result<Recorded, Trouble> {
        let Some(mut command) = sandbox.command() else { return self.run_here(cancel) };
        let dir = tempfile::Builder::new()
            .prefix("memcurator-run-")
            .tempdir()
            .map_err(disk(std::env::temp_dir()))?;
        let (task, answer) = (dir.path().join("job.json"), dir.path().join("answer.json"));
        let text = serde_json::to_vec(self).map_err(|error| Trouble::Disk(task.clone(), error.into()))?;
        std::fs::write(&task, text).map_err(disk(&task))?;
        command.arg(&task).arg(&answer).stdout(Stdio::null());
        if let Some(dir) = std::env::var_os("TMPDIR") {
            command.env("TMPDIR", dir);
        }
        // The helper has the limit too; this one is for a helper that hangs.
        let outer = watched(&mut command, self.limit + Duration::from_secs(5), cancel, || false)
            .map_err(|error| Trouble::NotStarted(PathBuf::from("unshare"), error))?;
        match std::fs::read(&answer) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| Trouble::Disk(answer, error.into())),
            Err(_) if outer.end != End::Left(Some(0)) && !matches!(outer.end, End::Left(_)) => {
                Ok(Recorded { requests: Vec::new(), rubbish: None, ..outer })
            }
            Err(error) => {
                let said = outer.stderr.trim();
                let what = if said.is_empty() { error.to_string() } else { said.to_owned() };
                Err(Trouble::NotStarted(self.program.clone(), std::io::Error::other(what)))
            }
        }
    }

    /// The calls of tools that it is told to make, turn by turn.
    fn turns(&self) -> Vec<Vec<Json>> {
        let read = |(turn, file)| {
            vec![loopback::tool_use(&loopback::call(turn), "Read", &serde_json::json!({ "file_path": file }))]
        };
        let calls = self.calls.iter().enumerate().map(|(turn, calls)| {
            let one = |(at, (name, input)): (usize, &(String, Json))| {
                loopback::tool_use(&format!("call_{turn}_{at}"), name, input)
            };
            calls.iter().enumerate().map(one).collect()
        });
        self.reads.iter().enumerate().map(read).chain(calls).collect()
    }

    /// Runs the session with the network that there is.
    ///
    /// # Errors
    /// When it could not be started.
    pub fn run_here(&self, cancel: &AtomicBool) -> Result<Recorded, Trouble> {
        let broken = |what: String| Trouble::NotStarted(self.program.clone(), std::io::Error::other(what));
        let mut server = Loopback::start(key(), self.turns()).map_err(broken)?;
        let mut command = Command::new(&self.program);
        command
            .args(["-p", "hi"])
            .args(&self.args)
            .stdout(Stdio::null())
            .current_dir(&self.cwd)
            .env_clear()
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .env("ANTHROPIC_BASE_URL", server.url())
            .env("ANTHROPIC_API_KEY", server.key())
            .envs(QUIET);
        let mut recorded = watched(&mut command, self.limit, cancel, || server.answer(STEP))
            .map_err(|error| Trouble::NotStarted(self.program.clone(), error))?;
        while server.answer(Duration::ZERO) {}
        recorded.requests = std::mem::take(&mut server.requests);
        recorded.rubbish = server.rubbish.take();
        Ok(recorded)
    }
}

/// What keeps the client from calling anybody else.
const QUIET: [(&str, &str); 5] = [
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ("DISABLE_TELEMETRY", "1"),
    ("DISABLE_AUTOUPDATER", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
    ("TERM", "dumb"),
];

/// A placeholder for the key that no other process on the machine knows.
fn key() -> String {
    let name = tempfile::Builder::new().prefix("placeholder-").rand_bytes(24).tempfile();
    let name = name.ok().and_then(|file| Some(file.path().file_name()?.to_string_lossy().into_owned()));
    name.unwrap_or_else(|| format!("placeholder-{}", std::process::id()))
}

/// Runs a program in a process group of its own until it ends, is called off, or the time is over; `work` does what there
/// is to do meanwhile and says whether there was something. Whatever is left of the group is ended.
pub(super) fn watched(
    command: &mut Command,
    limit: Duration,
    cancel: &AtomicBool,
    mut work: impl FnMut() -> bool,
) -> std::io::Result<Recorded> {
    let mut said = tempfile::tempfile()?;
    command.stdin(Stdio::null()).stderr(said.try_clone()?).process_group(0);
    let started = Instant::now();
    let mut child = command.spawn()?;
    let pid = Pid::from_child(&child);
    let mut end = None;
    while end.is_none() {
        let worked = work();
        // Not reaped yet, so that its number can't be another group's when the group is ended below.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if !worked && matches!(waitid(WaitId::Pid(pid), options), Ok(Some(_)) | Err(_)) {
            end = Some(End::Left(None));
        } else if cancel.load(Ordering::SeqCst) {
            end = Some(End::Cancelled);
        } else if started.elapsed() > limit {
            end = Some(End::TimedOut);
        } else if !worked {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
    // Fails when nothing is left of it.
    let _ = kill_process_group(pid, Signal::KILL);
    let status = child.wait()?;
    let end = match end {
        Some(End::Left(_)) | None => End::Left(status.code()),
        Some(other) => other,
    };
    let stderr = tail(&mut said).unwrap_or_default();
    Ok(Recorded { requests: Vec::new(), rubbish: None, end, stderr, took: started.elapsed() })
}

/// The end of what was written.
fn tail(file: &mut File) -> std::io::Result<String> {
    const MOST: u64 = 2000;
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(MOST)))?;
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What the client says its version is.
///
/// # Errors
/// When it can't be started, does not answer, or says no version.
pub fn version(program: &Path, env: &[(String, String)], cancel: &AtomicBool) -> Result<String, Trouble> {
    const LIMIT: Duration = Duration::from_secs(15);
    let home =
        tempfile::Builder::new().prefix("memcurator-run-").tempdir().map_err(disk(std::env::temp_dir()))?;
    let mut out = tempfile::tempfile().map_err(disk(home.path()))?;
    let mut command = Command::new(program);
    command
        .arg("--version")
        .stdout(out.try_clone().map_err(disk(home.path()))?)
        .current_dir(home.path())
        .env_clear()
        .envs(env.iter().map(|(name, value)| (name, value)))
        .env("HOME", home.path())
        .envs(QUIET);
    let ended = watched(&mut command, LIMIT, cancel, || false)
        .map_err(|error| Trouble::NotStarted(program.into(), error))?;
    match ended.end {
        End::Cancelled => return Err(Trouble::Cancelled),
        End::TimedOut => return Err(Trouble::TimedOut(LIMIT.as_secs())),
        End::Left(_) => {}
    }
    let said = tail(&mut out).map_err(disk(home.path()))?;
    let numbers = said.split_whitespace().next().unwrap_or_default();
    if crate::prompt::versions::Rules::of(numbers).is_some() {
        return Ok(numbers.to_owned());
    }
    let shown = if said.trim().is_empty() { ended.stderr.trim() } else { said.trim() };
    Err(Trouble::NoVersion(program.into(), shown.chars().take(120).collect()))
}

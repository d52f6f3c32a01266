//! The model command: a program of the person's own configuration, started without a shell, the prompt on its standard
//! input, the answer on its standard output.

use rustix::process::{Pid, Signal, kill_process_group};
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Set for the command: what it sets off (a hook, an agent) must not ask a model again.
pub const MARK: &str = "MEMCURATOR_EXTRACT";
/// The most that is read of an answer, in bytes.
const MAX_OUTPUT: usize = 4 << 20;
/// The most that is kept of what the command says on standard error, in bytes.
const MAX_ERRORS: usize = 4 << 10;
/// How often it is looked whether to stop.
const STEP: Duration = Duration::from_millis(50);
/// How long the command has to end by itself once it is told to.
const GRACE: Duration = Duration::from_secs(2);

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The command line can't be split into words, or names no program.
    #[error("the model command `{0}` can't be read: a quotation mark is open, or it is empty")]
    Unreadable(String),
    /// It can't be started.
    #[error("the model command `{program}` can't be started: {why}")]
    Start {
        /// The program.
        program: String,
        /// Why.
        why: String,
    },
    /// It ended with an error.
    #[error("the model command ended with {status}{}", said(.stderr))]
    Failed {
        /// How it ended.
        status: String,
        /// What it said last.
        stderr: String,
    },
    /// It took too long.
    #[error("the model command gave no answer within {} s, and was ended", .0.as_secs())]
    TooSlow(Duration),
    /// It said too much.
    #[error("the model command answered with more than {MAX_OUTPUT} bytes, and was ended")]
    TooLong,
    /// The person stopped it.
    #[error("stopped; the model command was ended")]
    Stopped,
    /// Its answer can't be read.
    #[error("the model's answer could not be read, twice: {why}")]
    Malformed {
        /// What is wrong with it.
        why: String,
        /// The answer.
        answer: String,
    },
}

fn said(stderr: &str) -> String {
    let last = stderr.lines().rev().find(|line| !line.trim().is_empty());
    last.map(|line| format!(": {}", line.trim())).unwrap_or_default()
}

/// Asks a model, and once more when its answer can't be read: then with the error and what it answered. `send` runs the
/// command, `read` says what is wrong with an answer.
///
/// # Errors
/// What went wrong with the command; or, after the second try, what is wrong with the answer.
pub fn ask<T>(
    prompt: &str,
    send: &mut dyn FnMut(&str) -> Result<String, Trouble>,
    read: &dyn Fn(&str) -> Result<T, String>,
) -> Result<T, Trouble> {
    let first = send(prompt)?;
    let why = match read(&first) {
        Ok(answer) => return Ok(answer),
        Err(why) => why,
    };
    // A long answer that says nothing would only take the place of the question.
    let head: String = first.chars().take(2000).collect();
    let again = format!(
        "{prompt}\n\n# Once more\n\nYour answer could not be read: {why}.\nIt began:\n\n{head}\n\nAnswer with the JSON object alone.\n"
    );
    let second = send(&again)?;
    read(&second).map_err(|why| Trouble::Malformed { why, answer: second })
}

/// Runs the command in `dir` and gives its answer. `go_on` is asked twenty times a second and told how long it takes already; with
/// `false` the command and what it started are ended.
///
/// # Errors
/// See [`Trouble`].
pub fn run(
    command: &str,
    prompt: &str,
    dir: &Path,
    limit: Duration,
    go_on: &mut dyn FnMut(Duration) -> bool,
) -> Result<String, Trouble> {
    let words = shell_words::split(command).ok().filter(|words| !words.is_empty());
    let words = words.ok_or_else(|| Trouble::Unreadable(command.to_owned()))?;
    let Some((program, arguments)) = words.split_first() else {
        return Err(Trouble::Unreadable(command.to_owned()));
    };
    let start = |error: &io::Error| Trouble::Start { program: program.clone(), why: error.to_string() };
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(dir)
        .env(MARK, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // A group of its own: what it starts can be ended with it, and Ctrl-C is ours to pass on.
        .process_group(0)
        .spawn()
        .map_err(|error| start(&error))?;
    let group = Group(i32::try_from(child.id()).ok().and_then(Pid::from_raw));
    let answer = child.stdout.take().map(|out| collect(out, MAX_OUTPUT, true));
    let errors = child.stderr.take().map(|err| collect(err, MAX_ERRORS, false));
    if let Some(mut input) = child.stdin.take() {
        let prompt = prompt.as_bytes().to_vec();
        // One that doesn't read to the end may still answer.
        thread::spawn(move || input.write_all(&prompt));
    }
    let began = Instant::now();
    let mut output = None;
    let done = loop {
        if output.is_none() {
            output = answer.as_ref().and_then(|answer| answer.recv_timeout(STEP).ok());
        } else {
            thread::sleep(STEP);
        }
        if output.as_ref().is_some_and(|output: &Output| output.is_too_long) {
            break Err(Trouble::TooLong);
        }
        match child.try_wait() {
            Ok(Some(status)) => break Ok(status),
            Ok(None) if began.elapsed() > limit => break Err(Trouble::TooSlow(limit)),
            Ok(None) if !go_on(began.elapsed()) => break Err(Trouble::Stopped),
            Ok(None) => {}
            Err(error) => break Err(start(&error)),
        }
    };
    let status = match done {
        Ok(status) => status,
        Err(trouble) => {
            group.end(&mut child);
            return Err(trouble);
        }
    };
    // What it started may hold the pipes open still: nothing more is waited for.
    let take = |from: &Option<Receiver<Output>>| match from.as_ref().map(|from| from.recv_timeout(GRACE)) {
        Some(Ok(output)) => Some(output),
        Some(Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected)) | None => None,
    };
    let output = output.or_else(|| take(&answer));
    let stderr = if status.success() { None } else { take(&errors) };
    if !status.success() {
        let stderr = stderr.map(|output| output.text()).unwrap_or_default();
        return Err(Trouble::Failed { status: status.to_string(), stderr });
    }
    match output {
        Some(output) if output.is_too_long => Err(Trouble::TooLong),
        Some(output) => Ok(output.text()),
        None => Ok(String::new()),
    }
}

/// What a pipe gave.
struct Output {
    bytes: Vec<u8>,
    is_too_long: bool,
}

impl Output {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

/// Reads a pipe to its end on a thread, and keeps at most `most` bytes; what is more is an end (`ends`), or let go.
fn collect(mut from: impl Read + Send + 'static, most: usize, ends: bool) -> Receiver<Output> {
    let (give, take) = channel();
    thread::spawn(move || {
        let mut output = Output { bytes: Vec::new(), is_too_long: false };
        let mut chunk = vec![0; 64 << 10];
        loop {
            match from.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => output.bytes.extend_from_slice(chunk.get(..count).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
            if output.bytes.len() > most {
                if ends {
                    output.is_too_long = true;
                    break;
                }
                let surplus = output.bytes.len() - most;
                output.bytes.drain(..surplus);
            }
        }
        // Nobody waits any more when the command was ended.
        let _ = give.send(output);
    });
    take
}

/// The process group of the command.
struct Group(Option<Pid>);

impl Group {
    fn kill(&self, signal: Signal) {
        if let Some(group) = self.0 {
            // It may be gone already.
            let _ = kill_process_group(group, signal);
        }
    }

    /// Ends the command and what it started: asked first, then killed.
    fn end(&self, child: &mut Child) {
        self.kill(Signal::TERM);
        let asked = Instant::now();
        while asked.elapsed() < GRACE && matches!(child.try_wait(), Ok(None)) {
            thread::sleep(STEP);
        }
        self.kill(Signal::KILL);
        let _ = child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    fn script(dir: &Path, text: &str) -> String {
        let path: PathBuf = dir.join("a model.sh");
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
        format!("'{}' --flag 'two words'", path.display())
    }

    fn run_it(text: &str, limit: Duration) -> Result<String, Trouble> {
        let dir = tempfile::tempdir().unwrap();
        run(&script(dir.path(), text), "the prompt", dir.path(), limit, &mut |_| true)
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn the_prompt_goes_in_and_the_answer_comes_out() {
        assert_eq!(
            run_it("cat; echo \" $1 $2 $MEMCURATOR_EXTRACT\"", LONG),
            Ok("the prompt --flag two words 1\n".into())
        );
        // It need not read at all.
        assert_eq!(run_it("echo x", LONG), Ok("x\n".into()));
    }

    #[test]
    fn what_goes_wrong_is_said() {
        let failed = run_it("echo first >&2; echo 'no such model' >&2; exit 3", LONG).unwrap_err();
        assert_eq!(failed.to_string(), "the model command ended with exit status: 3: no such model");
        assert_eq!(run_it("yes 0123456789012345678901234567890123456789", LONG), Err(Trouble::TooLong));
        let dir = tempfile::tempdir().unwrap();
        let run = |command: &str| run(command, "", dir.path(), LONG, &mut |_| true).unwrap_err().to_string();
        assert!(run("/nowhere/model").starts_with("the model command `/nowhere/model` can't be started"));
        assert!(run("model 'x").contains("quotation mark"));
        assert!(run(" ").contains("empty"));
    }

    #[test]
    fn slow_ones_and_what_they_started_are_ended() {
        let limit = Duration::from_millis(300);
        assert_eq!(run_it("sleep 300 & echo $! ; sleep 300", limit), Err(Trouble::TooSlow(limit)));
        let dir = tempfile::tempdir().unwrap();
        let pid = dir.path().join("pid");
        let command = script(dir.path(), &format!("sleep 300 & echo $! > '{}'; wait", pid.display()));
        let stopped = run(&command, "", dir.path(), LONG, &mut |_| {
            fs::read_to_string(&pid).unwrap_or_default().is_empty()
        });
        assert_eq!(stopped, Err(Trouble::Stopped));
        let child: i32 = fs::read_to_string(&pid).unwrap().trim().parse().unwrap();
        let is_alive = || rustix::process::test_kill_process(Pid::from_raw(child).unwrap()).is_ok();
        // An orphan is reaped by whoever inherits it, in a moment.
        let began = Instant::now();
        while is_alive() && is_running(child) && began.elapsed() < LONG {
            thread::sleep(STEP);
        }
        assert!(!is_alive() || !is_running(child));
    }

    /// A process that ended and that nobody asked about is still listed.
    fn is_running(pid: i32) -> bool {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        !stat.is_empty() && !stat.contains(") Z ")
    }

    #[test]
    fn one_that_leaves_something_running_is_not_waited_for() {
        let began = Instant::now();
        assert_eq!(run_it("echo x; sleep 20 >/dev/null 2>&1 &", LONG), Ok("x\n".into()));
        assert!(began.elapsed() < Duration::from_secs(15));
    }
}

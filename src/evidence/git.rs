//! Running the `git` program on a project that may be anybody's: it looks, and runs nothing that the project's own
//! configuration names.

use super::Stop;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::env;
use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Settings that beat the project's. Each of them could start a program, or change what is printed.
const SETTINGS: &[&str] = &[
    "core.fsmonitor=false",
    "core.pager=cat",
    "core.quotePath=false",
    "core.sshCommand=false",
    "core.hooksPath=/dev/null",
    "diff.external=",
    "diff.orderFile=/dev/null",
    "diff.submodule=short",
    "diff.ignoreSubmodules=none",
    "diff.relative=false",
    "log.showSignature=false",
    "log.follow=false",
    "log.mailmap=false",
    "log.diffMerges=combined",
    "gpg.program=false",
    "gpg.ssh.program=false",
    "credential.helper=",
];

/// Variables of git's own that stay as the person has them.
const KEPT: &[&str] = &["GIT_EXEC_PATH", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM"];

/// What is said when it had to be ended.
pub(super) const TIME_IS_UP: &str = "the time for it was up";

/// How much a program may say on its error output before the rest is dropped, in bytes.
const MOST_WORDS: u64 = 4096;

/// A wish to end early is noticed within this time.
const PATIENCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 30_000_000 };

/// The `git` program and where it looks.
#[derive(Debug, Clone)]
pub(super) struct Git {
    program: PathBuf,
    root: PathBuf,
}

/// The `git` program that a search path names. Only its absolute directories count: another one would be looked up
/// where the program was started, which may be the project.
#[must_use]
pub fn find_git(path: &OsStr) -> Option<PathBuf> {
    let dirs = env::split_paths(path).filter(|dir| dir.is_absolute());
    dirs.map(|dir| dir.join("git")).find(|program| program.is_file())
}

impl Git {
    pub(super) fn new(program: &Path, root: &Path) -> Self {
        Self { program: program.to_path_buf(), root: root.to_path_buf() }
    }

    /// Starts it with these arguments; what it prints comes through the result.
    pub(super) fn start<'a>(&self, args: &[&str], stop: &'a Stop<'a>) -> io::Result<Running<'a>> {
        let mut command = Command::new(&self.program);
        let is_ours = |name: &OsStr| {
            name.to_str().is_none_or(|name| name.starts_with("GIT_CONFIG") || KEPT.contains(&name))
        };
        for (name, _) in env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"GIT_")) {
            if !is_ours(&name) {
                command.env_remove(name);
            }
        }
        // No lock and no write in the repository, no question, no transport (a partial clone would fetch).
        command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0").env("GIT_NO_LAZY_FETCH", "1");
        command.env("GIT_ALLOW_PROTOCOL", "").env("GIT_ATTR_NOSYSTEM", "1").env("LC_ALL", "C");
        command.arg("--no-pager").arg("-C").arg(&self.root);
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        Ok(Running { child, input, output, stop })
    }

    /// Runs it to its end: what it printed, or why it failed in its own words.
    pub(super) fn ask(&self, args: &[&str], stop: &Stop<'_>) -> Result<Vec<u8>, String> {
        let mut running =
            self.start(args, stop).map_err(|error| format!("git could not be started: {error}"))?;
        running.input = None;
        let mut printed = Vec::new();
        running.read_to_end(&mut printed).map_err(|error| error.to_string())?;
        match running.end() {
            Ok(()) => Ok(printed),
            Err(words) => Err(words),
        }
    }
}

/// A running `git`. It is ended when this is dropped.
pub(super) struct Running<'a> {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<ChildStdout>,
    stop: &'a Stop<'a>,
}

impl Running<'_> {
    /// Gives it something to read. No more at once than a pipe holds, else both would wait.
    pub(super) fn tell(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.input.as_mut().map_or(Ok(()), |input| input.write_all(bytes))
    }

    /// Says that nothing more comes.
    pub(super) fn hush(mut self) -> Self {
        self.input = None;
        self
    }

    /// After its last output: whether it went well, else the first line of what it said.
    pub(super) fn end(mut self) -> Result<(), String> {
        let mut words = String::new();
        if let Some(error) = self.child.stderr.take() {
            let _ = error.take(MOST_WORDS).read_to_string(&mut words);
        }
        match self.child.wait() {
            Ok(status) if status.success() => Ok(()),
            Ok(_) => {
                let line =
                    words.lines().find(|line| line.starts_with("fatal:")).or_else(|| words.lines().next());
                Err(line.unwrap_or("git failed").trim_start_matches("fatal:").trim().to_owned())
            }
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Read for Running<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let Some(output) = &mut self.output else { return Ok(0) };
        loop {
            if self.stop.is_due() {
                return Err(io::Error::new(io::ErrorKind::TimedOut, TIME_IS_UP));
            }
            match poll(&mut [PollFd::new(output, PollFlags::IN)], Some(&PATIENCE)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                Ok(_) => return output.read(into),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        // Gone already, or it has to go.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_is_looked_for_in_absolute_directories_only() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("git"), "").unwrap();
        let path = |dirs: &[&Path]| env::join_paths(dirs).unwrap();
        assert_eq!(find_git(&path(&[Path::new("."), Path::new(""), Path::new("bin")])), None);
        let found = find_git(&path(&[Path::new("/nowhere"), dir.path()]));
        assert_eq!(found, Some(dir.path().join("git")));
    }
}

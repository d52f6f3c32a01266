//! A project with a git history, made by hand.

use memcurator::check::project::{Fate, Project, Wanted};
use memcurator::evidence::{self, LookError, Options};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;

/// A repository in a temporary directory; every commit is an hour later than the one before.
pub struct Repo {
    _dir: tempfile::TempDir,
    pub top: PathBuf,
    pub root: PathBuf,
    hours: u32,
}

impl Repo {
    pub fn new() -> Self {
        let repo = Self::bare_directory();
        repo.git(&["init", "-q", "-b", "main"]);
        repo
    }

    /// The same without a repository.
    pub fn bare_directory() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        let root = top.join("project");
        fs::create_dir(&root).unwrap();
        Self { _dir: dir, top, root, hours: 0 }
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        let date = format!("2026-01-{:02}T{:02}:00:00Z", 1 + self.hours / 24, self.hours % 24);
        command.args(["-c", "protocol.file.allow=always"]).args(args).current_dir(&self.root);
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "Ada").env(format!("GIT_{who}_DATE"), &date);
            command.env(format!("GIT_{who}_EMAIL"), "ada@example.com");
        }
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn git(&self, args: &[&str]) -> String {
        let output = self.command(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn remove(&self, path: &str) {
        fs::remove_file(self.root.join(path)).unwrap();
    }

    /// Commits everything; gives the commit's id.
    pub fn commit(&mut self, message: &str) -> String {
        self.hours += 1;
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    pub fn look(&self, wanted: &Wanted) -> Project {
        look(&self.root, wanted, &options()).unwrap()
    }

    /// Looks with the program and with the library, which must tell the same.
    pub fn look_both(&self, wanted: &Wanted) -> Project {
        let project = self.look(wanted);
        let library = look(&self.root, wanted, &Options { git: None, ..options() }).unwrap();
        assert_eq!(project.files, library.files);
        assert_eq!(project.places, library.places);
        assert_eq!(project.notes, library.notes);
        assert_eq!(project.history.reach, library.history.reach);
        assert_eq!(project.history.paths, library.history.paths);
        assert_eq!(project.history.last_seen, library.history.last_seen);
        assert_eq!(project.history.commits, library.history.commits);
        project
    }
}

pub fn options() -> Options {
    let path = std::env::var_os("PATH").unwrap();
    let git = evidence::find_git(&path);
    assert!(git.is_some(), "these tests need git");
    Options { git, ..Options::default() }
}

pub fn look(root: &Path, wanted: &Wanted, options: &Options) -> Result<Project, LookError> {
    evidence::look(root, wanted, Vec::new(), options, &|_| (), &AtomicBool::new(false))
}

pub fn wanted(symbols: &[&str], flags: &[&str], settings: &[&str]) -> Wanted {
    let set = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<BTreeSet<_>>();
    Wanted { symbols: set(symbols), flags: set(flags), settings: set(settings) }
}

/// What became of a path, in words.
pub fn fate(project: &Project, path: &str) -> String {
    match project.history.paths.get(path) {
        None => "unknown".into(),
        Some(Fate::Removed(by)) => format!("removed: {}", by.subject),
        Some(Fate::Moved { to, by }) => format!("moved to {to}: {}", by.subject),
    }
}

/// The commit that took a literal out, the file and the line.
pub fn vanished(project: &Project, literal: &str) -> String {
    match project.history.last_seen.get(literal) {
        None => "unknown".into(),
        Some(last) => format!("{}: {}: {}", last.by.subject, last.path, last.text),
    }
}

//! A home of its own for a test, with the demo or empty, and the program run in it.

use memcurator::demo::{self, DemoHome, Size};
use memcurator::prompt::port::Environment;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;
use tempfile::TempDir;

/// A home of its own.
pub struct Home {
    dir: TempDir,
    pub env: Environment,
    demo: Option<DemoHome>,
}

/// What a run came to.
#[derive(Debug)]
pub struct Done {
    pub status: i32,
    pub out: String,
    pub err: String,
}

/// Every file below a directory: its bytes and its time.
pub type Tree = BTreeMap<String, (Vec<u8>, SystemTime)>;

impl Home {
    /// The demo.
    pub fn demo() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let demo = demo::build(dir.path(), Size::Small).unwrap();
        Self { dir, env: demo.env.clone(), demo: Some(demo) }
    }

    /// A home without an agent, and a project without a store.
    pub fn empty() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap();
        let cwd = home.join("project");
        fs::create_dir_all(cwd.join(".git")).unwrap();
        let vars = BTreeMap::from([("HOME".into(), home.display().to_string())]);
        Self { dir, env: Environment { vars, cwd, home }, demo: None }
    }

    pub fn path(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap()
    }

    pub fn project(&self) -> &Path {
        &self.env.cwd
    }

    /// The environment that the program gets.
    pub fn vars(&self) -> impl Iterator<Item = (&str, &str)> {
        self.env.vars.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    pub fn store(&self) -> &Path {
        &self.demo.as_ref().unwrap().store.dir
    }

    pub fn tree(&self) -> Tree {
        files(self.dir.path())
    }

    pub fn store_tree(&self) -> Tree {
        files(self.store())
    }

    /// The program in this home, and in nothing else.
    fn command(&self, cwd: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_memcurator"));
        command.env_clear().envs(&self.env.vars).current_dir(cwd).args(args).stdin(Stdio::null());
        command.args(["--now", "2026-03-05T10:00:00Z"]);
        command
    }

    pub fn run(&self, args: &[&str]) -> Done {
        self.run_in(self.project(), args)
    }

    /// As [`Home::run`], with words of any bytes.
    pub fn run_os(&self, args: &[&std::ffi::OsStr]) -> Done {
        let done = self.command(self.project(), &[]).args(args).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Done { status: done.status.code().unwrap(), out: text(done.stdout), err: text(done.stderr) }
    }

    /// The exit status of a run; `None`: it was killed.
    pub fn run_for_status(&self, args: &[&str]) -> Option<i32> {
        self.command(self.project(), args).output().unwrap().status.code()
    }

    pub fn run_in(&self, cwd: &Path, args: &[&str]) -> Done {
        let done = self.command(cwd, args).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Done { status: done.status.code().unwrap(), out: text(done.stdout), err: text(done.stderr) }
    }

    /// Runs it with a text on standard input.
    pub fn run_with_input(&self, args: &[&str], input: &str) -> Done {
        let mut command = self.command(self.project(), args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A program that refuses at once does not read it.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let done = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Done { status: done.status.code().unwrap(), out: text(done.stdout), err: text(done.stderr) }
    }

    /// Runs it with an output that nobody reads.
    pub fn run_unread(&self, args: &[&str]) -> Done {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = self.command(self.project(), args);
        let done = command.stdout(writer).stderr(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap();
        let err = String::from_utf8(done.stderr).unwrap();
        Done { status: done.status.code().unwrap(), out: String::new(), err }
    }

    /// Runs it with `--format json`, which must go well.
    pub fn json(&self, args: &[&str]) -> Value {
        let done = self.run(&[args, &["--format", "json"]].concat());
        assert_eq!(done.status, 0, "{args:?}: {done:?}");
        serde_json::from_str(&done.out).unwrap()
    }
}

/// Every file below a directory, links not followed.
pub fn files(root: &Path) -> Tree {
    let mut found = Tree::new();
    let mut dirs = vec![root.to_path_buf()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                dirs.push(entry.path());
            } else {
                let time = entry.metadata().unwrap().modified().unwrap();
                let path = entry.path().strip_prefix(root).unwrap().display().to_string();
                found.insert(path, (fs::read(entry.path()).unwrap_or_default(), time));
            }
        }
    }
    found
}

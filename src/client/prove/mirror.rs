//! A mirror of what matters for a session, under one temporary root at the same relative paths: instruction files of every
//! layer and of every directory on the way, imports, rules, memory, and settings reduced to what is harmless. It is laid
//! out wider than the preview looks, so that a file the preview does not know of shows as a difference.

mod copier;
mod files;

use crate::client::disk::DiskPort;
use crate::client::learn::place;
use crate::client::prove::reduce;
use crate::client::trouble::{Trouble, disk};
use crate::prompt::locate::{self, Launch, Minimal};
use crate::prompt::port::Environment;
use crate::prompt::session::{Request, Session, SystemPrompt};
use chrono::TimeDelta;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The largest file that is copied whole, in bytes; a larger one is only as long.
const MAX_FILE: u64 = 16 * 1024 * 1024;
/// The most that is copied of the directory of memories, in files and bytes.
const MAX_MEMORY: (usize, u64) = (20_000, 256 * 1024 * 1024);

/// A mirror, gone with everything in it when it is dropped.
pub struct Mirror {
    _dir: tempfile::TempDir,
    /// Its root, real.
    pub root: PathBuf,
    /// The environment of a session in it.
    pub env: Environment,
    /// The session in it that stands for the one asked for.
    pub request: Request,
    /// Further arguments of the client.
    pub args: Vec<String>,
    /// The directory of memories, in the real place and in the mirror.
    pub memory: (PathBuf, PathBuf),
    /// What could not be mirrored, in words.
    pub left_out: Vec<String>,
}

impl Mirror {
    /// Lays a mirror out. Times of files are moved by `shift`, for a clock that stands.
    ///
    /// # Errors
    /// When the temporary directory can't be used.
    pub fn lay_out(env: &Environment, request: &Request, shift: TimeDelta) -> Result<Self, Trouble> {
        let dir = place("memcurator-prove-")?;
        let root = fs::canonicalize(dir.path()).map_err(disk(dir.path()))?;
        let session = Session::new(&DiskPort, env, request);
        let mut copier = Copier {
            root: &root,
            session: &session,
            shift,
            done: HashSet::new(),
            texts: Vec::new(),
            left_out: Vec::new(),
            settings: Vec::new(),
        };
        copier.everything()?;
        let mut left_out = std::mem::take(&mut copier.left_out);
        let vars = env
            .vars
            .iter()
            .filter_map(|(name, value)| Some((name.clone(), reduce::variable(name, value, &root)?)));
        let mirrored = Environment {
            vars: vars.collect(),
            cwd: moved(session.cwd(), &root),
            home: moved(&env.home, &root),
        };
        let mut request = mirrored_request(request, session.cwd(), &root);
        let there = locate::client_store_as(&DiskPort, &mirrored, &request.launch).dir;
        let config = mirrored.var("CLAUDE_CONFIG_DIR").map(|set| locate::path::absolute(&mirrored.cwd, set));
        for dir in [Some(&there), config.as_ref()].into_iter().flatten() {
            if !dir.starts_with(&root) {
                return Err(Trouble::Outside(dir.clone()));
            }
        }
        let mut memory = Memory { shift, root: &root, files: 0, bytes: 0, left_out: &mut left_out };
        memory.copy(&session.located.dir, &there, 0)?;
        // The store bears the name of the project's directory, which is another one in the mirror.
        request.open = session
            .request
            .open
            .iter()
            .map(|path| {
                let path = locate::path::absolute(session.cwd(), path);
                match path.strip_prefix(&session.located.dir) {
                    Ok(rest) => there.join(rest),
                    Err(_) => moved(&path, &root),
                }
            })
            .collect();
        let args = arguments(&request);
        let memory = (session.located.dir.clone(), there);
        Ok(Self { _dir: dir, root, env: mirrored, request, args, memory, left_out })
    }
}

/// A path in the mirror.
#[must_use]
pub fn moved(path: &Path, root: &Path) -> PathBuf {
    match path.strip_prefix("/") {
        Ok(rest) => root.join(rest),
        Err(_) => path.to_path_buf(),
    }
}

fn mirrored_request(request: &Request, cwd: &Path, root: &Path) -> Request {
    let settings = request.launch.settings.as_ref().and_then(|given| {
        let text = if given.trim_start().starts_with('{') {
            given.clone()
        } else {
            fs::read_to_string(cwd.join(given)).ok()?
        };
        reduce::settings(&text, root)
    });
    Request {
        launch: Launch { settings, ..request.launch.clone() },
        add_dirs: request.add_dirs.iter().map(|dir| reduce::moved(dir, root)).collect(),
        ..request.clone()
    }
}

/// The client's arguments for a session.
fn arguments(request: &Request) -> Vec<String> {
    let mut args = Vec::new();
    let mut add = |words: &[&str]| args.extend(words.iter().map(|word| (*word).to_owned()));
    match request.launch.minimal {
        Minimal::No => {}
        Minimal::Bare => add(&["--bare"]),
        Minimal::Safe => add(&["--safe-mode"]),
    }
    if let Some(settings) = &request.launch.settings {
        add(&["--settings", settings]);
    }
    if let Some(sources) = &request.launch.sources {
        use crate::prompt::locate::settings::Scope;
        let word = |scope: &Scope| match scope {
            Scope::User => Some("user"),
            Scope::Project => Some("project"),
            Scope::Local => Some("local"),
            _ => None,
        };
        add(&["--setting-sources", &sources.iter().filter_map(word).collect::<Vec<_>>().join(",")]);
    }
    if request.system_prompt == SystemPrompt::Replaced {
        add(&["--system-prompt", "x"]);
    }
    if let Some(agent) = &request.agent {
        add(&["--agent", agent]);
    }
    for dir in &request.add_dirs {
        add(&["--add-dir", dir]);
    }
    args
}

struct Copier<'a> {
    root: &'a Path,
    session: &'a Session<'a>,
    shift: TimeDelta,
    /// What was looked at.
    done: HashSet<PathBuf>,
    /// Texts in which imports may stand, with the real directory of each, and how deep they are.
    texts: Vec<(PathBuf, PathBuf, usize)>,
    left_out: Vec<String>,
    /// Directories of settings, real: those that are read there are reduced and nothing else.
    settings: Vec<PathBuf>,
}

/// Copies a directory of memories.
struct Memory<'a> {
    shift: TimeDelta,
    root: &'a Path,
    files: usize,
    bytes: u64,
    left_out: &'a mut Vec<String>,
}

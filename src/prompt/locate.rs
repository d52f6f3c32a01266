//! Where a project's store is (CLIENT_FACTS A; what is marked "measured" beyond it was seen in the same way on
//! 2.1.100, 2.1.197 and 2.1.332).

pub mod find;
pub mod git;
pub mod known;
pub mod path;
pub mod settings;
pub mod slug;
pub mod switch;
#[cfg(test)]
mod tests;

use crate::memory::Time;
use crate::prompt::port::{Environment, Port};
use crate::prompt::versions::Rules;
use path::{absolute, normal};
use settings::{Scope, Settings};
use std::path::{Path, PathBuf};
use switch::Vars;

/// Where stores are and how they are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// An agent home: `<config>/projects/<slug>/memory`.
    Claude,
    /// `.agent/memory` in a project.
    Agent,
    /// Any directory.
    Plain,
}

/// A store that was found (its directory need not exist yet).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The directory of memories.
    pub dir: PathBuf,
    /// Its layout.
    pub layout: Layout,
    /// The project it belongs to, where known: the root that was slugged, or the parent of `.agent`.
    pub project: Option<PathBuf>,
    /// What decided ("the git root", "autoMemoryDirectory in FILE", …), for a person.
    pub because: String,
    /// Memory is switched off for sessions here, and by what.
    pub off: Option<String>,
    /// What was found odd on the way (a setting that is ignored and why), for a person.
    pub notes: Vec<String>,
}

/// A store that exists on this machine, as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundStore {
    /// The directory of memories.
    pub dir: PathBuf,
    /// The project as the agent home names it, with dashes for what is not a letter or digit; `agent:NAME` for an agent's
    /// own memory; of a store in the layout `agent` the path of `.agent`.
    pub slug: String,
    /// How many memories it holds.
    pub memories: usize,
    /// Their size in bytes.
    pub bytes: u64,
    /// When one of them was changed last (file time).
    pub newest: Option<Time>,
}

/// How the client is started, beyond its environment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Launch {
    /// The rules of the client's version.
    pub rules: Rules,
    /// The value of `--settings`: JSON text or the path of a file.
    pub settings: Option<String>,
    /// The scopes that `--setting-sources` names; `None`: all.
    pub sources: Option<Vec<Scope>>,
    /// `--bare`, `--safe-mode`.
    pub minimal: Minimal,
    /// The machine's managed settings file (documented, not measured); `None`: not looked at.
    pub managed: Option<PathBuf>,
}

/// Whether the client is started without memory and instructions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Minimal {
    /// As usual.
    #[default]
    No,
    /// `--bare`.
    Bare,
    /// `--safe-mode`.
    Safe,
}

impl Launch {
    /// Whether settings of this scope count.
    #[must_use]
    pub fn counts(&self, scope: Scope) -> bool {
        match (&self.sources, scope) {
            (None, _) | (_, Scope::Flag | Scope::Managed) => true,
            (Some(sources), scope) => sources.contains(&scope),
        }
    }

    /// Whether `autoMemoryDirectory` of this scope counts.
    fn directory_counts(&self, scope: Scope) -> bool {
        (self.rules.project_directory || scope != Scope::Project)
            && (!self.rules.sources_limit_directory || self.counts(scope))
    }
}

/// The client's store for a session started in `env.cwd`, whether it exists or not: the reference version's
/// rules, started without arguments.
#[must_use]
pub fn client_store(port: &dyn Port, env: &Environment) -> Located {
    client_store_as(port, env, &Launch::default())
}

/// The client's store for a session started in `env.cwd` in this way, whether it exists or not.
#[must_use]
pub fn client_store_as(port: &dyn Port, env: &Environment, launch: &Launch) -> Located {
    let Surroundings { env, root, settings } = &surroundings(port, env, launch);
    let vars = Vars::new(env, settings, launch);
    let mut notes = settings.notes.clone();
    switch::notes(&vars, launch, &mut notes);
    let (dir, layout, because) = directory(env, &vars, settings, root, launch, &mut notes);
    let off = switch::off(&vars, settings, launch);
    Located { dir, layout, project: Some(root.named.clone()), because, off, notes }
}

/// What decides about a session before any memory is looked at.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// The environment, the current directory real.
    pub env: Environment,
    /// The directory that stands for the project.
    pub root: git::Root,
    /// The settings files that count.
    pub settings: Settings,
}

/// Reads what decides about a session started in `env.cwd` in this way.
#[must_use]
pub fn surroundings(port: &dyn Port, env: &Environment, launch: &Launch) -> Surroundings {
    // PWD plays no part: the client sees the real directory.
    let cwd = port.real(&env.cwd).unwrap_or_else(|_| normal(&env.cwd));
    let env = Environment { cwd, ..env.clone() };
    let root = git::root(port, &env.cwd, &launch.rules);
    let settings = Settings::read(port, &env, &config_dir(&env), root.main.as_deref(), launch);
    Surroundings { env, root, settings }
}

/// The agent home's configuration directory: `CLAUDE_CONFIG_DIR` when it is set (empty counts, `~` is not
/// expanded, relative means under the current directory: A1), else `~/.claude`.
#[must_use]
pub fn config_dir(env: &Environment) -> PathBuf {
    match env.var("CLAUDE_CONFIG_DIR") {
        Some(set) => absolute(&env.cwd, set),
        None => absolute(&env.cwd, env.home.join(".claude")),
    }
}

fn directory(
    env: &Environment,
    vars: &Vars<'_>,
    settings: &Settings,
    root: &git::Root,
    launch: &Launch,
    notes: &mut Vec<String>,
) -> (PathBuf, Layout, String) {
    const OVERRIDE: &str = "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE";
    if let Some(text) = vars.get(OVERRIDE).filter(|text| !text.is_empty()) {
        match usable(text) {
            Ok(dir) => return (dir, Layout::Plain, vars.quote(OVERRIDE)),
            Err(why) => notes.push(format!("{} is ignored: {why}", vars.quote(OVERRIDE))),
        }
    }
    let mut deciding = settings.files.iter().rev().filter(|file| launch.directory_counts(file.scope));
    if let Some((text, origin)) = deciding.find_map(|file| Some((file.directory.as_ref()?, &file.origin))) {
        // The winning value decides even when it is unusable: the default follows, not the next file (measured).
        match set_directory(text, &env.home, &launch.rules) {
            Ok(dir) => return (dir, Layout::Plain, format!("autoMemoryDirectory in {origin}")),
            Err(why) => notes.push(format!("autoMemoryDirectory in {origin} is ignored: {why}")),
        }
    }
    let (base, because) = match vars.get("CLAUDE_CODE_REMOTE_MEMORY_DIR").filter(|text| !text.is_empty()) {
        Some(remote) => (absolute(&env.cwd, remote), vars.quote("CLAUDE_CODE_REMOTE_MEMORY_DIR")),
        // Settings may move the agent home for everything but the settings themselves (measured).
        None => match vars.get("CLAUDE_CONFIG_DIR") {
            Some(set) => (absolute(&env.cwd, set), root.because.into()),
            None => (config_dir(env), root.because.into()),
        },
    };
    (base.join("projects").join(slug::slug(&root.named)).join("memory"), Layout::Claude, because)
}

/// A directory as `autoMemoryDirectory` gives it (A5): absolute, or `~/` and something.
fn set_directory(text: &str, home: &Path, rules: &Rules) -> Result<PathBuf, &'static str> {
    let Some(rest) = text.strip_prefix("~/") else { return usable(text) };
    let rest = normal(Path::new(rest.trim_start_matches('/')));
    if rest.as_os_str().is_empty() || rest == Path::new("..") {
        return Err("it names the home directory, or the one above it, as a whole");
    }
    if rest.starts_with("..") && !rules.directory_above_home {
        return Err("it leads out of the home directory");
    }
    home.join(rest).to_str().ok_or("the home directory is not UTF-8").and_then(usable)
}

/// An absolute path that may be a memory directory: the client refuses those under three characters, which
/// include the root (measured).
fn usable(text: &str) -> Result<PathBuf, &'static str> {
    let path = normal(Path::new(text));
    if !path.is_absolute() {
        return Err("it is neither absolute nor under ~/");
    }
    if path.as_os_str().len() < 3 || text.contains('\0') {
        return Err("the client refuses this path");
    }
    Ok(path)
}

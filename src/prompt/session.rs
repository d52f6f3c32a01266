//! A session that is going to start: how it is started, and what follows from settings and environment.

use crate::memory::Time;
use crate::prompt::excludes::Excludes;
use crate::prompt::locate::path::absolute;
use crate::prompt::locate::settings::Scope;
use crate::prompt::locate::switch::Vars;
use crate::prompt::locate::{self, Launch, Located, Minimal, Surroundings};
use crate::prompt::port::{Environment, Kind, Port};
use crate::prompt::versions::Rules;
use crate::prompt::walk::Setting;
use crate::prompt::wording::Voice;
use crate::prompt::words::Words;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a session is started, and what is asked about it.
#[derive(Debug, Clone)]
pub struct Request {
    /// The client's version, as a person writes it; its rules are in `launch`.
    pub version: String,
    /// Settings and switches of the command line.
    pub launch: Launch,
    /// The values of `--add-dir`.
    pub add_dirs: Vec<String>,
    /// Whether `--system-prompt` replaces the system prompt.
    pub system_prompt: SystemPrompt,
    /// The sub-agent whose own memory is asked for.
    pub agent: Option<String>,
    /// The files that are opened in the session, in order.
    pub open: Vec<PathBuf>,
    /// The machine's directory of managed instructions (documented, not measured); `None`: not looked at.
    pub managed: Option<PathBuf>,
    /// When the session starts.
    pub now: Time,
    /// The client's own words, where they are known.
    pub said: Said,
}

/// What is known of the client's own words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// Its words; `None`: ours are used.
    pub words: Option<Arc<Words>>,
    /// The day on which the session starts where the person is, `2026-11-30`: some versions name it.
    pub date: String,
}

/// Variables that the `env` of project and local settings does not set where rules limit it.
const LIMITED: [&str; 2] = ["CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE"];

/// Whose system prompt a session has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SystemPrompt {
    /// The client's, with its part about memory.
    #[default]
    Own,
    /// One given with `--system-prompt`: nothing in it about memory, the index loads all the same.
    Replaced,
}

/// What follows from settings, environment and command line.
pub struct Session<'a> {
    /// The files.
    pub port: &'a dyn Port,
    /// How it is started.
    pub request: &'a Request,
    /// The environment (the current directory real), the root, the settings.
    pub around: Surroundings,
    /// Where the memory is.
    pub located: Located,
    /// What `claudeMdExcludes` leaves out.
    pub excludes: Excludes,
    /// Whether imports from outside are approved for the project.
    pub approved: bool,
    /// The agent home's configuration directory, for instructions and rules.
    pub config: PathBuf,
}

impl<'a> Session<'a> {
    /// Looks at settings and environment.
    #[must_use]
    pub fn new(port: &'a dyn Port, env: &Environment, request: &'a Request) -> Self {
        let launch = &request.launch;
        let around = locate::surroundings(port, env, launch);
        let located = locate::client_store_as(port, env, launch);
        let files = around.settings.files.iter().filter(|file| launch.counts(file.scope));
        let excludes = Excludes::new(files.flat_map(|file| &file.excludes).map(String::as_str), port);
        let vars = Vars::new(&around.env, &around.settings, launch);
        let config = match vars.get("CLAUDE_CONFIG_DIR") {
            Some(set) => absolute(&around.env.cwd, set),
            None => locate::config_dir(&around.env),
        };
        let approved = is_approved(port, &around);
        Self { port, request, around, located, excludes, approved, config }
    }

    /// The client's rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.request.launch.rules
    }

    /// In whose words it is told.
    #[must_use]
    pub fn voice(&self) -> Voice<'_> {
        let said = &self.request.said;
        Voice::new(self.rules(), said.words.as_deref(), &said.date)
    }

    /// The directory in which the session starts, real.
    #[must_use]
    pub fn cwd(&self) -> &Path {
        &self.around.env.cwd
    }

    /// What the loader needs to know.
    #[must_use]
    pub fn setting(&self) -> Setting<'_> {
        Setting {
            port: self.port,
            rules: self.rules(),
            cwd: self.cwd(),
            home: &self.around.env.home,
            root: self.around.root.checkout.as_deref(),
            excludes: &self.excludes,
            approved: self.approved,
        }
    }

    /// A variable as the session sees it, settings files included, with where it is set.
    #[must_use]
    pub fn var(&self, name: &str) -> Option<(&str, String)> {
        let counts = |scope| self.request.launch.counts(scope);
        // Newer clients let no project switch itself down to nothing (measured on 2.1.332).
        let limited = self.rules().project_env_limited && LIMITED.contains(&name);
        let from_project = |scope| matches!(scope, Scope::Project | Scope::Local);
        let files = self.around.settings.files.iter().rev();
        let set = files.filter(|file| counts(file.scope) && !(limited && from_project(file.scope))).find_map(
            |file| {
                let (_, value) = file.env.iter().rev().find(|(key, _)| key == name)?;
                Some((value.as_str(), format!("{name}={value} in {}", file.origin)))
            },
        );
        set.or_else(|| self.around.env.var(name).map(|value| (value, format!("{name}={value}"))))
    }

    /// Where a variable is switched on, if it is.
    #[must_use]
    pub fn switched_on(&self, name: &str) -> Option<String> {
        let (value, origin) = self.var(name)?;
        let on = matches!(value.trim().to_ascii_lowercase().as_str(), "1" | "true" | "yes" | "on");
        on.then_some(origin)
    }

    /// A variable of which any text counts, when it is not empty.
    #[must_use]
    pub fn filled(&self, name: &str) -> Option<(&str, String)> {
        self.var(name).filter(|(value, _)| !value.is_empty())
    }

    /// Whether files of a scope load (`--setting-sources`).
    #[must_use]
    pub fn counts(&self, scope: Scope) -> bool {
        self.request.launch.counts(scope)
    }

    /// What keeps all instruction files out, memory's index included.
    #[must_use]
    pub fn no_files(&self) -> Option<String> {
        let rules = self.rules();
        let bare = match self.request.launch.minimal {
            Minimal::Bare => Some("--bare".to_owned()),
            _ => self.switched_on("CLAUDE_CODE_SIMPLE"),
        };
        if let Some(bare) = bare {
            let walks = rules.bare_add_dir_walks && !self.request.add_dirs.is_empty();
            return (!walks).then_some(bare);
        }
        if rules.safe_mode {
            if self.request.launch.minimal == Minimal::Safe {
                return Some("--safe-mode".to_owned());
            }
            if let Some(safe) = self.switched_on("CLAUDE_CODE_SAFE_MODE") {
                return Some(safe);
            }
        }
        self.switched_on("CLAUDE_CODE_DISABLE_CLAUDE_MDS")
    }

    /// The directories from the root of the file system down to the current one.
    #[must_use]
    pub fn walk(&self) -> Vec<&Path> {
        let mut walk: Vec<&Path> = self.cwd().ancestors().collect();
        walk.reverse();
        walk
    }

    /// Whether a directory belongs to the main checkout that the current worktree lies in: its shared files are
    /// left to the worktree (CLIENT_FACTS C7).
    #[must_use]
    pub fn is_main_tree(&self, directory: &Path) -> bool {
        let root = &self.around.root;
        match (&root.main, &root.checkout) {
            (Some(main), Some(checkout)) if main != checkout && checkout.starts_with(main) => {
                directory.starts_with(main) && !directory.starts_with(checkout)
            }
            _ => false,
        }
    }

    /// The directories besides the current one in which the client may work: `--add-dir` and settings.
    #[must_use]
    pub fn working_directories(&self) -> Vec<PathBuf> {
        let files = self.around.settings.files.iter().filter(|file| self.counts(file.scope));
        let named = self.request.add_dirs.iter().chain(files.flat_map(|file| &file.directories));
        named.map(|directory| self.directory(directory)).collect()
    }

    /// A directory as the command line gives it.
    #[must_use]
    pub fn directory(&self, text: &str) -> PathBuf {
        match text.strip_prefix("~/") {
            Some(rest) if self.rules().add_dir_absolute => absolute(&self.around.env.home, rest),
            _ => absolute(self.cwd(), text),
        }
    }
}

/// Whether the person approved imports from outside for this project: keyed by the directory that stands for it,
/// and nothing else (CLIENT_FACTS C5).
fn is_approved(port: &dyn Port, around: &Surroundings) -> bool {
    let env = &around.env;
    let state = match env.var("CLAUDE_CONFIG_DIR") {
        Some(set) => absolute(&env.cwd, set).join(".claude.json"),
        None => env.home.join(".claude.json"),
    };
    if port.kind(&state) != Some(Kind::File) {
        return false;
    }
    let Ok(bytes) = port.read(&state) else { return false };
    let Ok(value) = serde_json::from_slice::<Value>(&bytes) else { return false };
    let Some(root) = around.root.named.to_str() else { return false };
    let approved = value.get("projects").and_then(|projects| projects.get(root));
    match approved.and_then(|project| project.get("hasClaudeMdExternalIncludesApproved")) {
        None | Some(Value::Null) => false,
        Some(Value::Bool(approved)) => *approved,
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        Some(_) => true,
    }
}

//! Trees in memory, and what a preview says of them. Marks such as C5 in the tests name the statement of the shared
//! facts; every expectation was measured on the three versions (the facts, or a run of the client).

use memcurator::cli::preview::{PreviewArgs, Surroundings, preview};
use memcurator::memory::Time;
use memcurator::prompt::picture::Preview;
use memcurator::prompt::port::mem::MemPort;
use memcurator::prompt::port::{Environment, Port};
use std::path::{Path, PathBuf};

pub const V100: &str = "2.1.100";
pub const V197: &str = "2.1.197";
pub const V332: &str = "2.1.332";
pub const ALL: [&str; 3] = [V100, V197, V332];
/// The memory directory of `/t/proj`.
pub const MEM: &str = "/t/home/.claude/projects/-t-proj/memory";

/// A tree in memory and how the session is started in it.
#[derive(Clone, Default)]
pub struct Case {
    pub port: MemPort,
    cwd: PathBuf,
    vars: Vec<(String, String)>,
    args: PreviewArgs,
    /// The machine's directory of managed instructions.
    pub managed: Option<PathBuf>,
}

impl Case {
    /// `/t/proj` is a repository and the current directory, `/t/home` the home.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let mut case = Self { cwd: "/t/proj".into(), ..Self::default() };
        case.port.dir("/t/proj/.git").dir("/t/home");
        case.files(files)
    }

    pub fn files(mut self, files: &[(&str, &str)]) -> Self {
        for (path, text) in files {
            self.port.file(at(path), *text);
        }
        self
    }

    pub fn link(mut self, path: &str, target: &str) -> Self {
        let target = if target.starts_with('/') { at(target) } else { target.into() };
        self.port.link(at(path), target);
        self
    }

    pub fn cwd(mut self, cwd: &str) -> Self {
        self.cwd = at(cwd);
        self.port.dir(&self.cwd);
        self
    }

    pub fn var(mut self, name: &str, value: &str) -> Self {
        self.vars.push((name.into(), value.into()));
        self
    }

    pub fn args(mut self, set: impl FnOnce(&mut PreviewArgs)) -> Self {
        set(&mut self.args);
        self
    }

    pub fn open(self, paths: &[&str]) -> Self {
        let paths = paths.iter().map(|path| at(path)).collect();
        self.args(|args| args.open = paths)
    }

    pub fn add_dir(self, directories: &[&str]) -> Self {
        let directories = directories.iter().map(|directory| (*directory).to_owned()).collect();
        self.args(|args| args.add_dir = directories).var("CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD", "1")
    }

    pub fn sources(self, sources: &str) -> Self {
        self.args(|args| args.setting_sources = Some(sources.into()))
    }

    pub fn run(&self, version: &str) -> Preview {
        self.run_over(&self.port, version)
    }

    pub fn run_over(&self, port: &dyn Port, version: &str) -> Preview {
        let env = Environment {
            vars: self.vars.iter().cloned().collect(),
            cwd: self.cwd.clone(),
            home: "/t/home".into(),
        };
        let around = Surroundings {
            port,
            env: &env,
            now: now(),
            managed_settings: None,
            managed: self.managed.clone(),
            said: memcurator::prompt::session::Said::default(),
        };
        let args = PreviewArgs { client: Some(version.into()), ..self.args.clone() };
        preview(&args, &around).unwrap()
    }

    /// The paths that load at the start, below `/t`, one word each.
    pub fn start(&self, version: &str) -> String {
        words(self.run(version).sections.iter().map(|section| section.path.as_path()))
    }

    /// The paths that opening files brings in.
    pub fn on_use(&self, version: &str) -> String {
        words(self.run(version).opened.sections.iter().map(|section| section.path.as_path()))
    }

    /// What loads at the start on each of the three versions.
    pub fn starts(&self, want: [&str; 3], what: &str) {
        for (version, want) in ALL.into_iter().zip(want) {
            assert_eq!(self.start(version), want, "{what} {version}");
        }
    }

    pub fn uses(&self, want: [&str; 3], what: &str) {
        for (version, want) in ALL.into_iter().zip(want) {
            assert_eq!(self.on_use(version), want, "{what} {version}");
        }
    }
}

pub fn at(path: &str) -> PathBuf {
    match path.strip_prefix("MEM/") {
        Some(rest) => Path::new(MEM).join(rest),
        None => Path::new("/t").join(path.trim_start_matches('/')),
    }
}

pub fn words<'a>(paths: impl Iterator<Item = &'a Path>) -> String {
    let paths: Vec<String> = paths
        .map(|path| path.to_string_lossy().replace(MEM, "MEM").trim_start_matches("/t/").to_owned())
        .collect();
    paths.join(" ")
}

pub fn now() -> Time {
    "2026-03-05T10:00:00Z".parse().unwrap()
}

pub fn settings(json: &str) -> (&'static str, String) {
    ("home/.claude/settings.json", json.to_owned())
}

/// One `CLAUDE.md` in the project, and files to import.
pub fn importing(text: &str, names: &[&str]) -> Case {
    let mut case = Case::new(&[("proj/CLAUDE.md", text)]);
    for name in names {
        case.port.file(at(&format!("proj/{name}")), "x");
    }
    case
}

pub fn imported(text: &str, names: &[&str], version: &str) -> String {
    let loaded = importing(text, names).start(version);
    loaded.trim_start_matches("proj/CLAUDE.md").trim().replace("proj/", "")
}

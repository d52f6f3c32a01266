//! What loads at the start, layer by layer, in the client's order (CLIENT_FACTS C1, C6, C7, C9, C10).

use crate::prompt::locate::settings::Scope;
use crate::prompt::opened::Fallback;
use crate::prompt::picture::{Layer, Reason, Role, Section, Skipped};
use crate::prompt::port::Kind;
use crate::prompt::session::Session;
use crate::prompt::walk::{Item, Loaded, Loader, Outside, Trim};
use std::path::{Path, PathBuf};

/// The names of instruction files in a directory, shared ones, then the person's own.
const SHARED: [&str; 2] = ["CLAUDE.md", ".claude/CLAUDE.md"];
const OWN: &str = "CLAUDE.local.md";
const FALLBACK: [&str; 2] = ["AGENTS.md", ".claude/AGENTS.md"];

/// What loads at the start, without the index.
pub struct Start<'a> {
    /// The files, in order.
    pub sections: Vec<Section>,
    /// How many rules wait for a file.
    pub waiting: usize,
    /// Whether `AGENTS.md` is read.
    pub fallback: Fallback,
    /// The loader, with what it knows of the files.
    pub loader: Loader<'a>,
}

/// A file that loads, with the directory that it belongs to.
struct Owned {
    owner: PathBuf,
    section: Section,
}

struct Layers<'a> {
    session: &'a Session<'a>,
    loader: Loader<'a>,
    owned: Vec<Owned>,
    waiting: usize,
    /// Whether a directory of the walk has instructions with content, so that `AGENTS.md` is not read.
    has_instructions: bool,
}

/// Loads what a session gets at its start.
#[must_use]
pub fn start<'a>(session: &'a Session<'a>) -> Start<'a> {
    let loader = Loader::new(session.setting(), Trim::Yes);
    let mut layers = Layers { session, loader, owned: Vec::new(), waiting: 0, has_instructions: false };
    match session.no_files() {
        Some(what) => layers.off(session.cwd(), &what),
        None => layers.all(),
    }
    let fallback = if layers.reads_fallback() { Fallback::Read } else { Fallback::NotRead };
    let sections = layers.owned.into_iter().map(|owned| owned.section).collect();
    Start { sections, waiting: layers.waiting, fallback, loader: layers.loader }
}

impl Layers<'_> {
    fn all(&mut self) {
        let session = self.session;
        let imports = if session.approved { Outside::Allowed } else { Outside::Dropped };
        if let Some(managed) = &session.request.managed {
            self.instructions(&managed.join("CLAUDE.md"), Layer::Managed, imports, managed);
            self.rules(managed, ".claude/rules", Layer::Managed, imports);
        }
        let config = session.config.clone();
        if session.counts(Scope::User) {
            self.instructions(&config.join("CLAUDE.md"), Layer::User, Outside::Allowed, &config);
            self.rules(&config, "rules", Layer::User, Outside::Allowed);
        } else if session.port.kind(&config.join("CLAUDE.md")).is_some() {
            self.off(&config.join("CLAUDE.md"), "--setting-sources");
        }
        for directory in session.walk() {
            self.directory(directory, imports);
        }
        self.added(imports);
        if self.reads_fallback() {
            self.fallback(imports);
        }
    }

    /// Whether no directory of the walk has instructions with content, and the rules know `AGENTS.md`.
    fn reads_fallback(&self) -> bool {
        let session = self.session;
        session.rules().agents_md && session.counts(Scope::Project) && !self.has_instructions
    }

    fn directory(&mut self, directory: &Path, imports: Outside) {
        let session = self.session;
        if session.counts(Scope::Project) && !session.is_main_tree(directory) {
            for name in SHARED {
                self.has_instructions |=
                    self.instructions(&directory.join(name), Layer::Project, imports, directory);
            }
            self.rules(directory, ".claude/rules", Layer::Project, imports);
        } else {
            let what = if session.counts(Scope::Project) {
                "the worktree: it has its own checkout of it"
            } else {
                "--setting-sources"
            };
            for name in SHARED {
                let path = directory.join(name);
                if session.port.kind(&path) == Some(Kind::File) && !self.loader.seen.contains(&path) {
                    self.off(&path, what);
                }
            }
        }
        let own = directory.join(OWN);
        if session.counts(Scope::Local) {
            self.has_instructions |= self.instructions(&own, Layer::Local, imports, directory);
        } else if session.port.kind(&own) == Some(Kind::File) {
            self.off(&own, "--setting-sources");
        }
    }

    /// The directories of `--add-dir`, in order: themselves only, no walk; shared files whatever the sources are.
    fn added(&mut self, imports: Outside) {
        let session = self.session;
        const SWITCH: &str = "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD";
        if session.switched_on(SWITCH).is_none() {
            for text in &session.request.add_dirs {
                let path = session.directory(text).join("CLAUDE.md");
                if session.port.kind(&path) == Some(Kind::File) && !self.loader.seen.contains(&path) {
                    self.off(&path, &format!("{SWITCH}, which is not set"));
                }
            }
            return;
        }
        for text in &session.request.add_dirs {
            let directory = session.directory(text);
            let relative = !text.starts_with('/') && !session.rules().add_dir_absolute;
            let shown = |name: &str| relative.then(|| relative_name(text, name));
            for name in SHARED {
                let path = directory.join(name);
                self.named(&path, shown(name).as_deref(), Layer::Project, imports, &directory);
            }
            self.rules(&directory, ".claude/rules", Layer::Project, imports);
            if session.rules().add_dir_local && session.counts(Scope::Local) {
                self.named(&directory.join(OWN), shown(OWN).as_deref(), Layer::Local, imports, &directory);
            }
        }
    }

    /// `AGENTS.md` of every directory of the walk that has no instructions of its own. They stand before what
    /// belongs to a directory further down (measured).
    fn fallback(&mut self, imports: Outside) {
        let session = self.session;
        for directory in session.walk() {
            if session.is_main_tree(directory) || self.has_own(directory) {
                continue;
            }
            let mut found = Vec::new();
            for name in FALLBACK {
                let path = directory.join(name);
                found.extend(self.loader.file(item(&path, None, Layer::Project, imports)));
            }
            let below = |owned: &Owned| {
                matches!(owned.section.layer, Layer::Project | Layer::Local)
                    && owned.owner != directory
                    && owned.owner.starts_with(directory)
            };
            let at = self.owned.iter().position(below).unwrap_or(self.owned.len());
            let owned =
                found.into_iter().map(|loaded| Owned { owner: directory.into(), section: loaded.section });
            self.owned.splice(at..at, owned);
        }
    }

    /// Whether a directory holds instructions that would load, were it not for `--setting-sources`.
    fn has_own(&self, directory: &Path) -> bool {
        let mut looker = Loader::new(self.session.setting(), Trim::Yes);
        // The person's own file is none of the directory's, even in the home directory.
        let users = self.session.config.join("CLAUDE.md");
        let counts_user = self.session.counts(Scope::User);
        SHARED.into_iter().chain([OWN]).any(|name| {
            let is_users = counts_user && directory.join(name) == users;
            !is_users
                && !looker
                    .file(item(&directory.join(name), None, Layer::Project, Outside::Dropped))
                    .is_empty()
        })
    }

    fn instructions(&mut self, path: &Path, layer: Layer, imports: Outside, owner: &Path) -> bool {
        self.named(path, None, layer, imports, owner)
    }

    /// Loads one file with its imports; gives whether it has content.
    fn named(
        &mut self,
        path: &Path,
        shown: Option<&str>,
        layer: Layer,
        imports: Outside,
        owner: &Path,
    ) -> bool {
        let loaded = self.loader.file(item(path, shown, layer, imports));
        let any = !loaded.is_empty();
        self.owned
            .extend(loaded.into_iter().map(|loaded| Owned { owner: owner.into(), section: loaded.section }));
        any
    }

    fn rules(&mut self, base: &Path, name: &str, layer: Layer, imports: Outside) {
        for Loaded { section, patterns } in self.loader.rules(&base.join(name), base, layer, imports) {
            if patterns.is_empty() {
                self.owned.push(Owned { owner: base.into(), section });
                continue;
            }
            self.waiting += 1;
            self.loader.skipped.push(Skipped {
                path: section.path,
                from: section.via,
                reason: Reason::Conditional(patterns),
                hint: None,
            });
        }
    }

    fn off(&mut self, path: &Path, what: &str) {
        let reason = Reason::Off(what.to_owned());
        self.loader.skipped.push(Skipped { path: path.to_path_buf(), from: None, reason, hint: None });
    }
}

/// An instruction file.
pub(super) fn item<'a>(path: &'a Path, shown: Option<&'a str>, layer: Layer, outside: Outside) -> Item<'a> {
    Item { path, shown, link: None, layer, role: Role::Instructions, via: None, written: None, outside }
}

/// A path below a relative directory as the client writes it.
fn relative_name(directory: &str, name: &str) -> String {
    crate::prompt::locate::path::normal(&Path::new(directory).join(name)).to_string_lossy().into_owned()
}

//! What comes in when files are opened in the session (CLIENT_FACTS C12, D1). The order was measured in the requests of
//! 2.1.100, 2.1.197 and 2.1.332: rules of the person, the directories between the current one and the file from the
//! top down, then the rules of the current directory and those above it.

use crate::memory::Time;
use crate::memory::age::CLIENT_NOTE_DAYS;
use crate::prompt::gitignore::Patterns;
use crate::prompt::layers::item;
use crate::prompt::locate::settings::Scope;
use crate::prompt::picture::{Layer, Opened, OpenedFile, Section, Survives};
use crate::prompt::port::{Kind, Port};
use crate::prompt::session::Session;
use crate::prompt::walk::{Loaded, Loader, Outside, Trim};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// What opening the request's files brings in, after `start` has loaded. `fallback` says that no instructions with
/// content loaded at the start, so that `AGENTS.md` is read where the rules know it.
#[must_use]
pub fn open(session: &Session<'_>, start: &[Section], fallback: Fallback) -> Opened {
    let mut opening = Opening {
        session,
        fallback,
        delivered: HashSet::new(),
        read: HashSet::new(),
        out: Opened::default(),
    };
    if session.rules().start_counts_on_use {
        opening.delivered.extend(start.iter().map(|section| section.path.clone()));
    }
    for path in &session.request.open {
        opening.file(&crate::prompt::locate::path::absolute(session.cwd(), path));
    }
    opening.out
}

/// Whether `AGENTS.md` is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fallback {
    /// Where a directory has no instructions of its own.
    Read,
    /// Nowhere.
    NotRead,
}

struct Opening<'a> {
    session: &'a Session<'a>,
    fallback: Fallback,
    /// What the session has been given already.
    delivered: HashSet<PathBuf>,
    /// What was opened itself.
    read: HashSet<PathBuf>,
    out: Opened,
}

impl Opening<'_> {
    fn file(&mut self, path: &Path) {
        let session = self.session;
        let readable = session.port.kind(path) == Some(Kind::File);
        self.read.insert(path.to_path_buf());
        let memory = session.located.off.is_none().then_some(session.located.dir.as_path());
        self.out.files.push(OpenedFile {
            path: path.to_path_buf(),
            age_note_days: age_note(session.port, path, memory, session.request.now),
            readable,
            age_note: None,
            brings: None,
        });
        let triggers = readable || session.rules().missing_read_triggers;
        let off = session.no_files();
        let off =
            off.filter(|what| session.rules().disabled_on_use || !what.starts_with("CLAUDE_CODE_DISABLE"));
        if triggers && off.is_none() && self.may_work(path) {
            self.bring(path);
        }
    }

    /// Whether a file lies where the client works: below the current directory or an added one, in fact too.
    fn may_work(&self, path: &Path) -> bool {
        let session = self.session;
        let mut places = session.working_directories();
        places.push(session.cwd().to_path_buf());
        let real = session.port.real(path).unwrap_or_else(|_| path.to_path_buf());
        let inside = |path: &Path, place: &PathBuf| {
            let known = session.port.real(place).unwrap_or_else(|_| place.clone());
            path.starts_with(place) || path.starts_with(known)
        };
        places.iter().any(|place| inside(path, place)) && places.iter().any(|place| inside(&real, place))
    }

    fn bring(&mut self, path: &Path) {
        let session = self.session;
        let mut loader = Loader::new(session.setting(), Trim::No);
        let cwd = session.cwd();
        if let Some(managed) = &session.request.managed {
            let rules =
                loader.rules(&managed.join(".claude/rules"), managed, Layer::Managed, Outside::Dropped);
            self.matching(rules, cwd, path);
        }
        if session.counts(Scope::User) {
            let config = session.config.as_path();
            let rules = loader.rules(&config.join("rules"), config, Layer::User, Outside::Allowed);
            self.matching(rules, cwd, path);
        }
        let mut without = Vec::new();
        for directory in between(cwd, path) {
            if self.directory(&mut loader, &directory, path) {
                without.push(directory);
            }
        }
        for directory in session.walk() {
            let skipped = session.is_main_tree(directory) && session.rules().worktree_skips_on_use;
            if !skipped && self.has_rules() {
                let rules = loader.rules(
                    &directory.join(".claude/rules"),
                    directory,
                    Layer::Project,
                    Outside::Dropped,
                );
                self.matching(rules, directory, path);
            }
        }
        // Last of all (measured), where `AGENTS.md` counts.
        let fallback = self.fallback == Fallback::Read && session.counts(Scope::Project);
        for directory in without.iter().filter(|_| fallback) {
            for name in ["AGENTS.md", ".claude/AGENTS.md"] {
                for loaded in loader.file(item(&directory.join(name), None, Layer::Project, Outside::Dropped))
                {
                    self.deliver(loaded.section, None, path);
                }
            }
        }
    }

    fn has_rules(&self) -> bool {
        self.session.counts(Scope::Project) || !self.session.rules().sources_limit_rules_on_use
    }

    /// A directory between the current one and the file: shared files, own ones, then rules. Gives whether it has no
    /// instructions of its own.
    fn directory(&mut self, loader: &mut Loader<'_>, directory: &Path, path: &Path) -> bool {
        let session = self.session;
        let mut own = Vec::new();
        if session.counts(Scope::Project) {
            for name in ["CLAUDE.md", ".claude/CLAUDE.md"] {
                own.extend(loader.file(item(&directory.join(name), None, Layer::Project, Outside::Dropped)));
            }
        }
        if session.counts(Scope::Local) {
            let path = directory.join("CLAUDE.local.md");
            own.extend(loader.file(item(&path, None, Layer::Local, Outside::Dropped)));
        }
        let lacks_own = own.is_empty();
        for loaded in own {
            self.deliver(loaded.section, None, path);
        }
        if self.has_rules() {
            self.nested_rules(loader, directory, path);
        }
        lacks_own
    }

    fn nested_rules(&mut self, loader: &mut Loader<'_>, directory: &Path, path: &Path) {
        let rules =
            loader.rules(&directory.join(".claude/rules"), directory, Layer::Project, Outside::Dropped);
        let (waiting, always): (Vec<_>, Vec<_>) =
            rules.into_iter().partition(|rule| !rule.patterns.is_empty());
        for loaded in always {
            self.deliver(loaded.section, None, path);
        }
        self.matching(waiting, directory, path);
    }

    /// Those of the rules that wait for this file. Patterns start at `base`.
    fn matching(&mut self, rules: Vec<Loaded>, base: &Path, path: &Path) {
        let Ok(relative) = path.strip_prefix(base) else { return };
        let relative = relative.to_string_lossy();
        // The client takes a name that begins with two dots for a way out.
        if relative.is_empty() || relative.starts_with("..") {
            return;
        }
        for Loaded { section, patterns } in rules {
            let patterns = Patterns::new(patterns.iter().map(String::as_str));
            if let Some(pattern) = patterns.matching(&relative) {
                self.deliver(section, Some(pattern.to_owned()), path);
            }
        }
    }

    /// Adds a file, unless the session has it: it was brought in before, or opened itself.
    fn deliver(&mut self, mut section: Section, matched: Option<String>, by: &Path) {
        if self.read.contains(&section.path) || !self.delivered.insert(section.path.clone()) {
            return;
        }
        section.matched = matched;
        section.opened_by = Some(by.to_path_buf());
        section.survives = Survives::OnUse;
        self.out.sections.push(section);
    }
}

/// The directories below `cwd` down to the one that holds the file.
fn between(cwd: &Path, path: &Path) -> Vec<PathBuf> {
    let Some(parent) = path.parent().filter(|parent| parent.starts_with(cwd)) else { return Vec::new() };
    let mut found: Vec<PathBuf> =
        parent.ancestors().take_while(|directory| *directory != cwd).map(Path::to_path_buf).collect();
    found.reverse();
    found
}

/// The whole days that the client names before a file of the memory directory, by its time of change alone.
#[must_use]
pub fn age_note(port: &dyn Port, path: &Path, memory: Option<&Path>, now: Time) -> Option<u32> {
    let inside = memory.is_some_and(|memory| path.starts_with(memory) && path != memory);
    if !inside || port.kind(path) != Some(Kind::File) || port.size(path) == Some(0) {
        return None;
    }
    let days = u32::try_from((now - port.modified(path)?).num_days()).ok()?;
    (days >= CLIENT_NOTE_DAYS).then_some(days)
}

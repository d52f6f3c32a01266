//! Loading files as the client does: one file with its imports, and a directory of rules (CLIENT_FACTS C2 to C5, C8;
//! what is marked "measured" beyond it was seen in the same way on 2.1.100, 2.1.197 and 2.1.332).

mod advice;

use crate::prompt::excludes::Excludes;
use crate::prompt::frontmatter;
use crate::prompt::imports::{self, Mention, Place};
use crate::prompt::picture::{Layer, Reason, Role, Section, Skipped, Survives, Warning};
use crate::prompt::port::{Kind, Port};
use crate::prompt::text::{self, Parts};
use crate::prompt::versions::Rules;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// How many levels of imports load.
pub const MAX_DEPTH: usize = 4;
/// The largest file that loads, in bytes, where there is such a limit (CLIENT_FACTS B5).
pub const MAX_BYTES: u64 = 4 * 1024 * 1024;
/// The largest file that this program reads for the versions without a limit.
pub const MAX_READ: u64 = 64 * 1024 * 1024;

/// What the loader needs to know about the session.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// The files.
    pub port: &'a dyn Port,
    /// The client's rules.
    pub rules: &'a Rules,
    /// The real directory in which the session starts.
    pub cwd: &'a Path,
    /// The home directory.
    pub home: &'a Path,
    /// The repository's root, for hints.
    pub root: Option<&'a Path>,
    /// What is excluded.
    pub excludes: &'a Excludes,
    /// Whether imports from outside the current directory are approved for the project.
    pub approved: bool,
}

/// Loads files and remembers which ones, since each loads once.
pub struct Loader<'a> {
    /// The session.
    pub setting: Setting<'a>,
    /// The paths that have loaded.
    pub seen: HashSet<PathBuf>,
    /// What did not load, and why.
    pub skipped: Vec<Skipped>,
    /// What to tell about files.
    pub warnings: Vec<Warning>,
    /// How bodies are taken.
    pub trim: Trim,
}

/// Whether bodies are trimmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trim {
    /// As in the first message.
    Yes,
    /// As in files that load on use.
    No,
}

/// A file on its way: where it was reached, and under whose name.
#[derive(Clone, Copy)]
pub struct Item<'a> {
    /// The path by which it was reached.
    pub path: &'a Path,
    /// The path as the client writes it, where that is another one.
    pub shown: Option<&'a str>,
    /// The link that led to a rule.
    pub link: Option<&'a Path>,
    /// Its layer.
    pub layer: Layer,
    /// What it is.
    pub role: Role,
    /// The file that imports it.
    pub via: Option<&'a Path>,
    /// The path as the importing file has it.
    pub written: Option<&'a str>,
    /// Whether its imports may lie outside the current directory.
    pub outside: Outside,
}

impl Item<'_> {
    /// The path as the client writes it.
    fn name(&self) -> std::borrow::Cow<'_, str> {
        self.shown.map_or_else(|| self.path.to_string_lossy(), std::borrow::Cow::Borrowed)
    }
}

/// Whether imports may lie outside the current directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outside {
    /// They may.
    Allowed,
    /// They are dropped.
    Dropped,
}

/// A file that was loaded, with the patterns of its `paths`.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The section.
    pub section: Section,
    /// The patterns; empty: it loads always.
    pub patterns: Vec<String>,
}

impl<'a> Loader<'a> {
    /// A loader that has loaded nothing yet.
    #[must_use]
    pub fn new(setting: Setting<'a>, trim: Trim) -> Self {
        Self { setting, seen: HashSet::new(), skipped: Vec::new(), warnings: Vec::new(), trim }
    }

    /// Loads a file and what it imports, each file before its imports.
    pub fn file(&mut self, item: Item<'_>) -> Vec<Loaded> {
        let mut out = Vec::new();
        self.load(item, 0, &mut out);
        out
    }

    fn load(&mut self, item: Item<'_>, depth: usize, out: &mut Vec<Loaded>) {
        let Some((bytes, real)) = self.open(item, depth) else { return };
        let Parts { body, source, yaml } = text::parts(&bytes, self.setting.rules, self.trim);
        if body.trim_matches(text::is_blank).is_empty() {
            self.skip(item, Reason::Empty);
            return;
        }
        let paths = yaml.map(|yaml| frontmatter::paths(&yaml, self.setting.rules)).unwrap_or_default();
        if item.role == Role::Rule {
            self.flag(item.path, &paths);
        }
        out.push(Loaded {
            section: Section {
                path: item.path.to_path_buf(),
                shown: item.name().into_owned(),
                layer: item.layer,
                role: item.role,
                via: item.via.map(Path::to_path_buf),
                body,
                half: None,
                matched: None,
                opened_by: None,
                survives: Survives::Yes,
            },
            patterns: paths.patterns,
        });
        // Relative imports start at the real directory of the importing file.
        let directory = real.parent().unwrap_or(&real);
        for mention in imports::scan(&source) {
            let path = imports::resolve(&mention.path, directory, self.setting.home);
            let via = Some(item.path);
            let written = Some(mention.path.as_str());
            let import =
                Item { path: &path, shown: None, link: None, role: Role::Import, via, written, ..item };
            if self.may_import(import, &mention) {
                self.load(import, depth + 1, out);
            }
        }
    }

    /// Whether an import is allowed where it lies.
    fn may_import(&mut self, import: Item<'_>, mention: &Mention) -> bool {
        let Setting { port, cwd, rules, .. } = self.setting;
        let text_only = mention.place == Place::Item;
        let exists = port.kind(import.path).is_some();
        if text_only && (!exists || imports::refused_extension(import.path).is_some()) {
            return false;
        }
        if import.outside == Outside::Allowed || (import.path.starts_with(cwd) && !exists) {
            return true;
        }
        let leads_out =
            || rules.links_stay_inside && port.real(import.path).is_ok_and(|real| !real.starts_with(cwd));
        let reason = match import.path.starts_with(cwd) {
            _ if !exists => Reason::Missing,
            false => Reason::Outside,
            true if leads_out() => Reason::LinkOutside,
            true => return true,
        };
        let hint = self.hint(import, &reason);
        self.skipped.push(Skipped {
            path: import.path.to_path_buf(),
            from: import.via.map(Path::to_path_buf),
            reason,
            hint,
        });
        false
    }

    /// The bytes of a file that is to load, and its real path; marks it as loaded.
    fn open(&mut self, item: Item<'_>, depth: usize) -> Option<(Vec<u8>, PathBuf)> {
        let Setting { port, rules, excludes, .. } = self.setting;
        let fail = |loader: &mut Self, reason| {
            loader.skip(item, reason);
            None
        };
        if depth > MAX_DEPTH {
            return fail(self, Reason::TooDeep);
        }
        if self.seen.contains(item.path) {
            return fail(self, Reason::Already);
        }
        let linked = item.link.filter(|_| rules.links_excluded).map(Path::to_string_lossy);
        let pattern = [Some(item.name()), linked]
            .into_iter()
            .flatten()
            .find_map(|name| excludes.matching(&name).map(str::to_owned));
        if let Some(pattern) = pattern.filter(|_| item.layer != Layer::Managed) {
            return fail(self, Reason::Excluded(pattern));
        }
        match port.kind(item.path) {
            None => return fail(self, Reason::Missing),
            Some(Kind::Dir | Kind::Other) => return fail(self, Reason::NotAFile),
            Some(Kind::File) => {}
        }
        let real = match port.real(item.path) {
            Ok(real) => real,
            Err(error) => return fail(self, Reason::Unreadable(error.to_string())),
        };
        if rules.real_path_once && self.seen.contains(&real) {
            return fail(self, Reason::Already);
        }
        if let Some(extension) = imports::refused_extension(item.path) {
            return fail(self, Reason::Extension(extension));
        }
        self.seen.insert(item.path.to_path_buf());
        self.seen.insert(real.clone());
        // The size comes first: nothing large is read only to be dropped.
        let size = port.size(item.path).unwrap_or_default();
        if size > MAX_BYTES && rules.size_limit {
            self.warnings.push(Warning {
                id: "too-large",
                path: Some(item.path.to_path_buf()),
                message: format!("{size} bytes: over 4 MiB, so the client drops it without a word"),
            });
            return fail(self, Reason::TooLarge(size));
        }
        if size > MAX_READ {
            return fail(self, Reason::NotRead(size));
        }
        match port.read(item.path) {
            Ok(bytes) => Some((bytes, real)),
            Err(error) => fail(self, Reason::Unreadable(error.to_string())),
        }
    }

    /// Loads every rule below a directory: `base` is the directory that holds it (`.claude` left out).
    ///
    /// Whatever carries `paths` is conditional, an imported file too; its own imports are not.
    pub fn rules(&mut self, directory: &Path, base: &Path, layer: Layer, outside: Outside) -> Vec<Loaded> {
        let Setting { port, .. } = self.setting;
        if port.kind(directory) != Some(Kind::Dir) {
            return Vec::new();
        }
        let Ok(real) = port.real(directory) else { return Vec::new() };
        let plain = directory.strip_prefix(base).ok().and_then(|rest| Some(port.real(base).ok()?.join(rest)));
        let mut walk = RulesWalk { layer, outside, visited: HashSet::new(), out: Vec::new() };
        if plain.as_ref() != Some(&real) && self.leads_out(&real, outside) {
            self.skipped.push(Skipped {
                path: directory.to_path_buf(),
                from: None,
                reason: Reason::LinkOutside,
                hint: None,
            });
            return Vec::new();
        }
        self.rules_below(&real, &mut walk);
        walk.out
    }

    fn rules_below(&mut self, directory: &Path, walk: &mut RulesWalk) {
        if !walk.visited.insert(directory.to_path_buf()) {
            return;
        }
        let Setting { port, rules, .. } = self.setting;
        let mut names = match port.list(directory) {
            Ok(names) => names,
            Err(error) => {
                self.skipped.push(Skipped {
                    path: directory.to_path_buf(),
                    from: None,
                    reason: Reason::Unreadable(error.to_string()),
                    hint: None,
                });
                return;
            }
        };
        if rules.rules_sorted {
            names.sort();
        }
        for name in names {
            let entry = directory.join(&name);
            let kind = port.kind(&entry);
            let is_rule = kind == Some(Kind::File) && name.to_string_lossy().ends_with(".md");
            if kind != Some(Kind::Dir) && !is_rule {
                continue;
            }
            let real = if port.is_link(&entry) { port.real(&entry) } else { Ok(entry.clone()) };
            let Ok(real) = real else { continue };
            if real != entry && self.leads_out(&real, walk.outside) {
                self.skipped.push(Skipped {
                    path: entry,
                    from: None,
                    reason: Reason::LinkOutside,
                    hint: None,
                });
            } else if is_rule {
                let item = Item {
                    path: &real,
                    shown: None,
                    link: (real != entry).then_some(entry.as_path()),
                    layer: walk.layer,
                    role: Role::Rule,
                    via: None,
                    written: None,
                    outside: walk.outside,
                };
                let mut loaded = self.file(item);
                walk.out.append(&mut loaded);
            } else {
                self.rules_below(&real, walk);
            }
        }
    }

    fn leads_out(&self, real: &Path, outside: Outside) -> bool {
        let Setting { rules, cwd, .. } = self.setting;
        rules.links_stay_inside && outside == Outside::Dropped && !real.starts_with(cwd)
    }

    fn skip(&mut self, item: Item<'_>, reason: Reason) {
        // Places that the client looks at by itself are mostly empty: only what is there is worth a word.
        if item.role != Role::Import && matches!(reason, Reason::Missing | Reason::Already) {
            return;
        }
        let hint = item.via.and_then(|_| self.hint(item, &reason));
        let (path, from) = (item.path.to_path_buf(), item.via.map(Path::to_path_buf));
        self.skipped.push(Skipped { path, from, reason, hint });
    }
}

struct RulesWalk {
    layer: Layer,
    outside: Outside,
    visited: HashSet<PathBuf>,
    out: Vec<Loaded>,
}

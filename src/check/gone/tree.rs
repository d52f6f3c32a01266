//! What the paths that memories name mean in a project: by the whole path, by its end, without an ending, in another
//! letter case. Only what none of these finds is missing.

use crate::check::project::{Commit, Fate, Project, Reach};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The paths of a project and of its past, by their last part.
pub(in crate::check) struct Tree<'a> {
    project: &'a Project,
    /// The project's own name, in lower case.
    name: String,
    /// Files and directories in lower case, by the last part; files without their ending too.
    here: HashMap<String, Vec<Arc<str>>>,
    /// The directories at the top.
    tops: HashSet<String>,
    /// Paths of the past, by the last part in lower case.
    past: HashMap<String, Vec<&'a str>>,
}

/// What became of a path that is not there.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::check) enum Missing<'a> {
    /// A commit removed it; the path as it was.
    Gone { was: &'a str, by: &'a Commit },
    /// A commit moved it; whether it can only be this one.
    Moved { was: &'a str, to: &'a str, by: &'a Commit, is_only: bool },
    /// It looks like a path of the project, and never was there as far as is known.
    Unknown,
}

impl<'a> Tree<'a> {
    /// `None` when nothing of the past is known: then nothing is missing.
    pub(super) fn of(project: &'a Project) -> Option<Self> {
        (project.history.reach != Reach::None).then(|| Self::new(project))
    }

    /// The same, whatever is known of the past.
    pub(in crate::check) fn new(project: &'a Project) -> Self {
        let name = project.root.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let (mut here, mut tops): (HashMap<String, Vec<Arc<str>>>, _) = (HashMap::new(), HashSet::new());
        let mut directories: HashSet<&str> = HashSet::new();
        let mut add = |path: &str, is_file: bool| {
            let path: Arc<str> = path.to_lowercase().into();
            let last = last_of(&path);
            here.entry(last.to_owned()).or_default().push(path.clone());
            if let Some(stem) =
                last.split_once('.').map(|(stem, _)| stem).filter(|stem| is_file && !stem.is_empty())
            {
                here.entry(format!("{stem}.")).or_default().push(path.clone());
            }
        };
        for file in project.files.iter() {
            add(file, true);
            let mut rest = file.as_str();
            while let Some((directory, _)) = rest.rsplit_once('/') {
                if !directories.insert(directory) {
                    break;
                }
                add(directory, false);
                rest = directory;
            }
            if let Some((top, _)) = file.split_once('/') {
                tops.insert(top.to_lowercase());
            }
        }
        let mut past: HashMap<String, Vec<&str>> = HashMap::new();
        for path in project.history.paths.keys() {
            past.entry(last_of(path.trim_end_matches('/')).to_lowercase()).or_default().push(path);
        }
        Self { project, name, here, tops, past }
    }

    /// What is missing of a path; `None`: it is there, or nothing is known.
    pub(super) fn missing(&self, text: &str, is_sure: bool) -> Option<Missing<'a>> {
        let path = self.relative(text)?;
        let short = self.without_name(path);
        if path.is_empty() || self.is_here(path) || short.is_some_and(|short| self.is_here(short)) {
            return None;
        }
        let before = self.before(path).or_else(|| short.and_then(|short| self.before(short)));
        if before.is_some() {
            return before;
        }
        if self.end_that_is_here(path).is_some() {
            return None;
        }
        let top = path.split('/').next().unwrap_or_default().to_lowercase();
        (is_sure && !text.starts_with("..") && self.tops.contains(&top)).then_some(Missing::Unknown)
    }

    /// Where a path is today: every file and directory that it may mean, in the order of the project's files, a
    /// directory with `/` at its end. Nothing for what [`Tree::missing`] calls missing.
    pub(in crate::check) fn found(&self, text: &str) -> Vec<String> {
        let Some(path) = self.relative(text).filter(|path| !path.is_empty()) else { return Vec::new() };
        let wanted = [Some(path), self.without_name(path)].into_iter().flatten().find(|it| self.is_here(it));
        let Some(wanted) = wanted.or_else(|| self.end_that_is_here(path)) else { return Vec::new() };
        let low = wanted.to_lowercase();
        let is_meant = |known: &str| {
            let known = known.to_lowercase();
            let name = last_of(&known);
            let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
            let without_ending = known.get(..known.len() - name.len() + stem.len()).unwrap_or(&known);
            ends_with(&known, &low) || !last_of(&low).contains('.') && ends_with(without_ending, &low)
        };
        let mut found: Vec<String> = Vec::new();
        let mut directories: HashSet<&str> = HashSet::new();
        for file in self.project.files.iter() {
            if is_meant(file) {
                found.push(file.clone());
            }
            let mut rest = file.as_str();
            while let Some((directory, _)) = rest.rsplit_once('/').filter(|(it, _)| directories.insert(it)) {
                if ends_with(&directory.to_lowercase(), &low) {
                    found.push(format!("{directory}/"));
                }
                rest = directory;
            }
        }
        // One that is exactly so is meant.
        if let Some(exact) = found.iter().position(|known| known.trim_end_matches('/') == wanted) {
            found.swap(0, exact);
        }
        found
    }

    /// Whether a path could be one of the project's: it is not absolute, or below the root.
    pub(in crate::check) fn is_inside(&self, text: &str) -> bool {
        self.relative(text).is_some()
    }

    /// The path from the root, as far as it can be told.
    fn relative<'p>(&self, text: &'p str) -> Option<&'p str> {
        self.below_root(text.trim_end_matches('/').trim_start_matches("../").trim_start_matches("./"))
    }

    /// The end of a longer path than the project's own, which was written from a directory above.
    fn end_that_is_here<'p>(&self, path: &'p str) -> Option<&'p str> {
        let mut rest = path;
        while let Some((_, tail)) = rest.split_once('/') {
            rest = tail;
            let known = self.here.get(&last_of(rest).to_lowercase());
            if rest.contains('/')
                && known.is_some_and(|all| all.iter().any(|known| **known == *rest.to_lowercase()))
            {
                return Some(rest);
            }
        }
        None
    }

    /// An absolute path below the project's directory as a relative one; others are not the project's.
    fn below_root<'p>(&self, path: &'p str) -> Option<&'p str> {
        if !path.starts_with('/') {
            return Some(path);
        }
        let root = self.project.root.to_str().filter(|root| root.len() > 1)?;
        path.strip_prefix(root.trim_end_matches('/'))?.strip_prefix('/')
    }

    /// The path without the project's name before it.
    fn without_name<'p>(&self, path: &'p str) -> Option<&'p str> {
        let (first, rest) = path.split_once('/')?;
        (first.to_lowercase() == self.name && !rest.is_empty()).then_some(rest)
    }

    fn is_here(&self, path: &str) -> bool {
        let low = path.to_lowercase();
        let last = last_of(&low);
        let ends = |key: &str, wanted: &str, cut: bool| {
            self.here.get(key).is_some_and(|all| {
                all.iter().any(|known| {
                    let known: &str = if cut {
                        known.split_at(known.len() - last_of(known).len() + last.len()).0
                    } else {
                        known
                    };
                    ends_with(known, wanted)
                })
            })
        };
        // `src/a` for `src/a.rs`, and `a/b` for the package `a_b` is not meant.
        ends(last, &low, false) || !last.contains('.') && ends(&format!("{last}."), &low, true)
    }

    /// What the past tells of a path: of all that end like it the newest.
    fn before(&self, path: &str) -> Option<Missing<'a>> {
        let low = path.to_lowercase();
        let known = self.past.get(last_of(&low))?;
        let paths = &self.project.history.paths;
        let fates = known.iter().filter(|known| ends_with(&known.trim_end_matches('/').to_lowercase(), &low));
        let mut fates: Vec<(&str, &Fate)> =
            fates.filter_map(|known| Some((*known, paths.get(*known)?))).collect();
        // One that is exactly so is meant.
        if let Some(exact) = fates.iter().find(|(known, _)| known.trim_end_matches('/') == path).copied() {
            fates = vec![exact];
        }
        let is_only = fates.len() == 1;
        let date = |fate: &Fate| match fate {
            Fate::Removed(by) | Fate::Moved { by, .. } => by.date,
        };
        let (was, fate) = fates.into_iter().max_by_key(|(_, fate)| date(fate))?;
        Some(match fate {
            Fate::Moved { to, by } if self.is_here(to) => Missing::Moved { was, to, by, is_only },
            Fate::Moved { by, .. } | Fate::Removed(by) => Missing::Gone { was, by },
        })
    }
}

/// Whether a path is the whole or the last parts of another.
fn ends_with(known: &str, wanted: &str) -> bool {
    known.strip_suffix(wanted).is_some_and(|head| head.is_empty() || head.ends_with('/'))
}

fn last_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

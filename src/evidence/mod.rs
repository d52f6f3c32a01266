//! What a project says about memories: its files, where the literals that memories name stand in them, and what git
//! tells of those that are gone. Reads only, and runs nothing but `git`.
//!
//! One walk lists the files (`walk`), one pass over each looks for all literals at once (`needles`, `scan`,
//! `tree`). Meanwhile one pass of git's log tells what became of paths (`log`, `fates`); then what files held
//! before is searched for the literals that are absent from today's code (`blobs`), newest first, until all are
//! found or the time is up. What was read of the history is kept by commit (`cache`).

mod base;
mod blobs;
mod cache;
mod fates;
mod git;
mod kind;
mod library;
mod log;
mod needles;
mod past;
mod scan;
mod source;
mod tree;
mod walk;

pub use git::find_git;

use crate::check::project::{History, Place, Project, Text, Wanted};
use crate::memory::Time;
use crate::memory::text::visible;
use past::Past;
use source::Source;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use walk::Entry;

/// How a project is looked at.
#[derive(Debug, Clone)]
pub struct Options {
    /// Files and directories whose content is no evidence (the stores, instruction files): they are listed, and
    /// nothing is looked for in them. Absolute.
    pub exclude: Vec<PathBuf>,
    /// The time that the history may take.
    pub budget: Duration,
    /// Where what was read of histories is kept (`CACHE/evidence`); made when it is not there. `None`: nothing is
    /// kept.
    pub cache: Option<PathBuf>,
    /// The `git` program ([`find_git`]); without one the library reads the history, more slowly.
    pub git: Option<PathBuf>,
    /// More files than this are not listed.
    pub most_files: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            exclude: Vec::new(),
            budget: Duration::from_secs(10),
            cache: None,
            git: None,
            most_files: 200_000,
        }
    }
}

impl Options {
    fn budget_millis(&self) -> u64 {
        u64::try_from(self.budget.as_millis()).unwrap_or(u64::MAX)
    }
}

/// How far a look is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// So many files are listed.
    Listing(usize),
    /// Files are read for literals.
    Reading {
        /// So many are.
        done: usize,
        /// Of so many.
        of: usize,
    },
    /// The history is read.
    History {
        /// So many commits are.
        commits: usize,
        /// The date of the last one.
        back_to: Option<Time>,
    },
    /// What files held before is searched.
    Searching {
        /// So many old contents are.
        done: usize,
        /// Of so many.
        of: usize,
    },
}

/// Why there is nothing to show.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LookError {
    /// It was asked to end.
    #[error("the look at the project was cancelled")]
    Cancelled,
    /// The project is no directory that can be read: what happened, in words, safe to show.
    #[error("{0}")]
    Unreadable(String),
}

/// When to end early.
#[derive(Clone, Copy)]
struct Stop<'a> {
    cancel: &'a AtomicBool,
    at: Instant,
}

impl Stop<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    fn is_due(&self) -> bool {
        self.is_cancelled() || Instant::now() >= self.at
    }
}

/// Looks at the project at `root` for everything that is wanted. `instructions` are what a session loads, and become
/// part of the result. `progress` is called from several threads, once for some dozens of files or old contents;
/// `cancel` is noticed within 50 ms at every stage.
///
/// # Errors
///
/// When it was cancelled, or the root can't be listed. A history that can't be read is no error but a note.
pub fn look(
    root: &Path,
    wanted: &Wanted,
    instructions: Vec<Text>,
    options: &Options,
    progress: &(dyn Fn(Progress) + Sync),
    cancel: &AtomicBool,
) -> Result<Project, LookError> {
    let unreadable = |error: std::io::Error| {
        let shown = visible(&root.to_string_lossy(), false).into_owned();
        LookError::Unreadable(format!("the project {shown} can't be read: {error}; is its path right?"))
    };
    let real = root.canonicalize().map_err(unreadable)?;
    std::fs::read_dir(&real).map_err(unreadable)?;

    let begin = Instant::now();
    let stop = Stop { cancel, at: begin + options.budget };
    // The search gets what the reading of the log leaves, and never less than this.
    let stop_log = Stop { cancel, at: begin + options.budget * 6 / 10 };
    let source = Source::new(options.git.as_deref(), &real);
    thread::scope(|scope| {
        let past = scope.spawn(|| {
            let read = |head| Past::read(&source, &real, head, options, progress, &stop_log);
            (source.tracked(&stop_log), source.head(&stop_log).map(read))
        });
        let listed = |count| progress(Progress::Listing(count));
        let walked = walk::walk(&real, options.most_files, cancel, &listed);
        let mut notes = Vec::new();
        let mut files = walked.files;
        let needles = needles::Needles::new(wanted);
        let is_excluded = excluded(&real, options, &instructions);
        let of = files.len();
        let read = |done| progress(Progress::Reading { done, of });
        let mut places = tree::places(&real, &files, &needles, &is_excluded, cancel, &read);
        let texts = tree::texts(&real, &files, cancel);

        let failed = |_| (Vec::new(), Err("reading it failed".to_owned()));
        let (names, past) = past.join().unwrap_or_else(failed);
        let tracked: HashSet<String> = names.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        let more = kept_though_ignored(&real, &files, &names);
        merge(&mut places, tree::places(&real, &more, &needles, &is_excluded, cancel, &|_| ()));
        files.extend(more);
        files.sort_unstable();
        if let Err(why) = &past {
            notes.push(format!("no history: {why}"));
        }
        if walked.is_cut {
            let most = options.most_files;
            notes.push(format!("the project has more than {most} files; only so many were looked at"));
        }
        let paths: Vec<String> = files.into_iter().map(|file| file.path).collect();
        let history = past.map_or_else(
            |_| History::default(),
            |past| {
                let here: HashSet<&str> = paths.iter().map(String::as_str).collect();
                let is_alive =
                    |path: &str| here.contains(path) || tracked.contains(path) || is_there(&real.join(path));
                // What was not looked for everywhere can't be called absent.
                let absent = if walked.is_cut { Wanted::default() } else { absent(wanted, &places) };
                past.finish(&absent, &is_alive, &stop)
            },
        );
        if stop.is_cancelled() {
            return Err(LookError::Cancelled);
        }
        let root = root.to_path_buf();
        Ok(Project { root, files: Arc::new(paths), places, texts, instructions, history, notes })
    })
}

/// One line (from 1) of a file of the project, which must be a regular file below the root, no link and not too large
/// (2 MiB); `None` where there is none.
#[must_use]
pub fn line(root: &Path, path: &str, line: usize) -> Option<String> {
    let path = Path::new(path);
    if !path.components().all(|part| matches!(part, std::path::Component::Normal(_))) {
        return None;
    }
    let bytes = Entry::new(path, true).read(root, tree::LARGEST)?;
    let line = bytes.split(|byte| *byte == b'\n').nth(line.checked_sub(1)?)?;
    Some(String::from_utf8_lossy(line).into_owned())
}

/// Whether a file's content is no evidence, by its path relative to the root.
fn excluded<'a>(
    real: &Path,
    options: &'a Options,
    instructions: &[Text],
) -> impl Fn(&str) -> bool + Sync + use<'a> {
    let inside = |path: &PathBuf| {
        let path = path.canonicalize().unwrap_or_else(|_| path.clone());
        path.strip_prefix(real).ok().map(|path| path.to_string_lossy().into_owned())
    };
    let whole: BTreeSet<String> = options.exclude.iter().filter_map(inside).collect();
    let texts: BTreeSet<String> = instructions.iter().map(|text| text.path.clone()).collect();
    move |path| {
        let is_in = |dir: &String| {
            path.strip_prefix(dir.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        kind::is_instruction(path) || texts.contains(path) || whole.iter().any(is_in)
    }
}

/// The files that git keeps though its rules would ignore them.
fn kept_though_ignored(real: &Path, files: &[Entry], names: &[PathBuf]) -> Vec<Entry> {
    let here: HashSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let entry = |name: &PathBuf| {
        let entry = Entry::new(name, true);
        if here.contains(entry.path.as_str()) {
            return None;
        }
        let stat = real.join(name).symlink_metadata().ok()?;
        (stat.is_file() || stat.is_symlink()).then(|| Entry::new(name, stat.is_file()))
    };
    names.iter().filter_map(entry).collect()
}

/// Whether there is a file, ignored or not, or a directory that holds one: git leaves empty ones lying about.
fn is_there(path: &Path) -> bool {
    let Ok(stat) = path.symlink_metadata() else { return false };
    let mut dirs = vec![path.to_path_buf()];
    let mut looked_at = 0;
    while stat.is_dir() {
        let Some(dir) = dirs.pop() else { return false };
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            looked_at += 1;
            if looked_at > 1000 || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                return true;
            }
            dirs.push(entry.path());
        }
    }
    true
}

fn merge(places: &mut BTreeMap<String, Vec<Place>>, more: BTreeMap<String, Vec<Place>>) {
    for (literal, more) in more {
        let places = places.entry(literal).or_default();
        places.extend(more);
        places.sort_by(|a, b| (a.is_prose, &a.path, a.line).cmp(&(b.is_prose, &b.path, b.line)));
    }
}

/// What stands nowhere in the code.
fn absent(wanted: &Wanted, places: &BTreeMap<String, Vec<Place>>) -> Wanted {
    let is_absent = |literal: &&String| {
        !places.get(*literal).is_some_and(|places| places.iter().any(|place| !place.is_prose))
    };
    let absent = |literals: &BTreeSet<String>| literals.iter().filter(is_absent).cloned().collect();
    Wanted {
        symbols: absent(&wanted.symbols),
        flags: absent(&wanted.flags),
        settings: absent(&wanted.settings),
    }
}

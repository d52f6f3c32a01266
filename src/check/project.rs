//! What a project says about memories: what is asked, and what was found. The types alone; `evidence` fills them
//! from a repository, and tests by hand.

use crate::memory::Time;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// The literals that memories name as code, to be looked for in a project and in its history.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Functions, types, constants (`settle_batch`, `Ledger::open` as its last part `open` too).
    pub symbols: BTreeSet<String>,
    /// Command-line flags with their dashes (`--dry-run`).
    pub flags: BTreeSet<String>,
    /// Environment variables and configuration keys (`LEDGER_URL`, `cache.ttl`).
    pub settings: BTreeSet<String>,
}

/// What is known of a project.
#[derive(Debug, Clone, Default)]
pub struct Project {
    /// Its directory.
    pub root: PathBuf,
    /// Every file that is not ignored, relative to the root with `/`, sorted.
    pub files: Arc<Vec<String>>,
    /// Where each wanted literal stands as a whole word; one that is absent from the tree has no entry.
    pub places: BTreeMap<String, Vec<Place>>,
    /// Manifests, README files and the like, whole.
    pub texts: Vec<Text>,
    /// The instruction files that a session loads (CLAUDE.md, rules, imports), as the client would read them.
    pub instructions: Vec<Text>,
    /// What happened before.
    pub history: History,
    /// What a person should know about the look, in words: why there is no history, what was not read.
    pub notes: Vec<String>,
}

/// A place in a file of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Relative to the root, with `/`.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// Whether the file is code or configuration, or only prose (Markdown, text, a change log).
    pub is_prose: bool,
}

/// A file of the project as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// Relative to the root, with `/`; absolute for an instruction file outside it.
    pub path: String,
    /// The content; bytes that are not UTF-8 are U+FFFD.
    pub text: String,
}

/// What git tells of a project's past.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// How far back it was read.
    pub reach: Reach,
    /// What became of each path that existed once and does not now: files, and directories (without a `/` at the
    /// end) that went with their last file.
    pub paths: BTreeMap<String, Fate>,
    /// The last sight of each wanted literal that is absent from the tree's code: the commit that took it out.
    pub last_seen: BTreeMap<String, Vanished>,
    /// Commits, newest first.
    pub commits: Vec<Commit>,
}

/// How far back the history was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Reach {
    /// There is none, or it can't be read; [`Project::notes`] says why.
    #[default]
    None,
    /// All of it.
    Whole,
    /// Only so far, since the time for it was up (or the clone is shallow).
    Until(Time),
}

/// What became of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// A commit removed it (or the directory, when all files in it went).
    Removed(Arc<Commit>),
    /// A commit moved it; the place where it is today, after further moves.
    Moved {
        /// Where it is now; it begins with `../` when that is in the repository and outside of the project.
        to: String,
        /// The commit that moved it away.
        by: Arc<Commit>,
    },
}

/// The commit that took a literal out of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vanished {
    /// The commit.
    pub by: Arc<Commit>,
    /// The file it was in.
    pub path: String,
    /// The line as it was, without the diff's sign.
    pub text: String,
}

/// One commit of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its full hash in hex.
    pub id: String,
    /// When it was committed.
    pub date: Time,
    /// The first line of its message.
    pub subject: String,
    /// The rest of its message.
    pub body: String,
}

impl Commit {
    /// The hash as people quote it: seven digits.
    #[must_use]
    pub fn short(&self) -> &str {
        self.id.get(..7).unwrap_or(&self.id)
    }

    /// The commit in words (`4e8725f, 2026-05-12`).
    #[must_use]
    pub fn words(&self) -> String {
        format!("{}, {}", self.short(), self.date.format("%Y-%m-%d"))
    }
}

//! Findings: what is wrong with a memory or the index, each with its evidence. Pure.
//!
//! One file a family. A check is a row of its family's table and a function that looks; a new family is one
//! file and one line in [`FAMILIES`].

pub mod claims;
mod dates;
mod duplicate;
mod fixes;
mod format;
mod gone;
mod index;
pub mod likeness;
pub mod manifests;
mod metadata;
mod pages;
mod parts;
pub mod project;
mod prose;
mod repeats;
mod report;
pub mod secrets;
mod security;
mod settings;
mod silence;
mod stale;
mod superseded;
mod takeover;
mod transient;
pub mod vague;

#[cfg(test)]
mod tests;

pub use fixes::{Preview, preview};
pub use gone::{tells, wanted};
pub use index::dangles;
pub use pages::checks_md;
pub use report::{By, Progress, Report, Silenced, report, report_with};
pub use settings::{Days, Settings};
pub use silence::{Scope, Silence, fingerprint};

use crate::memory::Time;
use crate::memory::index::ParkedLine;
use crate::memory::index::Resolution;
use crate::memory::lines::Lines;
use crate::memory::links::Links;
use crate::memory::mentions::Mentions;
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Snapshot};
use crate::memory::text::visible;
use crate::prompt::limits::{self, Loaded};
use project::Project;
use std::ops::Range;

/// One fault with severity, place, message and evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The check's stable id (`index-orphan`).
    pub check: CheckId,
    /// How bad it is.
    pub severity: Severity,
    /// The memory (or the index) it is about.
    pub memory: RelPath,
    /// The line, from 1.
    pub line: usize,
    /// In words, safe to show.
    pub message: String,
    /// What it is about (the path, the flag, the words of a date): with check and memory it names the finding, so that
    /// one can be silenced and known again. Empty: the memory as a whole.
    pub about: String,
    /// The bytes of the file that it is about, for the editor to select. `None`: the file as a whole.
    pub range: Option<Range<usize>>,
    /// What shows that it is right.
    pub evidence: Vec<Evidence>,
    /// What would mend it, best first; the first is the one-key fix.
    pub fixes: Vec<Fix>,
}

/// What would mend a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fix {
    /// Replace bytes of the file by text that follows from the evidence: shown, then applied.
    Replace {
        /// The bytes of the memory's file.
        range: Range<usize>,
        /// What comes there instead.
        text: String,
        /// Whether nobody could want otherwise, so that `check --fix` does it.
        is_safe: bool,
    },
    /// Open the editor with the finding's passage selected.
    Edit,
    /// Take the text to CLAUDE.md or a rule.
    Promote,
    /// Merge with another memory, side by side.
    Merge(RelPath),
    /// Delete the memory, since nothing of it would be missed.
    Delete,
    /// Repair the index (`index fix`).
    Index,
    /// Say that it is still true.
    Affirm,
    /// Take the text out of the history too (`history purge`).
    Purge,
}

/// What shows that a finding is right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// The file it is found in, as text.
    pub path: Option<String>,
    /// The line there, from 1.
    pub line: Option<usize>,
    /// The commit that shows it.
    pub commit: Option<String>,
    /// In words, safe to show.
    pub text: String,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Likely to mislead or to be lost.
    Warning,
    /// The memory can't do its work.
    Error,
}

/// The stable id of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CheckId(pub &'static str);

/// One check: what `docs/CHECKS.md` says about it, and the function that looks.
#[derive(Clone, Copy)]
pub struct Check {
    /// Its stable id.
    pub id: CheckId,
    /// What a finding of it means, in one sentence.
    pub means: &'static str,
    /// Whether it needs little or much.
    pub depth: Depth,
    look: fn(&Look<'_>, &mut Found),
}

/// What a check needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// The store alone, and milliseconds: looked at with every change.
    Quick,
    /// A project, every sentence or every pair of memories: looked at on a worker.
    Deep,
}

/// The families, in the order of `docs/CHECKS.md`; a family may have several files.
pub const FAMILIES: &[(&str, &[Check])] = &[
    ("format", format::CHECKS),
    ("format", parts::CHECKS),
    ("format", vague::CHECKS),
    ("format", metadata::FORM),
    ("index", index::CHECKS),
    ("stale", stale::CHECKS),
    ("stale", metadata::STALE),
    ("stale", dates::CHECKS),
    ("stale", gone::CHECKS),
    ("stale", superseded::CHECKS),
    ("reconstructable", repeats::CHECKS),
    ("reconstructable", transient::CHECKS),
    ("duplicate", duplicate::CHECKS),
    ("security", security::CHECKS),
    ("security", secrets::CHECKS),
    ("security", takeover::CHECKS),
];

/// What is worked out once from a snapshot, for the checks and for whoever shows the store.
#[derive(Debug, Default)]
pub struct Facts {
    /// Which memory links to which.
    pub links: Links,
    /// Which entry of the index names which memory.
    pub resolution: Resolution,
    /// What loads of the index; `None` when there is none.
    pub loaded: Option<Loaded>,
}

/// What checks look at.
#[derive(Debug, Clone, Copy)]
pub struct Look<'a> {
    /// The store.
    pub snapshot: &'a Snapshot,
    /// What was worked out from it.
    pub facts: &'a Facts,
    /// Its parked lines.
    pub parked: &'a [ParkedLine],
    /// Now.
    pub now: Time,
    /// Thresholds, and what is silenced.
    pub settings: &'a Settings,
    /// The project that the store is about; `None`: the checks that need one find nothing.
    pub project: Option<&'a Project>,
    /// What each memory of the snapshot names, in its order; `None`: [`run`] works it out when deep checks need it.
    pub mentions: Option<&'a [Mentions]>,
}

impl<'a> Look<'a> {
    /// A look at the store alone, without a project.
    #[must_use]
    pub const fn quick(
        snapshot: &'a Snapshot,
        facts: &'a Facts,
        parked: &'a [ParkedLine],
        now: Time,
        settings: &'a Settings,
    ) -> Self {
        Self { snapshot, facts, parked, now, settings, project: None, mentions: None }
    }
}

impl Facts {
    /// The facts of a store. Takes a while on a large one (measured: 0.2 s for 10,000 memories).
    #[must_use]
    pub fn of(snapshot: &Snapshot) -> Self {
        let index = snapshot.index.as_ref();
        Self {
            links: Links::of(snapshot),
            resolution: index.map(|file| file.index.resolve(snapshot)).unwrap_or_default(),
            loaded: index.map(|file| limits::load(&file.bytes)),
        }
    }
}

/// What a check found so far.
struct Found {
    check: CheckId,
    findings: Vec<Finding>,
}

impl Found {
    /// Adds a finding of the check that is looking, about the memory as a whole. What it gives back can be told
    /// more: what it is about, where, and what would mend it.
    fn add(
        &mut self,
        severity: Severity,
        memory: &RelPath,
        line: usize,
        message: impl Into<String>,
        evidence: Vec<Evidence>,
    ) -> &mut Finding {
        let (check, memory, message) = (self.check, memory.clone(), message.into());
        let (about, range, fixes) = (String::new(), None, Vec::new());
        self.findings.push_mut(Finding {
            check,
            severity,
            memory,
            line,
            message,
            about,
            range,
            evidence,
            fixes,
        })
    }
}

/// Evidence that stands in a file of the store. The text must be safe to show already.
fn seen_in(path: &RelPath, line: impl Into<Option<usize>>, text: impl Into<String>) -> Evidence {
    let path = Some(visible(&path.to_str_lossy(), false).into_owned());
    Evidence { path, line: line.into(), commit: None, text: text.into() }
}

/// The text in question, safe to show (secrets are masked) and not longer than a line of a screen.
fn quoted(text: &str) -> String {
    let text = secrets::mask(text.trim());
    let mut chars = text.chars();
    let head: String = chars.by_ref().take(QUOTED).collect();
    let more = if chars.next().is_some() { "…" } else { "" };
    format!("“{}{more}”", visible(&head, false))
}

/// The line of a memory where a key of its frontmatter stands, else the first.
fn line_of_key(memory: &Memory, key: &str) -> usize {
    let end = memory.document.frontmatter.as_ref().map_or(0, |block| block.yaml.end);
    let is_key = |line: &Range<usize>| {
        let line = memory.bytes.get(line.clone()).unwrap_or_default().trim_ascii_start();
        line.strip_prefix(key.as_bytes()).is_some_and(|rest| rest.starts_with(b":"))
    };
    let lines = Lines::new(&memory.bytes, 0).take_while(|line| line.end <= end);
    1 + lines.enumerate().find(|(_, line)| is_key(line)).map_or(0, |(number, _)| number)
}

/// How many characters of a memory a message quotes.
const QUOTED: usize = 60;

/// Every finding of the quick checks (and of the deep ones too, when asked for) that is not silenced, worst first,
/// then by memory and line.
#[must_use]
pub fn run(look: &Look<'_>, depth: Depth) -> Vec<Finding> {
    report(look, depth, &mut |_| true).findings
}

impl CheckId {
    /// The check of this id, if there is one.
    #[must_use]
    pub fn find(id: &str) -> Option<&'static Check> {
        FAMILIES.iter().flat_map(|(_, checks)| *checks).find(|check| check.id.0 == id)
    }

    /// The family that it belongs to (`stale`).
    #[must_use]
    pub fn family(self) -> &'static str {
        let has = |(_, checks): &&(&str, &[Check])| checks.iter().any(|check| check.id == self);
        FAMILIES.iter().find(has).map_or("", |(name, _)| name)
    }
}

impl Severity {
    /// Its name, as the command line and JSON have it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

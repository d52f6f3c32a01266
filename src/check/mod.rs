//! Findings: what is wrong with a memory or the index, each with its evidence. Pure.
//!
//! One file a family. A check is a row of its family's table and a function that looks; a new family is one
//! file and one line in [`FAMILIES`].

mod format;
mod index;
mod security;
mod stale;

#[cfg(test)]
mod tests;

pub use index::dangles;

use crate::memory::Time;
use crate::memory::index::ParkedLine;
use crate::memory::index::Resolution;
use crate::memory::lines::Lines;
use crate::memory::links::Links;
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Snapshot};
use crate::memory::text::visible;
use crate::prompt::limits::{self, Loaded};
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
    /// What shows that it is right.
    pub evidence: Vec<Evidence>,
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
    look: fn(&Store<'_>, &mut Found),
}

/// The families, in the order of `docs/CHECKS.md`.
pub const FAMILIES: [(&str, &[Check]); 4] = [
    ("format", format::CHECKS),
    ("index", index::CHECKS),
    ("stale", stale::CHECKS),
    ("security", security::CHECKS),
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
struct Store<'a> {
    snapshot: &'a Snapshot,
    parked: &'a [ParkedLine],
    now: Time,
    facts: &'a Facts,
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
    /// Adds a finding of the check that is looking.
    fn add(
        &mut self,
        severity: Severity,
        memory: &RelPath,
        line: usize,
        message: impl Into<String>,
        evidence: Vec<Evidence>,
    ) {
        let (check, memory, message) = (self.check, memory.clone(), message.into());
        self.findings.push(Finding { check, severity, memory, line, message, evidence });
    }
}

/// Evidence that stands in a file of the store. The text must be safe to show already.
fn seen_in(path: &RelPath, line: impl Into<Option<usize>>, text: impl Into<String>) -> Evidence {
    let path = Some(visible(&path.to_str_lossy(), false).into_owned());
    Evidence { path, line: line.into(), commit: None, text: text.into() }
}

/// The text in question, safe to show and not longer than a line of a screen.
fn quoted(text: &str) -> String {
    let mut chars = text.trim().chars();
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

/// Every finding on a store, worst first, then by memory and line.
#[must_use]
pub fn run(snapshot: &Snapshot, facts: &Facts, parked: &[ParkedLine], now: Time) -> Vec<Finding> {
    let store = Store { snapshot, parked, now, facts };
    let mut found = Found { check: CheckId(""), findings: Vec::new() };
    for check in FAMILIES.iter().flat_map(|(_, checks)| *checks) {
        found.check = check.id;
        (check.look)(&store, &mut found);
    }
    let mut findings = found.findings;
    findings.sort_by(|a, b| {
        let key = |f: &Finding| (f.line, f.check);
        b.severity.cmp(&a.severity).then_with(|| a.memory.cmp(&b.memory)).then_with(|| key(a).cmp(&key(b)))
    });
    findings
}

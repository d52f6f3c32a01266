//! Findings: what is wrong with a memory or the index, each with its evidence. Pure.

use crate::memory::Time;
use crate::memory::index::ParkedLine;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;

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

/// Every finding on a store, worst first, then by memory and line.
#[must_use]
pub fn run(snapshot: &Snapshot, parked: &[ParkedLine], now: Time) -> Vec<Finding> {
    let _ = (snapshot, parked, now);
    Vec::new()
}

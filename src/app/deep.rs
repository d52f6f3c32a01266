//! What the deep checks found, which a worker finds out while the screens are in use already.

use crate::app::model::Problem;
use crate::check::project::Reach;
use crate::check::{CheckId, Depth, Finding, Report, Settings};
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::prompt::subject::Subject;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// What a person set about the checks, and what the deep ones found before.
#[derive(Debug, Clone, Default)]
pub struct Checks {
    /// Thresholds, and what is silenced.
    pub settings: Arc<Settings>,
    /// What was found the last time.
    pub deep: Option<Arc<Deep>>,
}

/// What the deep checks found on a store as it was.
#[derive(Debug, Clone, Default)]
pub struct Deep {
    /// Their findings, silenced ones too.
    findings: Vec<Finding>,
    /// The memories as they were.
    bytes: HashMap<RelPath, Arc<[u8]>>,
}

/// What the deep checks looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Looked {
    /// The project; `None`: none is known, so checks that need one are left out.
    pub project: Option<PathBuf>,
    /// How far back its history was read.
    pub reach: Reach,
    /// Why it could not be looked at.
    pub problem: Option<Problem>,
}

/// What the worker of the checks is asked.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Its number; a later one makes it void.
    pub number: u64,
    /// The store.
    pub contents: Arc<crate::app::contents::Contents>,
    /// Whose sessions use it.
    pub subject: Subject,
}

/// How far the deep checks are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// In hundredths.
    pub percent: u8,
    /// What is being looked at (`history back to 2025-11`); safe to show.
    pub what: String,
}

impl Deep {
    /// The deep part of a report on a store.
    #[must_use]
    pub fn of(report: &Report, snapshot: &Snapshot) -> Self {
        let silenced = report.silenced.iter().map(|one| &one.finding);
        let findings: Vec<Finding> = report
            .findings
            .iter()
            .chain(silenced)
            .filter(|finding| is_deep(finding.check))
            .cloned()
            .collect();
        let concerned = snapshot.memories.iter().map(|memory| (memory.path.clone(), memory.bytes.clone()));
        let bytes = if findings.is_empty() { HashMap::new() } else { concerned.collect() };
        Self { findings, bytes }
    }

    /// The findings on memories that are as they were.
    #[must_use]
    pub fn still_there(&self, snapshot: &Snapshot) -> Vec<Finding> {
        if self.findings.is_empty() {
            return Vec::new();
        }
        let now: HashMap<&RelPath, &Arc<[u8]>> =
            snapshot.memories.iter().map(|memory| (&memory.path, &memory.bytes)).collect();
        let is_same = |finding: &&Finding| match (now.get(&finding.memory), self.bytes.get(&finding.memory)) {
            (Some(now), Some(then)) => Arc::ptr_eq(now, then) || **now == *then,
            _ => false,
        };
        self.findings.iter().filter(is_same).cloned().collect()
    }
}

fn is_deep(check: CheckId) -> bool {
    CheckId::find(check.0).is_some_and(|check| check.depth == Depth::Deep)
}

impl Looked {
    /// What was looked at, in words; safe to show.
    #[must_use]
    pub fn words(&self) -> String {
        let Some(project) = &self.project else {
            return "no project: checks that need one are left out; --project DIR".into();
        };
        let name = project.file_name().unwrap_or(project.as_os_str());
        let history = match &self.reach {
            Reach::None => "no history".to_owned(),
            Reach::Whole => "whole history".to_owned(),
            Reach::Until(time) => format!("history back to {}", time.format("%Y-%m")),
        };
        crate::app::contents::one_line(&format!("against {}, {history}", name.to_string_lossy()))
    }
}

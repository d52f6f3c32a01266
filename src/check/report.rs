//! Running the checks: what they found, what of it is silenced and by what, with progress on the way.

use super::silence::{Silence, Silences};
use super::{CheckId, Depth, FAMILIES, Finding, Found, Look, fixes, secrets};
use crate::memory::mentions::Mentions;
use std::borrow::Cow;

/// What the checks found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// What is to be reported: worst first, then by memory and line.
    pub findings: Vec<Finding>,
    /// What is silenced, in the same order.
    pub silenced: Vec<Silenced>,
    /// It was stopped: checks are missing.
    pub is_cut: bool,
}

/// A finding that is not reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Silenced {
    /// The finding.
    pub finding: Finding,
    /// What silences it.
    pub by: By,
}

/// What silences a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// What a person set, in the configuration or for the store.
    Person(Silence),
    /// The memory itself, by a key or a comment.
    Memory,
}

/// How far the checks are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// So many checks have looked.
    pub done: usize,
    /// Of so many.
    pub total: usize,
}

/// Runs the quick checks, and the deep ones too when asked for. Before each check `goes_on` is told how far they
/// are; as soon as it says `false` the rest is left out.
pub fn report(look: &Look<'_>, depth: Depth, goes_on: &mut dyn FnMut(Progress) -> bool) -> Report {
    report_with(look, depth, Vec::new(), goes_on)
}

/// Masks what a finding says: a name or a line of any file may hold a secret, and findings end in public logs.
pub(super) fn without_secrets(finding: &mut Finding) {
    let texts = finding.evidence.iter_mut().map(|one| &mut one.text);
    for text in texts.chain([&mut finding.message]) {
        if let Cow::Owned(masked) = secrets::mask(text) {
            *text = masked;
        }
    }
}

/// The same, with findings that are known from before: what is silenced of them is decided anew.
pub fn report_with(
    look: &Look<'_>,
    depth: Depth,
    known: Vec<Finding>,
    goes_on: &mut dyn FnMut(Progress) -> bool,
) -> Report {
    let worked_out: Vec<Mentions>;
    let mut look = *look;
    if depth == Depth::Deep && look.mentions.is_none() {
        worked_out = look.snapshot.memories.iter().map(|memory| Mentions::of(memory)).collect();
        look.mentions = Some(&worked_out);
    }
    let look = &look;
    let checks: Vec<_> =
        FAMILIES.iter().flat_map(|(_, checks)| *checks).filter(|check| check.depth <= depth).collect();
    let mut found = Found { check: CheckId(""), findings: known };
    let mut report = Report::default();
    for (done, check) in checks.iter().enumerate() {
        if !goes_on(Progress { done, total: checks.len() }) {
            report.is_cut = true;
            break;
        }
        found.check = check.id;
        (check.look)(look, &mut found);
    }
    let silences = Silences::new(look);
    for mut finding in found.findings {
        fixes::complete(look, &mut finding);
        without_secrets(&mut finding);
        match silences.of(&finding) {
            Some(by) => report.silenced.push(Silenced { finding, by }),
            None => report.findings.push(finding),
        }
    }
    report.findings.sort_by(worst_first);
    report.silenced.sort_by(|a, b| worst_first(&a.finding, &b.finding));
    report
}

fn worst_first(a: &Finding, b: &Finding) -> std::cmp::Ordering {
    let key = |f: &Finding| (f.line, f.check);
    b.severity.cmp(&a.severity).then_with(|| a.memory.cmp(&b.memory)).then_with(|| key(a).cmp(&key(b)))
}

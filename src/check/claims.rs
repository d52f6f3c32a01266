//! What one memory claims, and what is known of each claim: for a person who verifies it before acting on it.
//!
//! The checks report what is wrong; here what holds is told too, with the place where it is found, and what can't be
//! told at all. What a check finds on the memory never counts as holding: the verdicts are made of the same findings,
//! silenced ones too.

mod things;
mod told;

#[cfg(test)]
mod tests;

use super::report::without_secrets;
use super::{
    Check, CheckId, Depth, Evidence, Finding, Found, Look, dates, fixes, format, gone, secrets, stale,
    superseded,
};
use crate::memory::mentions::Mentions;
use crate::memory::snapshot::{Memory, Snapshot};
use crate::memory::text::{one_line, visible};
use std::ops::Range;

/// One thing that a memory claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What kind of thing it is.
    pub kind: Kind,
    /// What is claimed, on one line; safe to show.
    pub what: String,
    /// The line of the memory where it stands, from 1.
    pub line: usize,
    /// The bytes of the memory where it stands. `None`: the line as a whole, or the memory.
    pub range: Option<Range<usize>>,
    /// Whether it holds.
    pub verdict: Verdict,
    /// Why, in words; safe to show.
    pub note: String,
    /// The check that finds it wrong, where one does.
    pub check: Option<CheckId>,
    /// What shows it.
    pub evidence: Vec<Evidence>,
}

/// The kinds of claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A file or directory of the project is there.
    Path,
    /// A function, type or method is there.
    Symbol,
    /// A constant or an environment variable: only the project can tell which.
    Constant,
    /// A command-line flag is there.
    Flag,
    /// An environment variable is read.
    Variable,
    /// A configuration key is there.
    Setting,
    /// Something is at an address; no address is looked up.
    Address,
    /// A day on which something is to be or was.
    Date,
    /// The memory holds until then, as a key of its own says.
    Expiry,
    /// Another memory is there.
    Link,
    /// Nothing newer says it otherwise.
    Newer,
    /// The author's own way to check it: shown, never run.
    Verify,
}

/// Whether a claim holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It does: the evidence shows where.
    Holds,
    /// It does not: the evidence shows why.
    Fails,
    /// It can't be told.
    Unknown,
}

impl Kind {
    /// Its name, as the command line and JSON have it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Symbol => "symbol",
            Self::Constant => "constant",
            Self::Flag => "flag",
            Self::Variable => "variable",
            Self::Setting => "setting",
            Self::Address => "address",
            Self::Date => "date",
            Self::Expiry => "expiry",
            Self::Link => "link",
            Self::Newer => "newer",
            Self::Verify => "verify",
        }
    }

    /// Whether only a project can tell, so that its evidence lies in files of the project.
    #[must_use]
    pub const fn is_of_project(self) -> bool {
        matches!(
            self,
            Self::Path | Self::Symbol | Self::Constant | Self::Flag | Self::Variable | Self::Setting
        )
    }
}

impl Verdict {
    /// In words, as screens and the command line say it.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "does not hold",
            Self::Unknown => "can't be told",
        }
    }
}

/// How many claims hold, do not hold, and can't be told.
#[must_use]
pub fn counts(claims: &[Claim]) -> [usize; 3] {
    [Verdict::Holds, Verdict::Fails, Verdict::Unknown]
        .map(|verdict| claims.iter().filter(|claim| claim.verdict == verdict).count())
}

/// What a memory is looked at with.
struct Scene<'a> {
    look: &'a Look<'a>,
    at: usize,
    memory: &'a Memory,
    mentions: &'a Mentions,
    findings: Vec<Finding>,
    /// Why there is no project, when there is none.
    absent: &'a str,
}

/// What the memory at this place of the snapshot claims, in the order of its text, and what newer memories say at the
/// end, for which every other memory is read: [`Depth::Quick`] leaves them out. `absent` says in words why
/// [`Look::project`] is `None`, when it is; [`Look::mentions`] is not looked at.
#[must_use]
pub fn claims(look: &Look<'_>, at: usize, depth: Depth, absent: &str) -> Vec<Claim> {
    let Some(memory) = look.snapshot.memories.get(at) else { return Vec::new() };
    let mentions = Mentions::of(memory);
    let findings = findings(look, at, depth, &mentions);
    let scene = Scene { look, at, memory, mentions: &mentions, findings, absent };
    let mut claims = things::things(&scene);
    told::told(&scene, &mut claims);
    claims.sort_by_key(|claim| {
        let start = claim.range.as_ref().map_or(usize::MAX, |range| range.start);
        (claim.kind == Kind::Newer, claim.line, start)
    });
    if depth == Depth::Deep {
        claims.extend(told::newer(&scene));
    }
    claims
}

/// What the checks about claims find on one memory, silenced or not.
fn findings(look: &Look<'_>, at: usize, depth: Depth, mentions: &Mentions) -> Vec<Finding> {
    let snapshot = look.snapshot;
    let Some(memory) = snapshot.memories.get(at) else { return Vec::new() };
    // The others name nothing: what they name is not asked.
    let of_each = |other| if other == at { mentions.clone() } else { Mentions::default() };
    let only_this: Vec<Mentions> = (0..snapshot.memories.len()).map(of_each).collect();
    let alone = Snapshot {
        root: snapshot.root.clone(),
        memories: vec![memory.clone()],
        unreadable: snapshot.unreadable.clone(),
        ..Snapshot::default()
    };
    let whole = Look { mentions: None, ..*look };
    let named = Look { mentions: Some(&only_this), ..*look };
    let alone = Look { snapshot: &alone, mentions: None, ..*look };
    let tables: [(&[Check], &Look<'_>); 5] = [
        (gone::CHECKS, &named),
        (dates::CHECKS, &alone),
        (stale::CHECKS, &alone),
        (format::CHECKS, &alone),
        (superseded::CHECKS, &whole),
    ];
    let mut found = Found { check: CheckId(""), findings: Vec::new() };
    let is_asked = |checks: &[Check]| depth == Depth::Deep || !std::ptr::eq(checks, superseded::CHECKS);
    for (checks, look) in tables.into_iter().filter(|(checks, _)| is_asked(checks)) {
        for check in checks.iter().filter(|check| IDS.contains(&check.id.0)) {
            found.check = check.id;
            (check.look)(look, &mut found);
        }
    }
    let mut found = found.findings;
    found.retain(|finding| finding.memory == memory.path);
    let own = visible(&memory.path.to_str_lossy(), false).into_owned();
    for finding in &mut found {
        // Where the memory says it is shown with the claim.
        finding.evidence.retain(|one| one.path.as_deref() != Some(&own) || one.line.is_none());
        fixes::complete(look, finding);
        without_secrets(finding);
    }
    found
}

/// The checks whose findings say that a claim does not hold, or may not.
pub const IDS: &[&str] = &[
    "path-gone",
    "path-moved",
    "path-unknown",
    "symbol-gone",
    "flag-gone",
    "setting-gone",
    "date-past",
    "relative-date",
    "expired",
    "link-unresolved",
    "superseded",
    "contradicts",
];

/// What a finding makes of a claim: a candidate, and what never was there as far as is known, show nothing for sure.
#[must_use]
pub fn verdict(finding: &Finding) -> Verdict {
    match finding.check.0 {
        "path-unknown" | "contradicts" => Verdict::Unknown,
        _ => Verdict::Fails,
    }
}

impl Claim {
    /// One that can't be told, with the reason.
    fn open(
        kind: Kind,
        what: &str,
        line: usize,
        range: Option<Range<usize>>,
        note: impl Into<String>,
    ) -> Self {
        let (what, note) = (shown(what), note.into());
        Self { kind, what, line, range, verdict: Verdict::Unknown, note, check: None, evidence: Vec::new() }
    }

    /// The same, with what a finding says of it.
    fn found(self, finding: &Finding) -> Self {
        let evidence = finding.evidence.clone();
        let note = finding.message.clone();
        Self { verdict: verdict(finding), note, check: Some(finding.check), evidence, ..self }
    }

    /// The same, and it holds.
    fn holds(self, note: impl Into<String>, evidence: Vec<Evidence>) -> Self {
        Self { verdict: Verdict::Holds, note: note.into(), evidence, ..self }
    }
}

/// Text of a memory as a claim shows it: masked, on one line, not too long.
fn shown(text: &str) -> String {
    let text = secrets::mask(text);
    let mut chars = text.chars();
    let head: String = chars.by_ref().take(LONGEST).collect();
    one_line(&if chars.next().is_some() { format!("{head}…") } else { head })
}

/// So many characters of a claim are shown.
const LONGEST: usize = 160;

/// A number of days in words.
fn days(count: i64) -> String {
    if count == 1 { "1 day".to_owned() } else { format!("{count} days") }
}

//! Findings as answers to the questions that a person asks of a proposal.

use crate::check::{Evidence, Finding, Fix, Severity};
use crate::memory::body::{PartKind, parts};
use crate::memory::extended::{self, Key};
use crate::memory::path::RelPath;
use crate::memory::snapshot::Memory;
use crate::memory::text::one_line;

/// How an answer comes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// Nothing speaks against it.
    Pass,
    /// Something should be looked at.
    Nearly,
    /// It should not come in so.
    Fail,
}

impl Mark {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "passes",
            Self::Nearly => "nearly",
            Self::Fail => "fails",
        }
    }
}

/// What is asked of a proposal, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Question {
    /// Does it hold a secret, hidden text, or orders to the agent?
    Safe,
    /// Is it read as it was meant?
    Form,
    /// Does no other memory say so already?
    New,
    /// Can it not be read from the repository or the instructions anyway?
    Needed,
    /// Does it hold longer than a session?
    Durable,
    /// Are its type, its Why and its How to apply there?
    Complete,
    /// Does what it names exist, and do its dates stand for themselves?
    Holds,
    /// What does the index look like with it?
    Index,
    /// Do others link to what would go?
    Links,
}

impl Question {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Form => "form",
            Self::New => "new",
            Self::Needed => "needed",
            Self::Durable => "durable",
            Self::Complete => "complete",
            Self::Holds => "holds",
            Self::Index => "index",
            Self::Links => "links",
        }
    }

    /// The question that a check answers.
    fn of_check(id: &str) -> Self {
        match id {
            "secret" | "hidden-text" | "instruction-override" | "terminal-escape" | "link-escapes" => {
                Self::Safe
            }
            "encoding" | "metadata-invalid" => Self::Form,
            "duplicate" | "name-duplicate" => Self::New,
            "transient" => Self::Durable,
            "expired" | "old" | "relative-date" | "date-past" => Self::Holds,
            _ if id.starts_with("frontmatter-") => Self::Form,
            _ if id.starts_with("repeats-") => Self::Needed,
            _ if ["name-", "description-", "type-", "why-", "how-"]
                .iter()
                .any(|start| id.starts_with(start)) =>
            {
                Self::Complete
            }
            _ => Self::Holds,
        }
    }
}

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// What was asked.
    pub question: Question,
    /// How it comes out.
    pub mark: Mark,
    /// In words, safe to show.
    pub says: String,
    /// The check that says so; `None`: the gate itself.
    pub check: Option<&'static str>,
    /// What shows that it is right.
    pub evidence: Vec<Evidence>,
    /// The memory to be updated instead.
    pub instead: Option<RelPath>,
}

impl Verdict {
    /// An answer of the gate itself.
    pub(super) fn of(question: Question, mark: Mark, says: impl Into<String>) -> Self {
        Self { question, mark, says: says.into(), check: None, evidence: Vec::new(), instead: None }
    }

    /// Nothing speaks against it.
    pub(super) fn pass(question: Question, says: impl Into<String>) -> Self {
        Self::of(question, Mark::Pass, says)
    }
}

/// The questions that findings answer, with what is said when there is none.
const ASKED: [(Question, &str); 7] = [
    (Question::Safe, "no secret, nothing hidden"),
    (Question::Form, "reads as it was written"),
    (Question::New, "nothing like it in the store"),
    (Question::Needed, "not in the repository or the instructions, as far as was looked"),
    (Question::Durable, "holds beyond the session"),
    (Question::Complete, "name, description and type are there"),
    (Question::Holds, "nothing in it is known to be out of date"),
];

/// The answers that findings give: for each question those that speak against it, else that nothing does.
pub(super) fn of(findings: &[Finding], memory: &Memory) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    for (question, well) in ASKED {
        let mut found =
            findings.iter().filter(|finding| Question::of_check(finding.check.0) == question).peekable();
        if found.peek().is_none() {
            let says = if question == Question::Complete { complete(memory) } else { well.to_owned() };
            verdicts.push(Verdict::pass(question, says));
        }
        verdicts.extend(found.map(|finding| verdict(question, finding)));
    }
    verdicts
}

fn verdict(question: Question, finding: &Finding) -> Verdict {
    let mark = match finding.severity {
        // A file of the store may be no memory; what is proposed as one is to be one.
        Severity::Info
            if ["name-missing", "description-missing", "type-missing"].contains(&finding.check.0) =>
        {
            Mark::Nearly
        }
        Severity::Info => Mark::Pass,
        // What could deceive or leak does not come in by a key that takes many at once, nor nearly.
        Severity::Warning if question == Question::Safe => Mark::Fail,
        Severity::Warning => Mark::Nearly,
        Severity::Error => Mark::Fail,
    };
    let instead = finding.fixes.iter().find_map(|fix| match fix {
        Fix::Merge(path) => Some(path.clone()),
        _ => None,
    });
    Verdict {
        question,
        mark,
        says: finding.message.clone(),
        check: Some(finding.check.0),
        evidence: finding.evidence.clone(),
        instead,
    }
}

fn complete(memory: &Memory) -> String {
    let body = memory.bytes.get(memory.document.body.clone()).unwrap_or_default();
    let says = |key| extended::field(&memory.document.header, key).is_some();
    let has = |kind| {
        parts(body).iter().any(|part| part.kind == kind)
            || says(if kind == PartKind::Why { Key::Reason } else { Key::Application })
    };
    let kind = memory.document.header.kind.as_str().to_owned();
    match (has(PartKind::Why), has(PartKind::How)) {
        (true, true) => format!("{kind}, with Why and How to apply"),
        (true, false) => format!("{kind}, with Why"),
        (false, true) => format!("{kind}, with How to apply"),
        (false, false) => one_line(&kind),
    }
}

/// Says that a memory says the same; when a check found that too, its words stay.
pub(super) fn say_same(verdicts: &mut Vec<Verdict>, path: &RelPath) {
    let is_said = |verdict: &Verdict| verdict.question == Question::New && verdict.check == Some("duplicate");
    if let Some(verdict) = verdicts.iter_mut().find(|verdict| is_said(verdict)) {
        verdict.instead.get_or_insert_with(|| path.clone());
        return;
    }
    verdicts.retain(|verdict| verdict.question != Question::New || verdict.mark > Mark::Pass);
    let says = format!("much like {}: update that one instead", one_line(&path.to_str_lossy()));
    let mut verdict = Verdict::of(Question::New, Mark::Nearly, says);
    verdict.instead = Some(path.clone());
    verdicts.push(verdict);
}

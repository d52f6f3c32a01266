//! The claim of a memory, sentence by sentence, and what comes of the sentences that are said elsewhere.

use crate::check::likeness::{Bag, Form, claim, sentences};
use crate::check::{Evidence, Finding, Fix, Found, Severity, line_of_key};
use crate::memory::body::{PartKind, parts};
use crate::memory::lines::ends;
use crate::memory::snapshot::Memory;
use std::ops::Range;

/// The claim of a memory.
pub(super) struct Claim<'a> {
    pub(super) memory: &'a Memory,
    /// Its sentences, headings too.
    pub(super) passages: Vec<Passage>,
    /// Whether a Why or a How to apply follows.
    pub(super) has_reason: bool,
}

/// One sentence of a claim.
pub(super) struct Passage {
    pub(super) text: String,
    pub(super) form: Form,
    /// Its line in the file, from 1.
    pub(super) line: usize,
    /// Its bytes in the file, where those are UTF-8 and the claim is the body.
    pub(super) range: Option<Range<usize>>,
}

/// A passage that is said elsewhere.
pub(super) struct Said {
    /// The first and the last passage.
    pub(super) passages: Range<usize>,
    /// What the finding is about.
    pub(super) about: String,
    /// In words, safe to show.
    pub(super) message: String,
    pub(super) evidence: Vec<Evidence>,
    /// Whether the place that says it contradicts it.
    pub(super) is_other: bool,
    /// Whether CLAUDE.md or a rule would be the better home of it.
    pub(super) is_rule: bool,
}

/// A claim of more sentences than this is a document; only what it says first is looked at.
const PASSAGES: usize = 120;
/// The part of a claim that must be said elsewhere to call the whole a repetition.
const MOST: f32 = 0.25;

impl<'a> Claim<'a> {
    pub(super) fn of(memory: &'a Memory) -> Self {
        let body = memory.body();
        let range = claim(&body);
        let text = body.get(range.clone()).unwrap_or_default();
        let start = memory.document.body.start + range.start;
        let is_exact = matches!(body, std::borrow::Cow::Borrowed(_));
        let first = 1 + ends(memory.bytes.get(..start).unwrap_or_default());
        let mut passages: Vec<Passage> = sentences(text)
            .into_iter()
            .take(PASSAGES)
            .map(|one| Passage {
                text: text.get(one.range.clone()).unwrap_or_default().to_owned(),
                form: one.form,
                line: first + one.line - 1,
                range: is_exact.then_some(start + one.range.start..start + one.range.end),
            })
            .collect();
        if passages.is_empty()
            && let Some(description) = memory.document.header.description.as_deref()
        {
            let line = line_of_key(memory, "description");
            let one = |text: &str| Passage { text: text.to_owned(), form: Form::Prose, line, range: None };
            passages = sentences(description)
                .into_iter()
                .map(|sentence| one(description.get(sentence.range).unwrap_or_default()))
                .collect();
        }
        let reasons = |kind: PartKind| matches!(kind, PartKind::Why | PartKind::How);
        let has_reason = parts(body.as_bytes()).iter().any(|part| reasons(part.kind));
        Self { memory, passages, has_reason }
    }

    /// Reports the passages that are said elsewhere: one finding, or one for each that is contradicted.
    pub(super) fn report(&self, said: Vec<Said>, found: &mut Found) {
        let (others, same): (Vec<Said>, Vec<Said>) = said.into_iter().partition(|one| one.is_other);
        for one in others {
            let severity = Severity::Warning;
            self.add(severity, &one.passages, one.about, one.message, one.evidence, found).fixes =
                vec![Fix::Edit, Fix::Delete];
        }
        let Some(first) = same.first() else { return };
        let weight = |at: usize| self.passages.get(at).map_or(0, |one| 1 + Bag::of(&one.text).strong());
        let counts = |at: &usize| self.passages.get(*at).is_some_and(|one| one.form != Form::Heading);
        let all: usize = (0..self.passages.len()).filter(counts).map(weight).sum();
        let covered: usize =
            same.iter().flat_map(|one| one.passages.clone()).filter(counts).map(weight).sum();
        let share = covered as f32 / all.max(1) as f32;
        let severity = if share >= MOST { Severity::Warning } else { Severity::Info };
        let (about, mut message) = (first.about.clone(), first.message.clone());
        if same.len() > 1 {
            message = format!("{message}, and {} more of its sentences are said elsewhere", same.len() - 1);
        }
        if share < MOST {
            message.push_str("; the rest of the memory is its own");
        } else if self.has_reason {
            message.push_str("; only the reason is its own");
        }
        // Passages that follow each other are one to select.
        let end = same.iter().map(|one| one.passages.end).max().unwrap_or(0);
        let gapless = (first.passages.start..end)
            .all(|at| !counts(&at) || same.iter().any(|one| one.passages.contains(&at)));
        let range = if gapless { first.passages.start..end } else { first.passages.clone() };
        let evidence = same.iter().flat_map(|one| one.evidence.iter().cloned()).take(SHOWN).collect();
        let is_whole = share > 0.95 && !self.has_reason;
        let mut fixes = if is_whole { vec![Fix::Delete, Fix::Edit] } else { vec![Fix::Edit] };
        if same.iter().all(|one| one.is_rule) {
            fixes.push(Fix::Promote);
        }
        self.add(severity, &range, about, message, evidence, found).fixes = fixes;
    }

    fn add<'f>(
        &self,
        severity: Severity,
        passages: &Range<usize>,
        about: String,
        message: String,
        evidence: Vec<Evidence>,
        found: &'f mut Found,
    ) -> &'f mut Finding {
        let first = self.passages.get(passages.start);
        let last = self.passages.get(passages.end.saturating_sub(1));
        let line = first.map_or(1, |one| one.line);
        let range = first
            .zip(last)
            .and_then(|(first, last)| Some(first.range.as_ref()?.start..last.range.as_ref()?.end));
        let finding = found.add(severity, &self.memory.path, line, message, evidence);
        (finding.about, finding.range) = (about, range);
        finding
    }
}

/// How many places a finding shows.
const SHOWN: usize = 8;

/// A few words that name a passage, for a person who silences a finding about it.
pub(super) fn about(text: &str) -> String {
    crate::memory::text::one_line(&text.chars().take(60).collect::<String>())
}

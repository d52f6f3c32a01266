//! Accounts of changes that the commit log tells.

use super::claims::{Claim, Said, about};
use crate::check::likeness::markers::{says_more, tells_past};
use crate::check::likeness::{Bag, Form, Index};
use crate::check::project::Commit;
use crate::check::{Evidence, Found, Look, quoted};
use crate::memory::when::dates;
use regex::Regex;
use std::collections::HashMap;
use std::sync::LazyLock;

/// How many candidates are compared in full.
const CANDIDATES: usize = 8;
/// What shares a smaller part of a passage's rarest words than this can't say it.
const LEAST: f32 = 0.25;
/// So much of a commit's message is compared, in characters.
const BODY: usize = 600;

static QUOTED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"["“„«「『]([^"”“»」』]{8,200})["”“»」』]"#).ok());
static HASH: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b[0-9a-f]{7,40}\b").ok());

struct Log<'a> {
    commits: &'a [Commit],
    subjects: Index,
    /// Subjects with the first of what follows: an account may tell the reason too.
    messages: Index,
    by_hash: HashMap<&'a str, usize>,
}

pub(super) fn look(look: &Look<'_>, found: &mut Found) {
    let Some(project) = look.project else { return };
    let commits = project.history.commits.as_slice();
    if commits.is_empty() {
        return;
    }
    let subjects = Index::of(commits.iter().map(|commit| Bag::of(&commit.subject)));
    let message = |commit: &Commit| {
        let body: String = commit.body.chars().take(BODY).collect();
        Bag::of(&format!("{}. {body}", commit.subject))
    };
    let messages = Index::of(commits.iter().map(message));
    let by_hash = commits.iter().enumerate().filter_map(|(at, one)| Some((one.id.get(..7)?, at))).collect();
    let log = Log { commits, subjects, messages, by_hash };
    for memory in &look.snapshot.memories {
        let claim = Claim::of(memory);
        let mut said = Vec::new();
        for (at, passage) in claim.passages.iter().enumerate() {
            let is_text = matches!(passage.form, Form::Prose | Form::Item);
            if let Some(commit) = is_text.then(|| log.tells(&passage.text)).flatten() {
                let evidence = Evidence {
                    path: None,
                    line: None,
                    commit: Some(commit.id.clone()),
                    text: format!("{}: {}", commit.words(), quoted(&commit.subject)),
                };
                said.push(Said {
                    passages: at..at + 1,
                    about: about(&passage.text),
                    message: format!(
                        "commit {} tells this; keep the lesson, if there is one",
                        commit.short()
                    ),
                    evidence: vec![evidence],
                    is_other: false,
                    is_rule: false,
                });
            }
        }
        claim.report(said, found);
    }
}

impl Log<'_> {
    /// The commit that tells a sentence, if one does.
    fn tells(&self, text: &str) -> Option<&Commit> {
        let hash = HASH.as_ref()?.find_iter(text).find_map(|found| {
            let at = *self.by_hash.get(found.as_str().get(..7)?)?;
            self.commits.get(at)?.id.starts_with(found.as_str()).then_some(at)
        });
        let bare = without_dates(text);
        let bare = HASH.as_ref()?.replace_all(&bare, " ");
        // What is quoted may be the commit's own words.
        let quoted = QUOTED
            .as_ref()?
            .captures(&bare)
            .and_then(|found| found.get(1))
            .map(|found| Bag::of(found.as_str()));
        let quoted = quoted.filter(|quoted| quoted.strong() > 2);
        // Behind a colon stands what was done: "On Monday we committed: …".
        let told = bare.split_once(": ").map(|(_, told)| told).filter(|told| Bag::of(told).strong() > 2);
        let bag = Bag::of(&bare);
        let told = told.map(Bag::of);
        let is_account = hash.is_some() || bare != text || tells_past(text);
        let mut candidates = self.subjects.candidates(&bag, CANDIDATES, LEAST, None);
        for bag in [&told, &quoted].into_iter().flatten() {
            candidates.extend(self.subjects.candidates(bag, CANDIDATES, LEAST, None));
        }
        candidates.extend(hash);
        let is_told = |at: &usize| {
            [Some(&bag), told.as_ref(), quoted.as_ref()].into_iter().flatten().any(|bag| {
                let likeness = self.subjects.compare_with(bag, *at);
                let of_hash = hash == Some(*at);
                let (of_text, of_subject, strong) = match (of_hash, is_account) {
                    (true, _) => (0.4, 0.4, 1),
                    (false, true) => (0.66, 0.5, 3),
                    (false, false) => (0.9, 0.95, 4),
                };
                // What the subject does not say of an account, the rest of the message may.
                let message = self.messages.compare_with(bag, *at);
                let told = is_account && message.of_first >= of_text && message.strong > strong;
                (likeness.of_first >= of_text || told)
                    && likeness.of_second >= of_subject
                    && likeness.strong >= strong
                    && (of_hash || likeness.differs.is_none())
            })
        };
        // A reason in the sentence is what the subject of a commit does not hold.
        let at = candidates.into_iter().find(is_told)?;
        let commit = self.commits.get(at)?;
        let is_said = says_more(&commit.subject) || says_more(&commit.body);
        (!says_more(&bare) || is_said).then_some(commit)
    }
}

/// A text without its dates, however they are written: a commit has its own.
fn without_dates(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    let mut at = 0;
    for date in dates(text) {
        bare.push_str(text.get(at..date.range.start).unwrap_or_default());
        bare.push(' ');
        at = date.range.end;
    }
    bare.push_str(text.get(at..).unwrap_or_default());
    bare
}

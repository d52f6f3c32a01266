//! Verifying one memory: its claims one after the other, each with its evidence, and a decision at any time.

use crate::app::contents::{Contents, one_line};
use crate::app::deep::{Looked, Progress};
use crate::check::claims::{Claim, counts};
use crate::check::{By, Silence};
use crate::memory::path::RelPath;
use crate::prompt::subject::Subject;
use std::sync::Arc;

/// The memory that is verified, and the worker that looks its claims up.
#[derive(Debug, Default)]
pub struct Verify {
    /// The memory; it takes the place of the screen.
    pub open: Option<Box<Verifying>>,
    /// The number of the latest question to the worker; answers to earlier ones are dropped.
    pub asked: u64,
    /// The worker has not answered it to its end.
    pub is_looking: bool,
}

/// One memory that is verified.
#[derive(Debug, Clone)]
pub struct Verifying {
    /// Which memory.
    pub path: RelPath,
    /// Its name, safe to show.
    pub name: String,
    /// Its file as the claims were read from it.
    pub bytes: Arc<[u8]>,
    /// Its claims, as far as they are known.
    pub claims: Vec<Claim>,
    /// What was looked at; `None`: the worker is still at it, and claims about the project can change.
    pub looked: Option<Looked>,
    /// How far the worker is.
    pub progress: Option<Progress>,
    /// The claim that is looked at; past the last one: the end, where a decision is asked for.
    pub at: usize,
    /// How many claims were seen.
    pub seen: usize,
    /// The first line shown of what is said about the claim.
    pub scroll: usize,
    /// Which file of the evidence shows next.
    pub evidence: usize,
}

/// What the worker is asked.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Its number; a later one makes it void.
    pub number: u64,
    /// The store.
    pub contents: Arc<Contents>,
    /// Whose sessions use it.
    pub subject: Subject,
    /// The memory.
    pub path: RelPath,
}

/// What the worker found out.
#[derive(Debug, Clone, Default)]
pub struct Told {
    /// The claims.
    pub claims: Vec<Claim>,
    /// What was looked at; `None`: this is what is known at once, the rest follows.
    pub looked: Option<Looked>,
}

impl Verifying {
    /// At its first claim, which is still to be found out.
    #[must_use]
    pub fn new(path: RelPath, name: String, bytes: Arc<[u8]>) -> Self {
        Self {
            path,
            name,
            bytes,
            claims: Vec::new(),
            looked: None,
            progress: None,
            at: 0,
            seen: 0,
            scroll: 0,
            evidence: 0,
        }
    }

    /// The claim that is looked at; `None` at the end.
    #[must_use]
    pub fn current(&self) -> Option<&Claim> {
        self.claims.get(self.at)
    }

    /// Whether all claims are passed. While the first ones are still to come nothing is.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.at >= self.claims.len() && (self.looked.is_some() || !self.claims.is_empty())
    }

    /// Whether a claim's verdict is still to come.
    #[must_use]
    pub fn is_open(&self, claim: &Claim) -> bool {
        self.looked.is_none() && claim.kind.is_of_project()
    }

    /// Goes to a claim, at most to the end.
    pub fn go(&mut self, to: usize) {
        let to = to.min(self.claims.len());
        if to != self.at {
            (self.scroll, self.evidence) = (0, 0);
        }
        self.at = to;
        self.seen = self.seen.max((to + 1).min(self.claims.len()));
    }

    /// Takes what the worker found out; the claim that is looked at stays the one that is looked at.
    pub fn take(&mut self, told: Told) {
        let (was_at_end, scroll, evidence) = (self.is_at_end(), self.scroll, self.evidence);
        let is_same = |a: &Claim, b: &Claim| (a.kind, &a.what, a.line) == (b.kind, &b.what, b.line);
        let before = self.current().cloned();
        self.claims = told.claims;
        self.looked = told.looked.or(self.looked.take());
        self.seen = self.seen.min(self.claims.len());
        let again = before.and_then(|before| self.claims.iter().position(|claim| is_same(claim, &before)));
        let stays = again == Some(self.at);
        self.go(match again {
            Some(at) => at,
            None if was_at_end => self.claims.len(),
            None => self.at.min(self.claims.len().saturating_sub(1)),
        });
        if stays {
            (self.scroll, self.evidence) = (scroll, evidence);
        }
    }

    /// The claims in figures: `3 hold, 1 does not, 2 can't be told`, and how many are still looked up; empty when
    /// there are none.
    #[must_use]
    pub fn summary(&self) -> String {
        let known: Vec<Claim> = self.claims.iter().filter(|claim| !self.is_open(claim)).cloned().collect();
        let known_words = summary(&known);
        match (self.claims.len() - known.len(), known_words.as_str()) {
            (0, _) => known_words,
            (open, "") => format!("{open} being looked up"),
            (open, _) => format!("{known_words}, {open} being looked up"),
        }
    }

    /// How far a person came: `3 of 7 claims seen`.
    #[must_use]
    pub fn how_far(&self) -> String {
        match (self.claims.len(), self.looked.is_some()) {
            (0, false) => "its claims were still being looked up".to_owned(),
            (0, true) => "it names nothing that could be looked up".to_owned(),
            (all, _) => format!("{} of {all} claims seen", self.seen),
        }
    }
}

/// Claims in figures: `3 hold, 1 does not, 2 can't be told`; empty when there are none.
#[must_use]
pub fn summary(claims: &[Claim]) -> String {
    let [holds, fails, unknown] = counts(claims);
    let verb =
        |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let mut parts = Vec::new();
    if holds > 0 {
        parts.push(verb(holds, "holds", "hold"));
    }
    if fails > 0 {
        parts.push(verb(fails, "does not", "do not"));
    }
    if unknown > 0 {
        parts.push(format!("{unknown} can't be told"));
    }
    parts.join(", ")
}

/// What silences the finding behind a claim, in words; `None`: nothing does, or nothing was found.
#[must_use]
pub fn silenced(contents: &Contents, memory: &RelPath, claim: &Claim) -> Option<String> {
    let check = claim.check?;
    let found = contents.silenced.iter().find(|one| {
        one.finding.check == check && one.finding.memory == *memory && one.finding.line == claim.line
    })?;
    Some(match &found.by {
        By::Person(silence) => format!("silenced: {}", one_line(&Silence::words(silence))),
        By::Memory => "silenced by the memory itself".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::claims::{Kind, Verdict};

    fn claim(what: &str, verdict: Verdict) -> Claim {
        let (what, note) = (what.to_owned(), String::new());
        let (range, check) = (None, None);
        Claim { kind: Kind::Path, what, line: 1, range, verdict, note, check, evidence: Vec::new() }
    }

    #[test]
    fn the_claim_that_is_looked_at_stays_when_more_is_known() {
        let path = RelPath::new("a.md").unwrap();
        let mut open = Verifying::new(path, "a".into(), Arc::from(&b"x"[..]));
        assert_eq!(
            (open.is_at_end(), open.how_far().as_str()),
            (false, "its claims were still being looked up")
        );
        let early = ["a", "b", "c"].map(|what| claim(what, Verdict::Unknown)).to_vec();
        open.take(Told { claims: early, looked: None });
        assert_eq!((open.at, open.how_far().as_str()), (0, "1 of 3 claims seen"));
        open.go(1);
        open.scroll = 2;
        assert!(open.current().is_some_and(|claim| open.is_open(claim)));
        assert_eq!(open.summary(), "3 being looked up");
        let whole =
            [("a", Verdict::Holds), ("b", Verdict::Fails), ("d", Verdict::Unknown), ("e", Verdict::Unknown)];
        let claims = whole.map(|(what, verdict)| claim(what, verdict)).to_vec();
        open.take(Told { claims: claims.clone(), looked: Some(Looked::default()) });
        assert_eq!((open.at, open.scroll, open.current().map(|it| it.what.as_str())), (1, 2, Some("b")));
        assert_eq!(open.summary(), "1 holds, 1 does not, 2 can't be told");
        open.go(9);
        assert_eq!((open.is_at_end(), open.seen, open.scroll), (true, 4, 0));
        open.take(Told { claims: claims[..2].to_vec(), looked: None });
        assert!(open.is_at_end(), "who was at the end stays there");
        open.take(Told { claims: Vec::new(), looked: None });
        assert_eq!(open.how_far(), "it names nothing that could be looked up");
    }
}

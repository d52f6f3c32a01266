//! A store's memories, by what they claim and by what their name and description say.

use super::compare::{Difference, Likeness};
use super::{Bag, Index, Near, both};
use crate::memory::body::{PartKind, parts};
use crate::memory::document::Document;
use crate::memory::snapshot::Snapshot;
use crate::memory::text::lossy;
use std::ops::Range;

/// A store's memories, to find what is near one.
#[derive(Debug)]
pub struct Told {
    claims: Index,
    heads: Index,
}

/// How alike two memories are.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// From 0 to 1.
    pub score: f32,
    /// What both say, safe to show.
    pub why: String,
    /// How many of the shared words say something by themselves.
    pub strong: usize,
    /// What makes them different all the same.
    pub differs: Option<Difference>,
}

/// How many candidates of each kind are compared in full.
const CANDIDATES: usize = 16;
/// What shares a smaller part of a memory's rarest words than this can't reach [`super::ALIKE`].
const LEAST: f32 = 0.25;
/// In a claim of more terms than this two memories of one fact differ in detail, and their descriptions count too.
const LONG: usize = 40;

impl Told {
    /// What the memories of a store tell.
    #[must_use]
    pub fn of(snapshot: &Snapshot) -> Self {
        let bags = snapshot.memories.iter().map(|memory| bags(&memory.bytes, &memory.document));
        let (claims, heads): (Vec<Bag>, Vec<Bag>) = bags.unzip();
        Self { claims: Index::of(claims.into_iter()), heads: Index::of(heads.into_iter()) }
    }

    /// The memories near one of the store's own.
    #[must_use]
    pub fn near_own(&self, own: usize) -> Vec<(usize, Pair)> {
        let (Some(claim), Some(head)) = (self.claims.bag(own), self.heads.bag(own)) else {
            return Vec::new();
        };
        self.near(claim, head, LEAST, Some(own))
    }

    /// The memories near a text.
    #[must_use]
    pub fn near_text(&self, text: &str) -> Vec<(usize, Pair)> {
        let (claim, head) = bags(text.as_bytes(), &Document::parse(text.as_bytes()));
        self.near(&claim, &head, 0.0, None)
    }

    /// The memories nearest to a text, nearest first, at most `most`; see [`super::nearest`].
    #[must_use]
    pub fn nearest(&self, text: &str, most: usize) -> Vec<Near> {
        let damped = |(memory, pair): (usize, Pair)| {
            let damp = if pair.differs.is_some() { 0.5 } else { 1.0 };
            Near { memory, score: pair.score * damp, why: pair.why }
        };
        let mut near: Vec<Near> = self.near_text(text).into_iter().map(damped).collect();
        near.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.memory.cmp(&b.memory)));
        near.truncate(most);
        near
    }

    fn near(&self, claim: &Bag, head: &Bag, least: f32, own: Option<usize>) -> Vec<(usize, Pair)> {
        let mut candidates = self.claims.candidates(claim, CANDIDATES, least, own);
        candidates.extend(self.heads.candidates(head, CANDIDATES, least, own));
        candidates.sort_unstable();
        candidates.dedup();
        let (claims, heads) = (self.claims.weigh(claim), self.heads.weigh(head));
        candidates.into_iter().map(|at| (at, self.compare((claim, &claims), (head, &heads), at))).collect()
    }

    fn compare(&self, (claim, of_claim): (&Bag, &[f32]), (head, of_head): (&Bag, &[f32]), at: usize) -> Pair {
        let claims = self.claims.compare_weighed(claim, of_claim, at);
        let other = self.claims.bag(at).map_or(0, Bag::strong);
        let score = claims.score();
        if claim.strong().max(other) <= LONG && other > 0 {
            return Pair { score, why: both(&claims), strong: claims.strong, differs: claims.differs };
        }
        // Detail differs, and the whole is as alike as both halves are.
        let heads = self.heads.compare_weighed(head, of_head, at);
        let joint = 0.5 * heads.score() + 0.5 * (score * 1.3).min(1.0);
        let long = |likeness: &Likeness| likeness.differs.filter(|differs| *differs != Difference::Numbers);
        Pair { score: joint.max(score), why: both(&heads), strong: heads.strong, differs: long(&heads) }
    }
}

/// What a memory claims and what its head says, as terms.
fn bags(bytes: &[u8], document: &Document) -> (Bag, Bag) {
    let body = lossy(bytes.get(document.body.clone()).unwrap_or_default());
    let claim = body.get(claim_of(&body)).unwrap_or_default().trim();
    let description = document.header.description.as_deref().unwrap_or_default();
    let name = document.header.name.as_deref().unwrap_or_default();
    let name: String = name.chars().map(|c| if matches!(c, '-' | '_') { ' ' } else { c }).collect();
    let head = Bag::of(&format!("{name}. {description}"));
    (Bag::of(if claim.is_empty() { description } else { claim }), head)
}

/// Where the claim of a body is: what stands before Why and How to apply.
pub(super) fn claim_of(body: &str) -> Range<usize> {
    parts(body.as_bytes())
        .into_iter()
        .find(|part| part.kind == PartKind::Fact)
        .map_or(0..0, |part| part.content)
}

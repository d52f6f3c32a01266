//! Memories that say the same, in the same or in other words: candidates, which a person merges or keeps.

use super::likeness::{ALIKE, Pair, Told, claim};
use super::{Check, CheckId, Depth, Fix, Found, Look, Severity, quoted, seen_in};
use crate::memory::age;
use crate::memory::lines::line_of;
use crate::memory::snapshot::Memory;
use std::collections::BTreeMap;

pub(super) const CHECKS: &[Check] = &[Check {
    id: CheckId("duplicate"),
    means: "Another memory seems to hold the same fact. Both take room, and when one is corrected the other goes on \
            saying the old thing.",
    depth: Depth::Deep,
    look,
}];

/// From this likeness on it is more than a candidate.
const STRONG: f32 = 0.78;
/// Two memories that share fewer words which say something are alike by chance.
const FEWEST: usize = 2;
/// Paraphrases often share half their words only: from this likeness on two memories are candidates all the same,
const LIKELY: f32 = 0.45;
/// when they share so many words which say something. (Measured on 60 paraphrased pairs among 480 memories of
/// `scripts/checks/make_pairs.py`: 34 of 60 are found instead of 13, and nothing else.)
const MANY: usize = 4;
/// How many others of a group a finding shows.
const SHOWN: usize = 5;

fn look(look: &Look<'_>, found: &mut Found) {
    let memories = &look.snapshot.memories;
    let told = Told::of(look.snapshot);
    let mut pairs: BTreeMap<(usize, usize), Pair> = BTreeMap::new();
    for one in 0..memories.len() {
        for (other, pair) in told.near_own(one) {
            let is_alike = pair.score >= ALIKE && pair.strong >= FEWEST;
            let is_likely = pair.score >= LIKELY && pair.strong >= MANY;
            if pair.differs.is_none() && (is_alike || is_likely) {
                pairs.entry((one.min(other), one.max(other))).or_insert(pair);
            }
        }
    }
    let mut groups = Groups::new(memories.len());
    pairs.keys().for_each(|(one, other)| groups.join(*one, *other));
    let rank = |at: usize| {
        let Some(memory) = memories.get(at) else { return (usize::MAX, look.now, at) };
        let links = look.facts.links.linked_from(&memory.path).len();
        (usize::MAX - links, age::age(memory, look.now).since, at)
    };
    for members in groups.members() {
        // The one to keep is what others link to, else the oldest; each other is told of its nearest before it.
        let mut members = members;
        members.sort_by_key(|at| rank(*at));
        for (place, at) in members.iter().enumerate().skip(1) {
            let near = members.iter().take(place).filter_map(|other| {
                pairs.get(&((*at).min(*other), (*at).max(*other))).map(|pair| (*other, pair))
            });
            let mut near: Vec<(usize, &Pair)> = near.collect();
            near.sort_by(|a, b| b.1.score.total_cmp(&a.1.score));
            report(look, *at, &near, found);
        }
    }
}

fn report(look: &Look<'_>, at: usize, near: &[(usize, &Pair)], found: &mut Found) {
    let of = |at: usize| look.snapshot.memories.get(at);
    let (Some(memory), Some((first, pair))) = (of(at), near.first()) else { return };
    let Some(nearest) = of(*first) else { return };
    let severity = if pair.score >= STRONG { Severity::Warning } else { Severity::Info };
    let more = match near.len() {
        1 => String::new(),
        more => format!(", and {} more", more - 1),
    };
    let title = quoted(&nearest.title());
    let message = format!("much the same as {title}{more} ({}; {:.2} alike)", pair.why, pair.score);
    let others = near.iter().take(SHOWN).filter_map(|(other, _)| of(*other));
    let evidence = others.map(|other| seen_in(&other.path, line(other), first_words(other))).collect();
    let finding = found.add(severity, &memory.path, line(memory), message, evidence);
    finding.about = crate::memory::text::visible(&nearest.path.to_str_lossy(), false).into_owned();
    finding.fixes = vec![Fix::Merge(nearest.path.clone())];
    let start = memory.document.body.start;
    let body = memory.body();
    if matches!(body, std::borrow::Cow::Borrowed(_)) {
        let range = claim(&body);
        let text = body.get(range.clone()).unwrap_or_default();
        let lead = text.len() - text.trim_start().len();
        finding.range = (!text.trim().is_empty())
            .then(|| start + range.start + lead..start + range.start + lead + text.trim().len());
    }
}

/// The line on which a memory's claim starts.
fn line(memory: &Memory) -> usize {
    let body = memory.bytes.get(memory.document.body.clone()).unwrap_or_default();
    let blank = body.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let blank = if blank == body.len() { 0 } else { blank };
    line_of(&memory.bytes, memory.document.body.start + blank)
}

fn first_words(memory: &Memory) -> String {
    let body = memory.body();
    let first = body.lines().map(str::trim).find(|line| !line.is_empty());
    quoted(first.or(memory.document.header.description.as_deref()).unwrap_or_default())
}

/// Which memories belong together, through however many others.
struct Groups {
    parent: Vec<usize>,
}

impl Groups {
    fn new(count: usize) -> Self {
        Self { parent: (0..count).collect() }
    }

    fn root(&self, mut at: usize) -> usize {
        while let Some(parent) = self.parent.get(at).copied().filter(|parent| *parent != at) {
            at = parent;
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        if let Some(parent) = self.parent.get_mut(one.max(other)) {
            *parent = one.min(other);
        }
    }

    /// The groups of more than one.
    fn members(&self) -> Vec<Vec<usize>> {
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for at in 0..self.parent.len() {
            groups.entry(self.root(at)).or_default().push(at);
        }
        groups.into_values().filter(|members| members.len() > 1).collect()
    }
}

#[cfg(test)]
mod tests;

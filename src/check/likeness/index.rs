//! Many texts by their terms, so that what is near one is found without a look at each.

use super::compare::{Likeness, Weighed, compare, own_weight};
use crate::memory::terms::{Bag, Kind};
use std::collections::HashMap;

/// Many texts by their terms.
#[derive(Debug, Default)]
pub struct Index {
    bags: Vec<Bag>,
    /// The texts that a key is in.
    places: HashMap<Box<str>, Vec<u32>>,
    /// What each term of each text is worth.
    weights: Vec<Vec<f32>>,
}

/// How many of a text's rarest terms are looked up.
const PROBES: usize = 14;
/// A term in more texts than this is not looked up while there are rarer ones.
const MANY: usize = 200;

impl Index {
    /// The index of some texts.
    pub fn of(bags: impl Iterator<Item = Bag>) -> Self {
        let mut index = Self { bags: bags.collect(), ..Self::default() };
        for (at, bag) in index.bags.iter().enumerate() {
            let at = u32::try_from(at).unwrap_or(u32::MAX);
            for term in &bag.terms {
                match index.places.get_mut(&term.key) {
                    Some(places) => places.push(at),
                    None => drop(index.places.insert(term.key.clone(), vec![at])),
                }
            }
        }
        index.weights = index.bags.iter().map(|bag| index.weigh(bag)).collect();
        index
    }

    /// What each term of a text is worth: what is in every text tells little.
    #[must_use]
    pub fn weigh(&self, bag: &Bag) -> Vec<f32> {
        bag.terms.iter().map(|term| self.rarity(&term.key) * own_weight(term.kind)).collect()
    }

    /// One of the texts.
    #[must_use]
    pub fn bag(&self, at: usize) -> Option<&Bag> {
        self.bags.get(at)
    }

    /// How much a key tells, from 0 to 1: what is in every text tells little.
    #[must_use]
    pub fn rarity(&self, key: &str) -> f32 {
        // As if there were fifty texts more, since in a handful each word is in a large part of them.
        let all = (self.bags.len() + 50) as f32;
        let with = self.places.get(key).map_or(0, Vec::len) as f32;
        ((all / (with + 1.0)).ln() / all.ln()).clamp(0.05, 1.0)
    }

    /// The texts that share the most with one, best first, at most `most`; `but` is left out, and so is what shares
    /// less than the part `least` of its rarest terms.
    #[must_use]
    pub fn candidates(&self, bag: &Bag, most: usize, least: f32, but: Option<usize>) -> Vec<usize> {
        let mut probes: Vec<(usize, f32, &[u32])> = Vec::new();
        for term in bag.terms.iter().filter(|term| term.kind != Kind::Weak) {
            if let Some(places) = self.places.get(&term.key) {
                probes.push((places.len(), self.rarity(&term.key) * own_weight(term.kind), places));
            }
        }
        probes.sort_by_key(|(count, _, _)| *count);
        let mut weights: HashMap<u32, f32> = HashMap::new();
        let mut total = 0.0;
        for (number, (count, weight, places)) in probes.iter().take(PROBES).enumerate() {
            // Texts that share nothing but frequent words: the nearest numbers stand for all.
            if *count > MANY && number >= 4 {
                break;
            }
            total += weight;
            for at in near(places, but) {
                *weights.entry(*at).or_default() += weight;
            }
        }
        let mut found: Vec<(u32, f32)> = weights.into_iter().collect();
        found.retain(|(at, weight)| but != Some(*at as usize) && *weight >= least * total);
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.into_iter().take(most).map(|(at, _)| at as usize).collect()
    }

    /// Compares a text with one of the index.
    #[must_use]
    pub fn compare_with(&self, bag: &Bag, at: usize) -> Likeness {
        self.compare_weighed(bag, &self.weigh(bag), at)
    }

    /// The same for a text that is compared with many: its weights are worked out once.
    #[must_use]
    pub fn compare_weighed(&self, bag: &Bag, weights: &[f32], at: usize) -> Likeness {
        let none = Bag::default();
        let other = Weighed {
            bag: self.bags.get(at).unwrap_or(&none),
            weights: self.weights.get(at).map_or(&[], Vec::as_slice),
        };
        compare(Weighed { bag, weights }, other)
    }
}

/// The places of a frequent term that are nearest to a text's own number.
fn near(places: &[u32], own: Option<usize>) -> &[u32] {
    if places.len() <= MANY {
        return places;
    }
    let own = own.and_then(|own| u32::try_from(own).ok()).unwrap_or(0);
    let middle = places.partition_point(|at| *at < own);
    let start = middle.saturating_sub(MANY / 2).min(places.len() - MANY);
    places.get(start..start + MANY).unwrap_or(places)
}

//! How alike two texts are, by the words they share: fast enough to compare each of a thousand with a whole store.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The different words of a text, by hash.
#[derive(Debug, Clone, Default)]
pub(super) struct Bag(Vec<u64>);

impl Bag {
    /// The words of a text, letter case aside. In scripts without blanks pairs of characters stand for words.
    pub(super) fn of(text: &str) -> Self {
        let mut words = Vec::new();
        for run in text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()) {
            if run.is_ascii() {
                words.push(hash(&run.to_ascii_lowercase()));
                continue;
            }
            let folded: Vec<char> = run.chars().flat_map(char::to_lowercase).collect();
            if folded.iter().any(|c| is_ideographic(*c)) {
                words.extend(folded.windows(2.min(folded.len())).map(|pair| hash(&pair)));
            } else {
                words.push(hash(&folded));
            }
        }
        words.sort_unstable();
        words.dedup();
        Self(words)
    }

    /// How alike: 0 (no word in common) to 1 (the same words).
    pub(super) fn alike(&self, other: &Self) -> f32 {
        share(2 * self.common(other), self.0.len() + other.0.len())
    }

    /// How much of this one is in the other: 0 to 1.
    pub(super) fn within(&self, other: &Self) -> f32 {
        share(self.common(other), self.0.len())
    }

    /// The words that the other does not have.
    pub(super) fn without(&self, other: &Self) -> Self {
        Self(self.0.iter().copied().filter(|word| other.0.binary_search(word).is_err()).collect())
    }

    /// How many words.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    fn common(&self, other: &Self) -> usize {
        let (few, many) = if self.0.len() < other.0.len() { (self, other) } else { (other, self) };
        few.0.iter().filter(|word| many.0.binary_search(word).is_ok()).count()
    }
}

/// Many texts, to find the nearest of.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    bags: Vec<Bag>,
    with: HashMap<u64, Vec<u32>>,
}

/// A word that so many texts have says little about any of them.
const COMMON: usize = 40;
/// So many of the texts with the most rare words in common are compared whole.
const COMPARED: usize = 12;

impl Shelf {
    /// Puts the texts on the shelf.
    pub(super) fn of(bags: Vec<Bag>) -> Self {
        let mut with: HashMap<u64, Vec<u32>> = HashMap::new();
        for (number, bag) in (0u32..).zip(&bags) {
            for word in &bag.0 {
                with.entry(*word).or_default().push(number);
            }
        }
        Self { bags, with }
    }

    /// The nearest texts (by their number), the nearest first, each with how alike it is.
    pub(super) fn nearest(&self, bag: &Bag, most: usize) -> Vec<(usize, f32)> {
        // In a small store every word counts.
        let common = COMMON.max(self.bags.len() / 20);
        let mut rare: HashMap<u32, usize> = HashMap::new();
        for texts in bag.0.iter().filter_map(|word| self.with.get(word)).filter(|t| t.len() <= common) {
            for text in texts {
                *rare.entry(*text).or_default() += 1;
            }
        }
        let mut candidates: Vec<(usize, u32)> = rare.into_iter().map(|(text, count)| (count, text)).collect();
        candidates.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let compared = candidates.iter().take(COMPARED.max(most)).filter_map(|(_, text)| {
            let text = usize::try_from(*text).ok()?;
            Some((text, bag.alike(self.bags.get(text)?)))
        });
        let mut found: Vec<(usize, f32)> = compared.collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(most);
        found
    }
}

fn is_ideographic(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn share(part: usize, whole: usize) -> f32 {
    let number = |n: usize| f32::from(u16::try_from(n).unwrap_or(u16::MAX));
    if whole == 0 { 0.0 } else { number(part) / number(whole) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_the_same_words_are_alike() {
        let a = Bag::of("Money is kept as integer cents, never as floats.");
        let b = Bag::of("Keep MONEY as integer cents; floats never.");
        let c = Bag::of("The freeze begins on Thursday.");
        assert!(a.alike(&b) > 0.6, "{}", a.alike(&b));
        assert!(a.alike(&c) < 0.1);
        assert!((a.alike(&a) - 1.0).abs() < f32::EPSILON);
        assert!(Bag::of("").alike(&Bag::of("")).abs() < f32::EPSILON);
        assert!(Bag::of("金額は整数で保存する").alike(&Bag::of("金額を整数で保存")) > 0.5);
        let shelf = Shelf::of(vec![c, b]);
        let nearest = shelf.nearest(&a, 5);
        assert_eq!(nearest[0].0, 1);
    }
}

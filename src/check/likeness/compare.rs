//! How alike two texts are, and what makes them different in spite of the same words.

use crate::memory::terms::polarity::is_switch;
use crate::memory::terms::{Bag, Kind, Term};
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// How alike two texts are.
#[derive(Debug, Clone, PartialEq)]
pub struct Likeness {
    /// How much of the first the second says, from 0 to 1.
    pub of_first: f32,
    /// How much of the second the first says, from 0 to 1.
    pub of_second: f32,
    /// The words of the first that both say, heaviest first.
    pub shared: Vec<String>,
    /// What makes them different all the same.
    pub differs: Option<Difference>,
    /// How many of the shared words say something by themselves.
    pub strong: usize,
}

/// What makes two texts different although they share words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// They name different paths, symbols, flags or commands.
    Names,
    /// They give different numbers, dates or versions.
    Numbers,
    /// One denies what the other says, or says the opposite.
    Polarity,
    /// The same sentence about another subject.
    Subject,
}

impl Likeness {
    /// One figure for both directions, from 0 to 1: the same fact told at greater length is still alike.
    #[must_use]
    pub fn score(&self) -> f32 {
        let (low, high) = (self.of_first.min(self.of_second), self.of_first.max(self.of_second));
        0.55 * low + 0.45 * high
    }
}

/// A text with what each of its terms is worth among the texts compared.
#[derive(Clone, Copy)]
pub(super) struct Weighed<'a> {
    pub(super) bag: &'a Bag,
    pub(super) weights: &'a [f32],
}

impl Weighed<'_> {
    fn weight(&self, at: usize) -> f32 {
        self.weights.get(at).copied().unwrap_or_default()
    }
}

/// From this part on that one says of the other it matters what makes two texts different; nobody looks at less.
const NEAR: f32 = 0.35;

/// A smaller part than this of the shorter text in the very same words is no more than chance.
const FAR: f32 = 0.12;

/// What all terms of a text are worth.
fn total(weighed: Weighed<'_>) -> f32 {
    weighed.weights.iter().sum::<f32>().max(f32::EPSILON)
}

/// Compares two texts.
pub(super) fn compare(one: Weighed<'_>, other: Weighed<'_>) -> Likeness {
    let (a, b) = (one.bag, other.bag);
    let exact: f32 = (a.terms.iter().enumerate())
        .filter(|(_, term)| b.find(&term.key).is_some())
        .map(|(at, _)| one.weight(at))
        .sum();
    // Words made with others are dear to find, and add little where next to nothing is the same.
    let is_far = exact < FAR * total(one).min(total(other));
    let mut matched = vec![0.0_f32; b.terms.len()];
    let mut hits: Vec<(f32, &Term, f32)> = Vec::new();
    for (place, term) in a.terms.iter().enumerate() {
        let found =
            b.find(&term.key).map(|at| (at, 1.0)).or_else(|| if is_far { None } else { related(term, b) });
        if let Some((at, credit)) = found
            && let Some(most) = matched.get_mut(at)
        {
            *most = most.max(credit);
            hits.push((one.weight(place) * credit, term, credit));
        }
    }
    let first: f32 = hits.iter().map(|(weight, _, _)| weight).sum();
    let second: f32 = other.weights.iter().zip(&matched).map(|(weight, credit)| weight * credit).sum();
    let (of_first, of_second) = (first / total(one), second / total(other));
    let strong = hits.iter().filter(|(_, term, _)| !matches!(term.kind, Kind::Weak)).count();
    hits.sort_by(|x, y| y.0.total_cmp(&x.0));
    let shared =
        hits.iter().filter(|(_, term, _)| term.kind != Kind::Weak).map(|(_, term, _)| term.shown.to_string());
    Likeness {
        of_first,
        of_second,
        shared: shared.take(5).collect(),
        differs: (of_first.max(of_second) >= NEAR).then(|| difference(one, other, &matched)).flatten(),
        strong,
    }
}

/// What a term is worth before it is known how rare it is.
pub(super) const fn own_weight(kind: Kind) -> f32 {
    match kind {
        Kind::Word => 1.0,
        Kind::Weak => 0.3,
        Kind::Pair => 0.5,
        Kind::Name => 1.6,
        Kind::Number => 1.2,
    }
}

/// A word that another one is made with (`Integrationstests` and `Integration`), or a path that ends as another.
fn related(term: &Term, bag: &Bag) -> Option<(usize, f32)> {
    if !matches!(term.kind, Kind::Name | Kind::Word | Kind::Weak) {
        return None;
    }
    let is_related = |other: &&Term| match (term.kind, other.kind) {
        (Kind::Name, Kind::Name) => same_name(&term.key, &other.key),
        (Kind::Word | Kind::Weak, Kind::Word | Kind::Weak) => compounds(&term.key, &other.key),
        _ => false,
    };
    let credit = if term.kind == Kind::Name { 1.0 } else { 0.7 };
    bag.terms.iter().enumerate().find(|(_, other)| is_related(other)).map(|(at, _)| (at, credit))
}

fn compounds(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let (short, long) = (short.trim_start_matches('='), long.trim_start_matches('='));
    let ends = |text: &str| (text.bytes().next(), text.bytes().next_back());
    let ((first, last), (start, end)) = (ends(short), ends(long));
    if short.len() < 4 || first != start && last != end {
        return false;
    }
    short.is_ascii_or_latin()
        && ((short.chars().count() >= 5 && long.starts_with(short))
            || (short.len() == 4 && long.len() <= 6 && long.starts_with(short))
            || (short.chars().count() >= 4 && long.chars().count() >= 8 && long.ends_with(short)))
}

trait Latin {
    fn is_ascii_or_latin(&self) -> bool;
}

impl Latin for str {
    fn is_ascii_or_latin(&self) -> bool {
        self.chars().all(|c| c < '\u{250}')
    }
}

/// Whether two names are the same, or one is the end of the other (`settle.rs`, `src/settle.rs`).
fn same_name(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let short = short.trim_start_matches('`');
    long.trim_start_matches('`') == short
        || long
            .strip_suffix(short)
            .is_some_and(|head| head.ends_with(['/', ':', '.', '`']) && short.len() > 2)
}

fn difference(one: Weighed<'_>, other: Weighed<'_>, matched: &[f32]) -> Option<Difference> {
    let (a, b) = (one.bag, other.bag);
    if disjoint(a, b, Kind::Name, &same_name) {
        return Some(Difference::Names);
    }
    if disjoint(a, b, Kind::Number, &same_number) {
        return Some(Difference::Numbers);
    }
    if is_contrary(one, b) {
        return Some(Difference::Polarity);
    }
    is_same_frame(a, b, matched).then_some(Difference::Subject)
}

/// Whether both have terms of a kind, and each has one that the other lacks.
fn disjoint(a: &Bag, b: &Bag, kind: Kind, same: &dyn Fn(&str, &str) -> bool) -> bool {
    let of = |bag: &'_ Bag| bag.terms.iter().filter(|t| t.kind == kind).count();
    let lacks = |some: &Bag, others: &Bag| {
        let mut some = some.terms.iter().filter(|term| term.kind == kind);
        some.any(|one| !others.terms.iter().any(|other| other.kind == kind && same(&one.key, &other.key)))
    };
    of(a) > 0 && of(b) > 0 && lacks(a, b) && lacks(b, a)
}

/// Whether two numbers are the same, or one is the exacter (`2.0` and `2.0.9`, `2026-06` and `2026-06-01`).
fn same_number(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    long.strip_prefix(short).is_some_and(|rest| {
        rest.is_empty() || rest.starts_with(['.', '-']) || !rest.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// Whether one denies what the other says. Where both deny something, what is denied and what is not must have changed
/// places (`a mock, never a real one` and `a real one, never a mock`).
fn is_contrary(one: Weighed<'_>, b: &Bag) -> bool {
    let a = one.bag;
    let (mut same, mut only_a, mut only_b, mut is_word) = (0.0, 0.0, 0.0, false);
    let mut swapped = (false, false);
    for (place, term) in a.terms.iter().enumerate() {
        let Some(other) = b.find(&term.key).and_then(|at| b.terms.get(at)) else { continue };
        let weight = one.weight(place);
        match (term.is_denied, other.is_denied) {
            (true, false) => {
                only_a += weight;
                swapped.0 |= !other.is_near_denial;
            }
            (false, true) => {
                only_b += weight;
                swapped.1 |= !term.is_near_denial;
            }
            _ => same += weight,
        }
        is_word |= term.is_denied != other.is_denied && !crate::memory::terms::cjk::is_cjk(&term.shown);
    }
    let contrary = only_a + only_b;
    // A denial in Latin letters is tied to its word; in CJK writing it covers a clause.
    if (a.denials == 0 || b.denials == 0) && contrary > 0.0 && (is_word || contrary > same * 0.5) {
        return true;
    }
    if swapped == (true, true) {
        return true;
    }
    let sides = |bag: &Bag| bag.sequence.iter().filter_map(|step| step.opposite).collect::<Vec<_>>();
    let (a, b) = (sides(a), sides(b));
    a.iter().any(|(pair, side)| {
        b.contains(&(*pair, !side)) && !b.contains(&(*pair, *side)) && !a.contains(&(*pair, !side))
    })
}

/// Whether two texts are the same sentence but for a word or two which the other has nowhere: then they are about
/// different subjects.
fn is_same_frame(a: &Bag, b: &Bag, matched: &[f32]) -> bool {
    let is_sentence = |bag: &Bag| (4..=80).contains(&bag.sequence.len());
    if !is_sentence(a) || !is_sentence(b) {
        return false;
    }
    let (keys_a, keys_b) = (keys(a), keys(b));
    let ops = capture_diff_slices(Algorithm::Myers, &keys_a, &keys_b);
    let equal: usize = ops.iter().map(|op| if let DiffOp::Equal { len, .. } = op { *len } else { 0 }).sum();
    if equal * 20 < keys_a.len().max(keys_b.len()) * 11 {
        return false;
    }
    let own = |bag: &Bag, start: usize, len: usize, is_matched: &dyn Fn(usize, &Term) -> bool| {
        let steps = bag.sequence.get(start..start + len).unwrap_or_default();
        steps.iter().filter_map(|step| step.term).any(|at| {
            bag.terms.get(at).is_some_and(|term| !matches!(term.kind, Kind::Weak) && !is_matched(at, term))
        })
    };
    ops.iter().any(|op| {
        let DiffOp::Replace { old_index, old_len, new_index, new_len } = *op else { return false };
        let key = |keys: &[&str], at: usize| keys.get(at).copied().unwrap_or_default().to_owned();
        if (old_len, new_len) == (1, 1) && is_switch(&key(&keys_a, old_index), &key(&keys_b, new_index)) {
            return true;
        }
        old_len <= 4
            && new_len <= 4
            && own(a, old_index, old_len, &|_, term| {
                b.find(&term.key).is_some() || related(term, b).is_some()
            })
            && own(b, new_index, new_len, &|at, _| matched.get(at).is_some_and(|credit| *credit > 0.0))
    })
}

/// The words of a text in order, by their keys.
fn keys(bag: &Bag) -> Vec<&str> {
    bag.sequence.iter().map(|step| &*step.key).collect()
}

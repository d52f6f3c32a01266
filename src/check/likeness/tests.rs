//! The measure on pairs made for it, in eight languages.

use super::*;

fn pair(a: &str, b: &str) -> Likeness {
    let index = Index::of([Bag::of(b)].into_iter());
    index.compare_with(&Bag::of(a), 0)
}

fn is_same(a: &str, b: &str) -> bool {
    let likeness = pair(a, b);
    likeness.differs.is_none() && likeness.score() >= ALIKE
}

/// The pairs of a file: same or not, language, both sentences.
fn pairs(file: &str) -> Vec<(bool, &str, &str, &str)> {
    let mut pairs = Vec::new();
    for line in file.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let mut parts = line.split(" | ");
        let head = parts.next().unwrap();
        let (kind, language) = head.split_once(' ').unwrap();
        let parts: Vec<&str> = parts.collect();
        for (at, a) in parts.iter().enumerate() {
            pairs.extend(parts[at + 1..].iter().map(|b| (kind == "=", language, *a, *b)));
        }
    }
    pairs
}

/// Found, false and missed.
fn measure(file: &str) -> (usize, usize, usize) {
    let (mut found, mut wrong, mut missed) = (0, 0, 0);
    for (same, language, a, b) in pairs(file) {
        let said = is_same(a, b);
        match (same, said) {
            (true, true) => found += 1,
            (true, false) => missed += 1,
            (false, true) => wrong += 1,
            (false, false) => {}
        }
        if same != said || std::env::var_os("LIKENESS_ALL").is_some() {
            let l = pair(a, b);
            println!(
                "{} {language} {:.2} ({:.2} {:.2}) {:?} {:?}\n    {a}\n    {b}",
                if same { "missed" } else { "false " },
                l.score(),
                l.of_first,
                l.of_second,
                l.differs,
                l.shared
            );
        }
    }
    (found, wrong, missed)
}

/// Measures a file of pairs against the least precision and recall.
fn holds(file: &str, least: (f32, f32)) {
    let (found, wrong, missed) = measure(file);
    let share = |of: usize| found as f32 / (found + of) as f32;
    println!(
        "{found} found, {wrong} false, {missed} missed: precision {:.3}, recall {:.3}",
        share(wrong),
        share(missed)
    );
    assert!(share(wrong) >= least.0 && share(missed) >= least.1);
}

#[test]
fn paraphrases_are_told_from_what_only_looks_so() {
    holds(include_str!("../../../tests/fixtures/likeness/pairs.txt"), (0.95, 0.85));
}

#[test]
fn the_measure_holds_on_pairs_that_it_was_not_fitted_on() {
    holds(include_str!("../../../tests/fixtures/likeness/held_out.txt"), (0.9, 0.5));
}

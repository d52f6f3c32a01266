//! The filter over a whole store, on all processors, given up as soon as a later question comes.

use crate::app::action::Question;
use std::num::NonZero;
use std::thread;

/// How many entries are matched between two looks at whether the question is stale.
const STEP: usize = 64;
/// From how many entries on more than one thread is worth it.
const WORTH_THREADS: usize = 500;

/// The entries that match, in their order; `None` when the question became stale meanwhile.
pub(super) fn run(question: &Question, is_stale: &(dyn Fn() -> bool + Sync)) -> Option<Vec<usize>> {
    let all: Vec<usize>;
    let candidates: &[usize] = match &question.within {
        Some(within) => within,
        None => {
            all = (0..question.contents.entries.len()).collect();
            &all
        }
    };
    let threads = match candidates.len() {
        0..WORTH_THREADS => 1,
        _ => thread::available_parallelism().map_or(1, NonZero::get),
    };
    let share = candidates.len().div_ceil(threads).max(1);
    let parts: Vec<Option<Vec<usize>>> = thread::scope(|scope| {
        let parts: Vec<_> = candidates
            .chunks(share)
            .map(|part| scope.spawn(move || matching(question, part, is_stale)))
            .collect();
        parts.into_iter().map(|part| part.join().ok().flatten()).collect()
    });
    let parts: Option<Vec<Vec<usize>>> = parts.into_iter().collect();
    parts.map(|parts| parts.concat())
}

fn matching(question: &Question, part: &[usize], is_stale: &(dyn Fn() -> bool + Sync)) -> Option<Vec<usize>> {
    // The pattern's scratch space is not shared between threads: each has its own query.
    let query = (*question.query).clone();
    let mut matches = Vec::new();
    for step in part.chunks(STEP) {
        if is_stale() {
            return None;
        }
        matches.extend(step.iter().copied().filter(|at| {
            let entry = question.contents.entries.get(*at);
            entry.is_some_and(|entry| query.matches(&question.contents, entry))
        }));
    }
    Some(matches)
}

//! What the real stores (words scrambled) name: nothing panics, every place is whole text, and it is fast.

use crate::corpus::{corpus, fixtures, read};
use memcurator::check::{self, Depth, Facts, Look, Settings};
use memcurator::memory::mentions::{Kind, Mentions};

#[test]
fn every_mention_of_a_real_memory_stands_where_it_says() {
    let (mut paths, mut memories, mut naming) = (0, 0, 0);
    for root in corpus().into_iter().chain([fixtures()]) {
        for memory in read(&root).memories {
            let (text, found) =
                (std::str::from_utf8(&memory.bytes).ok().map(str::to_owned), Mentions::of(&memory));
            memories += 1;
            naming += usize::from(found.all.iter().any(|mention| mention.kind == Kind::Path));
            for mention in &found.all {
                paths += usize::from(mention.kind == Kind::Path);
                assert!(mention.range.end <= memory.bytes.len() && !mention.text.is_empty(), "{mention:?}");
                assert_eq!(
                    mention.line,
                    memcurator::memory::lines::line_of(&memory.bytes, mention.range.start)
                );
                if let Some(text) = &text {
                    let there = text.get(mention.range.clone()).expect("a place is whole text");
                    assert!(!there.contains('\n'), "{mention:?}");
                }
            }
        }
    }
    if memories > 100 {
        assert!(paths > memories / 2 && naming * 10 > memories * 3, "{memories} memories name {paths} paths");
    }
}

/// The corpus has no project: nothing can be missing there. Its words are scrambled, so that hardly two sentences
/// can contradict each other.
#[test]
fn without_a_project_nothing_is_missing() {
    let now = "2026-11-30T12:00:00Z".parse().unwrap();
    for root in corpus().into_iter().chain([fixtures()]) {
        let snapshot = read(&root);
        let (facts, settings) = (Facts::of(&snapshot), Settings::default());
        let found = check::run(&Look::quick(&snapshot, &facts, &[], now, &settings), Depth::Deep);
        let ids = [
            "path-gone",
            "path-moved",
            "path-unknown",
            "symbol-gone",
            "flag-gone",
            "setting-gone",
            "contradicts",
        ];
        let wrong: Vec<_> = found.iter().filter(|finding| ids.contains(&finding.check.0)).collect();
        assert!(wrong.is_empty(), "{}: {wrong:#?}", root.display());
        for finding in found.iter().filter(|finding| ["superseded", "expired"].contains(&finding.check.0)) {
            assert!(finding.line > 0 && !finding.evidence.is_empty(), "{finding:?}");
        }
    }
}

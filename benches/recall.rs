//! How good the offline pick is, on the set of `benches/recall`, beside plain BM25 over bodies and fuzzy matching; and how
//! long a query takes. `cargo bench --bench recall`

// A measurement: it may stop at once, and it prints.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    missing_docs
)]

#[path = "recall/measure.rs"]
mod measure;

use bm25::{Document, Language, SearchEngine, SearchEngineBuilder};
use fuzzy_matcher::FuzzyMatcher;
use fuzzy_matcher::skim::SkimMatcherV2;
use measure::{Counts, MOST, Query, count, queries, store};
use memcurator::memory::Time;
use memcurator::memory::document::MemoryType;
use memcurator::memory::path::RelPath;
use memcurator::memory::snapshot::Snapshot;
use memcurator::prompt::recall::{Candidate, Options, Ranker, candidates};
use std::time::{Duration, Instant};

/// The rival ways: the files with their scores, best first.
type Scored<'a> = Box<dyn Fn(&str) -> Vec<(String, f64)> + 'a>;

fn main() {
    let (store, queries) = (store(), queries());
    println!(
        "{:<34} {:<9} {:>9} {:>7} {:>8} {:>13}",
        "", "split", "precision", "recall", "empties", "false empties"
    );
    let ranker = Ranker::of(&candidates(&store, Time::UNIX_EPOCH));
    let mut ours = |query: &str| -> Vec<String> {
        ranker.ask(query, &Options::default()).picked().map(|one| one.path.to_string()).collect()
    };
    for split in ["tune", "held-out"] {
        let counts = count(&queries, split, &mut ours);
        row("offline ranker", split, &counts);
        for (kind, (found, right)) in counts.kinds.iter().filter(|(_, (_, right))| *right > 0) {
            println!("    {kind:<30} {found} of {right}");
        }
    }
    let bodies = bodies(&store);
    let fuzzy = fuzzy(&store);
    for (name, scored) in [("BM25 over bodies", &bodies), ("fuzzy over headers", &fuzzy)] {
        for split in ["tune", "held-out"] {
            row(&format!("{name}, top {MOST}"), split, &rival(&queries, split, scored, f64::MIN));
        }
        let least = best(&queries, scored);
        for split in ["tune", "held-out"] {
            row(&format!("{name}, from {least:.1} on"), split, &rival(&queries, split, scored, least));
        }
    }
    let each = time(&ranker, &queries);
    println!("a query over {} memories: {each:?}", ranker.candidates().len());
    let (many, ready) = many();
    println!(
        "a query over {} memories: {:?}; made ready in {ready:?}",
        many.candidates().len(),
        time(&many, &queries)
    );
}

fn row(name: &str, split: &str, counts: &Counts) {
    println!(
        "{name:<34} {split:<9} {:>9.2} {:>7.2} {:>8.2} {:>13.2}",
        counts.precision(),
        counts.recall(),
        counts.empties(),
        counts.false_empties()
    );
}

fn rival(queries: &[Query], split: &str, scored: &Scored<'_>, least: f64) -> Counts {
    count(queries, split, &mut |query| {
        let best = scored(query).into_iter().filter(|(_, score)| *score >= least).take(MOST);
        best.map(|(file, _)| file).collect()
    })
}

/// The threshold with which a way does best on the split for it: precision counts twice as much as recall, as in what
/// ours was fitted to, and queries without an answer count as well.
fn best(queries: &[Query], scored: &Scored<'_>) -> f64 {
    let mut all: Vec<f64> = queries
        .iter()
        .filter(|query| query.split == "tune")
        .flat_map(|query| scored(&query.query).into_iter().take(MOST).map(|(_, score)| score))
        .collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    let worth = |least: f64| {
        let counts = rival(queries, "tune", scored, least);
        let (p, r) = (counts.precision(), counts.recall());
        let f = if p + r > 0.0 { 1.25 * p * r / (0.25 * p + r) } else { 0.0 };
        f + 0.3 * counts.empties()
    };
    all.into_iter().max_by(|a, b| worth(*a).total_cmp(&worth(*b))).unwrap_or(f64::MAX)
}

fn bodies(store: &Snapshot) -> Scored<'_> {
    let documents = store
        .memories
        .iter()
        .map(|memory| Document { id: memory.path.to_string(), contents: memory.body().into_owned() });
    let documents: Vec<Document<String>> = documents.collect();
    let engine: SearchEngine<String> =
        SearchEngineBuilder::with_documents(Language::English, documents).build();
    Box::new(move |query| {
        let found = engine.search(query, None);
        found.into_iter().map(|one| (one.document.id, f64::from(one.score))).collect()
    })
}

/// Each word of the query is matched by itself (a whole sentence would match nothing), and the scores are added up.
fn fuzzy(store: &Snapshot) -> Scored<'_> {
    let matcher = SkimMatcherV2::default().ignore_case();
    Box::new(move |query| {
        let score = |text: &str| -> i64 {
            query.split_whitespace().filter_map(|word| matcher.fuzzy_match(text, word)).sum()
        };
        let mut all: Vec<(String, f64)> = store
            .memories
            .iter()
            .map(|memory| {
                let about = memory.document.header.description.as_deref().unwrap_or_default();
                (memory.path.to_string(), score(&format!("{} {about}", memory.title())) as f64)
            })
            .filter(|(_, score)| *score > 0.0)
            .collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all
    })
}

/// How long a query takes.
fn time(ranker: &Ranker, queries: &[Query]) -> Duration {
    let began = Instant::now();
    for query in queries {
        std::hint::black_box(ranker.ask(&query.query, &Options::default()));
    }
    began.elapsed() / u32::try_from(queries.len()).unwrap_or(1)
}

/// Ten thousand candidates of the set's own words, and how long it took to make them ready.
fn many() -> (Ranker, Duration) {
    let store = store();
    let words: Vec<String> = store
        .memories
        .iter()
        .filter_map(|memory| memory.document.header.description.as_deref())
        .flat_map(|text| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = usize::try_from(state >> 33).unwrap_or(0) % words.len();
        words[at].as_str()
    };
    let all: Vec<Candidate> = (0..10_000)
        .map(|number| Candidate {
            path: RelPath::new(format!("memory-{number}.md")).unwrap(),
            name: Some(format!("{} {}", next(), next()).into()),
            description: Some((0..18).map(|_| next()).collect::<Vec<_>>().join(" ").into()),
            kind: MemoryType::Project,
            age: None,
            unreadable: None,
        })
        .collect();
    let began = Instant::now();
    let ranker = Ranker::of(&all);
    (ranker, began.elapsed())
}

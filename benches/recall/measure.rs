//! The set of `benches/recall` and how answers to it are counted (its README.md says why so).

use memcurator::memory::Time;
use memcurator::memory::document::Document;
use memcurator::memory::path::RelPath;
use memcurator::memory::snapshot::{Memory, Snapshot, Stat};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most picks of one query.
pub const MOST: usize = 5;

/// One query of the set.
pub struct Query {
    pub query: String,
    pub right: BTreeSet<String>,
    pub fine: BTreeSet<String>,
    pub split: String,
    pub kind: String,
}

/// What came of a split.
#[derive(Debug, Default, Clone)]
pub struct Counts {
    pub right_picks: usize,
    pub picks: usize,
    pub right: usize,
    pub empty: usize,
    pub empty_kept: usize,
    pub false_empty: usize,
    pub others: usize,
    /// Right picks and right files of each kind.
    pub kinds: BTreeMap<String, (usize, usize)>,
}

impl Counts {
    pub fn precision(&self) -> f64 {
        part(self.right_picks, self.picks)
    }

    pub fn recall(&self) -> f64 {
        part(self.right_picks, self.right)
    }

    pub fn empties(&self) -> f64 {
        part(self.empty_kept, self.empty)
    }

    pub fn false_empties(&self) -> f64 {
        part(self.false_empty, self.others)
    }
}

fn part(some: usize, all: usize) -> f64 {
    if all == 0 { 0.0 } else { some as f64 / all as f64 }
}

fn dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/recall")
}

/// The set's store. All files are of one time, so that age plays no part.
pub fn store() -> Snapshot {
    let mut files: Vec<PathBuf> =
        fs::read_dir(dir().join("store")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let memories = files.iter().filter_map(|file| {
        let path = RelPath::new(file.file_name()?).filter(|path| !path.is_index())?;
        let bytes = fs::read(file).unwrap();
        let stat = Stat { mtime: Time::UNIX_EPOCH, mode: 0o600, link: None };
        let document = Document::parse(&bytes);
        Some(Arc::new(Memory { path, bytes: bytes.into(), document, stat }))
    });
    Snapshot { memories: memories.collect(), ..Snapshot::default() }
}

/// The set's queries.
pub fn queries() -> Vec<Query> {
    let text = fs::read_to_string(dir().join("queries.json")).unwrap();
    let all: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    let files = |value: &serde_json::Value| -> BTreeSet<String> {
        let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
        list.iter().map(|file| file.as_str().unwrap().to_owned()).collect()
    };
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    all.iter()
        .map(|one| Query {
            query: text(&one["query"]),
            right: files(&one["right"]),
            fine: files(&one["fine"]),
            split: text(&one["split"]),
            kind: text(&one["kind"]),
        })
        .collect()
}

/// Counts what `pick` gives for the queries of a split.
pub fn count(queries: &[Query], split: &str, pick: &mut dyn FnMut(&str) -> Vec<String>) -> Counts {
    let mut counts = Counts::default();
    for query in queries.iter().filter(|query| query.split == split) {
        let mut picked = pick(&query.query);
        assert!(picked.len() <= MOST);
        picked.retain(|file| !query.fine.contains(file));
        let right = picked.iter().filter(|file| query.right.contains(*file)).count();
        counts.right_picks += right;
        counts.picks += picked.len();
        counts.right += query.right.len();
        let (all, kept) = if query.right.is_empty() {
            (&mut counts.empty, &mut counts.empty_kept)
        } else {
            (&mut counts.others, &mut counts.false_empty)
        };
        *all += 1;
        *kept += usize::from(picked.is_empty());
        let kind = counts.kinds.entry(query.kind.clone()).or_default();
        kind.0 += right;
        kind.1 += query.right.len();
    }
    counts
}

//! Small tables of what is picked and what is not.

use super::*;
use crate::memory::document::Document;
use crate::memory::snapshot::{Stat, Unreadable};
use std::sync::Arc;

fn now() -> Time {
    "2026-03-05T10:00:00Z".parse().unwrap()
}

/// A store of memories (file, type, description).
fn store(memories: &[(&str, &str, &str)]) -> Snapshot {
    let memories = memories.iter().map(|(path, kind, description)| {
        let stem = path.trim_end_matches(".md");
        let text = format!("---\nname: {stem}\ndescription: {description:?}\ntype: {kind}\n---\nThe body.\n");
        let stat = Stat { mtime: "2026-03-01T10:00:00Z".parse().unwrap(), mode: 0o600, link: None };
        let document = Document::parse(text.as_bytes());
        Arc::new(Memory { path: RelPath::new(path).unwrap(), bytes: text.as_bytes().into(), document, stat })
    });
    Snapshot { memories: memories.collect(), ..Snapshot::default() }
}

fn some() -> Snapshot {
    store(&[
        (
            "integration-tests-real-db.md",
            "feedback",
            "Integration tests connect to a real database, never a mock",
        ),
        (
            "refunds-two-approvals.md",
            "project",
            "Refunds over 500 need a second approval before they are sent",
        ),
        ("settle-in-cents.md", "project", "Amounts are settled as integer cents in settle_in_cents"),
        ("deploy-with-script.md", "feedback", "Releases go out with the deploy script, never by hand"),
        ("prefers-small-commits.md", "user", "Prefers small commits, one thing each"),
        ("ticket-board.md", "reference", "Open bugs are on the ticket board of the payments team"),
        ("gh-usage.md", "reference", "How the gh command line is used to open pull requests"),
        ("gh-rate-limit.md", "reference", "Known problem: gh fails after 30 calls a minute, wait for it"),
        ("freigaben.md", "project", "Rückerstattungen über 500 brauchen eine zweite Freigabe"),
    ])
}

fn picks(query: &str, options: &Options) -> Vec<String> {
    let ranker = Ranker::of(&candidates(&some(), now()));
    ranker.ask(query, options).picked().map(|one| one.path.to_string()).collect()
}

#[test]
fn what_answers_a_query_is_picked() {
    for (query, first) in [
        ("how should I write this integration test?", "integration-tests-real-db.md"),
        ("settle_in_cents", "settle-in-cents.md"),
        ("why does settleInCents round?", "settle-in-cents.md"),
        ("does a refund of 600 need an approval?", "refunds-two-approvals.md"),
        ("open a pull request with gh", "gh-usage.md"),
    ] {
        let picked = picks(query, &Options::default());
        assert_eq!(picked.first().map(String::as_str), Some(first), "{query}: {picked:?}");
    }
}

#[test]
fn a_query_without_an_answer_picks_nothing() {
    for query in [
        "",
        "the",
        "?!",
        "what is the weather like in Lisbon tomorrow?",
        "rename this variable to something shorter",
        "explain how a hash map grows in memory",
        "never",
    ] {
        assert_eq!(picks(query, &Options::default()), Vec::<String>::new(), "{query}");
    }
}

#[test]
fn the_list_is_every_memory_by_path_and_says_what_cant_be_read() {
    let mut snapshot = some();
    let path = |path: &str| RelPath::new(path).unwrap();
    snapshot.unreadable.push(Unreadable { path: path("a-locked.md"), why: "permission denied".into() });
    snapshot.unreadable.push(Unreadable { path: RelPath::index(), why: "permission denied".into() });
    let all = candidates(&snapshot, now());
    assert_eq!(all.len(), 10);
    assert!(all.is_sorted_by_key(|one| one.path.clone()));
    assert_eq!(all[0].unreadable.as_deref(), Some("permission denied"));
    assert_eq!(all[1].age.unwrap().days, 4);
    let recall = Ranker::of(&all).ask("locked", &Options::default());
    assert_eq!(recall.picked().count(), 0);
    let locked = recall.verdicts.iter().find(|one| one.path == path("a-locked.md")).unwrap();
    assert_eq!(locked.fate, Fate::Unreadable("permission denied".into()));
}

//! Which memories are proposed as the same, and which are not.

use super::super::{Depth, Facts, Finding, Settings, run};
use super::*;
use crate::check::likeness::nearest;
use crate::memory::document::Document;
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Snapshot, Stat};
use std::sync::Arc;

const NOW: &str = "2026-07-01T12:00:00Z";

/// A store of memories: name, description, body.
fn store(memories: &[(&str, &str, &str)]) -> Snapshot {
    let memory = |(at, (name, description, body)): (usize, &(&str, &str, &str))| {
        let text = format!(
            "---\nname: {name}\ndescription: {description}\ntype: project\nmodified: 2026-05-{:02}\n---\n\n{body}\n",
            at + 1
        );
        Arc::new(Memory {
            path: RelPath::new(format!("{name}.md")).unwrap(),
            bytes: text.as_bytes().into(),
            document: Document::parse(text.as_bytes()),
            stat: Stat { mtime: NOW.parse().unwrap(), mode: 0o644, link: None },
        })
    };
    Snapshot { memories: memories.iter().enumerate().map(memory).collect(), ..Snapshot::default() }
}

fn duplicates(memories: &[(&str, &str, &str)]) -> Vec<Finding> {
    let snapshot = store(memories);
    let (facts, settings) = (Facts::of(&snapshot), Settings::default());
    let look = Look::quick(&snapshot, &facts, &[], NOW.parse().unwrap(), &settings);
    let mut all = run(&look, Depth::Deep);
    all.retain(|one| one.check.0 == "duplicate");
    all
}

const WHY: &str =
    "\n\n**Why:** two customers were billed twice.\n\n**How to apply:** in reviews of this area.";

#[test]
fn a_pair_is_told_once_on_the_newer() {
    let found = duplicates(&[
        ("a", "no mocks", "Integration tests connect to a real database, never a mock."),
        ("b", "tariffs", "The tariff owner signs off the price list."),
        ("c", "tests", "Don't mock the DB in integration tests; they have to hit a real one."),
    ]);
    assert_eq!(found.len(), 1, "{found:#?}");
    let one = &found[0];
    assert_eq!((one.memory.to_string().as_str(), one.line), ("c.md", 8));
    assert_eq!(one.fixes, [Fix::Merge(RelPath::new("a.md").unwrap())]);
    assert_eq!((one.evidence[0].path.as_deref(), one.evidence[0].line), (Some("a.md"), Some(8)));
    assert!(one.message.contains("“a” (both: ") && one.message.contains("alike"), "{}", one.message);
    assert_eq!(one.about, "a.md");
}

#[test]
fn what_others_link_to_is_kept() {
    let found = duplicates(&[
        ("a", "no mocks", "Integration tests connect to a real database, never a mock."),
        ("c", "tests", "Don't mock the DB in integration tests; they have to hit a real one."),
        ("d", "list", "Before a release, read [[c]]."),
    ]);
    assert_eq!(found.iter().map(|one| one.memory.to_string()).collect::<Vec<_>>(), ["a.md"]);
}

#[test]
fn a_group_has_one_finding_for_each_but_one() {
    let same = "Refunds over 500 need a second approval.";
    let found = duplicates(&[
        ("a", "x", same),
        ("b", "y", "A refund above 500 is held until a second person approves it."),
        ("c", "z", same),
        ("d", "z", "Refunds over 900 need a second approval."),
    ]);
    let memories: Vec<_> = found.iter().map(|one| one.memory.to_string()).collect();
    assert_eq!(memories, ["c.md", "b.md"], "{found:#?}");
    assert!(found[0].message.contains("and 1 more"), "{}", found[0].message);
}

#[test]
fn shared_reasons_and_templates_are_no_duplicates() {
    let of = |path: &str| format!("`{path}` looks dead but the partner feed needs it.{WHY}");
    let (a, b) = (of("lib/quota_drain.py"), of("lib/shard_merge.py"));
    let other = format!("Exports are sorted by region.{WHY}");
    let found = duplicates(&[
        ("a", "Merge notes for the ledger work, entry 12", &a),
        ("b", "Merge notes for the ledger work, entry 13", &b),
        ("c", "Split notes for the ledger work, entry 14", &other),
    ]);
    assert_eq!(found, []);
}

#[test]
fn long_memories_are_compared_by_their_heads_too() {
    let long = |words: &str| {
        format!("{words} ").repeat(1)
            + "Deployments of the gateway go through the release branch. The pipeline builds an image, signs it and hands it to the cluster in Oslo. After that the smoke tests run against the canary for ten minutes; a failed one stops the rollout and pages the gateway crew. Roll back with the previous image."
    };
    let (a, b) = (long("Gateway rollout."), long("How the gateway gets out."));
    let found = duplicates(&[
        ("gateway-deployment", "How the gateway is deployed and rolled back", &a),
        ("deploying-the-gateway", "Gateway deployment and how to roll back", &b),
        (
            "gateway-metrics",
            "Which metrics of the gateway matter",
            "The gateway's p99 latency is on the wall; the error budget is reviewed on Mondays.",
        ),
    ]);
    assert_eq!(found.len(), 1, "{found:#?}");
}

#[test]
fn the_nearest_of_a_proposal() {
    let snapshot = store(&[
        ("a", "tests", "Integration tests connect to a real database, never a mock."),
        ("b", "refunds", "Refunds over 500 need a second approval."),
        ("c", "mocks", "Integration tests use a mock, never a real database."),
    ]);
    let proposal = "---\nname: real-db\ndescription: x\ntype: feedback\n---\nNo mocks in integration tests, use the real DB.\n";
    let near = nearest(proposal, &snapshot, 2);
    assert_eq!(near.iter().map(|one| one.memory).collect::<Vec<_>>(), [0, 2]);
    assert!(near[0].score >= ALIKE && near[1].score < ALIKE && near[0].why.starts_with("both: "), "{near:?}");
    assert_eq!(nearest("", &snapshot, 2), []);
    assert_eq!(nearest("No refund above 500 without a second approval", &snapshot, 1)[0].memory, 1);
}

#[test]
fn paraphrases_that_share_half_their_words_are_candidates() {
    let found = duplicates(&[
        (
            "a",
            "gate",
            "The gate camera loses frames in heavy rain, so plates are typed by the guard and checked at noon.",
        ),
        ("b", "tariffs", "The tariff owner signs off the price list."),
        (
            "c",
            "rain",
            "When rain is heavy the guard types number plates, because frames of the gate camera get lost.",
        ),
    ]);
    let [one] = found.as_slice() else { panic!("{found:#?}") };
    assert_eq!((one.memory.to_string().as_str(), one.severity), ("c.md", Severity::Info), "{}", one.message);
}

//! Descriptions that tell nothing, and what is proposed in their place.

use super::suggest;
use super::suggest::LONGEST;
use crate::check::tests::deep;
use crate::check::{Depth, Facts, Finding, Fix, Look, Settings, Severity, preview, run};
use crate::memory::Time;
use crate::memory::document::Document;
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Snapshot, Stat};
use std::sync::Arc;

fn found(header: &str, body: &str) -> Vec<String> {
    let text = format!("---\n{header}\n---\n{body}");
    let found = deep(&text, "description-vague");
    found.iter().map(|one| format!("{}:{} {:?}", one.check.0, one.line, one.severity)).collect()
}

#[test]
fn descriptions_that_tell_nothing() {
    for (name, description, vague) in [
        ("refund-approvals", "Refund approvals", true),
        ("a", "notes", true),
        ("a", "Important information", true),
        ("a", "misc", true),
        ("a", "重要信息", true),
        ("a", "메모", true),
        ("a", "---", true),
        ("a", "Wichtige Hinweise", true),
        ("refund-approvals", "Refund approvals need two people", false),
        ("a", "Notes on the ledger", false),
        ("a", "Reports are due monthly", false),
        ("a", "返金には二人の承認が要る", false),
    ] {
        let header = format!("name: {name}\ndescription: \"{description}\"\ntype: user");
        let expected: &[&str] = if vague { &["description-vague:3 Warning"] } else { &[] };
        assert_eq!(found(&header, "x\n"), expected, "{description}");
    }
}

/// A store of memories (description, body).
fn store(memories: &[(&str, &str)]) -> Snapshot {
    let memory = |(at, (description, body)): (usize, &(&str, &str))| {
        let text = format!("---\nname: m{at}\ndescription: {description}\ntype: project\n---\n\n{body}\n");
        let stat = Stat { mtime: Time::UNIX_EPOCH, mode: 0o600, link: None };
        let path = RelPath::new(format!("m{at}.md")).unwrap();
        Arc::new(Memory {
            path,
            document: Document::parse(text.as_bytes()),
            bytes: text.as_bytes().into(),
            stat,
        })
    };
    Snapshot { memories: memories.iter().enumerate().map(memory).collect(), ..Snapshot::default() }
}

fn findings(snapshot: &Snapshot) -> Vec<Finding> {
    let (facts, settings) = (Facts::of(snapshot), Settings::default());
    let mut all = run(&Look::quick(snapshot, &facts, &[], Time::UNIX_EPOCH, &settings), Depth::Deep);
    all.retain(|one| one.check.0 == "description-vague");
    all
}

const REFUNDS: &str = "Refunds over 500 are held until a second person approves them in the back office.\n\n**Why:** The \
                       auditors found two refunds that nobody had checked.";

#[test]
fn a_description_that_no_query_finds() {
    for (description, body, severity) in [
        ("how we do it now", REFUNDS, Some(Severity::Warning)),
        ("talk with Alex", REFUNDS, Some(Severity::Warning)),
        ("Refunds over 500 wait for a second approval", REFUNDS, None),
        ("Refund approvals", REFUNDS, None),
        // In other words than the memory: whether they are the right ones no count can tell.
        ("Paying customers back needs four eyes", REFUNDS, None),
        // In another language than the memory.
        ("Vier Augen für die Erstattung", REFUNDS, None),
        ("返金の規則", REFUNDS, None),
        // A memory of a few words is read at a glance.
        ("talk with Alex", "He likes tea.", None),
    ] {
        let found = findings(&store(&[
            (description, body),
            ("The ledger is append-only", "The ledger is append-only."),
        ]));
        assert_eq!(found.iter().map(|one| one.severity).next(), severity, "{description}: {found:?}");
    }
}

#[test]
fn it_shows_what_is_lacking_what_is_found_instead_and_a_better_one() {
    let other = (
        "Second approvals of refunds are given in the back office",
        "Only the two owners approve refunds there.",
    );
    let snapshot = store(&[("how we do it now", REFUNDS), other]);
    let found = findings(&snapshot);
    let [one] = found.as_slice() else { panic!("{found:?}") };
    let evidence: Vec<&str> = one.evidence.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(evidence[0], "“how we do it now”");
    assert!(
        evidence[1].starts_with("words of the memory that the description lacks: Refunds, "),
        "{evidence:?}"
    );
    assert!(evidence[2].starts_with("found in its place: “Second approvals"), "{evidence:?}");
    let Some(Fix::Replace { range, text, is_safe: false }) = one.fixes.first() else { panic!("{one:?}") };
    let shown = preview(&snapshot.memories[0].bytes, range, text).unwrap();
    assert_eq!(
        shown.after,
        "description: Refunds over 500 are held until a second person approves them in the back office"
    );
    assert_eq!(one.fixes.last(), Some(&Fix::Edit));
}

#[test]
fn others_that_say_the_same_words_are_found_instead() {
    // Six others have the one word that the description shares with its memory, and more of the rest.
    let near = "Deploys go out with the release script on Tuesdays";
    let mut all =
        vec![("about deploys", "Deploys go out with the release script on Tuesdays, after the smoke test.")];
    all.extend([(near, "Deploys go out with the release script on Tuesdays."); 6]);
    let found = findings(&store(&all));
    assert_eq!(
        found.iter().map(|one| (one.memory.to_string(), one.severity)).collect::<Vec<_>>(),
        [("m0.md".into(), Severity::Info)]
    );
    all.truncate(3);
    assert_eq!(findings(&store(&all)), Vec::new(), "among three any query finds it");
}

#[test]
fn a_better_one_in_the_memory_s_own_words() {
    for (body, expected) in [
        ("Refunds over 500 are held.\n\n**Why:** x\n", Some("Refunds over 500 are held")),
        ("# Title\n\nSee below.\n\n- The **ledger** is append-only\n", Some("The ledger is append-only")),
        ("返金は二人の承認が必要です。\n", Some("返金は二人の承認が必要です")),
        ("", None),
        ("ok\n", None),
        ("The token is ghp_a1B2c3D4e5F6a1B2c3D4e5F6a1B2c3D4e5F6 of the deploy.\n", None),
        ("The\u{202e} ledger is append-only.\n", None),
    ] {
        assert_eq!(suggest(body).as_deref(), expected, "{body:?}");
    }
    let long = format!(
        "Refunds over 500 are held by the ledger, {}\n",
        "and then they are looked at once more ".repeat(9)
    );
    assert_eq!(suggest(&long).as_deref(), Some("Refunds over 500 are held by the ledger"));
    let endless = "refunds approvals ledger settlement payouts ".repeat(30);
    let joined = suggest(&endless).unwrap();
    assert!(
        joined.starts_with("refunds, approvals, ledger") && joined.chars().count() <= LONGEST,
        "{joined}"
    );
}

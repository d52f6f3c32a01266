//! Approving on stores by hand.

use super::*;
use crate::memory::snapshot::Unreadable;
use crate::review::proposal::Origin;
use crate::review::proposal::intake::Intake;
use crate::review::rename::tests::{file, store};

const NOW: &str = "2026-03-05T10:00:00Z";
const A: &str = "---\nname: a\ndescription: first\ntype: user\n---\n\nThe fact.\n";

fn shop() -> Snapshot {
    let b = "---\nname: b\ndescription: other\ntype: user\n---\n\nOther, see [[a]].\n";
    store(&[("a.md", A), ("b.md", b), ("MEMORY.md", "# Index\n\n* [a](a.md): first\n* [b](b.md): other\n")])
}

fn proposal(snapshot: &Snapshot, text: &str) -> Proposal {
    let origin = Origin { kind: "hook".into(), ..Origin::default() };
    let now = NOW.parse().unwrap();
    Intake::new(snapshot, &[], &origin, now).read(text).unwrap().remove(0)
}

fn plan(snapshot: &Snapshot, proposal: &Proposal) -> Plan {
    match approve(snapshot, &[], proposal, false).unwrap() {
        Outcome::Ready(plan) => *plan,
        other => panic!("{other:?}"),
    }
}

/// Done twice it is known as done, and nothing else is planned.
fn is_done_after(snapshot: &Snapshot, proposal: &Proposal, plan: &Plan) {
    let then = after(snapshot, plan, NOW.parse().unwrap());
    assert!(matches!(approve(&then, &[], proposal, false), Ok(Outcome::Done)));
}

#[test]
fn a_new_memory_gets_its_line_in_the_store_s_own_style() {
    let shop = shop();
    let proposal = proposal(&shop, r#"{"type": "user", "body": "Prefers tea."}"#);
    let plan = plan(&shop, &proposal);
    assert_eq!(file(&shop, &plan, "prefers-tea.md").as_bytes(), &**proposal.bytes.as_ref().unwrap());
    let index = file(&shop, &plan, "MEMORY.md");
    assert!(index.ends_with("* [b](b.md): other\n* [prefers-tea](prefers-tea.md): Prefers tea\n"), "{index}");
    assert_eq!(plan.message, "approved a new memory: prefers-tea (proposed by hook)");
    is_done_after(&shop, &proposal, &plan);
    let own = r#"{"type": "user", "body": "Prefers tea.", "index_line": "- tea: [x](prefers-tea.md)"}"#;
    let own = super::tests::proposal(&shop, own);
    let index = file(&shop, &super::tests::plan(&shop, &own), "MEMORY.md");
    assert!(index.ends_with("\n- tea: [x](prefers-tea.md)\n"), "{index}");
}

#[test]
fn a_change_takes_its_line_along() {
    let shop = shop();
    let change = proposal(&shop, r#"{"action": "change", "file": "a", "description": "second"}"#);
    let plan = plan(&shop, &change);
    assert_eq!(file(&shop, &plan, "a.md"), A.replace("first", "second"));
    assert_eq!(file(&shop, &plan, "MEMORY.md"), "# Index\n\n* [a](a.md): second\n* [b](b.md): other\n");
    is_done_after(&shop, &change, &plan);
    let own = r#"{"action": "change", "file": "a", "why": "So.", "index_line": "* [A](a.md): mine"}"#;
    let index = file(&shop, &super::tests::plan(&shop, &proposal(&shop, own)), "MEMORY.md");
    assert!(index.contains("\n* [A](a.md): mine\n* [b]"), "{index}");
    let astray = r#"{"action": "change", "file": "a", "why": "So.", "index_line": "* [A](b.md)"}"#;
    let plan = super::tests::plan(&shop, &proposal(&shop, astray));
    assert_eq!((plan.changes.len(), plan.warnings.len()), (1, 1), "{plan:?}");
}

/// An entry of two lines: both are its line.
#[test]
fn a_change_takes_both_lines_along() {
    let index = "* [a](a.md)\n  — first\n* [b](b.md)\n  — other\n";
    let shop = store(&[("a.md", A), ("MEMORY.md", index)]);
    let change = proposal(&shop, r#"{"action": "change", "file": "a", "description": "second"}"#);
    let followed = file(&shop, &plan(&shop, &change), "MEMORY.md");
    assert_eq!(followed, index.replace("first", "second"));
    let own = r#"{"action": "change", "file": "a", "why": "So.", "index_line": "* [A](a.md): mine"}"#;
    let own = file(&shop, &plan(&shop, &proposal(&shop, own)), "MEMORY.md");
    assert_eq!(own, "* [A](a.md): mine\n* [b](b.md)\n  — other\n");
    let add = proposal(&shop, r#"{"type": "user", "body": "Prefers tea."}"#);
    let added = file(&shop, &plan(&shop, &add), "MEMORY.md");
    assert_eq!(added, format!("{index}* [prefers-tea](prefers-tea.md)\n  — Prefers tea\n"));
    let delete = proposal(&shop, r#"{"action": "delete", "file": "a"}"#);
    assert_eq!(file(&shop, &plan(&shop, &delete), "MEMORY.md"), "* [b](b.md)\n  — other\n");
}

#[test]
fn a_deletion_takes_its_line_along() {
    let shop = shop();
    let delete = proposal(&shop, r#"{"action": "delete", "file": "a"}"#);
    let plan = plan(&shop, &delete);
    assert_eq!(file(&shop, &plan, "MEMORY.md"), "# Index\n\n* [b](b.md): other\n");
    is_done_after(&shop, &delete, &plan);
}

#[test]
fn what_changed_meanwhile_is_stale() {
    let shop = shop();
    let now: Time = NOW.parse().unwrap();
    let change = proposal(&shop, r#"{"action": "change", "file": "a", "description": "second"}"#);
    let delete = proposal(&shop, r#"{"action": "delete", "file": "a"}"#);
    let add = proposal(&shop, r#"{"type": "user", "body": "Prefers tea."}"#);
    let theirs = proposal(&shop, r#"{"action": "change", "file": "a", "why": "Theirs."}"#);
    let then = after(&shop, &plan(&shop, &theirs), now);
    for one in [&change, &delete] {
        let Outcome::Stale(stale) = approve(&then, &[], one, false).unwrap() else { panic!() };
        assert!(stale.why.contains("a.md was changed"), "{stale:?}");
        assert!(matches!(approve(&then, &[], one, true), Ok(Outcome::Ready(_))));
    }
    let current = then.memories[0].bytes.clone();
    let pieces = rebase(&change, A.as_bytes(), &current);
    let [Piece::Settled(both)] = pieces.as_slice() else { panic!("{pieces:?}") };
    let both = on_version(&change, &current, both.clone());
    let text = file(&then, &plan(&then, &both), "a.md");
    assert!(text.contains("second") && text.contains("Theirs."), "{text}");
    let gone = after(&shop, &plan(&shop, &delete), now);
    assert!(matches!(approve(&gone, &[], &change, false), Ok(Outcome::Stale(_))));
    let there = after(&shop, &plan(&shop, &add), now);
    let other = Proposal { bytes: Some(b"other".as_slice().into()), ..add };
    assert!(matches!(approve(&there, &[], &other, false), Ok(Outcome::Stale(_))));
}

#[test]
fn what_can_t_be_looked_at_is_not_done() {
    let mut shop = shop();
    let nested = A.replace("name: a", "name: c");
    let mut with = store(&[("sub/c.md", &nested), ("MEMORY.md", "- [c](sub/c.md)\n")]);
    let delete = proposal(&with, r#"{"action": "delete", "file": "sub/c.md"}"#);
    with.memories.clear();
    let path = RelPath::new("sub").unwrap();
    shop.unreadable.push(Unreadable { path, why: "permission denied".into() });
    let refused = approve(&shop, &[], &delete, false).unwrap_err();
    assert!(refused.what.contains("can't be read"), "{refused:?}");
    let add = Proposal { action: Action::Add, bytes: Some(nested.as_bytes().into()), base: None, ..delete };
    assert!(approve(&shop, &[], &add, true).unwrap_err().what.contains("can't be read"));
}

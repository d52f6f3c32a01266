//! The list of the Inbox on stores by hand.

use super::*;
use crate::app::contents::Contents;
use crate::app::testing::contents;
use crate::review::gate::{Gate, Mark};
use crate::review::proposal::{Action, Faulty, Origin, Waiting, sha256};

fn proposal(id: &str, action: Action, target: &str, text: &str, by: &str) -> Proposal {
    Proposal {
        id: id.into(),
        action,
        target: RelPath::new(target).unwrap(),
        base: (action != Action::Add).then(|| sha256(A.as_bytes())),
        origin: Origin { by: Some(by.into()), ..Origin::default() },
        time: None,
        reason: None,
        index_line: None,
        bytes: (action != Action::Delete).then(|| text.as_bytes().into()),
        alone: false,
        notes: Vec::new(),
    }
}

const A: &str = "---\nname: a\ntype: user\n---\n\nOne.\n";

fn store() -> Contents {
    contents(&[("MEMORY.md", "- [a](a.md)\n"), ("a.md", A)])
}

fn waits(contents: &Contents, waiting: Vec<Waiting>) -> Arc<Waits> {
    Arc::new(Waits::of(contents, &[], waiting, Vec::new(), None, None, &|_, _| None))
}

fn boxed(proposal: Proposal) -> Waiting {
    Waiting::Proposal(Box::new(proposal))
}

fn gate(mark: Mark) -> Arc<Gate> {
    Arc::new(Gate { verdicts: Vec::new(), nearest: Vec::new(), mark })
}

fn shown(desk: &Desk) -> Vec<String> {
    desk.shown().map(|item| item.title.clone()).collect()
}

fn three() -> Vec<Waiting> {
    let new = |id: &str, by: &str| {
        boxed(proposal(id, Action::Add, &format!("{id}.md"), &format!("---\nname: {id}\n---\n\nx\n"), by))
    };
    vec![new("bad", "x"), new("good", "y"), new("fair", "x")]
}

#[test]
fn the_safest_stand_first_and_the_cursor_stays_on_its_item() {
    let contents = store();
    let mut desk = Desk::default();
    desk.take(waits(&contents, three()), Default::default(), &contents);
    desk.follow(&contents);
    assert_eq!(shown(&desk), ["bad", "good", "fair"], "as they came, until the gate has looked");
    assert_eq!(desk.current().unwrap().title, "bad");
    let marks = [("bad", Mark::Fail), ("good", Mark::Pass), ("fair", Mark::Nearly)];
    desk.gate(marks.map(|(id, mark)| (id.to_owned(), gate(mark))).to_vec(), &contents);
    assert_eq!(shown(&desk), ["good", "fair", "bad"]);
    assert_eq!(desk.current().unwrap().title, "bad", "a key that follows meets what was seen");
    desk.by_origin = true;
    desk.follow(&contents);
    assert_eq!(shown(&desk), ["fair", "bad", "good"]);
    assert_eq!(desk.rows.first(), Some(&Row::Head("x".into(), 2)));
    desk.filter = "fair".into();
    desk.follow(&contents);
    assert_eq!((shown(&desk), desk.position()), (vec!["fair".to_owned()], 1));
    desk.filter = "no such".into();
    desk.follow(&contents);
    assert!(desk.current().is_none());
}

#[test]
fn what_was_decided_on_is_gone_at_once() {
    let contents = store();
    let mut desk = Desk::default();
    desk.take(waits(&contents, three()), Default::default(), &contents);
    let act = Act::Reject(vec!["bad".into()]);
    desk.leaving.extend(act.keys());
    desk.follow(&contents);
    assert_eq!((shown(&desk), desk.count()), (vec!["good".to_owned(), "fair".into()], 2));
    assert_eq!(desk.current().unwrap().title, "good");
    // It could not be done: it shows again when the queue was read.
    desk.take(waits(&contents, three()), Default::default(), &contents);
    assert_eq!(desk.count(), 3);
}

#[test]
fn how_one_stands_to_the_store() {
    let contents = store();
    let other = "---\nname: a\ntype: user\n---\n\nTwo.\n";
    let stale = Proposal { base: Some("0".into()), ..proposal("2", Action::Change, "a.md", other, "x") };
    let fault = Faulty { id: "3".into(), fault: "damaged".into(), bytes: None };
    let all = vec![
        boxed(proposal("1", Action::Change, "a.md", other, "x")),
        boxed(stale.clone()),
        Waiting::Faulty(fault),
        boxed(proposal("4", Action::Add, "a.md", other, "x")),
        boxed(proposal("5", Action::Add, "a.md", A, "x")),
        boxed(proposal("6", Action::Delete, "gone.md", "", "x")),
        boxed(proposal("7", Action::Delete, "a.md", "", "x")),
    ];
    let read = waits(&contents, all);
    let words = |item: &Item| match item.standing {
        Standing::Ready => "ready",
        Standing::Done => "done",
        Standing::Stale(_) => "stale",
        Standing::Merged(_) => "merged",
        Standing::Faulty(_) => "faulty",
        Standing::Rejected(_) => "rejected",
    };
    let stand: Vec<&str> = read.items.iter().map(words).collect();
    assert_eq!(stand, ["ready", "stale", "faulty", "stale", "done", "done", "ready"]);
    let anew = |proposal: &Proposal, current: &[u8]| {
        Some(Proposal { base: Some(sha256(current)), ..proposal.clone() })
    };
    let merged = Waits::of(&contents, &[], vec![boxed(stale)], Vec::new(), None, None, &anew);
    assert_eq!(merged.items.iter().map(words).collect::<Vec<_>>(), ["merged"]);
    assert_eq!(merged.proposals(), 1);
}

//! The queue on the disk: what survives, what is shown with its fault, what is never lost on the way.

use super::*;
use crate::memory::path::RelPath;
use crate::review::proposal::{Action, Origin};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

const NOW: &str = "2026-03-05T10:00:00Z";

fn now() -> Time {
    NOW.parse().unwrap()
}

fn queue() -> (tempfile::TempDir, Queue) {
    let dir = tempfile::tempdir().unwrap();
    let places =
        Places { state: dir.path().join("state"), cache: dir.path().into(), config: dir.path().into() };
    // The store does not exist.
    let queue = Queue::of(&places, &dir.path().join("agent/memory"));
    (dir, queue)
}

fn proposal(name: &str) -> Proposal {
    Proposal {
        id: String::new(),
        action: Action::Add,
        target: RelPath::new(format!("{name}.md")).unwrap(),
        base: None,
        origin: Origin { kind: "propose".into(), ..Origin::default() },
        time: Some(now()),
        reason: None,
        index_line: None,
        bytes: Some(format!("the fact {name}\n").as_bytes().into()),
        alone: false,
        notes: Vec::new(),
    }
}

fn ids(queue: &Queue) -> Vec<String> {
    queue.list().unwrap().iter().map(|one| one.id().to_owned()).collect()
}

#[test]
fn proposals_wait_privately_in_their_order() {
    let (_dir, queue) = queue();
    assert_eq!((queue.list().unwrap().len(), queue.count()), (0, 0));
    let made = queue.add(&[proposal("b"), proposal("a")], now()).unwrap();
    let list = queue.list().unwrap();
    assert_eq!(list.iter().filter_map(Waiting::proposal).cloned().collect::<Vec<_>>(), made);
    assert_eq!((made[0].target.to_string().as_str(), queue.count()), ("b.md", 2));
    for entry in fs::read_dir(queue.dir()).unwrap() {
        assert_eq!(entry.unwrap().metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert_eq!(fs::metadata(queue.dir()).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn rejected_ones_are_kept_and_taken_back() {
    let (_dir, queue) = queue();
    let made = queue.add(&[proposal("a"), proposal("b")], now()).unwrap();
    let json = queue.dir().join(format!("{}.json", made[0].id));
    let text = fs::read_to_string(&json).unwrap().replacen('{', "{\n  \"colour\": \"blue\",", 1);
    fs::write(&json, text).unwrap();
    queue.reject(&made[0].id, Some("no"), now()).unwrap();
    assert_eq!(ids(&queue), [made[1].id.clone()]);
    let rejected = queue.rejected().unwrap();
    assert_eq!((rejected[0].time, rejected[0].reason.as_deref()), (Some(now()), Some("no")));
    assert_eq!(rejected[0].what.proposal().unwrap().key(), made[0].key());
    assert!(queue.reject(&made[0].id, None, now()).unwrap_err().conflict);
    queue.take_back(&made[0].id).unwrap();
    assert!(queue.take_back(&made[0].id).unwrap_err().conflict);
    assert_eq!(ids(&queue).len(), 2);
    let back = fs::read_to_string(&json).unwrap();
    assert!(back.contains("blue") && !back.contains("rejected"), "{back}");
}

#[test]
fn a_move_that_was_interrupted_shows_it_in_one_place() {
    let (_dir, queue) = queue();
    let made = queue.add(&[proposal("a")], now()).unwrap();
    let id = &made[0].id;
    let path = |dir: &Path, extension: &str| dir.join(format!("{id}.{extension}"));
    fs::create_dir_all(&queue.rejected).unwrap();
    // The text is there, the decision is not.
    fs::copy(path(&queue.pending, "md"), path(&queue.rejected, "md")).unwrap();
    assert_eq!(ids(&queue), std::slice::from_ref(id));
    // Decided, and not cleared away.
    fs::copy(path(&queue.pending, "json"), path(&queue.rejected, "json")).unwrap();
    assert!(ids(&queue).is_empty());
    assert_eq!(queue.rejected().unwrap().len(), 1);
    fs::remove_file(path(&queue.pending, "json")).unwrap();
    assert!(ids(&queue).is_empty());
    queue.take_back(id).unwrap();
    assert_eq!(queue.list().unwrap()[0].proposal(), Some(&made[0]));
}

#[test]
fn what_is_no_proposal_is_shown_with_its_fault_and_read_through_no_link() {
    let (dir, queue) = queue();
    let made = queue.add(&[proposal("a"), proposal("b"), proposal("c")], now()).unwrap();
    let file = |at: usize, extension: &str| queue.dir().join(format!("{}.{extension}", made[at].id));
    fs::write(file(0, "json"), "{\"version\": ").unwrap();
    let secret = dir.path().join("secret");
    fs::write(&secret, "a secret").unwrap();
    fs::remove_file(file(1, "md")).unwrap();
    symlink(&secret, file(1, "md")).unwrap();
    fs::remove_file(file(2, "md")).unwrap();
    fs::create_dir(file(2, "md")).unwrap();
    fs::write(queue.dir().join("by hand.md"), "mine").unwrap();
    fs::write(queue.dir().join(".writing-x.tmp"), "half").unwrap();
    let list = queue.list().unwrap();
    let faults: Vec<&str> = list
        .iter()
        .map(|one| match one {
            Waiting::Faulty(faulty) => faulty.fault.as_str(),
            Waiting::Proposal(proposal) => panic!("{proposal:?}"),
        })
        .collect();
    let expected = ["damaged", "a link", "not a regular file", "no .json"];
    assert!(
        faults.len() == 4 && faults.iter().zip(expected).all(|(fault, part)| fault.contains(part)),
        "{faults:?}"
    );
    // Rejecting puts them away as they are.
    queue.reject(&made[0].id, None, now()).unwrap();
    queue.reject("by hand", None, now()).unwrap();
    assert_eq!(queue.count(), 2);
    assert_eq!(fs::read_to_string(queue.rejected.join("by hand.md")).unwrap(), "mine");
}

#[test]
fn what_is_faulty_is_moved_whole_and_a_link_as_a_link() {
    let (dir, queue) = queue();
    let made = queue.add(&[proposal("a"), proposal("b"), proposal("c")], now()).unwrap();
    let name = |at: usize, extension: &str| format!("{}.{extension}", made[at].id);
    let long = "x".repeat(MAX_BYTES + 1000);
    fs::write(queue.pending.join(name(0, "md")), &long).unwrap();
    let json = format!("{{\"a\": \"{}\"}}", "x".repeat(MAX_JSON + 1000));
    fs::write(queue.pending.join(name(1, "json")), &json).unwrap();
    let secret = dir.path().join("secret");
    fs::write(&secret, "a secret").unwrap();
    fs::remove_file(queue.pending.join(name(2, "md"))).unwrap();
    symlink(&secret, queue.pending.join(name(2, "md"))).unwrap();
    for one in &made {
        queue.reject(&one.id, None, now()).unwrap();
    }
    assert_eq!((queue.count(), fs::read_dir(&queue.pending).unwrap().count()), (0, 0));
    assert_eq!(fs::read_to_string(queue.rejected.join(name(0, "md"))).unwrap(), long);
    assert_eq!(fs::read_to_string(queue.rejected.join(name(1, "json"))).unwrap(), json);
    assert_eq!(fs::read_link(queue.rejected.join(name(2, "md"))).unwrap(), secret);
    queue.take_back(&made[0].id).unwrap();
    assert_eq!(fs::read_to_string(queue.pending.join(name(0, "md"))).unwrap(), long);
    // The same name by hand, twice: neither takes the other's place.
    for text in ["one", "two"] {
        fs::write(queue.pending.join("by hand.md"), text).unwrap();
        queue.reject("by hand", None, now()).unwrap();
    }
    assert_eq!(fs::read_to_string(queue.rejected.join("by hand.md")).unwrap(), "one");
    assert_eq!(fs::read_to_string(queue.rejected.join("by hand~2.md")).unwrap(), "two");
}

#[test]
fn who_decides_waits_for_who_changes_the_store() {
    let (_dir, queue) = queue();
    let made = queue.add(&[proposal("a"), proposal("b")], now()).unwrap();
    queue.reject(&made[1].id, None, now()).unwrap();
    let lock = crate::store::lock::Lock::take(queue.home.as_deref().unwrap()).unwrap();
    for refused in [
        queue.reject(&made[0].id, None, now()),
        queue.take_back(&made[1].id),
        queue.replace(&made[0]),
        queue.settle(&made[0].id, now()),
    ] {
        assert!(refused.unwrap_err().what.contains("another memcurator"));
    }
    drop(lock);
    queue.reject(&made[0].id, None, now()).unwrap();
}

/// Told apart by a hash alone, those of one second stood in any order: a deletion behind what is written in its place.
#[test]
fn those_of_one_second_wait_in_the_order_in_which_they_came() {
    let (_dir, queue) = queue();
    let names: Vec<String> = (0..12).map(|number| format!("p{number:02}")).collect();
    for name in &names {
        queue.add(&[proposal(name)], now()).unwrap();
    }
    let first = ids(&queue).remove(0);
    queue.reject(&first, None, now()).unwrap();
    queue.add(&[proposal("last")], now()).unwrap();
    queue.take_back(&first).unwrap();
    let list = queue.list().unwrap();
    let stems: Vec<String> =
        list.iter().filter_map(Waiting::proposal).map(|one| one.target.stem().into_owned()).collect();
    assert_eq!(stems, names.iter().cloned().chain(["last".to_owned()]).collect::<Vec<_>>());
}

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

/// A store in the layout `agent`, with a directory where agents leave files.
fn inlet() -> (tempfile::TempDir, Queue, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let places =
        Places { state: dir.path().join("state"), cache: dir.path().into(), config: dir.path().into() };
    let memory = dir.path().join("project/.agent/memory");
    let pending = dir.path().join("project/.agent/pending");
    fs::create_dir_all(&memory).unwrap();
    fs::create_dir_all(&pending).unwrap();
    let queue = Queue::of(&places, &memory);
    (dir, queue, pending)
}

fn left_in(dir: &Path) -> Vec<String> {
    let names = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn what_an_agent_leaves_waits_where_it_is_until_it_is_decided_on() {
    let (_dir, queue, pending) = inlet();
    let text = "---\r\nname: a\r\n---\r\nA fact.\r\n";
    fs::write(pending.join("a.md"), text).unwrap();
    fs::write(pending.join("README.md"), "what this is for").unwrap();
    fs::write(pending.join("notes.txt"), "no memory").unwrap();
    fs::write(pending.join(".hidden.md"), "x").unwrap();
    let all = queue.list().unwrap();
    let [Waiting::Proposal(one)] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!((one.action, one.target.to_string().as_str(), queue.count()), (Action::Add, "a.md", 1));
    assert_eq!(queue.file_of(&all[0]), pending.join("a.md"));
    assert!(!queue.dir().exists(), "looking writes nothing");
    queue.reject(&one.id, Some("no"), now()).unwrap();
    assert_eq!(left_in(&pending), [".hidden.md", "README.md", "notes.txt"]);
    assert_eq!((queue.count(), queue.rejected().unwrap().len()), (0, 1));
    assert_eq!(fs::read_to_string(queue.rejected.join(format!("{}.md", one.id))).unwrap(), text);
    // Left once more it does not wait, and is told.
    fs::write(pending.join("b.md"), text).unwrap();
    assert_eq!((queue.count(), queue.known_already().unwrap()), (0, vec!["b.md".to_owned()]));
    queue.take_back(&one.id).unwrap();
    assert_eq!((ids(&queue), queue.known_already().unwrap()), (vec![one.id.clone()], vec!["b.md".into()]));
}

#[test]
fn what_is_written_anew_meanwhile_is_another_proposal() {
    let (dir, queue, pending) = inlet();
    let memory = dir.path().join("project/.agent/memory");
    fs::write(pending.join("a.md"), "One.\n").unwrap();
    let first = ids(&queue);
    fs::write(pending.join("a.md"), "Another.\n").unwrap();
    assert_ne!(ids(&queue), first);
    assert!(queue.reject(&first[0], None, now()).unwrap_err().conflict);
    assert_eq!(fs::read_to_string(pending.join("a.md")).unwrap(), "Another.\n");
    // Nor is it the same once the memory is there, or another.
    let second = ids(&queue);
    fs::write(memory.join("a.md"), "Mine.\n").unwrap();
    let all = queue.list().unwrap();
    let one = all[0].proposal().unwrap();
    assert_ne!(one.id, second[0]);
    assert_eq!((one.action, one.base.clone()), (Action::Change, Some(proposal::sha256(b"Mine.\n"))));
    assert!(queue.settle(&second[0], now()).is_ok() && left_in(&pending) == ["a.md"]);
}

#[test]
fn odd_files_are_shown_with_their_fault_and_moved_whole() {
    let (dir, queue, pending) = inlet();
    let large = vec![b'x'; MAX_BYTES * 3];
    fs::write(pending.join("bytes.md"), b"\xff\xfe").unwrap();
    fs::write(pending.join("large.md"), &large).unwrap();
    fs::write(pending.join("MEMORY.md"), "- [x](x.md)\n").unwrap();
    symlink(dir.path().join("elsewhere"), pending.join("link.md")).unwrap();
    fs::create_dir(pending.join("dir.md")).unwrap();
    let all = queue.list().unwrap();
    let faults: Vec<String> = all
        .iter()
        .map(|one| match one {
            Waiting::Faulty(faulty) => faulty.fault.clone(),
            Waiting::Proposal(one) => panic!("{one:?}"),
        })
        .collect();
    assert!(faults.iter().any(|fault| fault == "link.md: it is a link, which is not followed"), "{faults:?}");
    assert_eq!(faults.len(), 5, "{faults:?}");
    for one in &all {
        match queue.reject(one.id(), None, now()) {
            Ok(()) => {}
            Err(error) => {
                assert!(error.what.contains("dir.md") && error.what.contains("it is no file"), "{error}")
            }
        }
    }
    assert_eq!(left_in(&pending), ["dir.md"]);
    let kept: Vec<PathBuf> = left_in(&queue.rejected).iter().map(|name| queue.rejected.join(name)).collect();
    assert!(kept.iter().any(|path| fs::read(path).is_ok_and(|bytes| bytes == large)), "{kept:?}");
    assert!(kept.iter().any(|path| fs::read(path).is_ok_and(|bytes| bytes == b"\xff\xfe")));
    assert!(kept.iter().any(|path| fs::read_link(path).is_ok_and(|to| to == dir.path().join("elsewhere"))));
}

#[test]
fn a_directory_that_is_none_is_told_and_nothing_else_fails() {
    let (dir, queue, pending) = inlet();
    queue.add(&[proposal("b")], now()).unwrap();
    fs::remove_dir(&pending).unwrap();
    assert_eq!(queue.count(), 1);
    let elsewhere = dir.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("a.md"), "A fact.\n").unwrap();
    symlink(&elsewhere, &pending).unwrap();
    for is_link in [true, false] {
        let all = queue.list().unwrap();
        let [Waiting::Proposal(_), Waiting::Faulty(faulty)] = all.as_slice() else { panic!("{all:?}") };
        assert!(
            faulty.fault.starts_with(".agent/pending: it is no directory, or a link"),
            "{}",
            faulty.fault
        );
        assert!(queue.reject(&faulty.id, None, now()).unwrap_err().what.contains("nothing was done"));
        if is_link {
            fs::remove_file(&pending).unwrap();
            fs::write(&pending, "a file").unwrap();
        }
    }
    assert_eq!(left_in(&elsewhere), ["a.md"]);
}

#[test]
fn a_crash_on_the_way_into_the_queue_leaves_it_once() {
    let (_dir, queue, pending) = inlet();
    fs::write(pending.join("a.md"), "A fact.\n").unwrap();
    let all = queue.list().unwrap();
    let one = all[0].proposal().unwrap();
    // Copied, and killed before the file went.
    let json = files::to_bytes(&one.to_json());
    files::put(&queue.pending, &one.id, one.bytes.as_deref(), Some(&json)).unwrap();
    assert_eq!((ids(&queue), queue.count()), (vec![one.id.clone()], 1));
    queue.reject(&one.id, None, now()).unwrap();
    assert_eq!((queue.count(), left_in(&pending).len(), queue.rejected().unwrap().len()), (0, 0, 1));
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

/// Killed between the new name and the look at what has it: what was written at that moment is not what was decided on.
#[test]
fn what_was_written_at_the_moment_of_a_crash_is_not_swept_away() {
    for is_other in [true, false] {
        let (_dir, queue, pending) = inlet();
        fs::write(pending.join("a.md"), "A fact.\n").unwrap();
        let all = queue.list().unwrap();
        let one = all[0].proposal().unwrap();
        let json = files::to_bytes(&one.to_json());
        files::put(&queue.pending, &one.id, one.bytes.as_deref(), Some(&json)).unwrap();
        fs::rename(pending.join("a.md"), pending.join(format!(".taken-{}", one.id))).unwrap();
        if is_other {
            fs::write(pending.join(format!(".taken-{}", one.id)), "Another fact.\n").unwrap();
        }
        queue.reject(&one.id, None, now()).unwrap();
        let left = left_in(&pending);
        assert_eq!(left.len(), usize::from(is_other), "{left:?}");
        assert_eq!(queue.count(), left.len(), "it waits");
        if is_other {
            assert_eq!(left, ["a.md"]);
            assert_eq!(fs::read_to_string(pending.join("a.md")).unwrap(), "Another fact.\n");
        }
    }
}

/// Where a file system can't rename without replacing, a kill may leave both names.
#[test]
fn both_names_of_a_file_that_was_taken_go() {
    let (_dir, queue, pending) = inlet();
    fs::write(pending.join("a.md"), "A fact.\n").unwrap();
    let all = queue.list().unwrap();
    let one = all[0].proposal().unwrap();
    let json = files::to_bytes(&one.to_json());
    files::put(&queue.pending, &one.id, one.bytes.as_deref(), Some(&json)).unwrap();
    fs::hard_link(pending.join("a.md"), pending.join(format!(".taken-{}", one.id))).unwrap();
    queue.reject(&one.id, None, now()).unwrap();
    assert_eq!((left_in(&pending).len(), queue.count()), (0, 0));
}

//! `history purge`: what is purged is nowhere in the history, by a search over its bytes.

use crate::store_kit::{Kit, at, now, parked, rel};
use memcurator::memory::index::ParkedLine;
use memcurator::store::{LogState, Purge};
use std::fs;
use std::path::Path;

const SECRET: &str = "the-key-is-0123456789abcdef0123456789abcdef";

/// Whether the text is in any object of the history, packed or loose, or raw in any file of the state.
fn holds(kit: &Kit, text: &str) -> bool {
    let mut stack = vec![kit.places.state.clone()];
    while let Some(path) = stack.pop() {
        if path.is_dir() {
            stack.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        if memchr::memmem::find(&bytes, text.as_bytes()).is_some() || inflated(&path, text) {
            return true;
        }
    }
    false
}

/// Every object of a pack, whether something refers to it or not.
fn inflated(path: &Path, text: &str) -> bool {
    if path.extension().is_none_or(|extension| extension != "pack") {
        return false;
    }
    let odb = git2::Odb::new().unwrap();
    odb.add_disk_alternate(path.parent().unwrap().parent().unwrap().to_str().unwrap()).unwrap();
    let mut ids = Vec::new();
    odb.foreach(|id| {
        ids.push(*id);
        true
    })
    .unwrap();
    ids.iter().any(|id| memchr::memmem::find(odb.read(*id).unwrap().data(), text.as_bytes()).is_some())
}

#[test]
fn a_file_is_gone_from_the_history_and_the_rest_still_undoes() {
    let kit = Kit::new(4);
    kit.write("m01.md", SECRET);
    let store = kit.open();
    store.apply(&kit.park(&[3]), at(0)).unwrap();
    store.apply(&kit.delete(&[0]), at(1)).unwrap();
    store.apply(&kit.delete(&[1, 2]), at(2)).unwrap();
    assert!(holds(&kit, SECRET));
    let said = store.purge(&Purge::File(rel("m01.md")), at(3)).unwrap();
    assert!(said.starts_with("removed 1 version(s) of m01.md"), "{said}");
    assert!(!holds(&kit, SECRET));
    assert_eq!(store.parked().unwrap(), [parked(3)]);
    assert_eq!(store.log().unwrap().len(), 4);

    let undone = store.undo(at(4)).unwrap().unwrap();
    assert!(kit.exists("m02.md") && !kit.exists("m01.md"));
    assert_eq!(undone.conflicts.len(), 1);
    assert!(undone.conflicts[0].what.contains("purged"));
    store.undo(at(5)).unwrap().unwrap();
    assert!(kit.exists("m00.md"));
    store.undo(at(6)).unwrap().unwrap();
    assert!(store.parked().unwrap().is_empty());
    store.redo(at(7)).unwrap().unwrap();
    let said = store.purge(&Purge::File(rel("m01.md")), at(8)).unwrap();
    assert!(said.contains("holds nothing"), "{said}");
    assert!(
        fs::read_dir(kit.home()).unwrap().all(|e| !e.unwrap().file_name().to_string_lossy().contains("git."))
    );
}

#[test]
fn an_operation_of_which_nothing_is_left_is_passed_over() {
    let kit = Kit::new(3);
    let store = kit.open();
    store.apply(&kit.delete(&[0]), at(0)).unwrap();
    store.apply(&kit.delete(&[1]), at(1)).unwrap();
    store.purge(&Purge::File(rel("m01.md")), at(2)).unwrap();
    let undone = store.undo(at(3)).unwrap().unwrap();
    assert_eq!(undone.message, "undid: deleted 1 memories");
    assert!(kit.exists("m00.md") && !kit.exists("m01.md"));
    assert!(!kit.read("MEMORY.md").contains("m01.md"));
}

#[test]
fn purging_a_file_that_is_still_there_says_so() {
    let kit = Kit::new(2);
    kit.write("m00.md", SECRET);
    let store = kit.open();
    store.apply(&kit.delete(&[1]), at(0)).unwrap();
    let said = store.purge(&Purge::File(rel("m00.md")), at(1)).unwrap();
    assert!(said.contains("still in the store"), "{said}");
    assert!(!holds(&kit, SECRET));
    assert_eq!(kit.read("m00.md"), SECRET);
    store.undo(at(2)).unwrap().unwrap();
    assert!(kit.exists("m01.md"));
}

#[test]
fn all_before_a_time_goes() {
    let kit = Kit::new(4);
    kit.write("m00.md", SECRET);
    let store = kit.open();
    store.apply(&kit.delete(&[0]), at(0)).unwrap();
    store.apply(&kit.park(&[1]), at(10)).unwrap();
    store.apply(&kit.delete(&[2]), at(20)).unwrap();
    store.undo(at(30)).unwrap().unwrap();
    assert!(store.purge(&Purge::Before(at(-9)), at(40)).unwrap().contains("nothing"));
    let said = store.purge(&Purge::Before(at(15)), at(40)).unwrap();
    assert_eq!(said, "removed 2 entries from the history for good");
    assert!(!holds(&kit, SECRET));
    let states: Vec<LogState> = store.log().unwrap().iter().map(|entry| entry.state).collect();
    assert_eq!(states, [LogState::Step, LogState::Undone, LogState::Outside]);
    assert_eq!(store.parked().unwrap(), [parked(1)]);
    store.redo(at(50)).unwrap().unwrap();
    assert!(!kit.exists("m02.md"));
    store.undo(at(60)).unwrap().unwrap();
    assert!(kit.exists("m02.md"));
    assert!(store.undo(at(70)).unwrap().is_none());
}

#[test]
fn everything_goes_but_the_parked_lines() {
    let kit = Kit::new(4);
    kit.write("m00.md", SECRET);
    let store = kit.open();
    assert_eq!(store.purge(&Purge::All, now()).unwrap(), "there is no history yet");
    store.apply(&kit.park(&[1]), at(10)).unwrap();
    let said = store.purge(&Purge::All, at(20)).unwrap();
    assert_eq!(said, "removed the whole history (2 entries) for good; the parked lines stay");
    assert!(!holds(&kit, SECRET));
    assert_eq!(store.parked().unwrap(), [parked(1)]);
    assert!(store.undo(at(30)).unwrap().is_none());
    store.apply(&kit.delete(&[0]), at(40)).unwrap();
    store.undo(at(50)).unwrap().unwrap();
    assert_eq!(kit.read("m00.md"), SECRET);
    assert_eq!(store.parked().unwrap(), [parked(1)]);
}

#[test]
fn purging_the_index_takes_old_parked_lines_with_it_but_not_those_of_now() {
    let kit = Kit::new(5);
    let store = kit.open();
    let index = kit.read("MEMORY.md").replace("Memory 01", SECRET);
    kit.write("MEMORY.md", &index);
    let mut park = kit.park(&[1]);
    let secret = ParkedLine { text: format!("- [{SECRET}](m01.md) — its hook"), ..parked(1) };
    park.changes = vec![kit.change("MEMORY.md", Some(&index.replace(&format!("{}\n", secret.text), "")))];
    park.parked.as_mut().unwrap().added = vec![secret.clone()];
    store.apply(&park, at(0)).unwrap();
    store.undo(at(1)).unwrap().unwrap();
    kit.write("MEMORY.md", &kit.read("MEMORY.md").replace(SECRET, "Memory 01"));
    store.apply(&kit.park(&[2]), at(2)).unwrap();
    assert!(holds(&kit, SECRET));
    let said = store.purge(&Purge::File(rel("MEMORY.md")), at(3)).unwrap();
    assert!(said.contains("but those that are parked now"), "{said}");
    assert!(!holds(&kit, SECRET));
    assert_eq!(store.parked().unwrap(), [parked(2)]);
    // What is parked stays so: its line is nowhere else.
    assert!(store.undo(at(4)).unwrap().is_none());
    assert_eq!(store.parked().unwrap(), [parked(2)]);
}

#[test]
fn a_clock_that_was_set_back_keeps_nothing_old() {
    let kit = Kit::new(4);
    kit.write("m00.md", SECRET);
    let store = kit.open();
    store.apply(&kit.delete(&[0]), at(100)).unwrap();
    store.apply(&kit.delete(&[1]), at(10)).unwrap();
    store.apply(&kit.delete(&[2]), at(200)).unwrap();
    let said = store.purge(&Purge::Before(at(50)), at(300)).unwrap();
    assert_eq!(said, "removed 2 entries from the history for good");
    assert!(!holds(&kit, SECRET));
    store.undo(at(301)).unwrap().unwrap();
    assert!(kit.exists("m02.md") && store.undo(at(302)).unwrap().is_none());
}

#[test]
fn a_name_that_is_no_text_can_be_purged() {
    use std::os::unix::ffi::OsStrExt;
    let home = crate::home::Home::demo();
    let name = std::ffi::OsStr::from_bytes(b"odd-\xff.md");
    fs::write(home.store().join(name), SECRET).unwrap();
    assert_eq!(home.run(&["delete", "dashboards"]).status, 0);
    fs::remove_file(home.store().join(name)).unwrap();
    assert_eq!(home.run(&["affirm", "settle-in-cents"]).status, 0);
    let purged = home.run_os(&["history".as_ref(), "purge".as_ref(), "--yes".as_ref(), name]);
    assert!(purged.status == 0 && purged.out.contains("removed 1 version"), "{purged:?}");
}

//! A history that can't be read, a place that can't be written: looking goes on, writing says why not.

use crate::home::Home;
use crate::screen_kit;
use crate::store_kit::{Kit, at, name, now, parked, plan};
use memcurator::review::plan::Verb;
use memcurator::store::{Purge, Store};
use std::fs;
use std::path::{Path, PathBuf};

/// Every pack of a history cut in half.
fn damage(home: &Path) {
    let packs = fs::read_dir(home.join("history.git/objects/pack")).unwrap();
    let packs: Vec<PathBuf> =
        packs.map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "pack")).collect();
    assert!(!packs.is_empty());
    for pack in packs {
        let length = fs::metadata(&pack).unwrap().len();
        fs::File::options().write(true).open(&pack).unwrap().set_len(length / 2).unwrap();
    }
}

fn home_of(home: &Home) -> PathBuf {
    let stores = find(&home.path(), "stores").unwrap();
    fs::read_dir(stores).unwrap().next().unwrap().unwrap().path()
}

fn find(dir: &Path, name: &str) -> Option<PathBuf> {
    for entry in fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
        if entry.ends_with(name) {
            return Some(entry);
        }
        if let Some(found) = find(&entry, name) {
            return Some(found);
        }
    }
    None
}

#[test]
fn a_damaged_history_is_no_hindrance_to_looking_and_can_be_started_anew() {
    let kit = Kit::new(4);
    let store = kit.open();
    store.apply(&kit.park(&[1]), at(0)).unwrap();
    damage(&kit.home());
    // Even with an operation that waits.
    fs::copy(kit.home().join("history.git/refs/heads/main"), kit.home().join("history.git/refs/pending"))
        .unwrap();
    let store = kit.open();
    assert_eq!(store.notes().len(), 1);
    assert_eq!(store.scan(&|_| {}).unwrap().memories.len(), 4);
    let before = kit.shown();
    let error = store.apply(&kit.delete(&[0]), at(1)).unwrap_err();
    assert!(error.hint.contains("history purge --all"), "{error:?}");
    assert_eq!(kit.shown(), before);
    let said = store.purge(&Purge::All, at(2)).unwrap();
    assert!(said.contains("could not be read"), "{said}");
    let store = kit.open();
    assert!(store.notes().is_empty() && store.parked().unwrap().is_empty());
    store.apply(&kit.delete(&[0]), at(3)).unwrap();
    store.undo(at(4)).unwrap().unwrap();
    assert_eq!(kit.shown(), before);
}

#[test]
fn the_commands_and_the_screens_show_a_store_whose_history_is_damaged() {
    let home = Home::demo();
    assert_eq!(home.run(&["park", "dashboards"]).status, 0);
    damage(&home_of(&home));
    let listed = home.run(&["list"]);
    assert!(listed.out.contains("dashboards") && listed.err.contains("history"), "{listed:?}");
    assert!(listed.err.contains("purge --all"), "{listed:?}");
    let refused = home.run(&["delete", "settle-in-cents"]);
    assert_eq!(refused.status, 2, "{refused:?}");
    let purged = home.run(&["history", "purge", "--all", "--yes"]);
    assert_eq!(purged.status, 0, "{purged:?}");
    assert_eq!(home.run(&["delete", "settle-in-cents"]).status, 0);

    let kit = screen_kit::Kit::new();
    let mut stage = kit.stage((100, 30));
    stage.press("p").unwrap();
    let state = find(kit.dir.path(), "stores").unwrap();
    damage(&fs::read_dir(state).unwrap().next().unwrap().unwrap().path());
    let mut stage = kit.stage((100, 30));
    let text = stage.text();
    assert!(text.contains("could not read the history") && text.contains("integration"), "{text}");
    // Lines that are parked without anybody knowing must not be forgotten.
    stage.press("p").unwrap();
    assert!(stage.text().contains("could not read the history"), "{}", stage.text());
}

#[test]
fn looking_leaves_an_interrupted_operation_alone_and_names_it() {
    let home = Home::demo();
    assert_eq!(home.run(&["delete", "dashboards"]).status, 0);
    let refs = home_of(&home).join("history.git/refs");
    let main = fs::read_to_string(refs.join("heads/main")).unwrap();
    fs::write(refs.join("pending"), &main).unwrap();
    for command in [&["list"][..], &["log"]] {
        let looked = home.run(command);
        assert!(looked.err.contains("was interrupted"), "{looked:?}");
        assert!(refs.join("pending").exists(), "{command:?}");
    }
    let undone = home.run(&["undo"]);
    assert!(undone.status == 0 && !undone.err.contains("interrupted"), "{undone:?}");
    assert!(!refs.join("pending").exists());
}

#[test]
fn a_history_that_is_damaged_keeps_parked_lines_where_they_can_be_read() {
    let kit = Kit::new(3);
    let store = kit.open();
    store.apply(&kit.park(&[1]), now()).unwrap();
    assert!(Store::look(&kit.dir, &kit.places).unwrap().notes().is_empty());
    store.purge(&Purge::All, at(1)).unwrap();
    assert_eq!(store.parked().unwrap(), [parked(1)]);
    assert!(kit.exists(&name(1)));
}

#[test]
fn another_directory_at_the_path_is_not_undone_across() {
    let kit = Kit::new(3);
    let store = kit.open();
    store.apply(&kit.delete(&[0]), at(0)).unwrap();
    fs::rename(&kit.dir, kit.top.join("aside")).unwrap();
    fs::create_dir(&kit.dir).unwrap();
    kit.write("MEMORY.md", "# Another\n");
    kit.write("m01.md", "another\n");
    let before = kit.shown();
    let store = kit.open();
    let error = store.undo(at(1)).unwrap_err();
    assert!(error.conflict && error.what.contains("another directory") && !error.hint.is_empty(), "{error}");
    assert_eq!(kit.shown(), before);
    // What is done here is undone here, and no more than that.
    store.apply(&plan(Verb::Delete, "deleted", vec![kit.change("m01.md", None)]), at(2)).unwrap();
    store.undo(at(3)).unwrap().unwrap();
    assert_eq!(kit.shown(), before);
    assert!(store.undo(at(4)).is_err());
    assert_eq!(kit.shown(), before);
}

#[test]
fn a_true_copy_is_the_same_store() {
    let kit = Kit::new(3);
    kit.open().apply(&kit.delete(&[0]), at(0)).unwrap();
    fs::rename(&kit.dir, kit.top.join("aside")).unwrap();
    fs::create_dir(&kit.dir).unwrap();
    for entry in fs::read_dir(kit.top.join("aside")).unwrap().map(|entry| entry.unwrap()) {
        fs::copy(entry.path(), kit.dir.join(entry.file_name())).unwrap();
    }
    kit.open().undo(at(1)).unwrap().unwrap();
    assert!(kit.exists("m00.md"));
}

#[test]
fn a_store_that_moved_names_its_history() {
    let mut kit = Kit::new(3);
    kit.open().apply(&kit.delete(&[0]), at(0)).unwrap();
    let old = kit.home();
    fs::rename(&kit.dir, kit.top.join("moved")).unwrap();
    kit.dir = kit.top.join("moved");
    let store = kit.open();
    let [note] = store.notes() else { panic!("{:?}", store.notes()) };
    assert!(note.what.contains("was ") && note.what.contains("memory"), "{note}");
    let command = note.hint.split_once(": ").unwrap().1;
    assert!(command.contains(old.to_str().unwrap()), "{command}");
    assert!(std::process::Command::new("sh").args(["-c", command]).status().unwrap().success());
    let store = kit.open();
    assert!(store.notes().is_empty());
    store.undo(at(1)).unwrap().unwrap();
    assert!(kit.exists("m00.md"));
}

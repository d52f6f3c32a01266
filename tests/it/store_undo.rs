//! Undo where a part of it is no longer as it was, and an index that is a link to another file of the store.

use crate::store_kit::{Kit, at, line, name, plan, rel};
use memcurator::review::plan::{Change, Content, Plan, Verb};
use memcurator::review::prune;
use std::fs;
use std::os::unix::fs::symlink;

#[test]
fn one_file_that_came_back_does_not_keep_the_others_away() {
    let kit = Kit::new(52);
    let store = kit.open();
    let which: Vec<usize> = (1..51).collect();
    let before = kit.shown();
    store.apply(&kit.delete(&which), at(0)).unwrap();
    kit.write("m07.md", "the agent's\n");
    fs::create_dir(kit.dir.join("m08.md")).unwrap();
    let undone = store.undo(at(1)).unwrap().unwrap();
    let names: Vec<String> = undone.conflicts.iter().map(|one| one.path.to_string()).collect();
    assert_eq!(names, ["m07.md", "m08.md"], "{undone:?}");
    assert_eq!(kit.read("m07.md"), "the agent's\n");
    let others = which.iter().filter(|i| !matches!(**i, 7 | 8)).map(|i| name(*i));
    for other in others {
        let path = std::path::Path::new(&other);
        assert_eq!(kit.shown()[path], before[path], "{other}");
    }
    assert!(which.iter().all(|i| kit.read("MEMORY.md").matches(&line(*i)).count() == 1));
    // Forth again: what the agent wrote stays, the others go.
    let redone = store.redo(at(2)).unwrap().unwrap();
    assert_eq!(redone.conflicts.len(), 2, "{redone:?}");
    assert_eq!(kit.read("m07.md"), "the agent's\n");
    assert!(!kit.exists("m09.md"));
}

/// A rename whose old name was taken: the new file must not go while the old one can't come back.
#[test]
fn what_belongs_together_is_undone_together_or_not() {
    let kit = Kit::new(3);
    let store = kit.open();
    let text = kit.read("m01.md");
    let rename =
        plan(Verb::Rename, "renamed", vec![kit.change("m01.md", None), kit.change("new.md", Some(&text))]);
    store.apply(&rename, at(0)).unwrap();
    kit.write("m01.md", "the agent's\n");
    let before = kit.shown();
    let error = store.undo(at(1)).unwrap_err();
    assert!(error.conflict && error.what.contains("m01.md"), "{error}");
    assert_eq!(kit.shown(), before);
}

/// A store whose index is a link to `real.md` in it, and a plan on it.
fn linked() -> (Kit, impl Fn(&Kit, usize) -> Plan) {
    let kit = Kit::new(5);
    fs::rename(kit.dir.join("MEMORY.md"), kit.dir.join("real.md")).unwrap();
    symlink("real.md", kit.dir.join("MEMORY.md")).unwrap();
    let delete = |kit: &Kit, i: usize| {
        let snapshot = kit.open().scan(&|_| {}).unwrap();
        prune::delete(&snapshot, &[], &[rel(&name(i))]).unwrap()
    };
    (kit, delete)
}

#[test]
fn lines_behind_a_link_are_merged_like_those_of_any_index() {
    let (kit, delete) = linked();
    let store = kit.open();
    let planned = delete(&kit, 1);
    assert!(planned.changes.iter().any(|change| change.path == rel("real.md")), "{planned:?}");
    store.apply(&planned, at(0)).unwrap();
    kit.append("real.md", "- [New](new.md) — by the agent\n");
    let undone = store.undo(at(1)).unwrap().unwrap();
    assert!(undone.conflicts.is_empty(), "{undone:?}");
    let index = kit.read("MEMORY.md");
    assert!(index.contains(&line(1)) && index.contains("by the agent"), "{index}");
    assert!(kit.dir.join("MEMORY.md").is_symlink());
    store.redo(at(2)).unwrap().unwrap();
    let index = kit.read("MEMORY.md");
    assert!(!index.contains(&line(1)) && index.contains("by the agent"), "{index}");
}

/// The lines of the index go before the files do.
#[test]
fn an_index_behind_a_link_comes_before_the_deletions() {
    let (kit, delete) = linked();
    let planned = delete(&kit, 1);
    let appending = std::sync::atomic::AtomicBool::new(true);
    std::thread::scope(|scope| {
        let appender = scope.spawn(|| {
            let mut count = 0;
            while appending.load(std::sync::atomic::Ordering::SeqCst) {
                kit.append("real.md", &format!("- [Foreign {count}](f{count}.md)\n"));
                count += 1;
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            count
        });
        let store = kit.open();
        let done = (0..1000).any(|i| {
            let planned = if i == 0 { planned.clone() } else { delete(&kit, 1) };
            store.apply(&planned, at(0)).is_ok_and(|applied| applied.conflicts.is_empty())
        });
        std::thread::sleep(std::time::Duration::from_millis(20));
        appending.store(false, std::sync::atomic::Ordering::SeqCst);
        let count = appender.join().unwrap();
        assert!(done && count > 5);
        let index = kit.read("real.md");
        assert!((0..count).all(|i| index.matches(&format!("(f{i}.md)")).count() == 1), "{index}");
        assert!(!index.contains(&line(1)));
    });
}

#[test]
fn a_link_that_is_removed_itself_is_no_index() {
    let (kit, _) = linked();
    let store = kit.open();
    let before = kit.shown();
    let link = Change { path: rel("MEMORY.md"), before: kit.state("MEMORY.md"), after: None };
    assert!(matches!(link.before.as_ref().unwrap().content, Content::Link(_)));
    store.apply(&plan(Verb::Delete, "deleted the link", vec![link]), at(0)).unwrap();
    store.undo(at(1)).unwrap().unwrap();
    assert_eq!(kit.shown(), before);
}

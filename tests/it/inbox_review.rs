//! What counts as reviewed: it follows the person's own operations and nothing else, through undo, purge and others at
//! the same time.

use crate::inbox_kit::{Shop, line, memory, name, now};
use memcurator::memory::path::RelPath;
use memcurator::review::edit::{self, Kind as EditKind};
use memcurator::review::rename::{NewName, rename};
use memcurator::review::{merge, prune};
use memcurator::store::{Purge, Start};
use std::fs;
use std::os::unix::fs::MetadataExt;

fn rel(i: usize) -> RelPath {
    RelPath::new(format!("{}.md", name(i))).unwrap()
}

#[test]
fn the_person_s_own_operations_are_reviewed_and_the_agent_s_beside_them_are_not() {
    let shop = Shop::new(8);
    // The agent adds one, with its line, and changes two others.
    shop.write("new.md", &memory(9).replace(&name(9), "new"));
    shop.edit("MEMORY.md", &line(7), &format!("{}- [new](new.md) — by the agent\n", line(7)));
    shop.edit(&format!("{}.md", name(1)), "**Why:** In", "**Why:** Perhaps in");
    let theirs = ["added new.md".to_owned(), format!("changed {}.md", name(1))];
    assert_eq!(shop.listed(), theirs);
    let store = shop.open();
    // The person deletes, edits, renames and merges.
    let plan = prune::delete(&shop.snapshot(), &[], &[rel(0)]).unwrap();
    store.apply(&plan, now()).unwrap();
    let text = memory(2).replace("**Why:** In", "**Why:** Surely in");
    let plan = edit::plan(&shop.snapshot(), &rel(2), text.as_bytes(), EditKind::Substance, now()).unwrap();
    store.apply(&plan, now()).unwrap();
    let to = NewName { file: Some("other".into()), name: None };
    store.apply(&rename(&shop.snapshot(), &[], &rel(3), &to).unwrap(), now()).unwrap();
    let snapshot = shop.snapshot();
    let merged = format!("{}\n{}", memory(4), "More.\n");
    let plan = merge::merge(&snapshot, &[], &rel(4), &[rel(5)], merged.as_bytes(), now()).unwrap();
    store.apply(&plan, now()).unwrap();
    assert_eq!(shop.listed(), theirs);
    for _ in 0..4 {
        store.undo(now()).unwrap().unwrap();
        assert_eq!(shop.listed(), theirs);
    }
    for _ in 0..4 {
        store.redo(now()).unwrap().unwrap();
        assert_eq!(shop.listed(), theirs);
    }
    assert!(shop.read("MEMORY.md").contains("by the agent"));
}

#[test]
fn renaming_what_was_not_reviewed_does_not_review_it() {
    let shop = Shop::new(4);
    shop.write("new.md", &memory(9).replace(&name(9), "new"));
    shop.edit(&format!("{}.md", name(1)), "**Why:** In", "**Why:** Perhaps in");
    let store = shop.open();
    let to = |file: &str| NewName { file: Some(file.into()), name: None };
    let new = RelPath::new("new.md").unwrap();
    store.apply(&rename(&shop.snapshot(), &[], &new, &to("newer")).unwrap(), now()).unwrap();
    store.apply(&rename(&shop.snapshot(), &[], &rel(1), &to("moved")).unwrap(), now()).unwrap();
    assert_eq!(shop.listed(), ["added newer.md", "changed moved.md"]);
}

#[test]
fn undoing_an_edit_of_what_was_not_reviewed_lists_it_again() {
    let shop = Shop::new(2);
    let file = format!("{}.md", name(1));
    shop.edit(&file, "**Why:** In", "**Why:** Perhaps in");
    let store = shop.open();
    let text = shop.read(&file).replace("Perhaps", "Surely");
    let plan = edit::plan(&shop.snapshot(), &rel(1), text.as_bytes(), EditKind::Substance, now()).unwrap();
    store.apply(&plan, now()).unwrap();
    assert!(shop.listed().is_empty());
    store.undo(now()).unwrap().unwrap();
    assert_eq!(shop.listed(), [format!("changed {file}")]);
}

#[test]
fn a_restored_file_has_the_time_it_had() {
    let shop = Shop::new(3);
    let file = shop.dir.join(format!("{}.md", name(1)));
    let old = std::time::UNIX_EPOCH + std::time::Duration::new(1_600_000_000, 123_456_789);
    fs::File::options().write(true).open(&file).unwrap().set_modified(old).unwrap();
    let store = shop.open();
    store.start_review(Start::AsItIs, now()).unwrap();
    shop.remove(1);
    let plan = shop
        .changes()
        .restore(&[0], &shop.snapshot(), &|path, content| store.time_of(path, content))
        .unwrap();
    store.apply(&plan, now()).unwrap();
    let meta = fs::metadata(&file).unwrap();
    assert_eq!((meta.mtime(), meta.mtime_nsec()), (1_600_000_000, 123_456_789));
}

#[test]
fn two_who_accept_at_once_both_do_unless_it_is_the_same() {
    let shop = Shop::new(6);
    shop.remove(0);
    shop.remove(1);
    let (one, two) = (shop.changes(), shop.changes());
    let (first, second) = (shop.open(), shop.open());
    first.review(&one.accept(&[0]).unwrap(), now()).unwrap();
    second.review(&two.accept(&[1]).unwrap(), now()).unwrap();
    assert!(shop.listed().is_empty(), "{:?}", shop.listed());
    shop.edit(&format!("{}.md", name(3)), "**Why:** In", "**Why:** First in");
    let one = shop.changes();
    shop.edit(&format!("{}.md", name(3)), "First in", "Second in");
    let two = shop.changes();
    first.review(&two.accept(&[0]).unwrap(), now()).unwrap();
    let refused = second.review(&one.accept(&[0]).unwrap(), now()).unwrap_err();
    assert!(refused.conflict && refused.what.contains("nothing was accepted"), "{refused:?}");
    assert!(shop.listed().is_empty());
}

#[test]
fn a_decision_on_what_changed_again_leaves_the_later_change() {
    let shop = Shop::new(3);
    let file = format!("{}.md", name(1));
    shop.edit(&file, "**Why:** In", "**Why:** First in");
    let seen = shop.changes();
    shop.edit(&file, "First in", "Second in");
    let store = shop.open();
    store.review(&seen.accept(&[0]).unwrap(), now()).unwrap();
    assert_eq!(shop.listed(), [format!("changed {file}")]);
    let (old, _) = shop.changes().list[0].texts();
    assert!(String::from_utf8(old).unwrap().contains("First in"));
    // A restore that was planned on an older version is a conflict.
    let seen = shop.changes();
    let snapshot = shop.snapshot();
    shop.edit(&file, "Second in", "Third in");
    let plan = seen.restore(&[0], &snapshot, &|_, _| None).unwrap();
    assert!(store.apply(&plan, now()).unwrap_err().conflict);
    assert!(shop.read(&file).contains("Third in"));
}

#[test]
fn a_review_from_nothing_lists_everything() {
    let shop = Shop::new(3);
    let store = shop.open();
    store.start_review(Start::FromNothing, now()).unwrap();
    assert_eq!(shop.listed().len(), 4, "{:?}", shop.listed());
    store.review(&shop.changes().accept(&[0, 1]).unwrap(), now()).unwrap();
    assert_eq!(shop.listed().len(), 2);
    store.undo(now()).unwrap().unwrap();
    store.undo(now()).unwrap().unwrap();
    assert!(shop.listed().is_empty(), "starting anew can be undone");
    assert!(store.undo(now()).unwrap().is_none(), "the first start can't");
}

#[test]
fn a_purge_keeps_what_counts_as_reviewed() {
    let shop = Shop::new(4);
    let store = shop.open();
    shop.edit(&format!("{}.md", name(1)), "**Why:** In", "**Why:** Perhaps in");
    store.apply(&prune::delete(&shop.snapshot(), &[], &[rel(0)]).unwrap(), now()).unwrap();
    let changed = format!("changed {}.md", name(1));
    assert_eq!(shop.listed(), std::slice::from_ref(&changed));
    store
        .purge(
            &Purge::Before(
                "2030-01-01".parse::<chrono::NaiveDate>().unwrap().and_hms_opt(0, 0, 0).unwrap().and_utc(),
            ),
            now(),
        )
        .unwrap();
    assert_eq!(shop.listed(), [changed]);
    store.purge(&Purge::All, now()).unwrap();
    // The older version is gone for good: the whole memory is to be looked at.
    assert_eq!(shop.listed(), [format!("added {}.md", name(1))]);
    shop.remove(2);
    assert_eq!(shop.listed().len(), 2, "{:?}", shop.listed());
}

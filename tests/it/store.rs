//! Journeys of operations, undo and redo, and what happens when someone else writes at the same time.

use crate::store_kit::{Kit, at, line, name, now, parked, plan, rel};
use memcurator::review::plan::{Change, Content, FileState, Verb};
use memcurator::review::prune;
use memcurator::store::{LogState, Store};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::Command;

#[test]
fn looking_makes_and_changes_nothing() {
    let kit = Kit::new(3);
    let before = kit.shown();
    let store = kit.open();
    let snapshot = store.scan(&|_| {}).unwrap();
    assert_eq!(snapshot.memories.len(), 3);
    assert!(snapshot.index.is_some());
    assert!(store.log().unwrap().is_empty());
    assert!(store.parked().unwrap().is_empty());
    assert!(store.undo(now()).unwrap().is_none());
    assert!(store.redo(now()).unwrap().is_none());
    assert_eq!(kit.shown(), before);
    assert!(!kit.places.state.exists());
}

#[test]
fn a_delete_is_undone_and_redone_exactly() {
    let kit = Kit::new(5);
    fs::set_permissions(kit.dir.join("m01.md"), fs::Permissions::from_mode(0o640)).unwrap();
    fs::set_permissions(kit.dir.join("MEMORY.md"), fs::Permissions::from_mode(0o600)).unwrap();
    let before = kit.shown();
    let store = kit.open();
    let applied = store.apply(&kit.delete(&[1, 3]), now()).unwrap();
    assert_eq!(applied.message, "deleted 2 memories");
    assert!(applied.conflicts.is_empty());
    assert!(!kit.exists("m01.md") && !kit.exists("m03.md"));
    assert!(!kit.read("MEMORY.md").contains("m01.md"));
    assert_eq!(kit.state("MEMORY.md").unwrap().mode, 0o600);
    let deleted = kit.shown();
    assert_eq!(deleted.len(), 4, "no temporary file is left: {deleted:?}");

    // From another opening, as after a restart.
    let undone = kit.open().undo(at(1)).unwrap().unwrap();
    assert_eq!(undone.message, "undid: deleted 2 memories");
    assert_eq!(kit.shown(), before, "content, modes and times to the nanosecond");
    assert!(kit.open().undo(at(2)).unwrap().is_none());

    let redone = kit.open().redo(at(3)).unwrap().unwrap();
    assert_eq!(redone.message, "redid: deleted 2 memories");
    assert!(!kit.exists("m01.md"));
    assert_eq!(kit.read("MEMORY.md").as_bytes(), deleted[std::path::Path::new("MEMORY.md")].0);
    assert!(kit.open().redo(at(4)).unwrap().is_none());
    kit.open().undo(at(5)).unwrap().unwrap();
    assert_eq!(kit.shown(), before);
}

#[test]
fn undo_goes_back_step_by_step_and_a_new_operation_ends_redo() {
    let kit = Kit::new(6);
    let start = kit.shown();
    let store = kit.open();
    for i in 0..3 {
        store.apply(&kit.delete(&[i]), at(i as i64)).unwrap();
    }
    store.undo(now()).unwrap().unwrap();
    store.undo(now()).unwrap().unwrap();
    assert!(kit.exists("m02.md") && kit.exists("m01.md") && !kit.exists("m00.md"));
    store.redo(now()).unwrap().unwrap();
    assert!(!kit.exists("m01.md"));
    store.apply(&kit.delete(&[5]), now()).unwrap();
    assert!(store.redo(now()).unwrap().is_none());
    for _ in 0..3 {
        store.undo(now()).unwrap().unwrap();
    }
    assert!(store.undo(now()).unwrap().is_none());
    assert_eq!(kit.shown(), start);
}

#[test]
fn parked_lines_follow_undo_and_redo() {
    let kit = Kit::new(4);
    let store = kit.open();
    store.apply(&kit.park(&[2]), now()).unwrap();
    assert_eq!(store.parked().unwrap(), [parked(2)]);
    assert!(kit.exists("m02.md"));
    store.undo(now()).unwrap().unwrap();
    assert!(store.parked().unwrap().is_empty());
    assert!(kit.read("MEMORY.md").contains("m02.md"));
    store.redo(now()).unwrap().unwrap();
    assert_eq!(kit.open().parked().unwrap(), [parked(2)]);
    // Another operation leaves them.
    store.apply(&kit.delete(&[0]), now()).unwrap();
    assert_eq!(store.parked().unwrap(), [parked(2)]);
}

#[test]
fn a_new_file_in_a_new_directory_comes_and_goes() {
    let kit = Kit::new(1);
    let store = kit.open();
    let after = FileState { content: Content::File(b"x\n"[..].into()), mode: 0o640, mtime: Some(at(7)) };
    let change = Change { path: rel("a/b/new.md"), before: None, after: Some(after.clone()) };
    store.apply(&plan(Verb::Index, "made a memory", vec![change.clone()]), now()).unwrap();
    assert_eq!(kit.state("a/b/new.md"), Some(after));
    store.undo(now()).unwrap().unwrap();
    assert!(!kit.exists("a/b/new.md"));
    store.redo(now()).unwrap().unwrap();
    let error = store.apply(&plan(Verb::Index, "made it again", vec![change]), now()).unwrap_err();
    assert!(error.conflict && error.what.contains("a/b/new.md exists already"), "{error}");
}

#[test]
fn a_file_that_changed_since_the_plan_is_a_conflict_and_nothing_is_done() {
    let kit = Kit::new(4);
    let store = kit.open();
    let delete = kit.delete(&[1, 2]);
    kit.append("m02.md", "more\n");
    let before = kit.shown();
    let error = store.apply(&delete, now()).unwrap_err();
    assert!(error.conflict);
    assert!(error.what.contains("m02.md was changed by someone else"), "{error}");
    assert!(!error.hint.is_empty());
    assert_eq!(kit.shown(), before);
    assert!(store.log().unwrap().is_empty());

    let delete = kit.delete(&[3]);
    let index = kit.read("MEMORY.md");
    kit.write("MEMORY.md", &index.replacen("- ", "* ", 1));
    assert!(store.apply(&delete, now()).unwrap_err().what.contains("MEMORY.md"));
    kit.write("MEMORY.md", &index);
    let delete = kit.delete(&[3]);
    fs::remove_file(kit.dir.join("m03.md")).unwrap();
    assert!(store.apply(&delete, now()).unwrap_err().what.contains("m03.md is gone"));
    // Only touched: the content counts.
    let delete = kit.delete(&[1]);
    fs::File::options()
        .write(true)
        .open(kit.dir.join("m01.md"))
        .unwrap()
        .set_modified(std::time::SystemTime::now())
        .unwrap();
    let touched = kit.state("m01.md");
    store.apply(&delete, now()).unwrap();
    store.undo(now()).unwrap().unwrap();
    assert_eq!(kit.state("m01.md"), touched, "the time is the one that was found, not the plan's");
}

#[test]
fn lines_put_behind_the_index_since_it_was_read_are_no_conflict() {
    let kit = Kit::new(4);
    let store = kit.open();
    let before = kit.read("MEMORY.md");
    let delete = kit.delete(&[1]);
    kit.append("MEMORY.md", "- [x](x.md)\n");
    let applied = store.apply(&delete, now()).unwrap();
    assert!(applied.conflicts.is_empty(), "{applied:?}");
    let index = kit.read("MEMORY.md");
    assert!(!index.contains("m01.md") && index.ends_with("- [x](x.md)\n"), "{index}");
    store.undo(now()).unwrap().unwrap();
    assert_eq!(kit.read("MEMORY.md"), format!("{before}- [x](x.md)\n"));
    store.redo(now()).unwrap().unwrap();
    assert_eq!(kit.read("MEMORY.md"), index);
    // A line that is not finished may still be written: that waits.
    let delete = kit.delete(&[2]);
    kit.append("MEMORY.md", "- [y](y");
    let torn = kit.read("MEMORY.md");
    match store.apply(&delete, now()) {
        Ok(_) => assert!(kit.read("MEMORY.md").ends_with("- [y](y"), "{}", kit.read("MEMORY.md")),
        Err(error) => assert!(error.conflict && kit.read("MEMORY.md") == torn, "{error}"),
    }
}

#[test]
fn undo_keeps_lines_that_others_added_to_the_index() {
    let kit = Kit::new(5);
    let store = kit.open();
    store.apply(&kit.delete(&[1]), now()).unwrap();
    kit.append("MEMORY.md", "- [New](new.md) — by the agent\n");
    kit.write("new.md", "new\n");
    let undone = store.undo(now()).unwrap().unwrap();
    assert!(undone.conflicts.is_empty(), "{undone:?}");
    let index = kit.read("MEMORY.md");
    assert!(index.ends_with("- [New](new.md) — by the agent\n"));
    let lines: Vec<&str> = index.lines().collect();
    let place = lines.iter().position(|l| l.contains("m01.md")).unwrap();
    assert!(lines[place - 1].contains("m00.md") && lines[place + 1].contains("m02.md"), "{index}");
    store.redo(now()).unwrap().unwrap();
    assert!(!kit.read("MEMORY.md").contains("m01.md"));
    assert!(kit.read("MEMORY.md").contains("by the agent"));
    assert!(kit.exists("new.md"));
}

#[test]
fn undo_of_a_memory_that_changed_since_is_a_conflict() {
    let kit = Kit::new(3);
    let store = kit.open();
    store.apply(&kit.delete(&[1]), now()).unwrap();
    kit.write("m01.md", "another one\n");
    let before = kit.shown();
    let error = store.undo(now()).unwrap_err();
    assert!(error.conflict && error.what.contains("m01.md"), "{error}");
    assert_eq!(kit.shown(), before);
    fs::rename(kit.dir.join("m01.md"), kit.dir.join("other.md")).unwrap();
    store.undo(now()).unwrap().unwrap();
    assert!(kit.read("m01.md").contains("The body"));
    assert_eq!(kit.read("other.md"), "another one\n");
}

#[test]
fn the_log_tells_what_was_done_and_what_others_did() {
    let kit = Kit::new(4);
    let store = kit.open();
    store.apply(&kit.delete(&[0]), at(0)).unwrap();
    kit.append("m01.md", "more\n");
    kit.write("extra.md", "x\n");
    store.apply(&kit.park(&[2]), at(60)).unwrap();
    store.undo(at(120)).unwrap().unwrap();
    let log = store.log().unwrap();
    let told: Vec<(&str, LogState)> = log.iter().map(|entry| (entry.message.as_str(), entry.state)).collect();
    assert_eq!(
        told,
        [
            ("undid: parked 1 memories", LogState::Step),
            ("parked 1 memories", LogState::Undone),
            ("changed outside: 1 new, 1 changed", LogState::Outside),
            ("deleted 1 memories", LogState::Done),
            ("found a store of 5 files", LogState::Outside),
        ]
    );
    assert_eq!(log[2].paths, ["extra.md", "m01.md"]);
    assert_eq!(log[3].paths, ["m00.md", "MEMORY.md"]);
    assert_eq!(log[0].time, at(120));
}

#[test]
fn links_are_handled_as_links() {
    let kit = Kit::new(2);
    let outside = kit.top.join("outside.md");
    fs::write(&outside, "outside\n").unwrap();
    symlink(&outside, kit.dir.join("link.md")).unwrap();
    let store = kit.open();
    let seen = store.scan(&|_| {}).unwrap();
    let link = seen.memories.iter().find(|memory| memory.path == rel("link.md")).unwrap();
    assert!(!link.stat.link.as_ref().unwrap().inside);
    let before = kit.shown();
    let change = Change { path: rel("link.md"), before: kit.state("link.md"), after: None };
    store.apply(&plan(Verb::Delete, "deleted a link", vec![change]), now()).unwrap();
    assert!(!kit.exists("link.md"));
    store.undo(now()).unwrap().unwrap();
    assert_eq!(kit.shown(), before);
    // A plan that takes the link for a file is refused: it would write through it, or replace the link.
    let file = Some(FileState { content: Content::File(b"outside\n"[..].into()), mode: 0o644, mtime: None });
    let change = Change { path: rel("link.md"), before: file, after: None };
    let error = store.apply(&plan(Verb::Delete, "deleted", vec![change]), now()).unwrap_err();
    assert!(error.conflict && error.what.contains("is a link to"), "{error}");
    assert_eq!(fs::read_to_string(&outside).unwrap(), "outside\n");
}

#[test]
fn what_is_kept_is_private() {
    let kit = Kit::new(2);
    kit.open().apply(&kit.delete(&[0]), now()).unwrap();
    let mut stack = vec![kit.places.state.clone()];
    let mut files = 0;
    while let Some(path) = stack.pop() {
        let meta = path.symlink_metadata().unwrap();
        let expected = if meta.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(meta.mode() & 0o777, expected, "{}", path.display());
        if meta.is_dir() {
            stack.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            files += 1;
        }
    }
    assert!(files >= 5);
}

#[test]
fn the_history_is_a_git_repository() {
    let kit = Kit::new(3);
    fs::create_dir(kit.dir.join("sub")).unwrap();
    kit.write("sub/deep.md", "deep\n");
    kit.write("sub-x.md", "sorted before sub/ by git\n");
    let store = kit.open();
    store.apply(&kit.delete(&[0]), now()).unwrap();
    store.undo(now()).unwrap().unwrap();
    let git = |args: &[&str]| {
        let out =
            Command::new("git").arg("--git-dir").arg(kit.home().join("history.git")).args(args).output();
        let Ok(out) = out else { return None };
        assert!(out.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&out.stderr));
        Some(String::from_utf8_lossy(&out.stdout).into_owned())
    };
    let Some(fsck) = git(&["fsck", "--strict", "--full"]) else {
        crate::skipped("there is no git program");
        return;
    };
    assert!(!fsck.contains("error"), "{fsck}");
    let log = git(&["log", "--format=%an <%ae> %s", "main"]).unwrap();
    assert_eq!(
        log.lines().collect::<Vec<_>>(),
        [
            "memcurator <memcurator@localhost> undid: deleted 1 memories",
            "memcurator <memcurator@localhost> deleted 1 memories",
            "memcurator <memcurator@localhost> found a store of 6 files",
        ]
    );
    assert_eq!(git(&["show", "main:files/sub/deep.md"]).unwrap(), "deep\n");
}

#[test]
fn a_second_memcurator_waits_and_then_says_who_holds_the_store() {
    let kit = Kit::new(3);
    let store = kit.open();
    store.apply(&kit.delete(&[0]), now()).unwrap();
    let lock = fs::File::options().read(true).write(true).open(kit.home().join("lock")).unwrap();
    lock.lock().unwrap();
    // Opening and looking don't wait.
    assert_eq!(kit.open().log().unwrap().len(), 2);
    let started = std::time::Instant::now();
    let error = store.apply(&kit.delete(&[1]), now()).unwrap_err();
    assert!(started.elapsed() >= std::time::Duration::from_secs(2));
    assert!(error.what.contains(&format!("process {}", std::process::id())), "{error}");
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| store.apply(&kit.delete(&[1]), now()));
        std::thread::sleep(std::time::Duration::from_millis(100));
        lock.unlock().unwrap();
        waiting.join().unwrap().unwrap();
    });
    assert!(!kit.exists("m01.md"));
}

#[test]
fn two_at_once_do_not_hinder_each_other() {
    let kit = Kit::new(20);
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let store = kit.open();
                loop {
                    let i = next.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                    if i >= 20 {
                        return;
                    }
                    // The plan is made again whenever another one was faster.
                    while let Err(error) = store.apply(&kit.delete(&[i]), now()) {
                        assert!(error.conflict, "{error}");
                    }
                }
            });
        }
    });
    assert_eq!(kit.shown().len(), 1);
    let store: Store = kit.open();
    for _ in 0..20 {
        store.undo(now()).unwrap().unwrap();
    }
    assert_eq!(kit.shown().len(), 21);
    assert!((0..20).all(|i| kit.read("MEMORY.md").contains(&line(i)) && kit.exists(&name(i))));
}

/// libgit2 names a pack so while it writes it; a killed process leaves that behind, with content in it.
#[test]
fn a_pack_that_was_never_finished_is_swept_away() {
    let kit = Kit::new(3);
    let store = kit.open();
    store.apply(&kit.delete(&[0]), now()).unwrap();
    let left = kit.home().join("history.git/objects/pack/pack_git2_1a2b3c4d");
    fs::write(&left, "PACK").unwrap();
    store.apply(&kit.delete(&[1]), now()).unwrap();
    assert!(!left.exists());
}

#[test]
fn an_operation_without_an_index_leaves_none() {
    let kit = Kit::new(2);
    fs::remove_file(kit.dir.join("MEMORY.md")).unwrap();
    let before = kit.shown();
    let store = kit.open();
    let delete = plan(Verb::Delete, "deleted 1 memory", vec![kit.change("m00.md", None)]);
    store.apply(&delete, now()).unwrap();
    assert_eq!(kit.shown().len(), 1);
    store.undo(now()).unwrap().unwrap();
    assert_eq!(kit.shown(), before);
    let nothing = plan(Verb::Delete, "deleted nothing", Vec::new());
    assert!(store.apply(&nothing, now()).is_err());
}

#[test]
fn a_stale_plan_keeps_the_lines_that_were_parked_meanwhile() {
    let kit = Kit::new(4);
    let store = kit.open();
    store.apply(&kit.park(&[1]), now()).unwrap();
    let snapshot = store.scan(&|_| {}).unwrap();
    let stale = prune::delete(&snapshot, &store.parked().unwrap(), &[rel("m01.md")]).unwrap();
    // Another memcurator parks one meanwhile; the plan is about other files.
    kit.open().apply(&kit.park(&[2]), now()).unwrap();
    assert_eq!(store.parked().unwrap(), [parked(1), parked(2)]);
    store.apply(&stale, now()).unwrap();
    assert_eq!(store.parked().unwrap(), [parked(2)]);
    store.undo(now()).unwrap().unwrap();
    assert_eq!(store.parked().unwrap(), [parked(1), parked(2)]);
}

//! Stores and surroundings that mean no good, or just are odd.

use crate::store_kit::{Kit, at, now, plan, rel};
use memcurator::memory::path::RelPath;
use memcurator::review::plan::{Change, Content, FileState, Verb};
use memcurator::store::scan;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

#[test]
fn what_is_odd_is_shown_and_what_is_no_memory_is_left_alone() {
    let kit = Kit::new(2);
    let top = &kit.top;
    fs::create_dir_all(kit.dir.join("sub/deeper")).unwrap();
    fs::create_dir_all(kit.dir.join(".git")).unwrap();
    kit.write("sub/deeper/deep.md", "deep\n");
    kit.write("sub/MEMORY.md", "no index\n");
    kit.write(".git/hidden.md", "hidden\n");
    kit.write(".hidden.md", "hidden\n");
    kit.write("old.md.bak", "bak\n");
    kit.write("tool.py", "py\n");
    kit.write("empty.md", "");
    kit.write("UPPER.MD", "no\n");
    fs::write(kit.dir.join(OsStr::from_bytes(b"not\xffutf8\n.md")), "odd name\n").unwrap();
    fs::write(kit.dir.join("binary.md"), b"\0\xff\xfe\r\x1b[31m").unwrap();
    fs::write(kit.dir.join("big.md"), vec![b'x'; 5 << 20]).unwrap();
    fs::File::create(kit.dir.join("huge.md")).unwrap().set_len(65 << 20).unwrap();
    fs::write(top.join("outside.md"), "outside\n").unwrap();
    fs::create_dir(top.join("elsewhere")).unwrap();
    fs::write(top.join("elsewhere/far.md"), "far\n").unwrap();
    symlink("m00.md", kit.dir.join("inside.md")).unwrap();
    symlink(top.join("outside.md"), kit.dir.join("out.md")).unwrap();
    symlink("nowhere.md", kit.dir.join("dangling.md")).unwrap();
    symlink("loop-b.md", kit.dir.join("loop-a.md")).unwrap();
    symlink("loop-a.md", kit.dir.join("loop-b.md")).unwrap();
    symlink(top.join("elsewhere"), kit.dir.join("linked")).unwrap();
    symlink("..", kit.dir.join("sub/up")).unwrap();
    symlink("/dev/zero", kit.dir.join("zero.md")).unwrap();
    assert!(Command::new("mkfifo").arg(kit.dir.join("pipe.md")).status().unwrap().success());
    symlink("pipe.md", kit.dir.join("to-pipe.md")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(kit.dir.join("socket.md")).unwrap();
    let before = fs::metadata(kit.dir.join("m00.md")).unwrap();

    let snapshot = scan(&kit.dir, &|_| {}).unwrap();
    let names: Vec<String> = snapshot.memories.iter().map(|m| m.path.to_str_lossy().into_owned()).collect();
    assert_eq!(
        names,
        [
            "big.md",
            "binary.md",
            "empty.md",
            "inside.md",
            "m00.md",
            "m01.md",
            "not\u{fffd}utf8\n.md",
            "out.md",
            "sub/MEMORY.md",
            "sub/deeper/deep.md"
        ]
    );
    assert!(snapshot.memories.is_sorted_by(|a, b| a.path < b.path));
    let unreadable: Vec<(String, &str)> =
        snapshot.unreadable.iter().map(|u| (u.path.to_str_lossy().into_owned(), u.why.as_str())).collect();
    let whys = [
        ("dangling.md", "nowhere"),
        ("huge.md", "larger than 64 MiB"),
        ("linked", "link to a directory"),
        ("loop-a.md", ""),
        ("loop-b.md", ""),
        ("pipe.md", "pipe"),
        ("socket.md", "socket"),
        ("sub/up", "link to a directory"),
        ("to-pipe.md", "not a regular file"),
        ("zero.md", "not a regular file"),
    ];
    assert_eq!(unreadable.iter().map(|u| u.0.as_str()).collect::<Vec<_>>(), whys.map(|w| w.0));
    for ((_, why), (name, part)) in unreadable.iter().zip(whys) {
        assert!(!why.is_empty() && why.contains(part), "{name}: {why}");
    }
    assert_eq!(snapshot.left_alone, 3);
    let link = |name: &str| {
        let memory = snapshot.memories.iter().find(|m| m.path == rel(name)).unwrap();
        memory.stat.link.clone().map(|link| link.inside)
    };
    assert_eq!((link("inside.md"), link("out.md"), link("m00.md")), (Some(true), Some(false), None));
    let after = fs::metadata(kit.dir.join("m00.md")).unwrap();
    assert_eq!(after.modified().unwrap(), before.modified().unwrap());
    assert_eq!(after.accessed().unwrap(), before.accessed().unwrap());

    // An operation on such a store takes all of it into the history, and everything comes back.
    let before = kit.shown_but(&["pipe.md", "socket.md"]);
    let store = kit.open();
    let all: Vec<Change> = names
        .iter()
        .filter(|name| kit.exists(name))
        .map(|name| Change { path: rel(name), before: kit.state(name), after: None })
        .collect();
    assert_eq!(all.len(), 9);
    store.apply(&plan(Verb::Delete, "deleted all", all), now()).unwrap();
    let odd = RelPath::new(OsStr::from_bytes(b"not\xffutf8\n.md")).unwrap();
    let state = FileState { content: Content::File(b"odd name\n"[..].into()), mode: 0o644, mtime: None };
    let change = Change { path: odd, before: Some(state), after: None };
    store.apply(&plan(Verb::Delete, "deleted the odd one", vec![change]), at(1)).unwrap();
    assert!(store.scan(&|_| {}).unwrap().memories.is_empty());
    assert_eq!(fs::read_to_string(top.join("outside.md")).unwrap(), "outside\n");
    store.undo(at(2)).unwrap().unwrap();
    store.undo(at(3)).unwrap().unwrap();
    assert_eq!(kit.shown_but(&["pipe.md", "socket.md"]), before);
}

#[test]
fn a_directory_that_is_swapped_for_a_link_leads_nowhere() {
    let kit = Kit::new(1);
    fs::create_dir(kit.dir.join("sub")).unwrap();
    kit.write("sub/a.md", "a\n");
    let outside = kit.top.join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("a.md"), "a\n").unwrap();
    let store = kit.open();
    let delete = plan(Verb::Delete, "deleted", vec![kit.change("sub/a.md", None)]);
    let edit = plan(Verb::Index, "changed", vec![kit.change("sub/a.md", Some("b\n"))]);
    fs::rename(kit.dir.join("sub"), kit.top.join("moved")).unwrap();
    symlink(&outside, kit.dir.join("sub")).unwrap();
    for plan in [&delete, &edit] {
        let error = store.apply(plan, now()).unwrap_err();
        assert!(error.conflict && error.what.contains("not a real directory"), "{error}");
    }
    let new = Change { before: None, ..edit.changes[0].clone() };
    let new = Change { path: rel("sub/new.md"), ..new };
    assert!(store.apply(&plan(Verb::Index, "made", vec![new]), now()).is_err());
    assert_eq!(fs::read_to_string(outside.join("a.md")).unwrap(), "a\n");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
}

#[test]
fn an_index_that_is_a_link_is_not_written_through() {
    let kit = Kit::new(2);
    let real = kit.top.join("real.md");
    fs::rename(kit.dir.join("MEMORY.md"), &real).unwrap();
    symlink(&real, kit.dir.join("MEMORY.md")).unwrap();
    let text = fs::read_to_string(&real).unwrap();
    let store = kit.open();
    assert!(!store.scan(&|_| {}).unwrap().index.as_ref().unwrap().stat.link.as_ref().unwrap().inside);
    let state = |text: &str| {
        Some(FileState { content: Content::File(text.as_bytes().into()), mode: 0o644, mtime: None })
    };
    let index = Change { path: rel("MEMORY.md"), before: state(&text), after: state("") };
    let delete = plan(Verb::Delete, "deleted", vec![kit.change("m00.md", None), index]);
    let error = store.apply(&delete, now()).unwrap_err();
    assert!(
        error.what.contains("MEMORY.md is a link to") && error.what.contains("nothing was done"),
        "{error}"
    );
    assert_eq!(fs::read_to_string(&real).unwrap(), text);
    assert!(kit.exists("m00.md"));
}

#[test]
fn a_directory_in_the_place_of_a_file_is_a_conflict() {
    let kit = Kit::new(2);
    let store = kit.open();
    let delete = kit.delete(&[0]);
    fs::remove_file(kit.dir.join("m00.md")).unwrap();
    fs::create_dir(kit.dir.join("m00.md")).unwrap();
    let error = store.apply(&delete, now()).unwrap_err();
    assert!(error.conflict && error.what.contains("a directory is in its place"), "{error}");
}

/// Whatever the user has set for git has no part in the history, not even when it can't be read at all.
#[test]
fn the_users_git_configuration_does_not_matter() {
    if let Some(top) = std::env::var_os("MEMCURATOR_GIT_TOP") {
        let kit = Kit::at(top.as_ref());
        let store = kit.open();
        store.apply(&kit.delete(&[0]), now()).unwrap();
        store.undo(at(1)).unwrap().unwrap();
        store.apply(&kit.delete(&[1]), at(2)).unwrap();
        assert_eq!(store.log().unwrap().len(), 4);
        return;
    }
    let hostile = "[core]\n\tautocrlf = true\n\thooksPath = HOOKS\n\tcompression = 0\n\tsharedRepository = world\n\
         [commit]\n\tgpgSign = true\n[user]\n\tname = Somebody\n[init]\n\tdefaultBranch = other\n\ttemplateDir = HOOKS\n\
         [safe]\n\tdirectory = /nowhere\n[extensions]\n\tobjectFormat = sha256\n";
    for config in [hostile, "[core\nthis is no configuration"] {
        let kit = Kit::new(2);
        kit.write("m00.md", "one\r\ntwo\nthree\r\n");
        let home = kit.top.join("home");
        let hooks = home.join("hooks");
        fs::create_dir_all(&hooks).unwrap();
        for hook in ["post-commit", "pre-commit", "reference-transaction", "post-index-change"] {
            let path = hooks.join(hook);
            fs::write(&path, format!("#!/bin/sh\ntouch {}/ran\n", home.display())).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let config = config.replace("HOOKS", hooks.to_str().unwrap());
        fs::write(home.join(".gitconfig"), &config).unwrap();
        fs::write(home.join("system"), &config).unwrap();
        let status = Command::new(std::env::current_exe().unwrap())
            .args(["hostile_store::the_users_git_configuration_does_not_matter", "--exact"])
            .env("MEMCURATOR_GIT_TOP", &kit.top)
            .env("HOME", &home)
            .env("XDG_CONFIG_HOME", &home)
            .env("GIT_CONFIG_GLOBAL", home.join(".gitconfig"))
            .env("GIT_CONFIG_SYSTEM", home.join("system"))
            .env("GIT_DIR", "/nowhere")
            .env("GIT_OBJECT_DIRECTORY", "/nowhere")
            .env("GIT_AUTHOR_NAME", "Somebody")
            .stdout(std::process::Stdio::null())
            .status()
            .unwrap();
        assert!(status.success());
        assert!(!home.join("ran").exists(), "a hook ran");
        assert_eq!(kit.read("m00.md"), "one\r\ntwo\nthree\r\n");
        assert_eq!(kit.shown().len(), 2);
        assert_eq!(
            fs::read_to_string(kit.home().join("history.git/HEAD")).unwrap(),
            "ref: refs/heads/main\n"
        );
    }
}

/// As a user without rights, where the tests run as root; `None` when that can't be arranged.
fn as_nobody(kit: &Kit, test: &str) -> bool {
    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        return false;
    }
    use std::os::unix::process::CommandExt;
    // The directories above must let that user pass.
    fs::set_permissions(&kit.top, fs::Permissions::from_mode(0o777)).unwrap();
    let own = kit.top.join("it");
    fs::copy(std::env::current_exe().unwrap(), &own).unwrap();
    fs::set_permissions(&own, fs::Permissions::from_mode(0o755)).unwrap();
    let status = Command::new(&own)
        .args([test, "--exact", "--nocapture"])
        .env("MEMCURATOR_NOBODY_TOP", &kit.top)
        .current_dir(&kit.top)
        .stdout(std::process::Stdio::null())
        .uid(65534)
        .gid(65534)
        .status()
        .unwrap();
    assert!(status.success(), "{test}");
    true
}

#[test]
fn without_permission_nothing_is_done_and_it_is_said() {
    if let Some(top) = std::env::var_os("MEMCURATOR_NOBODY_TOP") {
        let kit = Kit::at(top.as_ref());
        let store = kit.open();
        let snapshot = store.scan(&|_| {}).unwrap();
        assert_eq!(snapshot.unreadable.len(), 2, "{:?}", snapshot.unreadable);
        assert!(snapshot.unreadable.iter().all(|one| one.why.contains("permission denied")));
        let before = kit.state("MEMORY.md");
        let error = store.apply(&kit.delete(&[0]), now()).unwrap_err();
        assert!(!error.conflict);
        assert!(
            error.what.contains("ermission denied")
                && error.what.contains("nothing in the store was changed"),
            "{error}"
        );
        assert!(error.hint.contains("permission"), "{}", error.hint);
        assert_eq!(kit.state("MEMORY.md"), before);
        assert!(kit.exists("m00.md"));
        // Nothing is pending: the next opening has nothing to recover, and the store still opens.
        assert!(kit.open().recovered().is_empty());
        assert!(kit.open().undo(at(1)).unwrap().is_none());
        return;
    }
    let kit = Kit::new(4);
    fs::set_permissions(kit.dir.join("m03.md"), fs::Permissions::from_mode(0o000)).unwrap();
    fs::create_dir(kit.dir.join("closed")).unwrap();
    kit.write("closed/a.md", "a\n");
    fs::set_permissions(kit.dir.join("closed"), fs::Permissions::from_mode(0o000)).unwrap();
    fs::set_permissions(&kit.dir, fs::Permissions::from_mode(0o555)).unwrap();
    if !as_nobody(&kit, "hostile_store::without_permission_nothing_is_done_and_it_is_said") {
        crate::skipped("only root can become another user");
    }
    fs::set_permissions(&kit.dir, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A full disk is noticed while the new files are written beside the old ones, before anything changed.
#[test]
fn on_a_full_disk_nothing_is_done_and_it_is_said() {
    let kit = Kit::new(2);
    let small = kit.top.join("small");
    fs::create_dir(&small).unwrap();
    let mount = Command::new("mount").args(["-t", "tmpfs", "-o", "size=256k", "tmpfs"]).arg(&small).output();
    if !mount.is_ok_and(|out| out.status.success()) {
        crate::skipped("a small file system can't be mounted here");
        return;
    }
    let mut inner = Kit::at(&kit.top);
    inner.dir = small.join("memory");
    fs::create_dir(&inner.dir).unwrap();
    inner.write("a.md", "a\n");
    inner.write("MEMORY.md", &"line\n".repeat(20_000));
    let before = inner.shown();
    let store = inner.open();
    let text = "other\n".repeat(30_000);
    let changes = vec![inner.change("MEMORY.md", Some(&text)), inner.change("a.md", None)];
    let error = store.apply(&plan(Verb::Index, "changed much", changes), now()).unwrap_err();
    let after = inner.shown();
    let pending = inner.home().join("history.git/refs/pending").exists();
    let log = store.log();
    drop(store);
    assert!(Command::new("umount").arg(&small).status().unwrap().success());
    assert!(
        error.what.contains("MEMORY.md") && error.what.contains("nothing in the store was changed"),
        "{error}"
    );
    assert!(error.hint.contains("space"), "{}", error.hint);
    assert_eq!(after, before);
    assert!(!pending);
    assert!(log.unwrap().iter().all(|entry| entry.message != "changed much"));
}

#[test]
fn a_history_that_can_not_be_written_stops_the_operation() {
    let kit = Kit::new(2);
    fs::write(&kit.places.state, "a file where the directory should be").unwrap();
    let before = kit.shown();
    let store = kit.open();
    let error = store.apply(&kit.delete(&[0]), now()).unwrap_err();
    assert!(error.what.contains("nothing was done"), "{error}");
    assert_eq!(kit.shown(), before);
}

#[test]
fn a_damaged_history_is_said_to_be_so() {
    let kit = Kit::new(2);
    let store = kit.open();
    store.apply(&kit.delete(&[0]), now()).unwrap();
    let branch = kit.home().join("history.git/refs/heads/main");
    fs::write(&branch, "0123456789012345678901234567890123456789\n").unwrap();
    let before = kit.shown();
    for error in
        [store.log().map(drop), store.undo(at(1)).map(drop), store.apply(&kit.delete(&[1]), at(2)).map(drop)]
    {
        let error = error.unwrap_err();
        assert!(error.what.contains("history") && !error.hint.is_empty(), "{error}");
    }
    assert_eq!(kit.shown(), before);
}

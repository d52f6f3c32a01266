//! The API's memory tool on a store's directory: nothing leads out, and what an agent replaces can be had again.

use crate::home::Home;
use crate::store_kit::Kit;
use git2::{ObjectType, Odb, Oid};
use memcurator::memory::path::RelPath;
use memcurator::memory::snapshot::Snapshot;
use memcurator::review::approve::{self, Outcome};
use memcurator::review::proposal::Waiting;
use memcurator::review::tool::{Answer, Command, Files, answer};
use memcurator::store::{Purge, StagedFiles, ToolFiles};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

fn tool(kit: &Kit) -> ToolFiles {
    ToolFiles::open(&kit.dir, &kit.places, || "2026-03-10T12:00:00Z".parse().unwrap()).unwrap()
}

fn ask(files: &mut ToolFiles, command: Value) -> Answer {
    answer(files, &Command::read(&command)?)
}

/// Whether the history of the store holds these bytes.
fn keeps(kit: &Kit, bytes: &[u8]) -> bool {
    let odb = Odb::new().unwrap();
    let objects = kit.open().home().join("history.git/objects");
    odb.add_disk_alternate(objects.to_str().unwrap()).unwrap();
    odb.exists(Oid::hash_object(ObjectType::Blob, bytes).unwrap())
}

fn tree(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.to_str().unwrap().to_owned();
        if path.is_dir() && !path.is_symlink() {
            found.extend(tree(&path));
        } else {
            found.insert(name, fs::read(&path).unwrap_or_default());
        }
    }
    found
}

#[test]
fn what_an_agent_replaces_or_removes_is_in_the_history() {
    let kit = Kit::new(2);
    let mut files = tool(&kit);
    ask(&mut files, json!({"command": "create", "path": "/memories/d/n.txt", "file_text": "first"})).unwrap();
    ask(
        &mut files,
        json!({"command": "insert", "path": "/memories/d/n.txt", "insert_line": 1, "insert_text": "second"}),
    )
    .unwrap();
    ask(&mut files, json!({"command": "str_replace", "path": "/memories/m00.md", "old_str": "The body", "new_str": "A body"}))
        .unwrap();
    let changed = fs::read(kit.dir.join("m00.md")).unwrap();
    ask(
        &mut files,
        json!({"command": "rename", "old_path": "/memories/m01.md", "new_path": "/memories/d/e/m01.md"}),
    )
    .unwrap();
    ask(&mut files, json!({"command": "delete", "path": "/memories/m00.md"})).unwrap();
    ask(&mut files, json!({"command": "delete", "path": "/memories/d"})).unwrap();
    assert!(!kit.dir.join("d").exists() && !kit.dir.join("m00.md").exists());
    assert!(
        keeps(&kit, b"first") && keeps(&kit, b"first\nsecond\n"),
        "files that are no memories are kept too"
    );
    assert!(keeps(&kit, &changed), "the last version of a memory that is deleted");
    assert!(keeps(&kit, b"---\nname: m01.md\n---\n\nThe body of m01.md.\n"));
    assert_eq!(
        fs::read_dir(&kit.dir).unwrap().count(),
        1,
        "only the index is left, and nothing of ours beside it"
    );
    let log = kit.open().log().unwrap();
    let named: Vec<&str> = log.iter().flat_map(|entry| entry.paths.iter().map(String::as_str)).collect();
    assert!(named.contains(&"d/n.txt"), "the log names it: {named:?}");
    // None of it is an operation of the person: there is nothing to undo.
    assert!(kit.open().undo("2026-03-10T12:00:00Z".parse().unwrap()).unwrap().is_none());
}

#[test]
fn a_file_that_is_rewritten_keeps_its_mode_and_a_new_one_is_private() {
    let kit = Kit::new(1);
    let mode = |name: &str| fs::metadata(kit.dir.join(name)).unwrap().permissions().mode() & 0o777;
    fs::set_permissions(kit.dir.join("m00.md"), fs::Permissions::from_mode(0o640)).unwrap();
    let mut files = tool(&kit);
    ask(
        &mut files,
        json!({"command": "insert", "path": "/memories/m00.md", "insert_line": 0, "insert_text": "x"}),
    )
    .unwrap();
    ask(&mut files, json!({"command": "create", "path": "/memories/new.md", "file_text": "x"})).unwrap();
    assert_eq!((mode("m00.md"), mode("new.md")), (0o640, 0o600));
}

/// A secret in a file that is no memory can be taken out of the history by its name.
#[test]
fn what_was_kept_of_any_file_can_be_purged() {
    let kit = Kit::new(1);
    let mut files = tool(&kit);
    ask(&mut files, json!({"command": "create", "path": "/memories/n.txt", "file_text": "token"})).unwrap();
    ask(&mut files, json!({"command": "delete", "path": "/memories/n.txt"})).unwrap();
    assert!(keeps(&kit, b"token"));
    let store = kit.open();
    assert!(store.logged().unwrap().contains(&RelPath::new("n.txt").unwrap()));
    store
        .purge(&Purge::File(RelPath::new("n.txt").unwrap()), "2026-03-10T12:00:00Z".parse().unwrap())
        .unwrap();
    assert!(!keeps(&kit, b"token"));
}

/// A link in a directory that is removed goes, and is kept as a link.
#[test]
fn a_directory_goes_with_its_links_and_nothing_behind_them() {
    let kit = Kit::new(1);
    let outside = kit.top.join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("a.md"), "outside").unwrap();
    fs::create_dir(kit.dir.join("d")).unwrap();
    symlink(&outside, kit.dir.join("d/link")).unwrap();
    let mut files = tool(&kit);
    ask(&mut files, json!({"command": "delete", "path": "/memories/d"})).unwrap();
    assert!(!kit.dir.join("d").exists());
    assert_eq!(fs::read(outside.join("a.md")).unwrap(), b"outside");
    assert!(keeps(&kit, outside.to_str().unwrap().as_bytes()));
}

/// Every command on every path that leads over a link.
fn over(path: &str) -> Vec<Value> {
    vec![
        json!({"command": "view", "path": path}),
        json!({"command": "create", "path": path, "file_text": "stolen"}),
        json!({"command": "str_replace", "path": path, "old_str": "outside", "new_str": "stolen"}),
        json!({"command": "insert", "path": path, "insert_line": 0, "insert_text": "stolen"}),
        json!({"command": "delete", "path": path}),
        json!({"command": "rename", "old_path": path, "new_path": "/memories/taken.md"}),
        json!({"command": "rename", "old_path": "/memories/m00.md", "new_path": path}),
    ]
}

#[test]
fn a_link_is_refused_wherever_it_stands_and_whatever_it_points_to() {
    let kit = Kit::new(1);
    let outside = kit.top.join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("a.md"), "outside").unwrap();
    symlink(&outside, kit.dir.join("dir")).unwrap();
    symlink(outside.join("a.md"), kit.dir.join("file.md")).unwrap();
    symlink(outside.join("none.md"), kit.dir.join("dangling.md")).unwrap();
    symlink("m00.md", kit.dir.join("inside.md")).unwrap();
    symlink("..", kit.dir.join("up")).unwrap();
    let before = (tree(&kit.dir), tree(&outside));
    let mut files = tool(&kit);
    for path in [
        "/memories/dir",
        "/memories/dir/a.md",
        "/memories/dir/new.md",
        "/memories/file.md",
        "/memories/dangling.md",
        "/memories/inside.md",
        "/memories/up/outside/a.md",
        "/memories/up/memory/m00.md",
    ] {
        for command in over(path) {
            let told = ask(&mut files, command.clone());
            assert!(told.is_err(), "{command}: {told:?}");
        }
    }
    assert_eq!(before, (tree(&kit.dir), tree(&outside)));
    let listed = ask(&mut files, json!({"command": "view", "path": "/memories"})).unwrap();
    assert!(listed.contains("m00.md") && !listed.contains("/dir") && !listed.contains("/inside"), "{listed}");
}

/// While somebody keeps swapping a directory, and a file, for a link that leads out, nothing outside is read or written.
#[test]
fn a_link_that_is_swapped_in_between_look_and_step_leads_nowhere() {
    swapped(|kit| Box::new(tool(kit)));
}

/// Nor is it when the writes are staged, or when they are approved.
#[test]
fn a_link_that_is_swapped_in_while_writes_are_staged_and_approved_leads_nowhere() {
    swapped(|kit| {
        let now = || "2026-03-10T12:00:00Z".parse().unwrap();
        Box::new(StagedFiles::open(&kit.dir, &kit.places, now).unwrap())
    });
}

fn swapped(open: impl Fn(&Kit) -> Box<dyn Files>) {
    let kit = Kit::new(1);
    let outside = kit.top.join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("a.md"), "outside").unwrap();
    let (real, link) = (kit.top.join("real"), kit.top.join("link"));
    fs::create_dir(&real).unwrap();
    fs::write(real.join("a.md"), "inside").unwrap();
    symlink(&outside, &link).unwrap();
    let (real_file, link_file) = (kit.top.join("real.md"), kit.top.join("link.md"));
    fs::write(&real_file, "inside").unwrap();
    symlink(outside.join("a.md"), &link_file).unwrap();
    let before = tree(&outside);
    let (place, file) = (kit.dir.join("d"), kit.dir.join("f.md"));
    let over = AtomicBool::new(false);
    let (mut refused, mut done) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                for (what, place) in
                    [(&real, &place), (&real_file, &file), (&link, &place), (&link_file, &file)]
                {
                    let _ = fs::rename(what, place);
                    std::thread::yield_now();
                    let _ = fs::rename(place, what);
                }
            }
        });
        let mut files = open(&kit);
        for round in 0..60 {
            for command in [
                json!({"command": "view", "path": "/memories/d/a.md"}),
                json!({"command": "create", "path": format!("/memories/d/n{round}.md"), "file_text": "stolen"}),
                json!({"command": "str_replace", "path": "/memories/d/a.md", "old_str": "outside", "new_str": "stolen"}),
                json!({"command": "insert", "path": "/memories/d/a.md", "insert_line": 0, "insert_text": "stolen"}),
                json!({"command": "rename", "old_path": "/memories/d/a.md", "new_path": "/memories/d/a.md"}),
                json!({"command": "view", "path": "/memories/d"}),
                json!({"command": "view", "path": "/memories/f.md"}),
                json!({"command": "str_replace", "path": "/memories/f.md", "old_str": "outside", "new_str": "stolen"}),
                json!({"command": "insert", "path": "/memories/f.md", "insert_line": 0, "insert_text": "stolen"}),
                json!({"command": "rename", "old_path": "/memories/f.md", "new_path": format!("/memories/g{round}.md")}),
                json!({"command": "delete", "path": "/memories/f.md"}),
                json!({"command": "create", "path": "/memories/f.md", "file_text": "inside"}),
            ] {
                match answer(&mut *files, &Command::read(&command).unwrap()) {
                    Ok(told) => {
                        done += 1;
                        assert!(!told.contains("outside"), "{told}");
                    }
                    Err(_) => refused += 1,
                }
            }
            let store = kit.open();
            for one in store.queue().list().unwrap().iter().filter_map(Waiting::proposal) {
                let read = Snapshot { beside: store.beside().unwrap(), ..store.scan(&|_| {}).unwrap() };
                let held = one.bytes.as_deref().unwrap_or_default();
                assert!(!String::from_utf8_lossy(held).contains("outside"), "{one:?}");
                if let Ok(Outcome::Ready(plan)) = approve::approve(&read, &[], one, true) {
                    let _ = store.approve(&plan, &one.id, "2026-03-10T12:00:00Z".parse().unwrap());
                }
            }
        }
        over.store(true, Ordering::Relaxed);
    });
    assert_eq!(tree(&outside), before);
    assert!(refused > 0, "{done} done");
}

#[test]
fn a_line_in_a_line_out() {
    let home = Home::demo();
    let dir = tempfile::tempdir().unwrap();
    let lines = "{\"command\":\"create\",\"path\":\"/memories/a.md\",\"file_text\":\"é\\n\"}\n\nnot json\n\
                 {\"command\":\"view\",\"path\":\"/memories/a.md\"}\n{\"command\":\"fly\"}";
    let done = home.run_with_input(&["memory-tool", "--store", dir.path().to_str().unwrap()], lines);
    assert_eq!(done.status, 0, "{}", done.err);
    let answers: Vec<Value> = done.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let errors: Vec<bool> = answers.iter().map(|answer| answer["is_error"].as_bool().unwrap()).collect();
    assert_eq!(errors, [false, true, false, true], "{}", done.out);
    assert!(answers[2]["content"].as_str().unwrap().ends_with("     1\té\n     2\t"));
    assert_eq!(fs::read_to_string(dir.path().join("a.md")).unwrap(), "é\n");
    let none = home.run_with_input(&["memory-tool"], "");
    assert_eq!(none.status, 2, "{}", none.err);
    assert!(none.err.contains("--store DIR"), "{}", none.err);
}

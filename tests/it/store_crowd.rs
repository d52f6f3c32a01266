//! Two memcurators and a process that writes like the client on one store at once: nothing is lost, and every
//! conflict is told.
//!
//! The processes are this test binary again, running [`crowd_worker`] alone.

use crate::store_kit::{Kit, name, now, rel};
use memcurator::memory::edit::{Place, set_field};
use memcurator::review::edit::{Kind, plan};
use memcurator::review::rename::{NewName, rename};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Memories that all write to.
const SHARED: usize = 3;
/// Operations of each memcurator.
const OPERATIONS: usize = 12;
/// Writes of the client.
const WRITES: usize = 60;

/// Does one process's part in the store that the environment names; without that it is no test.
#[test]
fn crowd_worker() {
    let (Ok(top), Ok(who)) = (std::env::var("MEMCURATOR_CROWD_TOP"), std::env::var("MEMCURATOR_CROWD_WHO"))
    else {
        return;
    };
    let kit = Kit::at(Path::new(&top));
    match who.as_str() {
        "client" => client(&kit),
        _ => memcurator(&kit, &who),
    }
}

/// As the client: appends to the index, and reads a memory and writes it anew in place, with a line more.
fn client(kit: &Kit) {
    for i in 0..WRITES {
        kit.append("MEMORY.md", &format!("- [Foreign {i}](foreign{i}.md) — by the client\n"));
        let path = kit.dir.join(name(i % SHARED));
        // Where there is no exchange of names it may be gone for a moment: then the client tries again.
        let text = (0..100).find_map(|_| fs::read_to_string(&path).ok()).unwrap();
        fs::write(&path, format!("{text}client {i}\n")).unwrap();
        std::thread::sleep(Duration::from_millis(8 + (i as u64 * 7) % 11));
    }
}

/// Edits the shared memories and renames one of its own; tells each outcome on standard output.
fn memcurator(kit: &Kit, who: &str) {
    let store = kit.open();
    let own = |i: usize| if i == 0 { name(if who == "one" { 4 } else { 5 }) } else { format!("{who}{i}.md") };
    let mut conflicts = 0;
    for i in 0..OPERATIONS {
        let mut tries = 0;
        let applied = loop {
            let snapshot = store.scan(&|_| {}).unwrap();
            let made = if i % 3 == 2 {
                let to = NewName { file: Some(format!("{who}{}", i / 3 + 1)), name: None };
                rename(&snapshot, &[], &rel(&own(i / 3)), &to)
            } else {
                let path = rel(&name(i % SHARED));
                let memory = snapshot.memories.iter().find(|memory| memory.path == path).unwrap();
                let bytes = set_field(&memory.bytes, Place::Top, "description", &format!("{who} {i}"));
                plan(&snapshot, &path, &bytes.unwrap(), Kind::Correction, now())
            };
            match made.map(|plan| store.apply(&plan, now())) {
                Ok(Ok(applied)) => break applied,
                // A fault would be no conflict; another memcurator at work is waited for.
                Ok(Err(error)) => {
                    assert!(error.conflict || error.what.contains("another memcurator"), "{error}");
                }
                // The client was just writing: an empty file has no frontmatter to edit.
                Err(refusal) => assert!(refusal.what.contains("nothing"), "{refusal}"),
            }
            conflicts += 1;
            tries += 1;
            assert!(tries < 2000, "never got through");
            std::thread::sleep(Duration::from_millis(3));
        };
        for conflict in applied.conflicts {
            println!("LEFT {} {}", conflict.path, conflict.what);
        }
        println!("DONE {}", applied.id);
    }
    println!("REFUSED {conflicts}");
}

fn start(kit: &Kit, who: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["store_crowd::crowd_worker", "--exact", "--nocapture"])
        .env("MEMCURATOR_CROWD_TOP", &kit.top)
        .env("MEMCURATOR_CROWD_WHO", who)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Every content that the history holds.
fn kept(kit: &Kit) -> String {
    let git = Command::new("git")
        .args(["--git-dir", kit.home().join("history.git").to_str().unwrap()])
        .args(["cat-file", "--batch", "--batch-all-objects"])
        .output()
        .unwrap();
    String::from_utf8_lossy(&git.stdout).into_owned()
}

#[test]
fn two_memcurators_and_a_client_at_once_lose_nothing() {
    let kit = Kit::new(6);
    let children = ["one", "two", "client"].map(|who| start(&kit, who));
    let mut done = Vec::new();
    let mut told = String::new();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        done.extend(text.lines().filter_map(|line| line.strip_prefix("DONE ")).map(str::to_owned));
        told.extend(
            text.lines()
                .filter(|line| line.starts_with("LEFT") || line.starts_with("REF"))
                .map(|l| format!("{l}\n")),
        );
    }
    eprint!("{told}");
    assert_eq!(done.len(), 2 * OPERATIONS);
    let store = kit.open();
    assert!(store.recovered().is_empty(), "{:?}", store.recovered());
    // Every operation that said so is in the history.
    let log = store.log().unwrap();
    for id in &done {
        assert!(log.iter().any(|entry| entry.id == *id), "{id}");
    }
    // The index has every line of the client once, and the renamed memories.
    let index = kit.read("MEMORY.md");
    for i in 0..WRITES {
        assert_eq!(index.matches(&format!("(foreign{i}.md)")).count(), 1, "{i}: {index}");
    }
    for who in ["one", "two"] {
        assert_eq!(index.matches(&format!("({who}4.md)")).count(), 1, "{index}");
        assert!(kit.exists(&format!("{who}4.md")));
    }
    // Whatever anyone wrote into a memory stands there, or is kept.
    let kept = kept(&kit);
    let there: Vec<String> = (0..SHARED).map(|i| kit.read(&name(i))).collect();
    for i in 0..WRITES {
        let line = format!("client {i}\n");
        let stands = there[i % SHARED].contains(&line);
        assert!(stands || kept.contains(&line), "{line} is lost\n{told}");
    }
    for who in ["one", "two"] {
        for i in (0..OPERATIONS).filter(|i| i % 3 != 2) {
            assert!(kept.contains(&format!("description: {who} {i}\n")), "{who} {i}");
        }
    }
    let leftovers: Vec<_> =
        kit.shown().into_keys().filter(|path| path.to_string_lossy().starts_with('.')).collect();
    assert!(leftovers.is_empty(), "{leftovers:?}");
}

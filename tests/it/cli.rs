//! Journeys on the command line: the program runs, then the disk is looked at.

use crate::home::Home;
use serde_json::Value;
use std::fs;
use std::path::Path;

const KEYS: [&str; 10] =
    ["path", "name", "description", "type", "age_days", "age_from", "bytes", "indexed", "loaded", "findings"];

#[test]
fn list_names_every_memory_and_writes_nothing() {
    let home = Home::demo();
    let before = home.tree();
    let list = home.json(&["list"]);
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), 24);
    for entry in list {
        assert_eq!(entry.as_object().unwrap().keys().collect::<Vec<_>>(), KEYS);
    }
    let of = |path: &str| list.iter().find(|entry| entry["path"] == path).unwrap();
    assert_eq!(
        (&of("retry-budget.md")["indexed"], &of("dashboards.md")["loaded"]),
        (&false.into(), &true.into())
    );
    assert_eq!(of("scratch-notes.md")["name"], Value::Null);
    assert_eq!(of("on-call-rota.md")["type"], "runbook");
    assert_eq!(of("currency-rounding.md")["type"], Value::Null);
    assert_eq!(of("chargeback-webhook.md")["name"], "Chargeback webhook", "broken YAML is read all the same");
    let deploy = of("deploy-with-old-script.md");
    assert_eq!((deploy["age_days"].as_u64(), deploy["age_from"].as_str()), (Some(244), Some("modified")));
    assert_eq!(of("dashboards.md")["age_from"], "mtime");
    for command in [&["log"][..], &["stores"], &["list"], &[], &["man"]] {
        home.run(command);
    }
    assert_eq!(home.tree(), before, "looking writes nothing and touches no time");
}

#[test]
fn what_people_read_holds_nothing_that_steers_the_terminal() {
    let home = Home::demo();
    for command in [&["list"][..], &["list", "--format", "json"], &["delete", "provider-quirk"], &["log"]] {
        let done = home.run(command);
        let bad = |c: char| (c.is_control() && c != '\n') || "\u{202e}\u{202c}\u{200b}".contains(c);
        assert!(!done.out.contains(bad), "{command:?}: {}", done.out);
    }
}

#[test]
fn delete_undo_and_redo_reach_across_runs() {
    let home = Home::demo();
    let before = home.store_tree();
    let done = home.run(&["delete", "dashboards", "archive/release-checklist.md", "Ledger schema"]);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(done.out.contains("undo with: memcurator undo"), "{done:?}");
    let gone = home.store_tree();
    assert_eq!(gone.len(), before.len() - 3);
    let index = fs::read_to_string(home.store().join("MEMORY.md")).unwrap();
    assert!(!index.contains("(dashboards.md)") && index.contains("## Where things are"), "{index}");

    assert_eq!(home.run(&["undo"]).status, 0);
    assert_eq!(home.store_tree(), before, "bytes and times are as they were");
    let nothing = home.run(&["undo"]);
    assert_eq!((nothing.status, nothing.out.as_str()), (1, ""));
    assert!(nothing.err.starts_with("error: there is nothing to undo"), "{nothing:?}");
    assert_eq!(home.run(&["redo"]).status, 0);
    assert_eq!(home.store_tree().keys().collect::<Vec<_>>(), gone.keys().collect::<Vec<_>>());
    assert_eq!(home.run(&["redo"]).status, 1);

    let log = home.json(&["log"]);
    assert!(log.as_array().unwrap().len() >= 3, "{log}");
    assert!(home.run(&["log"]).out.contains("deleted 3 memories"));
}

#[test]
fn delete_names_what_links_to_it() {
    let home = Home::demo();
    let done = home.run(&["delete", "archive/release-checklist.md", "release-train"]);
    assert!(
        done.out.contains("release-checklist.md is still linked from deploy-with-old-script.md"),
        "{done:?}"
    );
    assert!(!done.out.contains("linked from release-train.md"), "it is gone itself: {done:?}");
    home.run(&["undo"]);
    let json = home.json(&["delete", "dashboards"]);
    assert_eq!(json["paths"], serde_json::json!(["dashboards.md"]));
    assert_eq!(json["linked_from"][0]["from"][0], "archive/release-checklist.md");
}

#[test]
fn park_takes_the_line_and_unpark_puts_it_back() {
    let home = Home::demo();
    let index = home.store().join("MEMORY.md");
    let before = fs::read(&index).unwrap();
    assert_eq!(home.run(&["park", "mobile-freeze", "user_role.md"]).status, 0);
    let parked = fs::read_to_string(&index).unwrap();
    assert!(!parked.contains("mobile-freeze.md") && home.store().join("mobile-freeze.md").exists());
    assert_eq!(home.run(&["park", "mobile-freeze"]).status, 1, "it is parked already");
    assert_eq!(home.run(&["unpark", "mobile-freeze", "user_role.md"]).status, 0);
    assert_eq!(fs::read(&index).unwrap(), before, "the lines stand where they stood, as they were");
}

#[test]
fn what_cannot_be_done_is_said_and_nothing_is_changed() {
    let home = Home::demo();
    let before = home.tree();
    let outside = home.project().display().to_string();
    for (command, status, part) in [
        (&["delete", "settle-in-cent"][..], 1, "hint: did you mean settle-in-cents.md?"),
        (&["delete", "dashboards", "nope"], 1, "there is no memory `nope`"),
        (&["delete", "MEMORY.md"], 1, "is the index"),
        (&["delete", "../../../x.md"], 1, "there is no memory"),
        (&["unpark", "mobile-freeze"], 1, "error: "),
        (&["list", "--store", "/nowhere"], 2, "there is no directory /nowhere"),
        (&["list", "--project", "/"], 2, "there is neither"),
        (&["nope"], 2, "there is no directory"),
        (&["--store", &outside, "."], 2, "can't be given beside"),
        (&["--format", "json"], 2, "hint: memcurator list --format json"),
        (&["man", "nope"], 2, "there is no command `nope`"),
        (&["delete"], 2, "required"),
        (&[".", "list"], 2, "stands before a command"),
    ] {
        let done = home.run(command);
        assert_eq!((done.status, done.out.as_str()), (status, ""), "{command:?}: {done:?}");
        assert!(done.err.contains(part), "{command:?}: {done:?}");
    }
    assert_eq!(home.tree(), before);
}

#[test]
fn the_store_is_found_from_anywhere() {
    let home = Home::demo();
    let count = |cwd: &Path, command: &[&str]| {
        let done = home.run_in(cwd, command);
        assert_eq!(done.status, 0, "{command:?}: {done:?}");
        serde_json::from_str::<Value>(&done.out).unwrap().as_array().unwrap().len()
    };
    let json = ["list", "--format", "json"];
    let (project, store) = (home.project().display().to_string(), home.store().display().to_string());
    assert_eq!(count(&home.project().join("src"), &json), 24);
    assert_eq!(count(Path::new("/"), &[&json[..], &["--project", &project]].concat()), 24);
    assert_eq!(count(Path::new("/"), &[&json[..], &["--store", &store]].concat()), 24);
    // A linked worktree has the store of the main checkout.
    let (git, worktree) = (home.project().join(".git/worktrees/w"), home.path().join("elsewhere"));
    fs::create_dir_all(&git).unwrap();
    fs::create_dir_all(&worktree).unwrap();
    fs::write(git.join("commondir"), "../..\n").unwrap();
    fs::write(git.join("gitdir"), format!("{}\n", worktree.join(".git").display())).unwrap();
    fs::write(worktree.join(".git"), format!("gitdir: {}\n", git.display())).unwrap();
    assert_eq!(count(&worktree, &json), 24);
    for dir in [&project, &store] {
        let done = home.run_in(Path::new("/"), &[dir]);
        assert!(done.out.contains("24 memories"), "{done:?}");
    }
    // What was done is taken back with the same options.
    let done = home.run_in(Path::new("/"), &["park", "mobile-freeze", "--store", &store]);
    assert!(done.out.contains(&format!("undo with: memcurator undo --store {store}")), "{done:?}");
}

#[test]
fn without_a_store_the_stores_are_listed_else_the_demo_is_offered() {
    let home = Home::demo();
    let done = home.run_in(Path::new("/"), &[]);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(done.out.contains("payments") && done.out.contains("memcurator demo"), "{done:?}");
    let stores = home.json(&["stores"]);
    assert_eq!((stores[0]["memories"].as_u64(), stores.as_array().unwrap().len()), (Some(24), 1));

    let empty = Home::empty();
    fs::write(empty.project().join("README.md"), "---\nname: a\ndescription: b\ntype: user\n---\n").unwrap();
    for command in [&[][..], &["."]] {
        let done = empty.run(command);
        assert_eq!(done.status, 2, "a README is no memory: {done:?}");
        assert!(done.err.contains("memcurator demo"), "{done:?}");
    }
    let agent = empty.project().join(".agent/memory");
    fs::create_dir_all(&agent).unwrap();
    fs::write(agent.join("a.md"), "---\nname: a\n---\n").unwrap();
    assert_eq!(empty.json(&["list"]).as_array().unwrap().len(), 1);
}

#[test]
fn a_slip_in_a_command_is_noticed() {
    let done = Home::demo().run(&["lst"]);
    assert_eq!(done.status, 2);
    assert!(done.err.contains("did you mean `memcurator list`?"), "{done:?}");
}

#[test]
fn purge_removes_content_for_good() {
    let home = Home::demo();
    home.run(&["delete", "sandbox-accounts"]);
    let done = home.run(&["history", "purge", "sandbox-accounts.md"]);
    assert_eq!(done.status, 1, "nobody could be asked: {done:?}");
    assert!(done.err.contains("--yes"), "{done:?}");
    let done = home.run(&["history", "purge", "sandbox-accounts.md", "--yes"]);
    assert_eq!(done.status, 0, "{done:?}");
    assert_ne!(home.run(&["undo"]).status, 2);
    assert!(!home.store().join("sandbox-accounts.md").exists(), "its content is gone");
    assert_eq!(home.run(&["history", "purge", "never-seen.md", "--yes"]).status, 1);
    assert_eq!(home.run(&["history", "purge", "--all", "--yes"]).status, 0);
    assert_eq!(home.run(&["undo"]).status, 1);
}

#[test]
fn a_wrong_configuration_is_reported_as_a_whole() {
    let home = Home::demo();
    let config = home.path().join("config.toml");
    fs::write(&config, "tehme = 1\n[keys]\ndelete = 3\n").unwrap();
    let done = home.run(&["--config", config.to_str().unwrap()]);
    assert_eq!(done.status, 2, "{done:?}");
    assert!(
        done.err.contains(":1: ") && done.err.contains(":3: ") && done.err.contains("`theme`"),
        "{done:?}"
    );
    assert_eq!(home.run(&["list"]).status, 0);
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let home = Home::demo();
    for command in
        [&["list"][..], &["demo"], &["man"], &["completions", "bash"], &["list", "--format", "json"]]
    {
        let done = home.run_unread(command);
        assert_eq!((done.status, done.err.as_str()), (0, ""), "{command:?}");
    }
}

#[test]
fn every_memory_of_the_corpus_is_listed() {
    let Some(shared) = crate::shared() else { return };
    let home = Home::empty();
    let mut stores = 0;
    for entry in fs::read_dir(shared.join("corpus")).unwrap() {
        let store = entry.unwrap().path();
        if !store.is_dir() {
            continue;
        }
        let list = home.json(&["list", "--store", store.to_str().unwrap()]);
        let mut listed: Vec<_> = list
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["path"].as_str().unwrap().to_string())
            .collect();
        listed.sort();
        let mut there: Vec<_> = crate::home::files(&store)
            .into_keys()
            .filter(|path| path.ends_with(".md") && path != "MEMORY.md")
            .collect();
        there.sort();
        assert_eq!(listed, there, "{}", store.display());
        stores += 1;
    }
    assert_eq!(stores, 35);
}

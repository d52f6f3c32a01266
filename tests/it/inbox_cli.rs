//! Journeys of `propose`, `pending` and `changes`, and the disk afterwards.

use crate::home::{Done, Home};
use serde_json::Value;
use std::fs;

const TEA: &str = r#"{"type": "user", "body": "Prefers tea in the afternoon.", "why": "Coffee keeps awake.", "how": "Offer it."}"#;

fn read(home: &Home, file: &str) -> String {
    fs::read_to_string(home.store().join(file)).unwrap()
}

fn propose(home: &Home, text: &str) -> Value {
    let done = home.run_with_input(&["propose", "--format", "json"], text);
    assert_eq!(done.status, 0, "{done:?}");
    serde_json::from_str(&done.out).unwrap()
}

fn well(done: Done) -> Done {
    assert_eq!(done.status, 0, "{done:?}");
    done
}

#[test]
fn a_proposal_is_inert_until_it_is_approved() {
    let home = Home::demo();
    let before = home.store_tree();
    let preview = well(home.run(&["preview"])).out;
    let made = propose(&home, TEA);
    let (id, target) = (made[0]["id"].as_str().unwrap(), made[0]["target"].as_str().unwrap());
    assert_eq!(
        (made[0]["result"].as_str(), made[0]["gate"]["mark"].as_str()),
        (Some("queued"), Some("passes")),
        "{made}"
    );
    assert_eq!((home.store_tree(), well(home.run(&["preview"])).out), (before.clone(), preview));
    assert_eq!(well(home.run(&["pending", "list", "--quiet"])).out, "1\n");
    let list = home.json(&["pending", "list"]);
    assert_eq!((list[0]["id"].as_str(), list[0]["state"].as_str()), (Some(id), Some("ready")));
    let show = well(home.run(&["pending", "show", id])).out;
    assert!(show.contains("+ Prefers tea in the afternoon.") && show.contains("the gate: passes"), "{show}");
    let path = well(home.run(&["pending", "path", id])).out;
    assert!(fs::read_to_string(path.trim()).unwrap().contains("Prefers tea"));

    let done = well(home.run(&["pending", "approve", id]));
    assert!(done.out.starts_with("approved a new memory: "), "{done:?}");
    assert!(
        read(&home, "MEMORY.md").contains(&format!("({target})"))
            && read(&home, target).contains("Prefers tea")
    );
    assert_eq!(well(home.run(&["pending", "list", "--quiet"])).out, "");
    well(home.run(&["undo"]));
    assert_eq!(home.store_tree(), before);
    assert_eq!(well(home.run(&["pending", "list", "--quiet"])).out, "1\n", "undone, it waits again");
    well(home.run(&["redo"]));
    assert_eq!(well(home.run(&["pending", "list", "--quiet"])).out, "");
}

#[test]
fn what_was_rejected_does_not_return_until_it_is_taken_back() {
    let home = Home::demo();
    let before = home.store_tree();
    let id = propose(&home, TEA)[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(propose(&home, TEA)[0]["result"], "waiting");
    well(home.run(&["pending", "reject", "prefers-tea-in-the-afternoon", "--reason", "nobody's business"]));
    let again = home.run_with_input(&["propose"], &TEA.replace("Prefers", "prefers"));
    assert_eq!(again.status, 1);
    assert!(
        again.out.contains("rejected before on 2026-03-05") && again.out.contains("nobody's business"),
        "{again:?}"
    );
    assert_eq!(well(home.run(&["pending", "list"])).out, "no proposal waits\n");
    assert_eq!(home.json(&["pending", "rejected"])[0]["reason"], "nobody's business");
    well(home.run(&["pending", "restore", &id]));
    assert_eq!(home.json(&["pending", "list"])[0]["id"], id.as_str());
    assert_eq!(well(home.run(&["pending", "rejected"])).out, "no proposal was rejected\n");
    assert_eq!(home.run(&["pending", "restore", &id]).status, 1);
    assert_eq!(home.store_tree(), before);
}

#[test]
fn bad_input_stores_nothing() {
    let home = Home::demo();
    let before = home.tree();
    for (text, part) in [
        (format!("[{TEA}, {{\"type\": \"user\"}}]"), "proposal 2 of 2: `body` is missing"),
        (TEA.replace("user", "log"), "`type`: wanted user"),
        (TEA.replace("\"why\"", "\"file\": \"../../x\", \"why\""), "no path inside the store"),
        (String::new(), "nothing was given"),
    ] {
        let done = home.run_with_input(&["propose"], &text);
        assert_eq!(done.status, 1, "{done:?}");
        assert!(done.err.contains(part) && done.err.contains("nothing was stored"), "{done:?}");
    }
    well(home.run_with_input(&["propose", "--dry-run"], TEA));
    for looking in [&["pending", "list"][..], &["pending", "rejected"], &["pending", "path"], &["changes"]] {
        well(home.run(looking));
    }
    assert_eq!(home.tree(), before);
}

#[test]
fn all_that_pass_are_approved_and_the_others_wait() {
    let home = Home::demo();
    let teas: Vec<String> = (0..6)
        .map(|i| TEA.replace("tea", ["oolong", "sencha", "darjeeling", "mate", "rooibos", "cocoa"][i]))
        .collect();
    let secretive = r#"{"file": "odd", "content": "---\nname: odd\ndescription: odd\ntype: user\n---\n\nText \u001b[31m.\n"}"#;
    propose(&home, &format!("[{}, {secretive}]", teas[..1].join(",")));
    let before = home.store_tree();
    let done = well(home.run(&["pending", "approve", "--all"]));
    assert_eq!(done.out.matches("approved").count(), 1, "{done:?}");
    let left = home.json(&["pending", "list"]);
    assert_eq!((left.as_array().unwrap().len(), left[0]["gate"]["mark"].as_str()), (1, Some("fails")));
    well(home.run(&["undo"]));
    assert_eq!(home.store_tree(), before);
}

#[test]
fn a_change_whose_base_changed_is_not_applied_silently() {
    let home = Home::demo();
    let file = "settle-in-cents.md";
    let old = read(&home, file);
    let id = propose(
        &home,
        r#"{"action": "change", "file": "settle-in-cents", "description": "Cents, never floats"}"#,
    )[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    // The version that it was made on is in the history.
    well(home.run(&["changes", "accept", "--all"]));
    fs::write(home.store().join(file), format!("{old}\nMore by the agent.\n")).unwrap();
    let done = home.run(&["pending", "approve", &id]);
    assert_eq!(done.status, 1);
    assert!(done.out.contains("stale") && done.out.contains("was changed since"), "{done:?}");
    assert!(read(&home, file).ends_with("More by the agent.\n"));
    assert_eq!(home.json(&["pending", "list"])[0]["state"], "stale");
    well(home.run(&["pending", "approve", &id, "--merge"]));
    let text = read(&home, file);
    assert!(
        text.contains("description: Cents, never floats") && text.ends_with("More by the agent.\n"),
        "{text}"
    );
    well(home.run(&["undo"]));
    well(home.run(&["pending", "approve", &id, "--anyway"]));
    assert!(!read(&home, file).contains("More by the agent."));
}

#[test]
fn hand_made_and_damaged_proposals_are_shown_and_never_applied() {
    let home = Home::demo();
    propose(&home, TEA);
    let dir = well(home.run(&["pending", "path"])).out.trim().to_owned();
    let outside = r#"{"version": 1, "action": "add", "target": "../../../escaped.md"}"#;
    for (name, text) in [
        ("a.json", outside),
        ("a.md", "x"),
        ("b.md", "by \u{1b}[31mhand"),
        ("c.json", "{\"version\": 9}"),
        ("c.md", "x"),
    ] {
        fs::write(format!("{dir}/{name}"), text).unwrap();
    }
    let before = home.store_tree();
    let done = home.run(&["pending", "list"]);
    assert_eq!(done.status, 1);
    assert_eq!(done.out.matches("faulty").count(), 3, "{done:?}");
    for id in ["a", "b", "c"] {
        let shown = home.run(&["pending", "show", id]);
        assert!(shown.status == 1 && !shown.out.contains('\u{1b}'), "{shown:?}");
        let done = home.run(&["pending", "approve", id]);
        assert!(done.status == 1 && done.out.contains("faulty"), "{done:?}");
    }
    assert_eq!(home.store_tree(), before);
    well(home.run(&["pending", "approve", "--all"]));
    well(home.run(&["pending", "reject", "--all"]));
    assert_eq!(well(home.run(&["pending", "list", "--quiet"])).out, "");
}

#[test]
fn proposals_for_a_store_that_does_not_exist_wait_for_it() {
    let home = Home::empty();
    let made = propose(&home, TEA);
    assert_eq!(made[0]["result"], "queued");
    assert_eq!(well(home.run(&["pending", "list", "--quiet"])).out, "1\n");
    let dir = home.path().join("elsewhere/memory");
    let store = dir.to_str().unwrap();
    well(home.run_with_input(&["propose", "--store", store], TEA));
    assert!(!dir.exists());
    well(home.run(&["pending", "approve", "prefers-tea-in-the-afternoon", "--store", store]));
    assert!(dir.join("prefers-tea-in-the-afternoon.md").exists() && dir.join("MEMORY.md").exists());
    // The client's store is made in its place, and found from then on.
    well(home.run(&["pending", "approve", "--all"]));
    assert_eq!(home.json(&["list"]).as_array().unwrap().len(), 1);
    assert_eq!(home.run(&["pending", "list", "--project", "nowhere"]).status, 2);
}

#[test]
fn what_others_change_is_listed_accepted_and_restored() {
    let home = Home::demo();
    let done = well(home.run(&["changes"]));
    assert!(done.out.contains("no review was started"), "{done:?}");
    assert_eq!(home.run(&["changes", "restore", "--all"]).status, 1);
    well(home.run(&["changes", "start"]));
    assert!(well(home.run(&["changes"])).out.starts_with("nothing was changed"));
    let before = home.store_tree();
    let session = "---\nname: by-agent\ndescription: theirs\nmetadata:\n  type: project\n  originSessionId: 6f0c1c3e-8f6e\n---\n\nText.\n";
    fs::write(home.store().join("by-agent.md"), session).unwrap();
    fs::remove_file(home.store().join("dashboards.md")).unwrap();
    let old = read(&home, "settle-in-cents.md");
    fs::write(home.store().join("settle-in-cents.md"), old.replacen("cents", "pence", 1)).unwrap();
    let after = home.store_tree();
    let changes = home.json(&["changes"]);
    let kinds: Vec<&str> =
        changes["changes"].as_array().unwrap().iter().map(|one| one["change"].as_str().unwrap()).collect();
    assert_eq!(kinds[0], "deleted", "{changes}");
    let of = |path: &str| {
        changes["changes"].as_array().unwrap().iter().find(|one| one["path"] == path).unwrap().clone()
    };
    assert_eq!(of("by-agent.md")["session"], "6f0c1c3e-8f6e");
    assert_eq!(of("settle-in-cents.md")["diff"].as_array().unwrap().len(), 1);
    let text = well(home.run(&["changes", "--diff"])).out;
    assert!(text.contains("[-cents-]{+pence+}") && text.contains("session 6f0c1c3e"), "{text}");
    assert_eq!(home.store_tree(), after, "looking changes nothing");

    well(home.run(&["changes", "accept", "by-agent"]));
    assert_eq!(home.json(&["changes"])["changes"].as_array().unwrap().len(), 2);
    well(home.run(&["undo"]));
    assert_eq!(home.json(&["changes"])["changes"].as_array().unwrap().len(), 3);
    well(home.run(&["changes", "restore", "--all"]));
    assert_eq!(home.store_tree(), before, "times too");
    assert_eq!(home.json(&["changes"])["changes"].as_array().unwrap().len(), 0);
    well(home.run(&["undo"]));
    well(home.run(&["changes", "accept", "--all"]));
    assert!(well(home.run(&["log"])).out.contains("reviewed: accepted 3 changes"));
    assert_eq!(home.run(&["changes", "accept", "nothing"]).status, 1);
}

#[test]
fn a_change_is_taken_in_part() {
    let home = Home::demo();
    well(home.run(&["changes", "start"]));
    let old = read(&home, "settle-in-cents.md");
    let new = old.replacen("name: ", "name: the ", 1) + "\nA last line.\n";
    fs::write(home.store().join("settle-in-cents.md"), &new).unwrap();
    assert_eq!(home.run(&["changes", "take", "settle-in-cents", "--hunk", "3"]).status, 1);
    well(home.run(&["changes", "take", "settle-in-cents.md", "--hunk", "2"]));
    let text = read(&home, "settle-in-cents.md");
    assert!(!text.contains("name: the ") && text.ends_with("A last line.\n"), "{text}");
    assert_eq!(home.json(&["changes"])["changes"].as_array().unwrap().len(), 0);
    well(home.run(&["undo"]));
    assert_eq!(read(&home, "settle-in-cents.md"), new);
}

#[test]
fn a_purge_takes_settled_proposals_along() {
    let home = Home::demo();
    let secret = TEA.replace("tea", "hunter2");
    propose(&home, &secret);
    well(home.run(&["pending", "approve", "--all"]));
    let target = "prefers-hunter2-in-the-afternoon.md";
    well(home.run(&["delete", target]));
    let holds = |home: &Home| {
        let tree = home.tree();
        tree.iter().filter(|(_, (bytes, _))| bytes.windows(7).any(|part| part == b"hunter2")).count()
    };
    assert!(holds(&home) > 0);
    let done = well(home.run(&["history", "purge", target, "--yes"]));
    assert!(done.out.contains("1 settled proposal(s)"), "{done:?}");
    let files: Vec<_> = home.tree().into_keys().filter(|path| path.contains("approved/")).collect();
    assert!(files.is_empty(), "{files:?}");
}

/// How many files of the home hold the text.
fn holding(home: &Home, text: &str) -> Vec<String> {
    let tree = home.tree();
    let holds = |bytes: &[u8]| memchr::memmem::find(bytes, text.as_bytes()).is_some();
    tree.iter().filter(|(_, (bytes, _))| holds(bytes)).map(|(path, _)| path.clone()).collect()
}

#[test]
fn a_secret_in_a_rejected_proposal_can_be_purged() {
    let secret = TEA.replace("tea", "hunter2");
    // In a store with no history yet, and in one that does not exist.
    for home in [Home::demo(), Home::empty()] {
        let made = propose(&home, &secret);
        let (id, target) = (made[0]["id"].as_str().unwrap(), made[0]["target"].as_str().unwrap());
        let waits = home.run(&["history", "purge", target, "--yes"]);
        assert!(waits.status == 0 && waits.out.contains("still wait"), "{waits:?}");
        assert_eq!(holding(&home, "hunter2").len(), 2, "what waits stays");
        well(home.run(&["pending", "reject", id, "--reason", "hunter2 is a password"]));
        let done = well(home.run(&["history", "purge", target, "--yes"]));
        assert!(done.out.contains("1 settled proposal(s)"), "{done:?}");
        assert_eq!(holding(&home, "hunter2"), [""; 0]);
        let again = home.run_with_input(&["propose", "--format", "json"], &secret);
        assert!(again.status == 1 && again.out.contains("\"rejected\""), "known by its hash: {again:?}");
        assert_eq!(holding(&home, "hunter2"), [""; 0]);
        assert_eq!(home.json(&["pending", "rejected"]).as_array().unwrap().len(), 1);
        let restored = home.run(&["pending", "restore", id]);
        assert!(restored.status == 1 && restored.err.contains("purged"), "{restored:?}");
    }
}

#[test]
fn a_purge_of_all_takes_what_was_rejected_along() {
    let home = Home::demo();
    let secret = TEA.replace("tea", "hunter2");
    let made = propose(&home, &secret);
    let dir = well(home.run(&["pending", "path"])).out.trim().to_owned();
    fs::write(format!("{dir}/by-hand.md"), "hunter2 by hand").unwrap();
    well(home.run(&["pending", "reject", "--all"]));
    for _ in 0..2 {
        well(home.run(&["history", "purge", "--all", "--yes"]));
        assert_eq!(holding(&home, "hunter2"), [""; 0]);
    }
    let again = home.run_with_input(&["propose", "--format", "json"], &secret);
    let again: Value = serde_json::from_str(&again.out).unwrap();
    assert_eq!((&again[0]["result"], &again[0]["id"]), (&"rejected".into(), &made[0]["id"]));
}

#[test]
fn a_purge_that_was_killed_before_the_queue_is_done_again() {
    let home = Home::demo();
    propose(&home, &TEA.replace("tea", "hunter2"));
    well(home.run(&["pending", "approve", "--all"]));
    let target = "prefers-hunter2-in-the-afternoon.md";
    well(home.run(&["delete", target]));
    let queue = well(home.run(&["pending", "path"])).out.trim().replace("pending", "approved");
    let kept: Vec<_> = fs::read_dir(&queue).unwrap().map(|entry| entry.unwrap().path()).collect();
    let kept: Vec<_> = kept.into_iter().map(|path| (fs::read(&path).unwrap(), path)).collect();
    well(home.run(&["history", "purge", target, "--yes"]));
    kept.iter().for_each(|(bytes, path)| fs::write(path, bytes).unwrap());
    let done = well(home.run(&["history", "purge", target, "--yes"]));
    assert!(done.out.contains("1 settled proposal(s)"), "{done:?}");
    assert_eq!(fs::read_dir(&queue).unwrap().count(), 0);
}

#[test]
fn rejecting_all_goes_on_after_one_that_can_t_be_moved() {
    let home = Home::demo();
    propose(&home, TEA);
    let dir = well(home.run(&["pending", "path"])).out.trim().to_owned();
    // Its place is taken by what no file can replace.
    fs::create_dir_all(format!("{}/0-second.md/full", dir.replace("pending", "rejected"))).unwrap();
    let json = r#"{"version": 1, "action": "add", "target": "second.md"}"#;
    fs::write(format!("{dir}/0-second.md"), "x").unwrap();
    fs::write(format!("{dir}/0-second.json"), json).unwrap();
    let done = home.run(&["pending", "reject", "--all"]);
    assert!(done.status == 1 && done.out.contains("not rejected: 0-second"), "{done:?}");
    assert!(done.out.contains("rejected: add prefers-tea-in-the-afternoon.md"), "{done:?}");
    assert_eq!(well(home.run(&["pending", "list", "--quiet"])).out, "1\n");
}

#[test]
fn one_that_was_rejected_meanwhile_is_not_approved() {
    use crate::inbox_kit::{Shop, now};
    use memcurator::review::approve::{self, Outcome};
    let shop = Shop::new(2);
    let made = shop.propose(TEA);
    let Outcome::Ready(plan) = approve::approve(&shop.snapshot(), &[], &made[0], false).unwrap() else {
        panic!("it can be approved")
    };
    let (before, store) = (shop.files(), shop.open());
    store.queue().reject(&made[0].id, None, now()).unwrap();
    let refused = store.approve(&plan, &made[0].id, now()).unwrap_err();
    assert!(refused.conflict && refused.what.contains("waits"), "{refused}");
    assert_eq!(shop.files(), before);
    assert_eq!(store.queue().rejected().unwrap().len(), 1);
}

/// A purge by date left what was approved or rejected before it in the queue.
#[test]
fn a_purge_by_date_takes_settled_proposals_too() {
    let home = Home::demo();
    let store = home.path().join("s");
    std::fs::create_dir(&store).unwrap();
    let at = store.to_str().unwrap();
    let run = |args: &[&str]| home.run(&[args, &["--store", at]].concat());
    for (file, word) in [("a", "zebracross"), ("b", "zebrastripe")] {
        let json = format!("{{\"type\": \"user\", \"file\": \"{file}\", \"body\": \"{word}\"}}");
        home.run_with_input(&["propose", "--store", at], &json);
    }
    assert_eq!(run(&["pending", "approve", "a.md"]).status, 0);
    assert_eq!(run(&["pending", "reject", "b.md"]).status, 0);
    assert_eq!(run(&["delete", "a"]).status, 0);
    let kept = |word: &str| {
        home.tree().values().any(|(bytes, _)| bytes.windows(word.len()).any(|part| part == word.as_bytes()))
    };
    assert!(kept("zebracross") && kept("zebrastripe"));
    let early = run(&["history", "purge", "--before", "2026-03-01", "--yes"]);
    assert!(early.out.contains("nothing in the history is older") && kept("zebrastripe"), "{early:?}");
    let done = run(&["history", "purge", "--before", "2026-03-06", "--yes"]);
    assert!(done.out.contains("2 settled proposal(s) are removed too"), "{done:?}");
    assert!(!kept("zebracross") && !kept("zebrastripe"));
    let again = "{\"type\": \"user\", \"file\": \"b\", \"body\": \"zebrastripe\"}";
    let told = home.run_with_input(&["propose", "--store", at], again);
    assert!(told.out.contains("rejected before"), "it is known by its hash: {told:?}");
}

/// Only `check` and the screens took both: what a proposal mentions could not be held against a project.
#[test]
fn a_store_is_looked_at_with_the_project_that_is_named() {
    let home = Home::demo();
    let store = home.path().join("apart");
    std::fs::create_dir(&store).unwrap();
    let (at, project) = (store.to_str().unwrap(), home.project().to_str().unwrap().to_owned());
    let both = ["--store", at, "--project", &project];
    let run = |args: &[&str]| home.run(&[args, &both].concat());
    let json = "{\"type\": \"project\", \"file\": \"a\", \"why\": \"x\", \"how\": \"y\", \"body\": \"The limits are in `config/limits_old_gone.toml`.\"}";
    let told = home.run_with_input(&[&["propose"][..], &both].concat(), json);
    assert_eq!(told.status, 0, "{told:?}");
    let of = |args: &[&str]| home.run(args).out;
    let alone = of(&["pending", "show", "a.md", "--store", at]);
    let with = run(&["pending", "show", "a.md"]).out;
    assert!(!alone.contains("limits_old_gone.toml is") && alone != with, "{alone}\n{with}");
    assert_eq!(run(&["pending", "list"]).status, 0);
    assert!(run(&["pending", "approve", "a.md"]).out.contains("--project"), "the hint has both");
    let list = run(&["list"]);
    assert!(list.status == 0 && list.out.contains("a.md"), "{list:?}");
    for command in [&["log"][..], &["changes"], &["index", "check"]] {
        assert!(run(command).status < 2, "{command:?}: {:?}", run(command));
    }
    // A session there loads its own store, and no other is shown as if it did.
    let preview = run(&["preview"]);
    assert!(preview.status == 2 && preview.err.contains("load another store than"), "{preview:?}");
    let own = home.run(&["preview", "--store", home.store().to_str().unwrap(), "--project", &project]);
    assert_eq!(own.out, home.run(&["preview", "--project", &project]).out);
    let nowhere = home.run(&["list", "--store", at, "--project", "nowhere"]);
    assert!(nowhere.status == 2 && nowhere.err.contains("there is no directory"), "{nowhere:?}");
}

//! Journeys of the commands that change what memories say, and the disk afterwards.

use crate::home::Home;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

fn read(home: &Home, file: &str) -> String {
    fs::read_to_string(home.store().join(file)).unwrap()
}

fn index(home: &Home) -> String {
    read(home, "MEMORY.md")
}

/// Undoes, and everything is as before, times included.
fn undo(home: &Home, before: &crate::home::Tree) {
    assert_eq!(home.run(&["undo"]).status, 0);
    assert_eq!(home.store_tree(), *before);
}

#[test]
fn edit_changes_what_was_asked_and_nothing_else() {
    let home = Home::demo();
    let before = home.store_tree();
    let old = read(&home, "settle-in-cents.md");
    let done = home.run(&["edit", "settle-in-cents", "--set", "description=Cents: never floats # really"]);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(done.out.starts_with("corrected "), "{done:?}");
    let new = read(&home, "settle-in-cents.md");
    let differ: Vec<_> = old.lines().zip(new.lines()).filter(|(old, new)| old != new).collect();
    assert_eq!(differ.len(), 1, "{differ:?}");
    assert_eq!(differ[0].1, "description: \"Cents: never floats # really\"");
    let list = home.json(&["list"]);
    let entry = list.as_array().unwrap().iter().find(|one| one["path"] == "settle-in-cents.md").unwrap();
    assert_eq!(entry["description"], "Cents: never floats # really");
    let time = |tree: &crate::home::Tree| tree["settle-in-cents.md"].1;
    let later = time(&home.store_tree()).duration_since(time(&before)).unwrap();
    assert_eq!(later.as_millis(), 1, "a correction keeps the age");
    undo(&home, &before);

    let json = home.json(&[
        "edit",
        "settle-in-cents.md",
        "--body-part",
        "why=Floats lost a cent.",
        "--set",
        "metadata.confidence=0.9",
        "--kind",
        "correction",
    ]);
    assert_eq!(json["paths"], serde_json::json!(["settle-in-cents.md"]));
    let new = read(&home, "settle-in-cents.md");
    assert!(new.contains("Floats lost a cent.\n") && new.contains("confidence: 0.9\n"), "{new}");
    assert_eq!(home.run(&["edit", "settle-in-cents.md", "--unset", "metadata.confidence"]).status, 0);
    assert!(!read(&home, "settle-in-cents.md").contains("confidence"));
    home.run(&["undo"]);
    undo(&home, &before);
}

#[test]
fn a_part_that_is_missing_is_added_in_the_usual_form() {
    let home = Home::demo();
    let before = home.store_tree();
    let done = home.run(&["edit", "dashboards", "--body-part", "how=Look there first."]);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(done.out.starts_with("changed "), "a body is substance: {done:?}");
    let added = "\n\n**How to apply:** Look there first.";
    let text = read(&home, "dashboards.md").replace("\r\n", "\n");
    assert!(text.contains(added), "{text:?}");
    undo(&home, &before);
}

#[test]
fn edits_that_cannot_be_made_are_refused_and_nothing_is_changed() {
    let home = Home::demo();
    let before = home.store_tree();
    for (args, status, part) in [
        (&["dashboards", "--unset", "nope"][..], 1, "nothing was changed"),
        (&["dashboards", "--body-part", "when=x"], 1, "no part `when`"),
        (&["dashboards", "--body-part", "why.0=x"], 1, "no part `why.0`"),
        (&["dashboards", "--body-part", "why.7=x"], 1, "nothing was changed"),
        (&["dashboards", "--body-part", "why=a\n\n**How to apply:** b"], 1, "nothing was changed"),
        (&["dashboards", "--set", "name=x", "--unset", "nope"], 1, "nothing was changed"),
        (&["nope", "--set", "a=b"], 1, "no memory `nope`"),
        (&["dashboards"], 2, "required"),
        (&["dashboards", "--set", "name"], 2, "KEY=VALUE"),
    ] {
        let done = home.run(&[&["edit"], args].concat());
        assert_eq!((done.status, done.out.as_str()), (status, ""), "{args:?}: {done:?}");
        assert!(done.err.contains(part), "{args:?}: {done:?}");
        assert_eq!(home.store_tree(), before, "{args:?}");
    }
}

#[test]
fn affirm_renews_the_age_and_keeps_the_text() {
    let home = Home::demo();
    let before = home.store_tree();
    let age = |home: &Home, path: &str| {
        let list = home.json(&["list"]);
        let list = list.as_array().unwrap();
        list.iter().find(|one| one["path"] == path).unwrap()["age_days"].as_i64().unwrap()
    };
    assert!(age(&home, "deploy-with-old-script.md") > 200 && age(&home, "dashboards.md") > 0);
    let done = home.run(&["affirm", "deploy-with-old-script", "dashboards"]);
    assert_eq!((done.status, done.err.as_str()), (0, ""), "{done:?}");
    assert_eq!((age(&home, "deploy-with-old-script.md"), age(&home, "dashboards.md")), (0, 0));
    assert_eq!(home.store_tree()["dashboards.md"].0, before["dashboards.md"].0, "no text changed");
    let changed = read(&home, "deploy-with-old-script.md");
    assert!(changed.contains("modified: 2026-03-05T10:00:00"), "{changed}");
    undo(&home, &before);
}

#[test]
fn rename_takes_the_index_and_the_links_along() {
    let home = Home::demo();
    let before = home.store_tree();
    let done = home.run(&["rename", "release-train", "weekly-train"]);
    assert_eq!((done.status, done.err.as_str()), (0, ""), "{done:?}");
    assert!(!home.store().join("release-train.md").exists());
    let new = read(&home, "weekly-train.md");
    let old = String::from_utf8(before["release-train.md"].0.clone()).unwrap();
    assert_eq!(new, old.replace("name: release-train", "name: weekly-train"), "the name was the file's");
    assert!(index(&home).contains("(weekly-train.md)") && !index(&home).contains("(release-train.md)"));
    for (path, (bytes, _)) in home.store_tree() {
        assert!(!String::from_utf8_lossy(&bytes).contains("[[release-train]]"), "{path}");
    }
    undo(&home, &before);
    for (args, part) in [
        (&["release-train", "settle-in-cents"][..], "is taken"),
        (&["release-train", "../out"], "can't be"),
        (&["release-train", "MEMORY"], "is the index"),
        (&["release-train", "release-train"], "called so already"),
    ] {
        let done = home.run(&[&["rename"], args].concat());
        assert_eq!(done.status, 1, "{done:?}");
        assert!(done.err.contains(part), "{args:?} {done:?}");
    }
    assert_eq!(home.store_tree(), before);
    let json = home.json(&["rename", "settle-in-cents", "settle-in-cents", "--name", "Settle in cents"]);
    assert_eq!(json["paths"], serde_json::json!(["settle-in-cents.md"]));
    undo(&home, &before);
}

#[test]
fn merge_makes_one_of_several_and_one_undo_makes_them_again() {
    let home = Home::demo();
    let before = home.store_tree();
    let done = home.run(&["merge", "money-as-integer-cents", "settle-in-cents"]);
    assert_eq!((done.status, done.err.as_str()), (0, ""), "{done:?}");
    let merged = read(&home, "money-as-integer-cents.md");
    for path in ["money-as-integer-cents.md", "settle-in-cents.md"] {
        let old = String::from_utf8(before[path].0.clone()).unwrap();
        let body = old.splitn(3, "---").nth(2).unwrap().trim();
        assert!(merged.contains(body), "{path}: {merged}");
    }
    assert!(
        !home.store().join("settle-in-cents.md").exists() && !index(&home).contains("settle-in-cents.md")
    );
    undo(&home, &before);

    let body = home.path().join("body.txt");
    fs::write(&body, "Money is whole cents.\n").unwrap();
    let body = body.to_str().unwrap();
    let args = ["merge", "money-as-integer-cents", "settle-in-cents", "--body", body];
    assert_eq!(home.run(&args).status, 0);
    assert!(read(&home, "money-as-integer-cents.md").ends_with("---\n\nMoney is whole cents.\n"));
    undo(&home, &before);
    let done = home.run(&["merge", "dashboards", "dashboards"]);
    assert_eq!(done.status, 1, "{done:?}");
    let done = home.run(&["merge", "dashboards", "release-train", "--body", "/nowhere"]);
    assert!(done.status == 2 && done.err.contains("nothing was changed"), "{done:?}");
    assert_eq!(home.store_tree(), before);
}

#[test]
fn new_writes_a_memory_as_the_store_writes_them() {
    let home = Home::demo();
    let before = home.store_tree();
    let json = home.json(&[
        "new",
        "Deploys on Fridays wait until Monday.",
        "--type",
        "feedback",
        "--why",
        "Nobody is there at weekends.",
        "--how",
        "Every deploy: what is ready on Friday.",
    ]);
    let path = json["paths"][0].as_str().unwrap().to_owned();
    assert!(path.contains("fridays"), "{path}");
    let text = read(&home, &path);
    assert!(text.contains("**Why:** Nobody is there at weekends.\n"), "{text}");
    assert!(index(&home).contains(&format!("({path})")));
    let list = home.json(&["list"]);
    let entry = list.as_array().unwrap().iter().find(|one| one["path"] == *path).unwrap();
    assert_eq!((&entry["type"], &entry["loaded"]), (&Value::from("feedback"), &Value::from(true)));
    assert_eq!(entry["findings"], serde_json::json!([]));
    undo(&home, &before);
    for (args, part) in [
        (&["A fact.", "--type", "ritual"][..], "no type"),
        (&["  ", "--type", "user"], "says nothing"),
        (&["A fact.", "--type", "user", "--file", "dashboards"], "is taken"),
    ] {
        let done = home.run(&[&["new"], args].concat());
        assert!(done.status == 1 && done.err.contains(part), "{done:?}");
    }
    assert_eq!(home.store_tree(), before);
}

/// Where promotion writes.
fn claude_md(home: &Home) -> PathBuf {
    home.project().join("CLAUDE.md")
}

#[test]
fn promote_moves_the_text_and_one_undo_takes_both_back() {
    let home = Home::demo();
    let before = home.tree();
    let memories = home.store_tree();
    let old = fs::read_to_string(claude_md(&home)).unwrap();
    let done = home.run(&["promote", "settle-in-cents", "--to", "project"]);
    assert_eq!((done.status, done.err.as_str()), (0, ""), "{done:?}");
    let new = fs::read_to_string(claude_md(&home)).unwrap();
    let text = String::from_utf8(memories["settle-in-cents.md"].0.clone()).unwrap();
    let body = text.splitn(3, "---").nth(2).unwrap().trim();
    assert_eq!(new, format!("{old}\n{body}\n"));
    assert!(!home.store().join("settle-in-cents.md").exists() && !index(&home).contains("settle-in-cents"));
    undo(&home, &memories);
    let after = home.tree();
    for (path, state) in &before {
        assert_eq!(after.get(path), Some(state), "{path}: times too");
    }
    assert_eq!(home.run(&["redo"]).status, 0);
    assert_eq!(fs::read_to_string(claude_md(&home)).unwrap(), new);

    // Someone goes on writing: undo says so and does nothing.
    fs::write(claude_md(&home), format!("{new}More.\n")).unwrap();
    let done = home.run(&["undo"]);
    assert!(
        done.status == 1 && done.err.contains("CLAUDE.md") && done.err.contains("nothing was done"),
        "{done:?}"
    );
    assert!(!home.store().join("settle-in-cents.md").exists());
}

#[test]
fn a_rule_is_made_with_its_directories_and_goes_again() {
    let home = Home::demo();
    let memories = home.store_tree();
    let text = home.path().join("text.txt");
    fs::write(&text, "---\npaths: src/**\n---\n\nCents only.\n").unwrap();
    let rule = home.project().join(".claude/rules/money.md");
    let args = ["promote", "settle-in-cents", "--to", "rule:money", "--text", text.to_str().unwrap()];
    assert_eq!(home.run(&args).status, 0);
    assert_eq!(fs::read_to_string(&rule).unwrap(), "---\npaths: src/**\n---\n\nCents only.\n");
    undo(&home, &memories);
    assert!(!rule.exists());
    let left: Vec<_> = fs::read_dir(rule.parent().unwrap()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");

    assert_eq!(home.run(&["promote", "settle-in-cents", "--to", "user"]).status, 0);
    let user = home.path().join("home/.claude/CLAUDE.md");
    assert!(fs::read_to_string(&user).unwrap().contains("half to even"));
    undo(&home, &memories);
}

#[test]
fn promote_follows_no_link_out_of_its_place() {
    let home = Home::demo();
    let outside = home.path().join("elsewhere");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("AGENTS.md"), "theirs\n").unwrap();
    fs::remove_file(claude_md(&home)).unwrap();
    symlink(outside.join("AGENTS.md"), claude_md(&home)).unwrap();
    symlink(&outside, home.project().join(".claude")).unwrap();
    let before = home.tree();
    for (to, part) in [
        ("project", "is a link to"),
        ("rule:x", "leads out of"),
        ("rule:../x", "can't be the name of a rule"),
        ("team", "no place to promote to"),
    ] {
        let done = home.run(&["promote", "settle-in-cents", "--to", to]);
        assert!(done.status != 0 && done.err.contains(part), "{to}: {done:?}");
        assert!(done.err.contains("nothing was changed") && done.err.contains("hint: "), "{done:?}");
    }
    assert_eq!(home.tree(), before);
    let store = home.store().to_str().unwrap().to_owned();
    let done = home.run(&["promote", "settle-in-cents", "--to", "project", "--store", &store]);
    assert!(done.status == 1 && done.err.contains("not known which project"), "{done:?}");
}

//! `memcurator index` and `memcurator preview` on the command line: the program runs, then the disk is looked at.

use crate::home::Home;
use std::fs;

fn index(home: &Home) -> String {
    fs::read_to_string(home.store().join("MEMORY.md")).unwrap()
}

#[test]
fn check_tells_what_is_wrong_and_writes_nothing() {
    let home = Home::demo();
    let before = home.tree();
    let done = home.run(&["index", "check", "--format", "json"]);
    assert_eq!(done.status, 1, "there are orphans: {done:?}");
    let value: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(value["index"]["fits"], true);
    assert_eq!(value["index"]["lines"], 34);
    assert_eq!(value["index"]["room"]["lines"], 166);
    let checks: Vec<&str> =
        value["findings"].as_array().unwrap().iter().map(|it| it["check"].as_str().unwrap()).collect();
    assert!(checks.contains(&"index-orphan"), "{checks:?}");
    let human = home.run(&["index", "check"]);
    assert!(human.out.starts_with("index  34/200 lines, 2.0k/25.0k\nroom   166 lines"), "{}", human.out);
    assert_eq!(home.tree(), before);
}

#[test]
fn fix_says_the_budget_before_and_after_and_is_one_step_of_history() {
    let home = Home::demo();
    let before = index(&home);
    fs::write(home.store().join("MEMORY.md"), format!("{before}- [Gone](gone.md)\n")).unwrap();
    let broken = index(&home);
    let dry = home.run(&["index", "fix", "--drop-dangling", "--add-orphans", "--dry-run"]);
    assert_eq!(dry.status, 0, "{dry:?}");
    assert!(dry.out.contains("nothing was written"), "{}", dry.out);
    assert_eq!(index(&home), broken);
    let done = home.run(&["index", "fix", "--drop-dangling", "--add-orphans"]);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(done.out.starts_with("before  35/200 lines, 2.0k/25.0k\nafter   "), "{}", done.out);
    assert!(done.out.contains("undo with: memcurator undo"), "{}", done.out);
    let fixed = index(&home);
    assert!(!fixed.contains("gone.md") && fixed.contains("(retry-budget.md)"), "{fixed}");
    assert_eq!(home.json(&["log"]).as_array().unwrap().len(), 2, "what changed outside, and one step");
    assert_eq!(home.run(&["undo"]).status, 0);
    assert_eq!(index(&home), broken);
    assert!(home.run(&["index", "fix", "--remove-duplicates"]).out.contains("removed 1 line"));
    let again = home.run(&["index", "fix", "--remove-duplicates"]);
    assert!(again.out.contains("there is nothing to repair; nothing was written"), "{}", again.out);
}

#[test]
fn fix_says_that_the_index_is_over_a_limit() {
    let home = Home::demo();
    let long: String = (0..210).map(|n| format!("- note {n}\n")).collect();
    fs::write(
        home.store().join("MEMORY.md"),
        format!("{long}- [Gone](gone.md)\n- [Ledger](reference_ledger-schema.md)\n"),
    )
    .unwrap();
    let done = home.run(&["index", "fix", "--drop-dangling"]);
    assert!(
        done.out.contains("note: the index is over its limits afterwards: 211/200 lines"),
        "{}",
        done.out
    );
    let done = home.run(&["index", "fix", "--move-up", "reference_ledger-schema"]);
    assert_eq!(done.status, 0, "{done:?}");
    let value: serde_json::Value =
        serde_json::from_str(&home.run(&["index", "check", "--format", "json"]).out).unwrap();
    assert_eq!(value["index"]["fits"], false);
}

#[test]
fn long_lines_are_proposed_and_written_only_as_the_person_wants() {
    let home = Home::demo();
    let text = format!("- [Boards](dashboards.md) — {}\n", "word ".repeat(50));
    fs::write(home.store().join("MEMORY.md"), &text).unwrap();
    let done = home.run(&["index", "fix", "--shorten"]);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(done.out.contains("could be: - [Boards](dashboards.md) — word"), "{}", done.out);
    assert_eq!(index(&home), text);
    let done = home.run(&["index", "fix", "--line", "1=- [Boards](dashboards.md) — mine"]);
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(index(&home), "- [Boards](dashboards.md) — mine\n");
    let refused = home.run(&["index", "fix", "--line", "1=- no link"]);
    assert_eq!(refused.status, 1);
    assert!(refused.err.contains("would not name the same memories"), "{}", refused.err);
    assert_eq!(home.run(&["index", "fix", "--line", "x=y"]).status, 2);
    assert_eq!(home.run(&["index", "fix"]).status, 2);
}

#[test]
fn preview_shows_the_session_of_the_project_or_the_index_alone() {
    let home = Home::demo();
    let before = home.tree();
    let value = home.json(&["preview"]);
    let layers: Vec<&str> =
        value["sections"].as_array().unwrap().iter().map(|it| it["layer"].as_str().unwrap()).collect();
    assert!(layers.ends_with(&["project", "auto"]), "{layers:?}");
    assert_eq!(value["wording"], "built-in");
    let store = home.store().to_str().unwrap().to_owned();
    let alone = home.json(&["preview", "--store", &store]);
    assert_eq!(alone["sections"].as_array().unwrap().len(), 1);
    assert!(alone["warnings"].as_array().unwrap().iter().any(|it| it["id"] == "index-alone"));
    let human = home.run(&["preview", "--client", "2.1.197"]);
    assert!(
        human.out.starts_with("client 2.1.197; wording: built-in; order and cuts exact\n"),
        "{}",
        human.out
    );
    let bad = home.run(&["preview", "--client", "newest"]);
    assert_eq!((bad.status, bad.err.contains("is no version of the client")), (2, true), "{bad:?}");
    assert_eq!(home.tree(), before, "looking writes nothing");
}

#[test]
fn a_project_with_only_an_agent_directory_is_previewed_in_that_layout() {
    let home = Home::empty();
    let project = home.project();
    fs::create_dir_all(project.join(".agent/memory")).unwrap();
    fs::write(project.join("AGENT.md"), "Be kind.\n").unwrap();
    fs::write(project.join(".agent/memory/MEMORY.md"), "- [A](a.md)\n").unwrap();
    let value = home.json(&["preview"]);
    assert_eq!(value["client"]["version"], "agent layout");
    assert!(value["text"].as_str().unwrap().contains("Be kind."));
    let client = home.json(&["preview", "--layout", "claude"]);
    assert!(!client["text"].as_str().unwrap().contains("Be kind."));
}

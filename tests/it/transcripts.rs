//! Journeys of `pending recover` and `usage`, on transcripts of our own making.

use crate::home::Home;
use crate::screen_kit::Kit;
use crate::transcript_kit::Talk;

use memcurator::shell::{Stage, Start};
use memcurator::store::Places;
use serde_json::{Value, json};
use std::fs;

fn memory(name: &str) -> String {
    format!("---\nname: {name}\ndescription: what {name} says\ntype: user\n---\n\nThe fact of {name}.\n")
}

fn recover(home: &Home, more: &[&str]) -> Value {
    home.json(&[&["pending", "recover"], more].concat())
}

fn targets(found: &Value) -> Vec<&str> {
    found["proposals"].as_array().unwrap().iter().map(|one| one["target"].as_str().unwrap()).collect()
}

#[test]
fn refused_writes_are_offered_once() {
    let home = Home::demo();
    let store = home.store().to_path_buf();
    let at = |file: &str| store.join(file).display().to_string();
    let first = fs::read_dir(&store).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let first = first.filter(|name| name.ends_with(".md") && name != "MEMORY.md").min().unwrap();
    let text = fs::read_to_string(store.join(&first)).unwrap();
    let last = text.trim_end().lines().last().unwrap().to_owned();
    let mut talk = Talk::new(&home, "s1");
    talk.call("t1", "Write", json!({ "file_path": at("green-tea.md"), "content": memory("green-tea") }))
        .call("t2", "Bash", json!({ "command": format!("echo '- [Green tea](green-tea.md) — said so' >> {}", at("MEMORY.md")) }))
        .result("t1", true, Some("reject"))
        .result("t2", true, None)
        .call("t3", "Edit", json!({ "file_path": at(&first), "old_string": last, "new_string": "Other words." }))
        .result("t3", true, None)
        .call("t4", "Edit", json!({ "file_path": at("gone.md"), "old_string": "x", "new_string": "y" }))
        .result("t4", true, None)
        .call("t5", "Write", json!({ "file_path": "/elsewhere/x.md", "content": "x" }))
        .result("t5", true, None)
        .raw("not json about memory\n");
    let before = home.store_tree();
    assert_eq!(targets(&recover(&home, &["--dry-run"])).len(), 2);
    let found = recover(&home, &[]);
    let mut all = targets(&found);
    all.sort_unstable();
    let mut want = vec!["green-tea.md", first.as_str()];
    want.sort_unstable();
    assert_eq!(all, want, "{found}");
    assert_eq!(
        (&found["lost"][0]["file"], &found["lost"][0]["tool_use_id"]),
        (&json!("gone.md"), &json!("t4"))
    );
    assert_eq!(home.store_tree(), before);
    let list = home.json(&["pending", "list"]);
    let tea = list.as_array().unwrap().iter().find(|one| one["target"] == "green-tea.md").unwrap();
    assert_eq!(
        (&tea["origin"]["kind"], &tea["origin"]["session"]),
        (&json!("recover"), &json!("s1")),
        "{tea}"
    );
    assert_eq!(tea["time"], "2026-03-04T10:00:00Z");
    // Once: neither again now, nor after they were decided about.
    assert_eq!(recover(&home, &[])["proposals"], json!([]));
    for one in list.as_array().unwrap() {
        let done = home.run(&["pending", "approve", one["id"].as_str().unwrap()]);
        assert_eq!(done.status, 0, "{done:?}");
    }
    assert!(
        fs::read_to_string(store.join("MEMORY.md"))
            .unwrap()
            .contains("- [Green tea](green-tea.md) — said so")
    );
    assert!(fs::read_to_string(store.join(&first)).unwrap().ends_with("Other words.\n"));
    fs::remove_file(store.join("green-tea.md")).unwrap();
    assert_eq!(recover(&home, &[])["proposals"], json!([]), "it was deleted since");
}

/// The Inbox offers them by itself, once: what was rejected does not come back with the next opening.
#[test]
fn the_inbox_offers_refused_writes_by_itself() {
    let home = Home::demo();
    let mut talk = Talk::new(&home, "s1");
    let file = home.store().join("green-tea.md").display().to_string();
    talk.call("t1", "Write", json!({ "file_path": file, "content": memory("green-tea") })).result(
        "t1",
        true,
        Some("reject"),
    );
    let before = home.store_tree();
    let kit = Kit::with(&[]);
    let open = || {
        let mut session = kit.session("");
        if let Start::Store(located) = &mut session.start {
            located.dir = home.store().to_path_buf();
        }
        session.env = home.env.clone();
        session.places = Places::from_env(&home.env);
        let mut stage = Stage::open(&session, (120, 40)).unwrap();
        stage.press("3").unwrap();
        stage
    };
    let mut stage = open();
    assert!(stage.text().contains("+ green-tea"), "{}", stage.text());
    assert_eq!(home.store_tree(), before, "it is inert");
    stage.press("n").unwrap();
    assert!(!stage.text().contains("+ green-tea"), "{}", stage.text());
    assert!(!open().text().contains("+ green-tea"));
}

#[test]
fn nothing_to_recover_is_said() {
    let home = Home::demo();
    let done = home.run(&["pending", "recover"]);
    assert_eq!((done.status, done.out.as_str()), (0, "nothing to recover in 0 transcripts\n"), "{done:?}");
    let done = home.run(&["pending", "recover", "--transcript", "nope.jsonl"]);
    assert!(done.status == 2 && done.err.contains("nope.jsonl can't be read"), "{done:?}");
    let mut talk = Talk::new(&home, "s");
    talk.call("t1", "Write", json!({ "file_path": home.store().join("new.md"), "content": memory("new") }))
        .result("t1", false, Some("accept"));
    assert_eq!(
        targets(&recover(&home, &["--transcript", talk.path()])),
        [""; 0],
        "it was done, and is gone since"
    );
}

#[test]
fn a_hundred_thousand_lines_with_broken_ones() {
    let home = Home::demo();
    let mut talk = Talk::new(&home, "long");
    talk.user("hello");
    let line = "{\"type\":\"user\",\"message\":{\"content\":\"word for word\"},\"sessionId\":\"long\"}\n";
    let broken = "{\"type\":\"user\",\n\u{0}\n";
    let text = format!("{}{broken}", line.repeat(999)).repeat(100);
    talk.raw(&text);
    talk.call("t1", "Write", json!({ "file_path": home.store().join("late.md"), "content": memory("late") }));
    let found = home.run(&["pending", "recover"]);
    assert!(found.status == 0 && found.out.contains("add late.md"), "{found:?}");
    assert!(found.err.contains("200 broken of 100102 lines were skipped"), "{}", found.err);
    let usage = home.run(&["usage", "--format", "json"]);
    assert!(usage.err.contains("200 broken of 100102 lines were skipped"), "{}", usage.err);
}

#[test]
fn usage_tells_what_was_read_and_what_is_unknown() {
    let home = Home::demo();
    let done = home.run(&["usage"]);
    assert!(done.status == 0 && done.out.contains("no session of this project is recorded"), "{done:?}");
    let list = home.json(&["list"]);
    let name = list[0]["path"].as_str().unwrap().to_owned();
    let path = home.store().join(&name);
    let mut talk = Talk::new(&home, "s1");
    talk.user("look it up").call("t1", "Read", json!({ "file_path": path })).result("t1", false, None);
    let usage = home.json(&["usage"]);
    let memories = usage["memories"].as_array().unwrap();
    assert_eq!(memories.len(), list.as_array().unwrap().len());
    assert_eq!(
        (&memories[0]["path"], &memories[0]["times"]),
        (&json!(name), &json!(1)),
        "the one read last first"
    );
    assert_eq!(memories[0]["last_read"], "2026-03-04T10:00:01.000Z");
    assert!(memories[1]["last_read"].is_null());
    assert_eq!(usage["sessions"][0]["index"], "unknown", "nothing is recorded about it");
    let done = home.run(&["usage"]);
    let first = done.out.lines().next().unwrap();
    assert!(
        first.starts_with("today") && first.contains("1 time  1 session") && first.ends_with(&name),
        "{done:?}"
    );
    assert!(done.out.contains("the index in the last 1 of 1 sessions: unknown in 1"), "{done:?}");
    let unused = home.json(&["usage", "--unused"]);
    let unused = unused["memories"].as_array().unwrap();
    assert!(
        !unused.is_empty()
            && unused.iter().all(|one| one["path"] != json!(name) && one["unused"] == json!(true))
    );
}

/// A hundred thousand lines, each tenth of them broken in one of the ways in which lines break.
fn long_and_broken(home: &Home) -> String {
    use std::fmt::Write as _;
    let store = home.store().to_path_buf();
    let at = |file: &str| store.join(file).display().to_string();
    let cwd = home.project().to_str().unwrap();
    let head = |kind: &str, minute: usize| {
        format!(
            "\"type\":\"{kind}\",\"sessionId\":\"s-long\",\"cwd\":\"{cwd}\",\"version\":\"2.1.332\",\"timestamp\":\"2026-03-04T{:02}:{:02}:00.000Z\"",
            minute / 60 % 24,
            minute % 60
        )
    };
    let mut text = String::new();
    for number in 0..100_000_usize {
        let (user, agent) = (head("user", number / 100), head("assistant", number / 100));
        let _ = match number % 10 {
            7 => match number / 10 % 4 {
                0 => writeln!(
                    text,
                    "{{{user},\"message\":{{\"role\":\"user\",\"content\":\"about memory, cut of"
                ),
                1 => writeln!(text, "memory\u{0}\u{0}\u{0}"),
                2 => writeln!(text, "[1, \"memory\"]"),
                _ => writeln!(text, "{{\"memory\": \"\\ud8"),
            },
            3 => writeln!(
                text,
                "{{{agent},\"message\":{{\"content\":[{{\"type\":\"text\",\"text\":\"turn {number}\"}}]}}}}"
            ),
            _ => writeln!(
                text,
                "{{{user},\"message\":{{\"role\":\"user\",\"content\":\"says {number} of the memory\"}}}}"
            ),
        };
        if number == 50_000 {
            let write = json!({ "type": "tool_use", "id": "w1", "name": "Write",
                "input": { "file_path": at("halfway.md"), "content": memory("halfway") } });
            let _ = writeln!(text, "{{{agent},\"message\":{{\"content\":[{write}]}}}}");
            let result =
                json!({ "type": "tool_result", "tool_use_id": "w1", "is_error": true, "content": "no" });
            let decision = json!({ "decision": "reject" });
            let _ = writeln!(
                text,
                "{{{user},\"permissionDecision\":{decision},\"message\":{{\"content\":[{result}]}}}}"
            );
        }
    }
    let path = store.parent().unwrap().join("s-long.jsonl");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_long_transcript_with_broken_lines_is_read_to_its_end() {
    let home = Home::demo();
    let path = long_and_broken(&home);
    let started = std::time::Instant::now();
    let found = home.run(&["pending", "recover", "--dry-run", "--transcript", &path, "--format", "json"]);
    assert_eq!(targets(&serde_json::from_str(&found.out).unwrap()), ["halfway.md"]);
    assert!(found.err.contains("10000 broken of 100002 lines were skipped"), "{}", found.err);
    let usage = home.run(&["usage"]);
    assert_eq!(usage.status, 0, "{usage:?}");
    let said = format!("{}{}", usage.out, usage.err);
    assert!(said.contains("10000 broken of 100002 lines were skipped"), "{said}");
    let config = crate::transcript_kit::answering(&home, "{\"memories\": []}");
    let told =
        home.run(&["extract", "--dry-run", "--transcript", &path, "--config", config.to_str().unwrap()]);
    assert_eq!(told.status, 0, "{told:?}");
    assert!(
        format!("{}{}", told.out, told.err).contains("10000 broken of 100002 lines were skipped"),
        "{told:?}"
    );
    eprintln!("read three times in {:?}", started.elapsed());
}

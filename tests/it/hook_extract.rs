//! The extraction at a session's end, as the client starts it: the command that stands in the settings, run by `sh`.

use crate::extract_pty::on_terminal;
use crate::home::Home;
use crate::transcript_kit::{Talk, answering};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn answer() -> String {
    json!({ "memories": [
        { "action": "add", "type": "feedback", "name": "ledger-on-postgres", "description": "Tests of the ledger run on Postgres",
          "body": "Tests of the ledger run on Postgres.", "why": "SQLite rounded differently.",
          "how": "Whenever a ledger test is written.", "reason": "the person corrected it" } ] })
    .to_string()
}

fn talk(home: &Home) -> Talk {
    let mut talk = Talk::new(home, "6f0c1c3e-0000-4000-8000-000000000009");
    talk.user("please write a test for the ledger").agent("I used SQLite for it.").user("no, use Postgres");
    talk
}

/// Installs it; the settings file.
fn install(home: &Home, config: &Path, more: &[&str]) -> PathBuf {
    let config = config.to_str().unwrap();
    let words = ["hook", "install", "--extract", "--yes", "--config", config];
    let done = home.json(&[&words, more].concat());
    assert_eq!((&done["extract"], &done["changed"]), (&json!(true), &json!(true)), "{done}");
    done["file"].as_str().unwrap().into()
}

fn command(settings: &Path) -> String {
    let settings: Value = serde_json::from_str(&fs::read_to_string(settings).unwrap()).unwrap();
    let list = settings["hooks"]["SessionEnd"].as_array().unwrap();
    assert_eq!(list.len(), 1, "{settings}");
    list[0]["hooks"][0]["command"].as_str().unwrap().to_owned()
}

fn session(home: &Home, transcript: &str) -> String {
    json!({ "session_id": "6f0c1c3e-0000-4000-8000-000000000009", "transcript_path": transcript,
            "cwd": home.project(), "hook_event_name": "SessionEnd", "reason": "other" })
    .to_string()
}

/// Runs the command as the client does; it must end well and say nothing.
fn sh(home: &Home, command: &str, input: &str, vars: &[(&str, &str)]) {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", command]).current_dir(home.project()).env_clear().envs(home.vars());
    shell.env("PATH", "/usr/local/bin:/usr/bin:/bin").envs(vars.iter().copied());
    shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = shell.spawn().unwrap();
    // A command whose program is missing does not read it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let done = child.wait_with_output().unwrap();
    let said = [done.stdout, done.stderr].concat();
    assert_eq!((done.status.code(), String::from_utf8_lossy(&said).as_ref()), (Some(0), ""));
}

fn log(home: &Home) -> String {
    let found = home.tree().into_keys().find(|path| path.ends_with("memcurator/extract.log"));
    found.map(|path| fs::read_to_string(home.path().join(path)).unwrap()).unwrap_or_default()
}

#[test]
fn what_a_session_taught_waits_after_it_ended() {
    let home = Home::demo();
    let settings = install(&home, &answering(&home, &answer()), &[]);
    let path = talk(&home).path().to_owned();
    let command = command(&settings);
    let ended = session(&home, &path);
    // A session of the model itself, one without a transcript, and what is no session start nothing.
    sh(&home, &command, &ended, &[("MEMCURATOR_EXTRACT", "1")]);
    sh(&home, &command, &session(&home, "/nowhere/s.jsonl"), &[]);
    sh(&home, &command, &session(&home, "s.jsonl"), &[]);
    for odd in ["", "{", "[]", r#"{"transcript_path": 3}"#] {
        sh(&home, &command, odd, &[]);
    }
    assert_eq!(log(&home), "");
    // The session has another state directory than the person's terminal.
    let other = home.path().join("other state").display().to_string();
    let began = Instant::now();
    sh(&home, &command, &ended, &[("XDG_STATE_HOME", &other)]);
    let waiting = || home.json(&["pending", "list"]);
    while waiting() == json!([]) {
        assert!(began.elapsed() < Duration::from_secs(10), "{}", log(&home));
        std::thread::sleep(Duration::from_millis(100));
    }
    let list = waiting();
    assert_eq!(list.as_array().unwrap().len(), 1, "{list}");
    assert_eq!(list[0]["origin"]["kind"], "extract");
    assert_eq!(list[0]["origin"]["session"], "6f0c1c3e-0000-4000-8000-000000000009");
    assert_eq!(log(&home).matches(" extraction\n").count(), 1, "{}", log(&home));
    assert!(!Path::new(&other).exists());
}

#[test]
fn it_is_told_and_taken_out_again() {
    let home = Home::demo();
    let config = answering(&home, &answer());
    // A program that is gone later.
    let program = home.path().join("a program");
    fs::copy("/bin/sh", &program).unwrap();
    let before = home.json(&["hook", "status"]);
    assert_eq!(before[0]["extract"], false, "{before}");
    let file = PathBuf::from(before[0]["file"].as_str().unwrap());
    let old = fs::read_to_string(&file).ok();
    let settings = install(&home, &config, &["--binary", program.to_str().unwrap(), "--mode", "off"]);
    assert_eq!(settings, file);
    let status = home.run(&["hook", "status"]);
    assert!(status.status == 0 && status.out.contains("extracts when a session ends"), "{status:?}");
    assert_eq!(home.json(&["hook", "status"])[0]["extract"], true);
    // Once more changes nothing.
    let words = ["hook", "install", "--extract", "--mode", "off", "--binary", program.to_str().unwrap()];
    let again = home.run(&[&words[..], &["--config", config.to_str().unwrap()]].concat());
    assert!(again.status == 0 && again.out.contains("nothing was changed"), "{again:?}");
    let path = talk(&home).path().to_owned();
    fs::remove_file(&program).unwrap();
    sh(&home, &command(&settings), &session(&home, &path), &[]);
    let status = home.run(&["hook", "status"]);
    assert!(status.status == 1 && status.out.contains("its program is not there"), "{status:?}");
    assert_eq!(home.run(&["hook", "remove", "--yes"]).status, 0);
    assert_eq!(fs::read_to_string(&file).ok(), old);
    assert_eq!(home.json(&["hook", "status"])[0]["extract"], false);
}

#[test]
fn without_a_model_or_a_yes_nothing_is_installed() {
    let home = Home::demo();
    let done = home.run(&["hook", "install", "--extract", "--yes"]);
    assert!(done.status == 2 && done.err.contains("no model command is configured"), "{done:?}");
    let config = answering(&home, &answer());
    let done = home.run(&["hook", "install", "--extract", "--config", config.to_str().unwrap()]);
    assert!(done.status == 1 && done.err.contains("nothing was changed"), "{done:?}");
    assert_eq!(home.json(&["hook", "status"])[0]["installed"], false);
    assert!(!home.tree().keys().any(|path| path.ends_with("model-commands")));
}

#[test]
fn on_a_terminal_both_are_asked_about_and_a_no_leaves_all_as_it_was() {
    let home = Home::demo();
    let config = answering(&home, &answer());
    let args = ["hook", "install", "--extract", "--config", config.to_str().unwrap()];
    let is_asked = |shown: &str| shown.contains("[y/N] ");
    let allowed = || home.tree().keys().any(|path| path.ends_with("model-commands"));
    for no in ["n\n", "\n", "\u{3}", "y\nn\n"] {
        let (status, shown) = on_terminal(&home, &args, &is_asked, no);
        assert_ne!(status, 0, "{no:?}: {shown}");
        assert!(shown.contains("The conversation of each session that ends goes to"), "{shown}");
        assert_eq!(home.json(&["hook", "status"])[0]["installed"], false, "{no:?}");
        assert!(!allowed(), "{no:?}");
    }
    let (status, shown) = on_terminal(&home, &args, &is_asked, "y\ny\n");
    assert!(status == 0 && shown.contains("Change the file so?"), "{shown}");
    assert!(allowed() && home.json(&["hook", "status"])[0]["extract"] == true);
}

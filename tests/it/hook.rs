//! The hook as the client sees it: the command that stands in the settings, run by `sh`, and what waits afterwards.

use crate::home::Home;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const TEXT: &str = "---\nname: new-fact\ndescription: about it\ntype: user\n---\nThe fact.\n";

/// A home with the hook in its settings.
struct Hooked {
    home: Home,
    command: String,
}

impl Hooked {
    fn new(options: &[&str]) -> Self {
        Self::on(Home::empty(), options)
    }

    fn on(home: Home, options: &[&str]) -> Self {
        let done = home.run(&[&["hook", "install", "--yes"], options].concat());
        assert_eq!(done.status, 0, "{done:?}");
        let command = command(&home);
        Self { home, command }
    }

    fn store(&self) -> PathBuf {
        let name: String = self.home.project().display().to_string();
        let slug: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        self.home.path().join(".claude/projects").join(slug).join("memory")
    }

    /// What the client is told about a call: the reason of its refusal, or nothing.
    fn ask(&self, session: &str, tool: &str, input: Value) -> Option<String> {
        let id = format!("toolu_{:?}", Instant::now());
        let call = json!({
            "session_id": session, "transcript_path": self.home.path().join(".claude/projects/-x/s.jsonl"),
            "cwd": self.home.project(), "permission_mode": "default", "hook_event_name": "PreToolUse",
            "tool_name": tool, "tool_input": input, "tool_use_id": id,
        });
        reason(&sh(&self.home, &self.command, call.to_string().as_bytes()))
    }

    fn write(&self, file: &str, text: &str) -> Option<String> {
        let path = self.store().join(file);
        self.ask("s1", "Write", json!({ "file_path": path, "content": text }))
    }

    fn bash(&self, command: &str) -> Option<String> {
        let command = command.replace("@M", &self.store().display().to_string());
        self.ask("s1", "Bash", json!({ "command": command }))
    }

    /// What waits: action, file, text.
    fn waits(&self) -> Vec<(String, String, String)> {
        let list = self.home.json(&["pending", "list"]);
        let row = |one: &Value| {
            let shown = self.home.json(&["pending", "show", one["id"].as_str().unwrap()]);
            let text = |key: &str| shown[key].as_str().unwrap_or_default().to_owned();
            (text("action"), text("target"), text("content"))
        };
        list.as_array().unwrap().iter().map(row).collect()
    }
}

/// The command in the person's settings.
fn command(home: &Home) -> String {
    let text = fs::read_to_string(home.path().join(".claude/settings.json")).unwrap();
    let settings: Value = serde_json::from_str(&text).unwrap();
    let list = settings["hooks"]["PreToolUse"].as_array().unwrap();
    let ours = list.iter().map(|one| &one["hooks"][0]);
    let ours = ours.filter_map(|one| one["command"].as_str()).find(|one| one.contains("memcurator-hook"));
    ours.unwrap().to_owned()
}

/// Runs a command as the client does; it must end well, whatever happens.
fn sh(home: &Home, command: &str, input: &[u8]) -> String {
    let mut child = Command::new("/bin/sh")
        .args(["-c", command])
        .current_dir(home.project())
        .env_clear()
        .env("HOME", home.path())
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let done = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    assert_eq!(String::from_utf8_lossy(&done.stderr), "");
    String::from_utf8(done.stdout).unwrap()
}

fn reason(said: &str) -> Option<String> {
    if said.is_empty() {
        return None;
    }
    let answer: Value = serde_json::from_str(said).unwrap();
    let answer = &answer["hookSpecificOutput"];
    assert_eq!(
        (&answer["hookEventName"], &answer["permissionDecision"]),
        (&json!("PreToolUse"), &json!("deny"))
    );
    Some(answer["permissionDecisionReason"].as_str().unwrap().to_owned())
}

#[test]
fn writes_of_a_turn_wait_and_come_in_as_the_client_would_have_made_them() {
    let hooked = Hooked::new(&[]);
    assert!(hooked.write("new-fact.md", TEXT).unwrap().contains("waits for the person's approval"));
    let edit = json!({ "file_path": hooked.store().join("new-fact.md"), "old_string": "The fact.", "new_string": "The better fact." });
    assert!(hooked.ask("s1", "Edit", edit.clone()).unwrap().contains("waits"));
    assert!(
        hooked.bash("echo '- [New fact](new-fact.md) — mine' >> @M/MEMORY.md").unwrap().contains("waits")
    );
    assert!(!hooked.store().exists(), "nothing is written");
    let waits = hooked.waits();
    assert_eq!(waits.len(), 1, "{waits:?}");
    assert!(
        waits[0].2.contains("originSessionId: s1\n") && waits[0].2.ends_with("---\n\nThe better fact.\n")
    );
    // In another session nothing of it is known.
    assert!(hooked.ask("s2", "Edit", edit).unwrap().contains("Nothing was written"));
    assert_eq!(hooked.home.run(&["pending", "approve", "new-fact"]).status, 0);
    let made = fs::read_to_string(hooked.store().join("new-fact.md")).unwrap();
    assert_eq!(made, waits[0].2);
    let index = fs::read_to_string(hooked.store().join("MEMORY.md")).unwrap();
    assert_eq!(index, "- [New fact](new-fact.md) — mine\n");
    // Changes, a rewritten index and a deletion.
    assert!(hooked.write("new-fact.md", &made).unwrap().contains("holds this already"));
    assert!(hooked.write("MEMORY.md", &format!("# Mine\n{index}")).unwrap().contains("waits"));
    assert!(hooked.bash("rm @M/new-fact.md").unwrap().contains("deletion waits"));
    let mut found: Vec<(String, String)> =
        hooked.waits().into_iter().map(|(action, file, _)| (action, file)).collect();
    // Of one second.
    found.sort();
    assert_eq!(found, [("change".into(), "MEMORY.md".into()), ("delete".into(), "new-fact.md".into())]);
    assert_eq!(hooked.home.run(&["pending", "approve", "MEMORY.md"]).status, 0);
    assert_eq!(fs::read_to_string(hooked.store().join("MEMORY.md")).unwrap(), format!("# Mine\n{index}"));
    // Once said no, always no.
    hooked.home.run(&["pending", "reject", "new-fact"]);
    hooked.write("other.md", "Something else.\n");
    hooked.home.run(&["pending", "reject", "other"]);
    assert!(hooked.write("other-name.md", "Something  else.\n").unwrap().contains("said no"));
    // What was staged is not recovered from a transcript a second time.
    let recovered = hooked.home.json(&["pending", "recover"]);
    assert_eq!(recovered["proposals"], json!([]));
}

#[test]
fn an_index_change_is_put_together_with_what_was_approved_meanwhile() {
    let hooked = Hooked::new(&[]);
    fs::create_dir_all(hooked.store()).unwrap();
    fs::write(hooked.store().join("old.md"), "Old.\n").unwrap();
    fs::write(hooked.store().join("MEMORY.md"), "# Index\n\n- [Old](old.md) — o\n").unwrap();
    hooked.write("new-fact.md", TEXT);
    hooked.write("MEMORY.md", "# All of it\n\n- [Old](old.md) — o\n- [New](new-fact.md) — n\n");
    assert_eq!(hooked.waits().len(), 2);
    assert_eq!(hooked.home.run(&["pending", "approve", "new-fact"]).status, 0);
    let done = hooked.home.run(&["pending", "approve", "MEMORY.md"]);
    assert_eq!(done.status, 0, "{done:?}");
    let index = fs::read_to_string(hooked.store().join("MEMORY.md")).unwrap();
    assert_eq!(index, "# All of it\n\n- [Old](old.md) — o\n- [New](new-fact.md) — n\n");
    hooked.home.run(&["undo"]);
    assert!(fs::read_to_string(hooked.store().join("MEMORY.md")).unwrap().starts_with("# Index\n"));
}

#[test]
fn what_is_no_memory_write_passes() {
    let hooked = Hooked::new(&[]);
    let project = hooked.home.project();
    fs::create_dir_all(hooked.store()).unwrap();
    symlink("/etc/hosts", hooked.store().join("away.md")).unwrap();
    symlink(hooked.store(), project.join("in")).unwrap();
    let write = |path: PathBuf| hooked.ask("s1", "Write", json!({ "file_path": path, "content": "x\n" }));
    for path in [
        project.join("a.md"),
        project.join("memory/a.md"),
        hooked.store().join("../s.md"),
        hooked.store().join("x.py"),
        "rel.md".into(),
    ] {
        assert_eq!(write(path.clone()), None, "{path:?}");
    }
    for command in ["echo hi", "cargo test > log", "cat @M/a.md", "ls @M | head", "echo 'about @M' > notes"] {
        assert_eq!(hooked.bash(command), None, "{command}");
    }
    for (tool, input) in [
        ("Read", json!({ "file_path": hooked.store().join("a.md") })),
        ("Write", json!({ "file_path": hooked.store().join("a.md") })),
        ("Write", json!({})),
        ("Edit", json!("text")),
        ("Bash", json!({ "command": 3 })),
        ("NoSuchTool", json!({ "file_path": hooked.store().join("a.md"), "content": "x" })),
        ("NotebookEdit", json!({ "notebook_path": hooked.store().join("a.ipynb"), "new_source": "x" })),
    ] {
        assert_eq!(hooked.ask("s1", tool, input.clone()), None, "{tool} {input}");
    }
    assert!(hooked.waits().is_empty());
    // By whatever name it is called.
    let slug = hooked.store().parent().unwrap().file_name().unwrap().to_owned();
    for (number, path) in [
        project.join("in/linked.md"),
        hooked.store().join("sub/../dots.md"),
        project.join("../.claude/projects").join(slug).join("memory/up.md"),
    ]
    .into_iter()
    .enumerate()
    {
        let input = json!({ "file_path": path, "content": format!("Fact {number}.\n") });
        assert!(hooked.ask("s1", "Write", input).unwrap().contains("waits"), "{path:?}");
        assert_eq!(hooked.waits().len(), number + 1, "{path:?}");
    }
    assert!(write(hooked.store().join("away.md")).unwrap().contains("leads out"));
    assert!(write(hooked.store().join(".hidden.md")).unwrap().contains("Nothing was written"));
    for command in ["cp x @M/a.md", "echo $HOME > @M/a.md", "cd @M && touch a.md"] {
        assert!(hooked.bash(command).unwrap().contains("Write or Edit tool"), "{command}");
    }
    assert_eq!(fs::read_dir(hooked.store()).unwrap().count(), 1);
}

#[test]
fn new_memories_pass_when_only_changes_wait() {
    let hooked = Hooked::new(&["--mode", "changes"]);
    assert_eq!(hooked.write("new-fact.md", TEXT), None);
    fs::create_dir_all(hooked.store()).unwrap();
    fs::write(hooked.store().join("new-fact.md"), TEXT).unwrap();
    fs::write(hooked.store().join("MEMORY.md"), "- [New](new-fact.md)\n").unwrap();
    assert_eq!(hooked.bash("echo '- [B](b.md)' >> @M/MEMORY.md"), None);
    assert!(hooked.write("MEMORY.md", "- [B](b.md)\n").is_some());
    assert!(hooked.write("new-fact.md", "Other.\n").is_some());
    assert!(hooked.bash("rm @M/new-fact.md").is_some());
    let off = Hooked::on(hooked.home, &["--mode", "off"]);
    assert_eq!(off.write("new-fact.md", "Another.\n"), None);
}

#[test]
fn without_an_answer_the_command_looks_itself() {
    let home = Home::empty();
    // A path that needs quotes wherever it stands.
    let stand_in = home.path().join("it's a \"$HOME\" `x` \\n; dir/mem;curator");
    fs::create_dir_all(stand_in.parent().unwrap()).unwrap();
    let program = |text: &str| {
        fs::write(&stand_in, text).unwrap();
        fs::set_permissions(&stand_in, fs::Permissions::from_mode(0o755)).unwrap();
    };
    program("#!/bin/sh\n");
    let hooked = Hooked::on(home, &["--binary", stand_in.to_str().unwrap()]);
    program(
        "#!/bin/sh\ncat >/dev/null; echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"mine: '$1 $2 $3 $4'\"}}'\n",
    );
    assert_eq!(hooked.bash("echo hi").unwrap(), "mine: hook run --mode all", "its answer is passed on");
    let others: [(&str, &dyn Fn()); 4] = [
        ("crashing", &|| program("#!/bin/sh\necho half an answ\nexit 3\n")),
        ("not to be started", &|| fs::set_permissions(&stand_in, fs::Permissions::from_mode(0o644)).unwrap()),
        ("missing", &|| fs::remove_file(&stand_in).unwrap()),
        ("hanging", &|| program("#!/bin/sh\nexec sleep 60\n")),
    ];
    for (how, make) in others {
        make();
        for command in if how == "hanging" {
            &["echo hi"][..]
        } else {
            &["echo hi", "cat src/memory/mod.rs", "ls ~/.claude"]
        } {
            assert_eq!(hooked.bash(command), None, "{how}: {command}");
        }
        let path = hooked.home.project().join("a.md");
        let about =
            format!("\"file_path\":\"{}\" and {}/a.md", hooked.store().display(), hooked.store().display());
        assert_eq!(hooked.ask("s1", "Write", json!({ "file_path": path, "content": about })), None, "{how}");
        let started = Instant::now();
        assert!(hooked.write("a.md", "x").unwrap().contains("memcurator hook status"), "{how}");
        assert!(started.elapsed() < Duration::from_secs(8), "{how}");
        assert!(hooked.bash("echo x >> @M/MEMORY.md").is_some(), "{how}");
        if how != "hanging" {
            assert!(hooked.bash("echo x >> ~/.claude/projects/-x/memory/a.md").is_some(), "{how}");
            // The text first, as some models write it.
            let input = json!({ "content": "x\"y", "file_path": hooked.store().join("a.md") });
            assert!(hooked.ask("s1", "Write", input).is_some(), "{how}");
        }
    }
    assert!(!hooked.store().exists());
    fs::remove_file(&stand_in).unwrap();
    let status = hooked.home.run(&["hook", "status"]);
    assert_eq!(status.status, 1);
    assert!(status.out.contains("which is not there"), "{status:?}");
}

#[test]
fn hostile_calls_are_refused_or_left_to_the_command() {
    let hooked = Hooked::new(&[]);
    let run = |input: &[u8]| sh(&hooked.home, &hooked.command, input);
    let file = hooked.store().join("a.md").display().to_string();
    for input in ["", "{", "null", "[]", "{\"tool_name\": 4}", "\u{feff}{}", "{\"tool_name\":\"Write\"}"] {
        assert_eq!(run(input.as_bytes()), "", "{input}");
    }
    assert_eq!(run(&[0xff, 0xfe, b'{']), "");
    // Cut off in the middle, but about a memory.
    let cut = format!("{{\"tool_name\":\"Write\",\"tool_input\":{{\"file_path\":\"{file}\",\"content\":\"x");
    assert!(reason(&run(cut.as_bytes())).is_some());
    let huge = "x".repeat(3 << 20);
    assert!(hooked.write("huge.md", &huge).unwrap().contains("more than"));
    assert_eq!(hooked.ask("s1", "Write", json!({ "file_path": "/tmp/x.txt", "content": huge })), None);
    let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    assert_eq!(run(format!("{{\"tool_name\":\"Bash\",\"tool_input\":{deep}}}").as_bytes()), "");
    for session in ["../../../etc", "a\u{0}b", "", &"s".repeat(5000)] {
        let input =
            json!({ "file_path": hooked.store().join("s.md"), "content": format!("by {session:?}\n") });
        assert!(hooked.ask(session, "Write", input).is_some());
    }
    assert_eq!(hooked.home.json(&["pending", "list"]).as_array().unwrap().len(), 4);
    assert!(!hooked.store().exists());
    let bytes = json!({ "file_path": format!("{file}\u{0}.md"), "content": "x" });
    let _ = hooked.ask("s1", "Write", bytes);
    assert!(!hooked.store().exists());
}

#[test]
fn two_hooks_at_once_lose_nothing() {
    let hooked = Hooked::new(&[]);
    std::thread::scope(|scope| {
        for n in 0..6 {
            let hooked = &hooked;
            scope.spawn(move || {
                assert!(hooked.write(&format!("m{n}.md"), &format!("Fact {n}.\n")).is_some());
                assert!(hooked.bash(&format!("echo '- [M{n}](m{n}.md)' >> @M/MEMORY.md")).is_some());
            });
        }
    });
    assert_eq!(hooked.waits().len(), 6, "{:?}", hooked.waits());
    let done = hooked.home.run(&["pending", "list"]);
    assert!(!done.out.contains("MEMORY.md"), "every line went with its memory: {}", done.out);
}

#[test]
fn it_comes_into_the_settings_and_goes_out_again() {
    let home = Home::empty();
    let at = |path: &str| home.path().join(path);
    fs::create_dir_all(at("dots")).unwrap();
    fs::create_dir_all(at(".claude")).unwrap();
    let text = "{\n  \"model\": \"some\",\n  \"permissions\": { \"deny\": [] }\n}\n";
    fs::write(at("dots/settings.json"), text).unwrap();
    fs::set_permissions(at("dots/settings.json"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("../dots/settings.json", at(".claude/settings.json")).unwrap();
    let read = || fs::read_to_string(at("dots/settings.json")).unwrap();
    // Nobody there to say yes.
    let asked = home.run(&["hook", "install"]);
    assert_eq!((asked.status, read().as_str()), (1, text), "{asked:?}");
    assert!(asked.out.contains("memcurator-hook") && asked.out.contains("is a link"), "{asked:?}");
    let done = home.run(&["hook", "install", "--yes"]);
    assert_eq!(done.status, 0, "{done:?}");
    let with = read();
    assert!(with.contains("Edit(~/.claude/projects/*/memory/**)"), "{with}");
    assert!(fs::symlink_metadata(at(".claude/settings.json")).unwrap().file_type().is_symlink());
    assert_eq!(fs::metadata(at("dots/settings.json")).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(done.out.contains("the file as it was: "), "{done:?}");
    let again = home.run(&["hook", "install", "--yes"]);
    assert!(again.out.contains("already") && read() == with, "{again:?}");
    let status = home.json(&["hook", "status"]);
    assert_eq!(
        (&status[0]["installed"], &status[0]["mode"], &status[0]["binary_found"]),
        (&json!(true), &json!("all"), &json!(true))
    );
    assert_eq!(status[1]["installed"], false);
    let removed = home.run(&["hook", "remove", "--yes"]);
    assert_eq!((removed.status, read().as_str()), (0, text), "{removed:?}");
    assert!(home.run(&["hook", "remove", "--yes"]).out.contains("not installed"));
    // In the project, where there was nothing.
    assert_eq!(home.run(&["hook", "install", "--scope", "local", "--yes"]).status, 0);
    assert!(home.project().join(".claude/settings.local.json").exists());
    assert_eq!(home.run(&["hook", "remove", "--scope", "local", "--yes"]).status, 0);
    assert!(!home.project().join(".claude/settings.local.json").exists());
}

#[test]
fn settings_that_cannot_work_are_named() {
    let home = Home::empty();
    let file = home.path().join(".claude/settings.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "{\n  \"a\": 1\n  \"b\": 2\n}\n").unwrap();
    let broken = home.run(&["hook", "install", "--yes"]);
    assert_eq!(broken.status, 2);
    assert!(
        broken.err.contains("settings.json:2:") && broken.err.contains("nothing was changed"),
        "{broken:?}"
    );
    fs::write(&file, "{\n  // mine\n  \"a\": 1\n}\n").unwrap();
    let comments = home.run(&["hook", "install", "--yes"]);
    assert_eq!(comments.status, 1, "{comments:?}");
    assert!(comments.err.contains("settings.json:2: the client reads nothing of this file"), "{comments:?}");
    assert!(fs::read_to_string(&file).unwrap().contains("// mine\n  \"a\": 1,\n"));
    assert_eq!(home.run(&["hook", "status"]).status, 1);
    let odd = home.run(&["hook", "install", "--yes", "--binary", "/no\nwhere"]);
    assert_eq!(odd.status, 2);
    let missing = home.run(&["hook", "install", "--yes", "--binary", "/nowhere"]);
    assert!(missing.err.contains("no program"), "{missing:?}");
    assert!(Path::new(&file).exists());
}

#[test]
fn it_asks_before_the_settings_change() {
    let home = Home::empty();
    let file = home.path().join(".claude/settings.json");
    let asked = |shown: &str| shown.contains("Change the file so? [y/N] ");
    let on_terminal = |args: &[&str], keys: &str| crate::extract_pty::on_terminal(&home, args, &asked, keys);
    for no in ["n\n", "\n", "\u{3}"] {
        let (status, shown) = on_terminal(&["hook", "install"], no);
        assert!(status != 0 && !file.exists(), "{no:?}: {shown}");
        assert!(shown.contains("memcurator-hook"), "what would change is shown first: {shown}");
    }
    let (status, shown) = on_terminal(&["hook", "install"], "y\n");
    assert!(status == 0 && file.exists(), "{shown}");
    let (status, shown) = on_terminal(&["hook", "remove"], "n\n");
    assert!(status != 0 && file.exists(), "{shown}");
    let (status, shown) = on_terminal(&["hook", "remove"], "y\n");
    assert!(status == 0 && !file.exists(), "{shown}");
}

#[test]
fn an_answer_comes_in_time_when_another_does_not_end() {
    let hooked = Hooked::new(&[]);
    hooked.write("a.md", "A.\n");
    // Another hook that holds the store.
    let stores = hooked.home.path().join(".local/state/memcurator/stores");
    let store = fs::read_dir(stores).unwrap().next().unwrap().unwrap().path();
    let lock = fs::File::open(store.join("sessions/lock")).unwrap();
    lock.lock().unwrap();
    let started = Instant::now();
    assert!(hooked.write("b.md", "B.\n").unwrap().contains("took too long"));
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
    assert_eq!(hooked.bash("echo hi"), None);
    lock.unlock().unwrap();
    assert_eq!(hooked.waits().len(), 1);
    // It was refused, so its transcript would bring it; and it can be written again.
    assert!(hooked.write("b.md", "B.\n").unwrap().contains("waits"));
}

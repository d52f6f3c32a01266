//! The hook with the real client: a server on the loopback interface makes it call its tools on the memory directory. Run by
//! `.ci/real-client`, which installs it; `cargo test` leaves these out. `MEMCURATOR_CLIENTS` names the programs.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]
#![allow(clippy::print_stdout, clippy::print_stderr)]

use memcurator::client::program::{self, Program};
use memcurator::client::run::{End, Job};
use memcurator::client::sandbox::Sandbox;
use memcurator::prompt::locate::slug::slug;
use memcurator::prompt::port::Environment;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

const BINARY: &str = env!("CARGO_BIN_EXE_memcurator");
const NEW: &str = "---\nname: new-fact\ndescription: has # hash and: colon\ntype: user\n---\nThe fact.\n";
const OLD: &str =
    "---\nname: old\ndescription: what it says\nmetadata:\n  type: project\n---\n\nOne line.\nTwo lines.\n";
const INDEX: &str = "# Index\n\n- [Old](old.md) — what it says\n";

type Turns = Vec<Vec<(String, Value)>>;

/// A person with a project and a store.
struct World {
    root: PathBuf,
    cwd: PathBuf,
    memory: PathBuf,
    _dir: tempfile::TempDir,
}

/// What a session came to: the answer to each call, and whether it is an error.
type Answers = BTreeMap<String, (String, bool)>;

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let cwd = root.join("pay");
        let memory = root.join("home/.claude/projects").join(slug(&cwd)).join("memory");
        fs::create_dir_all(cwd.join(".git")).unwrap();
        fs::create_dir_all(&memory).unwrap();
        fs::write(memory.join("old.md"), OLD).unwrap();
        fs::write(memory.join("MEMORY.md"), INDEX).unwrap();
        Self { root, cwd, memory, _dir: dir }
    }

    fn memcurator(&self, args: &[&str]) -> (i32, String) {
        let done = Command::new(BINARY)
            .args(args)
            .current_dir(&self.cwd)
            .env_clear()
            .env("HOME", self.root.join("home"))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (done.status.code().unwrap(), text(&done.stdout) + &text(&done.stderr))
    }

    fn json(&self, args: &[&str]) -> Value {
        let (status, text) = self.memcurator(&[args, &["--format", "json"]].concat());
        assert_eq!(status, 0, "{args:?}: {text}");
        serde_json::from_str(&text).unwrap()
    }

    fn install(&self, options: &[&str]) {
        let (status, said) = self.memcurator(&[&["hook", "install", "--yes"], options].concat());
        assert_eq!(status, 0, "{said}");
    }

    fn at(&self, file: &str) -> String {
        self.memory.join(file).display().to_string()
    }

    fn store(&self) -> BTreeMap<String, Vec<u8>> {
        let files = fs::read_dir(&self.memory).unwrap().map(|entry| entry.unwrap().path());
        files
            .map(|path| (path.file_name().unwrap().to_str().unwrap().into(), fs::read(&path).unwrap()))
            .collect()
    }

    /// One session, in which these tools are called.
    fn session(&self, program: &Program, calls: Turns) -> Answers {
        let var = |name: &str, value: String| (name.to_owned(), value);
        let job = Job {
            program: program.path.clone(),
            args: vec![],
            env: vec![
                var("HOME", self.root.join("home").display().to_string()),
                var("PATH", "/usr/local/bin:/usr/bin:/bin".into()),
            ],
            cwd: self.cwd.clone(),
            reads: vec![],
            calls,
            limit: Duration::from_secs(60),
        };
        let done = job.run(&Sandbox::best(Some(BINARY.into())), &AtomicBool::new(false)).unwrap();
        assert_eq!(done.end, End::Left(Some(0)), "{}", done.stderr);
        let mut answers = Answers::new();
        for message in done.requests.last().unwrap()["messages"].as_array().unwrap() {
            for block in message["content"].as_array().into_iter().flatten() {
                let Some(id) = block["tool_use_id"].as_str() else { continue };
                let text = match &block["content"] {
                    Value::String(text) => text.clone(),
                    parts => parts
                        .as_array()
                        .into_iter()
                        .flatten()
                        .filter_map(|part| part["text"].as_str())
                        .collect(),
                };
                answers.insert(id.to_owned(), (text, block["is_error"] == true));
            }
        }
        answers
    }

    /// What waits: action and file, to text and index line.
    fn waits(&self) -> BTreeMap<(String, String), (String, Value)> {
        let list = self.json(&["pending", "list"]);
        let row = |one: &Value| {
            let id = one["id"].as_str().unwrap();
            let shown = self.json(&["pending", "show", id]);
            let (_, file) = self.memcurator(&["pending", "path", id]);
            let meta: Value =
                serde_json::from_slice(&fs::read(Path::new(file.trim()).with_extension("json")).unwrap())
                    .unwrap();
            let text = |key: &str| shown[key].as_str().unwrap_or_default().to_owned();
            ((text("action"), text("target")), (text("content"), meta["index_line"].clone()))
        };
        list.as_array().unwrap().iter().map(row).collect()
    }
}

fn write(path: String, text: &str) -> (String, Value) {
    ("Write".into(), json!({ "file_path": path, "content": text }))
}

fn edit(path: String, old: &str, new: &str) -> (String, Value) {
    ("Edit".into(), json!({ "file_path": path, "old_string": old, "new_string": new }))
}

fn read(path: String) -> (String, Value) {
    ("Read".into(), json!({ "file_path": path }))
}

fn bash(command: String) -> (String, Value) {
    ("Bash".into(), json!({ "command": command, "description": "does it" }))
}

fn clients() -> Vec<(Program, String)> {
    let named = std::env::var("MEMCURATOR_CLIENTS").expect("MEMCURATOR_CLIENTS names the clients");
    let env = Environment { vars: [].into(), home: "/nowhere".into(), cwd: "/".into() };
    let client = |path| {
        let program = program::find(Some(Path::new(path)), &env).unwrap();
        let version = program.version(&env, &AtomicBool::new(false)).unwrap();
        (program, version)
    };
    named.split(':').map(client).collect()
}

/// A memory without what differs from session to session.
fn timeless(text: &[u8]) -> String {
    let text = String::from_utf8(text.to_vec()).unwrap();
    let plain = |line: &str| match line.trim_start().split_once(": ") {
        Some((key @ ("originSessionId" | "modified"), value)) => {
            let well =
                if key == "modified" { value.len() == 24 && value.ends_with('Z') } else { value.len() == 36 };
            assert!(well, "{line}");
            format!("  {key}: x\n")
        }
        _ => format!("{line}\n"),
    };
    text.lines().map(plain).collect()
}

#[test]
#[ignore = "needs the real client: .ci/real-client"]
fn memory_writes_wait_and_come_in_as_the_newest_client_makes_them() {
    // What the newest client makes of the same writes.
    let clients = clients();
    let reference = World::new();
    let newest = &clients.last().unwrap().0;
    reference.session(
        newest,
        vec![
            vec![write(reference.at("new-fact.md"), NEW), write(reference.at("second.md"), "Only text.\n")],
            vec![read(reference.at("old.md"))],
            vec![edit(reference.at("old.md"), "Two lines.", "Three lines.")],
            vec![edit(reference.at("old.md"), "One line.", "First line.")],
        ],
    );
    let made = reference.store();
    for (program, version) in &clients {
        let world = World::new();
        world.install(&[]);
        let before = world.store();
        let started = Instant::now();
        let answers = world.session(
            program,
            vec![
                // call_0: several in a turn, the line of the index with them.
                vec![
                    write(world.at("second.md"), "Only text.\n"),
                    write(world.at("new-fact.md"), "A draft.\n"),
                    bash(format!("echo '- [Second](second.md) — only text' >> {}", world.at("MEMORY.md"))),
                ],
                vec![read(world.at("old.md")), read(world.at("MEMORY.md"))],
                // call_2: a change, and the index in another way.
                vec![
                    edit(world.at("old.md"), "Two lines.", "Three lines."),
                    edit(world.at("MEMORY.md"), "# Index\n", "# Mine\n"),
                ],
                vec![bash(format!("cat > {} <<'EOF'\nBy a here-document.\nEOF", world.at("third.md")))],
                // call_4: none of the hook's business.
                vec![
                    write(world.cwd.join("made.txt").display().to_string(), "made\n"),
                    bash("echo plain".into()),
                    bash(format!("cat {}", world.at("old.md"))),
                ],
                // call_5: what can't be staged.
                vec![bash(format!("cp made.txt {}", world.at("copied.md")))],
                // call_6: on with what waits. The client itself looks for an Edit's text on the disk.
                vec![
                    write(world.at("new-fact.md"), NEW),
                    edit(world.at("old.md"), "One line.", "First line."),
                    edit(world.at("second.md"), "Only text.", "x"),
                ],
            ],
        );
        println!("{version}: the session took {:.1} s", started.elapsed().as_secs_f64());
        assert_eq!(world.store(), before, "{version}: nothing is written: {answers:#?}");
        for id in
            ["call_0_0", "call_0_1", "call_0_2", "call_2_0", "call_2_1", "call_3_0", "call_6_0", "call_6_1"]
        {
            let (text, is_error) = &answers[id];
            assert!(*is_error && text.contains("waits for the person's approval"), "{version} {id}: {text}");
        }
        assert!(answers["call_5_0"].0.contains("Write or Edit tool"), "{version}: {answers:#?}");
        assert!(
            answers["call_6_2"].1 && !answers["call_6_2"].0.contains("memcurator"),
            "{version}: {answers:#?}"
        );
        for id in ["call_1_0", "call_1_1", "call_4_1", "call_4_2"] {
            assert!(!answers[id].1, "{version} {id}: {answers:#?}");
        }
        // In print mode a write into the project needs a person's permission; the hook says nothing about it.
        assert!(!answers["call_4_0"].0.contains("memcurator"), "{version}: {answers:#?}");
        let waits = world.waits();
        let files: Vec<(&str, &str)> =
            waits.keys().map(|(action, file)| (action.as_str(), file.as_str())).collect();
        assert_eq!(
            files,
            [
                ("add", "new-fact.md"),
                ("add", "second.md"),
                ("add", "third.md"),
                ("change", "MEMORY.md"),
                ("change", "old.md")
            ],
            "{version}"
        );
        let of = |action: &str, file: &str| &waits[&(action.to_owned(), file.to_owned())];
        assert_eq!(of("add", "second.md").1, "- [Second](second.md) — only text", "{version}");
        assert_eq!(of("change", "MEMORY.md").0, INDEX.replace("# Index", "# Mine"), "{version}");
        for file in ["new-fact.md", "second.md", "third.md", "old.md", "MEMORY.md"] {
            let (status, said) = world.memcurator(&["pending", "approve", file]);
            assert_eq!(status, 0, "{version}: {said}");
        }
        let now = world.store();
        for file in ["new-fact.md", "second.md", "old.md"] {
            assert_eq!(timeless(&now[file]), timeless(&made[file]), "{version}: {file}");
        }
        assert_eq!(now["third.md"], b"By a here-document.\n");
        let index = String::from_utf8(now["MEMORY.md"].clone()).unwrap();
        assert!(
            index.starts_with("# Mine\n") && index.contains("- [Second](second.md) — only text\n"),
            "{index}"
        );
        // What was staged is known, and not recovered a second time; the edit that no hook saw is.
        let recovered = world.json(&["pending", "recover"]);
        let found: Vec<&Value> =
            recovered["proposals"].as_array().unwrap().iter().map(|one| &one["target"]).collect();
        assert_eq!(found, ["second.md"], "{version}");
    }
}

#[test]
#[ignore = "needs the real client: .ci/real-client"]
fn a_hook_that_gives_no_answer_lets_no_memory_write_through() {
    for (program, version) in clients() {
        for how in ["missing", "crashing", "hanging"] {
            let world = World::new();
            let stand_in = world.root.join("it's/memcurator");
            fs::create_dir_all(stand_in.parent().unwrap()).unwrap();
            fs::write(
                &stand_in,
                if how == "hanging" { "#!/bin/sh\nexec sleep 100\n" } else { "#!/bin/sh\nexit 70\n" },
            )
            .unwrap();
            fs::set_permissions(&stand_in, fs::Permissions::from_mode(0o755)).unwrap();
            world.install(&["--binary", stand_in.to_str().unwrap()]);
            if how == "missing" {
                fs::remove_file(&stand_in).unwrap();
            }
            // Writes into the project are allowed, so that it shows whether the hook lets them.
            let settings = world.root.join("home/.claude/settings.json");
            let mut value: Value = serde_json::from_slice(&fs::read(&settings).unwrap()).unwrap();
            value["permissions"]["allow"] = json!([format!("Edit(/{}/**)", world.cwd.display())]);
            fs::write(&settings, value.to_string()).unwrap();
            let before = world.store();
            let made = world.cwd.join("made.txt");
            let answers = world.session(
                &program,
                vec![
                    vec![bash("echo plain".into())],
                    vec![write(made.display().to_string(), "made\n")],
                    vec![write(world.at("new-fact.md"), NEW)],
                    vec![bash(format!("echo '- [New](new-fact.md) — said' >> {}", world.at("MEMORY.md")))],
                ],
            );
            assert_eq!(answers["call_0_0"], ("plain".into(), false), "{version} {how}");
            assert_eq!(fs::read_to_string(&made).unwrap(), "made\n", "{version} {how}: {answers:#?}");
            assert_eq!(world.store(), before, "{version} {how}: {answers:#?}");
            assert!(answers["call_2_0"].1 && answers["call_3_0"].1, "{version} {how}: {answers:#?}");
            let recovered = world.json(&["pending", "recover"]);
            assert_eq!(recovered["proposals"][0]["target"], "new-fact.md", "{version} {how}: {recovered}");
            println!("{version}: {how}: refused and recovered");
        }
    }
}

#[test]
#[ignore = "measures: .ci/real-client"]
fn what_a_call_costs() {
    let world = World::new();
    world.install(&[]);
    let settings: Value =
        serde_json::from_slice(&fs::read(world.root.join("home/.claude/settings.json")).unwrap()).unwrap();
    let command = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap();
    let call = |tool: &str, input: Value| {
        json!({ "session_id": "s", "cwd": world.cwd, "tool_name": tool, "tool_input": input }).to_string()
    };
    let plain = call("Bash", json!({ "command": "echo hi" }));
    let other = call("Write", json!({ "file_path": world.cwd.join("a.txt"), "content": "x".repeat(20_000) }));
    let memory = call("Write", json!({ "file_path": world.at("a.md"), "content": NEW }));
    let time = |command: &str, input: &str| {
        let mut times: Vec<Duration> = (0..40)
            .map(|_| {
                let started = Instant::now();
                let mut shell = Command::new("/bin/sh");
                shell
                    .args(["-c", command])
                    .env_clear()
                    .env("HOME", world.root.join("home"))
                    .env("PATH", "/usr/bin:/bin");
                let mut child = shell.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
                std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
                assert!(child.wait().unwrap().success());
                started.elapsed()
            })
            .collect();
        times.sort();
        times[times.len() / 2].as_secs_f64() * 1000.0
    };
    println!("a shell that does nothing: {:.1} ms (median of 40)", time("cat >/dev/null", &plain));
    println!(
        "plain Bash: {:.1} ms, a Write elsewhere: {:.1} ms",
        time(command, &plain),
        time(command, &other)
    );
    println!("a memory that is staged: {:.1} ms", time(command, &memory));
}

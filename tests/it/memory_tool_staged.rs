//! The memory tool with `--stage`: the agent sees what it wrote, the store stays as it is until a person's yes.

use crate::home::Home;
use crate::store_kit::Kit;
use crate::tool_kit::{Random, files, lay_out, without_sizes};
use memcurator::memory::Time;
use memcurator::memory::snapshot::Snapshot;
use memcurator::prompt::locate::{Layout, Located};
use memcurator::review::approve::{Outcome, approve};
use memcurator::review::proposal::{Proposal, Waiting};
use memcurator::review::tool::{Answer, Command, Files, answer};
use memcurator::shell::{Session, Stage, Start};
use memcurator::store::{Places, StagedFiles, Store, ToolFiles};
use serde_json::{Value, json};
use std::fs;

pub fn now() -> Time {
    "2026-03-10T12:00:00Z".parse().unwrap()
}

pub fn ask(files: &mut dyn Files, command: &Value) -> Answer {
    answer(files, &Command::read(command)?)
}

pub fn waiting(store: &Store) -> Vec<Proposal> {
    let list = store.queue().list().unwrap();
    list.into_iter()
        .map(|one| match one {
            Waiting::Proposal(one) => *one,
            Waiting::Faulty(faulty) => panic!("{faulty:?}"),
        })
        .collect()
}

/// Says yes to all that waits, in the order in which it came; gives how many that were.
pub fn approve_all(store: &Store) -> usize {
    let all = waiting(store);
    for one in &all {
        let snapshot = Snapshot { beside: store.beside().unwrap(), ..store.scan(&|_| {}).unwrap() };
        match approve(&snapshot, &[], one, false) {
            Ok(Outcome::Ready(plan)) => drop(store.approve(&plan, &one.id, now()).unwrap()),
            other => panic!("{one:?}: {other:?}"),
        }
    }
    assert_eq!(store.queue().count(), 0);
    all.len()
}

fn emptied() -> Kit {
    let kit = Kit::new(0);
    fs::remove_file(kit.dir.join("MEMORY.md")).unwrap();
    lay_out(&kit.dir);
    kit
}

/// The same commands give the same answers, another process sees the same files, and a yes to all makes them so.
#[test]
fn staged_and_approved_is_as_written_at_once() {
    let (mut commands, mut proposed) = (0, 0);
    for seed in 1..=60 {
        let (plain, staged) = (emptied(), emptied());
        let before = files(&staged.dir);
        let mut direct = ToolFiles::open(&plain.dir, &plain.places, now).unwrap();
        let mut waits = StagedFiles::open(&staged.dir, &staged.places, now).unwrap();
        let mut random = Random::new(seed);
        let mut said = Vec::new();
        for _ in 0..30 {
            let command = random.command();
            let (one, other) = (ask(&mut direct, &command), ask(&mut waits, &command));
            let shown = |answer: &Answer| match answer {
                Ok(text) => (true, without_sizes(text)),
                Err(text) => (false, text.clone()),
            };
            said.push(command.to_string());
            assert_eq!(shown(&one), shown(&other), "{seed}: {}", said.join("\n"));
            commands += 1;
        }
        assert_eq!(files(&staged.dir), before, "{seed}: nothing is written before the yes");
        let after = files(&plain.dir);
        let anew = StagedFiles::open(&staged.dir, &staged.places, now).unwrap();
        for (path, bytes) in &after {
            let path = memcurator::review::tool::VirtualPath::parse(&format!("/memories/{path}")).unwrap();
            assert_eq!(anew.read(&path).as_deref(), Ok(&**bytes), "{seed}: {path:?}");
        }
        let store = staged.open();
        let paths: std::collections::BTreeSet<_> =
            waiting(&store).into_iter().map(|one| one.target).collect();
        assert_eq!(paths.len(), waiting(&store).len(), "{seed}: one proposal about a file");
        let count = approve_all(&store);
        proposed += count;
        assert_eq!(files(&staged.dir), after, "{seed}: {}", said.join("\n"));
        for _ in 0..count {
            let undone = store.undo(now()).unwrap().unwrap();
            assert!(undone.conflicts.is_empty(), "{seed}: {undone:?}");
        }
        assert_eq!(files(&staged.dir), before, "{seed}: undone");
        assert_eq!(store.queue().count(), count, "{seed}: what is undone waits again");
    }
    assert!(commands == 1800 && proposed > 150, "{proposed}");
}

/// What an agent on the API says and what a person does about it.
struct Desk {
    home: Home,
    dir: tempfile::TempDir,
}

impl Desk {
    fn new(files: &[(&str, &str)]) -> Self {
        let desk = Self { home: Home::empty(), dir: tempfile::tempdir().unwrap() };
        for (name, text) in files {
            let path = desk.dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        desk
    }

    fn run(&self, args: &[&str], input: &str) -> crate::home::Done {
        let args = [args, &["--store", self.dir.path().to_str().unwrap()]].concat();
        self.home.run_with_input(&args, input)
    }

    /// One session of the agent: its answers, errors marked with `!`.
    fn agent(&self, commands: &[Value]) -> Vec<String> {
        let lines: Vec<String> = commands.iter().map(Value::to_string).collect();
        let done = self.run(&["memory-tool", "--stage"], &lines.join("\n"));
        assert_eq!(done.status, 0, "{}", done.err);
        let answer = |line: &str| {
            let answer: Value = serde_json::from_str(line).unwrap();
            let mark = if answer["is_error"] == true { "!" } else { "" };
            format!("{mark}{}", answer["content"].as_str().unwrap())
        };
        done.out.lines().map(answer).collect()
    }

    fn pending(&self) -> Vec<Value> {
        serde_json::from_str(&self.run(&["pending", "list", "--format", "json"], "").out).unwrap()
    }

    fn stage(&self, size: (u16, u16)) -> Stage {
        let located = Located {
            dir: self.dir.path().canonicalize().unwrap(),
            layout: Layout::Plain,
            project: None,
            because: String::new(),
            off: None,
            notes: Vec::new(),
        };
        let env = self.home.env.clone();
        let session = Session {
            start: Start::Store(located),
            places: Places::from_env(&env),
            env,
            title: Some("agent".into()),
            ..crate::screen_kit::Kit::with(&[]).session("")
        };
        let mut stage = Stage::open(&session, size).unwrap();
        stage.press("3").unwrap();
        stage
    }
}

fn create(path: &str, text: &str) -> Value {
    json!({"command": "create", "path": format!("/memories/{path}"), "file_text": text})
}

fn view(path: &str) -> Value {
    json!({"command": "view", "path": format!("/memories/{path}")})
}

#[test]
fn the_agent_writes_and_the_person_says_yes_and_no_on_the_screen() {
    let desk = Desk::new(&[("old.txt", "old\n"), ("gone/g.txt", "g")]);
    let before = files(desk.dir.path());
    let json = "{\"customers\": [\"ann\"]}\n";
    let told = desk.agent(&[
        create("data/customers.json", json),
        create("note.md", "Ann likes short answers.\n"),
        json!({"command": "str_replace", "path": "/memories/note.md", "old_str": "short", "new_str": "brief"}),
        json!({"command": "str_replace", "path": "/memories/old.txt", "old_str": "old", "new_str": "new"}),
        json!({"command": "delete", "path": "/memories/gone"}),
        view("note.md"),
    ]);
    assert!(told.iter().all(|one| !one.starts_with('!')), "{told:?}");
    assert!(told[5].contains("Ann likes brief answers."), "{told:?}");
    assert_eq!(files(desk.dir.path()), before);

    let mut stage = desk.stage((120, 40));
    let text = stage.text();
    for (sign, title) in
        [("+", "data/customers.json"), ("+", "note.md"), ("~", "old.txt"), ("-", "gone/g.txt")]
    {
        assert!(text.lines().any(|line| line.contains(&format!("{sign} {title}"))), "{sign} {title}: {text}");
    }
    assert!(text.contains("memory-tool") && !text.contains("description"), "{text}");
    // The first is the one that came first; all pass alike.
    stage.press("y").unwrap();
    assert_eq!(fs::read_to_string(desk.dir.path().join("data/customers.json")).unwrap(), json);
    stage.press("n").unwrap();
    assert!(!desk.dir.path().join("note.md").exists());
    stage.press("y").unwrap();
    assert_eq!(fs::read_to_string(desk.dir.path().join("old.txt")).unwrap(), "new\n");
    stage.press("y").unwrap();
    assert!(!desk.dir.path().join("gone").exists(), "the directory goes with its last file");
    assert!(desk.pending().is_empty());
    assert_eq!(desk.run(&["changes"], "").out, "nothing was changed by others since the last review\n");
    stage.press("u").unwrap();
    assert_eq!(fs::read_to_string(desk.dir.path().join("gone/g.txt")).unwrap(), "g");

    // The next session sees the store where the person said no, and can't say the same again; other words wait.
    let told = desk.agent(&[
        view("note.md"),
        create("note.md", "Ann likes brief answers.\n"),
        create("note.md", "Ann likes lists.\n"),
        view(""),
    ]);
    assert!(told[0].starts_with("!The path /memories/note.md does not exist"), "{told:?}");
    assert!(told[1].contains("a person rejected the same before"), "{told:?}");
    assert!(!told[2].starts_with('!') && told[3].contains("note.md"), "{told:?}");
    assert!(!told[3].contains("gone"), "its deletion waits again: {told:?}");
}

/// A file that the agent sees in its own way and a person changes meanwhile: the person decides.
#[test]
fn what_a_person_changed_meanwhile_is_not_overwritten() {
    let desk = Desk::new(&[("a.txt", "one\n")]);
    desk.agent(&[
        json!({"command": "insert", "path": "/memories/a.txt", "insert_line": 1, "insert_text": "two"}),
    ]);
    fs::write(desk.dir.path().join("a.txt"), "by hand\n").unwrap();
    let told = desk.agent(&[view("a.txt")]);
    assert!(told[0].ends_with("     1\tone\n     2\ttwo\n     3\t"), "it waits still: {told:?}");
    assert_eq!(desk.pending()[0]["state"], "stale");
    let done = desk.run(&["pending", "approve", "a.txt"], "");
    assert_eq!(
        (done.status, files(desk.dir.path())["a.txt"].as_slice()),
        (1, b"by hand\n".as_slice()),
        "{}",
        done.out
    );
    let mut stage = desk.stage((80, 24));
    stage.press("y").unwrap();
    assert!(stage.text().contains("all the same?"), "{}", stage.text());
    stage.press("<esc>").unwrap();
    assert_eq!(files(desk.dir.path())["a.txt"], b"by hand\n");
    stage.press("yy").unwrap();
    assert_eq!(files(desk.dir.path())["a.txt"], b"one\ntwo\n");
    stage.press("u").unwrap();
    assert_eq!(files(desk.dir.path())["a.txt"], b"by hand\n");
}

/// A memory with frontmatter is judged as one; what is none is not asked for a description.
#[test]
fn the_gate_asks_of_each_file_what_it_is() {
    let memory =
        "---\nname: Tea\ndescription: In the afternoon, green\ntype: user\n---\n\nTea in the afternoon.\n";
    let desk =
        Desk::new(&[("MEMORY.md", "- [Old](old.md) — old\n"), ("old.md", "---\nname: Old\n---\n\nOld.\n")]);
    desk.agent(&[
        create("tea.md", memory),
        create("plain.md", "no frontmatter\n"),
        create("keys.txt", "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYzzzzzzTESTKEY\n"),
        create("empty.txt", ""),
        create("half.md", "---\nname: Half\n---\n\nHalf.\n"),
        json!({"command": "delete", "path": "/memories/old.md"}),
    ]);
    let pending = desk.pending();
    let of = |target: &str| pending.iter().find(|one| one["target"] == target).unwrap();
    let asked = |target: &str| -> Vec<String> {
        let verdicts = of(target)["gate"]["verdicts"].as_array().unwrap();
        verdicts.iter().map(|one| one["question"].as_str().unwrap().to_owned()).collect()
    };
    assert!(asked("tea.md").contains(&"complete".to_owned()));
    for plain in ["plain.md", "empty.txt"] {
        assert!(!asked(plain).contains(&"complete".to_owned()), "{:?}", of(plain));
        assert_eq!(of(plain)["gate"]["mark"], "passes", "{:?}", of(plain));
    }
    assert_eq!(of("keys.txt")["gate"]["mark"], "fails", "{:?}", of("keys.txt"));
    assert_ne!(of("half.md")["gate"]["mark"], "passes", "{:?}", of("half.md"));
    assert_eq!(of("old.md")["gate"]["mark"], "nearly", "its line stays: {:?}", of("old.md"));
    // To the byte as the agent wrote it, and the index is the agent's own affair.
    desk.run(&["pending", "approve", "--all"], "");
    let after = files(desk.dir.path());
    assert_eq!(
        (after["tea.md"].as_slice(), after["empty.txt"].as_slice()),
        (memory.as_bytes(), [].as_slice())
    );
    assert_eq!(after["MEMORY.md"], b"- [Old](old.md) \xe2\x80\x94 old\n");
    assert!(after.contains_key("old.md") && !after.contains_key("keys.txt"), "{:?}", after.keys());
}

#[test]
fn what_can_not_wait_is_refused_and_says_why() {
    let desk = Desk::new(&[("d/a.txt", "a"), ("big.bin", "")]);
    let big = "x".repeat((1 << 20) + 1);
    fs::write(desk.dir.path().join("big.txt"), &big).unwrap();
    std::os::unix::fs::symlink("a.txt", desk.dir.path().join("d/link")).unwrap();
    let before = files(desk.dir.path());
    let told = desk.agent(&[
        create("huge.txt", &big),
        json!({"command": "rename", "old_path": "/memories/big.txt", "new_path": "/memories/b.txt"}),
        json!({"command": "delete", "path": "/memories/d"}),
        json!({"command": "rename", "old_path": "/memories/d", "new_path": "/memories/e"}),
        create(&"d/".repeat(70), "x"),
    ]);
    for (told, why) in
        told.iter().zip(["can have 1048576", "can have 1048576", "a link in it", "a link in it", "too long"])
    {
        assert!(
            told.starts_with('!') && told.contains(why) && told.ends_with("Nothing was changed."),
            "{told}"
        );
    }
    assert!(desk.pending().is_empty() && files(desk.dir.path()) == before);
    // To remove a large one is no matter.
    let told = desk.agent(&[json!({"command": "delete", "path": "/memories/big.txt"})]);
    assert_eq!(told, ["Successfully deleted /memories/big.txt"]);
    desk.run(&["pending", "approve", "--all"], "");
    assert!(!desk.dir.path().join("big.txt").exists());
}

/// A secret that was approved in a file that is no memory can be taken out of the history, and of the queue.
#[test]
fn what_was_approved_of_any_file_can_be_purged() {
    let desk = Desk::new(&[("a.md", "a")]);
    desk.agent(&[create("n.txt", "a word that nobody has\n")]);
    desk.run(&["pending", "approve", "n.txt"], "");
    desk.agent(&[json!({"command": "delete", "path": "/memories/n.txt"})]);
    desk.run(&["pending", "approve", "n.txt"], "");
    assert!(files(desk.dir.path()).keys().eq(["a.md"]));
    let done = desk.run(&["history", "purge", "n.txt", "--yes"], "");
    assert_eq!(done.status, 0, "{} {}", done.out, done.err);
    let kept = files(&desk.home.path());
    assert!(
        kept.values().all(|bytes| !bytes.windows(13).any(|part| part == b"a word that n")),
        "{:?}",
        kept.keys()
    );
}

/// Killing an empty directory of a repository's own makes it none: only what the deletion itself leaves empty goes.
#[test]
fn a_deletion_takes_no_empty_directories_of_others_along() {
    let desk = Desk::new(&[("notes/a.txt", "a"), ("notes/b/c.txt", "c"), ("notes/.git/HEAD", "ref: x\n")]);
    let at = |name: &str| desk.dir.path().join(name);
    for dir in ["notes/.git/refs/heads", "notes/drafts", "notes/b/empty"] {
        fs::create_dir_all(at(dir)).unwrap();
    }
    let delete = |path: &str| json!({"command": "delete", "path": format!("/memories/notes/{path}")});
    let told = desk.agent(&[delete("a.txt"), delete("b/c.txt")]);
    assert!(told.iter().all(|one| !one.starts_with('!')), "{told:?}");
    let done = desk.run(&["pending", "approve", "--all"], "");
    assert_eq!(done.status, 0, "{done:?}");
    assert!(!at("notes/a.txt").exists() && !at("notes/b/c.txt").exists());
    assert!(at("notes/.git/refs/heads").exists() && at("notes/drafts").exists(), "they were empty before");
    assert!(at("notes/b/empty").exists());
    // Nor does a file that is to be where a directory with files is.
    let told = desk.agent(&[create("new", "x")]);
    assert!(told.iter().all(|one| !one.starts_with('!')), "{told:?}");
    fs::create_dir_all(at("new/empty")).unwrap();
    fs::write(at("new/file"), "mine").unwrap();
    let done = desk.run(&["pending", "approve", "--all"], "");
    assert_ne!(done.status, 0, "{done:?}");
    assert!(at("new/empty").exists() && at("new/file").exists());
}

/// A yes or a no to what a person saw is none to what the agent wrote after that.
#[test]
fn a_decision_on_an_older_text_takes_no_newer_one_along() {
    let kit = emptied();
    let store = kit.open();
    let mut agent = StagedFiles::open(&kit.dir, &kit.places, now).unwrap();
    ask(&mut agent, &create("n.txt", "first\n")).unwrap();
    let seen = waiting(&store).remove(0);
    let Ok(Outcome::Ready(plan)) = approve(&store.scan(&|_| {}).unwrap(), &[], &seen, false) else {
        panic!()
    };
    let edit =
        json!({"command": "str_replace", "path": "/memories/n.txt", "old_str": "first", "new_str": "second"});
    ask(&mut agent, &edit).unwrap();
    assert!(store.approve(&plan, &seen.id, now()).unwrap_err().conflict, "it waits no more as it was seen");
    assert!(store.queue().reject(&seen.id, None, now()).unwrap_err().conflict);
    assert!(store.queue().replace(&seen).unwrap_err().conflict);
    let [now_waits] = &waiting(&store)[..] else { panic!("{:?}", waiting(&store)) };
    assert_eq!(now_waits.bytes.as_deref(), Some(b"second\n".as_slice()));
    assert!(!kit.dir.join("n.txt").exists());
}

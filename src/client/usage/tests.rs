//! The use of memories in synthetic transcripts: counted once, read once.

use super::*;
use crate::client::disk::DiskPort;
use crate::prompt::locate::{Launch, Located, client_store_as};
use crate::prompt::port::Environment;
use crate::prompt::usage::IndexLoad;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::PathBuf;

struct World {
    dir: tempfile::TempDir,
    env: Environment,
    launch: Launch,
    store: Located,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap();
        let cwd = home.join("shop");
        fs::create_dir_all(cwd.join(".git")).unwrap();
        let env = Environment { cwd, home, ..Environment::default() };
        let launch = Launch::default();
        let store = client_store_as(&DiskPort, &env, &launch);
        fs::create_dir_all(&store.dir).unwrap();
        Self { dir, env, launch, store }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.store.dir.parent().unwrap().join(name)
    }

    fn append(&self, name: &str, lines: &[Value]) {
        let path = self.file(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut file = fs::File::options().create(true).append(true).open(path).unwrap();
        for line in lines {
            writeln!(file, "{line}").unwrap();
        }
    }

    fn stamped(&self, day: u32, mut line: Value) -> Value {
        line["cwd"] = self.env.cwd.to_str().unwrap().into();
        line["version"] = "2.1.332".into();
        line["timestamp"] = format!("2026-03-{day:02}T10:00:00Z").into();
        line
    }

    fn call(&self, day: u32, id: &str, file: &str) -> Value {
        let path = self.store.dir.join(file);
        self.stamped(
            day,
            json!({ "type": "assistant", "message": { "content": [
                { "type": "tool_use", "id": id, "name": "Read", "input": { "file_path": path } }] } }),
        )
    }

    fn result(&self, day: u32, id: &str, is_error: bool) -> Value {
        self.stamped(
            day,
            json!({ "type": "user", "message": { "content": [
                { "type": "tool_result", "tool_use_id": id, "is_error": is_error, "content": "x" }] } }),
        )
    }

    fn start(&self, day: u32, index: Option<&str>) -> Value {
        let mut files = vec![json!({ "path": "/x/CLAUDE.md", "type": "Project", "content": "rules" })];
        let path = self.store.dir.join("MEMORY.md");
        files.extend(index.map(|text| json!({ "path": path, "type": "AutoMem", "content": text })));
        self.stamped(
            day,
            json!({ "type": "attachment", "attachment": { "type": "instructions", "files": files } }),
        )
    }

    fn read_all(&self) -> (Usage, u64) {
        let mut most = 0;
        let usage = self.read(&mut |progress| {
            most = progress.of;
            true
        });
        (usage.unwrap(), most)
    }

    fn read(&self, go_on: &mut dyn FnMut(Progress) -> bool) -> Option<Usage> {
        let scope = Scope { env: &self.env, launch: &self.launch, store: &self.store };
        super::read(&scope, &self.dir.path().join("cache"), "key", go_on)
    }

    fn cache(&self) -> PathBuf {
        self.dir.path().join("cache/usage/key.json")
    }
}

fn recalls(usage: &Usage, name: &str) -> Option<(usize, usize)> {
    usage.by_memory.get(&RelPath::new(name).unwrap()).map(|found| (found.times, found.sessions))
}

#[test]
fn reads_are_counted_once_and_only_where_they_succeeded() {
    let world = World::new();
    let (call, result) = (world.call(2, "t1", "a.md"), world.result(2, "t1", false));
    world.append(
        "s1.jsonl",
        &[call.clone(), result.clone(), world.call(2, "t2", "gone.md"), world.result(2, "t2", true)],
    );
    // A resumed session holds what went before.
    world.append("s2.jsonl", &[call, result, world.call(3, "t3", "sub/b.md"), world.result(3, "t3", false)]);
    world.append("s2/subagents/agent-1.jsonl", &[world.call(4, "t4", "a.md"), world.result(4, "t4", false)]);
    world.append("s3.jsonl", &[world.call(5, "t5", "a.md")]);
    let nested = json!({ "type": "attachment", "attachment":
        { "type": "nested_memory", "path": world.store.dir.join("c.md") } });
    world.append("s3.jsonl", &[world.stamped(6, nested)]);
    let (usage, _) = world.read_all();
    assert_eq!(recalls(&usage, "a.md"), Some((2, 2)), "the one without an answer does not count");
    assert_eq!(recalls(&usage, "sub/b.md"), Some((1, 1)));
    assert_eq!(recalls(&usage, "c.md"), Some((1, 1)));
    assert_eq!(recalls(&usage, "gone.md"), None);
    let last = usage.by_memory[&RelPath::new("a.md").unwrap()].last.unwrap();
    assert_eq!(last.to_rfc3339(), "2026-03-04T10:00:00+00:00");
    let ids: Vec<&str> = usage.sessions.iter().map(|session| session.id.as_str()).collect();
    assert_eq!(ids, ["s3", "s1", "s2"], "by their begin, a sub-agent is none");
}

#[test]
fn the_transcripts_own_record_says_what_became_of_the_index() {
    let world = World::new();
    let lines = |count: usize| "- [a](a.md)\n".repeat(count);
    let notice = format!("{}\n\n> {}", lines(3).trim_end(), "MEMORY.md: 30 KB of text where 25 may be");
    for (session, day, index) in [
        ("whole", 1, Some(lines(200))),
        ("lines", 2, Some(lines(201))),
        ("units", 3, Some("x".repeat(25_001))),
        ("notice", 4, Some(notice)),
        ("quoting", 5, Some("- [a](a.md)\n\n> a word about MEMORY.md".into())),
        ("none", 6, None),
    ] {
        world.append(&format!("{session}.jsonl"), &[world.start(day, index.as_deref())]);
    }
    world.append("before.jsonl", &[world.call(7, "t", "a.md")]);
    let (usage, _) = world.read_all();
    let found: Vec<(&str, IndexLoad)> =
        usage.sessions.iter().map(|one| (one.id.as_str(), one.index)).collect();
    assert_eq!(
        found,
        [
            ("before", IndexLoad::Unknown),
            ("none", IndexLoad::NotAtAll),
            ("quoting", IndexLoad::Whole),
            ("notice", IndexLoad::Cut),
            ("units", IndexLoad::Cut),
            ("lines", IndexLoad::Cut),
            ("whole", IndexLoad::Whole),
        ]
    );
}

#[test]
fn only_what_is_new_is_read() {
    let world = World::new();
    world.append("s.jsonl", &[world.call(2, "t1", "a.md")]);
    let (usage, of) = world.read_all();
    assert_eq!((recalls(&usage, "a.md"), of), (None, 0), "nothing to tell below a megabyte");
    let before = fs::metadata(world.file("s.jsonl")).unwrap().len();
    // The result of a call that was read before.
    let result = world.result(3, "t1", false);
    world.append("s.jsonl", std::slice::from_ref(&result));
    let filler = world.stamped(3, json!({ "type": "user", "message": { "content": "x".repeat(2 << 20) } }));
    world.append("s.jsonl", &[filler]);
    let (usage, of) = world.read_all();
    assert_eq!(recalls(&usage, "a.md"), Some((1, 1)));
    assert_eq!(of, fs::metadata(world.file("s.jsonl")).unwrap().len() - before);
    let kept = fs::metadata(world.cache()).unwrap();
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&kept.permissions()) & 0o777, 0o600);
    let mut asked = false;
    world.read(&mut |_| {
        asked = true;
        true
    });
    assert!(!asked, "nothing is new");
    // Rewritten in place, and longer than before.
    let text = format!("{}\n{}\n", world.call(4, "t9", "b.md"), world.result(4, "t9", false));
    fs::write(world.file("s.jsonl"), format!("{text}{}", " \n".repeat(2 << 20))).unwrap();
    let (usage, _) = world.read_all();
    assert_eq!((recalls(&usage, "a.md"), recalls(&usage, "b.md")), (None, Some((1, 1))));
    fs::remove_file(world.file("s.jsonl")).unwrap();
    assert_eq!(world.read_all().0, Usage::default());
}

#[test]
fn a_damaged_cache_is_none_and_stopping_keeps_what_was_read() {
    let world = World::new();
    world.append("a.jsonl", &[world.call(2, "t1", "a.md"), world.result(2, "t1", false)]);
    let filler = world.stamped(3, json!({ "type": "user", "message": { "content": "x".repeat(700 << 10) } }));
    world.append("b.jsonl", &[filler.clone(), filler.clone(), filler]);
    assert_eq!(world.read(&mut |_| false), None);
    assert!(world.cache().exists());
    let (whole, _) = world.read_all();
    assert_eq!(recalls(&whole, "a.md"), Some((1, 1)));
    for damage in ["", "{", "[]", "{\"version\":1,\"files\":{\"x\":3}}", "{\"version\":99,\"files\":{}}"] {
        fs::write(world.cache(), damage).unwrap();
        assert_eq!(world.read_all().0, whole, "{damage}");
    }
    fs::remove_file(world.cache()).unwrap();
    fs::create_dir(world.cache()).unwrap();
    assert_eq!(world.read_all().0, whole, "a cache that can't be written is no fault");
}

#[test]
fn broken_lines_are_counted() {
    let world = World::new();
    world.append("s.jsonl", &[world.call(2, "t1", "a.md"), world.result(2, "t1", false)]);
    let mut file = fs::File::options().append(true).open(world.file("s.jsonl")).unwrap();
    file.write_all(b"{\"half\n\xff\xff\nno json\n").unwrap();
    let (usage, _) = world.read_all();
    assert_eq!(usage.notes, ["3 broken of 5 lines were skipped"]);
    assert_eq!(recalls(&usage, "a.md"), Some((1, 1)));
}

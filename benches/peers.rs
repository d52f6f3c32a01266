//! memcurator against named peers, in one run on one machine: ratios, never absolute promises.
//!
//! `scripts/bench-peers.sh` builds everything, makes the store and runs this:
//! `cargo bench --bench peers -- DIR MEMCURATOR`. Without a directory (as in `cargo bench`) it makes a small store.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::cast_precision_loss
)]

use memcurator::app::action::Question;
use memcurator::app::contents::Contents;
use memcurator::app::query::Query;
use memcurator::client::disk::DiskPort;
use memcurator::prompt::locate;
use memcurator::prompt::port::Environment;
use memcurator::prompt::subject::{Subject, Usual};
use memcurator::shell::matching;
use memcurator::store;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

#[allow(dead_code)]
#[path = "../examples/make-store.rs"]
mod make_store;

const RUNS: usize = 15;

fn main() {
    let mut args = std::env::args().skip(1).filter(|a| !a.starts_with("--"));
    let scratch = tempfile::tempdir().unwrap();
    let dir = args.next().map_or_else(|| small_store(scratch.path()), PathBuf::from);
    let program = args.next();

    let contents = Arc::new(load_and_parse(&dir));
    filter(&contents);
    preview();
    if let Some(program) = program {
        first_frame(Path::new(&program), &dir);
    }
}

fn small_store(at: &Path) -> PathBuf {
    make_store::make(at, 500, &mut make_store::Random(7)).unwrap();
    at.to_path_buf()
}

fn load_and_parse(dir: &Path) -> Contents {
    let now = chrono::Utc::now();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let start = Instant::now();
        let snapshot = store::scan(dir, &|_| ()).unwrap();
        ours.push(start.elapsed());
        std::hint::black_box(snapshot);
        theirs.extend(timed(Command::new("rg").args(["-c", ""]).arg(dir)));
    }
    let snapshot = store::scan(dir, &|_| ()).unwrap();
    let bytes: usize = snapshot.memories.iter().map(|m| m.bytes.len()).sum();
    println!("store: {} memories, {:.1} MB", snapshot.memories.len(), bytes as f64 / 1e6);
    report("load and parse", &mut ours, "rg -c ''", &mut theirs, "at most 3, aim 2");
    let start = Instant::now();
    let contents = Contents::new(snapshot, Vec::new(), now);
    println!("findings, links and rows worked out in {:.1} ms", ms(start.elapsed()));
    contents
}

fn filter(contents: &Arc<Contents>) {
    let mut text = String::new();
    for memory in &contents.snapshot.memories {
        let body = memory.text().replace(['\n', '\r', '\0'], " ");
        let _ = writeln!(text, "{} {body}", memory.path);
    }
    for words in ["settlement", "refund approval", "zzzznothing"] {
        let question = ask(contents, words, None).unwrap();
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            let start = Instant::now();
            std::hint::black_box(matching::run(&question, &|| false));
            ours.push(start.elapsed());
            theirs.extend(fzf(words, &text));
        }
        report(&format!("filter {words:?}"), &mut ours, "fzf --filter", &mut theirs, "at most 0.2");
    }
    let mut strokes = Vec::new();
    for words in ["settlement", "refund approval", "zzzznothing", "overweight e", "결정 테스트"] {
        let mut last: Option<Question> = None;
        let mut found = Arc::new(Vec::new());
        for end in words.char_indices().map(|(at, c)| at + c.len_utf8()) {
            let Some(mut question) = words.get(..end).and_then(|text| ask(contents, text, None)) else {
                continue;
            };
            if last.as_ref().is_some_and(|wider| question.query.narrows(&wider.query)) {
                question.within = Some(Arc::clone(&found));
            }
            let start = Instant::now();
            found = Arc::new(matching::run(&question, &|| false).unwrap());
            strokes.push(start.elapsed());
            last = Some(question);
        }
    }
    strokes.sort();
    println!(
        "filter keystroke: p50 {:.2} ms, p95 {:.2} ms, worst {:.2} ms (p95 at most 16)",
        ms(at(&strokes, 50)),
        ms(at(&strokes, 95)),
        ms(at(&strokes, 100)),
    );
}

/// A home with 200 static files and an index over its limits, against `cat` of the same files.
fn preview() {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path().canonicalize().unwrap();
    let project = root.join("pay");
    let env = Environment { home: root.join("home"), cwd: project.clone(), ..Environment::default() };
    let mut files: Vec<PathBuf> = Vec::new();
    let mut write = |path: PathBuf, text: &str| {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        files.push(path);
    };
    let text = "Amounts are integers in the smallest unit. ".repeat(40);
    write(project.join(".git/HEAD"), "");
    for n in 0..149 {
        write(project.join(format!(".claude/rules/r{n}.md")), &text);
    }
    for n in 0..50 {
        write(project.join(format!("docs/d{n}.md")), &text);
    }
    let imports: String = (0..50).map(|n| format!("- @docs/d{n}.md\n")).collect();
    write(project.join("CLAUDE.md"), &imports);
    let dir = locate::client_store(&DiskPort, &env).dir;
    let index: String =
        (0..220).map(|n| format!("- [Memory {n}](m{n}.md) — {}\n", "what it says ".repeat(8))).collect();
    write(dir.join("MEMORY.md"), &index);
    let (subject, request) = (Subject::Client(project), Usual::default().request(&[], chrono::Utc::now()));
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let start = Instant::now();
        let preview = subject.preview(&DiskPort, &env, &request);
        ours.push(start.elapsed());
        assert_eq!(preview.sections.len(), 201);
        theirs.extend(timed(Command::new("cat").args(&files)));
    }
    report("preview of 200 files and a full index", &mut ours, "cat", &mut theirs, "no limit set");
}

fn ask(contents: &Arc<Contents>, words: &str, within: Option<Arc<Vec<usize>>>) -> Option<Question> {
    let query = Arc::new(Query::parse(words)?);
    Some(Question { number: 0, query, contents: Arc::clone(contents), within })
}

fn first_frame(program: &Path, dir: &Path) {
    let state = tempfile::tempdir().unwrap();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let mut command = Command::new(program);
        command.arg("--store").arg(dir).args(["--size", "120x40", "--print"]);
        command.env("XDG_STATE_HOME", state.path()).env("XDG_CONFIG_HOME", state.path());
        ours.extend(timed(&mut command));
        theirs.extend(timed(Command::new("rg").args(["-c", ""]).arg(dir)));
    }
    report("start to a whole first frame", &mut ours, "rg -c ''", &mut theirs, "no limit set");
}

fn fzf(words: &str, text: &str) -> Option<Duration> {
    let start = Instant::now();
    let mut child = Command::new("fzf")
        .args(["--filter", words])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    child.wait().ok()?;
    Some(start.elapsed())
}

fn timed(command: &mut Command) -> Option<Duration> {
    let start = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
    Some(start.elapsed())
}

fn report(what: &str, ours: &mut [Duration], peer: &str, theirs: &mut [Duration], limit: &str) {
    ours.sort();
    theirs.sort();
    let median = at(ours, 50);
    if theirs.is_empty() {
        println!("{what}: {:.1} ms ({peer} is not installed)", ms(median));
    } else {
        let other = at(theirs, 50);
        println!(
            "{what}: {:.1} ms, {peer} {:.1} ms, ratio {:.2} ({limit})",
            ms(median),
            ms(other),
            median.as_secs_f64() / other.as_secs_f64()
        );
    }
}

fn at(sorted: &[Duration], percent: usize) -> Duration {
    let last = sorted.len().saturating_sub(1);
    sorted.get(last * percent / 100).copied().unwrap_or_default()
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

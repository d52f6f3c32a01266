//! The evidence engine against ripgrep and git, in one run on one machine: ratios, never absolute promises.
//!
//! `scripts/bench-evidence.sh` makes the projects and runs this: `cargo bench --bench evidence -- PROJECT WANTED`.
//! WANTED is a store, from whose memories paths, symbols and flags are taken by simple patterns, or a file of JSON.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::cast_precision_loss
)]

use memcurator::check::project::{Project, Reach, Wanted};
use memcurator::evidence::{self, Options};
use regex::Regex;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let [project, wanted] = args.as_slice() else {
        println!("evidence: run scripts/bench-evidence.sh");
        return;
    };
    let (project, source) = (Path::new(project), Path::new(wanted));
    let (wanted, paths) = if source.is_dir() { from_store(source) } else { from_json(source) };
    let scratch = tempfile::tempdir().unwrap();
    let git = evidence::find_git(&std::env::var_os("PATH").unwrap());
    let options = Options { git, budget: Duration::from_secs(120), ..Options::default() };

    let runs = if std::env::var_os("ONCE").is_some() { 1 } else { 7 };
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let mut seen = None;
    for _ in 0..runs {
        let begin = Instant::now();
        seen = Some(look(project, &wanted, &options));
        ours.push(begin.elapsed());
        theirs.extend(peer(project, &wanted, &paths, scratch.path()));
    }
    let seen = seen.unwrap();
    let literals = wanted.symbols.len() + wanted.flags.len() + wanted.settings.len();
    println!(
        "{} files, {} commits, {literals} literals and {} paths wanted: {} literals stand, {} went, {} paths went; whole: {}",
        seen.files.len(),
        seen.history.commits.len(),
        paths.len(),
        seen.places.len(),
        seen.history.last_seen.len(),
        paths.iter().filter(|path| seen.history.paths.contains_key(*path)).count(),
        seen.history.reach == Reach::Whole,
    );
    report("look", &mut ours, Some(&mut theirs));

    let kept = Options { cache: Some(scratch.path().join("cache")), ..options.clone() };
    look(project, &wanted, &kept);
    let again = |options: &Options, root: &Path| {
        (0..runs)
            .map(|_| {
                let begin = Instant::now();
                look(root, &wanted, options);
                begin.elapsed()
            })
            .collect::<Vec<_>>()
    };
    report("second look (kept)", &mut again(&kept, project), None);
    report("with the library instead of git", &mut again(&Options { git: None, ..options }, project), None);
}

fn look(root: &Path, wanted: &Wanted, options: &Options) -> Project {
    evidence::look(root, wanted, Vec::new(), options, &|_| (), &AtomicBool::new(false)).unwrap()
}

fn peer(project: &Path, wanted: &Wanted, paths: &BTreeSet<String>, scratch: &Path) -> Option<Duration> {
    let lines =
        |words: &mut dyn Iterator<Item = &String>| words.map(|word| format!("{word}\n")).collect::<String>();
    let file = |name: &str, text: String| {
        let path = scratch.join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let literals = lines(&mut wanted.symbols.iter().chain(&wanted.flags).chain(&wanted.settings));
    let (literals, paths) = (file("literals", literals), file("paths", lines(&mut paths.iter())));
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scripts/lookup-with-rg.sh");
    let begin = Instant::now();
    let mut command = Command::new(script);
    command.arg(project).args([&paths, &literals]).arg(scratch);
    let status = command.stdin(Stdio::null()).stderr(Stdio::null()).status().ok()?;
    status.success().then(|| begin.elapsed())
}

/// Symbols, flags and paths that memories name as code.
fn from_store(store: &Path) -> (Wanted, BTreeSet<String>) {
    let symbol = Regex::new(r"`(\w+)\(\)`|`([a-z]+_[a-z_0-9]+)`").unwrap();
    let flag = Regex::new(r"`[^`]*?(--[a-z][a-z0-9-]+)[^`]*`").unwrap();
    let path = Regex::new(r"[\w.-]+(?:/[\w.-]+)+\.\w+").unwrap();
    let (mut wanted, mut paths) = (Wanted::default(), BTreeSet::new());
    for entry in std::fs::read_dir(store).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap_or_default();
        let names = symbol.captures_iter(&text).filter_map(|found| found.get(1).or(found.get(2)));
        wanted.symbols.extend(names.map(|name| name.as_str().to_owned()));
        wanted.flags.extend(flag.captures_iter(&text).map(|found| found.get(1).unwrap().as_str().to_owned()));
        paths.extend(path.find_iter(&text).map(|found| found.as_str().to_owned()));
    }
    (wanted, paths)
}

fn from_json(file: &Path) -> (Wanted, BTreeSet<String>) {
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let set = |key: &str| {
        let words = json.get(key).and_then(serde_json::Value::as_array).into_iter().flatten();
        words.filter_map(|word| word.as_str().map(str::to_owned)).collect::<BTreeSet<_>>()
    };
    let wanted = Wanted { symbols: set("symbols"), flags: set("flags"), settings: set("settings") };
    (wanted, set("paths"))
}

fn report(what: &str, ours: &mut [Duration], theirs: Option<&mut Vec<Duration>>) {
    let median = |times: &mut [Duration]| {
        times.sort();
        times.get(times.len() / 2).copied().unwrap_or_default().as_secs_f64() * 1000.0
    };
    let own = median(ours);
    match theirs {
        Some(theirs) if !theirs.is_empty() => {
            let other = median(theirs);
            println!("  {what}: {own:.0} ms, ripgrep and git {other:.0} ms, ratio {:.2}", own / other);
        }
        _ => println!("  {what}: {own:.0} ms"),
    }
}

//! What repeats the project and what repeats another memory: on generated stores with a key, on the real stores, and
//! on a store of its own with ten thousand memories.

use crate::corpus::{corpus, read};
use memcurator::check::project::{Commit, History, Project, Reach, Text};
use memcurator::check::{Depth, Facts, Finding, Look, Settings, Severity, run};
use memcurator::memory::snapshot::Snapshot;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

const MINE: [&str; 4] = ["repeats-instructions", "repeats-repository", "repeats-history", "duplicate"];

/// The findings of the checks that this file is about.
fn findings(snapshot: &Snapshot, project: Option<&Project>) -> Vec<Finding> {
    let (facts, settings) = (Facts::of(snapshot), Settings::default());
    let now = "2026-07-01T12:00:00Z".parse().unwrap();
    let look = Look { project, ..Look::quick(snapshot, &facts, &[], now, &settings) };
    let mut all = run(&look, Depth::Deep);
    all.retain(|one| MINE.contains(&one.check.0));
    all
}

/// A project read with plain means.
fn project(root: &Path) -> Project {
    let git = |args: &[&str]| {
        let out = Command::new("git").arg("-C").arg(root).args(args).output().unwrap();
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    let mut files: Vec<String> = git(&["ls-files"]).lines().map(str::to_owned).collect();
    files.sort();
    let text = |path: &str| Text {
        path: path.to_owned(),
        text: String::from_utf8_lossy(&std::fs::read(root.join(path)).unwrap()).into_owned(),
    };
    let manifests = ["package.json", "Cargo.toml", "Makefile", "README.md"];
    let commits = git(&["log", "--format=%H%x1f%cI%x1f%s%x1f%b%x1e"]);
    let commits = commits.split('\u{1e}').filter(|one| one.trim().len() > 40).map(|one| {
        let parts: Vec<&str> = one.trim().split('\u{1f}').collect();
        let date = parts[1].parse().unwrap();
        Commit { id: parts[0].into(), date, subject: parts[2].into(), body: parts[3].into() }
    });
    let history = History { reach: Reach::Whole, commits: commits.collect(), ..History::default() };
    let texts = manifests.into_iter().filter(|name| root.join(name).exists()).map(text).collect();
    Project {
        root: root.to_owned(),
        files: Arc::new(files),
        texts,
        instructions: vec![text("CLAUDE.md")],
        history,
        ..Project::default()
    }
}

/// The generated stores with a key: what repeats the project is found, and nothing else.
#[test]
fn generated_stores_with_a_key() {
    let Some(shared) = crate::shared() else { return };
    let (mut found, mut wrong, mut missed) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for (seed, clean) in [(1, false), (2, false), (3, false), (4, true)] {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("made");
        let mut command = Command::new("python3");
        command.arg(shared.join("tools/make_store.py")).arg(&out);
        command.args(["--memories", "300", "--files", "200", "--seed", &format!("{seed}")]);
        if clean {
            command.arg("--clean");
        }
        assert!(command.output().unwrap().status.success());
        let snapshot = read(&out.join("memory"));
        let project = project(&out.join("project"));
        let key: BTreeMap<String, Vec<String>> =
            serde_json::from_slice(&std::fs::read(out.join("answers.json")).unwrap()).unwrap();
        let said: BTreeSet<(String, &str)> = findings(&snapshot, Some(&project))
            .iter()
            .filter(|one| one.check.0.starts_with("repeats") && one.severity > Severity::Info)
            .map(|one| (one.memory.to_str_lossy().into_owned(), one.check.0))
            .collect();
        let wanted: BTreeSet<(String, &str)> = key
            .iter()
            .flat_map(|(file, ids)| ids.iter().map(|id| (file.clone(), id.as_str())))
            .filter(|(_, id)| id.starts_with("repeats"))
            .collect();
        for (file, id) in &said | &wanted {
            let right = (said.contains(&(file.clone(), id)), wanted.contains(&(file.clone(), id)));
            let count = match right {
                (true, true) => &mut found,
                (true, false) => &mut wrong,
                _ => &mut missed,
            };
            *count.entry(id.to_owned()).or_insert(0) += 1;
            if right != (true, true) {
                println!(
                    "{right:?} {id} {}",
                    std::fs::read_to_string(out.join("memory").join(&file)).unwrap()
                );
            }
        }
    }
    println!("found {found:?}, false {wrong:?}, missed {missed:?}");
    assert!(found.len() == 3 && wrong.is_empty() && missed.is_empty());
}

/// On the real stores (whose words are scrambled, the same one always in the same way) the same is seldom told twice.
#[test]
fn real_stores_are_not_flooded() {
    let (mut memories, mut count) = (0, 0);
    for root in corpus() {
        let snapshot = read(&root);
        memories += snapshot.memories.len();
        for one in findings(&snapshot, None) {
            assert!(one.line > 0);
            println!(
                "{:?} {} {}: {}",
                one.severity,
                root.file_name().unwrap().display(),
                one.memory,
                one.message
            );
            count += 1;
        }
    }
    println!("{count} of {memories}");
    assert!(count * 25 <= memories.max(1), "{count} of {memories}");
}

/// A store of many memories with planted duplicates: they are found, also where most share a template.
/// `MEASURE=10000 cargo test --release --test it many_memories -- --nocapture` gives the time.
#[test]
fn many_memories_are_compared_without_a_look_at_each_pair() {
    let count: usize = std::env::var("MEASURE").ok().and_then(|n| n.parse().ok()).unwrap_or(600);
    // A generator of its own, so that each run makes the same store.
    let mut seed = 7_u64;
    let mut next = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let syllables = ["ba", "ke", "lor", "mi", "ten", "su", "ra", "vo", "pin", "de", "gal", "zu"];
    let words: Vec<String> = (0..4000)
        .map(|at| [at % 12, at / 12 % 12, at / 144 % 12, at / 1728].map(|s| syllables[s % 12]).concat())
        .collect();
    // Some words are in very many memories.
    let mut sentence = |length: usize| -> Vec<&str> {
        (0..length)
            .map(|_| {
                let most = [20, 400, 4000][next(3)];
                words[next(most)].as_str()
            })
            .collect()
    };
    let mut texts: Vec<String> = Vec::new();
    while texts.len() < count {
        let at = texts.len();
        let mut claim = sentence(12);
        match at % 4 {
            0 => texts.push(format!(
                "The partner feed reads `lib/{}_{at}.py` and nothing else needs it.",
                claim[0]
            )),
            1 => {
                texts.push(format!("{}.", claim.join(" ")));
                claim.reverse();
                texts.push(format!("{}, says the team.", claim.join(" ")));
            }
            _ => texts.push(format!("{}. {}.", claim.join(" "), sentence(40).join(" "))),
        }
    }
    let memory = |(at, text): (usize, &String)| {
        let text = format!(
            "---\nname: m{at}\ndescription: Notes on the work, entry {at}\ntype: project\n---\n{text}\n\n**Why:** the audit asked for it.\n"
        );
        Arc::new(memcurator::memory::snapshot::Memory {
            path: memcurator::memory::path::RelPath::new(format!("m{at}.md")).unwrap(),
            bytes: text.as_bytes().into(),
            document: memcurator::memory::document::Document::parse(text.as_bytes()),
            stat: memcurator::memory::snapshot::Stat { mtime: Default::default(), mode: 0o644, link: None },
        })
    };
    let snapshot =
        Snapshot { memories: texts.iter().enumerate().map(memory).collect(), ..Snapshot::default() };
    let start = std::time::Instant::now();
    let told = memcurator::check::likeness::Told::of(&snapshot);
    let made = start.elapsed();
    let near: usize = (0..snapshot.memories.len()).map(|at| told.near_own(at).len()).sum();
    println!("{} memories: read in {made:?}, {near} comparisons, {:?} in all", texts.len(), start.elapsed());
    let found: BTreeSet<String> =
        findings(&snapshot, None).into_iter().map(|one| one.memory.to_string()).collect();
    println!("all four checks: {:?} in all", start.elapsed());
    let planted = texts.iter().enumerate().filter(|(_, text)| text.ends_with("says the team."));
    let planted: BTreeSet<String> = planted.map(|(at, _)| format!("m{at}.md")).collect();
    let hit = planted.intersection(&found).count();
    assert!(hit * 100 >= planted.len() * 95, "{hit} of {}", planted.len());
    assert!(found.len() * 100 <= hit * 105, "{hit} of {}", found.len());
    assert!(near <= texts.len() * 40, "{near}");
}

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
                println!("{right:?} {id} {}", std::fs::read_to_string(out.join("memory").join(&file)).unwrap());
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
            println!("{:?} {} {}: {}", one.severity, root.file_name().unwrap().display(), one.memory, one.message);
            count += 1;
        }
    }
    println!("{count} of {memories}");
    assert!(count * 25 <= memories.max(1), "{count} of {memories}");
}

//! The house: which module may import which (docs/ARCHITECTURE.md), and what the core may not touch.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each module with the modules that it may import. Imports go down only.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("memory", &[]),
    ("prompt", &["memory"]),
    ("check", &["memory", "prompt"]),
    ("review", &["memory", "prompt", "check"]),
    ("store", &["memory", "prompt", "check", "review"]),
    ("client", &["memory", "prompt", "check", "review"]),
    ("evidence", &["memory", "prompt", "check"]),
    ("app", &["memory", "prompt", "check", "review"]),
    ("ui", &["memory", "prompt", "check", "review", "app"]),
    ("demo", &["memory", "prompt", "review", "store", "client"]),
    ("config", &["memory", "prompt", "check", "app"]),
    ("shell", &["memory", "prompt", "check", "review", "store", "client", "evidence", "app", "ui", "config"]),
    (
        "cli",
        &[
            "memory", "prompt", "check", "review", "store", "client", "evidence", "app", "ui", "shell",
            "demo", "config",
        ],
    ),
    ("main", &["cli", "shell"]),
    ("lib", &[]),
];

/// The core knows no terminal, no clock, no environment and no disk.
const CORE: &[&str] = &["memory", "prompt", "check", "review", "app"];
const NOT_IN_CORE: &[&str] = &[
    "std::fs",
    "std::env",
    "std::process",
    "std::net",
    "SystemTime",
    "Instant::now",
    "Utc::now",
    "Local::now",
    "crossterm::",
    "ratatui::",
    "git2::",
    "rustix::",
    "tempfile::",
    ".exists()",
    ".is_file()",
    ".is_dir()",
    ".canonicalize()",
];

fn sources() -> Vec<(String, PathBuf)> {
    fn walk(dir: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    walk(&root, &mut found);
    found
        .into_iter()
        .map(|path| {
            let first = path.strip_prefix(&root).unwrap().components().next().unwrap();
            let module = Path::new(first.as_os_str()).file_stem().unwrap().to_str().unwrap().to_owned();
            (module, path)
        })
        .collect()
}

/// The code of a file: without comments, and without its test module at the end.
fn code(path: &Path) -> String {
    if path.file_name().is_some_and(|n| n == "tests.rs") {
        return String::new();
    }
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    text.lines().filter(|l| !l.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

#[test]
fn imports_go_down_only() {
    let mut wrong = Vec::new();
    for (module, path) in sources() {
        let Some((_, allowed)) = MAY_IMPORT.iter().find(|(name, _)| *name == module) else {
            wrong.push(format!("{}: module `{module}` is not in the table of the house", path.display()));
            continue;
        };
        let code = code(&path);
        let prefix = if module == "main" { "memcurator::" } else { "crate::" };
        let used: BTreeSet<_> = code
            .split(prefix)
            .skip(1)
            .flat_map(|rest| match rest.strip_prefix('{') {
                Some(group) => {
                    let group = group.split('}').next().unwrap_or_default();
                    group.split(',').map(|part| first_name(part.trim())).collect::<Vec<_>>()
                }
                None => vec![first_name(rest)],
            })
            .filter(|name| MAY_IMPORT.iter().any(|(known, _)| known == name))
            .collect();
        for name in used {
            if name != module && !allowed.contains(&name.as_str()) {
                wrong.push(format!("{}: `{module}` imports `{name}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn first_name(path: &str) -> String {
    path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

#[test]
fn the_core_touches_nothing_outside() {
    let mut wrong = Vec::new();
    for (module, path) in sources() {
        if CORE.contains(&module.as_str()) {
            let code = code(&path);
            for word in NOT_IN_CORE {
                if code.contains(word) {
                    wrong.push(format!("{}: `{word}`", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Machine paths and registry hosts have no place in a public repository.
#[test]
fn no_path_of_the_workplace_is_named() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let bad = [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("index.crates", ".io-")];
    let mut wrong = Vec::new();
    let list = std::process::Command::new("git").args(["ls-files", "-z"]).current_dir(root).output().unwrap();
    for name in list.stdout.split(|b| *b == 0).filter(|n| !n.is_empty()) {
        let name = String::from_utf8_lossy(name).into_owned();
        let Ok(bytes) = fs::read(root.join(&name)) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        wrong.extend(bad.iter().filter(|b| text.contains(**b)).map(|b| format!("{name}: {b}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! What the machine's administrator sets for the client. It applies to any home, so it applies in a mirror too: a person
//! is asked before the client runs under it.

use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// One file of the administrator, with what it sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Managed {
    /// The file.
    pub path: PathBuf,
    /// What it sets: `key = value`, values cut; nothing where it is no JSON object.
    pub sets: Vec<String>,
}

/// What there is in the directory of managed settings.
#[must_use]
pub fn look(dir: &Path) -> Vec<Managed> {
    let mut files: Vec<PathBuf> = ["managed-settings.json", "managed-mcp.json", "CLAUDE.md", ".claude"]
        .map(|name| dir.join(name))
        .into();
    if let Ok(entries) = std::fs::read_dir(dir.join("managed-settings.d")) {
        files.extend(entries.flatten().map(|entry| entry.path()));
    }
    files.sort();
    files
        .into_iter()
        .filter(|path| path.symlink_metadata().is_ok())
        .map(|path| Managed { sets: sets(&path), path })
        .collect()
}

fn sets(path: &Path) -> Vec<String> {
    const MOST: usize = 60;
    let Ok(text) = std::fs::read(path) else { return Vec::new() };
    let Ok(Json::Object(all)) = serde_json::from_slice(&text) else { return Vec::new() };
    let word = |(key, value): (String, Json)| {
        let value = value.to_string();
        let cut: String = value.chars().take(MOST).collect();
        let dots = if cut.len() < value.len() { "…" } else { "" };
        format!("{key} = {cut}{dots}")
    };
    all.into_iter().map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_named_with_what_it_sets() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(look(&dir.path().join("none")), []);
        std::fs::create_dir(dir.path().join("managed-settings.d")).unwrap();
        for (name, text) in [
            ("managed-settings.json", r#"{"hooks": {"Stop": []}, "env": {"A": "b"}}"#),
            ("managed-settings.d/10.json", "no json"),
            ("CLAUDE.md", "Be careful."),
            ("something-else", ""),
        ] {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        let found = look(dir.path());
        let names: Vec<&str> =
            found.iter().map(|file| file.path.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["CLAUDE.md", "10.json", "managed-settings.json"]);
        assert_eq!(found[2].sets, [r#"hooks = {"Stop":[]}"#, r#"env = {"A":"b"}"#]);
    }
}

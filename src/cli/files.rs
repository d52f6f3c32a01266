//! Which memory a word on the command line means.

use crate::cli::failure::Failure;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::prompt::locate::path::absolute;
use std::path::{Path, PathBuf};

/// A file of the store that a word may mean.
pub struct Candidate {
    /// Its path in the store.
    pub path: RelPath,
    /// The memory's name.
    pub name: Option<String>,
}

/// The memories of a store.
pub fn candidates(snapshot: &Snapshot) -> Vec<Candidate> {
    let named = |memory: &std::sync::Arc<crate::memory::snapshot::Memory>| Candidate {
        path: memory.path.clone(),
        name: memory.document.header.name.as_deref().map(String::from),
    };
    snapshot.memories.iter().map(named).collect()
}

/// The file that `word` means: a path in the store, else a path from `cwd` that lies in it, else a stem or a name
/// that only one memory has.
///
/// # Errors
/// When it means none (the nearest are named), several (all are named), or the index.
pub fn resolve(candidates: &[Candidate], root: &Path, cwd: &Path, word: &Path) -> Result<RelPath, Failure> {
    let paths = [RelPath::new(word), inside(root, cwd, word)];
    let paths = paths.iter().flatten();
    if let Some(path) = paths.clone().find(|path| candidates.iter().any(|one| one.path == **path)) {
        return Ok(path.clone());
    }
    if paths.clone().any(RelPath::is_index) {
        return Err(Failure::refused(
            "MEMORY.md is the index, not a memory; nothing was done",
            "name a memory; park and unpark change the lines of the index",
        ));
    }
    let word = word.to_string_lossy();
    let means =
        |candidate: &&Candidate| candidate.path.stem() == word || candidate.name.as_deref() == Some(&word);
    let found: Vec<&Candidate> = candidates.iter().filter(means).collect();
    match found.as_slice() {
        [one] => Ok(one.path.clone()),
        [] => Err(Failure::refused(
            format!("there is no memory `{word}` in {}; nothing was changed", root.display()),
            nearest(candidates, &word),
        )),
        several => {
            let names: Vec<String> = several.iter().map(|candidate| candidate.path.to_string()).collect();
            let what =
                format!("`{word}` means {} memories: {}; nothing was changed", names.len(), names.join(", "));
            Err(Failure::refused(what, "give the path of the one that is meant"))
        }
    }
}

/// `word` as a path from `cwd`, when it lies in the store. Its own last link is not followed: it is the entry that
/// is meant.
fn inside(root: &Path, cwd: &Path, word: &Path) -> Option<RelPath> {
    let path = absolute(cwd, word);
    let parent: PathBuf = std::fs::canonicalize(path.parent()?).ok()?;
    RelPath::new(parent.join(path.file_name()?).strip_prefix(root).ok()?)
}

fn nearest(candidates: &[Candidate], word: &str) -> String {
    let stems: Vec<String> = candidates.iter().map(|candidate| candidate.path.stem().into_owned()).collect();
    let stems: Vec<&str> = stems.iter().map(String::as_str).collect();
    let stem = word.rsplit('/').next().unwrap_or(word).trim_end_matches(".md");
    let near = similar::get_close_matches(stem, &stems, 3, 0.6);
    let paths = candidates.iter().filter(|candidate| near.contains(&candidate.path.stem().as_ref()));
    let paths: Vec<String> = paths.take(3).map(|candidate| candidate.path.to_string()).collect();
    match paths.as_slice() {
        [] => "memcurator list names them all".into(),
        [one] => format!("did you mean {one}?"),
        several => format!("did you mean one of {}?", several.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Candidate> {
        [
            ("a.md", "Alpha"),
            ("sub/b.md", "Beta"),
            ("x/b.md", "Beta two"),
            ("refunds-two.md", "Alpha2"),
            ("c.md", "a"),
        ]
        .map(|(path, name)| Candidate { path: RelPath::new(path).unwrap(), name: Some(name.into()) })
        .into()
    }

    #[test]
    fn a_word_means_a_path_a_stem_or_a_name() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("sub")).unwrap();
        let get = |cwd: &Path, word: &str| match resolve(&all(), &root, cwd, Path::new(word)) {
            Ok(path) => path.to_string(),
            Err(Failure::Refused(words)) => format!("{} | {}", words.what, words.hint),
            Err(other) => panic!("{other:?}"),
        };
        let at = |cwd: &str, word: &str| get(Path::new(cwd), word);
        assert_eq!(at("/", "a.md"), "a.md");
        assert_eq!(at("/", "sub/b.md"), "sub/b.md");
        assert_eq!(get(&root.join("sub"), "b.md"), "sub/b.md");
        assert_eq!(get(&root.join("sub"), "../a.md"), "a.md");
        assert_eq!(at("/", root.join("sub/../a.md").to_str().unwrap()), "a.md");
        assert_eq!(at("/", "Beta two"), "x/b.md");
        assert_eq!(at("/", "refunds-two"), "refunds-two.md");
        for (word, part) in [
            ("b", "`b` means 2 memories: sub/b.md, x/b.md"),
            ("a", "`a` means 2 memories: a.md, c.md"),
            ("refund-two.md", "did you mean refunds-two.md?"),
            ("zzz", "memcurator list names them all"),
            ("../../etc/passwd", "there is no memory"),
            ("MEMORY.md", "is the index"),
        ] {
            assert!(at("/", word).contains(part), "{word}: {}", at("/", word));
        }
    }
}

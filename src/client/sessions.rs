//! What the sessions of an agent home tell about a store: which project it is about.

use crate::prompt::locate::slug::slug;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// So much of a transcript is looked at, in bytes: the directory stands in its first lines.
const MOST_BYTES: u64 = 1 << 20;
/// So many transcripts are looked at, the newest first.
const MOST_FILES: usize = 20;
/// How deep below the root of the file system a directory is looked for by its name.
const MOST_DEPTH: usize = 16;

/// The directory in which sessions work that use the store at `<projects>/<name>/memory`: as the newest transcript
/// beside it says (CLIENT_FACTS F), else the directory whose path gives that name. `None`: it is no such store, or
/// the directory is gone.
#[must_use]
pub fn project_of(store: &Path) -> Option<PathBuf> {
    let home = store.parent().filter(|_| store.ends_with("memory"))?;
    told(home).or_else(|| named(Path::new("/"), home.file_name()?.to_str()?, MOST_DEPTH))
}

fn told(home: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(home).ok()?.flatten().map(|entry| entry.path());
    let is_transcript = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "jsonl");
    let age =
        |path: &PathBuf| fs::metadata(path).and_then(|it| it.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    let mut files: Vec<PathBuf> = entries.filter(is_transcript).collect();
    files.sort_by_key(|path| std::cmp::Reverse(age(path)));
    files.iter().take(MOST_FILES).find_map(|file| in_transcript(file)).filter(|dir| dir.is_dir())
}

fn in_transcript(file: &Path) -> Option<PathBuf> {
    let text = BufReader::new(File::open(file).ok()?.take(MOST_BYTES));
    text.lines().map_while(Result::ok).find_map(|line| {
        let line: serde_json::Value = serde_json::from_str(&line).ok()?;
        let cwd = PathBuf::from(line.get("cwd")?.as_str()?);
        cwd.is_absolute().then_some(cwd)
    })
}

/// The directory below `at` whose path has this name in the agent home. Names say less than paths, so only
/// directories that can be on the way are looked into.
fn named(at: &Path, name: &str, depth: usize) -> Option<PathBuf> {
    let here = slug(at);
    if here == name && at != Path::new("/") {
        return Some(at.to_path_buf());
    }
    let is_on_the_way =
        at == Path::new("/") || name.strip_prefix(&here).is_some_and(|rest| rest.starts_with('-'));
    if depth == 0 || !is_on_the_way {
        return None;
    }
    let mut inside: Vec<PathBuf> = fs::read_dir(at).ok()?.flatten().map(|entry| entry.path()).collect();
    inside.retain(|path| name.starts_with(&slug(path)) && !path.is_symlink() && path.is_dir());
    // The longest name first: `/a/b-c` before `/a/b`.
    inside.sort_by_key(|path| std::cmp::Reverse(path.as_os_str().len()));
    inside.iter().find_map(|path| named(path, name, depth - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_names_the_project_else_the_path_does() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let project = root.join("my-project");
        fs::create_dir_all(&project).unwrap();
        let home = root.join("home/projects").join(slug(&project));
        let store = home.join("memory");
        fs::create_dir_all(&store).unwrap();
        assert_eq!(project_of(&store), Some(project.clone()), "by its name");
        let sub = project.join("sub");
        fs::create_dir(&sub).unwrap();
        let line = serde_json::json!({ "type": "user", "cwd": sub });
        fs::write(home.join("a.jsonl"), format!("not json\n{{}}\n{line}\n")).unwrap();
        assert_eq!(project_of(&store), Some(sub.clone()), "by a session");
        fs::remove_dir_all(&project).unwrap();
        assert_eq!(project_of(&store), None, "it is gone");
        assert_eq!(project_of(&root), None);
    }
}

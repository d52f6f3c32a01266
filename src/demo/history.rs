//! The git history of the demo project.
//!
//! The objects are made in memory and written as one pack with its index; the rest of `.git` is a few text files
//! written here. So no `git` program, configuration, template or hook of the person's has a part in it: libgit2
//! would read the person's configuration when it opens or makes a repository on disk.

use crate::demo::assets;
use crate::demo::manifest::{Commit, Manifest};
use crate::memory::Time;
use anyhow::{Context, Result};
use git2::{Buf, Indexer, ObjectType, Odb, Oid, Repository};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

/// Who makes the demo's commits.
const SIGNATURE: &str = "Demo <demo@example.com>";

/// The files of a commit, by path.
type Files = BTreeMap<String, Oid>;

/// Makes the project in `dir`: its files, with the times of their last commits, and its history in `dir/.git`.
///
/// # Errors
/// When a file can't be written, or the manifest names a file that is not there.
pub fn make(dir: &Path, manifest: &Manifest) -> Result<()> {
    let repository = Repository::from_odb(Odb::new()?)?;
    let odb = repository.odb()?;
    let pack = odb.add_new_mempack_backend(1)?;
    let mut files = Files::new();
    let mut changed: BTreeMap<String, Time> = BTreeMap::new();
    let mut head = None;
    for commit in &manifest.commit {
        for path in step(&odb, commit, &mut files)? {
            changed.insert(path, commit.time()?);
        }
        let entries: Vec<(&str, Oid)> = files.iter().map(|(path, id)| (path.as_str(), *id)).collect();
        let tree = tree(&odb, &entries)?;
        head = Some(odb.write(ObjectType::Commit, commit_text(commit, tree, head)?.as_bytes())?);
    }
    for (path, id) in &files {
        let time = changed.get(path).copied().context("a file without a commit")?;
        super::write(&dir.join(path), odb.read(*id)?.data(), time, mode(path))?;
    }

    let git = dir.join(".git");
    for name in ["objects/pack", "objects/info", "refs/heads", "refs/tags"] {
        std::fs::create_dir_all(git.join(name))?;
    }
    let mut bytes = Buf::new();
    pack.dump(&repository, &mut bytes)?;
    let mut indexer = Indexer::new(None, &git.join("objects/pack"), 0o444, true)?;
    indexer.write_all(&bytes)?;
    indexer.commit()?;
    std::fs::write(git.join("HEAD"), "ref: refs/heads/main\n")?;
    std::fs::write(git.join("refs/heads/main"), format!("{}\n", head.context("no commit")?))?;
    let config = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n";
    std::fs::write(git.join("config"), config)?;
    stage(&git, &files)
}

/// Changes `files` as a commit does; gives the paths that it changed.
fn step(odb: &Odb<'_>, commit: &Commit, files: &mut Files) -> Result<Vec<String>> {
    let mut changed = Vec::new();
    for path in &commit.remove {
        files.remove(path).with_context(|| format!("{path} is not there to be removed"))?;
    }
    for pair in &commit.rename {
        let (from, to) = pair.split_once(" = ").context("rename wants FROM = TO")?;
        let id = files.remove(from).with_context(|| format!("{from} is not there to be moved"))?;
        files.insert(to.into(), id);
        changed.push(to.into());
    }
    for item in &commit.add {
        let (path, source) = item.split_once(" = ").unwrap_or((item, item));
        let bytes = assets::of_project(source).with_context(|| format!("no asset {source}"))?;
        files.insert(path.into(), odb.write(ObjectType::Blob, bytes)?);
        changed.push(path.into());
    }
    Ok(changed)
}

/// Writes the tree of `entries` (paths relative to it) and gives its id.
fn tree(odb: &Odb<'_>, entries: &[(&str, Oid)]) -> Result<Oid> {
    let mut children: BTreeMap<Vec<u8>, (String, &str, Oid)> = BTreeMap::new();
    let mut dirs: BTreeMap<&str, Vec<(&str, Oid)>> = BTreeMap::new();
    for (path, id) in entries {
        match path.split_once('/') {
            Some((dir, rest)) => dirs.entry(dir).or_default().push((rest, *id)),
            None => {
                let mode = format!("{:o}", mode(path));
                children.insert(path.as_bytes().to_vec(), (format!("10{mode:0>4}"), path, *id));
            }
        }
    }
    for (dir, inside) in &dirs {
        // Git sorts a directory as if its name ended in a slash.
        children.insert(format!("{dir}/").into_bytes(), ("40000".into(), dir, tree(odb, inside)?));
    }
    let mut bytes = Vec::new();
    for (mode, name, id) in children.values() {
        write!(bytes, "{mode} {name}\0")?;
        bytes.extend_from_slice(id.as_bytes());
    }
    Ok(odb.write(ObjectType::Tree, &bytes)?)
}

fn commit_text(commit: &Commit, tree: Oid, parent: Option<Oid>) -> Result<String> {
    let parent = parent.map(|id| format!("parent {id}\n")).unwrap_or_default();
    let when = commit.time()?.timestamp();
    Ok(format!(
        "tree {tree}\n{parent}author {SIGNATURE} {when} +0000\ncommitter {SIGNATURE} {when} +0000\n\n{}\n",
        commit.message
    ))
}

/// Writes git's index, so that the work tree counts as clean.
fn stage(git: &Path, files: &Files) -> Result<()> {
    let mut index = git2::Index::open(&git.join("index"))?;
    let zero = git2::IndexTime::new(0, 0);
    for (path, id) in files {
        index.add(&git2::IndexEntry {
            ctime: zero,
            mtime: zero,
            dev: 0,
            ino: 0,
            mode: 0o100_000 | mode(path),
            uid: 0,
            gid: 0,
            file_size: 0,
            id: *id,
            flags: 0,
            flags_extended: 0,
            path: path.clone().into_bytes(),
        })?;
    }
    Ok(index.write()?)
}

fn mode(path: &str) -> u32 {
    if Path::new(path).extension().is_some_and(|ext| ext == "sh") { 0o755 } else { 0o644 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_history_is_the_manifests_and_the_work_tree_is_clean() {
        let dir = tempfile::tempdir().unwrap();
        let manifest = Manifest::read(assets::MANIFEST).unwrap();
        make(dir.path(), &manifest).unwrap();
        let repository = Repository::open(dir.path()).unwrap();
        let mut walk = repository.revwalk().unwrap();
        walk.push_head().unwrap();
        let commits: Vec<_> = walk.map(|id| repository.find_commit(id.unwrap()).unwrap()).collect();
        assert_eq!(commits.len(), manifest.commit.len());
        assert_eq!(repository.head().unwrap().shorthand(), Some("main"));
        for (made, wanted) in commits.iter().rev().zip(&manifest.commit) {
            assert_eq!(made.message(), Some(format!("{}\n", wanted.message).as_str()));
            assert_eq!(made.time().seconds(), wanted.time().unwrap().timestamp());
        }
        let has =
            |commit: &git2::Commit<'_>, path: &str| commit.tree().unwrap().get_path(Path::new(path)).is_ok();
        let (last, first) = (commits.first().unwrap(), commits.last().unwrap());
        assert!(has(first, "scripts/deploy_old.sh") && !has(last, "scripts/deploy_old.sh"));
        assert!(has(last, "src/settlement/rounding.py") && !has(last, "src/rounding.py"));
        assert_eq!(repository.statuses(None).unwrap().len(), 0, "nothing differs from the last commit");
        for (path, _) in assets::below("project") {
            assert!(has(last, path), "{path} is in no commit");
        }
        // The ids are the same on every machine: dates, names and bytes are fixed.
        let again = tempfile::tempdir().unwrap();
        make(again.path(), &manifest).unwrap();
        let head = Repository::open(again.path()).unwrap().head().unwrap().target();
        assert_eq!(head, Some(last.id()));
    }
}

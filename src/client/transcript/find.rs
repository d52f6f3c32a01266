//! Which transcripts belong to a store: all whose session was started in a directory that has this store, however the
//! client named the directory of the transcript (its name is the slug of the cwd, the store's that of the git root).

use super::reader::Reader;
use crate::client::disk::DiskPort;
use crate::memory::Time;
use crate::prompt::locate::{Launch, Layout, Located, client_store_as, config_dir, git};
use crate::prompt::port::{Environment, Port};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A transcript on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    /// Its file.
    pub path: PathBuf,
    /// The session: the file's name; of a sub-agent's, the session that started it.
    pub session: String,
    /// Whether it is a sub-agent's.
    pub is_agent: bool,
    /// Its size in bytes.
    pub size: u64,
    /// When it was written to last (file time).
    pub modified: Time,
    /// The file's number on its device, by which one that was replaced is known.
    pub inode: u64,
}

/// How transcripts are looked for.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    /// The environment.
    pub env: &'a Environment,
    /// How the client is started.
    pub launch: &'a Launch,
    /// The store.
    pub store: &'a Located,
}

/// The transcripts of the store that is meant, and what they are found by.
#[derive(Debug)]
pub struct Transcripts<'a> {
    env: &'a Environment,
    launch: &'a Launch,
    store: Located,
}

impl<'a> Transcripts<'a> {
    /// Those of the store at `dir`, which need not exist.
    #[must_use]
    pub fn of(env: &'a Environment, launch: &'a Launch, project: Option<&Path>, dir: &Path) -> Self {
        let cwd = env.cwd.join(project.unwrap_or(Path::new(".")));
        let cwd = DiskPort.real(&cwd).unwrap_or(cwd);
        let there = client_store_as(&DiskPort, &Environment { cwd, ..env.clone() }, launch);
        let real = |path: &Path| DiskPort.real(path).unwrap_or_else(|_| path.to_path_buf());
        let project = there.project.filter(|_| real(&there.dir) == real(dir));
        let (dir, layout, because) = (dir.to_path_buf(), Layout::Plain, String::new());
        let store = Located { dir, layout, project, because, off: None, notes: Vec::new() };
        Self { env, launch, store }
    }

    /// How they are looked for.
    #[must_use]
    pub const fn scope(&self) -> Scope<'_> {
        Scope { env: self.env, launch: self.launch, store: &self.store }
    }

    /// All of them, sub-agents' too, the one written last first.
    #[must_use]
    pub fn all(&self, since: Option<Time>) -> Vec<Transcript> {
        self.scope().transcripts(since)
    }
}

/// How many lines are looked at for the directory that a session was started in: the second or third names it.
const HEAD: usize = 50;

impl Transcript {
    /// The transcript in this file.
    ///
    /// # Errors
    /// When it can't be looked at, or is no regular file.
    pub fn at(path: &Path) -> io::Result<Self> {
        let meta = std::fs::metadata(path)?;
        if !meta.is_file() {
            return Err(io::Error::other("it is no regular file"));
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self::of(path.to_path_buf(), &meta, stem, false))
    }

    fn of(path: PathBuf, meta: &Metadata, session: String, is_agent: bool) -> Self {
        let modified = meta.modified().map_or(Time::UNIX_EPOCH, Time::from);
        Self { path, session, is_agent, size: meta.len(), modified, inode: meta.ino() }
    }
}

impl Scope<'_> {
    /// The transcripts of the store's sessions and of their sub-agents, the one written last first. What can't be read
    /// is left out.
    #[must_use]
    pub fn transcripts(&self, since: Option<Time>) -> Vec<Transcript> {
        let mut known = HashMap::new();
        let mut found = Vec::new();
        for dir in entries(&config_dir(self.env).join("projects")) {
            for path in entries(&dir).filter(|path| is_transcript(path)) {
                let Ok(mut transcript) = Transcript::at(&path) else { continue };
                let Some(head) = head(&path) else { continue };
                let is_ours = *known.entry(head.cwd.clone()).or_insert_with(|| self.has_store(&head.cwd));
                if !is_ours {
                    continue;
                }
                transcript.is_agent = head.is_agent;
                let agents = path.with_extension("").join("subagents");
                for agent in entries(&agents).filter(|path| is_transcript(path)) {
                    if let Ok(one) = Transcript::at(&agent) {
                        let session = transcript.session.clone();
                        found.push(Transcript { session, is_agent: true, ..one });
                    }
                }
                found.push(transcript);
            }
        }
        found.retain(|one| since.is_none_or(|since| one.modified >= since));
        found.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.path.cmp(&b.path)));
        found
    }

    /// Whether a session started in this directory has the store. Of a directory that is gone (a worktree that was
    /// removed) the nearest one above it that is there tells.
    fn has_store(&self, cwd: &Path) -> bool {
        let Some(there) = cwd.ancestors().find(|dir| dir.is_dir()) else { return false };
        let env = Environment { cwd: there.to_path_buf(), ..self.env.clone() };
        let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        if real(&client_store_as(&DiskPort, &env, self.launch).dir) == real(&self.store.dir) {
            return true;
        }
        let Some(project) = &self.store.project else { return false };
        git::root(&DiskPort, &real(there), &self.launch.rules).named == real(project)
    }
}

/// What the first lines of a transcript tell.
struct Head {
    cwd: PathBuf,
    is_agent: bool,
}

fn head(path: &Path) -> Option<Head> {
    let mut reader = Reader::open_small(path).ok()?;
    for _ in 0..HEAD {
        let line = reader.next_line().ok()??;
        if let Some(cwd) = line.stamp.cwd {
            return Some(Head { cwd, is_agent: line.is_sidechain });
        }
    }
    None
}

fn is_transcript(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("jsonl"))
}

/// What is in a directory; nothing when it can't be read.
fn entries(dir: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn every_session_of_the_repository_counts_wherever_it_was_started() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap();
        let project = home.join("w/shop");
        fs::create_dir_all(project.join(".git")).unwrap();
        fs::create_dir_all(project.join("api/src")).unwrap();
        fs::create_dir_all(home.join("w/other/.git")).unwrap();
        let config = home.join(".claude/projects");
        let write = |at: &str, cwd: &Path, age: u64| {
            let path = config.join(at);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, format!("{{\"type\":\"x\"}}\n{{\"type\":\"user\",\"cwd\":{cwd:?}}}\n")).unwrap();
            let time =
                std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(2_000_000_000 - age);
            fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        };
        write("a/root.jsonl", &project, 30);
        write("b/below.jsonl", &project.join("api/src"), 10);
        write("b/removed.jsonl", &project.join("gone/deep"), 20);
        write("b/below/subagents/agent-1.jsonl", &project, 5);
        write("a/other.jsonl", &home.join("w/other"), 1);
        write("a/notes.txt", &project, 1);
        fs::write(config.join("a/empty.jsonl"), "").unwrap();
        fs::create_dir(config.join("a/dir.jsonl")).unwrap();
        let env = Environment { cwd: project.clone(), home, ..Environment::default() };
        let launch = Launch::default();
        let store = client_store_as(&DiskPort, &env, &launch);
        let scope = Scope { env: &env, launch: &launch, store: &store };
        let names = |since: Option<Time>| -> Vec<(String, bool)> {
            scope.transcripts(since).into_iter().map(|one| (one.session, one.is_agent)).collect()
        };
        let all = [("below", true), ("below", false), ("removed", false), ("root", false)];
        let all = all.map(|(name, agent)| (name.to_owned(), agent));
        assert_eq!(names(None), all);
        assert_eq!(names(Time::from_timestamp(2_000_000_000 - 15, 0)), all[..2]);
    }
}

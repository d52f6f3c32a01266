//! What the commands about transcripts have in common: which belong to the store that is meant.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::client::disk::DiskPort;
use crate::client::transcript::{Scope, Transcript};
use crate::memory::Time;
use crate::prompt::locate::{Launch, Layout, Located, client_store_as};
use crate::prompt::port::{Environment, Kind, Port};
use std::path::Path;

/// The transcripts of the store that is meant, and what they are found by.
pub struct Transcripts<'a> {
    env: &'a Environment,
    launch: &'a Launch,
    store: Located,
}

impl<'a> Transcripts<'a> {
    /// Those of the store at `dir`, which need not exist.
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
    pub const fn scope(&self) -> Scope<'_> {
        Scope { env: self.env, launch: self.launch, store: &self.store }
    }

    /// All of them, sub-agents' too, the one written last first.
    pub fn all(&self, since: Option<Time>) -> Vec<Transcript> {
        self.scope().transcripts(since)
    }
}

/// The transcript in the file that was named.
///
/// # Errors
/// When there is no such file.
pub fn named(cx: &Context<'_>, file: &Path) -> Result<Transcript, Failure> {
    let path = cx.env.cwd.join(file);
    Transcript::at(&path).map_err(|error| {
        let what = match DiskPort.kind(&path) {
            Some(Kind::Dir) => "it is a directory".to_owned(),
            _ => error.to_string(),
        };
        Failure::broken(
            format!("the transcript {} can't be read: {what}; nothing was done", path.display()),
            "name a session's .jsonl file, or leave --transcript out for the latest of this project",
        )
    })
}

//! Where a project's store is (CLIENT_FACTS A).

use crate::memory::Time;
use crate::prompt::port::{Environment, Port};
use std::path::PathBuf;

/// Where stores are and how they are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// An agent home: `<config>/projects/<slug>/memory`.
    Claude,
    /// `.agent/memory` in a project.
    Agent,
    /// Any directory.
    Plain,
}

/// A store that was found (its directory need not exist yet).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The directory of memories.
    pub dir: PathBuf,
    /// Its layout.
    pub layout: Layout,
    /// The project it belongs to, where known: the root that was slugged, or the parent of `.agent`.
    pub project: Option<PathBuf>,
    /// What decided ("the git root", "autoMemoryDirectory in FILE", …), for a person.
    pub because: String,
    /// Memory is switched off for sessions here, and by what.
    pub off: Option<String>,
    /// What was found odd on the way (a setting that is ignored and why), for a person.
    pub notes: Vec<String>,
}

/// A store that exists on this machine, as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundStore {
    /// The directory of memories.
    pub dir: PathBuf,
    /// The project as the agent home names it, with dashes for what is not a letter or digit.
    pub slug: String,
    /// How many memories it holds.
    pub memories: usize,
    /// Their size in bytes.
    pub bytes: u64,
    /// When one of them was changed last (file time).
    pub newest: Option<Time>,
}

/// The client's store for a session started in `env.cwd`, whether it exists or not.
#[must_use]
pub fn client_store(port: &dyn Port, env: &Environment) -> Located {
    let _ = port;
    Located {
        dir: env.cwd.clone(),
        layout: Layout::Plain,
        project: None,
        because: String::new(),
        off: None,
        notes: Vec::new(),
    }
}

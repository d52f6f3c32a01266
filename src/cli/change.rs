//! What the commands that change memories have in common: the store as it is, words for memories, texts from files.

use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::cli::files::{self, Candidate};
use crate::cli::prune::report;
use crate::memory::index::ParkedLine;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::review::plan::Plan;
use crate::store::Store;
use std::io::Read;
use std::path::Path;

/// A store that is about to change.
pub struct Scene {
    /// The store.
    pub store: Store,
    /// What it holds.
    pub snapshot: Snapshot,
    /// Its parked lines.
    pub parked: Vec<ParkedLine>,
    candidates: Vec<Candidate>,
}

impl Scene {
    /// Reads the store that is meant.
    ///
    /// # Errors
    /// When there is none, or it can't be read.
    pub fn new(cx: &Context<'_>) -> Result<Self, Failure> {
        let store = cx.store()?;
        let snapshot = store.scan(&|_| {})?;
        let parked = store.parked()?;
        let candidates = files::candidates(&snapshot);
        Ok(Self { store, snapshot, parked, candidates })
    }

    /// The memory that a word means.
    ///
    /// # Errors
    /// As [`files::resolve`].
    pub fn memory(&self, cx: &Context<'_>, word: &Path) -> Result<RelPath, Failure> {
        files::resolve(&self.candidates, self.store.root(), &cx.env.cwd, word)
    }

    /// The memories that words mean, each once.
    ///
    /// # Errors
    /// As [`files::resolve`].
    pub fn memories<'w>(
        &self,
        cx: &Context<'_>,
        words: impl IntoIterator<Item = &'w std::path::PathBuf>,
    ) -> Result<Vec<RelPath>, Failure> {
        let mut paths = Vec::new();
        for word in words {
            let path = self.memory(cx, word)?;
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        Ok(paths)
    }

    /// Carries the plan out and says so; `paths` are the memories that it is about, as they are called afterwards.
    ///
    /// # Errors
    /// When a file was changed by someone else, or the disk fails.
    pub fn carry_out(&self, cx: &mut Context<'_>, plan: &Plan, paths: &[RelPath]) -> Result<Status, Failure> {
        let applied = self.store.apply(plan, cx.now())?;
        report(cx, &applied, Some((plan, paths)), &[], Some("undo"))
    }
}

/// The text of a file, or of standard input for `-`.
///
/// # Errors
/// When it can't be read or is not UTF-8.
pub fn text(from: &Path) -> Result<String, Failure> {
    let read = if from.as_os_str() == "-" {
        let mut text = String::new();
        std::io::stdin().lock().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(from)
    };
    read.map_err(|error| {
        Failure::broken(format!("{} can't be read as text: {error}; nothing was changed", from.display()), "")
    })
}

//! What a person decides about changes: they are accepted, taken back, or taken in part.

use super::{Change, Changes, Kind};
use crate::memory::Time;
use crate::memory::document::Document;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::review::edit::state;
use crate::review::hunks::{self, Hunk};
use crate::review::index_file::IndexTarget;
use crate::review::new::Habit;
use crate::review::plan::{Change as Planned, Content, FileState, Plan, Refusal, Verb};
use std::collections::BTreeSet;

/// Changes that a person accepted: from now on these files count as reviewed in this state. Nothing in the store
/// changes; `store` records it as one step of history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// What was decided, in words.
    pub message: String,
    /// The files that it moves.
    pub files: Vec<Settled>,
}

/// A file and the state in which it counts as reviewed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// Which file.
    pub path: RelPath,
    /// The state that counted so far: when it is another by now, someone else reviewed it meanwhile.
    pub from: Option<Content>,
    /// The state from now on; `None`: there is none.
    pub to: Option<Content>,
    /// When the file was changed last, so that a restored one gets its time back.
    pub mtime: Option<Time>,
}

impl Changes {
    /// Accepts some changes (by their place in the list): they are reviewed.
    ///
    /// # Errors
    /// When none is named.
    pub fn accept(&self, which: &[usize]) -> Result<Decision, Refusal> {
        let chosen = self.chosen(which)?;
        let mut files = Vec::new();
        for change in &chosen {
            let settled = |path: &RelPath, from: Option<&Content>, to: Option<&Content>| Settled {
                path: path.clone(),
                from: from.cloned(),
                to: to.cloned(),
                mtime: change.time.filter(|_| to.is_some()),
            };
            match &change.kind {
                Kind::Renamed { from } => {
                    files.push(settled(from, change.old.as_ref(), None));
                    files.push(settled(&change.path, None, change.new.as_ref()));
                }
                // Its lines are told apart below.
                Kind::Index if !change.hunks.is_empty() => {}
                _ => files.push(settled(&change.path, change.old.as_ref(), change.new.as_ref())),
            }
        }
        let hunks = hunks_of(&chosen);
        if !hunks.is_empty() {
            let bytes = self.index_with(|number| hunks.contains(&number));
            files.push(Settled {
                path: RelPath::index(),
                from: Some(Content::File(self.index.old.clone())),
                to: Some(Content::File(bytes.into())),
                mtime: None,
            });
        }
        Ok(Decision { message: format!("reviewed: accepted {}", named(&chosen)), files })
    }

    /// Plans the old versions of some changes to come back: what was deleted is there again, what was added goes, and
    /// the lines of the index follow. `time_of` tells when a file with such a content was changed last, where that is
    /// known: what comes back must not look new.
    ///
    /// # Errors
    /// When none is named, or a file or the index could not be read or must not be written.
    pub fn restore(
        &self,
        which: &[usize],
        snapshot: &Snapshot,
        time_of: &dyn Fn(&RelPath, &Content) -> Option<Time>,
    ) -> Result<Plan, Refusal> {
        let chosen = self.chosen(which)?;
        let mode = Habit::of(snapshot).mode;
        let mut changes = Vec::new();
        let mut warnings = Vec::new();
        for change in &chosen {
            let before = find(snapshot, &change.path);
            let back = |path: &RelPath, mode: u32| {
                change.old.as_ref().map(|content| FileState {
                    content: content.clone(),
                    mode,
                    mtime: time_of(path, content).or_else(|| own_date(content)),
                })
            };
            match &change.kind {
                Kind::Renamed { from } => {
                    let mode = before.as_ref().map_or(mode, |state| state.mode);
                    let path = from.clone();
                    changes.push(Planned { path, before: None, after: back(from, mode) });
                    changes.push(Planned { path: change.path.clone(), before, after: None });
                }
                Kind::Index if !change.hunks.is_empty() => {}
                _ => {
                    let mode = before.as_ref().map_or(mode, |state| state.mode);
                    let (path, after) = (change.path.clone(), back(&change.path, mode));
                    changes.push(Planned { path, before, after });
                }
            }
        }
        let hunks = hunks_of(&chosen);
        if !hunks.is_empty() {
            match IndexTarget::of(snapshot)? {
                Some(target) => {
                    let bytes = self.index_with(|number| !hunks.contains(&number));
                    changes.extend(target.change(bytes));
                }
                None => warnings.push("the index is gone, so no line of it was restored".into()),
            }
        }
        let message = format!("restored {}", named(&chosen));
        Ok(Plan { verb: Verb::Edit, message, changes, outside: Vec::new(), parked: None, warnings })
    }

    /// The hunks of a changed memory, to choose from.
    #[must_use]
    pub fn hunks(&self, which: usize) -> Vec<Hunk> {
        let texts = self.list.get(which).map(Change::texts);
        texts.map_or_else(Vec::new, |(old, new)| hunks::hunks(&old, &new))
    }

    /// Plans a changed memory with those of its hunks (by number) that are taken; the others go back to what was
    /// there. With that it is reviewed.
    ///
    /// # Errors
    /// When it is no changed file, or all its hunks are taken (then it is to be accepted).
    pub fn take(&self, which: usize, hunks: &[usize], snapshot: &Snapshot) -> Result<Plan, Refusal> {
        let chosen = self.chosen(&[which])?;
        let refuse = |what: &str, hint: &str| Err(Refusal { what: what.into(), hint: hint.into() });
        let Some(change) = chosen.first().filter(|change| matches!(change.kind, Kind::Changed)) else {
            return refuse(
                "only a changed memory can be taken in part; nothing was done",
                "accept or restore it",
            );
        };
        let (Some(Content::File(old)), Some(Content::File(new))) = (&change.old, &change.new) else {
            return refuse("a link can't be taken in part; nothing was done", "accept or restore it");
        };
        let all = hunks::hunks(old, new);
        let bytes = hunks::apply(old, new, &all, |number| hunks.contains(&number));
        if bytes == **new {
            return refuse("all of it is taken, so there is nothing to change", "accept it");
        }
        let before = find(snapshot, &change.path);
        let mode = before.as_ref().map_or(0o600, |state| state.mode);
        let after = FileState { content: Content::File(bytes.into()), mode, mtime: None };
        Ok(Plan {
            verb: Verb::Edit,
            message: format!("took {} of {} parts of the change of {}", hunks.len(), all.len(), change.title),
            changes: vec![Planned { path: change.path.clone(), before, after: Some(after) }],
            outside: Vec::new(),
            parked: None,
            warnings: Vec::new(),
        })
    }

    fn chosen(&self, which: &[usize]) -> Result<Vec<&Change>, Refusal> {
        let which: BTreeSet<usize> = which.iter().copied().collect();
        let chosen: Vec<&Change> = which.iter().filter_map(|at| self.list.get(*at)).collect();
        if chosen.is_empty() {
            let what = "there is no such change, so nothing was done".into();
            return Err(Refusal { what, hint: "`changes` lists them".into() });
        }
        Ok(chosen)
    }

    fn index_with(&self, takes: impl Fn(usize) -> bool) -> Vec<u8> {
        hunks::apply(&self.index.old, &self.index.new, &self.index.hunks, takes)
    }
}

fn hunks_of(chosen: &[&Change]) -> BTreeSet<usize> {
    chosen.iter().flat_map(|change| change.hunks.iter().copied()).collect()
}

fn named(chosen: &[&Change]) -> String {
    match chosen {
        [one] => one.title.clone(),
        many => format!("{} changes", many.len()),
    }
}

/// A file of the store as it was read.
fn find(snapshot: &Snapshot, path: &RelPath) -> Option<FileState> {
    if path.is_index() {
        let file = snapshot.index.as_ref()?;
        let content = match &file.stat.link {
            Some(link) => Content::Link(link.target.clone()),
            None => Content::File(file.bytes.clone()),
        };
        return Some(FileState { content, mode: file.stat.mode, mtime: Some(file.stat.mtime) });
    }
    let memory = snapshot.memories.iter().find(|memory| memory.path == *path)?;
    Some(state(memory))
}

/// The date that a memory gives itself.
fn own_date(content: &Content) -> Option<Time> {
    let Content::File(bytes) = content else { return None };
    let header = Document::parse(bytes).header;
    header.modified.or(header.updated_at)
}

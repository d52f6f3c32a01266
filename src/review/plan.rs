//! A planned operation: every file before and after. `store` carries it out, as one step of history.

use crate::memory::Time;
use crate::memory::index::ParkedLine;
use crate::memory::path::RelPath;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

/// One operation, planned on a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// What kind of operation.
    pub verb: Verb,
    /// What it does in words, for the log and the message line: `deleted 3 memories`.
    pub message: String,
    /// Every file concerned; the index is one of them. The order does not matter: `store` puts new and
    /// changed memories first, then the index, then deletions.
    pub changes: Vec<Change>,
    /// Files outside of the store that change with it (promotion only). They are checked before anything is
    /// written, like every other; written after the new and changed memories and before the index, so that a
    /// crash leaves the text twice rather than nowhere; and kept in the same step of history, so that one undo
    /// takes back both sides.
    pub outside: Vec<OutsideChange>,
    /// What becomes of the parked lines; `None`: nothing.
    pub parked: Option<ParkedChange>,
    /// What the person should know beforehand ("its line stands below the cut and will not load").
    pub warnings: Vec<String>,
}

/// The kinds of operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verb {
    /// Memories and their index lines removed.
    Delete,
    /// Index lines taken out, files kept.
    Park,
    /// Index lines put back.
    Unpark,
    /// Index lines added, removed or moved without a memory changing.
    Index,
    /// A memory's text changed.
    Edit,
    /// A memory's file or name changed, with the index and the links to it.
    Rename,
    /// Several memories became one.
    Merge,
    /// A memory was written.
    New,
    /// A memory became part of the instructions, outside of the store.
    Promote,
    /// A memory was said to be still true.
    Affirm,
    /// Memories came from another store.
    Arrive,
    /// Memories went to another store.
    Depart,
}

/// One file before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Which file.
    pub path: RelPath,
    /// As it was read; `None`: it must not exist.
    pub before: Option<FileState>,
    /// As it will be; `None`: it goes.
    pub after: Option<FileState>,
}

/// What becomes of the parked lines. It is a change and not the list afterwards, since another memcurator may
/// have parked others since the plan was made: theirs stay.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ParkedChange {
    /// Lines of the list, each with what it becomes; `None`: it goes.
    pub changed: Vec<(ParkedLine, Option<ParkedLine>)>,
    /// Lines that come to its end.
    pub added: Vec<ParkedLine>,
}

impl ParkedChange {
    /// The change by which some lines of a list go; `None` when none does.
    pub(super) fn without(parked: &[ParkedLine], goes: impl Fn(&ParkedLine) -> bool) -> Option<Self> {
        let gone = parked.iter().filter(|line| goes(line)).map(|line| (line.clone(), None));
        let change = Self { changed: gone.collect(), added: Vec::new() };
        (!change.changed.is_empty()).then_some(change)
    }

    /// The list after the change. A line that is not in it any more was taken by someone else: it does not come
    /// back.
    #[must_use]
    pub fn apply(&self, now: &[ParkedLine]) -> Vec<ParkedLine> {
        let mut lines: Vec<Option<ParkedLine>> = now.iter().cloned().map(Some).collect();
        for (from, to) in &self.changed {
            if let Some(line) = lines.iter_mut().find(|line| line.as_ref() == Some(from)) {
                line.clone_from(to);
            }
        }
        lines.into_iter().flatten().chain(self.added.iter().cloned()).collect()
    }
}

/// One file outside of the store before and after. It is made or changed, never removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideChange {
    /// The absolute path: a `CLAUDE.md` or a rule, of the user or of the project, as `prompt` found it.
    pub path: PathBuf,
    /// As it was read; `None`: it must not exist.
    pub before: Option<FileState>,
    /// As it will be.
    pub after: FileState,
}

/// One file's content and what the file system keeps of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileState {
    /// What it holds.
    pub content: Content,
    /// The permission bits (0o644).
    pub mode: u32,
    /// The time of last change; `None`: the time of writing.
    pub mtime: Option<Time>,
}

impl FileState {
    /// Whether both hold the same, or neither is there; permission bits and time don't count.
    #[must_use]
    pub fn same_content(one: Option<&Self>, other: Option<&Self>) -> bool {
        one.map(|state| &state.content) == other.map(|state| &state.content)
    }
}

/// What a directory entry holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Content {
    /// A file's bytes.
    File(Arc<[u8]>),
    /// A symbolic link's target, as written.
    Link(PathBuf),
}

/// Why something can't be done, for a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Refusal {
    /// What is the matter, with the file's name.
    pub what: String,
    /// What to do next; may be empty.
    pub hint: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> ParkedLine {
        ParkedLine {
            path: "x.md".into(),
            text: text.into(),
            section: None,
            before: None,
            after: None,
            instead: None,
            line: 0,
            end: "\n".into(),
        }
    }

    #[test]
    fn a_change_of_the_parked_lines_is_made_on_the_list_as_it_is_now() {
        let [a, b, c, d] = ["a", "b", "c", "d"].map(line);
        let changed = vec![(a.clone(), None), (b.clone(), Some(d.clone()))];
        let change = ParkedChange { changed, added: vec![c.clone()] };
        let is = |now: &[&ParkedLine], then: &[&ParkedLine]| {
            let now: Vec<ParkedLine> = now.iter().map(|line| (*line).clone()).collect();
            assert_eq!(change.apply(&now).iter().collect::<Vec<_>>(), then);
        };
        is(&[&a, &b], &[&d, &c]);
        is(&[&c, &b, &a], &[&c, &d, &c]);
        // What someone else took meanwhile does not come back; of two alike one goes.
        is(&[], &[&c]);
        is(&[&a, &a], &[&a, &c]);
        assert_eq!(ParkedChange::without(&[a, b], |_| false), None);
    }
}

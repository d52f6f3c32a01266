//! Files of a store that are no memories, as far as proposals are about them, and the directories that those leave.

use super::error::Result;
use super::files::{Missing, Root};
use super::operation::Session;
use super::spot::Spot;
use super::{Store, tool};
use crate::memory::Time;
use crate::memory::document::Document;
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Link, Memory, Stat};
use crate::review::plan::{Content, FileState};
use crate::review::proposal::Waiting;
use rustix::fs::AtFlags;
use std::collections::BTreeSet;
use std::sync::Arc;

impl Store {
    /// The files that waiting proposals are about and that are no memories, as they are now, by path: for
    /// [`Snapshot::beside`](crate::memory::snapshot::Snapshot). One that can't be read is left out; carrying the
    /// proposal out says why.
    ///
    /// # Errors
    /// When the queue can't be read.
    pub fn beside(&self) -> Result<Vec<Arc<Memory>>> {
        let waiting = self.queue().list()?;
        let targets = waiting.iter().filter_map(Waiting::proposal).map(|one| &one.target);
        let targets: BTreeSet<&RelPath> = targets.filter(|path| !path.is_listed()).collect();
        if targets.is_empty() {
            return Ok(Vec::new());
        }
        let Ok(root) = Root::open(&self.root) else { return Ok(Vec::new()) };
        Ok(targets.into_iter().filter_map(|path| read(&root, path)).map(Arc::new).collect())
    }
}

fn read(root: &Root, path: &RelPath) -> Option<Memory> {
    let FileState { content, mode, mtime } = root.find(&Spot::Inside(path.clone())).ok()??;
    let mtime = mtime.unwrap_or(Time::UNIX_EPOCH);
    let (bytes, link) = match content {
        Content::File(bytes) => (bytes, None),
        Content::Link(target) => (Arc::from([].as_slice()), Some(Link { target, inside: false })),
    };
    let document = Document::parse(&bytes);
    Some(Memory { path: path.clone(), bytes, document, stat: Stat { mtime, mode, link } })
}

/// Removes empty directories that stand in the place of files that an approval, or its undo, makes. What is not empty
/// stays.
pub(super) fn make_room<'p>(session: &Session, paths: impl Iterator<Item = &'p RelPath>) {
    for path in paths {
        if let Ok((dir, name)) = session.root.parent(&Spot::Inside(path.clone()), Missing::Fail) {
            tool::remove_empty(&dir, &name);
        }
    }
}

/// Removes the directories of files that are gone, when nothing is left in them.
pub(super) fn clear_away<'p>(session: &Session, paths: impl Iterator<Item = &'p RelPath>) {
    for path in paths {
        for above in path.as_path().ancestors().skip(1).filter_map(RelPath::new) {
            let Ok((dir, name)) = session.root.parent(&Spot::Inside(above), Missing::Fail) else { break };
            // The system removes none that is not empty.
            if rustix::fs::unlinkat(&dir, &name, AtFlags::REMOVEDIR).is_err() {
                break;
            }
        }
    }
}

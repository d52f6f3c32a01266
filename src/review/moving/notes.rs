//! What a person should know before memories go to another store.

use super::{Fate, Passage, Side, Way, links};
use crate::check::secrets;
use crate::memory::lines::line_of;
use crate::memory::snapshot::{Memory, Snapshot};
use crate::memory::text::visible;
use std::sync::Arc;

/// Adds to `notes`: links, names that are there twice, secrets on the way into a repository, proposals that wait.
pub(super) fn collect(
    from: Side<'_>,
    to: Side<'_>,
    way: Way,
    grown: &Snapshot,
    memories: &[&Arc<Memory>],
    passages: &[Passage],
    notes: &mut Vec<String>,
) {
    let there = visible(to.name, false);
    notes.extend(links::of_arrivals(from.snapshot, grown, passages, &there));
    if way == Way::Move {
        notes.extend(links::of_stayers(from.snapshot, passages));
    }
    let arriving = || memories.iter().zip(passages).filter(|(_, passage)| passage.fate != Fate::There);
    for (memory, passage) in arriving() {
        // Two that arrive together were called alike before.
        let Some(name) = &memory.document.header.name else { continue };
        let same = |other: &&Arc<Memory>| {
            passages.iter().all(|passage| other.path != passage.to)
                && other.document.header.name.as_deref() == Some(name.as_ref())
        };
        if let Some(other) = grown.memories.iter().find(same) {
            let other = super::shown(&other.path);
            notes.push(format!("{}: {other} there is called so too", passage.name));
        }
    }
    if let Some(repository) = to.repository {
        let repository = visible(&repository.to_string_lossy(), false).into_owned();
        for (memory, passage) in arriving() {
            let text = memory.text();
            let Some(secret) = secrets::find(&text).into_iter().next() else { continue };
            notes.push(format!(
                "{}: line {} holds a secret ({}), and {there} lies in the repository {repository}, from which others may \
                 read it",
                passage.name,
                line_of(text.as_bytes(), secret.range.start),
                secret.kind,
            ));
        }
    }
    if way == Way::Move {
        let waiting = passages.iter().filter(|passage| from.proposed.contains(&passage.from));
        notes.extend(waiting.map(|passage| {
            format!(
                "{}: a proposal about it waits here, and will be about a memory that is gone",
                passage.name
            )
        }));
    }
}

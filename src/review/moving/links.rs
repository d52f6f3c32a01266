//! Links that lead elsewhere, or nowhere, once memories are in another store.

use super::{Passage, going, shown};
use crate::memory::links::{Destination, Links};
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::memory::text::visible;
use std::collections::BTreeMap;

/// The links of what arrives that do not lead there where they led before.
pub(super) fn of_arrivals(
    from: &Snapshot,
    grown: &Snapshot,
    passages: &[Passage],
    there: &str,
) -> Vec<String> {
    let (old, new) = (Links::of(from), Links::of(grown));
    let to: BTreeMap<&RelPath, &RelPath> =
        passages.iter().map(|passage| (&passage.from, &passage.to)).collect();
    let mut found = Vec::new();
    for passage in passages {
        for (old, new) in old.out(&passage.from).iter().zip(new.out(&passage.to)) {
            let Destination::Memory(path) = &old.to else { continue };
            let written = visible(&old.written, false);
            match &new.to {
                Destination::Memory(other) if to.get(path) == Some(&other) => {}
                Destination::Memory(other) => found.push(format!(
                    "{}: its link to `{written}` leads to {} there, which is another memory",
                    passage.name,
                    shown(other)
                )),
                _ => {
                    found.push(format!("{}: its link to `{written}` leads nowhere in {there}", passage.name))
                }
            }
        }
    }
    found.dedup();
    found
}

/// The links to what goes, of memories that stay.
pub(super) fn of_stayers(from: &Snapshot, passages: &[Passage]) -> Vec<String> {
    let (links, going) = (Links::of(from), going(passages));
    let mut found = Vec::new();
    for memory in from.memories.iter().filter(|memory| !going.contains(&memory.path)) {
        let lost = links.out(&memory.path).iter().filter(|link| match &link.to {
            Destination::Memory(path) => going.contains(path),
            _ => false,
        });
        let mut written: Vec<String> =
            lost.map(|link| format!("`{}`", visible(&link.written, false))).collect();
        written.sort();
        written.dedup();
        if !written.is_empty() {
            found.push(format!(
                "{} stays, and its link to {} will lead nowhere",
                shown(&memory.path),
                written.join(", ")
            ));
        }
    }
    found
}

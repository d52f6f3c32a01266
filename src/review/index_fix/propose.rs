//! Shorter forms of long lines. They are proposed, never made by themselves: what a line says is the person's.

use crate::memory::index::{Index, LINE_UNITS, Place, shorten};
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;

/// A long line of the index and a shorter one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The line, from 0.
    pub line: usize,
    /// The memory that it names first, when it is there.
    pub memory: Option<RelPath>,
    /// Its UTF-16 units.
    pub units: usize,
    /// What it says.
    pub text: String,
    /// What it could say. The same when it can't be shortened without touching its link.
    pub shorter: String,
}

/// The lines about memories that are longer than those which the client writes itself, longest first.
#[must_use]
pub fn proposals(snapshot: &Snapshot, bytes: &[u8]) -> Vec<Proposal> {
    let index = Index::parse(bytes);
    let memory_of = index.resolve(snapshot).memory_of;
    let mut found: Vec<Proposal> = Vec::new();
    // What an entry of several lines says stands below its link, too.
    let lines = index.entries.iter().zip(memory_of).flat_map(|(entry, memory)| {
        let all = if entry.alone { entry.item.clone() } else { entry.line..entry.line + 1 };
        all.map(move |line| (entry, memory, line))
    });
    for (entry, memory, line) in lines {
        let Some(range) = index.lines.get(line) else { continue };
        let seen = found.iter().any(|other| other.line == line);
        if entry.place == Place::Prose || seen {
            continue;
        }
        let Ok(text) = std::str::from_utf8(bytes.get(range.clone()).unwrap_or_default()) else { continue };
        let units = text.encode_utf16().count();
        if units <= LINE_UNITS {
            continue;
        }
        let last_link = index.entries.iter().filter(|other| other.line == line).map(|o| o.link.end).max();
        let links = last_link.unwrap_or(range.start).saturating_sub(range.start);
        let cut = shorten(text, LINE_UNITS);
        // A table's row has a form that a cut would break, and a link is never cut.
        let keeps_links = cut.len().saturating_sub('…'.len_utf8()) > links && entry.place != Place::Row;
        found.push(Proposal {
            line,
            memory: memory.and_then(|at| snapshot.memories.get(at)).map(|memory| memory.path.clone()),
            units,
            shorter: if keeps_links { cut } else { text.to_owned() },
            text: text.to_owned(),
        });
    }
    found.sort_by_key(|proposal| std::cmp::Reverse(proposal.units));
    found
}

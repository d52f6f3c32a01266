//! How a store writes its memories: the shape of the frontmatter, names, file names.

use crate::memory::edit::{FieldSpan, Place, fields};
use crate::memory::snapshot::Snapshot;

/// How most memories of a store are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Habit {
    /// Where the type stands.
    pub shape: Shape,
    /// Names are like file names (`settle-in-cents`), not like titles.
    pub slug_names: bool,
    /// File names start with the type (`feedback_settle_in_cents.md`).
    pub typed_files: bool,
    /// What stands between the words of a file name: `-` or `_`.
    pub separator: &'static str,
    /// The permission bits of the files.
    pub mode: u32,
}

/// The two shapes of frontmatter (DESIGN §1). A session id is never invented.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// The older one: name, description, type.
    Flat,
    /// The newer one: the type under `metadata`, as the client writes it (CLIENT_FACTS D5).
    Metadata {
        /// `modified` is written too, as the client does from 2.1.332 on.
        modified: bool,
    },
}

/// The frontmatter of about so many memories is looked at: a large store has a habit too.
const LOOKED_AT: usize = 500;

impl Habit {
    /// The habit of a store; of an empty one, what the client writes today.
    #[must_use]
    pub fn of(snapshot: &Snapshot) -> Self {
        let step = 1 + snapshot.memories.len() / LOOKED_AT;
        let memories: Vec<Vec<FieldSpan>> =
            snapshot.memories.iter().step_by(step).map(|memory| fields(&memory.bytes)).collect();
        let has =
            |fields: &[FieldSpan], key| fields.iter().any(|f| f.place == Place::Metadata && f.key == key);
        let newer = memories.iter().filter(|f| has(f, "type") || has(f, "node_type")).count();
        let dated = memories.iter().filter(|f| has(f, "modified")).count();
        let written = memories.iter().filter(|f| !f.is_empty()).count();
        let shape = if most(newer, written) {
            Shape::Metadata { modified: newer > 0 && most(dated, newer) }
        } else {
            Shape::Flat
        };
        let names: Vec<&str> =
            snapshot.memories.iter().filter_map(|memory| memory.document.header.name.as_deref()).collect();
        let slugs = names.iter().filter(|name| !name.contains(char::is_whitespace)).count();
        let stems: Vec<_> =
            snapshot.memories.iter().map(|m| (m.path.stem(), &m.document.header.kind)).collect();
        let typed = stems.iter().filter(|(stem, kind)| {
            stem.strip_prefix(kind.as_str()).is_some_and(|rest| rest.starts_with(['_', '-']))
        });
        let typed_files = typed.count();
        let lines = stems.iter().filter(|(stem, _)| stem.contains('_')).count();
        let dashes = stems.iter().filter(|(stem, _)| stem.contains('-')).count();
        Self {
            shape,
            slug_names: most(slugs, names.len()),
            typed_files: !stems.is_empty() && most(typed_files, stems.len()),
            separator: if lines > dashes { "_" } else { "-" },
            mode: common_mode(snapshot),
        }
    }
}

/// Half of them or more; of none, yes.
fn most(some: usize, all: usize) -> bool {
    some * 2 >= all
}

/// The permission bits that most files have; a first file is private (DESIGN, invariant 11).
fn common_mode(snapshot: &Snapshot) -> u32 {
    let mut modes: Vec<u32> = snapshot.memories.iter().map(|memory| memory.stat.mode).collect();
    modes.sort_unstable();
    let runs = modes.chunk_by(|a, b| a == b);
    runs.max_by_key(|run| run.len()).and_then(|run| run.first().copied()).unwrap_or(0o600)
}

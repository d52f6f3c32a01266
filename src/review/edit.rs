//! A memory gets new bytes, as a change of substance or as a correction (DESIGN, invariant 4).

use crate::memory::Time;
use crate::memory::document::Document;
use crate::memory::edit::{self, FieldSpan, Refused};
use crate::memory::extended::Key;
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Snapshot};
use crate::memory::text::visible;
use crate::review::new::Habit;
use crate::review::plan::{Change, Content, FileState, Plan, Refusal, Verb};
use chrono::TimeDelta;
use std::sync::Arc;

/// What a change does to the age of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// What the memory says is new: its age starts again.
    Substance,
    /// It says the same, better: its age stays.
    Correction,
}

/// The kind that follows from what was changed: a body, type or date, and the extended fields that say what, how long or
/// how surely (`reason`, `application`, `expiresAt`, `confidence`), are substance; a name, a description, a `source`, and
/// how values are written are corrections.
#[must_use]
pub fn default_kind(before: &[u8], after: &[u8]) -> Kind {
    let body = |bytes: &[u8]| {
        let body = Document::parse(bytes).body;
        bytes.get(body).unwrap_or_default().trim_ascii().to_vec()
    };
    let says = |bytes: &[u8]| {
        let fields = edit::fields(bytes).into_iter().filter(is_substance);
        fields.map(|field| (field.place, field.key, field.text)).collect::<Vec<_>>()
    };
    if body(before) == body(after) && says(before) == says(after) {
        Kind::Correction
    } else {
        Kind::Substance
    }
}

fn is_substance(field: &FieldSpan) -> bool {
    is_substance_key(&field.key)
}

/// Whether a key says what a memory holds, or how surely: a change of it is one of substance.
#[must_use]
pub fn is_substance_key(key: &str) -> bool {
    ["type", "modified"].contains(&key) || Key::of(key).is_some_and(Key::is_substance)
}

/// Plans new bytes for one memory. Substance renews `modified` and `updatedAt` where they stand (and where the
/// person didn't set them) and adds none; a correction keeps them, and the file's time becomes the old one plus
/// one millisecond.
///
/// # Errors
/// When there is no such memory, it is a link, or nothing would change.
pub fn plan(
    snapshot: &Snapshot,
    path: &RelPath,
    bytes: &[u8],
    kind: Kind,
    now: Time,
) -> Result<Plan, Refusal> {
    let memory = find(snapshot, path)?;
    if *memory.bytes == *bytes {
        return Err(Refusal {
            what: format!("{}: nothing was changed, so nothing is saved", named(memory)),
            hint: String::new(),
        });
    }
    let mut warnings = Vec::new();
    let change = match kind {
        Kind::Correction => corrected(memory, bytes.to_vec()),
        Kind::Substance => substance(memory, bytes, now, &mut warnings),
    };
    let message =
        format!("{} {}", if kind == Kind::Substance { "changed" } else { "corrected" }, named(memory));
    Ok(Plan { verb: Verb::Edit, message, changes: vec![change], outside: Vec::new(), parked: None, warnings })
}

/// Plans a memory that someone else deleted to be written again. Its line of the index is theirs to keep or add.
#[must_use]
pub fn write_again(snapshot: &Snapshot, path: &RelPath, bytes: &[u8]) -> Plan {
    let mode = Habit::of(snapshot).mode;
    let after = FileState { content: Content::File(bytes.into()), mode, mtime: None };
    let change = Change { path: path.clone(), before: None, after: Some(after) };
    Plan {
        verb: Verb::Edit,
        message: format!("wrote {} again", visible(&path.to_str_lossy(), false)),
        changes: vec![change],
        outside: Vec::new(),
        parked: None,
        warnings: Vec::new(),
    }
}

/// New bytes as a change of substance.
pub(super) fn substance(memory: &Memory, bytes: &[u8], now: Time, warnings: &mut Vec<String>) -> Change {
    let renewed = renewed(memory, bytes, now).unwrap_or_else(|why| {
        warnings.push(format!("{}: its date was not renewed: {why}", named(memory)));
        bytes.to_vec()
    });
    changed(memory, renewed, None)
}

/// The new bytes with today's dates, unless the person set these.
fn renewed(memory: &Memory, bytes: &[u8], now: Time) -> Result<Vec<u8>, Refused> {
    let header = Document::parse(bytes).header;
    let old = &memory.document.header;
    if (header.modified, header.updated_at) == (old.modified, old.updated_at) {
        edit::renew(bytes, now)
    } else {
        Ok(bytes.to_vec())
    }
}

/// The memory at a path, when its file can be written.
pub(super) fn find<'a>(snapshot: &'a Snapshot, path: &RelPath) -> Result<&'a Arc<Memory>, Refusal> {
    let memory = snapshot.memories.iter().find(|memory| memory.path == *path).ok_or_else(|| Refusal {
        what: format!(
            "{}: no such memory in the store; nothing was changed",
            visible(&path.to_str_lossy(), false)
        ),
        hint: "read the store again, it may have changed meanwhile".into(),
    })?;
    match &memory.stat.link {
        Some(link) => Err(Refusal {
            what: format!(
                "{} is a link to {}; nothing was changed",
                visible(&path.to_str_lossy(), false),
                visible(&link.target.to_string_lossy(), false)
            ),
            hint: "change the file that it points to".into(),
        }),
        None => Ok(memory),
    }
}

/// A memory's title, safe to show.
pub(super) fn named(memory: &Memory) -> String {
    visible(&memory.title(), false).into_owned()
}

/// A memory's file as it was read.
pub(super) fn state(memory: &Memory) -> FileState {
    let content = match &memory.stat.link {
        Some(link) => Content::Link(link.target.clone()),
        None => Content::File(Arc::clone(&memory.bytes)),
    };
    FileState { content, mode: memory.stat.mode, mtime: Some(memory.stat.mtime) }
}

/// New bytes for a memory's file, with a time of last change (`None`: the time of writing).
pub(super) fn changed(memory: &Memory, bytes: Vec<u8>, mtime: Option<Time>) -> Change {
    let after = FileState { content: Content::File(bytes.into()), mode: memory.stat.mode, mtime };
    Change { path: memory.path.clone(), before: Some(state(memory)), after: Some(after) }
}

/// New bytes as a correction.
pub(super) fn corrected(memory: &Memory, bytes: Vec<u8>) -> Change {
    changed(memory, bytes, Some(a_moment_later(memory.stat.mtime)))
}

/// One millisecond more: the client refuses to write over a file whose time differs from what it read, and
/// overwrites unseen when it doesn't (CLIENT_FACTS G, measured). The age in days stays.
pub(super) fn a_moment_later(mtime: Time) -> Time {
    mtime + TimeDelta::milliseconds(1)
}

/// A refused edit, with the file's name and the way that is left.
pub(super) fn refusal(memory: &Memory, why: &Refused) -> Refusal {
    Refusal {
        what: format!("{}: {why}; nothing was changed", named(memory)),
        hint: "edit the raw file instead".into(),
    }
}

#[cfg(test)]
mod tests;

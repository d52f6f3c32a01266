//! A new memory, written the way the store writes its memories, with its line in the index.

mod habit;

pub use habit::{Habit, Shape};

use crate::check::secrets;
use crate::memory::Time;
use crate::memory::body::PartKind;
use crate::memory::document::{Document, MemoryType};
use crate::memory::edit::{PartRef, Place, Refused, add_part, part_text, set_field, set_part};
use crate::memory::index::NewEntry;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::memory::text::visible;
use crate::review::index_file::IndexTarget;
use crate::review::merge::with_line;
use crate::review::plan::{Change, Content, FileState, Plan, Refusal, Verb};
use crate::review::rename::{file_path, free, slug};
use crate::review::warn;
use chrono::SecondsFormat;
use std::path::Path;
use std::sync::Arc;

/// What a person says about a new memory. Empty texts are as good as none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewMemory {
    /// The fact itself.
    pub fact: String,
    /// Its type.
    pub kind: MemoryType,
    /// `name`; else the first words of the fact.
    pub name: Option<String>,
    /// `description`; else the first line of the fact.
    pub description: Option<String>,
    /// Why it is so.
    pub why: Option<String>,
    /// How to apply it.
    pub how: Option<String>,
    /// The file's name, with or without `.md`; else one that follows from the name.
    pub file: Option<String>,
}

/// The longest name and description that are made from a fact, in characters.
const LONGEST_NAME: usize = 60;
/// See [`LONGEST_NAME`]; the client cuts the lines of its own index at 150 units (CLIENT_FACTS B7).
const LONGEST_DESCRIPTION: usize = 150;

/// Plans a new memory in the way of `habit` (see [`Habit::of`]).
///
/// # Errors
/// When the fact or the type is missing, the file name can't be used or is taken, a text can't stand where it
/// belongs, or the index could not be edited safely.
pub fn new(snapshot: &Snapshot, memory: &NewMemory, now: Time, habit: &Habit) -> Result<Plan, Refusal> {
    let (Named { name, description, path }, bytes) = written(snapshot, memory, now, habit)?;
    let path = path?;
    let mut changes = vec![Change {
        path: path.clone(),
        before: None,
        after: Some(FileState {
            content: Content::File(bytes.as_slice().into()),
            mode: habit.mode,
            mtime: None,
        }),
    }];
    let line = NewEntry { path: &path, title: &name, hook: &description, kind: &memory.kind, verbatim: None };
    let mut warnings = Vec::new();
    changes.extend(index_change(snapshot, &line, &bytes, &mut warnings)?);
    let message = format!("wrote {}", visible(&name, false));
    Ok(Plan { verb: Verb::New, message, changes, outside: Vec::new(), parked: None, warnings })
}

/// What a new memory is called, and the bytes of its file; the index is left out.
///
/// # Errors
/// As [`new`], the index aside.
pub fn written(
    snapshot: &Snapshot,
    memory: &NewMemory,
    now: Time,
    habit: &Habit,
) -> Result<(Named, Vec<u8>), Refusal> {
    let fact = part_text(&memory.fact);
    if fact.is_empty() {
        return Err(Refusal {
            what: "the memory says nothing, so none was made".into(),
            hint: "write the fact".into(),
        });
    }
    if memory.kind == MemoryType::Missing {
        let hint = "give it one: user, feedback, project or reference".into();
        return Err(Refusal { what: "the memory has no type, so none was made".into(), hint });
    }
    let called = named(snapshot, memory, now, habit);
    let bytes =
        text(memory, &fact, &called.name, &called.description, now, habit).map_err(|why| Refusal {
            what: format!("{}: {why}; nothing was written", visible(&called.name, false)),
            hint: "write it without that, or in the raw editor".into(),
        })?;
    Ok((called, bytes))
}

/// What a new memory is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Its file, or why it can't be called so.
    pub path: Result<RelPath, Refusal>,
}

/// What a new memory will be called: what was said, else what follows from the fact.
#[must_use]
pub fn named(snapshot: &Snapshot, memory: &NewMemory, now: Time, habit: &Habit) -> Named {
    let fact = part_text(&memory.fact);
    // No secret in a name, which every session reads.
    let fact = secrets::mask(&fact);
    let first = first_words(&fact, LONGEST_NAME);
    let given =
        |text: &Option<String>| text.as_deref().map(str::trim).filter(|t| !t.is_empty()).map(str::to_owned);
    let name = given(&memory.name).unwrap_or_else(|| match slug(&first) {
        Some(slug) if habit.slug_names => slug,
        _ => first.clone(),
    });
    let description = given(&memory.description).unwrap_or_else(|| first_words(&fact, LONGEST_DESCRIPTION));
    let path = match given(&memory.file) {
        Some(file) => {
            file_path(Path::new(""), &file).and_then(|path| free(snapshot, &path, None).map(|()| path))
        }
        None => default_path(snapshot, &name, &memory.kind, now, habit),
    };
    Named { name, description, path }
}

/// The whole file. Each text is set by the same edits that change existing ones, so that it reads back.
fn text(
    memory: &NewMemory,
    fact: &str,
    name: &str,
    description: &str,
    now: Time,
    habit: &Habit,
) -> Result<Vec<u8>, Refused> {
    let mut bytes = b"---\n---\n\n".to_vec();
    let mut fields =
        vec![(Place::Top, "name", name.to_owned()), (Place::Top, "description", description.to_owned())];
    let kind = memory.kind.as_str().to_owned();
    match habit.shape {
        Shape::Flat => fields.push((Place::Top, "type", kind)),
        Shape::Metadata { modified } => {
            fields.push((Place::Metadata, "node_type", "memory".to_owned()));
            fields.push((Place::Metadata, "type", kind));
            if modified {
                let now = now.to_rfc3339_opts(SecondsFormat::Millis, true);
                fields.push((Place::Metadata, "modified", now));
            }
        }
    }
    for (place, key, value) in fields {
        bytes = set_field(&bytes, place, key, &value)?;
    }
    bytes = set_part(&bytes, PartRef { kind: PartKind::Fact, number: 0 }, fact)?;
    for (kind, text) in [(PartKind::Why, &memory.why), (PartKind::How, &memory.how)] {
        match text.as_deref().map(part_text) {
            Some(text) if !text.is_empty() => bytes = add_part(&bytes, kind, &text)?,
            _ => {}
        }
    }
    Ok(bytes)
}

/// The index with the new line. A store of memories without an index gets none: one that names only the new
/// memory would keep the client from writing one that names them all (CLIENT_FACTS B7, from 2.1.332 on).
pub(super) fn index_change(
    snapshot: &Snapshot,
    line: &NewEntry<'_>,
    bytes: &[u8],
    warnings: &mut Vec<String>,
) -> Result<Option<Change>, Refusal> {
    let target = match IndexTarget::of(snapshot)? {
        Some(target) => target,
        None if snapshot.memories.is_empty() => IndexTarget::missing(None),
        None => {
            warnings
                .push("the store has no index, so no line was added; make one for all its memories".into());
            return Ok(None);
        }
    };
    let after = with_line(snapshot, &target.bytes, line)?;
    let mut grown = snapshot.clone();
    let stat = crate::memory::snapshot::Stat { mtime: Time::UNIX_EPOCH, mode: 0o600, link: None };
    grown.memories.push(Arc::new(crate::memory::snapshot::Memory {
        path: line.path.clone(),
        bytes: bytes.into(),
        document: Document::parse(bytes),
        stat,
    }));
    let at = grown.memories.len() - 1;
    warnings.extend(warn::cut(&grown, &[at], &target.bytes, &after));
    Ok(target.change(after))
}

/// A file name that follows from the name; with a number when it is taken. A name in a script that file names
/// here don't use gives the type and the day.
pub(super) fn default_path(
    snapshot: &Snapshot,
    name: &str,
    kind: &MemoryType,
    now: Time,
    habit: &Habit,
) -> Result<RelPath, Refusal> {
    let kind = slug(kind.as_str()).unwrap_or_else(|| "memory".to_owned());
    let stem = match slug(name) {
        Some(slug) if habit.typed_files && !slug.starts_with(&format!("{kind}-")) => format!("{kind}-{slug}"),
        Some(slug) => slug,
        None => format!("{kind}-{}", now.format("%Y-%m-%d")),
    };
    let stem = stem.replace('-', habit.separator);
    let mut refused = None;
    for number in 1..1000 {
        let numbered = if number == 1 { stem.clone() } else { format!("{stem}{}{number}", habit.separator) };
        let path = file_path(Path::new(""), &numbered)?;
        match free(snapshot, &path, None) {
            Ok(()) => return Ok(path),
            Err(why) => refused = Some(why),
        }
    }
    Err(refused.unwrap_or_else(|| Refusal { what: "no file name is free".into(), hint: "give one".into() }))
}

/// The start of the first line, cut behind a word, without the full stop.
fn first_words(text: &str, longest: usize) -> String {
    let line = text.lines().next().unwrap_or_default().trim_start_matches(['#', '-', '*', '>', ' ']);
    let mut kept = String::new();
    for word in line.split_whitespace() {
        if !kept.is_empty() && kept.chars().count() + 1 + word.chars().count() > longest {
            break;
        }
        kept.extend((!kept.is_empty()).then_some(' '));
        kept.push_str(word);
    }
    kept.chars().take(longest).collect::<String>().trim_end_matches(['.', ',', ';', ':', ' ']).to_owned()
}

#[cfg(test)]
mod tests;

//! A memory gets another file name, another name, or both; the index and the links in other memories follow.

use crate::memory::edit::{Place, set_field};
use crate::memory::index::{Index, ParkedLine};
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Snapshot};
use crate::memory::text::visible;
use crate::review::edit::{a_moment_later, corrected, find, named, refusal, state};
use crate::review::index_file::IndexTarget;
use crate::review::plan::{Change, Content, FileState, ParkedChange, Plan, Refusal, Verb};
use crate::review::prune::{entries_of, index_of};
use crate::review::relink::{self, Move};
use std::collections::HashMap;
use std::path::Path;

/// What a memory shall be called; at least one of the two.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewName {
    /// The file's name, with or without `.md`; its directory stays.
    pub file: Option<String>,
    /// The `name` in the frontmatter.
    pub name: Option<String>,
}

/// A file name (without `.md`) for a name: its letters and digits of ASCII in lower case, a dash for all else.
/// `None` when less than half of it can be written so (a name in another script): the person chooses one then.
#[must_use]
pub fn slug(name: &str) -> Option<String> {
    let (kept, lost): (Vec<char>, Vec<char>) =
        name.chars().filter(|c| c.is_alphanumeric()).partition(char::is_ascii_alphanumeric);
    if kept.is_empty() || kept.len() < lost.len() {
        return None;
    }
    let dashed: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    let words: Vec<&str> = dashed.split('-').filter(|word| !word.is_empty()).collect();
    let mut slug = String::new();
    for word in words {
        if !slug.is_empty() && slug.len() + word.len() >= LONGEST_SLUG {
            break;
        }
        slug.extend((!slug.is_empty()).then_some('-'));
        slug.push_str(word);
    }
    slug.truncate(LONGEST_FILE);
    Some(slug)
}

/// A slug ends behind the word that reaches this length.
const LONGEST_SLUG: usize = 60;
/// The name that goes with a new file name, when the memory is called as its file was: the new file's stem.
#[must_use]
pub fn following(snapshot: &Snapshot, path: &RelPath, file: &str) -> Option<String> {
    let memory = snapshot.memories.iter().find(|memory| memory.path == *path)?;
    let name = memory.document.header.name.as_deref()?;
    let new = file.strip_suffix(".md").unwrap_or(file);
    (name == memory.path.stem() && name != new).then(|| new.to_owned())
}

/// The file name (without `.md`) that goes with a new name: where the file is called after the name, perhaps with
/// the type in front, it is so again, with the same sign between the words; else it stays as it is.
#[must_use]
pub fn file_for(memory: &Memory, name: &str) -> String {
    let stem = memory.path.stem().into_owned();
    let header = &memory.document.header;
    let fold = |text: &str| text.replace('_', "-").to_lowercase();
    let old = header.name.as_deref().and_then(slug);
    let (Some(old), Some(new)) = (old, slug(name)) else { return stem };
    let kind = format!("{}-", fold(header.kind.as_str()));
    let prefix = match fold(&stem) {
        folded if folded == old => String::new(),
        folded if folded.strip_prefix(&kind) == Some(&old) => kind,
        _ => return stem,
    };
    let file = format!("{prefix}{new}");
    if stem.contains('_') { file.replace('-', "_") } else { file }
}

/// No longer stem is written; file systems take 255 bytes.
const LONGEST_FILE: usize = 200;

/// Renames a memory. All files change as corrections: what they say stays the same.
///
/// # Errors
/// When there is no such memory, the new file name can't be used or is taken (letter case aside), or the name
/// or the index could not be changed safely.
pub fn rename(
    snapshot: &Snapshot,
    parked: &[ParkedLine],
    path: &RelPath,
    to: &NewName,
) -> Result<Plan, Refusal> {
    let memory = find(snapshot, path)?;
    let at = snapshot.memories.iter().position(|other| other.path == *path).unwrap_or_default();
    let new_path = match &to.file {
        Some(file) => renamed(snapshot, memory, file)?,
        None => path.clone(),
    };
    let old_name = memory.document.header.name.as_deref();
    let name = to.name.as_deref().or(old_name).map(str::to_owned);
    if new_path == *path && name.as_deref() == old_name {
        return Err(Refusal {
            what: format!("{}: it is called so already", named(memory)),
            hint: String::new(),
        });
    }
    let target = Move { from: memory, path: new_path.clone(), name: name.clone() };
    let moves = std::slice::from_ref(&target);
    let mut relinked = relink::bodies(snapshot, moves);
    let own = relinked.bytes.remove(&at).unwrap_or_else(|| memory.bytes.to_vec());
    let own = match name.as_deref() {
        Some(name) if Some(name) != old_name => {
            set_field(&own, Place::Top, "name", name).map_err(|why| refusal(memory, &why))?
        }
        _ => own,
    };
    let mut changes = own_changes(memory, &new_path, &own);
    for (at, bytes) in sorted(&relinked.bytes) {
        changes.extend(snapshot.memories.get(at).map(|other| corrected(other, bytes.clone())));
    }
    if let Some((file, index, resolution)) = index_of(snapshot)? {
        not_the_index(&file, &changes)?;
        let entries = entries_of(&resolution, &[at]);
        let bytes =
            relink::entries(&file.bytes, index, &entries, &target).ok_or_else(|| index_refusal(memory))?;
        if *file.bytes != *bytes {
            changes.extend(file.change(bytes));
        }
    }
    relinked.bytes.insert(at, own);
    let paths = HashMap::from([(at, Some(new_path.clone()))]);
    let after = relink::with(snapshot, &relinked.bytes, &paths);
    let mut warnings = relinked.warnings;
    warnings.extend(relink::surprises(snapshot, &after, moves));
    let called =
        if new_path == *path { name.unwrap_or_default() } else { new_path.to_str_lossy().into_owned() };
    Ok(Plan {
        verb: Verb::Rename,
        message: format!("renamed {} to {}", named(memory), visible(&called, false)),
        changes,
        outside: Vec::new(),
        parked: parked_lines(parked, &target),
        warnings,
    })
}

/// The path with another file name.
fn renamed(snapshot: &Snapshot, memory: &Memory, file: &str) -> Result<RelPath, Refusal> {
    let dir = memory.path.as_path().parent().unwrap_or(Path::new(""));
    let path = file_path(dir, file)?;
    free(snapshot, &path, Some(&memory.path))?;
    Ok(path)
}

/// The path of a memory's file by the name that a person gives, with or without `.md`.
pub(super) fn file_path(dir: &Path, file: &str) -> Result<RelPath, Refusal> {
    let stem = file.strip_suffix(".md").unwrap_or(file);
    let usable = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let fits =
        !stem.is_empty() && !stem.starts_with('.') && stem.chars().all(usable) && stem.len() <= LONGEST_FILE;
    let path = fits.then(|| RelPath::new(dir.join(format!("{stem}.md")))).flatten();
    path.ok_or_else(|| Refusal {
        what: format!("`{}` can't be a memory's file name; nothing was changed", visible(file, false)),
        hint: "use letters, digits, `-`, `_` and `.`, no dot at the start, at most 200 bytes".into(),
    })
}

/// Checks that no file has this path, letter case aside: many file systems don't tell the cases apart.
pub(super) fn free(snapshot: &Snapshot, path: &RelPath, own: Option<&RelPath>) -> Result<(), Refusal> {
    let key = |path: &RelPath| path.to_str_lossy().to_lowercase();
    let wanted = key(path);
    let refuse = |what: String, hint: &str| Err(Refusal { what, hint: hint.to_owned() });
    let shown = visible(&path.to_str_lossy(), false).into_owned();
    if own == Some(path) {
        return Ok(());
    }
    if own.is_some_and(|own| key(own) == wanted) {
        let what = format!("{shown} differs from the present name in letter case only; nothing was changed");
        return refuse(what, "many file systems don't tell the two apart; take another name");
    }
    let memories = snapshot.memories.iter().map(|memory| &memory.path);
    let taken =
        memories.chain(snapshot.unreadable.iter().map(|file| &file.path)).find(|other| key(other) == wanted);
    match taken {
        _ if wanted == "memory.md" => {
            refuse(format!("{shown} is the index; nothing was changed"), "take another name")
        }
        Some(other) => {
            let other = visible(&other.to_str_lossy(), false).into_owned();
            refuse(
                format!("{shown} is taken by {other}; nothing was changed"),
                "take another name, or merge the two",
            )
        }
        None => Ok(()),
    }
}

/// The memory's own file: changed where it is, or gone there and written anew.
fn own_changes(memory: &Memory, path: &RelPath, bytes: &[u8]) -> Vec<Change> {
    if *path == memory.path {
        return vec![corrected(memory, bytes.to_vec())];
    }
    let mtime = Some(a_moment_later(memory.stat.mtime));
    let after = FileState { content: Content::File(bytes.into()), mode: memory.stat.mode, mtime };
    vec![
        Change { path: path.clone(), before: None, after: Some(after) },
        Change { path: memory.path.clone(), before: Some(state(memory)), after: None },
    ]
}

/// The parked lines of the memory lead to where it moves, too.
fn parked_lines(parked: &[ParkedLine], to: &Move<'_>) -> Option<ParkedChange> {
    let old = to.from.path.to_str_lossy();
    let follow = |line: &ParkedLine| {
        let index = Index::parse(line.text.as_bytes());
        let own = index.entries_of(&to.from.path, to.from.document.header.name.as_deref());
        let text = relink::entries(line.text.as_bytes(), &index, &own, to);
        let text = text.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_else(|| line.text.clone());
        ParkedLine { path: to.path.to_str_lossy().into_owned(), text, ..line.clone() }
    };
    let changed: Vec<_> = parked
        .iter()
        .filter(|line| line.path == old)
        .map(|line| (line.clone(), Some(follow(line))))
        .collect();
    (!changed.is_empty()).then(|| ParkedChange { changed, added: Vec::new() })
}

/// Refuses when the index is a link to one of the files that change.
pub(super) fn not_the_index(index: &IndexTarget, changes: &[Change]) -> Result<(), Refusal> {
    match changes.iter().find(|change| index.is_at(&change.path)) {
        None => Ok(()),
        Some(change) => Err(Refusal {
            what: format!(
                "MEMORY.md is a link to {}, which would change too; nothing was changed",
                visible(&change.path.to_str_lossy(), false)
            ),
            hint: "replace the link by a file first".into(),
        }),
    }
}

fn index_refusal(memory: &Memory) -> Refusal {
    Refusal {
        what: format!(
            "MEMORY.md: the line of {} could not be changed safely; nothing was changed",
            named(memory)
        ),
        hint: "change that line in an editor first".into(),
    }
}

pub(super) fn sorted(bytes: &HashMap<usize, Vec<u8>>) -> Vec<(usize, &Vec<u8>)> {
    let mut sorted: Vec<_> = bytes.iter().map(|(at, bytes)| (*at, bytes)).collect();
    sorted.sort_unstable_by_key(|(at, _)| *at);
    sorted
}

#[cfg(test)]
pub(super) mod tests;

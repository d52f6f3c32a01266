//! The file name that a memory gets in another store.

use super::{Fate, shown};
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Snapshot};
use crate::review::plan::Refusal;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// So many file names are tried.
const TRIES: usize = 1000;

/// For each memory its path there: its own, else with a number. A file there with the same bytes under one of these
/// names is the memory itself, so that what was interrupted can be done again.
pub(super) fn find(to: &Snapshot, memories: &[&Arc<Memory>]) -> Result<Vec<(RelPath, Fate)>, Refusal> {
    // Many file systems don't tell letter cases apart.
    let key = |path: &RelPath| path.to_str_lossy().to_lowercase();
    let here: HashMap<&RelPath, &Arc<Memory>> =
        to.memories.iter().map(|memory| (&memory.path, memory)).collect();
    let paths = to.memories.iter().map(|memory| &memory.path);
    let mut taken: HashSet<String> =
        paths.chain(to.unreadable.iter().map(|file| &file.path)).map(key).collect();
    taken.insert("memory.md".into());
    let mut found = Vec::with_capacity(memories.len());
    for memory in memories {
        let path = (1..TRIES).find_map(|number| {
            let path = numbered(&memory.path, number)?;
            let same = here.get(&path).filter(|it| it.bytes == memory.bytes && it.stat.link.is_none());
            if same.is_some() {
                return Some((path, Fate::There));
            }
            let is_free = !taken.contains(&key(&path)) && !to.is_hidden(&path);
            is_free.then_some((path, if number == 1 { Fate::Same } else { Fate::Renamed }))
        });
        let (path, fate) = path.ok_or_else(|| Refusal {
            what: format!("{}: no file name is free for it there; nothing was changed", shown(&memory.path)),
            hint: "rename it first".into(),
        })?;
        taken.insert(key(&path));
        found.push((path, fate));
    }
    Ok(found)
}

/// `notes/name.md`, `notes/name-2.md`, … The bytes of the name stay as they are.
fn numbered(path: &RelPath, number: usize) -> Option<RelPath> {
    if number == 1 {
        return Some(path.clone());
    }
    let mut name = path.as_path().file_stem()?.to_os_string();
    name.push(format!("-{number}.md"));
    RelPath::new(path.as_path().with_file_name(name))
}

//! What a person should know before an index edit is made.

use crate::memory::index::{Index, Removed, Resolution};
use crate::memory::snapshot::Snapshot;
use crate::prompt::limits::{Fate, load};
use crate::review::prune::named;

/// Entries that stand in a sentence: the sentence stays, the link in it became plain text.
pub(super) fn in_sentences(snapshot: &Snapshot, resolution: &Resolution, removed: &Removed) -> Vec<String> {
    let plain = removed.taken.iter().filter(|taken| taken.plain);
    plain
        .map(|taken| {
            let memory = taken.entries.first().and_then(|entry| *resolution.memory_of.get(*entry)?);
            let name = named(snapshot, &memory.into_iter().collect::<Vec<_>>());
            format!(
                "line {} of the index says more than {name}: it stays, the link became text",
                taken.line + 1
            )
        })
        .collect()
}

/// New lines that do not load, and old lines that no longer do (CLIENT_FACTS B2, B3).
pub(super) fn cut(snapshot: &Snapshot, memories: &[usize], before: &[u8], after: &[u8]) -> Vec<String> {
    let index = Index::parse(after);
    let resolution = index.resolve(snapshot);
    let loaded = load(after);
    let was_cut = load(before).fate.iter().filter(|fate| **fate == Fate::Cut).count();
    let is_cut = loaded.fate.iter().filter(|fate| **fate == Fate::Cut).count();
    let entries = |memory: usize| resolution.entries_of.get(memory).into_iter().flatten();
    let cut: Vec<(usize, usize)> = memories
        .iter()
        .flat_map(|&memory| entries(memory).map(move |entry| (memory, *entry)))
        .filter_map(|(memory, entry)| Some((memory, index.entries.get(entry)?.line)))
        .filter(|(_, line)| loaded.fate.get(*line) != Some(&Fate::Loads))
        .collect();
    let own = cut.len();
    let mut warnings: Vec<String> = match cut.as_slice() {
        few if own <= 3 => few
            .iter()
            .map(|(memory, line)| {
                let name = named(snapshot, &[*memory]);
                format!("{name}: its line {} lies below the cut and will not load", line + 1)
            })
            .collect(),
        _ => vec![format!("{own} of the lines lie below the cut and will not load")],
    };
    let pushed = is_cut.saturating_sub(was_cut).saturating_sub(own);
    if pushed > 0 {
        let lines = if pushed == 1 { "1 line".to_owned() } else { format!("{pushed} lines") };
        warnings.push(format!("{lines} at the end of what loaded of the index no longer will"));
    }
    warnings
}

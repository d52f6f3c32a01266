//! Merges of text by lines.

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// The result of a merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The merged text.
    pub bytes: Vec<u8>,
    /// What could not be merged, in words; it is as in the current text.
    pub conflicts: Vec<String>,
}

/// Takes the change from `base_before` to `base_after` back out of `current`: lines that came in go, lines
/// that went come back, everything else in `current` stays.
#[must_use]
pub fn revert(base_after: &[u8], base_before: &[u8], current: &[u8]) -> Merged {
    let (after, before, lines) = (split(base_after), split(base_before), split(current));
    // Where each line of `after` stands in `current`.
    let mut place: Vec<Option<usize>> = vec![None; after.len()];
    for op in capture_diff_slices(Algorithm::Myers, &after, &lines) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            for i in 0..len {
                if let Some(slot) = place.get_mut(old_index + i) {
                    *slot = Some(new_index + i);
                }
            }
        }
    }
    let mut gone = vec![false; lines.len()];
    let mut put: Vec<Vec<&[u8]>> = vec![Vec::new(); lines.len() + 1];
    let mut conflicts = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &after, &before) {
        let (old, new) = (op.old_range(), op.new_range());
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let found: Vec<usize> =
            place.get(old.clone()).unwrap_or_default().iter().copied().flatten().collect();
        if found.len() < old.len() && !new.is_empty() {
            conflicts.push("a line was changed by someone else since and stays so".to_owned());
            continue;
        }
        for at in &found {
            if let Some(slot) = gone.get_mut(*at) {
                *slot = true;
            }
        }
        let above =
            place.get(..old.start).unwrap_or_default().iter().rev().find_map(|at| at.map(|at| at + 1));
        let at = found.first().copied().or(above).unwrap_or(0);
        if let Some(slot) = put.get_mut(at) {
            slot.extend(before.get(new).unwrap_or_default());
        }
    }
    let mut bytes = Vec::with_capacity(current.len() + base_before.len());
    let mut add = |line: &[u8]| {
        if bytes.last().is_some_and(|last| *last != b'\n') {
            bytes.push(b'\n');
        }
        bytes.extend_from_slice(line);
    };
    for (at, new) in put.iter().enumerate() {
        new.iter().for_each(|line| add(line));
        if let (Some(line), Some(false)) = (lines.get(at), gone.get(at)) {
            add(line);
        }
    }
    Merged { bytes, conflicts }
}

fn split(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

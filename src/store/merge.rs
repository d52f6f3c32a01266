//! The index is merged by lines, since an agent adds to it at any time.

use crate::review::lines;
use crate::review::plan::{Content, FileState};

/// What a merge gave.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Merge {
    /// The merged file; its time is the time of writing.
    pub state: Option<FileState>,
    /// Every part of the change found its place.
    pub is_clean: bool,
}

/// The change `from` → `to` of a file, made on what it holds now. A file that is not there counts as empty;
/// `None` when one of them is a link.
pub(super) fn rebase(from: Option<&FileState>, to: Option<&FileState>, onto: &FileState) -> Option<Merge> {
    let merged = lines::revert(bytes(from)?, bytes(to)?, bytes(Some(onto))?);
    let state = (to.is_some() || !merged.bytes.is_empty()).then(|| FileState {
        content: Content::File(merged.bytes.into()),
        mode: onto.mode,
        mtime: None,
    });
    Some(Merge { state, is_clean: merged.conflicts.is_empty() })
}

/// Whether a file was made from `after` rather than from `before`: fewer lines differ.
pub(super) fn is_nearer(here: &FileState, after: Option<&FileState>, before: Option<&FileState>) -> bool {
    let distance = |state| Some(lines_between(bytes(state)?, bytes(Some(here))?));
    match (distance(after), distance(before)) {
        (Some(after), Some(before)) => after < before,
        _ => false,
    }
}

fn lines_between(from: &[u8], to: &[u8]) -> usize {
    let split = |text| <[u8]>::split_inclusive(text, |byte| *byte == b'\n').collect::<Vec<&[u8]>>();
    let (from, to) = (split(from), split(to));
    similar::capture_diff_slices(similar::Algorithm::Myers, &from, &to)
        .iter()
        .filter(|op| !matches!(op, similar::DiffOp::Equal { .. }))
        .map(|op| op.old_range().len() + op.new_range().len())
        .sum()
}

fn bytes(state: Option<&FileState>) -> Option<&[u8]> {
    match state.map(|state| &state.content) {
        None => Some(&[]),
        Some(Content::File(bytes)) => Some(bytes),
        Some(Content::Link(_)) => None,
    }
}

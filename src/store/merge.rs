//! The index is merged by lines, since an agent adds to it at any time.

use crate::memory::index::{Line, split};
use crate::review::lines;
use crate::review::plan::{Content, FileState};

/// What a merge gave.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Merge {
    /// The merged file; its time is the time of writing.
    pub state: Option<FileState>,
    /// What could not be merged, in words: it is as it was found.
    pub conflicts: Vec<String>,
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
    Some(Merge { state, conflicts: merged.conflicts })
}

/// The lines that someone appended to `before`, when that is all that was done to it and `ours` can take
/// them in the same way.
pub(super) fn appended<'a>(before: &FileState, ours: &FileState, out: &'a FileState) -> Option<&'a [u8]> {
    let (before, ours, out) = (bytes(Some(before))?, bytes(Some(ours))?, bytes(Some(out))?);
    let is_open = |text: &[u8]| split(text).last().is_some_and(|last| last.end.is_empty());
    if is_open(before) || is_open(ours) {
        return None;
    }
    out.strip_prefix(before).filter(|suffix| !suffix.is_empty())
}

/// Those of the appended lines that are not yet in `here`, which was made from `ours`.
pub(super) fn missing(appended: &[u8], ours: &FileState, here: &FileState) -> Vec<u8> {
    let (Some(ours), Some(here)) = (bytes(Some(ours)), bytes(Some(here))) else { return Vec::new() };
    let mut there = split(here.strip_prefix(ours).unwrap_or(here));
    // The end of the file may be a line that was torn when the writer, we ourselves perhaps, was killed.
    let torn = there.pop_if(|last| last.end.is_empty()).map(|last| last.text);
    let is_new = |line: &Line<'_>| match there.iter().position(|one| one == line) {
        Some(at) => {
            there.swap_remove(at);
            false
        }
        None => true,
    };
    let new = split(appended).into_iter().filter(is_new);
    let mut new: Vec<Vec<u8>> = new.map(|line| [line.text, line.end].concat()).collect();
    let Some(torn) = torn.filter(|_| !new.is_empty()) else { return new.concat() };
    match new.iter().position(|line| line.starts_with(torn)) {
        Some(at) => {
            let line = new.remove(at);
            new.insert(0, line.get(torn.len()..).unwrap_or_default().to_vec());
        }
        // It is someone else's: ours must not become a part of it.
        None => new.insert(0, b"\n".to_vec()),
    }
    new.concat()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_torn_is_completed_and_never_joined_to_another() {
        let state =
            |text: &str| FileState { content: Content::File(text.as_bytes().into()), mode: 0, mtime: None };
        let ours = state("a\n");
        for (here, expected) in [
            ("a\n", "one\ntwo\n"),
            ("a\non", "e\ntwo\n"),
            ("a\none\nt", "wo\n"),
            ("a\none\ntwo", "\n"),
            ("a\none\ntwo\n", ""),
            ("a\none\ntwo\nx", ""),
            ("a\nx", "\none\ntwo\n"),
            ("b\nx", "\none\ntwo\n"),
        ] {
            let missing = missing(b"one\ntwo\n", &ours, &state(here));
            assert_eq!(String::from_utf8(missing).unwrap(), expected, "{here:?}");
        }
        assert_eq!(missing(b"one", &ours, &state("a\none")), b"");
    }

    fn file(text: &str) -> FileState {
        FileState { content: Content::File(text.as_bytes().into()), mode: 0o644, mtime: None }
    }

    #[test]
    fn lines_that_end_at_a_lone_cr_are_lines() {
        let (before, ours) = (file("a\rb\r"), file("b\r"));
        assert_eq!(appended(&before, &ours, &file("a\rb\rc\r")), Some(b"c\r".as_slice()));
        assert_eq!(missing(b"c\rd\r", &ours, &file("b\rc\r")), b"d\r");
        assert_eq!(appended(&before, &file("b"), &file("a\rb\rc\r")), None, "ours is open");
        assert!(is_nearer(&file("b\rc\rx\r"), Some(&file("b\rc\r")), Some(&file("a\rb\rc\r"))));
    }
}

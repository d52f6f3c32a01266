//! Undoing a change of the index when others have changed it since: a three-way merge of lines (DESIGN §9).
//!
//! Lines are compared without their ends, so that a final line end that came or went is no difference.

use crate::memory::index::{Line, line_end, split};
use crate::memory::text::visible;
use similar::{Algorithm, DiffOp, DiffTag, TextDiff, capture_diff_slices};
use std::collections::HashMap;
use std::ops::Range;

/// What came of undoing a change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Merged {
    /// The file as it is then.
    pub bytes: Vec<u8>,
    /// What could not be undone since someone else changed the same line, in words; that line stays as they
    /// wrote it. Safe to show.
    pub conflicts: Vec<String>,
}

/// Undoes the change from `before` to `after` in `current`, which others may have changed since.
///
/// A line that the change took out goes back behind the nearest line above it that is still there (else before
/// the nearest below), unless it is there again already. A line that the change put in goes where it still
/// stands as it was put; one that someone altered stays and is reported. All other lines stay. When `current`
/// is `after`, the result is `before`, byte for byte.
#[must_use]
pub fn revert(after: &[u8], before: &[u8], current: &[u8]) -> Merged {
    if current == after {
        return Merged { bytes: before.to_owned(), conflicts: Vec::new() };
    }
    if after == before || current == before {
        return Merged { bytes: current.to_owned(), conflicts: Vec::new() };
    }
    let (after, before, now) = (split(after), split(before), split(current));
    let (after_text, before_text, now_text) = (texts(&after), texts(&before), texts(&now));
    let fates = fates(&after_text, &now_text);
    let mut merge = Merge {
        now: &now,
        gone: vec![false; now.len()],
        put: vec![Vec::new(); now.len() + 1],
        conflicts: Vec::new(),
    };
    let mut foreign = foreign_lines(&after_text, &now_text);
    for op in capture_diff_slices(Algorithm::Patience, &after_text, &before_text) {
        if op.tag() != DiffTag::Equal {
            merge.hunk(&op, &after_text, &before, &fates, &mut foreign);
        }
    }
    merge.finish(line_end(current).as_bytes())
}

/// What became of a line since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It stands, as this line of the current file.
    Stands(usize),
    /// Someone replaced it.
    Altered,
    /// Someone removed it.
    Removed,
}

struct Merge<'a> {
    now: &'a [Line<'a>],
    /// The lines of the current file that go.
    gone: Vec<bool>,
    /// What goes in before each line of the current file, and at its end.
    put: Vec<Vec<Line<'a>>>,
    conflicts: Vec<String>,
}

impl<'a> Merge<'a> {
    fn hunk(
        &mut self,
        op: &DiffOp,
        after: &[&[u8]],
        before: &[Line<'a>],
        fates: &[Fate],
        foreign: &mut HashMap<&'a [u8], usize>,
    ) {
        let (old, new) = (op.old_range(), op.new_range());
        let mut back: Vec<Line<'a>> = before.get(new).unwrap_or_default().to_vec();
        for at in old.clone() {
            let (Some(fate), Some(text)) = (fates.get(at), after.get(at)) else { continue };
            let replaced = closest(text, &back);
            match fate {
                Fate::Stands(line) => {
                    if let Some(gone) = self.gone.get_mut(*line) {
                        *gone = true;
                    }
                }
                // Nothing to take out; but what it had replaced must not come back beside the new wording.
                Fate::Removed if replaced.is_none() => {}
                Fate::Altered | Fate::Removed => {
                    let what = if *fate == Fate::Altered { "changed" } else { "removed" };
                    self.conflicts.push(format!(
                        "a line was {what} by someone else since and stays so: {}",
                        shown(text)
                    ));
                    if let Some(replaced) = replaced {
                        back.remove(replaced);
                    }
                }
            }
        }
        // A line that someone put back meanwhile is there already.
        back.retain(|line| match foreign.get_mut(line.text) {
            Some(count) if *count > 0 && !line.text.trim_ascii().is_empty() => {
                *count -= 1;
                false
            }
            _ => true,
        });
        let place = place(&old, fates, self.now.len());
        if let Some(put) = self.put.get_mut(place) {
            put.extend(back);
        }
    }

    fn finish(self, style: &[u8]) -> Merged {
        let mut out: Vec<Line<'a>> = Vec::with_capacity(self.now.len());
        let last = self.put.last().map(Vec::as_slice).unwrap_or_default();
        for ((line, gone), put) in self.now.iter().zip(&self.gone).zip(&self.put) {
            out.extend(put);
            if !gone {
                out.push(*line);
            }
        }
        out.extend(last);
        let mut bytes = Vec::new();
        let count = out.len();
        for (at, line) in out.iter().enumerate() {
            bytes.extend_from_slice(line.text);
            // Only the last line may be without an end.
            let open = line.end.is_empty() && at + 1 < count;
            bytes.extend_from_slice(if open { style } else { line.end });
        }
        Merged { bytes, conflicts: self.conflicts }
    }
}

/// Before which line of the current file a hunk's lines go.
fn place(old: &Range<usize>, fates: &[Fate], end: usize) -> usize {
    let stands = |fate: &Fate| match fate {
        Fate::Stands(line) => Some(*line),
        _ => None,
    };
    let above = fates.get(..old.end).unwrap_or_default().iter().rev().find_map(stands);
    let below = fates.get(old.end..).unwrap_or_default().iter().find_map(stands);
    let nowhere = if old.start == 0 { 0 } else { end };
    above.map(|line| line + 1).or(below).unwrap_or(nowhere)
}

fn texts<'a>(lines: &[Line<'a>]) -> Vec<&'a [u8]> {
    lines.iter().map(|line| line.text).collect()
}

fn fates(after: &[&[u8]], now: &[&[u8]]) -> Vec<Fate> {
    let mut fates = vec![Fate::Removed; after.len()];
    for op in capture_diff_slices(Algorithm::Patience, after, now) {
        let fate = |at: usize| match op.tag() {
            DiffTag::Equal => Fate::Stands(op.new_range().start + at),
            DiffTag::Replace => Fate::Altered,
            _ => Fate::Removed,
        };
        for (at, slot) in fates.get_mut(op.old_range()).into_iter().flatten().enumerate() {
            *slot = fate(at);
        }
    }
    fates
}

/// How many more of each line the current file has than `after`.
fn foreign_lines<'a>(after: &[&'a [u8]], now: &[&'a [u8]]) -> HashMap<&'a [u8], usize> {
    let mut counts: HashMap<&[u8], usize> = HashMap::new();
    for text in now {
        *counts.entry(text).or_default() += 1;
    }
    for text in after {
        if let Some(count) = counts.get_mut(text) {
            *count = count.saturating_sub(1);
        }
    }
    counts
}

/// Which of some lines another one replaced: the most similar, when it is similar at all.
fn closest(text: &[u8], lines: &[Line<'_>]) -> Option<usize> {
    let text = String::from_utf8_lossy(text);
    let likeness =
        |line: &Line<'_>| TextDiff::from_words(&*String::from_utf8_lossy(line.text), &*text).ratio();
    let best = lines.iter().map(likeness).enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
    (best.1 > 0.5).then_some(best.0)
}

/// The start of a line, safe to show.
pub(super) fn shown(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let start: String = text.chars().take(60).collect();
    let more = if start.len() < text.len() { "…" } else { "" };
    format!("{}{more}", visible(&start, false))
}

#[cfg(test)]
mod tests;

//! The parts of a body, as found: the fact, its Why and its How to apply, whatever their labels look like.
//!
//! Byte ranges only, which make up the body exactly: an edit of one part can't touch another.

use crate::memory::lines::Lines;
use std::ops::Range;

/// One part of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// The label as it stands (`**Why:**`, `## Why`), with what introduces it; empty for parts without one.
    pub label: Range<usize>,
    /// What stands behind the label, up to the next part: text and blanks.
    pub content: Range<usize>,
}

/// The kinds of parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// What comes before the first label: the fact itself.
    Fact,
    /// Why it is so.
    Why,
    /// How to apply it.
    How,
    /// A section under a heading of its own, behind a labelled part.
    Other,
}

/// The parts of a body, in order, without gaps. The first is the fact (it may be empty). Ranges are those of
/// the bytes given.
///
/// A labelled part runs to the next label, to the next heading, or to the end; one that a heading labels
/// keeps the deeper headings. Labels in fenced code don't count.
#[must_use]
pub fn parts(body: &[u8]) -> Vec<Part> {
    let mut parts = vec![Part { kind: PartKind::Fact, label: 0..0, content: 0..0 }];
    // The level of the heading that labels the open part; a plain label ends at any heading.
    let mut level = usize::MAX;
    let mut fence: Option<Fence> = None;
    for line in Lines::new(body, 0) {
        let raw = body.get(line.clone()).unwrap_or_default();
        let text = std::str::from_utf8(raw).unwrap_or_default();
        if let Some(found) = Fence::of(text) {
            match &fence {
                None => fence = Some(found),
                Some(open) if open.closed_by(&found) => fence = None,
                Some(_) => {}
            }
            continue;
        }
        if fence.is_some() {
            continue;
        }
        let heading = heading_level(text);
        let labelled = parts.len() > 1;
        let mut open = |kind, label: Range<usize>| {
            let label = line.start + label.start..line.start + label.end;
            parts.push(Part { kind, content: label.end..label.end, label });
        };
        if let Some((kind, label)) = label::at_start(text) {
            open(kind, label.clone());
            level = heading.unwrap_or(usize::MAX);
            if let Some((kind, inner)) = label::inside(text, label.end) {
                open(kind, inner);
                level = usize::MAX;
            }
        } else if let Some((kind, label)) = label::inside(text, 0) {
            open(kind, label);
            level = usize::MAX;
        } else if let Some(found) = heading
            && labelled
            && found <= level
        {
            open(PartKind::Other, 0..0);
            // Its own sub-sections are not parts.
            level = found;
        }
    }
    close(&mut parts, body.len());
    parts
}

/// Each part's content runs to the next one's label.
fn close(parts: &mut [Part], end: usize) {
    let mut next = end;
    for part in parts.iter_mut().rev() {
        part.content.end = next;
        next = part.label.start;
    }
}

/// The level of an ATX heading.
fn heading_level(line: &str) -> Option<usize> {
    let hashes = line.bytes().take_while(|b| *b == b'#').count();
    let rest = line.get(hashes..)?;
    ((1..=6).contains(&hashes) && (rest.is_empty() || rest.starts_with([' ', '\t']))).then_some(hashes)
}

/// The line that opens or closes fenced code.
struct Fence {
    sign: u8,
    length: usize,
    bare: bool,
}

impl Fence {
    fn of(line: &str) -> Option<Self> {
        let line = line.trim();
        let sign = *line.as_bytes().first().filter(|b| matches!(b, b'`' | b'~'))?;
        let length = line.bytes().take_while(|b| *b == sign).count();
        let rest = line.get(length..)?;
        // Backticks behind the opening ones make it code within a line.
        let opens = length >= 3 && !(sign == b'`' && rest.contains('`'));
        opens.then_some(Self { sign, length, bare: rest.is_empty() })
    }

    fn closed_by(&self, other: &Self) -> bool {
        other.bare && other.sign == self.sign && other.length >= self.length
    }
}

mod label;

#[cfg(test)]
mod tests;

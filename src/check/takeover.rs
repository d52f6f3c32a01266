//! Text that tries to take over the agent that reads it.

mod words;

use super::prose::{BLANK, Prose, same_length};
use super::{Check, CheckId, Depth, Fix, Found, Look, Severity, quoted, seen_in};
use crate::memory::document::Document;
use crate::memory::lines::line_of;
use crate::memory::path::RelPath;
use std::ops::Range;

pub(super) const CHECKS: &[Check] = &[Check {
    id: CheckId("instruction-override"),
    means: "There is text that tries to take over the agent: to set aside its instructions, to hide something from the \
            person, or to act on what matters without asking.",
    depth: Depth::Deep,
    look: instruction_override,
}];

fn instruction_override(store: &Look<'_>, found: &mut Found) {
    let snapshot = store.snapshot;
    for memory in &snapshot.memories {
        in_file(&memory.path, &memory.bytes, || Prose::of(memory), found);
    }
    if let Some(index) = &snapshot.index {
        in_file(
            &RelPath::index(),
            &index.bytes,
            || Prose::of_body(&index.bytes, &Document::parse(&index.bytes)),
            found,
        );
    }
}

fn in_file(path: &RelPath, bytes: &[u8], prose: impl Fn() -> Prose, found: &mut Found) {
    let text = same_length(bytes);
    if !words::may_have(&text) {
        return;
    }
    let prose = prose();
    let mut seen: Vec<Range<usize>> = Vec::new();
    for (what, range) in words::find(&text) {
        let overlaps = |other: &Range<usize>| range.start < other.end && other.start < range.end;
        if seen.iter().any(overlaps) || is_told_of(&text, &prose, &range, what) {
            continue;
        }
        let line = line_of(bytes, range.start);
        let words = text.get(range.clone()).unwrap_or_default();
        let evidence = vec![seen_in(path, line, quoted(&sentence(&text, &range).replace(['\n', '\r'], " ")))];
        let message = format!("{}: {}", what.in_words(), quoted(&words.replace(['\n', '\r'], " ")));
        let finding = found.add(Severity::Error, path, line, message, evidence);
        finding.about = words.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        finding.range = Some(range.clone());
        finding.fixes = vec![Fix::Edit, Fix::Delete];
        seen.push(range);
    }
}

/// Whether the text only tells of such words: it warns of them, or shows a tag as code.
fn is_told_of(text: &str, prose: &Prose, range: &Range<usize>, what: words::What) -> bool {
    let sentence = sentence(text, range);
    let is_shown = prose.text().get(range.clone()).is_some_and(|part| part.starts_with(BLANK));
    words::warns_strongly(sentence) || (is_shown && (what == words::What::Tag || words::warns(sentence)))
}

/// The line that holds a place, as far as it matters: long ones are cut at 400 bytes on each side.
fn sentence<'a>(text: &'a str, range: &Range<usize>) -> &'a str {
    let before = text.get(..range.start).unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    let start = before
        .rfind('\n')
        .map_or(0, |at| at + 1)
        .max(text.floor_char_boundary(range.start.saturating_sub(400)));
    let end = range.end + after.find('\n').unwrap_or(after.len()).min(after.floor_char_boundary(400));
    text.get(start..end).unwrap_or_default()
}

#[cfg(test)]
mod tests;

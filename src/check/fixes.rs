//! What would mend a finding where its check names nothing, and what a replacement will look like.

use super::secrets;
use super::{Finding, Fix, Look};
use crate::memory::edit::repair_all;
use crate::memory::snapshot::Memory;
use crate::memory::text::visible;
use std::ops::Range;

/// A replacement as a person sees it before it is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// The first line that changes, from 1.
    pub line: usize,
    /// The lines as they are, without the line end; safe to show.
    pub before: String,
    /// The lines as they become.
    pub after: String,
}

/// What a replacement of bytes makes of the lines that it touches; `None` when the range is not in the file.
#[must_use]
pub fn preview(bytes: &[u8], range: &Range<usize>, text: &str) -> Option<Preview> {
    bytes.get(range.clone())?;
    let start = memchr::memrchr(b'\n', bytes.get(..range.start)?).map_or(0, |at| at + 1);
    // A range that ends with a line end ends there.
    let from = if range.end > range.start && bytes.get(range.end - 1) == Some(&b'\n') {
        range.end - 1
    } else {
        range.end
    };
    let end = memchr::memchr(b'\n', bytes.get(from..)?).map_or(bytes.len(), |at| from + at + 1);
    let around = start..end;
    let head = bytes.get(around.start..range.start)?;
    let tail = bytes.get(range.end..around.end)?;
    // A secret on the same line is nothing to echo.
    let shown = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        visible(&secrets::mask(text.trim_end()), true).into_owned()
    };
    let line = 1 + memchr::memchr_iter(b'\n', bytes.get(..around.start)?).count();
    let after = [head, text.as_bytes(), tail].concat();
    Some(Preview { line, before: shown(bytes.get(around)?), after: shown(&after) })
}

impl Preview {
    /// Both texts with at most so many characters of what stays around what changes.
    #[must_use]
    pub fn around(&self, most: usize) -> (String, String) {
        let (before, after): (Vec<char>, Vec<char>) =
            (self.before.chars().collect(), self.after.chars().collect());
        let head = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
        let rest = before.len().min(after.len()) - head;
        let tail = before.iter().rev().zip(after.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
        let cut = |text: &[char]| {
            let (from, to) = (head.saturating_sub(most), text.len() - tail.saturating_sub(most));
            let inside: String = text.get(from..to).unwrap_or_default().iter().collect();
            let (start, end) = (if from > 0 { "…" } else { "" }, if to < text.len() { "…" } else { "" });
            format!("{start}{inside}{end}")
        };
        (cut(&before), cut(&after))
    }
}

/// Adds what mends findings of this kind usually, unless the check said it.
pub(super) fn complete(look: &Look<'_>, finding: &mut Finding) {
    if !finding.fixes.is_empty() {
        return;
    }
    finding.fixes = match finding.check.0 {
        id if id.starts_with("index-") => vec![Fix::Index],
        "frontmatter-invalid" | "frontmatter-lossy" => {
            let memory = look.snapshot.memories.iter().find(|memory| memory.path == finding.memory);
            memory.and_then(|memory| requoted(memory)).into_iter().chain([Fix::Edit]).collect()
        }
        "old" | "age-hidden" => vec![Fix::Affirm, Fix::Edit],
        "expired" => vec![Fix::Delete, Fix::Edit],
        "secret" => vec![Fix::Edit, Fix::Purge],
        // What lies elsewhere, or is bytes that no editor shows as they are.
        "link-escapes" => Vec::new(),
        _ if finding.memory.is_index() => Vec::new(),
        _ => vec![Fix::Edit],
    };
}

/// Quotes around the values that YAML reads otherwise than they are written.
fn requoted(memory: &Memory) -> Option<Fix> {
    let (before, after) = (&*memory.bytes, repair_all(&memory.bytes).ok()?);
    let same = |a: &u8, b: &u8| a == b;
    let head = before.iter().zip(&after).take_while(|(a, b)| same(a, b)).count();
    let most = before.len().min(after.len()) - head;
    let tail = before.iter().rev().zip(after.iter().rev()).take(most).take_while(|(a, b)| same(a, b)).count();
    let text = after.get(head..after.len() - tail)?;
    let text = std::str::from_utf8(text).ok()?.to_owned();
    Some(Fix::Replace { range: head..before.len() - tail, text, is_safe: true })
}

impl Fix {
    /// What it is called on the screen and in JSON.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Replace { .. } => "replace",
            Self::Edit => "edit",
            Self::Promote => "promote",
            Self::Merge(_) => "merge",
            Self::Delete => "delete",
            Self::Index => "index",
            Self::Affirm => "affirm",
            Self::Purge => "purge",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replacement_is_shown_by_its_lines() {
        let bytes = b"one\ntwo yesterday three\nfour\n";
        let shown = preview(bytes, &(8..17), "2026-11-29").unwrap();
        let (before, after) = ("two yesterday three".to_owned(), "two 2026-11-29 three".to_owned());
        assert_eq!(shown, Preview { line: 2, before, after });
        let over = preview(bytes, &(2..6), "-").unwrap();
        assert_eq!((over.line, over.after.as_str()), (1, "on-o yesterday three"));
        assert_eq!(shown.around(2), ("…o yesterday t…".into(), "…o 2026-11-29 t…".into()));
        assert_eq!(shown.around(99), (shown.before.clone(), shown.after.clone()));
        assert_eq!(preview(bytes, &(20..99), ""), None);
        assert_eq!(preview(b"a \x1b b", &(2..3), "x").unwrap().before, "a ␛ b");
    }
}

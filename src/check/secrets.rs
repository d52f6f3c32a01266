//! Secrets in the files of a store: tokens by their form, and values that a word like "password" introduces.
//!
//! What is found is never shown: [`shown`] gives the first letters and the length. [`mask`] takes secrets out of any
//! text, as before a transcript goes to a model.

mod known;
mod value;

use super::prose::same_length;
use super::{Check, CheckId, Depth, Fix, Found, Look, Severity, seen_in};
use crate::memory::lines::{Lines, line_of};
use crate::memory::path::RelPath;
use crate::memory::pattern::Pattern;
use crate::memory::text::visible;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

pub(super) const CHECKS: &[Check] = &[Check {
    id: CheckId("secret"),
    means: "There is a password, a key or a token. Every session reads it, and so does whoever reads the store or its \
            history.",
    depth: Depth::Quick,
    look: secret,
}];

/// A secret in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    /// Where it stands (bytes of the text), without quotes around it.
    pub range: Range<usize>,
    /// What it is, in words.
    pub kind: &'static str,
}

/// The secrets of a text, in order, without overlaps.
#[must_use]
pub fn find(text: &str) -> Vec<Secret> {
    if !MAY_HAVE.is_match(text) {
        return Vec::new();
    }
    let mut found = known::find(text);
    for secret in value::find(text) {
        let overlaps =
            |other: &Secret| secret.range.start < other.range.end && other.range.start < secret.range.end;
        if !found.iter().any(overlaps) {
            found.push(secret);
        }
    }
    found.sort_by_key(|secret| secret.range.start);
    found
}

/// The text with every secret replaced by its first letters and a mark.
#[must_use]
pub fn mask(text: &str) -> Cow<'_, str> {
    let secrets = find(text);
    if secrets.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut masked = String::with_capacity(text.len());
    let mut from = 0;
    for secret in secrets {
        // Known tokens may overlap each other by a byte or two.
        let start = secret.range.start.max(from);
        masked.push_str(text.get(from..start).unwrap_or_default());
        masked.push_str(&shown(text.get(secret.range.clone()).unwrap_or_default()));
        from = secret.range.end.max(from);
    }
    masked.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(masked)
}

/// A secret as it may be shown: at most four of its first characters (a quarter of a short one), and the length.
#[must_use]
pub fn shown(secret: &str) -> String {
    let length = secret.chars().count();
    let head: String = secret.chars().take((length / 4).min(4)).filter(|c| !c.is_control()).collect();
    format!("{}…[{length}]", visible(&head, false))
}

/// Words and beginnings without which a text has no secret: a fast look that most texts end with.
static MAY_HAVE: LazyLock<Pattern> =
    LazyLock::new(|| Pattern::rough(&format!("{}|(?i:{})", known::BEGINNINGS, value::WORDS)));

fn secret(store: &Look<'_>, found: &mut Found) {
    let snapshot = store.snapshot;
    for memory in &snapshot.memories {
        in_file(&memory.path, &memory.bytes, found);
    }
    if let Some(index) = &snapshot.index {
        in_file(&RelPath::index(), &index.bytes, found);
    }
}

fn in_file(path: &RelPath, bytes: &[u8], found: &mut Found) {
    let text = same_length(bytes);
    for Secret { range, kind } in find(&text) {
        let line = line_of(bytes, range.start);
        let text = shown(text.get(range.clone()).unwrap_or_default());
        let context = line_around(bytes, range.start)
            .and_then(|line| Some(mask_whole(std::str::from_utf8(bytes.get(line)?).ok()?)));
        let evidence = context.map(|context| seen_in(path, line, context));
        let finding =
            found.add(Severity::Error, path, line, format!("{kind}: {text}"), evidence.into_iter().collect());
        finding.about = format!("{kind} {text}");
        finding.range = Some(range);
        finding.fixes = vec![Fix::Edit, Fix::Purge];
    }
}

fn line_around(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let start =
        bytes.get(..at)?.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |end| end + 1);
    Lines::new(bytes, start).next()
}

/// A line that holds a secret. When masking the line alone leaves it all (a key over several lines), nothing is shown.
fn mask_whole(line: &str) -> String {
    match mask(line) {
        Cow::Borrowed(_) => "(not shown)".to_owned(),
        Cow::Owned(masked) => super::quoted(&masked),
    }
}

#[cfg(test)]
mod tests;

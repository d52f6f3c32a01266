//! The fast reader: flat `key: value` lines and one `metadata:` map of such lines.
//!
//! It reads only what it can prove to mean the same in YAML and declines (`None`) everything else: other
//! characters, other indentation, values that YAML does not read as text. A property test holds it to that.

use super::{Field, Level};
use crate::memory::dates;
use std::borrow::Cow;

/// More keys than this are not simple any more (and looking for repetitions among them is not fast).
const MAX_FIELDS: usize = 64;

/// The fields, or `None` when the text is not of the simple shape.
pub(super) fn read(yaml: &str) -> Option<Vec<Field<'_>>> {
    let mut fields: Vec<Field<'_>> = Vec::with_capacity(8);
    // The indentation of the lines under `metadata:`; `Some(0)`: none of them was seen yet.
    let mut indent: Option<usize> = None;
    let mut metadata = Seen::No;
    for (number, line) in yaml.strip_suffix('\n')?.split('\n').enumerate() {
        let inner = line.trim_start_matches(' ');
        let (key, rest) = key(inner)?;
        let depth = line.len() - inner.len();
        let level = match (depth, indent) {
            (0, Some(0)) => return None,
            (0, _) => {
                indent = None;
                Level::Top
            }
            (_, None) => return None,
            (_, Some(expected)) if expected != 0 && expected != depth => return None,
            (_, Some(_)) => {
                indent = Some(depth);
                Level::Metadata
            }
        };
        let value = rest.trim_matches(' ');
        if level == Level::Top && key == "metadata" && value.is_empty() {
            if metadata == Seen::Yes {
                return None;
            }
            metadata = Seen::Yes;
            indent = Some(0);
            continue;
        }
        if (level == Level::Top && key == "metadata") || fields.iter().any(|f| f.key == key) {
            return None;
        }
        if fields.len() == MAX_FIELDS {
            return None;
        }
        let text = match value.as_bytes().first()? {
            b'"' => double_quoted(value)?,
            b'\'' => single_quoted(value)?,
            _ => plain(key, value)?,
        };
        fields.push(Field { level, key: Cow::Borrowed(key), text, line: number });
    }
    (indent != Some(0)).then_some(fields)
}

#[derive(PartialEq)]
enum Seen {
    No,
    Yes,
}

/// A key that is text to YAML, and what follows its colon: a blank or nothing.
fn key(line: &str) -> Option<(&str, &str)> {
    let (key, rest) = line.split_once(':')?;
    let first = key.as_bytes().first()?;
    let simple = first.is_ascii_alphabetic()
        && key.len() < 100
        && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    (simple && !is_word(key) && (rest.is_empty() || rest.starts_with(' '))).then_some((key, rest))
}

fn plain<'a>(key: &str, value: &'a str) -> Option<Cow<'a, str>> {
    let bytes = value.as_bytes();
    let first = *bytes.first()?;
    let starts =
        first.is_ascii_alphanumeric() || matches!(first, b'/' | b'(' | b'_' | b'$' | b'+') || first >= 0x80;
    if !starts || !printable(bytes) {
        return None;
    }
    let mut previous = b'x';
    for &byte in bytes {
        // ` #` starts a comment, `: ` ends a key.
        if (byte == b'#' && previous == b' ') || (byte == b' ' && previous == b':') {
            return None;
        }
        previous = byte;
    }
    if previous == b':' || is_word(value) {
        return None;
    }
    // What Rust reads as a number YAML may read so too; hex, octal and binary start with a zero.
    if (first.is_ascii_digit() || first == b'+') && (value.parse::<f64>().is_ok() || radix(value)) {
        return None;
    }
    // A date is text to this reader, but not to every one: the full reader tells the person.
    if first.is_ascii_digit() && matches!(key, "name" | "description") && dates::parse(value).is_some() {
        return None;
    }
    Some(Cow::Borrowed(value))
}

fn double_quoted(value: &str) -> Option<Cow<'_, str>> {
    let inner = value.strip_prefix('"')?.strip_suffix('"')?;
    if !printable(inner.as_bytes()) {
        return None;
    }
    if !inner.contains(['\\', '"']) {
        return Some(Cow::Borrowed(inner));
    }
    let mut text = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => return None,
            '\\' => text.push(chars.next().filter(|c| matches!(c, '"' | '\\'))?),
            c => text.push(c),
        }
    }
    Some(Cow::Owned(text))
}

fn single_quoted(value: &str) -> Option<Cow<'_, str>> {
    let inner = value.strip_prefix('\'')?.strip_suffix('\'')?;
    (!inner.contains('\'') && printable(inner.as_bytes())).then_some(Cow::Borrowed(inner))
}

/// No control characters, no tabs, and none of the characters beyond ASCII that YAML forbids or takes for a
/// line break (U+0080 to U+009F, U+2028, U+2029, byte order marks and non-characters).
fn printable(bytes: &[u8]) -> bool {
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let next = || bytes.get(at + 1).copied().unwrap_or(0);
        let refused = match byte {
            0x20..0x7F => false,
            0..0x20 | 0x7F => true,
            0xC2 => next() < 0xA0,
            0xE2 => next() == 0x80 && matches!(bytes.get(at + 2), Some(0xA8 | 0xA9)),
            0xEF => matches!(next(), 0xBB | 0xBF),
            _ => false,
        };
        if refused {
            return false;
        }
        at += 1;
    }
    true
}

/// The words that YAML does not read as text.
fn is_word(text: &str) -> bool {
    matches!(
        text,
        "true"
            | "True"
            | "TRUE"
            | "false"
            | "False"
            | "FALSE"
            | "null"
            | "Null"
            | "NULL"
            | "~"
            | ".nan"
            | ".inf"
    )
}

fn radix(text: &str) -> bool {
    let text = text.strip_prefix('+').unwrap_or(text).as_bytes();
    matches!(text, [b'0', b'x' | b'o' | b'b', ..])
}

//! What the target of a link names, in the index and in bodies alike, and how a path is written as one.

mod names;

pub(crate) use names::{Names, fold, is_called, may_mean, untyped};

use crate::memory::path::RelPath;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

/// The path to a Markdown file that a link's destination names: without fragment and query, percent-decoded,
/// as it is (it may be absolute or lead out of the store). `None` for other files and for URLs.
#[must_use]
pub fn of_destination(destination: &str) -> Option<PathBuf> {
    let path = destination.split(['#', '?']).next().unwrap_or_default().trim();
    // Before decoding: `a%3Ab.md` is how a file with a colon is written.
    if is_url(path) {
        return None;
    }
    let path = PathBuf::from(OsString::from_vec(decoded(path)));
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("md")).then_some(path)
}

/// The name that a wikilink's inside says, with the part (`#…`) that may follow it and without what is shown
/// instead (`|`). `None` when it is no name at all but code (`[["x"]]`, `[[ -f x ]]`, `[[a::b]]`).
#[must_use]
pub fn of_wikilink(inside: &str) -> Option<&str> {
    let name = inside.split('|').next().unwrap_or_default().trim().trim_end_matches('\\').trim_end();
    let starts = name.starts_with(|first: char| first.is_alphanumeric() || "._/".contains(first));
    let plain = !name.contains(['"', '`', '$', '[', ']', '=', '\n', '\r']) && !name.contains("::");
    // `f(x)` is a call, `Audit (2026)` a name.
    let calls =
        name.match_indices('(').any(|(at, _)| name.get(..at).is_some_and(|head| !head.ends_with(' ')));
    (starts && plain && !calls && name.len() <= LONGEST_NAME).then_some(name)
}

/// No longer name is one, in bytes: file systems take 255.
const LONGEST_NAME: usize = 250;

/// Whether a wikilink's name is that of the index.
#[must_use]
pub fn is_index(name: &str) -> bool {
    matches!(without_part(name), "MEMORY" | "MEMORY.md")
}

/// A wikilink's name without the part that follows it.
#[must_use]
pub fn without_part(name: &str) -> &str {
    name.split('#').next().unwrap_or_default().trim_end()
}

/// A name or path, and its `.md` in whatever letter case (empty when it has none).
#[must_use]
pub fn split_ending(name: &str) -> (&str, &str) {
    let at = name.len().saturating_sub(".md".len());
    match name.split_at_checked(at) {
        Some((base, ending)) if ending.eq_ignore_ascii_case(".md") => (base, ending),
        _ => (name, ""),
    }
}

fn is_url(path: &str) -> bool {
    path.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+.-".contains(c))
    })
}

/// A path as the destination of a link: what would end or change it is percent-encoded, letters of any
/// script stand as they are.
#[must_use]
pub fn to_destination(path: &RelPath) -> String {
    let mut out = String::new();
    for chunk in path.as_path().as_os_str().as_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            if c.is_control() || c.is_whitespace() || "()<>%\\#?:".contains(c) {
                let mut buffer = [0; 4];
                c.encode_utf8(&mut buffer).bytes().for_each(|byte| percent(&mut out, byte));
            } else {
                out.push(c);
            }
        }
        chunk.invalid().iter().for_each(|&byte| percent(&mut out, byte));
    }
    out
}

fn percent(out: &mut String, byte: u8) {
    out.push('%');
    for half in [byte >> 4, byte & 15] {
        out.extend(char::from_digit(half.into(), 16).map(|digit| digit.to_ascii_uppercase()));
    }
}

fn decoded(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let digit = |at: usize| tail.get(at).and_then(|&d| char::from(d).to_digit(16));
        match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                out.extend(u8::try_from(high * 16 + low));
                rest = tail.get(2..).unwrap_or_default();
            }
            _ => {
                out.push(first);
                rest = tail;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests;

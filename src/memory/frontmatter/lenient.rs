//! The lenient reader: what a person sees in a block of `key: value` lines, YAML or not.
//!
//! Lines that start with a key open a field; others continue the field above them. Quotes around a whole
//! value are taken off, others stay.

use super::{Field, Level};
use crate::memory::lines::Lines;
use std::borrow::Cow;

/// A field and its raw text.
pub(super) struct Raw<'a> {
    pub field: Field<'a>,
    /// What stands behind the colon, trimmed, when the value takes one line only.
    pub single: Option<&'a str>,
    /// The first line of the value, trimmed, as it stands: it tells a quoted text and a block from others.
    pub first: &'a str,
}

/// The fields that a lenient eye sees.
pub(super) fn read(yaml: &str) -> Vec<Field<'_>> {
    raw(yaml).into_iter().map(|raw| raw.field).collect()
}

/// The same with the raw text of single-line values.
pub(super) fn raw(yaml: &str) -> Vec<Raw<'_>> {
    let mut open: Vec<Open<'_>> = Vec::new();
    let lines = Lines::new(yaml.as_bytes(), 0);
    for (number, line) in lines.enumerate() {
        let line = yaml.get(line).unwrap_or_default();
        let inner = line.trim();
        if inner.is_empty() || inner.starts_with('#') {
            continue;
        }
        let indented = line.starts_with([' ', '\t']);
        match (split(inner, indented), indented) {
            (Some((key, rest)), false) => open.push(Open::new(Parent::None, key, rest, number)),
            (Some((key, rest)), true) => match open.last().and_then(Open::parent) {
                Some(parent) => open.push(Open::new(parent, key, rest, number)),
                None => continue_last(&mut open, inner),
            },
            (None, _) => continue_last(&mut open, inner),
        }
    }
    // A key that only opens a map has no value of its own.
    let is_parent = |at: usize, o: &Open<'_>| {
        o.parts.is_empty()
            && open.get(at + 1).is_some_and(|next| next.parent != Parent::None && o.parent == Parent::None)
    };
    open.iter().enumerate().filter(|(at, o)| !is_parent(*at, o)).map(|(_, o)| o.close()).collect()
}

/// A field that more lines may be added to.
struct Open<'a> {
    parent: Parent<'a>,
    key: &'a str,
    /// The trimmed text of each of its lines; empty while there is none.
    parts: Vec<&'a str>,
    line: usize,
}

/// What a field stands under.
#[derive(Clone, Copy, PartialEq)]
enum Parent<'a> {
    None,
    Key(&'a str),
}

impl<'a> Open<'a> {
    fn new(parent: Parent<'a>, key: &'a str, rest: &'a str, line: usize) -> Self {
        let parts = if rest.is_empty() { Vec::new() } else { vec![rest] };
        Self { parent, key, parts, line }
    }

    /// What an indented `key: value` below this field stands under; `None` when it only continues its text.
    fn parent(&self) -> Option<Parent<'a>> {
        match self.parent {
            Parent::None if self.parts.is_empty() => Some(Parent::Key(self.key)),
            Parent::None => None,
            parent => Some(parent),
        }
    }

    fn close(&self) -> Raw<'a> {
        let (level, key) = match self.parent {
            Parent::None => (Level::Top, Cow::Borrowed(self.key)),
            Parent::Key("metadata") => (Level::Metadata, Cow::Borrowed(self.key)),
            Parent::Key(parent) => (Level::Top, Cow::Owned(format!("{parent}.{}", self.key))),
        };
        let single = match self.parts.as_slice() {
            [] => Some(""),
            [one] => Some(*one),
            _ => None,
        };
        let field = Field { level, key, text: join(&self.parts), line: self.line };
        Raw { field, single, first: self.parts.first().copied().unwrap_or_default() }
    }
}

fn continue_last<'a>(open: &mut [Open<'a>], text: &'a str) {
    if let Some(last) = open.last_mut() {
        last.parts.push(text);
    }
}

/// The key and the trimmed value of a line, when it has the form of one.
fn split(line: &str, indented: bool) -> Option<(&str, &str)> {
    let (key, rest) = line.split_once([':', '：'])?;
    let key = key.trim_end();
    let key = key.strip_prefix(['"', '\'']).and_then(|k| k.strip_suffix(['"', '\''])).unwrap_or(key);
    let known = super::KNOWN.contains(&key) || key == "metadata";
    let shaped = key.chars().next().is_some_and(char::is_alphabetic)
        && key.len() <= 60
        && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    // `name:x` without a blank is read for the keys that matter, where a time or an address can't be meant.
    let apart = rest.is_empty() || rest.starts_with([' ', '\t']);
    (shaped && (apart || (known && !indented))).then_some((key, rest.trim()))
}

/// The value of a field from the text of its lines.
fn join<'a>(parts: &[&'a str]) -> Cow<'a, str> {
    match parts {
        [] => Cow::Borrowed(""),
        [one] => unquote(one),
        [first, rest @ ..] if block_scalar(first) => {
            Cow::Owned(rest.join(if first.starts_with('|') { "\n" } else { " " }))
        }
        _ if parts.iter().all(|part| part.starts_with("- ")) => {
            let items = parts.iter().filter_map(|part| part.strip_prefix("- "));
            Cow::Owned(items.map(unquote).collect::<Vec<_>>().join(", "))
        }
        _ => Cow::Owned(unquote(&parts.join(" ")).into_owned()),
    }
}

fn block_scalar(text: &str) -> bool {
    text.strip_prefix(['|', '>']).is_some_and(|rest| rest.chars().all(|c| matches!(c, '+' | '-' | '0'..='9')))
}

/// Takes off the quotes around a whole value, and a double quote that is opened and never closed.
pub(in crate::memory) fn unquote(text: &str) -> Cow<'_, str> {
    let quote = match text.chars().next() {
        Some(quote @ ('"' | '\'')) => quote,
        _ => return Cow::Borrowed(text),
    };
    let inner = text.strip_prefix(quote).unwrap_or(text);
    match inner.strip_suffix(quote) {
        Some(inner) if quote == '\'' && !inner.replace("''", "").contains('\'') => {
            Cow::Owned(inner.replace("''", "'"))
        }
        Some(inner) if quote == '"' => match unescape(inner) {
            Some(inner) => Cow::Owned(inner),
            None => Cow::Borrowed(text),
        },
        None if quote == '"' && !inner.contains('"') => Cow::Borrowed(inner),
        _ => Cow::Borrowed(text),
    }
}

/// `None` when a bare quote stands inside. Only the escapes that a person would write are taken back.
fn unescape(inner: &str) -> Option<String> {
    let mut text = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => return None,
            '\\' => match chars.next()? {
                c @ ('"' | '\\' | '/') => text.push(c),
                c => text.extend(['\\', c]),
            },
            c => text.push(c),
        }
    }
    Some(text)
}

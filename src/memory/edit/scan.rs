//! Finds the keys of a frontmatter and the bytes of their values, line by line.
//!
//! Not a YAML parser: it knows the shapes that a value can have and where each ends. Where it and YAML differ,
//! the check after an edit (`verify`) refuses.

mod value;

use super::{FieldSpan, Place, Style};
use crate::memory::frontmatter::unquote;
use crate::memory::lines::Lines;
use std::ops::Range;

/// Every key at the top level and under `metadata`.
pub(super) fn scan(bytes: &[u8], yaml: Range<usize>) -> Vec<FieldSpan> {
    let end = yaml.end;
    let scan = Scan { bytes: bytes.get(..end).unwrap_or(bytes), lines: lines(bytes, yaml) };
    let mut found = Vec::new();
    scan.level(0..scan.lines.len(), 0, Place::Top, &mut found);
    found
}

/// One physical line.
#[derive(Debug, Clone, Copy)]
struct Line {
    start: usize,
    /// Without the line end.
    end: usize,
    /// With it.
    next: usize,
    /// Blanks at the start, in bytes.
    indent: usize,
}

struct Scan<'a> {
    bytes: &'a [u8],
    lines: Vec<Line>,
}

/// Where a value is, how it is written, and the first line behind it.
struct Value {
    range: Range<usize>,
    style: Style,
    next: usize,
}

/// What ` #` and the rest of the line mean behind a value without quotes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tail {
    /// A comment, as YAML says.
    Comment,
    /// Text that YAML cuts: in a name or description nobody means a comment, and the readers show it so.
    Text,
}

impl Tail {
    fn of(key: &str) -> Self {
        if matches!(key, "name" | "description") { Self::Text } else { Self::Comment }
    }
}

fn lines(bytes: &[u8], range: Range<usize>) -> Vec<Line> {
    let mut lines = Lines::new(bytes.get(..range.end).unwrap_or(bytes), range.start);
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        let text = bytes.get(line.clone()).unwrap_or_default();
        let indent = text.iter().take_while(|b| is_blank(**b)).count();
        found.push(Line { start: line.start, end: line.end, next: lines.at(), indent });
    }
    found
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

impl Scan<'_> {
    fn at(&self, position: usize) -> Option<u8> {
        self.bytes.get(position).copied()
    }

    fn slice(&self, range: Range<usize>) -> &[u8] {
        self.bytes.get(range).unwrap_or_default()
    }

    fn line(&self, number: usize) -> Option<Line> {
        self.lines.get(number).copied()
    }

    /// Nothing but blanks and perhaps a comment.
    fn is_void(&self, line: Line) -> bool {
        line.start + line.indent == line.end || self.at(line.start + line.indent) == Some(b'#')
    }

    /// The keys at one level of indentation.
    fn level(&self, range: Range<usize>, indent: usize, place: Place, found: &mut Vec<FieldSpan>) {
        let mut number = range.start;
        while number < range.end {
            let Some(line) = self.line(number) else { return };
            let key = if line.indent == indent && !self.is_void(line) { self.key(line) } else { None };
            let Some((key, colon)) = key else {
                number += 1;
                continue;
            };
            let value = self.value(number, colon + 1, indent, Tail::of(&key));
            let last = self.line(value.next.saturating_sub(1)).unwrap_or(line);
            let children = number + 1..value.next;
            let is_metadata = place == Place::Top && key == "metadata" && value.style == Style::Nested;
            number = value.next.max(number + 1);
            let text = self.text(place, indent, &value);
            found.push(FieldSpan {
                place,
                key,
                text,
                style: value.style,
                value: value.range,
                lines: line.start..last.next.max(line.next),
                indent,
            });
            if is_metadata {
                let first = children.clone().filter_map(|n| self.line(n)).find(|l| !self.is_void(*l));
                if let Some(first) = first.filter(|l| l.indent > 0) {
                    self.level(children, first.indent, Place::Metadata, found);
                }
            }
        }
    }

    /// The key of a line and where its colon is.
    fn key(&self, line: Line) -> Option<(String, usize)> {
        let start = line.start + line.indent;
        let text = self.slice(start..line.end);
        let first = *text.first()?;
        let (key, colon) = if first == b'"' || first == b'\'' {
            let close = self.closing_quote(start, first)?;
            let blanks = self.slice(close..line.end).iter().take_while(|b| is_blank(**b)).count();
            let raw = String::from_utf8_lossy(self.slice(start..close)).into_owned();
            (serde_yaml::from_str::<String>(&raw).ok()?, close + blanks)
        } else {
            let second = text.get(1).copied().unwrap_or(b' ');
            let odd = b"[]{}#&*!|>%@`,".contains(&first) || (b"-?:".contains(&first) && is_blank(second));
            if odd {
                return None;
            }
            let colon = (0..text.len()).find(|at| {
                text.get(*at) == Some(&b':') && text.get(at + 1).is_none_or(|next| is_blank(*next))
            })?;
            let key = text.get(..colon)?;
            if key.windows(2).any(|pair| matches!(pair, [blank, b'#'] if is_blank(*blank))) {
                return None;
            }
            (String::from_utf8_lossy(key.trim_ascii_end()).into_owned(), start + colon)
        };
        let behind = self.at(colon + 1);
        let is_colon = colon < line.end && self.at(colon) == Some(b':');
        (is_colon && (colon + 1 == line.end || behind.is_some_and(is_blank))).then_some((key, colon))
    }

    /// The value as text.
    fn text(&self, place: Place, indent: usize, value: &Value) -> String {
        let raw = String::from_utf8_lossy(self.slice(value.range.clone())).into_owned();
        let several = raw.contains(['\n', '\r']);
        if matches!(value.style, Style::Empty | Style::Flow | Style::Nested | Style::Other)
            || (value.style == Style::Plain && !several)
        {
            return if raw.starts_with(['"', '\'']) { unquote(&raw).into_owned() } else { raw };
        }
        let lead = " ".repeat(indent.max(1));
        let (head, tail) = match place {
            Place::Top => ("", "\n"),
            Place::Metadata => ("m:\n", "\n"),
        };
        let lead = if place == Place::Top { "" } else { lead.as_str() };
        let alone = format!("{head}{lead}k: {raw}{tail}");
        let mapping: Option<serde_yaml::Value> = serde_yaml::from_str(&alone).ok();
        let inner = mapping.as_ref().and_then(|m| if place == Place::Top { Some(m) } else { m.get("m") });
        match inner.and_then(|m| m.get("k")) {
            Some(serde_yaml::Value::String(text)) => text.clone(),
            _ => unquote(&raw.split(['\n', '\r']).map(str::trim).collect::<Vec<_>>().join(" ")).into_owned(),
        }
    }
}

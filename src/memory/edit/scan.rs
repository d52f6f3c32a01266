//! Finds the keys of a frontmatter and the bytes of their values, line by line.
//!
//! Not a YAML parser: it knows the shapes that a value can have and where each ends. Where it and YAML differ,
//! the check after an edit (`verify`) refuses.

use super::{FieldSpan, Place, Style};
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
    let mut found = Vec::new();
    let mut start = range.start;
    while start < range.end {
        let rest = bytes.get(start..range.end).unwrap_or_default();
        let end = start + memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let next = match bytes.get(end..range.end).unwrap_or_default() {
            [b'\r', b'\n', ..] => end + 2,
            [] => end,
            _ => end + 1,
        };
        let indent = rest.iter().take_while(|b| is_blank(**b)).count().min(end - start);
        found.push(Line { start, end, next, indent });
        start = next;
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

    /// The value behind a colon; `number` is the key's line.
    fn value(&self, number: usize, after: usize, indent: usize, tail: Tail) -> Value {
        let empty = Value { range: after..after, style: Style::Empty, next: number + 1 };
        let Some(line) = self.line(number) else { return empty };
        let start = self.skip_blanks(after, line.end);
        if start < line.end && self.at(start) != Some(b'#') {
            return self.scalar(number, start, indent, tail);
        }
        // Nothing beside the key: what is indented below it belongs to it, and so do list items at its own level.
        let mut next = number + 1;
        let mut first = None;
        while let Some(below) = self.line(next) {
            if !self.is_void(below) {
                let item = below.indent == indent && self.is_item(below);
                if below.indent <= indent && !item {
                    break;
                }
                first.get_or_insert(next);
            }
            next += 1;
        }
        let Some(first) = first else {
            let place = if start == line.end && after < line.end { after + 1 } else { after };
            return Value { range: place..place, ..empty };
        };
        let Some(content) = self.line(first) else { return empty };
        let begin = content.start + content.indent;
        if self.is_item(content) || self.key(content).is_some() {
            let last = (first..next).rev().find(|n| self.line(*n).is_some_and(|l| !self.is_void(l)));
            let last = last.unwrap_or(first);
            let end = self.line(last).map_or(begin, |l| l.end);
            return Value { range: begin..end, style: Style::Nested, next: last + 1 };
        }
        self.scalar(first, begin, indent, tail)
    }

    fn is_item(&self, line: Line) -> bool {
        let start = line.start + line.indent;
        self.at(start) == Some(b'-') && (start + 1 >= line.end || self.at(start + 1).is_some_and(is_blank))
    }

    fn skip_blanks(&self, from: usize, end: usize) -> usize {
        from + self.slice(from..end).iter().take_while(|b| is_blank(**b)).count()
    }

    /// A value that starts at `start`, on line `number`.
    fn scalar(&self, number: usize, start: usize, indent: usize, tail: Tail) -> Value {
        let closed = |end: Option<usize>, style| {
            let end = end?;
            let last = self.lines.partition_point(|l| l.next < end).max(number);
            let line = self.line(last)?;
            let rest = self.skip_blanks(end, line.end);
            let clean = rest >= line.end || (self.at(rest) == Some(b'#') && rest > end);
            clean.then_some(Value { range: start..end, style, next: last + 1 })
        };
        let found = match self.at(start) {
            Some(b'"') => closed(self.closing_quote(start, b'"'), Style::Double),
            Some(b'\'') => closed(self.closing_quote(start, b'\''), Style::Single),
            Some(b'[' | b'{') => closed(self.closing_bracket(start), Style::Flow),
            Some(b'|' | b'>') => self.block(number, start, indent),
            _ => None,
        };
        found.unwrap_or_else(|| self.plain(number, start, indent, tail))
    }

    /// Behind the closing quote; `None` when it is never closed.
    fn closing_quote(&self, start: usize, quote: u8) -> Option<usize> {
        let mut at = start + 1;
        loop {
            match self.at(at)? {
                b'\\' if quote == b'"' => at += 2,
                byte if byte == quote && quote == b'\'' && self.at(at + 1) == Some(quote) => at += 2,
                byte if byte == quote => return Some(at + 1),
                _ => at += 1,
            }
        }
    }

    /// Behind the closing bracket; `None` when it is never closed.
    fn closing_bracket(&self, start: usize) -> Option<usize> {
        let mut depth = 0usize;
        let mut at = start;
        loop {
            match self.at(at)? {
                b'[' | b'{' => depth += 1,
                b']' | b'}' if depth == 1 => return Some(at + 1),
                b']' | b'}' => depth -= 1,
                quote @ (b'"' | b'\'') => {
                    at = self.closing_quote(at, quote)?;
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// A block scalar, when the header is one and holds no comment.
    fn block(&self, number: usize, start: usize, indent: usize) -> Option<Value> {
        let line = self.line(number)?;
        let style = if self.at(start) == Some(b'|') { Style::Literal } else { Style::Folded };
        let header = self.slice(start + 1..line.end).trim_ascii_end();
        if header.len() > 2 || !header.iter().all(|b| matches!(b, b'+' | b'-' | b'1'..=b'9')) {
            return None;
        }
        let keep = header.contains(&b'+');
        let mut next = number + 1;
        let mut last = number;
        while let Some(below) = self.line(next) {
            let void = below.start + below.indent == below.end;
            if !void && below.indent <= indent {
                break;
            }
            if !void || keep {
                last = next;
            }
            next += 1;
        }
        let end = if last == number { start + 1 + header.len() } else { self.line(last)?.end };
        Some(Value { range: start..end, style, next: last + 1 })
    }

    /// A value without quotes, with its continuation lines; also what is broken.
    fn plain(&self, number: usize, start: usize, indent: usize, tail: Tail) -> Value {
        let style = match self.at(start) {
            Some(b'&' | b'*' | b'!') => Style::Other,
            _ => Style::Plain,
        };
        let mut value = Value { range: start..start, style, next: number + 1 };
        let mut from = start;
        let mut at = number;
        while let Some(line) = self.line(at) {
            let text = self.slice(from..line.end);
            let comment = match tail {
                Tail::Comment => text.windows(2).position(|pair| matches!(pair, [b, b'#'] if is_blank(*b))),
                Tail::Text => None,
            };
            let kept = text.get(..comment.unwrap_or(text.len())).unwrap_or_default();
            value.range.end = from + kept.trim_ascii_end().len();
            value.next = at + 1;
            // Blank lines inside a value of several lines belong to it when more of it follows.
            let more = (at + 1..self.lines.len())
                .filter_map(|n| Some((n, self.line(n)?)))
                .find(|(_, l)| l.start + l.indent != l.end)
                .filter(|(_, l)| l.indent > indent && !self.is_void(*l));
            match more {
                Some((next, line)) if comment.is_none() => {
                    at = next;
                    from = line.start + line.indent;
                }
                _ => break,
            }
        }
        value
    }

    /// The value as text.
    fn text(&self, place: Place, indent: usize, value: &Value) -> String {
        let raw = String::from_utf8_lossy(self.slice(value.range.clone())).into_owned();
        let several = raw.contains(['\n', '\r']);
        if matches!(value.style, Style::Empty | Style::Flow | Style::Nested | Style::Other)
            || (value.style == Style::Plain && !several)
        {
            return if raw.starts_with(['"', '\'']) { unquoted(&raw) } else { raw };
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
            _ => unquoted(&raw.split(['\n', '\r']).map(str::trim).collect::<Vec<_>>().join(" ")),
        }
    }
}

/// A value that YAML can't read, without the quotes around it.
fn unquoted(raw: &str) -> String {
    let inner = |quote| raw.strip_prefix(quote).and_then(|rest: &str| rest.strip_suffix(quote));
    inner('"').or_else(|| inner('\'')).unwrap_or(raw).to_owned()
}

//! Where a value starts and ends, and how it is written.

use super::{Line, Scan, Tail, Value, is_blank};
use crate::memory::edit::Style;

impl Scan<'_> {
    /// The value behind a colon; `number` is the key's line.
    pub(super) fn value(&self, number: usize, after: usize, indent: usize, tail: Tail) -> Value {
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
    pub(super) fn closing_quote(&self, start: usize, quote: u8) -> Option<usize> {
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
}

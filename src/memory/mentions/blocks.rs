//! The blocks of a body: paragraphs, list items, headings, rows and lines of code. A sentence never leaves its block.

use crate::memory::lines::Lines;
use std::ops::Range;

/// One block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    pub range: Range<usize>,
    pub kind: Shape,
}

/// What kind of block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Paragraph,
    Item,
    Row,
    /// With its level.
    Heading(usize),
    /// A line of fenced code.
    Code,
}

/// The keys of the frontmatter whose values name things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    Description,
    Source,
    Verify,
}

/// The blocks of a part of the text, in order.
pub(super) fn blocks(text: &str, part: Range<usize>) -> Vec<Block> {
    let bytes = text.as_bytes().get(..part.end).unwrap_or_default();
    let mut found: Vec<Block> = Vec::new();
    let mut fence: Option<(u8, usize)> = None;
    let mut open = false;
    for range in Lines::new(bytes, part.start) {
        let line = text.get(range.clone()).unwrap_or_default();
        let mark = fence_of(line);
        if let Some((sign, length)) = fence {
            if mark.is_some_and(|(s, l, bare)| s == sign && l >= length && bare) {
                fence = None;
            } else {
                found.push(Block { range, kind: Shape::Code });
            }
            open = false;
            continue;
        }
        if let Some((sign, length, _)) = mark {
            fence = Some((sign, length));
            open = false;
            continue;
        }
        let trimmed = line.trim_start_matches([' ', '\t', '>']);
        if trimmed.is_empty() {
            open = false;
            continue;
        }
        let kind = shape(trimmed);
        match (kind, found.last_mut()) {
            (Shape::Paragraph, Some(last)) if open => last.range.end = range.end,
            _ => found.push(Block { range, kind }),
        }
        open = matches!(kind, Shape::Paragraph | Shape::Item);
    }
    found
}

fn shape(line: &str) -> Shape {
    let hashes = line.bytes().take_while(|b| *b == b'#').count();
    if (1..=6).contains(&hashes) && line.get(hashes..).is_some_and(|rest| rest.starts_with(' ')) {
        return Shape::Heading(hashes);
    }
    if line.starts_with('|') {
        return Shape::Row;
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let numbered =
        digits > 0 && line.get(digits..).is_some_and(|rest| rest.starts_with(". ") || rest.starts_with(") "));
    let bullet = ["- ", "* ", "+ ", "• "].iter().any(|mark| line.starts_with(mark));
    if numbered || bullet { Shape::Item } else { Shape::Paragraph }
}

/// The sign, the length, and whether nothing follows, when the line opens or closes fenced code.
fn fence_of(line: &str) -> Option<(u8, usize, bool)> {
    let line = line.trim_start_matches([' ', '\t', '>']);
    let sign = *line.as_bytes().first().filter(|b| matches!(b, b'`' | b'~'))?;
    let length = line.bytes().take_while(|b| *b == sign).count();
    let rest = line.get(length..)?.trim();
    let opens = length >= 3 && !(sign == b'`' && rest.contains('`'));
    opens.then_some((sign, length, rest.is_empty()))
}

/// The values of the frontmatter that name things, as they stand: behind the colon, to the next key that stands no
/// deeper.
pub(super) fn values(text: &str, yaml: Range<usize>) -> Vec<(Key, Range<usize>)> {
    let bytes = text.as_bytes().get(..yaml.end).unwrap_or_default();
    let mut found: Vec<(Key, Range<usize>)> = Vec::new();
    let mut open: Option<usize> = None;
    for range in Lines::new(bytes, yaml.start) {
        let line = text.get(range.clone()).unwrap_or_default();
        let indent = line.len() - line.trim_start().len();
        let key = line.trim_start().split_once(':').filter(|(key, rest)| {
            !key.is_empty()
                && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
                && (rest.is_empty() || rest.starts_with([' ', '\t']))
        });
        if let Some((key, rest)) = key.filter(|_| open.is_none_or(|deep| indent <= deep)) {
            let value = range.end - rest.len()..range.end;
            let kind = match key {
                "description" => Key::Description,
                "source" => Key::Source,
                "verify" => Key::Verify,
                _ => {
                    open = None;
                    continue;
                }
            };
            found.push((kind, value));
            open = Some(indent);
        } else if open.is_some()
            && let Some((_, value)) = found.last_mut()
        {
            value.end = range.end;
        }
    }
    found
}

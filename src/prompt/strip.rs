//! What is taken off a memory file before it loads: frontmatter, comments, blanks at the ends. The text keeps
//! a map to the bytes of the file, so that for each line of the file it is known what became of it.

use crate::memory::index::frontmatter;
use crate::prompt::limits::Rules;
use pulldown_cmark::{Event, Options, Parser, Tag};
use std::ops::Range;

/// A text made from the bytes of a file, with where each part of it comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mapped {
    /// The text.
    pub text: String,
    /// `(offset in the text, offset in the file)` of each stretch that was taken over as it stands, ascending.
    pieces: Vec<(usize, usize)>,
}

/// Everything that comes before the limits, in the client's order (CLIENT_FACTS B1): decode, frontmatter,
/// comments, trim.
#[must_use]
pub fn strip(bytes: &[u8], rules: &Rules) -> Mapped {
    let mut text = Mapped::decode(bytes);
    if let Some(rest) =
        text.text.strip_prefix('\u{FEFF}').filter(|rest| rules.sanitises && frontmatter(rest) > 0)
    {
        let mark = 0..text.text.len() - rest.len();
        text = text.without(&[mark]);
    }
    let header = 0..frontmatter(&text.text);
    text = text.without(&[header]);
    if text.text.contains("<!--") {
        text = text.with_line_feeds();
        text = text.without(&comments(&text.text, rules));
    }
    text.trimmed()
}

/// A text without its block comments, line ends as the client's Markdown reader leaves them; a text without any
/// comment stays as it is (CLIENT_FACTS B9).
#[must_use]
pub fn without_comments(text: &str, rules: &Rules) -> String {
    if !text.contains("<!--") {
        return text.to_owned();
    }
    let mapped = Mapped { text: text.to_owned(), pieces: vec![(0, 0)] }.with_line_feeds();
    mapped.without(&comments(&mapped.text, rules)).text
}

/// What JavaScript's `trim` takes away: `White_Space` but for U+0085, and the byte order mark.
#[must_use]
pub fn is_js_blank(c: char) -> bool {
    (c.is_whitespace() && c != '\u{85}') || c == '\u{FEFF}'
}

impl Mapped {
    /// Decodes UTF-8; a bad sequence becomes U+FFFD.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Self {
        let mut out = Self::default();
        let mut at = 0;
        for chunk in bytes.utf8_chunks() {
            out.push(at, chunk.valid());
            at += chunk.valid().len();
            if !chunk.invalid().is_empty() {
                out.pieces.push((out.text.len(), at));
                out.text.push(char::REPLACEMENT_CHARACTER);
                at += chunk.invalid().len();
            }
        }
        out
    }

    /// Where in the text the bytes of a range of the file stand: from the first to behind the last that is
    /// still there. `None` when all of them were taken off. Ranges must be asked for in ascending order;
    /// `from` remembers how far that has come.
    pub fn place_of(&self, range: &Range<usize>, from: &mut usize) -> Option<Range<usize>> {
        let mut found: Option<Range<usize>> = None;
        while let Some(&(at, source)) = self.pieces.get(*from).filter(|piece| piece.1 < range.end) {
            let next = self.pieces.get(*from + 1);
            let end = next.map_or(self.text.len(), |next| next.0);
            let low = range.start.max(source) - source + at;
            let high = (range.end - source + at).min(end);
            if low < high {
                found = Some(found.map_or(low, |found| found.start)..high);
            }
            // The last piece that reaches into this range may reach into the next one too.
            if next.is_none_or(|next| next.1 >= range.end) {
                break;
            }
            *from += 1;
        }
        found
    }

    /// The text without blanks at its ends, as JavaScript's `trim` takes them.
    #[must_use]
    pub fn trimmed(&self) -> Self {
        let trimmed = self.text.trim_matches(is_js_blank);
        let start = self.text.len() - self.text.trim_start_matches(is_js_blank).len();
        let end = start + trimmed.len();
        self.without(&[0..start, end..self.text.len()])
    }

    fn push(&mut self, source: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        let follows = self.pieces.last().is_some_and(|&(at, from)| from + (self.text.len() - at) == source);
        if !follows {
            self.pieces.push((self.text.len(), source));
        }
        self.text.push_str(text);
    }

    /// The text without some ranges of it (ascending, not overlapping).
    fn without(&self, cuts: &[Range<usize>]) -> Self {
        let mut out = Self::default();
        let mut at = 0;
        for cut in cuts.iter().filter(|cut| !cut.is_empty()) {
            self.copy(at..cut.start, &mut out);
            at = cut.end;
        }
        self.copy(at..self.text.len(), &mut out);
        out
    }

    fn copy(&self, range: Range<usize>, out: &mut Self) {
        let first = self.pieces.partition_point(|piece| piece.0 <= range.start).saturating_sub(1);
        let ends = self.pieces.iter().skip(first + 1).map(|next| next.0).chain([self.text.len()]);
        for (&(at, source), end) in self.pieces.iter().skip(first).zip(ends) {
            if at >= range.end {
                break;
            }
            let (from, to) = (at.max(range.start), end.min(range.end));
            out.push(source + (from - at), self.text.get(from..to).unwrap_or_default());
        }
    }

    /// CRLF and lone CR as LF: the client's Markdown reader makes them so.
    fn with_line_feeds(&self) -> Self {
        let bytes = self.text.as_bytes();
        let paired = |at: &usize| bytes.get(at + 1) == Some(&b'\n');
        let (pairs, lone): (Vec<usize>, Vec<usize>) = memchr::memchr_iter(b'\r', bytes).partition(paired);
        let cuts: Vec<Range<usize>> = pairs.into_iter().map(|at| at..at + 1).collect();
        if lone.is_empty() {
            return self.without(&cuts);
        }
        // Same length, so the map holds.
        let crlf_kept = self.text.replace("\r\n", "\n\n").replace('\r', "\n");
        Self { text: crlf_kept, pieces: self.pieces.clone() }.without(&cuts)
    }
}

/// The ranges that the client's comment stripping takes away (CLIENT_FACTS B9): comments in top-level HTML
/// blocks that begin with one; the block with the blank lines behind it when nothing else is in it; where the
/// rules say so, link reference definitions with the blank lines behind them.
fn comments(text: &str, rules: &Rules) -> Vec<Range<usize>> {
    let mut cuts = Vec::new();
    let mut depth = 0usize;
    let mut covered = 0;
    let parser = Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH);
    for (event, range) in parser.into_offset_iter() {
        match event {
            Event::Start(tag) => {
                if depth == 0 {
                    definitions(text, covered..range.start, rules, &mut cuts);
                    covered = range.end;
                    if matches!(tag, Tag::HtmlBlock) {
                        covered = comment_block(text, range, &mut cuts).max(covered);
                    }
                }
                depth += 1;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            _ if depth == 0 => {
                definitions(text, covered..range.start, rules, &mut cuts);
                covered = range.end;
            }
            _ => {}
        }
    }
    definitions(text, covered..text.len(), rules, &mut cuts);
    cuts
}

/// Cuts the comments of one HTML block; gives where the block ends.
fn comment_block(text: &str, range: Range<usize>, cuts: &mut Vec<Range<usize>>) -> usize {
    let above = text.get(..range.start).unwrap_or_default();
    let start = above.len() - above.len().min(above.chars().rev().take_while(|c| *c == ' ').count());
    let block = text.get(start..range.end).unwrap_or_default();
    let lead = block.len() - block.trim_start().len();
    if !block.trim_start().starts_with("<!--") || !block.contains("-->") {
        return range.end;
    }
    let mut found = Vec::new();
    let mut at = lead;
    while let Some(open) = block.get(at..).and_then(|rest| rest.find("<!--")).map(|open| at + open) {
        let Some(close) = block.get(open + 4..).and_then(|rest| rest.find("-->")) else { break };
        at = open + 4 + close + 3;
        found.push(start + open..start + at);
    }
    let mut rest = block.to_owned();
    for cut in found.iter().rev() {
        rest.replace_range(cut.start - start..cut.end - start, "");
    }
    if rest.trim_matches(is_js_blank).is_empty() {
        let end = after_line_feeds(text, range.end);
        cuts.push(start..end);
        return end;
    }
    cuts.extend(found);
    range.end
}

/// Cuts the link reference definitions in a gap between two blocks: Markdown shows them nowhere, so whatever
/// stands there and is not blank is one.
fn definitions(text: &str, gap: Range<usize>, rules: &Rules, cuts: &mut Vec<Range<usize>>) {
    let inside = text.get(gap.clone()).unwrap_or_default();
    if rules.keeps_definitions || !inside.trim_start().starts_with('[') {
        return;
    }
    let start = gap.start + inside.len() - inside.trim_start().len();
    // From the start of its line: up to three blanks belong to it.
    let start = text.get(..start).map_or(start, |above| above.trim_end_matches(' ').len());
    cuts.push(start.max(gap.start)..after_line_feeds(text, gap.start + inside.trim_end().len()));
}

fn after_line_feeds(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    // A block that ends inside its last line takes its line end first.
    at + rest.len() - rest.trim_start_matches('\n').len()
}

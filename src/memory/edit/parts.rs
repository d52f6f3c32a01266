//! Sets and adds one part of the body: the fact, a Why, a How to apply.
//!
//! A part's text is what stands between the blanks and empty lines around it, with LF as line end; those around
//! it stay when it is set. Lines that the new text shares with the old keep their bytes, line ends too.

use super::set::keeps_bytes;
use super::{Refused, line_end, splice};
use crate::memory::body::{self, Part, PartKind};
use crate::memory::document::Document;
use std::ops::Range;

/// Which part of a body: the how-manieth of its kind, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartRef {
    /// What it is.
    pub kind: PartKind,
    /// The how-manieth of this kind in the body, from 0.
    pub number: usize,
}

/// The parts of a memory's body and their texts, in order. The first is the fact; it may be empty.
#[must_use]
pub fn part_texts(bytes: &[u8]) -> Vec<(PartRef, String)> {
    let document = Document::parse(bytes);
    let body = bytes.get(document.body).unwrap_or_default();
    let parts = body::parts(body);
    let number = |at: usize, kind| parts.iter().take(at).filter(|p| p.kind == kind).count();
    let each = parts.iter().enumerate();
    each.map(|(at, part)| (PartRef { kind: part.kind, number: number(at, part.kind) }, text(body, part)))
        .collect()
}

/// A text as a part of a body holds it: LF as line end, without blanks and empty lines at its edges.
#[must_use]
pub fn part_text(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").trim_matches(BLANKS).to_owned()
}

/// Gives one part a new text; no other byte changes. The text is taken as [`part_text`] gives it.
///
/// # Errors
/// When there is no such part, or the text would change what the others are: a label or heading in it starts a
/// new part, fenced code that it doesn't close hides the next one.
pub fn set_part(bytes: &[u8], which: PartRef, text: &str) -> Result<Vec<u8>, Refused> {
    let document = Document::parse(bytes);
    let body = bytes.get(document.body.clone()).unwrap_or_default();
    let parts = body::parts(body);
    let place = parts.iter().enumerate().filter(|(_, p)| p.kind == which.kind).nth(which.number);
    let (at, part) = place.ok_or_else(|| Refused::new("the body has no such part"))?;
    let new = part_text(text);
    let core = core(body, &part.content);
    let nl = line_end(bytes);
    let after = if core.is_empty() {
        let (place, written) = fill(body, part, at + 1 < parts.len(), &new, nl);
        splice(body, &(place..place), written.as_bytes())
    } else {
        splice(body, &core, &merge_lines(body.get(core.clone()).unwrap_or_default(), &new, nl)?)
    };
    let after = splice(bytes, &document.body, &after);
    let expected =
        |number: usize, part: &Part| if number == at { new.clone() } else { self::text(body, part) };
    check(bytes, &after, parts.iter().enumerate().map(|(n, p)| (p.kind, expected(n, p))).collect())?;
    Ok(after)
}

/// Adds a Why or a How to apply in the usual form: a Why before the How when there is one, else at the end.
///
/// # Errors
/// When there is one already, the text is empty or would itself start a new part, or fenced code is open
/// where it would go.
pub fn add_part(bytes: &[u8], kind: PartKind, text: &str) -> Result<Vec<u8>, Refused> {
    let label = match kind {
        PartKind::Why => "**Why:**",
        PartKind::How => "**How to apply:**",
        PartKind::Fact | PartKind::Other => {
            return Err(Refused::new("only a Why or a How to apply can be added"));
        }
    };
    let document = Document::parse(bytes);
    let body = bytes.get(document.body.clone()).unwrap_or_default();
    let parts = body::parts(body);
    if parts.iter().any(|p| p.kind == kind) {
        return Err(Refused::new("the body has this part already"));
    }
    let new = part_text(text);
    if new.is_empty() {
        return Err(Refused::new("the new part is empty"));
    }
    let nl = line_end(bytes);
    let starts_line = |part: &Part| {
        let before = part.label.start.checked_sub(1).and_then(|at| body.get(at));
        before.is_none_or(|byte| matches!(byte, b'\n' | b'\r'))
    };
    let how = parts.iter().position(|p| p.kind == PartKind::How && kind == PartKind::Why && starts_line(p));
    let place = how.and_then(|at| parts.get(at)).map_or(body.len(), |part| part.label.start);
    let head = body.get(..place).unwrap_or_default();
    let apart = nl.repeat(2usize.saturating_sub(trailing_ends(head)));
    let apart = if core(body, &(0..place)).is_empty() { "" } else { apart.as_str() };
    let end = if how.is_some() {
        nl.repeat(2)
    } else if trailing_ends(head) > 0 || head.is_empty() {
        nl.to_owned()
    } else {
        String::new()
    };
    let written = format!("{apart}{label} {}{end}", new.replace('\n', nl));
    let after = splice(body, &(place..place), written.as_bytes());
    let after = splice(bytes, &document.body, &after);
    let mut expected: Vec<_> = parts.iter().map(|p| (p.kind, self::text(body, p))).collect();
    expected.insert(how.unwrap_or(parts.len()), (kind, new));
    check(bytes, &after, expected)?;
    Ok(after)
}

const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// The bytes between the blanks at both ends; empty at the start when there is nothing else.
fn core(body: &[u8], content: &Range<usize>) -> Range<usize> {
    let bytes = body.get(content.clone()).unwrap_or_default();
    let Some(first) = bytes.iter().position(|b| !is_blank(b)) else { return content.start..content.start };
    let last = bytes.iter().rposition(|b| !is_blank(b)).unwrap_or(first);
    content.start + first..content.start + last + 1
}

fn text(body: &[u8], part: &Part) -> String {
    let bytes = body.get(core(body, &part.content)).unwrap_or_default();
    part_text(&String::from_utf8_lossy(bytes))
}

/// How many line ends stand at the end, blanks between them not counted.
fn trailing_ends(bytes: &[u8]) -> usize {
    let tail = bytes.iter().rposition(|b| !is_blank(b)).map_or(0, |last| last + 1);
    lines(bytes.get(tail..).unwrap_or_default()).len().saturating_sub(1)
}

/// Where and how the text of an empty part goes in.
fn fill(body: &[u8], part: &Part, more: bool, new: &str, nl: &str) -> (usize, String) {
    let new = new.replace('\n', nl);
    let content = body.get(part.content.clone()).unwrap_or_default();
    let label = body.get(part.label.clone()).unwrap_or_default();
    let ends = trailing_ends(content);
    if new.is_empty() {
        (part.content.start, String::new())
    } else if label.is_empty() {
        let end = if more { nl.repeat(2) } else { nl.to_owned() };
        (part.content.end, format!("{new}{end}"))
    } else if label.trim_ascii_start().starts_with(b"#") {
        let (before, end) = if ends == 0 { (nl, "") } else { ("", nl) };
        let apart = if more && ends > 0 { nl } else { "" };
        (part.content.end, format!("{before}{new}{end}{apart}"))
    } else {
        let blank = content.first().is_some_and(|b| matches!(b, b' ' | b'\t'));
        (part.content.start + usize::from(blank), format!("{}{new}", if blank { "" } else { " " }))
    }
}

/// The lines of a text and the line end behind each; the last one has none.
pub(super) fn lines(bytes: &[u8]) -> Vec<(&[u8], &[u8])> {
    let mut found = Vec::new();
    let mut rest = bytes;
    while let Some(at) = memchr::memchr2(b'\n', b'\r', rest) {
        let (line, tail) = rest.split_at(at);
        let (end, next) = tail.split_at(if tail.starts_with(b"\r\n") { 2 } else { 1 });
        found.push((line, end));
        rest = next;
    }
    found.push((rest, b"".as_slice()));
    found
}

/// The new text, in which the lines that it shares with the old at its start and end keep their bytes.
///
/// # Errors
/// When a line that changes has bytes that are not UTF-8 and the new text shows them still (as U+FFFD).
fn merge_lines(old: &[u8], new: &str, nl: &str) -> Result<Vec<u8>, Refused> {
    let old = lines(old);
    let new: Vec<&str> = new.split('\n').collect();
    let same = |(o, n): (&(&[u8], &[u8]), &&str)| String::from_utf8_lossy(o.0) == **n;
    let head = old.iter().zip(&new).take_while(|(o, n)| same((o, n))).count();
    let left = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(left).take_while(|(o, n)| same((o, n))).count();
    let replaced = old.get(head..old.len() - tail).unwrap_or_default();
    let instead = new.get(head..new.len() - tail).unwrap_or_default();
    for (line, _) in replaced {
        keeps_bytes(line, &instead.join("\n"))?;
    }
    let mut written = Vec::new();
    for (at, line) in new.iter().enumerate() {
        let kept = if at < head {
            old.get(at)
        } else if at + tail >= new.len() {
            (at + old.len()).checked_sub(new.len()).and_then(|at| old.get(at))
        } else {
            None
        };
        let (line, end) = kept.copied().unwrap_or((line.as_bytes(), b""));
        written.extend_from_slice(line);
        if at + 1 < new.len() {
            written.extend_from_slice(if end.is_empty() { nl.as_bytes() } else { end });
        }
    }
    Ok(written)
}

/// Checks that the parts are as expected and nothing else of the document changed.
fn check(before: &[u8], after: &[u8], expected: Vec<(PartKind, String)>) -> Result<(), Refused> {
    let (old, new) = (Document::parse(before), Document::parse(after));
    let opens = |bytes: &[u8], document: &Document| {
        document.frontmatter.is_none()
            && bytes.get(document.body.clone()).is_some_and(|body| body.starts_with(b"---"))
    };
    if old.frontmatter != new.frontmatter || old.body.start != new.body.start {
        return Err(Refused::new("the text would be read as frontmatter"));
    }
    if opens(after, &new) && !opens(before, &old) {
        return Err(Refused::new("the client would read the `---` at its start as frontmatter"));
    }
    let found: Vec<_> = part_texts(after).into_iter().map(|(part, text)| (part.kind, text)).collect();
    if found.len() > expected.len() {
        return Err(Refused::new("a label or heading in the text would start another part"));
    }
    if found.len() < expected.len() {
        return Err(Refused::new("fenced code that is not closed would hide the part behind it"));
    }
    if found != expected {
        return Err(Refused::new("the parts of the body would read otherwise"));
    }
    Ok(())
}

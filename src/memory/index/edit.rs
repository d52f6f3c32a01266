//! Takes entries out of an index: a whole item where the item is about the memory, else only the link.

use crate::memory::index::{Entry, Index, ParkedLine, Place, Target};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// An index without some of its entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    /// The index as it is then.
    pub bytes: Vec<u8>,
    /// What was taken, from top to bottom.
    pub taken: Vec<Taken>,
}

/// One place where something was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// The lines concerned, before.
    pub lines: Range<usize>,
    /// The entries that went (positions in [`Index::entries`]).
    pub entries: Vec<usize>,
    /// What stands there now, without its line end; `None`: the lines are gone.
    pub instead: Option<Vec<u8>>,
    /// Whether a link became plain text, since nothing could be cut without harm to the sentence.
    pub plain: bool,
    /// The line in the new index where it stood.
    pub line: usize,
}

/// Takes entries out (positions in [`Index::entries`]; `index` was read from `bytes`).
///
/// An item goes as a whole when it is about these entries and no others. Of several links in a line only
/// the one goes, with the separator beside it; where no cut reads right, the link becomes its text. No other
/// line changes; a heading whose last entry goes stays.
#[must_use]
pub fn remove(bytes: &[u8], index: &Index, entries: &[usize]) -> Removed {
    let going: BTreeSet<usize> = entries.iter().copied().filter(|at| *at < index.entries.len()).collect();
    let whole = whole_items(index, &going);
    let mut spots: BTreeMap<usize, (Range<usize>, Vec<usize>)> = BTreeMap::new();
    for &at in &going {
        let Some(entry) = index.entries.get(at) else { continue };
        let lines = match whole.range(..=entry.line).next_back() {
            Some((&start, &end)) if entry.line < end => start..end,
            _ => entry.line..last_line(index, entry) + 1,
        };
        // A link over two lines makes one spot with those that begin in its last line.
        let same = spots.range(..=lines.start).next_back().filter(|(_, (spot, _))| lines.start < spot.end);
        let first = same.map_or(lines.start, |(&first, _)| first);
        let spot = spots.entry(first).or_insert_with(|| (lines.clone(), Vec::new()));
        spot.0.end = spot.0.end.max(lines.end);
        spot.1.push(at);
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut taken: Vec<Taken> = Vec::new();
    let mut copied = 0;
    let mut gone = 0;
    for (lines, entries) in spots.into_values() {
        let (start, end) = (line_start(index, lines.start), text_end(index, lines.end));
        out.extend_from_slice(bytes.get(copied..start).unwrap_or_default());
        let line = lines.start - gone;
        let (instead, plain) = if whole.contains_key(&lines.start) {
            copied = index.lines.get(lines.end).map_or(bytes.len(), |next| next.start);
            gone += lines.len();
            (None, false)
        } else {
            let (text, plain) = without_links(bytes, index, start..end, &entries);
            out.extend_from_slice(&text);
            copied = end;
            gone += lines.len().saturating_sub(line_count(&text, bytes));
            (Some(text), plain)
        };
        taken.push(Taken { lines, entries, instead, plain, line });
    }
    out.extend_from_slice(bytes.get(copied..).unwrap_or_default());
    Removed { bytes: out, taken }
}

impl Taken {
    /// What is needed to put it back, for the memory at `path`; `None` when the lines are not UTF-8 and so
    /// could not be kept byte for byte.
    #[must_use]
    pub fn parked(&self, bytes: &[u8], index: &Index, path: &str) -> Option<ParkedLine> {
        let line = |at: usize| {
            let line = index.lines.get(at)?;
            Some(String::from_utf8_lossy(bytes.get(line.clone())?).into_owned())
        };
        let end = text_end(index, self.lines.end);
        let text = bytes.get(line_start(index, self.lines.start)..end)?;
        let next = index.lines.get(self.lines.end).map_or(bytes.len(), |next| next.start);
        let instead = self.instead.as_deref().map(std::str::from_utf8).transpose().ok()?;
        Some(ParkedLine {
            path: path.to_owned(),
            text: std::str::from_utf8(text).ok()?.to_owned(),
            section: index.section_of_line(self.lines.start).map(|section| section.title.clone()),
            before: self.lines.start.checked_sub(1).and_then(line),
            after: line(self.lines.end),
            instead: instead.map(str::to_owned),
            line: self.line,
            end: std::str::from_utf8(bytes.get(end..next)?).ok()?.to_owned(),
        })
    }
}

/// The items (first line and the line behind the last) that go as a whole: about an entry that goes, and
/// naming no memory that stays. An item inside another one that goes is not listed.
fn whole_items(index: &Index, going: &BTreeSet<usize>) -> BTreeMap<usize, usize> {
    let mut items: BTreeMap<usize, usize> = BTreeMap::new();
    for &at in going {
        let Some(entry) = index.entries.get(at) else { continue };
        let first = index.entries.partition_point(|other| other.line < entry.item.start);
        let last = index.entries.partition_point(|other| other.line < entry.item.end);
        if entry.place != Place::Prose && (first..last).all(|other| going.contains(&other)) {
            let end = items.entry(entry.item.start).or_insert(entry.item.end);
            *end = entry.item.end.max(*end);
        }
    }
    let mut covered = 0;
    items.retain(|_, end| {
        let outer = *end > covered;
        covered = covered.max(*end);
        outer
    });
    items
}

/// The text of some lines without the links of some entries, and whether one of them became plain text.
fn without_links(bytes: &[u8], index: &Index, lines: Range<usize>, going: &[usize]) -> (Vec<u8>, bool) {
    let mut out = Vec::new();
    let mut copied = lines.start;
    let mut plain = false;
    let mut at = 0;
    while let Some(&first) = going.get(at) {
        // A run of neighbours that go together: one cut.
        let mut last = first;
        while going.get(at + 1) == Some(&(last + 1)) && separator(bytes, index, last).is_some() {
            last += 1;
            at += 1;
        }
        at += 1;
        let before = first.checked_sub(1).filter(|before| separator(bytes, index, *before).is_some());
        let start = outer(bytes, index, first).start;
        let end = outer(bytes, index, last).end;
        let cut = if separator(bytes, index, last).is_some() {
            Some(start..outer(bytes, index, last + 1).start)
        } else {
            before.map(|before| outer(bytes, index, before).end..end)
        };
        match cut.filter(|cut| cut.start >= copied) {
            Some(cut) => {
                out.extend_from_slice(bytes.get(copied..cut.start).unwrap_or_default());
                copied = cut.end;
            }
            None => {
                plain = true;
                for entry in (first..=last).filter_map(|entry| index.entries.get(entry)) {
                    out.extend_from_slice(bytes.get(copied..entry.link.start).unwrap_or_default());
                    out.extend_from_slice(&shown(bytes, entry));
                    copied = entry.link.end;
                }
            }
        }
    }
    out.extend_from_slice(bytes.get(copied..lines.end).unwrap_or_default());
    (out, plain)
}

/// The text that stands for a link in a sentence: its own, or the file's stem when it has none.
fn shown(bytes: &[u8], entry: &Entry) -> Vec<u8> {
    // A line end at its edge would leave a blank line, which ends the paragraph.
    let mut text = bytes.get(entry.text.clone()).unwrap_or_default();
    while let [b'\r' | b'\n', rest @ ..] | [rest @ .., b'\r' | b'\n'] = text {
        text = rest;
    }
    match &entry.target {
        _ if !text.is_empty() => text.to_owned(),
        Target::File(path) => path.stem().into_owned().into_bytes(),
        Target::Name(name) => name.clone().into_bytes(),
    }
}

/// What stands between an entry and the next one, when it does nothing but separate the two in one line.
fn separator(bytes: &[u8], index: &Index, at: usize) -> Option<()> {
    let (one, next) = (index.entries.get(at)?, index.entries.get(at + 1)?);
    if one.line != next.line || one.item != next.item {
        return None;
    }
    let between = bytes.get(outer(bytes, index, at).end..outer(bytes, index, at + 1).start)?;
    let between = std::str::from_utf8(between).ok()?;
    let mark = between.trim();
    let separates = match mark {
        "" => !between.is_empty(),
        "|" => one.place != Place::Row,
        _ => [",", ";", "·", "•", "/", "+", "&", "and", "or"].contains(&mark),
    };
    separates.then_some(())
}

/// A link with the emphasis that surrounds it and nothing else.
fn outer(bytes: &[u8], index: &Index, at: usize) -> Range<usize> {
    let Some(entry) = index.entries.get(at) else { return 0..0 };
    let mut link = entry.link.clone();
    let marks: [&[u8]; 5] = [b"**", b"__", b"~~", b"*", b"_"];
    loop {
        let around = marks.into_iter().find(|mark| {
            bytes.get(..link.start).is_some_and(|before| before.ends_with(mark))
                && bytes.get(link.end..).is_some_and(|after| after.starts_with(mark))
        });
        match around {
            Some(mark) => link = link.start - mark.len()..link.end + mark.len(),
            None => return link,
        }
    }
}

/// How many lines of a file a text fills that stands in it without its last line end.
fn line_count(text: &[u8], file: &[u8]) -> usize {
    let end = if memchr::memchr(b'\n', file).is_some() { b'\n' } else { b'\r' };
    memchr::memchr_iter(end, text).count() + 1
}

fn last_line(index: &Index, entry: &Entry) -> usize {
    let after = index.lines.partition_point(|line| line.start < entry.link.end);
    after.saturating_sub(1).max(entry.line)
}

fn line_start(index: &Index, line: usize) -> usize {
    index.lines.get(line).map_or(0, |line| line.start)
}

/// Where the text of the line before `line` ends.
fn text_end(index: &Index, line: usize) -> usize {
    line.checked_sub(1).and_then(|line| index.lines.get(line)).map_or(0, |line| line.end)
}

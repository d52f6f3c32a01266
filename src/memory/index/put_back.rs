//! Puts parked lines back where they stood, verbatim.

use crate::memory::index::source::{self, line_end, split_by};
use crate::memory::index::{Index, ParkedLine};
use std::collections::{BTreeSet, HashMap};

/// The lines of an index, with what is needed to find a place among them.
struct Line {
    text: Vec<u8>,
    end: Vec<u8>,
    section: Option<String>,
}

impl Line {
    /// Whether it reads like this text; bytes that are not UTF-8 read as U+FFFD, as they were kept.
    fn reads(&self, text: &str) -> bool {
        let same = self.text == text.as_bytes();
        same || (text.contains('\u{FFFD}') && String::from_utf8_lossy(&self.text) == text)
    }
}

/// Puts parked lines back: at the place between the line before and the line after, else under the heading
/// they stood under; text and hook are as they were. `restore` holds positions in `parked`; the lines that
/// stay parked help to find the place, since two neighbours may have been parked one after the other.
///
/// Gives the new index, and the positions for which no place was found: their line was part of another that
/// has changed since, or neighbours and heading are gone. Those are for [`crate::memory::index::insert()`].
#[must_use]
pub fn put_back(bytes: &[u8], parked: &[ParkedLine], restore: &[usize]) -> (Vec<u8>, Vec<usize>) {
    let index = Index::parse(bytes);
    let style = line_end(bytes).as_bytes();
    // The file may have lost its last LF with a line that goes back now.
    let has_feed = |text: &str| text.contains('\n');
    let feeds = bytes.contains(&b'\n') || parked.iter().any(|l| has_feed(&l.text) || has_feed(&l.end));
    let end_byte = if feeds { b'\n' } else { b'\r' };
    let mut document = document(bytes, &index, end_byte);
    let mut chain = Chain::new(parked, end_byte);
    let mut order: Vec<usize> = restore.iter().copied().filter(|at| *at < parked.len()).collect();
    // The last one parked goes back first: its neighbours are then as it left them.
    order.sort_unstable();
    order.dedup();
    let mut homeless = Vec::new();
    for &at in order.iter().rev() {
        let Some(line) = parked.get(at) else { continue };
        let placed = match &line.instead {
            Some(instead) => replace(&mut document, line, instead, end_byte),
            None => match place(&document, line, &chain) {
                Some(place) => {
                    put(&mut document, place, line, style, end_byte);
                    true
                }
                None => false,
            },
        };
        if placed {
            chain.back(at);
        } else {
            homeless.push(at);
        }
    }
    homeless.reverse();
    let mut out = Vec::with_capacity(bytes.len());
    for line in document {
        out.extend(line.text);
        out.extend(line.end);
    }
    (out, homeless)
}

fn document(bytes: &[u8], index: &Index, end_byte: u8) -> Vec<Line> {
    let section = |start: usize| {
        let line = index.lines.partition_point(|line| line.start <= start).saturating_sub(1);
        index.section_of_line(line).map(|section| section.title.clone())
    };
    let mut start = 0;
    split_by(bytes, end_byte)
        .into_iter()
        .map(|line| {
            let section = section(start);
            start += line.text.len() + line.end.len();
            Line { text: line.text.to_owned(), end: line.end.to_owned(), section }
        })
        .collect()
}

/// Puts the whole line in the place of what was left of it.
fn replace(document: &mut Vec<Line>, line: &ParkedLine, instead: &str, end_byte: u8) -> bool {
    let left: Vec<&[u8]> = split_by(instead.as_bytes(), end_byte).into_iter().map(|line| line.text).collect();
    let same = |at: usize| {
        left.iter().enumerate().all(|(i, text)| document.get(at + i).is_some_and(|line| line.text == *text))
    };
    let found = (0..document.len()).filter(|&at| same(at)).min_by_key(|at| at.abs_diff(line.line));
    let Some(at) = found.filter(|_| !left.is_empty()) else { return false };
    let Some(last) = document.get(at + left.len() - 1) else { return false };
    let (end, section) = (last.end.clone(), last.section.clone());
    let whole = with_sections(split_by(line.text.as_bytes(), end_byte), end, section);
    document.splice(at..at + left.len(), whole);
    true
}

/// Where a parked line goes: before which line of the document.
fn place(document: &[Line], line: &ParkedLine, chain: &Chain<'_>) -> Option<usize> {
    let anchors = Anchors { before: chain.before(line), after: chain.after(line) };
    // Most often nothing else has changed: then it is the very line.
    if line.line <= document.len() && score(document, line, &anchors, line.line).0 == 2 {
        return Some(line.line);
    }
    let scored = (0..=document.len()).map(|at| (score(document, line, &anchors, at), at));
    let best = scored.max_by_key(|(score, _)| *score).filter(|(score, _)| score.0 > 0);
    best.map(|(_, at)| at).or_else(|| {
        let section = line.section.as_deref()?;
        let last = document.iter().rposition(|other| {
            other.section.as_deref() == Some(section) && !other.text.trim_ascii().is_empty()
        })?;
        Some(last + 1)
    })
}

/// How well a place fits: how many anchors stand there, whether it is under the same heading, and how near it
/// is to the old line.
type Score = (u8, bool, std::cmp::Reverse<usize>);

/// What may stand before the place of a line and after it (`None`: the index begins or ends there).
struct Anchors<'a> {
    before: BTreeSet<Option<&'a str>>,
    after: BTreeSet<Option<&'a str>>,
}

fn score(document: &[Line], line: &ParkedLine, anchors: &Anchors<'_>, at: usize) -> Score {
    let (above, below) = (at.checked_sub(1).and_then(|at| document.get(at)), document.get(at));
    let fits = |stands: Option<&Line>, anchors: &BTreeSet<Option<&str>>| {
        anchors.iter().any(|anchor| match (stands, anchor) {
            (Some(line), Some(anchor)) => line.reads(anchor),
            (None, None) => true,
            _ => false,
        })
    };
    let blank = |stands: Option<&Line>| stands.is_some_and(|line| line.text.trim_ascii().is_empty());
    let (before, after) = (fits(above, &anchors.before), fits(below, &anchors.after));
    let near = std::cmp::Reverse(at.abs_diff(line.line));
    if !before && !after {
        return (0, false, near);
    }
    let here = above.and_then(|line| line.section.as_deref()) == line.section.as_deref();
    // Blank lines are everywhere: alone they say nothing, together only under the same heading or at the
    // very line.
    let anchored = match (before, after) {
        (true, true) if here || at == line.line || !(blank(above) && blank(below)) => 2,
        (true, false) if !blank(above) => 1,
        (false, true) if !blank(below) => 1,
        _ => 0,
    };
    (anchored, here, near)
}

fn put(document: &mut Vec<Line>, at: usize, line: &ParkedLine, style: &[u8], end_byte: u8) {
    let last = at == document.len();
    let mut end = line.end.clone().into_bytes();
    if let Some(previous) = at.checked_sub(1).and_then(|at| document.get_mut(at))
        && previous.end.is_empty()
    {
        // The file has no final line end; it keeps that.
        previous.end = style.to_owned();
        end.clear();
    }
    if !last && end.is_empty() {
        end = style.to_owned();
    }
    let section = at.checked_sub(1).and_then(|at| document.get(at)?.section.clone());
    let lines = with_sections(split_by(line.text.as_bytes(), end_byte), end, section);
    document.splice(at..at, lines);
}

fn with_sections(text: Vec<source::Line<'_>>, last_end: Vec<u8>, section: Option<String>) -> Vec<Line> {
    let mut lines: Vec<Line> = text
        .into_iter()
        .map(|line| Line { text: line.text.to_owned(), end: line.end.to_owned(), section: section.clone() })
        .collect();
    if let Some(last) = lines.last_mut() {
        last.end.extend(last_end);
    }
    lines
}

/// The parked lines by their text: where a neighbour was parked too, its own neighbour is the anchor.
struct Chain<'a> {
    parked: &'a [ParkedLine],
    by_last: HashMap<&'a str, Vec<usize>>,
    by_first: HashMap<&'a str, Vec<usize>>,
    back: Vec<bool>,
    end_byte: u8,
}

impl<'a> Chain<'a> {
    fn new(parked: &'a [ParkedLine], end_byte: u8) -> Self {
        let (mut by_last, mut by_first): (HashMap<_, Vec<_>>, HashMap<_, Vec<_>>) = Default::default();
        for (at, line) in parked.iter().enumerate() {
            let (first, last) = ends(&line.text, end_byte);
            by_first.entry(first).or_default().push(at);
            by_last.entry(last).or_default().push(at);
        }
        Self { parked, by_last, by_first, back: vec![false; parked.len()], end_byte }
    }

    fn back(&mut self, at: usize) {
        if let Some(back) = self.back.get_mut(at) {
            *back = true;
        }
    }

    fn before(&self, line: &'a ParkedLine) -> BTreeSet<Option<&'a str>> {
        self.follow(
            line,
            &self.by_last,
            |line| match &line.instead {
                Some(left) => Some(ends(left, self.end_byte).1),
                None => line.before.as_deref(),
            },
            line.before.as_deref(),
        )
    }

    fn after(&self, line: &'a ParkedLine) -> BTreeSet<Option<&'a str>> {
        self.follow(
            line,
            &self.by_first,
            |line| match &line.instead {
                Some(left) => Some(ends(left, self.end_byte).0),
                None => line.after.as_deref(),
            },
            line.after.as_deref(),
        )
    }

    /// A line's neighbour and, as long as lines that read so are parked, what stands there without them. Of
    /// several that read alike, nothing tells which one was the neighbour: so each of them is followed.
    fn follow(
        &self,
        of: &'a ParkedLine,
        by_text: &HashMap<&'a str, Vec<usize>>,
        next: impl Fn(&'a ParkedLine) -> Option<&'a str>,
        neighbour: Option<&'a str>,
    ) -> BTreeSet<Option<&'a str>> {
        let mut anchors = BTreeSet::from([neighbour]);
        let mut ahead = vec![neighbour];
        while let Some(anchor) = ahead.pop() {
            let same = anchor.and_then(|text| by_text.get(text)).map(Vec::as_slice).unwrap_or_default();
            let away = same.iter().filter(|at| !self.back.get(**at).copied().unwrap_or(true));
            let away = away.filter_map(|at| self.parked.get(*at)).filter(|other| !std::ptr::eq(*other, of));
            ahead.extend(away.map(&next).filter(|further| anchors.insert(*further)));
        }
        anchors
    }
}

/// The first and the last line of a text.
fn ends(text: &str, end_byte: u8) -> (&str, &str) {
    let end = char::from(end_byte);
    let first = text.split(end).next().unwrap_or_default();
    let first = if first.len() < text.len() { first.strip_suffix('\r').unwrap_or(first) } else { first };
    (first, text.rsplit(end).next().unwrap_or_default())
}

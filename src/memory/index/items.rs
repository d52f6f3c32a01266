//! From links to entries: which physical lines make up an item, whether the link leads it, and its hook.

use crate::memory::index::links::{Block, Found, Link};
use crate::memory::index::source::Source;
use crate::memory::index::{Entry, Place, Section};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A link is the head of its item when no more letters than this stand before it ("See ", a date, …).
const SHORT_LEAD: usize = 24;
/// … or no more than this, when they are a label: bold, or ended by a colon or an arrow.
const LABEL_LEAD: usize = 80;

/// The headings with the lines below them.
pub(super) fn sections(source: &Source<'_>, found: &Found) -> Vec<Section> {
    let headings: Vec<Range<usize>> = found.headings.iter().map(|heading| source.lines_of(heading)).collect();
    let ends = headings.iter().skip(1).map(|next| next.start).chain([source.lines.len()]);
    headings
        .iter()
        .zip(ends)
        .map(|(heading, end)| Section {
            title: heading_text(source, heading),
            heading: heading.clone(),
            body: heading.end..end.max(heading.end),
        })
        .collect()
}

fn heading_text(source: &Source<'_>, lines: &Range<usize>) -> String {
    let text = |line: usize| source.line(line).trim_start_matches([' ', '\t', '>']).trim_end();
    let first = text(lines.start);
    if let Some(rest) = first.strip_prefix('#') {
        let rest = rest.trim_start_matches('#').trim();
        let open = rest.trim_end_matches('#');
        let closed = open.is_empty() || open.ends_with([' ', '\t']);
        return if closed { open.trim_end() } else { rest }.to_owned();
    }
    // Setext: every line but the underline.
    let lines: Vec<&str> = (lines.start..lines.end.saturating_sub(1)).map(text).collect();
    lines.join(" ")
}

/// The entries, in the order of the file.
pub(super) fn entries(source: &Source<'_>, found: &Found, sections: &[Section]) -> Vec<Entry> {
    let lists = lists_without_bullets(source, &found.links);
    let items: Vec<(Range<usize>, Place)> =
        found.links.iter().map(|link| sole_item(source, item(source, link, &lists))).collect();
    let mut entries: Vec<Entry> = found
        .links
        .iter()
        .zip(items)
        .map(|(link, (item, place))| {
            let line = source.line_of(link.range.start);
            let above = sections.partition_point(|section| section.heading.start <= line);
            Entry {
                target: link.target.clone(),
                title: link.title.clone(),
                hook: String::new(),
                line,
                item,
                link: link.range.clone(),
                text: link.text.clone(),
                place,
                alone: place != Place::Prose,
                section: above.checked_sub(1).and_then(|at| sections.get(at)).map(|s| s.title.clone()),
            }
        })
        .collect();
    let starts: Vec<usize> = entries.iter().map(|entry| entry.line).collect();
    let links: Vec<usize> = entries.iter().map(|entry| entry.link.start).collect();
    for (at, entry) in entries.iter_mut().enumerate() {
        let within = starts.partition_point(|line| *line < entry.item.start)
            ..starts.partition_point(|line| *line < entry.item.end);
        entry.alone &= within.len() == 1;
        let end = source.lines.get(entry.item.end.saturating_sub(1)).map_or(0, |line| line.end);
        let end = links.get(at + 1).map_or(end, |next| end.min(*next));
        entry.hook = hook(source.slice(entry.link.end..end.max(entry.link.end)));
    }
    entries
}

/// An item as it is, but prose when one of its physical lines holds a lone CR: to Markdown that is a line end,
/// so the line may hold more than the item.
fn sole_item(source: &Source<'_>, (lines, place): (Range<usize>, Place)) -> (Range<usize>, Place) {
    let shared = lines.clone().any(|line| source.line(line).contains('\r'));
    (lines, if shared { Place::Prose } else { place })
}

/// The lines of the item that holds a link, and how the link stands there.
fn item(source: &Source<'_>, link: &Link, lists: &HashSet<usize>) -> (Range<usize>, Place) {
    let prose_unless = |leads: bool, place: Place| if leads { place } else { Place::Prose };
    let line = source.line_of(link.range.start);
    match &link.block {
        Block::Item(bytes) => {
            let before = bytes.start..link.range.start;
            let lines = indented_lines(source, bytes);
            if line >= lines.end {
                return (line..line + 1, Place::Prose);
            }
            (lines, prose_unless(is_lead(source.slice(before)), Place::Item))
        }
        Block::Row(bytes) => (source.lines_of(bytes), Place::Row),
        Block::Paragraph(bytes) if lists.contains(&bytes.start) => {
            let end = source.lines_of(bytes).end;
            let next = (line + 1..end).find(|&next| !is_indented(source.line(next))).unwrap_or(end);
            (line..next, prose_unless(is_line_lead(source, link), Place::Line))
        }
        Block::Paragraph(bytes) | Block::Other(bytes) => (source.lines_of(bytes), Place::Prose),
    }
}

/// The lines of a list item: the bullet's and those indented below it. Markdown also takes a paragraph that
/// goes on without indentation; an edit leaves that alone.
fn indented_lines(source: &Source<'_>, item: &Range<usize>) -> Range<usize> {
    let lines = source.lines_of(item);
    // Only the quote marks around the item are none of it: one behind the indentation is its second line's.
    let around = quote_marks(source.line(lines.start));
    let indent = |line: usize| {
        let text = without_quotes(source.line(line), around);
        (!text.trim().is_empty()).then(|| text.len() - text.trim_start().len())
    };
    let bullet = indent(lines.start).unwrap_or(0);
    let outside = |line: &usize| indent(*line).is_some_and(|indent| indent <= bullet);
    let end = (lines.start + 1..lines.end).find(outside).unwrap_or(lines.end);
    let last = (lines.start..end).rfind(|line| indent(*line).is_some()).unwrap_or(lines.start);
    lines.start..last + 1
}

/// The paragraphs (by their first byte) that are lists without bullets: the first line and every line
/// that is not indented begins with a link to a memory, and a separator or nothing follows the link. Any
/// other paragraph is prose.
fn lists_without_bullets(source: &Source<'_>, links: &[Link]) -> HashSet<usize> {
    let mut leading: HashMap<usize, (Range<usize>, HashSet<usize>)> = HashMap::new();
    for link in links {
        if let Block::Paragraph(bytes) = &link.block {
            let (_, lines) = leading.entry(bytes.start).or_insert((bytes.clone(), HashSet::new()));
            if is_line_lead(source, link) {
                lines.insert(source.line_of(link.range.start));
            }
        }
    }
    let is_list = |bytes: &Range<usize>, leads: &HashSet<usize>| {
        let lines = source.lines_of(bytes);
        leads.contains(&lines.start)
            && lines.into_iter().all(|line| leads.contains(&line) || is_indented(source.line(line)))
    };
    leading.into_iter().filter(|(_, (bytes, leads))| is_list(bytes, leads)).map(|(at, _)| at).collect()
}

fn is_indented(line: &str) -> bool {
    without_quote(line).starts_with([' ', '\t'])
}

/// A line without the quote marks that it begins with.
pub(super) fn without_quote(line: &str) -> &str {
    without_quotes(line, usize::MAX)
}

/// A line without so many of the quote marks that it begins with.
fn without_quotes(line: &str, marks: usize) -> &str {
    match line.trim_start().strip_prefix('>') {
        Some(rest) if marks > 0 => without_quotes(rest.strip_prefix(' ').unwrap_or(rest), marks - 1),
        _ => line,
    }
}

/// How many quote marks a line begins with.
fn quote_marks(line: &str) -> usize {
    line.trim_start().strip_prefix('>').map_or(0, |rest| 1 + quote_marks(rest))
}

/// Whether a link stands at the very start of its line and is followed by a separator or nothing.
fn is_line_lead(source: &Source<'_>, link: &Link) -> bool {
    let Some(line) = source.lines.get(source.line_of(link.range.start)) else { return false };
    let before = without_quote(source.slice(line.start..link.range.start));
    let after = source.slice(link.range.end.min(line.end)..line.end);
    let after = after.trim_start_matches(['*', '_', ')', ' ', '\t']);
    before.trim().chars().all(|c| "*_(".contains(c))
        && !is_indented(before)
        && (after.is_empty() || after.starts_with(SEPARATORS))
}

/// Whether what stands between the start of a list item and its link still makes the link its head.
fn is_lead(before: &str) -> bool {
    let lead = lead_text(before);
    let plain = lead.trim_matches(|c: char| c.is_whitespace() || "*_([`".contains(c));
    let length = plain.chars().count();
    let sentence = [". ", "! ", "? ", "; "].iter().any(|end| plain.contains(end));
    let label = plain.ends_with([':', '→', '>', '=']) || lead.starts_with("**") || lead.starts_with("__");
    let second = lead.contains("](") || lead.contains("]]");
    !sentence && !second && (length <= SHORT_LEAD || (label && length <= LABEL_LEAD))
}

/// What stands before the link, without bullet, quote marks and checkbox.
pub(super) fn lead_text(before: &str) -> &str {
    let mut rest = before;
    loop {
        let trimmed = rest.trim_start_matches([' ', '\t', '>', '\n', '\r']);
        let number = trimmed.trim_start_matches(|c: char| c.is_ascii_digit());
        let next = ["- ", "* ", "+ ", "-\t", "*\t", "+\t", "[ ] ", "[x] ", "[X] "]
            .iter()
            .find_map(|mark| trimmed.strip_prefix(mark))
            .or_else(|| number.strip_prefix([')', '.']).filter(|_| number.len() < trimmed.len()));
        match next {
            Some(next) => rest = next,
            None => return trimmed.trim_end(),
        }
    }
}

/// What separates a link from its hook.
pub(super) const SEPARATORS: [char; 11] = ['—', '–', '-', ':', '·', '|', ',', '→', '=', '>', ';'];

/// The hook in the text behind a link: its lines joined, without the separator in front and the marks that
/// close something opened before the link.
fn hook(behind: &str) -> String {
    let lines: Vec<&str> = behind.split(['\n', '\r']).map(|line| without_quote(line).trim()).collect();
    let joined = lines.join(" ");
    let text = joined.trim_start_matches(['*', '_', ')', ']']).trim_start();
    let rest = text.trim_start_matches(SEPARATORS);
    // "-v" or ">=" begins a hook; a separator has a blank behind it.
    let separated = rest.is_empty() || rest.starts_with(char::is_whitespace) || text.starts_with([':', ',']);
    let text = if separated { rest } else { text };
    let text = text.trim_end_matches(['|', '(', '[', '*', '_', ' ', '\t']).trim();
    // What is left of a sentence's punctuation says nothing.
    if text.contains(char::is_alphanumeric) { text.to_owned() } else { String::new() }
}

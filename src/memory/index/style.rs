//! How an index writes its entries, so that a new one reads like the others.

use crate::memory::index::items::{SEPARATORS, lead_text, without_quote};
use crate::memory::index::{Entry, Index, NewEntry, Place, Target, target};
use std::collections::HashMap;
use std::hash::Hash;

/// The longest line that is written, in UTF-16 units (what the client cuts its own lines to, CLIENT_FACTS B7).
pub const LINE_UNITS: usize = 150;

/// How entries are written in one place of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Style {
    /// Indentation, quote marks, bullet.
    prefix: String,
    /// Emphasis around the link.
    around: String,
    text: Text,
    separator: String,
    /// A row of a table, with this many cells.
    cells: Option<usize>,
}

/// What an index uses as the text of its links.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Text {
    Title,
    FileName,
    Stem,
    /// `[[stem]]`.
    Wiki,
}

impl Style {
    /// The style beside `neighbour` (the new entry comes behind it), with `samples` for what the neighbour
    /// does not show; entries that are no items of their own show nothing.
    pub(super) fn of(bytes: &[u8], index: &Index, neighbour: Option<&Entry>, samples: &[&Entry]) -> Self {
        let near = neighbour.filter(|entry| entry.alone);
        let shapes: Vec<(&Entry, Shape)> =
            samples.iter().filter_map(|entry| Some((*entry, Shape::of(bytes, index, entry)?))).collect();
        let own = near.and_then(|entry| Shape::of(bytes, index, entry));
        let (prefix, around) = match own {
            Some(shape) => (shape.prefix, shape.around),
            None => most_common(
                shapes
                    .iter()
                    .filter(|(entry, shape)| entry.place == Place::Item && !shape.prefix.starts_with(' '))
                    .map(|(_, shape)| (shape.prefix.clone(), shape.around.clone())),
            )
            .unwrap_or(("- ".into(), String::new())),
        };
        let separators = shapes.iter().filter_map(|(_, shape)| shape.separator.clone());
        Self {
            prefix,
            around,
            text: most_common(shapes.iter().map(|(entry, _)| text_of(entry))).unwrap_or(Text::Title),
            separator: most_common(separators).unwrap_or(" — ".into()),
            cells: near.filter(|entry| entry.place == Place::Row).map(|entry| {
                let line = index.lines.get(entry.line).cloned().unwrap_or_default();
                let row = String::from_utf8_lossy(bytes.get(line).unwrap_or_default()).into_owned();
                row.trim().trim_matches('|').replace("\\|", "").matches('|').count() + 1
            }),
        }
    }

    /// One entry as a line, without its line end; `place` counts the entries written at once, for numbers.
    pub(super) fn line(&self, entry: &NewEntry<'_>, hook: &str, place: usize) -> String {
        let link = self.link(entry);
        let hook = writable(hook);
        if let Some(cells) = self.cells {
            let hook = shorten(&hook, LINE_UNITS.saturating_sub(units(&link))).replace('|', "\\|");
            let last = if cells > 1 { format!(" {hook} |") } else { String::new() };
            return format!("| {link} |{}{last}", "  |".repeat(cells.saturating_sub(2)));
        }
        let head = format!("{}{}{link}{}", numbered(&self.prefix, place), self.around, self.around);
        let room = LINE_UNITS.saturating_sub(units(&head) + units(&self.separator));
        let hook = shorten(&hook, room);
        if hook.is_empty() { head } else { format!("{head}{}{hook}", self.separator) }
    }

    fn link(&self, entry: &NewEntry<'_>) -> String {
        let name = entry.path.as_path().file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = match self.text {
            Text::Title => writable(entry.title),
            Text::FileName => name,
            Text::Stem | Text::Wiki => entry.path.stem().into_owned(),
        };
        let plain = !text.contains(['[', ']', '|', '#', '\n', '\r']);
        if self.text == Text::Wiki && plain {
            return format!("[[{text}]]");
        }
        let text: String = text
            .chars()
            .flat_map(|c| if "[]\\`|<".contains(c) { vec!['\\', c] } else { vec![c] })
            .filter(|c| !c.is_control())
            .collect();
        format!("[{text}]({})", target::to_destination(entry.path))
    }
}

/// How one entry is written.
struct Shape {
    prefix: String,
    around: String,
    separator: Option<String>,
}

impl Shape {
    fn of(bytes: &[u8], index: &Index, entry: &Entry) -> Option<Self> {
        let line = index.lines.get(entry.line)?;
        if !entry.alone || entry.place == Place::Row {
            return None;
        }
        let before = std::str::from_utf8(bytes.get(line.start..entry.link.start)?).ok()?;
        let after = std::str::from_utf8(bytes.get(entry.link.end..line.end)?).ok()?;
        let lead = lead_text(before);
        let around = ["**", "__", "*", "_"].into_iter().find(|mark| lead == *mark && after.starts_with(mark));
        let around = around.unwrap_or_default();
        let prefix = before.get(..before.trim_end().len().checked_sub(lead.len())?)?;
        // "See [x](x.md) for more" and a word in code behind the link show no separator.
        let shows = lead == around && !behind(after, around).trim_start().starts_with('`');
        let prefix = if lead.is_empty() { before } else { prefix };
        Some(Self {
            prefix: prefix.to_owned(),
            around: around.to_owned(),
            separator: separator(bytes, index, entry, behind(after, around)).filter(|_| shows),
        })
    }
}

/// What follows a link and the emphasis around it.
fn behind<'a>(after: &'a str, around: &str) -> &'a str {
    after.get(around.len()..).unwrap_or_default()
}

/// What stands between a link and its hook; in the form of two lines, the line end and the indentation.
fn separator(bytes: &[u8], index: &Index, entry: &Entry, behind: &str) -> Option<String> {
    if entry.hook.is_empty() {
        return None;
    }
    if behind.trim().is_empty() {
        let (line, next) = (index.lines.get(entry.line)?, index.lines.get(entry.line + 1)?);
        let end = std::str::from_utf8(bytes.get(line.end..next.start)?).ok()?;
        let text = std::str::from_utf8(bytes.get(next.clone())?).ok()?;
        let said = without_quote(text).trim_start();
        // A dash before the hook is part of how it is written; one in a word ("-v") is not.
        let rest = said.trim_start_matches(SEPARATORS);
        let said = if rest.starts_with([' ', '\t']) { rest.trim_start() } else { said };
        let before = text.get(..text.len() - said.len())?;
        return before.starts_with([' ', '\t', '>']).then(|| format!("{end}{before}"));
    }
    let hook = behind.trim_start().trim_start_matches(SEPARATORS).trim_start();
    behind.get(..behind.len() - hook.len()).map(str::to_owned)
}

fn text_of(entry: &Entry) -> Text {
    match &entry.target {
        Target::Name(_) => Text::Wiki,
        Target::File(path) => {
            let name = path.as_path().file_name().unwrap_or_default();
            if name == entry.title.as_str() {
                Text::FileName
            } else if path.stem() == entry.title {
                Text::Stem
            } else {
                Text::Title
            }
        }
    }
}

/// The most common value; of equally common ones the one seen last.
fn most_common<T: Clone + Eq + Hash>(values: impl Iterator<Item = T>) -> Option<T> {
    let mut seen: HashMap<T, (usize, usize)> = HashMap::new();
    for (at, value) in values.enumerate() {
        let count = seen.entry(value).or_default();
        *count = (count.0 + 1, at);
    }
    seen.into_iter().max_by_key(|(_, count)| *count).map(|(value, _)| value)
}

/// A numbered prefix with the number that follows; others as they are.
fn numbered(prefix: &str, place: usize) -> String {
    let mark = prefix.find(|c: char| c.is_ascii_digit());
    let number = mark.and_then(|at| {
        let (head, rest) = prefix.split_at_checked(at)?;
        let end = rest.find(|c: char| !c.is_ascii_digit())?;
        let (digits, tail) = rest.split_at_checked(end)?;
        Some(format!("{head}{}{tail}", digits.parse::<u64>().ok()?.checked_add(place as u64 + 1)?))
    });
    number.unwrap_or_else(|| prefix.to_owned())
}

/// A text as it can be written into a line of the index: control characters and runs of blanks become one blank.
fn writable(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// A text cut to some UTF-16 units, at a blank where there is one in its second half, with `…` at the end.
/// A rest of a few letters is worth nothing: then it is left out.
#[must_use]
pub fn shorten(text: &str, room: usize) -> String {
    if units(text) <= room {
        return text.to_owned();
    }
    if room < 12 {
        return String::new();
    }
    let mut kept = 0;
    let mut size = 1;
    for (at, c) in text.char_indices() {
        size += c.len_utf16();
        if size > room {
            break;
        }
        kept = at + c.len_utf8();
    }
    let cut = text.get(..kept).unwrap_or_default();
    let word = cut.rfind(' ').filter(|at| *at > kept / 2).and_then(|at| cut.get(..at)).unwrap_or(cut);
    format!("{}…", word.trim_end_matches([' ', ',', ';', ':', '—', '-']))
}

//! The words around the content: those of the client where they are known ([`Words`]), else our own. What our own show of
//! the form is what CLIENT_FACTS 0 and B4 say: a block of the first message, `Contents of PATH (LABEL):` above each file,
//! a notice below a cut index.

use crate::prompt::limits::{MAX_LINES, MAX_UNITS};
use crate::prompt::picture::{IndexPicture, Layer, Section, Source, Span, Wording};
use crate::prompt::sent;
use crate::prompt::strip::is_js_blank;
use crate::prompt::versions::Rules;
use crate::prompt::words::template::{Value, Values, values};
use crate::prompt::words::{Slot, Words};
use std::cell::Cell;
use std::path::Path;

/// A size in the client's unit: units/1024 to one decimal, `.0` dropped, from 1024 KB in MB (CLIENT_FACTS B4).
#[must_use]
pub fn size(units: usize) -> String {
    let kilobytes = units as f64 / 1024.0;
    let (number, unit) = if kilobytes >= 1024.0 { (kilobytes / 1024.0, "MB") } else { (kilobytes, "KB") };
    let text = format!("{number:.1}");
    format!("{}{unit}", text.strip_suffix(".0").unwrap_or(&text))
}

/// The note before a memory that is read, about its age in whole days, in our own words.
#[must_use]
pub fn age_note(days: u32) -> String {
    format!("This file was last changed {days} days ago. Check that it still holds before relying on it.")
}

/// Whose words are used: those that are known of the client, ours for the rest.
pub struct Voice<'a> {
    rules: &'a Rules,
    words: Option<&'a Words>,
    date: &'a str,
    /// Words of ours were used.
    own: Cell<bool>,
}

impl<'a> Voice<'a> {
    /// The words of the client as far as they are known; `date` is the day on which the session starts.
    #[must_use]
    pub fn new(rules: &'a Rules, words: Option<&'a Words>, date: &'a str) -> Self {
        Self { rules, words: words.filter(|words| words.is_useful()), date, own: Cell::new(words.is_none()) }
    }

    /// Our own words.
    #[must_use]
    pub fn ours(rules: &'a Rules) -> Self {
        Self::new(rules, None, "")
    }

    /// Whose words were used so far: one text in our own makes it ours.
    #[must_use]
    pub fn used(&self) -> Wording {
        if self.own.get() || self.words.is_none() { Wording::BuiltIn } else { Wording::Learned }
    }

    fn say(&self, slot: Slot, values: &Values) -> Option<String> {
        let said = self.words.and_then(|words| words.say(slot, values));
        self.own.set(self.own.get() || said.is_none());
        said
    }

    /// The notice below an index that was cut.
    #[must_use]
    pub fn notice(&self, index: &IndexPicture) -> Option<String> {
        let kind = NoticeKind::of(index)?;
        let (slot, slots) = notice_values(index, self.rules)?;
        let said = self.say(slot, &slots);
        Some(sent::sent(&said.unwrap_or_else(|| own_notice(index, kind, self.rules)), self.rules))
    }

    /// The memory part of the system prompt.
    #[must_use]
    pub fn system(&self, directory: &Path, extra: Option<&str>) -> String {
        let dir = directory.to_string_lossy();
        let Some(mut text) = self.say(Slot::Memory, &values([(Value::Dir, dir.as_ref())])) else {
            return own_system(directory, extra);
        };
        if let Some(extra) = extra {
            // Measured on 2.1.197 and 2.1.332: a paragraph of its own, last.
            text.push_str(&format!("\n\n{extra}"));
        }
        text
    }

    /// The memory part of a sub-agent's system prompt; `index` is what loads of its index, with the notice.
    #[must_use]
    pub fn agent_system(&self, scope: &str, directory: &Path, index: Option<&str>) -> String {
        let dir = directory.to_string_lossy();
        let part =
            Slot::of_scope(scope).and_then(|slot| self.say(slot, &values([(Value::Dir, dir.as_ref())])));
        let empty = || self.say(Slot::AgentEmpty, &Values::new());
        match part.zip(index.map(str::to_owned).or_else(empty)) {
            Some((part, index)) => part + &index,
            None => {
                self.own.set(true);
                own_agent_system(directory, index)
            }
        }
    }

    /// The note about the age of a memory that is read, as it stands before its lines.
    #[must_use]
    pub fn age_note(&self, days: u32) -> String {
        let said = self.say(Slot::Age, &values([(Value::Days, days.to_string())]));
        said.unwrap_or_else(|| age_note(days) + "\n")
    }

    /// What the client adds when a file is opened that brings these in: several blocks are one text, with
    /// [`BETWEEN`](crate::prompt::words::exchange::BETWEEN) between them. `None` when nothing comes in, or the client's form is not known.
    #[must_use]
    pub fn on_use(&self, sections: &[&Section]) -> Option<String> {
        let none = Values::new();
        let mut text = String::new();
        for (nth, section) in sections.iter().enumerate() {
            let slot = if nth == 0 { Slot::UseOpening } else { Slot::UseJoint };
            text.push_str(&self.say(slot, &none)?);
            text.push_str(&section.shown);
            text.push_str(&self.say(Slot::UseHeading, &none)?);
            text.push_str(&section.body);
        }
        if sections.is_empty() {
            return None;
        }
        text.push_str(&self.say(Slot::UseClosing, &none)?);
        Some(text)
    }

    /// The block of the first message that carries the files, and where its lines come from. Empty when there are
    /// none.
    #[must_use]
    pub fn block(&self, sections: &[Section], notice: Option<&str>) -> (String, Vec<Span>) {
        if sections.is_empty() {
            return Writer::default().done();
        }
        let date = values([(Value::Date, self.date)]);
        let frame = self.say(Slot::Opening, &date).zip(self.say(Slot::Closing, &date));
        match frame {
            Some((opening, closing)) => self.learned(sections, notice, &opening, &closing),
            None => own_block(sections, notice, self.rules),
        }
    }

    fn learned(
        &self,
        sections: &[Section],
        notice: Option<&str>,
        opening: &str,
        closing: &str,
    ) -> (String, Vec<Span>) {
        let mut out = Writer::default();
        out.add(opening, Source::Frame);
        for (at, section) in sections.iter().enumerate() {
            let path = values([(Value::Path, section.shown.as_str())]);
            let slot = Slot::of_layer(section.layer);
            let heading = slot.and_then(|slot| self.say(slot, &path));
            let heading = heading.unwrap_or_else(|| format!("\n\n{}", own_heading(section)));
            let title = heading.trim_start_matches('\n');
            out.add(heading.strip_suffix(title).unwrap_or_default(), Source::Frame);
            out.add(title, Source::Heading(at));
            out.add(&section.body, Source::Body(at));
            if let Some(notice) = notice.filter(|_| section.layer == Layer::Auto) {
                out.add("\n\n", Source::Notice(at));
                out.add(notice, Source::Notice(at));
            }
        }
        out.add(closing, Source::Frame);
        out.done()
    }
}

/// Which notice an index gets, and what stands in it; `None`: none.
#[must_use]
pub fn notice_values(index: &IndexPicture, rules: &Rules) -> Option<(Slot, Values)> {
    let kind = NoticeKind::of(index)?;
    let mut slots = values([
        (Value::Lines, index.lines.to_string()),
        (Value::Size, size(index.units)),
        // Also where half a character goes at the cut (measured).
        (Value::Kept, MAX_UNITS.to_string()),
    ]);
    if kind.place == Place::Line {
        slots.insert(Value::Quoted, quoted(&index.cut_text));
    }
    if kind.place != Place::Inside {
        let lost = index.lines.saturating_sub(index.kept_lines);
        slots.extend(values([
            (Value::Lost, lost.to_string()),
            (Value::First, (index.kept_lines + 1).to_string()),
        ]));
    }
    Some((kind.slot(rules), slots))
}

/// What a notice has to say.
#[derive(Debug, Clone, Copy)]
struct NoticeKind {
    lines: bool,
    size: bool,
    place: Place,
}

/// Where the cut falls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before a line.
    Line,
    /// Before a blank line, which newer clients don't quote.
    Blank,
    /// Inside of a line.
    Inside,
}

impl NoticeKind {
    fn of(index: &IndexPicture) -> Option<Self> {
        let place = match index.cut_text.strip_prefix('\n') {
            None => Place::Inside,
            Some(_) if raw_first(&index.cut_text).is_empty() => Place::Blank,
            Some(_) => Place::Line,
        };
        let (lines, size) = (index.over_lines, index.over_size);
        (lines || size).then_some(Self { lines, size, place })
    }

    /// Older clients say the same wherever the cut falls.
    fn slot(self, rules: &Rules) -> Slot {
        let place = if rules.notice_counts_lost { self.place } else { Place::Line };
        match (self.lines, self.size, place) {
            (true, false, Place::Blank) => Slot::NoticeLinesBlank,
            (true, false, _) => Slot::NoticeLines,
            (false, _, Place::Line) => Slot::NoticeSize,
            (false, _, Place::Blank) => Slot::NoticeSizeBlank,
            (false, _, Place::Inside) => Slot::NoticeSizeInside,
            (true, true, Place::Line) => Slot::NoticeBoth,
            (true, true, Place::Blank) => Slot::NoticeBothBlank,
            (true, true, Place::Inside) => Slot::NoticeBothInside,
        }
    }
}

/// The first line that is lost, without blanks at its ends.
fn raw_first(cut: &str) -> &str {
    cut.strip_prefix('\n').unwrap_or(cut).split('\n').next().unwrap_or_default().trim_matches(is_js_blank)
}

/// The first line that is lost as newer clients quote it: more than 80 UTF-16 units are cut to 79 (half a pair goes), the
/// last word that is cut into goes with the blanks before it where they begin behind unit 40, and an ellipsis follows
/// (measured on 2.1.332).
#[must_use]
pub fn quoted(cut: &str) -> String {
    const MOST: usize = 80;
    let units = |text: &str| text.chars().map(char::len_utf16).sum::<usize>();
    let line = raw_first(cut);
    if units(line) <= MOST {
        return line.to_owned();
    }
    let mut taken = 0;
    let kept: String = line
        .chars()
        .take_while(|c| {
            taken += c.len_utf16();
            taken < MOST
        })
        .collect();
    let word = kept.trim_end_matches(|c| !is_js_blank(c));
    let before = word.trim_end_matches(is_js_blank);
    let whole = if units(before) > MOST / 2 { before } else { kept.trim_end_matches(is_js_blank) };
    format!("{whole}…")
}

fn own_notice(index: &IndexPicture, kind: NoticeKind, rules: &Rules) -> String {
    let lines = format!("{} lines (limit {MAX_LINES})", index.lines);
    let bytes = format!("{} (limit {})", size(index.units), size(MAX_UNITS));
    let over = match (kind.lines, kind.size) {
        (true, true) => format!("{lines} and {bytes}"),
        (true, false) => lines,
        (false, _) => bytes,
    };
    let mut notice = format!("> Note: the index has {over}. Only a part of it is here.");
    if rules.notice_counts_lost {
        let lost = index.lines.saturating_sub(index.kept_lines);
        let first = index.kept_lines + 1;
        notice.push_str(&match kind.place {
            Place::Inside => {
                format!(" Line {} stops after {} characters.", index.kept_lines, index.kept_units)
            }
            Place::Blank => format!(" {lost} of its lines are missing, from line {first} on."),
            Place::Line => format!(
                " {lost} of its lines are missing, from line {first} on: \"{}\".",
                quoted(&index.cut_text)
            ),
        });
    }
    notice
}

/// What stands behind the path of a section, in our own words.
#[must_use]
pub fn label(layer: Layer) -> &'static str {
    match layer {
        Layer::Managed => "instructions set for this machine",
        Layer::User => "the person's instructions for every project",
        Layer::Project => "instructions of the project",
        Layer::Local => "the person's instructions for this project",
        Layer::Auto => "index of the memories about this project",
        Layer::Agent => "index of this agent's own memories",
    }
}

fn own_heading(section: &Section) -> String {
    format!("Contents of {} ({}):\n\n", section.shown, label(section.layer))
}

fn own_system(directory: &Path, extra: Option<&str>) -> String {
    let mut text = format!(
        "# Memory\n\nMemories about this person and this project are kept as Markdown files in `{}/`. Each memory is one \
         file; `MEMORY.md` names them, one line a memory, and is loaded at the start of every session.\n",
        directory.display()
    );
    if let Some(extra) = extra {
        text.push_str(&format!("\n{extra}\n"));
    }
    text
}

fn own_agent_system(directory: &Path, index: Option<&str>) -> String {
    let index = index.unwrap_or("(There are no memories yet.)");
    format!(
        "# Memory of this agent\n\nThis agent keeps its own memories as Markdown files in `{}/`.\n\n## MEMORY.md\n\n{index}\n",
        directory.display()
    )
}

fn own_block(sections: &[Section], notice: Option<&str>, rules: &Rules) -> (String, Vec<Span>) {
    let mut out = Writer::default();
    out.add("<system-reminder>\n", Source::Frame);
    if !rules.own_block {
        out.add("This is what the session starts from:\n# claudeMd\n", Source::Frame);
    }
    out.add("These instructions hold for everything that follows.\n", Source::Frame);
    for (at, section) in sections.iter().enumerate() {
        out.add("\n", Source::Frame);
        out.add(&own_heading(section), Source::Heading(at));
        out.add(&section.body, Source::Body(at));
        out.add("\n", Source::Body(at));
        if let Some(notice) = notice.filter(|_| section.layer == Layer::Auto) {
            out.add(&format!("\n{notice}\n"), Source::Notice(at));
        }
    }
    out.add("</system-reminder>\n", Source::Frame);
    out.done()
}

/// A text that is being put together, with where its parts come from.
#[derive(Default)]
struct Writer {
    text: String,
    /// Where each part begins, in bytes.
    parts: Vec<(usize, Source)>,
}

impl Writer {
    fn add(&mut self, text: &str, source: Source) {
        if !text.is_empty() {
            self.parts.push((self.text.len(), source));
            self.text.push_str(text);
        }
    }

    /// The text, and where its lines come from: from where their first byte does.
    fn done(self) -> (String, Vec<Span>) {
        let mut map: Vec<Span> = Vec::new();
        let (mut at, mut part) = (0, 0);
        for (number, line) in self.text.split_inclusive('\n').enumerate() {
            while self.parts.get(part + 1).is_some_and(|next| next.0 <= at) {
                part += 1;
            }
            let source = self.parts.get(part).map_or(Source::Frame, |part| part.1);
            match map.last_mut().filter(|span| span.source == source) {
                Some(span) => span.lines.end += 1,
                None => map.push(Span { lines: number..number + 1, source }),
            }
            at += line.len();
        }
        (self.text, map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_quoted_as_the_newer_client_quotes_it() {
        let (a, b) = ("a".repeat(100), "b".repeat(100));
        let take = |text: &str, n: usize| text.chars().take(n).collect::<String>();
        let line = |n: usize, between: &str| format!("{}{between}{b}", take(&a, n));
        for (given, want) in [
            (take(&a, 80), take(&a, 80)),
            (take(&a, 81), take(&a, 79) + "…"),
            (line(40, " "), take(&line(40, " "), 79) + "…"),
            (line(41, " "), take(&a, 41) + "…"),
            (line(50, "\u{3000}"), take(&a, 50) + "…"),
            (line(50, "   "), take(&a, 50) + "…"),
            (line(38, "    "), take(&line(38, "    "), 79) + "…"),
            (line(79, " "), take(&a, 79) + "…"),
            (format!("{} {b}", "😀".repeat(20)), format!("{} {}…", "😀".repeat(20), take(&b, 38))),
            (format!("{} {b}", "😀".repeat(21)), "😀".repeat(21) + "…"),
            (take(&a, 78) + "😀yyy", take(&a, 78) + "…"),
            (take(&a, 77) + "😀yyy", take(&a, 77) + "😀…"),
        ] {
            assert_eq!(quoted(&format!("\n  {given} \nmore")), want, "{given}");
        }
    }

    #[test]
    fn sizes_read_as_the_client_writes_them() {
        for (units, want) in [
            (25_000, "24.4KB"),
            (25_001, "24.4KB"),
            (25_600, "25KB"),
            (102_400, "100KB"),
            (1_047_552, "1023KB"),
            (1_048_576, "1MB"),
            (1_572_864, "1.5MB"),
        ] {
            assert_eq!(size(units), want);
        }
    }
}

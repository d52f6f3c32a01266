//! The words around the content, in our own wording. The client's own ones are learned from it elsewhere; what these
//! texts show of its form is what CLIENT_FACTS 0 and B4 say: a block of the first message, `Contents of PATH (LABEL):`
//! above each file, a notice below a cut index.

use crate::prompt::limits::{MAX_LINES, MAX_UNITS};
use crate::prompt::picture::{IndexPicture, Layer, Section, Source, Span};
use crate::prompt::versions::Rules;
use std::path::Path;

/// A size in the client's unit: units/1024 to one decimal, `.0` dropped, from 1024 KB in MB (CLIENT_FACTS B4).
#[must_use]
pub fn size(units: usize) -> String {
    let kilobytes = units as f64 / 1024.0;
    let (number, unit) = if kilobytes >= 1024.0 { (kilobytes / 1024.0, "MB") } else { (kilobytes, "KB") };
    let text = format!("{number:.1}");
    format!("{}{unit}", text.strip_suffix(".0").unwrap_or(&text))
}

/// A text whose reminder tags can't close the block that it stands in: a backslash behind their bracket (measured on
/// 2.1.332, in any case and with blanks and attributes).
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (nth, part) in text.split('<').enumerate() {
        if nth > 0 {
            out.push_str(if is_reminder(part) { "<\\" } else { "<" });
        }
        out.push_str(part);
    }
    out
}

fn is_reminder(after: &str) -> bool {
    const NAME: &str = "system-reminder";
    let after = after.trim_start();
    let after = after.strip_prefix('/').unwrap_or(after).trim_start();
    let is_name = after.get(..NAME.len()).is_some_and(|name| name.eq_ignore_ascii_case(NAME));
    let next = after.get(NAME.len()..).and_then(|rest| rest.chars().next());
    is_name && !next.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// What stands behind the path of a section.
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

/// The notice below an index that was cut.
#[must_use]
pub fn notice(index: &IndexPicture, rules: &Rules) -> Option<String> {
    let lines = format!("{} lines (limit {MAX_LINES})", index.lines);
    let bytes = format!("{} (limit {})", size(index.units), size(MAX_UNITS));
    let over = match (index.over_lines, index.over_size) {
        (false, false) => return None,
        (true, false) => lines,
        (false, true) => bytes,
        (true, true) => format!("{lines} and {bytes}"),
    };
    let mut notice = format!("> Note: the index has {over}. Only a part of it is here.");
    if rules.notice_counts_lost {
        let lost = index.lines.saturating_sub(index.kept_lines);
        let first = index.kept_lines + 1;
        let shown: String =
            index.cut_text.trim_start().lines().next().unwrap_or_default().chars().take(80).collect();
        notice.push_str(&format!(" {lost} of its lines are missing, from line {first} on: \"{shown}\"."));
    }
    Some(notice)
}

/// The note before a memory that is read, about its age in whole days.
#[must_use]
pub fn age_note(days: u32) -> String {
    format!("This file was last changed {days} days ago. Check that it still holds before relying on it.")
}

/// The memory part of the system prompt.
#[must_use]
pub fn system(directory: &Path, extra: Option<&str>) -> String {
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

/// The memory part of a sub-agent's system prompt.
#[must_use]
pub fn agent_system(directory: &Path, index: Option<&str>) -> String {
    let index = index.unwrap_or("(There are no memories yet.)");
    format!(
        "# Memory of this agent\n\nThis agent keeps its own memories as Markdown files in `{}/`.\n\n## MEMORY.md\n\n{index}\n",
        directory.display()
    )
}

/// A text that is being put together, with where its lines come from.
#[derive(Default)]
struct Writer {
    text: String,
    map: Vec<Span>,
    line: usize,
}

impl Writer {
    /// Adds whole lines.
    fn add(&mut self, text: &str, source: Source) {
        let lines = text.matches('\n').count() + 1;
        self.text.push_str(text);
        self.text.push('\n');
        match self.map.last_mut().filter(|span| span.source == source) {
            Some(span) => span.lines.end += lines,
            None => self.map.push(Span { lines: self.line..self.line + lines, source }),
        }
        self.line += lines;
    }
}

/// The block of the first message that carries the files, and where its lines come from. Empty when there are none.
#[must_use]
pub fn block(sections: &[Section], notice: Option<&str>, rules: &Rules) -> (String, Vec<Span>) {
    let mut out = Writer::default();
    if !sections.is_empty() {
        out.add("<system-reminder>", Source::Frame);
        if !rules.own_block {
            out.add("This is what the session starts from:", Source::Frame);
            out.add("# claudeMd", Source::Frame);
        }
        out.add("These instructions hold for everything that follows.", Source::Frame);
    }
    for (at, section) in sections.iter().enumerate() {
        out.add("", Source::Frame);
        let heading = format!("Contents of {} ({}):", section.shown, label(section.layer));
        out.add(&heading, Source::Heading(at));
        out.add("", Source::Heading(at));
        out.add(&section.body, Source::Body(at));
        if let Some(notice) = notice.filter(|_| section.layer == Layer::Auto) {
            out.add("", Source::Notice(at));
            out.add(notice, Source::Notice(at));
        }
    }
    if !sections.is_empty() {
        out.add("</system-reminder>", Source::Frame);
    }
    (out.text, out.map)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_the_reminder_are_escaped() {
        let escapes = [
            "<system-reminder>",
            "</system-reminder>",
            "<SYSTEM-REMINDER>",
            "</System-Reminder >",
            "</system-reminder\n>",
        ];
        for tag in escapes.into_iter().chain([
            "<system-reminder x=\"y\">",
            "< system-reminder>",
            "<system-reminder/>",
            "<  /  system-reminder>",
            "<system-reminder.",
        ]) {
            assert_eq!(escaped(tag), tag.replacen('<', "<\\", 1));
        }
        for text in [
            "<system-reminders>",
            "</system-reminderx>",
            "<system-reminder-x>",
            "<\\/system-reminder>",
            "<b>",
            "a < b",
        ] {
            assert_eq!(escaped(text), text);
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

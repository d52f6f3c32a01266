//! The sentences of a Markdown text, with their places.

use crate::memory::lines::Lines;
use std::ops::Range;

/// One sentence (or an item of a list, a row of a table, a line of code).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// Its line, from 1.
    pub line: usize,
    /// What it is.
    pub form: Form,
}

/// What a sentence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Running text.
    Prose,
    /// An item of a list or a row of a table.
    Item,
    /// A heading.
    Heading,
    /// A line of fenced code.
    Code,
}

/// The sentences of a text, in order. Lines of one paragraph belong together.
#[must_use]
pub fn sentences(text: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut open: Option<(Range<usize>, usize, Form)> = None;
    let mut fence: Option<&str> = None;
    for (number, range) in Lines::new(text.as_bytes(), 0).enumerate() {
        let line = text.get(range.clone()).unwrap_or_default();
        let trimmed = line.trim();
        let mark = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark));
        if let Some(mark) = mark.filter(|mark| fence.is_none_or(|open| open == *mark)) {
            close(text, &mut open, &mut found);
            fence = if fence.is_some() { None } else { Some(mark) };
            continue;
        }
        if fence.is_some() {
            if !trimmed.is_empty() {
                found.push(Sentence { range, line: number + 1, form: Form::Code });
            }
            continue;
        }
        let (form, content) = shape(line);
        if trimmed.is_empty() || is_rule(trimmed) {
            close(text, &mut open, &mut found);
            continue;
        }
        let content = range.start + content..range.end;
        match (&mut open, form) {
            // A line without a mark of its own goes on with the paragraph or the item.
            (Some((so_far, _, Form::Prose | Form::Item)), Form::Prose) => so_far.end = content.end,
            _ => {
                close(text, &mut open, &mut found);
                open = Some((content, number + 1, form));
            }
        }
    }
    close(text, &mut open, &mut found);
    found
}

/// What a line is, and where its content begins.
fn shape(line: &str) -> (Form, usize) {
    let indent = line.len() - line.trim_start().len();
    let rest = line.get(indent..).unwrap_or_default();
    let hashes = rest.bytes().take_while(|b| *b == b'#').count();
    if (1..=6).contains(&hashes) && rest.get(hashes..).is_some_and(|rest| rest.starts_with(' ')) {
        return (Form::Heading, indent + hashes + 1);
    }
    if rest.starts_with('|') {
        return (Form::Item, indent + 1);
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let mark = if (1..=3).contains(&digits) { digits + 1 } else { 1 };
    let head = rest.get(..mark).unwrap_or_default();
    let is_mark = matches!(head, "-" | "*" | "+" | "•" | ">") || (digits > 0 && head.ends_with(['.', ')']));
    if is_mark && rest.get(mark..).is_some_and(|rest| rest.starts_with(' ')) {
        let boxed =
            rest.get(mark + 1..).is_some_and(|rest| rest.starts_with("[ ] ") || rest.starts_with("[x] "));
        return (Form::Item, indent + mark + 1 + if boxed { 4 } else { 0 });
    }
    (Form::Prose, indent)
}

fn is_rule(line: &str) -> bool {
    line.len() > 2 && line.chars().all(|c| matches!(c, '-' | '*' | '_' | '=' | '|' | ':' | ' '))
}

/// Splits what is open into sentences.
fn close(text: &str, open: &mut Option<(Range<usize>, usize, Form)>, found: &mut Vec<Sentence>) {
    let Some((range, line, form)) = open.take() else { return };
    let content = text.get(range.clone()).unwrap_or_default();
    let mut start = 0;
    let mut ends = ends(content);
    ends.push(content.len());
    for end in ends {
        let piece = content.get(start..end).unwrap_or_default();
        let lead = piece.len() - piece.trim_start().len();
        let length = piece.trim().len();
        if length > 0 {
            let at = range.start + start + lead;
            let before = content.get(..start + lead).unwrap_or_default();
            let line = line + crate::memory::lines::ends(before.as_bytes());
            found.push(Sentence { range: at..at + length, line, form });
        }
        start = end;
    }
}

/// Where sentences end: behind a full stop that something other than a small letter follows, outside code.
fn ends(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut in_code = false;
    for (at, c) in text.char_indices() {
        match c {
            '`' => in_code = !in_code,
            '。' | '！' | '？' if !in_code => ends.push(at + c.len_utf8()),
            '.' | '!' | '?' if !in_code => {
                let rest = text.get(at + 1..).unwrap_or_default();
                let rest = rest.trim_start_matches(['*', '_', '"', '”', '»', ')']);
                let next = rest.trim_start().chars().next();
                let blank = rest.starts_with(char::is_whitespace);
                if blank
                    && next.is_some_and(|c| !c.is_lowercase())
                    && !is_short(text.get(..at).unwrap_or_default())
                {
                    ends.push(text.len() - rest.len());
                }
            }
            _ => {}
        }
    }
    ends
}

/// Whether a text ends in an abbreviation (`e.g`, `z.B`, `Dr`), whose full stop ends no sentence.
fn is_short(text: &str) -> bool {
    let last = text.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    matches!(
        last,
        "e.g"
            | "i.e"
            | "z.B"
            | "d.h"
            | "p.ex"
            | "p. ej"
            | "vs"
            | "Dr"
            | "Mr"
            | "Mrs"
            | "Ms"
            | "Nr"
            | "No"
            | "ca"
            | "etc"
            | "bzw"
            | "approx"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_with_their_lines() {
        let text = "# Title\n\nOne e.g. here. Two runs\nover lines! Three `a. B` v2.0.9.\n\n- an item. And more\n  of it\n1. first\n| a | b |\n|---|---|\n```sh\nmake test\n```\n保存する。次。\n";
        let found: Vec<_> = sentences(text)
            .into_iter()
            .map(|s| (s.line, s.form, text.get(s.range).unwrap().to_owned()))
            .collect();
        let expected = [
            (1, Form::Heading, "Title"),
            (3, Form::Prose, "One e.g. here."),
            (3, Form::Prose, "Two runs\nover lines!"),
            (4, Form::Prose, "Three `a. B` v2.0.9."),
            (6, Form::Item, "an item."),
            (6, Form::Item, "And more\n  of it"),
            (8, Form::Item, "first"),
            (9, Form::Item, "a | b |"),
            (12, Form::Code, "make test"),
            (14, Form::Prose, "保存する。"),
            (14, Form::Prose, "次。"),
        ];
        assert_eq!(found, expected.map(|(line, form, text)| (line, form, text.to_owned())));
    }
}

//! Words like "yesterday" in a sentence, and which day, week or month they meant on the day on which they were written.
//!
//! The words are tables (`words/`), one a language; here is what is the same in all of them: which words count from
//! the day of writing, and which are a name, a habit, or counted from some event.

use super::absolute::{self, dates};
use super::language::Language;
use super::words::{self, Book, Meaning};
use super::{Span, Unit, step};
use chrono::{Datelike, NaiveDate, Weekday};
use regex::Captures;
use std::ops::Range;

/// Words in a sentence that count from the day on which they were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spoken {
    /// Where they stand, with the preposition before them.
    pub range: Range<usize>,
    /// What they meant; `None` when that can't be told ("a few days ago").
    pub span: Option<Span>,
    /// What to write instead, in the sentence's language; empty when `span` is `None`.
    pub text: String,
    /// Whether nobody could have meant another day.
    pub is_sure: bool,
}

/// The words of a sentence that count from the day on which it was written. What is only shown in it (code, quoted
/// names) must be blanked by NUL characters.
#[must_use]
pub fn relative(sentence: &str, written: NaiveDate) -> Vec<Spoken> {
    if !words::may_have(sentence) {
        return Vec::new();
    }
    let language = Language::of(sentence);
    if !words::may_have_in(language, sentence) {
        return Vec::new();
    }
    let book = words::of(language);
    if book.is_general(sentence) {
        return Vec::new();
    }
    let mut found: Vec<Spoken> = Vec::new();
    for rule in &book.rules {
        for groups in rule.pattern.captures_iter(sentence) {
            let Some(whole) = groups.name("r").or_else(|| groups.name("r2")).or_else(|| groups.get(0)) else {
                continue;
            };
            let overlaps =
                |other: &Spoken| whole.start() < other.range.end && other.range.start < whole.end();
            if found.iter().any(overlaps) {
                continue;
            }
            let (before, rest) = sentence.split_at_checked(whole.start()).unwrap_or((sentence, ""));
            let after = rest.get(whole.len()..).unwrap_or_default();
            let scene = Scene { before, words: whole.as_str(), after, groups: &groups };
            if is_joined(&scene) || is_dated(&scene) || !book.is_meant(&scene, rule.need) {
                continue;
            }
            found.push(spoken(book, rule.meaning, &scene, whole.range(), written));
        }
    }
    found.sort_by_key(|one| one.range.start);
    found
}

/// Words that were found, and what stands around them.
pub(super) struct Scene<'a> {
    pub before: &'a str,
    pub words: &'a str,
    pub after: &'a str,
    pub groups: &'a Captures<'a>,
}

impl Scene<'_> {
    pub(super) fn group(&self, name: &str) -> Option<&str> {
        self.groups.name(name).map(|found| found.as_str())
    }
}

/// Whether the words are a part of a name: `since=yesterday`, `yesterday.log`, `next-week`, `today()`.
fn is_joined(scene: &Scene<'_>) -> bool {
    let before = scene.before.chars().next_back();
    let mut after = scene.after.chars();
    let (next, then) = (after.next(), after.next());
    before.is_some_and(|c| {
        c.is_ascii_digit() || matches!(c, '-' | '_' | '/' | '.' | '@' | '#' | '=' | '$' | '{' | '<' | '\\')
    }) || next.is_some_and(|c| matches!(c, '_' | '/' | '=' | '@' | '(' | '}' | '>' | '\\'))
        || (matches!(next, Some('-' | '.' | ':')) && then.is_some_and(|c| c.is_ascii_alphanumeric()))
}

/// Whether the day stands beside the words already: `yesterday (2026-03-04)`, `2026-03-05, next Thursday`.
fn is_dated(scene: &Scene<'_>) -> bool {
    let near = |gap: &str| gap.chars().count() <= 5 && !gap.contains(['.', ';', '。']);
    let behind = scene.after.get(..floor(scene.after, 48)).unwrap_or_default();
    let ahead =
        scene.before.get(ceil(scene.before, scene.before.len().saturating_sub(48))..).unwrap_or_default();
    dates(behind).first().is_some_and(|date| behind.get(..date.range.start).is_some_and(near))
        || dates(ahead).last().is_some_and(|date| {
            let gap = ahead.get(date.range.end..).unwrap_or_default();
            near(gap) && gap.contains(['(', '（', ',']) && !gap.contains([':', '—'])
        })
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn ceil(text: &str, at: usize) -> usize {
    (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

fn spoken(
    book: &Book,
    meaning: Meaning,
    scene: &Scene<'_>,
    range: Range<usize>,
    written: NaiveDate,
) -> Spoken {
    let (span, is_sure) =
        mean(book, meaning, scene, written).map_or((None, false), |(span, sure)| (Some(span), sure));
    let text = span.map(|span| book.say(span, scene)).unwrap_or_default();
    Spoken { range, span, text, is_sure }
}

/// What the words mean, and whether that is sure.
fn mean(book: &Book, meaning: Meaning, scene: &Scene<'_>, written: NaiveDate) -> Option<(Span, bool)> {
    let unit = || book.unit(scene.group("u")?);
    let which = || book.which(scene.group("w").unwrap_or_default());
    match meaning {
        Meaning::Day(days) => Some((Span::Day(step(written, Unit::Day, days)?), true)),
        Meaning::Which => {
            let (unit, which) = (unit()?, which());
            Some((Span::of(unit, step(Span::of(unit, written).first_day(), unit, which)?), true))
        }
        Meaning::WhichDay => {
            let (day, which) = (book.weekday(scene.group("d")?)?, which());
            weekday(written, day, which)
        }
        Meaning::DayOfWeek => {
            let (day, which) = (book.weekday(scene.group("d")?)?, which());
            let monday = step(Span::of(Unit::Week, written).first_day(), Unit::Week, which)?;
            Some((Span::Day(step(monday, Unit::Day, i64::from(day.num_days_from_monday()))?), true))
        }
        Meaning::WhichMonth => {
            let month = absolute::month(scene.group("m")?)?;
            let this = NaiveDate::from_ymd_opt(written.year(), month, 1)?;
            let at = |years| step(this, Unit::Year, years);
            let now = written.month();
            let years = match which() {
                -1 if month >= now => -1,
                1 if month <= now => 1,
                _ => 0,
            };
            Some((Span::Month(at(years)?), false))
        }
        Meaning::Count(sign) => {
            let (count, unit) = (book.number(scene.group("n")?)?, unit()?);
            let day = step(written, unit, count.checked_mul(sign)?)?;
            let span = match unit {
                Unit::Day | Unit::Week => Span::Day(day),
                _ => Span::of(unit, day),
            };
            Some((span, unit == Unit::Day))
        }
        Meaning::End => {
            let (unit, which) = (unit()?, which());
            let span = Span::of(unit, step(Span::of(unit, written).first_day(), unit, which)?);
            // A week ends on Friday for some.
            Some((Span::Day(span.last_day()), unit != Unit::Week))
        }
        Meaning::EndOf(unit) => Some((Span::Day(Span::of(unit, written).last_day()), true)),
        Meaning::Vague => None,
    }
}

/// The last, this or next of a weekday. "Next Thursday" on a Monday may be either of two.
fn weekday(written: NaiveDate, day: Weekday, which: i64) -> Option<(Span, bool)> {
    let ahead = i64::from((7 + day.num_days_from_monday() - written.weekday().num_days_from_monday()) % 7);
    let coming = if ahead == 0 { 7 } else { ahead };
    let same_week = i64::from(written.weekday().num_days_from_monday()) + coming < 7;
    let (days, sure) = match which {
        -1 => (
            if ahead == 0 { -7 } else { ahead - 7 },
            i64::from(written.weekday().num_days_from_monday()) < 7 - coming || ahead == 0,
        ),
        0 => (ahead, true),
        _ => (coming, !same_week),
    };
    Some((Span::Day(step(written, Unit::Day, days)?), sure))
}

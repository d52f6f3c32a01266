//! Dates as they are written out: ISO, and the forms of eight languages.

use super::{Span, Unit};
use crate::memory::pattern::Pattern;
use chrono::NaiveDate;
use regex::Captures;
use std::ops::Range;
use std::sync::LazyLock;

/// A date that is written out in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dated {
    /// Where it stands.
    pub range: Range<usize>,
    /// What it names.
    pub span: Span,
}

/// The dates of a text, in order: days, months, quarters, and "the end of" a year. What has no year is no date, nor is
/// a day that the calendar does not have. Of `03/04/2026` the later reading counts.
#[must_use]
pub fn dates(text: &str) -> Vec<Dated> {
    let found = DATE.captures_iter(text).filter_map(|groups| {
        let range = groups.get(0)?.range();
        let before = text.get(..range.start)?.chars().next_back();
        let after = text.get(range.end..)?.chars().next();
        // A part of a longer number, path or version is no date.
        let joined = |c: char| c.is_ascii_digit() || matches!(c, '-' | '/' | '_');
        if before.is_some_and(joined) || after.is_some_and(|c| joined(c) && c != '/') {
            return None;
        }
        Some(Dated { span: span(&groups)?, range })
    });
    found.collect()
}

/// The names of the months: a lower-case start that tells, for each language, and the month.
const MONTHS: &[(&str, u32)] = &[
    ("jan", 1),
    ("ene", 1),
    ("jän", 1),
    ("fév", 2),
    ("feb", 2),
    ("fev", 2),
    ("mar", 3),
    ("mär", 3),
    ("abr", 4),
    ("apr", 4),
    ("avr", 4),
    ("may", 5),
    ("mai", 5),
    ("jun", 6),
    ("juin", 6),
    ("jul", 7),
    ("juil", 7),
    ("aug", 8),
    ("ago", 8),
    ("aoû", 8),
    ("aou", 8),
    ("sep", 9),
    ("set", 9),
    ("oct", 10),
    ("okt", 10),
    ("out", 10),
    ("nov", 11),
    ("dec", 12),
    ("déc", 12),
    ("dez", 12),
    ("dic", 12),
];

/// The names themselves.
pub(super) const NAMES: &str = "january|february|march|april|may|june|july|august|september|october|november|december|\
jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec|\
januar|jänner|februar|märz|mai|juni|juli|oktober|dezember|\
janvier|février|fevrier|mars|avril|juin|juillet|août|aout|septembre|octobre|novembre|décembre|decembre|\
enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre|\
janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro";

/// The month that a name stands for.
pub(super) fn month(name: &str) -> Option<u32> {
    let name = name.to_lowercase();
    // The longest start wins: `juin` before `jui`.
    MONTHS
        .iter()
        .filter(|(start, _)| name.starts_with(start))
        .max_by_key(|(start, _)| start.len())
        .map(|(_, month)| *month)
}

static DATE: LazyLock<Pattern> = LazyLock::new(|| {
    let year = r"(?:19|20)\d\d";
    let of = r"(?:\s+(?:de|del|do|of))?";
    Pattern::new(&format!(
        r"(?ix)
        (?P<y1>{year})(?:-(?P<m1>\d\d)-(?P<d1>\d\d)|/(?P<m2>\d{{1,2}})/(?P<d2>\d{{1,2}})|\.(?P<m3>\d\d)\.(?P<d3>\d\d))(?:T[\d:.]+Z?)?
        | (?P<y2>{year})\s?[年년]\s?(?P<m4>\d{{1,2}})\s?[月월](?:\s?(?P<d4>\d{{1,2}})\s?[日일号號])?
        | (?P<y3>{year})\s?[年년]\s?(?:第)?(?P<q1>[1-4一二三四])\s?(?:四半期|季度|분기)
        | (?P<y4>{year})-?\s?Q(?P<q2>[1-4])\b
        | \bQ(?P<q3>[1-4])[\s/-]{{0,2}}(?P<y5>{year})
        | (?P<y6>{year})-(?P<m5>0[1-9]|1[0-2])
        | \b(?P<a>\d{{1,2}})\.\s?(?P<b>\d{{1,2}})\.\s?(?P<y7>{year})
        | \b(?P<a2>\d{{1,2}})/(?P<b2>\d{{1,2}})/(?P<y8>{year})
        | (?:\b(?P<d5>\d{{1,2}})(?:st|nd|rd|th|er|ère|\.|º|o)?{of}\s+)?\b(?P<n1>{NAMES})\b\.?{of}\s+(?P<y9>{year})\b
        | \b(?P<n2>{NAMES})\.?\s+(?P<d6>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y10>{year})\b
        | \b(?:end\s+of|ende|fin\s+de|fim\s+de|finales\s+de|final\s+de|end)\s+(?P<y11>{year})\b
        | (?P<y12>{year})\s?[年년]\s?(?:末|底|말)
        "
    ))
});

fn span(groups: &Captures<'_>) -> Option<Span> {
    let number = |names: &[&str]| {
        names.iter().find_map(|name| groups.name(name)).and_then(|found| found.as_str().parse::<u32>().ok())
    };
    let years = ["y1", "y2", "y3", "y4", "y5", "y6", "y7", "y8", "y9", "y10", "y11", "y12"];
    let year = i32::try_from(number(&years)?).ok()?;
    let day = |month, day| NaiveDate::from_ymd_opt(year, month, day);
    if let (Some(a), Some(b)) = (number(&["a"]), number(&["b"])) {
        return day(b, a).map(Span::Day);
    }
    if let (Some(a), Some(b)) = (number(&["a2"]), number(&["b2"])) {
        return [day(a, b), day(b, a)].into_iter().flatten().max().map(Span::Day);
    }
    if let Some(quarter) = ["q1", "q2", "q3"].iter().find_map(|name| groups.name(name)) {
        let quarter = match quarter.as_str() {
            "1" | "一" => 1,
            "2" | "二" => 4,
            "3" | "三" => 7,
            _ => 10,
        };
        return day(quarter, 1).map(Span::Quarter);
    }
    let name = groups.name("n1").or_else(|| groups.name("n2"));
    let month = match name {
        Some(name) => Some(month(name.as_str())?),
        None => number(&["m1", "m2", "m3", "m4", "m5"]),
    };
    let Some(month) = month else { return day(1, 1).map(|first| Span::of(Unit::Year, first)) };
    match number(&["d1", "d2", "d3", "d4", "d5", "d6"]) {
        Some(number) => day(month, number).map(Span::Day),
        None => day(month, 1).map(Span::Month),
    }
}

//! What a memory's frontmatter may say beyond the client's own keys: when it was made, until when it holds, how sure it
//! is, where it is from, why and how to apply it. Read wherever it stands, in whatever spelling; never rewritten.
//!
//! A key counts at the top level and under `metadata`; letter case, `_` and `-` make no difference (`createdAt`,
//! `created_at`, `created`). The age follows from `modified` and `updatedAt` alone ([`crate::memory::age`]).

use crate::memory::Time;
use crate::memory::dates;
use crate::memory::document::Header;
use chrono::{Days, TimeDelta};

/// One of the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// `createdAt`: when it was made.
    Created,
    /// `updatedAt`: when it was changed last.
    Updated,
    /// `expiresAt`: until when it holds.
    Expires,
    /// `confidence`: how sure it is.
    Confidence,
    /// `source`: where it is from.
    Source,
    /// `reason`: why it is so.
    Reason,
    /// `application`: how to apply it.
    Application,
}

/// A key as it stands in a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field<'a> {
    /// Which key it is.
    pub key: Key,
    /// How it is spelled there, without `metadata.`.
    pub written: &'a str,
    /// Its value on one line, raw.
    pub value: &'a str,
}

/// How sure a memory says that it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// `low`, or less than 0.4.
    Low,
    /// `medium`, or less than 0.75.
    Medium,
    /// `high`, or more.
    High,
}

impl Key {
    /// The key that a name of the frontmatter stands for (with or without `metadata.`).
    #[must_use]
    pub fn of(written: &str) -> Option<Self> {
        let name = written.strip_prefix("metadata.").unwrap_or(written);
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' ');
        if !name.chars().all(is_plain) {
            return None;
        }
        let plain: String =
            name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
        Some(match plain.as_str() {
            "createdat" | "created" | "createdon" => Self::Created,
            "updatedat" | "updated" | "updatedon" => Self::Updated,
            "confidence" => Self::Confidence,
            "source" => Self::Source,
            "reason" => Self::Reason,
            "application" => Self::Application,
            expiry if EXPIRY.contains(&expiry) => Self::Expires,
            _ => return None,
        })
    }

    /// Its usual spelling.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Created => "createdAt",
            Self::Updated => "updatedAt",
            Self::Expires => "expiresAt",
            Self::Confidence => "confidence",
            Self::Source => "source",
            Self::Reason => "reason",
            Self::Application => "application",
        }
    }

    /// Whether its value is a date.
    #[must_use]
    pub const fn is_date(self) -> bool {
        matches!(self, Self::Created | Self::Updated | Self::Expires)
    }

    /// Whether a change of it is one of substance: `source` alone says nothing about what holds.
    #[must_use]
    pub const fn is_substance(self) -> bool {
        !matches!(self, Self::Source)
    }
}

/// The spellings of [`Key::Expires`], in lower case and without signs.
const EXPIRY: [&str; 18] = [
    "expires",
    "expiresat",
    "expireson",
    "expiresafter",
    "expire",
    "expireat",
    "expiry",
    "expirydate",
    "expiration",
    "expirationdate",
    "expirydatetime",
    "validuntil",
    "validtill",
    "validto",
    "validthrough",
    "bestbefore",
    "staleafter",
    "notafter",
];

/// What the frontmatter says of these keys, in the order of the file; empty values are left out, and so is an
/// `updatedAt` that is a date: that is the header's.
pub fn fields(header: &Header) -> impl Iterator<Item = Field<'_>> {
    header.others.iter().filter_map(|(written, value)| {
        let written = written.strip_prefix("metadata.").unwrap_or(written);
        let (key, value) = (Key::of(written)?, value.trim());
        (!value.is_empty()).then_some(Field { key, written, value })
    })
}

/// What the frontmatter says of one key first.
#[must_use]
pub fn field(header: &Header, key: Key) -> Option<Field<'_>> {
    fields(header).find(|field| field.key == key)
}

/// A date as these keys have it; `2026/03/05` and `2026.03.05` are read, too.
#[must_use]
pub fn date(value: &str) -> Option<Time> {
    let value = value.trim().trim_matches(['"', '\'']);
    dates::parse(&if is_day(value) { value.replace(['/', '.'], "-") } else { value.to_owned() })
}

/// The moment from which on a memory no longer holds: a date alone holds to the end of its day.
#[must_use]
pub fn end_of(value: &str) -> Option<Time> {
    let time = date(value)?;
    let is_day = is_day(value.trim().trim_matches(['"', '\'']));
    if is_day { time.checked_add_days(Days::new(1)) } else { Some(time) }
}

/// Whether a memory is said to hold without an end.
#[must_use]
pub fn is_endless(value: &str) -> bool {
    ["never", "none", "null", "~", "no", "false"].contains(&value.to_ascii_lowercase().as_str())
}

/// Whether a date has no time of day.
fn is_day(value: &str) -> bool {
    value.len() <= 10 && !value.contains(':')
}

/// How sure a memory is: `low`, `medium`, `high`, a number from 0 to 1, or a percentage.
#[must_use]
pub fn confidence(value: &str) -> Option<Confidence> {
    let value = value.trim().trim_matches(['"', '\'']).to_ascii_lowercase();
    let share = match value.as_str() {
        "low" => return Some(Confidence::Low),
        "medium" => return Some(Confidence::Medium),
        "high" => return Some(Confidence::High),
        percent if percent.ends_with('%') => {
            percent.trim_end_matches('%').trim().parse::<f64>().ok()? / 100.0
        }
        number => number.parse::<f64>().ok()?,
    };
    (0.0..=1.0).contains(&share).then_some(match share {
        low if low < 0.4 => Confidence::Low,
        medium if medium < 0.75 => Confidence::Medium,
        _ => Confidence::High,
    })
}

/// Whether a value can stand under a key; other keys take any.
///
/// # Errors
/// What was wanted, in words.
pub fn allowed(key: &str, value: &str) -> Result<(), String> {
    let is_well = match Key::of(key) {
        _ if value.trim().is_empty() => true,
        Some(Key::Expires) => date(value).is_some() || is_endless(value.trim()),
        Some(key) if key.is_date() => date(value).is_some(),
        Some(Key::Confidence) => confidence(value).is_some(),
        _ => true,
    };
    match Key::of(key) {
        Some(Key::Confidence) if !is_well => Err("wanted low, medium, high, or a number from 0 to 1".into()),
        Some(_) if !is_well => Err("wanted a date such as 2026-03-05 or 2026-03-05T10:00:00Z".into()),
        _ => Ok(()),
    }
}

/// What a memory says about itself, as a person would say it, raw: `made 2026-03-01`, `expires in 12 days`,
/// `confidence low`, `from …`. A value that can't be read is told as it stands. Why and how are no facts about it: they
/// are left to who shows its text.
#[must_use]
pub fn words(header: &Header, now: Time) -> Vec<String> {
    let mut all: Vec<(Key, String)> = fields(header)
        .filter(|field| !matches!(field.key, Key::Reason | Key::Application))
        .map(|Field { key, written, value }| {
            let plain = || format!("{written} {value}");
            let said = match key {
                Key::Created => {
                    date(value).map_or_else(plain, |time| format!("made {}", time.format("%Y-%m-%d")))
                }
                Key::Updated => {
                    date(value).map_or_else(plain, |time| format!("updated {}", time.format("%Y-%m-%d")))
                }
                Key::Expires => end_of(value).map_or_else(plain, |end| expiry(end, now)),
                Key::Source => format!("from {value}"),
                Key::Confidence | Key::Reason | Key::Application => format!("{} {value}", key.as_str()),
            };
            (key, said)
        })
        .collect();
    // `updatedAt` shows as the age, unless `modified` does.
    if let (Some(_), Some(time)) = (header.modified, header.updated_at) {
        all.push((Key::Updated, format!("updated {}", time.format("%Y-%m-%d"))));
    }
    all.sort_by_key(|(key, _)| *key);
    all.into_iter().map(|(_, said)| said).collect()
}

/// When a memory ends, seen from now: the last moment on which it holds counts.
fn expiry(end: Time, now: Time) -> String {
    let last = (end - TimeDelta::nanoseconds(1)).date_naive();
    let days = (last - now.date_naive()).num_days();
    match days {
        _ if end <= now && days == 0 => "expired today".into(),
        0 => "expires today".into(),
        1 => "expires tomorrow".into(),
        2..=60 => format!("expires in {days} days"),
        _ if days > 0 => format!("expires {last}"),
        _ => format!("expired {last}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::document::Document;

    fn header(yaml: &str) -> Header {
        Document::parse(format!("---\n{yaml}\n---\n").as_bytes()).header
    }

    fn said(yaml: &str) -> String {
        words(&header(yaml), "2026-03-05T10:00:00Z".parse().unwrap()).join(" · ")
    }

    #[test]
    fn keys_in_every_spelling_and_place() {
        for (written, key) in [
            ("createdAt", Some(Key::Created)),
            ("created_at", Some(Key::Created)),
            ("Created-At", Some(Key::Created)),
            ("created", Some(Key::Created)),
            ("metadata.expires_at", Some(Key::Expires)),
            ("valid-until", Some(Key::Expires)),
            ("CONFIDENCE", Some(Key::Confidence)),
            ("sources", None),
            ("metadata.other.source", None),
            ("rëason", None),
        ] {
            assert_eq!(Key::of(written), key, "{written}");
        }
        for key in [
            Key::Created,
            Key::Updated,
            Key::Expires,
            Key::Confidence,
            Key::Source,
            Key::Reason,
            Key::Application,
        ] {
            assert_eq!(Key::of(key.as_str()), Some(key));
        }
    }

    #[test]
    fn what_a_person_would_say() {
        for (yaml, expected) in [
            ("name: a", ""),
            ("createdAt: 2026-03-01", "made 2026-03-01"),
            (
                "source: a talk\nconfidence: low\ncreatedAt: 2026-03-01",
                "made 2026-03-01 · confidence low · from a talk",
            ),
            ("metadata:\n  created_at: 2026-03-01T10:00:00Z\n  type: user", "made 2026-03-01"),
            ("expiresAt: 2026-03-17", "expires in 12 days"),
            ("expiresAt: 2026-03-06", "expires tomorrow"),
            ("expiresAt: 2026-03-05", "expires today"),
            ("expiresAt: 2026-03-05T09:00:00Z", "expired today"),
            ("expiresAt: 2026-03-04", "expired 2026-03-04"),
            ("valid_until: 2027/01/31", "expires 2027-01-31"),
            ("expiresAt: never", "expiresAt never"),
            ("createdAt: soon", "createdAt soon"),
            ("updatedAt: 2026-03-01", ""),
            ("updatedAt: 2026-03-01\nmodified: 2026-03-02", "updated 2026-03-01"),
            ("reason: it broke\napplication: every release", ""),
            ("reason:\nsource: ''", ""),
        ] {
            assert_eq!(said(yaml), expected, "{yaml}");
        }
    }

    #[test]
    fn what_may_stand_under_a_key() {
        for (key, value, is_well) in [
            ("createdAt", "2026-03-05", true),
            ("created_at", "2026-03-05T10:00:00Z", true),
            ("createdAt", "", true),
            ("createdAt", "yesterday", false),
            ("createdAt", "never", false),
            ("expiresAt", "never", true),
            ("expiresAt", "2026-02-30", false),
            ("updatedAt", "2026-03-05 10:00", true),
            ("confidence", "High", true),
            ("confidence", "0.7", true),
            ("confidence", "70%", true),
            ("confidence", "7", false),
            ("confidence", "NaN", false),
            ("confidence", "-0.1", false),
            ("confidence", "quite", false),
            ("source", "whatever", true),
            ("tags", "soon", true),
        ] {
            assert_eq!(allowed(key, value).is_ok(), is_well, "{key}: {value}");
        }
    }

    #[test]
    fn confidence_in_words_and_numbers() {
        for (value, expected) in [
            ("low", Confidence::Low),
            ("0.39", Confidence::Low),
            ("0.4", Confidence::Medium),
            ("75 %", Confidence::High),
        ] {
            assert_eq!(confidence(value), Some(expected), "{value}");
        }
    }
}

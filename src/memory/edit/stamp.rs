//! Renews the dates that say when a memory was last changed, in the form in which they stand.

use super::set::{frontmatter, one};
use super::verify::{self, Meant};
use super::{FieldSpan, Place, Refused, Style, scan, splice};
use crate::memory::{Time, dates};
use chrono::{FixedOffset, Timelike};

/// Sets `modified` and `updatedAt`, where they hold a date, to `now`: with the precision, zone and quotes that
/// they have. None is ever added. Gives the bytes as they are when there is none.
///
/// # Errors
/// When a date can't change without anything else changing.
pub fn renew(bytes: &[u8], now: Time) -> Result<Vec<u8>, Refused> {
    let mut after = bytes.to_vec();
    for place in [Place::Top, Place::Metadata] {
        for key in ["modified", "updatedAt"] {
            let Some(yaml) = frontmatter(&after)? else { return Ok(after) };
            let fields = scan::scan(&after, yaml);
            let Some(field) = one(&fields, place, key)? else { continue };
            if let Some((text, value)) = renewed(&after, field, now) {
                let next = splice(&after, &field.value, value.as_bytes());
                verify::check(&after, &next, Meant::Set(place, key, &text))?;
                after = next;
            }
        }
    }
    Ok(after)
}

/// The new date and the value as it will stand there.
fn renewed(bytes: &[u8], field: &FieldSpan, now: Time) -> Option<(String, String)> {
    let old = field.text.as_str();
    dates::parse(old)?;
    let raw = std::str::from_utf8(bytes.get(field.value.clone())?).ok()?;
    // Quotes and blanks around the date stay; a date in another writing is left alone.
    let simple = matches!(field.style, Style::Plain | Style::Single | Style::Double);
    let (head, tail) = raw.split_once(old).filter(|_| simple)?;
    let text = in_form(old, now)?;
    let value = format!("{head}{text}{tail}");
    Some((text, value))
}

/// `now` in the form of another date.
fn in_form(old: &str, now: Time) -> Option<String> {
    let trimmed = old.trim();
    let lead = old.get(..old.len() - old.trim_start().len())?;
    let trail = old.get(old.trim_end().len()..)?;
    let Some((day, rest)) = trimmed.split_at_checked(10).filter(|(_, rest)| !rest.is_empty()) else {
        return Some(format!("{lead}{}{trail}", now.format("%Y-%m-%d")));
    };
    let _ = day;
    let (mark, rest) = rest.split_at_checked(1)?;
    let clock_end = rest.find(|c: char| !c.is_ascii_digit() && c != ':' && c != '.').unwrap_or(rest.len());
    let (clock, zone) = rest.split_at_checked(clock_end)?;
    let now = now.with_timezone(&offset(zone)?);
    let seconds = clock.matches(':').count() > 1;
    let digits = clock.split_once('.').map_or(0, |(_, fraction)| fraction.len().min(9));
    let mut text = format!("{}{mark}{}", now.format("%Y-%m-%d"), now.format("%H:%M"));
    if seconds {
        text.push_str(&now.format(":%S").to_string());
    }
    if digits > 0 {
        let nanos = format!("{:09}", now.nanosecond() % 1_000_000_000);
        text.push('.');
        text.push_str(nanos.get(..digits)?);
    }
    Some(format!("{lead}{text}{zone}{trail}"))
}

/// The offset that a zone as written stands for; none is UTC.
fn offset(zone: &str) -> Option<FixedOffset> {
    let zone = zone.trim();
    let (sign, rest) = match zone.split_at_checked(1) {
        None => return FixedOffset::east_opt(0),
        Some(("Z" | "z", "")) => return FixedOffset::east_opt(0),
        Some(("+", rest)) => (1, rest),
        Some(("-", rest)) => (-1, rest),
        Some(_) => return None,
    };
    let digits: String = rest.chars().filter(char::is_ascii_digit).collect();
    let hours: i32 = digits.get(..2)?.parse().ok()?;
    let minutes: i32 = digits.get(2..4).unwrap_or("0").parse().ok()?;
    FixedOffset::east_opt(sign * (hours * 3600 + minutes * 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_keeps_its_form() {
        let now: Time = "2026-03-05T10:20:30.123456789Z".parse().unwrap();
        for (old, expected) in [
            ("2020-01-01", "2026-03-05"),
            ("2020-01-01T00:00:00.000Z", "2026-03-05T10:20:30.123Z"),
            ("2020-01-01T00:00:00Z", "2026-03-05T10:20:30Z"),
            ("2020-01-01 00:00", "2026-03-05 10:20"),
            ("2020-01-01T00:00:00+02:00", "2026-03-05T12:20:30+02:00"),
            ("2020-01-01T00:00:00.5-0330", "2026-03-05T06:50:30.1-0330"),
            ("2020-01-01 00:00:00 +09", "2026-03-05 19:20:30 +09"),
        ] {
            assert_eq!(in_form(old, now).as_deref(), Some(expected), "{old}");
            assert!(dates::parse(expected).is_some(), "{expected}");
        }
    }

    #[test]
    fn only_dates_that_are_there_are_renewed() {
        let now: Time = "2026-03-05T10:20:30Z".parse().unwrap();
        let text = "---\nname: a\nupdatedAt: \"2020-01-01\" # kept\nmetadata: \n  modified: 2020-01-01T00:00:00.000Z\n---\nx";
        let after = renew(text.as_bytes(), now).unwrap();
        assert_eq!(
            String::from_utf8(after).unwrap(),
            "---\nname: a\nupdatedAt: \"2026-03-05\" # kept\nmetadata: \n  modified: 2026-03-05T10:20:30.000Z\n---\nx"
        );
        for text in ["x", "---\nname: a\n---\n", "---\nmodified: soon\nupdatedAt:\n---\n"] {
            assert_eq!(renew(text.as_bytes(), now).unwrap(), text.as_bytes());
        }
    }
}

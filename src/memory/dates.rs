//! Points in time as memories write them: ISO 8601 with or without a time, a zone, or seconds.

use crate::memory::Time;
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};

/// The formats without a zone, which are taken as UTC.
const LOCAL: [&str; 4] = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"];
/// The formats with a zone beyond RFC 3339: no seconds, no colon in the zone, blanks before it.
const ZONED: [&str; 4] =
    ["%Y-%m-%dT%H:%M:%S%.f%#z", "%Y-%m-%d %H:%M:%S%.f%#z", "%Y-%m-%dT%H:%M%#z", "%Y-%m-%d %H:%M%#z"];

/// Reads a date or a point in time: RFC 3339, the same with a blank for the `T`, without seconds, without a
/// zone (then UTC), or a date alone (then its midnight in UTC). Blanks around it don't matter.
#[must_use]
pub fn parse(text: &str) -> Option<Time> {
    let text = text.trim();
    if !text.as_bytes().first()?.is_ascii_digit() || text.len() > 40 {
        return None;
    }
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        return Some(time.to_utc());
    }
    if let Ok(day) = NaiveDate::parse_from_str(text, "%Y-%m-%d") {
        return Some(day.and_time(NaiveTime::MIN).and_utc());
    }
    if let Some(time) = LOCAL.iter().find_map(|f| NaiveDateTime::parse_from_str(text, f).ok()) {
        return Some(time.and_utc());
    }
    // `%#z` reads `+02`, `+0200`, `+02:00` and `Z`.
    ZONED.iter().find_map(|f| DateTime::parse_from_str(text, f).ok()).map(|time| time.with_timezone(&Utc))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_that_memories_use() {
        for (text, expected) in [
            ("2026-08-11T08:31:36.377Z", "2026-08-11T08:31:36.377Z"),
            ("2026-08-11T08:31:36+02:00", "2026-08-11T06:31:36Z"),
            ("2026-08-11T08:31:36+0200", "2026-08-11T06:31:36Z"),
            ("2026-08-11T08:31+02", "2026-08-11T06:31:00Z"),
            ("2026-08-11 08:31:36Z", "2026-08-11T08:31:36Z"),
            ("2026-08-11T08:31:36.5", "2026-08-11T08:31:36.5Z"),
            ("2026-08-11 08:31", "2026-08-11T08:31:00Z"),
            (" 2026-08-11 ", "2026-08-11T00:00:00Z"),
        ] {
            let expected: Time = expected.parse().unwrap();
            assert_eq!(parse(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_date() {
        for text in ["", "soon", "2026", "2026-13-01", "2026-02-30", "12:30", "2026-08-11 freeze", "{today}"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}

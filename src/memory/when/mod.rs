//! When: dates as people write them in the languages of memories, and what a word like "yesterday" meant on the day
//! on which it was written.

mod absolute;
mod language;
mod relative;
mod words;

pub use absolute::{Dated, dates};
pub use language::Language;
pub use relative::{Spoken, relative};
pub use words::may_have as may_be_relative;

use crate::memory::Time;
use crate::memory::dates as points;
use crate::memory::extended::Key;
use crate::memory::snapshot::Memory;
use chrono::{Datelike, Days, Months, NaiveDate, Weekday};
use std::fmt;

/// A stretch of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// One day.
    Day(NaiveDate),
    /// The week from this Monday on.
    Week(NaiveDate),
    /// The month of this first day.
    Month(NaiveDate),
    /// The quarter of this first day.
    Quarter(NaiveDate),
    /// The year of this first day.
    Year(NaiveDate),
}

/// The units that people count in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Days.
    Day,
    /// Weeks.
    Week,
    /// Months.
    Month,
    /// Quarters.
    Quarter,
    /// Years.
    Year,
}

impl Span {
    /// The span of a unit that holds a day.
    #[must_use]
    pub fn of(unit: Unit, day: NaiveDate) -> Self {
        let first_of = |month: u32| NaiveDate::from_ymd_opt(day.year(), month, 1).unwrap_or(day);
        match unit {
            Unit::Day => Self::Day(day),
            Unit::Week => Self::Week(day.week(Weekday::Mon).checked_first_day().unwrap_or(day)),
            Unit::Month => Self::Month(first_of(day.month())),
            Unit::Quarter => Self::Quarter(first_of(day.month0() / 3 * 3 + 1)),
            Unit::Year => Self::Year(first_of(1)),
        }
    }

    /// Its first day.
    #[must_use]
    pub const fn first_day(self) -> NaiveDate {
        match self {
            Self::Day(day) | Self::Week(day) | Self::Month(day) | Self::Quarter(day) | Self::Year(day) => day,
        }
    }

    /// Its last day.
    #[must_use]
    pub fn last_day(self) -> NaiveDate {
        let unit = match self {
            Self::Day(day) => return day,
            Self::Week(_) => Unit::Week,
            Self::Month(_) => Unit::Month,
            Self::Quarter(_) => Unit::Quarter,
            Self::Year(_) => Unit::Year,
        };
        let next = step(self.first_day(), unit, 1);
        next.and_then(|day| day.pred_opt()).unwrap_or_else(|| self.first_day())
    }
}

impl fmt::Display for Span {
    /// `2026-03-05` (also for the Monday of a week), `2026-03`, `2026-Q1`, `2026`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let day = self.first_day();
        match self {
            Self::Day(_) | Self::Week(_) => write!(f, "{}", day.format("%Y-%m-%d")),
            Self::Month(_) => write!(f, "{}", day.format("%Y-%m")),
            Self::Quarter(_) => write!(f, "{}-Q{}", day.year(), day.month0() / 3 + 1),
            Self::Year(_) => write!(f, "{}", day.year()),
        }
    }
}

/// So many units later (or earlier); `None` beyond the calendar.
#[must_use]
pub fn step(day: NaiveDate, unit: Unit, count: i64) -> Option<NaiveDate> {
    let amount = count.unsigned_abs();
    let days = |days: u64| {
        if count < 0 { day.checked_sub_days(Days::new(days)) } else { day.checked_add_days(Days::new(days)) }
    };
    let months = |months: u64| {
        let months = Months::new(u32::try_from(months).ok()?);
        if count < 0 { day.checked_sub_months(months) } else { day.checked_add_months(months) }
    };
    match unit {
        Unit::Day => days(amount),
        Unit::Week => days(amount.checked_mul(7)?),
        Unit::Month => months(amount),
        Unit::Quarter => months(amount.checked_mul(3)?),
        Unit::Year => months(amount.checked_mul(12)?),
    }
}

/// The day on which a memory was written, and how that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The day (UTC).
    pub day: NaiveDate,
    /// The key, or `file time`.
    pub clock: &'static str,
    /// Whether a copy or a later edit can't have moved it.
    pub is_sure: bool,
}

/// The day on which a memory was written: `createdAt` when it has one, else `modified`, `updatedAt`, the file's time.
#[must_use]
pub fn written(memory: &Memory) -> Written {
    let header = &memory.document.header;
    let of = |time: Time, clock, is_sure| Written { day: time.date_naive(), clock, is_sure };
    let changed = header.modified.or(header.updated_at);
    let created = header.others.iter().find_map(|(key, value)| {
        let name = key.rsplit('.').next().unwrap_or(key);
        (name == "date" || Key::of(key) == Some(Key::Created)).then(|| points::parse(value))?
    });
    match (created, header.modified, header.updated_at) {
        // What was changed on another day may have been said on that one.
        (Some(time), ..) => {
            of(time, "createdAt", changed.is_none_or(|changed| changed.date_naive() == time.date_naive()))
        }
        (None, Some(time), _) => of(time, "modified", true),
        (None, None, Some(time)) => of(time, "updatedAt", true),
        (None, None, None) => of(memory.stat.mtime, "file time", false),
    }
}

#[cfg(test)]
mod tests;

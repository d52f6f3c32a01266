//! How old a memory is, by which clock, and what the client will say about it.

use crate::memory::Time;
use crate::memory::snapshot::Memory;

/// Which clock an age was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// `modified` in the frontmatter.
    Modified,
    /// `updatedAt` in the frontmatter.
    UpdatedAt,
    /// The file's time of last change.
    FileTime,
}

/// The age of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Age {
    /// When it was last changed.
    pub since: Time,
    /// Which clock says so.
    pub clock: Clock,
    /// Whole days between then and now, rounded down; 0 for a time in the future.
    pub days: u32,
    /// The time lies in the future.
    pub future: bool,
}

/// Bands of age, for colour and letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Band {
    /// Less than 2 days: the client says nothing.
    Fresh,
    /// Less than 30 days.
    Recent,
    /// Less than 180 days.
    Ageing,
    /// 180 days and more.
    Old,
    /// A time in the future.
    Future,
}

/// From how many whole days by file time on the client adds its age note (CLIENT_FACTS D1: measured).
pub const CLIENT_NOTE_DAYS: u32 = 2;

/// The age of a memory now: from `modified`, else `updatedAt`, else the file's time.
#[must_use]
pub fn age(memory: &Memory, now: Time) -> Age {
    let header = &memory.document.header;
    let (since, clock) = match (header.modified, header.updated_at) {
        (Some(time), _) => (time, Clock::Modified),
        (None, Some(time)) => (time, Clock::UpdatedAt),
        (None, None) => (memory.stat.mtime, Clock::FileTime),
    };
    Age { since, clock, days: whole_days(since, now), future: since > now }
}

/// The whole days that the client will name in its age note when the memory is read, by file time alone;
/// `None` when it adds no note (under [`CLIENT_NOTE_DAYS`], or a time in the future).
#[must_use]
pub fn client_note(memory: &Memory, now: Time) -> Option<u32> {
    client_note_of(memory.stat.mtime, now)
}

/// The same for any file of the store that was changed at that time: the index too gets a note when it is read.
#[must_use]
pub fn client_note_of(changed: Time, now: Time) -> Option<u32> {
    let days = whole_days(changed, now);
    (days >= CLIENT_NOTE_DAYS).then_some(days)
}

/// Whether the file's time hides the real age: by the memory's own date the client ought to add its note,
/// but the file's time is too new for it.
#[must_use]
pub fn is_hidden(memory: &Memory, now: Time) -> bool {
    let age = age(memory, now);
    age.clock != Clock::FileTime && age.days >= CLIENT_NOTE_DAYS && client_note(memory, now).is_none()
}

impl Age {
    /// The band of this age.
    #[must_use]
    pub fn band(&self) -> Band {
        match self.days {
            _ if self.future => Band::Future,
            0..CLIENT_NOTE_DAYS => Band::Fresh,
            2..30 => Band::Recent,
            30..180 => Band::Ageing,
            _ => Band::Old,
        }
    }

    /// The badge: `today`, `3d`, `5w`, `8mo`, `2y`, `future`; at most six columns.
    #[must_use]
    pub fn badge(&self) -> String {
        match self.days {
            _ if self.future => "future".into(),
            0 => "today".into(),
            days @ 1..14 => format!("{days}d"),
            days @ 14..61 => format!("{}w", days / 7),
            days @ 61..730 => format!("{}mo", days * 12 / 365),
            days => format!("{}y", days / 365),
        }
    }
}

fn whole_days(since: Time, now: Time) -> u32 {
    u32::try_from((now - since).num_days().max(0)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::document::Document;
    use crate::memory::path::RelPath;
    use crate::memory::snapshot::Stat;

    const NOW: &str = "2026-03-10T12:00:00Z";

    fn memory(header: &str, mtime: &str) -> Memory {
        let text = format!("---\n{header}\n---\nbody\n");
        Memory {
            path: RelPath::new("a.md").unwrap(),
            bytes: text.as_bytes().into(),
            document: Document::parse(text.as_bytes()),
            stat: Stat { mtime: mtime.parse().unwrap(), mode: 0o644, link: None },
        }
    }

    fn now() -> Time {
        NOW.parse().unwrap()
    }

    fn aged(days: u32) -> Age {
        Age { since: now(), clock: Clock::FileTime, days, future: false }
    }

    #[test]
    fn the_first_clock_that_goes_is_read() {
        let mtime = "2026-03-09T00:00:00Z";
        for (header, clock, days) in [
            ("name: a", Clock::FileTime, 1),
            ("updatedAt: 2026-03-05", Clock::UpdatedAt, 5),
            ("metadata:\n  updatedAt: 2026-03-05", Clock::UpdatedAt, 5),
            ("modified: 2026-03-01\nupdatedAt: 2026-03-05", Clock::Modified, 9),
            ("metadata: \n  modified: 2026-03-01T12:00:00.000Z", Clock::Modified, 9),
            ("metadata: \n  modified: 2026-03-01T12:00:00.001Z", Clock::Modified, 8),
            ("modified: last week\nupdatedAt: soon", Clock::FileTime, 1),
        ] {
            let age = age(&memory(header, mtime), now());
            assert_eq!((age.clock, age.days, age.future), (clock, days, false), "{header}");
        }
    }

    #[test]
    fn a_time_in_the_future_is_shown_as_such() {
        let age = age(&memory("modified: 2026-03-10T12:00:01Z", "2026-01-01T00:00:00Z"), now());
        assert_eq!(
            (age.days, age.future, age.band(), age.badge().as_str()),
            (0, true, Band::Future, "future")
        );
        assert!(!super::age(&memory("modified: 2026-03-10T12:00:00Z", NOW), now()).future);
        assert_eq!(client_note(&memory("name: a", "2027-01-01T00:00:00Z"), now()), None);
    }

    #[test]
    fn bands_and_badges() {
        for (days, band, badge) in [
            (0, Band::Fresh, "today"),
            (1, Band::Fresh, "1d"),
            (2, Band::Recent, "2d"),
            (13, Band::Recent, "13d"),
            (14, Band::Recent, "2w"),
            (29, Band::Recent, "4w"),
            (30, Band::Ageing, "4w"),
            (59, Band::Ageing, "8w"),
            (60, Band::Ageing, "8w"),
            (61, Band::Ageing, "2mo"),
            (179, Band::Ageing, "5mo"),
            (180, Band::Old, "5mo"),
            (365, Band::Old, "12mo"),
            (729, Band::Old, "23mo"),
            (730, Band::Old, "2y"),
            (u32::MAX, Band::Old, "11767033y"),
        ] {
            let age = aged(days);
            assert_eq!((age.band(), age.badge().as_str()), (band, badge), "{days}");
        }
    }

    #[test]
    fn the_client_warns_by_file_time_from_two_whole_days() {
        for (mtime, note) in [
            ("2026-03-08T12:00:00.001Z", None),
            ("2026-03-08T12:00:00Z", Some(2)),
            ("2026-03-07T12:00:00.001Z", Some(2)),
            ("2025-03-10T12:00:00Z", Some(365)),
        ] {
            assert_eq!(client_note(&memory("modified: 2020-01-01", mtime), now()), note, "{mtime}");
        }
    }

    #[test]
    fn an_age_is_hidden_when_the_file_is_too_new_for_the_note() {
        for (header, mtime, hidden) in [
            ("modified: 2026-01-01", "2026-03-10T00:00:00Z", true),
            ("updatedAt: 2026-01-01", "2026-03-10T00:00:00Z", true),
            ("modified: 2026-01-01", "2027-03-10T00:00:00Z", true),
            // The note names a smaller number of days, but there is one.
            ("modified: 2026-01-01", "2026-03-08T00:00:00Z", false),
            ("modified: 2026-03-09", "2026-03-10T00:00:00Z", false),
            ("modified: 2027-01-01", "2026-03-10T00:00:00Z", false),
            ("name: a", "2026-03-10T00:00:00Z", false),
        ] {
            assert_eq!(is_hidden(&memory(header, mtime), now()), hidden, "{header} {mtime}");
        }
    }
}

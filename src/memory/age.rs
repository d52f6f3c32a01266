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
    let days = whole_days(memory.stat.mtime, now);
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
            days @ 14..60 => format!("{}w", days / 7),
            days @ 60..730 => format!("{}mo", days * 12 / 365),
            days => format!("{}y", days / 365),
        }
    }
}

fn whole_days(since: Time, now: Time) -> u32 {
    u32::try_from((now - since).num_days().max(0)).unwrap_or(u32::MAX)
}

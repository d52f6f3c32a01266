//! What sessions made of the memories: which were read, when, and whether the index loaded. What no record says is
//! unknown, and stays so.

use crate::memory::Time;
use crate::memory::path::RelPath;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the sessions of a project made of its memories.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Usage {
    /// The memories that were read, and the index; what is not here was never read in `sessions`.
    pub by_memory: BTreeMap<RelPath, Recalls>,
    /// The sessions, the latest first.
    pub sessions: Vec<Session>,
    /// What was odd while transcripts were read (lines that were skipped, files that can't be read), in words.
    pub notes: Vec<String>,
}

/// How often a memory was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recalls {
    /// How often.
    pub times: usize,
    /// In how many sessions.
    pub sessions: usize,
    /// When last; `None`: the record names no time.
    pub last: Option<Time>,
}

/// One session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its id.
    pub id: String,
    /// When it began.
    pub start: Option<Time>,
    /// The client's version.
    pub version: Option<String>,
    /// What became of the index.
    pub index: IndexLoad,
}

/// What a session's own record says of the index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum IndexLoad {
    /// It loaded whole.
    Whole,
    /// A part of it loaded.
    Cut,
    /// What loaded is recorded, and the index is not among it.
    NotAtAll,
    /// Nothing is recorded (2.1.197 and before).
    #[default]
    Unknown,
}

impl IndexLoad {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Whole, Self::Cut, Self::NotAtAll, Self::Unknown];

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Cut => "cut",
            Self::NotAtAll => "not at all",
            Self::Unknown => "unknown",
        }
    }
}

impl Usage {
    /// In how many of the last `most` sessions the index loaded so: whole, cut, not at all, unknown.
    #[must_use]
    pub fn index_loads(&self, most: usize) -> [usize; 4] {
        let loads = || self.sessions.iter().take(most).map(|session| session.index);
        IndexLoad::ALL.map(|load| loads().filter(|found| *found == load).count())
    }

    /// How many sessions began since then; one whose begin is unknown does not count.
    #[must_use]
    pub fn sessions_since(&self, time: Time) -> usize {
        self.sessions.iter().filter(|session| session.start.is_some_and(|start| start >= time)).count()
    }

    /// Whether a memory last changed then was never read, though sessions could have.
    #[must_use]
    pub fn is_unused(&self, path: &RelPath, changed: Time) -> bool {
        !self.by_memory.contains_key(path) && self.sessions_since(changed) > 0
    }

    /// In words when a memory that last changed then was read: `last recalled 3 days ago · 5 times`.
    #[must_use]
    pub fn words(&self, path: &RelPath, changed: Time, now: Time) -> String {
        if let Some(recalls) = self.by_memory.get(path) {
            let times = if recalls.times == 1 { "once".into() } else { format!("{} times", recalls.times) };
            return match recalls.last {
                Some(last) => format!("last recalled {} · {times}", ago(last, now)),
                None => format!("recalled {times}, unknown when"),
            };
        }
        if self.sessions.is_empty() {
            return "unknown whether it was ever recalled: no session is recorded".into();
        }
        match self.sessions_since(changed) {
            0 => "not recalled: no session is recorded since it changed".into(),
            1 => "never recalled in 1 session since it changed".into(),
            count => format!("never recalled in {count} sessions since it changed"),
        }
    }
}

/// How long ago that is, in whole days; less than one is today.
#[must_use]
pub fn ago(then: Time, now: Time) -> String {
    match (now - then).num_days().max(0) {
        0 => "today".into(),
        1 => "1 day ago".into(),
        days => format!("{days} days ago"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(day: u32) -> Time {
        format!("2026-03-{day:02}T10:00:00Z").parse().unwrap()
    }

    fn session(start: Option<Time>, index: IndexLoad) -> Session {
        Session { id: "s".into(), start, version: None, index }
    }

    #[test]
    fn what_is_said_of_a_memory() {
        let path = |name: &str| RelPath::new(name).unwrap();
        let mut usage = Usage::default();
        let words = |usage: &Usage, name: &str, changed| usage.words(&path(name), at(changed), at(9));
        assert!(words(&usage, "a.md", 1).starts_with("unknown"));
        assert!(!usage.is_unused(&path("a.md"), at(1)));
        usage.sessions = vec![session(Some(at(8)), IndexLoad::Cut), session(None, IndexLoad::Unknown)];
        assert_eq!(words(&usage, "a.md", 1), "never recalled in 1 session since it changed");
        assert_eq!(words(&usage, "a.md", 9), "not recalled: no session is recorded since it changed");
        assert!(usage.is_unused(&path("a.md"), at(1)) && !usage.is_unused(&path("a.md"), at(9)));
        let recalls = Recalls { times: 5, sessions: 2, last: Some(at(6)) };
        usage.by_memory.insert(path("a.md"), recalls);
        assert_eq!(words(&usage, "a.md", 1), "last recalled 3 days ago · 5 times");
        assert!(!usage.is_unused(&path("a.md"), at(1)));
        usage.by_memory.insert(path("b.md"), Recalls { times: 1, sessions: 1, last: None });
        assert_eq!(words(&usage, "b.md", 1), "recalled once, unknown when");
        assert_eq!(usage.index_loads(1), [0, 1, 0, 0]);
        assert_eq!(usage.index_loads(9), [0, 1, 0, 1]);
        assert_eq!(ago(at(8), at(9)), "1 day ago");
        assert_eq!(ago(at(9), at(8)), "today", "a clock that was set back");
    }
}

//! What a person set about the checks: thresholds, and what is silenced.

use super::silence::Silence;
use crate::memory::document::MemoryType;

/// What a person set about the checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// From how many days on a memory of a type is `old`; `None`: never.
    pub old_days: Days,
    /// What is not to be reported.
    pub silenced: Vec<Silence>,
}

/// From how many days on a memory of a type is old; `None`: never.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Days {
    /// `type: user`.
    pub user: Option<u32>,
    /// `type: feedback`.
    pub feedback: Option<u32>,
    /// `type: project`.
    pub project: Option<u32>,
    /// `type: reference`.
    pub reference: Option<u32>,
}

impl Default for Settings {
    fn default() -> Self {
        // What a person is like and wants changes slowly, what a project is at changes fast.
        let old_days =
            Days { user: Some(730), feedback: Some(365), project: Some(180), reference: Some(365) };
        Self { old_days, silenced: Vec::new() }
    }
}

impl Settings {
    /// From how many days on a memory of this type is old; other types count as `project`.
    #[must_use]
    pub const fn old_days(&self, kind: &MemoryType) -> Option<u32> {
        match kind {
            MemoryType::User => self.old_days.user,
            MemoryType::Feedback => self.old_days.feedback,
            MemoryType::Reference => self.old_days.reference,
            _ => self.old_days.project,
        }
    }
}

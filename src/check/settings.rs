//! What a person set about the checks: thresholds, and what is silenced.

use super::Finding;
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

/// What is not to be reported. What is empty stands for everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Silence {
    /// The check's id.
    pub check: String,
    /// The memory's path in its store.
    pub memory: String,
    /// What the finding is about.
    pub about: String,
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

    /// Whether a finding is not to be reported.
    #[must_use]
    pub fn silences(&self, finding: &Finding) -> bool {
        let is = |set: &str, found: &str| set.is_empty() || set == found;
        let path = finding.memory.to_str_lossy();
        self.silenced.iter().any(|silence| {
            is(&silence.check, finding.check.0)
                && is(&silence.memory, &path)
                && is(&silence.about, &finding.about)
        })
    }
}

//! The client's hook that stages memory writes: what a call of a tool would do to a store ([`call`], [`stores`], [`shell`]),
//! what becomes of it ([`staging`]), what the client is told ([`answer`]), what starts an extraction when a session ends
//! ([`ended`]), and how the hook gets into the client's settings ([`command`], [`settings`], and `file` on the disk). All but the last is pure: the disk comes in through ports.
//!
//! The design is the one that was measured (CLIENT_FACTS D6, "Which design works"); docs/INBOX.md tells it to people.

pub mod answer;
pub mod call;
pub mod command;
pub mod ended;
pub mod file;
pub mod settings;
pub mod shell;
pub mod staging;
pub mod stores;

/// What is staged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Every write of a memory.
    #[default]
    All,
    /// Changes and deletions; new memories are written at once.
    Changes,
    /// Nothing.
    Off,
}

impl Mode {
    /// All of them.
    pub const EVERY: [Self; 3] = [Self::All, Self::Changes, Self::Off];

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Changes => "changes",
            Self::Off => "off",
        }
    }

    /// The mode of this word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::EVERY.into_iter().find(|mode| mode.as_str() == word)
    }
}

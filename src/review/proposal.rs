//! A proposal: a memory, a change or a deletion that waits for a person's yes. Two files hold it: `ID.md`, the memory's
//! exact bytes as it would be, and `ID.json`, all else. What is in them is never trusted: a proposal that can't be
//! read for sure is shown with its fault, and never applied.

pub mod dropped;
pub mod intake;
mod markdown;
mod read;
#[cfg(test)]
mod tests;

pub use read::{read, target};

use crate::memory::Time;
use crate::memory::document::Document;
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Stat};
use crate::memory::text::lossy;
use chrono::SecondsFormat;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::sync::Arc;

/// The version of the format.
pub const VERSION: u64 = 1;
/// The longest memory that is proposed, in bytes. Real ones have 1.9 kB (DESIGN §1); over 4 MiB the client loads none.
pub const MAX_BYTES: usize = 1 << 20;
/// The longest `ID.json`, in bytes.
pub const MAX_JSON: usize = 64 << 10;

/// A proposal that can be approved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The name of its two files, without extension.
    pub id: String,
    /// What it would do.
    pub action: Action,
    /// The memory that it is about.
    pub target: RelPath,
    /// The SHA-256 of the version it was made on, in hex; of an addition there is none.
    pub base: Option<String>,
    /// Who proposed it.
    pub origin: Origin,
    /// When.
    pub time: Option<Time>,
    /// Why, in the proposer's words.
    pub reason: Option<String>,
    /// The line of the index, when the proposer wants a certain one.
    pub index_line: Option<String>,
    /// The memory's bytes as they would be; a deletion has none.
    pub bytes: Option<Arc<[u8]>>,
    /// It is about a file alone, whatever that is: no line of the index goes with it, it need not be a memory, and its
    /// path may be any in the store. So are those of the API's memory tool.
    pub alone: bool,
    /// What is odd about its files and does no harm, in words.
    pub notes: Vec<String>,
}

/// What a proposal would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Write a new memory.
    Add,
    /// Give one other bytes.
    Change,
    /// Remove one.
    Delete,
}

/// Who proposed something.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// By which way: `propose`, `hook`, `extract`, or another word.
    pub kind: String,
    /// The client's session.
    pub session: Option<String>,
    /// The branch that the session was on.
    pub branch: Option<String>,
    /// The program or agent.
    pub by: Option<String>,
}

/// What waits in the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Waiting {
    /// A proposal.
    Proposal(Box<Proposal>),
    /// Files that are no proposal, or one with a fault: shown, never applied.
    Faulty(Faulty),
}

/// A proposal that can't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Faulty {
    /// The name of its files, without extension.
    pub id: String,
    /// What is wrong, in words, safe to show.
    pub fault: String,
    /// The bytes of `ID.md`, when there is one that could be read.
    pub bytes: Option<Arc<[u8]>>,
}

impl Waiting {
    /// The name of its files, without extension.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Proposal(proposal) => &proposal.id,
            Self::Faulty(faulty) => &faulty.id,
        }
    }

    /// The proposal, when it is one.
    #[must_use]
    pub fn proposal(&self) -> Option<&Proposal> {
        match self {
            Self::Proposal(proposal) => Some(proposal),
            Self::Faulty(_) => None,
        }
    }
}

impl Action {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Add, Self::Change, Self::Delete];

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Change => "change",
            Self::Delete => "delete",
        }
    }

    /// The action of this word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.as_str() == word)
    }
}

impl Origin {
    /// In words: `extract, session 6f0c1c3e, on main`; raw text.
    #[must_use]
    pub fn words(&self) -> String {
        let mut words = self.by.clone().unwrap_or_else(|| self.kind.clone());
        if let Some(session) = &self.session {
            let short: String = session.chars().take(8).collect();
            let _ = write!(words, ", session {short}");
        }
        if let Some(branch) = &self.branch {
            let _ = write!(words, ", on {branch}");
        }
        words
    }
}

impl Proposal {
    /// The content of `ID.json`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut origin = Map::new();
        origin.insert("kind".into(), self.origin.kind.clone().into());
        let parts =
            [("session", &self.origin.session), ("branch", &self.origin.branch), ("by", &self.origin.by)];
        for (key, value) in parts {
            if let Some(value) = value {
                origin.insert(key.into(), value.clone().into());
            }
        }
        let mut whole = json!({
            "version": VERSION,
            "action": self.action.as_str(),
            "target": self.target.to_str_lossy(),
            "base": self.base,
            "origin": origin,
            "time": self.time.map(|time| time.to_rfc3339_opts(SecondsFormat::Millis, true)),
        });
        if let Value::Object(keys) = &mut whole {
            for (key, value) in [("reason", &self.reason), ("index_line", &self.index_line)] {
                if let Some(value) = value {
                    keys.insert(key.into(), value.clone().into());
                }
            }
            if self.alone {
                keys.insert("alone".into(), true.into());
            }
        }
        whole
    }

    /// The memory as it would be, of that time; a deletion makes none.
    #[must_use]
    pub fn memory(&self, now: Time) -> Option<Memory> {
        let bytes = self.bytes.clone()?;
        let document = Document::parse(&bytes);
        let stat = Stat { mtime: now, mode: 0o600, link: None };
        Some(Memory { path: self.target.clone(), bytes, document, stat })
    }

    /// The memory's name: its `name`, else its file's stem, of what is about a file alone its path; raw text.
    #[must_use]
    pub fn title(&self) -> String {
        let name = self.bytes.as_ref().and_then(|bytes| Document::parse(bytes).header.name);
        let file = || if self.alone { self.target.to_str_lossy() } else { self.target.stem() };
        name.filter(|name| !name.trim().is_empty()).map_or_else(|| file().into_owned(), String::from)
    }

    /// Whether what it would write is read as a memory: a visible Markdown file, of what is about a file alone with
    /// frontmatter. Of a deletion only the path counts.
    #[must_use]
    pub fn is_memory(&self) -> bool {
        let has_header = |bytes: &Arc<[u8]>| Document::parse(bytes).frontmatter.is_some();
        !self.alone || self.target.is_listed() && self.bytes.as_ref().is_none_or(has_header)
    }

    /// By which a proposal is known again, after it was rejected too: what it says, letter case, blanks and dates
    /// aside. The file's name counts only where there is a file already: an addition comes back under any name.
    #[must_use]
    pub fn key(&self) -> String {
        if self.alone {
            // What a file holds that need not be prose, and where, is its point: to the byte.
            let holds = self.bytes.as_ref().map(|bytes| sha256(bytes)).or_else(|| self.base.clone());
            let text =
                format!("alone\0{}\0{}\0{}", self.bytes.is_some(), self.target, holds.unwrap_or_default());
            return sha256(text.as_bytes());
        }
        let mut text = self.action.as_str().to_owned();
        if self.action != Action::Add {
            let _ = write!(text, "\0{}", self.target);
        }
        if let Some(bytes) = &self.bytes {
            let document = Document::parse(bytes);
            let body = lossy(bytes.get(document.body.clone()).unwrap_or_default());
            let header = &document.header;
            let about = header.description.as_deref().unwrap_or_default();
            // What an addition is called follows from a run's whim; what a change makes of it is its point.
            let name = if self.action == Action::Change { header.name.as_deref() } else { None };
            for part in [header.kind.as_str(), name.unwrap_or_default(), about, &body] {
                text.push('\0');
                for word in part.split_whitespace() {
                    text.push_str(&word.to_lowercase());
                    text.push(' ');
                }
            }
        }
        sha256(text.as_bytes())
    }
}

/// The SHA-256 of some bytes in hex, as `sha256sum` prints it.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

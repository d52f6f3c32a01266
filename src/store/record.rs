//! `op.json`: what a commit of the history stands for.

use super::error::{Result, history};
use super::pack::id_of;
use super::survey::blob_bytes;
use crate::memory::Time;
use crate::review::plan::{Content, FileState};
use git2::ObjectType;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The version of this format.
const VERSION: u32 = 1;

/// What a commit stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    version: u32,
    /// Its kind.
    pub kind: Kind,
    /// The verb of an operation (`delete`).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub verb: Option<String>,
    /// What was done, in words.
    pub message: String,
    /// The commit that is undone or redone, or to which kept content belongs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub of: Option<String>,
    /// A word from which the names of the temporary files are made.
    #[serde(default)]
    pub tag: String,
    /// The mark of the directory in which it was done (see [`super::identity`]).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub dir: Option<u64>,
    /// How often the index was merged anew while someone else wrote to it.
    #[serde(default)]
    pub generation: u32,
    /// Every file concerned.
    #[serde(default)]
    pub changes: Vec<Changed>,
    /// The files whose reviewed state a person moved, without a change of the files themselves.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub reviewed: Vec<Seen>,
    /// The proposal that was approved with it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub proposal: Option<String>,
    /// The other half of a move between two stores, each of which has its own in its history.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pair: Option<Pair>,
}

/// One half of a move between two stores.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Pair {
    /// What both halves have, and no other operation.
    pub token: String,
    /// The real path of the other store.
    pub store: Bytes,
    /// This half takes the memories away; else it brings them.
    pub takes: bool,
}

/// A file as it was reviewed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seen {
    /// Which file.
    pub path: Bytes,
    /// Its time of change then: a tree keeps none, and a restored file must not look new.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mtime: Option<(i64, u32)>,
}

/// The kinds of commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Kind {
    /// A person's operation.
    Operation,
    /// An operation undone.
    Undo,
    /// An operation redone.
    Redo,
    /// Someone else's changes, or the baseline.
    Outside,
    /// What someone else wrote at the same moment, kept; its changes name those files.
    Kept,
}

/// One file before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Changed {
    /// Which file.
    pub path: Bytes,
    /// The path is absolute: a file outside of the store.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub outside: bool,
    /// As it was; absent: there was none.
    pub before: Option<State>,
    /// As it is then; absent: there is none.
    pub after: Option<State>,
    /// What it would hold without the operation, when someone else's lines came in together with it: undo
    /// goes there, not to `before`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub base: Option<State>,
    /// It is the file that `MEMORY.md` is a link to, or that itself.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub index: bool,
    /// In a commit of kept content: the operation stands for this file all the same.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub stands: bool,
    /// Its content was removed from the history for good.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub purged: bool,
}

impl Changed {
    /// A file that is only named.
    pub(super) fn named(path: &Path) -> Self {
        let outside = path.is_absolute();
        let path = Bytes::from_path(path);
        Self {
            path,
            outside,
            before: None,
            after: None,
            base: None,
            index: false,
            stands: false,
            purged: false,
        }
    }

    /// Whether it is the index; histories of the first version only say so by its name.
    pub(super) fn is_index(&self) -> bool {
        self.index || self.path.to_path() == *"MEMORY.md"
    }

    /// All states that it holds.
    pub(super) fn states(&self) -> impl Iterator<Item = &State> {
        self.before.iter().chain(&self.after).chain(&self.base)
    }
}

/// One file's content and what the file system keeps of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct State {
    /// The blob's id.
    pub blob: String,
    /// The blob holds the target of a symbolic link.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub link: bool,
    /// The permission bits.
    pub mode: u32,
    /// Seconds and nanoseconds; absent: the time of writing.
    pub mtime: Option<(i64, u32)>,
}

impl State {
    /// The record of a file's state.
    pub(super) fn of(state: &FileState) -> Self {
        Self {
            blob: id_of(ObjectType::Blob, blob_bytes(&state.content)).to_string(),
            link: matches!(state.content, Content::Link(_)),
            mode: state.mode,
            mtime: state.mtime.map(to_pair),
        }
    }
}

/// A path: text where it is UTF-8, else its bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Bytes {
    /// UTF-8.
    Text(String),
    /// Anything else.
    Raw(Vec<u8>),
}

impl Bytes {
    /// From a path, without loss.
    pub(super) fn from_path(path: &Path) -> Self {
        match path.to_str() {
            Some(text) => Self::Text(text.to_owned()),
            None => Self::Raw(path.as_os_str().as_bytes().to_vec()),
        }
    }

    /// The path.
    pub(super) fn to_path(&self) -> PathBuf {
        match self {
            Self::Text(text) => text.into(),
            Self::Raw(bytes) => OsString::from_vec(bytes.clone()).into(),
        }
    }
}

impl Record {
    /// A record of this kind.
    pub(super) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            version: VERSION,
            kind,
            verb: None,
            message: message.into(),
            of: None,
            tag: String::new(),
            dir: None,
            generation: 0,
            changes: Vec::new(),
            reviewed: Vec::new(),
            proposal: None,
            pair: None,
        }
    }

    /// Reads `op.json`.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self> {
        let record: Self = serde_json::from_slice(bytes).map_err(|e| history("read a record of", e))?;
        if record.version > VERSION {
            return Err(history("read", "it was written by a newer memcurator"));
        }
        Ok(record)
    }

    /// Writes `op.json`.
    pub(super) fn to_json(&self) -> Result<Vec<u8>> {
        let mut json = serde_json::to_vec_pretty(self).map_err(|e| history("write a record of", e))?;
        json.push(b'\n');
        Ok(json)
    }
}

/// A time as a record keeps it.
pub(super) fn to_pair(time: Time) -> (i64, u32) {
    (time.timestamp(), time.timestamp_subsec_nanos())
}

/// A time from a record.
pub(super) fn from_pair((seconds, nanos): (i64, u32)) -> Option<Time> {
    Time::from_timestamp(seconds, nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_survive_any_path() {
        let mut record = Record::new(Kind::Operation, "deleted 2 memories");
        for path in [&b"a\nb.md"[..], b"sub/\xff\xfe.md"] {
            let path = PathBuf::from(OsString::from_vec(path.to_vec()));
            let before =
                State { blob: "e69d".into(), link: true, mode: 0o600, mtime: Some((-1, 999_999_999)) };
            record.changes.push(Changed {
                path: Bytes::from_path(&path),
                outside: false,
                before: Some(before),
                after: None,
                base: None,
                index: false,
                stands: false,
                purged: false,
            });
        }
        let back = Record::parse(&record.to_json().unwrap()).unwrap();
        assert_eq!(back, record);
        assert_eq!(back.changes[1].path.to_path().as_os_str().as_bytes(), b"sub/\xff\xfe.md");
    }

    #[test]
    fn a_record_of_the_future_is_refused() {
        let json = br#"{"version":2,"kind":"operation","message":"x"}"#;
        assert!(Record::parse(json).unwrap_err().what.contains("newer"));
    }
}

//! Errors of the disk, in words: what happened, to which file, what was left untouched, what to do next.

use super::StoreError;
use crate::memory::text::visible;
use std::io;
use std::path::Path;

/// The result of what the disk does.
pub(super) type Result<T> = std::result::Result<T, StoreError>;

impl StoreError {
    /// A fault of the disk or of what was asked.
    pub(super) fn fault(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { what: what.into(), hint: hint.into(), conflict: false }
    }

    /// Someone else changed something.
    pub(super) fn conflict(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { what: what.into(), hint: hint.into(), conflict: true }
    }

    /// The system refused: `could not DOING PATH: reason`, with what stands and a hint that fits the reason.
    pub(super) fn io(doing: &str, path: &Path, error: &io::Error, stands: &str) -> Self {
        let mut what = format!("could not {doing} {}: {}", shown(path), reason(error));
        if !stands.is_empty() {
            what = format!("{what}; {stands}");
        }
        Self::fault(what, hint(error))
    }

    /// The same error with a sentence about what stands.
    pub(super) fn stands(mut self, stands: &str) -> Self {
        self.what = format!("{}; {stands}", self.what);
        self
    }
}

/// A path as text that is safe to show.
pub(super) fn shown(path: &Path) -> String {
    visible(&path.to_string_lossy(), false).into_owned()
}

/// Why the system refused, without the number of the error.
pub(super) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

fn hint(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "give yourself permission to write there, then try again",
        io::ErrorKind::ReadOnlyFilesystem => "make the file system writable, then try again",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space, then try again",
        io::ErrorKind::NotFound => "check that the path is right",
        _ => "",
    }
}

/// An error of the object database or of a record in it.
pub(super) fn history(doing: &str, error: impl std::fmt::Display) -> StoreError {
    StoreError::fault(
        format!("could not {doing} the history: {error}"),
        "the memories themselves are untouched by this; `memcurator history purge --all` starts the history anew",
    )
}

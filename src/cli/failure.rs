//! How a command ends when it doesn't do what was asked.

use crate::config::Problems;
use crate::prompt::locate::find::NotFound;
use crate::review::plan::Refusal;
use crate::store::StoreError;
use std::io;

/// Whether there is something to look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// All is well: exit status 0.
    Fine,
    /// There are findings or conflicts: exit status 1.
    Findings,
}

/// Why a command didn't do what was asked, for a person.
#[derive(Debug)]
pub enum Failure {
    /// It was refused: exit status 1.
    Refused(Words),
    /// It could not run: exit status 2.
    Broken(Words),
    /// Nobody reads the output any more (`| head`): no error, nothing to say.
    Closed,
}

/// An error in words.
#[derive(Debug)]
pub struct Words {
    /// What happened, to which file, and what was left untouched.
    pub what: String,
    /// What to do next; may be empty.
    pub hint: String,
}

impl Failure {
    /// It was refused.
    pub fn refused(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Refused(Words { what: what.into(), hint: hint.into() })
    }

    /// It could not run.
    pub fn broken(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Broken(Words { what: what.into(), hint: hint.into() })
    }

    /// The exit status.
    pub fn status(&self) -> u8 {
        match self {
            Self::Refused(_) => 1,
            Self::Broken(_) => 2,
            Self::Closed => 0,
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        if error.conflict {
            Self::refused(error.what, error.hint)
        } else {
            Self::broken(error.what, error.hint)
        }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::refused(refusal.what, refusal.hint)
    }
}

impl From<NotFound> for Failure {
    fn from(error: NotFound) -> Self {
        Self::broken(error.what, error.hint)
    }
}

impl From<Problems> for Failure {
    fn from(problems: Problems) -> Self {
        Self::broken(problems.to_string(), "nothing was opened; correct the file, or give another with --config")
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Closed,
            _ => Self::broken(format!("the output can't be written: {error}"), ""),
        }
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        match error.downcast::<io::Error>() {
            Ok(error) if error.kind() == io::ErrorKind::BrokenPipe => Self::Closed,
            Ok(error) => Self::broken(error.to_string(), ""),
            Err(error) => match error.downcast::<StoreError>() {
                Ok(error) => error.into(),
                Err(error) => Self::broken(format!("{error:#}"), ""),
            },
        }
    }
}

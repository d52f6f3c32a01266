//! Why a run of the client came to nothing.

use std::io;
use std::path::PathBuf;

/// Why a run of the client came to nothing. Nothing of the person's was changed.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// There is no client.
    #[error("no client was found: {0}")]
    NoClient(String),
    /// It does not say which version it is.
    #[error("{0}: it does not say which version of the client it is ({1})")]
    NoVersion(PathBuf, String),
    /// It could not be started.
    #[error("{0}: it can't be started: {1}")]
    NotStarted(PathBuf, io::Error),
    /// It sent no request to where it was told to.
    #[error("the client ended ({0}) without a request to the address it was given{1}")]
    NoRequest(String, String),
    /// Its requests can't be read.
    #[error("the client sent something that is no request: {0}")]
    Rubbish(String),
    /// It did not finish in time.
    #[error("the client did not finish within {0} seconds; it was ended")]
    TimedOut(u64),
    /// It was called off.
    #[error("called off; the client was ended")]
    Cancelled,
    /// The temporary directory is no place for it.
    #[error("{0}: a temporary directory can't be used there: {1}")]
    Place(PathBuf, String),
    /// It would have been written to outside of the temporary directory.
    #[error("{0}: it leads out of the temporary directory; nothing was written there")]
    Outside(PathBuf),
    /// Something on the disk did not work.
    #[error("{0}: {1}")]
    Disk(PathBuf, io::Error),
}

impl Trouble {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoClient(_) | Self::NoVersion(..) | Self::NotStarted(..) => {
                "nothing was learned or proved; name the program itself with `client = PATH` in the configuration"
            }
            Self::NoRequest(..) => {
                "nothing was learned or proved; a client that is a shim needs `client = PATH` in the configuration"
            }
            Self::Rubbish(_) => "nothing was learned or proved; is it a client at all? see `client = PATH`",
            Self::TimedOut(_) => "nothing was learned or proved, and no process is left; try again",
            Self::Cancelled => "nothing was learned or proved, and no process is left",
            Self::Place(..) => "nothing was run; set TMPDIR to another directory",
            Self::Outside(_) => {
                "nothing was learned or proved; look for links, settings and variables with more `..` than there are directories"
            }
            Self::Disk(..) => "nothing was learned or proved; is there room in the temporary directory?",
        }
    }
}

/// An error of the disk, with the path.
pub(super) fn disk(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Trouble {
    let path = path.into();
    move |error| Trouble::Disk(path, error)
}

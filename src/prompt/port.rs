//! What the core needs from the outside world, as a trait, so that cases run from memory and what-ifs
//! need no disk.

pub mod mem;
pub mod overlay;
pub mod within;

use crate::memory::Time;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// A read-only view of a file system.
pub trait Port {
    /// What is at `path`, links followed; `None` when nothing is (or a link dangles).
    fn kind(&self, path: &Path) -> Option<Kind>;
    /// Whether the entry itself is a symbolic link.
    fn is_link(&self, path: &Path) -> bool;
    /// The real path: absolute, no links, no `..`.
    ///
    /// # Errors
    /// As `std::fs::canonicalize`.
    fn real(&self, path: &Path) -> io::Result<PathBuf>;
    /// The whole file.
    ///
    /// # Errors
    /// As `std::fs::read`.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// The size in bytes, links followed.
    fn size(&self, path: &Path) -> Option<u64>;
    /// The time of last change, links followed.
    fn modified(&self, path: &Path) -> Option<Time>;
    /// The names in a directory, in the order in which the system gives them (the client does not sort).
    ///
    /// # Errors
    /// As `std::fs::read_dir`.
    fn list(&self, path: &Path) -> io::Result<Vec<std::ffi::OsString>>;
}

/// What a path leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A socket, pipe or device.
    Other,
}

/// The process's environment as the core sees it.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// The variables; values that are not UTF-8 are read lossily.
    pub vars: BTreeMap<String, String>,
    /// The current directory: absolute, as the system gives it (real).
    pub cwd: PathBuf,
    /// The home directory.
    pub home: PathBuf,
}

impl Environment {
    /// The value of a variable, when it is set (an empty value is set).
    #[must_use]
    pub fn var(&self, name: &str) -> Option<&str> {
        self.vars.get(name).map(String::as_str)
    }
}

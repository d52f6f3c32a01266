//! The arguments of `memcurator check`.

use crate::memory::{Time, dates};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// What `check` is asked.
#[derive(Debug, Args)]
pub struct Check {
    /// Apply the fixes that nobody could want otherwise, as one step that `memcurator undo` takes back
    ///
    /// Each is shown first, and on a terminal it asks.
    #[arg(long)]
    pub fix: bool,
    /// Don't ask before fixing
    #[arg(long, requires = "fix")]
    pub yes: bool,
    /// Only these checks, by id (can be repeated, or with commas)
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Only findings that are at least so bad
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub severity: Option<Level>,
    /// Look at no project, even where one is known
    #[arg(long)]
    pub no_project: bool,
    /// What to do instead of checking.
    #[command(subcommand)]
    pub command: Option<Silencing>,
}

/// What `verify` is asked.
#[derive(Debug, Args)]
pub struct Verify {
    /// A memory: its path in the store, a path from here, or its file's stem or name where that is unique
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Look at no project, even where one is known
    #[arg(long)]
    pub no_project: bool,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Level {
    /// Worth knowing
    Info,
    /// Likely to mislead or to be lost
    Warning,
    /// The memory can't do its work
    Error,
}

/// What is done about silencing.
#[derive(Debug, Subcommand)]
pub enum Silencing {
    /// Report findings no more: of a check, on a memory, or both
    Silence(Silence),
    /// Report silenced findings again
    Unsilence {
        /// Their numbers, as `memcurator check silenced` has them
        #[arg(required = true, value_name = "N")]
        numbers: Vec<usize>,
    },
    /// List what is silenced
    ///
    /// As JSON: an array of {number, check, memory, about, until, until_changed, scope}; scope is "store" or
    /// "config", and number is null for what stands in the configuration.
    Silenced,
}

/// What `check silence` is asked.
#[derive(Debug, Args)]
pub struct Silence {
    /// The check, by id; with --all only a memory may be given instead
    #[arg(required_unless_present = "all", value_name = "ID")]
    pub check: Option<String>,
    /// The memory [default: all of the store]
    #[arg(value_name = "FILE", conflicts_with = "all")]
    pub file: Option<PathBuf>,
    /// Every check on this memory
    #[arg(long, value_name = "FILE", conflicts_with_all = ["check", "about", "for_good"])]
    pub all: Option<PathBuf>,
    /// Only what is about this: a path, a flag, the words of a date
    #[arg(long, value_name = "TEXT", requires = "file")]
    pub about: Option<String>,
    /// Only until then (2027-01-31)
    #[arg(long, value_name = "DATE", value_parser = date)]
    pub until: Option<Time>,
    /// In every store: the check is added to `checks.silence` in the configuration file
    #[arg(long, conflicts_with_all = ["file", "until"])]
    pub for_good: bool,
}

fn date(text: &str) -> Result<Time, String> {
    dates::parse(text).ok_or_else(|| "wanted 2027-01-31 or 2027-01-31T10:00:00Z".into())
}

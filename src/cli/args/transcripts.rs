//! The arguments of the commands about transcripts.

use super::time;
use crate::memory::Time;
use clap::Args;
use std::path::PathBuf;

/// What `extract` is asked.
#[derive(Debug, Args)]
pub struct Extract {
    /// The session's transcript [default: the latest of this project]
    #[arg(long, value_name = "FILE", conflicts_with = "since")]
    pub transcript: Option<PathBuf>,
    /// All sessions of this project that went on since this date (2026-03-05) or time (2026-03-05T10:00:00Z)
    #[arg(long, value_name = "DATE", value_parser = time)]
    pub since: Option<Time>,
    /// Print what would be sent, and send nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Allow the configured command without asking, and remember it
    #[arg(long)]
    pub yes: bool,
    /// Go on without a terminal after the command has ended: one at a time, and told in extract.log
    #[arg(long, requires = "transcript", conflicts_with = "dry_run")]
    pub background: bool,
    /// This is what goes on in the background.
    #[arg(long, hide = true)]
    pub detached: bool,
}

/// What `usage` is asked.
#[derive(Debug, Args)]
pub struct Usage {
    /// How many of the last sessions are counted for the index
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    pub last: usize,
    /// Only memories that no session read since they changed
    #[arg(long)]
    pub unused: bool,
}

/// What `pending recover` is asked.
#[derive(Debug, Args)]
pub struct Recover {
    /// One session's transcript [default: all of this project]
    #[arg(long, value_name = "FILE", conflicts_with = "since")]
    pub transcript: Option<PathBuf>,
    /// Only sessions that went on since this date (2026-03-05) or time (2026-03-05T10:00:00Z)
    #[arg(long, value_name = "DATE", value_parser = time)]
    pub since: Option<Time>,
    /// Say what would wait and store nothing
    #[arg(long)]
    pub dry_run: bool,
}

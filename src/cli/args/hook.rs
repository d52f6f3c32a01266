//! The arguments of `hook`.

use crate::client::hook::Mode;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// What `hook` does.
#[derive(Debug, Subcommand)]
pub enum Hook {
    /// Put the hook into the client's settings file, after showing the change
    ///
    /// Everything else in the file stays, comments and form too; a file that is a link is followed, and said to be. The old
    /// file is kept in the state directory. Once more, with other options, the hook is put in place of the one that is there.
    /// As JSON: {scope, file, link, changed, mode, binary, extract, warnings}.
    Install(Install),
    /// Take the hook out of the client's settings file again, with all that came in with it
    ///
    /// As JSON: {scope, file, link, changed}.
    Remove(Remove),
    /// Say where the hook is installed, what it stages, and whether it can work
    ///
    /// As JSON: an array of {scope, file, link, installed, mode, binary, binary_found, asks, extract, read_by_client, error}.
    /// Exit status 1 when one that is installed can't work.
    Status,
    /// Answer the client: a call of a tool on standard input, what becomes of it on standard output
    ///
    /// The command that `install` writes calls it. It answers within two seconds; it prints nothing about a call that writes no
    /// memory. What it can't read for sure ends with exit status 2, and that command looks at the call itself.
    Run(Run),
    /// Start an extraction of the session that ended: what the client tells about it on standard input.
    #[command(hide = true)]
    Ended(Ended),
}

/// Which of the client's settings files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Scope {
    /// settings.json in the agent home: all projects
    #[default]
    User,
    /// .claude/settings.json in the project: whoever works on it
    Project,
    /// .claude/settings.local.json in the project
    Local,
}

/// What `hook install` is asked.
#[derive(Debug, Args)]
pub struct Install {
    /// Which settings file
    #[arg(long, value_enum, default_value_t)]
    pub scope: Scope,
    /// What waits for approval: all writes of memories, changes and deletions alone, or nothing
    #[arg(long, value_parser = mode, value_name = "all|changes|off", default_value = "all")]
    pub mode: Mode,
    /// The program that the hook calls [default: this one]
    #[arg(long, value_name = "FILE")]
    pub binary: Option<PathBuf>,
    /// One more directory of memories to look after
    #[arg(long, value_name = "DIR")]
    pub memory: Vec<PathBuf>,
    /// Extract what is worth remembering when a session ends, in the background, with the configured model command
    #[arg(long)]
    pub extract: bool,
    /// Change the file without asking, and with --extract allow the model command
    #[arg(long)]
    pub yes: bool,
}

/// What `hook remove` is asked.
#[derive(Debug, Args)]
pub struct Remove {
    /// Which settings file
    #[arg(long, value_enum, default_value_t)]
    pub scope: Scope,
    /// Change the file without asking
    #[arg(long)]
    pub yes: bool,
}

/// What `hook run` is told by the command in the settings.
#[derive(Debug, Args)]
pub struct Run {
    /// What waits for approval
    #[arg(long, value_parser = mode, value_name = "all|changes|off", default_value = "all")]
    pub mode: Mode,
    /// Where what waits is kept [default: memcurator in $XDG_STATE_HOME]
    #[arg(long, value_name = "DIR")]
    pub state: Option<PathBuf>,
    /// A directory whose */memory are stores [default: projects in the agent home]
    #[arg(long, value_name = "DIR")]
    pub projects: Vec<PathBuf>,
    /// A directory of memories
    #[arg(long, value_name = "DIR")]
    pub memory: Vec<PathBuf>,
}

/// What `hook ended` is told by the command in the settings.
#[derive(Debug, Args)]
pub struct Ended {
    /// Where what waits is kept [default: memcurator in $XDG_STATE_HOME]
    #[arg(long, value_name = "DIR")]
    pub state: Option<PathBuf>,
}

fn mode(word: &str) -> Result<Mode, String> {
    Mode::from_word(word).ok_or_else(|| "there are all, changes and off".to_owned())
}

//! The arguments of `stores`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What `stores` is asked.
#[derive(Debug, Args)]
pub struct Stores {
    /// What to do instead of listing them.
    #[command(subcommand)]
    pub command: Option<StoresCommand>,
}

/// What `stores` does.
#[derive(Debug, Subcommand)]
pub enum StoresCommand {
    /// Move memories to another store; their lines in the index and what is parked follow
    ///
    /// The files go as they are, to the byte, and keep their age. Where a file name is taken by another memory, they get one
    /// with a number. First they are in the other store, then they go here; each is a step of that store's history, and
    /// `memcurator undo` in either takes back both while they are the last step of each. As JSON: {done, id, from, to,
    /// memories: [{from, to, result, index_line}], notes, conflicts}; result is "moved", "renamed" or "there".
    Move(Transfer),
    /// Copy memories to another store; they stay here too
    ///
    /// As `stores move`; one step of the other store's history.
    Copy(Transfer),
    /// Move all memories of one store into another, as when a project has another directory now
    ///
    /// As `stores move`. What is no memory stays, the index too.
    Merge(Merge),
}

/// What `stores move` and `stores copy` are asked.
#[derive(Debug, Args)]
pub struct Transfer {
    /// A memory: its path in the store, a path from here, or its file's stem or name where that is unique
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The other store: its name as `memcurator stores` lists it (its end will do where only one ends so), agent:NAME for
    /// an agent's own memory, or a directory. The client has no store for all projects: what holds everywhere goes to
    /// `memcurator promote --to user`
    #[arg(long, value_name = "STORE", allow_hyphen_values = true)]
    pub to: String,
    /// Say what would be done and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// What `stores merge` is asked.
#[derive(Debug, Args)]
pub struct Merge {
    /// The store whose memories go: a name as `memcurator stores` lists it, or a directory
    #[arg(allow_hyphen_values = true)]
    pub from: String,
    /// The store that they go to
    #[arg(long, value_name = "STORE", allow_hyphen_values = true)]
    pub into: String,
    /// Say what would be done and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

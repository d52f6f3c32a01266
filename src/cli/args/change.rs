//! The arguments of the commands that change what memories say.

use clap::{ArgGroup, Args, ValueEnum};
use std::path::PathBuf;

/// What `edit` is asked.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("what").required(true).multiple(true))]
pub struct Edit {
    /// The memory: its path in the store, a path from here, or its file's stem or name where that is unique
    pub file: PathBuf,
    /// Give a key of the frontmatter another value; `metadata.KEY` is one under metadata, and a KEY alone is where it
    /// stands
    #[arg(long, value_name = "KEY=VALUE", group = "what", value_parser = pair)]
    pub set: Vec<(String, String)>,
    /// Take a key out of the frontmatter
    #[arg(long, value_name = "KEY", group = "what")]
    pub unset: Vec<String>,
    /// Give a part of the body (fact, why or how) another text, or add it; `why.2` is the second Why
    #[arg(long, value_name = "PART=TEXT", group = "what", value_parser = pair)]
    pub body_part: Vec<(String, String)>,
    /// What the change is: substance renews the age, a correction keeps it [default: as what was changed]
    #[arg(long, value_enum, value_name = "KIND")]
    pub kind: Option<Kind>,
}

/// What a change does to the age of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// What the memory says is new: its age starts again
    Substance,
    /// It says the same, better: its age stays
    Correction,
}

/// What `rename` is asked.
#[derive(Debug, Args)]
pub struct Rename {
    /// The memory: its path in the store, a path from here, or its file's stem or name where that is unique
    pub file: PathBuf,
    /// The new name of its file, with or without .md
    pub new: String,
    /// The new `name` in its frontmatter [default: the new file name where the name was the file name, else as it is]
    #[arg(long)]
    pub name: Option<String>,
}

/// What `merge` is asked.
#[derive(Debug, Args)]
pub struct Merge {
    /// The memory that stays
    pub keep: PathBuf,
    /// The memories that become part of it
    #[arg(required = true, value_name = "OTHER")]
    pub others: Vec<PathBuf>,
    /// The new body, from a file or (-) from standard input [default: all bodies, one after the other]
    #[arg(long, value_name = "FILE")]
    pub body: Option<PathBuf>,
}

/// What `new` is asked.
#[derive(Debug, Args)]
pub struct New {
    /// The fact, in a sentence or more; - reads it from standard input
    pub fact: String,
    /// Its type: user, feedback, project or reference
    #[arg(long = "type", value_name = "TYPE")]
    pub kind: String,
    /// Its name [default: the first words of the fact]
    #[arg(long)]
    pub name: Option<String>,
    /// Its description [default: the first line of the fact]
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    /// Why it is so
    #[arg(long, value_name = "TEXT")]
    pub why: Option<String>,
    /// How to apply it
    #[arg(long, value_name = "TEXT")]
    pub how: Option<String>,
    /// The name of its file, with or without .md [default: one that follows from its name]
    #[arg(long, value_name = "NAME")]
    pub file: Option<String>,
}

/// What `promote` is asked.
#[derive(Debug, Args)]
pub struct Promote {
    /// The memory: its path in the store, a path from here, or its file's stem or name where that is unique
    pub file: PathBuf,
    /// Where it goes: project or user (the CLAUDE.md there), rule:NAME (of the project) or user-rule:NAME. The user's files
    /// load in every project
    #[arg(long, value_name = "PLACE")]
    pub to: String,
    /// The text that is added there, from a file or (-) from standard input [default: the body as it is]
    #[arg(long, value_name = "FILE")]
    pub text: Option<PathBuf>,
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().into(), value.into())),
        _ => Err("wanted KEY=VALUE".into()),
    }
}

//! The arguments of `recall`.

use clap::Args;
use std::path::PathBuf;

/// What `recall` is asked.
#[derive(Debug, Args)]
pub struct Recall {
    /// What the agent is asked to do; - reads it from standard input
    #[arg(value_name = "QUERY")]
    pub query: String,
    /// A memory that the conversation was shown already: it is left out (can be repeated)
    #[arg(long, value_name = "FILE", num_args = 1)]
    pub shown: Vec<PathBuf>,
    /// A tool in recent use: reference material on it is left out, warnings about it are not (can be repeated)
    #[arg(long, value_name = "NAME", num_args = 1)]
    pub tool: Vec<String>,
    /// The most memories that are picked, 1 to 5
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=5))]
    pub most: u8,
    /// Pick here, also where a command is configured
    #[arg(long)]
    pub offline: bool,
    /// List every candidate, with its score and what was lacking
    #[arg(long)]
    pub all: bool,
    /// Print what a selector would be sent, and pick nothing
    #[arg(long, conflicts_with_all = ["inject", "all", "offline"])]
    pub prompt: bool,
    /// Print the text that the pick would bring into the conversation, with notes about age
    #[arg(long, conflicts_with = "all")]
    pub inject: bool,
}

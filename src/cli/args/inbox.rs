//! The arguments of the commands about proposals and about what others changed.

use crate::cli::args::transcripts::Recover;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What `propose` is asked.
#[derive(Debug, Args)]
pub struct Propose {
    /// Who proposes: a program's or an agent's name
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
    /// By which way it comes: propose, hook, extract or another word
    #[arg(long, value_name = "WORD", default_value = "propose")]
    pub origin: String,
    /// The client's session
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// The branch that the session was on
    #[arg(long, value_name = "NAME")]
    pub branch: Option<String>,
    /// Say what would wait and store nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// What `pending` does.
#[derive(Debug, Subcommand)]
pub enum Pending {
    /// List the proposals that wait, the oldest first, each with what the gate says
    ///
    /// As JSON: an array of {id, action, target, title, time, origin, reason, state, why, notes, gate}. state is "ready",
    /// "stale", "done" or "faulty"; gate is {mark, verdicts: [{question, mark, says, check, instead}], nearest: [{path, alike}]}.
    List(List),
    /// Show a proposal: what it would write, its diff, and what speaks for and against it
    ///
    /// As JSON: the object of `pending list` with {content, current, diff}.
    Show {
        /// The proposal: its id, the beginning of it, or its memory's file where that is unique
        id: String,
    },
    /// Approve proposals: the memory and its line of the index are written, each as one step of history
    ///
    /// As JSON: an array of {id, result, message, commit}; result is "approved", "done", "stale", "refused" or "faulty".
    Approve(Approve),
    /// Reject proposals; they are remembered, so that the same ones do not come back
    Reject(Reject),
    /// List the proposals that were rejected, the latest first
    Rejected,
    /// Take rejections back: the proposals wait again
    Restore {
        /// The ids
        #[arg(required = true, value_name = "ID")]
        ids: Vec<String>,
    },
    /// Make proposals of memory writes that sessions' transcripts show as refused
    ///
    /// So nothing is lost when a hook or a rule refused a write and nobody staged it. Each is offered once. As JSON:
    /// {proposals, lost, transcripts}: the objects of `propose`, and {file, why, session, tool_use_id} of what can't be put
    /// together any more.
    Recover(Recover),
    /// Print the directory of the queue, or the file that holds a proposal's text
    Path {
        /// The proposal
        id: Option<String>,
    },
}

/// What `pending list` is asked.
#[derive(Debug, Args)]
pub struct List {
    /// Print the number alone, and nothing when none waits: for shell prompts and status lines
    #[arg(long)]
    pub quiet: bool,
}

/// What `pending approve` is asked.
#[derive(Debug, Args)]
pub struct Approve {
    /// The proposals
    #[arg(value_name = "ID", required_unless_present = "all")]
    pub ids: Vec<String>,
    /// All that pass the gate
    #[arg(long, conflicts_with = "ids")]
    pub all: bool,
    /// Where the memory was changed since, put both changes together when they touch different lines
    #[arg(long)]
    pub merge: bool,
    /// Where the memory was changed since, replace it all the same; also what is not safe (a secret, hidden text)
    #[arg(long, conflicts_with = "merge")]
    pub anyway: bool,
}

/// What `pending reject` is asked.
#[derive(Debug, Args)]
pub struct Reject {
    /// The proposals
    #[arg(value_name = "ID", required_unless_present = "all")]
    pub ids: Vec<String>,
    /// All that wait
    #[arg(long, conflicts_with = "ids")]
    pub all: bool,
    /// Why, for the list of rejections
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
}

/// What `changes` is asked.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Changes {
    /// What to do with them instead of listing them.
    #[command(subcommand)]
    pub command: Option<ChangesCommand>,
    /// Show what changed, too
    #[arg(long)]
    pub diff: bool,
}

/// What `changes` does.
#[derive(Debug, Subcommand)]
pub enum ChangesCommand {
    /// Accept changes: from now on these files count as reviewed; nothing in the store changes
    Accept(Which),
    /// Bring the reviewed versions back, deleted memories and their lines of the index too
    Restore(Which),
    /// Take a change in part: the parts that are named stay, the others go back to what was there
    Take {
        /// The memory
        file: PathBuf,
        /// The parts, by the numbers that `changes --diff` gives them
        #[arg(long, value_name = "N", required = true, num_args = 1..)]
        hunk: Vec<usize>,
    },
    /// Start a review, or start it anew: the store as it is counts as reviewed
    Start {
        /// Nothing counts as reviewed: every memory is listed
        #[arg(long)]
        from_nothing: bool,
    },
}

/// Which changes are meant.
#[derive(Debug, Args)]
pub struct Which {
    /// The memories
    #[arg(value_name = "FILE", required_unless_present = "all")]
    pub files: Vec<PathBuf>,
    /// All of them
    #[arg(long, conflicts_with = "files")]
    pub all: bool,
}

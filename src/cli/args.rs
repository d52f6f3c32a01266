//! The command line: the one definition behind parsing, help, completions, the man page and `docs/CLI.md`.

pub mod change;
pub mod check;
pub mod hook;
pub mod inbox;
pub mod recall;
pub mod stores;
pub mod transcripts;

use crate::cli::learn::{InsideArgs, RunArgs};
use crate::cli::preview::PreviewArgs;
use crate::memory::{Time, dates};
use crate::shell::Print;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Review and curate what a coding agent remembers.
///
/// Without a command it opens the screens: on the store of the current project, on DIR, or on a list of the
/// stores that exist. Where the output is no terminal it prints the first screen as text.
#[derive(Debug, Parser)]
#[command(name = "memcurator", version, disable_help_subcommand = true, max_term_width = 100)]
#[command(after_long_help = EXIT_STATUS)]
pub struct Cli {
    /// A directory of memories, or of a project whose store is meant
    ///
    /// It is opened as a store when it holds MEMORY.md, or a Markdown file whose frontmatter has a name and besides
    /// a description or a type; else as a project. README.md, CLAUDE.md and documentation make
    /// no directory a store.
    pub dir: Option<PathBuf>,
    #[command(flatten)]
    /// The options that every command has.
    pub common: Common,
    /// What to do instead of opening the screens.
    #[command(subcommand)]
    pub command: Option<Command>,
}

const EXIT_STATUS: &str = "\
Exit status: 0 when all is well; 1 when there are findings, something was refused, or a file was changed by someone \
else meanwhile; 2 when the command could not run.";

/// The options that every command has.
#[derive(Debug, Clone, Default, Args)]
pub struct Common {
    /// Use this directory of memories, whatever it holds
    #[arg(long, global = true, value_name = "DIR")]
    pub store: Option<PathBuf>,
    /// Use the store of this project [default: the current directory's]; beside --store, look at that store with this project
    #[arg(long, global = true, value_name = "DIR")]
    pub project: Option<PathBuf>,
    /// Read this configuration file [default: memcurator/config.toml in $XDG_CONFIG_HOME]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// How to print: for people, or as JSON with stable names
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: Format,
    /// Replay these keys (`jj<enter>/foo<esc>`), print the last frame, and leave.
    #[arg(long, global = true, hide = true, value_name = "KEYS")]
    pub keys: Option<String>,
    /// The size of the frame that is printed.
    #[arg(long, global = true, hide = true, value_name = "COLSxROWS", value_parser = size)]
    pub size: Option<(u16, u16)>,
    /// Print the frame and leave.
    #[arg(long, global = true, hide = true, value_name = "FORM", value_parser = print)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    pub print: Option<Print>,
    /// Let the clock stand at this time.
    #[arg(long, global = true, hide = true, value_name = "TIME", value_parser = time)]
    pub now: Option<Time>,
}

/// How to print.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Human,
    /// JSON with stable names
    Json,
    /// `check` only: SARIF 2.1.0, for code scanning
    Sarif,
    /// `check` only: annotations of a GitHub workflow
    Github,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Open the screens on a built-in demo, in a temporary directory of its own
    ///
    /// Store, project, agent home, state and clock are made for it and are gone when it ends. Nothing of yours is
    /// read or written.
    Demo {
        /// 230 memories, and an index over both of the client's limits
        #[arg(long)]
        crowded: bool,
    },
    /// Lay out `.agent/` in the project: AGENT.md, memory/MEMORY.md, rules/, pending/; with --store, a missing index
    ///
    /// Makes what is not there and changes nothing that is; one step, which `memcurator undo` takes back. The project is the
    /// nearest directory with `.agent` in it, up to the repository's root, else that root. docs/AGENT-LAYOUT.md tells what
    /// the layout is. As JSON: {store, project, paths: [{path, result}], done, id, warnings, conflicts, opened_first}; result
    /// is "made", "would make" or "was there".
    Init(Init),
    /// List the memories of the store
    ///
    /// As JSON: an array of {path, name, description, type, age_days, age_from, bytes, indexed, loaded, findings}.
    /// age_from is "modified", "updatedAt" or "mtime"; findings is an array of {check, severity, line, message}. A memory
    /// whose frontmatter has createdAt, updatedAt, expiresAt, confidence, source, reason or application (docs/AGENT-LAYOUT.md)
    /// has them in an object `extra`.
    List,
    /// Say what is wrong with the memories of the store, worst first, with the evidence
    ///
    /// Looking changes nothing. As JSON: {findings: [{check, severity, memory, line, message, about, evidence: [{path, line,
    /// commit, text}], fix}], silenced, project, history}; severity is "error", "warning" or "info", fix is null or {kind, safe,
    /// before, after}. Exit status 1 when something is a warning or worse. docs/CHECKS.md describes every check.
    Check(check::Check),
    /// Tell what one memory claims, and whether each claim holds, with the evidence
    ///
    /// Paths, symbols, flags and settings are looked up in the project and its history, dates in the calendar, links and
    /// newer memories in the store. What the memory says of how to verify it is shown; nothing is run. Looking changes
    /// nothing. As JSON: {memory, claims: [{kind, what, line, verdict, note, check, evidence: [{path, line, commit,
    /// text}]}], holds, fails, unknown, project, history}; verdict is "holds", "fails" or "unknown", check is the id of
    /// the check that finds it wrong, or null. Exit status 1 when a claim fails.
    Verify(check::Verify),
    /// Show the text that the next session here gets, and what does not load and why
    ///
    /// Looking changes nothing. A store without a known project (--store DIR) shows its index alone. As JSON: {client,
    /// wording, memory_dir, index, sections, skipped, opened, budget, warnings, text, system}.
    Preview(Box<PreviewArgs>),
    /// Learn the installed client's own words, so that previews have them
    ///
    /// The client runs in throw-away homes on made-up content, against a server of memcurator on the loopback interface;
    /// nothing of yours is read or changed. What is learned is kept in the cache, for this client alone. As JSON:
    /// {client, learned, unknown, kept, sealed, seconds}. Exit status 1 when a text could not be learned that others have.
    Learn(RunArgs),
    /// Run one session inside of the sandbox.
    #[command(hide = true)]
    RunClient(InsideArgs),
    /// Delete memories, and their lines in the index
    ///
    /// Nothing is asked, since `memcurator undo` takes it back. What links to them is named.
    Delete(Files),
    /// Take memories out of the index; their files stay
    Park(Files),
    /// Put parked memories back into the index, where they stood
    Unpark(Files),
    /// Change fields and parts of a memory; no other byte changes
    ///
    /// All changes are one step. A change of body, type or date is substance and renews the age; one of name or
    /// description is a correction and keeps it.
    Edit(change::Edit),
    /// Say that memories still hold: their age starts again, their text stays
    Affirm(Files),
    /// Give a memory's file another name; its line in the index and the links to it follow
    Rename(change::Rename),
    /// Make several memories one; the index and the links to the others follow
    Merge(change::Merge),
    /// Write a new memory and its line in the index, as the store writes its memories
    New(change::New),
    /// Move a memory into the instructions: its text is added to a CLAUDE.md or a rule, the memory goes
    ///
    /// One step of history: `memcurator undo` takes both back. A CLAUDE.md that is a link is never written through. The
    /// client has no store for all projects: what holds in every one of them goes to the CLAUDE.md or a rule of your own
    /// (--to user, --to user-rule:NAME); what holds in one other project goes there with `memcurator stores move`.
    Promote(change::Promote),
    /// Propose memories, changes and deletions: they wait until a person approves them
    ///
    /// Reads standard input: JSON (one object, an array, or one object a line) or Markdown (memories, one after the
    /// other). All of it is looked at first; when something is wrong, nothing is stored. The store need not exist yet.
    /// docs/INBOX.md tells the format. As JSON: an array of {result, id, action, target, title, rejected_because,
    /// gate}; result is "queued", "waiting", "present" or "rejected". Exit status 1 when one was rejected before.
    Propose(inbox::Propose),
    /// Look at the proposals that wait, approve and reject them
    #[command(subcommand)]
    Pending(inbox::Pending),
    /// List what others changed in the store since the last review
    ///
    /// What memcurator does itself counts as reviewed. As JSON: {review, changes: [{change, path, from, title, time,
    /// session, branch, moved_to, index, findings, diff}]}; change is "added", "changed", "deleted", "renamed" or
    /// "index". Looking changes nothing; the screens start a review when they open a store for the first time.
    Changes(inbox::Changes),
    /// Let the client's own memory writes wait for approval: a hook in its settings
    ///
    /// docs/INBOX.md says what happens in each case, and how to take the hook out by hand.
    #[command(subcommand)]
    Hook(hook::Hook),
    /// Compare the index with the memories, and repair it
    #[command(subcommand)]
    Index(IndexCommand),
    /// Let a model find what is worth remembering in a session's transcript; what it finds waits in the inbox
    ///
    /// Needs `[model] command` in the configuration (docs/EXTRACT.md). The prompt goes to its standard input: our
    /// words, the names and descriptions of the memories, and the conversation without what tools said, secrets masked.
    /// As JSON: an array of {transcript, session, bytes, proposals, dropped: [{name, why}]}.
    Extract(transcripts::Extract),
    /// Tell which memories sessions have read, when last and how often, and whether the index loaded
    ///
    /// From the client's transcripts of this project, each byte of which is read once. As JSON: {memories: [{path,
    /// last_read, times, sessions, unused}], sessions: [{id, start, client, index}], sessions_in_all, notes}; index is
    /// "whole", "cut", "not at all" or "unknown".
    Usage(transcripts::Usage),
    /// Say which memories would be picked for a query, and why
    ///
    /// The pick is made from file, name, description, type and age; bodies are not read. It is made here, offline, or by
    /// the command under [recall] in the configuration, which gets the query and the list (docs/RECALL.md). As JSON: {query,
    /// by, picked: [..], candidates: [{path, name, description, type, age_days, score, fate, why, matches: [{term, fields,
    /// weight}]}], refused: [{file, why}], injection}. Exit status 0 also when nothing is picked.
    Recall(recall::Recall),
    /// Undo the last operation on the store, also one of another run
    Undo,
    /// Redo the operation that was undone last
    Redo,
    /// Tell what was done to the store, the latest first
    Log,
    /// Look after the history of the store
    #[command(subcommand)]
    History(History),
    /// List the stores in the agent home, agents' own memories and the project's `.agent/memory`; move, copy, merge
    ///
    /// As JSON: an array of {dir, project, memories, bytes, newest}; project is the store's name, agent:NAME for an agent's own
    /// memory.
    Stores(stores::Stores),
    /// Answer the API's memory tool: a JSON object a line on standard input, one on standard output
    ///
    /// The six commands of memory_20250818 (view, create, str_replace, insert, delete, rename) on the directory that
    /// --store names, which the model sees as /memories. Each answer is {content, is_error}. What a command replaces or
    /// removes is kept in the store's history. With --stage each file that it would write, remove or rename becomes a
    /// proposal of the inbox, as its agent wrote it, and no line of the index goes with it.
    MemoryTool {
        /// Let what is written wait in the inbox for a person's yes; the agent sees it as if it were written
        #[arg(long)]
        stage: bool,
    },
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the man page (of a command)
    Man {
        /// The command whose page is wanted
        command: Option<String>,
    },
}

/// The memories that a command is about.
#[derive(Debug, Clone, Args)]
pub struct Files {
    /// A memory: its path in the store, a path from here, or its file's stem or name where that is unique
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// What `init` is asked.
#[derive(Debug, Args)]
pub struct Init {
    /// Say what would be made and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// What `index` does.
#[derive(Debug, Subcommand)]
pub enum IndexCommand {
    /// Tell how much of the index loads, which memories are not seen, and what is wrong with its lines
    ///
    /// As JSON: {index: {lines, units, kept_lines, kept_units, max_lines, max_units, fits, room, not_seen}, findings,
    /// long}. Exit status 1 when there is something to repair.
    Check,
    /// Repair the index, as one step that `memcurator undo` takes back
    ///
    /// Says how much of the index loads before and after, and whether it is over a limit afterwards. Nothing is asked.
    Fix(FixArgs),
}

/// What `index fix` is asked.
#[derive(Debug, Args)]
pub struct FixArgs {
    /// The repairs.
    #[command(flatten)]
    pub what: Repairs,
    /// Say what would be done and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// The repairs of `index fix`: at least one of them.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub struct Repairs {
    /// A line for each memory that no line names; what is parked or listed by an archive is left out
    #[arg(long)]
    pub add_orphans: bool,
    /// Take out lines that name memories which are not there
    #[arg(long)]
    pub drop_dangling: bool,
    /// Take out later lines about a memory that an earlier one names
    #[arg(long)]
    pub remove_duplicates: bool,
    /// Propose shorter forms of long lines; writes nothing
    #[arg(long)]
    pub shorten: bool,
    /// Write a line: its number in the file and its text; it must go on naming the same memories
    #[arg(long, value_name = "N=TEXT", allow_hyphen_values = true)]
    pub line: Vec<String>,
    /// Move the lines of these memories up, so that they load
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub move_up: Vec<PathBuf>,
    /// Write the index anew from the memories: a heading for each type, the newest first
    #[arg(long)]
    pub rebuild: bool,
}

/// What `history` does.
#[derive(Debug, Subcommand)]
pub enum History {
    /// Remove content from the history for good, as for a secret
    ///
    /// What is removed can't be undone any more. On a terminal it asks first.
    Purge(Purge),
}

/// What `history purge` is asked.
#[derive(Debug, Args)]
pub struct Purge {
    /// What it removes.
    #[command(flatten)]
    pub what: What,
    /// Don't ask
    #[arg(long)]
    pub yes: bool,
}

/// What `history purge` removes: one of these.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct What {
    /// All that the history holds of this file (which may be deleted by now)
    pub file: Option<PathBuf>,
    /// Everything before this date (2026-03-05) or time (2026-03-05T10:00:00Z)
    #[arg(long, value_name = "DATE", value_parser = time)]
    pub before: Option<Time>,
    /// The whole history
    #[arg(long)]
    pub all: bool,
}

fn size(text: &str) -> Result<(u16, u16), String> {
    let parsed = text.split_once('x').and_then(|(columns, rows)| {
        let size: (u16, u16) = (columns.parse().ok()?, rows.parse().ok()?);
        (size.0 > 0 && size.1 > 0).then_some(size)
    });
    parsed.ok_or_else(|| "wanted COLUMNSxROWS, such as 120x40".into())
}

fn print(text: &str) -> Result<Print, String> {
    match text {
        "text" => Ok(Print::Text),
        "svg" => Ok(Print::Svg),
        _ => Err("wanted text or svg".into()),
    }
}

fn time(text: &str) -> Result<Time, String> {
    dates::parse(text).ok_or_else(|| "wanted 2026-03-05 or 2026-03-05T10:00:00Z".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_holds_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn what_is_parsed() {
        let cli = Cli::try_parse_from(["memcurator", "x", "--size", "80x24", "--print=svg", "--keys", "jj"])
            .unwrap();
        assert_eq!(cli.dir.as_deref(), Some(std::path::Path::new("x")));
        assert_eq!((cli.common.size, cli.common.print), (Some((80, 24)), Some(Print::Svg)));
        let cli = Cli::try_parse_from(["memcurator", "list", "--store", "s", "--print"]).unwrap();
        assert!(matches!(cli.command, Some(Command::List)));
        assert_eq!(cli.common.print, Some(Print::Text));
        Cli::try_parse_from(["memcurator", "history", "purge", "--all", "--yes"]).unwrap();
        for bad in [
            &["memcurator", "history", "purge", "--yes"][..],
            &["memcurator", "--size", "0x4"],
            &["memcurator", "--now", "soon"],
            &["memcurator", "delete"],
            &["memcurator", "history", "purge"],
            &["memcurator", "history", "purge", "a.md", "--all"],
            &["memcurator", "list", "--format", "xml"],
        ] {
            assert!(Cli::try_parse_from(bad).is_err(), "{bad:?}");
        }
    }
}

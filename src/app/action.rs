//! What comes in (actions) and what goes out (effects).

use crate::app::commands::Command;
use crate::app::contents::Contents;
use crate::app::deep;
use crate::app::inbox::{self, Act, Gated, Waits};
use crate::app::key::Key;
use crate::app::model::Problem;
use crate::app::moving;
use crate::app::order::Order;
use crate::app::preview::page::Page;
use crate::app::preview::report::Kind;
use crate::app::query::Query;
use crate::app::recall;
use crate::app::verify;
use crate::check::Silence;
use crate::memory::Time;
use crate::memory::path::RelPath;
use crate::prompt::locate::FoundStore;
use crate::prompt::recall::answer::Answer;
use crate::prompt::subject::Subject;
use crate::prompt::usage::Usage;
use crate::review::draft::Draft;
use crate::review::index_fix::{Fix, Fixed};
use crate::review::moving::Transfer;
use crate::review::plan::Plan;
use crate::review::proposal::Proposal;
use std::path::PathBuf;
use std::sync::Arc;

/// Something that `update` answers to.
#[derive(Debug)]
pub enum Action {
    /// A key was pressed; the keymap says what it means where the person is.
    Key(Key),
    /// A command was chosen by name.
    Do(Command),
    /// Text was pasted: never taken for commands.
    Paste(String),
    /// Something was done with the mouse.
    Mouse(Mouse),
    /// A store is opened.
    OpenStore(PathBuf),
    /// A worker has something to say.
    Outcome(Outcome),
}

/// Something done with the mouse, at a column and row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mouse {
    /// A click.
    Click(u16, u16),
    /// The second of two quick clicks on the same cell.
    DoubleClick(u16, u16),
    /// The wheel, so many lines down (up, when negative).
    Wheel(u16, u16, isize),
}

/// Something for the shell to do.
#[derive(Debug)]
pub enum Effect {
    /// Read a store: [`Outcome::Reading`] now and then, and [`Outcome::Loaded`].
    Load(PathBuf),
    /// Run all checks: [`Outcome::Checking`] now and then, and [`Outcome::Checked`].
    Check(deep::Asked),
    /// Void the questions to the checks before this number.
    StopChecks(u64),
    /// Look up what a memory claims: [`Outcome::Verifying`] now and then, and [`Outcome::Verified`] twice at most, what is known at once first.
    Verify(verify::Asked),
    /// Void the questions about claims before this number.
    StopVerify(u64),
    /// Silence findings of the open store, or report them again: [`Outcome::Applied`].
    Hush {
        /// What is no longer silenced.
        remove: Vec<Silence>,
        /// What is silenced.
        add: Vec<Silence>,
        /// What this is, in words.
        words: String,
    },
    /// Silence a check for good, in the configuration: [`Outcome::Applied`].
    HushForGood(String),
    /// Read what waits, and let the gate look: [`Outcome::Inbox`], then [`Outcome::Gated`] now and then.
    ReadInbox(inbox::Asked),
    /// Rank the memories for a query: [`Outcome::Recalled`].
    Recall(recall::Asked),
    /// Rank one memory for queries, as it is and with another description: [`Outcome::Tried`].
    Try(recall::TryAsked),
    /// Ask the person's model command: [`Outcome::StillPicking`] now and then, and [`Outcome::ModelPicked`].
    AskModel(recall::ModelAsked),
    /// Call that off.
    CallOffModel,
    /// Carry out what was decided on what waits: [`Outcome::Applied`].
    Decide(Box<Act>),
    /// Match every entry: [`Outcome::Filtered`], unless a later question came meanwhile.
    Filter(Question),
    /// Carry out a plan on the open store: [`Outcome::Applied`].
    Apply(Box<Plan>),
    /// Plan an order on these contents, and carry it out: [`Outcome::Applied`].
    Carry(Arc<Contents>, Box<Order>),
    /// Look whether a store is still as it was read: [`Outcome::Looked`].
    Look(PathBuf),
    /// Undo the last operation on the open store: [`Outcome::Applied`].
    Undo,
    /// Redo what was undone last: [`Outcome::Applied`].
    Redo,
    /// Look for stores: [`Outcome::Stores`].
    FindStores,
    /// Work out what the next session gets: [`Outcome::Previewing`] now and then, and [`Outcome::Previewed`].
    Preview(Asked),
    /// Work out what the plan would change in what the next session gets: [`Outcome::Compared`].
    Compare(Asked, Box<Plan>),
    /// Run the installed client and compare what it sends: [`Outcome::Proved`].
    Prove(Asked),
    /// Call that run off.
    CancelProof,
    /// Plan repairs of the index at that time: [`Outcome::FixPlanned`].
    PlanFix(Arc<Contents>, Vec<Fix>, Time),
    /// Plan what goes from one store to another: [`Outcome::MovePlanned`].
    PlanMove(moving::Asked),
    /// Carry out what goes from one store to another: [`Outcome::Applied`].
    Move(Box<Transfer>),
    /// Search a preview: [`Outcome::Found`].
    Search(u64, Arc<Page>, String),
    /// Read a file to show it: [`Outcome::FileRead`].
    ReadFile(PathBuf),
    /// Save text to a file that must not exist yet and must not lie in the store: [`Outcome::Saved`].
    Save {
        /// The path as a person typed it.
        path: String,
        /// From where it is meant.
        base: PathBuf,
        /// The open store.
        store: Option<PathBuf>,
        /// The text.
        text: String,
    },
    /// Put text on the clipboard.
    Copy(String),
    /// Keep unsaved text of the store at this real path; soon, since more of it may come at once.
    KeepDraft(PathBuf, Box<Draft>),
    /// Forget the unsaved text of a memory.
    DropDraft(PathBuf, RelPath),
    /// Read in transcripts what sessions made of the memories of the store at this path: [`Outcome::UsageRead`].
    ReadUsage(PathBuf),
    /// Look for unsaved text of the store at this real path: [`Outcome::Drafts`].
    FindDrafts(PathBuf),
    /// Run the person's own editor on a private copy: [`Outcome::Outside`].
    EditOutside(Outside),
    /// Give the terminal to the person's own editor, on a file of theirs at a line (from 1):
    /// [`Outcome::FileEdited`].
    EditFile(PathBuf, usize),
    /// Look at the private copy again: [`Outcome::Outside`].
    ReadOutside,
    /// Put the program to sleep.
    Suspend,
    /// Leave.
    Quit,
}

/// What the preview worker is asked.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Its number; a later one makes it void.
    pub number: u64,
    /// What to preview.
    pub subject: Subject,
    /// Files that the agent is taken to open.
    pub open: Vec<PathBuf>,
    /// Proposals that are taken as if they were approved.
    pub as_if: Vec<Arc<Proposal>>,
}

/// What the filter worker is asked.
#[derive(Debug, Clone)]
pub struct Question {
    /// Its number; a later one makes it void.
    pub number: u64,
    /// What to match.
    pub query: Arc<Query>,
    /// On what.
    pub contents: Arc<Contents>,
    /// Only these entries can match; `None`: all.
    pub within: Option<Arc<Vec<usize>>>,
}

/// What a worker says.
#[derive(Debug)]
pub enum Outcome {
    /// So many files of a store are read.
    Reading(PathBuf, usize),
    /// A store was read, or not.
    Loaded(PathBuf, Result<Arc<Contents>, Problem>),
    /// How far the checks of a numbered question are.
    Checking(u64, deep::Progress),
    /// The contents of a numbered question with all findings, or why not.
    Checked(u64, Result<Arc<Contents>, Problem>),
    /// How far the look at the claims of a numbered question is.
    Verifying(u64, deep::Progress),
    /// What is known of the claims of a numbered question, or why nothing is.
    Verified(u64, Result<verify::Told, Problem>),
    /// What waits, for a numbered question, or why it can't be read.
    Inbox(u64, Result<Arc<Waits>, Problem>),
    /// What the gate says of some proposals, for a numbered question.
    Gated(u64, Gated),
    /// Which memories would be picked, for a numbered question, or why that is not known.
    Recalled(u64, Result<Arc<recall::Found>, Problem>),
    /// Where one memory stands for queries, for a numbered question.
    Tried(u64, Result<recall::Tried, Problem>),
    /// The model works on a numbered question still.
    StillPicking(u64),
    /// What the model picked, for a numbered question, or why nothing came of it.
    ModelPicked(u64, Result<Answer, Problem>),
    /// The entries that match a numbered question, in their order.
    Filtered(u64, Arc<Query>, Arc<Vec<usize>>),
    /// A numbered question could not be answered.
    FilterFailed(u64, Problem),
    /// Something in the store at this path changed, perhaps by ourselves.
    Changed(PathBuf),
    /// A proposal for the store at this path came or went, perhaps by ourselves.
    Proposed(PathBuf),
    /// What sessions made of the memories of a store; `None`: it could not be found out.
    UsageRead(PathBuf, Option<Arc<Usage>>),
    /// A store was looked at; `None`: it is as it was read.
    Looked(PathBuf, Option<Arc<Contents>>),
    /// An operation was carried out, or not; `None`: there was nothing to undo or redo.
    Applied(Result<Option<Done>, Problem>),
    /// The stores on this machine.
    Stores(Vec<FoundStore>),
    /// So many files were looked at for a numbered preview.
    Previewing(u64, usize),
    /// A numbered preview was made, or not.
    Previewed(u64, Result<Arc<Page>, Problem>),
    /// What a plan would change in what the next session gets.
    Compared(Result<Vec<(Kind, String)>, Problem>),
    /// What came of a proof, line by line, or why nothing did.
    Proved(Result<Vec<(Kind, String)>, Problem>),
    /// What repairs of the index would do, or why not.
    FixPlanned(Result<Box<Fixed>, Problem>),
    /// What would go from one store to another, or why nothing can.
    MovePlanned(moving::Asked, Result<Box<Transfer>, Problem>),
    /// The lines where a numbered search found something.
    Found(u64, Arc<Vec<usize>>),
    /// The person's own editor came back from a file of theirs.
    FileEdited(PathBuf, Result<(), Problem>),
    /// A file was read: its lines, safe to show.
    FileRead(PathBuf, Result<Arc<Vec<String>>, Problem>),
    /// Text was saved, to which file.
    Saved(Result<PathBuf, Problem>),
    /// Text could not be put on the clipboard.
    CopyFailed(Problem),
    /// Something to know about the store that was just read; it is no hindrance.
    Noted(Problem),
    /// The unsaved text of earlier times of the store at this real path.
    Drafts(PathBuf, Vec<Draft>),
    /// Unsaved text could not be kept or read.
    DraftFailed(Problem),
    /// How it ended with the person's own editor.
    Outside(OutsideEnd),
}

/// A file for the person's own editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outside {
    /// Which memory.
    pub path: RelPath,
    /// Its bytes.
    pub bytes: Arc<[u8]>,
    /// The line to start at, from 1.
    pub line: usize,
}

/// How it ended with the person's own editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutsideEnd {
    /// The copy was changed to these bytes.
    Changed(Vec<u8>),
    /// It was not changed.
    Unchanged,
    /// It was not changed, and the program ended at once: it may have opened a window of its own.
    AtOnce,
    /// The program could not be run, or failed; what it had saved in the copy before, when it changed it.
    Failed(Problem, Option<Vec<u8>>),
}

/// An operation that was carried out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Done {
    /// What was done, in words.
    pub message: String,
    /// What someone else changed meanwhile, and what became of it.
    pub conflicts: Vec<String>,
    /// What the person should know of it besides.
    pub notes: Vec<String>,
}

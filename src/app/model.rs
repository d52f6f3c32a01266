//! What the screens know. Everything that `view` shows and `update` decides by is here.

use crate::app::action::Outside;
use crate::app::board::Board;
use crate::app::contents::{Contents, Entry};
use crate::app::deep::Progress;
use crate::app::editor::Editor;
use crate::app::field::Field;
use crate::app::inbox::Desk;
use crate::app::key::Key;
use crate::app::keymap::Keymap;
use crate::app::layout::Layout;
use crate::app::list::List;
use crate::app::moving::Moving;
use crate::app::preview::Prompt;
use crate::app::preview::report::Report;
use crate::app::recall::{Finder, Picking};
use crate::app::sheet::Sheet;
use crate::app::verify::Verify;
use crate::app::walk::Walk;
pub use crate::app::work::{Job, Problem, Save, Work};
use crate::check::{Finding, Silence};
use crate::memory::Time;
use crate::memory::path::RelPath;
use crate::prompt::locate::FoundStore;
use crate::prompt::usage::Usage;
use crate::review::draft::Draft;
use crate::review::index_state::IndexState;
use crate::review::promote::Roots;
use crate::review::proposal::Proposal;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the screens know.
#[derive(Debug)]
pub struct Model {
    /// The time now.
    pub now: Time,
    /// What the header says after the program's name, when the session names it.
    pub title: Option<String>,
    /// Which key does what.
    pub keymap: Keymap,
    /// The screen that is shown.
    pub screen: Screen,
    /// What keys mean at the moment.
    pub mode: Mode,
    /// The store that is open.
    pub library: Library,
    /// The Prompt screen.
    pub prompt: Prompt,
    /// The stores to choose from.
    pub stores: Stores,
    /// The deep checks, which a worker runs.
    pub checking: Checking,
    /// The number of the latest question to the worker of the Inbox; answers to earlier ones are dropped.
    pub inbox_asked: u64,
    /// What the Recall screen needs that outlives a store.
    pub recall: Recalling,
    /// The memory that is verified, claim by claim.
    pub verify: Verify,
    /// The walk through the worst; it takes the place of the list.
    pub walk: Option<Walk>,
    /// What happened last.
    pub message: Option<Message>,
    /// What is being done on the disk.
    pub work: Work,
    /// The memory that is being edited; it takes the place of the list.
    pub editor: Option<Box<Editor>>,
    /// The memory that is open in the person's own editor.
    pub outside: Option<Outside>,
    /// The small form that is open; it takes the place of the list.
    pub sheet: Option<Box<Sheet>>,
    /// Where the instructions are that a memory can be promoted to.
    pub roots: Roots,
    /// Keys that came while the filter was at work: they act on the rows that it will show.
    pub held: VecDeque<Key>,
    /// Where things are on the screen, as drawn last.
    pub layout: Layout,
}

/// The screens. Their numbers are their keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    /// The memories of the open store.
    Memories,
    /// The text that the next session gets.
    Prompt,
    /// What waits for the person: proposals and changes.
    Inbox,
    /// What is wrong with the memories of the open store.
    Checks,
    /// The stores on this machine.
    Stores,
    /// Which memories would be picked for a query, and why.
    Recall,
}

/// What keys mean at the moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mode {
    /// Commands.
    Browse,
    /// The filter is being typed.
    Filter(Field),
    /// What the Recall screen asks is being typed.
    Query(Typing),
    /// A question waits for y, n or Esc.
    Question(Question),
    /// Something is being typed on the line above the list.
    Input(Input),
    /// A window of lines to read.
    Report(Report),
    /// How a finding is silenced is chosen.
    Silence(Box<Finding>),
    /// Where memories go is chosen.
    Moving(Box<Moving>),
    /// Into which of the nearest memories a proposal is merged is chosen.
    Nearest(Box<Nearest>),
    /// Help, filtered by what is typed.
    Help {
        /// What is typed.
        field: Field,
        /// The first line shown.
        scroll: usize,
    },
    /// The palette of all commands.
    Palette {
        /// What is typed.
        field: Field,
        /// Which of the commands that match is chosen.
        chosen: usize,
    },
}

/// A query that is being typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Typing {
    /// What is typed.
    pub field: Field,
    /// How many queries back the field shows; 0: what was typed.
    pub back: usize,
    /// What was typed before an earlier query was brought back.
    pub typed: String,
}

/// What the Recall screen needs that outlives a store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recalling {
    /// The number of the latest question to its worker.
    pub asked: u64,
    /// How a model is asked.
    pub picking: Picking,
    /// Queries that are offered to begin with.
    pub offered: Vec<String>,
}

/// The memories that a proposal may be merged into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearest {
    /// The proposal.
    pub proposal: Arc<Proposal>,
    /// The memories, the nearest first, each with what both say, safe to show.
    pub near: Vec<(RelPath, String)>,
    /// Which of them is chosen.
    pub chosen: usize,
}

/// Something that is being typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// What for.
    pub what: Wanted,
    /// What is typed.
    pub field: Field,
}

/// What something is typed for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// To search the prompt.
    Search,
    /// The file that the agent is taken to open.
    Opened,
    /// Where the prompt is saved.
    Save,
    /// What a line of the index says (the line from 0).
    IndexLine(usize),
    /// Until when nothing is said about a memory.
    Snooze(RelPath),
    /// Which tools the agent used a moment ago.
    Tools,
    /// Another query that a description is tried on.
    TryQuery,
}

/// A question before something is done to several memories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// What is asked.
    pub ask: String,
    /// Every memory concerned, a line each, safe to show.
    pub lines: Vec<String>,
    /// The first line shown.
    pub scroll: usize,
    /// What `y` does.
    pub job: Job,
}

/// The store that is open.
#[derive(Debug)]
pub enum Library {
    /// None.
    Closed,
    /// It is being read for the first time.
    Loading {
        /// Its directory.
        dir: PathBuf,
        /// How many files are read.
        read: usize,
    },
    /// It could not be read.
    Failed {
        /// Its directory.
        dir: PathBuf,
        /// What happened.
        problem: Problem,
    },
    /// It is open.
    Open(Box<Open>),
}

/// An open store.
#[derive(Debug)]
pub struct Open {
    /// Its directory, as it was asked for.
    pub dir: PathBuf,
    /// What it holds.
    pub contents: Arc<Contents>,
    /// The list.
    pub list: List,
    /// The memory beside the list.
    pub pane: Pane,
    /// Where following links came from.
    pub trail: Vec<RelPath>,
    /// What sessions made of the memories, as soon as it is known.
    pub usage: Option<Arc<Usage>>,
    /// Unsaved text of an earlier time.
    pub drafts: BTreeMap<RelPath, Draft>,
    /// What deleting or parking what is marked would do to the index.
    pub what_if: Option<WhatIf>,
    /// What commands act on.
    pub acts_on: ActsOn,
    /// The Checks screen.
    pub board: Board,
    /// The Inbox screen.
    pub inbox: Desk,
    /// The Recall screen.
    pub finder: Finder,
    /// Esc leads from the memory back to this screen.
    pub back_to: Option<Screen>,
    /// What was silenced last, and not followed by another change: `u` takes it back.
    pub hushed: Vec<(Vec<Silence>, Vec<Silence>)>,
}

/// What commands about memories act on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ActsOn {
    /// What is marked in the list, else what is under its cursor.
    #[default]
    List,
    /// The memory that the screen is about, whatever is marked; `None`: nothing is there.
    Only(Option<RelPath>),
}

/// The deep checks, which a worker runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checking {
    /// The number of the latest question; answers to earlier ones are dropped.
    pub asked: u64,
    /// A project against which the store in that directory is checked, instead of its own.
    pub against: Option<(PathBuf, PathBuf)>,
    /// How far the worker is; `None`: it has nothing to do.
    pub progress: Option<Progress>,
}

/// What deleting or parking what is marked would do to the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhatIf {
    /// What is marked.
    pub marked: BTreeSet<RelPath>,
    /// The index without it; `None`: no line would go, or the index is too large to try at every key.
    pub after: Option<IndexState>,
}

/// The memory beside the list.
#[derive(Debug, Clone, Default)]
pub struct Pane {
    /// What keys go to.
    pub focus: Focus,
    /// Which memory the rest is about.
    pub of: Option<RelPath>,
    /// The first line shown.
    pub scroll: Scroll,
    /// The link that is chosen, counted over links out, then in.
    pub link: Option<usize>,
    /// How the memory is shown; it stays so from memory to memory.
    pub view: PaneView,
}

/// How a memory is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PaneView {
    /// As a person reads it.
    #[default]
    Reads,
    /// As the agent sees it when it reads the file.
    Agent,
}

/// What keys go to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Focus {
    /// The list.
    #[default]
    List,
    /// The memory beside it.
    Memory,
    /// The memory over the whole width.
    Full,
}

/// Where the memory's text is scrolled to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Scroll {
    /// To the top, or to the first match of the filter.
    #[default]
    Auto,
    /// To a line.
    At(usize),
}

/// The stores to choose from.
#[derive(Debug, Default)]
pub struct Stores {
    /// What was found; `None` until a worker has looked.
    pub found: Option<Vec<FoundStore>>,
    /// The one under the cursor, counted over those shown.
    pub cursor: usize,
    /// What is typed to filter them.
    pub filter: String,
    /// Whether a worker looks.
    pub looking: bool,
    /// Whether something changed since it began, so that it must look again.
    pub changed: bool,
}

impl Stores {
    /// The stores that match the filter: all its words, in the name of the project or the directory.
    #[must_use]
    pub fn shown(&self) -> Vec<&FoundStore> {
        let words: Vec<String> = self.filter.split_whitespace().map(str::to_lowercase).collect();
        let matches = |store: &&FoundStore| {
            let text = format!("{} {}", store.slug, store.dir.display()).to_lowercase();
            words.iter().all(|word| text.contains(word.as_str()))
        };
        self.found.iter().flatten().filter(matches).collect()
    }
}

/// What is said on the line above the footer until the next key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// How it went.
    pub tone: Tone,
    /// In words, safe to show.
    pub text: String,
}

/// How something went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Done.
    Good,
    /// Nothing was done, or it was done with something to know.
    Note,
    /// It failed.
    Bad,
}

impl Model {
    /// A model with nothing open.
    #[must_use]
    pub fn new(now: Time, keymap: Keymap) -> Self {
        Self {
            now,
            title: None,
            keymap,
            screen: Screen::Memories,
            mode: Mode::Browse,
            library: Library::Closed,
            prompt: Prompt::default(),
            stores: Stores::default(),
            checking: Checking::default(),
            inbox_asked: 0,
            recall: Recalling::default(),
            verify: Verify::default(),
            walk: None,
            message: None,
            work: Work::default(),
            editor: None,
            outside: None,
            sheet: None,
            roots: Roots::default(),
            held: VecDeque::new(),
            layout: Layout::default(),
        }
    }

    /// The open store.
    #[must_use]
    pub fn open(&self) -> Option<&Open> {
        match &self.library {
            Library::Open(open) => Some(open),
            _ => None,
        }
    }

    /// The open store, to change what is shown of it.
    pub fn open_mut(&mut self) -> Option<&mut Open> {
        match &mut self.library {
            Library::Open(open) => Some(open),
            _ => None,
        }
    }

    /// The entry under the cursor.
    #[must_use]
    pub fn current(&self) -> Option<&Entry> {
        self.open().and_then(Open::current)
    }

    /// The directory of the store that is open or being opened.
    #[must_use]
    pub fn dir(&self) -> Option<&Path> {
        match &self.library {
            Library::Closed => None,
            Library::Loading { dir, .. } | Library::Failed { dir, .. } => Some(dir),
            Library::Open(open) => Some(&open.dir),
        }
    }

    /// Says what happened.
    pub fn say(&mut self, tone: Tone, text: impl AsRef<str>) {
        self.message = Some(Message { tone, text: crate::app::contents::one_line(text.as_ref()) });
    }

    /// Says what failed and what to do next.
    pub fn say_problem(&mut self, problem: &Problem) {
        self.say(Tone::Bad, problem.to_string());
    }
}

impl Open {
    /// When sessions read a memory, in words; `None` where no session is recorded.
    #[must_use]
    pub fn recalled(&self, entry: &Entry, now: Time) -> Option<String> {
        let usage = self.usage.as_ref().filter(|usage| !usage.sessions.is_empty())?;
        let age = entry.age.as_ref().filter(|_| entry.is_memory())?;
        Some(usage.words(&entry.path, age.since, now))
    }

    /// The entry under the cursor.
    #[must_use]
    pub fn current(&self) -> Option<&Entry> {
        self.contents.entries.get(self.current_at()?)
    }

    /// Its place in [`Contents::entries`].
    #[must_use]
    pub fn current_at(&self) -> Option<usize> {
        match &self.acts_on {
            ActsOn::List => self.list.current(),
            ActsOn::Only(path) => self.contents.find(path.as_ref()?),
        }
    }

    /// What is marked, where marks count.
    #[must_use]
    pub fn marked(&self) -> BTreeSet<RelPath> {
        match self.acts_on {
            ActsOn::List => self.list.marked(&self.contents),
            ActsOn::Only(_) => BTreeSet::new(),
        }
    }

    /// Whether anything is marked, where marks count.
    #[must_use]
    pub fn has_marks(&self) -> bool {
        self.acts_on == ActsOn::List && self.list.has_marks(&self.contents)
    }
}

//! The Prompt screen: what it knows. The text and the list of sources are worked out on a worker ([`page`]).

pub mod page;
pub mod report;
pub mod rows;
pub mod search;

use crate::app::model::Problem;
use crate::check::Severity;
use crate::prompt::subject::Subject;
use page::Page;
use search::Search;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// What the Prompt screen knows.
#[derive(Debug, Default)]
pub struct Prompt {
    /// What sessions of the store are that the screens were started on, with its directory.
    pub known: Option<(PathBuf, Subject)>,
    /// The number of the latest question; answers to earlier ones are dropped.
    pub asked: u64,
    /// The number of the question that was answered last.
    pub got: u64,
    /// How many files were read for the question that waits.
    pub read: usize,
    /// What the last answer was about.
    pub of: Option<Subject>,
    /// The last answer.
    pub page: Option<Arc<Page>>,
    /// Why the last question was not answered.
    pub problem: Option<Problem>,
    /// What keys go to.
    pub part: Part,
    /// The row under the cursor in the list of sources.
    pub row: usize,
    /// The line under the cursor in the text.
    pub line: usize,
    /// The first line shown of the text.
    pub top: usize,
    /// What is searched for.
    pub search: Option<Search>,
    /// Files that the agent is taken to open.
    pub open: Vec<PathBuf>,
    /// The prompt is shown as if all proposals that pass the gate were approved.
    pub as_if: bool,
    /// Lines of the index that name a memory on which something is found, with the worst of it.
    pub flags: BTreeMap<usize, Severity>,
    /// The installed client runs for a proof.
    pub proving: bool,
    /// It was said that the client's words can be learned.
    pub offered: bool,
}

/// What keys go to on the Prompt screen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Part {
    /// The list of sources.
    #[default]
    Sources,
    /// The text.
    Text,
    /// A file over the whole width.
    File(FileView),
}

/// A file that is looked at, read only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileView {
    /// Which file.
    pub path: PathBuf,
    /// Its lines, safe to show; `None` until a worker has read it.
    pub lines: Option<Arc<Vec<String>>>,
    /// The first line shown.
    pub scroll: usize,
    /// The text of the line that it was jumped to from: it scrolls there when it is read.
    pub seek: String,
    /// Esc goes back to the text, not to the list.
    pub from_text: bool,
}

impl Prompt {
    /// A worker still owes the answer.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.got != self.asked
    }

    /// The row of the list under the cursor.
    #[must_use]
    pub fn current(&self) -> Option<&rows::Entry> {
        match self.page.as_ref()?.rows.get(self.row)? {
            rows::Row::Entry(entry) => Some(entry),
            rows::Row::Head(_) => None,
        }
    }
}

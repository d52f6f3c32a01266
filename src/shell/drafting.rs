//! The worker that keeps unsaved text: a moment after the last key, and at once when the program ends.

use crate::app::action::{Effect, Outcome};
use crate::app::model::Problem;
use crate::memory::path::RelPath;
use crate::review::draft::Draft;
use crate::shell::worker::{Report, guarded, spawn, tell};
use crate::store::{Drafts, Places, StoreError};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Text is kept when nothing was typed for so long.
const QUIET: Duration = Duration::from_millis(250);
/// It is kept after so long in any case.
const AT_MOST: Duration = Duration::from_secs(1);
/// How long the end of the program waits for it.
const PATIENCE: Duration = Duration::from_secs(3);

enum Task {
    Keep(PathBuf, Box<Draft>),
    Drop(PathBuf, RelPath),
    Find(PathBuf),
    /// Write everything now, then answer.
    Flush(Sender<()>),
}

/// Where to send unsaved text.
pub(super) struct Drafting {
    tasks: Sender<Task>,
}

impl Drafting {
    /// Starts the worker.
    pub(super) fn start(places: Places, reports: Sender<Report>) -> std::io::Result<Self> {
        let (tasks, inbox) = channel();
        let mut worker = Worker { places, reports, waiting: BTreeMap::new(), since: None };
        spawn("drafts", move || worker.run(&inbox))?;
        Ok(Self { tasks })
    }

    /// Takes an effect about unsaved text; says whether an answer follows.
    pub(super) fn perform(&self, effect: Effect) -> bool {
        let (task, answers) = match effect {
            Effect::KeepDraft(root, draft) => (Task::Keep(root, draft), false),
            Effect::DropDraft(root, path) => (Task::Drop(root, path), false),
            Effect::FindDrafts(root) => (Task::Find(root), true),
            _ => return false,
        };
        // The worker ends only together with the program.
        self.tasks.send(task).is_ok() && answers
    }

    /// Waits until everything is on the disk.
    pub(super) fn flush(&self) {
        let (sender, done) = channel();
        if self.tasks.send(Task::Flush(sender)).is_ok() {
            let _ = done.recv_timeout(PATIENCE);
        }
    }
}

impl Drop for Drafting {
    /// Whatever ends the program, also a fault, the text is kept.
    fn drop(&mut self) {
        self.flush();
    }
}

struct Worker {
    places: Places,
    reports: Sender<Report>,
    /// What is still to be written.
    waiting: BTreeMap<(PathBuf, RelPath), Box<Draft>>,
    /// Since when something is.
    since: Option<Instant>,
}

impl Worker {
    fn run(&mut self, inbox: &Receiver<Task>) {
        loop {
            let task = match self.since {
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(since) => {
                    let left = (since + AT_MOST).saturating_duration_since(Instant::now());
                    inbox.recv_timeout(QUIET.min(left))
                }
            };
            match task {
                Ok(Task::Keep(root, draft)) => {
                    self.waiting.insert((root, draft.path.clone()), draft);
                    self.since.get_or_insert_with(Instant::now);
                }
                Ok(Task::Drop(root, path)) => {
                    self.waiting.remove(&(root.clone(), path.clone()));
                    let drafts = Drafts::of(&self.places, &root);
                    self.told(guarded(|| drafts.forget(&path)));
                }
                Ok(Task::Find(root)) => {
                    self.write();
                    let drafts = Drafts::of(&self.places, &root);
                    let found = guarded(|| drafts.all());
                    let outcome = match found.and_then(|found| found.map_err(problem)) {
                        Ok(found) => Outcome::Drafts(root, found),
                        Err(problem) => Outcome::DraftFailed(problem),
                    };
                    tell(&self.reports, outcome, true);
                }
                Ok(Task::Flush(answer)) => {
                    self.write();
                    let _ = answer.send(());
                }
                Err(RecvTimeoutError::Timeout) => self.write(),
                Err(RecvTimeoutError::Disconnected) => return self.write(),
            }
        }
    }

    fn write(&mut self) {
        self.since = None;
        for ((root, _), draft) in std::mem::take(&mut self.waiting) {
            let drafts = Drafts::of(&self.places, &root);
            self.told(guarded(|| drafts.keep(&draft)));
        }
    }

    fn told(&self, result: Result<Result<(), StoreError>, Problem>) {
        if let Err(problem) = result.and_then(|result| result.map_err(problem)) {
            tell(&self.reports, Outcome::DraftFailed(problem), false);
        }
    }
}

fn problem(error: StoreError) -> Problem {
    Problem { what: error.what, hint: error.hint }
}

//! The worker of the checks: it always answers the latest question only, and stops at once when a later one comes.

use crate::app::action::Outcome;
use crate::app::deep::{Asked, Deep};
use crate::shell::Clock;
use crate::shell::checkup::Checkup;
use crate::shell::worker::{Report, guarded, tell};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// After a question that a later one made void, so long is waited for one more.
const QUIET: Duration = Duration::from_millis(300);

/// What the deep checks found last, and on which store: shared with the worker that reads it.
#[derive(Debug, Clone, Default)]
pub(super) struct Last(Arc<Mutex<Option<Found>>>);

/// The store, by its real path, and what was found on it.
type Found = (PathBuf, Arc<Deep>);

impl Last {
    /// What was found last on the store at this real path.
    pub(super) fn of(&self, root: &std::path::Path) -> Option<Arc<Deep>> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.as_ref().filter(|(of, _)| of == root).map(|(_, deep)| deep.clone())
    }

    fn set(&self, root: PathBuf, deep: Arc<Deep>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((root, deep));
    }
}

/// The worker.
pub(super) struct CheckWorker {
    pub(super) checkup: Checkup,
    pub(super) clock: Clock,
    /// The number of the latest question.
    pub(super) latest: Arc<AtomicU64>,
    pub(super) last: Last,
    pub(super) reports: Sender<Report>,
}

impl CheckWorker {
    /// Works until the program leaves. Every question is answered, so that the shell knows when all is done; `update`
    /// drops the answer to one that was never asked, or not any more.
    pub(super) fn run(self, jobs: &Receiver<Asked>) {
        let mut was_stopped = false;
        while let Ok(mut asked) = jobs.recv() {
            // A store that an agent is changing, file by file, is checked once it is quiet.
            while was_stopped && let Ok(later) = jobs.recv_timeout(QUIET) {
                self.void();
                asked = later;
            }
            was_stopped = !self.answer(&asked);
        }
    }

    fn void(&self) {
        let problem = crate::app::model::Problem { what: String::new(), hint: String::new() };
        tell(&self.reports, Outcome::Checked(0, Err(problem)), true);
    }

    /// Whether it came to its end.
    fn answer(&self, asked: &Asked) -> bool {
        let number = asked.number;
        let told = AtomicU8::new(u8::MAX);
        let goes_on = |progress: crate::app::deep::Progress| {
            if told.swap(progress.percent, Ordering::Relaxed) != progress.percent {
                tell(&self.reports, Outcome::Checking(number, progress), false);
            }
            self.latest.load(Ordering::SeqCst) == number
        };
        let now = self.clock.now();
        let checked = guarded(|| self.checkup.contents(&asked.contents, &asked.subject, now, &goes_on));
        match checked {
            Ok(Some((contents, deep))) => {
                self.last.set(contents.snapshot.root.clone(), deep);
                tell(&self.reports, Outcome::Checked(number, Ok(contents)), true);
            }
            Ok(None) => {
                self.void();
                return false;
            }
            Err(problem) => tell(&self.reports, Outcome::Checked(number, Err(problem)), true),
        }
        true
    }
}

//! Tells when the open store changes: one thread that listens to the system, and looks for itself where the system
//! is deaf (network file systems, or when it has no room for another watch).

use crate::app::action::{Action, Outcome};
use crate::shell::worker::{Report, spawn};
use crate::store::{self, Places, Queue};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Changes that come in quick succession are told as one, this long after the first.
const TOGETHER: Duration = Duration::from_millis(150);
/// How often a store is looked at where the system is deaf.
const OFTEN: Duration = Duration::from_millis(700);
/// How often where it is not; a change that is found only so shows that it is deaf after all.
const SELDOM: Duration = Duration::from_secs(5);
/// How often the queue of proposals is looked at: its directory may not be there yet.
const QUEUE: Duration = Duration::from_millis(1_500);

/// Something for the thread.
enum Word {
    /// Watch this store from now on.
    Watch(PathBuf),
    /// The system says that something changed.
    Change,
}

/// The thread that watches the open store.
pub(super) struct Watcher {
    words: Sender<Word>,
}

impl Watcher {
    /// Starts the thread; what it notices goes to `reports`.
    pub(super) fn start(reports: Sender<Report>, places: Places) -> std::io::Result<Self> {
        let (words, inbox) = channel();
        let own = words.clone();
        spawn("watch", move || run(&inbox, &own, &reports, &places))?;
        Ok(Self { words })
    }

    /// Watches this store from now on, and no other.
    pub(super) fn watch(&self, dir: &Path) {
        // The thread ends only together with the program.
        let _ = self.words.send(Word::Watch(dir.into()));
    }
}

/// A store that is watched.
struct Watched {
    dir: PathBuf,
    seen: Option<u64>,
    /// The system's watch; dropping it ends it.
    system: Option<RecommendedWatcher>,
    /// The system said that something changed, at that time.
    told: Option<Instant>,
    looked: Instant,
    /// The directories of what waits, and how they were seen.
    queue: (Vec<PathBuf>, Vec<Option<u64>>),
    queue_looked: Instant,
}

impl Watched {
    fn new(dir: PathBuf, words: &Sender<Word>, queue: Vec<PathBuf>) -> Self {
        let remote = store::is_remote(&dir);
        let system = if remote { None } else { listen(&dir, words) };
        let seen = store::fingerprint(&dir);
        let seen_in_queue = fingerprints(&queue);
        let queue = (queue, seen_in_queue);
        let now = Instant::now();
        Self { dir, seen, system, told: None, looked: now, queue, queue_looked: now }
    }

    /// When it is to be looked at next.
    fn due(&self) -> Instant {
        let pause = if self.system.is_some() { SELDOM } else { OFTEN };
        self.told.map_or(self.looked + pause, |told| told + TOGETHER)
    }

    /// Looks whether a proposal came or went.
    fn look_at_queue(&mut self) -> bool {
        self.queue_looked = Instant::now();
        let now = fingerprints(&self.queue.0);
        let changed = now != self.queue.1;
        self.queue.1 = now;
        changed
    }

    /// Looks whether the store changed.
    fn look(&mut self) -> bool {
        let was_told = self.told.take().is_some();
        self.looked = Instant::now();
        let now = store::fingerprint(&self.dir);
        let changed = now.is_some() && now != self.seen;
        if changed && !was_told {
            // Nobody told: from now on it is looked at often.
            self.system = None;
        }
        self.seen = now.or(self.seen);
        changed
    }
}

fn run(inbox: &Receiver<Word>, words: &Sender<Word>, reports: &Sender<Report>, places: &Places) {
    let mut watched: Option<Watched> = None;
    loop {
        let word = match &watched {
            None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(store) => {
                let due = store.due().min(store.queue_looked + QUEUE);
                inbox.recv_timeout(due.saturating_duration_since(Instant::now()))
            }
        };
        match (word, &mut watched) {
            (Ok(Word::Watch(dir)), _) => {
                if watched.as_ref().is_none_or(|store| store.dir != dir) {
                    let queue = Queue::of(places, &dir).dirs();
                    watched = Some(Watched::new(dir, words, queue));
                }
            }
            (Ok(Word::Change), Some(store)) => {
                store.told.get_or_insert_with(Instant::now);
            }
            (Err(RecvTimeoutError::Timeout), Some(store)) => {
                if store.queue_looked.elapsed() >= QUEUE && store.look_at_queue() {
                    let outcome = Outcome::Proposed(store.dir.clone());
                    let report = Report { action: Action::Outcome(outcome), is_last: false };
                    if reports.send(report).is_err() {
                        return;
                    }
                }
                if Instant::now() >= store.due() && store.look() {
                    let outcome = Outcome::Changed(store.dir.clone());
                    let report = Report { action: Action::Outcome(outcome), is_last: false };
                    if reports.send(report).is_err() {
                        return;
                    }
                }
            }
            (Err(RecvTimeoutError::Disconnected), _) => return,
            (_, None) => {}
        }
    }
}

fn fingerprints(dirs: &[PathBuf]) -> Vec<Option<u64>> {
    // One of them lies in the project, where a link could lead anywhere.
    let is_link = |dir: &PathBuf| dir.symlink_metadata().is_ok_and(|meta| meta.is_symlink());
    dirs.iter().map(|dir| if is_link(dir) { None } else { store::fingerprint(dir) }).collect()
}

/// Listens to the system; `None` when it doesn't listen.
fn listen(dir: &Path, words: &Sender<Word>) -> Option<RecommendedWatcher> {
    let words = words.clone();
    let told = move |event: notify::Result<Event>| {
        // Reading is no change; an error means that something may have been missed.
        if !event.is_ok_and(|event| matches!(event.kind, EventKind::Access(_))) {
            let _ = words.send(Word::Change);
        }
    };
    let mut watcher = notify::recommended_watcher(told).ok()?;
    watcher.watch(dir, RecursiveMode::Recursive).ok()?;
    Some(watcher)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the system is deaf the store is looked at within a second; once that is found out, too.
    #[test]
    fn where_the_system_is_deaf_the_store_is_looked_at() {
        let dir = tempfile::tempdir().unwrap();
        let (words, _inbox) = channel();
        let mut store = Watched::new(dir.path().into(), &words, vec![dir.path().join("queue")]);
        assert!(store.system.is_some() && store.due() > Instant::now() + OFTEN);
        assert!(!store.look());
        std::fs::write(dir.path().join("a.md"), "x").unwrap();
        store.told = None;
        assert!(store.look(), "found without being told");
        assert!(store.system.is_none() && store.due() <= Instant::now() + OFTEN);
        assert!(!store.look());
        std::fs::remove_dir_all(dir.path()).unwrap();
        assert!(!store.look(), "what can't be read is no change");
    }
}

//! The workers: one thread for the store, one for the filter, one for whatever else takes time.
//!
//! The store's thread does one thing after the other; the filter's always takes the latest question only.

use crate::app::action::{Action, Done, Effect, Outcome, Question};
use crate::app::contents::Contents;
use crate::app::model::Problem;
use crate::app::order::Order;
use crate::client::disk::DiskPort;
use crate::memory::index::ParkedLine;
use crate::memory::snapshot::Snapshot;
use crate::prompt::locate::find;
use crate::prompt::port::Environment;
use crate::review::plan::Plan;
use crate::review::promote::Target;
use crate::shell::drafting::Drafting;
use crate::shell::previewing::PreviewWorker;
use crate::shell::usage::{Known, UsageReader};
use crate::shell::watch::Watcher;
use crate::shell::{Clock, Session, matching};
use crate::store::{self, Applied, Places, Store, StoreError};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// How the workers' threads are named.
pub(super) const NAME: &str = "worker";
/// How often progress is told: after so many files.
const FILES_A_STEP: usize = 50;

/// What a worker sends: an action for `update`, and whether it ends what was asked.
pub(super) struct Report {
    /// For `update`.
    pub(super) action: Action,
    /// It answers an effect to its end.
    pub(super) is_last: bool,
}

/// The workers, and where to send them work.
pub(super) struct Workers {
    store: Sender<Effect>,
    filter: Sender<Question>,
    preview: Sender<Effect>,
    previewed: Arc<AtomicU64>,
    searched: Arc<AtomicU64>,
    latest: Arc<AtomicU64>,
    env: Environment,
    drafting: Drafting,
    usage: UsageReader,
    reports: Sender<Report>,
}

impl Workers {
    /// Starts the workers; what they find out comes through `reports`.
    pub(super) fn start(session: &Session, reports: Sender<Report>) -> std::io::Result<Self> {
        let (places, env, clock) = (session.places.clone(), session.env.clone(), session.clock);
        let drafting = Drafting::start(places.clone(), reports.clone())?;
        let usage = UsageReader::new(session);
        let (store, jobs) = channel();
        let (filter, questions) = channel();
        let latest = Arc::new(AtomicU64::new(0));
        let worker = StoreWorker {
            places,
            clock,
            store: None,
            parked_unknown: None,
            last: None,
            usage: usage.known(),
            reports: reports.clone(),
        };
        spawn("store", move || worker.run(&jobs))?;
        let (newest, to) = (latest.clone(), reports.clone());
        spawn("filter", move || filter_worker(&questions, &newest, &to))?;
        let (preview, jobs) = channel();
        let (previewed, searched) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let worker = PreviewWorker {
            env: env.clone(),
            usual: session.usual.clone(),
            clock,
            latest: previewed.clone(),
            searched: searched.clone(),
            reports: reports.clone(),
        };
        spawn("preview", move || worker.run(&jobs))?;
        Ok(Self { store, filter, preview, previewed, searched, latest, env, drafting, usage, reports })
    }

    /// Starts the thread that watches the open store.
    pub(super) fn watcher(&self) -> std::io::Result<Watcher> {
        Watcher::start(self.reports.clone())
    }

    /// Writes all that is still to be written of unsaved text.
    pub(super) fn flush(&self) {
        self.drafting.flush();
    }

    /// Gives an effect to the worker that performs it; `false` when no answer will come.
    pub(super) fn perform(&self, effect: Effect) -> bool {
        match effect {
            Effect::Load(_)
            | Effect::Look(_)
            | Effect::ShowUsage(_)
            | Effect::Apply(_)
            | Effect::Carry(..)
            | Effect::Undo
            | Effect::Redo => {
                // A worker ends only together with the program.
                let _ = self.store.send(effect);
            }
            Effect::Filter(question) => {
                self.latest.store(question.number, Ordering::SeqCst);
                let _ = self.filter.send(question);
            }
            effect @ (Effect::Preview(_)
            | Effect::Compare(..)
            | Effect::PlanFix(..)
            | Effect::Search(..)
            | Effect::ReadFile(_)
            | Effect::Save { .. }) => {
                match &effect {
                    Effect::Preview(asked) => self.previewed.store(asked.number, Ordering::SeqCst),
                    Effect::Search(number, ..) => self.searched.store(*number, Ordering::SeqCst),
                    _ => {}
                }
                let _ = self.preview.send(effect);
            }
            Effect::FindStores => {
                let (env, reports) = (self.env.clone(), self.reports.clone());
                let find = move || {
                    let found = guarded(|| find::stores(&DiskPort, &env)).unwrap_or_default();
                    tell(&reports, Outcome::Stores(found), true);
                };
                if spawn("stores", find).is_err() {
                    tell(&self.reports, Outcome::Stores(Vec::new()), true);
                }
            }
            Effect::ReadUsage(dir) => self.usage.read(dir, &self.reports),
            effect @ (Effect::KeepDraft(..) | Effect::DropDraft(..) | Effect::FindDrafts(_)) => {
                return self.drafting.perform(effect);
            }
            Effect::Copy(_)
            | Effect::Suspend
            | Effect::Quit
            | Effect::EditOutside(_)
            | Effect::EditFile(..)
            | Effect::ReadOutside => return false,
        }
        true
    }
}

pub(super) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    thread::Builder::new().name(format!("{NAME}-{name}")).spawn(work).map(drop)
}

pub(super) fn tell(reports: &Sender<Report>, outcome: Outcome, is_last: bool) {
    // Nobody listens any more when the program is leaving.
    let _ = reports.send(Report { action: Action::Outcome(outcome), is_last });
}

/// Runs work that must not take the program down: a panic becomes a problem to show.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Problem> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Problem {
            what: format!("a fault in memcurator stopped this: {text}"),
            hint: "please report it; reload and look before going on".into(),
        }
    })
}

struct StoreWorker {
    places: Places,
    clock: Clock,
    store: Option<(PathBuf, Store)>,
    /// Which lines are parked could not be read: then a plan must not set them anew.
    parked_unknown: Option<Problem>,
    /// What was read last.
    last: Option<Arc<Contents>>,
    /// What sessions made of the memories.
    usage: Known,
    reports: Sender<Report>,
}

impl StoreWorker {
    fn run(mut self, jobs: &Receiver<Effect>) {
        while let Ok(job) = jobs.recv() {
            let outcome = match job {
                Effect::Load(dir) => {
                    let mut notes = Vec::new();
                    let loaded =
                        guarded(|| self.load(&dir, &mut notes)).and_then(|loaded| loaded).map(Arc::new);
                    self.last = loaded.as_ref().ok().cloned();
                    tell(&self.reports, Outcome::Loaded(dir, loaded), notes.is_empty());
                    let last = notes.len();
                    for (number, note) in notes.into_iter().enumerate() {
                        tell(&self.reports, Outcome::Noted(note), number + 1 == last);
                    }
                    continue;
                }
                Effect::Look(dir) => {
                    // What can't be read now is looked at again with the next change.
                    let new = guarded(|| self.look(&dir)).ok().and_then(|looked| looked.ok()).flatten();
                    let new = new.map(Arc::new);
                    self.last = new.clone().or(self.last.take());
                    Outcome::Looked(dir, new)
                }
                Effect::ShowUsage(dir) => {
                    let shown = self.show_usage(&dir);
                    Outcome::UsageShown(dir, shown)
                }
                Effect::Carry(contents, order) => self.carry(&contents, &order),
                Effect::Apply(plan) => self.apply(&plan),
                Effect::Undo => self.change(Store::undo),
                Effect::Redo => self.change(Store::redo),
                _ => continue,
            };
            tell(&self.reports, outcome, true);
        }
    }

    /// The store as it is now; `None` when it is as it was read last.
    fn look(&mut self, dir: &Path) -> Result<Option<Contents>, Problem> {
        let Some((_, store)) = self.store.as_ref().filter(|(open, _)| open == dir) else { return Ok(None) };
        let snapshot = store.scan(&|_| {}).map_err(problem)?;
        let parked = store.parked().unwrap_or_default();
        let is_same = |last: &Arc<Contents>| last.snapshot.is_same(&snapshot) && last.parked == parked;
        if self.last.as_ref().is_some_and(is_same) {
            return Ok(None);
        }
        Ok(Some(self.contents(dir, snapshot, parked)))
    }

    /// Plans an order and carries it out.
    fn carry(&self, contents: &Contents, order: &Order) -> Outcome {
        let look = |target: &Target| store::outside(&target.base, &target.path).map_err(problem);
        let planned = guarded(|| order.plan(contents, self.clock.now(), look)).and_then(|plan| plan);
        let plan = match planned {
            Ok(plan) => plan,
            Err(problem) => return Outcome::Applied(Err(problem)),
        };
        self.apply(&plan)
    }

    /// Carries out a plan, unless it would set anew what could not be read.
    fn apply(&self, plan: &Plan) -> Outcome {
        match &self.parked_unknown {
            Some(problem) if plan.parked.is_some() => Outcome::Applied(Err(problem.clone())),
            _ => match self.change(|store, now| store.apply(plan, now).map(Some)) {
                Outcome::Applied(Ok(Some(done))) => {
                    Outcome::Applied(Ok(Some(Done { notes: plan.warnings.clone(), ..done })))
                }
                other => other,
            },
        }
    }

    fn load(&mut self, dir: &Path, notes: &mut Vec<Problem>) -> Result<Contents, Problem> {
        if self.store.as_ref().is_none_or(|(open, _)| open != dir) {
            self.store = None;
            let store = Store::open(dir, &self.places).map_err(problem)?;
            notes.extend(store.recovered().iter().map(|conflict| Problem {
                what: format!("{}: {}", conflict.path, conflict.what),
                hint: String::new(),
            }));
            let note = |note: &StoreError| Problem { what: note.what.clone(), hint: note.hint.clone() };
            notes.extend(store.notes().iter().map(note));
            self.store = Some((dir.into(), store));
        }
        let Some((_, store)) = &self.store else { return Err(closed()) };
        let reports = &self.reports;
        let of = dir.to_path_buf();
        let snapshot = store
            .scan(&|files| {
                if files % FILES_A_STEP == 0 {
                    tell(reports, Outcome::Reading(of.clone(), files), false);
                }
            })
            .map_err(problem)?;
        self.parked_unknown = None;
        let parked = store.parked().unwrap_or_else(|error| {
            let error = problem(error);
            self.parked_unknown = Some(error.clone());
            // Most often that is what the opening noted already.
            notes.retain(|note| note.what != error.what);
            notes.push(error);
            Vec::new()
        });
        Ok(self.contents(dir, snapshot, parked))
    }

    /// What the screens show of a store that was read, with what is known of its use.
    fn contents(&self, dir: &Path, snapshot: Snapshot, parked: Vec<ParkedLine>) -> Contents {
        let now = self.clock.now();
        let contents = Contents::new(snapshot, parked, now);
        match self.usage.of(dir) {
            Some(usage) => contents.with_usage(&usage, now),
            None => contents,
        }
    }

    /// What was read last, with what is known by now of its use.
    fn show_usage(&mut self, dir: &Path) -> Option<Arc<Contents>> {
        self.store.as_ref().filter(|(open, _)| open == dir)?;
        let last = self.last.as_ref()?;
        let (snapshot, parked) = (last.snapshot.clone(), last.parked.clone());
        let new = Arc::new(guarded(|| self.contents(dir, snapshot, parked)).ok()?);
        self.last = Some(Arc::clone(&new));
        Some(new)
    }

    fn change(
        &self,
        change: impl FnOnce(&Store, crate::memory::Time) -> Result<Option<Applied>, StoreError>,
    ) -> Outcome {
        let now = self.clock.now();
        let result = match &self.store {
            Some((_, store)) => guarded(|| change(store, now)).and_then(|result| result.map_err(problem)),
            None => Err(closed()),
        };
        Outcome::Applied(result.map(|applied| applied.map(done)))
    }
}

fn closed() -> Problem {
    Problem { what: "the store is not open".into(), hint: String::new() }
}

fn problem(error: StoreError) -> Problem {
    Problem { what: error.what, hint: error.hint }
}

fn done(applied: Applied) -> Done {
    let conflicts =
        applied.conflicts.into_iter().map(|conflict| format!("{}: {}", conflict.path, conflict.what));
    Done { message: applied.message, conflicts: conflicts.collect(), notes: Vec::new() }
}

/// Answers the latest question. Every question is reported to its end, so that the shell knows when all is
/// done; `update` drops the answers that came too late.
fn filter_worker(questions: &Receiver<Question>, latest: &AtomicU64, reports: &Sender<Report>) {
    while let Ok(question) = questions.recv() {
        let is_stale = || latest.load(Ordering::SeqCst) != question.number;
        let outcome = match guarded(|| matching::run(&question, &is_stale)) {
            Ok(Some(matches)) => Outcome::Filtered(question.number, question.query, Arc::new(matches)),
            // A number that was never asked is dropped.
            Ok(None) => Outcome::Filtered(0, question.query, Arc::default()),
            Err(problem) => Outcome::FilterFailed(question.number, problem),
        };
        tell(reports, outcome, true);
    }
}

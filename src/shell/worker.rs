//! The workers: one thread for the store, one for the filter, one for whatever else takes time.
//!
//! The store's thread does one thing after the other; the filter's always takes the latest question only.

use crate::app::action::{Action, Done, Effect, Outcome, Question};
use crate::app::contents::Contents;
use crate::app::deep::{Asked, Checks};
use crate::app::inbox;
use crate::app::model::Problem;
use crate::app::order::Order;
use crate::check::{Settings, Silence};
use crate::client::disk::DiskPort;
use crate::config::Config;
use crate::prompt::locate::find;
use crate::prompt::port::Environment;
use crate::review::plan::Plan;
use crate::review::promote::Target;
use crate::shell::checking::{CheckWorker, Last};
use crate::shell::checkup::Checkup;
use crate::shell::drafting::Drafting;
use crate::shell::picking::Picker;
use crate::shell::previewing::PreviewWorker;
use crate::shell::proving::{Installed, Prover};
use crate::shell::recalling::RecallWorker;
use crate::shell::usage::UsageReader;
use crate::shell::verifying::Verifier;
use crate::shell::waiting::InboxWorker;
use crate::shell::watch::Watcher;
use crate::shell::{Clock, Session, deciding, matching, moving};
use crate::store::{self, Applied, Places, Silenced, Store, StoreError};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
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
    prover: Prover,
    picker: Picker,
    preview: Sender<Effect>,
    recall: Sender<Effect>,
    recalled: Arc<AtomicU64>,
    tried: Arc<AtomicU64>,
    checks: Sender<Asked>,
    inbox: Sender<inbox::Asked>,
    waiting: Arc<AtomicU64>,
    checked: Arc<AtomicU64>,
    previewed: Arc<AtomicU64>,
    searched: Arc<AtomicU64>,
    latest: Arc<AtomicU64>,
    env: Environment,
    places: Places,
    drafting: Drafting,
    usage: UsageReader,
    verifier: Verifier,
    reports: Sender<Report>,
}

impl Workers {
    /// Starts the workers; what they find out comes through `reports`.
    pub(super) fn start(session: &Session, reports: Sender<Report>) -> std::io::Result<Self> {
        let (places, env, clock) = (session.places.clone(), session.env.clone(), session.clock);
        let of_watcher = places.clone();
        let drafting = Drafting::start(places.clone(), reports.clone())?;
        let usage = UsageReader::new(session);
        let (store, jobs) = channel();
        let (filter, questions) = channel();
        let latest = Arc::new(AtomicU64::new(0));
        let (checks, asked) = channel();
        let (checked, deep) = (Arc::new(AtomicU64::new(0)), Last::default());
        let checkup = Checkup {
            env: env.clone(),
            usual: session.usual.clone(),
            places: places.clone(),
            keeps: session.replay.is_none(),
        };
        let (inbox, jobs_of_inbox) = channel();
        let waiting = Arc::new(AtomicU64::new(0));
        let (of_inbox, to) = (checkup.clone(), reports.clone());
        let recovered = Mutex::default();
        let worker =
            InboxWorker { checkup: of_inbox, clock, recovered, latest: waiting.clone(), reports: to };
        spawn("inbox", move || worker.run(&jobs_of_inbox))?;
        let verifier =
            Verifier { checkup: checkup.clone(), clock, latest: Arc::default(), reports: reports.clone() };
        let (latest_check, last, to) = (checked.clone(), deep.clone(), reports.clone());
        let worker = CheckWorker { checkup, clock, latest: latest_check, last, reports: to };
        spawn("checks", move || worker.run(&asked))?;
        let worker = StoreWorker {
            env: env.clone(),
            places,
            clock,
            store: None,
            parked_unknown: None,
            last: None,
            settings: session.checks.clone(),
            config: session.config.clone(),
            deep: deep.clone(),
            reports: reports.clone(),
        };
        spawn("store", move || worker.run(&jobs))?;
        let (newest, to) = (latest.clone(), reports.clone());
        spawn("filter", move || filter_worker(&questions, &newest, &to))?;
        let (preview, jobs) = channel();
        let (previewed, searched) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let installed = Installed {
            configured: session.client.clone(),
            helper: session.program.clone(),
            cache: session.places.cache.clone(),
            env: env.clone(),
        };
        let prover = Prover {
            installed: installed.clone(),
            usual: session.usual.clone(),
            clock,
            reports: reports.clone(),
            cancel: Arc::default(),
        };
        let (recall, jobs_of_recall) = channel();
        let (recalled, tried) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let worker = RecallWorker {
            installed: installed.clone(),
            usual: session.usual.clone(),
            clock,
            latest: recalled.clone(),
            latest_tried: tried.clone(),
            reports: reports.clone(),
        };
        spawn("recall", move || worker.run(&jobs_of_recall))?;
        let worker = PreviewWorker {
            installed,
            env: env.clone(),
            usual: session.usual.clone(),
            clock,
            latest: previewed.clone(),
            searched: searched.clone(),
            reports: reports.clone(),
        };
        spawn("preview", move || worker.run(&jobs))?;
        Ok(Self {
            store,
            filter,
            prover,
            picker: Picker::new(session, reports.clone()),
            preview,
            recall,
            recalled,
            tried,
            checks,
            inbox,
            waiting,
            checked,
            previewed,
            searched,
            latest,
            env,
            places: of_watcher,
            drafting,
            usage,
            verifier,
            reports,
        })
    }

    /// Starts the thread that watches the open store.
    pub(super) fn watcher(&self) -> std::io::Result<Watcher> {
        Watcher::start(self.reports.clone(), self.places.clone())
    }

    /// Writes all that is still to be written of unsaved text.
    pub(super) fn flush(&self) {
        self.drafting.flush();
    }

    /// Gives an effect to the worker that performs it; `false` when no answer will come.
    pub(super) fn perform(&mut self, effect: Effect) -> bool {
        match effect {
            Effect::Load(_)
            | Effect::Look(_)
            | Effect::Apply(_)
            | Effect::Carry(..)
            | Effect::Undo
            | Effect::Redo
            | Effect::Hush { .. }
            | Effect::Decide(_)
            | Effect::PlanMove(_)
            | Effect::Move(_)
            | Effect::HushForGood(_) => {
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
            effect @ (Effect::Recall(_) | Effect::Try(_)) => {
                match &effect {
                    Effect::Recall(asked) => self.recalled.store(asked.number, Ordering::SeqCst),
                    Effect::Try(asked) => self.tried.store(asked.number, Ordering::SeqCst),
                    _ => {}
                }
                let _ = self.recall.send(effect);
            }
            Effect::AskModel(asked) => self.picker.start(asked),
            Effect::CallOffModel => {
                self.picker.call_off();
                return false;
            }
            Effect::ReadInbox(asked) => {
                self.waiting.store(asked.number, Ordering::SeqCst);
                let _ = self.inbox.send(asked);
            }
            Effect::Check(asked) => {
                self.checked.store(asked.number, Ordering::SeqCst);
                let _ = self.checks.send(asked);
            }
            Effect::StopChecks(number) => {
                self.checked.store(number, Ordering::SeqCst);
                return false;
            }
            Effect::Verify(asked) => self.verifier.start(asked),
            Effect::StopVerify(number) => {
                self.verifier.void(number);
                return false;
            }
            Effect::Prove(asked) => {
                if !self.prover.start(asked) {
                    let what = "no thread could be started; nothing was run".into();
                    let problem = Problem { what, hint: "try again".into() };
                    tell(&self.reports, Outcome::Proved(Err(problem)), true);
                }
            }
            Effect::CancelProof => {
                self.prover.cancel.store(true, Ordering::SeqCst);
                return false;
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
    env: Environment,
    places: Places,
    clock: Clock,
    store: Option<(PathBuf, Store)>,
    /// Which lines are parked could not be read: then a plan must not set them anew.
    parked_unknown: Option<Problem>,
    /// What was read last.
    last: Option<Arc<Contents>>,
    /// What the configuration says about the checks.
    settings: Settings,
    /// The configuration file that was asked for.
    config: Option<PathBuf>,
    /// What the deep checks found last.
    deep: Last,
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
                Effect::Carry(contents, order) => self.carry(&contents, &order),
                Effect::Apply(plan) => self.apply(&plan),
                Effect::Hush { remove, add, words } => {
                    Outcome::Applied(guarded(|| self.hush(&remove, &add, words)).and_then(|done| done))
                }
                Effect::HushForGood(id) => {
                    Outcome::Applied(guarded(|| self.hush_for_good(&id)).and_then(|done| done))
                }
                Effect::Decide(act) => self.decide(&act),
                Effect::PlanMove(asked) => {
                    let planned = guarded(|| moving::asked(&asked, &self.env, &self.places));
                    let planned = planned.and_then(|planned| planned.map_err(problem));
                    Outcome::MovePlanned(asked, planned.map(Box::new))
                }
                Effect::Move(transfer) => {
                    let now = self.clock.now();
                    let moved = guarded(|| moving::carry_out(&transfer, &self.places, now));
                    let moved = moved.and_then(|moved| moved.map_err(problem));
                    Outcome::Applied(moved.map(|applied| Some(done(applied))))
                }
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
        let checks = self.checks(store).unwrap_or_else(|(checks, _)| checks);
        Ok(Some(Contents::with(snapshot, parked, self.clock.now(), checks)))
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

    /// Carries out what was decided on what waits.
    fn decide(&self, act: &inbox::Act) -> Outcome {
        let now = self.clock.now();
        Outcome::Applied(match (&self.store, &self.parked_unknown) {
            (_, Some(problem)) => Err(problem.clone()),
            (Some((_, store)), None) => {
                guarded(|| deciding::decide(store, act, now)).and_then(|done| done.map(Some))
            }
            (None, None) => Err(closed()),
        })
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
        let checks = self.checks(store).unwrap_or_else(|(checks, error)| {
            notes.push(problem(error));
            checks
        });
        Ok(Contents::with(snapshot, parked, self.clock.now(), checks))
    }

    /// What is set about the checks; an error when what is silenced for the store can't be read, beside the rest.
    fn checks(&self, store: &Store) -> Result<Checks, (Checks, StoreError)> {
        let mut settings = self.settings.clone();
        let silenced = Silenced::of(&self.places, store.root()).all();
        settings.silenced.extend(silenced.as_ref().ok().cloned().unwrap_or_default());
        let checks = Checks { settings: Arc::new(settings), deep: self.deep.of(store.root()) };
        match silenced {
            Ok(_) => Ok(checks),
            Err(error) => Err((checks, error)),
        }
    }

    fn hush(&self, remove: &[Silence], add: &[Silence], words: String) -> Result<Option<Done>, Problem> {
        let Some((_, store)) = &self.store else { return Err(closed()) };
        let silenced = Silenced::of(&self.places, store.root());
        silenced.change(remove, add, self.clock.now()).map_err(problem)?;
        Ok(Some(Done { message: words, ..Done::default() }))
    }

    fn hush_for_good(&mut self, id: &str) -> Result<Option<Done>, Problem> {
        let file = Config::silence_for_good(self.config.as_deref(), &self.places.config, id)
            .map_err(|problems| Problem { what: problems.to_string(), hint: "correct it first".into() })?;
        if let Ok(config) = Config::load(self.config.as_deref(), &self.places.config) {
            self.settings = config.checks;
        }
        let message = format!("silenced {id} everywhere, in {}", file.display());
        Ok(Some(Done { message, ..Done::default() }))
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

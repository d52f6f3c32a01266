//! The worker of the Inbox: reads what waits, and lets the gate look at it, first without the project, then with it. It
//! answers the latest question only.

use crate::app::action::Outcome;
use crate::app::inbox::{Asked, Gated, Item, Returned, Waits};
use crate::app::model::Problem;
use crate::check::project::Project;
use crate::client::transcript::Transcripts;
use crate::memory::mentions::Mentions;
use crate::memory::snapshot::Snapshot;
use crate::review::approve;
use crate::review::changes::Changes;
use crate::review::conflict::{self, Piece};
use crate::review::gate::Scene;
use crate::review::proposal::{Action, Proposal, Waiting};
use crate::shell::checkup::{Checkup, Patient};
use crate::shell::worker::{Report, guarded, tell};
use crate::shell::{Clock, recovering};
use crate::store::{Start, Store, StoreError};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex};

/// After so many answers of the gate they are told.
const A_BATCH: usize = 25;

/// The worker.
pub(super) struct InboxWorker {
    pub(super) checkup: Checkup,
    pub(super) clock: Clock,
    /// The stores whose transcripts were looked through.
    pub(super) recovered: Mutex<HashSet<PathBuf>>,
    /// The number of the latest question.
    pub(super) latest: Arc<AtomicU64>,
    pub(super) reports: Sender<Report>,
}

impl InboxWorker {
    /// Works until the program leaves. Every question is answered to its end, so that the shell knows when all is done.
    pub(super) fn run(self, jobs: &Receiver<Asked>) {
        while let Ok(asked) = jobs.recv() {
            let number = asked.number;
            if self.is_current(number) {
                let read = guarded(|| self.read(&asked)).and_then(|read| read).map(Arc::new);
                let waits = read.as_ref().ok().cloned();
                tell(&self.reports, Outcome::Inbox(number, read), false);
                if let Some(waits) = waits
                    && let Err(problem) = guarded(|| self.gate(&asked, &waits))
                {
                    tell(&self.reports, Outcome::Noted(problem), false);
                }
            }
            let end = Gated { is_complete: true, ..Gated::default() };
            // A number that was never asked is dropped: the answer was told in parts.
            tell(&self.reports, Outcome::Gated(0, end), true);
        }
    }

    fn is_current(&self, number: u64) -> bool {
        self.latest.load(Ordering::SeqCst) == number
    }

    /// Reads what waits. The first time, the store as it is becomes what counts as reviewed, unless nothing is to be
    /// written.
    fn read(&self, asked: &Asked) -> Result<Waits, Problem> {
        let problem = |error: StoreError| Problem { what: error.what, hint: error.hint };
        let store = Store::look(&asked.dir, &self.checkup.places).map_err(problem)?;
        if self.checkup.keeps && !store.has_review().map_err(problem)? {
            store.start_review(Start::AsItIs, self.clock.now()).map_err(problem)?;
        }
        let snapshot = &asked.contents.snapshot;
        if self.checkup.keeps && !self.recovered.lock().is_ok_and(|done| done.contains(&asked.dir)) {
            self.recover(&store, snapshot).map_err(problem)?;
            if let Ok(mut done) = self.recovered.lock() {
                done.insert(asked.dir.clone());
            }
        }
        let differing = store.unreviewed(snapshot).map_err(problem)?;
        let is_gone = differing.iter().flatten().any(|one| one.new.is_none());
        // Only a deletion is looked for elsewhere.
        let texts = if is_gone { self.checkup.texts(&asked.subject, self.clock.now()) } else { Vec::new() };
        let changes = differing.map(|differing| Changes::of(differing, snapshot, &texts));
        let queue = store.queue();
        let rejected = queue.rejected().map_err(problem)?;
        let rejected =
            rejected.into_iter().map(|one| Returned { what: one.what, time: one.time, reason: one.reason });
        let waiting = queue.list().map_err(problem)?;
        let since = store.reviewed_since().map_err(problem)?;
        let merged = |proposal: &Proposal, current: &[u8]| merged(&store, proposal, current);
        let beside = store.beside().map_err(problem)?;
        Ok(Waits::of(&asked.contents, &beside, waiting, rejected.collect(), changes, since, &merged))
    }

    /// Queues the memory writes that transcripts show as refused and that nobody has queued, rejected or made since. Once
    /// for each store: transcripts are long.
    fn recover(&self, store: &Store, snapshot: &Snapshot) -> Result<(), StoreError> {
        let (places, now) = (&self.checkup.places, self.clock.now());
        let scope = Transcripts::of(&self.checkup.env, &self.checkup.usual.launch, None, store.root());
        let mut found = recovering::find(places, (store.root(), None), snapshot, &scope.all(None), now);
        let mut made = std::mem::take(&mut found.proposals);
        if made.is_empty() {
            return Ok(());
        }
        let queue = store.queue();
        let waiting = queue.list()?;
        let mut known: HashSet<String> =
            waiting.iter().filter_map(Waiting::proposal).map(Proposal::key).collect();
        known.extend(queue.rejected()?.into_iter().filter_map(|one| one.key));
        made.retain(|one| {
            let here = snapshot.memories.iter().find(|memory| memory.path == one.target);
            let is_there = approve::is_done(here, one) && !snapshot.is_hidden(&one.target);
            known.insert(one.key()) && !is_there
        });
        queue.add(&made, now)?;
        recovering::remember(places, store.root(), &found)
    }

    /// Lets the gate look at every proposal.
    fn gate(&self, asked: &Asked, waits: &Waits) {
        let proposals: Vec<&Arc<Proposal>> = waits.items.iter().filter_map(Item::proposal).collect();
        if proposals.is_empty() {
            let gated = Gated { is_complete: true, ..Gated::default() };
            tell(&self.reports, Outcome::Gated(asked.number, gated), false);
            return;
        }
        let has_project = self.checkup.has_project(&asked.subject);
        if !self.pass(asked, &proposals, None, !has_project) || !has_project {
            return;
        }
        let goes_on = |_| self.is_current(asked.number);
        let now = self.clock.now();
        let mentions: Vec<Mentions> =
            proposals.iter().filter_map(|one| one.memory(now)).map(|memory| Mentions::of(&memory)).collect();
        let patient = Patient {
            snapshot: &asked.contents.snapshot,
            parked: &asked.contents.parked,
            settings: &asked.contents.checks.settings,
            subject: Some(&asked.subject),
            now,
        };
        let (project, _) = self.checkup.project(&patient, &mentions, &goes_on);
        if self.is_current(asked.number) {
            self.pass(asked, &proposals, project.as_ref(), true);
        }
    }

    /// One look at all of them; `false`: another question came.
    fn pass(
        &self,
        asked: &Asked,
        proposals: &[&Arc<Proposal>],
        project: Option<&Project>,
        is_last: bool,
    ) -> bool {
        let contents = &asked.contents;
        let scene = Scene::new(&contents.snapshot, &contents.checks.settings, project, self.clock.now());
        let mut done = 0;
        for batch in proposals.chunks(A_BATCH) {
            let mut gates = Vec::with_capacity(batch.len());
            for proposal in batch {
                if !self.is_current(asked.number) {
                    return false;
                }
                gates.push((proposal.id.clone(), Arc::new(scene.gate(proposal))));
            }
            done += batch.len();
            let is_complete = is_last && done == proposals.len();
            let done = if is_last { done } else { 0 };
            tell(&self.reports, Outcome::Gated(asked.number, Gated { gates, done, is_complete }), false);
        }
        true
    }
}

/// The proposal with what others changed meanwhile, when they changed other lines.
fn merged(store: &Store, proposal: &Proposal, current: &[u8]) -> Option<Proposal> {
    let base = proposal.base.as_deref().filter(|_| proposal.action == Action::Change)?;
    let base = store.version(&proposal.target, base)?;
    let pieces = approve::rebase(proposal, &base, current);
    let is_settled = pieces.iter().all(|piece| matches!(piece, Piece::Settled(_)));
    is_settled.then(|| approve::on_version(proposal, current, conflict::chosen(&pieces, &[])))
}

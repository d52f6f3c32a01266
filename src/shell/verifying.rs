//! What one memory claims, looked up: what the screens' worker and `memcurator verify` do. On a thread of its own for
//! the screens, since the look at a project may take seconds.

use crate::app::action::Outcome;
use crate::app::deep::{Looked, Progress};
use crate::app::verify::{Asked, Told};
use crate::check::claims::{Claim, Kind, Verdict, claims};
use crate::check::{Depth, Evidence, Facts, Look, secrets, tells};
use crate::evidence;
use crate::memory::mentions::Mentions;
use crate::memory::path::RelPath;
use crate::memory::text::one_line;
use crate::shell::Clock;
use crate::shell::checkup::{Checkup, GoesOn, Patient};
use crate::shell::worker::{Report, guarded, spawn, tell};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::mpsc::Sender;

/// So many places show for one claim, the most telling first.
const SHOWN: usize = 3;
/// A line of the project is shown up to so many characters.
const LONGEST: usize = 160;
/// The look at the project ends at so many hundredths of what [`Checkup::project`] tells.
const OF_CHECKUP: u16 = 60;

impl Checkup {
    /// What a memory claims and what is known of it. `early` gets what needs neither a project nor the other memories, at once;
    /// `None`: there is no such memory, or it was stopped.
    pub fn claims(
        &self,
        patient: &Patient<'_>,
        memory: &RelPath,
        early: &mut dyn FnMut(Vec<Claim>),
        goes_on: GoesOn<'_>,
    ) -> Option<(Vec<Claim>, Looked)> {
        let at = patient.snapshot.memories.iter().position(|other| other.path == *memory)?;
        let facts = Facts::of(patient.snapshot);
        let quick = Look::quick(patient.snapshot, &facts, patient.parked, patient.now, patient.settings);
        early(claims(&quick, at, Depth::Quick, "the project is still being looked at"));
        let mentions = [Mentions::of(patient.snapshot.memories.get(at)?)];
        let share = |progress: Progress| {
            let percent = (u16::from(progress.percent) * 100 / OF_CHECKUP).min(100);
            goes_on(Progress { percent: u8::try_from(percent).unwrap_or(100), ..progress })
        };
        let (project, looked) = self.project(patient, &mentions, &share);
        if !goes_on(Progress { percent: 100, what: looked.words() }) {
            return None;
        }
        let absent = match (&looked.problem, &looked.project) {
            (Some(problem), _) => problem.what.clone(),
            (None, None) => "no project is known".to_owned(),
            (None, Some(_)) => String::new(),
        };
        let look = Look { project: project.as_ref(), ..quick };
        let mut all = claims(&look, at, Depth::Deep, &absent);
        if let Some(project) = &project {
            all.iter_mut().for_each(|claim| with_lines(claim, &project.root));
        }
        Some((all, looked))
    }
}

/// Gives the places of a claim in the project their lines as text, and leaves the most telling of them.
fn with_lines(claim: &mut Claim, root: &Path) {
    if !claim.kind.is_of_project() {
        return;
    }
    let mut telling: Vec<(bool, Evidence)> = Vec::new();
    for mut one in std::mem::take(&mut claim.evidence) {
        let place = one.path.as_deref().zip(one.line).filter(|_| one.commit.is_none());
        let line = place.and_then(|(path, line)| evidence::line(root, path, line));
        let is_telling = line
            .as_deref()
            .zip(one.path.as_deref())
            .is_some_and(|(line, path)| claim.verdict == Verdict::Holds && tells(line, path, &claim.what));
        if let Some(line) = line {
            let masked = secrets::mask(line.trim());
            one.text = one_line(&masked.chars().take(LONGEST).collect::<String>());
        }
        telling.push((is_telling, one));
    }
    telling.sort_by_key(|(is_telling, _)| !is_telling);
    let is_cut = telling.len() > SHOWN;
    claim.evidence = telling.into_iter().take(SHOWN).map(|(_, one)| one).collect();
    if is_cut && claim.kind != Kind::Path {
        claim.note.push_str(", in more places than are shown");
    }
}

/// Looks claims up for the screens.
pub(super) struct Verifier {
    pub(super) checkup: Checkup,
    pub(super) clock: Clock,
    /// The number of the latest question: an earlier one stops.
    pub(super) latest: Arc<AtomicU64>,
    pub(super) reports: Sender<Report>,
}

impl Verifier {
    /// Lets every question before this number stop.
    pub(super) fn void(&self, number: u64) {
        self.latest.store(number, Ordering::SeqCst);
    }

    /// Looks up what a memory claims. Every question is answered to its end, so that the shell knows when all is
    /// done; `update` drops what nobody waits for any more.
    pub(super) fn start(&self, asked: Asked) {
        self.void(asked.number);
        let (checkup, now, latest) = (self.checkup.clone(), self.clock.now(), Arc::clone(&self.latest));
        let (reports, number) = (self.reports.clone(), asked.number);
        let work = move || {
            let told = guarded(|| look(&checkup, &asked, now, &latest, &reports));
            let told = told.map(|told| told.unwrap_or_default());
            tell(&reports, Outcome::Verified(number, told), true);
        };
        if spawn("verify", work).is_err() {
            let what = "no thread could be started; nothing was looked up".into();
            let problem = crate::app::work::Problem { what, hint: "try again".into() };
            tell(&self.reports, Outcome::Verified(number, Err(problem)), true);
        }
    }
}

/// `None`: nobody waits for it any more.
fn look(
    checkup: &Checkup,
    asked: &Asked,
    now: crate::memory::Time,
    latest: &AtomicU64,
    reports: &Sender<Report>,
) -> Option<Told> {
    let patient = Patient {
        snapshot: &asked.contents.snapshot,
        parked: &asked.contents.parked,
        settings: &asked.contents.checks.settings,
        subject: Some(&asked.subject),
        now,
    };
    let said = AtomicU8::new(u8::MAX);
    let goes_on = |progress: Progress| {
        if said.swap(progress.percent, Ordering::Relaxed) != progress.percent {
            tell(reports, Outcome::Verifying(asked.number, progress), false);
        }
        latest.load(Ordering::SeqCst) == asked.number
    };
    let mut early = |claims| {
        tell(reports, Outcome::Verified(asked.number, Ok(Told { claims, looked: None })), false);
    };
    let (claims, looked) = checkup.claims(&patient, &asked.path, &mut early, &goes_on)?;
    Some(Told { claims, looked: Some(looked) })
}

//! A store checked against the project that it is about: what the screens' worker and `memcurator check` do.

use crate::app::contents::Contents;
use crate::app::deep::{Deep, Looked, Progress};
use crate::app::model::Problem;
use crate::check::project::{Project, Text};
use crate::check::{self, Depth, Facts, Look, Report, Settings};
use crate::client::disk::DiskPort;
use crate::client::sessions;
use crate::evidence;
use crate::memory::Time;
use crate::memory::index::ParkedLine;
use crate::memory::mentions::Mentions;
use crate::memory::snapshot::Snapshot;
use crate::prompt::locate::git;
use crate::prompt::picture::Role;
use crate::prompt::port::within::Within;
use crate::prompt::port::{Environment, Port};
use crate::prompt::subject::{Subject, Usual};
use crate::store::Places;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How stores are checked on this machine.
#[derive(Debug, Clone)]
pub struct Checkup {
    /// The process's environment.
    pub env: Environment,
    /// How sessions are started.
    pub usual: Usual,
    /// Where memcurator keeps what is its own.
    pub places: Places,
    /// What was read of histories is kept in the cache; not where nothing is to be written.
    pub keeps: bool,
}

/// What is checked.
#[derive(Debug, Clone, Copy)]
pub struct Patient<'a> {
    /// The store.
    pub snapshot: &'a Snapshot,
    /// Its parked lines.
    pub parked: &'a [ParkedLine],
    /// Thresholds, and what is silenced.
    pub settings: &'a Settings,
    /// Whose sessions use it; `None`: no project is looked at.
    pub subject: Option<&'a Subject>,
    /// Now.
    pub now: Time,
}

/// Tells how far it is; as soon as it says `false`, the rest is left out.
pub type GoesOn<'a> = &'a (dyn Fn(Progress) -> bool + Sync);

impl Checkup {
    /// Runs all checks.
    #[must_use]
    pub fn run(&self, patient: &Patient<'_>, goes_on: GoesOn<'_>) -> (Report, Looked) {
        let facts = Facts::of(patient.snapshot);
        let mentions: Vec<Mentions> =
            patient.snapshot.memories.iter().map(|memory| Mentions::of(memory)).collect();
        let (project, looked) = self.project(patient, &mentions, goes_on);
        let quick = Look::quick(patient.snapshot, &facts, patient.parked, patient.now, patient.settings);
        let look = Look { project: project.as_ref(), mentions: Some(&mentions), ..quick };
        let reach = looked.words();
        let report = check::report(&look, Depth::Deep, &mut |at| {
            let share = HALF + (100 - HALF) * at.done / at.total.max(1);
            goes_on(Progress { percent: u8::try_from(share).unwrap_or(100), what: reach.clone() })
        });
        (report, looked)
    }

    /// Runs all checks on contents that the screens show; `None`: it was stopped.
    pub fn contents(
        &self,
        contents: &Contents,
        subject: &Subject,
        now: Time,
        goes_on: GoesOn<'_>,
    ) -> Option<(Arc<Contents>, Arc<Deep>)> {
        let patient = Patient {
            snapshot: &contents.snapshot,
            parked: &contents.parked,
            settings: &contents.checks.settings,
            subject: Some(subject),
            now,
        };
        let (report, looked) = self.run(&patient, goes_on);
        if report.is_cut {
            return None;
        }
        let deep = Deep::of(&report, &contents.snapshot);
        Some((Arc::new(contents.checked(report, looked)), Arc::new(deep)))
    }

    /// What the project that the store is about says on what is mentioned; `None` when none is known.
    #[must_use]
    pub fn project(
        &self,
        patient: &Patient<'_>,
        mentions: &[Mentions],
        goes_on: GoesOn<'_>,
    ) -> (Option<Project>, Looked) {
        let root = patient.subject.and_then(|subject| self.project_of(subject));
        let mut looked = Looked { project: root.clone(), ..Looked::default() };
        let project = root.and_then(|root| {
            let instructions = patient.subject.map(|it| self.instructions(it, &root, patient.now));
            match self.look_at(&root, instructions.unwrap_or_default(), (patient, mentions), goes_on) {
                Ok(project) => Some(project),
                Err(problem) => {
                    looked.problem = Some(problem);
                    None
                }
            }
        });
        if let Some(project) = &project {
            looked.reach = project.history.reach.clone();
        }
        (project, looked)
    }

    /// Whether it is known which project a store is about.
    #[must_use]
    pub fn has_project(&self, subject: &Subject) -> bool {
        self.project_of(subject).is_some()
    }

    /// The instructions that sessions of the store load; nothing when its project is not known.
    #[must_use]
    pub fn texts(&self, subject: &Subject, now: Time) -> Vec<Text> {
        self.project_of(subject).map(|root| self.instructions(subject, &root, now)).unwrap_or_default()
    }

    /// The directory of the project that a store is about: the checkout in which its sessions start.
    fn project_of(&self, subject: &Subject) -> Option<PathBuf> {
        let dir = match subject {
            Subject::Client(dir) | Subject::Agent(dir) => dir.clone(),
            Subject::Index(store) => sessions::project_of(store)?,
        };
        let real = DiskPort.real(&dir).ok()?;
        let root = git::root(&DiskPort, &real, &self.usual.launch.rules).checkout;
        Some(root.unwrap_or(real))
    }

    /// The instructions that a session loads at its start, and the rules that wait for a file.
    fn instructions(&self, subject: &Subject, root: &Path, now: Time) -> Vec<Text> {
        let subject = match subject {
            Subject::Index(_) => &Subject::Client(root.to_path_buf()),
            known => known,
        };
        let disk = Within::new(&DiskPort, self.usual.within.as_deref());
        let preview = subject.preview(&disk, &self.env, &self.usual.request(&[], now));
        let sections = preview.sections.iter().filter(|section| section.role != Role::Index);
        let text = |path: &Path, text: String| {
            let path = path.strip_prefix(root).unwrap_or(path);
            Text { path: path.to_string_lossy().into_owned(), text }
        };
        let waiting = preview
            .skipped
            .iter()
            .filter(|skipped| matches!(skipped.reason, crate::prompt::picture::Reason::Conditional(_)));
        let waiting = waiting.filter_map(|skipped| {
            let bytes = disk.read(&skipped.path).ok()?;
            Some(text(&skipped.path, String::from_utf8_lossy(&bytes).into_owned()))
        });
        let loaded = sections.map(|section| text(&section.path, section.body.clone()));
        loaded.chain(waiting).collect()
    }

    /// What the project says about the memories.
    fn look_at(
        &self,
        root: &Path,
        instructions: Vec<Text>,
        (patient, mentions): (&Patient<'_>, &[Mentions]),
        goes_on: GoesOn<'_>,
    ) -> Result<Project, Problem> {
        let cancel = AtomicBool::new(false);
        let told = |step: evidence::Progress| {
            if !goes_on(in_words(step)) {
                cancel.store(true, Ordering::Relaxed);
            }
        };
        // What memories and instructions say of themselves is no evidence for them.
        let mut exclude: Vec<PathBuf> = instructions.iter().map(|text| root.join(&text.path)).collect();
        exclude.push(patient.snapshot.root.clone());
        let options = evidence::Options {
            exclude,
            cache: Some(self.places.cache.join("evidence")).filter(|_| self.keeps),
            git: self.env.var("PATH").and_then(|path| evidence::find_git(OsStr::new(path))),
            ..evidence::Options::default()
        };
        evidence::look(root, &check::wanted(mentions), instructions, &options, &told, &cancel).map_err(
            |error| Problem { what: error.to_string(), hint: "the checks that need it are left out".into() },
        )
    }
}

/// How far the look at the project is.
fn in_words(step: evidence::Progress) -> Progress {
    let share = |done: usize, of: usize, from: usize, to: usize| {
        let share = from + (to - from) * done.min(of) / of.max(1);
        u8::try_from(share).unwrap_or(100)
    };
    match step {
        evidence::Progress::Listing(files) => Progress { percent: 1, what: format!("{files} files") },
        evidence::Progress::Reading { done, of } => {
            Progress { percent: share(done, of, 2, 25), what: format!("{done} of {of} files") }
        }
        evidence::Progress::History { commits, back_to } => {
            let back = back_to.map(|time| format!(", back to {}", time.format("%Y-%m")));
            Progress { percent: 30, what: format!("history: {commits} commits{}", back.unwrap_or_default()) }
        }
        evidence::Progress::Searching { done, of } => {
            Progress { percent: share(done, of, 40, HALF), what: "searching the history".into() }
        }
    }
}

/// So many hundredths of the progress are the look at the project.
const HALF: usize = 60;

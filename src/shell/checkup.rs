//! A store checked against the project that it is about: what the screens' worker and `memcurator check` do.

use crate::app::contents::Contents;
use crate::app::deep::{Deep, Looked, Progress};
use crate::app::model::Problem;
use crate::check::project::{Project, Text};
use crate::check::{self, Depth, Facts, Look, Report, Settings};
use crate::client::disk::DiskPort;
use crate::client::sessions;
use crate::memory::Time;
use crate::memory::index::ParkedLine;
use crate::memory::snapshot::Snapshot;
use crate::prompt::locate::git;
use crate::prompt::picture::Role;
use crate::prompt::port::within::Within;
use crate::prompt::port::{Environment, Port};
use crate::prompt::subject::{Subject, Usual};
use crate::store::Places;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How stores are checked on this machine.
#[derive(Debug, Clone)]
pub struct Checkup {
    /// The process's environment.
    pub env: Environment,
    /// How sessions are started.
    pub usual: Usual,
    /// Where memcurator keeps what is its own.
    pub places: Places,
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
        let root = patient.subject.and_then(|subject| self.project_of(subject));
        let mut looked = Looked { project: root.clone(), ..Looked::default() };
        let project = root.and_then(|root| {
            let instructions = patient.subject.map(|it| self.instructions(it, &root, patient.now));
            match self.look_at(&root, instructions.unwrap_or_default(), patient, goes_on) {
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
        let quick = Look::quick(patient.snapshot, &facts, patient.parked, patient.now, patient.settings);
        let look = Look { project: project.as_ref(), ..quick };
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
        let waiting = preview.skipped.iter().filter(|skipped| {
            matches!(skipped.reason, crate::prompt::picture::Reason::Conditional(_))
        });
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
        _patient: &Patient<'_>,
        _goes_on: GoesOn<'_>,
    ) -> Result<Project, Problem> {
        Ok(Project { root: root.to_path_buf(), instructions, ..Project::default() })
    }
}

/// So many hundredths of the progress are the look at the project.
const HALF: usize = 60;

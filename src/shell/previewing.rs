//! The worker of the Prompt screen: previews, comparisons, searches, files to look at, saving.

use crate::app::action::{Asked, Effect, Outcome};
use crate::app::model::Problem;
use crate::app::preview::page::Page;
use crate::app::preview::report::{Kind, difference};
use crate::app::preview::search;
use crate::client::disk::DiskPort;
use crate::memory::Time;
use crate::memory::text::visible;
use crate::prompt::picture::Preview;
use crate::prompt::port::overlay::Overlay;
use crate::prompt::port::within::Within;
use crate::prompt::port::{Environment, Kind as FileKind, Port};
use crate::prompt::session::Request;
use crate::prompt::subject::{Subject, Usual};
use crate::review::plan::{Content, Plan};
use crate::review::{approve, index_fix};
use crate::shell::Clock;
use crate::shell::proving::Installed;
use crate::shell::worker::{Report, guarded, tell};
use crate::store;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender};

/// How often progress is told: after so many looks at the disk.
const LOOKS_A_STEP: usize = 500;
/// The largest file that is shown, in bytes.
const MAX_SHOWN: u64 = 8 * 1024 * 1024;

/// The worker.
pub(super) struct PreviewWorker {
    /// The process's environment.
    pub(super) env: Environment,
    /// How sessions are started on this machine.
    pub(super) usual: Usual,
    /// The installed client.
    pub(super) installed: Installed,
    /// Where the time comes from.
    pub(super) clock: Clock,
    /// The number of the latest preview that was asked for.
    pub(super) latest: Arc<AtomicU64>,
    /// The number of the latest search.
    pub(super) searched: Arc<AtomicU64>,
    /// Where outcomes go.
    pub(super) reports: Sender<Report>,
}

impl PreviewWorker {
    /// Works until the program leaves.
    pub(super) fn run(self, jobs: &Receiver<Effect>) {
        while let Ok(job) = jobs.recv() {
            let outcome = match job {
                Effect::Preview(asked) => self.preview(&asked),
                Effect::Compare(asked, plan) => Outcome::Compared(guarded(|| self.compare(&asked, &plan))),
                Effect::PlanFix(contents, fixes, now) => {
                    let fix = || index_fix::fix(&contents.snapshot, &contents.parked, now, &fixes);
                    Outcome::FixPlanned(
                        guarded(fix).and_then(|fixed| fixed.map(Box::new).map_err(Problem::from)),
                    )
                }
                Effect::Search(number, page, text) => {
                    let is_stale = self.searched.load(Ordering::SeqCst) != number;
                    let found =
                        if is_stale { Ok(Vec::new()) } else { guarded(|| search::find(&page, &text)) };
                    // A number that was never asked is dropped.
                    Outcome::Found(if is_stale { 0 } else { number }, Arc::new(found.unwrap_or_default()))
                }
                Effect::ReadFile(path) => {
                    let read = guarded(|| read(&path)).and_then(|read| read).map(Arc::new);
                    Outcome::FileRead(path, read)
                }
                Effect::Save { path, base, store, text } => {
                    let saved = guarded(|| self.save(&path, &base, store.as_deref(), &text));
                    Outcome::Saved(saved.and_then(|saved| saved))
                }
                _ => continue,
            };
            tell(&self.reports, outcome, true);
        }
    }

    fn preview(&self, asked: &Asked) -> Outcome {
        let number = asked.number;
        let is_stale = || self.latest.load(Ordering::SeqCst) != number;
        let progress = |looks| tell(&self.reports, Outcome::Previewing(number, looks), false);
        let disk = Within::new(&DiskPort, self.usual.within.as_deref());
        let port =
            Watched { below: &disk, looks: AtomicUsize::new(0), is_stale: &is_stale, progress: &progress };
        let made = guarded(|| {
            let (request, offer) = self.request(asked, self.clock.now());
            let preview = asked.subject.preview(&port, &self.env, &request);
            let preview = self.as_if(&port, asked, preview);
            let mut page = Page::new(asked.subject.clone(), preview, &self.env.home);
            page.offer = offer.filter(|_| matches!(asked.subject, Subject::Client(_)));
            Arc::new(page)
        });
        // One that became stale saw a disk that was cut short.
        Outcome::Previewed(if is_stale() { 0 } else { number }, made)
    }

    /// The session that is previewed, and the version of a client whose words are not known yet.
    fn request(&self, asked: &Asked, now: Time) -> (Request, Option<String>) {
        let open: Vec<PathBuf> =
            asked.open.iter().map(|path| self.path(&path.to_string_lossy(), asked.subject.dir())).collect();
        let (usual, offer) = self.installed.usual(&self.usual, now);
        (usual.request(&open, now), offer)
    }

    /// The preview as if proposals were approved, one after the other.
    fn as_if(&self, disk: &dyn Port, asked: &Asked, now: Preview) -> Preview {
        let Some(dir) = store_of(&now).filter(|_| !asked.as_if.is_empty()) else { return now };
        let Ok(mut snapshot) = store::scan(&dir, &|_| {}) else { return now };
        let mut over = Overlay::new(disk);
        for proposal in &asked.as_if {
            let planned = approve::approve(&snapshot, &[], proposal, false);
            if let Ok(approve::Outcome::Ready(plan)) = planned {
                self.lay(&mut over, &dir, &plan);
                snapshot = approve::after(&snapshot, &plan, self.clock.now());
            }
        }
        asked.subject.preview(&over, &self.env, &self.request(asked, self.clock.now()).0)
    }

    /// Lays what a plan would write over the disk.
    fn lay(&self, over: &mut Overlay<'_>, dir: &Path, plan: &Plan) {
        for change in &plan.changes {
            let path = dir.join(change.path.as_path());
            match &change.after {
                Some(state) => {
                    if let Content::File(bytes) = &state.content {
                        over.write(&path, bytes.to_vec(), Some(self.clock.now()));
                    }
                }
                None => drop(over.remove(&path)),
            }
        }
    }

    fn compare(&self, asked: &Asked, plan: &Plan) -> Vec<(Kind, String)> {
        let (request, _) = self.request(asked, self.clock.now());
        let disk = Within::new(&DiskPort, self.usual.within.as_deref());
        let before = asked.subject.preview(&disk, &self.env, &request);
        let mut over = Overlay::new(&disk);
        if let Some(dir) = store_of(&before) {
            self.lay(&mut over, &dir, plan);
        }
        let after = asked.subject.preview(&over, &self.env, &request);
        told(&before, &after, plan)
    }

    /// A path as a person types it: from `base`, `~/` for the home directory.
    fn path(&self, text: &str, base: &Path) -> PathBuf {
        match text.strip_prefix("~/") {
            Some(rest) => self.env.home.join(rest),
            None => self.env.cwd.join(base).join(text),
        }
    }

    fn save(&self, path: &str, base: &Path, store: Option<&Path>, text: &str) -> Result<PathBuf, Problem> {
        let path = self.path(path, base);
        let problem = |what: String, hint: &str| Problem {
            what: format!("{}: {what}; nothing was saved", path.display()),
            hint: hint.into(),
        };
        let parent = path.parent().map(std::fs::canonicalize);
        let Some(Ok(parent)) = parent else {
            return Err(problem("there is no such directory".into(), "make it first, or give another place"));
        };
        if store.is_some_and(|store| {
            parent.starts_with(store) || DiskPort.real(store).is_ok_and(|it| parent.starts_with(it))
        }) {
            return Err(problem("that is in the store of memories".into(), "give a place outside of it"));
        }
        // What the person reads is private.
        let made = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        let written = made.and_then(|mut file| file.write_all(text.as_bytes()));
        match written {
            Ok(()) => Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(problem("it exists already".into(), "give another name"))
            }
            Err(error) => Err(problem(format!("it can't be written ({error})"), "give another place")),
        }
    }
}

/// The directory of the store that a preview is about.
fn store_of(preview: &Preview) -> Option<PathBuf> {
    let index = preview.index.as_ref().and_then(|index| index.path.parent()).map(Path::to_path_buf);
    preview.memory_dir.clone().or(index)
}

/// What differs, in words first.
fn told(before: &Preview, after: &Preview, plan: &Plan) -> Vec<(Kind, String)> {
    let mut lines = vec![(Kind::Said, format!("if it were done: {}; nothing is written", plan.message))];
    let part = |preview: &Preview| preview.system.clone().unwrap_or_default() + "\n" + &preview.text;
    let (old, new) = (part(before), part(after));
    let units = |text: &str| text.encode_utf16().count();
    let seen = |preview: &Preview| preview.index.as_ref().map_or(0, |index| index.lost.len());
    let differences = difference(&old, &new);
    if differences.is_empty() {
        lines
            .push((Kind::Said, "nothing would change in what the next session is given at its start".into()));
        return lines;
    }
    lines.push((
        Kind::Said,
        format!(
            "{} characters before, {} after; memories not seen: {} before, {} after",
            units(&old),
            units(&new),
            seen(before),
            seen(after)
        ),
    ));
    lines.push((Kind::Said, String::new()));
    lines.extend(differences);
    lines
}

/// The lines of a file, safe to show.
fn read(path: &Path) -> Result<Vec<String>, Problem> {
    let problem = |what: String| Problem {
        what: format!("{}: {what}", path.display()),
        hint: "it is not shown; nothing was changed".into(),
    };
    match DiskPort.kind(path) {
        None => return Err(problem("there is no such file".into())),
        Some(FileKind::File) => {}
        Some(_) => return Err(problem("it is not a regular file".into())),
    }
    let file = std::fs::File::open(path).map_err(|error| problem(format!("it can't be read ({error})")))?;
    let mut bytes = Vec::new();
    let read = file.take(MAX_SHOWN + 1).read_to_end(&mut bytes);
    read.map_err(|error| problem(format!("it can't be read ({error})")))?;
    let too_large = bytes.len() as u64 > MAX_SHOWN;
    let text = String::from_utf8_lossy(&bytes);
    let shown = visible(text.trim_end_matches('\n'), true).replace('\t', "    ");
    let mut lines: Vec<String> = shown.split('\n').map(str::to_owned).collect();
    if too_large {
        lines.push("… the file goes on; what is larger than 8 MB is not shown".into());
    }
    Ok(lines)
}

/// A port that counts what is looked at, tells progress, and shows an empty disk as soon as the question is stale, so
/// that its work ends.
struct Watched<'a> {
    below: &'a dyn Port,
    looks: AtomicUsize,
    is_stale: &'a dyn Fn() -> bool,
    progress: &'a dyn Fn(usize),
}

impl Watched<'_> {
    fn goes_on(&self) -> bool {
        let looks = self.looks.fetch_add(1, Ordering::Relaxed) + 1;
        if looks.is_multiple_of(LOOKS_A_STEP) {
            (self.progress)(looks);
        }
        !(self.is_stale)()
    }

    fn gone<T>() -> io::Result<T> {
        Err(io::ErrorKind::NotFound.into())
    }
}

impl Port for Watched<'_> {
    fn kind(&self, path: &Path) -> Option<FileKind> {
        self.goes_on().then(|| self.below.kind(path)).flatten()
    }

    fn is_link(&self, path: &Path) -> bool {
        self.goes_on() && self.below.is_link(path)
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        if self.goes_on() { self.below.real(path) } else { Self::gone() }
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if self.goes_on() { self.below.read(path) } else { Self::gone() }
    }

    fn size(&self, path: &Path) -> Option<u64> {
        self.goes_on().then(|| self.below.size(path)).flatten()
    }

    fn modified(&self, path: &Path) -> Option<Time> {
        self.goes_on().then(|| self.below.modified(path)).flatten()
    }

    fn list(&self, path: &Path) -> io::Result<Vec<OsString>> {
        if self.goes_on() { self.below.list(path) } else { Self::gone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::port::mem::MemPort;
    use std::cell::Cell;

    #[test]
    fn a_stale_question_sees_no_more_files() {
        let mut below = MemPort::default();
        below.file("/a.md", "a");
        let (stale, told) = (Cell::new(false), Cell::new(0));
        let is_stale = || stale.get();
        let progress = |looks| told.set(looks);
        let port =
            Watched { below: &below, looks: AtomicUsize::new(0), is_stale: &is_stale, progress: &progress };
        let path = Path::new("/a.md");
        for _ in 0..LOOKS_A_STEP {
            assert_eq!(port.kind(path), Some(FileKind::File));
        }
        assert_eq!(told.get(), LOOKS_A_STEP);
        stale.set(true);
        assert!(port.kind(path).is_none() && port.read(path).is_err() && port.list(Path::new("/")).is_err());
    }
}

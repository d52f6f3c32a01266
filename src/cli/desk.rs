//! What the commands about proposals and changes have in common: the store, which need not exist yet, its queue, and
//! how a diff is printed.

use crate::check::Settings;
use crate::check::project::Project;
use crate::check::secrets;
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::client::disk::DiskPort;
use crate::client::surroundings;
use crate::config::Config;
use crate::memory::index::ParkedLine;
use crate::memory::mentions::Mentions;
use crate::memory::snapshot::Snapshot;
use crate::memory::text::lossy;
use crate::prompt::locate::client_store_as;
use crate::prompt::port::{Environment, Kind, Port};
use crate::prompt::subject::{Subject, Usual};
use crate::review::hunks::{self, Fate, Hunk};
use crate::review::proposal::{Proposal, Waiting};
use crate::shell::checkup::{Checkup, Patient};
use crate::store::{Queue, Store};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The store that is meant, with its queue.
pub struct Desk {
    /// The directory of memories.
    pub dir: PathBuf,
    /// Opened, when it exists.
    pub store: Option<Store>,
    /// Its proposals.
    pub queue: Queue,
    /// What it holds; nothing when it does not exist.
    pub snapshot: Snapshot,
    /// Its parked lines.
    pub parked: Vec<ParkedLine>,
    /// What the configuration says about the checks.
    pub settings: Settings,
}

impl Desk {
    /// Opens it, to be looked at alone, or to be changed.
    ///
    /// # Errors
    /// When it is unknown which store is meant, or it can't be read.
    pub fn new(cx: &Context<'_>, changes: bool) -> Result<Self, Failure> {
        let dir = dir(cx)?;
        let queue = Queue::of(&cx.places, &dir);
        if DiskPort.kind(&dir) != Some(Kind::Dir) {
            let snapshot = Snapshot { root: dir.clone(), ..Snapshot::default() };
            let settings = settings(cx)?;
            return Ok(Self { dir, store: None, queue, snapshot, parked: Vec::new(), settings });
        }
        let store = if changes { cx.store()? } else { cx.look()? };
        let snapshot = Snapshot { beside: store.beside()?, ..store.scan(&|_| {})? };
        let parked = store.parked()?;
        let (dir, settings) = (store.root().to_path_buf(), cx.settings(&store)?);
        Ok(Self { dir, store: Some(store), queue, snapshot, parked, settings })
    }

    /// What the project that the store is about says on what proposals mention; `None` when none is known.
    #[must_use]
    pub fn project(&self, cx: &Context<'_>, waiting: &[Waiting]) -> Option<Project> {
        let proposals = waiting.iter().filter_map(Waiting::proposal);
        let mentions: Vec<Mentions> =
            proposals.filter_map(|one| one.memory(cx.now())).map(|memory| Mentions::of(&memory)).collect();
        if mentions.is_empty() {
            return None;
        }
        let located = cx.located().ok()?;
        let subject = match &located.project {
            Some(project) => Subject::of(&located, project),
            None => Subject::Index(located.dir.clone()),
        };
        let managed = surroundings::managed_settings().parent().map(Path::to_path_buf);
        let usual = Usual { launch: cx.launch.clone(), managed, ..Usual::default() };
        let checkup = Checkup { env: cx.env.clone(), usual, places: cx.places.clone(), keeps: false };
        let patient = Patient {
            snapshot: &self.snapshot,
            parked: &self.parked,
            settings: &self.settings,
            subject: Some(&subject),
            now: cx.now(),
        };
        checkup.project(&patient, &mentions, &|_| true).0
    }

    /// The store, made when it does not exist.
    ///
    /// # Errors
    /// When it can't be made.
    pub fn opened(&mut self, cx: &Context<'_>) -> Result<&Store, Failure> {
        let store = match self.store.take() {
            Some(store) => store,
            None => Store::make(&self.dir, &cx.places)?,
        };
        Ok(self.store.insert(store))
    }

    /// The proposal that a word means: its id, the beginning of it, or its memory where only one is about it.
    ///
    /// # Errors
    /// When none or several are meant.
    pub fn proposal<'w>(&self, waiting: &'w [Waiting], word: &str) -> Result<&'w Waiting, Failure> {
        let about = |one: &Waiting| {
            one.proposal().is_some_and(|one| one.target.to_str_lossy() == word || one.target.stem() == word)
        };
        let exact = waiting.iter().find(|one| one.id() == word);
        let found: Vec<&Waiting> = match exact {
            Some(one) => vec![one],
            None => waiting.iter().filter(|one| one.id().starts_with(word) || about(one)).collect(),
        };
        match found.as_slice() {
            [one] => Ok(one),
            [] => Err(Failure::refused(
                format!("no proposal `{word}` waits; nothing was done"),
                "memcurator pending list names those that do",
            )),
            several => {
                let ids: Vec<&str> = several.iter().map(|one| one.id()).collect();
                let what =
                    format!("`{word}` means {} proposals: {}; nothing was done", ids.len(), ids.join(", "));
                Err(Failure::refused(what, "give the id of the one that is meant"))
            }
        }
    }
}

fn settings(cx: &Context<'_>) -> Result<Settings, Failure> {
    Ok(Config::load(cx.common.config.as_deref(), &cx.places.config)?.checks)
}

/// The queue of the store that is meant, without reading the store.
///
/// # Errors
/// When it is unknown which store is meant.
pub fn queue(cx: &Context<'_>) -> Result<Queue, Failure> {
    Ok(Queue::of(&cx.places, &dir(cx)?))
}

/// The queue of the store that is meant, when that does not exist and there are proposals about it.
pub fn queue_without_store(cx: &Context<'_>) -> Option<(PathBuf, Queue)> {
    let dir = dir(cx).ok().filter(|dir| DiskPort.kind(dir).is_none())?;
    let queue = Queue::of(&cx.places, &dir);
    queue.targets().is_ok_and(|targets| !targets.is_empty()).then_some((dir, queue))
}

/// The directory of the store that is meant, which need not exist: that of `--store`, else where the client would keep
/// the project's.
fn dir(cx: &Context<'_>) -> Result<PathBuf, Failure> {
    let missing = match cx.located() {
        Ok(located) => return Ok(located.dir),
        Err(failure) => failure,
    };
    if let Some(dir) = &cx.common.store {
        let dir = cx.env.cwd.join(dir);
        return if DiskPort.kind(&dir).is_none() {
            Ok(crate::prompt::locate::path::normal(&dir))
        } else {
            Err(missing)
        };
    }
    let project = cx.env.cwd.join(cx.common.project.as_deref().unwrap_or(Path::new(".")));
    match DiskPort.kind(&project) {
        Some(Kind::Dir) => {
            let there = Environment { cwd: DiskPort.real(&project).unwrap_or(project), ..cx.env.clone() };
            Ok(client_store_as(&DiskPort, &there, &cx.launch).dir)
        }
        _ => Err(missing),
    }
}

/// The proposals among what waits.
pub fn proposals(waiting: &[Waiting]) -> Vec<Proposal> {
    waiting.iter().filter_map(Waiting::proposal).cloned().collect()
}

/// The lines of a diff with a sign each, every part under its number; a line that changed shows its words.
pub fn diff_lines(old: &[u8], new: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, hunk) in (1..).zip(hunks::hunks(old, new)) {
        lines.push(format!("  part {number}, line {}", hunk.new.start + 1));
        let (was, is) = (hunks::text(old, &hunk.old), hunks::text(new, &hunk.new));
        let (was, is) = (lossy(&was), lossy(&is));
        let (was, is) = (secrets::mask(&was), secrets::mask(&is));
        if hunk.old.len() == 1 && hunk.new.len() == 1 {
            let words = hunks::words(was.trim_end(), is.trim_end());
            let same: usize =
                words.iter().filter(|(fate, _)| *fate == Fate::Same).map(|(_, text)| text.len()).sum();
            if same * 2 > is.len() {
                let marked = words.iter().map(|(fate, text)| match fate {
                    Fate::Same => text.clone(),
                    Fate::Gone => format!("[-{text}-]"),
                    Fate::New => format!("{{+{text}+}}"),
                });
                lines.push(format!("  ~ {}", marked.collect::<String>()));
                continue;
            }
        }
        lines.extend(was.lines().map(|line| format!("  - {line}")));
        lines.extend(is.lines().map(|line| format!("  + {line}")));
    }
    lines
}

/// A diff as JSON: its parts, with the lines of both sides.
pub fn diff_json(old: &[u8], new: &[u8]) -> Value {
    let side = |bytes: &[u8], range: &std::ops::Range<usize>| json!({ "line": range.start + 1, "text": secrets::mask(&lossy(&hunks::text(bytes, range))) });
    let part = |hunk: &Hunk| json!({ "old": side(old, &hunk.old), "new": side(new, &hunk.new) });
    hunks::hunks(old, new).iter().map(part).collect()
}

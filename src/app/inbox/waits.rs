//! What waits for a person, as a worker read it.

use crate::app::contents::{Contents, one_line};
use crate::check::Severity;
use crate::memory::Time;
use crate::memory::document::Document;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Memory;
use crate::prompt::subject::Subject;
use crate::review::approve::is_done_with;
use crate::review::changes::{Change, Changes, Elsewhere, Kind};
use crate::review::gate::{Gate, Mark};
use crate::review::proposal::{Action, Faulty, Proposal, Waiting};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// What the worker of the inbox is asked.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Its number; a later one makes it void.
    pub number: u64,
    /// The store's directory.
    pub dir: PathBuf,
    /// What it holds.
    pub contents: Arc<Contents>,
    /// Whose sessions use it.
    pub subject: Subject,
}

/// What the gate says of some proposals, by their ids.
#[derive(Debug, Default)]
pub struct Gated {
    /// The answers.
    pub gates: Vec<(String, Arc<Gate>)>,
    /// How many of all have their final answer.
    pub done: usize,
    /// Every proposal has its final answer.
    pub is_complete: bool,
}

/// Everything that waits.
#[derive(Debug, Clone, Default)]
pub struct Waits {
    /// Proposals, then changes.
    pub items: Vec<Item>,
    /// Proposals that were rejected, the latest first.
    pub rejected: Vec<Item>,
    /// What others changed; `None`: no review was started.
    pub changes: Option<Arc<Changes>>,
    /// When the last review was.
    pub since: Option<Time>,
}

/// By which one is known again.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// A proposal that waits.
    Proposal(String),
    /// A proposal that was rejected.
    Rejected(String),
    /// A change of a file.
    Change(RelPath),
}

/// One that waits.
#[derive(Debug, Clone)]
pub struct Item {
    /// By which it is known again.
    pub key: Key,
    /// What it is.
    pub what: What,
    /// `+`, `~`, `-`, `>` for a rename, `!` for a fault.
    pub sign: &'static str,
    /// The memory's name, safe to show.
    pub title: String,
    /// Its type, safe to show; may be empty.
    pub kind: String,
    /// Who did it, safe to show.
    pub origin: String,
    /// When.
    pub time: Option<Time>,
    /// The text before.
    pub old: Arc<[u8]>,
    /// The text after.
    pub new: Arc<[u8]>,
    /// Whether it can simply be taken.
    pub standing: Standing,
}

/// What waits.
#[derive(Debug, Clone)]
pub enum What {
    /// A proposal.
    Proposal(Arc<Proposal>),
    /// Files that are no proposal.
    Faulty(Faulty),
    /// A change: its place in [`Changes::list`].
    Change(usize),
}

/// How one stands to the store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Standing {
    /// It can be taken.
    #[default]
    Ready,
    /// The store is so already.
    Done,
    /// The memory is not the version it was made on, in these words.
    Stale(String),
    /// The same, and both changes go together: what is shown is the proposal on the present version.
    Merged(String),
    /// It can't be read, in these words.
    Faulty(String),
    /// It was rejected, in these words.
    Rejected(String),
}

/// A rejected proposal with what is known of the rejection.
#[derive(Debug, Clone)]
pub struct Returned {
    /// What it was.
    pub what: Waiting,
    /// When it was rejected.
    pub time: Option<Time>,
    /// Why, in the person's words.
    pub reason: Option<String>,
}

impl Waits {
    /// Puts together what was read. `beside` are files that proposals are about and that are no memories. `merged` gives a proposal that was made on an older version anew on the present one,
    /// where both changed other lines.
    #[must_use]
    pub fn of(
        contents: &Contents,
        beside: &[Arc<Memory>],
        waiting: Vec<Waiting>,
        rejected: Vec<Returned>,
        changes: Option<Changes>,
        since: Option<Time>,
        merged: &dyn Fn(&Proposal, &[u8]) -> Option<Proposal>,
    ) -> Self {
        let snapshot = &contents.snapshot;
        let files = snapshot.memories.iter().chain(beside);
        let mut here: HashMap<&RelPath, &Arc<[u8]>> =
            files.map(|memory| (&memory.path, &memory.bytes)).collect();
        let index = RelPath::index();
        here.extend(snapshot.index.as_ref().map(|file| (&index, &file.bytes)));
        let mut items: Vec<Item> = waiting.into_iter().map(|one| waiting_item(one, &here, merged)).collect();
        let changes = changes.map(Arc::new);
        for (at, change) in changes.iter().flat_map(|changes| changes.list.iter().enumerate()) {
            items.push(change_item(at, change));
        }
        let rejected = rejected.into_iter().map(|one| rejected_item(one, &here)).collect();
        Self { items, rejected, changes, since }
    }

    /// How many proposals wait, faulty ones too.
    #[must_use]
    pub fn proposals(&self) -> usize {
        self.items.iter().filter(|item| !matches!(item.what, What::Change(_))).count()
    }

    /// The change that an item is.
    #[must_use]
    pub fn change(&self, item: &Item) -> Option<&Change> {
        match item.what {
            What::Change(at) => self.changes.as_ref()?.list.get(at),
            _ => None,
        }
    }
}

impl Item {
    /// The proposal, when it is one.
    #[must_use]
    pub fn proposal(&self) -> Option<&Arc<Proposal>> {
        match &self.what {
            What::Proposal(proposal) => Some(proposal),
            _ => None,
        }
    }

    /// The memory that it is about.
    #[must_use]
    pub fn path<'a>(&'a self, waits: &'a Waits) -> Option<&'a RelPath> {
        match &self.what {
            What::Proposal(proposal) => Some(&proposal.target),
            What::Faulty(_) => None,
            What::Change(_) => waits.change(self).map(|change| &change.path),
        }
    }

    /// One word for how it stands, and what matters most about it, safe to show; with how bad that is.
    #[must_use]
    pub fn verdict(&self, waits: &Waits, gate: Option<&Gate>, contents: &Contents) -> (String, String, Mark) {
        match &self.standing {
            Standing::Faulty(why) => return ("faulty".into(), why.clone(), Mark::Fail),
            Standing::Done => return ("done".into(), "the store is so already".into(), Mark::Pass),
            Standing::Stale(why) => return ("stale".into(), why.clone(), Mark::Fail),
            Standing::Rejected(why) => return ("rejected".into(), why.clone(), Mark::Pass),
            Standing::Merged(_) | Standing::Ready => {}
        }
        if let Some(change) = waits.change(self) {
            return change_verdict(change, contents);
        }
        let Some(gate) = gate else { return ("…".into(), String::new(), Mark::Nearly) };
        let against = gate.verdicts.iter().filter(|verdict| verdict.mark > Mark::Pass);
        let worst = against.max_by_key(|verdict| (verdict.mark, std::cmp::Reverse(verdict.question)));
        let says = match (&self.standing, worst) {
            (_, Some(verdict)) => verdict.says.clone(),
            (Standing::Merged(why), None) => why.clone(),
            _ => String::new(),
        };
        (gate.mark.as_str().into(), says, gate.mark)
    }
}

fn change_verdict(change: &Change, contents: &Contents) -> (String, String, Mark) {
    let word = match &change.kind {
        Kind::Added => "added",
        Kind::Changed | Kind::Index => "changed",
        Kind::Deleted => "deleted",
        Kind::Renamed { .. } => "renamed",
    };
    let says = match (&change.moved_to, &change.kind) {
        (Some(Elsewhere::Memory(path)), _) => format!("its text is in {path} now"),
        (Some(Elsewhere::Instructions(path)), _) => format!("its text is in {path} now"),
        (None, Kind::Renamed { from }) => format!("was {from}"),
        (None, _) => String::new(),
    };
    let here = contents.find(&change.path).and_then(|at| contents.entries.get(at));
    let found =
        here.into_iter().flat_map(|entry| &entry.findings).filter_map(|at| contents.findings.get(*at));
    let worst = found
        .filter(|one| change.new.is_some() && one.severity > Severity::Info)
        .max_by_key(|one| one.severity);
    match worst {
        Some(finding) => {
            let mark = if finding.severity == Severity::Error { Mark::Fail } else { Mark::Nearly };
            (word.into(), one_line(&finding.message), mark)
        }
        None => {
            let mark = if change.kind == Kind::Deleted { Mark::Nearly } else { Mark::Pass };
            (word.into(), one_line(&says), mark)
        }
    }
}

fn waiting_item(
    one: Waiting,
    here: &HashMap<&RelPath, &Arc<[u8]>>,
    merged: &dyn Fn(&Proposal, &[u8]) -> Option<Proposal>,
) -> Item {
    let nothing = || -> Arc<[u8]> { Arc::from([].as_slice()) };
    let proposal = match one {
        Waiting::Proposal(proposal) => *proposal,
        Waiting::Faulty(faulty) => {
            return Item {
                key: Key::Proposal(faulty.id.clone()),
                sign: "!",
                title: one_line(&faulty.id),
                kind: String::new(),
                origin: String::new(),
                time: None,
                old: nothing(),
                new: faulty.bytes.clone().unwrap_or_else(nothing),
                standing: Standing::Faulty(one_line(&faulty.fault)),
                what: What::Faulty(faulty),
            };
        }
    };
    let current = here.get(&proposal.target).map(|bytes| Arc::clone(bytes));
    let (proposal, standing) = standing(proposal, current.as_ref(), merged);
    let old = current.unwrap_or_else(nothing);
    let shown =
        if proposal.action == Action::Delete { &old } else { proposal.bytes.as_ref().unwrap_or(&old) };
    Item {
        key: Key::Proposal(proposal.id.clone()),
        sign: match proposal.action {
            Action::Add => "+",
            Action::Change => "~",
            Action::Delete => "-",
        },
        title: if proposal.is_memory() {
            title(shown, &proposal.target)
        } else {
            one_line(&proposal.title())
        },
        kind: if proposal.is_memory() { kind(shown) } else { String::new() },
        origin: one_line(&proposal.origin.words()),
        time: proposal.time,
        new: proposal.bytes.clone().unwrap_or_else(nothing),
        old,
        standing,
        what: What::Proposal(Arc::new(proposal)),
    }
}

/// How a proposal stands to the present version; one that can be put together with it is made anew on it.
fn standing(
    proposal: Proposal,
    current: Option<&Arc<[u8]>>,
    merged: &dyn Fn(&Proposal, &[u8]) -> Option<Proposal>,
) -> (Proposal, Standing) {
    if is_done_with(current, &proposal) {
        return (proposal, Standing::Done);
    }
    let why = match (proposal.action, current) {
        (Action::Add, None) => return (proposal, Standing::Ready),
        (Action::Add, Some(_)) if proposal.alone => "there is such a file by now",
        (Action::Add, Some(_)) => "there is a memory in this file by now",
        (_, None) if proposal.alone => "the file was deleted since this was proposed",
        (_, None) => "the memory was deleted since this was proposed",
        (_, Some(bytes)) if proposal.base.as_deref() == Some(&*crate::review::proposal::sha256(bytes)) => {
            return (proposal, Standing::Ready);
        }
        (_, Some(_)) if proposal.alone => "the file was changed since this was proposed",
        (_, Some(_)) => "the memory was changed since this was proposed",
    };
    match current.and_then(|current| merged(&proposal, current)) {
        Some(anew) => (anew, Standing::Merged(format!("{why}: this is both together"))),
        None => (proposal, Standing::Stale(why.into())),
    }
}

fn rejected_item(one: Returned, here: &HashMap<&RelPath, &Arc<[u8]>>) -> Item {
    let mut item = waiting_item(one.what, here, &|_, _| None);
    if let Key::Proposal(id) = item.key {
        item.key = Key::Rejected(id);
    }
    let when = one.time.map(|time| time.format("%Y-%m-%d").to_string()).unwrap_or_default();
    let why = one.reason.as_deref().map(|why| format!(" {}", one_line(why))).unwrap_or_default();
    item.standing = Standing::Rejected(format!("{when}{why}"));
    item
}

fn change_item(at: usize, change: &Change) -> Item {
    let (old, new) = change.texts();
    let shown = if change.new.is_some() { &new } else { &old };
    let session = change.origin.session.as_deref().map(|session| {
        let short: String = session.chars().take(8).collect();
        let branch =
            change.origin.branch.as_deref().map(|branch| format!(", on {branch}")).unwrap_or_default();
        format!("session {short}{branch}")
    });
    Item {
        key: Key::Change(change.path.clone()),
        what: What::Change(at),
        sign: match change.kind {
            Kind::Added => "+",
            Kind::Changed | Kind::Index => "~",
            Kind::Deleted => "-",
            Kind::Renamed { .. } => ">",
        },
        title: if change.kind == Kind::Index { "the index".into() } else { change.title.clone() },
        kind: if change.kind == Kind::Index { String::new() } else { kind(shown) },
        origin: one_line(&session.unwrap_or_else(|| "origin not known".into())),
        time: change.time,
        old: old.into(),
        new: new.into(),
        standing: Standing::Ready,
    }
}

fn title(bytes: &[u8], path: &RelPath) -> String {
    let name = Document::parse(bytes).header.name;
    one_line(
        &name.filter(|name| !name.trim().is_empty()).map_or_else(|| path.stem().into_owned(), String::from),
    )
}

fn kind(bytes: &[u8]) -> String {
    match Document::parse(bytes).header.kind {
        crate::memory::document::MemoryType::Missing => String::new(),
        kind => one_line(kind.as_str()),
    }
}

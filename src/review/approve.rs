//! Approving a proposal: the memory and its line of the index, planned on the store as it is.

use crate::memory::Time;
use crate::memory::document::Document;
use crate::memory::index::{Index, NewEntry, ParkedLine};
use crate::memory::path::RelPath;
use crate::memory::snapshot::{IndexFile, Memory, Snapshot, Stat};
use crate::memory::text::{one_line, visible};
use crate::review::conflict::{self, Piece};
use crate::review::edit::state;
use crate::review::index_file::IndexTarget;
use crate::review::new::{self, Habit};
use crate::review::plan::{Change, Content, FileState, Plan, Refusal, Verb};
use crate::review::proposal::{Action, Proposal, sha256};
use crate::review::prune;
use crate::review::rename::free;
use std::sync::Arc;

mod alone;
mod index;
mod index_line;
mod into;

pub use into::into;

/// How a proposal stands to the store.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// It can be approved: this would be done.
    Ready(Box<Plan>),
    /// It is done already: the store holds what it would make, as after a crash, or since someone else did it.
    Done,
    /// The store is not as it was when it was made: a person has to look.
    Stale(Stale),
}

/// A proposal whose base changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stale {
    /// What changed, in words.
    pub why: String,
    /// What the store holds now; `None`: nothing.
    pub current: Option<Arc<[u8]>>,
}

/// Plans a proposal. With `anyway` a version that changed meanwhile is replaced all the same.
///
/// # Errors
/// When the path is taken in another letter case, the file is a link, or the index could not be edited safely.
pub fn approve(
    snapshot: &Snapshot,
    parked: &[ParkedLine],
    proposal: &Proposal,
    anyway: bool,
) -> Result<Outcome, Refusal> {
    if proposal.target.is_index() && !proposal.alone {
        return index::approve(snapshot, proposal, anyway);
    }
    let here = snapshot.memories.iter().find(|memory| memory.path == proposal.target);
    if here.is_none() && snapshot.is_hidden(&proposal.target) {
        return Err(Refusal {
            what: format!("{} can't be read, so nothing was done", shown(&proposal.target)),
            hint: "make it readable first".into(),
        });
    }
    if proposal.alone {
        return alone::approve(snapshot, proposal, anyway);
    }
    if let Some(link) = here.and_then(|memory| memory.stat.link.as_ref()) {
        return Err(Refusal {
            what: format!(
                "{} is a link to {}, which is never written through; nothing was done",
                shown(&proposal.target),
                visible(&link.target.to_string_lossy(), false)
            ),
            hint: "replace the link by a file first".into(),
        });
    }
    if is_done(here, proposal) {
        return Ok(Outcome::Done);
    }
    let stale = |why: &str| {
        let why = format!("{} {why} since this was proposed", shown(&proposal.target));
        Outcome::Stale(Stale { why, current: here.map(|memory| memory.bytes.clone()) })
    };
    let bytes = || proposal.bytes.clone().unwrap_or_else(|| Arc::from([].as_slice()));
    let planned = match (proposal.action, here) {
        (Action::Add, Some(_)) if !anyway => return Ok(stale("was written by someone else")),
        (Action::Change, None) if !anyway => return Ok(stale("was deleted")),
        (Action::Change | Action::Delete, Some(memory))
            if !anyway && proposal.base.as_deref() != Some(&*sha256(&memory.bytes)) =>
        {
            return Ok(stale("was changed"));
        }
        (Action::Add | Action::Change, Some(memory)) => change(snapshot, memory, bytes(), proposal)?,
        (Action::Add | Action::Change, None) => add(snapshot, bytes(), proposal)?,
        (Action::Delete, _) => prune::delete(snapshot, parked, std::slice::from_ref(&proposal.target))?,
    };
    Ok(Outcome::Ready(Box::new(Plan { message: message(proposal), ..planned })))
}

/// The proposal and what others changed meanwhile, put together, when the version it was made on is known: pieces to
/// choose from where both changed the same lines.
#[must_use]
pub fn rebase(proposal: &Proposal, base: &[u8], current: &[u8]) -> Vec<Piece> {
    conflict::pieces(base, proposal.bytes.as_deref().unwrap_or_default(), current)
}

/// The proposal made anew on another version, with these bytes: a person looked at both.
#[must_use]
pub fn on_version(proposal: &Proposal, current: &[u8], bytes: Vec<u8>) -> Proposal {
    let action = if proposal.action == Action::Add { Action::Change } else { proposal.action };
    Proposal { action, base: Some(sha256(current)), bytes: Some(bytes.into()), ..proposal.clone() }
}

/// The store as it would be after a plan: for the preview "as if approved".
#[must_use]
pub fn after(snapshot: &Snapshot, plan: &Plan, now: Time) -> Snapshot {
    let mut then = snapshot.clone();
    for change in &plan.changes {
        let stat =
            |state: &FileState| Stat { mtime: state.mtime.unwrap_or(now), mode: state.mode, link: None };
        let file = match &change.after {
            Some(FileState { content: Content::File(bytes), .. }) => Some(Arc::clone(bytes)),
            _ => None,
        };
        if change.path.is_index() {
            then.index = file.zip(change.after.as_ref()).map(|(bytes, state)| {
                let index = Index::parse(&bytes);
                Arc::new(IndexFile { bytes, index, stat: stat(state) })
            });
            continue;
        }
        let list = if change.path.is_listed() { &mut then.memories } else { &mut then.beside };
        list.retain(|memory| memory.path != change.path);
        if let Some((bytes, state)) = file.zip(change.after.as_ref()) {
            let at = list.partition_point(|memory| memory.path < change.path);
            let (path, document) = (change.path.clone(), Document::parse(&bytes));
            list.insert(at, Arc::new(Memory { path, bytes, document, stat: stat(state) }));
        }
    }
    then
}

/// Whether the store holds already what the proposal would make.
#[must_use]
pub fn is_done(here: Option<&Arc<Memory>>, proposal: &Proposal) -> bool {
    is_done_with(here.map(|memory| &memory.bytes), proposal)
}

/// As [`is_done`], of a file with these bytes.
#[must_use]
pub fn is_done_with(here: Option<&Arc<[u8]>>, proposal: &Proposal) -> bool {
    match proposal.action {
        Action::Delete => here.is_none(),
        Action::Add | Action::Change => here.is_some() && here == proposal.bytes.as_ref(),
    }
}

fn add(snapshot: &Snapshot, bytes: Arc<[u8]>, proposal: &Proposal) -> Result<Plan, Refusal> {
    free(snapshot, &proposal.target, None)?;
    let mode = Habit::of(snapshot).mode;
    let header = Document::parse(&bytes).header;
    let title = proposal.title();
    let hook = one_line(header.description.as_deref().unwrap_or_default());
    let line = NewEntry {
        path: &proposal.target,
        title: &title,
        hook: &hook,
        kind: &header.kind,
        verbatim: proposal.index_line.as_deref(),
    };
    let mut warnings = Vec::new();
    let index = new::index_change(snapshot, &line, &bytes, &mut warnings)?;
    let after = FileState { content: Content::File(bytes), mode, mtime: None };
    let mut changes = vec![Change { path: proposal.target.clone(), before: None, after: Some(after) }];
    changes.extend(index);
    Ok(Plan { verb: Verb::New, message: String::new(), changes, outside: Vec::new(), parked: None, warnings })
}

fn change(
    snapshot: &Snapshot,
    memory: &Arc<Memory>,
    bytes: Arc<[u8]>,
    proposal: &Proposal,
) -> Result<Plan, Refusal> {
    let mut warnings = Vec::new();
    let after = FileState { content: Content::File(Arc::clone(&bytes)), mode: memory.stat.mode, mtime: None };
    let mut changes =
        vec![Change { path: memory.path.clone(), before: Some(state(memory)), after: Some(after) }];
    if let Some(target) = IndexTarget::of(snapshot)?
        && !target.is_at(&memory.path)
        && let Some(index) =
            index_line::follow(snapshot, memory, &bytes, proposal, &target.bytes, &mut warnings)
    {
        changes.extend(target.change(index));
    }
    Ok(Plan {
        verb: Verb::Edit,
        message: String::new(),
        changes,
        outside: Vec::new(),
        parked: None,
        warnings,
    })
}

fn message(proposal: &Proposal) -> String {
    let what = match proposal.action {
        Action::Add if proposal.alone => "a new file",
        Action::Add => "a new memory",
        Action::Change => "a change of",
        Action::Delete => "the deletion of",
    };
    let (title, origin) = (one_line(&proposal.title()), one_line(&proposal.origin.words()));
    match proposal.action {
        Action::Add => format!("approved {what}: {title} (proposed by {origin})"),
        _ => format!("approved {what} {title} (proposed by {origin})"),
    }
}

fn shown(path: &RelPath) -> String {
    visible(&path.to_str_lossy(), false).into_owned()
}

#[cfg(test)]
mod tests;

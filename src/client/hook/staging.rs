//! What becomes of a write that is staged: proposals put into the queue, put in place of earlier ones, or withdrawn. All
//! that one session writes of a memory is one proposal; a line of the index that is about such a memory goes with it.

use crate::client::writes::Write;
use crate::memory::Time;
use crate::memory::diff;
use crate::memory::index::{Index, Target};
use crate::memory::path::RelPath;
use crate::review::conflict::{self, Piece};
use crate::review::proposal::{Action, MAX_BYTES, Origin, Proposal, sha256};
use crate::review::stamp::{stamp, unstamped};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The word for what the hook staged, as the origin of a proposal.
pub const KIND: &str = "hook";

/// What is to be done to the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A proposal; one with an id takes the place of the one that waits under it.
    Put(Box<Proposal>),
    /// The proposal of this id is void: the agent took it back itself.
    Withdraw(String),
}

/// What is known when something is staged.
#[derive(Debug)]
pub struct Ground<'a> {
    /// What this session staged before and waits still.
    pub staged: &'a [Proposal],
    /// The session.
    pub session: Option<&'a str>,
    /// The time of the write.
    pub now: Time,
}

/// The index as an agent believes it to be, and what it stood on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct View {
    /// The index on the disk, when it was looked at last.
    pub base: Vec<u8>,
    /// The index with what the agent wrote.
    pub text: Vec<u8>,
}

impl Ground<'_> {
    /// What waits about a file.
    #[must_use]
    pub fn waiting(&self, path: &RelPath) -> Option<&Proposal> {
        self.staged.iter().find(|one| one.target == *path)
    }

    /// Stages a write of a memory; `disk` is what the store holds of it. No step: it holds this already.
    ///
    /// # Errors
    /// Why it can't be put together, in words.
    pub fn memory(
        &self,
        path: &RelPath,
        write: &Write,
        disk: Option<&Arc<[u8]>>,
    ) -> Result<Vec<Step>, String> {
        let before = self.waiting(path);
        let text = match before {
            None => apply(write, disk.map(|bytes| &**bytes))?,
            Some(before) => self.again(before, write, disk.map(|bytes| &**bytes))?,
        };
        if text.trim().is_empty() {
            return match (before, disk) {
                (None, None) => Err("an empty memory says nothing".into()),
                _ => Ok(self.deletion(path, disk)),
            };
        }
        if text.len() > MAX_BYTES {
            return Err(format!("a memory of more than {MAX_BYTES} bytes is not kept"));
        }
        if disk.is_some_and(|disk| **disk == *text.as_bytes()) {
            return Ok(before.map(|before| Step::Withdraw(before.id.clone())).into_iter().collect());
        }
        let bytes: Arc<[u8]> = stamp(text.as_bytes(), self.session, self.now).into();
        let (action, base) = match disk {
            Some(disk) => (Action::Change, Some(sha256(disk))),
            None => (Action::Add, None),
        };
        let mut steps = Vec::new();
        let mut proposal = self.proposal(path, action, base, Some(bytes));
        match before {
            // Its files differ in kind: a deletion has no text.
            Some(before) if before.action == Action::Delete => steps.push(Step::Withdraw(before.id.clone())),
            Some(before) => {
                proposal.id.clone_from(&before.id);
                proposal.index_line.clone_from(&before.index_line);
            }
            None => {}
        }
        steps.push(Step::Put(Box::new(proposal)));
        Ok(steps)
    }

    /// Stages the deletion of a memory.
    #[must_use]
    pub fn deletion(&self, path: &RelPath, disk: Option<&Arc<[u8]>>) -> Vec<Step> {
        let before = self.waiting(path);
        if before.is_some_and(|before| before.action == Action::Delete) {
            return Vec::new();
        }
        let mut steps: Vec<Step> =
            before.map(|before| Step::Withdraw(before.id.clone())).into_iter().collect();
        if let Some(disk) = disk {
            let proposal = self.proposal(path, Action::Delete, Some(sha256(disk)), None);
            steps.push(Step::Put(Box::new(proposal)));
        }
        steps
    }

    /// Stages a write of the index: `view` becomes what the agent believes the index to be, see [`Ground::index`].
    ///
    /// # Errors
    /// Why it can't be put together, in words.
    pub fn index_write(&self, view: &mut View, write: &Write) -> Result<Vec<Step>, String> {
        let whole = |bytes: &[u8], is_there: bool| apply(write, is_there.then_some(bytes));
        let is_there = !view.text.is_empty();
        let text = match whole(&view.text, is_there) {
            Ok(text) => text,
            // The agent has read what is on the disk since.
            Err(why) if view.base != view.text => {
                let on_disk = whole(&view.base, !view.base.is_empty()).map_err(|_| why)?;
                merged(&view.base, &view.text, on_disk.as_bytes())?
            }
            Err(why) => return Err(why),
        };
        if text.len() > MAX_BYTES {
            return Err(format!("an index of more than {MAX_BYTES} bytes is not kept"));
        }
        view.text = text.into_bytes();
        Ok(self.index(view))
    }

    /// Divides what an agent made of the index: lines about memories that wait go with them, the rest is a change of the
    /// index.
    #[must_use]
    pub fn index(&self, view: &View) -> Vec<Step> {
        let (old, new) = (lines(&view.base), lines(&view.text));
        let (old_names, new_names) = (names(&view.base, old.len()), names(&view.text, new.len()));
        let waits = |path: &RelPath, action: fn(Action) -> bool| {
            self.staged.iter().find(|one| one.target == *path && !path.is_index() && action(one.action))
        };
        let mut told: BTreeMap<&str, (&Proposal, String)> = BTreeMap::new();
        let mut rest: Vec<u8> = Vec::with_capacity(view.text.len());
        let mut at = 0;
        let keys =
            |lines: &[&[u8]]| lines.iter().map(|line| line.trim_ascii_end().to_vec()).collect::<Vec<_>>();
        for (from, to) in diff::changes(&keys(&old), &keys(&new)) {
            rest.extend(old.get(at..from.start).unwrap_or_default().concat());
            let mut taken = Vec::new();
            for line in to {
                let text = new.get(line).copied().unwrap_or_default();
                let named = new_names.get(line).and_then(Option::as_ref);
                let about = named.and_then(|path| waits(path, |action| action != Action::Delete));
                match about.zip(std::str::from_utf8(text).ok()) {
                    Some((proposal, text)) => {
                        told.insert(&proposal.id, (proposal, text.trim().to_owned()));
                        taken.push(&proposal.target);
                    }
                    None => push_line(&mut rest, text),
                }
            }
            for line in from.clone() {
                let text = old.get(line).copied().unwrap_or_default();
                let named = old_names.get(line).and_then(Option::as_ref);
                // The change or the deletion of that memory sees to its line.
                let stays = named.is_some_and(|path| {
                    taken.contains(&path) || waits(path, |action| action == Action::Delete).is_some()
                });
                if stays {
                    push_line(&mut rest, text);
                }
            }
            at = from.end;
        }
        rest.extend(old.get(at..).unwrap_or_default().concat());
        let mut steps: Vec<Step> = told
            .into_values()
            .filter(|(proposal, line)| proposal.index_line.as_ref() != Some(line) && !line.is_empty())
            .map(|(proposal, line)| {
                Step::Put(Box::new(Proposal { index_line: Some(line), ..proposal.clone() }))
            })
            .collect();
        let index = RelPath::index();
        let before = self.waiting(&index);
        if rest.trim_ascii() == view.base.trim_ascii() || rest.trim_ascii().is_empty() {
            steps.extend(before.map(|before| Step::Withdraw(before.id.clone())));
            return steps;
        }
        let (action, base) = match view.base.is_empty() {
            true => (Action::Add, None),
            false => (Action::Change, Some(sha256(&view.base))),
        };
        let mut proposal = self.proposal(&index, action, base, Some(rest.into()));
        if let Some(before) = before {
            if before.bytes == proposal.bytes && before.base == proposal.base {
                return steps;
            }
            proposal.id.clone_from(&before.id);
        }
        steps.push(Step::Put(Box::new(proposal)));
        steps
    }

    /// A write of what this session staged before: onto what waits, else onto what the agent wrote itself, else, since it
    /// can only read the disk, onto the disk, put together with what waits.
    fn again(&self, before: &Proposal, write: &Write, disk: Option<&[u8]>) -> Result<String, String> {
        let Some(waits) = before.bytes.as_deref() else { return apply(write, None) };
        let why = match apply(write, Some(waits)) {
            Ok(text) => return Ok(text),
            Err(why) => why,
        };
        if let Ok(text) = apply(write, Some(&unstamped(waits, self.session))) {
            return Ok(text);
        }
        let Some(disk) = disk else { return Err(why) };
        let on_disk = apply(write, Some(disk)).map_err(|_| why)?;
        merged(disk, waits, on_disk.as_bytes())
    }

    fn proposal(
        &self,
        path: &RelPath,
        action: Action,
        base: Option<String>,
        bytes: Option<Arc<[u8]>>,
    ) -> Proposal {
        Proposal {
            id: String::new(),
            action,
            target: path.clone(),
            base,
            origin: Origin {
                kind: KIND.into(),
                session: self.session.map(str::to_owned),
                branch: None,
                by: None,
            },
            time: Some(self.now),
            reason: None,
            index_line: None,
            bytes,
            alone: false,
            notes: Vec::new(),
        }
    }
}

impl View {
    /// The view on the index as it is on the disk now: what the agent wrote stays, as far as others did not change the same
    /// lines meanwhile.
    #[must_use]
    pub fn on(self, disk: &[u8]) -> Self {
        if self.base == disk {
            return self;
        }
        let text = merged(&self.base, &self.text, disk).map_or_else(|_| disk.to_vec(), String::into_bytes);
        Self { base: disk.to_vec(), text }
    }

    /// Whether a write only adds lines, as a new memory does.
    #[must_use]
    pub fn only_grows(before: &[u8], after: &[u8]) -> bool {
        let (old, new) = (lines(before), lines(after));
        let keys =
            |lines: &[&[u8]]| lines.iter().map(|line| line.trim_ascii_end().to_vec()).collect::<Vec<_>>();
        let mut changes = diff::changes(&keys(&old), &keys(&new)).into_iter();
        changes.all(|(from, _)| {
            from.clone().all(|line| old.get(line).is_none_or(|line| line.trim_ascii().is_empty()))
        })
    }
}

/// A write applied to bytes, in words why it can't be.
///
/// # Errors
/// As [`Write::apply`], or the bytes are not UTF-8 and would not stay.
pub fn apply(write: &Write, before: Option<&[u8]>) -> Result<String, String> {
    let before = match (before.map(std::str::from_utf8), write) {
        (Some(Err(_)), Write::Whole(_)) | (None, _) => None,
        (Some(Err(_)), _) => return Err("the memory is not UTF-8, so nothing can be put into it".into()),
        (Some(Ok(text)), _) => Some(text),
    };
    write.apply(before).map_err(str::to_owned)
}

/// Both versions put together, when they changed different lines.
fn merged(base: &[u8], mine: &[u8], theirs: &[u8]) -> Result<String, String> {
    let pieces = conflict::pieces(base, mine, theirs);
    if pieces.iter().any(|piece| matches!(piece, Piece::Conflict { .. })) {
        return Err("what waits for approval has another text there than the disk".into());
    }
    String::from_utf8(conflict::chosen(&pieces, &[])).map_err(|_| "it is not UTF-8".into())
}

/// The lines with their ends.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n').collect()
}

/// The memory that each line names, where it names one.
fn names(bytes: &[u8], count: usize) -> Vec<Option<RelPath>> {
    let mut names = vec![None; count];
    let index = Index::parse(bytes);
    for entry in &index.entries {
        let Some(start) = index.lines.get(entry.line).map(|range| range.start) else { continue };
        let line = bytes.get(..start).unwrap_or_default().iter().filter(|byte| **byte == b'\n').count();
        if let (Target::File(path), Some(name)) = (&entry.target, names.get_mut(line)) {
            name.get_or_insert_with(|| path.clone());
        }
    }
    names
}

/// Adds a line; the one before it gets the end that it lacks.
fn push_line(text: &mut Vec<u8>, line: &[u8]) {
    if !text.is_empty() && !text.ends_with(b"\n") {
        text.push(b'\n');
    }
    text.extend_from_slice(line);
}

#[cfg(test)]
mod tests;

//! Undo and redo of a move between two stores: both halves at once where each is the last thing done in its store, else
//! the half of the store at hand. What is taken away in one store must be in the other one first.

use super::error::{Result, shown};
use super::operation::Session;
use super::record::{Pair, Record, State};
use super::spot::Spot;
use super::transfer::{abroad, both};
use super::tree::Files;
use super::undo::{self, Next, Way};
use super::{Applied, Conflict, Places, Store, StoreError, survey, with_recovered};
use crate::memory::Time;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

impl Store {
    /// Turns the next operation, which is one half of a move; `session` is given up, since both stores are locked in
    /// their order.
    pub(super) fn turn_pair(&self, session: Session, way: Way, now: Time) -> Result<Applied> {
        let recovered = session.recovered.clone();
        let Some(next) = undo::next(&session, way)? else { return Err(moved_on()) };
        let Some(pair) = next.record.pair.clone() else { return Err(moved_on()) };
        let root = pair.store.to_path();
        let applied = match self.other(&root).filter(|other| self.is_apart_from(other).is_ok()) {
            None => {
                if takes_away(way, &pair) {
                    return Err(nowhere(&next.record, way, &root));
                }
                let mut applied = undo::turn(&session, way, &next, now)?;
                applied
                    .message
                    .push_str(&format!("; {} is not to be found, so nothing was done there", shown(&root)));
                applied
            }
            Some(other) => {
                drop(session);
                let (here, there) = both(self, &other)?;
                let next = undo::next(&here, way)?.filter(|next| next.record.pair.as_ref() == Some(&pair));
                let next = next.ok_or_else(moved_on)?;
                let applied = Halves { here: &here, there: &there, next: &next, way, now }.turn(&pair)?;
                with_recovered(applied, abroad(&root, &there.recovered))
            }
        };
        Ok(with_recovered(applied, recovered))
    }

    /// The other store, when it is still there.
    fn other(&self, root: &Path) -> Option<Self> {
        let state = self.home.parent()?.parent()?.to_path_buf();
        let places = Places { state, cache: PathBuf::new(), config: PathBuf::new() };
        Self::at(root, &places).ok().filter(|other| other.root == root)
    }
}

/// The two halves of a move, and which way they are turned.
struct Halves<'a> {
    here: &'a Session,
    there: &'a Session,
    next: &'a Next,
    way: Way,
    now: Time,
}

impl Halves<'_> {
    fn turn(&self, pair: &Pair) -> Result<Applied> {
        let is_other = |next: &Next| next.record.pair.as_ref().is_some_and(|it| it.token == pair.token);
        let other = undo::next(self.there, self.way)?.filter(is_other);
        if takes_away(self.way, pair) {
            self.bring_there_first(other.as_ref())
        } else {
            self.bring_here(other.as_ref())
        }
    }

    /// The memories come back here; then they go there, when that is the last thing done there.
    fn bring_here(&self, other: Option<&Next>) -> Result<Applied> {
        let mut applied = undo::turn(self.here, self.way, self.next, self.now)?;
        let path = shown(&self.there.path);
        let Some(other) = other else {
            if holds_all(self.there, &self.next.record)? {
                applied.message.push_str(&format!("; it is in {path} too, and stays there"));
            }
            return Ok(applied);
        };
        if !holds_all(self.here, &other.record)? {
            applied.message.push_str(&format!("; in {path} it stays, since not all of it is here"));
            return Ok(applied);
        }
        match undo::turn(self.there, self.way, other, self.now) {
            Ok(turned) => applied.conflicts.extend(abroad(&self.there.path, &turned.conflicts)),
            Err(error) => {
                let path = Spot::Outside(self.there.path.clone());
                applied.conflicts.push(Conflict { path, what: error.what });
            }
        }
        Ok(applied)
    }

    /// The memories come back there, when that is the last thing done there, or are there; then they go here.
    fn bring_there_first(&self, other: Option<&Next>) -> Result<Applied> {
        let mut conflicts = Vec::new();
        if let Some(other) = other {
            let in_other = |error: StoreError| StoreError {
                what: format!("in {}: {}", shown(&self.there.path), error.what),
                ..error
            };
            let turned = undo::turn(self.there, self.way, other, self.now).map_err(in_other)?;
            conflicts = abroad(&self.there.path, &turned.conflicts);
            if !holds_all(self.there, &self.next.record)? {
                let path = shown(&self.there.path);
                let message =
                    format!("{}, in {path} alone: not all of it is there, so here it stays", turned.message);
                return Ok(Applied { message, conflicts, id: turned.id });
            }
        } else if !holds_all(self.there, &self.next.record)? {
            return Err(nowhere(&self.next.record, self.way, &self.there.path));
        }
        let mut applied = undo::turn(self.here, self.way, self.next, self.now)?;
        applied.conflicts.splice(0..0, conflicts);
        Ok(applied)
    }
}

/// Whether turning this half removes memories.
fn takes_away(way: Way, pair: &Pair) -> bool {
    pair.takes == (way == Way::Redo)
}

/// Whether a store holds, under whatever names, all memories that a half brings or takes.
fn holds_all(session: &Session, record: &Record) -> Result<bool> {
    let files = survey::take(&session.path, &Files::new())?.files;
    let held: HashSet<String> = files.values().map(|entry| entry.id.to_string()).collect();
    let memories = record.changes.iter().filter(|changed| !changed.is_index());
    let mut states = memories.flat_map(|changed| changed.before.iter().chain(&changed.after));
    Ok(states.all(|State { blob, .. }| held.contains(blob)))
}

fn moved_on() -> StoreError {
    StoreError::conflict(
        "another memcurator changed this store just now; nothing was done",
        "look at it, then try again",
    )
}

/// Turning this half alone would leave a memory in no store.
fn nowhere(record: &Record, way: Way, other: &Path) -> StoreError {
    let other = shown(other);
    match way {
        Way::Undo => StoreError::conflict(
            format!(
                "can't undo \"{}\" alone: not all of it is in {other} any more, so it would be in neither store; nothing was \
                 done",
                record.message
            ),
            format!(
                "undo what was done since in {other} first (`memcurator undo --store '{other}'`), or delete it here"
            ),
        ),
        Way::Redo => StoreError::conflict(
            format!(
                "can't redo \"{}\": not all of it is in {other}, so it would be in neither store; nothing was done",
                record.message
            ),
            "move it again",
        ),
    }
}

//! Memories from one store to another: two operations, each in its own store's history. What arrives is on the disk
//! and in the history there before anything goes here, so that a crash leaves a text twice, never nowhere.

use super::error::{Result, shown};
use super::lock::Lock;
use super::operation::Session;
use super::pack::id_of;
use super::record::{Bytes, Pair};
use super::spot::Spot;
use super::{Applied, Conflict, Store, StoreError, failpoint, intent, with_recovered};
use crate::memory::Time;
use crate::memory::path::RelPath;
use crate::review::moving::Transfer;
use crate::review::plan::FileState;
use git2::ObjectType;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

impl Store {
    /// Makes sure that memories can go from this store to another one.
    ///
    /// # Errors
    /// When both are one directory, or one lies in the other.
    pub fn is_apart_from(&self, other: &Self) -> Result<()> {
        let number = |root: &Path| root.metadata().ok().map(|meta| (meta.dev(), meta.ino()));
        let (here, there) = (shown(&self.root), shown(&other.root));
        let refuse = |what: String| Err(StoreError::conflict(what, "choose another store"));
        if self.root == other.root || number(&self.root).is_some_and(|it| Some(it) == number(&other.root)) {
            return refuse(format!("{here} and {there} are the same store; nothing was done"));
        }
        for (inner, outer) in [(self, other), (other, self)] {
            if inner.root.starts_with(&outer.root) {
                let (inner, outer) = (shown(&inner.root), shown(&outer.root));
                return refuse(format!(
                    "{inner} lies in {outer}, so that its memories are there already; nothing was done"
                ));
            }
        }
        Ok(())
    }

    /// Carries out a transfer from this store to another one.
    ///
    /// # Errors
    /// A conflict when a file of either is not as the plans expect: nothing is done then in either. After a fault of
    /// the disk the error says what is where.
    pub fn transfer(&self, other: &Self, transfer: &Transfer, now: Time) -> Result<Applied> {
        self.is_apart_from(other)?;
        let (from, to) = both(self, other)?;
        let in_other = |error: StoreError| StoreError {
            what: format!("in {}: {}", shown(&other.root), error.what),
            ..error
        };
        let mut arrival = match &transfer.arrival {
            Some(plan) => Some(intent::decide(&to, plan, now).map_err(in_other)?),
            None => None,
        };
        let mut departure = match &transfer.departure {
            Some(plan) => Some(intent::decide(&from, plan, now)?),
            None => None,
        };
        if let (Some(arrival), Some(departure)) = (&mut arrival, &mut departure) {
            let text = format!("{} {}", arrival.temps.tag, departure.temps.tag);
            let token = id_of(ObjectType::Blob, text.as_bytes()).to_string();
            let half = |store: &Path, takes| {
                Some(Pair { token: token.clone(), store: Bytes::from_path(store), takes })
            };
            arrival.pair = half(&self.root, false);
            departure.pair = half(&other.root, true);
        }
        let arrived = arrival.map(|intent| to.carry_out(intent)).transpose().map_err(in_other)?;
        failpoint::step();
        let mut conflicts =
            arrived.iter().flat_map(|arrived| abroad(&other.root, &arrived.conflicts)).collect::<Vec<_>>();
        let id = arrived.map(|arrived| arrived.id);
        let applied = match departure {
            None => Applied { message: transfer.message.clone(), conflicts, id: id.unwrap_or_default() },
            Some(departure) => {
                let missing = missing(&to, transfer);
                if !missing.is_empty() {
                    conflicts.extend(missing);
                    let message = format!("{}: what arrived there stays here too", transfer.message);
                    return Ok(with_recovered(
                        Applied { message, conflicts, id: id.unwrap_or_default() },
                        from.recovered,
                    ));
                }
                let arrived = format!("in {} they have arrived", shown(&other.root));
                let mut applied = from.carry_out(departure).map_err(|error| error.stands(&arrived))?;
                applied.conflicts.splice(0..0, conflicts);
                applied
            }
        };
        let recovered = from.recovered.into_iter().chain(abroad(&other.root, &to.recovered)).collect();
        Ok(with_recovered(applied, recovered))
    }
}

/// Both stores, locked: always in the same order, so that two memcurators can't wait for each other.
pub(super) fn both(one: &Store, other: &Store) -> Result<(Session, Session)> {
    failpoint::restart();
    let of = |store: &Store, lock| Session::with_lock(&store.root, &store.home, lock);
    if one.home < other.home {
        let (first, second) = (Lock::take(&one.home)?, Lock::take(&other.home)?);
        Ok((of(one, first)?, of(other, second)?))
    } else {
        let (first, second) = (Lock::take(&other.home)?, Lock::take(&one.home)?);
        Ok((of(one, second)?, of(other, first)?))
    }
}

/// Conflicts of another store, with whole paths.
pub(super) fn abroad(root: &Path, conflicts: &[Conflict]) -> Vec<Conflict> {
    let whole = |conflict: &Conflict| Conflict {
        path: Spot::Outside(root.join(conflict.path.as_path())),
        what: conflict.what.clone(),
    };
    conflicts.iter().map(whole).collect()
}

/// What should be in the other store and is not, since someone else wrote there at the same moment.
fn missing(to: &Session, transfer: &Transfer) -> Vec<Conflict> {
    let leaving = transfer.departure.iter().flat_map(|plan| &plan.changes);
    let leaving: Vec<_> = leaving.collect();
    let is_there = |from: &RelPath, there: &Spot| {
        let expected =
            leaving.iter().find(|change| change.path == *from).and_then(|change| change.before.as_ref());
        let here = to.root.find(there).ok().flatten();
        expected.is_some() && FileState::same_content(here.as_ref(), expected)
    };
    let missing = transfer.passages.iter().filter_map(|passage| {
        let there = Spot::Inside(passage.to.clone());
        (!is_there(&passage.from, &there)).then(|| Conflict {
            path: Spot::Outside(to.path.join(passage.to.as_path())),
            what: "it is not there as it should be, so nothing was removed here".into(),
        })
    });
    missing.collect()
}

#[cfg(test)]
mod tests;

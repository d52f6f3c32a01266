//! One operation from beginning to end, in the order of steps that loses nothing: lock, look again, history,
//! pending, files, branch.

use super::error::{Result, history};
use super::files::Root;
use super::history::{History, Ref};
use super::identity::Identity;
use super::intent::{Intent, moved_on};
use super::lock::Lock;
use super::place::Moved;
use super::spot::{Change, Spot};
use super::swap::Swap;
use super::{Applied, Conflict, Queue, StoreError, failpoint, recover};
use crate::memory::Time;
use crate::review::plan::Content;
use git2::Oid;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often the index is merged anew while someone keeps writing to it.
const TRIES: usize = 20;

/// How long to wait for someone who has emptied the index and is about to write it.
const TORN: Duration = Duration::from_millis(5);

/// A store that is locked for writing, whole: what was interrupted has been recovered.
pub(super) struct Session {
    pub root: Root,
    pub path: PathBuf,
    pub history: History,
    /// What is kept for the store.
    home: PathBuf,
    /// The directory.
    pub identity: Identity,
    /// What the recovery found, to be told with the next operation.
    pub recovered: Vec<Conflict>,
    lock: Lock,
}

/// An operation that is in the history as pending.
pub(super) struct Recorded {
    pub id: Oid,
    /// The commit that it stands on: the branch, or what others changed since.
    pub parent: Oid,
    /// Where the branch is until the operation is finished.
    pub branch: Option<Oid>,
}

/// What an interruption left of an operation.
#[derive(Default)]
pub(super) struct Resumed {
    /// The changes (by number) that are still to be made.
    pub only: Vec<usize>,
    /// Files that are left to someone else, and what is to be kept of them.
    pub found: Vec<(Conflict, Option<Content>)>,
    /// What is to be kept of files that are not left to anybody.
    pub notes: Vec<(Conflict, Option<Content>)>,
}

impl Session {
    /// Locks the store and recovers what was interrupted.
    pub(super) fn begin(path: &Path, home: &Path) -> Result<Self> {
        failpoint::restart();
        let lock = Lock::take(home)?;
        Self::with_lock(path, home, lock)
    }

    /// As [`Session::begin`], with the lock in hand.
    pub(super) fn with_lock(path: &Path, home: &Path, lock: Lock) -> Result<Self> {
        let cannot = |error| StoreError::io("open the store", path, &error, "nothing was done");
        let root = Root::open(path).map_err(cannot)?;
        super::purge::finish_swap(home)?;
        let history = History::open_or_create(&home.join(super::HISTORY))?;
        history.sweep();
        let identity = Identity::of(path, home, &history)?;
        let (path, home) = (path.to_path_buf(), home.to_path_buf());
        let mut session = Self { root, path, history, home, identity, recovered: Vec::new(), lock };
        session.recovered = recover::recover(&session)?;
        Ok(session)
    }

    /// What is kept for the store.
    pub(super) fn home(&self) -> &Path {
        &self.home
    }

    /// Lets go of all but the lock.
    pub(super) fn into_lock(self) -> Lock {
        self.lock
    }

    /// The proposals of the store.
    pub(super) fn queue(&self) -> Queue {
        Queue::of_store(&self.home, &self.path)
    }

    /// Notes which directory the history is of.
    pub(super) fn note_directory(&self) -> Result<()> {
        self.identity.note(&self.home).map_err(|error| error.stands(NOTHING))
    }

    /// Carries out what was decided, as one step of history.
    pub(super) fn carry_out(&self, intent: Intent) -> Result<Applied> {
        self.note_directory()?;
        let recorded = self.record_now(&intent).map_err(|error| self.give_up(error, NOTHING))?;
        self.execute(intent, recorded, None)
    }

    /// Makes the recorded changes on the disk, and moves the branch; after an interruption only what is still to do.
    pub(super) fn execute(
        &self,
        mut intent: Intent,
        mut recorded: Recorded,
        resumed: Option<Resumed>,
    ) -> Result<Applied> {
        let only = resumed.as_ref().map(|resumed| resumed.only.as_slice());
        let changes: Vec<(usize, Change)> = intent
            .changes
            .iter()
            .cloned()
            .enumerate()
            .filter(|(number, _)| only.is_none_or(|only| only.contains(number)))
            .collect();
        let prepared = Swap::new(&self.root, &intent.temps, &changes).and_then(|mut swap| {
            swap.may_leave_outside = only.is_some();
            swap.prepare()?;
            Ok(swap)
        });
        let mut swap = match (prepared, only) {
            (Ok(swap), _) => swap,
            (Err(error), None) => return Err(self.give_up(error, NOTHING)),
            (Err(error), Some(_)) => return Err(error.stands(HALF)),
        };
        if let Err(error) = self.make(&mut swap, &mut intent, &mut recorded) {
            if only.is_some() || swap.roll_back().is_err() {
                return Err(error.stands(HALF));
            }
            return Err(self.give_up(error, TAKEN_BACK));
        }
        let mut kept = std::mem::take(&mut swap.kept);
        let mut conflicts = std::mem::take(&mut swap.conflicts);
        let mut notes = std::mem::take(&mut swap.notes);
        let resumed = resumed.unwrap_or_default();
        for (found, to) in [(resumed.found, &mut conflicts), (resumed.notes, &mut notes)] {
            for (conflict, content) in found {
                kept.extend(content.map(|content| (conflict.path.clone(), content)));
                to.push(conflict);
            }
        }
        self.finish(&recorded, &conflicts, &kept, intent.time).map_err(|error| {
            error.stands("the files are changed; the history follows when memcurator opens this store again")
        })?;
        notes.extend(swap.clean_left(&kept));
        self.history.tidy();
        conflicts.extend(notes);
        Ok(Applied { message: intent.message, conflicts, id: recorded.id.to_string() })
    }

    /// Forgets an operation of which nothing is done; when even that fails, it says so.
    fn give_up(&self, error: StoreError, stands: &str) -> StoreError {
        match self.history.drop_pending() {
            Ok(()) => error.stands(stands),
            Err(_) => error.stands(PENDING),
        }
    }

    fn make(&self, swap: &mut Swap, intent: &mut Intent, recorded: &mut Recorded) -> Result<()> {
        for attempt in 0..TRIES {
            let moved = match swap.exchange()? {
                Some(moved) => moved,
                None => match swap.settle()? {
                    Some(moved) => moved,
                    None => return Ok(()),
                },
            };
            if moved.is_torn() && attempt < TRIES / 2 {
                std::thread::sleep(TORN);
                swap.wait_for_index();
            } else {
                self.follow(moved, swap, intent, recorded)?;
            }
        }
        Err(StoreError::conflict(
            "MEMORY.md is written to all the time by another program",
            "try again when it is quiet",
        ))
    }

    /// The index moved under our hands: our change is made anew on what it holds now, and recorded so.
    fn follow(
        &self,
        moved: Moved,
        swap: &mut Swap,
        intent: &mut Intent,
        recorded: &mut Recorded,
    ) -> Result<()> {
        let Some(number) = intent.changes.iter().position(|change| change.is_index) else {
            return Ok(());
        };
        let Some(change) = intent.changes.get_mut(number) else { return Ok(()) };
        let stray = moved.stray.clone();
        (*change, intent.base) = moved_on(change, intent.base.as_ref(), moved)?;
        let change = change.clone();
        self.record_again(intent, &change, stray.as_ref(), recorded)?;
        swap.retarget(&change, &intent.temps.name(number, &change), stray.as_ref())
    }

    fn finish(
        &self,
        recorded: &Recorded,
        conflicts: &[Conflict],
        kept: &[(Spot, Content)],
        time: Time,
    ) -> Result<()> {
        if self.history.get(Ref::Branch)? != recorded.branch {
            return Err(history("finish", "something else moved its branch"));
        }
        let mut tip = recorded.id;
        if !conflicts.is_empty() || !kept.is_empty() {
            tip = self.keep(recorded.id, conflicts, kept, time)?;
        }
        self.history.set(Ref::Branch, tip)?;
        self.history.drop_pending()?;
        failpoint::step();
        Ok(())
    }
}

const NOTHING: &str = "nothing in the store was changed";
const TAKEN_BACK: &str = "what was done of it was taken back, nothing in the store is changed";
const PENDING: &str = "nothing in the store is changed now, but the history could not forget the operation: it may be \
                       carried out when memcurator opens this store again, and can be undone then";
const HALF: &str = "it is half done, and will be completed when memcurator opens this store again";

//! Carries out what a person decided on what waits in the Inbox, on the store as it is at that moment.

use crate::app::action::Done;
use crate::app::inbox::{Act, Seen};
use crate::app::model::Problem;
use crate::memory::Time;
use crate::memory::index::ParkedLine;
use crate::memory::snapshot::Snapshot;
use crate::memory::text::one_line;
use crate::review::approve::{self, Outcome};
use crate::review::changes::Changes;
use crate::review::proposal::{Proposal, Waiting};
use crate::store::{Applied, Queue, Start, Store, StoreError};

/// How often a proposal is planned anew when someone else changes the store at the same moment.
const TRIES: usize = 10;

/// Does it, and says what was done.
pub(super) fn decide(store: &Store, act: &Act, now: Time) -> Result<Done, Problem> {
    let queue = store.queue();
    match act {
        Act::Approve(all) => approve_all(store, all.iter().map(|(one, anyway)| (&**one, *anyway)), now),
        Act::ApprovePart(proposal) => {
            queue.replace(proposal).map_err(problem)?;
            approve_all(store, std::iter::once((&**proposal, false)), now)
        }
        Act::Replace(proposal) => {
            queue.replace(proposal).map_err(problem)?;
            Ok(said(format!("the proposal was changed: {}", one_line(&proposal.title()))))
        }
        Act::Reject(ids) => each(&queue, ids, "rejected", |id| queue.reject(id, None, now)),
        Act::TakeBack(ids) => each(&queue, ids, "waits again:", |id| queue.take_back(id)),
        Act::Accept(seen) => {
            let here = Here::read(store)?;
            let decision = here.changes.accept(&here.find(seen)?)?;
            store.review(&decision, now).map(done).map_err(problem)
        }
        Act::Restore(seen) => {
            let here = Here::read(store)?;
            let time_of = |path: &_, content: &_| store.time_of(path, content);
            let plan = here.changes.restore(&here.find(seen)?, &here.snapshot, &time_of)?;
            let notes = plan.warnings.clone();
            store.apply(&plan, now).map(done).map(|done| Done { notes, ..done }).map_err(problem)
        }
        Act::Take(seen, hunks) => {
            let here = Here::read(store)?;
            let at = here.find(std::slice::from_ref(seen))?;
            let plan = here.changes.take(at.first().copied().unwrap_or(usize::MAX), hunks, &here.snapshot)?;
            store.apply(&plan, now).map(done).map_err(problem)
        }
        Act::Start { from_nothing } => {
            let from = if *from_nothing { Start::FromNothing } else { Start::AsItIs };
            store.start_review(from, now).map(done).map_err(problem)
        }
    }
}

/// Does it for each of them, whatever becomes of the others; those of which it could not be done are named.
fn each(
    queue: &Queue,
    ids: &[String],
    what: &str,
    act: impl Fn(&str) -> Result<(), StoreError>,
) -> Result<Done, Problem> {
    if let [id] = ids {
        return act(id).map(|()| said(counted(what, 1, "proposal"))).map_err(problem);
    }
    let failed: Vec<(&String, StoreError)> =
        ids.iter().filter_map(|id| act(id).err().map(|error| (id, error))).collect();
    if failed.is_empty() {
        return Ok(said(counted(what, ids.len(), "proposal")));
    }
    let waiting = queue.list().unwrap_or_default();
    let named = |id: &String| {
        let one = waiting.iter().filter_map(Waiting::proposal).find(|one| one.id == *id);
        one.map_or_else(|| id.clone(), Proposal::title)
    };
    let notes =
        failed.iter().map(|(id, error)| format!("not {}: {}", one_line(&named(id)), error.what)).collect();
    let message = format!("{what} {} of {} proposals", ids.len() - failed.len(), ids.len());
    Ok(Done { message, notes, ..Done::default() })
}

/// The store and what others changed in it, as it is now.
struct Here {
    snapshot: Snapshot,
    changes: Changes,
}

impl Here {
    fn read(store: &Store) -> Result<Self, Problem> {
        let snapshot = store.scan(&|_| {}).map_err(problem)?;
        let differing = store.unreviewed(&snapshot).map_err(problem)?.unwrap_or_default();
        let changes = Changes::of(differing, &snapshot, &[]);
        Ok(Self { snapshot, changes })
    }

    /// Where those changes are that a person saw: only as they were seen.
    fn find(&self, seen: &[Seen]) -> Result<Vec<usize>, Problem> {
        let find = |seen: &Seen| {
            self.changes.list.iter().position(|change| seen.is(change)).ok_or_else(|| Problem {
                what: format!(
                    "{} is not as it was shown any more; nothing was done",
                    one_line(&seen.path.to_str_lossy())
                ),
                hint: "look at it as it is now, then decide again".into(),
            })
        };
        seen.iter().map(find).collect()
    }
}

/// Approves proposals one after the other, each as a step of history.
fn approve_all<'a>(
    store: &Store,
    all: impl Iterator<Item = (&'a Proposal, bool)>,
    now: Time,
) -> Result<Done, Problem> {
    let mut here = read(store)?;
    let (mut approved, mut notes, mut conflicts, mut count) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for (proposal, anyway) in all {
        count += 1;
        match one(store, &mut here, (proposal, anyway), now) {
            Ok(done) => {
                approved.push(done.message);
                notes.extend(done.notes);
                conflicts.extend(done.conflicts);
            }
            Err(problem) => notes.push(problem.to_string()),
        }
    }
    match (approved.len(), count) {
        (0, _) => Err(Problem { what: notes.join("; "), hint: String::new() }),
        (1, 1) => Ok(Done { message: approved.concat(), conflicts, notes }),
        (some, count) => {
            let message = format!("approved {some} of {count} proposals, each a step of its own");
            Ok(Done { message, conflicts, notes })
        }
    }
}

fn one(
    store: &Store,
    here: &mut (Snapshot, Vec<ParkedLine>),
    (proposal, anyway): (&Proposal, bool),
    now: Time,
) -> Result<Done, Problem> {
    let mut tries = 0;
    loop {
        tries += 1;
        let plan = match approve::approve(&here.0, &here.1, proposal, anyway)? {
            Outcome::Ready(plan) => plan,
            Outcome::Done => {
                store.queue().settle(&proposal.id, now).map_err(problem)?;
                return Ok(said(format!("{}: the store is so already", one_line(&proposal.title()))));
            }
            Outcome::Stale(stale) => {
                let hint = "look at it as it is now, then decide again".into();
                return Err(Problem { what: format!("{}; it waits on", stale.why), hint });
            }
        };
        match store.approve(&plan, &proposal.id, now) {
            Ok(applied) => {
                if applied.conflicts.is_empty() {
                    here.0 = approve::after(&here.0, &plan, now);
                } else {
                    *here = read(store)?;
                }
                return Ok(Done { notes: plan.warnings.clone(), ..done(applied) });
            }
            Err(error) if error.conflict && tries < TRIES => *here = read(store)?,
            Err(error) => return Err(problem(error)),
        }
    }
}

fn read(store: &Store) -> Result<(Snapshot, Vec<ParkedLine>), Problem> {
    let beside = store.beside().map_err(problem)?;
    let snapshot = Snapshot { beside, ..store.scan(&|_| {}).map_err(problem)? };
    Ok((snapshot, store.parked().map_err(problem)?))
}

fn said(message: String) -> Done {
    Done { message, ..Done::default() }
}

fn counted(what: &str, count: usize, noun: &str) -> String {
    if count == 1 { format!("{what} the {noun}") } else { format!("{what} {count} {noun}s") }
}

fn problem(error: StoreError) -> Problem {
    Problem { what: error.what, hint: error.hint }
}

fn done(applied: Applied) -> Done {
    let conflicts = applied.conflicts.into_iter().map(|one| format!("{}: {}", one.path, one.what));
    Done { message: applied.message, conflicts: conflicts.collect(), notes: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::path::RelPath;
    use crate::review::proposal::{Action, Origin};
    use crate::store::Places;

    /// The first that could not be rejected stopped all that came behind it.
    #[test]
    fn what_can_not_be_done_is_named_and_the_others_are_done() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::create_dir(at("store")).unwrap();
        let places = Places { state: at("state"), cache: at("cache"), config: at("config") };
        let store = Store::open(&at("store"), &places).unwrap();
        let now: Time = "2026-03-05T10:00:00Z".parse().unwrap();
        let proposal = |name: &str| Proposal {
            id: String::new(),
            action: Action::Add,
            target: RelPath::new(format!("{name}.md")).unwrap(),
            base: None,
            origin: Origin::default(),
            time: None,
            reason: None,
            index_line: None,
            bytes: Some(name.as_bytes().into()),
            alone: false,
            notes: Vec::new(),
        };
        let made = store.queue().add(&["a", "b", "c"].map(proposal), now).unwrap();
        let ids: Vec<String> = made.iter().map(|one| one.id.clone()).collect();
        // Another memcurator takes the first one away; of the second nothing can be written.
        store.queue().reject(&ids[0], None, now).unwrap();
        std::fs::create_dir_all(store.home().join(format!("rejected/{}.md/x", ids[1]))).unwrap();
        let done = decide(&store, &Act::Reject(ids.clone()), now).unwrap();
        assert_eq!(done.message, "rejected 1 of 3 proposals");
        assert!(done.notes[0].contains(&ids[0]) && done.notes[1].starts_with("not b: "), "{:?}", done.notes);
        let left = store.queue().list().unwrap();
        assert_eq!(left.iter().map(Waiting::id).collect::<Vec<_>>(), [&ids[1]]);
        assert!(decide(&store, &Act::Reject(vec![ids[0].clone()]), now).is_err(), "a single one is an error");
    }
}

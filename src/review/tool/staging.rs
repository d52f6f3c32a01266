//! What becomes of a file that an agent writes while a person is to approve: one proposal about it, made, put in the
//! place of the one that waits, or taken back.

use crate::memory::Time;
use crate::memory::path::RelPath;
use crate::review::proposal::{Action, Origin, Proposal, sha256};
use std::sync::Arc;

/// The word for what the memory tool staged, as the origin of a proposal.
pub const KIND: &str = "memory-tool";

/// What is to be done to the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A proposal; one with an id takes the place of the one that waits under it.
    Put(Box<Proposal>),
    /// The proposal of this id is void: the agent took it back itself.
    Withdraw(String),
}

impl Step {
    /// The order in which several are taken, so that an interruption leaves a text twice rather than nowhere: what
    /// would be written, what would be deleted, what is void.
    #[must_use]
    pub fn rank(&self) -> u8 {
        match self {
            Self::Put(one) if one.bytes.is_some() => 0,
            Self::Put(_) => 1,
            Self::Withdraw(_) => 2,
        }
    }
}

/// What is to be done so that exactly the proposal waits which makes a file hold `wanted` (`None`: nothing). `waiting`
/// are the proposals about it, the latest last; more than one is what an interruption left. `disk` is what the store
/// holds. The version that a proposal was made on stays that of the agent's first write.
#[must_use]
pub fn steps(
    path: &RelPath,
    wanted: Option<Arc<[u8]>>,
    disk: Option<&[u8]>,
    waiting: &[&Proposal],
    now: Time,
) -> Vec<Step> {
    let last = waiting.last().copied();
    let void = |but: Option<&str>| -> Vec<Step> {
        let others = waiting.iter().filter(|one| Some(&*one.id) != but);
        others.map(|one| Step::Withdraw(one.id.clone())).collect()
    };
    if wanted.as_deref() == disk {
        return void(None);
    }
    let mut made = match last {
        // It goes on under its id where it is of the same kind: a text, or a deletion.
        Some(last) if last.bytes.is_some() == wanted.is_some() => last.clone(),
        _ => {
            let base = last.and_then(|last| last.base.clone()).or_else(|| disk.map(sha256));
            let action = match (&wanted, &base) {
                (None, None) => return void(None),
                (None, Some(_)) => Action::Delete,
                (Some(_), None) => Action::Add,
                (Some(_), Some(_)) => Action::Change,
            };
            let origin = Origin { kind: KIND.into(), ..Origin::default() };
            Proposal {
                id: String::new(),
                action,
                target: path.clone(),
                base,
                origin,
                time: None,
                reason: None,
                index_line: None,
                bytes: None,
                alone: true,
                notes: Vec::new(),
            }
        }
    };
    let mut steps = void((!made.id.is_empty()).then_some(&*made.id));
    if made.id.is_empty() || made.bytes != wanted {
        made.bytes = wanted;
        made.time = Some(now);
        steps.insert(0, Step::Put(Box::new(made)));
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Time {
        "2026-03-10T12:00:00Z".parse().unwrap()
    }

    fn path() -> RelPath {
        RelPath::new("a.txt").unwrap()
    }

    fn text(text: &str) -> Option<Arc<[u8]>> {
        Some(text.as_bytes().into())
    }

    /// The proposal of a single step that puts one, with an id.
    fn put(steps: &[Step], id: &str) -> Proposal {
        match steps.first() {
            Some(Step::Put(one)) => Proposal { id: id.into(), ..(**one).clone() },
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn one_proposal_about_a_file_follows_what_the_agent_does() {
        let made = put(&steps(&path(), text("1"), None, &[], now()), "p");
        assert_eq!((made.action, made.base.as_deref(), made.alone), (Action::Add, None, true));
        let again = steps(&path(), text("2"), None, &[&made], now());
        assert_eq!((again.len(), put(&again, "x").action), (1, Action::Add));
        assert!(matches!(&again[..], [Step::Put(one)] if one.id == "p"), "in the place of the first");
        assert_eq!(steps(&path(), None, None, &[&made], now()), [Step::Withdraw("p".into())]);
        assert_eq!(steps(&path(), text("1"), None, &[&made], now()), []);

        let changed = put(&steps(&path(), text("new"), Some(b"old"), &[], now()), "c");
        assert_eq!((changed.action, changed.base.as_deref()), (Action::Change, Some(&*sha256(b"old"))));
        assert_eq!(
            steps(&path(), text("old"), Some(b"old"), &[&changed], now()),
            [Step::Withdraw("c".into())],
            "taken back by itself"
        );
        // Someone else wrote the file meanwhile: what it was made on stays.
        let more = put(&steps(&path(), text("newer"), Some(b"other"), &[&changed], now()), "c");
        assert_eq!(more.base, changed.base);
        let deleted = steps(&path(), None, Some(b"other"), &[&changed], now());
        assert_eq!(
            (put(&deleted, "d").action, put(&deleted, "d").base),
            (Action::Delete, changed.base.clone())
        );
        assert_eq!(deleted.last(), Some(&Step::Withdraw("c".into())));
        let deleted = put(&deleted, "d");
        let back = steps(&path(), text("x"), Some(b"old"), &[&deleted], now());
        assert_eq!((put(&back, "e").action, put(&back, "e").base), (Action::Change, changed.base));
        assert_eq!(back.last(), Some(&Step::Withdraw("d".into())));
    }

    #[test]
    fn what_an_interruption_left_twice_becomes_one() {
        let first = put(&steps(&path(), text("1"), None, &[], now()), "a");
        let second = Proposal { id: "b".into(), bytes: text("2"), ..first.clone() };
        assert_eq!(steps(&path(), text("2"), None, &[&first, &second], now()), [Step::Withdraw("a".into())]);
    }
}

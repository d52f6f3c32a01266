//! Approving a change of the index that is about no proposed memory: an agent reordered it, or rewrote lines of others.

use super::{Outcome, Stale, message};
use crate::memory::snapshot::Snapshot;
use crate::review::index_file::IndexTarget;
use crate::review::plan::{Plan, Refusal, Verb};
use crate::review::proposal::{Action, Proposal, sha256};
use std::sync::Arc;

/// See [`super::approve`].
pub(super) fn approve(snapshot: &Snapshot, proposal: &Proposal, anyway: bool) -> Result<Outcome, Refusal> {
    let bytes = proposal.bytes.clone().unwrap_or_else(|| Arc::from([].as_slice()));
    let target = IndexTarget::of(snapshot)?;
    let current = target.as_ref().map(|target| Arc::clone(&target.bytes));
    if current.as_ref() == Some(&bytes) {
        return Ok(Outcome::Done);
    }
    let why = match (proposal.action, &current) {
        (Action::Add, Some(_)) => Some("was written by someone else"),
        (Action::Change | Action::Delete, None) => Some("was deleted"),
        (Action::Change | Action::Delete, Some(current))
            if proposal.base.as_deref() != Some(&*sha256(current)) =>
        {
            Some("was changed")
        }
        _ => None,
    };
    if let Some(why) = why.filter(|_| !anyway) {
        return Ok(Outcome::Stale(Stale {
            why: format!("MEMORY.md {why} since this was proposed"),
            current,
        }));
    }
    let target = target.unwrap_or_else(|| IndexTarget::missing(snapshot.memories.first()));
    Ok(Outcome::Ready(Box::new(Plan {
        verb: Verb::Index,
        message: message(proposal),
        changes: target.change(bytes.to_vec()).into_iter().collect(),
        outside: Vec::new(),
        parked: None,
        warnings: Vec::new(),
    })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Time;
    use crate::memory::index::Index;
    use crate::memory::path::RelPath;
    use crate::memory::snapshot::{IndexFile, Stat};
    use crate::review::approve;
    use crate::review::plan::Content;
    use crate::review::proposal::{Waiting, read};

    fn store(index: Option<&str>) -> Snapshot {
        let stat = Stat { mtime: Time::UNIX_EPOCH, mode: 0o644, link: None };
        let file = |text: &str| IndexFile {
            bytes: text.as_bytes().into(),
            index: Index::parse(text.as_bytes()),
            stat,
        };
        Snapshot { index: index.map(|text| Arc::new(file(text))), ..Snapshot::default() }
    }

    fn proposal(base: Option<&str>, text: &str) -> Proposal {
        let action = if base.is_some() { "change" } else { "add" };
        let base = base.map(|base| sha256(base.as_bytes()));
        let json = serde_json::json!({ "version": 1, "action": action, "target": "MEMORY.md", "base": base });
        match read("p", Some(json.to_string().as_bytes()), Some(text.as_bytes())) {
            Waiting::Proposal(proposal) => *proposal,
            Waiting::Faulty(faulty) => panic!("{faulty:?}"),
        }
    }

    #[test]
    fn a_change_of_the_index_alone_is_planned() {
        let Ok(Outcome::Ready(plan)) =
            approve::approve(&store(Some("a\n")), &[], &proposal(Some("a\n"), "b\n"), false)
        else {
            panic!()
        };
        let [change] = plan.changes.as_slice() else { panic!() };
        assert_eq!(change.path, RelPath::index());
        assert!(
            matches!(&change.after, Some(after) if after.content == Content::File(b"b\n"[..].into()) && after.mode == 0o644)
        );
        let made = approve::approve(&store(None), &[], &proposal(None, "b\n"), false);
        assert!(matches!(made, Ok(Outcome::Ready(_))));
    }

    #[test]
    fn another_index_than_it_was_made_on_is_for_a_person() {
        for (index, base, text, anyway, want) in [
            (Some("c\n"), Some("a\n"), "b\n", false, "stale"),
            (Some("c\n"), Some("a\n"), "b\n", true, "ready"),
            (Some("c\n"), None, "b\n", false, "stale"),
            (None, Some("a\n"), "b\n", false, "stale"),
            (Some("b\n"), Some("a\n"), "b\n", false, "done"),
        ] {
            let is = match approve::approve(&store(index), &[], &proposal(base, text), anyway).unwrap() {
                Outcome::Ready(_) => "ready",
                Outcome::Done => "done",
                Outcome::Stale(_) => "stale",
            };
            assert_eq!(is, want, "{index:?} {base:?}");
        }
    }
}

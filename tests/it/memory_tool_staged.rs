//! The memory tool with `--stage`: the agent sees what it wrote, the store stays as it is until a person's yes.

use crate::store_kit::Kit;
use crate::tool_kit::{Random, files, lay_out, without_sizes};
use memcurator::memory::Time;
use memcurator::memory::snapshot::Snapshot;
use memcurator::review::approve::{Outcome, approve};
use memcurator::review::proposal::{Proposal, Waiting};
use memcurator::review::tool::{Answer, Command, Files, answer};
use memcurator::store::{StagedFiles, Store, ToolFiles};
use serde_json::Value;
use std::fs;

pub fn now() -> Time {
    "2026-03-10T12:00:00Z".parse().unwrap()
}

pub fn ask(files: &mut dyn Files, command: &Value) -> Answer {
    answer(files, &Command::read(command)?)
}

pub fn waiting(store: &Store) -> Vec<Proposal> {
    let list = store.queue().list().unwrap();
    list.into_iter()
        .map(|one| match one {
            Waiting::Proposal(one) => *one,
            Waiting::Faulty(faulty) => panic!("{faulty:?}"),
        })
        .collect()
}

/// Says yes to all that waits, in the order in which it came; gives how many that were.
pub fn approve_all(store: &Store) -> usize {
    let all = waiting(store);
    for one in &all {
        let snapshot = Snapshot { beside: store.beside().unwrap(), ..store.scan(&|_| {}).unwrap() };
        match approve(&snapshot, &[], one, false) {
            Ok(Outcome::Ready(plan)) => drop(store.approve(&plan, &one.id, now()).unwrap()),
            other => panic!("{one:?}: {other:?}"),
        }
    }
    assert_eq!(store.queue().count(), 0);
    all.len()
}

fn emptied() -> Kit {
    let kit = Kit::new(0);
    fs::remove_file(kit.dir.join("MEMORY.md")).unwrap();
    lay_out(&kit.dir);
    kit
}

/// The same commands give the same answers, another process sees the same files, and a yes to all makes them so.
#[test]
fn staged_and_approved_is_as_written_at_once() {
    let (mut commands, mut proposed) = (0, 0);
    for seed in 1..=60 {
        let (plain, staged) = (emptied(), emptied());
        let before = files(&staged.dir);
        let mut direct = ToolFiles::open(&plain.dir, &plain.places, now).unwrap();
        let mut waits = StagedFiles::open(&staged.dir, &staged.places, now).unwrap();
        let mut random = Random::new(seed);
        let mut said = Vec::new();
        for _ in 0..30 {
            let command = random.command();
            let (one, other) = (ask(&mut direct, &command), ask(&mut waits, &command));
            let shown = |answer: &Answer| match answer {
                Ok(text) => (true, without_sizes(text)),
                Err(text) => (false, text.clone()),
            };
            said.push(command.to_string());
            assert_eq!(shown(&one), shown(&other), "{seed}: {}", said.join("\n"));
            commands += 1;
        }
        assert_eq!(files(&staged.dir), before, "{seed}: nothing is written before the yes");
        let after = files(&plain.dir);
        let anew = StagedFiles::open(&staged.dir, &staged.places, now).unwrap();
        for (path, bytes) in &after {
            let path = memcurator::review::tool::VirtualPath::parse(&format!("/memories/{path}")).unwrap();
            assert_eq!(anew.read(&path).as_deref(), Ok(&**bytes), "{seed}: {path:?}");
        }
        let store = staged.open();
        let paths: std::collections::BTreeSet<_> =
            waiting(&store).into_iter().map(|one| one.target).collect();
        assert_eq!(paths.len(), waiting(&store).len(), "{seed}: one proposal about a file");
        let count = approve_all(&store);
        proposed += count;
        assert_eq!(files(&staged.dir), after, "{seed}: {}", said.join("\n"));
        for _ in 0..count {
            let undone = store.undo(now()).unwrap().unwrap();
            assert!(undone.conflicts.is_empty(), "{seed}: {undone:?}");
        }
        assert_eq!(files(&staged.dir), before, "{seed}: undone");
        assert_eq!(store.queue().count(), count, "{seed}: what is undone waits again");
    }
    assert!(commands == 1800 && proposed > 150, "{proposed}");
}

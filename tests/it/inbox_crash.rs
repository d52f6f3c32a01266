//! "Approve all" of 50, killed at every step and at random moments, beside an agent that writes to the index; two
//! memcurators approving at once beside a client. Each proposal is wholly done or waits, and nothing is lost.
//!
//! The process that is killed is this test binary again, running [`approving_worker`] alone.

use crate::crash::random;
use crate::inbox_kit::{Shop, line, memory, name, now};
use memcurator::review::approve::{self, Outcome};
use memcurator::review::proposal::{Action, Waiting};
use memcurator::store::Store;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const MEMORIES: usize = 12;
const PROPOSALS: usize = 50;

/// Approves everything in the store that the environment names; without that it is no test.
#[test]
fn approving_worker() {
    let Ok(top) = std::env::var("MEMCURATOR_APPROVE_TOP") else { return };
    approve_all(&Shop::at(Path::new(&top)));
}

/// As `pending approve --all` does, one operation each.
fn approve_all(shop: &Shop) {
    let store = shop.open();
    for waiting in store.queue().list().unwrap() {
        let Waiting::Proposal(proposal) = waiting else { panic!("{waiting:?}") };
        for _ in 0..1000 {
            let snapshot = store.scan(&|_| {}).unwrap();
            let plan = match approve::approve(&snapshot, &[], &proposal, false).unwrap() {
                Outcome::Ready(plan) => plan,
                Outcome::Done => {
                    store.queue().settle(&proposal.id, now()).unwrap();
                    break;
                }
                Outcome::Stale(stale) => panic!("{stale:?}"),
            };
            match store.approve(&plan, &proposal.id, now()) {
                Ok(applied) => {
                    assert!(applied.conflicts.is_empty(), "{applied:?}");
                    break;
                }
                Err(error) => assert!(error.conflict || error.what.contains("another memcurator"), "{error}"),
            }
        }
    }
}

/// A store with proposals: most add, some change, some delete.
fn fresh() -> Shop {
    let shop = Shop::new(MEMORIES);
    let mut all = Vec::new();
    for i in 0..PROPOSALS {
        all.push(match i % 10 {
            3 => {
                format!(r#"{{"action": "change", "file": "{}", "description": "better {i}"}}"#, name(i / 10))
            }
            7 => format!(r#"{{"action": "delete", "file": "{}"}}"#, name(6 + i / 10)),
            _ => {
                let content = serde_json::to_string(&memory(20 + i)).unwrap();
                format!(r#"{{"file": "{}", "content": {content}}}"#, name(20 + i))
            }
        });
    }
    shop.propose(&format!("[{}]", all.join(",")));
    shop
}

fn with_appender(shop: &Shop, work: impl FnOnce()) -> Vec<String> {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let appender = scope.spawn(|| {
            let mut lines = Vec::new();
            while !stop.load(Ordering::SeqCst) {
                let line = format!("- [Foreign {0}](foreign{0}.md) — by the agent\n", lines.len());
                let index = fs::File::options().append(true).open(shop.dir.join("MEMORY.md"));
                index.unwrap().write_all(line.as_bytes()).unwrap();
                lines.push(line);
                // Slower and slower: on a busy machine a plan takes longer than any fixed pause.
                let pause = 5_000 + 3_000 * u64::try_from(lines.len()).unwrap();
                std::thread::sleep(Duration::from_micros(pause + random(pause)));
            }
            lines
        });
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        stop.store(true, Ordering::SeqCst);
        let lines = appender.join().unwrap();
        ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        lines
    })
}

/// Each proposal is done or waits, never both or neither; gives how many are done.
fn check(shop: &Shop, foreign: &[String]) -> usize {
    let store = shop.open();
    assert!(store.recovered().is_empty(), "{:?}", store.recovered());
    let left: Vec<String> = shop.files().into_keys().filter(|name| name.starts_with('.')).collect();
    assert!(left.is_empty(), "{left:?}");
    let index = shop.read("MEMORY.md");
    for line in foreign {
        assert_eq!(index.matches(line.as_str()).count(), 1, "{line} in {index}");
    }
    let waiting = store.queue().list().unwrap();
    let snapshot = store.scan(&|_| {}).unwrap();
    let mut open = 0;
    for one in &waiting {
        let Waiting::Proposal(proposal) = one else { panic!("{one:?}") };
        let here = snapshot.memories.iter().find(|memory| memory.path == proposal.target);
        // Done already: between the operation and the queue.
        if approve::is_done(here, proposal) {
            continue;
        }
        open += 1;
        // To plan each addition takes long, and all it could find is a file in its place.
        if proposal.action == Action::Add {
            assert!(here.is_none(), "{proposal:?}");
        } else {
            assert!(matches!(approve::approve(&snapshot, &[], proposal, false), Ok(Outcome::Ready(_))));
        }
    }
    for i in (0..PROPOSALS).filter(|i| ![3, 7].contains(&(i % 10))) {
        let file = format!("{}.md", name(20 + i));
        let is_there = shop.dir.join(&file).exists();
        assert_eq!(index.matches(&format!("({file})")).count(), usize::from(is_there), "{file} in {index}");
        if is_there {
            assert_eq!(shop.read(&file), memory(20 + i));
        }
    }
    let foreign_changes = shop.changes().list.iter().filter(|change| !change.path.is_index()).count();
    assert_eq!(foreign_changes, 0, "{:?}", shop.listed());
    PROPOSALS - open
}

/// Approves what is left, then undoes it all.
fn there_and_back(shop: &Shop, before: &std::collections::BTreeMap<String, String>, foreign: &[String]) {
    approve_all(shop);
    assert_eq!(check(shop, foreign), PROPOSALS);
    let store: Store = shop.open();
    assert_eq!(store.queue().count(), 0);
    for _ in 0..PROPOSALS {
        let undone = store.undo(now()).unwrap().unwrap();
        assert!(undone.conflicts.is_empty(), "{undone:?}");
    }
    assert_eq!(store.queue().count(), PROPOSALS, "what is undone waits again");
    let mut files = shop.files();
    let index = files.get_mut("MEMORY.md").unwrap();
    foreign.iter().for_each(|line| *index = index.replacen(line.as_str(), "", 1));
    assert_eq!(files, *before);
}

fn start(shop: &Shop, die_at: Option<u64>) -> std::process::Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["inbox_crash::approving_worker", "--exact", "--nocapture"])
        .env("MEMCURATOR_APPROVE_TOP", &shop.top)
        .stdout(Stdio::null());
    if let Some(die_at) = die_at {
        command.env("MEMCURATOR_DIE_AT", die_at.to_string());
    }
    command.spawn().unwrap()
}

#[test]
fn approving_survives_a_kill_at_every_step() {
    use std::os::unix::process::ExitStatusExt;
    for step in 1.. {
        let shop = fresh();
        let before = shop.files();
        let mut ended = false;
        let foreign = with_appender(&shop, || {
            let status = start(&shop, Some(step)).wait().unwrap();
            assert!(status.success() || status.signal() == Some(9), "at {step}: {status}");
            ended = status.success();
        });
        let done = check(&shop, &foreign);
        if step % 16 == 0 || ended {
            there_and_back(&shop, &before, &foreign);
        }
        if ended {
            assert!(step > 30 && done == PROPOSALS, "step {step}, {done} done");
            return;
        }
    }
}

#[test]
fn approving_survives_kills_at_random_moments() {
    let typical = {
        let shop = fresh();
        let started = Instant::now();
        assert!(start(&shop, None).wait().unwrap().success());
        assert_eq!(check(&shop, &[]), PROPOSALS);
        started.elapsed()
    };
    let mut counts = Vec::new();
    for _ in 0..8 {
        let shop = fresh();
        let before = shop.files();
        let foreign = with_appender(&shop, || {
            let mut child = start(&shop, None);
            std::thread::sleep(Duration::from_micros(random(u64::try_from(typical.as_micros()).unwrap())));
            child.kill().unwrap();
            child.wait().unwrap();
            drop(shop.open());
        });
        counts.push(check(&shop, &foreign));
        there_and_back(&shop, &before, &foreign);
    }
    eprintln!("approved when killed: {counts:?}");
}

#[test]
fn two_at_once_and_a_client_lose_nothing() {
    let shop = fresh();
    let before = shop.files();
    let foreign = with_appender(&shop, || {
        let mut both = [start(&shop, None), start(&shop, None)];
        for child in &mut both {
            assert!(child.wait().unwrap().success());
        }
    });
    assert_eq!(check(&shop, &foreign), PROPOSALS);
    let approved =
        shop.open().log().unwrap().iter().filter(|entry| entry.message.starts_with("approved")).count();
    assert_eq!(approved, PROPOSALS, "each once");
    there_and_back(&shop, &before, &foreign);
    assert!(shop.read("MEMORY.md").contains(&line(0)));
}

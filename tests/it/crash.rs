//! Killed at every step, and at random moments, while someone else appends to the index: afterwards an
//! operation is wholly done or wholly undone, nothing is lost, and the other one's lines stay.
//!
//! The process that is killed is this test binary again, running [`crash_worker`] alone.

use crate::store_kit::{Kit, at, line, name, now};
use memcurator::store::{Purge, Store};
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const MEMORIES: usize = 52;
pub const CONCERNED: std::ops::Range<usize> = 1..51;

/// A file of this name beside a store: as on a file system that knows no exchange of two names.
pub const NO_EXCHANGE: &str = "no-exchange";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Job {
    Delete,
    Park,
    Undo,
    Purge,
    Open,
}

impl Job {
    const ALL: [Self; 5] = [Self::Delete, Self::Park, Self::Undo, Self::Purge, Self::Open];
}

/// Does one job in the store that the environment names; without that it is no test.
#[test]
fn crash_worker() {
    let (Ok(top), Ok(job)) = (std::env::var("MEMCURATOR_CRASH_TOP"), std::env::var("MEMCURATOR_CRASH_JOB"))
    else {
        return;
    };
    let job = Job::ALL.into_iter().find(|one| format!("{one:?}") == job).unwrap();
    let kit = Kit::at(Path::new(&top));
    let which: Vec<usize> = CONCERNED.collect();
    let store = kit.open();
    for _ in 0..1000 {
        let done = match job {
            Job::Delete => store.apply(&kit.delete(&which), now()).map(drop),
            Job::Park => store.apply(&kit.park(&which), now()).map(drop),
            Job::Undo => store.undo(at(9)).map(|undone| assert!(undone.is_some())),
            Job::Purge => store.purge(&Purge::Before(at(5)), at(9)).map(drop),
            Job::Open => Ok(()),
        };
        match done {
            Ok(()) => return,
            // The other one was faster: plan again.
            Err(error) => assert!(error.conflict, "{error}"),
        }
    }
    panic!("never got through");
}

pub fn start(kit: &Kit, job: Job, die_at: Option<u64>) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["crash::crash_worker", "--exact", "--nocapture"])
        .env("MEMCURATOR_CRASH_TOP", &kit.top)
        .env("MEMCURATOR_CRASH_JOB", format!("{job:?}"))
        .stdout(Stdio::null());
    if let Some(die_at) = die_at {
        command.env("MEMCURATOR_DIE_AT", die_at.to_string());
    }
    if kit.top.join(NO_EXCHANGE).exists() {
        command.env("MEMCURATOR_NO_EXCHANGE", "1");
    }
    command.spawn().unwrap()
}

/// Runs a job until it ends or dies; whether it ended well.
fn run(kit: &Kit, job: Job, die_at: Option<u64>) -> bool {
    use std::os::unix::process::ExitStatusExt;
    let status = start(kit, job, die_at).wait().unwrap();
    assert!(status.success() || status.signal() == Some(9), "{job:?} at {die_at:?}: {status}");
    status.success()
}

/// Appends lines to the index, as an agent does, while `work` runs; gives the lines.
fn with_appender(kit: &Kit, work: impl FnOnce()) -> Vec<String> {
    with_appender_every(kit, 1000..4000, work)
}

/// As [`with_appender`], with a pause of so many microseconds between the lines.
pub fn with_appender_every(kit: &Kit, pause: std::ops::Range<u64>, work: impl FnOnce()) -> Vec<String> {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let appender = scope.spawn(|| {
            let mut lines = Vec::new();
            while !stop.load(Ordering::SeqCst) {
                let line = format!("- [Foreign {0}](foreign{0}.md) — by the agent\n", lines.len());
                kit.append("MEMORY.md", &line);
                lines.push(line);
                std::thread::sleep(Duration::from_micros(pause.start + random(pause.end - pause.start)));
            }
            lines
        });
        // However it ends, or the appender would go on for ever.
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        stop.store(true, Ordering::SeqCst);
        let lines = appender.join().unwrap();
        ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        lines
    })
}

pub fn random(below: u64) -> u64 {
    RandomState::new().hash_one(()) % below
}

/// What must hold after a job was interrupted and the store opened again; whether the job was done.
fn check(kit: &Kit, job: Job, original: &[String], foreign: &[String]) -> bool {
    let store = kit.open();
    assert!(store.recovered().is_empty(), "{:?}", store.recovered());
    let leftovers: Vec<_> =
        kit.shown().into_keys().filter(|path| path.to_string_lossy().starts_with('.')).collect();
    assert!(leftovers.is_empty(), "{leftovers:?}");
    let index = kit.read("MEMORY.md");
    for line in foreign {
        assert_eq!(index.matches(line.as_str()).count(), 1, "{line} in {index}");
    }
    assert!(index.starts_with("# Index\n") && index.contains("Some words at the end.\n"));
    let named = CONCERNED.filter(|i| index.matches(&line(*i)).count() == 1).count();
    let there = CONCERNED.filter(|i| kit.exists(&name(*i))).count();
    let parked = store.parked().unwrap().len();
    let count = CONCERNED.len();
    let done = named == 0;
    let expected = match (job, done) {
        (Job::Delete, true) => (0, 0, 0),
        (Job::Park, true) => (0, count, count),
        _ => (count, count, 0),
    };
    assert_eq!((named, there, parked), expected, "{job:?}");
    for i in (0..MEMORIES).filter(|i| kit.exists(&name(*i))) {
        assert_eq!(kit.read(&name(i)), original[i]);
    }
    done
}

/// Everything can be taken back.
fn check_undo(kit: &Kit, original: &[String], foreign: &[String]) {
    let store: Store = kit.open();
    let (log, before) = (store.log().unwrap(), kit.read("MEMORY.md"));
    let undone = store.undo(at(99)).unwrap().unwrap();
    let index = kit.read("MEMORY.md");
    for (i, text) in original.iter().enumerate() {
        assert_eq!(kit.read(&name(i)), *text);
        assert_eq!(index.matches(&line(i)).count(), 1, "{index}");
    }
    for line in foreign {
        let count = index.matches(line.as_str()).count();
        assert_eq!(count, 1, "{line}\n{before}\n{index}\n{undone:?}\n{log:#?}");
    }
    assert!(store.parked().unwrap().is_empty());
}

pub fn fresh() -> (Kit, Vec<String>) {
    let kit = Kit::new(MEMORIES);
    let original = (0..MEMORIES).map(|i| kit.read(&name(i))).collect();
    (kit, original)
}

pub fn at_every_step(job: Job, fresh: impl Fn() -> (Kit, Vec<String>)) {
    let mut outcomes = [0, 0];
    for step in 1.. {
        let (kit, original) = fresh();
        let mut ended = false;
        let foreign = with_appender(&kit, || ended = run(&kit, job, Some(step)));
        let done = check(&kit, job, &original, &foreign);
        outcomes[usize::from(done)] += 1;
        if done {
            check_undo(&kit, &original, &foreign);
        }
        if ended {
            assert!(done);
            break;
        }
    }
    eprintln!(
        "{job:?}: killed at each of {} steps, {} undone, {} done",
        outcomes[0] + outcomes[1] - 1,
        outcomes[0],
        outcomes[1]
    );
    assert!(outcomes[0] > 5 && outcomes[1] > 5, "both ways were tested: {outcomes:?}");
}

#[test]
fn a_delete_of_50_survives_a_kill_at_every_step() {
    at_every_step(Job::Delete, fresh);
}

#[test]
fn a_park_of_50_survives_a_kill_at_every_step() {
    at_every_step(Job::Park, fresh);
}

#[test]
fn kills_at_random_moments_lose_nothing() {
    let typical = {
        let (kit, _) = fresh();
        let started = Instant::now();
        assert!(run(&kit, Job::Delete, None));
        started.elapsed()
    };
    let mut outcomes = [0, 0];
    for round in 0..100 {
        let job = if round % 2 == 0 { Job::Delete } else { Job::Park };
        let (kit, original) = fresh();
        let foreign = with_appender(&kit, || {
            let mut child = start(&kit, job, None);
            let micros = u64::try_from(typical.as_micros()).unwrap();
            std::thread::sleep(Duration::from_micros(random(micros + micros / 4)));
            child.kill().unwrap();
            child.wait().unwrap();
            // The recovery too happens while the other one writes.
            drop(kit.open());
        });
        let done = check(&kit, job, &original, &foreign);
        outcomes[usize::from(done)] += 1;
        if done {
            check_undo(&kit, &original, &foreign);
        }
    }
    eprintln!("killed at 100 random moments: {} undone, {} done", outcomes[0], outcomes[1]);
}

/// The undo of a delete puts lines in: those must not come in twice.
#[test]
fn an_undo_survives_a_kill_at_every_third_step() {
    for step in (1..).step_by(3) {
        let (kit, original) = fresh();
        assert!(run(&kit, Job::Delete, None));
        let mut ended = false;
        let foreign = with_appender(&kit, || ended = run(&kit, Job::Undo, Some(step)));
        let store = kit.open();
        assert!(store.recovered().is_empty(), "{:?}", store.recovered());
        if kit.exists(&name(1)) {
            assert!(!check(&kit, Job::Delete, &original, &foreign));
            store.redo(at(10)).unwrap().unwrap();
        } else {
            assert!(check(&kit, Job::Delete, &original, &foreign));
        }
        check_undo(&kit, &original, &foreign);
        if ended {
            return;
        }
    }
}

/// A recovery that is killed itself is recovered again.
#[test]
fn a_recovery_survives_a_kill() {
    for step in (1..).step_by(4) {
        let (kit, original) = fresh();
        // Early enough that nothing is done yet, late enough that it will be.
        assert!(!run(&kit, Job::Delete, Some(40)));
        kit.append("MEMORY.md", "- [Between](between.md)\n");
        let ended = run(&kit, Job::Open, Some(step));
        assert!(check(&kit, Job::Delete, &original, &["- [Between](between.md)\n".to_owned()]));
        check_undo(&kit, &original, &[]);
        if ended {
            assert!(step > 20, "step {step}: nothing was left to recover");
            return;
        }
    }
}

#[test]
fn a_purge_survives_a_kill_at_every_step() {
    for step in 1.. {
        let kit = Kit::new(4);
        let store = kit.open();
        store.apply(&kit.delete(&[0]), at(0)).unwrap();
        store.apply(&kit.delete(&[1]), at(8)).unwrap();
        let ended = run(&kit, Job::Purge, Some(step));
        let store = kit.open();
        let entries = store.log().unwrap().len();
        assert!(entries == 3 || entries == 2, "{entries}");
        store.undo(at(10)).unwrap().unwrap();
        assert!(kit.exists(&name(1)) && !kit.exists(&name(0)));
        let left: Vec<_> = std::fs::read_dir(kit.home())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.starts_with("history.git."))
            .collect();
        assert!(left.is_empty(), "{left:?}");
        if ended {
            assert!(step > 10 && entries == 2);
            return;
        }
    }
}

/// What is neither as before nor as after is left alone and named, in the recovery and in the undo.
#[test]
fn a_file_that_someone_changed_after_the_crash_is_left_to_them() {
    let (kit, original) = fresh();
    assert!(!run(&kit, Job::Delete, Some(40)));
    assert!(kit.home().join("history.git/refs/pending").exists());
    kit.write("m50.md", "theirs\n");
    let store = kit.open();
    let [conflict] = store.recovered() else { panic!("{:?}", store.recovered()) };
    assert_eq!(conflict.path.to_str_lossy(), "m50.md");
    assert!(conflict.what.contains("left"));
    assert_eq!(kit.read("m50.md"), "theirs\n");
    assert!(CONCERNED.filter(|i| kit.exists(&name(*i))).eq([50]));
    let undone = store.undo(at(1)).unwrap().unwrap();
    assert_eq!(undone.conflicts.len(), 1);
    assert_eq!(kit.read("m50.md"), "theirs\n");
    assert!((0..50).all(|i| kit.read(&name(i)) == original[i]));
    let redone = store.redo(at(2)).unwrap().unwrap();
    assert_eq!(redone.conflicts.len(), 1);
    assert!(CONCERNED.filter(|i| kit.exists(&name(*i))).eq([50]));
}

/// The conflicts of a recovery that an operation had to make first are told with it.
#[test]
fn an_operation_recovers_first() {
    let (kit, _) = fresh();
    let store = kit.open();
    assert!(!run(&kit, Job::Delete, Some(40)));
    kit.write("m50.md", "theirs\n");
    let applied = store.undo(at(1)).unwrap().unwrap();
    assert_eq!(applied.message, "undid: deleted 50 memories");
    assert_eq!(applied.conflicts.len(), 2, "{applied:?}");
    assert!(kit.exists("m20.md"));
}

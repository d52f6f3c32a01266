//! A move between two stores, and its undo from either side, killed at every step: afterwards every memory is in one of
//! the stores or in both, never in neither, each store is wholly before or wholly after its own step, and doing the same
//! again ends it.
//!
//! The process that is killed is this test binary again, running [`moving_crash_worker`] alone.

use crate::store_kit::{Kit, Shown, at, line, name, now, rel};
use memcurator::memory::path::RelPath;
use memcurator::prompt::port::Environment;
use memcurator::review::moving::Way;
use memcurator::shell::moving;
use memcurator::store::{Start, Store};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const MEMORIES: usize = 5;
const GOING: std::ops::Range<usize> = 1..4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Job {
    Move,
    UndoHere,
    UndoThere,
    RedoHere,
    RedoThere,
}

const ALL: [Job; 5] = [Job::Move, Job::UndoHere, Job::UndoThere, Job::RedoHere, Job::RedoThere];

fn there(kit: &Kit) -> PathBuf {
    kit.top.join("there")
}

fn fresh() -> Kit {
    let kit = Kit::new(MEMORIES);
    fs::create_dir(there(&kit)).unwrap();
    fs::write(there(&kit).join("MEMORY.md"), "# There\n\n- [Own](own.md) — its hook\n").unwrap();
    fs::write(there(&kit).join("own.md"), "---\nname: Own\n---\n\nIts own.\n").unwrap();
    kit
}

fn opened(kit: &Kit) -> (Store, Store) {
    (kit.open(), Store::open(&there(kit), &kit.places).unwrap())
}

fn env(kit: &Kit) -> Environment {
    Environment { cwd: kit.top.clone(), home: kit.top.clone(), ..Environment::default() }
}

fn do_move(kit: &Kit) {
    let (from, to) = opened(kit);
    let left: Vec<RelPath> =
        GOING.map(|i| rel(&name(i))).filter(|path| kit.dir.join(path.as_path()).exists()).collect();
    if left.is_empty() {
        return;
    }
    let planned = moving::plan(&from, &to, Way::Move, Some(&left), &env(kit)).unwrap();
    let applied = from.transfer(&to, &planned, now()).unwrap();
    assert!(applied.conflicts.is_empty(), "{applied:?}");
}

fn work(kit: &Kit, job: Job) {
    let (from, to) = opened(kit);
    match job {
        Job::Move => do_move(kit),
        Job::UndoHere => drop(from.undo(at(9)).unwrap()),
        Job::UndoThere => drop(to.undo(at(9)).unwrap()),
        Job::RedoHere => drop(from.redo(at(9)).unwrap()),
        Job::RedoThere => drop(to.redo(at(9)).unwrap()),
    }
}

/// Does one job in the stores that the environment names; without that it is no test.
#[test]
fn moving_crash_worker() {
    let (Ok(top), Ok(job)) = (std::env::var("MEMCURATOR_MOVE_TOP"), std::env::var("MEMCURATOR_CRASH_JOB"))
    else {
        return;
    };
    let job = ALL.into_iter().find(|one| format!("{one:?}") == job).unwrap();
    work(&Kit::at(Path::new(&top)), job);
}

/// Runs a job until it ends or dies; whether it ended well.
fn run(kit: &Kit, job: Job, die_at: u64) -> bool {
    use std::os::unix::process::ExitStatusExt;
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["moving_crash::moving_crash_worker", "--exact", "--nocapture"])
        .env("MEMCURATOR_MOVE_TOP", &kit.top)
        .env("MEMCURATOR_CRASH_JOB", format!("{job:?}"))
        .env("MEMCURATOR_DIE_AT", die_at.to_string())
        .stdout(Stdio::null());
    let status = command.status().unwrap();
    assert!(status.success() || status.signal() == Some(9), "{job:?} at {die_at}: {status}");
    status.success()
}

/// A file there as the file system shows it.
fn shown(kit: &Kit, i: usize) -> Option<Shown> {
    let path = there(kit).join(name(i));
    let meta = fs::metadata(&path).ok()?;
    Some((fs::read(&path).unwrap(), meta.mode() & 0o7777, (meta.mtime(), meta.mtime_nsec())))
}

/// What must hold in any case; gives how many of the memories are here and there.
fn check(kit: &Kit, before: &std::collections::BTreeMap<PathBuf, Shown>, what: &str) -> (usize, usize) {
    let (from, to) = opened(kit);
    for store in [&from, &to] {
        assert!(store.recovered().is_empty(), "{what}: {:?}", store.recovered());
        assert_eq!(store.notes().len(), 0, "{what}: {:?}", store.notes());
        let left = fs::read_dir(store.root()).unwrap().map(|entry| entry.unwrap().file_name());
        let left: Vec<_> = left.filter(|name| name.to_string_lossy().starts_with('.')).collect();
        assert!(left.is_empty(), "{what}: {left:?}");
        let unreviewed = store.unreviewed(&store.scan(&|_| {}).unwrap()).unwrap();
        assert_eq!(unreviewed.map(|all| all.len()), Some(0), "{what}: nobody else changed anything");
    }
    let here_now = kit.shown();
    let (mut here, mut gone) = (0, 0);
    for i in GOING {
        let was = &before[Path::new(&name(i))];
        let (there, now) = (shown(kit, i), here_now.get(Path::new(&name(i))));
        assert!(there.is_some() || now.is_some(), "{what}: {} is nowhere", name(i));
        assert!(
            there.as_ref().is_none_or(|it| it == was) && now.is_none_or(|it| it == was),
            "{what}: bytes, mode and time"
        );
        here += usize::from(now.is_some());
        gone += usize::from(there.is_some());
        let index = kit.read("MEMORY.md");
        assert_eq!(index.contains(&line(i)), now.is_some(), "{what}: {index}");
        let index = fs::read_to_string(self::there(kit).join("MEMORY.md")).unwrap();
        assert_eq!(index.contains(&line(i)), there.is_some(), "{what}: {index}");
    }
    (here, gone)
}

#[test]
fn a_move_killed_at_every_step() {
    killed_at_every_step(Job::Move);
}

#[test]
fn its_undo_here_killed_at_every_step() {
    killed_at_every_step(Job::UndoHere);
}

#[test]
fn its_undo_there_killed_at_every_step() {
    killed_at_every_step(Job::UndoThere);
}

#[test]
fn its_redo_here_killed_at_every_step() {
    killed_at_every_step(Job::RedoHere);
}

#[test]
fn its_redo_there_killed_at_every_step() {
    killed_at_every_step(Job::RedoThere);
}

fn killed_at_every_step(job: Job) {
    let mut between = 0;
    for die_at in 1.. {
        let kit = fresh();
        let before = kit.shown();
        let (from, to) = opened(&kit);
        for store in [&from, &to] {
            store.start_review(Start::AsItIs, now()).unwrap();
        }
        if job != Job::Move {
            do_move(&kit);
        }
        if matches!(job, Job::RedoHere | Job::RedoThere) {
            work(&kit, Job::UndoHere);
        }
        let ended = run(&kit, job, die_at);
        let what = format!("{job:?} at {die_at}");
        let all = GOING.len();
        let (here, gone) = check(&kit, &before, &what);
        assert!(
            [(all, 0), (all, all), (0, all)].contains(&(here, gone)),
            "{what}: {here} here, {gone} there"
        );
        between += usize::from((here, gone) == (all, all));
        // The same again ends it.
        let is_undo = matches!(job, Job::UndoHere | Job::UndoThere);
        let end = if is_undo { (all, 0) } else { (0, all) };
        if (here, gone) != end && job == Job::Move {
            do_move(&kit);
            assert_eq!(check(&kit, &before, &what), end, "{what}, again");
        }
        if ended {
            assert_eq!((here, gone), end, "{what}");
            break;
        }
    }
    assert!(between > 0, "{job:?}: never killed between the two steps");
}

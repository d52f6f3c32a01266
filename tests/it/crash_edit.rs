//! A merge, a rename with 30 links and a promotion, killed at every step while someone else appends to the index:
//! afterwards the operation is wholly done or wholly undone, in the store and outside, and undo restores all.
//!
//! The process that is killed is this test binary again, running [`crash_edit_worker`] alone.

use crate::crash::with_appender_every;
use crate::store_kit::{Kit, at, line, name, now, rel};
use memcurator::memory::snapshot::Snapshot;
use memcurator::review::merge::{composed, merge, with_body};
use memcurator::review::plan::{Plan, Refusal};
use memcurator::review::promote::{promote, with_text};
use memcurator::review::rename::{NewName, rename};
use memcurator::store;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const MEMORIES: usize = 34;
/// Pauses of the other writer, in microseconds: long enough to make a plan in between.
const PAUSE: std::ops::Range<u64> = 10_000..60_000;
/// Memories that link to the first one.
const LINKING: std::ops::Range<usize> = 3..33;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Job {
    Merge,
    Rename,
    Promote,
    UndoPromote,
}

impl Job {
    const ALL: [Self; 4] = [Self::Merge, Self::Rename, Self::Promote, Self::UndoPromote];

    fn plan(self, kit: &Kit, snapshot: &Snapshot) -> Result<Plan, Refusal> {
        let path = rel(&name(0));
        match self {
            Self::Merge => {
                let others = [path, rel(&name(1))];
                let keep = rel(&name(2));
                let body = composed(snapshot, &keep, &others)?;
                merge(snapshot, &[], &keep, &others, &with_body(snapshot, &keep, &body)?, now())
            }
            Self::Rename => {
                let to = NewName { file: Some("renamed".into()), name: Some("renamed".into()) };
                rename(snapshot, &[], &path, &to)
            }
            Self::Promote | Self::UndoPromote => {
                let target = rules(kit);
                let (real, before) = store::outside(&kit.top.join("project"), &target).unwrap();
                promote(snapshot, &[], &path, with_text(&real, before, "The promoted text.", 0o644))
            }
        }
    }
}

fn rules(kit: &Kit) -> PathBuf {
    kit.top.join("project/CLAUDE.md")
}

fn fresh() -> Kit {
    let kit = Kit::new(MEMORIES);
    for i in LINKING {
        let text = format!("---\nname: {0}\n---\n\nSee [[m00]] and [it](m00.md).\n", name(i));
        let time = kit.dir.join(name(i)).metadata().unwrap().modified().unwrap();
        kit.write(&name(i), &text);
        fs::File::options().write(true).open(kit.dir.join(name(i))).unwrap().set_modified(time).unwrap();
    }
    fs::create_dir(kit.top.join("project")).unwrap();
    fs::write(rules(&kit), "# Rules\n").unwrap();
    kit
}

/// Does one job in the store that the environment names; without that it is no test.
#[test]
fn crash_edit_worker() {
    let (Ok(top), Ok(job)) = (std::env::var("MEMCURATOR_EDIT_TOP"), std::env::var("MEMCURATOR_CRASH_JOB"))
    else {
        return;
    };
    let job = Job::ALL.into_iter().find(|one| format!("{one:?}") == job).unwrap();
    let kit = Kit::at(Path::new(&top));
    let store = kit.open();
    for _ in 0..1000 {
        let done = match job {
            Job::UndoPromote => store.undo(at(9)).map(|undone| assert!(undone.is_some())),
            _ => {
                let snapshot = store.scan(&|_| {}).unwrap();
                store.apply(&job.plan(&kit, &snapshot).unwrap(), now()).map(drop)
            }
        };
        match done {
            Ok(()) => return,
            // The other one was faster: plan again.
            Err(error) => assert!(error.conflict, "{error}"),
        }
    }
    panic!("never got through");
}

/// Runs a job until it ends or dies; whether it ended well.
fn run(kit: &Kit, job: Job, die_at: Option<u64>) -> bool {
    use std::os::unix::process::ExitStatusExt;
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["crash_edit::crash_edit_worker", "--exact", "--nocapture"])
        .env("MEMCURATOR_EDIT_TOP", &kit.top)
        .env("MEMCURATOR_CRASH_JOB", format!("{job:?}"))
        .stdout(Stdio::null());
    if let Some(die_at) = die_at {
        command.env("MEMCURATOR_DIE_AT", die_at.to_string());
    }
    let status = command.status().unwrap();
    assert!(status.success() || status.signal() == Some(9), "{job:?} at {die_at:?}: {status}");
    status.success()
}

/// Content and mode of every file but the index, the one outside too.
fn files(kit: &Kit) -> BTreeMap<PathBuf, (Vec<u8>, u32)> {
    let mut files: BTreeMap<_, _> =
        kit.shown().into_iter().map(|(path, (bytes, mode, _))| (path, (bytes, mode))).collect();
    files.remove(Path::new("MEMORY.md"));
    for entry in fs::read_dir(kit.top.join("project")).unwrap() {
        let path = entry.unwrap().path();
        files.insert(path.strip_prefix(&kit.top).unwrap().into(), (fs::read(&path).unwrap(), 0));
    }
    files
}

/// The index without the lines of the other one; each of those is there once.
fn own_index(kit: &Kit, foreign: &[String]) -> String {
    let mut index = kit.read("MEMORY.md");
    for line in foreign {
        assert_eq!(index.matches(line.as_str()).count(), 1, "{line} in {index}");
        index = index.replace(line.as_str(), "");
    }
    index
}

type Seen = (BTreeMap<PathBuf, (Vec<u8>, u32)>, String);

fn at_every_step(job: Job) {
    let begin = || {
        let kit = fresh();
        if job == Job::UndoPromote {
            assert!(run(&kit, Job::Promote, None));
        }
        kit
    };
    let kit = begin();
    let start: Seen = (files(&kit), kit.read("MEMORY.md"));
    assert!(run(&kit, job, None));
    let end: Seen = (files(&kit), kit.read("MEMORY.md"));
    assert_ne!(start, end);
    let mut outcomes = [0, 0];
    for step in 1.. {
        let kit = begin();
        let before = kit.shown();
        let rules_before = fs::metadata(rules(&kit)).unwrap().modified().unwrap();
        let mut ended = false;
        let foreign = with_appender_every(&kit, PAUSE, || ended = run(&kit, job, Some(step)));
        let store = kit.open();
        assert!(store.recovered().is_empty(), "{job:?} {step}: {:?}", store.recovered());
        let now_is: Seen = (files(&kit), own_index(&kit, &foreign));
        let done = now_is.0 == end.0;
        assert_eq!(now_is, if done { end.clone() } else { start.clone() }, "{job:?} {step}");
        outcomes[usize::from(done)] += 1;
        if done {
            let turned = if job == Job::UndoPromote { store.redo(at(20)) } else { store.undo(at(20)) }
                .unwrap()
                .unwrap();
            assert!(turned.conflicts.is_empty(), "{turned:?}");
            assert_eq!((files(&kit), own_index(&kit, &foreign)), start, "{job:?} {step}");
            if job != Job::UndoPromote {
                let mut after = kit.shown();
                let mut before = before;
                after.remove(Path::new("MEMORY.md"));
                before.remove(Path::new("MEMORY.md"));
                assert_eq!(after, before, "times too");
                assert_eq!(fs::metadata(rules(&kit)).unwrap().modified().unwrap(), rules_before);
            }
        }
        if ended {
            assert!(done);
            break;
        }
    }
    let steps = outcomes[0] + outcomes[1] - 1;
    eprintln!("{job:?}: killed at each of {steps} steps, {} undone, {} done", outcomes[0], outcomes[1]);
    assert!(outcomes[0] > 5 && outcomes[1] > 5, "both ways were tested: {outcomes:?}");
}

#[test]
fn a_merge_survives_a_kill_at_every_step() {
    at_every_step(Job::Merge);
}

#[test]
fn a_rename_with_30_links_survives_a_kill_at_every_step() {
    at_every_step(Job::Rename);
}

#[test]
fn a_promotion_survives_a_kill_at_every_step() {
    at_every_step(Job::Promote);
}

#[test]
fn an_undone_promotion_survives_a_kill_at_every_step() {
    at_every_step(Job::UndoPromote);
}

/// Kills a promotion when it is on record and the file outside is still as before.
fn interrupted() -> Kit {
    for step in 1..200 {
        let kit = fresh();
        let text = |kit: &Kit| fs::read_to_string(rules(kit)).unwrap();
        assert!(!run(&kit, Job::Promote, Some(step)), "it was on record at no step");
        let is_pending = kit.home().join("history.git/refs/pending").exists();
        if is_pending && text(&kit) == "# Rules\n" {
            return kit;
        }
    }
    panic!("never on record");
}

/// What should have gone out has not: the memory stays, and is named.
#[test]
fn a_file_outside_that_someone_changed_after_the_crash_keeps_the_memory() {
    let kit = interrupted();
    fs::write(rules(&kit), "theirs\n").unwrap();
    let store = kit.open();
    let conflicts: Vec<_> = store.recovered().iter().map(|one| one.path.to_string()).collect();
    assert!(conflicts.contains(&rules(&kit).display().to_string()), "{conflicts:?}");
    assert!(conflicts.contains(&name(0)), "{conflicts:?}");
    assert_eq!(fs::read_to_string(rules(&kit)).unwrap(), "theirs\n");
    assert!(kit.exists(&name(0)) && kit.read("MEMORY.md").contains(&line(0)));
    let left: Vec<_> = fs::read_dir(kit.top.join("project")).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    // Nothing is left to undo but the words of it.
    store.undo(at(1)).unwrap();
    assert_eq!(fs::read_to_string(rules(&kit)).unwrap(), "theirs\n");
    assert!(kit.exists(&name(0)) && kit.read("MEMORY.md").contains(&line(0)));
}

#[test]
fn a_file_outside_that_changed_since_the_plan_is_a_conflict() {
    let kit = fresh();
    let store = kit.open();
    let plan = Job::Promote.plan(&kit, &store.scan(&|_| {}).unwrap()).unwrap();
    let before = kit.shown();
    fs::write(rules(&kit), "theirs\n").unwrap();
    let error = store.apply(&plan, now()).unwrap_err();
    assert!(error.conflict && error.what.contains("CLAUDE.md was changed by someone else"), "{error}");
    fs::remove_file(rules(&kit)).unwrap();
    std::os::unix::fs::symlink("elsewhere.md", rules(&kit)).unwrap();
    let error = store.apply(&plan, now()).unwrap_err();
    assert!(error.conflict && error.what.contains("is a link to elsewhere.md"), "{error}");
    assert_eq!(kit.shown(), before);
    assert!(store::outside(&kit.top.join("project"), &rules(&kit)).unwrap_err().what.contains("is a link"));
}

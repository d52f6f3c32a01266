//! What happens when the disk fails in the middle, or someone else writes just then: whatever is said stands, and
//! nothing is lost.

use super::*;
use crate::review::plan::{Change, Content, FileState, Verb};
use crate::store::history::Ref;
use std::fs;
use std::io;

/// A store in a temporary directory.
pub(super) struct Bench {
    _top: tempfile::TempDir,
    pub dir: PathBuf,
    pub places: Places,
}

impl Bench {
    pub(super) fn new(files: &[(&str, &str)]) -> Self {
        let top = tempfile::tempdir().unwrap();
        let real = top.path().canonicalize().unwrap();
        let dir = real.join("memory");
        fs::create_dir(&dir).unwrap();
        for (name, text) in files {
            fs::write(dir.join(name), text).unwrap();
        }
        let places =
            Places { state: real.join("state"), cache: real.join("cache"), config: real.join("config") };
        Self { _top: top, dir, places }
    }

    pub(super) fn open(&self) -> Store {
        Store::open(&self.dir, &self.places).unwrap()
    }

    pub(super) fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.dir.join(name)).ok()
    }

    pub(super) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    pub(super) fn pending(&self) -> bool {
        self.places.of_store(&self.dir).join(HISTORY).join("refs/pending").exists()
    }
}

pub(super) fn change(path: &str, before: Option<&str>, after: Option<&str>) -> Change {
    let state =
        |text: &str| FileState { content: Content::File(text.as_bytes().into()), mode: 0o644, mtime: None };
    Change { path: RelPath::new(path).unwrap(), before: before.map(state), after: after.map(state) }
}

pub(super) fn plan(message: &str, changes: Vec<Change>) -> Plan {
    let (parked, warnings, outside) = (None, Vec::new(), Vec::new());
    Plan { verb: Verb::Delete, message: message.into(), changes, parked, warnings, outside }
}

pub(super) fn at(seconds: i64) -> Time {
    Time::from_timestamp(1_772_704_800 + seconds, 0).unwrap()
}

fn broken() -> io::Error {
    rustix::io::Errno::IO.into()
}

fn two_deleted() -> Plan {
    plan("deleted 2 memories", vec![change("a.md", Some("a\n"), None), change("b.md", Some("b\n"), None)])
}

/// Lets the n-th effect of this kind on a path that ends so fail (from 0).
fn fail(what: &'static str, end: &'static str, n: usize) {
    let mut seen = 0;
    failpoint::hook(move |effect, path| {
        if effect != what || !path.to_string_lossy().ends_with(end) {
            return Ok(());
        }
        seen += 1;
        if seen == n + 1 { Err(broken()) } else { Ok(()) }
    });
}

#[test]
fn a_fault_while_the_old_files_are_removed_loses_none_of_them() {
    // The removal of the first, of the second, and the sync after both (the first one is that of the exchange).
    for (what, end, n) in [("remove", "-0-0.tmp", 0), ("remove", "-1-0.tmp", 0), ("sync", "a.md", 1)] {
        let bench = Bench::new(&[("a.md", "a\n"), ("b.md", "b\n")]);
        let store = bench.open();
        fail(what, end, n);
        let error = store.apply(&two_deleted(), at(0)).unwrap_err();
        failpoint::unhook();
        assert!(error.what.contains("will be completed"), "{what} {n}: {error}");
        let store = bench.open();
        assert_eq!(bench.names(), [""; 0], "{what} {n}");
        store.undo(at(1)).unwrap().unwrap();
        assert_eq!((bench.read("a.md").unwrap(), bench.read("b.md").unwrap()), ("a\n".into(), "b\n".into()));
    }
}

#[test]
fn a_fault_before_that_is_taken_back() {
    let bench = Bench::new(&[("a.md", "a\n"), ("b.md", "b\n")]);
    let store = bench.open();
    fail("sync", "a.md", 0);
    let error = store.apply(&two_deleted(), at(0)).unwrap_err();
    failpoint::unhook();
    assert!(error.what.contains("taken back"), "{error}");
    assert_eq!(bench.names(), ["a.md", "b.md"]);
    assert!(!bench.pending());
}

#[test]
fn what_someone_wrote_into_a_new_file_is_not_taken_back() {
    let bench = Bench::new(&[("a.md", "a\n")]);
    let store = bench.open();
    let dir = bench.dir.clone();
    failpoint::hook(move |effect, path| {
        if effect == "sync" && path.ends_with("new.md") && dir.join("new.md").exists() {
            fs::write(dir.join("new.md"), "new\nand what the agent wrote\n")?;
            return Err(broken());
        }
        Ok(())
    });
    let made =
        plan("made", vec![change("new.md", None, Some("new\n")), change("a.md", Some("a\n"), Some("b\n"))]);
    let error = store.apply(&made, at(0)).unwrap_err();
    failpoint::unhook();
    assert!(error.what.contains("will be completed"), "{error}");
    assert_eq!(bench.read("new.md").unwrap(), "new\nand what the agent wrote\n");
    bench.open();
    assert_eq!(bench.read("new.md").unwrap(), "new\nand what the agent wrote\n");
    assert_eq!(bench.names(), ["a.md", "new.md"]);
}

/// `a.md` is deleted while someone writes it anew: what was there before lies only under the temporary name.
#[test]
fn what_is_kept_survives_a_fault_later_on() {
    let bench = Bench::new(&[("a.md", "a\n"), ("b.md", "b\n")]);
    let store = bench.open();
    let dir = bench.dir.clone();
    failpoint::hook(move |effect, path| {
        if effect == "exchanged" && path.ends_with("a.md") {
            let temp =
                fs::read_dir(&dir)?.flatten().find(|e| e.file_name().to_string_lossy().starts_with('.'));
            fs::write(temp.unwrap().path(), "written to the old file\n")?;
            fs::write(dir.join("a.md"), "written anew\n")?;
        }
        if effect == "sync" && path.ends_with("a.md") { Err(broken()) } else { Ok(()) }
    });
    let error = store.apply(&two_deleted(), at(0)).unwrap_err();
    failpoint::unhook();
    assert!(error.what.contains("will be completed"), "{error}");
    let store = bench.open();
    assert_eq!(store.recovered().len(), 1);
    assert_eq!(bench.read("a.md").unwrap(), "written anew\n");
    assert_eq!(bench.names(), ["a.md"]);
    let history = store.history().unwrap().unwrap();
    let tip = history.commit(history.get(Ref::Branch).unwrap().unwrap()).unwrap();
    let kept = history.kept(&tip).unwrap();
    assert!(kept.iter().any(|id| &*history.blob(*id).unwrap() == b"written to the old file\n"));
}

#[test]
fn what_is_said_to_have_failed_is_not_carried_out_later() {
    let bench = Bench::new(&[("a.md", "a\n"), ("b.md", "b\n")]);
    let store = bench.open();
    // The rename of the reference is done, its directory is not synced. (Before that, it is when it is made.)
    fail("sync", "refs", 1);
    let error = store.apply(&two_deleted(), at(0)).unwrap_err();
    failpoint::unhook();
    assert!(error.what.contains("nothing in the store was changed"), "{error}");
    assert!(!bench.pending());
    bench.open();
    assert_eq!(bench.names(), ["a.md", "b.md"]);
    // When it can't be forgotten either, that is said.
    failpoint::hook(
        |effect, path| if effect == "sync" && path.ends_with("refs") { Err(broken()) } else { Ok(()) },
    );
    let error = store.apply(&two_deleted(), at(1)).unwrap_err();
    failpoint::unhook();
    assert!(error.what.contains("may be carried out"), "{error}");
}

#[test]
fn a_new_history_is_durable_by_name() {
    use std::cell::RefCell;
    use std::rc::Rc;
    let bench = Bench::new(&[("a.md", "a\n"), ("b.md", "b\n")]);
    let synced: Rc<RefCell<Vec<PathBuf>>> = Rc::default();
    let to = Rc::clone(&synced);
    failpoint::hook(move |effect, path| {
        if effect == "sync" {
            to.borrow_mut().push(path.to_path_buf());
        }
        Ok(())
    });
    bench.open().apply(&two_deleted(), at(0)).unwrap();
    failpoint::unhook();
    let home = bench.places.of_store(&bench.dir);
    let above = home.ancestors().take(4).skip(1);
    for dir in above.chain([&*home, &home.join(HISTORY), &home.join(HISTORY).join("objects")]) {
        assert!(synced.borrow().iter().any(|one| one == dir), "{} in {synced:?}", dir.display());
    }
}

#[test]
fn a_recovery_that_fails_is_no_hindrance_to_looking() {
    let bench = Bench::new(&[("a.md", "a\n"), ("b.md", "b\n")]);
    fail("remove", "-0-0.tmp", 0);
    bench.open().apply(&two_deleted(), at(0)).unwrap_err();
    failpoint::hook(|effect, _| if effect == "sync" { Err(broken()) } else { Ok(()) });
    let store = bench.open();
    assert_eq!(store.notes().len(), 1, "{:?}", store.notes());
    assert!(store.scan(&|_| {}).is_ok() && store.parked().is_ok() && store.log().is_ok());
    store.apply(&plan("made", vec![change("c.md", None, Some("c\n"))]), at(1)).unwrap_err();
    failpoint::unhook();
    assert!(bench.open().notes().is_empty() && !bench.pending());
}

#[test]
fn where_directories_can_not_be_synced_all_else_works() {
    let bench = Bench::new(&[("a.md", "a\n"), ("b.md", "b\n")]);
    for errno in [rustix::io::Errno::INVAL, rustix::io::Errno::NOTSUP] {
        failpoint::hook(move |effect, _| if effect == "sync" { Err(errno.into()) } else { Ok(()) });
        bench.open().apply(&two_deleted(), at(0)).unwrap();
        assert_eq!(bench.names(), [""; 0]);
        bench.open().undo(at(1)).unwrap().unwrap();
        failpoint::unhook();
        assert_eq!(bench.names(), ["a.md", "b.md"]);
    }
}

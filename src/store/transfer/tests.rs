use super::*;
use crate::memory::path::RelPath;
use crate::review::moving::{Side, Way, transfer};
use crate::store::faults::{Bench, at};
use std::fs;

const TEXT: &str = "---\nname: A\n---\n\nText.\n";

struct Two {
    here: Bench,
    there: Bench,
}

impl Two {
    fn new() -> Self {
        let index = "- [A](a.md) — x\n- [B](b.md) — y\n";
        let here = Bench::new(&[("a.md", TEXT), ("b.md", "b\n"), ("MEMORY.md", index)]);
        Self { here, there: Bench::new(&[("MEMORY.md", "- [C](c.md) — z\n"), ("c.md", "c\n")]) }
    }

    /// Both stores, with the state of one beside that of the other.
    fn open(&self) -> (Store, Store) {
        (self.here.open(), Store::open(&self.there.dir, &self.here.places).unwrap())
    }

    fn planned(&self) -> Transfer {
        let (from, to) = self.open();
        let (from, to) = (from.scan(&|_| {}).unwrap(), to.scan(&|_| {}).unwrap());
        let side = |snapshot, name| Side { snapshot, parked: &[], name, repository: None, proposed: &[] };
        let paths = ["a.md", "b.md"].map(|path| RelPath::new(path).unwrap());
        transfer(side(&from, "here"), side(&to, "there"), Way::Move, &paths).unwrap()
    }
}

const HERE: [&str; 3] = ["MEMORY.md", "a.md", "b.md"];
const THERE: [&str; 4] = ["MEMORY.md", "a.md", "b.md", "c.md"];

fn broken() -> std::io::Error {
    rustix::io::Errno::NOSPC.into()
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
fn a_full_disk_there_leaves_both_as_they_were() {
    for (what, end) in [("sync", "a.md"), ("rename", "pending")] {
        let two = Two::new();
        let (planned, (from, to)) = (two.planned(), two.open());
        fail(what, end, 0);
        let error = from.transfer(&to, &planned, at(0)).unwrap_err();
        failpoint::unhook();
        assert!(error.what.contains(&*shown(&two.there.dir)), "{what} {end}: {error}");
        assert!(error.what.contains("nothing in the store"), "{what} {end}: {error}");
        assert_eq!(
            (two.here.names(), two.there.names()),
            (vec_of(&HERE), vec_of(&["MEMORY.md", "c.md"])),
            "{what}"
        );
        // Once there is room, it goes.
        from.transfer(&to, &planned, at(1)).unwrap();
        assert_eq!((two.here.names(), two.there.names()), (vec_of(&["MEMORY.md"]), vec_of(&THERE)));
    }
}

#[test]
fn a_fault_here_after_it_arrived_loses_nothing() {
    let two = Two::new();
    let (planned, (from, to)) = (two.planned(), two.open());
    // The first is that of the arrival.
    fail("exchanged", "b.md", 1);
    let error = from.transfer(&to, &planned, at(0)).unwrap_err();
    failpoint::unhook();
    assert!(error.what.contains("will be completed") && error.what.contains("they have arrived"), "{error}");
    assert_eq!(two.there.names(), vec_of(&THERE));
    // The next opening ends it.
    two.open();
    assert_eq!((two.here.names(), two.there.names()), (vec_of(&["MEMORY.md"]), vec_of(&THERE)));
    assert_eq!(two.there.read("a.md").as_deref(), Some(TEXT));
}

#[test]
fn what_someone_else_wrote_there_at_the_same_moment_stays_and_so_does_ours_here() {
    let two = Two::new();
    let (planned, (from, to)) = (two.planned(), two.open());
    let dir = two.there.dir.clone();
    failpoint::hook(move |effect, path| {
        // As soon as the first one is there, someone takes the name of the second.
        if effect == "exchanged" && path.ends_with("a.md") {
            fs::write(dir.join("b.md"), "theirs\n")?;
        }
        Ok(())
    });
    let applied = from.transfer(&to, &planned, at(0)).unwrap();
    failpoint::unhook();
    assert!(!applied.conflicts.is_empty());
    assert!(applied.message.contains("stays here too"), "{}", applied.message);
    assert_eq!(two.there.read("b.md").as_deref(), Some("theirs\n"));
    assert_eq!(two.here.names(), vec_of(&HERE));
}

fn vec_of(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

//! What happens when someone else is faster: the disk is not as the changes expect.

use super::*;
use crate::review::plan::FileState;
use std::fs;
use std::io::Write;

struct Bench {
    dir: tempfile::TempDir,
    root: Root,
    temps: Temps,
}

impl Bench {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = Root::open(dir.path()).unwrap();
        Self { dir, root, temps: Temps { tag: "t".into(), generation: 0 } }
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.dir.path().join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.dir.path().join(name)).ok()
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.dir.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn swap(&self, changes: &[(&str, Option<&str>, Option<&str>)]) -> Swap {
        let changes: Vec<(usize, Change)> =
            changes.iter().map(|(path, before, after)| change(path, *before, *after)).enumerate().collect();
        let mut swap = Swap::new(&self.root, &self.temps, &changes).unwrap();
        swap.prepare().unwrap();
        swap
    }
}

fn change(path: &str, before: Option<&str>, after: Option<&str>) -> Change {
    let state =
        |text: &str| FileState { content: Content::File(text.as_bytes().into()), mode: 0o644, mtime: None };
    Change {
        path: inside(path),
        before: before.map(state),
        after: after.map(state),
        is_index: path == "MEMORY.md",
    }
}

fn inside(path: &str) -> Spot {
    Spot::Inside(crate::memory::path::RelPath::new(path).unwrap())
}

fn text(content: &Content) -> &str {
    match content {
        Content::File(bytes) => std::str::from_utf8(bytes).unwrap(),
        Content::Link(_) => "a link",
    }
}

#[test]
fn what_someone_else_wrote_is_put_back_and_kept_and_the_rest_is_done() {
    let bench = Bench::new();
    bench.write("replaced.md", "theirs");
    bench.write("deleted.md", "theirs too");
    bench.write("made.md", "made by them");
    bench.write("fine.md", "old");
    bench.write("gone.md", "old");
    let mut swap = bench.swap(&[
        ("replaced.md", Some("old"), Some("new")),
        ("deleted.md", Some("old"), None),
        ("made.md", None, Some("new")),
        ("fine.md", Some("old"), Some("new")),
        ("gone.md", Some("old"), None),
        ("vanished.md", Some("old"), Some("new")),
        ("already-gone.md", Some("old"), None),
    ]);
    assert!(swap.exchange().unwrap().is_none());
    assert!(swap.settle().unwrap().is_none());
    assert_eq!(bench.read("replaced.md").unwrap(), "theirs");
    assert_eq!(bench.read("deleted.md").unwrap(), "theirs too");
    assert_eq!(bench.read("made.md").unwrap(), "made by them");
    assert_eq!(bench.read("fine.md").unwrap(), "new");
    assert_eq!(bench.read("gone.md"), None);
    assert_eq!(bench.read("vanished.md"), None);
    let mut conflicts: Vec<String> = swap.conflicts.iter().map(|c| c.path.to_string()).collect();
    conflicts.sort();
    assert_eq!(conflicts, ["deleted.md", "made.md", "replaced.md", "vanished.md"]);
    let mut kept: Vec<&str> = swap.kept.iter().map(|(_, content)| text(content)).collect();
    kept.sort_unstable();
    assert_eq!(kept, ["theirs", "theirs too"]);
    let kept = swap.kept.clone();
    assert!(swap.clean_left(&kept).is_empty());
    assert_eq!(bench.names(), ["deleted.md", "fine.md", "made.md", "replaced.md"]);
}

#[test]
fn a_moved_index_stands_as_theirs_and_can_be_exchanged_again() {
    let bench = Bench::new();
    bench.write("MEMORY.md", "theirs\na\nb\n");
    bench.write("b.md", "b");
    let mut swap = bench.swap(&[("MEMORY.md", Some("a\nb\n"), Some("a\n")), ("b.md", Some("b"), None)]);
    let moved = swap.exchange().unwrap().unwrap();
    assert_eq!(text(&moved.theirs.content), "theirs\na\nb\n");
    assert!(moved.stray.is_none());
    assert_eq!(bench.read("MEMORY.md").unwrap(), "theirs\na\nb\n");
    assert!(bench.read("b.md").is_some(), "a deletion waits for the index");
    let merged = change("MEMORY.md", Some("theirs\na\nb\n"), Some("theirs\na\n"));
    swap.retarget(&merged, ".other.tmp".as_ref(), None).unwrap();
    assert!(swap.exchange().unwrap().is_none());
    assert!(swap.settle().unwrap().is_none());
    assert_eq!(bench.read("MEMORY.md").unwrap(), "theirs\na\n");
    assert_eq!(bench.names(), ["MEMORY.md"]);
}

/// A program that has our version open goes on writing to it after it was taken away.
#[test]
fn a_temporary_file_is_removed_only_when_what_it_holds_is_known() {
    let bench = Bench::new();
    bench.write("MEMORY.md", "theirs\na\nb\n");
    bench.write("x.md", "theirs\n");
    let mut swap =
        bench.swap(&[("MEMORY.md", Some("a\nb\n"), Some("a\n")), ("x.md", Some("x\n"), Some("y\n"))]);
    swap.exchange().unwrap().unwrap();
    let temps: Vec<String> = bench.names().into_iter().filter(|name| name.starts_with('.')).collect();
    assert_eq!(temps.len(), 2);
    temps.iter().for_each(|temp| bench.write(temp, "someone's\n"));
    let merged = change("MEMORY.md", Some("theirs\na\nb\n"), Some("theirs\na\n"));
    swap.retarget(&merged, ".other.tmp".as_ref(), None).unwrap();
    assert!(swap.exchange().unwrap().is_none() && swap.settle().unwrap().is_none());
    assert_eq!(swap.notes.len(), 1);
    let kept = swap.kept.clone();
    assert!(
        kept.iter()
            .any(|(path, content)| path.to_str_lossy() == "MEMORY.md" && text(content) == "someone's\n")
    );
    // That of the index is kept and goes; that of the other file nobody has seen yet.
    let notes = swap.clean_left(&kept);
    assert_eq!(notes.len(), 1);
    assert_eq!(notes[0].path.to_str_lossy(), "x.md");
    let left: Vec<String> = bench.names().into_iter().filter(|name| name.starts_with('.')).collect();
    assert_eq!(left.len(), 1);
    assert!(notes[0].what.contains(&left[0]));
    assert_eq!(bench.read("MEMORY.md").unwrap(), "theirs\na\n");
}

#[test]
fn lines_appended_at_the_same_moment_are_appended_again() {
    let bench = Bench::new();
    bench.write("MEMORY.md", "a\nb\ntheirs\n");
    let mut swap = bench.swap(&[("MEMORY.md", Some("a\nb\n"), Some("a\n"))]);
    assert!(swap.exchange().unwrap().is_none());
    assert_eq!(bench.read("MEMORY.md").unwrap(), "a\ntheirs\n");
    assert!(swap.settle().unwrap().is_none());
    assert_eq!(bench.read("MEMORY.md").unwrap(), "a\ntheirs\n");
    assert_eq!(bench.names(), ["MEMORY.md"]);
}

#[test]
fn a_write_to_the_old_file_after_the_exchange_is_seen() {
    let bench = Bench::new();
    bench.write("MEMORY.md", "a\nb\n");
    bench.write("x.md", "x\n");
    bench.write("y.md", "y\n");
    let open = |name: &str| fs::File::options().append(true).open(bench.dir.path().join(name)).unwrap();
    let mut held = [open("MEMORY.md"), open("x.md"), open("y.md")];
    let mut swap = bench.swap(&[
        ("MEMORY.md", Some("a\nb\n"), Some("a\n")),
        ("x.md", Some("x\n"), Some("new\n")),
        ("y.md", Some("y\n"), None),
    ]);
    assert!(swap.exchange().unwrap().is_none());
    held.iter_mut().for_each(|file| file.write_all(b"late\n").unwrap());
    assert!(swap.settle().unwrap().is_none());
    assert_eq!(bench.read("MEMORY.md").unwrap(), "a\nlate\n");
    assert_eq!(bench.read("x.md").unwrap(), "x\nlate\n");
    assert_eq!(bench.read("y.md").unwrap(), "y\nlate\n");
    assert_eq!(swap.conflicts.len(), 2);
}

#[test]
fn what_was_exchanged_is_rolled_back() {
    let bench = Bench::new();
    bench.write("MEMORY.md", "a\n");
    bench.write("x.md", "x\n");
    bench.write("y.md", "y\n");
    let mut swap = bench.swap(&[
        ("MEMORY.md", Some("a\n"), Some("b\n")),
        ("x.md", Some("x\n"), Some("new\n")),
        ("y.md", Some("y\n"), None),
        ("z.md", None, Some("z\n")),
    ]);
    assert!(swap.exchange().unwrap().is_none());
    assert_eq!(bench.read("x.md").unwrap(), "new\n");
    swap.roll_back().unwrap();
    assert_eq!(bench.names(), ["MEMORY.md", "x.md", "y.md"]);
    assert_eq!(bench.read("MEMORY.md").unwrap(), "a\n");
    assert_eq!(bench.read("x.md").unwrap(), "x\n");
    assert_eq!(bench.read("y.md").unwrap(), "y\n");
}

#[test]
fn temporary_names_are_hidden_and_no_memories() {
    let temps = Temps { tag: "0a".into(), generation: 2 };
    let name = temps.name(7, &change("MEMORY.md", None, None)).into_string().unwrap();
    assert!(name.starts_with('.') && !name.ends_with(".md"), "{name}");
    let old: Vec<_> = temps.old_names(7).collect();
    assert_eq!(old.len(), 2);
    assert!(!old.contains(&name.clone().into()));
    assert_ne!(temps.name(7, &change("a.md", None, None)).into_string().unwrap(), name);
}

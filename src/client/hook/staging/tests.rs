//! Writes of a session, one after the other, and what waits then.

use super::*;
use crate::client::writes::Replace;

/// A store, its queue, and one session.
#[derive(Default)]
struct World {
    disk: BTreeMap<RelPath, Arc<[u8]>>,
    queue: Vec<Proposal>,
    view: Option<View>,
    count: usize,
}

impl World {
    fn new(files: &[(&str, &str)]) -> Self {
        let file = |(name, text): &(&str, &str)| (RelPath::new(name).unwrap(), Arc::from(text.as_bytes()));
        Self { disk: files.iter().map(file).collect(), ..Self::default() }
    }

    fn staged(
        &mut self,
        work: impl Fn(&Ground<'_>, &mut View) -> Result<Vec<Step>, String>,
    ) -> Result<(), String> {
        let disk = self.disk.get(&RelPath::index()).map(|bytes| bytes.to_vec()).unwrap_or_default();
        let mut view = self.view.take().unwrap_or(View { base: disk.clone(), text: disk.clone() }).on(&disk);
        let queue = self.queue.clone();
        let ground =
            |staged| Ground { staged, session: Some("s"), now: "2026-03-05T10:00:00Z".parse().unwrap() };
        let steps = work(&ground(&queue), &mut view);
        self.take(steps.clone()?);
        let queue = self.queue.clone();
        self.take(ground(&queue).index(&view));
        self.view = Some(view);
        Ok(())
    }

    fn take(&mut self, steps: Vec<Step>) {
        for step in steps {
            match step {
                Step::Withdraw(id) => self.queue.retain(|one| one.id != id),
                Step::Put(one) if one.id.is_empty() => {
                    self.count += 1;
                    self.queue.push(Proposal { id: format!("p{}", self.count), ..*one });
                }
                Step::Put(one) => {
                    let old = self.queue.iter_mut().find(|old| old.id == one.id).unwrap();
                    *old = *one;
                }
            }
        }
    }

    fn write(&mut self, file: &str, write: Write) -> Result<(), String> {
        let path = RelPath::new(file).unwrap();
        let disk = self.disk.get(&path).cloned();
        self.staged(|ground, view| match path.is_index() {
            true => ground.index_write(view, &write),
            false => ground.memory(&path, &write, disk.as_ref()),
        })
    }

    fn whole(&mut self, file: &str, text: &str) -> Result<(), String> {
        self.write(file, Write::Whole(text.into()))
    }

    fn edit(&mut self, file: &str, old: &str, new: &str) -> Result<(), String> {
        self.write(file, Write::Edit(vec![Replace { old: old.into(), new: new.into(), all: false }]))
    }

    fn delete(&mut self, file: &str) {
        let path = RelPath::new(file).unwrap();
        let disk = self.disk.get(&path).cloned();
        self.staged(|ground, _| Ok(ground.deletion(&path, disk.as_ref()))).unwrap();
    }

    /// What waits: action, file, text, line of the index.
    fn waits(&self) -> Vec<(&'static str, String, String, Option<&str>)> {
        let text =
            |one: &Proposal| String::from_utf8(one.bytes.as_deref().unwrap_or_default().to_vec()).unwrap();
        let row = |one| {
            (
                Action::as_str(Proposal::clone(one).action),
                one.target.to_string(),
                text(one),
                one.index_line.as_deref(),
            )
        };
        self.queue.iter().map(row).collect()
    }
}

#[test]
fn edits_of_one_session_are_one_proposal() {
    let mut world = World::new(&[]);
    world.whole("a.md", "---\nname: a\ntype: user\n---\nOne two.\n").unwrap();
    // As the client would have stamped it, and as the agent wrote it.
    world.edit("a.md", "One two.", "One three.").unwrap();
    world.edit("a.md", "name: a\n", "name: b\n").unwrap();
    world.write("a.md", Write::Append("More.\n".into())).unwrap();
    let text = "---\nname: b\nmetadata:\n  node_type: memory\n  type: user\n  originSessionId: s\n  modified: 2026-03-05T10:00:00.000Z\n---\n\nOne three.\nMore.\n";
    assert_eq!(world.waits(), [("add", "a.md".into(), text.into(), None)]);
    assert!(world.edit("a.md", "not there", "x").is_err());
    assert_eq!(world.waits().len(), 1);
    // It takes back what it wrote.
    world.delete("a.md");
    assert_eq!(world.waits(), []);
}

#[test]
fn changes_stand_on_the_disk() {
    let mut world = World::new(&[("a.md", "one\ntwo\nthree\nfour\n")]);
    world.edit("a.md", "one", "1").unwrap();
    assert_eq!(world.queue[0].base, Some(sha256(b"one\ntwo\nthree\nfour\n")));
    // Only the disk has this text together: the agent has read it again.
    world.edit("a.md", "four", "4").unwrap();
    assert_eq!(world.waits(), [("change", "a.md".into(), "1\ntwo\nthree\n4\n".into(), None)]);
    let why = world.edit("a.md", "one\ntwo", "uno").unwrap_err();
    assert!(why.contains("another text"), "{why}");
    world.whole("a.md", "one\ntwo\nthree\nfour\n").unwrap();
    assert_eq!(world.waits(), [], "as it is on the disk");
    world.delete("a.md");
    assert_eq!(world.waits(), [("delete", "a.md".into(), String::new(), None)]);
    world.delete("a.md");
    world.whole("a.md", "new\n").unwrap();
    assert_eq!(world.waits(), [("change", "a.md".into(), "new\n".into(), None)]);
    world.whole("a.md", "  \n").unwrap();
    assert_eq!(world.waits()[0].0, "delete");
    assert!(World::new(&[]).whole("b.md", "").is_err());
}

#[test]
fn lines_of_the_index_go_with_their_memories() {
    let mut world = World::new(&[("MEMORY.md", "# Index\n- [Old](old.md) — o\n"), ("old.md", "o\n")]);
    world.whole("a.md", "A\n").unwrap();
    world.edit("MEMORY.md", "- [Old](old.md) — o\n", "- [Old](old.md) — o\n- [A](a.md) — a\n").unwrap();
    assert_eq!(world.waits(), [("add", "a.md".into(), "A\n".into(), Some("- [A](a.md) — a"))]);
    // The line before its memory; and an edit of a line that is not on the disk.
    world.write("MEMORY.md", Write::Append("- [B](b.md) — b\n".into())).unwrap();
    assert_eq!(world.waits()[1].1, "MEMORY.md");
    world.edit("MEMORY.md", "- [A](a.md) — a", "- [A](a.md) — aa").unwrap();
    world.whole("b.md", "B\n").unwrap();
    let waits = world.waits();
    assert_eq!(waits.len(), 2, "{waits:?}");
    assert_eq!((waits[0].3, waits[1].3), (Some("- [A](a.md) — aa"), Some("- [B](b.md) — b")));
    // What is about others is a change of the index.
    world.edit("MEMORY.md", "# Index", "# All").unwrap();
    let rest = "# All\n- [Old](old.md) — o\n";
    assert_eq!(world.waits()[2], ("change", "MEMORY.md".into(), rest.into(), None));
    // A memory that changes: its line follows with it.
    world.whole("old.md", "new\n").unwrap();
    world.edit("MEMORY.md", "- [Old](old.md) — o\n", "- [Old](old.md) — new\n").unwrap();
    let waits = world.waits();
    assert_eq!(waits[3], ("change", "old.md".into(), "new\n".into(), Some("- [Old](old.md) — new")));
    assert_eq!(waits[2].2, rest);
    world.edit("MEMORY.md", "# All", "# Index").unwrap();
    assert_eq!(world.waits().len(), 3, "nothing is left of it");
}

#[test]
fn a_new_index_and_a_deletion_bring_their_lines() {
    let mut world = World::new(&[]);
    world.whole("MEMORY.md", "- [A](a.md) — a").unwrap();
    assert_eq!(world.waits()[0].0, "add");
    world.whole("a.md", "A\n").unwrap();
    assert_eq!(world.waits(), [("add", "a.md".into(), "A\n".into(), Some("- [A](a.md) — a"))]);

    let mut world = World::new(&[("MEMORY.md", "- [A](a.md)\n- [B](b.md)"), ("a.md", "A\n")]);
    world.delete("a.md");
    world.edit("MEMORY.md", "- [A](a.md)\n", "").unwrap();
    assert_eq!(world.waits(), [("delete", "a.md".into(), String::new(), None)]);
    // Others write the index meanwhile.
    world.disk.insert(RelPath::index(), Arc::from(&b"- [A](a.md)\n- [B](b.md)\n- [C](c.md)\n"[..]));
    world.edit("MEMORY.md", "- [B](b.md)", "- [B](b.md) — b").unwrap();
    assert_eq!(world.waits()[1].2, "- [A](a.md)\n- [B](b.md) — b\n- [C](c.md)\n");
}

#[test]
fn whether_an_index_only_grows() {
    assert!(View::only_grows(b"a\nb", b"a\nx\nb\ny\n"));
    assert!(View::only_grows(b"", b"a"));
    assert!(!View::only_grows(b"a\nb\n", b"a\n"));
    assert!(!View::only_grows(b"a\nb\n", b"a\nc\n"));
}

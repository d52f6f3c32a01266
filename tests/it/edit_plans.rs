//! Rename, merge, new and affirm on whole stores: our fixtures, and the real ones where they are.

use crate::corpus::{corpus, fixtures, read};
use memcurator::memory::document::{Document, FaultKind, MemoryType};
use memcurator::memory::index::Index;
use memcurator::memory::links::{Destination, Links};
use memcurator::memory::path::RelPath;
use memcurator::memory::snapshot::{IndexFile, Memory, Snapshot, Stat};
use memcurator::review::edit::{Kind, default_kind, plan};
use memcurator::review::merge::merge;
use memcurator::review::new::{Habit, NewMemory, new};
use memcurator::review::plan::{Content, Plan};
use memcurator::review::rename::{NewName, rename};
use std::sync::Arc;

fn stores() -> Vec<Snapshot> {
    std::iter::once(fixtures()).chain(corpus()).map(|root| read(&root)).collect()
}

fn now() -> memcurator::memory::Time {
    "2030-01-01T00:00:00Z".parse().unwrap()
}

/// The store after a plan; every change must fit it.
fn applied(store: &Snapshot, plan: &Plan) -> Snapshot {
    let mut after = store.clone();
    for change in &plan.changes {
        let read = |bytes: &Arc<[u8]>, mtime, mode| {
            (Arc::clone(bytes), Stat { mtime, mode, link: None }, Document::parse(bytes))
        };
        let new = change.after.as_ref().map(|state| match &state.content {
            Content::File(bytes) => read(bytes, state.mtime.unwrap_or_else(now), state.mode),
            Content::Link(_) => panic!("no links here"),
        });
        if change.path.is_index() {
            let (bytes, stat, _) = new.unwrap();
            after.index = Some(Arc::new(IndexFile { index: Index::parse(&bytes), bytes, stat }));
            continue;
        }
        let at = after.memories.iter().position(|memory| memory.path == change.path);
        assert_eq!(at.is_some(), change.before.is_some(), "{}", change.path);
        if let Some(at) = at {
            let old = after.memories.remove(at);
            let before = change.before.as_ref().unwrap();
            assert_eq!(before.content, Content::File(Arc::clone(&old.bytes)));
        }
        if let Some((bytes, stat, document)) = new {
            after.memories.push(Arc::new(Memory { path: change.path.clone(), bytes, document, stat }));
        }
    }
    after.memories.sort_by(|a, b| a.path.cmp(&b.path));
    after
}

fn file(store: &Snapshot, path: &RelPath) -> Option<Arc<Memory>> {
    store.memories.iter().find(|memory| memory.path == *path).cloned()
}

/// How many entries of the index name a memory.
fn indexed(store: &Snapshot, path: &RelPath) -> usize {
    let Some(index) = &store.index else { return 0 };
    let at = store.memories.iter().position(|memory| memory.path == *path).unwrap();
    index.index.resolve(store).entries_of[at].len()
}

/// What a field can't be set in: a frontmatter that is never closed, a key that stands twice.
fn is_broken(memory: &Memory) -> bool {
    memory.document.faults.iter().any(|fault| fault.kind == FaultKind::FrontmatterInvalid)
}

#[test]
fn every_memory_is_renamed_and_renamed_back() {
    let (mut renamed, mut linked, mut identical) = (0, 0, 0);
    for store in stores() {
        let links = Links::of(&store);
        // All of a small store; of a large one some, for time.
        let step = 1 + store.memories.len() / 25;
        for memory in store.memories.iter().step_by(step) {
            let name = memory.document.header.name.as_deref().map(|_| "Renamed to test".to_owned());
            let to = NewName { file: Some("renamed-to-test".into()), name };
            let plan = match rename(&store, &[], &memory.path, &to) {
                Ok(plan) => plan,
                Err(why) if is_broken(memory) => {
                    assert!(why.what.contains("nothing was changed") && !why.hint.is_empty());
                    continue;
                }
                Err(why) => panic!("{}: {why}", memory.path),
            };
            assert_eq!(plan.warnings, [] as [String; 0], "{}", memory.path);
            let after = applied(&store, &plan);
            let dir = memory.path.as_path().parent().unwrap();
            let path = RelPath::new(dir.join("renamed-to-test.md")).unwrap();
            let new_links = Links::of(&after);
            let follow = |from: &RelPath| if *from == memory.path { path.clone() } else { from.clone() };
            for from in links.linked_from(&memory.path) {
                let there = new_links
                    .out(&follow(from))
                    .iter()
                    .any(|link| link.to == Destination::Memory(path.clone()));
                assert!(there, "{from} lost its link to {}", memory.path);
                linked += 1;
            }
            assert_eq!(indexed(&after, &path), indexed(&store, &memory.path), "{}", memory.path);
            let moved = file(&after, &path).unwrap();
            assert_eq!((moved.stat.mtime - memory.stat.mtime).num_milliseconds(), 1);
            for other in &store.memories {
                let touched =
                    links.linked_from(&memory.path).contains(&other.path) || other.path == memory.path;
                assert!(touched || file(&after, &other.path).unwrap().bytes == other.bytes, "{}", other.path);
            }
            let back = NewName {
                file: Some(memory.path.stem().into_owned()),
                name: memory.document.header.name.as_deref().map(str::to_owned),
            };
            renamed += 1;
            // A file name with a space is not taken; what was quoted for the new name stays so; a link that
            // called a file by less than its name calls it by its name then. The history undoes all of it.
            if let Ok(plan) = rename(&after, &[], &path, &back) {
                let again = applied(&after, &plan);
                let index = |store: &Snapshot| store.index.as_ref().map(|index| index.bytes.clone());
                let same =
                    |old: &Arc<Memory>| file(&again, &old.path).is_some_and(|new| new.bytes == old.bytes);
                let all = index(&again) == index(&store) && store.memories.iter().all(same);
                identical += usize::from(all);
            }
        }
    }
    println!("{renamed} renamed, {linked} links followed, {identical} stores byte for byte as before");
    // The fixtures alone are mostly the odd kinds.
    let least = if crate::shared().is_some() { 90 } else { 50 };
    assert!(identical * 100 >= renamed * least, "{identical} of {renamed}");
}

#[test]
fn neighbours_merge_and_links_follow() {
    let mut merged = 0;
    for store in stores() {
        let links = Links::of(&store);
        let step = 2 + store.memories.len() / 20;
        for pair in store.memories.windows(2).step_by(step) {
            let [keep, gone] = pair else { continue };
            let plan = merge(&store, &[], &keep.path, std::slice::from_ref(&gone.path), &keep.bytes, now());
            let plan = plan.unwrap_or_else(|e| panic!("{}: {e}", gone.path));
            let after = applied(&store, &plan);
            assert!(file(&after, &gone.path).is_none());
            let new_links = Links::of(&after);
            for from in links.linked_from(&gone.path).iter().filter(|from| **from != gone.path) {
                let there =
                    new_links.out(from).iter().any(|link| link.to == Destination::Memory(keep.path.clone()));
                assert!(there, "{from} lost its link to {}", gone.path);
            }
            let had = indexed(&store, &keep.path) + indexed(&store, &gone.path);
            assert!(had == 0 || indexed(&after, &keep.path) > 0, "{}", keep.path);
            merged += 1;
        }
    }
    println!("{merged} merged");
}

#[test]
fn a_new_memory_has_the_shape_and_the_line_of_its_store() {
    for store in stores() {
        let memory = NewMemory {
            fact: "Releases go out on Tuesdays: never on Fridays.".into(),
            kind: MemoryType::Feedback,
            why: Some("The team is there.".into()),
            ..NewMemory::default()
        };
        let plan = new(&store, &memory, now(), &Habit::of(&store))
            .unwrap_or_else(|e| panic!("{:?}: {e}", store.root));
        let after = applied(&store, &plan);
        let path = &plan.changes[0].path;
        let made = file(&after, path).unwrap();
        assert_eq!(made.document.header.kind, MemoryType::Feedback);
        assert!(made.document.faults.is_empty(), "{:?}", made.document.faults);
        assert_eq!(indexed(&after, path), usize::from(store.index.is_some()), "{:?}", store.root);
        if let (Some(old), Some(new)) = (&store.index, &after.index) {
            assert_eq!(new.index.entries.len(), old.index.entries.len() + 1);
        }
    }
}

#[test]
fn a_correction_of_every_description_keeps_its_age() {
    use memcurator::memory::age::age;
    use memcurator::memory::edit::{Place, set_field};
    for store in stores() {
        for memory in &store.memories {
            let bytes = match set_field(&memory.bytes, Place::Top, "description", "Another description") {
                Ok(bytes) => bytes,
                Err(_) if is_broken(memory) => continue,
                Err(why) => panic!("{}: {why} {:?}", memory.path, memory.document.faults),
            };
            assert_eq!(default_kind(&memory.bytes, &bytes), Kind::Correction, "{}", memory.path);
            for kind in [Kind::Correction, Kind::Substance] {
                let after = applied(&store, &plan(&store, &memory.path, &bytes, kind, now()).unwrap());
                let (old, new) = (age(memory, now()), age(&file(&after, &memory.path).unwrap(), now()));
                assert_eq!(old.clock, new.clock);
                let expected = if kind == Kind::Correction { old.days } else { 0 };
                assert_eq!(new.days, expected, "{}", memory.path);
            }
        }
    }
}

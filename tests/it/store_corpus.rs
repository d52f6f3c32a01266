//! Edits as store operations on copies of the real stores: after all are undone, every byte and time is as it was.

use crate::corpus::corpus;
use crate::home::{Tree, files};
use crate::store_kit::at;
use memcurator::memory::body::PartKind;
use memcurator::memory::edit::{Place, add_part, part_texts, set_field};
use memcurator::memory::path::RelPath;
use memcurator::review::edit::{default_kind, plan};
use memcurator::review::plan::Plan;
use memcurator::review::rename::{NewName, rename};
use memcurator::store::{Places, Store};
use std::path::Path;
use std::process::Command;

/// So many memories of each store; `MEMCURATOR_ALL=1` takes them all.
const SAMPLE: usize = 6;

fn copy(from: &Path, to: &Path) {
    let status = Command::new("cp").args(["-a", "--"]).arg(from).arg(to).status().unwrap();
    assert!(status.success());
    // The shared data may be laid read-only, which a change would speak of.
    let status = Command::new("chmod").args(["-R", "u+w", "--"]).arg(to).status().unwrap();
    assert!(status.success());
}

/// A store and the time, which goes on by a second with each operation.
struct Bench {
    store: Store,
    seconds: i64,
    done: usize,
}

impl Bench {
    fn apply(&mut self, plan: &Plan) {
        self.seconds += 1;
        let applied = self.store.apply(plan, at(self.seconds)).unwrap();
        assert_eq!(applied.conflicts, []);
        self.done += 1;
    }

    fn edit(&mut self, path: &RelPath, change: impl Fn(&[u8]) -> Option<Vec<u8>>) -> bool {
        let snapshot = self.store.scan(&|_| {}).unwrap();
        let memory = snapshot.memories.iter().find(|memory| memory.path == *path).unwrap();
        let Some(bytes) = change(&memory.bytes) else { return false };
        let kind = default_kind(&memory.bytes, &bytes);
        match plan(&snapshot, path, &bytes, kind, at(self.seconds)) {
            Ok(plan) => self.apply(&plan),
            Err(_) => return false,
        }
        true
    }

    /// Renames, and gives the new path; `None` when the name can't be given.
    fn rename(&mut self, path: &RelPath, file: &str, name: Option<&str>) -> Option<RelPath> {
        let snapshot = self.store.scan(&|_| {}).unwrap();
        let to = NewName { file: Some(file.into()), name: name.map(str::to_owned) };
        let plan = rename(&snapshot, &[], path, &to).ok()?;
        self.apply(&plan);
        Some(RelPath::new(path.as_path().with_file_name(format!("{file}.md"))).unwrap())
    }
}

#[test]
fn edits_of_real_stores_are_undone_to_the_last_byte_and_time() {
    let all = std::env::var_os("MEMCURATOR_ALL").is_some();
    let (mut described, mut with_how, mut renamed, mut back, mut operations) = (0, 0, 0, 0, 0);
    for (number, root) in corpus().into_iter().enumerate() {
        let shm = Path::new("/dev/shm");
        let dir = if shm.is_dir() { tempfile::tempdir_in(shm) } else { tempfile::tempdir() }.unwrap();
        let top = dir.path().canonicalize().unwrap();
        copy(&root, &top.join("store"));
        let before: Tree = files(&top.join("store"));
        let places =
            Places { state: top.join("state"), cache: top.join("cache"), config: top.join("config") };
        let store = Store::open(&top.join("store"), &places).unwrap();
        let memories = store.scan(&|_| {}).unwrap().memories;
        let mut bench = Bench { store, seconds: 0, done: 0 };
        let step = if all { 1 } else { (memories.len() / SAMPLE).max(1) };
        let sample = if all { usize::MAX } else { SAMPLE };
        for memory in memories.iter().skip(number % step).step_by(step).take(sample) {
            let path = &memory.path;
            let describe = |bytes: &[u8]| set_field(bytes, Place::Top, "description", "Said: anew # 1").ok();
            described += usize::from(bench.edit(path, describe));
            with_how += usize::from(bench.edit(path, |bytes| {
                let has_how = part_texts(bytes).iter().any(|(part, _)| part.kind == PartKind::How);
                if has_how { None } else { add_part(bytes, PartKind::How, "In every release.").ok() }
            }));
            let name = memory.document.header.name.as_deref();
            if let Some(new) = bench.rename(path, "renamed-to-test", name.map(|_| "Renamed to test")) {
                renamed += 1;
                back += usize::from(bench.rename(&new, &path.stem(), name).is_some());
            }
        }
        for _ in 0..bench.done {
            bench.seconds += 1;
            let undone = bench.store.undo(at(bench.seconds)).unwrap().unwrap();
            assert_eq!(undone.conflicts, []);
        }
        assert!(bench.store.undo(at(bench.seconds + 1)).unwrap().is_none());
        let after = files(&top.join("store"));
        for (path, state) in &before {
            assert!(after.get(path) == Some(state), "{}: {path}", root.display());
        }
        assert_eq!(after.len(), before.len());
        operations += bench.done;
    }
    eprintln!(
        "{described} descriptions, {with_how} Hows, {renamed} renamed, {back} renamed back: {operations} operations undone"
    );
}

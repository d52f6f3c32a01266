//! Lines of anything for the memory tool, on a real directory with links that lead out, written at once and staged: nothing
//! outside may change, no answer may hold what is there, and staged nothing inside may change either.
#![no_main]

use libfuzzer_sys::fuzz_target;
use memcurator::memory::snapshot::Snapshot;
use memcurator::review::approve::{Outcome, approve};
use memcurator::review::proposal::Waiting;
use memcurator::review::tool::{Command, Files, answer};
use memcurator::store::{Places, StagedFiles, Store, ToolFiles};
use std::fs;
use std::os::unix::fs::symlink;

fuzz_target!(|data: &[u8]| {
    let Some((first, data)) = data.split_first() else { return };
    let is_staged = first % 2 == 1;
    let top = tempfile::tempdir().unwrap();
    let at = |name: &str| top.path().join(name);
    fs::create_dir_all(at("memory/d")).unwrap();
    fs::create_dir(at("outside")).unwrap();
    fs::write(at("outside/a"), "SECRET").unwrap();
    fs::write(at("memory/a"), "a\nb\n").unwrap();
    fs::write(at("memory/d/b.md"), "---\nname: b\n---\n\nb\n").unwrap();
    symlink(at("outside"), at("memory/l")).unwrap();
    symlink("../../outside/a", at("memory/d/l")).unwrap();
    let places = Places { state: at("state"), cache: at("cache"), config: at("config") };
    let now = || "2026-03-10T12:00:00Z".parse().unwrap();
    let mut files: Box<dyn Files> = match is_staged {
        true => Box::new(StagedFiles::open(&at("memory"), &places, now).unwrap()),
        false => Box::new(ToolFiles::open(&at("memory"), &places, now).unwrap()),
    };
    for line in data.split(|byte| *byte == b'\n').take(8) {
        let Ok(value) = serde_json::from_slice(line) else { continue };
        let Ok(command) = Command::read(&value) else { continue };
        let (Ok(told) | Err(told)) = answer(&mut *files, &command);
        assert!(!told.contains("SECRET"), "{told}");
    }
    if is_staged {
        assert_eq!(fs::read(at("memory/a")).unwrap(), b"a\nb\n");
        assert_eq!(fs::read_dir(at("memory")).unwrap().count(), 3);
        let store = Store::open(&at("memory"), &places).unwrap();
        for one in store.queue().list().unwrap() {
            let Waiting::Proposal(one) = one else { panic!("{one:?}") };
            let snapshot = Snapshot { beside: store.beside().unwrap(), ..store.scan(&|_| {}).unwrap() };
            match approve(&snapshot, &[], &one, false) {
                Ok(Outcome::Ready(plan)) => drop(store.approve(&plan, &one.id, now()).unwrap()),
                other => panic!("{one:?}: {other:?}"),
            }
        }
    }
    let outside: Vec<_> = fs::read_dir(at("outside")).unwrap().collect();
    assert_eq!(outside.len(), 1);
    assert_eq!(fs::read(at("outside/a")).unwrap(), b"SECRET");
});

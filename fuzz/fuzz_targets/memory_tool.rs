//! Lines of anything for the memory tool, on a real directory with links that lead out: nothing outside may change,
//! and no answer may hold what is there.
#![no_main]

use libfuzzer_sys::fuzz_target;
use memcurator::review::tool::{Command, answer};
use memcurator::store::{Places, ToolFiles};
use std::fs;
use std::os::unix::fs::symlink;

fuzz_target!(|data: &[u8]| {
    let top = tempfile::tempdir().unwrap();
    let at = |name: &str| top.path().join(name);
    fs::create_dir_all(at("memory/d")).unwrap();
    fs::create_dir(at("outside")).unwrap();
    fs::write(at("outside/a"), "SECRET").unwrap();
    fs::write(at("memory/a"), "a\nb\n").unwrap();
    symlink(at("outside"), at("memory/l")).unwrap();
    symlink("../../outside/a", at("memory/d/l")).unwrap();
    let places = Places { state: at("state"), cache: at("cache"), config: at("config") };
    let mut files = ToolFiles::open(&at("memory"), &places, || "2026-03-10T12:00:00Z".parse().unwrap()).unwrap();
    for line in data.split(|byte| *byte == b'\n').take(8) {
        let Ok(value) = serde_json::from_slice(line) else { continue };
        let Ok(command) = Command::read(&value) else { continue };
        let (Ok(told) | Err(told)) = answer(&mut files, &command);
        assert!(!told.contains("SECRET"), "{told}");
    }
    let outside: Vec<_> = fs::read_dir(at("outside")).unwrap().collect();
    assert_eq!(outside.len(), 1);
    assert_eq!(fs::read(at("outside/a")).unwrap(), b"SECRET");
});

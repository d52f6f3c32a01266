//! Kills on file systems that know no exchange, and while others write the index in other ways than by appending.

use crate::crash::{CONCERNED, Job, NO_EXCHANGE, at_every_step, fresh, random, start};
use crate::store_kit::{Kit, at, name};
use std::fs;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn without_exchange() -> (Kit, Vec<String>) {
    let (kit, original) = fresh();
    fs::write(kit.top.join(NO_EXCHANGE), "").unwrap();
    (kit, original)
}

#[test]
fn a_delete_survives_a_kill_at_every_step_without_an_exchange() {
    at_every_step(Job::Delete, without_exchange);
}

#[test]
fn a_park_survives_a_kill_at_every_step_without_an_exchange() {
    at_every_step(Job::Park, without_exchange);
}

/// Reads the index, adds a line, and writes all of it.
#[derive(Debug, Clone, Copy)]
enum Writer {
    /// Into the same file, emptied first.
    Truncate,
    /// Into another one that takes its name.
    Rename,
}

impl Writer {
    fn add(self, kit: &Kit, line: &str) {
        let path = kit.dir.join("MEMORY.md");
        let text = fs::read_to_string(&path).unwrap() + line;
        match self {
            Self::Truncate => {
                let mut file = fs::File::options().write(true).truncate(true).open(&path).unwrap();
                file.write_all(text.as_bytes()).unwrap();
            }
            Self::Rename => {
                let beside = kit.top.join("beside");
                fs::write(&beside, text).unwrap();
                fs::rename(&beside, &path).unwrap();
            }
        }
    }
}

/// Such a writer can put lines of ours in or out again that it read before; but its own lines stay, and every memory
/// is there or comes back.
fn killed_at_random(writer: Writer) {
    for round in 0..30 {
        let (kit, original) = fresh();
        let job = if round % 2 == 0 { Job::Delete } else { Job::Park };
        let stop = AtomicBool::new(false);
        let lines = std::thread::scope(|scope| {
            let writing = scope.spawn(|| {
                let mut lines = Vec::new();
                while !stop.load(Ordering::SeqCst) {
                    let line = format!("- [Foreign {0}](foreign{0}.md)\n", lines.len());
                    writer.add(&kit, &line);
                    lines.push(line);
                    std::thread::sleep(Duration::from_micros(8_000 + random(8_000)));
                }
                lines
            });
            let mut child = start(&kit, job, None);
            std::thread::sleep(Duration::from_micros(random(200_000)));
            child.kill().unwrap();
            child.wait().unwrap();
            let opened = std::panic::catch_unwind(|| drop(kit.open()));
            stop.store(true, Ordering::SeqCst);
            opened.unwrap();
            writing.join().unwrap()
        });
        let store = kit.open();
        let index = kit.read("MEMORY.md");
        for line in &lines {
            assert!(index.contains(line.as_str()), "{writer:?} {line} in {index}");
        }
        if CONCERNED.clone().any(|i| !kit.exists(&name(i))) {
            store.undo(at(99)).unwrap().unwrap();
        }
        assert!(original.iter().enumerate().all(|(i, text)| kit.read(&name(i)) == *text));
        let index = kit.read("MEMORY.md");
        assert!(lines.iter().all(|line| index.contains(line.as_str())), "{writer:?}: {index}");
    }
}

#[test]
fn nothing_is_lost_beside_a_writer_that_empties_the_index_first() {
    killed_at_random(Writer::Truncate);
}

#[test]
fn nothing_is_lost_beside_a_writer_that_renames_over_the_index() {
    killed_at_random(Writer::Rename);
}

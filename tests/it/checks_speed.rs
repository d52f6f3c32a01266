//! How long keys take with many findings. Not part of every run: `cargo test --release --test it checks_speed -- --ignored
//! --nocapture`.

use crate::screen_kit::Kit;
use memcurator::shell::Stage;
use std::time::{Duration, Instant};

/// 10,000 memories with at least 20,000 findings.
fn crowd() -> Kit {
    let kit = Kit::with(&[]);
    let mut index = String::new();
    for n in 0..10_000 {
        let text = format!("---\nname: memory {n}\ntype: lesson {n}\n---\nSee [[nowhere-{n}]].\n");
        kit.write(&format!("m{n}.md"), 3, text.as_bytes());
        if n < 100 {
            index.push_str(&format!("- [m{n}](m{n}.md)\n"));
        }
    }
    kit.write("MEMORY.md", 1, index.as_bytes());
    kit
}

/// The times of some keys, each pressed alone and drawn; sorted.
pub fn times(stage: &mut Stage, keys: &[&str]) -> Vec<Duration> {
    let mut times: Vec<Duration> = keys
        .iter()
        .map(|key| {
            let start = Instant::now();
            stage.press(key).unwrap();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times
}

#[test]
#[ignore = "measures; run by hand"]
fn keys_with_many_findings() {
    let kit = crowd();
    let mut stage = kit.stage((120, 40));
    let open = stage.model().open().unwrap();
    assert!(open.contents.findings.len() >= 20_000, "{}", open.contents.findings.len());
    println!(
        "{} findings on {} memories",
        open.contents.findings.len(),
        open.contents.snapshot.memories.len()
    );
    stage.press("4").unwrap();
    for (name, keys) in [
        ("moving", ["j", "k", "<pagedown>", "<pageup>", "G", "g", "<c-d>", "<c-u>"].repeat(6)),
        ("grouping", ["o"].repeat(12)),
        (
            "filter",
            ["/", "m", "1", "2", "3", "<space>", "l", "i", "n", "k", "<bs>", "<bs>", "<esc>"].repeat(3),
        ),
        ("detail", ["<tab>", "j", "k", "<tab>", "j"].repeat(6)),
        ("silenced", ["!"].repeat(10)),
        ("screens", ["1", "4"].repeat(6)),
        ("walking", vec!["w", "n", "n", "b", "n", "n", "b", "<esc>", "<enter>"]),
    ] {
        let times = times(&mut stage, &keys);
        let p95 = times[times.len() * 95 / 100];
        println!("{name}: p50 {:?}, p95 {p95:?}, worst {:?}", times[times.len() / 2], times[times.len() - 1]);
        if cfg!(not(debug_assertions)) {
            assert!(p95 <= Duration::from_millis(50), "{name}: {p95:?}");
        }
    }
}

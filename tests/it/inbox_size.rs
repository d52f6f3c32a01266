//! A thousand proposals and a thousand changes: every one is held against the store, and none makes the person wait.
//! The figures of docs/INBOX.md are those that this prints (`cargo test --release --test it inbox_size -- --nocapture`).

use crate::inbox_kit::{Shop, memory, name, now};
use memcurator::check::Settings;
use memcurator::review::approve;
use memcurator::review::gate::Scene;
use memcurator::review::proposal::Waiting;
use std::time::Instant;

const MANY: usize = 1000;

#[test]
fn a_thousand_wait_and_a_thousand_changed() {
    let shop = Shop::new(0);
    let mut index = String::from("# Index\n\n");
    for i in 0..MANY {
        let number = format!("{i:04}");
        let text =
            memory(i).replace(&name(i), &format!("note-{number}")).replace("unit", &format!("unit {number}"));
        shop.write(&format!("note-{number}.md"), &text);
        if i < 190 {
            index.push_str(&format!("- [note-{number}](note-{number}.md) — unit {i}\n"));
        }
    }
    shop.write("MEMORY.md", &index);
    let started = Instant::now();
    let count = shop.listed().len();
    let (listed, bound) = (started.elapsed(), if cfg!(debug_assertions) { 60 } else { 1 });
    assert_eq!(count, MANY, "every line of the index goes with its memory");
    eprintln!("{MANY} changes are listed in {listed:?}, scan and history included");
    assert!(listed.as_secs() < bound, "{listed:?}");

    let texts: Vec<String> = (0..MANY)
        .map(|i| {
            let content =
                memory(i).replace(&name(i), &format!("idea-{i}")).replace("unit", &format!("plan {i}"));
            format!(r#"{{"file": "idea-{i}", "content": {}}}"#, serde_json::to_string(&content).unwrap())
        })
        .collect();
    let started = Instant::now();
    shop.propose(&format!("[{}]", texts.join(",")));
    eprintln!("{MANY} proposals are stored in {:?}", started.elapsed());
    let started = Instant::now();
    let waiting = shop.open().queue().list().unwrap();
    eprintln!("{MANY} proposals are read in {:?}", started.elapsed());
    let (snapshot, settings) = (shop.snapshot(), Settings::default());
    let started = Instant::now();
    let scene = Scene::new(&snapshot, &settings, None, now());
    let gated = waiting
        .iter()
        .filter_map(Waiting::proposal)
        .filter(|one| !scene.gate(one).verdicts.is_empty())
        .count();
    let elapsed = started.elapsed();
    assert_eq!(gated, MANY);
    eprintln!("{MANY} proposals are gated in {elapsed:?}, against {MANY} memories");
    assert!(elapsed.as_secs() < bound * 2, "{elapsed:?}");
    let started = Instant::now();
    let ready = waiting.iter().filter_map(Waiting::proposal).take(20);
    let ready = ready.filter(|one| approve::approve(&snapshot, &[], one, false).is_ok()).count();
    eprintln!("20 approvals are planned in {:?}", started.elapsed());
    assert_eq!(ready, 20);
    let started = Instant::now();
    assert_eq!(shop.open().queue().count(), MANY);
    eprintln!("they are counted in {:?}", started.elapsed());
}

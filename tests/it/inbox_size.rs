//! A thousand proposals and a thousand changes: how long reading, the gate and each key take. Not part of every run:
//! `cargo test --release --test it inbox_size -- --ignored --nocapture`; the figures of docs/INBOX.md are what it prints.

use crate::inbox_kit::{Shop, memory, name, now};
use crate::screen_kit::Kit;
use memcurator::check::Settings;
use memcurator::review::approve;
use memcurator::review::gate::Scene;
use memcurator::review::proposal::Waiting;
use std::time::Instant;

const MANY: usize = 1000;

#[test]
#[ignore = "measures; run by hand"]
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
    let listed = started.elapsed();
    assert_eq!(count, MANY, "every line of the index goes with its memory");
    eprintln!("{MANY} changes are listed in {listed:?}, scan and history included");

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
    let started = Instant::now();
    let ready = waiting.iter().filter_map(Waiting::proposal).take(20);
    let ready = ready.filter(|one| approve::approve(&snapshot, &[], one, false).is_ok()).count();
    eprintln!("20 approvals are planned in {:?}", started.elapsed());
    assert_eq!(ready, 20);
    let started = Instant::now();
    assert_eq!(shop.open().queue().count(), MANY);
    eprintln!("they are counted in {:?}", started.elapsed());
    screens(&shop);
}

/// The screens on them: how long it takes until all is there, and each key until its frame.
fn screens(shop: &Shop) {
    let kit = Kit::with(&[]);
    let mut session = kit.session("");
    session.places = shop.places.clone();
    if let memcurator::shell::Start::Store(located) = &mut session.start {
        located.dir = shop.dir.clone();
    }
    let started = Instant::now();
    let mut stage = memcurator::shell::Stage::open(&session, (120, 40)).unwrap();
    eprintln!("the screens are idle, with every verdict, after {:?}", started.elapsed());
    let started = Instant::now();
    stage.press("3").unwrap();
    eprintln!("3, and all is gated anew: {:?}", started.elapsed());
    let desk = &stage.model().open().unwrap().inbox;
    assert_eq!((desk.count(), desk.is_gated), (2 * MANY, true));
    for (name, keys) in [
        ("moving", ["j", "k", "<pagedown>", "<pageup>", "G", "g", "<c-d>", "<c-u>"].repeat(6)),
        ("grouping", ["o"].repeat(12)),
        ("filter", ["/", "i", "d", "e", "a", "<space>", "9", "<bs>", "<bs>", "<esc>"].repeat(3)),
        ("detail", ["<tab>", "j", "k", "<tab>", "j"].repeat(6)),
        ("rejected", ["r"].repeat(10)),
        ("screens", ["1", "4", "1"].repeat(4)),
    ] {
        if name == "screens" {
            stage.press("1").unwrap();
        }
        let times = crate::checks_speed::times(&mut stage, &keys);
        let (p50, p95) = (times[times.len() / 2], times[times.len() * 95 / 100]);
        eprintln!("{name}: p50 {p50:?}, p95 {p95:?}, worst {:?}", times[times.len() - 1]);
    }
}

//! How long a key takes on the Recall screen of a large store. Not part of every run:
//! `cargo test --release --test it recall_speed -- --ignored --nocapture`.

use crate::screen_kit::Kit;
use memcurator::shell::Stage;
use std::time::Instant;

const MANY: usize = 10_000;
const TOPICS: [&str; 12] = [
    "ledger export",
    "refund approval",
    "release train",
    "card webhook",
    "currency rounding",
    "mobile checkout",
    "settlement job",
    "review comments",
    "database migration",
    "support rota",
    "fraud limits",
    "invoice layout",
];

/// A store of so many memories whose headers have much in common, which is the worst for a ranker.
fn crowd() -> Kit {
    let kit = Kit::with(&[("MEMORY.md", "# Index\n")]);
    for number in 0..MANY {
        let (one, other) = (TOPICS[number % 12], TOPICS[number / 12 % 12]);
        let text = format!(
            "---\nname: {one} {number}\ndescription: The {one} of unit {number} waits for the {other}, since week {}\n\
             type: project\n---\n\nThe {one} of unit {number} waits for the {other}.\n\n**Why:** Once it did not.\n",
            number % 52
        );
        kit.write(&format!("note-{number:05}.md"), (number % 300) as u64, text.as_bytes());
    }
    kit
}

const QUERY: &str = "how long does a refund wait for the ledger";

/// What a key costs on the thread that reads keys: until its frame, and the frame of the answer, which a worker found.
#[test]
#[ignore = "measures; run by hand"]
fn a_keys_own_time() {
    use memcurator::app::action::{Action, Effect, Outcome};
    use memcurator::app::contents::Contents;
    use memcurator::app::keymap::Keymap;
    use memcurator::app::model::Model;
    use memcurator::app::recall::Found;
    use memcurator::app::update::update;
    use memcurator::prompt::recall::{Ranker, candidates};
    use memcurator::ui::theme::Theme;
    use memcurator::ui::{Painter, view};
    use std::sync::Arc;
    let kit = crowd();
    let now = crate::screen_kit::now();
    let snapshot = memcurator::store::scan(&kit.store(), &|_| {}).unwrap();
    let started = Instant::now();
    let found = Arc::new(candidates(&snapshot, now));
    let ranker = Ranker::of(&found);
    eprintln!("{MANY} headers are prepared in {:?}, once", started.elapsed());
    let contents = Arc::new(Contents::new(snapshot, Vec::new(), now));
    let mut model = Model::new(now, Keymap::new(&[]).unwrap());
    let mut painter = Painter::new(Theme::named("terminal").unwrap());
    let mut terminal = ratatui::Terminal::new(ratatui::backend::TestBackend::new(120, 40)).unwrap();
    let _ = update(&mut model, Action::OpenStore("/store".into()));
    let _ = update(&mut model, Action::Outcome(Outcome::Loaded("/store".into(), Ok(contents))));
    let (mut keys, mut ranked, mut frames) = (Vec::new(), Vec::new(), Vec::new());
    let typed: String = QUERY.replace(' ', "<space>");
    for key in memcurator::app::key::sequence(&format!(
        "6/{typed}{}<enter>jjkkGg<space>GGgg<space>",
        "<bs>".repeat(9)
    ))
    .unwrap()
    {
        let started = Instant::now();
        let effects = update(&mut model, Action::Key(key));
        let mut layout = None;
        terminal.draw(|frame| layout = Some(view(&model, &mut painter, frame))).unwrap();
        keys.push(started.elapsed());
        model.layout = layout.unwrap();
        for effect in effects {
            let Effect::Recall(asked) = effect else { continue };
            let started = Instant::now();
            let recall = ranker.ask(&asked.query, &asked.options);
            ranked.push(started.elapsed());
            let answer = Found { recall, candidates: found.clone(), options: asked.options, text: None };
            let started = Instant::now();
            let _ =
                update(&mut model, Action::Outcome(Outcome::Recalled(asked.number, Ok(Arc::new(answer)))));
            terminal.draw(|frame| drop(view(&model, &mut painter, frame))).unwrap();
            frames.push(started.elapsed());
        }
    }
    for (name, mut times) in [
        ("a key, until its frame", keys),
        ("the ranking, on a worker", ranked),
        ("the answer's frame", frames),
    ] {
        times.sort_unstable();
        report(name, times);
    }
}

#[test]
#[ignore = "measures; run by hand"]
fn ten_thousand_memories() {
    let kit = crowd();
    let mut stage = Stage::open(&kit.session(""), (120, 40)).unwrap();
    let started = Instant::now();
    stage.press("6/<enter>").unwrap();
    eprintln!("6: {:?}", started.elapsed());
    let started = Instant::now();
    stage.press("/r").unwrap();
    eprintln!("the first key of the first query, the headers prepared with it: {:?}", started.elapsed());
    stage.press("<c-u><esc>").unwrap();
    let query: Vec<&str> = "/,h,o,w,<space>,l,o,n,g,<space>,d,o,e,s,<space>,a,<space>,r,e,f,u,n,d,<space>,w,a,i,t,<space>,f,o,r,<space>,t,h,e,<space>,\
                            l,e,d,g,e,r,<enter>"
        .split(',')
        .collect();
    for (name, keys) in [
        ("typing, until the answer shows", query),
        ("moving", ["j", "k", "<pagedown>", "<pageup>", "G", "g", "<c-d>", "<c-u>"].repeat(6)),
        ("all shown, moving", ["<space>", "j", "<pagedown>", "G", "g", "<space>"].repeat(6)),
        ("views", ["v"].repeat(18)),
        ("shown already", ["s", "s"].repeat(8)),
    ] {
        report(name, crate::checks_speed::times(&mut stage, &keys));
    }
    let started = Instant::now();
    stage.press("gD").unwrap();
    eprintln!("a description opens, with where it stands, after {:?}", started.elapsed());
    let typed = ["x", "<bs>", "r", "e", "f", "u", "n", "d", "<space>"].repeat(4);
    report("a description, until where it stands shows", crate::checks_speed::times(&mut stage, &typed));
}

fn report(name: &str, times: Vec<std::time::Duration>) {
    let (p50, p95) = (times[times.len() / 2], times[times.len() * 95 / 100]);
    eprintln!("{name}: p50 {p50:?}, p95 {p95:?}, worst {:?}", times[times.len() - 1]);
}

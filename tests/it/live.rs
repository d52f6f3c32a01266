//! What others change appears by itself, and the person's place stays.

use crate::screen_kit::Kit;
use memcurator::shell::Stage;
use std::fs;
use std::time::{Duration, Instant};

fn message(stage: &Stage) -> String {
    stage.model().message.as_ref().map(|message| message.text.clone()).unwrap_or_default()
}

/// Waits until the screen holds a text; gives how long that took.
fn wait_for(stage: &mut Stage, text: &str) -> Duration {
    let begin = Instant::now();
    while !stage.text().contains(text) {
        assert!(begin.elapsed() < Duration::from_secs(20), "`{text}` never came:\n{}", stage.text());
        stage.wait(Duration::from_millis(20)).unwrap();
    }
    begin.elapsed()
}

/// Takes what still comes.
fn calm(stage: &mut Stage) {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_millis(700) {
        stage.wait(Duration::from_millis(50)).unwrap();
    }
}

#[test]
fn changes_by_others_appear_and_cursor_marks_and_scroll_stay() {
    let kit = Kit::new();
    let mut stage = kit.stage((120, 40));
    stage.watch().unwrap();
    stage.press("/refund<enter><esc><space>/dash<enter><esc>").unwrap();
    let row = |stage: &Stage| {
        let text = stage.text();
        text.lines().position(|line| line.starts_with('▸')).unwrap()
    };
    let (at, path) = (row(&stage), stage.model().current().unwrap().path.clone());
    std::thread::sleep(Duration::from_millis(300));
    kit.write(
        "user_new.md",
        0,
        b"---\nname: Quite new\ndescription: By the agent\ntype: user\n---\n\nNew.\n",
    );
    let took = wait_for(&mut stage, "Quite new");
    eprintln!("a change of others showed after {took:?}");
    assert_eq!(message(&stage), "changed by someone else: 1 new");
    assert_eq!(stage.model().current().unwrap().path, path);
    assert!(row(&stage).abs_diff(at) <= 1, "{at}: {}", stage.text());
    assert_eq!(stage.model().open().unwrap().list.marks.len(), 1);
    // What the cursor is on changes, and goes.
    kit.write("reference_boards.md", 0, b"---\nname: Boards anew\ntype: reference\n---\n\nThere.\n");
    wait_for(&mut stage, "Boards anew");
    assert_eq!(stage.model().current().unwrap().path, path);
    fs::remove_file(kit.store().join("reference_boards.md")).unwrap();
    stage.press("j<up>").unwrap();
    let begin = Instant::now();
    while stage.text().contains("Boards anew") {
        assert!(begin.elapsed() < Duration::from_secs(20), "{}", stage.text());
        stage.wait(Duration::from_millis(20)).unwrap();
    }
    assert!(stage.model().current().is_some());
}

#[test]
fn own_writes_are_no_news() {
    let kit = Kit::new();
    let mut stage = kit.stage((120, 40));
    stage.watch().unwrap();
    stage.press("/dash<enter><esc>t").unwrap();
    let said = message(&stage);
    assert!(said.contains("still holds"), "{said}");
    calm(&mut stage);
    assert_eq!(message(&stage), said);
    stage.press("j").unwrap();
    calm(&mut stage);
    assert_eq!(message(&stage), "", "nothing new was found in what we wrote ourselves");
}

#[test]
fn what_is_typed_stays_when_the_store_changes() {
    let kit = Kit::new();
    let mut stage = kit.stage((120, 40));
    stage.watch().unwrap();
    stage.press("nA<space>fact").unwrap();
    kit.write("user_new.md", 0, b"---\nname: Quite new\ntype: user\n---\n\nNew.\n");
    wait_for(&mut stage, "12 memories");
    assert!(stage.text().contains("A fact"), "{}", stage.text());
    stage.press("<space>more<c-s>").unwrap();
    assert!(message(&stage).starts_with("wrote a-fact-more"), "{}", message(&stage));
    // A question stays too, and what is no longer there is refused.
    stage.press("/new<enter><esc><space>/odd<enter><esc><space>d").unwrap();
    fs::remove_file(kit.store().join("user_new.md")).unwrap();
    let before = kit.names();
    calm(&mut stage);
    assert!(stage.text().contains("Delete these 2 memories?"), "{}", stage.text());
    stage.press("y").unwrap();
    assert_eq!(kit.names(), before, "{}", message(&stage));
    assert!(message(&stage).contains("nothing was changed"), "{}", message(&stage));
}

/// Text of a memory that goes is never lost unseen.
#[test]
fn what_others_write_into_a_memory_that_goes_is_told() {
    let kit = Kit::new();
    let mut stage = kit.stage((120, 40));
    stage.watch().unwrap();
    stage.press("/prefer-small<enter><space><esc>/odd<enter><space><esc>m").unwrap();
    let odd = |text: &str| format!("---\nname: Odd one\ntype: ritual\n---\n\n{text}\n");
    // Nothing was typed: the text follows.
    kit.write("odd.md", 0, odd("Every second morning.").as_bytes());
    wait_for(&mut stage, "Every second morning.");
    assert!(!stage.text().contains("someone else changed what goes"), "{}", stage.text());
    stage.press("<c-home>Mine<space>").unwrap();
    kit.write("odd.md", 0, odd("Every third morning.").as_bytes());
    wait_for(&mut stage, "someone else changed what goes");
    stage.press("<c-s>").unwrap();
    assert!(stage.text().contains("what they wrote is not in yours"), "{}", stage.text());
    stage.press("n<esc>d").unwrap();
    assert_eq!(fs::read_to_string(kit.store().join("odd.md")).unwrap(), odd("Every third morning."));
}

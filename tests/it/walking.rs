//! Journeys of walking the worst.

use crate::checks_kit::{bring, findings, kit, message, stage, text};
use memcurator::app::commands::Context;
use memcurator::app::list::Row;
use memcurator::app::model::Screen;
use memcurator::shell::Stage;

fn at(stage: &Stage) -> String {
    let walk = stage.model().walk.as_ref().unwrap();
    walk.current().map(ToString::to_string).unwrap_or_default()
}

#[test]
fn it_goes_through_what_is_worth_a_look_in_that_order() {
    let kit = kit();
    let mut stage = stage(&kit, (120, 40));
    stage.press("1").unwrap();
    let open = stage.model().open().unwrap();
    let worth = open.list.rows.iter().skip(1).map_while(|row| match row {
        Row::Entry(at) => Some(open.contents.entries[*at].path.to_string()),
        Row::Head(..) => None,
    });
    let worth: Vec<String> = worth.collect();
    stage.press("w").unwrap();
    let walk = stage.model().walk.as_ref().unwrap();
    assert_eq!(walk.queue.iter().map(|(path, _)| path.to_string()).collect::<Vec<_>>(), worth);
    assert_eq!(worth.len(), 3);
    assert!(stage.text().contains("walk the worst ─ 1 of 3"), "{}", stage.text());
    stage.press("n<right>").unwrap();
    assert!(stage.text().contains("3 of 3"), "{}", stage.text());
    stage.press("b<left>").unwrap();
    assert!(stage.text().contains("1 of 3"), "{}", stage.text());
    stage.press("<esc>").unwrap();
    assert!(
        stage.text().contains("left for later 3") && stage.text().contains("memcurator undo"),
        "{}",
        stage.text()
    );
    stage.press("<enter>").unwrap();
    assert!(stage.model().walk.is_none());
    assert_eq!((stage.model().screen, message(&stage).as_str()), (Screen::Memories, "left for later 3"));
}

#[test]
fn keep_fix_park_delete_and_the_summary() {
    let kit = kit();
    let before = kit.disk();
    let mut stage = stage(&kit, (120, 40));
    stage.press("w").unwrap();
    // The same age and severity: by name.
    assert_eq!(at(&stage), "deploys.md");
    stage.press("f").unwrap();
    assert!(text(&kit, "deploys.md").contains("src/settlement/rounding.py"), "what is safe is done at once");
    assert_eq!(at(&stage), "freeze.md");
    bring(&mut stage, findings());
    stage.press("y").unwrap();
    assert_eq!(at(&stage), "rota.md");
    // Deploys links to it: it is asked about.
    stage.press("d").unwrap();
    assert_eq!(Context::of(stage.model()), Context::Question);
    stage.press("n").unwrap();
    assert_eq!((at(&stage).as_str(), kit.names().len()), ("rota.md", 5));
    stage.press("d<esc>").unwrap();
    assert_eq!((at(&stage).as_str(), kit.names().len()), ("rota.md", 5));
    stage.press("dy").unwrap();
    assert!(!kit.names().contains(&"rota.md".to_owned()));
    assert_eq!(Context::of(stage.model()), Context::WalkEnd);
    assert!(stage.text().contains("kept 1, fixed 1, deleted 1"), "{}", stage.text());
    // Taken back one after the other, each on its memory.
    stage.press("u").unwrap();
    assert!(kit.names().contains(&"rota.md".to_owned()));
    assert_eq!(at(&stage), "rota.md");
    stage.press("u").unwrap();
    assert_eq!((at(&stage).as_str(), message(&stage).as_str()), ("freeze.md", "taken back"));
    stage.press("u").unwrap();
    assert_eq!((at(&stage).as_str(), kit.disk() == before), ("deploys.md", true));
    stage.press("u").unwrap();
    assert_eq!(message(&stage), "nothing was done on this walk yet");
    stage.press("p").unwrap();
    assert!(!kit.index().contains("deploys.md"), "{}", kit.index());
    stage.press("t").unwrap();
    assert!(message(&stage).contains("still holds"), "{}", message(&stage));
    stage.press("z<c-u>1y<enter>").unwrap();
    assert!(stage.text().contains("still true 1, parked 1, snoozed 1"), "{}", stage.text());
}

#[test]
fn an_edit_on_the_walk_counts_when_it_is_saved() {
    let kit = kit();
    let before = kit.disk();
    let mut stage = stage(&kit, (120, 40));
    stage.press("we").unwrap();
    assert_eq!(Context::of(stage.model()), Context::Edit);
    stage.press("<esc>").unwrap();
    assert_eq!((at(&stage).as_str(), kit.disk() == before), ("deploys.md", true));
    stage.press("eX<c-s>").unwrap();
    assert_ne!(kit.disk()["deploys.md"], before["deploys.md"]);
    assert_eq!(at(&stage), "freeze.md");
    stage.press("<esc>").unwrap();
    assert!(stage.text().contains("fixed 1, left for later 2"), "{}", stage.text());
}

#[test]
fn without_anything_found_there_is_nothing_to_walk() {
    let kit = kit();
    let mut stage = kit.stage((80, 24));
    stage.press("w").unwrap();
    assert!(message(&stage).contains("nothing is worth a look"), "{}", message(&stage));
    assert!(stage.model().walk.is_none());
}

#[test]
fn how_to_check_it_is_shown_and_never_run() {
    let kit = kit();
    let mark = kit.dir.path().join("ran");
    let own = format!(
        "---\nname: Own\ntype: odd\ndescription: d\nverify: touch {}\n---\nx\u{202e}\n",
        mark.display()
    );
    kit.write("own.md", 1, own.as_bytes());
    let mut stage = kit.stage((120, 40));
    stage.press("w").unwrap();
    assert!(stage.text().contains("to check it: touch"), "{}", stage.text());
    stage.press("<esc><enter>4").unwrap();
    assert!(stage.text().contains("(shown, never run)"), "{}", stage.text());
    assert!(!mark.exists());
}

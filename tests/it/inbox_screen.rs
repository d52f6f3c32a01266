//! Journeys of the Inbox: each key with yes, no and Esc, and the disk afterwards.

use crate::checks_kit::{message, text};
use crate::screen_kit::{Kit, now};
use memcurator::app::commands::Context;
use memcurator::app::model::Screen;
use memcurator::review::proposal::intake::Intake;
use memcurator::review::proposal::{Origin, Waiting};
use memcurator::shell::Stage;
use memcurator::store::{Queue, Start, Store};

pub const FILES: &[(&str, &str)] = &[
    (
        "MEMORY.md",
        "- [Cents](cents.md) — integers only\n- [Rota](rota.md) — who is on call\n- [Tea](tea.md) — in the afternoon\n",
    ),
    (
        "cents.md",
        "---\nname: Cents\ndescription: integers only\ntype: project\n---\n\nMoney is kept as integer cents everywhere, never as floats.\n\n\
         **Why:** Reports differed by a cent.\n\n**How to apply:** Every amount field.\n",
    ),
    (
        "rota.md",
        "---\nname: Rota\ndescription: who is on call\ntype: reference\n---\n\nOne.\n\nTwo.\n\nThree.\n\nFour.\n\nFive.\n\nSix.\n\nSeven.\n",
    ),
    ("tea.md", "---\nname: Tea\ndescription: in the afternoon\ntype: user\n---\n\nTea in the afternoon.\n"),
];

const QUEUE: &str = r#"{"type": "feedback", "file": "linter", "name": "Linter", "description": "The checker runs before a commit",
    "body": "Run the linter before each commit.", "why": "The pipeline is slow.", "how": "Every commit.",
    "origin": {"kind": "extract", "session": "5a5a5a5a-0001", "by": "nightly"}}"#;
const IMPORT: &str = r#"{"type": "feedback", "file": "imports", "name": "Imports", "description": "Bulk files go through the queue",
    "body": "Imports go through the queue, never straight into the ledger.", "why": "A direct one locked the table.", "how": "Each bulk file.",
    "origin": {"kind": "extract", "session": "5a5a5a5a-0001", "by": "nightly"}}"#;
const SAME: &str = r#"{"type": "project", "file": "money", "name": "Money", "description": "no floats for amounts",
    "body": "Money is kept as integer cents everywhere and never as floats.", "why": "Reports differed by a cent.", "how": "Every amount."}"#;

/// A store that was reviewed, as it was before anything waited.
pub fn kit() -> Kit {
    let kit = Kit::with(FILES);
    store(&kit).start_review(Start::AsItIs, now()).unwrap();
    kit
}

pub fn store(kit: &Kit) -> Store {
    Store::open(&kit.store(), &kit.session("").places).unwrap()
}

pub fn queue(kit: &Kit) -> Queue {
    store(kit).queue()
}

pub fn propose(kit: &Kit, json: &str) {
    let store = store(kit);
    let snapshot = store.scan(&|_| {}).unwrap();
    let origin = Origin { kind: "propose".into(), by: Some("agent".into()), ..Origin::default() };
    let made = Intake::new(&snapshot, &[], &origin, now()).read(json).unwrap();
    store.queue().add(&made, now()).unwrap();
}

pub fn waiting(kit: &Kit) -> Vec<String> {
    let name = |one: &Waiting| one.proposal().map_or("faulty".to_owned(), |one| one.target.to_string());
    let mut all: Vec<String> = queue(kit).list().unwrap().iter().map(name).collect();
    all.sort();
    all
}

fn stage(kit: &Kit, size: (u16, u16)) -> Stage {
    let mut stage = kit.stage(size);
    stage.press("3").unwrap();
    assert_eq!(stage.model().screen, Screen::Inbox);
    stage
}

fn titles(stage: &Stage) -> Vec<String> {
    stage.model().open().unwrap().inbox.shown().map(|item| format!("{} {}", item.sign, item.title)).collect()
}

#[test]
fn yes_writes_the_memory_and_its_line_and_undo_brings_it_back() {
    let kit = kit();
    propose(&kit, QUEUE);
    let before = kit.disk();
    let mut stage = stage(&kit, (120, 40));
    assert!(stage.text().contains("1 waiting") && stage.text().contains("3 Inbox ①"), "{}", stage.text());
    assert_eq!(kit.disk(), before, "a proposal is inert");
    stage.press("y").unwrap();
    assert!(text(&kit, "linter.md").contains("Run the linter"), "{}", message(&stage));
    assert!(kit.index().contains("(linter.md)"), "{}", kit.index());
    assert!(waiting(&kit).is_empty() && titles(&stage).is_empty());
    assert!(message(&stage).contains("u undoes"), "{}", message(&stage));
    assert!(!stage.text().contains("waiting"), "{}", stage.text());
    stage.press("u").unwrap();
    assert_eq!((kit.disk(), waiting(&kit)), (before, vec!["linter.md".to_owned()]));
    assert_eq!(titles(&stage), ["+ Linter"]);
}

#[test]
fn no_rejects_and_it_can_be_taken_back() {
    let kit = kit();
    propose(&kit, QUEUE);
    let before = kit.disk();
    let mut stage = stage(&kit, (80, 24));
    stage.press("n").unwrap();
    assert!(waiting(&kit).is_empty() && kit.disk() == before);
    assert!(message(&stage).contains("u takes it back"), "{}", message(&stage));
    stage.press("u").unwrap();
    assert_eq!(waiting(&kit), ["linter.md"]);
    // What was taken back is not rejected again by the same key: the history has nothing to undo either.
    stage.press("u").unwrap();
    assert_eq!(
        (waiting(&kit), message(&stage).as_str()),
        (vec!["linter.md".into()], "there is nothing to undo")
    );
    stage.press("nr").unwrap();
    assert_eq!(Context::of(stage.model()), Context::Rejected);
    assert!(stage.text().contains("1 rejected") && stage.text().contains("Linter"), "{}", stage.text());
    for key in ["y", "n"] {
        stage.press(key).unwrap();
        assert!(waiting(&kit).is_empty() && kit.disk() == before);
    }
    stage.press("<esc>").unwrap();
    assert_eq!(Context::of(stage.model()), Context::Inbox);
    stage.press("rt").unwrap();
    assert_eq!(waiting(&kit), ["linter.md"]);
}

#[test]
fn edit_first_writes_back_and_it_waits_on() {
    let kit = kit();
    propose(&kit, QUEUE);
    let before = kit.disk();
    let mut stage = stage(&kit, (120, 40));
    stage.press("e<esc>").unwrap();
    assert_eq!(Context::of(stage.model()), Context::Inbox, "nothing was typed");
    stage.press("eX<esc>d").unwrap();
    assert_eq!(titles(&stage), ["+ Linter"], "thrown away");
    stage.press("eX<c-s>").unwrap();
    assert_eq!((Context::of(stage.model()), titles(&stage)), (Context::Inbox, vec!["+ LinterX".into()]));
    assert_eq!((kit.disk(), waiting(&kit)), (before.clone(), vec!["linter.md".to_owned()]));
    stage.press("u").unwrap();
    assert_eq!(titles(&stage), ["+ Linter"], "an edit is taken back too");
    stage.press("eX<c-s>y").unwrap();
    assert!(text(&kit, "linter.md").contains("name: LinterX"));
    stage.press("u").unwrap();
    assert_eq!(kit.disk(), before);
}

#[test]
fn merge_makes_it_a_change_of_the_memory_that_says_the_same() {
    let kit = kit();
    propose(&kit, SAME);
    let before = kit.disk();
    let mut stage = stage(&kit, (120, 40));
    assert!(
        stage.text().contains("nearly") && stage.text().contains("update that one: m"),
        "{}",
        stage.text()
    );
    stage.press("m").unwrap();
    assert_eq!((titles(&stage), kit.disk()), (vec!["~ Cents".to_owned()], before.clone()));
    stage.press("u").unwrap();
    assert_eq!(titles(&stage), ["+ Money"]);
    stage.press("my").unwrap();
    let merged = text(&kit, "cents.md");
    assert!(
        merged.contains("never as floats.\n\n**Why") && merged.contains("and never as floats."),
        "{merged}"
    );
    assert!(!kit.names().contains(&"money.md".into()) && waiting(&kit).is_empty());
    stage.press("u").unwrap();
    assert_eq!(kit.disk(), before);
}

#[test]
fn all_that_pass_are_named_and_asked_about() {
    let kit = kit();
    propose(&kit, &format!("[{QUEUE}, {IMPORT}, {SAME}]"));
    let before = kit.disk();
    let mut stage = stage(&kit, (120, 40));
    assert_eq!(titles(&stage), ["+ Linter", "+ Imports", "+ Money"], "safest first: {}", stage.text());
    for answer in ["n", "<esc>"] {
        stage.press("A").unwrap();
        let shown = stage.text();
        assert!(shown.contains("Approve 2 proposals") && shown.contains("+ Imports"), "{shown}");
        stage.press(answer).unwrap();
        assert_eq!((kit.disk() == before, waiting(&kit).len()), (true, 3));
    }
    stage.press("Ay").unwrap();
    assert_eq!(waiting(&kit), ["money.md"]);
    assert!(kit.index().contains("(linter.md)") && kit.index().contains("(imports.md)"));
    assert!(message(&stage).contains("approved 2 of 2"), "{}", message(&stage));
    stage.press("u").unwrap();
    assert_eq!(waiting(&kit), ["imports.md", "money.md"], "each is a step of its own");
    stage.press("u").unwrap();
    assert_eq!((kit.disk() == before, waiting(&kit).len()), (true, 3));
}

#[test]
fn all_of_an_origin() {
    let kit = kit();
    propose(&kit, &format!("[{SAME}, {QUEUE}, {IMPORT}]"));
    let before = kit.disk();
    let mut stage = stage(&kit, (120, 40));
    for answer in ["n", "<esc>"] {
        stage.press("ga").unwrap();
        let shown = stage.text();
        assert!(shown.contains("nightly, session 5a5a5a5a") && !shown.contains("+ Money  nearly"), "{shown}");
        stage.press(answer).unwrap();
        assert!(kit.disk() == before);
    }
    stage.press("ay").unwrap();
    assert_eq!(waiting(&kit), ["money.md"]);
    // Grouped by origin.
    propose(&kit, &QUEUE.replace("linter", "l2").replace("Linter", "L2").replace("before each", "after no"));
    stage.press("3o").unwrap();
    assert!(stage.text().contains("nightly, session 5a5a5a5a  1"), "{}", stage.text());
}

#[test]
fn twenty_take_twenty_keys() {
    let kit = kit();
    for n in 0..20 {
        let one = QUEUE.replace("linter", &format!("tool-{n}")).replace("Linter", &format!("Tool {n}"));
        propose(&kit, &one.replace("before each commit", &format!("in the year {n}")));
    }
    let mut stage = stage(&kit, (80, 24));
    stage.press("yyyyyyyyyynnnnnnnnnn").unwrap();
    assert!(waiting(&kit).is_empty(), "{:?}", waiting(&kit));
    assert_eq!(kit.names().iter().filter(|name| name.starts_with("tool-")).count(), 10);
    assert_eq!(queue(&kit).rejected().unwrap().len(), 10);
}

fn changed() -> Kit {
    let kit = kit();
    let rota = text(&kit, "rota.md").replace("One.", "Uno.").replace("Seven.", "Sette.");
    kit.write("rota.md", 0, rota.as_bytes());
    std::fs::remove_file(kit.store().join("tea.md")).unwrap();
    let index =
        kit.index().replace("- [Tea](tea.md) — in the afternoon\n", "- [New](new.md) — by an agent\n");
    kit.write("MEMORY.md", 0, index.as_bytes());
    let session = "---\nname: New\ndescription: by an agent\ntype: user\noriginSessionId: 77777777-1111\n---\n\nFresh.\n";
    kit.write("new.md", 0, session.as_bytes());
    kit
}

fn to(stage: &mut Stage, title: &str) {
    // Over the list, not over the text about one of them.
    if stage.model().open().unwrap().inbox.in_detail {
        stage.press("<esc>").unwrap();
    }
    stage.press("g").unwrap();
    for _ in 0..10 {
        if stage.model().open().unwrap().inbox.current().unwrap().title == title {
            return;
        }
        stage.press("j").unwrap();
    }
    panic!("{title} is not there: {:?}", titles(stage));
}

#[test]
fn changes_are_accepted_or_restored() {
    let kit = changed();
    let before = kit.disk();
    let mut stage = stage(&kit, (120, 40));
    let mut all = titles(&stage);
    all.sort();
    assert_eq!(all, ["+ New", "- Tea", "~ Rota"]);
    assert!(stage.text().contains("3 changes since 2026-11-30"), "{}", stage.text());
    // A deletion is restored, with its line.
    to(&mut stage, "Tea");
    stage.press("n").unwrap();
    assert!(text(&kit, "tea.md").contains("Tea in the afternoon"), "{}", message(&stage));
    assert!(kit.index().contains("(tea.md)") && kit.index().contains("(new.md)"));
    stage.press("u").unwrap();
    assert_eq!(kit.disk(), before);
    // Accepting writes nothing into the store.
    to(&mut stage, "Tea");
    stage.press("y").unwrap();
    to(&mut stage, "New");
    assert!(stage.text().contains("session 77777777"), "{}", stage.text());
    stage.press("y").unwrap();
    assert_eq!((titles(&stage), kit.disk()), (vec!["~ Rota".to_owned()], before.clone()));
    stage.press("n").unwrap();
    assert!(text(&kit, "rota.md").contains("One.") && titles(&stage).is_empty());
    stage.press("uuu").unwrap();
    assert_eq!((titles(&stage).len(), kit.disk()), (3, before));
}

#[test]
fn an_addition_that_is_refused_goes_and_all_changes_are_accepted_after_a_question() {
    let kit = changed();
    let mut stage = stage(&kit, (120, 40));
    to(&mut stage, "New");
    stage.press("n").unwrap();
    assert!(!kit.names().contains(&"new.md".into()) && !kit.index().contains("(new.md)"));
    let before = kit.disk();
    for (answer, left) in [("n", 2), ("<esc>", 2), ("y", 0)] {
        stage.press(":accept-all<enter>").unwrap();
        assert!(stage.text().contains("Accept 2 changes?"), "{}", stage.text());
        stage.press(answer).unwrap();
        assert_eq!((titles(&stage).len(), kit.disk() == before), (left, true));
    }
}

#[test]
fn a_change_is_edited_and_accepted() {
    let kit = changed();
    let mut stage = stage(&kit, (120, 40));
    to(&mut stage, "Rota");
    stage.press("e<esc>").unwrap();
    assert_eq!(titles(&stage).len(), 3);
    stage.press("eX<c-s>").unwrap();
    assert!(text(&kit, "rota.md").contains("name: RotaX"), "{}", message(&stage));
    assert_eq!(titles(&stage).len(), 2, "what was edited here counts as reviewed: {:?}", titles(&stage));
}

#[test]
fn a_change_is_taken_in_parts() {
    let kit = changed();
    let before = kit.disk();
    let mut stage = stage(&kit, (120, 40));
    to(&mut stage, "New");
    stage.press("s").unwrap();
    assert!(message(&stage).contains("only a changed memory"), "{}", message(&stage));
    to(&mut stage, "Rota");
    stage.press("s").unwrap();
    assert_eq!(Context::of(stage.model()), Context::Parts);
    assert!(stage.text().contains("▸ [x] part 1 of 2"), "{}", stage.text());
    stage.press("<space><esc>").unwrap();
    assert_eq!((Context::of(stage.model()), kit.disk() == before), (Context::Inbox, true));
    stage.press("s<space>jky").unwrap();
    let rota = text(&kit, "rota.md");
    assert!(rota.contains("One.") && rota.contains("Sette."), "{rota}");
    assert_eq!(titles(&stage).len(), 2);
    stage.press("u").unwrap();
    assert_eq!(kit.disk(), before);
    // None is the old version, all is the new one.
    to(&mut stage, "Rota");
    stage.press("s<space>j<space>y").unwrap();
    assert!(text(&kit, "rota.md").contains("Seven."));
    stage.press("u").unwrap();
    to(&mut stage, "Rota");
    stage.press("sy").unwrap();
    assert_eq!((kit.disk() == before, titles(&stage).len()), (true, 2));
}

#[test]
fn a_proposal_is_taken_in_parts() {
    let kit = kit();
    let new = text(&kit, "rota.md").replace("One.", "Uno.").replace("Seven.", "Sette.");
    let json = serde_json::json!({"action": "change", "file": "rota", "content": new});
    propose(&kit, &json.to_string());
    let mut stage = stage(&kit, (120, 40));
    stage.press("sj<space>y").unwrap();
    let rota = text(&kit, "rota.md");
    assert!(rota.contains("Uno.") && rota.contains("Seven."), "{rota}");
    assert!(waiting(&kit).is_empty());
}

#[test]
fn one_made_on_an_older_version_is_shown_against_the_new_one() {
    let kit = kit();
    let new = text(&kit, "rota.md").replace("One.", "Uno.");
    let json = serde_json::json!({"action": "change", "file": "rota", "content": new});
    propose(&kit, &json.to_string());
    kit.write("rota.md", 0, text(&kit, "rota.md").replace("Seven.", "Sette.").as_bytes());
    let mut stage = stage(&kit, (120, 40));
    let shown = stage.text();
    assert!(
        shown.contains("this is both") && shown.contains("+ Uno.") && !shown.contains("- Sette"),
        "{shown}"
    );
    stage.press("gy").unwrap();
    let rota = text(&kit, "rota.md");
    assert!(rota.contains("Uno.") && rota.contains("Sette."), "{rota}");

    // Where both changed the same line a person is asked.
    let json =
        serde_json::json!({"action": "change", "file": "rota", "content": rota.replace("Two.", "Due.")});
    propose(&kit, &json.to_string());
    kit.write("rota.md", 0, rota.replace("Two.", "Deux.").as_bytes());
    let before = kit.disk();
    stage.press("<f5>g").unwrap();
    for (answer, word) in [("n", "Deux."), ("<esc>", "Deux."), ("y", "Due.")] {
        stage.press("y").unwrap();
        assert_eq!(Context::of(stage.model()), Context::Question, "{}", stage.text());
        stage.press(answer).unwrap();
        assert!(text(&kit, "rota.md").contains(word));
        assert_eq!(answer == "y", kit.disk() != before);
    }
}

#[test]
fn what_is_damaged_is_shown_and_can_only_be_rejected() {
    let kit = kit();
    let dir = queue(&kit).dir().to_path_buf();
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("odd.json"), r#"{"version": 1, "action": "add", "target": "../../out.md"}"#)
        .unwrap();
    std::fs::write(dir.join("odd.md"), "---\nname: Out\n---\nx").unwrap();
    let before = kit.disk();
    let mut stage = stage(&kit, (120, 40));
    assert!(stage.text().contains("faulty"), "{}", stage.text());
    for key in ["y", "e", "m", "s", "a", "A"] {
        stage.press(key).unwrap();
        assert_eq!((kit.disk() == before, waiting(&kit).len()), (true, 1), "{key}");
    }
    stage.press("n").unwrap();
    assert!(waiting(&kit).is_empty());
    stage.press("u").unwrap();
    assert_eq!(waiting(&kit), ["faulty"]);
}

#[test]
fn what_is_unsafe_is_asked_about_and_never_echoed() {
    let kit = kit();
    let secret = ["gh", "p_", &"a1B2c3D4e5F6".repeat(3)].concat();
    propose(&kit, &QUEUE.replace("Run the linter", &format!("The token is {secret}. Run the linter")));
    let before = kit.disk();
    let mut stage = stage(&kit, (120, 40));
    assert!(stage.text().contains("fails") && !stage.text().contains(&secret), "{}", stage.text());
    stage.press("A").unwrap();
    assert!(message(&stage).contains("no proposal passes"), "{}", message(&stage));
    stage.press("a").unwrap();
    assert!(message(&stage).contains("by itself"), "{}", message(&stage));
    for answer in ["n", "<esc>"] {
        stage.press("y").unwrap();
        assert_eq!(Context::of(stage.model()), Context::Question);
        assert!(!stage.text().contains(&secret));
        stage.press(answer).unwrap();
        assert!(kit.disk() == before);
    }
    stage.press("yy").unwrap();
    assert!(kit.names().contains(&"linter.md".into()));
}

#[test]
fn the_first_opening_starts_a_review_and_everything_can_be_reviewed() {
    let kit = Kit::with(FILES);
    let before = kit.disk();
    let mut stage = stage(&kit, (120, 40));
    assert!(store(&kit).has_review().unwrap() && titles(&stage).is_empty());
    stage.press("u").unwrap();
    assert_eq!(message(&stage), "there is nothing to undo");
    for (answer, count) in [("n", 0), ("<esc>", 0), ("y", 3)] {
        stage.press(":review-every<enter>").unwrap();
        stage.press(answer).unwrap();
        assert_eq!(titles(&stage).len(), count, "{:?}", titles(&stage));
    }
    for (answer, count) in [("n", 3), ("<esc>", 3), ("y", 0)] {
        stage.press(":review-from<enter>").unwrap();
        stage.press(answer).unwrap();
        assert_eq!(titles(&stage).len(), count);
    }
    assert_eq!(kit.disk(), before);
}

#[test]
fn the_prompt_shows_it_as_if_it_were_approved() {
    let kit = kit();
    propose(&kit, QUEUE);
    let before = kit.disk();
    let mut stage = stage(&kit, (120, 40));
    stage.press("=").unwrap();
    assert!(stage.text().contains("(linter.md)"), "{}", stage.text());
    stage.press("<esc>2").unwrap();
    assert!(!stage.text().contains("(linter.md)"), "{}", stage.text());
    stage.press("i").unwrap();
    assert!(stage.text().contains("(linter.md)") && stage.text().contains("as if"), "{}", stage.text());
    stage.press("i").unwrap();
    assert!(!stage.text().contains("(linter.md)"), "{}", stage.text());
    assert_eq!(kit.disk(), before);
}

#[test]
fn the_filter_the_detail_and_the_way_back() {
    let kit = kit();
    propose(&kit, &format!("[{QUEUE}, {IMPORT}, {SAME}]"));
    let mut stage = stage(&kit, (80, 24));
    stage.press("/ledger<enter>").unwrap();
    assert!(titles(&stage).is_empty());
    stage.press("<esc>/nearly<enter>").unwrap();
    assert_eq!(titles(&stage), ["+ Money"]);
    stage.press("<enter>").unwrap();
    assert!(
        stage.text().contains("gate nearly") || stage.text().contains("and never as floats"),
        "{}",
        stage.text()
    );
    stage.press("<esc><esc><esc>").unwrap();
    assert_eq!(stage.model().screen, Screen::Memories);
}

#[test]
fn where_there_is_little_room_one_shows_at_a_time() {
    let kit = kit();
    propose(&kit, &format!("[{QUEUE}, {IMPORT}, {SAME}]"));
    let mut stage = stage(&kit, (80, 24));
    assert!(stage.text().contains("Run the linter") && stage.text().contains("1/3"), "{}", stage.text());
    stage.press("<right>").unwrap();
    assert!(stage.text().contains("Imports go through") && stage.text().contains("2/3"), "{}", stage.text());
    stage.press("<left>y").unwrap();
    assert!(stage.text().contains("Imports go through") && kit.names().contains(&"linter.md".into()));
    stage.press("<esc>").unwrap();
    assert!(stage.text().contains("proposals  2"), "{}", stage.text());
    stage.press("<enter>nn").unwrap();
    assert!(stage.text().contains("Nothing waits."), "{}", stage.text());
}

#[test]
fn a_frame_that_is_only_printed_starts_no_review() {
    use memcurator::shell::{Print, Replay};
    let kit = Kit::with(FILES);
    let replay = Replay { keys: "3".into(), size: (120, 40), print: Print::Text };
    let session = memcurator::shell::Session { replay: Some(replay), ..kit.session("") };
    let mut out = Vec::new();
    let _end = memcurator::shell::run(session, &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    assert!(out.contains("no review was started"), "{out}");
    assert!(!kit.dir.path().join("home/state").exists() || !store(&kit).has_review().unwrap());
}

#[test]
fn what_comes_meanwhile_shows_by_itself() {
    let kit = kit();
    let mut stage = stage(&kit, (120, 40));
    stage.watch().unwrap();
    propose(&kit, QUEUE);
    let waits = |stage: &Stage| titles(stage) == ["+ Linter"];
    for _ in 0..40 {
        if waits(&stage) {
            break;
        }
        stage.wait(std::time::Duration::from_millis(250)).unwrap();
    }
    assert!(waits(&stage) && stage.text().contains("1 waiting"), "{}", stage.text());
}

#[test]
fn pictures() {
    let kit = changed();
    propose(&kit, &format!("[{QUEUE}, {SAME}]"));
    for (size, name) in [((80, 24), "80x24"), ((120, 40), "120x40"), ((200, 50), "200x50")] {
        let mut stage = stage(&kit, size);
        insta::assert_snapshot!(format!("inbox_{name}"), stage.text());
        to(&mut stage, "Money");
        stage.press("<enter>").unwrap();
        insta::assert_snapshot!(format!("inbox_near_{name}"), stage.text());
        stage.press("<esc>").unwrap();
        to(&mut stage, "Rota");
        stage.press("s").unwrap();
        insta::assert_snapshot!(format!("inbox_parts_{name}"), stage.text());
    }
}

/// Where several memories are near, `m` took the nearest without a word.
#[test]
fn merging_asks_into_which_of_several_near_memories() {
    let twin = "---\nname: Sums\ndescription: amounts are integers\ntype: project\n---\n\nMoney is kept as integer cents in every column, not as floats.\n";
    let files: Vec<(&str, &str)> = FILES.iter().copied().chain([("sums.md", twin)]).collect();
    let kit = Kit::with(&files);
    store(&kit).start_review(Start::AsItIs, now()).unwrap();
    propose(&kit, SAME);
    let before = kit.disk();
    let mut stage = stage(&kit, (80, 24));
    stage.press("m").unwrap();
    assert_eq!(Context::of(stage.model()), Context::Nearest);
    let text = stage.text();
    assert!(text.contains("Merge it into which memory?") && text.contains("cents.md"), "{text}");
    assert!(text.contains("sums.md") && text.contains("% alike") && text.contains("merge into it"), "{text}");
    stage.press("<esc>").unwrap();
    assert_eq!((Context::of(stage.model()), waiting(&kit)), (Context::InboxItem, vec!["money.md".into()]));
    let chosen = |stage: &Stage| match &stage.model().mode {
        memcurator::app::model::Mode::Nearest(nearest) => nearest.near[nearest.chosen].0.to_string(),
        other => panic!("{other:?}"),
    };
    stage.press("mk").unwrap();
    let first = chosen(&stage);
    stage.press("j").unwrap();
    let second = chosen(&stage);
    assert_ne!(first, second);
    stage.press("<enter>").unwrap();
    assert_eq!((waiting(&kit), kit.disk()), (vec![second], before));
    stage.press("u").unwrap();
    assert_eq!(waiting(&kit), ["money.md"]);
}

//! Journeys of the Recall screen: keys in, then what shows, and that the disk is as it was.

use crate::checks_kit::{message, text};
use crate::screen_kit::Kit;
use memcurator::app::action::{Action, Mouse};
use memcurator::app::commands::Context;
use memcurator::app::model::Screen;
use memcurator::app::recall::View;
use memcurator::shell::Stage;
use std::time::Duration;

const FILES: &[(&str, &str)] = &[
    (
        "MEMORY.md",
        "- [Tests](integration-tests.md) — real database\n- [Refunds](refunds.md) — two approvals\n",
    ),
    (
        "integration-tests.md",
        "---\nname: integration-tests-real-db\ndescription: Integration tests connect to a real database, never a mock\n\
         type: feedback\n---\n\nIntegration tests connect to a real database.\n\n**Why:** A mocked test passed while the \
         migration failed.\n",
    ),
    (
        "refunds.md",
        "---\nname: Refunds need two approvals\ndescription: Refunds over 500 need a second approval before they are sent\n\
         type: project\n---\n\nA refund over 500 waits for a second person.\n",
    ),
    (
        "gh-usage.md",
        "---\nname: gh usage\ndescription: How the gh command line is used to open pull requests\ntype: reference\n---\n\n\
         gh pr create opens one.\n",
    ),
    (
        "vague.md",
        "---\nname: note-7\ndescription: Something to keep in mind\ntype: project\n---\n\nThe ledger export runs at \
         midnight and locks the accounts table.\n\n**Why:** A nightly export once met a schema migration.\n",
    ),
];

fn kit() -> Kit {
    Kit::with(FILES)
}

/// The screen, on which a query was asked and kept.
fn asked(kit: &Kit, size: (u16, u16), query: &str) -> Stage {
    let mut stage = kit.stage(size);
    stage.press(&format!("6/{}<enter>", query.replace(' ', "<space>"))).unwrap();
    assert_eq!(stage.model().screen, Screen::Recall);
    stage
}

/// The memories that would be picked.
fn picked(stage: &Stage) -> Vec<String> {
    let finder = &stage.model().open().unwrap().finder;
    finder.found.iter().flat_map(|found| found.recall.picked()).map(|it| it.path.to_string()).collect()
}

fn current(stage: &Stage) -> String {
    let finder = &stage.model().open().unwrap().finder;
    finder.current().map(|verdict| verdict.path.to_string()).unwrap_or_default()
}

const TESTS: &str = "how should I write this integration test?";

#[test]
fn three_sizes() {
    let kit = kit();
    for (name, size) in [("80x24", (80, 24)), ("120x40", (120, 40)), ("200x50", (200, 50))] {
        let mut stage = asked(&kit, size, TESTS);
        insta::assert_snapshot!(format!("recall_{name}"), stage.text());
        stage.press("v").unwrap();
        insta::assert_snapshot!(format!("recall_prompt_{name}"), stage.text());
    }
    let mut stage = kit.stage((80, 24));
    stage.press("6").unwrap();
    insta::assert_snapshot!("recall_nothing_asked_80x24", stage.text());
}

#[test]
fn the_answer_follows_each_key_and_says_why() {
    let kit = kit();
    let before = kit.disk();
    let mut stage = kit.stage((120, 40));
    stage.press("6").unwrap();
    assert!(stage.text().contains("such as: how should I write"), "{}", stage.text());
    stage.press("/refund<space>approval").unwrap();
    assert_eq!((Context::of(stage.model()), picked(&stage)), (Context::Query, vec!["refunds.md".into()]));
    stage.press("<space>of<space>600").unwrap();
    let screen = stage.text();
    for part in ["would be picked", "picked, 1st of 4", "matched", "refund", "description", "lacking", "600"]
    {
        assert!(screen.contains(part), "{part}: {screen}");
    }
    stage.press("<c-u>rename<space>this<space>variable").unwrap();
    assert!(picked(&stage).is_empty());
    assert!(
        stage.text().contains("that is an answer") || stage.text().contains("Nothing: no memory"),
        "{}",
        stage.text()
    );
    assert_eq!(kit.disk(), before);
}

#[test]
fn esc_leaves_the_field_then_clears_then_goes() {
    let kit = kit();
    let mut stage = kit.stage((120, 40));
    stage.press("6/refund<space>approvals<esc>").unwrap();
    assert_eq!((Context::of(stage.model()), picked(&stage)), (Context::Recall, vec!["refunds.md".into()]));
    stage.press("<tab>").unwrap();
    assert_eq!(Context::of(stage.model()), Context::Candidate);
    stage.press("<esc>").unwrap();
    assert_eq!(Context::of(stage.model()), Context::Recall);
    stage.press("<esc>").unwrap();
    assert_eq!((stage.model().screen, picked(&stage)), (Screen::Recall, Vec::new()));
    assert!(stage.text().contains("ask one of these"), "what was asked can be asked again: {}", stage.text());
    stage.press("<esc>").unwrap();
    assert_eq!(stage.model().screen, Screen::Memories);
}

#[test]
fn earlier_queries_come_back() {
    let kit = kit();
    let mut stage = asked(&kit, (120, 40), "refund approvals");
    stage.press("/<c-u>gh<space>pull<enter>/<c-u>dr").unwrap();
    let query = |stage: &Stage| stage.model().open().unwrap().finder.query.clone();
    stage.press("<up>").unwrap();
    assert_eq!((query(&stage), picked(&stage)), ("gh pull".into(), vec!["gh-usage.md".into()]));
    stage.press("<up><up><up>").unwrap();
    assert_eq!((query(&stage), picked(&stage)), ("refund approvals".into(), vec!["refunds.md".into()]));
    stage.press("<down><down><down>").unwrap();
    assert_eq!(query(&stage), "dr", "what was typed is still there");
    stage.press("<c-u><esc>").unwrap();
    stage.press("<enter>").unwrap();
    assert_eq!(query(&stage), "gh pull", "the one under the cursor");
}

#[test]
fn filters_are_options() {
    let kit = kit();
    let before = kit.disk();
    let mut stage = asked(&kit, (120, 40), "open a pull request with gh");
    assert_eq!(picked(&stage), ["gh-usage.md"]);
    stage.press("s").unwrap();
    assert!(picked(&stage).is_empty() && stage.text().contains("shown already: 1"), "{}", stage.text());
    assert!(stage.text().contains("left out by filters  1"), "{}", stage.text());
    stage.press("<space>").unwrap();
    assert_eq!(current(&stage), "gh-usage.md", "the cursor is on what is marked");
    stage.press("s").unwrap();
    assert_eq!(picked(&stage), ["gh-usage.md"], "the same key takes it back");
    stage.press("Tgit,<space>gh<enter>").unwrap();
    assert!(picked(&stage).is_empty() && stage.text().contains("tools in use: git, gh"), "{}", stage.text());
    stage.press("T<esc>").unwrap();
    assert!(picked(&stage).is_empty(), "Esc leaves them as they are");
    stage.press("T<c-u><enter>").unwrap();
    assert_eq!((picked(&stage), kit.disk()), (vec!["gh-usage.md".into()], before));
}

#[test]
fn the_prompt_and_what_is_brought_in_are_shown_and_copied() {
    let kit = kit();
    let mut stage = asked(&kit, (120, 60), TESTS);
    stage.press("v").unwrap();
    assert_eq!(stage.model().open().unwrap().finder.view, View::Prompt);
    assert!(stage.text().contains("You choose which memories"), "{}", stage.text());
    stage.press("Y").unwrap();
    assert_eq!(message(&stage), "copied the selector's prompt");
    stage.press("v").unwrap();
    assert!(stage.text().contains("A mocked test passed"), "{}", stage.text());
    stage.press("Y").unwrap();
    assert_eq!(message(&stage), "copied what would be brought in");
    stage.press("vY").unwrap();
    assert_eq!(message(&stage), "copied the path of integration-tests.md");
    // Nothing is picked: nothing is brought in.
    stage.press("/<c-u>weather<enter>vv").unwrap();
    assert!(stage.text().contains("Nothing would be brought in"), "{}", stage.text());
    stage.press("Y").unwrap();
    assert_eq!(message(&stage), "there is nothing to copy");
}

#[test]
fn enter_opens_the_memory_and_esc_and_backspace_come_back() {
    let kit = kit();
    for back in ["<esc>", "<bs>"] {
        let mut stage = asked(&kit, (120, 40), "refund approvals");
        stage.press("<enter>").unwrap();
        assert_eq!(stage.model().screen, Screen::Memories);
        assert!(stage.text().contains("A refund over 500 waits"), "{}", stage.text());
        stage.press(back).unwrap();
        assert_eq!(
            (stage.model().screen, picked(&stage)),
            (Screen::Recall, vec!["refunds.md".into()]),
            "{back}"
        );
    }
}

#[test]
fn what_memories_can_do_works_on_the_one_under_the_cursor() {
    let kit = kit();
    let before = kit.disk();
    let mut stage = asked(&kit, (120, 40), "refund approvals");
    stage.press("d").unwrap();
    assert!(!kit.names().contains(&"refunds.md".to_owned()), "{}", message(&stage));
    assert!(picked(&stage).is_empty() && stage.model().open().unwrap().finder.has_query(), "the query stays");
    stage.press("u").unwrap();
    assert_eq!((kit.disk(), picked(&stage)), (before, vec!["refunds.md".into()]));
    stage.press("e").unwrap();
    assert_eq!(Context::of(stage.model()), Context::Edit);
    stage.press("<esc>").unwrap();
    assert_eq!((stage.model().screen, Context::of(stage.model())), (Screen::Recall, Context::Recall));
}

#[test]
fn on_a_narrow_terminal_one_pane_shows_at_a_time() {
    let kit = kit();
    let mut stage = asked(&kit, (80, 24), TESTS);
    assert!(!stage.text().contains("of what is asked"), "{}", stage.text());
    stage.press("<enter>").unwrap();
    assert_eq!(Context::of(stage.model()), Context::Candidate);
    assert!(stage.text().contains("of what is asked"), "{}", stage.text());
    stage.press("<esc><tab>v").unwrap();
    assert!(stage.text().contains("You choose which memories"), "{}", stage.text());
    stage.press("<esc>").unwrap();
    assert!(stage.text().contains("would be picked  1"), "{}", stage.text());
    // All six screens have their names, and none is written over.
    let tabs = stage.text().lines().nth(1).unwrap().to_owned();
    assert!(tabs.contains("5 Stores") && tabs.contains("6 Recall"), "{tabs}");
    stage.resize((60, 15)).unwrap();
    let tabs = stage.text().lines().nth(1).unwrap().to_owned();
    assert!(tabs.contains("1") && tabs.contains("6 Recall"), "{tabs}");
}

#[test]
fn the_mouse_works() {
    let kit = kit();
    let mut stage = asked(&kit, (120, 40), "which database do the refunds need?");
    let row_of = |stage: &Stage, part: &str| {
        let text = stage.text();
        u16::try_from(text.lines().position(|line| line.contains(part)).unwrap()).unwrap()
    };
    let second = row_of(&stage, "integration-tests-real-db");
    stage.act(Action::Mouse(Mouse::Click(10, second))).unwrap();
    assert_eq!(current(&stage), "integration-tests.md");
    stage.act(Action::Mouse(Mouse::Click(80, 20))).unwrap();
    assert_eq!(Context::of(stage.model()), Context::Candidate);
    stage.act(Action::Mouse(Mouse::Click(20, 3))).unwrap();
    assert_eq!(Context::of(stage.model()), Context::Query, "a click on the query edits it");
    stage.press("<esc>").unwrap();
    stage.act(Action::Mouse(Mouse::DoubleClick(10, second))).unwrap();
    assert_eq!(stage.model().screen, Screen::Memories);
    let tab = stage.text().lines().nth(1).unwrap().find("6 Recall").unwrap();
    stage.act(Action::Mouse(Mouse::Click(u16::try_from(tab).unwrap(), 1))).unwrap();
    assert_eq!(stage.model().screen, Screen::Recall);
}

#[test]
fn empty_stores_say_what_there_is() {
    let kit = Kit::with(&[]);
    let mut stage = kit.stage((80, 24));
    stage.press("6").unwrap();
    assert!(stage.text().contains("There are no memories here"), "{}", stage.text());
    stage.press("/anything<enter>vvv<space>msY<enter>").unwrap();
    let kit = Kit::with(&[("MEMORY.md", "# Index\n")]);
    let mut stage = kit.stage((80, 24));
    stage.press("6").unwrap();
    assert!(stage.text().contains("The index is no candidate"), "{}", stage.text());
}

#[test]
fn hostile_text_and_secrets_do_not_reach_the_screen() {
    let kit = Kit::with(&[(
        "evil.md",
        "---\nname: \"evil \\e[31m \\u202e name\"\ndescription: \"deploy password = hunter2hunter2Zx9 \\e[2J\"\ntype: \"odd\\e[1m\"\n---\n\n\
         Text \u{1b}[31m red \u{202e} and api_key = \"q7Lm2XvN9pRt4Zk8Wb3Yd6Hs1Jc5\"\n",
    )]);
    let mut stage = kit.stage((120, 40));
    stage.press("6/deploy<space>password<space>evil<enter><space>").unwrap();
    for _ in 0..4 {
        let screen = stage.text();
        assert!(!screen.contains('\u{1b}') && !screen.contains('\u{202e}'), "{screen}");
        assert!(
            !screen.contains("q7Lm2XvN9pRt4Zk8Wb3Yd6Hs1Jc5") && !screen.contains("hunter2hunter2Zx9"),
            "{screen}"
        );
        stage.press("v").unwrap();
    }
    stage.act(Action::Paste("/\u{1b}[31m\u{202e}x\n".into())).unwrap();
    stage.press("/").unwrap();
    stage.act(Action::Paste("\u{1b}[31m\u{202e}deploy\n".into())).unwrap();
    assert!(!stage.text().contains('\u{202e}') && stage.text().contains("deploy"), "{}", stage.text());
    stage.press("<enter>D").unwrap();
    assert!(!stage.text().contains('\u{202e}'), "{}", stage.text());
}

#[test]
fn what_others_change_is_asked_again() {
    let kit = kit();
    let mut stage = asked(&kit, (120, 40), "refund approvals");
    stage.watch().unwrap();
    // The thread that watches looks at the store first.
    std::thread::sleep(Duration::from_millis(300));
    let until = std::time::Instant::now();
    kit.write(
        "chargebacks.md",
        0,
        b"---\nname: chargebacks\ndescription: Refunds of chargebacks need an approval\ntype: project\n---\nx\n",
    );
    while picked(&stage).len() < 2 && until.elapsed() < Duration::from_secs(20) {
        stage.wait(Duration::from_millis(500)).unwrap();
    }
    assert_eq!(picked(&stage).len(), 2, "{}", stage.text());
    assert_eq!(stage.model().open().unwrap().finder.query, "refund approvals");
    assert_eq!(current(&stage), "refunds.md", "the cursor stays on its memory");
}

#[test]
fn a_command_that_cannot_act_says_why() {
    let kit = kit();
    let mut stage = kit.stage((120, 40));
    for (keys, why) in [
        ("6v", "ask something first: /"),
        ("s", "ask something first: /"),
        ("/refund<space>approvals<enter>m", "no model command is configured"),
        ("/<c-u>weather<enter>s", "no memory is shown; Space shows the rest"),
    ] {
        stage.press(keys).unwrap();
        assert!(message(&stage).contains(why), "{keys}: {}", message(&stage));
    }
}

#[test]
fn a_description_is_tried_on_queries_and_saved_as_a_correction() {
    let kit = kit();
    kit.write("vague.md", 30, FILES[4].1.as_bytes());
    let before = kit.disk();
    let mut stage = asked(&kit, (120, 40), "when does the ledger export run?");
    assert!(picked(&stage).is_empty());
    stage.press("<space>/<esc>").unwrap();
    while current(&stage) != "vague.md" {
        stage.press("j").unwrap();
    }
    stage.press("D").unwrap();
    let screen = stage.text();
    for part in [
        "when does the ledger export run?",
        "in the store",
        "as typed",
        "of the body's own words",
        "no match",
    ] {
        assert!(screen.contains(part), "{part}: {screen}");
    }
    stage.press("<c-u>The<space>ledger<space>export<space>runs<space>at<space>midnight").unwrap();
    assert!(stage.text().contains("1st picked ↑"), "{}", stage.text());
    assert!(stage.text().contains("correction: its age stays"), "{}", stage.text());
    assert_eq!(kit.disk(), before, "nothing is written before it is saved");
    stage.press("<c-s>").unwrap();
    assert_eq!(
        text(&kit, "vague.md"),
        FILES[4].1.replace("Something to keep in mind", "The ledger export runs at midnight")
    );
    assert_eq!((stage.model().screen, picked(&stage)), (Screen::Recall, vec!["vague.md".into()]));
    let age =
        stage.model().open().unwrap().contents.entries.iter().find(|it| it.path.to_string() == "vague.md");
    assert_eq!(age.and_then(|it| it.age).map(|age| age.days), Some(30), "its age stays");
    stage.press("u").unwrap();
    assert_eq!((kit.disk(), picked(&stage)), (before, Vec::new()));
}

#[test]
fn leaving_a_description_asks_what_becomes_of_what_was_typed() {
    let kit = kit();
    let before = kit.disk();
    let open = || {
        let mut stage = asked(&kit, (80, 24), "refund approvals");
        stage.press("D").unwrap();
        stage
    };
    let mut stage = open();
    stage.press("<esc>").unwrap();
    assert_eq!(Context::of(stage.model()), Context::Recall, "nothing was typed");
    stage.press("DX<esc>").unwrap();
    assert_eq!(Context::of(stage.model()), Context::EditLeave);
    stage.press("<esc>").unwrap();
    assert_eq!(Context::of(stage.model()), Context::Edit, "stay");
    stage.press("<esc>d").unwrap();
    assert_eq!((Context::of(stage.model()), kit.disk()), (Context::Recall, before.clone()), "discard");
    stage.press("DX<esc>s").unwrap();
    assert!(text(&kit, "refunds.md").contains("before they are sentX"), "{}", message(&stage));
    stage.press("u").unwrap();
    assert_eq!(kit.disk(), before);
}

#[test]
fn one_more_query_can_be_tried_and_stays() {
    let kit = kit();
    let mut stage = kit.stage((120, 40));
    stage.press("/Refunds<enter><esc>D").unwrap();
    assert!(stage.text().contains("of the body's own words"), "{}", stage.text());
    stage.press("<a-a>who<space>approves<space>a<space>refund<enter>").unwrap();
    assert!(stage.text().contains("who approves a refund"), "{}", stage.text());
    assert_eq!(Context::of(stage.model()), Context::Edit);
    stage.press("<a-a>x<esc>").unwrap();
    assert!(!stage.text().lines().any(|line| line.trim() == "x"), "{}", stage.text());
    stage.press("<esc>6").unwrap();
    assert!(stage.text().contains("who approves a refund"), "it can be asked here too: {}", stage.text());
}

#[test]
fn someone_else_changing_the_memory_meanwhile_is_the_editors_conflict() {
    let kit = kit();
    let mut stage = asked(&kit, (120, 40), "refund approvals");
    stage.press("D<c-u>Mine").unwrap();
    let theirs = FILES[2].1.replace("Refunds over 500 need a second approval before they are sent", "Theirs");
    kit.write("refunds.md", 0, theirs.as_bytes());
    stage.press("<c-s>").unwrap();
    assert_eq!(Context::of(stage.model()), Context::Conflict, "{}", stage.text());
    assert_eq!(text(&kit, "refunds.md"), theirs, "theirs stands");
    stage.press("m<enter><c-s>").unwrap();
    assert!(text(&kit, "refunds.md").contains("description: Mine"), "{}", message(&stage));
}

#[test]
fn a_description_in_two_sizes() {
    let kit = kit();
    for (name, size) in [("80x24", (80, 24)), ("120x40", (120, 40))] {
        let mut stage = asked(&kit, size, "when does the ledger export run?");
        stage.press("<space>G").unwrap();
        assert_eq!(current(&stage), "vague.md");
        stage.press("D<c-u>The<space>ledger<space>export<space>runs<space>at<space>midnight").unwrap();
        insta::assert_snapshot!(format!("describe_{name}"), stage.text());
    }
}

#[test]
fn a_description_is_found_from_memories_the_palette_and_a_finding() {
    let kit = kit();
    let mut stage = kit.stage((120, 40));
    for keys in ["D", ":find-better<enter>"] {
        stage.press(keys).unwrap();
        assert!(
            stage.text().contains("of the body's own words") || stage.text().contains("as typed"),
            "{}",
            stage.text()
        );
        stage.press("<esc>").unwrap();
        assert_eq!(stage.model().screen, Screen::Memories);
    }
    // Of the index there is no description, and that is said.
    let kit = Kit::with(&[("MEMORY.md", "# Index\n")]);
    let mut stage = kit.stage((120, 40));
    stage.press("D").unwrap();
    assert!(message(&stage).contains("the index follows by itself"), "{}", message(&stage));
}

#[test]
fn without_colours_it_reads_as_well() {
    use ratatui::style::{Color, Modifier};
    let kit = kit();
    let mut stage = Stage::open(&kit.session("mono"), (120, 40)).unwrap();
    stage.press("6/refund<space>approvals<enter>").unwrap();
    let buffer = stage.buffer();
    assert!(buffer.content.iter().all(|cell| (cell.fg, cell.bg) == (Color::Reset, Color::Reset)));
    assert!(buffer.content.iter().any(|cell| cell.modifier.contains(Modifier::REVERSED)), "the cursor shows");
    assert!(stage.text().contains("today") && stage.text().contains('█'), "{}", stage.text());
}

#[test]
fn wide_and_long_queries_stay_in_the_field() {
    let kit = kit();
    let mut stage = kit.stage((80, 24));
    stage.press("6/").unwrap();
    stage.act(Action::Paste("宽字符 e\u{301} ".repeat(40))).unwrap();
    let line = stage.text().lines().nth(3).unwrap().to_owned();
    assert!(line.starts_with(" ask  …") && memcurator::ui::text::width(&line) <= 80, "{line}");
    stage.press("<enter>").unwrap();
    let line = stage.text().lines().nth(3).unwrap().to_owned();
    assert!(line.contains('…') && memcurator::ui::text::width(&line) <= 80, "{line}");
}

#[test]
fn the_proposed_description_can_be_taken() {
    let kit = kit();
    let before = kit.disk();
    let mut stage = kit.stage((120, 40));
    stage.press("/note-7<enter><esc>D").unwrap();
    assert!(
        stage.text().contains("proposed (Alt-t)  The ledger export runs at midnight"),
        "{}",
        stage.text()
    );
    stage.press("<a-t>").unwrap();
    assert!(
        stage.text().contains("picked ↑") && message(&stage).contains("nothing is written"),
        "{}",
        stage.text()
    );
    assert_eq!(kit.disk(), before);
    stage.press("<c-s>").unwrap();
    assert!(
        text(&kit, "vague.md").contains("description: The ledger export runs at midnight"),
        "{}",
        message(&stage)
    );
    // Of what is found already there is no better one.
    stage.press("/approvals<enter><esc>D<a-t>").unwrap();
    assert!(message(&stage).contains("no proposal that is better"), "{} {}", message(&stage), stage.text());
}

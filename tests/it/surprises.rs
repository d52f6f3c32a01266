//! What surprised a new user, each as a journey.

use crate::screen_kit::Kit;
use memcurator::shell::Stage;

fn message(stage: &Stage) -> String {
    stage.model().message.as_ref().map(|message| message.text.clone()).unwrap_or_default()
}

/// Where nothing is seen, nothing is done.
#[test]
fn keys_do_nothing_on_a_terminal_that_is_too_small() {
    let kit = Kit::new();
    let before = kit.names();
    let mut stage = kit.stage((50, 10));
    assert!(stage.text().contains("needs 60 columns"), "{}", stage.text());
    stage.press("*dyj<space>p/x<enter>").unwrap();
    stage.resize((80, 24)).unwrap();
    assert_eq!(kit.names(), before);
    assert!(stage.model().open().unwrap().list.marks.is_empty());
    stage.resize((50, 10)).unwrap();
    stage.press("q").unwrap();
    assert!(stage.has_left());
}

/// `p` on marks parks what is in the index and, pressed again, puts just that back.
#[test]
fn park_on_mixed_marks_is_taken_back_by_the_same_key() {
    let kit = Kit::new();
    kit.write("lonely.md", 5, b"---\nname: lonely\ndescription: d\ntype: user\n---\nx\n");
    let index = kit.index();
    let mut stage = kit.stage((120, 40));
    stage.press("/lonely<enter><space><esc>/Editor<enter><space><esc>p").unwrap();
    assert!(message(&stage).starts_with("parked Editor"), "{}", message(&stage));
    assert_ne!(kit.index(), index);
    stage.press("p").unwrap();
    assert_eq!(kit.index(), index, "{}", message(&stage));
}

/// Several memories of one name are told apart by their files.
#[test]
fn the_question_names_the_files_of_namesakes() {
    let kit = Kit::new();
    for file in ["one.md", "two.md"] {
        kit.write(file, 5, b"---\nname: twin\ndescription: d\ntype: user\n---\nx\n");
    }
    let mut stage = kit.stage((120, 40));
    stage.press("/twin<enter>*d").unwrap();
    let text = stage.text();
    assert!(text.contains("twin (one.md)") && text.contains("twin (two.md)"), "{text}");
}

/// The end of a message says what was left untouched and how to take it back: it is never cut.
#[test]
fn a_long_message_is_shown_whole() {
    let kit = Kit::new();
    let name = "a name that is rather long, as names of memories sometimes are, and goes on";
    kit.write("long.md", 5, format!("---\nname: {name}\ndescription: d\ntype: user\n---\nx\n").as_bytes());
    let mut stage = kit.stage((80, 24));
    stage.press("/rather<enter>d").unwrap();
    let text = stage.text();
    assert!(text.contains("u undoes"), "{text}");
    stage.press("<esc>").unwrap();
    assert!(!stage.text().contains("u undoes"), "{}", stage.text());
}

/// After a deletion in the text over the whole width the next memory is not deleted unread.
#[test]
fn deleting_in_the_text_goes_back_to_the_list() {
    let kit = Kit::new();
    let count = kit.names().len();
    let mut stage = kit.stage((80, 24));
    stage.press("/Dashboards<enter><enter>d").unwrap();
    assert_eq!(kit.names().len(), count - 1);
    assert!(
        stage.text().contains("worth a look") || stage.text().contains("Nothing matches"),
        "{}",
        stage.text()
    );
}

/// A window over the half of a wide character keeps its border.
#[test]
fn windows_keep_their_border_beside_wide_characters() {
    let kit = Kit::new();
    for n in 0..30 {
        let name = format!("{}中文字中文字中文字中文字", ".".repeat(n % 3));
        let text = format!("---\nname: {name}\ndescription: 中文字中文字中文字\ntype: user\n---\nx\n");
        kit.write(&format!("w{n}.md"), 5, text.as_bytes());
    }
    let mut stage = kit.stage((80, 24));
    stage.press(":").unwrap();
    let buffer = stage.buffer();
    let top = (0..24).find(|y| (0..80).any(|x| buffer[(x, *y)].symbol() == "╭")).unwrap();
    let left = (0..80).find(|x| buffer[(*x, top)].symbol() == "╭").unwrap();
    for y in top + 1..24 {
        match buffer[(left, y)].symbol() {
            "╰" => break,
            symbol => assert_eq!(symbol, "│", "row {y}:\n{}", stage.text()),
        }
        assert!(left == 0 || memcurator::ui::text::width(buffer[(left - 1, y)].symbol()) < 2, "row {y}");
    }
}

/// `/` filters the stores too; what is typed is never taken for commands.
#[test]
fn stores_are_filtered_by_their_names() {
    let kit = Kit::new();
    let mut stage = Stage::open(&kit.stores_session(), (100, 30)).unwrap();
    assert!(stage.text().contains("src-empty"));
    stage.press("/PAY").unwrap();
    let text = stage.text();
    assert!(text.contains("/ PAY") && text.contains("src-payments") && !text.contains("src-empty"), "{text}");
    stage.press("zz").unwrap();
    assert!(stage.text().contains("Nothing matches"), "{}", stage.text());
    stage.press("<esc>").unwrap();
    assert!(stage.text().contains("src-empty"));
    stage.press("/src<space>pay<enter><enter>").unwrap();
    assert_eq!(stage.model().dir(), Some(kit.store().as_path()));
}

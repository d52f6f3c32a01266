//! A model command that picks beside the offline ranker: asked only on a key, its answer validated.

use crate::checks_kit::message;
use crate::screen_kit::Kit;
use memcurator::app::model::Mode;
use memcurator::app::recall::Picking;
use memcurator::config::Model;
use memcurator::shell::Stage;
use std::fs;
use std::os::unix::fs::PermissionsExt;

const FILES: &[(&str, &str)] = &[
    (
        "refunds.md",
        "---\nname: refunds\ndescription: Refunds over 500 need a second approval\ntype: project\n---\nx\n",
    ),
    ("tea.md", "---\nname: tea\ndescription: Tea in the afternoon\ntype: user\n---\nx\n"),
];

/// A stage whose configuration names a script that notes each call and answers so.
fn stage(kit: &Kit, answer: &str) -> Stage {
    let script = kit.dir.path().join("model.sh");
    let calls = kit.dir.path().join("calls");
    let text = format!("#!/bin/sh\ncat > '{}'\n{answer}\n", calls.display());
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o700)).unwrap();
    let mut session = kit.session("");
    session.recall = Model { command: script.display().to_string(), timeout: 30 };
    let mut stage = Stage::open(&session, (120, 40)).unwrap();
    stage.press("6/refund<space>approval<enter>").unwrap();
    stage
}

fn asked(kit: &Kit) -> Option<String> {
    fs::read_to_string(kit.dir.path().join("calls")).ok()
}

#[test]
fn it_is_asked_only_on_a_key_and_with_a_yes() {
    let kit = Kit::with(FILES);
    let before = kit.disk();
    let mut stage = stage(&kit, r#"echo '{"files": ["tea.md", "refunds.md", "gone.md"]}'"#);
    assert_eq!(asked(&kit), None, "typing and keeping a query asks nobody");
    for no in ["n", "<esc>"] {
        stage.press("m").unwrap();
        assert!(matches!(stage.model().mode, Mode::Question(_)), "{}", stage.text());
        assert!(stage.text().contains("the names and descriptions of 2 memories"), "{}", stage.text());
        stage.press(no).unwrap();
        assert_eq!((asked(&kit), &stage.model().mode), (None, &Mode::Browse));
    }
    stage.press("my").unwrap();
    let prompt = asked(&kit).unwrap();
    assert!(
        prompt.contains("refunds.md (project") && prompt.contains("<query>\nrefund approval"),
        "{prompt}"
    );
    assert_eq!(message(&stage), "the model picks 2; 1 of its answer refused");
    let screen = stage.text();
    for part in [
        "picked offline and by the model  1",
        "picked by the model alone  1",
        "m2",
        "refused of its answer: gone.md",
    ] {
        assert!(screen.contains(part), "{part}: {screen}");
    }
    insta::assert_snapshot!("recall_model_120x40", screen);
    // Its pick is what would be brought in; an answer to another query is not taken for this one.
    stage.press("vv").unwrap();
    assert!(stage.text().contains("the model's pick"), "{}", stage.text());
    stage.press("/s<enter>v").unwrap();
    assert!(!stage.text().contains("by the model"), "{}", stage.text());
    fs::remove_file(kit.dir.path().join("calls")).unwrap();
    stage.press("m").unwrap();
    assert!(asked(&kit).is_some(), "it was allowed");
    let again = Stage::open(
        &{
            let mut it = kit.session("");
            it.recall = Model { command: kit.dir.path().join("model.sh").display().to_string(), timeout: 30 };
            it
        },
        (80, 24),
    )
    .unwrap();
    assert!(matches!(again.model().recall.picking, Picking::Allowed(_)), "also in the next session");
    assert_eq!(kit.disk(), before);
}

#[test]
fn what_goes_wrong_is_said_and_the_offline_pick_stands() {
    for (answer, said) in [
        ("echo no idea", "could not be read, twice"),
        ("echo 'no such model' >&2; exit 3", "no such model"),
        (r"printf '\033[31m evil'", "could not be read, twice"),
    ] {
        let kit = Kit::with(FILES);
        let mut stage = stage(&kit, answer);
        stage.press("my").unwrap();
        assert!(message(&stage).contains(said), "{}", message(&stage));
        assert!(
            !stage.text().contains('\u{1b}') && stage.text().contains("would be picked  1"),
            "{}",
            stage.text()
        );
    }
}

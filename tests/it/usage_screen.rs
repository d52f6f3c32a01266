//! What sessions read, as the Memories page tells it.

use crate::screen_kit::Kit;
use crate::transcript_kit::Talk;
use memcurator::shell::{Session, Stage};
use serde_json::json;

/// The screens of a store that the client uses, with the transcript of a session (of March 4, before the time on the
/// screens) in which a memory was read.
fn session(kit: &Kit) -> Session {
    let mut session = kit.session("");
    let override_name = "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE";
    session.env.vars.insert(override_name.into(), kit.store().display().to_string());
    let cwd = kit.dir.path().join("home/work");
    std::fs::create_dir_all(&cwd).unwrap();
    let mut talk = Talk::at(&kit.dir.path().join("home/.claude/projects/x/s1.jsonl"), "s1", &cwd);
    talk.user("look").call("t", "Read", json!({ "file_path": kit.store().join("small-commits.md") }));
    talk.result("t", false, None);
    session
}

#[test]
fn a_memory_says_when_it_was_recalled_and_unused_ones_are_found() {
    let kit = Kit::new();
    // Last changed before the session, so that it could have been read.
    kit.write("bare.md", 400, b"No frontmatter at all.\n");
    let before = kit.disk();
    let mut stage = Stage::open(&session(&kit), (120, 40)).unwrap();
    let current = |stage: &Stage| stage.model().current().map(|entry| entry.path.to_string());
    stage.press("/prefer-small<enter>").unwrap();
    assert!(stage.text().contains("last recalled 271 days ago · once"), "{}", stage.text());
    stage.press("<esc>/flag:unused<enter>").unwrap();
    assert_eq!(current(&stage).as_deref(), Some("bare.md"), "{}", stage.text());
    assert!(stage.text().contains("never recalled in 1 session since it changed"), "{}", stage.text());
    stage.press("<esc>/user_editor<enter>").unwrap();
    assert!(
        stage.text().contains("not recalled: no session is recorded since it changed"),
        "{}",
        stage.text()
    );
    // It stays with what is done and undone.
    stage.press("<esc>/prefer-small<enter>du").unwrap();
    assert!(stage.text().contains("last recalled 271 days ago"), "{}", stage.text());
    assert_eq!(kit.disk(), before);
}

#[test]
fn without_a_recorded_session_nothing_is_said() {
    let kit = Kit::new();
    let stage = kit.stage((120, 40));
    assert!(!stage.text().contains("recalled"), "{}", stage.text());
}

use super::*;
use crate::review::plan::FileState;
use crate::review::rename::tests::{files, store};

fn target(path: &str, before: Option<&str>, after: &str) -> OutsideChange {
    let state =
        |text: &str| FileState { content: Content::File(text.as_bytes().into()), mode: 0o644, mtime: None };
    OutsideChange { path: path.into(), before: before.map(state), after: state(after) }
}

#[test]
fn the_text_moves_in_one_step() {
    let store = store(&[("a.md", "text"), ("b.md", "[[a]]"), ("MEMORY.md", "- [a](a.md)\n- [b](b.md)\n")]);
    let path = RelPath::new("a.md").unwrap();
    let outside = target("/project/CLAUDE.md", Some("# Rules\n"), "# Rules\n\n- text\n");
    let plan = promote(&store, &[], &path, outside.clone()).unwrap();
    assert_eq!(plan.outside, [outside]);
    assert_eq!(plan.verb, Verb::Promote);
    let left: Vec<_> = files(&store, &plan).into_iter().map(|(path, text, _)| (path, text)).collect();
    assert_eq!(left, [("MEMORY.md".into(), "- [b](b.md)\n".into()), ("b.md".into(), "[[a]]".into())]);
    assert_eq!(plan.warnings, ["1 other memory links to it; that link will lead nowhere"]);
    assert!(promote(&store, &[], &path, target("/home/.claude/rules/a.md", None, "text")).is_ok());
}

#[test]
fn what_can_not_be_promoted() {
    let store = store(&[("a.md", "text")]);
    let path = RelPath::new("a.md").unwrap();
    for (to, before, after) in [
        ("CLAUDE.md", None, "x"),
        ("/store/CLAUDE.md", None, "x"),
        ("/project/../store/CLAUDE.md", None, "x"),
        ("/project/CLAUDE.md", Some("x"), "x"),
        ("/project/CLAUDE.md", Some("x"), " \n"),
    ] {
        assert!(promote(&store, &[], &path, target(to, before, after)).is_err(), "{to} {after:?}");
    }
    let mut link = target("/project/CLAUDE.md", None, "x");
    link.before = Some(FileState { content: Content::Link("AGENTS.md".into()), mode: 0o777, mtime: None });
    assert!(promote(&store, &[], &path, link).is_err());
    assert!(promote(&store, &[], &RelPath::new("b.md").unwrap(), target("/p/CLAUDE.md", None, "x")).is_err());
}

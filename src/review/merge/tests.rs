use super::*;
use crate::review::rename::tests::{file, files, store};

fn path(path: &str) -> RelPath {
    RelPath::new(path).unwrap()
}

const NOW: &str = "2026-03-05T10:00:00Z";
const KEEP: &str =
    "---\nname: Keep\ndescription: what is kept\ntype: project\nupdatedAt: 2025-01-01\n---\n\nold\n";
const INDEX: &str = "- [Keep](keep.md) — k\n- [One](one.md) — o\n- [Else](else.md)\n- [Two](sub/two.md)\n";

#[test]
fn the_others_go_and_their_links_lead_to_the_kept_one() {
    let before = "[[one]] [[One name|x]] [a](sub/two.md) [[two]] [[else]]";
    let store = store(&[
        ("else.md", before),
        ("keep.md", KEEP),
        ("one.md", "---\nname: One name\n---\nSee [[keep]] and [[two]].\n"),
        ("sub/deep.md", "[b](two.md) [c](../one.md)"),
        ("sub/two.md", "two"),
        ("MEMORY.md", INDEX),
    ]);
    let merged = KEEP.replace("old", "old and new, see [[one]]");
    let others = [path("one.md"), path("sub/two.md"), path("keep.md")];
    let plan =
        merge(&store, &[], &path("keep.md"), &others, merged.as_bytes(), NOW.parse().unwrap()).unwrap();
    let later = Some("2025-01-01T00:00:00.501Z".parse().unwrap());
    let kept = merged.replace("[[one]]", "[[keep]]").replace("2025-01-01", "2026-03-05");
    let expected = [
        ("MEMORY.md", "- [Keep](keep.md) — k\n- [Else](else.md)\n", None),
        ("else.md", "[[keep]] [[Keep|x]] [a](keep.md) [[keep]] [[else]]", later),
        ("keep.md", kept.as_str(), None),
        ("sub/deep.md", "[b](../keep.md) [c](../keep.md)", later),
    ];
    let expected: Vec<_> = expected.into_iter().map(|(p, t, m)| (p.to_owned(), t.to_owned(), m)).collect();
    assert_eq!(files(&store, &plan), expected);
    assert!(plan.warnings.is_empty(), "{:?}", plan.warnings);
    assert_eq!(plan.message, "merged 2 memories into Keep");
}

#[test]
fn the_kept_one_gets_a_line_when_only_the_others_had_one() {
    let index = "- [One](one.md) — o\n";
    let files = [("keep.md", KEEP), ("one.md", "x"), ("MEMORY.md", index)];
    let store = store(&files);
    let one = [path("one.md")];
    let plan = merge(&store, &[], &path("keep.md"), &one, KEEP.as_bytes(), NOW.parse().unwrap()).unwrap();
    assert!(file(&store, &plan, "MEMORY.md").contains("(keep.md)"));
    // The kept text is as it was: the file is not touched.
    assert!(plan.changes.iter().all(|change| change.path != path("keep.md")));
    let parked = ParkedLine {
        path: "keep.md".into(),
        text: "- [Keep](keep.md)".into(),
        section: None,
        before: None,
        after: None,
        instead: None,
        line: 0,
        end: "\n".into(),
    };
    let gone = ParkedLine { path: "one.md".into(), ..parked.clone() };
    let lines = [parked.clone(), gone];
    let plan = merge(&store, &lines, &path("keep.md"), &one, KEEP.as_bytes(), NOW.parse().unwrap()).unwrap();
    assert!(!file(&store, &plan, "MEMORY.md").contains("keep.md"), "what is parked stays parked");
    assert_eq!(plan.parked.unwrap().apply(&lines), [parked]);
}

#[test]
fn what_can_not_be_merged() {
    let store = store(&[("keep.md", KEEP), ("one.md", "x")]);
    let now = NOW.parse().unwrap();
    let keep = path("keep.md");
    assert!(merge(&store, &[], &keep, &[], b"x", now).is_err());
    assert!(merge(&store, &[], &keep, std::slice::from_ref(&keep), b"x", now).is_err());
    assert!(merge(&store, &[], &keep, &[path("gone.md")], b"x", now).is_err());
    assert!(merge(&store, &[], &path("gone.md"), &[path("one.md")], b"x", now).is_err());
}

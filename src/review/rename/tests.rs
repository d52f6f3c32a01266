use super::*;
use crate::memory::Time;
use crate::memory::document::Document;
use crate::memory::snapshot::{IndexFile, Stat};
use std::sync::Arc;

fn stat() -> Stat {
    Stat { mtime: "2025-01-01T00:00:00.5Z".parse().unwrap(), mode: 0o640, link: None }
}

/// A store of these files; `MEMORY.md` is its index.
pub(in crate::review) fn store(files: &[(&str, &str)]) -> Snapshot {
    let mut snapshot = Snapshot { root: "/store".into(), ..Snapshot::default() };
    for (path, text) in files {
        let bytes: Arc<[u8]> = text.as_bytes().into();
        if *path == "MEMORY.md" {
            snapshot.index = Some(Arc::new(IndexFile { index: Index::parse(&bytes), bytes, stat: stat() }));
            continue;
        }
        let document = Document::parse(&bytes);
        let path = RelPath::new(path).unwrap();
        snapshot.memories.push(Arc::new(Memory { path, bytes, document, stat: stat() }));
    }
    snapshot
}

/// The store's files after a plan, with the times that are set; checks that the plan fits the store.
pub(in crate::review) fn files(snapshot: &Snapshot, plan: &Plan) -> Vec<(String, String, Option<Time>)> {
    let mut files: Vec<(String, Arc<[u8]>, Option<Time>)> = snapshot
        .memories
        .iter()
        .map(|m| (m.path.to_string(), Arc::clone(&m.bytes), Some(m.stat.mtime)))
        .chain(snapshot.index.iter().map(|i| ("MEMORY.md".into(), Arc::clone(&i.bytes), Some(i.stat.mtime))))
        .collect();
    for change in &plan.changes {
        let at = files.iter().position(|(path, ..)| *path == change.path.to_string());
        match (&change.before, at) {
            (Some(before), Some(at)) => {
                assert_eq!(before.content, Content::File(Arc::clone(&files[at].1)));
                files.remove(at);
            }
            (None, None) => {}
            other => panic!("{} does not fit the store: {other:?}", change.path),
        }
        if let Some(FileState { content: Content::File(bytes), mtime, mode }) = &change.after {
            assert!(change.before.as_ref().is_none_or(|before| before.mode == *mode));
            files.push((change.path.to_string(), Arc::clone(bytes), *mtime));
        }
    }
    files.sort();
    files
        .into_iter()
        .map(|(path, bytes, mtime)| (path, String::from_utf8(bytes.to_vec()).unwrap(), mtime))
        .collect()
}

/// The text of one file after a plan.
pub(in crate::review) fn file(snapshot: &Snapshot, plan: &Plan, path: &str) -> String {
    let found = files(snapshot, plan).into_iter().find(|(p, ..)| p == path);
    found.unwrap_or_else(|| panic!("{path} is gone")).1
}

fn to(file: &str, name: &str) -> NewName {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    NewName { file: some(file), name: some(name) }
}

const OLD: &str = "---\nname: Old name\ndescription: d\n---\n\nSee [[old]] and itself.\n";

fn path(path: &str) -> RelPath {
    RelPath::new(path).unwrap()
}

#[test]
fn the_links_of_every_form_follow_and_nothing_else() {
    let before = "a [[old]] b [[old|shown]] [[old#Why]] [[Old name]] [[ old ]] [x](old.md) [y](./old.md#why \"t\")\n\
        [r][ref] <b> [[other]] `[[old]]` [[old.md]] ![[old]]\n\n```\n[[old]]\n```\n[ref]: old.md\n";
    let after = "a [[new]] b [[new|shown]] [[new#Why]] [[New name]] [[ new ]] [x](new.md) [y](./new.md#why \"t\")\n\
        [r][ref] <b> [[other]] `[[old]]` [[new.md]] ![[old]]\n\n```\n[[old]]\n```\n[ref]: new.md\n";
    let index = "# Index\n\n- [Old name](old.md) — old name, old.md\n- [old](old.md)\n- [old.md](old.md) x\n- [other words](old.md)\n- [Other](other.md)\n";
    let new_index = "# Index\n\n- [New name](new.md) — old name, old.md\n- [new](new.md)\n- [new.md](new.md) x\n- [other words](new.md)\n- [Other](other.md)\n";
    let store = store(&[("a.md", before), ("old.md", OLD), ("other.md", "no links"), ("MEMORY.md", index)]);
    let plan = rename(&store, &[], &path("old.md"), &to("new", "New name")).unwrap();
    let later = Some("2025-01-01T00:00:00.501Z".parse().unwrap());
    let same = Some(stat().mtime);
    let expected = [
        ("MEMORY.md", new_index, None),
        // An embedded `![[old]]` is no link to Markdown; it stays.
        ("a.md", after, later),
        ("new.md", &OLD.replace("Old name", "New name").replace("[[old]]", "[[new]]"), later),
        ("other.md", "no links", same),
    ];
    let expected: Vec<_> = expected.into_iter().map(|(p, t, m)| (p.to_owned(), t.to_owned(), m)).collect();
    assert_eq!(files(&store, &plan), expected);
    assert_eq!(plan.verb, Verb::Rename);
    assert!(plan.warnings.is_empty(), "{:?}", plan.warnings);
}

#[test]
fn only_what_is_asked_changes() {
    let index = "- [Old name](old.md) — hook\n";
    let store = store(&[("a.md", "[[Old name]] [[old]]"), ("old.md", OLD), ("MEMORY.md", index)]);
    let file_only = rename(&store, &[], &path("old.md"), &to("new.md", "")).unwrap();
    assert_eq!(file(&store, &file_only, "a.md"), "[[Old name]] [[new]]");
    assert_eq!(file(&store, &file_only, "MEMORY.md"), "- [Old name](new.md) — hook\n");
    let name_only = rename(&store, &[], &path("old.md"), &to("", "New: name")).unwrap();
    assert_eq!(file(&store, &name_only, "a.md"), "[[New: name]] [[old]]");
    assert_eq!(file(&store, &name_only, "MEMORY.md"), "- [New: name](old.md) — hook\n");
    assert!(file(&store, &name_only, "old.md").starts_with("---\nname: \"New: name\"\n"));
}

#[test]
fn directories_and_encodings_stay() {
    let store = store(&[
        ("a.md", "[x](sub/my%20old.md) [z](<sub/my old.md>) [[sub/my old]] [[my old]]"),
        ("sub/b.md", "[x](my%20old.md) [y](../sub/my%20old.md)"),
        ("sub/my old.md", "text"),
        ("MEMORY.md", "* [my old](sub/my%20old.md): hook\n| [my old](sub/my%20old.md) | x |\n"),
    ]);
    let plan = rename(&store, &[], &path("sub/my old.md"), &to("new", "")).unwrap();
    assert_eq!(file(&store, &plan, "a.md"), "[x](sub/new.md) [z](<sub/new.md>) [[sub/new]] [[new]]");
    assert_eq!(file(&store, &plan, "sub/b.md"), "[x](new.md) [y](../sub/new.md)");
    assert!(file(&store, &plan, "MEMORY.md").starts_with("* [new](sub/new.md): hook\n"));
    assert_eq!(file(&store, &plan, "sub/new.md"), "text");
}

#[test]
fn a_parked_line_follows() {
    let line = ParkedLine {
        path: "old.md".into(),
        text: "- [Old name](old.md) — hook".into(),
        section: None,
        before: None,
        after: None,
        instead: None,
        line: 0,
        end: "\n".into(),
    };
    let store = store(&[("old.md", OLD), ("b.md", "x")]);
    let other = ParkedLine { path: "b.md".into(), ..line.clone() };
    let plan = rename(&store, &[line.clone(), other.clone()], &path("old.md"), &to("new", "New")).unwrap();
    let parked = plan.parked.unwrap().apply(&[line, other.clone()]);
    assert_eq!((parked[0].path.as_str(), parked[0].text.as_str()), ("new.md", "- [New](new.md) — hook"));
    assert_eq!(parked[1], other);
    assert_eq!(rename(&store, &[other], &path("old.md"), &to("new", "")).unwrap().parked, None);
}

#[test]
fn what_can_not_be_renamed() {
    let store = store(&[("old.md", OLD), ("Taken.md", "x"), ("c.md", "[[old]]")]);
    let refused =
        |file: &str, name: &str| rename(&store, &[], &path("old.md"), &to(file, name)).unwrap_err().what;
    assert!(refused("taken", "").contains("Taken.md"));
    assert!(refused("OLD", "").contains("letter case"));
    assert!(refused("memory", "").contains("index"));
    assert!(refused("old", "").contains("already"));
    assert!(refused("", "Old name").contains("already"));
    for bad in ["../x", "a/b", ".hidden", "a b", "a[b", "\u{1b}[31m", " ", &"x".repeat(300)] {
        assert!(refused(bad, "").contains("file name"), "{bad}");
    }
    assert!(rename(&store, &[], &path("gone.md"), &to("x", "")).is_err());
}

#[test]
fn a_link_that_would_lead_elsewhere_is_told() {
    // `new` is how the third calls the second, by its name.
    let store = store(&[("old.md", "x"), ("b.md", "---\nname: new\n---\n"), ("c.md", "[[new]]")]);
    let plan = rename(&store, &[], &path("old.md"), &to("new", "")).unwrap();
    assert_eq!(plan.warnings.len(), 1, "{:?}", plan.warnings);
    assert!(plan.warnings[0].contains("elsewhere"));
}

#[test]
fn slugs_are_ascii() {
    for (name, expected) in [
        ("Refunds need two approvals", Some("refunds-need-two-approvals")),
        ("  A/B: tests & “more” ", Some("a-b-tests-more")),
        ("Café del mar", Some("caf-del-mar")),
        ("設計の決まり", None),
        ("--- !", None),
    ] {
        assert_eq!(slug(name).as_deref(), expected, "{name}");
    }
    assert!(slug(&"word ".repeat(50)).unwrap().len() <= 60);
    assert_eq!(slug(&"x".repeat(500)).unwrap().len(), 200);
}

#[test]
fn the_file_follows_the_name_when_it_was_called_after_it() {
    for (path, name, new, file) in [
        ("deploy-script.md", "Deploy script", "Deploy tool", "deploy-tool"),
        ("deploy_script.md", "Deploy script", "Deploy tool", "deploy_tool"),
        ("feedback_deploy_script.md", "Deploy script", "Deploy tool", "feedback_deploy_tool"),
        ("project_refunds.md", "Refunds need two approvals", "Refunds", "project_refunds"),
        ("deploy-script.md", "deploy-script", "이유", "deploy-script"),
    ] {
        let text = format!("---\nname: {name}\ntype: feedback\n---\n");
        let store = store(&[(path, &text)]);
        assert_eq!(super::file_for(&store.memories[0], new), file, "{path}");
        assert_eq!(super::file_for(&store.memories[0], name), path.trim_end_matches(".md"));
    }
}

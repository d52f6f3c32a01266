//! Links as bodies have them.

use super::*;
use crate::memory::Time;
use crate::memory::document::Document;
use crate::memory::snapshot::{Memory, Stat};
use std::sync::Arc;

fn memory(path: &str, text: &str) -> Arc<Memory> {
    let stat = Stat { mtime: Time::UNIX_EPOCH, mode: 0o644, link: None };
    let document = Document::parse(text.as_bytes());
    Arc::new(Memory { path: RelPath::new(path).unwrap(), bytes: text.as_bytes().into(), document, stat })
}

fn store(files: &[(&str, &str)]) -> Snapshot {
    Snapshot {
        memories: files.iter().map(|(path, text)| memory(path, text)).collect(),
        ..Snapshot::default()
    }
}

fn named(body: &str) -> Vec<String> {
    let written = |named| match named {
        Named::Path(path) => path,
        Named::Name(name) => format!("[{name}]"),
    };
    links(body).into_iter().map(|link| written(link.names)).collect()
}

#[test]
fn what_is_a_link() {
    let body = "See [[audit-2026]], [[audit|the audit]], [[audit#why]] and [one](sub/one.md), [two](<a b.md>), \
                [three](a%20b.md#part \"title\"), [four][ref].\n\n| a | b |\n|---|---|\n| [[in-table]] | x |\n\n[ref]: four.md\n";
    assert_eq!(
        named(body),
        ["[audit-2026]", "[audit]", "[audit#why]", "sub/one.md", "a b.md", "a b.md", "four.md", "[in-table]"]
    );
    let first = &links(body)[0];
    assert_eq!(body.get(first.range.clone()).unwrap(), "[[audit-2026]]");
}

#[test]
fn what_is_none() {
    for body in [
        "`[[code]]` and ``[x](a.md)``",
        "```\n[[fenced]]\n```",
        "    [[indented]]",
        "<!-- [[comment]] -->",
        "[x](https://example.com/a.md) [y](script.py) [z](#part) [w](file:///a.md)",
        "if [[ -f x ]]; then a[[\"b\"]]; f[[pkg::g(x=1)]]",
        "[not a link] (a.md)",
    ] {
        assert_eq!(named(body), Vec::<String>::new(), "{body}");
    }
}

#[test]
fn both_directions_by_path_stem_and_name() {
    let store = store(&[
        (
            "a.md",
            "---\nname: First\n---\n[[b]] [[The Second]] [[B.md]]\n[x](sub/c.md) [[a]]\n\n[[gone]] [up](../x.md)",
        ),
        ("b.md", "---\nname: the second\n---\n[i](MEMORY.md) [[First#Why]]"),
        ("feedback_use_the_queue.md", "[s](SUB/C.md) [[use-the-queue]]"),
        (
            "sub/c.md",
            "[up](../b.md) [same](d.md) [root](sub/d.md) [[use-the-queue]] [[feedback-b]] [moved](old/b.md)",
        ),
        ("sub/d.md", "[[c]] [out](../../b.md) [abs](/b.md) [home](~/b.md)"),
    ]);
    let table = Links::of(&store);
    let out = |path: &str| -> Vec<String> {
        let path = RelPath::new(path).unwrap();
        let shown = |o: &Outgoing| match &o.to {
            Destination::Memory(path) => format!("{}:{path}", o.line),
            other => format!("{}:{other:?}", o.line),
        };
        table.out(&path).iter().map(shown).collect()
    };
    assert_eq!(
        out("a.md"),
        ["4:b.md", "4:b.md", "4:b.md", "5:sub/c.md", "5:a.md", "7:Unresolved", "7:Outside"]
    );
    assert_eq!(out("b.md"), ["4:Index", "4:a.md"]);
    assert_eq!(out("feedback_use_the_queue.md"), ["1:sub/c.md", "1:feedback_use_the_queue.md"]);
    assert_eq!(
        out("sub/c.md"),
        ["1:b.md", "1:sub/d.md", "1:sub/d.md", "1:feedback_use_the_queue.md", "1:b.md", "1:b.md"]
    );
    assert_eq!(out("sub/d.md"), ["1:sub/c.md", "1:Outside", "1:Outside", "1:Outside"]);
    let into = |path: &str| -> Vec<String> {
        table.linked_from(&RelPath::new(path).unwrap()).iter().map(ToString::to_string).collect()
    };
    assert_eq!(into("b.md"), ["a.md", "sub/c.md"]);
    assert_eq!(into("a.md"), ["b.md"]);
    assert_eq!(into("sub/c.md"), ["a.md", "feedback_use_the_queue.md", "sub/d.md"]);
    assert!(into("nowhere.md").is_empty());
}

#[test]
fn of_two_alike_the_nearer_and_the_exact_win() {
    let store = store(&[
        ("notes.md", ""),
        ("Notes.md", "[[Notes]]"),
        ("sub/notes.md", ""),
        ("sub/x.md", "[[notes]]"),
        ("y.md", "[[notes]]"),
    ]);
    let table = Links::of(&store);
    let to = |path: &str| table.out(&RelPath::new(path).unwrap())[0].to.clone();
    let memory = |path: &str| Destination::Memory(RelPath::new(path).unwrap());
    assert_eq!(to("Notes.md"), memory("Notes.md"));
    assert_eq!(to("sub/x.md"), memory("sub/notes.md"));
    assert_eq!(to("y.md"), memory("notes.md"));
}

#[test]
fn lines_count_every_end() {
    let store = store(&[("a.md", "---\r\nname: a\r\n---\r\n\r\nx\ry\n[[a]]\n[[a]]")]);
    let lines: Vec<_> =
        Links::of(&store).out(&RelPath::new("a.md").unwrap()).iter().map(|o| o.line).collect();
    assert_eq!(lines, [7, 8]);
}

//! The same link names the same in the index and in a body.

use super::*;
use crate::memory::Time;
use crate::memory::document::Document;
use crate::memory::index::Index;
use crate::memory::links::{Destination, Links};
use crate::memory::snapshot::{Memory, Snapshot, Stat};
use proptest::prelude::*;
use std::sync::Arc;

#[test]
fn destinations() {
    for (text, path) in [
        ("x.md", "x.md"),
        ("sub/x.md#part", "sub/x.md"),
        ("x.md?raw#part", "x.md"),
        ("a%20b.md", "a b.md"),
        ("a%3Ab.md", "a:b.md"),
        ("100%.md", "100%.md"),
        ("caf%C3%A9.md", "café.md"),
        ("X.MD", "X.MD"),
        ("../x.md", "../x.md"),
        ("/x.md", "/x.md"),
    ] {
        assert_eq!(of_destination(text), Some(PathBuf::from(path)), "{text}");
    }
    for text in ["https://example.com/x.md", "file:///x.md", "script.py", "dir/", "", "#part", "?x.md"] {
        assert_eq!(of_destination(text), None, "{text}");
    }
}

#[test]
fn wikilinks() {
    for (text, name) in [
        ("audit-2026|the audit", "audit-2026"),
        ("audit#why", "audit#why"),
        ("in-a-table\\", "in-a-table"),
        ("don't retry", "don't retry"),
        ("Audit (2026)", "Audit (2026)"),
        (" sub/x.md ", "sub/x.md"),
    ] {
        assert_eq!(of_wikilink(text), Some(name), "{text}");
    }
    for text in ["\"x\"", "'x'", " -f x ]", "", "#x", "$x", "f(x)", "a::b", "a == b", "x[1"] {
        assert_eq!(of_wikilink(text), None, "{text}");
    }
    assert_eq!(of_wikilink(&"x".repeat(LONGEST_NAME + 1)), None);
    assert!(is_index("MEMORY") && is_index("MEMORY.md#top") && !is_index("sub/MEMORY"));
}

/// Memories of these files, each called like its stem.
fn store(files: &[&str], body: &str) -> Snapshot {
    let memory = |path: &&str| {
        let path = RelPath::new(path).unwrap();
        let text =
            if path.stem() == "from" { body.to_owned() } else { format!("---\nname: The {path}\n---\n") };
        let stat = Stat { mtime: Time::UNIX_EPOCH, mode: 0o644, link: None };
        let document = Document::parse(text.as_bytes());
        Arc::new(Memory { path, bytes: text.into_bytes().into(), document, stat })
    };
    Snapshot { memories: files.iter().map(memory).collect(), ..Snapshot::default() }
}

#[test]
fn a_link_names_the_same_in_the_index_and_in_a_body() {
    let files = [
        "Audit (2026).md",
        "a b.md",
        "a:b.md",
        "feedback_y.md",
        "from.md",
        "it's.md",
        "project_x.md",
        "sub/x.md",
        "x.md",
    ];
    let from = RelPath::new("from.md").unwrap();
    for (link, file) in [
        ("[x](x.md)", Some("x.md")),
        ("[x](x.md?raw)", Some("x.md")),
        ("[x](./x.md#part)", Some("x.md")),
        ("[x](a%20b.md)", Some("a b.md")),
        ("[x](a%3Ab.md)", Some("a:b.md")),
        ("[[x]]", Some("x.md")),
        ("[[X.MD]]", Some("x.md")),
        ("[[sub/x]]", Some("sub/x.md")),
        ("[[y]]", Some("feedback_y.md")),
        ("[[Feedback Y#part]]", Some("feedback_y.md")),
        ("[[The x.md|shown]]", Some("x.md")),
        ("[[it's]]", Some("it's.md")),
        ("[[audit (2026)]]", Some("Audit (2026).md")),
        ("[[gone]]", None),
    ] {
        let store = store(&files, link);
        let (index, table) = (Index::parse(link.as_bytes()), Links::of(&store));
        let found = index.resolve(&store).memory_of.first().copied().flatten();
        let in_index = found.map(|at| store.memories[at].path.to_string());
        let in_body = table.out(&from).first().and_then(|out| match &out.to {
            Destination::Memory(path) => Some(path.to_string()),
            _ => None,
        });
        assert_eq!((in_index.as_deref(), in_body.as_deref()), (file, file), "{link}");
        let memory = found.map(|at| &store.memories[at]);
        let one = memory.map(|memory| index.entries_of(&memory.path, memory.document.header.name.as_deref()));
        assert_eq!(one.unwrap_or_default().len(), usize::from(file.is_some()), "{link}");
    }
}

proptest! {
    #[test]
    fn a_written_destination_reads_back(name in "[^/\0]{1,20}") {
        if let Some(path) = RelPath::new(format!("{name}.md")) {
            let read = of_destination(&to_destination(&path));
            prop_assert_eq!(read, Some(path.as_path().to_path_buf()));
        }
    }
}

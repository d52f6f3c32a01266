//! Each check on a store by hand: what it reports, and what it must not.

use super::*;
use crate::memory::document::Document;
use crate::memory::index::Index;
use crate::memory::snapshot::{IndexFile, Link, Stat, Unreadable};
use std::sync::Arc;

pub(super) const NOW: &str = "2026-03-10T12:00:00Z";

fn findings_of(snapshot: &Snapshot, parked: &[ParkedLine]) -> Vec<Finding> {
    let (facts, settings) = (Facts::of(snapshot), Settings::default());
    run(&Look::quick(snapshot, &facts, parked, NOW.parse().unwrap(), &settings), Depth::Quick)
}
/// What one check finds in a memory, deep ones too.
pub(super) fn deep(text: &str, check: &str) -> Vec<Finding> {
    let snapshot = store("- [a](a.md)\n", &[("a.md", text)]);
    let (facts, settings) = (Facts::of(&snapshot), Settings::default());
    let look = Look::quick(&snapshot, &facts, &[], NOW.parse().unwrap(), &settings);
    let mut findings = run(&look, Depth::Deep);
    findings.retain(|finding| check.is_empty() || finding.check.0 == check);
    findings
}

/// All findings about a memory, deep ones too, as `check memory:line severity`.
pub(super) fn about_deep(text: &str) -> Vec<String> {
    deep(text, "").iter().map(|f| format!("{} {}:{} {:?}", f.check.0, f.memory, f.line, f.severity)).collect()
}

/// A memory that nothing is wrong with.
pub(super) const FINE: &str = "---\nname: fine\ndescription: all is well\ntype: user\n---\nFine.\n";

pub(super) fn stat() -> Stat {
    Stat { mtime: NOW.parse().unwrap(), mode: 0o644, link: None }
}

pub(super) fn store(index: &str, files: &[(&str, &str)]) -> Snapshot {
    let memory = |(path, text): &(&str, &str)| {
        let document = Document::parse(text.as_bytes());
        Arc::new(Memory {
            path: RelPath::new(path).unwrap(),
            bytes: text.as_bytes().into(),
            document,
            stat: stat(),
        })
    };
    let index =
        IndexFile { bytes: index.as_bytes().into(), index: Index::parse(index.as_bytes()), stat: stat() };
    Snapshot {
        memories: files.iter().map(memory).collect(),
        index: Some(Arc::new(index)),
        ..Snapshot::default()
    }
}

/// The findings as `check memory:line severity`.
fn found(snapshot: &Snapshot) -> Vec<String> {
    let findings = findings_of(snapshot, &[]);
    findings.iter().map(|f| format!("{} {}:{} {:?}", f.check.0, f.memory, f.line, f.severity)).collect()
}

/// The findings about one memory that the index names.
pub(super) fn about(text: &str) -> Vec<String> {
    found(&store("- [a](a.md)\n", &[("a.md", text)]))
}

#[test]
fn nothing_on_a_store_that_is_well() {
    let more = "---\nname: 👩\u{200d}💻 emoji\ndescription: see [[fine]]\nmetadata:\n  type: feedback\n---\n[[fine]] می\u{200c}خواهم\n\n**Why:** so.\n\n**How to apply:** so.\n";
    assert!(
        found(&store("- [fine](a.md) — well\n- [more](b.md) — more\n", &[("a.md", FINE), ("b.md", more)]))
            .is_empty()
    );
    assert!(found(&Snapshot::default()).is_empty());
}

#[test]
fn faults_of_form() {
    for (text, expected) in [
        ("---\nname: a: b\ndescription: c\ntype: user\n---\n", &["frontmatter-invalid a.md:2 Error"][..]),
        ("---\nname: a\ndescription: c #1\ntype: user\n---\n", &["frontmatter-lossy a.md:3 Warning"]),
        (
            "---\nname: \"\"\ndescription: c\nmetadata:\n  node_type: memory\n  type: user\n---\n",
            &["frontmatter-wiped a.md:2 Error"],
        ),
        ("---\ndescription: c\ntype: user\n---\n", &["name-missing a.md:1 Warning"]),
        ("---\nname: a\ndescription: \" \"\ntype: user\n---\n", &["description-missing a.md:1 Warning"]),
        ("---\nname: a\ndescription: c\n---\n", &["type-missing a.md:1 Warning"]),
        ("---\nname: a\ndescription: c\nmetadata:\n  type: log\n---\n", &["type-unknown a.md:5 Warning"]),
        (
            "# Notes\n",
            &["description-missing a.md:1 Info", "name-missing a.md:1 Info", "type-missing a.md:1 Info"],
        ),
        ("\u{feff}---\nname: a\ndescription: c\ntype: user\n---\n", &["encoding a.md:1 Info"]),
    ] {
        assert_eq!(about(text), expected, "{text}");
    }
    let bad = Snapshot { index: store("- [a](a.md)", &[]).index, ..Snapshot::default() };
    let bytes = b"---\nname: a\ndescription: c\ntype: user\n---\n\xff";
    let memory = Memory {
        path: RelPath::new("a.md").unwrap(),
        bytes: bytes.as_slice().into(),
        document: Document::parse(bytes),
        stat: stat(),
    };
    assert_eq!(found(&Snapshot { memories: vec![Arc::new(memory)], ..bad }), ["encoding a.md:6 Warning"]);
}

#[test]
fn one_name_for_two() {
    let other = FINE.replace("name: fine", "name: Fine ");
    let snapshot = store("- [a](a.md)\n- [b](b.md)\n", &[("a.md", FINE), ("b.md", &other)]);
    assert_eq!(found(&snapshot), ["name-duplicate a.md:2 Warning", "name-duplicate b.md:2 Warning"]);
    let findings = findings_of(&snapshot, &[]);
    assert_eq!(findings[0].evidence[0].path.as_deref(), Some("b.md"));
}

#[test]
fn links_to_nothing_are_told_from_what_only_looks_so() {
    let body =
        "[[gone]] [x](old/gone.md) [[fine]]\n[[ISSUE #7]] `[[code]]` [[a::b]] [up](../x/y.md) [[locked]]\n";
    let mut snapshot = store("- [a](a.md)\n", &[("a.md", &format!("{FINE}{body}"))]);
    snapshot.unreadable.push(Unreadable { path: RelPath::new("locked.md").unwrap(), why: String::new() });
    assert_eq!(found(&snapshot), ["link-unresolved a.md:7 Info", "link-unresolved a.md:7 Info"]);
}

#[test]
fn the_index_against_the_files() {
    let index = "- [a](a.md) — one\n- [gone](gone.md)\n- [again](a.md)\n- [locked](locked.md)\n\nSee also [a](a.md).\n";
    let mut snapshot = store(index, &[("a.md", FINE), ("b.md", &FINE.replace("fine", "other"))]);
    snapshot.unreadable.push(Unreadable { path: RelPath::new("locked.md").unwrap(), why: String::new() });
    assert_eq!(
        found(&snapshot),
        [
            "index-dangling MEMORY.md:2 Warning",
            "index-orphan b.md:1 Warning",
            "index-duplicate MEMORY.md:3 Info"
        ]
    );
}

#[test]
fn what_is_no_orphan() {
    let named = |name: &str| FINE.replace("fine", name);
    let archive = format!("{}\n# Old\n\n- [x](x.md)\n- [y](y.md)\n- [[z]]\n", named("archive"));
    let files = [
        ("archive.md", archive.as_str()),
        ("README.md", "About this directory.\n"),
        ("parked.md", &named("parked")),
        ("x.md", &named("x")),
        ("y.md", &named("y")),
        ("z.md", &named("z")),
    ];
    let snapshot = store("# Index\n", &files);
    let parked: ParkedLine = serde_json::from_str(
        r#"{"path":"parked.md","text":"- [p](parked.md)","section":null,"before":null,"after":null}"#,
    )
    .unwrap();
    let findings = findings_of(&snapshot, &[parked]);
    let orphans: Vec<_> = findings.iter().filter(|f| f.check.0 == "index-orphan").collect();
    assert_eq!(orphans, Vec::<&Finding>::new());
}

#[test]
fn weak_orphans_are_only_information() {
    let named = |name: &str| FINE.replace("fine", name);
    let a = format!("{}\nSee [[linked]].\n", named("a"));
    let files = [
        ("a.md", a.as_str()),
        ("linked.md", &named("linked")),
        ("told.md", &named("told")),
        ("log.md", "text\n"),
    ];
    let snapshot = store("- [a](a.md)\n\nAsk `told.md` too.\n", &files);
    let orphans: Vec<_> = found(&snapshot).into_iter().filter(|f| f.starts_with("index-orphan")).collect();
    assert_eq!(
        orphans,
        ["index-orphan linked.md:1 Info", "index-orphan log.md:1 Info", "index-orphan told.md:1 Info"]
    );
}

#[test]
fn without_an_index_one_finding_says_so() {
    let snapshot =
        Snapshot { index: None, ..store("", &[("a.md", FINE), ("b.md", &FINE.replace("fine", "b"))]) };
    assert_eq!(found(&snapshot), ["index-orphan MEMORY.md:1 Warning"]);
}

#[test]
fn an_index_over_its_limits_names_what_is_lost() {
    let lines =
        |count: usize, width: usize| "x".repeat(width) + &"\nline".repeat(count - 2) + "\n- [a](a.md)\n";
    assert_eq!(found(&store(&lines(200, 10), &[("a.md", FINE)])), Vec::<String>::new());
    let over = store(&lines(201, 10), &[("a.md", FINE)]);
    assert_eq!(found(&over), ["index-over-lines MEMORY.md:201 Error"]);
    let finding = &findings_of(&over, &[])[0];
    assert!(
        finding.message.contains("201 lines") && finding.message.contains("1 entry"),
        "{}",
        finding.message
    );
    assert_eq!((finding.evidence[0].line, finding.evidence[0].text.as_str()), (Some(201), "“a”"));
    let large = store(&lines(10, 25_000), &[("a.md", FINE)]);
    assert_eq!(found(&large), ["index-over-size MEMORY.md:2 Error"]);
}

#[test]
fn what_is_lost_is_listed_once_and_counted_whole() {
    let long = "x".repeat(200);
    let index: String = (0..250).map(|n| format!("- [m{n}](m{n}.md) {long}\n")).collect();
    let both = findings_of(&store(&index, &[]), &[]);
    let of = |id: &str| both.iter().find(|one| one.check.0 == id).unwrap();
    let lines = &of("index-over-lines").evidence;
    assert_eq!(lines.len(), SHOWN_IN_FULL + 1);
    assert!(lines[SHOWN_IN_FULL].text.starts_with("and "), "{lines:?}");
    assert_eq!(of("index-over-size").evidence.len(), 2, "the first, and how many more");
}

const SHOWN_IN_FULL: usize = 20;

#[test]
fn a_hidden_age() {
    let old = FINE.replace("type: user", "type: user\nmodified: 2025-03-10");
    assert_eq!(about(&old), ["age-hidden a.md:1 Warning"]);
    let finding = &findings_of(&store("- [a](a.md)\n", &[("a.md", &old)]), &[])[0];
    assert!(finding.message.contains("365 days"), "{}", finding.message);
}

#[test]
fn hidden_text_and_escapes() {
    for (body, expected) in [
        ("Ask the desk.\u{200b}\u{200b}\u{2066} \u{2069}", &["hidden-text a.md:6 Warning"][..]),
        ("x\u{e0041}\u{e0042}y", &["hidden-text a.md:6 Warning"]),
        ("\nuser\u{202e}nimda", &["hidden-text a.md:7 Warning"]),
        ("red \x1b[31m", &["terminal-escape a.md:6 Warning"]),
        ("c1 \u{9b}31m and \u{7}", &["terminal-escape a.md:6 Warning"]),
        ("old\rmac\u{ad}hy\u{2028}phen 1\u{fe0f}\u{20e3} ⚠\u{fe0f}\x0c", &[]),
        ("שלום\u{200f} \u{2067}x\u{2069} مرحبا\u{200e}", &[]),
    ] {
        let text = FINE.replace("Fine.\n", body);
        assert_eq!(about(&text), expected, "{body:?}");
    }
    let snapshot = store("- [a](a.md) \x1b]0;x\x07\n", &[("a.md", FINE)]);
    assert_eq!(found(&snapshot), ["terminal-escape MEMORY.md:1 Warning"]);
    let finding = &findings_of(&snapshot, &[])[0];
    assert!(finding.message.starts_with("2 control characters"), "{}", finding.message);
    assert_eq!(finding.evidence[0].text, "“- [a](a.md) ␛]0;x␇”");
}

#[test]
fn a_link_out_of_the_store() {
    let mut snapshot = store("- [a](a.md)\n- [b](b.md)\n", &[]);
    for (path, inside) in [("a.md", false), ("b.md", true)] {
        let text = FINE.replace("fine", path);
        snapshot.memories.push(Arc::new(Memory {
            path: RelPath::new(path).unwrap(),
            bytes: text.as_bytes().into(),
            document: Document::parse(text.as_bytes()),
            stat: Stat { link: Some(Link { target: "../x\x1b.md".into(), inside }), ..stat() },
        }));
    }
    assert_eq!(found(&snapshot), ["link-escapes a.md:1 Warning"]);
    let finding = &findings_of(&snapshot, &[])[0];
    assert_eq!(finding.evidence[0].text, "→ ../x␛.md");
}

#[test]
fn ids_are_unique_and_explained() {
    let all: Vec<_> = FAMILIES.iter().flat_map(|(_, checks)| *checks).collect();
    for (at, check) in all.iter().enumerate() {
        assert!(!all[..at].iter().any(|earlier| earlier.id == check.id), "{:?}", check.id);
        assert!(check.means.ends_with('.'), "{:?}", check.id);
    }
}

//! Every memory of the real stores (words scrambled) and of our own fixtures of the same kinds: each is read,
//! each has a title, and its bytes come back. The real ones are used where `MEMCURATOR_SHARED` says they are.

use memcurator::check;
use memcurator::memory::Time;
use memcurator::memory::body;
use memcurator::memory::document::{Document, FaultKind, MemoryType, Reading};
use memcurator::memory::index::Index;
use memcurator::memory::links::Links;
use memcurator::memory::path::RelPath;
use memcurator::memory::snapshot::{IndexFile, Memory, Snapshot, Stat};
use memcurator::memory::text::visible;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The stores of the corpus, or none with a word about it.
pub(crate) fn corpus() -> Vec<PathBuf> {
    let Ok(shared) = std::env::var("MEMCURATOR_SHARED") else {
        eprintln!("skipped: MEMCURATOR_SHARED is not set, so there are no real stores to read");
        return Vec::new();
    };
    let mut stores: Vec<_> =
        std::fs::read_dir(Path::new(&shared).join("corpus")).unwrap().map(|e| e.unwrap().path()).collect();
    stores.retain(|path| path.is_dir());
    stores.sort();
    assert_eq!(stores.len(), 35);
    stores
}

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/store")
}

/// A store read with plain means.
pub(crate) fn read(root: &Path) -> Snapshot {
    let mut snapshot = Snapshot { root: root.to_owned(), ..Snapshot::default() };
    let mut dirs = vec![root.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in std::fs::read_dir(dir).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                dirs.push(path);
            } else if path.extension().is_some_and(|end| end == "md") {
                let bytes: Arc<[u8]> = std::fs::read(&path).unwrap().into();
                let mtime: Time = entry.metadata().unwrap().modified().unwrap().into();
                let stat = Stat { mtime, mode: 0o644, link: None };
                let path = RelPath::new(path.strip_prefix(root).unwrap()).unwrap();
                if path.is_index() {
                    let index = Index::parse(&bytes);
                    snapshot.index = Some(Arc::new(IndexFile { bytes, index, stat }));
                } else {
                    let document = Document::parse(&bytes);
                    snapshot.memories.push(Arc::new(Memory { path, bytes, document, stat }));
                }
            }
        }
    }
    snapshot.memories.sort_by(|a, b| a.path.cmp(&b.path));
    snapshot
}

/// What must hold of every memory, however odd.
fn assert_reads(memory: &Memory) {
    let document = &memory.document;
    assert_eq!(document.parts(&memory.bytes).concat(), &*memory.bytes, "{:?}: other bytes", memory.path);
    assert!(!memory.title().trim().is_empty(), "{:?}: no title", memory.path);
    assert!(!visible(&memory.title(), false).chars().any(char::is_control), "{:?}", memory.path);
    let parts = body::parts(memory.body().as_bytes());
    assert_eq!(parts.last().unwrap().content.end, memory.body().len(), "{:?}", memory.path);
    let lines = 1 + memory.bytes.iter().filter(|b| matches!(b, b'\n' | b'\r')).count();
    for fault in &document.faults {
        assert!((1..=lines).contains(&fault.line), "{:?}: {fault:?}", memory.path);
    }
    let lenient = document.frontmatter.as_ref().is_some_and(|block| block.reading == Reading::Lenient);
    let invalid = document.faults.iter().any(|fault| fault.kind == FaultKind::FrontmatterInvalid);
    assert!(!lenient || invalid, "{:?}: broken and not flagged", memory.path);
}

/// What stands behind `key:` at the start of a line (or indented), as a person reads it off.
fn by_eye<'a>(memory: &'a Memory, key: &str) -> Option<&'a str> {
    let block = memory.document.frontmatter.as_ref()?;
    let yaml = std::str::from_utf8(&memory.bytes[block.yaml.clone()]).unwrap();
    let line = yaml.lines().find_map(|line| line.trim_start().strip_prefix(key)?.strip_prefix(':'))?;
    Some(line.trim())
}

#[test]
fn every_memory_of_the_corpus_reads() {
    let mut count = 0;
    let mut broken = 0;
    for store in corpus() {
        for memory in &read(&store).memories {
            assert_reads(memory);
            count += 1;
            let Some(block) = &memory.document.frontmatter else { continue };
            let header = &memory.document.header;
            if block.reading == Reading::Lenient {
                broken += 1;
                // None of the broken ones has quotes around a whole value: it shows as it is written.
                assert_eq!(header.name.as_deref(), by_eye(memory, "name"), "{:?}", memory.path);
                assert_eq!(header.description.as_deref(), by_eye(memory, "description"), "{:?}", memory.path);
                assert_ne!(header.kind, MemoryType::Missing, "{:?}", memory.path);
            }
            let kind = by_eye(memory, "type").map_or(MemoryType::Missing, MemoryType::from_value);
            assert_eq!(header.kind, kind, "{:?}", memory.path);
            assert_eq!(header.modified.is_some(), by_eye(memory, "modified").is_some(), "{:?}", memory.path);
        }
    }
    assert!(count == 0 || (count > 700 && broken == 10), "{count} memories, {broken} broken");
}

#[test]
fn checks_run_on_the_corpus_and_say_only_safe_things() {
    let now = "2026-11-30T00:00:00Z".parse().unwrap();
    for store in corpus() {
        let snapshot = read(&store);
        let findings = quick(&snapshot, now);
        for finding in &findings {
            let texts = finding.evidence.iter().map(|e| &e.text).chain([&finding.message]);
            for text in texts {
                assert_eq!(&*visible(text, false), text);
            }
            assert!(finding.line >= 1);
        }
        // The stores hold no attack.
        let security = findings.iter().find(|f| ["hidden-text", "terminal-escape"].contains(&f.check.0));
        assert_eq!(security, None, "{}", store.display());
    }
}

#[test]
fn every_fixture_reads() {
    let snapshot = read(&fixtures());
    assert_eq!(snapshot.memories.len(), 28);
    snapshot.memories.iter().for_each(|memory| assert_reads(memory));
    for (path, name, description, kind, faults) in FIXTURES {
        let memory = snapshot.memories.iter().find(|m| m.path.to_str_lossy() == path).unwrap();
        let header = &memory.document.header;
        assert_eq!(header.name.as_deref(), name, "{path}");
        assert_eq!(header.description.as_deref(), description, "{path}");
        assert_eq!(header.kind.as_str(), kind, "{path}");
        let found: Vec<_> = memory.document.faults.iter().map(|fault| fault.kind).collect();
        assert_eq!(found, faults, "{path}: {:?}", memory.document.faults);
    }
}

/// What a person reads off each odd fixture: path, name, description, type; and what is flagged.
type Seen = (&'static str, Option<&'static str>, Option<&'static str>, &'static str, &'static [FaultKind]);
const FIXTURES: [Seen; 21] = [
    (
        "crlf.md",
        Some("Line ends of another system"),
        Some("written on a machine with CR LF"),
        "reference",
        &[],
    ),
    ("lone-cr.md", Some("Old line ends"), Some("only carriage returns"), "user", &[]),
    ("mixed.md", Some("Mixed"), Some("every line ends otherwise"), "project", &[]),
    ("bom.md", Some("Marked"), Some("starts with a byte order mark"), "user", &[FaultKind::Encoding]),
    (
        "latin1.md",
        Some("Caf\u{fffd} opening hours"),
        Some("stored in an older encoding"),
        "reference",
        &[FaultKind::Encoding],
    ),
    ("empty.md", None, None, "none", &[]),
    ("no-frontmatter.md", None, None, "none", &[]),
    ("unterminated.md", None, None, "none", &[FaultKind::FrontmatterInvalid]),
    (
        "feedback_colon.md",
        Some("Freeze rule"),
        Some("Release freeze: nothing goes out before Monday"),
        "feedback",
        &[FaultKind::FrontmatterInvalid],
    ),
    (
        "feedback_backtick.md",
        Some("Lint first"),
        Some("`make lint` comes before `make test`"),
        "feedback",
        &[FaultKind::FrontmatterInvalid],
    ),
    (
        "feedback_quote.md",
        Some("\"Done\" means deployed"),
        Some("the word \"done\" is only used for what customers have"),
        "feedback",
        &[FaultKind::FrontmatterInvalid],
    ),
    (
        "feedback_unclosed.md",
        Some("Half a quotation"),
        Some("starts and never ends"),
        "feedback",
        &[FaultKind::FrontmatterInvalid],
    ),
    (
        "feedback_tabs.md",
        Some("Tabs: not allowed"),
        Some("indented with tabs"),
        "feedback",
        &[FaultKind::FrontmatterInvalid],
    ),
    (
        "project_hash.md",
        Some("Ticket #58 decides the importer"),
        Some("The plan of #58 holds"),
        "project",
        &[FaultKind::FrontmatterLossy, FaultKind::FrontmatterLossy],
    ),
    ("wiped.md", Some(""), None, "none", &[FaultKind::FrontmatterWiped]),
    (
        "dashes.md",
        Some("before --- after"),
        Some("the client closes at the dashes"),
        "user",
        &[FaultKind::FrontmatterLossy],
    ),
    ("block.md", Some("A folded name"), Some("Two lines\nof text"), "reference", &[]),
    ("twice.md", Some("first"), None, "user", &[FaultKind::FrontmatterInvalid, FaultKind::FrontmatterLossy]),
    ("prose.md", None, None, "none", &[FaultKind::FrontmatterInvalid]),
    (
        "number.md",
        Some("2026"),
        Some("1.10"),
        "decision",
        &[FaultKind::FrontmatterLossy, FaultKind::FrontmatterLossy],
    ),
    ("이유.md", Some("환불 승인"), Some("두 사람이 승인한다"), "feedback", &[]),
];

#[test]
fn the_fixtures_link_to_each_other() {
    let snapshot = read(&fixtures());
    let links = Links::of(&snapshot);
    let from = |path: &str| -> Vec<String> {
        links.linked_from(&RelPath::new(path).unwrap()).iter().map(ToString::to_string).collect()
    };
    assert_eq!(from("project_refunds.md"), ["archive/list.md", "with space (old).md"]);
    assert_eq!(from("integration-tests-real-db.md"), ["with space (old).md"]);
    assert_eq!(from("crlf.md"), ["archive/list.md"]);
}

#[test]
fn checks_on_the_fixtures() {
    let snapshot = read(&fixtures());
    let findings = quick(&snapshot, "2026-11-30T00:00:00Z".parse().unwrap());
    let of = |id: &str| -> Vec<String> {
        findings.iter().filter(|f| f.check.0 == id).map(|f| f.memory.to_string()).collect()
    };
    assert_eq!(
        of("frontmatter-invalid"),
        [
            "feedback_backtick.md",
            "feedback_colon.md",
            "feedback_quote.md",
            "feedback_tabs.md",
            "feedback_unclosed.md",
            "hidden.md",
            "prose.md",
            "twice.md",
            "unterminated.md",
        ]
    );
    assert_eq!(of("frontmatter-wiped"), ["wiped.md"]);
    assert_eq!(of("hidden-text"), ["hidden.md"]);
    assert_eq!(of("terminal-escape"), ["hidden.md"]);
    assert_eq!(of("type-unknown"), ["number.md"]);
    assert_eq!(of("encoding"), ["latin1.md", "bom.md"]);
    assert_eq!(of("link-unresolved"), ["project_refunds.md"]);
    let orphans = of("index-orphan");
    for known in
        ["archive/list.md", "logs/2026-04-14-log.md", "crlf.md", "feedback_colon.md", "with space (old).md"]
    {
        assert!(!orphans.contains(&known.to_owned()), "{known}");
    }
}

fn quick(snapshot: &Snapshot, now: memcurator::memory::Time) -> Vec<check::Finding> {
    let (facts, settings) = (check::Facts::of(snapshot), check::Settings::default());
    check::run(&check::Look::quick(snapshot, &facts, &[], now, &settings), check::Depth::Quick)
}

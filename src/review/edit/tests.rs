use super::*;
use crate::memory::snapshot::{Link, Stat};
use crate::review::affirm::affirm;

fn time(text: &str) -> Time {
    text.parse().unwrap()
}

const NOW: &str = "2026-03-05T10:00:00.123Z";
const THEN: &str = "2025-01-01T00:00:00.123456789Z";

fn store(text: &str) -> Snapshot {
    let stat = Stat { mtime: time(THEN), mode: 0o640, link: None };
    let bytes: Arc<[u8]> = text.as_bytes().into();
    let memory =
        Memory { path: RelPath::new("a.md").unwrap(), document: Document::parse(&bytes), bytes, stat };
    Snapshot { memories: vec![Arc::new(memory)], ..Snapshot::default() }
}

fn saved(before: &str, after: &str, kind: Kind) -> (String, Option<Time>) {
    let plan =
        plan(&store(before), &RelPath::new("a.md").unwrap(), after.as_bytes(), kind, time(NOW)).unwrap();
    let change = &plan.changes[0];
    assert_eq!(change.before.as_ref().unwrap().mtime, Some(time(THEN)));
    let after = change.after.clone().unwrap();
    assert_eq!(after.mode, 0o640);
    let Content::File(bytes) = after.content else { panic!("a file") };
    (String::from_utf8(bytes.to_vec()).unwrap(), after.mtime)
}

#[test]
fn substance_renews_the_age_and_a_correction_keeps_it() {
    let before = "---\nname: a\nmodified: 2025-01-01T00:00:00.000Z\n---\nold\n";
    let after = before.replace("old", "new");
    assert_eq!(
        saved(before, &after, Kind::Substance),
        (after.replace("2025-01-01T00:00:00.000Z", "2026-03-05T10:00:00.123Z"), None)
    );
    assert_eq!(
        saved(before, &after, Kind::Correction),
        (after, Some(time("2025-01-01T00:00:00.124456789Z")))
    );
    // No date is ever added, and one that the person set stays.
    assert_eq!(saved("old", "new", Kind::Substance), ("new".into(), None));
    let set = before.replace("2025-01-01", "2024-12-31");
    assert_eq!(saved(before, &set, Kind::Substance), (set, None));
}

#[test]
fn the_kind_follows_from_what_was_changed() {
    let before =
        "---\nname: a\ndescription: b\nmetadata:\n  type: user\n  createdAt: 2025-01-01\n---\n\nbody\n";
    for (from, to, kind) in [
        ("name: a", "name: c", Kind::Correction),
        ("description: b", "description: 'c'", Kind::Correction),
        ("type: user", "type: \"user\"", Kind::Correction),
        ("type: user", "type: project", Kind::Substance),
        ("2025", "2026", Kind::Substance),
        ("body", "text", Kind::Substance),
        ("  createdAt: 2025-01-01\n", "", Kind::Substance),
        ("  type: user\n", "  type: user\n  expires_at: 2027-01-01\n", Kind::Substance),
        ("  type: user\n", "  type: user\n  confidence: low\n", Kind::Substance),
        ("  type: user\n", "  type: user\n  reason: it broke\n", Kind::Substance),
        ("  type: user\n", "  type: user\n  application: always\n", Kind::Substance),
        ("  type: user\n", "  type: user\n  source: the audit\n", Kind::Correction),
    ] {
        assert_eq!(default_kind(before.as_bytes(), before.replace(from, to).as_bytes()), kind, "{from} {to}");
    }
    // A frontmatter that is added to a bare body is how it is written, not what it says.
    assert_eq!(default_kind(b"body\n", b"---\nname: x\n---\n\nbody\n"), Kind::Correction);
}

#[test]
fn still_true_changes_the_date_or_only_the_time() {
    let path = RelPath::new("a.md").unwrap();
    let after = |text: &str| {
        let plan = affirm(&store(text), &[path.clone(), path.clone()], time(NOW)).unwrap();
        assert_eq!(plan.changes.len(), 1);
        let state = plan.changes[0].after.clone().unwrap();
        assert_eq!(state.mtime, Some(time(NOW)));
        state.content
    };
    let content = |text: &str| Content::File(text.as_bytes().into());
    assert_eq!(after("text"), content("text"));
    assert_eq!(after("---\nupdatedAt: 2020-01-01\n---\nx"), content("---\nupdatedAt: 2026-03-05\n---\nx"));
    assert!(affirm(&store("x"), &[], time(NOW)).is_err());
}

#[test]
fn what_can_not_be_saved() {
    let path = RelPath::new("a.md").unwrap();
    let mut store = store("text");
    let save = |store: &Snapshot, path: &str, text: &str| {
        plan(store, &RelPath::new(path).unwrap(), text.as_bytes(), Kind::Correction, time(NOW))
    };
    assert!(save(&store, "a.md", "text").unwrap_err().what.contains("nothing was changed"));
    assert!(save(&store, "b.md", "new").unwrap_err().what.contains("b.md"));
    let mut memory = Memory::clone(&store.memories[0]);
    memory.stat.link = Some(Link { target: "../x.md".into(), inside: false });
    store.memories[0] = Arc::new(memory);
    assert!(save(&store, "a.md", "new").unwrap_err().what.contains("link"));
    assert!(affirm(&store, &[path], time(NOW)).is_err());
}

//! What no longer holds by its own word, and what is old.

use crate::check::tests::{FINE, NOW, about, stat, store};
use crate::check::{Depth, Facts, Fix, Look, Settings, run};
use std::sync::Arc;

#[test]
fn a_memory_that_says_until_when() {
    for (key, expired) in [
        ("expiresAt: 2026-03-09", true),
        ("expiresAt: \"2026-03-09\"", true),
        ("expires_at: 2026-03-10", false),
        ("expires: 2026-03-10T11:59:59Z", true),
        ("valid-until: 2026/03/09", true),
        ("metadata:\n  expiresAt: 2025-01-01T00:00:00.000Z", true),
        ("expiry: 2027-01-01", false),
        ("expires: never", false),
        ("expires_in: 2020-01-01", false),
        ("created: 2020-01-01", false),
    ] {
        let text = FINE.replace("type: user", &format!("type: user\n{key}"));
        let found = about(&text);
        assert_eq!(found.iter().any(|f| f.starts_with("expired a.md:")), expired, "{key}: {found:?}");
    }
    let text = FINE.replace("type: user", "type: user\nexpiresAt: 2026-03-09");
    assert_eq!(about(&text), ["expired a.md:5 Warning"]);
}

#[test]
fn old_by_the_threshold_of_its_type() {
    let aged = |kind: &str, mtime: &str| {
        let mut snapshot = store("- [a](a.md)\n", &[("a.md", &FINE.replace("user", kind))]);
        let memory = Arc::make_mut(&mut snapshot.memories[0]);
        memory.stat = crate::memory::snapshot::Stat { mtime: mtime.parse().unwrap(), ..stat() };
        let (facts, settings) = (Facts::of(&snapshot), Settings::default());
        run(&Look::quick(&snapshot, &facts, &[], NOW.parse().unwrap(), &settings), Depth::Quick)
            .into_iter()
            .filter(|finding| finding.check.0 == "old")
            .collect::<Vec<_>>()
    };
    for (kind, mtime, is_old) in [
        ("project", "2025-09-11T12:00:00Z", true),
        ("project", "2025-09-12T12:00:00Z", false),
        ("feedback", "2025-09-11T12:00:00Z", false),
        ("feedback", "2025-03-10T12:00:00Z", true),
        ("user", "2025-03-10T12:00:00Z", false),
        ("user", "2024-03-10T12:00:00Z", true),
    ] {
        let found = aged(kind, mtime);
        assert_eq!(found.len(), usize::from(is_old), "{kind} {mtime}");
        assert!(found.iter().all(|finding| finding.fixes.first() == Some(&Fix::Affirm)));
    }
}

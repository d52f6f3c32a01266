//! Which memories are superseded by which, and which pairs are candidates for a contradiction.

use super::*;
use crate::check::tests::{NOW, store};
use crate::check::{Facts, Settings, run};

fn memory(name: &str, more: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: about {name}\ntype: user\n{more}---\n{body}\n")
}

/// The findings of the two checks as `check memory:line about`.
fn found(files: &[(&str, String)]) -> Vec<String> {
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let snapshot = store("", &files);
    let (facts, settings) = (Facts::of(&snapshot), Settings::default());
    let look = Look::quick(&snapshot, &facts, &[], NOW.parse().unwrap(), &settings);
    let findings = run(&look, Depth::Deep);
    let ours = findings.iter().filter(|f| ["superseded", "contradicts"].contains(&f.check.0));
    ours.map(|f| format!("{} {}:{} {}", f.check.0, f.memory, f.line, f.about)).collect()
}

#[test]
fn keys_that_say_so() {
    for (key, expected) in [
        ("superseded_by: new", &["superseded old.md:5 new.md"][..]),
        ("supersededBy: new.md", &["superseded old.md:5 new.md"]),
        ("metadata:\n  superseded_by: \"[[new]]\"", &["superseded old.md:6 new.md"]),
        ("superseded_by: something gone", &["superseded old.md:5 "]),
        ("superseded_by: \"\"", &[]),
        ("superseded_by: null", &[]),
    ] {
        let files = [("old.md", memory("old", &format!("{key}\n"), "x")), ("new.md", memory("new", "", "y"))];
        assert_eq!(found(&files), expected, "{key}");
    }
    let files = [("old.md", memory("old", "", "x")), ("new.md", memory("new", "supersedes: [old]\n", "y"))];
    assert_eq!(found(&files), ["superseded old.md:1 new.md"]);
}

#[test]
fn newer_ones_that_say_so() {
    for body in [
        "This supersedes [[old]].",
        "It replaces [[old]] since March.",
        "Replaces [the old rule](old.md).",
        "[[old]] is obsolete, see this.",
        "[[old]] no longer holds.",
        "Esto reemplaza a [[old]].",
        "Remplace [[old]].",
        "Ersetzt [[old]].",
        "Substitui [[old]].",
        "本条取代 [[old]]。",
        "[[old]] を置き換える。",
        "[[old]]을 대체한다.",
        "Revokes [[old]].",
        "Overrules the earlier note [[old]] after the call.",
        "What [[old]] says is out of date.",
        "Newer than [[old]], which is obsolete.",
        "Read this and not [[old]] (outdated).",
        "Anula la nota [[old]].",
        "Annule la règle [[old]].",
        "Widerruft die alte Notiz [[old]].",
        "Revoga a regra [[old]].",
        "[[old]]（已过时）",
        "[[old]] を撤回する。",
        "[[old]]을 철회한다.",
    ] {
        let files = [("new.md", memory("new", "", body)), ("old.md", memory("old", "", "x"))];
        assert_eq!(found(&files), ["superseded old.md:1 new.md"], "{body}");
    }
    for body in [
        "Superseded by [[new]].",
        "This is obsolete, see [[new]].",
        "Ersetzt durch [[new]].",
        "已被 [[new]] 取代。",
    ] {
        let files = [("new.md", memory("new", "", "y")), ("old.md", memory("old", "", body))];
        assert_eq!(found(&files), ["superseded old.md:6 new.md"], "{body}");
    }
    for body in [
        "See [[old]].",
        "Does not replace [[old]].",
        "This never supersedes [[old]].",
        "The queue replaces the cron job. See [[old]].",
        "Related: [[old]], which is fine.",
        "The older decision is in [[old]] (still right).",
        "What [[old]] says holds here too.",
    ] {
        let files = [("new.md", memory("new", "", body)), ("old.md", memory("old", "", "x"))];
        assert_eq!(found(&files), Vec::<String>::new(), "{body}");
    }
}

#[test]
fn candidates_for_a_contradiction() {
    for (one, two, is_one) in [
        ("Always use `settle_batch()` for refunds.", "Never use `settle_batch()` at all.", true),
        ("`cache.ttl` is 30 by agreement.", "`cache.ttl` is 60 by agreement.", true),
        ("`--fast-mode` is on.", "`--fast-mode` must be off.", true),
        ("The nightly job retries 3 times.", "The nightly job retries 5 times.", true),
        ("Refunds of the shop need two approvals.", "Refunds of the shop never need two approvals.", true),
        (
            "Always use `settle_batch()` for refunds.",
            "Never use `settle_batch()` if the queue is full.",
            false,
        ),
        ("`cache.ttl` is 30 by agreement.", "`cache.size` is 60 by agreement.", false),
        ("The nightly job ran on 2026-03-01.", "The nightly job ran on 2026-03-02.", false),
        ("The nightly job retries 3 times.", "The nightly job retries 3 times.", false),
        ("The nightly job retried 3 times before.", "The nightly job retried 5 times before.", false),
        ("- retries: 3.", "- retries: 5.", false),
    ] {
        let files = [("a.md", memory("a", "", one)), ("b.md", memory("b", "", two))];
        let expected = if is_one { vec!["contradicts a.md:6 b.md".to_owned()] } else { Vec::new() };
        assert_eq!(found(&files), expected, "{one} {two}");
    }
}

use super::*;
use crate::memory::edit::part_texts;
use crate::review::rename::tests::{file, files, store};

const NOW: &str = "2026-03-05T10:00:00.5Z";

fn make(snapshot: &Snapshot, memory: &NewMemory) -> Result<Plan, Refusal> {
    new(snapshot, memory, NOW.parse().unwrap(), &Habit { mode: 0o640, ..Habit::of(snapshot) })
}

fn memory(fact: &str) -> NewMemory {
    NewMemory { fact: fact.into(), kind: MemoryType::Feedback, ..NewMemory::default() }
}

#[test]
fn an_empty_store_gets_what_the_client_writes_today() {
    let store = store(&[]);
    let new = NewMemory {
        why: Some("A mock hid it.".into()),
        how: Some("In all tests.\n".into()),
        ..memory("Tests connect to a real database: always.\nNever to a mock.")
    };
    let plan = make(&store, &new).unwrap();
    let text = "---\nname: tests-connect-to-a-real-database-always\ndescription: \"Tests connect to a real database: always\"\n\
        metadata:\n  node_type: memory\n  type: feedback\n  modified: 2026-03-05T10:00:00.500Z\n---\n\n\
        Tests connect to a real database: always.\nNever to a mock.\n\n**Why:** A mock hid it.\n\n**How to apply:** In all tests.\n";
    assert_eq!(
        file(&store, &plan, "tests-connect-to-a-real-database-always.md"),
        text.replace("  modified: 2026-03-05T10:00:00.500Z\n", "")
    );
    let line = "(tests-connect-to-a-real-database-always.md) — Tests connect to a real database: always\n";
    assert!(file(&store, &plan, "MEMORY.md").ends_with(line), "{}", file(&store, &plan, "MEMORY.md"));
}

#[test]
fn the_store_s_own_way_is_followed() {
    let old = "---\nname: Old title\ndescription: d\ntype: feedback\n---\n";
    let flat =
        store(&[("feedback_old_title.md", old), ("MEMORY.md", "* [Old title](feedback_old_title.md) - d\n")]);
    let plan = make(&flat, &memory("Commit small changes.")).unwrap();
    assert_eq!(
        file(&flat, &plan, "feedback_commit_small_changes.md"),
        "---\nname: Commit small changes\ndescription: Commit small changes\ntype: feedback\n---\n\nCommit small changes.\n"
    );
    assert_eq!(
        file(&flat, &plan, "MEMORY.md"),
        "* [Old title](feedback_old_title.md) - d\n* [Commit small changes](feedback_commit_small_changes.md) - Commit small changes\n"
    );
    let dated = "---\nname: old-one\ndescription: d\nmetadata: \n  node_type: memory\n  type: user\n  modified: 2026-01-01T00:00:00.000Z\n---\n";
    let dated = store(&[("old-one.md", dated)]);
    let plan = make(&dated, &memory("Commit small changes.")).unwrap();
    let text = file(&dated, &plan, "commit-small-changes.md");
    assert!(text.contains("\n  modified: 2026-03-05T10:00:00.500Z\n"), "{text}");
    assert!(!text.contains("originSessionId"));
    // An index with one line would stand for all of them.
    assert_eq!(files(&dated, &plan).len(), 2);
    assert_eq!(plan.warnings.len(), 1);
}

#[test]
fn names_that_are_taken_or_in_another_script() {
    let store = store(&[("same-fact.md", "x"), ("Same-Fact-2.md", "y"), ("MEMORY.md", "")]);
    let plan = make(&store, &memory("Same fact")).unwrap();
    assert!(!file(&store, &plan, "same-fact-3.md").is_empty());
    let plan = make(&store, &memory("小さく変更する。")).unwrap();
    let text = file(&store, &plan, "feedback-2026-03-05.md");
    assert!(text.contains("\n小さく変更する。\n"), "{text}");
    let taken = NewMemory { file: Some("SAME-fact".into()), ..memory("x") };
    assert!(make(&store, &taken).unwrap_err().what.contains("taken"));
}

#[test]
fn what_is_given_reads_back_or_is_refused() {
    let store = store(&[("MEMORY.md", "- [a](a.md)\n")]);
    let given = NewMemory {
        name: Some("true".into()),
        description: Some("a --- b # c".into()),
        file: Some("own.md".into()),
        ..memory("# Fact\n\n```\n**Why:** code\n```")
    };
    let plan = make(&store, &given).unwrap();
    let text = file(&store, &plan, "own.md");
    let header = Document::parse(text.as_bytes()).header;
    assert_eq!((header.name.as_deref(), header.description.as_deref()), (Some("true"), Some("a --- b # c")));
    assert_eq!(part_texts(text.as_bytes())[0].1, "# Fact\n\n```\n**Why:** code\n```");
    assert!(make(&store, &memory(" \n")).is_err());
    assert!(make(&store, &memory("x\n**Why:** y")).is_err());
    assert!(make(&store, &NewMemory { kind: MemoryType::Missing, ..memory("x") }).is_err());
    assert!(make(&store, &NewMemory { file: Some("../x".into()), ..memory("x") }).is_err());
}

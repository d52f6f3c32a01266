//! What one memory claims, on a project made by hand, and that the verdicts agree with what the checks find.

use super::*;
use crate::check::gone::tests::project;
use crate::check::project::{Project, Reach};
use crate::check::tests::{NOW, store};
use crate::check::{Facts, Settings, report};

const ABSENT: &str = "no project is known";

fn of(snapshot: &Snapshot, at: usize, project: Option<&Project>) -> Vec<Claim> {
    let (facts, settings) = (Facts::of(snapshot), Settings::default());
    let quick = Look::quick(snapshot, &facts, &[], NOW.parse().unwrap(), &settings);
    claims(&Look { project, ..quick }, at, Depth::Deep, ABSENT)
}

fn file(body: &str) -> String {
    format!("---\nname: a\ndescription: notes about a\ntype: user\n---\n{body}\n")
}

/// The claims of a body as `kind what: verdict, note`.
fn claimed(body: &str, project: Option<&Project>) -> Vec<String> {
    let found = of(&store("- [a](a.md)\n", &[("a.md", &file(body))]), 0, project);
    found
        .iter()
        .map(|it| format!("{} {}: {}, {}", it.kind.as_str(), it.what, it.verdict.words(), it.note))
        .collect()
}

#[test]
fn things_of_a_project() {
    let all = project();
    let no_history = Project { history: Default::default(), ..project() };
    let mut until = project();
    until.history.reach = Reach::Until("2025-11-02T00:00:00Z".parse().unwrap());
    let weak = "that alone says little";
    for (body, project, expected) in [
        ("See `src/lib.rs`.", &all, "path src/lib.rs: holds, it is there: src/lib.rs"),
        ("See `tariff/here.rs`.", &all, "path tariff/here.rs: holds, it is there: src/tariff/here.rs"),
        ("See `src/TARIFF/`.", &all, "path src/TARIFF/: holds, it is there: src/tariff/"),
        ("See `payments/src/lib.rs`.", &all, "path payments/src/lib.rs: holds, it is there: src/lib.rs"),
        (
            "See `ledger/import.py:3`.",
            &all,
            "path ledger/import.py: holds, it is there: lib/ledger/import.py",
        ),
        ("See `src/lib.rs`.", &no_history, "path src/lib.rs: holds, it is there: src/lib.rs"),
        (
            "See `src/tariff/gone.rs`.",
            &all,
            "path src/tariff/gone.rs: does not hold, path gone: removed in 4e8725f, 2026-05-12",
        ),
        (
            "See `src/old/moved.rs`.",
            &all,
            "path src/old/moved.rs: does not hold, path moved: to src/new/moved.rs in 4e8725f, 2026-05-12",
        ),
        (
            "See `src/never/was.rs`.",
            &all,
            &format!(
                "path src/never/was.rs: can't be told, path unknown: neither the project nor its history has it; {weak}"
            ),
        ),
        (
            "See `src/tariff/gone.rs`.",
            &no_history,
            &format!(
                "path src/tariff/gone.rs: can't be told, not found, and there is no history to tell whether it ever was there; {weak}"
            ),
        ),
        (
            "Call `never_was()` for it.",
            &until,
            &format!("symbol never_was: can't be told, not found, searched back to 2025-11-02; {weak}"),
        ),
        ("Call `still_there()`.", &all, "symbol still_there: holds, it stands in the project"),
        (
            "Read `SettleRun` first.",
            &all,
            "symbol SettleRun: does not hold, symbol gone: last seen before 4e8725f, 2026-05-12",
        ),
        ("Pass `--kept-flag` always.", &all, "flag --kept-flag: holds, it stands in the project"),
        (
            "Pass `--settle-now` always.",
            &all,
            "flag --settle-now: does not hold, flag gone: last seen before 4e8725f, 2026-05-12",
        ),
        (
            "Set `LEDGER_URL` first.",
            &all,
            "constant LEDGER_URL: does not hold, setting gone: last seen before 4e8725f, 2026-05-12",
        ),
        (
            "Call `useMemo()` there.",
            &all,
            "symbol useMemo: can't be told, not found; a line that used what others define went in 4e8725f, 2026-05-12",
        ),
        (
            "See <https://graphs.example.com/a>.",
            &all,
            "address https://graphs.example.com/a: can't be told, an address: nothing is looked up on a network; open it yourself",
        ),
        (
            "See `~/notes/ledger.txt`.",
            &all,
            "path ~/notes/ledger.txt: can't be told, it lies below a home directory, which is not looked at",
        ),
        (
            "See `/home/me/other/src/lib.rs`.",
            &all,
            "path /home/me/other/src/lib.rs: can't be told, it lies outside of the project, where nothing is looked at",
        ),
        (
            "`src/tariff/gone.rs` was removed in May.",
            &all,
            "path src/tariff/gone.rs: can't be told, the text itself says that it is gone, or was replaced",
        ),
    ] {
        assert_eq!(claimed(body, Some(project)), [expected.to_owned()], "{body}");
    }
    // Each once; its places come from the project.
    let text = file("Use `src/lib.rs`, and again src/lib.rs; `settle_batch()` is only told of.");
    let found = of(&store("", &[("a.md", &text)]), 0, Some(&all));
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(text.get(found[0].range.clone().unwrap()), Some("src/lib.rs"));
    assert_eq!(found[0].evidence[0].path.as_deref(), Some("src/lib.rs"));
    // What prose alone names was taken out of the code.
    assert_eq!((found[1].verdict, found[1].check), (Verdict::Fails, Some(CheckId("symbol-gone"))));
}

#[test]
fn without_a_project_nothing_of_it_can_be_told() {
    let body = "Use `src/lib.rs`, `settle_batch()`, `--dry-run` and `LEDGER_URL`. It ends on 2026-03-12.";
    let found = claimed(body, None);
    let expected = [
        "path src/lib.rs: can't be told, no project is known",
        "symbol settle_batch: can't be told, no project is known",
        "flag --dry-run: can't be told, no project is known",
        "constant LEDGER_URL: can't be told, no project is known",
        "date 2026-03-12: holds, still ahead: in 2 days",
    ];
    assert_eq!(found, expected);
}

#[test]
fn days_and_ends() {
    for (body, expected) in [
        ("It is due by 2026-03-11.", "holds, still ahead: in 1 day"),
        ("It is due by 2026-03-10.", "holds, it is today"),
        ("It is due by March 2026.", "holds, it is now"),
        (
            "It is due by 2026-03-01.",
            "does not hold, “2026-03-01” has passed 9 days ago, and the text says “is due by”",
        ),
        ("They met on 2026-03-01.", "can't be told, 9 days ago; what happened then can't be looked up"),
        ("We freeze next week.", "does not hold, “next week”: it meant the week of 2026-03-16"),
    ] {
        let found = claimed(body, None);
        assert!(found.len() == 1 && found[0].ends_with(expected), "{body}: {found:?}");
    }
    let text = |day: &str| format!("---\nname: a\ndescription: d\nexpiresAt: {day}\n---\nx\n");
    let one = |day: &str| of(&store("", &[("a.md", &text(day))]), 0, None).remove(0);
    let ahead = one("2026-03-20");
    assert_eq!((ahead.verdict, ahead.line, ahead.kind), (Verdict::Holds, 4, Kind::Expiry));
    assert_eq!(ahead.note, "it is to hold for 10 days more");
    assert_eq!(one("2026-03-01").verdict, Verdict::Fails);
}

#[test]
fn other_memories() {
    let own = "---\nname: a\ndescription: refunds\nmodified: 2026-01-01T00:00:00Z\n---\nRefunds over 500 euros wait \
               for a second approval by the ledger team. See [[b]] and [[nowhere]].\n";
    let newer = "---\nname: b\ndescription: refunds\nmodified: 2026-02-01T00:00:00Z\n---\nHello.\n\nRefunds over 500 euros \
                 wait for a second approval by the ledger team first.\n";
    let found = of(&store("", &[("a.md", own), ("b.md", newer)]), 0, None);
    let told: Vec<String> = found.iter().map(|it| format!("{} {}", it.what, it.verdict.words())).collect();
    assert_eq!(told, ["b holds", "nowhere does not hold", "b.md can't be told"]);
    assert!(found[0].note.contains("“b”, last changed 37 days ago"), "{}", found[0].note);
    assert_eq!(own.get(found[0].range.clone().unwrap()), Some("b"));
    assert!(found[2].note.starts_with("newer by 31 days"), "{}", found[2].note);
    let sentence = &found[2].evidence[0];
    assert_eq!((sentence.path.as_deref(), sentence.line), (Some("b.md"), Some(8)));
    assert!(sentence.text.starts_with("Refunds over 500"), "{sentence:?}");
    // What shows at once leaves newer ones out.
    let snapshot = store("", &[("a.md", own), ("b.md", newer)]);
    let (facts, settings) = (Facts::of(&snapshot), Settings::default());
    let quick = Look::quick(&snapshot, &facts, &[], NOW.parse().unwrap(), &settings);
    assert_eq!(claims(&quick, 0, Depth::Quick, ABSENT), found[..2]);
    // The newer one has nothing newer.
    assert!(of(&store("", &[("a.md", own), ("b.md", newer)]), 1, None).is_empty());
    let replaced = newer.replace("Hello.", "Supersedes [[a]].");
    let found = of(&store("", &[("a.md", own), ("b.md", &replaced)]), 0, None);
    let last = found.last().unwrap();
    assert_eq!(
        (last.verdict, last.check, last.what.as_str()),
        (Verdict::Fails, Some(CheckId("superseded")), "b.md")
    );
}

#[test]
fn how_to_check_it_is_shown_and_what_it_names_is_looked_up() {
    let text =
        "---\nname: a\ndescription: d\nverify: \"rm -rf /tmp/x && grep still_there src/lib.rs\"\n---\nx\n";
    let found = of(&store("", &[("a.md", text)]), 0, Some(&project()));
    let own = found.iter().find(|it| it.kind == Kind::Verify).unwrap();
    assert_eq!((own.verdict, own.line), (Verdict::Unknown, 4));
    assert!(own.what.starts_with("rm -rf") && own.note.contains("nothing of it is run"), "{own:?}");
    let path = found.iter().find(|it| it.kind == Kind::Path && it.what == "src/lib.rs").unwrap();
    assert_eq!(path.verdict, Verdict::Holds);
}

#[test]
fn nothing_to_check_and_nothing_hostile() {
    for body in
        ["Prefers short answers.", "Run `/review` first.", "See `*.rs` in `path/to/x`, and/or `@scope/pkg`."]
    {
        assert!(claimed(body, Some(&project())).is_empty(), "{body}");
        assert!(claimed(body, None).is_empty(), "{body}");
    }
    let body = "See `src/\u{1b}[31mred.rs` and [[x\u{202e}y]], https://ann:hunter2horse@example.com/x, until 2026-01-01.";
    let text = format!("---\nname: a\ndescription: d\nverify: \"echo \\e]0;x\\a\"\n---\n{body}\n");
    for claim in of(&store("", &[("a.md", &text)]), 0, Some(&project())) {
        let all = format!("{}{}{:?}", claim.what, claim.note, claim.evidence);
        assert!(!all.contains(['\u{1b}', '\u{7}', '\u{202e}', '\n']), "{all:?}");
        assert!(!all.contains("hunter2horse"), "{all:?}");
    }
}

#[test]
fn what_a_check_finds_never_holds_and_what_fails_has_a_finding() {
    let texts = [
        file("`src/tariff/gone.rs`, `src/lib.rs`, `src/never/was.rs`, `SettleRun`, `--settle-now`, `still_there()`."),
        file("Set `LEDGER_URL` and `cache.ttl` until 2026-01-02, not after 2027-01-02. Next week we see [[c]], [[d]]."),
        "---\nname: c\ndescription: d\nexpires: 2026-01-01\nsuperseded_by: a\n---\nGo by `src/old/moved.rs`.\n".to_owned(),
        "---\nname: e\ndescription: d\nmemcurator-silence: all\n---\n`src/tariff/gone.rs` again.\n".to_owned(),
    ];
    let files: Vec<(&str, &str)> =
        ["a.md", "b.md", "c.md", "e.md"].into_iter().zip(texts.iter().map(String::as_str)).collect();
    let snapshot = store("- [a](a.md)\n", &files);
    let project = project();
    let (facts, settings) = (Facts::of(&snapshot), Settings::default());
    let quick = Look::quick(&snapshot, &facts, &[], NOW.parse().unwrap(), &settings);
    let look = Look { project: Some(&project), ..quick };
    let compared = agree(&look);
    assert!(compared >= 12, "{compared}");
}

/// Holds the claims of every memory against the findings of all checks; gives how many findings were compared.
fn agree(look: &Look<'_>) -> usize {
    let whole = report(look, Depth::Deep, &mut |_| true);
    let silenced = whole.silenced.into_iter().map(|one| one.finding);
    let all: Vec<Finding> = whole.findings.into_iter().chain(silenced).collect();
    let mut compared = 0;
    for (at, memory) in look.snapshot.memories.iter().enumerate() {
        let claims = claims(look, at, Depth::Deep, ABSENT);
        let own = all.iter().filter(|it| it.memory == memory.path && IDS.contains(&it.check.0));
        let own: Vec<&Finding> = own.collect();
        for finding in &own {
            let claim = claims.iter().find(|it| it.check == Some(finding.check) && it.line == finding.line);
            assert_eq!(claim.map(|it| it.verdict), Some(verdict(finding)), "{finding:?}\n{claims:?}");
            let ranged = claims.iter().filter(|it| it.range.is_some() && it.range == finding.range);
            assert!(ranged.clone().all(|it| it.verdict != Verdict::Holds), "{finding:?}");
            compared += 1;
        }
        for claim in claims.iter().filter(|it| it.verdict == Verdict::Fails) {
            assert!(own.iter().any(|it| Some(it.check) == claim.check && it.line == claim.line), "{claim:?}");
        }
    }
    compared
}

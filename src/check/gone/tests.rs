//! What is found missing in a project made by hand, and what is not.

use super::*;
use crate::check::project::{Commit, Fate, History, Place};
use crate::check::tests::{NOW, store};
use crate::check::{Facts, Finding, Settings, run};
use std::sync::Arc;

fn commit() -> Arc<Commit> {
    Arc::new(Commit {
        id: "4e8725f0a1b2c3d4e5f60718293a4b5c6d7e8f90".into(),
        date: "2026-05-12T10:00:00Z".parse().unwrap(),
        subject: "Tidy up".into(),
        body: String::new(),
    })
}

pub(in crate::check) fn project() -> Project {
    let files = [
        ".env.example",
        "Makefile",
        "README.md",
        "docs/guide.md",
        "lib/ledger/import.py",
        "src/billing/mod.rs",
        "src/lib.rs",
        "src/new/moved.rs",
        "src/tariff/here.rs",
        "web/index.ts",
    ];
    let removed = |path: &str| (path.to_owned(), Fate::Removed(commit()));
    let moved = |path: &str, to: &str| (path.to_owned(), Fate::Moved { to: to.into(), by: commit() });
    let paths = [
        removed("src/tariff/gone.rs"),
        removed("src/tariff/importer.rs"),
        removed("src/old"),
        removed("src/old/a.rs"),
        removed("a/twin.rs"),
        removed("b/here.rs"),
        moved("src/old/moved.rs", "src/new/moved.rs"),
        moved("lib/x/first.rs", "src/lib.rs"),
        moved("lib/y/first.rs", "web/index.ts"),
        moved("src/lost.rs", "src/nowhere.rs"),
    ];
    let seen = |name: &str, path: &str, text: &str| {
        (name.to_owned(), Vanished { by: commit(), path: path.into(), text: text.into() })
    };
    let last_seen = [
        seen("settle_batch", "src/a.rs", "pub fn settle_batch(limit: u32) -> u32 {"),
        seen("settleAll", "src/a.ts", "export function settleAll(limit: number) {"),
        seen("SettleRun", "src/a.go", "type SettleRun struct {"),
        seen("Repay", "src/a.go", "func (l *Ledger) Repay(limit int) int {"),
        seen("MAX_RETRIES", "src/a.rs", "const MAX_RETRIES: u32 = 3;"),
        seen("useMemo", "web/a.ts", "import { useMemo } from 'react';"),
        seen("read_to_end", "src/a.rs", "    file.read_to_end(&mut bytes)?;"),
        seen("told_only", "README.md", "fn told_only()"),
        seen("LEDGER_URL", "src/a.py", "url = os.environ[\"LEDGER_URL\"]"),
        seen("LEDGER_DB", ".env.example", "LEDGER_DB=x"),
        seen("cache.ttl", "src/a.py", "ttl = config.get(\"cache.ttl\")"),
        seen("retry_limit", "config/app.toml", "retry_limit = 3"),
        seen("--settle-now", "src/a.py", "parser.add_argument(\"--settle-now\")"),
        seen("--force", "Makefile", "\tgit push --force origin"),
        seen("--kept-flag", "src/a.rs", "assert_cmd(\"--kept-flag\");"),
        seen("--no-ext", "src/a.rs", "Command::new(\"git\").arg(\"--no-ext\")"),
        seen("--told", "CHANGELOG.md", "Adds `--told`."),
        seen("--bare-name", "cli.ts", "  .option('bare-name', { type: 'boolean' })"),
        seen("--as-field", "src/args.rs", "    as_field: bool,"),
        seen("--only-used", "src/run.rs", "    if args.only_used {"),
        seen("batch.limit", "settings.toml", "limit = 12"),
        seen("queue.depth", "src/load.ts", "export const depth = config.queue.depth;"),
        seen("window.depth", "src/load.ts", "const depth = window.depth;"),
        seen("close_month", "db/month.sql", "CREATE FUNCTION close_month(m integer) RETURNS integer AS $$"),
    ];
    let place = |is_prose| vec![Place { path: "x".into(), line: 1, is_prose }];
    Project {
        root: "/home/me/payments".into(),
        files: Arc::new(files.map(str::to_owned).to_vec()),
        places: [
            ("--kept-flag".to_owned(), place(false)),
            ("settle_batch".to_owned(), place(true)),
            ("still_there".to_owned(), place(false)),
            ("batch".to_owned(), place(false)),
            ("limit".to_owned(), place(false)),
        ]
        .into(),
        history: History {
            reach: Reach::Whole,
            paths: paths.into(),
            last_seen: last_seen.into(),
            commits: Vec::new(),
        },
        ..Project::default()
    }
}

fn check(body: &str, project: &Project) -> Vec<Finding> {
    let text = format!("---\nname: a\ndescription: notes about a\ntype: user\n---\n{body}\n");
    let snapshot = store("- [a](a.md)\n", &[("a.md", &text)]);
    let (facts, settings) = (Facts::of(&snapshot), Settings::default());
    let look = Look {
        project: Some(project),
        ..Look::quick(&snapshot, &facts, &[], NOW.parse().unwrap(), &settings)
    };
    let ids: Vec<CheckId> = CHECKS.iter().map(|check| check.id).collect();
    run(&look, Depth::Deep).into_iter().filter(|finding| ids.contains(&finding.check)).collect()
}

/// The findings about a body as `check about`.
fn found(body: &str) -> Vec<String> {
    check(body, &project()).iter().map(|f| format!("{} {}", f.check.0, f.about)).collect()
}

#[test]
fn paths_that_are_missing() {
    for (body, expected) in [
        ("Prices come from `src/tariff/gone.rs`.", &["path-gone src/tariff/gone.rs"][..]),
        ("Prices come from tariff/gone.rs, always.", &["path-gone tariff/gone.rs"]),
        ("Prices come from `payments/src/tariff/gone.rs`.", &["path-gone payments/src/tariff/gone.rs"]),
        (
            "Prices come from `/home/me/payments/src/tariff/gone.rs`.",
            &["path-gone /home/me/payments/src/tariff/gone.rs"],
        ),
        ("Prices come from `SRC\\Tariff\\gone.rs:12`.", &["path-gone SRC/Tariff/gone.rs"]),
        ("`importer.rs` does it.", &["path-gone importer.rs"]),
        ("All of `src/old/` is ours.", &["path-gone src/old/"]),
        ("Read `src/old/moved.rs` first.", &["path-moved src/old/moved.rs"]),
        ("Read `src/lost.rs` first.", &["path-gone src/lost.rs"]),
        ("Read `src/never/was.rs` first.", &["path-unknown src/never/was.rs"]),
        ("`src/tariff/gone.rs` in the payments repo", &["path-gone src/tariff/gone.rs"]),
    ] {
        assert_eq!(found(body), expected, "{body}");
    }
}

#[test]
fn paths_that_are_there_or_nothing_is_known_of() {
    for body in [
        "`src/tariff/here.rs`, `tariff/here.rs`, `here.rs`, `src/tariff`, `src/tariff/`, `src/TARIFF/Here.rs`",
        "`payments/src/tariff/here.rs` and `/home/me/payments/src/lib.rs` and `/home/me/other/src/tariff/gone.rs`",
        "`src/billing/mod`, `ledger/import`, `ledger/import.py:3`, `guide.md`, `../payments/src/lib.rs`",
        "`moved.rs` is by name where it was",
        "`work/payments/src/lib.rs`",
        "`elsewhere/never/was.rs`, `unknown.rs`, `~/src/tariff/gone.rs`, `src/*/gone.rs`",
        "`src/tariff/gone.rs` was removed.",
        "`src/tariff/gone.rs` in the ops repo",
        "`a.md` and `memory/a.md` are memories",
    ] {
        assert_eq!(found(body), Vec::<String>::new(), "{body}");
    }
    let blind = Project { history: History::default(), ..project() };
    assert!(check("`src/tariff/gone.rs`, `settle_batch()`, `--settle-now`", &blind).is_empty());
}

#[test]
fn a_finding_cites_its_commit_and_mends_what_moved() {
    let body = "Read `src/tariff/gone.rs` and src/tariff/gone.rs:5 again.";
    let [finding] = check(body, &project()).try_into().unwrap();
    assert_eq!(finding.message, "path gone: removed in 4e8725f, 2026-05-12");
    assert_eq!((finding.line, finding.severity), (6, Severity::Warning));
    assert_eq!(finding.evidence.len(), 3, "{:?}", finding.evidence);
    assert_eq!(finding.evidence[0].commit.as_deref().map(str::len), Some(40));

    for (written, new, safe) in [
        ("src/old/moved.rs", "src/new/moved.rs", true),
        ("./src/old/moved.rs", "src/new/moved.rs", true),
        ("old/moved.rs", "src/new/moved.rs", true),
        ("payments/src/old/moved.rs", "payments/src/new/moved.rs", true),
        ("src\\old\\moved.rs", "src\\new\\moved.rs", true),
        ("lib/x/first.rs", "src/lib.rs", true),
        ("first.rs", "", false),
    ] {
        let findings = check(&format!("Read `{written}:7`."), &project());
        let Some(Fix::Replace { range, text, is_safe }) = findings[0].fixes.first().cloned() else {
            panic!("{written}: {findings:?}")
        };
        assert_eq!(is_safe, safe, "{written}");
        if safe {
            assert_eq!(text, new, "{written}");
            assert_eq!(Some(range), findings[0].range.clone());
        }
    }
}

#[test]
fn names_that_are_gone() {
    for (body, expected) in [
        ("Call `settle_batch()` for refunds.", &["symbol-gone settle_batch"][..]),
        ("Call `Ledger::settle_batch` for refunds.", &["symbol-gone Ledger::settle_batch"]),
        ("Call settle_batch() for refunds.", &["symbol-gone settle_batch"]),
        (
            "`settleAll`, `SettleRun` and `Repay()`",
            &["symbol-gone settleAll", "symbol-gone SettleRun", "symbol-gone Repay"],
        ),
        ("`MAX_RETRIES` is three.", &["symbol-gone MAX_RETRIES"]),
        ("Set `LEDGER_URL` and `$LEDGER_DB`.", &["setting-gone LEDGER_URL", "setting-gone LEDGER_DB"]),
        ("`cache.ttl` and `retry_limit`", &["setting-gone cache.ttl", "setting-gone retry_limit"]),
        ("Run the importer with `--settle-now`.", &["flag-gone --settle-now"]),
        ("Run it with `--bare-name`.", &["flag-gone --bare-name"]),
        ("Run it with `--as-field`.", &["flag-gone --as-field"]),
        ("Check `batch.limit` in `settings.toml`.", &["setting-gone batch.limit"]),
        ("The partner agreed to `queue.depth`.", &["setting-gone queue.depth"]),
        ("Months end with `close_month()`.", &["symbol-gone close_month"]),
        ("On the build host our tool needs `--bare-name`.", &["flag-gone --bare-name"]),
        ("Options that the partner was shown:\n\n- `--bare-name`", &["flag-gone --bare-name"]),
    ] {
        assert_eq!(found(body), expected, "{body}");
    }
    for body in [
        "Answer with `useMemo` and `read_to_end()`.",
        "`told_only()` and `still_there()` and `never_seen()`",
        "`git push --force`, and never `--force` in `git`.",
        "Run with `--force`.",
        "`--kept-flag`, `--no-ext`, `--told`, `--unheard-of`",
        "`settle_batch()` was removed.",
        "`settle_batch` se eliminó a propósito.",
        "Si `settle_batch` existe, llamarlo.",
        "If `settle_batch()` still exists, call it.",
        "Falls es `settle_batch` gibt, damit beginnen.",
        "S'il y a un fichier `src/tariff/gone.rs`, le lire.",
        "Se existir `settle_batch`, usar.",
        "`settle_batch` 가 있으면 먼저 부른다.",
        "`settle_batch` があれば先に呼ぶ。",
        "如果有 `settle_batch` 就先调用。",
        "Usar `still_there()` en lugar de `settle_batch()`.",
        "Run with `--only-used`.",
        "The page reads `window.depth`.",
        "Instead of `settle_batch()` use `still_there()`.",
    ] {
        assert_eq!(found(body), Vec::<String>::new(), "{body}");
    }
}

#[test]
fn what_is_wanted_of_a_project() {
    let all = [Mentions::of_text(
        "`Ledger::open` `--dry-run` `$LEDGER_URL` `MAX_RETRIES` `cache.ttl` `src/a.rs`. Use `git push --force`. `gone_one()` was removed.",
    )];
    let Wanted { symbols, flags, settings } = wanted(&all);
    let list = |set: std::collections::BTreeSet<String>| set.into_iter().collect::<Vec<_>>().join(" ");
    assert_eq!(list(symbols), "Ledger Ledger::open MAX_RETRIES open");
    assert_eq!(list(flags), "--dry-run");
    assert_eq!(list(settings), "LEDGER_URL MAX_RETRIES cache cache.ttl ttl");
}

#[test]
fn what_a_line_is_to_a_name() {
    for (line, path, name, role) in [
        ("def settle(limit):", "a.py", "settle", Role::Defines),
        ("    async def settle(self, limit):", "a.py", "settle", Role::Defines),
        ("pub(crate) const fn settle<T>(x: T) {", "a.rs", "settle", Role::Defines),
        ("export const settle = (limit) => {", "a.ts", "settle", Role::Defines),
        ("  settle(limit) {", "a.js", "settle", Role::Defines),
        ("public static void settle(int limit) {", "A.java", "settle", Role::Defines),
        ("SETTLE = 5", "a.py", "SETTLE", Role::Defines),
        ("#define SETTLE 5", "a.h", "SETTLE", Role::Defines),
        ("export default class Settle extends X {", "a.js", "Settle", Role::Defines),
        ("impl Settle for X {", "a.rs", "Settle", Role::Uses),
        ("let x = settle(limit);", "a.rs", "settle", Role::Uses),
        ("return settle(limit);", "a.c", "settle", Role::Uses),
        ("settle(limit)?;", "a.rs", "settle", Role::Uses),
        ("// settle(limit) is gone", "a.rs", "settle", Role::Uses),
        ("use crate::settle;", "a.rs", "settle", Role::Uses),
        ("env::var(\"SETTLE_URL\")", "a.rs", "SETTLE_URL", Role::Sets),
        ("  SETTLE_URL: http://example.com", "compose.yml", "SETTLE_URL", Role::Sets),
        ("resettle(limit)", "a.rs", "settle", Role::Uses),
        ("CREATE OR REPLACE FUNCTION settle(x int)", "a.sql", "settle", Role::Defines),
        ("create table settle (", "a.sql", "settle", Role::Defines),
        ("SELECT settle(x) FROM y", "a.sql", "settle", Role::Uses),
    ] {
        assert_eq!(vanished::role(line, path, name), role, "{line}");
    }
}

#[test]
fn the_line_that_tells_most() {
    for (line, path, literal, tells) in [
        ("pub fn settle() {", "a.rs", "settle", true),
        ("// settle does it", "a.rs", "settle", false),
        ("settle();", "a.rs", "settle", false),
        ("impl Ledger { fn open() {} }", "a.rs", "Ledger::open", true),
        ("let x = Ledger::open();", "a.rs", "Ledger::open", false),
        ("    fn open() {", "a.rs", "Ledger::open", true),
        ("limit = 3", "app.toml", "batch.limit", true),
        ("x = config.batch.limit", "a.py", "batch.limit", true),
        ("x = thing.batch.limit", "a.py", "batch.limit", false),
        ("cmd.Flags().Bool(\"dry-run\", false, \"\")", "a.go", "--dry-run", true),
        ("flag.Bool(\"verbose\", false, \"\")", "a.go", "--verbose", true),
        ("print(\"verbose\")", "a.py", "--verbose", false),
        ("    dry_run: bool,", "a.rs", "--dry-run", true),
        ("    dryRun: { type: 'boolean' },", "a.ts", "--dry-run", true),
        ("if self.dry_run:", "a.py", "--dry-run", false),
        ("// \"dry-run\" was an option", "a.go", "--dry-run", false),
    ] {
        assert_eq!(super::tells(line, path, literal), tells, "{line} {literal}");
    }
}

//! What is a mention of what, and what excuses it: tables by kind and language, and properties.

use super::*;
use proptest::prelude::*;

/// The mentions of a body as `kind text` with `!Excuse` behind it.
fn of(body: &str) -> Vec<String> {
    let found = Mentions::of_text(body);
    for mention in &found.all {
        assert!(body.get(mention.range.clone()).is_some(), "{body}: {mention:?}");
    }
    let words = |mention: &Mention| {
        let kind = match mention.kind {
            Kind::Path => "path",
            Kind::Symbol => "symbol",
            Kind::Constant => "constant",
            Kind::Flag => "flag",
            Kind::Variable => "variable",
            Kind::Key => "key",
        };
        let excuse = match &mention.excuse {
            None => String::new(),
            Some(Excuse::Elsewhere(name)) => format!(" !elsewhere {name}"),
            Some(excuse) => format!(" !{}", format!("{excuse:?}").to_lowercase()),
        };
        format!("{kind} {}{excuse}", mention.text)
    };
    found.all.iter().map(words).collect()
}

fn table(cases: &[(&str, &[&str])]) {
    let mut wrong = Vec::new();
    for (body, expected) in cases {
        let found = of(body);
        if found != *expected {
            wrong.push(format!("{body}\n   expected {expected:?}\n   found    {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// Whether so many mentions of a body are held against a project.
fn count(body: &str, expected: usize, wrong: &mut Vec<String>) {
    let held = Mentions::of_text(body).held().count();
    if held != expected {
        wrong.push(format!("{held} held: {body} {:?}", of(body)));
    }
}

#[test]
fn paths_in_every_form() {
    table(&[
        ("Prices come from `src/tariff/x_12.rs` first.", &["path src/tariff/x_12.rs"]),
        ("It lives in lib/tariff/x_12.py and is old.", &["path lib/tariff/x_12.py"]),
        ("See src/a1.rs.", &["path src/a1.rs"]),
        ("See (src/a1.rs), or src/b1.rs: both.", &["path src/a1.rs", "path src/b1.rs"]),
        (
            "See `src/a1.rs:120`, `src/b1.rs:10-20`, `src/c1.rs#L10`, src/d1.rs:5:2.",
            &["path src/a1.rs", "path src/b1.rs", "path src/c1.rs", "path src/d1.rs"],
        ),
        ("`tests/test_a.py::test_it` fails", &["path tests/test_a.py"]),
        ("`src\\win\\b1.rs` and src\\win\\c1.rs", &["path src/win/b1.rs", "path src/win/c1.rs"]),
        (
            "\"src/my notes/plan.md\" and `docs/My Notes/plan b.md`",
            &["path src/my notes/plan.md", "path docs/My Notes/plan b.md"],
        ),
        ("./run/me.sh and ../up/there.ts", &["path run/me.sh", "path ../up/there.ts"]),
        ("`importer.rs` and importer.py are old", &["path importer.rs", "path importer.py"]),
        ("Everything in `src/relocated/` and lib/old/ too", &["path src/relocated/", "path lib/old/"]),
        (
            "**src/a1.rs** and *lib/b1.ts* and __src/c1.rs__",
            &["path src/a1.rs", "path lib/b1.ts", "path src/c1.rs"],
        ),
        ("See [the importer](src/importer.rs) and [x](other-memory.md).", &["path src/importer.rs"]),
        ("See [`src/importer.rs`](src/importer.rs#L5).", &["path src/importer.rs", "path src/importer.rs"]),
        ("src/a1.rs를 고친다", &["path src/a1.rs"]),
        ("「src/a1.rs」は大事", &["path src/a1.rs"]),
        ("请看src/a1.rs。", &["path src/a1.rs"]),
        ("가격은`src/a1.rs`에서 읽는다", &["path src/a1.rs"]),
        ("Le fichier src/données/a1.rs", &["path src/données/a1.rs"]),
        ("`app/(auth)/login/page.tsx`", &["path app/(auth)/login/page.tsx"]),
        ("the `Makefile` and `Dockerfile`", &["path Makefile", "path Dockerfile"]),
        ("src/my\\_file.rs", &["path src/my_file.rs"]),
        ("`src/billing` holds it", &["path src/billing"]),
        (
            "Run:\n```sh\n./scripts/run.sh --settle-now src/a1.rs # see src/none.rs\n```\n",
            &["path scripts/run.sh", "flag --settle-now", "path src/a1.rs"],
        ),
        ("path:src/a1.rs", &["path path:src/a1.rs !host"]),
        ("| src/a1.rs | the importer |", &["path src/a1.rs"]),
        ("x=`--config=conf/a1.toml`", &["flag --config", "path conf/a1.toml"]),
        ("src/a1.rs's owner", &["path src/a1.rs"]),
        ("src/a1.rs/src/b1.rs", &["path src/a1.rs/src/b1.rs"]),
    ]);
}

#[test]
fn what_only_looks_like_a_path() {
    table(&[
        (
            "https://grafana.example.com/d/abc/billing.rs?panel=2",
            &["path https://grafana.example.com/d/abc/billing.rs?panel=2 !url"],
        ),
        (
            "`**/*_pb.rs` and src/*.ts and `src/{a,b}.rs`",
            &["path **/*_pb.rs !glob", "path src/*.ts !glob", "path src/{a,b}.rs !glob"],
        ),
        (
            "`path/to/feature.rs`, `src/<name>/mod.rs`, `src/{id}/x.ts`, `logs/YYYY-MM-DD.log`",
            &[
                "path path/to/feature.rs !placeholder",
                "path src/<name>/mod.rs !placeholder",
                "path src/{id}/x.ts !placeholder",
                "path logs/YYYY-MM-DD.log !placeholder",
            ],
        ),
        ("`foo/bar/baz.rs`", &["path foo/bar/baz.rs !placeholder"]),
        (
            "~/worker/logs/today.log and /var/log/x.log",
            &["path ~/worker/logs/today.log !home", "path /var/log/x.log !absolute"],
        ),
        (
            "`origin/main`, `feature/new-login`, `fix/123`",
            &["path origin/main !ref", "path feature/new-login !ref", "path fix/123 !words"],
        ),
        ("branch `billing/rewrite`", &["path billing/rewrite !ref"]),
        ("`@scope/pkg` and `lodash/fp`", &["path @scope/pkg !package", "path lodash/fp"]),
        (
            "and/or, client/server, TCP/IP, 1/2, 24/7, CI/CD, read/write",
            &[
                "path and/or !words",
                "path client/server !words",
                "path TCP/IP !words",
                "path CI/CD !words",
                "path read/write !words",
            ],
        ),
        (
            "`application/json` and text/html",
            &["path application/json !mediatype", "path text/html !mediatype"],
        ),
        ("`/api/v1/users` and GET /users", &["path /api/v1/users !route", "path /users !absolute"]),
        (
            "`github.com/a/b` and golang.org/x/net",
            &["path github.com/a/b !url", "path golang.org/x/net !url"],
        ),
        (
            "`host:/srv/x.rs` and `me@host:x/y.rs`",
            &["path host:/srv/x.rs !host", "path me@host:x/y.rs !host"],
        ),
        ("`meta/llama-3-8b`", &["path meta/llama-3-8b !model"]),
        ("Node.js and Vue.js", &["path Node.js !words", "path Vue.js !words"]),
        ("`git checkout billing/rewrite`", &["path billing/rewrite !ref"]),
        ("`npm install lodash/fp`", &["path lodash/fp !package"]),
        ("`$HOME/x/y.rs` and `$ROOT/x/y.rs`", &["path $HOME/x/y.rs !home", "path $ROOT/x/y.rs !placeholder"]),
        ("[[src/a1.rs]] and e.g. this, i.e. that", &[]),
        ("on 2026/06/01 at 10:30, v1.2/beta", &["path v1.2/beta !words"]),
        ("`node_modules/x/y.js`", &["path node_modules/x/y.js !package"]),
        (
            "`src/.../x.rs` and src/old/...",
            &["path src/.../x.rs !placeholder", "path src/old/... !placeholder"],
        ),
    ]);
}

#[test]
fn names_of_programs() {
    table(&[
        (
            "Call `settle_batch()` and `Ledger::open`, `pkg.Func`, `MAX_RETRIES`, `fooBar`.",
            &[
                "symbol settle_batch",
                "symbol Ledger::open",
                "symbol pkg.Func",
                "constant MAX_RETRIES",
                "symbol fooBar",
            ],
        ),
        ("Call settle_batch() now, or MAX_RETRIES.", &["symbol settle_batch", "constant MAX_RETRIES"]),
        ("Answer with `HashMap` and `useMemo` examples", &["symbol HashMap", "symbol useMemo"]),
        ("`main` and `ledger` and `a`", &[]),
        ("`settle(limit, 3)` and `Ledger::open(path)?`", &["symbol settle", "symbol Ledger::open"]),
        (
            "`$LEDGER_URL`, `${LEDGER_DB}`, `process.env.LEDGER_KEY`, `os.environ[\"LEDGER_X\"]`",
            &[
                "variable LEDGER_URL",
                "variable LEDGER_DB",
                "variable LEDGER_KEY",
                "key os.environ !other",
                "variable LEDGER_X",
            ],
        ),
        ("`LEDGER_URL=http://x` first", &["variable LEDGER_URL", "path http://x !url"]),
        ("set `cache.ttl` to 5", &["key cache.ttl"]),
        ("`std::fs::read`, `os.path.join`", &["symbol std::fs::read !other", "key os.path.join !other"]),
        (
            "`HOME` and `$HOME`, `RUST_LOG`, `NODE_ENV`",
            &["variable HOME !other", "constant RUST_LOG !other", "constant NODE_ENV !other"],
        ),
        ("plain snake_case words and camelCase stay words", &[]),
        ("the user's `settle_batch`", &["symbol settle_batch"]),
    ]);
}

#[test]
fn flags_and_whose_they_are() {
    table(&[
        ("Run the importer with `--dry-run-x`, never -x.", &["flag --dry-run-x"]),
        ("Run it with --settle-now=3 and --other.", &["flag --settle-now", "flag --other"]),
        (
            "Use `git push --force-with-lease` and never `--force`, please.",
            &["flag --force-with-lease !other", "flag --force !other"],
        ),
        (
            "`rg --hidden`, `cargo test --no-run`, `npm run x --silent`",
            &["flag --hidden !other", "flag --no-run !other", "flag --silent !other"],
        ),
        ("`cargo run -- --settle-now`, `npm run seed -- --all`", &["flag --settle-now", "flag --all"]),
        ("`python tools/x1.py --fast-mode`", &["path tools/x1.py", "flag --fast-mode"]),
        ("`importer --settle-now src/a1.rs`", &["flag --settle-now", "path src/a1.rs"]),
        ("`sudo docker run --rm x`", &["flag --rm !other"]),
        ("`cat x | importer --settle-now`", &["flag --settle-now"]),
        ("a dash -- like this -- is none", &[]),
        ("`git log --since=yesterday`", &["flag --since !other"]),
    ]);
}

#[test]
fn what_the_text_says_of_a_thing_in_english() {
    let mut wrong = Vec::new();
    for gone in [
        "`src/a1.rs` was removed on 2026-06-01 on purpose; do not bring it back.",
        "`src/a1.rs` has since been deleted.",
        "`src/a1.rs` is gone.",
        "`src/a1.rs` no longer exists.",
        "We removed `src/a1.rs` in June.",
        "We have finally dropped the old `src/a1.rs`.",
        "src/a1.rs (removed in 2.0) was slow.",
        "`src/a1.rs`, which was retired in March, did this.",
        "Removing `src/a1.rs` broke the build once.",
        "The removal of `src/a1.rs` was agreed with Ana's team.",
        "There is no `src/a1.rs` any more.",
        "The retry policy used to live in `src/a1.rs`.",
        "`src/a1.rs` used to hold the retry policy.",
        "Never reintroduce `src/a1.rs`.",
        "Don't bring `src/a1.rs` back.",
        "`src/a1.rs` and its tests were removed.",
        "`src/a1.rs` in the billing package has been deleted by the platform team.",
        "`src/a1.rs`, the nightly importer, was removed.",
        "`src/a1.rs`: deleted",
        "~~`src/a1.rs`~~ deleted",
        "The script is gone since June: `src/a1.rs`.",
        "Deleted files:\n\n- `src/a1.rs`\n",
        "## Removed in June\n\nThe importer `src/a1.rs` did the prices.",
        "`src/a1.rs` did the prices. It was removed in June.",
        "`src/a1.rs` did the prices. That file is gone now.",
        "`git rm src/a1.rs` was right.",
        "`src/a1.rs` doesn't exist anymore.",
        "formerly `src/a1.rs`",
        "`src/a1.rs` was\nreplaced in June.",
        "`src/a1.rs` got ripped out with the cache.",
        "`src/a1.rs` disappeared in the June cleanup.",
        "We got rid of `src/a1.rs`.",
        "`src/a1.rs` will be removed in June.",
        "There used to be a `src/a1.rs` here.",
        "Was `src/a1.rs` until June, now done by hand.",
        "The file src/a1.rs got cut in June: deleted on purpose.",
        "In place of `src/a1.rs` there is the queue now.",
    ] {
        count(gone, 0, &mut wrong);
    }
    for held in [
        "Prices are loaded by `src/a1.rs` before the cache warms up.",
        "Never delete `src/a1.rs`.",
        "`src/a1.rs` must not be removed.",
        "`src/a1.rs` was never removed.",
        "`src/a1.rs` reads the rows that were deleted.",
        "`src/a1.rs` skips deleted invoices.",
        "`src/a1.rs` matters since the cache was removed.",
        "After the cache was dropped, `src/a1.rs` does the work.",
        "The cache was removed; `src/a1.rs` stays.",
        "Rows are removed by `src/a1.rs`.",
        "`src/a1.rs` runs when a tenant is deleted.",
        "The flag was removed from `src/a1.rs`.",
        "Call `src/a1.rs` again if the table is gone.",
        "`src/a1.rs` no longer uses the cache.",
        "Deploy with the old script `src/a1.rs`.",
        "Add tests to `src/a1.rs`.",
        "Create users with `src/a1.rs`.",
        "If `src/a1.rs` fails, ask the billing team.",
        "`src/a1.rs` is now fast.",
        "The job was `src/a1.rs` and stays so.",
        "`src/a1.rs` runs at night, removed rows are skipped.",
        "`src/a1.rs` does not return nothing.",
        "`src/a1.rs` is run by hand. The cache was removed in June.",
        "The removed rows end up in `src/a1.rs`.",
        "We removed the cache, so `src/a1.rs` is slow.",
        "`src/a1.rs` runs on the build server.",
        "`src/a1.rs` in this repo does it.",
        "Look at `src/a1.rs` in the repository.",
    ] {
        count(held, 1, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_it_became_is_held() {
    table(&[
        ("`src/a1.rs` was replaced by `src/b1.rs`.", &["path src/a1.rs !gone", "path src/b1.rs"]),
        ("`src/b1.rs` replaces `src/a1.rs`.", &["path src/b1.rs", "path src/a1.rs !gone"]),
        ("We renamed `src/a1.rs` to `src/b1.rs`.", &["path src/a1.rs !gone", "path src/b1.rs"]),
        ("`src/a1.rs` moved to `src/b1.rs`.", &["path src/a1.rs !gone", "path src/b1.rs"]),
        ("`src/a1.rs` is now `src/b1.rs`.", &["path src/a1.rs !gone", "path src/b1.rs"]),
        ("`src/b1.rs` (formerly `src/a1.rs`)", &["path src/b1.rs", "path src/a1.rs !gone"]),
        ("Use `src/b1.rs` instead of `src/a1.rs`.", &["path src/b1.rs", "path src/a1.rs !gone"]),
        ("`src/b1.rs` (was `src/a1.rs`) owns limits.", &["path src/b1.rs", "path src/a1.rs !gone"]),
        ("`src/a1.rs` heißt jetzt `src/b1.rs`.", &["path src/a1.rs !gone", "path src/b1.rs"]),
        ("Antes `src/a1.rs`, ahora `src/b1.rs`.", &["path src/a1.rs !gone", "path src/b1.rs"]),
        ("Renamed: `src/a1.rs` → `src/b1.rs`", &["path src/a1.rs !gone", "path src/b1.rs"]),
        ("`src/old/a1.rs` → `src/new/a1.rs`", &["path src/old/a1.rs !gone", "path src/new/a1.rs"]),
        ("`src/a1.rs` → `src/b1.rs` is the flow", &["path src/a1.rs", "path src/b1.rs"]),
        ("`src/a1.rs` was removed; use `src/b1.rs`.", &["path src/a1.rs !gone", "path src/b1.rs"]),
        ("`src/b1.rs` calls `src/a1.rs`, which was removed.", &["path src/b1.rs", "path src/a1.rs !gone"]),
        (
            "`src/a1.rs`, `src/b1.rs` and `src/c1.rs` were deleted.",
            &["path src/a1.rs !gone", "path src/b1.rs !gone", "path src/c1.rs !gone"],
        ),
        ("`src/a1.rs`는 `src/b1.rs`로 교체되었다.", &["path src/a1.rs !gone", "path src/b1.rs"]),
        ("`src/a1.rs` は `src/b1.rs` に置き換えられた。", &["path src/a1.rs !gone", "path src/b1.rs"]),
        ("`src/a1.rs` 已被 `src/b1.rs` 取代。", &["path src/a1.rs !gone", "path src/b1.rs"]),
        ("`src/a1.rs` wurde durch `src/b1.rs` ersetzt.", &["path src/a1.rs !gone", "path src/b1.rs"]),
        ("`src/a1.rs` fue reemplazado por `src/b1.rs`.", &["path src/a1.rs !gone", "path src/b1.rs"]),
        ("`src/a1.rs` a été remplacé par `src/b1.rs`.", &["path src/a1.rs !gone", "path src/b1.rs"]),
        ("`src/a1.rs` foi substituído por `src/b1.rs`.", &["path src/a1.rs !gone", "path src/b1.rs"]),
    ]);
}

#[test]
fn what_is_to_come_or_elsewhere() {
    table(&[
        ("Create `src/a1.rs` for it.", &["path src/a1.rs !planned"]),
        ("Add a new file `src/a1.rs`.", &["path src/a1.rs !planned"]),
        ("`src/a1.rs` will be created next.", &["path src/a1.rs !planned"]),
        ("`src/a1.rs` does not exist yet.", &["path src/a1.rs !planned"]),
        ("`src/a1.rs` in the ops repo does it.", &["path src/a1.rs !elsewhere ops"]),
        ("In the ops repo, `src/a1.rs` does it.", &["path src/a1.rs !elsewhere ops"]),
        ("`tools/a1.sh` lives on the build host.", &["path tools/a1.sh !elsewhere build"]),
        ("다른 저장소의 `src/a1.rs`", &["path src/a1.rs !elsewhere 다른"]),
        ("`src/a1.rs` en otro repositorio", &["path src/a1.rs !elsewhere "]),
        ("`src/a1.rs` in the frontend repository", &["path src/a1.rs !elsewhere frontend"]),
    ]);
}

#[test]
fn what_the_text_says_of_a_thing_in_seven_other_languages() {
    let mut wrong = Vec::new();
    for gone in [
        "`src/a1.rs`는 2026-06-01에 삭제되었다.",
        "`src/a1.rs` 파일은 더 이상 존재하지 않는다.",
        "`src/a1.rs`를 제거했다. 되살리지 말 것.",
        "삭제된 `src/a1.rs` 이야기.",
        "`src/a1.rs`는 없어졌다.",
        "예전에는 `src/a1.rs`가 이 일을 했다.",
        "src/a1.rs는 의도적으로 제거됐다",
        "`src/a1.rs` は 2026-06-01 に意図的に削除された。",
        "`src/a1.rs` を削除しました。",
        "`src/a1.rs` はもう存在しない。",
        "削除済みの `src/a1.rs` について。",
        "`src/a1.rs` は廃止した。復活させないこと。",
        "`src/a1.rs` 已于 2026-06-01 删除,不要恢复。",
        "`src/a1.rs` 已被移除。",
        "我们删除了 `src/a1.rs`。",
        "`src/a1.rs` 不再存在。",
        "`src/a1.rs` fue eliminado a propósito el 2026-06-01; no volver a crear.",
        "Eliminamos `src/a1.rs` en junio.",
        "`src/a1.rs` ya no existe.",
        "Se eliminó `src/a1.rs`.",
        "`src/a1.rs` a été supprimé exprès ; ne pas le remettre.",
        "Nous avons supprimé `src/a1.rs` en juin.",
        "`src/a1.rs` n'existe plus.",
        "Il n'y a plus de `src/a1.rs` depuis juin.",
        "`src/a1.rs` wurde am 2026-06-01 absichtlich entfernt.",
        "Wir haben `src/a1.rs` gelöscht.",
        "`src/a1.rs` gibt es nicht mehr.",
        "Die gelöschte `src/a1.rs` fehlt keinem.",
        "`src/a1.rs` foi removido de propósito; não trazer de volta.",
        "Removemos `src/a1.rs` em junho.",
        "`src/a1.rs` não existe mais.",
    ] {
        count(gone, 0, &mut wrong);
    }
    for held in [
        "가격은 `src/a1.rs`에서 읽는다.",
        "`src/a1.rs`를 삭제하지 마라.",
        "`src/a1.rs`는 삭제된 행을 건너뛴다.",
        "캐시가 삭제된 뒤 `src/a1.rs`를 호출한다.",
        "`src/a1.rs`는 오래된 행을 삭제했다.",
        "価格は `src/a1.rs` が読み込む。",
        "`src/a1.rs` を削除しないでください。",
        "`src/a1.rs` は削除された行を飛ばす。",
        "キャッシュを削除した後に `src/a1.rs` を呼ぶ。",
        "价格由 `src/a1.rs` 读取。",
        "不要删除 `src/a1.rs`。",
        "`src/a1.rs` 会跳过已删除的行。",
        "Los precios se leen en `src/a1.rs`.",
        "No borrar nunca `src/a1.rs`.",
        "`src/a1.rs` lee las filas que fueron eliminadas.",
        "Les prix sont lus par `src/a1.rs`.",
        "Ne jamais supprimer `src/a1.rs`.",
        "`src/a1.rs` compte parce que le cache a été supprimé.",
        "Die Preise liest `src/a1.rs`.",
        "`src/a1.rs` darf nicht gelöscht werden.",
        "`src/a1.rs` zählt, weil der Cache entfernt wurde.",
        "Os preços são lidos por `src/a1.rs`.",
        "Nunca remova `src/a1.rs`.",
        "`src/a1.rs` importa porque o cache foi removido.",
    ] {
        count(held, 1, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_frontmatter_names_things_too() {
    let text = "---\nname: src/none.rs\ndescription: Prices come from src/a1.rs,\n  and `src/b1.rs`\nverify: src/c1.rs\nmetadata:\n  verify: settle\n  source: src/s1.rs, https://example.com/src/s2.rs\n  originSessionId: src/x.rs\n---\nSee `src/d1.rs`.\n";
    let document = crate::memory::document::Document::parse(text.as_bytes());
    let stat = crate::memory::snapshot::Stat { mtime: crate::memory::Time::default(), mode: 0, link: None };
    let path = crate::memory::path::RelPath::new("a.md").unwrap();
    let memory = Memory { path, bytes: text.as_bytes().into(), document, stat };
    let found = Mentions::of(&memory);
    let held = found.all.iter().filter(|m| m.excuse.is_none());
    let shown: Vec<_> = held.map(|m| (m.line, &*m.text, m.is_proof)).collect();
    assert_eq!(
        shown,
        [
            (3, "src/a1.rs", false),
            (4, "src/b1.rs", false),
            (5, "src/c1.rs", true),
            (7, "settle", true),
            (8, "src/s1.rs", false),
            (11, "src/d1.rs", false)
        ]
    );
}

#[test]
fn bytes_that_are_no_text_keep_places() {
    assert_eq!(text_of(b"a\xff\xfeb"), "a\u{1a}\u{1a}b");
}

fn odd() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "src/a.rs",
        "`",
        "``",
        "```\n",
        "\n",
        "\n\n",
        " ",
        "[",
        "](",
        ")",
        "[[",
        "]]",
        "--",
        "--x-y",
        "$",
        "${",
        "}",
        "<",
        ">",
        "*",
        "**",
        "\\",
        "/",
        "//",
        ":",
        "::",
        "#",
        "é",
        "ß",
        "한",
        "削除された",
        "는",
        "の",
        "…",
        "“",
        "”",
        "'",
        "\"",
        "was removed",
        "it ",
        ".",
        "...",
        "- ",
        "| ",
        "=",
        "A_B",
        "a_b()",
        "\u{1a}",
        "👩\u{200d}💻",
        "://",
        "in the ops repo",
        "(",
        "é/ü.rs",
    ]);
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn places_hold_what_was_read(text in odd()) {
        let mut last = 0;
        for mention in Mentions::of_text(&text).all {
            let there = text.get(mention.range.clone());
            prop_assert!(there.is_some(), "{:?}", mention);
            prop_assert!(last <= mention.range.start);
            last = mention.range.start;
            prop_assert_eq!(mention.line, crate::memory::lines::line_of(text.as_bytes(), mention.range.start));
            // Slashes of either kind are brought into one form, and a leading `./` goes.
            let plain = |text: &str| text.replace(['\\', '/'], "").trim_start_matches('.').to_owned();
            prop_assert_eq!(plain(there.unwrap_or_default()), plain(&mention.text));
        }
    }
}

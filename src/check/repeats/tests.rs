//! What repeats a project made by hand, in several languages, and what only looks so.

use crate::check::project::{Commit, History, Project, Reach, Text};
use crate::check::{Depth, Facts, Finding, Fix, Look, Settings, Severity, run};
use crate::memory::document::Document;
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Snapshot, Stat};
use std::sync::Arc;

const NOW: &str = "2026-07-01T12:00:00Z";

const CLAUDE: &str = "# Rules\n\n- Sensor readings are converted to Kelvin before they are saved.\n- Pull requests need a \
screenshot when they touch the dashboard.\n- Never log the address of a customer.\n\nBuild artefacts go to the `out` \
directory, which is ignored by git.\n- Geldbeträge werden als ganze Cent gespeichert, nie als Fließkommazahl.\n- \
커밋 메시지는 영어로 작성한다.\n- 合并之前必须压缩提交。\n- 回答は簡潔に、前置きなしで書く。\n- Les montants sont stockés en centimes entiers.\n";

const PACKAGE: &str = r#"{
  "name": "weather",
  "version": "1.8.0",
  "scripts": { "lint": "eslint src", "seed": "node seed.js",
    "dev": "vite --host" },
  "engines": { "node": "20.11.1" },
  "dependencies": { "left-chart": "3.0.0", "@acme/mail": "^2.4.1" }
}"#;

const README: &str = "# Weather\n\nThe gateway listens on port 9090 and forwards readings to the collector.\n\n\
```sh\ndocker compose up\n```\n";

fn project() -> Project {
    let text = |path: &str, text: &str| Text { path: path.into(), text: text.into() };
    let commit = |id: &str, subject: &str| Commit {
        id: id.repeat(8),
        date: "2026-05-12T08:00:00Z".parse().unwrap(),
        subject: subject.into(),
        body: String::new(),
    };
    let mut files: Vec<String> = [
        "src/api/routes.ts",
        "src/api/auth.ts",
        "src/db/pool.ts",
        "src/jobs/sync.ts",
        "README.md",
        "package.json",
        "Makefile",
        "web/app.tsx",
    ]
    .map(str::to_owned)
    .into();
    files.sort();
    Project {
        files: Arc::new(files),
        texts: vec![
            text("package.json", PACKAGE),
            text("README.md", README),
            text("Makefile", "check:\n\tcargo test\nflash: check\n\t./flash.sh\n"),
        ],
        instructions: vec![text("CLAUDE.md", CLAUDE)],
        history: History {
            reach: Reach::Whole,
            commits: vec![
                commit("4e8725f", "Fix time zone drift in the hourly rollup by truncating in UTC"),
                commit("a91c0de", "Replace the polling loop with a websocket subscription"),
                commit("b0b0b0b", "Fix typo"),
                Commit {
                    body: "Probes behind a slow modem sent the same reading again, and the sum counted both."
                        .into(),
                    ..commit("c3d4e5f", "Ignore readings with a number that was seen before")
                },
            ],
            ..History::default()
        },
        ..Project::default()
    }
}

fn findings(body: &str) -> Vec<Finding> {
    let text = format!("---\nname: a\ndescription: a note\ntype: project\n---\n{body}\n");
    let memory = Memory {
        path: RelPath::new("a.md").unwrap(),
        bytes: text.as_bytes().into(),
        document: Document::parse(text.as_bytes()),
        stat: Stat { mtime: NOW.parse().unwrap(), mode: 0o644, link: None },
    };
    let snapshot = Snapshot { memories: vec![Arc::new(memory)], ..Snapshot::default() };
    let (facts, settings, project) = (Facts::of(&snapshot), Settings::default(), project());
    let look = Look {
        project: Some(&project),
        ..Look::quick(&snapshot, &facts, &[], NOW.parse().unwrap(), &settings)
    };
    let mut all = run(&look, Depth::Deep);
    all.retain(|one| one.check.0.starts_with("repeats"));
    for one in &all {
        if let Some(range) = &one.range {
            assert!(text.get(range.clone()).is_some_and(|part| part.trim() == part), "{range:?}");
        }
        assert!(one.line > 5 && !one.evidence.is_empty() && !one.fixes.is_empty() && !one.about.is_empty());
    }
    all
}

/// The warnings about a body, as ids.
fn warned(body: &str) -> Vec<&'static str> {
    findings(body).iter().filter(|one| one.severity > Severity::Info).map(|one| one.check.0).collect()
}

#[test]
fn what_the_instructions_say() {
    for body in [
        "Sensor readings are converted to Kelvin before they are saved.",
        "Convert readings of sensors to Kelvin before saving them.",
        "Readings from the sensors get stored in Kelvin: convert before saving",
        "A PR that touches the dashboard needs a screenshot",
        "Customer addresses must never be logged.",
        "Build artefacts end up in `out`, a directory ignored by git",
        "Beträge speichern wir in ganzen Cent, nicht als Fließkommazahlen.",
        "커밋 메시지는 항상 영어로 쓴다",
        "合并之前一律先压缩提交。",
        "ユーザーは前置きのない簡潔な回答を好む。",
        "On enregistre les montants en centimes entiers.",
    ] {
        assert_eq!(warned(body), ["repeats-instructions"], "{body}");
    }
    let one = &findings("Sensor readings are converted to Kelvin before they are saved.")[0];
    assert_eq!((one.evidence[0].path.as_deref(), one.evidence[0].line), (Some("CLAUDE.md"), Some(3)));
    assert_eq!(one.fixes, [Fix::Delete, Fix::Edit]);
    let why =
        "Sensor readings are saved in Kelvin, converted before.\n\n**Why:** Two probes reported Fahrenheit.";
    assert_eq!(findings(why)[0].fixes, [Fix::Edit]);
    assert!(findings(why)[0].message.contains("only the reason"), "{}", findings(why)[0].message);
}

#[test]
fn what_the_instructions_do_not_say() {
    for body in [
        "Sensor readings are shown in Celsius in the partner export because the utility rejected Kelvin in 2024.",
        "Sensor readings are not converted to Kelvin before they are saved.",
        "Pull requests need a screenshot when they touch the onboarding mails; Dana wants to see them.",
        "Never log the serial number of a probe.",
        "Build artefacts of the firmware are signed by the vendor.",
        "Geldbeträge werden im Export mit zwei Nachkommastellen gezeigt, weil das Finanzamt Cent ablehnte.",
        "커밋 메시지에는 티켓 번호를 넣는다.",
        "合并之前不要压缩提交。",
        "Les montants sont affichés avec deux décimales dans les exports.",
    ] {
        assert_eq!(findings(body), [], "{body}");
    }
}

#[test]
fn what_the_files_show() {
    for body in [
        "We are on left-chart 3.0.0.",
        "The dashboard uses `left-chart` version 3.0.0",
        "Mail goes through @acme/mail 2.4.1.",
        "Node 20.11.1 is the runtime.",
        "Das Projekt verwendet left-chart in Version 3.0.0.",
        "El proyecto usa left-chart 3.0.0.",
        "left-chart のバージョンは 3.0.0 です。",
        "left-chart 버전은 3.0.0이다.",
        "To lint, run `npm run lint`.",
        "Start the dev server with `npm run dev`.",
        "Lint: `pnpm lint`. Checks: `make check`.",
        "- `npm run lint` — lint\n- `make check` — tests\n- `npm run dev` — dev server",
        "Use make check to run the tests.",
        "Mit `npm run lint` wird der Code geprüft.",
        "Lancer le serveur avec `npm run dev`.",
        "린트는 `npm run lint`로 실행한다.",
        "运行 `npm run lint` 检查代码。",
        "テストは `make check` で実行する。",
        "```sh\nnpm run lint\nmake check\n```",
        "left-chart is pinned to 3.0.0 in this project.",
        "```sh\nnpm run lint\nmake check\n```\n\nVisitors ring at the door and are let in only after a second call.",
        "Everything starts with `docker compose up`.",
        "The gateway listens on port 9090.",
        "Port 9090 is where the gateway listens, and it forwards readings to the collector",
        "Project layout:\n\n- src/api/routes.ts\n- src/api/auth.ts\n- src/db/pool.ts",
        "# Where things are\n\n- `src/api/` – HTTP handlers\n- `src/db/` – connections\n- `src/jobs/` – background work\n- `web/` – front end",
        "Aufbau des Projekts:\n\n* src/api/routes.ts\n* src/db/pool.ts\n* src/jobs/sync.ts\n* web/app.tsx",
        "```\nsrc/\n├── api/\n├── db/\n└── jobs/\nweb/\n```",
        "The code is in src/api, src/db, src/jobs and web/app.tsx.",
    ] {
        assert_eq!(warned(body), ["repeats-repository"], "{body}");
    }
    assert_eq!(findings("Run `npm run lint`.")[0].fixes, [Fix::Delete, Fix::Edit, Fix::Promote]);
    let one = &findings("The dashboard uses left-chart 2.6.")[0];
    assert!(one.message.contains("“3.0.0” for left-chart, not 2.6"), "{}", one.message);
    assert_eq!((one.severity, one.evidence[0].line), (Severity::Warning, Some(7)));
}

#[test]
fn what_the_files_do_not_show() {
    for body in [
        "Stay on left-chart 3.0.0 because 4 breaks the print view.",
        "left-chart 3.0.0 crashes on Safari 15, so the hospital gets the table instead.",
        "Never run `npm run seed` against production.",
        "```sh\nnpm run seed\n```\n\nOnly after the nightly backup.",
        "Commands:\n\n- `npm run seed`\n\nIt must not run against production.",
        "Use `make check`, not `cargo test`: the latter misses the hardware suite.",
        "Ask Dana before running `make flash`; it needs the probe on the bench.",
        "Run `npm run seed` twice after a schema change, the first pass only creates tenants.",
        "`make flash` takes forty minutes on the farm in Oslo and blocks the probe for everyone.",
        "Look at `src/db/pool.ts` first: the retry policy there is the agreed one.",
        "Legal signs off on changes to:\n\n- src/api/auth.ts\n- src/db/pool.ts\n- src/jobs/sync.ts\n- web/app.tsx",
        "- `src/api/auth.ts`: the token is checked twice on purpose, the partner's proxy strips headers now and then\n- `src/db/pool.ts`: ten connections is the contract's limit with the hosting company in Oslo\n- `src/jobs/sync.ts`: paused every month end by order of the accounting department\n- `web/app.tsx`: Dana wants to approve each visible change of the header",
        "The gateway was moved behind the partner's proxy in spring; tickets go to their desk.",
        "`npm run deploy` is Dana's job.",
        "Left charts are what the sales crew calls the 3 panels on the wall.",
        "We make check marks green in the report.",
    ] {
        assert_eq!(findings(body), [], "{body}");
    }
}

#[test]
fn what_the_log_tells() {
    for body in [
        "On 2026-05-12 we committed: Fix time zone drift in the hourly rollup by truncating in UTC.",
        "Fixed the time-zone drift of the hourly rollup by truncating in UTC",
        "The hourly rollup's time zone drift was fixed by truncating in UTC (4e8725f).",
        "We replaced the polling loop with a websocket subscription.",
        "Polling loop replaced by websocket subscription in commit a91c0de",
        "On May 12, 2026 we committed \"replace the polling loop with a websocket subscription\".",
        "History: 12 May 2026, replace the polling loop with a websocket subscription.",
        "Since May readings with a number that was seen before are ignored, because probes behind a slow modem sent the same reading again and the sum counted both; changed on 2026-05-12.",
        "- Replaced the polling loop with a websocket subscription\n- Fixed time zone drift in the hourly rollup",
    ] {
        assert_eq!(warned(body), ["repeats-history"], "{body}");
    }
    let one = &findings("We replaced the polling loop with a websocket subscription.")[0];
    assert!(one.evidence[0].text.starts_with("a91c0de, 2026-05-12: “Replace"), "{}", one.evidence[0].text);
}

#[test]
fn what_the_log_does_not_tell() {
    for body in [
        "Truncate in UTC in every rollup; local time drifted in the hourly one and two invoices were wrong.",
        "The polling loop stays in the kiosk build since its proxy drops websockets.",
        "Fixed typos are not worth a release.",
        "On 2026-05-12 the partner moved to the new contract.",
        "We replaced the vendor of the sensors with a local one.",
    ] {
        assert_eq!(findings(body), [], "{body}");
    }
}

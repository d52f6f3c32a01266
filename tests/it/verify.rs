//! Journeys of verifying a memory, claim by claim: each way out, and the disk afterwards.

use crate::checks_kit::message;
use crate::home::{Home, files};
use crate::screen_kit::{Kit, now};
use memcurator::app::commands::Context;
use memcurator::app::model::{Mode, Model, Screen};
use memcurator::app::verify::Verifying;
use memcurator::check::claims::Verdict;
use memcurator::demo::{self, DemoHome, Size};
use memcurator::prompt::subject::{Subject, Usual};
use memcurator::shell::{Clock, Session, Stage, Start};
use std::fs;
use std::time::Duration;

/// The demo, and the screens on it.
struct Demo {
    _dir: tempfile::TempDir,
    home: DemoHome,
}

impl Demo {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = demo::build(dir.path(), Size::Small).unwrap();
        Self { _dir: dir, home }
    }

    fn stage(&self, size: (u16, u16)) -> Stage {
        let home = self.home.clone();
        let mut session = Kit::with(&[]).session("");
        session.subject = Some(Subject::of(&home.store, &home.project));
        session.usual = Usual { within: Some(home.env.home.clone()), ..Usual::default() };
        let session = Session {
            start: Start::Store(home.store),
            places: home.places,
            env: home.env,
            clock: Clock::Fixed(home.now),
            ..session
        };
        Stage::open(&session, size).unwrap()
    }

    /// The files of the store, without their times.
    fn disk(&self) -> Vec<(String, Vec<u8>)> {
        files(&self.home.store.dir).into_iter().map(|(name, (bytes, _))| (name, bytes)).collect()
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.home.store.dir.join(path)).unwrap()
    }
}

fn open(model: &Model) -> &Verifying {
    model.verify.open.as_ref().expect("a memory is verified")
}

fn under_cursor(stage: &Stage) -> String {
    stage.model().current().map(|entry| entry.path.to_string()).unwrap_or_default()
}

const DEPLOY: &str = "deploy-with-old-script.md";

/// The screens with the cursor on the memory about the old script, on the Memories page.
fn on_deploy(demo: &Demo, size: (u16, u16)) -> Stage {
    let mut stage = demo.stage(size);
    stage.press("/deploy-with<enter>").unwrap();
    assert_eq!(under_cursor(&stage), DEPLOY);
    stage
}

#[test]
fn it_walks_through_the_claims_with_the_evidence_for_each() {
    let demo = Demo::new();
    let before = files(&demo.home.store.dir);
    let mut stage = on_deploy(&demo, (120, 40));
    stage.press("V").unwrap();
    assert_eq!(Context::of(stage.model()), Context::Verify);
    let verdicts: Vec<Verdict> = open(stage.model()).claims.iter().map(|claim| claim.verdict).collect();
    assert_eq!(verdicts, [Verdict::Fails, Verdict::Holds]);
    for part in [
        "verify deploy-with-old-script ─ 1 holds, 1 does not ─ against payments, whole history",
        "▸ ✗ path      scripts/deploy_old.sh",
        "  ✓ link      release-checklist",
        "does not hold: path gone: removed in ",
        "Releases go out with `scripts/deploy_old.sh`, never by hand.",
        " 1/2 ",
    ] {
        assert!(stage.text().contains(part), "{part}: {}", stage.text());
    }
    stage.press("v").unwrap();
    assert!(message(&stage).contains("git show "), "{}", message(&stage));
    stage.press("<enter>").unwrap();
    assert!(stage.text().contains("holds: it leads to “Release checklist”"), "{}", stage.text());
    stage.press("v").unwrap();
    assert!(matches!(stage.model().mode, Mode::Report(_)));
    assert!(stage.text().contains("archive/release-checklist.md"), "{}", stage.text());
    stage.press("<esc>").unwrap();
    assert_eq!((Context::of(stage.model()), open(stage.model()).at), (Context::Verify, 1));
    stage.press("n").unwrap();
    for part in ["2 claims: 1 holds, 1 does not.", "✗ scripts/deploy_old.sh", "Esc   leave it undecided"] {
        assert!(stage.text().contains(part), "{part}: {}", stage.text());
    }
    stage.press("n").unwrap();
    assert!(message(&stage).starts_with("that was all: t still true, e edit"), "{}", message(&stage));
    stage.press("bk").unwrap();
    assert_eq!(open(stage.model()).at, 0);
    stage.press("G").unwrap();
    assert!(open(stage.model()).is_at_end());
    stage.press("g<esc>").unwrap();
    assert_eq!(message(&stage), "deploy-with-old-script is undecided: 2 of 2 claims seen");
    assert_eq!((under_cursor(&stage).as_str(), Context::of(stage.model())), (DEPLOY, Context::List));
    assert_eq!(files(&demo.home.store.dir), before, "looking changes no byte and no time");
}

#[test]
fn still_true_renews_the_age_alone_and_goes_back() {
    let demo = Demo::new();
    let before = demo.disk();
    let mut stage = on_deploy(&demo, (120, 40));
    stage.press("Vt").unwrap();
    assert!(message(&stage).contains("still holds"), "{}", message(&stage));
    assert_eq!((under_cursor(&stage).as_str(), Context::of(stage.model())), (DEPLOY, Context::List));
    let text = demo.text(DEPLOY);
    let old = String::from_utf8(before.iter().find(|(path, _)| path == DEPLOY).unwrap().1.clone()).unwrap();
    let differs: Vec<(&str, &str)> = old.lines().zip(text.lines()).filter(|(a, b)| a != b).collect();
    assert_eq!(differs, [("  modified: 2025-07-03T15:20:10.000Z", "  modified: 2026-03-05T10:00:00.000Z")]);
    stage.press("u").unwrap();
    assert_eq!(demo.disk(), before);
}

#[test]
fn an_edit_opens_at_the_passage_and_counts_when_it_is_saved() {
    let demo = Demo::new();
    let before = demo.disk();
    let mut stage = on_deploy(&demo, (120, 40));
    stage.press("Ve").unwrap();
    assert_eq!(Context::of(stage.model()), Context::Edit);
    // Left without a change the claims are there again.
    stage.press("<esc>").unwrap();
    assert_eq!((Context::of(stage.model()), demo.disk() == before), (Context::Verify, true));
    stage.press("eX<c-s>").unwrap();
    assert!(demo.text(DEPLOY).contains("`Xscripts/deploy_old.sh`"), "{}", demo.text(DEPLOY));
    assert_eq!((under_cursor(&stage).as_str(), Context::of(stage.model())), (DEPLOY, Context::List));
    stage.press("u").unwrap();
    assert_eq!(demo.disk(), before);
    // At the end, where no passage is meant, it is the form.
    stage.press("VGe").unwrap();
    assert_eq!(Context::of(stage.model()), Context::Edit);
    assert!(stage.text().contains("description"), "{}", stage.text());
}

#[test]
fn removal_asks_where_others_link_and_can_be_taken_back() {
    let demo = Demo::new();
    let before = demo.disk();
    let mut stage = demo.stage((120, 40));
    stage.press("/announced<enter>V").unwrap();
    let path = open(stage.model()).path.to_string();
    assert_eq!(path, "archive/release-checklist.md");
    stage.press("d").unwrap();
    assert_eq!(Context::of(stage.model()), Context::Question);
    assert!(stage.text().contains("linked from"), "{}", stage.text());
    stage.press("n").unwrap();
    assert_eq!((Context::of(stage.model()), demo.disk() == before), (Context::Verify, true));
    stage.press("d<esc>").unwrap();
    assert_eq!((Context::of(stage.model()), demo.disk() == before), (Context::Verify, true));
    stage.press("dy").unwrap();
    assert!(!demo.disk().iter().any(|(name, _)| *name == path), "{}", stage.text());
    assert!(stage.model().verify.open.is_none());
    stage.press("u").unwrap();
    assert_eq!(demo.disk(), before);
    // Nothing links to this one: at once.
    stage.press("<esc>/deploy-with<enter>Vd").unwrap();
    assert!(!demo.disk().iter().any(|(name, _)| name == DEPLOY), "{}", stage.text());
    assert_eq!(Context::of(stage.model()), Context::List);
    stage.press("u").unwrap();
    assert_eq!(demo.disk(), before);
}

#[test]
fn parking_is_a_decision_too() {
    let demo = Demo::new();
    let before = demo.disk();
    let mut stage = on_deploy(&demo, (120, 40));
    stage.press("Vnp").unwrap();
    assert!(!demo.text("MEMORY.md").contains(DEPLOY));
    assert!(stage.model().verify.open.is_none());
    stage.press("u").unwrap();
    assert_eq!(demo.disk(), before);
}

#[test]
fn from_the_checks_it_goes_back_to_the_finding() {
    let demo = Demo::new();
    let mut stage = demo.stage((120, 40));
    stage.press("4/path-gone<enter>").unwrap();
    stage.press("V").unwrap();
    assert_eq!(open(stage.model()).path.to_string(), DEPLOY);
    stage.press("<esc>").unwrap();
    assert_eq!((stage.model().screen, Context::of(stage.model())), (Screen::Checks, Context::Checks));
    stage.press("Vt").unwrap();
    assert_eq!((stage.model().screen, stage.model().verify.open.is_none()), (Screen::Checks, true));
    // And from the walk: the walk goes on.
    stage.press("<esc>1w").unwrap();
    let first = stage.model().walk.as_ref().unwrap().current().unwrap().clone();
    stage.press("V<esc>").unwrap();
    assert_eq!(stage.model().walk.as_ref().unwrap().current(), Some(&first));
    stage.press("Vt").unwrap();
    let walk = stage.model().walk.as_ref().unwrap();
    assert!(walk.at == 1 && stage.model().verify.open.is_none(), "{walk:?}");
}

#[test]
fn the_palette_knows_it_and_the_index_claims_nothing() {
    let demo = Demo::new();
    let mut stage = on_deploy(&demo, (120, 40));
    stage.press(":verify<enter>").unwrap();
    assert_eq!(open(stage.model()).path.to_string(), DEPLOY);
    stage.press("<esc><esc>/memory.md<enter>").unwrap();
    stage.press("GV").unwrap();
    assert!(stage.model().verify.open.is_none());
    assert!(message(&stage).contains("the index claims nothing by itself"), "{}", message(&stage));
}

#[test]
fn on_a_narrow_screen_the_list_stands_above() {
    let demo = Demo::new();
    for (name, size) in [("80x24", (80, 24)), ("120x40", (120, 40)), ("200x50", (200, 50))] {
        let mut stage = on_deploy(&demo, size);
        stage.press("V").unwrap();
        // The commits of the demo are the same everywhere.
        insta::assert_snapshot!(format!("verify_{name}"), stage.text());
        stage.press("G").unwrap();
        insta::assert_snapshot!(format!("verify_end_{name}"), stage.text());
    }
    let mut stage = on_deploy(&demo, (60, 15));
    stage.press("V").unwrap();
    assert!(stage.text().contains("does not hold: path gone"), "{}", stage.text());
    assert!(stage.text().contains(" more: PgDn 1/2 "), "{}", stage.text());
    stage.press("<pagedown><pagedown>").unwrap();
    assert!(stage.text().contains("by hand."), "{}", stage.text());
}

const PLAIN: &[(&str, &str)] = &[
    ("MEMORY.md", "- [Tea](tea.md) — in the afternoon\n- [Paths](paths.md) — where things are\n"),
    ("tea.md", "---\nname: Tea\ndescription: in the afternoon\ntype: user\n---\n\nTea in the afternoon.\n"),
    (
        "paths.md",
        "---\nname: Paths\ndescription: where things are\ntype: reference\nverify: touch ran-it\n---\n\nThe ledger is `src/ledger.rs`, \
         see [[tea]].\n",
    ),
];

#[test]
fn without_claims_it_says_so_and_ends_in_the_same_choices() {
    let kit = Kit::with(PLAIN);
    let mut stage = kit.stage((80, 24));
    stage.press("/tea<enter>V").unwrap();
    for part in ["This memory names nothing that could be looked up", "t     it is still true", "▸ decide"]
    {
        assert!(stage.text().contains(part), "{part}: {}", stage.text());
    }
    stage.press("<esc>").unwrap();
    assert_eq!(message(&stage), "Tea is undecided: it names nothing that could be looked up");
    stage.press("Vt").unwrap();
    assert!(message(&stage).contains("still holds"), "{}", message(&stage));
}

#[test]
fn without_a_project_it_says_that_it_can_not_be_told() {
    let kit = Kit::with(PLAIN);
    let mut stage = kit.stage((120, 40));
    stage.press("/paths<enter>V").unwrap();
    assert!(stage.text().contains("2 can't be told ─ no project: "), "{}", stage.text());
    let told: Vec<(&str, &str)> =
        open(stage.model()).claims.iter().map(|claim| (claim.what.as_str(), claim.verdict.words())).collect();
    let expected = [("touch ran-it", "can't be told"), ("src/ledger.rs", "can't be told"), ("tea", "holds")];
    assert_eq!(told, expected);
    assert!(stage.text().contains("nothing of it is run"), "{}", stage.text());
    stage.press("j").unwrap();
    assert!(stage.text().contains("can't be told: no project is known"), "{}", stage.text());
    stage.press("v").unwrap();
    assert_eq!(message(&stage), "no file shows it");
    assert!(!kit.dir.path().join("ran-it").exists() && !std::path::Path::new("ran-it").exists());
}

#[test]
fn hostile_text_never_reaches_the_terminal() {
    let hostile = "---\nname: \"x \\e[31m\"\ndescription: d\ntype: user\nverify: \"echo \\e]0;owned\\a\"\n---\n\nSee \
                   `src/\u{1b}[2Jx.rs`, [[a\u{202e}b]] and `--fl\u{7}ag`, https://example.com/\u{1b}[31m.\n\nThe password: \
                   `hunter2horse9` opens `src/x.rs`.\n";
    let kit = Kit::with(&[("MEMORY.md", "- [x](x.md) — y\n"), ("x.md", hostile)]);
    let mut stage = kit.stage((120, 40));
    stage.press("V").unwrap();
    let count = open(stage.model()).claims.len();
    assert!(count > 1, "{}", stage.text());
    for _ in 0..=count {
        let text = stage.text();
        assert!(!text.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{text:?}");
        assert!(!text.contains("hunter2horse9"), "{text}");
        stage.press("n").unwrap();
    }
}

#[test]
fn what_someone_else_changes_meanwhile_is_looked_up_again() {
    let kit = Kit::with(PLAIN);
    let mut stage = kit.stage((120, 40));
    stage.press("/paths<enter>V").unwrap();
    stage.watch().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let text = "---\nname: Paths\ndescription: where things are\ntype: reference\n---\n\nThey are due by 2027-01-01.\n";
    fs::write(kit.store().join("paths.md"), text).unwrap();
    let patience = std::time::Instant::now() + Duration::from_secs(20);
    while open(stage.model()).claims.first().is_none_or(|claim| claim.what != "2027-01-01") {
        assert!(std::time::Instant::now() < patience, "{}", stage.text());
        stage.wait(Duration::from_millis(200)).unwrap();
    }
    assert!(
        message(&stage).contains("Paths was changed meanwhile: its claims are looked up again"),
        "{}",
        message(&stage)
    );
    assert!(stage.text().contains("They are due by 2027-01-01"), "{}", stage.text());
    assert!(stage.text().contains("still ahead: in 32 days"), "{} {}", stage.text(), now());
    fs::remove_file(kit.store().join("paths.md")).unwrap();
    while stage.model().verify.open.is_some() {
        assert!(std::time::Instant::now() < patience, "{}", stage.text());
        stage.wait(Duration::from_millis(200)).unwrap();
    }
    assert!(message(&stage).contains("no longer there"), "{}", message(&stage));
}

#[test]
fn clicks_and_the_wheel_choose_claims() {
    use memcurator::app::action::{Action, Mouse};
    let demo = Demo::new();
    let mut stage = on_deploy(&demo, (120, 40));
    stage.press("V").unwrap();
    stage.act(Action::Mouse(Mouse::Click(5, 4))).unwrap();
    assert_eq!(open(stage.model()).at, 1);
    stage.act(Action::Mouse(Mouse::Wheel(5, 4, -1))).unwrap();
    assert_eq!(open(stage.model()).at, 0);
    // No way out but the keys: the names of the screens do nothing here.
    stage.act(Action::Mouse(Mouse::Click(2, 1))).unwrap();
    assert_eq!(Context::of(stage.model()), Context::Verify);
}

#[test]
fn the_command_tells_the_same() {
    let home = Home::demo();
    let before = home.tree();
    let done = home.run(&["verify", "deploy-with-old-script"]);
    assert_eq!((done.status, done.err.as_str()), (1, ""), "{done:?}");
    for part in [
        "deploy-with-old-script.md:11: does not hold: path scripts/deploy_old.sh\n    path gone: removed in ",
        "deploy-with-old-script.md:15: holds: link release-checklist\n",
        "2 claims: 1 holds, 1 does not, against payments, whole history\n",
        "memcurator affirm",
    ] {
        assert!(done.out.contains(part), "{part}: {}", done.out);
    }
    let told = home.run(&["verify", DEPLOY, "--format", "json"]);
    assert_eq!(told.status, 1);
    let told: serde_json::Value = serde_json::from_str(&told.out).unwrap();
    let keys: Vec<&String> = told.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["memory", "claims", "holds", "fails", "unknown", "project", "history"]);
    let first = &told["claims"][0];
    assert_eq!(
        (&first["kind"], &first["verdict"], &first["check"], &first["line"]),
        (&"path".into(), &"fails".into(), &"path-gone".into(), &11.into())
    );
    assert_eq!(first["evidence"][0]["path"], "scripts/deploy_old.sh");
    let webhook = home.json(&["verify", "chargeback-webhook"]);
    let symbol = webhook["claims"].as_array().unwrap().iter().find(|it| it["what"] == "seen_before").unwrap();
    assert_eq!(symbol["verdict"], "holds");
    assert!(symbol["evidence"][0]["text"].as_str().unwrap().contains("seen_before"), "{symbol}");
    // Without the project nothing fails, and it says so.
    let none = home.json(&["verify", DEPLOY, "--no-project"]);
    assert_eq!((&none["fails"], &none["project"]), (&0.into(), &serde_json::Value::Null));
    assert_eq!(none["claims"][0]["note"], "no project is known");
    let nowhere = home.run(&["verify", "no-such-thing"]);
    assert_eq!(nowhere.status, 1);
    assert!(nowhere.err.contains("there is no memory `no-such-thing`"), "{nowhere:?}");
    // A store and another project.
    let store = home.store().display().to_string();
    let done = home.run_in(&home.path(), &["verify", DEPLOY, "--store", &store, "--project", "."]);
    assert!(done.status != 2, "{done:?}");
    assert_eq!(home.run(&["verify", DEPLOY, "--format", "sarif"]).status, 2);
    assert_eq!(home.tree(), before, "looking writes nothing and touches no time");
}

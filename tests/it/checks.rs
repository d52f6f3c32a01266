//! Journeys on the Checks screen: keys in, then what shows and what is on the disk.

use crate::checks_kit::{FILES, bring, finding, findings, kit, message, stage, text};
use memcurator::app::action::{Action, Outcome};
use memcurator::app::commands::Context;
use memcurator::app::model::{Mode, Screen};
use memcurator::check::{Fix, checks_md};
use memcurator::memory::path::RelPath;
use memcurator::shell::Stage;
use std::fs;
use std::path::Path;

/// The check and the memory under the cursor.
fn current(stage: &Stage) -> String {
    let open = stage.model().open().unwrap();
    let found = open.board.current(&open.contents);
    found.map(|it| format!("{} {}", it.check.0, it.memory)).unwrap_or_default()
}

#[test]
fn the_screen_in_three_sizes() {
    let kit = kit();
    for (name, size) in [("80x24", (80, 24)), ("120x40", (120, 40)), ("200x50", (200, 50))] {
        let mut stage = stage(&kit, size);
        insta::assert_snapshot!(format!("checks_{name}"), stage.text());
        stage.press("j<tab>").unwrap();
        insta::assert_snapshot!(format!("checks_detail_{name}"), stage.text());
    }
    let mut stage = stage(&kit, (80, 24));
    stage.press("s").unwrap();
    insta::assert_snapshot!("checks_silence_80x24", stage.text());
    stage.press("<esc>jjF").unwrap();
    insta::assert_snapshot!("checks_question_80x24", stage.text());
    stage.press("<esc>w").unwrap();
    insta::assert_snapshot!("walk_80x24", stage.text());
    stage.press("<esc>").unwrap();
    insta::assert_snapshot!("walk_end_80x24", stage.text());
}

#[test]
fn a_safe_fix_changes_its_bytes_alone_and_is_undone() {
    let kit = kit();
    let before = kit.disk();
    let mut stage = stage(&kit, (120, 40));
    assert!(stage.text().contains("4 Checks ④"), "{}", stage.text());
    assert!(stage.text().contains("against payments, history back to 2025-11"), "{}", stage.text());
    stage.press("j").unwrap();
    assert_eq!(current(&stage), "path-moved deploys.md");
    // What it will do shows beforehand.
    assert!(stage.text().contains("+ Use src/settlement/rounding.py for totals"), "{}", stage.text());
    stage.press("f").unwrap();
    assert_eq!(message(&stage), "fixed 1 finding in Deploys, u undoes");
    let expected = String::from_utf8(before["deploys.md"].clone()).unwrap();
    let expected = expected.replacen("src/rounding.py", "src/settlement/rounding.py", 1);
    assert_eq!(text(&kit, "deploys.md"), expected);
    let mut others = kit.disk();
    others.insert("deploys.md".into(), before["deploys.md"].clone());
    assert_eq!(others, before);
    stage.press("u").unwrap();
    assert_eq!(kit.disk(), before);
}

#[test]
fn a_secret_is_not_echoed() {
    let kit = kit();
    let mut stage = stage(&kit, (120, 40));
    bring(&mut stage, vec![finding("secret", "freeze.md", "moonrise", vec![Fix::Edit, Fix::Purge])]);
    let shown = stage.text();
    let passage = shown.lines().find(|line| line.contains("No merges until")).unwrap();
    assert!(passage.contains("‹secret›") && !passage.contains("moonrise"), "{shown}");
}

#[test]
fn a_fix_that_follows_from_a_guess_asks() {
    let kit = kit();
    let before = kit.disk();
    let mut stage = stage(&kit, (120, 40));
    stage.press("jj").unwrap();
    assert_eq!(current(&stage), "relative-date freeze.md");
    for (keys, said) in [("fn", "nothing was changed"), ("f<esc>", "")] {
        stage.press(keys).unwrap();
        assert_eq!(message(&stage), said);
        assert_eq!((&stage.model().mode, kit.disk()), (&Mode::Browse, before.clone()), "{keys}");
    }
    stage.press("f<enter>").unwrap();
    assert!(matches!(stage.model().mode, Mode::Question(_)), "Enter answers nothing");
    assert!(stage.text().contains("- No merges until moonrise"), "{}", stage.text());
    stage.press("y").unwrap();
    assert!(text(&kit, "freeze.md").contains("No merges until 2026-12-03, says the desk.\n"));
}

#[test]
fn all_of_a_kind_are_named_and_fixed_in_one_step() {
    let kit = kit();
    let before = kit.disk();
    let mut stage = stage(&kit, (120, 40));
    stage.press("jjF").unwrap();
    let shown = stage.text();
    for part in ["Mend all 2 of relative-date?", "Freeze:7", "Rota:7", "2026-12-03", "on 2026-11-29"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    stage.press("n").unwrap();
    assert_eq!(kit.disk(), before);
    stage.press("F<esc>").unwrap();
    assert_eq!(kit.disk(), before);
    stage.press("Fy").unwrap();
    assert_eq!(message(&stage), "fixed 2 findings in 2 memories, u undoes");
    assert!(text(&kit, "freeze.md").contains("2026-12-03") && text(&kit, "rota.md").contains("2026-11-29"));
    stage.press("u").unwrap();
    assert_eq!(kit.disk(), before, "one step, taken back at once");
    // Where each needs a look, the key says so.
    bring(&mut stage, findings());
    stage.press("gF").unwrap();
    assert!(message(&stage).contains("each of this kind is to be looked at"), "{}", message(&stage));
}

#[test]
fn other_fixes_lead_where_they_are_done() {
    let kit = kit();
    let before = kit.disk();
    let mut stage = stage(&kit, (120, 40));
    // The editor opens at the passage.
    stage.press("f").unwrap();
    assert_eq!(Context::of(stage.model()), Context::Edit);
    stage.press("X").unwrap();
    assert!(stage.text().contains("Releases go out with `Xscripts/deploy_old.sh`"), "{}", stage.text());
    stage.press("<esc>d").unwrap();
    assert_eq!(kit.disk(), before);
    assert_eq!(stage.model().screen, Screen::Checks);
    for (fix, context) in [
        (Fix::Promote, Context::Sheet),
        (Fix::Merge(RelPath::new("fine.md").unwrap()), Context::Sheet),
        (Fix::Index, Context::Checks),
        (Fix::Purge, Context::Checks),
    ] {
        bring(&mut stage, vec![finding("path-gone", "freeze.md", "moonrise", vec![fix.clone()])]);
        stage.press("f").unwrap();
        assert_eq!(Context::of(stage.model()), context, "{fix:?}");
        stage.press("<esc>").unwrap();
        if context == Context::Sheet {
            continue;
        }
        stage.press("4").unwrap();
    }
    assert_eq!(kit.disk(), before);
    bring(&mut stage, vec![finding("path-gone", "freeze.md", "moonrise", vec![Fix::Delete])]);
    stage.press("4f").unwrap();
    assert!(!kit.names().contains(&"freeze.md".to_owned()));
    assert!(!kit.index().contains("freeze.md"));
    stage.press("u").unwrap();
    assert_eq!(kit.disk(), before);
    bring(&mut stage, vec![finding("path-gone", "freeze.md", "moonrise", vec![])]);
    stage.press("f").unwrap();
    assert!(message(&stage).contains("no key mends this"), "{}", message(&stage));
}

#[test]
fn memories_commands_act_on_the_findings_memory_whatever_is_marked() {
    let kit = kit();
    let mut stage = stage(&kit, (120, 40));
    stage.press("1*4jj").unwrap();
    assert_eq!(current(&stage), "relative-date freeze.md");
    stage.press("p").unwrap();
    assert!(!kit.index().contains("freeze.md") && kit.index().contains("deploys.md"), "{}", kit.index());
    stage.press("u").unwrap();
    bring(&mut stage, findings());
    stage.press("gjjd").unwrap();
    assert_eq!(kit.names(), ["MEMORY.md", "deploys.md", "fine.md", "rota.md"]);
    // One that another links to is asked about.
    stage.press("u").unwrap();
    bring(&mut stage, findings());
    stage.press("Gd").unwrap();
    assert!(stage.text().contains("Rota  ← linked from Deploys"), "{}", stage.text());
    stage.press("n").unwrap();
    assert_eq!(kit.names().len(), FILES.len());
}

#[test]
fn silencing_is_kept_for_the_store_counted_and_taken_back() {
    let kit = kit();
    let before = kit.disk();
    let mut stage = stage(&kit, (120, 40));
    stage.press("s<esc>").unwrap();
    assert_eq!(stage.model().mode, Mode::Browse);
    assert!(!silenced_file(&kit.dir.path().join("home/state")).exists(), "Esc wrote nothing");
    stage.press("ss").unwrap();
    assert_eq!(message(&stage), "silenced path-gone on Deploys, u takes it back");
    let file = silenced_file(&kit.dir.path().join("home/state"));
    assert!(fs::read_to_string(&file).unwrap().contains("scripts/deploy_old.sh"));
    assert_eq!(kit.disk(), before, "no file of the store is touched");
    stage.press("u").unwrap();
    assert_eq!(message(&stage), "reported again");
    assert!(!fs::read_to_string(&file).unwrap().contains("scripts"));
    // A quick finding, so that the checks themselves report it: an orphan.
    kit.write("new.md", 1, b"---\nname: New\ndescription: d\ntype: user\n---\nx\n");
    stage.press("<f5>/orphan<enter>").unwrap();
    assert_eq!(current(&stage), "index-orphan new.md");
    stage.press("sc").unwrap();
    assert_eq!(message(&stage), "silenced index-orphan in this store, u takes it back");
    stage.press("<esc>").unwrap();
    assert!(stage.text().contains("1 silenced"), "{}", stage.text());
    let mut again = kit.stage((120, 40));
    again.press("4!").unwrap();
    assert_eq!(current(&again), "index-orphan new.md");
    assert!(again.text().contains("silenced: index-orphan in every memory"), "{}", again.text());
    again.press("s").unwrap();
    assert_eq!(message(&again), "reported again: index-orphan in every memory");
    again.press("!").unwrap();
    assert_eq!(current(&again), "index-orphan new.md");
}

fn silenced_file(state: &Path) -> std::path::PathBuf {
    let store = fs::read_dir(state.join("stores")).unwrap().next().unwrap().unwrap().path();
    store.join("silenced.json")
}

#[test]
fn until_it_changes_until_a_date_and_for_good() {
    let kit = kit();
    kit.write("new.md", 1, b"---\nname: New\ndescription: d\ntype: user\n---\nx\n");
    let mut stage = kit.stage((120, 40));
    stage.press("4").unwrap();
    assert_eq!(current(&stage), "index-orphan new.md");
    stage.press("sy").unwrap();
    assert_eq!(current(&stage), "");
    kit.write("new.md", 1, b"---\nname: New\ndescription: d\ntype: user\n---\ny\n");
    stage.press("<f5>").unwrap();
    assert_eq!(current(&stage), "index-orphan new.md", "it changed");
    stage.press("sz<esc>").unwrap();
    assert_eq!(current(&stage), "index-orphan new.md");
    stage.press("sz<c-u>never<enter>").unwrap();
    assert!(message(&stage).contains("is no date to come"), "{}", message(&stage));
    stage.press("sz<c-u>2w<enter>").unwrap();
    assert_eq!(message(&stage), "snoozed new.md until 2026-12-14, u takes it back");
    assert_eq!(current(&stage), "");
    stage.press("u").unwrap();
    assert_eq!(current(&stage), "index-orphan new.md");
    stage.press("sg").unwrap();
    let config = kit.dir.path().join("home/config/config.toml");
    assert_eq!(fs::read_to_string(config).unwrap(), "[checks]\nsilence = [\"index-orphan\"]\n");
    assert_eq!(current(&stage), "");
    stage.press("!s").unwrap();
    assert!(message(&stage).contains("`checks.silence`"), "{}", message(&stage));
}

#[test]
fn a_memory_silences_itself_but_not_a_warning_about_what_it_hides() {
    let kit = kit();
    let own = "---\nname: New\ndescription: d\ntype: user\nmemcurator-silence: index-orphan, hidden-text\n---\nx\u{202e}y\n";
    kit.write("new.md", 1, own.as_bytes());
    let mut stage = kit.stage((120, 40));
    stage.press("4").unwrap();
    assert_eq!(current(&stage), "hidden-text new.md");
    stage.press("!s").unwrap();
    assert!(message(&stage).contains("says so itself"), "{}", message(&stage));
}

#[test]
fn a_damaged_file_is_said_and_everything_is_reported() {
    let kit = kit();
    kit.write("new.md", 1, b"---\nname: New\ndescription: d\ntype: user\n---\nx\n");
    let mut stage = kit.stage((120, 40));
    stage.press("4ss").unwrap();
    let file = silenced_file(&kit.dir.path().join("home/state"));
    fs::write(&file, "{").unwrap();
    let mut again = kit.stage((120, 40));
    assert!(message(&again).contains("silenced.json is damaged"), "{}", message(&again));
    again.press("4").unwrap();
    assert_eq!(current(&again), "index-orphan new.md");
    assert_eq!(fs::read_to_string(file).unwrap(), "{");
}

#[test]
fn enter_opens_the_memory_and_esc_comes_back() {
    let kit = kit();
    let mut wide = stage(&kit, (120, 40));
    wide.press("jj<enter>").unwrap();
    assert_eq!(wide.model().screen, Screen::Memories);
    assert_eq!(wide.model().current().unwrap().path.to_string(), "freeze.md");
    wide.press("<esc>").unwrap();
    assert_eq!((wide.model().screen, current(&wide).as_str()), (Screen::Checks, "relative-date freeze.md"));
    wide.press("<esc>").unwrap();
    assert_eq!(wide.model().screen, Screen::Memories);
    // On a narrow screen what is found comes first.
    let mut narrow = stage(&kit, (80, 24));
    narrow.press("jj<enter>").unwrap();
    assert_eq!(Context::of(narrow.model()), Context::Finding);
    assert!(narrow.text().contains("drop the old way"), "{}", narrow.text());
    narrow.press("<enter>").unwrap();
    assert_eq!(narrow.model().screen, Screen::Memories);
    narrow.press("<esc><esc>").unwrap();
    assert_eq!(Context::of(narrow.model()), Context::Checks);
}

#[test]
fn filter_groups_and_what_comes_late() {
    let kit = kit();
    let mut stage = stage(&kit, (120, 40));
    stage.press("/moved<enter>").unwrap();
    assert_eq!(current(&stage), "path-moved deploys.md");
    stage.press("<esc>").unwrap();
    assert_eq!(current(&stage), "path-moved deploys.md", "the cursor stays");
    stage.press("oo").unwrap();
    assert!(stage.text().contains("by memory"), "{}", stage.text());
    assert_eq!(current(&stage), "path-moved deploys.md");
    // Findings come in while the cursor is somewhere: it stays there.
    bring(&mut stage, [vec![finding("old", "deploys.md", "Releases", vec![])], findings()].concat());
    assert_eq!(current(&stage), "path-moved deploys.md");
    // An answer to an earlier question is dropped.
    let contents = stage.model().open().unwrap().contents.clone();
    stage.press("<f5>").unwrap();
    let late = Outcome::Checked(stage.model().checking.asked - 1, Ok(contents));
    let shown = stage.text();
    stage.act(Action::Outcome(late)).unwrap();
    assert_eq!(stage.text(), shown);
}

#[test]
fn what_deep_checks_found_stays_while_they_look_again() {
    let kit = kit();
    let mut stage = stage(&kit, (120, 40));
    stage.press("/nosuch").unwrap();
    assert!(stage.text().contains("Nothing matches."), "{}", stage.text());
    stage.press("<esc>!").unwrap();
    assert!(stage.text().contains("Nothing is silenced."), "{}", stage.text());
    stage.press("<esc>v").unwrap();
    assert!(message(&stage).contains("git show "), "{}", message(&stage));
    assert_eq!(stage.model().checking.progress, None);
    stage.press(":stop-checks<enter>").unwrap();
    assert!(message(&stage).contains("no checks are running"), "{}", message(&stage));
}

#[test]
fn the_page_of_checks_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/CHECKS.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, checks_md()).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == checks_md(), "docs/CHECKS.md is stale: UPDATE_DOCS=1 cargo test --test it checks");
}

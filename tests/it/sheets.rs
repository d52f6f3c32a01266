//! Journeys through "still true", rename, new, merge and promote: keys in, then the screen and the disk.

use crate::screen_kit::Kit;
use memcurator::app::action::Action;
use memcurator::app::model::Mode;
use memcurator::app::sheet::Stage as SheetStage;
use memcurator::shell::{Stage, Start};
use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

fn message(stage: &Stage) -> String {
    stage.model().message.as_ref().map(|message| message.text.clone()).unwrap_or_default()
}

fn current(stage: &Stage) -> String {
    stage.model().current().map(|entry| entry.path.to_string()).unwrap_or_default()
}

/// Keys that put the cursor on the memory with this name, and take the filter away again.
fn go(stage: &mut Stage, name: &str) {
    stage.press(&format!("/{}<enter><esc>", name.replace(' ', "<space>"))).unwrap();
}

fn typed(text: &str) -> String {
    text.replace('<', "<lt>").replace(' ', "<space>")
}

/// Every file of the store with its bytes and time.
fn all(kit: &Kit) -> Vec<(String, Vec<u8>, SystemTime)> {
    let time = |path: &str| fs::metadata(kit.store().join(path)).unwrap().modified().unwrap();
    kit.disk().into_iter().map(|(path, bytes)| (path.clone(), bytes, time(&path))).collect()
}

fn read(kit: &Kit, path: &str) -> String {
    fs::read_to_string(kit.store().join(path)).unwrap()
}

#[test]
fn still_true_renews_the_age_and_undo_gives_it_back() {
    let kit = Kit::new();
    let before = all(&kit);
    let mut stage = kit.stage((120, 40));
    go(&mut stage, "Dashboards");
    stage.press("t").unwrap();
    assert_eq!(message(&stage), "said that Dashboards still holds, u undoes");
    assert_eq!(stage.model().current().unwrap().age.unwrap().days, 0);
    assert_eq!(current(&stage), "reference_boards.md");
    assert!(all(&kit).iter().zip(&before).all(|(new, old)| new.1 == old.1), "no text changed");
    stage.press("u").unwrap();
    assert_eq!(all(&kit), before);
    // Marks win over the cursor, also hidden ones.
    stage.press("/editor<enter><space><esc>/odd<enter><space>t").unwrap();
    assert_eq!(message(&stage), "said that 2 memories still hold, u undoes");
    let renewed: Vec<_> = all(&kit).into_iter().zip(&before).filter(|(new, old)| new.2 != old.2).collect();
    let names: Vec<_> = renewed.iter().map(|(new, _)| new.0.as_str()).collect();
    assert_eq!(names, ["odd.md", "user_editor.md"]);
    stage.press("u").unwrap();
    assert_eq!(all(&kit), before);
}

#[test]
fn rename_shows_what_follows_and_takes_it_along() {
    let kit = Kit::new();
    let before = all(&kit);
    let mut stage = kit.stage((120, 40));
    go(&mut stage, "prefer-small-commits");
    stage.press("R").unwrap();
    let text = stage.text();
    assert!(text.contains("its file: small-commits.md"), "{text}");
    assert!(text.contains("2 other memories link to it and follow"), "{text}");
    // Esc and an unchanged name change nothing.
    stage.press("<bs>x<esc>").unwrap();
    assert!(stage.model().sheet.is_none());
    assert_eq!((message(&stage).as_str(), all(&kit) == before), ("nothing was changed", true));
    stage.press("R<enter>").unwrap();
    assert!(message(&stage).contains("called so already"));
    assert!(stage.model().sheet.is_some());
    // A taken file name is refused, and the form stays as it was.
    stage.press("<tab><c-u>odd<enter>").unwrap();
    assert!(message(&stage).contains("odd.md is taken by odd.md"), "{}", message(&stage));
    assert_eq!(stage.model().sheet.as_ref().unwrap().stage, SheetStage::Typing);
    assert!(stage.text().contains("its file: odd.md"), "{}", stage.text());
    assert_eq!(all(&kit), before);
    stage.press("<c-u>one-thing<s-tab><c-u>One<space>thing<enter>").unwrap();
    assert!(
        message(&stage).starts_with("renamed prefer-small-commits to one-thing.md"),
        "{}",
        message(&stage)
    );
    assert_eq!(current(&stage), "one-thing.md");
    assert!(!kit.names().contains(&"small-commits.md".into()));
    assert!(read(&kit, "one-thing.md").contains("name: One thing\n"));
    assert!(kit.index().contains("(one-thing.md)"));
    assert!(read(&kit, "project_refunds.md").contains("[commits](one-thing.md)"));
    assert!(!read(&kit, "integration-tests.md").contains("[[small-commits]]"));
    stage.press("u").unwrap();
    assert_eq!(all(&kit), before);
    assert_eq!(current(&stage), "small-commits.md");
}

#[test]
fn a_file_that_is_called_after_its_name_follows_it() {
    let kit = Kit::new();
    let mut stage = kit.stage((80, 24));
    go(&mut stage, "Dashboards");
    stage.press("R<c-u>Graphs<space>and<space>more").unwrap();
    assert!(stage.text().contains("its file: reference_boards.md"), "its file had another name");
    stage.press("<esc>").unwrap();
    kit.write("reference_charts.md", 1, b"---\nname: Charts\ntype: reference\n---\n\nThere.\n");
    stage.press("<f5>").unwrap();
    go(&mut stage, "Charts");
    stage.press("R<space>two").unwrap();
    assert!(stage.text().contains("its file: reference_charts_two.md"), "{}", stage.text());
    stage.press("<enter>").unwrap();
    assert!(kit.names().contains(&"reference_charts_two.md".into()));
    // A memory without a name has only its file's.
    go(&mut stage, "bare");
    stage.press("R<c-u>plain<enter>").unwrap();
    assert_eq!(read(&kit, "plain.md"), "No frontmatter at all.\n");
    assert!(kit.index().contains("(plain.md)"), "{}", kit.index());
}

#[test]
fn a_new_memory_is_written_as_the_others_are() {
    let kit = Kit::new();
    let before = all(&kit);
    let mut stage = kit.stage((120, 40));
    stage.press("n<esc>").unwrap();
    assert!(stage.model().sheet.is_none(), "nothing typed, nothing asked");
    stage.press("n<c-s>").unwrap();
    assert!(message(&stage).contains("write the fact first"));
    stage.press(&typed("Deploys wait for Monday.")).unwrap();
    let text = stage.text();
    assert!(text.contains("→ name: deploys-wait-for-monday") && text.contains("file: deploys"), "{text}");
    // Esc asks; Esc goes back, d throws away.
    stage.press("<esc>").unwrap();
    assert!(stage.text().contains("Unsaved text"), "{}", stage.text());
    stage.press("<esc>").unwrap();
    assert!(stage.text().contains("Deploys wait for Monday."));
    stage.press("<esc>d").unwrap();
    assert!(stage.model().sheet.is_none());
    assert_eq!(all(&kit), before);
    // Pasted text is text; keys that are commands elsewhere are too.
    stage.press("n").unwrap();
    stage.act(Action::Paste("dy*u\r\nq\u{1b}[31m".into())).unwrap();
    stage.press("<esc>d").unwrap();
    assert_eq!(all(&kit), before);
    stage
        .press(&format!(
            "n{}<tab><right><tab>{}<tab>{}",
            typed("Deploys wait."),
            typed("Nobody is there."),
            typed("Every Friday.")
        ))
        .unwrap();
    stage.press(&format!("<tab>{}<c-s>", typed("No Friday deploys"))).unwrap();
    assert_eq!(message(&stage), "wrote No Friday deploys, u undoes");
    let path = current(&stage);
    let text = read(&kit, &path);
    for part in [
        "name: No Friday deploys\n",
        "description: Deploys wait\n",
        "type: project\n",
        "**Why:** Nobody is there.\n",
        "**How to apply:** Every Friday.\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(kit.index().contains(&format!("[No Friday deploys]({path})")), "{}", kit.index());
    stage.press("u").unwrap();
    assert_eq!(all(&kit), before);
    // Saved from the question.
    stage.press(&format!("n{}<esc>s", typed("A fact."))).unwrap();
    assert!(message(&stage).starts_with("wrote a-fact"), "{}", message(&stage));
    stage.press("u").unwrap();
    assert_eq!(all(&kit), before);
}

#[test]
fn merge_asks_and_makes_one_of_the_marked() {
    let kit = Kit::new();
    let before = all(&kit);
    let mut stage = kit.stage((120, 40));
    stage.press("m").unwrap();
    assert!(message(&stage).contains("mark two or more memories first"), "{}", message(&stage));
    stage.press("/prefer-small<enter><space><esc>/real-db<enter><space><esc>m").unwrap();
    let text = stage.text();
    assert!(
        text.contains("integration-tests-real-db stays") && text.contains("prefer-small-commits goes"),
        "{text}"
    );
    // The one that stays comes first, and the text follows the choice.
    stage.press("<s-tab><right>").unwrap();
    let text = stage.text();
    assert!(text.contains("prefer-small-commits stays"), "{text}");
    for keys in ["<c-s>n", "<c-s><esc>"] {
        stage.press(keys).unwrap();
        assert_eq!((&stage.model().mode, all(&kit) == before), (&Mode::Browse, true), "{keys}");
        assert!(stage.model().sheet.is_some(), "{keys} goes back to the text");
    }
    stage.press("<c-s>").unwrap();
    assert!(stage.text().contains("Merge these 2 memories?"), "{}", stage.text());
    stage.press("y").unwrap();
    assert!(
        message(&stage).starts_with("merged integration-tests-real-db into prefer-small-commits"),
        "{}",
        message(&stage)
    );
    assert_eq!(current(&stage), "small-commits.md");
    assert!(stage.model().sheet.is_none() && stage.model().open().unwrap().list.marks.is_empty());
    assert!(!kit.names().contains(&"integration-tests.md".into()));
    let text = read(&kit, "small-commits.md");
    assert!(text.starts_with("---\nname: prefer-small-commits\n"), "{text}");
    assert!(text.contains("Split before asking for review.\n\nIntegration tests connect to"), "{text}");
    assert!(!kit.index().contains("integration-tests.md"));
    stage.press("u").unwrap();
    assert_eq!(all(&kit), before);
    // An edited text is asked about, and is what is written.
    stage.press("/prefer-small<enter><space><esc>/odd<enter><space><esc>m<c-home>X<esc><esc>").unwrap();
    assert!(stage.model().sheet.is_some());
    stage.press("<c-s>y").unwrap();
    let kept = if kit.names().contains(&"odd.md".into()) { "odd.md" } else { "small-commits.md" };
    assert!(read(&kit, kept).contains("---\n\nX"), "{}", read(&kit, kept));
    stage.press("u").unwrap();
    assert_eq!(all(&kit), before);
}

/// A kit whose store belongs to a project, and that project's CLAUDE.md.
fn in_a_project(kit: &Kit) -> (memcurator::shell::Session, PathBuf) {
    let project = kit.dir.path().canonicalize().unwrap().join("project");
    fs::create_dir_all(&project).unwrap();
    fs::write(project.join("CLAUDE.md"), "# Rules\n").unwrap();
    let mut session = kit.session("");
    if let Start::Store(located) = &mut session.start {
        located.project = Some(project.clone());
    }
    (session, project)
}

#[test]
fn promote_asks_and_moves_the_text() {
    let kit = Kit::new();
    let (session, project) = in_a_project(&kit);
    let rules = project.join("CLAUDE.md");
    let before = all(&kit);
    let mut stage = Stage::open(&session, (100, 30)).unwrap();
    go(&mut stage, "prefer-small-commits");
    stage.press("P").unwrap();
    assert!(stage.text().contains("/project/CLAUDE.md"), "{}", stage.text());
    for keys in ["<c-s>n", "<c-s><esc>"] {
        stage.press(keys).unwrap();
        assert!(stage.model().sheet.is_some() && all(&kit) == before, "{keys}");
        assert_eq!(fs::read_to_string(&rules).unwrap(), "# Rules\n");
    }
    stage.press("<tab><c-home>-<space><esc>").unwrap();
    assert!(stage.text().contains("Unsaved text"), "{}", stage.text());
    stage.press("<esc><c-s>y").unwrap();
    assert!(message(&stage).starts_with("promoted prefer-small-commits to "), "{}", message(&stage));
    assert!(message(&stage).contains("2 other memories link to it"), "{}", message(&stage));
    let text = fs::read_to_string(&rules).unwrap();
    assert!(text.starts_with("# Rules\n\n- One commit does one thing.\n\n**Why:**"), "{text}");
    assert!(!kit.names().contains(&"small-commits.md".into()));
    stage.press("u").unwrap();
    assert_eq!((all(&kit), fs::read_to_string(&rules).unwrap().as_str()), (before.clone(), "# Rules\n"));
    // A rule has a name, and is made with its directories.
    stage.press("P<right>").unwrap();
    assert!(stage.text().contains("rules/small-commits.md"), "{}", stage.text());
    stage.press("<tab><c-u>../x").unwrap();
    assert!(stage.text().contains("can't be the name of a rule"), "{}", stage.text());
    stage.press("<c-s>").unwrap();
    assert_eq!(stage.model().mode, Mode::Browse);
    stage.press("<c-u>commits<c-s>y").unwrap();
    let rule = project.join(".claude/rules/commits.md");
    assert!(
        fs::read_to_string(&rule).unwrap().starts_with("One commit does one thing.\n"),
        "{}",
        message(&stage)
    );
    stage.press("u").unwrap();
    assert_eq!((all(&kit), rule.exists()), (before.clone(), false));
    // A link is refused, and the text stays.
    fs::rename(&rules, project.join("AGENTS.md")).unwrap();
    std::os::unix::fs::symlink("AGENTS.md", &rules).unwrap();
    stage.press("P<c-s>y").unwrap();
    assert!(message(&stage).contains("is a link to AGENTS.md"), "{}", message(&stage));
    assert!(stage.model().sheet.is_some() && all(&kit) == before);
    assert_eq!(fs::read_to_string(&rules).unwrap(), "# Rules\n");
    drop(stage);
    // Where the project is not known there are only one's own instructions.
    let mut stage = kit.stage((100, 30));
    go(&mut stage, "prefer-small-commits");
    stage.press("P").unwrap();
    assert!(stage.text().contains("your own CLAUDE.md"), "{}", stage.text());
    stage.press("<c-s>y").unwrap();
    let own = kit.dir.path().join("home/.claude/CLAUDE.md");
    assert!(fs::read_to_string(&own).unwrap().starts_with("One commit"), "{}", message(&stage));
    stage.press("u").unwrap();
    assert_eq!((all(&kit), own.exists()), (before, false));
}

#[test]
fn forms_fit_small_and_large_terminals() {
    let kit = Kit::new();
    for size in [(60, 15), (80, 24), (200, 50)] {
        let mut stage = kit.stage(size);
        go(&mut stage, "Dashboards");
        for keys in ["R", "n", "P", "*m"] {
            stage.press(keys).unwrap();
            let text = stage.text();
            assert!(text.contains('→') && text.contains("done") && text.contains('▸'), "{keys}: {text}");
            stage.press("<f1><esc><esc>").unwrap();
            assert!(stage.model().sheet.is_none(), "{keys}");
        }
    }
}

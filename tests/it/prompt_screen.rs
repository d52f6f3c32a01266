//! Journeys on the Prompt screen, and what the Memories screen tells about the index: keys in, then what shows and what
//! is on the disk.

use crate::screen_kit::Kit;
use memcurator::app::action::{Action, Mouse};
use memcurator::app::model::{Mode, Screen};
use memcurator::app::preview::Part;
use memcurator::prompt::subject::Subject;
use memcurator::shell::{Session, Stage};
use std::fs;
use std::path::PathBuf;

const INDEX: &str =
    "- [Tests](integration-tests.md) — a real database\n- [Commits](small-commits.md) — one thing each\n";

/// A store of the agent home with a project whose sessions load it.
struct World {
    kit: Kit,
    project: PathBuf,
    store: PathBuf,
}

impl World {
    fn new(index: &str) -> Self {
        let kit = Kit::with(&[]);
        let root = kit.dir.path().canonicalize().unwrap();
        let project = root.join("pay");
        let slug: String = project
            .to_str()
            .unwrap()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        let store = root.join("home/.claude/projects").join(slug).join("memory");
        for (path, text) in [
            ("pay/.git/HEAD", ""),
            ("pay/CLAUDE.md", "Amounts are integers.\n\nSee @docs/money.md and @docs/gone.md\n"),
            ("pay/docs/money.md", "Round half to even.\n"),
            ("pay/.claude/rules/api.md", "---\npaths: src/api/**\n---\nVersion every route.\n"),
            ("pay/src/api/routes.rs", "fn main() {}\n"),
            ("home/.claude/CLAUDE.md", "Answer briefly.\n"),
        ] {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        fs::create_dir_all(&store).unwrap();
        for name in ["integration-tests", "small-commits", "bare"] {
            let text = format!(
                "---\nname: {name}\ndescription: about {name}\ntype: feedback\n---\n\n{name} says.\n"
            );
            fs::write(store.join(format!("{name}.md")), text).unwrap();
        }
        fs::write(store.join("MEMORY.md"), index).unwrap();
        Self { kit, project, store }
    }

    fn session(&self) -> Session {
        let mut session = self.kit.session("");
        if let memcurator::shell::Start::Store(located) = &mut session.start {
            located.dir = self.store.clone();
            located.project = Some(self.project.clone());
        }
        session.env.home = self.kit.dir.path().canonicalize().unwrap().join("home");
        session.env.cwd = self.project.clone();
        session.subject = Some(Subject::Client(self.project.clone()));
        session
    }

    fn stage(&self, size: (u16, u16)) -> Stage {
        Stage::open(&self.session(), size).unwrap()
    }

    fn index(&self) -> String {
        fs::read_to_string(self.store.join("MEMORY.md")).unwrap()
    }
}

fn message(stage: &Stage) -> String {
    stage.model().message.as_ref().map(|message| message.text.clone()).unwrap_or_default()
}

/// Shows the screen and says what is missing on it.
fn shows(stage: &Stage, parts: &[&str]) {
    let text = stage.text();
    for part in parts {
        assert!(text.contains(part), "{part:?} is not on the screen:\n{text}");
    }
}

#[test]
fn the_text_and_its_sources_show_with_what_does_not_load() {
    let world = World::new(INDEX);
    let mut stage = world.stage((120, 40));
    stage.press("2").unwrap();
    assert_eq!(stage.model().screen, Screen::Prompt);
    shows(
        &stage,
        &[
            "wording: built-in; order and cuts exact",
            "docs/money.md",
            "✗ import   docs/gone.md",
            "missing",
            "waits",
            "2/200",
        ],
    );
    stage.press("/round<space>half<enter>").unwrap();
    shows(&stage, &["Round half to even.", "found 1/1"]);
    assert_eq!(stage.model().prompt.part, Part::Text);
    let before = world.index();
    stage.press("<esc><esc><esc>").unwrap();
    assert_eq!(stage.model().screen, Screen::Memories);
    assert_eq!(world.index(), before);
}

#[test]
fn enter_leads_to_where_a_line_comes_from() {
    let world = World::new(INDEX);
    let mut stage = world.stage((80, 24));
    stage.press("2/amounts<enter><enter>").unwrap();
    assert!(matches!(stage.model().prompt.part, Part::File(_)));
    shows(&stage, &["CLAUDE.md, read only", "Amounts are integers."]);
    stage.press("<esc>").unwrap();
    assert_eq!(stage.model().prompt.part, Part::Text);
    stage.press("/[commits]<enter><enter>").unwrap();
    assert_eq!(stage.model().screen, Screen::Memories);
    assert_eq!(stage.model().current().unwrap().name, "small-commits");
    stage.press("2/answer<enter>g<enter>").unwrap();
    assert!(message(&stage).contains("no part of the text"), "{}", message(&stage));
    stage.press("j<enter>").unwrap();
    assert!(message(&stage).contains("from no file"), "{}", message(&stage));
}

#[test]
fn what_else_would_load_if_a_file_were_opened() {
    let world = World::new(INDEX);
    let mut stage = world.stage((120, 40));
    stage.press("2osrc/api/routes.rs<enter>").unwrap();
    shows(
        &stage,
        &["if the agent opened src/api/routes.rs", ".claude/rules/api.md", "src/api", "Version every route."],
    );
    stage.press("o<c-u>nope.rs<enter>").unwrap();
    shows(&stage, &["if the agent opened nope.rs", "there is no such file to read"]);
    stage.press("<esc>").unwrap();
    assert!(stage.model().prompt.open.is_empty() && stage.model().screen == Screen::Prompt);
    assert!(!stage.text().contains("if the agent opened"), "{}", stage.text());
}

#[test]
fn the_text_is_saved_to_a_new_file_outside_of_the_store_only() {
    let world = World::new(INDEX);
    let mut stage = world.stage((120, 40));
    stage.press("2:save-prompt<enter>out.txt<enter>").unwrap();
    let out = world.project.join("out.txt");
    assert!(message(&stage).starts_with("saved to"), "{}", message(&stage));
    let saved = fs::read_to_string(&out).unwrap();
    assert!(saved.contains("Answer briefly.") && saved.contains("# Memory"));
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(fs::metadata(&out).unwrap().permissions().mode() & 0o777, 0o600);
    stage.press(":save-prompt<enter>out.txt<enter>").unwrap();
    assert!(message(&stage).contains("exists already; nothing was saved"), "{}", message(&stage));
    let inside = world.store.join("x.md");
    stage.press(":save-prompt<enter>").unwrap();
    stage.act(Action::Paste(inside.to_string_lossy().into_owned())).unwrap();
    stage.press("<enter>").unwrap();
    assert!(message(&stage).contains("in the store of memories"), "{}", message(&stage));
    assert!(!inside.exists());
}

#[test]
fn a_change_of_the_store_and_of_files_shows_when_the_screen_is_looked_at_again() {
    let world = World::new(INDEX);
    let mut stage = world.stage((120, 40));
    stage.press("2").unwrap();
    fs::write(world.project.join("CLAUDE.md"), "Quite another text.\n").unwrap();
    stage.press("<f5>").unwrap();
    shows(&stage, &["Quite another text."]);
    stage.press("1/small<enter><esc>d2").unwrap();
    assert!(!stage.text().contains("[Commits]"), "{}", stage.text());
}

#[test]
fn one_pane_shows_at_a_time_where_it_is_narrow_and_the_mouse_works() {
    let world = World::new(INDEX);
    let mut stage = world.stage((80, 24));
    stage.press("2").unwrap();
    shows(&stage, &["at the start · again"]);
    stage.press("<tab>").unwrap();
    assert!(!stage.text().contains("at the start · again"));
    shows(&stage, &["│ # Memory"]);
    stage.press("<tab>").unwrap();
    let row = stage.text().lines().position(|line| line.contains("docs/money.md")).unwrap();
    let click = Mouse::DoubleClick(20, u16::try_from(row).unwrap());
    stage.act(Action::Mouse(Mouse::Click(20, u16::try_from(row).unwrap()))).unwrap();
    stage.act(Action::Mouse(click)).unwrap();
    shows(&stage, &["docs/money.md, read only", "Round half to even."]);
    stage.press("<esc>").unwrap();
    let mut wide = world.stage((120, 40));
    wide.act(Action::Mouse(Mouse::Click(16, 1))).unwrap();
    assert_eq!(wide.model().screen, Screen::Prompt);
    wide.act(Action::Mouse(Mouse::Click(90, 8))).unwrap();
    assert_eq!(wide.model().prompt.part, Part::Text);
    wide.act(Action::Mouse(Mouse::Wheel(90, 8, 1))).unwrap();
}

#[test]
fn a_store_without_a_project_shows_the_index_alone_and_says_so() {
    let kit = Kit::new();
    let mut stage = kit.stage((120, 40));
    stage.press("2").unwrap();
    shows(&stage, &["the index alone:", "no project is known", "[Refunds](project_refunds.md)"]);
}

#[test]
fn lost_memories_are_named_and_lead_to_the_memories_screen() {
    let mut index: String = (0..200).map(|n| format!("- line {n}\n")).collect();
    index.push_str(INDEX);
    let world = World::new(&index);
    let mut stage = world.stage((120, 60));
    stage.press("2").unwrap();
    shows(&stage, &["below the cut, not seen  2", "✗ memory   small-commits.md", "202/200"]);
    stage.press("G").unwrap();
    shows(&stage, &["┄ cut: 200 lines; 2 memories below are not seen"]);
    stage.press("<enter>").unwrap();
    assert_eq!(stage.model().current().unwrap().name, "small-commits");
    shows(&stage, &["not seen"]);
}

#[test]
fn marks_tell_live_what_would_be_free() {
    let mut index: String = (0..199).map(|n| format!("- line {n}\n")).collect();
    index.push_str(INDEX);
    let world = World::new(&index);
    let mut stage = world.stage((120, 40));
    stage.press("/small<enter><esc><space>").unwrap();
    shows(&stage, &["1 marked", "this frees 1 line, 47: it fits"]);
    stage.press("<space>").unwrap();
    stage.press("*").unwrap();
    shows(&stage, &["these free 2 lines, 97: it fits"]);
    stage.press("*").unwrap();
    assert!(!stage.text().contains("free"), "{}", stage.text());
}

#[test]
fn before_and_after_tells_what_would_change_and_writes_nothing() {
    let world = World::new(INDEX);
    let mut stage = world.stage((120, 40));
    let before = world.kit.disk();
    stage.press("/small<enter><esc><space>=").unwrap();
    assert!(matches!(stage.model().mode, Mode::Report(_)), "{}", message(&stage));
    shows(
        &stage,
        &["Before and after", "nothing is written", "- - [Commits](small-commits.md) — one thing each"],
    );
    stage.press("<esc>").unwrap();
    assert_eq!(world.kit.disk(), before);
    assert_eq!(world.index(), INDEX);
    // What no line names changes nothing for the agent.
    stage.press("<esc>/bare<enter><esc>=").unwrap();
    shows(&stage, &["nothing would change in what the next session is given"]);
}

#[test]
fn a_memory_as_the_agent_reads_it_has_the_note_from_two_days_on() {
    let kit = Kit::new();
    let mut stage = kit.stage((120, 40));
    stage.press("/commits<space>prefer<enter><esc>a").unwrap();
    shows(
        &stage,
        &[
            "as the agent sees it",
            "This file was last changed 3 days ago.",
            "   1  ---",
            "   2  name: prefer-small-commits",
        ],
    );
    stage.press("/integration<enter><esc>").unwrap();
    shows(&stage, &["(no note about its age)"]);
    stage.press("a").unwrap();
    assert!(!stage.text().contains("no note about"), "{}", stage.text());
}

#[test]
fn the_index_is_repaired_from_the_palette_after_a_question_with_the_budget() {
    let world =
        World::new("- [Tests](integration-tests.md)\n- [Gone](gone.md)\n- [Tests](integration-tests.md)\n");
    let mut stage = world.stage((120, 40));
    let before = world.index();
    stage.press(":index-drop<enter>").unwrap();
    shows(
        &stage,
        &["Repair the index like this?", "dropped 1 line", "before: 3/200 lines", "after: 2/200 lines"],
    );
    stage.press("n").unwrap();
    assert_eq!(world.index(), before);
    stage.press(":index-drop<enter>y").unwrap();
    assert_eq!(world.index(), "- [Tests](integration-tests.md)\n- [Tests](integration-tests.md)\n");
    stage.press(":index-remove<enter>y:index-add<enter>y").unwrap();
    assert_eq!(
        world.index(),
        "- [Tests](integration-tests.md)\n- [bare](bare.md) — about bare\n- [small-commits](small-commits.md) — about small-commits\n"
    );
    stage.press("uuu").unwrap();
    assert_eq!(world.index(), before);
    stage.press(":index-move<enter>").unwrap();
    assert!(message(&stage).contains("needs no such repair"), "{}", message(&stage));
}

#[test]
fn a_long_line_is_proposed_shorter_and_edited_by_the_person() {
    let long = format!("- [Tests](integration-tests.md) — {}\n", "word ".repeat(50));
    let world = World::new(&long);
    let mut stage = world.stage((120, 40));
    stage.press("/integration<enter><esc>:index-shorten<enter>").unwrap();
    shows(&stage, &["the line is to say:"]);
    stage.press("<bs>!<enter>").unwrap();
    shows(&stage, &["rewrote line 1"]);
    stage.press("y").unwrap();
    let index = world.index();
    assert!(
        index.starts_with("- [Tests](integration-tests.md) — word") && index.ends_with("word!\n"),
        "{index}"
    );
    assert!(index.chars().count() < 155);
}

/// A file that people write is edited where a line of the prompt led to it, in the person's own editor.
#[test]
fn a_source_is_edited_in_ones_own_editor() {
    let world = World::new(INDEX);
    let program = world.project.join("edit.sh");
    fs::write(&program, "#!/bin/sh\nfor file; do :; done\nprintf 'Never round twice.\\n' >> \"$file\"\n")
        .unwrap();
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let open = |editor: &str| {
        let mut session = world.session();
        session.env.vars.insert("VISUAL".into(), editor.into());
        let mut stage = Stage::open(&session, (100, 30)).unwrap();
        stage.press("2/half<enter><enter>").unwrap();
        shows(&stage, &["docs/money.md, read only", "E edit"]);
        stage.press("E").unwrap();
        stage
    };
    let mut stage = open(program.to_str().unwrap());
    let money = || fs::read_to_string(world.project.join("docs/money.md")).unwrap();
    assert_eq!(money(), "Round half to even.\nNever round twice.\n");
    shows(&stage, &["Never round twice."]);
    stage.press("<esc>/twice<enter>").unwrap();
    shows(&stage, &["found 1/1"]);
    let stage = open("false");
    assert!(message(&stage).contains("ended with status 1"), "{}", message(&stage));
    assert_eq!(money(), "Round half to even.\nNever round twice.\n");
}

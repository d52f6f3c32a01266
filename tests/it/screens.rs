//! Journeys on the screens: keys in, then what shows and what is on the disk.

use crate::screen_kit::{FILES, Kit};
use memcurator::app::action::{Action, Mouse};
use memcurator::app::model::{Focus, Mode, Screen};
use memcurator::shell::{End, Print, Replay, Stage, run};
use ratatui::style::{Color, Modifier};

/// The name of the entry under the cursor.
fn current(stage: &Stage) -> String {
    stage.model().current().map(|entry| entry.name.clone()).unwrap_or_default()
}

fn message(stage: &Stage) -> String {
    stage.model().message.as_ref().map(|message| message.text.clone()).unwrap_or_default()
}

/// Keys that put the cursor on the memory with this name, and take the filter away again.
fn go(stage: &mut Stage, name: &str) {
    stage.press(&format!("/{}<enter><esc>", name.replace(' ', "<space>"))).unwrap();
    assert_eq!(current(stage), name);
}

#[test]
fn screens_in_three_sizes() {
    let kit = Kit::new();
    for (name, size) in [("80x24", (80, 24)), ("120x40", (120, 40)), ("200x50", (200, 50))] {
        let mut stage = kit.stage(size);
        insta::assert_snapshot!(format!("first_{name}"), stage.text());
        go(&mut stage, "Refunds need two approvals");
        stage.press("<enter>").unwrap();
        insta::assert_snapshot!(format!("full_{name}"), stage.text());
    }
}

#[test]
fn windows_at_the_smallest_usual_size() {
    let kit = Kit::new();
    let mut stage = kit.stage((80, 24));
    stage.press("?park").unwrap();
    insta::assert_snapshot!("help_80x24", stage.text());
    stage.press("<esc>:order").unwrap();
    insta::assert_snapshot!("palette_80x24", stage.text());
    stage.press("<esc>*d").unwrap();
    insta::assert_snapshot!("question_80x24", stage.text());
    let stores = Stage::open(&kit.stores_session(), (80, 24)).unwrap();
    insta::assert_snapshot!("stores_80x24", stores.text());
}

#[test]
fn too_small_says_so_and_recovers() {
    let kit = Kit::new();
    let mut stage = kit.stage((59, 24));
    let said = stage.text().replace('\n', " ");
    assert!(
        said.starts_with("memcurator needs 60 columns and 15 rows; this terminal has 59 and 24."),
        "{said}"
    );
    stage.resize((60, 15)).unwrap();
    assert!(stage.text().contains("11 memories"), "{}", stage.text());
    assert!(stage.text().contains("index 10/200"), "{}", stage.text());
    for size in [(1, 1), (3, 2), (60, 14), (400, 120)] {
        stage.resize(size).unwrap();
    }
}

#[test]
fn every_theme_reads_and_mono_has_no_colour() {
    let kit = Kit::new();
    for theme in ["terminal", "dark", "light", "mono"] {
        let mut stage = Stage::open(&kit.session(theme), (120, 40)).unwrap();
        stage.press("/test<enter>j<space>").unwrap();
        let buffer = stage.buffer();
        if theme == "mono" {
            assert!(buffer.content.iter().all(|cell| (cell.fg, cell.bg) == (Color::Reset, Color::Reset)));
            assert!(buffer.content.iter().any(|cell| cell.modifier.contains(Modifier::REVERSED)));
        } else {
            assert!(buffer.content.iter().any(|cell| cell.fg != Color::Reset));
        }
        if theme == "terminal" {
            assert!(buffer.content.iter().all(|cell| !matches!(cell.fg, Color::Indexed(_) | Color::Rgb(..))));
        }
    }
    let mut session = kit.session("");
    session.env.vars.insert("NO_COLOR".into(), "1".into());
    let stage = Stage::open(&session, (120, 40)).unwrap();
    assert!(stage.buffer().content.iter().all(|cell| cell.fg == Color::Reset));
    // What the colour of an age would say, a letter says.
    assert!(stage.text().contains(" 8moO"), "{}", stage.text());
    session.theme = "nosuch".into();
    assert!(
        Stage::open(&session, (80, 24)).err().unwrap().to_string().contains("terminal, dark, light, mono")
    );
}

#[test]
fn groups_come_in_their_order_and_each_memory_once() {
    let kit = Kit::new();
    let stage = kit.stage((120, 60));
    let text = stage.text();
    let at = |head: &str| text.find(&format!("\n {head}  ")).unwrap_or_else(|| panic!("{head}: {text}"));
    let heads = ["user", "feedback", "project", "reference", "ritual (not one of the four types)", "no type"];
    let places: Vec<_> = heads.iter().map(|head| at(head)).collect();
    assert!(places.is_sorted(), "{text}");
    let open = stage.model().open().unwrap();
    let mut shown: Vec<_> = open.list.shown().collect();
    shown.sort_unstable();
    assert_eq!(shown, (0..open.contents.entries.len()).collect::<Vec<_>>());
    assert!(!text.contains("notes.bak"));
    assert!(text.contains("notes/ Deep"));
}

#[test]
fn nothing_raw_reaches_the_terminal() {
    let kit = Kit::new();
    kit.write("esc\u{1b}[2Jname.md", 1, b"\x1b]0;title\x07 \xff\xfe bytes\n");
    kit.write("new\nline.md", 1, "---\nname: \"two\\nlines\u{7}\"\n---\n# \u{9b}31m\n".as_bytes());
    let mut stage = kit.stage((120, 40));
    for _ in 0..FILES.len() + 2 {
        for char in stage.text().chars().filter(|char| *char != '\n') {
            assert!(
                !char.is_control() && !('\u{202a}'..='\u{202e}').contains(&char),
                "{char:?}: {}",
                stage.text()
            );
        }
        stage.press("j").unwrap();
    }
}

#[test]
fn wide_and_combining_characters_stay_in_their_columns() {
    let kit = Kit::new();
    let mut stage = kit.stage((120, 40));
    go(&mut stage, "中文 notes e\u{301}");
    let buffer = stage.buffer();
    let divider = (0..120).find(|x| buffer[(*x, 5)].symbol() == "│").unwrap();
    for y in 3..38 {
        assert_eq!(buffer[(divider, y)].symbol(), "│", "row {y}: {}", stage.text());
    }
}

#[test]
fn the_filter_narrows_while_typing_is_kept_by_enter_and_cleared_by_esc() {
    let kit = Kit::new();
    let mut stage = kit.stage((120, 40));
    stage.press("/DATABASE").unwrap();
    assert!(stage.text().contains("/ DATABASE  1 of 11"), "{}", stage.text());
    assert_eq!(current(&stage), "integration-tests-real-db");
    stage.press("<bs><bs><bs><bs><bs><bs><bs><bs>small type:feed").unwrap();
    assert!(stage.text().contains("2 of 11"), "{}", stage.text());
    stage.press("<enter>").unwrap();
    assert_eq!(stage.model().mode, Mode::Browse);
    assert!(stage.text().contains("2 of 11"));
    stage.press("<esc>").unwrap();
    assert!(!stage.text().contains("of 11"));
    stage.press("/qqq").unwrap();
    assert!(stage.text().contains("Nothing matches."));
    stage.press("<esc>").unwrap();
    assert_eq!(stage.model().open().unwrap().list.shown().count(), 12);
    stage.press("/flag:orphan<enter>").unwrap();
    assert!(stage.text().contains("3 of 11"), "{}", stage.text());
}

#[test]
fn what_matches_is_set_off_in_list_and_text() {
    let kit = Kit::new();
    let mut stage = kit.stage((120, 40));
    stage.press("/refund<enter>").unwrap();
    let set_off: String = stage
        .buffer()
        .content
        .iter()
        .filter(|cell| cell.bg == Color::Yellow || cell.modifier.contains(Modifier::UNDERLINED))
        .map(|cell| cell.symbol())
        .collect();
    assert!(set_off.to_lowercase().matches("refund").count() >= 4, "{set_off}");
    assert!(!set_off.contains("approval"), "{set_off}");
}

#[test]
fn orders_cycle_and_are_named() {
    let kit = Kit::new();
    let mut stage = kit.stage((80, 24));
    stage.press("/type:project<enter>").unwrap();
    let names = |stage: &Stage| -> Vec<String> {
        let open = stage.model().open().unwrap();
        open.list.shown().map(|at| open.contents.entries[at].path.to_string()).collect()
    };
    let newest = names(&stage);
    stage.press("o").unwrap();
    assert!(stage.text().contains("by age, oldest first"));
    stage.press("o").unwrap();
    let by_name = names(&stage);
    assert_ne!(newest, by_name);
    stage.press("o").unwrap();
    assert!(stage.text().contains("by size, largest first"));
    stage.press("o").unwrap();
    assert_eq!(names(&stage), newest);
}

#[test]
fn delete_one_asks_nothing_and_the_cursor_stays_at_the_neighbour() {
    let kit = Kit::new();
    let before = kit.disk();
    let mut stage = kit.stage((120, 40));
    go(&mut stage, "Dashboards");
    stage.press("d").unwrap();
    assert_eq!(stage.model().mode, Mode::Browse);
    assert!(message(&stage).contains("undoes"), "{}", message(&stage));
    assert!(!kit.names().contains(&"reference_boards.md".to_string()));
    assert!(!kit.index().contains("Dashboards"));
    assert_eq!(current(&stage), "Odd one");
    stage.press("u").unwrap();
    assert_eq!(kit.disk(), before);
    assert_eq!(current(&stage), "Dashboards");
    stage.press("<c-r>").unwrap();
    assert!(!kit.names().contains(&"reference_boards.md".to_string()));
    stage.press("u<c-z>").unwrap();
    assert_eq!(kit.disk(), before);
}

#[test]
fn undo_and_redo_after_a_restart() {
    let kit = Kit::new();
    let before = kit.disk();
    let mut stage = kit.stage((80, 24));
    stage.press("/odd<enter>d").unwrap();
    let after = kit.disk();
    assert_ne!(after, before);
    drop(stage);
    let mut stage = kit.stage((80, 24));
    stage.press("u").unwrap();
    assert_eq!(kit.disk(), before);
    drop(stage);
    let mut stage = kit.stage((80, 24));
    stage.press("<c-r>").unwrap();
    assert_eq!(kit.disk(), after);
    stage.press("<c-r>").unwrap();
    assert_eq!(message(&stage), "there is nothing to redo");
}

#[test]
fn delete_what_others_link_to_asks_and_names_them() {
    let kit = Kit::new();
    let before = kit.disk();
    let mut stage = kit.stage((120, 40));
    go(&mut stage, "prefer-small-commits");
    stage.press("d").unwrap();
    let text = stage.text();
    assert!(text.contains("Delete this memory?"), "{text}");
    assert!(text.contains("linked from"), "{text}");
    assert!(text.contains("integration-tests-real-db"), "{text}");
    for keys in ["<enter>", "x", "<space>"] {
        stage.press(keys).unwrap();
        assert!(matches!(stage.model().mode, Mode::Question(_)), "{keys}");
        assert_eq!(kit.disk(), before);
    }
    stage.press("n").unwrap();
    assert_eq!(stage.model().mode, Mode::Browse);
    stage.press("d<esc>").unwrap();
    assert_eq!(stage.model().mode, Mode::Browse);
    assert_eq!(kit.disk(), before);
    stage.press("dy").unwrap();
    assert!(!kit.names().contains(&"small-commits.md".to_string()));
}

#[test]
fn marks_win_over_the_cursor_and_hidden_ones_are_named() {
    let kit = Kit::new();
    let before = kit.disk();
    let mut stage = kit.stage((120, 40));
    go(&mut stage, "Odd one");
    stage.press("<space>").unwrap();
    go(&mut stage, "Editor");
    stage.press("<space>/dashboards<enter>").unwrap();
    assert!(stage.text().contains("2 marked, 2 of them not shown"), "{}", stage.text());
    stage.press("d").unwrap();
    let text = stage.text();
    assert!(text.contains("Delete these 2 memories?"), "{text}");
    assert!(text.contains("Odd one  (not shown now)") || text.contains("Odd one (not shown now)"), "{text}");
    stage.press("<enter>").unwrap();
    assert_eq!(kit.disk(), before);
    stage.press("n").unwrap();
    assert_eq!(kit.disk(), before);
    stage.press("d<esc>").unwrap();
    assert_eq!(kit.disk(), before);
    stage.press("dy").unwrap();
    let names = kit.names();
    assert!(!names.contains(&"odd.md".into()) && !names.contains(&"user_editor.md".into()));
    assert!(names.contains(&"reference_boards.md".into()), "the cursor's own is left alone");
    stage.press("u").unwrap();
    assert_eq!(kit.disk(), before, "one step takes both back");
}

#[test]
fn a_range_and_all_shown() {
    let kit = Kit::new();
    let mut stage = kit.stage((120, 40));
    let marked = |stage: &Stage| {
        let open = stage.model().open().unwrap();
        open.list.marked(&open.contents).len()
    };
    stage.press("gvjj").unwrap();
    assert_eq!(marked(&stage), 3);
    stage.press("<esc>").unwrap();
    assert_eq!(marked(&stage), 0);
    stage.press("gvjv").unwrap();
    assert_eq!(marked(&stage), 2);
    stage.press("<esc>").unwrap();
    assert_eq!(marked(&stage), 0);
    stage.press("/type:project<enter>*").unwrap();
    assert_eq!(marked(&stage), 4);
    stage.press("<esc>").unwrap();
    assert_eq!(marked(&stage), 4, "the filter goes first");
    stage.press("<esc>").unwrap();
    assert_eq!(marked(&stage), 0);
    stage.press("**").unwrap();
    assert_eq!(marked(&stage), 0);
}

#[test]
fn park_takes_the_line_out_and_puts_it_back() {
    let kit = Kit::new();
    let before = kit.disk();
    let mut stage = kit.stage((120, 40));
    go(&mut stage, "Editor");
    stage.press("p").unwrap();
    assert!(!kit.index().contains("user_editor.md"));
    assert!(kit.names().contains(&"user_editor.md".into()));
    assert_eq!(current(&stage), "Editor");
    assert!(stage.text().contains("parked"), "{}", stage.text());
    stage.press("p").unwrap();
    assert_eq!(kit.disk(), before);
    // One that was never listed gets a line.
    go(&mut stage, "Broken yaml");
    stage.press("p").unwrap();
    assert!(kit.index().contains("(broken.md)"), "{}", kit.index());
    stage.press("u").unwrap();
    assert_eq!(kit.disk(), before);
}

#[test]
fn a_key_that_cannot_act_says_why() {
    let kit = Kit::with(&[("a.md", "one\n")]);
    let mut stage = kit.stage((80, 24));
    stage.press("p").unwrap();
    assert!(message(&stage).contains("no index"), "{}", message(&stage));
    stage.press("<bs>").unwrap();
    assert_eq!(message(&stage), "Backspace (back): no link was followed");
    stage.press("u").unwrap();
    assert_eq!(message(&stage), "there is nothing to undo");
    stage.press("x").unwrap();
    assert_eq!(message(&stage), "x does nothing here; ? shows every key");
    stage.press("<enter>l").unwrap();
    assert!(message(&stage).contains("no links"));
    stage.press("<esc>/zzz<enter>d").unwrap();
    assert!(message(&stage).contains("nothing matches"));
}

#[test]
fn links_are_followed_and_back() {
    let kit = Kit::new();
    let mut stage = kit.stage((120, 40));
    go(&mut stage, "Refunds need two approvals");
    stage.press("<tab>l<enter>").unwrap();
    assert_eq!(current(&stage), "prefer-small-commits");
    assert_eq!(stage.model().open().unwrap().pane.focus, Focus::Memory);
    // Links in follow those out.
    stage.press("l<enter>").unwrap();
    assert_eq!(current(&stage), "integration-tests-real-db");
    stage.press("<bs><bs>").unwrap();
    assert_eq!(current(&stage), "Refunds need two approvals");
    // A target that the filter hides shows the filter cleared.
    stage.press("<esc>/refunds<space>approvals<enter><tab>l<enter>").unwrap();
    assert_eq!(current(&stage), "prefer-small-commits");
    assert!(message(&stage).contains("cleared the filter"));
}

#[test]
fn pasted_text_is_never_taken_for_commands() {
    let kit = Kit::new();
    let before = kit.disk();
    let mut stage = kit.stage((80, 24));
    stage.act(Action::Paste("dddy*dyq".into())).unwrap();
    assert_eq!(kit.disk(), before);
    assert!(message(&stage).contains("never taken for commands"));
    stage.press("*d").unwrap();
    stage.act(Action::Paste("y".into())).unwrap();
    assert_eq!(kit.disk(), before);
    stage.press("n/").unwrap();
    stage.act(Action::Paste("small\ncommits".into())).unwrap();
    assert!(stage.text().contains("/ small commits"), "{}", stage.text());
}

#[test]
fn the_mouse_selects_scrolls_and_opens() {
    let kit = Kit::new();
    let mut stage = kit.stage((120, 40));
    let row = |stage: &Stage, name: &str| {
        let line = stage.text().lines().position(|line| line.contains(name)).unwrap();
        u16::try_from(line).unwrap()
    };
    let y = row(&stage, "Odd one");
    stage.act(Action::Mouse(Mouse::Click(20, y))).unwrap();
    assert_eq!(current(&stage), "Odd one");
    stage.act(Action::Mouse(Mouse::DoubleClick(20, y))).unwrap();
    assert_eq!(stage.model().open().unwrap().pane.focus, Focus::Full);
    stage.press("<esc>g").unwrap();
    stage.act(Action::Mouse(Mouse::Wheel(20, 10, 1))).unwrap();
    assert_eq!(current(&stage), current(&stage));
    for (name, screen) in [("4 Checks", Screen::Checks), ("5 Stores", Screen::Stores)] {
        let tabs = stage.text().lines().nth(1).unwrap().to_owned();
        let at = tabs.chars().count() - tabs.split_once(name).unwrap().1.chars().count() - 2;
        stage.act(Action::Mouse(Mouse::Click(u16::try_from(at).unwrap(), 1))).unwrap();
        assert_eq!(stage.model().screen, screen);
    }
    stage.act(Action::Mouse(Mouse::Click(3, 1))).unwrap();
    assert_eq!(stage.model().screen, Screen::Memories);
}

#[test]
fn stores_open_with_enter() {
    let kit = Kit::new();
    // It is found there when the list is shown again.
    let empty = kit.dir.path().join("home/.claude/projects/-home-ann-src-empty/memory");
    std::fs::create_dir_all(empty).unwrap();
    let mut stage = Stage::open(&kit.stores_session(), (80, 24)).unwrap();
    stage.press("1").unwrap();
    assert!(message(&stage).contains("no store is open"));
    stage.press("j<enter>").unwrap();
    assert_eq!(stage.model().screen, Screen::Memories);
    assert!(stage.text().contains("payments"), "{}", stage.text());
    assert!(stage.text().contains("11 memories"));
    stage.press("5k<enter>").unwrap();
    assert!(stage.text().contains("There are no memories here yet."), "{}", stage.text());
}

#[test]
fn a_store_that_is_not_there_is_explained() {
    let kit = Kit::with(&[]);
    std::fs::remove_dir_all(kit.store()).unwrap();
    let mut stage = kit.stage((80, 24));
    assert!(stage.text().contains("could not be read"), "{}", stage.text());
    stage.press("d").unwrap();
    assert!(message(&stage).contains("could not be read"));
    stage.press("q").unwrap();
}

#[test]
fn someone_else_changes_the_index_meanwhile() {
    let kit = Kit::new();
    let mut stage = kit.stage((80, 24));
    go(&mut stage, "Odd one");
    let mut index = kit.index();
    index.push_str("- [New](small-commits.md) — written by the agent\n");
    kit.write("MEMORY.md", 0, index.as_bytes());
    stage.press("d").unwrap();
    let names = kit.names();
    // Either it was refused and all is as it was, or it went through and the foreign line is kept.
    assert!(kit.index().contains("written by the agent"));
    assert_eq!(names.contains(&"odd.md".to_string()), kit.index().contains("odd.md"));
    stage.press("/odd<enter>d").unwrap();
    assert!(kit.index().contains("written by the agent"));
    assert!(!kit.names().contains(&"odd.md".to_string()), "{}", stage.text());
}

#[test]
fn quick_keys_meet_what_the_person_sees() {
    let kit =
        Kit::with(&[("a.md", "1"), ("b.md", "2"), ("c.md", "3"), ("d.md", "4"), ("MEMORY.md", "# I\n")]);
    let mut stage = kit.stage((80, 24));
    stage.press("oo").unwrap();
    stage.press("gdd").unwrap();
    assert_eq!(kit.names(), ["MEMORY.md", "c.md", "d.md"]);
    stage.press("uu").unwrap();
    assert_eq!(kit.names().len(), 5);
}

#[test]
fn a_replay_prints_text_or_a_picture() {
    let kit = Kit::new();
    let mut session = kit.session("dark");
    let mut print = |print| {
        session.replay = Some(Replay { keys: "/refund<enter>".into(), size: (100, 30), print });
        let mut out = Vec::new();
        assert_eq!(run(session.clone(), &mut out).unwrap(), End::Left);
        String::from_utf8(out).unwrap()
    };
    let text = print(Print::Text);
    assert_eq!(text.lines().count(), 30);
    assert!(text.contains("Refunds need two approvals"));
    let svg = print(Print::Svg);
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("memcurator"));
    session.replay = Some(Replay { keys: "<nosuch>".into(), size: (80, 24), print: Print::Text });
    assert!(run(session, &mut Vec::new()).unwrap_err().to_string().contains("<nosuch>"));
}

#[test]
fn a_line_of_a_megabyte_shows_at_once_and_to_its_end() {
    let long = format!("start {} end", "word ".repeat(200_000));
    let kit = Kit::with(&[("long.md", &long)]);
    let begin = std::time::Instant::now();
    let mut stage = kit.stage((120, 40));
    assert!(stage.text().contains("start word"));
    stage.press("<enter>G").unwrap();
    assert!(stage.text().contains(" end"), "{}", stage.text());
    // Generous, for slow machines: what hangs takes minutes.
    assert!(begin.elapsed().as_secs() < 20, "{:?}", begin.elapsed());
}

#[test]
fn looking_changes_nothing_on_the_disk() {
    let kit = Kit::new();
    let stat = |kit: &Kit| -> Vec<_> {
        let files = kit.names();
        files
            .iter()
            .map(|name| std::fs::metadata(kit.store().join(name)).unwrap().modified().unwrap())
            .collect()
    };
    let (before, disk) = (stat(&kit), kit.disk());
    let mut stage = kit.stage((120, 40));
    stage.press("jjj<enter>G<esc>/a<enter>o!Y<tab>Y<esc>5?x<esc>q").unwrap();
    drop(stage);
    assert_eq!((stat(&kit), kit.disk()), (before, disk));
}

#[test]
fn every_store_of_the_corpus_shows_every_memory() {
    let Some(shared) = crate::shared() else { return };
    let mut seen = 0;
    for store in std::fs::read_dir(shared.join("corpus")).unwrap() {
        let kit = Kit::with(&[]);
        let mut session = kit.session("");
        let dir = store.unwrap().path();
        if let memcurator::shell::Start::Store(located) = &mut session.start {
            located.dir = dir.clone();
        }
        let mut stage = Stage::open(&session, (100, 30)).unwrap();
        let count = stage.model().open().unwrap().list.shown().count();
        for at in 0..count {
            if at % 7 == 0 {
                stage.press("<enter>G<esc>").unwrap();
            }
            for char in stage.text().chars().filter(|char| *char != '\n') {
                assert!(!char.is_control(), "{char:?} in {}", dir.display());
            }
            assert!(!current(&stage).is_empty(), "{}", dir.display());
            stage.press("j").unwrap();
        }
        seen += count;
    }
    assert!(seen > 0);
}

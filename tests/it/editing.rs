//! Journeys through the editor: keys in, then what shows and what is on the disk.

use crate::screen_kit::Kit;
use memcurator::app::action::Action;
use memcurator::app::commands::Command;
use memcurator::app::editor::{Stage as Doing, View};
use memcurator::shell::Stage;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

fn message(stage: &Stage) -> String {
    stage.model().message.as_ref().map(|message| message.text.clone()).unwrap_or_default()
}

/// The screens with the cursor on the memory that a filter finds.
fn on(kit: &Kit, word: &str) -> Stage {
    sized(kit, word, (100, 40))
}

fn sized(kit: &Kit, word: &str, size: (u16, u16)) -> Stage {
    let mut stage = kit.stage(size);
    stage.press(&format!("/{word}<enter><esc>")).unwrap();
    stage
}

fn text(kit: &Kit, path: &str) -> String {
    String::from_utf8(fs::read(kit.store().join(path)).unwrap()).unwrap()
}

fn time(kit: &Kit, path: &str) -> SystemTime {
    fs::metadata(kit.store().join(path)).unwrap().modified().unwrap()
}

fn is_editing(stage: &Stage) -> bool {
    stage.model().editor.is_some()
}

/// The small memory that most journeys edit.
const SMALL: &str = "---\nname: small\n# by hand\ndescription: 'One thing'\nmetadata: \n  type: feedback\n  odd: [a,  b]\n---\n\n\
                     The fact.\n\n**Why:** Because.\n\n**How to apply:** Always.\n";

fn small() -> Kit {
    Kit::with(&[("small.md", SMALL), ("MEMORY.md", "- [Small](small.md) — one thing\n")])
}

#[test]
fn the_form_in_three_sizes() {
    for (name, size) in [("60x15", (60, 15)), ("80x24", (80, 24)), ("120x40", (120, 40))] {
        let kit = Kit::new();
        let mut stage = sized(&kit, "integration", size);
        stage.press("e<tab><tab><tab><tab>x").unwrap();
        insta::assert_snapshot!(format!("form_{name}"), stage.text());
    }
    let kit = Kit::new();
    let mut stage = sized(&kit, "integration", (80, 24));
    stage.press("e<a-r>").unwrap();
    insta::assert_snapshot!("raw_80x24", stage.text());
    stage.press("x<esc>").unwrap();
    insta::assert_snapshot!("unsaved_80x24", stage.text());
    for size in [(59, 15), (60, 15), (3, 2), (400, 120)] {
        stage.resize(size).unwrap();
    }
}

#[test]
fn a_description_is_corrected_and_nothing_else_changes() {
    let kit = small();
    let (disk, before) = (kit.disk(), time(&kit, "small.md"));
    let mut stage = on(&kit, "small");
    stage.press("e<tab>").unwrap();
    assert!(stage.text().contains("unchanged"), "{}", stage.text());
    stage.press("<space>at<space>a<space>time").unwrap();
    assert!(stage.text().contains("Ctrl-S save as correction"), "{}", stage.text());
    stage.press("<c-s>").unwrap();
    assert!(!is_editing(&stage));
    assert_eq!(message(&stage), "corrected small, u undoes");
    assert_eq!(text(&kit, "small.md"), SMALL.replace("'One thing'", "'One thing at a time'"));
    assert_eq!(time(&kit, "small.md"), before + Duration::from_millis(1));
    stage.press("u").unwrap();
    assert_eq!((kit.disk(), time(&kit, "small.md")), (disk, before));
}

#[test]
fn what_a_memory_says_is_substance_and_one_key_takes_the_other() {
    let kit = small();
    let before = time(&kit, "small.md");
    let mut stage = on(&kit, "small");
    stage.press("e<tab><tab><tab><end><bs><space>of<space>it.").unwrap();
    assert!(stage.text().contains("Ctrl-S save as substance"), "{}", stage.text());
    stage.press("<c-s>").unwrap();
    assert_eq!(message(&stage), "changed small, u undoes");
    assert_eq!(text(&kit, "small.md"), SMALL.replace("The fact.", "The fact of it."));
    assert!(time(&kit, "small.md") > before + Duration::from_secs(1));
    stage.press("ue<tab><tab><tab><end>!<a-s>").unwrap();
    assert_eq!(message(&stage), "corrected small, u undoes");
    assert_eq!(time(&kit, "small.md"), before + Duration::from_millis(1));
    // And a name as substance.
    stage.press("ue!<a-s>").unwrap();
    assert_eq!(message(&stage), "changed small, u undoes");
    assert!(text(&kit, "small.md").contains("name: small!\n# by hand\n"));
    assert!(time(&kit, "small.md") > before + Duration::from_secs(1));
}

#[test]
fn esc_asks_only_about_unsaved_text() {
    let kit = small();
    let disk = kit.disk();
    let mut stage = on(&kit, "small");
    stage.press("e<esc>").unwrap();
    assert!(!is_editing(&stage), "nothing was typed");
    stage.press("ex<bs><esc>").unwrap();
    assert!(!is_editing(&stage), "it is again as it was");
    stage.press("ex<esc>").unwrap();
    assert!(stage.text().contains("was changed and not saved"), "{}", stage.text());
    stage.press("<enter>y").unwrap();
    assert!(matches!(stage.model().editor.as_ref().unwrap().stage, Doing::Leaving), "no other key answers");
    stage.press("<esc>y").unwrap();
    assert!(stage.text().contains("smallxy"), "{}", stage.text());
    stage.press("<c-c>d").unwrap();
    assert!(!is_editing(&stage));
    assert_eq!(kit.disk(), disk);
    stage.press("ex<esc>s").unwrap();
    assert!(!is_editing(&stage));
    assert_eq!(text(&kit, "small.md"), SMALL.replace("small\n#", "smallx\n#"));
    stage.press("ue<c-s>").unwrap();
    assert_eq!((message(&stage).as_str(), is_editing(&stage)), ("nothing was changed", false));
    assert_eq!(kit.disk(), disk);
}

#[test]
fn a_type_is_chosen_and_parts_and_keys_are_added() {
    let kit = Kit::with(&[("a.md", "---\nname: A\n---\n\nThe fact.\n"), ("MEMORY.md", "- [A](a.md)\n")]);
    let disk = kit.disk();
    let mut stage = on(&kit, "A");
    stage.press("e<tab><tab>").unwrap();
    assert!(stage.text().contains("▸ type            none"), "{}", stage.text());
    stage.press("<right><right><left><space><tab><tab>").unwrap();
    assert!(stage.text().contains("none yet: type to add it"));
    stage.press("Because.<tab>Always,<enter>everywhere.<tab><right><right><enter>2027-01-01<c-s>").unwrap();
    assert_eq!(
        text(&kit, "a.md"),
        "---\nname: A\ntype: feedback\nexpiresAt: 2027-01-01\n---\n\nThe fact.\n\n**Why:** Because.\n\n\
         **How to apply:** Always,\neverywhere.\n"
    );
    // Emptied, the key goes.
    stage.press("e<s-tab><s-tab><c-u><c-s>").unwrap();
    assert!(!text(&kit, "a.md").contains("expiresAt"), "{}", stage.text());
    stage.press("uu").unwrap();
    assert_eq!(kit.disk(), disk);
}

#[test]
fn line_ends_and_what_is_beside_stay_in_the_raw_file() {
    let mixed = "---\r\nname: A\r\n---\r\n\r\none\rtwo\nthree\r\n";
    let kit = Kit::with(&[("a.md", mixed)]);
    let mut stage = on(&kit, "A");
    stage.press("e<a-r><c-end><up><up><end>!<c-s>").unwrap();
    assert_eq!(text(&kit, "a.md"), mixed.replace("two", "two!"));
    stage.press("ue<f2><c-end>four<enter><f2><tab>d<c-s>").unwrap();
    let expected = mixed.replace("name: A\r\n", "name: A\r\ndescription: d\r\n") + "four\r\n";
    assert_eq!(text(&kit, "a.md"), expected, "what was typed goes from the raw file to the form");
}

#[test]
fn hidden_characters_show_and_stay() {
    let odd = "---\nname: A\n---\n\nRed \u{1b}[31malert\u{1b}[0m and \u{202e}backwards ‹U+202E› ␛.\n";
    let kit = Kit::with(&[("a.md", odd)]);
    let mut stage = on(&kit, "A");
    stage.press("e<tab><tab><tab><end>").unwrap();
    let shown = stage.text();
    assert!(shown.contains("␛[31malert␛[0m and ‹U+202E›backwards ‹U+2039›U+202E› ‹U+241B›."), "{shown}");
    assert!(!shown.contains(['\u{1b}', '\u{202e}']));
    stage.press("!<c-s>").unwrap();
    assert_eq!(text(&kit, "a.md"), odd.replace("␛.", "␛.!"));
    // A placeholder is deleted whole, and one that is typed stands for its character.
    stage.press("e<a-r><c-end><up><home>").unwrap();
    for _ in 0.."Red ␛[31malert␛[0m and ‹".chars().count() {
        stage.press("<right>").unwrap();
    }
    stage.press("<bs>‹U+200B›<c-s>").unwrap();
    assert_eq!(text(&kit, "a.md"), odd.replace("␛.", "␛.!").replace("and \u{202e}", "and \u{200b}"));
}

#[test]
fn wide_characters_and_tabs_are_edited_as_they_show() {
    let body = "全角の文字は二つの列を取る。\n\tindented e\u{301}\n👩\u{200d}👧 end\n";
    let kit = Kit::with(&[("a.md", &format!("---\nname: A\n---\n\n{body}"))]);
    let mut stage = sized(&kit, "A", (60, 15));
    stage.press("e<tab><tab><tab><right><right><bs>字<down><end><bs>o<c-end><home><del>X<c-s>").unwrap();
    let expected = "全字の文字は二つの列を取る。\n\tindented o\nX end\n";
    assert_eq!(text(&kit, "a.md"), format!("---\nname: A\n---\n\n{expected}"), "{}", stage.text());
}

#[test]
fn pasted_text_goes_into_the_field() {
    let kit = small();
    let mut stage = on(&kit, "small");
    stage.press("e<tab>").unwrap();
    stage.act(Action::Paste(" and\r\nanother: # one\n".into())).unwrap();
    stage.press("<tab>").unwrap();
    stage.act(Action::Paste("project".into())).unwrap();
    assert!(message(&stage).contains("never taken for commands"));
    stage.press("<tab><c-end>").unwrap();
    stage.act(Action::Paste("\nqd\u{3}\u{1b}[201~".into())).unwrap();
    stage.act(Action::Paste("x".repeat(2_500_000))).unwrap();
    assert!(message(&stage).contains("too large"), "{}", message(&stage));
    stage.press("<c-s>").unwrap();
    let expected = SMALL
        .replace("'One thing'", "'One thing and another: # one'")
        .replace("The fact.", "The fact.\nqd\u{3}\u{1b}[201~");
    assert_eq!(text(&kit, "small.md"), expected, "{}", stage.text());
    // Without brackets the keys come one by one: no line break leaves the field or saves.
    stage.press("ue<tab>one<enter>two<c-s>").unwrap();
    assert_eq!(text(&kit, "small.md"), SMALL.replace("'One thing'", "'One thingonetwo'"));
    stage.press("ue<tab>").unwrap();
    stage.press("<enter>").unwrap();
    assert!(message(&stage).contains("Tab goes to the next field"), "{}", message(&stage));
    stage.press("<tab><tab>one<enter>two<c-j>three<c-s>").unwrap();
    assert_eq!(text(&kit, "small.md"), SMALL.replace("The fact.", "one\ntwo\nthreeThe fact."));
}

#[test]
fn what_the_form_can_not_save_goes_to_the_raw_file() {
    let kit = small();
    let disk = kit.disk();
    let mut stage = on(&kit, "small");
    stage.press("e<tab>!<tab><tab><c-end><enter><enter>##<space>Why<enter>second<c-s>").unwrap();
    assert!(stage.text().contains("This can't be saved from the form"), "{}", stage.text());
    assert!(stage.text().contains("Fact: "), "{}", stage.text());
    assert_eq!(kit.disk(), disk);
    stage.press("<esc>").unwrap();
    assert!(stage.text().contains("second"), "back in the form, with the text");
    stage.press("<c-s>r").unwrap();
    assert!(stage.text().contains("raw file"), "{}", stage.text());
    assert!(stage.text().contains("'One thing!'"), "what could be saved is in it");
    stage.press("<c-end><c-v><c-s>").unwrap();
    let expected = SMALL.replace("'One thing'", "'One thing!'") + "The fact.\n\n## Why\nsecond";
    assert_eq!(text(&kit, "small.md"), expected);
}

#[test]
fn a_line_of_a_megabyte_is_edited() {
    let line = "word ".repeat(200_000);
    let kit = Kit::with(&[("a.md", &format!("---\nname: A\n---\n\n{line}end\n"))]);
    let mut stage = on(&kit, "A");
    let begin = Instant::now();
    stage.press("e<tab><tab><tab>").unwrap();
    stage.press("xyz<down><down><end><c-end>!<left><bs><c-z><pageup><c-home>").unwrap();
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
    stage.press("<c-s>").unwrap();
    assert_eq!(text(&kit, "a.md"), format!("---\nname: A\n---\n\nxyz{line}end!\n"));
    // Far larger ones are left to the person's own editor.
    let kit = Kit::with(&[("a.md", &"x\n".repeat(30_000)), ("b.md", &"x".repeat(3_000_000))]);
    let mut stage = kit.stage((80, 24));
    for _ in 0..2 {
        stage.press("je").unwrap();
        assert!(message(&stage).contains("too large"), "{}", message(&stage));
    }
}

#[test]
fn values_that_yaml_reads_otherwise_are_repaired_with_one_key() {
    let lossy = "---\nname: 2026-01-02\ndescription: cut here # not meant\ntype: user\n---\n\nText.\n";
    let broken = "---\nname: B\ndescription: has: colons: in it\ntype: user\n---\n\nText.\n";
    let kit = Kit::with(&[("a.md", lossy), ("b.md", broken), ("c.md", "---\nname: C\n---\n\nFine.\n")]);
    let disk = kit.disk();
    let before = time(&kit, "a.md");
    let mut stage = on(&kit, "cut");
    stage.press("f").unwrap();
    let expected =
        "---\nname: \"2026-01-02\"\ndescription: \"cut here # not meant\"\ntype: user\n---\n\nText.\n";
    assert_eq!(text(&kit, "a.md"), expected, "{}", message(&stage));
    assert_eq!(time(&kit, "a.md"), before + Duration::from_millis(1));
    stage.press("u/colons<enter><esc>f").unwrap();
    assert_eq!(text(&kit, "b.md"), broken.replace("has: colons: in it", "\"has: colons: in it\""));
    stage.press("u/Fine<enter><esc>f").unwrap();
    assert!(message(&stage).contains("as it is written"), "{}", message(&stage));
    assert_eq!(kit.disk(), disk);
    // In the form: the field under the cursor.
    stage.press("/cut<enter><esc>e<tab><a-q>").unwrap();
    assert!(stage.text().contains("cut here # not meant"), "{}", stage.text());
    stage.press("<c-s>").unwrap();
    assert_eq!(text(&kit, "a.md"), lossy.replace("cut here # not meant", "\"cut here # not meant\""));
}

// What someone else writes meanwhile.

#[test]
fn a_change_of_other_lines_is_put_together() {
    let kit = small();
    let mut stage = on(&kit, "small");
    stage.press("e<tab>!").unwrap();
    kit.write("small.md", 0, SMALL.replace("Always.", "Always, they say.").as_bytes());
    stage.press("<c-s>").unwrap();
    assert!(message(&stage).contains("this is both together"), "{}", stage.text());
    assert!(!text(&kit, "small.md").contains('!'), "nothing is written before the person has seen it");
    stage.press("<c-s>").unwrap();
    let both = SMALL.replace("'One thing'", "'One thing!'").replace("Always.", "Always, they say.");
    assert_eq!(text(&kit, "small.md"), both);
    stage.press("u").unwrap();
    assert_eq!(text(&kit, "small.md"), SMALL.replace("Always.", "Always, they say."));
}

/// A conflict in two places: edited here and there.
fn conflict(kit: &Kit, size: (u16, u16)) -> (Stage, String) {
    let mut stage = sized(kit, "small", size);
    stage.press("e<tab>!<tab><tab><tab><end><bs><space>mine.").unwrap();
    let theirs = SMALL.replace("One thing", "Two things").replace("Because.", "Because theirs.");
    kit.write("small.md", 0, theirs.as_bytes());
    stage.press("<c-s>").unwrap();
    assert!(matches!(stage.model().editor.as_ref().unwrap().stage, Doing::Conflict(_)), "{}", stage.text());
    assert_eq!(text(kit, "small.md"), theirs);
    (stage, theirs)
}

#[test]
fn two_memcurators_on_one_memory_lose_nothing() {
    let kit = small();
    let (mut one, mut other) = (on(&kit, "small"), on(&kit, "small"));
    one.press("e<tab>!").unwrap();
    other.press("e<tab><tab><tab><tab><end><bs><space>twice.<c-s>").unwrap();
    assert_eq!(message(&other), "changed small, u undoes");
    one.press("<c-s>").unwrap();
    assert!(message(&one).contains("this is both together"), "{}", one.text());
    one.press("<c-s>").unwrap();
    let both = SMALL.replace("'One thing'", "'One thing!'").replace("Because.", "Because twice.");
    assert_eq!(text(&kit, "small.md"), both);
    // On the same line: the later one is asked.
    other.press("e<c-u>other<c-s>").unwrap();
    assert!(message(&other).contains("both together"), "what it knew was old: {}", other.text());
    other.press("<c-s>").unwrap();
    one.press("e<c-u>one<c-s>").unwrap();
    assert!(matches!(one.model().editor.as_ref().unwrap().stage, Doing::Conflict(_)), "{}", one.text());
    one.press("m<enter><c-s>").unwrap();
    assert_eq!(text(&kit, "small.md"), both.replace("name: small", "name: one"), "{}", one.text());
}

/// A process that writes as the client does, whole file by whole file, while the person saves again and again:
/// whatever either wrote is in the file or was shown.
#[test]
fn a_busy_writer_loses_nothing_and_is_not_overwritten() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let kit = small();
    let path = kit.store().join("small.md");
    let stop = AtomicBool::new(false);
    /// Ends the writer also when the test fails.
    struct Stop<'a>(&'a AtomicBool);
    impl Drop for Stop<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }
    std::thread::scope(|scope| {
        let ends = Stop(&stop);
        let writer = scope.spawn(|| {
            let mut written = 0;
            while !stop.load(Ordering::SeqCst) {
                let Ok(now) = fs::read_to_string(&path) else { continue };
                let (head, _) = now.split_once("**How to apply:**").unwrap();
                written += 1;
                let next = path.with_extension("tmp");
                // Only where the file is still as it was read, as far as a process without locks can tell.
                fs::write(&next, format!("{head}**How to apply:** Always, {written}.\n")).unwrap();
                if fs::read_to_string(&path).is_ok_and(|still| still == now) {
                    fs::rename(&next, &path).unwrap();
                }
                std::thread::sleep(Duration::from_millis(80));
            }
            written
        });
        let mut stage = on(&kit, "small");
        for round in 0..10 {
            stage.press(&format!("e<tab><end><c-u>round{round}")).unwrap();
            let mut tries = 0;
            while is_editing(&stage) {
                stage.press("<c-s>").unwrap();
                let doing = stage.model().editor.as_ref().map(|editor| editor.stage.clone());
                assert!(
                    !matches!(doing, Some(Doing::Conflict(_))),
                    "only other lines change: {}",
                    stage.text()
                );
                tries += 1;
                assert!(tries < 200, "{}", stage.text());
            }
            assert!(message(&stage).starts_with("corrected small, u"), "{round}: {}", message(&stage));
        }
        drop(ends);
        assert!(writer.join().unwrap() > 0);
    });
    assert!(text(&kit, "small.md").contains("Always, "), "the other's text stands too");
}

#[test]
fn both_versions_show_and_one_is_chosen_for_each_place() {
    let kit = small();
    let (mut stage, theirs) = conflict(&kit, (80, 24));
    insta::assert_snapshot!("conflict_80x24", stage.text());
    stage.press("<enter>").unwrap();
    assert!(message(&stage).contains("2 open"), "{}", message(&stage));
    stage.press("mt").unwrap();
    insta::assert_snapshot!("conflict_chosen_80x24", stage.text());
    stage.press("<enter>").unwrap();
    assert_eq!(text(&kit, "small.md"), theirs, "nothing is written yet");
    stage.press("<c-s>").unwrap();
    assert_eq!(text(&kit, "small.md"), theirs.replace("Two things", "One thing!"));
    stage.press("u").unwrap();
    assert_eq!(text(&kit, "small.md"), theirs);
}

#[test]
fn all_of_one_side_both_or_edited_by_hand() {
    let mine = SMALL.replace("One thing", "One thing!").replace("Because.", "Because mine.");
    for (keys, expected) in [
        ("M<enter><c-s>", Some(mine)),
        ("T<enter><c-s>", None),
        ("tjb<enter><c-s>", Some(String::new())),
        ("e<c-end>x<c-s>", Some(String::new())),
    ] {
        let kit = small();
        let (mut stage, theirs) = conflict(&kit, (100, 40));
        stage.press(keys).unwrap();
        let now = text(&kit, "small.md");
        match expected {
            Some(expected) if !expected.is_empty() => assert_eq!(now, expected, "{keys}"),
            Some(_) => {
                assert!(now.contains("**Why:** Because theirs.\n**Why:** Because mine.\n"), "{keys}: {now}");
            }
            None => assert_eq!(now, theirs, "{keys}"),
        }
        assert!(!is_editing(&stage), "{keys}: {}", stage.text());
    }
}

#[test]
fn a_conflict_can_be_left_without_losing_anything() {
    let kit = small();
    let (mut stage, theirs) = conflict(&kit, (100, 40));
    stage.press("m<esc>").unwrap();
    assert!(stage.text().contains("Because mine."), "{}", stage.text());
    assert!(stage.text().contains("changed on the disk meanwhile"), "{}", stage.text());
    stage.press("<c-s>").unwrap();
    assert!(matches!(stage.model().editor.as_ref().unwrap().stage, Doing::Conflict(_)));
    // And it changes once more while the person chooses.
    let again = theirs.replace("Always.", "Never.");
    kit.write("small.md", 0, again.as_bytes());
    stage.press("M<enter><c-s>").unwrap();
    assert_eq!(text(&kit, "small.md"), again);
    assert!(message(&stage).contains("this is both together"), "{}", stage.text());
    stage.press("<c-s>").unwrap();
    let expected = SMALL.replace("One thing", "One thing!").replace("Because.", "Because mine.");
    assert_eq!(text(&kit, "small.md"), expected.replace("Always.", "Never."));
}

#[test]
fn a_change_while_typing_is_told_and_shown() {
    let kit = small();
    let mut stage = on(&kit, "small");
    stage.press("e").unwrap();
    kit.write("small.md", 0, SMALL.replace("The fact.", "Another fact.").as_bytes());
    stage.act(Action::Do(Command::Reload)).unwrap();
    assert!(stage.text().contains("Another fact."), "nothing was typed: the form follows");
    stage.press("!").unwrap();
    kit.write("small.md", 0, SMALL.as_bytes());
    stage.act(Action::Do(Command::Reload)).unwrap();
    assert!(stage.text().contains("small!") && stage.text().contains("Another fact."), "{}", stage.text());
    assert!(message(&stage).contains("someone else changed it"), "{}", message(&stage));
    stage.press("<esc>d").unwrap();
    assert_eq!(text(&kit, "small.md"), SMALL);
}

#[test]
fn a_memory_that_someone_deleted_can_be_written_again() {
    let kit = small();
    let mut stage = on(&kit, "small");
    stage.press("e!").unwrap();
    fs::remove_file(kit.store().join("small.md")).unwrap();
    stage.press("<c-s>").unwrap();
    assert!(stage.text().contains("Someone else deleted this memory"), "{}", stage.text());
    assert!(!kit.names().contains(&"small.md".to_owned()));
    stage.press("<esc>!<c-s>w").unwrap();
    assert_eq!(text(&kit, "small.md"), SMALL.replace("small\n#", "small!!\n#"), "{}", stage.text());
    assert!(!is_editing(&stage));
}

// Unsaved text of an earlier time.

#[test]
fn unsaved_text_is_offered_next_time() {
    let kit = small();
    let disk = kit.disk();
    let mut stage = on(&kit, "small");
    stage.press("e<tab><space>\u{4e2d}<tab><right><tab><c-end>x").unwrap();
    drop(stage);
    assert_eq!(kit.disk(), disk, "a draft is not in the store");
    let mut stage = kit.stage((100, 40));
    assert!(message(&stage).contains("unsaved text for small.md"), "{}", message(&stage));
    stage.press("/small<enter><esc>e").unwrap();
    assert!(stage.text().contains("Text of an earlier time"), "{}", stage.text());
    stage.press("<esc>").unwrap();
    assert!(!is_editing(&stage));
    // Not now: it is offered again.
    drop(stage);
    let mut stage = on(&kit, "small");
    stage.press("ey<c-s>").unwrap();
    let expected = SMALL
        .replace("'One thing'", "'One thing \u{4e2d}'")
        .replace("type: feedback", "type: project")
        .replace("The fact.", "The fact.x");
    assert_eq!(text(&kit, "small.md"), expected, "{}", stage.text());
    drop(stage);
    let mut stage = on(&kit, "small");
    assert_eq!(message(&stage), "");
    stage.press("e<esc>").unwrap();
    assert!(!is_editing(&stage), "once saved, it is no longer offered");
    // Thrown away, it is gone.
    stage.press("e!").unwrap();
    drop(stage);
    let mut stage = on(&kit, "small");
    stage.press("en<esc>").unwrap();
    drop(stage);
    assert_eq!(message(&kit.stage((100, 40))), "");
    assert_eq!(text(&kit, "small.md"), expected);
}

#[test]
fn unsaved_text_of_a_memory_that_is_gone_comes_back() {
    let kit = small();
    let mut stage = on(&kit, "small");
    stage.press("e!").unwrap();
    drop(stage);
    fs::remove_file(kit.store().join("small.md")).unwrap();
    let mut stage = kit.stage((100, 40));
    assert!(message(&stage).contains("small.md, no longer there"), "{}", message(&stage));
    stage.press(":unsaved<enter>").unwrap();
    assert!(stage.text().contains("Your text is still here"), "{}", stage.text());
    stage.press("<esc>?<esc><esc><c-s>w").unwrap();
    assert_eq!(text(&kit, "small.md"), SMALL.replace("small\n#", "small!?\n#"), "{}", stage.text());
    stage.press(":unsaved<enter>").unwrap();
    assert!(message(&stage).contains("there is no unsaved text"), "{}", message(&stage));
}

#[test]
fn a_draft_of_a_memory_that_changed_since_becomes_a_conflict() {
    let kit = small();
    let mut stage = on(&kit, "small");
    stage.press("e<a-r><c-end>mine").unwrap();
    drop(stage);
    let theirs = SMALL.replace("The fact.", "Their fact.") + "theirs\n";
    kit.write("small.md", 0, theirs.as_bytes());
    let mut stage = on(&kit, "Their");
    stage.press("e").unwrap();
    assert!(stage.text().contains("was changed since"), "{}", stage.text());
    stage.press("y<c-s>").unwrap();
    assert!(matches!(stage.model().editor.as_ref().unwrap().stage, Doing::Conflict(_)), "{}", stage.text());
    assert_eq!(text(&kit, "small.md"), theirs);
    stage.press("b<enter><c-s>").unwrap();
    assert_eq!(text(&kit, "small.md"), format!("{theirs}mine"));
}

// The person's own editor.

/// A program for `$VISUAL` that does this to the file, its last argument.
fn program(kit: &Kit, script: &str) -> String {
    let path = kit.dir.path().join("my editor.sh");
    fs::write(&path, format!("#!/bin/sh\nfor file; do :; done\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    format!("'{}' --wait", path.display())
}

fn with_editor(kit: &Kit, script: &str) -> Stage {
    let mut session = kit.session("");
    session.env.vars.insert("VISUAL".into(), program(kit, script));
    session.env.vars.insert("EDITOR".into(), "false".into());
    Stage::open(&session, (100, 40)).unwrap()
}

#[test]
fn ones_own_editor_gives_back_one_operation() {
    let kit = small();
    let disk = kit.disk();
    let seen = kit.dir.path().join("seen");
    let script = format!(
        "{{ echo \"$1\"; stat -c %a \"$file\"; stat -c %a \"$(dirname \"$file\")\"; basename \"$file\"; }} > '{}'\n\
         printf 'More.\\r\\n' >> \"$file\"",
        seen.display()
    );
    let mut stage = with_editor(&kit, &script);
    stage.press("/small<enter><esc>E").unwrap();
    assert_eq!(text(&kit, "small.md"), format!("{SMALL}More.\r\n"), "{}", stage.text());
    assert_eq!(message(&stage), "changed small, u undoes");
    assert_eq!(fs::read_to_string(&seen).unwrap(), "--wait\n600\n700\nsmall.md\n");
    stage.press("u").unwrap();
    assert_eq!(kit.disk(), disk);
    drop(stage);
    assert_eq!(message(&kit.stage((100, 40))), "", "no draft is left");
}

#[test]
fn an_editor_that_ends_at_once_is_asked_about() {
    let kit = small();
    let later = kit.dir.path().join("copy");
    let mut stage = with_editor(&kit, &format!("echo \"$file\" > '{}'", later.display()));
    stage.press("/small<enter><esc>E").unwrap();
    assert!(stage.text().contains("It ended at once"), "{}", stage.text());
    let copy = fs::read_to_string(&later).unwrap();
    fs::write(copy.trim(), SMALL.replace("One thing", "From a window")).unwrap();
    stage.press("x<enter>").unwrap();
    assert_eq!(text(&kit, "small.md"), SMALL.replace("One thing", "From a window"), "{}", stage.text());
    assert_eq!(message(&stage), "corrected small, u undoes");
    assert!(!Path::new(copy.trim()).exists(), "the copy is gone");
    for keys in ["E<esc>", "E<enter>"] {
        stage.press(keys).unwrap();
        assert_eq!((message(&stage).as_str(), is_editing(&stage)), ("nothing was changed", false), "{keys}");
    }
}

#[test]
fn an_editor_that_fails_changes_nothing() {
    let kit = small();
    let disk = kit.disk();
    let mut stage = with_editor(&kit, "echo lost >> \"$file\"; exit 3");
    stage.press("/small<enter><esc>E").unwrap();
    assert!(
        message(&stage).contains("ended with status 3; memcurator changed nothing"),
        "{}",
        message(&stage)
    );
    assert_eq!(kit.disk(), disk);
    // What it had saved before is offered, and can be thrown away.
    stage.press("e").unwrap();
    assert!(stage.text().contains("Text of an earlier time"), "{}", stage.text());
    stage.press("y").unwrap();
    assert!(stage.text().contains("lost"), "{}", stage.text());
    stage.press("<esc>d").unwrap();
    drop(stage);
    let mut session = kit.session("");
    session.env.vars.insert("EDITOR".into(), "/no/such/editor".into());
    let mut stage = Stage::open(&session, (100, 40)).unwrap();
    stage.press("/small<enter><esc>E").unwrap();
    assert!(message(&stage).contains("can't be run"), "{}", message(&stage));
    assert_eq!(kit.disk(), disk);
}

#[test]
fn what_changed_while_ones_own_editor_was_open_is_a_conflict() {
    let kit = small();
    let original = kit.store().join("small.md");
    let script = format!(
        "sed 's/One/Mine/' \"$file\" > t && cat t > \"$file\"; sed 's/One/Theirs/' '{0}' > t; cat t > '{0}'; rm t",
        original.display()
    );
    let mut stage = with_editor(&kit, &script);
    stage.press("/small<enter><esc>E").unwrap();
    assert!(matches!(stage.model().editor.as_ref().unwrap().stage, Doing::Conflict(_)), "{}", stage.text());
    assert_eq!(text(&kit, "small.md"), SMALL.replace("One", "Theirs"));
    stage.press("m<enter><c-s>").unwrap();
    assert_eq!(text(&kit, "small.md"), SMALL.replace("One", "Mine"), "{}", stage.text());
}

#[test]
fn what_can_not_be_edited_says_why() {
    let kit = small();
    std::os::unix::fs::symlink("small.md", kit.store().join("link.md")).unwrap();
    let mut stage = kit.stage((100, 40));
    stage.press("/MEMORY<enter><esc>e").unwrap();
    assert!(message(&stage).contains("follows by itself"), "{}", message(&stage));
    let open = stage.model().open().unwrap();
    assert!(open.contents.entries.iter().any(|entry| entry.path.to_string() == "link.md"));
    stage.press("/link<enter><esc>E").unwrap();
    assert!(message(&stage).contains("it is a link"), "{}", message(&stage));
    assert!(!is_editing(&stage));
}

#[test]
fn the_mouse_goes_to_fields_and_help_comes_back_to_the_text() {
    use memcurator::app::action::Mouse;
    let kit = small();
    let mut stage = on(&kit, "small");
    stage.press("e").unwrap();
    let row = stage.text().lines().position(|line| line.contains("The fact.")).unwrap();
    let row = u16::try_from(row).unwrap();
    stage.act(Action::Mouse(Mouse::Click(30, row))).unwrap();
    stage.act(Action::Mouse(Mouse::Click(23, row))).unwrap();
    stage.press("x<f1>typing").unwrap();
    assert!(stage.text().contains("Typing text"), "{}", stage.text());
    stage.press("<esc>").unwrap();
    let View::Form(form) = &stage.model().editor.as_ref().unwrap().view else { panic!("a form") };
    assert_eq!(form.fields[form.focus].text(), "The xfact.");
    // The names of the screens don't take the person away from unsaved text.
    stage.act(Action::Mouse(Mouse::Click(16, 1))).unwrap();
    assert!(is_editing(&stage));
}

/// Looking changes nothing, whatever the file looks like: on every memory of the real stores, the form and the
/// raw file give back the bytes that they were made from.
#[test]
fn forms_of_real_memories_give_their_bytes_back() {
    use memcurator::app::editor::Editor;
    use memcurator::memory::path::RelPath;
    let Ok(shared) = std::env::var("MEMCURATOR_SHARED") else {
        return eprintln!("skipped: MEMCURATOR_SHARED is not set");
    };
    let mut dirs = vec![Path::new(&shared).join("corpus")];
    let mut seen = 0;
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                dirs.push(path);
            } else if path.extension().is_some_and(|end| end == "md") {
                let bytes = fs::read(&path).unwrap();
                let mut editor =
                    Editor::form(RelPath::new("a.md").unwrap(), String::new(), bytes.as_slice().into())
                        .unwrap();
                assert!(!editor.is_changed() && editor.draft().is_none(), "{}", path.display());
                for _ in 0..2 {
                    assert_eq!(editor.bytes().unwrap(), bytes, "{}", path.display());
                    editor.turn().unwrap();
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 500, "{seen}");
}

/// A replay started the editor, which waited for keys that nobody pressed.
#[test]
fn a_replay_starts_no_editor_and_says_so() {
    let home = crate::home::Home::demo();
    let done = home.run(&["--keys", "jE", "--print"]);
    assert!(done.status == 0 && done.out.contains("keys are replayed"), "{done:?}");
}

//! Rounds of a made-up client, with words of our own.

use super::*;
use crate::prompt::wording::size;
use proptest::prelude::*;

const OPENING: &str = "<note on={DATE}>\nwhat follows was written for you";
const CLOSING: &str = "\n</note {DATE}>";

fn heading(slot: Slot, path: &str) -> String {
    format!("\n\n>> {path} [{}]\n\n", slot.as_str())
}

fn known(slot: Slot, path: &str, body: &str) -> Known {
    Known { slot, path: path.into(), body: body.into() }
}

/// A block as the made-up client writes it.
fn block(files: &[Known], date: &str, notice: &str) -> String {
    let files: String =
        files.iter().map(|file| heading(file.slot, &file.path) + &file.body).collect::<Vec<_>>().concat();
    format!("{OPENING}{files}{notice}{CLOSING}").replace("{DATE}", date)
}

fn round(root: &str, date: &str, lines: usize, say: &str) -> Vec<Observed> {
    let files = [
        known(Slot::User, &format!("{root}/u.md"), "first of the person"),
        known(Slot::User, &format!("{root}/v.md"), "second of the person"),
        known(Slot::Project, &format!("{root}/p.md"), "of the project"),
    ];
    let text = block(&files, date, "");
    let mut found = Block { text: &text, files: &files, date, ..Block::default() }.observed();
    let closing = found.iter().find(|seen| seen.slot == Slot::Closing).unwrap().text.clone();
    let values = values([
        (Value::Lines, lines.to_string()),
        (Value::Lost, (lines - 200).to_string()),
        (Value::Size, size(lines * 1000)),
    ]);
    let notice = format!("\n\n!! {lines} {say} of 200, {} gone", lines - 200);
    let text = block(&files, date, &notice);
    let block = Block {
        text: &text,
        files: &files,
        date,
        notice: Some((Slot::NoticeLines, values)),
        closing: Some(&closing),
    };
    found.extend(block.observed());
    found
}

fn rounds(say: [&str; 3]) -> [Vec<Observed>; 3] {
    [
        round("/one", "2026-11-30", 271, say[0]),
        round("/two/longer", "2026-12-01", 283, say[1]),
        round("/three", "2027-01-02", 240, say[2]),
    ]
}

#[test]
fn slots_are_found_by_difference() {
    let learned = learn("1.2.3", &rounds(["lines"; 3]));
    let words = &learned.words;
    let path = values([(Value::Path, "/x")]);
    assert_eq!(words.say(Slot::User, &path).unwrap(), heading(Slot::User, "/x"));
    let date = values([(Value::Date, "2030-05-06")]);
    assert_eq!(words.say(Slot::Opening, &date).unwrap(), OPENING.replace("{DATE}", "2030-05-06"));
    assert_eq!(words.say(Slot::Closing, &date).unwrap(), CLOSING.replace("{DATE}", "2030-05-06"));
    let notice = values([(Value::Lines, "999"), (Value::Lost, "799"), (Value::Size, "1KB")]);
    assert_eq!(words.say(Slot::NoticeLines, &notice).unwrap(), "!! 999 lines of 200, 799 gone");
    assert!(words.is_useful());
    assert!(learned.missed.contains(&(Slot::Managed, Missed::NotSeen)));
    assert_eq!(learned.missed.len() + words.slots.len(), Slot::ALL.len());
}

#[test]
fn words_that_change_are_not_known() {
    let why = |say| {
        learn("1", &rounds(say)).missed.into_iter().find(|(slot, _)| *slot == Slot::NoticeLines).unwrap().1
    };
    assert_eq!(why(["lines", "rows", "lines"]), Missed::Changes);
    assert_eq!(why(["lines", "lines", "rows"]), Missed::Unpredicted);
    let learned = learn("1", &rounds(["lines", "rows", "lines"]));
    assert!(learned.words.slots.contains_key(&Slot::User), "each on its own");
    // A number that stands in all of them alike is none of ours, whatever it looks like.
    let mut rounds = rounds(["lines"; 3]);
    for round in &mut rounds {
        round.retain(|seen| seen.slot != Slot::Closing);
    }
    let learned = learn("1", &rounds);
    assert!(learned.missed.contains(&(Slot::Closing, Missed::NotSeen)) && !learned.words.is_useful());
}

#[test]
fn a_block_that_is_otherwise_gives_nothing() {
    let files = [known(Slot::User, "/u", "one"), known(Slot::Project, "/p", "two")];
    for text in ["", "one", "two one", "no content at all"] {
        assert_eq!(Block { text, files: &files, ..Block::default() }.observed(), [], "{text}");
    }
    // Without another file of its layer the first heading can't be told from what comes before.
    let text = block(&files, "2026-11-30", "");
    let found = Block { text: &text, files: &files, date: "2026-11-30", ..Block::default() }.observed();
    let slots: Vec<Slot> = found.iter().map(|seen| seen.slot).collect();
    assert_eq!(slots, [Slot::Project, Slot::Closing]);
}

#[test]
fn files_on_use_in_one_text_or_in_several() {
    let files = [("/a.md".to_owned(), "A\n\n".to_owned()), ("/b.md".to_owned(), "B\n".to_owned())];
    let one = ["see /a.md: A\n\n and /b.md: B\n.".to_owned(), "something else".to_owned()];
    let found = on_use(&one, &files);
    let texts: Vec<(Slot, &str)> = found.iter().map(|seen| (seen.slot, seen.text.as_str())).collect();
    assert_eq!(
        texts,
        [
            (Slot::UseOpening, "see "),
            (Slot::UseHeading, ": "),
            (Slot::UseJoint, " and "),
            (Slot::UseHeading, ": "),
            (Slot::UseClosing, "."),
        ]
    );
    let several = ["<see /a.md: A\n\n>\n".to_owned(), "<see /b.md: B\n>".to_owned()];
    let found = on_use(&several, &files);
    assert_eq!(found[2].text, format!(">\n{BETWEEN}<see "));
    assert_eq!(on_use(&[], &files), []);
}

#[test]
fn the_memory_part_is_what_is_there_with_memory_alone() {
    let without = "You help.\n\n# Surroundings\nHere.";
    let with = "You help.\n\n# Store\nKept in `/m/`.\n\n# Surroundings\nHere.";
    let part = memory_part(with, without, "/m").unwrap();
    assert_eq!(part.text, "# Store\nKept in `/m/`.");
    assert_eq!(memory_part(with, without, "/elsewhere"), None);
    assert_eq!(memory_part(without, without, "/m"), None);
    assert_eq!(memory_part(with, "Something else.", "/m"), None);
    let last = memory_part("You help.\n\n# Store\n`/m/`", "You help.", "/m").unwrap();
    assert_eq!(last.text, "# Store\n`/m/`");
    let (part, tail) =
        agent_part("x OWN\n\n# Of it `/d/`\n\nINDEX!\n", "OWN", Slot::AgentUser, "/d", "INDEX").unwrap();
    assert_eq!((part.text.as_str(), tail.as_str()), ("# Of it `/d/`\n\n", "!\n"));
}

proptest! {
    /// Whatever the client's words are, as long as no value of ours stands in them.
    #[test]
    fn any_wording_is_learned(before in "[ -Za-z\n]{0,20}", behind in "[:-Za-z\n]{0,20}") {
        let round = |days: &str| {
            vec![Observed::new(Slot::Age, &format!("{before}{days}{behind}"), values([(Value::Days, days)]))]
        };
        let learned = learn("1", &[round("40"), round("400"), round("2")]);
        let clash = format!("{before}|{behind}").contains("40") || before.ends_with(|c: char| c.is_ascii_digit());
        if !clash {
            let said = learned.words.say(Slot::Age, &values([(Value::Days, "77")]));
            prop_assert_eq!(said, Some(format!("{before}77{behind}")));
        }
    }
}

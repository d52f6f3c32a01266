//! The form of two lines: a link, and below it, indented, what it is about. Both lines are one entry.

use super::*;

/// The second lines that continue an item, with the hook that they give.
const SECOND: [(&str, &str); 7] = [
    ("  over 500, since the March audit", "over 500, since the March audit"),
    ("  > over 500, since the March audit", "over 500, since the March audit"),
    ("  — over 500, since the March audit", "over 500, since the March audit"),
    ("\tover 500", "over 500"),
    (" over 500", "over 500"),
    ("      over 500", "over 500"),
    ("  - over 500", "over 500"),
];

fn index(first: &str, second: &str, end: &str) -> String {
    let lines = ["# Index", "", "- [A](a.md)", "  a thing", first, second, "- [Z](z.md) — z", "", "end"];
    lines.iter().map(|line| format!("{line}{end}")).collect()
}

#[test]
fn the_second_line_is_the_hook_and_goes_with_the_first() {
    for end in ["\n", "\r\n"] {
        for (second, hook) in SECOND {
            // Below a number Markdown wants three blanks before what is a block of its own.
            let is_block = second.starts_with("  >") || second.starts_with("  -");
            for lead in ["- ", "* ", "1. "].into_iter().filter(|lead| *lead != "1. " || !is_block) {
                let text = index(&format!("{lead}[Refunds](refunds.md)"), second, end);
                let index = parse(&text);
                let at = index.entries.iter().position(|one| one.title == "Refunds").unwrap();
                let entry = &index.entries[at];
                assert_eq!(
                    (entry.hook.as_str(), entry.item.clone(), entry.alone),
                    (hook, 4..6, true),
                    "{text}"
                );
                let removed = remove(text.as_bytes(), &index, &[at]);
                let left = String::from_utf8(removed.bytes.clone()).unwrap();
                assert!(!left.contains("over 500") && !left.contains("Refunds"), "{left}");
                assert_eq!(left.lines().count(), 7, "{left}");
                let parked = removed.taken[0].parked(text.as_bytes(), &index, "refunds.md").unwrap();
                let (back, homeless) = put_back(&removed.bytes, &[parked], &[0]);
                assert!(homeless.is_empty());
                assert_eq!(String::from_utf8(back).unwrap(), text);
            }
        }
    }
}

#[test]
fn in_a_quotation_too() {
    let text = "> - [A](a.md)\n>   over 500\n>   > since March\n> - [B](b.md)\n";
    let index = parse(text);
    assert_eq!(
        (index.entries[0].item.clone(), index.entries[0].hook.as_str()),
        (0..3, "over 500 since March")
    );
    assert_eq!(remove(text.as_bytes(), &index, &[0]).bytes, b"> - [B](b.md)\n");
}

/// What goes on without indentation is no part of an entry to an edit: it may be a sentence of its own.
#[test]
fn a_line_without_indentation_stays() {
    let text = "- [A](a.md)\nover 500\n\n- [B](b.md)\n";
    let index = parse(text);
    assert_eq!((index.entries[0].item.clone(), index.entries[0].hook.as_str()), (0..1, ""));
    assert_eq!(remove(text.as_bytes(), &index, &[0]).bytes, b"over 500\n\n- [B](b.md)\n");
}

#[test]
fn a_new_entry_has_two_lines_where_the_others_have() {
    for end in ["\n", "\r\n"] {
        for second in ["  ", "  > ", "  — ", "\t"] {
            let text = format!("- [A](a.md){end}{second}of a{end}- [B](b.md){end}{second}of b{end}");
            let added = add(&text, ("new.md", "New", "of new", MemoryType::User));
            assert_eq!(added, format!("{text}- [New](new.md){end}{second}of new{end}"));
        }
    }
}

#[test]
fn of_one_line_and_of_two_the_more_common_form_is_followed() {
    let text = "- [A](a.md)\n  of a\n- [B](b.md) — of b\n- [C](c.md) — of c\n";
    let added = add(text, ("new.md", "New", "of new", MemoryType::User));
    assert_eq!(added, format!("{text}- [New](new.md) — of new\n"));
    let text = "- [A](a.md)\n  of a\n- [B](b.md) — of b\n- [C](c.md)\n  of c\n";
    let added = add(text, ("new.md", "New", "of new", MemoryType::User));
    assert_eq!(added, format!("{text}- [New](new.md)\n  of new\n"));
}

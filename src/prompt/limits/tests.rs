use super::*;
use proptest::prelude::*;

fn text(bytes: &str) -> String {
    load(bytes.as_bytes()).text
}

#[test]
fn lines_are_cut_at_200() {
    let lines = |n: usize| (0..n).map(|i| format!("l{i}\n")).collect::<String>();
    assert!(!load(lines(200).as_bytes()).over_lines);
    let loaded = load(format!("\n\n{}\n\n", lines(201)).as_bytes());
    assert!(loaded.over_lines && !loaded.over_size);
    assert_eq!((loaded.lines, loaded.kept_lines), (201, 200));
    assert!(loaded.text.ends_with("l199"));
    let fate = &loaded.fate;
    assert_eq!(
        (fate[0], fate[1], fate[2], fate[201]),
        (Fate::Stripped, Fate::Stripped, Fate::Loads, Fate::Loads)
    );
    assert_eq!((fate[202], fate[203], fate.len()), (Fate::Cut, Fate::Stripped, 205));
}

#[test]
fn size_is_cut_at_the_last_line_feed() {
    let a = |n: usize| "a".repeat(n);
    for (given, kept) in [
        (a(25_000), 25_000),
        (a(25_001), 25_000),
        (format!("{}\n{}", a(24_999), a(5)), 24_999),
        (format!("{}\n{}", a(25_000), a(5)), 25_000),
        (format!("{}\n{}", a(25_001), a(5)), 25_000),
        (format!("short\n{}", a(30_000)), 5),
        ("記".repeat(25_000), 25_000),
    ] {
        assert_eq!(load(given.as_bytes()).kept_units, kept);
    }
    let cut = load(format!("short\n{}\nx", a(30_000)).as_bytes());
    assert_eq!(cut.fate, [Fate::Loads, Fate::Cut, Fate::Cut]);
}

#[test]
fn the_size_flag_is_set_by_the_whole_text() {
    // 200 short lines and a long one: the line cut alone removes text, both flags are set.
    let loaded = load(format!("{}{}", "line\n".repeat(200), "x".repeat(40_000)).as_bytes());
    assert!(loaded.over_lines && loaded.over_size);
    assert_eq!((loaded.kept_lines, loaded.kept_units), (200, 999));
}

#[test]
fn a_split_pair_differs_by_version() {
    let given = format!("{}😀tail", "a".repeat(24_999));
    let old = load(given.as_bytes());
    assert!(old.text.ends_with("a\u{FFFD}"));
    assert_eq!(old.kept_units, 25_000);
    assert_eq!(load_with(given.as_bytes(), &Rules::V332).kept_units, 24_999);
}

#[test]
fn more_than_four_mib_does_not_load() {
    let loaded = load(&vec![b'\n'; MAX_BYTES + 1]);
    assert!(loaded.too_large && loaded.text.is_empty());
    assert_eq!(loaded.fate.len(), MAX_BYTES + 1);
    let mut fits = vec![b'a'; MAX_BYTES];
    fits[3] = b'\n';
    assert_eq!(load(&fits).text, "aaa");
}

#[test]
fn frontmatter_comments_and_blanks_are_stripped() {
    for (given, left) in [
        ("---\nname: x\n---\nbody\n", "body"),
        ("---\nkey: a---b\n", "b"),
        ("\u{FEFF}---\nx\n---\nb", "---\nx\n---\nb"),
        ("\u{A0}\u{3000}a\u{FEFF}\n", "a"),
        ("\u{85}a\u{85}", "\u{85}a\u{85}"),
        ("a\r\nb", "a\r\nb"),
        ("a\r\n<!-- c -->\r\nb", "a\nb"),
        ("a\n<!-- c -->\n\n\nb", "a\nb"),
        ("a\n\n<!-- c\n\nd -->\n\nb", "a\n\nb"),
        ("a\n\n<!-- c --> tail\n\nb", "a\n\n tail\n\nb"),
        ("<!-- a <!-- b --> c -->\n", "c -->"),
        ("- a\n<!-- c -->\n- b", "- a\n- b"),
        ("a <!-- c --> b", "a <!-- c --> b"),
        ("- a\n  <!-- c -->\n", "- a\n  <!-- c -->"),
        ("> <!-- c -->", "> <!-- c -->"),
        ("```\n<!-- c -->\n```", "```\n<!-- c -->\n```"),
        ("a\n\n    <!-- c -->", "a\n\n    <!-- c -->"),
        ("a\n\n   <!-- c -->\nb", "a\n\nb"),
        ("<div>\n<!-- c -->\n</div>", "<div>\n<!-- c -->\n</div>"),
        ("a\n\n<!-- never closed\nb", "a\n\n<!-- never closed\nb"),
        ("<!-->\n\nb", "<!-->\n\nb"),
        ("[a]: x\n\n<!-- c -->\nb", "b"),
        ("[a]: x\n\nb", "[a]: x\n\nb"),
        ("<!-- c -->", ""),
        ("---\na: b\n---\n", ""),
        ("", ""),
    ] {
        assert_eq!(text(given), left, "{given:?}");
    }
    assert_eq!(load(b"a\xff\xfe").text, "a\u{FFFD}\u{FFFD}");
    assert_eq!(load(b"").lines, 0);
}

#[test]
fn the_newer_version_sanitises() {
    let text = |given: &str| load_with(given.as_bytes(), &Rules::V332).text;
    assert_eq!(text("\u{FEFF}---\nx: y\n---\nb"), "b");
    // It cleans after the limits, which therefore count what goes and know no other line ends (measured).
    let dirty = "a\r\nb\rc\u{2028}d\0\u{85}e\u{FEFF}f";
    assert_eq!(text(dirty), dirty);
    let carriage_returns = load_with("z\r".repeat(210).as_bytes(), &Rules::V332);
    assert!(!carriage_returns.over_lines);
    let hidden = format!("{}\n{}z", "a".repeat(99), format!("{}\u{200b}\n", "z".repeat(98)).repeat(249));
    assert_eq!(load_with(hidden.as_bytes(), &Rules::V332).units, 25_001);
    assert!(load_with(hidden.as_bytes(), &Rules::V332).over_size);
    assert_eq!(text("[a]: x\n\n<!-- c -->\nb"), "[a]: x\n\nb");
}

#[test]
fn each_line_of_the_file_has_its_fate() {
    use Fate::{Loads, Stripped};
    let fate = |given: &str| load(given.as_bytes()).fate;
    assert_eq!(
        fate("---\na: b\n---\n\nx\r\n\r\n<!-- c\n\nd -->\n\ny <!-- -->\n"),
        [Stripped, Stripped, Stripped, Stripped, Loads, Loads, Stripped, Stripped, Stripped, Stripped, Loads]
    );
    assert_eq!(load(b"\xff\nb\n\n").fate, [Loads, Loads, Stripped]);
    assert_eq!(fate("a\rb\r"), [Loads, Loads]);
}

proptest! {
    #[test]
    fn never_over_the_limits(
        line in "([-a\\[\\](<!\u{e9}\u{8a18}\u{1f600}>) \r]{0,30}|<!-- x|-->|---|\\[a\\]: b)",
        other in prop::collection::vec(any::<u8>(), 0..300),
        times in 1usize..1500,
        newer in any::<bool>(),
    ) {
        let rules = if newer { Rules::V332 } else { Rules::V197 };
        let bytes = [format!("{line}\n").repeat(times).into_bytes(), other].concat();
        let loaded = load_with(&bytes, &rules);
        prop_assert!(loaded.kept_lines <= MAX_LINES && loaded.kept_units <= MAX_UNITS);
        prop_assert_eq!(loaded.text.encode_utf16().count(), loaded.kept_units);
        prop_assert_eq!(loaded.fate.len(), crate::memory::index::lines(&bytes).len());
        let cut = loaded.over_lines || loaded.text.encode_utf16().count() < loaded.units;
        prop_assert_eq!(loaded.fate.contains(&Fate::Cut), cut);
        // What loads of a line is in the text.
        for (line, fate) in crate::memory::index::lines(&bytes).iter().zip(&loaded.fate) {
            let line = String::from_utf8_lossy(&bytes[line.clone()]).into_owned();
            if *fate == Fate::Loads && !newer && !line.contains(['<', '\r', '>']) {
                prop_assert!(loaded.text.contains(line.trim_matches(crate::prompt::strip::is_js_blank)));
            }
        }
    }
}

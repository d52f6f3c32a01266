use super::*;
use crate::memory::body::PartKind;

fn set(before: &str, place: Place, key: &str, text: &str) -> String {
    let after =
        set_field(before.as_bytes(), place, key, text).unwrap_or_else(|e| panic!("{before:?} {text:?}: {e}"));
    let read = fields(&after).into_iter().find(|f| f.place == place && f.key == key).unwrap();
    assert_eq!(read.text, text, "{before:?}");
    String::from_utf8(after).unwrap()
}

fn top(before: &str, key: &str, text: &str) -> String {
    set(before, Place::Top, key, text)
}

fn value<'a>(bytes: &'a str, key: &str) -> (&'a str, String, Style) {
    let field = fields(bytes.as_bytes()).into_iter().find(|f| f.key == key).unwrap();
    (bytes.get(field.value).unwrap(), field.text, field.style)
}

#[test]
fn every_writing_of_a_value_is_found() {
    for nl in ["\n", "\r\n", "\r"] {
        let text = "---\n# note: no key\nplain: a b # comment\nsingle: 'it''s' # c\ndouble: \"a\\tb\"\n\
            empty:\nblank: \ncommented: # nothing\nliteral: |\n  one\n\n   two\nfolded: >-\n  one\n  two\n\
            several: one\n  two\n\n  three\nbelow:\n  \"it is\n  here\"\nlist: [a, \"]\",\n  b] # c\ntags:\n- x\n- y\n\
            \"quoted key\": v\nmetadata: \n  node_type: memory\n  # note\n  type: 'user'\n  deep:\n    type: no\n\
            modified: 2026-01-01\n---\nbody: no\n"
            .replace('\n', nl);
        let expected = [
            ("plain", "a b", "a b", Style::Plain),
            ("single", "'it''s'", "it's", Style::Single),
            ("double", "\"a\\tb\"", "a\tb", Style::Double),
            ("empty", "", "", Style::Empty),
            ("blank", "", "", Style::Empty),
            ("commented", "", "", Style::Empty),
            ("literal", "|\n  one\n\n   two", "one\n\n two\n", Style::Literal),
            ("folded", ">-\n  one\n  two", "one two", Style::Folded),
            ("several", "one\n  two\n\n  three", "one two\nthree", Style::Plain),
            ("below", "\"it is\n  here\"", "it is here", Style::Double),
            ("list", "[a, \"]\",\n  b]", "[a, \"]\",\n  b]", Style::Flow),
            ("tags", "- x\n- y", "- x\n- y", Style::Nested),
            ("quoted key", "v", "v", Style::Plain),
            ("node_type", "memory", "memory", Style::Plain),
            ("type", "'user'", "user", Style::Single),
            ("deep", "type: no", "type: no", Style::Nested),
            ("modified", "2026-01-01", "2026-01-01", Style::Plain),
        ];
        for (key, raw, text_of, style) in expected {
            let (found, decoded, how) = value(&text, key);
            assert_eq!(found, raw.replace('\n', nl), "{key}");
            if style != Style::Flow && style != Style::Nested {
                assert_eq!(decoded, text_of, "{key}");
            }
            assert_eq!(how, style, "{key}");
        }
        let places: Vec<_> =
            fields(text.as_bytes()).into_iter().filter(|f| f.place == Place::Metadata).collect();
        assert_eq!(places.iter().map(|f| f.key.as_str()).collect::<Vec<_>>(), ["node_type", "type", "deep"]);
    }
}

#[test]
fn broken_yaml_has_its_fields_too() {
    let text = "---\nname: Deploy: the script\ndescription: \"quoted\" and more\ntype: [project\nx: *y\nplain: fine\n---\n";
    assert_eq!(value(text, "name"), ("Deploy: the script", "Deploy: the script".into(), Style::Plain));
    assert_eq!(value(text, "description").0, "\"quoted\" and more");
    assert_eq!(value(text, "type").0, "[project");
    assert_eq!(top(text, "plain", "new: one"), text.replace("plain: fine", "plain: \"new: one\""));
}

#[test]
fn the_writing_stays_where_it_can_hold_the_text() {
    let file = |value: &str| format!("---\nname: x # c\ndescription: {value}\ntype: user\n---\nbody\n");
    for (old, text, new) in [
        ("old", "new text", "new text"),
        ("'old'", "it's # new", "'it''s # new'"),
        ("\"old\"", "new", "\"new\""),
        ("\"old\"", "say \"hi\"\\", "\"say \\\"hi\\\"\\\\\""),
        ("'old'", "two\nlines", "\"two\\nlines\""),
        ("'old'", "a --- b", "\"a --\\x2d b\""),
        ("old", "a ------ b", "\"a --\\x2d--\\x2d b\""),
        ("|\n  old\n  text", "new\n\ntext\n", "|\n  new\n\n  text"),
        ("|\n    old", "new", "|-\n    new"),
        (">-\n  old\n  text", "new\ntext", ">-\n  new\n\n  text"),
        ("|\n  old", " indented\nx\n", "\" indented\\nx\\n\""),
        ("old\n  and more", "new", "new"),
        ("", "new", "new"),
        ("\"\"", "new", "\"new\""),
        ("old", "", "\"\""),
        ("cut # here", "cut", "cut"),
    ] {
        assert_eq!(top(&file(old), "description", text), file(new), "{old:?}");
    }
}

#[test]
fn what_would_read_otherwise_gets_quotes() {
    let file = "---\ndescription: old\n---\n";
    for text in [
        "a #b",
        "a: b",
        "a:",
        "a:\tb",
        "a\t#b",
        "[a",
        "{a",
        "*a",
        "&a",
        "!a",
        "|a",
        ">a",
        "%a",
        "@a",
        "- a",
        "-a",
        "? a",
        "`a`",
        "\"a",
        "'a'",
        ",a",
        "]a",
        "}a",
        "#a",
        "2026-01-01",
        "2026-01-01 10:00:00",
        "2026-01-01T10:00:00Z",
        "true",
        "True",
        "yes",
        "NO",
        "on",
        "off",
        "y",
        "~",
        "null",
        "Null",
        "12",
        "1_000",
        "0x1F",
        "0o17",
        "0b1",
        "1e3",
        "-1.5",
        "+1",
        ".5",
        ".inf",
        "-.INF",
        ".nan",
        "1:30",
        "190:20:30",
        " a",
        "a ",
        "\ta",
        "a\u{1}b",
        "a\u{0}b",
        "a\u{1b}[31m",
        "a\nb",
        "a\r\nb",
        "\n",
        "a\u{85}b",
        "a\u{2028}b",
        "\u{feff}a",
        "a\u{feff}",
        "---",
        "a---b",
        "----",
        "\u{a0}a",
        "=",
        "<<",
        "a\u{ffff}",
        "a\u{10ffff}b",
    ] {
        let after = top(file, "description", text);
        assert!(after.starts_with("---\ndescription: \"") && after.ends_with("\"\n---\n"), "{after:?}");
        assert_eq!(after.matches("---").count(), 2, "the client would end the frontmatter early: {after:?}");
        assert_eq!(after.lines().count(), 3, "{after:?}");
    }
    for text in [
        "a",
        "a:b",
        "a#b",
        "12 things",
        "v1.2",
        "no way",
        "it's \"so\"",
        "a - b",
        "a -- b",
        "/x",
        "見る",
        "🦀 b",
    ] {
        assert_eq!(top(file, "description", text), format!("---\ndescription: {text}\n---\n"));
    }
}

#[test]
fn a_number_or_date_stays_one_where_one_is_meant() {
    let file = |c: &str, d: &str, n: &str| format!("---\nconfidence: {c}\nexpiresAt: {d}\nn: {n}\n---\n");
    let before = file("0.8", "2026-01-01", "true");
    assert_eq!(top(&before, "confidence", "0.9"), file("0.9", "2026-01-01", "true"));
    assert_eq!(top(&before, "expiresAt", "2026-02-01"), file("0.8", "2026-02-01", "true"));
    assert_eq!(top(&before, "n", "false"), file("0.8", "2026-01-01", "false"));
    assert_eq!(top(&before, "n", "12"), file("0.8", "2026-01-01", "\"12\""));
}

#[test]
fn a_key_is_added_where_it_belongs() {
    let old = "---\r\ntype: user\r\nzeta: 1\r\n---\r\nbody";
    assert_eq!(top(old, "name", "nn"), "---\r\nname: nn\r\ntype: user\r\nzeta: 1\r\n---\r\nbody");
    assert_eq!(top(old, "description", "d"), "---\r\ndescription: d\r\ntype: user\r\nzeta: 1\r\n---\r\nbody");
    assert_eq!(top(old, "reason", "r"), "---\r\ntype: user\r\nzeta: 1\r\nreason: r\r\n---\r\nbody");
    assert_eq!(
        set(old, Place::Metadata, "type", "user"),
        "---\r\ntype: user\r\nzeta: 1\r\nmetadata:\r\n  type: user\r\n---\r\nbody"
    );
    let new = "---\nname: n\nmetadata: \n    node_type: memory\n    modified: 2026-01-01\ntags:\n- a\n---\n";
    assert_eq!(top(new, "type", "user"), new.replace("name: n\n", "name: n\ntype: user\n"));
    assert_eq!(
        set(new, Place::Metadata, "type", "user"),
        new.replace("memory\n", "memory\n    type: user\n")
    );
    assert_eq!(
        set(new, Place::Metadata, "reason", "r: s"),
        new.replace("2026-01-01\n", "2026-01-01\n    reason: \"r: s\"\n")
    );
    assert_eq!(top("---\n---\n", "name", "nn"), "---\nname: nn\n---\n");
    assert_eq!(
        set("---\nmetadata: \n---\n", Place::Metadata, "type", "x"),
        "---\nmetadata: \n  type: x\n---\n"
    );
}

#[test]
fn a_memory_without_frontmatter_gets_one() {
    assert_eq!(top("body\n", "name", "nn"), "---\nname: nn\n---\n\nbody\n");
    assert_eq!(top("\u{feff}body\r\n", "name", "nn"), "\u{feff}---\r\nname: nn\r\n---\r\n\r\nbody\r\n");
    assert_eq!(top("\nbody", "name", "nn"), "---\nname: nn\n---\n\nbody");
    assert_eq!(top("", "name", "nn"), "---\nname: nn\n---\n");
    assert_eq!(set("x", Place::Metadata, "type", "user"), "---\nmetadata:\n  type: user\n---\n\nx");
    assert!(set_field(b"---\nname: x\n", Place::Top, "name", "nn").is_err());
}

#[test]
fn what_can_not_be_done_safely_is_refused() {
    for (before, place, key, text) in [
        ("---\na: 1\na: 2\n---\n", Place::Top, "a", "x"),
        ("---\ntags: [a]\n---\n", Place::Top, "tags", "x"),
        ("---\ntags:\n- a\n---\n", Place::Top, "tags", "x"),
        ("---\na: &x y\nb: *x\n---\n", Place::Top, "a", "z"),
        ("---\na: &x y\nb: *x\n---\n", Place::Top, "b", "z"),
        ("---\nmetadata: {type: user}\n---\n", Place::Metadata, "type", "x"),
        ("---\nmetadata: text\n---\n", Place::Metadata, "type", "x"),
        ("---\na: b\n---\n", Place::Top, "c: d", "x"),
        ("---\na: b\n---\n", Place::Top, "true", "x"),
    ] {
        let refused = set_field(before.as_bytes(), place, key, text);
        assert!(refused.is_err(), "{before:?}: {:?}", refused.map(String::from_utf8));
    }
    assert_eq!(top("---\ntags: [a]\n---\n", "tags", "[a, b]"), "---\ntags: [a, b]\n---\n");
}

#[test]
fn a_field_goes_with_its_lines() {
    let text = "---\na: |\n  x\n\nb: 'c\n  d' # e\nmetadata:\n  t: u\n---\nbody";
    let without = |place, key| String::from_utf8(remove_field(text.as_bytes(), place, key).unwrap()).unwrap();
    assert_eq!(without(Place::Top, "b"), "---\na: |\n  x\n\nmetadata:\n  t: u\n---\nbody");
    assert_eq!(without(Place::Metadata, "t"), "---\na: |\n  x\n\nb: 'c\n  d' # e\nmetadata:\n---\nbody");
    assert!(remove_field(text.as_bytes(), Place::Top, "t").is_err());
}

#[test]
fn values_that_yaml_reads_otherwise_are_quoted() {
    for (old, new) in [
        ("fix #12 first", "\"fix #12 first\""),
        ("2026-01-01", "\"2026-01-01\""),
        ("true", "\"true\""),
        ("1.10", "\"1.10\""),
        ("[a] b", "\"[a] b\""),
        ("[a]", "\"[a]\""),
        ("!important x", "\"!important x\""),
    ] {
        let file = |value: &str| format!("---\ntype: user\ndescription: {value}\nsource: s\n---\n");
        let before = file(old);
        let result = repair_field(before.as_bytes(), Place::Top, "description");
        let after = String::from_utf8(result.unwrap_or_else(|e| panic!("{old}: {e}"))).unwrap();
        assert_eq!(after, file(new));
        assert!(repairable(before.as_bytes()).contains(&(Place::Top, "description".into())), "{old}");
        assert!(repairable(after.as_bytes()).is_empty(), "{old}");
    }
    let fine = b"---\nname: a-b\ndescription: 'true'\nconfidence: 0.8\nmodified: 2026-01-01\n---\n";
    assert!(repairable(fine).is_empty());
    assert!(repair_field(fine, Place::Top, "name").is_err());
}

#[test]
fn broken_yaml_is_repaired_by_quotes() {
    for (old, new) in [
        ("name: Deploy: the script\ntype: user\n", "name: \"Deploy: the script\"\ntype: user\n"),
        ("a: `code` here\r\nb: c # d\r\n", "a: \"`code` here\"\r\nb: c # d\r\n"),
        ("a: \"quoted\" and more\n", "a: \"\\\"quoted\\\" and more\"\n"),
        ("a: [open\nmetadata:\n  x: @y\n", "a: \"[open\"\nmetadata:\n  x: \"@y\"\n"),
        ("a: b: c\n  d\nx: y\n", "a: \"b: c d\"\nx: y\n"),
    ] {
        let before = format!("---\n{old}---\nbody");
        let after = repair_broken(before.as_bytes()).unwrap_or_else(|e| panic!("{old}: {e}"));
        assert_eq!(String::from_utf8(after).unwrap(), format!("---\n{new}---\nbody"));
    }
    for hopeless in ["---\na: 1\na: 2\n---\n", "---\na: 1\n\tb\n: c\n---\n", "---\na: fine\n---\n", "no"] {
        assert!(repair_broken(hopeless.as_bytes()).is_err(), "{hopeless:?}");
    }
}

fn why() -> PartRef {
    PartRef { kind: PartKind::Why, number: 0 }
}

fn part(before: &str, which: PartRef, text: &str) -> String {
    let after =
        set_part(before.as_bytes(), which, text).unwrap_or_else(|e| panic!("{before:?} {text:?}: {e}"));
    String::from_utf8(after).unwrap()
}

#[test]
fn one_part_changes_and_nothing_around_it() {
    for (before, text, after) in [
        (
            "f\n\n**Why:** old\n\n**How to apply:** h\n",
            "new\n\nmore",
            "f\n\n**Why:** new\n\nmore\n\n**How to apply:** h\n",
        ),
        ("f\r\n**Why:**\told  ", "a\nb", "f\r\n**Why:**\ta\r\nb  "),
        ("f\r**Why**:  old\r\r", "a\nb", "f\r**Why**:  a\rb\r\r"),
        ("## Why\n\n  old\n## How to apply\nh", "new", "## Why\n\n  new\n## How to apply\nh"),
        ("**Why:**", "new", "**Why:** new"),
        ("**Why:** \n\n**How to apply:** h", "new", "**Why:** new\n\n**How to apply:** h"),
        ("## Why\n## How to apply\n", "new", "## Why\nnew\n\n## How to apply\n"),
        ("## Why", "new", "## Why\nnew"),
        ("**Why:** old\n", " \n\n ", "**Why:** \n"),
        // Lines that stay keep their own line ends.
        ("**Why:** a\r\nb\nc\rd\n\n", "a\nB\nc\nd", "**Why:** a\r\nB\nc\rd\n\n"),
    ] {
        assert_eq!(part(before, why(), text), after, "{before:?}");
    }
    let fact = PartRef { kind: PartKind::Fact, number: 0 };
    for (before, text, after) in [
        ("---\nname: n\n---\n\nold\n\n**Why:** w\n", "new", "---\nname: n\n---\n\nnew\n\n**Why:** w\n"),
        ("---\nname: n\n---\n\n**Why:** w\n", "new", "---\nname: n\n---\n\nnew\n\n**Why:** w\n"),
        ("---\nname: n\n---\n", "new", "---\nname: n\n---\nnew\n"),
        ("", "new", "new\n"),
        ("    code\n", "x", "    x\n"),
    ] {
        assert_eq!(part(before, fact, text), after, "{before:?}");
    }
    let second = PartRef { kind: PartKind::Why, number: 1 };
    assert_eq!(part("**Why:** a\n**Why:** b\n", second, "c"), "**Why:** a\n**Why:** c\n");
}

#[test]
fn a_text_that_would_change_other_parts_is_refused() {
    let body = "f\n\n**Why:** w\n\n**How to apply:** h\n";
    let fact = PartRef { kind: PartKind::Fact, number: 0 };
    for (which, text) in [
        (fact, "x\n**Why:** y"),
        (fact, "x\n```\ncode"),
        (fact, "---\nname: x\n---"),
        (fact, "--- x"),
        (why(), "x\n## Heading\n"),
        (why(), "x **How to apply:** y"),
        (PartRef { kind: PartKind::Why, number: 1 }, "x"),
    ] {
        assert!(set_part(body.as_bytes(), which, text).is_err(), "{text:?}");
    }
    assert!(set_part(body.as_bytes(), fact, "x\n```\n**Why:** in code\n```").is_ok());
}

#[test]
fn a_missing_part_is_added_in_the_usual_form() {
    for (before, kind, after) in [
        ("f\n", PartKind::How, "f\n\n**How to apply:** x\ny\n"),
        ("f", PartKind::Why, "f\n\n**Why:** x\ny"),
        ("f\r\n\r\n", PartKind::Why, "f\r\n\r\n**Why:** x\r\ny\r\n"),
        ("f\n\n**How to apply:** h\n", PartKind::Why, "f\n\n**Why:** x\ny\n\n**How to apply:** h\n"),
        ("f\n**How to apply:** h\n", PartKind::Why, "f\n\n**Why:** x\ny\n\n**How to apply:** h\n"),
        ("a **How to apply:** h\n", PartKind::Why, "a **How to apply:** h\n\n**Why:** x\ny\n"),
        ("---\nname: n\n---\n", PartKind::Why, "---\nname: n\n---\n**Why:** x\ny\n"),
        ("---\nname: n\n---\n\n", PartKind::Why, "---\nname: n\n---\n\n**Why:** x\ny\n"),
    ] {
        let added =
            add_part(before.as_bytes(), kind, "\nx\r\ny\n").unwrap_or_else(|e| panic!("{before:?}: {e}"));
        assert_eq!(String::from_utf8(added).unwrap(), after);
    }
    assert!(add_part(b"**Why:** x", PartKind::Why, "y").is_err());
    assert!(add_part(b"f", PartKind::Why, " \n").is_err());
    assert!(add_part(b"f", PartKind::Why, "a\n**How to apply:** b").is_err());
    assert!(add_part(b"f\n```\ncode", PartKind::Why, "a").is_err());
    assert!(add_part(b"f", PartKind::Fact, "a").is_err());
}

#[test]
fn a_key_goes_where_its_kind_stands() {
    let new = b"---\nname: a\nreason: top\nmetadata:\n  type: user\n---\n";
    let places = ["name", "description", "reason", "type", "source"].map(|key| place_of(new, key));
    assert_eq!(places, [Place::Top, Place::Top, Place::Top, Place::Metadata, Place::Metadata]);
    assert_eq!(place_of(b"---\nname: a\n---\n", "type"), Place::Top);
    assert_eq!(place_of(b"text", "type"), Place::Top);
}

#[test]
fn the_line_end_that_a_file_uses_most() {
    for (text, end) in [("", "\n"), ("a\r\nb\r\nc\n", "\r\n"), ("a\rb\rc\n", "\r"), ("a\nb\r\n", "\n")] {
        assert_eq!(line_end(text.as_bytes()), end, "{text:?}");
    }
}

#[test]
fn bytes_that_are_not_utf8_are_not_lost_unseen() {
    let file = b"---\nname: caf\xe9\ntype: user\n---\n\none \xe9\ntwo\n";
    let fact = PartRef { kind: PartKind::Fact, number: 0 };
    assert!(set_field(file, Place::Top, "name", "my caf\u{fffd}").is_err());
    let named = set_field(file, Place::Top, "name", "caf\u{e9}").unwrap();
    assert_eq!(named, b"---\nname: caf\xc3\xa9\ntype: user\n---\n\none \xe9\ntwo\n");
    assert!(set_part(file, fact, "my one \u{fffd}\ntwo").is_err());
    let other_line = set_part(file, fact, "one \u{fffd}\nthree").unwrap();
    assert_eq!(other_line, b"---\nname: caf\xe9\ntype: user\n---\n\none \xe9\nthree\n");
}

#[test]
fn a_quote_that_is_never_closed_is_no_part_of_the_text() {
    let text = "---\nname: \"starts\ntype: user\n---\n";
    assert_eq!(value(text, "name"), ("\"starts", "starts".into(), Style::Plain));
    let repaired = repair_broken(text.as_bytes()).unwrap();
    assert_eq!(String::from_utf8(repaired).unwrap(), "---\nname: \"starts\"\ntype: user\n---\n");
}

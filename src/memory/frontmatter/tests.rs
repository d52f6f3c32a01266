//! Each form of frontmatter that real stores hold, in our own words; and that the readers agree.

use super::*;
use crate::memory::document::{Document, Encoding};
use proptest::prelude::*;

fn parse(text: &str) -> Document {
    Document::parse(text.as_bytes())
}

fn yaml(text: &str) -> Header {
    let document = parse(&format!("---\n{text}\n---\nbody\n"));
    assert_eq!(document.faults, [], "{text}");
    document.header
}

/// The header and the one fault of a block.
fn faulty(text: &str) -> (Header, Fault) {
    let document = parse(&format!("---\n{text}\n---\nbody\n"));
    let [fault] = document.faults.as_slice() else { panic!("{text}: {:?}", document.faults) };
    (document.header.clone(), fault.clone())
}

#[test]
fn both_shapes_of_a_memory() {
    let older = yaml("name: Refunds need two approvals\ndescription: over 500, since March\ntype: project");
    assert_eq!(older.name.as_deref(), Some("Refunds need two approvals"));
    assert_eq!(older.description.as_deref(), Some("over 500, since March"));
    assert_eq!(older.kind, MemoryType::Project);
    let newer = yaml(
        "name: real-db\ndescription: \"say \\\"no\\\" to mocks\"\nmetadata: \n  node_type: memory\n  type: feedback\n  \
         originSessionId: 6f0c1c3e-8f6e-4a55-9c0b-0d6c1f0a2b7d\n  modified: 2026-08-11T08:31:36.377Z",
    );
    assert_eq!(newer.description.as_deref(), Some("say \"no\" to mocks"));
    assert_eq!(newer.kind, MemoryType::Feedback);
    assert_eq!(newer.modified, Some("2026-08-11T08:31:36.377Z".parse().unwrap()));
    assert_eq!(newer.origin_session.as_deref(), Some("6f0c1c3e-8f6e-4a55-9c0b-0d6c1f0a2b7d"));
    assert_eq!(newer.others, [("metadata.node_type".into(), "memory".into())]);
}

#[test]
fn line_ends_fences_and_marks() {
    for text in [
        "---\nname: a\n---\nbody\n",
        "---\r\nname: a\r\n---\r\nbody\r\n",
        "---\rname: a\r---\rbody\r",
        "--- \t\r\nname: a\n---  \rbody\n",
        "---\nname: a\n---",
        "---\n\n# a comment\nname: a # short\n---\n",
    ] {
        let document = parse(text);
        let lossy = text.contains("short");
        assert_eq!(document.header.name.as_deref(), Some(if lossy { "a # short" } else { "a" }), "{text:?}");
        assert_eq!(document.faults.len(), usize::from(lossy), "{text:?}: {:?}", document.faults);
        assert_eq!(document.parts(text.as_bytes()).concat(), text.as_bytes());
    }
    let document = parse("---\n---\nx");
    assert_eq!((document.header, document.body), (Header::default(), 8..9));
    for none in
        ["", "# a\n---\nname: a\n---\n", "\n---\nname: a\n---\n", "----\nname: a\n----\n", "--- a\n---\n"]
    {
        let document = parse(none);
        assert_eq!(
            (document.frontmatter, document.body, document.faults.len()),
            (None, 0..none.len(), 0),
            "{none:?}"
        );
    }
}

#[test]
fn a_byte_order_mark_before_frontmatter_is_said() {
    let document = parse("\u{feff}---\nname: a\n---\nbody");
    assert_eq!(document.encoding, Encoding::Utf8Bom);
    assert_eq!(document.header.name.as_deref(), Some("a"));
    assert_eq!(document.faults.iter().map(|f| f.kind).collect::<Vec<_>>(), [FaultKind::Encoding]);
    let document = parse("\u{feff}body");
    assert_eq!((document.encoding, document.body, document.faults.len()), (Encoding::Utf8Bom, 3..7, 0));
}

#[test]
fn not_utf8_still_reads() {
    let bytes = b"---\nname: caf\xe9\n---\nna\xefve";
    let document = Document::parse(bytes);
    assert_eq!(document.encoding, Encoding::Invalid(13));
    assert_eq!(document.header.name.as_deref(), Some("caf\u{fffd}"));
    assert_eq!(
        document.faults.iter().map(|f| (f.kind, f.line)).collect::<Vec<_>>(),
        [(FaultKind::Encoding, 2)]
    );
    assert_eq!(document.parts(bytes).concat(), bytes);
}

#[test]
fn never_closed_is_body() {
    let document = parse("---\nname: a\n\ntext\n");
    assert_eq!((document.frontmatter, document.body), (None, 0..18));
    assert_eq!((document.faults[0].kind, document.faults[0].line), (FaultKind::FrontmatterInvalid, 1));
    let document = parse("---\nname: a\n\n|---|\n");
    assert_eq!((document.faults[0].kind, document.faults[0].line), (FaultKind::FrontmatterInvalid, 4));
}

#[test]
fn the_client_closes_at_the_first_dashes() {
    let (header, fault) = faulty("name: a\ndescription: before --- after\ntype: user");
    assert_eq!(header.description.as_deref(), Some("before --- after"));
    assert_eq!((fault.kind, fault.line), (FaultKind::FrontmatterLossy, 3));
    yaml("name: a\ndescription: a line ---- of four");
}

#[test]
fn lossy_values_show_what_is_written() {
    for (value, why) in [
        ("see issue #12 and  #13", "before ` #`"),
        ("#12 is fixed", "comment"),
        ("2026-03-02", "date"),
        ("2026-03-02T10:00:00Z", "date"),
        ("42", "number"),
        ("1.10", "number"),
        ("0x1F", "number"),
        ("true", "true or false"),
        ("~", "nothing"),
        ("null", "nothing"),
        ("[draft, old]", "list"),
        ("{a: b}", "map"),
        ("!important note", "tag"),
        ("&company tools", "mark"),
    ] {
        let (header, fault) = faulty(&format!("name: x\ndescription: {value}\ntype: user"));
        assert_eq!(header.description.as_deref(), Some(value));
        assert_eq!((fault.kind, fault.line), (FaultKind::FrontmatterLossy, 3), "{value}");
        assert!(fault.message.contains(why), "{value}: {}", fault.message);
        assert_eq!(header.kind, MemoryType::User);
    }
}

#[test]
fn the_text_of_a_block_is_taken_as_it_is() {
    for (text, description) in [
        ("description: |\n  &x is a mark\n  elsewhere\n", "&x is a mark\nelsewhere"),
        ("description: >-\n  &x is a mark\n  elsewhere\n", "&x is a mark elsewhere"),
        ("description: |\n  2026-01-02\n", "2026-01-02"),
        ("description: \"&x is\n  quoted\"\n", "&x is quoted"),
    ] {
        let document = parse(&format!("---\nname: x\n{text}---\nbody\n"));
        assert_eq!(document.header.description.as_deref(), Some(description), "{text:?}");
        assert_eq!(document.faults, [], "{text:?}");
    }
}

#[test]
fn harmless_forms_raise_nothing() {
    for (value, shown) in [
        ("\"2026-03-02\"", "2026-03-02"),
        ("'it''s 42'", "it's 42"),
        ("\"a\\nb\"", "a\nb"),
        ("\"quoted\" # with a comment", "quoted"),
        ("|\n  two\n  lines", "two\nlines"),
        (">-\n  two\n  lines", "two lines"),
        ("two\n  lines", "two lines"),
        ("", ""),
        ("\"\"", ""),
        ("!!str 42", "42"),
        ("2026 is a year", "2026 is a year"),
        ("C#, F# and issue#3", "C#, F# and issue#3"),
        ("http://example.com:80/a", "http://example.com:80/a"),
        ("yes", "yes"),
    ] {
        let header = yaml(&format!("description: {value}"));
        assert_eq!(header.description.as_deref(), Some(shown), "{value:?}");
    }
    let header =
        yaml("type: project # one of four\ntags: [a, b]\nreviewed: 1.10 # when\nlinks:\n  - x\n  - y: z");
    assert_eq!(header.kind, MemoryType::Project);
    let others: Vec<_> = header.others.iter().map(|(k, v)| format!("{k}={v}")).collect();
    assert_eq!(others, ["tags=a, b", "reviewed=1.10", "links=x, {y: z}"]);
    assert_eq!(yaml("name: a").description, None);
}

#[test]
fn twice_the_top_level_wins() {
    let (header, fault) = faulty("name: a\nmetadata:\n  type: user\n  name: a\ntype: project");
    assert_eq!(
        (header.kind, header.others),
        (MemoryType::Project, vec![("metadata.type".into(), "user".into())])
    );
    assert_eq!((fault.kind, fault.line), (FaultKind::FrontmatterLossy, 4));
    yaml("type: user\nmetadata:\n  type: user");
}

#[test]
fn times_wherever_they_stand() {
    let expected = Some("2026-03-02T00:00:00Z".parse().unwrap());
    for text in [
        "modified: 2026-03-02",
        "modified: !!timestamp 2026-03-02",
        "metadata:\n    modified: \"2026-03-02T00:00:00\"",
        "metadata: {modified: 2026-03-02T01:00:00+01:00}",
    ] {
        assert_eq!(yaml(text).modified, expected, "{text}");
    }
    assert_eq!(yaml("updatedAt: 2026-03-02 00:00:00").updated_at, expected);
    assert_eq!(yaml("modified: soon").others, [("modified".into(), "soon".into())]);
}

#[test]
fn invalid_yaml_reads_leniently_and_says_why() {
    for (line, shown, at, why) in [
        ("description: a freeze: until Monday", "a freeze: until Monday", 3, "`: `"),
        ("description: `make` is broken", "`make` is broken", 3, "backtick"),
        ("description: \"Zero\" means none", "\"Zero\" means none", 3, "closing quote"),
        ("description: \"never closed", "never closed", 3, "never closed"),
        ("description: 'tis: odd", "'tis: odd", 3, "quote"),
        ("description: [draft] one: two", "[draft] one: two", 3, ""),
        ("description: *every* file", "*every* file", 3, "`*`"),
        ("description: first: a\n  second line\nthird", "first: a second line third", 3, "`: `"),
        ("description: [c:, d]", "[c:, d]", 3, "colon inside"),
        ("description: |x", "|x", 3, "`|`"),
        ("description: a\u{1}b", "a\u{1}b", 3, "control character"),
        ("description: a\n\tb: c", "a b: c", 3, "tab"),
        ("description: a\nand more", "a and more", 4, "no `key: value`"),
        ("description: \"a\\qb\"", "a\\qb", 3, "backslash"),
        ("description: %done", "%done", 3, "quotes"),
        ("\"description\": 'it''s' so", "'it''s' so", 3, "closing quote"),
    ] {
        let document = parse(&format!("---\nname: x\n{line}\nmetadata:\n  type: feedback\n---\nbody\n"));
        assert_eq!(document.frontmatter.unwrap().reading, Reading::Lenient, "{line}");
        assert_eq!(document.header.name.as_deref(), Some("x"), "{line}");
        assert_eq!(document.header.description.as_deref(), Some(shown), "{line}");
        assert_eq!(document.header.kind, MemoryType::Feedback, "{line}");
        let [fault] = document.faults.as_slice() else { panic!("{line}: {:?}", document.faults) };
        assert_eq!(fault.kind, FaultKind::FrontmatterInvalid);
        assert!(fault.message.contains(why), "{line}: {}", fault.message);
        assert_eq!(fault.line, at, "{line}: {}", fault.message);
    }
}

#[test]
fn a_repeated_key_is_invalid_and_the_first_is_shown() {
    let document = parse("---\nname: x\ntype: user\nname: y\n---\n");
    assert_eq!(document.header.name.as_deref(), Some("x"));
    let faults: Vec<_> = document.faults.iter().map(|f| (f.kind, f.line)).collect();
    assert_eq!(faults, [(FaultKind::FrontmatterInvalid, 4), (FaultKind::FrontmatterLossy, 4)]);
    assert_eq!(document.header.others, [("name".into(), "y".into())]);
}

#[test]
fn lenient_sees_lists_blocks_and_tabs() {
    let document = parse(
        "---\nname: a: b\ntags:\n- one\n- \"two\"\nnote: >-\n  some\n  text\nmetadata:\n\ttype: user\n\tnode_type: memory\n---\n",
    );
    assert_eq!(document.header.kind, MemoryType::User);
    let others: Vec<_> = document.header.others.iter().map(|(k, v)| format!("{k}={v}")).collect();
    assert_eq!(others, ["tags=one, two", "note=some text", "metadata.node_type=memory"]);
}

#[test]
fn prose_between_rules_is_invalid() {
    let document = parse("---\n# Title\nSome words.\n---\nmore\n");
    assert_eq!(document.header, Header::default());
    assert_eq!(document.faults[0].kind, FaultKind::FrontmatterInvalid);
}

#[test]
fn a_wiped_name_is_told_from_an_empty_one() {
    let (header, fault) = faulty("name: \"\"\nmetadata: \n  node_type: memory\n  originSessionId: 6f0c1c3e");
    assert_eq!((header.name.as_deref(), fault.kind, fault.line), (Some(""), FaultKind::FrontmatterWiped, 2));
    yaml("name: \"\"\ntype: user");
    yaml("name:\nmetadata:\n  node_type: memory");
}

#[test]
fn hostile_blocks_end_soon() {
    for unit in ["[", "{a: ", "- ", "\"", "&a *a ", "a: &a [*a, *a]\n", "x", "\na: b", "\n? "] {
        let started = std::time::Instant::now();
        let text = format!("---\nname: {}\n---\n", unit.repeat(1_000_000 / unit.len()));
        let small = format!("---\nname: {}\n---\n", unit.repeat(60_000 / unit.len()));
        assert!(parse(&text).frontmatter.is_some() && parse(&small).frontmatter.is_some());
        assert!(started.elapsed().as_secs() < 20, "{unit}: {:?}", started.elapsed());
    }
}

/// One value near the border of the simple shape.
fn value() -> impl Strategy<Value = String> {
    let words =
        ["true", "null", "~", "2026-03-02", "1e5", "0x1f", "0o17", "+12", "007", "", ".inf", "nan", "6f0c-1"];
    prop_oneof![
        30 => "[a-zA-Z0-9(/_$][a-z0-9'\".,()#-]{0,10}( [a-z0-9\"'(-]{1,6}:?){0,2}[a-z]",
        4 => "[a-zA-Z0-9(/_$][a-z0-9'\".,()#:-]{0,10}( [a-z0-9\"'(#-]{1,6}:?){0,3}",
        1 => "[ -~]{0,12}",
        1 => "[a-z0-9:# '\"\\\\.+-]{0,10}",
        2 => "\"([a-z #:']|\\\\\"|\\\\\\\\){0,8}\"",
        1 => "\"[a-z\\\\\" #:]{0,8}\"",
        1 => "'[a-z\" #:]{0,8}'",
        1 => "'[a-z' #:]{0,8}'",
        1 => "[0-9+.exob_-]{1,6}",
        1 => "[aé漢😀 \u{a0}\u{301}]{1,5}",
        1 => "[a\u{80}\u{85}\u{a0}\u{2028}\u{feff}\u{fffd}\u{ffff}é漢😀 ]{1,5}",
        1 => prop::sample::select(words.to_vec()).prop_map(str::to_owned),
    ]
}

/// A header near the border of the simple shape: mostly simple lines, a few of any kind, each key once as a rule.
fn header_text() -> impl Strategy<Value = String> {
    let keys = ["name", "description", "a-b", "metadata:\n  type", "  modified", "Other", "true"];
    let line = |key: &'static str| {
        let colon = prop_oneof![9 => Just(": "), 1 => Just(":"), 1 => Just(":   ")];
        let text = (colon, value()).prop_map(move |(colon, value)| format!("{key}{colon}{value}\n"));
        prop_oneof![40 => text, 1 => "[ \t]{0,3}[ -~]{0,8}\n", 1 => Just(format!(" {key}: v\n"))]
    };
    prop::sample::subsequence(keys.to_vec(), 0..6)
        .prop_flat_map(move |keys| keys.into_iter().map(line).collect::<Vec<_>>())
        .prop_map(|lines| lines.concat())
}

/// What the fast reader gives must be what YAML gives, without a fault.
fn assert_agreement(text: &str) {
    let Some(fast) = fast::read(text) else { return };
    let mut faults = Vec::new();
    let full = yaml::read(text, &mut faults).unwrap_or_else(|fault| panic!("{text:?}: {fault:?}"));
    assert_eq!(fast, full, "{text:?}");
    assert_eq!(faults, [], "{text:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8192))]
    #[test]
    fn fast_and_full_agree(text in header_text()) {
        assert_agreement(&text);
    }
}

#[test]
fn fast_and_full_agree_on_the_corpus() {
    let Ok(shared) = std::env::var("MEMCURATOR_SHARED") else {
        eprintln!("skipped: MEMCURATOR_SHARED is not set");
        return;
    };
    let (mut fast, mut all) = (0, 0);
    let mut dirs = vec![std::path::PathBuf::from(shared).join("corpus")];
    while let Some(dir) = dirs.pop() {
        for entry in std::fs::read_dir(dir).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_dir() {
                dirs.push(entry.path());
                continue;
            }
            let bytes = std::fs::read(entry.path()).unwrap();
            if let Place::Block { yaml, .. } = find(&bytes, 0) {
                let text = String::from_utf8_lossy(&bytes[yaml]);
                assert_agreement(&text);
                all += 1;
                fast += usize::from(fast::read(&text).is_some());
            }
        }
    }
    // Few real headers may need the slow way.
    assert!(fast * 100 >= all * 90, "only {fast} of {all} headers are read fast");
}

#[test]
fn the_generator_reaches_the_fast_reader() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let texts = (0..500).map(|_| header_text().new_tree(&mut runner).unwrap().current());
    let fast = texts.filter(|text| fast::read(text).is_some_and(|fields| !fields.is_empty())).count();
    assert!(fast > 50, "{fast} of 500");
}

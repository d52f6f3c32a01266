//! Properties of reading: any bytes in, the same bytes out, and no panic.

use memcurator::memory::body;
use memcurator::memory::document::{Document, Encoding};
use memcurator::memory::links;
use memcurator::memory::text::visible;
use proptest::prelude::*;

/// Pieces that memories are made of, and that break them.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let pieces: Vec<&[u8]> = vec![
        b"---",
        b"---\n",
        b"--- \r\n",
        b"\n",
        b"\r",
        b"\r\n",
        b" ",
        b"\t",
        b"name: a",
        b"description: ",
        b"type: user\n",
        b"metadata:",
        b"metadata: \n  type: feedback\n",
        b"modified: 2026-03-02\n",
        b"\"",
        b"'",
        b"`",
        b": ",
        b" #",
        b"#",
        b"- ",
        b"[",
        b"]",
        b"{",
        b"}",
        b"&a",
        b"*a",
        b"!t",
        b"|",
        b">",
        b"%",
        b"@",
        b"?",
        b"...",
        b"<!--",
        b"-->",
        b"[[a]]",
        b"[a](b.md)",
        b"```",
        b"**Why:**",
        b"## How to apply",
        b"\xEF\xBB\xBF",
        b"\xff",
        b"\xC3",
        b"\x00",
        b"\x1b[31m",
        b"\xE2\x80\xAE",
        b"\xF0\x9F\x91\xA9\xE2\x80\x8D",
        "이유".as_bytes(),
        "caf\u{e9}".as_bytes(),
        b"x",
    ];
    prop::collection::vec(prop::sample::select(pieces), 0..60).prop_map(|pieces| pieces.concat())
}

/// A file with a frontmatter block of any pieces.
fn memory() -> impl Strategy<Value = Vec<u8>> {
    (pieces(), pieces()).prop_map(|(header, body)| [b"---\n", &header[..], b"\n---\n", &body].concat())
}

fn assert_reads(bytes: &[u8]) {
    let document = Document::parse(bytes);
    assert_eq!(document.parts(bytes).concat(), bytes);
    assert_eq!(document.body.end, bytes.len());
    if let Some(block) = &document.frontmatter {
        assert!(block.whole.start <= block.yaml.start && block.yaml.end <= block.whole.end);
        assert_eq!(block.whole.end, document.body.start);
    }
    assert_eq!(document.encoding == Encoding::Invalid(0), bytes.first().is_some_and(|_| starts_badly(bytes)));
    let lines = 1 + bytes.iter().filter(|b| matches!(b, b'\n' | b'\r')).count();
    for fault in &document.faults {
        assert!((1..=lines).contains(&fault.line), "{fault:?}");
        assert_eq!(visible(&fault.message, false), fault.message);
    }
    // Reading the same again gives the same.
    assert_eq!(Document::parse(bytes), document);
    let rest = &bytes[document.body.clone()];
    let parts = body::parts(rest);
    let whole: Vec<u8> =
        parts.iter().flat_map(|p| [&rest[p.label.clone()], &rest[p.content.clone()]].concat()).collect();
    assert_eq!(whole, rest);
    let text = String::from_utf8_lossy(rest);
    for link in links::links(&text) {
        assert!(text.get(link.range).is_some());
    }
}

fn starts_badly(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.valid_up_to() == 0)
}

#[test]
fn a_megabyte_in_one_line_ends_soon() {
    // What each of these needs grows with the text, not with its square: 1 MB takes milliseconds, even in a
    // build for tests well under the limit.
    for unit in [
        "[[",
        "[[a]] ",
        "[a](b.md) ",
        "](",
        " **",
        " **Why:** ",
        "`",
        "` **",
        "\u{200f}",
        "a\u{200d}",
        "\r",
        "> ",
        "# ",
    ] {
        let text = unit.repeat(1_000_000 / unit.len());
        let started = std::time::Instant::now();
        let document = Document::parse(text.as_bytes());
        assert_eq!(document.body, 0..text.len());
        let seen =
            (body::parts(text.as_bytes()).len(), links::links(&text).len(), visible(&text, true).len());
        assert!(started.elapsed().as_secs() < 15, "{unit:?}: {:?} for {seen:?}", started.elapsed());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_bytes_come_back(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        assert_reads(&bytes);
    }

    #[test]
    fn any_pieces_come_back(bytes in pieces()) {
        assert_reads(&bytes);
    }

    #[test]
    fn any_frontmatter_comes_back(bytes in memory()) {
        assert_reads(&bytes);
    }

    #[test]
    fn a_simple_memory_says_what_was_written(
        name in "[A-Za-z][A-Za-z0-9 ,.-]{0,30}[a-z]",
        description in "[A-Za-z][A-Za-z0-9 ,.'()-]{0,60}[a-z]",
        kind in prop::sample::select(vec!["user", "feedback", "project", "reference"]),
        end in prop::sample::select(vec!["\n", "\r\n", "\r"]),
        newer: bool,
    ) {
        prop_assume!(!name.contains("---") && !description.contains("---"));
        prop_assume!(!["null", "true", "false"].contains(&name.to_lowercase().as_str()));
        prop_assume!(!["null", "true", "false"].contains(&description.to_lowercase().as_str()));
        let kind_lines = if newer { format!("metadata: \n  type: {kind}\n") } else { format!("type: {kind}\n") };
        let text = format!("---\nname: {name}\ndescription: {description}\n{kind_lines}---\nBody.\n").replace('\n', end);
        let document = Document::parse(text.as_bytes());
        prop_assert_eq!(document.faults, []);
        prop_assert_eq!(document.header.name.as_deref(), Some(name.as_str()));
        prop_assert_eq!(document.header.description.as_deref(), Some(description.as_str()));
        prop_assert_eq!(document.header.kind.as_str(), kind);
    }
}

//! Properties of the edits over generated indexes.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Lines of generated indexes: entries in every form and everything that may stand between them.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "- \\[[A-Z]\\]\\([a-e]\\.md\\)( — h[a-z]{0,3})?",
        2 => "[*+-] [A-Z]?: ?\\[A\\]\\([a-c]\\.md\\)(, | · | and )\\[B\\]\\([b-e]\\.md\\)",
        1 => "- \\[\\[[a-e]\\]\\]( — hook)?",
        1 => "  - \\[N\\]\\([a-e]\\.md\\)",
        1 => "  wrapped [a-z]{1,3}",
        1 => "(  |\t)(>|—|-) [a-z]{1,3}",
        1 => "\\[P\\]\\([a-e]\\.md\\) — line",
        1 => "A sentence that is long enough, with \\[L\\]\\([a-e]\\.md\\) inside\\.",
        1 => "\\| \\[R\\]\\([a-e]\\.md\\) \\| cell \\|",
        1 => "\\|---\\|---\\|",
        2 => "##? [A-D]( \\[H\\]\\(a\\.md\\))?",
        3 => "",
        1 => "(---|```|===|<!-- c|-->|> q|text|\\[r\\]: a\\.md|\t)",
    ]
}

prop_compose! {
    fn index_text()(
        lines in prop::collection::vec((line(), prop_oneof![12 => Just("\n"), 2 => Just("\r\n"), 1 => Just("\r")]), 0..14),
        open in any::<bool>(),
    ) -> String {
        let mut text: String = lines.iter().map(|(line, end)| format!("{line}{end}")).collect();
        if open {
            text.truncate(text.trim_end_matches(['\r', '\n']).len());
        }
        text
    }
}

/// Indexes of so few different lines that many read alike, with links over two lines.
fn index_of_like_lines() -> impl Strategy<Value = String> {
    let lines = [
        "- [A](a.md)",
        "- [A](a.md) — see [B](b.md)",
        "- [A](a.md), [B](b.md)",
        "  - [B](b.md)",
        "[P](a.md) — line",
        "In a sentence [of two",
        "lines](b.md) of it",
        "a [x](a.md), [y",
        "z](b.md), [z](c.md)",
        "# [H](a.md)",
        "# H",
        "P — line",
        "text",
        "",
    ];
    prop::collection::vec(prop::sample::select(lines.to_vec()), 0..10).prop_map(|lines| lines.join("\n"))
}

fn check_edit(bytes: &[u8], at: usize) {
    let index = Index::parse(bytes);
    let removed = remove(bytes, &index, &[at]);
    let entry = &index.entries[at];
    // Everything outside the item stays, byte for byte.
    let start = index.lines[entry.item.start].start;
    let end = index.lines.get(entry.item.end).map_or(bytes.len(), |line| line.start);
    assert!(removed.bytes.starts_with(&bytes[..start]));
    assert!(removed.bytes.ends_with(&bytes[end..]));
    assert!(removed.bytes.len() < bytes.len());
    assert!(removed.bytes.len() >= start + (bytes.len() - end));
    let taken = &removed.taken[0];
    assert!(entry.item.start <= taken.lines.start && taken.lines.end <= entry.item.end);
    // And it can be taken back, byte for byte.
    if let Some(parked) = taken.parked(bytes, &index, "x.md") {
        let (back, homeless) = put_back(&removed.bytes, std::slice::from_ref(&parked), &[0]);
        assert_eq!(homeless, [0; 0], "{parked:?}");
        assert_eq!(String::from_utf8_lossy(&back), String::from_utf8_lossy(bytes), "{parked:?}");
        assert_eq!(back, bytes);
    }
}

/// Parks every entry, all at once or one after the other.
fn park_all(text: &str, one_by_one: bool) -> (Vec<u8>, Vec<ParkedLine>) {
    let mut bytes = text.as_bytes().to_owned();
    let mut parked = Vec::new();
    loop {
        let index = Index::parse(&bytes);
        let going: Vec<usize> = (0..index.entries.len()).take(if one_by_one { 1 } else { 99 }).collect();
        if going.is_empty() {
            return (bytes, parked);
        }
        let removed = remove(&bytes, &index, &going);
        parked.extend(removed.taken.iter().map(|taken| taken.parked(&bytes, &index, "x.md").unwrap()));
        bytes = removed.bytes;
    }
}

/// Parks every entry and puts all of them back.
fn check_all_there_and_back(text: &str, one_by_one: bool) {
    let (bytes, parked) = park_all(text, one_by_one);
    let all: Vec<usize> = (0..parked.len()).collect();
    let (back, homeless) = put_back(&bytes, &parked, &all);
    assert_eq!(homeless, [0; 0], "{text:?} {parked:#?}");
    assert_eq!(String::from_utf8(back).unwrap(), text, "{parked:#?}");
}

/// Parks every entry, changes the index and puts some of them back. Which of several places that read alike
/// was a line's own can't be told then; so what is promised is that each line comes back once, whole, and
/// that no other one is lost or doubled.
fn check_some_put_back(text: &str, one_by_one: bool, some: u32, lost: usize) {
    let (bytes, parked) = park_all(text, one_by_one);
    let left: String = String::from_utf8(bytes).unwrap();
    let left: String =
        left.split_inclusive('\n').enumerate().filter(|(at, _)| *at != lost).map(|(_, l)| l).collect();
    let restore: Vec<usize> = (0..parked.len()).filter(|at| some & (1 << (at % 32)) != 0).collect();
    let (back, homeless) = put_back(left.as_bytes(), &parked, &restore);
    // Lines against their counts: those that were there, less what stood instead, and the lines put back.
    let mut counts: BTreeMap<String, i32> = BTreeMap::new();
    let mut count = |text: &str, by: i32| {
        text.lines().for_each(|line| *counts.entry(line.to_owned()).or_default() += by);
    };
    count(&left, 1);
    for at in restore.iter().filter(|at| !homeless.contains(at)) {
        count(&parked[*at].text, 1);
        count(parked[*at].instead.as_deref().unwrap_or_default(), -1);
    }
    count(std::str::from_utf8(&back).unwrap(), -1);
    counts.retain(|_, count| *count != 0);
    assert_eq!(counts, BTreeMap::new(), "{left:?} {restore:?} {parked:#?}");
}

#[test]
fn lines_that_read_alike_go_back_to_their_own_places() {
    for text in [
        "[P](c.md) — line\n- [A](a.md)\n[P](c.md) — line\n- [A](a.md)\n\n[P](a.md) — line\n",
        "In a sentence [of two\nz](b.md), [z](c.md)",
        "a [x](a.md), [y\nz](b.md)\n- [A](a.md)\ntext\n- [A](a.md)\n",
    ] {
        for one_by_one in [false, true] {
            check_all_there_and_back(text, one_by_one);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_parse(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let index = Index::parse(&bytes);
        for at in 0..index.entries.len() {
            check_edit(&bytes, at);
        }
    }

    #[test]
    fn any_markup_parses(text in "[-\\[\\]()|#<>!*_`:\\\\ \n\r.xmd]{0,60}") {
        prop_assert!(Index::parse(text.as_bytes()).lines.len() <= text.len());
    }

    #[test]
    fn removing_touches_its_item_only_and_putting_back_gives_the_same_bytes(text in index_text()) {
        let index = parse(&text);
        for at in 0..index.entries.len() {
            check_edit(text.as_bytes(), at);
        }
    }

    #[test]
    fn parking_all_and_putting_all_back_gives_the_same_bytes(
        text in index_text(),
        one_by_one in any::<bool>(),
        old_mac in any::<bool>(),
    ) {
        // Not both kinds of line end: a file whose last LF is parked turns into one of lone CRs.
        let text = if old_mac { text.replace('\n', "\r") } else { text.replace('\r', "") };
        check_all_there_and_back(&text, one_by_one);
    }

    #[test]
    fn lines_that_read_alike_are_parked_and_put_back(text in index_of_like_lines(), one_by_one in any::<bool>()) {
        check_all_there_and_back(&text, one_by_one);
        check_all_there_and_back(&format!("{text}\n"), one_by_one);
    }

    #[test]
    fn putting_some_back_into_a_changed_index_loses_and_doubles_no_line(
        text in prop_oneof![index_of_like_lines(), index_text()],
        one_by_one in any::<bool>(),
        some in any::<u32>(),
        lost in 0..20_usize,
    ) {
        check_some_put_back(&text.replace('\r', ""), one_by_one, some, lost);
    }

    #[test]
    fn inserting_adds_lines_only(text in index_text(), hook in ".{0,20}") {
        let new = path("new file.md");
        let entry = NewEntry { path: &new, title: "New", hook: &hook, kind: &MemoryType::User, verbatim: None };
        if let Some(bytes) = insert(text.as_bytes(), &[entry], &|_| Vec::new()) {
            let after = Index::parse(&bytes);
            prop_assert_eq!(after.entries.len(), parse(&text).entries.len() + 1);
            prop_assert_eq!(after.entries_of(&new, None).len(), 1);
            // Taking the new stretch out again leaves the old bytes.
            let same = text.bytes().zip(&bytes).take_while(|(a, b)| a == *b).count();
            let added = bytes.len() - text.len();
            prop_assert_eq!(&[&bytes[..same], &bytes[same + added..]].concat(), text.as_bytes());
        }
    }
}

//! Tables of index lines as real ones are.

use super::*;
use crate::memory::document::MemoryType;

mod properties;
mod two_lines;

fn parse(text: &str) -> Index {
    Index::parse(text.as_bytes())
}

fn path(text: &str) -> RelPath {
    RelPath::new(text).unwrap()
}

/// `target | title | hook` of every entry.
fn told(text: &str) -> Vec<String> {
    let target = |entry: &Entry| match &entry.target {
        Target::File(path) => path.to_str_lossy().into_owned(),
        Target::Name(name) => format!("[[{name}]]"),
    };
    parse(text).entries.iter().map(|e| format!("{} | {} | {}", target(e), e.title, e.hook)).collect()
}

#[test]
fn one_entry_in_every_form() {
    for (text, entry) in [
        ("- [X](x.md) — hook", "x.md | X | hook"),
        ("- [X](x.md) - hook", "x.md | X | hook"),
        ("- [X](x.md): hook", "x.md | X | hook"),
        ("- [X](x.md) hook", "x.md | X | hook"),
        ("- [X](x.md) `key` — hook", "x.md | X | `key` — hook"),
        ("- [X](x.md) — -v is a flag", "x.md | X | -v is a flag"),
        ("- [X](x.md) -v is a flag", "x.md | X | -v is a flag"),
        ("- [X](x.md)", "x.md | X | "),
        ("* [X](x.md) → hook", "x.md | X | hook"),
        ("+ [X](x.md) – hook", "x.md | X | hook"),
        ("1. [X](x.md) — hook", "x.md | X | hook"),
        ("- [ ] [X](x.md) — hook", "x.md | X | hook"),
        ("[X](x.md) — hook", "x.md | X | hook"),
        ("- **[X](x.md)** — hook", "x.md | X | hook"),
        ("- **X** ([x.md](x.md)) — hook", "x.md | x.md | hook"),
        ("- [`X`](x.md) — hook", "x.md | X | hook"),
        ("- [X](./sub/x.md) — hook", "sub/x.md | X | hook"),
        ("- [X](a%20b.md) — hook", "a b.md | X | hook"),
        ("- [X](<a b.md>) — hook", "a b.md | X | hook"),
        ("- [X](a b.md) — hook", "a b.md | X | hook"),
        ("- [X](x.md \"a title\") — hook", "x.md | X | hook"),
        ("- [X](x.md#part) — hook", "x.md | X | hook"),
        ("- [X][ref] — hook\n\n[ref]: x.md", "x.md | X | hook"),
        ("- [[x]] — hook", "[[x]] | x | hook"),
        ("- [[x|The X]]: hook", "[[x]] | The X | hook"),
        ("> - [X](x.md) — hook", "x.md | X | hook"),
        ("| [X](x.md) | hook |\n|---|---|\n| a | b |", "x.md | X | hook"),
        ("| file | what |\n|---|---|\n| [X](x.md) | hook |", "x.md | X | hook"),
        ("- [X](x.md) — a hook\n  that wraps\n", "x.md | X | a hook that wraps"),
        ("- [X](x.md)\n  the hook of the two-line form\n", "x.md | X | the hook of the two-line form"),
        ("- [X](x.md) — hook\r\n", "x.md | X | hook"),
        ("\u{FEFF}- [X](x.md) — hook", "x.md | X | hook"),
        ("---\nname: i\n---\n- [X](x.md) — hook", "x.md | X | hook"),
        ("- [use x[[\"k\"]]; not y](x.md) — hook", "x.md | use x[[\"k\"]]; not y | hook"),
        ("Topic\n=====\n- [X](x.md) — hook", "x.md | X | hook"),
    ] {
        assert_eq!(told(text), [entry], "{text:?}");
    }
}

#[test]
fn what_is_no_entry() {
    for text in [
        "`- [X](x.md) — hook`",
        "```\n- [X](x.md)\n- [[x]]\n```",
        "    - [X](x.md)\n",
        "<!-- - [X](x.md) [[x]] -->",
        "<!--\n- [X](x.md)\n-->",
        "---\nsee: [X](x.md)\n---\n",
        "- [CLAUDE.md](../../CLAUDE.md) — instructions",
        "- [this file](MEMORY.md)",
        "- [site](https://example.com/x.md)",
        "- [dir](sub/) and [script](x.py)",
        "![picture](x.md)",
        "- \\[X](x.md)",
        "- `[[x]]` and if [[ -f y ]]; then",
        "- see `x.md`",
    ] {
        assert_eq!(told(text), [""; 0], "{text:?}");
    }
}

#[test]
fn several_links_and_nested_items() {
    assert_eq!(told("- A: [X](x.md), [Y](y.md) — both"), ["x.md | X | ", "y.md | Y | both"]);
    let nested = parse("- [X](x.md) — hook\n  - detail\n  - [Y](y.md)\n- [Z](z.md)\n");
    let items: Vec<_> = nested.entries.iter().map(|e| (e.item.clone(), e.alone)).collect();
    assert_eq!(items, [(0..3, false), (2..3, true), (3..4, true)]);
}

#[test]
fn which_links_lead_their_item() {
    for (text, place) in [
        ("- See [X](x.md) for more", Place::Item),
        ("- **A label that is longer than a few words**: [x.md](x.md)", Place::Item),
        ("- The list of what was decided in spring: [x.md](x.md)", Place::Item),
        ("- Everything about it was decided in the spring meeting, see [X](x.md)", Place::Prose),
        ("- Done. See [X](x.md)", Place::Prose),
        ("# [X](x.md)", Place::Prose),
        ("[X](x.md) — hook\n[Y](y.md)\n", Place::Line),
        ("[X](x.md) — hook\n  wrapped\n[Y](y.md)\n", Place::Line),
        ("[X](x.md) tells how it is done.", Place::Prose),
        ("[X](x.md), and what follows\nis a paragraph.", Place::Prose),
        ("|a|\n|-|\n|[X](x.md)|", Place::Row),
    ] {
        assert_eq!(parse(text).entries[0].place, place, "{text:?}");
    }
}

#[test]
fn sections_by_line() {
    let index = parse("- [A](a.md)\n# One #\n- [B](b.md)\n\nTwo `x`\n---\n\n## C#\n> # Q\n");
    let titles: Vec<_> = index.sections.iter().map(|s| (s.title.as_str(), s.body.clone())).collect();
    assert_eq!(titles[0], ("One", 2..4));
    assert_eq!(index.entries[1].section.as_deref(), Some("One"));
    assert_eq!(index.entries[0].section, None);
    assert_eq!(index.section_of_line(0), None);
    assert_eq!(index.section_of_line(1).unwrap().title, "One");
    assert_eq!(parse("Two\nwords\n===\n- [B](b.md)").entries[0].section.as_deref(), Some("Two words"));
    assert_eq!(parse("## C#\n").sections[0].title, "C#");
}

#[test]
fn entries_of_a_memory() {
    let index = parse("- [X](x.md)\n- [[X_file]]\n- [[the name]]\n- [Y](sub/x.md)\n");
    assert_eq!(index.entries_of(&path("x.md"), None), [0]);
    assert_eq!(index.entries_of(&path("x-file.md"), Some("The name")), [1, 2]);
    assert_eq!(index.entries_of(&path("sub/x.md"), None), [3]);
}

#[test]
fn a_file_named_without_a_link_is_a_mention() {
    let text = b"# M\n- `x.md` \xe2\x80\x94 hook\n- my_y.md\n- y.md.bak\n";
    let index = Index::parse(text);
    assert_eq!(mention_of(text, &index, &path("sub/x.md")), Some(1));
    assert_eq!(mention_of(text, &index, &path("y.md")), Some(3));
    assert_eq!(mention_of(text, &index, &path("z.md")), None);
}

/// The index without every entry that names one of `names`.
fn without(text: &str, names: &[&str]) -> String {
    let index = parse(text);
    let going: Vec<usize> = names.iter().flat_map(|name| index.entries_of(&path(name), None)).collect();
    String::from_utf8(remove(text.as_bytes(), &index, &going).bytes).unwrap()
}

#[test]
fn removing_takes_the_item_and_nothing_else() {
    for (text, left) in [
        ("a\n- [X](x.md) — hook\nb\n", "a\nb\n"),
        ("# S\n- [X](x.md)\n", "# S\n"),
        ("- [X](x.md)\r\n- [Y](y.md)\r\n", "- [Y](y.md)\r\n"),
        ("- [Y](y.md)\n- [X](x.md)", "- [Y](y.md)\n"),
        ("- [X](x.md)\n  wrapped\n  and more\n- [Y](y.md)\n", "- [Y](y.md)\n"),
        ("- [X](x.md)\n  - a detail\n\n- [Y](y.md)\n", "\n- [Y](y.md)\n"),
        ("- [X](x.md)\n  - [Y](y.md)\n", "- X\n  - [Y](y.md)\n"),
        ("|a|b|\n|-|-|\n|[X](x.md)|c|\n|[Y](y.md)|d|\n", "|a|b|\n|-|-|\n|[Y](y.md)|d|\n"),
        ("A: [X](x.md), [Y](y.md)\n", "A: [Y](y.md)\n"),
        ("- A: [Y](y.md), [X](x.md)\n", "- A: [Y](y.md)\n"),
        ("- A: [Y](y.md), [X](x.md), [Z](z.md) — all\n", "- A: [Y](y.md), [Z](z.md) — all\n"),
        ("- A: **[X](x.md)** · **[Y](y.md)**\n", "- A: **[Y](y.md)**\n"),
        ("- [X](x.md) and [Y](y.md)\n", "- [Y](y.md)\n"),
        ("|a|b|\n|-|-|\n|[X](x.md)|[Y](y.md)|\n", "|a|b|\n|-|-|\n|X|[Y](y.md)|\n"),
        ("- [X](x.md) — hook ([more](y.md))\n", "- X — hook ([more](y.md))\n"),
        (
            "Everything about refunds is in [the `X` file](x.md), mostly.\n",
            "Everything about refunds is in the `X` file, mostly.\n",
        ),
        ("Everything about refunds is in [[x|that one]].\n", "Everything about refunds is in that one.\n"),
        ("# [X](x.md)\n", "# X\n"),
        ("All of [one\ntwo](x.md), [X](x.md)\n", "All of one\ntwo, X\n"),
        ("All of [\none\n](x.md) is\nthere.\n", "All of one is\nthere.\n"),
        ("- [X](x.md) — see [X](x.md)\n- [Y](y.md)\n", "- [Y](y.md)\n"),
        ("- [X](x.md)\r- [Y](y.md)\r", "- [Y](y.md)\r"),
    ] {
        assert_eq!(without(text, &["x.md"]), left, "{text:?}");
    }
    assert_eq!(without("- A: [X](x.md), [Y](y.md)\n", &["x.md", "y.md"]), "");
    assert_eq!(without("- A: [X](x.md), [Y](y.md), [Z](z.md)\n", &["y.md", "z.md"]), "- A: [X](x.md)\n");
    assert_eq!(without("- [X](x.md)\n  - [Y](y.md)\n- b\n", &["x.md", "y.md"]), "- b\n");
}

#[test]
fn bytes_that_are_not_utf8_stay() {
    let text = b"\xff a\n- [X](x.md) \xfe\n\xfd: [X](x.md), [Y](y.md)\n";
    let index = Index::parse(text);
    let removed = remove(text, &index, &index.entries_of(&path("x.md"), None));
    assert_eq!(removed.bytes, b"\xff a\n\xfd: [Y](y.md)\n");
    assert!(removed.taken[0].parked(text, &index, "x.md").is_none(), "such a line can't be kept as text");
    assert!(removed.taken[1].parked(text, &index, "x.md").is_none());
}

fn add(text: &str, entry: (&str, &str, &str, MemoryType)) -> String {
    let file = path(entry.0);
    let new = NewEntry { path: &file, title: entry.1, hook: entry.2, kind: &entry.3, verbatim: None };
    // In these tables the file name begins with the type.
    let kind = |e: &Entry| match &e.target {
        Target::File(path) => path.to_str_lossy().split('_').next().map(MemoryType::from_value),
        Target::Name(name) => name.split('_').next().map(MemoryType::from_value),
    };
    let kinds = |index: &Index| index.entries.iter().map(kind).collect();
    String::from_utf8(insert(text.as_bytes(), &[new], &kinds).unwrap()).unwrap()
}

#[test]
fn a_new_entry_reads_like_the_others() {
    let user = |text: &str| add(text, ("user_n.md", "New", "its hook", MemoryType::User));
    for (text, new) in [
        ("", "- [New](user_n.md) — its hook\n"),
        ("# M\n", "# M\n- [New](user_n.md) — its hook\n"),
        ("- [A](user_a.md) — a\n", "- [A](user_a.md) — a\n- [New](user_n.md) — its hook\n"),
        ("- [A](user_a.md) — a", "- [A](user_a.md) — a\n- [New](user_n.md) — its hook"),
        ("* [A](user_a.md): a\r\n", "* [A](user_a.md): a\r\n* [New](user_n.md): its hook\r\n"),
        ("1. [A](user_a.md) - a\n", "1. [A](user_a.md) - a\n2. [New](user_n.md) - its hook\n"),
        ("- **[A](user_a.md)** - a\n", "- **[A](user_a.md)** - a\n- **[New](user_n.md)** - its hook\n"),
        (
            "- [user_a.md](user_a.md) — a\n",
            "- [user_a.md](user_a.md) — a\n- [user_n.md](user_n.md) — its hook\n",
        ),
        ("- [[user_a]] — a\n", "- [[user_a]] — a\n- [[user_n]] — its hook\n"),
        ("- [A](user_a.md)\n  a\n", "- [A](user_a.md)\n  a\n- [New](user_n.md)\n  its hook\n"),
        ("- See [A](user_a.md) for a\n", "- See [A](user_a.md) for a\n- [New](user_n.md) — its hook\n"),
        ("[A](user_a.md) — a\n", "[A](user_a.md) — a\n[New](user_n.md) — its hook\n"),
        (
            "|f|w|\n|-|-|\n| [A](user_a.md) | a |\n",
            "|f|w|\n|-|-|\n| [A](user_a.md) | a |\n| [New](user_n.md) | its hook |\n",
        ),
        (
            "# P\n- [A](project_a.md) — a\n# U\n- [B](user_b.md) — b\n\n# Z\n- [C](project_c.md) — c\n",
            "# P\n- [A](project_a.md) — a\n# U\n- [B](user_b.md) — b\n- [New](user_n.md) — its hook\n\n# Z\n- [C](project_c.md) — c\n",
        ),
        (
            "# Users\n\n\n# P\n- [A](project_a.md)\n",
            "# Users\n\n- [New](user_n.md) — its hook\n\n# P\n- [A](project_a.md)\n",
        ),
        (
            "# P\n- [A](project_a.md)\n\ntext\n",
            "# P\n- [A](project_a.md)\n- [New](user_n.md) — its hook\n\ntext\n",
        ),
        ("text\n```\nnever closed\n", "- [New](user_n.md) — its hook\ntext\n```\nnever closed\n"),
    ] {
        assert_eq!(user(text), new, "{text:?}");
    }
}

#[test]
fn a_hostile_name_or_hook_gives_one_entry() {
    let add = |title, hook| add("- [A](user_a.md) — a\n", ("user_n.md", title, hook, MemoryType::User));
    assert_eq!(
        add("a]b\nc", "two\nlines\u{1b}[0m"),
        "- [A](user_a.md) — a\n- [a\\]b c](user_n.md) — two lines [0m\n"
    );
    assert_eq!(add("N", "see [B](user_b.md)"), "- [A](user_a.md) — a\n- [N](user_n.md)\n");
    let long = add("N", &"word ".repeat(60));
    let line = long.lines().nth(1).unwrap();
    assert!(line.encode_utf16().count() <= 150 && line.ends_with("word…"), "{line}");
}

#[test]
fn a_site_adds_each_line_as_if_it_were_the_only_one() {
    let user = MemoryType::User;
    for text in [
        "# Index\n\n- [a](a.md) — one\n- [b](b.md) — two\n",
        "- [a](a.md)\n  one\n",
        "| name | what |\n|---|---|\n| [a](a.md) | one |\n",
        "- [[a]] — one\n",
        "words\n\n```\n- [a](a.md) in a fence that is never closed\n",
    ] {
        let index = parse(text);
        let kinds = vec![Some(user.clone()); index.entries.len()];
        let site = Site::new(text.as_bytes(), &index, kinds);
        for (file, title, hook) in [
            ("x.md", "Plain", "a plain hook"),
            ("y.md", "Plain too", "another one"),
            ("z.md", "Odd [b](b.md)", "a `hook` with [b](b.md) in it"),
            ("w.md", "1. One", "1. first"),
            ("v.md", "After", ""),
        ] {
            let path = path(file);
            let entry = NewEntry { path: &path, title, hook, kind: &user, verbatim: None };
            let kinds = |index: &Index| vec![Some(MemoryType::User); index.entries.len()];
            let alone = insert(text.as_bytes(), std::slice::from_ref(&entry), &kinds);
            assert_eq!(site.insert(&entry), alone, "{text:?} {file}");
        }
    }
}

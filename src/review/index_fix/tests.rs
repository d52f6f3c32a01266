use super::*;
use crate::prompt::limits::{MAX_LINES, MAX_UNITS};
use crate::review::plan::Content;
use crate::review::rename::tests::store;
use proptest::prelude::*;

fn now() -> Time {
    "2026-11-30T12:00:00Z".parse().unwrap()
}

fn path(path: &str) -> RelPath {
    RelPath::new(path).unwrap()
}

fn memory(name: &str, kind: &str) -> String {
    format!("---\nname: {name}\ndescription: about {name}\ntype: {kind}\n---\n{name}\n")
}

fn index_after(fixed: &Fixed) -> Option<String> {
    let after = fixed.plan.as_ref()?.changes.first()?.after.as_ref()?;
    match &after.content {
        Content::File(bytes) => Some(String::from_utf8(bytes.to_vec()).unwrap()),
        Content::Link(_) => None,
    }
}

/// What a repair makes of an index beside memories a (feedback), b (project) and c (user).
fn fixed(index: &str, fixes: &[Fix]) -> Fixed {
    let [a, b, c] = [memory("A", "feedback"), memory("B", "project"), memory("C", "user")];
    let files = [("a.md", a.as_str()), ("b.md", &b), ("c.md", &c), ("MEMORY.md", index)];
    fix(&store(&files), &[], now(), fixes).unwrap()
}

#[test]
fn each_repair_changes_its_lines_alone() {
    let all = "- [A](a.md) — x\n- [B](b.md)\n- [C](c.md)\n";
    for (fixes, before, after, said) in [
        (
            vec![Fix::AddOrphans],
            "- [A](a.md) — x\n",
            Some("- [A](a.md) — x\n- [B](b.md) — about B\n- [C](c.md) — about C\n"),
            "added 2 lines",
        ),
        (vec![Fix::AddOrphans], all, None, ""),
        (
            vec![Fix::DropDangling],
            "# H\n- [A](a.md)\n- [gone](gone.md) — y\n\nSee [old](old.md) too.\n",
            Some("# H\n- [A](a.md)\n\nSee old too.\n"),
            "dropped 2 lines that named nothing",
        ),
        (vec![Fix::DropDangling], all, None, ""),
        (
            vec![Fix::RemoveDuplicates],
            "- [A](a.md) — x\n- [B](b.md)\n- [A again](a.md) — z\n\nAs [A](a.md) says.\n",
            Some("- [A](a.md) — x\n- [B](b.md)\n\nAs [A](a.md) says.\n"),
            "removed 1 line about memories named before",
        ),
        (
            vec![Fix::SetLine(1, "- [B](b.md) — short".into())],
            "- [A](a.md)\r\n- [B](b.md) — long\r\n- [C](c.md)\r\n",
            Some("- [A](a.md)\r\n- [B](b.md) — short\r\n- [C](c.md)\r\n"),
            "rewrote line 2",
        ),
        (
            vec![Fix::DropDangling, Fix::RemoveDuplicates, Fix::AddOrphans],
            "- [A](a.md)\n- [gone](gone.md)\n- [A](a.md)\n- [C](c.md)",
            Some("- [A](a.md)\n- [C](c.md)\n- [B](b.md) — about B"),
            "dropped 1 line that named nothing, removed 1 line about memories named before, added 1 line",
        ),
        (
            vec![Fix::Rebuild],
            "Intro.\n- [A](a.md) — kept\n",
            Some(
                "# Memories\n\n## user\n\n- [C](c.md) — about C\n\n## feedback\n\n- [A](a.md) — about A\n\n## project\n\n\
                 - [B](b.md) — about B\n",
            ),
            "written anew with 3 lines",
        ),
    ] {
        let fixed = fixed(before, &fixes);
        assert_eq!(index_after(&fixed).as_deref(), after, "{fixes:?}");
        assert_eq!(fixed.steps.join(", "), said);
        if let Some(plan) = &fixed.plan {
            assert_eq!((plan.changes.len(), plan.verb), (1, Verb::Index));
            assert_eq!(plan.message, format!("index: {said}"));
        }
    }
}

#[test]
fn what_is_parked_or_in_an_archive_is_no_orphan() {
    let archive = "---\nname: Archive\ndescription: old ones\ntype: reference\n---\n- [O](o1.md)\n- [O](o2.md)\n- [O](o3.md)\n";
    let [o1, o2, o3, p] = ["O1", "O2", "O3", "P"].map(|name| memory(name, "project"));
    let files = [
        ("MEMORY.md", "- [Archive](archive.md)\n"),
        ("archive.md", archive),
        ("o1.md", &o1),
        ("o2.md", &o2),
        ("o3.md", &o3),
        ("p.md", &p),
    ];
    let store = store(&files);
    let plan = crate::review::prune::park(
        &crate::review::rename::tests::store(&[("MEMORY.md", "- [P](p.md)\n"), ("p.md", &p)]),
        &[],
        &[path("p.md")],
    );
    let parked = plan.unwrap().parked.unwrap().apply(&[]);
    assert_eq!(orphans(&store, &parked, now()), [] as [RelPath; 0]);
    assert_eq!(orphans(&store, &[], now()), [path("p.md")]);
    let rebuilt = index_after(&fix(&store, &parked, now(), &[Fix::Rebuild]).unwrap()).unwrap();
    assert!(rebuilt.contains("archive.md") && !rebuilt.contains("o1.md") && !rebuilt.contains("p.md"));
}

#[test]
fn a_store_without_an_index_gets_one() {
    let a = memory("A", "user");
    let store = store(&[("a.md", a.as_str()), ("README.md", "about")]);
    let fixed = fix(&store, &[], now(), &[Fix::AddOrphans]).unwrap();
    assert_eq!(index_after(&fixed).as_deref(), Some("- [A](a.md) — about A\n"));
    assert_eq!(fixed.plan.unwrap().changes[0].before, None);
}

/// An index of 205 lines in two sections, the last five below the cut.
fn crowded() -> (Vec<(String, String)>, String) {
    let mut index = String::from("## One\n");
    let mut files = Vec::new();
    for n in 0..204 {
        if n == 100 {
            index.push_str("## Two\n");
        }
        files.push((format!("m{n}.md"), memory(&format!("M{n}"), "project")));
        index.push_str(&format!("- [M{n}](m{n}.md)\n"));
    }
    (files, index)
}

fn crowded_store() -> (Snapshot, String) {
    let (files, index) = crowded();
    let mut all: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    all.push(("MEMORY.md", &index));
    (store(&all), index)
}

#[test]
fn lines_move_up_to_the_head_of_their_section_and_others_go_below() {
    let (store, index) = crowded_store();
    let fixed = fix(&store, &[], now(), &[Fix::MoveUp(vec![path("m203.md"), path("m0.md")])]).unwrap();
    let after = index_after(&fixed).unwrap();
    assert_eq!(
        after,
        index.replace("- [M203](m203.md)\n", "").replace("## Two\n", "## Two\n- [M203](m203.md)\n")
    );
    assert_eq!((fixed.before.not_seen.len(), fixed.after.not_seen.len()), (6, 6));
    let warnings = fixed.plan.unwrap().warnings;
    assert!(
        warnings[0].starts_with("the index is over its limits afterwards: 206/200 lines"),
        "{warnings:?}"
    );
    assert!(warnings.contains(&"1 of them load already and stay where they are".to_owned()), "{warnings:?}");
    assert!(warnings.contains(&"not seen from then on: m197.md".to_owned()), "{warnings:?}");
}

#[test]
fn a_repair_that_leaves_the_index_over_says_so_first() {
    let (store, index) = crowded_store();
    let gone = index.replacen("m0.md", "gone.md", 1);
    let mut files: Vec<(String, String)> =
        store.memories.iter().map(|m| (m.path.to_string(), m.text().into_owned())).collect();
    files.push(("MEMORY.md".into(), gone));
    let all: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let store = crate::review::rename::tests::store(&all);
    let fixed = fix(&store, &[], now(), &[Fix::AddOrphans]).unwrap();
    let warnings = fixed.plan.unwrap().warnings;
    assert!(
        warnings[0].starts_with("the index is over its limits afterwards: 207/200 lines"),
        "{warnings:?}"
    );
}

#[test]
fn a_line_must_go_on_naming_the_same_memories() {
    let store = store(&[("a.md", "a"), ("b.md", "b"), ("MEMORY.md", "- [A](a.md) — x\n")]);
    for (line, text, why) in [
        (0, "- [A](b.md)", "would not name the same memories"),
        (0, "- A", "would not name the same memories"),
        (0, "- [A](a.md) [B](b.md)", "would not name the same memories"),
        (7, "- [A](a.md)", "there is no such line"),
        (0, "- [A](a.md)\n", "can't hold a line break"),
    ] {
        let refusal = fix(&store, &[], now(), &[Fix::SetLine(line, text.into())]).unwrap_err();
        assert!(refusal.what.contains(why), "{}", refusal.what);
    }
}

#[test]
fn long_lines_are_proposed_shorter_with_their_links_whole() {
    let long = "word ".repeat(60);
    let title = "T".repeat(160);
    let index = format!(
        "- [A](a.md) — {long}\n- [B](b.md) — short\n- [{title}](c.md) — {long}\n| [A](a.md) | {long} |\n|---|---|\n"
    );
    let store = store(&[("a.md", "a"), ("b.md", "b"), ("c.md", "c"), ("MEMORY.md", &index)]);
    let found = proposals(&store, index.as_bytes());
    let of = |line: usize| found.iter().find(|proposal| proposal.line == line).unwrap();
    assert!(of(0).shorter.starts_with("- [A](a.md) — word word") && of(0).shorter.ends_with('…'));
    assert!(of(0).shorter.encode_utf16().count() <= 150);
    assert_eq!(of(0).memory, Some(path("a.md")));
    assert_eq!(of(2).shorter, of(2).text, "its link alone is too long");
    assert!(found.iter().all(|proposal| proposal.line != 1));
    assert!(found.is_sorted_by_key(|proposal| std::cmp::Reverse(proposal.units)));
}

proptest! {
    /// Whatever the index, a repair leaves what it is not about as it was, and says when the limits are passed.
    #[test]
    fn repairs_leave_the_rest_alone(lines in proptest::collection::vec(
        prop_oneof![
            (0..6usize).prop_map(|n| format!("- [M{n}](m{n}.md) — hook {n}")),
            (6..9usize).prop_map(|n| format!("- [gone {n}](gone{n}.md)")),
            Just("## Heading".to_owned()),
            Just(String::new()),
            Just("Some words about [M1](m1.md) in a sentence.".to_owned()),
            Just("```".to_owned()),
            Just("<!-- -->".to_owned()),
            Just("- not a link".to_owned()),
        ], 0..30), end in prop_oneof![Just("\n"), Just("\r\n")], open in any::<bool>(), which in 0..5usize) {
        let mut index = lines.join(end);
        if !open { index.push_str(end); }
        let files: Vec<(String, String)> = (0..6).map(|n| (format!("m{n}.md"), memory(&format!("M{n}"), "project"))).collect();
        let mut all: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        all.push(("MEMORY.md", &index));
        let store = store(&all);
        let moved: Vec<RelPath> = (0..6).map(|n| path(&format!("m{n}.md"))).collect();
        let one = match which {
            0 => Fix::AddOrphans,
            1 => Fix::DropDangling,
            2 => Fix::RemoveDuplicates,
            3 => Fix::MoveUp(moved),
            _ => Fix::Rebuild,
        };
        let Ok(fixed) = fix(&store, &[], now(), std::slice::from_ref(&one)) else { return Ok(()) };
        let after = index_after(&fixed).unwrap_or_else(|| index.clone());
        prop_assert_eq!(&fixed.after, &IndexState::of(&store, after.as_bytes()));
        let over = fixed.after.lines > MAX_LINES || fixed.after.units > MAX_UNITS;
        prop_assert_eq!(over, !fixed.after.fits());
        if over && let Some(plan) = &fixed.plan {
            prop_assert!(plan.warnings[0].contains("over its limits"));
        }
        // Whatever was named before is named afterwards.
        let named = |text: &str| -> HashSet<usize> {
            Index::parse(text.as_bytes()).resolve(&store).memory_of.into_iter().flatten().collect()
        };
        prop_assert!(named(&after).is_superset(&named(&index)), "{one:?}\n{index}\n---\n{after}");
        let kept: Vec<&str> = index.lines().filter(|line| *line == "- not a link").collect();
        if one != Fix::Rebuild {
            prop_assert_eq!(kept.len(), after.lines().filter(|line| *line == "- not a link").count());
        }
        // Twice does nothing more.
        let mut again = all.clone();
        again.retain(|(path, _)| *path != "MEMORY.md");
        again.push(("MEMORY.md", &after));
        let store = crate::review::rename::tests::store(&again);
        if let Ok(second) = fix(&store, &[], now(), std::slice::from_ref(&one)) {
            prop_assert!(second.plan.is_none(), "{one:?}\n{after}\n---\n{:?}", index_after(&second));
        }
    }
}

#[test]
fn the_second_line_of_an_entry_is_proposed_shorter_too() {
    let long = "word ".repeat(60);
    let index = format!("- [A](a.md)\n  {long}\n- [B](b.md)\n  of b\n");
    let files = [("a.md", memory("A", "user")), ("b.md", memory("B", "user"))];
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .chain([("MEMORY.md", index.as_str())])
        .collect();
    let store = store(&files);
    let found = proposals(&store, index.as_bytes());
    let [one] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((one.line, one.memory.as_ref()), (1, Some(&path("a.md"))));
    assert!(one.shorter.starts_with("  word word") && one.shorter.encode_utf16().count() <= 150, "{one:?}");
    let fixed = fix(&store, &[], now(), &[Fix::SetLine(1, one.shorter.clone())]).unwrap();
    assert_eq!(index_after(&fixed).unwrap(), format!("- [A](a.md)\n{}\n- [B](b.md)\n  of b\n", one.shorter));
}

#[test]
fn both_lines_of_an_entry_move_up() {
    let filler = "- x\n".repeat(MAX_LINES);
    let fixed = fixed(
        &format!("- [A](a.md)\n  of a\n{filler}- [B](b.md)\n  > of b\n"),
        &[Fix::MoveUp(vec![path("b.md")])],
    );
    let expected = format!("- [B](b.md)\n  > of b\n- [A](a.md)\n  of a\n{filler}");
    assert_eq!(index_after(&fixed).unwrap(), expected);
}

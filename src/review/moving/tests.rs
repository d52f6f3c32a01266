use super::*;
use crate::memory::index::Index;
use crate::review::plan::Content;
use crate::review::rename::tests::store;
use std::path::Path;

const REFUNDS: &str =
    "---\nname: Refunds\ndescription: Two approvals\ntype: project\n---\n\nSee [[commits]] and [[gone]].\n";
const COMMITS: &str =
    "---\nname: commits\ndescription: Small ones\ntype: feedback\n---\n\nOne thing. [[Refunds]]\n";

fn here() -> Snapshot {
    let index =
        "# Index\n\n- [Refunds](refunds.md) — over 500, since March\n- [commits](commits.md) — small\n";
    store(&[("MEMORY.md", index), ("refunds.md", REFUNDS), ("commits.md", COMMITS)])
}

fn path(text: &str) -> RelPath {
    RelPath::new(text).unwrap()
}

fn side<'a>(snapshot: &'a Snapshot, name: &'a str) -> Side<'a> {
    Side { snapshot, parked: &[], name, repository: None, proposed: &[] }
}

fn moved(from: &Snapshot, to: &Snapshot, way: Way, paths: &[&str]) -> Result<Transfer, Refusal> {
    let paths: Vec<RelPath> = paths.iter().map(|one| path(one)).collect();
    transfer(side(from, "here"), side(to, "there"), way, &paths)
}

fn text(plan: Option<&Plan>, file: &str) -> Option<String> {
    let change = plan?.changes.iter().find(|change| change.path == path(file))?;
    match &change.after.as_ref()?.content {
        Content::File(bytes) => Some(String::from_utf8(bytes.to_vec()).unwrap()),
        Content::Link(_) => None,
    }
}

#[test]
fn the_file_goes_as_it_is_and_its_line_is_in_the_style_there() {
    for (index, line) in [
        ("", "- [Refunds](refunds.md) — over 500, since March\n"),
        ("# Index\n\n- [Other](other.md) — a hook\n", "- [Refunds](refunds.md) — over 500, since March\n"),
        ("* **[other.md](other.md)**: a hook\n", "* **[refunds.md](refunds.md)**: over 500, since March\n"),
        ("- [[other]] - a hook\n", "- [[refunds]] - over 500, since March\n"),
        (
            "| a | b |\n|---|---|\n| [Other](other.md) | a hook |\n",
            "| [Refunds](refunds.md) | over 500, since March |\n",
        ),
        (
            "# Feedback\n- [a](a.md)\n\n# Project\n\n- [Other](other.md): x\n\nEnd.\n",
            "- [Refunds](refunds.md): over 500, since March\n",
        ),
    ] {
        let there = store(&[("MEMORY.md", index), ("other.md", "---\nname: Other\ntype: project\n---\nx\n")]);
        let (from, to) = (here(), there);
        let moved = moved(&from, &to, Way::Move, &["refunds.md"]).unwrap();
        let arrival = moved.arrival.as_ref();
        assert_eq!(text(arrival, "refunds.md").as_deref(), Some(REFUNDS));
        let file = arrival.unwrap().changes[0].after.as_ref().unwrap();
        let stat = &from.memories[0].stat;
        assert_eq!((file.mtime, file.mode), (Some(stat.mtime), stat.mode), "age and mode stay");
        let after = text(arrival, "MEMORY.md").unwrap();
        assert!(after.contains(line), "{index:?}: {after:?}");
        assert_eq!(after.replacen(line, "", 1), index, "and nothing else changes");
        assert_eq!(moved.passages[0].line, Line::Added(line.trim_end().into()));
        let left = text(moved.departure.as_ref(), "MEMORY.md").unwrap();
        assert_eq!(left, "# Index\n\n- [commits](commits.md) — small\n");
        assert_eq!(moved.message, "moved Refunds to there");
        assert_eq!(arrival.unwrap().message, "moved Refunds here from here");
    }
}

#[test]
fn without_an_index_there_no_line_is_added_and_that_is_said() {
    let there = store(&[("other.md", "x\n")]);
    let moved = moved(&here(), &there, Way::Copy, &["refunds.md"]).unwrap();
    assert_eq!(moved.arrival.unwrap().changes.len(), 1);
    assert_eq!(moved.passages[0].line, Line::Without);
    assert!(moved.notes[0].contains("there has no index (MEMORY.md)"), "{:?}", moved.notes);
    assert_eq!(moved.departure, None, "it is copied");
}

#[test]
fn what_is_there_and_what_has_its_name() {
    for (there, to, fate) in [
        (&[][..], "refunds.md", Fate::Same),
        (&[("refunds.md", REFUNDS)], "refunds.md", Fate::There),
        (&[("refunds.md", "other\n")], "refunds-2.md", Fate::Renamed),
        (&[("Refunds.MD.md", "x\n"), ("REFUNDS.md", "other\n")], "refunds-2.md", Fate::Renamed),
        (&[("refunds.md", "a\n"), ("refunds-2.md", "b\n")], "refunds-3.md", Fate::Renamed),
        // As after a crash between the two steps.
        (&[("refunds.md", "a\n"), ("refunds-2.md", REFUNDS)], "refunds-2.md", Fate::There),
    ] {
        let moved = moved(&here(), &store(there), Way::Move, &["refunds.md"]).unwrap();
        let passage = &moved.passages[0];
        assert_eq!((passage.to.clone(), passage.fate), (path(to), fate), "{there:?}");
        assert_eq!(moved.arrival.is_none(), fate == Fate::There);
        let departure = moved.departure.as_ref().unwrap();
        assert!(departure.changes.iter().any(|it| it.path == path("refunds.md") && it.after.is_none()));
        let told = moved.words().pop().unwrap();
        assert_eq!(told.contains("another memory there"), fate == Fate::Renamed, "{told}");
        assert_eq!(told.contains("only goes here"), fate == Fate::There, "{told}");
    }
    let same = store(&[("refunds.md", REFUNDS)]);
    let refused = moved(&here(), &same, Way::Copy, &["refunds.md"]).unwrap_err();
    assert_eq!(refused.what, "Refunds: in there already, byte for byte; nothing was changed");
}

#[test]
fn two_that_differ_in_letter_case_alone_get_two_names() {
    let from = store(&[("a.md", "one\n"), ("A.md", "two\n")]);
    let moved = moved(&from, &store(&[]), Way::Move, &["a.md", "A.md"]).unwrap();
    let names: BTreeSet<String> =
        moved.passages.iter().map(|it| it.to.to_str_lossy().to_lowercase()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn a_hidden_place_is_not_written_to() {
    let mut to = store(&[]);
    to.unreadable.push(crate::memory::snapshot::Unreadable { path: path("refunds.md"), why: "no".into() });
    let moved = moved(&here(), &to, Way::Move, &["refunds.md"]).unwrap();
    assert_eq!(moved.passages[0].to, path("refunds-2.md"));
}

#[test]
fn links_that_will_lead_nowhere_are_named_on_both_sides() {
    let empty = store(&[("MEMORY.md", "")]);
    let one = moved(&here(), &empty, Way::Move, &["refunds.md"]).unwrap().notes;
    assert_eq!(
        one,
        [
            "Refunds: its link to `commits` leads nowhere in there",
            "commits.md stays, and its link to `Refunds` will lead nowhere"
        ]
    );
    // What leads nowhere now is no news; what goes together stays together.
    assert_eq!(moved(&here(), &empty, Way::Move, &["refunds.md", "commits.md"]).unwrap().notes, [""; 0]);
    // A copy takes nothing away.
    let copied = moved(&here(), &empty, Way::Copy, &["refunds.md"]).unwrap().notes;
    assert_eq!(copied, ["Refunds: its link to `commits` leads nowhere in there"]);
    let other = store(&[("MEMORY.md", ""), ("commits.md", "another\n")]);
    let notes = moved(&here(), &other, Way::Copy, &["refunds.md"]).unwrap().notes;
    assert_eq!(notes, ["Refunds: its link to `commits` leads to commits.md there, which is another memory"]);
}

#[test]
fn what_was_parked_is_parked_there_and_unparks_where_it_belongs() {
    let from = store(&[
        ("MEMORY.md", "# Index\n\n- [commits](commits.md)\n"),
        ("refunds.md", REFUNDS),
        ("commits.md", COMMITS),
    ]);
    let index = "# Feedback\n- [a](a.md) — b\n\n# Project\n- [Other](other.md) — x\n\nEnd.\n";
    let files = [
        ("MEMORY.md", index),
        ("other.md", "---\nname: Other\ntype: project\n---\nx\n"),
        ("refunds.md", "else\n"),
    ];
    let to = store(&files);
    let line = ParkedLine {
        path: "refunds.md".into(),
        text: "- [Refunds](refunds.md) — my own words".into(),
        section: None,
        before: Some("# Index".into()),
        after: None,
        instead: None,
        line: 2,
        end: "\n".into(),
    };
    let parked = [line];
    let source = Side { parked: &parked, ..side(&from, "here") };
    let moved = transfer(source, side(&to, "there"), Way::Move, &[path("refunds.md")]).unwrap();
    let arrival = moved.arrival.unwrap();
    assert_eq!(arrival.changes.len(), 1, "the index there stays as it is");
    let there = arrival.parked.unwrap().added;
    assert_eq!((there[0].path.as_str(), there.len()), ("refunds-2.md", 1));
    assert_eq!(there[0].text, "- [Refunds](refunds-2.md) — my own words");
    assert_eq!(moved.departure.unwrap().parked.unwrap().apply(&parked), []);
    let (back, homeless) = crate::memory::index::put_back(index.as_bytes(), &there, &[0]);
    assert_eq!(homeless, [0; 0]);
    assert_eq!(
        String::from_utf8(back).unwrap(),
        index.replace("— x\n", "— x\n- [Refunds](refunds-2.md) — my own words\n")
    );
}

#[test]
fn what_a_person_should_know_is_said() {
    let secret = "---\nname: Key\n---\n\nThe password is: hunter2-Xk93jfQpLm44\n";
    let from = store(&[("MEMORY.md", "- [Key](key.md)\n"), ("key.md", secret)]);
    let lines: String = (0..200).map(|n| format!("- [n{n}](n{n}.md)\n")).collect();
    let to = store(&[("MEMORY.md", &lines), ("other.md", "---\nname: Key\n---\nx\n")]);
    let proposed = [path("key.md")];
    let source = Side { proposed: &proposed, ..side(&from, "here") };
    let there = Side { repository: Some(Path::new("/src/pay")), ..side(&to, "there") };
    let notes = transfer(source, there, Way::Move, &[path("key.md")]).unwrap().notes;
    for part in [
        "Key: its line 201 lies below the cut and will not load",
        "Key: other.md there is called so too",
        "Key: line 5 holds a secret",
        "there lies in the repository /src/pay",
        "Key: a proposal about it waits here",
    ] {
        assert!(notes.iter().any(|note| note.contains(part)), "{part}: {notes:?}");
    }
    assert!(!notes.iter().any(|note| note.contains("hunter2")), "no secret is shown");
    let source = side(&from, "here");
    let calm = transfer(source, side(&store(&[("MEMORY.md", "")]), "there"), Way::Move, &[path("key.md")]);
    assert_eq!(calm.unwrap().notes, [""; 0]);
}

#[test]
fn a_line_that_names_it_already_is_enough() {
    let to = store(&[("MEMORY.md", "- [Money back](refunds.md) — two of them\n")]);
    let moved = moved(&here(), &to, Way::Move, &["refunds.md"]).unwrap();
    assert_eq!(moved.passages[0].line, Line::Named);
    assert_eq!(moved.arrival.unwrap().changes.len(), 1);
}

#[test]
fn links_the_index_and_strangers_are_refused() {
    let mut from = here();
    let link = crate::memory::snapshot::Link { target: "/elsewhere/x.md".into(), inside: false };
    let memory = Arc::make_mut(&mut from.memories[0]);
    memory.stat.link = Some(link);
    let to = store(&[]);
    for (file, part) in [
        ("refunds.md", "is a link to /elsewhere/x.md"),
        ("none.md", "no such memory"),
        ("MEMORY.md", "no such memory"),
    ] {
        let refused = moved(&from, &to, Way::Move, &[file]).unwrap_err();
        assert!(refused.what.contains(part), "{}", refused.what);
    }
    let (all, stay) = all(&from);
    assert_eq!((all, stay), (vec![path("commits.md")], vec!["refunds.md is a link and stays".to_owned()]));
}

/// There and back again, the line reads as before wherever both indexes are written alike.
#[test]
fn there_and_back_the_words_are_the_same() {
    for style in ["- [T](t.md) — a hook\n", "* [T](t.md): a hook\n", "1. [T](t.md) - a hook\n"] {
        let own = style.replace("[T](t.md)", "[Refunds](refunds.md)").replace("a hook", "over 500");
        let from =
            store(&[("MEMORY.md", &format!("{style}{own}")), ("refunds.md", REFUNDS), ("t.md", "x\n")]);
        let to = store(&[("MEMORY.md", style), ("t.md", "x\n")]);
        let out = moved(&from, &to, Way::Move, &["refunds.md"]).unwrap();
        let after = |index: Option<String>, has: bool| {
            let index = index.unwrap();
            let mut files = vec![("MEMORY.md", index.as_str()), ("t.md", "x\n")];
            files.extend(has.then_some(("refunds.md", REFUNDS)));
            store(&files)
        };
        let there = after(text(out.arrival.as_ref(), "MEMORY.md"), true);
        let here = after(text(out.departure.as_ref(), "MEMORY.md"), false);
        let back = moved(&there, &here, Way::Move, &["refunds.md"]).unwrap();
        let index = text(back.arrival.as_ref(), "MEMORY.md").unwrap();
        let words = |text: &str| {
            Index::parse(text.as_bytes())
                .entries
                .into_iter()
                .map(|it| (it.title, it.hook))
                .collect::<Vec<_>>()
        };
        assert_eq!(words(&index), words(&format!("{style}{own}")));
        assert_eq!(index.lines().count(), 2);
        assert_eq!(text(back.departure.as_ref(), "MEMORY.md").unwrap(), style);
    }
}

/// Its line went with it, and what it said stood nowhere any more.
#[test]
fn of_a_memory_that_is_there_but_unlisted_the_line_comes() {
    let to = |index: &str| store(&[("MEMORY.md", index), ("refunds.md", REFUNDS)]);
    let line = "- [Refunds](refunds.md) — over 500, since March";
    let there = to("# Index\n");
    let one = moved(&here(), &there, Way::Move, &["refunds.md"]).unwrap();
    let arrival = one.arrival.as_ref();
    assert_eq!(text(arrival, "MEMORY.md"), Some(format!("# Index\n{line}\n")));
    assert_eq!((arrival.unwrap().changes.len(), &one.passages[0].line), (1, &Line::Added(line.into())));
    assert!(
        moved(&here(), &there, Way::Copy, &["refunds.md"]).is_err(),
        "a copy leaves the line where it is"
    );
    let listed = to("- [R](refunds.md) — mine\n");
    assert_eq!(moved(&here(), &listed, Way::Move, &["refunds.md"]).unwrap().arrival, None);
    // Parked there, it stays so.
    let parked = [ParkedLine {
        path: "refunds.md".into(),
        text: line.into(),
        section: None,
        before: None,
        after: None,
        instead: None,
        line: 0,
        end: "\n".into(),
    }];
    let side_there = Side { parked: &parked, ..side(&there, "there") };
    let one = transfer(side(&here(), "here"), side_there, Way::Move, &[path("refunds.md")]).unwrap();
    assert_eq!(one.arrival, None);
}

#[test]
fn a_secret_in_a_line_is_not_shown() {
    let secret = format!("AKIA{}", "J7XQ2MZ4KD6W3NPB");
    let index = format!("- [Refunds](refunds.md) — {secret}\n");
    let from = store(&[("MEMORY.md", &*index), ("refunds.md", REFUNDS)]);
    let one = moved(&from, &store(&[("MEMORY.md", "# Index\n")]), Way::Move, &["refunds.md"]).unwrap();
    assert!(text(one.arrival.as_ref(), "MEMORY.md").unwrap().contains(&secret), "it goes as it is");
    assert!(!one.words().join("\n").contains(&secret), "{:?}", one.words());
}

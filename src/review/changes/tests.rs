//! What is listed, and what accepting and restoring make of it, on stores by hand.

use super::*;
use crate::memory::index::Index;
use crate::memory::snapshot::{IndexFile, Stat};
use std::collections::BTreeMap;

type Files = BTreeMap<String, String>;

fn files(list: &[(&str, &str)]) -> Files {
    list.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

fn memory(name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: about {name}\ntype: project\n---\n\n{body}\n")
}

fn snapshot(files: &Files) -> Snapshot {
    let stat = Stat { mtime: Time::UNIX_EPOCH, mode: 0o644, link: None };
    let mut snapshot = Snapshot::default();
    for (path, text) in files {
        let (path, bytes): (_, Arc<[u8]>) = (RelPath::new(path).unwrap(), text.as_bytes().into());
        if path.is_index() {
            let index = Index::parse(&bytes);
            snapshot.index = Some(Arc::new(IndexFile { bytes, index, stat: stat.clone() }));
        } else {
            let document = Document::parse(&bytes);
            snapshot.memories.push(Arc::new(Memory { path, bytes, document, stat: stat.clone() }));
        }
    }
    snapshot
}

fn changes(old: &Files, new: &Files, instructions: &[Text]) -> Changes {
    let content =
        |files: &Files, path: &str| files.get(path).map(|text| Content::File(text.as_bytes().into()));
    let mut paths: Vec<&String> = old.keys().chain(new.keys()).collect();
    paths.sort();
    paths.dedup();
    let differing = paths.into_iter().filter(|path| old.get(*path) != new.get(*path)).map(|path| Differing {
        path: RelPath::new(path).unwrap(),
        old: content(old, path),
        new: content(new, path),
    });
    Changes::of(differing.collect(), &snapshot(new), instructions)
}

/// The list as `kind path +lines -lines`.
fn listed(changes: &Changes) -> Vec<String> {
    let one = |change: &Change| {
        let kind = match &change.kind {
            Kind::Added => "added".to_owned(),
            Kind::Changed => "changed".to_owned(),
            Kind::Deleted => "deleted".to_owned(),
            Kind::Renamed { from } => format!("{from} →"),
            Kind::Index => "index".to_owned(),
        };
        let new = change.lines.iter().filter(|line| line.is_new).count();
        format!("{kind} {} +{new} -{}", change.path, change.lines.len() - new)
    };
    let mut all: Vec<String> = changes.list.iter().map(one).collect();
    all.sort();
    all
}

/// What counts as reviewed after a decision.
fn settled(old: &Files, decision: &Decision) -> Files {
    let mut files = old.clone();
    for one in &decision.files {
        let text = |content: &Content| match content {
            Content::File(bytes) => String::from_utf8(bytes.to_vec()).unwrap(),
            Content::Link(_) => panic!("a link"),
        };
        let path = one.path.to_string();
        assert_eq!(files.get(&path).cloned(), one.from.as_ref().map(text), "{path}");
        match &one.to {
            Some(content) => drop(files.insert(path, text(content))),
            None => drop(files.remove(&path)),
        }
    }
    files
}

/// The files after a plan.
fn carried_out(files: &Files, plan: &Plan) -> Files {
    let mut files = files.clone();
    for change in &plan.changes {
        let text = |state: &crate::review::plan::FileState| match &state.content {
            Content::File(bytes) => String::from_utf8(bytes.to_vec()).unwrap(),
            Content::Link(_) => panic!("a link"),
        };
        let path = change.path.to_string();
        assert_eq!(files.get(&path).cloned(), change.before.as_ref().map(text), "{path}");
        match &change.after {
            Some(state) => drop(files.insert(path, text(state))),
            None => drop(files.remove(&path)),
        }
    }
    files
}

use crate::review::plan::Plan;

fn old() -> Files {
    let one = memory("one", "Refunds over five hundred are held until a second person approves them.");
    let two = memory("two", "Integration tests connect to a real database and never to a mock.");
    let three = memory("three", "Imports go through the queue so that the ledger is not locked at noon.");
    let index = "# Index\n\n- [One](one.md) — refunds\n- [Two](two.md) — tests\n- [Three](three.md) — imports\n\nMore words.\n";
    files(&[("one.md", &one), ("two.md", &two), ("three.md", &three), ("MEMORY.md", index)])
}

/// Accepting each change by itself, in any order, makes the new store; restoring each brings the old one back.
fn all_ways(old: &Files, new: &Files) {
    let all = changes(old, new, &[]);
    let count = all.list.len();
    for first in 0..count {
        let accepted = settled(old, &all.accept(&[first]).unwrap());
        let rest = changes(&accepted, new, &[]);
        assert_eq!(rest.list.len(), count - 1, "{:?} after {first}", listed(&rest));
        let which: Vec<usize> = (0..rest.list.len()).collect();
        if !which.is_empty() {
            assert_eq!(settled(&accepted, &rest.accept(&which).unwrap()), *new);
        }
        let plan = all.restore(&[first], &snapshot(new), &|_, _| None).unwrap();
        let restored = carried_out(new, &plan);
        let rest = changes(old, &restored, &[]);
        assert_eq!(rest.list.len(), count - 1, "{:?} after restoring {first}", listed(&rest));
    }
    let which: Vec<usize> = (0..count).collect();
    assert_eq!(settled(old, &all.accept(&which).unwrap()), *new);
    let plan = all.restore(&which, &snapshot(new), &|_, _| None).unwrap();
    assert_eq!(carried_out(new, &plan), *old);
}

#[test]
fn lines_of_the_index_go_with_their_memories() {
    let mut new = old();
    new.insert("four.md".into(), memory("four", "Deploys happen on Tuesday after the stand-up."));
    new.remove("two.md");
    let index = "# Index\n\n- [One](one.md) — refunds\n- [Three](three.md) — imports\n- [Four](four.md) — deploys\n\nOther words.\n";
    new.insert("MEMORY.md".into(), index.into());
    let all = changes(&old(), &new, &[]);
    assert_eq!(listed(&all), ["added four.md +1 -0", "deleted two.md +0 -1", "index MEMORY.md +1 -1"]);
    assert_eq!(all.list[0].kind, Kind::Deleted, "deletions come first");
    all_ways(&old(), &new);
}

#[test]
fn a_rename_is_one_change_changed_or_not() {
    let mut new = old();
    let one = new.remove("one.md").unwrap();
    new.insert("refunds-held.md".into(), one);
    let two = new.remove("two.md").unwrap();
    new.insert(
        "real-database.md".into(),
        two.replace("name: two", "name: real-database").replace("never to", "not to"),
    );
    let index = new["MEMORY.md"].replace("one.md", "refunds-held.md").replace("two.md", "real-database.md");
    new.insert("MEMORY.md".into(), index);
    let all = changes(&old(), &new, &[]);
    assert_eq!(listed(&all), ["one.md → refunds-held.md +1 -1", "two.md → real-database.md +1 -1"]);
    all_ways(&old(), &new);
}

#[test]
fn what_only_looks_like_a_rename_is_none() {
    let mut new = old();
    new.remove("one.md");
    new.insert("freeze.md".into(), memory("freeze", "The mobile freeze begins on Thursday at six."));
    let all = changes(&old(), &new, &[]);
    assert_eq!(listed(&all), ["added freeze.md +0 -0", "deleted one.md +0 -0"]);
    all_ways(&old(), &new);
}

#[test]
fn a_deleted_text_is_found_where_it_went() {
    let mut new = old();
    let gone = new.remove("two.md").unwrap();
    let body = gone.rsplit("---\n").next().unwrap().trim().to_owned();
    let three = format!("{}\n{body}\n", new["three.md"]);
    new.insert("three.md".into(), three);
    let all = changes(&old(), &new, &[]);
    let of = |path: &str| all.list.iter().find(|change| change.path.to_str_lossy() == path).unwrap();
    assert_eq!(of("two.md").moved_to, Some(Elsewhere::Memory(RelPath::new("three.md").unwrap())));
    let mut new = old();
    new.remove("two.md");
    let rule = Text { path: "rules/tests.md".into(), text: format!("# Tests\n\n- {body}\n") };
    let all = changes(&old(), &new, &[rule]);
    assert_eq!(all.list[0].moved_to, Some(Elsewhere::Instructions("rules/tests.md".into())));
    assert_eq!(changes(&old(), &new, &[]).list[0].moved_to, None);
}

#[test]
fn an_index_that_comes_goes_or_is_written_anew() {
    let mut without = old();
    without.remove("MEMORY.md");
    assert_eq!(listed(&changes(&old(), &without, &[])), ["index MEMORY.md +0 -0"]);
    assert_eq!(listed(&changes(&without, &old(), &[])), ["index MEMORY.md +5 -0"]);
    let mut anew = old();
    anew.insert("MEMORY.md".into(), "- [Three](three.md)\n- [[two]]\n- [One](one.md)\n".into());
    all_ways(&old(), &anew);
    anew.insert("one.md".into(), memory("one", "Refunds are never held."));
    all_ways(&old(), &anew);
}

#[test]
fn a_change_is_taken_in_part() {
    let mut new = old();
    let text = new["one.md"].replace("type: project", "type: user").replace("a second person", "nobody");
    new.insert("one.md".into(), text);
    let all = changes(&old(), &new, &[]);
    assert_eq!(all.hunks(0).len(), 2);
    let plan = all.take(0, &[1], &snapshot(&new)).unwrap();
    let taken = carried_out(&new, &plan);
    assert!(taken["one.md"].contains("type: project") && taken["one.md"].contains("nobody"), "{taken:?}");
    assert!(all.take(0, &[0, 1], &snapshot(&new)).unwrap_err().hint.contains("accept"));
    assert!(all.accept(&[7]).is_err());
}

#[test]
fn the_session_and_the_time_are_told() {
    let mut new = old();
    let text = "---\nname: x\nmetadata:\n  type: user\n  originSessionId: 6f0c\x1b1c3e\n---\nText.\n";
    new.insert("x.md".into(), text.replace('\x1b', ""));
    let all = changes(&old(), &new, &[]);
    assert_eq!(all.list[0].origin, Origin { session: Some("6f0c1c3e".into()), branch: None });
    assert_eq!(all.list[0].time, Some(Time::UNIX_EPOCH));
}

//! The index over real stores and against what the real client loaded. Both come from the directory that
//! `MEMCURATOR_SHARED` names; without it these tests say that they skip.

use crate::shared;
use memcurator::memory::Time;
use memcurator::memory::document::Document;
use memcurator::memory::index::{Index, Target, mention_of, put_back, remove};
use memcurator::memory::path::RelPath;
use memcurator::memory::snapshot::{IndexFile, Memory, Snapshot, Stat};
use memcurator::prompt::limits::{Rules, load_with};
use memcurator::prompt::{sent, versions};
use memcurator::review::plan::Content;
use memcurator::review::prune;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn stat() -> Stat {
    Stat { mtime: Time::UNIX_EPOCH, mode: 0o644, link: None }
}

/// A store as a snapshot: every `.md` file but the index is a memory.
fn snapshot(root: &Path) -> Snapshot {
    fn walk(root: &Path, dir: &Path, out: &mut Snapshot) {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(root, &path, out);
            } else if path.extension().is_some_and(|end| end == "md") {
                let bytes: Arc<[u8]> = std::fs::read(&path).unwrap().into();
                let path = RelPath::new(path.strip_prefix(root).unwrap()).unwrap();
                if path.is_index() {
                    let index = Index::parse(&bytes);
                    out.index = Some(Arc::new(IndexFile { bytes, index, stat: stat() }));
                } else {
                    let document = Document::parse(&bytes);
                    out.memories.push(Arc::new(Memory { path, bytes, document, stat: stat() }));
                }
            }
        }
    }
    let mut out = Snapshot { root: root.to_owned(), ..Snapshot::default() };
    walk(root, root, &mut out);
    out.memories.sort_by(|a, b| a.path.cmp(&b.path));
    out
}

/// A store in memory: file names, and the text of the index.
fn made(names: &[&str], index: &str) -> Snapshot {
    let memory = |name: &&str| {
        let stem = name.trim_end_matches(".md");
        let bytes: Arc<[u8]> = format!("---\nname: {stem}\n---\nbody\n").into_bytes().into();
        let document = Document::parse(&bytes);
        Arc::new(Memory { path: RelPath::new(name).unwrap(), bytes, document, stat: stat() })
    };
    let mut out = Snapshot { memories: names.iter().map(memory).collect(), ..Snapshot::default() };
    set_index(&mut out, index.as_bytes());
    out
}

fn set_index(snapshot: &mut Snapshot, bytes: &[u8]) {
    let index = Index::parse(bytes);
    snapshot.index = Some(Arc::new(IndexFile { bytes: bytes.into(), index, stat: stat() }));
}

fn stores() -> Vec<Snapshot> {
    let Some(shared) = shared() else { return Vec::new() };
    let mut roots: Vec<PathBuf> =
        std::fs::read_dir(shared.join("corpus")).unwrap().map(|entry| entry.unwrap().path()).collect();
    roots.sort();
    roots.iter().map(|root| snapshot(root)).collect()
}

/// The bytes of the index after a plan.
fn index_after(plan: &memcurator::review::plan::Plan) -> Vec<u8> {
    let change = plan.changes.iter().find(|change| change.path.is_index()).unwrap();
    match &change.after.as_ref().unwrap().content {
        Content::File(bytes) => bytes.to_vec(),
        Content::Link(_) => panic!("the index became a link"),
    }
}

/// What real indexes look like: counted, so that a parser that starts to miss entries is noticed.
#[test]
fn real_indexes_are_read_whole() {
    let stores = stores();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut count = |what: String| *counts.entry(what).or_default() += 1;
    for store in &stores {
        let Some(file) = &store.index else {
            count("without an index".into());
            continue;
        };
        let resolution = file.index.resolve(store);
        for (at, entry) in file.index.entries.iter().enumerate() {
            let kind = if matches!(entry.target, Target::Name(_)) { "wikilink" } else { "link" };
            let place = if entry.alone { "alone".into() } else { format!("{:?}, not alone", entry.place) };
            count(format!("{kind}: {place}"));
            if resolution.memory_of[at].is_none() {
                count("dangling".into());
            }
        }
        let orphans = (0..store.memories.len()).filter(|at| resolution.entries_of[*at].is_empty());
        let orphans: Vec<usize> = orphans.collect();
        for at in &orphans {
            let mention = mention_of(&file.bytes, &file.index, &store.memories[*at].path);
            count(if mention.is_some() { "orphans, but mentioned" } else { "orphans" }.into());
        }
        if !orphans.is_empty() {
            count("with orphans".into());
        }
    }
    if !stores.is_empty() {
        println!("{counts:#?}");
        let want = [
            ("link: alone", 675),
            ("link: Item, not alone", 4),
            ("link: Prose, not alone", 16),
            ("wikilink: Prose, not alone", 4),
            ("orphans", 46),
            ("orphans, but mentioned", 1),
            ("with orphans", 8),
            ("without an index", 1),
        ];
        assert_eq!(counts, want.map(|(what, n)| (what.to_owned(), n)).into());
    }
}

/// Each entry of each real index: removing it touches its item only, and it can be put back byte for byte.
#[test]
fn each_real_entry_can_be_taken_out_and_put_back() {
    for store in stores() {
        let Some(file) = &store.index else { continue };
        let (bytes, index) = (&file.bytes, &file.index);
        for (at, entry) in index.entries.iter().enumerate() {
            let removed = remove(bytes, index, &[at]);
            let start = index.lines[entry.item.start].start;
            let end = index.lines.get(entry.item.end).map_or(bytes.len(), |line| line.start);
            assert!(removed.bytes.starts_with(&bytes[..start]) && removed.bytes.ends_with(&bytes[end..]));
            assert_eq!(entry.alone, removed.bytes.len() == start + bytes.len() - end);
            let parked = removed.taken[0].parked(bytes, index, "x").unwrap();
            let (back, homeless) = put_back(&removed.bytes, &[parked], &[0]);
            assert!(
                homeless.is_empty() && back == **bytes,
                "{}: line {}",
                store.root.display(),
                entry.line + 1
            );
        }
    }
}

/// Parking everything and taking it all back gives the same index; so does any one store in halves.
#[test]
fn a_real_store_parked_and_unparked_is_as_before() {
    for mut store in stores() {
        let Some(file) = store.index.clone() else { continue };
        let resolution = file.index.resolve(&store);
        let indexed: Vec<RelPath> = (0..store.memories.len())
            .filter(|at| !resolution.entries_of[*at].is_empty())
            .map(|at| store.memories[at].path.clone())
            .collect();
        if indexed.is_empty() {
            continue;
        }
        let halves = indexed.split_at(indexed.len() / 2);
        let mut parked = Vec::new();
        for half in [halves.0, halves.1].into_iter().filter(|half| !half.is_empty()) {
            let plan = prune::park(&store, &parked, half).unwrap();
            parked = plan.parked.as_ref().unwrap().apply(&parked);
            set_index(&mut store, &index_after(&plan));
        }
        let left = &store.index.as_ref().unwrap().index;
        assert!(left.resolve(&store).memory_of.iter().all(Option::is_none));
        let plan = prune::unpark(&store, &parked, &indexed).unwrap();
        let same = index_after(&plan) == *file.bytes;
        assert_eq!(plan.parked.unwrap().apply(&parked), []);
        assert!(same, "{}", store.root.display());
    }
}

/// A new line in each real index: one line more, nothing else.
#[test]
fn an_orphan_gets_a_line_in_a_real_index() {
    for mut store in stores() {
        let Some(file) = store.index.clone() else { continue };
        let orphan = made(&["a_new_memory.md"], "").memories.remove(0);
        store.memories.push(orphan);
        let plan = prune::unpark(&store, &[], &[RelPath::new("a_new_memory.md").unwrap()]).unwrap();
        let after = index_after(&plan);
        let same = file.bytes.iter().zip(&after).take_while(|(a, b)| a == b).count();
        let added = after.len() - file.bytes.len();
        assert_eq!([&after[..same], &after[same + added..]].concat(), *file.bytes);
        let lines = Index::parse(&after).lines.len() - file.index.lines.len();
        assert_eq!(lines, 1, "{}", store.root.display());
    }
}

/// The text of the index that a version of the client loaded, for every case that has one.
#[test]
fn the_index_loads_as_the_client_loads_it() {
    let Some(shared) = shared() else { return };
    let read = |name: &str| -> serde_json::Value {
        let path = shared.join("client-cases").join(name);
        serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
    };
    let cases = read("cases.json");
    for (version, rules) in [("2.1.197", Rules::V197), ("2.1.332", Rules::V332)] {
        let expected = read(&format!("expected-{version}.json"));
        let mut compared = 0;
        for (name, want) in expected["cases"].as_object().unwrap() {
            let sections = want["sections"].as_array().unwrap();
            let Some(auto) = sections.iter().find(|section| section["kind"] == "AutoMemory") else {
                continue;
            };
            // The file that the section names, whichever way the case names it.
            let slot = format!("projects/{{SLUG:{}}}/memory", cases[name]["mem_of"].as_str().unwrap());
            let path = auto["path"].as_str().unwrap();
            let files = cases[name]["files"].as_object().unwrap();
            let found =
                files.iter().find(|(file, _)| file.replace("{MEM}", &format!("home/.claude/{slot}")) == path);
            let Some((_, content)) = found else { continue };
            let loaded = load_with(&contents(content), &rules);
            let want_text = &want["kept"];
            let body = sent::body(&loaded, &versions::Rules::of(version).unwrap());
            assert_eq!(
                (Some(body.encode_utf16().count() as u64), Some(loaded.kept_lines as u64)),
                (want_text["utf16"].as_u64(), want_text["lines"].as_u64()),
                "{version} {name}: {:?}",
                loaded.text.chars().take(200).collect::<String>()
            );
            assert_eq!(Some(sha256(&body).as_str()), want_text["sha256"].as_str(), "{version} {name}");
            let cut = match (loaded.over_lines, loaded.over_size) {
                (false, false) => "none",
                (true, false) => "lines",
                (false, true) => "size",
                (true, true) => "both",
            };
            assert_eq!(want["memory_cut"], cut, "{version} {name}");
            compared += 1;
        }
        println!("{version}: {compared} cases equal");
        assert!(compared >= 30, "{version}: {compared}");
    }
}

/// The bytes of a file of a case: text, parts with repetitions, or hexadecimal.
fn contents(parts: &serde_json::Value) -> Vec<u8> {
    let text = |part: &serde_json::Value| part.as_str().unwrap().to_owned();
    if let Some(hex) = parts.get("hex") {
        let hex = text(hex);
        return (0..hex.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
            .collect();
    }
    let part = |part: &serde_json::Value| match part.as_array() {
        Some(pair) => text(&pair[0]).repeat(usize::try_from(pair[1].as_u64().unwrap()).unwrap()),
        None => text(part),
    };
    match parts.as_array() {
        Some(parts) => parts.iter().map(part).collect::<String>().into_bytes(),
        None => text(parts).into_bytes(),
    }
}

/// SHA-256 in hexadecimal, by the system's own program: the tests need no crate for it.
fn sha256(text: &str) -> String {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let run = |program: &str, args: &[&str]| {
        let mut child =
            Command::new(program).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        child.stdin.take()?.write_all(text.as_bytes()).ok()?;
        let out = child.wait_with_output().ok()?;
        Some(String::from_utf8_lossy(&out.stdout).split_whitespace().next()?.to_owned())
    };
    run("sha256sum", &[]).or_else(|| run("shasum", &["-a", "256"])).expect("sha256sum or shasum")
}

#[test]
fn delete_takes_file_and_line_and_says_so() {
    let store = made(
        &["a.md", "b.md", "c.md"],
        "# M\n- [A](a.md) — a\n- [B](b.md) — b\n\nLong prose about it all and see [C](c.md).\n",
    );
    let path = |name: &str| RelPath::new(name).unwrap();
    let plan = prune::delete(&store, &[], &[path("a.md")]).unwrap();
    assert_eq!(plan.message, "deleted a");
    assert_eq!(plan.changes.len(), 2);
    assert_eq!(plan.changes[0].after, None);
    assert!(index_after(&plan).starts_with(b"# M\n- [B]"));
    assert!(plan.warnings.is_empty() && plan.parked.is_none());
    let plan = prune::delete(&store, &[], &[path("a.md"), path("b.md"), path("c.md")]).unwrap();
    assert_eq!(plan.message, "deleted 3 memories");
    assert_eq!(index_after(&plan), b"# M\n\nLong prose about it all and see C.\n");
    assert_eq!(plan.warnings.len(), 1);
    assert!(prune::delete(&store, &[], &[path("gone.md")]).unwrap_err().what.contains("gone.md"));
}

#[test]
fn the_hook_of_a_parked_line_is_never_overwritten() {
    let index = "# User\n- [A](a.md) — my own hook\n\n# Other\n- X: [B](b.md), [C](c.md)\n";
    let mut store = made(&["a.md", "b.md", "c.md"], index);
    let path = |name: &str| RelPath::new(name).unwrap();
    let plan = prune::park(&store, &[], &[path("a.md")]).unwrap();
    assert_eq!(plan.message, "parked a: its line left the index, the file stays");
    let mut parked = plan.parked.as_ref().unwrap().apply(&[]);
    // Meanwhile everything around it changed.
    set_index(&mut store, b"# New\n- [B](b.md)\n");
    let plan = prune::unpark(&store, &parked, &[path("a.md")]).unwrap();
    assert_eq!(index_after(&plan), b"# New\n- [B](b.md)\n- [A](a.md) \xe2\x80\x94 my own hook\n");
    // One of several links, whose line was rewritten meanwhile: a line of its own.
    set_index(&mut store, index.as_bytes());
    parked = prune::park(&store, &[], &[path("b.md")]).unwrap().parked.unwrap().apply(&[]);
    set_index(&mut store, b"# Other\n- Y: [C](c.md)\n");
    let plan = prune::unpark(&store, &parked, &[path("b.md")]).unwrap();
    assert_eq!(index_after(&plan), b"# Other\n- Y: [C](c.md)\n- [B](b.md)\n");
}

#[test]
fn refusals_and_warnings() {
    let mut store = made(&["a.md", "b.md"], "- [A](a.md)\n");
    let path = |name: &str| RelPath::new(name).unwrap();
    assert!(prune::park(&store, &[], &[path("b.md")]).is_err());
    assert!(prune::unpark(&store, &[], &[path("a.md")]).is_err());
    let plan = prune::park(&store, &[], &[path("a.md"), path("b.md")]).unwrap();
    assert_eq!((plan.warnings.len(), plan.message.starts_with("parked a")), (1, true));
    // Below the cut: said beforehand.
    set_index(&mut store, format!("{}- [A](a.md)\n", "- x\n".repeat(199)).as_bytes());
    let plan = prune::unpark(&store, &[], &[path("b.md")]).unwrap();
    assert_eq!(plan.warnings, ["b: its line 201 lies below the cut and will not load"]);
    set_index(&mut store, format!("- [A](a.md)\n{}", "- x\n".repeat(199)).as_bytes());
    let plan = prune::unpark(&store, &[], &[path("b.md")]).unwrap();
    assert_eq!(plan.warnings, ["1 line at the end of what loaded of the index no longer will"]);
    // No index: a new one.
    store.index = None;
    let plan = prune::unpark(&store, &[], &[path("b.md")]).unwrap();
    assert_eq!(plan.changes[0].before, None);
    assert_eq!(index_after(&plan), b"- [b](b.md)\n");
}

#[test]
fn links_are_changed_themselves_never_what_they_point_to() {
    use memcurator::memory::snapshot::Link;
    let mut store = made(&["a.md", "real.md"], "- [A](a.md)\n");
    store.root = PathBuf::from("/store");
    let path = |name: &str| RelPath::new(name).unwrap();
    let link = |target: &str, inside| Some(Link { target: target.into(), inside });
    let mut linked = (*store.memories[0]).clone();
    linked.stat.link = link("/elsewhere/a.md", false);
    store.memories[0] = Arc::new(linked);
    let plan = prune::delete(&store, &[], &[path("a.md")]).unwrap();
    let before = plan.changes[0].before.as_ref().unwrap();
    assert_eq!(before.content, Content::Link("/elsewhere/a.md".into()));

    let mut index = (**store.index.as_ref().unwrap()).clone();
    index.stat.link = link("real.md", true);
    store.index = Some(Arc::new(index.clone()));
    let plan = prune::delete(&store, &[], &[path("a.md")]).unwrap();
    assert_eq!(plan.changes[1].path, path("real.md"));
    assert!(prune::delete(&store, &[], &[path("real.md")]).is_err(), "that is the index itself");

    index.stat.link = link("../out.md", false);
    store.index = Some(Arc::new(index));
    let refusal = prune::delete(&store, &[], &[path("a.md")]).unwrap_err();
    assert!(refusal.what.contains("../out.md") && !refusal.hint.is_empty());
}

#[test]
fn a_parked_line_that_finds_no_place_stays_parked() {
    let index = "# One\n- [A](a.md) — first\n\n# Two\n- X: [A](a.md), [B](b.md)\n";
    let mut store = made(&["a.md", "b.md"], index);
    let path = |name: &str| RelPath::new(name).unwrap();
    let parked = prune::park(&store, &[], &[path("a.md")]).unwrap().parked.unwrap().apply(&[]);
    assert_eq!(parked.len(), 2);
    // Meanwhile the line that held the second link was rewritten.
    set_index(&mut store, b"# One\n\n# Two\n- Y: [B](b.md)\n");
    let plan = prune::unpark(&store, &parked, &[path("a.md")]).unwrap();
    assert_eq!(
        String::from_utf8(index_after(&plan)).unwrap(),
        "# One\n- [A](a.md) — first\n\n# Two\n- Y: [B](b.md)\n"
    );
    assert_eq!(plan.parked.unwrap().apply(&parked), parked[1..]);
    assert_eq!(plan.warnings.len(), 1);
    assert!(plan.warnings[0].contains("X: [A](a.md), [B](b.md)"), "{:?}", plan.warnings);
}

#[test]
fn parking_again_what_an_agent_listed_again_keeps_one_line() {
    let mut store = made(&["a.md", "b.md"], "# One\n- [A](a.md) — old\n\n# Two\n- [B](b.md)\n");
    let path = |name: &str| RelPath::new(name).unwrap();
    let parked = prune::park(&store, &[], &[path("a.md")]).unwrap().parked.unwrap().apply(&[]);
    set_index(&mut store, b"# One\n\n# Two\n- [B](b.md)\n- [A](a.md) -- new\n");
    let plan = prune::park(&store, &parked, &[path("a.md")]).unwrap();
    assert!(plan.warnings.len() == 1 && plan.warnings[0].contains("old"), "{:?}", plan.warnings);
    let again = plan.parked.as_ref().unwrap().apply(&parked);
    assert_eq!(again.iter().map(|line| line.text.as_str()).collect::<Vec<_>>(), ["- [A](a.md) -- new"]);
    set_index(&mut store, &index_after(&plan));
    let plan = prune::unpark(&store, &again, &[path("a.md")]).unwrap();
    assert_eq!(index_after(&plan), b"# One\n\n# Two\n- [B](b.md)\n- [A](a.md) -- new\n");
}

#[test]
fn a_line_goes_with_its_memory_however_a_wikilink_calls_it() {
    let path = |name: &str| RelPath::new(name).unwrap();
    for link in ["x", "X.MD", "feedback x", "Feedback_X.md#part"] {
        let store = made(&["b.md", "feedback_x.md"], &format!("- [[{link}]] — hook\n- [B](b.md)\n"));
        let plan = prune::delete(&store, &[], &[path("feedback_x.md")]).unwrap();
        assert_eq!(plan.changes.len(), 2, "{link}");
        assert_eq!(index_after(&plan), b"- [B](b.md)\n", "{link}");
    }
}

#[test]
fn a_new_line_goes_where_its_kind_stands_whatever_links_call_it() {
    let names = ["feedback_x.md", "feedback_y.md", "project_p.md"];
    let mut store = made(&names, "# A\n- [[Feedback X]]\n\n# B\n- [P](project_p.md)\n");
    for memory in &mut store.memories {
        let kind = memory.path.stem().split('_').next().unwrap().to_owned();
        let bytes: Arc<[u8]> = format!("---\ntype: {kind}\n---\nbody\n").into_bytes().into();
        let document = Document::parse(&bytes);
        *memory = Arc::new(Memory { bytes, document, ..(**memory).clone() });
    }
    let plan = prune::unpark(&store, &[], &[RelPath::new("feedback_y.md").unwrap()]).unwrap();
    let index = String::from_utf8(index_after(&plan)).unwrap();
    assert!(index.starts_with("# A\n- [[Feedback X]]\n- [[feedback_y]]\n\n# B\n"), "{index}");
}

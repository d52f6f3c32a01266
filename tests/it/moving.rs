//! Memories from one store to another: commands and screens, both ways, and what both stores hold afterwards.

use crate::home::{Done, Home, Tree, files};
use crate::screen_kit::{Kit, now};
use memcurator::app::model::Mode;
use memcurator::memory::Time;
use memcurator::memory::path::RelPath;
use memcurator::review::moving::Way;
use memcurator::shell::{Stage, moving};
use memcurator::store::{Start, Store};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

const SHOP: &str = "-home-ann-src-shop";
const PAY: &str = "-home-ann-src-pay";
const MEMORY: &str =
    "---\nname: Refunds\ndescription: Two approvals\ntype: project\n---\n\nSee [[commits]].\n";
const COMMITS: &str = "---\nname: commits\ndescription: Small\ntype: feedback\n---\n\nOne thing.\n";

/// A home with two stores, `pay` and `shop`, and an agent's own memory.
struct Two {
    home: Home,
    pay: PathBuf,
    shop: PathBuf,
    agent: PathBuf,
}

impl Two {
    fn new() -> Self {
        let home = Home::empty();
        let claude = home.path().join(".claude");
        let of = |slug: &str| claude.join("projects").join(slug).join("memory");
        let two = Self { pay: of(PAY), shop: of(SHOP), agent: claude.join("agent-memory/tester"), home };
        let index = "# Index\n\n- [Refunds](refunds.md) — over 500\n- [Small ones](commits.md) — small\n";
        for (path, text) in [("MEMORY.md", index), ("refunds.md", MEMORY), ("commits.md", COMMITS)] {
            two.write(&two.pay, path, text);
        }
        two.write(&two.shop, "MEMORY.md", "- [Cart](cart.md) — what is in it\n");
        two.write(&two.shop, "cart.md", "---\nname: Cart\ntype: project\n---\n\nA cart.\n");
        two.write(&two.agent, "MEMORY.md", "- [Habit](habit.md)\n");
        two.write(&two.agent, "habit.md", "---\nname: Habit\ntype: user\n---\n\nA habit.\n");
        two
    }

    /// A file that was changed a while ago, to the nanosecond.
    fn write(&self, dir: &Path, path: &str, text: &str) {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::new(1_700_000_000, 123_456_789);
        File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    }

    fn run(&self, args: &[&str]) -> Done {
        self.home.run(args)
    }

    /// As [`Two::run`] on the store `pay`.
    fn pay(&self, args: &[&str]) -> Done {
        self.home.run(&[args, &["--store", self.pay.to_str().unwrap()]].concat())
    }

    fn shop(&self, args: &[&str]) -> Done {
        self.home.run(&[args, &["--store", self.shop.to_str().unwrap()]].concat())
    }

    fn stores(&self) -> [Tree; 3] {
        [files(&self.pay), files(&self.shop), files(&self.agent)]
    }
}

/// Files with their bytes and times, but the index's time.
fn but_index_time(tree: &Tree) -> Vec<(String, Vec<u8>, Option<SystemTime>)> {
    let time = |path: &str, time| (!path.ends_with("MEMORY.md")).then_some(time);
    tree.iter().map(|(path, (bytes, at))| (path.clone(), bytes.clone(), time(path, *at))).collect()
}

fn text(dir: &Path, path: &str) -> String {
    fs::read_to_string(dir.join(path)).unwrap()
}

#[test]
fn a_memory_moves_as_it_is_and_one_undo_takes_both_steps_back() {
    for from_there in [false, true] {
        let two = Two::new();
        let before = two.stores();
        let meta = fs::metadata(two.pay.join("refunds.md")).unwrap();
        let done = two.pay(&["stores", "move", "refunds.md", "--to", "shop"]);
        assert_eq!(done.status, 0, "{done:?}");
        for part in [
            &format!("moved Refunds to {SHOP}"),
            "Refunds → refunds.md; index there: - [Refunds](refunds.md) — over 500",
            "note: Refunds: its link to `commits` leads nowhere in -home-ann-src-shop",
            "undo with: memcurator undo --store",
        ] {
            assert!(done.out.contains(part), "{part}: {}", done.out);
        }
        let there = fs::metadata(two.shop.join("refunds.md")).unwrap();
        assert_eq!(text(&two.shop, "refunds.md"), MEMORY);
        assert_eq!((there.mtime(), there.mtime_nsec()), (meta.mtime(), meta.mtime_nsec()));
        assert_eq!(there.mode(), meta.mode());
        assert!(!two.pay.join("refunds.md").exists());
        assert_eq!(text(&two.pay, "MEMORY.md"), "# Index\n\n- [Small ones](commits.md) — small\n");
        assert!(text(&two.shop, "MEMORY.md").ends_with("- [Refunds](refunds.md) — over 500\n"));
        assert_eq!(two.home.json(&["list", "--store", two.shop.to_str().unwrap()])[1]["age_days"], 841);
        let after = two.stores();
        let undone = if from_there { two.shop(&["undo"]) } else { two.pay(&["undo"]) };
        assert_eq!(undone.status, 0, "{undone:?}");
        for (tree, was) in two.stores().iter().zip(&before) {
            assert_eq!(but_index_time(tree), but_index_time(was), "from there: {from_there}");
        }
        let again = if from_there { two.pay(&["redo"]) } else { two.shop(&["redo"]) };
        assert_eq!(again.status, 0, "{again:?}");
        for (tree, was) in two.stores().iter().zip(&after) {
            assert_eq!(but_index_time(tree), but_index_time(was));
        }
    }
}

#[test]
fn a_copy_stays_here_and_its_undo_is_about_the_other_store_alone() {
    let two = Two::new();
    let before = two.stores();
    let done =
        two.pay(&["stores", "copy", "Refunds", "commits.md", "--to", "agent:tester", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(json["done"], "copied 2 memories to agent:tester");
    assert_eq!(json["memories"][0]["result"], "copied");
    assert_eq!(json["memories"][0]["index_line"]["added"], "- [Refunds](refunds.md) — over 500");
    assert_eq!(json["notes"].as_array().unwrap().len(), 0, "they link to each other: {json}");
    assert_eq!(two.stores()[0], before[0]);
    assert_eq!(text(&two.agent, "refunds.md"), MEMORY);
    assert_eq!(two.pay(&["undo"]).status, 1, "nothing was done here");
    let undone = two.run(&["undo", "--store", two.agent.to_str().unwrap()]);
    assert_eq!(undone.status, 0, "{undone:?}");
    assert_eq!(but_index_time(&two.stores()[2]), but_index_time(&before[2]));
    // Byte for byte there already: nothing is done.
    let args = ["stores", "copy", "commits.md", "--to", "agent:tester"];
    assert_eq!(two.pay(&args).status, 0);
    let again = two.pay(&args);
    assert_eq!(
        (again.status, again.err.contains("in agent:tester already, byte for byte")),
        (1, true),
        "{again:?}"
    );
}

#[test]
fn a_dry_run_writes_nothing_at_all() {
    let two = Two::new();
    let before = two.home.tree();
    for args in [
        &["stores", "move", "refunds.md", "--to", "shop", "--dry-run"][..],
        &["stores", "copy", "refunds.md", "--to", "shop", "--dry-run"],
    ] {
        let done = two.pay(args);
        assert_eq!(done.status, 0, "{done:?}");
        assert!(
            done.out.starts_with("would have ") && done.out.contains("nothing was written"),
            "{}",
            done.out
        );
    }
    let done = two.run(&["stores", "merge", PAY, "--into", SHOP, "--dry-run"]);
    assert!(done.out.contains("would have moved 2 memories"), "{done:?}");
    assert_eq!(two.home.tree(), before);
}

#[test]
fn a_store_is_merged_into_another_whole() {
    let two = Two::new();
    two.write(&two.pay, "notes/deep.md", "---\nname: Deep\n---\n\nDown here.\n");
    two.write(&two.pay, "cart.md", "---\nname: Other cart\n---\n\nAnother.\n");
    two.write(&two.pay, "left.bak", "left alone\n");
    symlink("/nowhere.md", two.pay.join("link.md")).unwrap();
    let before = two.stores();
    let done = two.run(&["stores", "merge", "pay", "--into", "shop"]);
    assert_eq!(done.status, 0, "{done:?}");
    for part in [
        "moved 4 memories to -home-ann-src-shop",
        "Other cart → cart-2.md, since cart.md is another memory there",
        "note: link.md",
        "note: 1 file that is no memory stays",
    ] {
        assert!(done.out.contains(part), "{part}: {}", done.out);
    }
    let names: Vec<String> = files(&two.shop).into_keys().collect();
    assert_eq!(names, ["MEMORY.md", "cart-2.md", "cart.md", "commits.md", "notes/deep.md", "refunds.md"]);
    let left: Vec<String> = files(&two.pay).into_keys().collect();
    assert_eq!(left, ["MEMORY.md", "left.bak", "link.md"]);
    assert_eq!(two.pay(&["undo"]).status, 0);
    for (tree, was) in two.stores().iter().zip(&before) {
        assert_eq!(but_index_time(tree), but_index_time(was));
    }
}

#[test]
fn what_can_not_go_is_refused_and_nothing_is_done() {
    let two = Two::new();
    symlink(&two.shop, two.home.path().join("alias")).unwrap();
    symlink("refunds.md", two.pay.join("link.md")).unwrap();
    two.write(&two.pay, "sub/inner.md", "---\nname: Inner\ntype: user\n---\nx\n");
    fs::create_dir(two.home.path().join("code")).unwrap();
    fs::write(two.home.path().join("code/main.rs"), "").unwrap();
    let before = two.stores();
    let alias = two.home.path().join("alias");
    let inner = two.pay.join("sub");
    let code = two.home.path().join("code");
    for (args, status, part) in [
        (vec!["refunds.md", "--to", PAY], 1, "are the same store"),
        (vec!["refunds.md", "--to", inner.to_str().unwrap()], 1, "lies in"),
        (vec!["refunds.md", "--to", "nobody"], 2, "there is no store `nobody`"),
        (vec!["refunds.md", "--to", code.to_str().unwrap()], 2, "holds no memories"),
        (vec!["link.md", "--to", SHOP], 1, "is a link to"),
        (vec!["nothing.md", "--to", SHOP], 1, "there is no memory `nothing.md`"),
        (vec!["MEMORY.md", "--to", SHOP], 1, "is the index"),
    ] {
        let done = two.pay(&[&["stores", "move"], args.as_slice()].concat());
        assert_eq!(done.status, status, "{args:?}: {done:?}");
        assert!(done.err.contains(part) && done.err.contains("nothing"), "{args:?}: {}", done.err);
    }
    // One directory under two names.
    let done = two.shop(&["stores", "move", "cart.md", "--to", alias.to_str().unwrap()]);
    assert!(done.err.contains("are the same store"), "{done:?}");
    let both = two.pay(&["stores", "merge", "shop", "--into", "agent:tester"]);
    assert!(both.err.contains("names both stores itself"), "{both:?}");
    assert_eq!(two.stores(), before);
}

#[test]
fn a_place_that_can_not_be_written_to_leaves_both_as_they_were() {
    if rustix::process::getuid().is_root() {
        // Permissions don't hold root back: an index that is a directory does.
        let two = Two::new();
        fs::remove_file(two.shop.join("MEMORY.md")).unwrap();
        fs::create_dir(two.shop.join("refunds.md")).unwrap();
        let before = two.stores();
        let done = two.pay(&["stores", "move", "refunds.md", "--to", "shop"]);
        assert_ne!(done.status, 0, "{done:?}");
        assert_eq!(two.stores(), before);
        return;
    }
    let two = Two::new();
    let before = two.stores();
    fs::set_permissions(&two.shop, fs::Permissions::from_mode(0o500)).unwrap();
    let done = two.pay(&["stores", "move", "refunds.md", "--to", "shop"]);
    fs::set_permissions(&two.shop, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(done.status, 2, "{done:?}");
    assert!(done.err.contains(&format!("in {}", two.shop.display())), "{}", done.err);
    assert_eq!(two.stores(), before);
}

/// The two stores as the library has them.
fn opened(two: &Two) -> (Store, Store) {
    let places = memcurator::store::Places::from_env(&two.home.env);
    (Store::open(&two.pay, &places).unwrap(), Store::open(&two.shop, &places).unwrap())
}

fn at(seconds: i64) -> Time {
    now() + chrono::TimeDelta::seconds(seconds)
}

#[test]
fn someone_else_s_change_since_the_plan_is_a_conflict_and_nothing_is_done() {
    for (change_there, path) in [(false, "refunds.md"), (true, "refunds.md")] {
        let two = Two::new();
        let (pay, shop) = opened(&two);
        let paths = [RelPath::new("refunds.md").unwrap()];
        let planned = moving::plan(&pay, &shop, Way::Move, Some(&paths), &two.home.env).unwrap();
        let dir = if change_there { &two.shop } else { &two.pay };
        fs::write(dir.join(path), "theirs\n").unwrap();
        let before = two.stores();
        let error = pay.transfer(&shop, &planned, now()).unwrap_err();
        assert!(error.conflict, "{error}");
        assert!(error.what.contains("nothing was done"), "{error}");
        assert_eq!(error.what.contains("in /"), change_there, "{error}");
        assert_eq!(two.stores(), before);
    }
}

#[test]
fn lines_that_someone_appends_meanwhile_stay_in_both() {
    let two = Two::new();
    let (pay, shop) = opened(&two);
    let paths = [RelPath::new("refunds.md").unwrap()];
    let planned = moving::plan(&pay, &shop, Way::Move, Some(&paths), &two.home.env).unwrap();
    for dir in [&two.pay, &two.shop] {
        use std::io::Write;
        let mut index = File::options().append(true).open(dir.join("MEMORY.md")).unwrap();
        index.write_all(b"- [Theirs](theirs.md)\n").unwrap();
    }
    pay.transfer(&shop, &planned, now()).unwrap();
    assert_eq!(
        text(&two.pay, "MEMORY.md"),
        "# Index\n\n- [Small ones](commits.md) — small\n- [Theirs](theirs.md)\n"
    );
    assert!(text(&two.shop, "MEMORY.md").contains("- [Theirs](theirs.md)\n"));
    assert!(text(&two.shop, "MEMORY.md").contains("- [Refunds](refunds.md) — over 500\n"));
}

#[test]
fn a_half_that_is_not_the_last_step_any_more_is_told() {
    // In the store it came from: it comes back, and the copy stays.
    let two = Two::new();
    assert_eq!(two.pay(&["stores", "move", "refunds.md", "--to", "shop"]).status, 0);
    assert_eq!(two.shop(&["delete", "cart.md"]).status, 0);
    let undone = two.pay(&["undo"]);
    assert!(undone.status == 0 && undone.out.contains("too, and stays there"), "{undone:?}");
    assert!(two.pay.join("refunds.md").exists() && two.shop.join("refunds.md").exists());
    // Redoing takes it away again, since the copy is there.
    assert_eq!(two.pay(&["redo"]).status, 0);
    assert!(!two.pay.join("refunds.md").exists());
    // The copy goes: a redo would leave it in neither.
    assert_eq!(two.pay(&["undo"]).status, 0);
    assert_eq!(two.shop(&["delete", "refunds.md"]).status, 0);
    let refused = two.pay(&["redo"]);
    assert!(refused.status == 1 && refused.err.contains("it would be in neither store"), "{refused:?}");
    assert!(two.pay.join("refunds.md").exists());

    // In the store it went to: it would be in neither.
    let two = Two::new();
    assert_eq!(two.pay(&["stores", "move", "refunds.md", "--to", "shop"]).status, 0);
    assert_eq!(two.pay(&["delete", "commits.md"]).status, 0);
    let refused = two.shop(&["undo"]);
    assert!(refused.status == 1 && refused.err.contains("it would be in neither store"), "{refused:?}");
    assert!(two.shop.join("refunds.md").exists());
    // As soon as what was done since is undone, it goes.
    assert_eq!(two.pay(&["undo"]).status, 0);
    assert_eq!(two.shop(&["undo"]).status, 0);
    assert!(two.pay.join("refunds.md").exists() && !two.shop.join("refunds.md").exists());

    // The store it came from is gone.
    let two = Two::new();
    assert_eq!(two.pay(&["stores", "move", "refunds.md", "--to", "shop"]).status, 0);
    fs::remove_dir_all(&two.pay).unwrap();
    let refused = two.shop(&["undo"]);
    assert!(refused.status == 1 && refused.err.contains("it would be in neither store"), "{refused:?}");
}

#[test]
fn a_copy_that_was_changed_meanwhile_is_named_and_stays() {
    let two = Two::new();
    assert_eq!(two.pay(&["stores", "move", "refunds.md", "--to", "shop"]).status, 0);
    fs::write(two.shop.join("refunds.md"), "theirs\n").unwrap();
    let undone = two.pay(&["undo"]);
    assert_eq!(undone.status, 1, "{undone:?}");
    assert!(undone.out.contains("conflict") && undone.out.contains("changed"), "{undone:?}");
    assert_eq!(text(&two.pay, "refunds.md"), MEMORY);
    assert_eq!(text(&two.shop, "refunds.md"), "theirs\n");
}

#[test]
fn what_was_moved_counts_as_reviewed_in_both_stores() {
    let two = Two::new();
    let (pay, shop) = opened(&two);
    for store in [&pay, &shop] {
        store.start_review(Start::AsItIs, at(0)).unwrap();
    }
    let paths = [RelPath::new("refunds.md").unwrap()];
    let planned = moving::plan(&pay, &shop, Way::Move, Some(&paths), &two.home.env).unwrap();
    pay.transfer(&shop, &planned, at(1)).unwrap();
    let unreviewed =
        || [&pay, &shop].map(|store| store.unreviewed(&store.scan(&|_| {}).unwrap()).unwrap().unwrap().len());
    assert_eq!(unreviewed(), [0, 0]);
    pay.undo(at(2)).unwrap();
    assert_eq!(unreviewed(), [0, 0]);
}

#[test]
fn without_an_index_there_nothing_is_made_up() {
    let two = Two::new();
    let empty = two.home.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let done = two.pay(&["stores", "move", "refunds.md", "--to", empty.to_str().unwrap()]);
    assert!(done.status == 0 && done.out.contains("has no index (MEMORY.md)"), "{done:?}");
    assert_eq!(files(&empty).into_keys().collect::<Vec<_>>(), ["refunds.md"]);
    let made = two.run(&["index", "fix", "--add-orphans", "--store", empty.to_str().unwrap()]);
    assert_eq!(made.status, 0, "{made:?}");
    assert!(text(&empty, "MEMORY.md").contains("(refunds.md)"));
}

/// There and back again, both stores are as they were: bytes and times of memories, and the words of the index.
#[test]
fn there_and_back_both_stores_are_as_before() {
    for way_back in ["pay", "undo"] {
        let two = Two::new();
        let before = two.stores();
        for file in ["refunds.md", "commits.md"] {
            assert_eq!(two.pay(&["stores", "move", file, "--to", "shop"]).status, 0);
        }
        for file in ["commits.md", "refunds.md"] {
            let done = match way_back {
                "undo" => two.shop(&["undo"]),
                _ => two.shop(&["stores", "move", file, "--to", "pay"]),
            };
            assert_eq!(done.status, 0, "{done:?}");
        }
        for (tree, was) in two.stores().iter().zip(&before) {
            let lines = |tree: &Tree| {
                let index = String::from_utf8(tree["MEMORY.md"].0.clone()).unwrap();
                let mut lines: Vec<String> = index.lines().map(str::to_owned).collect();
                lines.sort();
                lines
            };
            let but_index = |tree: &Tree| {
                tree.iter()
                    .filter(|(path, _)| *path != "MEMORY.md")
                    .map(|(p, f)| (p.clone(), f.clone()))
                    .collect::<Tree>()
            };
            assert_eq!(but_index(tree), but_index(was), "{way_back}");
            assert_eq!(lines(tree), lines(was), "{way_back}");
        }
    }
}

#[test]
fn two_that_move_in_opposite_ways_do_not_wait_for_each_other() {
    let two = Two::new();
    let run = |args: &'static [&'static str], store: PathBuf| {
        let home = &two.home;
        move || home.run(&[args, &["--store", store.to_str().unwrap()]].concat())
    };
    for _ in 0..4 {
        let there = run(&["stores", "move", "refunds.md", "--to", "shop"], two.pay.clone());
        let here = run(&["stores", "move", "cart.md", "--to", "pay"], two.shop.clone());
        let (one, other) = std::thread::scope(|scope| {
            let (one, other) = (scope.spawn(there), scope.spawn(here));
            (one.join().unwrap(), other.join().unwrap())
        });
        // The later plan may be a moment too old: then nothing of it was done.
        for (done, gone, came) in [
            (&one, &two.pay.join("refunds.md"), &two.shop.join("refunds.md")),
            (&other, &two.shop.join("cart.md"), &two.pay.join("cart.md")),
        ] {
            assert!(!done.err.contains("another memcurator"), "{done:?}");
            assert_eq!((gone.exists(), came.exists()), (done.status != 0, done.status == 0), "{done:?}");
        }
        for store in [&two.pay, &two.shop] {
            while two.home.run(&["undo", "--store", store.to_str().unwrap()]).status == 0 {}
        }
        assert!(two.pay.join("refunds.md").exists() && two.shop.join("cart.md").exists());
    }
}

#[test]
fn the_list_names_agents_own_memories() {
    let two = Two::new();
    let stores = two.home.json(&["stores"]);
    let names: Vec<&str> =
        stores.as_array().unwrap().iter().map(|it| it["project"].as_str().unwrap()).collect();
    assert_eq!(names, [PAY, SHOP, "agent:tester"]);
    // The project's own store in the `.agent/` layout is called by its directory.
    let own = two.home.project().join(".agent/memory");
    two.write(&own, "own.md", COMMITS);
    let stores = two.home.json(&["stores"]);
    assert!(
        stores.as_array().unwrap().iter().any(|it| it["dir"] == own.to_str().unwrap()
            && it["project"] == own.parent().unwrap().to_str().unwrap())
    );
    let done = two.pay(&["stores", "copy", "refunds.md", "--to", own.to_str().unwrap()]);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(done.out.contains(&format!("copied Refunds to {}", own.display())), "{done:?}");
    let out = two.run(&["stores"]).out;
    assert!(out.contains("agent:tester"), "{out}");
}

/// Real stores, two and two: merged, nothing of the one is missing in the other; undone, all is as before.
#[test]
fn real_stores_merge_without_loss_and_back() {
    let Some(shared) = crate::shared() else { return };
    let mut stores: Vec<PathBuf> = fs::read_dir(shared.join("corpus"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    stores.sort();
    let copy = |from: &Path, to: &Path| {
        for (path, (bytes, time)) in files(from) {
            let path = to.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, bytes).unwrap();
            File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        }
    };
    let mut moved = 0;
    for pair in stores.chunks_exact(2).take(8) {
        let home = Home::empty();
        let (one, other) = (home.path().join("one"), home.path().join("other"));
        copy(&pair[0], &one);
        copy(&pair[1], &other);
        let before = [files(&one), files(&other)];
        let places = memcurator::store::Places::from_env(&home.env);
        let (from, to) = (Store::open(&one, &places).unwrap(), Store::open(&other, &places).unwrap());
        let Ok(planned) = moving::plan(&from, &to, Way::Move, None, &home.env) else { continue };
        let applied = from.transfer(&to, &planned, now()).unwrap();
        assert!(applied.conflicts.is_empty(), "{applied:?}");
        let there = files(&other);
        for passage in &planned.passages {
            let (was, is) = (&before[0][&passage.from.to_string()], &there[&passage.to.to_string()]);
            assert_eq!(was, is, "{}", passage.from);
            assert!(!one.join(passage.from.as_path()).exists());
        }
        moved += planned.passages.len();
        assert!(from.undo(now()).unwrap().unwrap().conflicts.is_empty());
        for (tree, was) in [files(&one), files(&other)].iter().zip(&before) {
            assert_eq!(but_index_time(tree), but_index_time(was));
        }
    }
    assert!(moved > 100, "{moved}");
}

// The screens.

/// The store of the kit on the screen, with two others in its agent home.
fn staged(size: (u16, u16)) -> (Kit, Stage, PathBuf) {
    let kit = Kit::new();
    let claude = kit.dir.path().join("home/.claude");
    let shop = claude.join("projects").join(SHOP).join("memory");
    fs::create_dir_all(&shop).unwrap();
    fs::write(shop.join("MEMORY.md"), "- [Cart](cart.md) — what is in it\n").unwrap();
    fs::write(shop.join("cart.md"), "---\nname: Cart\ntype: project\n---\n\nA cart.\n").unwrap();
    fs::create_dir_all(claude.join("agent-memory/tester")).unwrap();
    let stage = kit.stage(size);
    (kit, stage, shop)
}

fn message(stage: &Stage) -> String {
    stage.model().message.as_ref().map(|message| message.text.clone()).unwrap_or_default()
}

fn question(stage: &Stage) -> (String, Vec<String>) {
    match &stage.model().mode {
        Mode::Question(question) => (question.ask.clone(), question.lines.clone()),
        other => panic!("{other:?}\n{}", stage.text()),
    }
}

/// The command that takes back what was done in a store that is not open.
fn undo_in(store: &Path) -> String {
    format!("memcurator undo --store {}", store.canonicalize().unwrap().display())
}

/// The names and counts of the list of stores, and the one under the cursor.
fn listed(stage: &Stage) -> (BTreeMap<String, usize>, String) {
    let stores = &stage.model().stores;
    let counts =
        stores.shown().iter().map(|store| (store.slug.clone(), store.memories)).collect::<BTreeMap<_, _>>();
    (counts, stores.shown()[stores.cursor].slug.clone())
}

fn go(stage: &mut Stage, name: &str) {
    stage.press(&format!("/{name}<enter><esc>")).unwrap();
}

#[test]
fn m_asks_where_and_then_whether() {
    for size in [(80, 24), (120, 40)] {
        let (kit, mut stage, shop) = staged(size);
        let (before, there) = (kit.disk(), files(&shop));
        go(&mut stage, "prefer-small-commits");
        stage.press("M").unwrap();
        let text = stage.text();
        for part in [
            "Move prefer-small-commits to",
            SHOP,
            "agent:tester",
            "every project",
            "no store for all projects",
        ] {
            assert!(text.contains(part), "{part}:\n{text}");
        }
        // Esc closes; so does a no; nothing is changed.
        stage.press("<esc>").unwrap();
        assert_eq!(stage.model().mode, Mode::Browse);
        stage.press("Mshop<enter>").unwrap();
        let (ask, lines) = question(&stage);
        assert_eq!(ask, format!("Move this memory to {SHOP}?"));
        assert_eq!(
            lines,
            [
                "▲ integration-tests.md stays, and its link to `small-commits` will lead nowhere",
                "▲ project_refunds.md stays, and its link to `small-commits.md` will lead nowhere",
                "prefer-small-commits → small-commits.md; index there: - [Small commits](small-commits.md) — one thing each",
            ]
        );
        assert!(stage.text().contains("small-commits.md"), "{}", stage.text());
        stage.press("<enter>").unwrap();
        assert!(matches!(stage.model().mode, Mode::Question(_)), "Enter does nothing");
        stage.press("n").unwrap();
        assert_eq!(message(&stage), "nothing was changed");
        stage.press("Mshop<enter><esc>").unwrap();
        assert_eq!((kit.disk(), files(&shop)), (before.clone(), there.clone()));
        // Yes.
        stage.press("Mshop<enter>y").unwrap();
        assert_eq!(message(&stage), format!("moved prefer-small-commits to {SHOP}, u undoes"));
        assert!(!kit.disk().contains_key("small-commits.md"));
        assert!(!kit.index().contains("small-commits"));
        assert!(shop.join("small-commits.md").exists());
        assert!(
            stage.model().open().unwrap().contents.find(&RelPath::new("small-commits.md").unwrap()).is_none()
        );
        let stores = stage.model().stores.found.as_ref().unwrap();
        assert_eq!(stores.iter().find(|store| store.slug == SHOP).unwrap().memories, 2, "the list follows");
        stage.press("u").unwrap();
        assert_eq!(
            message(&stage),
            format!("undid: moved prefer-small-commits to {SHOP}, <c-r> redoes").replace("<c-r>", "Ctrl-R")
        );
        assert_eq!(kit.disk(), before);
        assert_eq!(but_index_time(&files(&shop)), but_index_time(&there));
        stage.press("<c-r>").unwrap();
        assert!(shop.join("small-commits.md").exists() && !kit.disk().contains_key("small-commits.md"));
    }
}

#[test]
fn marks_win_and_tab_copies() {
    let (kit, mut stage, shop) = staged((120, 40));
    let before = kit.disk();
    stage.press("/odd<enter><space><esc>/editor<enter><space><esc>").unwrap();
    stage.press("M<tab>").unwrap();
    assert!(stage.text().contains("Copy 2 memories to"), "{}", stage.text());
    // The first row is no store: promoting takes away, and one at a time.
    stage.press("<up><enter>").unwrap();
    assert_eq!(message(&stage), "the memory would go: move it there");
    stage.press("<tab><enter>").unwrap();
    assert_eq!(message(&stage), "one memory is promoted at a time");
    stage.press("<tab>shop<enter>y").unwrap();
    assert_eq!(message(&stage), format!("copied 2 memories to {SHOP}, `{}` undoes", undo_in(&shop)));
    assert_eq!(kit.disk(), before);
    assert!(shop.join("odd.md").exists() && shop.join("user_editor.md").exists());
    // Again: they are there already, and the window stays with the reason.
    stage.press("M<tab>shop<enter>").unwrap();
    assert!(message(&stage).contains("already, byte for byte"), "{}", message(&stage));
    assert!(matches!(stage.model().mode, Mode::Moving(_)));
}

#[test]
fn what_holds_everywhere_is_promoted() {
    let (kit, mut stage, _) = staged((120, 40));
    let before = kit.disk();
    go(&mut stage, "prefer-small-commits");
    stage.press("Mevery<enter>").unwrap();
    let sheet = stage.model().sheet.as_ref().unwrap();
    assert_eq!(sheet.text_of("To"), "your own CLAUDE.md");
    assert!(stage.text().contains("sessions in every project load it"), "{}", stage.text());
    assert!(stage.text().contains("home/.claude/CLAUDE.md"), "{}", stage.text());
    stage.press("<esc>").unwrap();
    assert_eq!(kit.disk(), before);
    stage.press("M<up><enter><c-s>y").unwrap();
    let own = fs::read_to_string(kit.dir.path().join("home/.claude/CLAUDE.md")).unwrap();
    assert!(own.contains("One commit does one thing."), "{own}");
    assert!(!kit.disk().contains_key("small-commits.md"));
}

#[test]
fn the_open_store_is_greyed_with_why() {
    let kit = Kit::new();
    let mut session = kit.session("");
    let slug = kit.dir.path().join("home/.claude/projects").join(PAY);
    fs::create_dir_all(&slug).unwrap();
    symlink(kit.store(), slug.join("memory")).unwrap();
    if let memcurator::shell::Start::Store(located) = &mut session.start {
        located.dir = slug.join("memory");
    }
    let mut stage = Stage::open(&session, (120, 40)).unwrap();
    stage.press("M").unwrap();
    assert!(stage.text().contains("it is there already"), "{}", stage.text());
    stage.press("<down><enter>").unwrap();
    assert_eq!(message(&stage), "it is there already");
    stage.press("zzz").unwrap();
    assert!(stage.text().contains("No place is called so."), "{}", stage.text());
    stage.press("<enter>").unwrap();
    assert_eq!(message(&stage), "no place is called so; nothing was changed");
}

#[test]
fn on_the_stores_a_store_is_merged_into_another() {
    let (kit, mut stage, shop) = staged((120, 40));
    let agent = kit.dir.path().join("home/.claude/agent-memory/tester");
    fs::write(agent.join("MEMORY.md"), "").unwrap();
    let before = files(&shop);
    stage.press("5/shop<enter>M").unwrap();
    assert!(stage.text().contains(&format!("Merge {SHOP} into")), "{}", stage.text());
    assert!(!stage.text().contains("every project"), "{}", stage.text());
    stage.press("<tab>").unwrap();
    assert!(
        message(&stage).ends_with("a store is merged by moving: nothing of it stays"),
        "{}",
        message(&stage)
    );
    assert!(!stage.text().contains("move or copy  "), "{}", stage.text());
    for no in ["n", "<esc>"] {
        stage.press("tester<enter>").unwrap();
        let (ask, lines) = question(&stage);
        assert_eq!(ask, format!("Merge {SHOP} into agent:tester?"));
        assert_eq!(lines, ["Cart → cart.md; index there: - [Cart](cart.md) — what is in it"]);
        stage.press(no).unwrap();
        assert_eq!(files(&shop), before);
        stage.press("M").unwrap();
    }
    stage.press("tester<enter>y").unwrap();
    assert_eq!(message(&stage), format!("moved Cart to agent:tester, `{}` undoes", undo_in(&agent)));
    assert!(agent.join("cart.md").exists() && !shop.join("cart.md").exists());
    // An empty one has nothing to merge.
    stage.press("M").unwrap();
    assert!(message(&stage).contains("holds no memories"), "{}", message(&stage));
}

/// The store of the screens where the agent home has it, so that the list of stores does too.
fn staged_at_home() -> (Kit, Stage, PathBuf, PathBuf) {
    let (kit, _, shop) = staged((120, 40));
    let mut session = kit.session("");
    let pay = kit.dir.path().join("home/.claude/projects").join(PAY).join("memory");
    fs::create_dir_all(&pay).unwrap();
    for (path, (bytes, _)) in files(&kit.store()) {
        let path = pay.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    if let memcurator::shell::Start::Store(located) = &mut session.start {
        located.dir = pay.clone();
    }
    let stage = Stage::open(&session, (120, 40)).unwrap();
    (kit, stage, pay, shop)
}

#[test]
fn on_the_stores_u_takes_a_merge_back_and_the_list_follows() {
    let (_kit, mut stage, pay, shop) = staged_at_home();
    let (before, there) = (files(&pay), files(&shop));
    stage.press("5").unwrap();
    let (counts, _) = listed(&stage);
    let all = counts[PAY];
    assert!(all > 1 && counts[SHOP] == 1, "{counts:?}");
    stage.press(&format!("/{PAY}<enter>Mshop<enter>")).unwrap();
    let (_, lines) = question(&stage);
    assert!(lines[0].starts_with(&format!("{all} memories, ")), "{lines:?}");
    assert!(lines[0].ends_with(" lines of the index"), "{lines:?}");
    let last_note = lines.iter().rposition(|line| line.starts_with("▲ ")).unwrap();
    let first = lines.iter().position(|line| line.contains(" → ")).unwrap();
    assert!(last_note < first && first > 1, "what there is to know comes first: {lines:?}");
    stage.press("y<esc>").unwrap();
    assert!(files(&shop).len() > there.len());
    for (keys, counts) in [("", [0, all + 1]), ("u", [all, 1]), ("<c-r>", [0, all + 1]), ("u", [all, 1])] {
        stage.press(keys).unwrap();
        if keys == "u" {
            assert!(message(&stage).starts_with("undid: moved"), "{}", message(&stage));
            assert_eq!(but_index_time(&files(&pay)).len(), before.len());
        }
        let (now, _) = listed(&stage);
        assert_eq!([now[PAY], now[SHOP]], counts, "{keys}:\n{}", stage.text());
    }
    assert_eq!(stage.model().screen, memcurator::app::model::Screen::Stores);
}

#[test]
fn the_list_of_stores_follows_what_others_do() {
    let (_kit, mut stage, pay, shop) = staged_at_home();
    stage.press(&format!("5/{PAY}<enter><esc>")).unwrap();
    let (counts, _) = listed(&stage);
    let all = counts[PAY];
    // Deleted here, then shown again.
    stage.press("1/odd<enter><esc>d5").unwrap();
    assert_eq!(listed(&stage).0[PAY], all - 1, "{}", stage.text());
    // By another program: F5. The cursor stays on its store, though that one moves in the list.
    let (_, at) = listed(&stage);
    for (store, name) in [(&shop, "new.md"), (&pay, "newer.md")] {
        fs::write(store.join(name), COMMITS).unwrap();
        stage.press("<f5>").unwrap();
        assert_eq!(listed(&stage).1, at);
    }
    let (counts, _) = listed(&stage);
    assert_eq!([counts[PAY], counts[SHOP]], [all, 2], "{}", stage.text());
}

#[test]
fn without_an_open_store_u_says_why_and_f5_looks_again() {
    let (kit, _, _) = staged((120, 40));
    let mut stage = Stage::open(&kit.stores_session(), (120, 40)).unwrap();
    stage.press("u").unwrap();
    assert!(message(&stage).ends_with("no store is open"), "{}", message(&stage));
    stage.press("<f5>").unwrap();
    assert_eq!(listed(&stage).0[SHOP], 1);
}

#[test]
fn the_one_that_is_marked_is_promoted_wherever_the_cursor_is() {
    let (_kit, mut stage, _) = staged((120, 40));
    stage.press("/prefer-small-commits<enter><space><esc>G").unwrap();
    let is_index = |stage: &Stage| stage.model().current().is_some_and(|it| it.name.contains("MEMORY.md"));
    assert!(is_index(&stage), "{:?} {}", stage.model().current().map(|it| &it.name), stage.text());
    stage.press("M").unwrap();
    assert!(!stage.text().contains("follows by itself"), "{}", stage.text());
    stage.press("<up><enter>").unwrap();
    let sheet = stage.model().sheet.as_ref().unwrap_or_else(|| panic!("{}", stage.text()));
    assert_eq!(sheet.text_of("To"), "your own CLAUDE.md");
    assert!(sheet.text_of("Text").contains("One commit does one thing."), "{}", stage.text());
}

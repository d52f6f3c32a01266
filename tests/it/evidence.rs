//! What the evidence engine tells of real, small repositories.

use crate::evidence_kit::{Repo, fate, look, options, vanished, wanted};
use memcurator::check::project::{Reach, Text, Wanted};
use memcurator::evidence::{self, LookError, Options, Progress};
use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

fn text(name: &str) -> String {
    (0..20).map(|line| format!("line {line} of {name}\n")).collect()
}

#[test]
fn files_are_listed_as_git_would() {
    let repo = Repo::new();
    repo.write(".gitignore", "target/\n*.log\n");
    repo.write("sub/.gitignore", "!keep.log\nmade.rs\n");
    for path in
        ["src/a.rs", ".github/ci.yml", "target/x.rs", "b.log", "sub/keep.log", "sub/made.rs", ".ignore"]
    {
        repo.write(path, "a.rs\n");
    }
    repo.git(&["add", "-f", "b.log"]);
    let listed =
        [".github/ci.yml", ".gitignore", ".ignore", "b.log", "src/a.rs", "sub/.gitignore", "sub/keep.log"];
    assert_eq!(
        *repo.look(&Wanted::default()).files,
        listed,
        "what is kept though it is ignored is listed too"
    );
    fs::remove_dir_all(repo.root.join(".git")).unwrap();
    let listed: Vec<_> = listed.into_iter().filter(|path| *path != "b.log").collect();
    assert_eq!(*repo.look(&Wanted::default()).files, listed, "the rules hold without a repository");
    fs::write(repo.top.join(".gitignore"), "*").unwrap();
    assert_eq!(*repo.look(&Wanted::default()).files, listed, "those above do not");
}

#[test]
fn literals_are_found_in_code_first() {
    let repo = Repo::new();
    repo.write("README.md", "`settle_batch` and --dry-run, LEDGER_URL\n");
    repo.write("src/z.py", "\n\ndef settle_batch():\n    os.environ['LEDGER_URL']\n");
    repo.write("CLAUDE.md", "only_here --only-here\n");
    repo.write(".claude/rules/a.md", "only_here\n");
    repo.write("memory/a.py", "only_here\n");
    repo.write("docs/how.md", "only_here\n");
    let options = Options { exclude: vec![repo.root.join("memory")], ..options() };
    let wanted =
        wanted(&["settle_batch", "only_here", "nowhere"], &["--dry-run", "--only-here"], &["LEDGER_URL"]);
    let instructions = vec![Text { path: "docs/how.md".into(), text: "only_here\n".into() }];
    let cancel = AtomicBool::new(false);
    let project =
        evidence::look(&repo.root, &wanted, instructions.clone(), &options, &|_| (), &cancel).unwrap();
    let places = |literal: &str| -> Vec<String> {
        let places = project.places.get(literal).into_iter().flatten();
        places.map(|place| format!("{}:{} {}", place.path, place.line, place.is_prose)).collect()
    };
    assert_eq!(places("settle_batch"), ["src/z.py:3 false", "README.md:1 true"]);
    assert_eq!(places("LEDGER_URL"), ["src/z.py:4 false", "README.md:1 true"]);
    assert_eq!(places("--dry-run"), ["README.md:1 true"]);
    assert_eq!(project.places.len(), 3, "instructions and stores keep nothing alive: {:?}", project.places);
    assert_eq!(project.instructions, instructions);
    assert!(project.files.contains(&"CLAUDE.md".to_owned()));
}

#[test]
fn manifests_and_readmes_are_given_whole() {
    let repo = Repo::new();
    for path in
        ["packages/web/package.json", "Cargo.toml", "README.md", "src/a.rs", "docs/index.md", "docs/b.md"]
    {
        repo.write(path, path);
    }
    repo.write("packages/big/package.json", "x".repeat(300 << 10));
    let project = repo.look(&Wanted::default());
    let texts: Vec<_> = project.texts.iter().map(|text| (text.path.as_str(), text.text.as_str())).collect();
    let whole = |path: &'static str| (path, path);
    assert_eq!(texts, ["Cargo.toml", "README.md", "docs/index.md", "packages/web/package.json"].map(whole));
}

#[test]
fn paths_that_went() {
    let mut repo = Repo::new();
    for path in ["gone.rs", "moved.rs", "old/a.rs", "old/b.rs", "back.rs", "lib/x/one.rs", "same/one.txt"] {
        repo.write(path, text(path));
    }
    repo.commit("start");
    repo.remove("gone.rs");
    repo.remove("back.rs");
    repo.commit("remove");
    repo.git(&["mv", "moved.rs", "second.rs"]);
    repo.commit("move once");
    repo.write("back.rs", text("back.rs"));
    repo.git(&["mv", "second.rs", "third.rs"]);
    repo.commit("move twice");
    fs::create_dir(repo.root.join("new")).unwrap();
    repo.git(&["mv", "old", "new/home"]);
    repo.commit("move a directory");
    repo.remove("lib/x/one.rs");
    repo.commit("remove a directory");
    let project = repo.look_both(&Wanted::default());
    for (path, expected) in [
        ("gone.rs", "removed: remove"),
        ("back.rs", "unknown"),
        ("moved.rs", "moved to third.rs: move once"),
        ("second.rs", "moved to third.rs: move twice"),
        ("old/a.rs", "moved to new/home/a.rs: move a directory"),
        ("old", "moved to new/home: move a directory"),
        ("lib", "removed: remove a directory"),
        ("lib/x", "removed: remove a directory"),
        ("same", "unknown"),
        ("never.rs", "unknown"),
    ] {
        assert_eq!(fate(&project, path), expected, "{path}");
    }
    assert_eq!(project.history.reach, Reach::Whole);
    let subjects: Vec<_> = project.history.commits.iter().map(|commit| commit.subject.as_str()).collect();
    let expected = ["remove a directory", "move a directory", "move twice", "move once", "remove", "start"];
    assert_eq!(subjects, expected);
}

#[test]
fn moves_are_found_though_the_configuration_forbids_it() {
    let mut repo = Repo::new();
    repo.write("a.rs", text("a"));
    repo.write("copy/a.rs", text("a"));
    repo.commit("start");
    for (key, value) in [("diff.renames", "false"), ("diff.renameLimit", "1"), ("status.renames", "false")] {
        repo.git(&["config", key, value]);
    }
    repo.remove("copy/a.rs");
    fs::create_dir(repo.root.join("src")).unwrap();
    repo.git(&["mv", "a.rs", "src/a.rs"]);
    repo.commit("move and remove the copy");
    let project = repo.look_both(&Wanted::default());
    assert_eq!(fate(&project, "a.rs"), "moved to src/a.rs: move and remove the copy");
    assert_eq!(fate(&project, "copy/a.rs"), "moved to src/a.rs: move and remove the copy");
}

#[test]
fn a_project_in_a_subdirectory_of_its_repository() {
    let mut repo = Repo::new();
    for path in ["apps/pay/a.rs", "apps/pay/b.rs", "apps/pay/keep.rs", "apps/web/c.rs"] {
        repo.write(path, format!("fn in_{}() {{}}\n", path.replace(['/', '.'], "_")) + &text(path));
    }
    repo.commit("start");
    repo.git(&["mv", "apps/pay/a.rs", "apps/pay/z.rs"]);
    repo.git(&["mv", "apps/pay/b.rs", "apps/web/b.rs"]);
    repo.remove("apps/web/c.rs");
    repo.commit("change");
    repo.root = repo.root.join("apps/pay");
    let wanted = wanted(&["in_apps_web_c_rs", "in_apps_pay_b_rs", "in_apps_pay_a_rs"], &[], &[]);
    let project = repo.look_both(&wanted);
    assert_eq!(*project.files, ["keep.rs", "z.rs"]);
    assert_eq!(fate(&project, "a.rs"), "moved to z.rs: change");
    assert_eq!(fate(&project, "b.rs"), "moved to ../web/b.rs: change");
    assert_eq!(project.history.paths.len(), 2);
    assert_eq!(vanished(&project, "in_apps_web_c_rs"), "unknown", "it is none of this project's");
    assert!(project.places.contains_key("in_apps_pay_a_rs"));
}

#[test]
fn literals_that_went_are_found_where_they_went_last() {
    let mut repo = Repo::new();
    repo.write("a.rs", "fn twice() {}\n  fn renamed_away(x: u32) {}\nimpl Ledger { fn open() {} }\n");
    repo.write("cli.rs", "use clap;\n#[arg(long)]\ndry_run: bool, other: bool,\n");
    repo.write("conf.toml", "[cache]\nttl = 3\nurl = \"$LEDGER_URL\"\n");
    repo.write("notes.md", "in_prose\n");
    repo.write("whole.rs", "fn went_with_its_file() {}\n");
    repo.commit("start");
    repo.write("a.rs", "fn renamed_to(x: u32) {}\nimpl Ledger { fn close() {} }\n");
    repo.write("cli.rs", "use clap;\nother: bool,\n");
    repo.write("conf.toml", "[cache]\nurl = 1\n");
    repo.write("notes.md", "`renamed_away`\n");
    repo.commit("take out");
    repo.write("b.rs", "fn twice() {}\n");
    repo.commit("bring back");
    repo.remove("b.rs");
    repo.remove("whole.rs");
    repo.commit("take out again");
    let wanted = wanted(
        &[
            "twice",
            "renamed_away",
            "Ledger::open",
            "in_prose",
            "went_with_its_file",
            "renamed_to",
            "never_was",
        ],
        &["--dry-run", "--other", "--never"],
        &["cache.ttl", "LEDGER_URL"],
    );
    let project = repo.look_both(&wanted);
    for (literal, expected) in [
        ("twice", "take out again: b.rs: fn twice() {}"),
        ("renamed_away", "take out: a.rs: fn renamed_away(x: u32) {}"),
        ("Ledger::open", "take out: a.rs: impl Ledger { fn open() {} }"),
        ("in_prose", "unknown"),
        ("went_with_its_file", "take out again: whole.rs: fn went_with_its_file() {}"),
        ("renamed_to", "unknown"),
        ("never_was", "unknown"),
        ("--dry-run", "take out: cli.rs: dry_run: bool, other: bool,"),
        ("--other", "unknown"),
        ("--never", "unknown"),
        ("cache.ttl", "take out: conf.toml: ttl = 3"),
        ("LEDGER_URL", "take out: conf.toml: url = \"$LEDGER_URL\""),
    ] {
        assert_eq!(vanished(&project, literal), expected, "{literal}");
    }
}

/// Of the lines of one commit the one that defines it is kept, wherever the first one is.
#[test]
fn the_line_that_defines_it_is_kept() {
    let mut repo = Repo::new();
    repo.write("a_caller.rs", "fn run() { settle_all(1); }\n");
    repo.write(
        "b.rs",
        "// settle_all does it.\nfn other() { settle_all(2); }\npub fn settle_all(x: u32) {}\n",
    );
    repo.write("c.sql", "SELECT close_month(1);\nCREATE FUNCTION close_month(m integer) RETURNS integer;\n");
    repo.write("cli.ts", "import yargs from 'yargs';\n// the option 'late-fee'\n.option('late-fee', {})\n");
    repo.commit("start");
    repo.write("a_caller.rs", "fn run() {}\n");
    repo.write("b.rs", "fn other() {}\n");
    repo.remove("c.sql");
    repo.write("cli.ts", "import yargs from 'yargs';\n");
    repo.commit("take out");
    let project = repo.look_both(&wanted(&["settle_all", "close_month"], &["--late-fee"], &[]));
    for (literal, expected) in [
        ("settle_all", "take out: b.rs: pub fn settle_all(x: u32) {}"),
        ("close_month", "take out: c.sql: CREATE FUNCTION close_month(m integer) RETURNS integer;"),
        ("--late-fee", "take out: cli.ts: .option('late-fee', {})"),
    ] {
        assert_eq!(vanished(&project, literal), expected, "{literal}");
    }
}

/// The younger commit still has the word on its own line of history; the older one, merged later, took it out.
#[test]
fn merges_do_not_mislead() {
    let mut repo = Repo::new();
    repo.write("a.rs", format!("fn old_name() {{}}\n{}", text("a")));
    repo.write("b.rs", text("b"));
    repo.commit("start");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("a.rs", format!("fn new_name() {{}}\n{}", text("a")));
    repo.remove("b.rs");
    repo.commit("take out on the side");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("a.rs", format!("fn old_name() {{}}\n{}more\n", text("a")));
    repo.commit("go on");
    repo.git(&["merge", "-q", "--no-commit", "side"]);
    repo.commit("merge");
    let project = repo.look_both(&wanted(&["old_name"], &[], &[]));
    assert_eq!(vanished(&project, "old_name"), "take out on the side: a.rs: fn old_name() {}");
    assert_eq!(fate(&project, "b.rs"), "removed: take out on the side");
}

#[test]
fn a_file_that_only_a_merge_removed() {
    let mut repo = Repo::new();
    repo.write("a.rs", text("a"));
    repo.write("b.rs", text("b"));
    repo.commit("start");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("b.rs", text("other"));
    repo.commit("side");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("a.rs", text("more"));
    repo.commit("main");
    repo.git(&["merge", "-q", "--no-commit", "side"]);
    repo.remove("a.rs");
    repo.commit("merge");
    assert_eq!(fate(&repo.look(&Wanted::default()), "a.rs"), "removed: merge");
}

#[test]
fn what_is_only_uncommitted_is_no_news_of_the_history() {
    let mut repo = Repo::new();
    repo.write("a.rs", text("a"));
    repo.write("b.rs", text("b"));
    repo.commit("start");
    repo.remove("a.rs");
    repo.commit("remove");
    repo.write("a.rs", text("a"));
    repo.commit("bring back");
    repo.remove("a.rs");
    let project = repo.look_both(&Wanted::default());
    assert_eq!(fate(&project, "a.rs"), "unknown");
    assert_eq!(*project.files, ["b.rs"]);
    repo.commit("stop keeping");
    repo.write(".gitignore", "a.rs");
    repo.write("a.rs", text("a"));
    assert_eq!(fate(&repo.look(&Wanted::default()), "a.rs"), "unknown", "it is there, though ignored");
}

#[test]
fn without_a_history_a_note_says_why() {
    let note = |repo: &Repo| {
        let project = repo.look_both(&Wanted::default());
        assert_eq!(project.history.reach, Reach::None);
        project.notes.join("; ")
    };
    assert_eq!(note(&Repo::bare_directory()), "no history: it is in no git repository");
    assert_eq!(note(&Repo::new()), "no history: its repository has no commit yet");
    let missing = Repo::bare_directory().root;
    let error = look(&missing, &Wanted::default(), &options()).unwrap_err();
    assert!(matches!(&error, LookError::Unreadable(words) if words.contains("project")), "{error}");
}

#[test]
fn a_shallow_clone_says_how_far_it_goes() {
    let mut repo = Repo::new();
    for number in 0..4 {
        repo.write("a.rs", text(&number.to_string()));
        repo.commit(&format!("number {number}"));
    }
    let from = format!("file://{}", repo.root.display());
    repo.git(&["clone", "-q", "--depth", "2", &from, "../shallow"]);
    repo.root = repo.top.join("shallow");
    let project = repo.look_both(&Wanted::default());
    assert_eq!(project.history.commits.len(), 2);
    assert_eq!(project.history.reach, Reach::Until(project.history.commits[1].date));
}

#[test]
fn the_second_look_reads_what_is_new() {
    let mut repo = Repo::new();
    repo.write("a.rs", "fn one() {}\nfn two() {}\nfn three() {}\n");
    repo.commit("start");
    repo.write("a.rs", "fn two() {}\nfn three() {}\n");
    repo.commit("take out one");
    let cache = repo.top.join("cache/evidence");
    let options = Options { cache: Some(cache.clone()), ..options() };
    let asked = wanted(&["one", "two", "three", "never"], &[], &[]);
    let read = |repo: &Repo, asked: &Wanted| {
        let commits = Mutex::new(0);
        let progress = |progress| {
            if let Progress::History { commits: count, .. } = progress {
                *commits.lock().unwrap() = count;
            }
        };
        let project =
            evidence::look(&repo.root, asked, Vec::new(), &options, &progress, &AtomicBool::new(false))
                .unwrap();
        let anew = repo.look(asked);
        assert_eq!(project.history.last_seen, anew.history.last_seen);
        assert_eq!(project.history.paths, anew.history.paths);
        assert_eq!(project.history.commits, anew.history.commits);
        assert_eq!(project.history.reach, anew.history.reach);
        project
    };
    let first = read(&repo, &asked);
    assert_eq!(vanished(&first, "one"), "take out one: a.rs: fn one() {}");
    let kept = fs::read_dir(&cache).unwrap().next().unwrap().unwrap().path();
    let mode = |path: &std::path::Path| {
        std::os::unix::fs::PermissionsExt::mode(&fs::metadata(path).unwrap().permissions())
    };
    assert_eq!((mode(&cache) & 0o777, mode(&kept) & 0o777), (0o700, 0o600));
    read(&repo, &asked);
    repo.git(&["mv", "a.rs", "b.rs"]);
    repo.write("b.rs", "fn three() {}\n");
    repo.commit("move, and take out two");
    let more = read(&repo, &asked);
    assert_eq!(vanished(&more, "two"), "move, and take out two: a.rs: fn two() {}");
    assert_eq!(vanished(&more, "one"), "take out one: a.rs: fn one() {}");
    read(&repo, &wanted(&["one", "asked_later"], &[], &[]));
    repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
    read(&repo, &asked);
    for damage in ["", "{}", "{\"version\":1}", "\u{0}"] {
        fs::write(&kept, damage).unwrap();
        read(&repo, &asked);
    }
}

#[test]
fn without_time_it_says_how_far_it_came() {
    let mut repo = Repo::new();
    for number in 0..30 {
        repo.write("a.rs", format!("fn number_{number}() {{}}\n"));
        repo.commit("next");
    }
    let wanted = wanted(&["number_3"], &[], &[]);
    let none = look(&repo.root, &wanted, &Options { budget: Duration::ZERO, ..options() }).unwrap();
    assert_eq!(none.history.reach, Reach::None);
    assert_eq!(none.notes, ["no history: the time for it was up"]);
    assert_eq!(vanished(&repo.look(&wanted), "number_3"), "next: a.rs: fn number_3() {}");
}

#[test]
fn a_look_can_be_cancelled_at_every_stage() {
    let mut repo = Repo::new();
    for number in 0..300 {
        repo.write(&format!("src/f{number}.rs"), format!("fn number_{number}() {{}}\n"));
    }
    repo.commit("start");
    repo.git(&["rm", "-rq", "src"]);
    repo.commit("remove");
    for number in 0..200 {
        repo.write(&format!("lib/f{number}.rs"), "\n");
    }
    repo.commit("other");
    let wanted = wanted(&["number_3", "never"], &[], &[]);
    let stages = Mutex::new(Vec::new());
    let note = |progress: Progress| stages.lock().unwrap().push(progress);
    evidence::look(&repo.root, &wanted, Vec::new(), &options(), &note, &AtomicBool::new(false)).unwrap();
    let stages = stages.into_inner().unwrap();
    assert!(stages.iter().any(|stage| matches!(stage, Progress::Reading { .. })), "{stages:?}");
    assert!(stages.iter().any(|stage| matches!(stage, Progress::Searching { .. })), "{stages:?}");
    for at in [
        |progress: &Progress| matches!(progress, Progress::Reading { .. }),
        |progress: &Progress| matches!(progress, Progress::Searching { .. }),
    ] {
        let cancel = AtomicBool::new(false);
        let note = |progress: Progress| cancel.store(at(&progress), Ordering::Relaxed);
        let begin = Instant::now();
        let ended = evidence::look(&repo.root, &wanted, Vec::new(), &options(), &note, &cancel);
        assert!(begin.elapsed() < Duration::from_secs(5));
        if cancel.load(Ordering::Relaxed) {
            assert_eq!(ended.unwrap_err(), LookError::Cancelled);
        }
    }
    let begin = Instant::now();
    let ended = evidence::look(&repo.root, &wanted, Vec::new(), &options(), &|_| (), &AtomicBool::new(true));
    assert_eq!(ended.unwrap_err(), LookError::Cancelled);
    assert!(begin.elapsed() < Duration::from_secs(5));
}

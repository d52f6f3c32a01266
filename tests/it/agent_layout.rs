//! The layout `.agent/`: laying it out, what agents leave in `pending/`, and the whole loop on it, by command and by key.

use crate::home::Home;
use crate::screen_kit::now;
use memcurator::prompt::locate::{Layout, Located};
use memcurator::prompt::port::Environment;
use memcurator::prompt::subject::{Subject, Usual};
use memcurator::shell::{Clock, Session, Stage, Start};
use memcurator::store::Places;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

const TEA: &str =
    "---\nname: Tea\ndescription: Tea in the afternoon\ntype: user\n---\n\nTea in the afternoon.\n";
const LINTER: &str = "---\nname: Linter\ndescription: The checker runs before a commit\ntype: feedback\nreason: The pipeline is slow\n\
     application: Every commit\n---\n\nRun the linter before each commit.\n";

/// A project that is laid out.
fn laid_out() -> Home {
    let home = Home::empty();
    let done = home.run(&["init"]);
    assert_eq!(done.status, 0, "{done:?}");
    home
}

fn at(home: &Home, path: &str) -> PathBuf {
    home.project().join(path)
}

fn read(home: &Home, path: &str) -> String {
    fs::read_to_string(at(home, path)).unwrap()
}

fn put(home: &Home, path: &str, text: &str) {
    let path = at(home, path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// The files of the project with their bytes.
fn project(home: &Home) -> BTreeMap<String, Vec<u8>> {
    crate::home::files(home.project()).into_iter().map(|(path, (bytes, _))| (path, bytes)).collect()
}

#[test]
fn init_makes_what_is_missing_and_undo_takes_it_back() {
    let home = Home::empty();
    fs::create_dir(at(&home, "src")).unwrap();
    let done = home.run(&["init", "--dry-run"]);
    assert_eq!((done.status, project(&home).len()), (0, 0), "{done:?}");
    assert!(
        done.out.contains("would make  .agent/memory/MEMORY.md") && done.out.contains("nothing was written")
    );
    // From below, it is the repository's root.
    let done = home.run_in(&at(&home, "src"), &["init"]);
    assert_eq!(done.status, 0, "{done:?}");
    let made = project(&home);
    let paths: Vec<&str> = made.keys().map(String::as_str).collect();
    assert_eq!(
        paths,
        [".agent/memory/MEMORY.md", ".agent/pending/.gitkeep", ".agent/rules/.gitkeep", "AGENT.md"]
    );
    assert_eq!(fs::metadata(at(&home, "AGENT.md")).unwrap().permissions().mode() & 0o777, 0o644);
    let again = home.run(&["init"]);
    assert!(
        again.out.contains("everything is there; nothing was written")
            && again.out.contains("was there  AGENT.md")
    );
    assert_eq!(project(&home), made);
    assert_eq!(home.run(&["undo"]).status, 0);
    assert_eq!(project(&home).len(), 0);
    assert_eq!(home.run(&["redo"]).status, 0);
    assert_eq!(project(&home), made);
    // It is well as it is, and sessions load it.
    assert_eq!(home.run(&["check"]).status, 0);
    let preview = home.json(&["preview"]);
    let loaded: Vec<&str> =
        preview["sections"].as_array().unwrap().iter().filter_map(|it| it["path"].as_str()).collect();
    assert!(
        loaded[0].ends_with("/AGENT.md") && loaded[1].ends_with("/.agent/memory/MEMORY.md"),
        "{loaded:?}"
    );
}

#[test]
fn init_changes_nothing_that_is_there() {
    let home = Home::empty();
    put(&home, ".agent/AGENT.md", "mine");
    put(&home, ".agent/rules/a.md", "a rule");
    put(&home, ".agent/memory/tea.md", TEA);
    let done = home.json(&["init"]);
    let results: Vec<String> = done["paths"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| format!("{} {}", it["result"].as_str().unwrap(), it["path"].as_str().unwrap()))
        .collect();
    assert_eq!(
        results,
        [
            "was there .agent/AGENT.md",
            "made .agent/memory/MEMORY.md",
            "was there .agent/rules/",
            "made .agent/pending/"
        ]
    );
    assert_eq!(
        read(&home, ".agent/memory/MEMORY.md"),
        "# Memories\n\n## user\n\n- [Tea](tea.md) — Tea in the afternoon\n"
    );
    assert_eq!(
        (read(&home, ".agent/AGENT.md").as_str(), read(&home, ".agent/rules/a.md").as_str()),
        ("mine", "a rule")
    );
    assert!(!at(&home, ".agent/rules/.gitkeep").exists() && !at(&home, "AGENT.md").exists());
    // An index that is odd is there all the same.
    put(&home, ".agent/memory/MEMORY.md", "\u{feff}- [Tea](tea.md)\r\n  > since spring\r\n");
    let before = project(&home);
    assert_eq!(home.run(&["init"]).status, 0);
    assert_eq!(project(&home), before);
}

#[test]
fn init_goes_through_no_link_and_over_no_file() {
    let elsewhere = tempfile::tempdir().unwrap();
    for part in [".agent", ".agent/memory", ".agent/rules", ".agent/pending"] {
        for is_link in [true, false] {
            let home = Home::empty();
            let path = at(&home, part);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            if is_link {
                symlink(elsewhere.path(), &path).unwrap()
            } else {
                fs::write(&path, "x").unwrap()
            }
            let before = project(&home);
            for args in [&["init"][..], &["init", "--dry-run"]] {
                let done = home.run(args);
                assert_eq!(done.status, 2, "{part}: {done:?}");
                assert!(done.err.contains(part) && done.err.contains("nothing was made"), "{done:?}");
            }
            assert_eq!(project(&home), before);
            assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
        }
    }
    // AGENT.md as a link that leads nowhere is there.
    let home = Home::empty();
    symlink("nowhere.md", at(&home, "AGENT.md")).unwrap();
    let done = home.run(&["init"]);
    assert!(done.out.contains("was there  AGENT.md"), "{done:?}");
    assert!(!at(&home, "nowhere.md").exists());
    // The index, too: nothing is written behind it.
    let home = Home::empty();
    fs::create_dir_all(at(&home, ".agent/memory")).unwrap();
    symlink(elsewhere.path().join("index"), at(&home, ".agent/memory/MEMORY.md")).unwrap();
    assert_ne!(home.run(&["init"]).status, 0);
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    let home = Home::empty();
    let done = home.run(&["init", "--project", "missing"]);
    assert!(done.status == 2 && done.err.contains("nothing was made"), "{done:?}");
}

#[test]
fn init_of_a_store_makes_its_missing_index() {
    let home = Home::empty();
    put(&home, "plain/tea.md", TEA);
    put(&home, "plain/linter.md", LINTER);
    let done = home.run(&["init", "--store", "plain", "--dry-run"]);
    assert!(done.out.contains("would make  MEMORY.md") && !at(&home, "plain/MEMORY.md").exists(), "{done:?}");
    assert_eq!(home.run(&["init", "--store", "plain"]).status, 0);
    let index = read(&home, "plain/MEMORY.md");
    assert!(index.contains("- [Tea](tea.md)") && index.contains("- [Linter](linter.md)"), "{index}");
    assert!(home.run(&["init", "--store", "plain"]).out.contains("was there  MEMORY.md"));
    assert_eq!(home.run(&["undo", "--store", "plain"]).status, 0);
    assert!(!at(&home, "plain/MEMORY.md").exists());
}

#[test]
fn the_store_of_the_client_is_opened_first_and_both_are_listed() {
    let home = laid_out();
    put(&home, ".agent/memory/tea.md", TEA);
    assert_eq!(home.json(&["list"])[0]["name"], "Tea", "the one that there is");
    let slug = home.project().display().to_string().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let client = home.path().join(".claude/projects").join(slug).join("memory");
    fs::create_dir_all(&client).unwrap();
    fs::write(client.join("linter.md"), LINTER).unwrap();
    assert_eq!(home.json(&["list"])[0]["name"], "Linter");
    assert_eq!(home.json(&["list", "--store", ".agent/memory"])[0]["name"], "Tea");
    let stores = home.json(&["stores"]);
    let dirs: Vec<&str> = stores.as_array().unwrap().iter().filter_map(|it| it["dir"].as_str()).collect();
    assert_eq!(dirs.len(), 2, "{dirs:?}");
    assert!(
        dirs.iter().any(|dir| dir.ends_with("/.agent/memory")) && dirs.contains(&&*client.to_string_lossy())
    );
    let done = home.run(&["init"]);
    assert!(
        done.out.contains("which is opened first") && done.out.contains("memcurator --store "),
        "{done:?}"
    );
}

#[test]
fn without_a_store_init_is_offered() {
    let home = Home::empty();
    for args in [&["list"][..], &[]] {
        let done = home.run(args);
        assert!(done.status == 2 && done.err.contains("memcurator init"), "{done:?}");
    }
    assert!(home.run(&["stores"]).out.contains("memcurator init"));
}

#[test]
fn the_loop_by_commands() {
    let home = laid_out();
    put(&home, ".agent/memory/tea.md", TEA);
    put(&home, ".agent/memory/MEMORY.md", "# Memories\n- [Tea](tea.md)\n  > Tea in the afternoon\n");
    put(&home, ".agent/pending/linter.md", LINTER);
    put(&home, ".agent/pending/README.md", "What this is for.\n");
    let given = r#"{"type": "user", "body": "Prefers short answers."}"#;
    assert_eq!(home.run_with_input(&["propose"], given).status, 0);
    assert_eq!(home.run(&["pending", "list", "--quiet"]).out, "2\n");
    let list = home.json(&["pending", "list"]);
    let one = list.as_array().unwrap().iter().find(|it| it["target"] == "linter.md").unwrap().clone();
    assert_eq!((one["action"].as_str(), one["state"].as_str()), (Some("add"), Some("ready")));
    assert_eq!(one["origin"]["by"], ".agent/pending");
    assert!(one["gate"]["verdicts"].to_string().contains("feedback, with Why and How to apply"), "{one}");
    // Inert until then.
    assert!(!home.run(&["preview"]).out.contains("Linter"));
    let shown = home.run(&["pending", "path", "linter"]).out;
    assert_eq!(shown.trim_end(), at(&home, ".agent/pending/linter.md").to_str().unwrap());
    assert!(home.run(&["pending", "show", "linter"]).out.contains("+ Run the linter before each commit."));
    let done = home.run(&["pending", "approve", "linter", "prefers-short-answers"]);
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(read(&home, ".agent/memory/linter.md"), LINTER);
    let index = read(&home, ".agent/memory/MEMORY.md");
    assert!(index.contains("- [Linter](linter.md)\n  > The checker runs before a commit\n"), "{index}");
    assert!(
        !at(&home, ".agent/pending/linter.md").exists() && at(&home, ".agent/pending/README.md").exists()
    );
    let text = home.run(&["preview"]).out;
    assert!(text.contains("- [Linter](linter.md)") && text.contains("> The checker runs"), "{text}");
    // The second undo takes the linter back: it waits again, in the queue now.
    for _ in 0..2 {
        assert_eq!(home.run(&["undo"]).status, 0);
    }
    assert_eq!(
        read(&home, ".agent/memory/MEMORY.md"),
        "# Memories\n- [Tea](tea.md)\n  > Tea in the afternoon\n"
    );
    assert_eq!(home.run(&["pending", "list", "--quiet"]).out, "2\n");
    assert_eq!(home.run(&["pending", "reject", "linter", "--reason", "no"]).status, 0);
    // Once more it does not wait, and that is said.
    put(&home, ".agent/pending/again.md", LINTER);
    assert_eq!(home.run(&["pending", "list", "--quiet"]).out, "1\n");
    assert!(home.run(&["pending", "list"]).out.contains(".agent/pending/again.md does not wait"));
    // A change of what is there.
    let change = TEA.replace("afternoon", "morning");
    put(&home, ".agent/pending/tea.md", &change);
    let done = home.run(&["pending", "approve", "tea"]);
    assert_eq!((done.status, read(&home, ".agent/memory/tea.md")), (0, change), "{done:?}");
    assert_eq!(
        read(&home, ".agent/memory/MEMORY.md"),
        "# Memories\n- [Tea](tea.md)\n  > Tea in the morning\n",
        "its second line follows"
    );
}

#[test]
fn what_the_keys_say_is_listed_edited_and_confirmed() {
    let home = laid_out();
    let text = "---\nname: Tea\ndescription: d\ntype: user\nupdatedAt: 2026-01-01\nmetadata:\n  created_at: 2025-12-01 # kept\n  \
                confidence: low\nsource: src/tea.md\n---\n\nTea.\n";
    put(&home, ".agent/memory/tea.md", text);
    let list = home.json(&["list"]);
    let extra = serde_json::json!({
        "createdAt": "2025-12-01", "confidence": "low", "source": "src/tea.md", "updatedAt": "2026-01-01T00:00:00Z"
    });
    assert_eq!((&list[0]["extra"], list[0]["age_from"].as_str()), (&extra, Some("updatedAt")));
    let found = home.run(&["check"]).out;
    assert!(found.contains("unsure"), "{found}");
    let done = home.run(&["edit", "tea", "--set", "expiresAt=end of May"]);
    assert!(done.status == 1 && done.err.contains("expiresAt: wanted a date"), "{done:?}");
    assert_eq!(read(&home, ".agent/memory/tea.md"), text);
    // A source is where it is from: a correction.
    // Another spelling of a key that is there is that key.
    let done = home.run(&["edit", "tea", "--set", "expires=end of May"]);
    assert!(done.status == 1 && done.err.contains("expiresAt: wanted a date"), "{done:?}");
    assert_eq!(home.run(&["edit", "tea", "--set", "source=the audit"]).status, 0);
    let corrected = text.replace("src/tea.md", "the audit");
    assert_eq!(read(&home, ".agent/memory/tea.md"), corrected);
    // How sure it is is substance: `updatedAt` is renewed.
    assert_eq!(home.run(&["edit", "tea", "--set", "confidence=0.9"]).status, 0);
    let renewed = corrected.replace("confidence: low", "confidence: 0.9").replace("2026-01-01", "2026-03-05");
    assert_eq!(read(&home, ".agent/memory/tea.md"), renewed);
    assert_eq!(home.run(&["undo"]).status, 0);
    assert_eq!(home.run(&["affirm", "tea"]).status, 0);
    assert_eq!(read(&home, ".agent/memory/tea.md"), corrected.replace("2026-01-01", "2026-03-05"));
}

#[test]
fn entries_of_two_lines_by_command() {
    let home = laid_out();
    put(&home, ".agent/memory/tea.md", TEA);
    put(&home, ".agent/memory/linter.md", LINTER);
    let index = "\u{feff}# Memories\r\n- [Linter](linter.md)\r\n  > The checker\r\n- [Tea](tea.md)\r\n  — Tea in the afternoon";
    put(&home, ".agent/memory/MEMORY.md", index);
    assert_eq!(home.json(&["index", "check"])["index"]["lines"], 5, "each line counts");
    let now = || read(&home, ".agent/memory/MEMORY.md");
    let cases: [(&[&str], String); 4] = [
        (&["rename", "tea", "green"], index.replace("tea.md", "green.md")),
        (&["park", "linter"], index.replace("- [Linter](linter.md)\r\n  > The checker\r\n", "")),
        (&["delete", "tea"], index.replace("- [Tea](tea.md)\r\n  — Tea in the afternoon", "")),
        (
            &["new", "Prefers short answers.", "--type", "user"],
            index.to_owned()
                + "\r\n- [prefers-short-answers](prefers-short-answers.md)\r\n  — Prefers short answers",
        ),
    ];
    for (args, expected) in cases {
        let done = home.run(args);
        assert_eq!((done.status, now()), (0, expected), "{args:?}: {done:?}");
        assert_eq!(home.run(&["undo"]).status, 0);
        assert_eq!(now(), index, "{args:?}");
    }
    assert_eq!(home.run(&["park", "linter"]).status, 0);
    assert_eq!(home.run(&["unpark", "linter"]).status, 0);
    assert_eq!(now(), index);
}

#[test]
fn two_at_once_decide_once() {
    let home = laid_out();
    put(&home, ".agent/pending/linter.md", LINTER);
    let id = home.json(&["pending", "list"])[0]["id"].as_str().unwrap().to_owned();
    let done: Vec<i32> = std::thread::scope(|scope| {
        let (home, id) = (&home, &id);
        let run = |verb: &'static str| scope.spawn(move || home.run(&["pending", verb, id]).status);
        [run("approve"), run("reject"), run("approve")].map(|it| it.join().unwrap()).to_vec()
    });
    assert!(done.contains(&0), "{done:?}");
    assert!(!at(&home, ".agent/pending/linter.md").exists());
    let is_in = at(&home, ".agent/memory/linter.md").exists();
    let rejected = home.json(&["pending", "rejected"]).as_array().unwrap().len();
    assert_eq!(usize::from(is_in) + rejected, 1, "{done:?}");
    assert_eq!(home.json(&["pending", "list"]).as_array().unwrap().len(), 0);
}

/// Killed between any two effects on the disk, a decision leaves the text somewhere, and the next one completes it.
#[test]
fn a_decision_that_is_killed_loses_nothing() {
    for verb in ["approve", "reject"] {
        // The steps of the operation itself have tests of their own.
        for die_at in (1..12).chain((12..).step_by(9)) {
            let mut home = laid_out();
            put(&home, ".agent/memory/MEMORY.md", "# Memories\n");
            put(&home, ".agent/pending/linter.md", LINTER);
            home.env.vars.insert("MEMCURATOR_DIE_AT".into(), die_at.to_string());
            let is_killed = home.run_for_status(&["pending", verb, "linter"]).is_none();
            home.env.vars.remove("MEMCURATOR_DIE_AT");
            let all = crate::home::files(&home.path());
            assert!(all.values().any(|(bytes, _)| bytes == LINTER.as_bytes()), "{verb} {die_at}");
            let waits = home.json(&["pending", "list"]).as_array().unwrap().len();
            if waits > 0 {
                assert_eq!((waits, home.run(&["pending", verb, "linter"]).status), (1, 0), "{verb} {die_at}");
            }
            let is_in = at(&home, ".agent/memory/linter.md").exists();
            let rejected = home.json(&["pending", "rejected"]).as_array().unwrap().len();
            assert_eq!((is_in, rejected), if verb == "approve" { (true, 0) } else { (false, 1) }, "{die_at}");
            assert_eq!(names(&at(&home, ".agent/pending")), [".gitkeep"], "{verb} {die_at}");
            if !is_killed {
                assert!(die_at > 8, "{verb} is killed at every step: {die_at}");
                break;
            }
        }
    }
}

/// The screens on the store of a project that is laid out.
fn stage(home: &Home, size: (u16, u16)) -> Stage {
    let dir = at(home, ".agent/memory").canonicalize().unwrap();
    let located = Located {
        dir,
        layout: Layout::Agent,
        project: Some(home.project().into()),
        because: String::new(),
        off: None,
        notes: Vec::new(),
    };
    let env = Environment { vars: BTreeMap::new(), ..home.env.clone() };
    let subject = Subject::of(&located, home.project());
    let session = Session {
        start: Start::Store(located),
        places: Places::from_env(&env),
        env,
        subject: Some(subject),
        usual: Usual::default(),
        client: None,
        program: Some(env!("CARGO_BIN_EXE_memcurator").into()),
        clock: Clock::Fixed(now()),
        theme: String::new(),
        keys: Vec::new(),
        checks: memcurator::check::Settings::default(),
        config: None,
        recall: memcurator::config::Model::default(),
        queries: Vec::new(),
        against: None,
        title: None,
        replay: None,
    };
    Stage::open(&session, size).unwrap()
}

fn says(stage: &Stage, text: &str) {
    assert!(stage.text().contains(text), "{text}:\n{}", stage.text());
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_loop_by_keys() {
    let home = laid_out();
    put(&home, ".agent/memory/tea.md", TEA);
    put(&home, ".agent/memory/MEMORY.md", "# Memories\n- [Tea](tea.md)\n  — Tea in the afternoon\n");
    put(&home, ".agent/pending/linter.md", LINTER);
    let pending = at(&home, ".agent/pending");
    let mut stage = stage(&home, (120, 40));
    says(&stage, "1 waiting");
    stage.press("3").unwrap();
    says(&stage, "proposed by .agent/pending");
    says(&stage, "feedback, with Why and How to apply");
    stage.press("<esc>").unwrap();
    assert_eq!(names(&pending), [".gitkeep", "linter.md"], "looking and Esc decide nothing");
    stage.press("3y").unwrap();
    says(&stage, "approved a new memory: Linter");
    assert_eq!(names(&pending), [".gitkeep"]);
    assert_eq!(read(&home, ".agent/memory/linter.md"), LINTER);
    assert_eq!(
        read(&home, ".agent/memory/MEMORY.md"),
        "# Memories\n- [Tea](tea.md)\n  — Tea in the afternoon\n- [Linter](linter.md)\n  — The checker runs before a commit\n"
    );
    stage.press("2jj").unwrap();
    says(&stage, "- [Linter](linter.md)");
    stage.press("3u").unwrap();
    assert_eq!(
        read(&home, ".agent/memory/MEMORY.md"),
        "# Memories\n- [Tea](tea.md)\n  — Tea in the afternoon\n"
    );
    says(&stage, "1 proposal");
    stage.press("n").unwrap();
    says(&stage, "rejected");
    stage.press("u").unwrap();
    says(&stage, "1 proposal");
    // What is parked and deleted takes both lines along, and brings them back.
    stage.press("n1/Tea<enter>").unwrap();
    let before = read(&home, ".agent/memory/MEMORY.md");
    for key in ["p", "d"] {
        stage.press(key).unwrap();
        assert_eq!(read(&home, ".agent/memory/MEMORY.md"), "# Memories\n", "{key}\n{}", stage.text());
        stage.press("u").unwrap();
        assert_eq!(read(&home, ".agent/memory/MEMORY.md"), before, "{key}");
    }
    stage.press("p").unwrap();
    stage.press("p").unwrap();
    assert_eq!(read(&home, ".agent/memory/MEMORY.md"), before, "parked and unparked");
    stage.press("5").unwrap();
    says(&stage, "project/.agent");
}

#[test]
fn what_comes_and_goes_in_pending_shows_by_itself() {
    let home = laid_out();
    let mut stage = stage(&home, (110, 30));
    stage.watch().unwrap();
    stage.press("3").unwrap();
    // The watcher looks first at how it was.
    std::thread::sleep(std::time::Duration::from_millis(500));
    put(&home, ".agent/pending/tea.md", TEA);
    for _ in 0..40 {
        if stage.text().contains("proposed by .agent/pending") {
            break;
        }
        stage.wait(std::time::Duration::from_millis(250)).unwrap();
    }
    says(&stage, "proposed by .agent/pending");
    // It is written anew under the person's eyes: the key comes to nothing.
    let other = TEA.replace("afternoon", "morning");
    put(&home, ".agent/pending/tea.md", &other);
    stage.press("y").unwrap();
    assert!(!at(&home, ".agent/memory/tea.md").exists(), "{}", stage.text());
    assert_eq!(read(&home, ".agent/pending/tea.md"), other);
}

#[test]
fn odd_files_in_pending_are_told_on_the_screen() {
    let home = laid_out();
    fs::write(at(&home, ".agent/pending/bytes.md"), b"\xff\xfe").unwrap();
    fs::write(at(&home, ".agent/pending/large.md"), vec![b'x'; (1 << 20) + 1]).unwrap();
    let mut stage = stage(&home, (120, 40));
    stage.press("3").unwrap();
    says(&stage, "bytes.md: it is not UTF-8");
    stage.press("y").unwrap();
    assert_eq!(names(&at(&home, ".agent/pending")).len(), 3, "{}", stage.text());
    stage.press("n").unwrap();
    stage.press("n").unwrap();
    assert_eq!(names(&at(&home, ".agent/pending")), [".gitkeep"], "{}", stage.text());
    fs::remove_dir_all(at(&home, ".agent/pending")).unwrap();
    symlink(home.path(), at(&home, ".agent/pending")).unwrap();
    let mut stage = self::stage(&home, (120, 40));
    stage.press("3").unwrap();
    says(&stage, "what is left there is not seen");
}

#[test]
fn the_keys_of_a_memory_read_as_a_person_would_say_it() {
    let home = laid_out();
    let text = "---\nname: Tea\ndescription: In the afternoon\ntype: user\ncreatedAt: 2026-11-01\nexpiresAt: 2026-12-12\nconfidence: low\n\
                source: the kitchen\nreason: it calms\n---\n\nTea.\n";
    put(&home, ".agent/memory/tea.md", text);
    let mut stage = stage(&home, (100, 30));
    stage.press("/Tea<enter>").unwrap();
    says(&stage, "made 2026-11-01");
    says(&stage, "expires in 12 days");
    says(&stage, "reason: it calms");
    says(&stage, "expires-soon");
    // The form has them as fields, and refuses what is no date.
    stage.press("e").unwrap();
    says(&stage, "expiresAt");
    says(&stage, "confidence");
    let at = 6;
    stage.press(&"<tab>".repeat(at)).unwrap();
    stage.press("<c-a><c-k>soon<c-s>").unwrap();
    says(&stage, "wanted");
    assert_eq!(read(&home, ".agent/memory/tea.md"), text);
}

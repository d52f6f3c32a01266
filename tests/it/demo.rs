//! The demo is a world of its own.

use crate::home::{Home, files};
use memcurator::client::disk::DiskPort;
use memcurator::demo::{self, Size};
use memcurator::prompt::limits;
use memcurator::prompt::locate::{Launch, find};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

#[test]
fn its_store_is_found_from_its_project() {
    let dir = tempfile::tempdir().unwrap();
    let home = demo::build(dir.path(), Size::Small).unwrap();
    let found = find::current(&DiskPort, &home.env, &Launch::default());
    assert_eq!(found, find::Target::Store(home.store.clone()));
    assert_eq!(home.project, home.env.cwd);
    for place in [&home.places.state, &home.places.cache, &home.places.config, &home.store.dir, &home.project]
    {
        assert!(place.starts_with(dir.path().canonicalize().unwrap()), "{}", place.display());
    }
    let script = home.project.join("scripts/release.sh");
    assert_eq!(fs::metadata(script).unwrap().permissions().mode() & 0o777, 0o755);
    let newest = files(&home.store.dir).into_values().map(|(_, time)| time).max().unwrap();
    assert!(newest <= std::time::SystemTime::from(home.now), "no file is younger than the demo's clock");
}

#[test]
fn the_crowded_one_is_over_both_limits_and_the_same_every_time() {
    let build = || {
        let dir = tempfile::tempdir().unwrap();
        let home = demo::build(dir.path(), Size::Crowded).unwrap();
        files(&home.store.dir)
    };
    let store = build();
    assert_eq!(store.len(), 231);
    let loaded = limits::load(&store["MEMORY.md"].0);
    assert!(loaded.over_lines && loaded.over_size, "{} lines, {} units", loaded.lines, loaded.units);
    assert_eq!(build(), store);
}

#[test]
fn without_a_terminal_it_prints_the_first_screen_and_leaves_nothing_behind() {
    // A home in which everything would go wrong that is read or written.
    let home = Home::empty();
    let tmp = tempfile::tempdir().unwrap();
    for (file, text) in [(".gitconfig", "[broken"), (".config/memcurator/config.toml", "= broken")] {
        let file = home.path().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    let before = home.tree();
    for (args, part) in [(&["demo"][..], "24 memories"), (&["demo", "--crowded"], "230 memories")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_memcurator"));
        command
            .args(args)
            .env_clear()
            .env("HOME", home.path())
            .env("TMPDIR", tmp.path())
            .stdin(Stdio::null());
        let done = command.current_dir(home.path()).output().unwrap();
        let (out, err) = (String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap());
        assert_eq!((done.status.code(), err.as_str()), (Some(0), ""), "{args:?}");
        assert!(out.contains(part), "{out}");
        assert!(out.contains(&format!("run in a terminal: memcurator {}", args.join(" "))), "{out}");
    }
    assert_eq!(home.tree(), before, "nothing of the person's is touched");
    assert_eq!(fs::read_dir(tmp.path()).unwrap().count(), 0, "the temporary directory is gone");
}

#[test]
fn keys_are_replayed_and_the_frame_printed() {
    let home = Home::empty();
    let done = home.run(&["demo", "--keys", "j", "--size", "80x24", "--print"]);
    assert_eq!((done.status, done.err.as_str()), (0, ""));
    assert_eq!(done.out.lines().count(), 24, "{}", done.out);
    assert!(!done.out.contains("run in a terminal"), "a frame that was asked for is the frame alone");
    let svg = home.run(&["demo", "--print=svg"]);
    assert!(svg.out.starts_with("<svg"), "{svg:?}");
}

/// The README's pictures are made from today's screens.
#[test]
fn the_pictures_in_the_readme_are_todays_screens() {
    let home = Home::empty();
    for (file, demo, size, keys) in [
        ("memories.svg", &["demo"][..], "112x32", "/two approvals<enter><esc>"),
        ("recall.svg", &["demo"][..], "112x24", "6<enter>"),
        ("prompt.svg", &["demo", "--crowded"][..], "112x30", "2<tab>/not<space>seen<enter>"),
    ] {
        let done = home.run(&[demo, &["--size", size, "--keys", keys, "--print=svg"]].concat());
        let picture = without_the_temporary_name(&done.out);
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/img").join(file);
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&path, &picture).unwrap();
        }
        let stands = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(stands == picture, "docs/img/{file} is stale: UPDATE_DOCS=1 cargo test --test it demo");
    }
}

/// What the Recall screen offers to be asked in the demo shows picks, and that nothing is an answer.
#[test]
fn the_demos_queries_show_a_pick_and_a_nothing() {
    let home = Home::empty();
    for (keys, part) in [
        ("6", "ask one of these  4"),
        ("6<enter>", "▸ 1"),
        ("6<enter>", "integration-tests-real-db"),
        ("6j<enter>", "mobile-freeze"),
        ("6jj<enter>", "Dashboards"),
        ("6jj<enter>Tdashboards<enter>", "left out by filters  1"),
        ("6jjj<enter>", "Nothing: no memory is clearly useful for this"),
    ] {
        let done = home.run(&["demo", "--size", "112x24", "--keys", keys, "--print"]);
        assert!(done.out.contains(part), "{keys}: {part}: {}", done.out);
    }
}

/// The demo's directory has another name each time.
fn without_the_temporary_name(picture: &str) -> String {
    let mut parts = picture.split("ator-demo-");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        out.push_str("ator-demo-000000");
        out.push_str(part.get(6..).unwrap_or_default());
    }
    out
}

/// Instructions that lie above the demo's temporary directory are the person's, and not looked at.
#[test]
fn the_demos_prompt_is_the_demos_alone() {
    let tmp = tempfile::tempdir().unwrap();
    fs::write(tmp.path().join("CLAUDE.md"), "Only for the person.\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_memcurator"));
    command.args(["demo", "--keys", "2", "--size", "120x40", "--print"]).env("TMPDIR", tmp.path());
    let done = command.stdin(Stdio::null()).output().unwrap();
    let out = String::from_utf8(done.stdout).unwrap();
    assert!(out.contains("Working on payments"), "{out}");
    assert!(!out.contains("Only for the person"), "{out}");
}

/// The made-up secret of the demo is shown in full nowhere but in the editor: others may see the screen.
#[test]
fn a_secret_shows_in_full_only_in_the_editor() {
    let home = crate::home::Home::demo();
    let screen = |keys: &str| {
        let done = home.run(&["--keys", keys, "--size", "120x40", "--print"]);
        assert_eq!(done.status, 0, "{done:?}");
        done.out
    };
    let secret = "q7Lm2XvN9pRt4Zk8Wb3Yd6Hs1Jc5";
    for keys in ["/scratch<enter>", "/scratch<enter><enter>", "w", "4j<enter>", "4j<tab>"] {
        let shown = screen(keys);
        assert!(shown.contains("q7Lm…[28]") && !shown.contains(secret), "{keys}: {shown}");
    }
    assert!(screen("/scratch<enter>e").contains(secret));
}

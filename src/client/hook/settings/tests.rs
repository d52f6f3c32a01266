//! Settings files as people have them.

use super::*;
use crate::client::hook::Mode;

fn hook(mode: Mode) -> Hook {
    Hook {
        binary: "/opt/memcurator".into(),
        mode,
        stores: crate::client::hook::stores::Stores {
            projects: vec!["/h/.claude/projects".into()],
            dirs: Vec::new(),
        },
        state: "/s".into(),
        rules: if mode == Mode::All {
            vec!["Edit(~/.claude/projects/*/memory/**)".into()]
        } else {
            Vec::new()
        },
        made: Vec::new(),
        ended: None,
    }
}

/// The hook that an extraction at a session's end goes with.
fn extracting(mode: Mode) -> Hook {
    let ended = Ended {
        binary: "/opt/memcurator".into(),
        state: "/s".into(),
        config: "/c/config.toml".into(),
        made: Vec::new(),
    };
    Hook { ended: Some(ended), ..hook(mode) }
}

#[test]
fn an_extraction_at_the_end_comes_in_and_goes_out_with_the_hook() {
    let others = "{\n  \"hooks\": {\n    \"SessionEnd\": [\n      {\n        \"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}]\n      }\n    ]\n  }\n}\n";
    for (file, is_read) in
        FILES.into_iter().chain([(others, true), ("{\"hooks\": {\"SessionEnd\": []}}", true)])
    {
        for mode in Mode::EVERY {
            let with = with(file, &extracting(mode)).unwrap();
            let there = installed(&with).unwrap().unwrap();
            assert_eq!(there.ended.as_ref(), ended(&with).unwrap().as_ref());
            assert_eq!(there.ended.unwrap().binary, std::path::Path::new("/opt/memcurator"), "{with}");
            assert_eq!(
                commands(&root(unmarked(&with).1).unwrap(), ended::EVENT).len(),
                1 + with.matches("\"mine\"").count()
            );
            assert_eq!(unread_by_client(&with).is_none(), is_read, "{with}");
            assert_eq!(super::with(&with, &extracting(mode)).unwrap(), with, "twice");
            if !file.contains("{\n}") {
                assert_eq!(without(&with).unwrap(), file, "{with}");
                // Installed again without it, it is gone, and the hook stays.
                assert_eq!(super::with(&with, &hook(mode)).unwrap(), super::with(file, &hook(mode)).unwrap());
            }
        }
    }
    // Another configuration takes the place of the first.
    let first = with("{}\n", &extracting(Mode::All)).unwrap();
    let mut other = extracting(Mode::All);
    other.ended.as_mut().unwrap().config = "/other.toml".into();
    let second = with(&first, &other).unwrap();
    assert!(second.contains("'/other.toml'") && !second.contains("/c/config.toml"), "{second}");
    assert_eq!(without(&second).unwrap(), "{}\n");
}

#[test]
fn an_extraction_whose_hook_was_taken_out_by_hand_goes_out_too() {
    let file = "{\n  \"hooks\": {\n    \"PreToolUse\": []\n  }\n}\n";
    let with = with(file, &extracting(Mode::Off)).unwrap();
    let (_, alone) = first_of_ours(&with, EVENT, Hook::read).unwrap().unwrap();
    assert_eq!(installed(&alone).unwrap(), None);
    assert!(ended(&alone).unwrap().is_some());
    assert_eq!(without(&alone).unwrap(), file);
}

/// The files, and whether the client reads them.
const FILES: [(&str, bool); 19] = [
    ("{}", true),
    ("{}\n", true),
    ("{\n}\n", true),
    ("{\"model\": \"x\"}", true),
    ("{\n  \"model\": \"x\"\n}\n", true),
    ("{\n\t\"model\": \"x\",\n\t\"env\": {\n\t\t\"A\": \"b\"\n\t}\n}\n", true),
    ("{\r\n    \"model\": \"x\"\r\n}\r\n", true),
    ("\u{feff}{\n  \"a\": [1, 2]\n}", true),
    ("{\n  // first\n  \"a\": 1, // one\n  /* two */\n  \"b\": 2 // last\n}\n// end\n", false),
    ("{\n  \"a\": 1,\n  \"b\": [\n    1,\n  ],\n}\n", false),
    ("{\n  \"permissions\": { \"ask\": [\"Bash(rm *)\"], \"deny\": [] },\n  \"x\": null\n}\n", true),
    ("{\n  \"permissions\": {\n    \"ask\": [\n      \"Bash(rm *)\"\n    ]\n  }\n}\n", true),
    ("{\"hooks\": {}, \"permissions\": {\"ask\": []}}", true),
    (
        "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]\n      }\n    ],\n    \"Stop\": []\n  }\n}\n",
        true,
    ),
    (
        "{\"hooks\":{\"PreToolUse\":[{\"matcher\":\"Bash\",\"hooks\":[{\"type\":\"command\",\"command\":\"x\"}]}]}}",
        true,
    ),
    ("{\n  \"hooks\": {\n    // mine\n  }\n}\n", false),
    ("{\n  \"hooks\": { \"PreToolUse\": [ /* none */ ] }\n}\n", false),
    ("{ \"text\": \"a, } ] // no /* comment \\\" é\" }", true),
    ("/* head */ {\n\n  \"a\": {\"b\": 1}\n\n}\n", false),
];

#[test]
fn what_comes_in_goes_out_again() {
    for (file, is_read) in FILES {
        for mode in Mode::EVERY {
            let with = with(file, &hook(mode)).unwrap();
            let there = installed(&with).unwrap().unwrap();
            assert_eq!(there.mode, mode, "{with}");
            assert_eq!(
                has_rule(unmarked(&with).1, "Edit(~/.claude/projects/*/memory/**)"),
                mode == Mode::All,
                "{with}"
            );
            assert_eq!(unread_by_client(&with).is_none(), is_read, "{with}");
            assert_eq!(super::with(&with, &hook(mode)).unwrap(), with, "twice");
            assert_eq!(with.contains("\r\n"), file.contains("\r\n"));
            assert_eq!(
                with.matches('\n').count() == with.matches("\r\n").count(),
                file.contains("\r\n"),
                "{with:?}"
            );
            // Everything of the file stands there still, in its order.
            let mut rest = with.as_str();
            for line in file
                .lines()
                .map(|line| line.trim().trim_end_matches(['}', ']', ' ', ',']))
                .filter(|line| !line.starts_with(['{', '"']))
            {
                (_, rest) = rest.split_once(line).unwrap_or_else(|| panic!("{line:?} is gone: {with}"));
            }
            let without = without(&with).unwrap();
            if !file.contains("{\n}") {
                assert_eq!(without, file, "{with}");
            }
            assert_eq!(super::without(file).unwrap(), file, "nothing is there to take out");
        }
    }
}

#[test]
fn it_stands_as_a_person_would_write_it() {
    let with = with("{\n  \"model\": \"x\" // mine\n}\n", &hook(Mode::Off)).unwrap();
    let want = "{\n  \"model\": \"x\", // mine\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Write|Edit|NotebookEdit|Bash\",\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \": memcurator-hook mode=off binary='/opt/memcurator' made='hooks' made='hooks.PreToolUse'; exit 0\",\n            \"timeout\": 10\n          }\n        ]\n      }\n    ]\n  }\n}\n";
    assert_eq!(with, want);
}

#[test]
fn an_empty_file_is_one_without_settings() {
    for empty in ["", "\n", "\u{feff}", "  \r\n"] {
        let with = with(empty, &hook(Mode::All)).unwrap();
        assert_eq!(unread_by_client(&with), None, "{with}");
        assert!(without(&with).unwrap().trim_start_matches('\u{feff}').is_empty());
    }
}

#[test]
fn another_mode_takes_the_place_of_the_first() {
    let first = with("{\n  \"a\": 1\n}\n", &hook(Mode::All)).unwrap();
    let second = with(&first, &hook(Mode::Changes)).unwrap();
    assert_eq!(commands(&root(&second).unwrap(), EVENT).len(), 1);
    assert!(!second.contains("Edit("), "{second}");
    assert_eq!(with(&second, &hook(Mode::All)).unwrap(), first);
    let moved = Hook { binary: "/new".into(), ..hook(Mode::All) };
    let third = with(&first, &moved).unwrap();
    assert_eq!(installed(&third).unwrap().unwrap().binary, std::path::Path::new("/new"));
    assert_eq!(without(&third).unwrap(), "{\n  \"a\": 1\n}\n");
}

#[test]
fn only_what_is_ours_goes() {
    let rule = "{\n  \"permissions\": {\n    \"ask\": [\"Edit(~/.claude/projects/*/memory/**)\"]\n  }\n}\n";
    let with = with(rule, &hook(Mode::All)).unwrap();
    assert_eq!(without(&with).unwrap(), rule, "the person had the rule before");
    // The person put other hooks beside it.
    let mixed = with.replace(
        "\"hooks\": [\n          {",
        "\"hooks\": [\n          {\"type\": \"command\", \"command\": \"mine\"},\n          {",
    );
    assert_ne!(mixed, with);
    let left = without(&mixed).unwrap();
    assert!(left.contains("mine") && !left.contains("memcurator"), "{left}");
    assert!(root(&left).is_ok());
}

#[test]
fn what_is_no_settings_file_is_refused_with_its_line() {
    for (text, line) in [
        ("{\n  \"a\": 1\n  \"b\": 2\n}", 2),
        ("{\n  \"a\": \n}", 3),
        ("[]", 1),
        ("{\n\n  \"hooks\": []\n}", 3),
        ("{\n  \"hooks\": {\n    \"PreToolUse\": {}\n  }\n}", 3),
        ("{\"a\": 1", 1),
        ("{'a': 1}", 1),
        ("{\"hooks\": {}, \"hooks\": {}}", 1),
        ("nonsense", 1),
    ] {
        let error = with(text, &hook(Mode::All)).unwrap_err();
        assert_eq!(error.line, line, "{text:?}: {error}");
    }
}

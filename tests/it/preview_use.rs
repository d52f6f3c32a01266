//! What opening files brings in, and rules by path: statements C11, C12 and D1.

use crate::preview_kit::{ALL, Case, MEM, V197, V332, at, now};
use memcurator::prompt::picture::Reason;
use std::path::{Path, PathBuf};

/// A rule with this frontmatter, and `src/a.rs` opened: `S` it loads at the start, `u` on use, `-` not.
fn rule(yaml: &str, version: &str) -> &'static str {
    let text = format!("---\n{yaml}\n---\nR\n");
    let case =
        Case::new(&[("proj/.claude/rules/r.md", &text), ("proj/src/a.rs", "x")]).open(&["proj/src/a.rs"]);
    match (case.start(version).is_empty(), case.on_use(version).is_empty()) {
        (false, _) => "S",
        (true, false) => "u",
        (true, true) => "-",
    }
}

#[test]
fn c11_what_paths_says() {
    for version in ALL {
        #[rustfmt::skip]
        let table = [
            "paths: \"src/**\"", "paths: 'src/**'", "paths: *.rs", "paths: **/*.rs", "paths: [src/**, x]",
            "paths: [\"*.rs\"]", "paths:\n  - src/**", "paths:\n- src/**", "paths:\n  - \"*.rs\"",
            "paths:\n  - x, src/**", "paths:\n  - [x, [src/**]]", "paths: src/** # c",
            "paths: \"src/**\" # c", "paths: |\n  src/**", "paths: >\n  src/**,\n  docs/**",
            "description: a: b\npaths: src/**", "x: [\npaths: src/**", "paths:\tsrc/**", "  paths: src/**",
            "paths:\n  - null\n  - src/**", "paths:\n  - 5\n  - src/**", "paths:\n  - a: b\n  - src/**",
            "paths:\n  - \"**\"\n  - docs/**", "paths : src/**", "a: &x src/**\npaths: *x",
            "{paths: src/**}", "\"paths\": src/**", "paths:\n  src/**", "paths: *", "paths: {src,docs}/**",
            "paths: src/*.{rs,ts}", "paths: *.{rs,ts}", "paths: *.rs, *.ts", "my-key: *x\npaths: src/**",
            "paths: src/**,", "paths: !!str src/**", "paths: SRC/**",
            "paths: \"src/{a.rs,sub/{b,c}.rs}, *.rs\"", "paths: \"src/\"", "paths: /src/**",
        ];
        for yaml in table {
            assert_eq!(rule(yaml, version), "u", "{yaml:?} {version}");
        }
        #[rustfmt::skip]
        let table = [
            "paths: [*.rs]", "paths: *.rs # c", "paths: |\n  src/**\n  docs/**", "paths: [src",
            "paths: {src", "paths: 2020-01-01", "paths: @src", "paths: `src`", "paths: %src",
            "paths: > src", "paths: | src", "paths: *\"x\"", "paths: \"src/**\nx: y",
            "paths: 'src/**\nx: y", "paths: \"5\"", "paths: ./src/**", "paths: /t/proj/src/**",
            "paths: ~/src/**", "paths: ../src", "paths: \"!src\"", "paths: src/a---b",
        ];
        for yaml in table {
            assert_eq!(rule(yaml, version), "-", "{yaml:?} {version}");
        }
        #[rustfmt::skip]
        let table = [
            "paths: \"**\"", "paths: /**", "paths: **/**", "paths:", "paths: null", "paths: ~",
            "paths: []", "paths: \"\"", "paths: 5", "paths: 0", "paths: true", "paths: .inf",
            "paths:\n  a: src/**", "globs: src/**", "Paths: src/**", "paths:src/**", "paths: !src",
            "paths: &src", "paths: \",\"", "paths: !!set {src}", "paths:\n  - *.rs",
            "description: \"a\npaths: src/**", "my key: *x\npaths: src/**", "k1: *x\npaths: src/**",
            "paths:\n  - \"**\"\n  - \"/**\"", "",
        ];
        for yaml in table {
            assert_eq!(rule(yaml, version), "S", "{yaml:?} {version}");
        }
    }
    // The readers differ.
    for (yaml, want) in [
        ("\tpaths: src/**", ["S", "u", "u"]),
        ("paths: docs/**\npaths: src/**", ["S", "u", "u"]),
        ("paths: src/**\npaths: docs/**", ["S", "-", "-"]),
        ("a: &x\n  paths: src/**\n<<: *x", ["S", "u", "u"]),
        ("paths: [src/**]\ndescription: it: breaks", ["-", "u", "u"]),
    ] {
        assert_eq!(ALL.map(|version| rule(yaml, version)), want, "{yaml:?}");
    }
    // The block itself.
    for (text, want) in [
        ("--- \npaths: src/**\n---\nR", "u"),
        ("---\npaths: src/**\n ---\nR", "u"),
        ("---\r\npaths: src/**\r\n---\r\nR", "u"),
        ("\n---\npaths: src/**\n---\nR", "S"),
        ("----\npaths: src/**\n----\nR", "S"),
        ("---\npaths: src/**\n...\nR", "S"),
        ("\u{FEFF}---\npaths: src/**\n---\nR", "S"),
    ] {
        let case =
            Case::new(&[("proj/.claude/rules/r.md", text), ("proj/src/a.rs", "x")]).open(&["proj/src/a.rs"]);
        let got = if case.start(V197).is_empty() { "u" } else { "S" };
        assert_eq!(got, want, "{text:?}");
    }
}

#[test]
fn c11_odd_rules_are_flagged() {
    let warnings = |yaml: &str| {
        let text = format!("---\n{yaml}\n---\nR\n");
        let preview = Case::new(&[("proj/.claude/rules/r.md", &text)]).run(V197);
        preview.warnings.into_iter().map(|warning| warning.id).collect::<Vec<_>>()
    };
    assert_eq!(warnings("globs: src/**"), ["rule-key"]);
    assert_eq!(warnings("Paths: src/**"), ["rule-key"]);
    assert_eq!(warnings("paths: 5"), ["rule-paths"]);
    assert_eq!(warnings("paths:\n  - *.rs"), ["rule-yaml"]);
    assert_eq!(warnings("paths: [src"), ["rule-yaml"]);
    assert_eq!(warnings("paths: src/**\ndescription: fine"), [""; 0]);
    let waiting = Case::new(&[("proj/.claude/rules/r.md", "---\npaths: src/**\n---\nR")]).run(V197);
    assert_eq!(
        waiting.skipped[0].reason,
        Reason::Conditional(vec!["src".into()]),
        "a trailing /** is dropped"
    );
}

#[test]
fn c11_imports_of_conditional_rules_load_at_the_start() {
    let case = Case::new(&[
        ("proj/.claude/rules/r.md", "---\npaths: x\n---\nr @../../i.md"),
        ("proj/i.md", "i"),
        ("proj/x", "x"),
    ])
    .open(&["proj/x"]);
    case.starts(["proj/i.md"; 3], "C11");
    case.uses(["proj/.claude/rules/r.md"; 3], "C11");
    // Whatever a rule brings in with `paths` of its own waits too; its imports do not (measured).
    let inner = Case::new(&[
        ("proj/.claude/rules/r.md", "r @../../i.md"),
        ("proj/i.md", "---\npaths: x\n---\ni @j.md"),
        ("proj/j.md", "j"),
        ("proj/x", "x"),
    ])
    .open(&["proj/x"]);
    inner.starts(["proj/.claude/rules/r.md proj/j.md"; 3], "import with paths");
    inner.uses(["proj/i.md"; 3], "import with paths");
    // In other files `paths` means nothing.
    let plain = Case::new(&[
        ("proj/CLAUDE.md", "---\npaths: x\n---\nc @i.md"),
        ("proj/i.md", "---\npaths: x\n---\ni"),
        ("proj/x", "x"),
    ]);
    plain.open(&["proj/x"]).starts(["proj/CLAUDE.md proj/i.md"; 3], "no rule");
}

#[test]
fn c11_the_base_of_patterns() {
    let case = |path: &str, pattern: &str| {
        let text = format!("---\npaths: {pattern}\n---\nr");
        Case::new(&[(path, &text), ("proj/a/s/f.txt", "f")]).cwd("proj/a").open(&["proj/a/s/f.txt"])
    };
    for (path, pattern, want) in [
        ("home/.claude/rules/u.md", "/s", true),
        ("home/.claude/rules/u.md", "/a/s", false),
        ("proj/.claude/rules/r.md", "/a/s", true),
        ("proj/.claude/rules/r.md", "/s", false),
        (".claude/rules/r.md", "/proj/a", true),
        ("proj/a/.claude/rules/deep/r.md", "/s", true),
    ] {
        for version in ALL {
            assert_eq!(!case(path, pattern).on_use(version).is_empty(), want, "{path} {pattern} {version}");
        }
    }
}

#[test]
fn c12_order_and_once_per_session() {
    let conditional = "---\npaths: \"*.txt\"\n---\nc";
    let case = Case::new(&[
        ("home/.claude/rules/uc.md", conditional),
        (".claude/rules/tc.md", conditional),
        ("proj/.claude/rules/pc.md", conditional),
        ("proj/CLAUDE.md", "top"),
        ("proj/a/CLAUDE.md", "a @i.md @/t/out.md"),
        ("proj/a/i.md", "i"),
        ("out.md", "out"),
        ("proj/a/.claude/CLAUDE.md", "ad @../../x.md"),
        ("proj/x.md", "x"),
        ("proj/a/CLAUDE.local.md", "al"),
        ("proj/a/.claude/rules/c.md", "---\npaths: \"*.txt\"\n---\nc @../../k.md"),
        ("proj/a/k.md", "k"),
        ("proj/a/.claude/rules/u.md", "au"),
        ("proj/a/b/CLAUDE.md", "b"),
        ("proj/a/b/f.txt", "f"),
        ("proj/a/b/g", "g"),
        ("proj/a/c/CLAUDE.md", "not on the way"),
        ("o/CLAUDE.md", "o"),
        ("o/f.txt", "f"),
    ]);
    let nested = "proj/a/CLAUDE.md proj/a/i.md proj/a/.claude/CLAUDE.md proj/x.md proj/a/CLAUDE.local.md proj/a/k.md proj/a/.claude/rules/u.md";
    let all = format!(
        "home/.claude/rules/uc.md {nested} proj/a/.claude/rules/c.md proj/a/b/CLAUDE.md .claude/rules/tc.md proj/.claude/rules/pc.md"
    );
    let open = |paths: &[&str]| case.clone().open(paths);
    open(&["proj/a/b/f.txt"]).uses([&all; 3], "order");
    open(&["proj/a/b/f.txt", "proj/a/b/f.txt"]).uses([&all; 3], "once");
    let two = format!(
        "{nested} proj/a/b/CLAUDE.md home/.claude/rules/uc.md proj/a/.claude/rules/c.md .claude/rules/tc.md proj/.claude/rules/pc.md"
    );
    open(&["proj/a/b/g", "proj/a/b/f.txt"]).uses([&two; 3], "the second brings what it matches");
    // What is read itself is not brought in; only what lies below the current directory counts.
    assert!(!open(&["proj/a/CLAUDE.md"]).on_use(V332).contains("proj/a/CLAUDE.md"));
    open(&["o/f.txt"]).uses([""; 3], "a sibling");
    open(&["o/f.txt"])
        .add_dir(&["/t/o"])
        .uses([".claude/rules/tc.md"; 3], "an added directory: rules of common ancestors alone");
    open(&["proj/a/b/nope.txt"]).uses(["", "", &all], "a file that is missing");
    // Approval of imports from outside does not reach here.
    let state = r#"{"projects":{"/t/proj":{"hasClaudeMdExternalIncludesApproved":true}}}"#;
    open(&["proj/a/b/f.txt"]).files(&[("home/.claude.json", state)]).uses([&all; 3], "approved");
    // Bodies are not trimmed.
    let text =
        Case::new(&[("proj/a/CLAUDE.md", "---\nx: y\n---\na\n\n<!-- c -->\n\n@i.md\n"), ("proj/a/f", "")])
            .open(&["proj/a/f"]);
    for version in ALL {
        assert_eq!(text.run(version).opened.sections[0].body, "a\n\n@i.md\n");
    }
    let section = open(&["proj/a/b/f.txt"]).run(V197).opened.sections[0].clone();
    assert_eq!(
        (section.matched.as_deref(), section.opened_by),
        (Some("*.txt"), Some(PathBuf::from("/t/proj/a/b/f.txt")))
    );
}

#[test]
fn c12_sources_and_what_the_start_brought() {
    let case = Case::new(&[
        ("proj/CLAUDE.md", "@a/CLAUDE.md"),
        ("proj/a/CLAUDE.md", "a"),
        ("proj/a/CLAUDE.local.md", "l"),
        ("proj/a/.claude/rules/u.md", "u"),
        ("proj/a/f", "f"),
    ])
    .open(&["proj/a/f"]);
    let all = "proj/a/CLAUDE.md proj/a/CLAUDE.local.md proj/a/.claude/rules/u.md";
    case.uses(
        [all, all, "proj/a/CLAUDE.local.md proj/a/.claude/rules/u.md"],
        "332 alone remembers the start",
    );
    let rules = "proj/a/.claude/rules/u.md";
    case.clone().sources("user").uses([rules, rules, ""], "user");
    let local = format!("proj/a/CLAUDE.local.md {rules}");
    case.clone().sources("local").uses([&local, &local, "proj/a/CLAUDE.local.md"], "local");
    let disabled = case.clone().var("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "1");
    disabled.uses([all, "", ""], "switched off");
}

#[test]
fn d1_age_notes() {
    let mut case = Case::new(&[("proj/f.md", "f")]);
    let hours = |hours: i64| now() - chrono::TimeDelta::hours(hours);
    let files = [
        ("m0.md", 0, None),
        ("m1.md", 47, None),
        ("m2.md", 48, Some(2)),
        ("s/m3.md", 24 * 10 + 23, Some(10)),
        ("m5.md", -120, None),
        ("MEMORY.md", 960, Some(40)),
        ("x.txt", 72, Some(3)),
    ];
    let mut open = Vec::new();
    for (name, age, _) in files {
        case.port.file_at(Path::new(MEM).join(name), "text", hours(age));
        open.push(format!("MEM/{name}"));
    }
    case.port.file_at(at("proj/f.md"), "f", hours(960)).file_at(
        Path::new(MEM).join("empty.md"),
        "",
        hours(960),
    );
    open.extend(["proj/f.md".into(), "MEM/empty.md".into(), "MEM/gone.md".into()]);
    let case = case.open(&open.iter().map(String::as_str).collect::<Vec<_>>());
    for version in ALL {
        let ages: Vec<Option<u32>> =
            case.run(version).opened.files.iter().map(|file| file.age_note_days).collect();
        let want: Vec<Option<u32>> = files.iter().map(|(_, _, days)| *days).chain([None; 3]).collect();
        assert_eq!(ages, want, "{version}");
    }
}

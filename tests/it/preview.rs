//! The preview as a whole: an agent's own memory, the `.agent/` layout, the text and its map, what-ifs, versions, bounds,
//! and the cases of the shared facts on three versions.

use crate::preview_kit::{ALL, Case, MEM, V100, V197, V332, at, now, words};
use memcurator::cli::preview::{
    LayoutArg, PreviewArgs, Surroundings, preview, to_json, write_human, write_json,
};
use memcurator::prompt::picture::{Layer, Reason, Source};
use memcurator::prompt::port::overlay::Overlay;
use memcurator::prompt::port::{Environment, Port};
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

#[test]
fn e_an_agents_own_memory() {
    let with = |files: &[(&str, &str)]| {
        Case::new(files)
            .files(&[("proj/CLAUDE.md", "c"), ("MEM/MEMORY.md", "m")])
            .args(|args| args.agent = Some("helper".into()))
    };
    let text = "---\na: b\n---\n\nx <!-- c -->\n";
    for (place, scope) in [
        ("home/.claude/agent-memory/helper", "user"),
        ("proj/.claude/agent-memory/helper", "project"),
        ("proj/.claude/agent-memory-local/helper", "local"),
    ] {
        let case = with(&[(&format!("{place}/MEMORY.md"), text)]);
        let preview = case.run(V197);
        let own = preview.sections.last().unwrap();
        assert_eq!(
            (own.layer, own.path.as_path()),
            (Layer::Agent, at(&format!("{place}/MEMORY.md")).as_path()),
            "{scope}"
        );
        assert_eq!(own.body, text.trim(), "neither frontmatter nor comments are taken off");
        assert_eq!(case.start(V197).split(' ').count(), 3, "the main memory is not withheld");
        assert!(preview.system.unwrap().contains("## MEMORY.md"));
    }
    // The definition decides, even where another directory exists.
    let defined = with(&[
        ("proj/.claude/agents/helper.md", "---\nname: helper\nmemory: user\n---\nYou help.\n"),
        ("proj/.claude/agent-memory/helper/MEMORY.md", "project"),
    ])
    .run(V332);
    assert!(defined.sections.iter().all(|section| section.layer != Layer::Agent), "no backfill there");
    assert!(defined.system.unwrap().contains("/t/home/.claude/agent-memory/helper/"));
    // Limits hold.
    let long = with(&[("proj/.claude/agent-memory/helper/MEMORY.md", &"l\n".repeat(300))]).run(V197);
    assert_eq!(long.sections.last().unwrap().lines(), 200);
    let unknown = with(&[]).args(|args| args.agent = Some("../x".into())).run(V197);
    assert!(unknown.warnings.iter().any(|warning| warning.id == "agent-unknown"));
}

#[test]
fn the_agent_layout() {
    let case = Case::new(&[
        ("proj/AGENT.md", "a @docs/i.md"),
        ("proj/docs/i.md", "i"),
        ("proj/.agent/AGENT.md", "b"),
        ("proj/.agent/rules/z.md", "z"),
        ("proj/.agent/rules/a.md", "a"),
        ("proj/.agent/rules/c.md", "---\npaths: src\n---\nc"),
        ("proj/.agent/memory/MEMORY.md", "- [X](x.md)"),
        ("proj/src/f", "f"),
        ("proj/CLAUDE.md", "not of this layout"),
        ("proj/sub/x", ""),
    ])
    .cwd("proj/sub")
    .args(|args| args.layout = LayoutArg::Agent)
    .open(&["proj/src/f"]);
    let preview = case.run(V197);
    assert_eq!(
        words(preview.sections.iter().map(|section| section.path.as_path())),
        "proj/AGENT.md proj/docs/i.md proj/.agent/AGENT.md proj/.agent/rules/a.md proj/.agent/rules/z.md proj/.agent/memory/MEMORY.md"
    );
    assert_eq!(preview.opened.sections[0].matched.as_deref(), Some("src"));
    assert_eq!(preview.memory_dir.unwrap(), at("proj/.agent/memory"));
}

#[test]
fn the_text_says_where_its_lines_come_from() {
    let case = Case::new(&[("proj/CLAUDE.md", "one\ntwo"), ("MEM/MEMORY.md", &"- x\n".repeat(201))]);
    for version in ALL {
        let preview = case.run(version);
        let lines: Vec<&str> = preview.text.lines().collect();
        assert_eq!(preview.map.last().unwrap().lines.end, lines.len(), "every line has a source");
        assert!(preview.map.windows(2).all(|pair| pair[0].lines.end == pair[1].lines.start));
        let of = |source: Source| {
            let span = preview.map.iter().find(|span| span.source == source).unwrap();
            lines[span.lines.clone()].join("\n")
        };
        assert!(of(Source::Heading(0)).starts_with("Contents of /t/proj/CLAUDE.md ("));
        assert_eq!(of(Source::Body(0)), "one\ntwo");
        assert_eq!(of(Source::Body(1)).lines().count(), 200);
        assert!(of(Source::Notice(1)).contains("201 lines"));
        assert_eq!(preview.text.contains("# claudeMd"), version != V332);
    }
}

#[test]
fn a_what_if_previews_without_writing() {
    let lines: String = (0..205).map(|nth| format!("- [M{nth}](m{nth}.md)\n")).collect();
    let case = Case::new(&[("MEM/MEMORY.md", &lines), ("proj/CLAUDE.md", "c")]);
    assert_eq!(case.run(V197).index.unwrap().lost.len(), 5);
    let mut after = Overlay::new(&case.port);
    let kept: String = lines.lines().skip(8).map(|line| format!("{line}\n")).collect();
    after.write(&Path::new(MEM).join("MEMORY.md"), kept, None).remove(&at("proj/CLAUDE.md"));
    let preview = case.run_over(&after, V197);
    let index = preview.index.unwrap();
    assert_eq!((index.lost.len(), index.lines, preview.sections.len()), (0, 197, 1));
    assert_eq!(case.port.read(&at("proj/CLAUDE.md")).unwrap(), b"c");
}

#[test]
fn sizes_by_layer_and_large_files() {
    let case = Case::new(&[("proj/CLAUDE.md", &"x".repeat(50_000)), ("home/.claude/CLAUDE.md", "記 a\nb")]);
    let preview = case.run(V197);
    let user = preview.budget[0];
    assert_eq!((user.layer, user.files, user.chars, user.units, user.lines), (Layer::User, 1, 5, 5, 2));
    assert!((preview.budget.iter().map(|budget| budget.share).sum::<f64>() - 1.0).abs() < 1e-9);
    assert!(preview.warnings.iter().any(|warning| warning.id == "large-file"));
}

#[test]
fn json_and_text_for_people_are_safe() {
    let index = format!("{}😀", "x".repeat(24_999));
    let case = Case::new(&[("proj/CLAUDE.md", "a\x1b[31m\u{202e}b\0"), ("MEM/MEMORY.md", &index)]);
    let preview = case.run(V100);
    let mut json = Vec::new();
    write_json(&preview, &mut json).unwrap();
    let json = String::from_utf8(json).unwrap();
    assert!(!json.contains(['\x1b', '\u{202e}', '\0']));
    assert!(json.contains("xxx\\ud83d\""), "half a pair, as this version sends it");
    let mut text = Vec::new();
    write_human(&preview, &mut text).unwrap();
    assert!(!String::from_utf8(text).unwrap().contains(['\x1b', '\u{202e}', '\0']));
    let value = to_json(&Case::new(&[]).run(V332));
    for key in ["client", "wording", "memory_dir", "index", "sections", "skipped", "opened", "text", "system"]
    {
        assert!(value.get(key).is_some(), "{key}");
    }
}

#[test]
fn unknown_versions_take_the_nearest_rules_and_say_so() {
    for (version, like) in [("2.1.500", V332), ("3.0.0", V332), ("2.1.250", V197), ("1.0.3", V100)] {
        let case = Case::new(&[("proj/AGENTS.md", "a")]);
        assert_eq!(case.start(version), case.start(like), "{version}");
        assert!(case.run(version).version_note.unwrap().contains(like), "{version}");
    }
    let case = Case::new(&[]);
    let env = Environment { cwd: at("proj"), home: at("home"), ..Environment::default() };
    let around = Surroundings {
        port: &case.port,
        env: &env,
        now: now(),
        managed_settings: None,
        managed: None,
        said: memcurator::prompt::session::Said::default(),
    };
    let wrong = preview(&PreviewArgs { client: Some("newest".into()), ..PreviewArgs::default() }, &around);
    assert!(wrong.unwrap_err().contains("three numbers"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn imports_end_on_any_graph(edges in prop::collection::vec((0..12_usize, 0..12_usize), 0..60)) {
        let mut case = Case::new(&[("proj/CLAUDE.md", "@n0.md @n1.md")]);
        for node in 0..12 {
            let to: Vec<String> = edges.iter().filter(|edge| edge.0 == node).map(|edge| format!("@n{}.md", edge.1)).collect();
            case.port.file(at(&format!("proj/n{node}.md")), format!("n{node} {}", to.join(" ")));
        }
        for version in ALL {
            let sections = case.run(version).sections;
            let mut paths: Vec<&Path> = sections.iter().map(|section| section.path.as_path()).collect();
            paths.sort();
            paths.dedup();
            prop_assert_eq!(paths.len(), sections.len(), "each file once");
        }
    }

    #[test]
    fn a_cut_never_exceeds_the_limits(lines in prop::collection::vec("[a-z記😀]{0,300}", 0..260)) {
        let case = Case::new(&[("MEM/MEMORY.md", &lines.join("\n"))]);
        for version in ALL {
            for section in case.run(version).sections {
                prop_assert!(section.lines() <= 200 && section.units() <= 25_000, "{} {}", section.lines(), section.units());
            }
        }
    }

    #[test]
    fn patterns_and_frontmatter_never_fail(yaml in "[ -~\\n\\t]{0,60}", glob in "[a-z/*?!{}()\\[\\]|,.@+^\\\\-]{0,24}") {
        let text = format!("---\npaths: {yaml}\n---\nr");
        let excludes = serde_json::json!({ "claudeMdExcludes": [glob] }).to_string();
        let case = Case::new(&[("proj/.claude/rules/r.md", &text), ("home/.claude/settings.json", &excludes), ("proj/a/f", "f")]);
        let case = case.open(&["proj/a/f"]);
        for version in ALL {
            case.run(version);
        }
    }
}

#[test]
fn many_files_and_a_huge_one_are_bounded() {
    let mut case = Case::new(&[]);
    let mut root = String::new();
    for nth in 0..1000 {
        root.push_str(&format!("- @i{nth}.md\n"));
        case.port.file(at(&format!("proj/i{nth}.md")), format!("{nth}"));
    }
    for nth in 0..5000 {
        case.port
            .file(at(&format!("proj/.claude/rules/r{nth}.md")), format!("---\npaths: src/{nth}\n---\n{nth}"));
    }
    case.port.file(at("proj/CLAUDE.md"), root).file(at("proj/src/7"), "x");
    let case = case.open(&["proj/src/7"]);
    let began = Instant::now();
    let preview = case.run(V332);
    assert_eq!((preview.sections.len(), preview.opened.sections.len()), (1001, 1));
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());

    // A port that would fail on reading: the size is asked first.
    struct Huge(memcurator::prompt::port::mem::MemPort);
    impl Port for Huge {
        fn kind(&self, path: &Path) -> Option<memcurator::prompt::port::Kind> {
            self.0.kind(path)
        }
        fn is_link(&self, path: &Path) -> bool {
            self.0.is_link(path)
        }
        fn real(&self, path: &Path) -> std::io::Result<PathBuf> {
            self.0.real(path)
        }
        fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
            assert!(!path.ends_with("CLAUDE.md") && !path.ends_with("MEMORY.md"), "{path:?} is read");
            self.0.read(path)
        }
        fn size(&self, path: &Path) -> Option<u64> {
            self.0.size(path).map(|_| 100 << 20)
        }
        fn modified(&self, path: &Path) -> Option<memcurator::memory::Time> {
            self.0.modified(path)
        }
        fn list(&self, path: &Path) -> std::io::Result<Vec<std::ffi::OsString>> {
            self.0.list(path)
        }
    }
    let case = Case::new(&[("proj/CLAUDE.md", "x"), ("MEM/MEMORY.md", "x")]);
    let huge = Huge(case.port.clone());
    for version in ALL {
        let preview = case.run_over(&huge, version);
        assert!(preview.sections.is_empty());
        let reasons: Vec<&Reason> = preview.skipped.iter().map(|skipped| &skipped.reason).collect();
        let dropped = |reason: &&Reason| matches!(reason, Reason::TooLarge(_) | Reason::NotRead(_));
        assert_eq!(reasons.iter().filter(|reason| dropped(reason)).count(), 2, "{version}");
    }
}

/// Runs the shared comparison with what three real clients loaded.
#[test]
fn the_cases_of_real_clients() {
    let Some(shared) = crate::shared() else { return };
    let script = shared.join("tools/run_cases.py");
    for version in ALL {
        let run = Command::new("python3")
            .args([script.as_os_str(), "--client".as_ref(), version.as_ref(), "--bin".as_ref()])
            .arg(env!("CARGO_BIN_EXE_memcurator"))
            .output();
        let Ok(run) = run else {
            eprintln!("skipped: there is no python3");
            return;
        };
        let said = String::from_utf8_lossy(&run.stdout);
        assert!(said.contains(&format!("60 of 60 cases equal to client {version}")), "{said}");
    }
}

//! Switches and the index: statements A6 and B.

use crate::preview_kit::{ALL, Case, V100, V197, V332, at, now, settings};
use memcurator::prompt::picture::Layer;
use memcurator::prompt::port::Port;

#[test]
fn a6_what_switches_off() {
    let case = || Case::new(&[("proj/CLAUDE.md", "c"), ("MEM/MEMORY.md", "m")]);
    let both = "proj/CLAUDE.md MEM/MEMORY.md";
    case().args(|args| args.bare = true).starts([""; 3], "--bare");
    case().var("CLAUDE_CODE_SIMPLE", "1").starts([""; 3], "simple");
    case().args(|args| args.safe_mode = true).starts([both, "", ""], "--safe-mode");
    case().var("CLAUDE_CODE_SAFE_MODE", "1").starts([both, "", ""], "safe mode");
    let disabled = case().var("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "1");
    disabled.starts([""; 3], "no files and no index");
    assert!(
        disabled.run(V332).memory_dir.is_some() && disabled.run(V332).system.is_some(),
        "the memory part stays"
    );
    let replaced = case().args(|args| args.system_prompt = Some("x".into()));
    replaced.starts([both; 3], "--system-prompt: the reverse");
    assert_eq!((replaced.run(V332).memory_dir, replaced.run(V332).system), (None, None));
    let off = case().var("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1");
    off.starts(["proj/CLAUDE.md"; 3], "memory off");
    assert_eq!((off.run(V197).memory_dir, off.run(V197).system), (None, None));
    case().var("CLAUDE_MEMORY_STORES", "/x").starts([both, both, "proj/CLAUDE.md"], "stores");
    // A text in place of the index, taken as it is; an empty one takes the index away.
    let given = case().var("CLAUDE_COWORK_MEMORY_INDEX_CONTENT", "---\na: b\n---\nx <!-- y -->\n");
    assert_eq!(given.run(V100).sections[1].body, "m");
    assert_eq!(given.run(V332).sections[1].body, "---\na: b\n---\nx <!-- y -->");
    case()
        .var("CLAUDE_COWORK_MEMORY_INDEX_CONTENT", "")
        .starts([both, "proj/CLAUDE.md", "proj/CLAUDE.md"], "empty text");
    let guide = case().var("CLAUDE_COWORK_MEMORY_GUIDELINES", "GUIDE");
    assert!(guide.run(V100).memory_dir.is_some());
    assert_eq!((guide.run(V332).memory_dir, guide.run(V332).system.as_deref()), (None, Some("GUIDE")));
    // Settings: 332 lets no project switch itself off this way.
    let project = case().files(&[("proj/.claude/settings.json", r#"{"env": {"CLAUDE_CODE_SIMPLE": "1"}}"#)]);
    project.starts(["", "", both], "from project settings");
}

#[test]
fn b_the_index() {
    let index = |text: &str| Case::new(&[("MEM/MEMORY.md", text)]);
    // B5: over 4 MiB it is not loaded, before 197 it is.
    let mut big = Case::new(&[]);
    big.port.file(at("MEM/MEMORY.md"), vec![b'z'; 4 * 1024 * 1024 + 1]);
    big.starts(["MEM/MEMORY.md", "", ""], "B5");
    assert!(big.run(V197).warnings.iter().any(|warning| warning.id == "too-large"));
    big.port.file(at("MEM/MEMORY.md"), vec![b'z'; 4 * 1024 * 1024]);
    big.starts(["MEM/MEMORY.md"; 3], "B5 exactly");
    // B6: links are followed, the path stays; imports are not followed; what is empty is no section.
    let link = Case::new(&[("x/m.md", "l")]).link("MEM/MEMORY.md", "/x/m.md");
    link.starts(["MEM/MEMORY.md"; 3], "B6 link");
    index("@a.md").files(&[("MEM/a.md", "a")]).starts(["MEM/MEMORY.md"; 3], "B6 imports");
    for empty in ["", "  \n", "<!-- x -->\n", "---\na: b\n---\n"] {
        index(empty).starts([""; 3], "B6 empty");
    }
    Case::new(&[("MEM/memory.md", "m")])
        .starts(["", "", "MEM/MEMORY.md"], "B6 exact name (332 writes an index)");
    // B3: half a surrogate pair at the hard cut.
    let pair = index(&format!("{}😀y", "x".repeat(24_999)));
    let end = |version: &str| {
        let section = &pair.run(version).sections[0];
        (section.units(), section.half, section.body.ends_with('\u{FFFD}'))
    };
    assert_eq!(ALL.map(end), [(25_000, Some(0xD83D), false), (25_000, None, true), (24_999, None, false)]);
    // Lost memories are named; one that also has a line above the cut is not lost.
    let lines: String = (0..205).map(|nth| format!("- [M{nth}](m{}.md)\n", nth % 203)).collect();
    let preview = index(&lines).run(V197);
    let found = preview.index.unwrap();
    assert_eq!((found.cut(), found.lines, found.kept_lines), (vec!["lines"], 205, 200));
    assert_eq!(found.lost, ["m200.md", "m201.md", "m202.md"]);
    assert!(found.notice.unwrap().contains("205 lines"));
    assert!(preview.warnings.iter().any(|warning| warning.message.contains("3 memories")));
    // An index that another file imports loads there and not as the index.
    let imported = index("m").files(&[("home/.claude/CLAUDE.md", "u @projects/-t-proj/memory/MEMORY.md")]);
    imported.starts(["home/.claude/CLAUDE.md MEM/MEMORY.md"; 3], "imported index");
    assert_eq!(imported.run(V197).sections[1].layer, Layer::User);
}

#[test]
fn b7_the_index_that_332_would_write() {
    let day = |days: i64| now() - chrono::TimeDelta::days(days);
    let mut case = Case::new(&[]);
    for (name, text, days) in [
        ("a.md", "---\ndescription: \"two\\n  words\"\n---\n", 3),
        ("b.md", "---\ndescription: 5\n---\n", 1),
        ("sub/c.md", "c", 2),
        ("long.md", &*format!("---\ndescription: {}\n---\n", "d".repeat(200)), 4),
    ] {
        case.port.file_at(at(&format!("MEM/{name}")), text, day(days));
    }
    #[rustfmt::skip]
    let table = [
        "x.MD", ".h.md", "p[1].md", "p(2).md", "p).md", "team/t.md", "logs/l.md", "sub/team/q.md",
        ".d/x.md", "z.bak", "sub/MEMORY.md",
    ];
    for name in table {
        case.port.file(at(&format!("MEM/{name}")), "no");
    }
    let case = case.link("MEM/k.md", "/home/x.md").files(&[("home/x.md", "no")]);
    case.starts(["", "", "MEM/MEMORY.md"], "B7");
    let preview = case.run(V332);
    let body = &preview.sections[0].body;
    let lines: Vec<&str> = body.lines().collect();
    assert_eq!(lines[..3], ["- [b](b.md)", "- [c](sub/c.md)", "- [a](a.md) — two words"]);
    assert_eq!(lines[3].encode_utf16().count(), 150);
    assert!(lines[3].ends_with('…') && lines.len() == 4, "{body}");
    assert!(preview.index.as_ref().unwrap().written_by_client);
    assert!(preview.warnings.iter().any(|warning| warning.id == "index-written"));
    assert_eq!(case.port.kind(&at("MEM/MEMORY.md")), None, "nothing is written");
    // Only where it is missing; not where files are off or memory is.
    case.clone().files(&[("MEM/MEMORY.md", "")]).starts([""; 3], "an empty one is left alone");
    case.clone().link("MEM/MEMORY.md", "/nope").starts([""; 3], "a dangling link too");
    case.clone().var("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "1").starts([""; 3], "off");
    // 70 % of the limits.
    let mut many = Case::new(&[]);
    for nth in 0..230 {
        many.port.file_at(at(&format!("MEM/m{nth:03}.md")), "x", day(nth));
    }
    assert_eq!(many.run(V332).sections[0].lines(), 140);
    let mut wide = Case::new(&[]);
    for nth in 0..135 {
        wide.port.file_at(
            at(&format!("MEM/m{nth:03}.md")),
            format!("---\ndescription: {}\n---\n", "d".repeat(200)),
            day(nth),
        );
    }
    let section = wide.run(V332).sections[0].clone();
    assert!(section.units() <= 17_500 && section.units() + 151 > 17_500, "{}", section.units());
    // The frontmatter must close within 30 lines.
    let header = |keys: usize| {
        let more: String = (0..keys).map(|nth| format!("k{nth}: v\n")).collect();
        format!("---\ndescription: yes\n{more}---\n")
    };
    let body = |keys: usize| Case::new(&[("MEM/a.md", &header(keys))]).run(V332).sections[0].body.clone();
    assert_eq!((body(27).as_str(), body(28).as_str()), ("- [a](a.md) — yes", "- [a](a.md)"));
    // A directory set too wide.
    let wide = settings(r#"{"autoMemoryDirectory": "~/w"}"#);
    let wide = Case::new(&[("home/w/p/x.md", "x"), (wide.0, &wide.1)]).cwd("home/w/p").run(V332);
    assert_eq!(wide.sections[0].body, "- [x](p/x.md)");
    assert!(wide.warnings.iter().any(|warning| warning.id == "memory-dir-wide"));
}

//! The layers at the start: statements C1 to C3 and C6 to C10.

use crate::preview_kit::{ALL, Case, V100, V197, V332, at, settings};
use memcurator::memory::Time;
use memcurator::prompt::picture::Layer;
use memcurator::prompt::port::Port;
use memcurator::prompt::port::mem::MemPort;
use std::path::{Path, PathBuf};

#[test]
fn c1_layers_stand_in_the_clients_order() {
    let case = Case::new(&[
        ("home/.claude/CLAUDE.md", "user @inc.md"),
        ("home/.claude/inc.md", "i"),
        ("home/.claude/rules/u.md", "ur"),
        ("CLAUDE.md", "top"),
        ("CLAUDE.local.md", "topl"),
        ("proj/CLAUDE.md", "p @one.md"),
        ("proj/a/one.md", "no"),
        ("proj/.claude/CLAUDE.md", "d"),
        ("proj/.claude/rules/r.md", "r"),
        ("proj/CLAUDE.local.md", "l"),
        ("proj/a/CLAUDE.md", "a"),
        ("proj/a/below/CLAUDE.md", "no"),
        ("MEM/MEMORY.md", "m"),
        // C1: names are exact, and these are never read.
        ("proj/claude.md", "no"),
        ("proj/CLAUDE.MD", "no"),
        ("proj/.claude/CLAUDE.local.md", "no"),
        ("home/.claude/CLAUDE.local.md", "no"),
    ])
    .cwd("proj/a");
    let want = "home/.claude/CLAUDE.md home/.claude/inc.md home/.claude/rules/u.md CLAUDE.md CLAUDE.local.md \
                proj/CLAUDE.md proj/.claude/CLAUDE.md proj/.claude/rules/r.md proj/CLAUDE.local.md proj/a/CLAUDE.md \
                MEM/MEMORY.md";
    case.starts([want; 3], "C1");
    let layers: Vec<Layer> = case.run(V197).sections.iter().map(|section| section.layer).collect();
    use Layer::{Auto, Local, Project, User};
    let want = [User, User, User, Project, Local, Project, Project, Project, Local, Project, Auto];
    assert_eq!(layers, want);
}

#[test]
fn c1_managed_files_come_first_and_are_never_excluded() {
    let excludes = settings(r#"{"claudeMdExcludes": ["**"]}"#);
    let mut case = Case::new(&[
        ("etc/CLAUDE.md", "m @out.md"),
        ("etc/out.md", "outside the current directory"),
        ("etc/.claude/rules/r.md", "mr"),
        ("home/.claude/CLAUDE.md", "u"),
        (excludes.0, &excludes.1),
    ]);
    case.managed = Some(at("etc"));
    case.starts(["etc/CLAUDE.md etc/.claude/rules/r.md"; 3], "documented, not measured");
    assert!(case.run(V332).sections.iter().all(|section| section.layer == Layer::Managed));
}

#[test]
fn c1_the_home_directory_is_an_ordinary_one_on_the_walk() {
    let case = Case::new(&[
        ("home/.claude/CLAUDE.md", "u"),
        ("home/CLAUDE.md", "h"),
        ("home/.claude/rules/u.md", "r"),
        ("home/p/CLAUDE.md", "p"),
    ])
    .cwd("home/p");
    let want = "home/.claude/CLAUDE.md home/.claude/rules/u.md home/CLAUDE.md home/p/CLAUDE.md";
    case.starts([want; 3], "C1 home");
    // C9: with the source `project` alone they load as project files.
    let project = case.clone().sources("project");
    project
        .starts(["home/CLAUDE.md home/.claude/CLAUDE.md home/.claude/rules/u.md home/p/CLAUDE.md"; 3], "C9");
    assert!(project.run(V332).sections.iter().all(|section| section.layer == Layer::Project));
}

#[test]
fn c2_rules_are_all_md_files_below_in_the_systems_order_or_sorted() {
    let case = Case::new(&[
        ("proj/.claude/rules/b.md", "b"),
        ("proj/.claude/rules/A.md", "A"),
        ("proj/.claude/rules/.hid.md", "h"),
        ("proj/.claude/rules/node_modules/n.md", "n"),
        ("proj/.claude/rules/x.md/y.md", "y"),
        ("proj/.claude/rules/no.MD", "no"),
        ("proj/.claude/rules/no.mdx", "no"),
        ("proj/.claude/rules/no.txt", "no"),
    ]);
    let rules = "proj/.claude/rules/";
    let sorted =
        [".hid.md", "A.md", "b.md", "node_modules/n.md", "x.md/y.md"].map(|name| format!("{rules}{name}"));
    assert_eq!(case.start(V100), sorted.join(" "));
    // A port that lists backwards: newer versions take that order as it is.
    struct Backwards<'a>(&'a MemPort);
    impl Port for Backwards<'_> {
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
            self.0.read(path)
        }
        fn size(&self, path: &Path) -> Option<u64> {
            self.0.size(path)
        }
        fn modified(&self, path: &Path) -> Option<Time> {
            self.0.modified(path)
        }
        fn list(&self, path: &Path) -> std::io::Result<Vec<std::ffi::OsString>> {
            self.0.list(path).map(|mut names| {
                names.sort();
                names.reverse();
                names
            })
        }
    }
    let start = |version: &str| {
        let loaded = case.run_over(&Backwards(&case.port), version);
        loaded
            .sections
            .iter()
            .map(|section| section.path.to_string_lossy().replace("/t/", ""))
            .collect::<Vec<_>>()
    };
    let reversed: Vec<String> = sorted.iter().rev().cloned().collect();
    assert_eq!(start(V100), sorted);
    assert_eq!(start(V197), reversed);
    assert_eq!(start(V332), reversed);
}

#[test]
fn c2_links_of_rules_are_followed_but_332_lets_none_lead_out() {
    let case = |target: &str| {
        Case::new(&[("ext/r.md", "r"), ("proj/x/r.md", "x")]).link("proj/.claude/rules/l.md", target)
    };
    case("/ext/r.md").starts(["ext/r.md", "ext/r.md", ""], "out");
    case("../../x/r.md").starts(["proj/x/r.md"; 3], "inside");
    // The current directory counts, not the repository.
    case("../../x/r.md").cwd("proj/a").starts(["proj/x/r.md", "proj/x/r.md", ""], "an ancestor's link");
    // Whole directories.
    let rules = Case::new(&[("ext/r.md", "r")]).link("proj/.claude/rules", "/ext");
    rules.starts(["ext/r.md", "ext/r.md", ""], "rules");
    let dot = Case::new(&[("ext/rules/r.md", "r"), ("ext/CLAUDE.md", "c")]).link("proj/.claude", "/ext");
    dot.starts(
        [
            "proj/.claude/CLAUDE.md ext/rules/r.md",
            "proj/.claude/CLAUDE.md ext/rules/r.md",
            "proj/.claude/CLAUDE.md",
        ],
        ".claude",
    );
    // A user's own rules may lie anywhere.
    Case::new(&[("ext/r.md", "r")])
        .link("home/.claude/rules/l.md", "/ext/r.md")
        .starts(["ext/r.md"; 3], "user");
    // Loops are harmless, each real file once, dangling links nothing.
    let loops = Case::new(&[("proj/.claude/rules/b.md", "b")])
        .link("proj/.claude/rules/loop", "..")
        .link("proj/.claude/rules/c.md", "b.md")
        .link("proj/.claude/rules/gone.md", "nope.md");
    loops.starts(["proj/.claude/rules/b.md"; 3], "loop");
    // A file behind the link with an extension that the client refuses.
    Case::new(&[("proj/x.tf", "x")])
        .link("proj/.claude/rules/l.md", "../../x.tf")
        .starts([""; 3], "extension");
    // An added directory is outside too; one reached through a link is itself.
    let added = Case::new(&[("o/x.md", "x")]).link("o/.claude/rules/l.md", "/o/x.md").add_dir(&["/t/o"]);
    added.starts(["o/x.md", "o/x.md", ""], "add-dir");
    let linked = Case::new(&[("o/.claude/rules/r.md", "r")]).link("lo", "/o").add_dir(&["/t/lo"]);
    linked.starts(["o/.claude/rules/r.md"; 3], "a linked add-dir");
}

#[test]
fn c3_a_file_loads_once_by_path_and_newer_by_real_path_too() {
    let two = Case::new(&[("proj/AGENTS.md", "a")])
        .link("proj/CLAUDE.md", "AGENTS.md")
        .link("proj/.claude/CLAUDE.md", "../AGENTS.md");
    two.starts(["proj/CLAUDE.md proj/.claude/CLAUDE.md", "proj/CLAUDE.md", "proj/CLAUDE.md"], "two links");
    let real_first = Case::new(&[("proj/CLAUDE.md", "a")]).link("proj/.claude/CLAUDE.md", "../CLAUDE.md");
    real_first
        .starts(["proj/CLAUDE.md proj/.claude/CLAUDE.md", "proj/CLAUDE.md", "proj/CLAUDE.md"], "link second");
    let link_first =
        Case::new(&[("proj/.claude/CLAUDE.md", "a")]).link("proj/CLAUDE.md", ".claude/CLAUDE.md");
    link_first.starts(["proj/CLAUDE.md"; 3], "link first");
    let same = Case::new(&[("proj/CLAUDE.md", "same"), ("proj/.claude/CLAUDE.md", "same")]);
    same.starts(["proj/CLAUDE.md proj/.claude/CLAUDE.md"; 3], "equal text");
    let directory =
        Case::new(&[("proj/CLAUDE.md", "@d/r.md @e/r.md"), ("proj/d/r.md", "r")]).link("proj/e", "d");
    directory.starts(
        [
            "proj/CLAUDE.md proj/d/r.md proj/e/r.md",
            "proj/CLAUDE.md proj/d/r.md",
            "proj/CLAUDE.md proj/d/r.md",
        ],
        "directory",
    );
    // A file that another imports loads at its first place.
    let moved = Case::new(&[("home/.claude/CLAUDE.md", "u @/t/proj/CLAUDE.md"), ("proj/CLAUDE.md", "c")]);
    moved.starts(["home/.claude/CLAUDE.md proj/CLAUDE.md"; 3], "first place");
    assert_eq!(moved.run(V197).sections[1].layer, Layer::User);
}

#[test]
fn c6_agents_md_is_a_fallback_of_332() {
    let agents = |more: &[(&str, &str)]| Case::new(&[("proj/AGENTS.md", "a")]).files(more);
    let read = |case: Case, want: bool, what: &str| {
        for version in [V100, V197] {
            assert!(!case.start(version).contains("AGENTS.md"), "{what} {version}");
        }
        assert_eq!(case.start(V332).contains("proj/AGENTS.md"), want, "{what}");
    };
    read(agents(&[]), true, "alone");
    read(
        agents(&[("home/.claude/CLAUDE.md", "u"), ("proj/.claude/rules/r.md", "r")]),
        true,
        "user files and rules do not count",
    );
    read(agents(&[("proj/CLAUDE.md", "c")]), false, "CLAUDE.md");
    read(agents(&[("CLAUDE.md", "c")]), false, "CLAUDE.md above");
    read(agents(&[("proj/CLAUDE.local.md", "c")]), false, "CLAUDE.local.md");
    read(
        agents(&[("proj/CLAUDE.md", "<!-- c -->"), ("CLAUDE.md", "---\na: b\n---\n")]),
        true,
        "empty ones do not count",
    );
    let excludes = settings(r#"{"claudeMdExcludes": ["**/CLAUDE.md"]}"#);
    read(
        agents(&[("proj/CLAUDE.md", "c"), (excludes.0, &excludes.1)]),
        true,
        "an excluded one does not count",
    );
    let excludes = settings(r#"{"claudeMdExcludes": ["**/AGENTS.md"]}"#);
    read(agents(&[(excludes.0, &excludes.1)]), false, "excluded itself");
    read(agents(&[]).sources("user"), false, "needs the source project");
    read(
        agents(&[("proj/CLAUDE.local.md", "l")]).sources("project"),
        false,
        "a local file beside it counts unread",
    );
    read(agents(&[("CLAUDE.local.md", "l")]).sources("project"), true, "one above does not");
    read(agents(&[("proj/agents.md", "no")]), true, "exact name");
    // Order: before what belongs to a directory further down, after everything else.
    let case = Case::new(&[
        ("AGENTS.md", "top"),
        (".claude/rules/r.md", "r @/t/proj/i.md"),
        ("proj/i.md", "i"),
        ("proj/AGENTS.md", "p"),
        ("proj/.claude/AGENTS.md", "pd"),
        ("proj/.claude/rules/q.md", "q"),
        ("o/CLAUDE.md", "o"),
        ("o/AGENTS.md", "no"),
        ("home/.claude/CLAUDE.md", "u"),
        ("MEM/MEMORY.md", "m"),
    ])
    .add_dir(&["/t/o"]);
    assert_eq!(
        case.start(V332),
        "home/.claude/CLAUDE.md .claude/rules/r.md proj/i.md AGENTS.md proj/.claude/rules/q.md o/CLAUDE.md proj/AGENTS.md \
         proj/.claude/AGENTS.md MEM/MEMORY.md"
    );
    let home =
        Case::new(&[("home/AGENTS.md", "h"), ("home/.claude/CLAUDE.md", "u"), ("home/p/AGENTS.md", "p")])
            .cwd("home/p");
    assert_eq!(home.start(V332), "home/.claude/CLAUDE.md home/AGENTS.md home/p/AGENTS.md");
    // On use: only in that state, and where a directory has nothing of its own.
    let nested = |more: &[(&str, &str)]| {
        Case::new(&[("proj/s/AGENTS.md", "s"), ("proj/s/f", "f")]).files(more).open(&["proj/s/f"])
    };
    nested(&[]).uses(["", "", "proj/s/AGENTS.md"], "nested");
    nested(&[("proj/CLAUDE.md", "c")]).uses([""; 3], "nested with a CLAUDE.md above");
    nested(&[("proj/s/CLAUDE.local.md", "l")]).uses(["proj/s/CLAUDE.local.md"; 3], "nested with its own");
}

#[test]
fn c7_a_worktree_inside_its_main_checkout() {
    let full = |directory: &str| {
        let names =
            ["CLAUDE.md", ".claude/CLAUDE.md", ".claude/rules/r.md", "CLAUDE.local.md", ".claude/rules/c.md"];
        names.map(|name| {
            (
                format!("{directory}/{name}"),
                if name.ends_with("c.md") { "---\npaths: f\n---\nc" } else { "x" },
            )
        })
    };
    let mut case = Case::default();
    for directory in ["proj", "proj/m", "proj/m/w"] {
        for (path, text) in full(directory) {
            case.port.file(at(&path), text);
        }
    }
    let case = case
        .files(&[
            ("proj/.git/HEAD", "ref: refs/heads/main\n"),
            ("proj/.git/worktrees/w/commondir", "../..\n"),
            ("proj/.git/worktrees/w/gitdir", "/t/proj/m/w/.git\n"),
            ("proj/m/w/.git", "gitdir: /t/proj/.git/worktrees/w\n"),
            ("proj/m/w/f", "f"),
        ])
        .cwd("proj/m/w")
        .open(&["proj/m/w/f"]);
    let want = "proj/CLAUDE.local.md proj/m/CLAUDE.local.md proj/m/w/CLAUDE.md proj/m/w/.claude/CLAUDE.md \
                proj/m/w/.claude/rules/r.md proj/m/w/CLAUDE.local.md";
    case.starts([want; 3], "C7");
    let all = "proj/.claude/rules/c.md proj/m/.claude/rules/c.md proj/m/w/.claude/rules/c.md";
    case.uses([all, all, "proj/m/w/.claude/rules/c.md"], "C7 on use");
    // A nested independent repository skips nothing.
    let nested = Case::new(&[("proj/CLAUDE.md", "p"), ("proj/in/.git/HEAD", ""), ("proj/in/CLAUDE.md", "i")])
        .cwd("proj/in");
    nested.starts(["proj/CLAUDE.md proj/in/CLAUDE.md"; 3], "nested");
}

#[test]
fn c8_excludes() {
    let case = |scope: &str, pattern: &str| {
        let json = format!("{{\"claudeMdExcludes\": [\"{pattern}\"]}}");
        Case::new(&[
            ("home/.claude/CLAUDE.md", "u"),
            ("proj/CLAUDE.md", "c @i.md"),
            ("proj/i.md", "i"),
            ("proj/CLAUDE.local.md", "l"),
            ("proj/.claude/rules/r.md", "r"),
            ("MEM/MEMORY.md", "m"),
            (scope, &json),
        ])
    };
    let user = "home/.claude/settings.json";
    let all = "home/.claude/CLAUDE.md proj/CLAUDE.md proj/i.md proj/.claude/rules/r.md proj/CLAUDE.local.md MEM/MEMORY.md";
    for (pattern, want) in [
        (
            "**/proj/CLAUDE.md",
            "home/.claude/CLAUDE.md proj/.claude/rules/r.md proj/CLAUDE.local.md MEM/MEMORY.md",
        ),
        (
            "**/i.md",
            "home/.claude/CLAUDE.md proj/CLAUDE.md proj/.claude/rules/r.md proj/CLAUDE.local.md MEM/MEMORY.md",
        ),
        ("/t/proj/**", "home/.claude/CLAUDE.md MEM/MEMORY.md"),
        ("**", "MEM/MEMORY.md"),
        ("!**/nothing", "MEM/MEMORY.md"),
        ("**/MEMORY.md", all),
        ("CLAUDE.md", all),
        ("proj/CLAUDE.md", all),
        ("/t/proj", all),
        ("~/.claude/CLAUDE.md", all),
        ("**/claude.md", all),
    ] {
        case(user, pattern).starts([want; 3], pattern);
    }
    for scope in ["proj/.claude/settings.json", "proj/.claude/settings.local.json", user] {
        assert!(!case(scope, "**/i.md").start(V332).contains("i.md "), "{scope}");
    }
    // Not from a source that does not count; from --settings always.
    assert!(case(user, "**/r.md").sources("project").start(V197).contains("r.md"));
    let flag = case("x", "").args(|args| args.settings = Some(r#"{"claudeMdExcludes":["**/r.md"]}"#.into()));
    assert!(!flag.start(V197).contains("r.md"));
    // A wrong type drops the whole file.
    let wrong = Case::new(&[("proj/CLAUDE.md", "c"), (user, r#"{"claudeMdExcludes": [5, "**/CLAUDE.md"]}"#)]);
    wrong.starts(["proj/CLAUDE.md"; 3], "wrong type");
    // 332 looks at a rule's link too.
    let link = Case::new(&[("proj/x.md", "x"), (user, r#"{"claudeMdExcludes": ["**/rules/**"]}"#)])
        .link("proj/.claude/rules/l.md", "../../x.md");
    link.starts(["proj/x.md", "proj/x.md", ""], "link");
}

#[test]
fn c9_setting_sources() {
    let case = |sources: &str| {
        Case::new(&[
            ("home/.claude/CLAUDE.md", "u"),
            ("home/.claude/rules/u.md", "ur"),
            ("proj/CLAUDE.md", "p"),
            ("proj/.claude/rules/r.md", "r"),
            ("proj/CLAUDE.local.md", "l"),
            ("MEM/MEMORY.md", "m"),
        ])
        .sources(sources)
    };
    case("user").starts(["home/.claude/CLAUDE.md home/.claude/rules/u.md MEM/MEMORY.md"; 3], "user");
    case("project").starts(["proj/CLAUDE.md proj/.claude/rules/r.md MEM/MEMORY.md"; 3], "project");
    case("local").starts(["proj/CLAUDE.local.md MEM/MEMORY.md"; 3], "local");
    case(" user , local ").starts(
        ["home/.claude/CLAUDE.md home/.claude/rules/u.md proj/CLAUDE.local.md MEM/MEMORY.md"; 3],
        "two",
    );
    case("").starts(["MEM/MEMORY.md"; 3], "none");
}

#[test]
fn c10_added_directories() {
    let other = [
        ("proj/CLAUDE.md", "p"),
        ("o/CLAUDE.md", "o @i.md"),
        ("o/i.md", "i"),
        ("o/.claude/CLAUDE.md", "od"),
        ("o/.claude/rules/r.md", "or"),
        ("o/CLAUDE.local.md", "ol"),
        ("o/sub/CLAUDE.md", "no"),
    ];
    let shared = "proj/CLAUDE.md o/CLAUDE.md o/.claude/CLAUDE.md o/.claude/rules/r.md";
    let with_own = format!("{shared} o/CLAUDE.local.md");
    let want = [shared, &with_own, &with_own];
    Case::new(&other).add_dir(&["/t/o"]).starts(want, "absolute");
    Case::new(&other).add_dir(&["../o"]).starts(want, "relative");
    Case::new(&other).add_dir(&["/t/o", "/t/o/"]).starts(want, "twice");
    Case::new(&other)
        .args(|args| args.add_dir = vec!["/t/o".into()])
        .starts(["proj/CLAUDE.md"; 3], "without the variable");
    Case::new(&other)
        .add_dir(&["/t/o"])
        .sources("user")
        .starts(["o/CLAUDE.md o/.claude/CLAUDE.md o/.claude/rules/r.md"; 3], "sources");
    // What the client writes above the text: relative until 332.
    let shown = |version: &str| Case::new(&other).add_dir(&["../o"]).run(version).sections[1].shown.clone();
    assert_eq!(ALL.map(shown), ["../o/CLAUDE.md", "../o/CLAUDE.md", "/t/o/CLAUDE.md"]);
    let tilde = Case::new(&[("home/o/CLAUDE.md", "o")]).add_dir(&["~/o"]);
    tilde.starts(["", "", "home/o/CLAUDE.md"], "~ is expanded by 332 alone");
    for value in ["true", "yes", "on"] {
        let case = Case::new(&other).args(|args| args.add_dir = vec!["/t/o".into()]);
        let case = case.var("CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD", value);
        assert!(case.start(V197).contains("o/CLAUDE.md"), "{value}");
    }
    // --bare brings the walk back on older versions, memory never.
    let bare = Case::new(&other).files(&[("MEM/MEMORY.md", "m")]).args(|args| {
        args.add_dir = vec!["/t/o".into()];
        args.bare = true;
    });
    bare.starts(["proj/CLAUDE.md", "proj/CLAUDE.md", ""], "--bare --add-dir");
    assert_eq!(bare.run(V197).memory_dir, None);
}

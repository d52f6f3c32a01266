//! The preview against what real clients loaded, statement by statement. Marks such as C5 name the statement of the
//! shared facts; every expectation was measured on the three versions (the facts, or a run of the client).

use memcurator::cli::preview::{PreviewArgs, Surroundings, preview};
use memcurator::memory::Time;
use memcurator::prompt::picture::{Layer, Preview, Reason};
use memcurator::prompt::port::mem::MemPort;
use memcurator::prompt::port::{Environment, Port};
use std::path::{Path, PathBuf};

pub const V100: &str = "2.1.100";
pub const V197: &str = "2.1.197";
pub const V332: &str = "2.1.332";
pub const ALL: [&str; 3] = [V100, V197, V332];
/// The memory directory of `/t/proj`.
pub const MEM: &str = "/t/home/.claude/projects/-t-proj/memory";

/// A tree in memory and how the session is started in it.
#[derive(Clone, Default)]
pub struct Case {
    pub port: MemPort,
    cwd: PathBuf,
    vars: Vec<(String, String)>,
    args: PreviewArgs,
}

impl Case {
    /// `/t/proj` is a repository and the current directory, `/t/home` the home.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let mut case = Self { cwd: "/t/proj".into(), ..Self::default() };
        case.port.dir("/t/proj/.git").dir("/t/home");
        case.files(files)
    }

    pub fn files(mut self, files: &[(&str, &str)]) -> Self {
        for (path, text) in files {
            self.port.file(at(path), *text);
        }
        self
    }

    pub fn link(mut self, path: &str, target: &str) -> Self {
        let target = if target.starts_with('/') { at(target) } else { target.into() };
        self.port.link(at(path), target);
        self
    }

    pub fn cwd(mut self, cwd: &str) -> Self {
        self.cwd = at(cwd);
        self.port.dir(&self.cwd);
        self
    }

    pub fn var(mut self, name: &str, value: &str) -> Self {
        self.vars.push((name.into(), value.into()));
        self
    }

    pub fn args(mut self, set: impl FnOnce(&mut PreviewArgs)) -> Self {
        set(&mut self.args);
        self
    }

    pub fn open(self, paths: &[&str]) -> Self {
        let paths = paths.iter().map(|path| at(path)).collect();
        self.args(|args| args.open = paths)
    }

    pub fn add_dir(self, directories: &[&str]) -> Self {
        let directories = directories.iter().map(|directory| (*directory).to_owned()).collect();
        self.args(|args| args.add_dir = directories).var("CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD", "1")
    }

    pub fn sources(self, sources: &str) -> Self {
        self.args(|args| args.setting_sources = Some(sources.into()))
    }

    pub fn run(&self, version: &str) -> Preview {
        self.run_over(&self.port, version)
    }

    pub fn run_over(&self, port: &dyn Port, version: &str) -> Preview {
        let env = Environment {
            vars: self.vars.iter().cloned().collect(),
            cwd: self.cwd.clone(),
            home: "/t/home".into(),
        };
        let around = Surroundings { port, env: &env, now: now(), managed_settings: None, managed: None };
        let args = PreviewArgs { client: Some(version.into()), ..self.args.clone() };
        preview(&args, &around).unwrap()
    }

    /// The paths that load at the start, below `/t`, one word each.
    pub fn start(&self, version: &str) -> String {
        words(self.run(version).sections.iter().map(|section| section.path.as_path()))
    }

    /// The paths that opening files brings in.
    pub fn on_use(&self, version: &str) -> String {
        words(self.run(version).opened.sections.iter().map(|section| section.path.as_path()))
    }

    /// What loads at the start on each of the three versions.
    pub fn starts(&self, want: [&str; 3], what: &str) {
        for (version, want) in ALL.into_iter().zip(want) {
            assert_eq!(self.start(version), want, "{what} {version}");
        }
    }

    pub fn uses(&self, want: [&str; 3], what: &str) {
        for (version, want) in ALL.into_iter().zip(want) {
            assert_eq!(self.on_use(version), want, "{what} {version}");
        }
    }
}

pub fn at(path: &str) -> PathBuf {
    match path.strip_prefix("MEM/") {
        Some(rest) => Path::new(MEM).join(rest),
        None => Path::new("/t").join(path.trim_start_matches('/')),
    }
}

pub fn words<'a>(paths: impl Iterator<Item = &'a Path>) -> String {
    let paths: Vec<String> = paths
        .map(|path| path.to_string_lossy().replace(MEM, "MEM").trim_start_matches("/t/").to_owned())
        .collect();
    paths.join(" ")
}

pub fn now() -> Time {
    "2026-03-05T10:00:00Z".parse().unwrap()
}

pub fn settings(json: &str) -> (&'static str, String) {
    ("home/.claude/settings.json", json.to_owned())
}

/// One `CLAUDE.md` in the project, and files to import.
fn importing(text: &str, names: &[&str]) -> Case {
    let mut case = Case::new(&[("proj/CLAUDE.md", text)]);
    for name in names {
        case.port.file(at(&format!("proj/{name}")), "x");
    }
    case
}

fn imported(text: &str, names: &[&str], version: &str) -> String {
    let loaded = importing(text, names).start(version);
    loaded.trim_start_matches("proj/CLAUDE.md").trim().replace("proj/", "")
}

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
fn c5_depth_order_and_cycles() {
    let chain = |first: &str| {
        let mut case = Case::new(&[("proj/CLAUDE.md", first)]);
        for level in 1..7 {
            case.port.file(at(&format!("proj/{level}.md")), format!("@{}.md", level + 1));
        }
        case
    };
    chain("@1.md").starts(["proj/CLAUDE.md proj/1.md proj/2.md proj/3.md proj/4.md"; 3], "four levels");
    let deep = chain("@1.md").run(V197);
    let too_deep = deep.skipped.iter().find(|skipped| skipped.reason == Reason::TooDeep).unwrap();
    assert_eq!(
        (too_deep.path.as_path(), too_deep.from.as_deref()),
        (Path::new("/t/proj/5.md"), Some(Path::new("/t/proj/4.md")))
    );
    // What was too deep there may load elsewhere; what has loaded is not looked at again.
    chain("@1.md @5.md")
        .starts(["proj/CLAUDE.md proj/1.md proj/2.md proj/3.md proj/4.md proj/5.md proj/6.md"; 3], "again");
    chain("@1.md @4.md").starts(["proj/CLAUDE.md proj/1.md proj/2.md proj/3.md proj/4.md"; 3], "not again");
    // Depth-first, in order of appearance, each file before its imports; cycles are fine.
    let cycle = Case::new(&[
        ("proj/CLAUDE.md", "@a.md @b.md @CLAUDE.md"),
        ("proj/a.md", "@c.md @a.md @CLAUDE.md"),
        ("proj/b.md", "b"),
        ("proj/c.md", "c @b.md"),
    ]);
    cycle.starts(["proj/CLAUDE.md proj/a.md proj/c.md proj/b.md"; 3], "cycle");
}

#[test]
fn c5_where_an_import_counts() {
    for version in ALL {
        for text in [
            "@x.md",
            "see @x.md y",
            "- @x.md",
            "# @x.md",
            "> @x.md",
            "> a\n@x.md y",
            "**@x.md**",
            "*see @x.md y*",
            "[@x.md](u)",
            "<b>@x.md</b>",
            "a<b>@x.md</b>",
            "<!-- c --> @x.md",
            "<!-- c -->\nt @x.md y",
            "| a |\n|---|\n| @x.md |",
            "~~see @x.md y~~",
            "\u{A0}@x.md",
            "a\u{3000}@x.md\u{3000}b",
            "a\t@x.md\tb",
            "a\u{2028}@x.md b",
            "**b**@x.md",
            "`c`@x.md",
            "[a](b)@x.md",
            "![a](b)@x.md",
            "<http://a.b>@x.md",
            "a  \n@x.md",
            "a\\\n@x.md",
            "\\*@x.md y",
            "[@x.md][r]\n\n[r]: u",
            "[ @x.md ]",
            "@x.md\n===",
            "a [^1]\n\n[^1]: t @x.md y",
            "_see @x.md_",
            "@x.md`y`",
            "@x.md<b>y</b>",
            "see @x.md[a](b)",
            "@x.md#part",
            "@./x.md",
            "@x.md/",
            "@x.md//",
            "@x.md#",
            "@../proj/x.md",
            "@/t/proj/x.md",
            "@x.md\\y",
            "@x.md\\ ",
            "<div>\n\n@x.md\n</div>",
            "<span> @x.md</span>",
            "- [ ] @x.md",
            "- a\n\n- @x.md",
            "$ @x.md $",
            "<details>\n\n@x.md\n\n</details>",
            "a ` @x.md b",
            "x @x.md\r\ny",
            "x <!-- c -->@x.md y",
            "a\u{FEFF}@x.md",
            // In list items the text as written counts: code, comments and link targets are no protection (measured).
            "- see `cmd @x.md y`",
            "- a <!-- @x.md --> b",
            "- [a]( @x.md )",
            "- a\n\n  `c @x.md d`",
            "> - `c @x.md d`",
            "- ![b @x.md c](u)",
        ] {
            assert_eq!(imported(text, &["x.md"], version), "x.md", "{text:?} {version}");
        }
        for text in [
            "(@x.md)",
            "me@x.md",
            "\"@x.md y\"",
            "\u{898B}@x.md",
            "\\@x.md",
            "- \\@x.md",
            "-@x.md",
            "@@x.md",
            "@ x.md",
            "a&amp;@x.md",
            "a\u{200B}@x.md",
            "a\u{85}@x.md",
            "[t](@x.md)",
            "![@x.md y](b)",
            "[@x.md ]",
            "`@x.md`",
            "`cmd @x.md y`",
            "```\n@x.md\n```",
            "~~~\n@x.md\n~~~",
            "```\n@x.md",
            "    @x.md",
            "<div>\n@x.md\n</div>",
            "<span>\n@x.md\n</span>",
            "<pre>\n@x.md\n</pre>",
            "<my-tag>\n@x.md\n</my-tag>",
            "<script>\n@x.md\n</script>",
            "<!DOCTYPE\n@x.md y>",
            "<!-- @x.md -->",
            "t <!-- @x.md --> y",
            "<!-- open\n@x.md",
            "<!--> @x.md -->",
            "[r]: @x.md\n\nt [r]",
            "[^1]: @x.md",
            "---\nx: @x.md\n---\nb",
            "~~b~~@x.md",
            "see @x.md~~",
            "@x.md.",
            "@x.md, y",
            "@x.md!",
            "@x.md?y",
            "@x.md: y",
            "@x.md; y",
            "see @x.md* y",
            "@x.md&amp;",
            "@X.md",
            "@x",
            "- > a `c @x.md d`",
            "- # a `c @x.md d`",
            "- <!-- @x.md y -->",
            "- [r]: @x.md",
            "-     @x.md",
            "| a |\n|---|\n| `b @x.md c` |",
            "<!-- c -->\n    @x.md",
        ] {
            assert_eq!(imported(text, &["x.md"], version), "", "{text:?} {version}");
        }
    }
}

#[test]
fn c5_what_a_path_may_look_like() {
    for version in ALL {
        for name in [
            "a&b.md",
            "a'b.md",
            "a\"b.md",
            "a_b_c.md",
            "a*b.md",
            "a~b.md",
            "a[b].md",
            "a@b.md",
            "x/@y/b.md",
            "a%20b.md",
            "a!b.md",
            "...md",
            "..md",
            "-",
            "_",
            "a+b.md",
            "a=b.md",
            "a:b.md",
            "a.md.md",
            "1.md",
            "_u.md",
            "-d.md",
            "uni記.md",
            "a,b.md",
            "a(b).md",
            ".hidden",
            ".env",
            "Makefile",
            "noext",
            "a.MD",
            "a.txt",
            "a.rs",
            "a.lock",
            "a.log",
            "a.F90",
        ] {
            assert_eq!(imported(&format!("see @{name} y"), &[name], version), name, "{name} {version}");
        }
        assert_eq!(imported("@a\\ b\\ c.md", &["a b c.md"], version), "a b c.md");
        assert_eq!(imported("@a.md @b.md", &["a.md", "b.md"], version), "a.md b.md");
        assert_eq!(imported("@sub//c.md", &["sub/c.md"], version), "sub/c.md");
        for name in ["+p.md", "é.md", "記.md", "$a.md", "#x", "~x/a.md", "@s/a.md"] {
            assert_eq!(imported(&format!("see @{name} y"), &[name], version), "", "{name} {version}");
        }
        for name in [
            "a.markdown",
            "a.mdx",
            "a.jsonc",
            "a.jsonl",
            "a.tsv",
            "a.ipynb",
            "a.tf",
            "a.nix",
            "a.zig",
            "a.svg",
            "a.png",
            "a.pdf",
            "a.xyz",
            "x.md.bak",
            ".env.local",
            "a.tar.gz",
            "Makefile.",
        ] {
            let case = importing(&format!("see @{name} y"), &[name]);
            assert_eq!(case.start(version), "proj/CLAUDE.md", "{name} {version}");
            assert!(matches!(case.run(version).skipped[0].reason, Reason::Extension(_)), "{name}");
        }
    }
}

#[test]
fn c5_outside_the_current_directory() {
    let case = Case::new(&[
        ("home/.claude/CLAUDE.md", "u @../o.md"),
        ("home/o.md", "o @/t/out.md"),
        ("out.md", "out"),
        ("proj/CLAUDE.md", "p @side.md @a/in.md"),
        ("proj/side.md", "s"),
        ("proj/a/in.md", "in"),
        ("proj/a/CLAUDE.md", "a @../up.md"),
        ("proj/up.md", "up"),
        ("proj/.claude/rules/r.md", "r @q.md"),
        ("proj/.claude/rules/q.md", "q"),
    ])
    .cwd("proj/a");
    let preview = case.run(V197);
    let loaded = words(preview.sections.iter().map(|section| section.path.as_path()));
    assert_eq!(
        loaded,
        "home/.claude/CLAUDE.md home/o.md out.md proj/CLAUDE.md proj/a/in.md proj/.claude/rules/q.md proj/.claude/rules/r.md proj/a/CLAUDE.md"
    );
    let side = preview.skipped.iter().find(|skipped| skipped.path.ends_with("side.md")).unwrap();
    assert_eq!(side.reason, Reason::Outside);
    assert!(side.hint.as_ref().unwrap().contains("subdirectory"), "{side:?}");
    // Approval: keyed by the root, by nothing else; what JavaScript takes for true is true.
    for (key, value, approved) in [
        ("/t/proj", "true", true),
        ("/t/proj", "\"true\"", true),
        ("/t/proj", "1", true),
        ("/t/proj", "false", false),
        ("/t/proj", "0", false),
        ("/t/proj", "\"\"", false),
        ("/t/proj", "null", false),
        ("/t/proj/a", "true", false),
        ("/t/proj/", "true", false),
    ] {
        let state =
            format!("{{\"projects\":{{\"{key}\":{{\"hasClaudeMdExternalIncludesApproved\":{value}}}}}}}");
        let case = case.clone().files(&[("home/.claude.json", &state)]);
        for version in ALL {
            assert_eq!(case.start(version).contains("side.md"), approved, "{key} {value} {version}");
        }
    }
    // A link inside that leads out: 332 alone drops it, but not when the person's own file imports it.
    let link = Case::new(&[("proj/CLAUDE.md", "@l.md"), ("ext/l.md", "l @m.md"), ("ext/m.md", "m")])
        .link("proj/l.md", "/ext/l.md");
    link.starts(["proj/CLAUDE.md proj/l.md", "proj/CLAUDE.md proj/l.md", "proj/CLAUDE.md"], "link");
    let own =
        Case::new(&[("home/.claude/CLAUDE.md", "@/t/proj/l.md"), ("ext/l.md", "l @m.md"), ("ext/m.md", "m")])
            .link("proj/l.md", "/ext/l.md");
    own.starts(["home/.claude/CLAUDE.md proj/l.md ext/m.md"; 3], "own link");
    // A CLAUDE.md that is a link to outside loads; its imports start at its real directory.
    let out = Case::new(&[("ext/C.md", "@i.md @/t/proj/p.md"), ("ext/i.md", "i"), ("proj/p.md", "p")])
        .link("proj/CLAUDE.md", "/ext/C.md");
    out.starts(["proj/CLAUDE.md proj/p.md"; 3], "linked CLAUDE.md");
    // A path through a link from outside is outside.
    let through = Case::new(&[("proj/CLAUDE.md", "@/t/lnk/a.md"), ("proj/a.md", "a")]).link("lnk", "proj");
    through.starts(["proj/CLAUDE.md"; 3], "through a link");
}

#[test]
fn c5_what_did_not_load_is_listed_with_a_hint() {
    let hint = |text: &str, files: &[&str], cwd: &str| {
        let case = importing("root", files).files(&[("proj/docs/CLAUDE.md", text)]).cwd(cwd);
        let preview = case.args(|args| args.client = None).run(V197);
        let skipped = preview.skipped.iter().find(|skipped| skipped.from.is_some()).cloned().unwrap();
        (skipped.reason, skipped.hint.unwrap_or_default())
    };
    let (reason, words) = hint("@setup.md", &["setup.md"], "proj/docs");
    assert_eq!(reason, Reason::Missing);
    assert!(words.contains("repository's root"), "{words}");
    let (reason, words) = hint("@b.md, and", &["docs/b.md"], "proj/docs");
    assert!(reason == Reason::Missing && words.contains("punctuation"), "{words}");
    let (reason, _) = hint("@dir", &["docs/dir/x"], "proj/docs");
    assert_eq!(reason, Reason::NotAFile);
    let (reason, words) = hint("@../up.md", &["up.md"], "proj/docs");
    assert!(reason == Reason::Outside && words.contains("repository's root"), "{words}");
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
    for name in [
        "x.MD",
        ".h.md",
        "p[1].md",
        "p(2).md",
        "p).md",
        "team/t.md",
        "logs/l.md",
        "sub/team/q.md",
        ".d/x.md",
        "z.bak",
        "sub/MEMORY.md",
    ] {
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
        format!(
            "---\ndescription: yes\n{}---\n",
            "k: v\n"
                .repeat(keys)
                .replace('k', "k")
                .lines()
                .enumerate()
                .map(|(nth, line)| format!("k{nth}{}\n", &line[1..]))
                .collect::<String>()
        )
    };
    let body = |keys: usize| Case::new(&[("MEM/a.md", &header(keys))]).run(V332).sections[0].body.clone();
    assert_eq!((body(27).as_str(), body(28).as_str()), ("- [a](a.md) — yes", "- [a](a.md)"));
    // A directory set too wide.
    let wide = settings(r#"{"autoMemoryDirectory": "~/work"}"#);
    let wide = Case::new(&[("home/work/p/x.md", "x"), (wide.0, &wide.1)]).cwd("home/work/p").run(V332);
    assert_eq!(wide.sections[0].body, "- [x](p/x.md)");
    assert!(wide.warnings.iter().any(|warning| warning.id == "memory-dir-wide"));
}

//! Imports: statement C5.

use crate::preview_kit::{ALL, Case, V197, at, imported, importing, words};
use memcurator::prompt::picture::Reason;
use std::path::Path;

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
        #[rustfmt::skip]
        let table = [
            "@x.md", "see @x.md y", "- @x.md", "# @x.md", "> @x.md", "> a\n@x.md y", "**@x.md**",
            "*see @x.md y*", "[@x.md](u)", "<b>@x.md</b>", "a<b>@x.md</b>", "<!-- c --> @x.md",
            "<!-- c -->\nt @x.md y", "| a |\n|---|\n| @x.md |", "~~see @x.md y~~", "\u{A0}@x.md",
            "a\u{3000}@x.md\u{3000}b", "a\t@x.md\tb", "a\u{2028}@x.md b", "**b**@x.md", "`c`@x.md",
            "[a](b)@x.md", "![a](b)@x.md", "<http://a.b>@x.md", "a  \n@x.md", "a\\\n@x.md", "\\*@x.md y",
            "[@x.md][r]\n\n[r]: u", "[ @x.md ]", "@x.md\n===", "a [^1]\n\n[^1]: t @x.md y", "_see @x.md_",
            "@x.md`y`", "@x.md<b>y</b>", "see @x.md[a](b)", "@x.md#part", "@./x.md", "@x.md/", "@x.md//",
            "@x.md#", "@../proj/x.md", "@/t/proj/x.md", "@x.md\\y", "@x.md\\ ", "<div>\n\n@x.md\n</div>",
            "<span> @x.md</span>", "- [ ] @x.md", "- a\n\n- @x.md", "$ @x.md $",
            "<details>\n\n@x.md\n\n</details>", "a ` @x.md b", "x @x.md\r\ny", "x <!-- c -->@x.md y",
            "a\u{FEFF}@x.md",
            // In list items the text as written counts: code, comments and link targets are no protection (measured).
            "- see `cmd @x.md y`", "- a <!-- @x.md --> b", "- [a]( @x.md )", "- a\n\n  `c @x.md d`",
            "> - `c @x.md d`", "- ![b @x.md c](u)",
        ];
        for text in table {
            assert_eq!(imported(text, &["x.md"], version), "x.md", "{text:?} {version}");
        }
        #[rustfmt::skip]
        let table = [
            "(@x.md)", "me@x.md", "\"@x.md y\"", "\u{898B}@x.md", "\\@x.md", "- \\@x.md", "-@x.md",
            "@@x.md", "@ x.md", "a&amp;@x.md", "a\u{200B}@x.md", "a\u{85}@x.md", "[t](@x.md)",
            "![@x.md y](b)", "[@x.md ]", "`@x.md`", "`cmd @x.md y`", "```\n@x.md\n```", "~~~\n@x.md\n~~~",
            "```\n@x.md", "    @x.md", "<div>\n@x.md\n</div>", "<span>\n@x.md\n</span>",
            "<pre>\n@x.md\n</pre>", "<my-tag>\n@x.md\n</my-tag>", "<script>\n@x.md\n</script>",
            "<!DOCTYPE\n@x.md y>", "<!-- @x.md -->", "t <!-- @x.md --> y", "<!-- open\n@x.md",
            "<!--> @x.md -->", "[r]: @x.md\n\nt [r]", "[^1]: @x.md", "---\nx: @x.md\n---\nb", "~~b~~@x.md",
            "see @x.md~~", "@x.md.", "@x.md, y", "@x.md!", "@x.md?y", "@x.md: y", "@x.md; y",
            "see @x.md* y", "@x.md&amp;", "@X.md", "@x", "- > a `c @x.md d`", "- # a `c @x.md d`",
            "- <!-- @x.md y -->", "- [r]: @x.md", "-     @x.md", "| a |\n|---|\n| `b @x.md c` |",
            "<!-- c -->\n    @x.md",
        ];
        for text in table {
            assert_eq!(imported(text, &["x.md"], version), "", "{text:?} {version}");
        }
    }
}

#[test]
fn c5_what_a_path_may_look_like() {
    for version in ALL {
        #[rustfmt::skip]
        let table = [
            "a&b.md", "a'b.md", "a\"b.md", "a_b_c.md", "a*b.md", "a~b.md", "a[b].md", "a@b.md",
            "x/@y/b.md", "a%20b.md", "a!b.md", "...md", "..md", "-", "_", "a+b.md", "a=b.md", "a:b.md",
            "a.md.md", "1.md", "_u.md", "-d.md", "uni記.md", "a,b.md", "a(b).md", ".hidden", ".env",
            "Makefile", "noext", "a.MD", "a.txt", "a.rs", "a.lock", "a.log", "a.F90",
        ];
        for name in table {
            assert_eq!(imported(&format!("see @{name} y"), &[name], version), name, "{name} {version}");
        }
        assert_eq!(imported("@a\\ b\\ c.md", &["a b c.md"], version), "a b c.md");
        assert_eq!(imported("@a.md @b.md", &["a.md", "b.md"], version), "a.md b.md");
        assert_eq!(imported("@sub//c.md", &["sub/c.md"], version), "sub/c.md");
        for name in ["+p.md", "é.md", "記.md", "$a.md", "#x", "~x/a.md", "@s/a.md"] {
            assert_eq!(imported(&format!("see @{name} y"), &[name], version), "", "{name} {version}");
        }
        #[rustfmt::skip]
        let table = [
            "a.markdown", "a.mdx", "a.jsonc", "a.jsonl", "a.tsv", "a.ipynb", "a.tf", "a.nix", "a.zig",
            "a.svg", "a.png", "a.pdf", "a.xyz", "x.md.bak", ".env.local", "a.tar.gz", "Makefile.",
        ];
        for name in table {
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

use super::*;

const PATHS: [&str; 14] = [
    "/t/p/C.md",
    "/t/p/d/a.md",
    "/t/p/d/b.md",
    "/t/p/d/1.md",
    "/t/p/d/é.md",
    "/t/p/d/[p].md",
    "/t/p/d/(p).md",
    "/t/p/d/.h/x.md",
    "/t/p/d/.hid.md",
    "/t/p/d/s/a.md",
    "/t/p/d/s/t/b.md",
    "/t/p/d/a.x.md",
    "/t/p/e/a.md",
    "/t/p/d/sp ce.md",
];

fn hits(pattern: &str) -> Vec<&'static str> {
    let glob = Glob::new(pattern);
    PATHS.into_iter().filter(|path| glob.matches(path)).map(|path| path.trim_start_matches("/t/p/")).collect()
}

#[test]
fn patterns_exclude_as_the_client_does() {
    let a = ["d/a.md", "d/s/a.md", "e/a.md"];
    let below_d = &PATHS.map(|path| path.trim_start_matches("/t/p/"))[1..];
    let below_d: Vec<_> = below_d.iter().copied().filter(|path| path.starts_with("d/")).collect();
    let in_d: Vec<_> = below_d.iter().copied().filter(|path| path.matches('/').count() == 1).collect();
    for pattern in ["**/a.md", "/t/p/**/a.md", "*/**/a.md", "!!**/a.md"] {
        assert_eq!(hits(pattern), a, "{pattern}");
    }
    for pattern in ["/t/p/d/**", "/**/d/**", "**/d/**"] {
        assert_eq!(hits(pattern), below_d, "{pattern}");
    }
    for pattern in ["/t/p/d/*.md", "**/d/*.md", "/t/p/d/***"] {
        assert_eq!(hits(pattern), in_d, "{pattern}");
    }
    for (pattern, want) in [
        ("/t/p/d/a.md", vec!["d/a.md"]),
        ("/t/p/d/a.md/**", vec!["d/a.md"]),
        ("/t/p/{d,e}/a.md", vec!["d/a.md", "e/a.md"]),
        ("/t/p/{d,}/a.md", vec!["d/a.md"]),
        ("/t/p/d/{a,{b,c}}.md", vec!["d/a.md", "d/b.md"]),
        ("/t/p/d/{1..3}.md", vec!["d/1.md"]),
        ("/t/p/*/a.md", vec!["d/a.md", "e/a.md"]),
        ("/t/p/d/[ab].md", vec!["d/a.md", "d/b.md"]),
        ("**/[a-c].md", vec!["d/a.md", "d/b.md", "d/s/a.md", "d/s/t/b.md", "e/a.md"]),
        ("/t/p/d/[!b].md", vec!["d/b.md"]),
        ("/t/p/d/[^a].md", vec!["d/b.md", "d/1.md", "d/é.md"]),
        ("/t/p/d/[[:alpha:]].md", vec!["d/a.md", "d/b.md"]),
        ("/t/p/d/?.md", vec!["d/a.md", "d/b.md", "d/1.md", "d/é.md"]),
        ("/t/p/d/@(a|b).md", vec!["d/a.md", "d/b.md"]),
        ("/t/p/d/(a|b).md", vec!["d/a.md", "d/b.md"]),
        ("/t/p/d/+(a).md", vec!["d/a.md"]),
        ("/t/p/d/?(a).md", vec!["d/a.md"]),
        ("/t/p/d/*(a|b).md", vec!["d/a.md", "d/b.md"]),
        (
            "/t/p/d/!(a).md",
            vec!["d/b.md", "d/1.md", "d/é.md", "d/[p].md", "d/(p).md", "d/.hid.md", "d/sp ce.md"],
        ),
        ("/t/p/d/a*", vec!["d/a.md", "d/a.x.md"]),
        ("/t/p/d/**a.md", vec!["d/a.md"]),
        ("/t/p/**d/a.md", vec!["d/a.md"]),
        ("**/.*", vec!["d/.hid.md"]),
        ("**/.h/x.md", vec!["d/.h/x.md"]),
        ("**/[p].md", vec!["d/[p].md"]),
    ] {
        // `[p]` finds the name in brackets too: picomatch tries a class and the text itself.
        let got = hits(pattern);
        assert_eq!(got, want, "{pattern}");
    }
    for all in ["**", "/**", "/t/**", "**/**", "**/*.md", "!**/nothing.md"] {
        assert_eq!(hits(all).len(), PATHS.len(), "{all}");
    }
    #[rustfmt::skip]
    let table = [
        "", "*", "*/a.md", "a.md", "d/a.md", "/t/p/d", "/t/p/d/", "/t/p/d/A.md", "**/d/", "**/d",
        "/t/p/d**", "~/x", "/t/p/d/a.md ", " /t/p/d/a.md", "**/a.md,**/b.md", "/t/p/d/**/", "**//a.md",
        "/t/p/d/[a", "/t/p/d/{a.md", "**/(p).md", "**/\\[p\\].md", "**/É.md",
    ];
    for none in table {
        assert_eq!(hits(none), [""; 0], "{none}");
    }
}

#[test]
fn a_pattern_that_tries_everything_ends() {
    let path = format!("/{}", "a".repeat(200));
    assert!(!Glob::new("/*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b").matches(&path));
    assert!(!Glob::new("/+(a|aa|aaa)+(a|aa|aaa)+(a|aa|aaa)b").matches(&path));
    let many = format!("/{}", "{a,b}".repeat(40));
    assert!(!Glob::new(&many).matches("/x"));
}

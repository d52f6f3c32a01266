//! Projects that are odd, broken, or made to do harm.

use crate::evidence_kit::{Repo, fate, look, options, vanished, wanted};
use memcurator::check::project::{Reach, Wanted};
use memcurator::evidence::Options;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::process::Command;

/// Whatever a project's own configuration names is not run: each of these would leave a mark.
#[test]
fn nothing_that_the_project_names_is_run() {
    let mut repo = Repo::new();
    repo.write("a.rs", "fn old() {}\n");
    repo.write("b.rs", "fn b() {}\n");
    repo.commit("start");
    repo.write("a.rs", "fn new() {}\n");
    repo.git(&["mv", "b.rs", "c.rs"]);
    repo.write("c.rs", "fn b() {}\n// more\n");
    repo.write(".gitattributes", "*.rs diff=evil filter=evil\n");
    let mark = repo.top.join("mark");
    let evil = repo.top.join("evil");
    fs::write(&evil, format!("#!/bin/sh\necho \"$@\" >>'{}'\ncat\n", mark.display())).unwrap();
    fs::set_permissions(&evil, fs::Permissions::from_mode(0o755)).unwrap();
    repo.commit("change");
    let evil = evil.to_str().unwrap();
    for key in [
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "core.sshCommand",
        "core.askPass",
        "core.gitProxy",
        "core.alternateRefsCommand",
        "diff.external",
        "diff.evil.command",
        "diff.evil.textconv",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "gpg.program",
        "gpg.ssh.program",
        "pager.log",
        "pager.ls-files",
        "pager.rev-parse",
        "pager.cat-file",
        "interactive.diffFilter",
        "credential.helper",
        "alias.log",
        "alias.cat-file",
        "remote.origin.uploadpack",
    ] {
        repo.git(&["config", key, evil]);
    }
    let aliased = format!("!{evil}");
    for (key, value) in [
        ("alias.ls-files", aliased.as_str()),
        ("alias.rev-parse", &aliased),
        ("log.showSignature", "true"),
        ("core.hooksPath", repo.top.to_str().unwrap()),
        ("filter.evil.required", "true"),
        ("color.ui", "always"),
        ("diff.noprefix", "true"),
        ("log.follow", "true"),
        ("format.pretty", "oneline"),
        ("remote.origin.url", &format!("ext::{evil}")),
        ("remote.origin.promisor", "true"),
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("protocol.ext.allow", "always"),
    ] {
        repo.git(&["config", key, value]);
    }
    // A content that is missing would be fetched by a partial clone, with the remote's own program.
    let blob = repo.git(&["rev-parse", "HEAD~1:a.rs"]);
    let (dir, file) = blob.split_at(2);
    fs::remove_file(repo.root.join(".git/objects").join(dir).join(file)).unwrap();
    fs::write(&mark, "").unwrap();
    let project = repo.look(&wanted(&["old", "never"], &[], &[]));
    assert_eq!(fate(&project, "b.rs"), "moved to c.rs: change");
    assert_eq!(vanished(&project, "old"), "unknown", "its content is missing");
    assert_eq!(fs::read_to_string(&mark).unwrap(), "");
    look(&repo.root, &wanted(&["old", "never"], &[], &[]), &Options { git: None, ..options() }).unwrap();
    assert_eq!(fs::read_to_string(&mark).unwrap(), "", "the library neither");
    // The test can fail: git itself would have run it.
    let _ = repo.command(&["diff", "HEAD~1", "--", "b.rs"]).output().unwrap();
    assert_ne!(fs::read_to_string(&mark).unwrap(), "");
}

#[test]
fn odd_files_are_listed_and_not_waited_for() {
    let mut repo = Repo::new();
    repo.write("a.rs", "fn here() {}\n");
    repo.write("line\nend.rs", "fn here() {}\n");
    repo.write("quote\"tab\t.rs", "fn gone_from_quotes() {}\n");
    repo.write("binary.bin", b"\0\0 here");
    repo.write("long.js", format!("{} here", "x".repeat(1 << 20)));
    repo.write("big.js", format!("{} here", "x ".repeat(2 << 20)));
    fs::write(repo.root.join(OsStr::from_bytes(b"caf\xe9.rs")), "fn here() {}\n").unwrap();
    symlink(".", repo.root.join("loop")).unwrap();
    symlink("a.rs", repo.root.join("link.rs")).unwrap();
    symlink("/etc", repo.root.join("out")).unwrap();
    symlink("nowhere", repo.root.join("dangling")).unwrap();
    repo.commit("start");
    repo.remove("quote\"tab\t.rs");
    repo.commit("remove");
    assert!(Command::new("mkfifo").arg(repo.root.join("pipe")).status().unwrap().success());
    let _socket = UnixListener::bind(repo.root.join("socket")).unwrap();
    let locked = repo.root.join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    let project = repo.look_both(&wanted(&["here", "gone_from_quotes"], &[], &[]));
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o700)).unwrap();
    let files = [
        "a.rs",
        "big.js",
        "binary.bin",
        "caf\u{fffd}.rs",
        "dangling",
        "line\nend.rs",
        "link.rs",
        "long.js",
        "loop",
        "out",
    ];
    assert_eq!(*project.files, files);
    let places: Vec<_> = project.places["here"].iter().map(|place| place.path.as_str()).collect();
    assert_eq!(places, ["a.rs", "caf\u{fffd}.rs", "line\nend.rs", "long.js"]);
    let expected = "remove: quote\"tab\t.rs: fn gone_from_quotes() {}";
    assert_eq!(vanished(&project, "gone_from_quotes"), expected);
}

#[test]
fn repositories_that_are_broken_are_no_error() {
    let repo = Repo::bare_directory();
    repo.write(".git", "gitdir: nowhere\n");
    repo.write("a.rs", "fn here() {}\n");
    let project = repo.look(&wanted(&["here"], &[], &[]));
    assert_eq!((project.places.len(), &project.history.reach), (1, &Reach::None));
    assert_eq!(project.notes, ["no history: its `.git` leads to no repository"]);

    let mut repo = Repo::new();
    repo.write("a.rs", "fn here() {}\n");
    repo.commit("start");
    repo.write("a.rs", "fn there() {}\n");
    repo.commit("change");
    fs::write(repo.root.join(".git/config"), "[core\nbroken").unwrap();
    let project = repo.look(&wanted(&["here"], &[], &[]));
    assert_eq!(project.history.reach, Reach::None);
    assert!(
        project.notes[0].starts_with("no history: git can't read its repository: "),
        "{:?}",
        project.notes
    );
    fs::write(repo.root.join(".git/HEAD"), "ref: refs/heads/../../../etc/passwd\n").unwrap();
    assert_eq!(repo.look(&Wanted::default()).history.reach, Reach::None);
}

#[test]
fn a_history_with_a_hole_tells_what_it_can() {
    let mut repo = Repo::new();
    for number in 0..5 {
        repo.write("a.rs", format!("fn number_{number}() {{}}\n"));
        repo.commit(&format!("commit {number}"));
    }
    let commit = repo.git(&["rev-parse", "HEAD~3"]);
    let (dir, file) = commit.split_at(2);
    fs::remove_file(repo.root.join(".git/objects").join(dir).join(file)).unwrap();
    let project = repo.look(&wanted(&["number_3", "number_0"], &[], &[]));
    assert_eq!(vanished(&project, "number_3"), "commit 4: a.rs: fn number_3() {}");
    assert_eq!(vanished(&project, "number_0"), "unknown");
    assert!(matches!(project.history.reach, Reach::Until(_)), "{:?}", project.history.reach);
}

#[test]
fn bare_repositories_and_submodules() {
    let mut repo = Repo::new();
    repo.write("a.rs", "fn gone() {}\n");
    repo.commit("start");
    repo.write("a.rs", "fn b() {}\n");
    repo.commit("change");
    repo.git(&["clone", "-q", "--bare", ".", "../bare"]);
    let bare = look(&repo.top.join("bare"), &wanted(&["gone"], &[], &[]), &options()).unwrap();
    assert_eq!(vanished(&bare, "gone"), "change: a.rs: fn gone() {}");

    let from = format!("file://{}", repo.top.join("bare").display());
    repo.git(&["submodule", "--quiet", "add", &from, "sub"]);
    repo.commit("add a submodule");
    let project = repo.look(&wanted(&["b"], &[], &[]));
    assert_eq!(*project.files, [".gitmodules", "a.rs", "sub/a.rs"]);
    repo.git(&["rm", "-q", "-f", "sub"]);
    repo.commit("remove the submodule");
    assert_eq!(fate(&repo.look(&Wanted::default()), "sub"), "removed: remove the submodule");
}

#[test]
fn more_files_than_are_looked_at_make_no_claims() {
    let mut repo = Repo::new();
    repo.write("a.rs", "fn gone() {}\n");
    repo.commit("start");
    repo.write("a.rs", "\n");
    repo.commit("change");
    for number in 0..50 {
        repo.write(&format!("f{number}.rs"), "\n");
        repo.write(&format!("node_modules/x/f{number}.js"), "gone\n");
    }
    repo.write(".gitignore", "node_modules\n");
    let few =
        look(&repo.root, &wanted(&["gone"], &[], &[]), &Options { most_files: 20, ..options() }).unwrap();
    assert_eq!(vanished(&few, "gone"), "unknown");
    assert_eq!(few.notes, ["the project has more than 20 files; only so many were looked at"]);
    assert_eq!(vanished(&repo.look(&wanted(&["gone"], &[], &[])), "gone"), "change: a.rs: fn gone() {}");
}

/// A repository that belongs to someone else is git's to refuse.
#[test]
fn variables_of_the_surroundings_lead_nowhere_else() {
    let mut other = Repo::new();
    other.write("other.rs", "fn other() {}\n");
    other.commit("other");
    let mut repo = Repo::new();
    repo.write("a.rs", "fn here() {}\n");
    repo.commit("start");
    // Variables of this process can't be set beside other tests: the program is a script that sets them.
    let git = repo.top.join("git");
    let real = options().git.unwrap();
    let script = format!(
        "#!/bin/sh\nenv | grep ^GIT_ >'{0}/env'\nexec '{1}' \"$@\"\n",
        repo.top.display(),
        real.display()
    );
    fs::write(&git, script).unwrap();
    fs::set_permissions(&git, fs::Permissions::from_mode(0o755)).unwrap();
    let project = look(&repo.root, &Wanted::default(), &Options { git: Some(git), ..options() }).unwrap();
    assert_eq!(project.history.commits.len(), 1);
    let env = fs::read_to_string(repo.top.join("env")).unwrap();
    for kept in
        ["GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL="]
    {
        assert!(env.lines().any(|line| line == kept), "{env}");
    }
    assert!(!env.contains("GIT_DIR") && !env.contains("GIT_EXTERNAL_DIFF"), "{env}");
}

#[test]
fn looking_writes_nothing_in_the_project() {
    let mut repo = Repo::new();
    repo.write("a.rs", "fn here() {}\n");
    repo.commit("start");
    let listing = || {
        let output = Command::new("find").arg(&repo.root).args(["-printf", "%p %T@ %s\\n"]).output();
        let mut lines: Vec<_> =
            String::from_utf8(output.unwrap().stdout).unwrap().lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let before = listing();
    repo.look_both(&wanted(&["here", "gone"], &[], &[]));
    assert_eq!(listing(), before);
}

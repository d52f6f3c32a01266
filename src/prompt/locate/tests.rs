//! Every statement of CLIENT_FACTS A, one table a statement, on a file system in memory.
#![allow(clippy::needless_pass_by_value)]

use super::*;
use crate::prompt::port::mem::MemPort;
use serde_json::json;

const USER: &str = "/home/.claude/settings.json";
const PROJECT: &str = "/proj/.claude/settings.json";
const LOCAL: &str = "/proj/.claude/settings.local.json";
const VERSIONS: [&str; 3] = ["2.1.100", "2.1.197", "2.1.332"];

/// A world with a repository `/proj` and a home `/home`.
#[derive(Clone)]
struct World {
    port: MemPort,
    env: Environment,
    launch: Launch,
}

impl World {
    fn new() -> Self {
        let mut port = MemPort::default();
        port.dir("/home").dir("/proj/.git").dir("/proj/a/b");
        let env = Environment { cwd: "/proj".into(), home: "/home".into(), ..Environment::default() };
        Self { port, env, launch: Launch::default() }
    }
    fn plain() -> Self {
        let mut world = Self::new();
        world.port = MemPort::default();
        world.port.dir("/home");
        world
    }
    fn file(mut self, path: &str, text: impl Into<Vec<u8>>) -> Self {
        self.port.file(path, text);
        self
    }
    fn set(self, path: &str, value: serde_json::Value) -> Self {
        self.file(path, value.to_string())
    }
    fn dir(mut self, path: &str) -> Self {
        self.port.dir(path);
        self
    }
    fn link(mut self, path: &str, target: &str) -> Self {
        self.port.link(path, target);
        self
    }
    fn var(mut self, name: &str, value: &str) -> Self {
        self.env.vars.insert(name.into(), value.into());
        self
    }
    fn cwd(mut self, path: &str) -> Self {
        self.env.cwd = path.into();
        self
    }
    fn flag(mut self, text: impl ToString) -> Self {
        self.launch.settings = Some(text.to_string());
        self
    }
    fn sources(mut self, sources: &[Scope]) -> Self {
        self.launch.sources = Some(sources.to_vec());
        self
    }
    /// The located directory, `off` when memory is off; the default store's is given by its slug alone.
    fn on(&self, version: &str) -> String {
        let mut launch = self.launch.clone();
        launch.rules = Rules::of(version).unwrap();
        let located = client_store_as(&self.port, &self.env, &launch);
        if located.off.is_some() {
            return "off".into();
        }
        let dir = located.dir.to_str().unwrap().to_string();
        match dir.strip_prefix("/home/.claude/projects/").and_then(|dir| dir.strip_suffix("/memory")) {
            Some(slug) => slug.to_string(),
            None => dir,
        }
    }
    /// Checks all three versions.
    #[track_caller]
    fn all(&self, want: &str) {
        self.each([want, want, want]);
    }
    /// Checks 2.1.100, 2.1.197 and 2.1.332.
    #[track_caller]
    fn each(&self, want: [&str; 3]) {
        assert_eq!(VERSIONS.map(|version| self.on(version)), want);
    }
    /// A linked worktree `/wt` of `/proj`; `back` is what its way back says.
    fn worktree(back: &str) -> Self {
        let world = Self::new().file("/wt/.git", "gitdir: /proj/.git/worktrees/w\n").dir("/wt/a");
        let world = world.file("/proj/.git/worktrees/w/commondir", "../..\n").cwd("/wt");
        world.file("/proj/.git/worktrees/w/gitdir", back)
    }
}

fn dir(value: impl Into<serde_json::Value>) -> serde_json::Value {
    json!({ "autoMemoryDirectory": value.into() })
}
fn enabled(value: impl Into<serde_json::Value>) -> serde_json::Value {
    json!({ "autoMemoryEnabled": value.into() })
}
fn env(name: &str, value: impl Into<serde_json::Value>) -> serde_json::Value {
    json!({ "env": { name: value.into() } })
}

#[test]
fn a1_the_config_directory() {
    World::new().all("-proj");
    for (set, want) in [
        ("/cfg", "/cfg/projects/-proj/memory"),
        ("/cfg/", "/cfg/projects/-proj/memory"),
        ("/x/../cfg", "/cfg/projects/-proj/memory"),
        ("cfg", "/proj/cfg/projects/-proj/memory"),
        ("~/cfg", "/proj/~/cfg/projects/-proj/memory"),
        ("", "/proj/projects/-proj/memory"),
    ] {
        World::new().var("CLAUDE_CONFIG_DIR", set).all(want);
    }
    // Settings are read from there, and may move everything else once more.
    World::new().var("CLAUDE_CONFIG_DIR", "/c").set("/c/settings.json", dir("~/am")).all("/home/am");
    World::new().set(USER, env("CLAUDE_CONFIG_DIR", "/c")).all("/c/projects/-proj/memory");
    World::new().set(PROJECT, env("CLAUDE_CONFIG_DIR", "/c")).each([
        "/c/projects/-proj/memory",
        "/c/projects/-proj/memory",
        "-proj",
    ]);
}

#[test]
fn a4_the_git_root() {
    World::new().cwd("/proj/a/b").all("-proj");
    World::plain().dir("/proj/a").cwd("/proj/a").all("-proj-a");
    // An empty file, and one that leads nowhere; a link that leads nowhere is none.
    World::plain().file("/proj/.git", "").dir("/proj/a").cwd("/proj/a").all("-proj");
    World::plain().file("/proj/.git", "gitdir: /gone").dir("/proj/a").cwd("/proj/a").all("-proj");
    World::plain().link("/proj/.git", "gone").dir("/proj/a").cwd("/proj/a").all("-proj-a");
    World::plain().dir("/g").link("/proj/.git", "/g").dir("/proj/a").cwd("/proj/a").all("-proj");
    World::new().var("GIT_DIR", "/other/.git").all("-proj");
    World::new().dir("/proj/in/.git").dir("/proj/in/x").cwd("/proj/in/x").all("-proj-in");
    // A submodule and a separate git directory have no commondir.
    let submodule = World::new().file("/proj/sub/.git", "gitdir: ../.git/modules/sub").dir("/proj/sub/x");
    submodule.dir("/proj/.git/modules/sub").cwd("/proj/sub/x").all("-proj-sub");
    // A bare repository is not one from inside.
    World::plain().file("/x.git/HEAD", "").cwd("/x.git").all("-x-git");
    // The real directory counts, not PWD.
    World::new().link("/l", "/proj/a").var("PWD", "/l").cwd("/l").all("-proj");
}

#[test]
fn a4_worktrees() {
    World::worktree("/wt/.git\n").all("-proj");
    World::worktree("/wt/.git\n").cwd("/wt/a").all("-proj");
    World::worktree("/elsewhere/.git\n").all("-wt");
    World::worktree("/proj/.git\n").all("-wt");
    World::worktree("../../../../wt/.git\n").each(["-wt", "-wt", "-proj"]);
    // The file was copied: the way back leads to the original.
    let copied = World::worktree("/wt/.git\n").file("/copy/.git", "gitdir: /proj/.git/worktrees/w\n");
    copied.cwd("/copy").all("-copy");
    // The `.git` file may be relative, but no link.
    World::worktree("/wt/.git\n").file("/wt/.git", "gitdir: ../proj/.git/worktrees/w\n").all("-proj");
    let linked = World::worktree("/wt/.git\n").file("/real", "gitdir: /proj/.git/worktrees/w\n");
    linked.link("/wt/.git", "/real").all("-wt");
    // Inside the main tree, reached through a link too.
    let inside = World::worktree("/proj/wt/.git\n").file("/proj/wt/.git", "gitdir: /proj/.git/worktrees/w\n");
    inside.clone().cwd("/proj/wt").all("-proj");
    inside.link("/l", "/proj/wt").cwd("/l").all("-proj");
    // Not below `worktrees`.
    let odd = World::new().file("/wt/.git", "gitdir: /proj/.git/odd").file("/proj/.git/odd/commondir", "..");
    odd.file("/proj/.git/odd/gitdir", "/wt/.git").cwd("/wt").all("-wt");
}

#[test]
fn a4_worktrees_of_bare_repositories_and_submodules() {
    for (git, want) in
        [("/x.git", "-x-git"), ("/p/.bare", "-p--bare"), ("/p/.git/modules/s", "-p--git-modules-s")]
    {
        let world = World::plain().file("/wt/.git", format!("gitdir: {git}/worktrees/w"));
        let world = world.file(&format!("{git}/worktrees/w/commondir"), "../..");
        world.file(&format!("{git}/worktrees/w/gitdir"), "/wt/.git").cwd("/wt").all(want);
    }
    World::plain().file("/p/.git", "gitdir: ./.bare").dir("/p/.bare/x").cwd("/p/.bare/x").all("-p");
}

#[test]
fn a5_forms_of_the_directory() {
    for (set, want) in [
        ("/am", "/am"),
        ("/am//b/../c/", "/am/c"),
        ("~/am", "/home/am"),
        ("~//am", "/home/am"),
        ("~/a/../b", "/home/b"),
        ("x", "-proj"),
        ("./x", "-proj"),
        ("~", "-proj"),
        ("~/", "-proj"),
        ("~/.", "-proj"),
        ("~/a/..", "-proj"),
        ("~/..", "-proj"),
        ("/", "-proj"),
        ("/a", "-proj"),
        ("", "-proj"),
        ("$HOME/x", "-proj"),
        ("~user/x", "-proj"),
        ("/a\0b", "-proj"),
    ] {
        World::new().set(USER, dir(set)).all(want);
    }
    World::new().set(USER, dir("~/../xx")).each(["/xx", "-proj", "-proj"]);
    World::new().set(USER, dir(5)).all("-proj");
    let ignored = client_store(&World::new().set(USER, dir("x")).port, &World::new().env);
    assert!(ignored.notes[0].contains(USER), "{:?}", ignored.notes);
}

#[test]
fn a5_precedence_of_the_directory() {
    let user = || World::new().set(USER, dir("/uu"));
    user().flag(dir("/ff")).all("/ff");
    user().set(LOCAL, dir("/ll")).all("/ll");
    user().set(PROJECT, dir("/pp")).each(["/uu", "/pp", "/pp"]);
    World::new().set(PROJECT, dir("/pp")).each(["-proj", "/pp", "/pp"]);
    user().set(PROJECT, dir("/pp")).set(LOCAL, dir("/ll")).all("/ll");
    user().set(LOCAL, dir("/ll")).flag(dir("/ff")).all("/ff");
    World::new().file("/f.json", dir("/ff").to_string()).flag("/f.json").all("/ff");
    World::new().file("/proj/f.json", dir("/ff").to_string()).flag("f.json").all("/ff");
    // The winning value decides even when it is unusable; a file with a wrong type does not count at all.
    user().set(LOCAL, dir("x")).all("-proj");
    user().set(LOCAL, dir("")).all("-proj");
    user().set(LOCAL, dir(5)).all("/uu");
    user().set(LOCAL, dir(serde_json::Value::Null)).all("/uu");
    // Managed settings come before all (documented only).
    let mut managed = user().flag(dir("/ff")).set("/etc/managed.json", dir("/mm"));
    managed.launch.managed = Some("/etc/managed.json".into());
    managed.all("/mm");
}

#[test]
fn a5_setting_sources() {
    let user = World::new().set(USER, dir("/uu"));
    user.clone().sources(&[Scope::Project]).each(["/uu", "/uu", "-proj"]);
    World::new().set(PROJECT, dir("/pp")).sources(&[Scope::User]).each(["-proj", "/pp", "-proj"]);
    user.flag(dir("/ff")).sources(&[]).all("/ff");
    World::new().set(PROJECT, enabled(false)).sources(&[Scope::User]).all("-proj");
    let disabled = World::new().set(USER, env("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1"));
    disabled.sources(&[Scope::Project]).all("-proj");
}

#[test]
fn a5_where_settings_are_looked_for() {
    let from = |path: &str, cwd: &str| World::new().set(path, dir("/ss")).cwd(cwd);
    from(PROJECT, "/proj/a").all("-proj");
    from("/proj/a/.claude/settings.json", "/proj/a").each(["-proj", "/ss", "/ss"]);
    from("/proj/a/.claude/settings.local.json", "/proj/a").all("/ss");
    from("/proj/a/.claude/settings.local.json", "/proj/a/b").all("-proj");
    from(LOCAL, "/proj/a").each(["-proj", "-proj", "/ss"]);
    let own = "/proj/a/.claude/settings.local.json";
    from(LOCAL, "/proj/a").set(own, dir("/own")).each(["/own", "/own", "/ss"]);
    // Worktrees: the main checkout's local settings, never its project settings.
    let worktree = World::worktree("/wt/.git");
    worktree.clone().set(PROJECT, dir("/ss")).all("-proj");
    worktree.clone().set(LOCAL, dir("/ss")).each(["-proj", "-proj", "/ss"]);
    worktree.clone().set("/wt/.claude/settings.local.json", dir("/own")).all("/own");
    worktree.set("/wt/.claude/settings.local.json", dir("/own")).cwd("/wt/a").all("-proj");
    // At home the project's file is the person's own.
    World::plain().set(USER, dir("/uu")).cwd("/home").all("/uu");
}

#[test]
fn a_settings_file_is_read_leniently() {
    let text = |text: &str| World::new().file(USER, text);
    text("\u{feff}{\"autoMemoryDirectory\": \"/uu\"}").all("/uu");
    text("{\"autoMemoryDirectory\": \"/u1\", \"autoMemoryDirectory\": \"/u2\"}").all("/u2");
    for broken in
        ["", "[1]", "{", "// c\n{\"autoMemoryDirectory\": \"/uu\"}", "{\"autoMemoryDirectory\": \"/uu\",}"]
    {
        text(broken).all("-proj");
    }
    for wrong in [json!("x"), json!(null), json!(1)] {
        World::new().set(USER, json!({ "autoMemoryDirectory": "/uu", "env": wrong })).all("-proj");
    }
    let broken = client_store(&text("{").port, &World::new().env);
    assert!(broken.notes[0].starts_with(USER), "{:?}", broken.notes);
    assert_eq!(client_store(&text("").port, &World::new().env).notes, [""; 0]);
}

#[test]
fn a6_auto_memory_enabled() {
    for path in [USER, PROJECT, LOCAL] {
        World::new().set(path, enabled(false)).all("off");
        World::new().set(path, enabled("false")).all("-proj");
    }
    World::new().flag(enabled(false)).all("off");
    World::new().set(USER, enabled(false)).set(PROJECT, enabled(true)).all("-proj");
    World::new().set(USER, enabled(true)).set(LOCAL, enabled(false)).all("off");
    World::new().set(USER, enabled(false)).set(LOCAL, enabled("false")).all("off");
    World::new().set(USER, enabled(false)).set(PROJECT, enabled(serde_json::Value::Null)).all("off");
    World::new().set(LOCAL, enabled(false)).cwd("/proj/a").each(["-proj", "-proj", "off"]);
    let off = client_store(&World::new().set(USER, enabled(false)).port, &World::new().env);
    assert_eq!(off.off.unwrap(), format!("autoMemoryEnabled: false in {USER}"));
    assert_eq!(off.dir, Path::new("/home/.claude/projects/-proj/memory"), "the store is there all the same");
}

#[test]
fn a6_the_disable_variable() {
    const NAME: &str = "CLAUDE_CODE_DISABLE_AUTO_MEMORY";
    for value in ["1", "true", "yes", "on", "TRUE", " 1 "] {
        World::new().var(NAME, value).all("off");
    }
    for value in ["0", "false", "no", "off"] {
        World::new().var(NAME, value).set(USER, enabled(false)).all("-proj");
    }
    for value in ["", "2", "y"] {
        World::new().var(NAME, value).all("-proj");
        World::new().var(NAME, value).set(USER, enabled(false)).all("off");
    }
    for path in [USER, PROJECT, LOCAL] {
        World::new().set(path, env(NAME, "1")).all("off");
    }
    for value in [json!(1), json!(true), json!(["1"])] {
        World::new().set(USER, env(NAME, value)).all("off");
    }
    World::new().flag(env(NAME, "1")).all("off");
    World::new().var(NAME, "0").set(USER, env(NAME, "1")).all("off");
    World::new().var(NAME, "1").set(USER, env(NAME, "0")).all("-proj");
    World::new().set(USER, env(NAME, "1")).set(PROJECT, env(NAME, "0")).all("-proj");
}

#[test]
fn a6_minimal_sessions() {
    for value in ["1", "yes"] {
        World::new().var("CLAUDE_CODE_SIMPLE", value).all("off");
        World::new().var("CLAUDE_CODE_SAFE_MODE", value).each(["-proj", "off", "off"]);
    }
    World::new().var("CLAUDE_CODE_SIMPLE", "2").all("-proj");
    World::new().var("CLAUDE_CODE_SIMPLE", "1").var("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "0").all("off");
    World::new().var("CLAUDE_CODE_SIMPLE", "1").set(USER, env("CLAUDE_CODE_SIMPLE", "0")).all("-proj");
    World::new().set(PROJECT, env("CLAUDE_CODE_SIMPLE", "1")).each(["off", "off", "-proj"]);
    World::new().set(LOCAL, env("CLAUDE_CODE_SAFE_MODE", "1")).each(["-proj", "off", "-proj"]);
    let mut bare = World::new().var("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "/cw");
    bare.launch.minimal = Minimal::Bare;
    bare.all("off");
    bare.launch.minimal = Minimal::Safe;
    bare.each(["/cw", "off", "off"]);
}

#[test]
fn a6_remote_sessions() {
    const REMOTE: &str = "CLAUDE_CODE_REMOTE";
    const MEMORY: &str = "CLAUDE_CODE_REMOTE_MEMORY_DIR";
    World::new().var(REMOTE, "1").all("off");
    World::new().var(REMOTE, "1").set(USER, enabled(true)).all("off");
    World::new().var(REMOTE, "1").var("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "0").all("-proj");
    World::new().var(REMOTE, "1").var(MEMORY, "/rm").all("/rm/projects/-proj/memory");
    World::new().var(REMOTE, "1").var(MEMORY, "").all("off");
    for value in ["0", "2", ""] {
        World::new().var(REMOTE, value).all("-proj");
    }
    World::new().set(USER, env(REMOTE, "1")).each(["off", "-proj", "-proj"]);
    World::new().var(MEMORY, "/rm").all("/rm/projects/-proj/memory");
    World::new().var(MEMORY, "rm").all("/proj/rm/projects/-proj/memory");
    World::new().var(MEMORY, "~/rm").all("/proj/~/rm/projects/-proj/memory");
    World::new().var(MEMORY, "").all("-proj");
    World::new().var(MEMORY, "/rm").set(USER, dir("/uu")).all("/uu");
    World::new().var(MEMORY, "/rm").set(USER, enabled(false)).all("off");
    let rm = "/rm/projects/-proj/memory";
    World::new().set(PROJECT, env(MEMORY, "/rm")).each([rm, rm, "-proj"]);
    World::new().flag(env(MEMORY, "/rm")).all(rm);
}

#[test]
fn a6_the_override() {
    const NAME: &str = "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE";
    World::new().var(NAME, "/cw/").set(USER, dir("/uu")).all("/cw");
    World::new().var(NAME, "/cw").set(USER, enabled(false)).all("off");
    let forced = World::new().var(NAME, "/cw").set(USER, enabled(false));
    forced.var("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "0").all("/cw");
    World::new().var(NAME, "/x/../cw").var("CLAUDE_CODE_REMOTE", "1").each(["off", "/cw", "/cw"]);
    for ignored in ["cw", "~/cw", ""] {
        World::new().var(NAME, ignored).all("-proj");
    }
    World::new().set(USER, env(NAME, "/cw")).all("/cw");
    World::new().set(LOCAL, env(NAME, "/cw")).each(["/cw", "/cw", "-proj"]);
}

#[test]
fn a6_what_keeps_the_index_out_is_said() {
    for (name, value, versions) in [
        ("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "1", [1, 1, 1]),
        ("CLAUDE_COWORK_MEMORY_INDEX_CONTENT", "text", [0, 1, 1]),
        ("CLAUDE_MEMORY_STORES", "/x", [0, 0, 1]),
    ] {
        let world = World::new().var(name, value);
        let said = VERSIONS.map(|version| {
            let launch = Launch { rules: Rules::of(version).unwrap(), ..Launch::default() };
            client_store_as(&world.port, &world.env, &launch).notes.len()
        });
        assert_eq!(said, versions, "{name}");
        world.all("-proj");
    }
}

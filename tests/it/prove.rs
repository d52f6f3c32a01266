//! Learning and proving with a stand-in client of our own, also one that misbehaves.

use crate::stand_in::{VERSION, program};
use serde_json::Value;
use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A person's home, a project and a configuration that names the stand-in.
struct World {
    dir: tempfile::TempDir,
    root: PathBuf,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let world = Self { dir, root };
        for (path, text) in [
            ("home/.claude/CLAUDE.md", "Answer briefly.\n"),
            ("home/.claude/rules/tone.md", "Be kind.\n"),
            ("pay/CLAUDE.md", "Amounts are integers. @docs/money.md\n"),
            ("pay/docs/money.md", "Round half to even.\n"),
            ("pay/.claude/rules/b.md", "Rule b.\n"),
            ("pay/.claude/rules/a.md", "Rule a.\n"),
            ("pay/.claude/rules/api.md", "---\npaths: src/**\n---\nVersion every route.\n"),
            ("pay/src/routes.rs", "fn main() {}\n"),
            ("pay/CLAUDE.local.md", "My own.\n"),
        ] {
            world.write(path, text);
        }
        fs::create_dir_all(world.root.join("pay/.git")).unwrap();
        fs::create_dir_all(world.root.join("tmp")).unwrap();
        world.memory("MEMORY.md", "- [Old](old.md) — of the past\n");
        world.memory("old.md", "---\nname: old\n---\nof the past\n");
        world
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn memory(&self, name: &str, text: &str) {
        let project = self.root.join("pay");
        let slug: String = project
            .to_str()
            .unwrap()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        self.write(&format!("home/.claude/projects/{slug}/memory/{name}"), text);
    }

    /// Runs memcurator with a stand-in that behaves so.
    fn command(&self, mode: &str, args: &[&str]) -> Command {
        let client = program(&self.root, mode);
        let config = self.root.join("config.toml");
        fs::write(&config, format!("client = \"{}\"\n", client.display())).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_memcurator"));
        command
            .env_clear()
            .env("HOME", self.root.join("home"))
            .env("TMPDIR", self.root.join("tmp"))
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .current_dir(self.root.join("pay"))
            .args(args)
            .args(["--format", "json", "--config"])
            .arg(config)
            .stdin(Stdio::null());
        command
    }

    fn run(&self, mode: &str, args: &[&str]) -> Output {
        let done = self.command(mode, args).output().unwrap();
        let left: Vec<_> =
            fs::read_dir(self.root.join("tmp")).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(left, Vec::<PathBuf>::new(), "nothing is left behind");
        done
    }

    fn json(&self, mode: &str, args: &[&str], status: i32) -> Value {
        let done = self.run(mode, args);
        assert_eq!(done.status.code(), Some(status), "{}", String::from_utf8_lossy(&done.stderr));
        serde_json::from_slice(&done.stdout).unwrap()
    }

    /// Runs something that must fail, and gives what it says.
    fn fails(&self, mode: &str, args: &[&str]) -> String {
        let done = self.run(mode, args);
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(2), "{said}");
        assert!(said.contains("hint: "), "{said}");
        assert!(!String::from_utf8_lossy(&done.stdout).contains("identical"), "{said}");
        said
    }

    fn cache(&self) -> PathBuf {
        self.root.join("home/.cache/memcurator/wording")
    }
}

#[test]
fn its_words_are_learned_and_the_preview_is_proved() {
    let world = World::new();
    let before = world.json("good", &["preview"], 0);
    assert_eq!((&before["wording"], &before["client"]["version"]), (&"built-in".into(), &VERSION.into()));
    let learned = world.json("good", &["learn"], 0);
    let unknown: Vec<&str> =
        learned["unknown"].as_array().unwrap().iter().map(|it| it["slot"].as_str().unwrap()).collect();
    assert_eq!(unknown, ["label-managed"], "{learned}");
    let preview = world.json("good", &["preview", "--open", "src/routes.rs"], 0);
    assert_eq!(preview["wording"], "learned");
    let text = preview["text"].as_str().unwrap();
    assert!(text.starts_with("<stand-in always>\nplease heed"), "{text}");
    assert!(text.ends_with("\nthat was it </stand-in>"), "{text}");
    let pay = world.root.join("pay");
    let rule = format!("({}/.claude/rules/api.md joins in)\nVersion every route.\n\n(end)", pay.display());
    assert_eq!(preview["opened"]["files"][0]["brings"], rule);
    assert!(preview["system"].as_str().unwrap().starts_with("# What the stand-in keeps"), "{preview}");
    // Another version's rules don't get these words.
    assert_eq!(world.json("good", &["preview", "--client", "2.1.197"], 0)["wording"], "built-in");

    let proof = world.json("good", &["preview", "--prove", "--open", "src/routes.rs"], 0);
    assert_eq!(
        (&proof["identical"], &proof["difference"], &proof["place"]),
        (&true.into(), &Value::Null, &Value::Null)
    );
    assert_eq!(proof["left_out"], Value::Array(vec![]));
    let lines: String = (0..230).map(|n| format!("- [M{n}](m{n}.md) — the {n}th\n")).collect();
    world.memory("MEMORY.md", &lines);
    assert_eq!(world.json("good", &["preview", "--prove"], 0)["identical"], true);
    // A corrupt file is as if nothing were known: it is learned again.
    let kept = fs::read_dir(world.cache()).unwrap().next().unwrap().unwrap().path();
    fs::write(&kept, "{").unwrap();
    assert_eq!(world.json("good", &["preview"], 0)["wording"], "built-in");
    assert_eq!(world.json("good", &["preview", "--prove"], 0)["identical"], true);
}

#[test]
fn a_client_that_says_something_else_is_never_identical() {
    let world = World::new();
    world.json("liar", &["learn"], 0);
    let proof = world.json("liar", &["preview", "--prove"], 1);
    assert_eq!(proof["identical"], false);
    assert_eq!(proof["difference"]["ours"].as_str().unwrap().split('\n').next(), Some("Be kind."));
    assert_eq!(proof["difference"]["theirs"].as_str().unwrap().split('\n').next(), Some("Be cruel."));
    let learned = world.json("changing", &["learn"], 1);
    let unknown = learned["unknown"].to_string();
    assert!(unknown.contains("opening") && unknown.contains("in other words each time"), "{unknown}");
    let proof = world.json("changing", &["preview", "--prove"], 1);
    assert_eq!(proof["identical"], false);
    assert!(proof["unknown"].to_string().contains("opening"), "{proof}");
    assert_eq!(world.json("changing", &["preview"], 0)["wording"], "built-in");
}

#[test]
fn a_client_that_crashes_or_talks_rubbish_is_told_apart() {
    let world = World::new();
    for args in [&["learn"][..], &["preview", "--prove"]] {
        let said = world.fails("crash", args);
        assert!(said.contains("status 70") && said.contains("falls over"), "{said}");
        let said = world.fails("rubbish", args);
        assert!(said.contains("no request"), "{said}");
        let said = world.fails("nameless", args);
        assert!(said.contains("does not say which version") && said.contains("hello"), "{said}");
    }
    let said = world.fails("good", &["preview", "--prove", "--client", "2.1.100"]);
    assert!(said.contains("is 2.1.332, not 2.1.100"), "{said}");
    fs::write(world.root.join("config.toml"), "client = \"/nowhere\"\n").unwrap();
    let mut command = world.command("good", &["learn"]);
    fs::write(world.root.join("config.toml"), "client = \"/nowhere\"\n").unwrap();
    let done = command.output().unwrap();
    assert!(String::from_utf8_lossy(&done.stderr).contains("names /nowhere"), "{done:?}");
    assert!(!world.cache().exists(), "nothing was learned");
}

#[test]
fn a_client_that_hangs_is_ended_with_all_its_processes() {
    let world = World::new();
    let marker = world.root.join("outlived");
    let mode = format!("hang:{}", marker.display());
    for sealed in [&[][..], &["--unsealed"]] {
        let args = [&["learn", "--limit", "1"], sealed].concat();
        let started = Instant::now();
        let said = world.fails(&mode, &args);
        assert!(said.contains("did not finish within 1 seconds"), "{said}");
        assert!(started.elapsed() < Duration::from_secs(60));
        assert_eq!(alive(&marker), 0, "{args:?}");
    }
    // Ctrl-C ends it too.
    let mut child = world.command(&mode, &["learn"]).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(2));
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains("called off"), "{said}");
    assert_eq!(alive(&marker), 0);
    assert_eq!(fs::read_dir(world.root.join("tmp")).unwrap().count(), 0);
    let _ = &world.dir;
}

/// How many processes wait to write this marker.
fn alive(marker: &Path) -> usize {
    let listed = Command::new("ps").args(["-eo", "args"]).output();
    let Ok(listed) = listed else { return 0 };
    let text = String::from_utf8_lossy(&listed.stdout).into_owned();
    text.lines().filter(|line| line.contains("sleep 600") && line.contains(marker.to_str().unwrap())).count()
}

#[test]
fn a_client_that_calls_somebody_else_is_no_proof() {
    let world = World::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let mode = format!("elsewhere:{}", listener.local_addr().unwrap());
    let said = world.fails(&mode, &["preview", "--prove"]);
    assert!(said.contains("without a request"), "{said}");
    let sealed = world.json("good", &["learn"], 0)["sealed"] == true;
    assert!(!sealed || listener.accept().is_err(), "in a namespace of its own it reached us");
    if !sealed {
        println!("skipped in part: this host allows no network namespace");
    }
}

#[test]
fn nothing_that_settings_ask_for_runs() {
    let world = World::new();
    let marker = world.root.join("ran");
    let touch = format!("touch '{}'", marker.display());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let settings = serde_json::json!({
        "hooks": { "SessionStart": [{ "hooks": [{ "type": "command", "command": touch }] }] },
        "apiKeyHelper": touch,
        "mcpServers": { "x": { "command": touch } },
        "env": { "ANTHROPIC_BASE_URL": format!("http://{}", listener.local_addr().unwrap()) },
        "claudeMdExcludes": [format!("{}/pay/.claude/rules/a.md", world.root.display())],
    })
    .to_string();
    for place in [
        "pay/.claude/settings.json",
        "pay/.claude/settings.local.json",
        "pay/.mcp.json",
        "home/.claude/settings.json",
    ] {
        world.write(place, &settings);
    }
    assert_eq!(world.json("good", &["learn"], 0)["unknown"].as_array().unwrap().len(), 1);
    let proof = world.json("good", &["preview", "--prove", "--unsealed"], 0);
    assert_eq!(proof["identical"], true, "{proof}");
    assert!(
        !world.json("good", &["preview"], 0)["text"].as_str().unwrap().contains("Rule a."),
        "harmless keys count"
    );
    assert!(!marker.exists(), "a hook, helper or server ran");
    assert!(listener.accept().is_err(), "a request went to the project's address");
    // The stand-in does obey where settings get in: the assertions above can fail.
    let client = program(&world.root, "crash");
    let mut command = Command::new(client);
    command.args(["-p", "hi"]).env("HOME", world.root.join("home")).current_dir(world.root.join("pay"));
    assert!(!command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success());
    assert!(marker.exists() && listener.accept().is_ok());
}

/// The screens on the world's project, with a stand-in that behaves so.
fn stage(world: &World, mode: &str) -> memcurator::shell::Stage {
    use memcurator::prompt::subject::Subject;
    let kit = crate::screen_kit::Kit::with(&[]);
    let mut session = kit.session("");
    let project = world.root.join("pay");
    let store =
        fs::read_dir(world.root.join("home/.claude/projects")).unwrap().next().unwrap().unwrap().path();
    if let memcurator::shell::Start::Store(located) = &mut session.start {
        located.dir = store.join("memory");
        located.project = Some(project.clone());
    }
    session.places.cache = world.root.join("cache");
    session.env.home = world.root.join("home");
    session.env.cwd = project.clone();
    session.subject = Some(Subject::Client(project));
    session.client = Some(program(&world.root, mode));
    memcurator::shell::Stage::open(&session, (110, 36)).unwrap()
}

#[test]
fn the_prompt_screen_offers_a_proof_and_shows_what_came_of_it() {
    let world = World::new();
    let mut stage = stage(&world, "good");
    stage.press("2").unwrap();
    let message = |stage: &memcurator::shell::Stage| {
        stage.model().message.as_ref().map(|message| message.text.clone()).unwrap_or_default()
    };
    assert!(message(&stage).contains("client 2.1.332 is installed"), "{}", message(&stage));
    stage.press("P").unwrap();
    let model = stage.model();
    assert!(!model.prompt.proving);
    let memcurator::app::model::Mode::Report(report) = &model.mode else { panic!("{}", message(&stage)) };
    assert!(report.lines[0].1.starts_with("identical to client 2.1.332"), "{report:?}");
    stage.press("<esc>").unwrap();
    let page = stage.model().prompt.page.clone().unwrap();
    assert_eq!(page.preview.wording, memcurator::prompt::picture::Wording::Learned);
    assert!(page.text.contains("<stand-in always>"));
    let mut stage = self::stage(&world, "crash");
    stage.press("2P").unwrap();
    assert!(!message(&stage).contains("identical") && !stage.model().prompt.proving, "{}", message(&stage));
}

#[test]
fn what_can_not_be_mirrored_is_named() {
    let world = World::new();
    world.write("pay/more.md", "More.\n");
    let text = format!("See @{}/pay/more.md\n", world.root.display());
    world.write("pay/CLAUDE.md", &text);
    let proof = world.json("good", &["preview", "--prove"], 1);
    assert_eq!((&proof["identical"], &proof["difference"]), (&false.into(), &Value::Null), "{proof}");
    assert!(proof["left_out"][0].as_str().unwrap().contains("the absolute import"), "{proof}");
    assert!(proof["place"]["part"].as_str().unwrap().contains("the real place"), "{proof}");
}

/// Every file and link below a directory, with what is in it.
fn all_below(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        match fs::symlink_metadata(&path).unwrap() {
            meta if meta.is_dir() => all.extend(all_below(&path)),
            meta if meta.is_symlink() => {
                all.push((path.clone(), fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()));
            }
            _ => all.push((path.clone(), fs::read(&path).unwrap())),
        }
    }
    all.sort();
    all
}

#[test]
fn no_link_of_a_project_leads_out_of_the_mirror() {
    use std::os::unix::fs::symlink;
    let up = "../".repeat(40);
    for to_the_root in [up.clone(), format!("/{up}"), format!("../pay/{up}"), "/./../".into()] {
        let world = World::new();
        let inside = world.root.to_str().unwrap().trim_start_matches('/').to_owned();
        let settings = "{ \"model\": \"mine\", \"claudeMdExcludes\": [\"/no\"] }";
        world.write("home/.claude/settings.json", settings);
        world.write("home/.claude/agents/helper.md", "---\nname: helper\nmemory: user\n---\nMine.\n");
        world.write("aside/CLAUDE.md", "From aside.\n");
        let pay = world.root.join("pay");
        fs::remove_dir_all(pay.join(".claude")).unwrap();
        symlink(format!("{to_the_root}{inside}/home/.claude"), pay.join(".claude")).unwrap();
        fs::remove_file(pay.join("CLAUDE.local.md")).unwrap();
        symlink(format!("{to_the_root}{inside}/aside/CLAUDE.md"), pay.join("CLAUDE.local.md")).unwrap();
        symlink(format!("{to_the_root}{inside}/gone"), pay.join("AGENTS.md")).unwrap();
        world.json("good", &["learn"], 0);
        let before =
            [all_below(&world.root.join("home")), all_below(&pay), all_below(&world.root.join("aside"))];
        let proof = world.json("good", &["preview", "--prove"], 0);
        assert_eq!(proof["identical"], true, "{to_the_root}: {proof}");
        let after =
            [all_below(&world.root.join("home")), all_below(&pay), all_below(&world.root.join("aside"))];
        assert_eq!(before, after, "{to_the_root}");

        // Nor does the client get at the real files by a link.
        use memcurator::client::prove::mirror::Mirror;
        use memcurator::prompt::{port::Environment, subject::Usual};
        let env = Environment { vars: [].into(), home: world.root.join("home"), cwd: pay };
        let request = Usual::default().request(&[], chrono::Utc::now());
        let mirror = Mirror::lay_out(&env, &request, chrono::TimeDelta::zero()).unwrap();
        let mut links = 0;
        for (path, _) in all_below(&mirror.root) {
            if path.is_symlink() {
                links += 1;
                let to = fs::read_link(&path).unwrap();
                assert!(to.starts_with(&mirror.root) && !to.to_str().unwrap().contains(".."), "{to:?}");
                assert!(
                    fs::canonicalize(&path).is_ok_and(|real| real.starts_with(&mirror.root))
                        || !path.exists()
                );
            }
        }
        assert!(links >= 2, "{links}");
    }
}

#[test]
fn no_setting_leads_out_of_the_mirror() {
    use memcurator::client::prove::mirror::Mirror;
    use memcurator::client::trouble::Trouble;
    use memcurator::prompt::{port::Environment, subject::Usual};
    let world = World::new();
    let at = format!("{}{}/kept", "/..".repeat(40), world.root.display());
    world.write("kept/MEMORY.md", "- [A](a.md) - of a\n");
    let env = Environment { vars: [].into(), home: world.root.join("home"), cwd: world.root.join("pay") };
    let request = Usual::default().request(&[], chrono::Utc::now());
    let lay_out = |directory: &str| {
        let settings = serde_json::json!({ "autoMemoryDirectory": directory }).to_string();
        world.write("home/.claude/settings.json", &settings);
        Mirror::lay_out(&env, &request, chrono::TimeDelta::zero())
    };
    let mirror = lay_out(&at).unwrap();
    let (real, there) = &mirror.memory;
    assert_eq!(real, &world.root.join("kept"), "the setting counts");
    assert!(there.starts_with(&mirror.root) && there.join("MEMORY.md").is_file(), "{there:?}");
    // From the home directory it can't be said otherwise: the mirror is refused.
    match lay_out(&format!("~{at}")) {
        Err(Trouble::Outside(path)) => assert_eq!(path, world.root.join("kept")),
        Err(other) => panic!("{other}"),
        Ok(mirror) => assert!(mirror.memory.1.starts_with(&mirror.root), "{:?}", mirror.memory),
    }
}

#[test]
fn no_program_of_the_project_runs_when_the_search_path_is_relative() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    let marker = world.root.join("ran");
    for name in ["unshare", "true", "sh", "env", "claude"] {
        let path = format!("pay/bin/{name}");
        world.write(&path, &format!("#!/bin/sh\necho {name} >>'{}'\nexit 1\n", marker.display()));
        fs::set_permissions(world.root.join(path), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let mut command = world.command("good", &["preview", "--prove"]);
    let done = command.env("PATH", "bin:./bin::/usr/local/bin:/usr/bin:/bin").output().unwrap();
    assert!(!marker.exists(), "{}", fs::read_to_string(&marker).unwrap());
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn what_a_text_imports_is_never_obeyed() {
    let world = World::new();
    let marker = world.root.join("ran");
    let touch = format!("touch '{}'", marker.display());
    let settings = serde_json::json!({
        "hooks": { "SessionStart": [{ "hooks": [{ "type": "command", "command": touch }] }] },
    });
    let servers = serde_json::json!({ "mcpServers": { "x": { "command": touch } } });
    world.write("pay/.claude/settings.json", &settings.to_string());
    world.write("home/.claude/settings.json", &settings.to_string());
    world.write("pay/.mcp.json", &servers.to_string());
    let text =
        "@.claude/settings.json @.mcp.json @~/.claude/settings.json @./.claude/../.claude/settings.json\n";
    world.write("pay/CLAUDE.md", text);
    std::os::unix::fs::symlink("../.claude/settings.json", world.root.join("pay/docs/more.md")).unwrap();
    world.write("pay/docs/money.md", "@more.md\n");
    world.json("good", &["learn"], 0);
    for args in [
        &["preview", "--prove", "--unsealed"][..],
        &["preview", "--prove", "--unsealed", "--open", ".mcp.json"],
    ] {
        let done = world.run("good", args);
        assert!(!marker.exists(), "{args:?}");
        let proof: Value = serde_json::from_slice(&done.stdout).unwrap();
        assert!(proof["left_out"].to_string().contains(".mcp.json, which the client would obey"), "{proof}");
    }
}

#[test]
fn what_was_not_compared_is_not_identical() {
    let world = World::new();
    for (mode, what) in [("quits", "was not read"), ("fails", "could not be read")] {
        let flag = world.root.join(mode);
        let mode = format!("{mode}:{}", flag.display());
        world.json(&mode, &["learn"], 0);
        let args = ["preview", "--prove", "--open", "src/routes.rs"];
        assert_eq!(world.json(&mode, &args, 0)["identical"], true);
        // Nothing would come in on use with this one, so that nothing else can differ.
        for open in ["src/routes.rs", "docs/money.md"] {
            fs::write(&flag, "").unwrap();
            let proof = world.json(&mode, &["preview", "--prove", "--open", open], 1);
            assert_eq!(proof["identical"], false, "{proof}");
            let told = proof["difference"].to_string();
            assert!(told.contains(open) && told.contains(what), "{proof}");
        }
        // A file that is not there can't be read: that is no difference.
        let args = ["preview", "--prove", "--open", "docs/gone.md"];
        assert_eq!(
            world.json(&mode, &args, i32::from(what == "was not read"))["identical"],
            what != "was not read"
        );
    }
}

#[test]
fn what_can_not_be_seen_is_not_identical() {
    use memcurator::client::prove::Proof;
    use memcurator::prompt::words::Slot;
    let world = World::new();
    // Nothing loads, as our preview has it; the client sends a block all the same, in words that are not known.
    for gone in ["home/.claude", "pay/.claude"] {
        fs::remove_dir_all(world.root.join(gone)).unwrap();
    }
    for gone in ["pay/CLAUDE.md", "pay/CLAUDE.local.md"] {
        fs::remove_file(world.root.join(gone)).unwrap();
    }
    world.write("home/.claude/settings.json", "{ \"autoMemoryEnabled\": false }");
    let proof = world.json("changing", &["preview", "--prove"], 1);
    assert_eq!(proof["identical"], false, "{proof}");
    assert!(proof["unknown"].to_string().contains("opening"), "{proof}");
    assert!(proof["difference"]["theirs"].as_str().unwrap().contains("<stand-in "), "{proof}");

    let now = chrono::Utc::now();
    let mut proof = Proof {
        version: "2.1.332".into(),
        client: None,
        place: None,
        left_out: vec![],
        unknown: vec![],
        sealed: true,
        took: Duration::ZERO,
        at: now,
    };
    assert!(proof.is_identical() && proof.told("", now)[0].starts_with("identical"));
    proof.unknown = vec![Slot::Age];
    assert!(!proof.is_identical());
    let told = proof.told("", now).join("\n");
    assert!(
        told.starts_with("not proved") && told.contains("age-note") && !told.contains("identical"),
        "{told}"
    );
}

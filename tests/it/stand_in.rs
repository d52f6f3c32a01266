//! A stand-in for the client: a script that starts this test binary again, which speaks the client's protocol with wording
//! of its own. What it loads is what our preview of its surroundings says, so that the wording, the run and the mirror are
//! what is tested; that the real client loads the same is the real client job's matter.

use memcurator::client::disk::DiskPort;
use memcurator::prompt::assemble::preview;
use memcurator::prompt::picture::{Layer, Preview};
use memcurator::prompt::port::Environment;
use memcurator::prompt::subject::Usual;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Its version: the rules of the newest client.
pub const VERSION: &str = "2.1.332";

/// Writes the stand-in as a program; `mode` says how it behaves.
pub fn program(dir: &Path, mode: &str) -> PathBuf {
    let path = dir.join(format!("client-{}", mode.split(':').next().unwrap()));
    let me = std::env::current_exe().unwrap();
    let words = "for a; do STAND_IN_ARGS=\"$STAND_IN_ARGS$a\n\"; done\nexport STAND_IN_ARGS STAND_IN";
    let text = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && {{ echo '{}'; exit 0; }}\nSTAND_IN='{mode}'\nSTAND_IN_ARGS=\n{words}\n\
         exec '{}' stand_in::plays_the_client --exact --ignored --nocapture\n",
        if mode == "nameless" { "hello" } else { "2.1.332 (stand-in)" },
        me.display()
    );
    // Another file would be another client.
    if fs::read_to_string(&path).is_ok_and(|old| old == text) {
        return path;
    }
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// Not a test: what the stand-in does when the script starts it.
#[test]
#[ignore = "played by the stand-in's script"]
fn plays_the_client() {
    let Ok(mode) = std::env::var("STAND_IN") else { return };
    let args: Vec<String> = std::env::var("STAND_IN_ARGS").unwrap().lines().map(str::to_owned).collect();
    let (mode, extra) = mode.split_once(':').unwrap_or((&mode, ""));
    obey_settings();
    match mode {
        "hang" => {
            // A child that would outlive it.
            let mut child = Command::new("/bin/sh");
            child.args(["-c", &format!("sleep 600; touch '{extra}'")]).spawn().unwrap().wait().unwrap();
        }
        "crash" => {
            eprintln!("the stand-in falls over");
            std::process::exit(70);
        }
        "rubbish" => {
            post(&base(), "{ not json");
        }
        "elsewhere" => {
            // To an address that it was not given.
            let _ = TcpStream::connect(extra).map(|mut to| to.write_all(b"hello"));
        }
        // From when on there is this file, it does not read what it is told to.
        "quits" | "fails" if !Path::new(extra).exists() => Session::new(&args, "good").run(),
        _ => Session::new(&args, mode).run(),
    }
}

fn base() -> String {
    std::env::var("ANTHROPIC_BASE_URL").unwrap()
}

/// What a client does that trusts its settings: hooks, helpers, servers, another address.
fn obey_settings() {
    let home = PathBuf::from(std::env::var("HOME").unwrap());
    let cwd = std::env::current_dir().unwrap();
    let places = [home.join(".claude"), cwd.join(".claude")];
    let files =
        places.iter().flat_map(|dir| ["settings.json", "settings.local.json"].map(|name| dir.join(name)));
    for file in files.chain([cwd.join(".mcp.json")]) {
        let Ok(text) = fs::read(&file) else { continue };
        let Ok(settings) = serde_json::from_slice::<Value>(&text) else { continue };
        let commands = [
            settings.pointer("/hooks/SessionStart/0/hooks/0/command"),
            settings.get("apiKeyHelper"),
            settings.pointer("/mcpServers/x/command"),
        ];
        for command in commands.into_iter().flatten().filter_map(Value::as_str) {
            let _ = Command::new("/bin/sh").args(["-c", command]).status();
        }
        if let Some(url) = settings.pointer("/env/ANTHROPIC_BASE_URL").and_then(Value::as_str) {
            let _ =
                TcpStream::connect(url.trim_start_matches("http://")).map(|mut to| to.write_all(b"hello"));
        }
    }
}

struct Session {
    preview: Preview,
    agent: bool,
    /// A word that changes from run to run, or always the same.
    word: String,
    mode: String,
}

impl Session {
    fn new(args: &[String], mode: &str) -> Self {
        let vars: BTreeMap<String, String> = std::env::vars().collect();
        let home = PathBuf::from(&vars["HOME"]);
        let env = Environment { vars, home, cwd: std::env::current_dir().unwrap() };
        let mut request =
            Usual { version: Some(VERSION.into()), ..Usual::default() }.request(&[], chrono::Utc::now());
        request.agent = args.iter().position(|arg| arg == "--agent").map(|at| args[at + 1].clone());
        let word = match mode {
            "changing" => std::process::id().to_string(),
            _ => "always".into(),
        };
        Self {
            preview: preview(&DiskPort, &env, &request),
            agent: request.agent.is_some(),
            word,
            mode: mode.into(),
        }
    }

    fn run(&self) {
        let block = self.block(&self.preview);
        let mut messages = vec![json!({ "role": "user", "content": [
            { "type": "text", "text": block }, { "type": "text", "text": "hi" },
        ] })];
        let system = self.system();
        loop {
            let request = json!({
                "model": "stand-in", "stream": false, "tools": [{ "name": "Read" }], "system": system, "messages": messages,
            });
            let answer: Value = serde_json::from_str(&post(&base(), &request.to_string())).unwrap();
            let call = answer["content"][0].clone();
            if call["type"] != "tool_use" || self.mode == "quits" {
                return;
            }
            let path = PathBuf::from(call["input"]["file_path"].as_str().unwrap());
            let failed = self.mode == "fails";
            let (result, behind) = if failed { ("no".into(), Vec::new()) } else { self.read(&path) };
            messages.push(json!({ "role": "assistant", "content": [call] }));
            let mut content = vec![json!({
                "type": "tool_result", "tool_use_id": call["id"], "content": result, "is_error": failed,
            })];
            content.extend(behind.into_iter().map(|text| json!({ "type": "text", "text": text })));
            messages.push(json!({ "role": "user", "content": content }));
        }
    }

    fn block(&self, preview: &Preview) -> String {
        let sections: Vec<_> = preview.sections.iter().filter(|it| it.layer != Layer::Agent).collect();
        if sections.is_empty() && self.mode != "changing" {
            return "nothing to say".into();
        }
        let mut text = format!("<stand-in {}>\nplease heed the following, given today", self.word);
        for section in sections {
            let body = match self.mode.as_str() {
                "liar" => section.body.replace("kind", "cruel"),
                _ => section.body.clone(),
            };
            text.push_str(&format!("\n\n{} ({} file) says\n\n{body}", section.shown, section.layer.as_str()));
            if section.layer == Layer::Auto
                && let Some(notice) = self.notice(preview)
            {
                text.push_str(&format!("\n\n{notice}"));
            }
        }
        text + "\nthat was it </stand-in>"
    }

    fn notice(&self, preview: &Preview) -> Option<String> {
        let index = preview.index.as_ref()?;
        notice(index, &self.word)
    }

    fn system(&self) -> Value {
        let (dir, mut text) = (self.preview.memory_dir.clone(), "You are a stand-in.\n\n".to_owned());
        if self.agent {
            let agent = self.preview.sections.iter().find(|it| it.layer == Layer::Agent);
            // The directory as our preview names it.
            let own = self.preview.system.clone().unwrap_or_default();
            let dir = own.split('`').nth(1).unwrap_or_default().trim_end_matches('/').to_owned();
            let scope = if dir.contains("agent-memory-local") { "local" } else { "shared" };
            text.push_str("Marker text of the agent itself.\n\n");
            let index = agent.map_or("none so far".into(), |it| {
                let bytes = fs::read(&it.path).unwrap();
                let rules = memcurator::prompt::versions::Rules::NEWEST;
                let loaded = memcurator::prompt::limits::load_whole(&bytes, &(&rules).into());
                let picture = memcurator::prompt::picture::IndexPicture::of(it.path.clone(), &loaded);
                match notice(&picture, &self.word) {
                    Some(notice) => format!("{}\n\n{notice}", it.body),
                    None => it.body.clone(),
                }
            });
            text.push_str(&format!("# What this {scope} agent keeps\n\nin `{dir}/`\n\n{index}"));
        } else if let Some(dir) = dir {
            text.push_str(&format!(
                "# What the stand-in keeps\n\nis in `{}/`, one file each.\n\n",
                dir.display()
            ));
        }
        if !self.agent {
            text.push_str("# Where it is\n\nHere.");
        }
        text.into()
    }

    fn read(&self, path: &Path) -> (String, Vec<String>) {
        let env = Environment {
            vars: BTreeMap::new(),
            home: std::env::var("HOME").unwrap().into(),
            cwd: std::env::current_dir().unwrap(),
        };
        let request = Usual { version: Some(VERSION.into()), ..Usual::default() }
            .request(&[path.to_path_buf()], chrono::Utc::now());
        let opened = preview(&DiskPort, &env, &request).opened;
        let text = fs::read_to_string(path).unwrap_or_default();
        let lines = text.split('\n').enumerate().map(|(at, line)| format!("{}\t{line}", at + 1));
        let lines = lines.collect::<Vec<_>>().join("\n");
        let note = opened.files[0].age_note_days.map(|days| format!("[{days} days have passed]\n"));
        let behind = opened.sections.iter().map(|it| format!("({} joins in)\n{}\n(end)", it.shown, it.body));
        (note.unwrap_or_default() + &lines, behind.collect())
    }
}

/// The stand-in's notices, one for each kind.
fn notice(index: &memcurator::prompt::picture::IndexPicture, word: &str) -> Option<String> {
    use memcurator::prompt::words::template::Value as V;
    let rules = memcurator::prompt::versions::Rules::NEWEST;
    let (slot, values) = memcurator::prompt::wording::notice_values(index, &rules)?;
    let value = |slot| values.get(&slot).cloned().unwrap_or_default();
    Some(format!(
        "!! {} {word}: {} rows, {}; gone {} from {} on <{}>, kept {}",
        slot.as_str(),
        value(V::Lines),
        value(V::Size),
        value(V::Lost),
        value(V::First),
        value(V::Quoted),
        if slot.as_str().ends_with("inside") { value(V::Kept) } else { String::new() },
    ))
}

/// Posts a body to the server and gives what it answers.
fn post(base: &str, body: &str) -> String {
    let address = base.trim_start_matches("http://");
    let key = std::env::var("ANTHROPIC_API_KEY").unwrap();
    let mut to = TcpStream::connect(address).unwrap();
    write!(
        to,
        "POST /v1/messages HTTP/1.1\r\nhost: {address}\r\nx-api-key: {key}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    to.read_to_string(&mut answer).unwrap();
    answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default()
}

//! The memory tool killed at every step of a command, written at once and staged: each file is as before or as after,
//! and nothing that was there is nowhere.

use crate::memory_tool_staged::{ask, now, waiting};
use crate::store_kit::Kit;
use crate::tool_kit::{files, lay_out};
use memcurator::review::proposal::Waiting;
use memcurator::review::tool::{Files, VirtualPath};
use memcurator::store::{StagedFiles, ToolFiles};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Each changes something; all begin on the same directory.
fn commands() -> Vec<Value> {
    vec![
        json!({"command": "create", "path": "/memories/new/n.txt", "file_text": "new\n"}),
        json!({"command": "create", "path": "/memories/n.md", "file_text": "new\n"}),
        json!({"command": "str_replace", "path": "/memories/a.md", "old_str": "alpha\nbeta", "new_str": "gamma"}),
        json!({"command": "insert", "path": "/memories/x.txt", "insert_line": 0, "insert_text": "line"}),
        json!({"command": "delete", "path": "/memories/a.md"}),
        json!({"command": "delete", "path": "/memories/notes"}),
        json!({"command": "rename", "old_path": "/memories/a.md", "new_path": "/memories/q/r.txt"}),
        json!({"command": "rename", "old_path": "/memories/notes", "new_path": "/memories/n2"}),
    ]
}

/// The directory, in which a change, a new file and a deletion wait already when it is staged.
fn fresh(stage: bool) -> Kit {
    let kit = Kit::new(0);
    lay_out(&kit.dir);
    let mut tool = open(&kit, stage);
    for command in [
        json!({"command": "insert", "path": "/memories/x.txt", "insert_line": 0, "insert_text": "first"}),
        json!({"command": "create", "path": "/memories/notes/own.txt", "file_text": "own"}),
        json!({"command": "delete", "path": "/memories/.hidden"}),
    ] {
        ask(&mut *tool, &command).unwrap();
    }
    drop(tool);
    kit
}

fn open(kit: &Kit, stage: bool) -> Box<dyn Files> {
    match stage {
        true => Box::new(StagedFiles::open(&kit.dir, &kit.places, now).unwrap()),
        false => Box::new(ToolFiles::open(&kit.dir, &kit.places, now).unwrap()),
    }
}

/// Every file as the agent sees it; what is left of an interruption is hidden and has a long name.
fn seen(tool: &dyn Files, dir: &VirtualPath, found: &mut BTreeMap<String, Vec<u8>>) {
    for (name, what) in tool.list(dir).unwrap() {
        let path = dir.join(&name);
        match what {
            memcurator::review::tool::Found::Directory(_) if !name.contains(".tool-") => {
                seen(tool, &path, found)
            }
            memcurator::review::tool::Found::File(_) if !name.contains(".tool-") => {
                drop(found.insert(path.relative().to_str().unwrap().into(), tool.read(&path).unwrap()));
            }
            _ => {}
        }
    }
}

fn view(kit: &Kit, stage: bool) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    seen(&*open(kit, stage), &VirtualPath::default(), &mut found);
    found
}

/// Not a test by itself: does one command and is killed on the way.
#[test]
fn worker() {
    let Ok(top) = std::env::var("MEMCURATOR_TOOL_TOP") else { return };
    let (at, stage) = (std::env::var("MEMCURATOR_TOOL_AT").unwrap(), std::env::var("MEMCURATOR_TOOL_STAGE"));
    let mut tool = open(&Kit::at(Path::new(&top)), stage.is_ok());
    ask(&mut *tool, &commands()[at.parse::<usize>().unwrap()]).unwrap();
}

fn killed_everywhere(stage: bool) {
    let mut kills = 0;
    for (at, command) in commands().iter().enumerate() {
        let done = fresh(stage);
        let before = view(&done, stage);
        ask(&mut *open(&done, stage), command).unwrap();
        let after = view(&done, stage);
        for step in 1.. {
            let kit = fresh(stage);
            let disk = files(&kit.dir);
            let mut worker = Command::new(std::env::current_exe().unwrap());
            worker
                .args(["memory_tool_crash::worker", "--exact"])
                .env("MEMCURATOR_TOOL_TOP", &kit.top)
                .env("MEMCURATOR_TOOL_AT", at.to_string())
                .env("MEMCURATOR_DIE_AT", step.to_string())
                .stdout(Stdio::null());
            if stage {
                worker.env("MEMCURATOR_TOOL_STAGE", "1");
            }
            let status = worker.status().unwrap();
            assert!(status.success() || status.signal() == Some(9), "{command} at {step}: {status}");
            let now = view(&kit, stage);
            for path in before.keys().chain(after.keys()).chain(now.keys()) {
                let is = now.get(path);
                assert!(
                    is == before.get(path) || is == after.get(path),
                    "{command} at {step}: {path} is {is:?}"
                );
            }
            let kept = |bytes: &[u8]| now.values().any(|one| one == bytes) || holds(&kit, bytes);
            for (path, bytes) in &before {
                assert!(stage || kept(bytes), "{command} at {step}: what was in {path} is nowhere");
            }
            if stage {
                assert_eq!(files(&kit.dir), disk, "{command} at {step}");
                // A text without a word what it would do is shown as faulty, and does nothing.
                let half =
                    |one: &Waiting| matches!(one, Waiting::Faulty(it) if it.fault.contains("no .json"));
                let list = kit.open().queue().list().unwrap();
                let odd = list.iter().filter(|one| one.proposal().is_none());
                assert!(odd.clone().count() <= 1 && odd.clone().all(half), "{command} at {step}: {list:?}");
            }
            if status.success() {
                assert_eq!(now, after, "{command}");
                break;
            }
            kills += 1;
            // It goes on from there: what was done is told so, what was not is done.
            let _ = ask(&mut *open(&kit, stage), command);
            if command["command"] == "delete" || command["command"] == "create" {
                assert_eq!(view(&kit, stage), after, "{command} at {step}, again");
            }
        }
    }
    assert!(kills > 40, "{kills}");
}

/// Whether the history holds some bytes.
fn holds(kit: &Kit, bytes: &[u8]) -> bool {
    let odb = git2::Odb::new().unwrap();
    odb.add_disk_alternate(kit.home().join("history.git/objects").to_str().unwrap()).unwrap();
    odb.exists(git2::Oid::hash_object(git2::ObjectType::Blob, bytes).unwrap())
}

#[test]
fn a_kill_at_any_step_leaves_each_file_whole() {
    killed_everywhere(false);
}

#[test]
fn a_kill_at_any_step_of_a_staged_command_leaves_one_truth() {
    killed_everywhere(true);
}

/// Three processes write at the same time, also to one file: each line that an agent was told of waits.
#[test]
fn two_agents_at_once_lose_nothing() {
    let kit = Kit::new(1);
    let before = files(&kit.dir);
    let told: Vec<String> = std::thread::scope(|scope| {
        let agents: Vec<_> = (0..3)
            .map(|agent| {
                let kit = &kit;
                scope.spawn(move || {
                    let mut tool = open(kit, true);
                    let mut told = Vec::new();
                    let shared = json!({"command": "create", "path": "/memories/log.txt", "file_text": ""});
                    let _ = ask(&mut *tool, &shared);
                    for number in 0..12 {
                        let line = format!("agent {agent} line {number}");
                        let insert = json!({"command": "insert", "path": "/memories/log.txt", "insert_line": 0, "insert_text": line});
                        let own = format!("/memories/{agent}/{number}.txt");
                        ask(&mut *tool, &json!({"command": "create", "path": own, "file_text": line})).unwrap();
                        // As an agent does that is told that someone else wrote at the same moment.
                        while let Err(why) = ask(&mut *tool, &insert) {
                            assert!(why.contains("view it again"), "{why}");
                        }
                        told.push(line);
                    }
                    told
                })
            })
            .collect();
        agents.into_iter().flat_map(|agent| agent.join().unwrap()).collect()
    });
    assert_eq!(files(&kit.dir), before);
    let waits = waiting(&kit.open());
    assert_eq!(waits.len(), 37, "one proposal about each file");
    let log = waits.iter().find(|one| one.target.to_str_lossy() == "log.txt").unwrap();
    let log = String::from_utf8(log.bytes.as_ref().unwrap().to_vec()).unwrap();
    let mut lines: Vec<&str> = log.lines().collect();
    let mut told: Vec<&str> = told.iter().map(String::as_str).collect();
    lines.sort_unstable();
    told.sort_unstable();
    assert_eq!(lines, told);
    assert_eq!(crate::memory_tool_staged::approve_all(&kit.open()), 37);
    assert_eq!(fs::read_to_string(kit.dir.join("log.txt")).unwrap(), log);
}

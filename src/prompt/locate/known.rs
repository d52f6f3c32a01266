//! The stores that a person can name: those of the agent home, agents' own memories, a directory.

use crate::prompt::locate::find::{NotFound, agent_project, holds_memories, stores};
use crate::prompt::locate::path::absolute;
use crate::prompt::locate::{FoundStore, Launch, config_dir, git};
use crate::prompt::port::{Environment, Kind, Port};
use crate::prompt::versions::Rules;
use std::path::{Path, PathBuf};

/// What the name of an agent's own memory begins with; no project's name has a colon.
pub const AGENT: &str = "agent:";

/// The places of agents' own memories (CLIENT_FACTS E): below the current directory, then in the agent home.
fn agent_places(port: &dyn Port, env: &Environment) -> Vec<PathBuf> {
    let cwd = port.real(&env.cwd).unwrap_or_else(|_| env.cwd.clone());
    let mut places = vec![
        cwd.join(".claude/agent-memory-local"),
        cwd.join(".claude/agent-memory"),
        config_dir(env).join("agent-memory"),
    ];
    // In the home directory two of them are one.
    let mut seen = Vec::new();
    places.retain(|place| {
        let real = port.real(place).unwrap_or_else(|_| place.clone());
        let is_new = !seen.contains(&real);
        seen.push(real);
        is_new
    });
    places
}

/// The stores besides those of projects in the agent home: the current project's in the `.agent/` layout, called by the
/// path of `.agent`, and agents' own memories in the current directory and in the agent home, called `agent:NAME`.
pub(super) fn others(port: &dyn Port, env: &Environment) -> Vec<(PathBuf, String)> {
    let cwd = port.real(&env.cwd).unwrap_or_else(|_| env.cwd.clone());
    let own = agent_project(port, &cwd, &Launch::default()).map(|project| project.join(".agent"));
    let mut found: Vec<(PathBuf, String)> =
        own.into_iter().map(|own| (own.join("memory"), own.to_string_lossy().into_owned())).collect();
    for place in agent_places(port, env) {
        for name in port.list(&place).unwrap_or_default() {
            let dir = place.join(&name);
            if port.kind(&dir) == Some(Kind::Dir) {
                found.push((dir, format!("{AGENT}{}", name.to_string_lossy())));
            }
        }
    }
    found
}

/// What a store is called: its project as the agent home names it, `agent:NAME`, else its directory.
#[must_use]
pub fn name_of(port: &dyn Port, env: &Environment, dir: &Path) -> String {
    let real = |path: &Path| port.real(path).unwrap_or_else(|_| path.to_path_buf());
    let dir = real(dir);
    let above = |dir: &Path| dir.parent().map(Path::to_path_buf);
    let name = |dir: &Path| dir.file_name().map(|name| name.to_string_lossy().into_owned());
    let project = above(&dir).filter(|_| dir.ends_with("memory"));
    if let Some(project) = project
        && above(&project) == Some(real(&config_dir(env).join("projects")))
        && let Some(name) = name(&project)
    {
        return name;
    }
    let is_agent = agent_places(port, env).iter().any(|place| above(&dir) == Some(real(place)));
    match name(&dir).filter(|_| is_agent) {
        Some(name) => format!("{AGENT}{name}"),
        None => dir.to_string_lossy().into_owned(),
    }
}

/// The store that a word means: a name as the list of stores has it (its end will do where only one ends so), or a
/// directory: one of memories, an empty one, a project's in the agent home, or a project's root.
///
/// # Errors
/// When it means none, several, or a directory that holds something else.
pub fn named(port: &dyn Port, env: &Environment, word: &str) -> Result<PathBuf, NotFound> {
    let known = stores(port, env);
    let whole: Vec<&FoundStore> = known.iter().filter(|store| store.slug == word).collect();
    let ends = |store: &&FoundStore| {
        !word.is_empty() && store.slug.strip_suffix(word).is_some_and(|rest| rest.ends_with('-'))
    };
    let dir = absolute(&env.cwd, word);
    let found = match (whole.is_empty(), port.kind(&dir)) {
        (false, _) => whole,
        (true, Some(Kind::Dir)) if !word.is_empty() => return directory(port, env, &dir),
        (true, _) => known.iter().filter(ends).collect(),
    };
    match found.as_slice() {
        [one] => Ok(one.dir.clone()),
        [] => Err(NotFound {
            what: format!("there is no store `{word}`; nothing was done"),
            hint: "give a name as `memcurator stores` lists it, agent:NAME, or a directory".into(),
        }),
        several => {
            let dirs: Vec<String> = several.iter().map(|one| one.dir.display().to_string()).collect();
            Err(NotFound {
                what: format!("`{word}` means {} stores: {}; nothing was done", dirs.len(), dirs.join(", ")),
                hint: "give the directory of the one that is meant".into(),
            })
        }
    }
}

fn directory(port: &dyn Port, env: &Environment, dir: &Path) -> Result<PathBuf, NotFound> {
    let dir = port.real(dir).unwrap_or_else(|_| dir.to_path_buf());
    let is_empty = || port.list(&dir).is_ok_and(|names| names.is_empty());
    let has_name = name_of(port, env, &dir) != dir.to_string_lossy();
    if has_name || holds_memories(port, &dir) || is_empty() {
        return Ok(dir);
    }
    // What stands for the store in it: a project's directory in the agent home, a project.
    let projects = config_dir(env).join("projects");
    let is_of_home = dir.parent() == port.real(&projects).ok().as_deref();
    let inside = dir.join(if is_of_home { "memory" } else { ".agent/memory" });
    if port.kind(&inside) == Some(Kind::Dir) {
        return Ok(inside);
    }
    let is_root = git::root(port, &dir, &Rules::default()).checkout.as_deref() == Some(dir.as_path());
    let there = Environment { cwd: dir.clone(), ..env.clone() };
    let client = super::client_store(port, &there).dir;
    if is_root && port.kind(&client) == Some(Kind::Dir) {
        return Ok(client);
    }
    Err(NotFound {
        what: format!("{} holds no memories, and other files; nothing was done", dir.display()),
        hint: "give a directory of memories, an empty one, or a name as `memcurator stores` lists it".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::port::mem::MemPort;

    const MEMORY: &str = "---\nname: A\ndescription: B\ntype: user\n---\nC\n";

    fn home() -> (MemPort, Environment) {
        let mut port = MemPort::default();
        port.dir("/home/.claude/projects/-home-ann-pay/memory")
            .dir("/home/.claude/projects/-home-ann-shop/memory")
            .dir("/home/.claude/projects/-home-bob-shop/memory")
            .dir("/home/.claude/agent-memory/tester")
            .dir("/w/.claude/agent-memory/reviewer")
            .dir("/w/.claude/agent-memory-local/tester")
            .file("/notes/a.md", MEMORY)
            .dir("/empty")
            .dir("/home/ann/pay/.git")
            .file("/home/ann/pay/README.md", "")
            .dir("/lay/.agent/memory")
            .file("/other/x.rs", "");
        (port, Environment { cwd: "/w".into(), home: "/home".into(), ..Environment::default() })
    }

    #[test]
    fn a_word_means_a_name_or_a_directory() {
        let (port, env) = home();
        for (word, want) in [
            ("-home-ann-pay", "/home/.claude/projects/-home-ann-pay/memory"),
            ("pay", "/home/.claude/projects/-home-ann-pay/memory"),
            ("ann-shop", "/home/.claude/projects/-home-ann-shop/memory"),
            ("agent:reviewer", "/w/.claude/agent-memory/reviewer"),
            ("/notes", "/notes"),
            ("../notes", "/notes"),
            ("/empty", "/empty"),
            ("/home/.claude/projects/-home-bob-shop", "/home/.claude/projects/-home-bob-shop/memory"),
            ("/home/.claude/projects/-home-bob-shop/memory", "/home/.claude/projects/-home-bob-shop/memory"),
            ("/home/ann/pay", "/home/.claude/projects/-home-ann-pay/memory"),
            ("/lay", "/lay/.agent/memory"),
        ] {
            // The project's own store is named after its real path.
            let found = named(&port, &env, word).map(|dir| dir.to_string_lossy().into_owned());
            assert_eq!(found.as_deref().map_err(|e| e.what.clone()), Ok(want), "{word}");
        }
        for (word, part) in [
            ("shop", "means 2 stores"),
            ("agent:tester", "means 2 stores"),
            ("agent:nobody", "no store `agent:nobody`"),
            ("", "no store ``"),
            ("/other", "holds no memories"),
            ("/none", "no store"),
        ] {
            let error = named(&port, &env, word).unwrap_err();
            assert!(error.what.contains(part), "{word}: {}", error.what);
        }
    }

    #[test]
    fn a_store_is_called_by_its_name_where_it_has_one() {
        let (port, env) = home();
        for (dir, name) in [
            ("/home/.claude/projects/-home-ann-pay/memory", "-home-ann-pay"),
            ("/home/.claude/agent-memory/tester", "agent:tester"),
            ("/w/.claude/agent-memory-local/tester", "agent:tester"),
            ("/notes", "/notes"),
        ] {
            assert_eq!(name_of(&port, &env, Path::new(dir)), name);
        }
    }
}

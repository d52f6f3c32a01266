//! Which store a person means: the one of the current project, of another project, or a directory.

use crate::memory::Time;
use crate::memory::document::{Document, MemoryType};
use crate::prompt::locate::{FoundStore, Launch, Layout, Located, client_store_as, config_dir, git, known};
use crate::prompt::port::{Environment, Kind, Port};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What a person's words lead to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// One store.
    Store(Located),
    /// No store belongs to the current project; these exist (there may be none).
    Stores(Vec<FoundStore>),
}

/// Nothing was found, for a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct NotFound {
    /// What was looked for and where.
    pub what: String,
    /// What to do next.
    pub hint: String,
}

/// Files that people write about a project. They are never taken for memories, whatever they hold.
const NOT_MEMORIES: [&str; 9] = [
    "readme",
    "claude",
    "claude.local",
    "agents",
    "changelog",
    "contributing",
    "license",
    "skill",
    "security",
];

/// How deep below a store memories are counted, against loops of mounts.
const MAX_DEPTH: usize = 32;

/// The store of the current project: the client's, when its directory exists; else `.agent/memory` here or in
/// a directory above, up to the git root; else the stores that exist on this machine.
#[must_use]
pub fn current(port: &dyn Port, env: &Environment, launch: &Launch) -> Target {
    match of_project(port, env, launch) {
        Ok(located) => Target::Store(located),
        Err(_) => Target::Stores(stores(port, env)),
    }
}

/// The store that `dir` is, or the one of the project that it is in.
///
/// It is taken for a store when it holds `MEMORY.md`, or a Markdown file whose frontmatter has a `name` and
/// besides a `description` or a `type` ([`is_memory`]), or when it is a memory directory of the agent home.
/// A README, CLAUDE.md or page of documentation is never taken for a memory.
///
/// # Errors
/// When there is no such directory, or neither is found.
pub fn at(port: &dyn Port, env: &Environment, launch: &Launch, dir: &Path) -> Result<Target, NotFound> {
    let dir = directory(port, env, dir)?;
    if holds_memories(port, &dir) {
        return Ok(Target::Store(opened(port, env, dir, "the directory given")));
    }
    let projects = real(port, &config_dir(env).join("projects"));
    if dir.parent().and_then(Path::parent) == Some(&projects) && dir.ends_with("memory") {
        return Ok(Target::Store(opened(port, env, dir, "the directory given")));
    }
    // A project's directory in the agent home stands for the store in it.
    let inside = dir.join("memory");
    if dir.parent() == Some(&projects) && port.kind(&inside) == Some(Kind::Dir) {
        return Ok(Target::Store(opened(port, env, inside, "the project in the agent home")));
    }
    let there = Environment { cwd: dir.clone(), ..env.clone() };
    of_project(port, &there, launch).map(Target::Store).map_err(|error| NotFound {
        what: format!("{} holds no memories, and no store belongs to it: {}", dir.display(), error.what),
        hint: format!(
            "to open it all the same: memcurator --store {}; to look around: memcurator demo",
            dir.display()
        ),
    })
}

/// `dir` as a store, whatever it holds.
///
/// # Errors
/// When there is no such directory.
pub fn store(port: &dyn Port, env: &Environment, dir: &Path) -> Result<Located, NotFound> {
    Ok(opened(port, env, directory(port, env, dir)?, "--store"))
}

/// The store of the project that `dir` is in.
///
/// # Errors
/// When there is no such directory, or no store belongs to it.
pub fn project(port: &dyn Port, env: &Environment, launch: &Launch, dir: &Path) -> Result<Located, NotFound> {
    let there = Environment { cwd: directory(port, env, dir)?, ..env.clone() };
    of_project(port, &there, launch)
}

/// Every store in the agent home, `<config>/projects/*/memory`, agents' own memories there and in the current directory,
/// and the current project's in the `.agent/` layout; the one changed last first.
#[must_use]
pub fn stores(port: &dyn Port, env: &Environment) -> Vec<FoundStore> {
    let projects = config_dir(env).join("projects");
    let mut found: Vec<FoundStore> = port
        .list(&projects)
        .unwrap_or_default()
        .into_iter()
        .map(|name| (projects.join(&name).join("memory"), name))
        .filter(|(dir, _)| port.kind(dir) == Some(Kind::Dir))
        .map(|(dir, name)| (dir, name.to_string_lossy().into_owned()))
        .chain(known::others(port, env))
        .map(|(dir, slug)| {
            let mut store = FoundStore { dir: dir.clone(), slug, memories: 0, bytes: 0, newest: None };
            count(port, &dir, &mut store, MAX_DEPTH);
            store
        })
        .collect();
    found.sort_by(|a, b| b.newest.cmp(&a.newest).then_with(|| a.slug.cmp(&b.slug)));
    found
}

/// Whether `dir` holds an index or a memory.
#[must_use]
pub fn holds_memories(port: &dyn Port, dir: &Path) -> bool {
    port.kind(&dir.join("MEMORY.md")) == Some(Kind::File)
        || port
            .list(dir)
            .unwrap_or_default()
            .iter()
            .map(|name| dir.join(name))
            .any(|path| port.kind(&path) == Some(Kind::File) && is_memory(port, &path))
}

/// Whether a file is a memory beyond doubt: Markdown, not one of the well-known names, with a `name` and
/// besides a `description` or a `type` in its frontmatter. (Documentation has `title`, or `description` alone.)
#[must_use]
pub fn is_memory(port: &dyn Port, path: &Path) -> bool {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    if path.extension() != Some(OsStr::new("md")) || NOT_MEMORIES.contains(&stem.as_str()) {
        return false;
    }
    let Ok(bytes) = port.read(path) else { return false };
    let header = Document::parse(&bytes).header;
    header.name.is_some() && (header.description.is_some() || header.kind != MemoryType::Missing)
}

fn of_project(port: &dyn Port, env: &Environment, launch: &Launch) -> Result<Located, NotFound> {
    let client = client_store_as(port, env, launch);
    if port.kind(&client.dir) == Some(Kind::Dir) {
        return Ok(client);
    }
    let cwd = real(port, &env.cwd);
    let top = git::root(port, &cwd, &launch.rules).checkout.unwrap_or_else(|| cwd.clone());
    if let Some(dir) = agent_project(port, &cwd, launch) {
        return Ok(Located {
            dir: dir.join(".agent/memory"),
            layout: Layout::Agent,
            project: Some(dir.clone()),
            because: format!("{} (the agent home has no store for it)", dir.join(".agent").display()),
            off: None,
            notes: client.notes,
        });
    }
    let above = if top == cwd { String::new() } else { format!(" or above it up to {}", top.display()) };
    Err(NotFound {
        what: format!(
            "there is neither {}, where the client would keep it (named after {}), nor .agent/memory in {}{above}",
            client.dir.display(),
            client.because,
            cwd.display(),
        ),
        hint: "to make a store in this project: memcurator init; to see the stores that exist: memcurator stores; to look around: memcurator demo"
            .into(),
    })
}

/// The project with `.agent/memory` that a directory is in, up to the git root.
pub(super) fn agent_project(port: &dyn Port, cwd: &Path, launch: &Launch) -> Option<PathBuf> {
    let top = git::root(port, cwd, &launch.rules).checkout.unwrap_or_else(|| cwd.to_path_buf());
    let mut here = cwd.ancestors().take_while(|dir| dir.starts_with(&top));
    here.find(|dir| port.kind(&dir.join(".agent/memory")) == Some(Kind::Dir)).map(Path::to_path_buf)
}

/// A directory that a person names, as a store.
fn opened(port: &dyn Port, env: &Environment, dir: PathBuf, because: &str) -> Located {
    let projects = real(port, &config_dir(env).join("projects"));
    let agent = dir.ends_with(".agent/memory").then(|| dir.ancestors().nth(2)).flatten();
    let (layout, project) = match agent {
        Some(project) => (Layout::Agent, Some(project.to_path_buf())),
        None if dir.starts_with(projects) => (Layout::Claude, None),
        None => (Layout::Plain, None),
    };
    Located { dir, layout, project, because: because.into(), off: None, notes: Vec::new() }
}

fn directory(port: &dyn Port, env: &Environment, dir: &Path) -> Result<PathBuf, NotFound> {
    let path = env.cwd.join(dir);
    match port.kind(&path) {
        Some(Kind::Dir) => Ok(real(port, &path)),
        Some(_) => Err(NotFound {
            what: format!("{} is a file, not a directory", path.display()),
            hint: "give the directory that holds it".into(),
        }),
        None => Err(NotFound {
            what: format!("there is no directory {}", path.display()),
            hint: "to see the stores that exist: memcurator stores; to look around: memcurator demo".into(),
        }),
    }
}

fn real(port: &dyn Port, path: &Path) -> PathBuf {
    port.real(path).unwrap_or_else(|_| path.to_path_buf())
}

/// Adds up the memories below `dir`; links to directories are not entered.
fn count(port: &dyn Port, dir: &Path, store: &mut FoundStore, depth: usize) {
    for name in port.list(dir).unwrap_or_default() {
        let path = dir.join(&name);
        match port.kind(&path) {
            Some(Kind::Dir) if depth > 0 && !port.is_link(&path) => count(port, &path, store, depth - 1),
            Some(Kind::File) if path.extension() == Some(OsStr::new("md")) => {
                if path.parent() == Some(&store.dir) && name == "MEMORY.md" {
                    continue;
                }
                store.memories += 1;
                store.bytes += port.size(&path).unwrap_or(0);
                store.newest = store.newest.max(port.modified(&path) as Option<Time>);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::port::mem::MemPort;

    const MEMORY: &str = "---\nname: A\ndescription: B\ntype: user\n---\nC\n";

    fn home() -> (MemPort, Environment) {
        let mut port = MemPort::default();
        port.dir("/home/.claude/projects").dir("/proj/.git").dir("/proj/a");
        (port, Environment { cwd: "/proj/a".into(), home: "/home".into(), ..Environment::default() })
    }

    fn dir_of(target: &Target) -> &Path {
        match target {
            Target::Store(located) => &located.dir,
            Target::Stores(found) => panic!("{found:?}"),
        }
    }

    #[test]
    fn the_current_project_has_the_clients_store_else_the_agents_else_a_list() {
        let (mut port, env) = home();
        let launch = Launch::default();
        port.file("/home/.claude/projects/-other/memory/a.md", "12345");
        port.file("/home/.claude/projects/-other/memory/MEMORY.md", "index");
        port.file("/home/.claude/projects/-other/memory/sub/b.md", "123")
            .file("/home/.claude/projects/x", "");
        let Target::Stores(found) = current(&port, &env, &launch) else { panic!() };
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].slug.as_str(), found[0].memories, found[0].bytes), ("-other", 2, 8));

        port.dir("/proj/.agent/memory");
        let Target::Store(agent) = current(&port, &env, &launch) else { panic!() };
        assert_eq!((agent.layout, agent.project.as_deref()), (Layout::Agent, Some(Path::new("/proj"))));
        port.dir("/home/.claude/projects/-proj/memory");
        let client = current(&port, &env, &launch);
        assert_eq!(dir_of(&client), Path::new("/home/.claude/projects/-proj/memory"));
    }

    #[test]
    fn an_agent_store_above_the_git_root_is_another_projects() {
        let (mut port, mut env) = home();
        port.dir("/.agent/memory").dir("/plain/a").dir("/plain/.agent/memory");
        assert_eq!(current(&port, &env, &Launch::default()), Target::Stores(Vec::new()));
        env.cwd = "/plain/a".into();
        assert_eq!(
            current(&port, &env, &Launch::default()),
            Target::Stores(Vec::new()),
            "no root: only here"
        );
    }

    #[test]
    fn a_directory_is_a_store_when_it_holds_memories_or_an_index() {
        for (name, text, is_store) in [
            ("MEMORY.md", "", true),
            ("memory.md", "", false),
            ("a.md", MEMORY, true),
            ("a.md", "---\nname: A\nmetadata: \n  type: user\n---\n", true),
            ("a.MD", MEMORY, false),
            ("README.md", MEMORY, false),
            ("CLAUDE.md", MEMORY, false),
            ("SKILL.md", MEMORY, false),
            ("page.md", "---\ntitle: A\ndescription: B\n---\n", false),
            ("page.md", "# Title\n", false),
            ("a.md", "---\nname: A\n---\n", false),
        ] {
            let (mut port, env) = home();
            port.file(format!("/some/{name}"), text);
            let target = at(&port, &env, &Launch::default(), Path::new("/some"));
            assert_eq!(target.is_ok(), is_store, "{name} {text:?}: {target:?}");
        }
    }

    #[test]
    fn a_projects_directory_leads_to_its_store() {
        let (mut port, env) = home();
        let launch = Launch::default();
        port.file("/proj/README.md", MEMORY).file("/proj/docs/a.md", "text");
        port.dir("/home/.claude/projects/-proj/memory");
        for dir in ["/proj", ".", "..", "/proj/docs", "/home/.claude/projects/-proj", "/proj/a/../docs"] {
            let target = at(&port, &env, &launch, Path::new(dir)).unwrap();
            assert_eq!(dir_of(&target), Path::new("/home/.claude/projects/-proj/memory"), "{dir}");
        }
        let given = at(&port, &env, &launch, Path::new("/home/.claude/projects/-proj/memory")).unwrap();
        assert_eq!(
            dir_of(&given),
            Path::new("/home/.claude/projects/-proj/memory"),
            "it is empty, but a store"
        );
        assert_eq!(project(&port, &env, &launch, Path::new("/proj")).unwrap().layout, Layout::Claude);
    }

    #[test]
    fn what_is_not_found_is_said_with_where_it_was_looked_for() {
        let (mut port, env) = home();
        port.file("/file.md", MEMORY);
        let error = |dir: &str| at(&port, &env, &Launch::default(), Path::new(dir)).unwrap_err();
        assert!(error("/none").what.contains("no directory /none"));
        assert!(error("/file.md").what.contains("is a file"));
        let nothing = error("/proj");
        for part in ["/proj holds no memories", "/home/.claude/projects/-proj/memory", ".agent/memory"] {
            assert!(nothing.what.contains(part), "{}", nothing.what);
        }
        assert!(nothing.hint.contains("memcurator demo"));
        assert_eq!(
            store(&port, &env, Path::new("/proj")).unwrap().layout,
            Layout::Plain,
            "--store takes any"
        );
    }
}

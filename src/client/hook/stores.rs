//! Which store a path belongs to, whatever name of it is used: `..`, links and relative paths lead where the file system
//! leads them.

use crate::memory::path::RelPath;
use crate::prompt::locate::path::normal;
use crate::prompt::port::Port;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The directories of memories that a hook looks after.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stores {
    /// Directories whose `*/memory` are stores: `<config>/projects`.
    pub projects: Vec<PathBuf>,
    /// Stores elsewhere.
    pub dirs: Vec<PathBuf>,
}

/// Where a path leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// To a file in a store: the store's real directory, and the file in it.
    Inside(PathBuf, RelPath),
    /// By its name into a store, by a link out of it.
    LeadsOut,
    /// Anywhere else, or to a store's directory itself.
    Elsewhere,
}

impl Stores {
    /// Where an absolute path leads.
    #[must_use]
    pub fn place(&self, port: &dyn Port, path: &Path) -> Place {
        let named = normal(path);
        let real = real(port, &named);
        if let Some((root, file)) = self.split(port, &real) {
            return RelPath::new(file).map_or(Place::Elsewhere, |file| Place::Inside(root, file));
        }
        let Some((root, file)) = self.split(port, &named) else { return Place::Elsewhere };
        let root = self::real(port, &root);
        match real.strip_prefix(&root) {
            Ok(file) => RelPath::new(file).map_or(Place::Elsewhere, |file| Place::Inside(root, file)),
            Err(_) if file.as_os_str().is_empty() => Place::Elsewhere,
            Err(_) => Place::LeadsOut,
        }
    }

    /// Whether a path is a store's directory or something in it.
    #[must_use]
    pub fn covers(&self, port: &dyn Port, path: &Path) -> bool {
        let named = normal(path);
        self.split(port, &named).is_some() || self.split(port, &real(port, &named)).is_some()
    }

    /// Whether a command line may be about a store: it names the directory of one, in one of the ways that are known.
    #[must_use]
    pub fn are_named_in(&self, command: &str) -> bool {
        let tail = |path: &PathBuf| {
            let parts: Vec<&OsStr> = path.iter().collect();
            let last: PathBuf =
                parts.get(parts.len().saturating_sub(2)..).unwrap_or_default().iter().collect();
            last.to_string_lossy().into_owned()
        };
        let says = |dir: &PathBuf| command.contains(tail(dir).as_str());
        let moved = ["$CLAUDE_CONFIG_DIR/projects", "${CLAUDE_CONFIG_DIR}/projects"];
        let is_home = self.projects.iter().any(says) || moved.iter().any(|form| command.contains(form));
        // One part of a path, not a word of prose or an option.
        let mut words = command.split(|c: char| c.is_whitespace() || "'\"`;|&<>()=".contains(c));
        is_home && words.any(|word| word.contains('/') && word.split('/').any(|part| part == "memory"))
            || self.dirs.iter().any(says)
    }

    /// A path as a store's directory and what is below it, by its text.
    fn split(&self, port: &dyn Port, path: &Path) -> Option<(PathBuf, PathBuf)> {
        for dir in &self.projects {
            for dir in [dir.clone(), real(port, dir)] {
                let Ok(below) = path.strip_prefix(&dir) else { continue };
                let mut parts = below.iter();
                if let (Some(slug), Some(memory)) = (parts.next(), parts.next())
                    && memory == "memory"
                {
                    return Some((dir.join(slug).join(memory), parts.as_path().to_path_buf()));
                }
            }
        }
        for dir in &self.dirs {
            for dir in [dir.clone(), real(port, dir)] {
                if let Ok(below) = path.strip_prefix(&dir) {
                    return Some((dir, below.to_path_buf()));
                }
            }
        }
        None
    }
}

/// The real path of what exists of a path, then the rest.
fn real(port: &dyn Port, path: &Path) -> PathBuf {
    for above in path.ancestors() {
        if let Ok(real) = port.real(above) {
            let rest = path.strip_prefix(above).unwrap_or(Path::new(""));
            return if rest.as_os_str().is_empty() { real } else { real.join(rest) };
        }
        // A link that leads nowhere yet: where it would.
        if port.is_link(above) {
            break;
        }
    }
    path.to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::port::mem::MemPort;

    fn stores() -> (MemPort, Stores) {
        let mut port = MemPort::default();
        port.dir("/h/.claude/projects/-p/memory/sub").dir("/h/p").dir("/keep/notes").dir("/other/real");
        port.file("/h/.claude/projects/-p/memory/a.md", "x").file("/h/p/out.md", "x");
        port.link("/h/.claude/projects/-p/memory/away.md", "/h/p/out.md");
        port.link("/h/.claude/projects/-p/memory/alias.md", "a.md");
        port.link("/h/p/in", "/h/.claude/projects/-p/memory");
        port.link("/h/.claude/projects/-q", "/nowhere");
        port.link("/h/.claude/projects/-l/memory", "/other/real");
        let stores =
            Stores { projects: vec!["/h/.claude/projects".into()], dirs: vec!["/keep/notes".into()] };
        (port, stores)
    }

    #[test]
    fn paths_lead_where_the_file_system_leads_them() {
        let (port, stores) = stores();
        let at = |path: &str| match stores.place(&port, Path::new(path)) {
            Place::Inside(root, file) => format!("{} {file}", root.display()),
            Place::LeadsOut => "out".into(),
            Place::Elsewhere => String::new(),
        };
        const P: &str = "/h/.claude/projects/-p/memory";
        for (path, want) in [
            ("/h/.claude/projects/-p/memory/a.md", format!("{P} a.md")),
            ("/h/.claude/projects/-p/memory/new/b.md", format!("{P} new/b.md")),
            ("/h/.claude/projects/-p/memory/sub/../MEMORY.md", format!("{P} MEMORY.md")),
            ("/h/p/../.claude/./projects/-p/memory/a.md", format!("{P} a.md")),
            ("/h/p/in/b.md", format!("{P} b.md")),
            ("/h/.claude/projects/-p/memory/alias.md", format!("{P} a.md")),
            ("/h/.claude/projects/-new/memory/a.md", "/h/.claude/projects/-new/memory a.md".into()),
            ("/h/.claude/projects/-l/memory/a.md", "/other/real a.md".into()),
            ("/keep/notes/a.md", "/keep/notes a.md".into()),
            ("/h/.claude/projects/-p/memory/away.md", "out".into()),
            ("/h/.claude/projects/-p/memory", String::new()),
            ("/h/.claude/projects/-p/memory/../a.md", String::new()),
            ("/h/.claude/projects/-p/memory_evil/a.md", String::new()),
            ("/h/.claude/projects/-p/s.jsonl", String::new()),
            ("/h/p/memory/a.md", String::new()),
            ("/keep/notes2/a.md", String::new()),
        ] {
            assert_eq!(at(path), want, "{path}");
        }
        assert!(stores.covers(&port, Path::new("/h/p/in")) && !stores.covers(&port, Path::new("/h/p")));
    }

    #[test]
    fn commands_name_stores() {
        let (_, stores) = stores();
        for yes in [
            "echo x >> /h/.claude/projects/-p/memory/MEMORY.md",
            "cat ~/.claude/projects/*/memory/*.md",
            "cd ~/.claude/projects/-p && rm memory/a.md",
            "x=$HOME/.claude/projects/-p/memory; touch $x/a",
            "touch \"$CLAUDE_CONFIG_DIR/projects/-p/memory/a.md\"",
            "rm /keep/notes/a.md",
        ] {
            assert!(stores.are_named_in(yes), "{yes}");
        }
        for no in [
            "echo hi",
            "ls ~/.claude/projects",
            "grep memory ~/.claude/projects/x.jsonl",
            "cat src/memory/mod.rs",
            "run ~/.claude/projects/a --memory",
        ] {
            assert!(!stores.are_named_in(no), "{no}");
        }
    }
}

//! What is copied into a mirror: everything that a session might read, and no more of it than its text.

use super::files::file;
use super::{Copier, MAX_FILE, moved};
use crate::client::inside;
use crate::client::prove::{obeyed, reduce};
use crate::client::trouble::Trouble;
use crate::prompt::{agent, locate};
use regex::Regex;
use std::fs;
use std::path::{Component, Path, PathBuf};

impl Copier<'_> {
    pub(super) fn everything(&mut self) -> Result<(), Trouble> {
        let session = self.session;
        let (cwd, home) = (session.cwd().to_path_buf(), session.around.env.home.clone());
        for dir in [&cwd, &home, &session.config] {
            self.path(dir)?;
            inside::directory(self.root, &moved(dir, self.root))?;
        }
        let mut dirs: Vec<PathBuf> = cwd.ancestors().map(Path::to_path_buf).collect();
        for file in &session.request.open {
            let file = locate::path::absolute(&cwd, file);
            dirs.extend(
                file.ancestors().skip(1).take_while(|dir| dir.starts_with(&cwd)).map(Path::to_path_buf),
            );
        }
        dirs.extend(session.request.add_dirs.iter().map(|dir| session.directory(dir)));
        dirs.extend(session.around.root.main.clone());
        let places = dirs.iter().map(|dir| dir.join(".claude")).chain([session.config.clone()]);
        self.settings = places.filter_map(|dir| fs::canonicalize(dir).ok()).collect();
        for file in &session.request.open {
            self.path(&locate::path::absolute(&cwd, file))?;
        }
        for dir in dirs {
            self.instructions(&dir)?;
            self.instructions(&dir.join(".claude"))?;
            self.tree(&dir.join(".claude/rules"), 0)?;
            self.settings(&dir.join(".claude"))?;
            self.git(&dir)?;
        }
        let config = session.config.clone();
        self.instructions(&config)?;
        self.tree(&config.join("rules"), 0)?;
        self.settings(&config)?;
        self.approval()?;
        self.agent()?;
        while let Some((file, dir, depth)) = self.texts.pop() {
            self.imports(&file, &dir, depth)?;
        }
        Ok(())
    }

    /// The instruction files of a directory, whatever the case of their names.
    fn instructions(&mut self, dir: &Path) -> Result<(), Trouble> {
        const NAMES: [&str; 4] = ["claude.md", "claude.local.md", "agents.md", "agents.local.md"];
        let Ok(entries) = fs::read_dir(dir) else { return Ok(()) };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().to_lowercase();
            if NAMES.contains(&name.as_str()) {
                self.text(&entry.path(), 0)?;
            }
        }
        Ok(())
    }

    /// All Markdown below a directory of rules.
    fn tree(&mut self, dir: &Path, depth: usize) -> Result<(), Trouble> {
        let Ok(real) = fs::canonicalize(dir) else { return Ok(()) };
        // A link may lead round in a circle.
        if depth > 16 || !self.done.insert(real.join("*")) {
            return self.path(dir).map(|_| ());
        }
        self.path(dir)?;
        let Ok(entries) = fs::read_dir(dir) else { return Ok(()) };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                self.tree(&path, depth + 1)?;
            } else if path
                .extension()
                .is_some_and(|ext| ext.to_string_lossy().to_lowercase().starts_with("md"))
            {
                self.text(&path, 0)?;
            }
        }
        Ok(())
    }

    /// A file in which imports may stand.
    fn text(&mut self, path: &Path, depth: usize) -> Result<(), Trouble> {
        if let Some(real) = self.path(path)?
            && self.done.insert(path.to_path_buf())
        {
            let dir = real.parent().unwrap_or(&real).to_path_buf();
            self.texts.push((real, dir, depth));
        }
        Ok(())
    }

    /// What a text may import: wider than any client reads it.
    fn imports(&mut self, file: &Path, dir: &Path, depth: usize) -> Result<(), Trouble> {
        if depth > 6 || fs::metadata(file).map_or(0, |meta| meta.len()) > MAX_FILE {
            return Ok(());
        }
        let Ok(bytes) = fs::read(file) else { return Ok(()) };
        let Ok(pattern) = Regex::new(r"@((?:\\ |\S)+)") else { return Ok(()) };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        for found in pattern.captures_iter(&text).filter_map(|found| found.get(1)) {
            let written = found.as_str().replace("\\ ", " ");
            let ends = ['#', '.', ',', ';', ':', '!', '?', ')', '/', '*', '`', ']', '>', '"', '\''];
            let shorter = written.trim_end_matches(ends);
            let before_hash = written.split('#').next().unwrap_or_default();
            for name in [written.as_str(), shorter, before_hash] {
                if name.starts_with('/') && Path::new(name).is_file() {
                    let what = format!("the absolute import @{name} in {}", file.display());
                    if !self.left_out.contains(&what) {
                        self.left_out.push(what);
                    }
                    continue;
                }
                let target = match name.strip_prefix("~/") {
                    Some(rest) => self.session.around.env.home.join(rest),
                    None => locate::path::absolute(dir, name),
                };
                if target.is_file() {
                    self.text(&target, depth + 1)?;
                }
            }
        }
        Ok(())
    }

    /// The settings of a directory, reduced.
    fn settings(&mut self, dir: &Path) -> Result<(), Trouble> {
        for name in ["settings.json", "settings.local.json"] {
            let path = dir.join(name);
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let Some(reduced) = reduce::settings(&text, self.root) else {
                self.left_out.push(format!("{}, which is no JSON object", path.display()));
                continue;
            };
            self.path(dir)?;
            inside::write(self.root, &moved(&path, self.root), &reduced)?;
        }
        Ok(())
    }

    /// Whether imports from outside are approved.
    fn approval(&mut self) -> Result<(), Trouble> {
        let session = self.session;
        if !session.approved {
            return Ok(());
        }
        let env = &session.around.env;
        let dir = match env.var("CLAUDE_CONFIG_DIR") {
            Some(set) => locate::path::absolute(&env.cwd, set),
            None => env.home.clone(),
        };
        let named = moved(&session.around.root.named, self.root);
        let state = serde_json::json!({
            "projects": { (named.to_string_lossy()): { "hasClaudeMdExternalIncludesApproved": true } },
        });
        inside::write(self.root, &moved(&dir, self.root).join(".claude.json"), &state.to_string())
    }

    /// The entry that makes a directory a root: an empty directory, or a file that leads to a worktree's one.
    fn git(&mut self, dir: &Path) -> Result<(), Trouble> {
        let entry = dir.join(".git");
        let Ok(meta) = fs::metadata(&entry) else { return Ok(()) };
        self.path(dir)?;
        let there = moved(&entry, self.root);
        if meta.is_dir() {
            return inside::directory(self.root, &there);
        }
        let Ok(text) = fs::read_to_string(&entry) else { return Ok(()) };
        let Some(link) = text.trim().strip_prefix("gitdir:").map(str::trim) else {
            return inside::write(self.root, &there, "");
        };
        let git_dir = locate::path::absolute(dir, link);
        let text = format!("gitdir: {}\n", self.named(dir, link));
        inside::write(self.root, &there, &text)?;
        for name in ["commondir", "gitdir"] {
            let Ok(text) = fs::read_to_string(git_dir.join(name)) else { continue };
            let text = format!("{}\n", self.named(&git_dir, text.trim()));
            inside::write(self.root, &moved(&git_dir.join(name), self.root), &text)?;
        }
        Ok(())
    }

    /// The sub-agent whose memory is asked for: only its name and where its memory is.
    fn agent(&mut self) -> Result<(), Trouble> {
        let session = self.session;
        let Some(name) = &session.request.agent else { return Ok(()) };
        let Ok(memory) = agent::memory(session, &session.voice(), name) else { return Ok(()) };
        let yaml = serde_json::json!(name);
        let text =
            format!("---\nname: {yaml}\ndescription: mirrored\nmemory: {}\n---\nMirrored.\n", memory.scope);
        let there = moved(session.cwd(), self.root).join(format!(".claude/agents/{name}.md"));
        inside::write(self.root, &there, &text)?;
        self.path(&memory.directory)?;
        self.path(&memory.directory.join("MEMORY.md")).map(|_| ())
    }

    /// A path in a file of git's, as the mirror has it.
    fn named(&self, base: &Path, text: &str) -> String {
        if text.starts_with('/') || !climbs(base, text) {
            return reduce::moved(text, self.root);
        }
        moved(&locate::path::absolute(base, text), self.root).to_string_lossy().into_owned()
    }

    /// Copies what lies at a path, with the links on the way as links; gives the real file, when there is one.
    fn path(&mut self, path: &Path) -> Result<Option<PathBuf>, Trouble> {
        let mut rest: Vec<PathBuf> = parts(path);
        let mut at = PathBuf::from("/");
        let mut hops = 0;
        while let Some(part) = rest.pop() {
            if part == Path::new("..") {
                at.pop();
                continue;
            }
            let next = at.join(&part);
            let there = moved(&next, self.root);
            let Ok(meta) = fs::symlink_metadata(&next) else { return Ok(None) };
            if !meta.is_dir() && obeyed::is(&next, &self.settings) {
                note(&mut self.left_out, &next);
                return Ok(None);
            }
            if meta.is_symlink() {
                let Ok(target) = fs::read_link(&next) else { return Ok(None) };
                hops += 1;
                if hops > 40 {
                    return Ok(None);
                }
                let from = at.clone();
                if target.is_absolute() {
                    at = "/".into();
                }
                rest.extend(parts(&target));
                if fs::symlink_metadata(&there).is_err() {
                    // Straight to where it leads, however it is written: from the mirror, which lies deeper, `..` would
                    // lead elsewhere.
                    let leads =
                        fs::canonicalize(&next).unwrap_or_else(|_| locate::path::absolute(&from, &target));
                    inside::link(self.root, &moved(&leads, self.root), &there)?;
                }
            } else if meta.is_dir() {
                if fs::symlink_metadata(&there).is_err() {
                    inside::directory(self.root, &there)?;
                }
                at = next;
            } else {
                if meta.is_file() && rest.is_empty() {
                    if self.done.insert(there.clone()) && !file(self.root, &next, &there, self.shift)? {
                        self.left_out
                            .push(format!("{}, which can't be read or is too large", next.display()));
                    }
                    return Ok(Some(next));
                }
                return Ok(None);
            }
        }
        Ok(None)
    }
}

/// Whether a path from there leads above the root, which is a directory like others in the mirror.
pub(super) fn climbs(base: &Path, text: &str) -> bool {
    let mut depth = base.components().filter(|part| matches!(part, Component::Normal(_))).count();
    Path::new(text).components().any(|part| {
        match part {
            Component::ParentDir if depth == 0 => return true,
            Component::ParentDir => depth -= 1,
            Component::Normal(_) => depth += 1,
            _ => {}
        }
        false
    })
}

/// Notes a file that is not mirrored because more than its text would count.
pub(super) fn note(left_out: &mut Vec<String>, path: &Path) {
    let what = format!("{}, which the client would obey", path.display());
    if !left_out.contains(&what) {
        left_out.push(what);
    }
}

/// The parts of a path, the last one first; `..` stays.
pub(super) fn parts(path: &Path) -> Vec<PathBuf> {
    let part = |part: Component<'_>| match part {
        Component::Normal(name) => Some(PathBuf::from(name)),
        Component::ParentDir => Some("..".into()),
        Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
    };
    path.components().rev().filter_map(part).collect()
}

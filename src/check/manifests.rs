//! What the manifests of a project state: versions of what it is made with, and the commands it is run with.
//!
//! A manifest that does not parse states nothing; the line of a statement is where its name stands.

mod javascript;
mod others;
mod python;
mod rust;
mod targets;
mod version;

pub use version::{Agreement, agreement};

use super::project::Text;
use std::collections::HashMap;

/// One statement of a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stated {
    /// The manifest, relative to the project.
    pub path: String,
    /// The line there, from 1.
    pub line: usize,
    /// The line as it stands, without blanks around.
    pub text: String,
    /// What it states: a version requirement as written (`^4.17.2`), or a command.
    pub value: String,
}

/// What the manifests of a project state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manifests {
    /// Versions by the name of what has them, in lower case (`left-grid`, `node`); several manifests may differ.
    pub versions: HashMap<String, Vec<Stated>>,
    /// Commands as they are typed (`npm run lint`, `make test`), in lower case with single blanks.
    pub commands: HashMap<String, Stated>,
}

impl Manifests {
    /// Reads every text that is a manifest.
    #[must_use]
    pub fn of(texts: &[Text]) -> Self {
        let mut manifests = Self::default();
        for text in texts {
            let mut reader = Reader { text, manifests: &mut manifests };
            let name = text.path.rsplit('/').next().unwrap_or_default();
            javascript::read(name, &mut reader);
            rust::read(name, &mut reader);
            python::read(name, &mut reader);
            targets::read(name, &mut reader);
            others::read(name, &mut reader);
        }
        manifests
    }

    /// Whether nothing is stated.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.versions.is_empty() && self.commands.is_empty()
    }

    /// The versions of something, by one of its usual names (`Node.js`, `golang`, `Postgres`).
    #[must_use]
    pub fn versions_of(&self, name: &str) -> &[Stated] {
        let name = usual_name(&name.to_lowercase()).to_owned();
        self.versions.get(&name).map_or(&[], Vec::as_slice)
    }

    /// The statement of a command as it is typed.
    #[must_use]
    pub fn command(&self, typed: &str) -> Option<&Stated> {
        self.commands.get(&typed_command(typed))
    }
}

/// Reads one manifest.
struct Reader<'a> {
    text: &'a Text,
    manifests: &'a mut Manifests,
}

impl Reader<'_> {
    fn content(&self) -> &str {
        &self.text.text
    }

    /// States the version of something; the line is the first with both.
    fn version(&mut self, name: &str, version: &str) {
        let line = self.line_with(&[name, version]).or_else(|| self.line_with(&[name])).unwrap_or(1);
        self.version_at(name, version, line);
    }

    fn version_at(&mut self, name: &str, version: &str, line: usize) {
        if version.contains(|c: char| c.is_ascii_digit()) {
            let stated = self.stated(line, version);
            let name = usual_name(&name.to_lowercase()).to_owned();
            self.manifests.versions.entry(name).or_default().push(stated);
        }
    }

    /// States a command; the line is the first with what is given.
    fn command(&mut self, typed: &str, seen: &[&str]) {
        let line = self.line_with(seen).unwrap_or(1);
        self.command_at(typed, line);
    }

    fn command_at(&mut self, typed: &str, line: usize) {
        let key = typed_command(typed);
        if !key.is_empty() {
            let stated = self.stated(line, typed);
            self.manifests.commands.entry(key).or_insert(stated);
        }
    }

    fn stated(&self, line: usize, value: &str) -> Stated {
        let text = self.content().lines().nth(line.saturating_sub(1)).unwrap_or_default().trim();
        Stated { path: self.text.path.clone(), line, text: text.to_owned(), value: value.to_owned() }
    }

    fn line_with(&self, needles: &[&str]) -> Option<usize> {
        let mut lines = self.content().lines();
        lines.position(|line| needles.iter().all(|needle| line.contains(needle))).map(|at| at + 1)
    }
}

/// A command as its key: lower case, single blanks, without a prompt.
fn typed_command(typed: &str) -> String {
    let typed = typed.trim().trim_start_matches("$ ");
    typed.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// The one name for what has several, in lower case.
fn usual_name(name: &str) -> &str {
    match name {
        "nodejs" | "node.js" => "node",
        "golang" => "go",
        "python3" | "requires-python" => "python",
        "rustc" | "msrv" | "rust-version" => "rust",
        "postgresql" => "postgres",
        "jdk" | "openjdk" | "java.version" => "java",
        other => other,
    }
}

#[cfg(test)]
mod tests;

//! Where the text of a memory can go, and how it is added there.

use crate::memory::edit::line_end;
use crate::memory::text::visible;
use crate::review::plan::{Content, FileState, OutsideChange, Refusal};
use std::path::{Path, PathBuf};

/// Instructions that a memory can become a part of (CLIENT_FACTS C1, C2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// The project's `CLAUDE.md`.
    Project,
    /// The person's own `CLAUDE.md`, in the agent home.
    User,
    /// A rule of the project, by its name without `.md`.
    Rule(String),
    /// A rule of the person's own.
    UserRule(String),
}

/// Where instructions are found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roots {
    /// The agent home's configuration directory.
    pub user: PathBuf,
    /// The project's root, when the store belongs to a known one.
    pub project: Option<PathBuf>,
}

/// A file outside of the store, and the directory that it must not leave through links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The directory.
    pub base: PathBuf,
    /// The file.
    pub path: PathBuf,
    /// The permission bits of a file that is made.
    pub mode: u32,
}

impl Destination {
    /// Reads `user`, `project`, `rule:NAME` or `user-rule:NAME`.
    ///
    /// # Errors
    /// When it is none of these, or the name of a rule can't be a file's name.
    pub fn parse(word: &str) -> Result<Self, Refusal> {
        let named = |name: &str| {
            let stem = name.strip_suffix(".md").unwrap_or(name);
            let usable = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
            let fits = !stem.is_empty() && !stem.starts_with('.') && stem.len() <= LONGEST;
            (fits && stem.chars().all(usable)).then(|| stem.to_owned()).ok_or_else(|| Refusal {
                what: format!("`{}` can't be the name of a rule; nothing was changed", visible(name, false)),
                hint: "use letters, digits, `-`, `_` and `.`, no dot at the start".into(),
            })
        };
        match (word, word.split_once(':')) {
            ("project", _) => Ok(Self::Project),
            ("user", _) => Ok(Self::User),
            (_, Some(("rule", name))) => Ok(Self::Rule(named(name)?)),
            (_, Some(("user-rule", name))) => Ok(Self::UserRule(named(name)?)),
            _ => Err(Refusal {
                what: format!("`{}` is no place to promote to; nothing was changed", visible(word, false)),
                hint: "there are project, user, rule:NAME and user-rule:NAME".into(),
            }),
        }
    }

    /// The file that is meant.
    ///
    /// # Errors
    /// When it belongs to a project and none is known.
    pub fn target(&self, roots: &Roots) -> Result<Target, Refusal> {
        let project = || {
            roots.project.clone().ok_or_else(|| Refusal {
                what: "it is not known which project this store belongs to; nothing was changed".into(),
                hint: "start in the project, or with --project DIR".into(),
            })
        };
        let at = |base: PathBuf, below: &Path, mode| Target { path: base.join(below), base, mode };
        let rule = |name: &str| Path::new("rules").join(format!("{name}.md"));
        Ok(match self {
            Self::Project => at(project()?, Path::new("CLAUDE.md"), 0o644),
            Self::Rule(name) => at(project()?, &Path::new(".claude").join(rule(name)), 0o644),
            Self::User => at(roots.user.clone(), Path::new("CLAUDE.md"), 0o600),
            Self::UserRule(name) => at(roots.user.clone(), &rule(name), 0o600),
        })
    }
}

/// No longer name is written; file systems take 255 bytes.
const LONGEST: usize = 200;

/// The file with the text added at its end, a blank line between, in the file's own line ends.
#[must_use]
pub fn with_text(path: &Path, before: Option<FileState>, text: &str, mode: u32) -> OutsideChange {
    let old: &[u8] = match before.as_ref().map(|state| &state.content) {
        Some(Content::File(bytes)) => bytes,
        _ => &[],
    };
    let end = line_end(old);
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = text.trim_matches('\n').trim_end();
    let mut new = old.to_vec();
    if !text.is_empty() {
        if !old.trim_ascii().is_empty() {
            let open = if old.ends_with(b"\n") || old.ends_with(b"\r") { 0 } else { 1 };
            let is_blank = old.ends_with(&[end.as_bytes(), end.as_bytes()].concat());
            let ends = open + usize::from(!is_blank);
            new.extend(std::iter::repeat_n(end.as_bytes(), ends).flatten());
        }
        new.extend(text.replace('\n', end).bytes());
        new.extend(end.bytes());
    }
    let mode = before.as_ref().map_or(mode, |state| state.mode);
    let after = FileState { content: Content::File(new.into()), mode, mtime: None };
    OutsideChange { path: path.to_path_buf(), before, after }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_files() {
        let roots = Roots { user: "/h/.claude".into(), project: Some("/p".into()) };
        for (word, path) in [
            ("project", "/p/CLAUDE.md"),
            ("user", "/h/.claude/CLAUDE.md"),
            ("rule:api", "/p/.claude/rules/api.md"),
            ("rule:api.md", "/p/.claude/rules/api.md"),
            ("user-rule:규칙", "/h/.claude/rules/규칙.md"),
        ] {
            let target = Destination::parse(word).unwrap().target(&roots).unwrap();
            assert_eq!(target.path, Path::new(path));
            assert!(target.path.starts_with(&target.base));
        }
        for bad in ["", "rule:", "rule:../x", "rule:a/b", "rule:.hidden", "Project", "team", "rule:a\nb"] {
            assert!(Destination::parse(bad).unwrap_err().what.contains("nothing was changed"), "{bad}");
        }
        let nowhere = Roots { project: None, ..roots };
        assert!(Destination::Project.target(&nowhere).is_err());
        assert!(Destination::User.target(&nowhere).is_ok());
    }

    #[test]
    fn the_text_stands_at_the_end_in_the_line_ends_of_the_file() {
        let after = |old: Option<&str>, text: &str| {
            let before = old.map(|old| FileState {
                content: Content::File(old.as_bytes().into()),
                mode: 0o640,
                mtime: None,
            });
            let change = with_text(Path::new("/p/CLAUDE.md"), before, text, 0o644);
            assert_eq!(change.after.mode, if old.is_some() { 0o640 } else { 0o644 });
            let Content::File(bytes) = &change.after.content else { panic!() };
            String::from_utf8(bytes.to_vec()).unwrap()
        };
        assert_eq!(after(None, "\nA fact.\n\n"), "A fact.\n");
        assert_eq!(after(Some("Old.\n"), "A\n\nb"), "Old.\n\nA\n\nb\n");
        assert_eq!(after(Some("Old."), "A"), "Old.\n\nA\n");
        assert_eq!(after(Some("Old.\n\n"), "A"), "Old.\n\nA\n");
        assert_eq!(after(Some("Old.\r\nMore.\r\n"), "A\nb"), "Old.\r\nMore.\r\n\r\nA\r\nb\r\n");
        assert_eq!(after(Some("\n"), "  - A"), "\n  - A\n", "indented text stays so");
        assert_eq!(after(Some("Old.\n"), " \n"), "Old.\n", "no text, no change");
    }
}

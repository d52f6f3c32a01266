//! What a call of one of the client's tools would write, from its name and input. Pure: for transcripts, where such
//! calls are found afterwards, and for a hook, which sees them before.

use super::transcript::bash;
use crate::memory::path::RelPath;
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// A file that a tool's call would write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolWrite {
    /// The file; absolute, unless a relative one was given and no current directory is known.
    pub path: PathBuf,
    /// What would become of it.
    pub write: Write,
}

/// What would become of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Write {
    /// It is written whole (`Write`, and `>` in Bash).
    Whole(String),
    /// Something is added at its end (`>>` in Bash).
    Append(String),
    /// Parts of it are replaced, one after the other (`Edit`).
    Edit(Vec<Replace>),
}

/// One text for another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replace {
    /// The text that is replaced; empty: the file is new.
    pub old: String,
    /// What comes there instead.
    pub new: String,
    /// Wherever it stands, not only where it stands alone.
    pub all: bool,
}

impl ToolWrite {
    /// What a call would write; `None` when it writes no file whose text is known beforehand.
    #[must_use]
    pub fn of(tool: &str, input: &Value, cwd: Option<&Path>) -> Option<Self> {
        let text = |key: &str| input.get(key).and_then(Value::as_str);
        let (path, write) = match tool {
            "Write" => (PathBuf::from(text("file_path")?), Write::Whole(text("content")?.to_owned())),
            "Edit" => (PathBuf::from(text("file_path")?), Write::Edit(vec![replace(input)?])),
            // Older clients had it; their transcripts are still there.
            "MultiEdit" => {
                let edits = input.get("edits")?.as_array()?.iter().map(replace);
                (PathBuf::from(text("file_path")?), Write::Edit(edits.collect::<Option<_>>()?))
            }
            "Bash" => {
                let found = bash::literal_write(text("command")?)?;
                let write = if found.appends { Write::Append(found.text) } else { Write::Whole(found.text) };
                (found.path, write)
            }
            _ => return None,
        };
        let path = match cwd {
            Some(cwd) => cwd.join(path),
            None => path,
        };
        Some(Self { path, write })
    }
}

impl Write {
    /// The text after it, given the text before; `None` stands for no file.
    ///
    /// # Errors
    /// Why it can't be applied, in words.
    pub fn apply(&self, before: Option<&str>) -> Result<String, &'static str> {
        match self {
            Self::Whole(text) => Ok(text.clone()),
            Self::Append(text) => Ok(format!("{}{text}", before.unwrap_or_default())),
            Self::Edit(edits) => {
                let mut text = before.map(str::to_owned);
                for edit in edits {
                    text = Some(edit.apply(text.as_deref())?);
                }
                text.ok_or("it changes nothing")
            }
        }
    }
}

impl Replace {
    fn apply(&self, before: Option<&str>) -> Result<String, &'static str> {
        match (before, self.old.is_empty()) {
            (None | Some(""), true) => Ok(self.new.clone()),
            (Some(_), true) => Err("it was to be a new file, and there is one"),
            (None, false) => Err("the file that it changes is not there"),
            (Some(text), false) => match text.matches(&self.old).count() {
                0 => Err("the text that it replaces is not there"),
                1 => Ok(text.replacen(&self.old, &self.new, 1)),
                _ if self.all => Ok(text.replace(&self.old, &self.new)),
                _ => Err("the text that it replaces stands in several places"),
            },
        }
    }
}

fn replace(input: &Value) -> Option<Replace> {
    let text = |key: &str| input.get(key).and_then(Value::as_str).map(str::to_owned);
    let all = input.get("replace_all").and_then(Value::as_bool).unwrap_or_default();
    Some(Replace { old: text("old_string")?, new: text("new_string")?, all })
}

/// The store's directory by every name that is known of it (as it was given, and real).
#[derive(Debug, Clone)]
pub struct Roots(Vec<PathBuf>);

impl Roots {
    /// These names of the directory.
    #[must_use]
    pub fn new(names: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut roots: Vec<PathBuf> = Vec::new();
        for name in names {
            if !roots.contains(&name) {
                roots.push(name);
            }
        }
        Self(roots)
    }

    /// The path inside the store that `path` leads to by its name alone; `None` when it is outside.
    #[must_use]
    pub fn inside(&self, path: &Path) -> Option<RelPath> {
        let path = normal(path);
        self.0.iter().find_map(|root| RelPath::new(path.strip_prefix(root).ok()?))
    }

    /// What every line about the store holds, in any of these forms: the last two parts of its path as they are written
    /// in JSON.
    #[must_use]
    pub fn needles(&self) -> Vec<Vec<u8>> {
        let needle = |root: &PathBuf| {
            let parts: Vec<OsString> = root.iter().map(OsString::from).collect();
            let tail: PathBuf =
                parts.get(parts.len().saturating_sub(2)..).unwrap_or_default().iter().collect();
            let text = serde_json::to_string(&tail.to_string_lossy()).unwrap_or_default();
            text.trim_matches('"').as_bytes().to_vec()
        };
        let mut needles: Vec<Vec<u8>> = self.0.iter().map(needle).collect();
        needles.sort();
        needles.dedup();
        needles
    }
}

/// The path without `.` and `..`, by its text.
fn normal(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                clean.pop();
            }
            Component::CurDir => {}
            other => clean.push(other),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_calls_would_write() {
        let of = |tool: &str, input: Value| ToolWrite::of(tool, &input, Some(Path::new("/w")));
        let want = |path: &str, write| Some(ToolWrite { path: path.into(), write });
        let whole = Write::Whole("x".into());
        assert_eq!(
            of("Write", json!({ "file_path": "/m/a.md", "content": "x" })),
            want("/m/a.md", whole.clone())
        );
        assert_eq!(of("Write", json!({ "file_path": "a.md", "content": "x" })), want("/w/a.md", whole));
        assert_eq!(of("Write", json!({ "file_path": "/m/a.md", "content": 7 })), None);
        let replace = |all| Replace { old: "a".into(), new: "b".into(), all };
        let edit =
            json!({ "file_path": "/m/a.md", "old_string": "a", "new_string": "b", "replace_all": true });
        assert_eq!(of("Edit", edit), want("/m/a.md", Write::Edit(vec![replace(true)])));
        let edits = json!({ "file_path": "/m/a.md", "edits": [{ "old_string": "a", "new_string": "b" }] });
        assert_eq!(of("MultiEdit", edits), want("/m/a.md", Write::Edit(vec![replace(false)])));
        let command = json!({ "command": "echo x >> /m/MEMORY.md" });
        assert_eq!(of("Bash", command), want("/m/MEMORY.md", Write::Append("x\n".into())));
        assert_eq!(of("Bash", json!({ "command": "cp a /m/b.md" })), None);
        assert_eq!(of("Read", json!({ "file_path": "/m/a.md" })), None);
    }

    #[test]
    fn edits_apply_only_where_it_is_clear_where() {
        let edit =
            |old: &str, new: &str, all| Write::Edit(vec![Replace { old: old.into(), new: new.into(), all }]);
        assert_eq!(edit("a", "b", false).apply(Some("xay")), Ok("xby".into()));
        assert_eq!(edit("a", "b", true).apply(Some("aa")), Ok("bb".into()));
        assert_eq!(edit("", "new", false).apply(None), Ok("new".into()));
        for (write, before) in [
            (edit("a", "b", false), Some("aa")),
            (edit("a", "b", false), Some("x")),
            (edit("a", "b", false), None),
            (edit("", "b", false), Some("x")),
        ] {
            assert!(write.apply(before).is_err(), "{write:?} {before:?}");
        }
        assert_eq!(Write::Append("b\n".into()).apply(Some("a\n")), Ok("a\nb\n".into()));
        assert_eq!(Write::Append("b\n".into()).apply(None), Ok("b\n".into()));
    }

    #[test]
    fn only_paths_below_the_store_are_inside() {
        let roots = Roots::new(["/c/p-x/memory".into(), "/real/p-x/memory".into()]);
        let inside = |path: &str| roots.inside(Path::new(path)).map(|path| path.to_string());
        assert_eq!(inside("/c/p-x/memory/a.md").as_deref(), Some("a.md"));
        assert_eq!(inside("/real/p-x/memory/sub/../b.md").as_deref(), Some("b.md"));
        for outside in ["/c/p-x/memory", "/c/p-x/memory/../a.md", "/c/p-x/memory_evil/a.md", "a.md", "/a.md"]
        {
            assert_eq!(inside(outside), None, "{outside}");
        }
        assert_eq!(roots.needles(), [b"p-x/memory".to_vec()]);
    }
}

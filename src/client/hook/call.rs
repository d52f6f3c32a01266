//! What the client tells its hook: one call of a tool, before it is made (CLIENT_FACTS D6).

use serde::Deserialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The most that is read of a call, in bytes. A proposal has one megabyte at most.
pub const MAX_INPUT: u64 = 64 << 20;

/// A call of a tool. Keys that nobody knows do no harm.
#[derive(Debug, Clone, Deserialize)]
pub struct Call {
    /// The tool.
    pub tool_name: String,
    /// What it is given.
    #[serde(default)]
    pub tool_input: Value,
    /// The call's id, as the transcript has it.
    #[serde(default)]
    pub tool_use_id: Option<String>,
    /// The session.
    #[serde(default)]
    pub session_id: Option<String>,
    /// The directory that the session is in now.
    #[serde(default)]
    pub cwd: Option<PathBuf>,
}

impl Call {
    /// Reads what the client wrote.
    ///
    /// # Errors
    /// When it is no JSON object of this form, in words.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(bytes).map_err(|error| format!("the call can't be read: {error}"))
    }

    /// The file that it names; absolute where that can be told. `~/` is the home directory.
    #[must_use]
    pub fn file(&self, home: &Path) -> Option<PathBuf> {
        let keys = ["file_path", "notebook_path"];
        let text = keys.iter().find_map(|key| self.tool_input.get(key)?.as_str())?;
        Some(match text.strip_prefix("~/") {
            Some(rest) => home.join(rest),
            None => self.cwd.as_deref().unwrap_or(Path::new("/")).join(text),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn calls_are_read_whatever_else_stands_there() {
        let text = json!({ "tool_name": "Write", "tool_input": { "file_path": "a.md", "content": "x" }, "cwd": "/w", "more": [1] });
        let call = Call::read(text.to_string().as_bytes()).unwrap();
        assert_eq!(call.file(Path::new("/h")), Some("/w/a.md".into()));
        let other =
            |input: Value| Call { tool_input: input, cwd: None, ..call.clone() }.file(Path::new("/h"));
        assert_eq!(other(json!({ "file_path": "~/a" })), Some("/h/a".into()));
        assert_eq!(other(json!({ "notebook_path": "/n" })), Some("/n".into()));
        assert_eq!(
            (other(json!({ "file_path": 3 })), other(json!("x")), other(Value::Null)),
            (None, None, None)
        );
        for bad in ["", "{", "[]", "{}", "null", r#"{"tool_name": 3}"#, r#"{"tool_name": "x", "cwd": 4}"#] {
            assert!(Call::read(bad.as_bytes()).is_err(), "{bad}");
        }
    }
}

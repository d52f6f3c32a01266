//! One line of a transcript as what happened. Pure. Every field is read on its own: one that is missing or of an odd
//! type is as good as absent, since it says nothing about the others.

use crate::memory::{Time, dates};
use serde::Deserialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// One line of a transcript.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Where and when.
    pub stamp: Stamp,
    /// Whether a sub-agent's conversation goes on here.
    pub is_sidechain: bool,
    /// What happened, in its order; empty for a kind of line that says nothing here.
    pub events: Vec<Event>,
}

/// Where and when a line was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stamp {
    /// The session's id.
    pub session: Option<String>,
    /// The current directory.
    pub cwd: Option<PathBuf>,
    /// The client's version.
    pub version: Option<String>,
    /// The branch of the repository; the client writes `HEAD` where there is none.
    pub branch: Option<String>,
    /// When.
    pub time: Option<Time>,
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The user wrote this.
    User(String),
    /// The model wrote this to the user.
    Assistant(String),
    /// The model asked for a tool.
    ToolUse {
        /// By which the result is known.
        id: String,
        /// The tool.
        name: String,
        /// What it was asked.
        input: Value,
    },
    /// What became of it.
    ToolResult {
        /// Of which request.
        id: String,
        /// It failed or was refused.
        is_error: bool,
        /// Whether it was refused rather than tried; `None`: not recorded (2.1.197).
        refused: Option<bool>,
        /// What the model was told, cut to [`MAX_RESULT`] bytes.
        text: String,
    },
    /// A file that was loaded because of another one (`nested_memory`).
    Nested(PathBuf),
    /// Files that were loaded at the start (2.1.332 records them, 2.1.197 does not).
    Instructions(Vec<LoadedFile>),
}

/// A file that was loaded at the start of a session, with the text that was loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedFile {
    /// Its path.
    pub path: PathBuf,
    /// What the session got of it, the client's notice about a cut included.
    pub content: String,
}

/// So much of a tool's result is kept, in bytes.
pub const MAX_RESULT: usize = 2000;

/// The part of a line that is read. What else stands in it (whole files in `toolUseResult`, whole prompts in
/// `rendered`) is skipped without being built.
#[derive(Deserialize)]
struct Raw {
    #[serde(default, rename = "type")]
    kind: Value,
    #[serde(default, rename = "sessionId")]
    session: Value,
    #[serde(default)]
    cwd: Value,
    #[serde(default)]
    version: Value,
    #[serde(default, rename = "gitBranch")]
    branch: Value,
    #[serde(default)]
    timestamp: Value,
    #[serde(default, rename = "isSidechain")]
    is_sidechain: Value,
    #[serde(default, rename = "isMeta")]
    is_meta: Value,
    #[serde(default, rename = "isCompactSummary")]
    is_summary: Value,
    #[serde(default, rename = "permissionDecision")]
    permission: Value,
    #[serde(default)]
    message: Value,
    #[serde(default)]
    attachment: Value,
}

/// Reads one line; `None` when it is no JSON object.
#[must_use]
pub fn parse(text: &[u8]) -> Option<Line> {
    // Derived code would take a list for the fields in their order.
    if text.trim_ascii_start().first() != Some(&b'{') {
        return None;
    }
    let raw: Raw = serde_json::from_slice(text).ok()?;
    let text = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let stamp = Stamp {
        session: text(&raw.session),
        cwd: text(&raw.cwd).map(PathBuf::from),
        version: text(&raw.version),
        branch: text(&raw.branch).filter(|branch| branch != "HEAD"),
        time: raw.timestamp.as_str().and_then(dates::parse),
    };
    let is_sidechain = raw.is_sidechain.as_bool().unwrap_or_default();
    Some(Line { stamp, is_sidechain, events: events(raw) })
}

fn events(raw: Raw) -> Vec<Event> {
    match raw.kind.as_str() {
        Some("user") => {
            // What the client says in the user's name (a summary, a caveat) is not the user's word.
            let is_told = raw.is_meta.as_bool() == Some(true) || raw.is_summary.as_bool() == Some(true);
            let refused = raw.permission.get("decision").and_then(Value::as_str).map(|said| said == "reject");
            blocks(raw.message)
                .filter_map(|block| match block {
                    Block::Text(text) => (!is_told && !is_markup(&text)).then_some(Event::User(text)),
                    Block::Result { id, is_error, text } => {
                        Some(Event::ToolResult { id, is_error, refused, text })
                    }
                    Block::Use { .. } => None,
                })
                .collect()
        }
        Some("assistant") => blocks(raw.message)
            .filter_map(|block| match block {
                Block::Text(text) => Some(Event::Assistant(text)),
                Block::Use { id, name, input } => Some(Event::ToolUse { id, name, input }),
                Block::Result { .. } => None,
            })
            .collect(),
        Some("attachment") => attachment(raw.attachment).into_iter().collect(),
        _ => Vec::new(),
    }
}

enum Block {
    Text(String),
    Use { id: String, name: String, input: Value },
    Result { id: String, is_error: bool, text: String },
}

fn blocks(mut message: Value) -> impl Iterator<Item = Block> {
    let list = match message.get_mut("content").map(Value::take) {
        Some(Value::String(text)) => vec![serde_json::json!({ "type": "text", "text": text })],
        Some(Value::Array(list)) => list,
        _ => Vec::new(),
    };
    list.into_iter().filter_map(|mut block| {
        let mut take = |key: &str| match block.get_mut(key).map(Value::take) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        match take("type")?.as_str() {
            "text" => take("text").filter(|text| !text.trim().is_empty()).map(Block::Text),
            "tool_use" => {
                let (id, name) = (take("id")?, take("name")?);
                let input = block.get_mut("input").map(Value::take).unwrap_or_default();
                Some(Block::Use { id, name, input })
            }
            "tool_result" => {
                let id = take("tool_use_id")?;
                let is_error = block.get("is_error").and_then(Value::as_bool).unwrap_or_default();
                Some(Block::Result { id, is_error, text: result_text(block.get("content")) })
            }
            _ => None,
        }
    })
}

/// The text of a tool's result, or its head.
fn result_text(content: Option<&Value>) -> String {
    let whole = match content {
        Some(Value::String(text)) => text.as_str(),
        Some(Value::Array(list)) => {
            list.iter().find_map(|block| block.get("text").and_then(Value::as_str)).unwrap_or_default()
        }
        _ => "",
    };
    whole.get(..whole.floor_char_boundary(MAX_RESULT)).unwrap_or_default().to_owned()
}

fn attachment(mut attachment: Value) -> Option<Event> {
    let kind = attachment.get("type")?.as_str()?.to_owned();
    match kind.as_str() {
        "nested_memory" => {
            let path = attachment.get("path").or_else(|| attachment.get("content")?.get("path"))?;
            Some(Event::Nested(path.as_str()?.into()))
        }
        "instructions" => {
            let Value::Array(files) = attachment.get_mut("files")?.take() else { return None };
            let file = |mut file: Value| {
                let path = file.get("path")?.as_str()?.into();
                match file.get_mut("content")?.take() {
                    Value::String(content) => Some(LoadedFile { path, content }),
                    _ => None,
                }
            };
            Some(Event::Instructions(files.into_iter().filter_map(file).collect()))
        }
        // What the user typed while the model was at work.
        "queued_command" if attachment.get("commandMode").and_then(Value::as_str) == Some("prompt") => {
            let text = attachment.get("prompt")?.as_str()?.to_owned();
            (!text.trim().is_empty() && !is_markup(&text)).then_some(Event::User(text))
        }
        _ => None,
    }
}

/// Whether a text is one element of markup from end to end: so the client notes its own doings (a command's output, a
/// reminder) among what the user wrote.
fn is_markup(text: &str) -> bool {
    let text = text.trim();
    let Some(rest) = text.strip_prefix('<') else { return false };
    let name_ends = rest.find(|c: char| !(c.is_ascii_lowercase() || c == '-')).unwrap_or(rest.len());
    let is_name = name_ends > 0 && rest.get(name_ends..).is_some_and(|rest| rest.starts_with(['>', ' ']));
    is_name && text.ends_with('>') && text.contains("</")
}

/// Where a path that a tool was given leads: relative ones are under the current directory.
#[must_use]
pub fn absolute(stamp: &Stamp, path: &str) -> Option<PathBuf> {
    let path = Path::new(path);
    if path.is_absolute() {
        return Some(path.to_path_buf());
    }
    Some(stamp.cwd.as_ref()?.join(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn events(value: &Value) -> Vec<Event> {
        parse(value.to_string().as_bytes()).unwrap().events
    }

    #[test]
    fn what_stands_on_a_line() {
        let line = json!({
            "type": "assistant", "sessionId": "s", "cwd": "/w", "version": "2.1.332", "gitBranch": "main",
            "timestamp": "2026-03-05T10:00:00.250Z", "isSidechain": true, "toolUseResult": { "file": "x" },
            "message": { "role": "assistant", "content": [
                { "type": "thinking", "thinking": "hm" },
                { "type": "text", "text": "I will read it." },
                { "type": "tool_use", "id": "t1", "name": "Read", "input": { "file_path": "/w/a.md" } },
            ] },
        });
        let line = parse(line.to_string().as_bytes()).unwrap();
        assert_eq!(line.stamp.session.as_deref(), Some("s"));
        assert_eq!((line.stamp.cwd, line.stamp.branch), (Some("/w".into()), Some("main".into())));
        assert_eq!(line.stamp.time, dates::parse("2026-03-05T10:00:00.250Z"));
        assert!(line.is_sidechain);
        assert_eq!(
            line.events,
            [
                Event::Assistant("I will read it.".into()),
                Event::ToolUse {
                    id: "t1".into(),
                    name: "Read".into(),
                    input: json!({ "file_path": "/w/a.md" })
                },
            ]
        );
    }

    #[test]
    fn results_say_whether_they_were_refused_where_that_is_recorded() {
        let line = |permission: Value| {
            events(&json!({ "type": "user", "permissionDecision": permission, "message": { "content": [
                { "type": "tool_result", "tool_use_id": "t", "is_error": true, "content": "no" } ] } }))
        };
        let result =
            |refused| vec![Event::ToolResult { id: "t".into(), is_error: true, refused, text: "no".into() }];
        assert_eq!(line(json!({ "decision": "reject" })), result(Some(true)));
        assert_eq!(line(json!({ "decision": "accept" })), result(Some(false)));
        assert_eq!(line(Value::Null), result(None));
        let long = json!({ "type": "user", "message": { "content": [
            { "type": "tool_result", "tool_use_id": "t", "content": [{ "type": "text", "text": "ü".repeat(5000) }] } ] } });
        let [Event::ToolResult { text, is_error: false, .. }] = &events(&long)[..] else { panic!() };
        assert_eq!(text.len(), MAX_RESULT);
    }

    #[test]
    fn only_what_the_user_wrote_is_the_users_word() {
        let user = |extra: &str, text: &str| {
            let mut line = json!({ "type": "user", "message": { "content": text } });
            if !extra.is_empty() {
                line[extra] = true.into();
            }
            events(&line)
        };
        let said = |text: &str| vec![Event::User(text.into())];
        assert_eq!(user("", "use tabs"), said("use tabs"));
        assert_eq!(user("", "<b> is bold, <i> is not"), said("<b> is bold, <i> is not"));
        assert_eq!(user("isMeta", "use tabs"), []);
        assert_eq!(user("isCompactSummary", "use tabs"), []);
        assert_eq!(user("", "<note-of-client>x</note-of-client>\n<other>y</other>"), []);
        assert_eq!(user("", "  "), []);
        let queued = |mode: &str| {
            events(&json!({ "type": "attachment", "attachment":
                { "type": "queued_command", "commandMode": mode, "prompt": "and spaces" } }))
        };
        assert_eq!(queued("prompt"), said("and spaces"));
        assert_eq!(queued("task-notification"), []);
    }

    #[test]
    fn what_was_loaded() {
        let nested = json!({ "type": "attachment", "attachment": { "type": "nested_memory", "path": "/w/s/CLAUDE.md" } });
        assert_eq!(events(&nested), [Event::Nested("/w/s/CLAUDE.md".into())]);
        let start = json!({ "type": "attachment", "attachment": { "type": "instructions", "files": [
            { "path": "/m/MEMORY.md", "type": "AutoMem", "content": "- [a](a.md)" }, { "path": 7 }, "x" ] } });
        let file = LoadedFile { path: "/m/MEMORY.md".into(), content: "- [a](a.md)".into() };
        assert_eq!(events(&start), [Event::Instructions(vec![file])]);
    }

    #[test]
    fn odd_lines_say_nothing_and_broken_ones_are_none() {
        for odd in [
            r#"{}"#,
            r#"{"type": 7, "message": []}"#,
            r#"{"type": "user", "message": {"content": {"type": "text"}}, "cwd": 3, "timestamp": "soon"}"#,
            r#"{"type": "assistant", "message": {"content": [null, 1, {"type": "tool_use", "id": 1}]}}"#,
            r#"{"type": "attachment", "attachment": {"type": "instructions", "files": {}}}"#,
            r#"{"type": "attachment", "attachment": "x"}"#,
            r#"{"type": "something-new"}"#,
        ] {
            assert_eq!(parse(odd.as_bytes()).unwrap().events, [], "{odd}");
        }
        for broken in ["", "[1]", "{\"type\": \"user\"", "null", "\"x\"", "{\"a\": \"\\ud800\"", "\u{0}"] {
            assert_eq!(parse(broken.as_bytes()), None, "{broken}");
        }
        let deep = format!("{{\"type\": \"user\", \"message\": {}1{}}}", "[".repeat(5000), "]".repeat(5000));
        assert_eq!(parse(deep.as_bytes()), None, "nested too deeply");
    }
}

//! A model's answer, read strictly: it is a stranger's text. What is not as it was asked for is dropped, with the reason.

use crate::memory::document::MemoryType;
use crate::memory::snapshot::Snapshot;
use crate::memory::text::{hidden, unfenced, visible};
use crate::review::proposal::target;
use serde_json::{Map, Value};

/// The most memories of one answer.
pub const MAX_MEMORIES: usize = 20;
/// The longest answer, in bytes.
pub const MAX_ANSWER: usize = 1 << 20;

/// What of an answer is taken.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer {
    /// Memories, in the form that proposals are read in.
    pub memories: Vec<Map<String, Value>>,
    /// What was dropped.
    pub dropped: Vec<Dropped>,
}

/// Something that was dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    /// What it is called, safe to show.
    pub name: String,
    /// Why, in words, safe to show.
    pub why: String,
}

/// The keys that a memory may have, and how many characters under each.
const KEYS: [(&str, usize); 9] = [
    ("action", 10),
    ("file", 250),
    ("type", 20),
    ("name", 100),
    ("description", 400),
    ("body", 8000),
    ("why", 2000),
    ("how", 2000),
    ("reason", 600),
];

/// Reads an answer. `mask` takes secrets out of a text: one that it changes holds some.
///
/// # Errors
/// When it is not the object that was asked for, in words for the model.
pub fn read(text: &str, store: &Snapshot, mask: &dyn Fn(&str) -> String) -> Result<Answer, String> {
    if text.len() > MAX_ANSWER {
        return Err(format!("it has more than {MAX_ANSWER} bytes"));
    }
    let json = unfenced(text).ok_or("it is empty")?;
    let value: Value = serde_json::from_str(json).map_err(|error| format!("it is not JSON: {error}"))?;
    let Value::Object(mut object) = value else { return Err("it is no JSON object".into()) };
    let Some(Value::Array(list)) = object.remove("memories") else {
        return Err("`memories` is missing, or is no list".into());
    };
    if list.len() > MAX_MEMORIES {
        return Err(format!("it has {} memories, and at most {MAX_MEMORIES} were asked for", list.len()));
    }
    let mut answer = Answer::default();
    for (number, one) in (1..).zip(list) {
        match memory(&one, store, mask) {
            Ok(()) => answer.memories.extend(one.as_object().cloned().map(without_empty)),
            Err(why) => answer.dropped.push(Dropped { name: called(&one, number), why }),
        }
    }
    Ok(answer)
}

fn memory(one: &Value, store: &Snapshot, mask: &dyn Fn(&str) -> String) -> Result<(), String> {
    let Value::Object(keys) = one else { return Err("it is no object".into()) };
    for (key, value) in keys {
        let Some((_, most)) = KEYS.iter().find(|(known, _)| known == key) else {
            return Err(format!("`{}` was not asked for", short(key)));
        };
        let text = match value {
            Value::Null => continue,
            Value::String(text) => text,
            _ => return Err(format!("`{key}` is no text")),
        };
        let length = text.chars().count();
        if length > *most {
            return Err(format!("`{key}` has {length} characters, and at most {most} may be"));
        }
        if let Some((_, c)) = hidden(text).next() {
            return Err(format!("`{key}` holds text that nobody sees: {}", visible(&c.to_string(), false)));
        }
        if !["body", "why", "how", "reason"].contains(&key.as_str()) && text.contains(['\n', '\t']) {
            return Err(format!("`{key}` has more than one line"));
        }
        if mask(text) != *text {
            return Err(format!("`{key}` holds a secret"));
        }
    }
    let text = |key: &str| keys.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    let kind = text("type").map(MemoryType::from_value);
    if matches!(kind, Some(MemoryType::Other(_) | MemoryType::Missing)) {
        return Err("`type` is not user, feedback, project or reference".into());
    }
    let file =
        text("file").map(|file| if file.ends_with(".md") { file.into() } else { format!("{file}.md") });
    let file = file.map(|file| target(&file)).transpose().map_err(|why| format!("`file`: {why}"))?;
    let is_there = |path| store.memories.iter().any(|memory| memory.path == path);
    match text("action").unwrap_or("add") {
        "add" => {
            for key in ["type", "name", "description", "body"] {
                text(key).ok_or_else(|| format!("`{key}` is missing"))?;
            }
        }
        "change" | "delete" => {
            let file = file.ok_or("`file` is missing")?;
            if !is_there(file) {
                return Err("`file` is no memory of the store".into());
            }
        }
        _ => return Err("`action` is not add, change or delete".into()),
    }
    Ok(())
}

/// What is empty says nothing; a name that was given must not become the name of a file as it stands.
fn without_empty(keys: Map<String, Value>) -> Map<String, Value> {
    keys.into_iter().filter(|(_, value)| value.as_str().is_some_and(|text| !text.trim().is_empty())).collect()
}

/// What a memory is called, for a person.
fn called(one: &Value, number: usize) -> String {
    let text = |key: &str| one.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    text("name").or_else(|| text("file")).map_or_else(|| format!("number {number}"), short)
}

fn short(text: &str) -> String {
    let head: String = text.chars().take(60).collect();
    visible(&head, false).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::extract::tests::store;
    use serde_json::json;

    fn read_all(text: &str) -> Result<Answer, String> {
        let store = store(&[("old.md", "---\nname: old\ntype: user\n---\nx\n")]);
        read(text, &store, &|text| text.replace("hunter2", "…"))
    }

    fn good() -> Value {
        json!({ "action": "add", "type": "user", "name": "tea", "description": "d", "body": "Prefers tea.", "why": "" })
    }

    #[test]
    fn answers_alone_or_in_a_fence_are_read() {
        let text = json!({ "memories": [good()] }).to_string();
        for text in [
            text.clone(),
            format!("\n```json\n{text}\n```\n"),
            format!("Here you are:\n```\n{text}\n```\nAnything else?"),
        ] {
            let answer = read_all(&text).unwrap();
            assert_eq!(answer.memories.len(), 1, "{text}");
            assert!(!answer.memories[0].contains_key("why"), "what is empty says nothing");
        }
        assert_eq!(read_all("{\"memories\": []}"), Ok(Answer::default()));
        let change = json!({ "memories": [{ "action": "change", "file": "old", "body": "y" }] });
        assert_eq!(read_all(&change.to_string()).unwrap().memories.len(), 1);
    }

    #[test]
    fn what_is_no_answer_is_an_error_for_the_model() {
        for (text, part) in [
            ("", "empty"),
            ("I found nothing.", "not JSON"),
            ("{\"memories\": [", "not JSON"),
            ("[]", "no JSON object"),
            ("{}", "`memories` is missing"),
            ("{\"memories\": {}}", "`memories` is missing"),
            ("```json\n{}\n```\n```json\n{}\n```", "not JSON"),
        ] {
            let error = read_all(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
        let many = json!({ "memories": vec![good(); MAX_MEMORIES + 1] });
        assert!(read_all(&many.to_string()).unwrap_err().contains("21 memories"));
        assert!(read_all(&" ".repeat(MAX_ANSWER + 1)).unwrap_err().contains("bytes"));
    }

    #[test]
    fn hostile_memories_are_dropped_one_by_one_with_the_reason() {
        let with = |key: &str, value: Value| {
            let mut one = good();
            one[key] = value;
            one
        };
        for (one, part) in [
            (json!(7), "no object"),
            (with("file", json!("../../etc/cron.d/x.md")), "no path inside the store"),
            (with("file", json!("/etc/x.md")), "no path inside the store"),
            (with("file", json!(".git/hooks.md")), "hidden"),
            (with("file", json!("MEMORY.md")), "is the index"),
            (with("body", json!("Fine.\u{202e}hidden")), "nobody sees"),
            (with("body", json!("Fine.\u{1b}[2J")), "nobody sees"),
            (with("name", json!("two\nlines")), "more than one line"),
            (with("name", json!("x".repeat(101))), "at most 100"),
            (with("body", json!("x".repeat(8001))), "at most 8000"),
            (with("body", json!("the password is hunter2")), "a secret"),
            (with("type", json!("system")), "`type` is not"),
            (with("type", Value::Null), "`type` is missing"),
            (with("body", json!(["x"])), "no text"),
            (with("content", json!("---\n")), "`content` was not asked for"),
            (with("origin", json!({ "kind": "person" })), "`origin` was not asked for"),
            (with("action", json!("purge")), "`action` is not"),
            (json!({ "action": "delete", "file": "missing.md" }), "no memory of the store"),
            (json!({ "action": "change", "body": "x" }), "`file` is missing"),
        ] {
            let text = json!({ "memories": [one, good()] }).to_string();
            let answer = read_all(&text).unwrap();
            assert_eq!(answer.memories.len(), 1, "{text}");
            assert!(answer.dropped[0].why.contains(part), "{text}: {:?}", answer.dropped);
            assert!(!answer.dropped[0].name.contains(['\u{202e}', '\u{1b}', '\n']));
        }
    }
}

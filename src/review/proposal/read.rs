//! Reads the two files of a proposal, strictly: an unknown version, an odd value or a path that leaves the store is a
//! fault. Keys that nobody knows are noted and do no harm.

use super::{Action, Faulty, MAX_BYTES, MAX_JSON, Origin, Proposal, VERSION, Waiting};
use crate::memory::dates;
use crate::memory::path::RelPath;
use crate::memory::text::visible;
use serde_json::{Map, Value};
use std::sync::Arc;

const KNOWN: [&str; 11] = [
    "version",
    "action",
    "target",
    "base",
    "origin",
    "time",
    "reason",
    "index_line",
    "alone",
    "rejected",
    "approved",
];

/// Reads a proposal from its two files; `None` stands for a file that is not there.
#[must_use]
pub fn read(id: &str, json: Option<&[u8]>, bytes: Option<&[u8]>) -> Waiting {
    match proposal(id, json, bytes) {
        Ok(proposal) => Waiting::Proposal(Box::new(proposal)),
        Err(fault) => {
            let bytes = bytes.filter(|bytes| bytes.len() <= MAX_BYTES).map(Arc::from);
            Waiting::Faulty(Faulty { id: id.to_owned(), fault, bytes })
        }
    }
}

fn proposal(id: &str, json: Option<&[u8]>, bytes: Option<&[u8]>) -> Result<Proposal, String> {
    let json = json.ok_or("there is no .json beside it, so nobody knows what it would do")?;
    if json.len() > MAX_JSON {
        return Err(format!("its .json has more than {MAX_JSON} bytes"));
    }
    let value: Value =
        serde_json::from_slice(json).map_err(|error| format!("its .json is damaged: {error}"))?;
    let Value::Object(keys) = value else { return Err("its .json is no object".into()) };
    match keys.get("version").map(|version| version.as_u64()) {
        Some(Some(VERSION)) => {}
        Some(Some(newer)) if newer > VERSION => {
            return Err(format!("it was written by a newer memcurator (version {newer} of the format)"));
        }
        None => return Err(format!("`version` is missing: wanted {VERSION}")),
        Some(_) => return Err(wrong("version", &keys, &VERSION.to_string())),
    }
    let word = text(&keys, "action")?.ok_or("`action` is missing: wanted add, change or delete")?;
    let action = Action::from_word(&word).ok_or_else(|| wrong("action", &keys, "add, change or delete"))?;
    let named = text(&keys, "target")?.ok_or("`target` is missing: wanted a memory's file")?;
    let alone = match keys.get("alone") {
        None | Some(Value::Null) => false,
        Some(Value::Bool(alone)) => *alone,
        Some(_) => return Err(wrong("alone", &keys, "true or false")),
    };
    // What the hook stages of the index that is about no memory of its own. Nobody proposes to delete the index.
    let target = if alone {
        any_file(&named).map_err(|why| format!("`target`: {why}"))?
    } else if named == "MEMORY.md" && action != Action::Delete {
        RelPath::index()
    } else {
        target(&named).map_err(|why| format!("`target`: {why}"))?
    };
    let base = text(&keys, "base")?;
    if base.as_ref().is_some_and(|base| !is_hash(base)) {
        return Err(wrong("base", &keys, "a SHA-256 in 64 lower-case hex digits"));
    }
    match (action, &base) {
        (Action::Add, Some(_)) => return Err("`base`: an addition has none".into()),
        (Action::Change | Action::Delete, None) => {
            return Err("`base` is missing: wanted the SHA-256 of the version it was made on".into());
        }
        _ => {}
    }
    let bytes: Option<Arc<[u8]>> = match (action, bytes) {
        (Action::Delete, None) => None,
        (Action::Delete, Some(_)) => return Err("a deletion has no .md".into()),
        (_, None) => return Err("there is no .md beside it, so nobody knows what it would write".into()),
        (_, Some(bytes)) if bytes.len() > MAX_BYTES => {
            return Err(format!("its .md has more than {MAX_BYTES} bytes"));
        }
        (_, Some(bytes)) if !alone && bytes.trim_ascii().is_empty() => return Err("its .md is empty".into()),
        (_, Some(bytes)) => Some(bytes.into()),
    };
    let time = match text(&keys, "time")? {
        Some(time) => Some(
            dates::parse(&time).ok_or_else(|| wrong("time", &keys, "a time such as 2026-03-05T10:00:00Z"))?,
        ),
        None => None,
    };
    let index_line = text(&keys, "index_line")?;
    if alone && index_line.is_some() {
        return Err("`index_line`: what is about a file alone has none".into());
    }
    if index_line.as_ref().is_some_and(|line| line.contains(['\n', '\r']) || line.trim().is_empty()) {
        return Err(wrong("index_line", &keys, "one line"));
    }
    let origin = match keys.get("origin") {
        None | Some(Value::Null) => Origin { kind: "unknown".into(), ..Origin::default() },
        Some(Value::Object(origin)) => self::origin(origin)?,
        Some(_) => return Err(wrong("origin", &keys, "an object with `kind`")),
    };
    let unknown = keys.keys().filter(|key| !KNOWN.contains(&key.as_str()));
    let notes =
        unknown.map(|key| format!("`{}` is not known and does nothing", visible(key, false))).collect();
    let reason = text(&keys, "reason")?;
    Ok(Proposal {
        id: id.to_owned(),
        action,
        target,
        base,
        origin,
        time,
        reason,
        index_line,
        bytes,
        alone,
        notes,
    })
}

/// Reads an `origin`.
pub(super) fn origin(keys: &Map<String, Value>) -> Result<Origin, String> {
    let part = |key: &str| text(keys, key).map_err(|why| format!("`origin`: {why}"));
    Ok(Origin {
        kind: part("kind")?.unwrap_or_else(|| "unknown".into()),
        session: part("session")?,
        branch: part("branch")?,
        by: part("by")?,
    })
}

/// The path of a memory that may be proposed.
///
/// # Errors
/// In words what is wrong: it leaves the store, is hidden, is the index, or is no Markdown file.
pub fn target(text: &str) -> Result<RelPath, String> {
    let shown = visible(text, false).into_owned();
    let path = RelPath::new(text).ok_or_else(|| format!("`{shown}` is no path inside the store"))?;
    let name = path.to_str_lossy().into_owned();
    let is_odd = |part: &str| part.starts_with('.') || part.len() > 250 || part.chars().any(char::is_control);
    if name.split('/').any(is_odd) {
        return Err(format!(
            "`{shown}` can't be a memory's path: a part of it is hidden, too long or not printable"
        ));
    }
    if name.eq_ignore_ascii_case("memory.md") {
        return Err("MEMORY.md is the index, which follows by itself".into());
    }
    if !name.ends_with(".md") || path.stem().is_empty() {
        return Err(format!("`{shown}` is no Markdown file (wanted NAME.md)"));
    }
    Ok(path)
}

/// The path of a file that may be proposed alone: any that stays in the store, written as it is found again.
fn any_file(text: &str) -> Result<RelPath, String> {
    let shown = visible(text, false);
    let path = RelPath::new(text).ok_or_else(|| format!("`{shown}` is no path inside the store"))?;
    if path.to_str_lossy() != text || text.contains('\0') || text.split('/').any(|part| part.len() > 255) {
        return Err(format!("`{shown}` is no path of a file inside the store"));
    }
    Ok(path)
}

/// Whether a text is a hash as `base` holds it.
pub(super) fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// A text under a key; null is as good as none.
pub(super) fn text(keys: &Map<String, Value>, key: &str) -> Result<Option<String>, String> {
    match keys.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(wrong(key, keys, "a text")),
    }
}

fn wrong(key: &str, keys: &Map<String, Value>, wanted: &str) -> String {
    let found: String = keys.get(key).map(Value::to_string).unwrap_or_default().chars().take(60).collect();
    format!("`{}`: wanted {wanted}, found {}", visible(key, false), visible(&found, false))
}

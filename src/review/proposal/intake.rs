//! Makes proposals of what `propose` is given: JSON (one object, an array, or one a line) or Markdown. All of it is
//! looked at before anything is stored.

use super::{Action, MAX_BYTES, Origin, Proposal, markdown, read, sha256};
use crate::memory::Time;
use crate::memory::body::PartKind;
use crate::memory::document::{Document, MemoryType};
use crate::memory::edit::{self, PartRef};
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Snapshot, Stat};
use crate::memory::text::visible;
use crate::review::edit::{Kind, default_kind};
use crate::review::new::{self, Habit, NewMemory};
use crate::review::plan::Refusal;
use crate::review::rename::free;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// What is known while proposals are made.
#[derive(Debug)]
pub struct Intake<'a> {
    /// The store as it is; empty when it does not exist yet.
    snapshot: Snapshot,
    /// Paths that are in the store, not only proposed.
    stored: HashMap<RelPath, Arc<Memory>>,
    habit: Habit,
    now: Time,
    origin: &'a Origin,
}

/// The keys that an object may have.
const KEYS: [&str; 14] = [
    "action",
    "name",
    "description",
    "type",
    "body",
    "why",
    "how",
    "file",
    "content",
    "base",
    "index_line",
    "reason",
    "origin",
    "time",
];

impl<'a> Intake<'a> {
    /// Begins. `waiting` are the proposals that wait already: their file names are taken. `origin` is that of proposals
    /// which name none.
    #[must_use]
    pub fn new(snapshot: &Snapshot, waiting: &[Proposal], origin: &'a Origin, now: Time) -> Self {
        let stored =
            snapshot.memories.iter().map(|memory| (memory.path.clone(), Arc::clone(memory))).collect();
        let habit = Habit::of(snapshot);
        let mut intake = Self { snapshot: snapshot.clone(), stored, habit, now, origin };
        for proposal in waiting.iter().filter(|proposal| proposal.action == Action::Add) {
            intake.take_name(proposal);
        }
        intake
    }

    /// Makes the proposals, each without an id yet.
    ///
    /// # Errors
    /// For the first that is wrong: which one, which field, what was wanted. Then none is to be stored.
    pub fn read(&mut self, text: &str) -> Result<Vec<Proposal>, Refusal> {
        let objects = match text.trim_start().bytes().next() {
            None => return Err(refusal("nothing was given on standard input", "give JSON or Markdown")),
            Some(b'{' | b'[') => objects(text)?,
            Some(_) => markdown::split(text).into_iter().map(from_markdown).collect(),
        };
        if objects.is_empty() {
            return Err(refusal(
                "there is no proposal in what was given",
                "give one object or memory at least",
            ));
        }
        let count = objects.len();
        let mut made = Vec::with_capacity(count);
        for (number, keys) in (1..).zip(objects) {
            let proposal = self.proposal(&keys).map_err(|why| {
                let which = if count == 1 {
                    "the proposal".to_owned()
                } else {
                    format!("proposal {number} of {count}")
                };
                refusal(&format!("{which}: {why}"), "correct it and give all of them again")
            })?;
            if proposal.action == Action::Add {
                self.take_name(&proposal);
            }
            made.push(proposal);
        }
        Ok(made)
    }

    /// A file that is proposed has a name that no other can have.
    fn take_name(&mut self, proposal: &Proposal) {
        let bytes = proposal.bytes.clone().unwrap_or_else(|| Arc::from([].as_slice()));
        let stat = Stat { mtime: Time::UNIX_EPOCH, mode: 0o600, link: None };
        let (path, document) = (proposal.target.clone(), Document::parse(&[]));
        self.snapshot.memories.push(Arc::new(Memory { path, bytes, document, stat }));
    }

    fn proposal(&self, keys: &Map<String, Value>) -> Result<Proposal, String> {
        if let Some(key) = keys.keys().find(|key| !KEYS.contains(&key.as_str())) {
            let near = similar::get_close_matches(key.as_str(), &KEYS, 1, 0.6);
            let near = near
                .first()
                .map_or_else(|| format!("known are {}", KEYS.join(", ")), |near| format!("`{near}`?"));
            return Err(format!("`{}` is no field of a proposal: {near}", visible(key, false)));
        }
        let text = |key: &str| read::text(keys, key);
        let action = match text("action")? {
            None => Action::Add,
            Some(word) => Action::from_word(&word).ok_or_else(|| {
                format!("`action`: wanted add, change or delete, found `{}`", visible(&word, false))
            })?,
        };
        let file = text("file")?;
        let target = match (&file, action) {
            (Some(file), Action::Change | Action::Delete) => Some(with_extension(file)?),
            (Some(file), Action::Add) if file.contains('/') => Some(with_extension(file)?),
            (None, Action::Change | Action::Delete) => {
                return Err(format!(
                    "`file` is missing: wanted the memory that it would {}",
                    action.as_str()
                ));
            }
            _ => None,
        };
        let (target, bytes) = match (action, target) {
            (Action::Delete, Some(target)) => (target, None),
            (Action::Change, Some(target)) => {
                let bytes = self.changed(keys, &target)?;
                (target, Some(bytes))
            }
            (_, target) => {
                let (path, bytes) = self.added(keys, target, file.as_deref())?;
                (path, Some(bytes))
            }
        };
        if let Some(bytes) = &bytes {
            let field = if keys.contains_key("content") { "content" } else { "body" };
            if bytes.len() > MAX_BYTES {
                return Err(format!("`{field}`: wanted at most {MAX_BYTES} bytes, found {}", bytes.len()));
            }
            if bytes.trim_ascii().is_empty() {
                return Err(format!("`{field}` is empty"));
            }
        }
        let base = self.base(keys, action, &target)?;
        let index_line = text("index_line")?;
        if index_line.as_ref().is_some_and(|line| line.contains(['\n', '\r']) || line.trim().is_empty()) {
            return Err("`index_line`: wanted one line".into());
        }
        let origin = match keys.get("origin") {
            None | Some(Value::Null) => self.origin.clone(),
            Some(Value::Object(origin)) => {
                let mut origin = read::origin(origin)?;
                if origin.kind == "unknown" {
                    origin.kind.clone_from(&self.origin.kind);
                }
                origin
            }
            Some(_) => return Err("`origin`: wanted an object with kind, session, branch or by".into()),
        };
        let time = match text("time")? {
            None => self.now,
            Some(time) => crate::memory::dates::parse(&time).ok_or_else(|| {
                format!("`time`: wanted 2026-03-05T10:00:00Z, found `{}`", visible(&time, false))
            })?,
        };
        Ok(Proposal {
            id: String::new(),
            action,
            target,
            base,
            origin,
            time: Some(time),
            reason: text("reason")?.filter(|reason| !reason.trim().is_empty()),
            index_line,
            bytes: bytes.map(Arc::from),
            alone: false,
            notes: Vec::new(),
        })
    }

    /// The version that it is made on: as it was named, else as it is now.
    fn base(
        &self,
        keys: &Map<String, Value>,
        action: Action,
        target: &RelPath,
    ) -> Result<Option<String>, String> {
        let named = read::text(keys, "base")?;
        if named.as_ref().is_some_and(|base| !read::is_hash(base)) {
            return Err("`base`: wanted the SHA-256 of the version it was made on, in lower-case hex".into());
        }
        if action == Action::Add {
            return match named {
                Some(_) => Err("`base`: an addition has none".into()),
                None => Ok(None),
            };
        }
        let now = self.existing(target)?;
        Ok(named.or_else(|| Some(sha256(&now.bytes))))
    }

    fn existing(&self, target: &RelPath) -> Result<&Arc<Memory>, String> {
        let shown = visible(&target.to_str_lossy(), false).into_owned();
        self.stored.get(target).ok_or_else(|| format!("`file`: there is no memory `{shown}` in the store"))
    }

    /// A memory with other bytes, or with fields changed.
    fn changed(&self, keys: &Map<String, Value>, target: &RelPath) -> Result<Vec<u8>, String> {
        let memory = self.existing(target)?;
        if let Some(content) = read::text(keys, "content")? {
            alone(keys)?;
            if content.as_bytes() == &*memory.bytes {
                return Err("`content` is what the memory holds already".into());
            }
            return Ok(content.into_bytes());
        }
        let mut bytes = memory.bytes.to_vec();
        for key in ["name", "description", "type"] {
            if let Some(value) = read::text(keys, key)? {
                let place = edit::place_of(&bytes, key);
                bytes =
                    edit::set_field(&bytes, place, key, &value).map_err(|why| format!("`{key}`: {why}"))?;
            }
        }
        for (key, kind) in [("body", PartKind::Fact), ("why", PartKind::Why), ("how", PartKind::How)] {
            if let Some(value) = read::text(keys, key)? {
                let part = PartRef { kind, number: 0 };
                let is_there = edit::part_texts(&bytes).iter().any(|(other, _)| *other == part);
                let set = if is_there {
                    edit::set_part(&bytes, part, &value)
                } else {
                    edit::add_part(&bytes, kind, &value)
                };
                bytes = set.map_err(|why| format!("`{key}`: {why}"))?;
            }
        }
        if *bytes == *memory.bytes {
            return Err("it changes nothing: give `content`, or fields with other values".into());
        }
        if default_kind(&memory.bytes, &bytes) == Kind::Substance {
            bytes = edit::renew(&bytes, self.now).unwrap_or(bytes);
        }
        Ok(bytes)
    }

    /// A new memory: whole, or from fields in the store's own way.
    fn added(
        &self,
        keys: &Map<String, Value>,
        target: Option<RelPath>,
        file: Option<&str>,
    ) -> Result<(RelPath, Vec<u8>), String> {
        let plain = |refusal: Refusal| refusal.what.split("; nothing").next().unwrap_or_default().to_owned();
        let is_free = |path: &RelPath| {
            free(&self.snapshot, path, None).map_err(|why| {
                format!("`file`: {}; for another version of it give action \"change\"", plain(why))
            })
        };
        let named = |path: Option<RelPath>| -> Result<Option<RelPath>, String> {
            let path = match (path, file) {
                (Some(path), _) => Some(path),
                (None, Some(file)) => Some(with_extension(file)?),
                (None, None) => None,
            };
            path.map(|path| is_free(&path).map(|()| path)).transpose()
        };
        let target = named(target)?;
        if let Some(content) = read::text(keys, "content")? {
            alone(keys)?;
            let path = match target {
                Some(path) => path,
                None => {
                    let header = Document::parse(content.as_bytes()).header;
                    let name = header.name.as_deref().map(str::trim).filter(|name| !name.is_empty()).ok_or(
                        "`file` is missing, and the content has no `name` from which a file name would follow",
                    )?;
                    new::default_path(&self.snapshot, name, &header.kind, self.now, &self.habit)
                        .map_err(plain)?
                }
            };
            return Ok((path, content.into_bytes()));
        }
        let kind = read::text(keys, "type")?
            .ok_or("`type` is missing: wanted user, feedback, project or reference")?;
        let kind = match MemoryType::from_value(&kind) {
            MemoryType::Missing | MemoryType::Other(_) => {
                let found = visible(&kind, false).into_owned();
                return Err(format!("`type`: wanted user, feedback, project or reference, found `{found}`"));
            }
            kind => kind,
        };
        let fact = read::text(keys, "body")?.filter(|body| !body.trim().is_empty());
        let memory = NewMemory {
            fact: fact.ok_or("`body` is missing: wanted the fact (or `content` with the whole file)")?,
            kind,
            name: read::text(keys, "name")?,
            description: read::text(keys, "description")?,
            why: read::text(keys, "why")?,
            how: read::text(keys, "how")?,
            file: None,
        };
        let (called, bytes) = new::written(&self.snapshot, &memory, self.now, &self.habit).map_err(plain)?;
        let path = match target {
            Some(path) => path,
            None => called.path.map_err(plain)?,
        };
        Ok((path, bytes))
    }
}

/// Beside `content` no field says what the memory holds.
fn alone(keys: &Map<String, Value>) -> Result<(), String> {
    match ["name", "description", "type", "body", "why", "how"]
        .into_iter()
        .find(|key| keys.contains_key(*key))
    {
        Some(key) => Err(format!("`{key}`: `content` is the whole file, so there is no place for it")),
        None => Ok(()),
    }
}

fn with_extension(file: &str) -> Result<RelPath, String> {
    let name = if file.ends_with(".md") { file.to_owned() } else { format!("{file}.md") };
    read::target(&name).map_err(|why| format!("`file`: {why}"))
}

/// The objects of a JSON text: one, an array of them, or one after the other.
fn objects(text: &str) -> Result<Vec<Map<String, Value>>, Refusal> {
    let mut found = Vec::new();
    for value in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        let value = value.map_err(|error| {
            refusal(
                &format!("what was given is no JSON: {error}"),
                "give objects, an array of them, or Markdown",
            )
        })?;
        let values = match value {
            Value::Array(values) => values,
            other => vec![other],
        };
        for value in values {
            match value {
                Value::Object(keys) => found.push(keys),
                _ => {
                    let number = found.len() + 1;
                    let what = format!("proposal {number} is no object");
                    return Err(refusal(&what, "give objects such as {\"type\": \"user\", \"body\": \"…\"}"));
                }
            }
        }
    }
    Ok(found)
}

fn from_markdown(text: &str) -> Map<String, Value> {
    Map::from_iter([("content".to_owned(), Value::from(text))])
}

fn refusal(what: &str, hint: &str) -> Refusal {
    Refusal { what: format!("{what}; nothing was stored"), hint: hint.into() }
}

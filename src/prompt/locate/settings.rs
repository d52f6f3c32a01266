//! What the client's settings files say about memory (CLIENT_FACTS A5, A6).
//!
//! A file that is not JSON, or in which one of these keys has the wrong type, counts as if it were not there:
//! the client drops the whole file (measured on 2.1.197 and 2.1.332). It is named in a note.

use crate::prompt::locate::Launch;
use crate::prompt::locate::path::absolute;
use crate::prompt::port::{Environment, Kind, Port};
use serde_json::Value;
use std::path::Path;

/// Where a setting comes from; the later one wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// `<config>/settings.json`.
    User,
    /// `.claude/settings.json` in the current directory.
    Project,
    /// `.claude/settings.local.json`.
    Local,
    /// `--settings`.
    Flag,
    /// The machine's managed settings (only documented by the client's makers, not measured).
    Managed,
}

/// One settings file that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Which scope.
    pub scope: Scope,
    /// Where it is, for a person: a path or `--settings`.
    pub origin: String,
    /// `autoMemoryDirectory`, as found.
    pub directory: Option<String>,
    /// `autoMemoryEnabled`.
    pub enabled: Option<bool>,
    /// `env`: numbers and truth values as text.
    pub env: Vec<(String, String)>,
    /// `claudeMdExcludes`: the patterns.
    pub excludes: Vec<String>,
    /// `permissions.additionalDirectories`.
    pub directories: Vec<String>,
}

/// Every settings file that counts, the one that wins last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// The files.
    pub files: Vec<File>,
    /// Files that were left out, and why.
    pub notes: Vec<String>,
}

impl Settings {
    /// Reads the settings for a session started in `env.cwd` (a real path); `root` is the main checkout.
    /// Project settings are those of the current directory, not of the git root (measured).
    #[must_use]
    pub fn read(
        port: &dyn Port,
        env: &Environment,
        config: &Path,
        root: Option<&Path>,
        launch: &Launch,
    ) -> Self {
        let mut settings = Self::default();
        let cwd = &env.cwd;
        settings.file(port, Scope::User, &config.join("settings.json"));
        // In the home directory the project's settings are the person's own ones: one file, read once.
        let project = cwd.join(".claude/settings.json");
        if project != config.join("settings.json") {
            settings.file(port, Scope::Project, &project);
        }
        let local = |dir: &Path| dir.join(".claude/settings.local.json");
        settings.file(port, Scope::Local, &local(cwd));
        if let Some(root) = root.filter(|root| launch.rules.local_at_root && *root != cwd.as_path()) {
            settings.file(port, Scope::Local, &local(root));
        }
        match launch.settings.as_deref().map(str::trim) {
            Some(json) if json.starts_with('{') => settings.take(Scope::Flag, "--settings", json.as_bytes()),
            Some(path) => settings.file(port, Scope::Flag, &absolute(cwd, path)),
            None => {}
        }
        if let Some(managed) = &launch.managed {
            settings.file(port, Scope::Managed, managed);
        }
        settings
    }

    fn file(&mut self, port: &dyn Port, scope: Scope, path: &Path) {
        if port.kind(path) != Some(Kind::File) {
            return;
        }
        let origin = path.display().to_string();
        match port.read(path) {
            Ok(bytes) => self.take(scope, &origin, &bytes),
            Err(error) => self.notes.push(format!("{origin} could not be read ({error}); it is left out")),
        }
    }

    fn take(&mut self, scope: Scope, origin: &str, bytes: &[u8]) {
        match parse(scope, origin, bytes) {
            Ok(file) => self.files.push(file),
            Err(why) => self.notes.push(format!("{origin} does not count for the client: {why}")),
        }
    }
}

fn parse(scope: Scope, origin: &str, bytes: &[u8]) -> Result<File, String> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if bytes.trim_ascii().is_empty() {
        return Ok(File {
            scope,
            origin: origin.into(),
            directory: None,
            enabled: None,
            env: Vec::new(),
            excludes: Vec::new(),
            directories: Vec::new(),
        });
    }
    let value: Value = serde_json::from_slice(bytes).map_err(|error| format!("not JSON ({error})"))?;
    let Value::Object(keys) = value else { return Err("not a JSON object".into()) };
    let wrong = |key: &str, want: &str| format!("`{key}` is not {want}");
    let directory = match keys.get("autoMemoryDirectory") {
        None => None,
        Some(Value::String(text)) => Some(text.clone()),
        Some(_) => return Err(wrong("autoMemoryDirectory", "text")),
    };
    let enabled = match keys.get("autoMemoryEnabled") {
        None => None,
        Some(Value::Bool(enabled)) => Some(*enabled),
        Some(_) => return Err(wrong("autoMemoryEnabled", "true or false")),
    };
    let env = match keys.get("env") {
        None => Vec::new(),
        Some(Value::Object(vars)) => {
            vars.iter().map(|(name, value)| (name.clone(), as_text(value))).collect()
        }
        Some(_) => return Err(wrong("env", "an object")),
    };
    let excludes = match keys.get("claudeMdExcludes") {
        None => Vec::new(),
        Some(value) => texts(value)
            .ok_or_else(|| wrong("claudeMdExcludes", "a list of text (measured on all versions)"))?,
    };
    let directories = keys.get("permissions").and_then(|rules| rules.get("additionalDirectories"));
    let directories = directories.and_then(texts).unwrap_or_default();
    Ok(File { scope, origin: origin.into(), directory, enabled, env, excludes, directories })
}

/// A list of text.
fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}

/// A value as the client turns it into text: a list of one is that one.
fn as_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(as_text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

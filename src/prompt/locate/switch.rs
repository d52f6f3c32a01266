//! Whether a session has memory at all, and the variables that decide (CLIENT_FACTS A6).

use crate::prompt::locate::settings::{Scope, Settings};
use crate::prompt::locate::{Launch, Minimal};
use crate::prompt::port::Environment;
use std::collections::BTreeMap;

/// The one variable that project and local settings may set on the newest client.
const DISABLE: &str = "CLAUDE_CODE_DISABLE_AUTO_MEMORY";

/// The variables as a session sees them: the process's own, overlaid with what settings files set (a
/// setting wins over the process's own value: measured), each with where it comes from.
#[derive(Debug, Clone)]
pub struct Vars<'a> {
    process: &'a Environment,
    set: BTreeMap<&'a str, (&'a str, &'a str)>,
}

impl<'a> Vars<'a> {
    /// Overlays the environment with the settings' `env`.
    #[must_use]
    pub fn new(process: &'a Environment, settings: &'a Settings, launch: &Launch) -> Self {
        let mut set = BTreeMap::new();
        for file in settings.files.iter().filter(|file| launch.counts(file.scope)) {
            let from_project = matches!(file.scope, Scope::Project | Scope::Local);
            for (name, value) in &file.env {
                let limited = from_project && launch.rules.project_env_limited && name != DISABLE;
                let too_late = name == "CLAUDE_CODE_REMOTE" && !launch.rules.remote_from_settings;
                if !limited && !too_late {
                    set.insert(name.as_str(), (value.as_str(), file.origin.as_str()));
                }
            }
        }
        Self { process, set }
    }

    /// The value of a variable, when it is set.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.set.get(name).map(|(value, _)| *value).or_else(|| self.process.var(name))
    }

    /// `NAME=value`, and the file when a settings file says so.
    #[must_use]
    pub fn quote(&self, name: &str) -> String {
        let value = self.get(name).unwrap_or_default();
        match self.set.get(name) {
            Some((_, origin)) => format!("{name}={value} in {origin}"),
            None => format!("{name}={value}"),
        }
    }

    fn truth(&self, name: &str) -> Option<bool> {
        match self.get(name)?.trim().to_ascii_lowercase().as_str() {
            "1" | "true" | "yes" | "on" => Some(true),
            "0" | "false" | "no" | "off" => Some(false),
            _ => None,
        }
    }

    fn is_on(&self, name: &str) -> bool {
        self.truth(name) == Some(true)
    }

    fn is_filled(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| !value.is_empty())
    }
}

/// What switches memory off, for a person; `None` when it is on.
#[must_use]
pub fn off(vars: &Vars<'_>, settings: &Settings, launch: &Launch) -> Option<String> {
    match launch.minimal {
        Minimal::Bare => return Some("--bare".into()),
        Minimal::Safe if launch.rules.safe_mode => return Some("--safe-mode".into()),
        Minimal::Safe | Minimal::No => {}
    }
    for (name, exists) in [("CLAUDE_CODE_SIMPLE", true), ("CLAUDE_CODE_SAFE_MODE", launch.rules.safe_mode)] {
        if exists && vars.is_on(name) {
            return Some(vars.quote(name));
        }
    }
    match vars.truth(DISABLE) {
        Some(true) => return Some(vars.quote(DISABLE)),
        Some(false) => return None,
        None => {}
    }
    let elsewhere = vars.is_filled("CLAUDE_CODE_REMOTE_MEMORY_DIR")
        || launch.rules.override_keeps_on && vars.is_filled("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE");
    if vars.is_on("CLAUDE_CODE_REMOTE") && !elsewhere {
        return Some(vars.quote("CLAUDE_CODE_REMOTE"));
    }
    let deciding = settings.files.iter().rev().filter(|file| launch.counts(file.scope));
    let (enabled, origin) = deciding.filter_map(|file| Some((file.enabled?, &file.origin))).next()?;
    (!enabled).then(|| format!("autoMemoryEnabled: false in {origin}"))
}

/// What keeps the index from loading although memory is on.
pub fn notes(vars: &Vars<'_>, launch: &Launch, notes: &mut Vec<String>) {
    if vars.is_on("CLAUDE_CODE_DISABLE_CLAUDE_MDS") {
        notes.push(format!(
            "no index loads in sessions here: {}",
            vars.quote("CLAUDE_CODE_DISABLE_CLAUDE_MDS")
        ));
    }
    if launch.rules.index_content && vars.is_filled("CLAUDE_COWORK_MEMORY_INDEX_CONTENT") {
        let name = "CLAUDE_COWORK_MEMORY_INDEX_CONTENT";
        notes.push(format!("sessions here load the text of {name} in place of the index"));
    }
    if launch.rules.memory_stores && vars.is_filled("CLAUDE_MEMORY_STORES") {
        notes.push(format!("no index loads in sessions here: {}", vars.quote("CLAUDE_MEMORY_STORES")));
    }
}

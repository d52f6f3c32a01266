//! `assets/demo/demo.toml`: the demo's clock, the age of each file, and the project's history.

use crate::memory::Time;
use chrono::{DateTime, TimeDelta, Utc};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The manifest.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    now: toml::value::Datetime,
    default_hours: i64,
    hours: BTreeMap<String, i64>,
    /// Queries that the Recall screen offers, the first one last.
    pub queries: Vec<String>,
    /// The project's commits, oldest first.
    pub commit: Vec<Commit>,
}

/// One commit of the project.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commit {
    date: toml::value::Datetime,
    /// Its message.
    pub message: String,
    /// Files added: `PATH`, or `PATH = SOURCE` when it has the bytes of another file of the project.
    #[serde(default)]
    pub add: Vec<String>,
    /// Files that move: `FROM = TO`.
    #[serde(default)]
    pub rename: Vec<String>,
    /// Files that go.
    #[serde(default)]
    pub remove: Vec<String>,
}

impl Manifest {
    /// Reads the manifest.
    ///
    /// # Errors
    /// When it is not what this program expects; a test reads the embedded one.
    pub fn read(text: &str) -> anyhow::Result<Self> {
        Ok(toml::from_str(text)?)
    }

    /// The demo's clock.
    ///
    /// # Errors
    /// When the manifest's date has no time zone.
    pub fn now(&self) -> anyhow::Result<Time> {
        time(&self.now)
    }

    /// The time of last change of a memory's file.
    ///
    /// # Errors
    /// As [`Manifest::now`].
    pub fn changed(&self, path: &str) -> anyhow::Result<Time> {
        let hours = self.hours.get(path).copied().unwrap_or(self.default_hours);
        Ok(self.now()? - TimeDelta::hours(hours))
    }

    /// The files that have an age of their own.
    #[cfg(test)]
    pub fn aged(&self) -> impl Iterator<Item = &str> {
        self.hours.keys().map(String::as_str)
    }
}

impl Commit {
    /// When it was made.
    ///
    /// # Errors
    /// As [`Manifest::now`].
    pub fn time(&self) -> anyhow::Result<Time> {
        time(&self.date)
    }
}

fn time(date: &toml::value::Datetime) -> anyhow::Result<Time> {
    Ok(DateTime::parse_from_rfc3339(&date.to_string())?.with_timezone(&Utc))
}

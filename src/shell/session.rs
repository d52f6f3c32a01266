//! What a session of the screens starts from.

use crate::check::Settings;
use crate::config::Model;
use crate::memory::Time;
use crate::prompt::locate::{FoundStore, Located, config_dir};
use crate::prompt::port::Environment;
use crate::prompt::subject::{Subject, Usual};
use crate::review::promote::Roots;
use crate::store::Places;
use chrono::Utc;
use std::path::PathBuf;

/// What a session of the screens starts from.
#[derive(Debug, Clone)]
pub struct Session {
    /// The store to open, or the stores to choose from.
    pub start: Start,
    /// Where memcurator keeps what is its own.
    pub places: Places,
    /// The process's environment, for finding other stores and for `NO_COLOR`.
    pub env: Environment,
    /// What sessions are that the Prompt screen is about; `None`: of a store, its index alone.
    pub subject: Option<Subject>,
    /// How sessions are started on this machine.
    pub usual: Usual,
    /// The client's program, where the configuration names one.
    pub client: Option<PathBuf>,
    /// This program, which runs once more where the client is cut off from the network; `None`: the one that runs.
    pub program: Option<PathBuf>,
    /// Where the time comes from.
    pub clock: Clock,
    /// `terminal`, `dark`, `light` or `mono`; empty: `mono` when `NO_COLOR` is set, else `terminal`.
    pub theme: String,
    /// The person's own keys: a command's name and all keys that it has from now on (`<c-r>`, `g`).
    pub keys: Vec<(String, Vec<String>)>,
    /// What the configuration says about the checks.
    pub checks: Settings,
    /// The project against which the store is checked, where another one than its own is meant.
    pub against: Option<PathBuf>,
    /// The configuration file that was asked for, instead of the usual one.
    pub config: Option<PathBuf>,
    /// The command that picks memories for a query, when the person asks it to.
    pub recall: Model,
    /// Queries that the Recall screen offers.
    pub queries: Vec<String>,
    /// What the header says after the program's name; else the project's directory.
    pub title: Option<String>,
    /// Keys to replay on a virtual terminal instead of using the real one.
    pub replay: Option<Replay>,
}

/// Which screen a session starts with.
#[derive(Debug, Clone)]
pub enum Start {
    /// The memories of one store.
    Store(Located),
    /// The list of stores to choose from (it may be empty).
    Stores(Vec<FoundStore>),
}

/// Where the time comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// The system's clock.
    System,
    /// Always this time.
    Fixed(Time),
}

/// Keys to replay, for tests and pictures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// Keys such as `jj<enter>/foo<esc><c-r><space>`; the screen is idle before each of them.
    pub keys: String,
    /// Columns and rows of the virtual terminal.
    pub size: (u16, u16),
    /// What to write at the end.
    pub print: Print,
}

/// How the last frame of a replay is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Print {
    /// Its text, a line a row, without blanks at the ends.
    Text,
    /// A picture.
    Svg,
}

impl Session {
    /// The name of the theme.
    pub(super) fn theme_name(&self) -> &str {
        let no_colour = self.env.var("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self.theme.as_str() {
            "" if no_colour => "mono",
            "" => "terminal",
            name => name,
        }
    }

    /// Where the instructions are that a memory can be promoted to.
    pub(super) fn roots(&self) -> Roots {
        let project = match &self.start {
            Start::Store(located) => located.project.clone(),
            Start::Stores(_) => None,
        };
        Roots { user: config_dir(&self.env), project }
    }

    /// What the header calls the store: as the session says, else its project's directory.
    pub(super) fn title(&self) -> Option<String> {
        let project = match &self.start {
            Start::Store(located) => located.project.as_ref(),
            Start::Stores(_) => None,
        };
        let name =
            project.and_then(|project| project.file_name()).map(|name| name.to_string_lossy().into_owned());
        self.title.clone().or(name)
    }
}

impl Clock {
    /// The time now.
    #[must_use]
    pub fn now(self) -> Time {
        match self {
            Self::System => Utc::now(),
            Self::Fixed(time) => time,
        }
    }
}

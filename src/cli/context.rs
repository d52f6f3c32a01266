//! What every command needs: the surroundings, the store that is meant, and where to write.

use crate::check::Settings;
use crate::cli::args::{Common, Format};
use crate::cli::failure::Failure;
use crate::cli::output::Out;
use crate::client::disk::DiskPort;
use crate::client::surroundings;
use crate::config::Config;
use crate::memory::Time;
use crate::memory::text::one_line;
pub use crate::memory::text::shell_word;
use crate::prompt::locate::{Launch, Located, find};
use crate::prompt::port::{Environment, Kind, Port};
use crate::shell::Clock;
use crate::store::{Places, Silenced, Store};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What every command needs.
pub struct Context<'a> {
    /// The options that every command has.
    pub common: Common,
    /// The environment.
    pub env: Environment,
    /// Where memcurator keeps what is its own.
    pub places: Places,
    /// How the client would be started here.
    pub launch: Launch,
    /// Where the time comes from.
    pub clock: Clock,
    /// Where to write.
    pub out: Out<'a>,
}

impl<'a> Context<'a> {
    /// Reads the surroundings.
    ///
    /// # Errors
    /// When the current or the home directory is unknown.
    pub fn new(common: Common, out: Out<'a>) -> Result<Self, Failure> {
        let env = surroundings::environment().map_err(|what| Failure::broken(what, "nothing was done"))?;
        let places = Places::from_env(&env);
        let launch = Launch { managed: Some(surroundings::managed_settings()), ..Launch::default() };
        // A file that was asked for is read even where nothing of it matters: a mistake in it shows at once.
        if common.config.is_some() {
            Config::load(common.config.as_deref(), &places.config)?;
        }
        let clock = common.now.map_or(Clock::System, Clock::Fixed);
        Ok(Self { common, env, places, launch, clock, out })
    }

    /// The time now.
    pub fn now(&self) -> Time {
        self.clock.now()
    }

    /// The directory that `--project` names; `None`: it was not given.
    ///
    /// # Errors
    /// When there is no such directory.
    pub fn named_project(&self) -> Result<Option<PathBuf>, Failure> {
        let Some(dir) = &self.common.project else { return Ok(None) };
        let dir = self.env.cwd.join(dir);
        if DiskPort.kind(&dir) != Some(Kind::Dir) {
            return Err(Failure::broken(
                format!("there is no directory {}", one_line(&dir.to_string_lossy())),
                "give the project's directory with --project",
            ));
        }
        Ok(Some(DiskPort.real(&dir).unwrap_or(dir)))
    }

    /// The store that is meant: `--store`, that of `--project`, or that of the current project. With both options it is
    /// the store of the first, looked at with the project of the second.
    ///
    /// # Errors
    /// When there is none: what was looked for and where.
    pub fn located(&self) -> Result<Located, Failure> {
        if let Some(dir) = &self.common.store {
            let mut located = find::store(&DiskPort, &self.env, dir)?;
            if let Some(project) = self.named_project()? {
                located.project = Some(project);
            }
            return Ok(located);
        }
        let project = self.common.project.as_deref().unwrap_or(Path::new("."));
        Ok(find::project(&DiskPort, &self.env, &self.launch, project)?)
    }

    /// The store that is meant, opened.
    ///
    /// # Errors
    /// As [`Context::located`] and [`Store::open`].
    pub fn store(&self) -> Result<Store, Failure> {
        let store = Store::open(&self.located()?.dir, &self.places)?;
        tell(&store);
        Ok(store)
    }

    /// The store that is meant, only to be looked at: nothing is written, and what there is to know is said.
    ///
    /// # Errors
    /// As [`Context::located`] and [`Store::look`].
    pub fn look(&self) -> Result<Store, Failure> {
        let store = Store::look(&self.located()?.dir, &self.places)?;
        tell(&store);
        Ok(store)
    }

    /// What is set about the checks: in the configuration, and for this store.
    ///
    /// # Errors
    /// When the configuration is wrong.
    pub fn settings(&self, store: &Store) -> Result<Settings, Failure> {
        let mut settings = Config::load(self.common.config.as_deref(), &self.places.config)?.checks;
        match Silenced::of(&self.places, store.root()).all() {
            Ok(silenced) => settings.silenced.extend(silenced),
            Err(error) => {
                crate::cli::say("warning", &error.what);
                crate::cli::say("hint", &error.hint);
            }
        }
        Ok(settings)
    }

    /// Writes a value as JSON when that is wanted; else says so, and the caller writes for people.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn json(&mut self, value: impl FnOnce() -> Value) -> Result<bool, Failure> {
        if self.common.format == Format::Json {
            self.out.json(&value())?;
        }
        Ok(self.common.format == Format::Json)
    }

    /// A command line of this program on the same store: `memcurator undo --store DIR`.
    pub fn command(&self, command: &str) -> String {
        let mut line = format!("memcurator {command}");
        let store = self.common.store.iter().map(|dir| ("--store", dir));
        let project = self.common.project.iter().map(|dir| ("--project", dir));
        for (option, dir) in store.chain(project) {
            line.push_str(&format!(" {option} {}", shell_word(&dir.to_string_lossy())));
        }
        line
    }
}

/// Says what is to be known about a store beforehand.
pub(super) fn tell(store: &Store) {
    for note in store.notes() {
        crate::cli::say("warning", &note.what);
        crate::cli::say("hint", &note.hint);
    }
    for conflict in store.recovered() {
        crate::cli::say("note", &format!("{}: {}", conflict.path, conflict.what));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(shell_word("/a/b-c.md"), "/a/b-c.md");
        assert_eq!(shell_word("it's here"), r"'it'\''s here'");
        assert_eq!(shell_word(""), "''");
    }
}

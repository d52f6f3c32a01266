//! The person's configuration file, `$XDG_CONFIG_HOME/memcurator/config.toml`.
//!
//! ```toml
//! theme = "dark"            # terminal (its own 16 colours), dark, light, mono
//! client = "~/bin/claude"   # the client's program, where it is not found or a shim is
//!
//! [keys]
//! delete = ["d", "<del>"]   # a command's name (see docs/KEYS.md) and all keys that it has from now on
//!
//! [model]
//! command = "my-model --quiet"   # started without a shell: prompt on standard input, answer on standard output
//! timeout = 300             # seconds
//!
//! [recall]
//! command = "my-model --quick"   # picks memories in place of the offline ranker; run as that of `[model]`
//! timeout = 60              # seconds
//! ```
//!
//! `[checks]` is described in `config::checks`. Everything that is wrong is reported at once, each with its line (clashes of keys with that of `[keys]`).

mod checks;

pub use checks::nearest;

use crate::app::keymap::Keymap;
use crate::check::Settings;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// The themes, by name.
pub const THEMES: [&str; 4] = ["terminal", "dark", "light", "mono"];

/// What the configuration file may say.
const KEYS: [&str; 6] = ["theme", "client", "keys", "checks", "model", "recall"];
/// What `[model]` and `[recall]` may say.
const MODEL_KEYS: [&str; 2] = ["command", "timeout"];
/// The longest time limit of a model command, in seconds.
const MAX_TIMEOUT: u64 = 3600;

/// The configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Config {
    /// The theme's name; empty: the screens choose.
    pub theme: String,
    /// The client's program; `~/` is the home directory.
    pub client: Option<PathBuf>,
    /// A command's name and all keys that it has from now on.
    pub keys: Vec<(String, Vec<String>)>,
    /// Thresholds of the checks, and what is silenced for good.
    pub checks: Settings,
    /// The model command.
    pub model: Model,
    /// The command that picks memories for a query; empty: the offline ranker does.
    pub recall: Model,
}

/// A model command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// The program and its arguments, in words as a shell splits them; empty: none.
    pub command: String,
    /// How long it may take, in seconds.
    pub timeout: u64,
}

impl Default for Model {
    fn default() -> Self {
        Self { command: String::new(), timeout: 300 }
    }
}

/// Everything that is wrong with a configuration file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Problems(pub Vec<Problem>);

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1; `None`: the file as a whole.
    pub line: Option<usize>,
    /// What is wrong and what would be right.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file.display(), self.what),
            None => write!(f, "{}: {}", self.file.display(), self.what),
        }
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(Problem::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl Config {
    /// Reads the configuration file: `given` (which must exist), else `config.toml` in `dir` (which need not).
    ///
    /// # Errors
    /// Everything that is wrong with it, or that it can't be read.
    pub fn load(given: Option<&Path>, dir: &Path) -> Result<Self, Problems> {
        let file = given.map_or_else(|| dir.join("config.toml"), Path::to_path_buf);
        match std::fs::read_to_string(&file) {
            Ok(text) => Self::parse(&text, &file),
            Err(error) if given.is_none() && error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => {
                let what = format!("the configuration can't be read: {error}");
                Err(Problems(vec![Problem { file, line: None, what }]))
            }
        }
    }

    /// Reads the text of a configuration file.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn parse(text: &str, file: &Path) -> Result<Self, Problems> {
        let mut reader = Reader { text, file, problems: Vec::new() };
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            reader.problem(error.span().map(|span| span.start), error.message().into());
        }
        let mut config = Self::default();
        for (key, value) in table.get_ref() {
            let at = Some(key.span().start);
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("theme", DeValue::String(theme)) if THEMES.contains(&theme.as_ref()) => {
                    config.theme = theme.to_string();
                }
                ("theme", DeValue::String(theme)) => {
                    reader.problem(at, format!("there is no theme `{theme}`; {}", choice(theme, &THEMES)));
                }
                ("theme", other) => reader.wrong(at, "theme", "text", other),
                ("client", DeValue::String(path)) => {
                    let path = PathBuf::from(path.as_ref());
                    if path.is_absolute() || path.starts_with("~") {
                        config.client = Some(path);
                    } else {
                        reader.problem(
                            at,
                            "`client` wants an absolute path, or one that begins with ~/".into(),
                        );
                    }
                }
                ("client", other) => reader.wrong(at, "client", "text", other),
                ("keys", DeValue::Table(keys)) => config.keys = reader.keys(keys),
                ("keys", other) => reader.wrong(at, "keys", "a table", other),
                ("model", DeValue::Table(model)) => config.model = reader.model("model", model),
                ("model", other) => reader.wrong(at, "model", "a table", other),
                ("recall", DeValue::Table(recall)) => config.recall = reader.model("recall", recall),
                ("recall", other) => reader.wrong(at, "recall", "a table", other),
                ("checks", DeValue::Table(checks)) => config.checks = reader.checks(checks),
                ("checks", other) => reader.wrong(at, "checks", "a table", other),
                (unknown, _) => {
                    reader
                        .problem(at, format!("there is no setting `{unknown}`; {}", choice(unknown, &KEYS)));
                }
            }
        }
        if let Err(problems) = Keymap::new(&config.keys) {
            let at = table
                .get_ref()
                .iter()
                .find(|(key, _)| key.get_ref() == "keys")
                .map(|(key, _)| key.span().start);
            for what in problems {
                reader.problem(at, what);
            }
        }
        reader.problems.sort_by_key(|problem| problem.line);
        if reader.problems.is_empty() { Ok(config) } else { Err(Problems(reader.problems)) }
    }
}

struct Reader<'a> {
    text: &'a str,
    file: &'a Path,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    /// The keys of each command: one key as text, or a list.
    fn keys(&mut self, table: &DeTable<'_>) -> Vec<(String, Vec<String>)> {
        let mut keys = Vec::new();
        for (name, value) in table {
            let chosen = match value.get_ref() {
                DeValue::String(key) => Some(vec![key.to_string()]),
                DeValue::Array(list) => {
                    list.iter().map(|key| Some(key.get_ref().as_str()?.to_string())).collect::<Option<_>>()
                }
                _ => None,
            };
            match chosen {
                Some(chosen) => keys.push((name.get_ref().to_string(), chosen)),
                None => {
                    let name_in_words = format!("keys.{}", name.get_ref());
                    self.wrong(
                        Some(name.span().start),
                        &name_in_words,
                        "text or a list of texts",
                        value.get_ref(),
                    );
                }
            }
        }
        keys
    }

    /// A model command, in the table of this name.
    fn model(&mut self, name: &str, table: &DeTable<'_>) -> Model {
        let mut model = Model::default();
        for (key, value) in table {
            let at = Some(key.span().start);
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("command", DeValue::String(command)) => match shell_words::split(command) {
                    Ok(_) => model.command = command.trim().to_owned(),
                    Err(_) => self.problem(at, format!("`{name}.command` has an open quotation mark")),
                },
                ("command", other) => self.wrong(at, &format!("{name}.command"), "text", other),
                ("timeout", DeValue::Integer(seconds)) => match seconds.as_str().parse() {
                    Ok(seconds) if (1..=MAX_TIMEOUT).contains(&seconds) => model.timeout = seconds,
                    _ => self.problem(at, format!("`{name}.timeout` wants 1 to {MAX_TIMEOUT} seconds")),
                },
                ("timeout", other) => {
                    self.wrong(at, &format!("{name}.timeout"), "a number of seconds", other)
                }
                (unknown, _) => {
                    let near = choice(unknown, &MODEL_KEYS);
                    self.problem(at, format!("there is no setting `{name}.{unknown}`; {near}"));
                }
            }
        }
        model
    }

    fn wrong(&mut self, at: Option<usize>, key: &str, want: &str, found: &DeValue<'_>) {
        self.problem(at, format!("`{key}` wants {want}, not a value of type {}", found.type_str()));
    }

    fn problem(&mut self, at: Option<usize>, what: String) {
        let before = at.and_then(|at| self.text.as_bytes().get(..at));
        let line = before.map(|before| memchr::memchr_iter(b'\n', before).count() + 1);
        self.problems.push(Problem { file: self.file.to_path_buf(), line, what });
    }
}

/// The nearest of the names that exist, else all of them.
fn choice(written: &str, names: &[&str]) -> String {
    match similar::get_close_matches(written, names, 1, 0.6).first() {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Config, String> {
        Config::parse(text, Path::new("config.toml")).map_err(|problems| problems.to_string())
    }

    #[test]
    fn what_it_may_say() {
        assert_eq!(parse(""), Ok(Config::default()));
        let config = parse("theme = \"dark\"\n[keys]\ndelete = [\"d\", \"<del>\"]\npark = \"X\"\n").unwrap();
        assert_eq!(config.theme, "dark");
        assert_eq!(parse("client = \"~/bin/claude\"").unwrap().client, Some("~/bin/claude".into()));
        for bad in ["client = \"claude\"", "client = 3", "client = \"\""] {
            assert!(parse(bad).unwrap_err().contains("`client` wants"), "{bad}");
        }
        assert!(config.keys.contains(&("delete".into(), vec!["d".into(), "<del>".into()])));
        assert!(config.keys.contains(&("park".into(), vec!["X".into()])));
    }

    #[test]
    fn everything_that_is_wrong_is_said_at_once_with_its_line() {
        let text = "theme = 3\n\ntehme = \"dark\"\ncolour = 1\n[keys]\ndelete = 4\npark = [\"p\", 5]\n";
        assert_eq!(
            parse(text).unwrap_err(),
            "config.toml:1: `theme` wants text, not a value of type integer\n\
             config.toml:3: there is no setting `tehme`; did you mean `theme`?\n\
             config.toml:4: there is no setting `colour`; there are theme, client, keys, checks, model, recall\n\
             config.toml:6: `keys.delete` wants text or a list of texts, not a value of type integer\n\
             config.toml:7: `keys.park` wants text or a list of texts, not a value of type array"
        );
        assert_eq!(
            parse("theme = \"drak\"").unwrap_err(),
            "config.toml:1: there is no theme `drak`; did you mean `dark`?"
        );
        assert_eq!(
            parse("theme = \"dark\"\n[keys]\ndelte = \"x\"\nzzzzzz = \"z\"\npark = \"d\"\n").unwrap_err(),
            "config.toml:2: there is no command `delte`; did you mean `delete`?\n\
             config.toml:2: there is no command `zzzzzz`; docs/KEYS.md names them all\n\
             config.toml:2: `d` is the key of both `delete` and `park`"
        );
        let broken = parse("colour = 1\n= 2\n").unwrap_err();
        assert!(broken.contains("config.toml:1: ") && broken.contains("config.toml:2: "), "{broken}");
    }

    #[test]
    fn a_model_command_has_a_time_limit() {
        let config = parse("[model]\ncommand = \"model 'a b'\"\ntimeout = 60\n").unwrap();
        assert_eq!(config.model, Model { command: "model 'a b'".into(), timeout: 60 });
        assert_eq!(parse("").unwrap().model, Model { command: String::new(), timeout: 300 });
        assert_eq!(
            parse("[model]\ncommand = \"model 'a\"\ntimeout = 0\nteimout = 3\n").unwrap_err(),
            "config.toml:2: `model.command` has an open quotation mark\n\
             config.toml:3: `model.timeout` wants 1 to 3600 seconds\n\
             config.toml:4: there is no setting `model.teimout`; did you mean `timeout`?"
        );
    }

    #[test]
    fn recall_has_a_command_of_its_own() {
        let config = parse("[recall]\ncommand = \"quick\"\ntimeout = 9\n").unwrap();
        assert_eq!(config.recall, Model { command: "quick".into(), timeout: 9 });
        assert_eq!(config.model, Model::default(), "the one for extractions is not set by it");
        assert_eq!(
            parse("[recall]\ncomand = \"x\"\n").unwrap_err(),
            "config.toml:2: there is no setting `recall.comand`; did you mean `command`?"
        );
        assert!(parse("recall = 3").unwrap_err().contains("`recall` wants a table"));
    }

    #[test]
    fn only_a_file_that_was_asked_for_must_exist() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Config::load(None, dir.path()), Ok(Config::default()));
        let missing = dir.path().join("mine.toml");
        assert!(Config::load(Some(&missing), dir.path()).unwrap_err().to_string().contains("mine.toml"));
    }
}

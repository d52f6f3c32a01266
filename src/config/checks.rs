//! `[checks]` of the configuration: what is silenced for good, and from how many days on a memory is old.
//!
//! ```toml
//! [checks]
//! silence = ["link-unresolved"]   # ids of docs/CHECKS.md
//! old.user = 730                  # days, by type; 0: never
//! ```

use super::{Config, Problem, Problems, Reader, choice};
use crate::check::{CheckId, FAMILIES, Scope, Settings, Silence};
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

const KEYS: [&str; 2] = ["silence", "old"];
const TYPES: [&str; 4] = ["user", "feedback", "project", "reference"];

impl Reader<'_> {
    pub(super) fn checks(&mut self, table: &DeTable<'_>) -> Settings {
        let mut settings = Settings::default();
        for (key, value) in table {
            let at = Some(key.span().start);
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("silence", DeValue::Array(list)) => {
                    for one in list {
                        match one.get_ref().as_str() {
                            Some(id) => self.silence(Some(one.span().start), id, &mut settings),
                            None => self.wrong(at, "checks.silence", "a list of texts", one.get_ref()),
                        }
                    }
                }
                ("silence", other) => self.wrong(at, "checks.silence", "a list of texts", other),
                ("old", DeValue::Table(days)) => self.days(days, &mut settings),
                ("old", other) => self.wrong(at, "checks.old", "a table", other),
                (unknown, _) => {
                    let what = format!("there is no setting `checks.{unknown}`; {}", choice(unknown, &KEYS));
                    self.problem(at, what);
                }
            }
        }
        settings
    }

    fn silence(&mut self, at: Option<usize>, id: &str, settings: &mut Settings) {
        match CheckId::find(id) {
            Some(_) => settings.silenced.push(Silence { scope: Scope::Config, ..Silence::of_check(id) }),
            None => {
                let what = format!("there is no check `{id}`; {}", nearest(id));
                self.problem(at, what);
            }
        }
    }

    fn days(&mut self, table: &DeTable<'_>, settings: &mut Settings) {
        for (key, value) in table {
            let at = Some(key.span().start);
            let name = key.get_ref().as_ref();
            let days = match value.get_ref() {
                DeValue::Integer(number) => number.as_str().parse::<u32>().ok(),
                _ => None,
            };
            let old = &mut settings.old_days;
            let place = match name {
                "user" => &mut old.user,
                "feedback" => &mut old.feedback,
                "project" => &mut old.project,
                "reference" => &mut old.reference,
                _ => {
                    let what = format!("there is no type `{name}`; {}", choice(name, &TYPES));
                    self.problem(at, what);
                    continue;
                }
            };
            match days {
                Some(days) => *place = Some(days).filter(|days| *days > 0),
                None => self.wrong(at, &format!("checks.old.{name}"), "a number of days", value.get_ref()),
            }
        }
    }
}

/// The id of a check that is nearest to what is written, in words; else where they are.
#[must_use]
pub fn nearest(id: &str) -> String {
    let names: Vec<&str> = FAMILIES.iter().flat_map(|(_, checks)| *checks).map(|check| check.id.0).collect();
    match similar::get_close_matches(id, &names, 1, 0.6).first() {
        Some(near) => format!("did you mean `{near}`?"),
        None => "docs/CHECKS.md names them all".into(),
    }
}

impl Config {
    /// Silences a check for good: adds its id to `checks.silence` of the configuration file, which else stays byte
    /// for byte as it is. Says which file that is.
    ///
    /// # Errors
    /// When the file is wrong as it is, or can't be written; it is left untouched then.
    pub fn silence_for_good(given: Option<&Path>, dir: &Path, id: &str) -> Result<PathBuf, Problems> {
        let file = given.map_or_else(|| dir.join("config.toml"), Path::to_path_buf);
        let problem = |what: String| Problems(vec![Problem { file: file.clone(), line: None, what }]);
        let cannot = |error: io::Error| problem(format!("it can't be written: {error}; it is left as it is"));
        // A link stays one: the file that it leads to is written.
        let real = match std::fs::canonicalize(&file) {
            Err(error) if file.symlink_metadata().is_ok_and(|found| found.is_symlink()) => {
                return Err(problem(format!(
                    "it is a link to a file that can't be reached ({error}); it is left as it is; make what it \
                     leads to reachable, or remove the link, then try again"
                )));
            }
            real => real.unwrap_or_else(|_| file.clone()),
        };
        let text = match std::fs::read_to_string(&real) {
            Err(error) if given.is_none() && error.kind() == io::ErrorKind::NotFound => None,
            read => Some(read.map_err(cannot)?),
        };
        let found = text.as_deref().map(str::as_bytes);
        let text = text.as_deref().unwrap_or_default();
        let before = Self::parse(text, &file)?;
        if before.checks.silenced.iter().any(|one| one.check == id) {
            return Ok(file);
        }
        let after = with_silenced(text, id);
        let parsed = Self::parse(&after, &file)?;
        let mut wanted = before;
        wanted.checks.silenced.push(Silence { scope: Scope::Config, ..Silence::of_check(id) });
        if parsed != wanted {
            return Err(problem(format!(
                "`{id}` can't be added to it safely; add it to `checks.silence` by hand"
            )));
        }
        replace(&real, found, after.as_bytes()).map_err(cannot)?;
        Ok(file)
    }
}

/// Puts other bytes into a file that holds `found` still (`None`: that is not there), keeping its mode.
fn replace(file: &Path, found: Option<&[u8]>, new: &[u8]) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    let parent = file.parent().unwrap_or(Path::new(""));
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(parent)?;
    // `tempfile` makes it with mode 0600.
    let mut temp = tempfile::NamedTempFile::new_in(parent)?;
    temp.write_all(new)?;
    if let Ok(there) = std::fs::metadata(file) {
        temp.as_file().set_permissions(there.permissions())?;
    }
    temp.as_file().sync_data()?;
    match found {
        None => temp.persist_noclobber(file)?,
        Some(found) if std::fs::read(file)? == found => temp.persist(file)?,
        Some(_) => return Err(io::Error::other("someone else changed it at this moment, try again")),
    };
    Ok(())
}

/// The text with an id more in `checks.silence`.
fn with_silenced(text: &str, id: &str) -> String {
    let (table, _) = DeTable::parse_recoverable(text);
    let found = table.get_ref().iter().find(|(key, _)| key.get_ref() == "checks");
    let Some((_, value)) = found else {
        let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        let blank = if text.is_empty() { "" } else { "\n" };
        return format!("{text}{gap}{blank}[checks]\nsilence = [\"{id}\"]\n");
    };
    let mut inside = value.get_ref().as_table().into_iter().flatten();
    match inside.find(|(key, _)| key.get_ref() == "silence") {
        Some((_, list)) => {
            let items = list.get_ref().as_array();
            let last = items.and_then(|items| items.iter().last().map(|item| item.span().end));
            match last {
                Some(end) => spliced(text, &(end..end), &format!(", \"{id}\"")),
                None => spliced(text, &list.span(), &format!("[\"{id}\"]")),
            }
        }
        // The first key of the table is on a line of its own in `[checks]`; a line before it is one too.
        None => {
            let head = text.find("[checks]").map(|at| at + "[checks]".len());
            match head {
                Some(at) => spliced(text, &(at..at), &format!("\nsilence = [\"{id}\"]")),
                None => format!("checks.silence = [\"{id}\"]\n{text}"),
            }
        }
    }
}

fn spliced(text: &str, at: &Range<usize>, new: &str) -> String {
    let (head, tail) = (text.get(..at.start).unwrap_or_default(), text.get(at.end..).unwrap_or_default());
    format!("{head}{new}{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Config, String> {
        Config::parse(text, Path::new("config.toml")).map_err(|problems| problems.to_string())
    }

    #[test]
    fn thresholds_and_what_is_silenced() {
        let config =
            parse("[checks]\nsilence = [\"index-orphan\"]\nold.user = 10\nold.project = 0\n").unwrap();
        assert_eq!(
            config.checks.silenced,
            [Silence { scope: Scope::Config, ..Silence::of_check("index-orphan") }]
        );
        let old = &config.checks.old_days;
        assert_eq!((old.user, old.project), (Some(10), None));
        assert_eq!(old.feedback, Settings::default().old_days.feedback);
    }

    #[test]
    fn everything_wrong_is_said_at_once() {
        let text = "[checks]\nsilence = [\"index-orfan\", 3]\nsilense = 1\nold.users = 3\nold.user = \"x\"\n";
        assert_eq!(
            parse(text).unwrap_err(),
            "config.toml:2: there is no check `index-orfan`; did you mean `index-orphan`?\n\
             config.toml:2: `checks.silence` wants a list of texts, not a value of type integer\n\
             config.toml:3: there is no setting `checks.silense`; did you mean `silence`?\n\
             config.toml:4: there is no type `users`; did you mean `user`?\n\
             config.toml:5: `checks.old.user` wants a number of days, not a value of type string"
        );
    }

    #[test]
    fn silencing_for_good_changes_that_alone() {
        for (text, after) in [
            ("", "[checks]\nsilence = [\"old\"]\n"),
            ("theme = \"dark\"", "theme = \"dark\"\n\n[checks]\nsilence = [\"old\"]\n"),
            ("[checks] # mine\nold.user = 3\n", "[checks]\nsilence = [\"old\"] # mine\nold.user = 3\n"),
            ("[checks]\nsilence = []\n", "[checks]\nsilence = [\"old\"]\n"),
            (
                "[checks]\nsilence = [\n  \"index-orphan\", # yes\n]\n[keys]\npark = \"X\"\n",
                "[checks]\nsilence = [\n  \"index-orphan\", \"old\", # yes\n]\n[keys]\npark = \"X\"\n",
            ),
            ("checks.old.user = 3\n", "checks.silence = [\"old\"]\nchecks.old.user = 3\n"),
        ] {
            let after = after.replace("\"old\"", "\"encoding\"");
            assert_eq!(with_silenced(text, "encoding"), after);
            let dir = tempfile::tempdir().unwrap();
            std::fs::write(dir.path().join("config.toml"), text).unwrap();
            Config::silence_for_good(None, dir.path(), "encoding").unwrap();
            Config::silence_for_good(None, dir.path(), "encoding").unwrap();
            assert_eq!(std::fs::read_to_string(dir.path().join("config.toml")).unwrap(), after, "once");
        }
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("config.toml"), "colour = 1\n").unwrap();
        let error = Config::silence_for_good(None, dir.path(), "encoding").unwrap_err().to_string();
        assert!(error.contains("colour"), "{error}");
        assert_eq!(std::fs::read_to_string(dir.path().join("config.toml")).unwrap(), "colour = 1\n");
    }

    #[test]
    fn a_link_that_leads_nowhere_stays_one() {
        let dir = tempfile::tempdir().unwrap();
        let link = dir.path().join("config.toml");
        std::os::unix::fs::symlink("not-mounted/config.toml", &link).unwrap();
        let error = Config::silence_for_good(None, dir.path(), "encoding").unwrap_err().to_string();
        assert!(error.contains("link") && error.contains("left as it is"), "{error}");
        assert_eq!(std::fs::read_link(&link).unwrap(), Path::new("not-mounted/config.toml"));
        // One that leads somewhere is followed.
        std::fs::create_dir(dir.path().join("not-mounted")).unwrap();
        let real = dir.path().join("not-mounted/config.toml");
        std::fs::write(&real, "theme = \"dark\"\n").unwrap();
        Config::silence_for_good(None, dir.path(), "encoding").unwrap();
        assert!(std::fs::read_to_string(&real).unwrap().contains("encoding"));
        assert!(link.symlink_metadata().unwrap().is_symlink());
    }

    #[test]
    fn what_someone_else_wrote_meanwhile_stays() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("config.toml");
        std::fs::write(&file, "theirs").unwrap();
        for found in [None, Some(b"as it was".as_slice())] {
            assert!(replace(&file, found, b"ours").is_err());
            assert_eq!(std::fs::read(&file).unwrap(), b"theirs");
        }
        replace(&file, Some(b"theirs"), b"ours").unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"ours");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}

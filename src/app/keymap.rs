//! Which key does what: the table's own keys, and the person's.

use crate::app::commands::{COMMANDS, Command, Context};
use crate::app::key::{Code, Key};

/// Which key does what.
#[derive(Debug, Clone)]
pub struct Keymap {
    keys: Vec<(Command, Vec<Key>)>,
}

impl Keymap {
    /// The table's keys, where the person chose none: `overrides` gives a command's name and all its keys.
    ///
    /// # Errors
    /// All that is wrong, one sentence each: unknown commands (with the nearest name), what is no key, clashes.
    pub fn new(overrides: &[(String, Vec<String>)]) -> Result<Self, Vec<String>> {
        let mut problems = Vec::new();
        let mut keys: Vec<(Command, Vec<Key>)> = COMMANDS
            .iter()
            .map(|row| (row.command, row.keys.iter().filter_map(|key| Key::parse(key)).collect()))
            .collect();
        for (name, chosen) in overrides {
            let Some(row) = COMMANDS.iter().find(|row| row.name == name) else {
                let meant = nearest(name)
                    .map_or("docs/KEYS.md names them all".into(), |near| format!("did you mean `{near}`?"));
                problems.push(format!("there is no command `{name}`; {meant}"));
                continue;
            };
            let mut parsed = Vec::new();
            for text in chosen {
                match Key::parse(text) {
                    Some(key) => parsed.push(key),
                    None => problems.push(format!(
                        "`{text}` (for `{name}`) is no key; keys are written `x`, `<c-r>`, `<enter>`, `<f5>`"
                    )),
                }
            }
            if let Some((_, keys)) = keys.iter_mut().find(|(command, _)| *command == row.command) {
                *keys = parsed;
            }
        }
        let keymap = Self { keys };
        problems.extend(keymap.clashes());
        problems.extend(keymap.typed_keys());
        if problems.is_empty() { Ok(keymap) } else { Err(problems) }
    }

    /// The command that a key means in a context.
    #[must_use]
    pub fn command(&self, context: Context, key: Key) -> Option<Command> {
        let has = |(command, keys): &&(Command, Vec<Key>)| {
            keys.contains(&key) && command.row().contexts.contains(&context)
        };
        self.keys.iter().find(has).map(|(command, _)| *command)
    }

    /// The keys of a command.
    #[must_use]
    pub fn keys(&self, command: Command) -> &[Key] {
        self.keys.iter().find(|(other, _)| *other == command).map_or(&[], |(_, keys)| keys)
    }

    /// The first key of a command as a person reads it; `:name` when it has none.
    #[must_use]
    pub fn label(&self, command: Command) -> String {
        match self.keys(command).first() {
            Some(key) => key.label(),
            None => format!(":{}", command.row().name),
        }
    }

    /// All keys of a command as a person reads them.
    #[must_use]
    pub fn labels(&self, command: Command) -> String {
        self.keys(command).iter().map(Key::label).collect::<Vec<_>>().join(" ")
    }

    /// Keys that mean two things in the same place.
    fn clashes(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (number, (command, keys)) in self.keys.iter().enumerate() {
            for (other, others) in self.keys.iter().skip(number + 1) {
                let shared = command.row().contexts.iter().any(|one| other.row().contexts.contains(one));
                for key in keys.iter().filter(|key| shared && others.contains(key)) {
                    let (one, two) = (command.row().name, other.row().name);
                    found.push(format!("`{key}` is the key of both `{one}` and `{two}`"));
                }
            }
        }
        found
    }

    /// Characters as keys where text is typed: they could not be typed any more.
    fn typed_keys(&self) -> Vec<String> {
        let typing = [Context::Filter, Context::Help, Context::Palette];
        let types = |command: &Command| command.row().contexts.iter().any(|one| typing.contains(one));
        let is_char = |key: &&Key| matches!(key.code, Code::Char(_)) && !key.ctrl && !key.alt;
        let rows = self.keys.iter().filter(|(command, _)| types(command));
        rows.flat_map(|(command, keys)| keys.iter().filter(is_char).map(|key| (command.row().name, key)))
            .map(|(name, key)| format!("`{key}` can't be the key of `{name}`: it is typed as text there"))
            .collect()
    }
}

/// The command's name that is nearest to what was written, unless all are far from it.
fn nearest(name: &str) -> Option<&'static str> {
    let names = COMMANDS.iter().map(|row| (distance(name, row.name), row.name));
    let (far, near) = names.min()?;
    (far <= 1 + name.chars().count() / 3).then_some(near)
}

/// How many characters must be put in, taken out or changed to get from one word to the other.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (done, char) in from.chars().enumerate() {
        let mut next = vec![done + 1];
        for ((other, window), left) in to.iter().zip(row.windows(2)).zip(0..) {
            let [diagonal, above] = window else { continue };
            let left: usize = next.get(left).copied().unwrap_or_default();
            next.push((diagonal + usize::from(*other != char)).min(above + 1).min(left + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &str, keys: &[&str]) -> Result<Keymap, Vec<String>> {
        Keymap::new(&[(name.into(), keys.iter().map(ToString::to_string).collect())])
    }

    #[test]
    fn the_table_has_no_clashes_and_every_key_parses() {
        let keymap = Keymap::new(&[]).unwrap();
        for row in COMMANDS {
            assert_eq!(keymap.keys(row.command).len(), row.keys.len(), "{}", row.name);
            assert!(row.help.ends_with('.'), "{}", row.name);
            let same = COMMANDS.iter().filter(|other| other.name == row.name).count();
            assert_eq!(same, 1, "{}", row.name);
        }
    }

    #[test]
    fn a_person_can_choose_keys() {
        let keymap = with("delete", &["x", "<del>"]).unwrap();
        assert_eq!(keymap.command(Context::List, Key::parse("x").unwrap()), Some(Command::Delete));
        assert_eq!(keymap.command(Context::List, Key::parse("d").unwrap()), None);
        assert_eq!(keymap.labels(Command::Delete), "x Del");
    }

    #[test]
    fn what_is_wrong_is_said_with_the_nearest_name() {
        assert_eq!(
            with("delte", &["x"]).unwrap_err(),
            ["there is no command `delte`; did you mean `delete`?"]
        );
        assert_eq!(with("delete", &["p"]).unwrap_err(), ["`p` is the key of both `delete` and `park`"]);
        assert!(with("delete", &["<nosuch>"]).unwrap_err()[0].contains("is no key"));
        assert!(with("keep-filter", &["k"]).unwrap_err()[0].contains("typed as text"));
    }

    #[test]
    fn the_same_key_may_mean_different_things_in_different_places() {
        let keymap = Keymap::new(&[]).unwrap();
        let enter = Key::plain(Code::Enter);
        assert_eq!(keymap.command(Context::List, enter), Some(Command::Open));
        assert_eq!(keymap.command(Context::Stores, enter), Some(Command::OpenStore));
        assert_eq!(keymap.command(Context::Question, enter), None);
    }
}

//! The command for the end of a session, beside the hook: it starts an extraction in the background, and never fails.

use crate::client::hook::command::{MARK, check_paths, marked, quoted, text};
use std::path::PathBuf;

/// The client's event.
pub const EVENT: &str = "SessionEnd";

/// What it is installed with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ended {
    /// The program.
    pub binary: PathBuf,
    /// Where memcurator keeps what waits, and which model commands were allowed.
    pub state: PathBuf,
    /// The configuration that names the model command.
    pub config: PathBuf,
    /// What the settings had not had before it: keys, for [`super::settings`].
    pub made: Vec<String>,
}

impl Ended {
    /// The command. Without paths that a shell or JSON can't hold: see [`Ended::check`].
    #[must_use]
    pub fn command(&self) -> String {
        let mut mark = format!("{MARK}at=end binary={}", quoted(&text(&self.binary)));
        for key in &self.made {
            mark.push_str(&format!(" made={}", quoted(key)));
        }
        // What the client wrote goes to the program as it is.
        format!(
            "{mark}; b={}; if [ -x \"$b\" ]; then \"$b\" hook ended --state {} --config {} >/dev/null 2>&1; fi; exit 0",
            quoted(&text(&self.binary)),
            quoted(&text(&self.state)),
            quoted(&text(&self.config)),
        )
    }

    /// Whether every path can stand in the command.
    ///
    /// # Errors
    /// Which one can't, and why.
    pub fn check(&self) -> Result<(), String> {
        check_paths([&self.binary, &self.state, &self.config].into_iter())
    }

    /// Reads a command that [`Ended::command`] made: what of it can be told. `None`: it is none of ours.
    #[must_use]
    pub fn read(command: &str) -> Option<Self> {
        let words = marked(command)?;
        if !words.iter().any(|word| word == "at=end") {
            return None;
        }
        let mut ended = Self::default();
        for word in words {
            match word.split_once('=') {
                Some(("binary", path)) => ended.binary = path.into(),
                Some(("made", key)) => ended.made.push(key.to_owned()),
                _ => {}
            }
        }
        Some(ended)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::hook::command::Hook;

    #[test]
    fn it_is_read_back_and_is_not_the_hook() {
        let ended = Ended {
            binary: "/opt/it's; here/$bin".into(),
            state: "/s".into(),
            config: "/c d/config.toml".into(),
            made: vec!["hooks.SessionEnd".into()],
        };
        assert_eq!(ended.check(), Ok(()));
        let read = Ended::read(&ended.command()).unwrap();
        assert_eq!(read, Ended { state: PathBuf::new(), config: PathBuf::new(), ..ended.clone() });
        for other in ["", "echo", &Hook { binary: "/x".into(), ..Hook::default() }.command()] {
            assert_eq!(Ended::read(other), None, "{other}");
        }
        assert!(!ended.command().contains('\n'));
        assert!(Ended { config: "a".into(), ..ended }.check().is_err());
    }
}

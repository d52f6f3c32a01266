//! Which model commands the person has allowed: a conversation leaves the program only through one of them.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

const FILE: &str = "model-commands";
/// More than anybody allows.
const MAX_BYTES: u64 = 1 << 20;

/// Whether the command was allowed, word for word.
#[must_use]
pub fn is_allowed(state: &Path, command: &str) -> bool {
    let mut text = String::new();
    let read = File::open(state.join(FILE)).and_then(|file| file.take(MAX_BYTES).read_to_string(&mut text));
    read.is_ok() && text.lines().any(|line| line == written(command))
}

/// Remembers that the command is allowed.
///
/// # Errors
/// As writing.
pub fn allow(state: &Path, command: &str) -> io::Result<()> {
    if is_allowed(state, command) {
        return Ok(());
    }
    private_dir(state)?;
    let mut file = OpenOptions::new().create(true).append(true).mode(0o600).open(state.join(FILE))?;
    writeln!(file, "{}", written(command))
}

/// Makes a directory and its parents, private to the user; one that exists keeps its mode.
///
/// # Errors
/// As making it.
pub fn private_dir(dir: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(dir)
}

/// A line each, whatever the command holds.
fn written(command: &str) -> String {
    serde_json::Value::from(command).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn commands_are_allowed_word_for_word() {
        let dir = tempfile::tempdir().unwrap();
        let state = dir.path().join("state");
        assert!(!is_allowed(&state, "model"));
        allow(&state, "model 'a\nb'").unwrap();
        allow(&state, "model").unwrap();
        allow(&state, "model").unwrap();
        assert!(is_allowed(&state, "model 'a\nb'") && is_allowed(&state, "model"));
        assert!(!is_allowed(&state, "model --other") && !is_allowed(&state, "mode"));
        let file = state.join(FILE);
        assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 2);
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(state.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    }
}

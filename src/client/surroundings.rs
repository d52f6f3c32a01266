//! The process's environment, and where the machine's managed settings of the client are.

use crate::memory::Time;
use crate::prompt::port::Environment;
use chrono::Local;
use std::path::PathBuf;

/// Reads the process's environment.
///
/// # Errors
/// When the current directory is gone or the home directory is unknown, in words.
pub fn environment() -> Result<Environment, String> {
    let vars = std::env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
        .collect();
    let cwd =
        std::env::current_dir().map_err(|error| format!("the current directory can't be read: {error}"))?;
    let home = std::env::home_dir().ok_or("the home directory is unknown: set HOME")?;
    Ok(Environment { vars, cwd, home })
}

/// The machine's managed settings of the client (documented by its makers, not measured).
#[must_use]
pub fn managed_settings() -> PathBuf {
    if cfg!(target_os = "macos") {
        "/Library/Application Support/ClaudeCode/managed-settings.json".into()
    } else {
        "/etc/claude-code/managed-settings.json".into()
    }
}

/// The day of a time where the person is, `2026-11-30`: the client writes it so.
#[must_use]
pub fn day(time: Time) -> String {
    time.with_timezone(&Local).date_naive().to_string()
}

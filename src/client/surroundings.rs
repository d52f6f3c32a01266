//! The process's environment, where memcurator keeps what is its own, and the machine's managed settings.

use crate::prompt::port::Environment;
use crate::store::Places;
use std::path::{Path, PathBuf};

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

/// Where memcurator keeps what is its own, by the XDG rules: a relative value is ignored.
#[must_use]
pub fn places(env: &Environment) -> Places {
    let place = |name: &str, fallback: &str| {
        let set = env.var(name).map(Path::new).filter(|path| path.is_absolute());
        set.map_or_else(|| env.home.join(fallback), Path::to_path_buf).join("memcurator")
    };
    Places {
        state: place("XDG_STATE_HOME", ".local/state"),
        cache: place("XDG_CACHE_HOME", ".cache"),
        config: place("XDG_CONFIG_HOME", ".config"),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_follow_the_xdg_rules() {
        let mut env = Environment { home: "/home/someone".into(), ..Environment::default() };
        env.vars.insert("XDG_STATE_HOME".into(), "/var/state".into());
        env.vars.insert("XDG_CACHE_HOME".into(), "relative".into());
        let places = places(&env);
        assert_eq!(places.state, Path::new("/var/state/memcurator"));
        assert_eq!(places.cache, Path::new("/home/someone/.cache/memcurator"));
        assert_eq!(places.config, Path::new("/home/someone/.config/memcurator"));
    }
}

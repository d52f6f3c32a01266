//! Where memcurator keeps what is its own, and the directory that belongs to one store.

use super::Places;
use super::history::sync_dir;
use super::pack::id_of;
use crate::prompt::port::Environment;
use git2::ObjectType;
use std::fs::{DirBuilder, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// How much of a store's path stands in the name of its directory, in bytes.
const READABLE: usize = 48;

impl Places {
    /// The places by the XDG base directory rules: `$XDG_STATE_HOME` and its like, else their defaults under
    /// the home directory. A value that is empty or relative is ignored, as those rules say.
    #[must_use]
    pub fn from_env(env: &Environment) -> Self {
        let base = |name: &str, default: &str| {
            env.var(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
                .unwrap_or_else(|| env.home.join(default))
                .join("memcurator")
        };
        Self {
            state: base("XDG_STATE_HOME", ".local/state"),
            cache: base("XDG_CACHE_HOME", ".cache"),
            config: base("XDG_CONFIG_HOME", ".config"),
        }
    }

    /// What is kept for the store at this real path: `STATE/stores/<readable part>-<hash>`.
    #[must_use]
    pub fn of_store(&self, real: &Path) -> PathBuf {
        let readable: String = real
            .to_string_lossy()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_') { c } else { '-' })
            .collect();
        let tail = readable.get(readable.len().saturating_sub(READABLE)..).unwrap_or(&readable);
        let hash = id_of(ObjectType::Blob, real.as_os_str().as_bytes()).to_string();
        let hash: String = hash.chars().take(12).collect();
        self.state.join("stores").join(format!("{}-{hash}", tail.trim_matches(['-', '.'])))
    }
}

/// Makes a directory and its parents, private to the user and durable by name up to the first one that existed;
/// one that exists keeps its mode.
pub(super) fn make_private(dir: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = dir.ancestors().take_while(|dir| !dir.exists()).collect();
    DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    // A name is durable when the directory that holds it is synced.
    for above in missing.iter().filter_map(|made| made.parent()).filter(|above| !above.as_os_str().is_empty())
    {
        match sync_dir(above) {
            // It can be written to, not read.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {}
            other => other?,
        }
    }
    Ok(())
}

/// Makes what is kept for one store, `STATE/stores/<name>`; all three directories are ours, and private even when
/// they were made otherwise.
pub(super) fn make_home(home: &Path) -> io::Result<()> {
    make_private(home)?;
    for ours in home.ancestors().take(3) {
        let mode = ours.metadata()?.permissions().mode();
        if mode & 0o077 != 0 {
            // Someone else's can't be tightened, and what is made in it is private in any case.
            let _ = std::fs::set_permissions(ours, Permissions::from_mode(mode & 0o7700));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(vars: &[(&str, &str)]) -> Environment {
        Environment {
            vars: vars.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect(),
            cwd: "/w".into(),
            home: "/home/ada".into(),
        }
    }

    #[test]
    fn places_follow_xdg_and_ignore_relative_values() {
        let places = Places::from_env(&env(&[
            ("XDG_STATE_HOME", "/s"),
            ("XDG_CACHE_HOME", "c"),
            ("XDG_CONFIG_HOME", ""),
        ]));
        assert_eq!(places.state, Path::new("/s/memcurator"));
        assert_eq!(places.cache, Path::new("/home/ada/.cache/memcurator"));
        assert_eq!(places.config, Path::new("/home/ada/.config/memcurator"));
    }

    #[test]
    fn stores_have_a_readable_and_unmistakable_directory() {
        let places = Places::from_env(&env(&[]));
        let a = places.of_store(Path::new("/home/ada/pay ments/memory"));
        let b = places.of_store(Path::new("/home/ada/pay-ments/memory"));
        assert_ne!(a, b);
        let name = a.file_name().unwrap().to_string_lossy().into_owned();
        assert!(name.starts_with("home-ada-pay-ments-memory-"), "{name}");
        assert_eq!(a.parent().unwrap(), Path::new("/home/ada/.local/state/memcurator/stores"));
        let long = places.of_store(Path::new(&format!("/{}/memory", "x".repeat(300))));
        assert!(long.file_name().unwrap().len() < 80);
    }
}

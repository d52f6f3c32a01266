//! The built-in demo: a store, a project with a history, and an agent home, state and clock of their own in a
//! temporary directory. Nothing of the person's is read or written.

mod assets;
mod crowded;
mod history;
mod inbox;
mod manifest;

use crate::client::disk::DiskPort;
use crate::memory::Time;
use crate::prompt::locate::{self, Located};
use crate::prompt::port::Environment;
use crate::store::Places;
use anyhow::{Context, Result};
use manifest::Manifest;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Which demo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// The written one: about 20 memories.
    Small,
    /// The generated one: 230 memories and an index over both limits.
    Crowded,
}

/// A demo that was built.
#[derive(Debug, Clone)]
pub struct DemoHome {
    /// The store, as a session in the project finds it.
    pub store: Located,
    /// The project's directory.
    pub project: PathBuf,
    /// State, cache and configuration of memcurator's own, in the demo's home.
    pub places: Places,
    /// The environment: the demo's home and nothing else.
    pub env: Environment,
    /// The demo's clock, which stands still.
    pub now: Time,
    /// Queries that the Recall screen offers.
    pub queries: Vec<String>,
}

/// Builds a demo in `dir`, which must exist and be empty.
///
/// # Errors
/// When a file can't be written.
pub fn build(dir: &Path, size: Size) -> Result<DemoHome> {
    build_as(dir, size, false)
}

/// The same, and in the small one proposals and changes wait for a decision.
///
/// # Errors
/// As [`build`].
pub fn build_with_inbox(dir: &Path, size: Size) -> Result<DemoHome> {
    build_as(dir, size, true)
}

fn build_as(dir: &Path, size: Size, with_inbox: bool) -> Result<DemoHome> {
    let manifest = Manifest::read(assets::MANIFEST).context("the demo's manifest")?;
    let now = manifest.now()?;
    let home = fs::canonicalize(dir).with_context(|| dir.display().to_string())?.join("home");
    let project = home.join("src/payments");
    fs::DirBuilder::new().recursive(true).mode(0o700).create(&project)?;
    history::make(&project, &manifest).context("the demo's project")?;

    let at = |name: &str| home.join(name).display().to_string();
    let vars = BTreeMap::from([
        ("HOME".into(), home.display().to_string()),
        ("XDG_CONFIG_HOME".into(), at(".config")),
        ("XDG_STATE_HOME".into(), at(".local/state")),
        ("XDG_CACHE_HOME".into(), at(".cache")),
    ]);
    let env = Environment { vars, cwd: project.clone(), home };
    let store = locate::client_store(&DiskPort, &env);
    let places = Places::from_env(&env);
    match size {
        Size::Small => {
            if with_inbox {
                inbox::reviewed(&store.dir, &places, &manifest).context("the demo's review")?;
            }
            for (path, bytes) in assets::below("memory") {
                write(&store.dir.join(path), bytes, manifest.changed(path)?, 0o644)?;
            }
            if with_inbox {
                inbox::propose(&store.dir, &places, now).context("the demo's proposals")?;
            }
        }
        Size::Crowded => {
            for file in crowded::files(now) {
                write(&store.dir.join(&file.path), file.text.as_bytes(), file.changed, 0o644)?;
            }
        }
    }
    let queries = if size == Size::Small { manifest.queries } else { Vec::new() };
    Ok(DemoHome { store, project, places, env, now, queries })
}

/// Writes one file with its time and mode, and the directories above it.
fn write(path: &Path, bytes: &[u8], changed: Time, mode: u32) -> Result<()> {
    let write = || -> std::io::Result<()> {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut file =
            fs::OpenOptions::new().write(true).create(true).truncate(true).mode(mode).open(path)?;
        std::io::Write::write_all(&mut file, bytes)?;
        file.set_modified(changed.into())
    };
    write().with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::port::Port;

    #[test]
    fn every_asset_is_embedded_and_every_age_names_one() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo");
        let mut on_disk = Vec::new();
        let mut dirs = vec![root.clone()];
        while let Some(dir) = dirs.pop() {
            for name in DiskPort.list(&dir).unwrap() {
                let path = dir.join(name);
                if path.is_dir() { dirs.push(path) } else { on_disk.push(path) }
            }
        }
        let mut names: Vec<_> =
            on_disk.iter().map(|path| path.strip_prefix(&root).unwrap().to_str().unwrap()).collect();
        names.retain(|name| *name != "demo.toml");
        names.sort_unstable();
        assert_eq!(names, assets::FILES.iter().map(|(path, _)| *path).collect::<Vec<_>>());
        let manifest = Manifest::read(assets::MANIFEST).unwrap();
        let memories: Vec<_> = assets::below("memory").map(|(path, _)| path).collect();
        for aged in manifest.aged() {
            assert!(memories.contains(&aged), "{aged}");
        }
    }
}

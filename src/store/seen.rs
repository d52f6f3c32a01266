//! Which of the client's tool calls were made proposals already, by their ids: what was staged, or recovered once, is not
//! recovered again, whatever became of it since.

use super::error::Result;
use super::{Places, StoreError};
use std::collections::HashSet;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The tool calls that are known of one store.
#[derive(Debug)]
pub struct Seen {
    home: PathBuf,
}

const FILE: &str = "tool-calls";

impl Seen {
    /// Those of the store at this path, which need not exist. Nothing is made on the disk.
    #[must_use]
    pub fn of(places: &Places, root: &Path) -> Self {
        let real = std::fs::canonicalize(root).unwrap_or_else(|_| root.to_path_buf());
        Self { home: places.of_store(&real) }
    }

    /// The ids; none when there is no record.
    #[must_use]
    pub fn ids(&self) -> HashSet<String> {
        let text = std::fs::read(self.home.join(FILE)).unwrap_or_default();
        String::from_utf8_lossy(&text).lines().map(str::to_owned).collect()
    }

    /// Adds ids. One line each, added at the end: several programs may do so at once.
    ///
    /// # Errors
    /// When they can't be written.
    pub fn add<'a>(&self, ids: impl IntoIterator<Item = &'a str>) -> Result<()> {
        let known = self.ids();
        let is_new = |id: &&str| !known.contains(*id) && !id.contains(['\n', '\r']) && id.len() <= 200;
        let text: String = ids.into_iter().filter(is_new).map(|id| format!("{id}\n")).collect();
        if text.is_empty() {
            return Ok(());
        }
        let write = || -> io::Result<()> {
            super::places::make_home(&self.home)?;
            let path = self.home.join(FILE);
            let mut file = OpenOptions::new().create(true).append(true).mode(0o600).open(path)?;
            file.write_all(text.as_bytes())
        };
        write().map_err(|error| {
            StoreError::io("write to", &self.home.join(FILE), &error, "what was proposed waits all the same")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_kept_once() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let places = Places { state: at("s"), cache: at("c"), config: at("x") };
        let seen = Seen::of(&places, dir.path());
        assert!(seen.ids().is_empty());
        seen.add(["a", "b"]).unwrap();
        seen.add(["b", "c", "d\nf"]).unwrap();
        let mut ids: Vec<String> = seen.ids().into_iter().collect();
        ids.sort();
        assert_eq!(ids, ["a", "b", "c"]);
        assert!(Seen::of(&places, &at("other")).ids().is_empty());
    }
}

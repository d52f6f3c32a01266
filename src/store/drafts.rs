//! Unsaved text, kept beside the history of its store: one private file for each memory.

use super::error::Result;
use super::pack::id_of;
use super::places::make_private;
use super::{Places, StoreError};
use crate::memory::path::RelPath;
use crate::review::draft::Draft;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use git2::ObjectType;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The drafts of one store.
#[derive(Debug, Clone)]
pub struct Drafts {
    dir: PathBuf,
}

/// A draft as it is written; paths and files hold any bytes, so they stand in base64.
#[derive(Serialize, Deserialize)]
struct Written {
    path: String,
    base: String,
    texts: Vec<(String, String)>,
}

impl Drafts {
    /// The drafts of the store at this real path. Nothing is made on the disk.
    #[must_use]
    pub fn of(places: &Places, root: &Path) -> Self {
        Self { dir: places.of_store(root).join("drafts") }
    }

    /// Keeps a draft in the place of the memory's former one; readable by its owner only.
    ///
    /// # Errors
    /// When it can't be written; the former one is then still there.
    pub fn keep(&self, draft: &Draft) -> Result<()> {
        let file = self.file(&draft.path);
        let written = Written {
            path: STANDARD.encode(draft.path.as_path().as_os_str().as_bytes()),
            base: STANDARD.encode(&draft.base),
            texts: draft.texts.clone(),
        };
        let write = || -> io::Result<()> {
            make_private(&self.dir)?;
            // `tempfile` makes it with mode 0600.
            let mut temp = tempfile::NamedTempFile::new_in(&self.dir)?;
            temp.write_all(&serde_json::to_vec(&written)?)?;
            temp.as_file().sync_data()?;
            temp.persist(&file)?;
            Ok(())
        };
        write().map_err(|error| {
            StoreError::io("keep the unsaved text in", &file, &error, "save it, or it is lost when you leave")
        })
    }

    /// Forgets the draft of a memory, if there is one.
    ///
    /// # Errors
    /// When it can't be removed.
    pub fn forget(&self, path: &RelPath) -> Result<()> {
        let file = self.file(path);
        match fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(StoreError::io("remove the unsaved text in", &file, &error, "it will be offered again"))
            }
            _ => Ok(()),
        }
    }

    /// All drafts of the store, by path; a file that is no draft is passed over.
    ///
    /// # Errors
    /// When the directory is there and can't be read.
    pub fn all(&self) -> Result<Vec<Draft>> {
        let entries = match fs::read_dir(&self.dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(StoreError::io("read the unsaved texts in", &self.dir, &error, "")),
        };
        let mut drafts: Vec<Draft> = entries.flatten().filter_map(|entry| read(&entry.path())).collect();
        drafts.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(drafts)
    }

    fn file(&self, path: &RelPath) -> PathBuf {
        let hash = id_of(ObjectType::Blob, path.as_path().as_os_str().as_bytes());
        self.dir.join(format!("{hash}.json"))
    }
}

fn read(file: &Path) -> Option<Draft> {
    let is_draft = file.extension().is_some_and(|extension| extension == "json");
    let bytes = is_draft.then(|| fs::read(file).ok()).flatten()?;
    let written: Written = serde_json::from_slice(&bytes).ok()?;
    let path = STANDARD.decode(written.path).ok()?;
    let base = STANDARD.decode(written.base).ok()?.into();
    Some(Draft { path: RelPath::new(OsStr::from_bytes(&path))?, base, texts: written.texts })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn draft(path: &str, text: &str) -> Draft {
        let texts = vec![("raw".to_owned(), text.to_owned())];
        Draft { path: RelPath::new(path).unwrap(), base: b"\xff base"[..].into(), texts }
    }

    #[test]
    fn drafts_are_kept_privately_and_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let places = Places { state: dir.path().into(), cache: dir.path().into(), config: dir.path().into() };
        let drafts = Drafts::of(&places, Path::new("/s"));
        assert_eq!(drafts.all().unwrap(), []);
        drafts.keep(&draft("b.md", "one")).unwrap();
        drafts.keep(&draft("a/b.md", "two")).unwrap();
        drafts.keep(&draft("b.md", "three")).unwrap();
        assert_eq!(drafts.all().unwrap(), [draft("a/b.md", "two"), draft("b.md", "three")]);
        for entry in fs::read_dir(&drafts.dir).unwrap() {
            assert_eq!(entry.unwrap().metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
        assert_eq!(fs::metadata(&drafts.dir).unwrap().permissions().mode() & 0o777, 0o700);
        drafts.forget(&RelPath::new("b.md").unwrap()).unwrap();
        drafts.forget(&RelPath::new("b.md").unwrap()).unwrap();
        fs::write(drafts.dir.join("odd.json"), "{").unwrap();
        assert_eq!(drafts.all().unwrap(), [draft("a/b.md", "two")]);
    }
}

//! The client's settings file on the disk: read, kept, and replaced whole.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// More than this is no settings file, in bytes.
const MOST: u64 = 8 << 20;

/// A settings file as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsFile {
    /// Where it is, as it is named.
    pub named: PathBuf,
    /// The file itself, behind links.
    pub real: PathBuf,
    /// Its text; empty when there is none.
    pub text: String,
    /// Whether there is one.
    pub exists: bool,
}

impl SettingsFile {
    /// Reads one, which need not exist.
    ///
    /// # Errors
    /// When it can't be read, is no file, no text, or far too long.
    pub fn read(named: &Path) -> io::Result<Self> {
        let mut real = named.to_path_buf();
        // A link that leads nowhere yet leads to where the file would be.
        for _ in 0..40 {
            match fs::read_link(&real) {
                Ok(target) => real = real.parent().unwrap_or(Path::new("/")).join(target),
                Err(_) => break,
            }
        }
        let real = fs::canonicalize(&real).unwrap_or(real);
        let (text, exists) = match fs::metadata(&real) {
            Ok(meta) if !meta.is_file() => return Err(io::Error::other("it is no file")),
            Ok(meta) if meta.len() > MOST => return Err(io::Error::other("it is far too long for settings")),
            Ok(_) => (fs::read_to_string(&real)?, true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (String::new(), false),
            Err(error) => return Err(error),
        };
        Ok(Self { named: named.to_path_buf(), real, text, exists })
    }

    /// Whether it is a link.
    #[must_use]
    pub fn is_link(&self) -> bool {
        fs::symlink_metadata(&self.named).is_ok_and(|meta| meta.file_type().is_symlink())
    }

    /// Puts a copy into a directory, named after the time; gives where. `None`: there is no file.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn keep(&self, dir: &Path, stamp: &str) -> io::Result<Option<PathBuf>> {
        if !self.exists {
            return Ok(None);
        }
        fs::DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
        let mut file = tempfile::Builder::new()
            .prefix(&format!("settings-{stamp}-"))
            .suffix(".json")
            .tempfile_in(dir)?;
        file.write_all(self.text.as_bytes())?;
        file.as_file().sync_data()?;
        Ok(Some(file.into_temp_path().keep().map_err(|error| error.error)?))
    }

    /// Replaces the file, whole or not at all; it keeps its mode. An empty text removes it.
    ///
    /// # Errors
    /// When it is another by now, or can't be written; it is as it was then.
    pub fn write(&self, text: &str) -> io::Result<()> {
        let now = Self::read(&self.named)?;
        if now != *self {
            return Err(io::Error::other("someone else changed it meanwhile"));
        }
        if text.is_empty() && self.exists {
            return fs::remove_file(&self.real);
        }
        let dir = self.real.parent().unwrap_or(Path::new("/"));
        fs::create_dir_all(dir)?;
        // Made with mode 0600: settings may hold keys.
        let mut file = tempfile::Builder::new().prefix(".settings-").suffix(".tmp").tempfile_in(dir)?;
        file.write_all(text.as_bytes())?;
        if self.exists {
            let mode = fs::metadata(&self.real)?.permissions().mode() & 0o7777;
            file.as_file().set_permissions(Permissions::from_mode(mode))?;
        }
        file.as_file().sync_all()?;
        file.persist(&self.real)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn it_is_replaced_behind_links_with_its_mode_and_never_over_another() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let none = SettingsFile::read(&at("deep/settings.json")).unwrap();
        assert!(!none.exists && none.keep(&at("kept"), "t").unwrap().is_none());
        none.write("{}").unwrap();
        assert_eq!(fs::metadata(at("deep/settings.json")).unwrap().permissions().mode() & 0o777, 0o600);
        fs::set_permissions(at("deep/settings.json"), Permissions::from_mode(0o640)).unwrap();
        symlink("deep/settings.json", at("link")).unwrap();
        symlink("nowhere/yet.json", at("dangling")).unwrap();
        let linked = SettingsFile::read(&at("link")).unwrap();
        assert!(linked.is_link() && !none.is_link());
        linked.write("{ }").unwrap();
        assert!(fs::symlink_metadata(at("link")).unwrap().file_type().is_symlink());
        assert_eq!(fs::read_to_string(at("deep/settings.json")).unwrap(), "{ }");
        assert_eq!(fs::metadata(at("deep/settings.json")).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(linked.write("{  }").unwrap_err().to_string().contains("meanwhile"));
        let kept = SettingsFile::read(&at("link")).unwrap().keep(&at("kept"), "t").unwrap().unwrap();
        assert_eq!(fs::read_to_string(kept).unwrap(), "{ }");
        SettingsFile::read(&at("dangling")).unwrap().write("{}").unwrap();
        assert!(at("nowhere/yet.json").exists());
        assert!(SettingsFile::read(dir.path()).is_err());
    }
}

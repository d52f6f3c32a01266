//! What was learned, kept for the next time: one file a client in `$XDG_CACHE_HOME/memcurator/wording`, which can be
//! deleted any time. Whatever in it can't be read is not known.

use crate::client::program::Program;
use crate::client::trouble::{Trouble, disk};
use crate::prompt::words::Words;
use std::io::Write;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// The largest file that is read, in bytes.
const MOST: u64 = 4 * 1024 * 1024;

/// What is known of this very client; `None`: nothing.
#[must_use]
pub fn read(cache: &Path, program: &Program) -> Option<Words> {
    let end = format!("-{}.json", program.fingerprint);
    let entries = std::fs::read_dir(dir(cache)).ok()?.flatten();
    let file = entries.map(|entry| entry.path()).find(|path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(&end)) && path.is_file()
    })?;
    let small = std::fs::metadata(&file).ok()?.len() <= MOST;
    let bytes = std::fs::read(&file).ok().filter(|_| small)?;
    Words::from_json(&serde_json::from_slice(&bytes).ok()?)
}

/// Keeps what was learned of this client, in place of what was known; gives where.
///
/// # Errors
/// When it can't be written.
pub fn write(cache: &Path, program: &Program, words: &Words) -> Result<PathBuf, Trouble> {
    let dir = dir(cache);
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&dir).map_err(disk(&dir))?;
    let path = dir.join(format!("{}-{}.json", words.version, program.fingerprint));
    // Made with mode 0600.
    let mut file = tempfile::NamedTempFile::new_in(&dir).map_err(disk(&dir))?;
    let text = format!("{:#}\n", words.to_json());
    file.write_all(text.as_bytes()).map_err(disk(&path))?;
    file.persist(&path).map_err(|error| Trouble::Disk(path.clone(), error.error))?;
    Ok(path)
}

fn dir(cache: &Path) -> PathBuf {
    cache.join("wording")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::words::Slot;
    use crate::prompt::words::template::{Template, Values};
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn what_is_kept_is_private_and_read_leniently() {
        let cache = tempfile::tempdir().unwrap();
        let cache = cache.path().join("memcurator");
        let program = Program { path: "/x".into(), fingerprint: "00ff".into() };
        assert_eq!(read(&cache, &program), None);
        let template = Template::of("ends", &Values::new());
        let words = Words { version: "2.1.5".into(), slots: [(Slot::Closing, template)].into() };
        let path = write(&cache, &program, &words).unwrap();
        assert_eq!(read(&cache, &program), Some(words.clone()));
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap()), mode(&cache)), (0o600, 0o700, 0o700));
        let other = Program { fingerprint: "0f".into(), ..program.clone() };
        assert_eq!(read(&cache, &other), None, "another file in the client's place is not known");
        std::fs::write(&path, "{ not json").unwrap();
        assert_eq!(read(&cache, &program), None);
        write(&cache, &program, &words).unwrap();
        assert_eq!(read(&cache, &program), Some(words));
    }
}

//! What the hook keeps of a session beside the queue: the index as its agent believes it to be. Only one hook works on a store
//! at a time: a client calls several tools at once.

use super::error::Result;
use super::{Places, StoreError, places};
use crate::review::proposal::sha256;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// What is kept of a session, as long as this is open by one process alone.
#[derive(Debug)]
pub struct Staged {
    dir: PathBuf,
    stem: String,
    _lock: File,
}

/// How long another hook is waited for. Longer than the hook may take: what waits is ended then.
const PATIENCE: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(5);
/// What is kept of sessions that long ago is removed.
const KEPT: Duration = Duration::from_hours(24 * 30);

impl Staged {
    /// Opens what is kept of a session for the store at this real path, which need not exist; waits for others.
    ///
    /// # Errors
    /// When the directory can't be made or locked.
    pub fn open(places: &Places, root: &Path, session: &str) -> Result<Self> {
        let home = places.of_store(root);
        let dir = home.join("sessions");
        let lock = || -> io::Result<File> {
            places::make_home(&home)?;
            places::make_private(&dir)?;
            let path = dir.join("lock");
            let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path)?;
            let started = Instant::now();
            loop {
                match file.try_lock() {
                    Ok(()) => return Ok(file),
                    Err(TryLockError::WouldBlock) if started.elapsed() < PATIENCE => {
                        std::thread::sleep(PAUSE)
                    }
                    Err(TryLockError::WouldBlock) => {
                        return Err(io::Error::other("another one does not end"));
                    }
                    Err(TryLockError::Error(error)) => return Err(error),
                }
            }
        };
        let lock = lock().map_err(|error| StoreError::io("lock", &dir, &error, "nothing was staged"))?;
        // An id is a text of the client's: no name of a file.
        let stem = sha256(session.as_bytes()).chars().take(16).collect();
        Ok(Self { dir, stem, _lock: lock })
    }

    /// The index as it was on the disk and as the agent believes it to be; `None`: it wrote none.
    #[must_use]
    pub fn index(&self) -> Option<(Vec<u8>, Vec<u8>)> {
        let read = |part: &str| std::fs::read(self.dir.join(format!("{}.{part}", self.stem))).ok();
        Some((read("base")?, read("index")?))
    }

    /// Keeps both.
    ///
    /// # Errors
    /// When they can't be written.
    pub fn keep_index(&self, base: &[u8], text: &[u8]) -> Result<()> {
        let write = |part: &str, bytes: &[u8]| -> io::Result<()> {
            let mut file = tempfile::Builder::new().prefix(".writing-").tempfile_in(&self.dir)?;
            file.write_all(bytes)?;
            file.persist(self.dir.join(format!("{}.{part}", self.stem)))?;
            Ok(())
        };
        self.tidy();
        write("base", base).and_then(|()| write("index", text)).map_err(|error| {
            StoreError::io(
                "keep what the session wrote in",
                &self.dir,
                &error,
                "what was proposed waits all the same",
            )
        })
    }

    /// Removes what is old; what can't be is harmless.
    fn tidy(&self) {
        let is_old = |path: &Path| {
            let time = std::fs::metadata(path)
                .and_then(|meta| meta.modified())
                .unwrap_or_else(|_| SystemTime::now());
            path.file_name().is_some_and(|name| name != "lock") && time.elapsed().is_ok_and(|age| age > KEPT)
        };
        for entry in std::fs::read_dir(&self.dir).into_iter().flatten().flatten() {
            if is_old(&entry.path()) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

/// Forgets the indexes of all sessions of the store that this is kept for: they hold what was purged, perhaps. To an
/// agent the index is then as on the disk.
pub(super) fn forget(home: &Path) -> io::Result<()> {
    let entries = match std::fs::read_dir(home.join("sessions")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|part| part == "base" || part == "index") {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Purge, Store};
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn each_session_has_its_own_and_one_works_at_a_time() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let places = Places { state: at("s"), cache: at("c"), config: at("x") };
        let store = at("store");
        let one = Staged::open(&places, &store, "../../a").unwrap();
        assert_eq!(one.index(), None);
        one.keep_index(b"a", b"b").unwrap();
        assert_eq!(one.index(), Some((b"a".to_vec(), b"b".to_vec())));
        for entry in std::fs::read_dir(&one.dir).unwrap() {
            assert_eq!(entry.unwrap().metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            let (places, store) = (&places, &store);
            scope.spawn(move || sender.send(Staged::open(places, store, "b").unwrap().index()).unwrap());
            assert!(receiver.recv_timeout(Duration::from_millis(100)).is_err(), "it waits");
            drop(one);
            assert_eq!(receiver.recv_timeout(Duration::from_secs(20)).unwrap(), None);
        });
        let old = File::options().write(true).open(
            places
                .of_store(&store)
                .join("sessions")
                .join(format!("{}.base", sha256(b"../../a").get(..16).unwrap())),
        );
        old.unwrap().set_modified(SystemTime::now() - KEPT * 2).unwrap();
        Staged::open(&places, &store, "c").unwrap().keep_index(b"", b"").unwrap();
        assert_eq!(Staged::open(&places, &store, "../../a").unwrap().index(), None);
    }
    /// What an agent wrote of the index stayed for a month, a secret too.
    #[test]
    fn a_purge_takes_the_indexes_of_sessions_along() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let places = Places { state: at("s"), cache: at("c"), config: at("x") };
        std::fs::create_dir(at("store")).unwrap();
        let root = at("store").canonicalize().unwrap();
        let path = crate::memory::path::RelPath::new("a.md").unwrap();
        for what in [Purge::All, Purge::File(path)] {
            Staged::open(&places, &root, "a").unwrap().keep_index(b"", b"a secret").unwrap();
            let store = Store::open(&root, &places).unwrap();
            store.purge(&what, "2026-03-05T10:00:00Z".parse().unwrap()).unwrap();
            assert_eq!(Staged::open(&places, &root, "a").unwrap().index(), None, "{what:?}");
        }
    }
}

//! One writer at a time: a lock that the system takes back when the process dies.

use super::error::Result;
use super::{StoreError, failpoint, places};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a second memcurator waits for the first one.
const PATIENCE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(20);

/// The lock of one store; dropping it lets go.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock, waiting a little while another process holds it.
    pub(super) fn take(home: &Path) -> Result<Self> {
        let started = Instant::now();
        loop {
            match Self::attempt(home)? {
                Ok(lock) => return Ok(lock),
                Err(holder) if started.elapsed() >= PATIENCE => {
                    let who = holder.map_or_else(String::new, |pid| format!(" (process {pid})"));
                    return Err(StoreError::fault(
                        format!("another memcurator{who} is changing this store; nothing was done"),
                        "wait until it is finished, then try again",
                    ));
                }
                Err(_) => std::thread::sleep(PAUSE),
            }
        }
    }

    /// Takes the lock when nobody has it; else `None`.
    pub(super) fn take_now(home: &Path) -> Result<Option<Self>> {
        Ok(Self::attempt(home)?.ok())
    }

    /// The lock, or the id of the process that holds it where that can be read.
    fn attempt(home: &Path) -> Result<std::result::Result<Self, Option<u32>>> {
        let path = home.join("lock");
        let fault = |error: &std::io::Error| StoreError::io("lock", &path, error, "nothing was done");
        places::make_home(home).map_err(|e| fault(&e))?;
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)
            .map_err(|e| fault(&e))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                let holder = file.read_to_string(&mut text).ok().and_then(|_| text.trim().parse().ok());
                return Ok(Err(holder));
            }
            Err(TryLockError::Error(error)) => return Err(fault(&error)),
        }
        failpoint::step();
        // Only for the message of the one that waits: no sync, and no harm when it can't be written.
        let _ = file.set_len(0);
        let _ = file.rewind();
        let _ = writeln!(file, "{}", std::process::id());
        Ok(Ok(Self { _file: file }))
    }
}

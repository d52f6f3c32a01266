//! A counted failpoint between every two effects on the disk, so that a test can kill the process at each
//! of them. Only in debug builds, and only when `MEMCURATOR_DIE_AT` is set.

/// One step further; kills this process with SIGKILL at the step that `MEMCURATOR_DIE_AT` names (from 1).
#[cfg(debug_assertions)]
pub(super) fn step() {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    static DIE_AT: OnceLock<Option<u64>> = OnceLock::new();
    static STEPS: AtomicU64 = AtomicU64::new(0);
    let die_at = DIE_AT.get_or_init(|| std::env::var("MEMCURATOR_DIE_AT").ok()?.parse().ok());
    if let Some(die_at) = die_at
        && STEPS.fetch_add(1, Ordering::SeqCst) + 1 == *die_at
    {
        // A kill that failed would let the test see an operation that is whole: no harm.
        let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    }
}

/// Nothing in a release build.
#[cfg(not(debug_assertions))]
#[inline]
pub(super) fn step() {}

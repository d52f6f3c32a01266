//! A counted failpoint between every two effects on the disk, so that a test can kill the process at each
//! of them. Only in debug builds, and only when `MEMCURATOR_DIE_AT` is set.

#[cfg(debug_assertions)]
static STEPS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);

/// Begins to count anew: an operation that is tried again has the same numbers.
#[cfg(debug_assertions)]
pub(super) fn restart() {
    STEPS.store(0, std::sync::atomic::Ordering::SeqCst);
}

/// One step further; kills this process with SIGKILL at the step that `MEMCURATOR_DIE_AT` names (from 1).
#[cfg(debug_assertions)]
pub(super) fn step() {
    use std::sync::OnceLock;
    use std::sync::atomic::Ordering;

    static DIE_AT: OnceLock<Option<u64>> = OnceLock::new();
    let die_at = DIE_AT.get_or_init(|| std::env::var("MEMCURATOR_DIE_AT").ok()?.parse().ok());
    if let Some(die_at) = die_at
        && STEPS.fetch_add(1, Ordering::SeqCst) + 1 == *die_at
    {
        // A kill that failed would let the test see an operation that is whole: no harm.
        let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    }
}

/// Whether a test wants the ways for file systems that know no exchange (`MEMCURATOR_NO_EXCHANGE`).
#[cfg(debug_assertions)]
pub(super) fn no_exchange() -> bool {
    static IS_SET: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *IS_SET.get_or_init(|| std::env::var_os("MEMCURATOR_NO_EXCHANGE").is_some())
}

/// Never in a release build.
#[cfg(not(debug_assertions))]
#[inline]
pub(super) fn no_exchange() -> bool {
    false
}

/// Nothing in a release build.
#[cfg(not(debug_assertions))]
#[inline]
pub(super) fn restart() {}

/// Nothing in a release build.
#[cfg(not(debug_assertions))]
#[inline]
pub(super) fn step() {}

#[cfg(test)]
type Hook = Box<dyn FnMut(&str, &std::path::Path) -> std::io::Result<()>>;

#[cfg(test)]
thread_local! {
    static HOOK: std::cell::RefCell<Option<Hook>> = const { std::cell::RefCell::new(None) };
}

/// A test of this thread wants to know of every effect, to let it fail or to do something at that moment.
#[cfg(test)]
pub(super) fn hook(hook: impl FnMut(&str, &std::path::Path) -> std::io::Result<()> + 'static) {
    HOOK.with_borrow_mut(|place| *place = Some(Box::new(hook)));
}

/// The test wants no more of it.
#[cfg(test)]
pub(super) fn unhook() {
    HOOK.with_borrow_mut(|place| *place = None);
}

/// Before the effect `what` on `path`: a test may let it fail.
#[cfg(test)]
pub(super) fn before(what: &str, path: &std::path::Path) -> std::io::Result<()> {
    HOOK.with_borrow_mut(|hook| hook.as_mut().map_or(Ok(()), |hook| hook(what, path)))
}

/// Nothing outside of tests.
#[cfg(not(test))]
#[inline]
#[allow(clippy::unnecessary_wraps)]
pub(super) fn before(_: &str, _: &std::path::Path) -> std::io::Result<()> {
    Ok(())
}

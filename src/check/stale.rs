//! What may no longer hold.

use super::{Check, CheckId, Depth, Found, Look, Severity, seen_in};
use crate::memory::age::{self, Clock};

pub(super) const CHECKS: &[Check] = &[Check {
    id: CheckId("age-hidden"),
    means: "The file's time is newer than the memory's own date, so the client, which looks at the file's time \
            only, will not warn that the memory is old.",
    depth: Depth::Quick,
    look: age_hidden,
}];

fn age_hidden(store: &Look<'_>, found: &mut Found) {
    for memory in store.snapshot.memories.iter().filter(|memory| age::is_hidden(memory, store.now)) {
        let age = age::age(memory, store.now);
        let clock = match age.clock {
            Clock::Modified => "modified",
            Clock::UpdatedAt => "updatedAt",
            Clock::FileTime => continue,
        };
        let days = age.days;
        let message =
            format!("`{clock}` says {days} days, but the file's time is too new for the client to warn");
        let evidence = vec![
            seen_in(&memory.path, None, format!("{clock}: {}", age.since.format("%Y-%m-%d"))),
            seen_in(&memory.path, None, format!("file time: {}", memory.stat.mtime.format("%Y-%m-%d"))),
        ];
        found.add(Severity::Warning, &memory.path, 1, message, evidence);
    }
}

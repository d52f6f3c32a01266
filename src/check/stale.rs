//! What may no longer hold.

use super::{Check, CheckId, Depth, Fix, Found, Look, Severity, line_of_key, seen_in};
use crate::memory::Time;
use crate::memory::age::{self, Clock};
use crate::memory::extended::{self, Key};
use crate::memory::snapshot::Memory;
use crate::memory::text::visible;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: CheckId("expired"),
        means: "The memory's own key (`expiresAt`, `valid_until` and the like) says that it no longer holds.",
        depth: Depth::Quick,
        look: expired,
    },
    Check {
        id: CheckId("old"),
        means: "The memory was not changed, nor confirmed, for longer than is set for its type.",
        depth: Depth::Quick,
        look: old,
    },
    Check {
        id: CheckId("age-hidden"),
        means: "The file's time is newer than the memory's own date, so the client, which looks at the file's time \
            only, will not warn that the memory is old.",
        depth: Depth::Quick,
        look: age_hidden,
    },
];

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

fn expired(store: &Look<'_>, found: &mut Found) {
    for memory in &store.snapshot.memories {
        let Some((key, end)) = ends(memory).filter(|(_, end)| *end < store.now) else { continue };
        let day = (end - chrono::TimeDelta::nanoseconds(1)).format("%Y-%m-%d");
        let line = line_of_key(memory, key);
        let evidence = vec![seen_in(&memory.path, line, format!("{}: {day}", visible(key, false)))];
        let message = format!("expired: it was to hold until {day}");
        let finding = found.add(Severity::Warning, &memory.path, line, message, evidence);
        finding.about = key.to_owned();
        finding.fixes = vec![Fix::Edit, Fix::Delete];
    }
}

/// The key that says until when a memory holds, and the moment from which on it does not.
pub(super) fn ends(memory: &Memory) -> Option<(&str, Time)> {
    let mut ends = extended::fields(&memory.document.header).filter(|field| field.key == Key::Expires);
    ends.find_map(|field| Some((field.written, extended::end_of(field.value)?)))
}

fn old(store: &Look<'_>, found: &mut Found) {
    for memory in &store.snapshot.memories {
        let kind = &memory.document.header.kind;
        let age = age::age(memory, store.now);
        let Some(limit) = store.settings.old_days(kind).filter(|limit| age.days >= *limit) else { continue };
        let message = format!("old: {} days since it was last changed, over {limit} for its type", age.days);
        let clock = match age.clock {
            Clock::Modified => "modified",
            Clock::UpdatedAt => "updatedAt",
            Clock::FileTime => "file time",
        };
        let evidence =
            vec![seen_in(&memory.path, None, format!("{clock}: {}", age.since.format("%Y-%m-%d")))];
        let finding = found.add(Severity::Info, &memory.path, 1, message, evidence);
        finding.fixes = vec![Fix::Affirm, Fix::Edit, Fix::Delete];
    }
}

#[cfg(test)]
mod tests;

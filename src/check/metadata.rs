//! What a memory's own keys say about it ([`crate::memory::extended`]): values that can't be read or can't be, an end that
//! is near, and what was never sure and was not confirmed for long.

use super::stale::ends;
use super::{Check, CheckId, Depth, Finding, Fix, Found, Look, Severity, line_of_key, quoted, seen_in};
use crate::memory::age;
use crate::memory::extended::{self, Confidence, Field, Key};
use crate::memory::snapshot::Memory;
use crate::memory::text::visible;
use crate::memory::{Time, dates};
use chrono::{Days, TimeDelta};

/// From how many days before its end on a memory is said to end soon.
const SOON: u64 = 14;
/// From how many days on a memory of low confidence should be confirmed.
const UNSURE: u32 = 30;

pub(super) const FORM: &[Check] = &[Check {
    id: CheckId("metadata-invalid"),
    means: "A key that says something about the memory has a value that can't be read (`createdAt`, `updatedAt`, \
            `modified`, `expiresAt`, `confidence`), or its dates can't all be true: it was changed, or ended, before it \
            was made.",
    depth: Depth::Quick,
    look: invalid,
}];

pub(super) const STALE: &[Check] = &[
    Check {
        id: CheckId("expires-soon"),
        means: "The memory's own key (`expiresAt` and the like) says that it holds for two weeks more at most.",
        depth: Depth::Quick,
        look: expires_soon,
    },
    Check {
        id: CheckId("unsure"),
        means: "The memory's `confidence` is low, and it was not changed nor confirmed for 30 days.",
        depth: Depth::Quick,
        look: unsure,
    },
];

fn invalid(store: &Look<'_>, found: &mut Found) {
    for memory in &store.snapshot.memories {
        unreadable(memory, found);
        disordered(memory, found);
    }
}

/// Values that can't be read.
fn unreadable(memory: &Memory, found: &mut Found) {
    let header = &memory.document.header;
    for (written, value) in &header.others {
        let written = written.strip_prefix("metadata.").unwrap_or(written);
        let value = value.trim();
        let wanted = match extended::allowed(written, value) {
            Err(wanted) => wanted,
            // A date that is one is not among the others.
            Ok(()) if written == "modified" && !value.is_empty() && dates::parse(value).is_none() => {
                "wanted a date such as 2026-03-05".to_owned()
            }
            Ok(()) => continue,
        };
        // In a spelling of one's own it may be meant for people (`valid_until: end of the quarter`), and nothing depends
        // on how sure a memory is.
        let is_usual = |key: Key| key != Key::Confidence && key.as_str() == written;
        let is_grave = written == "modified" || Key::of(written).is_some_and(is_usual);
        let severity = if is_grave { Severity::Warning } else { Severity::Info };
        let message = format!("`{}`: {wanted}", visible(written, false));
        told(memory, found, severity, written, message, quoted(value));
    }
}

/// Dates that can't all be true. One without a time of day stands for its whole day.
fn disordered(memory: &Memory, found: &mut Found) {
    let header = &memory.document.header;
    let Some(made) = extended::field(header, Key::Created) else { return };
    let Some(created) = extended::date(made.value) else { return };
    let ends = extended::field(header, Key::Expires)
        .and_then(|field| Some((field.written, extended::end_of(field.value)?, "ended")));
    // A header knows no longer whether its dates had a time of day.
    let whole = |time: Time| time.checked_add_days(Days::new(1)).unwrap_or(time);
    let changed = [("modified", header.modified), ("updatedAt", header.updated_at)];
    let changed = changed.into_iter().filter_map(|(key, time)| Some((key, whole(time?), "changed")));
    for (key, end, did) in changed.chain(ends) {
        if end <= created {
            let message = format!(
                "it was {did} before it was made: `{key}` is earlier than `{}`",
                visible(made.written, false)
            );
            let message =
                if did == "ended" { message.replacen("it was ended", "it ended", 1) } else { message };
            let day = (end - TimeDelta::nanoseconds(1)).format("%Y-%m-%d");
            told(
                memory,
                found,
                Severity::Warning,
                key,
                message,
                format!("made {}, {did} {day}", created.format("%Y-%m-%d")),
            );
        }
    }
}

fn expires_soon(store: &Look<'_>, found: &mut Found) {
    for memory in &store.snapshot.memories {
        let end = ends(memory);
        // What has ended is `expired`.
        let until = store.now.checked_add_days(Days::new(SOON)).unwrap_or(store.now);
        let Some((key, end)) = end.filter(|(_, end)| (store.now..until).contains(end)) else { continue };
        let day = (end - TimeDelta::nanoseconds(1)).format("%Y-%m-%d");
        let message = format!("it is to hold until {day}, and no longer");
        let evidence = format!("{}: {day}", visible(key, false));
        let finding = told(memory, found, Severity::Info, key, message, evidence);
        finding.fixes = vec![Fix::Edit, Fix::Delete];
    }
}

fn unsure(store: &Look<'_>, found: &mut Found) {
    for memory in &store.snapshot.memories {
        let header = &memory.document.header;
        let is_low = |field: &Field<'_>| extended::confidence(field.value) == Some(Confidence::Low);
        let Some(field) = extended::field(header, Key::Confidence).filter(is_low) else { continue };
        let days = age::age(memory, store.now).days;
        // From then on `old` says it.
        let is_old = store.settings.old_days(&header.kind).is_some_and(|limit| days >= limit);
        if days < UNSURE || is_old {
            continue;
        }
        let message = format!("it was not sure, and nobody confirmed it for {days} days");
        let evidence = format!("{}: {}", visible(field.written, false), quoted(field.value));
        let finding = told(memory, found, Severity::Info, field.written, message, evidence);
        finding.fixes = vec![Fix::Affirm, Fix::Edit, Fix::Delete];
    }
}

/// A finding about a key of a memory.
fn told<'f>(
    memory: &Memory,
    found: &'f mut Found,
    severity: Severity,
    key: &str,
    message: String,
    evidence: String,
) -> &'f mut Finding {
    let line = line_of_key(memory, key);
    let finding =
        found.add(severity, &memory.path, line, message, vec![seen_in(&memory.path, line, evidence)]);
    key.clone_into(&mut finding.about);
    finding.fixes = vec![Fix::Edit];
    finding
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{FINE, about};

    /// The findings on 2026-03-10, with their lines.
    fn found(yaml: &str) -> Vec<String> {
        let ids = ["metadata-invalid", "expires-soon", "unsure", "expired"];
        let all = about(&FINE.replace("type: user", &format!("type: user\n{yaml}")));
        let mut found: Vec<String> = all
            .into_iter()
            .filter(|one| ids.iter().any(|id| one.starts_with(&format!("{id} "))))
            .map(|one| one.replace(" a.md:", " "))
            .collect();
        found.sort();
        found
    }

    #[test]
    fn values_that_cannot_be_read_or_cannot_be() {
        for (yaml, expected) in [
            ("createdAt: 2026-03-01", &[][..]),
            ("createdAt: soon", &["metadata-invalid 5 Warning"]),
            ("created_at: 2026-02-30", &["metadata-invalid 5 Info"]),
            ("updatedAt: yesterday", &["metadata-invalid 5 Warning"]),
            ("modified: last week", &["metadata-invalid 5 Warning"]),
            ("modified:", &[]),
            ("expiresAt: never", &[]),
            ("expiresAt: when it is done", &["metadata-invalid 5 Warning"]),
            ("valid_until: end of the quarter", &["metadata-invalid 5 Info"]),
            ("confidence: quite", &["metadata-invalid 5 Info"]),
            ("confidence: 0.3", &[]),
            ("createdAt: 2026-03-02\nupdatedAt: 2026-03-01", &["metadata-invalid 6 Warning"]),
            ("createdAt: 2026-03-02T12:00:00Z\nupdatedAt: 2026-03-02", &[]),
            ("createdAt: 2026-03-02\nmodified: 2026-02-01T10:00:00Z", &["metadata-invalid 6 Warning"]),
            ("createdAt: 2026-03-02\nexpiresAt: 2026-03-02", &["expired 6 Warning"]),
            (
                "createdAt: 2026-03-02\nexpiresAt: 2026-03-01",
                &["expired 6 Warning", "metadata-invalid 6 Warning"],
            ),
            ("metadata:\n  createdAt: 2026-03-02\n  updatedAt: 2026-03-01", &["metadata-invalid 7 Warning"]),
        ] {
            assert_eq!(found(yaml), expected, "{yaml}");
        }
    }

    #[test]
    fn what_ends_soon_is_said_before_and_not_after() {
        for (end, expected) in [
            ("2026-03-09", &["expired 5 Warning"][..]),
            ("2026-03-10", &["expires-soon 5 Info"]),
            ("2026-03-23", &["expires-soon 5 Info"]),
            ("2026-03-24", &[]),
            ("2026-03-10T11:59:59Z", &["expired 5 Warning"]),
        ] {
            assert_eq!(found(&format!("expiresAt: {end}")), expected, "{end}");
        }
    }

    #[test]
    fn what_was_never_sure_is_to_be_confirmed() {
        for (yaml, expected) in [
            ("confidence: low\nmodified: 2026-02-01", &["unsure 5 Info"][..]),
            ("confidence: 0.2\nmodified: 2026-02-20", &[]),
            ("confidence: high\nmodified: 2026-02-01", &[]),
            // `old` says it then.
            ("confidence: low\nmodified: 2023-02-01", &[]),
        ] {
            assert_eq!(found(yaml), expected, "{yaml}");
        }
    }
}

//! The crowded demo: a store with more memories than its index may have lines, made up by rule.

use crate::memory::Time;
use chrono::TimeDelta;
use std::fmt::Write as _;

/// How many memories it has.
pub const MEMORIES: usize = 230;

const AREAS: [&str; 23] = [
    "refunds",
    "payouts",
    "ledger",
    "webhooks",
    "settlement",
    "chargebacks",
    "invoices",
    "currencies",
    "limits",
    "disputes",
    "onboarding",
    "statements",
    "risk rules",
    "bank files",
    "cards",
    "wallets",
    "taxes",
    "fees",
    "reports",
    "alerts",
    "sandbox",
    "archive",
    "search",
];
const SUBJECTS: [(&str, &str, &str, &str); 10] = [
    (
        "tests",
        "feedback",
        "are tested against the real queue",
        "a fake queue kept an order that the real one does not",
    ),
    ("naming", "feedback", "keep the names that the bank uses", "two names for one thing cost a day"),
    (
        "retries",
        "project",
        "repeat a call twice at most, then wait for a person",
        "repeats kept the gateway down",
    ),
    (
        "owner",
        "project",
        "belong to the team in the second office",
        "questions went to the wrong people for weeks",
    ),
    (
        "deadline",
        "project",
        "move to the new schema before the summer",
        "the old schema has no room for a third currency",
    ),
    (
        "dashboard",
        "reference",
        "have a dashboard of their own at dash.example.com",
        "nobody finds it by searching",
    ),
    (
        "runbook",
        "reference",
        "have a runbook in the docs directory",
        "it is the only place with the phone numbers",
    ),
    ("logs", "feedback", "write one log line for each decision", "a fault could not be retold from the logs"),
    ("review", "feedback", "are reviewed by two people", "one reviewer missed a sign"),
    (
        "preference",
        "user",
        "are explained with an example first",
        "the person reads examples faster than rules",
    ),
];

/// One generated file: its path, its text, and how long before the demo's clock it was changed.
pub struct Generated {
    /// The path in the store.
    pub path: String,
    /// The content.
    pub text: String,
    /// The time of last change.
    pub changed: Time,
}

/// The memories and, last, the index that names them all: over 200 lines and over 25,000 UTF-16 units.
#[must_use]
pub fn files(now: Time) -> Vec<Generated> {
    let mut files = Vec::with_capacity(MEMORIES + 1);
    let mut index = String::from("# Memory\n\n");
    let pairs = SUBJECTS.iter().flat_map(|subject| AREAS.iter().map(move |area| (*subject, *area)));
    for (at, ((subject, kind, what, why), area)) in pairs.enumerate() {
        let stem = format!("{}-{subject}", area.replace(' ', "-"));
        let (title, path) = (format!("{} {subject}", capital(area)), format!("{stem}.md"));
        let about = format!("{} {what}, since {why}", capital(area));
        // Ages spread over two years, the same ones on every run.
        let changed = now - TimeDelta::hours(i64::try_from(at * at * 37 % 17_500).unwrap_or(0));
        let other = AREAS.get((at + 7) % AREAS.len()).copied().unwrap_or_default().replace(' ', "-");
        let text = format!(
            "---\nname: {stem}\ndescription: {about}\nmetadata: \n  node_type: memory\n  type: {kind}\n  modified: {}\n---\n\n\
             {} {what}.\n\n**Why:** In one case {why}.\n\n**How to apply:** Whenever {area} change. See [[{other}-{subject}]].\n",
            changed.format("%Y-%m-%dT%H:%M:%S.000Z"),
            capital(area),
        );
        // Writing into a String can't fail.
        let _ = writeln!(index, "- [{title}]({path}) — {what}; {why}, so ask before this is changed");
        files.push(Generated { path, text, changed });
    }
    files.push(Generated { path: "MEMORY.md".into(), text: index, changed: now - TimeDelta::hours(2) });
    files
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_index_is_over_both_limits() {
        let files = files(Time::UNIX_EPOCH + TimeDelta::days(20_000));
        assert_eq!(files.len(), MEMORIES + 1);
        let index = &files.last().unwrap().text;
        assert!(index.lines().count() > crate::prompt::limits::MAX_LINES);
        let units = index.encode_utf16().count();
        assert!(units > crate::prompt::limits::MAX_UNITS, "{units}");
        let mut paths: Vec<_> = files.iter().map(|file| &file.path).collect();
        paths.sort();
        paths.dedup();
        assert_eq!(paths.len(), MEMORIES + 1);
    }
}

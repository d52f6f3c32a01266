//! Faults of form: what parsing noticed, names, descriptions and types that are missing, links to nothing.

use super::{Check, CheckId, Depth, Found, Look, Severity, line_of_key, quoted, seen_in};
use crate::memory::document::{Encoding, FaultKind, MemoryType};
use crate::memory::lines::Lines;
use crate::memory::links::{Destination, Outgoing};
use crate::memory::snapshot::Memory;
use crate::memory::text::visible;
use std::collections::HashMap;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: CheckId("frontmatter-invalid"),
        means: "The frontmatter is not valid YAML or is never closed. An older client that rewrites such a memory \
                loses its name and description.",
        depth: Depth::Quick,
        look: |store, found| faults(store, found, FaultKind::FrontmatterInvalid, |_| Severity::Error),
    },
    Check {
        id: CheckId("frontmatter-lossy"),
        means: "A value is read as something other than what is written there: cut at ` #`, taken for a date, a \
                number or a list, or cut by the client at `---`.",
        depth: Depth::Quick,
        look: |store, found| faults(store, found, FaultKind::FrontmatterLossy, |_| Severity::Warning),
    },
    Check {
        id: CheckId("frontmatter-wiped"),
        means: "The client rewrote broken YAML and left an empty name: what stood there is lost.",
        depth: Depth::Quick,
        look: |store, found| faults(store, found, FaultKind::FrontmatterWiped, |_| Severity::Error),
    },
    Check {
        id: CheckId("name-missing"),
        means: "The memory has no name; its file's name stands in for it.",
        depth: Depth::Quick,
        look: name_missing,
    },
    Check {
        id: CheckId("name-duplicate"),
        means: "Several memories have the same name, so a link by name may reach the wrong one.",
        depth: Depth::Quick,
        look: name_duplicate,
    },
    Check {
        id: CheckId("description-missing"),
        means: "The memory has no description, by which an agent would tell whether it matters.",
        depth: Depth::Quick,
        look: |store, found| {
            for memory in &store.snapshot.memories {
                let blank =
                    memory.document.header.description.as_deref().unwrap_or_default().trim().is_empty();
                blank.then(|| missing(memory, found, "description"));
            }
        },
    },
    Check {
        id: CheckId("type-missing"),
        means: "The memory has no type: user, feedback, project or reference.",
        depth: Depth::Quick,
        look: |store, found| {
            for memory in &store.snapshot.memories {
                (memory.document.header.kind == MemoryType::Missing).then(|| missing(memory, found, "type"));
            }
        },
    },
    Check {
        id: CheckId("type-unknown"),
        means: "The type is none of user, feedback, project and reference.",
        depth: Depth::Quick,
        look: |store, found| {
            for memory in &store.snapshot.memories {
                if let MemoryType::Other(kind) = &memory.document.header.kind {
                    let message = format!("the type is {}, none of the four", quoted(kind));
                    let line = line_of_key(memory, "type");
                    let evidence = seen_in(&memory.path, line, line_text(memory, line));
                    found.add(Severity::Warning, &memory.path, line, message, vec![evidence]);
                }
            }
        },
    },
    Check {
        id: CheckId("link-unresolved"),
        means: "A link names a memory that is not in this store.",
        depth: Depth::Quick,
        look: link_unresolved,
    },
    Check {
        id: CheckId("encoding"),
        means: "The file is not plain UTF-8: bytes that don't decode, or a byte order mark before the frontmatter.",
        depth: Depth::Quick,
        look: |store, found| {
            faults(store, found, FaultKind::Encoding, |memory| match memory.document.encoding {
                Encoding::Invalid(_) => Severity::Warning,
                Encoding::Utf8 | Encoding::Utf8Bom => Severity::Info,
            });
        },
    },
];

fn faults(store: &Look<'_>, found: &mut Found, kind: FaultKind, severity: fn(&Memory) -> Severity) {
    for memory in &store.snapshot.memories {
        for fault in memory.document.faults.iter().filter(|fault| fault.kind == kind) {
            let evidence = seen_in(&memory.path, fault.line, line_text(memory, fault.line));
            let message = fault.message.clone();
            let about = message.clone();
            found.add(severity(memory), &memory.path, fault.line, message, vec![evidence]).about = about;
        }
    }
}

/// A line of a memory as text that is safe to show.
fn line_text(memory: &Memory, line: usize) -> String {
    let found = Lines::new(&memory.bytes, 0).nth(line.saturating_sub(1)).unwrap_or_default();
    quoted(&String::from_utf8_lossy(memory.bytes.get(found).unwrap_or_default()))
}

fn name_missing(store: &Look<'_>, found: &mut Found) {
    for memory in &store.snapshot.memories {
        let blank = memory.document.header.name.as_deref().unwrap_or_default().trim().is_empty();
        let wiped = memory.document.faults.iter().any(|fault| fault.kind == FaultKind::FrontmatterWiped);
        (blank && !wiped).then(|| missing(memory, found, "name"));
    }
}

/// A memory without frontmatter is often meant so (a log, an archive); one whose frontmatter lacks a key is not.
fn missing(memory: &Memory, found: &mut Found, key: &str) {
    let (severity, message) = match memory.document.frontmatter {
        Some(_) => (Severity::Warning, format!("the frontmatter has no {key}")),
        None => (Severity::Info, format!("there is no frontmatter and so no {key}")),
    };
    found.add(severity, &memory.path, 1, message, Vec::new());
}

/// How many memories of the same name a finding shows.
const SHOWN: usize = 5;

fn name_duplicate(store: &Look<'_>, found: &mut Found) {
    let mut by_name: HashMap<String, Vec<&Memory>> = HashMap::new();
    for memory in &store.snapshot.memories {
        let name = memory.document.header.name.as_deref().unwrap_or_default().trim();
        if !name.is_empty() {
            by_name.entry(name.to_lowercase()).or_default().push(memory);
        }
    }
    for memories in by_name.into_values().filter(|memories| memories.len() > 1) {
        for memory in &memories {
            let message = match memories.len() - 1 {
                1 => "another memory has the same name".to_owned(),
                others => format!("{others} other memories have the same name"),
            };
            let others = memories.iter().filter(|other| other.path != memory.path).take(SHOWN);
            let shown =
                |other: &&Memory| seen_in(&other.path, line_of_key(other, "name"), quoted(&other.title()));
            let evidence = others.map(shown).collect();
            found.add(Severity::Warning, &memory.path, line_of_key(memory, "name"), message, evidence);
        }
    }
}

fn link_unresolved(store: &Look<'_>, found: &mut Found) {
    for memory in &store.snapshot.memories {
        for link in store.facts.links.out(&memory.path).iter().filter(|link| is_broken(store, link)) {
            let message = format!("it links to {}, which is not in this store", quoted(&link.written));
            let evidence = seen_in(&memory.path, link.line, quoted(&link.written));
            let about = visible(&link.written, false).into_owned();
            found.add(Severity::Info, &memory.path, link.line, message, vec![evidence]).about = about;
        }
    }
}

/// What looks like a name leads nowhere. A file that could not be read is there all the same.
fn is_broken(store: &Look<'_>, link: &Outgoing) -> bool {
    let name_like = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ' ');
    let written = link.written.trim_end_matches(".md");
    link.to == Destination::Unresolved
        && link.written.chars().all(name_like)
        && !store.snapshot.unreadable.iter().any(|file| file.path.stem() == written)
}

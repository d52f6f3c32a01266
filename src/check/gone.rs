//! Paths, symbols, flags and settings that the project no longer has.
//!
//! "Not found" is no evidence: a finding names the commit that took the thing out. What never was there is only
//! told of paths, as information. What the text itself excuses is never held against it ([`mentions`]).
//!
//! [`mentions`]: crate::memory::mentions

pub(super) mod tree;
mod vanished;

#[cfg(test)]
pub(super) mod tests;

use super::project::{Project, Reach, Vanished, Wanted};
use super::{Check, CheckId, Depth, Evidence, Fix, Found, Look, Severity, quoted, seen_in};
use crate::memory::mentions::{Excuse, Kind, Mention, Mentions};
use crate::memory::snapshot::{Memory, Snapshot};
use crate::memory::text::visible;
use std::borrow::Cow;
use std::collections::HashSet;
use tree::{Missing, Tree};
use vanished::Role;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: CheckId("path-gone"),
        means: "The memory names a file or directory that a commit of the project removed.",
        depth: Depth::Deep,
        look: |look, found| paths(look, found, |missing| matches!(missing, Missing::Gone { .. })),
    },
    Check {
        id: CheckId("path-moved"),
        means: "The memory names a file or directory that a commit of the project moved to another place.",
        depth: Depth::Deep,
        look: |look, found| paths(look, found, |missing| matches!(missing, Missing::Moved { .. })),
    },
    Check {
        id: CheckId("path-unknown"),
        means: "The memory names what looks like a path of the project, but neither the project nor its history has it.",
        depth: Depth::Deep,
        look: |look, found| paths(look, found, |missing| matches!(missing, Missing::Unknown)),
    },
    Check {
        id: CheckId("symbol-gone"),
        means: "The memory names a function, type or constant as code that the project defined and no longer has.",
        depth: Depth::Deep,
        look: |look, found| names(look, found, Lost::Symbol),
    },
    Check {
        id: CheckId("flag-gone"),
        means: "The memory names a command-line flag that the project had and no longer has.",
        depth: Depth::Deep,
        look: |look, found| names(look, found, Lost::Flag),
    },
    Check {
        id: CheckId("setting-gone"),
        means: "The memory names an environment variable or a configuration key that the project read and no longer reads.",
        depth: Depth::Deep,
        look: |look, found| names(look, found, Lost::Setting),
    },
];

/// What memories want to know of a project: the names that are to be looked for in its tree and its history.
#[must_use]
pub fn wanted(mentions: &[Mentions]) -> Wanted {
    let mut wanted = Wanted::default();
    for mention in mentions.iter().flat_map(|one| &one.all).filter(|mention| is_held(mention)) {
        let text = &*mention.text;
        match mention.kind {
            Kind::Path => {}
            Kind::Symbol => wanted.symbols.extend(parts(text).map(str::to_owned)),
            Kind::Constant => {
                wanted.symbols.insert(text.to_owned());
                wanted.settings.insert(text.to_owned());
            }
            Kind::Variable | Kind::Key => wanted.settings.extend(parts(text).map(str::to_owned)),
            Kind::Flag => {
                wanted.flags.insert(text.to_owned());
            }
        }
    }
    wanted
}

/// Whether a line that a commit took out shows that the project itself had a literal: of several lines it tells most.
#[must_use]
pub fn tells(line: &str, path: &str, literal: &str) -> bool {
    vanished::tells(line, path, literal)
}

/// What was lost, by the evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lost {
    Symbol,
    Flag,
    Setting,
}

/// The mentions of every memory, worked out here when the caller did not.
fn mentions_of<'a>(look: &Look<'a>) -> Cow<'a, [Mentions]> {
    match look.mentions {
        Some(known) if known.len() == look.snapshot.memories.len() => Cow::Borrowed(known),
        _ => look.snapshot.memories.iter().map(|memory| Mentions::of(memory)).collect(),
    }
}

fn paths(look: &Look<'_>, found: &mut Found, is_asked: fn(&Missing<'_>) -> bool) {
    let Some((project, tree)) = look.project.and_then(|project| Some((project, Tree::of(project)?))) else {
        return;
    };
    let own = own_names(look.snapshot);
    let mentions = mentions_of(look);
    for (memory, mentions) in look.snapshot.memories.iter().zip(mentions.iter()) {
        let mut things: Vec<&Mention> = Vec::new();
        for mention in mentions.all.iter().filter(|m| m.kind == Kind::Path && is_asked_of(m, project)) {
            let last = mention.text.rsplit('/').next().unwrap_or_default().to_lowercase();
            if !own.contains(&last)
                && tree.missing(&mention.text, mention.is_sure).is_some_and(|missing| is_asked(&missing))
            {
                things.push(mention);
            }
        }
        while let Some(first) = things.first().copied() {
            let (same, rest): (Vec<&Mention>, Vec<&Mention>) =
                things.iter().partition(|other| other.text == first.text);
            things = rest;
            if let Some(missing) = tree.missing(&first.text, first.is_sure) {
                add_path(found, project, memory, &same, &missing);
            }
        }
    }
}

/// The file names of the memories, in lower case: what names one of them is no path of the project.
pub(super) fn own_names(snapshot: &Snapshot) -> HashSet<String> {
    let memories = snapshot.memories.iter();
    memories
        .filter_map(|memory| Some(memory.path.as_path().file_name()?.to_string_lossy().to_lowercase()))
        .chain(Some("memory.md".to_owned()))
        .collect()
}

fn add_path(found: &mut Found, project: &Project, memory: &Memory, same: &[&Mention], missing: &Missing<'_>) {
    let Some(first) = same.first() else { return };
    let (severity, message, mut evidence, fixes) = match missing {
        Missing::Gone { was, by } => {
            let proof = commit(by, Some(was), quoted(&by.subject));
            (
                Severity::Warning,
                format!("path gone: removed in {}", by.words()),
                vec![proof],
                vec![Fix::Edit, Fix::Delete],
            )
        }
        Missing::Moved { was, to, by, is_only } => {
            let proof = commit(
                by,
                Some(to),
                format!("{} → {}: {}", visible(was, false), visible(to, false), quoted(&by.subject)),
            );
            let message = format!("path moved: to {} in {}", visible(to, false), by.words());
            let mut fixes: Vec<Fix> = same
                .iter()
                .map(|mention| Fix::Replace {
                    range: mention.range.clone(),
                    text: rewritten(mention, memory, was, to),
                    is_safe: *is_only,
                })
                .collect();
            fixes.push(Fix::Edit);
            (Severity::Warning, message, vec![proof], fixes)
        }
        Missing::Unknown => {
            let back = match project.history.reach {
                Reach::Until(since) => format!(" (searched back to {})", since.format("%Y-%m-%d")),
                _ => String::new(),
            };
            let message = format!("path unknown: neither the project nor its history has it{back}");
            (Severity::Info, message, Vec::new(), vec![Fix::Edit])
        }
    };
    evidence.extend(same.iter().map(|mention| in_memory(memory, mention)));
    let finding = found.add(severity, &memory.path, first.line, message, evidence);
    finding.about = first.text.to_string();
    finding.range = Some(first.range.clone());
    finding.fixes = fixes;
}

/// The new place, written as the memory writes the old one: its name alone, from the project's name, or with `\`.
fn rewritten(mention: &Mention, memory: &Memory, was: &str, to: &str) -> String {
    let written = memory.bytes.get(mention.range.clone()).unwrap_or_default();
    let old = mention.text.trim_end_matches('/');
    let mut text = if !old.contains('/') && was.contains('/') {
        to.rsplit('/').next().unwrap_or(to).to_owned()
    } else {
        // What stands before the project's own path stays.
        let lead = old
            .to_lowercase()
            .strip_suffix(&was.to_lowercase())
            .and_then(|lead| old.get(..lead.len()))
            .unwrap_or_default();
        format!("{lead}{}", to.trim_end_matches('/'))
    };
    if mention.text.ends_with('/') {
        text.push('/');
    }
    if written.contains(&b'\\') && !written.contains(&b'/') { text.replace('/', "\\") } else { text }
}

fn names(look: &Look<'_>, found: &mut Found, asked: Lost) {
    let Some(project) = look.project.filter(|project| project.history.reach != Reach::None) else { return };
    let mentions = mentions_of(look);
    for (memory, mentions) in look.snapshot.memories.iter().zip(mentions.iter()) {
        let mut done: Vec<&str> = Vec::new();
        for mention in mentions.all.iter().filter(|m| m.kind != Kind::Path && is_held(m)) {
            if done.contains(&&*mention.text) {
                continue;
            }
            let Some((lost, name, how)) = lost(project, mention).filter(|(lost, ..)| *lost == asked) else {
                continue;
            };
            done.push(&mention.text);
            let what = match lost {
                Lost::Symbol => "symbol gone",
                Lost::Flag => "flag gone",
                Lost::Setting => "setting gone",
            };
            let whole = if *name == *mention.text {
                String::new()
            } else {
                format!(" (`{}`)", visible(&name, false))
            };
            let message = format!("{what}{whole}: last seen before {}", how.by.words());
            let mut evidence = vec![
                commit(&how.by, Some(&how.path), quoted(&how.text)),
                commit(&how.by, None, quoted(&how.by.subject)),
            ];
            let same = mentions.all.iter().filter(|other| other.text == mention.text && is_held(other));
            evidence.extend(same.map(|other| in_memory(memory, other)));
            let finding = found.add(Severity::Warning, &memory.path, mention.line, message, evidence);
            finding.about = mention.text.to_string();
            finding.range = Some(mention.range.clone());
            finding.fixes = vec![Fix::Edit, Fix::Delete];
        }
    }
}

/// What was lost, by which name, and how, when the project had what a memory names and has it no more.
fn lost<'a>(project: &'a Project, mention: &Mention) -> Option<(Lost, String, &'a Vanished)> {
    let text = &*mention.text;
    if mention.kind == Kind::Flag {
        if is_there(project, text) {
            return None;
        }
        let how = last_seen(project, text).filter(|how| vanished::knows_flag(&how.text, text));
        return how.map(|how| (Lost::Flag, text.to_owned(), how));
    }
    if is_there(project, text) {
        return None;
    }
    // `Ledger::open` is gone when either part is, and the whole was never one word.
    let parts: Vec<&str> = parts(text).collect();
    let is_key = matches!(mention.kind, Kind::Key | Kind::Variable);
    if let Some(part) = vanished::last_part(text).filter(|_| is_key) {
        // A section may well be there still, and the same key in another one; the whole is looked for in both forms.
        let how = last_seen(project, text)?;
        let sets = vanished::role_of_key(&how.text, &how.path, text, part) == Role::Sets;
        return sets.then(|| (Lost::Setting, text.to_owned(), how));
    }
    parts.into_iter().find_map(|name| {
        if is_there(project, name) {
            return None;
        }
        let how = last_seen(project, name)?;
        let lost = match vanished::role(&how.text, &how.path, name) {
            Role::Sets => Lost::Setting,
            Role::Defines => Lost::Symbol,
            Role::Uses if mention.kind == Kind::Variable => Lost::Setting,
            Role::Uses => return None,
        };
        Some((lost, name.to_owned(), how))
    })
}

/// Whether a name stands in the project's code or configuration.
pub(super) fn is_there(project: &Project, name: &str) -> bool {
    project.places.get(name).is_some_and(|places| places.iter().any(|place| !place.is_prose))
}

/// The last sight of a name in code.
pub(super) fn last_seen<'a>(project: &'a Project, name: &str) -> Option<&'a Vanished> {
    project.history.last_seen.get(name).filter(|how| !is_prose(&how.path))
}

fn is_prose(path: &str) -> bool {
    let end = path.rsplit_once('.').map_or("", |(_, end)| end).to_ascii_lowercase();
    ["md", "markdown", "mdx", "txt", "rst", "adoc", "org", "log"].contains(&end.as_str())
}

/// A name and its parts (`Ledger::open`: also `Ledger` and `open`), the whole first, the most telling last.
pub(super) fn parts(text: &str) -> impl Iterator<Item = &str> {
    let pieces = text.split("::").flat_map(|piece| piece.split('.')).filter(move |piece| {
        *piece != text
            && piece.len() > 2
            && !matches!(*piece, "self" | "this" | "super" | "crate" | "Self" | "new" | "default")
    });
    std::iter::once(text).chain(pieces)
}

/// Whether nothing excuses a mention.
pub(super) fn is_held(mention: &Mention) -> bool {
    mention.excuse.is_none() || mention.is_proof && mention.excuse == Some(Excuse::Planned)
}

/// Whether a path may be held against this project: an absolute one may lie below its root, and "elsewhere" may be here.
pub(super) fn is_asked_of(mention: &Mention, project: &Project) -> bool {
    match &mention.excuse {
        None | Some(Excuse::Absolute) => true,
        Some(Excuse::Elsewhere(name)) => {
            project.root.file_name().is_some_and(|root| root.to_string_lossy().eq_ignore_ascii_case(name))
        }
        Some(_) => false,
    }
}

pub(super) fn commit(by: &super::project::Commit, path: Option<&str>, text: String) -> Evidence {
    let path = path.map(|path| visible(path, false).into_owned());
    Evidence { path, line: None, commit: Some(by.id.clone()), text }
}

fn in_memory(memory: &Memory, mention: &Mention) -> Evidence {
    seen_in(&memory.path, mention.line, quoted(&mention.text))
}

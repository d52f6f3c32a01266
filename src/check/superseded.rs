//! Memories that newer ones replace or contradict.
//!
//! That one is superseded is only said where a text says so: a key (`superseded_by`), its own words, or those of another
//! memory that links to it. `contradicts` gives candidates, and only where both speak of one thing in one way.

mod opposed;
mod words;

#[cfg(test)]
mod tests;

use super::{Check, CheckId, Depth, Evidence, Fix, Found, Look, Severity, line_of_key, quoted, seen_in};
use crate::memory::lines::Lines;
use crate::memory::links::Destination;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Memory;
use crate::memory::target::Names;
use crate::memory::text::visible;
use std::collections::BTreeMap;
use words::{ASIDE, BEHIND, KINDS, OTHERS, OWN};

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: CheckId("superseded"),
        means: "A key, the memory's own words or those of a newer memory say that another one took its place.",
        depth: Depth::Deep,
        look: superseded,
    },
    Check {
        id: CheckId("contradicts"),
        means: "Two memories say opposite things of what seems to be one matter: a candidate for a person to look at.",
        depth: Depth::Deep,
        look: opposed::contradicts,
    },
];

/// What says that a memory is superseded.
struct Word {
    /// The memory that took its place, when one is named.
    by: Option<RelPath>,
    line: usize,
    evidence: Evidence,
}

fn superseded(store: &Look<'_>, found: &mut Found) {
    // For each memory the first word that says so.
    let mut words: BTreeMap<&RelPath, Word> = BTreeMap::new();
    let names = Names::of(store.snapshot);
    for memory in &store.snapshot.memories {
        by_key(store, &names, memory, &mut words);
        by_text(store, memory, &mut words);
    }
    for (path, word) in words {
        let by = word
            .by
            .as_ref()
            .map_or_else(String::new, |by| format!(" by {}", visible(&by.to_str_lossy(), false)));
        let finding =
            found.add(Severity::Warning, path, word.line, format!("superseded{by}"), vec![word.evidence]);
        finding.about = word.by.as_ref().map_or_else(String::new, |by| by.to_str_lossy().into_owned());
        finding.fixes = word.by.into_iter().map(Fix::Merge).chain([Fix::Delete, Fix::Edit]).collect();
    }
}

/// `superseded_by: x` here, or `supersedes: x` there.
fn by_key<'a>(
    store: &Look<'a>,
    names: &Names<'_>,
    memory: &'a Memory,
    words: &mut BTreeMap<&'a RelPath, Word>,
) {
    for (key, value) in &memory.document.header.others {
        let key = key.rsplit('.').next().unwrap_or(key);
        let plain: String =
            key.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
        let is_own = ["supersededby", "replacedby", "obsoletedby", "deprecatedby", "succeededby"]
            .contains(&plain.as_str());
        let is_other = ["supersedes", "replaces", "obsoletes"].contains(&plain.as_str());
        if !is_own && !is_other
            || ["", "null", "~", "none", "false", "no", "[]"]
                .contains(&value.trim().to_ascii_lowercase().as_str())
        {
            continue;
        }
        let line = line_of_key(memory, key);
        let evidence = seen_in(&memory.path, line, quoted(&format!("{key}: {value}")));
        let named = value.split([',', '[', ']', '"', '\'']).map(str::trim).filter(|name| !name.is_empty());
        let found = named
            .filter_map(|name| names.by_wikilink(name, &memory.path))
            .filter_map(|at| store.snapshot.memories.get(at));
        let others: Vec<_> = found.filter(|other| other.path != memory.path).collect();
        if is_own {
            let by = others.first().map(|other| other.path.clone());
            words.entry(&memory.path).or_insert(Word { by, line, evidence });
        } else {
            for other in others {
                let word = Word { by: Some(memory.path.clone()), line: 1, evidence: evidence.clone() };
                words.entry(&other.path).or_insert(word);
            }
        }
    }
}

/// `supersedes [[x]]` there, `[[x]] is obsolete` there, `superseded by [[x]]` here.
fn by_text<'a>(store: &Look<'a>, memory: &'a Memory, words: &mut BTreeMap<&'a RelPath, Word>) {
    for link in store.facts.links.out(&memory.path) {
        let Destination::Memory(to) = &link.to else { continue };
        let Some(text) =
            Lines::new(&memory.bytes, 0).nth(link.line - 1).and_then(|range| memory.bytes.get(range))
        else {
            continue;
        };
        let text = String::from_utf8_lossy(text);
        let evidence = || seen_in(&memory.path, link.line, quoted(&text));
        let Some(role) = role(&text, &link.written).filter(|_| *to != memory.path) else { continue };
        let Some(other) = store.snapshot.memories.iter().find(|other| other.path == *to) else { continue };
        match role {
            Role::Old => {
                let word = Word { by: Some(memory.path.clone()), line: 1, evidence: evidence() };
                words.entry(&other.path).or_insert(word);
            }
            Role::New => {
                let word = Word { by: Some(other.path.clone()), line: link.line, evidence: evidence() };
                words.entry(&memory.path).or_insert(word);
            }
        }
    }
}

/// What a linked memory is to the linking one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The linking one takes its place.
    Old,
    /// It takes the place of the linking one.
    New,
}

/// What a line says of the memory that it links to. The words must stand beside the link.
fn role(line: &str, written: &str) -> Option<Role> {
    let low = line.to_ascii_lowercase();
    let at = low.find(&written.to_ascii_lowercase())?;
    let head = low.get(..at)?;
    // What introduces the link: a bracket, or its text (`[x](…`).
    let head = head.trim_end_matches(['(', '`']);
    let head = match head.rfind('[') {
        Some(open) if head.ends_with(']') || head.ends_with('[') => {
            head.get(..open).unwrap_or_default().trim_end_matches('[')
        }
        _ => head,
    };
    let sentence = head
        .rsplit(['.', ';', '。', '；', '!', '|'])
        .next()
        .unwrap_or_default()
        .trim_end_matches([' ', '*', '_', ':', '(', '"', '`']);
    let tail = low
        .get(at + written.len()..)?
        .trim_start_matches(|c: char| "])>|".contains(c) || c == ' ' || c == '*' || c == '_');
    // `What [[x]] says is out of date`.
    let tail =
        ["says now ", "says ", "said ", "describes ", "tells ", "states ", "dice ", "dit ", "sagt ", "diz "]
            .iter()
            .find_map(|verb| tail.strip_prefix(verb))
            .unwrap_or(tail);
    let behind = |list: &[&str]| list.iter().any(|word| tail.starts_with(word));
    // `, which is obsolete`, `(outdated)`.
    let aside = tail.trim_start_matches([',', '(', '（', '，', ' ', '—', '–', '-']);
    let aside = aside.strip_prefix("which ").or_else(|| aside.strip_prefix("that ")).unwrap_or(aside);
    let is_aside = aside.len() < tail.len()
        && (BEHIND.iter().any(|word| aside.starts_with(word))
            || ASIDE.iter().any(|word| aside.starts_with(word)));
    // `replaces the earlier note [[x]]`: what kind of thing it is says nothing.
    let bare = without_kind(sentence);
    let before = |list: &[&str]| {
        list.iter()
            .any(|word| [sentence, bare].iter().any(|head| head.ends_with(word) && !is_denied(head, word)))
    };
    if before(OWN) {
        return Some(Role::New);
    }
    (before(OTHERS) || behind(BEHIND) || is_aside).then_some(Role::Old)
}

/// What stands before a link, without an article and words for what is linked.
fn without_kind(sentence: &str) -> &str {
    let mut rest = sentence;
    while let Some((head, last)) = rest.rsplit_once(' ') {
        if !KINDS.contains(&last) {
            break;
        }
        rest = head.trim_end();
    }
    rest
}

fn is_denied(sentence: &str, word: &str) -> bool {
    let head = sentence.get(..sentence.len() - word.len()).unwrap_or_default();
    let last = head.split_whitespace().next_back().unwrap_or_default();
    ["not", "never", "no", "doesn't", "don't", "doesn’t", "ne", "nicht", "não", "partly", "partially"]
        .contains(&last)
}

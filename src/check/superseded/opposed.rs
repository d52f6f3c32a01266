//! Candidates that contradict each other: two memories whose sentences are the same but for a "not" or one number, or
//! that say opposite things of one named thing. Where a sentence sets a condition, nothing is concluded.

use super::super::{Evidence, Fix, Found, Look, Severity, quoted, seen_in};
use crate::memory::age;
use crate::memory::lines::Lines;
use crate::memory::mentions::{Kind, Mention, Mentions};
use crate::memory::snapshot::Memory;
use crate::memory::text::visible;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// One thing that a memory says.
struct Stance {
    /// About what: the same for two that may be opposed.
    about: String,
    /// What it says about it.
    says: String,
    line: usize,
    text: String,
}

pub(super) fn contradicts(store: &Look<'_>, found: &mut Found) {
    let memories = &store.snapshot.memories;
    let known = store.mentions.filter(|known| known.len() == memories.len());
    let mut all: BTreeMap<String, Vec<(usize, Stance)>> = BTreeMap::new();
    for (at, memory) in memories.iter().enumerate() {
        let mentions = known
            .and_then(|known| known.get(at))
            .map_or_else(|| Cow::Owned(Mentions::of(memory)), Cow::Borrowed);
        for stance in stances(memory, &mentions) {
            all.entry(stance.about.clone()).or_default().push((at, stance));
        }
    }
    let mut done: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (_, group) in all {
        // Two memories, each with one word: what many say in many ways is a form, not a contradiction.
        let holders: BTreeSet<usize> = group.iter().map(|(at, _)| *at).collect();
        let [(first, a), (second, b)] = group.as_slice() else { continue };
        if holders.len() != 2 || a.says == b.says || !done.insert((*first, *second)) {
            continue;
        }
        let (Some(one), Some(two)) = (memories.get(*first), memories.get(*second)) else { continue };
        // The finding stands at the older one, which the newer more likely corrects.
        let is_older = age::age(one, store.now).since <= age::age(two, store.now).since;
        let ((old, a), (new, b)) = if is_older { ((one, a), (two, b)) } else { ((two, b), (one, a)) };
        let message = format!("may contradict {}", visible(&new.path.to_str_lossy(), false));
        let evidence = vec![proof(old, a), proof(new, b)];
        let finding = found.add(Severity::Info, &old.path, a.line, message, evidence);
        finding.about = new.path.to_str_lossy().into_owned();
        finding.fixes = vec![Fix::Merge(new.path.clone()), Fix::Edit, Fix::Delete];
    }
}

fn proof(memory: &Memory, stance: &Stance) -> Evidence {
    seen_in(&memory.path, stance.line, quoted(&stance.text))
}

/// What a memory says that another may say otherwise.
fn stances(memory: &Memory, mentions: &Mentions) -> Vec<Stance> {
    let mut found = Vec::new();
    let mut is_code = false;
    for (number, range) in Lines::new(&memory.bytes, 0).enumerate() {
        if range.start < memory.document.body.start {
            continue;
        }
        let line = String::from_utf8_lossy(memory.bytes.get(range.clone()).unwrap_or_default());
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if is_code || line.trim_start().starts_with(['|', '#', '>']) {
            continue;
        }
        for sentence in line.split_inclusive(". ").map(str::trim) {
            if let Some((about, says)) = whole(sentence) {
                found.push(Stance { about, says, line: number + 1, text: sentence.to_owned() });
            }
        }
        let own = mentions.all.iter().filter(|mention| {
            mention.line == number + 1 && mention.kind != Kind::Path && mention.excuse.is_none()
        });
        for mention in own {
            if let Some((about, says)) = of_thing(memory, &range, mention) {
                found.push(Stance { about, says, line: number + 1, text: line.trim().to_owned() });
            }
        }
    }
    // What a memory says twice in two ways of its own accord is a comparison.
    let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for stance in &found {
        seen.entry(stance.about.clone()).or_default().insert(stance.says.clone());
    }
    found.retain(|stance| seen.get(&stance.about).is_some_and(|says| says.len() == 1));
    let mut kept = BTreeSet::new();
    found.retain(|stance| kept.insert(stance.about.clone()));
    found
}

/// A sentence without its "not" and its one number, and these.
fn whole(sentence: &str) -> Option<(String, String)> {
    let is_one = sentence.ends_with(['.', '。'])
        && !sentence.starts_with(['-', '*', '+', '|'])
        && sentence.len() < 300;
    let list: Vec<String> = words(sentence);
    if !is_one || list.len() < 5 || list.iter().any(|word| CONDITIONS.contains(&word.as_str())) {
        return None;
    }
    let (mut kept, mut numbers, mut nots) = (Vec::new(), Vec::new(), 0);
    for word in &list {
        if NOTS.contains(&word.as_str()) {
            nots += 1;
        } else if word.starts_with(|c: char| c.is_ascii_digit()) {
            // A date tells when, which two accounts may well differ in.
            if word.contains(['-', '/', ':']) {
                return None;
            }
            numbers.push(word.clone());
            kept.push("#".to_owned());
        } else if !matches!(word.as_str(), "always" | "do" | "does" | "must" | "should" | "please") {
            kept.push(word.clone());
        }
    }
    (numbers.len() <= 1 && nots <= 1 && kept.len() >= 4)
        .then(|| (format!("s {}", kept.join(" ")), format!("{} {nots}", numbers.join(" "))))
}

/// What a line says of a thing that it names: to use it or not, on or off, which number.
fn of_thing(memory: &Memory, line: &std::ops::Range<usize>, mention: &Mention) -> Option<(String, String)> {
    let part = |from: usize, to: usize| {
        String::from_utf8_lossy(memory.bytes.get(from..to).unwrap_or_default()).into_owned()
    };
    let (head, tail) = (part(line.start, mention.range.start), part(mention.range.end, line.end));
    if words(&format!("{head} {tail}")).iter().any(|word| CONDITIONS.contains(&word.as_str())) {
        return None;
    }
    let head = head.rsplit(['.', ';', ',']).next().unwrap_or_default().to_owned();
    let before = words(&head);
    let behind = words(tail.split(['.', ';']).next().unwrap_or_default());
    let plain: Vec<&str> = before.iter().map(String::as_str).collect();
    let name = &mention.text;
    if let [.., not, verb] = plain.as_slice()
        && VERBS.contains(verb)
        && matches!(*not, "never" | "not" | "don't" | "don’t" | "always")
    {
        return Some((format!("t {verb} {name}"), if *not == "always" { "do" } else { "not" }.to_owned()));
    }
    let rest: Vec<&str> = behind
        .iter()
        .map(String::as_str)
        .skip_while(|word| {
            matches!(
                *word,
                "is" | "set" | "to" | "must" | "be" | "stays" | "defaults" | "should" | "always" | "has"
            )
        })
        .collect();
    let led = behind.len() > rest.len()
        && matches!(
            behind.first().map(String::as_str),
            Some("is" | "must" | "stays" | "defaults" | "should")
        );
    let value = rest.first().filter(|_| led && rest.len() <= 3)?;
    let says = match *value {
        "on" | "enabled" | "true" => "on",
        "off" | "disabled" | "false" => "off",
        number if number.bytes().all(|b| b.is_ascii_digit()) => number,
        _ => return None,
    };
    Some((format!("v {name}"), says.to_owned()))
}

const VERBS: &[&str] = &["use", "call", "run", "pass", "set", "enable", "touch", "edit", "import"];
const NOTS: &[&str] = &[
    "not", "never", "don't", "don’t", "no", "doesn't", "cannot", "can't", "isn't", "aren't", "nie", "nicht",
    "nunca", "jamais", "não",
];
const CONDITIONS: &[&str] = &[
    "if", "unless", "when", "only", "except", "but", "until", "while", "during", "after", "before", "was",
    "were", "had", "formerly", "instead", "where", "outside", "old",
];

/// The words of a sentence in lower case.
fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '-' | '_' | '.' | '/' | ':')))
        .map(|word| word.trim_matches(['.', ':', '-', '\'', '/']).to_lowercase())
        .filter(|word| !word.is_empty())
        .collect()
}

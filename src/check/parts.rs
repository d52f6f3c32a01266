//! The parts of a memory that help an agent to use it: Why, How to apply, a description that tells.

use super::{Check, CheckId, Depth, Fix, Found, Look, Severity, line_of_key, quoted, seen_in};
use crate::memory::body::{self, PartKind};
use crate::memory::document::MemoryType;
use crate::memory::extended::{self, Key};
use crate::memory::lines::line_of;
use crate::memory::pattern::Pattern;
use crate::memory::snapshot::Memory;
use crate::memory::text::lossy;
use std::sync::LazyLock;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: CheckId("why-missing"),
        means: "A feedback memory (or, less often a fault, a project memory) does not say why, so an agent can't tell \
                where it stops to hold.",
        depth: Depth::Quick,
        look: |store, found| {
            for memory in &store.snapshot.memories {
                let severity = match memory.document.header.kind {
                    MemoryType::Feedback => Severity::Warning,
                    MemoryType::Project => Severity::Info,
                    _ => continue,
                };
                part_missing(memory, PartKind::Why, severity, found);
            }
        },
    },
    Check {
        id: CheckId("how-missing"),
        means: "A feedback memory does not say how to apply it.",
        depth: Depth::Quick,
        look: |store, found| {
            for memory in &store.snapshot.memories {
                if memory.document.header.kind == MemoryType::Feedback {
                    part_missing(memory, PartKind::How, Severity::Info, found);
                }
            }
        },
    },
    Check {
        id: CheckId("description-vague"),
        means: "The description says no more than the name, or nothing at all, so an agent can't tell whether the memory \
                matters.",
        depth: Depth::Quick,
        look: description_vague,
    },
];

/// Reports a part that is not there, or has no text behind its label.
fn part_missing(memory: &Memory, kind: PartKind, severity: Severity, found: &mut Found) {
    let bytes = memory.bytes.get(memory.document.body.clone()).unwrap_or_default();
    let parts = body::parts(bytes);
    let label = if kind == PartKind::Why { "Why" } else { "How to apply" };
    let mut of_kind = parts.iter().filter(|part| part.kind == kind).peekable();
    if let Some(first) = of_kind.peek() {
        let at = memory.document.body.start + first.label.start;
        let is_blank = |range: &std::ops::Range<usize>| {
            bytes.get(range.clone()).unwrap_or_default().iter().all(|byte| byte.is_ascii_whitespace())
        };
        // A heading may be followed by headings of its own.
        if of_kind.all(|part| is_blank(&part.content)) {
            let line = line_of(&memory.bytes, at);
            let message = format!("nothing stands behind the label {label}");
            let finding = found.add(severity, &memory.path, line, message, Vec::new());
            finding.fixes.push(Fix::Edit);
        }
        return;
    }
    // It may stand in the frontmatter.
    let key = if kind == PartKind::Why { Key::Reason } else { Key::Application };
    if extended::field(&memory.document.header, key).is_some() {
        return;
    }
    // A reason given in a sentence is one too; a memory of one line is read whole anyway.
    if kind == PartKind::Why && REASON.is_match(&lossy(bytes)) {
        return;
    }
    let line = line_of(&memory.bytes, memory.document.body.start);
    let finding = found.add(severity, &memory.path, line, format!("there is no part {label}"), Vec::new());
    finding.fixes.push(Fix::Edit);
}

/// Words that give a reason.
static REASON: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)\b(?:because|the reason|so that|otherwise|after (?:an?|the) (?:outage|incident)|weil|denn|damit|sonst|grund|parce que|puisque|car|afin que|sinon|porque|ya que|puesto que|para que|de lo contrario|pois|já que|uma vez que|senão)\b|ため|ので|から(?:だ|です|。)|理由|때문|이유|므로|因为|因為|由于|由於|以免|否则|原因",
    )
});

fn description_vague(store: &Look<'_>, found: &mut Found) {
    for memory in &store.snapshot.memories {
        let header = &memory.document.header;
        let Some(description) = header.description.as_deref().filter(|text| !text.trim().is_empty()) else {
            continue;
        };
        let said = words(description);
        let named = header.name.as_deref().map(words);
        let message = if said.is_empty() || said.iter().all(|word| GENERIC.contains(&word.as_str())) {
            "the description says nothing about the memory"
        } else if !is_statement(&said)
            && (named.is_some_and(|named| named == said) || words(&memory.path.stem()) == said)
        {
            "the description says only what the name says"
        } else {
            continue;
        };
        let line = line_of_key(memory, "description");
        let evidence = vec![seen_in(&memory.path, line, quoted(description))];
        let finding = found.add(Severity::Warning, &memory.path, line, message, evidence);
        finding.about = description.split_whitespace().collect::<Vec<_>>().join(" ");
        finding.fixes.push(Fix::Edit);
    }
}

/// Whether words say something by themselves (`prefers tea in the afternoon`), so that a description may repeat a name
/// that does. Scripts without blanks are counted by letters.
fn is_statement(words: &[String]) -> bool {
    let letters = words.iter().flat_map(|word| word.chars()).filter(|c| !c.is_ascii()).count();
    words.len() >= 4 || letters >= 8
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// Words that could stand over any memory.
const GENERIC: &[&str] = &[
    "a",
    "about",
    "an",
    "and",
    "context",
    "data",
    "description",
    "detail",
    "details",
    "do",
    "fact",
    "facts",
    "feedback",
    "file",
    "for",
    "general",
    "generic",
    "good",
    "guidance",
    "guideline",
    "guidelines",
    "important",
    "info",
    "information",
    "it",
    "item",
    "items",
    "key",
    "know",
    "knowledge",
    "learning",
    "learnings",
    "many",
    "memory",
    "memories",
    "misc",
    "miscellaneous",
    "more",
    "my",
    "need",
    "new",
    "note",
    "notes",
    "of",
    "on",
    "other",
    "our",
    "preference",
    "preferences",
    "project",
    "reference",
    "remember",
    "reminder",
    "reminders",
    "rule",
    "rules",
    "s",
    "save",
    "saved",
    "session",
    "some",
    "something",
    "stuff",
    "the",
    "thing",
    "things",
    "this",
    "tips",
    "to",
    "todo",
    "update",
    "updates",
    "useful",
    "user",
    "various",
    "work",
    "tbd",
    "allgemein",
    "allgemeines",
    "hinweis",
    "hinweise",
    "infos",
    "notiz",
    "notizen",
    "sonstiges",
    "verschiedenes",
    "wichtig",
    "wichtige",
    "informationen",
    "divers",
    "diverses",
    "informations",
    "importantes",
    "importante",
    "notas",
    "nota",
    "información",
    "varios",
    "cosas",
    "informação",
    "informações",
    "coisas",
    "メモ",
    "重要",
    "情報",
    "その他",
    "備考",
    "메모",
    "중요",
    "정보",
    "기타",
    "노트",
    "笔记",
    "筆記",
    "重要信息",
    "信息",
    "备注",
    "其他",
    "杂项",
];

#[cfg(test)]
mod tests;

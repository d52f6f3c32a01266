//! Descriptions that tell nothing: those that could stand over any memory, and those that no query about what the memory
//! says would find (measured with the ranker of `prompt::recall`).

mod finding;
mod suggest;

#[cfg(test)]
mod tests;

pub use suggest::suggest;

use super::{Check, CheckId, Depth, Fix, Found, Look, Severity, line_of_key, quoted, seen_in};
use crate::memory::edit;
use crate::memory::snapshot::Memory;
use finding::Descriptions;

pub(super) const CHECKS: &[Check] = &[Check {
    id: CheckId("description-vague"),
    means: "The description says no more than the name, or nothing at all, or no query about what the memory says would \
            find it: an agent can't tell whether the memory matters. The fix proposes one in the memory's own words.",
    depth: Depth::Deep,
    look,
}];

fn look(store: &Look<'_>, found: &mut Found) {
    let descriptions = Descriptions::of(store.snapshot);
    for (at, memory) in store.snapshot.memories.iter().enumerate() {
        let header = &memory.document.header;
        let Some(description) = header.description.as_deref().filter(|text| !text.trim().is_empty()) else {
            continue;
        };
        let said = words(description);
        let named = header.name.as_deref().map(words);
        let is_generic = said.iter().all(|word| GENERIC.split(' ').any(|generic| generic == word));
        let nothing = if is_generic {
            Some("the description says nothing about the memory")
        } else if !is_statement(&said)
            && (named.is_some_and(|named| named == said) || words(&memory.path.stem()) == said)
        {
            Some("the description says only what the name says")
        } else {
            None
        };
        let (severity, message, miss) = if let Some(message) = nothing {
            (Severity::Warning, message, descriptions.instead(at, memory))
        } else {
            let Some((severity, miss)) = descriptions.miss(at, memory, description) else { continue };
            (severity, "no query in the memory's own words would find it by its description", miss)
        };
        let line = line_of_key(memory, "description");
        let mut evidence = vec![seen_in(&memory.path, line, quoted(description))];
        if !miss.lacks.is_empty() {
            let lacks = format!("words of the memory that the description lacks: {}", miss.lacks.join(", "));
            evidence.push(seen_in(&memory.path, None, quoted_whole(&lacks)));
        }
        for other in miss.instead.iter().filter_map(|other| store.snapshot.memories.get(*other)) {
            let about = other.document.header.description.as_deref().unwrap_or_default();
            let text = format!("found in its place: {}", quoted(about));
            evidence.push(seen_in(&other.path, line_of_key(other, "description"), text));
        }
        let finding = found.add(severity, &memory.path, line, message, evidence);
        finding.about = description.split_whitespace().collect::<Vec<_>>().join(" ");
        finding.fixes = replaced(memory).into_iter().chain([Fix::Edit]).collect();
    }
}

/// A better description in place of the one that stands there: a proposal, since only a person knows what matters.
fn replaced(memory: &Memory) -> Option<Fix> {
    let text = suggest(&memory.body())?;
    let (before, place) = (&*memory.bytes, edit::place_of(&memory.bytes, "description"));
    let after = edit::set_field(before, place, "description", &text).ok()?;
    let head = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
    let most = before.len().min(after.len()) - head;
    let tail = before.iter().rev().zip(after.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    // No cut inside of a character.
    let head = (0..=head).rev().find(|at| is_boundary(before, *at) && is_boundary(&after, *at))?;
    let tail = (0..=tail)
        .rev()
        .find(|at| is_boundary(before, before.len() - at) && is_boundary(&after, after.len() - at))?;
    let text = std::str::from_utf8(after.get(head..after.len() - tail)?).ok()?.to_owned();
    Some(Fix::Replace { range: head..before.len() - tail, text, is_safe: false })
}

fn is_boundary(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_none_or(|byte| byte & 0b1100_0000 != 0b1000_0000)
}

fn quoted_whole(text: &str) -> String {
    crate::memory::text::one_line(&super::secrets::mask(text))
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
const GENERIC: &str = "a about an and context data description detail details do fact facts feedback file for general generic \
     good guidance guideline guidelines important info information it item items key know knowledge learning \
     learnings many memory memories misc miscellaneous more my need new note notes of on other our preference \
     preferences project reference remember reminder reminders rule rules s save saved session some something \
     stuff the thing things this tips to todo update updates useful user various work tbd allgemein \
     allgemeines hinweis hinweise infos notiz notizen sonstiges verschiedenes wichtig wichtige informationen \
     divers diverses informations importantes importante notas nota información varios cosas informação \
     informações coisas メモ 重要 情報 その他 備考 메모 중요 정보 기타 노트 笔记 筆記 重要信息 信息 备注 其他 杂项";

//! The selector's prompt: our own words (`assets/prompts/recall.md`) around the query and the headers.

use super::answer::listed;
use super::{Candidate, MOST, Options};
use crate::memory::text::{one_line, visible};
use std::borrow::Cow;
use std::fmt::Write as _;

const TEMPLATE: &str = include_str!("../../../assets/prompts/recall.md");
/// The most that is said of the memories, in bytes.
const MAX_LIST: usize = 256 << 10;
/// The longest description that is given, in characters.
const MAX_DESCRIPTION: usize = 300;
/// The most of a query that is given, in characters.
const MAX_QUERY: usize = 8000;

/// The whole prompt. `mask` takes secrets out of a text. What the options leave out is not listed.
#[must_use]
pub fn prompt(
    query: &str,
    candidates: &[Candidate],
    options: &Options,
    mask: &dyn Fn(&str) -> String,
) -> String {
    // Cut first, a secret at the end would be half a one, which no mask knows.
    let query: String = mask(query).chars().take(MAX_QUERY).collect();
    let query = unmarked(&visible(&query, true)).into_owned();
    let memories = list(candidates, options, mask);
    let tools: Vec<String> = options.tools.iter().map(|tool| one_line(&mask(tool))).collect();
    let tools = if tools.is_empty() { "(none)".into() } else { unmarked(&tools.join(", ")).into_owned() };
    let most = options.most.min(MOST).to_string();
    let mut text = String::with_capacity(TEMPLATE.len() + memories.len() + query.len());
    // In one pass: what is filled in is never looked at for more to fill in.
    for (at, piece) in TEMPLATE.split("{{").enumerate() {
        let Some((slot, rest)) = piece.split_once("}}").filter(|_| at > 0) else {
            text.push_str(piece);
            continue;
        };
        text.push_str(match slot {
            "query" => query.trim(),
            "memories" => memories.trim_end(),
            "tools" => &tools,
            "most" => &most,
            _ => "",
        });
        text.push_str(rest);
    }
    text
}

/// The candidates as a selector sees them, a line each: file, type, age, description.
#[must_use]
pub fn list(candidates: &[Candidate], options: &Options, mask: &dyn Fn(&str) -> String) -> String {
    let offered: Vec<&Candidate> =
        candidates.iter().filter(|candidate| options.leaves_out(candidate).is_none()).collect();
    if offered.is_empty() {
        return "(none)".into();
    }
    let mut text = String::new();
    for (at, candidate) in offered.iter().enumerate() {
        let line = line(candidate, mask);
        if text.len() + line.len() > MAX_LIST {
            let _ = writeln!(text, "… and {} more, which are not offered", offered.len() - at);
            break;
        }
        let _ = writeln!(text, "{line}");
    }
    text
}

/// One candidate as a selector sees it.
fn line(candidate: &Candidate, mask: &dyn Fn(&str) -> String) -> String {
    let about = candidate.description.as_deref().or(candidate.name.as_deref());
    let about = about.map_or_else(|| "(no description)".into(), |text| one_line(&mask(text)));
    let (about, rest) = match about.char_indices().nth(MAX_DESCRIPTION) {
        Some((end, _)) => (about.get(..end).unwrap_or_default(), "…"),
        None => (about.as_str(), ""),
    };
    let age = match &candidate.age {
        Some(age) if age.days == 1 => "1 day".into(),
        Some(age) => format!("{} days", age.days),
        None => "age unknown".into(),
    };
    let kind = one_line(&mask(candidate.kind.as_str()));
    format!("- {} ({}, {age}): {}{rest}", listed(candidate), unmarked(&kind), unmarked(about))
}

/// What would end the part of the prompt that a text stands in can't stand in it.
pub(super) fn unmarked(text: &str) -> Cow<'_, str> {
    if text.contains("</") { Cow::Owned(text.replace("</", "<\\/")) } else { Cow::Borrowed(text) }
}

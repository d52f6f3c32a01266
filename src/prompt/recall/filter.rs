//! What is left out whatever the query: files that the conversation has, reference material on tools in use.

use super::{Candidate, Fate, Options};
use crate::memory::document::MemoryType;
use regex::Regex;
use std::sync::LazyLock;

/// Why a candidate can't be picked.
pub(super) fn leaves_out(options: &Options, candidate: &Candidate) -> Option<Fate> {
    if let Some(why) = &candidate.unreadable {
        return Some(Fate::Unreadable(why.clone()));
    }
    if options.shown.contains(&candidate.path) {
        return Some(Fate::Shown);
    }
    if candidate.kind != MemoryType::Reference {
        return None;
    }
    let tool = options.tools.iter().find(|tool| names(candidate, tool))?;
    (!warns(candidate)).then(|| Fate::ToolInUse(tool.clone()))
}

/// The texts of a header, the file's name among them.
fn texts(candidate: &Candidate) -> impl Iterator<Item = String> {
    let stem = candidate.path.stem().into_owned();
    let fields = [candidate.name.as_deref(), candidate.description.as_deref()];
    fields.map(|field| field.unwrap_or_default().to_owned()).into_iter().chain([stem])
}

/// Whether a header names a tool as words of their own: `git` is not in "digital". `mcp__tracker__list` is known by its
/// server's name too, since that is what notes on it call it.
fn names(candidate: &Candidate, tool: &str) -> bool {
    let whole = words(tool);
    let server = tool.strip_prefix("mcp__").and_then(|rest| rest.split("__").next()).map(words);
    let wanted: Vec<Vec<String>> =
        [Some(whole), server].into_iter().flatten().filter(|words| !words.is_empty()).collect();
    texts(candidate).any(|text| {
        let text = words(&text);
        wanted.iter().any(|wanted| text.windows(wanted.len()).any(|window| window == wanted))
    })
}

fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    parts.map(str::to_lowercase).collect()
}

/// Whether a header says that something goes wrong: warnings, known problems and their ways round matter most while a
/// tool is in use.
fn warns(candidate: &Candidate) -> bool {
    static WARNS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?ix)\b(?: warn\w* | caution | careful\w* | beware | gotchas? | pitfalls? | caveats? | traps? | danger\w* | risk\w* | known\ (?:issue|problem|bug)s? | issues?
            | problems? | bugs? | buggy | quirks? | break(?:s|ing)? | broken | broke | fail(?:s|ed|ing|ures?)? | crash\w* | hangs? | stalls? | flak\w+ | unreliable | deadlocks?
            | corrupts? | los(?:es|t) | los[st] | leaks? | wrong\w* | workarounds? | work\ around | avoid\w* | never | don['’]?t | do\ not | must\ not | cannot | can['’]t | doesn['’]t
            | won['’]t | silently | outages? | limits? | limitations? | deprecated | incompatib\w*
            | vorsicht | achtung | warnung\w* | fehler\w* | kaputt | niemals | nie | nicht | stolper\w* | attention | prudence | pi[èe]ges? | erreurs? | panne\w* | jamais | cuidado | advertencia\w*
            | fallos? | falla\w* | errore?s? | nunca | aten[çc][ãa]o | falhas? | erros? | problemas? | probl[èe]mes? )\b
            | 注意 | 警告 | 问题 | 故障 | 陷阱 | 禁止 | 不要 | 切勿 | 問題 | 不具合 | 障害 | 주의 | 경고 | 문제 | 오류 | 금지",
        )
        .ok()
    });
    texts(candidate).any(|text| {
        let text = text.replace(['-', '_'], " ");
        WARNS.as_ref().is_some_and(|pattern| pattern.is_match(&text))
    })
}

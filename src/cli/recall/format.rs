//! How a pick is told: calm for people, stable names for programs.

use super::Pick;
use crate::check::secrets;
use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::cli::list::count;
use crate::memory::document::MemoryType;
use crate::memory::text::visible;
use crate::prompt::picture::Wording;
use crate::prompt::recall::injection::Injection;
use crate::prompt::recall::{Candidate, Fate, Verdict};
use serde_json::{Value, json};

/// Prints what a selector would be sent.
pub fn prompt(cx: &mut Context<'_>, query: &str, text: &str) -> Result<Status, Failure> {
    if !cx.json(|| json!({ "query": secrets::mask(query), "prompt": text }))? {
        write!(cx.out.raw(), "{}", visible(text, true))?;
    }
    Ok(Status::Fine)
}

/// Prints a pick: what would be injected when that is given, else what was picked; with `all` every candidate.
pub fn pick(
    cx: &mut Context<'_>,
    pick: &Pick,
    candidates: &[Candidate],
    injection: Option<&Injection>,
    all: bool,
) -> Result<(), Failure> {
    if cx.json(|| object(pick, candidates, injection))? {
        return Ok(());
    }
    refused(pick);
    match injection {
        Some(injection) => injected(cx, injection),
        None if all => everything(cx, pick, candidates),
        None => picked(cx, pick, candidates),
    }
}

/// What of the model's answer was refused, line by line.
fn refused(pick: &Pick) {
    for one in &pick.refused {
        crate::cli::say("warning", &format!("refused of the answer: {}: {}", one.file, one.why));
    }
}

fn picked(cx: &mut Context<'_>, pick: &Pick, candidates: &[Candidate]) -> Result<(), Failure> {
    let chosen: Vec<&Verdict> = pick.recall.picked().collect();
    for verdict in &chosen {
        let Some(candidate) = candidates.get(verdict.candidate) else { continue };
        cx.out.line(&format!("{}  {}", verdict.path, about(candidate)))?;
        cx.out.line(&format!("    {}", why(verdict)))?;
    }
    if chosen.is_empty() {
        cx.out.line("no memory is picked")?;
        let nearest = pick.recall.verdicts.iter().find(|one| one.fate == Fate::TooLittle);
        if let Some(verdict) = nearest {
            cx.out.line(&format!("    the nearest: {}: {}", verdict.path, why(verdict)))?;
        }
    }
    let others = pick.recall.verdicts.len() - chosen.len();
    let left_out = pick.recall.verdicts.iter().filter(|one| {
        candidates.get(one.candidate).is_some_and(|candidate| pick.options.leaves_out(candidate).is_some())
    });
    let left_out = match left_out.count() {
        0 => String::new(),
        left_out => format!(", {left_out} of them left out beforehand"),
    };
    if others > 0 {
        cx.out.line("")?;
        let others = count(others, "memory", "memories");
        cx.out.line(&format!("not picked: {others}{left_out}; --all says why"))?;
    }
    Ok(())
}

fn everything(cx: &mut Context<'_>, pick: &Pick, candidates: &[Candidate]) -> Result<(), Failure> {
    let mut table = vec![["SCORE", "AGE", "TYPE", "FILE", "WHY"].map(String::from)];
    for verdict in &pick.recall.verdicts {
        let Some(candidate) = candidates.get(verdict.candidate) else { continue };
        let picked = if verdict.fate == Fate::Picked { "picked: " } else { "" };
        table.push([
            format!("{:.2}", verdict.score),
            candidate.age.map_or_else(String::new, |age| age.badge()),
            candidate.kind.as_str().into(),
            verdict.path.to_string(),
            format!("{picked}{}", why(verdict)),
        ]);
    }
    Ok(cx.out.table(&table)?)
}

fn injected(cx: &mut Context<'_>, injection: &Injection) -> Result<(), Failure> {
    if injection.files.is_empty() {
        cx.out.line("no memory is picked, so nothing would be brought in")?;
    }
    for (at, file) in injection.files.iter().enumerate() {
        if at > 0 {
            cx.out.line("")?;
        }
        cx.out.line(&format!("── {} ──", file.path))?;
        writeln!(cx.out.raw(), "{}", visible(&file.text, true))?;
    }
    Ok(())
}

/// Type, age and description of a candidate on one line.
fn about(candidate: &Candidate) -> String {
    let badge = candidate.age.map_or_else(String::new, |age| format!(", {}", age.badge()));
    let text = candidate.description.as_deref().or(candidate.name.as_deref()).unwrap_or("(no description)");
    format!("({}{badge}) {}", candidate.kind.as_str(), secrets::mask(text))
}

fn why(verdict: &Verdict) -> String {
    secrets::mask(&verdict.why()).into_owned()
}

fn object(pick: &Pick, candidates: &[Candidate], injection: Option<&Injection>) -> Value {
    let picked: Vec<Value> = pick.recall.picked().map(|one| one.path.to_str_lossy().into()).collect();
    let all = pick.recall.verdicts.iter().filter_map(|verdict| {
        let candidate = candidates.get(verdict.candidate)?;
        let matches = verdict.matches.iter().map(|found| {
            let fields: Vec<&str> = found.fields.iter().map(|field| field.as_str()).collect();
            json!({ "term": secrets::mask(&found.term), "fields": fields, "weight": rounded(found.weight) })
        });
        Some(json!({
            "path": verdict.path.to_str_lossy(),
            "name": candidate.name.as_deref().map(secrets::mask),
            "description": candidate.description.as_deref().map(secrets::mask),
            "type": match &candidate.kind {
                MemoryType::Missing => None,
                kind => Some(kind.as_str()),
            },
            "age_days": candidate.age.map(|age| age.days),
            "score": rounded(verdict.score),
            "fate": verdict.fate.id(),
            "why": why(verdict),
            "matches": matches.collect::<Vec<_>>(),
        }))
    });
    let injection = injection.map(|injection| {
        let file = |file: &crate::prompt::recall::injection::Injected| {
            json!({ "path": file.path.to_str_lossy(), "age_note_days": file.age_note_days, "text": file.text })
        };
        json!({
            "wording": if injection.wording == Wording::Learned { "learned" } else { "built-in" },
            "files": injection.files.iter().map(file).collect::<Vec<_>>(),
        })
    });
    json!({
        "query": secrets::mask(&pick.recall.query),
        "by": if pick.command.is_some() { "command" } else { "offline" },
        "picked": picked,
        "candidates": all.collect::<Vec<_>>(),
        "refused": pick.refused.iter().map(|one| json!({ "file": one.file, "why": one.why })).collect::<Vec<_>>(),
        "injection": injection,
    })
}

/// Three digits are all that a score tells.
fn rounded(score: f32) -> f64 {
    (f64::from(score) * 1000.0).round() / 1000.0
}

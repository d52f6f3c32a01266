//! A model's pick, read strictly: it is a stranger's text. What was not asked for is refused, line by line.

use super::{Candidate, MOST, Options};
use crate::memory::path::RelPath;
use crate::memory::text::{one_line, unfenced};
use serde_json::Value;

/// The longest answer, in bytes.
pub const MAX_ANSWER: usize = 64 << 10;
/// How many characters are said of something that was refused.
const SHOWN: usize = 80;

/// What of an answer is taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// The files, as the model ordered them: known ones, each once, at most as many as were asked for.
    pub files: Vec<RelPath>,
    /// What was refused.
    pub refused: Vec<Refused>,
}

/// Something that was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// What the answer says there, safe to show.
    pub file: String,
    /// Why, in words, safe to show.
    pub why: String,
}

/// Reads an answer: `{"files": ["a.md", …]}`, alone or in its only code fence.
///
/// # Errors
/// When it is not the object that was asked for, in words; nothing of it is taken then.
pub fn read(text: &str, candidates: &[Candidate], options: &Options) -> Result<Answer, String> {
    if text.len() > MAX_ANSWER {
        return Err(format!("it has more than {MAX_ANSWER} bytes"));
    }
    let json = unfenced(text).ok_or("it is empty")?;
    let value: Value = serde_json::from_str(json).map_err(|error| format!("it is not JSON: {error}"))?;
    let Value::Object(object) = value else { return Err("it is no JSON object".into()) };
    if let Some(other) = object.keys().find(|key| *key != "files") {
        return Err(format!("`{}` was not asked for", short(other)));
    }
    let Some(Value::Array(list)) = object.get("files") else {
        return Err("`files` is missing, or is no list".into());
    };
    let mut answer = Answer::default();
    for one in list {
        match file(one, candidates, options, &answer.files) {
            Ok(path) => answer.files.push(path),
            Err(why) => answer.refused.push(Refused { file: called(one), why }),
        }
    }
    Ok(answer)
}

fn file(
    one: &Value,
    candidates: &[Candidate],
    options: &Options,
    taken: &[RelPath],
) -> Result<RelPath, String> {
    let Value::String(name) = one else { return Err("it is no text".into()) };
    // As the list names them: one whose name can't be shown as it is is known by what was shown.
    let mut known = candidates.iter().filter(|candidate| listed(candidate) == *name);
    let candidate = known.next().ok_or("it is no memory of the store")?;
    if known.next().is_some() {
        return Err("several files are shown by this name".into());
    }
    if let Some(fate) = options.leaves_out(candidate) {
        return Err(format!("it was left out: {}", one_line(&fate.words())));
    }
    if taken.contains(&candidate.path) {
        return Err("it was named before".into());
    }
    let most = options.most.min(MOST);
    if taken.len() >= most {
        return Err(format!("at most {most} were asked for"));
    }
    Ok(candidate.path.clone())
}

/// How the list for the selector names a file.
pub(super) fn listed(candidate: &Candidate) -> String {
    super::prompt::unmarked(&one_line(&candidate.path.to_str_lossy())).into_owned()
}

fn called(one: &Value) -> String {
    one.as_str().map_or_else(|| short(&one.to_string()), short)
}

fn short(text: &str) -> String {
    let head: String = text.chars().take(SHOWN).collect();
    let more = if text.chars().count() > SHOWN { "…" } else { "" };
    one_line(&head) + more
}

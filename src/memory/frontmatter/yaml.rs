//! The full reader: YAML, and where YAML reads a name or description otherwise than it is written, what is
//! written, with a fault that says so.

use super::lenient::{self, Raw};
use super::{Field, Level, fault};
use crate::memory::dates;
use crate::memory::document::{Fault, FaultKind};
use crate::memory::lines::{Lines, line_of};
use serde_yaml::Value;
use std::borrow::Cow;
use std::collections::HashSet;

/// The fields.
///
/// # Errors
/// A fault that says in plain words where and why the text is not valid YAML.
pub(super) fn read<'a>(yaml: &'a str, faults: &mut Vec<Fault>) -> Result<Vec<Field<'a>>, Fault> {
    let map = match serde_yaml::from_str::<Value>(yaml) {
        Ok(Value::Mapping(map)) => map,
        Ok(Value::Null) => return Ok(Vec::new()),
        Ok(_) => {
            let why = "the frontmatter is not a list of `key: value` lines";
            return Err(fault(FaultKind::FrontmatterInvalid, 0, why));
        }
        Err(error) => return Err(invalid(yaml, &error)),
    };
    let source = lenient::raw(yaml);
    let mut fields = Vec::new();
    for (key, value) in map {
        let key = scalar(&key);
        match value {
            Value::Mapping(inner) if key == "metadata" => {
                for (key, value) in inner {
                    fields.push(field(Level::Metadata, scalar(&key), &value, &source, faults));
                }
            }
            value => fields.push(field(Level::Top, key, &value, &source, faults)),
        }
    }
    Ok(fields)
}

fn field<'a>(
    level: Level,
    key: String,
    value: &Value,
    source: &[Raw<'a>],
    faults: &mut Vec<Fault>,
) -> Field<'a> {
    let raw = source.iter().find(|raw| raw.field.level == level && raw.field.key == key);
    let line = raw.map_or(0, |raw| raw.field.line);
    let text = match raw {
        Some(raw) if key == "name" || key == "description" => match as_written(raw, value) {
            Some((text, why)) => {
                let message = format!("`{key}` needs quotes: YAML reads {why}");
                faults.push(fault(FaultKind::FrontmatterLossy, line, message));
                Cow::Owned(text)
            }
            None => Cow::Owned(flat(value)),
        },
        // `1.10` is a number to YAML, which would show it as 1.1.
        Some(Raw { single: Some(single), .. }) if matches!(value, Value::Number(_) | Value::Bool(_)) => {
            Cow::Borrowed(single.split(" #").next().unwrap_or(single).trim_end())
        }
        _ => Cow::Owned(flat(value)),
    };
    Field { level, key: Cow::Owned(key), text, line }
}

/// What is written, and what YAML makes of it, where the two differ.
fn as_written(raw: &Raw<'_>, value: &Value) -> Option<(String, &'static str)> {
    let written = raw.single.unwrap_or(&raw.field.text);
    // Not the text: in that of a block or in quotes a `&` is no mark and a date no date.
    if written.is_empty() || raw.first.starts_with(['"', '\'', '|', '>']) || raw.first.starts_with("!!") {
        return None;
    }
    let why = match value {
        Value::String(text) if text == written => {
            dates::parse(text)?;
            "a date"
        }
        Value::String(_) if written.starts_with('&') => {
            "a mark for other values (`&`) and not all of the text"
        }
        // In a text of several lines the two differ in blanks too; only a cut matters.
        Value::String(text) if written.starts_with(text.as_str()) && written.contains(" #") => {
            "only what stands before ` #`"
        }
        Value::String(_) => return None,
        Value::Null if written.starts_with('#') => "nothing but a comment",
        Value::Null => "nothing",
        Value::Bool(_) => "true or false and not a text",
        Value::Number(_) => "a number and not a text",
        Value::Sequence(_) => "a list and not a text",
        Value::Mapping(_) => "a map and not a text",
        Value::Tagged(_) => "a tag (`!`) and not all of the text",
    };
    Some((written.to_owned(), why))
}

/// A value as text; what is not a scalar in a short form on one line.
fn flat(value: &Value) -> String {
    match value {
        // A name or description never means the line end of a block scalar.
        Value::String(text) => text.trim_end_matches(['\n', '\r']).to_owned(),
        Value::Sequence(items) => items.iter().map(scalar).collect::<Vec<_>>().join(", "),
        value => scalar(value),
    }
}

fn scalar(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => value.to_string(),
        Value::String(text) => text.clone(),
        Value::Tagged(tagged) => scalar(&tagged.value),
        Value::Sequence(items) => format!("[{}]", items.iter().map(scalar).collect::<Vec<_>>().join(", ")),
        Value::Mapping(map) => {
            let pairs = map.iter().map(|(key, value)| format!("{}: {}", scalar(key), scalar(value)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
    }
}

const QUOTE_OPEN: &str = "a quote is opened and never closed";
const BEHIND_QUOTE: &str =
    "there is text behind a closing quote, or a line is not indented like its neighbours";
const BACKSLASH: &str = "a backslash in double quotes starts no escape that YAML knows; double it";
const MARK: &str = "a value starts with `*` or `&`; it needs quotes";

/// YAML's reasons, by some words of its message, in ours (its own may hold text of the memory).
const REASONS: [(&str, &str); 17] = [
    ("mapping values are not allowed", "a value without quotes has `: ` in it; it needs quotes"),
    (
        "cannot start any token",
        "a value starts with a character that needs quotes (such as a backtick, @ or %)",
    ),
    ("tab character", "a tab is used for indentation; YAML wants blanks"),
    ("unexpected end of stream", QUOTE_OPEN),
    ("document indicator", QUOTE_OPEN),
    ("expected <block end>", BEHIND_QUOTE),
    ("did not find expected key", BEHIND_QUOTE),
    ("could not find expected ':'", "a line has no `key: value`"),
    ("unexpected ':'", "a colon inside of brackets needs quotes"),
    ("expected ',' or", "a value starts with a bracket or brace that is not closed; it needs quotes"),
    ("comment or line break", "a value starts with `|` or `>`; it needs quotes"),
    ("unknown escape character", BACKSLASH),
    ("hexadecimal", BACKSLASH),
    ("anchor", MARK),
    ("alias", MARK),
    ("tag", "a value starts with `!`; it needs quotes"),
    ("control characters", "there is a control character in it"),
];

fn invalid(yaml: &str, error: &serde_yaml::Error) -> Fault {
    let message = error.to_string();
    let (line, why) = if message.contains("duplicate entry") {
        (repeated(yaml).unwrap_or(0), "a key stands twice")
    } else {
        let reason = REASONS.iter().find(|(words, _)| message.contains(words));
        (place(yaml, &message), reason.map_or("it does not follow YAML's rules", |(_, why)| why))
    };
    let last = Lines::new(yaml.as_bytes(), 0).count().saturating_sub(1);
    fault(FaultKind::FrontmatterInvalid, line.min(last), format!("the frontmatter is not valid YAML: {why}"))
}

/// The line (from 0) where a person has to look: where the scalar or key starts that YAML could not finish, else
/// where YAML stopped.
fn place(yaml: &str, message: &str) -> usize {
    let number = |behind: &str| -> Option<usize> {
        let digits = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
        behind.get(..digits)?.parse().ok()
    };
    let scanning =
        message.split_once("while scanning").and_then(|(_, context)| context.split_once("at line "));
    let line = scanning.or_else(|| message.split_once("at line ")).and_then(|(_, behind)| number(behind));
    let position = message.split_once("at position ").and_then(|(_, behind)| number(behind));
    line.or_else(|| position.map(|at| line_of(yaml.as_bytes(), at))).unwrap_or(1).saturating_sub(1)
}

/// The line of the first key that repeats an earlier one.
fn repeated(yaml: &str) -> Option<usize> {
    let mut seen = HashSet::new();
    let fields = lenient::read(yaml);
    fields.iter().find(|field| !seen.insert((field.level == Level::Top, &field.key))).map(|field| field.line)
}

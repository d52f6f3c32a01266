//! Puts quotes around values that YAML reads otherwise than they are meant, or can't read at all.

use super::set::{frontmatter, one};
use super::verify::{self, Meant};
use super::{FieldSpan, Place, Refused, Style, fields, scalar, scan, splice};
use serde_yaml::Value;
use std::ops::Range;

/// The fields that a person means as text and YAML reads otherwise: cut at ` #`, as a date, number, true,
/// false or nothing. Only name, description and the other fields of prose are looked at; in `confidence: 0.8`
/// a number is meant.
#[must_use]
pub fn repairable(bytes: &[u8]) -> Vec<(Place, String)> {
    let found = fields(bytes);
    let lossy = found.iter().filter(|f| is_prose(&f.key) && is_lossy(bytes, f));
    lossy.map(|f| (f.place, f.key.clone())).collect()
}

/// Quotes one value, so that YAML reads all that is written there as text: also what stands behind ` #`.
///
/// # Errors
/// When the field is not there, reads as text already, or can't be quoted without anything else changing.
pub fn repair_field(bytes: &[u8], place: Place, key: &str) -> Result<Vec<u8>, Refused> {
    let missing = || Refused::new(format!("there is no `{key}` to repair"));
    let yaml = frontmatter(bytes)?.ok_or_else(missing)?;
    let found = scan::scan(bytes, yaml);
    let field = one(&found, place, key)?.ok_or_else(missing)?;
    if !is_lossy(bytes, field) {
        return Err(Refused::new(format!("`{key}` reads as the text that stands there already")));
    }
    let range = written(bytes, field);
    let text = String::from_utf8_lossy(bytes.get(range.clone()).unwrap_or_default()).into_owned();
    let after = splice(bytes, &range, scalar::double(&text).as_bytes());
    verify::check(bytes, &after, Meant::Set(place, key, &text))?;
    Ok(after)
}

/// Makes broken YAML valid by quoting the values that break it; every field keeps its text.
///
/// # Errors
/// When the frontmatter is valid already, or quotes are not what it lacks.
pub fn repair_broken(bytes: &[u8]) -> Result<Vec<u8>, Refused> {
    let yaml = frontmatter(bytes)?.ok_or_else(|| Refused::new("there is no closed frontmatter to repair"))?;
    if is_mapping(bytes.get(yaml.clone()).unwrap_or_default()) {
        return Err(Refused::new("the frontmatter is valid already"));
    }
    let mut after = bytes.to_vec();
    // From the end, so that the ranges before it stay right.
    for field in scan::scan(bytes, yaml).iter().rev().filter(|f| breaks(bytes, f)) {
        after = splice(&after, &field.value, scalar::double(&field.text).as_bytes());
    }
    let valid = frontmatter(&after)?.is_some_and(|yaml| is_mapping(after.get(yaml).unwrap_or_default()));
    if !valid {
        return Err(Refused::new("quotes alone don't make the frontmatter valid"));
    }
    verify::check(bytes, &after, Meant::SameTexts)?;
    Ok(after)
}

/// The bytes with quotes around every value that YAML reads otherwise than it is written, or can't read.
///
/// # Errors
/// Why there is nothing to repair, or quotes are not what it lacks.
pub fn repair_all(bytes: &[u8]) -> Result<Vec<u8>, Refused> {
    let lossy = repairable(bytes);
    let mut after = bytes.to_vec();
    for (place, key) in &lossy {
        after = repair_field(&after, *place, key)?;
    }
    match repair_broken(&after) {
        Ok(valid) => Ok(valid),
        Err(_) if !lossy.is_empty() => Ok(after),
        Err(why) => Err(why),
    }
}

fn is_prose(key: &str) -> bool {
    matches!(key, "name" | "description" | "type" | "source" | "reason" | "application")
}

fn is_mapping(yaml: &[u8]) -> bool {
    matches!(serde_yaml::from_slice(yaml), Ok(Value::Mapping(_) | Value::Null))
}

/// A value on one line without quotes that is not read as the text that is written.
fn is_lossy(bytes: &[u8], field: &FieldSpan) -> bool {
    let range = written(bytes, field);
    let text = String::from_utf8_lossy(bytes.get(range).unwrap_or_default()).into_owned();
    let unquoted = matches!(field.style, Style::Plain | Style::Other);
    let is_flow = field.style == Style::Flow && is_prose(&field.key);
    let one_line = !text.contains(['\n', '\r']);
    let reads = scalar::kind(&text) == scalar::Kind::Text && scalar::plain_is_safe(&text);
    (unquoted || is_flow) && one_line && !text.is_empty() && !reads && !is_fine(&text)
}

/// Odd by its first character only; YAML reads it as it is.
fn is_fine(text: &str) -> bool {
    let value = serde_yaml::from_str::<Value>(&format!("k: {text}\n")).ok();
    let read = value.as_ref().and_then(|map| map.get("k")).and_then(Value::as_str);
    read == Some(text) && scalar::kind(text) == scalar::Kind::Text && !text.contains("---")
}

/// The value to the end of its line, with what YAML takes for a comment.
fn written(bytes: &[u8], field: &FieldSpan) -> Range<usize> {
    let value = field.value.clone();
    let rest = bytes.get(value.end..field.lines.end).unwrap_or_default();
    let line = rest.split(|b| matches!(b, b'\n' | b'\r')).next().unwrap_or_default();
    value.start..value.end + line.trim_ascii_end().len()
}

/// Whether a value can't be read where it stands, or reads as a mapping that nobody meant.
fn breaks(bytes: &[u8], field: &FieldSpan) -> bool {
    if matches!(field.style, Style::Empty | Style::Nested | Style::Literal | Style::Folded) {
        return false;
    }
    let raw = String::from_utf8_lossy(bytes.get(field.value.clone()).unwrap_or_default()).into_owned();
    let value = serde_yaml::from_str::<Value>(&format!("k: {raw}\n")).ok();
    match value.as_ref().and_then(|map| map.get("k")) {
        None => true,
        Some(Value::Tagged(_)) => true,
        Some(Value::Mapping(_)) => field.style != Style::Flow,
        Some(_) => false,
    }
}

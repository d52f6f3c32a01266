//! The client's settings file with the hook, and without it again. Text is cut out of it and put into it; nothing else of it
//! changes: comments, order, indentation, line ends and a byte order mark stay.

mod splice;

use crate::client::hook::command::{EVENT, Hook, MATCHER, TIMEOUT};
use crate::client::hook::ended::{self, Ended};
use jsonc_parser::ast::{Array, Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::json;
use splice::{Member, Text};

/// A settings file that can't be edited.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct Broken {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, in words.
    pub what: String,
}

/// The hook that a settings file has.
///
/// # Errors
/// When the file can't be read as JSON with comments.
pub fn installed(text: &str) -> Result<Option<Hook>, Broken> {
    let ended = self::ended(text)?;
    let mut found = commands(&root(unmarked(text).1)?, EVENT).into_iter();
    Ok(found.find_map(|(_, _, command)| Some(Hook { ended: ended.clone(), ..Hook::read(&command)? })))
}

/// What of ours a settings file has for the end of a session, be the hook there or not.
///
/// # Errors
/// When the file can't be read as JSON with comments.
pub fn ended(text: &str) -> Result<Option<Ended>, Broken> {
    let root = root(unmarked(text).1)?;
    Ok(commands(&root, ended::EVENT).into_iter().find_map(|(_, _, command)| Ended::read(&command)))
}

/// The settings with this hook, in place of the one that is there; `made` and `rules` of it are set to what was added.
///
/// # Errors
/// When the file can't be read as JSON with comments, or a key holds something that no hook can be added to.
pub fn with(text: &str, hook: &Hook) -> Result<String, Broken> {
    let (mark, text) = unmarked(text);
    if let Some(old) = installed(text)? {
        let same = Hook { rules: old.rules.clone(), made: old.made.clone(), ..hook.clone() };
        let wanted = hook.rules.iter().all(|rule| has_rule(text, rule));
        let needless = old.rules.iter().any(|rule| !hook.rules.contains(rule));
        let is_there = commands(&root(text)?, EVENT).iter().any(|(_, _, command)| *command == same.command());
        if wanted && !needless && is_there && has_end(text, hook.ended.as_ref())? {
            return Ok(format!("{mark}{text}"));
        }
    }
    let mut text = taken_out(text)?;
    let mut hook = Hook { made: Vec::new(), ..hook.clone() };
    hook.rules.retain(|rule| !has_rule(&text, rule));
    if text.trim().is_empty() {
        text = "{}\n".into();
        hook.made.push("file".into());
    }
    for rule in hook.rules.clone() {
        let rule = json!(rule).to_string();
        text = added(&text, &["permissions", "ask"], &rule, &mut hook.made)?;
    }
    // What it makes stands in its own words, so the keys come first.
    text = keyed(&text, &["hooks", EVENT], &mut hook.made)?;
    let entry = json!({
        "matcher": MATCHER,
        "hooks": [{ "type": "command", "command": hook.command(), "timeout": TIMEOUT }],
    });
    let mut text = added(&text, &["hooks", EVENT], &format!("{entry:#}"), &mut Vec::new())?;
    if let Some(ended) = &hook.ended {
        let mut ended = Ended { made: Vec::new(), ..ended.clone() };
        text = keyed(&text, &["hooks", ended::EVENT], &mut ended.made)?;
        let entry =
            json!({ "hooks": [{ "type": "command", "command": ended.command(), "timeout": TIMEOUT }] });
        text = added(&text, &["hooks", ended::EVENT], &format!("{entry:#}"), &mut Vec::new())?;
    }
    Ok(format!("{mark}{text}"))
}

/// Whether what is there for the end of a session is what is wanted.
fn has_end(text: &str, wanted: Option<&Ended>) -> Result<bool, Broken> {
    Ok(match (ended(text)?, wanted) {
        (None, None) => true,
        (Some(old), Some(wanted)) => {
            let same = Ended { made: old.made, ..wanted.clone() }.command();
            commands(&root(text)?, ended::EVENT).iter().any(|(_, _, command)| *command == same)
        }
        _ => false,
    })
}

/// The settings without the hook, and without all that came in with it.
///
/// # Errors
/// When the file can't be read as JSON with comments.
pub fn without(text: &str) -> Result<String, Broken> {
    let (mark, text) = unmarked(text);
    Ok(format!("{mark}{}", taken_out(text)?))
}

/// The line at which a file stops being JSON as the client reads it, and why: with a comment or a trailing comma the client
/// reads nothing of the file (measured on 2.1.197 and 2.1.332). `None`: it reads it.
#[must_use]
pub fn unread_by_client(text: &str) -> Option<usize> {
    let (_, text) = unmarked(text);
    if text.trim().is_empty() {
        return None;
    }
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(value) if value.is_object() => None,
        Ok(_) => Some(1),
        Err(error) => Some(error.line()),
    }
}

/// A byte order mark, and the rest.
fn unmarked(text: &str) -> (&str, &str) {
    text.split_at(if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 })
}

fn taken_out(text: &str) -> Result<String, Broken> {
    let mut text = text.to_owned();
    // What came last goes first: the keys that it made stand in those of the hook.
    while let Some((ended, cut)) = first_of_ours(&text, ended::EVENT, Ended::read)? {
        text = without_made(cut, &ended.made);
    }
    while let Some((hook, cut)) = first_of_ours(&text, EVENT, Hook::read)? {
        text = cut;
        for rule in &hook.rules {
            if let Some((list, at)) = rule_at(&text, rule) {
                text = splice::removed(&text, &list, at);
            }
        }
        text = without_made(text, &hook.made);
        let is_bare = root(&text)?.is_none_or(|root| root.properties.is_empty());
        if is_bare && hook.made.iter().any(|key| key == "file") {
            text.clear();
        }
    }
    Ok(text)
}

/// The text without the keys that were made for an entry and that hold nothing now.
fn without_made(mut text: String, made: &[String]) -> String {
    // The inner ones first.
    for path in made.iter().rev() {
        let path: Vec<&str> = path.split('.').collect();
        if let Some((members, at)) = empty_at(&text, &path) {
            text = splice::removed(&text, &members, at);
        }
    }
    text
}

/// The file's object; `None`: the file is empty.
fn root(text: &str) -> Result<Option<Object<'_>>, Broken> {
    let options = ParseOptions {
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
        ..ParseOptions::default()
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options);
    let parsed = parsed
        .map_err(|error| Broken { line: line(text, error.range().start), what: error.kind().to_string() })?;
    match parsed.value {
        None => Ok(None),
        Some(Value::Object(object)) => {
            let mut names: Vec<&str> = object.properties.iter().map(|one| one.name.as_str()).collect();
            names.sort_unstable();
            let twice =
                names.windows(2).find(|pair| matches!(pair, [a, b] if a == b)).and_then(|pair| pair.first());
            match twice {
                Some(name) => Err(Broken { line: 1, what: format!("`{name}` stands there twice") }),
                None => Ok(Some(object)),
            }
        }
        Some(other) => Err(Broken { line: line(text, other.start()), what: "it is no object".into() }),
    }
}

fn line(text: &str, at: usize) -> usize {
    text.as_bytes().get(..at).unwrap_or_default().iter().filter(|byte| **byte == b'\n').count() + 1
}

/// Every command of a hook for an event: its place among the matchers, and in the matcher's list.
fn commands(root: &Option<Object<'_>>, event: &str) -> Vec<(usize, usize, String)> {
    let matchers = root.as_ref().and_then(|root| root.get_object("hooks")?.get_array(event));
    let mut found = Vec::new();
    for (matcher, value) in matchers.iter().flat_map(|list| list.elements.iter().enumerate()) {
        let hooks = value.as_object().and_then(|matcher| matcher.get_array("hooks"));
        for (at, hook) in hooks.iter().flat_map(|list| list.elements.iter().enumerate()) {
            if let Some(command) = hook.as_object().and_then(|hook| hook.get_string("command")) {
                found.push((matcher, at, command.value.to_string()));
            }
        }
    }
    found
}

/// The first command of ours for an event, and the text without its entry.
fn first_of_ours<T>(
    text: &str,
    event: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Option<(T, String)>, Broken> {
    let root = root(text)?;
    let ours = commands(&root, event)
        .into_iter()
        .find_map(|(matcher, at, command)| Some((matcher, at, read(&command)?)));
    let Some((matcher, at, hook)) = ours else { return Ok(None) };
    let list = root.as_ref().and_then(|root| root.get_object("hooks")?.get_array(event));
    let cut = list.and_then(|list| {
        let hooks = list.elements.get(matcher)?.as_object()?.get_array("hooks")?;
        let alone = hooks.elements.len() == 1;
        let (members, at) = if alone { (of_array(list), matcher) } else { (of_array(hooks), at) };
        Some(splice::removed(text, &members, at))
    });
    Ok(cut.map(|cut| (hook, cut)))
}

fn of_array(list: &Array<'_>) -> Text {
    let members = list.elements.iter().map(|one| Member { start: one.start(), end: one.end() }).collect();
    Text { start: list.range.start, end: list.range.end, members }
}

fn of_object(object: &Object<'_>) -> Text {
    let members = object.properties.iter().map(|one| Member { start: one.start(), end: one.end() }).collect();
    Text { start: object.range.start, end: object.range.end, members }
}

fn rule_at(text: &str, rule: &str) -> Option<(Text, usize)> {
    let root = root(text).ok()??;
    let list = root.get_object("permissions")?.get_array("ask")?;
    let at = list.elements.iter().position(|one| one.as_string_lit().is_some_and(|one| one.value == rule))?;
    Some((of_array(list), at))
}

fn has_rule(text: &str, rule: &str) -> bool {
    rule_at(text, rule).is_some()
}

/// The object that holds the last key of a path, and its place there, when what is under it is empty.
fn empty_at(text: &str, path: &[&str]) -> Option<(Text, usize)> {
    let root = root(text).ok()??;
    let (last, above) = path.split_last()?;
    let mut object = &root;
    for key in above {
        object = object.get_object(key)?;
    }
    let at = object.properties.iter().position(|one| one.name.as_str() == *last)?;
    let is_empty = match &object.properties.get(at)?.value {
        Value::Object(inner) => inner.properties.is_empty(),
        Value::Array(inner) => inner.elements.is_empty(),
        _ => false,
    };
    // A comment in it is the person's.
    let inner = object.properties.get(at)?.value.range();
    let blank =
        text.get(inner.start + 1..inner.end.saturating_sub(1)).is_some_and(|inner| inner.trim().is_empty());
    (is_empty && blank).then(|| (of_object(object), at))
}

/// The text with an object under the first key and a list under the second, each made where it is missing.
fn keyed(text: &str, path: &[&str; 2], made: &mut Vec<String>) -> Result<String, Broken> {
    let [first, second] = path;
    let wrong = |at: usize, key: &str, want: &str| Broken {
        line: line(text, at),
        what: format!("`{key}` is no {want}"),
    };
    let whole = root(text)?.ok_or(Broken { line: 1, what: "it is empty".into() })?;
    let Some(outer) = whole.get(first) else {
        made.push((*first).to_owned());
        let with = splice::added(text, &of_object(&whole), &format!("\"{first}\": {{}}"));
        return keyed(&with, path, made);
    };
    let Value::Object(inner) = &outer.value else { return Err(wrong(outer.start(), first, "object")) };
    match inner.get(second) {
        None => {
            made.push(format!("{first}.{second}"));
            Ok(splice::added(text, &of_object(inner), &format!("\"{second}\": []")))
        }
        Some(list) if list.value.as_array().is_some() => Ok(text.to_owned()),
        Some(list) => Err(wrong(list.start(), &format!("{first}.{second}"), "list")),
    }
}

/// The text with one more element in the list under two keys.
fn added(text: &str, path: &[&str; 2], element: &str, made: &mut Vec<String>) -> Result<String, Broken> {
    let text = keyed(text, path, made)?;
    let whole = root(&text)?;
    let [first, second] = path;
    let list = whole.as_ref().and_then(|whole| whole.get_object(first)?.get_array(second));
    let list = list.ok_or(Broken { line: 1, what: format!("`{first}.{second}` is no list") })?;
    Ok(splice::added(&text, &of_array(list), element))
}

#[cfg(test)]
mod tests;

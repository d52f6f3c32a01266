//! What the client reads from a rule's frontmatter: the patterns of `paths` (CLIENT_FACTS C11; measured with
//! 110 forms on 2.1.100, 2.1.197 and 2.1.332). The YAML readers of the clients differ, so what one refuses
//! another takes; a refused text is read again with its odd values quoted.

use crate::prompt::versions::Rules;
use serde_yaml::Value;

/// What `paths` of one file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Paths {
    /// The patterns; empty: the rule loads at start.
    pub patterns: Vec<String>,
    /// What is odd about it, for a person.
    pub faults: Vec<Fault>,
}

/// What makes a rule load otherwise than it looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The frontmatter is no YAML even after quoting: `paths` is not seen, the rule always loads.
    Broken,
    /// It is no YAML; the client quoted odd values, so a list or an alias became plain text.
    Quoted,
    /// A key of another tool or another spelling, which the client does not know.
    ForeignKey(String),
    /// `paths` is there but says nothing (a number, a mapping, nothing): the rule always loads.
    Ignored,
}

/// The patterns in the YAML text of a frontmatter.
#[must_use]
pub fn paths(yaml: &str, rules: &Rules) -> Paths {
    let mut found = Paths::default();
    let value = match read(yaml, rules) {
        Read::Yaml(value) => value,
        Read::Quoted(value) => {
            found.faults.push(Fault::Quoted);
            value
        }
        Read::Broken => {
            found.faults.push(Fault::Broken);
            return found;
        }
    };
    let Value::Mapping(keys) = value else { return found };
    let mut patterns = Vec::new();
    match keys.get("paths").map(untagged) {
        Some(value) => {
            split_value(value, &mut patterns);
            if patterns.is_empty() && !is_empty(value) {
                found.faults.push(Fault::Ignored);
            }
        }
        None => {
            let foreign = keys.keys().filter_map(Value::as_str).filter(|key| is_foreign(key));
            found.faults.extend(foreign.map(|key| Fault::ForeignKey(key.to_owned())));
        }
    }
    let patterns = patterns.into_iter().map(|pattern| match pattern.strip_suffix("/**") {
        Some(cut) => cut.to_owned(),
        None => pattern,
    });
    found.patterns = patterns.filter(|pattern| !pattern.is_empty()).collect();
    if found.patterns.iter().all(|pattern| pattern == "**") {
        found.patterns.clear();
    }
    found
}

/// The text of one key of a frontmatter.
#[must_use]
pub fn value(yaml: &str, key: &str, rules: &Rules) -> Option<String> {
    let (Read::Yaml(value) | Read::Quoted(value)) = read(yaml, rules) else { return None };
    untagged(value.as_mapping()?.get(key)?).as_str().map(str::to_owned)
}

/// Keys by which other tools name the files of a rule, and other spellings of `paths`.
fn is_foreign(key: &str) -> bool {
    key != "paths"
        && matches!(
            key.to_ascii_lowercase().as_str(),
            "globs" | "glob" | "paths" | "path" | "applyto" | "files"
        )
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Sequence(items) => items.is_empty(),
        _ => false,
    }
}

fn untagged(value: &Value) -> &Value {
    match value {
        Value::Tagged(tagged) => untagged(&tagged.value),
        value => value,
    }
}

/// Text is split at commas outside braces; lists are read through, whatever else stands in them is dropped.
fn split_value(value: &Value, out: &mut Vec<String>) {
    match untagged(value) {
        Value::String(text) => split_text(text, out),
        Value::Sequence(items) => items.iter().for_each(|item| split_value(item, out)),
        _ => {}
    }
}

fn split_text(text: &str, out: &mut Vec<String>) {
    let mut depth = 0_i32;
    let parts = text.split(|c| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    });
    for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
        braces(part, out);
    }
}

/// The most patterns that braces may make of one rule: ours, against `{a,b}{a,b}{a,b}…`.
const MAX_PATTERNS: usize = 4096;

/// Expands the first `{…}` up to the first `}` behind it, then the results again: nested braces come out as
/// odd as they do in the client.
fn braces(pattern: &str, out: &mut Vec<String>) {
    let parts = pattern.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    match parts {
        Some((before, (inside, after))) if !inside.is_empty() && out.len() < MAX_PATTERNS => {
            for choice in inside.split(',') {
                braces(&format!("{before}{}{after}", choice.trim()), out);
            }
        }
        _ if out.len() < MAX_PATTERNS => out.push(pattern.to_owned()),
        _ => {}
    }
}

enum Read {
    Yaml(Value),
    Quoted(Value),
    Broken,
}

fn read(yaml: &str, rules: &Rules) -> Read {
    let parse = |text: &str| {
        let value = serde_yaml::from_str::<Value>(text).ok()?;
        Some(if rules.lenient_yaml { merged(value) } else { value })
    };
    if let Some(value) = parse(yaml) {
        return Read::Yaml(value);
    }
    if rules.lenient_yaml {
        // This reader takes a key twice (the last one counts), tabs, and a colon inside a plain value.
        let lenient = last_keys(&yaml.replace('\t', " "));
        if let Some(value) = parse(&lenient) {
            return Read::Yaml(value);
        }
        if let Some(value) = parse(&quoted(&lenient, |value| value.contains(": "))) {
            return Read::Yaml(value);
        }
    }
    let odd = |value: &str| {
        value.contains(['{', '}', '[', ']', '*', '&', '#', '!', '|', '>', '%', '@', '`'])
            || value.contains(": ")
    };
    match parse(&quoted(yaml, odd)) {
        Some(value) => Read::Quoted(value),
        None => Read::Broken,
    }
}

/// The newer readers know merge keys (`<<`).
fn merged(mut value: Value) -> Value {
    // An alias loop is refused while parsing; a merge key of the wrong type just stays.
    let _ = value.apply_merge();
    value
}

/// Puts the values of plain top-level keys (letters, `_`, `-`) in double quotes where they look odd.
fn quoted(yaml: &str, odd: impl Fn(&str) -> bool) -> String {
    let line = |line: &str| {
        let (key, value) = line.split_once(':')?;
        let value = value.strip_prefix(char::is_whitespace)?.trim_start();
        let is_key =
            !key.is_empty() && key.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '-'));
        let is_quoted = |quote| value.len() > 1 && value.starts_with(quote) && value.ends_with(quote);
        if !is_key || value.is_empty() || is_quoted('"') || is_quoted('\'') || !odd(value) {
            return None;
        }
        Some(format!("{key}: \"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"")))
    };
    let lines: Vec<String> =
        yaml.split('\n').map(|text| line(text).unwrap_or_else(|| text.to_owned())).collect();
    lines.join("\n")
}

/// The text without all but the last block of each top-level key.
fn last_keys(yaml: &str) -> String {
    let mut blocks: Vec<(Option<&str>, Vec<&str>)> = vec![(None, Vec::new())];
    for line in yaml.split('\n') {
        let key = line.split_once(':').map(|(key, _)| key);
        let key = key.filter(|key| !key.is_empty() && !key.starts_with([' ', '-', '#', '"', '\'', '{', '[']));
        match (key, blocks.last_mut()) {
            (None, Some(block)) => block.1.push(line),
            (Some(key), _) => {
                blocks.retain(|block| block.0 != Some(key));
                blocks.push((Some(key), vec![line]));
            }
            (None, None) => {}
        }
    }
    let lines: Vec<&str> = blocks.into_iter().flat_map(|block| block.1).collect();
    lines.join("\n")
}

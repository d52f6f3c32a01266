//! Sets, adds and removes one field of the frontmatter.

use super::scalar::{self, Site};
use super::verify::{self, Meant};
use super::{FieldSpan, Place, Refused, Style, line_end, scan, splice};
use crate::memory::document::Document;
use std::ops::Range;

/// More than this is not given to the YAML reader here either (see `frontmatter`).
const MAX_YAML: usize = 64 * 1024;

/// The indentation of a first key under `metadata`, as the client writes it (CLIENT_FACTS D5).
const INDENT: usize = 2;

/// Gives a field a new text: only the bytes of its value change. A key that is not there is added: name,
/// description and type in this order at the top, others behind; under `metadata` with its siblings'
/// indentation; a memory without frontmatter gets one. A field that has this text already stays as it is.
///
/// # Errors
/// When the text can't stand there without anything else changing (a list, a key that stands twice, a
/// frontmatter that is never closed).
pub fn set_field(bytes: &[u8], place: Place, key: &str, text: &str) -> Result<Vec<u8>, Refused> {
    let yaml = frontmatter(bytes)?;
    let fields = yaml.clone().map(|yaml| scan::scan(bytes, yaml)).unwrap_or_default();
    if let Some(field) = one(&fields, place, key)? {
        return replace(bytes, field, text);
    }
    if !is_key(key) {
        return Err(Refused::new("a new key must be a word of letters, digits, `_`, `-` and `.`"));
    }
    match yaml {
        Some(yaml) => add(bytes, &yaml, &fields, place, key, text),
        None => begin(bytes, place, key, text),
    }
}

/// Takes a field out, with its line and the comment beside it.
///
/// # Errors
/// When the field is not there, stands twice, or can't go without anything else changing.
pub fn remove_field(bytes: &[u8], place: Place, key: &str) -> Result<Vec<u8>, Refused> {
    let missing = || Refused::new(format!("there is no `{key}` to remove"));
    let yaml = frontmatter(bytes)?.ok_or_else(missing)?;
    let fields = scan::scan(bytes, yaml);
    let field = one(&fields, place, key)?.ok_or_else(missing)?;
    let after = splice(bytes, &field.lines, b"");
    verify::check(bytes, &after, Meant::Removed(place, key))?;
    Ok(after)
}

/// Where the YAML is; `None` without frontmatter.
pub(super) fn frontmatter(bytes: &[u8]) -> Result<Option<Range<usize>>, Refused> {
    match Document::parse(bytes).frontmatter {
        Some(block) if block.yaml.len() > MAX_YAML => {
            Err(Refused::new("the frontmatter is too large to be edited field by field"))
        }
        Some(block) => Ok(Some(block.yaml)),
        None => Ok(None),
    }
}

/// The one field of this key.
pub(super) fn one<'a>(
    fields: &'a [FieldSpan],
    place: Place,
    key: &str,
) -> Result<Option<&'a FieldSpan>, Refused> {
    let mut found = fields.iter().filter(|f| f.place == place && f.key == key);
    let first = found.next();
    match found.next() {
        Some(_) => Err(Refused::new(format!("`{key}` stands twice, so it is not clear which one is meant"))),
        None => Ok(first),
    }
}

fn is_key(key: &str) -> bool {
    key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
        && !key.contains("---")
        && scalar::kind(key) == scalar::Kind::Text
}

fn replace(bytes: &[u8], field: &FieldSpan, text: &str) -> Result<Vec<u8>, Refused> {
    if field.text == text {
        return Ok(bytes.to_vec());
    }
    if let Style::Nested | Style::Other = field.style {
        return Err(Refused::new(format!("`{}` is not a simple text", field.key)));
    }
    let raw = bytes.get(field.value.clone()).unwrap_or_default();
    keeps_bytes(raw, text)?;
    let old = String::from_utf8_lossy(raw);
    let site = Site {
        style: field.style,
        old: &old,
        key: &field.key,
        indent: field.indent,
        line_end: line_end(bytes),
    };
    let before = field.value.start.checked_sub(1).and_then(|at| bytes.get(at));
    let behind = bytes.get(field.value.end);
    let lead = if before == Some(&b':') { " " } else { "" };
    let trail = match behind {
        Some(b' ' | b'\t' | b'\n' | b'\r') | None => "",
        Some(_) => " ",
    };
    let meant = Meant::Set(field.place, &field.key, text);
    let tried = scalar::candidates(text, &site).into_iter().map(|value| {
        let after = splice(bytes, &field.value, format!("{lead}{value}{trail}").as_bytes());
        verify::check(bytes, &after, meant).map(|()| after)
    });
    first_that_holds(tried).unwrap_or_else(|| {
        Err(Refused::new(format!("`{}` is a list or mapping, and the new text is none", field.key)))
    })
}

/// Refuses a text that holds, as U+FFFD, bytes that are not UTF-8: they would be lost.
pub(super) fn keeps_bytes(old: &[u8], text: &str) -> Result<(), Refused> {
    if text.contains('\u{fffd}') && std::str::from_utf8(old).is_err() {
        return Err(Refused::new("bytes that are not UTF-8 stand there and would be lost"));
    }
    Ok(())
}

/// The first way that holds; else why the last one doesn't. `None`: there is no way.
fn first_that_holds(
    tried: impl Iterator<Item = Result<Vec<u8>, Refused>>,
) -> Option<Result<Vec<u8>, Refused>> {
    let mut last = None;
    for result in tried {
        let holds = result.is_ok();
        last = Some(result);
        if holds {
            break;
        }
    }
    last
}

/// Adds a key that is not there.
fn add(
    bytes: &[u8],
    yaml: &Range<usize>,
    fields: &[FieldSpan],
    place: Place,
    key: &str,
    text: &str,
) -> Result<Vec<u8>, Refused> {
    let nl = line_end(bytes);
    let metadata = fields.iter().find(|f| f.place == Place::Top && f.key == "metadata");
    let (at, indent, head) = match (place, metadata) {
        (Place::Top, _) => (top_position(fields, yaml, key), 0, String::new()),
        (Place::Metadata, None) => (yaml.end, INDENT, format!("metadata:{nl}")),
        (Place::Metadata, Some(parent)) => match parent.style {
            Style::Empty => (parent.lines.end, INDENT, String::new()),
            Style::Nested => {
                let siblings = || fields.iter().filter(|f| f.place == Place::Metadata);
                let first =
                    siblings().next().ok_or_else(|| Refused::new("`metadata` is not a list of keys"))?;
                let node_type = siblings().find(|f| f.key == "node_type" && key == "type");
                let above = node_type.or(siblings().next_back()).unwrap_or(first);
                (above.lines.end, first.indent, String::new())
            }
            _ => return Err(Refused::new("`metadata` is not a list of keys on lines of their own")),
        },
    };
    let site = Site { style: Style::Empty, old: "", key, indent, line_end: nl };
    let lead = " ".repeat(indent);
    // A last line without its end (a `---` that closes mid-line) is not where a line can be added.
    let tried = scalar::candidates(text, &site).into_iter().map(|value| {
        let line = format!("{head}{lead}{key}: {value}{nl}");
        let after = splice(bytes, &(at..at), line.as_bytes());
        verify::check(bytes, &after, Meant::Set(place, key, text)).map(|()| after)
    });
    first_that_holds(tried).unwrap_or_else(|| Err(Refused::new(format!("`{key}` can't be added"))))
}

/// Where a new key of the top level goes: name, description and type at the top, others at the end.
fn top_position(fields: &[FieldSpan], yaml: &Range<usize>, key: &str) -> usize {
    const ORDER: [&str; 3] = ["name", "description", "type"];
    match ORDER.iter().position(|known| *known == key) {
        None => yaml.end,
        Some(rank) => {
            let before = ORDER.iter().take(rank);
            let above =
                fields.iter().filter(|f| f.place == Place::Top && before.clone().any(|k| *k == f.key));
            above.map(|f| f.lines.end).max().unwrap_or(yaml.start)
        }
    }
}

/// A frontmatter for a memory that has none.
fn begin(bytes: &[u8], place: Place, key: &str, text: &str) -> Result<Vec<u8>, Refused> {
    let start = Document::parse(bytes).body.start;
    let body = bytes.get(start..).unwrap_or_default();
    if body.starts_with(b"---") {
        return Err(Refused::new("a frontmatter is opened here and never closed"));
    }
    let nl = line_end(bytes);
    let apart = if body.is_empty() || body.starts_with(nl.as_bytes()) { "" } else { nl };
    let (head, indent) = match place {
        Place::Top => (String::new(), 0),
        Place::Metadata => (format!("metadata:{nl}"), INDENT),
    };
    let site = Site { style: Style::Empty, old: "", key, indent, line_end: nl };
    let tried = scalar::candidates(text, &site).into_iter().map(|value| {
        let lead = " ".repeat(indent);
        let block = format!("---{nl}{head}{lead}{key}: {value}{nl}---{nl}{apart}");
        let after = splice(bytes, &(start..start), block.as_bytes());
        verify::check(bytes, &after, Meant::Set(place, key, text)).map(|()| after)
    });
    first_that_holds(tried).unwrap_or_else(|| Err(Refused::new("no frontmatter can be added here")))
}

//! The frontmatter of a memory: where it is, and what it says.
//!
//! Three readers give the same [`Field`]s: `fast` for the simple shape that nearly all memories have (it
//! declines whatever it can't prove to agree with YAML on), `yaml` for the rest, and `lenient` for what is
//! not YAML at all.

mod fast;
mod lenient;
mod yaml;

#[cfg(test)]
mod tests;

pub(super) use lenient::unquote;

use crate::memory::dates;
use crate::memory::document::{Fault, FaultKind, Header, MemoryType, Reading};
use crate::memory::lines::Lines;
use crate::memory::text::folded;
use std::borrow::Cow;
use std::ops::Range;

/// More than this many bytes of frontmatter are not given to the YAML reader. Real ones have at most a few
/// kilobytes.
const MAX_YAML: usize = 64 * 1024;
/// Nor are more open brackets than this: its time grows with their square (60,000 took 21 s), and it refuses
/// that depth in the end anyway.
const MAX_OPEN: usize = 500;

/// Where the frontmatter is.
pub(super) enum Place {
    /// The text does not start with one.
    None,
    /// It is opened and no line closes it.
    Unterminated,
    /// Opened and closed.
    Block {
        /// From the opening `---` to behind the closing one and its line end.
        whole: Range<usize>,
        /// Between the two.
        yaml: Range<usize>,
    },
}

/// What was read from a frontmatter block.
pub(super) struct Read {
    pub header: Header,
    pub reading: Reading,
    pub faults: Vec<Fault>,
}

/// One `key: value`, as one of the readers found it.
#[derive(Debug, Clone, PartialEq)]
struct Field<'a> {
    level: Level,
    key: Cow<'a, str>,
    /// The value as text, as the person meant it.
    text: Cow<'a, str>,
    /// The line in the block, from 0.
    line: usize,
}

/// Where a field stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Top,
    Metadata,
}

/// Finds the frontmatter that starts at `start` (0, or behind a byte order mark).
pub(super) fn find(bytes: &[u8], start: usize) -> Place {
    let mut lines = Lines::new(bytes, start);
    if !lines.next().is_some_and(|line| is_fence(bytes, &line)) {
        return Place::None;
    }
    let yaml_start = lines.at();
    while let Some(line) = lines.next() {
        if is_fence(bytes, &line) {
            return Place::Block { whole: start..lines.at(), yaml: yaml_start..line.start };
        }
    }
    Place::Unterminated
}

/// Where the client ends the frontmatter: at the first `---` anywhere behind the opening line, also inside
/// a value (CLIENT_FACTS B8, measured; a run of more dashes does not count).
pub(super) fn client_end(text: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(found) = memchr::memmem::find(text.get(from..)?, b"---") {
        let at = from + found;
        let run = text.get(at..)?.iter().take_while(|b| **b == b'-').count();
        if run == 3 {
            return Some(at);
        }
        from = at + run;
    }
    None
}

/// Reads the text between the fences. `line` numbers count from the opening fence, which is line 1.
pub(super) fn read(yaml: &str) -> Read {
    let mut faults = Vec::new();
    let (fields, reading) = if let Some(fields) = fast::read(yaml) {
        (fields, Reading::Yaml)
    } else if is_excessive(yaml) {
        let message = "the frontmatter is too large or too deeply nested to be read as YAML";
        faults.push(fault(FaultKind::FrontmatterInvalid, 0, message));
        (lenient::read(yaml), Reading::Lenient)
    } else {
        match yaml::read(yaml, &mut faults) {
            Ok(fields) => (fields, Reading::Yaml),
            Err(invalid) => {
                faults.push(invalid);
                (lenient::read(yaml), Reading::Lenient)
            }
        }
    };
    let header = assemble(fields, &mut faults);
    if let Some(line) = wiped(&header, yaml) {
        let message = "the name was wiped when the client rewrote this memory; what it said is lost unless the \
                       body repeats it";
        faults.push(fault(FaultKind::FrontmatterWiped, line, message));
    }
    Read { header, reading, faults }
}

fn is_excessive(yaml: &str) -> bool {
    let mut open = 0_usize;
    yaml.len() > MAX_YAML
        || yaml.bytes().any(|byte| {
            match byte {
                b'[' | b'{' => open += 1,
                b']' | b'}' => open = open.saturating_sub(1),
                _ => {}
            }
            open > MAX_OPEN
        })
}

/// A fault on a line of the block (from 0; the opening fence is line 1 of the file).
fn fault(kind: FaultKind, line: usize, message: impl Into<String>) -> Fault {
    Fault { kind, line: line + 2, message: message.into() }
}

/// The keys that a header has a place for.
const KNOWN: [&str; 6] = ["name", "description", "type", "modified", "updatedAt", "originSessionId"];

/// Makes the header. A key at the top level wins over the same one under `metadata`, the first over a
/// repetition; what loses stays visible among the others.
fn assemble(fields: Vec<Field<'_>>, faults: &mut Vec<Fault>) -> Header {
    let winners = KNOWN.map(|key| winner(&fields, key));
    let mut header = Header::default();
    for (index, field) in fields.iter().enumerate() {
        let known = KNOWN.iter().zip(&winners).find(|(key, _)| **key == field.key);
        if let Some((key, won)) = known {
            if *won == Some(index) {
                if put(&mut header, key, &field.text) {
                    continue;
                }
            } else if won.and_then(|w| fields.get(w)).is_some_and(|w| w.text != field.text) {
                let message =
                    format!("`{key}` stands twice; the one at the top level is used, of equals the first");
                faults.push(fault(FaultKind::FrontmatterLossy, field.line, message));
            } else {
                continue;
            }
        }
        let key = match field.level {
            Level::Top => field.key.as_ref().into(),
            Level::Metadata => format!("metadata.{}", field.key).into(),
        };
        header.others.push((key, folded(&field.text).into()));
    }
    header
}

fn winner(fields: &[Field<'_>], key: &str) -> Option<usize> {
    let rank = |f: &Field<'_>| (f.level == Level::Metadata, f.text.trim().is_empty());
    let candidates = fields.iter().enumerate().filter(|(_, f)| f.key == key);
    candidates.min_by_key(|(_, f)| rank(f)).map(|(index, _)| index)
}

/// Puts a value into its place; `false` when it does not fit there (a date that is none).
fn put(header: &mut Header, key: &str, text: &str) -> bool {
    match key {
        "name" => header.name = Some(text.into()),
        "description" => header.description = Some(text.into()),
        "type" => header.kind = MemoryType::from_value(text),
        "originSessionId" => header.origin_session = Some(text.into()),
        "modified" => header.modified = dates::parse(text),
        _ => header.updated_at = dates::parse(text),
    }
    match key {
        "modified" => header.modified.is_some(),
        "updatedAt" => header.updated_at.is_some(),
        _ => true,
    }
}

/// The line of a name that the client wiped: an older client that met broken YAML rewrote it as `name: ""`
/// and added its own keys (CLIENT_FACTS D5, measured on 2.1.197).
fn wiped(header: &Header, yaml: &str) -> Option<usize> {
    let rewritten = || header.others.iter().any(|(key, _)| &**key == "metadata.node_type");
    if header.name.as_deref() != Some("") || !rewritten() {
        return None;
    }
    yaml.lines().position(|line| line.trim_end() == "name: \"\"")
}

fn is_fence(bytes: &[u8], line: &Range<usize>) -> bool {
    let line = bytes.get(line.clone()).unwrap_or_default();
    line.strip_prefix(b"---").is_some_and(|rest| rest.iter().all(|b| matches!(b, b' ' | b'\t')))
}

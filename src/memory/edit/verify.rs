//! Reads a memory before and after an edit and says what else would come out different.

use super::{FieldSpan, Place, Refused, Style, scan};
use crate::memory::document::Document;
use serde_yaml::{Mapping, Value};

/// What an edit is meant to change.
#[derive(Clone, Copy)]
pub(super) enum Meant<'a> {
    /// This field has this text.
    Set(Place, &'a str, &'a str),
    /// This field is gone.
    Removed(Place, &'a str),
    /// No field changes its text; what YAML reads may.
    SameTexts,
}

/// Checks that `after` differs from `before` in what was meant and in nothing else.
///
/// # Errors
/// What else would change, in words.
pub(super) fn check(before: &[u8], after: &[u8], meant: Meant<'_>) -> Result<(), Refused> {
    let (old, new) = (Document::parse(before), Document::parse(after));
    let body =
        |bytes: &[u8], document: &Document| bytes.get(document.body.clone()).unwrap_or_default().to_vec();
    let (old_body, new_body) = (body(before, &old), body(after, &new));
    // A frontmatter that is added stands apart from the body by an empty line.
    let same = new_body == old_body || (old.frontmatter.is_none() && without_blank(&new_body) == old_body);
    if !same || new.frontmatter.is_none() {
        return Err(Refused::new("the frontmatter would end elsewhere, so that the body would change"));
    }
    let yaml = |bytes: &[u8], document: &Document| {
        let range = document.frontmatter.as_ref().map_or(0..0, |block| block.yaml.clone());
        (bytes.get(range.clone()).unwrap_or_default().to_vec(), scan::scan(bytes, range))
    };
    let ((old_yaml, old_fields), (new_yaml, new_fields)) = (yaml(before, &old), yaml(after, &new));
    if dashes(&new_yaml) > dashes(&old_yaml) {
        return Err(Refused::new("there would be a `---` in the frontmatter, where the client would end it"));
    }
    compare_fields(&old_fields, &new_fields, meant)?;
    compare_yaml(&old_yaml, &new_yaml, meant)
}

fn without_blank(body: &[u8]) -> &[u8] {
    match body {
        [b'\r', b'\n', rest @ ..] | [b'\n' | b'\r', rest @ ..] => rest,
        body => body,
    }
}

fn dashes(yaml: &[u8]) -> usize {
    memchr::memmem::find_iter(yaml, b"---").count()
}

/// The fields as found line by line, in their order.
fn compare_fields(old: &[FieldSpan], new: &[FieldSpan], meant: Meant<'_>) -> Result<(), Refused> {
    let target = match meant {
        Meant::Set(place, key, _) | Meant::Removed(place, key) => Some((place, key)),
        Meant::SameTexts => None,
    };
    let is_target = |f: &&FieldSpan| Some((f.place, f.key.as_str())) == target;
    // `metadata` itself comes and goes with what stands under it.
    let others = |fields: &[FieldSpan]| -> Vec<(Place, String, String)> {
        let kept = fields.iter().filter(|f| !is_target(f) && !is_container(f));
        kept.map(|f| (f.place, f.key.clone(), f.text.clone())).collect()
    };
    if others(old) != others(new) {
        return Err(Refused::new("another field would come out different"));
    }
    let found: Vec<&FieldSpan> = new.iter().filter(is_target).collect();
    match (meant, found.as_slice()) {
        (Meant::SameTexts, _) | (Meant::Removed(..), []) => Ok(()),
        (Meant::Set(_, _, text), [field]) if field.text == text => Ok(()),
        (Meant::Removed(..), _) => Err(Refused::new("the field would still be there")),
        (Meant::Set(..), _) => Err(Refused::new("the new text would not read back as it is")),
    }
}

fn is_container(field: &FieldSpan) -> bool {
    field.place == Place::Top
        && field.key == "metadata"
        && matches!(field.style, Style::Empty | Style::Nested)
}

/// The same as YAML reads it, when it can read what stands there before; what was valid stays so.
fn compare_yaml(old: &[u8], new: &[u8], meant: Meant<'_>) -> Result<(), Refused> {
    let read = |yaml: &[u8]| match serde_yaml::from_slice::<Value>(yaml) {
        Ok(Value::Mapping(map)) => Some(map),
        Ok(Value::Null) => Some(Mapping::new()),
        _ => None,
    };
    let expected = read(old);
    let Some(mut found) = read(new) else {
        return match expected {
            Some(_) => Err(Refused::new("the frontmatter would not be valid YAML any more")),
            None => Ok(()),
        };
    };
    if let Meant::Set(place, key, text) = meant {
        let value = inner(&found, place).and_then(|map| map.get(key));
        if !value.is_some_and(|value| is(value, text)) {
            return Err(Refused::new("YAML would read the new text otherwise than it is"));
        }
    }
    // What was broken before has no values that could change.
    let Some(mut expected) = expected else { return Ok(()) };
    if let Meant::Set(place, key, _) | Meant::Removed(place, key) = meant {
        for map in [&mut expected, &mut found] {
            take(map, place, key);
        }
    }
    if matches!(meant, Meant::SameTexts) {
        // The texts were compared; the keys and their order are left.
        let keys = |map: &Mapping| map.keys().cloned().collect::<Vec<_>>();
        return if keys(&expected) == keys(&found) {
            Ok(())
        } else {
            Err(Refused::new("another field would come out different"))
        };
    }
    if expected.iter().eq(found.iter()) {
        Ok(())
    } else {
        Err(Refused::new("another field would come out different"))
    }
}

/// Whether a value is this text: as a text, or as a number, date or list that stands there as it is.
fn is(value: &Value, text: &str) -> bool {
    match value {
        Value::String(value) => value == text,
        Value::Null => text.is_empty(),
        other => serde_yaml::from_str::<Value>(text).is_ok_and(|expected| expected == *other),
    }
}

fn inner(map: &Mapping, place: Place) -> Option<&Mapping> {
    match place {
        Place::Top => Some(map),
        Place::Metadata => map.get("metadata").and_then(Value::as_mapping),
    }
}

/// Takes a key out, and `metadata` with it when nothing else stands there.
fn take(map: &mut Mapping, place: Place, key: &str) {
    match place {
        Place::Top => {
            map.shift_remove(key);
        }
        Place::Metadata => {
            if let Some(Value::Mapping(inner)) = map.get_mut("metadata") {
                inner.shift_remove(key);
            }
        }
    }
    let empty = match map.get("metadata") {
        Some(Value::Mapping(inner)) => inner.is_empty(),
        Some(value) => value.is_null(),
        None => false,
    };
    if place == Place::Metadata && empty {
        map.shift_remove("metadata");
    }
}

//! What the newest client makes of a memory that its agent writes (CLIENT_FACTS D5; the form measured on 2.1.332): keys
//! under `metadata`, a blank line behind the frontmatter. Unlike the client, it keeps every comment and quotes what
//! would be read otherwise than it is written; a name stays as it was given.

use crate::memory::Time;
use crate::memory::document::Document;
use crate::memory::edit::{self, FieldSpan, Place, Refused, Style};
use chrono::SecondsFormat;

/// A memory as its agent wrote it, with what the client would have added: `node_type`, `originSessionId` where none
/// stands, `modified` as the time of the write. Without frontmatter it stays as it is, and so does whatever can't be
/// added without anything else changing.
#[must_use]
pub fn stamp(written: &[u8], session: Option<&str>, time: Time) -> Vec<u8> {
    if Document::parse(written).frontmatter.is_none() {
        return written.to_vec();
    }
    let mut bytes = quoted(written);
    if metadata(&bytes).is_none_or(|field| matches!(field.style, Style::Empty | Style::Nested)) {
        bytes = with_node_type(&bytes).unwrap_or(bytes);
        bytes = with_type_moved(&bytes).unwrap_or(bytes);
        bytes = with_session(&bytes, session).unwrap_or(bytes);
        bytes = with_time(&bytes, time).unwrap_or(bytes);
    }
    with_blank_line(bytes)
}

/// A memory without what [`stamp`] added, as far as that can be told: what its agent believes to have written.
#[must_use]
pub fn unstamped(bytes: &[u8], session: Option<&str>) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for key in ["node_type", "originSessionId", "modified"] {
        let is_ours = |field: &FieldSpan| match key {
            "node_type" => field.text == "memory",
            "originSessionId" => Some(field.text.as_str()) == session,
            _ => true,
        };
        if find(&bytes, Place::Metadata, key).is_some_and(|field| is_ours(&field)) {
            bytes = edit::remove_field(&bytes, Place::Metadata, key).unwrap_or(bytes);
        }
    }
    bytes
}

/// What is cut at ` #` or not read at all gets quotes: the client of 2.1.332 quotes, that of 2.1.197 loses it.
fn quoted(written: &[u8]) -> Vec<u8> {
    let mut bytes = written.to_vec();
    for (place, key) in edit::repairable(written) {
        if matches!(key.as_str(), "name" | "description") {
            bytes = edit::repair_field(&bytes, place, &key).unwrap_or(bytes);
        }
    }
    edit::repair_broken(&bytes).unwrap_or(bytes)
}

fn find(bytes: &[u8], place: Place, key: &str) -> Option<FieldSpan> {
    edit::fields(bytes).into_iter().find(|field| field.place == place && field.key == key)
}

fn metadata(bytes: &[u8]) -> Option<FieldSpan> {
    find(bytes, Place::Top, "metadata")
}

/// It stands first, as the client writes it.
fn with_node_type(bytes: &[u8]) -> Result<Vec<u8>, Refused> {
    if find(bytes, Place::Metadata, "node_type").is_some() {
        return Ok(bytes.to_vec());
    }
    let fields = edit::fields(bytes);
    let first = fields.iter().find(|field| field.place == Place::Metadata);
    let Some(first) = first else { return edit::set_field(bytes, Place::Metadata, "node_type", "memory") };
    let line = format!("{}node_type: memory{}", " ".repeat(first.indent), edit::line_end(bytes));
    let (head, tail) = bytes.split_at(first.lines.start.min(bytes.len()));
    let after = [head, line.as_bytes(), tail].concat();
    // As many fields as before and this one, or it does not stand where it should.
    if edit::fields(&after).len() == fields.len() + 1 { Ok(after) } else { Ok(bytes.to_vec()) }
}

fn with_type_moved(bytes: &[u8]) -> Result<Vec<u8>, Refused> {
    let top = find(bytes, Place::Top, "type");
    let Some(field) = top.filter(|_| find(bytes, Place::Metadata, "type").is_none()) else {
        return Ok(bytes.to_vec());
    };
    // A comment beside it would go with its line.
    let line = bytes.get(field.lines.clone()).unwrap_or_default();
    let simple = matches!(field.style, Style::Plain | Style::Single | Style::Double);
    if !simple || line.contains(&b'#') {
        return Ok(bytes.to_vec());
    }
    let without = edit::remove_field(bytes, Place::Top, "type")?;
    edit::set_field(&without, Place::Metadata, "type", &field.text)
}

fn with_session(bytes: &[u8], session: Option<&str>) -> Result<Vec<u8>, Refused> {
    const KEY: &str = "originSessionId";
    let has = [Place::Top, Place::Metadata].into_iter().any(|place| find(bytes, place, KEY).is_some());
    match session.filter(|_| !has) {
        Some(session) => edit::set_field(bytes, Place::Metadata, KEY, session),
        None => Ok(bytes.to_vec()),
    }
}

fn with_time(bytes: &[u8], time: Time) -> Result<Vec<u8>, Refused> {
    const KEY: &str = "modified";
    let place = if find(bytes, Place::Top, KEY).is_some() { Place::Top } else { Place::Metadata };
    edit::set_field(bytes, place, KEY, &time.to_rfc3339_opts(SecondsFormat::Millis, true))
}

fn with_blank_line(bytes: Vec<u8>) -> Vec<u8> {
    let start = Document::parse(&bytes).body.start;
    let Some((head, body)) = bytes.split_at_checked(start) else { return bytes };
    if body.starts_with(b"\n") || body.starts_with(b"\r") || !head.ends_with(b"\n") && !head.ends_with(b"\r")
    {
        return bytes;
    }
    [head, edit::line_end(&bytes).as_bytes(), body].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at() -> Time {
        "2026-03-05T10:00:00.123Z".parse().unwrap()
    }

    fn stamped(text: &str) -> String {
        String::from_utf8(stamp(text.as_bytes(), Some("s-1"), at())).unwrap()
    }

    const END: &str = "  originSessionId: s-1\n  modified: 2026-03-05T10:00:00.123Z\n---\n\n";

    #[test]
    fn it_is_as_the_client_makes_it() {
        // Each measured on 2.1.332.
        for (written, head, body) in [
            (
                "---\nname: flat\ndescription: A flat one\ntype: user\n---\nFact.\n",
                "---\nname: flat\ndescription: A flat one\nmetadata:\n  node_type: memory\n  type: user\n",
                "Fact.\n",
            ),
            (
                "---\nname: meta\ndescription: m\nmetadata:\n  type: feedback\n---\n\nFact.",
                "---\nname: meta\ndescription: m\nmetadata:\n  node_type: memory\n  type: feedback\n",
                "Fact.",
            ),
            (
                "---\nname: hash\ndescription: has # hash and: colon\nmetadata:\n  type: feedback\n---\nBody",
                "---\nname: hash\ndescription: \"has # hash and: colon\"\nmetadata:\n  node_type: memory\n  type: feedback\n",
                "Body",
            ),
            ("---\nname: x\n---\n", "---\nname: x\nmetadata:\n  node_type: memory\n", ""),
        ] {
            assert_eq!(stamped(written), format!("{head}{END}{body}"));
        }
        let own = "---\nname: own\nmetadata:\n  node_type: other\n  originSessionId: mine\n  modified: 2020-01-01T00:00:00.000Z\n---\n\n\n\nBody\n";
        assert_eq!(stamped(own), own.replace("2020-01-01T00:00:00.000Z", "2026-03-05T10:00:00.123Z"));
    }

    #[test]
    fn nothing_that_was_written_is_lost() {
        assert_eq!(stamped("Only text\n"), "Only text\n");
        let odd = "---\nname: A Name\n# a comment\nextra: [a, b]\ntype: user # kept\n---\nB\n";
        let after = stamped(odd);
        for part in
            ["name: A Name\n", "# a comment\n", "extra: [a, b]\n", "type: user # kept\n", "---\n\nB\n"]
        {
            assert!(after.contains(part), "{part}: {after}");
        }
        let broken = "---\nname: a: b: c\ndescription: [x\n---\nB\n";
        let after = stamped(broken);
        assert!(after.contains("a: b: c") && after.contains("[x") && after.ends_with("B\n"), "{after}");
        let never_closed = "---\nname: a\n";
        assert_eq!(stamped(never_closed), never_closed);
        let flow = "---\nname: a\nmetadata: {type: user}\n---\nB\n";
        assert_eq!(stamped(flow), "---\nname: a\nmetadata: {type: user}\n---\n\nB\n");
        let crlf = "---\r\nname: x\r\n---\r\nB\r\n";
        let after = stamped(crlf);
        assert_eq!(after.matches('\n').count(), after.matches("\r\n").count(), "{after:?}");
        // Twice is as good as once.
        for text in [odd, broken, flow, crlf, "---\nname: x\n---\n"] {
            assert_eq!(stamped(&stamped(text)), stamped(text));
        }
        assert!(stamp(b"---\nname: \xff\n---\nB", Some("s"), at()).ends_with(b"B"));
    }

    #[test]
    fn an_agent_can_go_on_from_what_it_wrote() {
        let written = "---\nname: meta\nmetadata:\n  type: user\n---\n\nFact.\n";
        let back = unstamped(stamped(written).as_bytes(), Some("s-1"));
        assert_eq!(String::from_utf8(back).unwrap(), written);
    }
}

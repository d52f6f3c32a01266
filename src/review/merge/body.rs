//! The text of several memories as one, for the person to adapt.

use crate::memory::document::Document;
use crate::memory::edit::line_end;
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Snapshot};
use crate::review::edit::{find, named};
use crate::review::plan::Refusal;

/// The bodies of a memory and of others, one after the other, blank lines between; LF as line end.
///
/// # Errors
/// When one of them is not in the store, or is a link.
pub fn composed(snapshot: &Snapshot, keep: &RelPath, others: &[RelPath]) -> Result<String, Refusal> {
    let all = std::iter::once(keep).chain(others.iter().filter(|path| *path != keep));
    let texts = all.map(|path| Ok(body_text(find(snapshot, path)?))).collect::<Result<Vec<_>, Refusal>>()?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
    Ok(texts.join("\n\n"))
}

/// A memory with another body; its frontmatter, and the blank lines before and behind the body, keep their bytes.
///
/// # Errors
/// When there is no such memory, it is a link, or the text would be read as frontmatter.
pub fn with_body(snapshot: &Snapshot, path: &RelPath, text: &str) -> Result<Vec<u8>, Refusal> {
    let memory = find(snapshot, path)?;
    let (head, old) = memory.bytes.split_at_checked(memory.document.body.start).unwrap_or_default();
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let before = old.iter().take_while(|byte| is_end(byte)).count();
    let behind = old.iter().rev().take_while(|byte| is_end(byte)).count();
    let end = line_end(&memory.bytes);
    let text = tidy(text).replace('\n', end);
    let mut bytes = head.to_vec();
    if before == old.len() {
        // There was none: as the client writes it.
        let open = !head.is_empty() && !head.ends_with(b"\n") && !head.ends_with(b"\r");
        let ends = if head.is_empty() { 0 } else { 1 + usize::from(open) };
        bytes.extend(std::iter::repeat_n(end.as_bytes(), ends).flatten());
        bytes.extend(text.bytes());
        bytes.extend(end.bytes());
    } else {
        bytes.extend(old.iter().take(before));
        bytes.extend(text.bytes());
        bytes.extend(old.iter().skip(old.len() - behind));
    }
    let read = Document::parse(&bytes);
    if bytes.get(read.body.clone()).map(<[u8]>::trim_ascii) != Some(text.trim().as_bytes())
        || read.header != memory.document.header
    {
        return Err(Refusal {
            what: format!("{}: the text would be read as frontmatter; nothing was changed", named(memory)),
            hint: "begin it with something else than ---".into(),
        });
    }
    Ok(bytes)
}

fn body_text(memory: &Memory) -> String {
    tidy(&memory.body())
}

/// LF as line end, without empty lines at the edges.
fn tidy(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").trim_matches('\n').trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::rename::tests::store;

    fn path(name: &str) -> RelPath {
        RelPath::new(name).unwrap()
    }

    #[test]
    fn bodies_stand_one_after_the_other() {
        let store = store(&[
            ("a.md", "---\nname: a\n---\n\nOne.\n"),
            ("b.md", "---\nname: b\n---\r\nTwo.\r\n\r\nMore."),
            ("c.md", "---\nname: c\n---\n\n"),
        ]);
        let text = composed(&store, &path("a.md"), &[path("b.md"), path("a.md"), path("c.md")]).unwrap();
        assert_eq!(text, "One.\n\nTwo.\n\nMore.");
        assert!(composed(&store, &path("a.md"), &[path("x.md")]).is_err());
    }

    #[test]
    fn only_the_body_changes() {
        for (old, new) in [
            ("---\nname: a # x\n---\n\n\nOne.\n", "---\nname: a # x\n---\n\n\nTwo.\n\nMore.\n"),
            ("---\r\nname: a\r\n---\r\nOne.", "---\r\nname: a\r\n---\r\nTwo.\r\n\r\nMore."),
            ("---\nname: a\n---\n", "---\nname: a\n---\n\nTwo.\n\nMore.\n"),
            ("---\nname: a\n---", "---\nname: a\n---\n\nTwo.\n\nMore.\n"),
            ("One.\n", "Two.\n\nMore.\n"),
            ("", "Two.\n\nMore.\n"),
        ] {
            let store = store(&[("a.md", old)]);
            let bytes = with_body(&store, &path("a.md"), "\nTwo.\n\nMore.\n").unwrap();
            assert_eq!(String::from_utf8(bytes).unwrap(), new, "{old:?}");
        }
    }

    #[test]
    fn a_text_that_would_be_frontmatter_is_refused() {
        let store = store(&[("a.md", "One.\n"), ("b.md", "---\nname: b\n---\n\nOne.\n")]);
        assert!(with_body(&store, &path("a.md"), "---\nname: x\n---\nTwo.").is_err());
        assert!(with_body(&store, &path("b.md"), "---\nname: x\n---\nTwo.").is_ok(), "a rule in the body");
    }
}

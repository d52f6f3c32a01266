//! What a link's destination names, and how a path is written as one.

use crate::memory::index::Target;
use crate::memory::path::RelPath;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// The memory that a link's destination names: a path to a Markdown file inside the store. `None` for
/// other files, URLs, absolute paths, places outside the store, and the index itself.
#[must_use]
pub fn of_destination(destination: &str) -> Option<Target> {
    let path = destination.split('#').next().unwrap_or_default().trim();
    let scheme = path.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+.-".contains(c))
    });
    if scheme {
        return None;
    }
    let bytes = decoded(path);
    let path = RelPath::new(OsStr::from_bytes(&bytes))?;
    let markdown = path.as_path().extension().is_some_and(|end| end.eq_ignore_ascii_case("md"));
    (markdown && !path.is_index()).then_some(Target::File(path))
}

/// The memory that a wikilink's inside names: without what is shown instead (`|`) and the heading (`#`).
/// `None` when nothing is left, or it is no name at all but code (`[["x"]]`, `[[ -f x ]]`).
#[must_use]
pub fn of_wikilink(inside: &str) -> Option<Target> {
    let name = inside.split(['|', '#']).next().unwrap_or_default().trim().trim_end_matches('\\');
    let starts = name.starts_with(|first: char| first.is_alphanumeric() || "._/".contains(first));
    let plain = !name.contains(['"', '`', '$', '[', ']', '\n', '\r']);
    let index = name == "MEMORY" || name == "MEMORY.md";
    (starts && plain && !index).then(|| Target::Name(name.to_owned()))
}

/// A path as the destination of a link: what would end or change it is percent-encoded, letters of any
/// script stand as they are.
#[must_use]
pub fn to_destination(path: &RelPath) -> String {
    let mut out = String::new();
    for chunk in path.as_path().as_os_str().as_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            if c.is_control() || c.is_whitespace() || "()<>%\\#?:".contains(c) {
                let mut buffer = [0; 4];
                c.encode_utf8(&mut buffer).bytes().for_each(|byte| percent(&mut out, byte));
            } else {
                out.push(c);
            }
        }
        chunk.invalid().iter().for_each(|&byte| percent(&mut out, byte));
    }
    out
}

fn percent(out: &mut String, byte: u8) {
    out.push('%');
    for half in [byte >> 4, byte & 15] {
        out.extend(char::from_digit(half.into(), 16).map(|digit| digit.to_ascii_uppercase()));
    }
}

fn decoded(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let digit = |at: usize| tail.get(at).and_then(|&d| char::from(d).to_digit(16));
        match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                out.extend(u8::try_from(high * 16 + low));
                rest = tail.get(2..).unwrap_or_default();
            }
            _ => {
                out.push(first);
                rest = tail;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn destinations() {
        let file = |text: &str| match of_destination(text) {
            Some(Target::File(path)) => Some(path.to_str_lossy().into_owned()),
            _ => None,
        };
        for (text, path) in [
            ("x.md", "x.md"),
            ("./x.md", "x.md"),
            ("sub/x.md#part", "sub/x.md"),
            ("a%20b.md", "a b.md"),
            ("100%.md", "100%.md"),
            ("caf%C3%A9.md", "café.md"),
            ("X.MD", "X.MD"),
        ] {
            assert_eq!(file(text).as_deref(), Some(path), "{text}");
        }
        for text in [
            "https://example.com/x.md",
            "file:///x.md",
            "/x.md",
            "../x.md",
            "%2e%2e/x.md",
            "a/../../x.md",
            "MEMORY.md",
            "./MEMORY.md#top",
            "script.py",
            "dir/",
            "",
            "#part",
        ] {
            assert_eq!(file(text), None, "{text}");
        }
    }

    #[test]
    fn wikilinks() {
        assert_eq!(of_wikilink("audit-2026|the audit"), Some(Target::Name("audit-2026".into())));
        assert_eq!(of_wikilink("audit#why"), Some(Target::Name("audit".into())));
        for text in ["\"x\"", " -f x ]", "", "#x", "$x", "MEMORY"] {
            assert_eq!(of_wikilink(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_written_destination_reads_back(name in "[^/\0]{1,20}") {
            if let Some(path) = RelPath::new(format!("{name}.md")).filter(|path| !path.is_index()) {
                prop_assert_eq!(of_destination(&to_destination(&path)), Some(Target::File(path)));
            }
        }
    }
}

//! What the client takes off a file before it sends it (CLIENT_FACTS 0, B1, B8, B9), for every file but the index,
//! which has limits besides ([`crate::prompt::limits`]) and is the only one that 2.1.332 cleans (measured).

use crate::prompt::limits;
use crate::prompt::strip::without_comments;
use crate::prompt::versions::Rules;
use crate::prompt::walk::Trim;

pub use crate::prompt::strip::is_js_blank as is_blank;

/// A file taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// What is sent.
    pub body: String,
    /// The text in which imports are looked for: without frontmatter, with comments.
    pub source: String,
    /// The YAML of the frontmatter, when there is one.
    pub yaml: Option<String>,
}

/// Takes a file apart.
#[must_use]
pub fn parts(bytes: &[u8], rules: &Rules, trim: Trim) -> Parts {
    let decoded = String::from_utf8_lossy(bytes);
    let written = decoded.as_ref();
    let unmarked =
        written.strip_prefix('\u{FEFF}').filter(|rest| rules.sanitises && frontmatter(rest).is_some());
    let written = unmarked.unwrap_or(written);
    let (yaml, source) = match frontmatter(written) {
        Some((yaml, rest)) => (Some(yaml.to_owned()), rest),
        None => (None, written),
    };
    let body = without_comments(source, &limits::Rules::from(rules));
    let body = match trim {
        Trim::Yes => body.trim_matches(is_blank).to_owned(),
        Trim::No => body,
    };
    Parts { body, source: source.to_owned(), yaml }
}

/// The YAML of a frontmatter, and what follows it: opened by `---` and blanks to the line's end at the very start,
/// closed by the first `---` anywhere; the blanks behind it, line ends included, go with it.
fn frontmatter(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix("---")?;
    let blanks = rest.len() - rest.trim_start_matches(is_blank).len();
    let opened = rest.get(..blanks)?.rfind('\n')? + 1;
    let (yaml, after) = rest.get(opened..)?.split_once("---")?;
    Some((yaml, after.trim_start_matches(is_blank)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &str, version: &str, trim: Trim) -> String {
        parts(text.as_bytes(), &Rules::of(version).unwrap(), trim).body
    }

    #[test]
    fn frontmatter_ends_at_the_first_three_dashes_anywhere() {
        for (text, want) in [
            ("---\nname: x\n---\nbody\n", "body"),
            ("---  \r\nname: x\r\n---\r\nbody\r\n", "body"),
            ("---\nkey: a---b\n---\nc\n", "b\n---\nc"),
            ("---\n ---body\n", "body"),
            ("---\nname: x\nbody\n", "---\nname: x\nbody"),
            ("\n---\nname: x\n---\nbody\n", "---\nname: x\n---\nbody"),
            ("----\nx\n----\n", "----\nx\n----"),
            ("---\nx\n...\n", "---\nx\n..."),
            ("---x\ny\n---\n", "---x\ny\n---"),
        ] {
            for version in ["2.1.100", "2.1.197", "2.1.332"] {
                assert_eq!(body(text, version, Trim::Yes), want, "{text:?} {version}");
            }
        }
    }

    #[test]
    fn a_byte_order_mark_hides_the_frontmatter_until_332() {
        let text = "\u{FEFF}---\na: b\n---\nbody\n";
        assert_eq!(body(text, "2.1.100", Trim::Yes), "---\na: b\n---\nbody");
        assert_eq!(body(text, "2.1.197", Trim::Yes), "---\na: b\n---\nbody");
        assert_eq!(body(text, "2.1.332", Trim::Yes), "body");
        assert_eq!(body(text, "2.1.332", Trim::No), "body\n");
    }

    #[test]
    fn nothing_is_cleaned_but_the_index() {
        let text = "a\r\nb\rc\u{2028}d\0e\u{85}f\u{FEFF}g";
        for version in ["2.1.100", "2.1.197", "2.1.332"] {
            assert_eq!(body(text, version, Trim::Yes), text);
        }
    }

    #[test]
    fn javascript_trims_and_nothing_else() {
        assert_eq!(body("\u{A0}\u{3000}\u{FEFF} a \u{85}\n", "2.1.197", Trim::Yes), "a \u{85}");
        assert_eq!(body("---\na: b\n---\n\n  x\n\n", "2.1.197", Trim::No), "x\n\n");
        assert_eq!(body(" x\n\n", "2.1.197", Trim::No), " x\n\n");
    }

    #[test]
    fn a_bad_byte_is_a_replacement_character() {
        let bytes = b"a \xFF\xFE b";
        assert_eq!(parts(bytes, &Rules::default(), Trim::Yes).body, "a \u{FFFD}\u{FFFD} b");
    }
}

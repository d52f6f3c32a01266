//! A file of the store as prose: the sentences in which something is told, at their places in the file.
//!
//! What is only shown (code, addresses, quoted names, comments, what is struck out) is blanked, byte for byte, so that
//! a place in the prose is a place in the file.

use crate::memory::document::Document;
use crate::memory::lines::Lines;
use crate::memory::pattern::Pattern;
use crate::memory::snapshot::Memory;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

/// What stands for a blanked byte: no letter, no blank.
pub(super) const BLANK: char = '\0';

/// The prose of a file.
pub(super) struct Prose {
    /// As long as the file.
    text: String,
    paragraphs: Vec<Paragraph>,
}

struct Paragraph {
    range: Range<usize>,
    /// The heading above it, when it is text below one.
    heading: Option<Range<usize>>,
}

/// One sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence<'a> {
    /// With the blanked parts.
    pub text: &'a str,
    /// Where it starts in the file.
    pub start: usize,
    /// The paragraph or list item that holds it, up to the sentence.
    pub before: &'a str,
    /// The rest of the paragraph behind it.
    pub after: &'a str,
    /// The heading above.
    pub heading: &'a str,
}

/// The file as text of the same length: a byte that is not UTF-8 becomes a sign of one byte.
pub(super) fn same_length(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(std::iter::repeat_n('\x1A', chunk.invalid().len()));
    }
    Cow::Owned(text)
}

impl Prose {
    /// The description and the body of a memory.
    pub(super) fn of(memory: &Memory) -> Self {
        let text = same_length(&memory.bytes);
        let yaml = memory.document.frontmatter.as_ref().map(|block| block.yaml.clone());
        let description = yaml.and_then(|yaml| description(&text, yaml));
        Self::within(&text, description, memory.document.body.clone())
    }

    /// The prose of a file without a description.
    pub(super) fn of_body(bytes: &[u8], document: &Document) -> Self {
        Self::within(&same_length(bytes), None, document.body.clone())
    }

    /// The file with the blanked parts, as long as the file.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    fn within(text: &str, description: Option<Range<usize>>, body: Range<usize>) -> Self {
        let mut blanks = Vec::new();
        let mut paragraphs: Vec<_> =
            description.into_iter().map(|range| Paragraph { range, heading: None }).collect();
        paragraphs.extend(body_paragraphs(text, body, &mut blanks));
        for paragraph in &paragraphs {
            shown_only(text, &paragraph.range, &mut blanks);
        }
        Self { text: blanked(text, &blanks), paragraphs }
    }

    /// The sentences, in order.
    pub(super) fn sentences(&self) -> impl Iterator<Item = Sentence<'_>> {
        self.paragraphs.iter().flat_map(|paragraph| {
            let text = self.text.get(paragraph.range.clone()).unwrap_or_default();
            let heading =
                paragraph.heading.clone().and_then(|range| self.text.get(range)).unwrap_or_default();
            let at = paragraph.range.start;
            cut(text).into_iter().map(move |range| Sentence {
                text: text.get(range.clone()).unwrap_or_default(),
                start: at + range.start,
                before: text.get(..range.start).unwrap_or_default(),
                after: text.get(range.end..).unwrap_or_default(),
                heading,
            })
        })
    }
}

/// The value of `description`, with the lines that continue it.
fn description(text: &str, yaml: Range<usize>) -> Option<Range<usize>> {
    let block = text.get(..yaml.end)?;
    let mut found: Option<Range<usize>> = None;
    for line in Lines::new(block.as_bytes(), yaml.start) {
        let this = text.get(line.clone())?;
        match &mut found {
            None if this.trim_start().starts_with("description:") => {
                let key = this.find(':')? + 1;
                found = Some(line.start + key..line.end);
            }
            Some(range) if this.starts_with([' ', '\t']) && !KEY.is_match(this) => range.end = line.end,
            Some(_) => break,
            None => {}
        }
    }
    found
}

static KEY: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"^\s*[A-Za-z_]+:(?:\s|$)"));

/// Paragraphs of the body: lines that belong together, list items, rows of tables, headings.
fn body_paragraphs(text: &str, body: Range<usize>, blanks: &mut Vec<Range<usize>>) -> Vec<Paragraph> {
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    let mut fence: Option<&str> = None;
    let mut heading = None;
    let mut open = false;
    for line in Lines::new(text.as_bytes(), body.start) {
        let this = text.get(line.clone()).unwrap_or_default();
        let trimmed = this.trim_start_matches([' ', '\t', '>']);
        let sign = ["```", "~~~"].into_iter().find(|sign| trimmed.starts_with(sign));
        if let Some(opened) = fence {
            blanks.push(line.clone());
            if sign == Some(opened) {
                fence = None;
            }
            continue;
        }
        if let Some(sign) = sign {
            blanks.push(line);
            (fence, open) = (Some(sign), false);
            continue;
        }
        if trimmed.is_empty() {
            open = false;
            continue;
        }
        let starts = trimmed.starts_with(['#', '|', '-', '*', '+']) || NUMBERED.is_match(trimmed);
        if trimmed.starts_with('#') {
            heading = Some(line.clone());
            paragraphs.push(Paragraph { range: line, heading: None });
            open = false;
        } else if open
            && !starts
            && let Some(last) = paragraphs.last_mut()
        {
            last.range.end = line.end;
        } else {
            paragraphs.push(Paragraph { range: line, heading: heading.clone() });
            open = !trimmed.starts_with('|');
        }
    }
    paragraphs
}

static NUMBERED: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"^\d{1,3}[.)]\s"));

/// What a paragraph shows rather than tells.
fn shown_only(text: &str, paragraph: &Range<usize>, blanks: &mut Vec<Range<usize>>) {
    let Some(part) = text.get(paragraph.clone()) else { return };
    if memchr::memchr3(b'`', b'"', b'[', part.as_bytes()).is_none()
        && part.is_ascii()
        && !OTHER.is_match(part)
    {
        return;
    }
    for found in SHOWN.find_iter(part) {
        blanks.push(paragraph.start + found.start()..paragraph.start + found.end());
    }
}

/// What [`SHOWN`] may start with, in ASCII, beside what is looked for faster.
static OTHER: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"://|~~|<!--|(?:^|[\s(])'"));

/// Code, comments, addresses, link destinations, what is struck out, and what a few words in quotes name.
static SHOWN: LazyLock<Pattern> = LazyLock::new(|| {
    let quoted = r#""[^"\n]{1,48}"|“[^”\n]{1,48}”|„[^“”\n]{1,48}[“”]|«[^»\n]{1,48}»|「[^」\n]{1,60}」|『[^』\n]{1,60}』|‘[^’\n]{1,48}’|《[^》\n]{1,60}》"#;
    Pattern::new(&format!(
        r"(?s)``[^`].*?``|`[^`]+`|<!--.*?-->|~~[^~]+~~|\b[a-z][a-z0-9+.-]*://[^\s)>]+|\]\([^)\s]*\)|\[\[[^\]\n]*\]\]|{quoted}|(?:^|[\s(])'[^'\n]{{1,40}}'(?:[\s).,;:]|$)"
    ))
});

/// The text with what lies in the ranges blanked, as long as before. Line ends stay.
fn blanked(text: &str, blanks: &[Range<usize>]) -> String {
    if blanks.is_empty() {
        return text.to_owned();
    }
    let mut bytes = text.as_bytes().to_vec();
    for range in blanks {
        for byte in bytes.get_mut(range.clone()).unwrap_or_default() {
            if *byte != b'\n' && *byte != b'\r' {
                *byte = 0;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// Where the sentences of a paragraph are.
fn cut(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let wide = matches!(c, '。' | '！' | '？' | '；');
        let next_is_blank = chars.peek().is_none_or(|(_, next)| next.is_whitespace());
        if wide
            || (matches!(c, '!' | '?' | ';') && next_is_blank)
            || (c == '.' && next_is_blank && !abbreviates(text, at))
        {
            found.push(from..at + c.len_utf8());
            from = at + c.len_utf8();
        }
    }
    if text.get(from..).is_some_and(|rest| !rest.trim().is_empty()) {
        found.push(from..text.len());
    }
    found
}

/// Whether a full stop ends an abbreviation (`e.g.`) or a day's number (`5. März`) rather than a sentence.
fn abbreviates(text: &str, at: usize) -> bool {
    let word = text.get(..at).unwrap_or_default().rsplit(char::is_whitespace).next().unwrap_or_default();
    let numbered = !word.is_empty() && word.len() <= 2 && word.bytes().all(|b| b.is_ascii_digit());
    numbered
        || ["e.g", "i.e", "z.B", "z. B", "bzw", "ca", "p.ej", "ej", "vs", "approx"]
            .contains(&word.trim_start_matches('('))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(body: &str) -> Vec<String> {
        let prose = Prose::within(body, None, 0..body.len());
        prose.sentences().map(|one| one.text.trim().replace(BLANK, "")).collect()
    }

    #[test]
    fn what_is_told_and_what_is_only_shown() {
        for (body, expected) in [
            ("One. Two!\nthree 5. März e.g. four", &["One.", "Two!", "three 5. März e.g. four"][..]),
            ("- a\n- b\n  goes on\n\n| c | d |\n| e |", &["- a", "- b\n  goes on", "| c | d |", "| e |"]),
            ("```\nnext week\n```\nreal", &["real"]),
            ("run `since=yesterday` and \"next week\" or 'this week', don't", &["run  and  or don't"]),
            ("一。二！三", &["一。", "二！", "三"]),
            ("see https://example.com/today.html ok", &["see  ok"]),
            ("# Head\ntext", &["# Head", "text"]),
        ] {
            let found = sentences(body);
            assert_eq!(found, expected, "{body}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_keep_their_places() {
        assert_eq!(same_length(b"a\xFFb\xE6\x98c").len(), 6);
        assert_eq!(same_length("昨日".as_bytes()), "昨日");
    }
}

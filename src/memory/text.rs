//! Text that is safe to show: nothing that steers a terminal or hides from the eye gets through.
//!
//! A control character becomes its picture (`␛`), anything else unseen a note of its code (`‹U+202E›`).
//! What a script or an emoji needs stays: joiners between letters that join, one variation selector behind
//! a character that has variants, the three flags made of tags.

use regex::Regex;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::LazyLock;

/// `text` with every control, escape, bidirectional and invisible character replaced by a visible
/// placeholder. Line feeds and tabs are kept when `keep_lines` says so (CR LF is then shown as LF), else they
/// are replaced too.
#[must_use]
pub fn visible(text: &str, keep_lines: bool) -> Cow<'_, str> {
    if is_plain(text) && (keep_lines || !text.contains(['\n', '\t'])) {
        return Cow::Borrowed(text);
    }
    let mut shown: Option<String> = None;
    for (at, c, fate) in scan(text, keep_lines) {
        if fate == Fate::Stays {
            if let Some(shown) = &mut shown {
                shown.push(c);
            }
            continue;
        }
        let shown = shown.get_or_insert_with(|| text.get(..at).unwrap_or_default().to_owned());
        if fate == Fate::Replaced {
            push_placeholder(shown, c);
        }
    }
    shown.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// A word as a shell takes it: as it is, or in quotes where it needs them.
#[must_use]
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-~+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Text on one line that is safe to show: [`folded`], then [`visible`].
#[must_use]
pub fn one_line(text: &str) -> String {
    visible(&folded(text), false).into_owned()
}

/// Text on one line: line ends and tabs, with the blanks around them, become one blank; what else stands in it
/// stays.
#[must_use]
pub fn folded(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    if !text.contains(['\n', '\r', '\t']) {
        return Cow::Borrowed(text);
    }
    let parts = text.split(['\n', '\r', '\t']).map(str::trim).filter(|part| !part.is_empty());
    Cow::Owned(parts.collect::<Vec<_>>().join(" "))
}

/// What a program answered that was asked for JSON: all of it, or what is in its only code fence. `None`: nothing.
#[must_use]
pub fn unfenced(text: &str) -> Option<&str> {
    let text = text.trim().trim_start_matches('\u{FEFF}');
    if text.is_empty() {
        return None;
    }
    if text.starts_with('{') || text.matches("```").count() != 2 {
        return Some(text);
    }
    let inside = text.split("```").nth(1)?;
    // The first line names the language, if any.
    let (first, rest) = inside.split_once('\n')?;
    Some(if first.trim().chars().all(char::is_alphanumeric) { rest.trim() } else { inside.trim() })
}

/// Bytes as text, with U+FFFD for what is not UTF-8. Nearly all are, and that is checked several times faster than
/// mended.
#[must_use]
pub fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// The characters that [`visible`] replaces, line feeds, tabs and the CR of a CR LF apart, with their byte
/// offsets.
pub fn hidden(text: &str) -> impl Iterator<Item = (usize, char)> {
    let text = if is_plain(text) { "" } else { text };
    scan(text, true).filter(|(_, _, fate)| *fate == Fate::Replaced).map(|(at, c, _)| (at, c))
}

/// Whether nothing in a text can be hidden but line feeds and tabs. Nearly every text is so, and a pattern finds
/// that out much faster than a look at each character.
#[must_use]
pub fn is_plain(text: &str) -> bool {
    static UNSEEN: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(UNSEEN_CLASS).ok());
    UNSEEN.as_ref().is_some_and(|unseen| !unseen.is_match(text))
}

/// The characters of [`is_hidden`] but line feed and tab (a test compares the two).
const UNSEEN_CLASS: &str = r"[\x00-\x08\x0B-\x1F\x7F-\u{9F}\u{AD}\u{34F}\u{61C}\u{115F}\u{1160}\u{17B4}\u{17B5}\u{180B}-\u{180F}\u{200B}-\u{200F}\u{2028}-\u{202E}\u{2060}-\u{206F}\u{3164}\u{FE00}-\u{FE0F}\u{FEFF}\u{FFA0}\u{FFF0}-\u{FFFB}\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]";

#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Stays,
    Replaced,
    /// The CR of a CR LF where line ends are kept.
    Dropped,
}

fn scan(text: &str, keep_lines: bool) -> impl Iterator<Item = (usize, char, Fate)> {
    // The last character that stays: what a joiner or selector may follow.
    let mut before: Option<char> = None;
    // How many bytes from here on belong to a flag made of tags.
    let mut flag_end = 0;
    text.char_indices().map(move |(at, c)| {
        let after = || text.get(at + c.len_utf8()..).unwrap_or_default();
        let fate = match c {
            ' '..='~' => Fate::Stays,
            '\n' | '\t' if keep_lines => Fate::Stays,
            '\r' if keep_lines && after().starts_with('\n') => Fate::Dropped,
            _ if at < flag_end => Fate::Stays,
            FLAG => {
                flag_end = at + c.len_utf8() + flag_tags(after());
                Fate::Stays
            }
            ZWNJ | ZWJ if before.is_some_and(joins_on) && after().chars().next().is_some_and(joins) => {
                Fate::Stays
            }
            '\u{FE00}'..='\u{FE0F}' if before.is_some_and(has_variants) => Fate::Stays,
            '\u{E0100}'..='\u{E01EF}' if before.is_some_and(is_ideograph) => Fate::Stays,
            c if is_hidden(c) => Fate::Replaced,
            _ => Fate::Stays,
        };
        before = (fate == Fate::Stays).then_some(c);
        (at, c, fate)
    })
}

const ZWNJ: char = '\u{200C}';
const ZWJ: char = '\u{200D}';
/// The black flag that the flags of England, Scotland and Wales are made of.
const FLAG: char = '\u{1F3F4}';

fn flag_tags(after: &str) -> usize {
    // gbeng, gbsct and gbwls in tag characters, with the end tag.
    let is = |name: &str| {
        let mut tags = name.chars().filter_map(|c| char::from_u32(0xE0000 + c as u32)).chain(['\u{E007F}']);
        let mut chars = after.chars();
        tags.all(|tag| chars.next() == Some(tag))
    };
    if ["gbeng", "gbsct", "gbwls"].into_iter().any(is) { 6 * '\u{E007F}'.len_utf8() } else { 0 }
}

/// Characters that nobody sees, or that change what is seen of others.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}')
}

/// Whether a joiner beside this character has a use: scripts from Hebrew on and emoji.
fn joins(c: char) -> bool {
    c >= '\u{0590}' && !is_space_or_sign(c) && !is_hidden(c)
}

/// Whether a joiner behind this character has a use.
fn joins_on(c: char) -> bool {
    joins(c) || matches!(c, '\u{FE0E}' | '\u{FE0F}')
}

/// General punctuation and brackets: among them our own placeholders' signs.
fn is_space_or_sign(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '\u{2000}'..='\u{206F}' | '\u{2400}'..='\u{243F}' | '\u{3000}'..='\u{303F}')
}

/// Whether a variation selector behind this character has a use: keycaps, signs and emoji, CJK, Mongolian.
fn has_variants(c: char) -> bool {
    matches!(c, '0'..='9' | '#' | '*' | '\u{A9}' | '\u{AE}' | '\u{203C}' | '\u{2049}')
        || (c >= '\u{1000}' && !is_space_or_sign(c) && !is_hidden(c))
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

pub(super) fn push_placeholder(shown: &mut String, c: char) {
    let picture = match c {
        '\0'..='\x1F' => char::from_u32(0x2400 + c as u32),
        '\x7F' => Some('\u{2421}'),
        _ => None,
    };
    match picture {
        Some(picture) => shown.push(picture),
        // Writing to a string can't fail.
        None => drop(write!(shown, "‹U+{:04X}›", c as u32)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_pattern_knows_every_hidden_character() {
        for c in '\0'..=char::MAX {
            let hidden = is_hidden(c) && !matches!(c, '\n' | '\t');
            assert_eq!(is_plain(c.encode_utf8(&mut [0; 4])), !hidden, "U+{:04X}", c as u32);
        }
    }

    #[test]
    fn what_steers_or_hides_is_shown() {
        for (text, lines, expected) in [
            ("plain", false, "plain"),
            ("\x1b[31mred\x07", true, "␛[31mred␇"),
            ("del\x7f c1\u{9b}31m", true, "del␡ c1‹U+009B›31m"),
            ("a\r\nb\rc\n\td", true, "a\nb␍c\n\td"),
            ("a\r\nb\tc", false, "a␍␊b␉c"),
            ("rtl \u{202e}txt\u{2066}x\u{2069}", true, "rtl ‹U+202E›txt‹U+2066›x‹U+2069›"),
            ("pass\u{200b}wo\u{200d}rd\u{ad}", true, "pass‹U+200B›wo‹U+200D›rd‹U+00AD›"),
            ("a\u{2028}b\u{feff}c", true, "a‹U+2028›b‹U+FEFF›c"),
            ("tag\u{e0041}\u{e0042}", true, "tag‹U+E0041›‹U+E0042›"),
            ("😀\u{fe0f}\u{fe01}\u{fe02}", true, "😀\u{fe0f}‹U+FE01›‹U+FE02›"),
            ("x\u{e0100}", true, "x‹U+E0100›"),
            ("漢\u{200d}\u{fe0f}", true, "漢‹U+200D›‹U+FE0F›"),
            ("‹\u{200d}›", true, "‹‹U+200D››"),
        ] {
            assert_eq!(visible(text, lines), expected, "{text:?}");
        }
    }

    #[test]
    fn on_one_line() {
        for (text, expected) in [
            (" a ", "a"),
            ("a\r\nb\n\n  c\td\n", "a b c d"),
            ("a  b", "a  b"),
            ("a\x1b[0m\nb", "a␛[0m b"),
            ("\n", ""),
        ] {
            assert_eq!(one_line(text), expected, "{text:?}");
        }
    }

    #[test]
    fn what_writing_needs_stays() {
        for text in [
            "👩\u{200d}👩\u{200d}👧\u{200d}👦 🏳\u{fe0f}\u{200d}🌈 1\u{fe0f}\u{20e3} ⚠\u{fe0f} ❤\u{fe0f}",
            "می\u{200c}خواهم",
            "क्\u{200d}ष",
            "葛\u{e0100}城",
            "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} won",
            "e\u{301} — “quotes” … 漢字 한국어\u{a0}x",
        ] {
            assert!(matches!(visible(text, true), Cow::Borrowed(_)), "{text:?}");
            assert_eq!(hidden(text).next(), None, "{text:?}");
        }
    }

    #[test]
    fn hidden_says_where() {
        assert_eq!(hidden("a\r\n\tb\u{200b}c\x1b").collect::<Vec<_>>(), [(5, '\u{200b}'), (9, '\x1b')]);
    }

    /// Text with many of the characters that matter.
    fn odd() -> impl Strategy<Value = String> {
        let odd = prop_oneof![
            any::<char>(),
            prop::sample::select(vec![
                '\x1b',
                '\r',
                '\n',
                '\t',
                '\u{200b}',
                ZWJ,
                ZWNJ,
                '\u{fe0f}',
                '\u{202e}',
                '\u{e0100}',
                '\u{e0067}',
                FLAG,
                'a',
                '1',
                '漢',
                '👩',
                '\u{94d}',
                'ک',
                '‹',
                '\u{feff}',
                '\u{ad}',
            ]),
        ];
        prop::collection::vec(odd, 0..40).prop_map(|chars| chars.into_iter().collect())
    }

    proptest! {
        #[test]
        fn shown_text_is_clean_and_stays_so(text in odd(), keep_lines: bool) {
            let shown = visible(&text, keep_lines).into_owned();
            prop_assert!(!shown.chars().any(|c| c.is_control() && !(keep_lines && matches!(c, '\n' | '\t'))));
            let unseen = ['\u{202e}', '\u{200b}', '\u{2028}', '\u{feff}', '\u{ad}'];
            prop_assert!(!shown.contains(unseen));
            let again = visible(&shown, keep_lines);
            prop_assert_eq!(again.as_ref(), shown.as_str());
            prop_assert_eq!(hidden(&shown).next(), None);
        }
    }
}

//! Writes a text as one YAML value: in the style that stands there when it can hold the text, else in double
//! quotes, which hold every text.

use super::Style;
use std::fmt::Write;

/// How a text may be written at one place, best first. Each is then tried and checked.
pub(super) struct Site<'a> {
    /// The style that stands there.
    pub style: Style,
    /// The value as it stands there.
    pub old: &'a str,
    /// The key that it belongs to.
    pub key: &'a str,
    /// The indentation of that key, in blanks.
    pub indent: usize,
    /// The file's line end.
    pub line_end: &'a str,
}

/// What other YAML readers than this program's may take a text without quotes for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Null,
    Bool,
    Number,
    Date,
}

/// The ways to write `text`, best first.
pub(super) fn candidates(text: &str, site: &Site<'_>) -> Vec<String> {
    let mut ways = Vec::new();
    match site.style {
        Style::Plain | Style::Empty if plain_is_safe(text) && may_stay_plain(text, site) => {
            ways.push(text.to_owned());
        }
        Style::Single => ways.extend(single(text)),
        Style::Literal => ways.extend(literal(text, site)),
        Style::Folded => ways.extend(folded(text, site)),
        Style::Flow if is_flow(text) => return vec![text.to_owned()],
        Style::Flow | Style::Nested | Style::Other => return Vec::new(),
        _ => {}
    }
    ways.push(double(text));
    ways
}

/// In double quotes: every text can stand there. Line ends, control characters and what YAML takes for a line
/// end are escaped, and so is one of three dashes, since the client closes the frontmatter at the first
/// `---` anywhere (CLIENT_FACTS B8).
pub(super) fn double(text: &str) -> String {
    let mut written = String::with_capacity(text.len() + 2);
    written.push('"');
    let mut dashes = 0;
    for c in text.chars() {
        dashes = if c == '-' { dashes + 1 } else { 0 };
        // Writing to a string can't fail.
        let _ = match c {
            '"' => write!(written, "\\\""),
            '\\' => write!(written, "\\\\"),
            '\n' => write!(written, "\\n"),
            '\r' => write!(written, "\\r"),
            '\t' => write!(written, "\\t"),
            '-' if dashes == 3 => {
                dashes = 0;
                write!(written, "\\x2d")
            }
            c if is_special(c) && u32::from(c) < 0x100 => write!(written, "\\x{:02x}", u32::from(c)),
            c if is_special(c) && u32::from(c) < 0x1_0000 => write!(written, "\\u{:04x}", u32::from(c)),
            c if is_special(c) => write!(written, "\\U{:08x}", u32::from(c)),
            c => write!(written, "{c}"),
        };
    }
    written.push('"');
    written
}

/// Characters that don't stand for themselves in YAML: control characters, line ends of Unicode, byte order
/// marks, and what is not a character.
fn is_special(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') || u32::from(c) & 0xfffe == 0xfffe
}

fn single(text: &str) -> Option<String> {
    let fits = !text.contains("---") && !text.chars().any(is_special);
    fits.then(|| format!("'{}'", text.replace('\'', "''")))
}

fn is_flow(text: &str) -> bool {
    (text.starts_with('[') && text.ends_with(']') || text.starts_with('{') && text.ends_with('}'))
        && !text.contains("---")
        && !text.chars().any(is_special)
}

/// `|` with the lines of the text below it.
fn literal(text: &str, site: &Site<'_>) -> Option<String> {
    block(text, site, "|", &[])
}

/// `>` with one line for each line of the text; an empty line more keeps YAML from folding two into one.
fn folded(text: &str, site: &Site<'_>) -> Option<String> {
    block(text, site, ">", &[""])
}

/// A block scalar: its mark, a sign that says how many line ends close the text, its lines. `between` is put
/// behind each line that another one follows. What doesn't fit (a first line that starts with a blank) is
/// noticed when it is read back.
fn block(text: &str, site: &Site<'_>, mark: &str, between: &[&str]) -> Option<String> {
    let body = text.trim_end_matches('\n');
    let odd = |c: char| is_special(c) && c != '\n';
    if body.is_empty() || body.contains("---") || body.chars().any(odd) {
        return None;
    }
    let trailing = text.len() - body.len();
    let sign = ["-", ""].get(trailing).unwrap_or(&"+");
    let below = site.old.split(['\n', '\r']).skip(1).find(|line| !line.trim().is_empty());
    let blanks = below.map_or(0, |line| line.len() - line.trim_start_matches(' ').len());
    let lead = " ".repeat(if blanks > site.indent { blanks } else { site.indent + 2 });
    let count = body.split('\n').count();
    let mut written = format!("{mark}{sign}");
    for (number, line) in body.split('\n').enumerate() {
        written.push_str(site.line_end);
        if !line.is_empty() {
            written.push_str(&lead);
            written.push_str(line);
        }
        if !line.is_empty() && number + 1 < count {
            between.iter().for_each(|more| written.extend([site.line_end, more]));
        }
    }
    (1..trailing).for_each(|_| written.push_str(site.line_end));
    Some(written)
}

/// Whether a text without quotes reads as itself by its form: no indicator, no comment, no `: `.
pub(super) fn plain_is_safe(text: &str) -> bool {
    const INDICATORS: &str = "-?:,[]{}#&*!|>'\"%@`=";
    let edge = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || is_special(c));
    let cut = text.chars().zip(text.chars().skip(1)).any(|pair| match pair {
        (':', next) => next.is_whitespace(),
        (before, '#') => before.is_whitespace(),
        _ => false,
    });
    !edge(text.chars().next())
        && !edge(text.chars().next_back())
        && !text.starts_with(|c| INDICATORS.contains(c))
        && !text.starts_with("<<")
        && !text.ends_with(':')
        && !text.contains("---")
        && !text.chars().any(is_special)
        && !cut
}

/// A text that readers take for a date or number stays without quotes only where such a one is meant.
fn may_stay_plain(text: &str, site: &Site<'_>) -> bool {
    const TEXTS: [&str; 6] = ["name", "description", "type", "source", "reason", "application"];
    const DATES: [&str; 6] = ["modified", "updatedAt", "createdAt", "expiresAt", "created", "updated"];
    match kind(text) {
        Kind::Text => true,
        _ if TEXTS.contains(&site.key) => false,
        Kind::Date if DATES.contains(&site.key) => true,
        Kind::Number if site.key == "confidence" => true,
        same => site.style == Style::Plain && same == kind(site.old),
    }
}

/// What some YAML reader (1.1 or 1.2) takes a text without quotes for. Errs towards everything but text.
pub(super) fn kind(text: &str) -> Kind {
    let lower = text.to_ascii_lowercase();
    let first = lower.bytes().next();
    match lower.as_str() {
        "" | "~" | "null" => return Kind::Null,
        "y" | "n" | "yes" | "no" | "on" | "off" | "true" | "false" => return Kind::Bool,
        ".inf" | "+.inf" | "-.inf" | ".nan" => return Kind::Number,
        _ => {}
    }
    let only = |extra: &[u8]| lower.bytes().all(|b| b.is_ascii_digit() || extra.contains(&b));
    let numeric = first.is_some_and(|b| b.is_ascii_digit() || b"+-.".contains(&b));
    let unsigned = lower.trim_start_matches(['+', '-']);
    let radix = ["0x", "0o", "0b"].iter().find_map(|mark| unsigned.strip_prefix(mark));
    let is_date = lower
        .get(..5)
        .is_some_and(|year| year.ends_with('-') && year.bytes().take(4).all(|b| b.is_ascii_digit()));
    if is_date && only(b"-tz:+. ") {
        Kind::Date
    } else if (numeric && only(b"+-._,:e"))
        || radix.is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_hexdigit() || b == b'_'))
    {
        Kind::Number
    } else {
        Kind::Text
    }
}

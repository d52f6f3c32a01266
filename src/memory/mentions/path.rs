//! Whether a word is a path, which, and why it may be none of the project's.

use super::Excuse;
use super::words::{
    AMBIGUOUS, EXTENSIONS, HOSTS, MEDIA, METHOD_ROOTS, PAIRS, PRODUCTS, REFS, ROOTS, SPECIAL,
};
use std::ops::Range;

/// A path that was read from a word.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Read {
    /// The path in one form.
    pub text: String,
    /// Its bytes in the word.
    pub range: Range<usize>,
    pub is_sure: bool,
    pub excuse: Option<Excuse>,
}

/// The path that a word is, when it is one.
pub(super) fn read(word: &str, in_code: bool) -> Option<Read> {
    let start = word.len() - word.trim_start_matches("./").len();
    let whole = word.get(start..)?;
    let whole = whole.get(..without_place(whole))?;
    if whole.is_empty() || whole.len() > LONGEST || whole.bytes().any(|b| b.is_ascii_control()) {
        return None;
    }
    let text = if whole.contains('\\') { windows(whole)? } else { whole.to_owned() };
    let range = start..start + whole.len();
    if !text.contains('/') {
        return bare(&text, in_code, start > 0).map(|(is_sure, excuse)| Read {
            text,
            range,
            is_sure,
            excuse,
        });
    }
    let trimmed = text.trim_end_matches('/');
    if trimmed.is_empty() || trimmed.starts_with('-') || trimmed.contains("//") && !trimmed.contains("://") {
        return None;
    }
    // `a.b(c/d)` and the like are code.
    if trimmed.contains(['"', '\'', '`', ';', '|', '=', '^', '!', '(']) && !has_group(trimmed) {
        return None;
    }
    let parts: Vec<&str> = trimmed.trim_start_matches('/').split('/').collect();
    let last = parts.last().copied().unwrap_or_default();
    let first = parts.first().copied().unwrap_or_default();
    let has_ending = has_extension(last) || is_special(last);
    if !parts.iter().any(|part| part.bytes().any(|b| b.is_ascii_alphabetic()) || !part.is_ascii()) {
        return None; // `1/2`, `24/7`
    }
    let excuse = excuse(&text, &parts, has_ending);
    let is_root = ROOTS.contains(first);
    if !has_ending && excuse.is_none() {
        let is_directory = text.ends_with('/');
        let plain = parts.iter().all(|part| is_plain(part));
        if !(plain || in_code) || !in_code && !is_directory && !is_root && is_said(&parts) {
            return Some(Read { text, range, is_sure: false, excuse: Some(Excuse::Words) });
        }
    }
    let is_sure =
        excuse.is_none() && parts.len() > 1 && has_ending && parts.iter().all(|part| is_plain(part));
    Some(Read { text, range, is_sure, excuse })
}

/// Whether text with blanks is one path, and not a command or a list: a directory comes first, a file's ending last.
pub(super) fn is_one_with_blanks(text: &str) -> bool {
    let text = text.trim();
    let mut words = text.split([' ', '\t']);
    let (first, last) =
        (words.next().unwrap_or_default(), text.rsplit([' ', '\t']).next().unwrap_or_default());
    let name = |word: &str| word.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    let last_name = name(last.get(..without_place(last)).unwrap_or_default());
    text.len() < LONGEST
        && first.contains(['/', '\\'])
        && !first.starts_with(['-', '/', '.', '$', '~'])
        && !first.contains("://")
        && !has_extension(&name(first))
        && has_extension(&last_name)
        && !text.contains([',', '|', ';', '=', '>', '<', '&', '"', '(', '`'])
        && text.split([' ', '\t']).all(|word| !word.is_empty() && !word.starts_with('-'))
        && words.next().is_some_and(|second| !second.starts_with('/'))
}

/// Whether a file's name ends like one.
pub(super) fn has_extension(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, end)| {
        !stem.is_empty() && end.len() <= 12 && EXTENSIONS.contains(end.to_ascii_lowercase().as_str())
    })
}

/// How long a path may be in bytes.
const LONGEST: usize = 300;

fn is_special(name: &str) -> bool {
    SPECIAL.contains(name) || name.starts_with(".env") && name.len() < 20
}

/// The length of a word without what says where in the file: `:120`, `:10-20`, `#L10`, `::test`, `#heading`.
fn without_place(word: &str) -> usize {
    let mut end = word.len();
    if let Some(at) = word.find("::").filter(|at| *at > 0) {
        end = end.min(if is_file(word.get(..at).unwrap_or_default()) { at } else { end });
    }
    if let Some(at) = word.find('#').filter(|at| *at > 0) {
        end = end.min(if is_file(word.get(..at).unwrap_or_default()) { at } else { end });
    }
    let head = word.get(..end).unwrap_or_default();
    let mut kept = head;
    while let Some((before, place)) = kept.rsplit_once(':') {
        let is_place = place.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b',' | b'L'));
        let is_name = is_file(before) && super::names::is_identifier(place);
        if before.is_empty() || !(is_place || is_name) {
            break;
        }
        kept = before;
    }
    kept.trim_end_matches(',').len()
}

fn is_file(word: &str) -> bool {
    let name = word.rsplit(['/', '\\', ':']).next().unwrap_or_default();
    has_extension(name) || is_special(name)
}

/// A path written with `\`, in one form; `None` when these are escapes.
fn windows(word: &str) -> Option<String> {
    // Markdown's `\_` and `\*` are the signs themselves.
    let plain = word.replace("\\_", "_").replace("\\*", "*").replace("\\-", "-");
    if !plain.contains('\\') {
        return Some(plain);
    }
    let text = plain.replace('\\', "/");
    let text = text.trim_start_matches("./").to_owned();
    let last = text.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let is_drive = text.get(1..3) == Some(":/");
    let sound = text.split('/').all(|part| !part.is_empty() || text.ends_with('/'));
    (sound && (is_drive || has_extension(last) || text.ends_with('/'))).then_some(text)
}

/// Whether a word without a slash is a file's name.
fn bare(name: &str, in_code: bool, is_here: bool) -> Option<(bool, Option<Excuse>)> {
    if is_special(name) && (in_code || name.contains('.') || is_here) {
        return Some((false, None));
    }
    if !has_extension(name) {
        return None;
    }
    let (stem, end) = name.rsplit_once('.')?;
    if AMBIGUOUS.contains(end) && !is_here {
        return None;
    }
    let odd = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+' | '@'));
    if name.contains(['*', '{', '<', '$', '%', '?']) {
        return Some((
            false,
            Some(if name.contains(['*', '?']) { Excuse::Glob } else { Excuse::Placeholder }),
        ));
    }
    if stem.contains(odd) || stem.bytes().all(|b| b.is_ascii_digit()) || stem.starts_with('@') {
        return None;
    }
    let low = name.to_ascii_lowercase();
    if PRODUCTS.contains(low.as_str()) {
        return Some((false, Some(Excuse::Words)));
    }
    Some((false, is_placeholder(stem).then_some(Excuse::Placeholder)))
}

/// Why a path is not to be held against the project.
fn excuse(text: &str, parts: &[&str], has_ending: bool) -> Option<Excuse> {
    let first = parts.first().copied().unwrap_or_default();
    let last = parts.last().copied().unwrap_or_default();
    if text.contains("://") || text.starts_with("www.") {
        return Some(Excuse::Url);
    }
    if text.contains(['*', '?']) || text.contains('{') && text.contains(',') {
        return Some(Excuse::Glob);
    }
    if text.starts_with('~')
        || text.starts_with("$HOME")
        || text.starts_with("${HOME}")
        || text.starts_with("%")
    {
        return Some(Excuse::Home);
    }
    if text.contains(['<', '>', '{', '}', '$', '%', '…'])
        || text.contains("...")
        || parts.iter().any(|part| is_placeholder(part))
    {
        return Some(Excuse::Placeholder);
    }
    if parts.starts_with(&["path", "to"]) || is_sample(parts) {
        return Some(Excuse::Placeholder);
    }
    if text.contains(':') {
        let is_drive = text.as_bytes().get(1) == Some(&b':') && text.as_bytes().get(2) == Some(&b'/');
        return Some(if is_drive { Excuse::Absolute } else { Excuse::Host });
    }
    if text.starts_with('/') {
        return Some(if METHOD_ROOTS.contains(&first) && !has_ending {
            Excuse::Route
        } else {
            Excuse::Absolute
        });
    }
    if text.starts_with('@') || parts.first() == Some(&"node_modules") {
        return Some(Excuse::Package);
    }
    if first.contains('@') {
        return Some(Excuse::Host);
    }
    if is_domain(first) {
        return Some(Excuse::Url);
    }
    if parts.len() == 2 && MEDIA.contains(&first) && !has_ending {
        return Some(Excuse::MediaType);
    }
    if is_version(first) && first.contains('.') {
        return Some(Excuse::Words);
    }
    if has_ending {
        return None;
    }
    let is_number = |part: &&str| part.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    if parts.iter().any(is_number) && parts.len() <= 3 && !ROOTS.contains(&first) {
        return Some(Excuse::Words);
    }
    if METHOD_ROOTS.contains(&first) && parts.get(1).is_some_and(|part| is_version(part)) {
        return Some(Excuse::Route);
    }
    if !text.ends_with('/') && REFS.contains(first) {
        return Some(Excuse::Ref);
    }
    if parts.len() == 2 && is_model(last) {
        return Some(Excuse::Model);
    }
    let words = parts.iter().map(|part| part.to_ascii_lowercase()).collect::<Vec<_>>();
    let is_pair = words.windows(2).any(|two| match two {
        [a, b] => PAIRS.contains(&(a.as_str(), b.as_str())) || PAIRS.contains(&(b.as_str(), a.as_str())),
        _ => false,
    });
    if is_pair || parts.iter().all(|part| is_acronym(part)) {
        return Some(Excuse::Words);
    }
    None
}

/// Whether words with slashes between are prose (`Rust/Go`, `kept/dropped/moved`) and not lower-case names that may be
/// directories: there a project is asked.
fn is_said(parts: &[&str]) -> bool {
    parts.iter().any(|part| {
        part.starts_with(|c: char| c.is_uppercase()) && part.chars().skip(1).all(char::is_lowercase)
            || part.len() < 2
            || !part.is_ascii()
    })
}

/// Whether a part looks like the name of a file or directory.
fn is_plain(part: &str) -> bool {
    let inner = part.trim_start_matches(['(', '[']).trim_end_matches([')', ']']);
    let inner = inner.trim_start_matches("...");
    part == ".."
        || !inner.is_empty()
            && inner
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+' | '@' | ' ' | '~'))
}

fn has_group(text: &str) -> bool {
    text.contains("/(") && text.contains(")/") && !text.contains(['"', '\'', '`', ';', '|', '=', '^', '!'])
}

fn is_acronym(part: &str) -> bool {
    part.len() <= 5 && part.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
}

/// `example.com`, `pkg.go.dev`: a name of the network.
fn is_domain(part: &str) -> bool {
    part.rsplit_once('.').is_some_and(|(head, end)| {
        !head.is_empty()
            && !head.starts_with('.')
            && HOSTS.contains(end)
            && head.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-'))
    }) || part == "localhost"
}

fn is_version(part: &str) -> bool {
    part.strip_prefix('v').unwrap_or(part).bytes().all(|b| b.is_ascii_digit() || b == b'.')
        && part.bytes().any(|b| b.is_ascii_digit())
}

fn is_model(name: &str) -> bool {
    let low = name.to_ascii_lowercase();
    let families = [
        "gpt-", "llama", "claude", "gemini", "mistral", "qwen", "gemma", "mixtral", "deepseek", "whisper",
        "bert", "phi-",
    ];
    let sized = low.split(['-', '_']).any(|piece| {
        piece
            .strip_suffix('b')
            .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
    });
    sized || families.iter().any(|family| low.starts_with(family))
}

/// A part that stands for any name.
fn is_placeholder(part: &str) -> bool {
    let (stem, _) = part.rsplit_once('.').unwrap_or((part, ""));
    let low = stem.to_ascii_lowercase();
    let stands = [
        "foo",
        "bar",
        "baz",
        "qux",
        "xxx",
        "xx",
        "yyyy",
        "mm",
        "nnn",
        "yyyy-mm-dd",
        "yyyymmdd",
        "your",
        "placeholder",
        "somefile",
        "anything",
        "dummy",
    ];
    stands.contains(&low.as_str())
        || low.starts_with("your-")
        || low.starts_with("your_")
        || low.starts_with("my-app")
        || stem.contains("YYYY")
        || stem.contains("XXX")
        || stem.contains("NNN")
        || stem.contains("MM-DD")
        || low.starts_with(':')
        || part.starts_with('[') && part.ends_with(']')
        || matches!(stem, "X" | "Y" | "N" | "NN")
}

/// `a/b/c`, `x/y.rs`, `some/path`: letters or words that stand for any.
fn is_sample(parts: &[&str]) -> bool {
    let letters = parts.iter().all(|part| part.split('.').next().unwrap_or_default().len() == 1);
    let any = matches!(parts.first(), Some(&("some" | "any" | "example" | "sample-path")))
        && parts.get(1).is_some_and(|second| {
            ["path", "dir", "file", "where", "thing", "folder"].iter().any(|word| second.starts_with(word))
        });
    letters || any || parts.windows(2).any(|two| matches!(two, ["path", "to"]))
}

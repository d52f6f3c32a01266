//! A text as words, names and runs of CJK writing, with the ends of its clauses.

use super::cjk;

/// How many words of a text are looked at: what it is about stands at its start.
const WORDS: usize = 400;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Raw {
    Word,
    Cjk,
    Name,
    /// The end of a clause.
    Break,
}

pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) kind: Raw,
}

/// The words, names and ends of clauses of a text.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    // Every second piece is code.
    for (at, piece) in text.split('`').enumerate() {
        if at % 2 == 1 && !piece.trim().is_empty() && piece.chars().count() <= 120 {
            found.push(Token { text: piece.trim(), kind: Raw::Name });
        } else {
            for word in piece.split_whitespace() {
                chunk(word, &mut found);
            }
        }
        if found.len() >= WORDS {
            break;
        }
    }
    found
}

const BREAKS: &[char] = &[
    ',', ';', ':', '.', '!', '?', '(', ')', '—', '–', '、', '，', '；', '。', '！', '？', '：', '（', '）',
    '・',
];

/// One piece between blanks.
fn chunk<'a>(word: &'a str, found: &mut Vec<Token<'a>>) {
    let is_edge = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '#');
    let is_front_edge = |c: char| is_edge(c) && !matches!(c, '-' | '.' | '/' | '~' | '@' | '$');
    let inner = word.trim_start_matches(is_front_edge).trim_end_matches(|c| is_edge(c) && c != '/');
    if word.starts_with(['(', '—', '–', '（', '「']) {
        found.push(Token { text: "", kind: Raw::Break });
    }
    let dashes = inner.trim_start_matches('-');
    if !inner.contains(char::is_alphanumeric) {
        found.push(Token { text: "", kind: Raw::Break });
        return;
    }
    if inner.chars().any(cjk::is_cjk_char) {
        runs(inner, found);
    } else if is_name(inner) {
        found.push(Token { text: inner.trim_end_matches('/'), kind: Raw::Name });
    } else {
        let parts = dashes.split([
            '-', '/', '·', '…', '—', '–', '+', '=', ':', ',', '.', '(', ')', '<', '>', '|', '"', '*', '[',
            ']',
        ]);
        for part in parts.filter(|part| part.contains(char::is_alphanumeric)) {
            found.push(Token { text: part.trim_matches(['_', '\'', '’', '#', '~', '@']), kind: Raw::Word });
        }
    }
    if word.trim_end_matches(['*', '"', '”', '»', '_']).ends_with(BREAKS) {
        found.push(Token { text: "", kind: Raw::Break });
    }
}

/// A piece with CJK characters as its runs.
fn runs<'a>(word: &'a str, found: &mut Vec<Token<'a>>) {
    let class = |c: char| match c {
        _ if cjk::is_cjk_char(c) => Some(Raw::Cjk),
        _ if BREAKS.contains(&c) && !matches!(c, '.' | ':') => None,
        _ => Some(Raw::Word),
    };
    let mut start = 0;
    let mut open: Option<Raw> = None;
    let ends = word.char_indices().map(|(at, c)| (at, class(c))).chain([(word.len(), None)]);
    for (at, kind) in ends {
        if kind != open || at == word.len() {
            let text = word.get(start..at).unwrap_or_default();
            match open {
                Some(Raw::Cjk) => found.push(Token { text, kind: Raw::Cjk }),
                Some(_) if text.chars().any(char::is_alphanumeric) => chunk(text, found),
                _ => {}
            }
            if kind.is_none() && at < word.len() {
                found.push(Token { text: "", kind: Raw::Break });
            }
            (start, open) = (at, kind);
        }
    }
}

/// Whether a piece without code marks is a path, a symbol, a flag or an address all the same.
pub(super) fn is_name(word: &str) -> bool {
    let mut letters = word.chars();
    let has_letter = word.chars().any(char::is_alphabetic);
    let inner_capital = letters.next().is_some_and(char::is_alphanumeric)
        && word.chars().zip(word.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    let dotted = word.trim_matches('.').split('.').collect::<Vec<_>>();
    let has_end = dotted.len() > 1
        && dotted.iter().all(|part| !part.is_empty())
        && dotted.last().is_some_and(|end| {
            (1..=6).contains(&end.len()) && end.chars().all(|c| c.is_ascii_alphanumeric())
        });
    has_letter
        && (word.contains("://")
            || word.contains("::")
            || word.starts_with("--")
            || word.trim_matches('_').contains('_')
            || (word.contains('/')
                && (word.matches('/').count() > 1 || has_end || word.starts_with(['.', '/', '~'])))
            || (has_end && !is_version(word))
            || inner_capital)
}

/// Whether a word is a number, a date or a version.
pub(super) fn is_version(word: &str) -> bool {
    let bare = word.trim_start_matches(['v', 'V', '~', '^', '#', '$', '€', '=']);
    bare.starts_with(|c: char| c.is_ascii_digit()) && bare.chars().filter(|c| c.is_alphabetic()).count() <= 3
}

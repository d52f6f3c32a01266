//! What a label looks like: `**Why:**`, `**Why**:`, `## Why`, `Why:`, `**Why (2026-03-02):**`, and the same
//! in the languages that stores are written in.

use super::PartKind;
use std::ops::Range;

/// The words for "why" and "how to apply", lower case. English comes first: it is what the client asks for.
const WORDS: [(PartKind, &[&str]); 2] = [
    (
        PartKind::Why,
        &[
            "why",
            "reason",
            "rationale",
            "pourquoi",
            "raison",
            "por qué",
            "por que",
            "porqué",
            "por quê",
            "porquê",
            "motivo",
            "warum",
            "wieso",
            "grund",
            "begründung",
            "perché",
            "이유",
            "왜",
            "理由",
            "なぜ",
            "原因",
            "为什么",
            "為什麼",
            "为何",
            "為何",
            "почему",
        ],
    ),
    (
        PartKind::How,
        &[
            "how to apply",
            "how to apply it",
            "how to apply this",
            "comment appliquer",
            "comment l'appliquer",
            "comment l’appliquer",
            "application",
            "cómo aplicar",
            "cómo aplicarlo",
            "como aplicar",
            "como aplicarlo",
            "cómo se aplica",
            "wie anwenden",
            "wie anzuwenden",
            "anwendung",
            "so anwenden",
            "come applicare",
            "적용 방법",
            "적용방법",
            "적용",
            "適用方法",
            "適用",
            "適用の仕方",
            "如何应用",
            "如何應用",
            "如何使用",
            "如何适用",
            "应用方法",
            "应用方式",
            "應用方法",
            "怎么用",
            "как применять",
        ],
    ),
];

/// How many more words a marked label may have (`**Why this matters:**`).
const MORE_WORDS: usize = 5;

/// The longest label in bytes; what is longer is a sentence.
const LONGEST: usize = 100;

/// The label that starts a line, with the signs before it (`## `, `- `, `> `).
pub(super) fn at_start(line: &str) -> Option<(PartKind, Range<usize>)> {
    let intro = introduction(line);
    let rest = line.get(intro..)?;
    let (kind, length) = if line.get(..intro).is_some_and(|intro| intro.contains('#')) {
        (heading(rest)?, rest.len())
    } else {
        bold(rest, MORE_WORDS).or_else(|| plain(rest))?
    };
    Some((kind, 0..intro + length))
}

/// A bold label further along in a line, outside of code.
pub(super) fn inside(line: &str, from: usize) -> Option<(PartKind, Range<usize>)> {
    let ticks = |text: &str| text.bytes().filter(|b| *b == b'`').count();
    let mut at = from;
    let mut in_code = ticks(line.get(..from)?) % 2 == 1;
    loop {
        let found = at + line.get(at..)?.find(" **")? + 1;
        let rest = line.get(found..)?;
        in_code ^= ticks(line.get(at..found)?) % 2 == 1;
        match bold(rest, 0) {
            // Without a colon it is only an emphasis in a sentence.
            Some((kind, length)) if !in_code && rest.get(..length)?.contains([':', '：']) => {
                return Some((kind, found..found + length));
            }
            _ => at = found + 2,
        }
    }
}

/// How many bytes introduce a label: blanks, heading signs, a bullet or number, a quotation sign.
fn introduction(line: &str) -> usize {
    let rest = line.trim_start_matches([' ', '\t', '>']);
    let signs = rest.trim_start_matches('#');
    let numbers = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind = if signs.len() < rest.len() {
        Some(signs)
    } else if numbers.len() < rest.len() {
        numbers.strip_prefix(['.', ')'])
    } else {
        rest.strip_prefix(['-', '*', '+'])
    };
    let rest = behind.filter(|behind| behind.starts_with([' ', '\t'])).unwrap_or(rest);
    line.len() - rest.trim_start_matches([' ', '\t']).len()
}

/// `**Why:** `, `**Why**:`, `__Why__ —`; the label ends behind its colon and dash.
fn bold(text: &str, more: usize) -> Option<(PartKind, usize)> {
    let sign = ["**", "__"].into_iter().find(|sign| text.starts_with(sign))?;
    let (inner, rest) = text.get(sign.len()..)?.split_once(sign)?;
    let inner_colon = inner.trim_end().ends_with([':', '：']);
    let kind = kind(inner.trim().trim_end_matches([':', '：']), more)?;
    let after = rest.trim_start();
    let outer = after.strip_prefix([':', '：']).or_else(|| after.strip_prefix(['—', '–']));
    let rest = match outer {
        Some(behind) if !inner_colon => behind,
        _ if inner_colon || after.is_empty() => rest,
        _ => return None,
    };
    Some((kind, text.len() - rest.len()))
}

/// `Why: …`
fn plain(text: &str) -> Option<(PartKind, usize)> {
    let (word, rest) = text.split_once([':', '：'])?;
    // An address, a time or a path is no label.
    let ends = rest.is_empty() || rest.starts_with([' ', '\t']) || text.get(word.len()..)?.starts_with('：');
    Some((kind(word, 0)?, text.len() - rest.len())).filter(|_| ends)
}

/// `## Why`, `### **How to apply:**`
fn heading(text: &str) -> Option<PartKind> {
    let text = text.trim_end().trim_end_matches('#').trim();
    let text = text.strip_prefix("**").and_then(|t| t.strip_suffix("**")).unwrap_or(text);
    kind(text.trim_end_matches([':', '：']), MORE_WORDS)
}

/// What a label's words say: one of the known ones, then nothing, something in brackets, a date, or (for the
/// English ones) a few more words.
fn kind(text: &str, more: usize) -> Option<PartKind> {
    let text = text.trim();
    if text.len() > LONGEST {
        return None;
    }
    let text = text.to_lowercase();
    for (kind, words) in WORDS {
        for (rank, word) in words.iter().enumerate() {
            let Some(rest) = text.strip_prefix(word) else { continue };
            let extra = rest.trim();
            let bracketed = extra.starts_with(['(', '（', '[']) && extra.ends_with([')', '）', ']']);
            let dated = extra.starts_with(|c: char| c.is_ascii_digit());
            let wordy = rank == 0 && rest.starts_with(' ') && extra.split(' ').count() <= more;
            if extra.is_empty() || bracketed || dated || wordy {
                return Some(kind);
            }
        }
    }
    None
}

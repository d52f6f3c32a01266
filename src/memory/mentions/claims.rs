//! What the text itself says of the things that it names: gone, still to come, or at home elsewhere. Sentence by
//! sentence, with the heading or the line before a list where these say it for all that follows.

use super::blocks::{self, Shape};
use super::scan::{self, Scan};
use super::sentence::{Said, Sentence, Verdict, words};
use super::{Excuse, Kind, Mention};
use std::ops::Range;

/// Reads the blocks of a body.
pub(super) fn read_body(text: &str, body: Range<usize>, things: &mut Vec<Mention>) {
    // What a heading says of all below it, with its level, and what a line before a list says.
    let mut heading: Option<(usize, Said)> = None;
    let mut lead: Option<Said> = None;
    for block in blocks::blocks(text, body) {
        if block.kind == Shape::Code {
            things.extend(scan::code_line(text, block.range).things);
            continue;
        }
        let line = text.get(block.range.clone()).unwrap_or_default();
        let scan = scan::prose(text, block.range.clone());
        let leads = line.trim_end().trim_end_matches('*').ends_with([':', '：']);
        if let Shape::Heading(level) = block.kind {
            if heading.is_some_and(|(open, _)| level <= open) {
                heading = None;
            }
            lead = None;
            let said = judge(text, &block.range, scan, things, None);
            heading = heading.or(said.map(|said| (level, said)));
            continue;
        }
        if block.kind == Shape::Paragraph {
            lead = None;
        }
        if scan.things.is_empty() && !leads {
            continue;
        }
        let said = judge(text, &block.range, scan, things, lead.or(heading.map(|(_, said)| said)));
        if leads && block.kind == Shape::Paragraph {
            lead = said;
        }
    }
}

/// Reads one piece of prose.
pub(super) fn read(text: &str, range: &Range<usize>, things: &mut Vec<Mention>) {
    let scan = scan::prose(text, range.clone());
    judge(text, range, scan, things, None);
}

/// Excuses the things of a block by what it says; what it says of things that it does not name.
fn judge(
    text: &str,
    range: &Range<usize>,
    scan: Scan,
    things: &mut Vec<Mention>,
    given: Option<Said>,
) -> Option<Said> {
    let mut found = scan.things;
    found.sort_by_key(|thing| thing.range.start);
    let lower = masked(text, range, &scan.masked);
    let mut speaks = None;
    let mut last: Range<usize> = 0..0;
    let mut next = 0;
    for sentence in sentences(&lower) {
        let begin = next;
        while found.get(next).is_some_and(|thing| thing.range.start < range.start + sentence.end) {
            next += 1;
        }
        let own = found.get(begin..next).unwrap_or_default();
        let places: Vec<Range<usize>> = own
            .iter()
            .map(|thing| thing.range.start - range.start..thing.range.end - range.start)
            .map(|place| place.start.saturating_sub(sentence.start)..place.end.saturating_sub(sentence.start))
            .collect();
        let flags: Vec<bool> = own.iter().map(|thing| thing.kind == Kind::Flag).collect();
        let line = lower.get(sentence.clone()).unwrap_or_default();
        let Verdict { of, before, speaks: says } =
            Sentence { text: line, things: &places, flags: &flags }.judge();
        let original = text.get(range.start + sentence.start..range.start + sentence.end).unwrap_or_default();
        let mut verdicts: Vec<(usize, Excuse)> =
            of.into_iter().map(|(at, said)| (begin + at, excuse(said))).collect();
        if let Some(said) = before {
            verdicts.extend(last.clone().map(|at| (at, excuse(said))));
        }
        verdicts.extend(
            elsewhere(line, original, own, &places)
                .into_iter()
                .map(|(at, place)| (begin + at, Excuse::Elsewhere(place))),
        );
        verdicts.extend(
            arrows(line, own, &places, says.or(speaks).or(given))
                .into_iter()
                .map(|at| (begin + at, Excuse::Gone)),
        );
        verdicts.extend(branches(line, own, &places).into_iter().map(|at| (begin + at, Excuse::Ref)));
        let foreign = scan
            .programs
            .iter()
            .any(|at| (range.start + sentence.start..range.start + sentence.end).contains(at))
            || names_program(line);
        verdicts.extend(
            own.iter()
                .enumerate()
                .filter(|(_, thing)| {
                    foreign && thing.kind == Kind::Flag && thing.in_code && is_alone(text, thing)
                })
                .map(|(at, _)| (begin + at, Excuse::Other)),
        );
        for (at, excuse) in verdicts {
            if let Some(thing) = found.get_mut(at).filter(|thing| thing.excuse.is_none()) {
                thing.excuse = Some(excuse);
            }
        }
        if places.is_empty() {
            speaks = speaks.or(says);
        } else {
            last = begin..next;
            speaks = speaks.or(says.filter(|_| false));
        }
    }
    for thing in &mut found {
        if let Some(said) = given.filter(|_| thing.excuse.is_none()) {
            thing.excuse = Some(excuse(said));
        }
    }
    things.extend(found);
    speaks
}

const fn excuse(said: Said) -> Excuse {
    match said {
        Said::Gone => Excuse::Gone,
        Said::Planned => Excuse::Planned,
    }
}

/// A block in lower case (of ASCII alone, so that places stay), with what is no prose masked.
fn masked(text: &str, range: &Range<usize>, masks: &[Range<usize>]) -> String {
    let mut bytes = text.get(range.clone()).unwrap_or_default().to_ascii_lowercase().into_bytes();
    for mask in masks {
        let (start, end) = (mask.start.saturating_sub(range.start), mask.end.saturating_sub(range.start));
        if let Some(part) = bytes.get_mut(start..end) {
            part.fill(1);
        }
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// The sentences of a block: they end at a full stop before a blank, and at the like in other scripts.
fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, c)| *c);
        let ends = match c {
            '.' | '!' | '?' => {
                next.is_none_or(|c| c.is_whitespace() || matches!(c, '"' | ')' | '*')) && !is_short(text, at)
            }
            '。' | '！' | '？' | '；' => true,
            ';' => next.is_none_or(char::is_whitespace),
            _ => false,
        };
        if ends {
            let end = at + c.len_utf8();
            found.push(start..end);
            start = end;
        }
    }
    if start < text.len() {
        found.push(start..text.len());
    }
    found
}

/// Whether a full stop belongs to a shortened word.
fn is_short(text: &str, at: usize) -> bool {
    let word = words(text.get(at.saturating_sub(8)..at).unwrap_or_default()).next_back().unwrap_or_default();
    let shorts = ["e.g", "i.e", "etc", "vs", "cf", "no", "ca", "z.b", "p.ej", "dr", "approx", "g", "b"];
    text.get(..at).is_some_and(|head| {
        ["e.g", "i.e", "z.b", "d.h", "p. ej", "p.ej", "u.a"].iter().any(|short| head.ends_with(short))
    }) || shorts.contains(&word)
        && word.len() > 1
        && text.get(..at).is_some_and(|head| head.ends_with(word))
        && matches!(word, "vs" | "cf" | "ca" | "approx")
}

/// `a → b`: the first is gone where the text speaks of that, or where both have one name.
fn arrows(line: &str, own: &[Mention], places: &[Range<usize>], says: Option<Said>) -> Vec<usize> {
    let name = |text: &str| {
        text.trim_end_matches('/')
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .split('.')
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase()
    };
    let pairs = places.iter().zip(places.iter().skip(1)).zip(own.iter().zip(own.iter().skip(1)));
    pairs
        .enumerate()
        .filter(|(_, ((a, b), (from, to)))| {
            let between =
                line.get(a.end..b.start).unwrap_or_default().trim_matches([' ', '`', '*', '\u{1}', '"']);
            matches!(between, "→" | "->" | "=>" | "⇒" | "➜" | "-->" | "➡")
                && (says == Some(Said::Gone) || from.kind == Kind::Path && name(&from.text) == name(&to.text))
        })
        .map(|(at, _)| at)
        .collect()
}

/// Things that the words beside them call branches.
fn branches(line: &str, own: &[Mention], places: &[Range<usize>]) -> Vec<usize> {
    let marks =
        ["branch", "브랜치", "ブランチ", "分支", "rama", "branche", "zweig", "ramo", "tag", "worktree"];
    let is_branch = |place: &Range<usize>| {
        let head = line.get(..place.start).unwrap_or_default();
        let tail =
            line.get(place.end..).unwrap_or_default().trim_start_matches(['`', '"', ' ', '\u{1}', '*']);
        let before =
            words(head.trim_end_matches(['`', '"', ' ', '\u{1}', '*'])).next_back().unwrap_or_default();
        marks.contains(&before) || marks.iter().any(|mark| tail.starts_with(mark))
    };
    let is_bare = |thing: &Mention| thing.kind == Kind::Path && !thing.is_sure && !thing.text.ends_with('/');
    places
        .iter()
        .zip(own)
        .enumerate()
        .filter(|(_, (place, thing))| is_bare(thing) && is_branch(place))
        .map(|(at, _)| at)
        .collect()
}

/// Whether a flag is all that its code span holds.
fn is_alone(text: &str, thing: &Mention) -> bool {
    text.get(..thing.range.start).is_some_and(|head| head.ends_with('`'))
}

/// Whether a sentence names a program that is no word of the language.
fn names_program(line: &str) -> bool {
    let programs = [
        "git",
        "cargo",
        "npm",
        "pnpm",
        "kubectl",
        "pytest",
        "ripgrep",
        "rustc",
        "clang",
        "gcc",
        "terraform",
        "eslint",
        "docker",
        "curl",
        "rsync",
        "grep",
        "rustfmt",
        "clippy",
        "webpack",
        "vitest",
        "psql",
        "ffmpeg",
        "prettier",
        "gh",
    ];
    words(line).any(|word| programs.contains(&word.trim_end_matches("'s").trim_end_matches("’s")))
}

/// The things that stand elsewhere by the sentence's own word, with the name of that place.
fn elsewhere(line: &str, original: &str, own: &[Mention], places: &[Range<usize>]) -> Vec<(usize, Box<str>)> {
    let mut found = Vec::new();
    if places.is_empty() {
        return found;
    }
    for (place, name) in super::elsewhere::places(line, original) {
        for (at, thing) in places.iter().enumerate() {
            let between = if thing.end <= place.start {
                line.get(thing.end..place.start).unwrap_or_default()
            } else {
                line.get(place.end..thing.start).unwrap_or_default()
            };
            let after = thing.end <= place.start;
            // On a machine one runs what is at home here; a file lies there.
            let is_file = own.get(at).is_some_and(|thing| thing.kind == Kind::Path);
            let opens = !after
                && place.start <= 3
                && (is_file || !super::elsewhere::is_machine(line.get(place.clone()).unwrap_or_default()));
            let is_near = super::elsewhere::joins(between);
            if is_near || opens {
                found.push((at, name.clone()));
            }
        }
    }
    found
}

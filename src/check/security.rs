//! What could deceive a person or an agent, or leave the store.

use super::{Check, CheckId, Depth, Found, Look, Severity, quoted, seen_in};
use crate::memory::lines::Lines;
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Link, Stat};
use crate::memory::text::{hidden, lossy, visible};
use std::borrow::Cow;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: CheckId("hidden-text"),
        means: "There are characters that nobody sees or that reverse what is seen, but an agent reads them.",
        depth: Depth::Quick,
        look: |store, found| {
            let what = ["character that nobody sees", "characters that nobody sees"];
            unseen(store, found, what, |c, line| !c.is_control() && deceives(c, line));
        },
    },
    Check {
        id: CheckId("terminal-escape"),
        means: "There are control characters that would steer a terminal that prints the memory.",
        depth: Depth::Quick,
        look: |store, found| {
            let what =
                ["control character, which steers a terminal", "control characters, which steer a terminal"];
            // A form feed, a lone CR and a next-line are odd line ends and steer nothing.
            unseen(store, found, what, |c, _| c.is_control() && !matches!(c, '\r' | '\x0C' | '\u{85}'));
        },
    },
    Check {
        id: CheckId("link-escapes"),
        means: "The file is a symbolic link to a place outside the store; memcurator never writes through it.",
        depth: Depth::Quick,
        look: link_escapes,
    },
];

/// How many places a finding shows.
const SHOWN: usize = 5;

fn files<'a>(store: &Look<'a>) -> impl Iterator<Item = (RelPath, &'a [u8], &'a Stat)> {
    let snapshot = store.snapshot;
    let memories = snapshot.memories.iter().map(|memory| (memory.path.clone(), &*memory.bytes, &memory.stat));
    memories.chain(snapshot.index.as_ref().map(|index| (RelPath::index(), &*index.bytes, &index.stat)))
}

/// One finding for each file with such characters: how many, and the first places.
fn unseen(store: &Look<'_>, found: &mut Found, [one, many]: [&str; 2], counts: fn(char, Direction) -> bool) {
    for (path, bytes, _) in files(store) {
        let text = lossy(bytes);
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
        if hidden(text).next().is_none() {
            continue;
        }
        let mut total = 0;
        let mut places = Vec::new();
        for (number, line) in Lines::new(text.as_bytes(), 0).enumerate() {
            let line = text.get(line).unwrap_or_default();
            let mut here = hidden(line).peekable();
            if here.peek().is_none() {
                continue;
            }
            let direction = Direction::of(line);
            let mut here = here.filter(|(_, c)| counts(*c, direction)).peekable();
            if let Some(&(at, _)) = here.peek()
                && places.len() < SHOWN
            {
                places.push(seen_in(&path, number + 1, around(line, at)));
            }
            total += here.count();
        }
        if let Some(line) = places.first().and_then(|place| place.line) {
            let message = if total == 1 { format!("1 {one}") } else { format!("{total} {many}") };
            // With one more character it is another finding: to silence this one does not silence that.
            let about = message.clone();
            found.add(Severity::Warning, &path, line, message, places).about = about;
        }
    }
}

/// The text around a byte of a line, safe to show.
fn around(line: &str, at: usize) -> String {
    let (before, after) = line.split_at_checked(at).unwrap_or((line, ""));
    let start = before.char_indices().rev().take(20).last().map_or(at, |(start, _)| start);
    quoted(&format!("{}{after}", before.get(start..).unwrap_or_default()))
}

/// Whether an unseen character has no honest use where it stands. Soft hyphens and separators of lines come with
/// pasted text; marks of direction belong where a script runs from right to left, but an override nowhere.
fn deceives(c: char, line: Direction) -> bool {
    match c {
        '\u{AD}' | '\u{2028}' | '\u{2029}' => false,
        '\u{200C}'..='\u{200F}' | '\u{061C}' | '\u{202A}'..='\u{202C}' | '\u{2066}'..='\u{2069}' => {
            line == Direction::LeftToRight
        }
        _ => true,
    }
}

/// Whether a line has letters of a script that runs from right to left.
#[derive(Clone, Copy, PartialEq)]
enum Direction {
    LeftToRight,
    Mixed,
}

impl Direction {
    fn of(line: &str) -> Self {
        let mixed = line.chars().any(|c| {
            matches!(c, '\u{0590}'..='\u{061B}' | '\u{061D}'..='\u{08FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}')
        });
        if mixed { Self::Mixed } else { Self::LeftToRight }
    }
}

fn link_escapes(store: &Look<'_>, found: &mut Found) {
    for (path, _, stat) in files(store) {
        if let Some(Link { target, inside: false }) = &stat.link {
            let target: Cow<'_, str> = target.to_string_lossy();
            let evidence = seen_in(&path, None, format!("→ {}", visible(&target, false)));
            let message =
                "a symbolic link to a file outside the store; it is shown and never written through";
            found.add(Severity::Warning, &path, 1, message, vec![evidence]);
        }
    }
}

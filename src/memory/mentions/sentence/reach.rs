//! Which of the things of a sentence a cue reaches: those before it, behind it, at once or over a colon.

use super::Sentence;
use super::clause::{Attribute, attribute, breaks, is_cjk_pronoun, is_list, words, words_before};
use crate::memory::mentions::cues::{Cue, Says};
use crate::memory::mentions::language::{ADVERBS, FILLERS, KINDS, PASSIVE, PERFECT, PRONOUNS};

impl Sentence<'_> {
    pub(super) fn first_of<const N: usize>(&self, tries: [Vec<usize>; N]) -> Vec<usize> {
        tries.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// The helping verb before a participle.
    pub(super) fn auxiliary(&self, at: usize) -> Option<Aux> {
        let head = self.slice(0..at);
        for word in words_before(head, 5) {
            if PASSIVE.contains(word) {
                return Some(Aux::Passive);
            }
            if PERFECT.contains(word) {
                return Some(Aux::Perfect);
            }
            if !ADVERBS.contains(word) && !word.ends_with("ly") {
                return None;
            }
        }
        None
    }

    /// A participle of another language, or a verb at the end of a clause.
    pub(super) fn either(&self, cue: &Cue) -> Vec<usize> {
        let own = self.slice(cue.range.clone());
        let tail = self.slice(cue.range.end..self.text.len());
        let is_cjk = own.bytes().next().is_some_and(|b| b >= 0xE0);
        let after = self.after(cue);
        if !is_cjk {
            return self.first_of([after, self.before(cue), self.behind_colon(cue)]);
        }
        match attribute(own, tail) {
            Attribute::Yes => after,
            Attribute::OfKind => self.first_of([after, self.before(cue)]),
            Attribute::No => self.first_of([self.before(cue), after, self.behind_colon(cue)]),
        }
    }

    /// The things that stand behind a cue with nothing but small words between, and those that a list adds.
    pub(super) fn after(&self, cue: &Cue) -> Vec<usize> {
        let Some(first) = self.things.iter().position(|thing| thing.start >= cue.range.end) else {
            return Vec::new();
        };
        let between = self.things.get(first).map_or("", |thing| self.slice(cue.range.end..thing.start));
        let quiet = between
            .chars()
            .all(|c| c.is_alphanumeric() || c.is_whitespace() || "\"'“‘「『`*_:([~«¿’的\u{1}".contains(c));
        let few =
            words(between).count() <= 5 && words(between).all(|word| FILLERS.contains(word) || word == "的");
        if !quiet || !few {
            return Vec::new();
        }
        let mut found = vec![first];
        self.extend(&mut found);
        found
    }

    /// `gone since June: a, b`.
    pub(super) fn behind_colon(&self, cue: &Cue) -> Vec<usize> {
        let Some(first) = self.things.iter().position(|thing| thing.start >= cue.range.end) else {
            return Vec::new();
        };
        let between = self.things.get(first).map_or("", |thing| self.slice(cue.range.end..thing.start));
        match between.split_once([':', '：']) {
            Some((head, tail))
                if words(head).count() <= 5 && words(tail).all(|word| FILLERS.contains(word)) =>
            {
                let mut found = vec![first];
                self.extend(&mut found);
                found
            }
            _ => Vec::new(),
        }
    }

    /// The things directly before a cue: `a (removed)`.
    pub(super) fn at_once_before(&self, cue: &Cue) -> Vec<usize> {
        let Some(last) = self.things.iter().rposition(|thing| thing.end <= cue.range.start) else {
            return Vec::new();
        };
        let between = self.things.get(last).map_or("", |thing| self.slice(thing.end..cue.range.start));
        let near = words(between)
            .all(|word| ADVERBS.contains(word) || KINDS.contains(word) || matches!(word, "been"));
        if !near || between.contains([';', '.']) {
            return Vec::new();
        }
        let mut found = vec![last];
        self.extend_back(&mut found);
        found
    }

    /// The things before a cue that its clause is about.
    pub(super) fn before(&self, cue: &Cue) -> Vec<usize> {
        let Some(mut last) = self.things.iter().rposition(|thing| thing.end <= cue.range.start) else {
            return Vec::new();
        };
        // What it became is not what is gone: `X durch Y ersetzt`, `X는 Y로 교체`.
        while self.is_destination(last) {
            let Some(up) = last.checked_sub(1) else { return Vec::new() };
            last = up;
        }
        let Some(place) = self.things.get(last) else { return Vec::new() };
        if breaks(self.slice(place.end..cue.range.start)) {
            return Vec::new();
        }
        let mut found = vec![last];
        self.extend_back(&mut found);
        found
    }

    pub(super) fn is_destination(&self, thing: usize) -> bool {
        let Some(place) = self.things.get(thing) else { return false };
        let after = self
            .slice(place.end..self.text.len())
            .trim_start_matches(['`', '"', '」', '』', '*', '\u{1}', ' ']);
        if [
            "로 ",
            "으로 ",
            "에 통합",
            "에 합",
            "에 흡수",
            "に置",
            "に移",
            "に改",
            "に統",
            "に変",
            "に名",
            "に差",
            "へ移",
            "へ改",
            "へ置",
            "にリ",
            "へリ",
            "に代",
        ]
        .iter()
        .any(|mark| after.starts_with(mark))
        {
            return true;
        }
        let before =
            self.slice(0..place.start).trim_end_matches([' ', '`', '"', '「', '『', '*', '\u{1}', '\n']);
        ["被", "用", "由", "以"].iter().any(|mark| before.ends_with(mark))
            || thing > 0
                && words_before(before, 2).next().is_some_and(|word| {
                    matches!(
                        word,
                        "durch"
                            | "nach"
                            | "in"
                            | "por"
                            | "par"
                            | "by"
                            | "with"
                            | "to"
                            | "into"
                            | "mit"
                            | "zu"
                    )
                })
    }

    /// Adds what a list goes on with.
    pub(super) fn extend(&self, found: &mut Vec<usize>) {
        while let Some(&last) = found.last() {
            let next = last + 1;
            match (self.things.get(last), self.things.get(next)) {
                (Some(a), Some(b)) if is_list(self.slice(a.end..b.start)) => found.push(next),
                _ => return,
            }
        }
    }

    pub(super) fn extend_back(&self, found: &mut Vec<usize>) {
        while let Some(up) = found.last().and_then(|last| last.checked_sub(1)) {
            match (self.things.get(up), found.last().and_then(|last| self.things.get(*last))) {
                (Some(a), Some(b)) if is_list(self.slice(a.end..b.start)) => found.push(up),
                _ => return,
            }
        }
    }

    /// Whether a sentence without things of its own speaks of those before it: `It was removed in June.`
    pub(super) fn refers_back(&self, cue: &Cue) -> bool {
        if !self.things.is_empty() && self.things.iter().any(|thing| thing.start < cue.range.start) {
            return false;
        }
        if matches!(cue.says, Says::New | Says::Of | Says::Into)
            && !self.slice(0..cue.range.start).trim().is_empty()
            && cue.says != Says::Into
        {
            return false;
        }
        if matches!(cue.says, Says::Back | Says::Never) {
            return true;
        }
        let head = self.slice(0..cue.range.start);
        let few = head.chars().count() <= 30;
        let mut leading = words(head).skip_while(|word| {
            matches!(
                *word,
                "and"
                    | "but"
                    | "so"
                    | "now"
                    | "since"
                    | "the"
                    | "that"
                    | "this"
                    | "el"
                    | "la"
                    | "le"
                    | "die"
                    | "der"
                    | "das"
                    | "o"
                    | "a"
                    | "y"
                    | "et"
                    | "und"
                    | "e"
            )
        });
        let helps = |word: &str| {
            PASSIVE.contains(word)
                || PERFECT.contains(word)
                || ADVERBS.contains(word)
                || PRONOUNS.contains(word)
                || KINDS.contains(word)
                || word.ends_with("ly")
        };
        few && leading.all(|word| {
            helps(word)
                || word.bytes().any(|b| b.is_ascii_digit())
                || matches!(
                    word,
                    "fue"
                        | "fueron"
                        | "se"
                        | "ha"
                        | "han"
                        | "sido"
                        | "a"
                        | "été"
                        | "ont"
                        | "wurde"
                        | "wurden"
                        | "ist"
                        | "sind"
                        | "foi"
                        | "foram"
                        | "on"
                        | "in"
                        | "er"
                )
                || is_cjk_pronoun(word)
        })
    }
}

pub(super) enum Aux {
    Passive,
    Perfect,
}

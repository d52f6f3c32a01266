//! One sentence: which of the things that it names its cues are about.

mod clause;
mod reach;

use super::cues::{self, Cue, Says};
use super::language::{
    ADVERBS, DETERMINERS, FILLERS, KINDS, NEGATIONS, NOT_BEFORE, NOT_BEHIND, PREPOSITIONS,
};
pub(super) use clause::words;
use clause::{is_led, words_before};
use reach::Aux;
use std::ops::Range;

/// Cues that say so only where a thing follows: `X is now Y`, but not `X is now fast`.
const WITH_TARGET: &[&str] = &[
    "is now",
    "became",
    "went into",
    "turned into",
    "ist jetzt",
    "ist nun",
    "ahora es",
    "est maintenant",
    "est désormais",
    "agora é",
    "现在是",
];

/// A sentence in lower case, in which what is no prose is masked, and the places of the things in it.
pub(super) struct Sentence<'a> {
    pub text: &'a str,
    pub things: &'a [Range<usize>],
    /// For each thing, whether it is a flag: those are added to commands.
    pub flags: &'a [bool],
}

/// What the text says of a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    Gone,
    Planned,
}

/// What a sentence says.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    /// Of which of its things.
    pub of: Vec<(usize, Said)>,
    /// Of what the sentence before it named.
    pub before: Option<Said>,
    /// Whether it speaks of things that are gone, without naming them.
    pub speaks: Option<Said>,
}

impl Sentence<'_> {
    /// What the sentence says.
    pub(super) fn judge(&self) -> Verdict {
        let mut verdict = Verdict::default();
        let asked = (0..self.things.len()).filter(|thing| self.is_asked(*thing));
        verdict.of.extend(asked.map(|thing| (thing, Said::Planned)));
        for cue in cues::find(self.text) {
            let said = if matches!(cue.says, Says::New | Says::Will) { Said::Planned } else { Said::Gone };
            let is_idle = cue.says == Says::Of && self.is_short(&cue) && !self.opens_clause(&cue);
            if is_idle || self.is_negated(&cue) {
                continue;
            }
            let mut of = self.about(&cue);
            if said == Said::Planned
                && cue.says == Says::New
                && !self.slice(cue.range.clone()).contains("new")
            {
                of.retain(|thing| !self.flags.get(*thing).copied().unwrap_or(false));
            }
            if of.is_empty() && self.refers_back(&cue) {
                verdict.before = Some(said);
            }
            if !matches!(cue.says, Says::New | Says::Back) || self.slice(cue.range.clone()).contains("plan") {
                verdict.speaks = verdict.speaks.or(Some(said));
            }
            verdict.of.extend(of.into_iter().map(|thing| (thing, said)));
        }
        verdict
    }

    /// Whether a thing may be there or not by the sentence's own word: `if X exists`, `wenn es X gibt`, `X 가 있으면`.
    fn is_asked(&self, thing: usize) -> bool {
        let Some(place) = self.things.get(thing) else { return false };
        let marks = [' ', '`', '"', '\'', '「', '」', '『', '』', '*', '\u{1}', '«', '»'];
        let head = self.slice(0..place.start).trim_end_matches(marks);
        let tail = self.slice(place.end..self.text.len()).trim_start_matches(marks);
        let near = |word: &str| {
            KINDS.contains(word) || DETERMINERS.contains(word) || FILLERS.contains(word) && word != "and"
        };
        let mut before = words_before(head, 5).skip_while(|word| near(word));
        let asks = |word: &str| {
            matches!(
                word,
                "if" | "whether"
                    | "wenn"
                    | "falls"
                    | "ob"
                    | "si"
                    | "se"
                    | "caso"
                    | "unless"
                    | "when"
                    | "where"
            )
        };
        let mut behind = words(tail).skip_while(|word| {
            KINDS.contains(*word)
                || matches!(*word, "still" | "noch" | "encore" | "todavía" | "aún" | "ainda")
        });
        let (one, two) = (behind.next().unwrap_or_default(), behind.next().unwrap_or_default());
        let exists = matches!(
            one,
            "exists"
                | "exist"
                | "existiert"
                | "existieren"
                | "existe"
                | "existen"
                | "existem"
                | "existent"
                | "vorhanden"
                | "gibt"
        ) || matches!(
            (one, two),
            (
                "is" | "are" | "isn't" | "aren't",
                "there" | "present" | "missing" | "absent" | "available" | "installed"
            ) | ("n'existe" | "n’existe", _)
                | ("is", "not")
        );
        if exists && before.next().is_some_and(asks) {
            return true;
        }
        // `wenn es X gibt`, `s'il y a X`, `si hay X`, `se houver X`.
        let leads = [
            "if there is",
            "if there's",
            "if you have",
            "wenn es",
            "falls es",
            "s'il y a",
            "s’il y a",
            "si hay",
            "si existe",
            "se houver",
            "se existir",
            "如果有",
            "如果存在",
            "若有",
            "若存在",
        ];
        if is_led(head, &leads) {
            return true;
        }
        let tail = tail.trim_start_matches([
            '파', '일', '함', '수', '이', '가', 'が', 'は', '関', '数', '文', '件', ' ',
        ]);
        [
            "있으면",
            "있다면",
            "존재하면",
            "존재한다면",
            "없으면",
            "없다면",
            "あれば",
            "ある場合",
            "存在すれば",
            "存在する場合",
            "なければ",
            "ない場合",
            "存在的话",
            "存在时",
        ]
        .iter()
        .any(|mark| tail.starts_with(mark))
    }

    /// The things that a cue is about.
    fn about(&self, cue: &Cue) -> Vec<usize> {
        match cue.says {
            Says::Done => {
                let aux = self.auxiliary(cue.range.start);
                match aux {
                    Some(Aux::Passive) => {
                        self.first_of([self.before(cue), self.after(cue), self.behind_colon(cue)])
                    }
                    Some(Aux::Perfect) => self.after(cue),
                    None if self.opens_clause(cue) && self.ends_phrase(cue) => {
                        self.first_of([self.after(cue), self.at_once_before(cue), self.before(cue)])
                    }
                    None => self.first_of([self.after(cue), self.at_once_before(cue)]),
                }
            }
            Says::Was | Says::Will => self.first_of([self.before(cue), self.behind_colon(cue)]),
            Says::Of | Says::New => self.after(cue),
            Says::Into => {
                let word = self.slice(cue.range.clone());
                if WITH_TARGET.contains(&word) && self.after(cue).is_empty() {
                    return Vec::new();
                }
                self.before(cue)
            }
            Says::Either => self.either(cue),
            Says::Back => (0..self.things.len()).collect(),
            Says::Never => (0..self.things.len()).collect(),
        }
    }

    /// Whether a cue is a word that says so only where it opens a clause: `(was X)`.
    fn is_short(&self, cue: &Cue) -> bool {
        matches!(
            self.slice(cue.range.clone()),
            "was" | "were" | "ex" | "antes" | "antes en" | "avant" | "vorher"
        )
    }

    /// Whether nothing but punctuation stands before a cue in its clause.
    fn opens_clause(&self, cue: &Cue) -> bool {
        let head = self.slice(0..cue.range.start).trim_end_matches([' ', '\n', '*', '_']);
        head.is_empty() || head.ends_with(['(', ',', ':', '—', '–', '-', '|', '/'])
    }

    /// Whether a participle is not that of a noun behind it: `deleted in June`.
    fn ends_phrase(&self, cue: &Cue) -> bool {
        words(self.slice(cue.range.end..self.text.len())).next().is_none_or(|next| {
            PREPOSITIONS.contains(next)
                || ADVERBS.contains(next)
                || next.starts_with(|c: char| c.is_ascii_digit())
        })
    }

    /// Whether a cue stands under a "not", so that it says the contrary, or (for what only counts under one) does not.
    fn is_negated(&self, cue: &Cue) -> bool {
        if matches!(cue.says, Says::Never | Says::Was | Says::Into | Says::Of | Says::New | Says::Will) {
            return false;
        }
        let head = self.slice(0..cue.range.start);
        if cue.says == Says::Back {
            let is_whole = self.slice(cue.range.clone()) != "bring"
                || self.slice(cue.range.end..self.text.len()).contains("back");
            return !is_whole || !words_before(head, 7).any(|word| NEGATIONS.contains(word));
        }
        let tail: String = self.slice(cue.range.end..self.text.len()).chars().take(8).collect();
        let before: String = head.chars().rev().take(4).collect::<Vec<_>>().into_iter().rev().collect();
        let is_cjk = self.slice(cue.range.clone()).bytes().next().is_some_and(|b| b >= 0xE0);
        if is_cjk {
            return NOT_BEHIND.iter().any(|not| tail.trim_start().starts_with(not) || tail.starts_with(not))
                || NOT_BEFORE.iter().any(|not| before.contains(not));
        }
        let own = self.slice(cue.range.clone());
        if own.contains("no ")
            || own.contains("n'")
            || own.contains("n’")
            || own.contains("nicht")
            || own.contains("não")
        {
            return false;
        }
        // The "not" of a clause before the last separator is another's.
        let start = head.rfind([',', ';', ':', '(', '\u{1}']).map_or(0, |at| at + 1);
        let near = self.slice(start..cue.range.start);
        words_before(near, 4).any(|word| NEGATIONS.contains(word))
            || words_before(near, 3).any(|word| matches!(word, "be" | "being"))
                && words_before(near, 6).any(|word| {
                    matches!(word, "if" | "should" | "can" | "could" | "may" | "might" | "before")
                })
    }

    fn slice(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }
}

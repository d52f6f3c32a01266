//! The words of each language: tables, and how an absolute date is said there.

mod chinese;
mod english;
mod french;
mod german;
mod japanese;
mod korean;
mod portuguese;
mod say;
mod spanish;

use super::language::Language;
use super::relative::Scene;
use super::{Span, Unit};
use crate::memory::pattern::Pattern;
use chrono::Weekday;
use std::sync::LazyLock;

/// What words mean, counted from the day of writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// So many days later.
    Day(i64),
    /// The last, this or next unit (`w`, `u`).
    Which,
    /// The last, this or next of a weekday (`w`, `d`).
    WhichDay,
    /// A day of the last, this or next week (`w`, `d`).
    DayOfWeek,
    /// The last, this or next of a month (`w`, `m`).
    WhichMonth,
    /// So many units later, or earlier with -1 (`n`, `u`).
    Count(i64),
    /// The last day of a unit (`u`, perhaps `w`).
    End,
    /// The last day of this unit.
    EndOf(Unit),
    /// Some day that can't be told.
    Vague,
}

/// What a rule needs beside its words, to be about a day and not a habit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// Nothing.
    Nothing,
    /// A sentence about the past, or a preposition like "since".
    Past,
    /// A sentence about the future.
    Future,
    /// A preposition that makes it a point in time ("until").
    Point,
    /// That it is not counted from an event that is named before it.
    NoEvent,
}

/// What is the same for all tables of a language.
pub(super) struct Table {
    pub language: Language,
    /// Patterns with `{p}` prepositions, `{n}` number, `{u}` unit, `{U}` one unit longer than a day, `{d}` weekday,
    /// `{w}` which one, `{m}` month. A group `r` says which part is replaced.
    pub rules: &'static [(&'static str, Meaning, Need)],
    pub prepositions: &'static str,
    pub numbers: &'static [(&'static str, i64)],
    pub units: &'static [(&'static str, Unit)],
    /// How the words for units may go on.
    pub unit_end: &'static str,
    /// The same for one of them.
    pub single_end: &'static str,
    pub weekdays: &'static [(&'static str, Weekday)],
    pub weekday_end: &'static str,
    pub which: &'static [(&'static str, i64)],
    pub which_end: &'static str,
    /// A sentence that tells of habits or of the words themselves.
    pub general: &'static str,
    /// What right before or behind the words says that they are no date.
    pub not_behind: &'static str,
    pub not_before: &'static str,
    /// What a sentence about the past, or the future, has.
    pub past: &'static str,
    pub future: &'static str,
    /// What right before the words says that they count from an event.
    pub event: &'static str,
}

/// One rule, ready to use.
pub(super) struct Rule {
    pub pattern: Pattern,
    pub meaning: Meaning,
    pub need: Need,
}

/// A table, ready to use.
pub(super) struct Book {
    table: &'static Table,
    pub rules: Vec<Rule>,
    general: Pattern,
    not_behind: Pattern,
    not_before: Pattern,
    past: Pattern,
    future: Pattern,
    event: Pattern,
}

static BOOKS: [LazyLock<Book>; 8] = [
    LazyLock::new(|| Book::new(&english::TABLE)),
    LazyLock::new(|| Book::new(&german::TABLE)),
    LazyLock::new(|| Book::new(&french::TABLE)),
    LazyLock::new(|| Book::new(&spanish::TABLE)),
    LazyLock::new(|| Book::new(&portuguese::TABLE)),
    LazyLock::new(|| Book::new(&japanese::TABLE)),
    LazyLock::new(|| Book::new(&korean::TABLE)),
    LazyLock::new(|| Book::new(&chinese::TABLE)),
];

/// The book of a language.
pub(super) fn of(language: Language) -> &'static Book {
    let [english, others @ ..] = &BOOKS;
    others.iter().map(|book| &**book).find(|book| book.table.language == language).unwrap_or(english)
}

/// Whether a text can hold words that count from the day of writing: a fast look that most texts end with.
#[must_use]
pub fn may_have(text: &str) -> bool {
    FIRST.iter().any(|(_, pattern)| pattern.is_match(text))
}

/// The same for a sentence whose language is known.
pub(super) fn may_have_in(language: Language, text: &str) -> bool {
    FIRST.iter().filter(|(of, _)| of.contains(&language)).any(|(_, pattern)| pattern.is_match(text))
}

/// The words by the languages that they are of.
static FIRST: LazyLock<Vec<(&[Language], Pattern)>> = LazyLock::new(|| {
    let of =
        |languages: &'static [Language], words: &str| (languages, Pattern::rough(&format!("(?i){words}")));
    vec![
        of(
            &[Language::English],
            r"yesterday|tomorrow|today|tonight|this |next |last |coming |\bago\b|from now|after next|before last|\bon (?:mon|tue|wed|thu|fri|sat|sun)|the other day|end of|-end\b|\beo[wmqy]\b|\bin (?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d+|a couple of) (?:day|week|month|quarter|year)|(?:by|until|till) (?:mon|tue|wed|thu|fri|sat|sun)",
        ),
        of(
            &[Language::German],
            r"gestern|morgen|heute|nächste|kommende|letzte|vergangene|vorige|diese|neulich|vor ein paar|\b(?:bis|spätestens)\b|\bvor \S+ (?:tag|woche|monat|jahr)|\bin \S+ (?:tag|woche|monat|jahr)|ende\b",
        ),
        of(
            &[Language::French],
            r"hier\b|demain|aujourd|prochain|derni[eè]re?\b|passée?\b|\bavant |jusqu|\bce(?:tte)? |il y a |\bdans |fin d",
        ),
        of(
            &[Language::Spanish, Language::Portuguese],
            r"ayer|antier|mañana|\bhoy\b|viene|próxim|pasad[ao]|hasta |antes del |anoche|\best[ea] |\bhace |\ben \S+ (?:día|semana|mes|año)|dentro de|fin(?:al|es)? de",
        ),
        of(
            &[Language::Portuguese, Language::Spanish],
            r"ontem|amanhã|\bhoje\b|que vem|passad[ao]|\bn?est[ea] |\bess[ea] |\bhá |\bfaz |atrás|\baté |outro dia|fi(?:m|nal) d|daqui|\bem \S+ (?:dia|semana|m[eê]s|ano)",
        ),
        of(
            &[Language::Chinese, Language::Japanese],
            r"昨日|昨夜|昨晚|昨天|今天|今日|本日|今朝|今晚|明日|明天|前天|后天|後天|明後日|おととい|きのう|あした|あさって|[先今来再上下本这這]々?(?:个|個)?(?:周|週|星期|礼拜|月|季|四半期|年|期)|去年|昨年|明年|前年|[前后後]|月末|月底|年末|年底|季末|季度末|期末|次",
        ),
        of(
            &[Language::Korean],
            r"어제|그저께|엊그제|내일|모레|오늘|지난|이번|다음|저번|작년|올해|내년|전|후|뒤|말까지",
        ),
    ]
});

impl Book {
    fn new(table: &'static Table) -> Self {
        let either = |words: Vec<&str>, end: &str| {
            let mut words = words;
            words.sort_by_key(|word| std::cmp::Reverse(word.len()));
            format!("(?:{}){end}", words.join("|"))
        };
        let names =
            |pairs: &'static [(&'static str, i64)]| pairs.iter().map(|(word, _)| *word).collect::<Vec<_>>();
        let numbers = either(names(table.numbers), "");
        let which = either(names(table.which), table.which_end);
        let units = either(table.units.iter().map(|(word, _)| *word).collect(), table.unit_end);
        let single =
            table.units.iter().filter(|(_, unit)| *unit != Unit::Day).map(|(word, _)| *word).collect();
        let single = either(single, table.single_end);
        let weekdays = either(table.weekdays.iter().map(|(word, _)| *word).collect(), table.weekday_end);
        let rule = |(pattern, meaning, need): &(&str, Meaning, Need)| {
            let pattern = pattern
                .replace("{p}", &format!("(?:{})?", table.prepositions))
                .replace("{n}", &format!(r"(?P<n>\d{{1,3}}|{numbers})"))
                .replace("{w}", &format!("(?P<w>{which})"))
                .replace("{u}", &format!("(?P<u>{units})"))
                .replace("{U}", &format!("(?P<u>{single})"))
                .replace("{d}", &format!("(?P<d>{weekdays})"))
                .replace("{m}", &format!("(?P<m>{})", super::absolute::NAMES));
            Rule { pattern: Pattern::new(&format!("(?i){pattern}")), meaning: *meaning, need: *need }
        };
        // An empty pattern would be found everywhere.
        let any = |words: &str| Pattern::new(if words.is_empty() { r"[^\s\S]" } else { words });
        Self {
            table,
            rules: table.rules.iter().map(rule).collect(),
            general: any(table.general),
            not_behind: any(table.not_behind),
            not_before: any(table.not_before),
            past: any(table.past),
            future: any(table.future),
            event: any(table.event),
        }
    }

    /// Whether a sentence tells of habits, or of the words for dates themselves.
    pub(super) fn is_general(&self, sentence: &str) -> bool {
        self.general.is_match(sentence)
    }

    /// Whether the words mean a day here.
    pub(super) fn is_meant(&self, scene: &Scene<'_>, need: Need) -> bool {
        if self.not_behind.is_match(scene.before) || self.not_before.is_match(scene.after) {
            return false;
        }
        if self.table.language == Language::English && !english::is_meant(scene) {
            return false;
        }
        // Such a preposition makes it a point in time; "of" or "for" does not.
        let point = scene.group("p").is_some_and(|p| !WEAK.contains(&p.to_lowercase().as_str()));
        match need {
            Need::Nothing => true,
            Need::Past => {
                point
                    || scene.group("s").is_some()
                    || self.past.is_match(&format!("{}\u{1}{}", scene.before, scene.after))
            }
            Need::Future => self.future.is_match(scene.before),
            Need::Point => point,
            Need::NoEvent => !self.event.is_match(scene.before),
        }
    }

    pub(super) fn number(&self, word: &str) -> Option<i64> {
        // Full-width digits are digits too.
        let ascii: String = word
            .chars()
            .map(|c| {
                c.to_digit(10)
                    .or_else(|| {
                        ('０'..='９').position(|wide| wide == c).and_then(|at| u32::try_from(at).ok())
                    })
                    .and_then(|digit| char::from_digit(digit, 10))
                    .unwrap_or(c)
            })
            .collect();
        ascii.parse().ok().or_else(|| longest(self.table.numbers, word))
    }

    pub(super) fn unit(&self, word: &str) -> Option<Unit> {
        longest(self.table.units, word)
    }

    pub(super) fn weekday(&self, word: &str) -> Option<Weekday> {
        longest(self.table.weekdays, word)
    }

    /// -1 the last, 0 this (also when nothing says which), 1 the next.
    pub(super) fn which(&self, word: &str) -> i64 {
        longest(self.table.which, word).unwrap_or(0)
    }

    /// A date in the words of the language, where `scene` stood.
    pub(super) fn say(&self, span: Span, scene: &Scene<'_>) -> String {
        say::say(self.table.language, span, scene)
    }
}

/// Prepositions that say nothing about time.
const WEAK: &[&str] = &[
    "for", "of", "on", "from", "in", "after", "due", "am", "im", "in", "zum", "zur", "von", "à", "le", "de",
    "d'", "d’", "du", "del", "do", "da", "para", "pour",
];

/// The value of the longest word that starts the text.
fn longest<T: Copy>(table: &[(&'static str, T)], text: &str) -> Option<T> {
    let text = text.to_lowercase();
    let fits = table.iter().filter(|(word, _)| text.starts_with(word));
    fits.max_by_key(|(word, _)| word.len()).map(|(_, value)| *value)
}

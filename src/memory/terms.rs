//! A text as the terms that say something: stems, names from code, numbers, pairs of CJK characters.

pub(crate) mod cjk;
mod concepts;
mod language;
pub(crate) mod polarity;
mod tokens;

use language::{LANGUAGES, Language, Worth};
use std::collections::{HashMap, HashSet};
use tokens::{Raw, Token, is_name, is_version, tokens};

/// What kind of term it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A word that says something.
    Word,
    /// A word that is in many memories, or a part of a name.
    Weak,
    /// Two CJK characters.
    Pair,
    /// A path, symbol, flag or command.
    Name,
    /// A number, date or version.
    Number,
}

/// One term of a text.
#[derive(Debug, Clone)]
pub(crate) struct Term {
    /// What makes it the same as another.
    pub(crate) key: Box<str>,
    /// As it stands in the text.
    pub(crate) shown: Box<str>,
    pub(crate) kind: Kind,
    /// Whether the text denies it wherever it stands.
    pub(crate) is_denied: bool,
    /// Whether it stands in a clause that denies something.
    pub(crate) is_near_denial: bool,
}

/// A text as terms.
#[derive(Debug, Clone, Default)]
pub struct Bag {
    /// Each term once, in the order of the text.
    pub(crate) terms: Vec<Term>,
    /// Every word in order, also those that say nothing, by key.
    pub(crate) sequence: Vec<Step>,
    /// How often it denies something.
    pub(crate) denials: usize,
    /// The numbers of the terms in the order of their keys.
    order: Vec<u32>,
}

/// One word of a text.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) key: Box<str>,
    /// Its term, when it says something.
    pub(crate) term: Option<usize>,
    /// Its side in a pair of opposites.
    pub(crate) opposite: Option<(usize, bool)>,
}

impl Bag {
    /// The terms of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let tokens = tokens(text);
        let lower: Vec<String> =
            tokens.iter().map(|token| token.text.to_lowercase().replace('’', "'")).collect();
        let plain = tokens.iter().zip(&lower).filter(|(token, _)| token.kind == Raw::Word);
        let language = Language::of(plain.map(|(_, lower)| lower.as_str()));
        let mut reader = Reader {
            bag: Self::default(),
            by_key: HashMap::new(),
            language,
            denying: false,
            clause: Vec::new(),
            spent: false,
            denied_from: 0,
            preferring: false,
        };
        for (token, lower) in tokens.iter().zip(&lower) {
            reader.read(token, lower);
        }
        reader.end_clause();
        let mut bag = reader.bag;
        let mut order: Vec<u32> = (0..bag.terms.len()).filter_map(|at| u32::try_from(at).ok()).collect();
        order.sort_by(|a, b| bag.key(*a).cmp(bag.key(*b)));
        bag.order = order;
        bag
    }

    fn key(&self, at: u32) -> &str {
        self.terms.get(at as usize).map_or("", |term| &term.key)
    }

    /// The number of the term with a key.
    pub(crate) fn find(&self, key: &str) -> Option<usize> {
        let place = self.order.binary_search_by(|at| self.key(*at).cmp(key)).ok()?;
        self.order.get(place).map(|at| *at as usize)
    }

    /// Whether nothing in the text says anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// How many terms say something by themselves.
    #[must_use]
    pub fn strong(&self) -> usize {
        self.terms.iter().filter(|term| term.kind != Kind::Weak).count()
    }

    /// How many terms say something that no vocabulary has.
    #[must_use]
    pub fn own_words(&self, known: &[&Vocabulary]) -> usize {
        let is_own = |term: &&Term| {
            term.kind != Kind::Weak && !known.iter().any(|words| words.keys.contains(&*term.key))
        };
        self.terms.iter().filter(is_own).count()
    }
}

/// Words of all languages, to tell what a sentence holds beyond them.
#[derive(Debug, Default)]
pub struct Vocabulary {
    keys: HashSet<Box<str>>,
}

impl Vocabulary {
    /// The words of a text, read in each of the languages.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut keys: HashSet<Box<str>> = Bag::of(text).terms.into_iter().map(|term| term.key).collect();
        for word in text.split_whitespace().map(str::to_lowercase) {
            for language in LANGUAGES {
                let stem = language.stem(&word);
                if let Some(key) = concepts::of(language, &word, &stem) {
                    keys.insert(format!("={key}").into());
                }
                keys.insert(stem.into());
            }
        }
        Self { keys }
    }
}

/// A number as its key: without a leading `v`, trailing units stay.
fn number_key(word: &str) -> String {
    let bare = word
        .trim_start_matches(|c: char| !c.is_ascii_digit())
        .trim_end_matches(['%', '€', '$', '.', ',', ':']);
    format!("#{bare}")
}

struct Reader {
    bag: Bag,
    by_key: HashMap<Box<str>, usize>,
    language: Language,
    /// Whether what comes next is denied.
    denying: bool,
    /// The terms of the open clause.
    clause: Vec<usize>,
    /// Whether a denial of the clause has found its term.
    spent: bool,
    /// How many terms of the clause stood before its denial.
    denied_from: usize,
    /// Whether the clause prefers something, so that `over` denies what follows.
    preferring: bool,
}

impl Reader {
    fn deny(&mut self) {
        if !self.denying {
            self.denied_from = self.clause.len();
        }
        self.denying = true;
        self.spent = false;
        self.bag.denials += 1;
    }

    fn read(&mut self, token: &Token<'_>, lower: &str) {
        match token.kind {
            Raw::Break => self.end_clause(),
            Raw::Name => self.name(token.text, lower),
            Raw::Cjk => self.cjk(token.text),
            Raw::Word if is_version(token.text) => self.push(&number_key(lower), token.text, Kind::Number),
            Raw::Word => self.word(token.text, lower),
        }
    }

    fn end_clause(&mut self) {
        // "Wir mocken die Datenbank nicht": what is denied stands before.
        if self.denying
            && !self.spent
            && let Some(term) = self.clause.last().and_then(|at| self.bag.terms.get_mut(*at))
        {
            term.is_denied = true;
        }
        if self.denying {
            // What stands behind the denial, or all where nothing does.
            let behind = self.clause.get(self.denied_from..).filter(|behind| !behind.is_empty());
            for at in behind.unwrap_or(&self.clause) {
                if let Some(term) = self.bag.terms.get_mut(*at) {
                    term.is_near_denial = true;
                }
            }
        }
        (self.denying, self.spent, self.preferring) = (false, false, false);
        self.clause.clear();
    }

    fn word(&mut self, shown: &str, lower: &str) {
        // French: l'utilisateur, n'utilise, d'un.
        let bare = match lower.split_once('\'') {
            Some((head, rest)) if head.chars().count() <= 2 && rest.chars().count() > 1 => {
                if head == "n" && !self.denying {
                    self.deny();
                }
                rest
            }
            _ => lower.strip_suffix("'s").unwrap_or(lower),
        };
        if self.spent && polarity::lifts(lower) {
            for at in &self.clause {
                if let Some(term) = self.bag.terms.get_mut(*at) {
                    term.is_denied = false;
                }
            }
            // A second such word lifts nothing more.
            (self.denying, self.spent) = (false, false);
            self.bag.denials = self.bag.denials.saturating_sub(1);
            self.step(lower, None, polarity::side(lower));
            return;
        }
        // French says it twice: ne … pas, ne … jamais.
        if self.denying && self.language == Language::French && polarity::denies(lower) {
            return self.step(lower, None, None);
        }
        if polarity::denies(lower) || (self.preferring && lower == "over") {
            self.deny();
            self.step(lower, None, polarity::side(lower));
            return;
        }
        if let Some(number) = NUMBERS.iter().position(|words| words.split(' ').any(|word| word == bare)) {
            self.push(&format!("#{}", number + 2), shown, Kind::Number);
            return;
        }
        let side = polarity::side(bare);
        let worth = self.language.worth(bare);
        let stem = self.language.stem(bare);
        let key =
            concepts::of(self.language, bare, &stem).map_or_else(|| stem.clone(), |key| format!("={key}"));
        self.preferring |= key == "=prefer";
        match worth {
            // The country and the department, not the pronouns.
            Worth::Nothing if matches!(shown, "US" | "IT") => {
                self.push(&format!("{bare}."), shown, Kind::Word)
            }
            Worth::Nothing => self.step(bare, None, side),
            Worth::Little => self.push(&key, shown, Kind::Weak),
            Worth::Full if bare.chars().count() < 2 => self.step(bare, None, side),
            Worth::Full => self.push(&key, shown, concepts::kind(key.trim_start_matches('='))),
        }
        if let Some(step) = self.bag.sequence.last_mut() {
            step.opposite = side;
        }
    }

    fn name(&mut self, shown: &str, lower: &str) {
        let lower =
            lower.trim_end_matches("()").trim_end_matches(['/', ',', ';', ':']).trim_start_matches("./");
        if is_version(lower) {
            return self.push(&number_key(lower), shown, Kind::Number);
        }
        let is_plain = lower.chars().all(char::is_alphabetic) && !lower.chars().any(cjk::is_cjk_char);
        if is_plain && !is_name(shown) && shown.chars().all(char::is_lowercase) {
            // A word between code marks may stand without them elsewhere.
            return self.word(shown, lower);
        }
        let key: String = lower.split_whitespace().collect::<Vec<_>>().join(" ");
        self.push(&format!("`{key}"), shown, Kind::Name);
        for part in parts_of_name(shown) {
            let part = part.to_lowercase();
            if part.chars().count() > 2 && self.language.worth(&part) != Worth::Nothing {
                let stem = self.language.stem(&part);
                let key = concepts::of(self.language, &part, &stem).map_or(stem, |key| format!("={key}"));
                self.add(&key, &part, Kind::Weak);
            }
        }
    }

    fn cjk(&mut self, text: &str) {
        let is_hangul = text.chars().any(cjk::is_hangul);
        let chars: Vec<char> = text.chars().collect();
        let (mut at, mut run, mut denied) = (0, 0, false);
        while let Some(rest) = chars.get(at..).filter(|rest| !rest.is_empty()) {
            let word = concepts::at_start(rest);
            let denial = polarity::denial_at_start(rest);
            let length = match (word, denial) {
                (Some((length, _)), _) => Some(length),
                (None, Some(length)) => Some(length),
                (None, None) => cjk::filler_at_start(rest).filter(|length| !is_hangul || *length > 1),
            };
            let Some(length) = length else {
                at += 1;
                continue;
            };
            self.pairs(chars.get(run..at).unwrap_or_default());
            if let Some((length, key)) = word {
                let shown: String = rest.iter().take(length).collect();
                self.push(&format!("={key}"), &shown, concepts::kind(key));
            } else if denial.is_some() {
                denied = true;
            }
            at += length;
            // What is left of a Korean word behind one of the table is its ending.
            if is_hangul && chars.len() - at <= 3 {
                denied |= (at..chars.len())
                    .any(|at| chars.get(at..).is_some_and(|rest| polarity::denial_at_start(rest).is_some()));
                at = chars.len();
            }
            run = at;
        }
        let rest: String = chars.get(run..).unwrap_or_default().iter().collect();
        let rest = if is_hangul { cjk::hangul_stem(&rest) } else { &rest };
        self.pairs(&rest.chars().collect::<Vec<_>>());
        if denied {
            self.deny();
            (self.spent, self.denied_from) = (true, 0);
            for at in &self.clause {
                if let Some(term) = self.bag.terms.get_mut(*at) {
                    term.is_denied = true;
                }
            }
        }
    }

    /// A run of CJK characters without words of the table.
    fn pairs(&mut self, run: &[char]) {
        // Hiragana holds a sentence together; a word from abroad is one word, and pairs would count it many times.
        for part in run.split(|c| cjk::is_hiragana(*c)) {
            match part {
                [] => {}
                [one] => self.push(&one.to_string(), &one.to_string(), Kind::Pair),
                _ if part.iter().all(|c| cjk::is_katakana(*c)) => {
                    let word: String = part.iter().collect();
                    self.push(&word, &word, Kind::Word);
                }
                _ => {
                    for pair in part.windows(2) {
                        let word: String = pair.iter().collect();
                        self.push(&word, &word, Kind::Pair);
                        if let Some(step) = self.bag.sequence.last_mut() {
                            step.opposite = polarity::side(&word);
                        }
                    }
                }
            }
        }
    }

    fn step(&mut self, key: &str, term: Option<usize>, opposite: Option<(usize, bool)>) {
        self.bag.sequence.push(Step { key: key.into(), term, opposite });
    }

    fn push(&mut self, key: &str, shown: &str, kind: Kind) {
        let at = self.add(key, shown, kind);
        self.step(key, Some(at), None);
    }

    fn add(&mut self, key: &str, shown: &str, kind: Kind) -> usize {
        let denied = self.denying && !self.spent && kind != Kind::Weak;
        self.spent |= denied;
        let next = self.bag.terms.len();
        let at = *self.by_key.entry(key.into()).or_insert(next);
        match self.bag.terms.get_mut(at) {
            Some(term) => term.is_denied &= denied,
            None => self.bag.terms.push(Term {
                key: key.into(),
                shown: shown.into(),
                kind,
                is_denied: denied,
                is_near_denial: denied,
            }),
        }
        self.clause.push(at);
        at
    }
}

/// The words that a name is made of: `settle_in_cents`, `settleInCents` and `settle/in-cents` are of the same three.
pub(crate) fn parts_of_name(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut last_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && last_lower) {
            parts.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(part) = parts.last_mut()
        {
            part.push(c);
        }
        last_lower = c.is_lowercase();
    }
    parts.retain(|part| !part.is_empty() && !part.chars().all(|c| c.is_ascii_digit()));
    parts
}

/// Words for numbers from two on, of the five languages.
const NUMBERS: &[&str] = &[
    "two zwei deux dos dois duas",
    "three drei trois tres três",
    "four vier quatre cuatro quatro",
    "five fünf cinq cinco",
    "six sechs seis",
    "seven sieben sept siete sete",
    "eight acht huit ocho oito",
    "nine neun neuf nueve nove",
    "ten zehn dix diez dez",
];

/// Whether two texts seem to be of one language: the same writing, and no words that say otherwise. A text too short to
/// tell is of any language that is written so.
#[must_use]
pub fn is_one_language(one: &str, other: &str) -> bool {
    let is_cjk = |text: &str| {
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        text.chars().filter(|c| cjk::is_cjk_char(*c)).count() * 4 > letters
    };
    if is_cjk(one) != is_cjk(other) {
        return false;
    }
    let language = |text: &str| {
        let words: Vec<String> = text
            .split(|c: char| !c.is_alphabetic() && c != '\'')
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let language = Language::of(words.iter().map(String::as_str));
        words.iter().any(|word| language.worth(word) == Worth::Nothing).then_some(language)
    };
    match (language(one), language(other)) {
        (Some(one), Some(other)) => one == other,
        (None, _) | (_, None) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_denial_is_lifted_once() {
        let bag = Bag::of(
            "never deploy without a review, and never merge without a test unless asked except on Fridays",
        );
        assert_eq!(bag.denials, 0);
        assert_eq!(Bag::of("never deploy without review unless asked").denials, 0);
    }

    #[test]
    fn a_word_of_the_table_is_of_its_own_row_before_that_of_its_stem() {
        let key = |text: &str| Bag::of(text).terms[0].key.to_string();
        // Both are cut to "import".
        assert_eq!((key("imports"), key("importe")), ("=import".into(), "=money".into()));
        assert_eq!(key("el importe de la factura"), "=money");
    }

    #[test]
    fn languages_are_told_apart_where_they_can_be() {
        for (one, other, same) in [
            ("the ledger is append-only", "notes of the call", true),
            ("the ledger is append-only", "Die Freigabe ist für die Erstattung", false),
            ("the ledger is append-only", "返金の規則", false),
            ("misc", "Die Freigabe ist für die Erstattung", true),
        ] {
            assert_eq!(is_one_language(one, other), same, "{one} / {other}");
        }
    }
}

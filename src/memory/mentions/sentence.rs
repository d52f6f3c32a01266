//! One sentence: which of the things that it names its cues are about.

use super::cues::{self, Cue, Says};
use super::language::{
    ADVERBS, BREAKS, DETERMINERS, FILLERS, KINDS, NEGATIONS, NOT_BEFORE, NOT_BEHIND, PASSIVE, PERFECT,
    PREPOSITIONS, PRONOUNS,
};
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

    fn first_of<const N: usize>(&self, tries: [Vec<usize>; N]) -> Vec<usize> {
        tries.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// The helping verb before a participle.
    fn auxiliary(&self, at: usize) -> Option<Aux> {
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
    fn either(&self, cue: &Cue) -> Vec<usize> {
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
    fn after(&self, cue: &Cue) -> Vec<usize> {
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
    fn behind_colon(&self, cue: &Cue) -> Vec<usize> {
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
    fn at_once_before(&self, cue: &Cue) -> Vec<usize> {
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
    fn before(&self, cue: &Cue) -> Vec<usize> {
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

    fn is_destination(&self, thing: usize) -> bool {
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
    fn extend(&self, found: &mut Vec<usize>) {
        while let Some(&last) = found.last() {
            let next = last + 1;
            match (self.things.get(last), self.things.get(next)) {
                (Some(a), Some(b)) if is_list(self.slice(a.end..b.start)) => found.push(next),
                _ => return,
            }
        }
    }

    fn extend_back(&self, found: &mut Vec<usize>) {
        while let Some(up) = found.last().and_then(|last| last.checked_sub(1)) {
            match (self.things.get(up), found.last().and_then(|last| self.things.get(*last))) {
                (Some(a), Some(b)) if is_list(self.slice(a.end..b.start)) => found.push(up),
                _ => return,
            }
        }
    }

    /// Whether a sentence without things of its own speaks of those before it: `It was removed in June.`
    fn refers_back(&self, cue: &Cue) -> bool {
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

    fn slice(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }
}

enum Aux {
    Passive,
    Perfect,
}

/// Whether a cue of Korean, Japanese or Chinese describes the noun behind it.
enum Attribute {
    No,
    Yes,
    /// The noun is a word for the thing itself: `삭제된 파일이다`.
    OfKind,
}

fn attribute(own: &str, tail: &str) -> Attribute {
    let tail = tail.trim_start_matches(' ');
    let korean = own.ends_with(['된', '한', '진', '앤', '운', '긴', '뀐', '낸']);
    let next = tail.chars().next();
    let japanese = own.ends_with(['た', 'い', '済', 'み']);
    let chinese = tail.starts_with('的');
    let kana_or_end =
        next.is_none_or(|c| matches!(c, '\u{3041}'..='\u{309F}') || !c.is_alphanumeric() && c != '\u{1}');
    let kinds = [
        "파일",
        "모듈",
        "함수",
        "상태",
        "것",
        "옵션",
        "플래그",
        "스크립트",
        "변수",
        "설정",
        "적",
        "이후",
        "지 오래",
        "ファイル",
        "もの",
        "状態",
        "関数",
        "モジュール",
        "スクリプト",
        "文件",
        "函数",
        "模块",
        "。",
        "，",
        "了",
    ];
    let tail_noun = tail.trim_start_matches('的');
    if kinds.iter().any(|kind| tail_noun.starts_with(kind)) {
        return if chinese || korean || japanese { Attribute::OfKind } else { Attribute::No };
    }
    if chinese || korean && next.is_some_and(|c| c.is_alphanumeric() || c == '\u{1}') {
        return if chinese && tail_noun.trim().is_empty() { Attribute::No } else { Attribute::Yes };
    }
    if japanese && !kana_or_end { Attribute::Yes } else { Attribute::No }
}

/// Whether a clause of its own begins between a thing and a cue behind it.
fn breaks(between: &str) -> bool {
    let plain = without_asides(between);
    if plain.contains([';', '。', '；', '！', '？']) || plain.chars().count() > 110 {
        return true;
    }
    if cjk_breaks(&plain) {
        return true;
    }
    let list: Vec<&str> = words(&plain).collect();
    if list.len() > 14 {
        return true;
    }
    let starts_with_comma =
        plain.trim_start_matches(['`', '"', '*', '\u{1}', ' ', '\'']).starts_with([',', '—', '–', '-', ':']);
    for (at, word) in list.iter().enumerate() {
        let up = at.checked_sub(1).and_then(|up| list.get(up)).copied().unwrap_or_default();
        if BREAKS.contains(*word) {
            let follows_at_once = list.iter().take(at).all(|w| KINDS.contains(*w) || FILLERS.contains(*w));
            let is_adverb = *word == "since"
                && list.get(at + 1).is_some_and(|next| {
                    matches!(*next, "been" | "then") || next.bytes().any(|b| b.is_ascii_digit())
                })
                || *word == "then" && up == "since"
                || matches!(*word, "since" | "then") && at + 1 == list.len();
            let is_relative =
                matches!(*word, "which" | "that" | "who" | "que" | "qui" | "die" | "der" | "das" | "dass")
                    && follows_at_once;
            // `X se eliminó`: no Portuguese "if", but the verb's own word.
            let is_reflexive = *word == "se" && at + 1 == list.len();
            if !is_adverb && !is_relative && !is_reflexive {
                return true;
            }
        }
        // `X a été …`: no article, but French for "has".
        if DETERMINERS.contains(*word) && !(*word == "a" && at == 0) {
            let joins =
                matches!(up, "and" | "or" | "with" | "y" | "et" | "und" | "e" | "sowie" | "plus") && at <= 2;
            let opens = at == 0 && starts_with_comma;
            let relates = at == 0 && matches!(*word, "die" | "der" | "das" | "que");
            if !(joins
                || opens
                || relates
                || PREPOSITIONS.contains(up)
                || FILLERS.contains(up) && at <= 2 && up != "and")
            {
                return true;
            }
        }
    }
    false
}

/// Whether another subject or object stands between, in Korean, Japanese or Chinese.
fn cjk_breaks(between: &str) -> bool {
    // What directly follows the thing is its own particle.
    let own: &[&str] = &[
        "에서는",
        "에서",
        "에는",
        "으로",
        "로",
        "은",
        "는",
        "이",
        "가",
        "을",
        "를",
        "도",
        "의",
        "와",
        "과",
        "は",
        "が",
        "を",
        "も",
        "の",
        "という",
        "って",
    ];
    let start = between.trim_start_matches(['`', '"', '」', '』', '*', '\u{1}', ' ', ')', '(', '）']);
    let rest = own.iter().find_map(|particle| start.strip_prefix(particle)).unwrap_or(start);
    let korean = rest.split([' ', ',', '\n']).any(|word| {
        word.chars().count() >= 2
            && word.ends_with(['가', '을', '를'])
            && word.chars().all(|c| matches!(c, '\u{AC00}'..='\u{D7A3}'))
    });
    let kana = rest.contains('を') || rest.contains('が') && !rest.trim_start().starts_with('が');
    let chinese = rest.find('被').is_some_and(|at| {
        let head = rest
            .get(..at)
            .unwrap_or_default()
            .trim_end_matches(['已', '就', '早', '都', '也', '经', '于', '是', '在', '日', '月', '年', ' ']);
        head.chars().filter(|c| matches!(c, '\u{4E00}'..='\u{9FFF}')).count() > 4
    });
    korean || kana || chinese
}

fn is_cjk_pronoun(word: &str) -> bool {
    [
        "이 ",
        "그",
        "둘 다",
        "이것",
        "이제",
        "지금",
        "모두",
        "それ",
        "これ",
        "両方",
        "どちら",
        "现在",
        "它",
        "两者",
        "都",
        "已",
        "该",
        "이미",
        "すでに",
        "既に",
        "于",
        "해당",
        "당시",
        "被",
    ]
    .iter()
    .any(|mark| word.starts_with(mark.trim()))
        || word.is_empty()
}

/// Text without what stands in brackets.
fn without_asides(text: &str) -> String {
    let mut depth = 0_usize;
    let mut kept = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '(' | '（' | '[' => depth += 1,
            ')' | '）' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => kept.push(c),
            _ => {}
        }
    }
    // An aside that is still open holds the cue itself: `X (the importer, removed in June)`.
    if depth > 0 { text.to_owned() } else { kept }
}

/// Whether one of some leads stands before a thing, with nothing but small words between (`if there is a file`).
fn is_led(head: &str, leads: &[&str]) -> bool {
    let mut head = head.trim_end();
    loop {
        if leads.iter().any(|lead| head.ends_with(lead)) {
            return true;
        }
        match head.rsplit_once(' ') {
            Some((rest, last)) if KINDS.contains(last) || DETERMINERS.contains(last) => {
                head = rest.trim_end()
            }
            _ => return false,
        }
    }
}

fn is_list(between: &str) -> bool {
    let joins = ["와", "과", "랑", "및", "と", "、", "和", "与", "及", "하고", "や", "以及"];
    let plain = between.trim_matches(['`', '"', '*', '\u{1}', ' ', '\n', '」', '「', '\'', '(', ')']);
    if plain.is_empty() || joins.contains(&plain) || matches!(plain, "," | "/" | "&" | "+") {
        return true;
    }
    let small = plain
        .split([',', ' ', '\n', '`', '\u{1}', '"', '*', '、'])
        .filter(|word| !word.is_empty())
        .all(|word| {
            matches!(
                word,
                "and"
                    | "or"
                    | "plus"
                    | "nor"
                    | "y"
                    | "et"
                    | "und"
                    | "e"
                    | "ou"
                    | "o"
                    | "oder"
                    | "sowie"
                    | "&"
                    | "/"
                    | "as"
                    | "well"
                    | "both"
                    | "then"
            ) || FILLERS.contains(word)
                || joins.contains(&word)
        });
    small && !plain.contains(['.', ';', ':', '('])
}

/// The words of a text, apostrophes within.
pub(super) fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '-' | '_')))
        .map(|word| word.trim_matches(['\'', '-', '’']))
        .filter(|word| !word.is_empty())
}

/// The last words of a text, the nearest first.
fn words_before(text: &str, count: usize) -> impl Iterator<Item = &str> {
    words(text).rev().take(count)
}

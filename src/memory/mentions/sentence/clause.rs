//! Where a clause ends: what stands between a thing and a cue, and which words lead to it.

use crate::memory::mentions::language::{BREAKS, DETERMINERS, FILLERS, KINDS, PREPOSITIONS};

/// Whether a cue of Korean, Japanese or Chinese describes the noun behind it.
pub(super) enum Attribute {
    No,
    Yes,
    /// The noun is a word for the thing itself: `삭제된 파일이다`.
    OfKind,
}

pub(super) fn attribute(own: &str, tail: &str) -> Attribute {
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
pub(super) fn breaks(between: &str) -> bool {
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
pub(super) fn cjk_breaks(between: &str) -> bool {
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

pub(super) fn is_cjk_pronoun(word: &str) -> bool {
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
pub(super) fn without_asides(text: &str) -> String {
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
pub(super) fn is_led(head: &str, leads: &[&str]) -> bool {
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

pub(super) fn is_list(between: &str) -> bool {
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
pub(in crate::memory::mentions) fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '-' | '_')))
        .map(|word| word.trim_matches(['\'', '-', '’']))
        .filter(|word| !word.is_empty())
}

/// The last words of a text, the nearest first.
pub(super) fn words_before(text: &str, count: usize) -> impl Iterator<Item = &str> {
    words(text).rev().take(count)
}

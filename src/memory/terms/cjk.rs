//! Chinese, Japanese and Korean, which need no list of words: runs of characters become pairs, once the particles
//! and endings that hold a sentence together are out.

/// Whether a character is written in one of the three.
pub(crate) const fn is_cjk_char(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{1100}'..='\u{11FF}' | '\u{20000}'..='\u{2FA1F}' | '々')
}

/// Whether a text is written so: whether its first character is.
pub(crate) fn is_cjk(text: &str) -> bool {
    text.chars().next().is_some_and(is_cjk_char)
}

/// Whether a character is one of those with which Japanese holds a sentence together.
pub(crate) const fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{309F}')
}

/// Whether a character is one of those with which Japanese writes words from abroad.
pub(crate) const fn is_katakana(c: char) -> bool {
    matches!(c, '\u{30A0}'..='\u{30FF}')
}

/// Whether a character is Korean.
pub(crate) const fn is_hangul(c: char) -> bool {
    matches!(c, '\u{AC00}'..='\u{D7AF}')
}

/// A Korean word without its particle or ending.
pub(crate) fn hangul_stem(word: &str) -> &str {
    let cut = ENDINGS.iter().filter_map(|end| word.strip_suffix(end)).filter(|rest| !rest.is_empty());
    cut.min_by_key(|rest| rest.len()).unwrap_or(word)
}

/// Whether a Chinese or Japanese piece only holds a sentence together.
pub(crate) fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word)
}

/// Chinese and Japanese words that say little, longest first.
pub(crate) fn filler_at_start(text: &[char]) -> Option<usize> {
    (1..=4)
        .rev()
        .find(|length| text.get(..*length).is_some_and(|head| is_filler(&head.iter().collect::<String>())))
}

const FILLERS: &[&str] = &[
    "的",
    "了",
    "是",
    "在",
    "和",
    "与",
    "及",
    "有",
    "会",
    "就",
    "都",
    "也",
    "把",
    "被",
    "将",
    "我们",
    "你们",
    "应该",
    "应当",
    "必须",
    "必要",
    "一个",
    "所有",
    "全部",
    "一律",
    "使用",
    "采用",
    "用",
    "以",
    "为",
    "到",
    "对",
    "从",
    "后",
    "时",
    "着",
    "過",
    "这个",
    "那个",
    "这些",
    "請",
    "请",
    "总是",
    "始终",
    "可以",
    "要",
    "使う",
    "使い",
    "使って",
    "すべて",
    "全て",
    "必ず",
    "常に",
    "する",
    "して",
    "します",
    "こと",
    "です",
    "ます",
    "しま",
    "れる",
    "され",
    "利用",
    "用户",
    "用いる",
    "行う",
    "行い",
    "ユーザー",
    "本物",
    "场合",
    "場合",
    "사용자",
    "항상",
    "사용",
    "프로젝트",
    "우리",
    "实际",
    "真正",
    "由",
    "받아",
    "받는",
    "喜欢",
    "好む",
    "선호",
    "일",
    "时必",
    "需要",
    "而",
    "并",
    "且",
    "来",
    "它",
    "上",
    "里",
    "中",
    "而是",
    "直接",
];

const ENDINGS: &[&str] = &[
    "은",
    "는",
    "이",
    "가",
    "을",
    "를",
    "에",
    "에서",
    "에게",
    "으로",
    "로",
    "와",
    "과",
    "도",
    "의",
    "만",
    "까지",
    "부터",
    "하고",
    "하며",
    "한다",
    "합니다",
    "하다",
    "해야",
    "된다",
    "됩니다",
    "되어",
    "돼야",
    "하지",
    "하기",
    "하는",
    "하여",
    "해서",
    "했다",
    "했습니다",
    "되며",
    "되고",
    "이다",
    "입니다",
    "이며",
    "이고",
    "라고",
    "마다",
    "처럼",
    "보다",
    "들",
    "하면",
    "된",
    "한",
    "할",
    "해",
    "고",
    "다",
    "요",
    "지",
    "되는",
    "되지",
    "하게",
    "토록",
];

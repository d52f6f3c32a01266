//! What a sentence denies, and words that mean the opposite of each other: two sentences about the same thing that
//! say the contrary are no repetition.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Whether a word in lower case (with plain apostrophes) denies what stands beside it.
pub(super) fn denies(word: &str) -> bool {
    word.ends_with("n't") || NEGATORS.contains_key(word)
}

/// Whether a word lifts a denial before it (`never add one without asking`).
pub(super) fn lifts(word: &str) -> bool {
    matches!(
        word,
        "without" | "unless" | "ohne" | "sans" | "sin" | "sem" | "except" | "außer" | "sauf" | "salvo"
    )
}

/// How many characters the denying mark has with which a text in CJK writing begins.
pub(super) fn denial_at_start(text: &[char]) -> Option<usize> {
    (1..=3).rev().find(|length| {
        text.get(..*length).is_some_and(|head| CJK_NEGATORS.contains(&&*head.iter().collect::<String>()))
    })
}

/// Whether two words that only hold a sentence together are contrary where all else is the same.
pub(crate) fn is_switch(one: &str, other: &str) -> bool {
    let is = |a: &str, b: &str| (one, other) == (a, b) || (other, one) == (a, b);
    is("on", "off") || is("an", "aus") || is("with", "without") || is("mit", "ohne") || is("up", "down")
}

/// The opposites of a word, by the side of the pair: words of one number and different sides are contrary.
pub(super) fn side(word: &str) -> Option<(usize, bool)> {
    OPPOSITES.get(word).copied()
}

static NEGATORS: LazyLock<HashMap<&str, ()>> = LazyLock::new(|| {
    "no not never nor without avoid avoids avoided avoiding cannot forbid forbids forbidden prohibited banned instead \
     rather neither refuse refuses skip stop nothing none frozen freeze dislike dislikes hate hates ban \
     nicht nichts kein keine keinen keinem keiner keines nie niemals ohne statt anstatt vermeiden vermeidet verboten weder niemand gesperrt \
     ne non pas jamais sans aucun aucune ni éviter évite évitez interdit plutôt aucunement \
     nunca jamás sin ningún ninguna evitar evita evite prohibido tampoco \
     não nao nem sem nenhum nenhuma jamais proibido"
        .split_whitespace()
        .map(|word| (word, ()))
        .collect()
});

const CJK_NEGATORS: &[&str] = &[
    "绝不",
    "从不",
    "不要",
    "不能",
    "不可",
    "不得",
    "不用",
    "不需要",
    "不许",
    "不",
    "没有",
    "没",
    "無い",
    "勿",
    "禁止",
    "避免",
    "别",
    "ない",
    "ません",
    "せず",
    "わず",
    "らず",
    "なし",
    "避け",
    "않",
    "못",
    "말고",
    "말",
    "마세요",
    "말아",
    "금지",
    "없",
    "아니",
    "안",
    "대신",
    "ではな",
    "無し",
    "未",
    "无",
    "なく",
];

static OPPOSITES: LazyLock<HashMap<&str, (usize, bool)>> = LazyLock::new(|| {
    let mut sides = HashMap::new();
    for (number, (one, other)) in PAIRS.iter().enumerate() {
        sides.extend(one.split_whitespace().map(|word| (word, (number, false))));
        sides.extend(other.split_whitespace().map(|word| (word, (number, true))));
    }
    sides
});

/// Words that exclude each other where all else is the same, of several languages.
const PAIRS: &[(&str, &str)] = &[
    ("before vor avant antes 之前 前に 전에", "after nach après después depois 之后 後に 후에"),
    (
        "enable enabled enables activate aktivieren activer activar ativar 启用 有効 开启 활성",
        "disable disabled disables deactivate deaktivieren désactiver desactivar desativar 禁用 無効 关闭 비활",
    ),
    (
        "allow allowed allows permit permitted erlaubt autorisé permitido",
        "forbid forbidden forbids prohibited banned verboten interdit prohibido proibido",
    ),
    ("include included includes inclusive", "exclude excluded excludes omit omitted"),
    ("more above mehr plus más mais 以上 이상", "less fewer below weniger moins menos 以下 이하 미만"),
    ("maximum max at-most höchstens", "minimum min at-least mindestens"),
    ("sync synchronous synchronously", "async asynchronous asynchronously"),
    ("public öffentlich", "private privat privé privado"),
    ("light hell", "dark dunkel"),
    ("tabs tab", "spaces space"),
    ("squash squashed squashes merge-squash", "preserve preserved unsquashed"),
    ("rebase rebased rebases", "merge-commit"),
    (
        "short brief concise terse kurz kurze knapp court courts courte courtes corto cortas cortos corta curto curtas breve breves",
        "long detailed verbose lengthy lang lange ausführlich ausführliche detailliert détaillé détaillées détaillés largo largas detallado detalladas longo longas detalhado detalhadas",
    ),
    ("first zuerst", "last zuletzt"),
    ("internal intern interne interno interna", "external extern externe externo externa"),
    ("production prod produktion producción produção", "staging stage"),
    ("start starts begin begins", "end ends"),
    ("up aufwärts", "down abwärts"),
    ("left links", "right rechts"),
    ("required mandatory compulsory pflicht obligatoire obligatorio", "optional optionnel opcional"),
    ("increase increases raise raised", "decrease decreases lower lowered reduce reduced"),
    ("local locally lokal", "remote remotely"),
    ("manual manually manuell", "automatic automatically automatisch"),
    ("camelcase", "snakecase"),
    ("with", "without"),
    ("ascending", "descending"),
    ("strict strictly", "lenient loose"),
    ("eager eagerly", "lazy lazily"),
    ("frontend", "backend"),
    ("read reads", "write writes"),
    ("import imports", "export exports"),
    ("encrypted", "unencrypted plaintext"),
    ("once einmal", "twice zweimal"),
    ("daily täglich", "weekly wöchentlich"),
    ("monday", "friday"),
];

//! Values that a word like "password" introduces, in prose and in code, in eight languages.

use super::Secret;
use crate::memory::pattern::Pattern;
use regex::Captures;
use std::sync::LazyLock;

/// The words, without regard to case.
pub(super) const WORDS: &str = r"passw|passphrase|passcode|\bpwd|_pwd|_pass\b|secret|api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|auth[-_ ]?key|encryption[-_ ]?key|signing[-_ ]?key|token|credential|contraseña|\bclave|mot de passe|\bmdp\b|clé |jeton|passwort|kennwort|geheimnis|schlüssel|senha|chave|パスワード|暗証番号|シークレット|トークン|apiキー|秘密鍵|비밀번호|암호|패스워드|토큰|시크릿|api 키|密码|密碼|口令|令牌|密钥|密鑰";

/// A word, perhaps a few more, a sign of equality, a value. It has no ends of words (`\b`), with which the groups of each
/// match would take half a millisecond; [`stands_alone`] looks for those that matter. The words between have any character
/// that is not ASCII: Unicode's letters, repeated so often, would make an automaton of tens of thousands of states.
static ASSIGNED: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r#"(?ix)
        (?P<k>
            [A-Za-z0-9_.-]*(?:password|passwd|passphrase|passcode|secret[-_ ]?access[-_ ]?key|secret[-_ ]?key|client[-_ ]secret|secret|api[-_ ]?key|apikey|access[-_ ]?key|private[-_ ]?key|auth[-_ ]?key|encryption[-_ ]?key|signing[-_ ]?key|token|credentials?)s?(?:_[A-Z0-9]+)?
          | [A-Za-z0-9_]*_?(?:pwd|_pass)
          | contraseñas? | clave(?:\ (?:de\ (?:acceso|api)|secreta|api|del?\ \p{L}+))? | mots?\ de\ passe | mdp | clé\ (?:secrète|api|d['’]accès|privée) | jeton(?:\ d['’]accès)?
          | passw[oö]rt | kennwort | api-schlüssel | (?:geheimer\ )?schlüssel | zugangstoken
          | senhas? | chave(?:\ (?:secreta|de\ (?:api|acesso)|da\ api|api|privada))
          | (?:パスワード|暗証番号|シークレット(?:キー)?|(?:アクセス)?トークン|APIキー|秘密鍵) | (?:비밀번호|암호|패스워드|(?:액세스\ )?토큰|시크릿(?:\ ?키)?|API\ ?키) | (?:密码|密碼|口令|(?:访问)?令牌|密钥|密鑰)
        )
        (?P<b>['"`*)\]]{0,3}(?:\s+(?:\([^)\n]{1,40}\)|[A-Za-z0-9_./\x{80}-\x{10FFFF}-]{1,24})){0,5}?['"`*]{0,3})
        (?P<s>\s*(?:=>|:=|==?|:|：|＝|→)\s*|\s+(?:is\ now|is\ set\ to|is|was\ set\ to|was|was\ changed\ to|es|ist|lautet|est|é|é\ a|e)\s*:?\s+|\s*(?:は|が|是|为|為|은|는)\s*[:：]?\s*)
        (?P<q>['"`“”„「『*]{0,3})
        (?P<v>[^\s'"`“”「」『』，。、；]{4,200})
        "#,
    )
});

/// A word for a password and then the value, with nothing between (`account x, password …`).
static BARE: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r#"(?ix)(?P<k>\b(?:passwords?|passphrase|passcode|passwort|kennwort|contraseña|clave|mot\ de\ passe|mdp|senha)\b|パスワード|비밀번호|암호|密码|密碼|口令)[\s'"`“„「]{1,3}(?P<v>[^\s'"`“”「」『』，。、；]{8,200})"#,
    )
});

/// Whether a value that no sign introduces can only be a password: letters in both cases or a sign among them, and a
/// digit, as in no word or name.
fn is_plainly_secret(value: &str) -> bool {
    let has = |is: fn(char) -> bool| value.chars().any(is);
    let odd = value.contains(['!', '$', '%', '&', '#', '?', '^', '+', '=', '@', '~']);
    let mixed = has(|c| c.is_ascii_uppercase()) && has(|c| c.is_ascii_lowercase());
    let changes = value
        .as_bytes()
        .windows(2)
        .filter(|pair| matches!(pair, [a, b] if a.is_ascii_digit() != b.is_ascii_digit()))
        .count();
    // `SmEnMWu`: no word is written so.
    let turns = value
        .as_bytes()
        .windows(2)
        .filter(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()))
        .count()
        >= 2;
    has(|c| c.is_ascii_digit())
        && has(|c| c.is_ascii_alphabetic())
        && value.is_ascii()
        && ((mixed && (changes >= 2 || turns)) || (odd && (mixed || changes >= 2)))
}

/// A flag of a command line.
static FLAG: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r#"(?i)--(?P<k>password|passwd|pass|token|api-key|secret|access-token|auth-token|secret-key)[= ]+['"]?(?P<v>[^\s'"`]{6,200})"#,
    )
});

/// Words behind the first that make it another thing ("token limit", "password policy").
static OTHER_THING: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)^[\s_.*-]*(?:limit|count|budget|usage|window|size|length|name|type|prefix|suffix|id|ids|bucket|ttl|url|uri|endpoint|path|file|files|format|max|min|ring|header|policy|rules?|reset|rotation|manager|hash|hashes|hashed|hashing|field|column|prompt|strength|expiry|expiration|hint|store|storage|provider|service|helper|scanner|scanning|version|per|cost|price|rate|counter|issuer|audience|scope|scopes|lifetime|validation|algorithm|engine|manager|backend|location|env|variable|var|ref|reference|arn|changed|rotated|updated|created|expires|verstärkung|länge|longitud|longueur|tamanho|长度|の長さ|策略|管理)\b",
    )
});

/// What stands for a value.
static PLACEHOLDER: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?ix)^(?:<.*|\$.*|%.*%?|\{.*|\[.*|\(.*|\*+|\.+|…|_+|-+|x{3,}.*|•+|\#\{.*|@.*|!.*vault.*|&.*|\\.*)
        |\$\{|\{\{|\.\.\.|…|\*\*\*|xxxx|0000000|1234567890ab|<[a-z_-]+>
        |placeholder|example|changeme|change[-_]me|your[-_]?|dummy|sample|redacted|masked|insert|replace|todo|tbd|fixme|hidden|omitted|removed|not[-_]?set|n/a
        |getenv|environ|process\.env|import\.meta|secrets\.|env\(|env\[|vault|keychain|keyring|op://|ssm:|arn:|sops|1password|bitwarden|lastpass|keepass|from[-_]|config\.|settings\.|options\.|params\.|request\.|self\.|this\.|props\.
        |^(?:test|testing|foo|bar|baz|foobar|secret|secrets|password|passwords|passwort|contraseña|senha|token|tokens|none|null|nil|true|false|undefined|string|str|empty|required|optional|unknown|bearer|basic|hunter|letmein|mypassword|mysecret|mytoken|deadbeef|abc|abc123|user|admin|root|postgres)[.,;:)]*$",
    )
});

static PLAIN: LazyLock<Pattern> = LazyLock::new(|| {
    // A path, an address, a date, a version, a dotted or called name, a constant, a flag, a measure.
    Pattern::new(
        r"(?x)^(?:[~.]?/.*|[a-z]+://.*|\d{4}-\d\d(?:-\d\d)?.*|v?\d+(?:\.\d+)+\S*|[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+(?:\(.*)?|[A-Za-z_]\w*[(\[].*|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|-{1,2}[a-z].*|\d+[a-zA-Z]{1,8}|\d+%|[\w.-]+\.(?:md|json|ya?ml|toml|env|txt|pem|key|ts|js|py|rs|go|sh|com|org|net|io|dev)|[\w./-]*/[\w./-]*\.\w{1,5}|[\w.+-]+@[\w.-]+\.\w+)$",
    )
});

/// Whether it only stands for a secret.
pub(super) fn is_placeholder(value: &str) -> bool {
    PLACEHOLDER.is_match(value)
}

/// The values of a text that are secrets.
pub(super) fn find(text: &str) -> Vec<Secret> {
    let mut found = Vec::new();
    // A word may introduce a whole assignment ("the token is `api_key = …`"): that is looked at from its own word on.
    let inner = |whole: &Captures<'_>| {
        let value = whole.name("v")?;
        let line = text.get(value.start()..)?.lines().next()?;
        ASSIGNED.captures_iter(line).next().and_then(|groups| {
            let (key, inner) = (groups.name("k")?, groups.name("v")?);
            let is_at_once = key.start() == 0;
            let place = value.start() + inner.start()..value.start() + inner.end();
            is_at_once.then(|| (key.as_str().to_owned(), place))
        })
    };
    let assigned: Vec<_> = ASSIGNED.captures_iter(text).filter(|groups| stands_alone(text, groups)).collect();
    for groups in &assigned {
        if let Some((key, place)) = inner(groups) {
            let word = text.get(place.clone()).unwrap_or_default();
            let end = word.trim_end_matches(['.', ',', ';', ':', ')', '*', '!', '|', ']', '}', '>']);
            let kind = kind(&key);
            if is_secret(end, kind, false, "") {
                found.push(Secret { range: place.start..place.start + end.len(), kind });
            }
        }
    }
    for groups in assigned.into_iter().chain(FLAG.captures_iter(text)) {
        let (Some(key), Some(value)) = (groups.name("k"), groups.name("v")) else { continue };
        let between = groups.name("b").map_or("", |found| found.as_str());
        let sign = groups.name("s").map_or("=", |found| found.as_str()).trim();
        let quoted = groups
            .name("q")
            .is_some_and(|quote| quote.as_str().contains(['\'', '"', '`', '“', '”', '„', '「', '『']));
        let is_said = sign.chars().all(char::is_alphabetic) && !sign.is_empty();
        let end = value.as_str().trim_end_matches(['.', ',', ';', ':', ')', '*', '!', '|', ']', '}', '>']);
        // A sign at the end belongs to a password more often than to the sentence when it is quoted.
        let inner = if quoted || value.as_str().ends_with('!') && !is_said { value.as_str() } else { end };
        if OTHER_THING.is_match(between) || inner.contains("\u{1A}") {
            continue;
        }
        let kind = kind(key.as_str());
        if is_secret(inner, kind, is_said, between) {
            found.push(Secret { range: value.start()..value.start() + inner.len(), kind });
        }
    }
    for groups in BARE.captures_iter(text) {
        let (Some(key), Some(value)) = (groups.name("k"), groups.name("v")) else { continue };
        let inner = value.as_str().trim_end_matches(['.', ',', ';', ':', ')', '*', '|', ']', '}', '>']);
        let kind = kind(key.as_str());
        if is_plainly_secret(inner) && is_secret(inner, kind, true, "") {
            found.push(Secret { range: value.start()..value.start() + inner.len(), kind });
        }
    }
    found.sort_by_key(|secret| secret.range.start);
    found.dedup_by(|next, before| next.range.start < before.range.end);
    found
}

/// Whether the short word `mdp` is no part of another.
fn stands_alone(text: &str, groups: &Captures<'_>) -> bool {
    let Some(key) = groups.name("k").filter(|key| key.as_str().eq_ignore_ascii_case("mdp")) else {
        return true;
    };
    !text.get(..key.start()).is_some_and(|head| head.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

fn kind(key: &str) -> &'static str {
    let key = key.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| key.contains(word));
    if has(&[
        "passw",
        "pwd",
        "_pass",
        "passphrase",
        "passcode",
        "contraseña",
        "clave",
        "mot",
        "mdp",
        "kennwort",
        "senha",
        "パスワード",
        "暗証",
        "비밀번호",
        "암호",
        "패스워드",
        "密码",
        "密碼",
        "口令",
    ]) {
        "password"
    } else if has(&["token", "jeton", "トークン", "토큰", "令牌"]) {
        "token"
    } else if has(&["key", "clé", "schlüssel", "chave", "キー", "鍵", "키", "密钥", "密鑰"]) {
        "key"
    } else {
        "secret"
    }
}

/// Whether a value looks like a secret and not like a word, a name or a piece of code.
fn is_secret(value: &str, kind: &str, is_said: bool, between: &str) -> bool {
    let length = value.chars().count();
    if is_placeholder(value) || PLAIN.is_match(value) {
        return false;
    }
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.chars().filter(|c| c.is_alphabetic()).count();
    if value.chars().any(|c| c.is_alphabetic() && !c.is_ascii()) {
        // Passwords are typed on any keyboard; a word of another language is none.
        return false;
    }
    let signs = length - digits.min(length) - letters.min(length);
    let is_password = kind == "password";
    // Further words between the two are seldom before a real value, so it has to look more like one.
    let shortest = match (is_password, is_said || !between.trim().is_empty()) {
        (true, false) => 6,
        (true, true) => 7,
        (false, _) => 12,
    };
    if length < shortest || letters + digits < 4 {
        return false;
    }
    if letters == 0 {
        return is_password && digits == length && !is_said && between.trim().is_empty();
    }
    if digits == 0 {
        let upper = value.bytes().any(|b| b.is_ascii_uppercase());
        let lower = value.bytes().any(|b| b.is_ascii_lowercase());
        let odd_sign = value.contains(['!', '$', '%', '&', '*', '#', '?', '^', '+', '=', '@']);
        return (is_password && upper && lower && odd_sign)
            || is_unspeakable(value) && length >= 10 && signs == 0;
    }
    // Words and numbers put together (`claude-sonnet-4`, `sprint_14`) are names, unless it is a password.
    let parts: Vec<&str> = value.split(['-', '_', '.', '/', ':']).filter(|part| !part.is_empty()).collect();
    let is_named = parts.len() > 1
        && parts.iter().all(|part| {
            part.bytes().all(|b| b.is_ascii_lowercase()) && !is_unspeakable(part)
                || part.bytes().all(|b| b.is_ascii_digit()) && part.len() <= 4
        });
    if is_named {
        return false;
    }
    is_password || digits >= 2 || is_unspeakable(value)
}

/// Whether letters follow each other as in no word: five consonants in a row.
fn is_unspeakable(text: &str) -> bool {
    let mut run = 0;
    text.to_ascii_lowercase().bytes().any(|b| {
        run = if b.is_ascii_alphabetic() && !b"aeiouy".contains(&b) { run + 1 } else { 0 };
        run >= 5
    })
}

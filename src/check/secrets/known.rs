//! Tokens that tell by their form what they are.

use super::Secret;
use crate::memory::pattern::Pattern;
use std::sync::LazyLock;

/// How known tokens begin.
pub(super) const BEGINNINGS: &str = r"A[KSBC][IC]A[A-Z2-7]{16}|gh[pousr]_|github_pat_|gl[a-z]{2,5}-|xox[a-z]-|xapp-|hooks\.slack|[sr]k_(?:live|test)_|whsec_|AIza|ya29\.|GOCSPX-|npm_|pypi-|sk-|hf_|SG\.|do[opr]_v1_|shp(?:at|ca|pa|ss)_|lin_api_|ntn_|dapi|hvs\.|gls?[ac]_|AGE-SECRET|AccountKey|eyJ|PRIVATE KEY|://[^\s/@]{1,64}:[^\s/@]|(?i:bearer|basic )|:AA|-u ";

/// What they are, and their form; a group `v` is the secret part.
const FORMS: &[(&str, &str)] = &[
    ("AWS access key", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b"),
    ("GitHub token", r"\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})"),
    ("GitLab token", r"\bgl(?:pat|ptt|dt|rt|ft|soat|cbt|agent|oas|imt)-[A-Za-z0-9_.-]{20,}"),
    ("Slack token", r"\b(?:xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,})"),
    ("Slack webhook", r"https://hooks\.slack\.com/(?:services|workflows)/(?P<v>[A-Za-z0-9/_-]{20,})"),
    ("Stripe key", r"\b(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{20,})"),
    ("Google key", r"\b(?:AIza[0-9A-Za-z_-]{30,}|ya29\.[0-9A-Za-z_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,})"),
    ("npm token", r"\bnpm_[A-Za-z0-9]{30,}\b"),
    ("PyPI token", r"\bpypi-[A-Za-z0-9_-]{50,}"),
    ("API key", r"\bsk-(?:[a-z0-9]{2,8}-)*[A-Za-z0-9_-]{20,}"),
    ("Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}\b"),
    ("SendGrid key", r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    ("DigitalOcean token", r"\bdo[opr]_v1_[0-9a-f]{32,}"),
    ("Shopify token", r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    ("Linear key", r"\blin_api_[A-Za-z0-9]{30,}"),
    ("Notion token", r"\bntn_[A-Za-z0-9]{40,}"),
    ("Databricks token", r"\bdapi[0-9a-f]{32}\b"),
    ("Vault token", r"\bhvs\.[A-Za-z0-9_-]{20,}"),
    ("Grafana token", r"\bgl(?:sa|c)_[A-Za-z0-9_=+/-]{30,}"),
    ("age key", r"\bAGE-SECRET-KEY-1[0-9A-Z]{50,}"),
    ("Azure storage key", r"AccountKey=(?P<v>[A-Za-z0-9+/=]{40,})"),
    ("Telegram bot token", r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{32,34}\b"),
    ("JSON web token", r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{6,}"),
    (
        "private key",
        r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\s|\\n|Proc-Type[^\n]*|DEK-Info[^\n]*|Version:[^\n]*|>)*[A-Za-z0-9+/=]{16,}(?:[A-Za-z0-9+/=\s>]|\\n)*(?:-----END [A-Z0-9 ]+-----)?",
    ),
    (
        "password in an address",
        r"\b[a-zA-Z][a-zA-Z0-9+.-]*://[^\s/:@'\x22<>`{}$]*:(?P<v>[^\s/@'\x22<>`{}$*]{3,})@[A-Za-z0-9\[]",
    ),
    (
        "password of a command",
        r"(?:^|\s)(?:-u|--user)[ =]['\x22]?[A-Za-z0-9_.@-]+:(?P<v>[^\s'\x22<>`{}$*:]{4,})",
    ),
    ("bearer token", r"(?i:\bbearer\s+|authorization:\s*basic\s+)(?P<v>[A-Za-z0-9._~+/=-]{16,})"),
];

static PATTERNS: LazyLock<Vec<(&str, Pattern)>> =
    LazyLock::new(|| FORMS.iter().map(|(kind, form)| (*kind, Pattern::new(form))).collect());

/// The known tokens of a text.
pub(super) fn find(text: &str) -> Vec<Secret> {
    let mut found: Vec<Secret> = Vec::new();
    for (kind, pattern) in PATTERNS.iter() {
        for groups in pattern.captures_iter(text) {
            let Some(whole) = groups.name("v").or_else(|| groups.get(0)) else { continue };
            let range = whole.range();
            let overlaps = |other: &Secret| range.start < other.range.end && other.range.start < range.end;
            let is_word =
                *kind == "password of a command" && !whole.as_str().bytes().any(|b| b.is_ascii_digit());
            if !is_word && !is_sample(whole.as_str()) && !found.iter().any(overlaps) {
                found.push(Secret { range, kind });
            }
        }
    }
    found
}

/// Whether it is only the look of a token: one letter over and over, no digit at all, or a word that says so.
fn is_sample(token: &str) -> bool {
    if token.starts_with("-----") {
        return false;
    }
    let lower = token.to_ascii_lowercase();
    let body = lower.rsplit(['_', '-']).next().unwrap_or(&lower);
    let mut letters: Vec<char> = body.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    letters.sort_unstable();
    letters.dedup();
    let is_address_password = token.len() < 16;
    (letters.len() < 5 && !is_address_password)
        || super::value::is_placeholder(token)
        || (token.len() >= 16 && !token.bytes().any(|b| b.is_ascii_digit()) && !has_mixed_case(token))
}

/// Words in code are of one case or change it seldom.
fn has_mixed_case(token: &str) -> bool {
    let cases = token.as_bytes().windows(2).filter(|pair| {
        matches!(pair, [a, b] if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() && a.is_ascii_lowercase() != b.is_ascii_lowercase())
    });
    cases.count() >= 6
}

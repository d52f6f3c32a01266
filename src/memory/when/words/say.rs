//! An absolute date in the place of words that counted from some day, so that the sentence stays one.

use super::Scene;
use crate::memory::when::{Language, Span};

/// The date in a language, with the preposition that it needs there. The date itself is ISO 8601: that is read in
/// every language, and by programs.
pub(super) fn say(language: Language, span: Span, scene: &Scene<'_>) -> String {
    let said = match language {
        Language::English => english(span, scene),
        Language::German => german(span, scene),
        Language::French => french(span, scene),
        Language::Spanish => spanish(span, scene),
        Language::Portuguese => portuguese(span, scene),
        Language::Japanese => japanese(span, scene),
        Language::Korean => korean(span, scene),
        Language::Chinese => chinese(span),
    };
    let is_first = || scene.before.chars().all(|c| !c.is_alphanumeric());
    let is_capital =
        scene.words.chars().next().is_some_and(|c| c.is_uppercase() || (c.is_ascii_digit() && is_first()));
    let mut chars = said.chars();
    match chars.next() {
        Some(first) if is_capital => first.to_uppercase().chain(chars).collect(),
        _ => said,
    }
}

/// The preposition that stood there, lower case, with its blanks made one.
fn preposition(scene: &Scene<'_>) -> String {
    let found = scene.group("p").unwrap_or_default();
    found.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase().replace('’', "'")
}

fn english(span: Span, scene: &Scene<'_>) -> String {
    if scene.group("s").is_some() {
        let p = scene.group("p").map(|p| format!("{p} ")).unwrap_or_default();
        return format!("{}the {span}", p.to_lowercase());
    }
    let p = preposition(scene);
    let p = match (p.as_str(), span) {
        ("" | "on" | "due" | "due on", Span::Day(_)) if p.starts_with("due") => "due on",
        ("" | "on", Span::Day(_)) => "on",
        ("" | "on", _) => "in",
        (p, _) => p,
    };
    // A word that only the first clause of "today we deployed" needs.
    let rest = scene.group("x").map(|rest| format!(", {rest}")).unwrap_or_default();
    match span {
        Span::Week(_) => format!("{p} the week of {span}{rest}"),
        _ => format!("{p} {span}{rest}"),
    }
}

fn german(span: Span, scene: &Scene<'_>) -> String {
    let p = preposition(scene);
    match (span, p.as_str()) {
        (Span::Week(_), "" | "in" | "im" | "am") => format!("in der Woche ab {span}"),
        (Span::Week(_), "bis" | "bis zur" | "bis zum") => format!("bis zur Woche ab {span}"),
        (Span::Week(_), "zur" | "zum") => format!("zur Woche ab {span}"),
        (Span::Week(_), p) => format!("{p} der Woche ab {span}"),
        (Span::Day(_), "" | "am" | "in" | "im" | "zum" | "zur") => format!("am {span}"),
        (Span::Day(_), "bis" | "bis zum" | "bis zur") => format!("bis zum {span}"),
        (Span::Day(_), "seit" | "vor" | "nach" | "von") => format!("{p} dem {span}"),
        (_, "" | "am" | "im" | "in") => format!("in {span}"),
        (_, "bis zum" | "bis zur") => format!("bis {span}"),
        (_, p) => format!("{p} {span}"),
    }
}

fn french(span: Span, scene: &Scene<'_>) -> String {
    let p = preposition(scene);
    let base = match p.as_str() {
        p if p.starts_with("jusqu") => "jusqu",
        p if p.starts_with("d'ici") => "d'ici",
        p if p.starts_with("à partir") => "à partir",
        "de" | "d'" | "du" => "de",
        "à" | "le" | "la" | "" => "",
        p => p,
    };
    match (span, base) {
        (Span::Day(_), "") => format!("le {span}"),
        (Span::Day(_), "jusqu") => format!("jusqu'au {span}"),
        (Span::Day(_), "d'ici") => format!("d'ici le {span}"),
        (Span::Day(_), "à partir") => format!("à partir du {span}"),
        (Span::Day(_), "de") => format!("du {span}"),
        (Span::Day(_), p) => format!("{p} le {span}"),
        (Span::Week(_), "") => format!("la semaine du {span}"),
        (Span::Week(_), "jusqu") => format!("jusqu'à la semaine du {span}"),
        (Span::Week(_), "d'ici") => format!("d'ici la semaine du {span}"),
        (Span::Week(_), "à partir") => format!("à partir de la semaine du {span}"),
        (Span::Week(_), p) => format!("{p} la semaine du {span}"),
        (_, "") => format!("en {span}"),
        (_, "jusqu") => format!("jusqu'à {span}"),
        (_, "d'ici") => format!("d'ici {span}"),
        (_, "à partir") => format!("à partir de {span}"),
        (_, p) => format!("{p} {span}"),
    }
}

fn spanish(span: Span, scene: &Scene<'_>) -> String {
    let p = preposition(scene);
    let base = match p.as_str() {
        "del" | "de" | "de la" => "de",
        "antes del" | "antes de" | "antes de la" => "antes de",
        "a partir del" | "a partir de" | "a partir de la" => "a partir de",
        "después del" | "después de" => "después de",
        "a" | "el" | "la" | "en" | "" => "",
        p => p,
    };
    match (span, base) {
        (Span::Day(_), "") => format!("el {span}"),
        (Span::Day(_), p) if p.ends_with("de") => format!("{p}l {span}"),
        (Span::Day(_), p) => format!("{p} el {span}"),
        (Span::Week(_), "") => format!("la semana del {span}"),
        (Span::Week(_), p) => format!("{p} la semana del {span}"),
        (_, "") => format!("en {span}"),
        (_, p) => format!("{p} {span}"),
    }
}

fn portuguese(span: Span, scene: &Scene<'_>) -> String {
    let p = preposition(scene);
    let base = match p.as_str() {
        "do" | "de" | "da" => "de",
        "até o" | "até a" | "até à" | "até ao" | "até" => "até",
        "antes do" | "antes de" | "antes da" => "antes de",
        "a partir do" | "a partir de" | "a partir da" => "a partir de",
        "no" | "na" | "em" | "a" | "o" | "" => "em",
        p => p,
    };
    match (span, base) {
        (Span::Week(_), "em") => format!("na semana de {span}"),
        (Span::Week(_), p) if p.ends_with("de") => format!("{}a semana de {span}", p.trim_end_matches('e')),
        (Span::Week(_), p) => format!("{p} a semana de {span}"),
        (_, p) => format!("{p} {span}"),
    }
}

/// The date, with the particle of time where none stands behind it.
fn japanese(span: Span, scene: &Scene<'_>) -> String {
    let date = if matches!(span, Span::Week(_)) { format!("{span}の週") } else { span.to_string() };
    let next = scene.after.chars().next();
    let has_particle = next.is_none_or(|c| "、。，,.にのはがをでともまかよへ以中（(|」".contains(c));
    if has_particle { date } else { format!("{date}に") }
}

fn korean(span: Span, scene: &Scene<'_>) -> String {
    let date = if matches!(span, Span::Week(_)) { format!("{span} 주") } else { span.to_string() };
    // A particle stands at the word itself; a blank shows that there is none.
    if scene.after.starts_with(' ') && !scene.words.ends_with('에') { format!("{date}에") } else { date }
}

fn chinese(span: Span) -> String {
    if matches!(span, Span::Week(_)) { format!("{span}那周") } else { span.to_string() }
}

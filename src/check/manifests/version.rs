//! Whether a version that a memory gives is the one that a manifest requires.

/// How a version given agrees with a version required.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// It is the same, as far as both say.
    Same,
    /// The requirement allows it.
    Allowed,
    /// It is another.
    Other,
}

/// How a version (`4.17`) agrees with a requirement as a manifest writes it (`^4.17.2`, `~> 7.1`, `>=3.11,<4`).
#[must_use]
pub fn agreement(given: &str, required: &str) -> Agreement {
    let numbers = |text: &str| -> Vec<u64> {
        let text = text.trim_start_matches(|c: char| !c.is_ascii_digit());
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        text.get(..end).unwrap_or_default().split('.').map_while(|part| part.parse().ok()).collect()
    };
    let (have, want) = (numbers(given), numbers(required));
    if have.is_empty() || want.is_empty() {
        return Agreement::Allowed;
    }
    if have.iter().zip(&want).all(|(a, b)| a == b) {
        return Agreement::Same;
    }
    let required = required.trim();
    let equal = have.iter().zip(&want).take_while(|(a, b)| a == b).count();
    let is_range = required.contains(['<', '>', '|', '*', 'x', ' ', ',']) && !required.starts_with("~>");
    let allowed = if is_range {
        true
    } else if required.starts_with('^') {
        // Below 1.0 the second number is the one that breaks.
        let breaking = want.iter().take_while(|number| **number == 0).count() + 1;
        equal >= breaking.min(want.len())
    } else if required.starts_with('~') {
        equal >= want.len().saturating_sub(1).clamp(1, 2)
    } else {
        false
    };
    if allowed { Agreement::Allowed } else { Agreement::Other }
}

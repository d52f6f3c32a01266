//! What the screens say in words about ages, sizes and the index.

use crate::app::contents::{Contents, Entry, Item, Listing};
use crate::check::Severity;
use crate::memory::age::{Age, Band, Clock};
use crate::ui::theme::Theme;
use ratatui::style::Style;

/// The style, the word and the letter of a band of age.
#[must_use]
pub fn band(band: Band, theme: &Theme) -> (Style, &'static str, &'static str) {
    match band {
        Band::Fresh => (theme.fresh, "fresh", "F"),
        Band::Recent => (theme.recent, "recent", "R"),
        Band::Ageing => (theme.ageing, "ageing", "A"),
        Band::Old => (theme.old, "old", "O"),
        Band::Future => (theme.future, "in the future", "!"),
    }
}

/// The age in whole days and the clock that says so.
#[must_use]
pub fn age(age: &Age, theme: &Theme) -> String {
    let clock = match age.clock {
        Clock::Modified => "modified",
        Clock::UpdatedAt => "updatedAt",
        Clock::FileTime => "file time",
    };
    if age.future {
        return format!("dated {}, in the future ({clock})", age.since.format("%Y-%m-%d"));
    }
    let (_, word, _) = band(age.band(), theme);
    match age.days {
        0 => format!("changed today ({clock})"),
        days => format!("{} old, {word} ({clock})", counted(days as usize, "day")),
    }
}

/// Whether sessions see the memory in the index.
#[must_use]
pub fn listing(listing: Listing) -> &'static str {
    match listing {
        Listing::Loads => "in the index, loads",
        Listing::NotSeen => "in the index, below the cut: not seen",
        Listing::NotListed => "not in the index",
        Listing::Parked => "parked: taken out of the index",
        Listing::None => "no index",
    }
}

/// What is worth saying on one line about an entry: type, age, index.
#[must_use]
pub fn summary(entry: &Entry, contents: &Contents, theme: &Theme) -> String {
    let mut parts = Vec::new();
    match entry.item {
        Item::Memory(_) => {
            let kind = contents.memory(entry).map(|memory| memory.document.header.kind.as_str().to_string());
            parts.push(match kind.as_deref() {
                None | Some("none") => "no type".into(),
                Some(kind) => crate::app::contents::one_line(kind),
            });
            parts.extend(entry.age.as_ref().map(|it| age(it, theme)));
            parts.push(listing(entry.listing).into());
        }
        Item::Index => parts.push("the index".into()),
        Item::Unreadable(_) => parts.push("can't be read".into()),
    }
    parts.join(" · ")
}

/// What the client will say about the age when the memory is read.
#[must_use]
pub fn client_note(entry: &Entry) -> Option<String> {
    match entry.client_note {
        Some(days) if entry.is_memory() => {
            Some(format!("the agent will be told that it is {} old", counted(days as usize, "day")))
        }
        None if entry.flags.contains(&"age hidden") => {
            Some("the file's time hides its age: the agent will not be told".into())
        }
        Some(_) | None => None,
    }
}

/// The style of a finding.
#[must_use]
pub fn severity(severity: Severity, theme: &Theme) -> Style {
    match severity {
        Severity::Info => theme.dim,
        Severity::Warning => theme.warning,
        Severity::Error => theme.error,
    }
}

/// A small number behind a name: in a circle, up to 20; nothing for none.
#[must_use]
pub fn badge(count: usize) -> String {
    let circled = u32::try_from(count).ok().filter(|count| (1..=20).contains(count));
    match circled.and_then(|count| char::from_u32(0x2460 + count - 1)) {
        Some(circled) => format!("{circled} "),
        None if count == 0 => String::new(),
        None => format!("({}) ", grouped(count)),
    }
}

/// `1 memory`, `2 memories`, `1,234 lines`.
#[must_use]
pub fn counted(count: usize, noun: &str) -> String {
    let plural = match (count, noun.strip_suffix('y')) {
        (1, _) => noun.into(),
        (_, Some(stem)) if noun != "day" => format!("{stem}ies"),
        _ => format!("{noun}s"),
    };
    format!("{} {plural}", grouped(count))
}

/// A number with commas.
#[must_use]
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Thousands with one decimal: `16.3k`.
#[must_use]
pub fn thousands(number: usize) -> String {
    let tenths = (number + 50) / 100;
    format!("{}.{}k", grouped(tenths / 10), tenths % 10)
}

/// A size in bytes: `812 B`, `16.3 kB`, `4.0 MB`.
#[must_use]
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{}.{} kB", bytes / 1_000, bytes % 1_000 / 100),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_words() {
        assert_eq!(counted(1, "memory"), "1 memory");
        assert_eq!(counted(2, "memory"), "2 memories");
        assert_eq!(counted(2, "day"), "2 days");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(thousands(16_349), "16.3k");
        assert_eq!(thousands(25_000), "25.0k");
        assert_eq!(size(999), "999 B");
        assert_eq!(size(16_349), "16.3 kB");
    }
}

//! Which language a sentence is in, as far as the words for dates need it.

use crate::memory::pattern::Pattern;
use std::sync::LazyLock;

/// The languages that stores are found in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English, and whatever else is written so.
    English,
    /// German.
    German,
    /// French.
    French,
    /// Spanish.
    Spanish,
    /// Portuguese.
    Portuguese,
    /// Japanese.
    Japanese,
    /// Korean.
    Korean,
    /// Chinese.
    Chinese,
}

impl Language {
    /// The language of a sentence, by its script, or by the small words of which it has most.
    #[must_use]
    pub fn of(text: &str) -> Self {
        if !text.is_ascii() {
            let mut han = false;
            for c in text.chars() {
                match c {
                    '\u{3041}'..='\u{30FF}' => return Self::Japanese,
                    '\u{AC00}'..='\u{D7A3}' => return Self::Korean,
                    '\u{4E00}'..='\u{9FFF}' => han = true,
                    _ => {}
                }
            }
            if han {
                return Self::Chinese;
            }
        }
        let best = SMALL.iter().map(|(language, words)| (words.find_iter(text).count(), *language));
        // The first of equals: English comes first.
        best.fold((0, Self::English), |best, next| if next.0 > best.0 { next } else { best }).1
    }
}

/// Words that are frequent in one of them and are none in the others.
static SMALL: LazyLock<Vec<(Language, Pattern)>> = LazyLock::new(|| {
    let of = |language, words: &str| (language, Pattern::new(&format!(r"(?i)\b(?:{words})\b")));
    vec![
        of(
            Language::English,
            "the|and|is|are|was|of|to|with|we|it|this|that|will|has|have|until|since|by|from|next|last|ago",
        ),
        of(
            Language::German,
            "der|die|das|und|ist|nicht|wir|mit|für|auf|wird|werden|wurde|haben|hat|sind|dem|den|ein|eine|einem|einer|bis|seit|zum|zur|ab|von|vor|nächste[nrs]?|letzte[nrs]?|woche|wochen|monat|gestern|übermorgen|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|kein|keine|bleibt|noch|schon|am|um|nach|bei|sich|es|er|sie|muss",
        ),
        of(
            Language::French,
            "le|les|des|du|est|et|nous|avec|pour|une|un|dans|sur|pas|sera|au|aux|été|depuis|jusqu|ce|cette|qui|il|on|d|l|avant|hier|demain|prochaine?|derni[eè]re?|semaine|mois|lundi|mardi|mercredi|jeudi|vendredi|a|en|de|sont|sera|ne|vers|après",
        ),
        of(
            Language::Spanish,
            "el|los|las|del|y|es|está|con|para|una|un|hasta|desde|se|que|por|no|lo|al|la|en|fue|semana|mes|pasad[ao]|próxim[ao]|ayer|mañana|hace|días|viene|dentro|sin|dos|lunes|martes|miércoles|jueves|viernes|son|será|a|de|ha|han|hoy|antes",
        ),
        of(
            Language::Portuguese,
            "o|os|as|do|da|dos|das|e|é|está|com|para|uma|um|até|desde|se|que|por|não|na|no|em|ao|à|foi|nós|vem|semana|mês|passad[ao]|próxim[ao]|ontem|amanhã|há|dias|daqui|sem|duas|dois|atrás|feira|segunda|terça|quarta|quinta|sexta|são|será|vai|a|de|hoje|antes|nosso|nossa",
        ),
    ]
});

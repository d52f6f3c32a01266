//! Colours and signs. A theme is a file of `name = "style"` lines in `assets/themes`.

use ratatui::style::{Color, Modifier, Style};
use std::collections::BTreeMap;

const BUILT_IN: &[(&str, &str)] = &[
    ("terminal", include_str!("../../assets/themes/terminal.toml")),
    ("dark", include_str!("../../assets/themes/dark.toml")),
    ("light", include_str!("../../assets/themes/light.toml")),
    ("mono", include_str!("../../assets/themes/mono.toml")),
];

macro_rules! theme {
    ($($field:ident: $doc:literal,)*) => {
        /// The styles of everything on the screen.
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        pub struct Theme {
            /// A picture of it stands on a light ground.
            pub is_light: bool,
            /// There are no colours: a letter says what an age's colour would.
            pub has_letters: bool,
            $(#[doc = $doc] pub $field: Style,)*
        }

        impl Theme {
            fn set(&mut self, name: &str, style: Style) -> bool {
                match name {
                    $(stringify!($field) => self.$field = style,)*
                    _ => return false,
                }
                true
            }

            #[cfg(test)]
            const NAMES: &[&str] = &[$(stringify!($field),)*];
        }
    };
}

theme! {
    text: "What has no other style.",
    dim: "What stands back.",
    title: "The program's name, a memory's name, the heads of windows.",
    group: "The heads of groups.",
    rule: "Lines between parts.",
    tab: "The name of a screen.",
    tab_active: "The name of the screen that is shown.",
    cursor: "The line under the cursor.",
    cursor_idle: "The same while keys go elsewhere.",
    mark: "The sign of a mark.",
    fresh: "An age under 2 days.",
    recent: "An age under 30 days.",
    ageing: "An age under 180 days.",
    old: "An age of 180 days and more.",
    future: "A date in the future.",
    warned: "Added to an age of which the client will speak.",
    flag: "A flag.",
    warning: "A finding of a warning, a limit that is passed.",
    error: "A finding of an error, a failure.",
    good: "What went well.",
    hit: "What the filter matches.",
    heading: "A heading in a memory.",
    code: "Code in a memory.",
    quote: "A quotation in a memory.",
    link: "A link.",
    link_chosen: "The link that is chosen.",
    label: "Why and How.",
    key: "A key in the footer.",
}

impl Theme {
    /// The built-in theme of that name.
    ///
    /// # Errors
    /// The names that there are, or what is wrong in the file.
    pub fn named(name: &str) -> Result<Self, String> {
        match BUILT_IN.iter().find(|(other, _)| *other == name) {
            Some((_, text)) => Self::parse(text),
            None => {
                let names: Vec<_> = BUILT_IN.iter().map(|(name, _)| *name).collect();
                Err(format!("there is no theme `{name}`; there are {}", names.join(", ")))
            }
        }
    }

    /// Reads a theme.
    ///
    /// # Errors
    /// What is wrong in it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let table: BTreeMap<String, toml::Value> = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut theme = Self::default();
        for (name, value) in table {
            let known = match (name.as_str(), &value) {
                ("is_light", toml::Value::Boolean(on)) => {
                    theme.is_light = *on;
                    true
                }
                ("has_letters", toml::Value::Boolean(on)) => {
                    theme.has_letters = *on;
                    true
                }
                (_, toml::Value::String(words)) => {
                    let style =
                        style(words).map_err(|word| format!("`{word}` in `{name}` is no colour or style"))?;
                    theme.set(&name, style)
                }
                _ => false,
            };
            if !known {
                return Err(format!("a theme has no `{name}` of this kind"));
            }
        }
        Ok(theme)
    }
}

/// A style in words: `bold lightblue on 236`.
fn style(words: &str) -> Result<Style, String> {
    let mut style = Style::new();
    let mut on_ground = false;
    for word in words.split_whitespace() {
        let modifier = match word {
            "bold" => Modifier::BOLD,
            "dim" => Modifier::DIM,
            "italic" => Modifier::ITALIC,
            "underlined" => Modifier::UNDERLINED,
            "reversed" => Modifier::REVERSED,
            "crossed" => Modifier::CROSSED_OUT,
            "on" => {
                on_ground = true;
                continue;
            }
            _ => {
                let color: Color = word.parse().map_err(|_| word.to_string())?;
                style = if on_ground { style.bg(color) } else { style.fg(color) };
                continue;
            }
        };
        style = style.add_modifier(modifier);
    }
    Ok(style)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_theme_reads_and_only_mono_has_no_colours() {
        for (name, text) in BUILT_IN {
            let theme = Theme::named(name).unwrap();
            let colours = Theme::NAMES.iter().filter(|field| text.contains(&format!("{field} ="))).count();
            assert!(colours > 20, "{name} sets {colours}");
            assert_eq!(theme.has_letters, *name == "mono");
        }
        assert!(Theme::named("solar").unwrap_err().contains("terminal, dark"));
    }

    #[test]
    fn mono_names_no_colour() {
        let mono = Theme::named("mono").unwrap();
        for style in
            [mono.text, mono.cursor, mono.warning, mono.error, mono.old, mono.hit, mono.link, mono.good]
        {
            assert_eq!((style.fg, style.bg), (None, None));
        }
        assert_ne!(mono.cursor, mono.text);
        assert_ne!(mono.hit, mono.text);
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert!(Theme::parse("text = \"blurple\"").unwrap_err().contains("blurple"));
        assert!(Theme::parse("nonsense = \"red\"").unwrap_err().contains("nonsense"));
    }
}

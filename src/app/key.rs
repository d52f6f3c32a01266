//! Keys as words: what the table, the configuration and `--keys` write.

use std::fmt;

/// One key with its modifiers. For a character, shift is part of the character (`G`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// Which key.
    pub code: Code,
    /// With Ctrl.
    pub ctrl: bool,
    /// With Alt.
    pub alt: bool,
    /// With Shift; never set for characters.
    pub shift: bool,
}

/// Which key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names are the keys")]
pub enum Code {
    Char(char),
    Enter,
    Esc,
    Tab,
    Backspace,
    Delete,
    Insert,
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
    PageUp,
    PageDown,
    F(u8),
}

/// The words for keys that are not characters: as they are written, and as a person reads them.
const NAMES: &[(&str, &str, Code)] = &[
    ("enter", "Enter", Code::Enter),
    ("esc", "Esc", Code::Esc),
    ("tab", "Tab", Code::Tab),
    ("bs", "Backspace", Code::Backspace),
    ("backspace", "Backspace", Code::Backspace),
    ("del", "Del", Code::Delete),
    ("ins", "Ins", Code::Insert),
    ("left", "←", Code::Left),
    ("right", "→", Code::Right),
    ("up", "↑", Code::Up),
    ("down", "↓", Code::Down),
    ("home", "Home", Code::Home),
    ("end", "End", Code::End),
    ("pageup", "PgUp", Code::PageUp),
    ("pagedown", "PgDn", Code::PageDown),
    ("space", "Space", Code::Char(' ')),
    ("lt", "<", Code::Char('<')),
];

impl Key {
    /// A key without modifiers.
    #[must_use]
    pub const fn plain(code: Code) -> Self {
        Self { code, ctrl: false, alt: false, shift: false }
    }

    /// The key that is written as `d`, `<c-r>`, `<s-tab>` or `<enter>`; `None` when no key is written so.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match sequence(text).ok()?.as_slice() {
            [key] => Some(*key),
            _ => None,
        }
    }

    /// The key as a person reads it: `Ctrl-R`, `Space`, `d`.
    #[must_use]
    pub fn label(&self) -> String {
        let mut label = String::new();
        for (on, word) in [(self.ctrl, "Ctrl-"), (self.alt, "Alt-"), (self.shift, "Shift-")] {
            if on {
                label.push_str(word);
            }
        }
        match NAMES.iter().find(|(_, _, code)| *code == self.code) {
            Some((_, name, _)) => label.push_str(name),
            None => match self.code {
                Code::Char(char) if self.ctrl => label.extend(char.to_uppercase()),
                Code::Char(char) => label.push(char),
                Code::F(number) => label.push_str(&format!("F{number}")),
                _ => {}
            },
        }
        label
    }

    fn from_name(name: &str) -> Option<Self> {
        let mut key = Self::plain(Code::Esc);
        let mut rest = name;
        loop {
            let (flag, tail) = match rest.split_at_checked(2) {
                Some((head, tail)) if !tail.is_empty() => (head.to_ascii_lowercase(), tail),
                _ => break,
            };
            match flag.as_str() {
                "c-" => key.ctrl = true,
                "a-" => key.alt = true,
                "s-" => key.shift = true,
                _ => break,
            }
            rest = tail;
        }
        let lower = rest.to_ascii_lowercase();
        let mut chars = rest.chars();
        key.code = match (chars.next(), chars.next()) {
            (Some(char), None) if key.ctrl => Code::Char(char.to_ascii_lowercase()),
            (Some(char), None) => Code::Char(char),
            _ => match NAMES.iter().find(|(word, _, _)| *word == lower) {
                Some((_, _, code)) => *code,
                None => Code::F(lower.strip_prefix('f')?.parse().ok()?),
            },
        };
        if key.shift
            && let Code::Char(char) = key.code
        {
            key.code = Code::Char(char.to_ascii_uppercase());
            key.shift = false;
        }
        Some(key)
    }
}

impl fmt::Display for Key {
    /// As [`Key::parse`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = !(self.ctrl || self.alt || self.shift);
        let name = NAMES.iter().find(|(_, _, code)| *code == self.code).map(|(word, _, _)| *word);
        match (self.code, name) {
            (Code::Char(char), None) if plain => return write!(f, "{char}"),
            _ => f.write_str("<")?,
        }
        for (on, word) in [(self.ctrl, "c-"), (self.alt, "a-"), (self.shift, "s-")] {
            if on {
                f.write_str(word)?;
            }
        }
        match (name, self.code) {
            (Some(name), _) => f.write_str(name)?,
            (None, Code::Char(char)) => write!(f, "{char}")?,
            (None, Code::F(number)) => write!(f, "f{number}")?,
            (None, _) => {}
        }
        f.write_str(">")
    }
}

/// The keys that are written one after the other: `jj<enter>/foo<esc><c-r><space>`; a `<` itself is `<lt>`.
///
/// # Errors
/// The word that names no key.
pub fn sequence(text: &str) -> Result<Vec<Key>, String> {
    let mut keys = Vec::new();
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let tail = rest.get(char.len_utf8()..).unwrap_or_default();
        if char != '<' {
            keys.push(Key::plain(Code::Char(char)));
            rest = tail;
            continue;
        }
        let Some((name, after)) = tail.split_once('>') else {
            return Err(format!(
                "`{rest}` names no key: `<` starts a word that ends with `>`; write `<lt>` for `<`"
            ));
        };
        let Some(key) = Key::from_name(name) else {
            return Err(format!("`<{name}>` names no key; known are {}", known_names()));
        };
        keys.push(key);
        rest = after;
    }
    Ok(keys)
}

fn known_names() -> String {
    let names: Vec<_> = NAMES.iter().map(|(word, _, _)| format!("<{word}>")).collect();
    format!("{}, <f1>, and <c-…>, <a-…>, <s-…>", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for text in
            ["j", "G", "<enter>", "<c-r>", "<s-tab>", "<space>", "<lt>", "<a-x>", "<f5>", "é", "<c-left>"]
        {
            assert_eq!(Key::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Key::parse("<C-R>"), Key::parse("<c-r>"));
        assert_eq!(Key::parse("<s-g>"), Key::parse("G"));
        assert_eq!(Key::parse("<c-r>").unwrap().label(), "Ctrl-R");
        assert_eq!(Key::parse("<backspace>"), Key::parse("<bs>"));
    }

    #[test]
    fn a_row_of_keys() {
        let keys = sequence("jj<enter>/fo<c-r>").unwrap();
        let labels: Vec<_> = keys.iter().map(Key::label).collect();
        assert_eq!(labels, ["j", "j", "Enter", "/", "f", "o", "Ctrl-R"]);
        assert!(sequence("a<nosuch>").unwrap_err().contains("<nosuch>"));
        assert!(sequence("a<enter").unwrap_err().contains("<lt>"));
        assert_eq!(Key::parse("jj"), None);
    }
}

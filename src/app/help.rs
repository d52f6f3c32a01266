//! What help, palette and footer show: all from the table of commands.

use crate::app::commands::{COMMANDS, Command, Context, Row};
use crate::app::editor::TEXT_KEYS;
use crate::app::keymap::Keymap;
use crate::app::model::{Mode, Model};
use crate::review::edit::Kind;

/// One line of help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// Where the keys below work.
    Head(String),
    /// Keys (or a sign) and what they mean.
    Item {
        /// The keys, or the sign.
        keys: String,
        /// The command's name; empty for a sign.
        name: &'static str,
        /// What it does or means.
        text: &'static str,
    },
}

/// What the signs on the screen mean.
pub const SIGNS: &[(&str, &str)] = &[
    (
        "today 3d",
        "fresh (under 2 days), recent (under 30 days): age by the memory's own date, else by the file's time.",
    ),
    ("5w 8mo 2y", "ageing (under 180 days), old; where there are no colours a letter says which: F R A O."),
    (
        "dim age",
        "the client will say how old the file is when the memory is read: its time is 2 days or more ago.",
    ),
    ("future", "its date lies in the future."),
    ("▲", "something is found on it that is worth a look; the memory's text says what and shows why."),
    ("✓", "marked."),
    ("not seen", "its line stands below the cut: sessions do not load it."),
    ("orphan", "no line of the index names it."),
    ("parked", "its line was taken out of the index; p puts it back."),
    (
        "yaml",
        "its frontmatter is not valid YAML and was read leniently; lossy: YAML loses a part; wiped: nothing is left.",
    ),
    ("██▋", "how much of what a query asks a memory's header answers."),
    ("m1 m2", "what a model that was asked would pick, and as the how-manieth."),
    ("link", "a symbolic link inside the store; link out: to somewhere else, never written through."),
    ("age hidden", "the file's time is newer than the memory's own date, so the client will not warn."),
];

/// The lines of help that hold all the words typed; what works where the person is comes first.
#[must_use]
pub fn lines(keymap: &Keymap, here: Context, typed: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut sections = sections();
    sections.sort_by_key(|(title, _)| *title != here.title());
    for (title, rows) in sections {
        let items = rows.into_iter().map(|row| Line::Item {
            keys: keymap.labels(row.command),
            name: row.name,
            text: row.help,
        });
        push(&mut lines, title, items, typed);
    }
    let keys = TEXT_KEYS.iter().map(|(keys, text)| Line::Item { keys: (*keys).into(), name: "", text });
    push(&mut lines, "Typing text", keys, typed);
    let signs = SIGNS.iter().map(|(sign, text)| Line::Item { keys: (*sign).into(), name: "", text });
    push(&mut lines, "Signs", signs, typed);
    lines
}

fn push(lines: &mut Vec<Line>, title: &str, items: impl Iterator<Item = Line>, typed: &str) {
    let kept: Vec<_> = items.filter(|item| holds(item, title, typed)).collect();
    if !kept.is_empty() {
        lines.push(Line::Head(title.into()));
        lines.extend(kept);
    }
}

fn holds(line: &Line, title: &str, typed: &str) -> bool {
    let Line::Item { keys, name, text } = line else { return true };
    let all = format!("{keys} {name} {text} {title}").to_lowercase();
    typed.to_lowercase().split_whitespace().all(|word| all.contains(word))
}

/// The commands by where they work, for help and for `docs/KEYS.md`; each once.
#[must_use]
pub fn sections() -> Vec<(&'static str, Vec<&'static Row>)> {
    let in_place = |contexts: &[Context]| match contexts {
        [one] => one.title(),
        [Context::List, Context::Memory, ..] => "Memories",
        [Context::Inbox, ..] => "Inbox",
        [Context::Recall, ..] => "Recall",
        [Context::Checks, ..] => "Checks",
        [Context::Walk, ..] => "Walking the worst",
        [Context::Sources | Context::Prompt, ..] => "Prompt",
        [Context::Question, ..] => "Windows",
        [Context::Moving, ..] => "Moving to another store",
        [Context::Edit, ..] => "The editor",
        [Context::EditLeave, ..] => "The editor's questions",
        _ => "Everywhere",
    };
    let mut sections: Vec<(&'static str, Vec<&'static Row>)> = Vec::new();
    for row in COMMANDS {
        let title = in_place(row.contexts);
        match sections.iter_mut().find(|(other, _)| *other == title) {
            Some((_, rows)) => rows.push(row),
            None => sections.push((title, vec![row])),
        }
    }
    sections
}

/// The commands of the palette whose name or help hold all the words typed; names that start so first.
#[must_use]
pub fn palette(model: &Model, typed: &str) -> Vec<&'static Row> {
    let before = Context::behind(model);
    let typed = typed.to_lowercase();
    let words: Vec<&str> = typed.split_whitespace().collect();
    let holds = |row: &&Row| {
        let all = format!("{} {}", row.name.replace('-', " "), row.help.to_lowercase());
        words.iter().all(|word| all.contains(&word.replace('-', " ")))
    };
    let works = |row: &&Row| row.contexts.iter().any(|context| context.is_browsing());
    let mut rows: Vec<_> = COMMANDS.iter().filter(works).filter(holds).collect();
    let first = words.first().copied().unwrap_or_default();
    rows.sort_by_key(|row| (!row.name.starts_with(first), !row.contexts.contains(&before)));
    rows
}

/// What the footer offers: a key and one or two words, most useful first.
#[must_use]
pub fn footer(model: &Model) -> Vec<(String, &'static str)> {
    let context = Context::of(model);
    let kind = model.editor.as_ref().and_then(|editor| editor.kind());
    let short = |row: &Row| match (row.command, kind) {
        (Command::Save, Some(Kind::Substance)) => "save as substance",
        (Command::Save, Some(Kind::Correction)) => "save as correction",
        (Command::SaveOther, Some(Kind::Substance)) => "as correction",
        (Command::SaveOther, Some(Kind::Correction)) => "as substance",
        _ => row.short,
    };
    let shown = |row: &&Row| {
        row.contexts.contains(&context) && !short(row).is_empty() && (row.available)(model).is_ok()
    };
    let mut hints: Vec<_> = COMMANDS
        .iter()
        .filter(shown)
        .filter(|row| !matches!(row.command, Command::Help | Command::Quit))
        .map(|row| (model.keymap.label(row.command), short(row)))
        .collect();
    match model.mode {
        Mode::Help { .. } | Mode::Palette { .. } | Mode::Moving(_) => {
            hints.insert(0, ("type".into(), "to search"));
        }
        Mode::Browse
        | Mode::Filter(_)
        | Mode::Query(_)
        | Mode::Question(_)
        | Mode::Input(_)
        | Mode::Report(_)
        | Mode::Silence(_)
        | Mode::Nearest(_) => {}
    }
    match context {
        Context::Sources => hints.insert(0, (model.keymap.label(Command::NextPane), "text")),
        Context::Prompt => hints.insert(0, (model.keymap.label(Command::Leave), "sources")),
        _ => {}
    }
    if context == Context::File {
        hints.push((model.keymap.label(Command::Leave), "back"));
    }
    if context == Context::Memory {
        hints.push((model.keymap.label(Command::Leave), "list"));
    }
    hints
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_names_every_command_once_and_can_be_searched() {
        let keymap = Keymap::new(&[]).unwrap();
        let names = |typed: &str| -> Vec<&'static str> {
            let lines = lines(&keymap, Context::List, typed);
            let name = |line: &Line| match line {
                Line::Item { name, .. } => Some(*name),
                Line::Head(_) => None,
            };
            lines.iter().filter_map(name).filter(|name| !name.is_empty()).collect()
        };
        assert_eq!(names("").len(), COMMANDS.len());
        assert_eq!(names("unmark them"), ["mark-all"]);
        assert!(names("no such words").is_empty());
    }

    #[test]
    fn names_that_start_as_typed_come_first_in_the_palette() {
        let model = Model::new(crate::app::testing::now(), Keymap::new(&[]).unwrap());
        assert_eq!(palette(&model, "del").first().map(|row| row.name), Some("delete"));
        assert_eq!(palette(&model, "half up").first().map(|row| row.name), Some("half-page-up"));
        assert!(palette(&model, "").iter().all(|row| row.name != "yes"));
    }
}

//! `docs/KEYS.md`, from the table of commands.

use crate::app::editor::TEXT_KEYS;
use crate::app::help::{self, SIGNS};
use crate::app::key::Key;
use std::fmt::Write;

/// The whole of `docs/KEYS.md`.
#[must_use]
pub fn keys_md() -> String {
    let mut text = String::from(
        "# Keys\n\n\
         <!-- Generated from src/app/commands.rs. Write it anew with: UPDATE_DOCS=1 cargo test --test it keys -->\n\n\
         The name is what `:` finds, and what the configuration calls the command. Keys are changed there: all keys that a\n\
         command has from now on, by its name (`delete = [\"x\", \"<del>\"]`).\n",
    );
    for (title, rows) in help::sections() {
        // Writing to a String never fails.
        let _ = write!(text, "\n## {title}\n\n| keys | name | what it does |\n|---|---|---|\n");
        for row in rows {
            let keys = row.keys.iter().filter_map(|key| Key::parse(key));
            let keys: Vec<_> = keys.map(|key| format!("`{}`", key.label())).collect();
            let _ = writeln!(text, "| {} | `{}` | {} |", keys.join(" "), row.name, row.help);
        }
    }
    text.push_str("\n## Typing text\n\n| keys | what they do |\n|---|---|\n");
    for (keys, meaning) in TEXT_KEYS {
        let _ = writeln!(text, "| {keys} | {meaning} |");
    }
    text.push_str("\n## Signs\n\n| sign | meaning |\n|---|---|\n");
    for (sign, meaning) in SIGNS {
        let _ = writeln!(text, "| {sign} | {meaning} |");
    }
    text.push_str(
        "\n## Mouse\n\nA click selects, a double click opens, the wheel scrolls what is under it, a click on a screen's name goes there.\n\
         Pasted text goes into the field that is being typed, and is never taken for commands (the terminal must know\n\
         bracketed paste, as nearly all do).\n",
    );
    text
}

//! The names of the screens, with their keys and how much waits there.

use crate::app::commands::Command;
use crate::app::layout::Area;
use crate::app::model::{Model, Screen};
use crate::ui::text::{put, width};
use crate::ui::theme::Theme;
use crate::ui::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

const SCREENS: [(Command, &str, Screen); 6] = [
    (Command::ShowMemories, "Memories", Screen::Memories),
    (Command::ShowPrompt, "Prompt", Screen::Prompt),
    (Command::ShowInbox, "Inbox", Screen::Inbox),
    (Command::ShowChecks, "Checks", Screen::Checks),
    (Command::ShowStores, "Stores", Screen::Stores),
    (Command::ShowRecall, "Recall", Screen::Recall),
];

/// How much stands on the line.
#[derive(Clone, Copy)]
enum Room {
    /// Names with blanks around them.
    Wide,
    /// Names one after the other.
    Tight,
    /// The name of the screen that is shown; of the others keys and counts.
    Keys,
}

/// Draws the names; gives where each is.
pub(super) fn draw(model: &Model, theme: &Theme, row: Rect, buffer: &mut Buffer) -> Vec<(Area, Screen)> {
    let columns = usize::from(row.width);
    let needed = |room: Room| texts(model, room).iter().map(|(text, _)| width(text) + 1).sum::<usize>();
    let rooms = [Room::Wide, Room::Tight];
    let room = rooms.into_iter().find(|room| needed(*room) <= columns + 1).unwrap_or(Room::Keys);
    let mut x = row.x;
    let mut areas = Vec::new();
    for (text, screen) in texts(model, room) {
        let style = if model.screen == screen { theme.tab_active } else { theme.tab };
        let end = put(buffer, x, row.y, row.right().saturating_sub(x), &text, style);
        areas.push((Area { x, y: row.y, width: end - x, height: 1 }, screen));
        x = end + 1;
    }
    let (help, quit) = (model.keymap.label(Command::Help), model.keymap.label(Command::Quit));
    let left = usize::from(row.right().saturating_sub(x));
    let hints = [format!("{help} help  {quit} quit "), format!("{help} help "), format!("{help} ")];
    if let Some(hint) = hints.iter().find(|hint| width(hint) <= left) {
        let wide = u16::try_from(width(hint)).unwrap_or(0);
        put(buffer, row.right().saturating_sub(wide), row.y, wide, hint, theme.dim);
    }
    areas
}

fn texts(model: &Model, room: Room) -> Vec<(String, Screen)> {
    let text = |(command, name, screen): (Command, &str, Screen)| {
        let count = match (screen, model.open()) {
            (Screen::Inbox, Some(open)) => words::badge(open.inbox.count()),
            (Screen::Checks, Some(open)) => words::badge(open.contents.worth_a_look()),
            _ => String::new(),
        };
        let key = model.keymap.label(command);
        let is_short = matches!(room, Room::Keys) && model.screen != screen;
        let text = if is_short { format!(" {key} {count}") } else { format!(" {key} {name} {count}") };
        match room {
            Room::Wide => (text, screen),
            Room::Tight | Room::Keys => (text.trim_end().to_owned(), screen),
        }
    };
    SCREENS.into_iter().map(text).collect()
}

//! The mouse: a click selects, a double click opens, the wheel scrolls what is under it.

use crate::app::action::{Effect, Mouse};
use crate::app::commands::Command;
use crate::app::model::{Focus, Mode, Model, Screen};
use crate::app::update::moves::{self, Step};
use crate::app::update::on_command;

pub(super) fn on_mouse(model: &mut Model, mouse: Mouse) -> Vec<Effect> {
    if let (Mode::Help { .. } | Mode::Palette { .. } | Mode::Question(_), mouse) = (&model.mode, mouse) {
        if let Mouse::Wheel(_, _, by) = mouse {
            moves::overlay(model, Step::Lines(by));
        }
        return Vec::new();
    }
    match mouse {
        Mouse::Click(x, y) => {
            model.message = None;
            click(model, x, y)
        }
        Mouse::DoubleClick(x, y) => {
            let hit = model.layout.list.as_ref().is_some_and(|(area, _)| area.contains(x, y));
            match (hit, model.screen) {
                (false, _) => Vec::new(),
                (true, Screen::Memories) => on_command(model, Command::Open),
                (true, Screen::Stores) => on_command(model, Command::OpenStore),
            }
        }
        Mouse::Wheel(x, y, by) => {
            wheel(model, x, y, by);
            Vec::new()
        }
    }
}

fn click(model: &mut Model, x: u16, y: u16) -> Vec<Effect> {
    let layout = &model.layout;
    let tab = layout.tabs.iter().find(|(area, _)| area.contains(x, y)).map(|(_, screen)| *screen);
    let list = layout.list.as_ref().filter(|(area, _)| area.contains(x, y));
    let row = list.map(|(area, top)| top + usize::from(y - area.y));
    let in_pane = layout.pane.as_ref().is_some_and(|pane| pane.area.contains(x, y));
    if let Some(screen) = tab {
        let command = match screen {
            Screen::Memories => Command::ShowMemories,
            Screen::Stores => Command::ShowStores,
        };
        return on_command(model, command);
    }
    if let Some(row) = row {
        match model.screen {
            Screen::Stores => {
                let count = model.stores.found.as_ref().map_or(0, Vec::len);
                if row < count {
                    model.stores.cursor = row;
                }
            }
            Screen::Memories => {
                if let Some(open) = model.open_mut()
                    && open.list.entry_at(row).is_some()
                {
                    open.list.go(row);
                    open.pane.focus = Focus::List;
                }
            }
        }
    } else if in_pane
        && let Some(open) = model.open_mut()
        && open.pane.focus == Focus::List
    {
        open.pane.focus = Focus::Memory;
    }
    Vec::new()
}

fn wheel(model: &mut Model, x: u16, y: u16, by: isize) {
    let in_pane = model.layout.pane.as_ref().is_some_and(|pane| pane.area.contains(x, y));
    match model.screen {
        Screen::Memories if in_pane => moves::pane(model, Step::Lines(by * 3)),
        Screen::Memories => moves::list(model, Step::Lines(by * 3)),
        Screen::Stores => {
            let count = model.stores.found.as_ref().map_or(0, Vec::len);
            model.stores.cursor = model.stores.cursor.saturating_add_signed(by).min(count.saturating_sub(1));
        }
    }
}

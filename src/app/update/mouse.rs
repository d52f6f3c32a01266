//! The mouse: a click selects, a double click opens, the wheel scrolls what is under it.

use crate::app::action::{Effect, Mouse};
use crate::app::commands::Command;
use crate::app::model::{Focus, Mode, Model, Screen};
use crate::app::preview::Part;
use crate::app::preview::rows::Row;
use crate::app::update::moves::{self, Step};
use crate::app::update::{checks, editing, inbox, on_command, preview, recall, sheets, verify};

pub(super) fn on_mouse(model: &mut Model, mouse: Mouse) -> Vec<Effect> {
    if let (
        Mode::Help { .. }
        | Mode::Palette { .. }
        | Mode::Question(_)
        | Mode::Report(_)
        | Mode::Silence(_)
        | Mode::Moving(_)
        | Mode::Nearest(_),
        mouse,
    ) = (&model.mode, mouse)
    {
        if let Mouse::Wheel(_, _, by) = mouse {
            moves::overlay(model, Step::Lines(by));
        }
        return Vec::new();
    }
    if model.sheet.is_some() {
        sheets::mouse(model, mouse);
        return Vec::new();
    }
    if model.editor.is_some() {
        editing::mouse(model, mouse);
        return Vec::new();
    }
    if model.verify.open.is_some() {
        match mouse {
            Mouse::Wheel(x, y, by) => verify::wheel(model, x, y, by),
            Mouse::Click(x, y) | Mouse::DoubleClick(x, y) => verify::click(model, x, y),
        }
        return Vec::new();
    }
    if model.walk.is_some() {
        if let Mouse::Wheel(_, _, by) = mouse {
            moves::pane(model, Step::Lines(by * 3));
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
                (true, Screen::Prompt) => on_command(model, Command::Jump),
                (true, Screen::Inbox) => on_command(model, Command::OpenItem),
                (true, Screen::Checks) => on_command(model, Command::OpenFinding),
                (true, Screen::Recall) => on_command(model, Command::OpenCandidate),
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
    let text =
        layout.prompt.as_ref().filter(|text| text.area.contains(x, y) && model.screen == Screen::Prompt);
    let text_line = text.and_then(|text| text.rows.get(usize::from(y - text.area.y)).copied());
    if let Some(screen) = tab {
        let command = match screen {
            Screen::Memories => Command::ShowMemories,
            Screen::Prompt => Command::ShowPrompt,
            Screen::Inbox => Command::ShowInbox,
            Screen::Checks => Command::ShowChecks,
            Screen::Recall => Command::ShowRecall,
            Screen::Stores => Command::ShowStores,
        };
        return on_command(model, command);
    }
    let in_field = model.layout.fields.iter().any(|(area, _)| area.contains(x, y));
    if in_field && model.screen == Screen::Recall {
        return on_command(model, Command::Ask);
    }
    if let Some(row) = row {
        match model.screen {
            Screen::Stores => {
                let count = model.stores.shown().len();
                if row < count {
                    model.stores.cursor = row;
                }
            }
            Screen::Prompt => {
                let page = model.prompt.page.as_ref();
                if page.is_some_and(|page| matches!(page.rows.get(row), Some(Row::Entry(_)))) {
                    model.prompt.part = Part::Sources;
                    model.prompt.row = row;
                    preview::follow_row(model);
                }
            }
            Screen::Inbox => {
                if let Some(open) = model.open_mut().filter(|open| open.inbox.split.is_none())
                    && open.inbox.item(row).is_some()
                {
                    open.inbox.in_detail = false;
                    open.inbox.go(row);
                }
            }
            Screen::Recall => {
                if let Some(open) = model.open_mut() {
                    open.finder.in_detail = false;
                    open.finder.go(row);
                }
            }
            Screen::Checks => {
                if let Some(open) = model.open_mut()
                    && open.board.finding(&open.contents, row).is_some()
                {
                    open.board.in_detail = false;
                    open.board.go(row);
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
    } else if let Some(line) = text_line {
        model.prompt.part = Part::Text;
        model.prompt.line = line;
    } else if in_pane && model.screen == Screen::Checks {
        if let Some(open) = model.open_mut() {
            open.board.in_detail = true;
        }
    } else if in_pane && model.screen == Screen::Recall {
        if let Some(open) = model.open_mut() {
            open.finder.in_detail = true;
        }
    } else if in_pane && model.screen == Screen::Inbox {
        if let Some(open) = model.open_mut() {
            open.inbox.in_detail = true;
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
        Screen::Prompt => {
            let in_list = model.layout.list.as_ref().is_some_and(|(area, _)| area.contains(x, y));
            match (in_list, &model.prompt.part) {
                (true, _) => preview::sources(model, Step::Lines(by)),
                (false, Part::File(_)) => preview::go(model, Step::Lines(by * 3)),
                (false, _) => preview::text(model, Step::Lines(by * 3)),
            }
        }
        Screen::Checks => {
            let was = model.open().is_some_and(|open| open.board.in_detail);
            let set = |model: &mut Model, to| {
                if let Some(open) = model.open_mut() {
                    open.board.in_detail = to;
                }
            };
            set(model, in_pane);
            checks::go(model, Step::Lines(if in_pane { by * 3 } else { by }));
            set(model, was);
        }
        Screen::Inbox => {
            let was = model.open().is_some_and(|open| open.inbox.in_detail);
            let set = |model: &mut Model, to| {
                if let Some(open) = model.open_mut() {
                    open.inbox.in_detail = to;
                }
            };
            set(model, in_pane);
            inbox::go(model, Step::Lines(if in_pane { by * 3 } else { by }));
            set(model, was);
        }
        Screen::Recall => {
            let was = model.open().is_some_and(|open| open.finder.in_detail);
            let set = |model: &mut Model, to| {
                if let Some(open) = model.open_mut() {
                    open.finder.in_detail = to;
                }
            };
            set(model, in_pane);
            recall::go(model, Step::Lines(if in_pane { by * 3 } else { by }));
            set(model, was);
        }
        Screen::Memories if in_pane => moves::pane(model, Step::Lines(by * 3)),
        Screen::Memories => moves::list(model, Step::Lines(by * 3)),
        Screen::Stores => {
            let count = model.stores.shown().len();
            model.stores.cursor = model.stores.cursor.saturating_add_signed(by).min(count.saturating_sub(1));
        }
    }
}

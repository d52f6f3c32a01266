//! The query while it is typed: the answer follows each key; arrows bring earlier queries back.

use super::ask;
use crate::app::action::Effect;
use crate::app::commands::Command;
use crate::app::field::Field;
use crate::app::model::{Mode, Model};

/// What a command of the field does.
pub(in crate::app::update) fn command(model: &mut Model, command: Command) -> Vec<Effect> {
    match command {
        Command::EarlierQuery => bring_back(model, 1),
        Command::LaterQuery => bring_back(model, -1),
        _ => {
            model.mode = Mode::Browse;
            if let Some(open) = model.open_mut() {
                open.finder.keep();
                // What was asked before shows where nothing is asked.
                let keep = open.finder.current().map(|verdict| verdict.path.clone());
                open.finder.rebuild(keep.as_ref());
            }
            Vec::new()
        }
    }
}

/// Something was typed.
pub(in crate::app::update) fn typed(model: &mut Model) -> Vec<Effect> {
    let Mode::Query(typing) = &mut model.mode else { return Vec::new() };
    typing.back = 0;
    let text = typing.field.text();
    set(model, text)
}

/// An earlier query comes into the field, or a later one, or what was typed.
fn bring_back(model: &mut Model, by: isize) -> Vec<Effect> {
    let earlier = model.open().map(|open| open.finder.earlier.clone()).unwrap_or_default();
    let Mode::Query(typing) = &mut model.mode else { return Vec::new() };
    if typing.back == 0 {
        typing.typed = typing.field.text();
    }
    // What stands in the field already is no earlier query.
    let list: Vec<&String> = earlier.iter().filter(|query| **query != typing.typed).collect();
    typing.back = typing.back.saturating_add_signed(by).min(list.len());
    let text = match typing.back {
        0 => typing.typed.clone(),
        back => list.get(list.len() - back).map(|query| (*query).clone()).unwrap_or_default(),
    };
    typing.field = Field::new(&text);
    set(model, text)
}

fn set(model: &mut Model, text: String) -> Vec<Effect> {
    let Some(open) = model.open_mut() else { return Vec::new() };
    if open.finder.query == text {
        return Vec::new();
    }
    open.finder.query = text;
    ask(model)
}

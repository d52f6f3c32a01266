//! Moving: the cursor in a list, the text in a pane or a window.

use crate::app::commands::Command;
use crate::app::help;
use crate::app::list::List;
use crate::app::model::{Focus, Mode, Model, Screen, Scroll};
use crate::app::update::{checks, inbox, preview, recall, verify};

/// How far a command moves.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    Lines(isize),
    Pages(isize),
    HalfPages(isize),
    Top,
    Bottom,
}

impl Step {
    /// Where it leads from a line, when so many lines show.
    pub(super) fn from(self, from: usize, height: usize) -> usize {
        target(from, self, height)
    }
}

pub(super) fn go(model: &mut Model, command: Command) {
    let step = match command {
        Command::Down | Command::FilterDown | Command::ScrollDown => Step::Lines(1),
        Command::Up | Command::FilterUp | Command::ScrollUp => Step::Lines(-1),
        Command::PageDown | Command::ScrollPageDown => Step::Pages(1),
        Command::PageUp | Command::ScrollPageUp => Step::Pages(-1),
        Command::HalfDown => Step::HalfPages(1),
        Command::HalfUp => Step::HalfPages(-1),
        Command::Top => Step::Top,
        Command::Bottom => Step::Bottom,
        _ => return,
    };
    if !matches!(model.mode, Mode::Browse | Mode::Filter(_)) {
        return overlay(model, step);
    }
    if model.verify.open.is_some() {
        return verify::go(model, step);
    }
    match (model.screen, model.open().map(|open| open.pane.focus)) {
        (Screen::Stores, _) if model.walk.is_none() => stores(model, step),
        (Screen::Stores, _) => {}
        (Screen::Prompt, _) if model.walk.is_none() => preview::go(model, step),
        (_, Some(_)) if model.walk.is_some() => pane(model, step),
        (Screen::Prompt, _) => {}
        (Screen::Checks, _) => checks::go(model, step),
        (Screen::Inbox, _) => inbox::go(model, step),
        (Screen::Recall, _) => recall::go(model, step),
        (Screen::Memories, Some(Focus::List)) => list(model, step),
        (Screen::Memories, Some(_)) if matches!(model.mode, Mode::Filter(_)) => list(model, step),
        (Screen::Memories, Some(_)) => pane(model, step),
        (Screen::Memories, None) => {}
    }
}

pub(super) fn list(model: &mut Model, step: Step) {
    let height = model.layout.list.as_ref().map_or(1, |(area, _)| usize::from(area.height));
    let Some(open) = model.open_mut() else { return };
    let list: &mut List = &mut open.list;
    match step {
        Step::Lines(by) => list.step(by),
        Step::Pages(by) => list.go(moved(list.cursor, by, height.saturating_sub(1).max(1))),
        Step::HalfPages(by) => list.go(moved(list.cursor, by, (height / 2).max(1))),
        Step::Top => list.go(0),
        Step::Bottom => list.go(usize::MAX),
    }
}

fn stores(model: &mut Model, step: Step) {
    let height = model.layout.list.as_ref().map_or(1, |(area, _)| usize::from(area.height)).max(1);
    let count = model.stores.shown().len();
    let to = target(model.stores.cursor, step, height);
    model.stores.cursor = to.min(count.saturating_sub(1));
}

/// Scrolls the memory's text from where it was drawn.
pub(super) fn pane(model: &mut Model, step: Step) {
    let layout = model.layout.pane.clone().unwrap_or_default();
    let height = usize::from(layout.area.height).max(1);
    let last = layout.lines.saturating_sub(height);
    let Some(open) = model.open_mut() else { return };
    // Several keys may come between two frames: each goes on from the one before.
    let from = match open.pane.scroll {
        Scroll::At(line) => line.min(last.max(layout.scroll)),
        Scroll::Auto => layout.scroll,
    };
    open.pane.scroll = Scroll::At(target(from, step, height));
}

pub(super) fn overlay(model: &mut Model, step: Step) {
    let (height, lines) = model.layout.overlay.unwrap_or((1, 1));
    let last = lines.saturating_sub(height);
    let rows = match &model.mode {
        Mode::Palette { field, .. } => help::palette(model, &field.text()).len(),
        Mode::Moving(moving) => moving.rows(model).len(),
        _ => 0,
    };
    match &mut model.mode {
        Mode::Help { scroll, .. } => *scroll = target(*scroll, step, height).min(last),
        Mode::Report(report) => report.scroll = target(report.scroll, step, height).min(last),
        Mode::Question(question) => question.scroll = target(question.scroll, step, height).min(last),
        Mode::Palette { chosen, .. } => *chosen = target(*chosen, step, height).min(rows.saturating_sub(1)),
        Mode::Moving(moving) => {
            moving.chosen = target(moving.chosen, step, height).min(rows.saturating_sub(1));
        }
        Mode::Nearest(nearest) => {
            let last = nearest.near.len().saturating_sub(1);
            nearest.chosen = target(nearest.chosen, step, height).min(last);
        }
        Mode::Browse | Mode::Filter(_) | Mode::Query(_) | Mode::Input(_) | Mode::Silence(_) => {}
    }
}

fn target(from: usize, step: Step, height: usize) -> usize {
    match step {
        Step::Lines(by) => from.saturating_add_signed(by),
        Step::Pages(by) => moved(from, by, height.saturating_sub(1).max(1)),
        Step::HalfPages(by) => moved(from, by, (height / 2).max(1)),
        Step::Top => 0,
        Step::Bottom => usize::MAX,
    }
}

fn moved(from: usize, times: isize, by: usize) -> usize {
    from.saturating_add_signed(times.saturating_mul(isize::try_from(by).unwrap_or(isize::MAX)))
}

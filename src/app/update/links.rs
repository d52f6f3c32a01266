//! Following links and going back.

use crate::app::action::Effect;
use crate::app::model::{Focus, Model, Scroll, Tone};
use crate::app::update::filter;
use crate::memory::path::RelPath;

/// Chooses the next or the previous link and scrolls to where it stands.
pub(super) fn choose(model: &mut Model, by: isize) {
    let layout = model.layout.pane.clone().unwrap_or_default();
    let Some(open) = model.open_mut() else { return };
    let count = open.current().map_or(0, |entry| entry.links().count());
    let Some(last) = count.checked_sub(1) else { return };
    let chosen = match open.pane.link {
        None if by > 0 => 0,
        None => last,
        Some(link) => link.saturating_add_signed(by).min(last),
    };
    open.pane.link = Some(chosen);
    let height = usize::from(layout.area.height);
    match layout.links.get(chosen) {
        Some(line) if (layout.scroll..layout.scroll + height).contains(line) => {}
        Some(line) => open.pane.scroll = Scroll::At((line + 2).saturating_sub(height)),
        // The text was too long to be laid out to its end, where the links are listed.
        None => open.pane.scroll = Scroll::At(usize::MAX),
    }
}

pub(super) fn follow(model: &mut Model) -> Vec<Effect> {
    let Some(open) = model.open_mut() else { return Vec::new() };
    let target = open.current().zip(open.pane.link).and_then(|(entry, link)| entry.links().nth(link));
    let path = target.and_then(|at| open.contents.entries.get(at)).map(|entry| entry.path.clone());
    let from = open.current().map(|entry| entry.path.clone());
    let Some(path) = path else { return Vec::new() };
    open.trail.extend(from);
    go_to(model, &path)
}

pub(super) fn back(model: &mut Model) -> Vec<Effect> {
    let Some(open) = model.open_mut() else { return Vec::new() };
    let contents = open.contents.clone();
    if open.trail.is_empty()
        && let Some(screen) = open.back_to.take()
    {
        open.pane.focus = Focus::List;
        model.screen = screen;
        return Vec::new();
    }
    // Memories that were deleted meanwhile are passed over.
    while let Some(path) = open.trail.pop() {
        if contents.find(&path).is_some() {
            return go_to(model, &path);
        }
    }
    model.say(Tone::Note, "where the link was followed from is no longer there");
    Vec::new()
}

/// Puts the cursor on a memory; what hides it is cleared, and that is said.
pub(super) fn go_to(model: &mut Model, path: &RelPath) -> Vec<Effect> {
    let Some(open) = model.open_mut() else { return Vec::new() };
    if let Some(row) = open.list.row_of(&open.contents, path) {
        open.list.go(row);
        return Vec::new();
    }
    open.list.flagged_only = false;
    let effects = filter::clear(model);
    if let Some(open) = model.open_mut()
        && let Some(row) = open.list.row_of(&open.contents, path)
    {
        open.list.go(row);
        model.say(Tone::Note, format!("cleared the filter to show {path}"));
    }
    effects
}

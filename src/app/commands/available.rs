//! Whether a command can act now, and if not why, in words for the person who pressed its key.

use super::{Command, Unavailable};
use crate::app::contents::{Entry, Item};
use crate::app::editor::{Stage, View};
use crate::app::model::{Library, Mode, Model, Open, Screen};
use crate::app::recall::{ByModel, Picking};
use crate::check::Fix;
use crate::memory::document::{FaultKind, Reading};
use crate::memory::path::RelPath;
use crate::prompt::subject::Subject;

pub(super) fn always(_: &Model) -> Result<(), Unavailable> {
    Ok(())
}

pub(super) fn has_library(model: &Model) -> Result<(), Unavailable> {
    match model.library {
        Library::Closed => Err("no store is open: choose one with Enter".into()),
        _ => Ok(()),
    }
}

pub(super) fn has_subject(model: &Model) -> Result<(), Unavailable> {
    match (&model.prompt.known, &model.library) {
        (None, Library::Closed) => Err("no store is open: choose one with Enter".into()),
        _ => Ok(()),
    }
}

pub(super) fn can_reload(model: &Model) -> Result<(), Unavailable> {
    if model.screen == Screen::Stores { Ok(()) } else { has_subject(model) }
}

pub(super) fn has_page(model: &Model) -> Result<(), Unavailable> {
    match &model.prompt.page {
        Some(_) => Ok(()),
        None => Err("the prompt is still being worked out".into()),
    }
}

pub(super) fn can_prove(model: &Model) -> Result<(), Unavailable> {
    match &model.prompt.page {
        _ if model.prompt.proving => Err("the client runs already: Esc calls it off".into()),
        Some(page) if !matches!(page.subject, Subject::Client(_)) => {
            Err("only a session of the client can be proved; this prompt is none".into())
        }
        _ => has_page(model),
    }
}

pub(super) fn has_search(model: &Model) -> Result<(), Unavailable> {
    has_page(model)?;
    match &model.prompt.search {
        Some(_) => Ok(()),
        None => Err(format!("search first: {}", model.keymap.label(Command::Search))),
    }
}

pub(super) fn has_panes(model: &Model) -> Result<(), Unavailable> {
    match model.screen {
        Screen::Prompt => has_page(model),
        Screen::Checks => on_finding(model),
        Screen::Inbox => on_item(model),
        Screen::Recall => has_answer(model),
        _ => on_entry(model),
    }
}

pub(super) fn has_index(model: &Model) -> Result<(), Unavailable> {
    match open(model)?.contents.snapshot.index {
        Some(_) => Ok(()),
        None => Err("this store has no index (MEMORY.md)".into()),
    }
}

pub(super) fn in_index(model: &Model) -> Result<(), Unavailable> {
    has_index(model)?;
    on_memory(model)
}

pub(super) fn has_store(model: &Model) -> Result<(), Unavailable> {
    open(model).map(drop)
}

fn open(model: &Model) -> Result<&Open, Unavailable> {
    match &model.library {
        Library::Open(open) => Ok(open),
        Library::Closed => Err("no store is open".into()),
        Library::Loading { .. } => Err("the store is still being read".into()),
        Library::Failed { .. } => Err("the store could not be read".into()),
    }
}

pub(super) fn on_entry(model: &Model) -> Result<(), Unavailable> {
    let open = open(model)?;
    open.current().map(drop).ok_or_else(|| nothing_here(open))
}

pub(super) fn on_memory(model: &Model) -> Result<(), Unavailable> {
    let open = open(model)?;
    if open.has_marks() {
        return Ok(());
    }
    match open.current().ok_or_else(|| nothing_here(open))?.item {
        Item::Memory(_) => Ok(()),
        Item::Index => Err("the index follows by itself: delete or park memories".into()),
        Item::Unreadable(_) => Err("this file can't be read, so it is left alone".into()),
    }
}

pub(super) fn can_verify(model: &Model) -> Result<(), Unavailable> {
    let open = open(model)?;
    match open.current().ok_or_else(|| nothing_here(open))?.item {
        Item::Memory(_) => Ok(()),
        Item::Index => Err("the index claims nothing by itself: choose a memory".into()),
        Item::Unreadable(_) => Err("this file can't be read, so nothing of it can be looked up".into()),
    }
}

pub(super) fn on_finding(model: &Model) -> Result<(), Unavailable> {
    let open = open(model)?;
    match open.board.current(&open.contents) {
        Some(_) => Ok(()),
        None if !open.board.filter.is_empty() => Err("nothing matches the filter".into()),
        None if open.board.silenced => Err("nothing is silenced".into()),
        None => Err("nothing was found".into()),
    }
}

pub(super) fn on_item(model: &Model) -> Result<(), Unavailable> {
    let desk = &open(model)?.inbox;
    match (desk.current(), &desk.waits) {
        (Some(_), _) => Ok(()),
        (None, None) => Err("what waits is still being read".into()),
        (None, Some(_)) if !desk.filter.is_empty() => Err("nothing matches the filter".into()),
        (None, Some(_)) if desk.rejected => Err("nothing was rejected".into()),
        (None, Some(_)) => Err("nothing waits".into()),
    }
}

pub(super) fn on_proposal(model: &Model) -> Result<(), Unavailable> {
    on_item(model)?;
    match open(model)?.inbox.current().and_then(|item| item.proposal()) {
        Some(_) => Ok(()),
        None => Err("this is no proposal".into()),
    }
}

pub(super) fn is_gated(model: &Model) -> Result<(), Unavailable> {
    on_item(model)?;
    let desk = &open(model)?.inbox;
    if desk.is_gated {
        return Ok(());
    }
    let all = desk.waits.as_ref().map_or(0, |waits| waits.proposals());
    Err(format!("the gate is still looking: {} of {all}", desk.gated))
}

pub(super) fn can_fix(model: &Model) -> Result<(), Unavailable> {
    on_finding(model)?;
    let open = open(model)?;
    match open.board.current(&open.contents) {
        Some(finding) if finding.fixes.is_empty() => Err("no key mends this".into()),
        _ => Ok(()),
    }
}

pub(super) fn can_fix_all(model: &Model) -> Result<(), Unavailable> {
    can_fix(model)?;
    let open = open(model)?;
    match open.board.current(&open.contents).and_then(|finding| finding.fixes.first()) {
        Some(Fix::Replace { .. }) => Ok(()),
        _ => Err("each of this kind is to be looked at by itself".into()),
    }
}

pub(super) fn is_checking(model: &Model) -> Result<(), Unavailable> {
    match &model.checking.progress {
        Some(_) => Ok(()),
        None => Err("no checks are running".into()),
    }
}

pub(super) fn has_worst(model: &Model) -> Result<(), Unavailable> {
    // Whoever types a question there without `/` must not find themselves on a walk, whose keys write.
    if model.screen == Screen::Recall {
        has_answer(model)?;
    }
    match open(model)?.contents.entries.iter().any(|entry| entry.is_worth_a_look) {
        true => Ok(()),
        false => Err("nothing is worth a look".into()),
    }
}

fn nothing_here(open: &Open) -> Unavailable {
    match &open.list.filter.query {
        Some(_) => "nothing matches the filter".into(),
        None if open.list.flagged_only => "nothing has a flag; ! shows all".into(),
        None => "there are no memories here".into(),
    }
}

pub(super) fn can_edit(model: &Model) -> Result<(), Unavailable> {
    let open = open(model)?;
    is_editable(open, open.current().ok_or_else(|| nothing_here(open))?)
}

/// Whether a memory of the open store can be promoted, wherever the cursor is.
pub(in crate::app) fn can_promote(model: &Model, path: &RelPath) -> Result<(), Unavailable> {
    let open = open(model)?;
    let entry = open.contents.find(path).and_then(|at| open.contents.entries.get(at));
    is_editable(open, entry.ok_or("it is gone")?)
}

fn is_editable(open: &Open, entry: &Entry) -> Result<(), Unavailable> {
    match (entry.item, open.contents.memory(entry)) {
        (Item::Index, _) => Err("the index follows by itself when memories change".into()),
        (Item::Unreadable(_), _) | (_, None) => Err("this file can't be read, so it is left alone".into()),
        (_, Some(memory)) if memory.stat.link.is_some() => {
            Err("it is a link: edit the file that it points to".into())
        }
        (_, Some(_)) => Ok(()),
    }
}

pub(super) fn can_merge(model: &Model) -> Result<(), Unavailable> {
    let open = open(model)?;
    match open.marked().len() {
        0 | 1 => {
            let mark = model.keymap.label(Command::Mark);
            Err(format!("mark two or more memories first: {mark}"))
        }
        _ => Ok(()),
    }
}

pub(super) fn has_gone_draft(model: &Model) -> Result<(), Unavailable> {
    let open = open(model)?;
    match open.drafts.keys().find(|path| open.contents.find(path).is_none()) {
        Some(_) => Ok(()),
        None => Err("there is no unsaved text of a memory that is gone".into()),
    }
}

pub(super) fn can_repair(model: &Model) -> Result<(), Unavailable> {
    can_edit(model)?;
    let memory = open(model).ok().and_then(|open| open.contents.memory(open.current()?));
    let odd = memory.is_some_and(|memory| {
        let document = &memory.document;
        let is_broken = document.frontmatter.as_ref().is_some_and(|block| block.reading == Reading::Lenient);
        is_broken || document.faults.iter().any(|fault| fault.kind == FaultKind::FrontmatterLossy)
    });
    if odd { Ok(()) } else { Err("YAML reads every value of it as it is written".into()) }
}

pub(super) fn can_repair_here(model: &Model) -> Result<(), Unavailable> {
    let editor = model.editor.as_ref().ok_or("no memory is being edited")?;
    if editor.is_odd { Ok(()) } else { Err("YAML reads every value as it is written".into()) }
}

pub(super) fn in_form(model: &Model) -> Result<(), Unavailable> {
    match model.editor.as_ref().map(|editor| &editor.view) {
        Some(View::Form(form)) if form.fields.len() == 1 => Err("there is one field only".into()),
        Some(View::Form(_)) => Ok(()),
        _ if model.sheet.is_some() => Ok(()),
        _ => Err("the raw file has no fields".into()),
    }
}

pub(super) fn is_chosen(model: &Model) -> Result<(), Unavailable> {
    match model.editor.as_ref().map(|editor| &editor.stage) {
        Some(Stage::Conflict(merge)) if merge.open() > 0 => {
            Err(format!("choose for each conflict first: {} open", merge.open()))
        }
        _ => Ok(()),
    }
}

pub(super) fn can_park(model: &Model) -> Result<(), Unavailable> {
    on_memory(model)?;
    match open(model)?.contents.snapshot.index {
        Some(_) => Ok(()),
        None => Err("this store has no index (MEMORY.md), so there is nothing to park from".into()),
    }
}

pub(super) fn has_links(model: &Model) -> Result<(), Unavailable> {
    on_entry(model)?;
    match model.current().and_then(|entry| entry.links().next()) {
        Some(_) => Ok(()),
        None => Err("no links lead out of this memory or to it".into()),
    }
}

pub(super) fn on_link(model: &Model) -> Result<(), Unavailable> {
    has_links(model)?;
    match model.open().and_then(|open| open.pane.link) {
        Some(_) => Ok(()),
        None => Err("choose a link first: → and ←".into()),
    }
}

pub(super) fn has_trail(model: &Model) -> Result<(), Unavailable> {
    let open = open(model)?;
    match open.trail.is_empty() && open.back_to.is_none() {
        true => Err("no link was followed".into()),
        false => Ok(()),
    }
}

pub(super) fn can_filter(model: &Model) -> Result<(), Unavailable> {
    if model.screen == Screen::Stores { Ok(()) } else { has_store(model) }
}

pub(super) fn can_copy(model: &Model) -> Result<(), Unavailable> {
    match &model.mode {
        Mode::Moving(moving) if moving.paths.is_none() => {
            Err("a store is merged by moving: nothing of it stays".into())
        }
        _ => Ok(()),
    }
}

pub(super) fn on_store(model: &Model) -> Result<(), Unavailable> {
    match (&model.stores.found, &model.work.running) {
        (_, Some(_)) => Err("a change is still being written".into()),
        (None, None) => Err("still looking for stores".into()),
        (Some(found), None) if found.is_empty() => Err("no stores were found".into()),
        (Some(_), None) if model.stores.shown().is_empty() => Err("nothing matches the filter".into()),
        (Some(_), None) => Ok(()),
    }
}

pub(super) fn has_answer(model: &Model) -> Result<(), Unavailable> {
    let finder = &open(model)?.finder;
    match (&finder.found, finder.has_query()) {
        (Some(_), _) => Ok(()),
        (None, true) => Err("the answer is still being worked out".into()),
        (None, false) => Err(format!("ask something first: {}", model.keymap.label(Command::Ask))),
    }
}

pub(super) fn on_answer(model: &Model) -> Result<(), Unavailable> {
    has_answer(model)?;
    match open(model)?.finder.current() {
        Some(_) => Ok(()),
        None => {
            Err(format!("no memory is shown; {} shows the rest", model.keymap.label(Command::ShowUnmatched)))
        }
    }
}

/// A memory, a query of before, or nothing: then Enter goes to the field.
pub(super) fn on_candidate(model: &Model) -> Result<(), Unavailable> {
    has_store(model)
}

pub(super) fn can_ask_model(model: &Model) -> Result<(), Unavailable> {
    has_answer(model)?;
    match (&open(model)?.finder.model, &model.recall.picking) {
        (ByModel::Asking { .. }, _) => Err("it works on it already: Esc calls it off".into()),
        (_, Picking::No) => {
            Err("no model command is configured: `command` under `[recall]` of the configuration".into())
        }
        (_, Picking::Allowed(_) | Picking::Ask(_)) => Ok(()),
    }
}

pub(super) fn on_bench(model: &Model) -> Result<(), Unavailable> {
    match model.editor.as_ref().and_then(|editor| editor.bench.as_ref()) {
        Some(_) => Ok(()),
        None => {
            Err(format!("only a description is tried on queries: {}", model.keymap.label(Command::Describe)))
        }
    }
}

pub(super) fn has_suggestion(model: &Model) -> Result<(), Unavailable> {
    on_bench(model)?;
    let bench = model.editor.as_ref().and_then(|editor| editor.bench.as_ref());
    match bench.and_then(|bench| bench.tried.as_ref()?.suggestion.as_ref()) {
        Some(_) => Ok(()),
        None => Err("there is no proposal that is better than what stands there".into()),
    }
}

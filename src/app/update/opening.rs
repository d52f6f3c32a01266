//! Opening a store, reading it again, and the list of stores.

use crate::app::action::Effect;
use crate::app::board::Board;
use crate::app::contents::Contents;
use crate::app::inbox::Desk;
use crate::app::list::List;
use crate::app::model::{ActsOn, Job, Library, Mode, Model, Open, Pane, Problem, Screen, Tone, Work};
use crate::app::moving::Place;
use crate::app::order::Order;
use crate::app::recall::Finder;
use crate::app::update::{checks, editing, filter, inbox, jobs, preview, recall, sheets};
use crate::memory::path::RelPath;
use crate::prompt::locate::FoundStore;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Opens a store: the header shows at once, a worker reads. What still waited to be done was meant for the store
/// that was open, and never follows into another one.
pub fn open_store(model: &mut Model, dir: PathBuf) -> Vec<Effect> {
    if model.dir() != Some(dir.as_path()) && !model.work.queue.is_empty() {
        model.work.queue.clear();
        model.say(Tone::Note, "what was not begun in the store before is dropped; nothing of it is changed");
    }
    model.screen = Screen::Memories;
    model.walk = None;
    model.verify.open = None;
    model.mode = Mode::Browse;
    model.library = Library::Loading { dir: dir.clone(), read: 0 };
    vec![Effect::Load(dir)]
}

/// Starts with the list of stores.
pub fn choose_store(model: &mut Model, found: Vec<FoundStore>) {
    model.screen = Screen::Stores;
    model.stores.found = Some(found);
}

pub(super) fn show_stores(model: &mut Model) -> Vec<Effect> {
    model.screen = Screen::Stores;
    find_stores(model)
}

/// Looks for stores; what was found before stays until then. One worker at a time, so that no answer is older than
/// the one before.
pub(super) fn find_stores(model: &mut Model) -> Vec<Effect> {
    if model.stores.looking {
        model.stores.changed = true;
        return Vec::new();
    }
    model.stores.looking = true;
    vec![Effect::FindStores]
}

/// The stores were looked for: what is chosen stays chosen, wherever it stands now.
pub(super) fn stores_found(model: &mut Model, found: Vec<FoundStore>) -> Vec<Effect> {
    let at_cursor = model.stores.shown().get(model.stores.cursor).map(|store| store.dir.clone());
    let chosen = match &model.mode {
        Mode::Moving(moving) => moving.rows(model).into_iter().nth(moving.chosen).map(|row| row.place),
        _ => None,
    };
    model.stores.found = Some(found);
    let shown = model.stores.shown();
    let at = shown.iter().position(|store| Some(&store.dir) == at_cursor.as_ref());
    let last = shown.len().saturating_sub(1);
    model.stores.cursor = at.unwrap_or(model.stores.cursor.min(last));
    if let (Mode::Moving(moving), Some(chosen)) = (&model.mode, chosen) {
        let rows = moving.rows(model);
        let at = rows.iter().position(|row| row.place.is_same(&chosen));
        // The first row is no store where memories can be promoted.
        let at = at.unwrap_or(usize::from(rows.first().is_some_and(|row| row.place == Place::User)));
        if let Mode::Moving(moving) = &mut model.mode {
            moving.chosen = at;
        }
    }
    model.stores.looking = false;
    if std::mem::take(&mut model.stores.changed) { find_stores(model) } else { Vec::new() }
}

pub(super) fn open_chosen(model: &mut Model) -> Vec<Effect> {
    let shown = model.stores.shown();
    let Some(dir) = shown.get(model.stores.cursor).map(|store| store.dir.clone()) else { return Vec::new() };
    if model.open().is_some_and(|open| open.dir == dir) {
        model.screen = Screen::Memories;
        return Vec::new();
    }
    // The session's title and project belong to the store that it was started on.
    model.title = None;
    model.roots.project = None;
    open_store(model, dir)
}

pub(super) fn reading(model: &mut Model, of: &Path, files: usize) {
    if let Library::Loading { dir, read } = &mut model.library
        && dir == of
    {
        *read = files;
    }
}

pub(super) fn loaded(model: &mut Model, of: &Path, loaded: Result<Arc<Contents>, Problem>) -> Vec<Effect> {
    if model.dir() != Some(of) {
        return Vec::new();
    }
    let mut effects = Vec::new();
    match (loaded, &mut model.library) {
        (Ok(contents), Library::Open(open)) => {
            effects.extend(read_again(open, contents, &model.work));
        }
        (Ok(contents), _) => {
            let mut list = List::default();
            list.rebuild(&contents, None);
            let open = Open {
                dir: of.into(),
                contents,
                list,
                pane: Pane::default(),
                trail: Vec::new(),
                what_if: None,
                acts_on: ActsOn::List,
                board: Board::default(),
                inbox: Desk::default(),
                finder: Finder::offering(&model.recall.offered),
                back_to: None,
                hushed: Vec::new(),
                usage: None,
                drafts: BTreeMap::new(),
            };
            effects.push(Effect::FindDrafts(open.contents.snapshot.root.clone()));
            effects.push(Effect::ReadUsage(of.into()));
            model.library = Library::Open(Box::new(open));
        }
        (Err(problem), Library::Open(_)) => model.say_problem(&problem),
        (Err(problem), _) => model.library = Library::Failed { dir: of.into(), problem },
    }
    effects.extend(preview::store_changed(model));
    editing::look_again(model);
    sheets::look_again(model);
    effects.extend(checks::ask(model));
    effects.extend(inbox::ask(model));
    effects.extend(recall::store_changed(model));
    effects.extend(jobs::finished(model));
    effects
}

/// Takes the new contents: the cursor stays, or goes to the neighbour of what went, or to what came back.
pub(super) fn read_again(open: &mut Open, contents: Arc<Contents>, work: &Work) -> Option<Effect> {
    let keep = match &work.running {
        Some(Job::Undo | Job::Redo) => came_back(&open.contents, &contents),
        Some(Job::Order(order)) => match &**order {
            Order::New { .. } | Order::Rename { .. } => came_back(&open.contents, &contents),
            Order::Merge { keep, .. } => Some(keep.clone()),
            Order::Promote { .. } | Order::Affirm(_) => None,
        },
        _ => None,
    };
    // The line under the cursor stays where it is on the screen.
    let row = open.list.cursor.saturating_sub(open.list.top);
    let keep = keep.or_else(|| open.list.neighbour(&open.contents, |path| contents.find(path).is_some()));
    let old = std::mem::replace(&mut open.contents, contents);
    open.what_if = None;
    let list = &mut open.list;
    list.forget();
    list.leaving.clear();
    for job in &work.queue {
        if let Job::Delete(paths) = job {
            list.leaving.extend(paths.iter().cloned());
        }
    }
    list.marks.retain(|path| open.contents.find(path).is_some());
    if list.range.as_ref().is_some_and(|path| open.contents.find(path).is_none()) {
        list.range = None;
    }
    // What matched keeps showing until the worker has looked at the new contents.
    list.filter.matches = list.filter.matches.as_ref().map(|matches| {
        let paths = matches.iter().filter_map(|at| old.entries.get(*at)).map(|entry| &entry.path);
        let mut places: Vec<usize> = paths.filter_map(|path| open.contents.find(path)).collect();
        places.sort_unstable();
        Arc::new(places)
    });
    list.filter.answered = None;
    let asks = list.filter.query.is_some();
    list.rebuild(&open.contents, keep.as_ref());
    list.top = list.cursor.saturating_sub(row);
    asks.then(|| filter::ask(open)).flatten()
}

fn came_back(old: &Contents, new: &Contents) -> Option<RelPath> {
    new.entries.iter().map(|entry| &entry.path).find(|path| old.find(path).is_none()).cloned()
}

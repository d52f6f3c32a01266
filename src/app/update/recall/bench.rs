//! A description that is edited, with where its memory stands for queries: an editor of that one field, so that saving,
//! leaving, drafts and conflicts are the editor's.

use crate::app::action::Effect;
use crate::app::commands::Command;
use crate::app::field::Field;
use crate::app::model::{Input, Mode, Model, Tone, Wanted};
use crate::app::recall::{Bench, Tried, TryAsked};
use crate::app::update::editing;

/// So many of the queries asked on the Recall screen come in.
const FROM_SCREEN: usize = 8;

/// `D`: the description of the memory under the cursor, tried on queries.
pub(in crate::app::update) fn open(model: &mut Model) -> Vec<Effect> {
    let Some(open) = model.open() else { return Vec::new() };
    let finder = &open.finder;
    let mut queries: Vec<String> = Vec::new();
    let asked = Some(finder.query.trim()).filter(|query| !query.is_empty());
    for query in asked.into_iter().chain(finder.earlier.iter().rev().map(String::as_str)) {
        if queries.len() < FROM_SCREEN && !queries.iter().any(|other| other == query) {
            queries.push(query.to_owned());
        }
    }
    editing::start_bench(model, Bench { queries, ..Bench::default() })
}

/// Asks the worker anew where what is typed, or the store, is other than what it was asked about.
pub(in crate::app::update) fn follow(model: &mut Model) -> Vec<Effect> {
    let Some(editor) = &mut model.editor else { return Vec::new() };
    let description = editor.description();
    let path = editor.path.clone();
    let (Some(bench), Some(description)) = (&mut editor.bench, description) else { return Vec::new() };
    if bench.about.as_ref() == Some(&description) {
        return Vec::new();
    }
    bench.about = Some(description.clone());
    model.recall.asked += 1;
    bench.asked = model.recall.asked;
    let (number, queries) = (bench.asked, bench.queries.clone());
    let Some(open) = model.open() else { return Vec::new() };
    let (contents, options) = (open.contents.clone(), open.finder.options.clone());
    vec![Effect::Try(TryAsked { number, contents, path, description, queries, options })]
}

/// The store was read again.
pub(super) fn store_changed(model: &mut Model) {
    if let Some(bench) = model.editor.as_mut().and_then(|editor| editor.bench.as_mut()) {
        bench.about = None;
    }
}

/// The worker has tried it.
pub(in crate::app::update) fn tried(
    model: &mut Model,
    number: u64,
    tried: Result<Tried, crate::app::model::Problem>,
) {
    let Some(bench) = model.editor.as_mut().and_then(|editor| editor.bench.as_mut()) else { return };
    if bench.asked != number {
        return;
    }
    match tried {
        Ok(tried) => bench.tried = Some(tried),
        Err(problem) => model.say_problem(&problem),
    }
}

pub(in crate::app::update) fn command(model: &mut Model, command: Command) -> Vec<Effect> {
    if command == Command::AddQuery {
        model.mode = Mode::Input(Input { what: Wanted::TryQuery, field: Field::default() });
        return Vec::new();
    }
    let Some(editor) = &mut model.editor else { return Vec::new() };
    let suggestion = editor.bench.as_ref().and_then(|bench| bench.tried.as_ref()?.suggestion.clone());
    let Some(suggestion) = suggestion else { return Vec::new() };
    editor.set_description(&suggestion);
    let save = model.keymap.label(Command::Save);
    model.say(Tone::Note, format!("the proposed description; nothing is written before {save}"));
    editing::keep_draft(model)
}

/// Another query to try it on was typed.
pub(in crate::app::update) fn add_query(model: &mut Model, text: &str) {
    let query = text.trim();
    let Some(bench) = model.editor.as_mut().and_then(|editor| editor.bench.as_mut()) else { return };
    if !query.is_empty() && !bench.queries.iter().any(|other| other == query) {
        bench.queries.insert(0, query.to_owned());
        bench.about = None;
    }
    // It can be asked on the Recall screen too.
    if let Some(open) = model.open_mut()
        && !query.is_empty()
        && !open.finder.earlier.iter().any(|other| other == query)
    {
        open.finder.earlier.push(query.to_owned());
        if !open.finder.has_query() {
            open.finder.rebuild(None);
        }
    }
}

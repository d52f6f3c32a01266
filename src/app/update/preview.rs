//! The Prompt screen: asking for the preview, moving in it, searching, jumping to where a line comes from.

mod jump;

use crate::app::action::{Asked, Effect};
use crate::app::field::Field;
use crate::app::model::{Input, Library, Mode, Model, Problem, Screen, Tone, Wanted};
use crate::app::preview::Part;
use crate::app::preview::page::Page;
use crate::app::preview::report::{Kind, Report};
use crate::app::preview::rows::Row;
use crate::app::preview::search::Search;
use crate::app::update::{hush, inbox, jobs, moves::Step, recall};
use crate::memory::path::RelPath;
use crate::prompt::subject::Subject;
use crate::review::{index_fix::Fix, prune};
use jump::close_file;
pub(super) use jump::{edit_file, file_edited, file_read, jump};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// `2`: shows the screen and works the preview out anew, since files may have changed meanwhile.
pub(super) fn show(model: &mut Model) -> Vec<Effect> {
    model.screen = Screen::Prompt;
    ask(model)
}

/// Asks the worker for the preview.
pub(super) fn ask(model: &mut Model) -> Vec<Effect> {
    let Some(subject) = subject(model) else { return Vec::new() };
    let prompt = &mut model.prompt;
    if prompt.of.as_ref() != Some(&subject) {
        // Another store's text must not be taken for this one's.
        prompt.page = None;
        prompt.of = Some(subject.clone());
        prompt.open.clear();
        prompt.as_if = false;
        prompt.search = None;
        prompt.part = Part::Sources;
        (prompt.row, prompt.line, prompt.top) = (0, 0, 0);
    }
    prompt.asked += 1;
    prompt.read = 0;
    prompt.problem = None;
    let (number, files, as_if) = (prompt.asked, prompt.open.clone(), prompt.as_if);
    let as_if = model.open().filter(|_| as_if).map(inbox::as_if).unwrap_or_default();
    vec![Effect::Preview(Asked { number, subject, open: files, as_if })]
}

/// The store was read again: what a session gets may have changed.
pub(super) fn store_changed(model: &mut Model) -> Vec<Effect> {
    if model.screen == Screen::Prompt { ask(model) } else { Vec::new() }
}

/// What sessions of the open store are; without a store, what the screens were started on.
pub(super) fn subject(model: &Model) -> Option<Subject> {
    let known = model.prompt.known.as_ref();
    match (&model.library, model.dir()) {
        (Library::Closed, _) | (_, None) => known.map(|(_, subject)| subject.clone()),
        (_, Some(dir)) => match known.filter(|(of, _)| of == dir) {
            Some((_, subject)) => Some(subject.clone()),
            None => Some(Subject::Index(dir.into())),
        },
    }
}

/// `i`: the prompt as if all that pass the gate were approved, or as it is.
pub(super) fn as_if_approved(model: &mut Model) -> Vec<Effect> {
    let count = model.open().map_or(0, |open| inbox::as_if(open).len());
    if !model.prompt.as_if && count == 0 {
        model.say(Tone::Note, "no proposal that waits passes the gate");
        return Vec::new();
    }
    model.prompt.as_if = !model.prompt.as_if;
    ask(model)
}

pub(super) fn progress(model: &mut Model, number: u64, files: usize) {
    if model.prompt.asked == number {
        model.prompt.read = files;
    }
}

pub(super) fn answered(model: &mut Model, number: u64, page: Result<Arc<Page>, Problem>) -> Vec<Effect> {
    let prompt = &mut model.prompt;
    if prompt.asked != number {
        return Vec::new();
    }
    prompt.got = number;
    let opens_others;
    match page {
        Ok(page) => {
            let opened = |page: &Arc<Page>| -> Vec<PathBuf> {
                page.preview.opened.files.iter().map(|file| file.path.clone()).collect()
            };
            opens_others = prompt.page.as_ref().is_none_or(|old| opened(old) != opened(&page));
            let first = page.rows.iter().position(|row| matches!(row, Row::Entry(_))).unwrap_or(0);
            if prompt.page.is_none() {
                prompt.row = first;
            }
            prompt.line = prompt.line.min(page.lines.len().saturating_sub(1));
            prompt.row = near(&page.rows, prompt.row);
            prompt.page = Some(page);
            flag_lines(model);
        }
        Err(problem) => {
            model.say_problem(&problem);
            model.prompt.problem = Some(problem);
            return Vec::new();
        }
    }
    super::prove::offer(model);
    if opens_others && !model.prompt.open.is_empty() {
        go_to_opened(model);
    }
    search_again(model)
}

/// Which lines of the index name a memory that something is found on.
pub(super) fn flag_lines(model: &mut Model) {
    let Some(page) = model.prompt.page.clone() else { return };
    let flags = model.open().map(|open| page.flags(&open.contents)).unwrap_or_default();
    model.prompt.flags = flags;
}

/// Puts the cursor where the list tells what opening a file brings in, when that is new.
fn go_to_opened(model: &mut Model) {
    let Some(page) = model.prompt.page.clone() else { return };
    let head =
        page.rows.iter().position(|row| matches!(row, Row::Head(text) if text.starts_with("if the agent")));
    if let Some(head) = head.filter(|_| model.prompt.part == Part::Sources) {
        model.prompt.row = near(&page.rows, head);
        follow_row(model);
    }
}

/// The text is another one: what was found in the old one is void.
fn search_again(model: &mut Model) -> Vec<Effect> {
    let Some(text) = model.prompt.search.as_ref().map(|search| search.text.clone()) else {
        return Vec::new();
    };
    search(model, &text)
}

fn search(model: &mut Model, text: &str) -> Vec<Effect> {
    let number = model.prompt.search.as_ref().map_or(0, |search| search.number) + 1;
    let search = Search::new(text, number);
    let effect = model.prompt.page.clone().map(|page| Effect::Search(number, page, text.to_owned()));
    model.prompt.search = Some(search);
    effect.into_iter().collect()
}

pub(super) fn found(model: &mut Model, number: u64, lines: Arc<Vec<usize>>) {
    let typing = matches!(&model.mode, Mode::Input(input) if input.what == Wanted::Search);
    let Some(search) = model.prompt.search.as_mut().filter(|search| search.number == number) else { return };
    let first = lines.iter().find(|line| **line >= model.prompt.line).or(lines.first()).copied();
    search.found = Some(lines);
    if typing && let Some(first) = first {
        model.prompt.line = first;
    }
}

/// `n` and `N`.
pub(super) fn next_hit(model: &mut Model, by: isize) {
    let Some(search) = &model.prompt.search else { return };
    match (search.next(model.prompt.line, by), &search.found) {
        (Some(line), _) => {
            model.prompt.line = line;
            if model.prompt.part == Part::Sources {
                model.prompt.part = Part::Text;
            }
        }
        (None, None) => model.say(Tone::Note, "still searching"),
        (None, Some(_)) => {
            let text = format!("nowhere in the prompt: {}", search.text);
            model.say(Tone::Note, text);
        }
    }
}

/// Starts typing something.
pub(super) fn input(model: &mut Model, what: Wanted) {
    let text = match &what {
        Wanted::Opened => {
            model.prompt.open.first().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default()
        }
        _ => String::new(),
    };
    model.mode = Mode::Input(Input { what, field: Field::new(&text) });
}

/// Something was typed into the field.
pub(super) fn typed(model: &mut Model) -> Vec<Effect> {
    match &model.mode {
        Mode::Input(input) if input.what == Wanted::Search => {
            let text = input.field.text();
            search(model, &text)
        }
        _ => Vec::new(),
    }
}

/// Enter in the field.
pub(super) fn accept(model: &mut Model) -> Vec<Effect> {
    let Mode::Input(input) = std::mem::replace(&mut model.mode, Mode::Browse) else { return Vec::new() };
    let text = input.field.text();
    match input.what {
        Wanted::Search => {
            if text.trim().is_empty() {
                model.prompt.search = None;
            } else if model.prompt.part == Part::Sources {
                model.prompt.part = Part::Text;
            }
            Vec::new()
        }
        Wanted::Opened => {
            model.prompt.open =
                Some(text.trim()).filter(|text| !text.is_empty()).map(PathBuf::from).into_iter().collect();
            model.prompt.part = Part::Sources;
            ask(model)
        }
        Wanted::Save => save(model, text.trim()),
        Wanted::IndexLine(line) => jobs::plan_fix(model, vec![Fix::SetLine(line, text)]),
        Wanted::Snooze(memory) => hush::snooze(model, &memory, &text),
        Wanted::Tools => recall::set_tools(model, &text),
        Wanted::TryQuery => {
            recall::add_query(model, &text);
            Vec::new()
        }
    }
}

/// Esc in the field.
pub(super) fn cancel(model: &mut Model) {
    if let Mode::Input(input) = std::mem::replace(&mut model.mode, Mode::Browse)
        && input.what == Wanted::Search
    {
        model.prompt.search = None;
    }
}

fn save(model: &mut Model, path: &str) -> Vec<Effect> {
    let (Some(page), false) = (&model.prompt.page, path.is_empty()) else {
        model.say(Tone::Note, "nothing was saved");
        return Vec::new();
    };
    let base = match &page.subject {
        Subject::Client(dir) | Subject::Agent(dir) => dir.clone(),
        Subject::Index(_) => PathBuf::from("."),
    };
    let store = model.dir().map(Path::to_path_buf);
    vec![Effect::Save { path: path.into(), base, store, text: all_of(page) }]
}

/// The text that a session is given: the part of the system prompt, then the first message's.
fn all_of(page: &Page) -> String {
    let parts = page.preview.system.iter().chain([&page.preview.text]);
    parts.map(|part| part.trim_end_matches('\n').to_owned() + "\n").collect::<Vec<_>>().join("\n")
}

pub(super) fn copy(model: &mut Model) -> Vec<Effect> {
    if let Part::File(view) = &model.prompt.part {
        let text = view.lines.as_ref().map(|lines| lines.join("\n")).unwrap_or_default();
        model.say(Tone::Good, "copied the text of the file");
        return vec![Effect::Copy(text)];
    }
    let Some(text) = model.prompt.page.as_ref().map(|page| all_of(page)) else { return Vec::new() };
    model.say(Tone::Good, "copied the text that the next session gets");
    vec![Effect::Copy(text)]
}

pub(super) fn saved(model: &mut Model, result: Result<PathBuf, Problem>) {
    match result {
        Ok(path) => model.say(Tone::Good, format!("saved to {}", path.display())),
        Err(problem) => model.say_problem(&problem),
    }
}

/// Esc on the screen: the file, then the text, the search, what is taken to be opened, then back to the memories.
pub(super) fn leave(model: &mut Model) -> Vec<Effect> {
    match model.prompt.part {
        Part::File(_) => close_file(model),
        Part::Text => model.prompt.part = Part::Sources,
        Part::Sources if model.prompt.proving => return super::prove::call_off(model),
        Part::Sources if model.prompt.search.take().is_some() => {}
        Part::Sources if std::mem::take(&mut model.prompt.as_if) => return ask(model),
        Part::Sources if !model.prompt.open.is_empty() => {
            model.prompt.open.clear();
            return ask(model);
        }
        Part::Sources if model.dir().is_some() => model.screen = Screen::Memories,
        Part::Sources => {}
    }
    Vec::new()
}

pub(super) fn other_part(model: &mut Model) {
    match model.prompt.part {
        Part::Sources => model.prompt.part = Part::Text,
        Part::Text => model.prompt.part = Part::Sources,
        Part::File(_) => close_file(model),
    }
}

/// Moves in what keys go to.
pub(super) fn go(model: &mut Model, step: Step) {
    match model.prompt.part {
        Part::Sources => sources(model, step),
        Part::Text => text(model, step),
        Part::File(_) => {
            let height = model.layout.prompt.as_ref().map_or(1, |it| usize::from(it.area.height)).max(1);
            if let Part::File(view) = &mut model.prompt.part {
                let last = view.lines.as_ref().map_or(0, |lines| lines.len()).saturating_sub(1);
                view.scroll = step.from(view.scroll, height).min(last);
            }
        }
    }
}

pub(super) fn sources(model: &mut Model, step: Step) {
    let height = model.layout.list.as_ref().map_or(1, |(area, _)| usize::from(area.height)).max(1);
    let Some(page) = model.prompt.page.clone() else { return };
    let from = model.prompt.row;
    let to = step.from(from, height).min(page.rows.len().saturating_sub(1));
    let up = to < from;
    let is_entry = |row: &usize| matches!(page.rows.get(*row), Some(Row::Entry(_)));
    let found = if up { (0..=to).rev().find(is_entry) } else { (to..page.rows.len()).find(is_entry) };
    model.prompt.row = found.unwrap_or_else(|| near(&page.rows, if up { from } else { to }));
    follow_row(model);
}

/// The text goes along with the list.
pub(super) fn follow_row(model: &mut Model) {
    if let Some(line) = model.prompt.current().and_then(|entry| entry.line) {
        model.prompt.line = line;
        model.prompt.top = line;
    }
}

pub(super) fn text(model: &mut Model, step: Step) {
    let layout = model.layout.prompt.clone().unwrap_or_default();
    // Lines are wrapped: a page is as many lines as show.
    let shown = layout.rows.last().zip(layout.rows.first()).map_or(1, |(last, first)| last - first + 1);
    let last = model.prompt.page.as_ref().map_or(0, |page| page.lines.len()).saturating_sub(1);
    model.prompt.line = step.from(model.prompt.line, shown).min(last);
}

/// The entry nearest to a row: itself, else below, else above.
fn near(rows: &[Row], row: usize) -> usize {
    let is_entry = |row: &usize| matches!(rows.get(*row), Some(Row::Entry(_)));
    let row = row.min(rows.len().saturating_sub(1));
    (row..rows.len()).find(is_entry).or_else(|| (0..row).rev().find(is_entry)).unwrap_or(0)
}

/// `=`: what the next session would have or lack if what is marked were deleted.
pub(super) fn compare(model: &mut Model) -> Vec<Effect> {
    let (Some(subject), Some(open)) = (subject(model), model.open()) else { return Vec::new() };
    let targets: Vec<RelPath> = jobs::targets(open).into_iter().collect();
    match prune::delete(&open.contents.snapshot, &open.contents.parked, &targets) {
        Ok(plan) => {
            let asked = Asked { number: 0, subject, open: Vec::new(), as_if: Vec::new() };
            model.say(Tone::Note, "comparing what the next session gets …");
            vec![Effect::Compare(asked, Box::new(plan))]
        }
        Err(refusal) => {
            model.say_problem(&refusal.into());
            Vec::new()
        }
    }
}

pub(super) fn compared(model: &mut Model, result: Result<Vec<(Kind, String)>, Problem>) {
    model.message = None;
    match result {
        Err(problem) => model.say_problem(&problem),
        // What was done meanwhile takes the screen.
        Ok(_) if model.mode != Mode::Browse || model.editor.is_some() || model.sheet.is_some() => {
            model.say(Tone::Note, "the comparison is done; ask again to see it")
        }
        Ok(lines) => {
            let title = "Before and after, in the next session".into();
            model.mode = Mode::Report(Report { title, lines, scroll: 0 });
        }
    }
}

//! Jumping from the Prompt screen to where a line comes from: a memory, or a file that is shown over it.

use super::ask;
use crate::app::action::Effect;
use crate::app::model::{Focus, Model, Problem, Screen, Tone};
use crate::app::preview::page::{Of, Page};
use crate::app::preview::rows::Target;
use crate::app::preview::{FileView, Part};
use crate::app::update::links;
use crate::memory::index::Index;
use crate::memory::path::RelPath;
use std::path::Path;
use std::sync::Arc;

/// Enter: to where the row or the line comes from.
pub(in crate::app::update) fn jump(model: &mut Model) -> Vec<Effect> {
    let prompt = &model.prompt;
    let Some(page) = prompt.page.clone() else { return Vec::new() };
    match &prompt.part {
        Part::File(_) => Vec::new(),
        Part::Sources => match prompt.current().map(|entry| entry.target.clone()) {
            Some(Target::File(path)) => to_file(model, &path, String::new()),
            Some(Target::Memory(name)) => to_named(model, &name),
            Some(Target::Nothing) | None => {
                // A row about a part of the text leads there.
                match model.prompt.current().and_then(|entry| entry.line) {
                    Some(line) => {
                        model.prompt.line = line;
                        model.prompt.part = Part::Text;
                    }
                    None => model.say(Tone::Note, "there is no file behind this row"),
                }
                Vec::new()
            }
        },
        Part::Text => {
            let line = prompt.line;
            let text = page.whole(line).to_owned();
            if page.is_of_index(line)
                && let Some(path) = named_in(model, &page, line, &text)
            {
                return to_memory(model, &path);
            }
            match page.file(line) {
                Some(path) => {
                    let path = path.to_path_buf();
                    to_file(model, &path, text)
                }
                None => {
                    let what = match page.lines.get(line).map(|line| line.of) {
                        Some(Of::System | Of::Frame | Of::Notice(_)) => {
                            "these are the client's words, from no file"
                        }
                        _ => "this line is no part of the text",
                    };
                    model.say(Tone::Note, what);
                    Vec::new()
                }
            }
        }
    }
}

/// The memory of the open store that a line of its index names.
fn named_in(model: &Model, page: &Page, line: usize, text: &str) -> Option<RelPath> {
    let open = model.open()?;
    in_store(model, page.file(line)?)?;
    let named = Index::parse(text.as_bytes()).resolve(&open.contents.snapshot).memory_of;
    let memory = named.into_iter().flatten().next()?;
    open.contents.snapshot.memories.get(memory).map(|memory| memory.path.clone())
}

/// The path of a file in the open store.
fn in_store(model: &Model, path: &Path) -> Option<RelPath> {
    let open = model.open()?;
    let roots = [open.contents.snapshot.root.as_path(), open.dir.as_path()];
    roots.iter().find_map(|root| RelPath::new(path.strip_prefix(root).ok()?))
}

fn to_named(model: &mut Model, name: &str) -> Vec<Effect> {
    let found = model.open().and_then(|open| {
        let line = format!("- [x]({})\n- [[{name}]]\n", name.replace(' ', "%20"));
        let memories = Index::parse(line.as_bytes()).resolve(&open.contents.snapshot).memory_of;
        let direct = RelPath::new(name).filter(|path| open.contents.find(path).is_some());
        direct.or_else(|| {
            let at = memories.into_iter().flatten().next()?;
            open.contents.snapshot.memories.get(at).map(|memory| memory.path.clone())
        })
    });
    match found {
        Some(path) => to_memory(model, &path),
        None => {
            model.say(Tone::Note, format!("there is no memory {name} in the open store"));
            Vec::new()
        }
    }
}

fn to_memory(model: &mut Model, path: &RelPath) -> Vec<Effect> {
    model.screen = Screen::Memories;
    let effects = links::go_to(model, path);
    if let Some(open) = model.open_mut() {
        open.pane.focus = Focus::List;
    }
    effects
}

fn to_file(model: &mut Model, path: &Path, seek: String) -> Vec<Effect> {
    if let Some(inside) = in_store(model, path)
        && model.open().is_some_and(|open| open.contents.find(&inside).is_some())
    {
        return to_memory(model, &inside);
    }
    let from_text = model.prompt.part == Part::Text;
    model.prompt.part = Part::File(FileView { path: path.into(), lines: None, scroll: 0, seek, from_text });
    vec![Effect::ReadFile(path.into())]
}

pub(in crate::app::update) fn file_read(
    model: &mut Model,
    path: &Path,
    read: Result<Arc<Vec<String>>, Problem>,
) {
    let Part::File(view) = &mut model.prompt.part else { return };
    if view.path != path {
        return;
    }
    match read {
        Ok(lines) => {
            let seek = crate::memory::text::visible(&view.seek, false).into_owned();
            let at = lines.iter().position(|line| !seek.trim().is_empty() && line.trim() == seek.trim());
            view.scroll = at.unwrap_or(0).saturating_sub(2);
            view.lines = Some(lines);
        }
        Err(problem) => {
            close_file(model);
            model.say_problem(&problem);
        }
    }
}

/// Gives the file that is looked at to the person's own editor: it is theirs, not a memory.
pub(in crate::app::update) fn edit_file(model: &Model) -> Vec<Effect> {
    match &model.prompt.part {
        Part::File(view) => vec![Effect::EditFile(view.path.clone(), view.scroll + 1)],
        Part::Sources | Part::Text => Vec::new(),
    }
}

/// The editor came back: the file is read and the prompt worked out again, whatever it did.
pub(in crate::app::update) fn file_edited(
    model: &mut Model,
    path: &Path,
    end: Result<(), Problem>,
) -> Vec<Effect> {
    if let Err(problem) = &end {
        model.say_problem(problem);
    }
    let mut effects = ask(model);
    effects.push(Effect::ReadFile(path.into()));
    effects
}

pub(super) fn close_file(model: &mut Model) {
    if let Part::File(view) = &model.prompt.part {
        model.prompt.part = if view.from_text { Part::Text } else { Part::Sources };
    }
}

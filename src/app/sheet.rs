//! The small forms: a new name for a memory, a new memory, several made one, a memory made an instruction.

mod outcome;

use crate::app::contents::Contents;
use crate::app::editor::{Field, Form, Input, Lines, TextBox, What};
use crate::app::model::Question;
use crate::app::order::Order;
use crate::memory::Time;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Memory;
use crate::memory::text::visible;
use crate::review::merge::composed;
use crate::review::new::Habit;
use crate::review::promote::{Roots, proposal};
use crate::review::rename::file_for;
use std::sync::Arc;

/// A small form.
#[derive(Debug, Clone)]
pub struct Sheet {
    /// What it is for.
    pub task: Task,
    /// Its fields.
    pub form: Form,
    /// What is going on.
    pub stage: Stage,
    /// What will come of it, a line each, safe to show.
    pub notes: Vec<String>,
    /// The memories that go, as they were when their texts were taken.
    base: Vec<(RelPath, Arc<[u8]>)>,
    /// Someone else changed one of them since, and what was typed does not hold that.
    pub is_stale: bool,
}

/// What a sheet is for.
#[derive(Debug, Clone)]
pub enum Task {
    /// Another name for a memory.
    Rename {
        /// The memory as it was.
        memory: Arc<Memory>,
        /// The file name that was suggested last.
        suggested: String,
    },
    /// A new memory, in the way of the store.
    New(Habit),
    /// Several memories made one.
    Merge {
        /// All of them, with their names; safe to show.
        memories: Vec<(RelPath, String)>,
        /// The body that was put together last.
        composed: String,
    },
    /// A memory made an instruction.
    Promote {
        /// The memory.
        path: RelPath,
        /// Its name, safe to show.
        name: String,
        /// Where instructions are.
        roots: Roots,
    },
}

/// What is going on in a sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Text is typed.
    Typing,
    /// The person wants to leave; what was typed is asked about.
    Leaving,
    /// It is being carried out.
    Working,
}

/// What comes of finishing a sheet.
#[derive(Debug)]
pub enum Finished {
    /// It is done at once.
    Do(Order),
    /// It is asked about first.
    Ask(Box<Question>),
}

/// Nobody reads more texts together.
const MOST_MERGED: usize = 30;
/// A text area of more bytes is no longer quick.
const MOST_TEXT: usize = 1_000_000;

const STALE: &str =
    "someone else changed what goes after its text was taken: what they wrote is not in yours";

const PLACES: [(&str, &str); 4] = [
    ("project", "the project's CLAUDE.md"),
    ("rule:", "a rule of the project"),
    ("user", "your own CLAUDE.md"),
    ("user-rule:", "a rule of your own"),
];

impl Sheet {
    /// Another name for a memory.
    #[must_use]
    pub fn rename(contents: &Contents, memory: &Arc<Memory>) -> Self {
        let stem = memory.path.stem().into_owned();
        let mut fields = Vec::new();
        if let Some(name) = &memory.document.header.name {
            fields.push(text("Name", name, Lines::One));
        }
        fields.push(text("File", &stem, Lines::One));
        let task = Task::Rename { memory: memory.clone(), suggested: stem };
        Self::with(task, fields, contents, Time::UNIX_EPOCH)
    }

    /// A new memory.
    #[must_use]
    pub fn new(contents: &Contents, now: Time) -> Self {
        let types = ["feedback", "project", "reference", "user"].map(str::to_owned).to_vec();
        let fields = vec![
            text("Fact", "", Lines::Many),
            choice("Type", types),
            text("Why", "", Lines::Many),
            text("How to apply", "", Lines::Many),
            text("Name", "", Lines::One),
            text("Description", "", Lines::One),
        ];
        Self::with(Task::New(Habit::of(&contents.snapshot)), fields, contents, now)
    }

    /// Several memories made one.
    ///
    /// # Errors
    /// Why they can't be.
    pub fn merge(contents: &Contents, memories: Vec<(RelPath, String)>) -> Result<Self, String> {
        if memories.len() > MOST_MERGED {
            let marked = memories.len();
            return Err(format!("{marked} are marked; at most {MOST_MERGED} can be merged at a time"));
        }
        let names = memories.iter().map(|(_, name)| name.clone()).collect();
        let fields = vec![choice("Stays", names), text("Text", "", Lines::Many)];
        let task = Task::Merge { memories, composed: String::new() };
        let mut sheet = Self::with(task, fields, contents, Time::UNIX_EPOCH);
        sheet.compose(contents)?;
        sheet.form.focus = 1;
        Ok(sheet)
    }

    /// A memory made an instruction.
    #[must_use]
    pub fn promote(contents: &Contents, memory: &Memory, roots: Roots) -> Self {
        let places = PLACES.iter().filter(|(word, _)| roots.project.is_some() || word.starts_with("user"));
        let fields = vec![
            choice("To", places.map(|(_, words)| (*words).to_owned()).collect()),
            text("Text", &proposal(memory), Lines::Many),
        ];
        let name = visible(&memory.title(), false).into_owned();
        let task = Task::Promote { path: memory.path.clone(), name, roots };
        Self::with(task, fields, contents, Time::UNIX_EPOCH)
    }

    /// Chooses the person's own `CLAUDE.md`, which every project loads, as where a memory is promoted to.
    pub fn choose_user(&mut self) {
        let to = self.form.fields.iter_mut().find(|field| field.what == What::Said("To"));
        let user = PLACES.iter().find(|(word, _)| *word == "user").map(|(_, words)| *words);
        if let Some(Input::Choice { options, chosen, .. }) = to.map(|field| &mut field.input)
            && let Some(at) = options.iter().position(|option| Some(option.as_str()) == user)
        {
            *chosen = at;
        }
    }

    fn with(task: Task, fields: Vec<Field>, contents: &Contents, now: Time) -> Self {
        let form = Form { fields, focus: 0, others: 0 };
        let (base, is_stale) = (Vec::new(), false);
        let mut sheet = Self { task, form, stage: Stage::Typing, notes: Vec::new(), base, is_stale };
        sheet.base = sheet.concerned(contents);
        sheet.look(contents, now);
        sheet
    }

    /// What it is for, in words, and about which memory.
    #[must_use]
    pub fn title(&self) -> (&'static str, String) {
        match &self.task {
            Task::Rename { memory, .. } => ("rename", visible(&memory.title(), false).into_owned()),
            Task::New(_) => ("new memory", String::new()),
            Task::Merge { memories, .. } => ("merge", format!("{} memories", memories.len())),
            Task::Promote { name, .. } => ("promote", name.clone()),
        }
    }

    /// Whether something would be lost by leaving.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        match &self.task {
            // What was put together or chosen is made again as quickly.
            Task::Merge { composed, .. } => self.text_of("Text") != *composed,
            // As quickly typed again as a question is answered.
            Task::Rename { .. } => false,
            // A choice alone is no text.
            _ => self.form.fields.iter().any(|field| match &field.input {
                Input::Text(area) => area.is_changed(),
                Input::Choice { .. } => false,
            }),
        }
    }

    /// The text of a field; empty when there is none of this name.
    #[must_use]
    pub fn text_of(&self, label: &'static str) -> String {
        self.field(label).map(Field::text).unwrap_or_default()
    }

    /// The memory that stays in a merge.
    #[must_use]
    pub fn kept(&self) -> Option<&RelPath> {
        let Task::Merge { memories, .. } = &self.task else { return None };
        memories.get(self.chosen("Stays")).map(|(path, _)| path)
    }

    /// After a key: what follows from what was typed.
    ///
    /// # Errors
    /// When memories that are merged are no longer there.
    pub fn follow(&mut self, contents: &Contents, now: Time) -> Result<(), String> {
        if let Task::Rename { memory, suggested } = &self.task
            && let Some(name) = self.field("Name").map(Field::text)
            && self.text_of("File") == *suggested
        {
            let (memory, file) = (memory.clone(), file_for(memory, &name));
            self.set("File", &file);
            self.task = Task::Rename { memory, suggested: file };
        }
        if !self.is_changed() && matches!(self.task, Task::Merge { .. }) {
            self.compose(contents)?;
        }
        if let Task::Promote { path, .. } = &self.task {
            // A rule has a name of its own.
            let stem = path.stem().into_owned();
            let is_rule = self.text_of("To").contains("a rule");
            match (is_rule, self.field("Rule").is_some()) {
                (true, false) => self.form.fields.insert(1, text("Rule", &stem, Lines::One)),
                (false, true) => self.form.fields.retain(|field| field.what != What::Said("Rule")),
                _ => {}
            }
        }
        self.look(contents, now);
        Ok(())
    }

    /// After the store was read again: sees whether someone else changed what goes.
    ///
    /// # Errors
    /// As [`Sheet::follow`].
    pub fn look_again(&mut self, contents: &Contents, now: Time) -> Result<(), String> {
        let concerned = self.concerned(contents);
        if concerned != self.base {
            if self.is_changed() || matches!(self.task, Task::Promote { .. }) {
                self.is_stale = true;
            } else {
                self.base = concerned;
            }
        }
        self.follow(contents, now)
    }

    /// The memories whose text goes, as they are.
    fn concerned(&self, contents: &Contents) -> Vec<(RelPath, Arc<[u8]>)> {
        let paths: Vec<&RelPath> = match &self.task {
            Task::Merge { memories, .. } => memories.iter().map(|(path, _)| path).collect(),
            Task::Promote { path, .. } => vec![path],
            Task::Rename { .. } | Task::New(_) => Vec::new(),
        };
        let bytes = |path: &RelPath| {
            let at = contents.find(path)?;
            contents.snapshot.memories.get(at).map(|memory| (path.clone(), memory.bytes.clone()))
        };
        paths.into_iter().filter_map(bytes).collect()
    }

    /// Puts the bodies together anew, the one that stays first.
    fn compose(&mut self, contents: &Contents) -> Result<(), String> {
        let Some(keep) = self.kept().cloned() else { return Ok(()) };
        let others = self.others(&keep);
        let text = composed(&contents.snapshot, &keep, &others).map_err(|why| why.what)?;
        if text.len() > MOST_TEXT {
            return Err("their text is too long together to be edited here; merge fewer".into());
        }
        let Task::Merge { composed, .. } = &mut self.task else { return Ok(()) };
        if *composed != text {
            composed.clone_from(&text);
            self.set("Text", &text);
        }
        Ok(())
    }

    fn others(&self, keep: &RelPath) -> Vec<RelPath> {
        let Task::Merge { memories, .. } = &self.task else { return Vec::new() };
        memories.iter().map(|(path, _)| path).filter(|path| *path != keep).cloned().collect()
    }

    /// What keys go to at the moment, when it is text.
    pub fn area_mut(&mut self) -> Option<&mut TextBox> {
        match self.form.focused_mut().map(|field| &mut field.input) {
            Some(Input::Text(area)) => Some(area),
            _ => None,
        }
    }

    fn field(&self, label: &'static str) -> Option<&Field> {
        self.form.fields.iter().find(|field| field.what == What::Said(label))
    }

    fn chosen(&self, label: &'static str) -> usize {
        match self.field(label).map(|field| &field.input) {
            Some(Input::Choice { chosen, .. }) => *chosen,
            _ => 0,
        }
    }

    fn set(&mut self, label: &'static str, text: &str) {
        let what = What::Said(label);
        let field = self.form.fields.iter_mut().find(|field| field.what == what);
        if let Some(Input::Text(area)) = field.map(|field| &mut field.input) {
            **area = TextBox::new(text, area.kind());
        }
    }
}

fn text(label: &'static str, text: &str, lines: Lines) -> Field {
    let input = Input::Text(Box::new(TextBox::new(text, lines)));
    Field { what: What::Said(label), input, is_lossy: false }
}

fn choice(label: &'static str, options: Vec<String>) -> Field {
    let input = Input::Choice { options, chosen: 0, first: 0 };
    Field { what: What::Said(label), input, is_lossy: false }
}

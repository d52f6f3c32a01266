//! What will come of a sheet, and what it asks for in the end.

use super::{Finished, PLACES, STALE, Sheet, Task};
use crate::app::contents::Contents;
use crate::app::editor::Field;
use crate::app::model::{Job, Question};
use crate::app::order::Order;
use crate::memory::Time;
use crate::memory::document::MemoryType;
use crate::memory::path::RelPath;
use crate::memory::text::visible;
use crate::review::new::{NewMemory, named};
use crate::review::promote::{Destination, Target};
use crate::review::rename::NewName;

impl Sheet {
    /// Works out what will come of it.
    pub(super) fn look(&mut self, contents: &Contents, now: Time) {
        let mut notes = match &self.task {
            Task::Rename { memory, .. } => {
                let linking = contents.find(&memory.path).and_then(|at| contents.entries.get(at));
                let links = match linking.map_or(0, |entry| entry.links_in.len()) {
                    0 => "no other memory links to it".to_owned(),
                    1 => "1 other memory links to it and follows".to_owned(),
                    many => format!("{many} other memories link to it and follow"),
                };
                let file = self.text_of("File");
                let file = file.strip_suffix(".md").unwrap_or(&file);
                let to = memory.path.as_path().with_file_name(format!("{file}.md"));
                let file = format!("its file: {}", visible(&to.to_string_lossy(), false));
                vec![file, links, "Enter renames it".into()]
            }
            Task::New(habit) => {
                let memory = self.new_memory();
                if memory.fact.trim().is_empty() {
                    vec!["name, description and file follow from the fact; each can be said".into()]
                } else {
                    let it = named(&contents.snapshot, &memory, now, habit);
                    let file = match &it.path {
                        Ok(path) => visible(&path.to_str_lossy(), false).into_owned(),
                        Err(why) => why.what.clone(),
                    };
                    vec![
                        format!("name: {}", visible(&it.name, false)),
                        format!("description: {}", visible(&it.description, false)),
                        format!("file: {file}"),
                    ]
                }
            }
            Task::Merge { memories, .. } => {
                let going = memories.iter().filter(|(path, _)| Some(path) != self.kept());
                let names: Vec<_> = going.map(|(_, name)| name.as_str()).collect();
                vec![format!("goes, its links and lines in the index follow: {}", names.join(", "))]
            }
            Task::Promote { roots, .. } => match self.target() {
                Ok(target) => {
                    let file = visible(&target.path.to_string_lossy(), false).into_owned();
                    let of_user = target.base == roots.user;
                    let who = if of_user {
                        "sessions in every project load it"
                    } else {
                        "sessions in this project load it"
                    };
                    vec![format!("added to {file}; {who}")]
                }
                Err(why) => vec![why],
            },
        };
        notes.extend(self.is_stale.then(|| STALE.to_owned()));
        self.notes = notes;
    }

    fn new_memory(&self) -> NewMemory {
        let said = |label: &'static str| Some(self.text_of(label)).filter(|text| !text.trim().is_empty());
        NewMemory {
            fact: self.text_of("Fact"),
            kind: MemoryType::from_value(&self.text_of("Type")),
            name: said("Name"),
            description: said("Description"),
            why: said("Why"),
            how: said("How to apply"),
            file: None,
        }
    }

    fn target(&self) -> Result<Target, String> {
        let Task::Promote { roots, .. } = &self.task else { return Err(String::new()) };
        let to = self.text_of("To");
        let word = PLACES.iter().find(|(_, words)| *words == to).map_or("", |(word, _)| *word);
        let word = if word.ends_with(':') { format!("{word}{}", self.text_of("Rule")) } else { word.into() };
        Destination::parse(&word).and_then(|to| to.target(roots)).map_err(|why| why.what)
    }

    /// What is to be done.
    ///
    /// # Errors
    /// What is missing, in words.
    pub fn finish(&self) -> Result<Finished, String> {
        Ok(match &self.task {
            Task::Rename { memory, .. } => {
                let name = self.field("Name").map(Field::text);
                let name = name.filter(|name| Some(name.as_str()) != memory.document.header.name.as_deref());
                let file = Some(self.text_of("File")).filter(|file| *file != memory.path.stem());
                if name.is_none() && file.is_none() {
                    return Err("it is called so already; nothing was changed".into());
                }
                if name.as_deref().is_some_and(|name| name.trim().is_empty()) {
                    return Err("the name is empty; nothing was changed".into());
                }
                Finished::Do(Order::Rename { path: memory.path.clone(), to: NewName { file, name } })
            }
            Task::New(habit) => {
                let memory = self.new_memory();
                if memory.fact.trim().is_empty() {
                    return Err("write the fact first; nothing was written".into());
                }
                Finished::Do(Order::New { memory, habit: habit.clone() })
            }
            Task::Merge { memories, .. } => {
                let keep = self.kept().cloned().ok_or("choose the one that stays")?;
                let others = self.others(&keep);
                let line = |(path, name): &(RelPath, String)| match *path == keep {
                    true => format!("{name}  stays, with the text that stands here"),
                    false => format!("{name}  goes"),
                };
                let ask = format!("Merge these {} memories?", memories.len());
                let lines = memories.iter().map(line).chain(self.is_stale.then(|| STALE.into())).collect();
                let order = Order::Merge { keep, others, body: self.text_of("Text") };
                Finished::Ask(question(ask, lines, order))
            }
            Task::Promote { path, name, .. } => {
                let target = self.target()?;
                let text = self.text_of("Text");
                if text.trim().is_empty() {
                    return Err("write what the instructions shall say; nothing was changed".into());
                }
                let to = visible(&target.path.to_string_lossy(), false).into_owned();
                let mut lines = vec![format!("the text is added to {to}"), format!("{name}  goes")];
                lines.extend(self.is_stale.then(|| STALE.to_owned()));
                let order = Order::Promote { path: path.clone(), target, text };
                Finished::Ask(question("Promote this memory?".into(), lines, order))
            }
        })
    }
}

fn question(ask: String, lines: Vec<String>, order: Order) -> Box<Question> {
    Box::new(Question { ask, lines, scroll: 0, job: Job::Order(Box::new(order)) })
}

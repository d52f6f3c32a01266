//! `memcurator new`: writes a memory, and its line in the index.

use crate::cli::args::change::New;
use crate::cli::change::{Scene, text};
use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::memory::document::MemoryType;
use crate::review::new::{Habit, NewMemory, new};
use std::path::Path;

/// Writes a memory.
///
/// # Errors
/// When the fact says nothing, the type is none of the four, the file name is taken, or the index could not be
/// edited safely.
pub fn run(cx: &mut Context<'_>, asked: &New) -> Result<Status, Failure> {
    let kind = MemoryType::from_value(&asked.kind);
    if matches!(kind, MemoryType::Other(_) | MemoryType::Missing) {
        return Err(Failure::refused(
            format!("`{}` is no type of memory; nothing was written", asked.kind),
            "there are user, feedback, project and reference",
        ));
    }
    let scene = Scene::new(cx)?;
    let fact = match asked.fact.as_str() {
        "-" => text(Path::new("-"))?,
        fact => fact.to_owned(),
    };
    let memory = NewMemory {
        fact,
        kind,
        name: asked.name.clone(),
        description: asked.description.clone(),
        why: asked.why.clone(),
        how: asked.how.clone(),
        file: asked.file.clone(),
    };
    let plan = new(&scene.snapshot, &memory, cx.now(), &Habit::of(&scene.snapshot))?;
    let made = plan.changes.iter().filter(|change| change.before.is_none() && !change.path.is_index());
    let paths: Vec<_> = made.map(|change| change.path.clone()).collect();
    scene.carry_out(cx, &plan, &paths)
}

//! `memcurator rename`: a memory's file and name, with the index and the links that follow.

use crate::cli::args::change::Rename;
use crate::cli::change::Scene;
use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::review::rename::{NewName, following, rename};

/// Renames a memory.
///
/// # Errors
/// When the new file name can't be used or is taken, or the name or the index could not be changed safely.
pub fn run(cx: &mut Context<'_>, asked: &Rename) -> Result<Status, Failure> {
    let scene = Scene::new(cx)?;
    let path = scene.memory(cx, &asked.file)?;
    let name = asked.name.clone().or_else(|| following(&scene.snapshot, &path, &asked.new));
    let to = NewName { file: Some(asked.new.clone()), name };
    let plan = rename(&scene.snapshot, &scene.parked, &path, &to)?;
    let new = plan.changes.iter().find(|change| change.before.is_none()).map(|change| change.path.clone());
    scene.carry_out(cx, &plan, &[new.unwrap_or(path)])
}

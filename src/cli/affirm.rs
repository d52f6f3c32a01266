//! `memcurator affirm`: "still true".

use crate::cli::args::Files;
use crate::cli::change::Scene;
use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::review::affirm::affirm;

/// Renews the age of memories.
///
/// # Errors
/// When a file is not a memory of the store, or its date can't be renewed safely.
pub fn run(cx: &mut Context<'_>, words: &Files) -> Result<Status, Failure> {
    let scene = Scene::new(cx)?;
    let paths = scene.memories(cx, &words.files)?;
    let plan = affirm(&scene.snapshot, &paths, cx.now())?;
    scene.carry_out(cx, &plan, &paths)
}

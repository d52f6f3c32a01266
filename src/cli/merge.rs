//! `memcurator merge`: several memories become one.

use crate::cli::args::change::Merge;
use crate::cli::change::{Scene, text};
use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::review::merge::{composed, merge, with_body};

/// Merges memories into the first one.
///
/// # Errors
/// When one of them is not in the store, or the index could not be edited safely.
pub fn run(cx: &mut Context<'_>, asked: &Merge) -> Result<Status, Failure> {
    let scene = Scene::new(cx)?;
    let keep = scene.memory(cx, &asked.keep)?;
    let others = scene.memories(cx, &asked.others)?;
    let body = match &asked.body {
        Some(from) => text(from)?,
        None => composed(&scene.snapshot, &keep, &others)?,
    };
    let bytes = with_body(&scene.snapshot, &keep, &body)?;
    let plan = merge(&scene.snapshot, &scene.parked, &keep, &others, &bytes, cx.now())?;
    scene.carry_out(cx, &plan, &[keep])
}

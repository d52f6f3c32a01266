//! `memcurator promote`: a memory becomes part of the instructions.

use crate::cli::args::change::Promote;
use crate::cli::change::{Scene, text};
use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::prompt::locate::config_dir;
use crate::review::promote::{Destination, Roots, promote, proposal, with_text};
use crate::store;

/// Moves a memory into a `CLAUDE.md` or a rule.
///
/// # Errors
/// When the place is unknown, a link or not to be read, or the index could not be edited safely.
pub fn run(cx: &mut Context<'_>, asked: &Promote) -> Result<Status, Failure> {
    let to = Destination::parse(&asked.to)?;
    let roots = Roots { user: config_dir(&cx.env), project: cx.located()?.project };
    let scene = Scene::new(cx)?;
    let path = scene.memory(cx, &asked.file)?;
    let target = to.target(&roots)?;
    let words = match &asked.text {
        Some(from) => text(from)?,
        None => {
            let memory = scene.snapshot.memories.iter().find(|memory| memory.path == path);
            memory.map(|memory| proposal(memory)).unwrap_or_default()
        }
    };
    let (real, before) = store::outside(&target.base, &target.path)?;
    let change = with_text(&real, before, &words, target.mode);
    let plan = promote(&scene.snapshot, &scene.parked, &path, change)?;
    scene.carry_out(cx, &plan, &[path])
}

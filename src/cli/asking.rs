//! Asking a model command: with progress on a terminal, to be stopped by Ctrl-C.

use crate::cli::context::Context;
use crate::cli::usage::stopper;
use crate::client::extract::consent;
use crate::client::model::{self, Trouble};
use crate::config::Model;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Sends a prompt and gives the answer; `place` names the directory in which the command runs.
///
/// # Errors
/// See [`Trouble`].
pub fn send(cx: &Context<'_>, model: &Model, place: &str, prompt: &str) -> Result<String, Trouble> {
    // A place of its own: a client that is the command would otherwise load this project's memories, and write its
    // transcript among those of the project.
    let dir = cx.places.state.join(place);
    consent::private_dir(&dir).map_err(|error| Trouble::Start {
        program: model.command.clone(),
        why: format!("{} can't be made: {error}", dir.display()),
    })?;
    let stop = stopper();
    let is_terminal = io::stderr().is_terminal();
    let mut told = None;
    let limit = Duration::from_secs(model.timeout);
    let answer = model::run(&model.command, prompt, &dir, limit, &mut |took| {
        if is_terminal && told != Some(took.as_secs()) {
            told = Some(took.as_secs());
            let _ = write!(io::stderr(), "\rasking the model: {} s (Ctrl-C stops it) ", took.as_secs());
        }
        !stop.load(Ordering::SeqCst)
    });
    if told.is_some() {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
    answer
}

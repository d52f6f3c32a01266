//! A conversation goes to the model command only after a person's yes.

use crate::cli::args::transcripts::Extract;
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::client::extract::consent;
use crate::memory::text::visible;
use std::io::{self, BufRead, IsTerminal, Write};

/// Makes sure that the person allowed this command: asks once, on a terminal, and remembers the yes.
///
/// # Errors
/// When it was not allowed.
pub fn allowed(cx: &Context<'_>, asked: &Extract, command: &str, size: &str) -> Result<(), Failure> {
    if consent::is_allowed(&cx.places.state, command) {
        return Ok(());
    }
    let remember = || {
        consent::allow(&cx.places.state, command).map_err(|error| {
            let what =
                format!("the yes can't be kept in {}: {error}; nothing was sent", cx.places.state.display());
            Failure::broken(what, "make the directory writable")
        })
    };
    if asked.yes {
        return remember();
    }
    let refused = |hint: &str| {
        let what =
            format!("the model command was not allowed yet: {}; nothing was sent", visible(command, false));
        Err(Failure::refused(what, hint))
    };
    let mut err = io::stderr().lock();
    if !io::stdin().is_terminal() || !err.is_terminal() {
        return refused("run it once on a terminal, or with --yes; --dry-run shows what would be sent");
    }
    let question = format!(
        "The conversation goes to this command, which is asked about once:\n  {}\n{size}\nSend it, now and from now on? [y/N] ",
        visible(command, false),
    );
    write!(err, "{question}").and_then(|()| err.flush()).map_err(Failure::from)?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).map_err(Failure::from)?;
    if matches!(answer.trim(), "y" | "Y" | "yes") {
        return remember();
    }
    refused("--dry-run shows what would be sent")
}

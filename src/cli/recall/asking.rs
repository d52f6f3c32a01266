//! Asking the configured command which memories to pick. Its answer is validated, and where there is none the offline
//! pick does not silently take its place.

use crate::check::secrets;
use crate::cli::asking::send;
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::client::model::{self, MARK, Trouble};
use crate::config::Model;
use crate::memory::text::{one_line, visible};
use crate::prompt::recall::answer::{Answer, read};
use crate::prompt::recall::{Candidate, Options, prompt};

/// Asks the command.
///
/// # Errors
/// When it gives no answer, or twice none that can be read.
pub fn ask(
    cx: &Context<'_>,
    model: &Model,
    query: &str,
    candidates: &[Candidate],
    options: &Options,
) -> Result<Answer, Failure> {
    // Set off by a model command itself (its agent may recall too): there is no end otherwise.
    if cx.env.var(MARK).is_some() {
        let what = "this is run by a model command, which would ask a model again; nothing was picked";
        return Err(Failure::refused(what, "--offline picks without one"));
    }
    let mask = |text: &str| secrets::mask(text).into_owned();
    let text = prompt::prompt(query, candidates, options, &mask);
    let mut send = |prompt: &str| send(cx, model, "recall", prompt);
    let read = |answer: &str| read(answer, candidates, options);
    model::ask(&text, &mut send, &read).map_err(|trouble| failure(&trouble))
}

fn failure(trouble: &Trouble) -> Failure {
    let mut hint = match trouble {
        Trouble::Malformed { answer, .. } => {
            let head: String = answer.chars().take(200).collect();
            match head.trim() {
                "" => "it answered nothing".into(),
                head => format!("it answered: {}", one_line(&secrets::mask(head))),
            }
        }
        Trouble::TooSlow(_) => "give it longer with [recall] timeout = SECONDS".into(),
        Trouble::Stopped => "run it again to ask anew".into(),
        _ => "run the command by hand with a prompt on its standard input; --prompt prints one".into(),
    };
    hint.push_str("\n--offline picks without it");
    Failure::refused(format!("{}; nothing was picked", visible(&trouble.to_string(), false)), hint)
}

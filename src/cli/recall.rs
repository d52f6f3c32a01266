//! `memcurator recall`: which memories would be picked for a query, and why. It writes nothing into the store.

mod asking;
mod format;

use crate::check::secrets;
use crate::cli::args::recall::Recall as Asked;
use crate::cli::change::text;
use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::cli::files;
use crate::cli::learn;
use crate::config::Config;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::prompt::recall::answer::Refused;
use crate::prompt::recall::injection::{Injection, injection};
use crate::prompt::recall::{Options, Ranker, Recall, candidates, prompt};
use crate::prompt::subject::NEWEST;
use crate::prompt::versions::Rules;
use crate::prompt::wording::Voice;
use std::path::Path;

/// A pick and what belongs to it.
struct Pick {
    recall: Recall,
    /// What the options leave out and how many are picked at most.
    options: Options,
    /// What of a model's answer was refused.
    refused: Vec<Refused>,
    /// The model command that was asked; `None`: the offline ranker.
    command: Option<String>,
}

/// Picks memories.
///
/// # Errors
/// When the store can't be read, the query is empty, a file that was named is none, or the configured command gives no
/// answer that can be read.
pub fn run(cx: &mut Context<'_>, asked: &Asked) -> Result<Status, Failure> {
    let query = if asked.query == "-" { text(Path::new("-"))? } else { asked.query.clone() };
    if query.trim().is_empty() {
        return Err(Failure::broken(
            "the query is empty, so nothing was looked for",
            "say what the agent is asked",
        ));
    }
    let config = Config::load(cx.common.config.as_deref(), &cx.places.config)?;
    let store = cx.look()?;
    let snapshot = store.scan(&|_| {})?;
    let options = options(cx, asked, &snapshot)?;
    let ranker = Ranker::of(&candidates(&snapshot, cx.now()));
    let mask = |text: &str| secrets::mask(text).into_owned();
    if asked.prompt {
        let text = prompt::prompt(&query, ranker.candidates(), &options, &mask);
        return format::prompt(cx, &query, &text);
    }
    let offline = ranker.ask(&query, &options);
    let pick = if asked.offline || config.recall.command.is_empty() {
        Pick { recall: offline, options, refused: Vec::new(), command: None }
    } else {
        let answer = asking::ask(cx, &config.recall, &query, ranker.candidates(), &options)?;
        let recall = offline.chosen(&answer.files, ranker.candidates(), &options);
        Pick { recall, options, refused: answer.refused, command: Some(config.recall.command) }
    };
    let injected = asked.inject.then(|| injected(cx, &pick.recall, &snapshot));
    format::pick(cx, &pick, ranker.candidates(), injected.as_ref(), asked.all)?;
    Ok(Status::Fine)
}

fn options(cx: &Context<'_>, asked: &Asked, snapshot: &Snapshot) -> Result<Options, Failure> {
    let known = files::candidates(snapshot);
    let shown = asked.shown.iter().map(|word| files::resolve(&known, &snapshot.root, &cx.env.cwd, word));
    Ok(Options {
        most: usize::from(asked.most),
        shown: shown.collect::<Result<_, _>>()?,
        tools: asked.tool.clone(),
    })
}

/// What the pick would bring in, in the client's words where they are known.
fn injected(cx: &Context<'_>, recall: &Recall, snapshot: &Snapshot) -> Injection {
    let files: Vec<RelPath> = recall.picked().map(|verdict| verdict.path.clone()).collect();
    let (version, said) = learn::known(cx);
    let rules = Rules::of(version.as_deref().unwrap_or(NEWEST)).unwrap_or_default();
    let voice = Voice::new(&rules, said.words.as_deref(), &said.date);
    injection(&files, snapshot, cx.now(), &voice)
}

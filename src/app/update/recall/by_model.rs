//! Asking the person's model command for its pick: only on a key, and with a yes the first time.

use super::ask as rank;
use crate::app::action::Effect;
use crate::app::contents::one_line;
use crate::app::model::{Job, Mode, Model, Problem, Question, Tone};
use crate::app::recall::{ByModel, ModelAsked, Picking};
use crate::prompt::recall::answer::Answer;
use std::sync::Arc;

/// `m`: asks, when the command was allowed before; else a question first.
pub(super) fn ask(model: &mut Model) -> Vec<Effect> {
    let Some(asked) = asked(model) else { return Vec::new() };
    match model.recall.picking.clone() {
        Picking::Allowed(_) => send(model, asked),
        Picking::Ask(command) => {
            let lines = vec![
                format!(
                    "the names and descriptions of {} memories and the query go to it",
                    asked.candidates.len()
                ),
                format!("the command of your configuration: {}", one_line(&command)),
            ];
            let ask = "Ask this model command?".into();
            model.mode = Mode::Question(Question { ask, lines, scroll: 0, job: Job::AskModel });
            Vec::new()
        }
        Picking::No => Vec::new(),
    }
}

/// The person said yes: from now on the command is allowed.
pub(in crate::app::update) fn ask_now(model: &mut Model) -> Vec<Effect> {
    let Some(asked) = asked(model) else { return Vec::new() };
    if let Picking::Ask(command) = &model.recall.picking {
        model.recall.picking = Picking::Allowed(command.clone());
    }
    send(model, asked)
}

fn asked(model: &Model) -> Option<ModelAsked> {
    let finder = &model.open()?.finder;
    let candidates = Arc::clone(&finder.found.as_ref()?.candidates);
    // Its number is given when it is sent.
    Some(ModelAsked { number: 0, query: finder.query.clone(), candidates, options: finder.options.clone() })
}

fn send(model: &mut Model, mut asked: ModelAsked) -> Vec<Effect> {
    let now = model.now;
    model.recall.asked += 1;
    asked.number = model.recall.asked;
    let Some(open) = model.open_mut() else { return Vec::new() };
    open.finder.model = ByModel::Asking { asked: Box::new(asked.clone()), since: now };
    vec![Effect::AskModel(asked)]
}

/// Esc while it works.
pub(super) fn call_off(model: &mut Model) -> Vec<Effect> {
    model.say(Tone::Note, "calling it off …");
    vec![Effect::CallOffModel]
}

/// It has answered, or nothing came of it.
pub(in crate::app::update) fn picked(
    model: &mut Model,
    number: u64,
    result: Result<Answer, Problem>,
) -> Vec<Effect> {
    let Some(open) = model.open_mut() else { return Vec::new() };
    let asked = match &open.finder.model {
        ByModel::Asking { asked, .. } if asked.number == number => (**asked).clone(),
        _ => return Vec::new(),
    };
    match result {
        Ok(answer) => {
            let said = match (answer.files.len(), answer.refused.len()) {
                (0, 0) => "the model picks nothing".to_owned(),
                (picked, 0) => format!("the model picks {picked}"),
                (picked, refused) => format!("the model picks {picked}; {refused} of its answer refused"),
            };
            open.finder.model = ByModel::Answered { query: asked.query, options: asked.options, answer };
            let keep = open.finder.current().map(|verdict| verdict.path.clone());
            open.finder.rebuild(keep.as_ref());
            let is_current = open.finder.answer().is_some();
            if is_current {
                model.say(Tone::Good, said);
            } else {
                model.say(Tone::Note, format!("{said}, for a query that is no longer asked"));
            }
            rank(model)
        }
        Err(problem) => {
            open.finder.model = ByModel::NotAsked;
            model.say_problem(&problem);
            Vec::new()
        }
    }
}

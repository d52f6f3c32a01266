//! What keys do between a question to the worker and its answer, and while a model is asked.

use crate::app::action::{Action, Effect, Outcome};
use crate::app::key::sequence;
use crate::app::model::{Job, Model, Problem, Screen};
use crate::app::recall::{Asked, ByModel, Found, Picking};
use crate::app::testing::{model, now};
use crate::app::update::update;
use crate::prompt::recall::answer::Answer;
use crate::prompt::recall::{Ranker, candidates};
use std::sync::Arc;

const FILES: &[(&str, &str)] = &[
    (
        "refunds.md",
        "---\nname: refunds\ndescription: Refunds over 500 need a second approval\ntype: project\n---\nx\n",
    ),
    (
        "tests.md",
        "---\nname: tests\ndescription: Integration tests use a real database\ntype: feedback\n---\nx\n",
    ),
];

fn press(model: &mut Model, keys: &str) -> Vec<Effect> {
    let keys = sequence(keys).unwrap();
    keys.into_iter().flat_map(|key| update(model, Action::Key(key))).collect()
}

/// The last question to the worker among effects.
fn question(effects: Vec<Effect>) -> Asked {
    let asked = |effect| if let Effect::Recall(asked) = effect { Some(asked) } else { None };
    effects.into_iter().filter_map(asked).next_back().unwrap()
}

fn answer(model: &mut Model, asked: &Asked) -> Vec<Effect> {
    let candidates = Arc::new(candidates(&asked.contents.snapshot, now()));
    let recall = Ranker::of(&candidates).ask(&asked.query, &asked.options);
    let found = Found { recall, candidates, options: asked.options.clone(), text: None };
    update(model, Action::Outcome(Outcome::Recalled(asked.number, Ok(Arc::new(found)))))
}

fn picked(model: &Model) -> Vec<String> {
    let finder = &model.open().unwrap().finder;
    finder.found.iter().flat_map(|found| found.recall.picked()).map(|it| it.path.to_string()).collect()
}

#[test]
fn late_answers_are_dropped() {
    let mut model = model(FILES);
    let first = question(press(&mut model, "6/refund<space>approval"));
    let second = question(press(&mut model, "<c-u>integration<space>tests"));
    assert!(answer(&mut model, &first).is_empty() && picked(&model).is_empty());
    answer(&mut model, &second);
    assert_eq!(picked(&model), ["tests.md"]);
}

#[test]
fn keys_wait_for_the_rows_that_they_are_meant_for() {
    let mut model = model(FILES);
    let first = question(press(&mut model, "6/refund<space>approval<enter>"));
    answer(&mut model, &first);
    // The second query and a deletion, typed in one go: what the first one found stays.
    let effects = press(&mut model, "/<c-u>integration<space>tests<enter>d");
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Apply(_))));
    let second = question(effects);
    let effects = answer(&mut model, &second);
    let deleted =
        effects.iter().find_map(|effect| if let Effect::Apply(plan) = effect { Some(plan) } else { None });
    let changes: Vec<String> =
        deleted.unwrap().changes.iter().map(|change| change.path.to_string()).collect();
    assert_eq!(changes, ["tests.md"]);
    assert_eq!(
        model.work.running,
        Some(Job::Delete(vec![crate::memory::path::RelPath::new("tests.md").unwrap()]))
    );
}

#[test]
fn an_answer_that_could_not_be_given_lets_keys_through() {
    let mut model = model(FILES);
    let asked = question(press(&mut model, "6/refund<space>approval<enter>q"));
    assert!(model.open().unwrap().finder.is_waiting());
    let problem = Problem { what: "a fault".into(), hint: String::new() };
    let effects = update(&mut model, Action::Outcome(Outcome::Recalled(asked.number, Err(problem))));
    assert!(matches!(effects[..], [Effect::Quit]), "{effects:?}");
}

#[test]
fn esc_calls_the_model_off_and_a_late_answer_is_not_taken() {
    let mut model = model(FILES);
    model.recall.picking = Picking::Allowed("model".into());
    let asked = question(press(&mut model, "6/refund<space>approval<enter>"));
    answer(&mut model, &asked);
    let effects = press(&mut model, "m");
    let [Effect::AskModel(to_model)] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(to_model.query, "refund approval");
    // It works on it already.
    assert!(press(&mut model, "m").is_empty());
    let effects = press(&mut model, "<esc>");
    assert!(matches!(effects[..], [Effect::CallOffModel]), "{effects:?}");
    assert_eq!(model.screen, Screen::Recall);
    let stopped = Problem { what: "stopped".into(), hint: String::new() };
    let _ = update(&mut model, Action::Outcome(Outcome::ModelPicked(to_model.number, Err(stopped))));
    assert!(matches!(model.open().unwrap().finder.model, ByModel::NotAsked));
    let late = Outcome::ModelPicked(to_model.number, Ok(Answer::default()));
    let _ = update(&mut model, Action::Outcome(late));
    assert!(model.open().unwrap().finder.answer().is_none());
}

use super::*;
use crate::app::action::{Done, Question};
use crate::app::key::sequence;
use crate::app::model::{Job, Problem};
use crate::app::testing::{contents, model};
use crate::memory::path::RelPath;
use std::sync::Arc;

const FILES: &[(&str, &str)] = &[("a.md", "one"), ("b.md", "two"), ("c.md", "three"), ("d.md", "four")];

fn press(model: &mut Model, keys: &str) -> Vec<Effect> {
    let keys = sequence(keys).unwrap();
    keys.into_iter().flat_map(|key| update(model, Action::Key(key))).collect()
}

fn answer(model: &mut Model, question: &Question) -> Vec<Effect> {
    let entries = question.contents.entries.iter().enumerate();
    let matches = entries.filter(|(_, entry)| question.query.matches(&question.contents, entry));
    let matches = Arc::new(matches.map(|(at, _)| at).collect());
    update(model, Action::Outcome(Outcome::Filtered(question.number, question.query.clone(), matches)))
}

fn questions(effects: Vec<Effect>) -> Vec<Question> {
    let question = |effect| match effect {
        Effect::Filter(question) => Some(question),
        _ => None,
    };
    effects.into_iter().filter_map(question).collect()
}

fn names(model: &Model) -> Vec<&str> {
    let open = model.open().unwrap();
    open.list.shown().map(|at| open.contents.entries[at].name.as_str()).collect()
}

#[test]
fn late_answers_are_dropped_and_longer_queries_look_at_less() {
    let mut model = model(FILES);
    let asked = questions(press(&mut model, "/t"));
    let wider = asked.last().unwrap();
    answer(&mut model, wider);
    assert_eq!(names(&model), ["b", "c"]);
    let narrow = questions(press(&mut model, "h"));
    assert_eq!(narrow[0].within.as_ref().unwrap().len(), 2);
    answer(&mut model, wider);
    assert_eq!(names(&model), ["b", "c"], "an answer to what is no longer asked changes nothing");
    answer(&mut model, &narrow[0]);
    assert_eq!(names(&model), ["c"]);
    let other = questions(press(&mut model, "<bs><bs>f"));
    assert!(other.last().unwrap().within.is_none());
}

#[test]
fn keys_after_a_filter_wait_for_its_rows() {
    let mut model = model(FILES);
    let asked = questions(press(&mut model, "/three<enter>"));
    assert!(press(&mut model, "d").is_empty());
    assert_eq!(model.held.len(), 1, "`d` must not meet the row that the filter hides");
    let effects = answer(&mut model, asked.last().unwrap());
    match effects.as_slice() {
        [Effect::Apply(plan)] => {
            let paths: Vec<_> = plan.changes.iter().map(|change| change.path.to_string()).collect();
            assert!(paths.contains(&"c.md".to_string()), "{paths:?}");
        }
        other => panic!("{other:?}"),
    }
    assert!(model.held.is_empty());
}

#[test]
fn what_was_typed_ahead_of_a_failed_filter_is_dropped() {
    let mut model = model(FILES);
    let asked = questions(press(&mut model, "/three<enter>d"));
    let problem = crate::app::model::Problem { what: "broken".into(), hint: String::new() };
    let _ = update(&mut model, Action::Outcome(Outcome::FilterFailed(asked.last().unwrap().number, problem)));
    assert!(model.held.is_empty() && model.work.running.is_none());
    assert!(!press(&mut model, "<esc>d").is_empty());
}

#[test]
fn jobs_are_done_one_after_the_other_and_the_list_follows_at_once() {
    let mut model = model(FILES);
    let effects = press(&mut model, "dd");
    assert_eq!(names(&model), ["c", "d"]);
    assert!(matches!(effects.as_slice(), [Effect::Apply(_)]), "{effects:?}");
    assert_eq!(model.work.queue.len(), 1);
    // The first one fails: its memory shows again, the second one is still going.
    let problem = crate::app::model::Problem { what: "disk full".into(), hint: "make room".into() };
    let effects = update(&mut model, Action::Outcome(Outcome::Applied(Err(problem))));
    assert!(matches!(effects.as_slice(), [Effect::Load(_)]));
    assert_eq!(names(&model), ["a", "c", "d"]);
    assert_eq!(model.message.as_ref().unwrap().text, "disk full; make room");
    let again = Arc::new(crate::app::testing::contents(FILES));
    let effects = update(&mut model, Action::Outcome(Outcome::Loaded("/store".into(), Ok(again))));
    assert!(matches!(effects.as_slice(), [Effect::Check(_), Effect::ReadInbox(_), Effect::Apply(_)]));
    assert_eq!(names(&model), ["a", "c", "d"]);
    assert_eq!(model.work.running, Some(Job::Delete(vec![RelPath::new("b.md").unwrap()])));
}

#[test]
fn leaving_waits_for_what_is_being_written() {
    let mut model = model(FILES);
    assert!(matches!(press(&mut model, "d").as_slice(), [Effect::Apply(_)]));
    assert!(press(&mut model, "q").is_empty());
    let done = Done { message: "deleted a".into(), ..Done::default() };
    let _ = update(&mut model, Action::Outcome(Outcome::Applied(Ok(Some(done)))));
    let rest = Arc::new(crate::app::testing::contents(&FILES[1..]));
    let effects = update(&mut model, Action::Outcome(Outcome::Loaded("/store".into(), Ok(rest))));
    assert!(matches!(effects.as_slice(), [Effect::Check(_), Effect::ReadInbox(_), Effect::Quit]));
    assert!(matches!(press(&mut model, "q").as_slice(), [Effect::Quit]));
}

#[test]
fn esc_takes_one_layer_at_a_time() {
    let mut model = model(FILES);
    let asked = questions(press(&mut model, "<space>/o<enter>"));
    for question in &asked {
        answer(&mut model, question);
    }
    let _ = press(&mut model, "v<enter>");
    let layers = |model: &Model| {
        let open = model.open().unwrap();
        let list = &open.list;
        (
            open.pane.focus != Focus::List,
            list.range.is_some(),
            list.filter.query.is_some(),
            !list.marks.is_empty(),
        )
    };
    assert_eq!(layers(&model), (true, true, true, true));
    for expected in [
        (false, true, true, true),
        (false, false, true, true),
        (false, false, false, true),
        (false, false, false, false),
    ] {
        let _ = press(&mut model, "<esc>");
        assert_eq!(layers(&model), expected);
    }
}

#[test]
fn an_outcome_of_another_store_is_dropped() {
    let mut model = model(FILES);
    let other = Arc::new(crate::app::testing::contents(&[("z.md", "")]));
    let _ = update(&mut model, Action::Outcome(Outcome::Loaded("/other".into(), Ok(other))));
    assert_eq!(names(&model).len(), 4);
}

#[test]
fn what_waits_does_not_follow_into_another_store() {
    let mut model = model(FILES);
    press(&mut model, "dd");
    assert_eq!(model.work.queue.len(), 1, "the second deletion waits for the first");
    let _ = update(&mut model, Action::OpenStore("/other".into()));
    let effects = update(&mut model, Action::Outcome(Outcome::Applied(Ok(None))));
    assert!(
        matches!(effects.as_slice(), [Effect::Load(dir)] if dir.as_path() == std::path::Path::new("/other"))
    );
    let other = Arc::new(contents(FILES));
    let effects = update(&mut model, Action::Outcome(Outcome::Loaded("/other".into(), Ok(other))));
    let is_all = matches!(
        effects.as_slice(),
        [Effect::FindDrafts(_), Effect::ReadUsage(_), Effect::Check(_), Effect::ReadInbox(_)]
    );
    assert!(is_all, "{effects:?}");
}

#[test]
fn an_answer_that_came_too_late_does_not_let_keys_through() {
    let mut model = model(FILES);
    let asked = questions(press(&mut model, "/thr<enter>d"));
    let (first, last) = (asked.first().unwrap(), asked.last().unwrap());
    // As the worker says that it gave a question up.
    let void = Outcome::Filtered(0, first.query.clone(), Arc::default());
    assert!(update(&mut model, Action::Outcome(void)).is_empty(), "nothing is deleted of the rows of before");
    let _ = answer(&mut model, last);
    assert_eq!(model.work.running, Some(Job::Delete(vec![RelPath::new("c.md").unwrap()])));
}

/// What the worker of the claims is asked, and the numbers before which it may stop.
fn about_claims(effects: &[Effect]) -> (Vec<u64>, Vec<u64>) {
    let asked = effects.iter().filter_map(|effect| match effect {
        Effect::Verify(asked) => Some(asked.number),
        _ => None,
    });
    let stopped = effects.iter().filter_map(|effect| match effect {
        Effect::StopVerify(number) => Some(*number),
        _ => None,
    });
    (asked.collect(), stopped.collect())
}

#[test]
fn claims_fill_in_and_esc_calls_the_worker_off() {
    use crate::app::deep::{Looked, Progress};
    use crate::app::verify::Told;
    use crate::check::claims::{Claim, Kind, Verdict};
    let claim = |what: &str, kind, verdict| Claim {
        kind,
        what: what.into(),
        line: 1,
        range: None,
        verdict,
        note: String::new(),
        check: None,
        evidence: Vec::new(),
    };
    let told = |model: &mut Model, number, claims, looked| {
        let told = Outcome::Verified(number, Ok(Told { claims, looked }));
        update(model, Action::Outcome(told))
    };
    let mut model = model(FILES);
    assert_eq!(about_claims(&press(&mut model, "V")), (vec![1], vec![]));
    let progress = Progress { percent: 40, what: "120 files".into() };
    let _ = update(&mut model, Action::Outcome(Outcome::Verifying(1, progress.clone())));
    assert_eq!(model.verify.open.as_ref().unwrap().progress, Some(progress));
    // What needs no project is there at once.
    let early = vec![claim("x.rs", Kind::Path, Verdict::Unknown), claim("b", Kind::Link, Verdict::Holds)];
    let _ = told(&mut model, 1, early.clone(), None);
    let open = model.verify.open.as_ref().unwrap();
    assert_eq!((open.is_open(&early[0]), open.is_open(&early[1])), (true, false));
    assert_eq!(about_claims(&press(&mut model, "j<esc>")), (vec![], vec![2]));
    assert!(model.verify.open.is_none());
    let said = model.message.clone().unwrap().text;
    assert_eq!(said, "a is undecided: 2 of 2 claims seen");
    // What comes late opens nothing, and a second Esc stops nothing.
    let whole = vec![claim("x.rs", Kind::Path, Verdict::Holds)];
    let _ = told(&mut model, 1, whole.clone(), Some(Looked::default()));
    assert!(model.verify.open.is_none());
    assert_eq!(about_claims(&press(&mut model, "<esc>")), (vec![], vec![]));
    // Once all is known there is nothing to call off.
    assert_eq!(about_claims(&press(&mut model, "V")), (vec![3], vec![]));
    let _ = told(&mut model, 3, whole, Some(Looked::default()));
    assert_eq!(about_claims(&press(&mut model, "<esc>")), (vec![], vec![]));
    // A decision calls it off too.
    assert_eq!(about_claims(&press(&mut model, "Vp")).1, Vec::<u64>::new(), "there is no index to park from");
    assert_eq!(about_claims(&press(&mut model, "d")).1, [5]);
    assert!(model.verify.open.is_none());
}

#[test]
fn a_look_that_fails_says_so_and_closes() {
    let mut model = model(FILES);
    let _ = press(&mut model, "V");
    let problem = Problem { what: "no thread could be started".into(), hint: "try again".into() };
    let _ = update(&mut model, Action::Outcome(Outcome::Verified(1, Err(problem))));
    assert!(model.verify.open.is_none() && !model.verify.is_looking);
    assert_eq!(model.message.unwrap().text, "no thread could be started; try again");
}

//! Asks the person's model command which memories to pick, on a thread of its own. It can be called off, and ends with the
//! program.

use crate::app::action::Outcome;
use crate::app::model::Problem;
use crate::app::recall::{ModelAsked, Picking};
use crate::check::secrets;
use crate::client::extract::consent;
use crate::client::model::{self, MARK, Trouble};
use crate::config::Model;
use crate::memory::text::{one_line, visible};
use crate::prompt::recall::answer::{Answer, read};
use crate::prompt::recall::prompt::prompt;
use crate::shell::Session;
use crate::shell::worker::{Report, guarded, spawn, tell};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

/// Where the command runs, below the state directory: `memcurator recall` runs it there too.
const PLACE: &str = "recall";
/// So many characters of an answer that can't be read are shown.
const SHOWN: usize = 200;

/// What asks it.
pub(super) struct Picker {
    model: Model,
    state: PathBuf,
    reports: Sender<Report>,
    /// Calls the command off.
    cancel: Arc<AtomicBool>,
}

/// How a model is asked in this session.
pub(super) fn picking(session: &Session) -> Picking {
    let command = session.recall.command.clone();
    // Set off by a model command itself there would be no end.
    if command.is_empty() || session.env.var(MARK).is_some() {
        Picking::No
    } else if consent::is_allowed(&session.places.state, &command) {
        Picking::Allowed(command)
    } else {
        Picking::Ask(command)
    }
}

impl Picker {
    /// What asks the command of a session.
    pub(super) fn new(session: &Session, reports: Sender<Report>) -> Self {
        let (model, state) = (session.recall.clone(), session.places.state.clone());
        Self { model, state, reports, cancel: Arc::default() }
    }

    /// Asks on a thread of its own; the answer comes in any case.
    pub(super) fn start(&mut self, asked: ModelAsked) {
        // What still runs was asked something else: it sees its own flag.
        self.call_off();
        self.cancel = Arc::default();
        let (model, state) = (self.model.clone(), self.state.clone());
        let (reports, cancel) = (self.reports.clone(), self.cancel.clone());
        let number = asked.number;
        let work = move || {
            let picked =
                guarded(|| pick(&model, &state, &asked, &reports, &cancel)).and_then(|picked| picked);
            tell(&reports, Outcome::ModelPicked(number, picked), true);
        };
        if spawn("picking", work).is_err() {
            let what = "no thread could be started; the model was not asked".into();
            let problem = Problem { what, hint: "try again".into() };
            tell(&self.reports, Outcome::ModelPicked(number, Err(problem)), true);
        }
    }

    /// Lets the command end.
    pub(super) fn call_off(&self) {
        self.cancel.store(true, Ordering::SeqCst);
    }
}

impl Drop for Picker {
    /// The command does not outlive the screens.
    fn drop(&mut self) {
        self.call_off();
        // Shared with the thread that runs: alone again means that the command has ended.
        for _ in 0..300 {
            if Arc::strong_count(&self.cancel) == 1 {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

fn pick(
    model: &Model,
    state: &Path,
    asked: &ModelAsked,
    reports: &Sender<Report>,
    cancel: &AtomicBool,
) -> Result<Answer, Problem> {
    let dir = state.join(PLACE);
    let made = consent::private_dir(&dir).and_then(|()| consent::allow(state, &model.command));
    made.map_err(|error| Problem {
        what: format!("{}: {error}; the model was not asked", dir.display()),
        hint: "memcurator must be able to write there".into(),
    })?;
    let mask = |text: &str| secrets::mask(text).into_owned();
    let text = prompt(&asked.query, &asked.candidates, &asked.options, &mask);
    let mut told = 0;
    let mut send = |prompt: &str| {
        model::run(&model.command, prompt, &dir, Duration::from_secs(model.timeout), &mut |took| {
            if took.as_secs() > told {
                told = took.as_secs();
                tell(reports, Outcome::StillPicking(asked.number), false);
            }
            !cancel.load(Ordering::SeqCst)
        })
    };
    let read = |answer: &str| read(answer, &asked.candidates, &asked.options);
    model::ask(&text, &mut send, &read).map_err(|trouble| problem(&trouble))
}

fn problem(trouble: &Trouble) -> Problem {
    let hint = match trouble {
        Trouble::Malformed { answer, .. } => {
            let head: String = answer.chars().take(SHOWN).collect();
            format!("it answered: {}", one_line(&secrets::mask(head.trim())))
        }
        Trouble::TooSlow(_) => "give it longer with `timeout` under `[recall]` of the configuration".into(),
        Trouble::Stopped => "the offline pick stands".into(),
        _ => "the offline pick stands; run the command by hand to see what is wrong".into(),
    };
    Problem { what: visible(&trouble.to_string(), false).into_owned(), hint }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::action::Action;
    use crate::prompt::recall::Options;
    use std::os::unix::fs::PermissionsExt;
    use std::sync::mpsc::channel;
    use std::time::Instant;

    const LONG: Duration = Duration::from_secs(60);

    fn picker(dir: &Path, text: &str, reports: Sender<Report>) -> Picker {
        let script = dir.join("model.sh");
        std::fs::write(&script, format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o700)).unwrap();
        let model = Model { command: script.display().to_string(), timeout: 300 };
        Picker { model, state: dir.join("state"), reports, cancel: Arc::default() }
    }

    fn asked(number: u64) -> ModelAsked {
        ModelAsked { number, query: "x".into(), candidates: Arc::default(), options: Options::default() }
    }

    #[test]
    fn it_can_be_called_off_and_says_how_long_it_takes() {
        let dir = tempfile::tempdir().unwrap();
        let (reports, told) = channel();
        let mut picker = picker(dir.path(), "sleep 300", reports);
        picker.start(asked(7));
        let first = told.recv_timeout(LONG).unwrap();
        assert!(matches!(first.action, Action::Outcome(Outcome::StillPicking(7))) && !first.is_last);
        picker.call_off();
        let began = Instant::now();
        let last = loop {
            let report = told.recv_timeout(LONG).unwrap();
            if report.is_last {
                break report;
            }
        };
        let Action::Outcome(Outcome::ModelPicked(7, Err(problem))) = last.action else {
            panic!("it was called off")
        };
        assert!(problem.what.contains("stopped"), "{problem}");
        assert!(began.elapsed() < LONG);
    }

    #[test]
    fn it_ends_with_the_screens() {
        let dir = tempfile::tempdir().unwrap();
        let (reports, told) = channel();
        let mut picker = picker(dir.path(), "sleep 300", reports);
        picker.start(asked(1));
        drop(told.recv_timeout(LONG));
        drop(picker);
        let ended = told.try_iter().any(|report| report.is_last);
        assert!(ended, "the thread was waited for");
    }
}

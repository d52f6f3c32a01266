//! Model, workers and painter together, without a terminal: what the event loop, replays and tests drive.

use crate::app::action::{Action, Effect, Outcome, OutsideEnd};
use crate::app::keymap::Keymap;
use crate::app::model::{Model, Problem, Tone};
use crate::app::update::{choose_store, open_store, update};
use crate::prompt::port::Environment;
use crate::shell::outside::{self, Copy};
use crate::shell::picking::picking;
use crate::shell::watch::Watcher;
use crate::shell::worker::{Report, Workers};
use crate::shell::{Clock, Session, Start, clipboard};
use crate::ui::theme::Theme;
use crate::ui::{Painter, view};
use anyhow::{Context as _, anyhow};
use ratatui::backend::Backend;
use ratatui::{CompletedFrame, Terminal};
use std::io::Write;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// How long a replay waits for the workers after a key.
const PATIENCE: Duration = Duration::from_secs(120);

/// What the loop must do besides drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    /// Go on.
    GoOn,
    /// Put the program to sleep.
    Sleep,
    /// Give the terminal to the person's own editor: [`Driver::run_outside`].
    Outside,
    /// Leave.
    Leave,
}

/// Model, workers and painter, without a terminal.
pub struct Driver {
    model: Model,
    painter: Painter,
    workers: Workers,
    reports: Option<Receiver<Report>>,
    clock: Clock,
    /// Effects that were given to a worker and are not answered to their end yet.
    pending: usize,
    /// Where text for the clipboard goes.
    clipboard: Box<dyn Write>,
    has_left: bool,
    env: Environment,
    /// What the person's own editor has.
    copy: Option<Copy>,
    /// A file of the person's own, and the line, that their editor is to have.
    file: Option<(PathBuf, usize)>,
    /// Keys are replayed: nobody is there to use an editor.
    is_replay: bool,
    /// Notices what others change in the store.
    watcher: Option<Watcher>,
}

/// An editor would wait for keys that nobody presses, on a terminal that is not there.
fn no_editor() -> Problem {
    Problem {
        what: "keys are replayed, so your own editor was not started; nothing was changed".into(),
        hint: "start memcurator on a terminal for it".into(),
    }
}

impl Driver {
    /// Starts the workers and opens what the session starts with. Text for the clipboard is written to
    /// `clipboard` as a terminal's sequence.
    ///
    /// # Errors
    /// When the theme or a key of the session is not known, or no thread can be started.
    pub fn new(session: &Session, clipboard: Box<dyn Write>) -> anyhow::Result<Self> {
        let theme = Theme::named(session.theme_name()).map_err(|what| anyhow!(what))?;
        let keymap = Keymap::new(&session.keys).map_err(|problems| anyhow!(problems.join("\n")))?;
        let (sender, reports) = channel();
        let workers = Workers::start(session, sender).context("no thread could be started")?;
        let mut driver = Self {
            model: Model::new(session.clock.now(), keymap),
            painter: Painter::new(theme),
            workers,
            reports: Some(reports),
            clock: session.clock,
            pending: 0,
            clipboard,
            has_left: false,
            env: session.env.clone(),
            copy: None,
            file: None,
            is_replay: session.replay.is_some(),
            watcher: None,
        };
        driver.model.title = session.title();
        driver.model.roots = session.roots();
        driver.model.recall.picking = picking(session);
        driver.model.recall.offered = session.queries.clone();
        let dir = match &session.start {
            Start::Store(located) => located.dir.clone(),
            Start::Stores(_) => PathBuf::new(),
        };
        driver.model.checking.against = session.against.clone().map(|project| (dir.clone(), project));
        driver.model.prompt.known = session.subject.clone().map(|subject| (dir, subject));
        match &session.start {
            Start::Store(located) => {
                let effects = open_store(&mut driver.model, located.dir.clone());
                if let Some(off) = &located.off {
                    driver.model.say(Tone::Note, format!("sessions here do not use memory: {off}"));
                } else if let Some(note) = located.notes.first() {
                    driver.model.say(Tone::Note, note);
                }
                driver.perform(effects);
            }
            Start::Stores(found) => choose_store(&mut driver.model, found.clone()),
        }
        Ok(driver)
    }

    /// What the screens know.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Whether the person left.
    #[must_use]
    pub fn has_left(&self) -> bool {
        self.has_left
    }

    /// Whether a picture of the theme stands on a light ground.
    #[must_use]
    pub fn is_light(&self) -> bool {
        self.painter.theme.is_light
    }

    /// Hands an action to `update` and its effects to the workers.
    pub(super) fn act(&mut self, action: Action) -> Then {
        self.model.now = self.clock.now();
        let effects = update(&mut self.model, action);
        self.perform(effects)
    }

    /// Takes what a worker reports.
    pub(super) fn take(&mut self, report: Report) -> Then {
        if report.is_last {
            self.pending = self.pending.saturating_sub(1);
        }
        self.act(report.action)
    }

    /// The channel of the workers, for a loop that listens to more than them.
    pub(super) fn take_reports(&mut self) -> Option<Receiver<Report>> {
        self.reports.take()
    }

    fn perform(&mut self, effects: Vec<Effect>) -> Then {
        let mut then = Then::GoOn;
        for effect in effects {
            match effect {
                Effect::Quit => {
                    self.has_left = true;
                    then = Then::Leave;
                }
                Effect::Suspend => then = Then::Sleep,
                Effect::EditFile(path, _) if self.is_replay => {
                    self.act(Action::Outcome(Outcome::FileEdited(path, Err(no_editor()))));
                }
                Effect::EditOutside(_) if self.is_replay => {
                    let end = OutsideEnd::Failed(no_editor(), None);
                    self.act(Action::Outcome(Outcome::Outside(end)));
                }
                Effect::EditFile(path, line) => {
                    self.file = Some((path, line));
                    then = Then::Outside;
                }
                Effect::EditOutside(outside) => match Copy::new(outside) {
                    Ok(copy) => {
                        self.copy = Some(copy);
                        then = Then::Outside;
                    }
                    Err(problem) => {
                        self.act(Action::Outcome(Outcome::Outside(OutsideEnd::Failed(problem, None))));
                    }
                },
                Effect::ReadOutside => {
                    if let Some(copy) = &self.copy {
                        let end = copy.read();
                        self.outside_ended(end);
                    }
                }
                Effect::Copy(text) => {
                    if let Err(problem) = clipboard::copy(&text, &mut self.clipboard) {
                        self.act(Action::Outcome(Outcome::CopyFailed(problem)));
                    }
                }
                effect => {
                    if let (Effect::Load(dir), Some(watcher)) = (&effect, &self.watcher) {
                        watcher.watch(dir);
                    }
                    if self.workers.perform(effect) {
                        self.pending += 1;
                    }
                }
            }
        }
        then
    }

    /// Runs the person's own editor, which has the terminal meanwhile.
    pub(super) fn run_outside(&mut self) {
        if let Some((path, line)) = self.file.take() {
            let end = outside::edit(&self.env, &path, line);
            self.act(Action::Outcome(Outcome::FileEdited(path, end)));
            return;
        }
        if let Some(copy) = &self.copy {
            let end = copy.run(&self.env);
            self.outside_ended(end);
        }
    }

    fn outside_ended(&mut self, end: OutsideEnd) {
        // It may be looked at again only when a window may still have it.
        if end != OutsideEnd::AtOnce {
            self.copy = None;
        }
        self.act(Action::Outcome(Outcome::Outside(end)));
    }

    /// Shows what others change in the open store from now on, without being asked.
    ///
    /// # Errors
    /// When no thread can be started.
    pub(super) fn watch(&mut self) -> anyhow::Result<()> {
        let watcher = self.workers.watcher().context("no thread could be started")?;
        if let Some(dir) = self.model.dir() {
            watcher.watch(dir);
        }
        self.watcher = Some(watcher);
        Ok(())
    }

    /// Takes what comes unasked within a time, a change of the store for instance; whether something came.
    pub(super) fn take_unasked(&mut self, within: Duration) -> bool {
        let report = self.reports.as_ref().and_then(|reports| reports.recv_timeout(within).ok());
        report.map(|report| self.take(report)).is_some()
    }

    /// Writes all that is still to be written of unsaved text.
    pub(super) fn flush(&self) {
        self.workers.flush();
    }

    /// Draws the model on a terminal, real or not.
    ///
    /// # Errors
    /// When the terminal can't be written to.
    pub fn draw<'t, B: Backend>(
        &mut self,
        terminal: &'t mut Terminal<B>,
    ) -> Result<CompletedFrame<'t>, B::Error> {
        let Self { model, painter, .. } = self;
        let mut layout = None;
        let drawn = terminal.draw(|frame| layout = Some(view(model, painter, frame)))?;
        if let Some(layout) = layout {
            self.model.layout = layout;
        }
        Ok(drawn)
    }

    /// Takes all that the workers report until nothing is being done.
    ///
    /// # Errors
    /// When a worker takes longer than two minutes.
    pub fn wait(&mut self) -> Result<(), Problem> {
        while self.pending > 0 {
            let report = self.reports.as_ref().and_then(|reports| reports.recv_timeout(PATIENCE).ok());
            let Some(report) = report else {
                return Err(Problem {
                    what: "a worker has not answered within two minutes".into(),
                    hint: "please report it".into(),
                });
            };
            self.take(report);
        }
        Ok(())
    }
}

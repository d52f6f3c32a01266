//! The event loop: keys, reports of the workers and signals come through one channel; a frame follows when
//! nothing more is waiting.

use crate::shell::driver::{Driver, Then};
use crate::shell::input::Input;
use crate::shell::terminal::{self, Guard};
use crate::shell::worker::Report;
use crate::shell::{End, Session};
use anyhow::Context as _;
use crossterm::event::{self, Event};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;
use std::io::stdout;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// Something for the loop.
enum Message {
    /// From the terminal.
    Event(Event),
    /// The terminal is gone.
    Gone,
    /// From a worker.
    Report(Report),
    /// A signal that ends the program.
    Signal(i32),
}

/// Runs the screens on the real terminal until the person leaves or a signal ends them.
pub(super) fn run(session: &Session) -> anyhow::Result<End> {
    let mut driver = Driver::new(session, Box::new(stdout()))?;
    let (sender, messages) = channel();
    // Before the terminal is taken: a signal from now on is answered by giving it back.
    listen_for_signals(sender.clone())?;
    if let Some(reports) = driver.take_reports() {
        forward(reports, sender.clone())?;
    }
    let mut guard = Guard::take()?;
    listen_to_terminal(sender)?;
    until_the_end(&mut driver, &mut guard, &messages)
}

fn until_the_end(
    driver: &mut Driver,
    guard: &mut Guard,
    messages: &Receiver<Message>,
) -> anyhow::Result<End> {
    let mut input = Input::default();
    loop {
        driver.draw(&mut guard.terminal).context("the terminal can't be written to")?;
        let Ok(first) = messages.recv() else { return Ok(End::Left) };
        // All that is waiting is taken before the next frame: a key held down never lags behind.
        for message in std::iter::once(first).chain(std::iter::from_fn(|| messages.try_recv().ok())) {
            let then = match message {
                Message::Event(event) => input.action(event).map_or(Then::GoOn, |action| driver.act(action)),
                Message::Report(report) => driver.take(report),
                Message::Signal(signal) => return Ok(End::Signal(signal)),
                Message::Gone => return Ok(End::Left),
            };
            match then {
                Then::GoOn => {}
                Then::Leave => return Ok(End::Left),
                Then::Sleep => {
                    terminal::give_back();
                    signal_hook::low_level::emulate_default_handler(SIGTSTP)
                        .context("can't be put to sleep")?;
                    guard.enter()?;
                }
            }
        }
    }
}

fn listen_for_signals(sender: Sender<Message>) -> anyhow::Result<()> {
    let mut signals =
        Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT]).context("signals can't be listened for")?;
    spawn("signals", move || {
        for signal in signals.forever() {
            if sender.send(Message::Signal(signal)).is_err() {
                break;
            }
        }
    })
}

fn listen_to_terminal(sender: Sender<Message>) -> anyhow::Result<()> {
    spawn("terminal", move || {
        loop {
            let message = event::read().map_or(Message::Gone, Message::Event);
            let is_gone = matches!(message, Message::Gone);
            if sender.send(message).is_err() || is_gone {
                break;
            }
        }
    })
}

fn forward(reports: Receiver<Report>, sender: Sender<Message>) -> anyhow::Result<()> {
    spawn("reports", move || {
        for report in reports {
            if sender.send(Message::Report(report)).is_err() {
                break;
            }
        }
    })
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> anyhow::Result<()> {
    thread::Builder::new().name(name.into()).spawn(work).context("no thread could be started").map(drop)
}

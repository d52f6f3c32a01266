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
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

/// The person's own editor has the terminal.
static IS_OUTSIDE: AtomicBool = AtomicBool::new(false);

/// Something for the loop.
enum Message {
    /// From the terminal: what came since the last time.
    Events(Vec<Event>),
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
    driver.watch()?;
    let (sender, messages) = channel();
    // Before the terminal is taken: a signal from now on is answered by giving it back.
    listen_for_signals(sender.clone())?;
    if let Some(reports) = driver.take_reports() {
        forward(reports, sender.clone())?;
    }
    let mut guard = Guard::take()?;
    let go_on = listen_to_terminal(sender)?;
    let end = until_the_end(&mut driver, &mut guard, &messages, &go_on);
    // The text first: nobody may wait for the terminal to come back.
    driver.flush();
    end
}

fn until_the_end(
    driver: &mut Driver,
    guard: &mut Guard,
    messages: &Receiver<Message>,
    go_on: &Sender<()>,
) -> anyhow::Result<End> {
    let mut input = Input::default();
    loop {
        driver.draw(&mut guard.terminal).context("the terminal can't be written to")?;
        let Ok(first) = messages.recv() else { return Ok(End::Left) };
        // All that is waiting is taken before the next frame: a key held down never lags behind.
        for message in std::iter::once(first).chain(std::iter::from_fn(|| messages.try_recv().ok())) {
            match message {
                Message::Events(events) => {
                    for action in events.into_iter().filter_map(|event| input.action(event)) {
                        let then = driver.act(action);
                        if follow(then, driver, guard)? == Then::Leave {
                            return Ok(End::Left);
                        }
                    }
                    // Only now: until here another program may have had the terminal.
                    let _ = go_on.send(());
                }
                Message::Report(report) => {
                    let then = driver.take(report);
                    if follow(then, driver, guard)? == Then::Leave {
                        return Ok(End::Left);
                    }
                }
                Message::Signal(signal) => return Ok(End::Signal(signal)),
                Message::Gone => return Ok(End::Left),
            }
        }
    }
}

/// Does what the loop must do besides drawing.
fn follow(then: Then, driver: &mut Driver, guard: &mut Guard) -> anyhow::Result<Then> {
    match then {
        Then::GoOn | Then::Leave => {}
        Then::Sleep => {
            terminal::give_back();
            signal_hook::low_level::emulate_default_handler(SIGTSTP).context("can't be put to sleep")?;
            guard.enter()?;
        }
        Then::Outside => {
            terminal::give_back();
            IS_OUTSIDE.store(true, Ordering::SeqCst);
            driver.run_outside();
            IS_OUTSIDE.store(false, Ordering::SeqCst);
            guard.enter()?;
        }
    }
    Ok(then)
}

fn listen_for_signals(sender: Sender<Message>) -> anyhow::Result<()> {
    let mut signals =
        Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT]).context("signals can't be listened for")?;
    spawn("signals", move || {
        for signal in signals.forever() {
            // Ctrl-C in the person's own editor is for that one.
            let is_for_other = matches!(signal, SIGINT | SIGQUIT) && IS_OUTSIDE.load(Ordering::SeqCst);
            if !is_for_other && sender.send(Message::Signal(signal)).is_err() {
                break;
            }
        }
    })
}

/// How many events are handed over at once, at most.
const AT_ONCE: usize = 1_000;

/// Reads what comes from the terminal. After each batch it waits until that was taken, so that it never takes
/// keys that are meant for another program which has the terminal.
fn listen_to_terminal(sender: Sender<Message>) -> anyhow::Result<Sender<()>> {
    let (go_on, wait) = channel();
    spawn("terminal", move || {
        loop {
            let Ok(message) = batch().map(Message::Events) else {
                let _ = sender.send(Message::Gone);
                break;
            };
            if sender.send(message).is_err() || wait.recv().is_err() {
                break;
            }
        }
    })?;
    Ok(go_on)
}

/// The next event, and those that are there already.
fn batch() -> std::io::Result<Vec<Event>> {
    let mut events = vec![event::read()?];
    while events.len() < AT_ONCE && event::poll(Duration::ZERO)? {
        events.push(event::read()?);
    }
    Ok(events)
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

//! The terminal, the event loop and the workers: performs the effects that `app` asks for.

mod checking;
pub mod checkup;
mod clipboard;
mod deciding;
mod drafting;
mod driver;
mod events;
mod input;
pub mod matching;
pub mod moving;
mod outside;
mod picking;
mod previewing;
mod proving;
mod recalling;
pub mod recovering;
mod session;
mod stage;
mod terminal;
mod usage;
mod verifying;
mod waiting;
mod watch;
mod worker;

pub use driver::Driver;
pub use session::{Clock, Print, Replay, Session, Start};
pub use stage::Stage;

use anyhow::Context as _;
use std::io::Write;

/// How the screens ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a signal is to be passed on once everything is cleaned up"]
pub enum End {
    /// The person left, or the terminal is gone.
    Left,
    /// A signal ended them.
    Signal(i32),
}

impl End {
    /// Ends the program by the signal that ended the screens, so that the parent sees it.
    ///
    /// # Errors
    /// When the signal has no effect.
    pub fn pass_on(self) -> anyhow::Result<()> {
        match self {
            Self::Left => Ok(()),
            Self::Signal(signal) => {
                signal_hook::low_level::emulate_default_handler(signal).context("the signal has no effect")
            }
        }
    }
}

/// Runs the screens until the person quits; with [`Session::replay`] runs the keys on a virtual
/// terminal and writes the last frame to `out`.
///
/// # Errors
/// When the terminal can't be set up or written to, when the theme or a key is unknown, or when `out` fails.
pub fn run(session: Session, out: &mut dyn Write) -> anyhow::Result<End> {
    let Some(replay) = &session.replay else { return events::run(&session) };
    let mut stage = Stage::open(&session, replay.size)?;
    stage.press(&replay.keys)?;
    let frame = match replay.print {
        Print::Text => stage.text(),
        Print::Svg => stage.svg(),
    };
    out.write_all(frame.as_bytes()).and_then(|()| out.flush()).context("the frame can't be written")?;
    Ok(End::Left)
}

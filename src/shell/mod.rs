//! The terminal, the event loop and the workers: performs the effects that `app` asks for.

mod clipboard;
mod driver;
mod events;
mod input;
pub mod matching;
mod previewing;
mod session;
mod stage;
mod terminal;
mod worker;

pub use driver::Driver;
pub use session::{Clock, Print, Replay, Session, Start};
pub use stage::Stage;

use anyhow::Context as _;
use std::io::Write;

/// Runs the screens until the person quits; with [`Session::replay`] runs the keys on a virtual
/// terminal and writes the last frame to `out`.
///
/// # Errors
/// When the terminal can't be set up or written to, when the theme or a key is unknown, or when `out` fails.
pub fn run(session: Session, out: &mut dyn Write) -> anyhow::Result<()> {
    let Some(replay) = &session.replay else { return events::run(&session) };
    let mut stage = Stage::open(&session, replay.size)?;
    stage.press(&replay.keys)?;
    let frame = match replay.print {
        Print::Text => stage.text(),
        Print::Svg => stage.svg(),
    };
    out.write_all(frame.as_bytes()).and_then(|()| out.flush()).context("the frame can't be written")
}

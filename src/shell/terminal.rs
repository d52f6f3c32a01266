//! The terminal: set up for the screens, and always given back as it was.

use anyhow::Context as _;
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use crossterm::{cursor, execute};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use std::io::{Stdout, stdout};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// The screens have the terminal now, so that it must be given back.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);
static HOOK: Once = Once::new();

/// The terminal while the screens have it; dropping it gives it back.
pub(super) struct Guard {
    /// Where to draw.
    pub(super) terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Guard {
    /// Takes the terminal: raw, on its other screen, pasted text in brackets, with the mouse.
    pub(super) fn take() -> anyhow::Result<Self> {
        HOOK.call_once(restore_on_panic);
        let terminal =
            Terminal::new(CrosstermBackend::new(stdout())).context("the terminal can't be used")?;
        let mut guard = Self { terminal };
        guard.enter()?;
        Ok(guard)
    }

    /// Takes the terminal again, after sleep.
    pub(super) fn enter(&mut self) -> anyhow::Result<()> {
        enable_raw_mode().context("the terminal can't be set to raw mode")?;
        IS_TAKEN.store(true, Ordering::SeqCst);
        execute!(stdout(), EnterAlternateScreen, EnableBracketedPaste, EnableMouseCapture)
            .context("the terminal can't be written to")?;
        // Nothing of the last frame is on the screen any more. (`Terminal::clear` would ask the terminal where
        // the cursor is, and the answer would be taken by the thread that reads keys.)
        self.terminal = fresh()?;
        Ok(())
    }
}

fn fresh() -> anyhow::Result<Terminal<CrosstermBackend<Stdout>>> {
    Terminal::new(CrosstermBackend::new(stdout())).context("the terminal can't be used")
}

impl Drop for Guard {
    fn drop(&mut self) {
        give_back();
    }
}

/// Gives the terminal back as it was; once, whoever calls first.
pub(super) fn give_back() {
    if IS_TAKEN.swap(false, Ordering::SeqCst) {
        // Nothing can be done about a terminal that is gone.
        let _ = execute!(
            stdout(),
            DisableMouseCapture,
            DisableBracketedPaste,
            LeaveAlternateScreen,
            cursor::Show
        );
        let _ = disable_raw_mode();
    }
}

/// A panic's message must not be lost on the other screen. Only the thread of the screens ends the program with its
/// panic: that of any other (a worker, or one that a worker started) becomes a message (see [`super::worker`]) while
/// the screens go on, so its text is kept off them.
fn restore_on_panic() {
    let before = panic::take_hook();
    let screens = std::thread::current().id();
    panic::set_hook(Box::new(move |info| {
        if std::thread::current().id() != screens && IS_TAKEN.load(Ordering::SeqCst) {
            return;
        }
        give_back();
        before(info);
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_panic_of_the_screens_gives_the_terminal_back() {
        let before = panic::take_hook();
        panic::set_hook(Box::new(|_| {}));
        restore_on_panic();
        IS_TAKEN.store(true, Ordering::SeqCst);
        std::thread::scope(|scope| scope.spawn(|| panic!("a helper's")).join().unwrap_err());
        let after_other = IS_TAKEN.load(Ordering::SeqCst);
        let _ = panic::catch_unwind(|| panic!("its own"));
        let after_own = IS_TAKEN.swap(false, Ordering::SeqCst);
        panic::set_hook(before);
        assert_eq!((after_other, after_own), (true, false));
    }
}
